package servicetests

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func TestServiceUploads(t *testing.T) {
	r := newReviewTeam(t)
	eve, ada, ctx := as(t, r.svc, r.eve).Uploads, as(t, r.svc, r.ada).Uploads, t.Context()
	create := func(name string) *serviceapi.MarkdownUpload {
		made, _, err := eve.Create(ctx, mergeApp, serviceapi.CreateUploadOptions{
			File: serviceapi.Upload{Filename: name, Content: strings.NewReader("content of " + name)},
		})
		require.NoError(t, err)
		return made
	}
	picture, text := create("my shelf.png"), create("log.txt")
	assert.Equal(t, []string{"![my_shelf](" + picture.URL + ")", "[log.txt](" + text.URL + ")"},
		[]string{picture.Markdown, text.Markdown})
	file, err := picture.File()
	require.NoError(t, err)
	read := func(d *serviceapi.Download, _ *serviceapi.Response, err error) string {
		require.NoError(t, err)
		defer d.Close()
		data, err := io.ReadAll(d)
		require.NoError(t, err)
		return string(data)
	}
	assert.Equal(t, "content of my shelf.png", read(eve.DownloadFile(ctx, mergeApp, file)))
	assert.Equal(t, "content of log.txt", read(ada.Download(ctx, mergeApp, *text.ID)))
	_, _, err = eve.List(ctx, mergeApp, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	entries, err := serviceapi.Collect(ada.All(ctx, mergeApp, nil))
	require.NoError(t, err)
	require.Len(t, entries, 2)
	assert.Equal(t, []any{"log.txt", int64(18), "eve"},
		[]any{entries[0].Filename, entries[0].Size, entries[0].UploadedBy.Username})
	_, err = ada.DeleteFile(ctx, mergeApp, file)
	require.NoError(t, err)
	_, err = ada.Delete(ctx, mergeApp, *text.ID)
	require.NoError(t, err)
	_, _, err = eve.DownloadFile(ctx, mergeApp, file)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceUploadsOfGroups reads and deletes files that came from pages of the service.
func TestServiceUploadsOfGroups(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	group := svc.Group("acme")
	group.AddMember(ada, servicetest.Guest)
	first, address := group.Upload("screen shot.png", "pixels")
	second, _ := group.Upload("b.txt", "text")
	root, guest, ctx, acme := asRoot(t, svc).Uploads, as(t, svc, ada).Uploads, t.Context(), serviceapi.GroupPath("acme")
	entries, err := serviceapi.Collect(root.All(ctx, acme, nil))
	require.NoError(t, err)
	require.Len(t, entries, 2)
	assert.Equal(t, &serviceapi.MarkdownUploadEntry{
		ID: first, Size: 6, Filename: "screen_shot.png", CreatedAt: svc.Now(),
		UploadedBy: &serviceapi.Uploader{ID: 1, Name: "Administrator", Username: "root"}}, entries[1])
	file, err := serviceapi.ParseUploadedFile(address)
	require.NoError(t, err)
	for _, download := range []func() (*serviceapi.Download, *serviceapi.Response, error){
		func() (*serviceapi.Download, *serviceapi.Response, error) { return guest.DownloadFile(ctx, acme, file) },
		func() (*serviceapi.Download, *serviceapi.Response, error) { return root.Download(ctx, acme, first) },
	} {
		d, _, err := download()
		require.NoError(t, err)
		data, err := io.ReadAll(d)
		require.NoError(t, err)
		require.NoError(t, d.Close())
		assert.Equal(t, "pixels", string(data))
	}
	_, _, err = guest.Download(ctx, acme, first)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = guest.DeleteFile(ctx, acme, file)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = root.DeleteFile(ctx, acme, file)
	require.NoError(t, err)
	_, err = root.Delete(ctx, acme, second)
	require.NoError(t, err)
	entries, _, err = root.List(ctx, acme, nil)
	require.NoError(t, err)
	assert.Empty(t, entries)
	_, _, err = root.Download(ctx, acme, second)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
