package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ProjectsService manages projects. Objects that belong to a project have their
// own services, such as [JobsService]. [ProjectImportService] creates projects
// from archives.
//
// The owner of a list is [Instance], a [GroupRef] or a [UserRef]:
//
//	client.Projects.All(ctx, serviceapi.GroupPath("acme"), nil)
type ProjectsService service

// ProjectOwner is an owner of projects: [Instance], a [GroupRef] or a
// [UserRef].
type ProjectOwner interface{ hasProjects() }

func (InstanceOwner) hasProjects() {}
func (GroupRef) hasProjects()      {}
func (UserRef) hasProjects()       {}

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
	return list[*Project](ctx, s.client, projectsOf(owner), queryFor(owner, options), opts)
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
	return all[*Project](ctx, s.client, projectsOf(owner), queryFor(owner, options), opts)
}

// Get returns one project. Public projects need no credential. The call returns
// [ErrNotFound] for a project that the caller may not see.
//
//	GET /projects/:id
func (s *ProjectsService) Get(
	ctx context.Context, project ProjectRef, options *GetProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, s.client, http.MethodGet, Route("/projects/:id", project), queryOf(options), opts)
}

// Create creates a project. It requires the permission to create projects in
// the namespace. If the service refuses a field, for example because the path
// is taken, the call returns [ErrBadRequest] with the reasons in
// [Error.Fields].
//
//	POST /projects
func (s *ProjectsService) Create(
	ctx context.Context, options CreateProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, s.client, http.MethodPost,
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
	return do[Project](ctx, s.client, http.MethodPut, Route("/projects/:id", project), options.input(), opts)
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
	return exec(ctx, s.client, http.MethodDelete, Route("/projects/:id", project), queryOf(options), opts)
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
	return do[Project](ctx, s.client, http.MethodPost,
		Route("/projects/:id/fork", project), jsonOf(forkBody{ForkProjectOptions: options}.complete()), opts)
}

// Archive makes a project read-only: writes to it return [ErrForbidden]. It
// requires the Owner role. Archiving an archived project changes nothing.
//
//	POST /projects/:id/archive
func (s *ProjectsService) Archive(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, s.client, http.MethodPost, Route("/projects/:id/archive", project), nil, opts)
}

// Unarchive makes an archived project writable again. It requires the Owner
// role.
//
//	POST /projects/:id/unarchive
func (s *ProjectsService) Unarchive(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, s.client, http.MethodPost, Route("/projects/:id/unarchive", project), nil, opts)
}

// Transfer moves a project to another namespace, so that the path of the project
// changes. It requires the Owner role in the project and the permission to create
// projects in the namespace. The call returns [ErrBadRequest] if the service
// refuses.
//
//	PUT /projects/:id/transfer
func (s *ProjectsService) Transfer(
	ctx context.Context, project ProjectRef, options TransferProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, s.client, http.MethodPut,
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
	return do[ProjectShare](ctx, s.client, http.MethodPost,
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
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/share/:group_id", project, onlyID(group)), nil, opts)
}
