package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// commitDiscussions holds the comments on commits of all projects. The commits are in
// the order of their first comments.
type commitDiscussions struct{ on []*commitDiscussion }

// A commitDiscussion holds the notes on a commit, which are also its comments.
type commitDiscussion struct {
	discussion

	project *Project
	commit  *gitrepo.Commit
}

// CommitComments returns the comments on a commit, oldest first.
func (p *Project) CommitComments(sha string) []string {
	defer p.svc.lock()()
	var notes []string
	for _, d := range state[commitDiscussions](p.svc).on {
		if d.project == p && d.commit.SHA == sha {
			notes = append(notes, mapped(d.notes, func(n *Note) string { return n.body })...)
		}
	}
	return notes
}

// notesOn returns the notes on a commit.
func (p *Project) notesOn(commit *gitrepo.Commit) *commitDiscussion {
	all := state[commitDiscussions](p.svc)
	for _, d := range all.on {
		if d.project == p && d.commit.SHA == commit.SHA {
			return d
		}
	}
	d := &commitDiscussion{project: p, commit: commit}
	all.on = append(all.on, d)
	d.belongTo(p.svc, d)
	return d
}

// removeCommitNotes removes the comments on the commits of a project.
func (s *Service) removeCommitNotes(p *Project) {
	all := state[commitDiscussions](s)
	all.on = slices.DeleteFunc(all.on, func(d *commitDiscussion) bool { return d.project == p })
}

// findCommitNotes returns the notes on the commit of the path.
func (c *call) findCommitNotes() (*commitDiscussion, *reply) {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return nil, refusal
	}
	return r.project.notesOn(found), nil
}

// commentAuthor returns the JSON of a user in comments, or nil for no user.
func (u *User) commentAuthor() *collection.Form {
	if u = u.shown(); u == nil {
		return nil
	}
	return inOrder("id", u.id, "username", u.username, "email", u.email, "name", u.name, "state", u.state,
		"created_at", jsonTime(u.createdAt))
}

// comment returns a note as the comment of a commit. Lists show the author in another
// form than the response to a new comment.
func (n *Note) comment(author any) *collection.Form {
	var path, line, kind any
	switch p := n.position; {
	case p == nil:
	case p.NewLine == nil:
		path, line, kind = p.OldPath, p.OldLine, "old"
	case p.OldLine == nil:
		path, line, kind = p.NewPath, p.NewLine, "new"
	default: // an unchanged line has no type
		path, line = p.NewPath, p.NewLine
	}
	return inOrder("note", n.body, "path", path, "line", line, "line_type", kind,
		"created_at", jsonTime(n.createdAt), "author", author)
}

func listCommitComments(c *call, on *noteable) *reply {
	return frame.ListOf(c, on.notes, func(n *Note) *collection.Form { return n.comment(n.author.commentAuthor()) })
}

func createCommitComment(c *call, on *noteable) *reply {
	body, path, line := c.RequiredString("note"), c.String("path"), c.Int64("line")
	lineType := c.StringIn("line_type", "new", "old")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	n := c.svc.addNote(on.discussion, body, c.user)
	n.commitID = on.commit.commit.SHA
	if c.PathString("sha") == n.commitID { // and not a branch or a tag
		n.position = on.commit.positionOf(path, line, lineType)
	}
	n.threaded = n.position != nil
	return c.Created(n.comment(n.author.summary()))
}

// changes returns the diff of the commit.
func (d *commitDiscussion) changes() []gitrepo.Change {
	return gitrepo.DiffTrees(d.project.repository().ParentTree(d.commit), d.commit.Tree)
}

// base returns the hash of the first parent, or "" if there is none.
func (d *commitDiscussion) base() string {
	if len(d.commit.Parents) == 0 {
		return ""
	}
	return d.commit.Parents[0]
}

// positionOf returns the position of an added or removed line in the commit's diff, or
// nil if there is none.
func (d *commitDiscussion) positionOf(path string, line int64, lineType string) *position {
	for _, change := range d.changes() {
		isOfPath := change.NewPath == path || change.OldPath == path
		if !isOfPath || lineType == "" || !edited(change, line, lineType == "old") {
			continue
		}
		base := jsonText(d.base())
		p := &position{
			BaseSHA: base, StartSHA: base, HeadSHA: d.commit.SHA, PositionType: "text",
			OldPath: change.OldPath, NewPath: change.NewPath,
		}
		if lineType == "new" {
			p.NewLine = &line
		} else {
			p.OldLine = &line
		}
		return p
	}
	return nil
}

// fits reports whether a position is in the diff of the commit.
func (d *commitDiscussion) fits(p *position) bool {
	base := d.base()
	return string(p.BaseSHA) == base && string(p.StartSHA) == base && p.HeadSHA == d.commit.SHA && p.isIn(d.changes())
}
