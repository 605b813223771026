package servicetest

import (
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A thread is a discussion: a note and the replies to it.
type thread struct {
	id    string
	notes []*Note // oldest first
}

// threads returns the discussions, oldest first.
func (d *discussion) threads() []*thread {
	var threads []*thread
	byID := make(map[string]*thread)
	for _, note := range d.notes {
		id := note.threadID()
		if byID[id] == nil {
			byID[id] = &thread{id: id}
			threads = append(threads, byID[id])
		}
		byID[id].notes = append(byID[id].notes, note)
	}
	return threads
}

// threadID returns the ID of the discussion that a note is in.
func (n *Note) threadID() string {
	if n.thread == "" {
		return frame.SHA("thread", frame.Itoa(n.id))
	}
	return n.thread
}

// isThread reports whether the discussion is more than a single note without
// replies.
func (t *thread) isThread() bool { return t.notes[0].threaded }

// unresolved reports whether the discussion can be resolved and has not been.
func (t *thread) unresolved() bool {
	for _, note := range t.notes {
		if note.threaded && note.resolvedAt.IsZero() {
			return true
		}
	}
	return false
}

// reply adds a note to the discussion, which becomes a thread.
func (t *thread) reply(note *Note) {
	first := t.notes[0]
	note.thread, note.position, note.commitID = t.id, first.position, first.commitID
	note.resolvedBy, note.resolvedAt = first.resolvedBy, first.resolvedAt
	t.notes = append(t.notes, note)
	for _, n := range t.notes {
		n.threaded = true
	}
}

// resolve resolves the note, or reopens it.
func (n *Note) resolve(resolved bool, by *User, at time.Time) {
	if !resolved {
		n.resolvedBy, n.resolvedAt = nil, zeroTime
	} else if n.resolvedAt.IsZero() {
		n.resolvedBy, n.resolvedAt = by, at
	}
}

// Thread makes a note that starts a discussion. Discussions on a merge request
// can be resolved.
func Thread() NoteOption { return noteOption(func(n *Note) { n.threaded = true }) }

// InReplyTo adds a note to the discussion of another one.
func InReplyTo(first *Note) NoteOption {
	return noteOption(func(n *Note) {
		first.threaded = true
		n.thread, n.threaded = first.threadID(), true
		n.position, n.commitID = first.position, first.commitID
	})
}

// DiscussionID returns the ID of the discussion that the note is in.
func (n *Note) DiscussionID() string {
	defer n.svc.lock()()
	return n.threadID()
}

// Resolved reports whether the note's discussion is resolved.
func (n *Note) Resolved() bool {
	defer n.svc.lock()()
	return !n.resolvedAt.IsZero()
}

// Line returns the file and the line of the diff that the note is about: the
// number after the change, or the number before the change if the line was
// removed. The path is empty if the note is not about a line.
func (n *Note) Line() (path string, line int64) {
	defer n.svc.lock()()
	switch p := n.position; {
	case p == nil:
		return "", 0
	case p.NewLine != nil:
		return p.NewPath, *p.NewLine
	case p.OldLine != nil:
		return p.OldPath, *p.OldLine
	default:
		return p.NewPath, 0
	}
}

// threadObject is the JSON of a discussion.
type threadObject struct {
	ID             string `json:"id"`
	IndividualNote bool   `json:"individual_note"`
	Notes          []any  `json:"notes"`
}

func (t *thread) json(on *noteable) threadObject {
	form := threadObject{ID: t.id, IndividualNote: !t.isThread()}
	for _, note := range t.notes {
		form.Notes = append(form.Notes, note.json(on))
	}
	return form
}

// A suggestion is a change of the diff that a note suggests.
type suggestion struct {
	FromLine    int64  `json:"from_line"`
	ToLine      int64  `json:"to_line"`
	Appliable   bool   `json:"appliable"`
	FromContent string `json:"from_content"`
	ToContent   string `json:"to_content"`
}

const (
	suggestionStart = "```suggestion"
	suggestionEnd   = "```"
)

// suggestionsIn returns the changes that the body of a note on a line of a diff
// suggests for that line.
func (on *noteable) suggestionsIn(n *Note) []suggestion {
	if on.mergeRequest == nil || n.position == nil || n.position.NewLine == nil {
		return nil
	}
	line, m := *n.position.NewLine, on.mergeRequest
	head := m.project.repository().Commit(n.position.HeadSHA)
	if head == nil {
		return nil
	}
	var found []suggestion
	lines := head.Tree[n.position.NewPath].Blob.Lines()
	for rest := n.body; line <= int64(len(lines)); {
		_, after, begun := strings.Cut(rest, suggestionStart)
		_, after, broken := strings.Cut(after, "\n")
		content, after, ended := strings.Cut(after, suggestionEnd)
		if !begun || !broken || !ended {
			break
		}
		found = append(found, suggestion{
			FromLine: line, ToLine: line, Appliable: m.state == "opened" && m.headSHA() == head.SHA,
			FromContent: lines[line-1], ToContent: content,
		})
		rest = after
	}
	return found
}
