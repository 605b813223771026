package recipes_test

import (
	"archive/zip"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// archiveOf writes a zip file with these files. The names are written as they
// are.
func archiveOf(t *testing.T, files ...*zip.FileHeader) string {
	name := filepath.Join(t.TempDir(), "a.zip")
	file, err := os.Create(name)
	require.NoError(t, err)
	z := zip.NewWriter(file)
	for _, header := range files {
		w, err := z.CreateHeader(header)
		require.NoError(t, err)
		if !strings.HasSuffix(header.Name, "/") {
			_, err = io.WriteString(w, "0123456789")
			require.NoError(t, err)
		}
	}
	require.NoError(t, z.Close())
	require.NoError(t, file.Close())
	return name
}

// TestUnpackStaysInside checks that an archive changes nothing outside of its
// directory, and takes no more bytes than it may.
func TestUnpackStaysInside(t *testing.T) {
	t.Parallel()
	regular := func(name string) *zip.FileHeader {
		return &zip.FileHeader{Name: name, Method: zip.Deflate}
	}
	link := regular("link")
	link.SetMode(os.ModeSymlink | 0o777)
	for name, test := range map[string]struct {
		files []*zip.FileHeader
		limit int64
		says  string
	}{
		"all well": {[]*zip.FileHeader{regular("a/"), regular("a/b"), regular("c/d/e")}, 20, ""},
		"a byte too many": {
			[]*zip.FileHeader{regular("a/b"), regular("c/d/e")}, 19, "too large",
		},
		"up":       {[]*zip.FileHeader{regular("../a")}, 20, "leads out"},
		"far up":   {[]*zip.FileHeader{regular("a/../../a")}, 20, "leads out"},
		"absolute": {[]*zip.FileHeader{regular("/a")}, 20, "leads out"},
		"a link in the directory": {
			[]*zip.FileHeader{regular("outside/a")}, 20, "unpack",
		},
		"a link in the archive": {[]*zip.FileHeader{link}, 20, ""},
	} {
		directory := t.TempDir()
		target := filepath.Join(directory, "in")
		require.NoError(t, os.Mkdir(target, 0o755))
		err := os.Symlink(directory, filepath.Join(target, "outside"))
		if err != nil {
			t.Skip(err) // not everybody may make links
		}
		err = unpack(archiveOf(t, test.files...), target, test.limit)
		if test.says == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, test.says, name)
		}
		entries, err := os.ReadDir(directory)
		require.NoError(t, err)
		assert.Len(t, entries, 1, "%s: only the target", name)
		assert.NoFileExists(t, filepath.Join(target, "link"))
		if name == "all well" {
			content, err := os.ReadFile(filepath.Join(target, "c", "d", "e"))
			require.NoError(t, err)
			assert.Equal(t, "0123456789", string(content))
		}
	}
}

// TestAtMost checks how many requests are in progress, and that one which waits
// ends with its context.
func TestAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		transport := atMost(3)(transportFunc(
			func(*http.Request) (*http.Response, error) {
				most.Store(max(most.Load(), running.Add(1)))
				time.Sleep(time.Second)
				running.Add(-1)
				return &http.Response{Body: http.NoBody}, nil
			}))
		start := time.Now()
		var all sync.WaitGroup
		for range 9 {
			all.Go(func() {
				r, err := http.NewRequestWithContext(t.Context(), "GET", "/", nil)
				if assert.NoError(t, err) {
					_, err = transport.RoundTrip(r)
					assert.NoError(t, err)
				}
			})
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, "GET", "/", nil)
		require.NoError(t, err)
		_, err = transport.RoundTrip(r)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		all.Wait()
		assert.EqualValues(t, 3, most.Load())
		assert.Equal(t, 3*time.Second, time.Since(start))
	})
}

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) {
	return f(r)
}

// TestRunPipelineGoesOn checks that an interruption while a pipeline starts does
// not lose its ID, and that artifacts that have expired are no error.
func TestRunPipelineGoesOn(t *testing.T) {
	t.Parallel()
	service := servicetest.New(t, servicetest.WithClock(time.Now))
	service.Project("acme/shop").CI(servicetest.PlanJob("build",
		servicetest.Took(time.Millisecond),
		servicetest.Archive(map[string]string{"shop.txt": "a shop"})))
	client, err := serviceapi.NewClient(service.URL(),
		serviceapi.PrivateToken(service.AdminToken()),
		serviceapi.WithPollInterval(time.Millisecond, time.Millisecond))
	require.NoError(t, err)
	shop := serviceapi.ProjectPath("acme/shop")

	ctx, cancel := context.WithCancel(t.Context())
	service.Fault("POST /projects/:id/pipeline", servicetest.Times(1),
		servicetest.If(func(*http.Request) bool { cancel(); return false }))
	var progress strings.Builder
	status := runPipeline(ctx, client, shop,
		serviceapi.CreatePipelineOptions{Ref: "main"}, t.TempDir(), &progress,
		false)
	assert.Equal(t, 2, status)
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	assert.Regexp(t, `^started 1 http`, progress.String())

	service.Fault("GET /projects/:id/jobs/:job_id/artifacts",
		servicetest.Status(http.StatusNotFound, ""))
	progress.Reset()
	status = finishPipeline(t.Context(), client, shop, 1, t.TempDir(), &progress,
		false)
	assert.Equal(t, 0, status)
	assert.Regexp(t, `build success\nbuild has artifacts that expired\n$`,
		progress.String())
}
