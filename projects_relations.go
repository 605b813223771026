package serviceapi

import (
	"context"
	"errors"
	"iter"
	"net/http"
)

// ListForks returns one page of the forks of a project that the caller may see.
//
//	GET /projects/:id/forks
func (s *ProjectsService) ListForks(
	ctx context.Context, project ProjectRef, options *ListProjectsOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, s.client, Route("/projects/:id/forks", project), queryFor(project, options), opts)
}

// AllForks returns every fork of a project that the caller may see.
//
//	GET /projects/:id/forks
func (s *ProjectsService) AllForks(
	ctx context.Context, project ProjectRef, options *ListProjectsOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, s.client, Route("/projects/:id/forks", project), queryFor(project, options), opts)
}

// CreateForkRelation makes a project that exists a fork of another, from which merge
// requests can then be opened. It copies nothing. It requires the Owner role in the
// project. The call returns [ErrConflict] if the project is a fork already,
// [ErrNotFound] if the caller may not see the other project, and [ErrUnauthorized] if
// its namespace may not have a fork.
//
//	POST /projects/:id/fork/:forked_from_id
func (s *ProjectsService) CreateForkRelation(
	ctx context.Context, project, forkedFrom ProjectRef, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, s.client, http.MethodPost,
		Route("/projects/:id/fork/:forked_from_id", project, forkedFrom).forbiddenBy401(), nil, opts)
}

// DeleteForkRelation makes a fork a project of its own. The service closes its open
// merge requests into the project that it was forked from. It requires the Owner role.
// It also succeeds if the project is no fork; [Response.StatusCode] is then
// [http.StatusNotModified].
//
//	DELETE /projects/:id/fork
func (s *ProjectsService) DeleteForkRelation(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Response, error) {
	resp, err := exec(ctx, s.client, http.MethodDelete, Route("/projects/:id/fork", project), nil, opts)
	if errors.Is(err, ErrNotModified) {
		err = nil
	}
	return resp, err
}

// GetLanguages returns the programming languages of a project's default branch, each
// with its share in percent, with two decimals. The map is empty for an empty
// repository. It requires the Reporter role if the code is not public.
//
//	GET /projects/:id/languages
func (s *ProjectsService) GetLanguages(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (map[string]float64, *Response, error) {
	shares, resp, err := do[map[string]float64](ctx, s.client, http.MethodGet,
		Route("/projects/:id/languages", project), nil, opts)
	return *orZero(shares), resp, err
}

// DownloadAvatar returns the picture of a project as a stream, since 16.9. The call
// returns [ErrNotFound] if none was uploaded.
//
//	GET /projects/:id/avatar
func (s *ProjectsService) DownloadAvatar(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, s.client, http.MethodGet, Route("/projects/:id/avatar", project).withoutHTML(), nil, opts)
}

// ListProjectUsersOptions selects members of a project.
type ListProjectUsersOptions struct {
	ListOptions
	// Search searches names and usernames.
	Search string `url:"search,omitempty"`
	// SkipUsers leaves out the users with these IDs.
	SkipUsers []int64 `url:"skip_users[],omitempty"`
}

// ListUsers returns one page of the users who are members of a project: directly, by its
// groups, or by groups that are invited. Bots are among them. [MembersService] also
// returns their roles.
//
//	GET /projects/:id/users
func (s *ProjectsService) ListUsers(
	ctx context.Context, project ProjectRef, options *ListProjectUsersOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, s.client, Route("/projects/:id/users", project), queryOf(options), opts)
}

// AllUsers returns every user who is a member of a project. See
// [ProjectsService.ListUsers].
//
//	GET /projects/:id/users
func (s *ProjectsService) AllUsers(
	ctx context.Context, project ProjectRef, options *ListProjectUsersOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, s.client, Route("/projects/:id/users", project), queryOf(options), opts)
}

// ListProjectGroupsOptions selects groups of a project.
type ListProjectGroupsOptions struct {
	ListOptions
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
	// SkipGroups leaves out the groups with these IDs.
	SkipGroups []int64 `url:"skip_groups[],omitempty"`
	// WithShared adds the groups that the project is shared with.
	WithShared bool `url:"with_shared,omitempty"`
	// SharedVisibleOnly leaves out groups that the project is shared with and the
	// caller may not see. It has an effect only with WithShared.
	SharedVisibleOnly bool `url:"shared_visible_only,omitempty"`
	// SharedMinAccessLevel leaves out groups that the project is shared with for a
	// lower role. It has an effect only with WithShared.
	SharedMinAccessLevel AccessLevel `url:"shared_min_access_level,omitempty"`
}

// ListGroups returns one page of the groups that a project is in and, with
// [ListProjectGroupsOptions.WithShared], of those that it is shared with.
//
//	GET /projects/:id/groups
func (s *ProjectsService) ListGroups(
	ctx context.Context, project ProjectRef, options *ListProjectGroupsOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, s.client, Route("/projects/:id/groups", project), queryOf(options), opts)
}

// AllGroups returns every group that a project is in. See [ProjectsService.ListGroups].
//
//	GET /projects/:id/groups
func (s *ProjectsService) AllGroups(
	ctx context.Context, project ProjectRef, options *ListProjectGroupsOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, s.client, Route("/projects/:id/groups", project), queryOf(options), opts)
}

// ListTransferLocationsOptions selects groups that something can be moved to.
type ListTransferLocationsOptions struct {
	ListOptions
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
}

// ListTransferLocations returns one page of the groups that the caller may move a
// project to with [ProjectsService.Transfer], since 15.4. It requires the Owner role.
//
//	GET /projects/:id/transfer_locations
func (s *ProjectsService) ListTransferLocations(
	ctx context.Context, project ProjectRef, options *ListTransferLocationsOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, s.client,
		Route("/projects/:id/transfer_locations", project), queryOf(options), opts)
}

// AllTransferLocations returns every group that the caller may move a project to. See
// [ProjectsService.ListTransferLocations].
//
//	GET /projects/:id/transfer_locations
func (s *ProjectsService) AllTransferLocations(
	ctx context.Context, project ProjectRef, options *ListTransferLocationsOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, s.client,
		Route("/projects/:id/transfer_locations", project), queryOf(options), opts)
}
