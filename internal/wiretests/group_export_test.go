package wiretests

import (
	"io"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGroupExport(t *testing.T) {
	const path = "/groups/acme%2Fplatform/export"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 202, Body: `{"message":"202 Accepted"}`},
		exchange{Method: "GET", Path: path + "/download", Body: "packed", ResponseHeader: map[string]string{
			"Content-Type": "application/gzip", "Content-Length": "6",
			"Content-Disposition": `attachment; filename="acme_export.tar.gz"`}},
		exchange{Method: "GET", Path: path + "/download", Status: 404,
			Body: `{"message":"404 Not found - there is no archive"}`})
	s, ctx, platform := client.GroupExport, t.Context(), serviceapi.GroupPath("acme/platform")
	resp, err := s.Schedule(ctx, platform)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	archive, _, err := s.Download(ctx, platform)
	require.NoError(t, err)
	data, err := io.ReadAll(archive)
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	assert.Equal(t, []string{"packed", "acme_export.tar.gz"}, []string{string(data), archive.Name})
	_, _, err = s.Download(ctx, platform)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestGroupsImport(t *testing.T) {
	const file = "file[p.tar.gz;application/octet-stream]=packed"
	client := onWire(t,
		exchange{Method: "POST", Path: "/groups/import", Status: 202, Body: `{"message":"202 Accepted"}`,
			Multipart: []string{"name=Platform", "parent_id=3", "path=platform", file}},
		exchange{Method: "POST", Path: "/groups/import", Status: 202, Body: `{"message":"202 Accepted"}`,
			Multipart: []string{"name=P", "path=p", file}})
	s, ctx := client.Groups, t.Context()
	packed := func() serviceapi.Upload {
		return serviceapi.Upload{Filename: "p.tar.gz", Content: strings.NewReader("packed")}
	}
	resp, err := s.Import(ctx,
		serviceapi.ImportGroupOptions{File: packed(), Name: "Platform", Path: "platform", ParentID: new(int64(3))})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	_, err = s.Import(ctx, serviceapi.ImportGroupOptions{File: packed(), Name: "P", Path: "p"})
	require.NoError(t, err)
}

func TestGroupExportRefuses(t *testing.T) {
	client := onWire(t)
	s, ctx := client.GroupExport, t.Context()
	_, err := s.Schedule(ctx, serviceapi.GroupRef{})
	assertRefused(t, "id", err)
	assertRefused(t, "id", errorOf(s.Download(ctx, serviceapi.GroupRef{})))
	file := serviceapi.Upload{Filename: "p.tar.gz", Content: strings.NewReader("packed")}
	for argument, options := range map[string]serviceapi.ImportGroupOptions{
		"Name": {File: file, Path: "p"}, "Path": {File: file, Name: "P"},
		"ParentID": {File: file, Name: "P", Path: "p", ParentID: new(int64(0))},
	} {
		_, err = client.Groups.Import(ctx, options)
		assertRefused(t, argument, err)
	}
	_, err = client.Groups.Import(ctx, serviceapi.ImportGroupOptions{Name: "P", Path: "p"})
	var argument *serviceapi.ArgumentError
	assert.ErrorAs(t, err, &argument, "no file")
}
