package servicetests

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

const hookSigningToken = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// receiver is a server that responds with a status, 200 if it is 0.
func receiver(t *testing.T, status *int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if *status != 0 {
			w.WriteHeader(*status)
		}
		fmt.Fprint(w, "thanks")
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestServiceManagesHooks goes through the life of hooks of all kinds.
func TestServiceManagesHooks(t *testing.T) {
	svc := servicetest.New(t)
	app, acme := svc.Project("acme/app"), svc.Group("acme")
	client, ctx := asRoot(t, svc), t.Context()
	s := client.Hooks
	for _, owner := range []serviceapi.HookOwner{serviceapi.ProjectID(app.ID()), serviceapi.GroupID(acme.ID()),
		serviceapi.Instance} {
		hook, _, err := s.Create(ctx, owner, serviceapi.CreateHookOptions{
			URL: "http://127.0.0.1:1/{key}", Token: serviceapi.NewSecret("secret"),
			SigningToken:  serviceapi.NewSecret(hookSigningToken),
			URLVariables:  []serviceapi.HookURLVariable{{Key: "key", Value: serviceapi.NewSecret("hidden")}},
			CustomHeaders: []serviceapi.HookCustomHeader{{Key: "X-Team", Value: serviceapi.NewSecret("hidden")}},
		})
		require.NoError(t, err)
		assert.Equal(t, owner != serviceapi.Instance, hook.PushEvents, "the default of push_events")
		assert.Equal(t, owner == serviceapi.Instance, hook.RepositoryUpdateEvents)
		assert.Equal(t, []any{true, true, "http://127.0.0.1:1/{key}"},
			[]any{*hook.TokenPresent, *hook.SigningTokenPresent, hook.URL})
		assert.Equal(t, []*serviceapi.HookKey{{Key: "key"}}, hook.URLVariables)

		changed, _, err := s.Update(ctx, owner, hook.ID, serviceapi.UpdateHookOptions{TagPushEvents: new(true),
			Name: new("Bot")})
		require.NoError(t, err)
		hook.TagPushEvents, hook.Name = true, "Bot"
		assert.Equal(t, hook, changed)
		got, _, err := s.Get(ctx, owner, hook.ID)
		require.NoError(t, err)
		assert.Equal(t, hook, got)
		hooks, err := serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Hook{hook}, hooks)

		_, err = s.SetURLVariable(ctx, owner, hook.ID, "other",
			serviceapi.SetHookURLVariableOptions{Value: serviceapi.NewSecret("x")})
		require.NoError(t, err)
		_, err = s.DeleteURLVariable(ctx, owner, hook.ID, "other")
		require.NoError(t, err)
		_, err = s.DeleteURLVariable(ctx, owner, hook.ID, "other")
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		assert.ErrorContains(t, err, "404 URL variable Not Found")
		_, err = s.DeleteURLVariable(ctx, owner, hook.ID, "key")
		assert.ErrorIs(t, err, serviceapi.ErrUnprocessable, "the URL needs it")

		changed, _, err = s.Update(ctx, owner, hook.ID, serviceapi.UpdateHookOptions{URL: new("http://127.0.0.1:2")})
		require.NoError(t, err)
		assert.False(t, *changed.TokenPresent, "a changed URL drops the token")
		assert.Empty(t, changed.CustomHeaders)
		assert.Empty(t, changed.URLVariables)
		changed, _, err = s.Update(ctx, owner, hook.ID,
			serviceapi.UpdateHookOptions{Token: new(serviceapi.NewSecret("again"))})
		require.NoError(t, err)
		assert.True(t, *changed.TokenPresent)
		changed, _, err = s.Update(ctx, owner, hook.ID,
			serviceapi.UpdateHookOptions{Token: new(serviceapi.NewSecret(""))})
		require.NoError(t, err)
		assert.False(t, *changed.TokenPresent)

		_, err = s.Delete(ctx, owner, hook.ID)
		require.NoError(t, err)
		_, err = s.Delete(ctx, owner, hook.ID)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
}

func TestServiceRefusesHooks(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	root, ctx, project := asRoot(t, svc).Hooks, t.Context(), serviceapi.ProjectID(app.ID())
	secret := serviceapi.NewSecret
	for name, options := range map[string]serviceapi.CreateHookOptions{
		"Invalid url given":  {URL: "ftp://127.0.0.1"},
		"Invalid url given ": {URL: "http://127.0.0.1/{key}"},
		"Invalid branch filter given": {URL: "http://a.test", PushEventsBranchFilter: new("("),
			BranchFilterStrategy: new(serviceapi.HookBranchFilterStrategyRegex)},
		"Custom headers validation failed": {URL: "http://a.test",
			CustomHeaders: []serviceapi.HookCustomHeader{{Key: "1-x", Value: secret("x")}}},
		"token":         {URL: "http://a.test", Token: secret("a\nb")},
		"signing_token": {URL: "http://a.test", SigningToken: secret("short")},
	} {
		_, _, err := root.Create(ctx, project, options)
		assert.ErrorIs(t, err, serviceapi.ErrUnprocessable, name)
	}
	theirs := app.Hook("http://127.0.0.1:1")
	_, _, err := root.Update(ctx, project, theirs.ID(), serviceapi.UpdateHookOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = root.Get(ctx, serviceapi.Instance, theirs.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "the hook of a project")
	_, _, err = as(t, svc, ada).Hooks.Get(ctx, project, theirs.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "below the Maintainer role")
	_, _, err = as(t, svc, ada).Hooks.Get(ctx, serviceapi.Instance, theirs.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	for range 99 {
		app.Hook("http://127.0.0.1:1")
	}
	_, _, err = root.Create(ctx, project, serviceapi.CreateHookOptions{URL: "http://a.test"})
	assert.ErrorContains(t, err, "Maximum number of project hooks (100) exceeded")
}

// TestServiceTestsHooks checks tests, their limit, and that requests can be listed and
// sent again.
func TestServiceTestsHooks(t *testing.T) {
	svc := servicetest.New(t)
	app, status := svc.Project("acme/app"), 0
	hook := app.Hook(receiver(t, &status), servicetest.HookToken("secret"), servicetest.HookHeader("X-Team", "hidden"))
	s, ctx, project := asRoot(t, svc).Hooks, t.Context(), serviceapi.ProjectID(app.ID())
	_, err := s.Test(ctx, project, hook.ID(), serviceapi.HookTriggerPush)
	require.NoError(t, err)
	_, err = s.Test(ctx, project, hook.ID(), serviceapi.HookTriggerIssues)
	assert.ErrorContains(t, err, "Ensure the project has issues.")
	_, err = s.Test(ctx, project, hook.ID(), serviceapi.HookTriggerEmoji)
	assert.ErrorContains(t, err, "Ensure the project has notes.")
	_, err = s.Test(ctx, project, hook.ID(), "deployment_events")
	assert.ErrorContains(t, err, "Testing not available for this hook")
	_, err = s.Test(ctx, project, hook.ID(), "member_events")
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	status = 500
	_, err = s.Test(ctx, project, hook.ID(), serviceapi.HookTriggerPush)
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	svc.Advance(time.Minute)

	logs, err := serviceapi.Collect(s.AllLogs(ctx, project, hook.ID(), nil))
	require.NoError(t, err)
	require.Len(t, logs, 2)
	assert.Equal(t, []string{"500", "200", "push_hooks"}, []string{logs[0].ResponseStatus, logs[1].ResponseStatus,
		logs[1].Trigger})
	assert.Equal(t, "[REDACTED]", logs[1].RequestHeaders["X-Service-Token"])
	assert.Equal(t, "[REDACTED]", logs[1].RequestHeaders["X-Team"])
	assert.Equal(t, "thanks", logs[1].ResponseBody)
	failed, err := serviceapi.Collect(s.AllLogs(ctx, project, hook.ID(), &serviceapi.ListHookLogsOptions{
		Status: []serviceapi.HookLogStatus{serviceapi.HookLogStatusServerFailure},
	}))
	require.NoError(t, err)
	assert.Equal(t, logs[:1], failed)

	status = 202
	resent, _, err := s.Resend(ctx, project, hook.ID(), logs[0].ID)
	require.NoError(t, err)
	assert.Equal(t, 202, resent.ResponseStatus)
	sent := hook.Deliveries()
	require.Len(t, sent, 3)
	assert.Equal(t, sent[1].Body, sent[2].Body)
	assert.Equal(t, sent[1].Header.Get("Idempotency-Key"), sent[2].Header.Get("Idempotency-Key"))
	for range 4 {
		require.NoError(t, errOf(s.Test(ctx, project, hook.ID(), serviceapi.HookTriggerPush)))
	}
	once := asRoot(t, svc, serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1})).Hooks
	assert.ErrorIs(t, errOf(once.Test(ctx, project, hook.ID(), serviceapi.HookTriggerPush)), serviceapi.ErrRateLimited)

	system := svc.SystemHook(receiver(t, &status))
	event, _, err := s.TestSystemHook(ctx, system.ID())
	require.NoError(t, err)
	assert.Equal(t, []any{"project_create", int64(1)}, []any{event.EventName, event.ProjectID})
	assert.Equal(t, "System Hook", system.Deliveries()[0].Event)
}

func errOf[T any](_ T, err error) error { return err }
