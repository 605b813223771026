package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

func listDiscussions(c *call, on *noteable) *reply {
	var threads []*thread
	for _, t := range on.threads() {
		t.notes = slices.DeleteFunc(t.notes, func(n *Note) bool { return !on.shows(n, c.user) })
		if len(t.notes) > 0 {
			threads = append(threads, t)
		}
	}
	return frame.ListOf(c, threads, func(t *thread) threadObject { return t.json(on) })
}

// findThread returns the discussion of the path.
func (c *call) findThread(on *noteable) (*thread, *reply) {
	for _, t := range on.threads() {
		if t.id == c.PathText("discussion_id") && on.shows(t.notes[0], c.user) {
			return t, nil
		}
	}
	return nil, frame.NotFound("Discussion")
}

func createDiscussion(c *call, on *noteable) *reply {
	var place *position
	commit := ""
	if m := on.mergeRequest; m != nil {
		var refusal *reply
		if place, refusal = c.readPosition(m); refusal != nil {
			return refusal
		}
		if commit = c.Str("commit_id"); commit != "" && !slices.ContainsFunc(m.commits(), hasSHA(commit)) {
			return invalidNote("commit_id", "is not of the merge request")
		}
	}
	note, ended := c.writeNote(on)
	if ended != nil {
		return ended
	}
	note.thread, note.threaded, note.position, note.commitID = note.threadID(), true, place, commit
	return c.Created((&thread{note.thread, []*Note{note}}).json(on))
}

func replyToDiscussion(c *call, on *noteable) *reply {
	t, refusal := c.findThread(on)
	if refusal != nil {
		return refusal
	}
	note, ended := c.writeNote(on)
	if ended != nil {
		return ended
	}
	t.reply(note)
	note.confidential = t.notes[0].confidential
	return c.Created(note.json(on))
}

// mayResolve refuses callers who may not resolve the discussions of a merge
// request.
func (c *call) mayResolve(on *noteable) *reply {
	if on.level < Developer && c.user != on.mergeRequest.author {
		return frame.Forbidden("")
	}
	return nil
}

func resolveDiscussion(c *call, on *noteable) *reply {
	t, refusal := c.findThread(on)
	if refusal != nil {
		return refusal
	}
	c.Require("resolved")
	resolved := c.Bool("resolved", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.mayResolve(on); refusal != nil {
		return refusal
	}
	if !t.isThread() {
		return frame.BadRequest("the discussion cannot be resolved")
	}
	for _, note := range t.notes {
		note.resolve(resolved, c.user, c.now())
	}
	on.changed(c.now())
	return c.OK(t.json(on))
}

// inThread refuses a note that is not in the discussion of the path.
func (c *call) inThread(on *noteable) *reply {
	t, refusal := c.findThread(on)
	if refusal != nil {
		return refusal
	}
	if !slices.ContainsFunc(t.notes, func(n *Note) bool { return n.id == c.PathID("note_id") }) {
		return frame.NotFound("Note")
	}
	return nil
}

func updateDiscussionNote(c *call, on *noteable) *reply {
	if refusal := c.inThread(on); refusal != nil {
		return refusal
	}
	if c.Has("body") == c.Has("resolved") {
		return frame.JSONReply(400, object{"error": "body, resolved are mutually exclusive, exactly one parameter must be provided"})
	}
	if c.Has("body") {
		return updateNote(c, on)
	}
	note, refusal := c.findNote(on)
	if refusal != nil {
		return refusal
	}
	resolved := c.Bool("resolved", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.mayResolve(on); refusal != nil {
		return refusal
	}
	if !note.threaded {
		return frame.BadRequest("the note cannot be resolved")
	}
	note.resolve(resolved, c.user, c.now())
	on.changed(c.now())
	return c.OK(note.json(on))
}

func deleteDiscussionNote(c *call, on *noteable) *reply {
	if refusal := c.inThread(on); refusal != nil {
		return refusal
	}
	return deleteNote(c, on)
}
