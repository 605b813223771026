package servicetest

import (
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A statusCheck is an external service that the product asks about merge requests. Nobody
// is asked here, and no merge request waits for it.
type statusCheck struct {
	record[*Project]

	name, url, secret string
	branches          []string // names of protected branches; none means all
}

// A statusVerdict is what a check says about a commit of a merge request.
type statusVerdict struct {
	record[*MergeRequest]

	check       *statusCheck
	sha, status string
}

var statusChecks = shelved(collection.Table[*call, *Project, statusCheck]{
	Param: "check_id", Home: (*call).homeOfChecks,
	Fields: numbered(
		collection.Text("name", func(s *statusCheck) *string { return &s.name }).Required().Unique(),
		collection.Text("external_url", func(s *statusCheck) *string { return &s.url }).Required().Unique(),
		collection.Text("shared_secret", func(s *statusCheck) *string { return &s.secret }).Max(255).Unseen(),
		collection.Shown("hmac", func(s *statusCheck) bool { return s.secret != "" }),
		collection.Shown("project_id", func(s *statusCheck) int64 { return s.home.id }),
	),
	Check:   (*call).readBranchesOfCheck,
	Refuse:  func(field, problem string) *reply { return protectionRefusal(frame.Sentence(field, problem)) },
	Changed: (*statusCheck).changed,
	Extra: func(c *call, p *Project, s *statusCheck, form *collection.Form) {
		form.Add("protected_branches", c.branchesOfCheck(p, s))
	},
})

// homeOfChecks returns the project of the path. What is missing, tier or role, makes no
// difference.
func (c *call) homeOfChecks() (*Project, *reply) {
	p, refusal := c.project()
	switch {
	case refusal != nil, c.hasTier(Ultimate) && c.svc.projectLevel(c.user, p) >= Maintainer:
		return p, refusal
	case c.hasTier(Ultimate) && (c.route.method == http.MethodPost || c.route.method == http.MethodPut):
		return nil, frame.JSONReply(http.StatusUnauthorized, object{"message": []string{"Not allowed"}})
	}
	return nil, frame.Unauthorized()
}

// readBranchesOfCheck reads the branches that a check applies to, by their IDs.
func (c *call) readBranchesOfCheck(p *Project, s, _ *statusCheck) *reply {
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
		form.Join(inOrder("project_id", p.id, "created_at", jsonTime(p.createdAt), "updated_at", jsonTime(b.changedAt)))
		return form
	})
}

// StatusCheck gives the project an external status check. Lists show it, but merge
// requests do not wait for it. branches are names that ProtectBranch has protected.
func (p *Project) StatusCheck(name, url string, branches ...string) {
	defer p.svc.lock()()
	shelve(p.svc, p, &statusCheck{name: name, url: url, branches: branches})
}

// appliesTo reports whether a check applies to a merge request.
func (s *statusCheck) appliesTo(m *MergeRequest) bool {
	return len(s.branches) == 0 ||
		slices.ContainsFunc(s.branches, func(name string) bool { return matchesWildcard(name, m.targetBranch) })
}

// statusOf returns what a check has said about the head of the source branch, if anything.
func (m *MergeRequest) statusOf(s *statusCheck) string {
	for _, v := range slices.Backward(recordsOf[statusVerdict](m.svc, m)) {
		if v.check == s && v.sha == m.headSHA() {
			return v.status
		}
	}
	return "pending"
}

// checkedRequest returns the merge request of the path, for callers who may approve if the
// call is a write.
var checkedRequest = unless(
	unless((*call).findMergeRequest, frame.Unauthorized,
		func(c *call, _ *MergeRequest) bool { return !c.hasTier(Ultimate) }),
	forbidden, func(c *call, m *MergeRequest) bool { return c.route.writes() && !m.mayApprove(c.user) })

// checkOf returns the check of a merge request's project with an ID.
func (m *MergeRequest) checkOf(id int64) *statusCheck {
	return one(recordsOf[statusCheck](m.svc, m.project), func(s *statusCheck) bool { return s.id == id })
}

func listRequestChecks(c *call, m *MergeRequest) *reply {
	checks := only(recordsOf[statusCheck](m.svc, m.project), func(s *statusCheck) bool { return s.appliesTo(m) })
	return frame.ListOf(c, checks, func(s *statusCheck) object {
		address, _, _ := strings.Cut(s.url, "?")
		if c.svc.projectLevel(c.user, m.project) < Developer {
			address = ""
		}
		return object{"id": s.id, "name": s.name, "external_url": address, "status": m.statusOf(s)}
	}).Set("Poll-Interval", "10000")
}

func setCheckStatus(c *call, m *MergeRequest) *reply {
	sha, status := c.RequiredString("sha"), c.StringIn("status", "passed", "failed", "pending")
	s := m.checkOf(c.Int64("external_status_check_id"))
	c.Require("external_status_check_id", "status")
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case s == nil:
		return frame.NotFound("")
	case sha != m.headSHA():
		return frame.Conflict("SHA does not match HEAD of source branch: " + m.headSHA())
	}
	verdict := shelve(c.svc, m, &statusVerdict{check: s, sha: sha, status: status})
	return c.Created(object{
		"id": verdict.id, "merge_request": m.json(false), "external_status_check": statusChecks.Form(c, m.project, s),
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
	shelve(c.svc, m, &statusVerdict{check: s, sha: m.headSHA(), status: "pending"})
	return c.Accepted(object{"message": "202 Accepted"})
}
