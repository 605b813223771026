package servicetest

import (
	"strconv"
	"strings"
	"time"
)

// A Group contains projects and other groups. Make one with Service.Group.
type Group struct {
	stamp

	svc         *Service
	id          int64
	parent      *Group // nil for a top-level group
	path        string // the last element
	name        string
	description string
	visibility  string
	createdAt   time.Time
	members     table[*member] // by user ID
	shares      []share
	preferences preferences
	avatar      picture
	attributes  map[string]string
	marked      time.Time // when it was marked for deletion; zero if never

	archivedSelf bool // it is archived also if a group above is: see isArchived

	cache encoded
}

// A GroupOption sets a property of a group: CreatedAt, Description, ID, Member,
// Name, Public, Internal, Private and WithoutSharedRunners are GroupOptions.
type GroupOption interface{ applyGroup(g *Group) }

// Group makes a group, and its parent groups, at a path such as
// "acme/platform". If the group exists, the options are applied to it.
func (s *Service) Group(path string, opts ...GroupOption) *Group {
	defer s.lock()()
	return s.groupAt(path, opts)
}

func (s *Service) groupAt(path string, opts []GroupOption) *Group {
	group := s.findGroup(path)
	if group != nil {
		applyAgain(s, &group.id, "a group "+strconv.Quote(path), func() {
			apply(group, opts, GroupOption.applyGroup)
		})
		s.touch(group)
		return group
	}
	var parent *Group
	above, last := split(path)
	if above != "" {
		parent = s.groupAt(above, nil)
	}
	return s.newGroup(parent, last, opts)
}

func (s *Service) newGroup(parent *Group, path string, opts []GroupOption) *Group {
	g := &Group{
		svc: s, parent: parent, path: path, name: titled(path),
		visibility: "private", createdAt: s.now(), preferences: make(preferences),
	}
	if parent != nil {
		g.visibility = parent.visibility
	}
	apply(g, opts, GroupOption.applyGroup)
	seed(s, &s.groups, &g.id, g, "a group")
	s.touch(g)
	return g
}

// findGroup returns the group with an ID or full path, or nil if there is none.
func (s *Service) findGroup(name string) *Group {
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		group, _ := s.groups.get(id)
		return group
	}
	for i := range s.groups.len() {
		if g := s.groups.at(i); strings.EqualFold(g.fullPath(), name) {
			return g
		}
	}
	return nil
}

// ID returns the group's ID.
func (g *Group) ID() int64 { return g.id }

// Path returns the group's full path, for example "acme/platform".
func (g *Group) Path() string { return locked(g.svc, g.fullPath) }

// AddMember gives a user a role in the group, or changes the user's role.
func (g *Group) AddMember(user *User, level AccessLevel, opts ...MembershipOption) {
	defer g.svc.lock()()
	g.svc.addMember(&g.members, user, level, opts...)
	g.svc.touch(g)
}

// ShareWith gives all members of another group the roles that they have there, but at
// most level.
func (g *Group) ShareWith(other *Group, level AccessLevel) {
	defer g.svc.lock()()
	g.shares = append(g.shares, g.svc.newShare(other, level, time.Time{}))
	g.svc.touch(g)
}

// Exists reports whether the group exists, that is, has not been deleted.
func (g *Group) Exists() bool {
	defer g.svc.lock()()
	found, _ := g.svc.groups.get(g.id)
	return found == g
}

// changedAt returns the newest stamp of the records that the group's names
// depend on, or 0 for no group.
func (g *Group) changedAt() uint64 {
	changed := uint64(0)
	for ; g != nil; g = g.parent {
		changed = max(changed, g.Changed)
	}
	return changed
}

func (g *Group) fullPath() string {
	if g.parent == nil {
		return g.path
	}
	return g.parent.fullPath() + "/" + g.path
}

func (g *Group) fullName() string {
	if g.parent == nil {
		return g.name
	}
	return g.parent.fullName() + " / " + g.name
}

// within reports whether the group is another group or anywhere below it.
func (g *Group) within(other *Group) bool {
	for ; g != nil; g = g.parent {
		if g == other {
			return true
		}
	}
	return false
}

// top returns the top-level group.
func (g *Group) top() *Group {
	for g.parent != nil {
		g = g.parent
	}
	return g
}

// split cuts a path at its last slash.
func split(path string) (above, last string) {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return "", path
}

// branchRole is the JSON of a role that may push to a branch, or merge into it.
type branchRole struct {
	AccessLevel AccessLevel `json:"access_level"`
}

// protectionDefaults is the JSON of the default protection of default branches in new
// projects. It replaces the number in default_branch_protection.
type protectionDefaults struct {
	AllowedToPush             []branchRole `json:"allowed_to_push"`
	AllowedToMerge            []branchRole `json:"allowed_to_merge"`
	AllowForcePush            bool         `json:"allow_force_push"`
	CodeOwnerApprovalRequired bool         `json:"code_owner_approval_required"`
}

const protectionDefaultsName = "default_branch_protection_defaults"

// readProtectionDefaults reads the parameter of a group. It also sets the older number
// to full protection.
func (c *call) readProtectionDefaults(set preferences) {
	f := c.Sub(protectionDefaultsName)
	if len(f.Values) == 0 {
		if _, given := set["default_branch_protection"]; given {
			set[protectionDefaultsName] = nil
		}
		return
	}
	roles := func(name string) []branchRole {
		read := []branchRole{}
		for _, role := range f.Subs(name) {
			role.Require("access_level")
			read = append(read, branchRole{AccessLevel(role.Int64("access_level"))})
		}
		return read
	}
	set[protectionDefaultsName] = &protectionDefaults{
		roles("allowed_to_push"), roles("allowed_to_merge"),
		f.Bool("allow_force_push"), f.Bool("code_owner_approval_required"),
	}
	set["default_branch_protection"] = int64(2)
}

// protectionDefaults returns how the group protects the default branches of new
// projects.
func (g *Group) protectionDefaults() *protectionDefaults {
	if set, ok := g.preferences[protectionDefaultsName].(*protectionDefaults); ok {
		return set
	}
	if level, set := g.preferences["default_branch_protection"].(int64); set {
		return protectionOf(level)
	}
	return protectionOf(2)
}

// protectionOf returns what the older number says.
func protectionOf(level int64) *protectionDefaults {
	developers, maintainers := []branchRole{{Developer}}, []branchRole{{Maintainer}}
	switch level {
	case 0:
		return &protectionDefaults{AllowedToPush: developers, AllowedToMerge: developers, AllowForcePush: true}
	case 1:
		return &protectionDefaults{AllowedToPush: developers, AllowedToMerge: developers}
	case 3:
		return &protectionDefaults{AllowedToPush: maintainers, AllowedToMerge: developers}
	}
	return &protectionDefaults{AllowedToPush: maintainers, AllowedToMerge: maintainers}
}

// leastCreator returns the lowest role that may create projects in the group. A group that
// does not say it leaves that to the instance.
func (g *Group) leastCreator() AccessLevel {
	switch g.preferences["project_creation_level"] {
	case "noone":
		return nobody
	case "maintainer":
		return Maintainer
	case "developer":
		return Developer
	}
	switch g.svc.instance().number("default_project_creation") {
	case 0, 3: // 3: administrators
		return nobody
	case 1:
		return Maintainer
	case 4:
		return Owner
	}
	return Developer
}
