package servicetest

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

// maxNoteLength is the maximum number of characters in a note.
const maxNoteLength = 1_000_000

func listNotes(c *call, on *noteable) *reply {
	by := c.OneOf("order_by", "created_at", "updated_at")
	sort := c.OneOf("sort", "asc", "desc")
	activity := c.OneOf("activity_filter", "all_notes", "only_comments", "only_activity")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	notes := slices.DeleteFunc(slices.Clone(on.notes), func(n *Note) bool {
		return !on.shows(n, c.user) || activity == "only_comments" && n.system || activity == "only_activity" && !n.system
	})
	slices.SortFunc(notes, func(a, b *Note) int {
		if by == "updated_at" {
			return cmp.Or(a.updatedAt.Compare(b.updatedAt), cmp.Compare(a.id, b.id))
		}
		return cmp.Or(a.createdAt.Compare(b.createdAt), cmp.Compare(a.id, b.id))
	})
	if sort != "asc" {
		slices.Reverse(notes)
	}
	return frame.ListOf(c, notes, func(n *Note) any { return n.json(on) })
}

// findNote returns the note of the path.
func (c *call) findNote(on *noteable) (*Note, *reply) {
	at := slices.IndexFunc(on.notes, func(n *Note) bool { return n.id == c.PathID("note_id") })
	if at < 0 || !on.shows(on.notes[at], c.user) {
		return nil, frame.NotFound("Note")
	}
	return on.notes[at], nil
}

func getNote(c *call, on *noteable) *reply {
	note, refusal := c.findNote(on)
	if refusal != nil {
		return refusal
	}
	return c.OK(note.json(on))
}

// onlyEmoji matches a body that is a reaction, not a note.
var onlyEmoji = regexp.MustCompile(`^\s*:([a-z0-9_+-]+):\s*$`)

func createNote(c *call, on *noteable) *reply {
	confidential := c.Bool("internal", c.Bool("confidential", false))
	note, ended := c.writeNote(on)
	if ended != nil {
		return ended
	}
	note.confidential = confidential && on.hasConfidential()
	return c.Created(note.json(on))
}

// writeNote adds the note of a call. It returns the response instead if the
// note is refused, is a reaction, or has only commands.
func (c *call) writeNote(on *noteable) (*Note, *reply) {
	if on.isLocked() && on.level < Guest {
		return nil, frame.Forbidden("")
	}
	c.RequireGiven("body")
	body := c.Str("body")
	at, refusal := c.noteDate(on)
	if refusal != nil {
		return nil, refusal
	}
	if refusal := bodyProblem(body); refusal != nil {
		return nil, refusal
	}
	if match := onlyEmoji.FindStringSubmatch(body); match != nil {
		return nil, c.react(on, match[1])
	}
	rest, commands := splitCommands(on, body)
	done, refusal := c.runCommands(on, commands)
	if refusal != nil {
		return nil, refusal
	}
	if rest == "" {
		return nil, c.Accepted(done)
	}
	note := c.svc.addNote(on.discussion, rest, c.user)
	if !at.IsZero() {
		note.createdAt, note.updatedAt = at, at
	}
	on.changed(c.now())
	return note, nil
}

// noteDate reads the date of a new note, which only owners may set.
func (c *call) noteDate(on *noteable) (time.Time, *reply) {
	at := c.Time("created_at")
	if !at.IsZero() && !at.After(time.Unix(0, 0)) {
		c.Problem("created_at does not have a valid value")
	}
	if refusal := c.Refusal(); refusal != nil {
		return at, refusal
	}
	if !at.IsZero() && on.level < Owner {
		return at, frame.Forbidden("")
	}
	return at, nil
}

// bodyProblem refuses a body that is blank or too long.
func bodyProblem(body string) *reply {
	switch {
	case strings.TrimSpace(body) == "":
		return invalidNote("note", "can't be blank")
	case utf8.RuneCountInString(body) > maxNoteLength:
		return invalidNote("note", fmt.Sprintf("is too long (maximum is %d characters)", maxNoteLength))
	}
	return nil
}

// invalidNote returns 400 with what is wrong with a note.
func invalidNote(field, problem string) *reply {
	return frame.BadRequest(fmt.Sprintf("Note {:%s=>[%q]}", field, problem))
}

// react adds an award emoji of the caller to the object that the notes are on.
func (c *call) react(on *noteable, emoji string) *reply {
	if !on.addReaction(c.user, emoji) {
		return frame.FieldErrors("name", "has already been taken")
	}
	all := state[noteState](c.svc)
	all.awards++
	on.changed(c.now())
	return c.Created(object{
		"id": all.awards, "name": emoji, "user": c.user.summary(), "created_at": jsonTime(c.now()),
		"updated_at": jsonTime(c.now()), "awardable_id": on.id, "awardable_type": on.kind,
	})
}

// findOwnNote returns the note of the path, which the caller may change.
func (c *call) findOwnNote(on *noteable) (*Note, *reply) {
	note, refusal := c.findNote(on)
	if refusal != nil {
		return nil, refusal
	}
	if note.system || note.author != c.user && on.level < Maintainer {
		return nil, frame.Forbidden("")
	}
	return note, c.Unchanged(note.updatedAt)
}

func updateNote(c *call, on *noteable) *reply {
	note, refusal := c.findOwnNote(on)
	if refusal != nil {
		return refusal
	}
	if on.issue == nil {
		c.RequireGiven("body")
	}
	body := c.Str("body")
	confidential := c.Bool("confidential", note.confidential)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c.Has("body") && !c.Null("body") {
		if refusal := bodyProblem(body); refusal != nil {
			return refusal
		}
	}
	if body != "" {
		note.body = body
	}
	if on.snippet == nil {
		note.confidential = confidential
	}
	note.updatedAt = c.now()
	on.changed(c.now())
	return c.OK(note.json(on))
}

func deleteNote(c *call, on *noteable) *reply {
	note, refusal := c.findOwnNote(on)
	if refusal != nil {
		return refusal
	}
	on.notes = slices.DeleteFunc(on.notes, func(n *Note) bool { return n == note })
	on.changed(c.now())
	return c.NoContent()
}
