package servicetests

import (
	"encoding/json"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// result checks that a call succeeds, and returns its result.
func result[T any](t *testing.T) func(T, *serviceapi.Response, error) T {
	return func(got T, _ *serviceapi.Response, err error) T {
		t.Helper()
		require.NoError(t, err)
		return got
	}
}

func TestServiceBroadcastMessages(t *testing.T) {
	svc := servicetest.New(t)
	s, ctx := asRoot(t, svc).BroadcastMessages, t.Context()
	type message = *serviceapi.BroadcastMessage
	made := result[message](t)(s.Create(ctx, serviceapi.CreateBroadcastMessageOptions{
		Message: "Down at nine", TargetPath: new("/acme/*"), Dismissable: new(true),
		TargetAccessLevels: []serviceapi.AccessLevel{serviceapi.AccessLevelDeveloper},
	}))
	assert.Equal(t, &serviceapi.BroadcastMessage{ID: 1, Message: "Down at nine", Active: true, StartsAt: svc.Now(),
		EndsAt: svc.Now().Add(time.Hour), Color: "#E75E40", Font: "#FFFFFF", Theme: "indigo", BroadcastType: "banner",
		TargetAccessLevels: []serviceapi.AccessLevel{serviceapi.AccessLevelDeveloper}, TargetPath: "/acme/*",
		Dismissable: new(true)}, made)
	changed := result[message](t)(s.Update(ctx, 1, serviceapi.UpdateBroadcastMessageOptions{
		Message: new("Up"), TargetAccessLevels: []serviceapi.AccessLevel{},
		Theme: new(serviceapi.BroadcastMessageThemeDark),
	}))
	assert.Equal(t, []any{"Up", []serviceapi.AccessLevel{}, serviceapi.BroadcastMessageThemeDark},
		[]any{changed.Message, changed.TargetAccessLevels, changed.Theme})
	anybody := asAnybody(t, svc).BroadcastMessages
	assert.Equal(t, changed, result[message](t)(anybody.Get(ctx, 1)))
	listed, err := serviceapi.Collect(anybody.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BroadcastMessage{changed}, listed)
	_, err = as(t, svc, svc.User("ada")).BroadcastMessages.Delete(ctx, 1)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = s.Delete(ctx, 1)
	require.NoError(t, err)
	assert.ErrorIs(t, errorOf(s.Get(ctx, 1)), serviceapi.ErrNotFound)
}

func TestServiceFeatures(t *testing.T) {
	svc := servicetest.New(t)
	client, ctx := asRoot(t, svc), t.Context()
	s := client.Features
	type feature = *serviceapi.Feature
	ada := svc.User("ada", servicetest.ID(31))
	off := result[feature](t)(s.Set(ctx, "usage_data_queries_api", serviceapi.SetFeatureOptions{Value: "false"}))
	assert.Equal(t, []any{serviceapi.FeatureStateOff, true}, []any{off.State, off.Definition.DefaultEnabled})
	assert.ErrorIs(t, errorOf(client.UsageData.GetQueries(ctx)), serviceapi.ErrNotFound)
	some := result[feature](t)(s.Set(ctx, "new/one", serviceapi.SetFeatureOptions{
		Value: "true", User: new(ada.Username()),
	}))
	assert.Nil(t, some.Definition, "the service does not know it")
	assert.Equal(t, serviceapi.FeatureStateConditional, some.State)
	require.Len(t, some.Gates, 2)
	assert.Equal(t, serviceapi.FeatureGateKeyActors, some.Gates[1].Key)
	assert.JSONEq(t, `["User:31"]`, string(some.Gates[1].Value))
	listed, err := serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Feature{some, off}, listed)
	definitions, err := serviceapi.Collect(s.AllDefinitions(ctx, nil))
	require.NoError(t, err)
	assert.Contains(t, definitions, off.Definition)
	_, err = s.Delete(ctx, "usage_data_queries_api")
	require.NoError(t, err)
	assert.NoError(t, errorOf(client.UsageData.GetQueries(ctx)))
	_, _, err = s.Set(ctx, "a", serviceapi.SetFeatureOptions{
		Value: "1", Key: new(serviceapi.FeatureGateKeyPercentageOfTime), User: new("ada"),
	})
	assert.ErrorContains(t, err, "key, user are mutually exclusive")
}

func TestServicePlanLimitsAndStatistics(t *testing.T) {
	svc := servicetest.New(t)
	client, ctx := asRoot(t, svc), t.Context()
	s := client.PlanLimits
	type limits = *serviceapi.PlanLimits
	before := result[limits](t)(s.Get(ctx, nil))
	assert.Equal(t, []any{new(25), new(int64(5242880)), new(0)},
		[]any{before.CIInstanceLevelVariables, before.HelmMaxFileSize, before.WebHookCalls})
	type values = serviceapi.PlanLimitValues
	after := result[limits](t)(s.Change(ctx, serviceapi.ChangePlanLimitsOptions{
		PlanName:        "default",
		PlanLimitValues: values{CIInstanceLevelVariables: new(0), EnforcementLimit: new(int64(7))},
	}))
	assert.Equal(t, []any{new(0), before.CIPipelineSchedules}, []any{after.CIInstanceLevelVariables,
		after.CIPipelineSchedules})
	assert.Equal(t, map[string][]*serviceapi.PlanLimitChange{
		"enforcement_limit": {{UserID: 1, Username: "root", Timestamp: svc.Now().Unix(), Value: 7}},
	}, after.LimitsHistory)
	assert.Equal(t, before, result[limits](t)(s.Get(ctx, &serviceapi.GetPlanLimitsOptions{PlanName: "premium"})))
	copied := result[limits](t)(s.Change(ctx, serviceapi.ChangePlanLimitsOptions{
		PlanName: "premium", PlanLimitValues: after.PlanLimitValues}))
	assert.Equal(t, after.PlanLimitValues, copied.PlanLimitValues)
	_, _, err := s.Change(ctx, serviceapi.ChangePlanLimitsOptions{
		PlanName: "default", PlanLimitValues: values{StorageSizeLimit: new(int64(8))}})
	assert.ErrorContains(t, err, "must be less than or equal to the enforcement limit (7)")

	for i := range 1200 {
		svc.User("u" + strconv.Itoa(i))
	}
	statistics := result[*serviceapi.ApplicationStatistics](t)(client.Metadata.GetStatistics(ctx))
	assert.Equal(t, int64(1201), statistics.Users, "sent as 1,201")
}

func TestServiceSidekiqAndUsageData(t *testing.T) {
	svc := servicetest.New(t)
	client, ctx := asRoot(t, svc), t.Context()
	s, u := client.Sidekiq, client.UsageData
	type metrics = *serviceapi.SidekiqMetrics
	whole := result[metrics](t)(s.GetMetrics(ctx))
	assert.Equal(t, &serviceapi.SidekiqMetrics{Queues: whole.Queues}, result[metrics](t)(s.GetQueues(ctx)))
	assert.Equal(t, &serviceapi.SidekiqMetrics{Processes: whole.Processes}, result[metrics](t)(s.GetProcesses(ctx)))
	assert.Equal(t, &serviceapi.SidekiqMetrics{Jobs: whole.Jobs}, result[metrics](t)(s.GetJobs(ctx)))
	assert.Equal(t, &serviceapi.SidekiqQueue{Backlog: 2, Latency: 1}, whole.Queues["mailers"])
	deletion := result[*serviceapi.SidekiqDeletion](t)(s.DeleteJobs(ctx, "mailers",
		&serviceapi.DeleteSidekiqJobsOptions{WorkerClass: "X"}))
	assert.Equal(t, &serviceapi.SidekiqDeletion{Completed: true, QueueSize: 2}, deletion)
	assert.ErrorIs(t, errorOf(s.DeleteJobs(ctx, "mailers", nil)), serviceapi.ErrBadRequest)
	assert.ErrorIs(t, errorOf(s.DeleteJobs(ctx, "x", &serviceapi.DeleteSidekiqJobsOptions{User: "ada"})),
		serviceapi.ErrNotFound)

	svc.Project("acme/app")
	ping := result[*serviceapi.UsageData](t)(u.GetServicePing(ctx))
	assert.Equal(t, []any{new(svc.Now()), json.RawMessage("1")}, []any{ping.RecordedAt, ping.Counts["projects"]})
	assert.Contains(t, ping.Extra, "active_user_count")
	assert.Equal(t, json.RawMessage("-3"),
		result[*serviceapi.UsageData](t)(u.GetNonSQLMetrics(ctx)).Counts["projects"])
	assert.ErrorIs(t, errorOf(as(t, svc, svc.User("ada")).UsageData.GetServicePing(ctx)), serviceapi.ErrForbidden)
	download := result[*serviceapi.Download](t)(asAnybody(t, svc).UsageData.DownloadMetricDefinitions(ctx,
		&serviceapi.DownloadMetricDefinitionsOptions{IncludePaths: new(true)}))
	text, err := io.ReadAll(download)
	require.NoError(t, err)
	assert.Equal(t, "- key_path: counts.projects\n  description: Count of projects\n"+
		"  file_path: config/metrics/counts_all/projects.yml\n", string(text))
	_, err = u.TrackEvent(ctx, serviceapi.TrackEventOptions{Event: "click"})
	require.NoError(t, err)
	_, err = u.TrackEvents(ctx, serviceapi.TrackEventsOptions{Events: make([]serviceapi.TrackEventOptions, 51)})
	require.Error(t, err)
	events := make([]serviceapi.TrackEventOptions, 51)
	for i := range events {
		events[i].Event = "click"
	}
	_, err = u.TrackEvents(ctx, serviceapi.TrackEventsOptions{Events: events})
	require.ErrorContains(t, err, "Maximum 50 events allowed in one request.")
	_, err = u.TrackEvents(ctx, serviceapi.TrackEventsOptions{Events: events[:50]})
	require.NoError(t, err)
}

func TestServiceMigrations(t *testing.T) {
	svc := servicetest.New(t)
	client, ctx := asRoot(t, svc), t.Context()
	s := client.Migrations
	type migration = *serviceapi.BatchedMigration
	_, err := s.Mark(ctx, 20260115090000, serviceapi.MigrationDatabaseOptions{Database: new("main")})
	require.NoError(t, err)
	_, err = s.Mark(ctx, 20260115090000, serviceapi.MigrationDatabaseOptions{})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	all, err := serviceapi.Collect(s.AllBatched(ctx,
		&serviceapi.ListBatchedMigrationsOptions{JobClassName: "BackfillNames"}))
	require.NoError(t, err)
	want := &serviceapi.BatchedMigration{ID: 1, JobClassName: "BackfillNames", TableName: "projects", ColumnName: "id",
		Status: "active", Progress: new(12.5), CreatedAt: servicetest.Epoch, EstimatedTimeRemaining: "1 day"}
	assert.Equal(t, []*serviceapi.BatchedMigration{want}, all)
	assert.ErrorIs(t, errorOf(s.ResumeBatched(ctx, 1, serviceapi.MigrationDatabaseOptions{})),
		serviceapi.ErrUnprocessable)
	want.Status = serviceapi.BatchedMigrationStatusPaused
	assert.Equal(t, want, result[migration](t)(s.PauseBatched(ctx, 1, serviceapi.MigrationDatabaseOptions{})))
	assert.Equal(t, want, result[migration](t)(s.GetBatched(ctx, 1, nil)))
	want.Status = serviceapi.BatchedMigrationStatusActive
	assert.Equal(t, want, result[migration](t)(s.ResumeBatched(ctx, 1, serviceapi.MigrationDatabaseOptions{})))

	assert.ErrorIs(t, errorOf(s.ListSearch(ctx, nil)), serviceapi.ErrBadRequest)
	_, _, err = client.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{
		ElasticsearchIndexing: new(true), ElasticsearchURL: []string{"http://search.example"},
	})
	require.NoError(t, err)
	found, err := serviceapi.Collect(s.AllSearch(ctx, nil))
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, []any{int64(20230427555555), true, new(servicetest.Epoch)},
		[]any{found[0].Version, found[0].Completed, found[0].CompletedAt})
	assert.Equal(t, found[0], result[*serviceapi.SearchMigration](t)(s.GetSearch(ctx, found[0].Name)))
	free := asRoot(t, servicetest.New(t, servicetest.WithTier(servicetest.Free)))
	for _, err := range []error{errorOf(free.Migrations.ListSearch(ctx, nil)), errorOf(free.GeoSites.List(ctx, nil))} {
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
}

func TestServiceGeoSites(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	s, ctx := asRoot(t, svc).GeoSites, t.Context()
	type site = *serviceapi.GeoSite
	primary := result[site](t)(s.Create(ctx, serviceapi.CreateGeoSiteOptions{
		Name: "main", URL: "https://a.example", Primary: new(true),
	}))
	assert.Equal(t, []any{"https://a.example/", "https://a.example/", true, 10, (*bool)(nil)},
		[]any{primary.URL, primary.InternalURL, primary.Current, primary.FilesMaxCapacity, primary.SyncObjectStorage})
	far := result[site](t)(s.Create(ctx, serviceapi.CreateGeoSiteOptions{
		Name: "far", URL: "https://b.example", SelectiveSyncType: new(serviceapi.GeoSelectiveSyncTypeNamespaces),
		SelectiveSyncNamespaceIDs: []int64{svc.Group("acme").ID()},
	}))
	assert.Equal(t, []any{new(false), serviceapi.GeoSelectiveSyncTypeNamespaces},
		[]any{far.SyncObjectStorage, far.SelectiveSyncType})
	assert.Equal(t, far, result[site](t)(s.Get(ctx, far.ID)))
	sites, err := serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.GeoSite{primary, far}, sites)
	_, _, err = s.Create(ctx, serviceapi.CreateGeoSiteOptions{Name: "FAR", URL: "https://c.example"})
	require.ErrorContains(t, err, "has already been taken")
	_, _, err = s.Update(ctx, primary.ID, serviceapi.UpdateGeoSiteOptions{Enabled: new(false)})
	require.ErrorContains(t, err, "Geo primary node cannot be disabled")

	statuses, err := serviceapi.Collect(s.AllStatuses(ctx, nil))
	require.NoError(t, err)
	require.Len(t, statuses, 2)
	of := func(s *serviceapi.GeoSiteStatus) []any {
		counts := s.Counts["project_repositories"]
		return []any{s.SiteID, s.Healthy, counts.Count, counts.Checksummed, counts.Synced, counts.SyncedInPercentage,
			s.UpdatedAt, len(s.Namespaces), s.Extra}
	}
	none := map[string]json.RawMessage(nil)
	assert.Equal(t, []any{int64(1), true, new(1), new(1), (*int)(nil), "0.00%", svc.Now(), 0, none}, of(statuses[0]))
	assert.Equal(t, []any{int64(2), true, new(1), (*int)(nil), new(1), "100.00%", svc.Now(), 1, none}, of(statuses[1]))
	assert.Len(t, statuses[0].Counts, 17)
	svc.Advance(2 * time.Hour)
	status := result[*serviceapi.GeoSiteStatus](t)(s.GetStatus(ctx, 2, nil))
	assert.Equal(t, []any{false, "Unhealthy"}, []any{status.Healthy, status.HealthStatus})
	assert.True(t, result[*serviceapi.GeoSiteStatus](t)(s.Repair(ctx, 2)).Healthy)
	far = result[site](t)(s.Update(ctx, 2, serviceapi.UpdateGeoSiteOptions{
		SelectiveSyncType: serviceapi.Null[serviceapi.GeoSelectiveSyncType](), Enabled: new(false),
	}))
	assert.Equal(t, []any{serviceapi.GeoSelectiveSyncType(""), false}, []any{far.SelectiveSyncType, far.Enabled})
	_, err = s.Delete(ctx, 2)
	require.NoError(t, err)
	assert.ErrorIs(t, errorOf(s.Get(ctx, 2)), serviceapi.ErrNotFound)
}

// TestServiceTokenInformation finds and ends tokens of every kind that the service has.
func TestServiceTokenInformation(t *testing.T) {
	svc := servicetest.New(t)
	ada, app := svc.User("ada"), svc.Project("acme/app")
	s, ctx := asRoot(t, svc).TokenInformation, t.Context()
	runner, deploy := svc.Runner("shared"), app.DeployToken("d")
	job := app.Pipeline("main").Job("test", servicetest.Running())
	trigger := app.Trigger("nightly", servicetest.By(ada))
	session := svc.SessionCookie(ada)
	personal := svc.Token(ada, servicetest.Name("laptop"), servicetest.Scopes("read_api"))
	for text, want := range map[string][]any{
		personal:        {"laptop", []string{"read_api"}, true},
		deploy.Token():  {"d", []string{"read_repository"}, false},
		runner.Token():  {"service-runner", []string(nil), true},
		trigger.Token(): {"", []string(nil), false},
		session:         {"Ada", []string(nil), false},
		ada.FeedToken(): {"Ada", []string(nil), false},
		ada.MailToken(): {"Ada", []string(nil), false},
	} {
		token := serviceapi.NewSecret(text)
		got, _, err := s.Get(ctx, serviceapi.AnyTokenOptions{Token: token})
		require.NoError(t, err)
		require.NotNil(t, got.ID)
		assert.Equal(t, want, []any{got.Name, got.Scopes, got.Active != nil && *got.Active})
		_, err = s.Revoke(ctx, serviceapi.AnyTokenOptions{Token: token})
		require.NoError(t, err)
	}
	assert.False(t, svc.TokenWorks(personal))
	assert.False(t, svc.TokenWorks(session))
	assert.Equal(t, []string{"feed-2-secret-2", "mail-2-secret-2"}, []string{ada.FeedToken(), ada.MailToken()},
		"each has a new one")
	revoked, _, err := s.Get(ctx, serviceapi.AnyTokenOptions{Token: serviceapi.NewSecret(personal)})
	require.NoError(t, err)
	assert.Equal(t, []any{new(true), new(false), new(ada.ID())}, []any{revoked.Revoked, revoked.Active, revoked.UserID})
	ofJob := serviceapi.NewSecret(job.Token())
	information, _, err := s.Get(ctx, serviceapi.AnyTokenOptions{Token: ofJob})
	require.NoError(t, err)
	assert.Contains(t, information.Extra, "job")
	_, err = s.Revoke(ctx, serviceapi.AnyTokenOptions{Token: ofJob})
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	_, err = s.Revoke(ctx, serviceapi.AnyTokenOptions{Token: serviceapi.NewSecret("unknown-S3cr3t")})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.NotContains(t, err.Error(), "S3cr3t")
	_, err = s.Revoke(ctx, serviceapi.AnyTokenOptions{Token: serviceapi.NewSecret(runner.Token())})
	require.NoError(t, err, "the runner has a new token")
	_, err = s.Revoke(ctx, serviceapi.AnyTokenOptions{Token: serviceapi.NewSecret(svc.OAuthToken(ada))})
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable)
}
