package wiretests

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const environmentsPath = "/projects/acme%2Fapp/environments"

// reviewEnvironment is environments/environment.json.
func reviewEnvironment(t *testing.T) *serviceapi.Environment {
	return &serviceapi.Environment{
		EnvironmentSummary: serviceapi.EnvironmentSummary{ID: 9, Name: "review/fix-foo", Slug: "review-fix-foo-dfjre3",
			ExternalURL: "https://review.service.test",
			CreatedAt:   *at(t, "2026-01-05T08:00:00Z"), UpdatedAt: *at(t, "2026-01-11T08:00:00Z")},
		State: serviceapi.EnvironmentStateAvailable, Tier: serviceapi.EnvironmentTierDevelopment,
		EnableAdvancedLogsQuerying: true, LogsAPIPath: "/acme/app/-/logs/k8s.json?environment_name=review%2Ffix-foo",
		Description: "The review of a change", AutoStopAt: at(t, "2026-01-20T08:00:00Z"),
		AutoStopSetting:     serviceapi.EnvironmentAutoStopWithAction,
		KubernetesNamespace: "review", FluxResourcePath: "helm.toolkit.fluxcd.io/v2/namespaces/review/helmreleases/app",
		ClusterAgent: &serviceapi.ClusterAgent{
			ID: 11, Name: "review-cluster", CreatedAt: *at(t, "2026-01-04T09:00:00Z"), CreatedByUserID: new(int64(1)),
			ConfigProject: &serviceapi.ProjectSummary{
				ID: 3, Name: "Agents", NameWithNamespace: "Acme / Agents", Path: "agents",
				PathWithNamespace: "acme/agents",
				CreatedAt:         at(t, "2026-01-04T08:30:00.120Z"),
			},
			IsReceptive: new(true),
		},
		Project:        basicProject(t),
		LastDeployment: deploymentByAPI(t),
	}
}

// basicProject is a project as it is within environments/environment.json.
func basicProject(t *testing.T) *serviceapi.Project {
	return &serviceapi.Project{
		ID: 1, Name: "App", NameWithNamespace: "Acme / App", Path: "app", PathWithNamespace: "acme/app",
		CreatedAt: *at(t, "2026-01-04T08:00:00Z"), DefaultBranch: "main", TagList: []string{"go"},
		Topics: []string{"go"}, SSHURLToRepo: "git@service.test:acme/app.git",
		HTTPURLToRepo: "https://service.test/acme/app.git", WebURL: "https://service.test/acme/app", ForksCount: 2,
		StarCount: 3, LastActivityAt: *at(t, "2026-01-11T08:00:00Z"), Visibility: serviceapi.VisibilityPrivate,
		Namespace: &serviceapi.NamespaceSummary{ID: 7, Name: "Acme", Path: "acme", Kind: "group", FullPath: "acme",
			WebURL: "https://service.test/groups/acme"},
	}
}

// stoppedEnvironment is environments/environment_stopped.json.
func stoppedEnvironment(t *testing.T) *serviceapi.Environment {
	return &serviceapi.Environment{
		EnvironmentSummary: serviceapi.EnvironmentSummary{ID: 10, Name: "staging", Slug: "staging",
			CreatedAt: *at(t, "2026-01-05T08:00:00Z"), UpdatedAt: *at(t, "2026-01-11T08:00:00Z")},
		State: serviceapi.EnvironmentStateStopped, Tier: serviceapi.EnvironmentTierStaging,
		AutoStopSetting: serviceapi.EnvironmentAutoStopAlways,
	}
}

func TestEnvironmentsList(t *testing.T) {
	reply := "[" + fixture(t, "environments/environment.json") + "," + fixture(t,
		"environments/environment_stopped.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: environmentsPath, Query: "name=review%2Ffix-foo&page=2&states=stopping",
			Body: reply},
		exchange{Method: "GET", Path: environmentsPath, Body: "[]"},
		exchange{Method: "GET", Path: environmentsPath, Query: "per_page=100&search=a+b", Body: reply},
	)
	expected := []*serviceapi.Environment{reviewEnvironment(t), stoppedEnvironment(t)}
	environments, _, err := client.Environments.List(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		&serviceapi.ListEnvironmentsOptions{
			ListOptions: serviceapi.ListOptions{
				Page: 2,
			}, Name: "review/fix-foo", State: serviceapi.EnvironmentStateStopping,
		},
	)
	require.NoError(t, err)
	assert.Equal(t, expected, environments)

	environments, _, err = client.Environments.List(t.Context(), serviceapi.ProjectPath("acme/app"), nil)
	require.NoError(t, err)
	assert.Empty(t, environments)

	environments, err = serviceapi.Collect(client.Environments.All(t.Context(), serviceapi.ProjectPath("acme/app"),
		&serviceapi.ListEnvironmentsOptions{Search: "a b"}))
	require.NoError(t, err)
	assert.Equal(t, expected, environments)
}

func TestEnvironmentsGetAndDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: environmentsPath + "/9", Fixture: "environments/environment.json"},
		exchange{Method: "DELETE", Path: environmentsPath + "/9", Status: 204},
		exchange{Method: "DELETE", Path: environmentsPath + "/9", Status: 404,
			Body: `{"message":"404 Environment Not Found"}`},
	)
	environment, _, err := client.Environments.Get(t.Context(), serviceapi.ProjectPath("acme/app"), 9)
	require.NoError(t, err)
	assert.Equal(t, reviewEnvironment(t), environment)

	resp, err := client.Environments.Delete(t.Context(), serviceapi.ProjectPath("acme/app"), 9)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.Environments.Delete(t.Context(), serviceapi.ProjectPath("acme/app"), 9)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestEnvironmentsCreateAndUpdate(t *testing.T) {
	stopped := "environments/environment_stopped.json"
	client := onWire(t,
		exchange{Method: "POST", Path: environmentsPath, Status: 201, Fixture: stopped, JSON: `{
			"name":"staging","external_url":"","tier":"staging","description":"Next","cluster_agent_id":11,
			"kubernetes_namespace":"ns","flux_resource_path":"path","auto_stop_setting":"with_action"
		}`},
		exchange{Method: "POST", Path: environmentsPath, JSON: `{"name":"staging"}`, Status: 400,
			Body: `{"message":{"name":["has already been taken"]}}`},
		exchange{Method: "PUT", Path: environmentsPath + "/10",
			JSON: `{"name":"staging","external_url":"https://s.test","tier":"other"}`, Fixture: stopped},
		exchange{Method: "PUT", Path: environmentsPath + "/10", JSON: `{}`, Fixture: stopped},
		exchange{
			Method: "PUT", Path: environmentsPath + "/10", Fixture: stopped,
			JSON: `{"description":"","cluster_agent_id":11,"kubernetes_namespace":"ns","flux_resource_path":"path",` +
				`"auto_stop_setting":"always"}`,
		},
		exchange{Method: "PUT", Path: environmentsPath + "/10",
			JSON: `{"cluster_agent_id":null,"kubernetes_namespace":null,"flux_resource_path":null}`, Fixture: stopped},
	)
	environment, resp, err := client.Environments.Create(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		serviceapi.CreateEnvironmentOptions{
			Name: "staging", ExternalURL: new(""), Tier: new(serviceapi.EnvironmentTierStaging),
			Description:         new("Next"),
			ClusterAgentID:      new(int64(11)),
			KubernetesNamespace: new("ns"), FluxResourcePath: new("path"),
			AutoStopSetting: new(serviceapi.EnvironmentAutoStopWithAction),
		},
	)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, stoppedEnvironment(t), environment)

	_, _, err = client.Environments.Create(t.Context(), serviceapi.ProjectPath("acme/app"),
		serviceapi.CreateEnvironmentOptions{Name: "staging"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "has already been taken")

	for _, options := range []serviceapi.UpdateEnvironmentOptions{
		{Name: new("staging"), ExternalURL: new("https://s.test"), Tier: new(serviceapi.EnvironmentTierOther)}, {},
		{
			Description: new(""), ClusterAgentID: serviceapi.Value(int64(11)),
			KubernetesNamespace: serviceapi.Value("ns"),
			FluxResourcePath:    serviceapi.Value("path"),
			AutoStopSetting:     new(serviceapi.EnvironmentAutoStopAlways),
		},
		{ClusterAgentID: serviceapi.Null[int64](), KubernetesNamespace: serviceapi.Null[string](),
			FluxResourcePath: serviceapi.Null[string]()},
	} {
		environment, _, err = client.Environments.Update(t.Context(), serviceapi.ProjectPath("acme/app"), 10, options)
		require.NoError(t, err)
		assert.Equal(t, stoppedEnvironment(t), environment)
	}
}

func TestEnvironmentsStop(t *testing.T) {
	stopped := "environments/environment_stopped.json"
	client := onWire(t,
		exchange{Method: "POST", Path: environmentsPath + "/10/stop", JSON: `{"force":true}`, Fixture: stopped},
		exchange{Method: "POST", Path: environmentsPath + "/10/stop", JSON: `{}`, Fixture: stopped},
		exchange{Method: "POST", Path: environmentsPath + "/10/stop", JSON: `{}`, Status: 404,
			Body: `{"message":"404 Environment Not Found"}`},
	)
	for _, options := range []serviceapi.StopEnvironmentOptions{{Force: new(true)}, {}} {
		environment, _, err := client.Environments.Stop(t.Context(), serviceapi.ProjectPath("acme/app"), 10, options)
		require.NoError(t, err)
		assert.Equal(t, stoppedEnvironment(t), environment)
	}
	_, _, err := client.Environments.Stop(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		10,
		serviceapi.StopEnvironmentOptions{},
	)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestEnvironmentsCleanUpReviewApps(t *testing.T) {
	path := environmentsPath + "/review_apps"
	client := onWire(t,
		exchange{Method: "DELETE", Path: path, Fixture: "environments/review_apps.json"},
		exchange{Method: "DELETE", Path: path, Query: "before=2026-01-02T03%3A04%3A05.5Z&dry_run=false&limit=10",
			Status: 202, Fixture: "environments/review_apps.json"},
		exchange{Method: "DELETE", Path: path, Query: "dry_run=true",
			Body: `{"scheduled_entries":[],"unprocessable_entries":[]}`},
	)
	expected := &serviceapi.ReviewAppsCleanup{
		ScheduledEntries: []*serviceapi.EnvironmentSummary{
			{ID: 387, Name: "review/023f1bce01229c686a73", Slug: "review-023f1bce01-3uxznk",
				CreatedAt: *at(t, "2026-01-05T08:00:00Z"), UpdatedAt: *at(t, "2026-01-11T08:00:00Z")},
			{ID: 388, Name: "review/85d4c26a388348d3c4c0", Slug: "review-85d4c26a38-5giw1c",
				ExternalURL: "https://x.service.test",
				CreatedAt:   *at(t, "2026-01-05T08:00:00Z"), UpdatedAt: *at(t, "2026-01-11T08:00:00Z")},
		},
		UnprocessableEntries: []*serviceapi.EnvironmentSummary{{ID: 389, Name: "review/protected",
			Slug:      "review-protected-a1b2c3",
			CreatedAt: *at(t, "2026-01-05T08:00:00Z"), UpdatedAt: *at(t, "2026-01-11T08:00:00Z")}},
	}
	for _, options := range []*serviceapi.CleanUpReviewAppsOptions{
		nil, // without options, the service's default applies: a dry run
		{Before: time.Date(2026, 1, 2, 3, 4, 5, 5e8, time.UTC), Limit: 10, DryRun: new(false)},
	} {
		cleanup, _, err := client.Environments.CleanUpReviewApps(
			t.Context(),
			serviceapi.ProjectPath("acme/app"),
			options,
		)
		require.NoError(t, err)
		assert.Equal(t, expected, cleanup)
	}
	cleanup, _, err := client.Environments.CleanUpReviewApps(t.Context(), serviceapi.ProjectPath("acme/app"),
		&serviceapi.CleanUpReviewAppsOptions{DryRun: new(true)})
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.ReviewAppsCleanup{
			ScheduledEntries:     []*serviceapi.EnvironmentSummary{},
			UnprocessableEntries: []*serviceapi.EnvironmentSummary{},
		},
		cleanup,
	)
}

func TestEnvironmentsRefuseBadPaths(t *testing.T) {
	client := onWire(t)
	_, _, list := client.Environments.List(t.Context(), serviceapi.ProjectRef{}, nil)
	_, all := serviceapi.Collect(client.Environments.All(t.Context(), serviceapi.ProjectPath("a//b"), nil))
	_, _, get := client.Environments.Get(t.Context(), serviceapi.ProjectID(1), 0)
	_, _, create := client.Environments.Create(
		t.Context(),
		serviceapi.ProjectPath(""),
		serviceapi.CreateEnvironmentOptions{Name: "x"},
	)
	_, _, update := client.Environments.Update(
		t.Context(),
		serviceapi.ProjectID(1),
		-1,
		serviceapi.UpdateEnvironmentOptions{},
	)
	_, remove := client.Environments.Delete(t.Context(), serviceapi.ProjectID(1), 0)
	_, _, cleanUp := client.Environments.CleanUpReviewApps(t.Context(), serviceapi.ProjectPath(".."), nil)
	_, _, stop := client.Environments.Stop(t.Context(), serviceapi.ProjectID(1), 0, serviceapi.StopEnvironmentOptions{})
	_, wait := client.Environments.StopAndWait(
		t.Context(),
		serviceapi.ProjectID(1),
		0,
		serviceapi.StopEnvironmentOptions{},
	)
	for i, err := range []error{list, all, get, create, update, remove, cleanUp, stop, wait} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, i)
	}
}

var (
	environmentStopping  = status(200, `{"id":9,"name":"review/x","state":"stopping"}`)
	environmentStopped   = status(200, `{"id":9,"name":"review/x","state":"stopped"}`)
	environmentAvailable = status(200, `{"id":9,"name":"review\n/x","state":"available"}`)
)

func TestStopAndWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, environmentStopping, environmentStopping,
			environmentStopping, environmentStopped)
		environment, err := client.Environments.StopAndWait(
			t.Context(),
			serviceapi.ProjectID(4),
			9,
			serviceapi.StopEnvironmentOptions{},
		)
		require.NoError(t, err)
		assert.Equal(
			t,
			&serviceapi.Environment{EnvironmentSummary: serviceapi.EnvironmentSummary{ID: 9, Name: "review/x"},
				State: serviceapi.EnvironmentStateStopped},
			environment,
		)
		assert.Equal(t, []string{"POST", "GET", "GET", "GET"}, s.Methods)
		assert.Greater(t, s.Times[3].Sub(s.Times[1]), 500*time.Millisecond)
	})
}

func TestStopAndWaitAsksNoMoreOfAStoppedOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, environmentStopped)
		environment, err := client.Environments.StopAndWait(t.Context(), serviceapi.ProjectID(4), 9,
			serviceapi.StopEnvironmentOptions{Force: new(true)})
		require.NoError(t, err)
		assert.Equal(t, serviceapi.EnvironmentStateStopped, environment.State)
		assert.Equal(t, []string{"POST"}, s.Methods)
	})
}

func TestStopAndWaitFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, environmentStopping, environmentStopping,
			environmentAvailable)
		environment, err := client.Environments.StopAndWait(
			t.Context(),
			serviceapi.ProjectID(4),
			9,
			serviceapi.StopEnvironmentOptions{},
		)
		var failed *serviceapi.EnvironmentStopError
		require.ErrorAs(t, err, &failed)
		assert.Same(t, environment, failed.Environment)
		assert.Equal(t, `serviceapi: environment 9 (review\n/x) is not stopping: its state is available`, err.Error())
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(
			t,
			serviceapi.RetryPolicy{MaxAttempts: 1},
			status(403, `{"message":"403 Forbidden"}`),
		)
		environment, err := client.Environments.StopAndWait(
			t.Context(),
			serviceapi.ProjectID(4),
			9,
			serviceapi.StopEnvironmentOptions{},
		)
		require.ErrorIs(t, err, serviceapi.ErrForbidden)
		assert.Nil(t, environment)
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, environmentStopping,
			status(404, `{"message":"404 Not found"}`))
		environment, err := client.Environments.StopAndWait(
			t.Context(),
			serviceapi.ProjectID(4),
			9,
			serviceapi.StopEnvironmentOptions{},
		)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		require.NotNil(t, environment, "what Stop returned comes beside the error")
		assert.Equal(t, serviceapi.EnvironmentStateStopping, environment.State)
	})
}

func TestEnvironmentsStopStale(t *testing.T) {
	const path = environmentsPath + "/stop_stale"
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{"before":"2026-01-31"}`,
			Body: `{"message":"Successfully requested stop for all stale environments"}`},
		exchange{Method: "POST", Path: path, JSON: `{"before":"2026-11-20"}`, Status: 400,
			Body: `{"message":"400 Bad request - Invalid Date"}`},
	)
	resp, err := client.Environments.StopStale(t.Context(), serviceapi.ProjectPath("acme/app"),
		serviceapi.StopStaleEnvironmentsOptions{Before: serviceapi.NewDate(2026, 1, 31)})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	_, err = client.Environments.StopStale(t.Context(), serviceapi.ProjectPath("acme/app"),
		serviceapi.StopStaleEnvironmentsOptions{Before: serviceapi.NewDate(2026, 11, 20)})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = client.Environments.StopStale(t.Context(), serviceapi.ProjectRef{},
		serviceapi.StopStaleEnvironmentsOptions{Before: serviceapi.NewDate(2026, 1, 31)})
	assertRefused(t, "id", err)
}
