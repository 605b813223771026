package servicetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// listGroups lists groups by name. Keyset pagination is only for callers
// without credentials.
func listGroups(c *call) *reply {
	wanted := c.groupFilters(true)
	if refusal := c.premiumFilters("repository_storage", "marked_for_deletion_on"); refusal != nil {
		return refusal
	}
	found := c.svc.groups.all(wanted)
	sortGroups(found, "name", "asc", "")
	if c.WantsKeyset() {
		if c.user != nil {
			return frame.KeysetRefused()
		}
		return frame.KeysetPage(c, frame.Keyset[*Group]{
			OrderBy: "name", Sorts: []string{"asc"}, Param: "cursor", Items: found,
			Key: groupKey, JSON: c.groupForm,
		})
	}
	return c.groupPage(found, "name", "path", "id", "similarity")
}

// listSubgroups lists the groups directly below a group.
func listSubgroups(c *call, group *Group) *reply {
	wanted := c.groupFilters(true)
	if refusal := c.premiumFilters("repository_storage", "marked_for_deletion_on"); refusal != nil {
		return refusal
	}
	return c.groupPage(c.svc.groups.all(func(g *Group) bool { return g.parent == group && wanted(g) }), "name", "path",
		"id")
}

// groupPage returns one page of groups in the order that the call selects.
func (c *call) groupPage(found []*Group, orders ...string) *reply {
	by, sort := c.StringIn("order_by", orders...), c.StringIn("sort", "asc", "desc")
	frame.Accept(c.Bool, "statistics", "with_custom_attributes")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	sortGroups(found, by, sort, strings.ToLower(c.String("search")))
	return frame.CachedListOf(c, found, c.groupForm)
}

// groupFilters returns the filter that a call selects. For an administrator,
// min_access_level and owned count only groups that the administrator is a member of.
// available is the default of all_available.
func (c *call) groupFilters(available bool) func(*Group) bool {
	search, skip := strings.ToLower(c.String("search")), c.Int64s("skip_groups")
	top, standing := c.Bool("top_level_only"), c.groupsByStanding()
	attributes := c.byAttributes()
	least := AccessLevel(c.Int64("min_access_level"))
	if !least.valid() {
		c.Problem("min_access_level does not have a valid value")
	}
	if !c.BoolOr("all_available", available) {
		least = max(least, MinimalAccess)
	}
	if c.Bool("owned") {
		least = max(least, Owner)
	}
	return func(g *Group) bool {
		return strings.Contains(strings.ToLower(g.name+"\n"+g.path), search) && !slices.Contains(skip, g.id) &&
			(!top || g.parent == nil) && standing(g) && (!c.admin() || attributes(g.attributes)) &&
			(least == NoAccess || c.svc.groupMembership(c.user, g) >= least) && c.svc.canSeeGroup(c.user, g)
	}
}

// groupsByStanding returns the filters of newer releases.
func (c *call) groupsByStanding() func(*Group) bool {
	visibility, storage := c.StringIn("visibility", visibilities...), c.String("repository_storage")
	marked := c.Time("marked_for_deletion_on")
	active, archived := c.BoolOr("active", true), c.Bool("archived")
	return func(g *Group) bool {
		return (visibility == "" || g.visibility == visibility) &&
			(storage == "" || !c.admin() || c.svc.storageOf(g) == storage) &&
			(marked.IsZero() || sameDay(g.marked, marked)) && (!c.Has("archived") || g.isArchived() == archived) &&
			(!c.Has("active") || (g.marked.IsZero() && !g.isArchived()) == active)
	}
}

// sameDay reports whether two times are on the same day.
func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}

// premiumFilters refuses list filters that the tier does not have.
func (c *call) premiumFilters(names ...string) *reply {
	if !slices.ContainsFunc(names, c.Has) {
		return nil
	}
	return c.requireTier(Premium)
}

// groupKey is a group's place in the order by name.
func groupKey(g *Group) string { return fmt.Sprintf("%s\x00%020d", g.name, g.id) }

func sortGroups(groups []*Group, by, sort, search string) {
	slices.SortStableFunc(groups, func(a, b *Group) int {
		switch by {
		case "id":
			return cmp.Compare(a.id, b.id)
		case "path":
			return cmp.Compare(a.path, b.path)
		case "similarity":
			return cmp.Or(cmp.Compare(similarTo(b.name, search), similarTo(a.name, search)),
				strings.Compare(groupKey(a), groupKey(b)))
		}
		return strings.Compare(groupKey(a), groupKey(b))
	})
	if sort == "desc" {
		slices.Reverse(groups)
	}
}

func getGroup(c *call, group *Group) *reply { return c.groupReply(group, c.OK) }

// groupReply responds with a single group.
func (c *call) groupReply(g *Group, answer func(any) *reply) *reply {
	form := c.groupDetails(g)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return answer(form)
}

// createGroup makes a group that the caller owns.
func createGroup(c *call) *reply {
	name, path := c.RequiredString("name"), c.RequiredString("path")
	parent, refusal := c.parentGroup()
	if refusal != nil {
		return refusal
	}
	visibility := c.StringIn("visibility", visibilities...)
	frame.Accept(c.String, "description")
	set := c.readGroupPreferences(true)
	c.checkAvatar()
	if refusal := cmp.Or(c.Refusal(), c.groupNameFree(parent, path, nil)); refusal != nil {
		return refusal
	}
	if refusal := visibilityIn(parent, visibility); refusal != nil {
		return refusal
	}
	if visibility == "" && parent == nil {
		visibility = c.svc.instance().text("default_group_visibility")
	}
	if refusal := c.restricted(visibility); refusal != nil {
		return refusal
	}
	group := c.svc.newGroup(parent, path, []GroupOption{Name(name)})
	group.visibility = either(visibility, group.visibility)
	c.svc.addMember(&group.members, c.user, Owner)
	c.fillGroup(group, set)
	return c.groupReply(group, c.Created)
}

// parentGroup returns the parent of a new group, or nil if it has none.
func (c *call) parentGroup() (*Group, *reply) {
	id := c.Int64("parent_id")
	if id == 0 {
		if !c.mayHoldGroups(nil) {
			return nil, frame.Forbidden("")
		}
		return nil, nil
	}
	parent, _ := c.svc.groups.get(id)
	if parent == nil || !c.svc.canSeeGroup(c.user, parent) {
		return nil, frame.NotFound("Group")
	}
	if !c.mayHoldGroups(parent) {
		return nil, frame.Forbidden("")
	}
	return parent, nil
}

// groupNameFree refuses a path that is invalid or taken.
func (c *call) groupNameFree(parent *Group, path string, except *Group) *reply {
	if !validProjectPath.MatchString(path) {
		return badGroup(`path=>["can contain only letters, digits, '_', '-' and '.'"]`)
	}
	full := path
	if parent != nil {
		full = parent.fullPath() + "/" + path
	}
	taken := c.svc.findGroup(full)
	user := parent == nil && c.svc.ownerOf(path) != nil
	if taken != nil && taken != except || user || parent != nil && c.svc.findProject(full) != nil {
		return badGroup(`path=>["has already been taken"]`)
	}
	return nil
}

func badGroup(problem string) *reply {
	return frame.Message(400, "Failed to save group {:"+problem+"}")
}

// fillGroup applies the parameters of a call to a group, except name, path and
// visibility.
func (c *call) fillGroup(g *Group, set preferences) {
	given(c, "description", c.String, &g.description)
	for name, value := range set {
		g.preferences[name] = value
	}
	g.avatar = c.avatar(g.avatar)
	c.svc.touch(g)
}

// updateGroup changes a group.
func updateGroup(c *call, group *Group) *reply {
	if len(c.Values) == len(c.Path) && len(c.Files) == 0 {
		return frame.JSONReply(400, object{"error": "at least one parameter must be provided"})
	}
	name, path := either(c.String("name"), group.name), either(c.String("path"), group.path)
	visibility := either(c.StringIn("visibility", visibilities...), group.visibility)
	frame.Accept(c.String, "description")
	set := c.readGroupPreferences(false)
	c.checkAvatar()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if path != group.path {
		if refusal := c.groupNameFree(group.parent, path, group); refusal != nil {
			return refusal
		}
	}
	if refusal := visibilityIn(group.parent, visibility); refusal != nil {
		return refusal
	}
	if visibility != group.visibility {
		if refusal := c.restricted(visibility); refusal != nil {
			return refusal
		}
	}
	if c.svc.holdsWider(group, visibility) {
		return frame.FieldErrors("visibility_level", visibility+
			" is not allowed since there are projects or groups with a wider visibility.")
	}
	if path != group.path {
		group.leave()
	}
	group.name, group.path, group.visibility = name, path, visibility
	c.fillGroup(group, set)
	return c.groupReply(group, c.OK)
}

// holdsWider reports whether something in a group has a wider visibility than this.
func (s *Service) holdsWider(group *Group, visibility string) bool {
	limit := slices.Index(visibilities, visibility)
	for i := range s.projects.len() {
		if p := s.projects.at(i); p.within(group) && slices.Index(visibilities, p.visibility) > limit {
			return true
		}
	}
	for i := range s.groups.len() {
		if g := s.groups.at(i); g.parent == group && slices.Index(visibilities, g.visibility) > limit {
			return true
		}
	}
	return false
}

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
	Archived    bool     `json:"archived,omitempty"` // only newer releases have it
}

// json returns the members of a group that everybody sees.
func (g *Group) json() *encoded {
	return g.cache.Get(g.changedAt(),
		func() any { return jsonBytes(joined(g.object(), g.settings(), g.premiumForm())) })
}

func (g *Group) object() *groupObject {
	o := &groupObject{
		ID: g.id, WebURL: g.webURL(), Name: g.name, Path: g.path,
		Description: g.description, Visibility: g.visibility, FullName: g.fullName(),
		FullPath: g.fullPath(), AvatarURL: g.avatarURL(), CreatedAt: jsonTime(g.createdAt),
		Archived: g.isArchived(),
	}
	if g.parent != nil {
		o.ParentID = &g.parent.id
	}
	return o
}

func (g *Group) webURL() string { return g.svc.webURL("groups", g.fullPath()) }

func (g *Group) avatarURL() jsonText {
	if g.avatar.name == "" {
		return ""
	}
	return jsonText(g.svc.webURL("uploads/-/system/group/avatar", frame.Itoa(g.id), g.avatar.name))
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
	statistics, attributes := c.Bool("statistics") && c.admin(), c.Bool("with_custom_attributes") &&
		c.admin()
	if !c.admin() {
		return g.json()
	}
	extra := object{"repository_storage": c.svc.storageOf(g)}
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
	form := object{"shared_with_groups": g.sharedGroups()}
	if c.svc.groupLevel(c.user, g) >= Owner {
		form["runners_token"] = c.svc.registrationTokenOf(g)
	}
	if c.BoolOr("with_projects", true) {
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
	return slices.ContainsFunc(p.shares, func(sh share) bool { return sh.group == g && !sh.ended(p.svc.now()) })
}
