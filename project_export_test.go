package serviceapi

import (
	"context"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProjectExportSchedule(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/7/export", JSON: `{}`, Status: 202, Body: `{"message":"202 Accepted"}`},
		exchange{
			Method: "POST", Path: "/projects/acme%2Fengine/export", Status: 202, Body: `{"message":"202 Accepted"}`,
			JSON: `{"description":"","upload":{"url":"https://store.test/x?signature=s3","http_method":"POST"}}`,
		},
	)
	resp, err := client.ProjectExport.Schedule(t.Context(), ProjectID(7), ScheduleExportOptions{})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	options := ScheduleExportOptions{
		Description: new(""),
		Upload:      &ExportUpload{URL: NewSecret("https://store.test/x?signature=s3"), HTTPMethod: "POST"},
	}
	_, err = client.ProjectExport.Schedule(t.Context(), ProjectPath("acme/engine"), options)
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", options.Upload, *options.Upload, *options.Upload), "s3")
}

func TestProjectExportStatus(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/7/export", Fixture: "project_export/status_finished.json"},
		exchange{Method: "GET", Path: "/projects/7/export", Fixture: "project_export/status_started.json"},
	)
	status, _, err := client.ProjectExport.Status(t.Context(), ProjectID(7))
	require.NoError(t, err)
	assert.Equal(t, &ProjectExportStatus{
		ProjectSummary: engineProject(t).ProjectSummary,
		ExportStatus:   ExportFinished,
		Links: &ProjectExportLinks{
			APIURL: "https://service.test/api/v4/projects/7/export/download",
			WebURL: "https://service.test/acme/engine/download_export",
		},
	}, status)
	status, _, err = client.ProjectExport.Status(t.Context(), ProjectID(7))
	require.NoError(t, err)
	assert.Equal(t, ExportStarted, status.ExportStatus)
	assert.Nil(t, status.Description)
	assert.Nil(t, status.Links)
}

func TestProjectExportDownload(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: "/projects/7/export/download", Body: "tarball",
			AnswerHeader: map[string]string{"Content-Disposition": `attachment; filename="engine_export.tar.gz"`, "Content-Type": "application/gzip", "Content-Length": "7"},
		},
		exchange{Method: "GET", Path: "/projects/7/export/download", Status: 404, Body: `{"message":"404 Not found"}`},
	)
	archive, _, err := client.ProjectExport.Download(t.Context(), ProjectID(7))
	require.NoError(t, err)
	defer archive.Close()
	assert.Equal(t, "engine_export.tar.gz", archive.Name)
	assert.Equal(t, "application/gzip", archive.ContentType)
	var first [4]byte
	_, err = io.ReadFull(archive, first[:])
	require.NoError(t, err)
	assert.Equal(t, "tarb", string(first[:]))
	_, _, err = client.ProjectExport.Download(t.Context(), ProjectID(7))
	assert.ErrorIs(t, err, ErrNotFound)
}

func TestProjectExportRefusesBadPaths(t *testing.T) {
	client := onWire(t)
	var argument *ArgumentError
	_, err := client.ProjectExport.Schedule(t.Context(), ProjectRef{}, ScheduleExportOptions{})
	assert.ErrorAs(t, err, &argument)
	_, _, err = client.ProjectExport.Status(t.Context(), ProjectPath("a/../b"))
	assert.ErrorAs(t, err, &argument)
	_, _, err = client.ProjectExport.Download(t.Context(), ProjectID(-1))
	assert.ErrorAs(t, err, &argument)
	_, err = client.ProjectExport.Wait(t.Context(), ProjectPath(""))
	assert.ErrorAs(t, err, &argument)
}

func exportState(state ExportState) string {
	return `{"id":7,"path_with_namespace":"acme/engine","export_status":"` + string(state) + `"}`
}

func TestProjectExportWait(t *testing.T) {
	none, queued, started := status(200, exportState(ExportNone)), status(200, exportState(ExportQueued)), status(200, exportState(ExportStarted))
	again, finished := status(200, exportState(ExportRegenerating)), status(200, exportState(ExportFinished))
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, none, none, queued, started, again, finished)
		state, err := client.ProjectExport.Wait(t.Context(), ProjectID(7))
		require.NoError(t, err)
		assert.Equal(t, ExportFinished, state.ExportStatus)
		assert.Len(t, script.times, 6)
	})
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, started, none)
		state, err := client.ProjectExport.Wait(t.Context(), ProjectID(7))
		var gone *ProjectExportError
		require.ErrorAs(t, err, &gone)
		assert.Same(t, state, gone.Status)
		assert.EqualError(t, err, "serviceapi: the service gave up the export of acme/engine")
		assert.Len(t, script.times, 2, "what was under way and is gone does not come back")
	})
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, none)
		_, err := client.ProjectExport.Wait(t.Context(), ProjectID(7))
		var gone *ProjectExportError
		require.ErrorAs(t, err, &gone)
		assert.Len(t, script.times, maxIdleLooks, "nothing was ever scheduled")
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, started)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		state, err := client.ProjectExport.Wait(ctx, ProjectID(7))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, ExportStarted, state.ExportStatus)
	})
}
