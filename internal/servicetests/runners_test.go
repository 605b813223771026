package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runnerPark is a service with runners of every type.
type runnerPark struct {
	svc                         *servicetest.Service
	ada, bob                    *servicetest.User // Maintainer and Developer of app
	team                        *servicetest.Group
	app, site                   *servicetest.Project
	shared, ofTeam, ofApp, both *servicetest.Runner
}

func newRunnerPark(t *testing.T) *runnerPark {
	svc := servicetest.New(t)
	p := &runnerPark{svc: svc, ada: svc.User("ada"), bob: svc.User("bob")}
	p.team = svc.Group("acme/team")
	p.app = svc.Project("acme/team/app", servicetest.Member(p.ada, servicetest.Maintainer),
		servicetest.Member(p.bob, servicetest.Developer))
	p.site = svc.Project("acme/site", servicetest.WithoutSharedRunners())
	p.shared = svc.Runner("shared")
	p.ofTeam = svc.Runner("of the team", servicetest.ForGroup(p.team), servicetest.RunnerStatus("stale"))
	p.ofApp = svc.Runner("of the app", servicetest.ForProjects(p.app), servicetest.RunnerPaused(),
		servicetest.Tags("ruby", "linux"))
	p.both = svc.Runner("of both", servicetest.ForProjects(p.app, p.site), servicetest.RunnerStatus("offline"),
		servicetest.Tags("ruby"))
	return p
}

// names returns the descriptions of a list of runners.
func names(t *testing.T) func(runners []*serviceapi.Runner, err error) []string {
	return func(runners []*serviceapi.Runner, err error) []string {
		t.Helper()
		require.NoError(t, err)
		var names []string
		for _, r := range runners {
			names = append(names, r.Description)
		}
		return names
	}
}

func TestServiceListsRunners(t *testing.T) {
	p := newRunnerPark(t)
	root, ada, ctx := asRoot(t, p.svc), as(t, p.svc, p.ada), t.Context()
	app, site := serviceapi.ProjectPath("acme/team/app"), serviceapi.ProjectPath("acme/site")

	assert.Equal(t, []string{"of the app", "of both"},
		names(t)(serviceapi.Collect(ada.Runners.All(ctx, serviceapi.Own, nil))))
	assert.Equal(t, []string{"of the team", "of the app", "of both"},
		names(t)(serviceapi.Collect(root.Runners.All(ctx, serviceapi.Own, nil))))
	assert.Equal(t, []string{"shared", "of the team", "of the app", "of both"},
		names(t)(serviceapi.Collect(root.Runners.All(ctx, serviceapi.Instance, nil))))
	assert.Equal(t, []string{"shared", "of the team", "of the app", "of both"},
		names(t)(serviceapi.Collect(ada.Runners.All(ctx, app, nil))))
	assert.Equal(t, []string{"of both"}, names(t)(serviceapi.Collect(root.Runners.All(ctx, site, nil))))
	assert.Equal(t, []string{"shared", "of the team"},
		names(t)(serviceapi.Collect(root.Runners.All(ctx, serviceapi.GroupPath("acme/team"), nil))))
	assert.Equal(t, []string{"shared"},
		names(t)(serviceapi.Collect(root.Runners.All(ctx, serviceapi.GroupPath("acme"), nil))))

	page, resp, err := root.Runners.List(ctx, serviceapi.Instance,
		&serviceapi.ListRunnersOptions{ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 3}})
	assert.Equal(t, []string{"of both"}, names(t)(page, err))
	assert.Equal(t, 4, resp.Total)

	_, _, err = ada.Runners.List(ctx, serviceapi.Instance, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = as(t, p.svc, p.bob).Runners.List(ctx, app, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceFiltersRunners(t *testing.T) {
	p := newRunnerPark(t)
	root := asRoot(t, p.svc)
	for name, tc := range map[string]struct {
		options  serviceapi.ListRunnersOptions
		expected []string
	}{
		"type": {serviceapi.ListRunnersOptions{Type: serviceapi.RunnerTypeProject},
			[]string{"of the app", "of both"}},
		"status": {serviceapi.ListRunnersOptions{Status: serviceapi.RunnerStatusStale}, []string{"of the team"}},
		"active": {serviceapi.ListRunnersOptions{Status: serviceapi.RunnerStatusActive},
			[]string{"shared", "of the team", "of both"}},
		"paused status": {serviceapi.ListRunnersOptions{Status: serviceapi.RunnerStatusPaused}, []string{"of the app"}},
		"paused":        {serviceapi.ListRunnersOptions{Paused: new(true)}, []string{"of the app"}},
		"not paused": {serviceapi.ListRunnersOptions{Paused: new(false)},
			[]string{"shared", "of the team", "of both"}},
		"one tag":  {serviceapi.ListRunnersOptions{TagList: []string{"ruby"}}, []string{"of the app", "of both"}},
		"two tags": {serviceapi.ListRunnersOptions{TagList: []string{"linux", "ruby"}}, []string{"of the app"}},
		"shared":   {serviceapi.ListRunnersOptions{Scope: serviceapi.RunnerScopeShared}, []string{"shared"}},
		"specific": {serviceapi.ListRunnersOptions{Scope: serviceapi.RunnerScopeSpecific},
			[]string{"of the team", "of the app", "of both"}},
		"offline": {serviceapi.ListRunnersOptions{Scope: serviceapi.RunnerScopeOffline}, []string{"of both"}},
		"combined": {serviceapi.ListRunnersOptions{Type: serviceapi.RunnerTypeProject, Paused: new(false)},
			[]string{"of both"}},
	} {
		assert.Equal(t, tc.expected,
			names(t)(serviceapi.Collect(root.Runners.All(t.Context(), serviceapi.Instance, &tc.options))), name)
	}
	_, _, err := root.Runners.List(t.Context(), serviceapi.Own,
		&serviceapi.ListRunnersOptions{Scope: serviceapi.RunnerScopeShared})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "shared is a scope of the whole instance alone")
	_, _, err = root.Runners.List(t.Context(), serviceapi.Own, &serviceapi.ListRunnersOptions{Status: "asleep"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceShowsRunnersByRole(t *testing.T) {
	p := newRunnerPark(t)
	ada, bob, ctx := as(t, p.svc, p.ada), as(t, p.svc, p.bob), t.Context()

	runner, _, err := ada.Runners.Get(ctx, p.ofApp.ID())
	require.NoError(t, err)
	assert.Equal(t, []string{"ruby", "linux"}, runner.TagList)
	assert.Equal(t, "acme/team/app", runner.Projects[0].PathWithNamespace)
	assert.Equal(t, p.svc.Now(), *runner.ContactedAt)
	assert.True(t, runner.Paused)

	_, _, err = bob.Runners.Get(ctx, p.ofApp.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = ada.Runners.Get(ctx, p.ofTeam.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = ada.Runners.Get(ctx, 99)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	shared, _, err := bob.Runners.Get(ctx, p.shared.ID())
	require.NoError(t, err)
	assert.True(t, shared.IsShared)
	_, _, err = bob.Runners.Pause(ctx, p.shared.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "seeing a runner does not suffice to change it")
}

func TestServiceChangesRunners(t *testing.T) {
	p := newRunnerPark(t)
	ada, ctx := as(t, p.svc, p.ada), t.Context()

	runner, _, err := ada.Runners.Update(ctx, p.both.ID(), serviceapi.UpdateRunnerOptions{
		Description: new("renamed"), TagList: []string{"gpu"}, RunUntagged: new(false), Locked: new(true),
		AccessLevel: new(serviceapi.RunnerAccessLevelRefProtected), MaximumTimeout: serviceapi.Value(int64(600)),
	})
	require.NoError(t, err)
	assert.Equal(t, "renamed", runner.Description)
	assert.Equal(t, []string{"gpu"}, runner.TagList)
	assert.Equal(t, serviceapi.RunnerAccessLevelRefProtected, runner.AccessLevel)
	assert.Equal(t, new(int64(600)), runner.MaximumTimeout)
	assert.Equal(t, "renamed", p.both.Description())
	assert.True(t, p.both.Locked())
	assert.False(t, p.both.RunUntagged())

	_, _, err = ada.Runners.Update(ctx, p.both.ID(), serviceapi.UpdateRunnerOptions{TagList: []string{}})
	assert.ErrorContains(t, err, "can not be empty", "it would take no job at all")
	_, _, err = ada.Runners.Update(ctx, p.both.ID(),
		serviceapi.UpdateRunnerOptions{MaximumTimeout: serviceapi.Value(int64(599))})
	assert.ErrorContains(t, err, "needs to be at least 10 minutes")
	runner, _, err = ada.Runners.Update(ctx, p.both.ID(), serviceapi.UpdateRunnerOptions{TagList: []string{},
		RunUntagged: new(true)})
	require.NoError(t, err)
	assert.Empty(t, runner.TagList)
	assert.Equal(t, new(int64(600)), runner.MaximumTimeout, "refused changes leave nothing behind")
	_, _, err = ada.Runners.Update(ctx, p.both.ID(), serviceapi.UpdateRunnerOptions{TagList: []string{"gpu"},
		RunUntagged: new(false)})
	require.NoError(t, err)

	for _, step := range []struct {
		call   func() (*serviceapi.RunnerDetails, *serviceapi.Response, error)
		paused bool
	}{
		{func() (*serviceapi.RunnerDetails, *serviceapi.Response, error) {
			return ada.Runners.Pause(ctx, p.both.ID())
		}, true},
		{func() (*serviceapi.RunnerDetails, *serviceapi.Response, error) {
			return ada.Runners.Resume(ctx, p.both.ID())
		}, false},
		{func() (*serviceapi.RunnerDetails, *serviceapi.Response, error) {
			return ada.Runners.Update(ctx, p.both.ID(), serviceapi.UpdateRunnerOptions{Active: new(false)})
		}, true},
	} {
		runner, _, err := step.call()
		require.NoError(t, err)
		assert.Equal(t, step.paused, runner.Paused)
		assert.Equal(t, step.paused, p.both.Paused())
	}
	_, _, err = ada.Runners.Update(ctx, p.both.ID(), serviceapi.UpdateRunnerOptions{Description: new("lost"),
		AccessLevel: new(serviceapi.RunnerAccessLevel("all"))})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.Equal(t, "renamed", p.both.Description(), "a refused change leaves nothing behind")
}

func TestServiceEnablesAndDisablesRunners(t *testing.T) {
	p := newRunnerPark(t)
	ada, ctx := as(t, p.svc, p.ada), t.Context()
	own := p.svc.Project("ada/notes")
	notes := serviceapi.ProjectPath("ada/notes")

	runner, _, err := ada.Runners.Enable(ctx, notes, serviceapi.EnableRunnerOptions{RunnerID: p.ofApp.ID()})
	require.NoError(t, err)
	assert.Equal(t, p.ofApp.ID(), runner.ID)
	assert.Equal(t, []*servicetest.Project{p.app, own}, p.ofApp.Projects())
	_, _, err = ada.Runners.Enable(ctx, notes, serviceapi.EnableRunnerOptions{RunnerID: p.ofApp.ID()})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	_, err = ada.Runners.Disable(ctx, notes, p.ofApp.ID())
	require.NoError(t, err)
	_, err = ada.Runners.Disable(ctx, notes, p.ofApp.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = ada.Runners.Disable(ctx, serviceapi.ProjectPath("acme/team/app"), p.ofApp.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "a runner keeps its only project")
	assert.Equal(t, []*servicetest.Project{p.app}, p.ofApp.Projects())

	locked := p.svc.Runner("locked", servicetest.ForProjects(p.app), servicetest.RunnerLocked())
	foreign := p.svc.Runner("foreign", servicetest.ForProjects(p.site))
	for _, id := range []int64{p.shared.ID(), locked.ID(), foreign.ID()} {
		_, _, err = ada.Runners.Enable(ctx, notes, serviceapi.EnableRunnerOptions{RunnerID: id})
		assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	}
	_, _, err = as(t, p.svc, p.bob).Runners.Enable(ctx, serviceapi.ProjectPath("acme/team/app"),
		serviceapi.EnableRunnerOptions{RunnerID: p.both.ID()})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = ada.Runners.Enable(ctx, notes, serviceapi.EnableRunnerOptions{RunnerID: 99})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceListsTheJobsOfARunner(t *testing.T) {
	p := newRunnerPark(t)
	ada, ctx := as(t, p.svc, p.ada), t.Context()
	build := p.app.Pipeline("main").Job("build", servicetest.RunOn(p.both))
	test := p.app.Pipeline("main").Job("test", servicetest.RunOn(p.both), servicetest.Running())
	p.site.Pipeline("main").Job("hidden", servicetest.RunOn(p.both))
	p.app.Pipeline("main").Job("elsewhere", servicetest.RunOn(p.ofApp))

	ids := func(options *serviceapi.ListRunnerJobsOptions) (ids []int64) {
		for job, err := range ada.Runners.AllJobs(ctx, p.both.ID(), options) {
			require.NoError(t, err)
			assert.Equal(t, "acme/team/app", job.Project.PathWithNamespace)
			assert.NotEmpty(t, job.IPAddress)
			ids = append(ids, job.ID)
		}
		return ids
	}
	assert.Equal(t, []int64{test.ID(), build.ID()}, ids(nil))
	assert.Equal(t, []int64{build.ID(), test.ID()},
		ids(&serviceapi.ListRunnerJobsOptions{OrderBy: serviceapi.JobOrderByID, Sort: serviceapi.SortAscending}))
	assert.Equal(t, []int64{test.ID()}, ids(&serviceapi.ListRunnerJobsOptions{Status: serviceapi.JobStatusRunning}))
	_, _, err := ada.Runners.ListJobs(ctx, p.both.ID(),
		&serviceapi.ListRunnerJobsOptions{Status: serviceapi.JobStatusManual})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceRegistersRunners(t *testing.T) {
	p := newRunnerPark(t)
	client := asAnybody(t, p.svc)
	for token, kind := range map[string]serviceapi.RunnerType{
		p.svc.RegistrationToken():  serviceapi.RunnerTypeInstance,
		p.team.RegistrationToken(): serviceapi.RunnerTypeGroup,
		p.app.RegistrationToken():  serviceapi.RunnerTypeProject,
	} {
		made, _, err := client.Runners.Register(t.Context(), serviceapi.RegisterRunnerOptions{
			Token: serviceapi.NewSecret(token), Description: new("fresh"), Paused: new(true), TagList: []string{"ruby"},
			Info: &serviceapi.RunnerInfo{Name: "service-runner", Version: "17.0.0"}, MaintenanceNote: new("ask Ada"),
			MaximumTimeout: new(int64(3600)), RunUntagged: new(false), Locked: new(true),
		})
		require.NoError(t, err)

		all := p.svc.Runners()
		runner := all[len(all)-1]
		assert.Equal(t, runner.ID(), made.ID)
		assert.Equal(t, runner.Token(), made.Token.Reveal())
		assert.Equal(t, "ask Ada", runner.MaintenanceNote())
		assert.True(t, runner.Locked())

		details, _, err := asRoot(t, p.svc).Runners.Get(t.Context(), made.ID)
		require.NoError(t, err)
		assert.Equal(t, kind, details.RunnerType)
		assert.Equal(t, serviceapi.RunnerStatusNeverContacted, details.Status)
		assert.Nil(t, details.ContactedAt)
		assert.Nil(t, details.Online)
		assert.Equal(t, "17.0.0", details.Version)
		assert.Equal(t, new(int64(3600)), details.MaximumTimeout)
		assert.True(t, details.Paused)
	}
	_, _, err := client.Runners.Register(t.Context(),
		serviceapi.RegisterRunnerOptions{Token: serviceapi.NewSecret("wrong")})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceRunnerSeeding(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme", servicetest.WithoutSharedRunners())
	svc.Project("acme/app")
	svc.Runner("shared", servicetest.ID(7), servicetest.Name("builder"), servicetest.RunnerRefProtected(),
		servicetest.RunnerTimeout(time.Hour))
	runners, err := serviceapi.Collect(asRoot(t, svc).Runners.All(t.Context(), serviceapi.ProjectPath("acme/app"), nil))
	assert.Empty(t, names(t)(runners, err), "a group's projects have no shared runners where %s allows none",
		group.Path())

	runner, _, err := asRoot(t, svc).Runners.Get(t.Context(), 7)
	require.NoError(t, err)
	assert.Equal(t, "builder", runner.Name)
	assert.Equal(t, serviceapi.RunnerAccessLevelRefProtected, runner.AccessLevel)
	assert.Equal(t, new(int64(3600)), runner.MaximumTimeout)
}

// TestServiceResetsRunnerTokens ends tokens of runners and of owners.
func TestServiceResetsRunnerTokens(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	runner := svc.Runner("a runner")
	ctx, before := t.Context(), serviceapi.NewSecret(runner.Token())
	byToken, admin := asAnybody(t, svc).Runners, asRoot(t, svc)
	reset, resp, err := byToken.ResetAuthenticationTokenByToken(ctx, serviceapi.ResetRunnerTokenOptions{Token: before})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.RunnerToken{Token: serviceapi.NewSecret(runner.Token())}, reset)
	assert.False(t, reset.Token.Equal(before))
	_, _, err = byToken.ResetAuthenticationTokenByToken(ctx, serviceapi.ResetRunnerTokenOptions{Token: before})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	for _, of := range []struct {
		owner serviceapi.NewRunnerOwner
		token func() string
		kind  serviceapi.RunnerType
	}{
		{serviceapi.Instance, svc.RegistrationToken, serviceapi.RunnerTypeInstance},
		{serviceapi.ProjectPath("acme/app"), project.RegistrationToken, serviceapi.RunnerTypeProject},
		{serviceapi.GroupPath("acme"), project.Group().RegistrationToken, serviceapi.RunnerTypeGroup},
	} {
		old := serviceapi.NewSecret(of.token())
		reset, resp, err := admin.Runners.ResetRegistrationToken(ctx, of.owner)
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, &serviceapi.RunnerToken{Token: serviceapi.NewSecret(of.token())}, reset)
		_, _, err = byToken.Register(ctx, serviceapi.RegisterRunnerOptions{Token: old})
		assert.ErrorIs(t, err, serviceapi.ErrForbidden)
		made, _, err := byToken.Register(ctx, serviceapi.RegisterRunnerOptions{Token: reset.Token})
		require.NoError(t, err)
		got, _, err := admin.Runners.Get(ctx, made.ID)
		require.NoError(t, err)
		assert.Equal(t, of.kind, got.RunnerType)
	}
	_, _, err = admin.Settings.Update(ctx, serviceapi.UpdateApplicationSettingsOptions{
		AllowRunnerRegistrationToken: new(false),
	})
	require.NoError(t, err)
	_, _, err = admin.Runners.ResetRegistrationToken(ctx, serviceapi.Instance)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceRunnerManagers lists the process of a runner and the projects that it serves.
func TestServiceRunnerManagers(t *testing.T) {
	svc := servicetest.New(t)
	project, other := svc.Project("acme/app"), svc.Project("acme/other")
	runner := svc.Runner("own", servicetest.ForProjects(project, other), servicetest.RunnerSystemID("s_7"))
	silent := svc.Runner("silent", servicetest.RunnerStatus("never_contacted"))
	made := svc.Now()
	project.Pipeline("main").Job("build", servicetest.Running(), servicetest.RunOn(runner))
	s, ctx := asRoot(t, svc).Runners, t.Context()
	managers, err := serviceapi.Collect(s.AllManagers(ctx, runner.ID(), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RunnerManager{{
		ID: runner.ID(), SystemID: "s_7", Version: "16.5.0", Revision: "91a27b2a", Platform: "linux",
		Architecture: "amd64", IPAddress: "203.0.113.17", Status: serviceapi.RunnerStatusOnline,
		JobExecutionStatus: "active", CreatedAt: made, ContactedAt: &made,
	}}, managers)
	project.Jobs()[0].Succeed()
	managers, err = serviceapi.Collect(s.AllManagers(ctx, runner.ID(), nil))
	require.NoError(t, err)
	assert.Equal(t, "idle", string(managers[0].JobExecutionStatus), "its job has ended")
	managers, err = serviceapi.Collect(s.AllManagers(ctx, silent.ID(), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RunnerManager{{
		ID: silent.ID(), SystemID: "s_000000000001", Status: serviceapi.RunnerStatusNeverContacted,
		JobExecutionStatus: "idle", CreatedAt: made,
	}}, managers)

	paths := func(of *serviceapi.Client) (paths []string) {
		projects, err := serviceapi.Collect(of.Runners.AllProjects(ctx, runner.ID(), nil))
		require.NoError(t, err)
		for _, p := range projects {
			assert.Nil(t, p.Owner)
			paths = append(paths, p.PathWithNamespace)
		}
		return paths
	}
	assert.Equal(t, []string{"acme/app", "acme/other"}, paths(asRoot(t, svc)))
	maintainer := svc.User("ada")
	project.AddMember(maintainer, servicetest.Maintainer)
	assert.Equal(t, []string{"acme/app"}, paths(as(t, svc, maintainer)))
	_, _, err = as(t, svc, svc.User("bob")).Runners.ListProjects(ctx, runner.ID(), nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceRunnersByToken checks calls whose only credential is the runner's token.
func TestServiceRunnersByToken(t *testing.T) {
	svc := servicetest.New(t)
	runner := svc.Runner("a runner", servicetest.RunnerStatus("never_contacted"))
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.Anonymous())
	require.NoError(t, err)
	token, ctx := serviceapi.NewSecret(runner.Token()), t.Context()
	verified, _, err := client.Runners.Verify(ctx, serviceapi.VerifyRunnerOptions{Token: token, SystemID: new("s_1")})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RegisteredRunner{ID: runner.ID(), Token: token}, verified)
	details, _, err := asRoot(t, svc).Runners.Get(ctx, runner.ID())
	require.NoError(t, err)
	assert.Equal(t, serviceapi.RunnerStatusOnline, details.Status)
	assert.Equal(t, svc.Now(), *details.ContactedAt)
	_, err = client.Runners.DeleteByToken(ctx, serviceapi.DeleteRunnerOptions{Token: token})
	require.NoError(t, err)
	assert.Empty(t, svc.Runners())
	_, _, err = client.Runners.Verify(ctx, serviceapi.VerifyRunnerOptions{Token: token})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = client.Runners.DeleteByToken(ctx, serviceapi.DeleteRunnerOptions{Token: token})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
