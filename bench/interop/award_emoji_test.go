package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// reactions are the calls for the reactions on an object of a project.
type reactions struct {
	list func(any, int64, *clientgo.ListAwardEmojiOptions, ...clientgo.RequestOptionFunc) ([]*clientgo.AwardEmoji,
		*clientgo.Response, error)
	get    func(any, int64, int64, ...clientgo.RequestOptionFunc) (*clientgo.AwardEmoji, *clientgo.Response, error)
	create func(any, int64, *clientgo.CreateAwardEmojiOptions, ...clientgo.RequestOptionFunc) (*clientgo.AwardEmoji,
		*clientgo.Response, error)
	remove func(any, int64, int64, ...clientgo.RequestOptionFunc) (*clientgo.Response, error)
}

// noteReactions are the calls for those on a note.
type noteReactions struct {
	list func(any, int64, int64, *clientgo.ListAwardEmojiOptions, ...clientgo.RequestOptionFunc) (
		[]*clientgo.AwardEmoji, *clientgo.Response, error)
	get func(any, int64, int64, int64, ...clientgo.RequestOptionFunc) (*clientgo.AwardEmoji, *clientgo.Response,
		error)
	create func(any, int64, int64, *clientgo.CreateAwardEmojiOptions, ...clientgo.RequestOptionFunc) (
		*clientgo.AwardEmoji, *clientgo.Response, error)
	remove func(any, int64, int64, int64, ...clientgo.RequestOptionFunc) (*clientgo.Response, error)
}

// on returns the calls for the reactions on one note.
func (n noteReactions) on(note int64) reactions {
	return reactions{
		func(p any, id int64, o *clientgo.ListAwardEmojiOptions, opts ...clientgo.RequestOptionFunc) (
			[]*clientgo.AwardEmoji, *clientgo.Response, error) {
			return n.list(p, id, note, o, opts...)
		},
		func(p any, id, award int64, opts ...clientgo.RequestOptionFunc) (*clientgo.AwardEmoji, *clientgo.Response,
			error) {
			return n.get(p, id, note, award, opts...)
		},
		func(p any, id int64, o *clientgo.CreateAwardEmojiOptions, opts ...clientgo.RequestOptionFunc) (
			*clientgo.AwardEmoji, *clientgo.Response, error) {
			return n.create(p, id, note, o, opts...)
		},
		func(p any, id, award int64, opts ...clientgo.RequestOptionFunc) (*clientgo.Response, error) {
			return n.remove(p, id, note, award, opts...)
		},
	}
}

func (r reactions) test(e *env, id int64, kind string) {
	e.Helper()
	var ids []int64
	for _, name := range []string{"thumbsup", "rocket", "tada"} {
		given := got(r.create(app, id, &clientgo.CreateAwardEmojiOptions{Name: name})).ok(e, 201)
		assert.Equal(e, []string{name, kind, "root"}, []string{given.Name, given.AwardableType, given.User.Username})
		ids = append(ids, given.ID)
	}
	assert.Equal(e, ids, each(walk2(e, r.list, any(app), id, nil), func(a *clientgo.AwardEmoji) int64 { return a.ID }))
	assert.Equal(e, "tada", got(r.get(app, id, ids[2])).ok(e, 200).Name)
	done(r.remove(app, id, ids[0])).ok(e, 204)
	got(r.get(app, id, ids[0])).refused(e, 404)
}

func TestAwardEmoji(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	issue, request, snippet := project.Issue("Broken"), project.MergeRequest("topic"),
		project.Snippet("Short", servicetest.Public())
	a := e.admin.AwardEmoji
	reactions{a.ListIssueAwardEmoji, a.GetIssueAwardEmoji, a.CreateIssueAwardEmoji, a.DeleteIssueAwardEmoji}.test(e,
		issue.IID(), "Issue")
	reactions{
		a.ListMergeRequestAwardEmoji, a.GetMergeRequestAwardEmoji, a.CreateMergeRequestAwardEmoji,
		a.DeleteMergeRequestAwardEmoji,
	}.test(e, request.IID(), "MergeRequest")
	reactions{a.ListSnippetAwardEmoji, a.GetSnippetAwardEmoji, a.CreateSnippetAwardEmoji,
		a.DeleteSnippetAwardEmoji}.test(e, snippet.ID(), "Snippet")
	noteReactions{
		a.ListIssuesAwardEmojiOnNote, a.GetIssuesAwardEmojiOnNote, a.CreateIssuesAwardEmojiOnNote,
		a.DeleteIssuesAwardEmojiOnNote,
	}.on(issue.Note("Indeed.").ID()).test(e, issue.IID(), "Note")
	noteReactions{
		a.ListMergeRequestAwardEmojiOnNote, a.GetMergeRequestAwardEmojiOnNote,
		a.CreateMergeRequestAwardEmojiOnNote, a.DeleteMergeRequestAwardEmojiOnNote,
	}.on(request.Note("Nice.").ID()).test(e, request.IID(), "Note")
	noteReactions{
		a.ListSnippetAwardEmojiOnNote, a.GetSnippetAwardEmojiOnNote, a.CreateSnippetAwardEmojiOnNote,
		a.DeleteSnippetAwardEmojiOnNote,
	}.on(snippet.Note("Yes.").ID()).test(e, snippet.ID(), "Note")
}
