package servicetest

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// getNamespace returns the namespace with an ID or a path if the caller can see it.
// Only users themselves and administrators can see the namespace of a user.
func getNamespace(c *call) *reply {
	name := c.PathString("id_or_path")
	if group := c.svc.findGroup(name); group != nil && c.svc.canSeeGroup(c.user, group) {
		return c.OK(c.namespaceDetails(namespace{group: group}))
	}
	if owner := c.svc.namespaceOwner(name); owner != nil && (owner == c.user || c.admin()) {
		return c.OK(c.namespaceDetails(namespace{user: owner}))
	}
	return frame.NotFound("Namespace")
}

// namespaceExists reports whether a path below a parent is taken, and suggests the
// first similar path that is free.
func namespaceExists(c *call) *reply {
	parentID, path := c.Int64("parent_id"), c.PathString("path")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	suggests := []string{}
	if !c.svc.namespaceTaken(parentID, path) {
		return c.OK(object{"exists": false, "suggests": suggests})
	}
	free := 1
	for c.svc.namespaceTaken(parentID, path+strconv.Itoa(free)) {
		free++
	}
	return c.OK(object{"exists": true, "suggests": append(suggests, fmt.Sprint(path, free))})
}

// namespaceTaken reports whether a group or a user below a parent has a path, ignoring
// case. The parent 0 means the top level.
func (s *Service) namespaceTaken(parentID int64, path string) bool {
	groups := s.groups.all(func(g *Group) bool {
		above := int64(0)
		if g.parent != nil {
			above = g.parent.id
		}
		return above == parentID && strings.EqualFold(g.path, path)
	})
	users := s.users.all(func(u *User) bool { return parentID == 0 && strings.EqualFold(u.username, path) })
	return len(groups)+len(users) > 0
}
