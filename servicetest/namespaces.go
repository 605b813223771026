package servicetest

import (
	"cmp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A namespace is a group or a user that projects belong to. One of the two is
// nil.
type namespace struct {
	group *Group
	user  *User
}

// namespaceJSON is the short JSON of a namespace.
type namespaceJSON struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name"`
	Path      string   `json:"path"`
	Kind      string   `json:"kind"`
	FullPath  string   `json:"full_path"`
	ParentID  *int64   `json:"parent_id"`
	AvatarURL jsonText `json:"avatar_url"`
	WebURL    string   `json:"web_url"`
}

// namespaceDetails is the JSON of a namespace in lists.
type namespaceDetails struct {
	*namespaceJSON

	MembersCount *int `json:"members_count_with_descendants,omitempty"`

	*namespacePlan
}

// namespacePlan has the members that the Premium tier adds.
type namespacePlan struct {
	BillableMembersCount int      `json:"billable_members_count"`
	Plan                 string   `json:"plan"`
	Trial                bool     `json:"trial"`
	TrialEndsOn          jsonDate `json:"trial_ends_on"`
}

func (n namespace) form() *namespaceJSON {
	if n.group == nil {
		summary := n.user.summary()
		return &namespaceJSON{
			ID: n.user.namespaceID(), Name: n.user.name, Path: n.user.username, Kind: "user", FullPath: n.user.username,
			AvatarURL: jsonText(summary.AvatarURL), WebURL: summary.WebURL,
		}
	}
	g := n.group
	form := &namespaceJSON{
		ID: g.id, Name: g.name, Path: g.path, Kind: "group", FullPath: g.fullPath(), AvatarURL: g.avatarURL(), WebURL: g.webURL(),
	}
	if g.parent != nil {
		form.ParentID = &g.parent.id
	}
	return form
}

func (p *Project) namespaceForm() *namespaceJSON { return namespace{p.group, p.owner}.form() }

// listNamespaces lists the caller's namespaces, or for administrators all
// namespaces.
func listNamespaces(c *call) *reply {
	search := strings.ToLower(c.Str("search"))
	owned, top := c.Bool("owned_only", false), c.Bool("top_level_only", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	var found []namespace
	for _, user := range c.svc.users.all(func(u *User) bool { return u == c.user || c.admin() && !owned && !u.internal }) {
		found = append(found, namespace{user: user})
	}
	for _, group := range c.svc.groups.all(func(g *Group) bool {
		level := c.svc.groupMembership(c.user, g)
		return (level > NoAccess || c.admin() && !owned) && (!owned || level >= Owner) && (!top || g.parent == nil)
	}) {
		found = append(found, namespace{group: group})
	}
	found = slices.DeleteFunc(found, func(n namespace) bool {
		form := n.form()
		return !strings.Contains(strings.ToLower(form.Name+"\n"+form.FullPath), search)
	})
	slices.SortStableFunc(found, func(a, b namespace) int { return cmp.Compare(a.form().FullPath, b.form().FullPath) })
	return frame.ListOf(c, found, c.namespaceDetails)
}

func (c *call) namespaceDetails(n namespace) *namespaceDetails {
	details := &namespaceDetails{namespaceJSON: n.form()}
	members := 1
	if n.group != nil {
		members = c.svc.countMembers(n.group)
		if c.svc.groupLevel(c.user, n.group) >= Owner {
			details.MembersCount = &members
		}
	}
	if c.hasTier(Premium) {
		details.namespacePlan = &namespacePlan{BillableMembersCount: members, Plan: planOf(c.svc.settings.tier)}
	}
	return details
}

// countMembers counts the users who are members of a group, of a group below it
// or of a project there.
func (s *Service) countMembers(group *Group) int {
	users := make(map[int64]bool)
	count := func(members *table[*member]) {
		for i := range members.len() {
			if m := members.at(i); m.counts(s.now()) {
				users[m.user.id] = true
			}
		}
	}
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		count(&g.members)
	}
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		count(&p.members)
	}
	return len(users)
}

// planOf names the plan of a tier.
func planOf(tier Tier) string {
	if tier == Ultimate {
		return "ultimate"
	}
	return "premium"
}
