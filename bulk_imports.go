package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"strconv"
	"time"

	"example.com/serviceapi/internal/text"
)

// BulkImportsService moves groups and projects from another instance to this one, by direct transfer:
// this instance asks the other one for everything. Callers see their own imports. Calls return
// [ErrNotFound] while the setting bulk_import_enabled is off, the default of all but the hosted offering.
//
// An import that has finished with failures is the usual success in part: see [BulkImportEntity.Failures].
//
// Its options are [ListBulkImportsOptions], [ListOptions] and [StartBulkImportOptions]. See recipe
// 28 of docs/cookbook.md, the example MoveTree of [example.com/serviceapi/examples/recipes].
type BulkImportsService service

// List returns one page of the caller's imports, the newest first.
//
//	GET /bulk_imports
func (s *BulkImportsService) List(
	ctx context.Context, options *ListBulkImportsOptions, opts ...RequestOption,
) ([]*BulkImport, *Response, error) {
	return list[*BulkImport](ctx, using(s), Route("/bulk_imports"), queryOf(options), opts)
}

// All returns every import of the caller, the newest first.
//
//	GET /bulk_imports
func (s *BulkImportsService) All(
	ctx context.Context, options *ListBulkImportsOptions, opts ...RequestOption,
) iter.Seq2[*BulkImport, error] {
	return all[*BulkImport](ctx, using(s), Route("/bulk_imports"), queryOf(options), opts)
}

// Get returns an import.
//
//	GET /bulk_imports/:id
func (s *BulkImportsService) Get(
	ctx context.Context, importID int64, opts ...RequestOption,
) (*BulkImport, *Response, error) {
	return do[BulkImport](ctx, using(s), http.MethodGet, Route("/bulk_imports/:id", importID), nil, opts)
}

// Start starts an import, which the service performs in the background: [BulkImportsService.Wait] waits
// for it. Before it responds, the service asks the other instance, and returns [ErrUnprocessable] if
// that refuses the token, has no such group or project, or if there is one at the destination.
// At most six calls a minute: see [RateLimitError].
//
//	POST /bulk_imports
func (s *BulkImportsService) Start(
	ctx context.Context, options StartBulkImportOptions, opts ...RequestOption,
) (*BulkImport, *Response, error) {
	return do[BulkImport](ctx, using(s), http.MethodPost, Route("/bulk_imports"), jsonOf(options), opts)
}

// Cancel stops whatever has not begun, and returns the import. The call returns [ErrForbidden] for an
// import of somebody else, unless the caller is an administrator. Since 17.1.
//
//	POST /bulk_imports/:id/cancel
func (s *BulkImportsService) Cancel(
	ctx context.Context, importID int64, opts ...RequestOption,
) (*BulkImport, *Response, error) {
	return do[BulkImport](ctx, using(s), http.MethodPost, Route("/bulk_imports/:id/cancel", importID), nil, opts)
}

// Wait polls an import, at growing intervals, until it has ended. If observe is not nil, each poll also
// lists the entities, and calls it on the goroutine that waits. Wait returns a [*BulkImportError] if the
// import failed, timed out or was canceled. On error, it also returns the import as last seen, or nil.
//
//	GET /bulk_imports/:id
//	GET /bulk_imports/:id/entities
func (s *BulkImportsService) Wait(
	ctx context.Context, importID int64, observe func(BulkImportProgress), opts ...RequestOption,
) (*BulkImport, error) {
	var failure error
	return waitFor(ctx, using(s), "the bulk import "+strconv.FormatInt(importID, 10),
		Route("/bulk_imports/:id", importID), nil, opts,
		func(i *BulkImport) (string, bool) {
			if observe != nil {
				progress := BulkImportProgress{Import: i}
				if progress.Entities, failure = Collect(s.AllEntities(ctx, importID, nil, opts...)); failure != nil {
					return string(i.Status), true
				}
				observe(progress)
			}
			return string(i.Status), i.Status.ended()
		},
		func(seen *outcome, i *BulkImport) error {
			if failure != nil || i.Status == BulkImportStatusFinished {
				return failure
			}
			return &BulkImportError{Import: hidden(seen, i)}
		})
}

// BulkImportProgress says how far an import is. Entities are added: a group brings what is in it.
type BulkImportProgress struct {
	Import   *BulkImport
	Entities []*BulkImportEntity
}

// Ended counts the entities that have ended, well or not.
func (p BulkImportProgress) Ended() (n int) {
	for _, e := range p.Entities {
		if e.Status.ended() {
			n++
		}
	}
	return n
}

// BulkImportError means that an import failed, timed out or was canceled.
type BulkImportError struct {
	// Import is the import as last seen, with the secrets of the call redacted, never nil in an error
	// that the library returns. [BulkImportsService.AllEntities] says what failed.
	Import *BulkImport
}

// Error describes the import.
func (e *BulkImportError) Error() string {
	i := orZero(e.Import)
	return "serviceapi: the bulk import " + strconv.FormatInt(i.ID, 10) + " is " +
		text.Printable(cmp.Or(string(i.Status), "lost"), maxErrorText)
}

// ListEntities returns one page of the groups and projects of an import.
//
//	GET /bulk_imports/:id/entities
func (s *BulkImportsService) ListEntities(
	ctx context.Context, importID int64, options *ListBulkImportsOptions, opts ...RequestOption,
) ([]*BulkImportEntity, *Response, error) {
	return list[*BulkImportEntity](ctx, using(s), Route("/bulk_imports/:id/entities", importID), queryOf(options), opts)
}

// AllEntities returns every group and project of an import. Without [ListBulkImportsOptions.Sort], the
// service has no fixed order.
//
//	GET /bulk_imports/:id/entities
func (s *BulkImportsService) AllEntities(
	ctx context.Context, importID int64, options *ListBulkImportsOptions, opts ...RequestOption,
) iter.Seq2[*BulkImportEntity, error] {
	return all[*BulkImportEntity](ctx, using(s), Route("/bulk_imports/:id/entities", importID), queryOf(options), opts)
}

// ListOwnEntities returns one page of the groups and projects of all imports of the caller.
//
//	GET /bulk_imports/entities
func (s *BulkImportsService) ListOwnEntities(
	ctx context.Context, options *ListBulkImportsOptions, opts ...RequestOption,
) ([]*BulkImportEntity, *Response, error) {
	return list[*BulkImportEntity](ctx, using(s), Route("/bulk_imports/entities"), queryOf(options), opts)
}

// AllOwnEntities returns the groups and projects of all imports of the caller.
//
//	GET /bulk_imports/entities
func (s *BulkImportsService) AllOwnEntities(
	ctx context.Context, options *ListBulkImportsOptions, opts ...RequestOption,
) iter.Seq2[*BulkImportEntity, error] {
	return all[*BulkImportEntity](ctx, using(s), Route("/bulk_imports/entities"), queryOf(options), opts)
}

// GetEntity returns a group or a project of an import.
//
//	GET /bulk_imports/:id/entities/:entity_id
func (s *BulkImportsService) GetEntity(
	ctx context.Context, importID, entityID int64, opts ...RequestOption,
) (*BulkImportEntity, *Response, error) {
	return do[BulkImportEntity](ctx, using(s), http.MethodGet,
		Route("/bulk_imports/:id/entities/:entity_id", importID, entityID), nil, opts)
}

// ListFailures returns one page of what could not be imported of a group or a project. Since 16.6.
//
//	GET /bulk_imports/:id/entities/:entity_id/failures
func (s *BulkImportsService) ListFailures(
	ctx context.Context, importID, entityID int64, options *ListOptions, opts ...RequestOption,
) ([]*BulkImportFailure, *Response, error) {
	return list[*BulkImportFailure](ctx, using(s),
		Route("/bulk_imports/:id/entities/:entity_id/failures", importID, entityID), queryOf(options), opts)
}

// AllFailures returns everything that could not be imported of a group or a project. Since 16.6.
//
//	GET /bulk_imports/:id/entities/:entity_id/failures
func (s *BulkImportsService) AllFailures(
	ctx context.Context, importID, entityID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*BulkImportFailure, error] {
	return all[*BulkImportFailure](ctx, using(s),
		Route("/bulk_imports/:id/entities/:entity_id/failures", importID, entityID), queryOf(options), opts)
}

// ListBulkImportsOptions selects imports, or the groups and projects of imports.
type ListBulkImportsOptions struct {
	ListOptions
	// Sort is the order of their creation, [SortDescending] by default for imports.
	Sort   Sort             `url:"sort,omitempty"`
	Status BulkImportStatus `url:"status,omitempty"`
}

// StartBulkImportOptions describes an import. Both fields are required.
type StartBulkImportOptions struct {
	Configuration BulkImportSource      `json:"configuration" required:"true"`
	Entities      []NewBulkImportEntity `json:"entities" required:"true"`
}

// BulkImportSource is the instance to import from.
type BulkImportSource struct {
	// URL is its address, such as https://old.example.com.
	URL string `json:"url" required:"true"`
	// AccessToken has the scope api there. The service forgets it a day after the import has ended.
	AccessToken Secret `json:"access_token" required:"true"`
}

// NewBulkImportEntity is a group or a project to import.
type NewBulkImportEntity struct {
	SourceType BulkImportSourceType `json:"source_type" required:"true"`
	// SourceFullPath is the path at the other instance, such as "acme/tools".
	SourceFullPath string `json:"source_full_path" required:"true"`
	// DestinationNamespace is the full path of the group to import into. Empty means the top level,
	// which only groups can be imported to.
	DestinationNamespace string `json:"destination_namespace"`
	// DestinationSlug is the last element of the new path.
	DestinationSlug string `json:"destination_slug" required:"true"`
	// MigrateProjects also imports the projects of a group, MigrateMemberships its members. Nil means true.
	MigrateProjects    *bool `json:"migrate_projects,omitzero"`
	MigrateMemberships *bool `json:"migrate_memberships,omitzero"`
}

// BulkImportSourceType is what to import.
type BulkImportSourceType string

// Types of sources.
const (
	BulkImportSourceTypeGroup   BulkImportSourceType = "group_entity"
	BulkImportSourceTypeProject BulkImportSourceType = "project_entity"
)

// BulkImportEntityType is a kind of entity.
type BulkImportEntityType string

// Types of entities.
const (
	BulkImportEntityTypeGroup   BulkImportEntityType = "group"
	BulkImportEntityTypeProject BulkImportEntityType = "project"
)

// BulkImportStatus is the state of an import, or of a part of it.
type BulkImportStatus string

// States of an import. The first two are in progress.
const (
	BulkImportStatusCreated  BulkImportStatus = "created"
	BulkImportStatusStarted  BulkImportStatus = "started"
	BulkImportStatusFinished BulkImportStatus = "finished"
	BulkImportStatusTimeout  BulkImportStatus = "timeout"
	BulkImportStatusFailed   BulkImportStatus = "failed"
	BulkImportStatusCanceled BulkImportStatus = "canceled"
)

func (s BulkImportStatus) ended() bool {
	return s == BulkImportStatusFinished || s == BulkImportStatusTimeout || s == BulkImportStatusFailed ||
		s == BulkImportStatusCanceled
}

// BulkImport is an import from another instance.
type BulkImport struct {
	ID     int64            `json:"id"`
	Status BulkImportStatus `json:"status"`
	// SourceType is the kind of the other instance: the name of the product, in lower case.
	SourceType string `json:"source_type"`
	// SourceURL is empty in older releases, and a day after the import has ended.
	SourceURL string    `json:"source_url"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// HasFailures reports whether something is missing. Older releases do not say.
	HasFailures bool `json:"has_failures"`
}

// BulkImportEntity is a group or a project of an import.
type BulkImportEntity struct {
	ID             int64                `json:"id"`
	BulkImportID   int64                `json:"bulk_import_id"`
	Status         BulkImportStatus     `json:"status"`
	EntityType     BulkImportEntityType `json:"entity_type"`
	SourceFullPath string               `json:"source_full_path"`
	// DestinationFullPath is empty until the group or the project is made.
	DestinationFullPath string `json:"destination_full_path"`
	// DestinationName is an older name of DestinationSlug.
	DestinationName      string `json:"destination_name"`
	DestinationSlug      string `json:"destination_slug"`
	DestinationNamespace string `json:"destination_namespace"`
	// ParentID is the ID of the entity that brought this one, nil if there is none.
	ParentID *int64 `json:"parent_id"`
	// NamespaceID is the ID of the new group, and ProjectID that of the new project, nil until it is made.
	NamespaceID *int64    `json:"namespace_id"`
	ProjectID   *int64    `json:"project_id"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	// Failures are what could not be imported.
	Failures           []*BulkImportFailure `json:"failures"`
	HasFailures        bool                 `json:"has_failures"`
	MigrateProjects    *bool                `json:"migrate_projects"`
	MigrateMemberships *bool                `json:"migrate_memberships"`
	// Stats are numbers of objects by their relation, such as "labels". Since about 16.x.
	Stats map[string]*BulkImportStats `json:"stats"`
}

// BulkImportStats counts the objects of a relation.
type BulkImportStats struct {
	// Source is how many the other instance has, of which Fetched came here and Imported are made.
	Source   int `json:"source"`
	Fetched  int `json:"fetched"`
	Imported int `json:"imported"`
}

// BulkImportFailure is an object that could not be imported.
type BulkImportFailure struct {
	// Relation is the kind of the object, such as "labels".
	Relation string `json:"relation"`
	// ExceptionMessage has at most 255 characters.
	ExceptionMessage string `json:"exception_message"`
	ExceptionClass   string `json:"exception_class"`
	// CorrelationIDValue identifies the failure in the logs of the service.
	CorrelationIDValue string `json:"correlation_id_value"`
	// SourceURL and SourceTitle say which object of the other instance it is. Since about 16.x.
	SourceURL   string `json:"source_url"`
	SourceTitle string `json:"source_title"`
}
