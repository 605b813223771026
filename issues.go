package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// IssuesService manages issues. An issue belongs to a project and is identified
// by its number there (IID). Public issues can be read without a credential.
// For comments, see [NotesService] and [DiscussionsService].
//
// Its options are [CloneIssueOptions], [CreateIssueOptions], [GetIssueStatisticsOptions],
// [ListIssuesOptions], [ListOptions], [MoveIssueOptions], [ReorderIssueOptions] and
// [UpdateIssueOptions]. See the example of [IssuesService.All].
type IssuesService service

// IssueOwner is an owner of issues: [Instance] (all issues that the caller may
// see), a [GroupRef] (including its subgroups) or a [ProjectRef].
type IssueOwner interface{ hasIssues() }

func (InstanceOwner) hasIssues() {}

func (GroupRef) hasIssues() {}

func (ProjectRef) hasIssues() {}

// List returns one page of the issues of a project, a group or the instance. Without a
// Scope, the list of the [Instance] contains only issues that the caller created.
//
//	GET /issues
//	GET /groups/:id/issues
//	GET /projects/:id/issues
func (s *IssuesService) List(
	ctx context.Context, owner IssueOwner, options *ListIssuesOptions, opts ...RequestOption,
) ([]*Issue, *Response, error) {
	return list[*Issue](ctx, using(s), below(owner, "/issues"), queryFor(owner, options), opts)
}

// All returns every issue of a project, a group or the instance. Without a Scope, the
// list of the [Instance] contains only issues that the caller created.
//
//	GET /issues
//	GET /groups/:id/issues
//	GET /projects/:id/issues
func (s *IssuesService) All(
	ctx context.Context, owner IssueOwner, options *ListIssuesOptions, opts ...RequestOption,
) iter.Seq2[*Issue, error] {
	return all[*Issue](ctx, using(s), below(owner, "/issues"), queryFor(owner, options), opts)
}

// Get returns one issue of a project.
//
//	GET /projects/:id/issues/:issue_iid
func (s *IssuesService) Get(
	ctx context.Context, issue IssueRef, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, using(s), http.MethodGet, below(issue, ""), nil, opts)
}

// GetByID returns the issue with this [Issue.ID], whatever its project. It requires an
// administrator.
//
//	GET /issues/:id
func (s *IssuesService) GetByID(ctx context.Context, issueID int64, opts ...RequestOption) (*Issue, *Response, error) {
	return do[Issue](ctx, using(s), http.MethodGet, Route("/issues/:id", issueID), nil, opts)
}

// Create opens an issue. It requires the Guest role. The service limits the
// rate of new issues. The call returns [ErrConflict] if
// [CreateIssueOptions.IID] is taken, and [ErrUnprocessable] if the service
// refuses the content.
//
//	POST /projects/:id/issues
func (s *IssuesService) Create(
	ctx context.Context, project ProjectRef, options CreateIssueOptions, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, using(s), http.MethodPost, Route("/projects/:id/issues", project), jsonOf(options), opts)
}

// Update changes an issue. At least one field is required. The caller must be
// the author or an assignee, or have the Reporter role.
//
//	PUT /projects/:id/issues/:issue_iid
func (s *IssuesService) Update(
	ctx context.Context, issue IssueRef, options UpdateIssueOptions, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, using(s), http.MethodPut,
		below(issue, ""), jsonOf(options.body()), opts)
}

// Delete deletes an issue with its comments. It requires the Owner role or an
// administrator.
//
//	DELETE /projects/:id/issues/:issue_iid
func (s *IssuesService) Delete(
	ctx context.Context, issue IssueRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(issue, ""), nil, opts)
}

// Move moves an issue to another project and returns the new issue, which has
// another ID and IID. The old issue is closed, and its MovedToID is the ID of
// the new one. Comments and reactions are moved; labels, the milestone and
// assignees only if the other project has them, too. The call returns [ErrBadRequest] if the
// caller may not move the issue, or if it is already in that project.
//
//	POST /projects/:id/issues/:issue_iid/move
func (s *IssuesService) Move(
	ctx context.Context, issue IssueRef, options MoveIssueOptions, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, using(s), http.MethodPost,
		below(issue, "/move"),
		jsonOf(options), opts)
}

// Clone copies an issue to a project and returns the copy, whose author is the caller.
// Labels, the milestone and assignees are copied if that project has them, too. The call
// returns [ErrBadRequest] if the caller may not clone the issue.
//
//	POST /projects/:id/issues/:issue_iid/clone
func (s *IssuesService) Clone(
	ctx context.Context, issue IssueRef, options CloneIssueOptions, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, using(s), http.MethodPost,
		below(issue, "/clone"), jsonOf(options), opts)
}

// Reorder moves an issue in the manual order of issues, which
// [IssueOrderByRelativePosition] lists. The caller must be able to change the issue. The
// call returns [ErrUnprocessable] if neither of the other issues can be found.
//
//	PUT /projects/:id/issues/:issue_iid/reorder
func (s *IssuesService) Reorder(
	ctx context.Context, issue IssueRef, options ReorderIssueOptions, opts ...RequestOption,
) (*Issue, *Response, error) {
	return do[Issue](ctx, using(s), http.MethodPut,
		below(issue, "/reorder"), jsonOf(options), opts)
}

// Subscribe subscribes the caller to notifications about an issue. It also succeeds if
// the caller is already subscribed; the result says so.
//
//	POST /projects/:id/issues/:issue_iid/subscribe
func (s *IssuesService) Subscribe(
	ctx context.Context, issue IssueRef, opts ...RequestOption,
) (*IssueSubscription, *Response, error) {
	return change(ctx, using(s), below(issue, "/subscribe"), newIssueSubscription, opts)
}

// Unsubscribe ends the caller's notifications about an issue. It also succeeds if the
// caller is not subscribed; the result says so.
//
//	POST /projects/:id/issues/:issue_iid/unsubscribe
func (s *IssuesService) Unsubscribe(
	ctx context.Context, issue IssueRef, opts ...RequestOption,
) (*IssueSubscription, *Response, error) {
	return change(ctx, using(s), below(issue, "/unsubscribe"), newIssueSubscription, opts)
}

// ListRelatedMergeRequests returns one page of the merge requests that mention an issue
// or that it mentions, including those of other projects. In them, the fields Subscribed and
// FirstContribution are always false.
//
//	GET /projects/:id/issues/:issue_iid/related_merge_requests
func (s *IssuesService) ListRelatedMergeRequests(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequestDetails, *Response, error) {
	return list[*MergeRequestDetails](ctx, using(s),
		below(issue, "/related_merge_requests"), queryOf(options), opts)
}

// AllRelatedMergeRequests returns every merge request that mentions an issue or that it
// mentions, as [IssuesService.ListRelatedMergeRequests] does.
//
//	GET /projects/:id/issues/:issue_iid/related_merge_requests
func (s *IssuesService) AllRelatedMergeRequests(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequestDetails, error] {
	return all[*MergeRequestDetails](ctx, using(s),
		below(issue, "/related_merge_requests"), queryOf(options), opts)
}

// ListClosingMergeRequests returns one page of the merge requests of the project that
// close an issue when they are merged. [MergeRequestsService.ListClosedIssues] is the
// other direction.
//
//	GET /projects/:id/issues/:issue_iid/closed_by
func (s *IssuesService) ListClosingMergeRequests(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, using(s),
		below(issue, "/closed_by"), queryOf(options), opts)
}

// AllClosingMergeRequests returns every merge request of the project that closes an
// issue when it is merged.
//
//	GET /projects/:id/issues/:issue_iid/closed_by
func (s *IssuesService) AllClosingMergeRequests(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, using(s),
		below(issue, "/closed_by"), queryOf(options), opts)
}

// ListParticipants returns one page of the users who take part in an issue: its author,
// its assignees, and everybody who commented or was mentioned.
//
//	GET /projects/:id/issues/:issue_iid/participants
func (s *IssuesService) ListParticipants(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, using(s),
		below(issue, "/participants"), queryOf(options), opts)
}

// AllParticipants returns every user who takes part in an issue: its author, its
// assignees, and everybody who commented or was mentioned.
//
//	GET /projects/:id/issues/:issue_iid/participants
func (s *IssuesService) AllParticipants(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, using(s),
		below(issue, "/participants"), queryOf(options), opts)
}

// IssueScope selects issues by their relation to the caller.
type IssueScope string

// Scopes of issues.
const (
	IssueScopeCreatedByMe  IssueScope = "created_by_me"
	IssueScopeAssignedToMe IssueScope = "assigned_to_me"
	IssueScopeAll          IssueScope = "all"
)

// IssueOrderBy is the order of a list of issues.
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

// MilestoneTiming selects issues by the dates of their milestone.
type MilestoneTiming string

// Values of a [MilestoneTiming].
const (
	// MilestoneTimingUpcoming selects the issues whose milestone is due next.
	MilestoneTimingUpcoming MilestoneTiming = "Upcoming"
	// MilestoneTimingStarted selects the issues whose milestone is open and has
	// started.
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
	// MyReactionEmoji is the name of a reaction of the caller, such as "thumbsup".
	MyReactionEmoji string `url:"my_reaction_emoji,omitempty"`
	// Search excludes the issues that contain a text in the fields that In names,
	// by default in the title or the description.
	Search string        `url:"search,omitempty"`
	In     []SearchField `url:"in,comma,omitempty"`
	IIDs   []int64       `url:"iids,brackets,omitempty"`
	// Weight, IterationID and IterationTitle require Premium.
	Weight         NumberFilter `url:"weight,omitempty"`
	IterationID    NumberFilter `url:"iteration_id,omitempty"`
	IterationTitle string       `url:"iteration_title,omitempty"`
}

// ListIssuesOptions selects issues. Empty fields do not filter unless their
// documentation says otherwise. Weight and the fields after it require Premium.
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
	// MilestoneTiming selects issues whose milestone has started, or is due next.
	// The API calls it milestone_id.
	MilestoneTiming MilestoneTiming `url:"milestone_id,omitempty"`
	// Scope is [IssueScopeAll] if it is empty, and [IssueScopeCreatedByMe] if the
	// owner is [Instance].
	Scope IssueScope `url:"scope,omitempty"`
	// AuthorID and AuthorUsername select the issues of one author. They cannot be
	// combined.
	AuthorID       int64  `url:"author_id,omitempty"`
	AuthorUsername string `url:"author_username,omitempty"`
	// AssigneeID ([UserIs], [NoUser] or [AnyUser]) and AssigneeUsername cannot be
	// combined.
	AssigneeID UserFilter `url:"assignee_id,omitempty"`
	// AssigneeUsername selects the issues that are assigned to all of these users.
	AssigneeUsername []string `url:"assignee_username[],omitempty"`
	// MyReactionEmoji filters by a reaction of the caller: [EmojiIs], [NoEmoji] or
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
	// CreatedAfter, CreatedBefore, UpdatedAfter and UpdatedBefore limit the times
	// of creation and of the last change. All are inclusive.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// DueDate filters by the due date.
	DueDate IssueDueFilter `url:"due_date,omitempty"`
	// Confidential selects confidential issues, or those that are not.
	Confidential *bool `url:"confidential,omitempty"`
	// IssueType selects the issues of one kind.
	IssueType IssueType `url:"issue_type,omitempty"`
	// ClosedByID selects the issues that the user with this ID has closed. Only in later
	// releases.
	ClosedByID int64           `url:"closed_by_id,omitempty"`
	Not        IssueExclusions `url:"not"`
	// NonArchived leaves out the issues of archived projects. Nil means true. Only
	// for [Instance] or a [GroupRef].
	NonArchived *bool `url:"non_archived,omitempty" only:"instance,group"`

	// Weight filters by the weight, EpicID by the ID of the epic, and IterationID
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

// StateEvent is a change of the state of an issue, a merge request or an epic.
type StateEvent string

// Changes of a state.
const (
	StateEventClose  StateEvent = "close"
	StateEventReopen StateEvent = "reopen"
)

// CreateIssueOptions describes a new issue. Title is required, except with
// MergeRequestToResolveDiscussionsOf.
type CreateIssueOptions struct {
	Title string `json:"title,omitzero"`
	// Description is Markdown, of at most 1,048,576 characters.
	Description *string `json:"description,omitzero"`
	// AssigneeIDs are the IDs of the assignees. More than one requires Premium.
	AssigneeIDs []int64 `json:"assignee_ids,omitzero"`
	// MilestoneID is the ID of a milestone, not its IID.
	MilestoneID *int64     `json:"milestone_id,omitzero"`
	Labels      LabelNames `json:"labels,omitzero"`
	DueDate     *Date      `json:"due_date,omitzero"`
	// Confidential restricts who can see the issue. Nil means false.
	Confidential *bool `json:"confidential,omitzero"`
	// DiscussionLocked lets only members comment. Nil means false. Only in later releases.
	DiscussionLocked *bool `json:"discussion_locked,omitzero"`
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

func (o CreateIssueOptions) check() error {
	return missing("Title", o.Title == "" && o.MergeRequestToResolveDiscussionsOf == nil)
}

// UpdateIssueOptions changes an issue. Nil fields are left unchanged.
type UpdateIssueOptions struct {
	Title *string `json:"title,omitzero"`
	// Description is Markdown, of at most 1,048,576 characters.
	Description *string `json:"description,omitzero"`
	// AssigneeIDs are the IDs of the new assignees. An empty slice that is not nil
	// removes all assignees. More than one requires Premium.
	AssigneeIDs []int64 `json:"assignee_ids,omitzero"`
	// MilestoneID is the ID of a milestone, not its IID. 0 removes it.
	MilestoneID *int64 `json:"milestone_id,omitzero"`
	// Labels replaces all labels; LabelNames{} removes them. AddLabels and RemoveLabels
	// leave the other labels unchanged.
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
	// Weight is 0 or more. Null removes it; the zero value leaves it unchanged. Premium.
	Weight Nullable[int] `json:"weight,omitzero"`
	// EpicID is the ID of an epic, not its IID. 0 removes it. Premium.
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

// MoveIssueOptions says where to move an issue. ToProjectID is required.
type MoveIssueOptions struct {
	// ToProjectID is the ID of the project to move the issue to. The service does
	// not accept a path.
	ToProjectID int64 `json:"to_project_id" required:"true"`
}

// CloneIssueOptions says where to copy an issue. ToProjectID is required.
type CloneIssueOptions struct {
	// ToProjectID is the ID of the project of the copy, which may be the same one. The
	// service does not accept a path.
	ToProjectID int64 `json:"to_project_id" required:"true"`
	// WithNotes also copies the comments. Nil means false.
	WithNotes *bool `json:"with_notes,omitzero"`
}

// ReorderIssueOptions says between which two issues to put an issue. At least one of
// them is required. Both are IDs ([Issue.ID]), not IIDs, of issues of the same project.
type ReorderIssueOptions struct {
	// MoveAfterID is the ID of the issue that comes after this one.
	MoveAfterID *int64 `json:"move_after_id,omitzero"`
	// MoveBeforeID is the ID of the issue that comes before this one.
	MoveBeforeID *int64 `json:"move_before_id,omitzero"`
}

// IssueState is the state of an issue.
type IssueState string

// States of an issue. The service may send others.
const (
	IssueStateOpened IssueState = "opened"
	IssueStateClosed IssueState = "closed"
	// IssueStateAny is only for filters. It selects every state.
	IssueStateAny IssueState = "all"
)

// IssueType is a kind of issue.
type IssueType string

// Kinds of issues. The service may send others.
const (
	IssueTypeIssue    IssueType = "issue"
	IssueTypeIncident IssueType = "incident"
	IssueTypeTestCase IssueType = "test_case"
	// IssueTypeTask exists only in later releases.
	IssueTypeTask IssueType = "task"
)

// Issue is a piece of work or a problem that a project tracks. Only premium instances
// set Weight and the fields after it.
type Issue struct {
	// ID identifies the issue in the whole instance.
	ID int64 `json:"id"`
	// IID is the number of the issue in its project. All methods identify the
	// issue by it.
	IID       int64  `json:"iid"`
	ProjectID int64  `json:"project_id"`
	Title     string `json:"title"`
	// Description is Markdown, empty if there is none.
	Description string     `json:"description"`
	State       IssueState `json:"state"`
	// IssueType is the kind of the issue. Type is the same in capital letters.
	IssueType IssueType `json:"issue_type"`
	Type      string    `json:"type"`
	// Author is nil if the account no longer exists.
	Author    *UserSummary   `json:"author"`
	Assignees []*UserSummary `json:"assignees"`
	// Assignee is the first of Assignees, nil if there is none.
	//
	// Deprecated: use Assignees.
	Assignee *UserSummary `json:"assignee"`
	// Milestone is nil if there is none.
	Milestone *Milestone `json:"milestone"`
	// Labels have only names unless details were requested.
	Labels    []*LabelSummary `json:"labels"`
	CreatedAt time.Time       `json:"created_at"`
	UpdatedAt time.Time       `json:"updated_at"`
	// ClosedAt and ClosedBy are nil unless the issue is closed.
	ClosedAt *time.Time   `json:"closed_at"`
	ClosedBy *UserSummary `json:"closed_by"`
	// StartDate is nil if there is none. Since about 18.x.
	StartDate *Date `json:"start_date"`
	// DueDate is nil if there is none.
	DueDate        *Date `json:"due_date"`
	Upvotes        int   `json:"upvotes"`
	Downvotes      int   `json:"downvotes"`
	UserNotesCount int   `json:"user_notes_count"`
	// MergeRequestsCount is the number of merge requests that close the issue.
	MergeRequestsCount int `json:"merge_requests_count"`
	// Confidential reports whether the issue is visible to fewer users.
	Confidential bool `json:"confidential"`
	// DiscussionLocked reports whether only members may comment, nil if that was
	// never set.
	DiscussionLocked *bool  `json:"discussion_locked"`
	WebURL           string `json:"web_url"`
	// References are ways to refer to the issue in text, nil only if the service does
	// not send them.
	References *References `json:"references"`
	// TimeStats are the estimated and the spent time, nil only if the service does
	// not send them.
	TimeStats *TimeStats `json:"time_stats"`
	// TaskCompletionStatus counts the tasks in the description, nil only if the
	// service does not send it.
	TaskCompletionStatus *TaskCompletionStatus `json:"task_completion_status"`
	// HasTasks reports whether the description has check boxes. If so, TaskStatus
	// is a string such as "2 of 4 checklist items completed".
	HasTasks   bool   `json:"has_tasks"`
	TaskStatus string `json:"task_status"`
	// Links are addresses of the API, nil only if the service does not send them.
	Links *IssueLinks `json:"_links"`
	// MovedToID is the ID of the issue that this one was moved to, nil if it was
	// not moved.
	MovedToID *int64 `json:"moved_to_id"`
	// ServiceDeskReplyTo is the email address of whoever reported the issue
	// through the service desk, empty for other issues.
	ServiceDeskReplyTo string `json:"service_desk_reply_to"`
	// Severity is the severity of an incident, such as "UNKNOWN" or "HIGH".
	Severity string `json:"severity"`
	// BlockingIssuesCount is the number of issues that this one blocks, nil if the
	// service does not say.
	BlockingIssuesCount *int `json:"blocking_issues_count"`
	// Subscribed reports whether the caller is notified of changes, nil in lists.
	Subscribed *bool `json:"subscribed"`
	// Imported reports whether the issue was imported from another service, which
	// ImportedFrom names. Since about 17.0.
	Imported     bool   `json:"imported"`
	ImportedFrom string `json:"imported_from"`

	// Weight is nil if there is none.
	Weight *int `json:"weight"`
	// Epic is nil if the issue belongs to no epic.
	Epic *EpicSummary `json:"epic"`
	// EpicIID is the IID of Epic, nil if the issue belongs to no epic.
	//
	// Deprecated: use Epic.
	EpicIID *int64 `json:"epic_iid"`
	// Iteration is nil if the issue belongs to no iteration.
	Iteration *Iteration `json:"iteration"`
	// HealthStatus is a status such as "on_track", empty if there is none.
	HealthStatus string `json:"health_status"`
}

// Ref identifies the issue by the ID of its project and its number there.
func (i *Issue) Ref() IssueRef { return ProjectID(orZero(i).ProjectID).Issue(orZero(i).IID) }

// IssueLinks are addresses in the API that are related to an issue.
type IssueLinks struct {
	Self       string `json:"self"`
	Notes      string `json:"notes"`
	AwardEmoji string `json:"award_emoji"`
	Project    string `json:"project"`
	// ClosedAsDuplicateOf is the issue that this one duplicates, empty if it was
	// not closed as a duplicate.
	ClosedAsDuplicateOf string `json:"closed_as_duplicate_of"`
}

// EpicSummary is the short form of an [Epic] in an issue.
type EpicSummary struct {
	ID      int64  `json:"id"`
	IID     int64  `json:"iid"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	GroupID int64  `json:"group_id"`
	// HumanReadableEndDate is the due date, such as "Oct 22, 2026", and
	// HumanReadableTimestamp the time until then as HTML, such as
	// "<strong>3</strong> days remaining". Both are empty without a due date, the latter
	// also without a start date.
	HumanReadableEndDate   string `json:"human_readable_end_date"`
	HumanReadableTimestamp string `json:"human_readable_timestamp"`
}

// Ref identifies the epic by the ID of its group and both of its numbers.
func (e *EpicSummary) Ref() EpicRef {
	return EpicRef{GroupID(orZero(e).GroupID), orZero(e).IID, orZero(e).ID}
}

// Iteration is a span of time for which a group plans issues. Premium.
type Iteration struct {
	ID int64 `json:"id"`
	// IID is the number of the iteration in its group, and Sequence its number in
	// its series of iterations.
	IID      int64 `json:"iid"`
	Sequence int   `json:"sequence"`
	GroupID  int64 `json:"group_id"`
	// Title is empty for most iterations, which are identified by their dates.
	Title       string         `json:"title"`
	Description string         `json:"description"`
	State       IterationState `json:"state"`
	CreatedAt   time.Time      `json:"created_at"`
	UpdatedAt   time.Time      `json:"updated_at"`
	// StartDate is the first day and DueDate the last, nil if there is none.
	StartDate *Date  `json:"start_date"`
	DueDate   *Date  `json:"due_date"`
	WebURL    string `json:"web_url"`
}

// IterationState is the state of an iteration, which the service sends as a
// number.
type IterationState int

// States of iterations.
const (
	IterationStateUpcoming IterationState = 1
	IterationStateCurrent  IterationState = 2
	IterationStateClosed   IterationState = 3
)

// IssueSubscription is the result of [IssuesService.Subscribe] and
// [IssuesService.Unsubscribe].
type IssueSubscription struct {
	// Issue is nil if Unchanged is true: the service returns it only if it changed
	// something.
	Issue *Issue
	// Unchanged reports whether there was nothing to do.
	Unchanged bool
}

func newIssueSubscription(issue *Issue) *IssueSubscription {
	return &IssueSubscription{Issue: issue, Unchanged: issue == nil}
}
