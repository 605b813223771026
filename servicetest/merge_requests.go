package servicetest

import (
	"errors"
	"fmt"
	"html"
	"net/http"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// findMergeRequest returns the merge request of the path.
func (c *call) findMergeRequest() (*MergeRequest, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	m, ok := project.mergeRequests().get(c.PathID("merge_request_iid"))
	if !ok {
		return nil, frame.NotFound("")
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
		visible[p] = of(p) && c.svc.canSeeProject(c.user, p) && p.serves(c.user, "merge_requests")
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
	kept := filter.Apply(requests)
	c.sortMergeRequests(kept)
	simple, details := c.OneOf("view", "simple") == "simple", c.Bool("with_labels_details", false)
	recheck, rendered := c.Bool("with_merge_status_recheck", false), c.Bool("render_html", false)
	answer := frame.ListOf(c, kept, func(m *MergeRequest) any {
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
	if c.Bool("include_rebase_in_progress", false) {
		form.RebaseInProgress = &m.rebasing
	}
	if c.Bool("include_diverged_commits_count", false) {
		form.DivergedCommitsCount = new(m.diverged())
	}
	if c.Bool("render_html", false) {
		form.TitleHTML, form.DescriptionHTML = m.rendered()
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return c.OK(form)
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
	if text := c.Str("merge_commit_message"); text != "" {
		wish.message = text
	}
	if text := c.Str("squash_commit_message"); text != "" {
		wish.squashMessage = text
	}
	wish.squash = c.Bool("squash", wish.squash)
	wish.removeSource = c.Bool("should_remove_source_branch", wish.removeSource)
	wish.whenSucceeds = c.Bool("auto_merge", c.Bool("merge_when_pipeline_succeeds", false))
	wish.sha = c.Str("sha")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(m.updatedAt); refusal != nil {
		return refusal
	}
	if refusal := c.accept(m, wish); refusal != nil {
		return refusal
	}
	return c.OK(c.details(m))
}

func getMergeRef(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	refs := m.refs()
	if m.state != "opened" || refs.head == nil || refs.start == nil {
		return frame.Message(http.StatusBadRequest, "Merge request is not mergeable: it is "+m.state)
	}
	merged, err := m.project.repository().MergeCommit(refs.start, refs.head, m.defaultWish().message, m.signer().signature(c.now()))
	switch {
	case errors.Is(err, gitrepo.ErrEmptyChange):
		return frame.Message(http.StatusBadRequest, "Merge request is not mergeable: it has no changes")
	case err != nil:
		return frame.Message(http.StatusBadRequest, "Merge request is not mergeable: "+err.Error())
	}
	m.project.repository().SetHidden(fmt.Sprintf("refs/merge-requests/%d/merge", m.iid), merged)
	return c.OK(object{"commit_id": merged.SHA})
}

func cancelMerge(c *call) *reply {
	m, refusal := c.findMergeRequest()
	switch {
	case refusal != nil:
		return refusal
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

func rebaseMergeRequest(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	skipCI := c.Bool("skip_ci", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !m.mayPush(c.user) {
		return frame.Forbidden("Cannot push to source branch")
	}
	if m.svc.moving(m.source) {
		return frame.Forbidden(readOnly)
	}
	if m.state != "opened" || m.head() == nil {
		return notAllowed()
	}
	m.rebase(c.user, skipCI)
	return c.Accepted(object{"rebase_in_progress": true})
}

func listClosedIssues(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	if titles := state[issueState](c.svc).external[m.project]; titles != nil {
		return frame.ListOf(c, m.closesExternal(titles), func(i externalIssue) externalIssue { return i })
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
	return frame.ListOf(c, issues, func(i *Issue) closedIssue { return i.closed(changes) })
}

func subscribe(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	if m.subscribers[c.user] {
		return &reply{Status: http.StatusNotModified}
	}
	m.subscribe(c.user)
	return c.Created(c.details(m))
}
