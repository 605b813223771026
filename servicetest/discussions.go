package servicetest

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

func listDiscussions(c *call, on *noteable) *reply {
	var threads []*thread
	for _, t := range on.threads() {
		if t.hideFrom(c.user, on); len(t.notes) > 0 {
			threads = append(threads, t)
		}
	}
	return frame.ListOf(c, threads, func(t *thread) *collection.Form { return t.json(on) })
}

// hideFrom removes the notes that the user may not see from the discussion.
func (t *thread) hideFrom(user *User, on *noteable) {
	t.notes = slices.DeleteFunc(t.notes, func(n *Note) bool { return !on.shows(n, user) })
}

// findThread returns the discussion of the path.
func (c *call) findThread(on *noteable) (*thread, *reply) {
	for _, t := range on.threads() {
		if t.id == c.PathString("discussion_id") && on.shows(t.notes[0], c.user) {
			return t, nil
		}
	}
	return nil, frame.NotFound("Discussion")
}

func getDiscussion(c *call, on *noteable) *reply {
	t, refusal := c.findThread(on)
	if refusal != nil {
		return refusal
	}
	t.hideFrom(c.user, on)
	return c.OK(t.json(on))
}

func createDiscussion(c *call, on *noteable) *reply {
	place, commit, refusal := c.readPlace(on)
	if refusal != nil {
		return refusal
	}
	note, ended := c.writeNote(on)
	if ended != nil {
		return ended
	}
	note.thread, note.threaded, note.position, note.commitID = note.threadID(), true, place, commit
	return c.Created((&thread{note.thread, []*Note{note}}).json(on))
}

// readPlace reads the place of a new discussion: its position in a diff or nil, and its
// commit or "".
func (c *call) readPlace(on *noteable) (at *position, commit string, refusal *reply) {
	if on.commit != nil {
		at, refusal = c.readPosition(on.commit.fits)
		return at, on.commit.commit.SHA, refusal
	}
	m := on.mergeRequest
	if m == nil {
		return nil, "", nil
	}
	if at, refusal = c.readPosition(m.fits); refusal != nil {
		return nil, "", refusal
	}
	if commit = c.String("commit_id"); commit != "" && !slices.ContainsFunc(m.commits(), hasSHA(commit)) {
		return nil, "", invalidNote("commit_id", "is not of the merge request")
	}
	return at, commit, nil
}

func replyToDiscussion(c *call, on *noteable) *reply {
	t, refusal := c.findThread(on)
	if refusal != nil {
		return refusal
	}
	if t.notes[0].system {
		return frame.BadRequest("Discussion can not be replied to.")
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
	resolved := c.Bool("resolved")
	if refusal := cmp.Or(c.Refusal(), c.mayResolve(on)); refusal != nil {
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
	if !slices.ContainsFunc(t.notes, func(n *Note) bool { return n.id == c.PathInt64("note_id") }) {
		return frame.NotFound("Note")
	}
	return nil
}

func updateDiscussionNote(c *call, on *noteable) *reply {
	if refusal := c.inThread(on); refusal != nil {
		return refusal
	}
	if on.mergeRequest == nil {
		c.RequireGiven("body")
		return updateNote(c, on)
	}
	if c.Has("body") == c.Has("resolved") {
		return frame.JSONReply(400, object{"error": "body, resolved are mutually exclusive, exactly one parameter " +
			"must be provided"})
	}
	if c.Has("body") {
		return updateNote(c, on)
	}
	note, refusal := c.findNote(on)
	if refusal != nil {
		return refusal
	}
	resolved := c.Bool("resolved")
	if refusal := cmp.Or(c.Refusal(), c.mayResolve(on)); refusal != nil {
		return refusal
	}
	if !note.threaded {
		return frame.BadRequest("Note is not resolvable")
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
		n.thread = frame.SHA("thread", frame.Itoa(n.id))
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
func (n *Note) DiscussionID() string { return locked(n.svc, n.threadID) }

// Resolved reports whether the note's discussion is resolved.
func (n *Note) Resolved() bool { return locked(n.svc, func() bool { return !n.resolvedAt.IsZero() }) }

// Line returns the file and the line of the diff that the note is about. A removed line
// has its number before the change, any other line its number after the change. The
// path is empty if the note is not about a line.
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

func (t *thread) json(on *noteable) *collection.Form {
	notes := mapped(t.notes, func(n *Note) any { return n.json(on) })
	return inOrder("id", t.id, "individual_note", !t.isThread(), "notes", notes)
}

// A suggestion is a change of the diff that a note suggests.
type suggestion struct {
	ID          int64  `json:"id"`
	FromLine    int64  `json:"from_line"`
	ToLine      int64  `json:"to_line"`
	Appliable   bool   `json:"appliable"`
	Applied     bool   `json:"applied"`
	FromContent string `json:"from_content"`
	ToContent   string `json:"to_content"`
}

const (
	suggestionStart = "```suggestion"
	suggestionEnd   = "```"
)

// suggestionsIn returns the changes that a note on a line of a diff suggests for that
// line.
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
	now := m.linesOf(n.position.NewPath)
	lines := head.Tree[n.position.NewPath].Blob.Lines()
	for rest := n.body; line <= int64(len(lines)); {
		_, after, begun := strings.Cut(rest, suggestionStart)
		_, after, broken := strings.Cut(after, "\n")
		content, after, ended := strings.Cut(after, suggestionEnd)
		if !begun || !broken || !ended {
			break
		}
		id := n.id*maxSuggestions + int64(len(found))
		same := line <= int64(len(now)) && now[line-1] == lines[line-1]
		found = append(found, suggestion{
			ID: id, FromLine: line, ToLine: line, Applied: n.applied[id],
			Appliable:   m.state == "opened" && same && !n.applied[id],
			FromContent: lines[line-1], ToContent: content,
		})
		rest = after
	}
	return found
}

// A position is a place in the diff of a merge request or a commit, as JSON.
type position struct {
	BaseSHA      jsonText   `json:"base_sha"`
	StartSHA     jsonText   `json:"start_sha"`
	HeadSHA      string     `json:"head_sha"`
	PositionType string     `json:"position_type"`
	OldPath      string     `json:"old_path"`
	NewPath      string     `json:"new_path"`
	OldLine      *int64     `json:"old_line"`
	NewLine      *int64     `json:"new_line"`
	LineRange    *lineRange `json:"line_range"`
	Width        *int64     `json:"width,omitempty"`
	Height       *int64     `json:"height,omitempty"`
	X            *float64   `json:"x,omitempty"`
	Y            *float64   `json:"y,omitempty"`
}

// A lineRange is the beginning and the end of a position that spans several lines.
type lineRange struct {
	Start lineEnd `json:"start"`
	End   lineEnd `json:"end"`
}

type lineEnd struct {
	LineCode string `json:"line_code"`
	Type     string `json:"type"`
	OldLine  *int64 `json:"old_line"`
	NewLine  *int64 `json:"new_line"`
}

// readPosition reads the position of a new discussion. Nil means none. fits reports whether
// it is in the diff.
func (c *call) readPosition(fits func(*position) bool) (*position, *reply) {
	p, refusal := c.givenPosition()
	if p == nil || refusal != nil {
		return nil, refusal
	}
	if !fits(p) {
		return nil, invalidNote("line_code", badLineCode...)
	}
	return p, nil
}

// badLineCode is what is wrong with a note whose position is not in the diff.
var badLineCode = []string{"can't be blank", "must be a valid line code"}

// givenPosition reads a position that may be in no diff. Nil means none. A path that is
// missing is the other one: only a renamed file has two.
func (c *call) givenPosition() (*position, *reply) {
	f := c.Sub("position")
	if f.Values == nil {
		return nil, c.Refusal()
	}
	f.Require("base_sha", "start_sha", "head_sha", "position_type")
	before, after := f.String("old_path"), f.String("new_path")
	p := &position{
		BaseSHA: jsonText(f.String("base_sha")), StartSHA: jsonText(f.String("start_sha")),
		HeadSHA:      f.String("head_sha"),
		PositionType: f.StringIn("position_type", "text", "image", "file"), OldPath: either(before, after),
		NewPath: either(after, before),
		OldLine: f.Int64OrNil("old_line"), NewLine: f.Int64OrNil("new_line"), Width: f.Int64OrNil("width"),
		Height: f.Int64OrNil("height"),
		X:      f.Float64OrNil("x"), Y: f.Float64OrNil("y"),
	}
	if r := f.Sub("line_range"); r.Values != nil {
		p.LineRange = &lineRange{readLineEnd(r.Sub("start")), readLineEnd(r.Sub("end"))}
	}
	return p, c.Refusal()
}

func readLineEnd(f fields) lineEnd {
	f.Require("line_code", "type")
	return lineEnd{
		f.String("line_code"), f.StringIn("type", "new", "old"),
		f.Int64OrNil("old_line"), f.Int64OrNil("new_line"),
	}
}

// fits reports whether a position is in a version of the diff of the merge request.
func (m *MergeRequest) fits(p *position) bool {
	var found *diffVersion
	for _, v := range m.history() {
		if v.base.SHA == string(p.BaseSHA) && v.start.SHA == string(p.StartSHA) && v.head.SHA == p.HeadSHA {
			found = v
		}
	}
	return found != nil && p.isIn(gitrepo.DiffTrees(found.base.Tree, found.head.Tree))
}

// isIn reports whether a diff has the file of a position, and its lines. A file that was
// renamed is known by both of its paths, all others by one.
func (p *position) isIn(diff []gitrepo.Change) bool {
	at := slices.IndexFunc(diff, func(change gitrepo.Change) bool {
		before, after := change.OldPath == p.OldPath, change.NewPath == p.NewPath
		return before && after || (before || after) && !change.Renamed()
	})
	return at >= 0 && (p.PositionType != "text" || p.hasLines(diff[at]))
}

// hasLines reports whether a change has the lines of a position.
func (p *position) hasLines(change gitrepo.Change) bool {
	switch r := p.LineRange; {
	case r != nil && !(r.Start.matches(p) && r.End.matches(p)):
		return false
	case p.OldLine == nil && p.NewLine == nil:
		return false
	case p.OldLine == nil:
		return edited(change, *p.NewLine, false)
	case p.NewLine == nil:
		return edited(change, *p.OldLine, true)
	}
	return shifted(change, *p.OldLine) == *p.NewLine
}

// edited reports whether a line was added or, if old is true, removed.
func edited(change gitrepo.Change, line int64, old bool) bool {
	at := int(line) - 1
	for _, e := range change.Edits() {
		if old && e.Old <= at && at < e.OldEnd || !old && e.New <= at && at < e.NewEnd {
			return true
		}
	}
	return false
}

// shifted returns the number of a line after a change, or 0 if it was removed
// or never existed.
func shifted(change gitrepo.Change, line int64) int64 {
	at := int(line) - 1
	if at < 0 || at >= len(change.Old.Lines()) || edited(change, line, true) {
		return 0
	}
	shift := 0
	for _, e := range change.Edits() {
		if e.OldEnd <= at {
			shift = e.NewEnd - e.OldEnd
		}
	}
	return line + int64(shift)
}

// matches reports whether a line code belongs to the position's file. A line
// code is the SHA-1 of the name, then the numbers of the line before and after
// the change.
func (e lineEnd) matches(p *position) bool {
	sum := sha1.Sum([]byte(either(p.NewPath, p.OldPath)))
	var before, after int64
	rest, ok := strings.CutPrefix(e.LineCode, hex.EncodeToString(sum[:]))
	n, err := fmt.Sscanf(rest, "_%d_%d", &before, &after)
	return ok && n == 2 && err == nil && (e.OldLine == nil || *e.OldLine == before) &&
		(e.NewLine == nil || *e.NewLine == after)
}
