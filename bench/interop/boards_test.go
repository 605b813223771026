package interop

import (
	"fmt"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// positions returns the positions of lists.
func positions(lists []*clientgo.BoardList) []int64 {
	return each(lists, func(list *clientgo.BoardList) int64 { return list.Position })
}

func TestBoards(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Label("bug", "#ff0000", "Wrong")
	milestone, b := project.Milestone("v1"), e.admin.Boards
	for _, name := range []string{"Work", "Play", "Rest"} {
		made := got(b.CreateIssueBoard(app, &clientgo.CreateIssueBoardOptions{Name: &name})).ok(e, 201)
		assert.Equal(t, name, made.Name)
	}
	changed := got(b.UpdateIssueBoard(app, 1, &clientgo.UpdateIssueBoardOptions{
		HideClosedList: new(true), MilestoneID: new(milestone.ID()), Labels: &clientgo.LabelOptions{"bug"},
	})).ok(e, 200)
	assert.Equal(t, []any{true, "v1", "bug"}, []any{changed.HideClosedList, changed.Milestone.Title,
		changed.Labels[0].Name})
	names := each(walk1(e, b.ListIssueBoards, any(app), &clientgo.ListIssueBoardsOptions{}),
		func(board *clientgo.IssueBoard) string { return board.Name })
	assert.Equal(t, []string{"Play", "Rest", "Work"}, names)
	for _, options := range []*clientgo.CreateIssueBoardListOptions{
		{LabelID: new(int64(1))}, {MilestoneID: new(milestone.ID())}, {AssigneeID: new(int64(1))},
	} {
		got(b.CreateIssueBoardList(app, 1, options)).ok(e, 201)
	}
	moved := got(b.UpdateIssueBoardList(app, 1, 3, &clientgo.UpdateIssueBoardListOptions{Position: new(int64(0))}))
	assert.Equal(t, "root", moved.ok(e, 200).Assignee.Username)
	lists := walk2(e, b.GetIssueBoardLists, any(app), 1, &clientgo.GetIssueBoardListsOptions{})
	assert.Equal(t, []int64{0, 1, 2}, positions(lists))
	assert.Equal(t, "v1", got(b.GetIssueBoardList(app, 1, 2)).ok(e, 200).Milestone.Title)
	done(b.DeleteIssueBoardList(app, 1, 2)).ok(e, 204)
	assert.Len(t, got(b.GetIssueBoard(app, 1)).ok(e, 200).Lists, 2)
	done(b.DeleteIssueBoard(app, 1)).ok(e, 204)
	got(b.GetIssueBoard(app, 1)).refused(e, 404)
}

func TestGroupBoards(t *testing.T) {
	e := start(t)
	group, b := e.svc.Group(acme), e.admin.GroupIssueBoards
	for i, name := range []string{"bug", "idea", "debt"} {
		group.Label(name, "#ff0000", "Wrong")
		board := fmt.Sprint("Board ", i)
		made := got(b.CreateGroupIssueBoard(acme, &clientgo.CreateGroupIssueBoardOptions{Name: &board})).ok(e, 201)
		assert.Equal(t, "Acme", made.Group.Name)
	}
	changed := got(b.UpdateIssueBoard(acme, 2, &clientgo.UpdateGroupIssueBoardOptions{
		Name: new("Work"), Labels: &clientgo.LabelOptions{"bug"},
	})).ok(e, 200)
	assert.Equal(t, []string{"Work", "bug"}, []string{changed.Name, changed.Labels[0].Name})
	assert.Len(t, walk1(e, b.ListGroupIssueBoards, any(acme), &clientgo.ListGroupIssueBoardsOptions{}), 3)
	for label := range int64(3) {
		got(b.CreateGroupIssueBoardList(acme, 2,
			&clientgo.CreateGroupIssueBoardListOptions{LabelID: new(label + 1)})).ok(e, 201)
	}
	// The client expects all lists here, but the service responds with the moved one.
	moved := request[clientgo.BoardList](e.admin, "PUT", "groups/acme/boards/2/lists/1", map[string]int{"position": 2})
	assert.EqualValues(t, 2, moved.ok(e, 200).Position)
	lists := walk2(e, b.ListGroupIssueBoardLists, any(acme), 2, &clientgo.ListGroupIssueBoardListsOptions{})
	assert.Equal(t, []int64{0, 1, 2}, positions(lists))
	assert.Equal(t, "idea", got(b.GetGroupIssueBoardList(acme, 2, 2)).ok(e, 200).Label.Name)
	done(b.DeleteGroupIssueBoardList(acme, 2, 2)).ok(e, 204)
	assert.Len(t, got(b.GetGroupIssueBoard(acme, 2)).ok(e, 200).Lists, 2)
	done(b.DeleteIssueBoard(acme, 2)).ok(e, 204)
}

func TestEpicBoards(t *testing.T) {
	e := start(t)
	group, b := e.svc.Group(acme), e.admin.GroupEpicBoards
	for _, name := range []string{"Now", "Later", "Never"} {
		group.EpicBoard(servicetest.EpicBoard{Name: name, Labels: []string{"a", "b"}, Limit: []string{"big"}})
	}
	names := each(walk1(e, b.ListGroupEpicBoards, any(acme), &clientgo.ListGroupEpicBoardsOptions{}),
		func(board *clientgo.GroupEpicBoard) string { return board.Name })
	assert.Equal(t, []string{"Later", "Never", "Now"}, names)
	board := got(b.GetGroupEpicBoard(acme, 1)).ok(e, 200)
	assert.Equal(t, []any{"Now", "big", "a"}, []any{board.Name, board.Labels[0].Name, board.Lists[1].Label.Name})
	lists := request[[]map[string]any](e.admin, "GET", "groups/acme/epic_boards/1/lists", nil).ok(e, 200)
	assert.Len(t, lists, 2)
	list := request[map[string]any](e.admin, "GET", "groups/acme/epic_boards/1/lists/2", nil).ok(e, 200)
	assert.Equal(t, lists[0], list)
	assert.Equal(t, lists[1:], secondPage(e, "groups/acme/epic_boards/1/lists"))
}
