package servicetest

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/markdown"
)

// A template is a template of a file.
type template struct {
	key, name, content string
	form               object // what only licenses have
}

func licenseTemplate(key, name string, nickname any, popular bool, text string, conditions ...string) template {
	return template{key: key, name: name, content: text, form: object{
		"nickname": nickname, "html_url": "http://licenses.example/" + key, "source_url": nil, "popular": popular,
		"description": "Allows use and change.", "conditions": conditions,
		"permissions": []string{"commercial-use", "modifications"}, "limitations": []string{"liability", "warranty"},
	}}
}

// instanceTemplates are the templates of the instance by kind, in the order of lists.
var instanceTemplates = map[string][]template{
	"dockerfiles": {{"Golang", "Golang", "FROM golang:latest\n", nil}},
	"gitignores":  {{"C++", "C++", "*.o\n", nil}, {"Go", "Go", "*.test\n", nil}},
	"service_ci_ymls": {
		{"Bash", "Bash", "test:\n  script: echo\n", nil}, {"Jobs/Build", "Jobs/Build", "build:\n", nil},
	},
	"licenses": {
		licenseTemplate("apache-2.0", "Apache License 2.0", nil, false, "Copyright [year] [fullname]\n",
			"document-changes"),
		licenseTemplate("gpl-3.0", "GNU General Public License v3.0", "GNU GPLv3", true,
			"[project]\nCopyright (C) [year] [fullname]\n", "disclose-source", "same-license"),
		licenseTemplate("mit", "MIT License", nil, true, "MIT License\n\nCopyright (c) [year] [fullname]\n",
			"include-copyright"),
	},
	"issues": nil, "merge_requests": nil,
}

// plainKey matches the keys that the instance finds.
var plainKey = regexp.MustCompile(`^[\w.-]+$`)

// templateKinds are the kinds with their names in refusals.
var templateKinds = map[string]string{"dockerfiles": "dockerfile", "gitignores": "gitignore",
	"service_ci_ymls": "service_ci_yml", "licenses": "License"}

// projectTemplates returns the templates of a kind that a project can use. Those of issues and
// merge requests are files of the default branch.
func (p *Project) templates(kind string) []template {
	found := slices.Clone(instanceTemplates[kind])
	head := p.repository().Resolve("HEAD")
	if instanceTemplates[kind] != nil || head == nil {
		return found
	}
	directory := "." + strings.ToLower(either(p.svc.settings.vendor, "Service")) + "/" +
		strings.TrimSuffix(kind, "s") + "_templates"
	for name, file := range head.Tree.Below(directory) {
		if key, isText := strings.CutSuffix(path.Base(name), ".md"); isText && path.Dir(name) == directory {
			found = append(found, template{key, key, string(file.Data), nil})
		}
	}
	slices.SortFunc(found, func(a, b template) int { return cmp.Compare(a.key, b.key) })
	return found
}

// templatesOf reads the kind of the path, and returns its templates.
func (c *call) templatesOf() (kind string, found []template, refusal *reply) {
	if kind = c.PathString("type"); kind == "" {
		kind = strings.Split(c.route.template, "/")[2]
		return kind, instanceTemplates[kind], nil
	}
	project, refusal := c.project()
	frame.AcceptIn(c.StringIn, "type", "dockerfiles", "gitignores", "service_ci_ymls", "licenses", "issues",
		"merge_requests")
	if source := c.Int64("source_template_project_id"); source != 0 && refusal == nil {
		if other, ok := c.svc.projects.get(source); ok && c.seesProject(other) {
			project = other
		}
	}
	if refusal == nil {
		refusal = c.Refusal()
	}
	if refusal != nil {
		return "", nil, refusal
	}
	return kind, project.templates(kind), nil
}

func listTemplates(c *call) *reply {
	kind, found, refusal := c.templatesOf()
	popular := c.Bool("popular")
	if refusal = cmp.Or(refusal, c.Refusal()); refusal != nil {
		return refusal
	}
	if kind == "licenses" && c.PathString("type") == "" {
		found = slices.DeleteFunc(slices.Clone(found), func(t template) bool {
			return popular && t.form["popular"] != true
		})
		return frame.ListOf(c, found, func(t template) object { return t.whole(t.content) })
	}
	return frame.ListOf(c, found, func(t template) object { return object{"key": t.key, "name": t.name} })
}

// whole returns the JSON of a template with its content.
func (t template) whole(content string) object {
	form := object{"name": t.name, "content": content}
	for name, value := range t.form {
		form["key"], form[name] = t.key, value
	}
	return form
}

func getTemplate(c *call) *reply {
	kind, found, refusal := c.templatesOf()
	holes := []string{"[year]", strconv.Itoa(c.now().Year())}
	project, owner := c.String("project"), c.String("fullname")
	if owner == "" && c.user != nil {
		owner = c.user.name
	}
	if refusal = cmp.Or(refusal, c.Refusal()); refusal != nil {
		return refusal
	}
	for hole, value := range map[string]string{"[fullname]": owner, "[project]": project} {
		if value != "" {
			holes = append(holes, hole, value)
		}
	}
	key, ofProject := c.PathString("name"), c.PathString("type") != ""
	at := slices.IndexFunc(found, func(t template) bool { return t.key == key })
	switch {
	case at < 0 && ofProject:
		return frame.NotFound("Template")
	case at < 0 || !ofProject && !plainKey.MatchString(key):
		return frame.NotFound(templateKinds[kind])
	case kind == "licenses":
		return c.OK(found[at].whole(strings.NewReplacer(holes...).Replace(found[at].content)))
	}
	return c.OK(found[at].whole(found[at].content))
}

// renderMarkdown renders the same with gfm as without: the subset has no references.
func renderMarkdown(c *call) *reply {
	text, where := c.RequiredString("text"), c.String("project")
	frame.Accept(c.Bool, "gfm")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if _, err := strconv.Atoi(where); where != "" {
		if project := c.svc.findProject(where); err == nil || project == nil || !c.seesProject(project) {
			return frame.NotFound("Project")
		}
	}
	return c.Created(object{"html": markdown.Render(text)})
}

// getAvatar returns the picture of a user, or one that the outside service makes of an address.
func getAvatar(c *call) *reply {
	email, size := strings.ToLower(c.RequiredString("email")), c.Int64("size")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	all := c.svc.users.all(func(u *User) bool { return strings.EqualFold(u.publicEmail, email) })
	switch {
	case c.user == nil && c.restricted("public") != nil:
		return frame.Forbidden("Unauthorized access")
	case len(all) > 0:
		return c.OK(object{"avatar_url": all[0].summary().AvatarURL})
	case !c.svc.instance().flag("gravatar_enabled"):
		return c.OK(object{"avatar_url": nil})
	}
	address := fmt.Sprintf("https://avatars.example/avatar/%x", sha256.Sum256([]byte(email)))
	if size != 0 {
		address += "?s=" + frame.Itoa(size)
	}
	return c.OK(object{"avatar_url": address})
}
