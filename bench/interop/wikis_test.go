package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
