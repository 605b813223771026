package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

func getApprovals(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	return c.OK(c.approvals(m))
}

func approve(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	if !m.mayApprove(c.user) || slices.Contains(m.approvedBy, c.user) || !c.givesPassword(m) {
		return frame.Unauthorized()
	}
	c.Bool("publish_review", false) // no comment is a draft
	if seen := c.Str("sha"); seen != "" && seen != m.headSHA() {
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
	return !m.asksPassword || c.Str("approval_password") == c.user.password
}

func unapprove(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	at := slices.Index(m.approvedBy, c.user)
	if at < 0 {
		return frame.NotFound("")
	}
	m.approvedBy = slices.Delete(slices.Clone(m.approvedBy), at, at+1)
	delete(m.approvedAt, c.user)
	m.tell(c.user, "unapproved this merge request")
	m.change()
	return c.Created(c.approvals(m))
}

func getApprovalState(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	return c.OK(object{"approval_rules_overwritten": m.approvals != nil, "rules": []any{m.approvalRule()}})
}

// ApprovableBy sets the number of approvals that a merge request needs, and who
// may approve it in addition to members with the Developer role. With the tier
// Premium or higher, it cannot be merged without them.
func ApprovableBy(needed int64, users ...*User) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.approvals, m.approvers = &needed, users })
}

// ApprovedBy sets the users who have approved a merge request.
func ApprovedBy(users ...*User) MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) {
		for _, user := range users {
			m.approve(user, m.svc.now())
		}
	})
}

// ApprovalPassword makes those who approve a merge request give their passwords.
func ApprovalPassword() MergeRequestOption {
	return mergeRequestOption(func(m *MergeRequest) { m.asksPassword = true })
}

func (m *MergeRequest) approve(user *User, at time.Time) {
	m.approvedBy = append(m.approvedBy, user)
	if m.approvedAt == nil {
		m.approvedAt = make(map[*User]time.Time)
	}
	m.approvedAt[user] = at
}

// Approvers returns the users who approved the merge request, in that order.
func (m *MergeRequest) Approvers() []*User {
	defer m.svc.lock()()
	return append([]*User(nil), m.approvedBy...)
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
	if m.state != "opened" || user == nil {
		return false
	}
	for _, approver := range m.approvers {
		if approver == user {
			return true
		}
	}
	return m.svc.projectLevel(user, m.project) >= Developer
}

// approvalsLeft returns the number of missing approvals, which only the Premium
// tier counts.
func (m *MergeRequest) approvalsLeft() int64 {
	if m.approvals == nil || m.svc.settings.tier < Premium {
		return 0
	}
	return max(0, *m.approvals-int64(len(m.approvedBy)))
}

// isApproved reports whether the merge request has the approvals that it needs.
// Below the Premium tier, it reports whether it has any approval.
func (m *MergeRequest) isApproved() bool {
	if m.svc.settings.tier < Premium {
		return len(m.approvedBy) > 0
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
	Approvers                      []object       `json:"approvers"`
	ApproverGroups                 []object       `json:"approver_groups"`
}

// approvals returns the approvals of a merge request as the caller sees them.
func (c *call) approvals(m *MergeRequest) approvalsJSON {
	form := approvalsJSON{UserCanApprove: m.mayApprove(c.user), Approved: m.isApproved(), ApprovedBy: []approvalJSON{}}
	for _, user := range m.approvedBy {
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
		ID: m.id, IID: m.iid, ProjectID: m.project.id, Title: m.title, Description: m.description, State: m.state, MergeStatus: m.mergeStatus(),
		CreatedAt: jsonTime(m.createdAt), UpdatedAt: jsonTime(m.updatedAt), ApprovalsRequired: valueOr(m.approvals, 0),
		ApprovalsLeft: m.approvalsLeft(), RequirePassword: m.asksPassword, HasApprovalRules: m.approvals != nil,
		MergeRequestApproversAvailable: true, MultipleApprovalRulesAvailable: true,
		SuggestedApprovers: []*userSummary{}, ApprovalRulesLeft: []object{}, Approvers: []object{}, ApproverGroups: []object{},
	}
	for _, user := range m.approvers {
		if _, has := m.approvedAt[user]; !has {
			form.SuggestedApprovers = append(form.SuggestedApprovers, user.summary())
		}
	}
	if form.ApprovalsLeft > 0 {
		rule := m.approvalRule()
		form.ApprovalRulesLeft = append(form.ApprovalRulesLeft, object{"id": rule.ID, "name": rule.Name, "rule_type": rule.RuleType})
	}
	return form
}

// requestRule is the JSON of the only rule that a merge request has here.
type requestRule struct {
	ID                   int64          `json:"id"`
	Name                 string         `json:"name"`
	RuleType             string         `json:"rule_type"`
	ReportType           jsonText       `json:"report_type"`
	EligibleApprovers    []*userSummary `json:"eligible_approvers"`
	ApprovalsRequired    int64          `json:"approvals_required"`
	Users                []*userSummary `json:"users"`
	Groups               []object       `json:"groups"`
	ContainsHiddenGroups bool           `json:"contains_hidden_groups"`
	Section              jsonText       `json:"section"`
	SourceRule           object         `json:"source_rule"`
	Overridden           bool           `json:"overridden"`
	ApprovedBy           []*userSummary `json:"approved_by"`
	Approved             bool           `json:"approved"`
}

func (m *MergeRequest) approvalRule() requestRule {
	rule := requestRule{
		ID: m.id, Name: "All Members", RuleType: "any_approver", EligibleApprovers: summaries(m.approvers), ApprovalsRequired: valueOr(m.approvals, 0),
		Users: summaries(m.approvers), Groups: []object{}, ApprovedBy: summaries(m.approvedBy), Approved: m.approvalsLeft() == 0,
	}
	if len(m.approvers) > 0 {
		rule.Name, rule.RuleType = "Approvers", "regular"
	}
	return rule
}
