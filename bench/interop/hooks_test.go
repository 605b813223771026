package interop

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// hookLog is a request of a hook, for which the client has no type.
type hookLog = map[string]any

// receiver is a server that accepts what hooks send.
func receiver(t *testing.T) *string {
	t.Helper()
	server := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "thanks") }))
	t.Cleanup(server.Close)
	return &server.URL
}

// hookLogs reads what a hook has sent, with calls that the client has no methods for,
// and sends the first again.
func hookLogs(e *env, hooks string, hookID int64) {
	e.Helper()
	events := fmt.Sprintf("%s/%d/events", hooks, hookID)
	logs := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]hookLog, *clientgo.Response, error) {
		a := request[[]hookLog](e.admin, http.MethodGet, events, nil, opts...)
		return a.value, a.resp, a.err
	})
	assert.Len(e, logs, 3)
	again := request[map[string]any](e.admin, http.MethodPost, fmt.Sprintf("%s/%v/resend", events, logs[0]["id"]),
		nil).ok(e, 201)
	assert.EqualValues(e, 200, again["response_status"])
}

func TestProjectHooks(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	p, url := e.admin.Projects, receiver(t)
	var ids []int64
	for range 3 {
		ids = append(ids, got(p.AddProjectHook(app, &clientgo.AddProjectHookOptions{URL: url,
			Token: new("secret")})).ok(e, 201).ID)
	}
	hooks := walk1(e, p.ListProjectHooks, app, nil)
	assert.ElementsMatch(t, ids, each(hooks, func(h *clientgo.ProjectHook) int64 { return h.ID }))
	assert.True(t, got(p.GetProjectHook(app, ids[0])).ok(e, 200).PushEvents)
	changed := got(p.EditProjectHook(app, ids[0], &clientgo.EditProjectHookOptions{URL: url,
		TagPushEvents: new(true)})).ok(e, 200)
	assert.True(t, changed.TagPushEvents)
	done(p.SetProjectCustomHeader(app, ids[0], "X-Team", &clientgo.SetHookCustomHeaderOptions{Value: new("a")})).ok(e,
		204)
	done(p.DeleteProjectCustomHeader(app, ids[0], "X-Team")).ok(e, 204)
	variable := &clientgo.SetProjectWebhookURLVariableOptions{Value: new("a")}
	done(p.SetProjectWebhookURLVariable(app, ids[0], "key", variable)).ok(e, 204)
	done(p.DeleteProjectWebhookURLVariable(app, ids[0], "key")).ok(e, 204)
	for range 3 {
		done(p.TriggerTestProjectHook(app, ids[0], clientgo.ProjectHookEventPush)).ok(e, 201)
	}
	hookLogs(e, "projects/acme%2Fapp/hooks", ids[0])
	done(p.DeleteProjectHook(app, ids[0])).ok(e, 204)
	got(p.GetProjectHook(app, ids[0])).refused(e, 404)
}

func TestGroupHooks(t *testing.T) {
	e := start(t)
	const acme = "acme"
	e.svc.Group(acme)
	e.svc.Project(app) // whose push is the sample
	g, url := e.admin.Groups, receiver(t)
	var ids []int64
	for range 3 {
		ids = append(ids, got(g.AddGroupHook(acme, &clientgo.AddGroupHookOptions{URL: url, Token: new("secret")})).ok(e,
			201).ID)
	}
	hooks := walk1(e, g.ListGroupHooks, acme, nil)
	assert.ElementsMatch(t, ids, each(hooks, func(h *clientgo.GroupHook) int64 { return h.ID }))
	assert.True(t, got(g.GetGroupHook(acme, ids[0])).ok(e, 200).PushEvents)
	changed := got(g.EditGroupHook(acme, ids[0], &clientgo.EditGroupHookOptions{URL: url,
		TagPushEvents: new(true)})).ok(e, 200)
	assert.True(t, changed.TagPushEvents)
	done(g.SetGroupCustomHeader(acme, ids[0], "X-Team", &clientgo.SetHookCustomHeaderOptions{Value: new("a")})).ok(e,
		204)
	done(g.DeleteGroupCustomHeader(acme, ids[0], "X-Team")).ok(e, 204)
	done(g.SetGroupHookURLVariable(acme, ids[0], "key", &clientgo.SetHookURLVariableOptions{Value: new("a")})).ok(e,
		204)
	done(g.DeleteGroupHookURLVariable(acme, ids[0], "key")).ok(e, 204)
	for range 3 {
		done(g.TriggerTestGroupHook(acme, ids[0], clientgo.GroupHookTriggerPush)).ok(e, 201)
	}
	hookLogs(e, "groups/acme/hooks", ids[0])
	done(g.DeleteGroupHook(acme, ids[0])).ok(e, 204)
	got(g.GetGroupHook(acme, ids[0])).refused(e, 404)
}

func TestSystemHooks(t *testing.T) {
	e := start(t)
	s, url := e.admin.SystemHooks, receiver(t)
	var ids []int64
	for range 3 {
		ids = append(ids, got(s.AddHook(&clientgo.AddHookOptions{URL: url, Token: new("secret")})).ok(e, 201).ID)
	}
	hooks := walk(e, s.ListHooks)
	assert.ElementsMatch(t, ids, each(hooks, func(h *clientgo.Hook) int64 { return h.ID }))
	assert.True(t, got(s.GetHook(ids[0])).ok(e, 200).RepositoryUpdateEvents)
	changed := got(s.EditHook(ids[0], &clientgo.EditHookOptions{URL: url, TagPushEvents: new(true)})).ok(e, 200)
	assert.True(t, changed.TagPushEvents)
	done(s.SetHookURLVariable(ids[0], "key", &clientgo.SetHookURLVariableOptions{Value: new("a")})).ok(e, 204)
	done(s.DeleteHookURLVariable(ids[0], "key")).ok(e, 204)
	got(s.TestHook(ids[0])).ok(e, 201)
	done(s.DeleteHook(ids[0])).ok(e, 204)
	got(s.GetHook(ids[0])).refused(e, 404)
}
