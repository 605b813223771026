package servicetest

import (
	"cmp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A protectedBranch prevents some callers from changing the branches that match a name,
// which may have wildcards. The protection of a group applies to all its projects.
type protectedBranch struct {
	id                  int64
	home                any // a *Project or a *Group
	name                string
	push, merge, remove []protectionLevel
	allowsForce         bool
	codeOwners          bool
	changedAt           time.Time
}

func (b *protectedBranch) key() int64 { return b.id }

var protectedBranches = collection.Table[*call, any, protectedBranch]{
	ID:   (*protectedBranch).key,
	Home: (*call).branchHome,
	Records: func(c *call, home any) []*protectedBranch {
		return c.svc.protectedBranches(func(b *protectedBranch) bool { return b.appliesTo(home) })
	},
	Find: (*call).protectedBranch,
	Fields: []collection.Field[protectedBranch]{
		collection.Shown("id", (*protectedBranch).key),
		collection.Text("name", func(b *protectedBranch) *string { return &b.name }).Required().Once(),
		collection.Flag("allow_force_push", func(b *protectedBranch) *bool { return &b.allowsForce }),
	},
	Filters: []collection.Filter[protectedBranch]{
		collection.Search("search", func(b *protectedBranch) string { return b.name }),
	},
	New:     func(c *call, home any) *protectedBranch { return &protectedBranch{home: home} },
	Check:   (*call).checkProtectedBranch,
	Add:     func(c *call, _ any, b *protectedBranch) { c.svc.addProtectedBranch(b) },
	Saved:   func(c *call, _ any, b *protectedBranch) { c.svc.changed(b) },
	Changed: func(b *protectedBranch) time.Time { return b.changedAt },
	Remove: func(c *call, home any, b *protectedBranch) {
		state[protections](c.svc).branches.remove(b.id)
		c.svc.touch(home)
	},
	Extra: func(c *call, home any, b *protectedBranch, form *collection.Form) {
		form.Add("push_access_levels", c.refForms(b.push))
		form.Add("merge_access_levels", c.refForms(b.merge))
		if c.hasTier(Premium) {
			form.Add("unprotect_access_levels", c.refForms(b.remove))
			form.Add("code_owner_approval_required", b.codeOwners)
			form.Add("inherited", b.home != home)
		}
	},
}

// branchHome returns the project or the top-level group of the path.
func (c *call) branchHome() (any, *reply) {
	home, refusal := c.tokenHome()
	if group, ok := home.(*Group); ok && refusal == nil && group.parent != nil {
		return nil, frame.NotFound("")
	}
	return home, refusal
}

func (s *Service) protectedBranches(keep func(*protectedBranch) bool) []*protectedBranch {
	return state[protections](s).branches.all(keep)
}

// appliesTo reports whether the protection belongs to a project or a group, or to a
// group that contains the project.
func (b *protectedBranch) appliesTo(home any) bool {
	group, isGroup := b.home.(*Group)
	project, isProject := home.(*Project)
	return b.home == home || isGroup && isProject && project.within(group)
}

// protectedBranch returns the protection that the path names. A protection of the
// project comes before one of its group. Only the group can change its own.
func (c *call) protectedBranch(home any) (*protectedBranch, *reply) {
	name := c.PathString("name")
	var found *protectedBranch
	named := func(b *protectedBranch) bool { return b.name == name && b.appliesTo(home) }
	for _, b := range c.svc.protectedBranches(named) {
		if found == nil || b.home == home {
			found = b
		}
	}
	switch {
	case found == nil:
		return nil, frame.NotFound("")
	case found.home != home && c.route.writes():
		return nil, frame.Forbidden("")
	}
	return found, nil
}

// checkProtectedBranch reads the levels of a protection.
func (c *call) checkProtectedBranch(home any, b, before *protectedBranch) *reply {
	making := before == nil
	if making && c.svc.protectionNamed(home, b.name) != nil {
		return frame.Conflict("Protected branch '" + b.name + "' already exists")
	}
	var refusals [3]*reply
	b.push, refusals[0] = c.refLevels(pushLevels, home, b.push, making)
	b.merge, refusals[1] = c.refLevels(mergeLevels, home, b.merge, making)
	b.remove, refusals[2] = c.refLevels(removalLevels, home, b.remove, making)
	if refusal := cmp.Or(refusals[:]...); refusal != nil {
		return refusal
	}
	if c.hasTier(Premium) {
		b.codeOwners = c.BoolOr("code_owner_approval_required", b.codeOwners)
	}
	return c.Refusal()
}

// unprotectBranch removes a protection, unless its levels exclude the caller.
func unprotectBranch(c *call, home any, b *protectedBranch) *reply {
	if project, ok := home.(*Project); ok && c.hasTier(Premium) && !allow(b.remove, c.user, project) {
		return frame.Forbidden("")
	}
	return protectedBranches.Delete(c)
}

// protectionNamed returns the protection of a project or a group with this name.
func (s *Service) protectionNamed(home any, name string) *protectedBranch {
	for _, b := range s.protectedBranches(func(b *protectedBranch) bool { return b.home == home && b.name == name }) {
		return b
	}
	return nil
}

func (s *Service) addProtectedBranch(b *protectedBranch) {
	b.id, _ = state[protections](s).branches.add(0, b)
	s.touch(b.home)
	s.changed(b)
}

// changed gives new levels of a protection their IDs.
func (s *Service) changed(b *protectedBranch) {
	s.number(pushLevels, b.push)
	s.number(mergeLevels, b.merge)
	s.number(removalLevels, b.remove)
	b.changedAt = s.now()
}

// A ProtectionOption relaxes the protection of a branch.
type ProtectionOption func(*protectedBranch)

// DevelopersCanPush lets developers push to a protected branch.
func DevelopersCanPush() ProtectionOption {
	return func(b *protectedBranch) { b.push = []protectionLevel{{level: Developer}} }
}

// DevelopersCanMerge lets developers merge into a protected branch.
func DevelopersCanMerge() ProtectionOption {
	return func(b *protectedBranch) { b.merge = []protectionLevel{{level: Developer}} }
}

// ForcePushAllowed lets those who may push to a protected branch force-push to it.
func ForcePushAllowed() ProtectionOption { return func(b *protectedBranch) { b.allowsForce = true } }

// ProtectBranch protects a branch: nobody may delete it, and only maintainers may push
// to it, merge into it, and run pipelines for it. The name may have wildcards, as in
// "release/*". Protecting a name again replaces its protection. By default, no branch
// is protected, except for the default branch of projects that are created through the
// API.
func (p *Project) ProtectBranch(name string, opts ...ProtectionOption) {
	defer p.svc.lock()()
	p.svc.protectBranch(p, name, opts)
}

// ProtectBranch protects a branch in all projects of the group, which must be a
// top-level group. See Project.ProtectBranch.
func (g *Group) ProtectBranch(name string, opts ...ProtectionOption) {
	defer g.svc.lock()()
	if g.parent != nil {
		g.svc.fail("%s is not a top-level group", g.fullPath())
		return
	}
	g.svc.protectBranch(g, name, opts)
}

func (s *Service) protectBranch(home any, name string, opts []ProtectionOption) {
	if old := s.protectionNamed(home, name); old != nil {
		state[protections](s).branches.remove(old.id)
	}
	maintainers := func() []protectionLevel { return []protectionLevel{{level: Maintainer}} }
	made := &protectedBranch{home: home, name: name, push: maintainers(), merge: maintainers(), remove: maintainers()}
	for _, opt := range opts {
		opt(made)
	}
	s.addProtectedBranch(made)
}

// protectDefault protects the default branch of a project created through the API. The
// setting default_branch_protection of its group decides how, or that of the instance.
func (p *Project) protectDefault() {
	level := p.svc.instance().number("default_branch_protection")
	defaults := protectionOf(level)
	if p.group != nil && p.group.preferences["default_branch_protection"] != nil {
		level, _ = p.group.preferences["default_branch_protection"].(int64)
		defaults = p.group.protectionDefaults()
	}
	if level == 0 || p.svc.protectionNamed(p, p.defaultBranch) != nil {
		return
	}
	p.svc.protectBranch(p, p.defaultBranch, []ProtectionOption{func(b *protectedBranch) {
		b.push, b.merge = levelsOf(defaults.AllowedToPush), levelsOf(defaults.AllowedToMerge)
		b.allowsForce, b.codeOwners = defaults.AllowForcePush, defaults.CodeOwnerApprovalRequired
	}})
}

func levelsOf(roles []branchRole) []protectionLevel {
	return mapped(roles, func(role branchRole) protectionLevel { return protectionLevel{level: role.AccessLevel} })
}

// branchRules returns the protections that apply to a branch of the project. A user
// needs the permission of only one.
func (p *Project) branchRules(branch string) []*protectedBranch {
	return p.svc.protectedBranches(func(b *protectedBranch) bool {
		return b.appliesTo(p) && matchesWildcard(b.name, branch)
	})
}

// isProtected reports whether a branch is protected.
func (p *Project) isProtected(branch string) bool { return len(p.branchRules(branch)) > 0 }

// mayPush reports whether a user may push to a branch.
func (p *Project) mayPush(user *User, branch string) bool {
	rules := p.branchRules(branch)
	return p.svc.projectLevel(user, p) >= Developer && (len(rules) == 0 ||
		slices.ContainsFunc(rules, func(b *protectedBranch) bool { return allow(b.push, user, p) }))
}

// takesForce reports whether those who may push to a branch may replace its commits.
func (p *Project) takesForce(branch string) bool {
	rules := p.branchRules(branch)
	return len(rules) == 0 || slices.ContainsFunc(rules, func(b *protectedBranch) bool { return b.allowsForce })
}

// mayMergeInto reports whether a user may merge into a branch. Users who may push may
// also merge.
func (p *Project) mayMergeInto(user *User, branch string) bool {
	return p.mayPush(user, branch) || p.svc.projectLevel(user, p) >= Developer &&
		slices.ContainsFunc(p.branchRules(branch), func(b *protectedBranch) bool { return allow(b.merge, user, p) })
}

// onProtectedRef reports whether the pipeline runs for a protected branch or tag.
func (p *Pipeline) onProtectedRef() bool {
	return p.tag && p.project.protectsTag(p.ref) || !p.tag && p.project.isProtected(p.ref)
}

// mayRun reports whether a user may run pipelines for a branch or a tag.
func (p *Project) mayRun(user *User, ref string) bool {
	if r := p.repository(); r.Branch(ref) == nil && r.Tag(ref) != nil {
		return p.mayCreateTag(user, ref)
	}
	return p.mayPush(user, ref)
}
