package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// BoardsService manages the boards of issues of projects and groups, and their lists. The owner
// is a [ProjectRef] or a [GroupRef]:
//
//	shop := serviceapi.ProjectPath("acme/shop")
//	for board, err := range client.Boards.All(ctx, shop, nil) { … }
//
// A list collects the issues with a label or, on premium instances, those of a milestone, an
// assignee or an iteration; [BoardList.Type] says which. Every board also has an open and a
// closed list, which are in no result. Reading requires the Guest role, changing the Reporter role
// or, since 17.7, the Planner role.
//
// Its options are [CreateBoardListOptions], [CreateBoardOptions], [ListOptions],
// [UpdateBoardListOptions] and [UpdateBoardOptions]. See the example of
// [BoardsService.CreateList].
type BoardsService service

// BoardOwner is an owner of boards: a [ProjectRef] or a [GroupRef].
type BoardOwner interface{ hasBoards() }

func (ProjectRef) hasBoards() {}
func (GroupRef) hasBoards()   {}

const (
	oneBoard     = "/boards/:board_id"
	boardLists   = oneBoard + "/lists"
	oneBoardList = boardLists + "/:list_id"
)

// List returns one page of the boards of a project or a group. There are none until somebody
// creates one.
//
//	GET /projects/:id/boards
//	GET /groups/:id/boards
func (s *BoardsService) List(
	ctx context.Context, owner BoardOwner, options *ListOptions, opts ...RequestOption,
) ([]*Board, *Response, error) {
	return list[*Board](ctx, using(s), below(owner, "/boards"), queryOf(options), opts)
}

// All returns every board of a project or a group.
//
//	GET /projects/:id/boards
//	GET /groups/:id/boards
func (s *BoardsService) All(
	ctx context.Context, owner BoardOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Board, error] {
	return all[*Board](ctx, using(s), below(owner, "/boards"), queryOf(options), opts)
}

// Get returns a board with its lists.
//
//	GET /projects/:id/boards/:board_id
//	GET /groups/:id/boards/:board_id
func (s *BoardsService) Get(
	ctx context.Context, owner BoardOwner, boardID int64, opts ...RequestOption,
) (*Board, *Response, error) {
	return do[Board](ctx, using(s), http.MethodGet, below(owner, oneBoard, boardID), nil, opts)
}

// CreateBoardOptions describes a new board. Name is required.
type CreateBoardOptions struct {
	// Name need not be unique.
	Name string `json:"name" required:"true"`
}

// Create creates a board without lists. For a group it is Premium: without it, the call returns
// [ErrForbidden].
//
//	POST /projects/:id/boards
//	POST /groups/:id/boards
func (s *BoardsService) Create(
	ctx context.Context, owner BoardOwner, options CreateBoardOptions, opts ...RequestOption,
) (*Board, *Response, error) {
	return do[Board](ctx, using(s), http.MethodPost, below(owner, "/boards"), jsonOf(options), opts)
}

// UpdateBoardOptions changes a board. Nil fields are left unchanged. AssigneeID and the fields after
// it limit which issues the board shows. They are Premium: without it, the service ignores them.
type UpdateBoardOptions struct {
	// Name has at most 255 characters.
	Name *string `json:"name,omitzero"`
	// HideBacklogList and HideClosedList hide the open and the closed list.
	HideBacklogList *bool `json:"hide_backlog_list,omitzero"`
	HideClosedList  *bool `json:"hide_closed_list,omitzero"`
	// AssigneeID and MilestoneID limit the issues to those of a user and of a milestone. Null
	// lifts the limit; the zero value leaves it unchanged.
	AssigneeID  Nullable[int64] `json:"assignee_id,omitzero"`
	MilestoneID Nullable[int64] `json:"milestone_id,omitzero"`
	// Labels limits the issues to those with all of these labels. The service creates labels
	// that do not exist. LabelNames{} lifts the limit.
	Labels LabelNames `json:"labels,omitzero"`
	// Weight limits the issues to those of a weight, from 0 to 9. Null lifts the limit; the
	// zero value leaves it unchanged.
	Weight Nullable[int] `json:"weight,omitzero"`
}

// Update changes a board.
//
//	PUT /projects/:id/boards/:board_id
//	PUT /groups/:id/boards/:board_id
func (s *BoardsService) Update(
	ctx context.Context, owner BoardOwner, boardID int64, options UpdateBoardOptions, opts ...RequestOption,
) (*Board, *Response, error) {
	return do[Board](ctx, using(s), http.MethodPut, below(owner, oneBoard, boardID), jsonOf(options), opts)
}

// Delete deletes a board with its lists. Its issues stay. For a group it is Premium, as Create.
// Before 15.3, the last board cannot be deleted.
//
//	DELETE /projects/:id/boards/:board_id
//	DELETE /groups/:id/boards/:board_id
func (s *BoardsService) Delete(
	ctx context.Context, owner BoardOwner, boardID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, oneBoard, boardID), nil, opts)
}

// ListLists returns one page of the lists of a board, by position.
//
//	GET /projects/:id/boards/:board_id/lists
//	GET /groups/:id/boards/:board_id/lists
func (s *BoardsService) ListLists(
	ctx context.Context, owner BoardOwner, boardID int64, options *ListOptions, opts ...RequestOption,
) ([]*BoardList, *Response, error) {
	return list[*BoardList](ctx, using(s), below(owner, boardLists, boardID), queryOf(options), opts)
}

// AllLists returns every list of a board, by position.
//
//	GET /projects/:id/boards/:board_id/lists
//	GET /groups/:id/boards/:board_id/lists
func (s *BoardsService) AllLists(
	ctx context.Context, owner BoardOwner, boardID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*BoardList, error] {
	return all[*BoardList](ctx, using(s), below(owner, boardLists, boardID), queryOf(options), opts)
}

// GetList returns a list of a board.
//
//	GET /projects/:id/boards/:board_id/lists/:list_id
//	GET /groups/:id/boards/:board_id/lists/:list_id
func (s *BoardsService) GetList(
	ctx context.Context, owner BoardOwner, boardID, listID int64, opts ...RequestOption,
) (*BoardList, *Response, error) {
	return do[BoardList](ctx, using(s), http.MethodGet, below(owner, oneBoardList, boardID, listID), nil, opts)
}

// CreateBoardListOptions says what a new list collects. Exactly one field is required. All but
// LabelID are Premium.
type CreateBoardListOptions struct {
	// LabelID is a label of the owner or of a group above it.
	LabelID     *int64 `json:"label_id,omitzero"`
	AssigneeID  *int64 `json:"assignee_id,omitzero"`
	MilestoneID *int64 `json:"milestone_id,omitzero"`
	IterationID *int64 `json:"iteration_id,omitzero"`
}

func (o CreateBoardListOptions) check() error {
	set := 0
	for _, id := range []*int64{o.LabelID, o.AssigneeID, o.MilestoneID, o.IterationID} {
		if id != nil {
			set++
		}
	}
	if set != 1 {
		return badArgument("options", "must have exactly one of LabelID, AssigneeID, MilestoneID and IterationID")
	}
	return nil
}

// CreateList adds a list to a board, as the last one. The call returns [ErrBadRequest] if the label,
// the user, the milestone or the iteration does not exist there, or has a list already, or if the
// tier does not have lists of this type.
//
//	POST /projects/:id/boards/:board_id/lists
//	POST /groups/:id/boards/:board_id/lists
func (s *BoardsService) CreateList(
	ctx context.Context, owner BoardOwner, boardID int64, options CreateBoardListOptions, opts ...RequestOption,
) (*BoardList, *Response, error) {
	return do[BoardList](ctx, using(s), http.MethodPost, below(owner, boardLists, boardID), jsonOf(options), opts)
}

// UpdateBoardListOptions moves a list.
type UpdateBoardListOptions struct {
	// Position is the new [BoardList.Position]. It is always sent.
	Position int `json:"position"`
}

// UpdateList moves a list to another position. The lists between move along. The call returns
// [ErrBadRequest] if the list is there already, or if the board has no such position.
//
//	PUT /projects/:id/boards/:board_id/lists/:list_id
//	PUT /groups/:id/boards/:board_id/lists/:list_id
func (s *BoardsService) UpdateList(
	ctx context.Context, owner BoardOwner, boardID, listID int64, options UpdateBoardListOptions,
	opts ...RequestOption,
) (*BoardList, *Response, error) {
	return do[BoardList](ctx, using(s), http.MethodPut, below(owner, oneBoardList, boardID, listID), jsonOf(options),
		opts)
}

// DeleteList deletes a list of a board. Its issues stay, and the lists after it move up.
//
//	DELETE /projects/:id/boards/:board_id/lists/:list_id
//	DELETE /groups/:id/boards/:board_id/lists/:list_id
func (s *BoardsService) DeleteList(
	ctx context.Context, owner BoardOwner, boardID, listID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, oneBoardList, boardID, listID), nil, opts)
}

// Board shows issues in lists. Only premium instances set Milestone and the fields after it.
type Board struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// HideBacklogList and HideClosedList report whether the open and the closed list are
	// hidden.
	HideBacklogList bool `json:"hide_backlog_list"`
	HideClosedList  bool `json:"hide_closed_list"`
	// Project is nil for a board of a group. It has the fields of a list with Simple.
	Project *Project `json:"project"`
	// Group has only its ID, Name and WebURL. It is nil for a board of a project.
	Group *GroupSummary `json:"group"`
	// Lists are in the order of their positions.
	Lists []*BoardList `json:"lists"`
	// Milestone, Assignee, Labels and Weight limit the issues, nil and empty without a limit. A
	// Milestone without an ID has only a Title: "None", "Any", "Upcoming" or "Started".
	Milestone *Milestone      `json:"milestone"`
	Assignee  *UserSummary    `json:"assignee"`
	Labels    []*LabelSummary `json:"labels"`
	Weight    *int            `json:"weight"`
}

// BoardListType says what a list of a board collects.
type BoardListType string

// Types of lists. The service may send others.
const (
	BoardListTypeLabel     BoardListType = "label"
	BoardListTypeMilestone BoardListType = "milestone"
	BoardListTypeAssignee  BoardListType = "assignee"
	BoardListTypeIteration BoardListType = "iteration"
	// BoardListTypeBacklog and BoardListTypeClosed are the open and the closed list, which only
	// an [EpicBoard] has.
	BoardListTypeBacklog BoardListType = "backlog"
	BoardListTypeClosed  BoardListType = "closed"
)

// BoardList is a list of a board. At most one of Label, Milestone, Assignee and Iteration is set;
// none is for a type of list that exists only in later releases.
type BoardList struct {
	ID    int64         `json:"id"`
	Label *LabelSummary `json:"label"`
	// Position orders the lists of the board. The first is 0, but 1 in some releases.
	Position  int        `json:"position"`
	Milestone *Milestone `json:"milestone"`
	// Assignee has only its ID, Name, Username and PublicEmail.
	Assignee  *UserSummary `json:"assignee"`
	Iteration *Iteration   `json:"iteration"`
	// MaxIssueCount and MaxIssueWeight are limits at which the list is marked, of the number of
	// its issues and of their weights. 0 means no limit. LimitMetric says which of them counts:
	// "all_metrics", "issue_count" or "issue_weight"; it is empty if that was never set. Premium.
	MaxIssueCount  int    `json:"max_issue_count"`
	MaxIssueWeight int    `json:"max_issue_weight"`
	LimitMetric    string `json:"limit_metric"`
}

// Type says what the list collects, "" if this library does not know.
func (l *BoardList) Type() BoardListType {
	switch {
	case l == nil:
	case l.Label != nil:
		return BoardListTypeLabel
	case l.Milestone != nil:
		return BoardListTypeMilestone
	case l.Assignee != nil:
		return BoardListTypeAssignee
	case l.Iteration != nil:
		return BoardListTypeIteration
	}
	return ""
}

// EpicBoardsService reads the boards of epics of groups, since 15.9. Only people create and change
// them, on the web. Premium: without it, calls return [ErrForbidden].
//
// Its options are [ListOptions]. See the example of [EpicBoardsService.Get].
type EpicBoardsService service

const (
	oneEpicBoard     = "/groups/:id/epic_boards/:board_id"
	oneEpicBoardList = oneEpicBoard + "/lists/:list_id"
)

// List returns one page of the boards of a group, by name.
//
//	GET /groups/:id/epic_boards
func (s *EpicBoardsService) List(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) ([]*EpicBoard, *Response, error) {
	return list[*EpicBoard](ctx, using(s), Route("/groups/:id/epic_boards", group), queryOf(options), opts)
}

// All returns every board of a group, by name.
//
//	GET /groups/:id/epic_boards
func (s *EpicBoardsService) All(
	ctx context.Context, group GroupRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*EpicBoard, error] {
	return all[*EpicBoard](ctx, using(s), Route("/groups/:id/epic_boards", group), queryOf(options), opts)
}

// Get returns a board with its lists, including the open and the closed list.
//
//	GET /groups/:id/epic_boards/:board_id
func (s *EpicBoardsService) Get(
	ctx context.Context, group GroupRef, boardID int64, opts ...RequestOption,
) (*EpicBoard, *Response, error) {
	return do[EpicBoard](ctx, using(s), http.MethodGet, Route(oneEpicBoard, group, boardID), nil, opts)
}

// ListLists returns one page of the lists of a board by position, without the open and the closed
// list.
//
//	GET /groups/:id/epic_boards/:board_id/lists
func (s *EpicBoardsService) ListLists(
	ctx context.Context, group GroupRef, boardID int64, options *ListOptions, opts ...RequestOption,
) ([]*EpicBoardList, *Response, error) {
	return list[*EpicBoardList](ctx, using(s), Route(oneEpicBoard+"/lists", group, boardID), queryOf(options), opts)
}

// AllLists returns every list of a board. See [EpicBoardsService.ListLists].
//
//	GET /groups/:id/epic_boards/:board_id/lists
func (s *EpicBoardsService) AllLists(
	ctx context.Context, group GroupRef, boardID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*EpicBoardList, error] {
	return all[*EpicBoardList](ctx, using(s), Route(oneEpicBoard+"/lists", group, boardID), queryOf(options), opts)
}

// GetList returns a list of a board.
//
//	GET /groups/:id/epic_boards/:board_id/lists/:list_id
func (s *EpicBoardsService) GetList(
	ctx context.Context, group GroupRef, boardID, listID int64, opts ...RequestOption,
) (*EpicBoardList, *Response, error) {
	return do[EpicBoardList](ctx, using(s), http.MethodGet, Route(oneEpicBoardList, group, boardID, listID), nil, opts)
}

// EpicBoard shows the epics of a group in lists.
type EpicBoard struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// HideBacklogList and HideClosedList report whether the open and the closed list are
	// hidden.
	HideBacklogList bool `json:"hide_backlog_list"`
	HideClosedList  bool `json:"hide_closed_list"`
	// Group has only its ID, Name and WebURL.
	Group *GroupSummary `json:"group"`
	// Labels limit the epics, empty without a limit.
	Labels []*LabelSummary  `json:"labels"`
	Lists  []*EpicBoardList `json:"lists"`
}

// EpicBoardList is a list of a board of epics.
type EpicBoardList struct {
	ID int64 `json:"id"`
	// Label is nil for the open and the closed list.
	Label *LabelSummary `json:"label"`
	// Position orders the lists, nil for the open and the closed list.
	Position *int `json:"position"`
	// ListType is [BoardListTypeLabel], [BoardListTypeBacklog] or [BoardListTypeClosed].
	ListType BoardListType `json:"list_type"`
	// Collapsed reports whether the caller has collapsed the list on the web. It is nil in an
	// [EpicBoard].
	Collapsed *bool `json:"collapsed"`
}
