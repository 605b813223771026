package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// MergeTrainsService queues merge requests, which are merged one after the other when their
// pipelines have succeeded. Reading requires the right to read merge requests and pipelines.
// [MergeRequestsService.CancelMergeWhenPipelineSucceeds] takes a merge request off its train; the
// pipelines of those behind it then start anew. Premium.
//
// Its options are [AddToMergeTrainOptions] and [ListMergeTrainCarsOptions]. See the example of
// [MergeTrainsService.Add].
type MergeTrainsService service

// List returns one page of the cars of all merge trains of a project, or of the one into
// TargetBranch, the newest first by default. There are none for an unknown branch. Premium.
//
//	GET /projects/:id/merge_trains
//	GET /projects/:id/merge_trains/:target_branch
func (s *MergeTrainsService) List(
	ctx context.Context, project ProjectRef, options *ListMergeTrainCarsOptions, opts ...RequestOption,
) ([]*MergeTrainCar, *Response, error) {
	return list[*MergeTrainCar](ctx, using(s), options.in(project), queryOf(options), opts)
}

// All returns every car of the merge trains of a project. See [MergeTrainsService.List]. Premium.
//
//	GET /projects/:id/merge_trains
//	GET /projects/:id/merge_trains/:target_branch
func (s *MergeTrainsService) All(
	ctx context.Context, project ProjectRef, options *ListMergeTrainCarsOptions, opts ...RequestOption,
) iter.Seq2[*MergeTrainCar, error] {
	return all[*MergeTrainCar](ctx, using(s), options.in(project), queryOf(options), opts)
}

func (o *ListMergeTrainCarsOptions) in(project ProjectRef) Endpoint {
	if branch := orZero(o).TargetBranch; branch != "" {
		return Route("/projects/:id/merge_trains/:target_branch", project, fieldSegment{"TargetBranch", branch})
	}
	return Route("/projects/:id/merge_trains", project)
}

// Get returns the car of a merge request, or [ErrNotFound] if it is on no train. Since 15.7.
// Premium.
//
//	GET /projects/:id/merge_trains/merge_requests/:merge_request_iid
func (s *MergeTrainsService) Get(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*MergeTrainCar, *Response, error) {
	return do[MergeTrainCar](ctx, using(s), http.MethodGet, onMergeTrain(mergeRequest), nil, opts)
}

// Add adds a merge request to the merge train into its target branch, or, with AutoMerge, makes
// it wait for its checks first. It requires the right to merge: other callers get
// [ErrUnauthorized]. The call returns [ErrConflict] if the merge request waits already or is on
// the train, and for another SHA, and [ErrBadRequest] if it cannot be merged, or if the project
// has no merge trains. Since 15.10. Premium.
//
//	POST /projects/:id/merge_trains/merge_requests/:merge_request_iid
func (s *MergeTrainsService) Add(
	ctx context.Context, mergeRequest MergeRequestRef, options AddToMergeTrainOptions, opts ...RequestOption,
) (*MergeTrainAddition, *Response, error) {
	cars, resp, err := do[[]*MergeTrainCar](ctx, using(s), http.MethodPost,
		onMergeTrain(mergeRequest).forbiddenBy401(), jsonOf(options), opts)
	if cars == nil {
		return nil, resp, err
	}
	return &MergeTrainAddition{Cars: *cars, Waits: resp.StatusCode == http.StatusAccepted}, resp, err
}

func onMergeTrain(r MergeRequestRef) Endpoint {
	const template = "/projects/:id/merge_trains/merge_requests/:merge_request_iid"
	return inside(r.IsZero(), "merge request", template, r.project, r.iid, nil)
}

// MergeTrainAddition is the result of [MergeTrainsService.Add].
type MergeTrainAddition struct {
	// Cars are the first page of those of the target branch, merged ones as well, in no fixed
	// order: look for the merge request.
	Cars []*MergeTrainCar
	// Waits reports whether the merge request only waits for its checks. It is not in Cars then.
	Waits bool
}

// MergeTrainCar is a merge request on a merge train.
type MergeTrainCar struct {
	ID int64 `json:"id"`
	// MergeRequest has only ID, IID, ProjectID, Title, Description, State, CreatedAt, UpdatedAt
	// and WebURL. It is nil only if the service does not send it.
	MergeRequest *MergeRequest `json:"merge_request"`
	// User added the merge request. It is nil if the account no longer exists.
	User *UserSummary `json:"user"`
	// Pipeline is nil until there is one.
	Pipeline     *Pipeline           `json:"pipeline"`
	CreatedAt    time.Time           `json:"created_at"`
	UpdatedAt    time.Time           `json:"updated_at"`
	TargetBranch string              `json:"target_branch"`
	Status       MergeTrainCarStatus `json:"status"`
	// MergedAt and Duration, in seconds, are nil until the merge request is merged.
	MergedAt *time.Time `json:"merged_at"`
	Duration *int64     `json:"duration"`
}

// MergeTrainCarStatus is the state of a merge request on a merge train.
type MergeTrainCarStatus string

// States of a car. The first four are active, the last two complete.
const (
	// MergeTrainCarStatusIdle means that there is no pipeline yet, and MergeTrainCarStatusStale
	// that the last one is outdated, because a car before this one has left the train.
	MergeTrainCarStatusIdle    MergeTrainCarStatus = "idle"
	MergeTrainCarStatusFresh   MergeTrainCarStatus = "fresh"
	MergeTrainCarStatusStale   MergeTrainCarStatus = "stale"
	MergeTrainCarStatusMerging MergeTrainCarStatus = "merging"
	MergeTrainCarStatusMerged  MergeTrainCarStatus = "merged"
	// MergeTrainCarStatusSkipMerged means that the merge request did not wait for those before it.
	MergeTrainCarStatusSkipMerged MergeTrainCarStatus = "skip_merged"
)

// MergeTrainScope is a group of states.
type MergeTrainScope string

// Scopes of cars.
const (
	MergeTrainScopeActive   MergeTrainScope = "active"
	MergeTrainScopeComplete MergeTrainScope = "complete"
)

// ListMergeTrainCarsOptions selects cars of merge trains.
type ListMergeTrainCarsOptions struct {
	ListOptions
	// TargetBranch is the branch that the train leads to. Empty means all trains. Since 15.6.
	TargetBranch string `url:"-"`
	// Scope selects active or complete cars. Empty means both.
	Scope MergeTrainScope `url:"scope,omitempty"`
	// Sort is SortAscending or SortDescending, which is the default. The order is by ID.
	Sort Sort `url:"sort,omitempty"`
}

// AddToMergeTrainOptions says how to add a merge request to a merge train.
type AddToMergeTrainOptions struct {
	// AutoMerge makes the merge request wait until its checks pass. Since 17.11; for older
	// releases, use WhenPipelineSucceeds. Nil means false.
	AutoMerge *bool `json:"auto_merge,omitzero"`
	// Squash combines all commits into one. Nil means what the merge request says.
	Squash *bool `json:"squash,omitzero"`
	// SHA must be the head of the source branch, if it is set.
	SHA *string `json:"sha,omitzero"`
	// WhenPipelineSucceeds is the former name of AutoMerge.
	WhenPipelineSucceeds *bool `json:"when_pipeline_succeeds,omitzero"`
}
