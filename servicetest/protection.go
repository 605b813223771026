package servicetest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A protectionRule says who may push and delete what its pattern matches: packages, or
// the repositories or the tags of a registry.
type protectionRule struct {
	record[*Project]

	pattern      string
	kind         string // of packages
	push, remove string // the lowest roles, or empty for the usual ones
}

// ruleShelves keep the rules of a service, whose IDs count for each kind.
type ruleShelves struct {
	of map[*ruleKind]*shelf[*Project, protectionRule]
}

// A ruleKind is what differs between the rules for packages, repositories and tags.
type ruleKind struct {
	pattern string // the parameter
	longest int
	erased  []string // the levels that may delete
	home    func(c *call) (*Project, *reply)
	matches func(pattern, name string) bool
	// problem says what is wrong with a rule beyond what all kinds refuse.
	problem func(p *Project, r *protectionRule) string
}

const (
	pushLevel   = "minimum_access_level_for_push"
	deleteLevel = "minimum_access_level_for_delete"
	maxTagRules = 5
)

var (
	ruleLevels   = []string{"maintainer", "owner", "admin"}
	packageKinds = []string{"conan", "generic", "helm", "maven", "npm", "nuget", "pypi"}

	// With wildcards, the names that the registries of these types allow.
	npmPattern  = regexp.MustCompile(`^(@[\w.*~-]+/)?[\w.*~-]+$`)
	pypiPattern = regexp.MustCompile(`^[\w.*-]+$`)
	pathPattern = regexp.MustCompile(`^[\w.*/-]+$`)

	packageRuleKind = ruleKind{"package_name_pattern", 255, ruleLevels[1:], (*call).project,
		matchesWildcard, packageRuleProblem}
	repositoryRuleKind = ruleKind{"repository_path_pattern", 255, ruleLevels, (*call).registryProject,
		matchesLowered, repositoryRuleProblem}
	tagRuleKind = ruleKind{"tag_name_pattern", 100, ruleLevels, (*call).registryProject,
		matchesExpression, tagRuleProblem}

	packageRules    = packageRuleKind.table("package_protection_rule_id")
	repositoryRules = repositoryRuleKind.table("protection_rule_id")
	tagRules        = tagRuleKind.table("protection_rule_id")
)

func (k *ruleKind) table(param string) *collection.Table[*call, *Project, protectionRule] {
	fields := numbered(
		collection.Shown("project_id", func(r *protectionRule) int64 { return r.home.id }),
		collection.Text(k.pattern, func(r *protectionRule) *string { return &r.pattern }).Required(),
		collection.Note(pushLevel, func(r *protectionRule) *string { return &r.push }).ReadOnly(),
		collection.Note(deleteLevel, func(r *protectionRule) *string { return &r.remove }).ReadOnly(),
	)
	if k == &packageRuleKind {
		kind := func(r *protectionRule) *string { return &r.kind }
		fields = slices.Insert(fields, 3, collection.Choice("package_type", kind, packageKinds...).Required())
	}
	return new(shelved(collection.Table[*call, *Project, protectionRule]{
		Param: param, Home: k.home, Fields: fields,
		Records: func(c *call, p *Project) []*protectionRule {
			one := c.PathString(param) != "" // lists lack the rules that make tags immutable
			return only(k.of(p), func(r *protectionRule) bool { return one || !r.immutable() })
		},
		Read:    k.read,
		Check:   k.check,
		Add:     func(_ *call, p *Project, r *protectionRule) { k.add(p, r) },
		Changed: (*protectionRule).changed,
		Remove:  func(c *call, p *Project, r *protectionRule) { k.shelf(c.svc).remove(p, r) },
	}))
}

func (k *ruleKind) shelf(s *Service) *shelf[*Project, protectionRule] {
	return kept(&state[ruleShelves](s).of, k)
}

// of returns the rules of a project.
func (k *ruleKind) of(p *Project) []*protectionRule { return k.shelf(p.svc).of[p] }

func (k *ruleKind) add(p *Project, r *protectionRule) *protectionRule {
	now := p.svc.now()
	r.record = record[*Project]{dates{k.shelf(p.svc).add(p, r), now, now}, p}
	return r
}

// read reads the levels. A new rule has at least one, and one for tags has both.
func (k *ruleKind) read(c *call, _ *Project, r *protectionRule, making bool) {
	switch {
	case making && k == &tagRuleKind:
		c.Require(pushLevel, deleteLevel)
	case making && !c.Has(pushLevel) && !c.Has(deleteLevel):
		c.Problem(pushLevel + ", " + deleteLevel + " are missing, at least one parameter must be provided")
	}
	// Only rules for packages lose a level by null, and not only by an empty string.
	has := func(name string) bool { return c.Given(name) || k == &packageRuleKind && c.Has(name) }
	if push := c.StringIn(pushLevel, ruleLevels...); has(pushLevel) {
		r.push = push
	}
	if remove := c.StringIn(deleteLevel, k.erased...); has(deleteLevel) {
		r.remove = remove
	}
}

func (k *ruleKind) check(_ *call, p *Project, r, before *protectionRule) *reply {
	others := k.of(p)
	same := func(other *protectionRule) bool {
		return other != before && other.kind == r.kind && other.pattern == r.pattern
	}
	problem := k.problem(p, r)
	switch {
	case k == &tagRuleKind && before == nil && len(others) >= maxTagRules:
		return frame.Unprocessable("Maximum number of protection rules have been reached.")
	case utf8.RuneCountInString(r.pattern) > k.longest:
		problem = frame.Sentence(k.pattern, fmt.Sprintf("is too long (maximum is %d characters)", k.longest))
	case slices.ContainsFunc(others, same):
		problem = frame.Sentence(k.pattern, "has already been taken")
	}
	switch {
	case problem == "":
		return nil
	case k == &tagRuleKind && before == nil:
		return protectionRefusal(problem)
	}
	return frame.JSONReply(http.StatusUnprocessableEntity, object{"message": object{"error": []string{problem}}})
}

func packageRuleProblem(_ *Project, r *protectionRule) string {
	switch {
	case r.kind == "npm" && !npmPattern.MatchString(r.pattern):
		return "Package name pattern should be a valid NPM package name with optional wildcard characters."
	case r.kind == "pypi" && !pypiPattern.MatchString(r.pattern):
		return "Package name pattern should be a valid PyPI package name with optional wildcard characters."
	case r.push == "" && r.remove == "":
		return "A rule must have at least a minimum access role for push or delete."
	}
	return ""
}

func repositoryRuleProblem(p *Project, r *protectionRule) string {
	switch {
	case !strings.HasPrefix(strings.ToLower(r.pattern), strings.ToLower(p.fullPath())):
		return "Repository path pattern should start with the project's full path"
	case !pathPattern.MatchString(r.pattern):
		return "Repository path pattern should be a valid container repository path with optional wildcard characters."
	case r.push == "" && r.remove == "":
		return "A rule requires at least the Maintainer role for either push or delete."
	}
	return ""
}

func tagRuleProblem(_ *Project, r *protectionRule) string {
	if _, err := regexp.Compile(r.pattern); err != nil {
		return "Tag name pattern not valid RE2 syntax"
	}
	if (r.push == "") != (r.remove == "") {
		return "Access levels should both be present"
	}
	return ""
}

// immutable reports whether nobody may delete the tags of a rule. Only the web interface
// makes such rules.
func (r *protectionRule) immutable() bool { return r.push == "" && r.remove == "" }

// permits reports whether a user has the role that a rule requires.
func (r *protectionRule) permits(user *User, level string) bool {
	need := map[string]AccessLevel{"maintainer": Maintainer, "owner": Owner, "admin": forAdministrators}[level]
	return level == "" || protectionLevel{level: need}.includes(user, r.home)
}

func matchesLowered(pattern, path string) bool {
	return matchesWildcard(strings.ToLower(pattern), strings.ToLower(path))
}

func matchesExpression(pattern, tag string) bool { return regexp.MustCompile(pattern).MatchString(tag) }

// forbids reports whether a rule that matches a name, and the type of a package, keeps a user from pushing
// or from deleting.
func (k *ruleKind) forbids(p *Project, user *User, kind, name string, level func(*protectionRule) string) bool {
	return slices.ContainsFunc(k.of(p), func(r *protectionRule) bool {
		return r.kind == kind && k.matches(r.pattern, name) && (r.immutable() || !r.permits(user, level(r)))
	})
}

func toPush(r *protectionRule) string   { return r.push }
func toDelete(r *protectionRule) string { return r.remove }

// unlessProtected deletes a package, or a file of it, unless a rule forbids that.
func unlessProtected(remove handler) handler {
	return with(packages.Record, func(c *call, found *Package) *reply {
		if packageRuleKind.forbids(found.project, c.user, found.kind, found.name, toDelete) {
			return frame.Forbidden("Package is deletion protected.")
		}
		return remove(c)
	})
}

// mayBeDeleted reports whether all rules let a user delete a tag.
func (t *registryTag) mayBeDeleted(user *User) bool {
	return !tagRuleKind.forbids(t.repository.project, user, "", t.name, toDelete)
}

// ImmutableRegistryTags makes a rule after which nobody may delete the tags of the
// project's registry whose names match an expression in the syntax of RE2, and returns the
// rule's ID. The API does not list it, but finds it by ID.
func (p *Project) ImmutableRegistryTags(pattern string) int64 {
	defer p.svc.lock()()
	if _, err := regexp.Compile(pattern); err != nil {
		p.svc.fail("%q is not an expression: %v", pattern, err)
		return 0
	}
	return tagRuleKind.add(p, &protectionRule{pattern: pattern}).id
}
