package servicetest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
	"example.com/serviceapi/servicetest/internal/markdown"
)

// A projectView says how much of a project a caller sees.
type projectView int

const (
	simpleView projectView = iota // lists with simple, and no credentials
	memberView                    // callers with a credential
	maintainerView
	adminView
)

// projectObject has the members that every view of a project has.
type projectObject struct {
	projectSummary

	DescriptionHTML string         `json:"description_html"`
	Visibility      string         `json:"visibility"`
	SSHURLToRepo    string         `json:"ssh_url_to_repo"`
	HTTPURLToRepo   string         `json:"http_url_to_repo"`
	WebURL          string         `json:"web_url"`
	Topics          []string       `json:"topics"`
	TagList         []string       `json:"tag_list"`
	Namespace       *namespaceJSON `json:"namespace"`
	Archived        bool           `json:"archived"`
	AvatarURL       jsonText       `json:"avatar_url"`
	LastActivityAt  jsonTime       `json:"last_activity_at"`
	CreatorID       int64          `json:"creator_id"`
	StarCount       int            `json:"star_count"`
	ForksCount      int            `json:"forks_count"`
	Prefix          string         `json:"container_registry_image_prefix"`
	Links           *projectLinks  `json:"_links"`
}

// projectLinks are URLs of the API.
type projectLinks struct {
	Self          string `json:"self"`
	Issues        string `json:"issues,omitempty"`
	MergeRequests string `json:"merge_requests,omitempty"`
	RepoBranches  string `json:"repo_branches"`
	Labels        string `json:"labels"`
	Events        string `json:"events"`
	Members       string `json:"members"`
	ClusterAgents string `json:"cluster_agents"`
}

// projectOrigin has the members about a project's origin. Only callers with a
// credential see them.
type projectOrigin struct {
	ImportURL    jsonText `json:"import_url"`
	ImportType   jsonText `json:"import_type"`
	ImportStatus string   `json:"import_status"`
}

// projectForm returns the JSON of a project for a list or a single project, as the
// caller sees it.
func (c *call) projectForm(p *Project, simple bool) *encoded {
	level := c.svc.projectLevel(c.user, p)
	view := memberView
	switch {
	case simple || c.user == nil:
		view = simpleView
	case c.user.admin:
		view = adminView
	case level >= Maintainer:
		view = maintainerView
	}
	parts := []any{p.view(view).Data, c.passing(p, level, view)}
	if c.Bool("statistics") && view != simpleView && level >= Reporter {
		parts = append(parts, object{"statistics": p.statistics()})
	}
	if c.Bool("with_custom_attributes") && c.admin() {
		parts = append(parts, attributesOf(p.attributes))
	}
	return &encoded{Data: joined(parts...)}
}

// view returns the part of a project's JSON that changes only with the project. The end
// of a share changes it, too.
func (p *Project) view(view projectView) *encoded {
	p.shares = dropShares(p.svc, p, p.shares, func(sh share) bool { return sh.ended(p.svc.now()) })
	return p.views[view].Get(p.changedAt(), func() any { return jsonBytes(joined(p.viewParts(view)...)) })
}

// jsonBytes is encoded JSON.
type jsonBytes []byte

func (b jsonBytes) MarshalJSON() ([]byte, error) { return b, nil }

func (p *Project) viewParts(view projectView) []any {
	parts := []any{p.object()}
	if view == simpleView {
		return parts
	}
	level := [...]AccessLevel{memberView: Guest, maintainerView: Maintainer, adminView: Owner}[view]
	settings := p.settings(level)
	if p.forkedFrom == nil {
		delete(settings, "mr_default_target_self")
	}
	if p.owner != nil {
		settings["owner"] = p.owner.summary()
	}
	settings["shared_with_groups"] = sharedGroups(p.shares, p.svc.now())
	settings["service_desk_address"] = nil
	if p.svc.settings.tier >= Premium {
		settings["marked_for_deletion_at"], settings["marked_for_deletion_on"] = jsonDate(p.marked), jsonDate(p.marked)
		settings["compliance_frameworks"] = []string{}
	}
	if level >= Maintainer {
		settings["runners_token"] = p.svc.registrationTokenOf(p)
	}
	if view == adminView {
		settings["repository_storage"] = p.storage
	}
	return append(parts, settings)
}

func (p *Project) object() *projectObject {
	topics := append([]string{}, p.topics...)
	o := &projectObject{
		projectSummary: *p.summary(), Visibility: p.visibility, Archived: p.archived,
		SSHURLToRepo: p.svc.sshURL(p.fullPath() + ".git"), HTTPURLToRepo: p.webURL() + ".git", WebURL: p.webURL(),
		Topics: topics, TagList: topics, Namespace: p.namespaceForm(), CreatorID: p.creator.id,
		LastActivityAt: jsonTime(p.lastActivity()), StarCount: len(p.stars), ForksCount: p.svc.forksOf(p),
		Prefix: p.svc.host() + "/" + p.fullPath(), Links: p.links(),
		DescriptionHTML: markdown.Render(p.description),
	}
	if p.avatar.name != "" {
		o.AvatarURL = jsonText(p.svc.webURL("uploads/-/system/project/avatar", frame.Itoa(p.id), p.avatar.name))
	}
	return o
}

// readmeURL returns the URL of the README file, or "" if there is none. An unused
// repository has one; see repository.begin.
func (p *Project) readmeURL() string {
	made := state[repositories](p.svc).of[p] != nil
	if p.isEmpty() || made && !p.file("README.md").Exists() {
		return ""
	}
	return p.webURL("-/blob", p.defaultBranch, "README.md")
}

// file returns a file of the default branch, or the zero value if there is none.
func (p *Project) file(path string) gitrepo.Entry {
	head := p.repository().Branch(p.defaultBranch)
	if head == nil {
		return gitrepo.Entry{}
	}
	return head.Tree[path]
}

func (p *Project) links() *projectLinks {
	at := func(suffix string) string { return p.svc.apiURL("projects", frame.Itoa(p.id)+suffix) }
	links := &projectLinks{
		Self: at(""), RepoBranches: at("/repository/branches"), Labels: at("/labels"), Events: at("/events"),
		Members: at("/members"), ClusterAgents: at("/cluster_agents"),
	}
	if p.has("issues") {
		links.Issues = at("/issues")
	}
	if p.has("merge_requests") {
		links.MergeRequests = at("/merge_requests")
	}
	return links
}

// passing returns the members that change without the project, or depend on the caller.
func (c *call) passing(p *Project, level AccessLevel, view projectView) object {
	form := object{
		"empty_repo":                  p.isEmpty(),
		"can_create_merge_request_in": level >= Developer && !p.archived && p.serves(c.user, "merge_requests"),
	}
	maps.Copy(form, p.content())
	if origin := p.forkedFrom; origin != nil && c.seesProject(origin) {
		form["forked_from_project"] = jsonBytes(joined(origin.object(), origin.content()))
	}
	if p.has("issues") {
		form["open_issues_count"] = len(p.issues().all(func(i *Issue) bool { return i.state == "opened" }))
	}
	if view == simpleView {
		return form
	}
	form["permissions"] = c.permissions(p)
	imported := p.imported()
	form["import_url"], form["import_type"], form["import_status"] = imported.ImportURL, imported.ImportType,
		imported.ImportStatus
	if i := state[imports](p.svc).of[p]; level >= Maintainer {
		form["import_error"] = nil
		if i != nil {
			form["import_error"] = jsonText(i.failure)
		}
	}
	return form
}

// basicProject is the JSON of a project within an environment or a runner.
type basicProject struct {
	projectSummary

	DefaultBranch  any      `json:"default_branch"`
	TagList        []string `json:"tag_list"`
	Topics         []string `json:"topics"`
	SSHURLToRepo   string   `json:"ssh_url_to_repo"`
	HTTPURLToRepo  string   `json:"http_url_to_repo"`
	WebURL         string   `json:"web_url"`
	ReadmeURL      any      `json:"readme_url"`
	ForksCount     int      `json:"forks_count"`
	AvatarURL      jsonText `json:"avatar_url"`
	StarCount      int      `json:"star_count"`
	LastActivityAt jsonTime `json:"last_activity_at"`
	Visibility     string   `json:"visibility"`
	Namespace      any      `json:"namespace"`
}

func (p *Project) basic() basicProject {
	o, content := p.object(), p.content()
	return basicProject{
		projectSummary: o.projectSummary, DefaultBranch: content["default_branch"], TagList: o.TagList,
		Topics: o.Topics, SSHURLToRepo: o.SSHURLToRepo, HTTPURLToRepo: o.HTTPURLToRepo, WebURL: o.WebURL,
		ReadmeURL: content["readme_url"], ForksCount: o.ForksCount, AvatarURL: o.AvatarURL, StarCount: o.StarCount,
		LastActivityAt: o.LastActivityAt, Visibility: o.Visibility, Namespace: o.Namespace,
	}
}

// content returns the members that depend on the repository.
func (p *Project) content() object {
	form := object{"default_branch": nil, "readme_url": jsonText(p.readmeURL())}
	if !p.isEmpty() {
		form["default_branch"] = p.defaultBranch
	}
	return form
}

func (p *Project) imported() projectOrigin {
	o := projectOrigin{ImportURL: jsonText(p.importURL), ImportStatus: "none"}
	if i := state[imports](p.svc).of[p]; i != nil {
		o.ImportStatus, o.ImportType = i.status, jsonText(i.kind)
	}
	return o
}

// permissions returns the caller's roles in a project.
func (c *call) permissions(p *Project) object {
	role := func(level AccessLevel) any {
		if level == NoAccess {
			return nil
		}
		return object{"access_level": level, "notification_level": 3}
	}
	direct := c.svc.membersLevel(c.user, &p.members, nil)
	return object{"project_access": role(direct), "group_access": role(c.svc.groupMembership(c.user, p.group))}
}

// license returns the license in the repository, for a single project.
func (p *Project) license() object {
	file := p.file("LICENSE")
	if !file.Exists() {
		return object{"license": nil, "license_url": nil}
	}
	form := object{"license": nil, "license_url": p.webURL("-/blob", p.defaultBranch, "LICENSE")}
	if lines := file.Lines(); len(lines) > 0 && strings.TrimSpace(lines[0]) == "MIT License" {
		form["license"] = object{
			"key": "mit", "name": "MIT License", "nickname": nil,
			"html_url": "https://licenses.example.com/mit", "source_url": "https://source.example.com/mit",
		}
	}
	return form
}

// isEmpty reports whether the repository has no commit.
func (p *Project) isEmpty() bool {
	if r := state[repositories](p.svc).of[p]; r != nil {
		return len(r.Branches()) == 0
	}
	return state[emptyRepositories](p.svc).has[p]
}

func (p *Project) lastActivity() time.Time {
	return slices.MaxFunc([]time.Time{p.createdAt, p.activeAt}, time.Time.Compare)
}

// forksOf counts the forks of a project.
func (s *Service) forksOf(p *Project) int {
	forks := 0
	for i := range s.projects.len() {
		if s.projects.at(i).forkedFrom == p {
			forks++
		}
	}
	return forks
}

// attributesOf returns custom attributes, by key.
func attributesOf(attributes map[string]string) object {
	return object{"custom_attributes": listOfAttributes(attributes)}
}
