package servicetest

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// An approvalSetting says what deployments to an environment need: a number of
// approvals from anybody who may deploy, or the approvals of several rules.
type approvalSetting struct {
	required int64
	rules    []approvalRule
}

// An approvalRule requires approvals from a user, from members of a group, or
// from members with a role in the project, whichever is set.
type approvalRule struct {
	user     *User
	group    *Group
	level    AccessLevel
	required int64
}

// A decision is somebody's approval or rejection of a deployment.
type decision struct {
	user      *User
	status    string // approved or rejected
	comment   string
	createdAt time.Time
	rule      int // its index among the environment's rules
}

// NeedsApprovals makes an environment whose deployments need n approvals, from
// anybody.
func NeedsApprovals(n int64) EnvironmentOption {
	return environmentOption(func(e *Environment) { e.approvals.required = n })
}

// NeedsApprovalOf adds a rule: deployments need the approval of this user.
func NeedsApprovalOf(user *User) EnvironmentOption {
	return needs(approvalRule{user: user, required: 1})
}

// NeedsApprovalsOfGroup adds a rule: deployments need n approvals from members
// of a group.
func NeedsApprovalsOfGroup(group *Group, n int64) EnvironmentOption {
	return needs(approvalRule{group: group, required: n})
}

// NeedsApprovalsOfRole adds a rule: deployments need n approvals from members
// who have at least this role in the project.
func NeedsApprovalsOfRole(level AccessLevel, n int64) EnvironmentOption {
	return needs(approvalRule{level: level, required: n})
}

func needs(rule approvalRule) EnvironmentOption {
	return environmentOption(func(e *Environment) { e.approvals.rules = append(e.approvals.rules, rule) })
}

// name is what represented_as calls the rule.
func (r approvalRule) name() string {
	switch {
	case r.user != nil:
		return r.user.name
	case r.group != nil:
		return r.group.name
	}
	return r.level.String()
}

// includes reports whether a user's approval counts for the rule.
func (r approvalRule) includes(user *User, project *Project) bool {
	switch {
	case r.user != nil:
		return r.user == user
	case r.group != nil:
		return r.group.svc.groupLevel(user, r.group) >= Guest
	}
	return project.svc.projectLevel(user, project) >= r.level
}

// ruleFor returns the index of the rule that the caller's decision counts for.
// An environment without rules has a single rule for everybody, 0.
func (c *call) ruleFor(d *Deployment, representedAs string) (int, *reply) {
	rules := d.environment.approvals.rules
	if len(rules) == 0 {
		return 0, nil
	}
	mine := false
	for i, rule := range rules {
		if !rule.includes(c.user, d.environment.project) {
			continue
		}
		mine = true
		if representedAs == "" || strings.EqualFold(rule.name(), representedAs) {
			return i, nil
		}
	}
	if mine {
		return 0, frame.BadRequest("There are no rules for the given `represented_as` parameter")
	}
	return 0, frame.Forbidden("You don't have permission to review this deployment")
}

// decideDeployment records an approval or a rejection.
func decideDeployment(c *call) *reply {
	d, refusal := c.findDeployment()
	if refusal != nil {
		return refusal
	}
	c.Require("status")
	status, comment := c.OneOf("status", "approved", "rejected"), c.Str("comment")
	representedAs := c.Str("represented_as")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	rule, refusal := c.ruleFor(d, representedAs)
	if refusal != nil {
		return refusal
	}
	if d.status != "blocked" {
		return frame.BadRequest("This deployment is not blocked")
	}
	if status == "approved" && d.user == c.user {
		return frame.Message(http.StatusBadRequest, "You cannot approve your own deployment.")
	}
	made := decision{user: c.user, status: status, comment: comment, createdAt: c.now(), rule: rule}
	return c.Created(d.decide(made).json())
}

// decide stores a decision. It replaces an earlier decision of the same user.
// Repeating a decision changes nothing.
func (d *Deployment) decide(made decision) decision {
	at := slices.IndexFunc(d.decisions, func(other decision) bool { return other.user == made.user && other.rule == made.rule })
	switch {
	case at < 0:
		d.decisions = append(d.decisions, made)
	case d.decisions[at].status == made.status:
		return d.decisions[at]
	default:
		d.decisions[at] = made
	}
	return made
}

// approval is the JSON of a decision.
type approval struct {
	User      *userSummary `json:"user"`
	Status    string       `json:"status"`
	CreatedAt jsonTime     `json:"created_at"`
	Comment   jsonText     `json:"comment"`
}

func (d decision) json() approval {
	return approval{d.user.summary(), d.status, jsonTime(d.createdAt), jsonText(d.comment)}
}

type approvalSummary struct {
	Rules []approvalRuleObject `json:"rules"`
}

type approvalRuleObject struct {
	UserID                 *int64       `json:"user_id"`
	GroupID                *int64       `json:"group_id"`
	AccessLevel            *AccessLevel `json:"access_level"`
	AccessLevelDescription string       `json:"access_level_description"`
	RequiredApprovals      int64        `json:"required_approvals"`
	DeploymentApprovals    []approval   `json:"deployment_approvals"`
}

func (r approvalRule) json(approvals []approval) approvalRuleObject {
	o := approvalRuleObject{AccessLevelDescription: r.name(), RequiredApprovals: r.required, DeploymentApprovals: approvals}
	switch {
	case r.user != nil:
		o.UserID = &r.user.id
	case r.group != nil:
		o.GroupID = &r.group.id
	default:
		o.AccessLevel = &r.level
	}
	return o
}

// showApprovals adds what the Premium tier shows: the decisions as a list, or
// by rule if there are several rules.
func (d *Deployment) showApprovals(o *deploymentObject) {
	setting := d.environment.approvals
	o.PendingApprovalCount = new(d.pending())
	if len(setting.rules) == 0 {
		o.Approvals = new(d.approvalsFor(0))
		return
	}
	o.ApprovalSummary = new(approvalSummary)
	for i, rule := range setting.rules {
		o.ApprovalSummary.Rules = append(o.ApprovalSummary.Rules, rule.json(d.approvalsFor(i)))
	}
}

func (d *Deployment) approvalsFor(rule int) []approval {
	list := []approval{}
	for _, made := range d.decisions {
		if made.rule == rule {
			list = append(list, made.json())
		}
	}
	return list
}

// pending returns the number of approvals that a blocked deployment waits for.
func (d *Deployment) pending() int64 {
	if d.status != "blocked" {
		return 0
	}
	setting := d.environment.approvals
	if len(setting.rules) == 0 {
		return max(0, setting.required-d.approvers(0))
	}
	var pending int64
	for i, rule := range setting.rules {
		pending += max(0, rule.required-d.approvers(i))
	}
	return pending
}

// approvers counts the users who approve for a rule.
func (d *Deployment) approvers(rule int) int64 {
	var n int64
	for _, made := range d.decisions {
		if made.rule == rule && made.status == "approved" {
			n++
		}
	}
	return n
}

// Approvals returns the users who approved the deployment, in that order.
func (d *Deployment) Approvals() []*User { return d.deciders("approved") }

// Rejections returns the users who rejected the deployment, in that order.
func (d *Deployment) Rejections() []*User { return d.deciders("rejected") }

func (d *Deployment) deciders(status string) []*User {
	defer d.svc.lock()()
	var users []*User
	for _, made := range d.decisions {
		if made.status == status && !slices.Contains(users, made.user) {
			users = append(users, made.user)
		}
	}
	return users
}
