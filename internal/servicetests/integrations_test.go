package servicetests

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/servicetest"
)

// kindsOfIntegrations are all that have a struct.
var kindsOfIntegrations = []serviceapi.IntegrationSettings{
	serviceapi.AppleAppStoreIntegration{}, serviceapi.AsanaIntegration{}, serviceapi.AssemblaIntegration{},
	serviceapi.BambooIntegration{}, serviceapi.BugzillaIntegration{}, serviceapi.BuildkiteIntegration{},
	serviceapi.CampfireIntegration{}, serviceapi.ClickUpIntegration{}, serviceapi.ConfluenceIntegration{},
	serviceapi.CustomIssueTrackerIntegration{}, serviceapi.DatadogIntegration{},
	serviceapi.DiffblueCoverIntegration{}, serviceapi.DiscordIntegration{}, serviceapi.DroneCIIntegration{},
	serviceapi.EmailsOnPushIntegration{}, serviceapi.EWMIntegration{}, serviceapi.ExternalWikiIntegration{},
	serviceapi.GitGuardianIntegration{}, serviceapi.GitHubIntegration{},
	serviceapi.GoogleArtifactRegistryIntegration{}, serviceapi.GoogleWorkloadIdentityIntegration{},
	serviceapi.GooglePlayIntegration{}, serviceapi.HangoutsChatIntegration{}, serviceapi.HarborIntegration{},
	serviceapi.IrkerIntegration{}, serviceapi.JenkinsIntegration{}, serviceapi.JiraIntegration{},
	serviceapi.JiraCloudAppIntegration{}, serviceapi.LinearIntegration{}, serviceapi.MatrixIntegration{},
	serviceapi.MattermostIntegration{}, serviceapi.MattermostSlashCommandsIntegration{},
	serviceapi.MicrosoftTeamsIntegration{}, serviceapi.PackagistIntegration{}, serviceapi.PhorgeIntegration{},
	serviceapi.PipelinesEmailIntegration{}, serviceapi.PivotalTrackerIntegration{}, serviceapi.PumbleIntegration{},
	serviceapi.PushoverIntegration{}, serviceapi.RedmineIntegration{}, serviceapi.SlackApplicationIntegration{},
	serviceapi.SlackIntegration{}, serviceapi.SlackSlashCommandsIntegration{}, serviceapi.SquashTMIntegration{},
	serviceapi.TeamCityIntegration{}, serviceapi.TelegramIntegration{}, serviceapi.UnifyCircuitIntegration{},
	serviceapi.WebexTeamsIntegration{}, serviceapi.YouTrackIntegration{}, serviceapi.ZenTaoIntegration{},
}

// refusedKinds says what the service answers to the first call of a project.
var refusedKinds = map[string]string{
	"google-cloud-platform-artifact-registry":            "Integration not available",
	"google-cloud-platform-workload-identity-federation": "Integration not available",
	"jira-cloud-app":            "You cannot create the Service for Jira Cloud app integration from the API",
	"service-slack-application": "You cannot create the Service for Slack app integration from the API",
	"zentao":                    "Integration not available",
}

// wholeSettings returns a pointer to the settings of a kind with every field set, to what is not the default.
func wholeSettings(kind serviceapi.IntegrationSettings) serviceapi.IntegrationSettings {
	const address = "https://a.example/:id"
	settings := reflect.New(reflect.TypeOf(kind))
	inventory.FillAll(settings.Elem(), []any{serviceapi.NewSecret(address), new(address), address, []string{"A"}})
	return settings.Interface().(serviceapi.IntegrationSettings)
}

// TestServiceKindsOfIntegrations sends all settings of every kind, and reads them. The client and the embedded
// service have them from tables of their own: names, kinds of values, secrets, events and what is required.
func TestServiceKindsOfIntegrations(t *testing.T) {
	svc := servicetest.New(t)
	client, ctx := asRoot(t, svc), t.Context()
	set := 0
	for i, kind := range kindsOfIntegrations {
		app := svc.Project("acme/app-" + string(rune('A'+i%26)) + string(rune('a'+i/26)))
		project, settings := serviceapi.ProjectID(app.ID()), wholeSettings(kind)
		inherits := reflect.ValueOf(settings).Elem().FieldByName("UseInheritedSettings")
		inherits.SetBool(false)
		got, _, err := client.Integrations.Set(ctx, project, settings)
		if refusal := refusedKinds[kind.Slug()]; refusal != "" {
			require.ErrorContains(t, err, refusal)
			if !strings.HasPrefix(refusal, "You") {
				continue
			}
			app.InstallIntegration(kind.Slug())
			got, _, err = client.Integrations.Set(ctx, project, settings)
		}
		require.NoError(t, err, kind.Slug())
		set++
		assert.Equal(t, []any{kind.Slug(), true, new(false)}, []any{got.Slug, got.Active, got.Inherited})
		assert.Equal(t, got, result[*serviceapi.Integration](t)(client.Integrations.Get(ctx, project, kind.Slug())))

		read := reflect.New(reflect.TypeOf(kind)).Interface().(serviceapi.IntegrationSettings)
		require.NoError(t, got.Settings(read))
		compareSettings(t, app.Integration(kind.Slug()), settings, read)
	}
	assert.Equal(t, 47, set)
}

// compareSettings compares what was sent with what the service keeps, and what it returns.
func compareSettings(t *testing.T, kept map[string]any, sent, read serviceapi.IntegrationSettings) {
	t.Helper()
	returned := map[string]bool{"app_store_private_key": true, "service_account_key": true}
	all := map[string]bool{}
	for name, field := range inventory.JSONFields(reflect.TypeOf(sent).Elem()) {
		if all[name] = true; name == "use_inherited_settings" {
			continue
		}
		want := reflect.Indirect(reflect.ValueOf(sent).Elem().FieldByIndex(field.Index))
		back := reflect.Indirect(reflect.ValueOf(read).Elem().FieldByIndex(field.Index))
		value, isSetting := kept[name]
		secret, isSecret := want.Interface().(serviceapi.Secret)
		isDiscord := sent.Slug() == "discord" && strings.HasSuffix(name, "_channel")
		unread := isDiscord || sent.Slug() == "mattermost" && name == "alert_channel"
		switch {
		case isSecret && returned[name]:
			got := back.Interface().(serviceapi.Secret)
			assert.Equal(t, []any{secret.Reveal(), secret.Reveal()}, []any{value, got.Reveal()})
		case isSecret:
			assert.Equal(t, secret.Reveal(), value, "%s: %s", sent.Slug(), name)
			assert.True(t, !back.IsValid() || back.IsZero(), "%s: %s is returned", sent.Slug(), name)
		case unread:
			assert.False(t, back.IsValid(), "%s: %s is returned", sent.Slug(), name)
		default:
			require.True(t, back.IsValid(), "%s: %s is not returned", sent.Slug(), name)
			assert.Equal(t, want.Interface(), back.Interface(), "%s: %s", sent.Slug(), name)
			if isSetting {
				text, _ := json.Marshal(value)
				wanted, _ := json.Marshal(want.Interface())
				assert.JSONEq(t, string(wanted), string(text), "%s: %s", sent.Slug(), name)
			}
		}
	}
	for name := range kept {
		assert.True(t, all[name], "%s: the struct has no %s", sent.Slug(), name)
	}
}

// TestServiceRequiredSettings leaves out each required setting, which both sides know.
func TestServiceRequiredSettings(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	client, ctx, app := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	for _, kind := range kindsOfIntegrations {
		var names []string
		for name, field := range inventory.JSONFields(reflect.TypeOf(kind)) {
			if field.Tag.Get("required") == "true" {
				names = append(names, name)
				settings := wholeSettings(kind)
				reflect.ValueOf(settings).Elem().FieldByIndex(field.Index).SetZero()
				var problem *serviceapi.ArgumentError
				_, _, err := client.Integrations.Set(ctx, app, settings)
				require.ErrorAs(t, err, &problem, "%s without %s", kind.Slug(), name)
			}
		}
		if refusedKinds[kind.Slug()] != "" {
			continue
		}
		_, _, err := client.Integrations.Set(ctx, app, serviceapi.OtherIntegration{Kind: kind.Slug()})
		require.ErrorIs(t, err, serviceapi.ErrBadRequest, kind.Slug())
		for _, name := range names {
			assert.ErrorContains(t, err, name+" is missing", kind.Slug())
		}
		assert.Len(t, names, strings.Count(err.Error(), " is missing"), kind.Slug())
	}
}

// TestServiceInheritedIntegrations sets one integration for all projects of a group.
func TestServiceInheritedIntegrations(t *testing.T) {
	svc := servicetest.New(t)
	one, two := svc.Project("acme/one"), svc.Project("acme/team/two")
	client, ctx, acme := asRoot(t, svc), t.Context(), serviceapi.GroupPath("acme")
	s := client.Integrations
	token := serviceapi.NewSecret("t")
	harbor := func(username string) serviceapi.HarborIntegration {
		return serviceapi.HarborIntegration{URL: "https://a.example", ProjectName: "shop", Username: username,
			Password: token}
	}
	_, _, err := s.Set(ctx, acme, harbor("all"))
	require.NoError(t, err)
	for _, project := range []*servicetest.Project{one, two} {
		listed, err := serviceapi.Collect(s.All(ctx, serviceapi.ProjectID(project.ID()), nil))
		require.NoError(t, err)
		require.Len(t, listed, 1)
		assert.Equal(t, []any{"harbor", new(true)}, []any{listed[0].Slug, listed[0].Inherited})
		assert.Equal(t, "all", project.Integration("harbor")["username"])
	}
	project := serviceapi.ProjectID(one.ID())
	mine := harbor("mine")
	assert.Equal(t, new(false), result[*serviceapi.Integration](t)(s.Set(ctx, project, mine)).Inherited)
	assert.Equal(t, "mine", one.Integration("harbor")["username"], "what is set counts")
	one.Integration("harbor")["username"] = "changed"
	assert.Equal(t, "mine", one.Integration("harbor")["username"], "a copy")
	mine.UseInheritedSettings = true
	assert.Equal(t, new(true), result[*serviceapi.Integration](t)(s.Set(ctx, project, mine)).Inherited)
	assert.Equal(t, "all", one.Integration("harbor")["username"])
	_, _, err = s.Set(ctx, acme, mine)
	require.ErrorContains(t, err, "Default integration not found.")
	_, err = s.Disable(ctx, acme, "harbor")
	require.NoError(t, err)
	assert.False(t, result[*serviceapi.Integration](t)(s.Get(ctx, project, "harbor")).Active)
	_, err = s.Disable(ctx, acme, "slack")
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorIs(t, errorOf(s.Get(ctx, acme, "hipchat")), serviceapi.ErrBadRequest)
}

// TestServiceSecretsAndAddresses loses a secret that is optional when the address changes without it.
func TestServiceSecretsAndAddresses(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	client, ctx := asRoot(t, svc), t.Context()
	set := func(url string, password *serviceapi.Secret) any {
		_, _, err := client.Integrations.Set(ctx, serviceapi.ProjectID(app.ID()), serviceapi.JenkinsIntegration{
			JenkinsURL: url, ProjectName: "app", Username: new("ada"), Password: password,
		})
		require.NoError(t, err)
		return app.Integration("jenkins")["password"]
	}
	assert.Equal(t, "p", set("https://a.example", new(serviceapi.NewSecret("p"))))
	assert.Equal(t, "p", set("https://a.example", nil))
	assert.Nil(t, set("https://b.example", nil))
	assert.Equal(t, "q", set("https://c.example", new(serviceapi.NewSecret("q"))))
}

// TestServiceInstalledIntegrations changes what only a person can install, and disables what has not changed
// since.
func TestServiceInstalledIntegrations(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.InstallIntegration("jira-cloud-app")
	app.InstallIntegration("service-slack-application")
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectID(app.ID())
	s := client.Integrations
	_, err := s.Disable(ctx, project, "jira-cloud-app")
	require.ErrorContains(t, err, "You cannot disable the Service for Jira Cloud app integration from the API")
	got := result[*serviceapi.Integration](t)(s.Get(ctx, project, "service-slack-application"))
	assert.Equal(t, []any{false, false, true}, []any{got.PushEvents, got.JobEvents, got.CommentOnEventEnabled},
		"all events are off at first")
	_, err = s.Disable(ctx, project, "service-slack-application",
		serviceapi.WithHeader("If-Unmodified-Since", "Mon, 01 Jan 2024 00:00:00 GMT"))
	require.ErrorIs(t, err, serviceapi.ErrPreconditionFailed)
	_, err = s.Disable(ctx, project, "service-slack-application")
	require.NoError(t, err)
	got, _, err = s.Set(ctx, project, serviceapi.SlackApplicationIntegration{PushEvents: new(true)})
	require.NoError(t, err)
	assert.Equal(t, []any{false, true}, []any{got.Active, got.PushEvents}, "it stays off")
}
