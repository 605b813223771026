package interop

import (
	"cmp"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestTemplates(t *testing.T) {
	e := start(t)
	name := strings.ToLower(cmp.Or(vendor, "Service"))
	e.svc.Project(app).Commit("main", "Add", servicetest.Write("."+name+"/issue_templates/Bug.md", "Steps:\n"))
	c := e.admin
	assert.Equal(t, []*clientgo.DockerfileTemplateListItem{{Key: "Golang", Name: "Golang"}},
		got(c.DockerfileTemplate.ListTemplates(nil)).ok(e, 200))
	assert.Equal(t, &clientgo.DockerfileTemplate{Name: "Golang", Content: "FROM golang:latest\n"},
		got(c.DockerfileTemplate.GetTemplate("Golang")).ok(e, 200))
	ignored := got(c.GitIgnoreTemplates.ListTemplates(nil)).ok(e, 200)
	assert.Equal(t, "C++", ignored[0].Key)
	assert.Equal(t, "*.test\n", got(c.GitIgnoreTemplates.GetTemplate("Go")).ok(e, 200).Content)
	got(c.GitIgnoreTemplates.GetTemplate("C++")).refused(e, 404)
	plans := request[[]*clientgo.CIYMLTemplateListItem](c, "GET", "templates/"+name+"_ci_ymls", nil).ok(e, 200)
	assert.Len(t, plans, 2)
	if vendor != "" {
		assert.Equal(t, plans, got(c.CIYMLTemplate.ListAllTemplates(nil)).ok(e, 200))
		got(c.CIYMLTemplate.GetTemplate("None")).refused(e, 404)
	}
	plan := request[clientgo.CIYMLTemplate](c, "GET", "templates/"+name+"_ci_ymls/Bash", nil).ok(e, 200)
	assert.Equal(t, "test:\n  script: echo\n", plan.Content)
	popular := got(c.LicenseTemplates.ListLicenseTemplates(&clientgo.ListLicenseTemplatesOptions{
		Popular: new(true)})).ok(e, 200)
	assert.Equal(t, []string{"gpl-3.0", "mit"},
		each(popular, func(l *clientgo.LicenseTemplate) string { return l.Key }))
	license := got(c.LicenseTemplates.GetLicenseTemplate("mit", &clientgo.GetLicenseTemplateOptions{
		Fullname: new("Ada")})).ok(e, 200)
	assert.Contains(t, license.Content, "Copyright (c) 2026 Ada\n")
	issues := got(c.ProjectTemplates.ListTemplates(app, "issues", nil)).ok(e, 200)
	assert.Equal(t, []string{"Bug"}, each(issues, func(p *clientgo.ProjectTemplate) string { return p.Key }))
	assert.Equal(t, "Steps:\n", got(c.ProjectTemplates.GetProjectTemplate(app, "issues", "Bug")).ok(e, 200).Content)
	got(c.ProjectTemplates.ListTemplates(app, "others", nil)).refused(e, 400)

	second := func(req *retryablehttp.Request) error {
		req.URL.RawQuery = "page=2"
		return nil
	}
	for _, list := range []string{
		"templates/dockerfiles", "templates/gitignores", "templates/licenses", "templates/" + name + "_ci_ymls",
		"projects/acme%2Fapp/templates/issues",
	} {
		assert.Empty(t, request[[]map[string]any](c, "GET", list, nil, second).ok(e, 200), list)
	}

	text := got(c.Markdown.Render(&clientgo.RenderOptions{Text: new("*a*"), Project: new(app)})).ok(e, 201)
	assert.Equal(t, "<p dir=\"auto\"><em>a</em></p>", text.HTML)
	picture := got(c.Avatar.GetAvatar(&clientgo.GetAvatarOptions{Email: new("x@example.com")})).ok(e, 200)
	assert.Contains(t, picture.AvatarURL, "https://avatars.example/avatar/")
}
