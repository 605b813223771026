package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// An approvalSwitch is a setting with two names: one in the configuration of a project,
// the other in the settings of a project or a group. The second may mean the opposite.
type approvalSwitch struct {
	name, setting string
	opposite      bool
	always        bool // is false, never null, in a configuration
	// strict is the value that a group imposes on its projects and subgroups, or nil if
	// it imposes none.
	strict *bool
}

const (
	authorApproves  = "merge_requests_author_approval"
	resetsApprovals = "reset_approvals_on_push"
	asksPassword    = "require_password_to_approve"
	reauthenticates = "require_reauthentication_to_approve"
)

var approvalSwitches = []approvalSwitch{
	{name: authorApproves, setting: "allow_author_approval", strict: new(false)},
	{name: "merge_requests_disable_committers_approval", setting: "allow_committer_approval", opposite: true,
		strict: new(true)},
	{name: "disable_overriding_approvers_per_merge_request",
		setting: "allow_overrides_to_approver_list_per_merge_request", opposite: true, strict: new(true)},
	{name: resetsApprovals, setting: "retain_approvals_on_push", opposite: true, strict: new(true)},
	{name: "selective_code_owner_removals", setting: "selective_code_owner_removals"},
	{name: asksPassword, setting: asksPassword, always: true, strict: new(true)},
	{name: reauthenticates, setting: reauthenticates, always: true, strict: new(true)},
}

// ApprovalSwitch sets a switch for the approvals of the project's merge requests, by
// its name in GET /projects/:id/approvals, such as reset_approvals_on_push. It takes
// effect on the Premium tier or higher. By default, all switches are off.
func (p *Project) ApprovalSwitch(name string, on bool) {
	defer p.svc.lock()()
	p.svc.setApprovalSwitch(p, name, on)
}

// ApprovalSwitch sets a switch as Project.ApprovalSwitch does, for all projects of the
// group. If the group has the stricter value, projects cannot change it.
func (g *Group) ApprovalSwitch(name string, on bool) {
	defer g.svc.lock()()
	g.svc.setApprovalSwitch(g, name, on)
}

func (s *Service) setApprovalSwitch(home any, name string, on bool) {
	if !slices.ContainsFunc(approvalSwitches, func(a approvalSwitch) bool { return a.name == name }) {
		s.fail("no approval switch %s", name)
		return
	}
	putIn(&state[approvalState](s).switches, home, name, on)
}

// approvalSwitch returns a setting that applies to the project.
func (p *Project) approvalSwitch(name string) bool {
	at := slices.IndexFunc(approvalSwitches, func(a approvalSwitch) bool { return a.name == name })
	value, _ := p.svc.decided(p, p.group, approvalSwitches[at])
	return p.svc.settings.tier >= Premium && value
}

// decided returns the value of a switch, and whether a group above has decided it.
func (s *Service) decided(home any, above *Group, a approvalSwitch) (value, locked bool) {
	all := state[approvalState](s).switches
	for g := above; g != nil && a.strict != nil; g = g.parent {
		if set, ok := all[g][a.name]; ok && set == *a.strict {
			return set, true
		}
	}
	value, set := all[home][a.name]
	_, isGroup := home.(*Group)
	return value || !set && isGroup && a.name == authorApproves, false // a group forbids nothing by default
}

func getApprovalConfiguration(c *call, p *Project) *reply { return c.OK(p.approvalConfiguration()) }

func updateApprovalConfiguration(c *call, p *Project) *reply {
	names := mapped(approvalSwitches, func(a approvalSwitch) string { return a.name })
	if refusal := c.changesNothing(append([]string{"approvals_before_merge"}, names...)...); refusal != nil {
		return refusal
	}
	n := c.Int64("approvals_before_merge")
	if n < 0 {
		return frame.FieldErrors("approvals_before_merge", "must be greater than or equal to 0")
	}
	if refusal := c.setApprovalSwitches(p, p.group, false); refusal != nil {
		return refusal
	}
	if c.Has("approvals_before_merge") {
		if p.preferences == nil {
			p.preferences = make(preferences)
		}
		p.preferences["approvals_before_merge"] = n
		p.svc.touch(p)
	}
	return c.Created(p.approvalConfiguration())
}

func (p *Project) approvalConfiguration() object {
	form := object{
		"approvers": []any{}, "approver_groups": []any{},
		"approvals_before_merge": p.preferences.value(projectPreferences, "approvals_before_merge"),
	}
	own := state[approvalState](p.svc).switches[p]
	for _, a := range approvalSwitches {
		value, locked := p.svc.decided(p, p.group, a)
		form[a.name] = value
		if _, set := own[a.name]; !set && !locked && !a.always {
			form[a.name] = nil
		}
	}
	return form
}

// approvalHome returns the project or the group of the path, and the group above it.
func (c *call) approvalHome() (home any, above *Group, refusal *reply) {
	if home, refusal = c.tokenHome(); refusal != nil {
		return nil, nil, refusal
	}
	if g, isGroup := home.(*Group); isGroup {
		return g, g.parent, nil
	}
	p, refusal := c.approvalProject()
	if refusal != nil {
		return nil, nil, refusal
	}
	return p, p.group, nil
}

func getApprovalSetting(c *call, home any, above *Group) *reply {
	return c.OK(c.svc.approvalSetting(home, above))
}

func updateApprovalSetting(c *call, home any, above *Group) *reply {
	names := mapped(approvalSwitches, func(a approvalSwitch) string { return a.setting })
	if refusal := c.changesNothing(names...); refusal != nil {
		return refusal
	}
	if refusal := c.setApprovalSwitches(home, above, true); refusal != nil {
		return refusal
	}
	return c.OK(c.svc.approvalSetting(home, above))
}

func (s *Service) approvalSetting(home any, above *Group) object {
	form := object{}
	for _, a := range approvalSwitches {
		value, locked := s.decided(home, above, a)
		from := jsonText("")
		if locked {
			from = "group"
		}
		form[a.setting] = object{"value": value != a.opposite, "locked": locked, "inherited_from": from}
	}
	return form
}

// setApprovalSwitches reads the switches of a call, under the names of a setting or
// of a configuration, and sets them all or none.
func (c *call) setApprovalSwitches(home any, above *Group, setting bool) *reply {
	set, after := map[string]bool{}, map[string]bool{}
	for _, a := range approvalSwitches {
		name, opposite := a.name, false
		if setting {
			name, opposite = a.setting, a.opposite
		}
		value, locked := c.svc.decided(home, above, a)
		after[a.name] = value
		if !c.Has(name) {
			continue
		}
		wanted := c.Bool(name) != opposite
		if locked && wanted != value {
			return frame.FieldErrors(name, "is locked")
		}
		set[a.name], after[a.name] = wanted, wanted
		if a.name == reauthenticates {
			set[asksPassword] = wanted
		}
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if after["selective_code_owner_removals"] && after[resetsApprovals] {
		return frame.FieldErrors("selective_code_owner_removals", "can only be enabled when approvals are kept on push")
	}
	for name, on := range set {
		c.svc.setApprovalSwitch(home, name, on)
	}
	return nil
}
