package wiretests

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProjectExportSchedule(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/7/export", JSON: `{}`, Status: 202,
			Body: `{"message":"202 Accepted"}`},
		exchange{
			Method: "POST", Path: "/projects/acme%2Fengine/export", Status: 202, Body: `{"message":"202 Accepted"}`,
			JSON: `{"description":"","upload":{"url":"https://store.test/x?signature=s3","http_method":"POST"}}`,
		},
	)
	resp, err := client.ProjectExport.Schedule(t.Context(), serviceapi.ProjectID(7), serviceapi.ScheduleExportOptions{})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	options := serviceapi.ScheduleExportOptions{
		Description: new(""),
		Upload: &serviceapi.ExportUpload{
			URL:        serviceapi.NewSecret("https://store.test/x?signature=s3"),
			HTTPMethod: "POST",
		},
	}
	_, err = client.ProjectExport.Schedule(t.Context(), serviceapi.ProjectPath("acme/engine"), options)
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v", options.Upload, *options.Upload, *options.Upload), "s3")
}

func TestProjectExportStatus(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/7/export", Fixture: "project_export/status_finished.json"},
		exchange{Method: "GET", Path: "/projects/7/export", Fixture: "project_export/status_started.json"},
	)
	status, _, err := client.ProjectExport.Status(t.Context(), serviceapi.ProjectID(7))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ProjectExportStatus{
		ID: 7, Description: "Computes tables", Name: "Engine", NameWithNamespace: "Acme / Engine",
		Path: "engine", PathWithNamespace: "acme/engine", CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"),
		ExportStatus: serviceapi.ExportStateFinished,
		Links: &serviceapi.ProjectExportLinks{
			APIURL: "https://service.test/api/v4/projects/7/export/download",
			WebURL: "https://service.test/acme/engine/download_export",
		},
	}, status)
	status, _, err = client.ProjectExport.Status(t.Context(), serviceapi.ProjectID(7))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.ExportStateStarted, status.ExportStatus)
	assert.Empty(t, status.Description)
	assert.Nil(t, status.Links)
}

func TestProjectExportDownload(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: "/projects/7/export/download", Body: "tarball",
			ResponseHeader: map[string]string{"Content-Disposition": `attachment; filename="engine_export.tar.gz"`,
				"Content-Type": "application/gzip", "Content-Length": "7"},
		},
		exchange{Method: "GET", Path: "/projects/7/export/download", Status: 404, Body: `{"message":"404 Not found"}`},
	)
	archive, _, err := client.ProjectExport.Download(t.Context(), serviceapi.ProjectID(7))
	require.NoError(t, err)
	defer archive.Close()
	assert.Equal(t, "engine_export.tar.gz", archive.Name)
	assert.Equal(t, "application/gzip", archive.ContentType)
	var first [4]byte
	_, err = io.ReadFull(archive, first[:])
	require.NoError(t, err)
	assert.Equal(t, "tarb", string(first[:]))
	_, _, err = client.ProjectExport.Download(t.Context(), serviceapi.ProjectID(7))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestProjectExportRefusesBadPaths(t *testing.T) {
	client := onWire(t)
	var argument *serviceapi.ArgumentError
	_, err := client.ProjectExport.Schedule(t.Context(), serviceapi.ProjectRef{}, serviceapi.ScheduleExportOptions{})
	assert.ErrorAs(t, err, &argument)
	_, _, err = client.ProjectExport.Status(t.Context(), serviceapi.ProjectPath("a/../b"))
	assert.ErrorAs(t, err, &argument)
	_, _, err = client.ProjectExport.Download(t.Context(), serviceapi.ProjectID(-1))
	assert.ErrorAs(t, err, &argument)
	_, err = client.ProjectExport.Wait(t.Context(), serviceapi.ProjectPath(""))
	assert.ErrorAs(t, err, &argument)
	_, err = client.ProjectExport.ScheduleAndWait(
		t.Context(),
		serviceapi.ProjectPath(""),
		serviceapi.ScheduleExportOptions{},
	)
	assert.ErrorAs(t, err, &argument)
}

func exportState(state serviceapi.ExportState) string {
	return `{"id":7,"path_with_namespace":"acme/engine","export_status":"` + string(state) + `"}`
}

func TestProjectExportWait(t *testing.T) {
	none, queued, started := status(
		200,
		exportState(serviceapi.ExportStateNone),
	), status(
		200,
		exportState(serviceapi.ExportStateQueued),
	),
		status(
			200,
			exportState(serviceapi.ExportStateStarted),
		)
	again, finished := status(
		200,
		exportState(serviceapi.ExportStateRegenerating),
	), status(
		200,
		exportState(serviceapi.ExportStateFinished),
	)
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(
			t,
			serviceapi.RetryPolicy{MaxAttempts: 1},
			none,
			none,
			queued,
			started,
			again,
			finished,
		)
		state, err := client.ProjectExport.Wait(t.Context(), serviceapi.ProjectID(7))
		require.NoError(t, err)
		assert.Equal(t, serviceapi.ExportStateFinished, state.ExportStatus)
		assert.Len(t, script.Times, 6)
	})
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, started, none)
		state, err := client.ProjectExport.Wait(t.Context(), serviceapi.ProjectID(7))
		var failed *serviceapi.ProjectExportError
		require.ErrorAs(t, err, &failed)
		assert.Same(t, state, failed.Status)
		assert.EqualError(t, err, "serviceapi: the service abandoned the export of acme/engine")
		assert.Len(t, script.Times, 2, "what was under way and is gone does not come back")
	})
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, none)
		_, err := client.ProjectExport.Wait(t.Context(), serviceapi.ProjectID(7))
		var failed *serviceapi.ProjectExportError
		require.ErrorAs(t, err, &failed)
		assert.Len(t, script.Times, 5, "nothing was ever scheduled")
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, started)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		state, err := client.ProjectExport.Wait(ctx, serviceapi.ProjectID(7))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, serviceapi.ExportStateStarted, state.ExportStatus)
	})
}

// TestProjectExportWaitAfterAnEarlierExport checks an export that was just
// scheduled and does not show in the first status.
func TestProjectExportWaitAfterAnEarlierExport(t *testing.T) {
	again, finished := status(
		200,
		exportState(serviceapi.ExportStateRegenerating),
	), status(
		200,
		exportState(serviceapi.ExportStateFinished),
	)
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, finished, finished, again, finished)
		state, err := client.ProjectExport.Wait(t.Context(), serviceapi.ProjectID(7))
		require.NoError(t, err)
		assert.Equal(t, serviceapi.ExportStateFinished, state.ExportStatus)
		assert.Len(t, script.Times, 4)
	})
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, finished)
		state, err := client.ProjectExport.Wait(t.Context(), serviceapi.ProjectID(7))
		require.NoError(t, err, "nothing new was scheduled")
		assert.Equal(t, serviceapi.ExportStateFinished, state.ExportStatus)
		assert.Len(t, script.Times, 5)
	})
	synctest.Test(t, func(t *testing.T) {
		client, script := scriptedClient(
			t,
			serviceapi.RetryPolicy{MaxAttempts: 1},
			status(200, exportState(serviceapi.ExportStateNone)),
			finished,
		)
		_, err := client.ProjectExport.Wait(t.Context(), serviceapi.ProjectID(7))
		require.NoError(t, err)
		assert.Len(t, script.Times, 2, "there was no earlier one")
	})
}

func TestProjectExportScheduleAndWait(t *testing.T) {
	none, again, finished := status(200, exportState(serviceapi.ExportStateNone)),
		status(
			200,
			exportState(serviceapi.ExportStateRegenerating),
		), status(200, exportState(serviceapi.ExportStateFinished))
	accepted, missing := status(202, `{"message":"202 Accepted"}`), status(404, `{"message":"404 Not found"}`)
	archive := func(text string, header ...string) func(*http.Request) (*http.Response, error) {
		return status(200, text, header...)
	}
	plain := archive("old")
	old, fresh := archive("old", "Etag", `"1"`), archive("new", "Etag", `"2"`)
	may, june := archive("a", "Last-Modified", "Fri, 01 May 2026 10:00:00 GMT"),
		archive("a", "Last-Modified", "Mon, 01 Jun 2026 10:00:00 GMT")
	type reply = func(*http.Request) (*http.Response, error)
	for name, test := range map[string]struct {
		replies []reply
		fails   bool
	}{
		"no earlier one":               {[]reply{none, accepted, none, finished}, false},
		"no earlier one, done at once": {[]reply{none, accepted, finished}, false},
		"not shown at first": {[]reply{finished, old, accepted, finished, old, again, finished, fresh},
			false},
		"done before it is seen":   {[]reply{finished, old, accepted, finished, fresh}, false},
		"told by its date":         {[]reply{finished, may, accepted, finished, may, finished, june}, false},
		"not to be told, but seen": {[]reply{finished, plain, accepted, finished, again, finished}, false},
		"not to be told, and not seen": {[]reply{finished, plain, accepted, finished, finished, finished, finished,
			finished}, true},
		"given up": {[]reply{finished, old, accepted, again, finished, old}, true},
		"given up before it is seen": {[]reply{finished, old, accepted, finished, old, finished, old, finished,
			old, finished, old, finished, old}, true},
		"one was under way": {[]reply{again, old, accepted, again, finished, fresh}, false},
		"the earlier archive was removed": {[]reply{finished, missing, accepted, finished, missing, again, finished,
			fresh}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, script := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, test.replies...)
				state, err := client.ProjectExport.ScheduleAndWait(
					t.Context(),
					serviceapi.ProjectID(7),
					serviceapi.ScheduleExportOptions{},
				)
				assert.Len(t, script.Times, len(test.replies))
				require.NotNil(t, state)
				assert.Equal(t, serviceapi.ExportStateFinished, state.ExportStatus)
				if !test.fails {
					require.NoError(t, err)
					return
				}
				var failed *serviceapi.ProjectExportError
				require.ErrorAs(t, err, &failed)
				assert.Same(t, state, failed.Status)
			})
		})
	}
}

func TestProjectExportScheduleAndWaitFails(t *testing.T) {
	finished, refused := status(
		200,
		exportState(serviceapi.ExportStateFinished),
	), status(
		403,
		`{"message":"403 Forbidden"}`,
	)
	archive := status(200, "old", "Etag", `"1"`)
	accepted := status(202, `{"message":"202 Accepted"}`)
	type reply = func(*http.Request) (*http.Response, error)
	for i, replies := range [][]reply{
		{refused}, {finished, refused}, {finished, archive, refused},
		{finished, archive, accepted, refused}, {finished, archive, accepted, finished, refused},
	} {
		synctest.Test(t, func(t *testing.T) {
			client, script := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, replies...)
			_, err := client.ProjectExport.ScheduleAndWait(
				t.Context(),
				serviceapi.ProjectID(7),
				serviceapi.ScheduleExportOptions{},
			)
			assert.ErrorIs(t, err, serviceapi.ErrForbidden, i)
			assert.Len(t, script.Times, len(replies), i)
		})
	}
}
