package serviceapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mentionedBob is testdata/todos/todo.json.
func mentionedBob(t *testing.T) *Todo {
	return &Todo{
		ID: 102,
		Project: &ProjectSummary{
			ID: 7, Description: "An app.", Name: "App", NameWithNamespace: "Acme / App", Path: "app",
			PathWithNamespace: "acme/app", CreatedAt: at(t, "2026-01-01T10:00:00Z"),
		},
		Group: &NamespaceSummary{
			ID: 3, Name: "Acme", Path: "acme", Kind: NamespaceKindGroup, FullPath: "acme", ParentID: new(int64(2)),
			AvatarURL: "https://service.test/g.png", WebURL: "https://service.test/groups/acme",
		},
		Author: &UserSummary{
			ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
			AvatarURL: "https://service.test/a.png", WebURL: "https://service.test/ada",
		},
		ActionName: TodoActionMentioned, TargetType: TodoTargetTypeIssue,
		Target:    json.RawMessage(`{"id": 34, "iid": 12, "project_id": 7, "title": "Crash"}`),
		TargetURL: "https://service.test/acme/app/-/issues/12#note_302", Body: "@bob Why?", State: TodoStatePending,
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
		exchange{Method: "POST", Path: request, Status: 404})
	s, ctx, want := client.Todos, t.Context(), []*Todo{mentionedBob(t), {ID: 103}}
	todos, _, err := s.List(ctx, &ListTodosOptions{
		ListOptions: ListOptions{Page: 2}, Action: TodoActionMentioned, AuthorID: 1, ProjectID: 7, GroupID: 3,
		State: TodoStateDone, Type: TodoTargetTypeIssue,
	})
	require.NoError(t, err)
	assert.Equal(t, want, todos)
	assertFilled(t, todos[0])
	todos, err = Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, want, todos)
	todo, _, err := s.MarkAsDone(ctx, 102)
	require.NoError(t, err)
	assert.Equal(t, want[0], todo)
	_, err = s.MarkAllAsDone(ctx)
	require.NoError(t, err)
	created, _, err := s.Create(ctx, ProjectPath("acme/app").Issue(12))
	require.NoError(t, err)
	assert.Equal(t, &CreatedTodo{Todo: want[0]}, created)
	on := ProjectID(7).MergeRequest(4)
	created, resp, err := s.Create(ctx, on)
	require.NoError(t, err)
	assert.Equal(t, 304, resp.StatusCode)
	assert.Equal(t, &CreatedTodo{Unchanged: true}, created)
	created, _, err = s.Create(ctx, on)
	require.ErrorIs(t, err, ErrNotFound)
	assert.Nil(t, created)
}

func TestTodosArguments(t *testing.T) {
	s, ctx := onWire(t).Todos, t.Context()
	for _, owner := range []TodoOwner{nil, IssueRef{}, ProjectID(7).MergeRequest(0)} {
		_, _, err := s.Create(ctx, owner)
		require.ErrorAs(t, err, new(*ArgumentError))
	}
	_, _, err := s.MarkAsDone(ctx, 0)
	assertRefused(t, "id", err)
}

// TestTodoTargets decodes the targets of to-do items, whose IDs are numbers or texts.
func TestTodoTargets(t *testing.T) {
	of := func(kind TodoTargetType, target string) *Todo {
		return &Todo{TargetType: kind, Target: json.RawMessage(target)}
	}
	issue, err := of(TodoTargetTypeIssue, `{"id":34,"iid":12}`).Issue()
	require.NoError(t, err)
	assert.Equal(t, &Issue{ID: 34, IID: 12}, issue)
	request, err := of(TodoTargetTypeMergeRequest, `{"id":11,"iid":4}`).MergeRequest()
	require.NoError(t, err)
	assert.Equal(t, []int64{11, 4}, []int64{request.ID, request.IID})
	commit, err := of(TodoTargetTypeCommit, `{"id":"1f3a","title":"Begin"}`).Commit()
	require.NoError(t, err)
	assert.Equal(t, &Commit{ID: "1f3a", Title: "Begin"}, commit)
	epic, err := of(TodoTargetTypeEpic, `{"id":5,"title":"Grow"}`).Epic()
	require.NoError(t, err)
	assert.Equal(t, "Grow", epic.Title)
	design, err := of(TodoTargetTypeDesign,
		`{"id":6,"project_id":7,"filename":"a.png","image_url":"https://a"}`).Design()
	require.NoError(t, err)
	assert.Equal(t, &TodoDesign{ID: 6, ProjectID: 7, Filename: "a.png", ImageURL: "https://a"}, design)
	alert, err := of(TodoTargetTypeAlert, `{"iid":8,"title":"Down"}`).Alert()
	require.NoError(t, err)
	assert.Equal(t, &TodoAlert{IID: 8, Title: "Down"}, alert)

	other, err := of(TodoTargetTypeIssue, `{"id":34}`).Epic()
	require.NoError(t, err)
	assert.Nil(t, other, "it is an issue")
	none, err := (*Todo)(nil).Issue()
	require.NoError(t, err)
	assert.Nil(t, none)
	none, err = of(TodoTargetTypeIssue, "").Issue()
	require.NoError(t, err)
	assert.Nil(t, none)
	_, err = of(TodoTargetTypeIssue, `[]`).Issue()
	assert.Error(t, err)
}
