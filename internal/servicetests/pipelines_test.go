package servicetests

import (
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func jobStates(t *testing.T, client *serviceapi.Client, pipelineID int64) map[string]serviceapi.JobStatus {
	t.Helper()
	states := map[string]serviceapi.JobStatus{}
	for job, err := range client.Jobs.AllForPipeline(t.Context(), app, pipelineID, nil) {
		require.NoError(t, err)
		states[job.Name] = job.Status
	}
	return states
}

// TestServiceRunsPipelines checks that pipelines that are started through the
// API run by the service's clock, stage by stage.
func TestServiceRunsPipelines(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	project.CI(
		servicetest.PlanJob("build", servicetest.Stage("build"), servicetest.Queued(time.Second),
			servicetest.Took(time.Minute),
			servicetest.Archive(map[string]string{"app": "binary"}), servicetest.Trace("$ make\n")),
		servicetest.PlanJob("unit", servicetest.Coverage(80), servicetest.Took(time.Minute)),
		servicetest.PlanJob("lint", servicetest.Failed("script_failure"), servicetest.AllowFailure(),
			servicetest.Coverage(70)),
		servicetest.PlanJob("ship", servicetest.Stage("ship"), servicetest.Manual()),
		servicetest.PlanJob("announce", servicetest.Stage("after")),
	)
	client, ctx := asRoot(t, svc), t.Context()
	created, resp, err := client.Pipelines.Create(ctx, app, serviceapi.CreatePipelineOptions{
		Ref: "main", Variables: []serviceapi.PipelineVariable{{Key: "TARGET", Value: serviceapi.NewSecret("live")},
			{Key: "FILE", Value: serviceapi.NewSecret("x"), VariableType: serviceapi.VariableTypeFile}},
		Inputs: map[string]any{"dry": true},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{serviceapi.PipelineStatusPending, serviceapi.PipelineSourceAPI, "main", project.Head("main"),
		false, int64(1)},
		[]any{created.Status, created.Source, created.Ref, created.SHA, created.Tag, created.IID})
	assert.Nil(t, created.StartedAt)
	assert.Equal(t, "pending", created.DetailedStatus.Group)
	variables, _, err := client.Pipelines.ListVariables(ctx, app, created.ID, nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.PipelineVariable{
		{Key: "TARGET", Value: serviceapi.NewSecret("live"), VariableType: serviceapi.VariableTypeEnv},
		{Key: "FILE", Value: serviceapi.NewSecret("x"), VariableType: serviceapi.VariableTypeFile},
	}, variables)

	svc.Advance(10 * time.Second)
	assert.Equal(t, map[string]serviceapi.JobStatus{"build": "running", "unit": "created", "lint": "created",
		"ship": "created", "announce": "created"},
		jobStates(t, client, created.ID))
	svc.Advance(time.Minute)
	assert.Equal(t, map[string]serviceapi.JobStatus{"build": "success", "unit": "running", "lint": "running",
		"ship": "created", "announce": "created"},
		jobStates(t, client, created.ID))
	svc.Advance(5 * time.Minute)
	blocked, err := client.Pipelines.Wait(ctx, app, created.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.PipelineStatusManual, blocked.Status)
	assert.Equal(t, serviceapi.Coverage(75), *blocked.Coverage)
	assert.Nil(t, blocked.FinishedAt)

	ship := project.Jobs()[3]
	require.Equal(t, "ship", ship.Name())
	played, _, err := client.Jobs.Play(ctx, app, ship.ID(),
		serviceapi.PlayJobOptions{Variables: []serviceapi.PipelineVariable{
			{Key: "K", Value: serviceapi.NewSecret("v")}}})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.JobStatusPending, played.Status)
	assert.Equal(t, map[string]string{"K": "v"}, ship.Variables())
	_, _, err = client.Jobs.Play(ctx, app, ship.ID(), serviceapi.PlayJobOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is under way")
	svc.Advance(10 * time.Minute)
	done, err := client.Pipelines.Wait(ctx, app, created.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.PipelineStatusSuccess, done.Status)
	require.NotNil(t, done.FinishedAt)
	assert.InDelta(t, done.FinishedAt.Sub(*done.StartedAt).Seconds(), *done.Duration, 1)
	build, _, err := client.Jobs.Get(ctx, app, project.Jobs()[0].ID())
	require.NoError(t, err)
	assert.Equal(t, []float64{1, 60}, []float64{*build.QueuedDuration, *build.Duration})
	assert.NotNil(t, build.ArtifactsFile)
}

// TestServicePipelineFails checks that a failure skips the later stages, and
// that a retry runs them.
func TestServicePipelineFails(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	project.CI(
		servicetest.PlanJob("test", servicetest.Flaky("script_failure"),
			servicetest.JUnit(`<testsuite><testcase name="a" time="0.5"/></testsuite>`)),
		servicetest.PlanJob("ship", servicetest.Stage("ship")),
		servicetest.PlanJob("never", servicetest.Stage("ship"), servicetest.Skipped()),
	)
	client, ctx := asRoot(t, svc), t.Context()
	created, _, err := client.Pipelines.Create(ctx, app, serviceapi.CreatePipelineOptions{Ref: "main"})
	require.NoError(t, err)
	svc.Advance(time.Hour)
	pipeline, _, err := client.Pipelines.Get(ctx, app, created.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.PipelineStatusFailed, pipeline.Status)
	assert.Equal(t, map[string]serviceapi.JobStatus{"test": "failed", "ship": "skipped", "never": "skipped"},
		jobStates(t, client, created.ID))

	retried, resp, err := client.Pipelines.Retry(ctx, app, created.ID)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, serviceapi.PipelineStatusRunning, retried.Status)
	assert.Equal(t, map[string]serviceapi.JobStatus{"test": "pending", "ship": "created", "never": "skipped"},
		jobStates(t, client, created.ID))
	svc.Advance(time.Hour)
	assert.Equal(t, map[string]serviceapi.JobStatus{"test": "success", "ship": "success", "never": "skipped"},
		jobStates(t, client, created.ID))
	again, _, err := client.Pipelines.Retry(ctx, app, created.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.PipelineStatusSuccess, again.Status, "nothing is left to retry")
	report, _, err := client.Pipelines.TestReport(ctx, app, created.ID)
	require.NoError(t, err)
	assert.Equal(t, []any{1, 1, 0.5}, []any{report.TotalCount, report.SuccessCount, report.TotalTime},
		"of the job that counts")
}

func TestServiceCancelsPipelines(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	project.CI(servicetest.PlanJob("test", servicetest.Running()),
		servicetest.PlanJob("ship", servicetest.Stage("ship")))
	client, ctx := asRoot(t, svc), t.Context()
	created, _, err := client.Pipelines.Create(ctx, app, serviceapi.CreatePipelineOptions{Ref: "main"})
	require.NoError(t, err)
	svc.Advance(time.Hour)
	canceled, resp, err := client.Pipelines.Cancel(ctx, app, created.ID)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, serviceapi.PipelineStatusCanceled, canceled.Status)
	assert.Equal(t, map[string]serviceapi.JobStatus{"test": "canceled", "ship": "canceled"},
		jobStates(t, client, created.ID))
	again, _, err := client.Pipelines.Cancel(ctx, app, created.ID)
	require.NoError(t, err, "whatever its state was")
	assert.Equal(t, serviceapi.PipelineStatusCanceled, again.Status)
	_, _, err = client.Pipelines.Retry(ctx, app, created.ID)
	require.NoError(t, err)
	assert.Equal(t, map[string]serviceapi.JobStatus{"test": "pending", "ship": "created"},
		jobStates(t, client, created.ID))
}

func TestServiceRefusesPipelines(t *testing.T) {
	svc := servicetest.New(t)
	ada, eve := svc.User("ada"), svc.User("eve")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer),
		servicetest.Member(eve, servicetest.Reporter))
	project.Branch("stable", "main")
	project.ProtectBranch("sta*")
	asAda, ctx := as(t, svc, ada).Pipelines, t.Context()
	create := func(s *serviceapi.PipelinesService, options serviceapi.CreatePipelineOptions) error {
		_, _, err := s.Create(ctx, app, options)
		return err
	}
	base := func(err error) []string {
		refused, _ := errors.AsType[*serviceapi.Error](err)
		require.NotNil(t, refused)
		return refused.Fields["base"]
	}
	main := serviceapi.CreatePipelineOptions{Ref: "main"}
	assert.ErrorIs(t, create(as(t, svc, eve).Pipelines, main), serviceapi.ErrForbidden)
	assert.ErrorIs(t, create(asAda, serviceapi.CreatePipelineOptions{Ref: "stable"}), serviceapi.ErrForbidden)
	require.NoError(t, create(asRoot(t, svc).Pipelines, serviceapi.CreatePipelineOptions{Ref: "stable"}))
	assert.Equal(t, []string{"Reference not found"}, base(create(asAda, serviceapi.CreatePipelineOptions{Ref: "gone"})))
	assert.Equal(t, []string{"Reference not found"},
		base(create(asAda, serviceapi.CreatePipelineOptions{Ref: project.Head("main")})), "a hash is no ref")
	assert.ErrorIs(t, create(asAda, serviceapi.CreatePipelineOptions{Ref: "main",
		Variables: []serviceapi.PipelineVariable{{Key: "A", VariableType: "none"}}}), serviceapi.ErrBadRequest)
	project.CI()
	assert.Equal(t, []string{"The pipeline would have no jobs"}, base(create(asAda, main)))
	project.BreakCI("jobs:test is not known")
	assert.Equal(t, []string{"jobs:test is not known"}, base(create(asAda, main)))
	project.CI(servicetest.PlanJob("test"))
	require.NoError(t, create(asAda, main))
}

func TestServiceListsPipelines(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app")
	begin := svc.Now()
	at := func(hours int) servicetest.CreatedAtOption {
		return servicetest.CreatedAt(begin.Add(time.Duration(hours) * time.Hour))
	}
	project.Pipeline("main", at(-9), servicetest.PipelineSource("schedule"), servicetest.PipelineName("Nightly")).Job(
		"test") // 1
	project.Pipeline("main", at(-8), servicetest.By(ada)).Job("test", servicetest.Running()) // 2
	project.Pipeline("v1", at(-7), servicetest.ForTag()).Job("test",
		servicetest.Failed("script_failure")) // 3
	project.Pipeline("next", at(-6), servicetest.YAMLErrors("no jobs"),
		servicetest.PipelineVariable("A", "1")) // 4
	project.Pipeline("next", at(-5)).Child("trigger", at(-5)).Job("test",
		servicetest.Pending()) // 5 and 6
	client, ctx := asRoot(t, svc).Pipelines, t.Context()
	for name, c := range map[string]struct {
		options serviceapi.ListPipelinesOptions
		want    []int64
	}{
		"all":     {serviceapi.ListPipelinesOptions{}, []int64{5, 4, 3, 2, 1}},
		"running": {serviceapi.ListPipelinesOptions{Scope: serviceapi.PipelineScopeRunning}, []int64{2}},
		"finished": {serviceapi.ListPipelinesOptions{Scope: serviceapi.PipelineScopeFinished,
			Sort: serviceapi.SortAscending}, []int64{1, 3, 4, 5}},
		"branches": {serviceapi.ListPipelinesOptions{Scope: serviceapi.PipelineScopeBranches}, []int64{5, 2}},
		"tags":     {serviceapi.ListPipelinesOptions{Scope: serviceapi.PipelineScopeTags}, []int64{3}},
		"failed":   {serviceapi.ListPipelinesOptions{Status: serviceapi.PipelineStatusFailed}, []int64{4, 3}},
		"ref":      {serviceapi.ListPipelinesOptions{Ref: "main"}, []int64{2, 1}},
		"sha":      {serviceapi.ListPipelinesOptions{SHA: project.Head("next")}, []int64{5, 4}},
		"user":     {serviceapi.ListPipelinesOptions{Username: "ada"}, []int64{2}},
		"source":   {serviceapi.ListPipelinesOptions{Source: serviceapi.PipelineSourceSchedule}, []int64{1}},
		"children": {serviceapi.ListPipelinesOptions{Source: serviceapi.PipelineSourceParentPipeline}, []int64{6}},
		"broken":   {serviceapi.ListPipelinesOptions{YAMLErrors: new(true)}, []int64{4}},
		"fine": {serviceapi.ListPipelinesOptions{YAMLErrors: new(false), Status: serviceapi.PipelineStatusFailed},
			[]int64{3}},
		"created": {serviceapi.ListPipelinesOptions{CreatedAfter: begin.Add(-8 * time.Hour),
			CreatedBefore: begin.Add(-7 * time.Hour)}, []int64{3, 2}},
		"updated": {serviceapi.ListPipelinesOptions{UpdatedBefore: begin.Add(-6 * time.Hour)}, []int64{4}},
		"name":    {serviceapi.ListPipelinesOptions{Name: "Nightly"}, []int64{1}},
		"by ref": {serviceapi.ListPipelinesOptions{OrderBy: serviceapi.PipelineOrderByRef,
			Sort: serviceapi.SortAscending}, []int64{1, 2, 4, 5, 3}},
		"by status": {serviceapi.ListPipelinesOptions{OrderBy: serviceapi.PipelineOrderByStatus},
			[]int64{5, 1, 2, 4, 3}},
		"by user": {serviceapi.ListPipelinesOptions{OrderBy: serviceapi.PipelineOrderByUserID},
			[]int64{2, 5, 4, 3, 1}},
	} {
		options := c.options
		options.PerPage = 2
		var ids []int64
		for p, err := range client.All(ctx, app, &options) {
			require.NoError(t, err, name)
			ids = append(ids, p.ID)
		}
		assert.Equal(t, c.want, ids, name)
	}
	_, _, err := client.List(ctx, app, &serviceapi.ListPipelinesOptions{Scope: "odd"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	latest, _, err := client.Latest(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, int64(2), latest.ID)
	latest, _, err = client.Latest(ctx, app, &serviceapi.LatestPipelineOptions{Ref: "next"})
	require.NoError(t, err)
	assert.Equal(t, int64(5), latest.ID)
	project.Commit("main", "Go on", servicetest.Write("a", "b"))
	_, _, err = client.Latest(ctx, app, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "the newest commit has none")
	broken, _, err := client.Get(ctx, app, 4)
	require.NoError(t, err)
	assert.Equal(t, []any{"no jobs", serviceapi.PipelineStatusFailed}, []any{broken.YAMLErrors, broken.Status})
}

func TestServiceDeletesPipelines(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	pipe := project.Pipeline("main")
	job := pipe.Job("deploy", servicetest.Trace("done"))
	child := pipe.Child("trigger")
	deployment := project.Environment("live").Deployment(servicetest.DeployedBy(job))
	client, ctx := asRoot(t, svc), t.Context()
	_, err := as(t, svc, ada).Pipelines.Delete(ctx, app, pipe.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "only owners may")
	resp, err := client.Pipelines.Delete(ctx, app, pipe.ID())
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, _, err = client.Pipelines.Get(ctx, app, pipe.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = client.Jobs.Trace(ctx, app, job.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = client.Pipelines.Get(ctx, app, child.ID())
	assert.NoError(t, err, "child pipelines stay")
	jobs, err := serviceapi.Collect(client.Jobs.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Empty(t, jobs)
	delivered, _, err := client.Deployments.Get(ctx, app, deployment.ID())
	require.NoError(t, err)
	assert.Nil(t, delivered.Deployable)
}

func TestServiceTestReport(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	pipe.Job("unit", servicetest.JUnit(`<testsuites><testsuite name="x">
		<testcase name="adds" classname="calc.Sum" file="sum.go" time="0.25">
			<failure message="short">got 5</failure></testcase>
		<testcase name="divides" classname="calc.Quotient" time="1"><error message="by zero"/></testcase>
		<testcase name="powers"><skipped/></testcase>
		<testcase name="subtracts" time="0.5"/>
	</testsuite></testsuites>`))
	pipe.Job("broken", servicetest.JUnit("<testsuite"))
	pipe.Job("other")
	report, _, err := asRoot(t, svc).Pipelines.TestReport(t.Context(), app, pipe.ID())
	require.NoError(t, err)
	assert.Equal(t, []any{4, 1, 1, 1, 1, 1.75},
		[]any{report.TotalCount, report.SuccessCount, report.FailedCount, report.ErrorCount, report.SkippedCount,
			report.TotalTime})
	require.Len(t, report.TestSuites, 2)
	assert.NotNil(t, report.TestSuites[1].SuiteError)
	cases := report.TestSuites[0].TestCases
	require.Len(t, cases, 4)
	assert.Equal(t, []any{serviceapi.TestCaseStatusFailed, "calc.Sum", "got 5", "sum.go"},
		[]any{cases[0].Status, cases[0].Classname, cases[0].Output(), cases[0].File})
	assert.Equal(t, []any{serviceapi.TestCaseStatusError, "by zero", serviceapi.TestCaseStatusSkipped,
		serviceapi.TestCaseStatusSuccess},
		[]any{cases[1].Status, cases[1].Output(), cases[2].Status, cases[3].Status})
	assert.Empty(t, cases[3].Output())
}

func TestServiceErasesJobs(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer),
		servicetest.Member(bob, servicetest.Developer))
	pipe := project.Pipeline("main", servicetest.By(ada))
	done := pipe.Job("build", servicetest.Trace("log"), servicetest.Archive(map[string]string{"a": "b"}))
	running := pipe.Job("test", servicetest.Running())
	asAda, asBob, ctx := as(t, svc, ada).Jobs, as(t, svc, bob).Jobs, t.Context()
	_, _, err := asBob.Erase(ctx, app, done.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "it is somebody else's")
	_, _, err = asAda.Erase(ctx, app, running.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "it runs")
	erased, resp, err := asAda.Erase(ctx, app, done.ID())
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Empty(t, erased.Artifacts)
	assert.Nil(t, erased.ArtifactsFile)
	assert.Empty(t, done.Trace())
	_, _, err = asAda.Erase(ctx, app, done.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "it is erased already")
	_, _, err = asAda.Cancel(ctx, app, running.ID(), serviceapi.CancelJobOptions{Force: new(true)})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "force is for maintainers")
}

// TestServicePlaysSeededJobs checks that a seeded manual job also runs by the
// clock when it is played.
func TestServicePlaysSeededJobs(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTick(30*time.Second))
	project := svc.Project("acme/app")
	job := project.Pipeline("main").Job("ship", servicetest.Manual(), servicetest.Took(time.Minute))
	client, ctx := asRoot(t, svc), t.Context()
	_, _, err := client.Jobs.Play(ctx, app, job.ID(), serviceapi.PlayJobOptions{})
	require.NoError(t, err)
	last, err := client.Jobs.Wait(ctx, app, job.ID(), serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.JobStatusSuccess, last.Status)
	_, _, err = client.Jobs.Play(ctx, app, job.ID(), serviceapi.PlayJobOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServicePipelinesUpdateMetadata(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	project.Pipeline("main")
	nightly := project.Pipeline("main")
	client, ctx := asRoot(t, svc), t.Context()
	got, _, err := client.Pipelines.UpdateMetadata(ctx, app, nightly.ID(),
		serviceapi.UpdatePipelineMetadataOptions{Name: "Nightly build"})
	require.NoError(t, err)
	assert.Equal(t, "Nightly build", got.Name)
	found, err := serviceapi.Collect(client.Pipelines.All(ctx, app,
		&serviceapi.ListPipelinesOptions{Name: "Nightly build"}))
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, nightly.ID(), found[0].ID)

	_, _, err = client.Pipelines.UpdateMetadata(ctx, app, nightly.ID(),
		serviceapi.UpdatePipelineMetadataOptions{Name: strings.Repeat("ä", 256)})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Name is too long")
}
