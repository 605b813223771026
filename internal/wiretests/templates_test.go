package wiretests

import (
	"context"
	"iter"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pathsOfTemplates are the paths of templates by owner and kind.
var pathsOfTemplates = []struct {
	owner serviceapi.TemplateOwner
	kind  serviceapi.TemplateKind
	path  string
}{
	{serviceapi.Instance, serviceapi.TemplateKindDockerfiles, "/templates/dockerfiles"},
	{serviceapi.Instance, serviceapi.TemplateKindGitignores, "/templates/gitignores"},
	{serviceapi.Instance, serviceapi.TemplateKindServiceCIYMLs, "/templates/service_ci_ymls"},
	{serviceapi.Instance, serviceapi.TemplateKindLicenses, "/templates/licenses"},
	{serviceapi.Instance, "other_ci_ymls", "/templates/other_ci_ymls"},
	{somewhere, serviceapi.TemplateKindLicenses, "/projects/4/templates/licenses"},
	{somewhere, serviceapi.TemplateKindIssues, "/projects/4/templates/issues"},
	{somewhere, serviceapi.TemplateKindMergeRequests, "/projects/4/templates/merge_requests"},
}

func TestTemplates(t *testing.T) {
	type c = serviceapi.Client
	type o = serviceapi.ListOptions
	for _, of := range pathsOfTemplates {
		assertPlainList(t, of.path, "templates/entry.json",
			&serviceapi.TemplateEntry{Key: "gpl-3.0", Name: "GNU General Public License v3.0"},
			func(c *c, ctx context.Context, o *o) ([]*serviceapi.TemplateEntry, *serviceapi.Response, error) {
				return c.Templates.List(ctx, of.owner, of.kind, o)
			}, func(c *c, ctx context.Context, o *o) iter.Seq2[*serviceapi.TemplateEntry, error] {
				return c.Templates.All(ctx, of.owner, of.kind, o)
			})
		client := onWire(t, exchange{Method: "GET", Path: of.path + "/Jobs%2FBuild",
			Fixture: "templates/template.json"})
		got, _, err := client.Templates.Get(t.Context(), of.owner, of.kind, "Jobs/Build", nil)
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.Template{Name: "Jobs/Build", Content: "build:\n"}, got)
		var refused *serviceapi.ArgumentError
		require.ErrorAs(t, errorOf(client.Templates.Get(t.Context(), of.owner, of.kind, "", nil)), &refused)
		if of.owner == serviceapi.Instance && of.kind != "other_ci_ymls" {
			assert.Equal(t, of.path+"/:name", refused.Operation, "the kind is part of the operation")
		}
	}
	client := onWire(t, exchange{Method: "GET", Path: "/projects/4/templates/issues/Bug",
		Query: "source_template_project_id=7", Fixture: "templates/template.json"})
	s, ctx := client.Templates, t.Context()
	options := &serviceapi.GetTemplateOptions{SourceTemplateProjectID: 7}
	_, _, err := s.Get(ctx, somewhere, serviceapi.TemplateKindIssues, "Bug", options)
	require.NoError(t, err)
	assertRefused(t, "SourceTemplateProjectID",
		errorOf(s.Get(ctx, serviceapi.Instance, serviceapi.TemplateKindGitignores, "Go", options)))
	assertRefused(t, "name", errorOf(s.Get(ctx, somewhere, serviceapi.TemplateKindIssues, "", nil)))
	assertRefused(t, "type", errorOf(s.Get(ctx, somewhere, "", "Bug", nil)))
	assertRefused(t, "type", errorOf(s.List(ctx, serviceapi.Instance, "", nil)))
	assertRefused(t, "owner", errorOf(s.List(ctx, nil, serviceapi.TemplateKindGitignores, nil)))
	assertRefused(t, "owner", errorOf(s.List(ctx, &somewhere, serviceapi.TemplateKindGitignores, nil)))
}

func TestLicenseTemplates(t *testing.T) {
	want := &serviceapi.LicenseTemplate{
		ProjectLicense: serviceapi.ProjectLicense{
			Key: "gpl-3.0", Name: "GNU General Public License v3.0", Nickname: "GNU GPLv3",
			HTMLURL: "http://licenses.test/gpl-3.0", SourceURL: "http://source.test/gpl-3.0",
		},
		Popular: true, Description: "Requires sources.", Conditions: []string{"disclose-source", "same-license"},
		Permissions: []string{"commercial-use"}, Limitations: []string{"liability", "warranty"},
		Content: "Copyright (C) 2026 Ada\n",
	}
	const fixture = "templates/license.json"
	const list = "[{}]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/templates/licenses", Query: "page=2&per_page=5&popular=true", Body: list},
		exchange{Method: "GET", Path: "/templates/licenses", Query: "per_page=100", Body: list},
		exchange{Method: "GET", Path: "/templates/licenses/gpl-3.0", Query: "fullname=Ada&project=Engine",
			Fixture: fixture},
		exchange{Method: "GET", Path: "/projects/4/templates/licenses/gpl-3.0",
			Query: "fullname=Ada&project=Engine&source_template_project_id=7", Fixture: fixture},
		exchange{Method: "GET", Path: "/templates/licenses/gpl-3.0", Fixture: fixture},
	)
	s, ctx := client.Templates, t.Context()
	got, _, err := s.ListLicenses(ctx, &serviceapi.ListLicenseTemplatesOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Popular: true})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.LicenseTemplate{{}}, got)
	got, err = serviceapi.Collect(s.AllLicenses(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.LicenseTemplate{{}}, got)

	options := &serviceapi.GetLicenseTemplateOptions{Project: "Engine", Fullname: "Ada"}
	license, _, err := s.GetLicense(ctx, serviceapi.Instance, "gpl-3.0", options)
	require.NoError(t, err)
	assert.Equal(t, want, license)
	options.SourceTemplateProjectID = 7
	license, _, err = s.GetLicense(ctx, somewhere, "gpl-3.0", options)
	require.NoError(t, err)
	assert.Equal(t, want, license)
	assertRefused(t, "SourceTemplateProjectID", errorOf(s.GetLicense(ctx, serviceapi.Instance, "mit", options)))
	license, _, err = s.GetLicense(ctx, serviceapi.Instance, "gpl-3.0", nil)
	require.NoError(t, err)
	assert.Equal(t, want, license)
}

func TestMarkdownRender(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/markdown", JSON: `{"text":"**a**"}`, Status: 201,
			Body: `{"html":"<p><strong>a</strong></p>"}`},
		exchange{Method: "POST", Path: "/markdown", JSON: `{"text":"#1","gfm":true,"project":"acme/app"}`, Status: 201,
			Body: `{"html":"<p>1</p>"}`},
	)
	s, ctx := client.Markdown, t.Context()
	got, _, err := s.Render(ctx, serviceapi.RenderMarkdownOptions{Text: "**a**"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RenderedMarkdown{HTML: "<p><strong>a</strong></p>"}, got)
	got, _, err = s.Render(ctx, serviceapi.RenderMarkdownOptions{Text: "#1", GFM: new(true),
		Project: serviceapi.ProjectPath("acme/app")})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RenderedMarkdown{HTML: "<p>1</p>"}, got)
	assertRefused(t, "Text", errorOf(s.Render(ctx, serviceapi.RenderMarkdownOptions{})))
	assertRefused(t, "Project",
		errorOf(s.Render(ctx, serviceapi.RenderMarkdownOptions{Text: "a", Project: somewhere})))
}

func TestUsersGetAvatar(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/avatar", Query: "email=ada%40example.com&size=32",
			Body: `{"avatar_url":"http://avatars.test/a"}`},
		exchange{Method: "GET", Path: "/avatar", Query: "email=a", Body: `{"avatar_url":null}`},
	)
	s, ctx := client.Users, t.Context()
	got, _, err := s.GetAvatar(ctx, &serviceapi.GetAvatarOptions{Email: "ada@example.com", Size: 32})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Avatar{AvatarURL: "http://avatars.test/a"}, got)
	got, _, err = s.GetAvatar(ctx, &serviceapi.GetAvatarOptions{Email: "a"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Avatar{}, got)
	assertRefused(t, "Email", errorOf(s.GetAvatar(ctx, nil)))
}
