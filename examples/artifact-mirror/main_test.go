package main

import (
	"archive/zip"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const route = "GET /projects/:id/jobs/:job_id/artifacts"

// files returns the names in a directory, except those of complete archives,
// which end in .zip.
func files(t *testing.T, dir string) (whole int, others []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".zip") {
			others = append(others, entry.Name())
			continue
		}
		archive, err := zip.OpenReader(filepath.Join(dir, entry.Name()))
		require.NoError(t, err)
		_, err = archive.Open("dist/shop")
		require.NoError(t, err)
		archive.Close()
		whole++
	}
	return whole, others
}

func TestEmbedded(t *testing.T) {
	demotest.Clear(t)
	dir := filepath.Join(t.TempDir(), "new")
	got := demotest.Run(t, run, "-dir", dir)
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Equal(t, "60 archives: 60 saved, 0 were here already, 0 have expired, 0 failed.\n", got.Out)
	assert.Contains(t, got.Notes, "embedded service")
	assert.Contains(t, got.Notes, "\n100%  60 of 60 archives, 18.0 MB of 18.0 MB\n")
	demotest.Shown(t, "artifact-mirror", got.Notes+got.Out)
	whole, others := files(t, dir)
	assert.Equal(t, 60, whole)
	assert.Empty(t, others)
}

func TestSecondRunFetchesWhatIsNew(t *testing.T) {
	shop, dir := demotest.Shop(t), t.TempDir()
	got := demotest.Run(t, run, "-dir", dir, "-newest", "10", "acme/shop")
	assert.Equal(t, "10 archives: 10 saved, 0 were here already, 0 have expired, 0 failed.\n", got.Out)
	shop.Service.ClearRequests()
	got = demotest.Run(t, run, "-dir", dir, "-newest", "12", "-n", "1", "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Equal(t, "12 archives: 2 saved, 10 were here already, 0 have expired, 0 failed.\n", got.Out)
	assert.Len(t, shop.Service.Requests(route), 2)
}

func TestDownloadsAreBounded(t *testing.T) {
	shop := demotest.Shop(t)
	shop.Service.Fault(route, servicetest.Delay(50*time.Millisecond))
	started := time.Now()
	got := demotest.Run(t, run, "-dir", t.TempDir(), "-n", "2", "-newest", "8", "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.GreaterOrEqual(t, time.Since(started), 4*50*time.Millisecond)
}

// brokenOff leaves 100,000 bytes of the newest archive in a directory.
func brokenOff(t *testing.T, service *servicetest.Service, dir string) {
	t.Helper()
	service.Fault(route, servicetest.CutBody(100_000), servicetest.Times(1))
	service.Fault(route, servicetest.Status(403, ""), servicetest.Times(1)) // so that it is not resumed at once
	got := demotest.Run(t, run, "-dir", dir, "-newest", "1", "acme/shop")
	assert.Equal(t, 1, got.Status)
	assert.Contains(t, got.Notes, "job 295: ")
	assert.Contains(t, got.Out, "0 saved, 0 were here already, 0 have expired, 1 failed")
	_, others := files(t, dir)
	require.Equal(t, []string{"295-compile.zip.part", "295-compile.zip.part.etag"}, others)
	part, err := os.Stat(filepath.Join(dir, "295-compile.zip.part"))
	require.NoError(t, err)
	require.EqualValues(t, 100_000, part.Size())
	service.ClearRequests()
}

func TestNextRunGoesOn(t *testing.T) {
	shop, dir := demotest.Shop(t), t.TempDir()
	brokenOff(t, shop.Service, dir)
	got := demotest.Run(t, run, "-dir", dir, "-newest", "1", "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Contains(t, got.Notes, "100%  1 of 1 archives")
	requests := shop.Service.Requests(route)
	require.Len(t, requests, 1)
	assert.Equal(t, "bytes=100000-", requests[0].Header.Get("Range"))
	assert.Equal(t, http.StatusPartialContent, requests[0].Status)
	whole, others := files(t, dir)
	assert.Equal(t, 1, whole)
	assert.Empty(t, others)
}

// A part is useless if the archive has changed, or if its version is unknown.
func TestNextRunBeginsAnewWhereItMust(t *testing.T) {
	for name, spoil := range map[string]func(part, etag string) error{
		"changed":    func(_, etag string) error { return os.WriteFile(etag, []byte(`"other"`), 0o666) },
		"no version": func(_, etag string) error { return os.Remove(etag) },
		"too long":   func(part, _ string) error { return os.Truncate(part, 1_000_000) },
	} {
		t.Run(name, func(t *testing.T) {
			shop, dir := demotest.Shop(t), t.TempDir()
			brokenOff(t, shop.Service, dir)
			file := filepath.Join(dir, "295-compile.zip")
			require.NoError(t, spoil(file+".part", file+".part.etag"))
			got := demotest.Run(t, run, "-dir", dir, "-newest", "1", "acme/shop")
			assert.Equal(t, 0, got.Status, got.Notes)
			whole, others := files(t, dir)
			assert.Equal(t, 1, whole)
			assert.Empty(t, others)
		})
	}
}

func TestOthersGoOn(t *testing.T) {
	shop := demotest.Shop(t)
	shop.Service.Fault(route, servicetest.Status(403, ""), servicetest.Times(1))
	shop.Service.Fault(route, servicetest.Status(404, ""), servicetest.Times(2))
	got := demotest.Run(t, run, "-dir", t.TempDir(), "-newest", "10", "acme/shop")
	assert.Equal(t, 1, got.Status)
	assert.Regexp(t, `\nprogram: job \d+: GET .*: 403 `, got.Notes)
	assert.Equal(t, "10 archives: 7 saved, 0 were here already, 2 have expired, 1 failed.\n", got.Out)
}

func TestNamesOfJobsAreHarmless(t *testing.T) {
	shop, dir := demotest.Shop(t), t.TempDir()
	shop.Service.Project("acme/odd").Pipeline("main").Job("../../build: Größe",
		servicetest.Archive(map[string]string{"dist/shop": ""}))
	got := demotest.Run(t, run, "-dir", dir, "acme/odd")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.FileExists(t, filepath.Join(dir, "298-.._.._build__Gr__e.zip"))
}

func TestErrors(t *testing.T) {
	shop, dir := demotest.Shop(t), t.TempDir()
	fails := func(status int, want string, args ...string) {
		t.Helper()
		got := demotest.Run(t, run, args...)
		assert.Equal(t, status, got.Status)
		assert.Contains(t, got.Notes, want)
	}
	fails(2, "usage: artifact-mirror", "-x")
	fails(2, "-n must be from 1 to 16", "-n", "0", "acme/shop")
	fails(2, "-n must be from 1 to 16", "-n", "17", "acme/shop")
	fails(2, "not negative", "-newest", "-1", "acme/shop")
	fails(2, "name one project", "-dir", dir)
	fails(1, "Is the name right?", "-dir", dir, "acme/nothing")
	occupied := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(occupied, nil, 0o666))
	fails(1, "not a directory", "-dir", occupied, "acme/shop")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "295-compile.zip.part"), 0o777))
	fails(1, "is a directory", "-dir", dir, "-newest", "1", "acme/shop")

	ctx, cancel := context.WithCancel(t.Context())
	shop.Service.Fault(route, servicetest.Handler(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	var notes strings.Builder
	assert.ErrorIs(t, run(ctx, []string{"-dir", t.TempDir(), "acme/shop"}, io.Discard, &notes), context.Canceled)
	assert.Contains(t, notes.String(), "Run it again to go on.")
	t.Setenv("SERVICE_TOKEN", "")
	fails(1, "SERVICE_TOKEN", "-dir", dir, "acme/shop")
}
