package servicetests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// todosOf returns the caller's to-do items, oldest first, as "action title".
func todosOf(t *testing.T, client *serviceapi.Client, state serviceapi.TodoState) []string {
	t.Helper()
	todos, err := serviceapi.Collect(client.Todos.All(t.Context(), &serviceapi.ListTodosOptions{State: state}))
	require.NoError(t, err)
	texts := []string{}
	for _, todo := range todos {
		texts = append([]string{string(todo.ActionName) + " " + todo.Body}, texts...)
	}
	return texts
}

// TestServiceTodosArise checks that to-do items come from what happens, and end when their
// user acts.
func TestServiceTodosArise(t *testing.T) {
	r := newReviewTeam(t)
	bob, eve, ctx := as(t, r.svc, r.bob), as(t, r.svc, r.eve), t.Context()
	r.app.AddMember(r.bob, servicetest.Maintainer)
	r.app.AddMember(r.eve, servicetest.Maintainer)
	issue, _, err := bob.Issues.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{
		Title: "Crash", Description: new("@" + r.eve.Username() + " look, as `@" + r.bob.Username() + "` says."),
		AssigneeIDs: []int64{r.eve.ID()},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"assigned Crash", "directly_addressed Crash"}, todosOf(t, eve, ""))
	assert.Empty(t, todosOf(t, bob, ""), "nobody has to do what he asked for himself")

	question := serviceapi.CreateIssueNoteOptions{Body: "Why, @bob?"}
	_, _, err = eve.Notes.CreateForIssue(ctx, issue.Ref(), question)
	require.NoError(t, err)
	assert.Empty(t, todosOf(t, eve, ""), "a comment ends them")
	assert.Len(t, todosOf(t, eve, serviceapi.TodoStateDone), 2)
	assert.Equal(t, []string{"mentioned Why, @bob?"}, todosOf(t, bob, ""))
	_, _, err = bob.AwardEmoji.Create(ctx, issue.Ref(), serviceapi.CreateAwardEmojiOptions{Name: "eyes"})
	require.NoError(t, err)
	assert.Empty(t, todosOf(t, bob, ""), "a reaction does, too")

	request := r.app.MergeRequest("feature", servicetest.By(r.bob))
	_, _, err = bob.MergeRequests.Update(ctx, mergeApp.MergeRequest(request.IID()),
		serviceapi.UpdateMergeRequestOptions{
			ReviewerIDs: []int64{r.eve.ID()},
		})
	require.NoError(t, err)
	assert.Equal(t, []string{"review_requested " + request.Title()}, todosOf(t, eve, ""))
	_, _, err = eve.Approvals.Approve(ctx, mergeApp.MergeRequest(request.IID()), serviceapi.ApproveOptions{})
	require.NoError(t, err)
	assert.Empty(t, todosOf(t, eve, ""), "an approval ends them")
	r.app.Pipeline("feature", servicetest.By(r.eve)).Job("test", servicetest.Failed("script_failure"))
	assert.Equal(t, []string{"build_failed " + request.Title()}, todosOf(t, bob, ""))
	_, _, err = bob.MergeRequests.Merge(ctx, mergeApp.MergeRequest(request.IID()), serviceapi.MergeOptions{})
	require.NoError(t, err)
	assert.Empty(t, todosOf(t, bob, ""), "a merge ends them")
}

func TestServiceTodos(t *testing.T) {
	r := newReviewTeam(t)
	bob, eve, ctx := as(t, r.svc, r.bob), as(t, r.svc, r.eve), t.Context()
	seeded := r.app.Issue("Leak", servicetest.AssignedTo(r.bob))
	on := mergeApp.Issue(seeded.IID())
	todos, _, err := bob.Todos.List(ctx, &serviceapi.ListTodosOptions{
		Action: serviceapi.TodoActionAssigned, AuthorID: r.svc.Root().ID(), ProjectID: r.app.ID(),
		GroupID: r.app.Group().ID(), Type: serviceapi.TodoTargetTypeIssue,
	})
	require.NoError(t, err)
	require.Len(t, todos, 1)
	target, err := todos[0].Issue()
	require.NoError(t, err)
	assert.Equal(t, "Leak", target.Title)
	created, _, err := bob.Todos.Create(ctx, on)
	require.NoError(t, err)
	assert.True(t, created.Unchanged)

	_, _, err = eve.Todos.MarkAsDone(ctx, todos[0].ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	done, _, err := bob.Todos.MarkAsDone(ctx, todos[0].ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.TodoStateDone, done.State)
	created, _, err = bob.Todos.Create(ctx, on)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.TodoActionMarked, created.Todo.ActionName)
	r.app.Group().AddMember(r.bob, servicetest.Guest)
	epic := r.app.Group().Epic("Grow", servicetest.Description("See @bob."), servicetest.By(r.ada))
	todos, _, err = bob.Todos.List(ctx, &serviceapi.ListTodosOptions{Type: serviceapi.TodoTargetTypeEpic})
	require.NoError(t, err)
	require.Len(t, todos, 1)
	assert.Equal(t, "acme", todos[0].Group.FullPath)
	assert.Nil(t, todos[0].Project)
	again, _, err := bob.Todos.Create(ctx, acme.Epic(epic.IID()))
	require.NoError(t, err)
	assert.True(t, again.Unchanged)
	_, err = bob.Todos.MarkAllAsDone(ctx)
	require.NoError(t, err)
	assert.Empty(t, todosOf(t, bob, ""))
	again, _, err = bob.Todos.Create(ctx, acme.Epic(epic.IID()))
	require.NoError(t, err)
	marked, err := again.Todo.Epic()
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.TodoActionMarked, "Grow"}, []any{again.Todo.ActionName, marked.Title})
	_, _, err = bob.Todos.MarkAsDone(ctx, again.Todo.ID)
	require.NoError(t, err)
	_, err = as(t, r.svc, r.svc.Root()).Issues.Delete(ctx, mergeApp.Issue(seeded.IID()))
	require.NoError(t, err)
	left := todosOf(t, bob, serviceapi.TodoStateDone)
	assert.Equal(t, []string{"mentioned Grow", "marked Grow"}, left, "the others went with the issue")
}
