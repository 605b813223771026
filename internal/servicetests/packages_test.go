package servicetests

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func genericFile(version, name string) serviceapi.GenericPackageFile {
	return serviceapi.GenericPackageFile{PackageName: "app", PackageVersion: version, FileName: name}
}

func publishing(content string) serviceapi.PublishGenericPackageOptions {
	return serviceapi.PublishGenericPackageOptions{File: serviceapi.Upload{Content: strings.NewReader(content)}}
}

// TestPackageLife goes through the life of packages and their files.
func TestPackageLife(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	s := client.Packages
	for _, version := range []string{"1.0.0", "1.1.0"} {
		file, _, err := s.PublishGeneric(ctx, project, genericFile(version, "app.zip"), publishing("the app "+version))
		require.NoError(t, err)
		assert.EqualValues(t, 13, file.Size)
	}
	_, _, err := s.PublishGeneric(ctx, project, genericFile("1.0.0", "linux/app"), publishing("the app for Linux"))
	require.NoError(t, err)
	_, _, err = s.PublishGeneric(ctx, project, genericFile("1 0", "app"), publishing("x"))
	assert.ErrorContains(t, err, "package_version is invalid")
	assert.Equal(t, map[string]string{"app.zip": "the app 1.0.0", "linux/app": "the app for Linux"},
		app.Packages()[0].Files())

	job := app.Pipeline("main").Job("publish", servicetest.Running())
	byJob := with(t, svc, serviceapi.JobToken(job.Token())).Packages
	_, _, err = byJob.PublishGeneric(ctx, project, genericFile("1.1.0", "built"), publishing("built"))
	require.NoError(t, err)
	pipelines, err := serviceapi.Collect(s.AllPipelines(ctx, project, 2, nil))
	require.NoError(t, err)
	require.Len(t, pipelines, 1)
	assert.Equal(t, job.Pipeline().ID(), pipelines[0].ID)
	built, err := serviceapi.Collect(s.AllFiles(ctx, project, 2, nil))
	require.NoError(t, err)
	require.Len(t, built, 2)
	assert.Empty(t, built[0].Pipelines, "no job published it")
	require.Len(t, built[1].Pipelines, 1)
	assert.Equal(t, job.Pipeline().ID(), built[1].Pipelines[0].ID)
	app.Package("lib", "3", servicetest.PackageType("npm"), servicetest.PackageTags("latest"))
	app.Package("old", "1", servicetest.PackageStatus("hidden"))

	list, err := serviceapi.Collect(s.All(ctx, project,
		&serviceapi.ListPackagesOptions{OrderBy: serviceapi.PackageOrderByName}))
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Equal(t, []any{"app", "1.0.0", serviceapi.PackageTypeNPM, "latest"},
		[]any{list[0].Name, list[0].Version, list[2].PackageType, list[2].Tags[0].Name})
	inGroup, err := serviceapi.Collect(s.All(ctx, serviceapi.GroupPath("acme"),
		&serviceapi.ListPackagesOptions{Status: serviceapi.PackageStatusHidden}))
	require.NoError(t, err)
	require.Len(t, inGroup, 1)
	assert.Equal(t, []any{"old", app.ID(), "acme/app"},
		[]any{inGroup[0].Name, *inGroup[0].ProjectID, inGroup[0].ProjectPath})
	one, _, err := s.Get(ctx, project, 1)
	require.NoError(t, err)
	assert.Equal(t, "1.1.0", one.Versions[0].Version)
	assert.NotEmpty(t, one.Versions[0].Pipelines)
	_, _, err = s.Get(ctx, project, inGroup[0].ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it is hidden")

	files, err := serviceapi.Collect(s.AllFiles(ctx, project, 1,
		&serviceapi.ListPackageFilesOptions{Sort: serviceapi.SortDescending}))
	require.NoError(t, err)
	assert.Equal(t, []string{"linux/app", "app.zip"}, []string{files[0].FileName, files[1].FileName})
	_, err = s.DeleteFile(ctx, project, 1, files[0].ID)
	require.NoError(t, err)
	_, err = s.Delete(ctx, project, 1)
	require.NoError(t, err)
	_, err = s.Delete(ctx, project, 1)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	app.RefuseDuplicatePackages()
	_, _, err = s.PublishGeneric(ctx, project, genericFile("1.1.0", "built"), publishing("again"))
	assert.ErrorContains(t, err, "Duplicate package is not allowed")
	app.LimitPackageFiles(3)
	_, _, err = s.PublishGeneric(ctx, project, genericFile("1.1.0", "large"), publishing("four"))
	assert.ErrorContains(t, err, "File is too large")
	app.Set("packages_enabled", false)
	_, _, err = s.List(ctx, project, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestPackageDownloads checks that a download resumes, is saved and verified, and that
// the newest file of a name is the one that comes.
func TestPackageDownloads(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	content := strings.Repeat("0123456789abcdef", 10_000)
	stored := app.Package("app", "1.0.0")
	stored.File("app.zip", "an older file")
	stored.File("app.zip", content)
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	const route = "GET /projects/:id/packages/generic/:package_name/:package_version/:file_name"
	open := func(opts ...serviceapi.RequestOption) (*serviceapi.Download, *serviceapi.Response, error) {
		return client.Packages.DownloadGeneric(ctx, project, genericFile("1.0.0", "app.zip"), opts...)
	}
	svc.Fault(route, servicetest.CutBody(70_000), servicetest.Times(1))
	download, _, err := open()
	require.NoError(t, err)
	assert.Equal(t, "app.zip", download.Name)
	got, err := io.ReadAll(download)
	require.NoError(t, err)
	assert.Equal(t, content, string(got))
	assert.Len(t, svc.Requests(route), 2, "it was resumed")

	name := filepath.Join(t.TempDir(), "app.zip")
	svc.Fault(route, servicetest.CutBody(50_000), servicetest.Times(1))
	svc.Fault(route, servicetest.Status(403, ""), servicetest.Times(1))
	_, err = serviceapi.SaveFile(name, open)
	require.Error(t, err, "it cannot be resumed")
	n, err := serviceapi.SaveFile(name, open)
	require.NoError(t, err)
	assert.EqualValues(t, len(content), n)
	one, _, err := client.Packages.Get(ctx, project, stored.ID())
	require.NoError(t, err)
	assert.Equal(t, new(servicetest.Epoch), one.LastDownloadedAt)

	stored.Corrupt("app.zip", "something else")
	download, _, err = open()
	require.NoError(t, err)
	_, err = download.SaveFile(name)
	var mismatch *serviceapi.ChecksumError
	assert.ErrorAs(t, err, &mismatch)
}

// TestPublishAgain checks that an upload is set back when the call fails, reports its
// progress, and that it is not repeated.
func TestPublishAgain(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	const route = "PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name"
	svc.Fault(route, servicetest.Status(500, ""), servicetest.Times(1))
	options, last := publishing(strings.Repeat("x", 100_000)), serviceapi.Progress{}
	_, _, err := client.Packages.PublishGeneric(ctx, project, genericFile("1.0.0", "app.zip"), options)
	require.Error(t, err)
	assert.Len(t, svc.Requests(route), 1)
	file, _, err := client.Packages.PublishGeneric(ctx, project, genericFile("1.0.0", "app.zip"), options,
		serviceapi.WithProgress(func(p serviceapi.Progress) { last = p }))
	require.NoError(t, err)
	assert.Equal(t, []int64{100_000, 100_000, 100_000}, []int64{file.Size, last.Done, last.Total})
	assert.Len(t, app.Packages()[0].Files()["app.zip"], 100_000)
}
