package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// CommitsService reads and creates commits in the repositories of projects.
type CommitsService service

// CommitOrder is an order of commits.
type CommitOrder string

// Orders of commits.
const (
	// CommitOrderDate is the default: the newest commit first.
	CommitOrderDate CommitOrder = "default"
	// CommitOrderTopology lists no parent before all of its children, and does not
	// mix lines of history.
	CommitOrderTopology CommitOrder = "topo"
)

// ListCommitsOptions selects commits.
type ListCommitsOptions struct {
	ListOptions
	// RefName is a branch, a tag or a range such as "v1.0..main". Empty is the
	// default branch.
	RefName string `url:"ref_name,omitempty"`
	// Since and Until limit the commit date; both are inclusive.
	Since time.Time `url:"since,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	Until time.Time `url:"until,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Author selects the commits of the author with this name or email address.
	// Since 15.10.
	Author string `url:"author,omitempty"`
	// Path selects commits that changed this file or directory.
	Path string `url:"path,omitempty"`
	// All selects the commits of every branch and tag.
	All bool `url:"all,omitempty"`
	// WithStats sets [Commit.Stats].
	WithStats bool `url:"with_stats,omitempty"`
	// FirstParent follows only the first parent of merge commits.
	FirstParent bool `url:"first_parent,omitempty"`
	// Order is CommitOrderDate if it is empty.
	Order CommitOrder `url:"order,omitempty"`
	// Trailers sets [Commit.Trailers].
	Trailers bool `url:"trailers,omitempty"`
}

// GetCommitOptions says how much of a commit to return.
type GetCommitOptions struct {
	// Stats sets [CommitDetails.Stats]. Nil means true.
	Stats *bool `url:"stats,omitempty"`
}

// ListCommitDiffsOptions says how to write the changes of a commit.
type ListCommitDiffsOptions struct {
	ListOptions
	// Unidiff writes each diff in the unified format, with the lines that name the
	// file. Since 16.5.
	Unidiff bool `url:"unidiff,omitempty"`
}

// ListCommitRefsOptions selects refs that contain a commit.
type ListCommitRefsOptions struct {
	ListOptions
	// Type is GitRefTypeAll if it is empty.
	Type GitRefType `url:"type,omitempty"`
}

// CherryPickOptions says which branch to apply a commit to. Branch is required.
type CherryPickOptions struct {
	// Branch is the branch to commit to.
	Branch string `json:"branch"`
	// Message is the message of the new commit. Nil means that of the picked
	// commit.
	Message *string `json:"message,omitzero"`
}

// RevertOptions says which branch to revert a commit on. Branch is required.
type RevertOptions struct {
	// Branch is the branch to commit to.
	Branch string `json:"branch"`
}

// cherryPickTrial is CherryPickOptions for a dry run.
type cherryPickTrial struct {
	CherryPickOptions
	DryRun bool `json:"dry_run"`
}

// revertTrial is RevertOptions for a dry run.
type revertTrial struct {
	RevertOptions
	DryRun bool `json:"dry_run"`
}

// List returns one page of a repository's commits, the newest first unless
// another order is asked for.
//
//	GET /projects/:id/repository/commits
func (s *CommitsService) List(
	ctx context.Context, project ProjectRef, options *ListCommitsOptions, opts ...RequestOption,
) ([]*Commit, *Response, error) {
	return list[*Commit](ctx, s.client, Route("/projects/:id/repository/commits", project), queryOf(options), opts)
}

// All returns every commit that the options choose, the newest first unless
// another order is asked for.
//
//	GET /projects/:id/repository/commits
func (s *CommitsService) All(
	ctx context.Context, project ProjectRef, options *ListCommitsOptions, opts ...RequestOption,
) iter.Seq2[*Commit, error] {
	return all[*Commit](ctx, s.client, Route("/projects/:id/repository/commits", project), queryOf(options), opts)
}

// Create commits any number of changes to files at once, and returns the
// commit. In current releases, it requires the Developer role. [ErrBadRequest]
// means that nothing was committed: an action does not apply to the branch, or
// the branch has changed in the meantime.
//
//	POST /projects/:id/repository/commits
func (s *CommitsService) Create(
	ctx context.Context, project ProjectRef, options CreateCommitOptions, opts ...RequestOption,
) (*CommitDetails, *Response, error) {
	return do[CommitDetails](ctx, s.client, http.MethodPost,
		Route("/projects/:id/repository/commits", project), jsonOf(options), opts)
}

// Get returns one commit. The sha is a hash, a branch or a tag.
//
//	GET /projects/:id/repository/commits/:sha
func (s *CommitsService) Get(
	ctx context.Context, project ProjectRef, sha string, options *GetCommitOptions, opts ...RequestOption,
) (*CommitDetails, *Response, error) {
	return do[CommitDetails](ctx, s.client, http.MethodGet,
		Route("/projects/:id/repository/commits/:sha", project, sha), queryOf(options), opts)
}

// ListRefs returns one page of the branches and tags that contain a commit.
//
//	GET /projects/:id/repository/commits/:sha/refs
func (s *CommitsService) ListRefs(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitRefsOptions, opts ...RequestOption,
) ([]*GitRef, *Response, error) {
	return list[*GitRef](ctx, s.client,
		Route("/projects/:id/repository/commits/:sha/refs", project, sha), queryOf(options), opts)
}

// AllRefs returns every branch and tag that contains a commit.
//
//	GET /projects/:id/repository/commits/:sha/refs
func (s *CommitsService) AllRefs(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitRefsOptions, opts ...RequestOption,
) iter.Seq2[*GitRef, error] {
	return all[*GitRef](ctx, s.client,
		Route("/projects/:id/repository/commits/:sha/refs", project, sha), queryOf(options), opts)
}

// CherryPick applies a commit to a branch and returns the new commit. The call
// returns a [*ChangesetError] if the branch already has the change, or
// conflicts with it.
//
//	POST /projects/:id/repository/commits/:sha/cherry_pick
func (s *CommitsService) CherryPick(
	ctx context.Context, project ProjectRef, sha string, options CherryPickOptions, opts ...RequestOption,
) (*Commit, *Response, error) {
	return changeset(do[Commit](ctx, s.client, http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/cherry_pick", project, sha), jsonOf(options), opts))
}

// CherryPickDryRun tests whether [CommitsService.CherryPick] would succeed, and
// changes nothing. Without an error, it would; the errors are the same.
//
//	POST /projects/:id/repository/commits/:sha/cherry_pick
func (s *CommitsService) CherryPickDryRun(
	ctx context.Context, project ProjectRef, sha string, options CherryPickOptions, opts ...RequestOption,
) (*Response, error) {
	resp, err := exec(ctx, s.client, http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/cherry_pick", project, sha),
		jsonOf(cherryPickTrial{options, true}), opts)
	return resp, changesetError(err)
}

// Revert undoes a commit on a branch, and returns the new commit. The call
// returns a [*ChangesetError] if the branch no longer has the change, or
// conflicts with undoing it.
//
//	POST /projects/:id/repository/commits/:sha/revert
func (s *CommitsService) Revert(
	ctx context.Context, project ProjectRef, sha string, options RevertOptions, opts ...RequestOption,
) (*Commit, *Response, error) {
	return changeset(do[Commit](ctx, s.client, http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/revert", project, sha), jsonOf(options), opts))
}

// RevertDryRun tests whether [CommitsService.Revert] would succeed, and changes
// nothing. Without an error, it would; the errors are the same.
//
//	POST /projects/:id/repository/commits/:sha/revert
func (s *CommitsService) RevertDryRun(
	ctx context.Context, project ProjectRef, sha string, options RevertOptions, opts ...RequestOption,
) (*Response, error) {
	resp, err := exec(ctx, s.client, http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/revert", project, sha), jsonOf(revertTrial{options, true}), opts)
	return resp, changesetError(err)
}

// ListDiffs returns one page of a commit's changes against its first parent,
// file by file.
//
//	GET /projects/:id/repository/commits/:sha/diff
func (s *CommitsService) ListDiffs(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitDiffsOptions, opts ...RequestOption,
) ([]*CommitDiff, *Response, error) {
	return list[*CommitDiff](ctx, s.client,
		Route("/projects/:id/repository/commits/:sha/diff", project, sha), queryOf(options), opts)
}

// AllDiffs returns all changes of a commit against its first parent, file by
// file.
//
//	GET /projects/:id/repository/commits/:sha/diff
func (s *CommitsService) AllDiffs(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitDiffsOptions, opts ...RequestOption,
) iter.Seq2[*CommitDiff, error] {
	return all[*CommitDiff](ctx, s.client,
		Route("/projects/:id/repository/commits/:sha/diff", project, sha), queryOf(options), opts)
}

// ListComments returns one page of the comments on a commit.
//
//	GET /projects/:id/repository/commits/:sha/comments
func (s *CommitsService) ListComments(
	ctx context.Context, project ProjectRef, sha string, options *ListOptions, opts ...RequestOption,
) ([]*CommitComment, *Response, error) {
	return list[*CommitComment](ctx, s.client,
		Route("/projects/:id/repository/commits/:sha/comments", project, sha), queryOf(options), opts)
}

// AllComments returns every comment on a commit.
//
//	GET /projects/:id/repository/commits/:sha/comments
func (s *CommitsService) AllComments(
	ctx context.Context, project ProjectRef, sha string, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*CommitComment, error] {
	return all[*CommitComment](ctx, s.client,
		Route("/projects/:id/repository/commits/:sha/comments", project, sha), queryOf(options), opts)
}

// CreateComment posts a comment on a commit, or on one of its lines. If the
// service cannot place the comment on the line, it adds the comment to the
// commit as a whole, and Line of the response is nil: see
// [CreateCommitCommentOptions].
//
//	POST /projects/:id/repository/commits/:sha/comments
func (s *CommitsService) CreateComment(
	ctx context.Context, project ProjectRef, sha string, options CreateCommitCommentOptions, opts ...RequestOption,
) (*CommitComment, *Response, error) {
	return do[CommitComment](ctx, s.client, http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/comments", project, sha), jsonOf(options), opts)
}
