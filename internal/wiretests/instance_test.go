package wiretests

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// returns checks the result of a call.
func returns[T any](t *testing.T, want T) func(T, *serviceapi.Response, error) {
	return func(got T, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// succeeds checks the status of a call without a result.
func succeeds(t *testing.T, status int) func(*serviceapi.Response, error) {
	return func(resp *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, status, resp.StatusCode)
	}
}

// listed are the requests for a page and for all pages of a list.
func listed(path, items string) []exchange {
	return []exchange{
		{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: items},
		{Method: "GET", Path: path, Query: "per_page=5", Body: items},
	}
}

// lists makes the requests of listed.
func lists[T any](t *testing.T, l ownedList[int, *serviceapi.ListOptions, T], want ...T) {
	t.Helper()
	returns(t, want)(l.list(t.Context(), 0, &serviceapi.ListOptions{Page: 2, PerPage: 5}))
	all, err := serviceapi.Collect(l.all(t.Context(), 0, &serviceapi.ListOptions{PerPage: 5}))
	require.NoError(t, err)
	assert.Equal(t, want, all)
}

func TestBroadcastMessages(t *testing.T) {
	const path, whole = "/broadcast_messages", "instance/broadcast_message.json"
	const everything = `{"message":"Down at nine","starts_at":"2026-01-14T09:00:00Z",` +
		`"ends_at":"2026-01-15T09:00:00Z",` +
		`"target_access_levels":[10,50],"target_path":"/acme/*","broadcast_type":"notification","dismissable":false,` +
		`"theme":"light-red","color":"#E75E40","font":"#FFFFFF"}`
	want := &serviceapi.BroadcastMessage{
		ID: 3, Message: "Down at nine", Active: true, StartsAt: *at(t, "2026-01-14T09:00:00Z"),
		EndsAt: *at(t, "2026-01-15T09:00:00Z"), Color: "#E75E40", Font: "#FFFFFF",
		Theme:              serviceapi.BroadcastMessageThemeLightRed,
		TargetAccessLevels: []serviceapi.AccessLevel{serviceapi.AccessLevelGuest, serviceapi.AccessLevelOwner},
		TargetPath:         "/acme/*", BroadcastType: serviceapi.BroadcastMessageTypeNotification,
		Dismissable: new(true),
	}
	assertFilled(t, want)
	client := onWire(t, append(listed(path, "["+fixture(t, whole)+"]"),
		exchange{Method: "GET", Path: path + "/3", Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"message":"Down"}`},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: everything},
		exchange{Method: "PUT", Path: path + "/3", Fixture: whole, JSON: `{"target_access_levels":[]}`},
		exchange{Method: "PUT", Path: path + "/3", Fixture: whole, JSON: everything},
		exchange{Method: "DELETE", Path: path + "/3", Status: 204})...)
	s, ctx := client.BroadcastMessages, t.Context()
	page, _, err := s.List(ctx, &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BroadcastMessage{want}, page)
	all, err := serviceapi.Collect(s.All(ctx, &serviceapi.ListOptions{PerPage: 5}))
	require.NoError(t, err)
	assert.Equal(t, page, all)
	returns(t, want)(s.Get(ctx, 3))
	returns(t, want)(s.Create(ctx, serviceapi.CreateBroadcastMessageOptions{Message: "Down"}))
	returns(t, want)(s.Create(ctx, serviceapi.CreateBroadcastMessageOptions{
		Message: want.Message, StartsAt: &want.StartsAt, EndsAt: &want.EndsAt,
		TargetAccessLevels: want.TargetAccessLevels, TargetPath: &want.TargetPath, BroadcastType: &want.BroadcastType,
		Dismissable: new(false), Theme: &want.Theme, Color: &want.Color, Font: &want.Font,
	}))
	returns(t, want)(s.Update(ctx, 3, serviceapi.UpdateBroadcastMessageOptions{
		TargetAccessLevels: []serviceapi.AccessLevel{},
	}))
	returns(t, want)(s.Update(ctx, 3, serviceapi.UpdateBroadcastMessageOptions{
		Message: &want.Message, StartsAt: &want.StartsAt, EndsAt: &want.EndsAt,
		TargetAccessLevels: want.TargetAccessLevels, TargetPath: &want.TargetPath, BroadcastType: &want.BroadcastType,
		Dismissable: new(false), Theme: &want.Theme, Color: &want.Color, Font: &want.Font,
	}))
	succeeds(t, 204)(s.Delete(ctx, 3))
	assertRefused(t, "id", errorOf(s.Get(ctx, 0)))
	assertRefused(t, "Message", errorOf(s.Create(ctx, serviceapi.CreateBroadcastMessageOptions{})))
}

func TestFeatures(t *testing.T) {
	definition := &serviceapi.FeatureDefinition{
		Name: "fast", FeatureIssueURL: "https://a.example/1", IntroducedByURL: "https://a.example/2",
		RolloutIssueURL: "https://a.example/3", Milestone: "15.2", LogStateChanges: new(true), Type: "development",
		Group: "group::pipelines", DefaultEnabled: true, IntendedToRollout: "16.0",
	}
	want := &serviceapi.Feature{
		Name: "fast", State: serviceapi.FeatureStateConditional, Definition: definition,
		Gates: []*serviceapi.FeatureGate{
			{Key: serviceapi.FeatureGateKeyBoolean, Value: json.RawMessage("false")},
			{Key: serviceapi.FeatureGateKeyActors, Value: json.RawMessage(`[
        "User:5"
      ]`)},
		},
	}
	client := onWire(t, append(append(listed("/features", "["+fixture(t, "instance/feature.json")+"]"),
		listed("/features/definitions", "["+fixture(t, "instance/feature_definition.json")+"]")...),
		exchange{Method: "POST", Path: "/features/fast%2Fer", Status: 201, Fixture: "instance/feature.json",
			JSON: `{"value":"true"}`},
		exchange{Method: "POST", Path: "/features/fast", Status: 201, Fixture: "instance/feature.json",
			JSON: `{"value":"25","key":"percentage_of_actors","feature_group":"a","user":"b","group":"c",` +
				`"namespace":"d","project":"e","repository":"f","runner":"g","force":true}`},
		exchange{Method: "DELETE", Path: "/features/fast", Status: 204})...)
	s, ctx := client.Features, t.Context()
	page2, first := &serviceapi.ListOptions{Page: 2, PerPage: 5}, &serviceapi.ListOptions{PerPage: 5}
	returns(t, []*serviceapi.Feature{want})(s.List(ctx, page2))
	all, err := serviceapi.Collect(s.All(ctx, first))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Feature{want}, all)
	returns(t, []*serviceapi.FeatureDefinition{definition})(s.ListDefinitions(ctx, page2))
	definitions, err := serviceapi.Collect(s.AllDefinitions(ctx, first))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.FeatureDefinition{definition}, definitions)
	returns(t, want)(s.Set(ctx, "fast/er", serviceapi.SetFeatureOptions{Value: "true"}))
	returns(t, want)(s.Set(ctx, "fast", serviceapi.SetFeatureOptions{
		Value: "25", Key: new(serviceapi.FeatureGateKeyPercentageOfActors), FeatureGroup: new("a"), User: new("b"),
		Group: new("c"), Namespace: new("d"), Project: new("e"), Repository: new("f"), Runner: new("g"),
		Force: new(true),
	}))
	succeeds(t, 204)(s.Delete(ctx, "fast"))
	assertRefused(t, "Value", errorOf(s.Set(ctx, "fast", serviceapi.SetFeatureOptions{})))
	assertRefused(t, "name", second(s.Delete(ctx, "")))
}

func TestPlanLimits(t *testing.T) {
	const path, whole = "/application/plan_limits", "instance/plan_limits.json"
	var want serviceapi.PlanLimits
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(fixture(t, whole)), &want))
	require.NoError(t, json.Unmarshal([]byte(fixture(t, whole)), &members))
	assertFilled(t, want)
	assert.Equal(t, map[string][]*serviceapi.PlanLimitChange{
		"enforcement_limit": {{UserID: 1, Username: "root", Timestamp: 1768467600, Value: 7}},
	}, want.LimitsHistory)
	assert.Equal(t, []any{new(3), new(int64(14)), new(int64(22)), new(25)},
		[]any{want.CIActiveJobs, want.HelmMaxFileSize, want.StorageSizeLimit, want.WebHookCallsMid})
	var options serviceapi.ChangePlanLimitsOptions
	delete(members, "limits_history")
	members["plan_name"], members["ci_pipeline_size"] = "premium", 0
	body, err := json.Marshal(members)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(body, &options))
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "GET", Path: path, Query: "plan_name=premium", Body: `{"conan_max_file_size":0}`},
		exchange{Method: "PUT", Path: path, Fixture: whole, JSON: string(body)},
		exchange{Method: "PUT", Path: path, Fixture: whole, JSON: `{"plan_name":"default","dotenv_size":0}`})
	s, ctx := client.PlanLimits, t.Context()
	returns(t, &want)(s.Get(ctx, nil))
	type values = serviceapi.PlanLimitValues
	returns(t, &serviceapi.PlanLimits{PlanLimitValues: values{ConanMaxFileSize: new(int64(0))}})(
		s.Get(ctx, &serviceapi.GetPlanLimitsOptions{PlanName: "premium"}))
	returns(t, &want)(s.Change(ctx, options))
	returns(t, &want)(s.Change(ctx, serviceapi.ChangePlanLimitsOptions{
		PlanName: "default", PlanLimitValues: values{DotenvSize: new(int64(0))}}))
	assertRefused(t, "PlanName", errorOf(s.Change(ctx, serviceapi.ChangePlanLimitsOptions{})))
}

// TestStatistics decodes both forms: text with commas for thousands, and numbers.
func TestStatistics(t *testing.T) {
	want := &serviceapi.ApplicationStatistics{Forks: 1, Issues: 12345, MergeRequests: 1234567, Notes: 4, Snippets: 5,
		SSHKeys: 6, Milestones: 7, Users: 8, Groups: 9, Projects: 1000, ActiveUsers: 11}
	assertFilled(t, want)
	client := onWire(t,
		exchange{Method: "GET", Path: "/application/statistics", Body: `{"forks":"1","issues":"12,345",` +
			`"merge_requests":"1,234,567","notes":"4","snippets":"5","ssh_keys":"6","milestones":"7","users":"8",` +
			`"groups":"9","projects":"1000","active_users":"11"}`},
		exchange{Method: "GET", Path: "/application/statistics", Body: `{"forks":1,"issues":12345,` +
			`"merge_requests":1234567,"notes":4,"snippets":5,"ssh_keys":6,"milestones":7,"users":8,"groups":9,` +
			`"projects":1000,"active_users":11}`},
		exchange{Method: "GET", Path: "/application/statistics", Body: `{"forks":"many","issues":2}`})
	for range 2 {
		returns(t, want)(client.Metadata.GetStatistics(t.Context()))
	}
	got, _, err := client.Metadata.GetStatistics(t.Context())
	var wrong *serviceapi.DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "/forks", wrong.Pointer)
	assert.Equal(t, &serviceapi.ApplicationStatistics{Issues: 2}, got)
}

func TestSidekiq(t *testing.T) {
	whole := decoded[map[string]json.RawMessage](t, fixture(t, "instance/sidekiq.json"))
	part := func(name string) string { return `{"` + name + `":` + string((*whole)[name]) + `}` }
	client := onWire(t,
		exchange{Method: "GET", Path: "/sidekiq/compound_metrics", Fixture: "instance/sidekiq.json"},
		exchange{Method: "GET", Path: "/sidekiq/queue_metrics", Body: part("queues")},
		exchange{Method: "GET", Path: "/sidekiq/process_metrics", Body: part("processes")},
		exchange{Method: "GET", Path: "/sidekiq/job_stats", Body: part("jobs")},
		exchange{Method: "DELETE", Path: "/admin/sidekiq/queues/default", Query: "caller_id=f&client_id=g&" +
			"feature_category=j&job_id=3&organization_id=2&pipeline_id=4&project=b&root_namespace=c&" +
			"subscription_plan=e&user=a&user_id=1&worker_class=k",
			Body: `{"completed":true,"deleted_jobs":3,"queue_size":4}`})
	want := &serviceapi.SidekiqMetrics{
		Queues: map[string]*serviceapi.SidekiqQueue{"default": {Backlog: 3, Latency: 7}},
		Processes: []*serviceapi.SidekiqProcess{{Hostname: "worker-1", PID: 71, Tag: "service",
			StartedAt: *at(t, "2026-01-14T09:00:00Z"), Queues: []string{"default"}, Labels: []string{"fast"},
			Concurrency: 20, Busy: 4}},
		Jobs: &serviceapi.SidekiqJobs{Processed: 11, Failed: 12, Enqueued: 13, Dead: new(int64(14))},
	}
	s, ctx := client.Sidekiq, t.Context()
	returns(t, want)(s.GetMetrics(ctx))
	returns(t, &serviceapi.SidekiqMetrics{Queues: want.Queues})(s.GetQueues(ctx))
	returns(t, &serviceapi.SidekiqMetrics{Processes: want.Processes})(s.GetProcesses(ctx))
	returns(t, &serviceapi.SidekiqMetrics{Jobs: want.Jobs})(s.GetJobs(ctx))
	returns(t, &serviceapi.SidekiqDeletion{Completed: true, DeletedJobs: 3, QueueSize: 4})(
		s.DeleteJobs(ctx, "default", &serviceapi.DeleteSidekiqJobsOptions{
			User: "a", UserID: 1, Project: "b", RootNamespace: "c", OrganizationID: 2, SubscriptionPlan: "e",
			CallerID: "f", ClientID: "g", JobID: 3, PipelineID: 4, FeatureCategory: "j", WorkerClass: "k",
		}))
}

func TestMigrations(t *testing.T) {
	const path, one = "/admin/batched_background_migrations", "instance/batched_migration.json"
	const search = "instance/search_migration.json"
	batched := &serviceapi.BatchedMigration{ID: 5, JobClassName: "BackfillNames", TableName: "projects",
		ColumnName: "id", Status: serviceapi.BatchedMigrationStatusFinalizing, Progress: new(12.5),
		CreatedAt: *at(t, "2026-01-14T09:00:00Z"), EstimatedTimeRemaining: "1 day"}
	index := &serviceapi.SearchMigration{Version: 20230427555555, Name: "Backfill",
		StartedAt: at(t, "2026-01-14T09:00:00Z"), CompletedAt: at(t, "2026-01-14T10:00:00Z"), Completed: true,
		Obsolete: true, MigrationState: json.RawMessage("{\n    \"a\": 1\n  }")}
	selected := "database=ci&job_class_name=X"
	client := onWire(t, append(listed("/admin/search/migrations", "["+fixture(t, search)+"]"),
		exchange{Method: "POST", Path: "/admin/migrations/20260115090000/mark", Status: 201, JSON: `{"database":"ci"}`,
			Body: `{"message":"201 Created"}`},
		exchange{Method: "GET", Path: path, Query: selected, Body: "[" + fixture(t, one) + "]"},
		exchange{Method: "GET", Path: path, Query: selected + "&per_page=100", Body: "[" + fixture(t, one) + "]"},
		exchange{Method: "GET", Path: path + "/5", Query: "database=ci", Fixture: one},
		exchange{Method: "PUT", Path: path + "/5/pause", Fixture: one, JSON: `{}`},
		exchange{Method: "PUT", Path: path + "/5/resume", Fixture: one, JSON: `{"database":"ci"}`},
		exchange{Method: "GET", Path: "/admin/search/migrations/Backfill", Fixture: search})...)
	s, ctx, ci := client.Migrations, t.Context(), serviceapi.MigrationDatabaseOptions{Database: new("ci")}
	lists(t, ownedList[int, *serviceapi.ListOptions, *serviceapi.SearchMigration]{
		list: ownerless(s.ListSearch), all: ownerlessAll(s.AllSearch),
	}, index)
	succeeds(t, 201)(s.Mark(ctx, 20260115090000, ci))
	options := &serviceapi.ListBatchedMigrationsOptions{Database: "ci", JobClassName: "X"}
	returns(t, []*serviceapi.BatchedMigration{batched})(s.ListBatched(ctx, options))
	all, err := serviceapi.Collect(s.AllBatched(ctx, options))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BatchedMigration{batched}, all)
	returns(t, batched)(s.GetBatched(ctx, 5, &serviceapi.GetBatchedMigrationOptions{Database: "ci"}))
	returns(t, batched)(s.PauseBatched(ctx, 5, serviceapi.MigrationDatabaseOptions{}))
	returns(t, batched)(s.ResumeBatched(ctx, 5, ci))
	returns(t, index)(s.GetSearch(ctx, "Backfill"))
	assertRefused(t, "version", second(s.Mark(ctx, 0, ci)))
	assertRefused(t, "version_or_name", errorOf(s.GetSearch(ctx, "")))
}

func TestUsageData(t *testing.T) {
	const event = `{"event":"click","namespace_id":1,"project_id":2,"additional_properties":{"label":"x"},` +
		`"send_to_snowplow":true}`
	const whole = "instance/usage_data.json"
	client := onWire(t,
		exchange{Method: "GET", Path: "/usage_data/service_ping", Fixture: whole},
		exchange{Method: "GET", Path: "/usage_data/service_ping", Body: `{}`},
		exchange{Method: "GET", Path: "/usage_data/queries", Fixture: whole},
		exchange{Method: "GET", Path: "/usage_data/non_sql_metrics",
			Body: `{"recorded_at":null,"license":null,"counts":null,"version":null}`},
		exchange{Method: "GET", Path: "/usage_data/metric_definitions", Query: "include_paths=true", Body: "- a: b\n"},
		exchange{Method: "POST", Path: "/usage_data/track_event", Body: "200", JSON: event},
		exchange{Method: "POST", Path: "/usage_data/track_event", Body: "", JSON: `{"event":"a"}`},
		exchange{Method: "POST", Path: "/usage_data/track_events", Body: "200", JSON: `{"events":[` + event + `]}`})
	s, ctx := client.UsageData, t.Context()
	want := &serviceapi.UsageData{RecordedAt: at(t, "2026-01-14T09:00:00Z"), Version: "18.9.0",
		License: json.RawMessage("{\n    \"plan\": \"premium\"\n  }"),
		Counts:  map[string]json.RawMessage{"projects": json.RawMessage("4")},
		Extra:   map[string]json.RawMessage{"uuid": json.RawMessage("null"), "edition": json.RawMessage(`"EE"`)}}
	returns(t, want)(s.GetServicePing(ctx))
	returns(t, (*serviceapi.UsageData)(nil))(s.GetServicePing(ctx))
	returns(t, want)(s.GetQueries(ctx))
	empty, _, err := s.GetNonSQLMetrics(ctx)
	require.NoError(t, err)
	assert.Nil(t, empty.RecordedAt)
	assert.Empty(t, empty.Counts)
	text, err := json.Marshal(want)
	require.NoError(t, err)
	assert.JSONEq(t, strings.ReplaceAll(fixture(t, whole), ".000Z", "Z"), string(text))
	download, _, err := s.DownloadMetricDefinitions(ctx,
		&serviceapi.DownloadMetricDefinitionsOptions{IncludePaths: new(true)})
	require.NoError(t, err)
	content, err := io.ReadAll(download)
	require.NoError(t, err)
	assert.Equal(t, "- a: b\n", string(content))
	click := serviceapi.TrackEventOptions{Event: "click", NamespaceID: new(int64(1)), ProjectID: new(int64(2)),
		AdditionalProperties: json.RawMessage(`{"label":"x"}`), SendToSnowplow: new(true)}
	succeeds(t, 200)(s.TrackEvent(ctx, click))
	succeeds(t, 200)(s.TrackEvent(ctx, serviceapi.TrackEventOptions{Event: "a"}))
	succeeds(t, 200)(s.TrackEvents(ctx, serviceapi.TrackEventsOptions{Events: []serviceapi.TrackEventOptions{click}}))
	assertRefused(t, "Event", second(s.TrackEvent(ctx, serviceapi.TrackEventOptions{})))
}

func TestGeoSites(t *testing.T) {
	const one, report = "instance/geo_site.json", "instance/geo_site_status.json"
	site := &serviceapi.GeoSite{
		ID: 2, Name: "far", URL: "https://b.example/", InternalURL: "https://c.example/", Primary: true, Enabled: true,
		Current: true, FilesMaxCapacity: 11, ReposMaxCapacity: 12, VerificationMaxCapacity: 13,
		ContainerRepositoriesMaxCapacity: 14, MinimumReverificationInterval: 15,
		SelectiveSyncType: serviceapi.GeoSelectiveSyncTypeShards, SelectiveSyncShards: []string{"a"},
		SelectiveSyncNamespaceIDs: []int64{7}, SelectiveSyncOrganizationIDs: []int64{8}, SyncObjectStorage: new(true),
		WebEditURL: "https://a.example/edit", WebGeoReplicationDetailsURL: "https://a.example/lfs",
		Links: &serviceapi.GeoSiteLinks{Self: "https://a.example/self", Status: "https://a.example/status",
			Repair: "https://a.example/repair"},
	}
	status := wholeGeoStatus(t)
	const shared = `"name":"far","url":"https://b.example","internal_url":"https://c.example","enabled":true,` +
		`"files_max_capacity":0,"repos_max_capacity":12,"verification_max_capacity":13,` +
		`"container_repositories_max_capacity":14,"minimum_reverification_interval":15,"sync_object_storage":true,` +
		`"selective_sync_type":"shards","selective_sync_shards":["a"],"selective_sync_namespace_ids":[7],` +
		`"selective_sync_organization_ids":[8]}`
	client := onWire(t, append(append(listed("/geo_sites", "["+fixture(t, one)+"]"),
		listed("/geo_sites/status", "["+fixture(t, report)+"]")...),
		exchange{Method: "GET", Path: "/geo_sites/2", Fixture: one},
		exchange{Method: "POST", Path: "/geo_sites", Status: 201, Fixture: one, JSON: `{"primary":true,` + shared},
		exchange{Method: "PUT", Path: "/geo_sites/2", Fixture: one, JSON: `{` + shared},
		exchange{Method: "PUT", Path: "/geo_sites/2", Fixture: one, JSON: `{"selective_sync_type":null}`},
		exchange{Method: "DELETE", Path: "/geo_sites/2", Status: 204},
		exchange{Method: "POST", Path: "/geo_sites/2/repair", Fixture: report},
		exchange{Method: "GET", Path: "/geo_sites/2/status", Query: "refresh=true", Fixture: report})...)
	s, ctx := client.GeoSites, t.Context()
	lists(t, ownedList[int, *serviceapi.ListOptions, *serviceapi.GeoSite]{
		list: ownerless(s.List), all: ownerlessAll(s.All),
	}, site)
	lists(t, ownedList[int, *serviceapi.ListOptions, *serviceapi.GeoSiteStatus]{
		list: ownerless(s.ListStatuses), all: ownerlessAll(s.AllStatuses),
	}, status)
	returns(t, site)(s.Get(ctx, 2))
	shards := serviceapi.GeoSelectiveSyncTypeShards
	returns(t, site)(s.Create(ctx, serviceapi.CreateGeoSiteOptions{
		Name: "far", URL: "https://b.example", InternalURL: new("https://c.example"), Primary: new(true),
		Enabled: new(true), FilesMaxCapacity: new(0), ReposMaxCapacity: new(12), VerificationMaxCapacity: new(13),
		ContainerRepositoriesMaxCapacity: new(14), MinimumReverificationInterval: new(15), SyncObjectStorage: new(true),
		SelectiveSyncType: &shards, SelectiveSyncShards: []string{"a"}, SelectiveSyncNamespaceIDs: []int64{7},
		SelectiveSyncOrganizationIDs: []int64{8},
	}))
	returns(t, site)(s.Update(ctx, 2, serviceapi.UpdateGeoSiteOptions{
		Name: new("far"), URL: new("https://b.example"), InternalURL: new("https://c.example"), Enabled: new(true),
		FilesMaxCapacity: new(0), ReposMaxCapacity: new(12), VerificationMaxCapacity: new(13),
		ContainerRepositoriesMaxCapacity: new(14), MinimumReverificationInterval: new(15), SyncObjectStorage: new(true),
		SelectiveSyncType: serviceapi.Value(shards), SelectiveSyncShards: []string{"a"},
		SelectiveSyncNamespaceIDs: []int64{7}, SelectiveSyncOrganizationIDs: []int64{8},
	}))
	returns(t, site)(s.Update(ctx, 2, serviceapi.UpdateGeoSiteOptions{
		SelectiveSyncType: serviceapi.Null[serviceapi.GeoSelectiveSyncType](),
	}))
	succeeds(t, 204)(s.Delete(ctx, 2))
	returns(t, status)(s.Repair(ctx, 2))
	returns(t, status)(s.GetStatus(ctx, 2, &serviceapi.GetGeoSiteStatusOptions{Refresh: new(true)}))
	text, err := json.Marshal(status)
	require.NoError(t, err)
	var got, want map[string]any
	require.NoError(t, json.Unmarshal(text, &got))
	require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(fixture(t, report), ".000Z", "Z")), &want))
	for name, value := range want {
		assert.Equal(t, value, got[name], name)
	}
	assertRefused(t, "Name", errorOf(s.Create(ctx, serviceapi.CreateGeoSiteOptions{URL: "https://b.example"})))
	assertRefused(t, "URL", errorOf(s.Create(ctx, serviceapi.CreateGeoSiteOptions{Name: "far"})))
}

func wholeGeoStatus(t *testing.T) *serviceapi.GeoSiteStatus {
	return &serviceapi.GeoSiteStatus{
		SiteID: 2, Healthy: true, Health: "Healthy", HealthStatus: "Healthy!", MissingOAuthApplication: true,
		ProjectsCount: new(31), ContainerRepositoriesReplicationEnabled: new(true), RepositoriesCount: new(32),
		RepositoriesCheckedCount: new(33), RepositoriesCheckedFailedCount: new(34),
		RepositoriesCheckedInPercentage: "35.00%", GitFetchEventCountWeekly: new(36), GitPushEventCountWeekly: new(37),
		ProxyRemoteRequestsEventCountWeekly: new(38), ProxyLocalRequestsEventCountWeekly: new(39),
		ReplicationSlotsCount: new(40), ReplicationSlotsUsedCount: new(41), ReplicationSlotsUsedInPercentage: "42.00%",
		ReplicationSlotsMaxRetainedWALBytes: new(int64(43)), DBReplicationLagSeconds: new(int64(44)),
		LastEventID: new(int64(45)), LastEventTimestamp: 46, CursorLastEventID: new(int64(47)),
		CursorLastEventTimestamp: 48, LastSuccessfulStatusCheckTimestamp: 49, Version: "18.9.0", Revision: "abc1234",
		SelectiveSyncType: serviceapi.GeoSelectiveSyncTypeNamespaces,
		Namespaces: []*serviceapi.NamespaceSummary{{ID: 7, Name: "Acme", Path: "acme", Kind: "group", FullPath: "acme",
			ParentID: new(int64(3)), AvatarURL: "https://a.example/a.png", WebURL: "https://a.example/acme"}},
		UpdatedAt: *at(t, "2026-01-14T09:00:00Z"), StorageShards: []*serviceapi.GeoStorageShard{{Name: "default"}},
		StorageShardsMatch: true,
		Links:              &serviceapi.GeoSiteLinks{Self: "https://a.example/status", Site: "https://a.example/site"},
		Counts: map[string]*serviceapi.GeoSiteCounts{
			"lfs_objects": {Count: new(1), ChecksumTotal: new(2), Checksummed: new(3), ChecksumFailed: new(4),
				Registry: new(5), Synced: new(6), Failed: new(7), VerificationTotal: new(8), Verified: new(9),
				VerificationFailed: new(10), SyncedInPercentage: "50.00%", VerifiedInPercentage: "60.00%"},
			"uploads": {},
		},
		Extra: map[string]json.RawMessage{"later": json.RawMessage(`"yes"`)},
	}
}

// TestTokenInformation keeps the token out of addresses, errors and texts.
func TestTokenInformation(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/admin/token", Fixture: "instance/token_information.json",
			JSON: `{"token":"leaked-S3cr3t"}`},
		exchange{Method: "DELETE", Path: "/admin/token", Status: 204, JSON: `{"token":"leaked-S3cr3t"}`},
		exchange{Method: "POST", Path: "/admin/token", Status: 404, JSON: `{"token":"leaked-S3cr3t"}`,
			Body: `{"message":{"error":"Not found: leaked-S3cr3t"}}`})
	s, ctx, token := client.TokenInformation, t.Context(), serviceapi.NewSecret("leaked-S3cr3t")
	want := &serviceapi.TokenInformation{ID: new(int64(7)), UserID: new(int64(3)), Name: "ci", Scopes: []string{"api"},
		Revoked: new(true), Active: new(true), ExpiresAt: new(serviceapi.NewDate(2026, time.February, 1)),
		Token: serviceapi.NewSecret("trigger-S3cr3t"),
		Extra: map[string]json.RawMessage{"description": json.RawMessage(`"more"`)}}
	got, _, err := s.Get(ctx, serviceapi.AnyTokenOptions{Token: token})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	text, err := json.Marshal(got)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"description":"more"`)
	assert.NotContains(t, fmt.Sprintf("%+v %s", *got, text), "S3cr3t")
	succeeds(t, 204)(s.Revoke(ctx, serviceapi.AnyTokenOptions{Token: token}))
	_, _, err = s.Get(ctx, serviceapi.AnyTokenOptions{Token: token})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.NotContains(t, fmt.Sprintf("%+v", err), "S3cr3t")
	assertRefused(t, "Token", errorOf(s.Get(ctx, serviceapi.AnyTokenOptions{})))
	assertRefused(t, "Token", second(s.Revoke(ctx, serviceapi.AnyTokenOptions{})))
}

// ownerless and ownerlessAll make lists that have no owner look like those that have one.
func ownerless[P, T any](
	list func(context.Context, P, ...serviceapi.RequestOption) ([]T, *serviceapi.Response, error),
) func(context.Context, int, P, ...serviceapi.RequestOption) ([]T, *serviceapi.Response, error) {
	return func(ctx context.Context, _ int, options P, opts ...serviceapi.RequestOption) (
		[]T, *serviceapi.Response, error,
	) {
		return list(ctx, options, opts...)
	}
}

func ownerlessAll[P, T any](
	all func(context.Context, P, ...serviceapi.RequestOption) iter.Seq2[T, error],
) func(context.Context, int, P, ...serviceapi.RequestOption) iter.Seq2[T, error] {
	return func(ctx context.Context, _ int, options P, opts ...serviceapi.RequestOption) iter.Seq2[T, error] {
		return all(ctx, options, opts...)
	}
}

// TestDecodingReplaces decodes into values that were decoded before: nothing of what they had stays.
func TestDecodingReplaces(t *testing.T) {
	for _, value := range []any{
		new(serviceapi.GeoSiteStatus), new(serviceapi.UsageData), new(serviceapi.TokenInformation),
		new(serviceapi.IntegrationProperties),
	} {
		require.NoError(t, json.Unmarshal([]byte(`{"health":"Bad","jobs_failed_count":1,"version":"1","name":"a",
			"app_store_private_key":"k","later":2}`), value))
		assert.NotZero(t, reflect.ValueOf(value).Elem().Interface(), "%T", value)
		require.NoError(t, json.Unmarshal([]byte(`{}`), value))
		assert.Zero(t, reflect.ValueOf(value).Elem().Interface(), "%T", value)
	}
}

// TestEachCountOfASite checks that each number of a type of data is found by its name.
func TestEachCountOfASite(t *testing.T) {
	for field := range reflect.TypeFor[serviceapi.GeoSiteCounts]().Fields() {
		value := "7"
		if field.Type.Kind() == reflect.String {
			value = `"7%"`
		}
		for _, kind := range []string{"lfs_objects", "design_management_repositories"} {
			var s serviceapi.GeoSiteStatus
			require.NoError(t, json.Unmarshal([]byte(`{"`+kind+"_"+field.Tag.Get("json")+`":`+value+`}`), &s))
			assert.Empty(t, s.Extra, field.Name)
			if assert.Contains(t, s.Counts, kind, field.Name) {
				assert.False(t, reflect.ValueOf(s.Counts[kind]).Elem().FieldByIndex(field.Index).IsZero(), field.Name)
			}
		}
	}
}

// TestNoCountsOfASite checks that a type of data without numbers is encoded as one that counts nothing.
func TestNoCountsOfASite(t *testing.T) {
	encode := func(counts *serviceapi.GeoSiteCounts) string {
		data, err := json.Marshal(serviceapi.GeoSiteStatus{
			Counts: map[string]*serviceapi.GeoSiteCounts{"lfs_objects": counts}})
		require.NoError(t, err)
		return string(data)
	}
	assert.Contains(t, encode(nil), `"lfs_objects_synced_count":null`)
	assert.Equal(t, encode(&serviceapi.GeoSiteCounts{}), encode(nil))
}
