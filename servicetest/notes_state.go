package servicetest

import (
	"slices"
	"time"
)

// A Note is a comment. Make one with the Note method of Issue, MergeRequest,
// Snippet, Epic or WikiPage.
type Note struct {
	svc          *Service
	id           int64
	on           any // *Issue, *MergeRequest, *Snippet, *Epic, *commitDiscussion or *WikiPage; nil until it is stored
	deleted      bool
	body         string
	author       *User
	createdAt    time.Time
	updatedAt    time.Time
	system       bool // the service wrote it because of a change
	confidential bool

	thread     string // ID of its discussion; a note of its own has "" until it is needed
	threaded   bool   // started as a discussion, or somebody has replied
	commitID   string
	position   *position // place in a diff
	resolvedBy *User
	resolvedAt time.Time
	editedBy   *User
	applied    map[int64]bool // suggestions by ID

	awards
}

// A NoteOption sets a property of a note. By, CreatedAt and ID are NoteOptions,
// too.
type NoteOption interface{ applyNote(n *Note) }

type noteOption func(*Note)

func (f noteOption) applyNote(n *Note) { f(n) }

func (o IDOption) applyNote(n *Note) { n.id = int64(o) }

func (o ByOption) applyNote(n *Note) { n.author = o.user }

func (o CreatedAtOption) applyNote(n *Note) {
	n.createdAt, n.updatedAt = time.Time(o), time.Time(o)
}

// SystemNote makes a system note: the service wrote it about a change, and nobody may
// edit or delete it.
func SystemNote() NoteOption { return noteOption(func(n *Note) { n.system = true }) }

// ConfidentialNote hides a note from everybody but its author and members with
// at least the Reporter role.
func ConfidentialNote() NoteOption { return noteOption(func(n *Note) { n.confidential = true }) }

// NoteUpdatedAt sets when a note last changed. The default is its creation time.
func NoteUpdatedAt(at time.Time) NoteOption {
	return noteOption(func(n *Note) { n.updatedAt = at.UTC() })
}

// noteState numbers notes and reactions of all kinds.
type noteState struct{ notes, awards int64 }

// addNote adds a note to a discussion.
func (s *Service) addNote(d *discussion, body string, author *User, opts ...NoteOption) *Note {
	n := &Note{svc: s, on: d.of, body: body, author: author, createdAt: s.now(), updatedAt: s.now()}
	apply(n, opts, NoteOption.applyNote)
	all := state[noteState](s)
	if n.id == 0 {
		n.id = all.notes + 1
	}
	all.notes = max(all.notes, n.id)
	d.notes = append(d.notes, n)
	s.touchIn(d, n)
	return n
}

// Note adds a note to the issue, written by Root unless By says otherwise.
func (i *Issue) Note(body string, opts ...NoteOption) *Note {
	svc := i.project.svc
	defer svc.lock()()
	return svc.addNote(&i.discussion, body, svc.admin, opts...)
}

// Notes returns the issue's notes, oldest first.
func (i *Issue) Notes() []*Note { return i.notesOf(i.project.svc) }

// Note adds a note to the merge request, written by Root unless By says
// otherwise.
func (m *MergeRequest) Note(body string, opts ...NoteOption) *Note {
	defer m.svc.lock()()
	return m.svc.addNote(&m.discussion, body, m.svc.admin, opts...)
}

// Notes returns the merge request's notes, oldest first.
func (m *MergeRequest) Notes() []*Note { return m.notesOf(m.svc) }

// Note adds a note to the snippet, written by Root unless By says otherwise.
func (s *Snippet) Note(body string, opts ...NoteOption) *Note {
	svc := s.svc
	defer svc.lock()()
	return svc.addNote(&s.discussion, body, svc.admin, opts...)
}

// Notes returns the snippet's notes, oldest first.
func (s *Snippet) Notes() []*Note { return s.notesOf(s.svc) }

// Note adds a note to the epic, written by Root unless By says otherwise.
func (e *Epic) Note(body string, opts ...NoteOption) *Note {
	svc := e.group.svc
	defer svc.lock()()
	return svc.addNote(&e.discussion, body, svc.admin, opts...)
}

// Notes returns the epic's notes, oldest first.
func (e *Epic) Notes() []*Note { return e.notesOf(e.group.svc) }

// Note adds a note to the page of a wiki, written by Root unless By says otherwise.
func (w *WikiPage) Note(body string, opts ...NoteOption) *Note {
	defer w.service().lock()()
	return w.service().addNote(&w.discussion, body, w.service().admin, opts...)
}

// Notes returns the notes on the page, oldest first.
func (w *WikiPage) Notes() []*Note { return w.notesOf(w.service()) }

func (d *discussion) notesOf(svc *Service) []*Note {
	defer svc.lock()()
	return slices.Clone(d.notes)
}

// ID returns the note's ID.
func (n *Note) ID() int64 { return n.id }

// Body returns the body of the note.
func (n *Note) Body() string { return read(n.svc, &n.body) }

// Author returns the user who wrote the note.
func (n *Note) Author() *User { return n.author }

// Confidential reports whether the note is hidden from members below the
// Reporter role.
func (n *Note) Confidential() bool { return read(n.svc, &n.confidential) }

// System reports whether the service wrote the note about a change.
func (n *Note) System() bool { return n.system }

// noteJSON is the JSON of a note.
type noteJSON struct {
	ID              int64        `json:"id"`
	Type            jsonText     `json:"type"`
	Body            string       `json:"body"`
	Attachment      jsonText     `json:"attachment"`
	Author          *noteAuthor  `json:"author"`
	CreatedAt       jsonTime     `json:"created_at"`
	UpdatedAt       jsonTime     `json:"updated_at"`
	System          bool         `json:"system"`
	NoteableID      *int64       `json:"noteable_id"`
	NoteableIID     *int64       `json:"noteable_iid"`
	NoteableType    string       `json:"noteable_type"`
	ProjectID       *int64       `json:"project_id"`
	CommitID        jsonText     `json:"commit_id"`
	Position        *position    `json:"position,omitempty"`
	Resolvable      bool         `json:"resolvable"`
	Confidential    bool         `json:"confidential"`
	Internal        bool         `json:"internal"`
	Imported        bool         `json:"imported"`
	ImportedFrom    string       `json:"imported_from"`
	CommandsChanges object       `json:"commands_changes"`
	Suggestions     []suggestion `json:"suggestions,omitempty"`

	*resolution
}

// resolution has members that only notes in resolvable discussions have.
type resolution struct {
	Resolved   bool         `json:"resolved"`
	ResolvedBy *userSummary `json:"resolved_by"`
	ResolvedAt jsonTime     `json:"resolved_at"`
}

// fileNoteJSON is the JSON of a note on a snippet or an epic.
type fileNoteJSON struct {
	noteJSON

	Title     string   `json:"title"`
	FileName  string   `json:"file_name"`
	ExpiresAt jsonTime `json:"expires_at"`
}

type noteAuthor struct {
	*userSummary

	Email     string   `json:"email"`
	CreatedAt jsonTime `json:"created_at"`
}

func (u *User) noteAuthor() *noteAuthor {
	if u = u.shown(); u == nil {
		return nil
	}
	return &noteAuthor{u.summary(), u.publicEmail, jsonTime(u.createdAt)}
}

// json returns the JSON of a note on a noteable.
func (n *Note) json(on *noteable) any {
	form := noteJSON{
		ID: n.id, Type: n.kind(), Body: n.body, Author: n.author.noteAuthor(), CreatedAt: jsonTime(n.createdAt),
		UpdatedAt: jsonTime(n.updatedAt),
		System:    n.system, NoteableType: on.kind, CommitID: jsonText(n.commitID), Position: n.position,
		Confidential: n.confidential, Internal: n.confidential, ImportedFrom: "none", CommandsChanges: object{},
		Suggestions: on.suggestionsIn(n),
	}
	if on.id != 0 {
		form.NoteableID = &on.id
	}
	if on.iid != 0 {
		form.NoteableIID = &on.iid
	}
	if p := on.project(); p != nil {
		form.ProjectID = &p.id
	}
	if on.mergeRequest != nil && n.threaded {
		form.Resolvable = true
		form.resolution = &resolution{!n.resolvedAt.IsZero(), n.resolvedBy.summary(), jsonTime(n.resolvedAt)}
	}
	if on.snippet == nil && on.epic == nil {
		return form
	}
	return fileNoteJSON{noteJSON: form, Title: on.title(), FileName: on.fileName()}
}

// kind returns "" for a note that is not in a thread.
func (n *Note) kind() jsonText {
	switch {
	case n.position != nil:
		return "DiffNote"
	case n.threaded:
		return "DiscussionNote"
	}
	return ""
}

// A discussion has the notes and reactions on an issue, a merge request, a snippet, an
// epic or a commit. Commits have no reactions.
type discussion struct {
	awards

	notes []*Note // oldest first
	of    any     // the record it belongs to; nil until that is stored
}

// belongTo sets the record of the discussion once the record is stored.
func (d *discussion) belongTo(s *Service, record any) {
	d.of = record
	s.touch(record)
	for _, n := range d.notes {
		n.on = record
		s.touch(n)
	}
}

// touchIn records a change of a note, and thus of its object.
func (s *Service) touchIn(d *discussion, n *Note) {
	if d.of != nil {
		s.touch(d.of)
		s.touch(n)
	}
}

// userNotes returns the number of notes that users wrote.
func (d *discussion) userNotes() int {
	n := 0
	for _, note := range d.notes {
		if !note.system {
			n++
		}
	}
	return n
}
