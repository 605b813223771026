package servicetests

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var jobsApp = serviceapi.ProjectPath("acme/app")

func jobNames(t *testing.T) func([]*serviceapi.Job, error) []string {
	return func(jobs []*serviceapi.Job, err error) []string {
		t.Helper()
		require.NoError(t, err)
		var names []string
		for _, job := range jobs {
			names = append(names, job.Name)
		}
		return names
	}
}

// content reads a download to its end.
func content(t *testing.T) func(*serviceapi.Download, *serviceapi.Response, error) string {
	return func(d *serviceapi.Download, _ *serviceapi.Response, err error) string {
		t.Helper()
		require.NoError(t, err)
		defer d.Close()
		data, err := io.ReadAll(d)
		require.NoError(t, err)
		return string(data)
	}
}

func TestServiceListsJobs(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	build := pipe.Job("build", servicetest.Failed("script_failure"))
	pipe.Job("test", servicetest.Running())
	pipe.Child("trigger").Job("in child")
	pipe.Bridge("deploy", svc.Project("acme/other").Pipeline("main", servicetest.PipelineStatus("success")))
	build.Retry()
	s, ctx := asRoot(t, svc).Jobs, t.Context()

	two := serviceapi.ListOptions{PerPage: 2}
	assert.Equal(t, []string{"build", "in child", "test", "build"},
		jobNames(t)(serviceapi.Collect(s.All(ctx, jobsApp, &serviceapi.ListJobsOptions{ListOptions: two}))),
		"the newest first")
	assert.Equal(t, []string{"build", "in child", "test"},
		jobNames(t)(serviceapi.Collect(s.AllForPipeline(ctx, jobsApp, pipe.ID(), nil))), "without what was retried")
	assert.Equal(t, []string{"build", "in child", "test", "build"},
		jobNames(t)(serviceapi.Collect(s.AllForPipeline(ctx, jobsApp, pipe.ID(),
			&serviceapi.ListPipelineJobsOptions{ListOptions: two, IncludeRetried: true}))))
	assert.Equal(t, []string{"test", "build"},
		jobNames(t)(serviceapi.Collect(s.All(ctx, jobsApp, &serviceapi.ListJobsOptions{
			Scope: []serviceapi.JobStatus{serviceapi.JobStatusRunning, serviceapi.JobStatusFailed},
		}))))
	_, _, err := s.List(ctx, jobsApp, &serviceapi.ListJobsOptions{Scope: []serviceapi.JobStatus{"lost"}})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = s.ListForPipeline(ctx, serviceapi.ProjectPath("acme/other"), pipe.ID(), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "a pipeline of another project")

	bridges, err := serviceapi.Collect(s.AllBridges(ctx, jobsApp, pipe.ID(), nil))
	require.NoError(t, err)
	require.Len(t, bridges, 2)
	assert.Equal(t, []string{"deploy", "trigger"}, []string{bridges[0].Name, bridges[1].Name})
	assert.Equal(t, serviceapi.PipelineStatusSuccess, bridges[0].DownstreamPipeline.Status)
	none, _, err := s.ListBridges(ctx, jobsApp, pipe.ID(),
		&serviceapi.ListBridgesOptions{Scope: []serviceapi.JobStatus{serviceapi.JobStatusManual}})
	require.NoError(t, err)
	assert.Empty(t, none)
}

func TestServiceCancelsAndRetriesJobs(t *testing.T) {
	svc := servicetest.New(t)
	bob, eve := svc.User("bob"), svc.User("eve")
	app := svc.Project("acme/app", servicetest.Member(bob, servicetest.Developer),
		servicetest.Member(eve, servicetest.Reporter))
	job := app.Pipeline("main").Job("test", servicetest.Running())
	asBob, asEve, ctx := as(t, svc, bob).Jobs, as(t, svc, eve).Jobs, t.Context()

	_, _, err := asBob.Retry(ctx, jobsApp, job.ID(), serviceapi.RetryJobOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "it still runs")
	_, _, err = asEve.Cancel(ctx, jobsApp, job.ID(), serviceapi.CancelJobOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "a reporter looks on")
	_, _, err = as(t, svc, svc.User("stranger")).Jobs.Cancel(ctx, jobsApp, job.ID(), serviceapi.CancelJobOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "a stranger does not see it")
	svc.Advance(time.Minute)
	canceled, _, err := asBob.Cancel(ctx, jobsApp, job.ID(), serviceapi.CancelJobOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.JobStatusCanceled, canceled.Status)
	assert.Equal(t, svc.Now(), *canceled.FinishedAt)

	again, _, err := asBob.Retry(ctx, jobsApp, job.ID(), serviceapi.RetryJobOptions{})
	require.NoError(t, err)
	assert.NotEqual(t, job.ID(), again.ID)
	assert.Equal(t, serviceapi.JobStatusPending, again.Status)
	assert.Equal(t, "bob", again.User.Username)
	assert.Nil(t, again.StartedAt)
	assert.Nil(t, again.Duration)
	seen, _, err := asEve.Get(ctx, jobsApp, again.ID)
	require.NoError(t, err)
	assert.Equal(t, again, seen)
}

func TestServiceShowsTheLogOfAJob(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	s, ctx := asRoot(t, svc).Jobs, t.Context()
	_, _, err := s.Trace(ctx, jobsApp, job.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "no log yet")
	fmt.Fprintln(job, "one")
	assert.Equal(t, "one\n", content(t)(s.Trace(ctx, jobsApp, job.ID())))
	fmt.Fprintln(job, "two")
	assert.Equal(t, "one\ntwo\n", content(t)(s.Trace(ctx, jobsApp, job.ID())), "what was written since")
}

func TestServiceJobTokens(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	agent := app.AllowAgent(svc.Project("acme/agents"))
	job := app.Pipeline("main", servicetest.By(ada)).Job("deploy", servicetest.Archive(map[string]string{"a.txt": "a"}))
	client := with(t, svc, serviceapi.JobToken(job.Token()))
	ctx := t.Context()

	current, _, err := client.Jobs.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, job.ID(), current.ID)
	agents, _, err := client.Jobs.AllowedAgents(ctx)
	require.NoError(t, err)
	assert.Equal(t, agent, agents.AllowedAgents[0].ID)
	assert.Equal(t, "acme/agents", agents.AllowedAgents[0].ConfigProject.PathWithNamespace)
	assert.Equal(t, &serviceapi.JobTokenJob{ID: job.ID(), Name: "deploy", Stage: "test", ProjectID: app.ID(),
		ProjectName: "App"}, agents.Job)
	assert.Equal(t, "ada", agents.User.Username)
	assert.Equal(t, "a", content(t)(client.JobArtifacts.DownloadFile(ctx, jobsApp, job.ID(), "a.txt")))
	_, _, err = client.Jobs.Get(ctx, jobsApp, job.ID())
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized, "a job token counts on few endpoints")
	_, _, err = as(t, svc, ada).Jobs.Current(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "a personal token belongs to no job")
}

func TestServiceJobTokensBelowPremium(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	job := svc.Project("acme/app").Pipeline("main").Job("build", servicetest.Archive(map[string]string{"a.txt": "a"}))
	asJob, root, ctx := serviceapi.WithCredential(serviceapi.JobToken(job.Token())), asRoot(t, svc), t.Context()
	_, _, err := root.Jobs.AllowedAgents(ctx, asJob)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = root.JobArtifacts.Download(ctx, jobsApp, job.ID(), asJob)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "a download of the job's own project, too")
	_, _, err = root.JobArtifacts.Download(ctx, jobsApp, job.ID())
	require.NoError(t, err, "other credentials need no tier")
	_, _, err = root.Jobs.Current(ctx, asJob)
	require.NoError(t, err)
}

func TestServiceDownloadsArtifacts(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	archive := func(text string) servicetest.JobOption {
		return servicetest.Archive(map[string]string{"out/from.txt": text})
	}
	latest := app.Pipeline("feature/x")
	latest.Child("trigger").Job("build", archive("child"))
	build := latest.Job("build", archive("parent"))
	app.Pipeline("feature/x").Job("build", archive("failed"), servicetest.Failed("script_failure"))
	bare := app.Pipeline("main").Job("bare")
	s, ctx := asRoot(t, svc).JobArtifacts, t.Context()

	data := content(t)(s.Download(ctx, jobsApp, build.ID()))
	files, err := zip.NewReader(bytes.NewReader([]byte(data)), int64(len(data)))
	require.NoError(t, err)
	require.Len(t, files.File, 2, "folders have entries, too")
	assert.Equal(t, []string{"out/", "out/from.txt"}, []string{files.File[0].Name, files.File[1].Name})
	assert.Equal(t, data, content(t)(s.DownloadLatest(ctx, jobsApp,
		&serviceapi.DownloadLatestArtifactsOptions{Ref: "feature/x", Job: "build"})),
		"the parent's, of the last that succeeded")
	assert.Equal(t, "parent", content(t)(s.DownloadFile(ctx, jobsApp, build.ID(), "out/from.txt")))
	assert.Equal(t, "parent", content(t)(s.DownloadLatestFile(ctx, jobsApp, "out/from.txt",
		&serviceapi.DownloadLatestArtifactsOptions{Ref: "feature/x", Job: "build"})))

	failed := func(_ *serviceapi.Download, _ *serviceapi.Response, err error) error { return err }
	for name, err := range map[string]error{
		"no artifacts": failed(s.Download(ctx, jobsApp, bare.ID())),
		"no job":       failed(s.Download(ctx, jobsApp, 99)),
		"no file":      failed(s.DownloadFile(ctx, jobsApp, build.ID(), "out/none.txt")),
		"no such name": failed(s.DownloadLatest(ctx, jobsApp,
			&serviceapi.DownloadLatestArtifactsOptions{Ref: "feature/x", Job: "deploy"})),
		"a hash": failed(s.DownloadLatest(ctx, jobsApp,
			&serviceapi.DownloadLatestArtifactsOptions{Ref: latest.SHA(), Job: "build"})),
		"HEAD": failed(s.DownloadLatest(ctx, jobsApp, &serviceapi.DownloadLatestArtifactsOptions{Ref: "HEAD",
			Job: "build"})),
		"latest file": failed(s.DownloadLatestFile(ctx, jobsApp, "none",
			&serviceapi.DownloadLatestArtifactsOptions{Ref: "feature/x", Job: "build"})),
	} {
		assert.ErrorIs(t, err, serviceapi.ErrNotFound, name)
	}
	assert.ErrorIs(t, failed(s.DownloadFile(ctx, jobsApp, build.ID(), `back\slash`)), serviceapi.ErrBadRequest)
}

func TestServiceKeepsAndDeletesArtifacts(t *testing.T) {
	svc := servicetest.New(t)
	bob := svc.User("bob")
	app := svc.Project("acme/app", servicetest.Member(bob, servicetest.Developer))
	archive := servicetest.Archive(map[string]string{"a": "b"})
	old := app.Pipeline("main").Job("old", archive, servicetest.ExpireIn(time.Hour))
	gone := app.Pipeline("main").Job("gone", archive, servicetest.ExpireIn(time.Hour))
	latest := app.Pipeline("main").Job("latest", archive)
	asBob, root, ctx := as(t, svc, bob).JobArtifacts, asRoot(t, svc).JobArtifacts, t.Context()

	kept, _, err := asBob.Keep(ctx, jobsApp, old.ID())
	require.NoError(t, err)
	assert.Nil(t, kept.ArtifactsExpireAt)
	require.NotNil(t, kept.DownloadURL)
	svc.Advance(time.Hour)
	assert.True(t, old.HasArchive())
	assert.False(t, gone.HasArchive())
	_, _, err = asBob.Keep(ctx, jobsApp, gone.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	_, err = asBob.Delete(ctx, jobsApp, old.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = asBob.DeleteAll(ctx, jobsApp)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	resp, err := root.DeleteAll(ctx, jobsApp)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assert.False(t, old.HasArchive())
	assert.True(t, latest.HasArchive(), "the last that succeeded is kept")
	resp, err = root.Delete(ctx, jobsApp, latest.ID())
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	assert.False(t, latest.HasArchive())
}
