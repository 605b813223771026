package servicetest

import (
	"slices"

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
