package servicetest

import (
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func getApprovals(c *call, m *MergeRequest) *reply { return c.OK(c.approvals(m)) }

// setRequiredApprovals sets the number of the merge request's own rule for any approver.
func setRequiredApprovals(c *call, m *MergeRequest) *reply {
	c.RequireGiven("approvals_required")
	n := c.Int64("approvals_required")
	if n < 0 {
		c.Problem("approvals_required does not have a valid value")
	}
	switch refusal := c.Refusal(); {
	case refusal != nil:
		return refusal
	case !m.mayChange(c.user):
		return frame.Forbidden("")
	case m.project.approvalSwitch("disable_overriding_approvers_per_merge_request"):
		return frame.JSONReply(http.StatusUnprocessableEntity, object{"error": "Overriding approvals is disabled"})
	}
	m.requireApprovals(n)
	m.mergeIfReady()
	return c.Created(c.approvals(m))
}

func approve(c *call, m *MergeRequest) *reply {
	if !m.mayApprove(c.user) || slices.Contains(m.approvals(), c.user) || !c.givesPassword(m) {
		return frame.Unauthorized()
	}
	frame.Accept(c.Bool, "publish_review") // no comment is a draft
	if seen := c.String("sha"); seen != "" && seen != m.headSHA() {
		return frame.Conflict("SHA does not match HEAD of source branch: " + m.headSHA())
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	m.approve(c.user, c.now())
	m.tell(c.user, "approved this merge request")
	m.change()
	m.mergeIfReady()
	return c.Created(c.approvals(m))
}

// givesPassword reports whether the caller sent the right password, if one is
// required.
func (c *call) givesPassword(m *MergeRequest) bool {
	return !m.project.approvalSwitch(asksPassword) || c.String("approval_password") == c.user.password
}

func unapprove(c *call, m *MergeRequest) *reply {
	at := slices.Index(m.approvals(), c.user)
	if at < 0 {
		return frame.NotFound("")
	}
	m.approvedBy = slices.Delete(slices.Clone(m.approvedBy), at, at+1)
	delete(m.approvedAt, c.user)
	m.tell(c.user, "unapproved this merge request")
	m.change()
	return c.Created(c.approvals(m))
}

func getApprovalState(c *call, m *MergeRequest) *reply {
	rules := []*collection.Form{}
	for _, r := range m.rules {
		form := requestRules.Form(c, m, r)
		form.Add("code_owner", r.kind == "code_owner")
		form.Add("approved_by", summaries(r.given(m)))
		form.Add("approved", r.left(m) == 0)
		rules = append(rules, form)
	}
	return c.OK(object{"approval_rules_overwritten": m.ownRules, "rules": rules})
}

// resetApprovals withdraws all approvals for the bot of a project or a group.
func resetApprovals(c *call, m *MergeRequest) *reply {
	if c.token.home == nil || m.state == "merged" {
		return frame.Unauthorized()
	}
	m.approvedBy, m.approvedAt = nil, nil
	m.change()
	return &reply{Status: http.StatusAccepted}
}

// ApprovableBy gives a merge request its own rule in place of the project's rules: it
// needs that many approvals from these users or, without users, from anybody who may
// approve. On the Premium tier or higher, it cannot be merged without them.
func ApprovableBy(needed int64, users ...*User) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.requireApprovals(needed, users...) })
}

// ApprovedBy sets the users who have approved a merge request.
func ApprovedBy(users ...*User) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) {
		for _, user := range users {
			m.approve(user, m.svc.now())
		}
	})
}

// ApprovalPassword makes users enter their passwords to approve a merge request. This
// is a setting of the project and applies to all of its merge requests. See
// Project.ApprovalSwitch.
func ApprovalPassword() MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.svc.setApprovalSwitch(m.project, asksPassword, true) })
}

func (m *MergeRequest) approve(user *User, at time.Time) {
	m.approvedBy = append(m.approvedBy, user)
	m.svc.touch(m)
	put(&m.approvedAt, user, at)
	m.approvedHead = m.headSHA()
}

// approvals returns the users who have approved the merge request. A push withdraws all
// approvals if the project says so.
func (m *MergeRequest) approvals() []*User {
	if head := m.headSHA(); m.state == "opened" && head != "" && head != m.approvedHead {
		if m.approvedHead != "" && m.project.approvalSwitch(resetsApprovals) {
			m.approvedBy, m.approvedAt = nil, nil
			m.svc.touch(m)
		}
		m.approvedHead = head
	}
	return m.approvedBy
}

// Approvers returns the users who approved the merge request, in that order.
func (m *MergeRequest) Approvers() []*User {
	defer m.svc.lock()()
	return append([]*User(nil), m.approvals()...)
}

// Approve approves the merge request as a user, without checking whether the
// user may approve it.
func (m *MergeRequest) Approve(user *User) {
	defer m.svc.lock()()
	m.approve(user, m.svc.now())
	m.tell(user, "approved this merge request")
	m.change()
}

// mayApprove reports whether a user may approve the merge request.
func (m *MergeRequest) mayApprove(user *User) bool {
	switch {
	case m.state != "opened" || user == nil || m.approvesOwn(user):
		return false
	case m.project.approvalSwitch("merge_requests_disable_committers_approval") && m.committed(user):
		return false
	}
	return m.svc.projectLevel(user, m.project) >= Developer ||
		slices.ContainsFunc(m.rules, func(r *ApprovalRule) bool { return slices.Contains(r.eligible(m), user) })
}

// approvesOwn reports whether a user is the author and authors may not approve. Only
// the Premium tier can forbid that.
func (m *MergeRequest) approvesOwn(user *User) bool {
	return user == m.author && m.svc.settings.tier >= Premium && !m.project.approvalSwitch(authorApproves)
}

// committed reports whether a user made one of the commits.
func (m *MergeRequest) committed(user *User) bool {
	return slices.ContainsFunc(m.commits(),
		func(commit *gitrepo.Commit) bool { return commit.Committer.Email == user.commitEmail })
}

// approvalsNeeded returns how many approvals the rules require, or nil without rules.
func (m *MergeRequest) approvalsNeeded() *int64 {
	if len(m.rules) == 0 {
		return nil
	}
	sum := int64(0)
	for _, r := range m.rules {
		sum += r.required
	}
	return &sum
}

// approvalsLeft returns the number of missing approvals, which only the Premium
// tier counts.
func (m *MergeRequest) approvalsLeft() (sum int64) {
	if m.svc.settings.tier < Premium {
		return 0
	}
	for _, r := range m.rules {
		sum += r.left(m)
	}
	return sum
}

// isApproved reports whether the merge request has the approvals that it needs.
// Below the Premium tier, it reports whether it has any approval.
func (m *MergeRequest) isApproved() bool {
	if m.svc.settings.tier < Premium {
		return len(m.approvals()) > 0
	}
	return m.approvalsLeft() == 0
}

// approvalsJSON is the JSON of the approvals of a merge request.
type approvalsJSON struct {
	UserHasApproved bool           `json:"user_has_approved"`
	UserCanApprove  bool           `json:"user_can_approve"`
	Approved        bool           `json:"approved"`
	ApprovedBy      []approvalJSON `json:"approved_by"`

	*premiumApprovals
}

type approvalJSON struct {
	User       *userSummary `json:"user"`
	ApprovedAt jsonTime     `json:"approved_at"`
}

// premiumApprovals has the members that the Premium tier adds.
type premiumApprovals struct {
	ID                             int64          `json:"id"`
	IID                            int64          `json:"iid"`
	ProjectID                      int64          `json:"project_id"`
	Title                          string         `json:"title"`
	Description                    string         `json:"description"`
	State                          string         `json:"state"`
	MergeStatus                    string         `json:"merge_status"`
	CreatedAt                      jsonTime       `json:"created_at"`
	UpdatedAt                      jsonTime       `json:"updated_at"`
	ApprovalsRequired              int64          `json:"approvals_required"`
	ApprovalsLeft                  int64          `json:"approvals_left"`
	RequirePassword                bool           `json:"require_password_to_approve"`
	HasApprovalRules               bool           `json:"has_approval_rules"`
	MergeRequestApproversAvailable bool           `json:"merge_request_approvers_available"`
	MultipleApprovalRulesAvailable bool           `json:"multiple_approval_rules_available"`
	SuggestedApprovers             []*userSummary `json:"suggested_approvers"`
	ApprovalRulesLeft              []object       `json:"approval_rules_left"`
	InvalidApproversRules          []object       `json:"invalid_approvers_rules"`
	Approvers                      []object       `json:"approvers"`
	ApproverGroups                 []object       `json:"approver_groups"`
}

// approvals returns the approvals of a merge request as the caller sees them.
func (c *call) approvals(m *MergeRequest) approvalsJSON {
	form := approvalsJSON{UserCanApprove: m.mayApprove(c.user), Approved: m.isApproved(), ApprovedBy: []approvalJSON{}}
	for _, user := range m.approvals() {
		form.ApprovedBy = append(form.ApprovedBy, approvalJSON{user.summary(), jsonTime(m.approvedAt[user])})
		if user == c.user {
			form.UserHasApproved, form.UserCanApprove = true, false
		}
	}
	if c.hasTier(Premium) {
		form.premiumApprovals = m.premiumApprovals()
	}
	return form
}

func (m *MergeRequest) premiumApprovals() *premiumApprovals {
	form := &premiumApprovals{
		ID: m.id, IID: m.iid, ProjectID: m.project.id, Title: m.title, Description: m.description, State: m.state,
		MergeStatus: m.mergeStatus(),
		CreatedAt:   jsonTime(m.createdAt), UpdatedAt: jsonTime(m.updatedAt),
		ApprovalsRequired: valueOr(m.approvalsNeeded(), 0),
		ApprovalsLeft:     m.approvalsLeft(), RequirePassword: m.project.approvalSwitch(asksPassword),
		HasApprovalRules:               len(m.rules) > 0,
		MergeRequestApproversAvailable: true, MultipleApprovalRulesAvailable: true,
		SuggestedApprovers: []*userSummary{}, ApprovalRulesLeft: []object{}, Approvers: []object{},
		InvalidApproversRules: []object{},
		ApproverGroups:        []object{},
	}
	var suggested []*User
	for _, r := range m.rules {
		suggested = append(suggested, r.eligible(m)...)
		short := object{"id": r.id, "name": r.name, "rule_type": r.kind}
		if r.left(m) > 0 {
			form.ApprovalRulesLeft = append(form.ApprovalRulesLeft, short)
		}
		if r.kind == "regular" && r.required > 0 && len(r.eligible(m)) == 0 {
			form.InvalidApproversRules = append(form.InvalidApproversRules, short)
		}
	}
	for i, user := range suggested {
		if _, has := m.approvedAt[user]; !has && !slices.Contains(suggested[:i], user) {
			form.SuggestedApprovers = append(form.SuggestedApprovers, user.summary())
		}
	}
	return form
}
