package servicetest

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// protections keeps the protected branches, tags and environments of all projects and
// groups.
type protections struct {
	branches     table[*protectedBranch]
	tags         table[*protectedTag]
	environments table[*protectedEnvironment]
	levels       map[string]int64 // the last ID of a level, by kind
}

// A protectionLevel allows something to a user, the members of a group, a deploy key,
// or members of the project with a role.
type protectionLevel struct {
	id    int64
	user  *User
	group *Group
	key   *DeployKey
	level AccessLevel // 0 for no one, 60 for administrators

	onlyDirect bool  // only direct members of the group
	required   int64 // number of approvals, in a rule that requires some
}

// Only administrators have this level.
const forAdministrators AccessLevel = 60

// A levelKind describes one of the lists of levels in a protection.
type levelKind struct {
	title string   // name in refusals
	role  string   // parameter for a single role; may be empty
	many  string   // parameter for a list of levels
	roles []string // allowed roles
	keys  bool     // deploy keys are allowed
	teams bool     // users and groups are allowed in protections of groups
}

var (
	someRole = []string{"30", "40", "60"}
	anyRole  = append([]string{"0"}, someRole...)

	pushLevels = levelKind{
		title: "Push access levels", role: "push_access_level", many: "allowed_to_push", roles: anyRole, keys: true,
	}
	mergeLevels = levelKind{
		title: "Merge access levels", role: "merge_access_level", many: "allowed_to_merge", roles: anyRole,
	}
	removalLevels = levelKind{
		title: "Unprotect access levels", role: "unprotect_access_level", many: "allowed_to_unprotect", roles: someRole,
	}
	createLevels = levelKind{
		title: "Create access levels", role: "create_access_level", many: "allowed_to_create",
		roles: anyRole, keys: true,
	}
	deployLevels = levelKind{
		title: "Deploy access levels", many: "deploy_access_levels", roles: someRole, teams: true,
	}
	approvalRules = levelKind{title: "Approval rules", many: "approval_rules", roles: someRole, teams: true}
)

// includes reports whether the level allows something to a user in a project. It
// ignores deploy keys, which never call the API.
func (l protectionLevel) includes(user *User, p *Project) bool {
	switch {
	case l.user != nil:
		return l.user == user
	case l.group != nil && l.onlyDirect:
		return user != nil && p.svc.membersLevel(user, &l.group.members, nil) >= Guest
	case l.group != nil:
		return p.svc.groupMembership(user, l.group) >= Guest
	case l.key != nil:
		return false
	case l.level == forAdministrators:
		return user != nil && user.admin
	}
	return l.level != NoAccess && p.svc.projectLevel(user, p) >= l.level
}

// forDevelopers reports whether the level is for every developer.
func (l protectionLevel) forDevelopers() bool {
	return l.user == nil && l.group == nil && l.key == nil && l.level == Developer
}

// allow reports whether one of the levels allows something to a user in a project.
func allow(levels []protectionLevel, user *User, p *Project) bool {
	return slices.ContainsFunc(levels, func(l protectionLevel) bool { return l.includes(user, p) })
}

func (l protectionLevel) description() string {
	switch {
	case l.user != nil:
		return l.user.name
	case l.group != nil:
		return l.group.name
	case l.key != nil:
		return "Deploy key"
	}
	switch l.level {
	case Developer:
		return "Developers + Maintainers"
	case Maintainer:
		return "Maintainers"
	case forAdministrators:
		return "Administrators"
	}
	return "No one"
}

// levelForm returns the JSON of a level. Only Premium has levels of users and groups.
func (c *call) levelForm(l protectionLevel) *collection.Form {
	form := new(collection.Form)
	form.Add("id", l.id)
	var level, user, group any
	switch {
	case l.user != nil:
		user = l.user.id
	case l.group != nil:
		group = l.group.id
	case l.key == nil:
		level = l.level
	}
	form.Add("access_level", level)
	form.Add("access_level_description", l.description())
	if c.hasTier(Premium) {
		form.Add("user_id", user)
		form.Add("group_id", group)
	}
	return form
}

// refForms returns the JSON of levels of branches and tags.
func (c *call) refForms(levels []protectionLevel) []*collection.Form {
	forms := []*collection.Form{}
	for _, l := range levels {
		form := c.levelForm(l)
		form.Add("deploy_key_id", nil)
		if l.key != nil {
			form.Add("deploy_key_id", l.key.id)
		}
		forms = append(forms, form)
	}
	return forms
}

// refLevels returns the levels of a branch or a tag after the changes of a call. By
// default, a new protection has the level of maintainers. Only Premium reads the levels
// of the second parameter.
func (c *call) refLevels(
	k levelKind, home any, before []protectionLevel, making bool,
) (levels []protectionLevel, refusal *reply) {
	levels = slices.Clone(before)
	if making && c.Has(k.role) {
		levels = append(levels, protectionLevel{level: k.roleOf(c.Fields, k.role)})
	}
	if c.hasTier(Premium) {
		levels, refusal = c.protectionLevels(k, home, levels)
	}
	if making && len(levels) == 0 {
		levels = append(levels, protectionLevel{level: Maintainer})
	}
	return levels, cmp.Or(refusal, c.Refusal())
}

// protectionLevels applies the entries of a call to levels.
func (c *call) protectionLevels(k levelKind, home any, before []protectionLevel) ([]protectionLevel, *reply) {
	levels := slices.Clone(before)
	for _, f := range c.Subs(k.many) {
		var refusal *reply
		if levels, refusal = c.protectionLevel(k, home, levels, f); refusal != nil {
			return nil, refusal
		}
	}
	return levels, c.Refusal()
}

func (k levelKind) roleOf(f fields, name string) AccessLevel {
	return AccessLevel(f.Int64In(name, k.roles...))
}

// protectionLevel applies one entry to levels. With an ID, it changes or removes that
// level. Otherwise it adds one.
func (c *call) protectionLevel(k levelKind, home any, levels []protectionLevel, f fields) ([]protectionLevel, *reply) {
	id, remove := f.Int64("id"), f.Bool("_destroy")
	at := slices.IndexFunc(levels, func(l protectionLevel) bool { return id != 0 && l.id == id })
	switch {
	case id != 0 && at < 0:
		return nil, frame.NotFound("")
	case remove && at < 0:
		return levels, nil
	case remove:
		return slices.Delete(levels, at, at+1), nil
	}
	made, problem := c.holderOf(k, home, f)
	if at >= 0 && problem == noHolder {
		made, problem = levels[at], ""
	}
	if problem != "" {
		return nil, protectionRefusal(k.title + " " + problem)
	}
	if at < 0 {
		if k.teams {
			made.readRule(f, true)
		}
		return append(levels, made), nil
	}
	made.id = id
	if k.teams {
		made.required, made.onlyDirect = levels[at].required, levels[at].onlyDirect
		made.readRule(f, false)
	}
	levels[at] = made
	return levels, nil
}

// readRule reads the parameters that only levels and rules of environments have.
func (l *protectionLevel) readRule(f fields, making bool) {
	if inheritance := f.StringIn("group_inheritance_type", "0", "1"); inheritance != "" || making {
		l.onlyDirect = inheritance != "1"
	}
	l.required = max(l.required, 1)
	if n := f.Int64OrNil("required_approvals"); n != nil {
		l.required = *n
	}
}

// protectionRefusal returns the response that refuses a protection.
func protectionRefusal(reason string) *reply {
	return frame.JSONReply(http.StatusUnprocessableEntity, object{"message": []string{reason}})
}

// noHolder is the problem of an entry without a user, a group, a key or a role.
const noHolder = "access level can't be blank"

// holderOf reads whom an entry allows, or returns its problem.
func (c *call) holderOf(k levelKind, home any, f fields) (l protectionLevel, problem string) {
	project, _ := home.(*Project)
	switch {
	case f.Has("access_level"):
		return protectionLevel{level: k.roleOf(f, "access_level")}, ""
	case project == nil && !k.teams:
		return l, noHolder
	case f.Has("user_id"):
		user, _ := c.svc.users.get(f.Int64("user_id"))
		if !c.svc.hasAccess(user, home) {
			return l, "user does not have access"
		}
		return protectionLevel{user: user}, ""
	case f.Has("group_id"):
		group, _ := c.svc.groups.get(f.Int64("group_id"))
		if !givesAccess(group, home) {
			return l, "group does not have access"
		}
		return protectionLevel{group: group}, ""
	case k.keys && f.Has("deploy_key_id"):
		key, _ := state[deployKeyState](c.svc).keys.get(f.Int64("deploy_key_id"))
		if key == nil || key.in(project) == nil || !key.in(project).canPush {
			return l, "deploy key is not enabled for this project"
		}
		return protectionLevel{key: key}, ""
	}
	return l, noHolder
}

// hasAccess reports whether a level can name a user: a member of the project, or a
// maintainer of the group.
func (s *Service) hasAccess(user *User, home any) bool {
	if group, ok := home.(*Group); ok {
		return s.groupMembership(user, group) >= Maintainer
	}
	return s.projectMembership(user, home.(*Project)) >= Guest
}

// givesAccess reports whether a level can name a group. For a project, the group must
// contain it, or have a share of it or of a group above. For a group, it must be a
// subgroup.
func givesAccess(group *Group, home any) bool {
	p, ok := home.(*Project)
	switch {
	case group == nil:
		return false
	case !ok:
		return group != home && group.within(home.(*Group))
	case p.within(group) || p.sharedWith(group):
		return true
	}
	for g := p.group; g != nil; g = g.parent {
		if slices.ContainsFunc(g.shares, func(sh share) bool { return sh.group == group && !sh.ended(p.svc.now()) }) {
			return true
		}
	}
	return false
}

// number gives new levels their IDs, which are unique within a kind.
func (s *Service) number(k levelKind, levels []protectionLevel) {
	all := state[protections](s)
	for i := range levels {
		if levels[i].id == 0 {
			levels[i].id = nextIID(&all.levels, k.many)
		}
	}
}

// unprotect removes the protections and push rules of a deleted project or group.
func (s *Service) unprotect(home any) {
	delete(s.pushRules().of, home)
	all := state[protections](s)
	removeWhere(&all.branches, func(b *protectedBranch) bool { return b.home == home })
	removeWhere(&all.tags, func(t *protectedTag) bool { return t.project == home })
	removeWhere(&all.environments, func(e *protectedEnvironment) bool { return e.home == home })
}

// dropLevels removes the levels of deleted users, groups or keys from all protections,
// or from those of one project.
func (s *Service) dropLevels(in *Project, gone func(protectionLevel) bool) {
	drop := func(home any, lists ...*[]protectionLevel) {
		for _, list := range lists {
			if in == nil || home == in {
				*list = slices.DeleteFunc(slices.Clone(*list), gone)
			}
		}
	}
	all := state[protections](s)
	for _, b := range all.branches.all(nil) {
		drop(b.home, &b.push, &b.merge, &b.remove)
	}
	for _, t := range all.tags.all(nil) {
		drop(t.project, &t.create)
	}
	for _, e := range all.environments.all(nil) {
		drop(e.home, &e.deploy, &e.rules)
	}
}

// matchesWildcard reports whether a name matches a pattern in which * stands for any
// characters.
func matchesWildcard(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("(?s)^" + strings.Join(parts, ".*") + "$").MatchString(name)
}
