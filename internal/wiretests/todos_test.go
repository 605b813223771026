package wiretests

import (
	"encoding/json"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mentionedBob is testdata/todos/todo.json.
func mentionedBob(t *testing.T) *serviceapi.Todo {
	return &serviceapi.Todo{
		ID: 102,
		Project: &serviceapi.ProjectSummary{
			ID: 7, Description: "An app.", Name: "App", NameWithNamespace: "Acme / App", Path: "app",
			PathWithNamespace: "acme/app", CreatedAt: at(t, "2026-01-01T10:00:00Z"),
		},
		Group: &serviceapi.NamespaceSummary{
			ID: 3, Name: "Acme", Path: "acme", Kind: serviceapi.NamespaceKindGroup, FullPath: "acme",
			ParentID:  new(int64(2)),
			AvatarURL: "https://service.test/g.png", WebURL: "https://service.test/groups/acme",
		},
		Author: &serviceapi.UserSummary{
			ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
			AvatarURL: "https://service.test/a.png", WebURL: "https://service.test/ada",
		},
		ActionName: serviceapi.TodoActionMentioned, TargetType: serviceapi.TodoTargetTypeIssue,
		Target:    json.RawMessage(`{"id": 34, "iid": 12, "project_id": 7, "title": "Crash"}`),
		TargetURL: "https://service.test/acme/app/-/issues/12#note_302", Body: "@bob Why?",
		State:     serviceapi.TodoStatePending,
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: at(t, "2026-03-01T10:00:01Z"),
	}
}

func TestTodos(t *testing.T) {
	const whole = "todos/todo.json"
	body := "[" + fixture(t, whole) + `,{"id":103,"author":null}]`
	const issue, request = "/projects/acme%2Fapp/issues/12/todo", "/projects/7/merge_requests/4/todo"
	client := onWire(t,
		exchange{Method: "GET", Path: "/todos", Body: body,
			Query: "action=mentioned&author_id=1&group_id=3&page=2&project_id=7&state=done&type=Issue"},
		exchange{Method: "GET", Path: "/todos", Query: "per_page=100", Body: body},
		exchange{Method: "POST", Path: "/todos/102/mark_as_done", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: "/todos/mark_as_done", Status: 204},
		exchange{Method: "POST", Path: issue, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: request, Status: 304},
		exchange{Method: "POST", Path: request, Status: 404},
		exchange{Method: "POST", Path: "/groups/7/epics/5/todo", Status: 201, Fixture: whole})
	s, ctx, want := client.Todos, t.Context(), []*serviceapi.Todo{mentionedBob(t), {ID: 103}}
	todos, _, err := s.List(ctx, &serviceapi.ListTodosOptions{
		ListOptions: serviceapi.ListOptions{
			Page: 2,
		}, Action: serviceapi.TodoActionMentioned, AuthorID: 1, ProjectID: 7, GroupID: 3,
		State: serviceapi.TodoStateDone, Type: serviceapi.TodoTargetTypeIssue,
	})
	require.NoError(t, err)
	assert.Equal(t, want, todos)
	assertFilled(t, todos[0])
	todos, err = serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, want, todos)
	todo, _, err := s.MarkAsDone(ctx, 102)
	require.NoError(t, err)
	assert.Equal(t, want[0], todo)
	_, err = s.MarkAllAsDone(ctx)
	require.NoError(t, err)
	created, _, err := s.Create(ctx, serviceapi.ProjectPath("acme/app").Issue(12))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CreatedTodo{Todo: want[0]}, created)
	on := serviceapi.ProjectID(7).MergeRequest(4)
	created, resp, err := s.Create(ctx, on)
	require.NoError(t, err)
	assert.Equal(t, 304, resp.StatusCode)
	assert.Equal(t, &serviceapi.CreatedTodo{Unchanged: true}, created)
	created, _, err = s.Create(ctx, on)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Nil(t, created)
	created, _, err = s.Create(ctx, serviceapi.GroupID(7).Epic(5))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CreatedTodo{Todo: want[0]}, created)
}

func TestTodosArguments(t *testing.T) {
	s, ctx := onWire(t).Todos, t.Context()
	for _, owner := range []serviceapi.TodoOwner{
		nil, serviceapi.IssueRef{}, serviceapi.ProjectID(7).MergeRequest(0), serviceapi.GroupID(7).EpicByID(31),
	} {
		_, _, err := s.Create(ctx, owner)
		require.ErrorAs(t, err, new(*serviceapi.ArgumentError))
	}
	_, _, err := s.MarkAsDone(ctx, 0)
	assertRefused(t, "id", err)
}

// TestTodoTargets decodes the targets of to-do items, whose IDs are numbers or texts.
func TestTodoTargets(t *testing.T) {
	of := func(kind serviceapi.TodoTargetType, target string) *serviceapi.Todo {
		return &serviceapi.Todo{TargetType: kind, Target: json.RawMessage(target)}
	}
	issue, err := of(serviceapi.TodoTargetTypeIssue, `{"id":34,"iid":12}`).Issue()
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Issue{ID: 34, IID: 12}, issue)
	request, err := of(serviceapi.TodoTargetTypeMergeRequest, `{"id":11,"iid":4}`).MergeRequest()
	require.NoError(t, err)
	assert.Equal(t, []int64{11, 4}, []int64{request.ID, request.IID})
	commit, err := of(serviceapi.TodoTargetTypeCommit, `{"id":"1f3a","title":"Begin"}`).Commit()
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Commit{ID: "1f3a", Title: "Begin"}, commit)
	epic, err := of(serviceapi.TodoTargetTypeEpic, `{"id":5,"title":"Grow"}`).Epic()
	require.NoError(t, err)
	assert.Equal(t, "Grow", epic.Title)
	design, err := of(serviceapi.TodoTargetTypeDesign,
		`{"id":6,"project_id":7,"filename":"a.png","image_url":"https://a"}`).Design()
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TodoDesign{ID: 6, ProjectID: 7, Filename: "a.png", ImageURL: "https://a"}, design)
	alert, err := of(serviceapi.TodoTargetTypeAlert, `{"iid":8,"title":"Down"}`).Alert()
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TodoAlert{IID: 8, Title: "Down"}, alert)

	other, err := of(serviceapi.TodoTargetTypeIssue, `{"id":34}`).Epic()
	require.NoError(t, err)
	assert.Nil(t, other, "it is an issue")
	none, err := (*serviceapi.Todo)(nil).Issue()
	require.NoError(t, err)
	assert.Nil(t, none)
	none, err = of(serviceapi.TodoTargetTypeIssue, "").Issue()
	require.NoError(t, err)
	assert.Nil(t, none)
	_, err = of(serviceapi.TodoTargetTypeIssue, `[]`).Issue()
	assert.Error(t, err)
}
