package servicetest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/emoji"
	"example.com/serviceapi/servicetest/internal/frame"
)

// maxNoteLength is the maximum number of characters in a note.
const maxNoteLength = 1_000_000

func listNotes(c *call, on *noteable) *reply {
	notes := slices.Clone(on.notes)
	collection.Sort(c.Fields, notes, "desc", (*Note).ID, []collection.Order[Note]{
		collection.ByTime("created_at", func(n *Note) time.Time { return n.createdAt }),
		collection.ByTime("updated_at", func(n *Note) time.Time { return n.updatedAt }),
	})
	activity := c.StringIn("activity_filter", "all_notes", "only_comments", "only_activity")
	notes = slices.DeleteFunc(notes, func(n *Note) bool {
		return !on.shows(n, c.user) || activity == "only_comments" && n.system || activity == "only_activity" &&
			!n.system
	})
	return frame.ListOf(c, notes, func(n *Note) any { return n.json(on) })
}

// findNote returns the note of the path.
func (c *call) findNote(on *noteable) (*Note, *reply) {
	at := slices.IndexFunc(on.notes, func(n *Note) bool { return n.id == c.PathInt64("note_id") })
	if at < 0 || !on.shows(on.notes[at], c.user) {
		return nil, frame.NotFound("Note")
	}
	c.found(on.notes[at])
	return on.notes[at], nil
}

func getNote(c *call, on *noteable) *reply {
	note, refusal := c.findNote(on)
	if refusal != nil {
		return refusal
	}
	return c.OK(note.json(on))
}

// onlyEmoji matches a body that is a reaction and not a note.
var onlyEmoji = regexp.MustCompile(`^\s*:([a-z0-9_+-]+):\s*$`)

func createNote(c *call, on *noteable) *reply {
	confidential := c.BoolOr("internal", on.hasConfidential() && c.Bool("confidential"))
	note, ended := c.writeNote(on)
	if ended != nil {
		return ended
	}
	note.confidential = confidential && on.snippet == nil
	return c.Created(note.json(on))
}

// writeNote adds the note of a call. It returns a response instead if the note is
// refused, is a reaction, or has only commands.
func (c *call) writeNote(on *noteable) (*Note, *reply) {
	if on.isLocked() && on.level < Guest {
		return nil, frame.Forbidden("")
	}
	c.RequireGiven("body")
	body := c.String("body")
	at, refusal := c.noteDate(on)
	if refusal != nil {
		return nil, refusal
	}
	if refusal := bodyProblem(body); refusal != nil {
		return nil, refusal
	}
	if match := onlyEmoji.FindStringSubmatch(body); match != nil && on.commit == nil {
		if name, known := emoji.Main(match[1]); known {
			return nil, c.react(on, name)
		}
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

// noteDate reads the date of a new note. Only owners may set it.
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
func invalidNote(field string, problems ...string) *reply {
	quoted := make([]string, len(problems))
	for i, problem := range problems {
		quoted[i] = strconv.Quote(problem)
	}
	return frame.BadRequest(fmt.Sprintf("Note {:%s=>[%s]}", field, strings.Join(quoted, ", ")))
}

// react adds an award emoji of the caller to the object that the notes are on.
func (c *call) react(on *noteable, name string) *reply {
	given := on.addReaction(c.user, name)
	if given == nil {
		return frame.FieldErrors("name", "has already been taken")
	}
	on.changed(c.now())
	return c.Created(given.json(on.kind, on.id))
}

// findOwnNote returns the note of the path if the caller may change it.
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
	body := c.String("body")
	confidential := c.BoolOr("confidential", note.confidential)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c.Given("body") {
		if refusal := bodyProblem(body); refusal != nil {
			return refusal
		}
	}
	if body != "" {
		note.body, note.editedBy = body, c.user
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
	note.deleted = true
	on.changed(c.now())
	return c.NoContent()
}

// splitCommands takes the quick actions out of a note's body: lines such as "/close"
// that the object of the note supports. The other lines are the text.
func splitCommands(on *noteable, body string) (text string, commands []string) {
	var lines []string
	for line := range strings.Lines(body) {
		if command := strings.TrimSpace(line); on.knows(command) {
			commands = append(commands, command)
		} else {
			lines = append(lines, line)
		}
	}
	if len(commands) == 0 {
		return body, nil
	}
	return strings.TrimSpace(strings.Join(lines, "")), commands
}

func (on *noteable) knows(command string) bool {
	switch command {
	case "/close", "/reopen":
		return on.issue != nil || on.mergeRequest != nil
	case "/merge":
		return on.mergeRequest != nil
	}
	return false
}

// runCommands runs quick actions and returns what they did, or the response
// that refuses one of them.
func (c *call) runCommands(on *noteable, commands []string) (object, *reply) {
	changes, summary := object{}, []string{}
	for _, command := range commands {
		if command == "/merge" {
			if refusal := c.mergeByNote(on.mergeRequest); refusal != nil {
				return nil, refusal
			}
			changes["merge"] = c.seenHead()
			summary = append(summary, "Merged this merge request.")
			continue
		}
		if on.level < Reporter && on.author() != c.user {
			return nil, frame.Forbidden("")
		}
		changes["state_event"] = strings.TrimPrefix(command, "/")
		summary = append(summary, c.setState(on, command == "/close"))
	}
	return object{"commands_changes": changes, "summary": summary}, nil
}

// seenHead returns the head commit that the caller has seen. The parameter has two
// possible names.
func (c *call) seenHead() string {
	return either(c.String("merge_request_diff_head_sha"), c.String("merge_request_diff_sha"))
}

// mergeByNote merges if the caller has seen the current head.
func (c *call) mergeByNote(m *MergeRequest) *reply {
	wish := m.defaultWish()
	if wish.sha = c.seenHead(); wish.sha == "" {
		return frame.JSONReply(400, object{"error": "merge_request_diff_sha is missing"})
	}
	return c.accept(m, wish)
}

func (on *noteable) author() *User {
	if on.issue != nil {
		return on.issue.author
	}
	return on.mergeRequest.author
}

// setState closes or reopens an object, and returns what it did.
func (c *call) setState(on *noteable, closed bool) string {
	verb, noun := "reopened", "issue"
	if closed {
		verb = "closed"
	}
	if on.issue != nil {
		on.issue.setOpen(!closed, c.user, c.now())
	} else {
		noun = "merge request"
		on.mergeRequest.setOpen(!closed, c.user)
	}
	return strings.ToUpper(verb[:1]) + verb[1:] + " this " + noun + "."
}

// setOpen opens or closes a merge request that is not merged.
func (m *MergeRequest) setOpen(open bool, by *User) {
	if open {
		m.reopen(by)
	} else {
		m.close(by)
	}
}

// A noteable is an object that has notes, as a caller sees it. One of the six
// records is set.
type noteable struct {
	*discussion

	issue        *Issue
	snippet      *Snippet
	mergeRequest *MergeRequest
	epic         *Epic
	commit       *commitDiscussion
	wikiPage     *WikiPage

	kind    string
	id, iid int64       // 0 if there is none
	level   AccessLevel // role of the caller
}

// These find what the notes of the path are on.
var (
	noteableIssue        = noteableFrom((*call).findIssue)
	noteableSnippet      = noteableFrom((*call).findSnippet)
	noteableMergeRequest = noteableFrom((*call).findMergeRequest)
	noteableEpic         = noteableFrom((*call).findEpic)
	noteableCommit       = noteableFrom((*call).findCommitNotes)
	noteableWikiPage     = noteableFrom((*call).wikiPageByID)
)

func noteableFrom[T any](find func(*call) (T, *reply)) func(*call) (*noteable, *reply) {
	return func(c *call) (*noteable, *reply) {
		found, refusal := find(c)
		if refusal != nil {
			return nil, refusal
		}
		on := noteableOf(found)
		on.level = c.levelIn(on.home())
		return on, nil
	}
}

// noteableOf returns what notes are on, or nil if it cannot have any.
func noteableOf(target any) *noteable {
	switch t := target.(type) {
	case *Issue:
		return &noteable{discussion: &t.discussion, issue: t, kind: "Issue", id: t.id, iid: t.iid}
	case *MergeRequest:
		return &noteable{discussion: &t.discussion, mergeRequest: t, kind: "MergeRequest", id: t.id, iid: t.iid}
	case *Snippet:
		return &noteable{discussion: &t.discussion, snippet: t, kind: "Snippet", id: t.id}
	case *Epic:
		return &noteable{discussion: &t.discussion, epic: t, kind: "Epic", id: t.id}
	case *commitDiscussion:
		return &noteable{discussion: &t.discussion, commit: t, kind: "Commit"}
	case *WikiPage:
		return &noteable{discussion: &t.discussion, wikiPage: t, kind: "WikiPage::Meta", id: t.id}
	}
	return nil
}

// findSnippet returns the snippet of a project that the path names.
func (c *call) findSnippet() (*Snippet, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	snippet, ok := state[snippetState](c.svc).snippets.get(c.PathInt64("snippet_id"))
	if !ok || snippet.project != project || !snippet.visibleTo(c.user) {
		return nil, frame.NotFound("Snippet")
	}
	c.found(snippet)
	return snippet, nil
}

// home returns the project or the group of the noteable.
func (on *noteable) home() any {
	switch {
	case on.epic != nil:
		return on.epic.group
	case on.wikiPage != nil && on.wikiPage.group != nil:
		return on.wikiPage.group
	}
	return on.project()
}

// project returns the project of the noteable, or nil for an epic and a page of a group's wiki.
func (on *noteable) project() *Project {
	switch {
	case on.issue != nil:
		return on.issue.project
	case on.mergeRequest != nil:
		return on.mergeRequest.project
	case on.snippet != nil:
		return on.snippet.project
	case on.commit != nil:
		return on.commit.project
	case on.wikiPage != nil:
		return on.wikiPage.project
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

// hasConfidential reports whether the older parameter can make new notes confidential.
// The newer one, internal, does so on merge requests, too.
func (on *noteable) hasConfidential() bool {
	return on.issue != nil || on.epic != nil || on.wikiPage != nil
}

// shows reports whether a caller may see a note.
func (on *noteable) shows(n *Note, user *User) bool {
	return !n.confidential || on.level >= Reporter || n.author == user
}

// changed records the time of a new or changed note.
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

// onNoteable adapts a handler for all kinds of noteables to one kind.
func onNoteable(find func(*call) (*noteable, *reply), handle func(*call, *noteable) *reply) handler {
	return with(find, handle)
}
