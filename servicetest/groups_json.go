package servicetest

import (
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// groupObject is the JSON of a group in lists.
type groupObject struct {
	ID          int64    `json:"id"`
	WebURL      string   `json:"web_url"`
	Name        string   `json:"name"`
	Path        string   `json:"path"`
	Description string   `json:"description"`
	Visibility  string   `json:"visibility"`
	FullName    string   `json:"full_name"`
	FullPath    string   `json:"full_path"`
	ParentID    *int64   `json:"parent_id"`
	AvatarURL   jsonText `json:"avatar_url"`
	CreatedAt   jsonTime `json:"created_at"`
}

// json returns the members of a group that everybody sees.
func (g *Group) json() *encoded {
	return g.cache.Get(g.changedAt(), func() any { return jsonBytes(joined(g.object(), g.settings(), g.premiumForm())) })
}

func (g *Group) object() *groupObject {
	o := &groupObject{
		ID: g.id, WebURL: g.webURL(), Name: g.name, Path: g.path,
		Description: g.description, Visibility: g.visibility, FullName: g.fullName(),
		FullPath: g.fullPath(), AvatarURL: g.avatarURL(), CreatedAt: jsonTime(g.createdAt),
	}
	if g.parent != nil {
		o.ParentID = &g.parent.id
	}
	return o
}

func (g *Group) webURL() string { return g.svc.webURL("groups", g.fullPath()) }

func (g *Group) avatarURL() jsonText {
	if g.avatar == "" {
		return ""
	}
	return jsonText(g.svc.webURL("uploads/-/system/group/avatar", frame.Itoa(g.id), g.avatar))
}

// premiumForm has the members that the Premium tier adds.
func (g *Group) premiumForm() object {
	if g.svc.settings.tier < Premium {
		return object{}
	}
	return object{"ldap_cn": nil, "ldap_access": nil, "marked_for_deletion_on": jsonDate(g.marked)}
}

// groupForm returns a group as the caller sees it in a list.
func (c *call) groupForm(g *Group) *encoded {
	statistics, attributes := c.Bool("statistics", false) && c.admin(), c.Bool("with_custom_attributes", false) && c.admin()
	if !c.admin() {
		return g.json()
	}
	extra := object{"repository_storage": c.svc.wikiStorage(g)}
	if statistics {
		extra["statistics"] = c.svc.groupStatistics(g)
	}
	if attributes {
		extra["custom_attributes"] = listOfAttributes(g.attributes)
	}
	return &encoded{Data: joined(g.json().Data, extra)}
}

func (s *Service) groupStatistics(g *Group) *projectStatistics {
	sum := new(projectStatistics)
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(g) }) {
		sum.add(p.statistics())
	}
	return sum
}

// maxGroupProjects is the maximum number of projects in the response for a
// group.
const maxGroupProjects = 100

// groupDetails returns the JSON of a single group.
func (c *call) groupDetails(g *Group) *encoded {
	form := object{"shared_with_groups": sharedGroups(g.shares, time.Time{})}
	if c.svc.groupLevel(c.user, g) >= Owner {
		form["runners_token"] = c.svc.registrationTokenOf(g, "group "+frame.Itoa(g.id))
	}
	if c.Bool("with_projects", true) {
		form["projects"] = c.groupProjects(func(p *Project) bool { return p.group == g })
		form["shared_projects"] = c.groupProjects(func(p *Project) bool { return p.sharedWith(g) })
	}
	return &encoded{Data: joined(c.groupForm(g).Data, form)}
}

func (c *call) groupProjects(keep func(*Project) bool) []jsonBytes {
	forms := []jsonBytes{}
	for _, p := range c.svc.projects.all(func(p *Project) bool { return keep(p) && c.svc.canSeeProject(c.user, p) }) {
		if len(forms) < maxGroupProjects {
			forms = append(forms, c.projectForm(p, false).Data)
		}
	}
	return forms
}

// sharedWith reports whether a project is shared with a group.
func (p *Project) sharedWith(g *Group) bool {
	for _, sh := range p.shares {
		if sh.group == g && !sh.ended(p.svc.now()) {
			return true
		}
	}
	return false
}
