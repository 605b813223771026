package servicetest

import (
	"cmp"
	"slices"
	"strings"
)

func reviewers(m *MergeRequest) []*User  { return m.reviewers }
func approvers(m *MergeRequest) []*User  { return m.approvers }
func approvedBy(m *MergeRequest) []*User { return m.approvedBy }
func mergers(m *MergeRequest) []*User {
	if m.state != "merged" || m.mergeUser.shown() == nil {
		return nil
	}
	return []*User{m.mergeUser.shown()}
}

// mergeRequestFilter reads the parameters that filter. Some parameters exist
// only in the lists of all projects and of a group, others only in a project's
// list. In 15.2, a project's list had neither in nor the times of deployments.
func (c *call) mergeRequestFilter(of listOwner) (filter[*MergeRequest], *reply) {
	var f filter[*MergeRequest]
	filterTopics(c, &f)
	filterSearch(c, &f, true)
	filterScope(c, &f, of == ofInstance)
	c.exclusive("reviewer_id", "reviewer_username")
	c.exclusive("merge_user_id", "merge_user_username")
	c.filterState(&f)
	c.filterPeople(&f)
	c.filterBranches(&f)
	c.filterDeployments(&f)
	if c.has("iids") && of == ofProject {
		iids := c.int64s("iids")
		f.add(func(m *MergeRequest) bool { return slices.Contains(iids, m.iid) })
	}
	if of == ofGroup && c.bool("non_archived", true) {
		f.add(func(m *MergeRequest) bool { return !m.project.archived })
	}
	if refusal := c.filterApprovals(&f); refusal != nil {
		return nil, refusal
	}
	return f, c.refusal()
}

// A listOwner is the kind of owner of a list.
type listOwner int

const (
	ofProject listOwner = iota
	ofGroup
	ofInstance
)

func (c *call) filterState(f *filter[*MergeRequest]) {
	if state := c.oneOf("state", "opened", "closed", "locked", "merged", "all"); state != "" && state != "all" {
		f.add(func(m *MergeRequest) bool { return m.state == state })
	}
	if wip := c.oneOf("wip", "yes", "no"); wip != "" {
		f.add(func(m *MergeRequest) bool { return m.isDraft() == (wip == "yes") })
	}
	if c.has("draft") {
		draft := c.bool("draft", false)
		f.add(func(m *MergeRequest) bool { return m.isDraft() == draft })
	}
	if approved := c.oneOf("approved", "yes", "no"); approved != "" {
		f.add(func(m *MergeRequest) bool { return m.isApproved() == (approved == "yes") })
	}
}

func (c *call) filterPeople(f *filter[*MergeRequest]) {
	f.has(idsOf(assignees[*MergeRequest]), c.id("assignee_id"))
	f.has(idsOf(reviewers), c.id("reviewer_id"))
	f.has(usernamesOf(reviewers), c.folded("reviewer_username"))
	f.has(idsOf(mergers), c.number("merge_user_id"))
	f.has(usernamesOf(mergers), c.folded("merge_user_username"))
	not := c.sub("not")
	f.lacks(idsOf(assignees[*MergeRequest]), not.number("assignee_id"))
	f.lacks(usernamesOf(assignees[*MergeRequest]), not.folded("assignee_username"))
	f.lacks(idsOf(reviewers), not.number("reviewer_id"))
	f.lacks(usernamesOf(reviewers), not.folded("reviewer_username"))
}

func (c *call) filterBranches(f *filter[*MergeRequest]) {
	if branch := c.str("source_branch"); branch != "" {
		f.add(func(m *MergeRequest) bool { return m.sourceBranch == branch })
	}
	if branch := c.str("target_branch"); branch != "" {
		f.add(func(m *MergeRequest) bool { return m.targetBranch == branch })
	}
}

func (c *call) filterDeployments(f *filter[*MergeRequest]) {
	environment := c.str("environment")
	after, before := c.time("deployed_after"), c.time("deployed_before")
	if environment == "" && after.IsZero() && before.IsZero() {
		return
	}
	f.add(func(m *MergeRequest) bool {
		return slices.ContainsFunc(m.deployments, func(d arrival) bool {
			return (environment == "" || d.environment == environment) &&
				(after.IsZero() || !d.at.Before(after)) && (before.IsZero() || !d.at.After(before))
		})
	})
}

// maxApprovedBy is the maximum number of approved_by_ids.
const maxApprovedBy = 5

func (c *call) filterApprovals(f *filter[*MergeRequest]) *reply {
	if !c.has("approver_ids") && !c.has("approved_by_ids") && !c.has("approved_by_usernames") {
		return nil
	}
	if refusal := c.requireTier(Premium); refusal != nil {
		return refusal
	}
	approvedIDs, names := c.ids("approved_by_ids", c.list("approved_by_ids")), c.list("approved_by_usernames")
	if len(approvedIDs) > maxApprovedBy {
		c.problem("approved_by_ids has more than 5 ids")
	}
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	f.has(idsOf(approvers), c.ids("approver_ids", c.list("approver_ids")))
	f.has(idsOf(approvedBy), approvedIDs)
	f.has(usernamesOf(approvedBy), names)
	return nil
}

// sortMergeRequests sorts merge requests as the parameters say, by default the
// newest first.
func (c *call) sortMergeRequests(requests []*MergeRequest) {
	orderBy := c.oneOf("order_by", "created_at", "title", "updated_at", "merged_at")
	ascending := c.oneOf("sort", "asc", "desc") == "asc"
	slices.SortFunc(requests, func(a, b *MergeRequest) int {
		if !ascending {
			a, b = b, a
		}
		return cmp.Or(compareRequests(a, b, orderBy), cmp.Compare(a.id, b.id))
	})
}

func compareRequests(a, b *MergeRequest, orderBy string) int {
	switch orderBy {
	case "title":
		return cmp.Compare(strings.ToLower(a.title), strings.ToLower(b.title))
	case "updated_at":
		return a.updatedAt.Compare(b.updatedAt)
	case "merged_at":
		return a.mergedAt.Compare(b.mergedAt)
	}
	return a.createdAt.Compare(b.createdAt)
}
