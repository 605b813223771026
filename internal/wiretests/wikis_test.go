package wiretests

import (
	"strings"
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

// TestWikis makes every call for both kinds of owners.
func TestWikis(t *testing.T) {
	testWiki(t, serviceapi.ProjectPath("acme/app"), "/projects/acme%2Fapp/wikis")
	testWiki(t, someTeam, "/groups/7/wikis")
}

func testWiki(t *testing.T, owner serviceapi.WikiOwner, list string) {
	page := list + "/guides%2FSet-up"
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
		exchange{Method: "DELETE", Path: page, Status: 204},
		exchange{Method: "POST", Path: list + "/attachments", Status: 201, Fixture: "wikis/attachment.json",
			Multipart: []string{"file[plan.png;image/png]=pixels"}},
		exchange{Method: "POST", Path: list + "/attachments", Status: 201, Fixture: "wikis/attachment.json",
			Multipart: []string{"branch=master", "file[plan.png;image/png]=pixels"}}).Wikis, t.Context(), owner
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
	for _, branch := range []*string{nil, new("master")} {
		attached, _, err := s.CreateAttachment(ctx, app, serviceapi.CreateWikiAttachmentOptions{
			Branch: branch, File: serviceapi.Upload{
				Filename: "plan.png", Content: strings.NewReader("pixels"), ContentType: "image/png"},
		})
		require.NoError(t, err)
		const path = "uploads/6a061c4cf9f1c28cb22c384b4b8d4e3c/plan.png"
		assert.Equal(t, &serviceapi.WikiAttachment{FileName: "plan.png", FilePath: path, Branch: "master",
			Link: &serviceapi.WikiAttachmentLink{URL: path, Markdown: "![plan](" + path + ")"}}, attached)
	}
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
	assertRefused(t, "File", failed(s.CreateAttachment(ctx, app, serviceapi.CreateWikiAttachmentOptions{})))
	assertRefused(t, "owner", failed(s.List(ctx, nil, nil)))
	assertRefused(t, "owner", failed(s.List(ctx, &someTeam, nil)))
}
