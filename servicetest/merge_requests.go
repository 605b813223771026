package servicetest

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
	"example.com/serviceapi/servicetest/internal/markdown"
)

// findMergeRequest returns the merge request of the path.
func (c *call) findMergeRequest() (*MergeRequest, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	m, ok := project.mergeRequests().get(c.PathInt64("merge_request_iid"))
	if !ok {
		return nil, frame.NotFound("")
	}
	c.found(m)
	return m, nil
}

func listMergeRequests(c *call) *reply {
	return c.mergeRequestList(ofInstance, c.visibleRequests(func(*Project) bool { return true }))
}

func listGroupMergeRequests(c *call, group *Group) *reply {
	return c.mergeRequestList(ofGroup, c.visibleRequests(func(p *Project) bool { return p.within(group) }))
}

// visibleRequests returns the merge requests that the caller can see, in projects that
// a function accepts.
func (c *call) visibleRequests(of func(*Project) bool) []*MergeRequest {
	visible := make(map[*Project]bool)
	for i := range c.svc.projects.len() {
		p := c.svc.projects.at(i)
		visible[p] = of(p) && c.svc.canSeeProject(c.user, p) && p.serves(c.user, "merge_requests")
	}
	return state[mergeRequestState](c.svc).requests.all(func(m *MergeRequest) bool { return visible[m.project] })
}

func listProjectMergeRequests(c *call, project *Project) *reply {
	return c.mergeRequestPage(project.mergeRequests().all(nil))
}

// mergeRequestPage returns a page of merge requests with the filters and orders
// of a project's list.
func (c *call) mergeRequestPage(requests []*MergeRequest) *reply {
	return c.mergeRequestList(ofProject, requests)
}

func (c *call) mergeRequestList(owner listOwner, requests []*MergeRequest) *reply {
	filter, refusal := c.mergeRequestFilter(owner)
	if refusal != nil {
		return refusal
	}
	kept := filter.Apply(requests)
	collection.Sort(c.Fields, kept, "desc", (*MergeRequest).ID, mergeRequestOrders)
	simple, details := c.StringIn("view", "simple") == "simple", c.Bool("with_labels_details")
	recheck := c.Bool("with_merge_status_recheck")
	answer := frame.ListOf(c, kept, func(m *MergeRequest) any {
		if simple {
			return m.simple()
		}
		return m.json(details)
	})
	if recheck {
		for _, m := range kept {
			m.check() // the next responses show the result
		}
	}
	return answer
}

func getMergeRequest(c *call, m *MergeRequest) *reply {
	form := c.details(m)
	if c.Bool("include_rebase_in_progress") {
		form.RebaseInProgress = &m.rebasing
	}
	if c.Bool("include_diverged_commits_count") {
		form.DivergedCommitsCount = new(m.diverged())
	}
	if c.Bool("render_html") {
		form.TitleHTML, form.DescriptionHTML = m.rendered()
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return c.OK(form)
}

// rendered returns the title, which is no Markdown, and the description as HTML.
func (m *MergeRequest) rendered() (title, description *string) {
	return new(html.EscapeString(m.title)), new(markdown.Render(m.description))
}

func mergeMergeRequest(c *call, m *MergeRequest) *reply {
	wish := m.defaultWish()
	wish.message = either(c.String("merge_commit_message"), wish.message)
	wish.squashMessage = either(c.String("squash_commit_message"), wish.squashMessage)
	wish.squash = c.BoolOr("squash", wish.squash)
	wish.removeSource = c.BoolOr("should_remove_source_branch", wish.removeSource)
	wish.whenSucceeds = c.BoolOr("auto_merge", c.Bool("merge_when_pipeline_succeeds"))
	wish.sha = c.String("sha")
	wish.sparesTrain = c.Bool("skip_merge_train")
	if refusal := cmp.Or(c.Refusal(), c.Unchanged(m.updatedAt)); refusal != nil {
		return refusal
	}
	if refusal := c.accept(m, wish); refusal != nil {
		return refusal
	}
	return c.OK(c.details(m))
}

func getMergeRef(c *call, m *MergeRequest) *reply {
	refs := m.refs()
	if m.state != "opened" || refs.head == nil || refs.start == nil {
		return frame.Message(http.StatusBadRequest, "Merge request is not mergeable: it is "+m.state)
	}
	merged, err := m.project.repository().MergeCommit(refs.start, refs.head, m.defaultWish().message,
		m.signer().signature(c.now()))
	switch {
	case errors.Is(err, gitrepo.ErrEmptyChange):
		return frame.Message(http.StatusBadRequest, "Merge request is not mergeable: it has no changes")
	case err != nil:
		return frame.Message(http.StatusBadRequest, "Merge request is not mergeable: "+err.Error())
	}
	m.project.repository().SetHidden(fmt.Sprintf("refs/merge-requests/%d/merge", m.iid), merged)
	return c.OK(object{"commit_id": merged.SHA})
}

func cancelMerge(c *call, m *MergeRequest) *reply {
	switch {
	case !m.mayMerge(c.user):
		return frame.Unauthorized()
	case m.state != "opened":
		return notAllowed()
	case m.later == nil:
		return frame.Message(http.StatusNotAcceptable, "406 Not Acceptable")
	}
	m.stopWaiting()
	m.mergeUser = nil
	m.tell(c.user, "canceled the automatic merge")
	m.change()
	return c.Created(c.details(m))
}

func rebaseMergeRequest(c *call, m *MergeRequest) *reply {
	skipCI := c.Bool("skip_ci")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	switch {
	case !m.mayPush(c.user):
		return frame.Forbidden("Cannot push to source branch")
	case !m.source.takesForce(m.sourceBranch):
		return frame.Forbidden("Source branch is protected from force push")
	case m.svc.moving(m.source):
		return frame.Forbidden(readOnly)
	case m.state != "opened" || m.head() == nil:
		return notAllowed()
	}
	m.rebase(c.user, skipCI)
	return c.Accepted(object{"rebase_in_progress": true})
}

func listClosedIssues(c *call, m *MergeRequest) *reply {
	if titles := state[issueState](c.svc).external[m.project]; titles != nil {
		return frame.ListOf(c, m.closesExternal(titles), func(i externalIssue) externalIssue { return i })
	}
	refs := m.refs()
	changes := 0
	if refs.head != nil && refs.base != nil {
		changes = gitrepo.CountFiles(refs.base.Tree, refs.head.Tree)
	}
	issues := only(m.closes(), func(issue *Issue) bool { return issue.visibleTo(c.user) })
	return frame.ListOf(c, issues, func(i *Issue) jsonBytes { return i.closed(changes) })
}

func createMergeRequest(c *call, source *Project) *reply {
	c.Require("source_branch", "target_branch", "title")
	target := source
	if id := c.Int64("target_project_id"); id != 0 && id != source.id {
		var ok bool
		if target, ok = c.svc.projects.get(id); !ok || !c.seesProject(target) {
			return c.unfit("Target project is out of reach")
		}
	}
	if target.archived {
		return frame.Forbidden("")
	}
	m := target.draftMergeRequest(source, c.user)
	m.sourceBranch, m.targetBranch = c.String("source_branch"), c.String("target_branch")
	m.applyDefaults()
	if refusal := c.changeMergeRequest(m); refusal != nil {
		return refusal
	}
	if refusal := c.branchProblem(m); refusal != nil {
		return refusal
	}
	if n := c.Int64("approvals_before_merge"); c.Has("approvals_before_merge") && c.hasTier(Premium) {
		m.requireApprovals(n)
	}
	m.store()
	m.tellOpening(c.user)
	m.prepare()
	return c.Created(c.details(m))
}

// unfit returns a 422 with a reason.
func (c *call) unfit(reason string) *reply {
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return frame.JSONReply(http.StatusUnprocessableEntity, object{"message": []string{reason}})
}

// branchProblem refuses a merge request with branches that cannot be merged, or that
// already have an open one.
func (c *call) branchProblem(m *MergeRequest) *reply {
	switch {
	case m.source == m.project && m.sourceBranch == m.targetBranch:
		return c.unfit("You can't use same project/branch for source and target")
	case m.source != m.project && !m.source.isForkOf(m.project):
		return c.unfit("Source project is not a fork of the target project")
	case m.source.repository().Branch(m.sourceBranch) == nil:
		return frame.FieldErrors("source_branch", "does not exist")
	case m.project.repository().Branch(m.targetBranch) == nil:
		return frame.FieldErrors("target_branch", "does not exist")
	}
	for _, other := range m.project.mergeRequests().all(nil) {
		if other != m && other.state == "opened" && other.source == m.source && other.sourceBranch == m.sourceBranch &&
			other.targetBranch == m.targetBranch && other.iid != m.iid {
			return frame.JSONReply(http.StatusConflict, object{"message": []string{
				"Another open merge request already exists for this source branch: !" + frame.Itoa(other.iid),
			}})
		}
	}
	return nil
}

// isForkOf reports whether a project can have merge requests to another: it is a fork,
// or shares a commit.
func (p *Project) isForkOf(other *Project) bool {
	first := other.repository().Branch(other.defaultBranch)
	return first != nil && p.repository().Commit(first.SHA) != nil
}

// changeMergeRequest applies the parameters of opening and of updating to a draft.
func (c *call) changeMergeRequest(m *MergeRequest) *reply {
	if c.Has("reviewer_ids") {
		before := m.reviewers
		m.reviewers = c.usersOf("reviewer_ids")
		if len(m.reviewers) > 1 && !c.hasTier(Premium) {
			m.reviewers = m.reviewers[:1]
		}
		m.askReviewers(before, c.now())
	}
	m.removeSource = c.BoolOr("remove_source_branch", m.removeSource)
	m.squash = c.BoolOr("squash", m.squash)
	m.allowsPush = c.BoolOr("allow_collaboration", c.BoolOr("allow_maintainer_to_push", m.allowsPush)) &&
		m.source != m.project
	given(c, "merge_after", c.Time, &m.mergeAfter)
	return c.changeTopic(&m.topic, m.project)
}

func updateMergeRequest(c *call, m *MergeRequest) *reply {
	if !m.mayChange(c.user) {
		return frame.Forbidden("")
	}
	if refusal := c.changesNothing("target_branch", "title", "state_event", "add_labels", "remove_labels",
		"discussion_locked",
		"allow_collaboration", "allow_maintainer_to_push", "assignee_id", "assignee_ids", "description", "labels",
		"merge_after", "milestone_id",
		"remove_source_branch", "reviewer_ids", "squash"); refusal != nil {
		return refusal
	}
	event := c.StringIn("state_event", "close", "reopen")
	edited := *m
	edited.targetBranch = either(c.String("target_branch"), m.targetBranch)
	if refusal := cmp.Or(c.changeMergeRequest(&edited), c.Unchanged(m.updatedAt)); refusal != nil {
		return refusal
	}
	if edited.targetBranch != m.targetBranch || event == "reopen" && m.state == "closed" {
		if refusal := c.branchProblem(&edited); refusal != nil {
			return refusal
		}
	}
	before := *m
	*m = edited
	m.project.keepLabels(m.labels)
	m.tellChanges(before, c.user)
	m.edited(before.topic, c.user)
	if event != "" {
		m.setOpen(event == "reopen", c.user)
	}
	if m.targetBranch != before.targetBranch {
		m.takeApprovalRules()
	}
	m.check()
	m.change()
	m.mergeIfReady()
	return c.OK(c.details(m))
}

func deleteMergeRequest(c *call, m *MergeRequest) *reply {
	if refusal := c.Unchanged(m.updatedAt); refusal != nil {
		return refusal
	}
	m.remove()
	return c.NoContent()
}

// askReviewers records when reviewers who are new were asked.
func (m *MergeRequest) askReviewers(before []*User, now time.Time) {
	asked := make(map[*User]time.Time, len(m.reviewers))
	for _, user := range m.reviewers {
		if asked[user] = now; slices.Contains(before, user) {
			asked[user] = m.asked[user]
		}
	}
	m.asked = asked
}

// reviewState returns the state of a reviewer's review.
func (m *MergeRequest) reviewState(user *User) string {
	if !m.approvedAt[user].IsZero() {
		return "approved"
	}
	return either(m.reviews[user], "unreviewed")
}

func listReviewers(c *call, m *MergeRequest) *reply {
	return frame.ListOf(c, m.reviewers, func(user *User) object {
		at := m.asked[user]
		if at.IsZero() {
			at = m.createdAt // opened with this reviewer
		}
		return object{"user": user.summary(), "state": m.reviewState(user), "created_at": jsonTime(at)}
	})
}

func reviewers(m *MergeRequest) []*User  { return m.reviewers }
func approvedBy(m *MergeRequest) []*User { return m.approvals() }
func approvers(m *MergeRequest) []*User {
	var named []*User
	for _, r := range m.rules {
		named = append(named, r.users...)
	}
	return named
}

func mergers(m *MergeRequest) []*User {
	if m.state != "merged" || m.mergeUser.shown() == nil {
		return nil
	}
	return []*User{m.mergeUser.shown()}
}

// mergeRequestFilter reads the filters. Some exist only in the lists of all projects
// and of a group, others only in a project's list. In 15.2, a project's list had
// neither the parameter in nor the times of deployments.
func (c *call) mergeRequestFilter(of listOwner) (filter[*MergeRequest], *reply) {
	var f filter[*MergeRequest]
	filterTopics(c, &f)
	filterSearch(c, &f, true)
	filterScope(c, &f, of == ofInstance)
	c.Exclusive("assignee_id", "assignee_username")
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
	if of == ofGroup && c.BoolOr("non_archived", true) {
		f.Add(func(m *MergeRequest) bool { return !m.project.archived })
	}
	if refusal := c.filterApprovals(&f); refusal != nil {
		return nil, refusal
	}
	return f, c.Refusal()
}

// A listOwner says whose list it is.
type listOwner int

const (
	ofProject listOwner = iota
	ofGroup
	ofInstance
)

func (c *call) filterState(f *filter[*MergeRequest]) {
	if state := c.StringIn("state", "opened", "closed", "locked", "merged", "all"); state != "" && state != "all" {
		f.Add(func(m *MergeRequest) bool { return m.state == state })
	}
	if wip := c.StringIn("wip", "yes", "no"); wip != "" {
		f.Add(func(m *MergeRequest) bool { return m.isDraft() == (wip == "yes") })
	}
	if approved := c.StringIn("approved", "yes", "no"); approved != "" {
		f.Add(func(m *MergeRequest) bool { return m.isApproved() == (approved == "yes") })
	}
}

func (c *call) filterPeople(f *filter[*MergeRequest]) {
	f.Has(idsOf(assignees[*MergeRequest]), c.WantedIDOrWord("assignee_id"))
	names := c.Strings("assignee_username")
	if len(names) > 1 && !c.hasTier(Premium) {
		c.Problem(fmt.Sprintf("assignee_username allows one value, but found %d", len(names)))
	}
	for _, name := range names {
		f.Add(func(m *MergeRequest) bool {
			return slices.ContainsFunc(m.assignees, func(u *User) bool { return strings.EqualFold(u.username, name) })
		})
	}
	f.Has(idsOf(reviewers), c.WantedIDOrWord("reviewer_id"))
	f.Has(usernamesOf(reviewers), c.WantedFold("reviewer_username"))
	f.Has(idsOf(mergers), c.WantedID("merge_user_id"))
	f.Has(usernamesOf(mergers), c.WantedFold("merge_user_username"))
	not := c.Sub("not")
	f.Lacks(idsOf(assignees[*MergeRequest]), not.WantedID("assignee_id"))
	f.Lacks(usernamesOf(assignees[*MergeRequest]), not.WantedFold("assignee_username"))
	f.Lacks(idsOf(reviewers), not.WantedID("reviewer_id"))
	f.Lacks(usernamesOf(reviewers), not.WantedFold("reviewer_username"))
}

func (c *call) filterBranches(f *filter[*MergeRequest]) {
	if branch := c.String("source_branch"); branch != "" {
		f.Add(func(m *MergeRequest) bool { return m.sourceBranch == branch })
	}
	if branch := c.String("target_branch"); branch != "" {
		f.Add(func(m *MergeRequest) bool { return m.targetBranch == branch })
	}
	if source := c.Int64("source_project_id"); source != 0 {
		f.Add(func(m *MergeRequest) bool { return m.source != nil && m.source.id == source })
	}
}

func (c *call) filterDeployments(f *filter[*MergeRequest]) {
	environment := c.String("environment")
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
	approvedIDs, names := c.WantedIDsOrWord("approved_by_ids"), c.SplitStrings("approved_by_usernames")
	if len(approvedIDs) > maxApprovedBy {
		c.Problem("approved_by_ids has more than 5 ids")
	}
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	f.Has(idsOf(approvers), c.WantedIDsOrWord("approver_ids"))
	f.Has(idsOf(approvedBy), approvedIDs)
	f.Has(usernamesOf(approvedBy), names)
	return nil
}

var mergeRequestOrders = []collection.Order[MergeRequest]{
	collection.ByTime("created_at", func(m *MergeRequest) time.Time { return m.createdAt }),
	collection.By("title", func(m *MergeRequest) string { return strings.ToLower(m.title) }),
	collection.ByTime("updated_at", func(m *MergeRequest) time.Time { return m.updatedAt }),
	collection.ByTime("merged_at", func(m *MergeRequest) time.Time { return m.mergedAt }),
}
