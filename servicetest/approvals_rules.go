package servicetest

import (
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// An ApprovalRule says whose approvals merge requests need. It belongs to a project or
// to a merge request, where it may be a copy of a project's rule. Make a rule of a
// project with Project.ApprovalRule.
type ApprovalRule struct {
	svc          *Service
	id           int64
	name         string
	kind, report string // rule_type and report_type
	required     int64
	users        []*User
	groups       []*Group

	// branches are the IDs of protected branches; none means every branch.
	branches    []int64
	allBranches bool // all protected branches

	// source is the project's rule that this rule of a merge request was copied from.
	source     *ApprovalRule
	overridden bool
}

// approvalState keeps the rules and settings of approvals.
type approvalState struct {
	shelf[any, ApprovalRule] // by *Project or *Group

	lastOwn  int64                   // ID of a merge request's rule
	switches map[any]map[string]bool // by *Project or *Group, then by name
}

// approvalRuleFields are the fields of rules of both kinds. Only rules of projects have
// a type: see projectRules.
var approvalRuleFields = []collection.Field[ApprovalRule]{
	collection.Shown("id", func(r *ApprovalRule) int64 { return r.id }),
	collection.Text("name", func(r *ApprovalRule) *string { return &r.name }).Required().Max(1024),
	collection.Shown("rule_type", func(r *ApprovalRule) string { return r.kind }),
	collection.Shown("report_type", func(r *ApprovalRule) jsonText { return jsonText(r.report) }),
	collection.Shown("approvals_required", func(r *ApprovalRule) int64 { return r.required }),
	collection.Shown("users", func(r *ApprovalRule) []*userSummary { return summaries(r.users) }),
}

// projectRules also serves the rules of groups, which are for all protected branches.
var projectRules = collection.Table[*call, any, ApprovalRule]{
	Param:   "approval_rule_id",
	ID:      func(r *ApprovalRule) int64 { return r.id },
	Home:    (*call).homeOfRules,
	Records: func(c *call, home any) []*ApprovalRule { return state[approvalState](c.svc).of[home] },
	Fields:  approvalRuleFields,
	New: func(c *call, home any) *ApprovalRule {
		return &ApprovalRule{svc: c.svc, kind: "regular", allBranches: isGroup(home)}
	},
	Read: func(c *call, home any, r *ApprovalRule, making bool) {
		if making || isGroup(home) {
			r.kind = either(c.StringIn("rule_type", "regular", "any_approver", "report_approver"), r.kind)
		}
		c.readApprovalRule(r, making)
		if isGroup(home) {
			return
		}
		if making {
			r.report = c.StringIn("report_type", "code_coverage", "license_scanning")
		}
		given(c, "protected_branch_ids", c.Int64s, &r.branches)
		r.allBranches = c.BoolOr("applies_to_all_protected_branches", r.allBranches)
		if making && r.kind == "report_approver" {
			c.Require("report_type")
		}
	},
	Check: func(c *call, home any, r, before *ApprovalRule) *reply {
		noun := map[bool]string{true: "group", false: "project"}[isGroup(home)]
		return r.problem(state[approvalState](c.svc).of[home], before, noun)
	},
	Add:   func(c *call, home any, r *ApprovalRule) { c.svc.addApprovalRule(home, r) },
	Saved: func(c *call, home any, _ *ApprovalRule) { c.svc.spreadApprovalRules(home) },
	Remove: func(c *call, home any, r *ApprovalRule) {
		state[approvalState](c.svc).remove(home, r)
		c.svc.spreadApprovalRules(home)
	},
	Extra: func(c *call, home any, r *ApprovalRule, form *collection.Form) {
		c.showApprovers(r, nil, form)
		protected := protectedBranches.Forms(c, home, r.protectedBranches(home))
		form.Add("protected_branches", protected)
		form.Add("applies_to_all_protected_branches", r.allBranches)
	},
}

// groupRules is projectRules with another word for what is missing.
var groupRules = func() collection.Table[*call, any, ApprovalRule] {
	rules := projectRules
	rules.Name = "Approval Rule"
	return rules
}()

func isGroup(home any) bool {
	_, is := home.(*Group)
	return is
}

var requestRules = collection.Table[*call, *MergeRequest, ApprovalRule]{
	Param:   "approval_rule_id",
	ID:      func(r *ApprovalRule) int64 { return r.id },
	Home:    (*call).approvalRequest,
	Records: func(_ *call, m *MergeRequest) []*ApprovalRule { return m.rules },
	Fields:  approvalRuleFields,
	New:     func(c *call, _ *MergeRequest) *ApprovalRule { return &ApprovalRule{svc: c.svc, kind: "regular"} },
	Read: func(c *call, m *MergeRequest, r *ApprovalRule, making bool) {
		c.readApprovalRule(r, making)
		switch id := c.Int64("approval_project_rule_id"); {
		case making && id != 0:
			c.copyProjectRule(m.project, r, id)
		case making && len(r.users)+len(r.groups) == 0:
			r.kind = "any_approver"
		}
		r.overridden = r.source != nil
	},
	Check: func(c *call, m *MergeRequest, r, before *ApprovalRule) *reply {
		if refusal := m.fixedRules(before); refusal != nil {
			return refusal
		}
		if r.source != nil && r.required < r.source.required {
			return frame.FieldErrors("approvals_required",
				"must be greater than or equal to "+frame.Itoa(r.source.required))
		}
		return r.problem(m.rules, before, "merge request")
	},
	Add: func(_ *call, m *MergeRequest, r *ApprovalRule) { m.addApprovalRule(r) },
	Saved: func(_ *call, m *MergeRequest, _ *ApprovalRule) {
		m.ownRules = true
		m.mergeIfReady()
	},
	Remove: func(_ *call, m *MergeRequest, r *ApprovalRule) {
		m.rules = without(m.rules, r)
		m.ownRules = true
		m.mergeIfReady()
	},
	Extra: func(c *call, m *MergeRequest, r *ApprovalRule, form *collection.Form) { c.showRequestRule(m, r, form) },
}

// deleteRequestRule refuses to remove what a merge request must keep.
func deleteRequestRule(c *call, m *MergeRequest, rule *ApprovalRule) *reply {
	if refusal := m.fixedRules(rule); refusal != nil {
		return refusal
	}
	return requestRules.Delete(c)
}

// fixedRules refuses to change the rules of a merge request if the project forbids it,
// or if callers do not make rules of that kind.
func (m *MergeRequest) fixedRules(rule *ApprovalRule) *reply {
	if m.project.approvalSwitch("disable_overriding_approvers_per_merge_request") ||
		rule != nil && (rule.kind == "code_owner" || rule.kind == "report_approver") {
		return frame.Forbidden("")
	}
	return nil
}

// approvalProject returns the project of the path. If it is archived, only its
// maintainers may read its approval settings.
func (c *call) approvalProject() (*Project, *reply) {
	p, refusal := c.project()
	if refusal == nil && p.archived && c.svc.projectLevel(c.user, p) < Maintainer {
		refusal = frame.Forbidden("")
	}
	return p, refusal
}

// homeOfRules returns the project or the group of the path.
func (c *call) homeOfRules() (any, *reply) {
	switch ofGroup := strings.Contains(c.route.template, " /groups/"); {
	case !ofGroup:
		return c.approvalProject()
	case !c.svc.feature("approval_group_rules"):
		return nil, frame.NotFoundUnnamed()
	}
	return c.group()
}

func (c *call) approvalRequest() (*MergeRequest, *reply) {
	if _, refusal := c.approvalProject(); refusal != nil {
		return nil, refusal
	}
	return c.findMergeRequest()
}

// readApprovalRule reads what rules of both kinds have: the number of approvals, and
// who may give them.
func (c *call) readApprovalRule(r *ApprovalRule, making bool) {
	if making {
		c.RequireGiven("approvals_required")
	}
	if c.Has("approvals_required") {
		if r.required = c.Int64("approvals_required"); r.required < 0 {
			c.Problem("approvals_required does not have a valid value")
		}
	}
	if c.Has("user_ids") || c.Has("usernames") {
		r.users = c.usersOf("user_ids")
		for _, name := range c.SplitStrings("usernames") {
			if user := c.svc.findUser(name); user != nil && !slices.Contains(r.users, user) {
				r.users = append(r.users, user)
			}
		}
	}
	groups, replaced := slices.Clone(r.groups), c.Has("group_ids")
	hidden := func(g *Group) bool { return !c.svc.canSeeGroup(c.user, g) }
	if replaced {
		groups = slices.DeleteFunc(groups, func(g *Group) bool { return !hidden(g) })
		for _, id := range c.Int64s("group_ids") {
			if g, ok := c.svc.groups.get(id); ok && !hidden(g) {
				groups = append(groups, g)
			}
		}
	}
	if c.Bool("remove_hidden_groups") {
		groups = slices.DeleteFunc(groups, hidden)
	}
	r.groups = groups
	if r.kind == "any_approver" {
		r.users, r.groups = nil, nil
	}
}

// copyProjectRule turns a new rule of a merge request into a copy of a project's rule.
func (c *call) copyProjectRule(p *Project, r *ApprovalRule, id int64) {
	at := slices.IndexFunc(p.approvalRules(), func(rule *ApprovalRule) bool { return rule.id == id })
	if at < 0 {
		c.Invalid("approval_project_rule_id")
		return
	}
	source := p.approvalRules()[at]
	r.source, r.name, r.kind, r.report = source, source.name, source.kind, source.report
	r.users, r.groups = source.users, source.groups
}

// problem refuses a rule that is not unique.
func (r *ApprovalRule) problem(all []*ApprovalRule, before *ApprovalRule, home string) *reply {
	for _, other := range all {
		switch {
		case other == before || other.kind != r.kind:
		case r.kind == "any_approver":
			return frame.FieldErrors("rule_type", "any-approver for the "+home+" already exists")
		case other.name == r.name:
			return frame.FieldErrors("name", "has already been taken")
		}
	}
	return nil
}

// showApprovers adds the users who may approve for a rule, as far as the caller may see
// them.
func (c *call) showApprovers(r *ApprovalRule, m *MergeRequest, form *collection.Form) {
	groups, hidden := []jsonBytes{}, false
	for _, g := range r.groups {
		if c.svc.canSeeGroup(c.user, g) {
			groups = append(groups, g.json().Data)
		} else {
			hidden = true
		}
	}
	form.Add("eligible_approvers", summaries(r.eligible(m)))
	form.Add("groups", groups)
	form.Add("contains_hidden_groups", hidden)
}

func (c *call) showRequestRule(m *MergeRequest, r *ApprovalRule, form *collection.Form) {
	c.showApprovers(r, m, form)
	form.Add("section", nil)
	form.Add("source_rule", nil)
	if r.source != nil {
		form.Add("source_rule", object{"approvals_required": r.source.required})
	}
	form.Add("overridden", r.overridden)
}

// eligible returns the users whose approval of a merge request counts for the rule.
// Without users and groups, a rule counts the approval of everybody who may approve.
func (r *ApprovalRule) eligible(m *MergeRequest) []*User {
	all := slices.Clone(r.users)
	for _, g := range r.groups {
		for _, member := range g.members.all(func(member *member) bool { return member.counts(r.svc.now()) }) {
			if !slices.Contains(all, member.user) {
				all = append(all, member.user)
			}
		}
	}
	return slices.DeleteFunc(all, func(u *User) bool { return m != nil && m.approvesOwn(u) })
}

// given returns the users who approved a merge request for the rule.
func (r *ApprovalRule) given(m *MergeRequest) []*User {
	approved := slices.Clone(m.approvals())
	if r.kind == "any_approver" {
		return approved
	}
	eligible := r.eligible(m)
	return slices.DeleteFunc(approved, func(u *User) bool { return !slices.Contains(eligible, u) })
}

// left returns the number of approvals that a merge request lacks for the rule.
func (r *ApprovalRule) left(m *MergeRequest) int64 { return max(0, r.required-int64(len(r.given(m)))) }

// protectedBranches returns the protected branches that the rule is for, or none if it
// is for every branch.
func (r *ApprovalRule) protectedBranches(home any) []*protectedBranch {
	return r.svc.protectedBranches(func(b *protectedBranch) bool {
		return b.appliesTo(home) && (r.allBranches || slices.Contains(r.branches, b.id))
	})
}

// appliesTo reports whether the rule is for a target branch.
func (r *ApprovalRule) appliesTo(p *Project, branch string) bool {
	return !r.allBranches && len(r.branches) == 0 ||
		slices.ContainsFunc(r.protectedBranches(p),
			func(b *protectedBranch) bool { return matchesWildcard(b.name, branch) })
}

// approvalRules returns the rules of a project, oldest first.
func (p *Project) approvalRules() []*ApprovalRule { return state[approvalState](p.svc).of[p] }

// addApprovalRule adds a rule to a project or a group.
func (s *Service) addApprovalRule(home any, r *ApprovalRule) {
	r.id = state[approvalState](s).add(home, r)
	s.spreadApprovalRules(home)
}

// addApprovalRule gives the merge request a rule of its own.
func (m *MergeRequest) addApprovalRule(r *ApprovalRule) {
	all := state[approvalState](m.svc)
	all.lastOwn++
	r.id, m.rules, m.ownRules = all.lastOwn, append(m.rules, r), true
	m.svc.suspect(m)
}

// spreadApprovalRules gives the rules of a project or a group to its open merge requests.
func (s *Service) spreadApprovalRules(home any) {
	group, _ := home.(*Group)
	for _, m := range state[mergeRequestState](s).requests.all(func(m *MergeRequest) bool {
		return m.state == "opened" && (m.project == home || group != nil && m.project.within(group))
	}) {
		m.takeApprovalRules()
	}
}

// takeApprovalRules gives the merge request the rules of the project that are for its
// target branch, unless it has rules of its own. The copies keep their IDs.
func (m *MergeRequest) takeApprovalRules() {
	if m.ownRules {
		return
	}
	m.svc.suspect(m)
	before := m.rules
	m.rules = nil
	all := state[approvalState](m.svc)
	sources := slices.Clone(m.project.approvalRules())
	for g := m.project.group; g != nil; g = g.parent {
		sources = append(sources, all.of[g]...)
	}
	for _, source := range sources {
		if !source.appliesTo(m.project, m.targetBranch) {
			continue
		}
		made := *source
		made.source, made.branches, made.allBranches = source, nil, false
		if at := slices.IndexFunc(before, func(r *ApprovalRule) bool { return r.source == source }); at >= 0 {
			made.id = before[at].id
		} else {
			all.lastOwn++
			made.id = all.lastOwn
		}
		m.rules = append(m.rules, &made)
	}
	ofSetting := slices.IndexFunc(before, func(r *ApprovalRule) bool { return r.source == nil })
	if ofSetting >= 0 && !slices.ContainsFunc(m.rules, isAnyApprover) {
		m.rules = append(m.rules, before[ofSetting])
	}
}

// openWithApprovalRules gives a new merge request the project's rules, and the number
// of approvals from the project's older setting.
func (m *MergeRequest) openWithApprovalRules() {
	m.takeApprovalRules()
	n, _ := m.project.preferences.value(projectPreferences, "approvals_before_merge").(int64)
	if n > 0 && !m.ownRules && !slices.ContainsFunc(m.rules, isAnyApprover) {
		m.requireApprovals(n)
		m.ownRules = false
	}
}

func isAnyApprover(r *ApprovalRule) bool { return r.kind == "any_approver" }

// requireApprovals makes the merge request need approvals of anybody, or of some users.
func (m *MergeRequest) requireApprovals(n int64, users ...*User) {
	rule := &ApprovalRule{svc: m.svc, name: "All Members", kind: "any_approver", required: n, users: users}
	if len(users) > 0 {
		rule.name, rule.kind = "Approvers", "regular"
	}
	at := slices.IndexFunc(m.rules, func(r *ApprovalRule) bool { return r.kind == rule.kind })
	if at >= 0 {
		m.rules = slices.Delete(slices.Clone(m.rules), at, at+1)
	}
	m.addApprovalRule(rule)
}

// An Approver is a user or a group that an approval rule names.
type Approver interface{ addTo(r *ApprovalRule) }

func (u *User) addTo(r *ApprovalRule)  { r.users = append(r.users, u) }
func (g *Group) addTo(r *ApprovalRule) { r.groups = append(r.groups, g) }

// ApprovalRule gives the project a rule. Its merge requests, including open ones, need
// n approvals from these users and members of these groups or, without approvers, from
// anybody who may approve. On the Premium tier or higher, they cannot be merged without
// them. Merge requests with rules of their own keep those.
func (p *Project) ApprovalRule(name string, n int64, approvers ...Approver) *ApprovalRule {
	defer p.svc.lock()()
	r := &ApprovalRule{svc: p.svc, name: name, kind: "any_approver", required: n}
	for _, approver := range approvers {
		r.kind = "regular"
		approver.addTo(r)
	}
	p.svc.addApprovalRule(p, r)
	return r
}

// ID returns the rule's ID.
func (r *ApprovalRule) ID() int64 { return r.id }
