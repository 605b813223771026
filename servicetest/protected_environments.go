package servicetest

import (
	"cmp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A protectedEnvironment says who may deploy to an environment, and whose approvals a
// deployment needs. The protection of a group applies to all environments of a tier.
type protectedEnvironment struct {
	id       int64 // not in the API
	home     any   // a *Project or a *Group
	name     string
	deploy   []protectionLevel
	rules    []protectionLevel // required approvals
	required int64             // number of approvals from anybody, without rules
}

func (e *protectedEnvironment) key() int64 { return e.id }

var protectedEnvironments = collection.Table[*call, any, protectedEnvironment]{
	ID:   (*protectedEnvironment).key,
	Home: (*call).tokenHome,
	Records: func(c *call, home any) []*protectedEnvironment {
		return c.svc.protectedEnvironments(func(e *protectedEnvironment) bool { return e.home == home })
	},
	Find: func(c *call, home any) (*protectedEnvironment, *reply) {
		if found := c.svc.environmentProtection(home, c.PathString("name")); found != nil {
			return found, nil
		}
		return nil, frame.NotFound("")
	},
	Fields: []collection.Field[protectedEnvironment]{
		collection.Text("name", func(e *protectedEnvironment) *string { return &e.name }).Required().Once(),
		collection.Shown("required_approval_count", func(e *protectedEnvironment) int64 { return e.required }),
	},
	New:    func(c *call, home any) *protectedEnvironment { return &protectedEnvironment{home: home} },
	Read:   (*call).readProtectedEnvironment,
	Check:  (*call).checkProtectedEnvironment,
	Add:    func(c *call, _ any, e *protectedEnvironment) { c.svc.addProtectedEnvironment(e) },
	Saved:  func(c *call, _ any, e *protectedEnvironment) { c.svc.numberRules(e) },
	Remove: func(c *call, _ any, e *protectedEnvironment) { state[protections](c.svc).environments.remove(e.id) },
	Extra: func(c *call, _ any, e *protectedEnvironment, form *collection.Form) {
		form.Add("deploy_access_levels", c.environmentForms(e.deploy, false))
		form.Add("approval_rules", c.environmentForms(e.rules, true))
	},
}

// environmentForms returns the JSON of levels, or of rules that require approvals.
func (c *call) environmentForms(levels []protectionLevel, approvals bool) []*collection.Form {
	forms := []*collection.Form{}
	for _, l := range levels {
		form := c.levelForm(l)
		if approvals {
			form.Add("required_approvals", l.required)
		}
		form.Add("group_inheritance_type", 1)
		if l.onlyDirect {
			form.Add("group_inheritance_type", 0)
		}
		forms = append(forms, form)
	}
	return forms
}

func (c *call) readProtectedEnvironment(_ any, e *protectedEnvironment, making bool) {
	if making && len(c.Subs("deploy_access_levels")) == 0 {
		c.Problem("deploy_access_levels is missing")
	}
	if n := c.Int64OrNil("required_approval_count"); n != nil {
		e.required = *n
	}
}

func (c *call) checkProtectedEnvironment(home any, e, before *protectedEnvironment) (refusal *reply) {
	_, inGroup := home.(*Group)
	switch {
	case before == nil && c.svc.environmentProtection(home, e.name) != nil:
		return frame.Conflict("Protected environment '" + e.name + "' already exists")
	case inGroup && !slices.Contains(environmentTiers, e.name):
		return protectionRefusal("Name must be one of environment tiers: " + strings.Join(environmentTiers, ", ") + ".")
	case e.required < 0:
		return protectionRefusal("Required approval count must be greater than or equal to 0")
	}
	if e.deploy, refusal = c.protectionLevels(deployLevels, home, e.deploy); refusal != nil {
		return refusal
	}
	e.rules, refusal = c.protectionLevels(approvalRules, home, e.rules)
	return refusal
}

func (s *Service) protectedEnvironments(keep func(*protectedEnvironment) bool) []*protectedEnvironment {
	found := state[protections](s).environments.all(keep)
	slices.SortFunc(found, func(a, b *protectedEnvironment) int { return cmp.Compare(a.name, b.name) })
	return found
}

// environmentProtection returns the protection of a project or a group with this name.
func (s *Service) environmentProtection(home any, name string) *protectedEnvironment {
	named := func(e *protectedEnvironment) bool { return e.home == home && e.name == name }
	for _, e := range s.protectedEnvironments(named) {
		return e
	}
	return nil
}

func (s *Service) addProtectedEnvironment(e *protectedEnvironment) {
	e.id, _ = state[protections](s).environments.add(0, e)
	s.numberRules(e)
}

// numberRules gives the new levels and rules of a protection their IDs.
func (s *Service) numberRules(e *protectedEnvironment) {
	s.number(deployLevels, e.deploy)
	s.number(approvalRules, e.rules)
}

// protected makes a protected environment and changes its protection. A new protection
// lets developers deploy.
func protected(change func(*protectedEnvironment)) EnvironmentOption {
	return environmentOption(func(e *Environment) {
		p := e.svc.environmentProtection(e.project, e.name)
		if p == nil {
			p = &protectedEnvironment{home: e.project, name: e.name, deploy: []protectionLevel{{level: Developer}}}
			e.svc.addProtectedEnvironment(p)
		}
		change(p)
		e.svc.numberRules(p)
	})
}

// EnvironmentProtected makes an environment that only Maintainers may deploy to or
// delete. For other users, the cleanup of review apps lists it as unprocessable.
func EnvironmentProtected() EnvironmentOption {
	return protected(func(p *protectedEnvironment) { p.deploy = []protectionLevel{{level: Maintainer}} })
}

// NeedsApprovals makes a protected environment. Its deployments need n approvals from
// anybody, and developers may deploy.
func NeedsApprovals(n int64) EnvironmentOption {
	return protected(func(p *protectedEnvironment) { p.required = n })
}

// NeedsApprovalOf adds a rule: deployments need the approval of this user.
func NeedsApprovalOf(user *User) EnvironmentOption {
	return needs(protectionLevel{user: user, required: 1})
}

// NeedsApprovalsOfGroup adds a rule: deployments need n approvals from members
// of a group.
func NeedsApprovalsOfGroup(group *Group, n int64) EnvironmentOption {
	return needs(protectionLevel{group: group, required: n})
}

// NeedsApprovalsOfRole adds a rule: deployments need n approvals from members
// who have at least this role in the project.
func NeedsApprovalsOfRole(level AccessLevel, n int64) EnvironmentOption {
	return needs(protectionLevel{level: level, required: n})
}

func needs(rule protectionLevel) EnvironmentOption {
	return protected(func(p *protectedEnvironment) { p.rules = append(p.rules, rule) })
}

// protections returns the protections of the environment: in its project by name, and
// in the groups above by tier.
func (e *Environment) protections() []*protectedEnvironment {
	return e.svc.protectedEnvironments(func(p *protectedEnvironment) bool {
		group, inGroup := p.home.(*Group)
		return inGroup && e.project.within(group) && p.name == e.tier || p.home == e.project && p.name == e.name
	})
}

func (e *Environment) isProtected() bool { return len(e.protections()) > 0 }

// mayDeploy reports whether a user with the Developer role may deploy to the
// environment. Each of its protections must allow it.
func (e *Environment) mayDeploy(user *User) bool {
	return !slices.ContainsFunc(e.protections(), func(p *protectedEnvironment) bool {
		return !allow(p.deploy, user, e.project)
	})
}

// mayDeploy reports whether a user may deploy to the job's environment, if it has one.
func (j *Job) mayDeploy(user *User) bool {
	all := &state[deploymentState](j.pipeline.project.svc).deployments
	made := all.all(func(d *Deployment) bool { return d.job == j })
	return !slices.ContainsFunc(made, func(d *Deployment) bool { return !d.environment.mayDeploy(user) })
}

// approvalRules returns the rules that require approvals of deployments. Without rules,
// approvals from anybody count.
func (e *Environment) approvalRules() (rules []protectionLevel, required int64) {
	for _, p := range e.protections() {
		rules = append(rules, p.rules...)
		required = max(required, p.required)
	}
	return rules, required
}

// needsApprovals reports whether deployments to the environment are blocked at first.
func (e *Environment) needsApprovals() bool {
	rules, required := e.approvalRules()
	return len(rules) > 0 || required > 0
}
