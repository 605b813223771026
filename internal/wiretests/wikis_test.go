package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// setUpPage is testdata/wikis/page.json.
func setUpPage() *serviceapi.WikiPage {
	return &serviceapi.WikiPage{
		Format: serviceapi.WikiFormatAsciiDoc, Slug: "guides/Set-up", Title: "Set up", Content: "= Set up\n",
		Encoding:    "UTF-8",
		FrontMatter: &serviceapi.WikiFrontMatter{Title: "Set it up"}, WikiPageMetaID: new(int64(12)),
	}
}

func TestWikis(t *testing.T) {
	const list, page = "/projects/acme%2Fapp/wikis", "/projects/acme%2Fapp/wikis/guides%2FSet-up"
	whole := "[" + fixture(t, "wikis/page.json") + "]"
	s, ctx, app := onWire(t,
		exchange{Method: "GET", Path: list, Body: `[{"format":"markdown","slug":"home","title":"home"}]`},
		exchange{Method: "GET", Path: list, Query: "page=2&with_content=true", Body: whole},
		exchange{Method: "GET", Path: list, Query: "per_page=100", Body: whole},
		exchange{Method: "GET", Path: page, Fixture: "wikis/page.json"},
		exchange{Method: "GET", Path: page, Query: "render_html=true&version=1f3a", Status: 404,
			Body: `{"message":"404 Wiki Page Not Found"}`},
		exchange{Method: "POST", Path: list, JSON: `{"title":"home","content":""}`, Status: 201,
			Fixture: "wikis/page.json"},
		exchange{Method: "POST", Path: list, Status: 400,
			JSON: `{"title":"guides/Set up","content":"x","format":"org","front_matter":{"title":"Set it up"}}`,
			Body: `{"message":{"base":["Duplicate page: A page with that title already exists"]}}`},
		exchange{Method: "PUT", Path: page, JSON: `{"format":"markdown"}`, Fixture: "wikis/page.json"},
		exchange{Method: "PUT", Path: page, Fixture: "wikis/page.json",
			JSON: `{"format":"rdoc","title":"t","content":"","front_matter":{"title":""}}`},
		exchange{Method: "DELETE", Path: page, Status: 204}).Wikis, t.Context(), serviceapi.ProjectPath("acme/app")
	pages, _, err := s.List(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.WikiPage{{Format: serviceapi.WikiFormatMarkdown, Slug: "home", Title: "home"}}, pages)
	pages, _, err = s.List(
		ctx,
		app,
		&serviceapi.ListWikiPagesOptions{ListOptions: serviceapi.ListOptions{Page: 2}, WithContent: true},
	)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.WikiPage{setUpPage()}, pages)
	pages, err = serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.WikiPage{setUpPage()}, pages)
	got, _, err := s.Get(ctx, app, "guides/Set-up", nil)
	require.NoError(t, err)
	assert.Equal(t, setUpPage(), got)
	_, _, err = s.Get(ctx, app, "guides/Set-up", &serviceapi.GetWikiPageOptions{Version: "1f3a", RenderHTML: true})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	got, _, err = s.Create(ctx, app, serviceapi.CreateWikiPageOptions{Title: "home"})
	require.NoError(t, err)
	assert.Equal(t, setUpPage(), got)
	_, _, err = s.Create(ctx, app, serviceapi.CreateWikiPageOptions{
		Title: "guides/Set up", Content: "x", Format: new(serviceapi.WikiFormatOrg),
		FrontMatter: &serviceapi.WikiFrontMatter{Title: "Set it up"},
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	for _, options := range []serviceapi.UpdateWikiPageOptions{
		{Format: serviceapi.WikiFormatMarkdown},
		{Format: serviceapi.WikiFormatRDoc, Title: new("t"), Content: new(""),
			FrontMatter: &serviceapi.WikiFrontMatter{}},
	} {
		got, _, err = s.Update(ctx, app, "guides/Set-up", options)
		require.NoError(t, err)
		assert.Equal(t, setUpPage(), got)
	}
	_, err = s.Delete(ctx, app, "guides/Set-up")
	require.NoError(t, err)
}

func TestWikisArguments(t *testing.T) {
	s, ctx, app := onWire(t).Wikis, t.Context(), serviceapi.ProjectID(4)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "id", failed(s.List(ctx, serviceapi.ProjectRef{}, nil)))
	assertRefused(t, "slug", failed(s.Get(ctx, app, "", nil)))
	assertRefused(t, "slug", failed(s.Get(ctx, app, "..", nil)))
	assertRefused(t, "id", failed(s.Create(ctx, serviceapi.ProjectRef{}, serviceapi.CreateWikiPageOptions{})))
	assertRefused(t, "Format", failed(s.Update(ctx, app, "home", serviceapi.UpdateWikiPageOptions{Content: new("x")})))
	assertRefused(
		t,
		"slug",
		failed(s.Update(ctx, app, "", serviceapi.UpdateWikiPageOptions{Format: serviceapi.WikiFormatOrg})),
	)
	_, err := s.Delete(ctx, app, "")
	assertRefused(t, "slug", err)
}
