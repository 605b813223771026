package wiretests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeIntegration is testdata/integrations/integration.json.
func wholeIntegration(t *testing.T) *serviceapi.Integration {
	return &serviceapi.Integration{
		ID: 5, Title: "Slack notifications", Slug: "slack", CreatedAt: *at(t, "2026-01-14T09:00:00Z"),
		UpdatedAt: *at(t, "2026-01-15T09:00:00Z"), Active: true, Inherited: new(true), CommitEvents: true,
		PushEvents: true, IssuesEvents: true, ConfidentialIssuesEvents: true, MergeRequestsEvents: true,
		TagPushEvents: true, DeploymentEvents: true, NoteEvents: true, ConfidentialNoteEvents: true,
		PipelineEvents: true, WikiPageEvents: true, JobEvents: true, CommentOnEventEnabled: true,
		AlertEvents: new(true), IncidentEvents: new(true), VulnerabilityEvents: new(true),
		Properties: &serviceapi.IntegrationProperties{
			AppStorePrivateKey: serviceapi.NewSecret("key-S3cr3t"),
			ServiceAccountKey:  serviceapi.NewSecret("account-S3cr3t"),
			Extra: map[string]json.RawMessage{
				"username": json.RawMessage(`"bot"`), "notify_only_broken_pipelines": json.RawMessage("false"),
				"push_channel": json.RawMessage(`"a,b"`), "labels_to_be_notified": json.RawMessage("null"),
			},
		},
	}
}

func TestIntegrations(t *testing.T) {
	const whole = "integrations/integration.json"
	assertFilled(t, wholeIntegration(t))
	for path, owner := range map[string]serviceapi.IntegrationOwner{
		"/projects/4/integrations": somewhere, "/groups/acme%2Fdev/integrations": serviceapi.GroupPath("acme/dev"),
	} {
		client := onWire(t, append(listed(path, "["+fixture(t, "integrations/listed.json")+"]"),
			exchange{Method: "GET", Path: path + "/slack", Fixture: whole},
			exchange{Method: "PUT", Path: path + "/slack", Fixture: whole,
				JSON: `{"webhook":"https://a.example/S3cr3t","use_inherited_settings":false}`},
			exchange{Method: "PUT", Path: path + "/slack", Fixture: whole,
				JSON: `{"webhook":"https://a.example/S3cr3t",` +
					`"username":"","notify_only_broken_pipelines":false,"push_events":false,` +
					`"use_inherited_settings":true}`},
			exchange{Method: "PUT", Path: path + "/new-kind", Fixture: whole,
				JSON: `{"token":"S3cr3t-S3cr3t","n":[1],"use_inherited_settings":false}`},
			exchange{Method: "PUT", Path: path + "/new-kind", Fixture: whole,
				JSON: `{"token":"S3cr3t-S3cr3t","n":[1],"use_inherited_settings":true}`},
			exchange{Method: "PUT", Path: path + "/own", Fixture: whole, JSON: `{"a":"b"}`},
			exchange{Method: "DELETE", Path: path + "/slack", Status: 204})...)
		s, ctx := client.Integrations, t.Context()
		want := wholeIntegration(t)
		inList := *want
		inList.Properties = nil
		returns(t, []*serviceapi.Integration{&inList})(s.List(ctx, owner, &serviceapi.ListOptions{Page: 2, PerPage: 5}))
		all, err := serviceapi.Collect(s.All(ctx, owner, &serviceapi.ListOptions{PerPage: 5}))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Integration{&inList}, all)
		returns(t, want)(s.Get(ctx, owner, "slack"))
		webhook := serviceapi.NewSecret("https://a.example/S3cr3t")
		returns(t, want)(s.Set(ctx, owner, serviceapi.SlackIntegration{Webhook: webhook}))
		returns(t, want)(s.Set(ctx, owner, &serviceapi.SlackIntegration{
			Webhook: webhook, Username: new(""), NotifyOnlyBrokenPipelines: new(false), PushEvents: new(false),
			UseInheritedSettings: true,
		}))
		other := serviceapi.OtherIntegration{Kind: "new-kind", Settings: map[string]any{
			"token": serviceapi.NewSecret("S3cr3t-S3cr3t"), "n": []int{1},
		}}
		returns(t, want)(s.Set(ctx, owner, other))
		other.Settings["use_inherited_settings"] = true
		returns(t, want)(s.Set(ctx, owner, &other))
		returns(t, want)(s.Set(ctx, owner, ownIntegration{A: "b"}))
		succeeds(t, 204)(s.Disable(ctx, owner, "slack"))
	}
}

type ownIntegration struct {
	A string `json:"a"`
}

func (ownIntegration) Slug() string { return "own" }

func TestIntegrationsArguments(t *testing.T) {
	s, ctx := onWire(t).Integrations, t.Context()
	assertRefused(t, "slug", errorOf(s.Get(ctx, somewhere, "apple_app_store")))
	assertRefused(t, "slug", second(s.Disable(ctx, somewhere, "")))
	assertRefused(t, "slug", errorOf(s.Set(ctx, somewhere, serviceapi.OtherIntegration{Kind: "new_kind"})))
	assertRefused(t, "slug", errorOf(s.Set(ctx, somewhere, serviceapi.OtherIntegration{})))
	assertRefused(t, "owner", errorOf(s.Set(ctx, nil, serviceapi.SlackSlashCommandsIntegration{
		Token: serviceapi.NewSecret("x"),
	})))
	for _, settings := range []serviceapi.IntegrationSettings{
		nil, (*serviceapi.SlackIntegration)(nil), (*serviceapi.OtherIntegration)(nil),
	} {
		_, _, err := s.Set(ctx, somewhere, settings)
		var problem *serviceapi.ArgumentError
		require.ErrorAs(t, err, &problem, "%T", settings)
	}
	assertRefused(t, "Webhook", errorOf(s.Set(ctx, somewhere, serviceapi.SlackIntegration{})))
	assertRefused(t, "ProjectURL", errorOf(s.Set(ctx, somewhere, &serviceapi.RedmineIntegration{IssuesURL: "x",
		NewIssueURL: "y"})))
}

// TestIntegrationSettings decodes what a response has into the struct of the kind, to be changed and sent.
func TestIntegrationSettings(t *testing.T) {
	var slack serviceapi.SlackIntegration
	require.NoError(t, wholeIntegration(t).Settings(&slack))
	assert.Equal(t, serviceapi.SlackIntegration{
		Username: new("bot"), NotifyOnlyBrokenPipelines: new(false), PushChannel: new("a,b"), PushEvents: new(true),
		IssuesEvents: new(true), ConfidentialIssuesEvents: new(true), MergeRequestsEvents: new(true),
		NoteEvents: new(true), ConfidentialNoteEvents: new(true), TagPushEvents: new(true), PipelineEvents: new(true),
		WikiPageEvents: new(true), IncidentEvents: new(true), VulnerabilityEvents: new(true),
		DeploymentEvents: new(true), AlertEvents: new(true),
	}, slack)
	apple, listed := wholeIntegration(t), wholeIntegration(t)
	apple.Slug, listed.Properties = "apple-app-store", nil
	var key serviceapi.AppleAppStoreIntegration
	require.NoError(t, apple.Settings(&key))
	assert.Equal(t, "key-S3cr3t", key.AppStorePrivateKey.Reveal())
	slack = serviceapi.SlackIntegration{}
	require.NoError(t, listed.Settings(&slack))
	assert.Equal(t, []any{new(true), (*string)(nil)}, []any{slack.PushEvents, slack.Username})
	for _, into := range []serviceapi.IntegrationSettings{nil, slack, (*serviceapi.SlackIntegration)(nil), &key} {
		assertRefused(t, "into", wholeIntegration(t).Settings(into))
	}
	assertRefused(t, "into", (*serviceapi.Integration)(nil).Settings(&slack))
	text, err := json.Marshal(wholeIntegration(t))
	require.NoError(t, err)
	assert.Contains(t, string(text), `"username":"bot"`)
	whole := wholeIntegration(t)
	assert.NotContains(t, fmt.Sprintf("%+v %+v %s", *whole, *whole.Properties, text), "S3cr3t")
}

// TestIntegrationSecretsAreHidden looks for the secrets of a request and a response in a dump and an error.
func TestIntegrationSecretsAreHidden(t *testing.T) {
	var dump bytes.Buffer
	client := onWire(t,
		exchange{Method: "PUT", Path: "/projects/4/integrations/slack", Fixture: "integrations/integration.json",
			JSON: `{"webhook":"https://a.example/S3cr3t","use_inherited_settings":false}`},
		exchange{Method: "PUT", Path: "/projects/4/integrations/new-kind", Status: 400,
			JSON: `{"token":"other-S3cr3t","use_inherited_settings":false}`,
			Body: `{"message":"Failed: other-S3cr3t"}`},
		exchange{Method: "GET", Path: "/projects/4/integrations/slack", Body: `{"id":"S3cr3t","properties":"S3cr3t"}`})
	client, err := client.With(serviceapi.WithDump(&dump, serviceapi.DumpOptions{Bodies: true}))
	require.NoError(t, err)
	s, ctx := client.Integrations, t.Context()
	_, _, err = s.Set(ctx, somewhere, serviceapi.SlackIntegration{
		Webhook: serviceapi.NewSecret("https://a.example/S3cr3t"),
	})
	require.NoError(t, err)
	_, _, failed := s.Set(ctx, somewhere, serviceapi.OtherIntegration{Kind: "new-kind",
		Settings: map[string]any{"token": serviceapi.NewSecret("other-S3cr3t")}})
	require.ErrorIs(t, failed, serviceapi.ErrBadRequest)
	_, _, wrong := s.Get(ctx, somewhere, "slack")
	assert.NotEmpty(t, dump.String())
	assert.NotContains(t, fmt.Sprintf("%s %+v %+v", dump.String(), failed, wrong), "S3cr3t")
}
