package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// boardOwners are the owners of boards, with their paths.
var boardOwners = map[string]serviceapi.BoardOwner{
	"/projects/acme%2Fapp": serviceapi.ProjectPath("acme/app"),
	"/groups/7":            serviceapi.GroupID(7),
}

// bugOnBoard is the label in the fixtures of boards.
func bugOnBoard() *serviceapi.LabelSummary {
	return &serviceapi.LabelSummary{
		ID: new(int64(21)), Name: "bug", Color: "#ff0000", TextColor: "#ffffff", Description: "Wrong",
		DescriptionHTML: "<p>Wrong</p>", Archived: true,
	}
}

var acmeShort = &serviceapi.GroupSummary{ID: 7, Name: "Acme", WebURL: "https://service.test/groups/acme"}

// wholeList is testdata/boards/board_list.json. It has all fields, which no list of the service
// has.
func wholeList(t *testing.T) *serviceapi.BoardList {
	return &serviceapi.BoardList{
		ID: 3, Label: bugOnBoard(), Position: 2, Milestone: secondEngine(t),
		Assignee: &serviceapi.UserSummary{
			ID: 1, Name: "Ada Lovelace", Username: "ada", PublicEmail: "ada@example.org",
		},
		Iteration: &serviceapi.Iteration{
			ID: 90, IID: 4, Sequence: 2, GroupID: 7, Title: "Sprint", Description: "Short",
			State:     serviceapi.IterationStateCurrent,
			CreatedAt: *at(t, "2026-02-01T00:00:00Z"), UpdatedAt: *at(t, "2026-02-02T00:00:00Z"),
			StartDate: new(serviceapi.NewDate(2026, 3, 1)), DueDate: new(serviceapi.NewDate(2026, 3, 14)),
			WebURL: "https://service.test/groups/acme/-/iterations/90",
		},
		MaxIssueCount: 5, MaxIssueWeight: 8, LimitMetric: "issue_count",
	}
}

// workBoard is testdata/boards/board.json.
func workBoard(t *testing.T) *serviceapi.Board {
	return &serviceapi.Board{
		ID: 1, Name: "Work", HideBacklogList: true, HideClosedList: true, Project: basicProject(t), Group: acmeShort,
		Lists: []*serviceapi.BoardList{wholeList(t)}, Milestone: secondEngine(t), Assignee: &adaSummary,
		Labels: []*serviceapi.LabelSummary{bugOnBoard()}, Weight: new(3),
	}
}

func TestBoards(t *testing.T) {
	const whole = "boards/board.json"
	for path, owner := range boardOwners {
		path += "/boards"
		listed := "[" + fixture(t, whole) + `,{"id":2,"project":null,"group":null,"weight":null}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2", Body: listed},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: listed},
			exchange{Method: "GET", Path: path + "/1", Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"name":"Work"}`, Status: 201, Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"name":"Work"}`, Status: 403,
				Body: `{"message":"403 Forbidden"}`},
			exchange{Method: "PUT", Path: path + "/1", Fixture: whole,
				JSON: `{"name":"Work","hide_backlog_list":true,"hide_closed_list":false,"assignee_id":1,` +
					`"milestone_id":12,"labels":"bug,new","weight":0}`},
			exchange{Method: "PUT", Path: path + "/1", Fixture: whole,
				JSON: `{"assignee_id":null,"milestone_id":null,"labels":"","weight":null}`},
			exchange{Method: "PUT", Path: path + "/1", JSON: `{}`, Fixture: whole},
			exchange{Method: "DELETE", Path: path + "/1", Status: 204})
		s, ctx := client.Boards, t.Context()
		want := []*serviceapi.Board{workBoard(t), {ID: 2}}
		boards, _, err := s.List(ctx, owner, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, want, boards)
		assertFilled(t, boards[0])
		boards, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, boards)
		wantBoard := func(board *serviceapi.Board, _ *serviceapi.Response, err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, want[0], board)
		}
		wantBoard(s.Get(ctx, owner, 1))
		wantBoard(s.Create(ctx, owner, serviceapi.CreateBoardOptions{Name: "Work"}))
		_, _, err = s.Create(ctx, owner, serviceapi.CreateBoardOptions{Name: "Work"})
		require.ErrorIs(t, err, serviceapi.ErrForbidden)
		wantBoard(s.Update(ctx, owner, 1, serviceapi.UpdateBoardOptions{
			Name: new("Work"), HideBacklogList: new(true), HideClosedList: new(false),
			AssigneeID: serviceapi.Value(int64(1)), MilestoneID: serviceapi.Value(int64(12)),
			Labels: serviceapi.LabelNames{"bug", "new"}, Weight: serviceapi.Value(0),
		}))
		wantBoard(s.Update(ctx, owner, 1, serviceapi.UpdateBoardOptions{
			AssigneeID: serviceapi.Null[int64](), MilestoneID: serviceapi.Null[int64](),
			Labels: serviceapi.LabelNames{}, Weight: serviceapi.Null[int](),
		}))
		wantBoard(s.Update(ctx, owner, 1, serviceapi.UpdateBoardOptions{}))
		_, err = s.Delete(ctx, owner, 1)
		require.NoError(t, err)
	}
}

func TestBoardLists(t *testing.T) {
	const whole = "boards/board_list.json"
	for path, owner := range boardOwners {
		path += "/boards/1/lists"
		listed := "[" + fixture(t, whole) + `,{"id":4,"label":null,"limit_metric":null}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2", Body: listed},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: listed},
			exchange{Method: "GET", Path: path + "/3", Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"label_id":21}`, Status: 201, Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"assignee_id":1}`, Status: 201, Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"milestone_id":12}`, Status: 201, Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"iteration_id":90}`, Status: 400,
				Body: `{"message":{"error":"Iteration not found"}}`},
			exchange{Method: "PUT", Path: path + "/3", JSON: `{"position":0}`, Fixture: whole},
			exchange{Method: "DELETE", Path: path + "/3", Status: 204})
		s, ctx := client.Boards, t.Context()
		want := []*serviceapi.BoardList{wholeList(t), {ID: 4}}
		lists, _, err := s.ListLists(ctx, owner, 1, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, want, lists)
		assertFilled(t, lists[0])
		lists, err = serviceapi.Collect(s.AllLists(ctx, owner, 1, nil))
		require.NoError(t, err)
		assert.Equal(t, want, lists)
		wantList := func(list *serviceapi.BoardList, _ *serviceapi.Response, err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, want[0], list)
		}
		wantList(s.GetList(ctx, owner, 1, 3))
		for _, options := range []serviceapi.CreateBoardListOptions{
			{LabelID: new(int64(21))}, {AssigneeID: new(int64(1))}, {MilestoneID: new(int64(12))},
		} {
			wantList(s.CreateList(ctx, owner, 1, options))
		}
		_, _, err = s.CreateList(ctx, owner, 1, serviceapi.CreateBoardListOptions{IterationID: new(int64(90))})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		assert.ErrorContains(t, err, "Iteration not found")
		wantList(s.UpdateList(ctx, owner, 1, 3, serviceapi.UpdateBoardListOptions{}))
		_, err = s.DeleteList(ctx, owner, 1, 3)
		require.NoError(t, err)
	}
}

func TestBoardsArguments(t *testing.T) {
	s, ctx, owner := onWire(t).Boards, t.Context(), serviceapi.GroupID(7)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "owner", failed(s.List(ctx, nil, nil)))
	assertRefused(t, "id", failed(s.List(ctx, serviceapi.ProjectRef{}, nil)))
	assertRefused(t, "board_id", failed(s.Get(ctx, owner, 0)))
	assertRefused(t, "Name", failed(s.Create(ctx, owner, serviceapi.CreateBoardOptions{})))
	assertRefused(t, "list_id", failed(s.GetList(ctx, owner, 1, 0)))
	assertRefused(t, "list_id", second(s.DeleteList(ctx, owner, 1, -1)))
	assertRefused(t, "options", failed(s.CreateList(ctx, owner, 1, serviceapi.CreateBoardListOptions{})))
	assertRefused(t, "options", failed(s.CreateList(ctx, owner, 1,
		serviceapi.CreateBoardListOptions{LabelID: new(int64(1)), IterationID: new(int64(2))})))
}

// TestBoardListType decodes a list of each type.
func TestBoardListType(t *testing.T) {
	for text, want := range map[string]serviceapi.BoardListType{
		`{"label":{"id":1}}`:                      serviceapi.BoardListTypeLabel,
		`{"label":null,"milestone":{"id":1}}`:     serviceapi.BoardListTypeMilestone,
		`{"label":null,"assignee":{"id":1}}`:      serviceapi.BoardListTypeAssignee,
		`{"label":null,"iteration":{"id":1}}`:     serviceapi.BoardListTypeIteration,
		`{"label":null,"status":{"name":"Done"}}`: "",
	} {
		assert.Equal(t, want, decoded[serviceapi.BoardList](t, text).Type(), text)
	}
	assert.Empty(t, (*serviceapi.BoardList)(nil).Type())
}

func TestEpicBoards(t *testing.T) {
	const path, whole, wholeList = "/groups/acme%2Fengines/epic_boards", "boards/epic_board.json",
		"boards/epic_board_list.json"
	boards, lists := "["+fixture(t, whole)+"]", "["+fixture(t, wholeList)+"]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: boards},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: boards},
		exchange{Method: "GET", Path: path + "/2", Fixture: whole},
		exchange{Method: "GET", Path: path + "/2/lists", Query: "page=2", Body: lists},
		exchange{Method: "GET", Path: path + "/2/lists", Query: "per_page=100", Body: lists},
		exchange{Method: "GET", Path: path + "/2/lists/4", Fixture: wholeList},
		exchange{Method: "GET", Path: path + "/3", Status: 403, Body: `{"message":"403 Forbidden"}`})
	s, ctx, group := client.EpicBoards, t.Context(), serviceapi.GroupPath("acme/engines")
	list := &serviceapi.EpicBoardList{
		ID: 4, Label: bugOnBoard(), Position: new(1), ListType: serviceapi.BoardListTypeLabel, Collapsed: new(true),
	}
	want := &serviceapi.EpicBoard{
		ID: 2, Name: "Roadmap", HideBacklogList: true, HideClosedList: true, Group: acmeShort,
		Labels: []*serviceapi.LabelSummary{bugOnBoard()},
		Lists:  []*serviceapi.EpicBoardList{{ID: 5, ListType: serviceapi.BoardListTypeBacklog}, list},
	}
	found, _, err := s.List(ctx, group, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.EpicBoard{want}, found)
	assertFilled(t, found[0])
	assertFilled(t, found[0].Lists[1])
	found, err = serviceapi.Collect(s.All(ctx, group, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.EpicBoard{want}, found)
	board, _, err := s.Get(ctx, group, 2)
	require.NoError(t, err)
	assert.Equal(t, want, board)
	listed, _, err := s.ListLists(ctx, group, 2, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.EpicBoardList{list}, listed)
	listed, err = serviceapi.Collect(s.AllLists(ctx, group, 2, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.EpicBoardList{list}, listed)
	one, _, err := s.GetList(ctx, group, 2, 4)
	require.NoError(t, err)
	assert.Equal(t, list, one)
	_, _, err = s.Get(ctx, group, 3)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)

	_, _, err = s.Get(ctx, serviceapi.GroupRef{}, 2)
	assertRefused(t, "id", err)
	_, _, err = s.GetList(ctx, group, 2, 0)
	assertRefused(t, "list_id", err)
	_, err = serviceapi.Collect(s.AllLists(ctx, group, 0, nil))
	assertRefused(t, "board_id", err)
}
