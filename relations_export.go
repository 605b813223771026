package serviceapi

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// RelationsExportService exports projects and groups one relation at a time, such as labels or issues:
// each is a file of its own. It requires the Maintainer role in a project, and the Owner role in a
// group. A caller sees only exports of their own, and a new one replaces the one before. Calls return
// [ErrNotFound] while the setting bulk_import_enabled is off.
//
// Its options are [DownloadRelationOptions], [GetRelationsStatusOptions] and
// [ScheduleRelationsExportOptions]. See the example of [RelationsExportService.Download].
type RelationsExportService service

// RelationsExportOwner is a [ProjectRef] or a [GroupRef].
type RelationsExportOwner interface{ exportsRelations() }

func (ProjectRef) exportsRelations() {}
func (GroupRef) exportsRelations()   {}

// Schedule starts the export of every relation, which the service performs in the background (202).
//
//	POST /projects/:id/export_relations
//	POST /groups/:id/export_relations
func (s *RelationsExportService) Schedule(
	ctx context.Context, owner RelationsExportOwner, options ScheduleRelationsExportOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, below(owner, "/export_relations"), jsonOf(options), opts)
}

// GetStatus returns the state of the export of every relation, or of one.
//
//	GET /projects/:id/export_relations/status
//	GET /groups/:id/export_relations/status
func (s *RelationsExportService) GetStatus(
	ctx context.Context, owner RelationsExportOwner, options *GetRelationsStatusOptions, opts ...RequestOption,
) ([]*RelationExport, *Response, error) {
	found, resp, err := do[relationExports](ctx, using(s), http.MethodGet,
		below(owner, "/export_relations/status"), queryOf(options), opts)
	return *orZero(found), resp, err
}

// relationExports is a list of exports, or the only one.
type relationExports []*RelationExport

// UnmarshalJSON implements json.Unmarshaler.
func (e *relationExports) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		data = slices.Concat([]byte("["), data, []byte("]"))
	}
	return unmarshalMembers(data, (*[]*RelationExport)(e))
}

// Download returns the file of a relation as a stream: lines of JSON, gzipped, or a gzipped tar file for
// what consists of files. The call returns [ErrNotFound] until there is one, which
// [RelationsExportService.GetStatus] says, and [ErrBadRequest] if the export has batches and none is
// asked for, or the reverse.
//
//	GET /projects/:id/export_relations/download
//	GET /groups/:id/export_relations/download
func (s *RelationsExportService) Download(
	ctx context.Context, owner RelationsExportOwner, options *DownloadRelationOptions, opts ...RequestOption,
) (*Download, *Response, error) {
	query := &relationFile{*orZero(options), orZero(options).BatchNumber != 0}
	return stream(ctx, using(s), http.MethodGet,
		below(owner, "/export_relations/download").withoutHTML(), queryOf(query), opts)
}

// ScheduleRelationsExportOptions says how to export.
type ScheduleRelationsExportOptions struct {
	// Batched divides long relations into batches, each a file of its own. Nil means false.
	Batched *bool `json:"batched,omitzero"`
}

// GetRelationsStatusOptions selects a relation.
type GetRelationsStatusOptions struct {
	// Relation is empty for all of them.
	Relation string `url:"relation,omitempty"`
}

// DownloadRelationOptions says what to download. Relation is required.
type DownloadRelationOptions struct {
	// Relation is [RelationExport.Relation].
	Relation string `url:"relation" required:"true"`
	// BatchNumber is that of a batch, from 1, of an export that has batches.
	BatchNumber int `url:"batch_number,omitempty"`
}

// relationFile is what DownloadRelationOptions are sent as.
type relationFile struct {
	DownloadRelationOptions
	Batched bool `url:"batched,omitempty"`
}

// RelationExportStatus is the state of an export.
type RelationExportStatus int

// States of exports. RelationExportStatusPending exists in newer releases.
const (
	RelationExportStatusPending  RelationExportStatus = -2
	RelationExportStatusFailed   RelationExportStatus = -1
	RelationExportStatusStarted  RelationExportStatus = 0
	RelationExportStatusFinished RelationExportStatus = 1
)

// RelationExport is the export of a relation.
type RelationExport struct {
	Relation string               `json:"relation"`
	Status   RelationExportStatus `json:"status"`
	// Error is empty unless the export failed.
	Error     string    `json:"error"`
	UpdatedAt time.Time `json:"updated_at"`
	// Batched, BatchesCount and TotalObjectsCount are zero in older releases.
	Batched           bool `json:"batched"`
	BatchesCount      int  `json:"batches_count"`
	TotalObjectsCount int  `json:"total_objects_count"`
	// Batches is nil unless Batched is true.
	Batches []*RelationBatch `json:"batches"`
}

// RelationBatch is a part of the export of a relation.
type RelationBatch struct {
	BatchNumber  int                  `json:"batch_number"`
	Status       RelationExportStatus `json:"status"`
	ObjectsCount int                  `json:"objects_count"`
	Error        string               `json:"error"`
	UpdatedAt    time.Time            `json:"updated_at"`
}
