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
	c.Exclusive("reviewer_id", "reviewer_username")
	c.Exclusive("merge_user_id", "merge_user_username")
	c.filterState(&f)
	c.filterPeople(&f)
	c.filterBranches(&f)
	c.filterDeployments(&f)
	if c.Has("iids") && of == ofProject {
		iids := c.Int64s("iids")
		f.Add(func(m *MergeRequest) bool { return slices.Contains(iids, m.iid) })
	}
	if of == ofGroup && c.Bool("non_archived", true) {
		f.Add(func(m *MergeRequest) bool { return !m.project.archived })
	}
	if refusal := c.filterApprovals(&f); refusal != nil {
		return nil, refusal
	}
	return f, c.Refusal()
}

// A listOwner is the kind of owner of a list.
type listOwner int

const (
	ofProject listOwner = iota
	ofGroup
	ofInstance
)

func (c *call) filterState(f *filter[*MergeRequest]) {
	if state := c.OneOf("state", "opened", "closed", "locked", "merged", "all"); state != "" && state != "all" {
		f.Add(func(m *MergeRequest) bool { return m.state == state })
	}
	if wip := c.OneOf("wip", "yes", "no"); wip != "" {
		f.Add(func(m *MergeRequest) bool { return m.isDraft() == (wip == "yes") })
	}
	if c.Has("draft") {
		draft := c.Bool("draft", false)
		f.Add(func(m *MergeRequest) bool { return m.isDraft() == draft })
	}
	if approved := c.OneOf("approved", "yes", "no"); approved != "" {
		f.Add(func(m *MergeRequest) bool { return m.isApproved() == (approved == "yes") })
	}
}

func (c *call) filterPeople(f *filter[*MergeRequest]) {
	f.Has(idsOf(assignees[*MergeRequest]), c.ID("assignee_id"))
	f.Has(idsOf(reviewers), c.ID("reviewer_id"))
	f.Has(usernamesOf(reviewers), c.Folded("reviewer_username"))
	f.Has(idsOf(mergers), c.Number("merge_user_id"))
	f.Has(usernamesOf(mergers), c.Folded("merge_user_username"))
	not := c.Sub("not")
	f.Lacks(idsOf(assignees[*MergeRequest]), not.Number("assignee_id"))
	f.Lacks(usernamesOf(assignees[*MergeRequest]), not.Folded("assignee_username"))
	f.Lacks(idsOf(reviewers), not.Number("reviewer_id"))
	f.Lacks(usernamesOf(reviewers), not.Folded("reviewer_username"))
}

func (c *call) filterBranches(f *filter[*MergeRequest]) {
	if branch := c.Str("source_branch"); branch != "" {
		f.Add(func(m *MergeRequest) bool { return m.sourceBranch == branch })
	}
	if branch := c.Str("target_branch"); branch != "" {
		f.Add(func(m *MergeRequest) bool { return m.targetBranch == branch })
	}
}

func (c *call) filterDeployments(f *filter[*MergeRequest]) {
	environment := c.Str("environment")
	after, before := c.Time("deployed_after"), c.Time("deployed_before")
	if environment == "" && after.IsZero() && before.IsZero() {
		return
	}
	f.Add(func(m *MergeRequest) bool {
		return slices.ContainsFunc(m.deployments, func(d arrival) bool {
			return (environment == "" || d.environment == environment) &&
				(after.IsZero() || !d.at.Before(after)) && (before.IsZero() || !d.at.After(before))
		})
	})
}

// maxApprovedBy is the maximum number of approved_by_ids.
const maxApprovedBy = 5

func (c *call) filterApprovals(f *filter[*MergeRequest]) *reply {
	if !c.Has("approver_ids") && !c.Has("approved_by_ids") && !c.Has("approved_by_usernames") {
		return nil
	}
	if refusal := c.requireTier(Premium); refusal != nil {
		return refusal
	}
	approvedIDs, names := c.IDs("approved_by_ids", c.List("approved_by_ids")), c.List("approved_by_usernames")
	if len(approvedIDs) > maxApprovedBy {
		c.Problem("approved_by_ids has more than 5 ids")
	}
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	f.Has(idsOf(approvers), c.IDs("approver_ids", c.List("approver_ids")))
	f.Has(idsOf(approvedBy), approvedIDs)
	f.Has(usernamesOf(approvedBy), names)
	return nil
}

// sortMergeRequests sorts merge requests as the parameters say, by default the
// newest first.
func (c *call) sortMergeRequests(requests []*MergeRequest) {
	orderBy := c.OneOf("order_by", "created_at", "title", "updated_at", "merged_at")
	ascending := c.OneOf("sort", "asc", "desc") == "asc"
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
