package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
)

// MergeRequestDependency says that a merge request can be merged only after another one.
type MergeRequestDependency struct {
	ID int64 `json:"id"`
	// BlockingMergeRequest must be merged first, and BlockedMergeRequest waits for it. Each
	// is nil if the caller may not read it.
	BlockingMergeRequest *MergeRequest `json:"blocking_merge_request"`
	BlockedMergeRequest  *MergeRequest `json:"blocked_merge_request"`
	// ProjectID is the ID of the project of the blocking merge request.
	ProjectID int64 `json:"project_id"`
}

// ListDependencies returns one page of the merge requests that must be merged before this
// one. Since 17.3. Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/blocks
func (s *MergeRequestsService) ListDependencies(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequestDependency, *Response, error) {
	return list[*MergeRequestDependency](ctx, using(s), below(mergeRequest, "/blocks"), queryOf(options), opts)
}

// AllDependencies returns every merge request that must be merged before this one. Since
// 17.3. Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/blocks
func (s *MergeRequestsService) AllDependencies(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequestDependency, error] {
	return all[*MergeRequestDependency](ctx, using(s), below(mergeRequest, "/blocks"), queryOf(options), opts)
}

// GetDependency returns a dependency of the merge request that waits. Since 17.x. Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/blocks/:block_id
func (s *MergeRequestsService) GetDependency(
	ctx context.Context, mergeRequest MergeRequestRef, dependencyID int64, opts ...RequestOption,
) (*MergeRequestDependency, *Response, error) {
	return do[MergeRequestDependency](ctx, using(s), http.MethodGet,
		below(mergeRequest, "/blocks/:block_id", dependencyID), nil, opts)
}

// CreateDependency makes the merge request wait for another one: while that one is open,
// this one cannot be merged. It requires the right to change this one, and to read the
// other. The call returns [ErrConflict] if there is such a dependency already, [ErrNotFound]
// if the other merge request does not exist, [ErrForbidden] if the caller may not read it,
// and [ErrBadRequest] if it is the same one, or for more than 10. Since 17.5. Premium.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/blocks
func (s *MergeRequestsService) CreateDependency(
	ctx context.Context, mergeRequest MergeRequestRef, options CreateMergeRequestDependencyOptions,
	opts ...RequestOption,
) (*MergeRequestDependency, *Response, error) {
	body := dependencyBody{options, options.Blocking.project, options.Blocking.iid}
	return do[MergeRequestDependency](ctx, using(s), http.MethodPost,
		below(mergeRequest, "/blocks"), jsonOf(body), opts)
}

// DeleteDependency lets the merge request no longer wait for another one. Since 17.x.
// Premium.
//
//	DELETE /projects/:id/merge_requests/:merge_request_iid/blocks/:block_id
func (s *MergeRequestsService) DeleteDependency(
	ctx context.Context, mergeRequest MergeRequestRef, dependencyID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(mergeRequest, "/blocks/:block_id", dependencyID), nil, opts)
}

// ListDependents returns one page of the merge requests that wait for this one. Since 17.x.
// Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/blockees
func (s *MergeRequestsService) ListDependents(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequestDependency, *Response, error) {
	return list[*MergeRequestDependency](ctx, using(s), below(mergeRequest, "/blockees"), queryOf(options), opts)
}

// AllDependents returns every merge request that waits for this one. Since 17.x. Premium.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/blockees
func (s *MergeRequestsService) AllDependents(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequestDependency, error] {
	return all[*MergeRequestDependency](ctx, using(s), below(mergeRequest, "/blockees"), queryOf(options), opts)
}

// CreateMergeRequestDependencyOptions names the merge request that must be merged first. One
// of the two fields is required, and not both.
type CreateMergeRequestDependencyOptions struct {
	// Blocking is the other merge request, often of the same project. Since 18.x: older
	// releases need BlockingID.
	Blocking MergeRequestRef `json:"-"`
	// BlockingID is [MergeRequest.ID] of the other one.
	BlockingID *int64 `json:"blocking_merge_request_id,omitzero"`
}

// dependencyBody is what CreateMergeRequestDependencyOptions are sent as.
type dependencyBody struct {
	CreateMergeRequestDependencyOptions
	BlockingProject ProjectRef `json:"blocking_project_id,omitzero"`
	BlockingIID     int64      `json:"blocking_merge_request_iid,omitzero"`
}

func (o CreateMergeRequestDependencyOptions) check() error {
	switch {
	case o.Blocking.IsZero():
		return missing("Blocking", o.BlockingID == nil)
	case o.BlockingID != nil:
		return badArgument("BlockingID", "cannot be combined with Blocking")
	}
	return cmp.Or(missing("Blocking", o.Blocking.project.IsZero()), positive("Blocking", o.Blocking.iid))
}

// ListContextCommits returns one page of the commits that were added to a merge request as
// context for reviewers. They do not change its diff.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/context_commits
func (s *MergeRequestsService) ListContextCommits(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*Commit, *Response, error) {
	return list[*Commit](ctx, using(s), below(mergeRequest, "/context_commits"), queryOf(options), opts)
}

// AllContextCommits returns every commit that was added to a merge request as context.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/context_commits
func (s *MergeRequestsService) AllContextCommits(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Commit, error] {
	return all[*Commit](ctx, using(s), below(mergeRequest, "/context_commits"), queryOf(options), opts)
}

// CreateContextCommits adds commits of the target project to a merge request as context, and
// returns them. It requires the Developer role. The call returns [ErrBadRequest] for a hash
// that the project does not have, and for a commit that is there already.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/context_commits
func (s *MergeRequestsService) CreateContextCommits(
	ctx context.Context, mergeRequest MergeRequestRef, options CreateContextCommitsOptions, opts ...RequestOption,
) ([]*Commit, *Response, error) {
	return doArray[*Commit](ctx, using(s), http.MethodPost,
		below(mergeRequest, "/context_commits"), jsonOf(options), opts)
}

// DeleteContextCommits takes commits out of the context of a merge request. It requires the
// right to delete the merge request: the Owner role, or an administrator.
//
//	DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits
func (s *MergeRequestsService) DeleteContextCommits(
	ctx context.Context, mergeRequest MergeRequestRef, options *DeleteContextCommitsOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(mergeRequest, "/context_commits"), queryOf(options), opts)
}

// CreateContextCommitsOptions names commits to add as context. Commits is required.
type CreateContextCommitsOptions struct {
	// Commits are at most 20 full hashes.
	Commits []string `json:"commits" required:"true"`
}

// DeleteContextCommitsOptions names commits to remove from the context. Commits is required.
type DeleteContextCommitsOptions struct {
	// Commits are full hashes.
	Commits []string `url:"commits[],omitempty" required:"true"`
}

// ListRelatedIssues returns one page of the issues that are mentioned in the title, the
// description, the commits or the comments of a merge request.
// [MergeRequestsService.ListClosedIssues] lists those that it closes.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/related_issues
func (s *MergeRequestsService) ListRelatedIssues(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*RelatedIssue, *Response, error) {
	return list[*RelatedIssue](ctx, using(s), below(mergeRequest, "/related_issues"), queryOf(options), opts)
}

// AllRelatedIssues returns every issue that is mentioned in a merge request. See
// [MergeRequestsService.ListRelatedIssues].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/related_issues
func (s *MergeRequestsService) AllRelatedIssues(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RelatedIssue, error] {
	return all[*RelatedIssue](ctx, using(s), below(mergeRequest, "/related_issues"), queryOf(options), opts)
}
