package servicetests

import (
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// directs returns a client of a service with direct transfer and all sources of imports.
func directs(t *testing.T, svc *servicetest.Service) *serviceapi.Client {
	t.Helper()
	client := asRoot(t, svc)
	_, _, err := client.Settings.Update(t.Context(), serviceapi.UpdateApplicationSettingsOptions{
		BulkImportEnabled: new(true), ImportSources: []string{"github", "bitbucket", "bitbucket_server"}})
	require.NoError(t, err)
	return client
}

// TestServiceBulkImports moves a group tree, watches it, and lists what failed.
func TestServiceBulkImports(t *testing.T) {
	svc := servicetest.New(t)
	svc.Group("acme")
	svc.RemoteGroup("old/tools", "one", "two")
	svc.FailRemote("old/tools/two", servicetest.RemoteFailure{Relation: "labels", Message: "Title is too long"})
	client, ctx := directs(t, svc), t.Context()
	s := client.BulkImports
	options := serviceapi.StartBulkImportOptions{
		Configuration: serviceapi.BulkImportSource{URL: "https://old.example", AccessToken: serviceapi.NewSecret("t")},
		Entities: []serviceapi.NewBulkImportEntity{{SourceType: serviceapi.BulkImportSourceTypeGroup,
			SourceFullPath: "old/tools", DestinationNamespace: "acme", DestinationSlug: "tools"}},
	}
	started, resp, err := s.Start(ctx, options)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, serviceapi.BulkImportStatusCreated, started.Status)
	wait := []serviceapi.RequestOption{serviceapi.WithPollInterval(time.Millisecond, time.Millisecond)}
	var seen []string
	done, err := s.Wait(ctx, started.ID, func(p serviceapi.BulkImportProgress) {
		seen = append(seen, fmt.Sprint(p.Ended(), "/", len(p.Entities)))
		svc.Advance(3 * time.Second)
	}, wait...)
	require.NoError(t, err)
	assert.True(t, done.HasFailures)
	assert.Equal(t, []string{"0/1", "0/3", "3/3"}, seen)
	entities, err := serviceapi.Collect(s.AllEntities(ctx, done.ID,
		&serviceapi.ListBulkImportsOptions{Sort: serviceapi.SortAscending}))
	require.NoError(t, err)
	require.Len(t, entities, 3)
	assert.Equal(t, []any{&entities[0].ID, "acme/tools/two", 1}, []any{entities[2].ParentID,
		entities[2].DestinationFullPath, len(entities[2].Failures)})
	project, _, err := client.Projects.Get(ctx, serviceapi.ProjectPath("acme/tools/two"), nil)
	require.NoError(t, err)
	assert.Equal(t, &project.ID, entities[2].ProjectID)
	failures, err := serviceapi.Collect(s.AllFailures(ctx, done.ID, entities[2].ID, nil))
	require.NoError(t, err)
	assert.Equal(t, entities[2].Failures, failures)
	assert.Equal(t, []any{"labels", "Title is too long"}, []any{failures[0].Relation, failures[0].ExceptionMessage})
	own, err := serviceapi.Collect(s.AllOwnEntities(ctx, nil))
	require.NoError(t, err)
	assert.Len(t, own, 3)
	assert.ErrorContains(t, errorOf(s.Start(ctx, options)), "'acme/tools' already exists.")

	options.Entities[0].DestinationSlug, options.Entities[0].MigrateProjects = "bare", new(false)
	again, _, err := s.Start(ctx, options)
	require.NoError(t, err)
	svc.FailNextBulkImport()
	_, err = s.Wait(ctx, again.ID, func(serviceapi.BulkImportProgress) { svc.Advance(3 * time.Second) }, wait...)
	var failed *serviceapi.BulkImportError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, serviceapi.BulkImportStatusFailed, failed.Import.Status)
	left, err := serviceapi.Collect(s.AllEntities(ctx, again.ID, nil))
	require.NoError(t, err)
	assert.Len(t, left, 1, "without projects")

	options.Entities[0].DestinationSlug = "third"
	third, _, err := s.Start(ctx, options)
	require.NoError(t, err)
	canceled, _, err := s.Cancel(ctx, third.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.BulkImportStatusCanceled, canceled.Status)
	svc.Advance(time.Minute)
	last, _, err := s.Get(ctx, third.ID)
	require.NoError(t, err)
	assert.Equal(t, canceled, last)
	all, err := serviceapi.Collect(s.All(ctx, &serviceapi.ListBulkImportsOptions{
		Status: serviceapi.BulkImportStatusCanceled}))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.BulkImport{canceled}, all)

	off := asRoot(t, servicetest.New(t)).BulkImports
	assert.ErrorIs(t, errorOf(off.Start(ctx, options)), serviceapi.ErrNotFound)
}

func TestServiceProductImports(t *testing.T) {
	svc := servicetest.New(t)
	svc.Group("acme")
	client, ctx := directs(t, svc), t.Context()
	s, token := client.ProjectImport, serviceapi.NewSecret("t")
	options := serviceapi.ImportFromGitHubOptions{PersonalAccessToken: token, RepoID: 7, TargetNamespace: "acme",
		NewName: new("cat")}
	made, _, err := s.FromGitHub(ctx, options)
	require.NoError(t, err)
	assert.Equal(t, []any{"acme/cat", serviceapi.ImportStateScheduled, "octo/repo-7"},
		[]any{made.FullName, made.ImportStatus, made.ImportSource})
	status, err := s.Wait(ctx, serviceapi.ProjectID(made.ID),
		serviceapi.WithPollInterval(time.Millisecond, time.Second),
		serviceapi.WithPollObserver(func(serviceapi.Poll) { svc.Advance(time.Second) }))
	require.NoError(t, err)
	assert.Equal(t, "github", status.ImportType)
	assert.ErrorContains(t, errorOf(s.CancelFromGitHub(ctx, serviceapi.CancelFromGitHubOptions{ProjectID: made.ID})),
		"cannot be canceled because it is finished")

	options.NewName = new("dog")
	made, _, err = s.FromGitHub(ctx, options)
	require.NoError(t, err)
	canceled, _, err := s.CancelFromGitHub(ctx, serviceapi.CancelFromGitHubOptions{ProjectID: made.ID})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.ImportStateCanceled, canceled.ImportStatus)
	_, err = s.Wait(ctx, serviceapi.ProjectID(made.ID))
	var failed *serviceapi.ProjectImportError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, serviceapi.ImportStateCanceled, failed.Status.ImportStatus)

	options.PersonalAccessToken = serviceapi.NewSecret("wrong")
	err = errorOf(s.FromGitHub(ctx, options))
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assert.ErrorContains(t, err, "Access denied to the repository", "of {errors: string}")
	err = errorOf(s.FromBitbucket(ctx, serviceapi.ImportFromBitbucketOptions{BitbucketEmail: new("a@b.example"),
		BitbucketAPIToken: serviceapi.NewSecret("wrong"), RepoPath: "team/cow", TargetNamespace: "acme"}))
	assert.ErrorContains(t, err, "Access denied to the repository", "of {message: {error: string}}")
	made, _, err = s.FromBitbucket(ctx, serviceapi.ImportFromBitbucketOptions{BitbucketUsername: new("a"),
		BitbucketAppPassword: token, RepoPath: "team/cow", TargetNamespace: "acme"})
	require.NoError(t, err)
	assert.Equal(t, "acme/cow", made.FullName)
	made, _, err = s.FromBitbucketServer(ctx, serviceapi.ImportFromBitbucketServerOptions{
		BitbucketServerURL: "https://bit.example", BitbucketServerUsername: "a", PersonalAccessToken: token,
		BitbucketServerProject: "P", BitbucketServerRepo: "hen", NewNamespace: new("acme")})
	require.NoError(t, err)
	assert.Equal(t, "acme/hen", made.FullName)
	gists := serviceapi.ImportGistsOptions{PersonalAccessToken: token}
	resp, err := s.GistsFromGitHub(ctx, gists)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	_, err = s.GistsFromGitHub(ctx, gists)
	assert.ErrorContains(t, err, "Import already in progress")
}

// TestServiceRelations exports relations, reads their lines, and imports one again.
func TestServiceRelations(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for _, name := range []string{"a", "b", "c"} {
		app.Label(name, "#ffffff", "")
	}
	app.Issue("Slow")
	app.Milestone("1.0")
	app.Group().Milestone("2.0")
	svc.Project("acme/other").Label("x", "#ffffff", "")
	client, ctx := directs(t, svc), t.Context()
	s, project := client.RelationsExport, serviceapi.ProjectID(app.ID())
	lines := func(options serviceapi.DownloadRelationOptions) string {
		t.Helper()
		d, _, err := s.Download(ctx, project, &options)
		require.NoError(t, err)
		defer d.Close()
		zip, err := gzip.NewReader(d)
		require.NoError(t, err)
		text, err := io.ReadAll(zip)
		require.NoError(t, err)
		return string(text)
	}
	_, err := s.Schedule(ctx, project, serviceapi.ScheduleRelationsExportOptions{})
	require.NoError(t, err)
	svc.Advance(time.Minute)
	one, _, err := s.GetStatus(ctx, project, &serviceapi.GetRelationsStatusOptions{Relation: "labels"})
	require.NoError(t, err)
	all, _, err := s.GetStatus(ctx, project, nil)
	require.NoError(t, err)
	require.Len(t, all, 3)
	assert.Equal(t, one[0], all[1])
	assert.Equal(t, []any{serviceapi.RelationExportStatusFinished, 3, false},
		[]any{one[0].Status, one[0].TotalObjectsCount, one[0].Batched})
	assert.Equal(t, "{\"title\":\"a\"}\n{\"title\":\"b\"}\n{\"title\":\"c\"}\n",
		lines(serviceapi.DownloadRelationOptions{Relation: "labels"}))
	assert.Equal(t, "{\"title\":\"Slow\"}\n", lines(serviceapi.DownloadRelationOptions{Relation: "issues"}))
	assert.Equal(t, "{\"title\":\"1.0\"}\n", lines(serviceapi.DownloadRelationOptions{Relation: "milestones"}))
	_, err = s.Schedule(ctx, project, serviceapi.ScheduleRelationsExportOptions{Batched: new(true)})
	require.NoError(t, err)
	svc.Advance(time.Minute)
	one, _, err = s.GetStatus(ctx, project, &serviceapi.GetRelationsStatusOptions{Relation: "labels"})
	require.NoError(t, err)
	assert.Equal(t, []any{2, 2, 1}, []any{one[0].BatchesCount, one[0].Batches[0].ObjectsCount,
		one[0].Batches[1].ObjectsCount})
	assert.Equal(t, "{\"title\":\"c\"}\n",
		lines(serviceapi.DownloadRelationOptions{Relation: "labels", BatchNumber: 2}))
	_, err = s.Schedule(ctx, serviceapi.GroupPath("acme"), serviceapi.ScheduleRelationsExportOptions{})
	require.NoError(t, err)

	archive := serviceapi.Upload{Filename: "a.tar.gz", Content: strings.NewReader("x")}
	again, _, err := client.ProjectImport.ImportRelation(ctx, serviceapi.ImportRelationOptions{File: archive,
		Path: "acme/app", Relation: serviceapi.ImportedRelationMilestones})
	require.NoError(t, err)
	assert.Equal(t, []any{"acme/app", serviceapi.ImportedRelationMilestones}, []any{again.ProjectPath, again.Relation})
	svc.Advance(time.Minute)
	imports, err := serviceapi.Collect(client.ProjectImport.AllRelationImports(ctx, project, nil))
	require.NoError(t, err)
	require.Len(t, imports, 1)
	assert.Equal(t, serviceapi.ImportStateFinished, imports[0].Status)
}

func TestServiceLicenseUsage(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	client, ctx := asRoot(t, svc), t.Context()
	id := svc.AddLicense(servicetest.License{Email: "it@acme.example", Company: "Acme"})
	d, _, err := client.License.DownloadUsage(ctx)
	require.NoError(t, err)
	text := readAll(t, d)
	assert.Contains(t, text, "Email,it@acme.example\nCompany,Acme\nDate,Billable User Count\n2026-01-15 09:00:00,2\n")
	resp, err := client.License.RefreshBillableUsers(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	_, err = client.License.RefreshBillableUsers(ctx, id+1)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = as(t, svc, ada).License.DownloadUsage(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
