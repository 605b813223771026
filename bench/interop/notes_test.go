package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func noteBody(n *clientgo.Note) string { return n.Body }

// subject is an object that has notes, with the calls that a test makes for all
// kinds.
type subject struct {
	note interface {
		Note(string, ...servicetest.NoteOption) *servicetest.Note
	}
	list   lister[*clientgo.Note]
	get    func(note int64) answer[*clientgo.Note]
	create func(body string) answer[*clientgo.Note]
	update func(note int64, body string) answer[*clientgo.Note]
	remove func(note int64) answer[any]
	// plain says that a single note has the fields of a note. By the specification,
	// notes on snippets and epics have others.
	plain bool
}

func (s subject) test(t *testing.T, e *env) {
	e = &env{t, e.svc, e.admin}
	first := s.note.Note("first")
	s.note.Note("second", servicetest.SystemNote())
	made := s.create("third")
	third := made.ok(e, 201)
	assert.ElementsMatch(t, []string{"first", "second", "third"}, each(walk(e, s.list), noteBody))
	one := s.get(first.ID()).ok(e, 200)
	assert.Equal(t, []any{first.ID(), "root"}, []any{one.ID, one.Author.Username})
	if s.plain {
		assert.Equal(t, []any{"first", false}, []any{one.Body, one.System})
	}
	changed := s.update(third.ID, "changed").ok(e, 200)
	assert.Equal(t, third.ID, changed.ID)
	assert.Contains(t, each(walk(e, s.list), noteBody), "changed")
	s.remove(third.ID).ok(e, 204)
	s.get(third.ID).refused(e, 404)
}

func TestNotes(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Commit("feature", "Work", servicetest.Write("a.txt", "a\n"))
	issue, snippet := project.Issue("Too slow"), project.Snippet("Example")
	request, epic := project.MergeRequest("feature"), project.Group().Epic("Faster")
	n := e.admin.Notes
	for name, s := range map[string]subject{
		"issue": {
			issue,
			func(o ...clientgo.RequestOptionFunc) ([]*clientgo.Note, *clientgo.Response, error) {
				return n.ListIssueNotes(app, issue.IID(), nil, o...)
			},
			func(note int64) answer[*clientgo.Note] { return got(n.GetIssueNote(app, issue.IID(), note)) },
			func(body string) answer[*clientgo.Note] {
				return got(n.CreateIssueNote(app, issue.IID(), &clientgo.CreateIssueNoteOptions{Body: &body}))
			},
			func(note int64, body string) answer[*clientgo.Note] {
				return got(n.UpdateIssueNote(app, issue.IID(), note, &clientgo.UpdateIssueNoteOptions{Body: &body}))
			},
			func(note int64) answer[any] { return done(n.DeleteIssueNote(app, issue.IID(), note)) },
			true,
		},
		"merge request": {
			request,
			func(o ...clientgo.RequestOptionFunc) ([]*clientgo.Note, *clientgo.Response, error) {
				return n.ListMergeRequestNotes(app, request.IID(), nil, o...)
			},
			func(note int64) answer[*clientgo.Note] { return got(n.GetMergeRequestNote(app, request.IID(), note)) },
			func(body string) answer[*clientgo.Note] {
				return got(n.CreateMergeRequestNote(app, request.IID(),
					&clientgo.CreateMergeRequestNoteOptions{Body: &body}))
			},
			func(note int64, body string) answer[*clientgo.Note] {
				return got(n.UpdateMergeRequestNote(app, request.IID(), note,
					&clientgo.UpdateMergeRequestNoteOptions{Body: &body}))
			},
			func(note int64) answer[any] { return done(n.DeleteMergeRequestNote(app, request.IID(), note)) },
			true,
		},
		"snippet": {
			snippet,
			func(o ...clientgo.RequestOptionFunc) ([]*clientgo.Note, *clientgo.Response, error) {
				return n.ListSnippetNotes(app, snippet.ID(), nil, o...)
			},
			func(note int64) answer[*clientgo.Note] { return got(n.GetSnippetNote(app, snippet.ID(), note)) },
			func(body string) answer[*clientgo.Note] {
				return got(n.CreateSnippetNote(app, snippet.ID(), &clientgo.CreateSnippetNoteOptions{Body: &body}))
			},
			func(note int64, body string) answer[*clientgo.Note] {
				return got(n.UpdateSnippetNote(app, snippet.ID(), note,
					&clientgo.UpdateSnippetNoteOptions{Body: &body}))
			},
			func(note int64) answer[any] { return done(n.DeleteSnippetNote(app, snippet.ID(), note)) },
			false,
		},
		"epic": {
			epic,
			func(o ...clientgo.RequestOptionFunc) ([]*clientgo.Note, *clientgo.Response, error) {
				return n.ListEpicNotes(acme, epic.ID(), nil, o...)
			},
			func(note int64) answer[*clientgo.Note] { return got(n.GetEpicNote(acme, epic.ID(), note)) },
			func(body string) answer[*clientgo.Note] {
				return got(n.CreateEpicNote(acme, epic.ID(), &clientgo.CreateEpicNoteOptions{Body: &body}))
			},
			func(note int64, body string) answer[*clientgo.Note] {
				return got(n.UpdateEpicNote(acme, epic.ID(), note, &clientgo.UpdateEpicNoteOptions{Body: &body}))
			},
			func(note int64) answer[any] { return done(n.DeleteEpicNote(acme, epic.ID(), note)) },
			false,
		},
	} {
		t.Run(name, func(t *testing.T) { s.test(t, e) })
	}
}
