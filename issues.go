package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// IssuesService gives access to issues. An issue belongs to a project, and is
// named by its number there (IID). Public issues can be read without a
// credential. For comments see [NotesService] and [DiscussionsService].
type IssuesService service

// IssueOwner is what issues are listed of: [Instance] (all that the caller may
// see), a [GroupRef] (with the groups below) or a [ProjectRef].
type IssueOwner interface{ hasIssues() }

func (InstanceOwner) hasIssues() {}
func (GroupRef) hasIssues()      {}
func (ProjectRef) hasIssues()    {}

// List returns one page of the issues of a project, a group or the instance.
// Without a Scope, those of the [Instance] are only the ones that the caller
// created.
//
//	GET /issues
//	GET /groups/:id/issues
//	GET /projects/:id/issues
func (s *IssuesService) List(ctx context.Context, owner IssueOwner, options *ListIssuesOptions, opts ...RequestOption) ([]*Issue, *Response, error) {
	return list[*Issue](ctx, s.client, below(owner, "/issues"), queryFor(owner, options), opts)
}

// All returns every issue of a project, a group or the instance. Without a
// Scope, those of the [Instance] are only the ones that the caller created.
//
//	GET /issues
//	GET /groups/:id/issues
//	GET /projects/:id/issues
func (s *IssuesService) All(ctx context.Context, owner IssueOwner, options *ListIssuesOptions, opts ...RequestOption) iter.Seq2[*Issue, error] {
	return all[*Issue](ctx, s.client, below(owner, "/issues"), queryFor(owner, options), opts)
}

// Get returns one issue of a project.
//
//	GET /projects/:id/issues/:issue_iid
func (s *IssuesService) Get(ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption) (*Issue, *Response, error) {
	return do[Issue](ctx, s.client, http.MethodGet, Route("/projects/:id/issues/:issue_iid", project, iid), nil, opts)
}

// Create opens an issue. This requires Guest. The number of new issues is
// limited. The call returns [ErrConflict] if [CreateIssueOptions.IID] is taken,
// and [ErrUnprocessable] if the service refuses the content.
//
//	POST /projects/:id/issues
func (s *IssuesService) Create(ctx context.Context, project ProjectRef, options CreateIssueOptions, opts ...RequestOption) (*Issue, *Response, error) {
	return do[Issue](ctx, s.client, http.MethodPost, Route("/projects/:id/issues", project), jsonOf(options), opts)
}

// Update changes an issue. At least one field is required. This requires
// Reporter, or to be the author or an assignee.
//
//	PUT /projects/:id/issues/:issue_iid
func (s *IssuesService) Update(ctx context.Context, project ProjectRef, iid int64, options UpdateIssueOptions, opts ...RequestOption) (*Issue, *Response, error) {
	return do[Issue](ctx, s.client, http.MethodPut, Route("/projects/:id/issues/:issue_iid", project, iid), jsonOf(options.body()), opts)
}

// Delete deletes an issue with its comments. This requires Owner, or an
// administrator.
//
//	DELETE /projects/:id/issues/:issue_iid
func (s *IssuesService) Delete(ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, Route("/projects/:id/issues/:issue_iid", project, iid), nil, opts)
}

// Move moves an issue to another project and returns it as it is there, with
// another ID and IID. The issue that was moved is closed, and its MovedToID
// leads to the new one. The call returns [ErrBadRequest] if the caller may not
// move the issue, or it is in that project already.
//
//	POST /projects/:id/issues/:issue_iid/move
func (s *IssuesService) Move(ctx context.Context, project ProjectRef, iid int64, options MoveIssueOptions, opts ...RequestOption) (*Issue, *Response, error) {
	return do[Issue](ctx, s.client, http.MethodPost, Route("/projects/:id/issues/:issue_iid/move", project, iid), jsonOf(options), opts)
}
