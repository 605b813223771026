package servicetest

import (
	"slices"
	"strconv"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// commitComments are the comments on commits of all projects.
type commitComments struct{ table[*commitComment] }

// A commitComment is a comment on a commit.
type commitComment struct {
	id        int64
	project   *Project
	commit    *gitrepo.Commit
	note      string
	position  *commentPosition // nil: at the end of the commit
	author    *User
	createdAt time.Time
}

// A commentPosition is the line of a commit that a comment is on.
type commentPosition struct {
	change   gitrepo.Change
	path     string
	line     int64
	lineType string
}

// CommitComments returns the comments on a commit, oldest first.
func (p *Project) CommitComments(sha string) []string {
	defer p.svc.lock()()
	var notes []string
	for _, comment := range p.commentsOn(sha) {
		notes = append(notes, comment.note)
	}
	return notes
}

func (p *Project) commentsOn(sha string) []*commitComment {
	return state[commitComments](p.svc).all(func(comment *commitComment) bool {
		return comment.project == p && comment.commit.SHA == sha
	})
}

// commentAuthor is the JSON of a user in comments and notes.
type commentAuthor struct {
	ID        int64    `json:"id"`
	Username  string   `json:"username"`
	Email     string   `json:"email"`
	Name      string   `json:"name"`
	State     string   `json:"state"`
	CreatedAt jsonTime `json:"created_at"`
}

func (u *User) commentAuthor() *commentAuthor {
	if u = u.shown(); u == nil {
		return nil
	}
	return &commentAuthor{u.id, u.username, u.email, u.name, u.state, jsonTime(u.createdAt)}
}

type commentObject struct {
	Note      string   `json:"note"`
	Path      *string  `json:"path"`
	Line      *int64   `json:"line"`
	LineType  *string  `json:"line_type"`
	CreatedAt jsonTime `json:"created_at"`
	Author    any      `json:"author"`
}

// json returns the JSON of a comment. The author differs between lists and the
// response to a new comment.
func (comment *commitComment) json(author any) commentObject {
	o := commentObject{Note: comment.note, CreatedAt: jsonTime(comment.createdAt), Author: author}
	if p := comment.position; p != nil {
		o.Path, o.Line, o.LineType = &p.path, &p.line, &p.lineType
	}
	return o
}

func listCommitComments(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	return frame.ListOf(c, r.project.commentsOn(found.SHA), func(comment *commitComment) commentObject {
		return comment.json(comment.author.commentAuthor())
	})
}

func createCommitComment(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	comment := &commitComment{
		project: r.project, commit: found, note: c.Required("note"), author: c.user, createdAt: c.now(),
	}
	path, line, lineType := c.Str("path"), c.Int64("line"), c.OneOf("line_type", "new", "old")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c.PathText("sha") == found.SHA { // and not a branch or a tag
		comment.position = r.positionOf(found, path, line, lineType)
	}
	comment.id, _ = state[commitComments](c.svc).add(0, comment)
	return c.Created(comment.json(comment.author.summary()))
}

// positionOf returns a line of a commit's diff that was added or removed, or
// nil if it was not.
func (r *repository) positionOf(c *gitrepo.Commit, path string, line int64, lineType string) *commentPosition {
	at := int(line) - 1
	for _, change := range gitrepo.DiffTrees(r.ParentTree(c), c.Tree) {
		if change.NewPath != path && change.OldPath != path {
			continue
		}
		if slices.ContainsFunc(change.Edits(), func(e gitrepo.Edit) bool {
			return lineType == "new" && e.New <= at && at < e.NewEnd || lineType == "old" && e.Old <= at && at < e.OldEnd
		}) {
			return &commentPosition{change, path, line, lineType}
		}
	}
	return nil
}

type discussionObject struct {
	ID             string                 `json:"id"`
	IndividualNote bool                   `json:"individual_note"`
	Notes          []discussionNoteObject `json:"notes"`
}

type discussionNoteObject struct {
	ID           int64           `json:"id"`
	Type         jsonText        `json:"type"`
	Body         string          `json:"body"`
	Attachment   jsonText        `json:"attachment"`
	Author       *noteAuthor     `json:"author"`
	CreatedAt    jsonTime        `json:"created_at"`
	UpdatedAt    jsonTime        `json:"updated_at"`
	System       bool            `json:"system"`
	NoteableID   *int64          `json:"noteable_id"`
	NoteableType string          `json:"noteable_type"`
	NoteableIID  *int64          `json:"noteable_iid"`
	CommitID     string          `json:"commit_id"`
	Resolvable   bool            `json:"resolvable"`
	Confidential bool            `json:"confidential"`
	Internal     bool            `json:"internal"`
	Imported     bool            `json:"imported"`
	ImportedFrom string          `json:"imported_from"`
	Commands     object          `json:"commands_changes"`
	Position     *positionObject `json:"position,omitempty"`
}

type positionObject struct {
	BaseSHA      jsonText `json:"base_sha"`
	StartSHA     jsonText `json:"start_sha"`
	HeadSHA      string   `json:"head_sha"`
	OldPath      string   `json:"old_path"`
	NewPath      string   `json:"new_path"`
	PositionType string   `json:"position_type"`
	OldLine      *int64   `json:"old_line"`
	NewLine      *int64   `json:"new_line"`
}

func listCommitDiscussions(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	return frame.ListOf(c, r.project.commentsOn(found.SHA), (*commitComment).discussion)
}

// discussion returns a comment as a discussion with a single note.
func (comment *commitComment) discussion() discussionObject {
	note := discussionNoteObject{
		ID: comment.id, Body: comment.note, Author: comment.author.noteAuthor(), ImportedFrom: "none", Commands: object{},
		CreatedAt: jsonTime(comment.createdAt), UpdatedAt: jsonTime(comment.createdAt),
		NoteableType: "Commit", CommitID: comment.commit.SHA,
	}
	if comment.position != nil {
		note.Type, note.Resolvable, note.Position = "DiffNote", true, comment.place()
	}
	return discussionObject{
		ID:             frame.SHA("discussion", strconv.FormatInt(comment.id, 10)),
		IndividualNote: comment.position == nil,
		Notes:          []discussionNoteObject{note},
	}
}

func (comment *commitComment) place() *positionObject {
	p, base := comment.position, ""
	if len(comment.commit.Parents) > 0 {
		base = comment.commit.Parents[0]
	}
	o := &positionObject{
		BaseSHA: jsonText(base), StartSHA: jsonText(base), HeadSHA: comment.commit.SHA,
		OldPath: p.change.OldPath, NewPath: p.change.NewPath, PositionType: "text",
	}
	if p.lineType == "new" {
		o.NewLine = &p.line
	} else {
		o.OldLine = &p.line
	}
	return o
}
