package servicetest

import (
	"cmp"
	"maps"
	"math"
	"net/http"
	"path"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// listForks lists the forks of a project that the caller can see.
func listForks(c *call, project *Project) *reply {
	return c.projectList(func(p *Project) bool { return p.forkedFrom == project && c.seesProject(p) })
}

// createForkRelation makes a project a fork of another.
func createForkRelation(c *call, project *Project) *reply {
	source := c.svc.findProject(c.PathString("forked_from_id"))
	switch {
	case source == nil || !c.seesProject(source):
		return frame.NotFound("Source Project")
	case project.forkedFrom != nil || source.descendsFrom(project):
		return frame.Conflict("Project already forked")
	case !source.mayBeForkedTo(project.home()):
		return frame.Message(http.StatusUnauthorized, "401 Unauthorized - Target Namespace")
	}
	project.forkedFrom = source
	c.svc.touch(project)
	c.svc.touch(source)
	return c.projectReply(project, c.Created)
}

// mayBeForkedTo reports whether the project may be forked to a namespace.
func (p *Project) mayBeForkedTo(home namespace) bool {
	kept := p.group != nil && p.group.lets("prevent_forking_outside_group")
	return p.has("forking") && (!kept || home.within(p.group.top()))
}

// descendsFrom reports whether a project is another project or one of its forks,
// directly or through other forks.
func (p *Project) descendsFrom(other *Project) bool {
	for ; p != nil; p = p.forkedFrom {
		if p == other {
			return true
		}
	}
	return false
}

// deleteForkRelation makes a fork an independent project. It can no longer be merged
// into its origin.
func deleteForkRelation(c *call, project *Project) *reply {
	source := project.forkedFrom
	if source == nil {
		return &reply{Status: http.StatusNotModified}
	}
	for _, m := range source.mergeRequests().all(func(m *MergeRequest) bool {
		return m.source == project &&
			m.state == "opened"
	}) {
		m.setOpen(false, c.user)
	}
	project.forkedFrom = nil
	c.svc.touch(project)
	c.svc.touch(source)
	return c.NoContent()
}

// getLanguages returns the languages of the default branch, largest share first.
func getLanguages(c *call, project *Project) *reply {
	if c.svc.projectLevel(c.user, project) < Reporter &&
		!(shows(project.visibility, c.user) && project.serves(c.user, "repository")) {
		return frame.Forbidden("")
	}
	sizes, whole := make(map[string]int), 0
	if head := project.repository().Branch(project.defaultBranch); head != nil {
		for name, file := range head.Tree {
			if language := languages[path.Ext(name)]; language != "" {
				sizes[language] += len(file.Data)
				whole += len(file.Data)
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int {
		return cmp.Or(cmp.Compare(sizes[b], sizes[a]), strings.Compare(a, b))
	})
	members := make([]any, 0, len(names))
	for _, name := range names {
		share := math.Round(float64(sizes[name])/float64(max(whole, 1))*10_000) / 100
		members = append(members, map[string]float64{name: share})
	}
	return c.OK(jsonBytes(joined(members...)))
}

// listProjectUsers lists all kinds of members of a project.
func listProjectUsers(c *call, h *home) *reply {
	search, skip := c.String("search"), c.Int64s("skip_users")
	roles := slices.DeleteFunc(c.withInherited(h), func(m memberRole) bool {
		named := frame.ContainsFold(m.user.name, search) || frame.ContainsFold(m.user.username, search)
		return !named || slices.Contains(skip, m.user.id)
	})
	return frame.ListOf(c, roles, func(m memberRole) *userSummary { return m.user.summary() })
}

// groupSummary is the short JSON of a group.
type groupSummary struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name"`
	WebURL    string   `json:"web_url"`
	AvatarURL jsonText `json:"avatar_url"`
	FullName  string   `json:"full_name"`
	FullPath  string   `json:"full_path"`
}

func (g *Group) summary() groupSummary {
	return groupSummary{g.id, g.name, g.webURL(), g.avatarURL(), g.fullName(), g.fullPath()}
}

// listProjectGroups lists the groups that contain a project, from the top down, and the
// groups that it is shared with.
func listProjectGroups(c *call, project *Project) *reply {
	skip, shared, visible := c.Int64s("skip_groups"), c.Bool("with_shared"), c.Bool("shared_visible_only")
	least := AccessLevel(c.Int64("shared_min_access_level"))
	if !least.valid() {
		c.Problem("shared_min_access_level does not have a valid value")
	}
	var found []*Group
	for g := project.group; g != nil; g = g.parent {
		found = append(found, g)
	}
	slices.Reverse(found)
	for _, sh := range project.shares {
		hidden := visible && !c.svc.canSeeGroup(c.user, sh.group)
		if shared && !sh.ended(c.now()) && sh.level >= least && !hidden && !slices.Contains(found, sh.group) {
			found = append(found, sh.group)
		}
	}
	found = slices.DeleteFunc(found, func(g *Group) bool { return slices.Contains(skip, g.id) })
	return c.groupSummaries(found)
}

// groupSummaries returns one page of the groups that a call searches for.
func (c *call) groupSummaries(groups []*Group) *reply {
	search := c.String("search")
	groups = slices.DeleteFunc(groups, func(g *Group) bool {
		return !frame.ContainsFold(g.name, search) && !frame.ContainsFold(g.fullPath(), search)
	})
	return frame.ListOf(c, groups, (*Group).summary)
}

// listProjectLocations lists the groups that a project can be moved to.
func listProjectLocations(c *call, project *Project) *reply {
	found := c.svc.groups.all(func(g *Group) bool {
		return g != project.group && c.svc.canSeeGroup(c.user, g) && c.svc.groupLevel(c.user, g) >= g.leastCreator()
	})
	sortGroups(found, "name", "asc", "")
	return c.groupSummaries(found)
}
