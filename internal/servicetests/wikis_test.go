package servicetests

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceWikis(t *testing.T) {
	r := newReviewTeam(t)
	bob, ctx := as(t, r.svc, r.bob).Wikis, t.Context()
	home, resp, err := bob.Create(ctx, mergeApp, serviceapi.CreateWikiPageOptions{Title: "home",
		Content: "Hello & welcome\n"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.WikiPage{
		Format: serviceapi.WikiFormatMarkdown, Slug: "home", Title: "home", Content: "Hello & welcome\n",
		Encoding:    "UTF-8",
		FrontMatter: &serviceapi.WikiFrontMatter{}, WikiPageMetaID: new(int64(1)),
	}, home)
	guide, _, err := bob.Create(ctx, mergeApp, serviceapi.CreateWikiPageOptions{
		Title: "guides/Set up", Content: "* one", Format: new(serviceapi.WikiFormatOrg),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"guides/Set-up", "Set up", serviceapi.WikiFormatOrg},
		[]any{guide.Slug, guide.Title, guide.Format})

	pages, err := serviceapi.Collect(bob.All(ctx, mergeApp, nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"guides/Set-up", "home"}, []string{pages[0].Slug, pages[1].Slug})
	assert.Empty(t, pages[1].Content)
	pages, err = serviceapi.Collect(bob.All(ctx, mergeApp, &serviceapi.ListWikiPagesOptions{WithContent: true}))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.WikiPage{guide, home}, pages)
	rendered, _, err := bob.Get(ctx, mergeApp, "home", &serviceapi.GetWikiPageOptions{RenderHTML: true})
	require.NoError(t, err)
	assert.Equal(t, `<p dir="auto">Hello &amp; welcome</p>`, rendered.Content)

	moved, _, err := bob.Update(ctx, mergeApp, guide.Slug, serviceapi.UpdateWikiPageOptions{
		Format: serviceapi.WikiFormatMarkdown, Title: new("Begin"),
		FrontMatter: &serviceapi.WikiFrontMatter{Title: "Begin here"},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"guides/Begin", "Begin here", "* one", serviceapi.WikiFormatMarkdown},
		[]any{moved.Slug, moved.Title, moved.Content, moved.Format}, "a title without a folder keeps the folder")
	_, _, err = bob.Get(ctx, mergeApp, guide.Slug, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "the slug has changed")
	away, _, err := bob.Update(ctx, mergeApp, moved.Slug,
		serviceapi.UpdateWikiPageOptions{Format: serviceapi.WikiFormatOrg, Title: new("/top/Begin")})
	require.NoError(t, err)
	assert.Equal(t, "top/Begin", away.Slug)

	for name, test := range map[string]struct{ err, is error }{
		"twice": {second(bob.Create(ctx, mergeApp, serviceapi.CreateWikiPageOptions{Title: "home"})),
			serviceapi.ErrBadRequest},
		"a reporter": {second(as(t, r.svc, r.eve).Wikis.Create(ctx, mergeApp,
			serviceapi.CreateWikiPageOptions{Title: "x"})), serviceapi.ErrForbidden},
		"taken": {second(bob.Update(ctx, mergeApp, "home",
			serviceapi.UpdateWikiPageOptions{Format: serviceapi.WikiFormatOrg, Title: new("top/Begin")})),
			serviceapi.ErrBadRequest},
		"unknown": {second(bob.Get(ctx, mergeApp, "none", nil)), serviceapi.ErrNotFound},
	} {
		assert.ErrorIs(t, test.err, test.is, name)
	}
	_, err = bob.Delete(ctx, mergeApp, "home")
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = as(t, r.svc, r.ada).Wikis.Delete(ctx, mergeApp, "home")
	require.NoError(t, err)
	_, _, err = bob.Get(ctx, mergeApp, "home", nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	r.app.Set("wiki_access_level", "disabled")
	_, _, err = bob.List(ctx, mergeApp, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceWikiVersionsAndHooks(t *testing.T) {
	r := newReviewTeam(t)
	receiver := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	defer receiver.Close()
	_, _, err := as(t, r.svc, r.ada).Hooks.Create(t.Context(), mergeApp, serviceapi.CreateHookOptions{
		URL: receiver.URL, PushEvents: new(false), WikiPageEvents: new(true),
	})
	require.NoError(t, err)
	page := r.app.WikiPage("guides/Set up", "one")
	first := page.Version()
	s, ctx := as(t, r.svc, r.ada).Wikis, t.Context()
	_, _, err = s.Update(ctx, mergeApp, page.Slug(),
		serviceapi.UpdateWikiPageOptions{Format: serviceapi.WikiFormatMarkdown, Content: new("two")})
	require.NoError(t, err)
	assert.Equal(t, "two", page.Content())
	old, _, err := s.Get(ctx, mergeApp, page.Slug(), &serviceapi.GetWikiPageOptions{Version: first})
	require.NoError(t, err)
	assert.Equal(t, "one", old.Content)
	_, _, err = s.Get(ctx, mergeApp, page.Slug(), &serviceapi.GetWikiPageOptions{Version: "none"})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = s.Delete(ctx, mergeApp, page.Slug())
	require.NoError(t, err)
	r.svc.Flush()
	var events []webhook.WikiPageEvent
	for _, d := range r.svc.Deliveries() {
		var event webhook.WikiPageEvent
		require.NoError(t, json.Unmarshal(d.Body, &event))
		events = append(events, event)
	}
	require.Len(t, events, 3)
	for i, want := range []struct {
		action        webhook.WikiPageAction
		content, user string
	}{
		{webhook.WikiPageActionCreate, "one", "root"}, {webhook.WikiPageActionUpdate, "two", "ada"},
		{webhook.WikiPageActionDelete, "two", "ada"},
	} {
		got := events[i].ObjectAttributes
		assert.Equal(t, []any{want.action, want.content, want.user, "guides/Set-up", "Set up", "acme/app.wiki"},
			[]any{got.Action, got.Content, events[i].User.Username, got.Slug, got.Title,
				events[i].Wiki.PathWithNamespace})
	}
	assert.Equal(t, first, events[0].ObjectAttributes.VersionID)
}

// TestServiceWikisOfGroups goes through the life of a page of a group's wiki, and of a note on it.
func TestServiceWikisOfGroups(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme")
	seeded := group.WikiPage("guides/Set up", "# First")
	root, ctx, acme := asRoot(t, svc), t.Context(), serviceapi.GroupPath("acme")
	made, _, err := root.Wikis.Create(ctx, acme, serviceapi.CreateWikiPageOptions{Title: "home", Content: "x"})
	require.NoError(t, err)
	assert.Equal(t, []any{"home", int64(2)}, []any{made.Slug, *made.WikiPageMetaID})
	pages, err := serviceapi.Collect(root.Wikis.All(ctx, acme, &serviceapi.ListWikiPagesOptions{WithContent: true}))
	require.NoError(t, err)
	require.Len(t, pages, 2)
	assert.Equal(t, []string{seeded.Slug(), "# First", "home"},
		[]string{pages[0].Slug, pages[0].Content, pages[1].Slug})
	before := seeded.Version()
	moved, _, err := root.Wikis.Update(ctx, acme, "guides/Set-up", serviceapi.UpdateWikiPageOptions{
		Format: serviceapi.WikiFormatMarkdown, Title: new("Begin"), Content: new("# Second")})
	require.NoError(t, err)
	assert.Equal(t, []any{"guides/Begin", seeded.ID()}, []any{moved.Slug, *moved.WikiPageMetaID})
	old, _, err := root.Wikis.Get(ctx, acme, "guides/Begin", &serviceapi.GetWikiPageOptions{RenderHTML: true})
	require.NoError(t, err)
	assert.Equal(t, "<h1 dir=\"auto\">Second</h1>", old.Content)
	_, _, err = root.Wikis.Get(ctx, acme, "guides/Begin", &serviceapi.GetWikiPageOptions{Version: before})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it had another slug then")
	attached, _, err := root.Wikis.CreateAttachment(ctx, acme, serviceapi.CreateWikiAttachmentOptions{
		File: serviceapi.Upload{Filename: "plan.png", Content: strings.NewReader("pixels")}})
	require.NoError(t, err)
	assert.Equal(t, []string{"plan.png", "main", "![plan.png](" + attached.FilePath + ")"},
		[]string{attached.FileName, attached.Branch, attached.Link.Markdown})

	page := acme.WikiPage(seeded.ID())
	created, _, err := root.Notes.CreateForWikiPage(ctx, page,
		serviceapi.CreateWikiPageNoteOptions{Body: "Good.", Internal: new(true)})
	require.NoError(t, err)
	note := created.Note
	assert.Equal(t, []any{serviceapi.NoteableTypeWikiPage, seeded.ID(), true, true, true}, []any{note.NoteableType,
		*note.NoteableID, note.Internal, note.NoteableIID == nil, note.ProjectID == nil})
	assert.Zero(t, note.Ref())
	changed, _, err := root.Notes.UpdateForWikiPage(ctx, page, note.ID,
		serviceapi.UpdateWikiPageNoteOptions{Body: "Better."})
	require.NoError(t, err)
	listed, err := serviceapi.Collect(root.Notes.All(ctx, page, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Note{changed}, listed)
	require.Len(t, seeded.Notes(), 1)
	assert.Equal(t, "Better.", seeded.Notes()[0].Body())
	_, err = root.Notes.Delete(ctx, page, note.ID)
	require.NoError(t, err)
	assert.Empty(t, seeded.Notes())
	remark := seeded.Note("Seeded.", servicetest.By(svc.User("ada")))
	got, _, err := root.Notes.Get(ctx, page, remark.ID())
	require.NoError(t, err)
	assert.Equal(t, []string{"Seeded.", "ada"}, []string{got.Body, got.Author.Username})
	_, err = root.Wikis.Delete(ctx, acme, "guides/Begin")
	require.NoError(t, err)
	_, _, err = root.Notes.List(ctx, page, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	free := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	free.Group("acme")
	_, _, err = asRoot(t, free).Wikis.List(ctx, acme, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceNotesOnPagesOfProjects checks what differs from the pages of groups.
func TestServiceNotesOnPagesOfProjects(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Guest), servicetest.Member(bob,
		servicetest.Maintainer))
	page := project.WikiPage("home", "x")
	ctx, ref := t.Context(), app.WikiPage(page.ID())
	created, _, err := as(t, svc, ada).Notes.CreateForWikiPage(ctx, ref,
		serviceapi.CreateWikiPageNoteOptions{Body: "Mine."})
	require.NoError(t, err)
	assert.Equal(t, project.ID(), *created.Note.ProjectID)
	bobs := page.Note("His.", servicetest.By(bob))
	_, _, err = as(t, svc, ada).Notes.UpdateForWikiPage(ctx, ref, bobs.ID(),
		serviceapi.UpdateWikiPageNoteOptions{Body: "No."})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = as(t, svc, bob).Notes.Delete(ctx, ref, created.Note.ID)
	require.NoError(t, err, "a maintainer may delete every note")
	_, _, err = as(t, svc, svc.User("eve")).Notes.List(ctx, ref, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
