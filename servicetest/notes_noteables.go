package servicetest

import (
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A noteable is an object that has notes, as a caller sees it. One of the four
// records is set.
type noteable struct {
	*discussion

	issue        *Issue
	snippet      *Snippet
	mergeRequest *MergeRequest
	epic         *Epic

	kind    string
	id, iid int64       // iid is 0 if there is none
	level   AccessLevel // of the caller
}

func noteableIssue(c *call) (*noteable, *reply) {
	issue, refusal := c.findIssue()
	if refusal != nil {
		return nil, refusal
	}
	return &noteable{
		discussion: &issue.discussion, issue: issue, kind: "Issue", id: issue.id, iid: issue.iid,
		level: c.svc.projectLevel(c.user, issue.project),
	}, nil
}

func noteableSnippet(c *call) (*noteable, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	snippet, ok := state[snippetState](c.svc).snippets.get(c.PathID("snippet_id"))
	if !ok || snippet.project != project || !snippet.visibleTo(c.user) {
		return nil, frame.NotFound("Snippet")
	}
	return &noteable{
		discussion: &snippet.discussion, snippet: snippet, kind: "Snippet", id: snippet.id,
		level: c.svc.projectLevel(c.user, project),
	}, nil
}

func noteableMergeRequest(c *call) (*noteable, *reply) {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return nil, refusal
	}
	return &noteable{
		discussion: &m.discussion, mergeRequest: m, kind: "MergeRequest", id: m.id, iid: m.iid,
		level: c.svc.projectLevel(c.user, m.project),
	}, nil
}

func noteableEpic(c *call) (*noteable, *reply) {
	group, refusal := c.group()
	if refusal != nil {
		return nil, refusal
	}
	epic, ok := state[epicState](c.svc).epics.get(c.PathID("epic_id"))
	if !ok || epic.group != group || !epic.visibleTo(c.user) {
		return nil, frame.NotFound("Epic")
	}
	return &noteable{
		discussion: &epic.discussion, epic: epic, kind: "Epic", id: epic.id, iid: epic.iid,
		level: c.svc.groupLevel(c.user, group),
	}, nil
}

// project returns the project of the noteable, or nil for an epic.
func (on *noteable) project() *Project {
	switch {
	case on.issue != nil:
		return on.issue.project
	case on.mergeRequest != nil:
		return on.mergeRequest.project
	case on.snippet != nil:
		return on.snippet.project
	}
	return nil
}

// isLocked reports whether only members may comment.
func (on *noteable) isLocked() bool {
	return on.issue != nil && on.issue.locked || on.mergeRequest != nil && on.mergeRequest.locked
}

func (on *noteable) title() string {
	if on.snippet != nil {
		return on.snippet.title
	}
	return on.epic.title
}

func (on *noteable) fileName() string {
	if on.snippet != nil {
		return on.snippet.files[0].path
	}
	return ""
}

// hasConfidential reports whether new notes on it may be confidential.
func (on *noteable) hasConfidential() bool { return on.issue != nil || on.epic != nil }

// shows reports whether a caller may see a note.
func (on *noteable) shows(n *Note, user *User) bool {
	return !n.confidential || on.level >= Reporter || n.author == user
}

// changed records that somebody wrote something.
func (on *noteable) changed(now time.Time) {
	switch {
	case on.issue != nil:
		on.issue.updatedAt = now
	case on.mergeRequest != nil:
		on.mergeRequest.change()
		on.mergeRequest.mergeIfReady()
	case on.epic != nil:
		on.epic.updatedAt = now
	}
}

// onNoteable makes a handler from one that is the same for all four kinds.
func onNoteable(find func(*call) (*noteable, *reply), handle func(*call, *noteable) *reply) func(*call) *reply {
	return func(c *call) *reply {
		on, refusal := find(c)
		if refusal != nil {
			return refusal
		}
		return handle(c, on)
	}
}
