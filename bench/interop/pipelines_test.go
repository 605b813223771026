package interop

import (
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestPipelines(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Developer))
	project.CI(
		servicetest.PlanJob("build", servicetest.Stage("build"), servicetest.Coverage(87.25)),
		servicetest.PlanJob("ship", servicetest.Stage("ship"), servicetest.Manual(), servicetest.AllowFailure()),
		servicetest.PlanJob("test", servicetest.Stage("test"), servicetest.Flaky("script_failure"), servicetest.JUnit(
			`<testsuite><testcase name="adds" classname="Sum" time="0.5"><failure>got `+
				`5</failure></testcase></testsuite>`)),
	)
	project.Pipeline("main", servicetest.PipelineSource("schedule"), servicetest.PipelineName("Nightly"))
	pipelines := e.as(ada).Pipelines

	made := got(pipelines.CreatePipeline(app, &clientgo.CreatePipelineOptions{
		Ref: new("main"),
		Variables: &[]*clientgo.PipelineVariableOptions{{Key: new("A"), Value: new("1")},
			{Key: new("B"), Value: new("x"), VariableType: new(clientgo.FileVariableType)}},
		Inputs: clientgo.PipelineInputsOption{"dry": clientgo.NewPipelineInputValue(true)},
	})).ok(e, 201)
	assert.Equal(t, []any{"pending", clientgo.PipelineSource("api"), "ada"},
		[]any{made.Status, made.Source, made.User.Username})
	variables := got(pipelines.GetPipelineVariables(app, made.ID)).ok(e, 200)
	assert.Equal(t, []string{"A", "B"}, each(variables, func(v *clientgo.PipelineVariable) string { return v.Key }))
	got(pipelines.CreatePipeline(app, &clientgo.CreatePipelineOptions{Ref: new("gone")})).refused(e, 400)

	e.svc.Advance(time.Hour)
	failed := got(pipelines.GetPipeline(app, made.ID)).ok(e, 200)
	assert.Equal(t, []any{"failed", int64(2), "87.25"}, []any{failed.Status, failed.QueuedDuration, failed.Coverage})
	report := got(pipelines.GetPipelineTestReport(app, made.ID)).ok(e, 200)
	assert.Equal(t, []any{int64(1), "adds", "got 5"}, []any{report.FailedCount, report.TestSuites[0].TestCases[0].Name,
		report.TestSuites[0].TestCases[0].SystemOutput})
	got(pipelines.RetryPipelineBuild(app, made.ID)).ok(e, 201)
	e.svc.Advance(time.Hour)
	latest := got(pipelines.GetLatestPipeline(app, &clientgo.GetLatestPipelineOptions{Ref: new("main")})).ok(e, 200)
	assert.Equal(t, []any{made.ID, "success"}, []any{latest.ID, latest.Status})
	renamed := got(pipelines.UpdatePipelineMetadata(app, made.ID,
		&clientgo.UpdatePipelineMetadataOptions{Name: new("Release")})).ok(e, 200)
	assert.Equal(t, "Release", renamed.Name)

	ship := project.Jobs()[1]
	played := got(e.as(ada).Jobs.PlayJob(app, ship.ID(), &clientgo.PlayJobOptions{
		JobVariablesAttributes: &[]*clientgo.JobVariableOptions{{Key: new("K"), Value: new("v")}},
	})).ok(e, 200)
	assert.Equal(t, "pending", played.Status)
	assert.Equal(t, map[string]string{"K": "v"}, ship.Variables())
	canceled := got(pipelines.CancelPipelineBuild(app, made.ID)).ok(e, 200)
	assert.Equal(t, "canceled", canceled.Status)
	erased := got(e.admin.Jobs.EraseJob(app, project.Jobs()[0].ID())).ok(e, 201)
	assert.Equal(t, "build", erased.Name)

	got(pipelines.CreatePipeline(app, &clientgo.CreatePipelineOptions{Ref: new("main")})).ok(e, 201)
	listed := walk1(e, pipelines.ListProjectPipelines, app, &clientgo.ListProjectPipelinesOptions{OrderBy: new("id"),
		Sort: new("asc")})
	assert.Equal(t, []string{"schedule", "api", "api"},
		each(listed, func(p *clientgo.PipelineInfo) string { return p.Source }))
	named := got(pipelines.ListProjectPipelines(app, &clientgo.ListProjectPipelinesOptions{Name: new("Nightly")})).ok(e,
		200)
	assert.Len(t, named, 1)
	done(pipelines.DeletePipeline(app, made.ID)).refused(e, 403)
	done(e.admin.Pipelines.DeletePipeline(app, made.ID)).ok(e, 204)
	got(pipelines.GetPipeline(app, made.ID)).refused(e, 404)
}

func TestCommitStatuses(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	pipe := project.Pipeline("main")
	pipe.Job("build", servicetest.Coverage(50))
	request := project.MergeRequest("feature")
	for _, branch := range []string{"second", "third"} {
		project.Branch(branch, "feature")
		project.MergeRequest(branch)
	}
	for _, name := range []string{"scan", "license"} {
		set := got(e.admin.Commits.SetCommitStatus(app, project.Head("main"), &clientgo.SetCommitStatusOptions{
			State: clientgo.Success, Name: new(name), TargetURL: new("https://scan.example.com"),
			Description: new("fine"), Coverage: new(12.5),
		})).ok(e, 201)
		assert.Equal(t, []any{name, "success", 12.5, pipe.ID()}, []any{set.Name, set.Status, set.Coverage,
			set.PipelineID})
	}
	statuses := walk2(e, e.admin.Commits.GetCommitStatuses, app, "main", nil)
	assert.Equal(t, []string{"build", "scan", "license"},
		each(statuses, func(s *clientgo.CommitStatus) string { return s.Name }))
	requests := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.BasicMergeRequest, *clientgo.Response,
		error) {
		return e.admin.Commits.ListMergeRequestsByCommit(app, project.Head("feature"), opts...)
	})
	assert.Contains(t, each(requests, func(m *clientgo.BasicMergeRequest) int64 { return m.IID }), request.IID())
}

func TestMetadata(t *testing.T) {
	e := start(t)
	whole := got(e.admin.Metadata.GetMetadata()).ok(e, 200)
	// The client decodes the response of releases before 15.5.
	version := got(e.admin.Version.GetVersion()).raw(e)
	assert.Equal(t, []string{whole.Version, whole.Revision}, []string{version.Version, version.Revision})
}
