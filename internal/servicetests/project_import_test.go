package servicetests

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func TestExportStates(t *testing.T) {
	svc := servicetest.New(t)
	app, root := svc.Project("acme/app", servicetest.Description("Counts")), asRoot(t, svc)
	ref := serviceapi.ProjectID(app.ID())
	expect := func(want serviceapi.ExportState) *serviceapi.ProjectExportStatus {
		t.Helper()
		status, _, err := root.ProjectExport.Status(t.Context(), ref)
		require.NoError(t, err)
		assert.Equal(t, want, status.ExportStatus)
		return status
	}
	schedule := func() {
		resp, err := root.ProjectExport.Schedule(t.Context(), ref,
			serviceapi.ScheduleExportOptions{Description: new("For the archive")})
		require.NoError(t, err)
		assert.Equal(t, 202, resp.StatusCode)
	}

	assert.Nil(t, expect(serviceapi.ExportStateNone).Links)
	_, _, err := root.ProjectExport.Download(t.Context(), ref)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	schedule()
	expect(serviceapi.ExportStateQueued)
	svc.Advance(servicetest.ExportQueuedFor)
	expect(serviceapi.ExportStateStarted)
	svc.Advance(servicetest.ExportStartedFor)
	links := expect(serviceapi.ExportStateFinished).Links
	require.NotNil(t, links)
	assert.Equal(t, svc.URL()+"/api/v4/projects/1/export/download", links.APIURL)

	schedule()
	expect(serviceapi.ExportStateRegenerating)
	files := readArchive(t, root, ref)
	assert.Contains(t, files["tree/project.json"], `"description":"For the archive"`)
	svc.Advance(servicetest.ExportQueuedFor + servicetest.ExportStartedFor)
	expect(serviceapi.ExportStateFinished)

	app.FailNextExport()
	schedule()
	svc.Advance(time.Minute)
	expect(serviceapi.ExportStateFinished) // the earlier archive is still there
	other := svc.Project("acme/other")
	other.FailNextExport()
	_, err = root.ProjectExport.Schedule(t.Context(), serviceapi.ProjectID(other.ID()),
		serviceapi.ScheduleExportOptions{})
	require.NoError(t, err)
	svc.Advance(time.Minute)
	assert.Equal(t, "none", other.ExportStatus())
}

// readArchive downloads an archive and unpacks it.
func readArchive(t *testing.T, client *serviceapi.Client, project serviceapi.ProjectRef) map[string]string {
	t.Helper()
	download, _, err := client.ProjectExport.Download(t.Context(), project)
	require.NoError(t, err)
	defer download.Close()
	assert.Equal(t, "application/gzip", download.ContentType)
	assert.True(t, strings.HasSuffix(download.Name, "_acme_app_export.tar.gz"), download.Name)
	unzipped, err := gzip.NewReader(download)
	require.NoError(t, err)
	files := map[string]string{}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files
		}
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		files[header.Name] = string(data)
	}
}

func TestExportRoleAndLimits(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	_, err := as(t, svc, ada).ProjectExport.Schedule(t.Context(), serviceapi.ProjectID(app.ID()),
		serviceapi.ScheduleExportOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	upload := serviceapi.ExportUpload{URL: serviceapi.NewSecret("https://store.test/x"), HTTPMethod: "PATCH"}
	_, err = asRoot(t, svc).ProjectExport.Schedule(t.Context(), serviceapi.ProjectID(app.ID()),
		serviceapi.ScheduleExportOptions{Upload: &upload})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	svc.SetMaxExportSize(10)
	_, err = asRoot(t, svc).ProjectExport.Schedule(t.Context(), serviceapi.ProjectID(app.ID()),
		serviceapi.ScheduleExportOptions{})
	require.NoError(t, err)
	svc.Advance(time.Minute)
	assert.Equal(t, "none", app.ExportStatus())
}

// ticking returns a service whose clock moves with each request, so that
// exports and imports have finished in the first poll.
func ticking(t *testing.T) *servicetest.Service {
	return servicetest.New(t, servicetest.WithTick(time.Minute))
}

func TestImportFromFile(t *testing.T) {
	svc := ticking(t)
	app := svc.Project("acme/app", servicetest.Description("Counts"), servicetest.Public())
	head := app.Commit("main", "Add a file", servicetest.Write("a/b.txt", "one\n"))
	archive := app.ExportedArchive()
	ada := svc.User("ada")
	svc.Group("tools", servicetest.Member(ada, servicetest.Maintainer))
	client := as(t, svc, ada)
	svc.NextImport(servicetest.LosesRelations("merge_requests", 150))

	started, resp, err := client.ProjectImport.FromFile(t.Context(), serviceapi.ImportFromFileOptions{
		File: serviceapi.Upload{Filename: "app.tar.gz", Content: bytes.NewReader(archive)}, Path: "copy",
		Namespace:      serviceapi.NamespacePath("tools"),
		OverrideParams: serviceapi.ProjectOverrides{"description": "Another", "visibility": "private"},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, serviceapi.ImportStateScheduled, started.ImportStatus)
	assert.Equal(t, "tools/copy", started.PathWithNamespace)
	assert.NotEmpty(t, started.CorrelationID)

	final, err := client.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(started.ID))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.ImportStateFinished, final.ImportStatus)
	assert.Equal(t, "Another", final.Description)
	assert.Len(t, final.FailedRelations, 100, "capped")
	copied := svc.FindProject("tools/copy")
	assert.Equal(t, head, copied.Head("main"), "commits keep their hashes")
	content, found := copied.File("main", "a/b.txt")
	assert.Equal(t, []any{"one\n", true}, []any{content, found})
	sum := sha256.Sum256(archive)
	assert.Equal(t, hex.EncodeToString(sum[:]), copied.Import().SHA256)

	status, _, err := client.ProjectImport.Status(t.Context(), serviceapi.ProjectID(app.ID()))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.ImportStateNone, status.ImportStatus, "this one was not imported")
}

func TestImportRefusals(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	svc.Group("acme", servicetest.Member(ada, servicetest.Developer))
	svc.Group("own", servicetest.Member(ada, servicetest.Owner))
	svc.Project("own/app")
	for name, test := range map[string]struct {
		path      string
		namespace serviceapi.NamespaceRef
		overwrite bool
		want      error
	}{
		"bad path":              {"a/b", serviceapi.NamespaceRef{}, false, serviceapi.ErrBadRequest},
		"unknown namespace":     {"x", serviceapi.NamespacePath("nowhere"), false, serviceapi.ErrNotFound},
		"somebody's own":        {"x", serviceapi.NamespacePath("bob"), false, serviceapi.ErrNotFound},
		"somebody's own by id":  {"x", serviceapi.NamespaceID(1_000_000 + bob.ID()), false, serviceapi.ErrNotFound},
		"role too low":          {"x", serviceapi.NamespacePath("acme"), false, serviceapi.ErrForbidden},
		"path is taken":         {"app", serviceapi.NamespacePath("own"), false, serviceapi.ErrConflict},
		"overwrite":             {"app", serviceapi.NamespacePath("own"), true, nil},
		"the caller's own":      {"mine", serviceapi.NamespaceRef{}, false, nil},
		"the caller's own path": {"mine2", serviceapi.NamespacePath("ada"), false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := as(t, svc, ada).ProjectImport.FromFile(t.Context(), serviceapi.ImportFromFileOptions{
				File: serviceapi.Upload{Filename: "x.tar.gz", Content: strings.NewReader("x")}, Path: test.path,
				Namespace: test.namespace, Overwrite: &test.overwrite,
			})
			if test.want == nil {
				assert.NoError(t, err)
			} else {
				assert.ErrorIs(t, err, test.want)
			}
		})
	}
	svc.SetMaxImportSize(3)
	_, _, err := as(t, svc, ada).ProjectImport.FromFile(t.Context(), serviceapi.ImportFromFileOptions{
		File: serviceapi.Upload{Filename: "x.tar.gz", Content: strings.NewReader("four")}, Path: "large",
	})
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable)
}

func TestImportOfADamagedArchiveFails(t *testing.T) {
	svc := ticking(t)
	good := svc.Project("acme/app").ExportedArchive()
	root := asRoot(t, svc)
	for name, archive := range map[string][]byte{
		"no-gzip": []byte("plain text"), "cut": good[:len(good)/2], "changed": slices.Concat(good[:60], []byte{0, 1, 2},
			good[63:]),
	} {
		t.Run(name, func(t *testing.T) {
			started, _, err := root.ProjectImport.FromFile(t.Context(), serviceapi.ImportFromFileOptions{
				File: serviceapi.Upload{Filename: "x", Content: bytes.NewReader(archive)}, Path: name,
			})
			require.NoError(t, err)
			state, err := root.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(started.ID))
			var failed *serviceapi.ProjectImportError
			require.ErrorAs(t, err, &failed)
			assert.Same(t, state, failed.Status)
			assert.Contains(t, failed.Status.ImportError, "the archive cannot be read")
		})
	}
}

func TestExportUploadAndImportFromURL(t *testing.T) {
	svc := ticking(t)
	app, root := svc.Project("acme/app"), asRoot(t, svc)
	address := serviceapi.NewSecret("https://store.example.com/app.tar.gz?signature=1")
	_, err := root.ProjectExport.Schedule(t.Context(), serviceapi.ProjectID(app.ID()),
		serviceapi.ScheduleExportOptions{Upload: &serviceapi.ExportUpload{URL: address}})
	require.NoError(t, err)
	_, err = root.ProjectExport.Wait(t.Context(), serviceapi.ProjectID(app.ID()))
	require.NoError(t, err)
	_, found := svc.FindRemoteFile("https://store.example.com/app.tar.gz")
	require.True(t, found)

	svc.NextImport(servicetest.ImportCounts("tracker", map[string]int{"issue": 3}, map[string]int{"issue": 2}))
	started, _, err := root.ProjectImport.FromURL(t.Context(), serviceapi.ImportFromURLOptions{URL: address,
		Path: "copy", Name: new("The Copy")})
	require.NoError(t, err)
	final, err := root.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(started.ID))
	require.NoError(t, err)
	assert.Equal(t, "The Copy", final.Name)
	assert.Equal(t, "tracker", final.ImportType)
	assert.Equal(t, &serviceapi.ImportStats{
		Fetched:  serviceapi.ImportCounts{serviceapi.ImportedKindIssue: 3},
		Imported: serviceapi.ImportCounts{serviceapi.ImportedKindIssue: 2},
	}, final.Stats)
	assert.Equal(t, app.Head("main"), svc.FindProject("root/copy").Head("main"))
}

func TestImportFromURLChecksTheFile(t *testing.T) {
	svc := servicetest.New(t)
	archive := svc.Project("acme/app").ExportedArchive()
	svc.RemoteFile("https://store.test/zip", archive, servicetest.RemoteContentType("application/zip"))
	svc.RemoteFile("https://store.test/large", archive, servicetest.RemoteContentLength(10<<30+1))
	svc.RemoteFile("https://store.test/largest", archive, servicetest.RemoteContentLength(10<<30))
	svc.RemoteFile("https://store.test/unknown", archive, servicetest.RemoteContentLength(-1))
	root := asRoot(t, svc)
	for address, want := range map[string]string{
		"https://store.test/zip": "Content type", "https://store.test/large": "larger than 10 GB",
		"https://store.test/unknown": "Content-Length",
		"https://store.test/nothing": "cannot be reached", "ftp://store.test/x": "not valid",
	} {
		_, _, err := root.ProjectImport.FromURL(t.Context(),
			serviceapi.ImportFromURLOptions{URL: serviceapi.NewSecret(address), Path: "copy"})
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
		assert.ErrorContains(t, err, want)
	}
	_, _, err := root.ProjectImport.FromURL(t.Context(),
		serviceapi.ImportFromURLOptions{URL: serviceapi.NewSecret("https://store.test/largest"), Path: "copy"})
	require.NoError(t, err)
	svc.SetFeature("import_project_from_remote_file", false)
	_, _, err = root.ProjectImport.FromURL(t.Context(),
		serviceapi.ImportFromURLOptions{URL: serviceapi.NewSecret("https://store.test/largest"), Path: "copy2"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestImportFromObjectStore(t *testing.T) {
	svc := ticking(t)
	svc.StoredObject("r1", "bucket", "app.tar.gz", "AK", "SK", svc.Project("acme/app").ExportedArchive())
	root := asRoot(t, svc)
	options := serviceapi.ImportFromObjectStoreOptions{
		Path: "copy", Region: "r1", BucketName: "bucket", FileKey: "app.tar.gz",
		AccessKeyID: serviceapi.NewSecret("AK"), SecretAccessKey: serviceapi.NewSecret("SK"),
	}
	started, _, err := root.ProjectImport.FromObjectStore(t.Context(), options)
	require.NoError(t, err)
	_, err = root.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(started.ID))
	require.NoError(t, err)

	options.Path, options.SecretAccessKey = "denied", serviceapi.NewSecret("wrong")
	started, _, err = root.ProjectImport.FromObjectStore(t.Context(), options)
	require.NoError(t, err)
	_, err = root.ProjectImport.Wait(t.Context(), serviceapi.ProjectID(started.ID))
	assert.EqualError(t, err, "serviceapi: the import of root/denied failed: The object store refused the access key")

	svc.SetFeature("import_project_from_remote_file_objstore", false)
	_, _, err = root.ProjectImport.FromObjectStore(t.Context(), options)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
