package interop

import (
	"io"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func jobID(j *clientgo.Job) int64 { return j.ID }

func TestJobs(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada", servicetest.Name("Ada Lovelace"), servicetest.Profile{Bio: "Analyst", Location: "London"})
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Developer))
	runner := e.svc.Runner("builder", servicetest.Tags("docker"))
	pipe := project.Pipeline("main", servicetest.By(ada))
	build := pipe.Job("build", servicetest.Stage("build"), servicetest.RunOn(runner), servicetest.Took(90*time.Second),
		servicetest.Queued(2*time.Second), servicetest.Coverage(87.25), servicetest.Trace("$ make\nok\n"))
	test := pipe.Job("test", servicetest.Stage("test"), servicetest.Failed("script_failure"),
		servicetest.AllowFailure(),
		servicetest.Tags("docker", "linux"), servicetest.By(ada))
	deploy := pipe.Job("deploy", servicetest.Stage("deploy"), servicetest.Manual())
	child := pipe.Child("trigger")
	nested := child.Job("nested", servicetest.Running())
	for _, name := range []string{"second", "third"} {
		pipe.Bridge(name, project.Pipeline("main"))
	}

	jobs := walk1(e, e.admin.Jobs.ListProjectJobs, app, nil)
	assert.Equal(t, []int64{nested.ID(), deploy.ID(), test.ID(), build.ID()}, each(jobs, jobID), "the newest first")
	failed := walk1(e, e.admin.Jobs.ListProjectJobs, app,
		&clientgo.ListJobsOptions{Scope: &[]clientgo.BuildStateValue{clientgo.Failed, clientgo.Manual,
			clientgo.Running}})
	assert.Equal(t, []int64{nested.ID(), deploy.ID(), test.ID()}, each(failed, jobID))
	of := walk2(e, e.admin.Jobs.ListPipelineJobs, app, pipe.ID(), nil)
	assert.Len(t, of, 4, "with those of the child pipeline")
	bridges := walk2(e, e.admin.Jobs.ListPipelineBridges, app, pipe.ID(), nil)
	assert.Equal(t, []string{"third", "second", "trigger"},
		each(bridges, func(b *clientgo.Bridge) string { return b.Name }))
	assert.Equal(t, child.ID(), bridges[2].DownstreamPipeline.ID)

	job := got(e.admin.Jobs.GetJob(app, build.ID())).ok(e, 200)
	assert.Equal(t, []string{"build", "build", "success", "main"}, []string{job.Name, job.Stage, job.Status, job.Ref})
	assert.Equal(t, []float64{90, 2, 87.25}, []float64{job.Duration, job.QueuedDuration, job.Coverage})
	assert.Equal(t, []any{runner.ID(), "builder"}, []any{job.Runner.ID, job.Runner.Description})
	assert.Equal(t, pipe.SHA(), job.Commit.ID)
	job = got(e.admin.Jobs.GetJob(app, test.ID())).ok(e, 200)
	assert.Equal(t, []any{"failed", "script_failure", true, []string{"docker", "linux"}},
		[]any{job.Status, job.FailureReason, job.AllowFailure, job.TagList})
	assert.Equal(t, []string{"Ada Lovelace", "Analyst", "London"},
		[]string{job.User.Name, job.User.Bio, job.User.Location})

	log := got(e.admin.Jobs.GetTraceFile(app, build.ID())).raw(e)
	text, err := io.ReadAll(log)
	require.NoError(t, err)
	assert.Equal(t, build.Trace(), string(text))
	got(e.admin.Jobs.GetTraceFile(app, deploy.ID())).refused(e, 404)

	again := got(e.as(ada).Jobs.RetryJob(app, test.ID())).ok(e, 201)
	assert.Equal(t, []any{"test", "pending"}, []any{again.Name, again.Status})
	assert.True(t, test.Retried())
	canceled := got(e.as(ada).Jobs.CancelJob(app, again.ID)).ok(e, 201)
	assert.Equal(t, "canceled", canceled.Status)
}

func TestJobToken(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	config := e.svc.Project("acme/agents")
	agent := project.AllowAgent(config)
	job := project.Pipeline("main").Job("test", servicetest.Running())
	c, err := clientgo.NewJobClient(job.Token(), e.options()...)
	require.NoError(t, err)

	own := got(c.Jobs.GetJobTokensJob(nil)).ok(e, 200)
	assert.Equal(t, job.ID(), own.ID)

	type allowed struct {
		AllowedAgents []struct {
			ID            int64
			ConfigProject struct{ ID int64 } `json:"config_project"`
		} `json:"allowed_agents"`
		Job     struct{ ID int64 }
		Project struct{ ID int64 }
	}
	agents := request[map[string]any](c, "GET", "job/allowed_agents", nil).ok(e, 200)
	assert.Contains(t, agents, "allowed_agents")
	typed := request[allowed](c, "GET", "job/allowed_agents", nil)
	require.NoError(t, typed.err)
	assert.Equal(t, agent, typed.value.AllowedAgents[0].ID)
	assert.Equal(t, []int64{config.ID(), job.ID(), project.ID()},
		[]int64{typed.value.AllowedAgents[0].ConfigProject.ID, typed.value.Job.ID, typed.value.Project.ID})
}
