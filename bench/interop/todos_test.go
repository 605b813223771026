package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"

	"example.com/serviceapi/servicetest"
)

func TestTodos(t *testing.T) {
	e := start(t)
	root := e.svc.Root()
	issue := e.svc.Project(app).Issue("Leak", servicetest.AssignedTo(root), servicetest.By(e.svc.User("grace")))
	todos := got(e.admin.Todos.ListTodos(&clientgo.ListTodosOptions{Action: new(clientgo.TodoAssigned)})).ok(e, 200)
	if assert.NotEmpty(t, todos) {
		assert.Equal(t, []any{"Leak", "grace", clientgo.TodoTargetIssue},
			[]any{todos[0].Body, todos[0].Author.Username, todos[0].TargetType})
		done(e.admin.Todos.MarkTodoAsDone(todos[0].ID)).ok(e, 201)
	}
	made := got(e.admin.Issues.CreateTodo(app, issue.IID())).ok(e, 201)
	assert.Equal(t, clientgo.TodoAction("marked"), made.ActionName)
	request := e.svc.Project(app).MergeRequest("topic")
	got(e.admin.MergeRequests.CreateTodo(app, request.IID())).ok(e, 201)
	done(e.admin.Todos.MarkAllTodosAsDone()).ok(e, 204)
	assert.Empty(t, got(e.admin.Todos.ListTodos(nil)).ok(e, 200))
}

func TestEvents(t *testing.T) {
	e := start(t)
	issue := e.svc.Project(app).Issue("Leak")
	issue.Note("Hm.")
	options := &clientgo.ListContributionEventsOptions{Action: new(clientgo.CommentedEventType), Sort: new("asc")}
	mine := got(e.admin.Events.ListCurrentUserContributionEvents(options)).ok(e, 200)
	if assert.NotEmpty(t, mine) {
		last := mine[len(mine)-1]
		assert.Equal(t, []string{"commented on", "Leak", "Hm."}, []string{last.ActionName, last.TargetTitle,
			last.Note.Body})
	}
	assert.NotEmpty(t, got(e.admin.Users.ListUserContributionEvents("root", nil)).ok(e, 200))
	assert.NotEmpty(t, got(e.admin.Events.ListProjectVisibleEvents(app, nil)).ok(e, 200))
}
