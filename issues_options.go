package serviceapi

import "time"

// IssueScope selects issues by their relation to the caller.
type IssueScope string

// Scopes of issues.
const (
	IssueScopeCreatedByMe  IssueScope = "created_by_me"
	IssueScopeAssignedToMe IssueScope = "assigned_to_me"
	IssueScopeAll          IssueScope = "all"
)

// IssueOrderBy is what a list of issues is ordered by.
type IssueOrderBy string

// Orders of issues.
const (
	IssueOrderByCreatedAt        IssueOrderBy = "created_at"
	IssueOrderByUpdatedAt        IssueOrderBy = "updated_at"
	IssueOrderByPriority         IssueOrderBy = "priority"
	IssueOrderByDueDate          IssueOrderBy = "due_date"
	IssueOrderByRelativePosition IssueOrderBy = "relative_position"
	IssueOrderByLabelPriority    IssueOrderBy = "label_priority"
	IssueOrderByMilestoneDue     IssueOrderBy = "milestone_due"
	IssueOrderByPopularity       IssueOrderBy = "popularity"
	IssueOrderByWeight           IssueOrderBy = "weight"
	IssueOrderByTitle            IssueOrderBy = "title"
)

// IssueDueFilter filters issues by their due date. The empty IssueDueFilter
// does not filter.
type IssueDueFilter string

// Values of an [IssueDueFilter].
const (
	// IssueDueFilterNever selects issues without a due date, and IssueDueFilterAny
	// those with one.
	IssueDueFilterNever    IssueDueFilter = "0"
	IssueDueFilterAny      IssueDueFilter = "any"
	IssueDueFilterToday    IssueDueFilter = "today"
	IssueDueFilterTomorrow IssueDueFilter = "tomorrow"
	IssueDueFilterOverdue  IssueDueFilter = "overdue"
	// IssueDueFilterWeek and IssueDueFilterMonth select issues that are due in the
	// current week or month.
	IssueDueFilterWeek  IssueDueFilter = "week"
	IssueDueFilterMonth IssueDueFilter = "month"
	// IssueDueFilterNextMonth selects issues that are due between two weeks ago
	// and the end of next month.
	IssueDueFilterNextMonth IssueDueFilter = "next_month_and_previous_two_weeks"
)

// MilestoneTiming selects by the dates of milestones.
type MilestoneTiming string

// Values of a [MilestoneTiming].
const (
	// MilestoneTimingUpcoming selects the next milestone that is due.
	MilestoneTimingUpcoming MilestoneTiming = "Upcoming"
	// MilestoneTimingStarted selects open milestones that have begun.
	MilestoneTimingStarted MilestoneTiming = "Started"
)

// IssueExclusions excludes issues from a list: each field that is set excludes
// the issues that match it.
type IssueExclusions struct {
	Labels           LabelNames      `url:"labels,omitempty"`
	Milestone        string          `url:"milestone,omitempty"`
	MilestoneTiming  MilestoneTiming `url:"milestone_id,omitempty"`
	AuthorID         int64           `url:"author_id,omitempty"`
	AuthorUsername   string          `url:"author_username,omitempty"`
	AssigneeID       int64           `url:"assignee_id,omitempty"`
	AssigneeUsername []string        `url:"assignee_username,brackets,omitempty"`
	IIDs             []int64         `url:"iids,brackets,omitempty"`
	// Weight, IterationID and IterationTitle are premium.
	Weight         NumberFilter `url:"weight,omitempty"`
	IterationID    NumberFilter `url:"iteration_id,omitempty"`
	IterationTitle string       `url:"iteration_title,omitempty"`
}

// ListIssuesOptions selects issues. Empty fields do not filter unless their
// documentation says otherwise. The fields from Weight on are premium.
type ListIssuesOptions struct {
	ListOptions
	// IIDs selects the issues with these numbers in their project.
	IIDs []int64 `url:"iids[],omitempty"`
	// State selects opened or closed issues. See also [IssueStateAny].
	State IssueState `url:"state,omitempty"`
	// Labels is [LabelsAre], [NoLabel] or [AnyLabel].
	Labels LabelFilter `url:"labels,omitempty"`
	// WithLabelsDetails sets all fields of each [LabelSummary], not only its name.
	WithLabelsDetails bool `url:"with_labels_details,omitempty"`
	// Milestone is [MilestoneIs], [NoMilestone] or [AnyMilestone]. It cannot be
	// combined with MilestoneTiming.
	Milestone MilestoneFilter `url:"milestone,omitempty"`
	// MilestoneTiming selects by the dates of the milestone. It is sent as
	// milestone_id.
	MilestoneTiming MilestoneTiming `url:"milestone_id,omitempty"`
	// Scope is [IssueScopeAll] if it is empty, and [IssueScopeCreatedByMe] if the
	// owner is [Instance].
	Scope IssueScope `url:"scope,omitempty"`
	// AuthorID and AuthorUsername cannot be combined.
	AuthorID       int64  `url:"author_id,omitempty"`
	AuthorUsername string `url:"author_username,omitempty"`
	// AssigneeID ([UserIs], [NoUser] or [AnyUser]) and AssigneeUsername cannot be
	// combined.
	AssigneeID UserFilter `url:"assignee_id,omitempty"`
	// AssigneeUsername selects the issues that are assigned to all of these users.
	AssigneeUsername []string `url:"assignee_username[],omitempty"`
	// MyReactionEmoji selects by a reaction of the caller: [EmojiIs], [NoEmoji] or
	// [AnyEmoji].
	MyReactionEmoji EmojiFilter `url:"my_reaction_emoji,omitempty"`
	// OrderBy is IssueOrderByCreatedAt if it is empty.
	OrderBy IssueOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending or SortDescending, which is the default.
	Sort Sort `url:"sort,omitempty"`
	// Search searches the fields that In names.
	Search string `url:"search,omitempty"`
	// In defaults to both the title and the description.
	In []SearchField `url:"in,comma,omitempty"`
	// CreatedAfter, CreatedBefore, UpdatedAfter and UpdatedBefore limit the times;
	// all are inclusive.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// DueDate filters by the due date.
	DueDate IssueDueFilter `url:"due_date,omitempty"`
	// Confidential selects confidential issues, or those that are not.
	Confidential *bool `url:"confidential,omitempty"`
	// IssueType selects one kind of issues.
	IssueType IssueType       `url:"issue_type,omitempty"`
	Not       IssueExclusions `url:"not"`
	// NonArchived leaves out the issues of archived projects. Nil means true. Only
	// for [Instance] or a [GroupRef].
	NonArchived *bool `url:"non_archived,omitempty" only:"instance,group"`

	// Weight selects by the weight, EpicID by the ID of the epic, and IterationID
	// by the ID of the iteration: [NumberIs], [NoNumber] or [AnyNumber].
	Weight NumberFilter `url:"weight,omitempty"`
	EpicID NumberFilter `url:"epic_id,omitempty"`
	// IterationID and IterationTitle cannot be combined.
	IterationID    NumberFilter `url:"iteration_id,omitempty"`
	IterationTitle string       `url:"iteration_title,omitempty"`
	// HealthStatus is [HealthStatusIs] (since 15.4), [NoHealthStatus] or
	// [AnyHealthStatus] (since 15.5).
	HealthStatus HealthStatusFilter `url:"health_status,omitempty"`
}

// StateEvent is a change of the state of an issue or a merge request.
type StateEvent string

// Changes of a state.
const (
	StateEventClose  StateEvent = "close"
	StateEventReopen StateEvent = "reopen"
)

// CreateIssueOptions describes a new issue. Title is required.
type CreateIssueOptions struct {
	Title string `json:"title"`
	// Description is Markdown, of at most 1,048,576 characters.
	Description *string `json:"description,omitzero"`
	// AssigneeIDs are IDs of users. More than one is premium.
	AssigneeIDs []int64 `json:"assignee_ids,omitzero"`
	// MilestoneID is the ID of a milestone, not its IID.
	MilestoneID *int64     `json:"milestone_id,omitzero"`
	Labels      LabelNames `json:"labels,omitzero"`
	DueDate     *Date      `json:"due_date,omitzero"`
	// Confidential restricts who can see the issue. Nil means false.
	Confidential *bool `json:"confidential,omitzero"`
	// IssueType is [IssueTypeIssue] if it is nil.
	IssueType *IssueType `json:"issue_type,omitzero"`
	// Weight is 0 or more. Premium.
	Weight *int `json:"weight,omitzero"`
	// EpicID is the ID of an epic, not its IID. Premium.
	EpicID *int64 `json:"epic_id,omitzero"`
	// CreatedAt backdates the issue. It requires an administrator or an owner. Nil
	// means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
	// IID is the number of the issue. It requires an administrator or an owner.
	// Nil means the next number.
	IID *int64 `json:"iid,omitzero"`
	// MergeRequestToResolveDiscussionsOf is the IID of a merge request whose open
	// threads are resolved by creating the issue. The service then provides a
	// title and a description if they are missing.
	MergeRequestToResolveDiscussionsOf *int64 `json:"merge_request_to_resolve_discussions_of,omitzero"`
	// DiscussionToResolve is the ID of one thread of that merge request. Nil means
	// all of them.
	DiscussionToResolve *string `json:"discussion_to_resolve,omitzero"`
}

// UpdateIssueOptions changes an issue. Nil fields are left unchanged.
type UpdateIssueOptions struct {
	Title *string `json:"title,omitzero"`
	// Description is Markdown, of at most 1,048,576 characters.
	Description *string `json:"description,omitzero"`
	// AssigneeIDs are the IDs of the new assignees. An empty slice that is not nil
	// removes all assignees. More than one is premium.
	AssigneeIDs []int64 `json:"assignee_ids,omitzero"`
	// MilestoneID is the ID of a milestone, not its IID. 0 removes it.
	MilestoneID *int64 `json:"milestone_id,omitzero"`
	// Labels replace the labels. LabelNames{} removes them all. AddLabels and
	// RemoveLabels keep the others.
	Labels       LabelNames `json:"labels,omitzero"`
	AddLabels    LabelNames `json:"add_labels,omitzero"`
	RemoveLabels LabelNames `json:"remove_labels,omitzero"`
	// DueDate is the day on which the issue is due. Null removes it; the zero
	// value leaves it unchanged.
	DueDate Nullable[Date] `json:"due_date,omitzero"`
	// Confidential restricts who can see the issue if it is true, and lifts the
	// restriction if it is false.
	Confidential *bool      `json:"confidential,omitzero"`
	IssueType    *IssueType `json:"issue_type,omitzero"`
	// Weight is 0 or more. Premium.
	Weight *int `json:"weight,omitzero"`
	// EpicID is the ID of an epic, not its IID. Premium.
	EpicID *int64 `json:"epic_id,omitzero"`
	// StateEvent closes or reopens the issue.
	StateEvent *StateEvent `json:"state_event,omitzero"`
	// DiscussionLocked lets only members comment if it is true, and everyone if it
	// is false.
	DiscussionLocked *bool `json:"discussion_locked,omitzero"`
	// UpdatedAt is the time of the change. It requires an administrator or an
	// owner. Nil means now.
	UpdatedAt *time.Time `json:"updated_at,omitzero"`
}

// updateIssueBody sends null in the form that the service requires here: an
// empty string.
type updateIssueBody struct {
	UpdateIssueOptions
	DueDate *string `json:"due_date,omitzero"`
}

func (o UpdateIssueOptions) body() updateIssueBody {
	return updateIssueBody{o, dayOrEmpty(o.DueDate)}
}

// MoveIssueOptions says where an issue is moved. ToProjectID is required.
type MoveIssueOptions struct {
	// ToProjectID is the ID of the project to move the issue to. The service does
	// not accept a path.
	ToProjectID int64 `json:"to_project_id"`
}

func (o MoveIssueOptions) check() error { return positive("ToProjectID", o.ToProjectID) }
