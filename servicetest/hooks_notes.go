package servicetest

import "example.com/serviceapi/servicetest/internal/frame"

// A noteTarget is what has comments and reactions.
type noteTarget struct {
	key          any // the record
	kind         string
	id           any // null for commits
	project      *Project
	url          string
	confidential bool
	member       string // of the event
	form         func() any
	notes        []*Note
	awards       *awards
}

// lookAtNotes tells of comments and reactions. Comments of the service itself, and the
// deletion of comments, are not told.
func (w *hookWatch) lookAtNotes() {
	w.each(func(target noteTarget) {
		w.saw(target.key, true)
		w.lookAtReactions(target, nil)
		for _, n := range target.notes {
			before, known := w.saw(n, n.body)
			switch {
			case n.system:
			case !known:
				w.tell(w.noteEvent(n, target, "create"))
			case before != n.body:
				w.tell(w.noteEvent(n, target, "update"))
			}
			w.lookAtReactions(target, n)
		}
	})
}

// each visits all that can have comments.
func (w *hookWatch) each(visit func(noteTarget)) {
	s := w.svc
	for _, i := range state[issueState](s).issues.all(nil) {
		visit(noteTarget{
			key: &i.discussion, kind: "Issue", id: i.id, project: i.project, member: "issue",
			confidential: i.confidential,
			url:          i.project.webURL("-/issues", frame.Itoa(i.iid)), form: func() any { return i.hookForm() },
			notes: i.notes, awards: &i.awards,
		})
	}
	for _, m := range state[mergeRequestState](s).requests.all(nil) {
		visit(noteTarget{
			key: &m.discussion, kind: "MergeRequest", id: m.id, project: m.project, member: "merge_request",
			url: m.project.webURL("-/merge_requests", frame.Itoa(m.iid)), form: func() any { return m.hookForm() },
			notes: m.notes, awards: &m.awards,
		})
	}
	for _, n := range state[snippetState](s).snippets.all(func(n *Snippet) bool { return n.project != nil }) {
		visit(noteTarget{
			key: &n.discussion, kind: "Snippet", id: n.id, project: n.project, member: "snippet",
			url: n.webURL(), form: func() any { return n.hookForm() }, notes: n.notes, awards: &n.awards,
		})
	}
	for _, c := range state[commitDiscussions](s).on {
		visit(noteTarget{
			key: &c.discussion, kind: "Commit", project: c.project, member: "commit", notes: c.notes, awards: &c.awards,
			url: c.project.webURL("-/commit", c.commit.SHA), form: func() any { return c.project.hookCommit(c.commit) },
		})
	}
}

func (w *hookWatch) noteEvent(n *Note, target noteTarget, action string) hookEvent {
	p := target.project
	form := n.hookForm(target.kind, target.id, p, target.url)
	form["action"] = action
	e := hookEvent{header: "Note Hook", on: "note_events", project: p, body: object{
		"object_kind": "note", "event_type": "note", "user": w.by(n.author).hookUser(), "project_id": p.id,
		"project": p.hookProject(true), "repository": p.hookRepository(false), "object_attributes": form,
		target.member: target.form(),
	}}
	if n.confidential || target.confidential {
		e.header, e.on = "Confidential Note Hook", "confidential_note_events"
		e.body["event_type"] = "confidential_note"
	}
	return e
}

// A reactionTarget is what got a reaction.
type reactionTarget struct {
	noteTarget
	note *Note // nil if it is not on a comment
}

// lookAtReactions tells of those on something, or on a comment there.
func (w *hookWatch) lookAtReactions(target noteTarget, n *Note) {
	given := target.awards
	if n != nil {
		given = &n.awards
	}
	for _, r := range given.reactions {
		at := reactionTarget{target, n}
		if _, known := w.saw(r, at); !known {
			w.tellReaction(r, at, "award")
		}
	}
}

func (w *hookWatch) tellReaction(r *award, at reactionTarget, action string) {
	body := w.reactionBody(r, at, action)
	w.tell(hookEvent{header: "Emoji Hook", on: "emoji_events", project: at.project, body: body})
}

// reactionBody is the event about a reaction.
func (w *hookWatch) reactionBody(r *award, at reactionTarget, action string) object {
	p := at.project
	form := object{
		"id": r.id, "user_id": r.user.id, "name": r.name, "awardable_type": at.kind, "awardable_id": at.id,
		"action":     action,
		"created_at": hookTime(r.createdAt), "updated_at": hookTime(r.createdAt), "awarded_on_url": at.url,
	}
	body := object{
		"object_kind": "emoji", "event_type": action, "user": r.user.hookUser(), "project_id": p.id,
		"project": p.hookProject(true), "object_attributes": form,
	}
	if n := at.note; n != nil {
		note := n.hookForm(at.kind, at.id, p, at.url)
		form["awardable_type"], form["awardable_id"], form["awarded_on_url"] = "Note", n.id, note["url"]
		body["note"] = note
	}
	if target := at.form(); at.member == "snippet" {
		snippet := target.(object)
		snippet["secret"], snippet["repository_read_only"], snippet["expires_at"] = false, false, nil
		body["project_snippet"] = snippet
	} else {
		body[at.member] = target
	}
	return body
}

// revoked tells of a reaction that was removed, unless what had it is gone, too.
func (w *hookWatch) revoked(r *award) {
	at := w.known[r].(reactionTarget)
	_, there := w.next[at.key]
	if at.note != nil {
		_, there = w.next[at.note]
	}
	if there && !r.user.gone {
		w.tellReaction(r, at, "revoke")
	}
}
