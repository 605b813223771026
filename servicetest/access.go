package servicetest

// An AccessLevel is a role in a project or group.
type AccessLevel int

// The access levels, each with the number that the API gives it. Planner exists
// in newer releases.
const (
	NoAccess      AccessLevel = 0
	MinimalAccess AccessLevel = 5
	Guest         AccessLevel = 10
	Planner       AccessLevel = 15
	Reporter      AccessLevel = 20
	Developer     AccessLevel = 30
	Maintainer    AccessLevel = 40
	Owner         AccessLevel = 50
)

// String returns the name of the level.
func (l AccessLevel) String() string {
	switch l {
	case MinimalAccess:
		return "Minimal Access"
	case Guest:
		return "Guest"
	case Planner:
		return "Planner"
	case Reporter:
		return "Reporter"
	case Developer:
		return "Developer"
	case Maintainer:
		return "Maintainer"
	case Owner:
		return "Owner"
	}
	return "No access"
}

// valid reports whether the API has the level.
func (l AccessLevel) valid() bool { return l == NoAccess || l.String() != "No access" }

// membersLevel returns the role that a user has from a table of members and
// shares.
func (s *Service) membersLevel(user *User, members *table[*member], shares []share) AccessLevel {
	level := NoAccess
	if m, ok := members.get(user.id); ok && m.counts(s.now()) {
		level = m.level
	}
	for _, sh := range shares {
		if sh.ended(s.now()) {
			continue
		}
		if m, ok := sh.group.members.get(user.id); ok && m.counts(s.now()) {
			level = max(level, min(m.level, sh.level))
		}
	}
	return level
}

// groupLevel returns the role of a user in a group, including inherited roles.
// Administrators are owners everywhere. A nil user is a caller without
// credentials.
func (s *Service) groupLevel(user *User, group *Group) AccessLevel {
	if user == nil {
		return NoAccess
	}
	if user.admin {
		return Owner
	}
	return s.groupMembership(user, group)
}

// groupMembership is like groupLevel, but an administrator who is not a member
// has no role.
func (s *Service) groupMembership(user *User, group *Group) AccessLevel {
	level := NoAccess
	for g := group; g != nil && user != nil; g = g.parent {
		level = max(level, s.membersLevel(user, &g.members, g.shares))
	}
	return level
}

// projectLevel returns the role of a user in a project, including inherited
// roles.
func (s *Service) projectLevel(user *User, project *Project) AccessLevel {
	switch {
	case user == nil:
		return NoAccess
	case user.admin:
		return Owner
	}
	return s.projectMembership(user, project)
}

// projectMembership is like projectLevel, but only members have a role.
func (s *Service) projectMembership(user *User, project *Project) AccessLevel {
	switch {
	case user == nil:
		return NoAccess
	case project.owner == user:
		return Owner
	}
	return max(s.membersLevel(user, &project.members, project.shares), s.groupMembership(user, project.group))
}

// canSeeProject reports whether a user can see that a project exists.
func (s *Service) canSeeProject(user *User, project *Project) bool {
	return shows(project.visibility, user) || s.projectLevel(user, project) >= Guest
}

// canSeeGroup reports whether a user can see that a group exists. Members of
// its subgroups and projects can see it, too.
func (s *Service) canSeeGroup(user *User, group *Group) bool {
	if shows(group.visibility, user) || s.groupLevel(user, group) > NoAccess {
		return true
	}
	if user == nil {
		return false
	}
	for i := range s.groups.len() {
		if g := s.groups.at(i); g.within(group) && s.membersLevel(user, &g.members, g.shares) >= Guest {
			return true
		}
	}
	for i := range s.projects.len() {
		if p := s.projects.at(i); p.within(group) && s.membersLevel(user, &p.members, p.shares) >= Guest {
			return true
		}
	}
	return false
}

// shows reports whether a visibility lets a user see something without being a
// member.
func shows(visibility string, user *User) bool {
	switch visibility {
	case "public":
		return true
	case "internal":
		return user != nil && !user.external
	}
	return false
}
