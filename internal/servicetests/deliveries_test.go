package servicetests

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
)

// inbox receives events and keeps them.
type inbox struct {
	mu     sync.Mutex
	events []webhook.Event
}

func (b *inbox) Receive(_ context.Context, event webhook.Event) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, event)
	return nil
}

// serve returns the address of a server that verifies events with these options.
func serve(t *testing.T, receiver webhook.Receiver, opts ...webhook.Option) string {
	t.Helper()
	opts = append(opts, webhook.OnError(func(_ *http.Request, err error) { t.Error(err) }))
	verifier, err := webhook.NewVerifier(opts...)
	require.NoError(t, err)
	server := httptest.NewServer(webhook.Handler(verifier, receiver))
	t.Cleanup(server.Close)
	return server.URL
}

// said describes events by their type and what happened.
func (b *inbox) said() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []string
	for _, event := range b.events {
		text := reflect.TypeOf(event).Elem().Name()
		switch e := event.(type) {
		case *webhook.MergeRequestEvent:
			text += " " + string(e.ObjectAttributes.Action)
		case *webhook.IssueEvent:
			text += " " + string(e.ObjectAttributes.Action)
		case *webhook.PushEvent:
			text += " " + e.Branch()
		case *webhook.TagPushEvent:
			text += " " + e.Tag()
		case *webhook.PipelineEvent:
			text += " " + string(e.ObjectAttributes.Status)
		case *webhook.JobEvent:
			text += " " + string(e.BuildStatus)
		case *webhook.MemberEvent:
			text += " " + e.EventName
		case *webhook.ProjectEvent:
			text += " " + e.EventName
		}
		all = append(all, text)
	}
	b.events = nil
	return all
}

// world is a service with a group, a project and hooks of all kinds.
type world struct {
	svc                    *servicetest.Service
	client                 *serviceapi.Client
	ctx                    context.Context
	ada                    *servicetest.User
	acme                   *servicetest.Group
	app                    *servicetest.Project
	project                serviceapi.ProjectRef
	inbox, group, instance *inbox
}

func newWorld(t *testing.T) *world {
	t.Helper()
	svc := servicetest.New(t)
	w := &world{svc: svc, client: asRoot(t, svc), ctx: t.Context(), ada: svc.User("ada"), inbox: &inbox{},
		group: &inbox{}, instance: &inbox{}}
	w.acme = svc.Group("acme", servicetest.Member(w.ada, servicetest.Maintainer))
	w.app = svc.Project("acme/app")
	w.project = serviceapi.ProjectID(w.app.ID())
	// Tests move the clock while events are under way.
	clock, late := webhook.Clock(svc.Now), webhook.Tolerance(100*24*time.Hour)
	w.app.Hook(serve(t, w.inbox, webhook.Token("secret")), servicetest.HookToken("secret"))
	w.acme.Hook(serve(t, w.group, webhook.SigningToken(hookSigningToken), clock, late),
		servicetest.SigningToken(hookSigningToken))
	svc.SystemHook(serve(t, w.instance, webhook.Token("secret"), webhook.SigningToken(hookSigningToken), clock, late),
		servicetest.HookToken("secret"), servicetest.SigningToken(hookSigningToken))
	// While the receivers still run: cleanups are called last to first.
	t.Cleanup(func() {
		svc.Flush()
		w.checkDeliveries(t)
	})
	return w
}

func (w *world) mergeRequest(t *testing.T, branch string) *serviceapi.MergeRequestDetails {
	t.Helper()
	_, _, err := w.client.RepositoryFiles.Create(w.ctx, w.project, branch+".txt",
		serviceapi.CreateRepositoryFileOptions{
			Branch: branch, StartBranch: new("main"), CommitMessage: "Add " + branch, Content: []byte("new\n"),
		})
	require.NoError(t, err)
	mr, _, err := w.client.MergeRequests.Create(w.ctx, w.project, serviceapi.CreateMergeRequestOptions{
		SourceBranch: branch, TargetBranch: "main", Title: "Add " + branch,
	})
	require.NoError(t, err)
	w.svc.Advance(time.Second) // the diff is computed
	return mr
}

// TestHooksGetWhatHappens goes through the lives of a merge request, an issue, a tag, a
// pipeline and a member.
func TestHooksGetWhatHappens(t *testing.T) {
	w := newWorld(t)
	mr := w.mergeRequest(t, "topic")
	w.svc.Flush()
	assert.Equal(t, []string{"PushEvent topic", "MergeRequestEvent open"}, w.inbox.said())
	ref := w.project.MergeRequest(mr.IID)
	_, _, err := w.client.MergeRequests.Update(w.ctx, w.project.MergeRequest(mr.IID),
		serviceapi.UpdateMergeRequestOptions{
			Title: new("Better"), AddLabels: []string{"bug"},
		})
	require.NoError(t, err)
	_, _, err = w.client.Notes.CreateForMergeRequest(w.ctx, ref,
		serviceapi.CreateMergeRequestNoteOptions{Body: "Nice."})
	require.NoError(t, err)
	w.app.ApprovalSwitch("merge_requests_author_approval", true)
	_, _, err = w.client.Approvals.Approve(w.ctx, w.project.MergeRequest(mr.IID), serviceapi.ApproveOptions{})
	require.NoError(t, err)
	_, _, err = w.client.MergeRequests.Merge(w.ctx, w.project.MergeRequest(mr.IID), serviceapi.MergeOptions{})
	require.NoError(t, err)
	w.svc.Flush()
	require.Len(t, w.inbox.events, 6)
	update := w.inbox.events[0].(*webhook.MergeRequestEvent)
	assert.Equal(t, &webhook.Change[string]{Previous: "Add topic", Current: "Better"}, update.Changes.Title)
	assert.Equal(t, "bug", update.Changes.Labels.Current[0].Title)
	assert.Equal(t, ref, update.Ref())
	assert.Equal(t, "Nice.", w.inbox.events[1].(*webhook.NoteEvent).ObjectAttributes.Note)
	assert.Equal(t, []string{
		"MergeRequestEvent update", "NoteEvent", "MergeRequestEvent approved", "PushEvent main",
		"PushEvent topic", "MergeRequestEvent merge", // the source branch was deleted
	}, w.inbox.said())
}

// TestHooksGetResetApprovals checks that a push that withdraws approvals is two events.
func TestHooksGetResetApprovals(t *testing.T) {
	w := newWorld(t)
	w.mergeRequest(t, "topic")
	before := w.app.Head("topic")
	w.app.ApprovalSwitch("reset_approvals_on_push", true)
	w.app.ApprovalRule("All", 1)
	w.app.MergeRequests()[0].Approve(w.ada)
	w.svc.Flush()
	w.inbox.said()
	w.app.Commit("topic", "More", servicetest.Write("more.txt", "more\n"))
	w.svc.Flush()
	require.Len(t, w.inbox.events, 3)
	reset := w.inbox.events[2].(*webhook.MergeRequestEvent).ObjectAttributes
	assert.Equal(t, []any{true, webhook.SystemActionApprovalsResetOnPush}, []any{reset.System, reset.SystemAction})
	update := w.inbox.events[1].(*webhook.MergeRequestEvent).ObjectAttributes
	assert.Equal(t, []any{before, false}, []any{update.OldRev, update.System})
	assert.Equal(t, []string{"PushEvent topic", "MergeRequestEvent update", "MergeRequestEvent unapproved"},
		w.inbox.said())
}

func TestHooksGetIssuesTagsAndPipelines(t *testing.T) {
	w := newWorld(t)
	issue, _, err := w.client.Issues.Create(w.ctx, w.project, serviceapi.CreateIssueOptions{Title: "Broken"})
	require.NoError(t, err)
	_, _, err = w.client.Issues.Update(w.ctx, w.project.Issue(issue.IID),
		serviceapi.UpdateIssueOptions{StateEvent: new(serviceapi.StateEventClose)})
	require.NoError(t, err)
	_, _, err = w.client.Tags.Create(w.ctx, w.project, serviceapi.CreateTagOptions{TagName: "v1", Ref: "main"})
	require.NoError(t, err)
	_, _, err = w.client.Pipelines.Create(w.ctx, w.project, serviceapi.CreatePipelineOptions{Ref: "main"})
	require.NoError(t, err)
	w.svc.Advance(time.Hour)
	w.svc.Flush()
	want := []string{
		"IssueEvent open", "IssueEvent close", "TagPushEvent v1", "PipelineEvent pending", "JobEvent created",
		"JobEvent pending",
		"PipelineEvent running", "JobEvent running", "PipelineEvent success", "JobEvent success",
	}
	assert.Equal(t, want, w.inbox.said())
	assert.Equal(t, want, w.group.said())
	assert.Equal(t, []string{"TagPushEvent v1", "RepositoryUpdateEvent"}, w.instance.said())
}

// TestHooksNameDiscussions checks that a receiver can reply to what it gets.
func TestHooksNameDiscussions(t *testing.T) {
	w := newWorld(t)
	issue := w.app.Issue("Broken")
	on := w.project.Issue(issue.IID())
	first, _, err := w.client.Notes.CreateForIssue(w.ctx, on, serviceapi.CreateIssueNoteOptions{Body: "Why?"})
	require.NoError(t, err)
	sha := w.app.Head("main")
	comment := serviceapi.CreateCommitCommentOptions{
		Note: "Here.", Path: new("README.md"), Line: new(1), LineType: new(serviceapi.LineTypeNew),
	}
	_, _, err = w.client.Commits.CreateComment(w.ctx, w.project, sha, comment)
	require.NoError(t, err)
	w.svc.Flush()
	var notes []*webhook.NoteEvent
	for _, event := range w.inbox.events {
		if note, ok := event.(*webhook.NoteEvent); ok {
			notes = append(notes, note)
		}
	}
	require.Len(t, notes, 2)
	reply, _, err := w.client.Discussions.Reply(w.ctx, notes[0].IssueRef(), notes[0].ObjectAttributes.DiscussionID,
		serviceapi.ReplyOptions{Body: "Because."})
	require.NoError(t, err)
	assert.Equal(t, first.Note.NoteableID, reply.Note.NoteableID)
	discussions, err := serviceapi.Collect(w.client.Discussions.All(w.ctx, notes[1].CommitRef(), nil))
	require.NoError(t, err)
	assert.Equal(t, discussions[0].ID, notes[1].ObjectAttributes.DiscussionID)
	assert.Equal(t, new(1), notes[1].ObjectAttributes.Position.NewLine)
	assert.Equal(t, serviceapi.LineCode("README.md", 0, 1), notes[1].ObjectAttributes.LineCode)
}

// TestHooksTellWhatChanged checks the previous and the current values of members whose
// changes are told in other forms than the members.
func TestHooksTellWhatChanged(t *testing.T) {
	w := newWorld(t)
	issue := w.app.Issue("Broken", servicetest.DiscussionLocked(), servicetest.Labels("bug"))
	w.svc.Flush()
	w.inbox.said()
	_, _, err := w.client.Issues.Update(w.ctx, w.project.Issue(issue.IID()), serviceapi.UpdateIssueOptions{
		DiscussionLocked: new(false), AssigneeIDs: []int64{w.ada.ID()}, RemoveLabels: []string{"bug"},
	})
	require.NoError(t, err)
	w.svc.Flush()
	event := w.inbox.events[0].(*webhook.IssueEvent)
	assert.Equal(t, &webhook.Change[*bool]{Previous: new(true)}, event.Changes.DiscussionLocked)
	assert.Equal(t, &webhook.Change[[]int64]{Previous: []int64{}, Current: []int64{w.ada.ID()}},
		event.Changes.AssigneeIDs)
	assert.Empty(t, event.Changes.Assignees.Previous)
	assert.Equal(t, "ada", event.Changes.Assignees.Current[0].Username)
	assert.Equal(t, "bug", event.Changes.Labels.Previous[0].Title)
	assert.Empty(t, event.Changes.Labels.Current)
	assert.Nil(t, event.Changes.Title)
	assert.Equal(t, new(int64(1)), event.ObjectAttributes.UpdatedByID)
	assert.Nil(t, event.ObjectAttributes.LastEditedByID, "neither the title nor the description has changed")
}

func TestHooksGetPeopleAndPlaces(t *testing.T) {
	w := newWorld(t)
	bob := w.svc.User("bob")
	w.acme.AddMember(bob, servicetest.Developer)
	w.svc.Group("acme/team")
	w.svc.Project("acme/team/tool")
	require.NoError(t, errorOnly(w.client.Projects.Delete(w.ctx, w.project, nil)))
	w.svc.Flush()
	assert.Equal(t, []string{"MemberEvent user_add_to_group", "SubgroupEvent", "ProjectEvent project_create",
		"ProjectEvent project_destroy"}, w.group.said())
	assert.Equal(t, []string{
		"UserEvent", "MemberEvent user_add_to_group", "GroupEvent", "ProjectEvent project_create",
		"ProjectEvent project_destroy",
	}, w.instance.said())
	_, _, err := w.client.Hooks.Get(w.ctx, serviceapi.Instance, 1)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func errorOnly[T any](_ T, err error) error { return err }

// TestHooksSwitchOff checks that failures switch a hook off by the clock of the service,
// and that a success switches it on.
func TestHooksSwitchOff(t *testing.T) {
	svc := servicetest.New(t)
	app, status := svc.Project("acme/app"), 500
	hook := app.Hook(receiver(t, &status))
	open := func() {
		app.Issue("Broken")
		svc.Flush()
	}
	for range 4 {
		assert.Equal(t, "executable", hook.AlertStatus())
		open()
	}
	assert.Equal(t, "temporarily_disabled", hook.AlertStatus())
	open()
	assert.Len(t, hook.Deliveries(), 4, "events are dropped")
	svc.Advance(time.Minute)
	open()
	assert.Len(t, hook.Deliveries(), 5)
	svc.Advance(time.Minute)
	assert.Equal(t, "temporarily_disabled", hook.AlertStatus(), "twice as long")
	svc.Advance(time.Minute)
	status = 200
	open()
	assert.Len(t, hook.Deliveries(), 6)
	status = 500
	for range 40 {
		open()
		svc.Advance(25 * time.Hour)
	}
	assert.Equal(t, "disabled", hook.AlertStatus())
	status = 200
	_, err := asRoot(t, svc).Hooks.Test(t.Context(), serviceapi.ProjectID(app.ID()), hook.ID(),
		serviceapi.HookTriggerIssues)
	require.NoError(t, err)
	assert.Equal(t, "executable", hook.AlertStatus(), "a test switches it on")
}

// TestHooksSendTheirOwn checks what a hook adds to its requests: variables and a password
// in its URL, headers, and a body made by a template.
func TestHooksSendTheirOwn(t *testing.T) {
	var got []*http.Request
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got, bodies = append(got, r), append(bodies, string(body))
	}))
	defer server.Close()
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	s, ctx, project := asRoot(t, svc).Hooks, t.Context(), serviceapi.ProjectID(app.ID())
	address := strings.Replace(server.URL, "://", "://bot:{password}@", 1) + "/{room}/events"
	hook, _, err := s.Create(ctx, project, serviceapi.CreateHookOptions{
		URL: address, IssuesEvents: new(true),
		URLVariables: []serviceapi.HookURLVariable{
			{Key: "room", Value: serviceapi.NewSecret("kitchen")},
			{Key: "password", Value: serviceapi.NewSecret("p%40ss")},
		},
		CustomHeaders: []serviceapi.HookCustomHeader{
			{Key: "X-Team", Value: serviceapi.NewSecret("hidden")}, {Key: "X-Service-Event",
				Value: serviceapi.NewSecret("Push Hook")},
			{Key: "X-Service-Token", Value: serviceapi.NewSecret("forged")},
			{Key: "Webhook-Id", Value: serviceapi.NewSecret("forged")},
		},
		CustomWebhookTemplate: new(`{"text":"{{user.name}}: {{object_attributes.title}}","iid":{{ ` +
			`object_attributes.iid }},` +
			`"due":"{{object_attributes.due_date}}","labels":"{{labels}}","none":"{{a.b.c}}"}`),
	})
	require.NoError(t, err)
	assert.Equal(t, address, hook.URL, "names are not filled in")
	app.Issue(`Say "hi"`)
	svc.Flush()
	require.Len(t, got, 1)
	name, password, _ := got[0].BasicAuth()
	assert.Equal(t, []string{"/kitchen/events", "bot", "p@ss"}, []string{got[0].URL.Path, name, password})
	assert.Equal(t, "hidden", got[0].Header.Get("X-Team"))
	assert.Equal(t, "Issue Hook", got[0].Header.Get("X-Service-Event"), "the service's own headers win")
	assert.Empty(t, got[0].Header.Values("X-Service-Token"))
	assert.Empty(t, got[0].Header.Values("Webhook-Id"))
	assert.JSONEq(t, `{"text":"Administrator: Say \"hi\"","iid":1,"due":"","labels":"","none":""}`, bodies[0])

	_, err = s.SetURLVariable(ctx, project, hook.ID, "room",
		serviceapi.SetHookURLVariableOptions{Value: serviceapi.NewSecret("hall")})
	require.NoError(t, err)
	_, err = s.SetCustomHeader(ctx, project, hook.ID, "X-Team",
		serviceapi.SetHookCustomHeaderOptions{Value: serviceapi.NewSecret("new")})
	require.NoError(t, err)
	_, err = s.DeleteCustomHeader(ctx, project, hook.ID, "X-Service-Token")
	require.NoError(t, err)
	_, err = s.DeleteCustomHeader(ctx, project, hook.ID, "X-Service-Token")
	assert.ErrorContains(t, err, "404 Custom header Not Found")
	app.Issue("Slow")
	svc.Flush()
	assert.Equal(t, []string{"/hall/events", "new"}, []string{got[1].URL.Path, got[1].Header.Get("X-Team")})

	logs, err := serviceapi.Collect(s.AllLogs(ctx, project, hook.ID, nil))
	require.NoError(t, err)
	assert.Equal(t, address, logs[0].URL)
	assert.Equal(t, "[REDACTED]", logs[0].RequestHeaders["X-Team"])
	assert.NotContains(t, logs[0].RequestHeaders, "Authorization")
	assert.Contains(t, string(logs[0].RequestData), `"object_kind":"issue"`, "the event, without the template")
	_, _, err = s.Resend(ctx, project, hook.ID, logs[0].ID)
	require.NoError(t, err)
	assert.Equal(t, bodies[1], bodies[2])
	_, _, err = s.Resend(ctx, project, hook.ID, logs[1].ID)
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable, "the address has changed since")

	_, _, err = s.Update(ctx, project, hook.ID,
		serviceapi.UpdateHookOptions{CustomWebhookTemplate: new(`{"text":{{object_attributes.title}}}`)})
	require.NoError(t, err)
	app.Issue("No quotes")
	svc.Flush()
	assert.Len(t, got, 3, "what is no JSON is not sent")
	logs, err = serviceapi.Collect(s.AllLogs(ctx, project, hook.ID, nil))
	require.NoError(t, err)
	assert.Equal(t, "internal error", logs[0].ResponseStatus)
	_, _, err = s.Update(ctx, project, hook.ID,
		serviceapi.UpdateHookOptions{CustomWebhookTemplate: new(strings.Repeat("x", 4097))})
	assert.ErrorContains(t, err, "is too long")
}

// TestBotsLife goes from an event to a call, and from the call to the next event: the
// bot greets a merge request, and approves it when somebody asks for it.
func TestBotsLife(t *testing.T) {
	svc := servicetest.New(t)
	bot, ada := svc.User("bot"), svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(bot, servicetest.Developer),
		servicetest.Member(ada, servicetest.Developer))
	client, got := as(t, svc, bot), make(chan string, 10)
	mux := new(webhook.Mux)
	webhook.On(mux, func(ctx context.Context, e *webhook.MergeRequestEvent) error {
		got <- "merge request " + string(e.ObjectAttributes.Action)
		if e.ObjectAttributes.Action != webhook.MergeRequestActionOpen {
			return nil
		}
		_, _, err := client.Notes.CreateForMergeRequest(ctx, e.Ref(),
			serviceapi.CreateMergeRequestNoteOptions{Body: "Thanks!"})
		return err
	})
	webhook.On(mux, func(ctx context.Context, e *webhook.NoteEvent) error {
		got <- e.User.Username + ": " + e.ObjectAttributes.Note
		if e.User.ID == bot.ID() || e.ObjectAttributes.Note != "/approve" {
			return nil
		}
		_, _, err := client.Approvals.Approve(ctx, e.Project.Ref().MergeRequest(e.MergeRequest.IID),
			serviceapi.ApproveOptions{})
		return err
	})
	app.Hook(serve(t, webhook.Once(time.Hour, mux), webhook.SigningToken(hookSigningToken), webhook.Clock(svc.Now)),
		servicetest.SigningToken(hookSigningToken), servicetest.HookEvents("merge_requests_events", "note_events"))
	mr := app.MergeRequest("topic", servicetest.By(ada))
	svc.Flush()
	mr.Note("/approve", servicetest.By(ada))
	svc.Flush()
	for _, want := range []string{"merge request open", "bot: Thanks!", "ada: /approve", "merge request approved"} {
		assert.Equal(t, want, <-got)
	}
	assert.Equal(t, []*servicetest.User{bot}, mr.Approvers())
}

// TestChainsEnd checks that a bot that sends the UUID of its event on does not get what
// it caused.
func TestChainsEnd(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	client := asRoot(t, svc)
	mux, n := new(webhook.Mux), 0
	webhook.On(mux, func(ctx context.Context, e *webhook.IssueEvent) error {
		n++
		_, _, err := client.Issues.Create(ctx, e.Project.Ref(), serviceapi.CreateIssueOptions{Title: "Again"},
			serviceapi.WithHeader("X-Service-Event-UUID", e.EventUUID))
		return err
	})
	app.Hook(serve(t, mux, webhook.Token("secret")), servicetest.HookToken("secret"))
	app.Issue("Broken")
	svc.Flush()
	assert.Equal(t, 1, n)
}
