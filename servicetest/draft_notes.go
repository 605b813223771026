package servicetest

import (
	"cmp"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// draftNotes keeps the draft notes of all merge requests.
type draftNotes struct{ table[*draftNote] }

// A draftNote is a comment of a review that only its author sees.
type draftNote struct {
	id       int64
	request  *MergeRequest
	author   *User
	body     string
	commitID string
	reply    string // ID of the discussion that it replies to, or ""
	resolves bool
	position *position
}

func (d *draftNote) key() int64 { return d.id }

// draftsOf returns the caller's draft notes on a merge request, oldest first.
func (c *call) draftsOf(m *MergeRequest) []*draftNote {
	return state[draftNotes](c.svc).all(func(d *draftNote) bool { return d.request == m && d.author == c.user })
}

func (d *draftNote) json() object {
	o := object{
		"id": d.id, "author_id": d.author.id, "merge_request_id": d.request.id, "resolve_discussion": d.resolves,
		"discussion_id": jsonText(d.reply), "note": d.body, "commit_id": jsonText(d.commitID),
		"line_code": (&Note{position: d.position}).lineCode(), "position": d.position,
	}
	if d.position == nil {
		o["position"] = object{
			"base_sha": nil, "start_sha": nil, "head_sha": nil, "old_path": nil, "new_path": nil, "old_line": nil,
			"new_line": nil, "line_range": nil, "position_type": "text",
		}
	}
	return o
}

// listDraftNotes returns all draft notes at once.
func listDraftNotes(c *call, on *noteable) *reply {
	return c.OK(mapped(c.draftsOf(on.mergeRequest), (*draftNote).json))
}

// findDraft returns the draft note of the path.
func (c *call) findDraft() (*draftNote, *reply) {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return nil, refusal
	}
	d, ok := state[draftNotes](c.svc).get(c.PathInt64("draft_note_id"))
	if !ok || d.request != m || d.author != c.user {
		return nil, frame.NotFound("")
	}
	return d, nil
}

func getDraftNote(c *call, d *draftNote) *reply { return c.OK(d.json()) }

func createDraftNote(c *call, on *noteable) *reply {
	if on.isLocked() && on.level < Guest {
		return frame.Forbidden("")
	}
	c.RequireGiven("note")
	d := &draftNote{
		request: on.mergeRequest, author: c.user, body: c.String("note"), commitID: c.String("commit_id"),
		reply: c.String("in_reply_to_discussion_id"), resolves: c.Bool("resolve_discussion"),
	}
	if refusal := cmp.Or(c.place(d), bodyProblem(d.body)); refusal != nil {
		return refusal
	}
	if d.commitID != "" && !slices.ContainsFunc(d.request.commits(), hasSHA(d.commitID)) {
		return frame.FieldErrors("commit_id", "is not of the merge request")
	}
	if d.reply != "" {
		if d.thread() == nil {
			return frame.FieldErrors("base", "Thread to reply to cannot be found")
		}
		if d.resolves && c.mayResolve(on) != nil {
			return frame.FieldErrors("base", "User is not allowed to resolve thread")
		}
	}
	d.id, _ = state[draftNotes](c.svc).add(0, d)
	return c.Created(d.json())
}

// place reads the position of a draft note.
func (c *call) place(d *draftNote) *reply {
	at, refusal := c.givenPosition()
	if refusal != nil {
		return refusal
	}
	if at != nil && !d.request.fits(at) {
		return frame.FieldErrors("line_code", badLineCode...)
	}
	d.position = at
	return nil
}

// thread returns the discussion that the draft note replies to.
func (d *draftNote) thread() *thread {
	return one(d.request.threads(), func(t *thread) bool { return t.id == d.reply })
}

func updateDraftNote(c *call, d *draftNote) *reply {
	if c.String("note") == "" {
		return frame.BadRequest("Missing params to modify")
	}
	edited := *d
	edited.body = c.String("note")
	if refusal := cmp.Or(c.place(&edited), bodyProblem(edited.body)); refusal != nil {
		return refusal
	}
	*d = edited
	return c.OK(d.json())
}

func deleteDraftNote(c *call, d *draftNote) *reply {
	state[draftNotes](c.svc).remove(d.id)
	return c.NoContent()
}

func publishDraftNote(c *call, d *draftNote) *reply {
	c.publish(d)
	noteableOf(d.request).changed(c.now())
	return c.NoContent()
}

// publish makes a note of a draft note. If the discussion that it replies to is gone, the
// note starts another.
func (c *call) publish(d *draftNote) {
	state[draftNotes](c.svc).remove(d.id)
	t := d.thread()
	n := c.svc.addNote(&d.request.discussion, d.body, c.user)
	n.position, n.commitID = d.position, d.commitID
	if t == nil {
		n.thread, n.threaded = n.threadID(), true
		return
	}
	t.reply(n)
	for _, note := range t.notes {
		note.resolve(d.resolves, c.user, c.now())
	}
}

func publishDraftNotes(c *call, on *noteable) *reply {
	m, summary, internal := on.mergeRequest, c.String("note"), c.Bool("internal")
	state := c.StringIn("reviewer_state", "reviewed", "requested_changes", "approved")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	for _, d := range c.draftsOf(m) {
		c.publish(d)
	}
	if summary != "" {
		c.svc.addNote(on.discussion, summary, c.user).confidential = internal
	}
	if state != "" {
		put(&m.reviews, c.user, state)
	}
	on.changed(c.now())
	return c.NoContent()
}
