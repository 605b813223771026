package webhook

import (
	"encoding/json"
	"time"

	"example.com/serviceapi"
)

// MergeRequestEvent is sent when a merge request is created or changed.
type MergeRequestEvent struct {
	Delivery `json:"-"`

	ObjectKind       string              `json:"object_kind"`
	EventType        string              `json:"event_type"`
	EventName        string              `json:"event_name"` // from system hooks
	User             User                `json:"user"`       // who caused the event
	Project          Project             `json:"project"`    // the target
	Repository       Repository          `json:"repository"`
	ObjectAttributes MergeRequest        `json:"object_attributes"`
	Labels           []Label             `json:"labels"` // the same as in ObjectAttributes; Changes has the old ones
	Changes          MergeRequestChanges `json:"changes"`
	Assignees        []User              `json:"assignees"` // nil if nobody is assigned
	Assignee         *User               `json:"assignee"`  // from old releases
	Reviewers        []Reviewer          `json:"reviewers"` // nil if there are none
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// Ref identifies the merge request by the ID of its project and its number there.
func (e *MergeRequestEvent) Ref() serviceapi.MergeRequestRef {
	return e.ObjectAttributes.ref(&e.Project)
}

// HasNewCommits reports whether the event was sent because of new commits on the
// source branch.
func (e *MergeRequestEvent) HasNewCommits() bool { return e.ObjectAttributes.OldRev != "" }

// Ref identifies the merge request by the ID of its target project and its number there. It
// is the zero reference for nil, and if the event does not name the target project in the
// merge request itself: the methods of the events know more.
func (m *MergeRequest) Ref() serviceapi.MergeRequestRef { return m.ref(nil) }

// ref identifies a merge request of an event in a project, which is the target.
func (m *MergeRequest) ref(target *Project) serviceapi.MergeRequestRef {
	switch {
	case m == nil:
		return serviceapi.MergeRequestRef{}
	case m.TargetProjectID != 0:
		return serviceapi.ProjectID(m.TargetProjectID).MergeRequest(m.IID)
	case target != nil:
		return target.Ref().MergeRequest(m.IID)
	}
	return serviceapi.MergeRequestRef{}
}

// MergeRequest is a merge request as events show it.
type MergeRequest struct {
	ID          int64  `json:"id"`
	IID         int64  `json:"iid"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// Action is "" in a [NoteEvent] and in some test deliveries.
	Action MergeRequestAction           `json:"action"`
	State  serviceapi.MergeRequestState `json:"state"`
	// StateID is 1 for opened, 2 for closed, 3 for merged, and 4 for locked.
	StateID                     int                            `json:"state_id"`
	SourceBranch                string                         `json:"source_branch"`
	SourceProjectID             *int64                         `json:"source_project_id"` // nil if the fork was deleted
	Source                      *Project                       `json:"source"`            // nil if the fork was deleted
	TargetBranch                string                         `json:"target_branch"`
	TargetProjectID             int64                          `json:"target_project_id"`
	Target                      Project                        `json:"target"`
	AuthorID                    int64                          `json:"author_id"`
	AssigneeIDs                 []int64                        `json:"assignee_ids"`
	AssigneeID                  *int64                         `json:"assignee_id"` // the first of AssigneeIDs
	ReviewerIDs                 []int64                        `json:"reviewer_ids"`
	UpdatedByID                 *int64                         `json:"updated_by_id"`
	LastEditedByID              *int64                         `json:"last_edited_by_id"`
	MergeUserID                 *int64                         `json:"merge_user_id"`
	MilestoneID                 *int64                         `json:"milestone_id"`
	HeadPipelineID              *int64                         `json:"head_pipeline_id"`
	CreatedAt                   time.Time                      `json:"created_at"`
	UpdatedAt                   time.Time                      `json:"updated_at"`
	LastEditedAt                *time.Time                     `json:"last_edited_at"`
	PreparedAt                  *time.Time                     `json:"prepared_at"` // since 16.1
	Draft                       bool                           `json:"draft"`
	WorkInProgress              bool                           `json:"work_in_progress"` // the old name of Draft
	MergeStatus                 serviceapi.MergeStatus         `json:"merge_status"`
	DetailedMergeStatus         serviceapi.DetailedMergeStatus `json:"detailed_merge_status"` // since 15.6
	MergeCommitSHA              string                         `json:"merge_commit_sha"`
	MergeError                  string                         `json:"merge_error"`
	MergeWhenPipelineSucceeds   bool                           `json:"merge_when_pipeline_succeeds"`
	MergeParams                 MergeParams                    `json:"merge_params"`
	BlockingDiscussionsResolved bool                           `json:"blocking_discussions_resolved"`
	FirstContribution           bool                           `json:"first_contribution"`
	LastCommit                  *Commit                        `json:"last_commit"` // the head; nil without commits
	Labels                      []Label                        `json:"labels"`
	TimeEstimate                int64                          `json:"time_estimate"`    // seconds
	TotalTimeSpent              int64                          `json:"total_time_spent"` // seconds
	TimeChange                  int64                          `json:"time_change"`      // seconds
	HumanTimeEstimate           string                         `json:"human_time_estimate"`
	HumanTimeSpent              string                         `json:"human_total_time_spent"`
	HumanTimeChange             string                         `json:"human_time_change"`
	// OldRev is the head before the new commits, "" if the event has another reason.
	OldRev string `json:"oldrev"`
	URL    string `json:"url"`
	// ApprovalRules are kept as they were received. Premium.
	ApprovalRules []json.RawMessage `json:"approval_rules"`
	// System is set if the instance itself withdrew approvals, and SystemAction says
	// why. Since 18.6.
	System       bool         `json:"system"`
	SystemAction SystemAction `json:"system_action"`
	// MergedAt and the following fields are sent since 19.x.
	MergedAt              *time.Time `json:"merged_at"`
	SquashCommitSHA       string     `json:"squash_commit_sha"`
	TargetBranchProtected *bool      `json:"target_branch_protected"`
	ActionedAt            *time.Time `json:"actioned_at"`
	// Position and the following fields are sent by very old releases.
	Position                 *int64     `json:"position"`
	LockedAt                 *time.Time `json:"locked_at"`
	DeletedAt                *time.Time `json:"deleted_at"`
	ApprovalsBeforeMerge     *int64     `json:"approvals_before_merge"`
	RebaseCommitSHA          string     `json:"rebase_commit_sha"`
	InProgressMergeCommitSHA string     `json:"in_progress_merge_commit_sha"`
	LockVersion              *int64     `json:"lock_version"`
	Assignee                 *User      `json:"assignee"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// MergeParams say how a merge request will be merged.
type MergeParams struct {
	ForceRemoveSourceBranch  *Flag     `json:"force_remove_source_branch"`
	ShouldRemoveSourceBranch *Flag     `json:"should_remove_source_branch"`
	CommitMessage            string    `json:"commit_message"`
	SquashCommitMessage      string    `json:"squash_commit_message"`
	AutoMergeStrategy        string    `json:"auto_merge_strategy"`
	TrainRef                 *TrainRef `json:"train_ref"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// TrainRef is the commit of a merge request in a merge train.
type TrainRef struct {
	CommitSHA string `json:"commit_sha"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// A MergeRequestAction says what happened to a merge request.
type MergeRequestAction string

// Actions on merge requests.
const (
	MergeRequestActionOpen   MergeRequestAction = "open"
	MergeRequestActionUpdate MergeRequestAction = "update"
	MergeRequestActionClose  MergeRequestAction = "close"
	MergeRequestActionReopen MergeRequestAction = "reopen"
	MergeRequestActionMerge  MergeRequestAction = "merge"
	// MergeRequestActionApproved means that the merge request has all required approvals,
	// and MergeRequestActionApproval that one person approved it and more approvals are
	// required.
	MergeRequestActionApproved MergeRequestAction = "approved"
	MergeRequestActionApproval MergeRequestAction = "approval"
	// MergeRequestActionUnapproved means that required approvals are missing again,
	// and MergeRequestActionUnapproval that one person withdrew an approval.
	MergeRequestActionUnapproved MergeRequestAction = "unapproved"
	MergeRequestActionUnapproval MergeRequestAction = "unapproval"
)

// A SystemAction says why the instance itself changed a merge request.
type SystemAction string

// Actions of the instance.
const (
	SystemActionApprovalsResetOnPush          SystemAction = "approvals_reset_on_push"
	SystemActionCodeOwnerApprovalsResetOnPush SystemAction = "code_owner_approvals_reset_on_push"
)

// MergeRequestChanges are the members of a merge request that changed; the others are
// nil.
type MergeRequestChanges struct {
	ID                          *Change[*int64]                         `json:"id"`
	IID                         *Change[*int64]                         `json:"iid"`
	Title                       *Change[string]                         `json:"title"`
	Description                 *Change[string]                         `json:"description"`
	State                       *Change[serviceapi.MergeRequestState]   `json:"state"`
	StateID                     *Change[*int]                           `json:"state_id"`
	SourceBranch                *Change[string]                         `json:"source_branch"`
	SourceProjectID             *Change[*int64]                         `json:"source_project_id"`
	TargetBranch                *Change[string]                         `json:"target_branch"`
	TargetProjectID             *Change[*int64]                         `json:"target_project_id"`
	AuthorID                    *Change[*int64]                         `json:"author_id"`
	AssigneeIDs                 *Change[[]int64]                        `json:"assignee_ids"`
	AssigneeID                  *Change[*int64]                         `json:"assignee_id"`
	ReviewerIDs                 *Change[[]int64]                        `json:"reviewer_ids"`
	UpdatedByID                 *Change[*int64]                         `json:"updated_by_id"`
	LastEditedByID              *Change[*int64]                         `json:"last_edited_by_id"`
	MergeUserID                 *Change[*int64]                         `json:"merge_user_id"`
	MilestoneID                 *Change[*int64]                         `json:"milestone_id"`
	HeadPipelineID              *Change[*int64]                         `json:"head_pipeline_id"`
	CreatedAt                   *Change[*time.Time]                     `json:"created_at"`
	UpdatedAt                   *Change[*time.Time]                     `json:"updated_at"`
	LastEditedAt                *Change[*time.Time]                     `json:"last_edited_at"`
	PreparedAt                  *Change[*time.Time]                     `json:"prepared_at"`
	MergedAt                    *Change[*time.Time]                     `json:"merged_at"`
	Draft                       *Change[*bool]                          `json:"draft"`
	WorkInProgress              *Change[*bool]                          `json:"work_in_progress"`
	MergeStatus                 *Change[serviceapi.MergeStatus]         `json:"merge_status"`
	DetailedMergeStatus         *Change[serviceapi.DetailedMergeStatus] `json:"detailed_merge_status"`
	MergeCommitSHA              *Change[string]                         `json:"merge_commit_sha"`
	SquashCommitSHA             *Change[string]                         `json:"squash_commit_sha"`
	MergeError                  *Change[string]                         `json:"merge_error"`
	MergeWhenPipelineSucceeds   *Change[*bool]                          `json:"merge_when_pipeline_succeeds"`
	MergeParams                 *Change[*MergeParams]                   `json:"merge_params"`
	BlockingDiscussionsResolved *Change[*bool]                          `json:"blocking_discussions_resolved"`
	FirstContribution           *Change[*bool]                          `json:"first_contribution"`
	TimeEstimate                *Change[*int64]                         `json:"time_estimate"`
	TotalTimeSpent              *Change[*int64]                         `json:"total_time_spent"`
	TimeChange                  *Change[*int64]                         `json:"time_change"`
	HumanTimeEstimate           *Change[string]                         `json:"human_time_estimate"`
	HumanTimeSpent              *Change[string]                         `json:"human_total_time_spent"`
	HumanTimeChange             *Change[string]                         `json:"human_time_change"`
	TargetBranchProtected       *Change[*bool]                          `json:"target_branch_protected"`
	ActionedAt                  *Change[*time.Time]                     `json:"actioned_at"`
	URL                         *Change[string]                         `json:"url"`
	Labels                      *Change[[]Label]                        `json:"labels"`
	Assignees                   *Change[[]User]                         `json:"assignees"`
	Reviewers                   *Change[[]Reviewer]                     `json:"reviewers"`
	// Extra has the changes of members without a field.
	Extra map[string]*Change[json.RawMessage] `json:",inline,embed"`
}

// EmojiEvent is sent when a reaction is added or removed. Since 16.2.
type EmojiEvent struct {
	Delivery `json:"-"`

	ObjectKind       string        `json:"object_kind"`
	EventType        string        `json:"event_type"`
	User             User          `json:"user"`
	ProjectID        int64         `json:"project_id"`
	Project          Project       `json:"project"`
	ObjectAttributes Emoji         `json:"object_attributes"`
	Note             *Note         `json:"note"` // nil unless the reaction is to a comment
	Issue            *Issue        `json:"issue"`
	MergeRequest     *MergeRequest `json:"merge_request"`
	Commit           *Commit       `json:"commit"`
	ProjectSnippet   *Snippet      `json:"project_snippet"`
	// Extra has the members without a field.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// MergeRequestRef identifies the merge request that got the reaction, or whose comment
// got it. It is the zero reference if there is none.
func (e *EmojiEvent) MergeRequestRef() serviceapi.MergeRequestRef {
	return e.MergeRequest.ref(&e.Project)
}

// IssueRef identifies the issue that got the reaction, or whose comment got it. It is
// the zero reference if there is none.
func (e *EmojiEvent) IssueRef() serviceapi.IssueRef { return e.Issue.ref(&e.Project) }

// SnippetRef identifies the snippet that got the reaction, or whose comment got it. It is the
// zero reference if there is none.
func (e *EmojiEvent) SnippetRef() serviceapi.SnippetRef { return e.ProjectSnippet.ref(&e.Project) }

// CommitRef identifies the commit whose comment got the reaction. It is the zero reference if
// there is none.
func (e *EmojiEvent) CommitRef() serviceapi.CommitRef { return e.Commit.ref(&e.Project) }

// NoteRef identifies the comment that got the reaction. It is the zero reference if something
// else got it, or if the comment is on a commit.
func (e *EmojiEvent) NoteRef() serviceapi.NoteRef {
	return e.Note.ref(e.MergeRequestRef(), e.IssueRef(), e.SnippetRef())
}

// Emoji is the reaction of an [EmojiEvent].
type Emoji struct {
	ID            int64        `json:"id"`
	UserID        int64        `json:"user_id"`
	Name          string       `json:"name"` // "thumbsup"
	AwardableType NoteableType `json:"awardable_type"`
	AwardableID   int64        `json:"awardable_id"`
	Action        EmojiAction  `json:"action"`
	CreatedAt     time.Time    `json:"created_at"`
	UpdatedAt     time.Time    `json:"updated_at"`
	AwardedOnURL  string       `json:"awarded_on_url"`
}

// An EmojiAction says what happened to a reaction.
type EmojiAction string

// Actions on reactions.
const (
	EmojiActionAward  EmojiAction = "award"
	EmojiActionRevoke EmojiAction = "revoke"
)
