package serviceapi

import (
	"time"
)

// MergeRequestOrderBy is the order of a list of merge requests.
type MergeRequestOrderBy string

// Orders of merge requests.
const (
	MergeRequestOrderByCreatedAt MergeRequestOrderBy = "created_at"
	MergeRequestOrderByTitle     MergeRequestOrderBy = "title"
	MergeRequestOrderByUpdatedAt MergeRequestOrderBy = "updated_at"
	// MergeRequestOrderByMergedAt orders by the time of the merge. Since 17.2.
	MergeRequestOrderByMergedAt MergeRequestOrderBy = "merged_at"
)

// MergeRequestScope selects merge requests by their relation to the caller.
type MergeRequestScope string

// Scopes of merge requests.
const (
	MergeRequestScopeCreatedByMe  MergeRequestScope = "created_by_me"
	MergeRequestScopeAssignedToMe MergeRequestScope = "assigned_to_me"
	MergeRequestScopeAll          MergeRequestScope = "all"
)

// MergeRequestView selects how much of each merge request is returned. There is only one
// value today, [MergeRequestViewSimple]; empty means all fields.
type MergeRequestView string

// MergeRequestViewSimple sets only IID, WebURL, Title, Description and State.
const MergeRequestViewSimple MergeRequestView = "simple"

// MergeRequestExclusions excludes merge requests from a list: each field that is set
// excludes the merge requests that match it.
type MergeRequestExclusions struct {
	Labels           LabelNames `url:"labels,omitempty"`
	Milestone        string     `url:"milestone,omitempty"`
	AuthorID         int64      `url:"author_id,omitempty"`
	AuthorUsername   string     `url:"author_username,omitempty"`
	AssigneeID       int64      `url:"assignee_id,omitempty"`
	AssigneeUsername string     `url:"assignee_username,omitempty"`
	ReviewerID       int64      `url:"reviewer_id,omitempty"`
	ReviewerUsername string     `url:"reviewer_username,omitempty"`
	MyReactionEmoji  string     `url:"my_reaction_emoji,omitempty"`
	// Search excludes the merge requests that contain this text in the fields that In
	// names, by default in the title or the description.
	Search string        `url:"search,omitempty"`
	In     []SearchField `url:"in,comma,omitempty"`
}

// ListMergeRequestsOptions selects merge requests. Empty fields do not filter
// unless their documentation says otherwise.
type ListMergeRequestsOptions struct {
	ListOptions
	// IIDs selects the merge requests with these numbers in their project. Only
	// for a [ProjectRef].
	IIDs []int64 `url:"iids[],omitempty" only:"project"`
	// State selects the merge requests in this state. [MergeRequestStateLocked]
	// lasts so briefly that it rarely matches. See also [MergeRequestStateAny].
	State MergeRequestState `url:"state,omitempty"`
	// OrderBy is MergeRequestOrderByCreatedAt if it is empty.
	OrderBy MergeRequestOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending or SortDescending, which is the default.
	Sort Sort `url:"sort,omitempty"`
	// Milestone is [MilestoneIs], [NoMilestone] or [AnyMilestone].
	Milestone MilestoneFilter `url:"milestone,omitempty"`
	// View can shorten the response. Empty means all fields.
	View MergeRequestView `url:"view,omitempty"`
	// Labels is [LabelsAre], [NoLabel] or [AnyLabel].
	Labels LabelFilter `url:"labels,omitempty"`
	// WithLabelsDetails sets all fields of each [LabelSummary], not only its name.
	WithLabelsDetails bool `url:"with_labels_details,omitempty"`
	// WithMergeStatusRecheck asks the service to recompute MergeStatus. It does so
	// later, if at all: this response has the old status. Since 15.11, the service
	// may ignore it for callers below the Developer role.
	WithMergeStatusRecheck bool `url:"with_merge_status_recheck,omitempty"`
	// CreatedAfter, CreatedBefore, UpdatedAfter and UpdatedBefore limit the times of
	// creation and of the last change; all are inclusive.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Scope filters by the caller's relation to a merge request. If it is empty, [Instance]
	// lists the merge requests that the caller created, and a project or a group lists all.
	Scope MergeRequestScope `url:"scope,omitempty"`
	// AuthorID and AuthorUsername cannot be combined. With [Instance] they require
	// the scope MergeRequestScopeAll or MergeRequestScopeAssignedToMe.
	AuthorID       int64  `url:"author_id,omitempty"`
	AuthorUsername string `url:"author_username,omitempty"`
	// AssigneeID ([UserIs], [NoUser] or [AnyUser]) and AssigneeUsername cannot be combined.
	AssigneeID UserFilter `url:"assignee_id,omitempty"`
	// AssigneeUsername selects the merge requests that are assigned to all of these users.
	// More than one requires Premium. Only in later releases.
	AssigneeUsername []string `url:"assignee_username[],omitempty"`
	// ApproverIDs selects the merge requests that all of these users may approve:
	// [UsersAre], [NoUsers] or [AnyUsers]. Premium.
	ApproverIDs UsersFilter `url:"approver_ids[],omitempty"`
	// ApprovedByIDs selects the merge requests that all of these users, at most 5,
	// have approved: [UsersAre], [NoUsers] or [AnyUsers]. Premium.
	ApprovedByIDs UsersFilter `url:"approved_by_ids[],omitempty"`
	// ApprovedByUsernames selects the merge requests that all users with these usernames
	// have approved. Premium. Only in releases after 15.2.
	ApprovedByUsernames []string `url:"approved_by_usernames[],omitempty"`
	// Approved selects only merge requests that are approved if it is true, and
	// excludes them if it is false. Nil does not filter. Since 15.11; an instance
	// may have disabled it.
	Approved *bool `url:"approved,omitempty"`
	// MergeUserID and MergeUserUsername select the merge requests that this user
	// merged. They cannot be combined. Since 17.0.
	MergeUserID       int64  `url:"merge_user_id,omitempty"`
	MergeUserUsername string `url:"merge_user_username,omitempty"`
	// ReviewerID ([UserIs], [NoUser] or [AnyUser]) and ReviewerUsername cannot be
	// combined.
	ReviewerID       UserFilter `url:"reviewer_id,omitempty"`
	ReviewerUsername string     `url:"reviewer_username,omitempty"`
	// MyReactionEmoji filters by a reaction of the caller: [EmojiIs], [NoEmoji] or
	// [AnyEmoji].
	MyReactionEmoji EmojiFilter `url:"my_reaction_emoji,omitempty"`
	SourceBranch    string      `url:"source_branch,omitempty"`
	TargetBranch    string      `url:"target_branch,omitempty"`
	// SourceProjectID selects the merge requests from one fork. Only in later releases.
	SourceProjectID int64 `url:"source_project_id,omitempty"`
	// Search looks for a string in the fields that In names.
	Search string `url:"search,omitempty"`
	// In defaults to both the title and the description. Projects support it only in
	// releases after 15.2: older ones ignore it and search both.
	In []SearchField `url:"in,comma,omitempty"`
	// Draft selects only drafts if it is true, and excludes them if it is false.
	// Nil does not filter. It is sent as wip, which is the service's parameter for it: draft is a
	// member of results, and as a parameter it is ignored, by 18.9, too.
	Draft *bool                  `url:"wip,omitempty"`
	Not   MergeRequestExclusions `url:"not"`
	// Environment selects the merge requests that were deployed to the environment
	// with this name.
	Environment string `url:"environment,omitempty"`
	// DeployedBefore and DeployedAfter limit the time of the deployment. Projects support
	// them only in releases after 15.2: older ones ignore them.
	DeployedBefore time.Time `url:"deployed_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	DeployedAfter  time.Time `url:"deployed_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// NonArchived leaves out merge requests of archived projects. Nil means true.
	// Only for a [GroupRef].
	NonArchived *bool `url:"non_archived,omitempty" only:"group"`
}

// mergeRequestsQuery is [ListMergeRequestsOptions] as it is sent: for two of its booleans,
// the service expects words.
type mergeRequestsQuery struct {
	ListMergeRequestsOptions
	Draft    yesNo `url:"wip,omitempty"`
	Approved yesNo `url:"approved,omitempty"`
}

func (o *ListMergeRequestsOptions) query() any {
	if o == nil || o.Draft == nil && o.Approved == nil {
		return o
	}
	sent := &mergeRequestsQuery{*o, yesNoOf(o.Draft), yesNoOf(o.Approved)}
	sent.ListMergeRequestsOptions.Draft, sent.ListMergeRequestsOptions.Approved = nil, nil
	return sent
}

// GetMergeRequestOptions selects optional fields of a merge request.
type GetMergeRequestOptions struct {
	// IncludeRebaseInProgress sets [MergeRequestDetails.RebaseInProgress].
	IncludeRebaseInProgress bool `url:"include_rebase_in_progress,omitempty"`
	// IncludeDivergedCommitsCount sets [MergeRequestDetails.DivergedCommitsCount].
	IncludeDivergedCommitsCount bool `url:"include_diverged_commits_count,omitempty"`
	// RenderHTML sets [MergeRequest.TitleHTML] and
	// [MergeRequest.DescriptionHTML].
	RenderHTML bool `url:"render_html,omitempty"`
}

// MergeOptions says how to merge.
type MergeOptions struct {
	// MergeCommitMessage is generated by the service if it is nil.
	MergeCommitMessage *string `json:"merge_commit_message,omitzero"`
	// SquashCommitMessage is generated by the service if it is nil.
	SquashCommitMessage *string `json:"squash_commit_message,omitzero"`
	// Squash combines all commits into one. Nil means the setting of the merge
	// request.
	Squash *bool `json:"squash,omitzero"`
	// ShouldRemoveSourceBranch deletes the source branch after the merge. Nil
	// means the setting of the merge request.
	ShouldRemoveSourceBranch *bool `json:"should_remove_source_branch,omitzero"`
	// MergeWhenPipelineSucceeds merges later, when the pipeline has succeeded. The
	// call then returns a merge request that is still open. Nil means false.
	MergeWhenPipelineSucceeds *bool `json:"merge_when_pipeline_succeeds,omitzero"`
	// AutoMerge replaces MergeWhenPipelineSucceeds. Since about 17.11.
	AutoMerge *bool `json:"auto_merge,omitzero"`
	// SkipMergeTrain merges at once, and does not start the pipelines of the merge train anew.
	// Nil means false. Premium. Only in later releases, whose documentation does not have it.
	SkipMergeTrain *bool `json:"skip_merge_train,omitzero"`
	// SHA is the commit that the source branch must be at, so that only what the
	// caller has seen is merged. Nil means any commit.
	SHA *string `json:"sha,omitzero"`
}

// RebaseOptions says how to rebase.
type RebaseOptions struct {
	// SkipCI starts no pipeline for the rebased commits. Nil means false.
	SkipCI *bool `json:"skip_ci,omitzero"`
}

// CreateMergeRequestOptions describes a new merge request. SourceBranch,
// TargetBranch and Title are required.
type CreateMergeRequestOptions struct {
	SourceBranch string `json:"source_branch" required:"true"`
	TargetBranch string `json:"target_branch" required:"true"`
	// Title makes the merge request a draft if it begins with "Draft:".
	Title string `json:"title" required:"true"`
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
	// Deprecated: use approval rules, which replaced it in 16.0; see [ApprovalsService].
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
	// MergeAfter is the time before which the merge request cannot be merged. Null
	// removes it; the zero value leaves it unchanged. Since 17.8.
	MergeAfter Nullable[time.Time] `json:"merge_after,omitzero"`
}

// ListMergeRequestDiffsOptions selects the page and the format of the changes.
type ListMergeRequestDiffsOptions struct {
	ListOptions
	// Unidiff returns diffs that name the files, as "git diff" does. Since 16.5.
	Unidiff bool `url:"unidiff,omitempty"`
}

// GetDiffVersionOptions selects the format of the changes of a version.
type GetDiffVersionOptions struct {
	// Unidiff returns diffs that name the files, as "git diff" does. Since 16.5.
	Unidiff bool `url:"unidiff,omitempty"`
}

// GetMergeRequestChangesOptions selects the extent and the format of the changes.
type GetMergeRequestChangesOptions struct {
	// AccessRawDiffs also returns diffs that exceed the size limits.
	AccessRawDiffs bool `url:"access_raw_diffs,omitempty"`
	// Unidiff returns diffs that name the files, as "git diff" does. Since 16.5.
	Unidiff bool `url:"unidiff,omitempty"`
}

// CreateMergeRequestPipelineOptions says how to create a pipeline.
type CreateMergeRequestPipelineOptions struct {
	// Async lets the service create the pipeline after the response. Nil means
	// false. Since about 17.0; older releases create the pipeline at once.
	Async *bool `json:"async,omitzero"`
}
