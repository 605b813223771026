package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// CreateMergeRequestOptions describes a new merge request. SourceBranch,
// TargetBranch and Title are required.
type CreateMergeRequestOptions struct {
	SourceBranch string `json:"source_branch"`
	TargetBranch string `json:"target_branch"`
	// Title makes the merge request a draft if it begins with "Draft:".
	Title string `json:"title"`
	// TargetProjectID is the ID of the project to merge into, if the merge request
	// is opened in a fork. Nil means the same project.
	TargetProjectID *int64 `json:"target_project_id,omitzero"`
	// Description is Markdown, of at most 1,048,576 characters.
	Description *string `json:"description,omitzero"`
	// AssigneeID is one assignee, and AssigneeIDs are several. Set only one of the
	// two.
	AssigneeID  *int64  `json:"assignee_id,omitzero"`
	AssigneeIDs []int64 `json:"assignee_ids,omitzero"`
	ReviewerIDs []int64 `json:"reviewer_ids,omitzero"`
	// MilestoneID is the ID of a milestone, not its IID.
	MilestoneID *int64     `json:"milestone_id,omitzero"`
	Labels      LabelNames `json:"labels,omitzero"`
	// RemoveSourceBranch deletes the source branch when the merge request is
	// merged. Nil means the project's setting.
	RemoveSourceBranch *bool `json:"remove_source_branch,omitzero"`
	// Squash combines all commits into one when the merge request is merged. Nil
	// means the project's setting.
	Squash *bool `json:"squash,omitzero"`
	// AllowCollaboration lets users who may merge push to the source branch. It
	// applies only to merge requests that come from a fork.
	AllowCollaboration *bool `json:"allow_collaboration,omitzero"`
	// ApprovalsBeforeMerge is the number of approvals that are required. Premium.
	//
	// Deprecated: deprecated by the service since 16.0.
	ApprovalsBeforeMerge *int `json:"approvals_before_merge,omitzero"`
	// MergeAfter is the time before which the merge request cannot be merged.
	// Since 17.8.
	MergeAfter *time.Time `json:"merge_after,omitzero"`
}

// UpdateMergeRequestOptions changes a merge request. Nil fields are left
// unchanged.
type UpdateMergeRequestOptions struct {
	TargetBranch *string `json:"target_branch,omitzero"`
	// Title makes the merge request a draft if it begins with "Draft:", and ready
	// if it does not.
	Title *string `json:"title,omitzero"`
	// Description is Markdown, of at most 1,048,576 characters.
	Description *string `json:"description,omitzero"`
	// AssigneeID is one assignee, and AssigneeIDs are several, who replace all
	// others. Set only one of the two. The ID 0, or an empty slice that is not
	// nil, removes all assignees.
	AssigneeID  *int64  `json:"assignee_id,omitzero"`
	AssigneeIDs []int64 `json:"assignee_ids,omitzero"`
	// ReviewerIDs are the IDs of the new reviewers. An empty slice that is not nil
	// removes all reviewers.
	ReviewerIDs []int64 `json:"reviewer_ids,omitzero"`
	// MilestoneID is the ID of a milestone, not its IID. 0 removes it.
	MilestoneID *int64 `json:"milestone_id,omitzero"`
	// Labels replace the labels. LabelNames{} removes them all. AddLabels and
	// RemoveLabels keep the others.
	Labels       LabelNames `json:"labels,omitzero"`
	AddLabels    LabelNames `json:"add_labels,omitzero"`
	RemoveLabels LabelNames `json:"remove_labels,omitzero"`
	// StateEvent closes or reopens the merge request. It has no effect after a
	// merge.
	StateEvent *StateEvent `json:"state_event,omitzero"`
	// DiscussionLocked lets only members comment if it is true, and everyone if it
	// is false.
	DiscussionLocked *bool `json:"discussion_locked,omitzero"`
	// RemoveSourceBranch deletes the source branch when the merge request is
	// merged, or keeps it.
	RemoveSourceBranch *bool `json:"remove_source_branch,omitzero"`
	// Squash combines all commits into one when the merge request is merged, or
	// keeps them.
	Squash *bool `json:"squash,omitzero"`
	// AllowCollaboration lets users who may merge push to the source branch. It
	// applies only to merge requests that come from a fork.
	AllowCollaboration *bool `json:"allow_collaboration,omitzero"`
	// MergeAfter is the time before which the merge request cannot be merged.
	// Since 17.8.
	MergeAfter *time.Time `json:"merge_after,omitzero"`
}

// MergeRequestExistsError is the refusal to open a merge request because an open
// one has the same branches (409). It unwraps to *[Error].
type MergeRequestExistsError struct {
	Err *Error
	// IID is the number of the open merge request, 0 if the service does not say.
	IID int64
}

// Error describes the response.
func (e *MergeRequestExistsError) Error() string {
	if e.IID == 0 {
		return fmt.Sprintf("%v (an open merge request has these branches)", e.Err)
	}
	return fmt.Sprintf("%v (merge request !%d is open)", e.Err, e.IID)
}

// Unwrap returns the *[Error].
func (e *MergeRequestExistsError) Unwrap() error { return e.Err }

// mergeRequestNumber matches a merge request in a message of the service.
var mergeRequestNumber = regexp.MustCompile(`!(\d{1,18})\b`)

// asMergeRequestExists makes a MergeRequestExistsError of a 409, unless that is
// about a lock.
func asMergeRequestExists(err error) error {
	e := errorResponse(err)
	if e == nil || !errors.Is(e, ErrConflict) || isLockError(e) {
		return err
	}
	exists := &MergeRequestExistsError{Err: e}
	if match := mergeRequestNumber.FindStringSubmatch(e.Message); match != nil {
		exists.IID, _ = strconv.ParseInt(match[1], 10, 64) // at most 18 digits
	}
	return exists
}

// Create opens a merge request. It requires the Developer role in the project
// of the source branch, and the permission to open merge requests in the target
// project.
//
// The service computes the diff after the response: until then the merge request
// has no ChangesCount and no commits. [MergeRequestsService.WaitUntilPrepared]
// waits for it.
//
// The call returns a [*MergeRequestExistsError] if an open merge request has
// the same branches, and [ErrUnprocessable] if source and target are the same
// or do not match, or if the caller cannot access the target.
//
//	POST /projects/:id/merge_requests
func (s *MergeRequestsService) Create(
	ctx context.Context, project ProjectRef, options CreateMergeRequestOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	mr, resp, err := do[MergeRequestDetails](ctx, s.client, http.MethodPost,
		Route("/projects/:id/merge_requests", project), jsonOf(options), opts)
	return mr, resp, asMergeRequestExists(err)
}

// Update changes a merge request. At least one field is required. The caller
// must be the author or an assignee, or have the Developer role. The call
// returns a [*MergeRequestExistsError] if another open merge request already
// has the new branches.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) Update(
	ctx context.Context, project ProjectRef, iid int64, options UpdateMergeRequestOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	mr, resp, err := do[MergeRequestDetails](ctx, s.client, http.MethodPut,
		Route("/projects/:id/merge_requests/:merge_request_iid", project, iid), jsonOf(options), opts)
	return mr, resp, asMergeRequestExists(err)
}

// Delete deletes a merge request with its comments. It requires the Owner role
// or an administrator. To end a merge request without merging it, close it with
// [MergeRequestsService.Update].
//
//	DELETE /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) Delete(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/merge_requests/:merge_request_iid", project, iid), nil, opts)
}
