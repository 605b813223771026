package servicetests

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/serviceapi"
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
