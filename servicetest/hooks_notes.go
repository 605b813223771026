package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A noteTarget is an object with comments and reactions.
type noteTarget struct {
	kind         string
	id           any // nil for commits
	project      *Project
	url          string
	confidential bool
	member       string // that the event has it in
	form         func() any
	awards       *awards
}

// lookAtNotes reports comments and reactions. Hooks do not learn of system notes, or
// that a comment was deleted.
func (w *hookWatch) lookAtNotes(issues []*Issue, requests []*MergeRequest) {
	notes := make(map[any][]*Note)
	for _, n := range take(&w.changed, (*Note).ID) {
		notes[n.on] = append(notes[n.on], n)
	}
	visit := func(record any) {
		target, told := noteTargetOf(record)
		if !told {
			return
		}
		w.lookAtReactions(target, nil)
		for _, n := range notes[record] {
			if !n.deleted {
				w.lookAtNote(target, n)
			}
		}
	}
	each(issues, visit)
	each(requests, visit)
	each(lookAt(w, (*Snippet).ID, func(*Snippet) {}, nil), visit)
	discussions := state[commitDiscussions](w.svc).on
	each(lookAt(w, func(d *commitDiscussion) int64 { return int64(slices.Index(discussions, d)) },
		func(*commitDiscussion) {}, nil), visit)
}

func (w *hookWatch) lookAtNote(target noteTarget, n *Note) {
	switch before, known := w.saw(n, n.body); {
	case n.system:
	case !known:
		w.tell(w.noteEvent(n, target, "create"))
	case before != n.body:
		w.tell(w.noteEvent(n, target, "update"))
	}
	w.lookAtReactions(target, n)
}

// noteTargetOf returns the target of comments for a record, if hooks get events about
// them.
func noteTargetOf(record any) (target noteTarget, told bool) {
	switch r := record.(type) {
	case *Issue:
		return noteTarget{
			kind: "Issue", id: r.id, project: r.project, member: "issue", confidential: r.confidential,
			url: r.project.webURL("-/issues", frame.Itoa(r.iid)), form: func() any { return r.hookForm() },
			awards: &r.awards,
		}, true
	case *MergeRequest:
		return noteTarget{
			kind: "MergeRequest", id: r.id, project: r.project, member: "merge_request",
			url: r.project.webURL("-/merge_requests", frame.Itoa(r.iid)), form: func() any { return r.hookForm() },
			awards: &r.awards,
		}, true
	case *Snippet:
		return noteTarget{
			kind: "Snippet", id: r.id, project: r.project, member: "snippet",
			url: r.webURL(), form: func() any { return r.hookForm() }, awards: &r.awards,
		}, r.project != nil
	case *commitDiscussion:
		return noteTarget{
			kind: "Commit", project: r.project, member: "commit", awards: &r.awards,
			url: r.project.webURL("-/commit", r.commit.SHA), form: func() any { return r.project.hookCommit(r.commit) },
		}, true
	}
	return noteTarget{}, false
}

func (w *hookWatch) noteEvent(n *Note, target noteTarget, action string) hookEvent {
	p, kind := target.project, "note"
	e := hookEvent{header: "Note Hook", on: "note_events", project: p}
	if n.confidential || target.confidential {
		e.header, e.on, kind = "Confidential Note Hook", "confidential_note_events", "confidential_note"
	}
	e.body = func() object {
		form := n.hookForm(target.kind, target.id, p, target.url)
		form["action"] = action
		return object{
			"object_kind": "note", "event_type": kind, "user": w.by(n.author).hookUser(), "project_id": p.id,
			"project": p.hookProject(true), "repository": p.hookRepository(false), "object_attributes": form,
			target.member: target.form(),
		}
	}
	return e
}

// A reactionTarget is an object or a comment that got a reaction.
type reactionTarget struct {
	noteTarget
	note *Note // nil if it is not on a comment
}

// lookAtReactions reports reactions on an object, or on one of its comments, that were
// given or taken back.
func (w *hookWatch) lookAtReactions(target noteTarget, n *Note) {
	given := target.awards
	if n != nil {
		given = &n.awards
	}
	at := reactionTarget{target, n}
	seen, _ := w.known[reactionsTo{given}]
	before, _ := seen.([]*award)
	if len(before)+len(given.reactions) == 0 {
		return
	}
	w.saw(reactionsTo{given}, slices.Clone(given.reactions))
	for _, r := range given.reactions {
		if !slices.Contains(before, r) {
			w.tellReaction(r, at, "award")
		}
	}
	for _, r := range before {
		if !slices.Contains(given.reactions, r) && !r.user.gone {
			w.gone = append(w.gone, func() { w.tellReaction(r, at, "revoke") })
		}
	}
}

func (w *hookWatch) tellReaction(r *award, at reactionTarget, action string) {
	w.tell(hookEvent{header: "Emoji Hook", on: "emoji_events", project: at.project,
		body: func() object { return w.reactionBody(r, at, action) }})
}

// reactionBody returns the event about a reaction.
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
