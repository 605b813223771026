package servicetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// groupObject is the full form of a group.
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
	CreatedAt   jsonTime `json:"created_at"`
}

func (g *Group) json() *encoded {
	changed := uint64(0)
	for up := g; up != nil; up = up.parent {
		changed = max(changed, up.changed)
	}
	return g.cache.get(changed, func() any { return g.object() })
}

func (g *Group) object() *groupObject {
	o := &groupObject{
		ID: g.id, WebURL: webURL("groups", g.fullPath()), Name: g.name, Path: g.path,
		Description: g.description, Visibility: g.visibility, FullName: g.fullName(),
		FullPath: g.fullPath(), CreatedAt: jsonTime(g.createdAt),
	}
	if g.parent != nil {
		o.ParentID = &g.parent.id
	}
	return o
}

// listGroups lists groups by name. Keyset pagination is for callers without
// credentials only.
func listGroups(c *call) *reply {
	found := c.svc.groups.all(func(g *Group) bool { return c.svc.canSeeGroup(c.user, g) })
	sortGroups(found, "name", "asc")
	if c.wantsKeyset() {
		if c.user != nil {
			return keysetRefused()
		}
		return keysetPage(c, keyset[*Group]{
			orderBy: "name", sorts: []string{"asc"}, param: "cursor", items: found,
			key: groupKey, json: (*Group).json,
		})
	}
	sortGroups(found, c.oneOf("order_by", "name", "path", "id"), c.oneOf("sort", "asc", "desc"))
	return cachedListOf(c, found, (*Group).json)
}

// groupKey is a group's place in the order by name.
func groupKey(g *Group) string { return fmt.Sprintf("%s\x00%020d", g.name, g.id) }

func sortGroups(groups []*Group, by, sort string) {
	slices.SortStableFunc(groups, func(a, b *Group) int {
		switch by {
		case "id":
			return cmp.Compare(a.id, b.id)
		case "path":
			return cmp.Compare(a.path, b.path)
		}
		return strings.Compare(groupKey(a), groupKey(b))
	})
	if sort == "desc" {
		slices.Reverse(groups)
	}
}
