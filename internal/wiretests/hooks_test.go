package wiretests

import (
	"encoding/json"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reviewHook is testdata/hooks/hook.json.
func reviewHook(t *testing.T) *serviceapi.Hook {
	return &serviceapi.Hook{
		ID: 1, URL: "https://bot.example/{key}", Name: "Bot", Description: "It reviews.", ProjectID: new(int64(3)),
		GroupID: new(int64(7)), OrganizationID: new(int64(1)), CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"),
		PushEvents: true, TagPushEvents: true, MergeRequestsEvents: true, RepositoryUpdateEvents: true,
		IssuesEvents:             true,
		ConfidentialIssuesEvents: true, NoteEvents: true, ConfidentialNoteEvents: true, JobEvents: true,
		PipelineEvents: true,
		WikiPageEvents: true, DeploymentEvents: true, FeatureFlagEvents: true, ReleasesEvents: true, EmojiEvents: true,
		MilestoneEvents: true, ResourceAccessTokenEvents: true, VulnerabilityEvents: true,
		ResourceDeployTokenEvents: true,
		SubgroupEvents:            true, MemberEvents: true, ProjectEvents: true, PushEventsBranchFilter: "release/*",
		BranchFilterStrategy: serviceapi.HookBranchFilterStrategyWildcard, EnableSSLVerification: true,
		AlertStatus: serviceapi.HookAlertStatusTemporarilyDisabled, DisabledUntil: at(t, "2026-01-05T08:31:00Z"),
		URLVariables: []*serviceapi.HookKey{{Key: "key"}}, CustomHeaders: []*serviceapi.HookKey{{Key: "X-Team"}},
		CustomWebhookTemplate: `{"event":"{{object_kind}}"}`, TokenPresent: new(true), SigningTokenPresent: new(true),
	}
}

// pushLog is testdata/hooks/hook_log.json.
func pushLog(t *testing.T) *serviceapi.HookLog {
	return &serviceapi.HookLog{
		ID: 12, URL: "https://bot.example/{key}", Trigger: "push_hooks",
		RequestHeaders:  map[string]string{"Content-Type": "application/json", "X-Service-Token": "[REDACTED]"},
		RequestData:     json.RawMessage(`{"object_kind":"push"}`),
		ResponseHeaders: map[string]string{"Date": "Mon, 05 Jan 2026 08:30:00 GMT"}, ResponseBody: "ok",
		ExecutionDuration: 1.25, ResponseStatus: "200", CreatedAt: at(t, "2026-01-05T08:30:00Z"),
	}
}

// hookOwners are the owners of hooks, and the paths of their hooks.
var hookOwners = map[string]serviceapi.HookOwner{
	"/projects/acme%2Fshop/hooks": serviceapi.ProjectPath(
		"acme/shop",
	), "/groups/7/hooks": serviceapi.GroupID(7), "/hooks": serviceapi.Instance,
}

func TestHooks(t *testing.T) {
	const whole = "hooks/hook.json"
	for path, owner := range hookOwners {
		body := "[" + fixture(t, whole) + `,{"id":2,"disabled_until":null}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
			exchange{Method: "GET", Path: path + "/1", Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"url":"https://bot.example"}`, Status: 201, Fixture: whole},
			exchange{Method: "PUT", Path: path + "/1", JSON: `{"push_events":false,"token":""}`, Fixture: whole},
			exchange{Method: "DELETE", Path: path + "/1", Status: 204},
			exchange{Method: "PUT", Path: path + "/1/url_variables/key", JSON: `{"value":"secret"}`, Status: 204},
			exchange{Method: "DELETE", Path: path + "/1/url_variables/key", Status: 204})
		s, ctx, want := client.Hooks, t.Context(), []*serviceapi.Hook{reviewHook(t), {ID: 2}}
		hooks, _, err := s.List(ctx, owner, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, want, hooks)
		assertFilled(t, hooks[0])
		hooks, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, hooks)
		hook, _, err := s.Get(ctx, owner, 1)
		require.NoError(t, err)
		assert.Equal(t, want[0], hook)
		hook, _, err = s.Create(ctx, owner, serviceapi.CreateHookOptions{URL: "https://bot.example"})
		require.NoError(t, err)
		assert.Equal(t, want[0], hook)
		hook, _, err = s.Update(
			ctx,
			owner,
			1,
			serviceapi.UpdateHookOptions{PushEvents: new(false), Token: new(serviceapi.NewSecret(""))},
		)
		require.NoError(t, err)
		assert.Equal(t, want[0], hook)
		_, err = s.Delete(ctx, owner, 1)
		require.NoError(t, err)
		_, err = s.SetURLVariable(
			ctx,
			owner,
			1,
			"key",
			serviceapi.SetHookURLVariableOptions{Value: serviceapi.NewSecret("secret")},
		)
		require.NoError(t, err)
		_, err = s.DeleteURLVariable(ctx, owner, 1, "key")
		require.NoError(t, err)
	}
	s, ctx := onWire(t).Hooks, t.Context()
	assertRefused(t, "owner", errorOf(s.Get(ctx, nil, 1)))
	assertRefused(t, "hook_id", errorOf(s.Get(ctx, serviceapi.Instance, 0)))
	_, err := s.DeleteURLVariable(ctx, serviceapi.Instance, 1, "")
	assertRefused(t, "key", err)
}

// allHookOptions are all settings of a hook of a project.
const allHookOptions = `{
	"url":"https://bot.example/{key}","push_events":false,"tag_push_events":true,"merge_requests_events":true,
	"issues_events":true,"confidential_issues_events":true,"note_events":true,"confidential_note_events":true,
	"job_events":true,"pipeline_events":true,"wiki_page_events":true,"deployment_events":true,
	"feature_flag_events":true,
	"releases_events":true,"emoji_events":true,"milestone_events":true,"resource_access_token_events":true,
	"vulnerability_events":true,"resource_deploy_token_events":true,"push_events_branch_filter":"^release/",
	"branch_filter_strategy":"regex","enable_ssl_verification":false,"token":"secret","signing_token":"whsec_x",
	"url_variables":[{"key":"key","value":"hidden"}],"custom_headers":[{"key":"X-Team","value":"hidden"}],
	"custom_webhook_template":"{}","name":"Bot","description":"It reviews."}`

func TestHookOptions(t *testing.T) {
	const whole, on = "hooks/hook.json", true
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/3/hooks", JSON: allHookOptions, Status: 201, Fixture: whole},
		exchange{Method: "PUT", Path: "/projects/3/hooks/1", JSON: allHookOptions, Fixture: whole},
		exchange{
			Method: "POST", Path: "/groups/7/hooks", Status: 201, Fixture: whole,
			JSON: `{"url":"https://bot.example","subgroup_events":true,"member_events":true,"project_events":true}`,
		},
		exchange{
			Method: "POST", Path: "/hooks", Status: 201, Fixture: whole,
			JSON: `{"url":"https://bot.example","repository_update_events":false}`,
		})
	s, ctx := client.Hooks, t.Context()
	require.NoError(t, errorOf(s.Create(ctx, serviceapi.ProjectID(3), serviceapi.CreateHookOptions{
		URL: "https://bot.example/{key}", PushEvents: new(false), TagPushEvents: new(on), MergeRequestsEvents: new(on),
		IssuesEvents: new(on), ConfidentialIssuesEvents: new(on), NoteEvents: new(on), ConfidentialNoteEvents: new(on),
		JobEvents: new(on), PipelineEvents: new(on), WikiPageEvents: new(on), DeploymentEvents: new(on),
		FeatureFlagEvents: new(on),
		ReleasesEvents:    new(on), EmojiEvents: new(on), MilestoneEvents: new(on), ResourceAccessTokenEvents: new(on),
		VulnerabilityEvents: new(on), ResourceDeployTokenEvents: new(on), PushEventsBranchFilter: new("^release/"),
		BranchFilterStrategy: new(serviceapi.HookBranchFilterStrategyRegex), EnableSSLVerification: new(false),
		Token: serviceapi.NewSecret("secret"),
		SigningToken: serviceapi.NewSecret(
			"whsec_x",
		), URLVariables: []serviceapi.HookURLVariable{{Key: "key", Value: serviceapi.NewSecret("hidden")}},
		CustomHeaders:         []serviceapi.HookCustomHeader{{Key: "X-Team", Value: serviceapi.NewSecret("hidden")}},
		CustomWebhookTemplate: new("{}"), Name: new("Bot"), Description: new("It reviews."),
	})))
	require.NoError(t, errorOf(s.Update(ctx, serviceapi.ProjectID(3), 1, serviceapi.UpdateHookOptions{
		URL: new("https://bot.example/{key}"), PushEvents: new(false), TagPushEvents: new(on),
		MergeRequestsEvents: new(on),
		IssuesEvents:        new(on), ConfidentialIssuesEvents: new(on), NoteEvents: new(on),
		ConfidentialNoteEvents: new(on),
		JobEvents:              new(on), PipelineEvents: new(on), WikiPageEvents: new(on), DeploymentEvents: new(on),
		FeatureFlagEvents: new(on),
		ReleasesEvents:    new(on), EmojiEvents: new(on), MilestoneEvents: new(on), ResourceAccessTokenEvents: new(on),
		VulnerabilityEvents: new(on), ResourceDeployTokenEvents: new(on), PushEventsBranchFilter: new("^release/"),
		BranchFilterStrategy: new(serviceapi.HookBranchFilterStrategyRegex), EnableSSLVerification: new(false),
		Token:                 new(serviceapi.NewSecret("secret")),
		SigningToken:          new(serviceapi.NewSecret("whsec_x")),
		URLVariables:          []serviceapi.HookURLVariable{{Key: "key", Value: serviceapi.NewSecret("hidden")}},
		CustomHeaders:         []serviceapi.HookCustomHeader{{Key: "X-Team", Value: serviceapi.NewSecret("hidden")}},
		CustomWebhookTemplate: new("{}"), Name: new("Bot"), Description: new("It reviews."),
	})))
	require.NoError(t, errorOf(s.Create(ctx, serviceapi.GroupID(7), serviceapi.CreateHookOptions{
		URL: "https://bot.example", SubgroupEvents: new(on), MemberEvents: new(on), ProjectEvents: new(on),
	})))
	require.NoError(
		t,
		errorOf(s.Create(ctx, serviceapi.Instance, serviceapi.CreateHookOptions{URL: "https://bot.example",
			RepositoryUpdateEvents: new(false)})),
	)

	for name, err := range map[string]error{
		"IssuesEvents": errorOf(s.Create(ctx, serviceapi.Instance,
			serviceapi.CreateHookOptions{IssuesEvents: new(on)})),
		"RepositoryUpdateEvents": errorOf(s.Update(ctx, serviceapi.ProjectID(3), 1,
			serviceapi.UpdateHookOptions{RepositoryUpdateEvents: new(on)})),
		"MemberEvents": errorOf(s.Create(ctx, serviceapi.ProjectID(3),
			serviceapi.CreateHookOptions{MemberEvents: new(on)})),
		"CustomWebhookTemplate": errorOf(s.Create(ctx, serviceapi.Instance,
			serviceapi.CreateHookOptions{CustomWebhookTemplate: new("{}")})),
	} {
		assertRefused(t, name, err)
	}
}

func TestHookLogs(t *testing.T) {
	const whole = "hooks/hook_log.json"
	for path, owner := range map[string]serviceapi.HookLogOwner{"/projects/3/hooks/1": serviceapi.ProjectID(3),
		"/groups/7/hooks/1": serviceapi.GroupID(7)} {
		body := "[" + fixture(t, whole) + `,{"id":11}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path + "/events", Query: "per_page=5&status=404%2Cserver_failure",
				Body: body},
			exchange{Method: "GET", Path: path + "/events", Query: "per_page=20", Body: body},
			exchange{Method: "GET", Path: path + "/events", Query: "per_page=7&status=successful", Body: body},
			exchange{Method: "POST", Path: path + "/events/12/resend", Status: 201, Body: `{"response_status":200}`},
			exchange{Method: "POST", Path: path + "/test/push_events", Status: 201, Body: `{"message":"201 Created"}`},
			exchange{Method: "PUT", Path: path + "/custom_headers/X-Team", JSON: `{"value":"secret"}`, Status: 204},
			exchange{Method: "DELETE", Path: path + "/custom_headers/X-Team", Status: 204})
		s, ctx, want := client.Hooks, t.Context(), []*serviceapi.HookLog{pushLog(t), {ID: 11}}
		logs, _, err := s.ListLogs(ctx, owner, 1, &serviceapi.ListHookLogsOptions{
			ListOptions: serviceapi.ListOptions{
				PerPage: 5,
			}, Status: []serviceapi.HookLogStatus{"404", serviceapi.HookLogStatusServerFailure},
		})
		require.NoError(t, err)
		logs[0].RequestData = compacted(t, logs[0].RequestData)
		assert.Equal(t, want, logs)
		assertFilled(t, logs[0])
		logs, err = serviceapi.Collect(s.AllLogs(ctx, owner, 1, nil))
		require.NoError(t, err)
		assert.Len(t, logs, 2)
		options := &serviceapi.ListHookLogsOptions{ListOptions: serviceapi.ListOptions{PerPage: 7},
			Status: []serviceapi.HookLogStatus{serviceapi.HookLogStatusSuccessful}}
		logs, err = serviceapi.Collect(s.AllLogs(ctx, owner, 1, options))
		require.NoError(t, err)
		assert.Len(t, logs, 2)
		resent, _, err := s.Resend(ctx, owner, 1, 12)
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.HookResend{ResponseStatus: 200}, resent)
		_, err = s.Test(ctx, owner, 1, serviceapi.HookTriggerPush)
		require.NoError(t, err)
		_, err = s.SetCustomHeader(
			ctx,
			owner,
			1,
			"X-Team",
			serviceapi.SetHookCustomHeaderOptions{Value: serviceapi.NewSecret("secret")},
		)
		require.NoError(t, err)
		_, err = s.DeleteCustomHeader(ctx, owner, 1, "X-Team")
		require.NoError(t, err)
	}
	s, ctx := onWire(t).Hooks, t.Context()
	_, err := s.Test(ctx, serviceapi.ProjectID(3), 1, "")
	assertRefused(t, "trigger", err)
	assertRefused(t, "hook_event_id", errorOf(s.Resend(ctx, serviceapi.ProjectID(3), 1, 0)))
	assertRefused(t, "owner", errorOf(s.ListLogs(ctx, nil, 1, nil)))
}

func compacted(t *testing.T, data json.RawMessage) json.RawMessage {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(data, &v))
	compact, err := json.Marshal(v)
	require.NoError(t, err)
	return compact
}

func TestSystemHookTest(t *testing.T) {
	client := onWire(t, exchange{Method: "POST", Path: "/hooks/1", Status: 201,
		Fixture: "hooks/system_test_event.json"})
	event, _, err := client.Hooks.TestSystemHook(t.Context(), 1)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.SystemTestEvent{
		EventName: "project_create", Name: "Ruby", Path: "ruby", ProjectID: 1, OwnerName: "Someone",
		OwnerEmail: "example@example.com",
	}, event)
}
