package interop

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestOperatorsMessages(t *testing.T) {
	e := start(t)
	c := e.admin.BroadcastMessage
	for n := range 3 {
		made := got(c.CreateBroadcastMessage(&clientgo.CreateBroadcastMessageOptions{
			Message: new(fmt.Sprint("m", n)), Theme: new("dark"),
			TargetAccessLevels: []clientgo.AccessLevelValue{clientgo.DeveloperPermissions},
		})).ok(e, 201)
		assert.Equal(t, []any{"dark", true, []clientgo.AccessLevelValue{30}},
			[]any{made.Theme, made.Active, made.TargetAccessLevels})
	}
	all := walk0(e, c.ListBroadcastMessages, &clientgo.ListBroadcastMessagesOptions{})
	assert.Equal(t, []int64{3, 2, 1}, each(all, func(m *clientgo.BroadcastMessage) int64 { return m.ID }))
	changed := got(c.UpdateBroadcastMessage(2, &clientgo.UpdateBroadcastMessageOptions{Message: new("x")})).ok(e, 200)
	assert.Equal(t, changed, got(c.GetBroadcastMessage(2)).ok(e, 200))
	done(c.DeleteBroadcastMessage(2)).ok(e, 204)
}

func TestFeatures(t *testing.T) {
	e := start(t)
	set := got(e.admin.Features.SetFeatureFlag("fast", &clientgo.SetFeatureFlagOptions{Value: true})).ok(e, 201)
	assert.Equal(t, []any{"fast", "on"}, []any{set.Name, set.State})
	assert.Equal(t, []*clientgo.Feature{set}, got(e.admin.Features.ListFeatures()).ok(e, 200))
	assert.NotEmpty(t, got(e.admin.Features.ListFeatureDefinitions()).ok(e, 200))
	done(e.admin.Features.DeleteFeatureFlag("fast")).ok(e, 204)
}

func TestLimitsAndNumbers(t *testing.T) {
	e := start(t)
	limits := got(e.admin.PlanLimits.ChangePlanLimits(&clientgo.ChangePlanLimitOptions{
		PlanName: new("default"), HelmMaxFileSize: new(int64(7)),
	})).ok(e, 200)
	assert.Equal(t, int64(7), limits.HelmMaxFileSize)
	assert.Equal(t, limits, got(e.admin.PlanLimits.GetCurrentPlanLimits(nil)).ok(e, 200))
	// The client cannot read numbers that are text.
	numbers := request[map[string]string](e.admin, "GET", "application/statistics", nil).ok(e, 200)
	assert.Equal(t, "1", numbers["users"])
	// The client's paths of these begin with two slashes.
	whole := request[map[string]any](e.admin, "GET", "sidekiq/compound_metrics", nil).ok(e, 200)
	for path, part := range map[string]string{
		"queue_metrics": "queues", "process_metrics": "processes", "job_stats": "jobs",
	} {
		got := request[map[string]any](e.admin, "GET", "sidekiq/"+path, nil).ok(e, 200)
		assert.Equal(t, map[string]any{part: whole[part]}, got)
	}
	type jobsOf struct {
		User string `url:"user"`
	}
	deleted := request[map[string]any](e.admin, "DELETE", "admin/sidekiq/queues/mailers", jobsOf{"ada"}).ok(e, 200)
	assert.Equal(t, true, deleted["completed"])
}

func TestUsageData(t *testing.T) {
	e := start(t)
	u := e.admin.UsageData
	assert.NotEmpty(t, request[map[string]any](e.admin, "GET", "usage_data/service_ping", nil).ok(e, 200))
	assert.NotEmpty(t, request[map[string]any](e.admin, "GET", "usage_data/queries", nil).ok(e, 200))
	assert.NotEmpty(t, request[map[string]any](e.admin, "GET", "usage_data/non_sql_metrics", nil).ok(e, 200))
	text := got(u.GetMetricDefinitionsAsYAML()).raw(e)
	content, err := io.ReadAll(text)
	require.NoError(t, err)
	assert.Contains(t, string(content), "key_path")
	done(u.TrackEvent(&clientgo.TrackEventOptions{Event: "click"})).ok(e, 200)
	done(u.TrackEvents(&clientgo.TrackEventsOptions{Events: []clientgo.TrackEventOptions{{Event: "click"}}})).ok(e, 200)
}

func TestGeoSites(t *testing.T) {
	e := start(t)
	c := e.admin.GeoSites
	for _, name := range []string{"a", "b", "c"} {
		made := got(c.CreateGeoSite(&clientgo.CreateGeoSitesOptions{
			Name: new(name), URL: new("https://" + name + ".example"),
		})).ok(e, 201)
		assert.Equal(t, "https://"+name+".example/", made.InternalURL)
	}
	sites := walk0(e, c.ListGeoSites, &clientgo.ListGeoSitesOptions{})
	assert.Equal(t, []string{"a", "b", "c"}, each(sites, func(s *clientgo.GeoSite) string { return s.Name }))
	assert.Len(t, walk0(e, c.ListStatusOfAllGeoSites, &clientgo.ListStatusOfAllGeoSitesOptions{}), 3)
	changed := got(c.EditGeoSite(2, &clientgo.EditGeoSiteOptions{Name: new("x")})).ok(e, 200)
	assert.Equal(t, changed, got(c.GetGeoSite(2)).ok(e, 200))
	assert.True(t, got(c.GetStatusOfGeoSite(2)).ok(e, 200).Healthy)
	// The client expects a site.
	repaired := request[map[string]any](e.admin, "POST", "geo_sites/2/repair", nil).ok(e, 200)
	assert.Equal(t, true, repaired["healthy"])
	done(c.DeleteGeoSite(2)).ok(e, 204)
}

func TestMigrationsAndTokens(t *testing.T) {
	e := start(t)
	m := e.admin.DatabaseMigrations
	done(m.MarkMigrationAsSuccessful(20260115090000, &clientgo.MarkMigrationAsSuccessfulOptions{
		Database: "main",
	})).ok(e, 201)
	const batched = "admin/batched_background_migrations"
	assert.Len(t, request[[]any](e.admin, "GET", batched, nil).ok(e, 200), 1)
	assert.Equal(t, "active", request[map[string]any](e.admin, "GET", batched+"/1", nil).ok(e, 200)["status"])
	assert.Equal(t, "paused", request[map[string]any](e.admin, "PUT", batched+"/1/pause", nil).ok(e, 200)["status"])
	assert.Equal(t, "active", request[map[string]any](e.admin, "PUT", batched+"/1/resume", nil).ok(e, 200)["status"])
	type indexing struct {
		On bool   `url:"elasticsearch_indexing" json:"elasticsearch_indexing"`
		At string `url:"elasticsearch_url" json:"elasticsearch_url"`
	}
	request[map[string]any](e.admin, "PUT", "application/settings", indexing{true, "https://a.example"}).ok(e, 200)
	assert.Len(t, request[[]any](e.admin, "GET", "admin/search/migrations", nil).ok(e, 200), 1)
	one := request[map[string]any](e.admin, "GET", "admin/search/migrations/20230427555555", nil).ok(e, 200)
	assert.Equal(t, true, one["completed"])
	leaked := struct {
		Token string `url:"token" json:"token"`
	}{e.svc.Token(e.svc.User("ada"))}
	found := request[map[string]any](e.admin, "POST", "admin/token", leaked).ok(e, 200)
	assert.Equal(t, true, found["active"])
	bodied := func(req *clientgo.Client) error {
		r, err := req.NewRequest("DELETE", "admin/token", nil, nil)
		require.NoError(t, err)
		require.NoError(t, r.SetBody([]byte(`{"token":"`+leaked.Token+`"}`)))
		r.Header.Set("Content-Type", "application/json")
		_, err = req.Do(r, nil)
		return err
	}
	require.NoError(t, bodied(e.admin))
	assert.False(t, e.svc.TokenWorks(leaked.Token))
}

func TestIntegrations(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	set := got(e.admin.Services.SetSlackService(app, &clientgo.SetSlackServiceOptions{
		WebHook: new("https://a.example/x"), Username: new("bot"), PushEvents: new(false),
	})).ok(e, 200)
	assert.Equal(t, []any{"bot", false}, []any{set.Properties.Username, set.PushEvents})
	assert.Equal(t, set, got(e.admin.Services.GetSlackService(app)).ok(e, 200))
	assert.Len(t, got(e.admin.Services.ListServices(app)).ok(e, 200), 1)
	done(e.admin.Services.DeleteSlackService(app)).ok(e, 204)
	// Of a project, most methods of the client use the older path.
	const path = "projects/1/integrations"
	token := struct {
		Token string `url:"token" json:"token"`
	}{"x"}
	assert.Equal(t, true, request[map[string]any](e.admin, "PUT", path+"/assembla", token).ok(e, 200)["active"])
	assert.Equal(t, "assembla", request[map[string]any](e.admin, "GET", path+"/assembla", nil).ok(e, 200)["slug"])
	assert.Len(t, request[[]any](e.admin, "GET", path, nil).ok(e, 200), 1)
	bare(e.admin, "DELETE", path+"/assembla").ok(e, 204)
	harbor := got(e.admin.Integrations.SetUpGroupHarbor(acme, &clientgo.SetUpHarborOptions{
		URL: new("https://a.example"), ProjectName: new("shop"), Username: new("ada"), Password: new("x"),
	})).ok(e, 200)
	assert.Equal(t, "shop", harbor.Properties.ProjectName)
	assert.Equal(t, harbor, got(e.admin.Integrations.GetGroupHarborSettings(acme)).ok(e, 200))
	listed := got(e.admin.Integrations.ListActiveGroupIntegrations(acme, nil)).ok(e, 200)
	assert.Equal(t, []string{"harbor"}, each(listed, func(i *clientgo.Integration) string { return i.Slug }))
	done(e.admin.Integrations.DisableGroupHarbor(acme)).ok(e, 204)
}
