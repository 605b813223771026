package servicetest

import (
	"errors"
	"fmt"
	"html"
	"net/http"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// findMergeRequest returns the merge request of the path.
func (c *call) findMergeRequest() (*MergeRequest, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	m, ok := project.mergeRequests().get(c.pathID("merge_request_iid"))
	if !ok {
		return nil, notFound("")
	}
	return m, nil
}

func listMergeRequests(c *call) *reply {
	return c.mergeRequestList(ofInstance, c.visibleRequests(func(*Project) bool { return true }))
}

func listGroupMergeRequests(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	return c.mergeRequestList(ofGroup, c.visibleRequests(func(p *Project) bool { return p.within(group) }))
}

// visibleRequests returns the merge requests that the caller can see, of the
// projects for which of reports true.
func (c *call) visibleRequests(of func(*Project) bool) []*MergeRequest {
	visible := make(map[*Project]bool)
	for i := range c.svc.projects.len() {
		p := c.svc.projects.at(i)
		visible[p] = of(p) && c.svc.canSeeProject(c.user, p)
	}
	return state[mergeRequestState](c.svc).requests.all(func(m *MergeRequest) bool { return visible[m.project] })
}

func listProjectMergeRequests(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
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
	kept := filter.apply(requests)
	c.sortMergeRequests(kept)
	simple, details := c.oneOf("view", "simple") == "simple", c.bool("with_labels_details", false)
	recheck, rendered := c.bool("with_merge_status_recheck", false), c.bool("render_html", false)
	answer := listOf(c, kept, func(m *MergeRequest) any {
		if simple {
			return m.simple()
		}
		form := m.json(details)
		if rendered {
			form.TitleHTML, form.DescriptionHTML = m.rendered()
		}
		return form
	})
	if recheck {
		for _, m := range kept {
			m.check() // is shown by the next responses
		}
	}
	return answer
}

func getMergeRequest(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	form := c.details(m)
	if c.bool("include_rebase_in_progress", false) {
		form.RebaseInProgress = &m.rebasing
	}
	if c.bool("include_diverged_commits_count", false) {
		form.DivergedCommitsCount = new(m.diverged())
	}
	if c.bool("render_html", false) {
		form.TitleHTML, form.DescriptionHTML = m.rendered()
	}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	return c.ok(form)
}

// rendered returns the title and the description as HTML.
func (m *MergeRequest) rendered() (title, description *string) {
	return new(html.EscapeString(m.title)), new("<p>" + html.EscapeString(m.description) + "</p>")
}

func mergeMergeRequest(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	wish := m.defaultWish()
	if text := c.str("merge_commit_message"); text != "" {
		wish.message = text
	}
	if text := c.str("squash_commit_message"); text != "" {
		wish.squashMessage = text
	}
	wish.squash = c.bool("squash", wish.squash)
	wish.removeSource = c.bool("should_remove_source_branch", wish.removeSource)
	wish.whenSucceeds = c.bool("auto_merge", c.bool("merge_when_pipeline_succeeds", false))
	wish.sha = c.str("sha")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.unchanged(m.updatedAt); refusal != nil {
		return refusal
	}
	if refusal := c.accept(m, wish); refusal != nil {
		return refusal
	}
	return c.ok(c.details(m))
}

func getMergeRef(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	refs := m.refs()
	if m.state != "opened" || refs.head == nil || refs.start == nil {
		return message(http.StatusBadRequest, "Merge request is not mergeable: it is "+m.state)
	}
	merged, err := m.project.repository().MergeCommit(refs.start, refs.head, m.defaultWish().message, m.signer().signature(c.now()))
	switch {
	case errors.Is(err, gitrepo.ErrEmptyChange):
		return message(http.StatusBadRequest, "Merge request is not mergeable: it has no changes")
	case err != nil:
		return message(http.StatusBadRequest, "Merge request is not mergeable: "+err.Error())
	}
	m.project.repository().SetHidden(fmt.Sprintf("refs/merge-requests/%d/merge", m.iid), merged)
	return c.ok(object{"commit_id": merged.SHA})
}

func cancelMerge(c *call) *reply {
	m, refusal := c.findMergeRequest()
	switch {
	case refusal != nil:
		return refusal
	case !m.mayMerge(c.user):
		return unauthorized()
	case m.state != "opened":
		return notAllowed()
	case m.later == nil:
		return message(http.StatusNotAcceptable, "406 Not Acceptable")
	}
	m.stopWaiting()
	m.mergeUser = nil
	m.change()
	return c.created(c.details(m))
}

func rebaseMergeRequest(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	skipCI := c.bool("skip_ci", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if !m.mayPush(c.user) {
		return forbidden("Cannot push to source branch")
	}
	if m.svc.moving(m.source) {
		return forbidden(readOnly)
	}
	if m.state != "opened" || m.head() == nil {
		return notAllowed()
	}
	m.rebase(c.user, skipCI)
	return c.accepted(object{"rebase_in_progress": true})
}

func listClosedIssues(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	if titles := state[issueState](c.svc).external[m.project]; titles != nil {
		return listOf(c, m.closesExternal(titles), func(i externalIssue) externalIssue { return i })
	}
	refs := m.refs()
	changes := 0
	if refs.head != nil && refs.base != nil {
		changes = gitrepo.CountFiles(refs.base.Tree, refs.head.Tree)
	}
	var issues []*Issue
	for _, issue := range m.closes() {
		if issue.visibleTo(c.user) {
			issues = append(issues, issue)
		}
	}
	return listOf(c, issues, func(i *Issue) closedIssue { return i.closed(changes) })
}

func subscribe(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	if m.subscribers[c.user] {
		return &reply{status: http.StatusNotModified}
	}
	m.subscribe(c.user)
	return c.created(c.details(m))
}
