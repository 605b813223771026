package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestRunners(t *testing.T) {
	e := start(t)
	project, other := e.svc.Project(app), e.svc.Project("acme/other")
	group := project.Group()
	shared := e.svc.Runner("shared", servicetest.Tags("docker", "linux"), servicetest.Name("host-1"))
	paused := e.svc.Runner("paused", servicetest.RunnerPaused(), servicetest.RunnerStatus("offline"))
	ofGroup := e.svc.Runner("of the group", servicetest.ForGroup(group), servicetest.RunnerRefProtected())
	own := e.svc.Runner("own", servicetest.ForProjects(project), servicetest.RunnerStatus("never_contacted"))
	second := e.svc.Runner("second of its own", servicetest.ForProjects(project), servicetest.RunnerStatus("stale"))
	ids := func(runners []*clientgo.Runner) []int64 {
		return each(runners, func(r *clientgo.Runner) int64 { return r.ID })
	}
	all := []int64{shared.ID(), paused.ID(), ofGroup.ID(), own.ID(), second.ID()}

	assert.ElementsMatch(t, all, ids(walk0(e, e.admin.Runners.ListAllRunners, nil)))
	assert.ElementsMatch(t, all, ids(walk1(e, e.admin.Runners.ListProjectRunners, app, nil)))
	assert.ElementsMatch(t, all[:3], ids(walk1(e, e.admin.Runners.ListGroupsRunners, acme, nil)))
	owned := walk0(e, e.admin.Runners.ListRunners, nil)
	assert.ElementsMatch(t, all[2:], ids(owned), "an administrator owns all but those of the instance")
	tagged := got(e.admin.Runners.ListAllRunners(&clientgo.ListRunnersOptions{TagList: &[]string{"docker",
		"linux"}})).ok(e, 200)
	assert.Equal(t, []int64{shared.ID()}, ids(tagged))
	off := got(e.admin.Runners.ListAllRunners(&clientgo.ListRunnersOptions{Status: new("offline"), Paused: new(true),
		Type: new("instance_type")})).ok(e, 200)
	assert.Equal(t, []int64{paused.ID()}, ids(off))

	details := got(e.admin.Runners.GetRunnerDetails(shared.ID())).ok(e, 200)
	assert.Equal(t, []any{"shared", "host-1", "instance_type", []string{"docker", "linux"}, true, "online"},
		[]any{details.Description, details.Name, details.RunnerType, details.TagList, details.Online, details.Status})
	details = got(e.admin.Runners.GetRunnerDetails(own.ID())).ok(e, 200)
	assert.Equal(t, project.ID(), details.Projects[0].ID)
	assert.Nil(t, details.ContactedAt)
	changed := got(e.admin.Runners.UpdateRunnerDetails(own.ID(), &clientgo.UpdateRunnerDetailsOptions{
		Description: new("changed"), Paused: new(true), TagList: &[]string{"gpu"}, MaximumTimeout: new(int64(3600)),
		AccessLevel: new("ref_protected"),
	})).ok(e, 200)
	assert.Equal(t, []any{"changed", []string{"gpu"}, int64(3600), "ref_protected"},
		[]any{changed.Description, changed.TagList, changed.MaximumTimeout, changed.AccessLevel})
	assert.True(t, own.Paused())

	pipe := project.Pipeline("main")
	for _, name := range []string{"a", "b", "c"} {
		pipe.Job(name, servicetest.RunOn(shared))
	}
	jobs := walk1(e, e.admin.Runners.ListRunnerJobs, any(shared.ID()),
		&clientgo.ListRunnerJobsOptions{OrderBy: new("id"), Sort: new("asc")})
	assert.Equal(t, []string{"a", "b", "c"}, each(jobs, func(j *clientgo.Job) string { return j.Name }))
	assert.Equal(t, project.ID(), jobs[0].Project.ID)

	enabled := got(e.admin.Runners.EnableProjectRunner("acme/other",
		&clientgo.EnableProjectRunnerOptions{RunnerID: own.ID()})).ok(e, 201)
	assert.Equal(t, own.ID(), enabled.ID)
	assert.Equal(t, []*servicetest.Project{project, other}, own.Projects())
	done(e.admin.Runners.DisableProjectRunner("acme/other", own.ID())).ok(e, 204)
	done(e.admin.Runners.DisableProjectRunner(app, own.ID())).refused(e, 403)

	registered := got(e.admin.Runners.RegisterNewRunner(&clientgo.RegisterNewRunnerOptions{
		Token: new(project.RegistrationToken()), Description: new("new"), TagList: &[]string{"arm"},
		Info:            &clientgo.RegisterNewRunnerInfoOptions{Name: new("host-9"), Version: new("17.0")},
		MaintenanceNote: new("call Ada"),
	})).ok(e, 201)
	made := e.svc.Runners()[5]
	assert.Equal(t, []any{made.ID(), made.Token()}, []any{registered.ID, registered.Token})
	assert.Equal(t, []string{"new", "call Ada"}, []string{made.Description(), made.MaintenanceNote()})
}

func TestRunnerTokens(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	r := e.admin.Runners
	ofAll := got(r.ResetInstanceRunnerRegistrationToken()).ok(e, 201)
	ofProject := got(r.ResetProjectRunnerRegistrationToken(app)).ok(e, 201)
	ofGroup := got(r.ResetGroupRunnerRegistrationToken(acme)).ok(e, 201)
	assert.Equal(t, []string{
		e.svc.RegistrationToken(), project.RegistrationToken(), project.Group().RegistrationToken(),
	}, []string{*ofAll.Token, *ofProject.Token, *ofGroup.Token})
	runner := e.svc.Runner("own", servicetest.ForProjects(project, e.svc.Project("acme/b"), e.svc.Project("acme/c")))
	reset := request[clientgo.RunnerAuthenticationToken](e.admin, "POST", "runners/reset_authentication_token",
		map[string]string{"token": runner.Token()}).ok(e, 201)
	assert.Equal(t, runner.Token(), *reset.Token)
	managers := got(r.ListRunnerManagers(runner.ID())).ok(e, 200)
	assert.Equal(t, []any{1, "s_000000000001"}, []any{len(managers), managers[0].SystemID})
	projects := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.Project, *clientgo.Response, error) {
		a := request[[]*clientgo.Project](e.admin, "GET", "runners/1/projects", nil, opts...)
		return a.value, a.resp, a.err
	})
	assert.Equal(t, []string{"acme/app", "acme/b", "acme/c"},
		each(projects, func(p *clientgo.Project) string { return p.PathWithNamespace }))
}

func TestRunnersOfUsers(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	made := got(e.admin.Users.CreateUserRunner(&clientgo.CreateUserRunnerOptions{
		RunnerType: new("project_type"), ProjectID: new(project.ID()), Description: new("own"),
		TagList: &[]string{"go"}, Locked: new(true),
	})).ok(e, 201)
	runner := e.svc.Runners()[0]
	assert.Equal(t, []any{runner.ID(), runner.Token(), "own", true}, []any{made.ID, made.Token, runner.Description(),
		runner.Locked()})
	reset := got(e.admin.Runners.ResetRunnerAuthenticationToken(made.ID)).ok(e, 201)
	assert.Equal(t, runner.Token(), *reset.Token)
	assert.NotEqual(t, made.Token, *reset.Token)
	done(e.admin.Runners.RemoveRunner(made.ID)).ok(e, 204)
	assert.Empty(t, e.svc.Runners())
}
