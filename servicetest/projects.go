package servicetest

import (
	"cmp"
	"slices"
	"strconv"
)

// projectObject is the full form of a project.
type projectObject struct {
	projectSummary

	DefaultBranch                string   `json:"default_branch"`
	Visibility                   string   `json:"visibility"`
	Archived                     bool     `json:"archived"`
	WebURL                       string   `json:"web_url"`
	HTTPURLToRepo                string   `json:"http_url_to_repo"`
	LastActivityAt               jsonTime `json:"last_activity_at"`
	RepositoryStorage            string   `json:"repository_storage"`
	ContainerRegistryAccessLevel string   `json:"container_registry_access_level"`
}

func (p *Project) json() *encoded {
	return p.cache.get(p.changedAt(), func() any { return p.object() })
}

func (p *Project) object() *projectObject {
	return &projectObject{
		projectSummary: *p.summary(), DefaultBranch: p.defaultBranch, Visibility: p.visibility,
		Archived: p.archived, WebURL: p.webURL(), HTTPURLToRepo: p.webURL() + ".git",
		LastActivityAt: jsonTime(p.createdAt), RepositoryStorage: p.storage,
		ContainerRegistryAccessLevel: p.registry,
	}
}

func getProject(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	return c.ok(project.json())
}

func listProjects(c *call) *reply {
	storage := c.str("repository_storage")
	found := c.svc.projects.all(func(p *Project) bool {
		return (storage == "" || p.storage == storage) && c.svc.canSeeProject(c.user, p)
	})
	if c.wantsKeyset() {
		return keysetPage(c, keyset[*Project]{
			orderBy: "id", sorts: []string{"asc", "desc"}, param: "id_after", items: found,
			key:  func(p *Project) string { return strconv.FormatInt(p.id, 10) },
			json: (*Project).json,
		})
	}
	if refusal := sortProjects(c, found); refusal != nil {
		return refusal
	}
	return cachedListOf(c, found, (*Project).json)
}

// sortProjects orders projects as the call asks for: newest first by default.
func sortProjects(c *call, projects []*Project) *reply {
	by := c.oneOf("order_by", "id", "name", "path", "created_at")
	sort := c.oneOf("sort", "asc", "desc")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	slices.SortStableFunc(projects, func(a, b *Project) int {
		order := 0
		switch by {
		case "name":
			order = cmp.Compare(a.name, b.name)
		case "path":
			order = cmp.Compare(a.path, b.path)
		case "created_at", "":
			order = a.createdAt.Compare(b.createdAt)
		}
		return cmp.Or(order, cmp.Compare(a.id, b.id))
	})
	if sort != "asc" {
		slices.Reverse(projects)
	}
	return nil
}
