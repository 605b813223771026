package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// IssuesService manages issues. An issue belongs to a project and is identified
// by its number there (IID). Public issues can be read without a credential.
// For comments, see [NotesService] and [DiscussionsService].
type IssuesService service

// IssueOwner is an owner of issues: [Instance] (all issues that the caller may
// see), a [GroupRef] (including its subgroups) or a [ProjectRef].
type IssueOwner interface{ hasIssues() }

func (InstanceOwner) hasIssues() {}
func (GroupRef) hasIssues()      {}
func (ProjectRef) hasIssues()    {}

// List returns one page of the issues of a project, a group or the instance.
// Without a Scope, the list of the [Instance] has only issues that the caller
// created.
//
//	GET /issues
//	GET /groups/:id/issues
//	GET /projects/:id/issues
func (s *IssuesService) List(
	ctx context.Context, owner IssueOwner, options *ListIssuesOptions, opts ...RequestOption,
) ([]*Issue, *Response, error) {
	return list[*Issue](ctx, s.client, below(owner, "/issues"), queryFor(owner, options), opts)
}

// All returns every issue of a project, a group or the instance. Without a
// Scope, the list of the [Instance] has only issues that the caller created.
//
//	GET /issues
//	GET /groups/:id/issues
//	GET /projects/:id/issues
func (s *IssuesService) All(
	ctx context.Context, owner IssueOwner, options *ListIssuesOptions, opts ...RequestOption,
) iter.Seq2[*Issue, error] {
	return all[*Issue](ctx, s.client, below(owner, "/issues"), queryFor(owner, options), opts)
}

// Get returns one issue of a project.
//
//	GET /projects/:id/issues/:issue_iid
func (s *IssuesService) Get(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, s.client, http.MethodGet, Route("/projects/:id/issues/:issue_iid", project, iid), nil, opts)
}

// Create opens an issue. It requires the Guest role. The service limits the
// rate of new issues. The call returns [ErrConflict] if
// [CreateIssueOptions.IID] is taken, and [ErrUnprocessable] if the service
// refuses the content.
//
//	POST /projects/:id/issues
func (s *IssuesService) Create(
	ctx context.Context, project ProjectRef, options CreateIssueOptions, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, s.client, http.MethodPost, Route("/projects/:id/issues", project), jsonOf(options), opts)
}

// Update changes an issue. At least one field is required. The caller must be
// the author or an assignee, or have the Reporter role.
//
//	PUT /projects/:id/issues/:issue_iid
func (s *IssuesService) Update(
	ctx context.Context, project ProjectRef, iid int64, options UpdateIssueOptions, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, s.client, http.MethodPut,
		Route("/projects/:id/issues/:issue_iid", project, iid), jsonOf(options.body()), opts)
}

// Delete deletes an issue with its comments. It requires the Owner role or an
// administrator.
//
//	DELETE /projects/:id/issues/:issue_iid
func (s *IssuesService) Delete(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, Route("/projects/:id/issues/:issue_iid", project, iid), nil, opts)
}

// Move moves an issue to another project and returns the new issue, which has
// another ID and IID. The old issue is closed, and its MovedToID is the ID of
// the new one. The call returns [ErrBadRequest] if the caller may not move the
// issue, or if it is already in that project.
//
//	POST /projects/:id/issues/:issue_iid/move
func (s *IssuesService) Move(
	ctx context.Context, project ProjectRef, iid int64, options MoveIssueOptions, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, s.client, http.MethodPost,
		Route("/projects/:id/issues/:issue_iid/move", project, iid),
		jsonOf(options), opts)
}
