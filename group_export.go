package serviceapi

import (
	"context"
	"net/http"
)

// GroupExportService exports groups to archives, which [GroupsService.Import] imports. An
// archive contains the group and its subgroups without their projects, which
// [ProjectExportService] exports.
//
// No method waits for an export: the service reports neither its progress nor its failure,
// and each check starts a download, which is rate-limited. To wait, call
// [GroupExportService.Download] about once a minute, with a deadline. It returns
// [ErrNotFound] until the first export has finished. After that, it returns the archive of
// the last finished export, which [Download.ETag] identifies if the service sends one.
//
// See the example of [GroupExportService.Download].
type GroupExportService service

// Schedule starts the export of a group, which the service performs in the background
// (202): [GroupExportService.Download] returns the archive once there is one. It requires
// the Owner role. The service limits the rate of these calls: see [RateLimitError].
//
//	POST /groups/:id/export
func (s *GroupExportService) Schedule(ctx context.Context, group GroupRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/groups/:id/export", group), nil, opts)
}

// Download returns the archive of the last export, a gzipped tar file, as a stream. It
// requires the Owner role. The call returns [ErrNotFound] until there is one. A new export
// replaces the archive when it has finished; until then, the call returns the old archive,
// which [Download.ETag] identifies. The service limits the rate of these calls.
//
//	GET /groups/:id/export/download
func (s *GroupExportService) Download(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet, Route("/groups/:id/export/download", group).withoutHTML(), nil, opts)
}

// Import creates a group from an archive, which is streamed. The service performs the
// import in the background (202), and [GroupsService.Get] returns [ErrNotFound] until the
// group exists. The group has the visibility of its parent, or is private without one. The
// call requires the permission to create groups there. The service limits the rate of
// these calls.
//
//	POST /groups/import
func (s *GroupsService) Import(
	ctx context.Context, options ImportGroupOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/groups/import"), multipartOf(options, "file", options.File), opts)
}

// ImportGroupOptions describes an import of a group. File, Name and Path are required.
type ImportGroupOptions struct {
	// File is an archive such as [GroupExportService.Download] returns.
	File Upload `json:"-" url:"file" required:"true"`
	// Name is the display name of the new group.
	Name string `json:"name" required:"true"`
	// Path is the last element of the new group's path.
	Path string `json:"path" required:"true"`
	// ParentID is the ID of the group to create a subgroup in. Nil means a top-level
	// group.
	ParentID *int64 `json:"parent_id,omitzero"`
	// OrganizationID is the ID of the organization that the group belongs to. Nil means the
	// caller's. An unknown one is refused with [ErrNotFound]. Since about 17.x.
	OrganizationID *int64 `json:"organization_id,omitzero"`
}

func (o ImportGroupOptions) check() error {
	if o.ParentID == nil {
		return nil
	}
	return positive("ParentID", *o.ParentID)
}
