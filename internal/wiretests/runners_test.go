package wiretests

import (
	"fmt"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listedRunners are those of runners/runners.json.
func listedRunners(t *testing.T) []*serviceapi.Runner {
	return []*serviceapi.Runner{
		{
			ID: 8, Description: "docker-1", IPAddress: "10.0.0.8", Paused: true, IsShared: true,
			RunnerType: serviceapi.RunnerTypeInstance, Name: "service-runner", Online: new(false),
			Status:             serviceapi.RunnerStatusStale,
			JobExecutionStatus: "active", CreatedAt: at(t, "2026-01-02T08:00:00Z"), CreatedBy: &adaWithPicture,
			TokenExpiresAt: at(t, "2027-01-02T08:00:00Z"),
		},
		{ID: 6, Description: "docker-2", Active: true, RunnerType: serviceapi.RunnerTypeProject,
			Status: serviceapi.RunnerStatusNeverContacted},
	}
}

// projectRunner is that of runners/runner.json.
func projectRunner(t *testing.T) *serviceapi.RunnerDetails {
	return &serviceapi.RunnerDetails{
		Runner: serviceapi.Runner{
			ID: 6, Description: "docker-2", IPAddress: "10.0.0.6", Active: true,
			RunnerType: serviceapi.RunnerTypeProject,
			Name:       "service-runner", Online: new(true), Status: serviceapi.RunnerStatusOnline,
			JobExecutionStatus: "idle", CreatedAt: at(t, "2026-01-02T08:00:00Z"),
			TokenExpiresAt: at(t, "2027-01-02T08:00:00Z"),
		},
		Architecture: "amd64", Platform: "linux", Revision: "91a27b2a", Version: "16.5.0",
		ContactedAt: at(t, "2026-01-25T16:39:48.166Z"),
		Projects: []*serviceapi.Project{{
			ID: 1, Description: "An app", Name: "App", NameWithNamespace: "Acme / App", Path: "app",
			PathWithNamespace: "acme/app", CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"), DefaultBranch: "main",
			TagList: []string{"go"}, Topics: []string{"go"}, SSHURLToRepo: "ssh://git@service.test/acme/app.git",
			HTTPURLToRepo: "https://service.test/acme/app.git", WebURL: "https://service.test/acme/app",
			ReadmeURL: "https://service.test/acme/app/-/blob/main/README.md", ForksCount: 2, StarCount: 3,
			AvatarURL: "https://service.test/app.png", LastActivityAt: *at(t, "2026-01-25T16:00:00Z"),
			Namespace: &serviceapi.NamespaceSummary{
				ID: 7, Name: "Acme", Path: "acme", Kind: serviceapi.NamespaceKindGroup, FullPath: "acme",
				WebURL: "https://service.test/groups/acme",
			},
		}},
		TagList:        []string{"ruby", "linux"},
		AccessLevel:    serviceapi.RunnerAccessLevelRefProtected,
		MaximumTimeout: new(int64(3600)),
		RunUntagged:    true, Locked: true, MaintenanceNote: "Reboot on Mondays",
		Groups: []*serviceapi.GroupSummary{{ID: 7, Name: "Acme", WebURL: "https://service.test/groups/acme"}},
	}
}

func runnerLists(
	c *serviceapi.Client,
) ownedList[serviceapi.RunnerOwner, *serviceapi.ListRunnersOptions, *serviceapi.Runner] {
	return ownedList[serviceapi.RunnerOwner, *serviceapi.ListRunnersOptions, *serviceapi.Runner]{
		c.Runners.List,
		c.Runners.All,
	}
}

func everyRunnerFilter() *serviceapi.ListRunnersOptions {
	return &serviceapi.ListRunnersOptions{
		ListOptions: serviceapi.ListOptions{
			Page:    2,
			PerPage: 5,
		}, Scope: serviceapi.RunnerScopeActive, Type: serviceapi.RunnerTypeGroup,
		Status: serviceapi.RunnerStatusOnline, Paused: new(false), TagList: []string{"ruby", "linux"},
		VersionPrefix: "16.5",
	}
}

func TestRunnersLists(t *testing.T) {
	const start, end = "page=2&paused=false&per_page=5",
		"&status=online&tag_list=ruby%2Clinux&type=group_type&version_prefix=16.5"
	const every, ofGroup = start + "&scope=active" + end, start + end
	groupOptions := everyRunnerFilter()
	groupOptions.Scope = ""
	for path, test := range map[string]struct {
		owner   serviceapi.RunnerOwner
		options *serviceapi.ListRunnersOptions
		query   string
	}{
		"/runners":                     {serviceapi.Own, everyRunnerFilter(), every},
		"/runners/all":                 {serviceapi.Instance, everyRunnerFilter(), every},
		"/projects/4/runners":          {serviceapi.ProjectID(4), everyRunnerFilter(), every},
		"/projects/acme%2Fapp/runners": {serviceapi.ProjectPath("acme/app"), everyRunnerFilter(), every},
		"/groups/7/runners":            {serviceapi.GroupID(7), groupOptions, ofGroup},
		"/groups/acme%2Fteam/runners":  {serviceapi.GroupPath("acme/team"), groupOptions, ofGroup},
	} {
		t.Run(path, func(t *testing.T) {
			client := onWire(t, ownedExchanges(path, test.query, "runners/runners.json")...)
			runnerLists(client).wants(t, test.owner, test.options, listedRunners(t))
		})
	}
}

func TestRunnersListsRefuse(t *testing.T) {
	lists := runnerLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, &everything, &mine, (*serviceapi.GroupRef)(nil))
	lists.refuses(t, "id", nil, serviceapi.ProjectRef{}, serviceapi.GroupRef{}, serviceapi.ProjectID(0))
	lists.refuses(t, "group path", nil, serviceapi.GroupPath(".."))
	lists.refuses(t, "Scope", everyRunnerFilter(), serviceapi.GroupID(7), serviceapi.GroupPath("acme"))
}

func TestRunnersGet(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/runners/6", Fixture: "runners/runner.json"},
		exchange{Method: "GET", Path: "/runners/7", Fixture: "runners/runner_never_contacted.json"},
		exchange{Method: "GET", Path: "/runners/9", Status: 403,
			Body: `{"message":"403 Forbidden - No access granted"}`},
	)
	runner, _, err := client.Runners.Get(t.Context(), 6)
	require.NoError(t, err)
	assert.Equal(t, projectRunner(t), runner)

	runner, _, err = client.Runners.Get(t.Context(), 7)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RunnerDetails{
		Runner: serviceapi.Runner{
			ID: 7, Description: "new", Active: true, IsShared: true, RunnerType: serviceapi.RunnerTypeInstance,
			Status: serviceapi.RunnerStatusNeverContacted,
		},
		Projects: []*serviceapi.Project{}, TagList: []string{},
		AccessLevel: serviceapi.RunnerAccessLevelNotProtected,
		Groups:      []*serviceapi.GroupSummary{},
	}, runner)

	_, _, err = client.Runners.Get(t.Context(), 9)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestRunnersChanges(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "PUT", Path: "/runners/6", Fixture: "runners/runner.json",
			JSON: `{"description":"","active":true,"paused":false,"tag_list":[],"run_untagged":false,"locked":true,` +
				`"access_level":"ref_protected","maximum_timeout":3600,"maintenance_note":""}`,
		},
		exchange{Method: "PUT", Path: "/runners/6", Fixture: "runners/runner.json", JSON: `{}`},
		exchange{Method: "PUT", Path: "/runners/6", Fixture: "runners/runner.json", Form: "paused=true"},
		exchange{Method: "PUT", Path: "/runners/6", Fixture: "runners/runner.json", Form: "paused=false"},
	)
	for i, change := range []func() (*serviceapi.RunnerDetails, *serviceapi.Response, error){
		func() (*serviceapi.RunnerDetails, *serviceapi.Response, error) {
			return client.Runners.Update(t.Context(), 6, serviceapi.UpdateRunnerOptions{
				Description: new(""), Active: new(true), Paused: new(false), TagList: []string{},
				RunUntagged: new(false),
				Locked:      new(true), AccessLevel: new(serviceapi.RunnerAccessLevelRefProtected),
				MaximumTimeout:  serviceapi.Value(int64(3600)),
				MaintenanceNote: new(""),
			})
		},
		func() (*serviceapi.RunnerDetails, *serviceapi.Response, error) {
			return client.Runners.Update(t.Context(), 6, serviceapi.UpdateRunnerOptions{})
		},
		func() (*serviceapi.RunnerDetails, *serviceapi.Response, error) {
			return client.Runners.Pause(t.Context(), 6)
		},
		func() (*serviceapi.RunnerDetails, *serviceapi.Response, error) {
			return client.Runners.Resume(t.Context(), 6)
		},
	} {
		runner, _, err := change()
		require.NoError(t, err, i)
		assert.Equal(t, projectRunner(t), runner, i)
	}
}

func TestRunnersListJobs(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/runners/6/jobs",
			Query:   "order_by=id&pagination=keyset&per_page=3&sort=asc&status=running&system_id=s_89e5",
			Fixture: "runners/jobs.json"},
		exchange{Method: "GET", Path: "/runners/6/jobs", Body: "[]"},
		exchange{Method: "GET", Path: "/runners/6/jobs", Query: "per_page=100", Fixture: "runners/jobs.json"},
	)
	expected := []*serviceapi.Job{{
		ID: 8, Name: "rubocop", Stage: "test", Status: serviceapi.JobStatusRunning, Ref: "main",
		CreatedAt: at(t, "2026-03-01T10:00:00.880Z"), StartedAt: at(t, "2026-03-01T10:00:05.123Z"),
		Duration: new(
			1.5,
		), QueuedDuration: new(4.243), Artifacts: []*serviceapi.JobArtifact{}, TagList: []string{"docker"},
		Pipeline: &serviceapi.PipelineSummary{ID: 6, ProjectID: 1, Ref: "main", SHA: "0ff3ae19", Status: "running"},
		WebURL:   "https://service.test/acme/app/-/jobs/8", IPAddress: "10.0.0.6",
		Project: &serviceapi.JobProject{
			ProjectSummary: serviceapi.ProjectSummary{
				ID: 1, Name: "App", NameWithNamespace: "Acme / App", Path: "app", PathWithNamespace: "acme/app",
				CreatedAt: at(t, "2026-01-05T08:30:00.120Z"),
			},
			CIJobTokenScopeEnabled: true,
		},
	}}
	jobs, _, err := client.Runners.ListJobs(t.Context(), 6, &serviceapi.ListRunnerJobsOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 3}, Status: serviceapi.JobStatusRunning, SystemID: "s_89e5",
		Pagination: serviceapi.PaginationKeyset, OrderBy: serviceapi.JobOrderByID, Sort: serviceapi.SortAscending,
	})
	require.NoError(t, err)
	assert.Equal(t, expected, jobs)

	jobs, _, err = client.Runners.ListJobs(t.Context(), 6, nil)
	require.NoError(t, err)
	assert.Empty(t, jobs)

	jobs, err = serviceapi.Collect(client.Runners.AllJobs(t.Context(), 6, nil))
	require.NoError(t, err)
	assert.Equal(t, expected, jobs)
}

func TestRunnersOfAProject(t *testing.T) {
	const path = "/projects/acme%2Fapp/runners"
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{"runner_id":6}`, Status: 201, Fixture: "runners/runner.json"},
		exchange{Method: "DELETE", Path: path + "/6", Status: 204},
		exchange{Method: "DELETE", Path: path + "/6", Status: 403,
			Body: `{"message":"403 Forbidden - Only one project associated with the runner"}`},
	)
	runner, resp, err := client.Runners.Enable(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		serviceapi.EnableRunnerOptions{RunnerID: 6},
	)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.Runner{
		ID: 6, Description: "docker-2", IPAddress: "10.0.0.6", Active: true, RunnerType: serviceapi.RunnerTypeProject,
		Name: "service-runner", Online: new(true), Status: serviceapi.RunnerStatusOnline,
		JobExecutionStatus: "idle", CreatedAt: at(t, "2026-01-02T08:00:00Z"),
		TokenExpiresAt: at(t, "2027-01-02T08:00:00Z"),
	}, runner)

	resp, err = client.Runners.Disable(t.Context(), serviceapi.ProjectPath("acme/app"), 6)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)

	_, err = client.Runners.Disable(t.Context(), serviceapi.ProjectPath("acme/app"), 6)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.ErrorContains(t, err, "Only one project associated with the runner")
}

func TestRunnersRegister(t *testing.T) {
	const token, registered = "GR1348941-S3cr3t", "s3cr3t-auth"
	client := onWire(t,
		exchange{
			Method: "POST", Path: "/runners", Status: 201,
			Body: `{"id":12,"token":"` + registered + `","token_expires_at":"2027-01-02T08:00:00Z"}`,
			JSON: `{
				"token":"` + token + `","description":"builder",
				"info":{"name":"service-runner","version":"16.5.0","revision":"91a27b2a","platform":"linux",
				"architecture":"amd64"},
				"active":false,"paused":true,"locked":true,"run_untagged":false,"tag_list":["ruby"],
				"access_level":"not_protected",
				"maximum_timeout":600,"maintainer_note":"old","maintenance_note":"new"
			}`,
		},
		exchange{Method: "POST", Path: "/runners", JSON: `{"token":"` + token + `","info":{"version":"16.5.0"}}`,
			Status: 201, Body: `{"token":"` + registered + `"}`},
		exchange{Method: "POST", Path: "/runners", JSON: `{"token":"` + token + `"}`, Status: 201,
			Body: `{"token":["` + registered + `"]}`},
		exchange{Method: "POST", Path: "/runners", JSON: `{"token":"` + token + `"}`, Status: 403,
			Body: `{"message":"403 Forbidden"}`},
		exchange{Method: "POST", Path: "/runners", JSON: `{"token":"` + token + `"}`, Status: 410,
			Body: `{"message":"410 Gone"}`},
	)
	runner, _, err := client.Runners.Register(t.Context(), serviceapi.RegisterRunnerOptions{
		Token: serviceapi.NewSecret(token), Description: new("builder"),
		Info: &serviceapi.RunnerInfo{Name: "service-runner", Version: "16.5.0", Revision: "91a27b2a", Platform: "linux",
			Architecture: "amd64"},
		Active: new(false), Paused: new(true), Locked: new(true), RunUntagged: new(false), TagList: []string{"ruby"},
		AccessLevel: new(
			serviceapi.RunnerAccessLevelNotProtected,
		), MaximumTimeout: new(int64(600)), MaintainerNote: new("old"),
		MaintenanceNote: new("new"),
	})
	require.NoError(t, err)
	assert.Equal(t, int64(12), runner.ID)
	assert.Equal(t, registered, runner.Token.Reveal())
	assert.Equal(t, at(t, "2027-01-02T08:00:00Z"), runner.TokenExpiresAt)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", runner, runner, runner), registered)

	runner, _, err = client.Runners.Register(
		t.Context(),
		serviceapi.RegisterRunnerOptions{
			Token: serviceapi.NewSecret(token),
			Info:  &serviceapi.RunnerInfo{Version: "16.5.0"},
		},
	)
	require.NoError(t, err)
	assert.Zero(t, runner.ID)

	options := serviceapi.RegisterRunnerOptions{Token: serviceapi.NewSecret(token)}
	_, _, err = client.Runners.Register(t.Context(), options)
	var decode *serviceapi.DecodeError
	require.ErrorAs(t, err, &decode)
	assert.NotContains(t, fmt.Sprintf("%+v", err), registered)
	assert.NotContains(t, fmt.Sprintf("%+v %#v", options, options), token)

	_, _, err = client.Runners.Register(t.Context(), options)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	_, _, err = client.Runners.Register(t.Context(), options)
	var gone *serviceapi.Error
	require.ErrorAs(t, err, &gone, "registration tokens are off")
	assert.Equal(t, 410, gone.StatusCode)
}

func TestRunnersVerify(t *testing.T) {
	const token = "runner-S3cr3t"
	client := onWire(t,
		exchange{Method: "POST", Path: "/runners/verify", JSON: `{"token":"` + token + `","system_id":"s_1"}`,
			Body: `{"id":12,"token":"` + token + `","token_expires_at":"2027-01-02T08:00:00Z"}`},
		exchange{Method: "POST", Path: "/runners/verify", JSON: `{"token":"` + token + `"}`},
		exchange{Method: "POST", Path: "/runners/verify", JSON: `{"token":"` + token + `"}`, Status: 403,
			Body: `{"message":"403 Forbidden - ` + token + `"}`})
	options := serviceapi.VerifyRunnerOptions{Token: serviceapi.NewSecret(token), SystemID: new("s_1")}
	runner, _, err := client.Runners.Verify(t.Context(), options)
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.RegisteredRunner{
			ID:             12,
			Token:          serviceapi.NewSecret(token),
			TokenExpiresAt: at(t, "2027-01-02T08:00:00Z"),
		},
		runner,
	)
	assertFilled(t, runner)
	options.SystemID = nil
	runner, resp, err := client.Runners.Verify(t.Context(), options)
	require.NoError(t, err, "as 15.2 does")
	assert.Nil(t, runner)
	assert.Equal(t, 200, resp.StatusCode)
	_, _, err = client.Runners.Verify(t.Context(), options)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.NotContains(t, err.Error(), token)
	assertRefused(t, "Token", errorOf(client.Runners.Verify(t.Context(), serviceapi.VerifyRunnerOptions{})))
}

func TestRunnersDeleteByToken(t *testing.T) {
	client := onWire(t,
		exchange{Method: "DELETE", Path: "/runners", JSON: `{"token":"runner-S3cr3t"}`, Status: 204})
	resp, err := client.Runners.DeleteByToken(
		t.Context(),
		serviceapi.DeleteRunnerOptions{Token: serviceapi.NewSecret("runner-S3cr3t")},
	)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.Runners.DeleteByToken(t.Context(), serviceapi.DeleteRunnerOptions{})
	assertRefused(t, "Token", err)
}

func TestRunnersRefuseBadPaths(t *testing.T) {
	client := onWire(t)
	_, _, get := client.Runners.Get(t.Context(), 0)
	_, _, update := client.Runners.Update(t.Context(), -1, serviceapi.UpdateRunnerOptions{})
	_, _, pause := client.Runners.Pause(t.Context(), 0)
	_, _, resume := client.Runners.Resume(t.Context(), 0)
	_, _, jobs := client.Runners.ListJobs(t.Context(), 0, nil)
	_, _, enable := client.Runners.Enable(
		t.Context(),
		serviceapi.ProjectPath(""),
		serviceapi.EnableRunnerOptions{RunnerID: 6},
	)
	_, disable := client.Runners.Disable(t.Context(), serviceapi.ProjectID(1), 0)
	for i, err := range []error{get, update, pause, resume, jobs, enable, disable} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, i)
	}
}

func TestRunnersCreate(t *testing.T) {
	const token = "glrt-S3cr3t-t0ken"
	client := onWire(t,
		exchange{Method: "POST", Path: "/user/runners", JSON: `{"runner_type":"instance_type"}`, Status: 201,
			Body: `{"id":12,"token":"` + token + `","token_expires_at":null}`},
		exchange{
			Method: "POST", Path: "/user/runners", Status: 201,
			Body: `{"id":13,"token":"` + token + `","token_expires_at":"2026-04-01T10:00:00Z"}`,
			JSON: `{"runner_type":"project_type","project_id":7,"description":"build","paused":false,"locked":true,
				"run_untagged":true,
				"tag_list":["go","linux"],"access_level":"ref_protected","maximum_timeout":3600,
				"maintenance_note":"rack 4"}`,
		},
		exchange{Method: "POST", Path: "/user/runners", JSON: `{"runner_type":"group_type","group_id":5}`, Status: 201,
			Body: `{"id":13,"token":["` + token + `"]}`},
	)
	runner, _, err := client.Runners.Create(t.Context(), serviceapi.Instance, serviceapi.CreateRunnerOptions{})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RegisteredRunner{ID: 12, Token: serviceapi.NewSecret(token)}, runner)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", runner, runner, runner), token)
	runner, _, err = client.Runners.Create(t.Context(), serviceapi.ProjectID(7), serviceapi.CreateRunnerOptions{
		Description: new("build"), Paused: new(false), Locked: new(true),
		RunUntagged: new(
			true,
		), TagList: []string{"go", "linux"}, AccessLevel: new(serviceapi.RunnerAccessLevelRefProtected),
		MaximumTimeout: new(int64(3600)), MaintenanceNote: new("rack 4"),
	})
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.RegisteredRunner{
			ID:             13,
			Token:          serviceapi.NewSecret(token),
			TokenExpiresAt: at(t, "2026-04-01T10:00:00Z"),
		},
		runner,
	)
	_, _, err = client.Runners.Create(t.Context(), serviceapi.GroupID(5), serviceapi.CreateRunnerOptions{})
	var wrong *serviceapi.DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, wrong), token, "no error quotes a response with a token")
}

// TestRunnersCreateRefuseBeforeSending checks that a runner always has an owner,
// and that the owner is one that the API can identify.
func TestRunnersCreateRefuseBeforeSending(t *testing.T) {
	s, ctx := onWire(t).Runners, t.Context()
	for _, owner := range []serviceapi.NewRunnerOwner{
		nil, serviceapi.GroupRef{}, serviceapi.ProjectRef{}, serviceapi.GroupID(0), serviceapi.ProjectID(-1),
		serviceapi.GroupPath("acme"), serviceapi.ProjectPath("acme/app"),
		new(serviceapi.GroupID(5)),
	} {
		assertRefused(t, "owner", errorOf(s.Create(ctx, owner, serviceapi.CreateRunnerOptions{})))
	}
	assert.ErrorContains(
		t,
		errorOf(s.Create(ctx, serviceapi.GroupPath("acme"), serviceapi.CreateRunnerOptions{})),
		"must be an ID",
	)
}

func TestRunnersResetTokens(t *testing.T) {
	const token, expiring = "n3w-t0ken", `{"token":"n3w-t0ken","token_expires_at":"2026-04-01T10:00:00Z"}`
	client := onWire(t,
		exchange{Method: "POST", Path: "/runners/reset_authentication_token", Status: 201, JSON: `{"token":"0ld"}`,
			Body: expiring},
		exchange{Method: "POST", Path: "/runners/reset_registration_token", Status: 201, Body: `{"token":"n3w-t0ken"}`},
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/runners/reset_registration_token", Status: 201,
			Body: expiring},
		exchange{Method: "POST", Path: "/groups/acme/runners/reset_registration_token", Status: 201, Body: expiring},
		exchange{Method: "POST", Path: "/groups/acme/runners/reset_registration_token", Status: 502},
		exchange{Method: "POST", Path: "/runners/reset_authentication_token", Status: 502, JSON: `{"token":"0ld"}`})
	s, ctx := client.Runners, t.Context()
	replaced := func(expires string) func(*serviceapi.RunnerToken, *serviceapi.Response, error) {
		return func(got *serviceapi.RunnerToken, _ *serviceapi.Response, err error) {
			t.Helper()
			require.NoError(t, err)
			want := &serviceapi.RunnerToken{Token: serviceapi.NewSecret(token)}
			if expires != "" {
				want.TokenExpiresAt = at(t, expires)
			}
			assert.Equal(t, want, got)
			assert.NotContains(t, fmt.Sprintf("%v %+v %#v", got, got, got), token)
		}
	}
	expires := replaced("2026-04-01T10:00:00Z")
	old := serviceapi.ResetRunnerTokenOptions{Token: serviceapi.NewSecret("0ld")}
	expires(s.ResetAuthenticationTokenByToken(ctx, old))
	replaced("")(s.ResetRegistrationToken(ctx, serviceapi.Instance))
	expires(s.ResetRegistrationToken(ctx, serviceapi.ProjectPath("acme/app")))
	expires(s.ResetRegistrationToken(ctx, serviceapi.GroupPath("acme")))
	// A reset that may have happened is not repeated: it would replace a token that nobody has seen.
	require.Error(t, errorOf(s.ResetRegistrationToken(ctx, serviceapi.GroupPath("acme"))))
	require.Error(t, errorOf(s.ResetAuthenticationTokenByToken(ctx, old)))

	assertRefused(t, "Token", errorOf(s.ResetAuthenticationTokenByToken(ctx, serviceapi.ResetRunnerTokenOptions{})))
	assertRefused(t, "owner", errorOf(s.ResetRegistrationToken(ctx, nil)))
}

func TestRunnersManagersAndProjects(t *testing.T) {
	project := `{"id":1,"description":"An app","name":"App","name_with_namespace":"Acme / App","path":"app",` +
		`"path_with_namespace":"acme/app"}`
	client := onWire(t,
		exchange{Method: "GET", Path: "/runners/6/managers", Query: "page=2&per_page=5",
			Fixture: "runners/managers.json"},
		exchange{Method: "GET", Path: "/runners/6/managers", Query: "per_page=100", Fixture: "runners/managers.json"},
		exchange{Method: "GET", Path: "/runners/6/projects", Query: "page=2&per_page=5", Body: "[" + project + "]"},
		exchange{Method: "GET", Path: "/runners/6/projects", Query: "per_page=100", Body: "[" + project + "]"})
	s, ctx, second := client.Runners, t.Context(), &serviceapi.ListOptions{Page: 2, PerPage: 5}
	want := []*serviceapi.RunnerManager{
		{
			ID: 1, SystemID: "s_89e5e9956577", Version: "16.11.1", Revision: "535ced5f", Platform: "linux",
			Architecture: "amd64", IPAddress: "10.0.0.7", Status: serviceapi.RunnerStatusOnline,
			JobExecutionStatus: "active", CreatedAt: *at(t, "2026-01-02T09:00:00Z"),
			ContactedAt: at(t, "2026-03-01T10:02:09Z"),
		},
		{ID: 2, SystemID: "s_2", Status: serviceapi.RunnerStatusNeverContacted, JobExecutionStatus: "idle",
			CreatedAt: *at(t, "2026-01-03T09:00:00Z")},
	}
	managers, _, err := s.ListManagers(ctx, 6, second)
	require.NoError(t, err)
	assert.Equal(t, want, managers)
	managers, err = serviceapi.Collect(s.AllManagers(ctx, 6, nil))
	require.NoError(t, err)
	assert.Equal(t, want, managers)
	app := []*serviceapi.Project{{ID: 1, Description: "An app", Name: "App", NameWithNamespace: "Acme / App",
		Path: "app", PathWithNamespace: "acme/app"}}
	projects, _, err := s.ListProjects(ctx, 6, second)
	require.NoError(t, err)
	assert.Equal(t, app, projects)
	projects, err = serviceapi.Collect(s.AllProjects(ctx, 6, nil))
	require.NoError(t, err)
	assert.Equal(t, app, projects)
}

func TestRunnersDeleteAndReset(t *testing.T) {
	const token = "glrt-an0ther"
	client := onWire(t,
		exchange{Method: "DELETE", Path: "/runners/12", Status: 204},
		exchange{Method: "DELETE", Path: "/runners/12", Status: 403, Body: `{"message":"403 Forbidden"}`},
		exchange{Method: "POST", Path: "/runners/12/reset_authentication_token", Status: 201,
			Body: `{"token":"` + token + `","token_expires_at":"2026-04-01T10:00:00Z"}`},
		exchange{Method: "POST", Path: "/runners/12/reset_authentication_token", Status: 201,
			Body: `{"token":["` + token + `"]}`},
	)
	resp, err := client.Runners.Delete(t.Context(), 12)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = client.Runners.Delete(t.Context(), 12)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	reset, _, err := client.Runners.ResetAuthenticationToken(t.Context(), 12)
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.RunnerToken{Token: serviceapi.NewSecret(token), TokenExpiresAt: at(t, "2026-04-01T10:00:00Z")},
		reset,
	)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", reset, reset, reset), token)
	_, _, err = client.Runners.ResetAuthenticationToken(t.Context(), 12)
	require.Error(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), token)

	_, err = client.Runners.Delete(t.Context(), 0)
	assertRefused(t, "id", err)
	_, _, err = client.Runners.ResetAuthenticationToken(t.Context(), -1)
	assertRefused(t, "id", err)
}
