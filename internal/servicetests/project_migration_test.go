package servicetests

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func TestMigrateProject(t *testing.T) {
	source, target := servicetest.New(t, servicetest.WithTick(3*time.Second)),
		servicetest.New(t, servicetest.WithTick(3*time.Second))
	app := source.Project("acme/app", servicetest.Description("Counts"))
	head := app.Commit("main", "Add a file", servicetest.Write("a.txt", "one\n"))
	target.Group("new")
	var sent []serviceapi.Progress
	final, err := serviceapi.MigrateProject(t.Context(), asRoot(t, source), serviceapi.ProjectPath("acme/app"),
		asRoot(t, target), serviceapi.MigrateProjectOptions{
			Namespace: serviceapi.NamespacePath("new"), Name: new("Engine"), Description: new("Moved"),
			Progress: func(p serviceapi.Progress) { sent = append(sent, p) },
		})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.ImportStateFinished, final.ImportStatus)
	assert.Equal(t, "new/app", final.PathWithNamespace, "the path is that of the original")
	assert.Equal(t, "Engine", final.Name)
	moved := target.FindProject("new/app")
	assert.Equal(t, "Moved", moved.Description())
	assert.Equal(t, head, moved.Head("main"))
	assert.NotNil(t, source.FindProject("acme/app"), "the original stays")

	require.NotEmpty(t, sent)
	last := sent[len(sent)-1]
	assert.Equal(t, last.Total, last.Done)
	assert.Equal(t, moved.Import().Size, last.Done)
	upload := target.Requests("POST /projects/import")
	require.Len(t, upload, 1)
	assert.NotEmpty(t, upload[0].Header.Get("Content-Length"), "the length is passed on")
}

func TestMigrateProjectFailures(t *testing.T) {
	migrate := func(source, target *servicetest.Service) (*serviceapi.ProjectImportStatus, error) {
		return serviceapi.MigrateProject(t.Context(), asRoot(t, source), serviceapi.ProjectPath("acme/app"),
			asRoot(t, target), serviceapi.MigrateProjectOptions{})
	}
	t.Run("no such project", func(t *testing.T) {
		_, err := migrate(ticking(t), ticking(t))
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	})
	t.Run("the export is given up", func(t *testing.T) {
		source := servicetest.New(t, servicetest.WithTick(3*time.Second)) // seen in progress, and then gone
		source.Project("acme/app").FailNextExport()
		_, err := migrate(source, ticking(t))
		var gone *serviceapi.ProjectExportError
		assert.ErrorAs(t, err, &gone)
	})
	t.Run("the target refuses", func(t *testing.T) {
		source, target := ticking(t), ticking(t)
		source.Project("acme/app")
		target.Project("root/app")
		_, err := migrate(source, target)
		assert.ErrorIs(t, err, serviceapi.ErrConflict)
	})
	t.Run("the import fails", func(t *testing.T) {
		source, target := ticking(t), ticking(t)
		source.Project("acme/app")
		target.NextImport(servicetest.ImportFails("out of space"))
		state, err := migrate(source, target)
		assert.ErrorContains(t, err, "out of space")
		require.NotNil(t, state)
		assert.Equal(t, serviceapi.ImportStateFailed, state.ImportStatus)
	})
	t.Run("the archive breaks off for good", func(t *testing.T) {
		source, target := ticking(t), ticking(t)
		source.Project("acme/app")
		source.Fault("GET /projects/:id/export/download", servicetest.CutBody(100),
			servicetest.RemoveHeader("Etag", "Last-Modified"))
		_, err := migrate(source, target)
		assert.ErrorContains(t, err, "the export of the source")
		assert.Nil(t, target.FindProject("root/app"), "half an archive is no import")
	})
	t.Run("no client", func(t *testing.T) {
		service := ticking(t)
		client := asRoot(t, service)
		for _, pair := range [][2]*serviceapi.Client{{nil, nil}, {client, nil}, {nil, client},
			{client, new(serviceapi.Client)}, {new(serviceapi.Client), client}} {
			_, err := serviceapi.MigrateProject(t.Context(), pair[0], serviceapi.ProjectID(1), pair[1],
				serviceapi.MigrateProjectOptions{})
			var argument *serviceapi.ArgumentError
			require.ErrorAs(t, err, &argument)
			assert.Equal(t, "client", argument.Argument)
		}
		_, err := serviceapi.MigrateProject(t.Context(), client, serviceapi.ProjectID(1), client,
			serviceapi.MigrateProjectOptions{Namespace: serviceapi.NamespacePath("")})
		var argument *serviceapi.ArgumentError
		require.ErrorAs(t, err, &argument)
		assert.Empty(t, service.Requests("POST /projects/:id/export"))
	})
	t.Run("the archive is refused", func(t *testing.T) {
		source := ticking(t)
		source.Project("acme/app")
		source.Fault("GET /projects/:id/export/download", servicetest.Status(403, `{"message":"403 Forbidden"}`))
		state, err := migrate(source, ticking(t))
		assert.ErrorIs(t, err, serviceapi.ErrForbidden)
		assert.Nil(t, state)
	})
	t.Run("the import cannot be seen", func(t *testing.T) {
		source, target := ticking(t), ticking(t)
		source.Project("acme/app")
		target.Fault("GET /projects/:id/import", servicetest.Status(403, `{"message":"403 Forbidden"}`))
		state, err := migrate(source, target)
		assert.ErrorIs(t, err, serviceapi.ErrForbidden)
		require.NotNil(t, state, "it was seen when it was started")
		assert.Equal(t, "root/app", state.PathWithNamespace)
	})
	t.Run("the context ends", func(t *testing.T) {
		source := servicetest.New(t) // its clock stands still: the export never finishes
		source.Project("acme/app")
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := serviceapi.MigrateProject(ctx, asRoot(t, source), serviceapi.ProjectPath("acme/app"),
			asRoot(t, ticking(t)), serviceapi.MigrateProjectOptions{})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// TestMigrateProjectTakesTheNewExport checks a project with the archive of an
// earlier export, which the status still shows after the new export was
// scheduled.
func TestMigrateProjectTakesTheNewExport(t *testing.T) {
	source, target := servicetest.New(t, servicetest.WithTick(2*time.Second)), ticking(t)
	app := source.Project("acme/app")
	root := asRoot(t, source)
	_, err := root.ProjectExport.ScheduleAndWait(t.Context(), serviceapi.ProjectPath("acme/app"),
		serviceapi.ScheduleExportOptions{})
	require.NoError(t, err)
	head := app.Commit("main", "Add a file", servicetest.Write("a.txt", "one\n"))

	source.Fault("GET /projects/:id/export", servicetest.Skip(1), servicetest.Times(1), servicetest.Status(200,
		`{"id":1,"path":"app","path_with_namespace":"acme/app","export_status":"finished"}`))
	_, err = serviceapi.MigrateProject(t.Context(), root, serviceapi.ProjectPath("acme/app"), asRoot(t, target),
		serviceapi.MigrateProjectOptions{})
	require.NoError(t, err)
	assert.Equal(t, head, target.FindProject("root/app").Head("main"))

	app.FailNextExport()
	_, err = serviceapi.MigrateProject(t.Context(), root, serviceapi.ProjectPath("acme/app"), asRoot(t, ticking(t)),
		serviceapi.MigrateProjectOptions{})
	var gone *serviceapi.ProjectExportError
	assert.ErrorAs(t, err, &gone, "the earlier archive is not taken")
}

// TestMigrateProjectResumesTheDownload checks that the target does not notice
// that the connection to the source broke.
func TestMigrateProjectResumesTheDownload(t *testing.T) {
	source, target := ticking(t), ticking(t)
	app := source.Project("acme/app")
	app.Commit("main", "Add a file", servicetest.Write("a.txt", "one\n"))
	source.Fault("GET /projects/:id/export/download", servicetest.CutBody(200), servicetest.Times(1))
	_, err := serviceapi.MigrateProject(t.Context(), asRoot(t, source), serviceapi.ProjectPath("acme/app"),
		asRoot(t, target), serviceapi.MigrateProjectOptions{})
	require.NoError(t, err)
	assert.Equal(t, app.Head("main"), target.FindProject("root/app").Head("main"))
	assert.Len(t, source.Requests("GET /projects/:id/export/download"), 2)
}

// TestMigrateProjectOfUnknownLength checks a source that does not send the
// length of its archive.
func TestMigrateProjectOfUnknownLength(t *testing.T) {
	source, target := ticking(t), ticking(t)
	app := source.Project("acme/app")
	noise := make([]byte, 64<<10) // too much for net/http to buffer, and not compressible
	rand.NewChaCha8([32]byte{}).Read(noise)
	app.Commit("main", "Add noise", servicetest.Write("noise", string(noise)))
	source.Fault("GET /projects/:id/export/download", servicetest.RemoveHeader("Content-Length"))
	_, err := serviceapi.MigrateProject(t.Context(), asRoot(t, source), serviceapi.ProjectPath("acme/app"),
		asRoot(t, target), serviceapi.MigrateProjectOptions{})
	require.NoError(t, err)
	assert.Equal(t, app.Head("main"), target.FindProject("root/app").Head("main"))
	assert.Empty(t, target.Requests("POST /projects/import")[0].Header.Get("Content-Length"))
}

// zeros is an endless source of zeros.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}

// TestMigrateLargeProject checks that the migration takes far less memory than
// the size of the archive.
func TestMigrateLargeProject(t *testing.T) {
	if testing.Short() {
		t.Skip("moves 256 MiB")
	}
	const size = 256 << 20
	source, target := ticking(t), ticking(t)
	source.Project("acme/app").ExportFrom(size, zeros{})
	var before, peak runtime.MemStats
	var highest uint64
	runtime.GC()
	runtime.ReadMemStats(&before)
	next := int64(0)
	_, err := serviceapi.MigrateProject(t.Context(), asRoot(t, source), serviceapi.ProjectPath("acme/app"),
		asRoot(t, target), serviceapi.MigrateProjectOptions{
			Progress: func(p serviceapi.Progress) {
				if p.Done < next {
					return
				}
				next += 16 << 20
				runtime.GC()
				runtime.ReadMemStats(&peak)
				highest = max(highest, peak.HeapAlloc)
			},
		})
	require.NoError(t, err)
	assert.Equal(t, int64(size), target.FindProject("root/app").Import().Size)
	// The embedded service keeps up to 8 MiB of the upload, in a buffer that
	// doubles. The rest is used by the migration.
	assert.Less(t, int64(highest)-int64(before.HeapAlloc), int64(32<<20))
}
