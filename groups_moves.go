package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
)

// ListDescendants returns one page of the groups below a group, on all levels. The group
// itself is not among them. Without a credential these are public ones.
//
//	GET /groups/:id/descendant_groups
func (s *GroupsService) ListDescendants(
	ctx context.Context, group GroupRef, options *ListGroupsOptions, opts ...RequestOption,
) ([]*Group, *Response, error) {
	return list[*Group](ctx, s.client, Route("/groups/:id/descendant_groups", group), queryFor(group, options), opts)
}

// AllDescendants returns every group below a group. See [GroupsService.ListDescendants].
//
//	GET /groups/:id/descendant_groups
func (s *GroupsService) AllDescendants(
	ctx context.Context, group GroupRef, options *ListGroupsOptions, opts ...RequestOption,
) iter.Seq2[*Group, error] {
	return all[*Group](ctx, s.client, Route("/groups/:id/descendant_groups", group), queryFor(group, options), opts)
}

// DownloadAvatar returns the picture of a group as a stream, since 16.9. The call
// returns [ErrNotFound] if none was uploaded.
//
//	GET /groups/:id/avatar
func (s *GroupsService) DownloadAvatar(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, s.client, http.MethodGet, Route("/groups/:id/avatar", group).withoutHTML(), nil, opts)
}

// Restore keeps a group that is marked for deletion. It requires the Owner role. Premium
// before 18.0. The call returns [ErrBadRequest] if the group is not marked.
//
//	POST /groups/:id/restore
func (s *GroupsService) Restore(ctx context.Context, group GroupRef, opts ...RequestOption) (*Group, *Response, error) {
	return do[Group](ctx, s.client, http.MethodPost, Route("/groups/:id/restore", group), nil, opts)
}

// TransferGroupOptions says where a group is moved.
type TransferGroupOptions struct {
	// GroupID is the ID of the new parent group. Nil makes the group a top-level one.
	GroupID *int64 `json:"group_id,omitzero"`
}

func (o TransferGroupOptions) check() error {
	if o.GroupID == nil {
		return nil
	}
	return positive("GroupID", *o.GroupID)
}

// Transfer moves a group into another, or to the top level, so that the paths of
// everything in it change. It requires the Owner role and the permission to create
// subgroups in the new parent. The call returns [ErrBadRequest] if the service refuses,
// for example because the path is taken there or the group is there already.
//
//	POST /groups/:id/transfer
func (s *GroupsService) Transfer(
	ctx context.Context, group GroupRef, options TransferGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, s.client, http.MethodPost, Route("/groups/:id/transfer", group), jsonOf(options), opts)
}

// TransferProject moves a project into a group, so that the path of the project changes.
// Administrators only; others use [ProjectsService.Transfer]. The call returns
// [ErrBadRequest] if the service refuses.
//
//	POST /groups/:id/projects/:project_id
func (s *GroupsService) TransferProject(
	ctx context.Context, group GroupRef, project ProjectRef, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, s.client, http.MethodPost,
		Route("/groups/:id/projects/:project_id", group, project), nil, opts)
}

// ListTransferLocations returns one page of the groups that the caller may move a group
// to with [GroupsService.Transfer], since 15.4. It requires the Owner role.
//
//	GET /groups/:id/transfer_locations
func (s *GroupsService) ListTransferLocations(
	ctx context.Context, group GroupRef, options *ListTransferLocationsOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, s.client, Route("/groups/:id/transfer_locations", group), queryOf(options), opts)
}

// AllTransferLocations returns every group that the caller may move a group to. See
// [GroupsService.ListTransferLocations].
//
//	GET /groups/:id/transfer_locations
func (s *GroupsService) AllTransferLocations(
	ctx context.Context, group GroupRef, options *ListTransferLocationsOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, s.client, Route("/groups/:id/transfer_locations", group), queryOf(options), opts)
}

// ShareGroupOptions says which group another is shared with. GroupID and GroupAccess are
// required.
type ShareGroupOptions struct {
	// GroupID is the group whose members get access.
	GroupID int64 `json:"group_id"`
	// GroupAccess is the highest role that they get.
	GroupAccess AccessLevel `json:"group_access"`
	// ExpiresAt is the day on which the access ends. Nil means never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// MemberRoleID is the ID of a custom role that they get, in later releases.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
}

func (o ShareGroupOptions) check() error {
	return cmp.Or(positive("GroupID", o.GroupID), missing("GroupAccess", o.GroupAccess == 0))
}

// Share gives the members of another group access to a group and everything in it. It
// requires the Owner role. The call returns [ErrConflict] if the group is already shared
// with the other, and [ErrNotFound] if the caller may not see the other or sharing is not
// allowed: see [Group.ShareWithGroupLock] and [Group.PreventSharingGroupsOutsideHierarchy].
//
//	POST /groups/:id/share
func (s *GroupsService) Share(
	ctx context.Context, group GroupRef, options ShareGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, s.client, http.MethodPost, Route("/groups/:id/share", group), jsonOf(options), opts)
}

// Unshare removes the access that another group got with [GroupsService.Share]. It
// requires the Owner role. The service accepts only a [GroupID] of the other. The call
// returns [ErrNotFound] if the group is not shared with it.
//
//	DELETE /groups/:id/share/:group_id
func (s *GroupsService) Unshare(
	ctx context.Context, group, other GroupRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		Route("/groups/:id/share/:group_id", group, onlyID(other)), nil, opts)
}

// ListSharedProjectsOptions selects projects that were shared with a group. All filters
// must match.
type ListSharedProjectsOptions struct {
	ListOptions
	// Search searches names, paths and descriptions.
	Search string `url:"search,omitempty"`
	// Archived selects archived projects, or those that are not. Nil selects both.
	Archived *bool `url:"archived,omitempty"`
	// Visibility selects projects with this visibility.
	Visibility Visibility `url:"visibility,omitempty"`
	// Starred selects projects that the caller has starred.
	Starred bool `url:"starred,omitempty"`
	// MinAccessLevel selects projects in which the caller has at least this role.
	MinAccessLevel AccessLevel `url:"min_access_level,omitempty"`
	// WithIssuesEnabled and WithMergeRequestsEnabled select projects that have
	// issues or merge requests.
	WithIssuesEnabled        bool `url:"with_issues_enabled,omitempty"`
	WithMergeRequestsEnabled bool `url:"with_merge_requests_enabled,omitempty"`
	// Simple returns a short form of each project: see [Project].
	Simple bool `url:"simple,omitempty"`
	// WithCustomAttributes sets [Project.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
	// OrderBy is [ProjectOrderByCreatedAt] by default.
	OrderBy ProjectOrderBy `url:"order_by,omitempty"`
	// Sort is [SortDescending] by default.
	Sort Sort `url:"sort,omitempty"`
}

// ListSharedProjects returns one page of the projects that were shared with a group.
//
//	GET /groups/:id/projects/shared
func (s *GroupsService) ListSharedProjects(
	ctx context.Context, group GroupRef, options *ListSharedProjectsOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, s.client, Route("/groups/:id/projects/shared", group), queryOf(options), opts)
}

// AllSharedProjects returns every project that was shared with a group.
//
//	GET /groups/:id/projects/shared
func (s *GroupsService) AllSharedProjects(
	ctx context.Context, group GroupRef, options *ListSharedProjectsOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, s.client, Route("/groups/:id/projects/shared", group), queryOf(options), opts)
}
