package wiretests

import (
	"io"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const uploadSecret = "66dbcd21ec5d24ed6ea225176098d52b"

func TestUploads(t *testing.T) {
	const path, one = "/projects/acme%2Fapp/uploads", "/" + uploadSecret + "/screen_shot.png"
	list := "[" + fixture(t, "uploads/entry.json") + `,{"id":6,"uploaded_by":null}]`
	picture := map[string]string{"Content-Type": "application/octet-stream",
		"Content-Disposition": `attachment; filename="screen_shot.png"`}
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "uploads/upload.json",
			Multipart: []string{"file[screen shot.png;image/png]=pixels"}},
		exchange{Method: "GET", Path: path, Query: "page=2", Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: path + "/5", Body: "pixels", ResponseHeader: picture},
		exchange{Method: "GET", Path: path + one, Body: "pixels", ResponseHeader: picture},
		exchange{Method: "DELETE", Path: path + "/5", Status: 204},
		exchange{Method: "DELETE", Path: path + one, Status: 204})
	s, ctx, app := client.Uploads, t.Context(), serviceapi.ProjectPath("acme/app")
	made, _, err := s.Create(ctx, app, serviceapi.CreateUploadOptions{
		File: serviceapi.Upload{
			Filename:    "screen shot.png",
			Content:     strings.NewReader("pixels"),
			ContentType: "image/png",
		},
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MarkdownUpload{
		ID: new(int64(5)), Alt: "screen_shot", URL: "/uploads" + one, FullPath: "/-/project/7/uploads" + one,
		Markdown: "![screen_shot](/uploads" + one + ")",
	}, made)
	assertFilled(t, made)
	want := []*serviceapi.MarkdownUploadEntry{{
		ID: 5, Size: 6, Filename: "screen_shot.png", CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"),
		UploadedBy: &serviceapi.Uploader{ID: 1, Name: "Ada Lovelace", Username: "ada", PublicEmail: "ada@example.com"},
	}, {ID: 6}}
	entries, _, err := s.List(ctx, app, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, entries)
	assertFilled(t, entries[0])
	entries, err = serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, want, entries)

	file, err := made.File()
	require.NoError(t, err)
	assert.Equal(t, serviceapi.UploadedFile{Secret: uploadSecret, Filename: "screen_shot.png"}, file)
	read := func(d *serviceapi.Download, _ *serviceapi.Response, err error) string {
		require.NoError(t, err)
		defer d.Close()
		data, err := io.ReadAll(d)
		require.NoError(t, err)
		return d.Name + " " + string(data)
	}
	assert.Equal(t, "screen_shot.png pixels", read(s.Download(ctx, app, 5)))
	assert.Equal(t, "screen_shot.png pixels", read(s.DownloadFile(ctx, app, file)))
	_, err = s.Delete(ctx, app, 5)
	require.NoError(t, err)
	_, err = s.DeleteFile(ctx, app, file)
	require.NoError(t, err)
}

// TestUploadsOfGroups makes every call that groups have.
func TestUploadsOfGroups(t *testing.T) {
	const path, one = "/groups/7/uploads", "/" + uploadSecret + "/a.png"
	list := "[" + fixture(t, "uploads/entry.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: path + "/5", Body: "pixels"},
		exchange{Method: "GET", Path: path + one, Body: "pixels"},
		exchange{Method: "DELETE", Path: path + "/5", Status: 204},
		exchange{Method: "DELETE", Path: path + one, Status: 204})
	s, ctx, file := client.Uploads, t.Context(), serviceapi.UploadedFile{Secret: uploadSecret, Filename: "a.png"}
	entries, _, err := s.List(ctx, someTeam, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, "screen_shot.png", entries[0].Filename)
	all, err := serviceapi.Collect(s.All(ctx, someTeam, nil))
	require.NoError(t, err)
	assert.Equal(t, entries, all)
	read := func(d *serviceapi.Download, _ *serviceapi.Response, err error) string {
		require.NoError(t, err)
		defer d.Close()
		data, err := io.ReadAll(d)
		require.NoError(t, err)
		return string(data)
	}
	assert.Equal(t, "pixels", read(s.Download(ctx, someTeam, 5)))
	assert.Equal(t, "pixels", read(s.DownloadFile(ctx, someTeam, file)))
	_, err = s.Delete(ctx, someTeam, 5)
	require.NoError(t, err)
	_, err = s.DeleteFile(ctx, someTeam, file)
	require.NoError(t, err)
	for _, owner := range []serviceapi.UploadOwner{nil, &someTeam} {
		assertRefused(t, "owner", errorOf(s.List(ctx, owner, nil)))
	}
}

func TestUploadsArguments(t *testing.T) {
	s, ctx := onWire(t).Uploads, t.Context()
	_, _, err := s.Create(ctx, serviceapi.ProjectID(7), serviceapi.CreateUploadOptions{})
	assertRefused(t, "File", err)
	_, _, err = s.Download(ctx, serviceapi.ProjectID(7), 0)
	assertRefused(t, "upload_id", err)
	_, err = s.DeleteFile(ctx, serviceapi.ProjectID(7), serviceapi.UploadedFile{Secret: uploadSecret})
	assertRefused(t, "filename", err)
	_, _, err = s.DownloadFile(ctx, serviceapi.ProjectID(7), serviceapi.UploadedFile{Filename: "a.png"})
	assertRefused(t, "secret", err)
}

func TestParseUploadedFile(t *testing.T) {
	for _, address := range []string{
		"/uploads/66db/a.png", "https://service.test/acme/app/uploads/66db/a.png", "/-/project/7/uploads/66db/a%2Epng",
	} {
		file, err := serviceapi.ParseUploadedFile(address)
		require.NoError(t, err, address)
		assert.Equal(t, serviceapi.UploadedFile{Secret: "66db", Filename: "a.png"}, file)
	}
	for _, address := range []string{
		"", "/uploads/66db", "/uploads//a.png", "/uploads/66db/a/b", "/uploads/66db/%2", "a.png",
	} {
		_, err := serviceapi.ParseUploadedFile(address)
		assertRefused(t, "address", err)
	}
	_, err := (*serviceapi.MarkdownUpload)(nil).File()
	assertRefused(t, "address", err)
}
