package servicetests

import (
	"io"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceSnippets(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.Snippet("Old", servicetest.SnippetContent("a.txt", "a\n"), servicetest.Public(),
		servicetest.Description("One"))
	guest := r.svc.User("guest")
	r.app.AddMember(guest, servicetest.Guest)
	eve, ctx := as(t, r.svc, r.eve).Snippets, t.Context()
	made, resp, err := eve.Create(ctx, mergeApp, serviceapi.CreateSnippetOptions{
		Title: "Start", Description: new("How"), Visibility: new(serviceapi.VisibilityInternal),
		Files: []serviceapi.SnippetFileOptions{{FilePath: "start.sh", Content: "make\n"},
			{FilePath: "doc/stop.sh", Content: "kill\n"}},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"start.sh", 2, "eve", r.app.ID(), serviceapi.VisibilityInternal}, []any{
		made.FileName, len(made.Files), made.Author.Username, *made.ProjectID, made.Visibility,
	})
	assert.Empty(t, made.RepositoryStorage)
	assert.Equal(t, map[string]string{"start.sh": "make\n", "doc/stop.sh": "kill\n"}, r.app.Snippets()[1].Files())
	all, err := serviceapi.Collect(eve.All(ctx, mergeApp,
		&serviceapi.ListSnippetsOptions{ListOptions: serviceapi.ListOptions{PerPage: 1}}))
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, made, all[0])
	got, _, err := asRoot(t, r.svc).Snippets.Get(ctx, mergeApp, seeded.ID())
	require.NoError(t, err)
	assert.Equal(t, []any{"One", "default"}, []any{got.Description, got.RepositoryStorage})

	for name, test := range map[string]struct{ err, is error }{
		"a guest": {second(as(t, r.svc, guest).Snippets.Create(ctx, mergeApp,
			serviceapi.CreateSnippetOptions{Title: "t",
				Files: []serviceapi.SnippetFileOptions{{FilePath: "a", Content: "b"}}})), serviceapi.ErrForbidden},
		"no content": {second(eve.Create(ctx, mergeApp, serviceapi.CreateSnippetOptions{Title: "t",
			Files: []serviceapi.SnippetFileOptions{{FilePath: "a"}}})), serviceapi.ErrBadRequest},
		"bad path": {second(eve.Create(ctx, mergeApp, serviceapi.CreateSnippetOptions{Title: "t",
			Files: []serviceapi.SnippetFileOptions{{FilePath: "../a", Content: "b"}}})), serviceapi.ErrUnprocessable},
		"missing": {second(eve.Get(ctx, mergeApp, 99)), serviceapi.ErrNotFound},
	} {
		assert.ErrorIs(t, test.err, test.is, name)
	}
	notes, _, err := as(t, r.svc, r.eve).Notes.CreateForSnippet(ctx, made.Ref(),
		serviceapi.CreateSnippetNoteOptions{Body: "Nice"})
	require.NoError(t, err, "what was made can be discussed")
	assert.Equal(t, "start.sh", notes.Note.FileName)
}

// textOf returns what a download has.
func textOf(t *testing.T, download *serviceapi.Download, err error) string {
	t.Helper()
	require.NoError(t, err)
	data, err := io.ReadAll(download)
	require.NoError(t, err)
	require.NoError(t, download.Close())
	return string(data)
}

func titlesOfSnippets(t *testing.T) func(snippets []*serviceapi.Snippet, err error) []string {
	return func(snippets []*serviceapi.Snippet, err error) []string {
		t.Helper()
		require.NoError(t, err)
		titles := []string{}
		for _, snippet := range snippets {
			titles = append(titles, snippet.Title)
		}
		return titles
	}
}

func TestServicePersonalSnippets(t *testing.T) {
	r := newReviewTeam(t)
	bob, ada, ctx := as(t, r.svc, r.bob).Snippets, as(t, r.svc, r.ada).Snippets, t.Context()
	made, resp, err := bob.Create(ctx, serviceapi.Own, serviceapi.CreateSnippetOptions{
		Title: "Start", Files: []serviceapi.SnippetFileOptions{{FilePath: "bin/start.sh", Content: "make\n"},
			{FilePath: "b.txt", Content: "b"}},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{201, serviceapi.VisibilityInternal, (*int64)(nil), r.svc.URL() + "/-/snippets/1",
		"bin/start.sh"},
		[]any{resp.StatusCode, made.Visibility, made.ProjectID, made.WebURL, made.FileName})
	assert.Equal(t, r.svc.URL()+"/-/snippets/1/raw/main/bin/start.sh", made.Files[0].RawURL)
	first, _, err := ada.Download(ctx, serviceapi.Own, made.ID)
	assert.Equal(t, "make\n", textOf(t, first, err), "others can read what is internal")
	second, _, err := ada.DownloadFile(ctx, serviceapi.Own, made.ID, "b.txt", nil)
	assert.Equal(t, "b", textOf(t, second, err))
	nested, _, err := ada.DownloadFile(ctx, serviceapi.Own, made.ID, "bin/start.sh",
		&serviceapi.DownloadSnippetFileOptions{Ref: "main"})
	assert.Equal(t, "make\n", textOf(t, nested, err))

	r.svc.Advance(time.Hour)
	changed, _, err := bob.Update(ctx, serviceapi.Own, made.ID, serviceapi.UpdateSnippetOptions{
		Title: new("Begin"), Visibility: new(serviceapi.VisibilityPrivate),
		Files: []serviceapi.UpdateSnippetFileOptions{
			{Action: serviceapi.SnippetFileActionMove, FilePath: "begin.sh", PreviousPath: new("bin/start.sh")},
			{Action: serviceapi.SnippetFileActionUpdate, FilePath: "b.txt", Content: new("c")},
			{Action: serviceapi.SnippetFileActionCreate, FilePath: "d.txt", Content: new("d")},
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"Begin", "begin.sh", servicetest.Epoch, servicetest.Epoch.Add(time.Hour)},
		[]any{changed.Title, changed.FileName, changed.CreatedAt, changed.UpdatedAt})
	assert.Equal(t, map[string]string{"begin.sh": "make\n", "b.txt": "c", "d.txt": "d"}, r.bob.Snippets()[0].Files())
	_, _, err = ada.Get(ctx, serviceapi.Own, made.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "it is private now")
	root := asRoot(t, r.svc).Snippets
	got, _, err := root.Get(ctx, serviceapi.Own, made.ID)
	require.NoError(t, err, "administrators read everything")
	assert.Equal(t, "default", got.RepositoryStorage)
	_, _, err = root.Update(ctx, serviceapi.Own, made.ID, serviceapi.UpdateSnippetOptions{Title: new("Mine")})
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "but change only their own")
	_, err = root.Delete(ctx, serviceapi.Own, made.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = bob.Delete(ctx, serviceapi.Own, made.ID)
	require.NoError(t, err)
	assert.Empty(t, r.bob.Snippets())
}

func TestServiceSnippetsLists(t *testing.T) {
	r := newReviewTeam(t)
	r.bob.Snippet("Secret", servicetest.CreatedAt(servicetest.Epoch.Add(-3*time.Hour)))
	r.bob.Snippet("Inside", servicetest.Internal(), servicetest.CreatedAt(servicetest.Epoch.Add(-2*time.Hour)))
	r.ada.Snippet("Open", servicetest.Public(), servicetest.CreatedAt(servicetest.Epoch.Add(-time.Hour)))
	r.app.Snippet("Shared", servicetest.By(r.bob), servicetest.Internal())
	r.svc.Project("acme/secret", servicetest.RepositoryStorage("fast")).Snippet("Hidden", servicetest.Public())
	bob, eve, ctx, titles := as(t, r.svc, r.bob).Snippets, as(t, r.svc, r.eve).Snippets, t.Context(),
		titlesOfSnippets(t)
	assert.Equal(t, []string{"Shared", "Inside", "Secret"},
		titles(serviceapi.Collect(bob.All(ctx, serviceapi.Own, nil))))
	assert.Equal(t, []string{"Inside"},
		titles(serviceapi.Collect(bob.All(ctx, serviceapi.Own, &serviceapi.ListSnippetsOptions{
			CreatedAfter: servicetest.Epoch.Add(-150 * time.Minute), CreatedBefore: servicetest.Epoch.Add(-time.Minute),
		}))))
	assert.Empty(t, titles(serviceapi.Collect(eve.All(ctx, serviceapi.Own, nil))))
	assert.Equal(t, []string{"Open"}, titles(serviceapi.Collect(eve.AllPublic(ctx, nil))))
	assert.Equal(t, []string{"Shared", "Open", "Inside"}, titles(serviceapi.Collect(eve.AllVisible(ctx, nil))))
	root := asRoot(t, r.svc).Snippets
	assert.Equal(t, []string{"Hidden", "Shared", "Open", "Inside", "Secret"},
		titles(serviceapi.Collect(root.AllVisible(ctx, nil))))
	assert.Equal(t, []string{"Hidden"}, titles(serviceapi.Collect(root.AllVisible(ctx,
		&serviceapi.ListVisibleSnippetsOptions{RepositoryStorage: "fast"}))))
	open, _, err := asAnybody(t, r.svc).Snippets.Get(ctx, serviceapi.Own, r.ada.Snippets()[0].ID())
	require.NoError(t, err, "what is public needs no credential")
	assert.Equal(t, "Open", open.Title)
	_, _, err = asAnybody(t, r.svc).Snippets.ListPublic(ctx, nil)
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	_, err = asRoot(t, r.svc).Users.Delete(ctx, serviceapi.UserID(r.bob.ID()), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"Hidden", "Shared", "Open"}, titles(serviceapi.Collect(root.AllVisible(ctx, nil))),
		"those of projects stay")
}

func TestServiceSnippetsOfProjectsChange(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.Snippet("Old", servicetest.By(r.eve), servicetest.SnippetContent("a.txt", "a\n"))
	eve, bob, ctx := as(t, r.svc, r.eve).Snippets, as(t, r.svc, r.bob).Snippets, t.Context()
	changed, _, err := eve.Update(ctx, mergeApp, seeded.ID(), serviceapi.UpdateSnippetOptions{FileName: new("b.txt"),
		Content: new("b\n")})
	require.NoError(t, err, "the author")
	assert.Equal(t, "b.txt", changed.FileName)
	file, _, err := bob.DownloadFile(ctx, mergeApp, seeded.ID(), "b.txt", nil)
	assert.Equal(t, "b\n", textOf(t, file, err))
	whole, _, err := bob.Download(ctx, mergeApp, seeded.ID())
	assert.Equal(t, "b\n", textOf(t, whole, err))
	_, _, err = eve.Update(ctx, mergeApp, seeded.ID(),
		serviceapi.UpdateSnippetOptions{Files: []serviceapi.UpdateSnippetFileOptions{
			{Action: serviceapi.SnippetFileActionCreate, FilePath: "c.txt", Content: new("c\n")},
		}})
	require.NoError(t, err)
	files := func(change serviceapi.UpdateSnippetFileOptions) error {
		return second(eve.Update(ctx, mergeApp, seeded.ID(),
			serviceapi.UpdateSnippetOptions{Files: []serviceapi.UpdateSnippetFileOptions{change}}))
	}
	for name, test := range map[string]struct{ err, is error }{
		"a developer": {second(bob.Update(ctx, mergeApp, seeded.ID(),
			serviceapi.UpdateSnippetOptions{Title: new("t")})), serviceapi.ErrForbidden},
		"nothing": {second(eve.Update(ctx, mergeApp, seeded.ID(), serviceapi.UpdateSnippetOptions{})),
			serviceapi.ErrBadRequest},
		"no title": {second(eve.Update(ctx, mergeApp, seeded.ID(),
			serviceapi.UpdateSnippetOptions{Title: new("")})), serviceapi.ErrBadRequest},
		"several files": {second(eve.Update(ctx, mergeApp, seeded.ID(),
			serviceapi.UpdateSnippetOptions{Content: new("x")})), serviceapi.ErrBadRequest},
		"made twice": {files(serviceapi.UpdateSnippetFileOptions{Action: serviceapi.SnippetFileActionCreate,
			FilePath: "c.txt"}), serviceapi.ErrUnprocessable},
		"no such file": {files(serviceapi.UpdateSnippetFileOptions{Action: serviceapi.SnippetFileActionDelete,
			FilePath: "x.txt"}), serviceapi.ErrUnprocessable},
		"unknown action": {files(serviceapi.UpdateSnippetFileOptions{Action: "copy", FilePath: "c.txt"}),
			serviceapi.ErrBadRequest},
		"no such ref": {second(bob.DownloadFile(ctx, mergeApp, seeded.ID(), "b.txt",
			&serviceapi.DownloadSnippetFileOptions{Ref: "topic"})),
			serviceapi.ErrNotFound},
		"no such content": {second(bob.DownloadFile(ctx, mergeApp, seeded.ID(), "x.txt", nil)), serviceapi.ErrNotFound},
	} {
		assert.ErrorIs(t, test.err, test.is, name)
	}
	assert.Equal(t, map[string]string{"b.txt": "b\n", "c.txt": "c\n"}, seeded.Files())
	_, err = bob.Delete(ctx, mergeApp, seeded.ID())
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = as(t, r.svc, r.ada).Snippets.Delete(ctx, mergeApp, seeded.ID())
	require.NoError(t, err, "a maintainer")
	assert.Empty(t, r.app.Snippets())
}
