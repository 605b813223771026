package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// GroupsService manages groups. For the projects of a group see
// [ProjectsService], for its members see [MembersService].
//
// The owner of a list is [Instance] or a [GroupRef]:
//
//	client.Groups.All(ctx, serviceapi.GroupPath("acme"), nil)
type GroupsService service

// GroupOwner is an owner of groups: [Instance] or a [GroupRef].
type GroupOwner interface{ hasGroups() }

func (InstanceOwner) hasGroups() {}
func (GroupRef) hasGroups()      {}

func groupsOf(owner GroupOwner) Endpoint {
	if group, ok := owner.(GroupRef); ok {
		return Route("/groups/:id/subgroups", group)
	}
	return below(owner, "/groups")
}

// List returns one page of groups: with [Instance], all groups that the caller
// may see, which are the public ones without a credential; with a [GroupRef],
// its direct subgroups. The call returns an [*ArgumentError] for an option that
// the owner does not support.
//
//	GET /groups
//	GET /groups/:id/subgroups
func (s *GroupsService) List(
	ctx context.Context, owner GroupOwner, options *ListGroupsOptions, opts ...RequestOption,
) ([]*Group, *Response, error) {
	return list[*Group](ctx, s.client, groupsOf(owner), queryFor(owner, options), opts)
}

// All returns every group that the caller may see, of the instance or directly
// in a group. See [GroupsService.List].
//
//	GET /groups
//	GET /groups/:id/subgroups
func (s *GroupsService) All(
	ctx context.Context, owner GroupOwner, options *ListGroupsOptions, opts ...RequestOption,
) iter.Seq2[*Group, error] {
	return all[*Group](ctx, s.client, groupsOf(owner), queryFor(owner, options), opts)
}

// Get returns one group. Public groups need no credential. The service also
// returns up to 100 of the group's projects unless
// [GetGroupOptions.WithProjects] is false. The call returns [ErrNotFound] for a
// group that the caller may not see.
//
//	GET /groups/:id
func (s *GroupsService) Get(
	ctx context.Context, group GroupRef, options *GetGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, s.client, http.MethodGet, Route("/groups/:id", group), queryOf(options), opts)
}

// Create creates a group, or a subgroup with [CreateGroupOptions.ParentID]. The
// caller becomes its Owner. The call returns [ErrBadRequest] if the service
// refuses a parameter, such as a path that is taken.
//
//	POST /groups
func (s *GroupsService) Create(
	ctx context.Context, options CreateGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, s.client, http.MethodPost,
		Route("/groups"), jsonOrMultipart(options, "avatar", options.Avatar), opts)
}

// Update changes a group and returns it. It requires the Owner role.
//
//	PUT /groups/:id
func (s *GroupsService) Update(
	ctx context.Context, group GroupRef, options UpdateGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, s.client, http.MethodPut,
		Route("/groups/:id", group), jsonOrMultipart(options, "avatar", options.Avatar), opts)
}

// Delete deletes a group with all of its subgroups and projects. It requires
// the Owner role. The service accepts the call (202) and deletes them later.
//
// If deletion is delayed, which was a premium feature before 18.0 and is the
// default since, the group is only marked, and deleted some days later. A
// subgroup that is marked can be deleted at once with
// [DeleteGroupOptions.PermanentlyRemove].
//
//	DELETE /groups/:id
func (s *GroupsService) Delete(
	ctx context.Context, group GroupRef, options *DeleteGroupOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, Route("/groups/:id", group), queryOf(options), opts)
}
