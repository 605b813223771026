package serviceapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// TodosService manages the to-do items of the caller. The service adds one when a user is
// assigned, asked for a review, mentioned and so on, and marks it as done when the user
// acts: by closing or merging the object, or by commenting on it, reacting to it, pushing
// to it, or changing its labels or assignees.
//
// Its options are [ListTodosOptions]. See the example Todos in activity_test.go of
// [example.com/serviceapi/examples/recipes].
type TodosService service

// TodoOwner is an object that a to-do item can be created for: an [IssueRef], a
// [MergeRequestRef] or an [EpicRef].
type TodoOwner interface{ hasTodos() }

func (IssueRef) hasTodos()        {}
func (MergeRequestRef) hasTodos() {}
func (EpicRef) hasTodos()         {}

// List returns one page of the caller's to-do items, the newest first. Any page may have
// fewer items than PerPage, because the service leaves out items whose target the caller
// may no longer read.
//
//	GET /todos
func (s *TodosService) List(
	ctx context.Context, options *ListTodosOptions, opts ...RequestOption,
) ([]*Todo, *Response, error) {
	return list[*Todo](ctx, using(s), Route("/todos"), queryOf(options), opts)
}

// All returns the caller's to-do items, the newest first. An item that is marked as done
// while the sequence is being read moves pending items after it to an earlier page, so some
// would be skipped: collect the items first.
//
//	GET /todos
func (s *TodosService) All(
	ctx context.Context, options *ListTodosOptions, opts ...RequestOption,
) iter.Seq2[*Todo, error] {
	return all[*Todo](ctx, using(s), Route("/todos"), queryOf(options), opts)
}

// MarkAsDone marks a to-do item of the caller as done. It also succeeds if the item is
// already done. For an item of another user, it returns [ErrNotFound].
//
//	POST /todos/:id/mark_as_done
func (s *TodosService) MarkAsDone(
	ctx context.Context, todoID int64, opts ...RequestOption,
) (*Todo, *Response, error) {
	return do[Todo](ctx, using(s), http.MethodPost, Route("/todos/:id/mark_as_done", todoID), nil, opts)
}

// MarkAllAsDone marks all pending to-do items of the caller as done. There is no filter.
//
//	POST /todos/mark_as_done
func (s *TodosService) MarkAllAsDone(ctx context.Context, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/todos/mark_as_done"), nil, opts)
}

// Create adds a to-do item for the caller, with [TodoActionMarked]. It also succeeds if the
// caller already has a pending item for the object; the result says so. An epic is identified by
// its number in the group (IID), and needs Premium.
//
//	POST /projects/:id/issues/:issue_iid/todo
//	POST /projects/:id/merge_requests/:merge_request_iid/todo
//	POST /groups/:id/epics/:epic_iid/todo
func (s *TodosService) Create(
	ctx context.Context, owner TodoOwner, opts ...RequestOption,
) (*CreatedTodo, *Response, error) {
	return change(ctx, using(s), belowIID(owner, "/todo"), newCreatedTodo, opts)
}

// CreatedTodo is the result of [TodosService.Create].
type CreatedTodo struct {
	// Todo is nil if Unchanged is true: the service returns only a new item.
	Todo *Todo
	// Unchanged reports whether the caller already had a pending item.
	Unchanged bool
}

func newCreatedTodo(todo *Todo) *CreatedTodo {
	return &CreatedTodo{Todo: todo, Unchanged: todo == nil}
}

// ListTodosOptions selects to-do items. All conditions must hold.
type ListTodosOptions struct {
	ListOptions
	// Action selects items by their reason.
	Action TodoAction `url:"action,omitempty"`
	// AuthorID selects the items that this user caused.
	AuthorID int64 `url:"author_id,omitempty"`
	// ProjectID selects the items of a project, and GroupID those of a group and
	// everything below it.
	ProjectID int64 `url:"project_id,omitempty"`
	GroupID   int64 `url:"group_id,omitempty"`
	// State is [TodoStatePending] by default.
	State TodoState `url:"state,omitempty"`
	// Type selects items by the kind of their target.
	Type TodoTargetType `url:"type,omitempty"`
}

// TodoAction is the reason for a to-do item.
type TodoAction string

// Reasons for to-do items. The service may send others.
const (
	TodoActionAssigned    TodoAction = "assigned"
	TodoActionMentioned   TodoAction = "mentioned"
	TodoActionBuildFailed TodoAction = "build_failed"
	// TodoActionMarked means that the user added the item with [TodosService.Create].
	TodoActionMarked TodoAction = "marked"
	// TodoActionApprovalRequired is premium.
	TodoActionApprovalRequired TodoAction = "approval_required"
	// TodoActionUnmergeable means that the merge request has conflicts.
	TodoActionUnmergeable TodoAction = "unmergeable"
	// TodoActionDirectlyAddressed means that the text begins with the name of the user.
	TodoActionDirectlyAddressed TodoAction = "directly_addressed"
	// TodoActionMergeTrainRemoved is premium.
	TodoActionMergeTrainRemoved TodoAction = "merge_train_removed"
	TodoActionReviewRequested   TodoAction = "review_requested"
	// Only later releases have these.
	TodoActionMemberAccessRequested TodoAction = "member_access_requested"
	TodoActionReviewSubmitted       TodoAction = "review_submitted"
	TodoActionSSHKeyExpired         TodoAction = "ssh_key_expired"
	TodoActionSSHKeyExpiringSoon    TodoAction = "ssh_key_expiring_soon"
)

// TodoState says whether a to-do item is done.
type TodoState string

// States of a to-do item.
const (
	TodoStatePending TodoState = "pending"
	TodoStateDone    TodoState = "done"
)

// TodoTargetType is the kind of object that a to-do item is about.
type TodoTargetType string

// Kinds of objects that to-do items are about. The service may send others.
const (
	TodoTargetTypeIssue        TodoTargetType = "Issue"
	TodoTargetTypeMergeRequest TodoTargetType = "MergeRequest"
	TodoTargetTypeCommit       TodoTargetType = "Commit"
	TodoTargetTypeEpic         TodoTargetType = "Epic"
	TodoTargetTypeDesign       TodoTargetType = "DesignManagement::Design"
	TodoTargetTypeAlert        TodoTargetType = "AlertManagement::Alert"
	// Only later releases have these.
	TodoTargetTypeProject       TodoTargetType = "Project"
	TodoTargetTypeNamespace     TodoTargetType = "Namespace"
	TodoTargetTypeVulnerability TodoTargetType = "Vulnerability"
	TodoTargetTypeWikiPage      TodoTargetType = "WikiPage::Meta"
	TodoTargetTypeKey           TodoTargetType = "Key"
)

// Todo is a to-do item.
type Todo struct {
	ID int64 `json:"id"`
	// Project is nil if the item belongs to a group.
	Project *ProjectSummary `json:"project"`
	// Group is nil if the item belongs to a project.
	Group *NamespaceSummary `json:"group"`
	// Author is the user who caused the item, nil if unknown. For [TodoActionMarked] it is
	// the caller.
	Author     *UserSummary   `json:"author"`
	ActionName TodoAction     `json:"action_name"`
	TargetType TodoTargetType `json:"target_type"`
	// Target is the object that the item is about, whose kind is TargetType. The methods
	// Issue, MergeRequest, Commit, Epic, Design and Alert decode it. Its ID is a number,
	// but that of a commit is a string.
	Target json.RawMessage `json:"target,omitzero"`
	// TargetURL is the address of the target, or of the comment that caused the item.
	TargetURL string `json:"target_url"`
	// Body is the text of the comment that caused the item, or else the title of the
	// target.
	Body      string    `json:"body"`
	State     TodoState `json:"state"`
	CreatedAt time.Time `json:"created_at"`
	// UpdatedAt is nil in older releases.
	UpdatedAt *time.Time `json:"updated_at"`
}

// Issue returns the target if it is an issue, and nil otherwise. Its Subscribed is nil.
func (t *Todo) Issue() (*Issue, error) { return todoTarget[Issue](t, TodoTargetTypeIssue) }

// MergeRequest returns the target if it is a merge request, and nil otherwise.
func (t *Todo) MergeRequest() (*MergeRequest, error) {
	return todoTarget[MergeRequest](t, TodoTargetTypeMergeRequest)
}

// Commit returns the target if it is a commit, and nil otherwise.
func (t *Todo) Commit() (*Commit, error) { return todoTarget[Commit](t, TodoTargetTypeCommit) }

// Epic returns the target if it is an epic, and nil otherwise.
func (t *Todo) Epic() (*Epic, error) { return todoTarget[Epic](t, TodoTargetTypeEpic) }

// Design returns the target if it is a design, and nil otherwise.
func (t *Todo) Design() (*TodoDesign, error) { return todoTarget[TodoDesign](t, TodoTargetTypeDesign) }

// Alert returns the target if it is an alert, and nil otherwise.
func (t *Todo) Alert() (*TodoAlert, error) { return todoTarget[TodoAlert](t, TodoTargetTypeAlert) }

func todoTarget[T any](t *Todo, kind TodoTargetType) (*T, error) {
	if t == nil || t.TargetType != kind || len(t.Target) == 0 {
		return nil, nil
	}
	var target *T
	err := unmarshalMembers(t.Target, &target)
	return target, err
}

// TodoDesign is the target of a to-do item about a design.
type TodoDesign struct {
	ID        int64  `json:"id"`
	ProjectID int64  `json:"project_id"`
	Filename  string `json:"filename"`
	ImageURL  string `json:"image_url"`
}

// TodoAlert is the target of a to-do item about an alert.
type TodoAlert struct {
	// IID is the number of the alert in its project.
	IID   int64  `json:"iid"`
	Title string `json:"title"`
}
