package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"time"
)

// ProjectsService manages projects. Objects that belong to a project have their
// own services, such as [JobsService]. [ProjectImportService] creates projects
// from archives.
//
// The owner of a list is [Instance], a [GroupRef] or a [UserRef]:
//
//	client.Projects.All(ctx, serviceapi.GroupPath("acme"), nil)
//
// Its options are [CreateProjectOptions], [DeleteProjectOptions], [ForkProjectOptions],
// [GetProjectOptions], [ListContributedProjectsOptions], [ListInvitedGroupsOptions],
// [ListProjectGroupsOptions], [ListProjectUsersOptions], [ListProjectsOptions],
// [ListShareLocationsOptions], [ListStarrersOptions], [ListTransferLocationsOptions],
// [ShareProjectOptions], [StartHousekeepingOptions], [TransferProjectOptions] and
// [UpdateProjectOptions]. See the example ProjectsCreate in structure_test.go of
// [example.com/serviceapi/examples/recipes].
type ProjectsService service

// ProjectOwner is an owner of projects: [Instance], a [GroupRef] or a
// [UserRef].
type ProjectOwner interface{ hasProjects() }

func (InstanceOwner) hasProjects() {}

func (GroupRef) hasProjects() {}

func (UserRef) hasProjects() {}

func projectsOf(owner ProjectOwner) Endpoint {
	if user, ok := owner.(UserRef); ok {
		return Route("/users/:user_id/projects", user)
	}
	return below(owner, "/projects")
}

// List returns one page of projects: with [Instance], all projects that the
// caller may see; with a [GroupRef], those in the group; with a [UserRef],
// those in the user's own namespace. By default, the newest come first. The
// call returns an [*ArgumentError] for an option that the owner does not
// support.
//
//	GET /projects
//	GET /groups/:id/projects
//	GET /users/:user_id/projects
func (s *ProjectsService) List(
	ctx context.Context, owner ProjectOwner, options *ListProjectsOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, using(s), projectsOf(owner), queryFor(owner, options), opts)
}

// All returns every project that the caller may see, of the instance, of a
// group or of a user. See [ProjectsService.List].
//
//	GET /projects
//	GET /groups/:id/projects
//	GET /users/:user_id/projects
func (s *ProjectsService) All(
	ctx context.Context, owner ProjectOwner, options *ListProjectsOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, using(s), projectsOf(owner), queryFor(owner, options), opts)
}

// Get returns one project. Public projects need no credential. The call returns
// [ErrNotFound] for a project that the caller may not see.
//
//	GET /projects/:id
func (s *ProjectsService) Get(
	ctx context.Context, project ProjectRef, options *GetProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodGet, Route("/projects/:id", project), queryOf(options), opts)
}

// Create creates a project. It requires permission to create projects in the namespace. If
// the service refuses a field, for example because the path is taken, the call returns
// [ErrBadRequest] with the reasons in [Error.Fields].
//
//	POST /projects
func (s *ProjectsService) Create(
	ctx context.Context, options CreateProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPost,
		Route("/projects"), jsonOrMultipart(options, "avatar", options.Avatar), opts)
}

// Update changes a project and returns it. It requires the Maintainer role, or
// the Owner role for some settings. If the service refuses a field, the call
// returns [ErrBadRequest] with the reasons in [Error.Fields].
//
//	PUT /projects/:id
func (s *ProjectsService) Update(
	ctx context.Context, project ProjectRef, options UpdateProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPut, Route("/projects/:id", project), options.input(), opts)
}

// Delete deletes a project with everything that belongs to it. It requires the
// Owner role. The service accepts the call (202) and deletes the project later.
//
// If deletion is delayed, which was a premium feature before 18.0 and is the
// default since, the project is only marked, and deleted some days later. To
// delete it at once, call Delete again with
// [DeleteProjectOptions.PermanentlyRemove].
//
//	DELETE /projects/:id
func (s *ProjectsService) Delete(
	ctx context.Context, project ProjectRef, options *DeleteProjectOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/projects/:id", project), queryOf(options), opts)
}

// Fork creates a copy of a project from which merge requests can be opened. The
// service copies the repository later: [ProjectImportService.Wait] waits until
// [Project.ImportStatus] is [ImportStateFinished]. The call returns
// [ErrNotFound] if the caller may not fork the project or may not create
// projects in the namespace, and [ErrConflict] if the namespace already has a
// project with this name or path.
//
//	POST /projects/:id/fork
func (s *ProjectsService) Fork(
	ctx context.Context, project ProjectRef, options ForkProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPost,
		Route("/projects/:id/fork", project), jsonOf(forkBody{ForkProjectOptions: options}.complete()), opts)
}

// Archive makes a project read-only: writes to it return [ErrForbidden]. It
// requires the Owner role. Archiving an archived project changes nothing.
//
//	POST /projects/:id/archive
func (s *ProjectsService) Archive(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPost, Route("/projects/:id/archive", project), nil, opts)
}

// Unarchive makes an archived project writable again. It requires the Owner
// role.
//
//	POST /projects/:id/unarchive
func (s *ProjectsService) Unarchive(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPost, Route("/projects/:id/unarchive", project), nil, opts)
}

// Transfer moves a project to another namespace, so that the path of the project changes.
// It requires the Owner role in the project and permission to create projects in the
// namespace. The call returns [ErrBadRequest] if the service refuses.
//
//	PUT /projects/:id/transfer
func (s *ProjectsService) Transfer(
	ctx context.Context, project ProjectRef, options TransferProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPut,
		Route("/projects/:id/transfer", project), jsonOf(options), opts)
}

// Share gives the members of a group access to a project. It requires the
// Maintainer role. The call returns [ErrConflict] if the project is already
// shared with the group, [ErrNotFound] if there is no such group, and
// [ErrBadRequest] if sharing is disabled.
//
//	POST /projects/:id/share
func (s *ProjectsService) Share(
	ctx context.Context, project ProjectRef, options ShareProjectOptions, opts ...RequestOption,
) (*ProjectShare, *Response, error) {
	return do[ProjectShare](ctx, using(s), http.MethodPost,
		Route("/projects/:id/share", project), jsonOf(options), opts)
}

// Unshare removes the access that a group got with [ProjectsService.Share]. It
// requires the Maintainer role. The service accepts only a [GroupID]. The call
// returns [ErrNotFound] if the project is not shared with the group.
//
//	DELETE /projects/:id/share/:group_id
func (s *ProjectsService) Unshare(
	ctx context.Context, project ProjectRef, group GroupRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/share/:group_id", project, onlyID(group)), nil, opts)
}

// ListForks returns one page of the forks of a project that the caller may see.
//
//	GET /projects/:id/forks
func (s *ProjectsService) ListForks(
	ctx context.Context, project ProjectRef, options *ListProjectsOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, using(s), Route("/projects/:id/forks", project), queryFor(project, options), opts)
}

// AllForks returns every fork of a project that the caller may see.
//
//	GET /projects/:id/forks
func (s *ProjectsService) AllForks(
	ctx context.Context, project ProjectRef, options *ListProjectsOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, using(s), Route("/projects/:id/forks", project), queryFor(project, options), opts)
}

// CreateForkRelation makes an existing project a fork of another, so that merge requests
// can be opened from it. It copies nothing. It requires the Owner role in the project. The
// call returns [ErrConflict] if the project is already a fork, [ErrNotFound] if the caller
// may not see the other project, and [ErrUnauthorized] if its namespace may not have a
// fork.
//
//	POST /projects/:id/fork/:forked_from_id
func (s *ProjectsService) CreateForkRelation(
	ctx context.Context, project, forkedFrom ProjectRef, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPost,
		Route("/projects/:id/fork/:forked_from_id", project, forkedFrom).forbiddenBy401(), nil, opts)
}

// DeleteForkRelation makes a fork a project of its own. The service closes its open
// merge requests into the project that it was forked from. It requires the Owner role.
// It also succeeds if the project is not a fork; [Response.StatusCode] is then
// [http.StatusNotModified].
//
//	DELETE /projects/:id/fork
func (s *ProjectsService) DeleteForkRelation(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Response, error) {
	resp, err := exec(ctx, using(s), http.MethodDelete, Route("/projects/:id/fork", project), nil, opts)
	if errors.Is(err, ErrNotModified) {
		err = nil
	}
	return resp, err
}

// GetLanguages returns the programming languages of a project's default branch, each with
// its share in percent, to two decimal places. The map is empty for an empty repository. It
// requires the Reporter role if the code is not public.
//
//	GET /projects/:id/languages
func (s *ProjectsService) GetLanguages(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (map[string]float64, *Response, error) {
	shares, resp, err := do[map[string]float64](ctx, using(s), http.MethodGet,
		Route("/projects/:id/languages", project), nil, opts)
	return *orZero(shares), resp, err
}

// DownloadAvatar returns the picture of a project as a stream. The call returns
// [ErrNotFound] if none was uploaded. Since 16.9.
//
//	GET /projects/:id/avatar
func (s *ProjectsService) DownloadAvatar(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet, Route("/projects/:id/avatar", project).withoutHTML(), nil, opts)
}

// ListUsers returns one page of the users who are members of a project, including bots:
// directly, through its groups, or through invited groups. [MembersService] also returns
// their roles.
//
//	GET /projects/:id/users
func (s *ProjectsService) ListUsers(
	ctx context.Context, project ProjectRef, options *ListProjectUsersOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, using(s), Route("/projects/:id/users", project), queryOf(options), opts)
}

// AllUsers returns every user who is a member of a project. See
// [ProjectsService.ListUsers].
//
//	GET /projects/:id/users
func (s *ProjectsService) AllUsers(
	ctx context.Context, project ProjectRef, options *ListProjectUsersOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, using(s), Route("/projects/:id/users", project), queryOf(options), opts)
}

// ListGroups returns one page of the groups that a project is in and, with
// [ListProjectGroupsOptions.WithShared], of those that it is shared with.
//
//	GET /projects/:id/groups
func (s *ProjectsService) ListGroups(
	ctx context.Context, project ProjectRef, options *ListProjectGroupsOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, using(s), Route("/projects/:id/groups", project), queryOf(options), opts)
}

// AllGroups returns every group that a project is in. See [ProjectsService.ListGroups].
//
//	GET /projects/:id/groups
func (s *ProjectsService) AllGroups(
	ctx context.Context, project ProjectRef, options *ListProjectGroupsOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, using(s), Route("/projects/:id/groups", project), queryOf(options), opts)
}

// ListTransferLocations returns one page of the groups that the caller may move a project
// to with [ProjectsService.Transfer]. It requires the Owner role. Since 15.4.
//
//	GET /projects/:id/transfer_locations
func (s *ProjectsService) ListTransferLocations(
	ctx context.Context, project ProjectRef, options *ListTransferLocationsOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, using(s),
		Route("/projects/:id/transfer_locations", project), queryOf(options), opts)
}

// AllTransferLocations returns every group that the caller may move a project to. See
// [ProjectsService.ListTransferLocations].
//
//	GET /projects/:id/transfer_locations
func (s *ProjectsService) AllTransferLocations(
	ctx context.Context, project ProjectRef, options *ListTransferLocationsOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, using(s),
		Route("/projects/:id/transfer_locations", project), queryOf(options), opts)
}

// Star adds a project to the caller's favorites. It also succeeds if the project is already
// one of them; the result says so.
//
//	POST /projects/:id/star
func (s *ProjectsService) Star(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*StarChange, *Response, error) {
	return change(ctx, using(s), Route("/projects/:id/star", project), newStarChange, opts)
}

// Unstar removes a project from the caller's favorites. It also succeeds if the project
// is not one of them; the result says so.
//
//	POST /projects/:id/unstar
func (s *ProjectsService) Unstar(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*StarChange, *Response, error) {
	return change(ctx, using(s), Route("/projects/:id/unstar", project), newStarChange, opts)
}

// ListStarrers returns one page of the users who have starred a project. Users with a
// private profile are visible only to themselves. The API does not document the order.
//
//	GET /projects/:id/starrers
func (s *ProjectsService) ListStarrers(
	ctx context.Context, project ProjectRef, options *ListStarrersOptions, opts ...RequestOption,
) ([]*Starrer, *Response, error) {
	return list[*Starrer](ctx, using(s), Route("/projects/:id/starrers", project), queryOf(options), opts)
}

// AllStarrers returns every user who has starred a project. See
// [ProjectsService.ListStarrers].
//
//	GET /projects/:id/starrers
func (s *ProjectsService) AllStarrers(
	ctx context.Context, project ProjectRef, options *ListStarrersOptions, opts ...RequestOption,
) iter.Seq2[*Starrer, error] {
	return all[*Starrer](ctx, using(s), Route("/projects/:id/starrers", project), queryOf(options), opts)
}

// ListStarred returns one page of the projects that a user has starred and the caller may
// see: none if the user's profile is private. Without a credential, only public projects
// are listed, in their short form. For the caller's own favorites,
// [ListProjectsOptions.Starred] also works in other lists.
//
//	GET /users/:user_id/starred_projects
func (s *ProjectsService) ListStarred(
	ctx context.Context, user UserRef, options *ListProjectsOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, using(s),
		Route("/users/:user_id/starred_projects", user), queryFor(user, options), opts)
}

// AllStarred returns every project that a user has starred. See
// [ProjectsService.ListStarred].
//
//	GET /users/:user_id/starred_projects
func (s *ProjectsService) AllStarred(
	ctx context.Context, user UserRef, options *ListProjectsOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, using(s),
		Route("/users/:user_id/starred_projects", user), queryFor(user, options), opts)
}

// ListContributedProjectsOptions orders the projects of a user.
type ListContributedProjectsOptions struct {
	ListOptions
	// Simple returns only the members of a [Project] that every caller sees.
	Simple bool `url:"simple,omitempty"`
	// OrderBy is [ProjectOrderByCreatedAt] by default.
	OrderBy ProjectOrderBy `url:"order_by,omitempty"`
	// Sort is [SortDescending] by default.
	Sort Sort `url:"sort,omitempty"`
}

// ListContributed returns one page of the projects that a user has contributed to in the last
// year and the caller may see: none if the user's profile is private. Without a credential,
// only public projects are listed.
//
//	GET /users/:user_id/contributed_projects
func (s *ProjectsService) ListContributed(
	ctx context.Context, user UserRef, options *ListContributedProjectsOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, using(s), Route("/users/:user_id/contributed_projects", user), queryOf(options), opts)
}

// AllContributed returns every project that a user has contributed to in the last year. See
// [ProjectsService.ListContributed].
//
//	GET /users/:user_id/contributed_projects
func (s *ProjectsService) AllContributed(
	ctx context.Context, user UserRef, options *ListContributedProjectsOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, using(s), Route("/users/:user_id/contributed_projects", user), queryOf(options), opts)
}

// ListProjectsOptions selects projects. All filters must match.
type ListProjectsOptions struct {
	ListOptions
	// Search searches names, paths and descriptions.
	Search string `url:"search,omitempty"`
	// SearchNamespaces makes Search also search the names and paths of groups and
	// users. Not for a [GroupRef].
	SearchNamespaces bool `url:"search_namespaces,omitempty" only:"instance,project,user"`
	// Archived selects archived projects, or those that are not. Nil selects both.
	Archived *bool `url:"archived,omitempty"`
	// Visibility selects projects with this visibility.
	Visibility Visibility `url:"visibility,omitempty"`
	// Membership selects projects that the caller is a member of. Not for a
	// [GroupRef].
	Membership bool `url:"membership,omitempty" only:"instance,project,user"`
	// Owned selects projects that the caller owns.
	Owned bool `url:"owned,omitempty"`
	// Starred selects projects that the caller has starred.
	Starred bool `url:"starred,omitempty"`
	// MinAccessLevel selects projects in which the caller has at least this role.
	MinAccessLevel AccessLevel `url:"min_access_level,omitempty"`
	// Topic selects projects that have this topic.
	Topic string `url:"topic,omitempty"`
	// WithProgrammingLanguage selects projects that use this programming language.
	// Not for a [GroupRef].
	WithProgrammingLanguage string `url:"with_programming_language,omitempty" only:"instance,project,user"`
	// WithIssuesEnabled and WithMergeRequestsEnabled select projects in which issues or
	// merge requests are enabled.
	WithIssuesEnabled        bool `url:"with_issues_enabled,omitempty"`
	WithMergeRequestsEnabled bool `url:"with_merge_requests_enabled,omitempty"`
	// IDAfter and IDBefore select projects with a greater or a smaller ID. Not for
	// a [GroupRef].
	IDAfter  int64 `url:"id_after,omitempty" only:"instance,project,user"`
	IDBefore int64 `url:"id_before,omitempty" only:"instance,project,user"`
	// LastActivityAfter and LastActivityBefore limit the time of the last
	// activity. Not for a [GroupRef].
	LastActivityAfter  time.Time `url:"last_activity_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"instance,project,user"`
	LastActivityBefore time.Time `url:"last_activity_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"instance,project,user"`
	// UpdatedAfter and UpdatedBefore limit the time of the last change. They require
	// OrderBy [ProjectOrderByUpdatedAt]. Not for a [GroupRef]. Since 15.10.
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"instance,project,user"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"instance,project,user"`

	// IncludeSubgroups adds the projects of subgroups. Only for a [GroupRef].
	IncludeSubgroups bool `url:"include_subgroups,omitempty" only:"group"`
	// IncludeAncestorGroups adds the projects of the groups that the group is in. Only in
	// later releases. Only for a [GroupRef].
	IncludeAncestorGroups bool `url:"include_ancestor_groups,omitempty" only:"group"`
	// WithShared adds projects that were shared with the group. Nil means true.
	// Only for a [GroupRef].
	WithShared *bool `url:"with_shared,omitempty" only:"group"`
	// WithSecurityReports selects projects with results of security scanners. Only
	// for a [GroupRef].
	WithSecurityReports bool `url:"with_security_reports,omitempty" only:"group"`

	// Simple returns a short form of each project: see [Project].
	Simple bool `url:"simple,omitempty"`
	// Statistics sets [Project.Statistics]. Not for a [GroupRef].
	Statistics bool `url:"statistics,omitempty" only:"instance,project,user"`
	// CustomAttributes selects projects with these attributes. Administrators only.
	CustomAttributes CustomAttributeFilter `url:"custom_attributes,omitempty"`
	// WithCustomAttributes sets [Project.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`

	// Pagination is [PaginationOffset] by default. [PaginationKeyset] is faster
	// for long lists, newer releases require it beyond 50,000 projects, and it
	// works with and without a credential. It implies OrderBy [ProjectOrderByID]
	// and Sort [SortDescending]. [SortAscending] is also possible, but no other
	// order. Only for [Instance].
	Pagination Pagination `url:"pagination,omitempty" only:"instance"`
	// OrderBy is [ProjectOrderByCreatedAt] by default.
	OrderBy ProjectOrderBy `url:"order_by,omitempty" keyset:"id"`
	// Sort is [SortDescending] by default.
	Sort Sort `url:"sort,omitempty" keyset:"desc,asc"`

	// RepositoryStorage selects the projects whose repository is on this storage. After a
	// move with [StorageMovesService.MoveAll], none should be left. Administrators
	// only. Not for a [GroupRef].
	RepositoryStorage string `url:"repository_storage,omitempty" only:"instance,project,user"`
	// RepositoryChecksumFailed selects projects whose repository failed a check. Only in
	// later releases. Premium. Not for a [GroupRef].
	RepositoryChecksumFailed bool `url:"repository_checksum_failed,omitempty" only:"instance,project,user"`
	// WikiChecksumFailed selects projects whose wiki failed a check. Only in later releases.
	// Premium. Not for a [GroupRef].
	WikiChecksumFailed bool `url:"wiki_checksum_failed,omitempty" only:"instance,project,user"`
	// TopicID selects projects that have the topic with this ID. Only in later releases.
	// Not for a [GroupRef].
	TopicID int64 `url:"topic_id,omitempty" only:"instance,project,user"`
	// Imported selects projects that the caller imported. Only in later releases. Not for a
	// [GroupRef].
	Imported bool `url:"imported,omitempty" only:"instance,project,user"`
	// Active selects projects that are neither archived nor marked for deletion, or those
	// that are. Nil selects both. Only in later releases.
	Active *bool `url:"active,omitempty"`
	// MarkedForDeletionOn selects projects that were marked for deletion on a day. Only in
	// later releases. Not for a [GroupRef].
	MarkedForDeletionOn Date `url:"marked_for_deletion_on,omitempty" only:"instance,project,user"`
	// IncludePendingDelete adds projects that are being deleted. Only in later releases.
	// Administrators only. Not for a [GroupRef].
	IncludePendingDelete bool `url:"include_pending_delete,omitempty" only:"instance,project,user"`
	// IncludeHidden adds hidden projects. Only in later releases. Administrators only.
	// Premium. Not for a [GroupRef].
	IncludeHidden bool `url:"include_hidden,omitempty" only:"instance,project,user"`
}

// GetProjectOptions selects optional fields of a project.
type GetProjectOptions struct {
	// Statistics sets [Project.Statistics].
	Statistics bool `url:"statistics,omitempty"`
	// License sets [Project.License] and [Project.LicenseURL].
	License bool `url:"license,omitempty"`
	// WithCustomAttributes sets [Project.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
}

// DeleteProjectOptions says how to delete a project.
type DeleteProjectOptions struct {
	// PermanentlyRemove deletes a project that is already marked for deletion,
	// without waiting for the scheduled day. It requires FullPath. Since 15.11;
	// premium until 18.0.
	PermanentlyRemove bool `url:"permanently_remove,omitempty"`
	// FullPath is the path of the project, including its parent groups. It
	// confirms PermanentlyRemove.
	FullPath string `url:"full_path,omitempty"`
}

func (o *DeleteProjectOptions) check() error {
	return confirmed(orZero(o).PermanentlyRemove, orZero(o).FullPath)
}

// ForkProjectOptions describes a fork. Nil fields have their default value.
type ForkProjectOptions struct {
	// Namespace is the group, or the user's namespace, to fork into. The zero
	// NamespaceRef means the caller's own namespace.
	Namespace NamespaceRef `json:"-"`
	// Name, Path, Description and Visibility are those of the fork. The defaults
	// are those of the project.
	Name        *string     `json:"name,omitzero"`
	Path        *string     `json:"path,omitzero"`
	Description *string     `json:"description,omitzero"`
	Visibility  *Visibility `json:"visibility,omitzero"`
	// MRDefaultTargetSelf makes the fork itself the default target of its merge
	// requests. Nil means false.
	MRDefaultTargetSelf *bool `json:"mr_default_target_self,omitzero"`
	// Branches are the names of the branches to fork. Nil means all. A name with a
	// comma is refused, because the service would read it as two. Since about 16.x.
	Branches []string `json:"-"`
}

func (o ForkProjectOptions) check() error {
	return cmp.Or(o.Namespace.check(), noCommas("Branches", o.Branches))
}

// forkBody is the body of a call that forks a project.
type forkBody struct {
	ForkProjectOptions
	NamespaceID   NamespaceRef `json:"namespace_id,omitzero"`
	NamespacePath NamespaceRef `json:"namespace_path,omitzero"`
	// Branches are separated by commas.
	Branches string `json:"branches,omitzero"`
}

// complete writes the namespace and the branches as the service expects them.
func (b forkBody) complete() forkBody {
	b.Branches = strings.Join(b.ForkProjectOptions.Branches, ",")
	if b.Namespace.kind == byName {
		b.NamespacePath = b.Namespace
	} else {
		b.NamespaceID = b.Namespace
	}
	return b
}

// TransferProjectOptions says where to move a project. Namespace is required.
type TransferProjectOptions struct {
	// Namespace is the group, or the user's namespace, to move the project to.
	Namespace NamespaceRef `json:"namespace" required:"true"`
}

func (o TransferProjectOptions) check() error { return o.Namespace.check() }

// ShareProjectOptions says which group to share a project with. GroupID and GroupAccess are
// required.
type ShareProjectOptions struct {
	// GroupID is the group whose members get access.
	GroupID int64 `json:"group_id" required:"true"`
	// GroupAccess is the highest role that they get.
	GroupAccess AccessLevel `json:"group_access" required:"true"`
	// ExpiresAt is the first day without the access, by UTC. Nil means never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// MemberRoleID is the ID of a custom role that the members get. Ultimate. Only in later
	// releases.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
}

// ContainerExpirationPolicy is the policy by which the service removes tags
// from the container registry of a project.
type ContainerExpirationPolicy struct {
	Enabled bool `json:"enabled"`
	// Cadence is the time between two runs, such as "1d".
	Cadence string `json:"cadence"`
	// KeepN is the number of tags of each image that are kept, nil for none.
	KeepN *int `json:"keep_n"`
	// OlderThan is the age at which tags are removed, such as "90d", or "" for any age.
	OlderThan string `json:"older_than"`
	// NameRegex and NameRegexKeep match the names of tags to remove and to keep, or are ""
	// for none.
	NameRegex     string `json:"name_regex"`
	NameRegexKeep string `json:"name_regex_keep"`
	// NextRunAt is when the service will next apply the policy, nil if it will not.
	NextRunAt *time.Time `json:"next_run_at"`
}

// ListProjectUsersOptions selects members of a project.
type ListProjectUsersOptions struct {
	ListOptions
	// Search searches names and usernames.
	Search string `url:"search,omitempty"`
	// SkipUsers leaves out the users with these IDs.
	SkipUsers []int64 `url:"skip_users[],omitempty"`
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
	// SharedVisibleOnly leaves out those groups that the project is shared with that the
	// caller may not see. It has an effect only with WithShared.
	SharedVisibleOnly bool `url:"shared_visible_only,omitempty"`
	// SharedMinAccessLevel leaves out groups that the project is shared with and whose
	// members get a lower role. It has an effect only with WithShared.
	SharedMinAccessLevel AccessLevel `url:"shared_min_access_level,omitempty"`
}

// ListTransferLocationsOptions selects groups that a project or a group can be moved to.
type ListTransferLocationsOptions struct {
	ListOptions
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
}

// StarChange is the result of [ProjectsService.Star] and [ProjectsService.Unstar].
type StarChange struct {
	// Project has the new [Project.StarCount]. It is nil if Unchanged is true: the
	// service returns it only if it changed something.
	Project *Project
	// Unchanged reports whether there was nothing to do.
	Unchanged bool
}

// Starrer is a user who has starred a project.
type Starrer struct {
	StarredSince time.Time `json:"starred_since"`
	// User is nil if the service leaves the user out.
	User *UserSummary `json:"user"`
}

func newStarChange(project *Project) *StarChange {
	return &StarChange{Project: project, Unchanged: project == nil}
}

// ListStarrersOptions selects users who have starred a project.
type ListStarrersOptions struct {
	ListOptions
	// Search searches names and usernames.
	Search string `url:"search,omitempty"`
}
