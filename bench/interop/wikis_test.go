package interop

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestWikis(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.WikiPage("home", "Hello")
	w := e.admin.Wikis
	made := got(w.CreateWikiPage(app, &clientgo.CreateWikiPageOptions{Title: new("guides/Set up"),
		Content: new("* one"), Format: new(clientgo.WikiFormatOrg)})).ok(e, 201)
	assert.Equal(t, []any{"guides/Set-up", "Set up", clientgo.WikiFormatOrg}, []any{made.Slug, made.Title, made.Format})
	pages := got(w.ListWikis(app, &clientgo.ListWikisOptions{WithContent: new(true)})).ok(e, 200) // it has no pages
	assert.Equal(t, []string{"* one", "Hello"}, each(pages, func(w *clientgo.Wiki) string { return w.Content }))
	assert.Equal(t, "Hello", got(w.GetWikiPage(app, "home", nil)).ok(e, 200).Content)
	changed := got(w.EditWikiPage(app, made.Slug, &clientgo.EditWikiPageOptions{Title: new("guides/Begin"),
		Content: new("1"), Format: new(clientgo.WikiFormatMarkdown)})).ok(e, 200)
	assert.Equal(t, "guides/Begin", changed.Slug)
	done(w.DeleteWikiPage(app, made.Slug)).refused(e, 404)
	done(w.DeleteWikiPage(app, changed.Slug)).ok(e, 204)
}

func TestWikisOfGroups(t *testing.T) {
	e := start(t)
	page := e.svc.Group("acme").WikiPage("home", "Hello")
	w := e.admin.GroupWikis
	made := got(w.CreateGroupWikiPage("acme", &clientgo.CreateGroupWikiPageOptions{Title: new("guides/Set up"),
		Content: new("* one"), Format: new(clientgo.WikiFormatOrg)})).ok(e, 201)
	assert.Equal(t, []any{"guides/Set-up", "Set up", clientgo.WikiFormatOrg}, []any{made.Slug, made.Title, made.Format})
	pages := got(w.ListGroupWikis("acme", &clientgo.ListGroupWikisOptions{WithContent: new(true)})).ok(e, 200)
	assert.Equal(t, []string{"* one", "Hello"}, each(pages, func(w *clientgo.GroupWiki) string { return w.Content }))
	assert.Equal(t, "Hello", got(w.GetGroupWikiPage("acme", "home", nil)).ok(e, 200).Content)
	changed := got(w.EditGroupWikiPage("acme", made.Slug, &clientgo.EditGroupWikiPageOptions{
		Title: new("guides/Begin"), Content: new("1"), Format: new(clientgo.WikiFormatMarkdown)})).ok(e, 200)
	assert.Equal(t, "guides/Begin", changed.Slug)
	done(w.DeleteGroupWikiPage("acme", made.Slug)).refused(e, 404)
	done(w.DeleteGroupWikiPage("acme", changed.Slug)).ok(e, 204)

	attached := got(e.admin.Wikis.UploadWikiAttachment(app, strings.NewReader("pixels"), "a.png", nil))
	attached.refused(e, 404)
	project := e.svc.Project(app).WikiPage("home", "Hello")
	link := got(e.admin.Wikis.UploadWikiAttachment(app, strings.NewReader("pixels"), "a.png", nil)).ok(e, 201)
	assert.Equal(t, []string{"a.png", "main", "![a.png](" + link.FilePath + ")"},
		[]string{link.FileName, link.Branch, link.Link.Markdown})
	upload, err := e.admin.UploadRequest("POST", "groups/acme/wikis/attachments", strings.NewReader("pixels"), "b.png",
		clientgo.UploadFile, nil, nil)
	require.NoError(t, err)
	var ofGroup clientgo.WikiAttachment
	_, err = e.admin.Do(upload, &ofGroup)
	require.NoError(t, err)
	assert.Equal(t, "b.png", ofGroup.FileName)
	for _, of := range []struct {
		path string
		id   int64
	}{{"projects/acme%2Fapp", project.ID()}, {"groups/acme", page.ID()}} {
		bare(e.admin, "POST", of.path+"/wikis/attachments").refused(e, 400)
		notes := fmt.Sprintf("%s/wiki_pages/%d/notes", of.path, of.id)
		note := request[clientgo.Note](e.admin, "POST", notes, map[string]string{"body": "Good."}).ok(e, 201)
		assert.Equal(t, []any{"WikiPage::Meta", of.id}, []any{note.NoteableType, note.NoteableID})
		one := fmt.Sprintf("%s/%d", notes, note.ID)
		request[clientgo.Note](e.admin, "POST", notes, map[string]string{"body": "More."}).ok(e, 201)
		request[clientgo.Note](e.admin, "POST", notes, map[string]string{"body": "Last."}).ok(e, 201)
		listed := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.Note, *clientgo.Response, error) {
			a := request[[]*clientgo.Note](e.admin, "GET", notes, nil, opts...)
			return a.value, a.resp, a.err
		})
		assert.Equal(t, []string{"Last.", "More.", "Good."},
			each(listed, func(n *clientgo.Note) string { return n.Body }))
		changed := request[clientgo.Note](e.admin, "PUT", one, map[string]string{"body": "Better."}).ok(e, 200)
		assert.Equal(t, changed, request[clientgo.Note](e.admin, "GET", one, nil).ok(e, 200))
		bare(e.admin, "DELETE", one).ok(e, 204)
		request[clientgo.Note](e.admin, "GET", one, nil).refused(e, 404)
	}
}

func TestUploadsOfGroups(t *testing.T) {
	e := start(t)
	group := e.svc.Group("acme")
	first, address := group.Upload("a.txt", "text")
	group.Upload("b.txt", "b")
	last, _ := group.Upload("c.txt", "c")
	u := e.admin.GroupMarkdownUploads
	listed := walk1(e, u.ListGroupMarkdownUploads, "acme", &clientgo.ListMarkdownUploadsOptions{})
	assert.Equal(t, []string{"c.txt", "b.txt", "a.txt"},
		each(listed, func(m *clientgo.GroupMarkdownUpload) string { return m.Filename }))
	parts := strings.Split(address, "/")
	for _, download := range []func() (io.ReadCloser, *clientgo.Response, error){
		func() (io.ReadCloser, *clientgo.Response, error) {
			return u.DownloadGroupMarkdownUploadByID("acme", first)
		},
		func() (io.ReadCloser, *clientgo.Response, error) {
			return u.DownloadGroupMarkdownUploadBySecretAndFilename("acme", parts[2], parts[3])
		},
	} {
		content, resp, err := download()
		require.NoError(t, err)
		data, err := io.ReadAll(content)
		require.NoError(t, err)
		assert.Equal(t, []any{200, "text"}, []any{resp.StatusCode, string(data)})
	}
	done(u.DeleteGroupMarkdownUploadByID("acme", last)).ok(e, 204)
	done(u.DeleteGroupMarkdownUploadBySecretAndFilename("acme", parts[2], parts[3])).ok(e, 204)
	assert.Len(t, got(u.ListGroupMarkdownUploads("acme", nil)).ok(e, 200), 1)
}
