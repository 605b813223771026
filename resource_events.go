package serviceapi

import (
	"context"
	"iter"
	"time"
)

// ResourceEventsService reads how the labels and the state of an issue have changed, and
// who changed them. Whoever can read the issue can read its events.
//
// Its options are [ListOptions]. See examples/recipes/collaboration_test.go for an
// example.
type ResourceEventsService service

// ListLabelEvents returns one page of the labels that were added to an issue or removed
// from it, oldest first. Any page may have fewer events than PerPage, because the service
// leaves out labels that the caller may not see.
//
//	GET /projects/:id/issues/:issue_iid/resource_label_events
func (s *ResourceEventsService) ListLabelEvents(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*ResourceLabelEvent, *Response, error) {
	return list[*ResourceLabelEvent](ctx, using(s), below(issue, "/resource_label_events"), queryOf(options), opts)
}

// AllLabelEvents returns every label that was added to an issue or removed from it,
// oldest first.
//
//	GET /projects/:id/issues/:issue_iid/resource_label_events
func (s *ResourceEventsService) AllLabelEvents(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ResourceLabelEvent, error] {
	return all[*ResourceLabelEvent](ctx, using(s), below(issue, "/resource_label_events"), queryOf(options), opts)
}

// ListStateEvents returns one page of the state changes of an issue, oldest first. Opening
// the issue does not count as a change.
//
//	GET /projects/:id/issues/:issue_iid/resource_state_events
func (s *ResourceEventsService) ListStateEvents(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*ResourceStateEvent, *Response, error) {
	return list[*ResourceStateEvent](ctx, using(s), below(issue, "/resource_state_events"), queryOf(options), opts)
}

// AllStateEvents returns every state change of an issue, oldest first.
//
//	GET /projects/:id/issues/:issue_iid/resource_state_events
func (s *ResourceEventsService) AllStateEvents(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ResourceStateEvent, error] {
	return all[*ResourceStateEvent](ctx, using(s), below(issue, "/resource_state_events"), queryOf(options), opts)
}

// ResourceLabelEvent is a label that was added or removed.
type ResourceLabelEvent struct {
	ID int64 `json:"id"`
	// User is the user who made the change, nil if unknown.
	User      *UserSummary `json:"user"`
	CreatedAt time.Time    `json:"created_at"`
	// ResourceType is "Issue", and ResourceID the ID of the issue.
	ResourceType string `json:"resource_type"`
	ResourceID   int64  `json:"resource_id"`
	// Label is nil if the label was deleted.
	Label  *LabelSummary       `json:"label"`
	Action ResourceLabelAction `json:"action"`
}

// ResourceLabelAction says whether a label was added or removed.
type ResourceLabelAction string

// Actions on labels.
const (
	ResourceLabelActionAdd    ResourceLabelAction = "add"
	ResourceLabelActionRemove ResourceLabelAction = "remove"
)

// ResourceStateEvent is a change of the state of an issue.
type ResourceStateEvent struct {
	ID int64 `json:"id"`
	// User is the user who made the change, nil if unknown.
	User      *UserSummary `json:"user"`
	CreatedAt time.Time    `json:"created_at"`
	// ResourceType is "Issue", and ResourceID the ID of the issue.
	ResourceType string `json:"resource_type"`
	ResourceID   int64  `json:"resource_id"`
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
