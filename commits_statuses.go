package serviceapi

import (
	"context"
	"iter"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// CommitStatusState is the state of a commit status.
type CommitStatusState string

// States of a commit status. The service may send others, such as those of a
// job.
const (
	CommitStatusStatePending  CommitStatusState = "pending"
	CommitStatusStateRunning  CommitStatusState = "running"
	CommitStatusStateSuccess  CommitStatusState = "success"
	CommitStatusStateFailed   CommitStatusState = "failed"
	CommitStatusStateCanceled CommitStatusState = "canceled"
	// CommitStatusStateSkipped can be set only in later releases.
	CommitStatusStateSkipped CommitStatusState = "skipped"
)

// CommitStatus is the state of one check of a commit: a CI job, or an external
// check that was reported with [CommitsService.SetStatus].
type CommitStatus struct {
	ID int64 `json:"id"`
	// SHA is the full hash of the commit.
	SHA string `json:"sha"`
	// Ref is the branch or tag, empty if it is unknown.
	Ref    string            `json:"ref"`
	Status CommitStatusState `json:"status"`
	// Name distinguishes the checks of a commit.
	Name string `json:"name"`
	// TargetURL is a page with details, empty if there is none.
	TargetURL   string    `json:"target_url"`
	Description string    `json:"description"`
	CreatedAt   time.Time `json:"created_at"`
	// StartedAt is nil until the check starts.
	StartedAt *time.Time `json:"started_at"`
	// FinishedAt is nil until the check finishes.
	FinishedAt *time.Time `json:"finished_at"`
	// AllowFailure reports whether the pipeline continues if the check fails.
	AllowFailure bool `json:"allow_failure"`
	// Coverage is in percent, nil if none was measured.
	Coverage *float64 `json:"coverage"`
	// Author is the user who reported the status, nil if the account no longer
	// exists.
	Author *UserSummary `json:"author"`
	// PipelineID is the ID of the pipeline that the status belongs to, 0 in older
	// releases. Since about 16.0.
	PipelineID int64 `json:"pipeline_id"`
}

// CommitStatusOrderBy is the order of a list of commit statuses.
type CommitStatusOrderBy string

// Orders of commit statuses. CommitStatusOrderByID is the default.
const (
	CommitStatusOrderByID         CommitStatusOrderBy = "id"
	CommitStatusOrderByPipelineID CommitStatusOrderBy = "pipeline_id"
)

// ListCommitStatusesOptions selects commit statuses. Empty fields do not
// filter.
type ListCommitStatusesOptions struct {
	ListOptions
	// Ref selects the statuses of this branch or tag.
	Ref string `url:"ref,omitempty"`
	// Stage selects the statuses of this stage.
	Stage string `url:"stage,omitempty"`
	// Name selects the statuses with this name.
	Name string `url:"name,omitempty"`
	// All includes earlier statuses. By default only the newest of each name is
	// listed.
	All bool `url:"all,omitempty"`
	// PipelineID selects the statuses of this pipeline. Since 17.9.
	PipelineID int64 `url:"pipeline_id,omitempty"`
	// OrderBy is CommitStatusOrderByID if it is empty. Since 17.9.
	OrderBy CommitStatusOrderBy `url:"order_by,omitempty"`
	// Sort is SortDescending or SortAscending, which is the default. Since 17.9.
	Sort Sort `url:"sort,omitempty"`
}

// SetCommitStatusOptions describes a commit status. State is required.
type SetCommitStatusOptions struct {
	State CommitStatusState `json:"state" required:"true"`
	// Ref is the branch or tag. It is required for a commit that is on no branch.
	Ref *string `json:"ref,omitzero"`
	// Name distinguishes the checks of a commit. It is at most 255 characters
	// long. Nil means "default".
	Name *string `json:"name,omitzero"`
	// TargetURL is a page with details. It is at most 255 characters long.
	TargetURL *string `json:"target_url,omitzero"`
	// Description is shown next to the name. It is at most 255 characters long.
	Description *string `json:"description,omitzero"`
	// Coverage is in percent.
	Coverage *float64 `json:"coverage,omitzero"`
	// PipelineID is the ID of the pipeline to add the status to, if the commit has
	// several.
	PipelineID *int64 `json:"pipeline_id,omitzero"`
}

// ListCommitMergeRequestsOptions selects merge requests of a commit.
type ListCommitMergeRequestsOptions struct {
	ListOptions
	// State selects the merge requests in this state. Since 18.2.
	State MergeRequestState `url:"state,omitempty"`
}

// ListStatuses returns one page of the statuses of a commit.
//
//	GET /projects/:id/repository/commits/:sha/statuses
func (s *CommitsService) ListStatuses(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitStatusesOptions, opts ...RequestOption,
) ([]*CommitStatus, *Response, error) {
	return list[*CommitStatus](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/statuses", project, sha), queryOf(options), opts)
}

// AllStatuses returns every status of a commit that the options select.
//
//	GET /projects/:id/repository/commits/:sha/statuses
func (s *CommitsService) AllStatuses(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitStatusesOptions, opts ...RequestOption,
) iter.Seq2[*CommitStatus, error] {
	return all[*CommitStatus](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/statuses", project, sha), queryOf(options), opts)
}

// SetStatus reports the state of a check of the commit with the hash sha. The first
// status of a commit creates a pipeline with the source [PipelineSourceExternal].
// SetStatus requires the Developer role.
//
// A [*StatusTransitionError] means that the check cannot change to this state, for example
// because it is already in it; it is also [ErrBadRequest]. [ErrForbidden] can mean that the ref is protected.
// [ErrNotFound] can mean that there is no such commit, that the commit is on no
// branch and Ref is nil, or that the pipeline does not belong to the commit.
// [ErrConflict] means that another call is setting a status of the commit, and
// [ErrUnprocessable] that the pipeline has too many jobs.
//
//	POST /projects/:id/statuses/:sha
func (s *CommitsService) SetStatus(
	ctx context.Context, project ProjectRef, sha string, options SetCommitStatusOptions, opts ...RequestOption,
) (*CommitStatus, *Response, error) {
	status, resp, err := do[CommitStatus](ctx, using(s), http.MethodPost,
		Route("/projects/:id/statuses/:sha", project, sha), jsonOf(options), opts)
	return status, resp, refusedTransition(options.State, err)
}

// StatusTransitionError is the service's refusal to change a commit status (400), because the
// status is already in the state, or is running and was to be pending again. A status that has
// finished is never refused so. It unwraps to *[Error].
//
// A program that only wants the status to be so can go on if From and State are equal.
type StatusTransitionError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// State is the state that the call asked for.
	State CommitStatusState
	// From is the state of the status, empty if the service does not say.
	From CommitStatusState
}

// Error describes the response, whose message has both states.
func (e *StatusTransitionError) Error() string { return e.Err.Error() }

// Unwrap returns the *[Error].
func (e *StatusTransitionError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *StatusTransitionError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// refusedTransition turns a response that says so into a StatusTransitionError, and returns
// every other error unchanged. Only the message distinguishes such a response from one about
// an invalid option: Cannot transition status via :run from :running.
func refusedTransition(state CommitStatusState, err error) error {
	refusal := errorResponse(err)
	if refusal == nil || refusal.WebPage || refusal.StatusCode != http.StatusBadRequest {
		return err
	}
	_, said, ok := strings.Cut(strings.ToLower(refusal.Message), "cannot transition ")
	if !ok {
		return err
	}
	_, from, _ := strings.Cut(said, "from ")
	words := strings.FieldsFunc(from, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
	if len(words) == 0 {
		words = []string{""}
	}
	return &StatusTransitionError{Err: refusal, State: state, From: CommitStatusState(words[0])}
}

// ListMergeRequests returns one page of the merge requests that contain a commit,
// whether they are merged or not.
//
//	GET /projects/:id/repository/commits/:sha/merge_requests
func (s *CommitsService) ListMergeRequests(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitMergeRequestsOptions, opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/merge_requests", project, sha), queryOf(options), opts)
}

// AllMergeRequests returns every merge request that contains a commit, whether it
// is merged or not.
//
//	GET /projects/:id/repository/commits/:sha/merge_requests
func (s *CommitsService) AllMergeRequests(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitMergeRequestsOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/merge_requests", project, sha), queryOf(options), opts)
}
