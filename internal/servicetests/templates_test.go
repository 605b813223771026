package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceTemplates reads templates of every kind, of the instance and of a project.
func TestServiceTemplates(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Commit("main", "Add", servicetest.Write(".service/issue_templates/Bug.md", "Steps:\n"),
		servicetest.Write(".service/merge_request_templates/Fix.md", "Closes #\n"))
	s, ctx := asRoot(t, svc).Templates, t.Context()
	keys := func(owner serviceapi.TemplateOwner, kind serviceapi.TemplateKind) (found []string) {
		for entry, err := range s.All(ctx, owner, kind, nil) {
			require.NoError(t, err)
			found = append(found, entry.Key)
		}
		return found
	}
	for kind, want := range map[serviceapi.TemplateKind][]string{
		serviceapi.TemplateKindDockerfiles: {"Golang"}, serviceapi.TemplateKindGitignores: {"C++", "Go"},
		serviceapi.TemplateKindServiceCIYMLs: {"Bash", "Jobs/Build"},
		serviceapi.TemplateKindLicenses:      {"apache-2.0", "gpl-3.0", "mit"},
	} {
		assert.Equal(t, want, keys(serviceapi.Instance, kind))
		assert.Equal(t, want, keys(app, kind))
		for _, key := range want[:1] {
			ofInstance, _, err := s.Get(ctx, app, kind, key, nil)
			require.NoError(t, err)
			assert.NotEmpty(t, ofInstance.Content)
		}
	}
	assert.Equal(t, []string{"Bug"}, keys(app, serviceapi.TemplateKindIssues))
	fix, _, err := s.Get(ctx, app, serviceapi.TemplateKindMergeRequests, "Fix", nil)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Template{Name: "Fix", Content: "Closes #\n"}, fix)
	_, _, err = s.Get(ctx, serviceapi.Instance, serviceapi.TemplateKindServiceCIYMLs, "Jobs/Build", nil)
	assert.ErrorContains(t, err, "404 service_ci_yml Not Found")
	build, _, err := s.Get(ctx, app, serviceapi.TemplateKindServiceCIYMLs, "Jobs/Build", nil)
	require.NoError(t, err)
	assert.Equal(t, "build:\n", build.Content)

	popular, err := serviceapi.Collect(s.AllLicenses(ctx, &serviceapi.ListLicenseTemplatesOptions{Popular: true}))
	require.NoError(t, err)
	require.Len(t, popular, 2)
	assert.Equal(t, []string{"GNU GPLv3", "MIT License"}, []string{popular[0].Nickname, popular[1].Name})
	for owner, want := range map[serviceapi.TemplateOwner]string{
		serviceapi.Instance: "Engine\nCopyright (C) 2026 Ada\n", app: "Engine\nCopyright (C) 2026 Ada\n",
	} {
		license, _, err := s.GetLicense(ctx, owner, "gpl-3.0",
			&serviceapi.GetLicenseTemplateOptions{Project: "Engine", Fullname: "Ada"})
		require.NoError(t, err)
		assert.Equal(t, []any{"gpl-3.0", want}, []any{license.Key, license.Content})
	}
}

func TestServiceTextsAndAvatars(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	svc.User("ada", servicetest.PublicEmail("ada@example.org"))
	root, ctx := asRoot(t, svc), t.Context()
	text, resp, err := root.Markdown.Render(ctx, serviceapi.RenderMarkdownOptions{Text: "# *a*", Project: app})
	require.NoError(t, err)
	assert.Equal(t, []any{201, "<h1 dir=\"auto\"><em>a</em></h1>"}, []any{resp.StatusCode, text.HTML})
	_, _, err = root.Markdown.Render(ctx, serviceapi.RenderMarkdownOptions{Text: "a",
		Project: serviceapi.ProjectPath("acme/none")})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	ada, _, err := root.Users.Find(ctx, serviceapi.Username("ada"))
	require.NoError(t, err)
	picture, _, err := asAnybody(t, svc).Users.GetAvatar(ctx, &serviceapi.GetAvatarOptions{Email: "ada@example.org"})
	require.NoError(t, err)
	assert.Equal(t, ada.AvatarURL, picture.AvatarURL)
	picture, _, err = root.Users.GetAvatar(ctx, &serviceapi.GetAvatarOptions{Email: "x@example.org", Size: 8})
	require.NoError(t, err)
	assert.Regexp(t, `^https://avatars\.example/avatar/[0-9a-f]{64}\?s=8$`, picture.AvatarURL)
}
