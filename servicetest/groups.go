package servicetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

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
