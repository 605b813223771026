package servicetest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A protectionRule says who may push and delete what its pattern matches: packages, or
// the repositories or the tags of a registry.
type protectionRule struct {
	id           int64
	project      *Project
	pattern      string
	kind         string // of packages
	push, remove string // the lowest roles, or empty for the usual ones
	changedAt    time.Time
}

// protectionRuleState keeps the rules of a service, whose IDs count for each kind.
type protectionRuleState struct{ packages, repositories, tags table[*protectionRule] }

// A ruleKind is what differs between the rules for packages, repositories and tags.
type ruleKind struct {
	param, title   string // of the pattern
	longest        int
	pushed, erased []string // the levels
	nulls          bool     // null removes a level, and not only an empty string
	home           func(c *call) (*Project, *reply)
	rules          func(all *protectionRuleState) *table[*protectionRule]
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

	packageRuleKind = ruleKind{
		param: "package_name_pattern", title: "Package name pattern", longest: 255, pushed: ruleLevels,
		erased: ruleLevels[1:], nulls: true, home: (*call).project, problem: packageRuleProblem,
		rules: func(all *protectionRuleState) *table[*protectionRule] { return &all.packages },
	}
	repositoryRuleKind = ruleKind{
		param: "repository_path_pattern", title: "Repository path pattern", longest: 255, pushed: ruleLevels,
		erased: ruleLevels, home: (*call).registryProject, problem: repositoryRuleProblem,
		rules: func(all *protectionRuleState) *table[*protectionRule] { return &all.repositories },
	}
	tagRuleKind = ruleKind{
		param: "tag_name_pattern", title: "Tag name pattern", longest: 100, pushed: ruleLevels, erased: ruleLevels,
		home: (*call).registryProject, problem: tagRuleProblem,
		rules: func(all *protectionRuleState) *table[*protectionRule] { return &all.tags },
	}

	packageRules    = packageRuleKind.table("package_protection_rule_id")
	repositoryRules = repositoryRuleKind.table("protection_rule_id")
	tagRules        = tagRuleKind.table("protection_rule_id")
)

func (k *ruleKind) table(param string) *collection.Table[*call, *Project, protectionRule] {
	fields := []collection.Field[protectionRule]{
		collection.Shown("id", func(r *protectionRule) int64 { return r.id }),
		collection.Shown("project_id", func(r *protectionRule) int64 { return r.project.id }),
		collection.Text(k.param, func(r *protectionRule) *string { return &r.pattern }).Required(),
		collection.Note(pushLevel, func(r *protectionRule) *string { return &r.push }).ReadOnly(),
		collection.Note(deleteLevel, func(r *protectionRule) *string { return &r.remove }).ReadOnly(),
	}
	if k == &packageRuleKind {
		kind := func(r *protectionRule) *string { return &r.kind }
		fields = slices.Insert(fields, 3, collection.Choice("package_type", kind, packageKinds...).Required())
	}
	return &collection.Table[*call, *Project, protectionRule]{
		Param: param, Home: k.home, Fields: fields,
		ID:      func(r *protectionRule) int64 { return r.id },
		Records: func(c *call, p *Project) []*protectionRule { return k.of(p) },
		New:     func(c *call, p *Project) *protectionRule { return &protectionRule{project: p} },
		Read:    k.read,
		Check:   k.check,
		Add: func(c *call, _ *Project, r *protectionRule) {
			r.id, _ = k.rules(state[protectionRuleState](c.svc)).add(0, r)
			r.changedAt = c.now()
		},
		Saved:   func(c *call, _ *Project, r *protectionRule) { r.changedAt = c.now() },
		Changed: func(r *protectionRule) time.Time { return r.changedAt },
		Remove: func(c *call, _ *Project, r *protectionRule) {
			k.rules(state[protectionRuleState](c.svc)).remove(r.id)
		},
	}
}

// of returns the rules of a project.
func (k *ruleKind) of(p *Project) []*protectionRule {
	all := k.rules(state[protectionRuleState](p.svc))
	return all.all(func(r *protectionRule) bool { return r.project == p })
}

// listRules responds with all rules at once, but without those that make tags immutable.
func listRules(rules *collection.Table[*call, *Project, protectionRule]) handler {
	return with(rules.Home, func(c *call, p *Project) *reply {
		listed := only(rules.Records(c, p), func(r *protectionRule) bool { return !r.immutable() })
		return c.OK(rules.Forms(c, p, listed))
	})
}

// read reads the levels. A new rule has at least one, and one for tags has both.
func (k *ruleKind) read(c *call, _ *Project, r *protectionRule, making bool) {
	switch {
	case making && k == &tagRuleKind:
		c.Require(pushLevel, deleteLevel)
	case making && !c.Has(pushLevel) && !c.Has(deleteLevel):
		c.Problem(pushLevel + ", " + deleteLevel + " are missing, at least one parameter must be provided")
	}
	if push := c.StringIn(pushLevel, k.pushed...); c.Given(pushLevel) || k.nulls && c.Has(pushLevel) {
		r.push = push
	}
	if remove := c.StringIn(deleteLevel, k.erased...); c.Given(deleteLevel) || k.nulls && c.Has(deleteLevel) {
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
		problem = k.title + " is too long (maximum is " + frame.Itoa(int64(k.longest)) + " characters)"
	case slices.ContainsFunc(others, same):
		problem = k.title + " has already been taken"
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
	return level == "" || protectionLevel{level: need}.includes(user, r.project)
}

// packageRules returns the rules that match the name of a package.
func (p *Project) packageRules(kind, name string) []*protectionRule {
	return slices.DeleteFunc(packageRuleKind.of(p), func(r *protectionRule) bool {
		return r.kind != kind || !matchesWildcard(r.pattern, name)
	})
}

// mayPublish reports whether all rules let a user push a package.
func (p *Project) mayPublish(user *User, kind, name string) bool {
	return !slices.ContainsFunc(p.packageRules(kind, name),
		func(r *protectionRule) bool { return !r.permits(user, r.push) })
}

// unlessProtected deletes a package, or a file of it, unless a rule forbids that.
func unlessProtected(remove handler) handler {
	return with(packages.Record, func(c *call, found *Package) *reply {
		for _, r := range found.project.packageRules(found.kind, found.name) {
			if !r.permits(c.user, r.remove) {
				return frame.Forbidden("Package is deletion protected.")
			}
		}
		return remove(c)
	})
}

// mayBeDeleted reports whether all rules let a user delete a repository.
func (r *RegistryRepository) mayBeDeleted(user *User) bool {
	return !slices.ContainsFunc(repositoryRuleKind.of(r.project), func(rule *protectionRule) bool {
		return matchesWildcard(strings.ToLower(rule.pattern), strings.ToLower(r.path())) &&
			!rule.permits(user, rule.remove)
	})
}

// mayBeDeleted reports whether all rules let a user delete a tag.
func (t *registryTag) mayBeDeleted(user *User) bool {
	return !slices.ContainsFunc(tagRuleKind.of(t.repository.project), func(rule *protectionRule) bool {
		return regexp.MustCompile(rule.pattern).MatchString(t.name) &&
			(rule.immutable() || !rule.permits(user, rule.remove))
	})
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
	r := &protectionRule{project: p, pattern: pattern, changedAt: p.svc.now()}
	r.id, _ = state[protectionRuleState](p.svc).tags.add(0, r)
	return r.id
}
