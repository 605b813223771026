package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceBoards makes boards of a project and of a group, with a list of each type.
func TestServiceBoards(t *testing.T) {
	c := newCompany(t)
	c.acme.Label("bug", "#ff0000", "It is broken")
	milestone := c.acme.Milestone("v1")
	sprint := c.acme.Iteration(servicetest.Iteration{Title: "Sprint"})
	s, ctx := c.asAda.Boards, t.Context()
	label, _, err := c.asAda.Labels.Get(ctx, acme, serviceapi.LabelName("bug"), nil)
	require.NoError(t, err)
	for _, owner := range []serviceapi.BoardOwner{teamApp, acme} {
		board, resp, err := s.Create(ctx, owner, serviceapi.CreateBoardOptions{Name: "Work"})
		require.NoError(t, err)
		assert.Equal(t, []any{201, "Work", false}, []any{resp.StatusCode, board.Name, board.HideClosedList})
		assert.Empty(t, board.Lists)
		if owner == teamApp {
			assert.Equal(t, c.app.ID(), board.Project.ID)
			assert.Nil(t, board.Group)
		} else {
			assert.Equal(t, []any{c.acme.ID(), "Acme"}, []any{board.Group.ID, board.Group.Name})
			assert.Nil(t, board.Project)
		}
		var made []*serviceapi.BoardList
		for _, options := range []serviceapi.CreateBoardListOptions{
			{LabelID: &label.ID}, {MilestoneID: new(milestone.ID())}, {AssigneeID: new(c.bob.ID())},
			{IterationID: &sprint.ID},
		} {
			list, _, err := s.CreateList(ctx, owner, board.ID, options)
			require.NoError(t, err)
			assert.Equal(t, len(made), list.Position)
			made = append(made, list)
		}
		types := func() []serviceapi.BoardListType {
			t.Helper()
			var types []serviceapi.BoardListType
			for list, err := range s.AllLists(ctx, owner, board.ID, &serviceapi.ListOptions{PerPage: 3}) {
				require.NoError(t, err)
				assert.Equal(t, len(types), list.Position)
				types = append(types, list.Type())
			}
			return types
		}
		assert.Equal(t, []serviceapi.BoardListType{"label", "milestone", "assignee", "iteration"}, types())
		assert.Equal(t, []any{"bug", "v1", "bob", "bob@example.com", "Sprint"}, []any{made[0].Label.Name,
			made[1].Milestone.Title, made[2].Assignee.Username, made[2].Assignee.PublicEmail, made[3].Iteration.Title})

		moved, _, err := s.UpdateList(ctx, owner, board.ID, made[3].ID, serviceapi.UpdateBoardListOptions{Position: 0})
		require.NoError(t, err)
		assert.Equal(t, []any{0, "Sprint"}, []any{moved.Position, moved.Iteration.Title})
		_, _, err = s.UpdateList(ctx, owner, board.ID, made[3].ID, serviceapi.UpdateBoardListOptions{Position: 4})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		_, err = s.DeleteList(ctx, owner, board.ID, made[1].ID)
		require.NoError(t, err)
		assert.Equal(t, []serviceapi.BoardListType{"iteration", "label", "assignee"}, types())
		_, _, err = s.GetList(ctx, owner, board.ID, made[1].ID)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		got, _, err := s.GetList(ctx, owner, board.ID, made[0].ID)
		require.NoError(t, err)
		assert.Equal(t, []any{1, "bug"}, []any{got.Position, got.Label.Name})
		_, _, err = s.CreateList(ctx, owner, board.ID, serviceapi.CreateBoardListOptions{LabelID: &label.ID})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest, "there is one")
	}
}

// TestServiceBoardsAreLimited limits what boards show, and lifts the limits.
func TestServiceBoardsAreLimited(t *testing.T) {
	c := newCompany(t)
	milestone := c.acme.Milestone("v1")
	s, ctx := c.asAda.Boards, t.Context()
	for _, owner := range []serviceapi.BoardOwner{teamApp, acme} {
		board, _, err := s.Create(ctx, owner, serviceapi.CreateBoardOptions{Name: "Work"})
		require.NoError(t, err)
		changed, _, err := s.Update(ctx, owner, board.ID, serviceapi.UpdateBoardOptions{
			Name: new("Play"), HideBacklogList: new(true), AssigneeID: serviceapi.Value(c.bob.ID()),
			MilestoneID: serviceapi.Value(milestone.ID()), Labels: serviceapi.LabelNames{"new", "old"},
			Weight: serviceapi.Value(5),
		})
		require.NoError(t, err)
		assert.Equal(t, []any{"Play", true, false, "bob", "v1", "new", "old", 5}, []any{changed.Name,
			changed.HideBacklogList, changed.HideClosedList, changed.Assignee.Username, changed.Milestone.Title,
			changed.Labels[0].Name, changed.Labels[1].Name, *changed.Weight})
		boards, err := serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Board{changed}, boards)
		lifted, _, err := s.Update(ctx, owner, board.ID, serviceapi.UpdateBoardOptions{
			HideClosedList: new(true), AssigneeID: serviceapi.Null[int64](), MilestoneID: serviceapi.Null[int64](),
			Labels: serviceapi.LabelNames{}, Weight: serviceapi.Null[int](),
		})
		require.NoError(t, err)
		assert.Equal(t, []any{"Play", true, true}, []any{lifted.Name, lifted.HideBacklogList, lifted.HideClosedList})
		assert.Nil(t, lifted.Assignee)
		assert.Nil(t, lifted.Milestone)
		assert.Empty(t, lifted.Labels)
		assert.Nil(t, lifted.Weight)
		_, err = s.Delete(ctx, owner, board.ID)
		require.NoError(t, err)
		_, _, err = s.Get(ctx, owner, board.ID)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
	free := newCompany(t, servicetest.WithTier(servicetest.Free))
	_, _, err := free.asAda.Boards.Create(ctx, acme, serviceapi.CreateBoardOptions{Name: "Work"})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	board, _, err := free.asAda.Boards.Create(ctx, teamApp, serviceapi.CreateBoardOptions{Name: "Work"})
	require.NoError(t, err)
	_, _, err = free.asAda.Boards.CreateList(ctx, teamApp, board.ID,
		serviceapi.CreateBoardListOptions{AssigneeID: new(free.bob.ID())})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

// TestServiceEpicBoards reads a seeded board.
func TestServiceEpicBoards(t *testing.T) {
	c := newCompany(t)
	c.acme.AddMember(c.bob, servicetest.Guest)
	seeded := c.acme.EpicBoard(servicetest.EpicBoard{
		ID: 7, Name: "Roadmap", Labels: []string{"next", "later"}, Limit: []string{"big"}, HideClosedList: true,
		Collapsed: map[string][]*servicetest.User{"later": {c.bob}},
	})
	c.acme.EpicBoard(servicetest.EpicBoard{Name: "Archive", HideBacklogList: true})
	s, ctx := c.asBob.EpicBoards, t.Context()
	boards, err := serviceapi.Collect(s.All(ctx, acme, nil))
	require.NoError(t, err)
	require.Len(t, boards, 2)
	assert.Equal(t, []any{"Archive", true, false, int64(8)},
		[]any{boards[0].Name, boards[0].HideBacklogList, boards[0].HideClosedList, boards[0].ID})
	board, _, err := s.Get(ctx, acme, seeded.ID)
	require.NoError(t, err)
	assert.Equal(t, boards[1], board)
	assert.Equal(t, []any{int64(7), "Roadmap", false, true, "big", c.acme.ID()}, []any{board.ID, board.Name,
		board.HideBacklogList, board.HideClosedList, board.Labels[0].Name, board.Group.ID})
	require.Len(t, board.Lists, 4)
	assert.Equal(t, []any{serviceapi.BoardListTypeBacklog, serviceapi.BoardListTypeLabel, "next", 0, "later", 1,
		serviceapi.BoardListTypeClosed}, []any{board.Lists[0].ListType, board.Lists[1].ListType,
		board.Lists[1].Label.Name, *board.Lists[1].Position, board.Lists[2].Label.Name, *board.Lists[2].Position,
		board.Lists[3].ListType})
	assert.Nil(t, board.Lists[3].Position)
	assert.Nil(t, board.Lists[1].Collapsed)

	lists, err := serviceapi.Collect(s.AllLists(ctx, acme, seeded.ID, nil))
	require.NoError(t, err)
	require.Len(t, lists, 2)
	assert.Equal(t, []any{"next", false, "later", true},
		[]any{lists[0].Label.Name, *lists[0].Collapsed, lists[1].Label.Name, *lists[1].Collapsed})
	list, _, err := s.GetList(ctx, acme, seeded.ID, lists[1].ID)
	require.NoError(t, err)
	assert.Equal(t, lists[1], list)
	_, _, err = s.GetList(ctx, acme, seeded.ID, board.Lists[0].ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "the open list")
	_, err = c.asAda.Labels.Delete(ctx, acme, serviceapi.LabelName("next"))
	require.NoError(t, err)
	lists, _, err = s.ListLists(ctx, acme, seeded.ID, nil)
	require.NoError(t, err)
	require.Len(t, lists, 1)
	assert.Equal(t, []any{"later", 0}, []any{lists[0].Label.Name, *lists[0].Position})
}
