package servicetest

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A statusCheck is an external service that the product asks about merge requests. Nobody
// is asked here, and no merge request waits for it.
type statusCheck struct {
	id                int64
	name, url, secret string
	branches          []string // names of protected branches; none means all
	changedAt         time.Time
}

// A statusVerdict is what a check says about a commit of a merge request.
type statusVerdict struct {
	check       *statusCheck
	request     *MergeRequest
	sha, status string
}

// statusCheckState keeps the checks of projects.
type statusCheckState struct {
	shelf[*Project, statusCheck]

	verdicts []statusVerdict // oldest first; the ID of one is its place
}

var statusVerdicts = []string{"passed", "failed", "pending"}

var statusChecks = collection.Table[*call, *Project, statusCheck]{
	Param: "check_id", ID: func(s *statusCheck) int64 { return s.id },
	Home:    (*call).homeOfChecks,
	Records: func(c *call, p *Project) []*statusCheck { return state[statusCheckState](c.svc).of[p] },
	Fields: []collection.Field[statusCheck]{
		collection.Shown("id", func(s *statusCheck) int64 { return s.id }),
		collection.Text("name", func(s *statusCheck) *string { return &s.name }).Required(),
		collection.Text("external_url", func(s *statusCheck) *string { return &s.url }).Required(),
		collection.Text("shared_secret", func(s *statusCheck) *string { return &s.secret }).Max(255).Unseen(),
		collection.Shown("hmac", func(s *statusCheck) bool { return s.secret != "" }),
	},
	New: func(*call, *Project) *statusCheck { return new(statusCheck) },
	Check: func(c *call, p *Project, s, before *statusCheck) *reply {
		for _, other := range state[statusCheckState](c.svc).of[p] {
			switch {
			case other != before && other.name == s.name:
				return protectionRefusal("Name has already been taken")
			case other != before && other.url == s.url:
				return protectionRefusal("External url has already been taken")
			}
		}
		return c.readBranchesOfCheck(p, s)
	},
	Add:     func(c *call, p *Project, s *statusCheck) { p.addStatusCheck(s) },
	Saved:   func(c *call, _ *Project, s *statusCheck) { s.changedAt = c.now() },
	Changed: func(s *statusCheck) time.Time { return s.changedAt },
	Remove:  func(c *call, p *Project, s *statusCheck) { state[statusCheckState](c.svc).remove(p, s) },
	Extra: func(c *call, p *Project, s *statusCheck, form *collection.Form) {
		form.Add("project_id", p.id)
		form.Add("protected_branches", c.branchesOfCheck(p, s))
	},
}

// homeOfChecks returns the project of the path. What is missing, tier or role, makes no
// difference.
func (c *call) homeOfChecks() (*Project, *reply) {
	p, refusal := c.project()
	switch {
	case refusal != nil:
		return nil, refusal
	case c.hasTier(Ultimate) && c.svc.projectLevel(c.user, p) >= Maintainer:
		return p, nil
	case c.hasTier(Ultimate) && (c.route.method == http.MethodPost || c.route.method == http.MethodPut):
		return nil, frame.JSONReply(http.StatusUnauthorized, object{"message": []string{"Not allowed"}})
	}
	return nil, frame.Unauthorized()
}

// readBranchesOfCheck reads the branches that a check applies to, by their IDs.
func (c *call) readBranchesOfCheck(p *Project, s *statusCheck) *reply {
	if !c.Given("protected_branch_ids") {
		return nil
	}
	ids := c.Int64s("protected_branch_ids")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	s.branches = nil
	for _, id := range ids {
		found := c.svc.protectedBranches(func(b *protectedBranch) bool { return b.appliesTo(p) && b.id == id })
		if len(found) == 0 {
			return protectionRefusal("all protected branches must exist within the project")
		}
		s.branches = append(s.branches, found[0].name)
	}
	return nil
}

func (c *call) branchesOfCheck(p *Project, s *statusCheck) []*collection.Form {
	found := c.svc.protectedBranches(func(b *protectedBranch) bool {
		return b.appliesTo(p) && slices.Contains(s.branches, b.name)
	})
	return mapped(found, func(b *protectedBranch) *collection.Form {
		form := protectedBranches.Form(c, p, b)
		form.Add("project_id", p.id)
		form.Add("created_at", jsonTime(p.createdAt))
		form.Add("updated_at", jsonTime(b.changedAt))
		return form
	})
}

// StatusCheck gives the project an external status check. Lists show it, but merge
// requests do not wait for it. branches are names that ProtectBranch has protected.
func (p *Project) StatusCheck(name, url string, branches ...string) {
	defer p.svc.lock()()
	p.addStatusCheck(&statusCheck{name: name, url: url, branches: branches})
}

func (p *Project) addStatusCheck(s *statusCheck) {
	s.id, s.changedAt = state[statusCheckState](p.svc).add(p, s), p.svc.now()
}

// appliesTo reports whether a check applies to a merge request.
func (s *statusCheck) appliesTo(m *MergeRequest) bool {
	return len(s.branches) == 0 ||
		slices.ContainsFunc(s.branches, func(name string) bool { return matchesWildcard(name, m.targetBranch) })
}

// statusOf returns what a check has said about the head of the source branch, if anything.
func (m *MergeRequest) statusOf(s *statusCheck) string {
	for _, v := range slices.Backward(state[statusCheckState](m.svc).verdicts) {
		if v.check == s && v.request == m && v.sha == m.headSHA() {
			return v.status
		}
	}
	return "pending"
}

// checkedRequest returns the merge request of the path, for callers who may approve if the
// call is a write.
func (c *call) checkedRequest() (*MergeRequest, *reply) {
	m, refusal := c.findMergeRequest()
	switch {
	case refusal != nil:
		return nil, refusal
	case !c.hasTier(Ultimate):
		return nil, frame.Unauthorized()
	case c.route.method == http.MethodPost && !m.mayApprove(c.user):
		return nil, frame.Forbidden("")
	}
	return m, nil
}

// checkOf returns the check of a merge request's project with an ID.
func (m *MergeRequest) checkOf(id int64) *statusCheck {
	return one(state[statusCheckState](m.svc).of[m.project], func(s *statusCheck) bool { return s.id == id })
}

func listRequestChecks(c *call, m *MergeRequest) *reply {
	checks := only(state[statusCheckState](c.svc).of[m.project], func(s *statusCheck) bool { return s.appliesTo(m) })
	return frame.ListOf(c, checks, func(s *statusCheck) object {
		address, _, _ := strings.Cut(s.url, "?")
		if c.svc.projectLevel(c.user, m.project) < Developer {
			address = ""
		}
		return object{"id": s.id, "name": s.name, "external_url": address, "status": m.statusOf(s)}
	}).Set("Poll-Interval", "10000")
}

func setCheckStatus(c *call, m *MergeRequest) *reply {
	sha, status := c.RequiredString("sha"), c.StringIn("status", statusVerdicts...)
	id := c.Int64("external_status_check_id")
	c.Require("external_status_check_id", "status")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	s := m.checkOf(id)
	switch {
	case s == nil:
		return frame.NotFound("")
	case sha != m.headSHA():
		return frame.Conflict("SHA does not match HEAD of source branch: " + m.headSHA())
	}
	all := state[statusCheckState](c.svc)
	all.verdicts = append(all.verdicts, statusVerdict{s, m, sha, status})
	return c.Created(object{
		"id": len(all.verdicts), "merge_request": m.json(false),
		"external_status_check": statusChecks.Form(c, m.project, s),
	})
}

// retryCheck makes a check that failed pending again. Its URL is not called.
func retryCheck(c *call, m *MergeRequest) *reply {
	s := m.checkOf(c.PathInt64("external_status_check_id"))
	switch {
	case s == nil:
		return frame.NotFound("")
	case m.statusOf(s) != "failed":
		return frame.Unprocessable("External status check must be failed")
	}
	all := state[statusCheckState](c.svc)
	all.verdicts = append(all.verdicts, statusVerdict{s, m, m.headSHA(), "pending"})
	return c.Accepted(object{"message": "202 Accepted"})
}
