package servicetest

import (
	"cmp"
	"slices"
	"strconv"
)

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

// updateProject changes who may use the registry of a project.
func updateProject(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	level := c.oneOf("container_registry_access_level", "enabled", "private", "disabled")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if level != "" {
		project.registry = level
		c.svc.touch(&project.stamp)
	}
	return c.ok(project.json())
}
