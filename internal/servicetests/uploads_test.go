package servicetests

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
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
