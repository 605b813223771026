package servicetest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// protections are the protected branches and tags of a service's projects and groups.
type protections struct {
	branches table[*protectedBranch]
	tags     table[*protectedTag]
	levels   map[string]int64 // the last ID of a level, by kind
}

// A protectionLevel allows something to a user, to the members of a group, to a deploy
// key, or else to members of the project with a role.
type protectionLevel struct {
	id    int64
	user  *User
	group *Group
	key   *DeployKey
	level AccessLevel // 0 for no one, 60 for administrators
}

// administrators are allowed by this level only.
const forAdministrators AccessLevel = 60

// A levelKind is one of the lists of levels that a protection has.
type levelKind struct {
	title string   // in refusals
	role  string   // the parameter with a single role; "" if there is none
	many  string   // the parameter with levels
	roles []string // that it can have
	keys  bool     // may have deploy keys
}

var (
	someRole      = []string{"30", "40", "60"}
	anyRole       = append([]string{"0"}, someRole...)
	pushLevels    = levelKind{"Push access levels", "push_access_level", "allowed_to_push", anyRole, true}
	mergeLevels   = levelKind{"Merge access levels", "merge_access_level", "allowed_to_merge", anyRole, false}
	removalLevels = levelKind{"Unprotect access levels", "unprotect_access_level", "allowed_to_unprotect", someRole, false}
	createLevels  = levelKind{"Create access levels", "create_access_level", "allowed_to_create", anyRole, true}
)

// includes reports whether the level allows something to a user in a project. Nobody is
// a deploy key: the API has none as a caller.
func (l protectionLevel) includes(user *User, p *Project) bool {
	switch {
	case l.user != nil:
		return l.user == user
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

// form is the JSON of a level. Only Premium has levels of users and groups.
func (c *call) form(l protectionLevel) *collection.Form {
	form := new(collection.Form)
	form.Add("id", l.id)
	var level, user, group, key any
	switch {
	case l.user != nil:
		user = l.user.id
	case l.group != nil:
		group = l.group.id
	case l.key != nil:
		key = l.key.id
	default:
		level = l.level
	}
	form.Add("access_level", level)
	form.Add("access_level_description", l.description())
	if c.hasTier(Premium) {
		form.Add("user_id", user)
		form.Add("group_id", group)
	}
	form.Add("deploy_key_id", key)
	return form
}

func (c *call) forms(levels []protectionLevel) []*collection.Form {
	forms := []*collection.Form{}
	for _, l := range levels {
		forms = append(forms, c.form(l))
	}
	return forms
}

// protectionLevels returns levels as a call changes them. A new protection that names
// none gets that of maintainers. Only Premium reads the levels of the second parameter.
func (c *call) protectionLevels(k levelKind, home any, before []protectionLevel, making bool) ([]protectionLevel, *reply) {
	levels := slices.Clone(before)
	if making && c.Has(k.role) {
		levels = append(levels, protectionLevel{level: k.roleOf(c.Fields, k.role)})
	}
	if c.hasTier(Premium) {
		for _, f := range c.Subs(k.many) {
			var refusal *reply
			if levels, refusal = c.protectionLevel(k, home, levels, f); refusal != nil {
				return nil, refusal
			}
		}
	}
	if making && len(levels) == 0 {
		levels = append(levels, protectionLevel{level: Maintainer})
	}
	return levels, c.Refusal()
}

func (k levelKind) roleOf(f fields, name string) AccessLevel {
	f.OneOf(name, k.roles...)
	return AccessLevel(f.Int64(name))
}

// protectionLevel applies one entry to levels: with an ID it changes or removes that
// level, otherwise it adds one.
func (c *call) protectionLevel(k levelKind, home any, levels []protectionLevel, f fields) ([]protectionLevel, *reply) {
	id, remove := f.Int64("id"), f.Bool("_destroy", false)
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
	switch {
	case problem != "" && !(at >= 0 && problem == forNobody):
		return nil, protectionRefusal(k.title + " " + problem)
	case at < 0:
		return append(levels, made), nil
	case problem == "":
		made.id = levels[at].id
		levels[at] = made
	}
	return levels, nil
}

// protectionRefusal refuses a protection for a reason.
func protectionRefusal(reason string) *reply {
	return frame.JSONReply(http.StatusUnprocessableEntity, object{"message": []string{reason}})
}

// forNobody is the problem of an entry that says for forNobody what it allows.
const forNobody = "access level can't be blank"

// holderOf reads for whom an entry is, or says what is wrong with it.
func (c *call) holderOf(k levelKind, home any, f fields) (l protectionLevel, problem string) {
	project, _ := home.(*Project)
	_, hasKey := f.Values["deploy_key_id"]
	switch {
	case f.Has("access_level"):
		return protectionLevel{level: k.roleOf(f, "access_level")}, ""
	case project == nil:
		return l, forNobody
	case f.Has("user_id"):
		user, _ := c.svc.users.get(f.Int64("user_id"))
		if c.svc.projectMembership(user, project) < Guest {
			return l, "user is not a member of the project"
		}
		return protectionLevel{user: user}, ""
	case f.Has("group_id"):
		group, _ := c.svc.groups.get(f.Int64("group_id"))
		if !project.givesAccess(group) {
			return l, "group does not have access to the project"
		}
		return protectionLevel{group: group}, ""
	case k.keys && hasKey:
		key, _ := state[deployKeyState](c.svc).keys.get(f.Int64("deploy_key_id"))
		if key == nil || key.in(project) == nil || !key.in(project).canPush {
			return l, "deploy key is not enabled for this project"
		}
		return protectionLevel{key: key}, ""
	}
	return l, forNobody
}

// givesAccess reports whether a group gives its members access to the project: one that
// it is in, or one that it, or a group above, is shared with.
func (p *Project) givesAccess(group *Group) bool {
	if group == nil || p.within(group) || p.sharedWith(group) {
		return group != nil
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
	if all.levels == nil {
		all.levels = make(map[string]int64)
	}
	for i := range levels {
		if levels[i].id == 0 {
			all.levels[k.many]++
			levels[i].id = all.levels[k.many]
		}
	}
}

// unprotect removes the protections of a project or a group that is deleted.
func (s *Service) unprotect(home any) {
	all := state[protections](s)
	removeWhere(&all.branches, func(b *protectedBranch) bool { return b.home == home })
	removeWhere(&all.tags, func(t *protectedTag) bool { return t.project == home })
}

// matchesWildcard reports whether a name matches a pattern in which an asterisk
// stands for any characters.
func matchesWildcard(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("(?s)^" + strings.Join(parts, ".*") + "$").MatchString(name)
}
