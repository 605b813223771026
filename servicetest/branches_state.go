package servicetest

import (
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A protection is a rule that prevents some callers from changing a branch.
type protection struct {
	pattern         string
	developersPush  bool
	developersMerge bool
}

// protections are the rules of a service's projects.
type protections struct {
	branches map[*Project][]protection
	tags     map[*Project][]string
}

// A ProtectionOption says who may change a protected branch nevertheless.
type ProtectionOption func(*protection)

// DevelopersCanPush lets developers push to a protected branch.
func DevelopersCanPush() ProtectionOption { return func(p *protection) { p.developersPush = true } }

// DevelopersCanMerge lets developers merge into a protected branch.
func DevelopersCanMerge() ProtectionOption { return func(p *protection) { p.developersMerge = true } }

// ProtectBranch protects a branch: nobody may delete it through the API, and
// only maintainers may push to it, merge into it, and run pipelines for it. The
// name may have wildcards, as in "release/*". By default no branch is
// protected. In projects that are created through the API, the default branch
// is.
func (p *Project) ProtectBranch(name string, opts ...ProtectionOption) {
	defer p.svc.lock()()
	made := protection{pattern: name}
	for _, opt := range opts {
		opt(&made)
	}
	all := state[protections](p.svc)
	if all.branches == nil {
		all.branches = make(map[*Project][]protection)
	}
	all.branches[p] = append(all.branches[p], made)
}

// protectDefault protects the default branch of a project that was created
// through the API, as the setting default_branch_protection of its group says.
func (p *Project) protectDefault() {
	made := protection{pattern: p.defaultBranch}
	if p.group != nil {
		switch p.group.preferences.value(groupPreferences, "default_branch_protection") {
		case int64(0), nil:
			return
		case int64(1):
			made.developersPush, made.developersMerge = true, true
		case int64(3):
			made.developersMerge = true
		}
	}
	all := state[protections](p.svc)
	if all.branches == nil {
		all.branches = make(map[*Project][]protection)
	}
	if !slices.Contains(all.branches[p], made) {
		all.branches[p] = append(all.branches[p], made)
	}
}

// ProtectTag protects a tag: nobody may delete it through the API, and only
// maintainers may create it. The name may have wildcards, as in "v*".
func (p *Project) ProtectTag(name string) {
	defer p.svc.lock()()
	all := state[protections](p.svc)
	if all.tags == nil {
		all.tags = make(map[*Project][]string)
	}
	all.tags[p] = append(all.tags[p], name)
}

// matchesWildcard reports whether a name matches a pattern in which an asterisk
// stands for any characters.
func matchesWildcard(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString(name)
}

// protectionOf returns the protection of a branch. If several rules match, the
// most permissive one applies.
func (p *Project) protectionOf(branch string) (joined protection, protected bool) {
	for _, rule := range state[protections](p.svc).branches[p] {
		if matchesWildcard(rule.pattern, branch) {
			protected = true
			joined.developersPush = joined.developersPush || rule.developersPush
			joined.developersMerge = joined.developersMerge || rule.developersMerge
		}
	}
	return joined, protected
}

func (p *Project) protectsTag(tag string) bool {
	return slices.ContainsFunc(state[protections](p.svc).tags[p], func(pattern string) bool { return matchesWildcard(pattern, tag) })
}

// mayPush reports whether a user may push to a branch, or run pipelines for a
// branch or tag.
func (p *Project) mayPush(user *User, ref string) bool {
	rule, protected := p.protectionOf(ref)
	return p.svc.projectLevel(user, p) >= neededFor(protected && !rule.developersPush)
}

// mayMergeInto reports whether a user may merge into a branch.
func (p *Project) mayMergeInto(user *User, branch string) bool {
	rule, protected := p.protectionOf(branch)
	return p.svc.projectLevel(user, p) >= neededFor(protected && !rule.developersMerge && !rule.developersPush)
}

// neededFor returns the role that may write.
func neededFor(protected bool) AccessLevel {
	if protected {
		return Maintainer
	}
	return Developer
}

// notPushable is why a commit cannot be made.
const notPushable = "You are not allowed to push into this branch"

// branchObject is the JSON of a branch.
type branchObject struct {
	Name               string        `json:"name"`
	Commit             *commitObject `json:"commit"`
	Merged             bool          `json:"merged"`
	Protected          bool          `json:"protected"`
	DevelopersCanPush  bool          `json:"developers_can_push"`
	DevelopersCanMerge bool          `json:"developers_can_merge"`
	CanPush            bool          `json:"can_push"`
	Default            bool          `json:"default"`
	WebURL             string        `json:"web_url"`
}

// branchObject returns the JSON of a branch as a user sees it.
func (r *repository) branchObject(name string, user *User) *branchObject {
	p, head := r.project, r.Branch(name)
	rule, protected := p.protectionOf(name)
	isDefault := name == p.defaultBranch
	return &branchObject{
		Name: name, Commit: r.commitObject(head), Merged: !isDefault && r.isMerged(head), Protected: protected,
		DevelopersCanPush: rule.developersPush, DevelopersCanMerge: rule.developersMerge,
		CanPush: p.mayPush(user, name), Default: isDefault, WebURL: p.webURL("-/tree", name),
	}
}

// isMerged reports whether the default branch contains the head of a branch and
// more. A branch that was just made is not merged.
func (r *repository) isMerged(head *gitrepo.Commit) bool {
	merged := r.Branch(r.project.defaultBranch)
	return head != merged && r.Contains(merged, head)
}
