package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// ResourceEventsService reads how issues, merge requests and epics have changed, and who
// changed them: labels and states of all three, milestones of issues and merge requests,
// weights and iterations of issues. Lists begin with the oldest event. Whoever can read the
// object can read its events. Those of epics require Premium.
//
// Its options are [ListOptions]. See the example ResourceEventsAll in
// collaboration_test.go of [example.com/serviceapi/examples/recipes].
type ResourceEventsService service

// ResourceEventOwner is an object whose labels and state change: an [IssueRef], a
// [MergeRequestRef] or an [EpicRef], which must have the ID of the epic, as the Ref of a
// result has.
type ResourceEventOwner interface{ hasResourceEvents() }

func (IssueRef) hasResourceEvents()        {}
func (MergeRequestRef) hasResourceEvents() {}
func (EpicRef) hasResourceEvents()         {}

// MilestoneEventOwner is an object whose milestone changes: an [IssueRef] or a
// [MergeRequestRef].
type MilestoneEventOwner interface{ hasMilestoneEvents() }

func (IssueRef) hasMilestoneEvents()        {}
func (MergeRequestRef) hasMilestoneEvents() {}

// ListLabelEvents returns one page of the labels that were added to an issue, a merge
// request or an epic, or removed from it. Any page may have fewer events than PerPage,
// because the service leaves out labels that the caller may not see.
//
//	GET /projects/:id/issues/:issue_iid/resource_label_events
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events
//	GET /groups/:id/epics/:epic_id/resource_label_events
func (s *ResourceEventsService) ListLabelEvents(
	ctx context.Context, owner ResourceEventOwner, options *ListOptions, opts ...RequestOption,
) ([]*ResourceLabelEvent, *Response, error) {
	return list[*ResourceLabelEvent](ctx, using(s), below(owner, "/resource_label_events"), queryOf(options), opts)
}

// AllLabelEvents returns every label that was added to an issue, a merge request or an
// epic, or removed from it.
//
//	GET /projects/:id/issues/:issue_iid/resource_label_events
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events
//	GET /groups/:id/epics/:epic_id/resource_label_events
func (s *ResourceEventsService) AllLabelEvents(
	ctx context.Context, owner ResourceEventOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ResourceLabelEvent, error] {
	return all[*ResourceLabelEvent](ctx, using(s), below(owner, "/resource_label_events"), queryOf(options), opts)
}

// GetLabelEvent returns one of the events that [ResourceEventsService.ListLabelEvents]
// lists. The call returns [ErrNotFound] if the caller may not see the label.
//
//	GET /projects/:id/issues/:issue_iid/resource_label_events/:event_id
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_label_events/:event_id
//	GET /groups/:id/epics/:epic_id/resource_label_events/:event_id
func (s *ResourceEventsService) GetLabelEvent(
	ctx context.Context, owner ResourceEventOwner, eventID int64, opts ...RequestOption,
) (*ResourceLabelEvent, *Response, error) {
	return do[ResourceLabelEvent](ctx, using(s), http.MethodGet,
		below(owner, "/resource_label_events/:event_id", eventID), nil, opts)
}

// ListStateEvents returns one page of the state changes of an issue, a merge request or
// an epic. Opening it does not count as a change. Those of epics exist since 15.4.
//
//	GET /projects/:id/issues/:issue_iid/resource_state_events
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events
//	GET /groups/:id/epics/:epic_id/resource_state_events
func (s *ResourceEventsService) ListStateEvents(
	ctx context.Context, owner ResourceEventOwner, options *ListOptions, opts ...RequestOption,
) ([]*ResourceStateEvent, *Response, error) {
	return list[*ResourceStateEvent](ctx, using(s), below(owner, "/resource_state_events"), queryOf(options), opts)
}

// AllStateEvents returns every state change of an issue, a merge request or an epic.
//
//	GET /projects/:id/issues/:issue_iid/resource_state_events
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events
//	GET /groups/:id/epics/:epic_id/resource_state_events
func (s *ResourceEventsService) AllStateEvents(
	ctx context.Context, owner ResourceEventOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ResourceStateEvent, error] {
	return all[*ResourceStateEvent](ctx, using(s), below(owner, "/resource_state_events"), queryOf(options), opts)
}

// GetStateEvent returns one of the events that [ResourceEventsService.ListStateEvents]
// lists.
//
//	GET /projects/:id/issues/:issue_iid/resource_state_events/:event_id
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_state_events/:event_id
//	GET /groups/:id/epics/:epic_id/resource_state_events/:event_id
func (s *ResourceEventsService) GetStateEvent(
	ctx context.Context, owner ResourceEventOwner, eventID int64, opts ...RequestOption,
) (*ResourceStateEvent, *Response, error) {
	return do[ResourceStateEvent](ctx, using(s), http.MethodGet,
		below(owner, "/resource_state_events/:event_id", eventID), nil, opts)
}

// ListMilestoneEvents returns one page of the milestones that an issue or a merge request
// was given, or that were taken from it. Replacing a milestone is one event, about the
// new one.
//
//	GET /projects/:id/issues/:issue_iid/resource_milestone_events
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events
func (s *ResourceEventsService) ListMilestoneEvents(
	ctx context.Context, owner MilestoneEventOwner, options *ListOptions, opts ...RequestOption,
) ([]*ResourceMilestoneEvent, *Response, error) {
	return list[*ResourceMilestoneEvent](ctx, using(s),
		below(owner, "/resource_milestone_events"), queryOf(options), opts)
}

// AllMilestoneEvents returns every milestone that an issue or a merge request was given,
// or that was taken from it.
//
//	GET /projects/:id/issues/:issue_iid/resource_milestone_events
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events
func (s *ResourceEventsService) AllMilestoneEvents(
	ctx context.Context, owner MilestoneEventOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ResourceMilestoneEvent, error] {
	return all[*ResourceMilestoneEvent](ctx, using(s),
		below(owner, "/resource_milestone_events"), queryOf(options), opts)
}

// GetMilestoneEvent returns one of the events that
// [ResourceEventsService.ListMilestoneEvents] lists. The call returns [ErrNotFound] if
// the caller may not see the milestone.
//
//	GET /projects/:id/issues/:issue_iid/resource_milestone_events/:event_id
//	GET /projects/:id/merge_requests/:merge_request_iid/resource_milestone_events/:event_id
func (s *ResourceEventsService) GetMilestoneEvent(
	ctx context.Context, owner MilestoneEventOwner, eventID int64, opts ...RequestOption,
) (*ResourceMilestoneEvent, *Response, error) {
	return do[ResourceMilestoneEvent](ctx, using(s), http.MethodGet,
		below(owner, "/resource_milestone_events/:event_id", eventID), nil, opts)
}

// ListWeightEvents returns one page of the changes of the weight of an issue.
//
//	GET /projects/:id/issues/:issue_iid/resource_weight_events
func (s *ResourceEventsService) ListWeightEvents(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*ResourceWeightEvent, *Response, error) {
	return list[*ResourceWeightEvent](ctx, using(s), below(issue, "/resource_weight_events"), queryOf(options), opts)
}

// AllWeightEvents returns every change of the weight of an issue.
//
//	GET /projects/:id/issues/:issue_iid/resource_weight_events
func (s *ResourceEventsService) AllWeightEvents(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ResourceWeightEvent, error] {
	return all[*ResourceWeightEvent](ctx, using(s), below(issue, "/resource_weight_events"), queryOf(options), opts)
}

// GetWeightEvent returns one of the events that [ResourceEventsService.ListWeightEvents]
// lists.
//
//	GET /projects/:id/issues/:issue_iid/resource_weight_events/:event_id
func (s *ResourceEventsService) GetWeightEvent(
	ctx context.Context, issue IssueRef, eventID int64, opts ...RequestOption,
) (*ResourceWeightEvent, *Response, error) {
	return do[ResourceWeightEvent](ctx, using(s), http.MethodGet,
		below(issue, "/resource_weight_events/:event_id", eventID), nil, opts)
}

// ListIterationEvents returns one page of the iterations that an issue was added to or
// removed from. Premium.
//
//	GET /projects/:id/issues/:issue_iid/resource_iteration_events
func (s *ResourceEventsService) ListIterationEvents(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*ResourceIterationEvent, *Response, error) {
	return list[*ResourceIterationEvent](ctx, using(s),
		below(issue, "/resource_iteration_events"), queryOf(options), opts)
}

// AllIterationEvents returns every iteration that an issue was added to or removed from.
// Premium.
//
//	GET /projects/:id/issues/:issue_iid/resource_iteration_events
func (s *ResourceEventsService) AllIterationEvents(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ResourceIterationEvent, error] {
	return all[*ResourceIterationEvent](ctx, using(s),
		below(issue, "/resource_iteration_events"), queryOf(options), opts)
}

// GetIterationEvent returns one of the events that
// [ResourceEventsService.ListIterationEvents] lists. Premium.
//
//	GET /projects/:id/issues/:issue_iid/resource_iteration_events/:event_id
func (s *ResourceEventsService) GetIterationEvent(
	ctx context.Context, issue IssueRef, eventID int64, opts ...RequestOption,
) (*ResourceIterationEvent, *Response, error) {
	return do[ResourceIterationEvent](ctx, using(s), http.MethodGet,
		below(issue, "/resource_iteration_events/:event_id", eventID), nil, opts)
}

// ResourceLabelEvent is a label that was added or removed.
type ResourceLabelEvent struct {
	ID int64 `json:"id"`
	// User is the user who made the change, nil if unknown.
	User      *UserSummary `json:"user"`
	CreatedAt time.Time    `json:"created_at"`
	// ResourceType is "Issue", "MergeRequest" or "Epic", and ResourceID the ID of the
	// object, which is not its IID.
	ResourceType string `json:"resource_type"`
	ResourceID   int64  `json:"resource_id"`
	// Label is nil if the label was deleted.
	Label  *LabelSummary       `json:"label"`
	Action ResourceEventAction `json:"action"`
}

// ResourceEventAction says whether a label, a milestone or an iteration was added or
// removed.
type ResourceEventAction string

// Actions of resource events.
const (
	ResourceEventActionAdd    ResourceEventAction = "add"
	ResourceEventActionRemove ResourceEventAction = "remove"
)

// ResourceStateEvent is a change of the state of an object.
type ResourceStateEvent struct {
	ID int64 `json:"id"`
	// User and the following fields are as in [ResourceLabelEvent].
	User         *UserSummary `json:"user"`
	CreatedAt    time.Time    `json:"created_at"`
	ResourceType string       `json:"resource_type"`
	ResourceID   int64        `json:"resource_id"`
	// State is the new state.
	State ResourceState `json:"state"`
	// SourceCommit is the hash of the commit that closed the issue, or "". Since 18.7.
	SourceCommit string `json:"source_commit"`
	// SourceMergeRequestID is the ID of the merge request that closed it, nil if none
	// did. Since 18.7.
	SourceMergeRequestID *int64 `json:"source_merge_request_id"`
}

// ResourceState is the state that an object was changed to.
type ResourceState string

// States of a [ResourceStateEvent].
const (
	ResourceStateOpened   ResourceState = "opened"
	ResourceStateClosed   ResourceState = "closed"
	ResourceStateReopened ResourceState = "reopened"
	ResourceStateMerged   ResourceState = "merged"
	ResourceStateLocked   ResourceState = "locked"
)

// ResourceMilestoneEvent is a milestone that was added or removed.
type ResourceMilestoneEvent struct {
	ID int64 `json:"id"`
	// User and the following fields are as in [ResourceLabelEvent].
	User         *UserSummary `json:"user"`
	CreatedAt    time.Time    `json:"created_at"`
	ResourceType string       `json:"resource_type"`
	ResourceID   int64        `json:"resource_id"`
	// Milestone is nil if the milestone was deleted.
	Milestone *Milestone          `json:"milestone"`
	Action    ResourceEventAction `json:"action"`
	// State is the state of the object at that time.
	State ResourceState `json:"state"`
}

// ResourceWeightEvent is a change of the weight of an issue.
type ResourceWeightEvent struct {
	ID int64 `json:"id"`
	// User is the user who made the change, nil if unknown.
	User      *UserSummary `json:"user"`
	CreatedAt time.Time    `json:"created_at"`
	// IssueID is the ID of the issue, which is not its IID.
	IssueID int64 `json:"issue_id"`
	// Weight is the new weight, nil if it was removed.
	Weight *int `json:"weight"`
}

// ResourceIterationEvent is an iteration that an issue was added to or removed from.
type ResourceIterationEvent struct {
	ID int64 `json:"id"`
	// User and the following fields are as in [ResourceLabelEvent].
	User         *UserSummary `json:"user"`
	CreatedAt    time.Time    `json:"created_at"`
	ResourceType string       `json:"resource_type"`
	ResourceID   int64        `json:"resource_id"`
	// Iteration is nil if the iteration was deleted.
	Iteration *Iteration          `json:"iteration"`
	Action    ResourceEventAction `json:"action"`
}
