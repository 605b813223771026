package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// Archive makes a group read-only with everything in it. It requires the Owner role. The call returns
// [ErrUnprocessable] if the group or one above it is archived already, and if the group is marked for
// deletion. Since 18.9.
//
//	POST /groups/:id/archive
func (s *GroupsService) Archive(ctx context.Context, group GroupRef, opts ...RequestOption) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodPost, Route("/groups/:id/archive", group), nil, opts)
}

// Unarchive makes a group writable again. It requires the Owner role. The call returns
// [ErrUnprocessable] if the group is not archived, or one above it is. Since 18.9.
//
//	POST /groups/:id/unarchive
func (s *GroupsService) Unarchive(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodPost, Route("/groups/:id/unarchive", group), nil, opts)
}

// ListSharedGroups returns one page of the groups that a group has been invited to. Without a
// credential, only public groups are listed. Since about 17.8.
//
//	GET /groups/:id/groups/shared
func (s *GroupsService) ListSharedGroups(
	ctx context.Context, group GroupRef, options *ListSharedGroupsOptions, opts ...RequestOption,
) ([]*Group, *Response, error) {
	return list[*Group](ctx, using(s), Route("/groups/:id/groups/shared", group), queryOf(options), opts)
}

// AllSharedGroups returns every group that a group has been invited to. See
// [GroupsService.ListSharedGroups].
//
//	GET /groups/:id/groups/shared
func (s *GroupsService) AllSharedGroups(
	ctx context.Context, group GroupRef, options *ListSharedGroupsOptions, opts ...RequestOption,
) iter.Seq2[*Group, error] {
	return all[*Group](ctx, using(s), Route("/groups/:id/groups/shared", group), queryOf(options), opts)
}

// ListInvitedGroups returns one page of the groups that have been invited to a group. Since about 17.8.
//
//	GET /groups/:id/invited_groups
func (s *GroupsService) ListInvitedGroups(
	ctx context.Context, group GroupRef, options *ListInvitedGroupsOptions, opts ...RequestOption,
) ([]*Group, *Response, error) {
	return list[*Group](ctx, using(s), Route("/groups/:id/invited_groups", group), queryOf(options), opts)
}

// AllInvitedGroups returns every group that has been invited to a group. See
// [GroupsService.ListInvitedGroups].
//
//	GET /groups/:id/invited_groups
func (s *GroupsService) AllInvitedGroups(
	ctx context.Context, group GroupRef, options *ListInvitedGroupsOptions, opts ...RequestOption,
) iter.Seq2[*Group, error] {
	return all[*Group](ctx, using(s), Route("/groups/:id/invited_groups", group), queryOf(options), opts)
}

// ListProvisionedUsers returns one page of the users whose accounts were made by the SCIM or SAML of a
// group, without those of its subgroups. It requires the Maintainer role. Premium.
//
//	GET /groups/:id/provisioned_users
func (s *GroupsService) ListProvisionedUsers(
	ctx context.Context, group GroupRef, options *ListGroupUsersOptions, opts ...RequestOption,
) ([]*User, *Response, error) {
	return list[*User](ctx, using(s), Route("/groups/:id/provisioned_users", group), queryOf(options), opts)
}

// AllProvisionedUsers returns every user whose account was made by the SCIM or SAML of a group. See
// [GroupsService.ListProvisionedUsers].
//
//	GET /groups/:id/provisioned_users
func (s *GroupsService) AllProvisionedUsers(
	ctx context.Context, group GroupRef, options *ListGroupUsersOptions, opts ...RequestOption,
) iter.Seq2[*User, error] {
	return all[*User](ctx, using(s), Route("/groups/:id/provisioned_users", group), queryOf(options), opts)
}

// ListSAMLUsers returns one page of the users who sign in by the SAML provider of a group, the newest
// first. It requires the Owner role. The call returns [ErrBadRequest] for a subgroup. Since 18.1.
// Premium.
//
//	GET /groups/:id/saml_users
func (s *GroupsService) ListSAMLUsers(
	ctx context.Context, group GroupRef, options *ListGroupUsersOptions, opts ...RequestOption,
) ([]*User, *Response, error) {
	return list[*User](ctx, using(s), Route("/groups/:id/saml_users", group), queryOf(options), opts)
}

// AllSAMLUsers returns every user who signs in by the SAML provider of a group. See
// [GroupsService.ListSAMLUsers].
//
//	GET /groups/:id/saml_users
func (s *GroupsService) AllSAMLUsers(
	ctx context.Context, group GroupRef, options *ListGroupUsersOptions, opts ...RequestOption,
) iter.Seq2[*User, error] {
	return all[*User](ctx, using(s), Route("/groups/:id/saml_users", group), queryOf(options), opts)
}

// DownloadPlaceholderReassignments returns a CSV file with the placeholder users of what was imported
// into a group, and two empty columns for the users who take over from them. It requires the Owner role.
// Since 17.10.
//
//	GET /groups/:id/placeholder_reassignments
func (s *GroupsService) DownloadPlaceholderReassignments(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route("/groups/:id/placeholder_reassignments", group).withoutHTML(), nil, opts)
}

// ReassignPlaceholders takes the CSV file of [GroupsService.DownloadPlaceholderReassignments], filled in.
// The service reassigns in the background, and sends an email when it is done. The call returns
// [ErrUnprocessable] for another kind of file. Since 17.10.
//
//	POST /groups/:id/placeholder_reassignments
func (s *GroupsService) ReassignPlaceholders(
	ctx context.Context, group GroupRef, options ReassignPlaceholdersOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/groups/:id/placeholder_reassignments", group), multipartOf(options, "file", options.File), opts)
}

// ListSharedGroupsOptions selects groups that a group has been invited to. All filters must match.
type ListSharedGroupsOptions struct {
	ListOptions
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
	// SkipGroups leaves out the groups with these IDs.
	SkipGroups []int64 `url:"skip_groups[],omitempty"`
	// Visibility selects groups with this visibility.
	Visibility Visibility `url:"visibility,omitempty"`
	// MinAccessLevel selects groups in which the caller has at least this role.
	MinAccessLevel AccessLevel `url:"min_access_level,omitempty"`
	// OrderBy is [GroupOrderByName] by default.
	OrderBy GroupOrderBy `url:"order_by,omitempty"`
	// Sort is [SortAscending] by default.
	Sort Sort `url:"sort,omitempty"`
	// WithCustomAttributes sets [Group.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
}

// InvitedGroupRelation says where a group was invited.
type InvitedGroupRelation string

// Where a group was invited: here, or to a group above.
const (
	InvitedGroupRelationDirect    InvitedGroupRelation = "direct"
	InvitedGroupRelationInherited InvitedGroupRelation = "inherited"
)

// ListInvitedGroupsOptions selects groups that have been invited to a project or a group. All filters
// must match.
type ListInvitedGroupsOptions struct {
	ListOptions
	// Relation says where the groups were invited. Empty means both.
	Relation []InvitedGroupRelation `url:"relation[],omitempty"`
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
	// MinAccessLevel selects groups in which the caller has at least this role.
	MinAccessLevel AccessLevel `url:"min_access_level,omitempty"`
	// WithCustomAttributes sets [Group.CustomAttributes], for a group. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
}

// ListGroupUsersOptions selects users of a group. All filters must match.
type ListGroupUsersOptions struct {
	ListOptions
	// Username is the exact username.
	Username string `url:"username,omitempty"`
	// Search searches names, usernames and email addresses.
	Search string `url:"search,omitempty"`
	// Active and Blocked select users with that property. Both together select nobody.
	Active  bool `url:"active,omitempty"`
	Blocked bool `url:"blocked,omitempty"`
	// CreatedAfter and CreatedBefore limit the time of creation.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
}

// ReassignPlaceholdersOptions has a file. File is required.
type ReassignPlaceholdersOptions struct {
	// File is a CSV file. Its name ends in ".csv".
	File Upload `json:"-" url:"file" required:"true"`
}
