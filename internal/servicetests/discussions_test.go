package servicetests

import (
	"encoding/json"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceDiscussions(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.By(r.bob))
	seeded.Note("changed", servicetest.SystemNote())
	begun := seeded.Note("Begin", servicetest.Thread(), servicetest.By(r.eve))
	seeded.Note("Go on", servicetest.InReplyTo(begun))
	plain := seeded.Note("Nice")
	on := mergeApp.MergeRequest(seeded.IID())
	bob, eve := as(t, r.svc, r.bob), as(t, r.svc, r.eve)
	ctx := t.Context()

	threads, err := serviceapi.Collect(bob.Discussions.All(ctx, on, &serviceapi.ListOptions{PerPage: 2}))
	require.NoError(t, err)
	require.Len(t, threads, 3)
	assert.Equal(t, []any{true, 1, false, 2, true, 1}, []any{
		threads[0].IndividualNote, len(threads[0].Notes), threads[1].IndividualNote, len(threads[1].Notes),
		threads[2].IndividualNote, len(threads[2].Notes),
	})
	assert.Equal(t, begun.DiscussionID(), threads[1].ID)
	assert.Equal(t, serviceapi.NoteTypeDiscussion, threads[1].Notes[0].Type)
	assert.True(t, threads[1].Notes[0].Resolvable)
	assert.Empty(t, threads[2].Notes[0].Type)
	assert.False(t, threads[2].Notes[0].Resolvable)

	reply, resp, err := eve.Discussions.Reply(ctx, on, plain.DiscussionID(), serviceapi.ReplyOptions{Body: "Thanks"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, serviceapi.NoteTypeDiscussion, reply.Note.Type)
	threads, _, err = bob.Discussions.List(ctx, on, nil)
	require.NoError(t, err)
	assert.False(t, threads[2].IndividualNote, "a reply makes it a thread")

	resolved, _, err := bob.Discussions.Resolve(ctx, on, begun.DiscussionID())
	require.NoError(t, err)
	for _, note := range resolved.Notes {
		assert.True(t, note.Resolved)
		assert.Equal(t, "bob", note.ResolvedBy.Username)
		assert.Equal(t, servicetest.Epoch, *note.ResolvedAt)
	}
	assert.True(t, begun.Resolved())
	reopened, _, err := bob.Discussions.Reopen(ctx, on, begun.DiscussionID())
	require.NoError(t, err)
	assert.False(t, reopened.Notes[0].Resolved)
	assert.Nil(t, reopened.Notes[0].ResolvedAt)

	_, _, err = eve.Discussions.Resolve(ctx, on, begun.DiscussionID())
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "a reporter who is not the author")
	_, _, err = bob.Discussions.Resolve(ctx, on, "0123")
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceDiscussionNotes(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.By(r.bob))
	on := mergeApp.MergeRequest(seeded.IID())
	bob, eve := as(t, r.svc, r.bob), as(t, r.svc, r.eve)
	ctx := t.Context()
	thread, _, err := eve.Discussions.Create(ctx, on,
		serviceapi.CreateDiscussionOptions{Body: "Why?", CommitID: new(seeded.SHA())})
	require.NoError(t, err)
	assert.False(t, thread.IndividualNote)
	require.Len(t, thread.Notes, 1)
	first := thread.Notes[0]
	assert.Equal(t, seeded.SHA(), first.CommitID)
	_, _, err = eve.Discussions.Create(ctx, on,
		serviceapi.CreateDiscussionOptions{Body: "Why?", CommitID: new(r.app.Head("main"))})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "a commit of another branch")

	note, _, err := eve.Discussions.UpdateNote(ctx, on, thread.ID, first.ID,
		serviceapi.UpdateDiscussionNoteOptions{Body: new("Why not?")})
	require.NoError(t, err)
	assert.Equal(t, "Why not?", note.Body)
	_, _, err = bob.Discussions.UpdateNote(ctx, on, thread.ID, first.ID,
		serviceapi.UpdateDiscussionNoteOptions{Body: new("Mine")})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	note, _, err = bob.Discussions.UpdateNote(ctx, on, thread.ID, first.ID,
		serviceapi.UpdateDiscussionNoteOptions{Resolved: new(true)})
	require.NoError(t, err)
	assert.True(t, note.Resolved)

	other := seeded.Note("Elsewhere")
	_, err = bob.Discussions.DeleteNote(ctx, on, thread.ID, other.ID())
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "it is in another discussion")
	_, err = eve.Discussions.DeleteNote(ctx, on, thread.ID, first.ID)
	require.NoError(t, err)
	_, _, err = bob.Discussions.Reply(ctx, on, thread.ID, serviceapi.ReplyOptions{Body: "Late"})
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "nothing of it is left")
}

// A discussion can be on a line of the diff, and suggest another one.
func TestServiceDiscussionsOnADiff(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Commit("main", "Begin", servicetest.Write("a.txt", "one\ntwo\nthree\n"))
	r.app.Commit("feature", "Change", servicetest.Write("a.txt", "one\n2\nthree\n"))
	seeded := r.app.MergeRequest("feature", servicetest.By(r.bob))
	on := mergeApp.MergeRequest(seeded.IID())
	eve := as(t, r.svc, r.eve)
	ctx := t.Context()
	versions, _, err := eve.MergeRequests.ListVersions(ctx, mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	place := serviceapi.DiffPosition{
		BaseSHA: versions[0].BaseCommitSHA, StartSHA: versions[0].StartCommitSHA, HeadSHA: versions[0].HeadCommitSHA,
		PositionType: serviceapi.PositionTypeText, OldPath: "a.txt", NewPath: "a.txt", NewLine: new(2),
	}
	discuss := func(change func(*serviceapi.DiffPosition)) (*serviceapi.Discussion, error) {
		moved := place
		change(&moved)
		discussion, _, err := eve.Discussions.Create(ctx, on, serviceapi.CreateDiscussionOptions{
			Body: "Spell it:\n```suggestion\ntwo!\n```\n", Position: &moved,
		})
		return discussion, err
	}
	added, err := discuss(func(*serviceapi.DiffPosition) {})
	require.NoError(t, err)
	note := added.Notes[0]
	assert.Equal(t, serviceapi.NoteTypeDiff, note.Type)
	assert.Equal(t, &place, note.Position)
	assert.Equal(t, []*serviceapi.NoteSuggestion{{ID: note.ID * 100, FromLine: 2, ToLine: 2, Appliable: true,
		FromContent: "2\n",
		ToContent:   "two!\n"}}, note.Suggestions)
	path, line := seeded.Notes()[0].Line()
	assert.Equal(t, []any{"a.txt", int64(2)}, []any{path, line})
	reply, _, err := eve.Discussions.Reply(ctx, on, added.ID, serviceapi.ReplyOptions{Body: "Please"})
	require.NoError(t, err)
	assert.Equal(t, &place, reply.Note.Position)

	for name, change := range map[string]func(*serviceapi.DiffPosition){
		"removed":   func(p *serviceapi.DiffPosition) { p.NewLine, p.OldLine = nil, new(2) },
		"unchanged": func(p *serviceapi.DiffPosition) { p.NewLine, p.OldLine = new(3), new(3) },
		"range": func(p *serviceapi.DiffPosition) {
			end := serviceapi.DiffLineRangeEnd{LineCode: serviceapi.LineCode("a.txt", 2, 2),
				Type: serviceapi.LineTypeNew, NewLine: new(2)}
			p.LineRange = &serviceapi.DiffLineRange{Start: &end, End: &end}
		},
	} {
		_, err := discuss(change)
		assert.NoError(t, err, name)
	}
	for name, change := range map[string]func(*serviceapi.DiffPosition){
		"wrong hash":        func(p *serviceapi.DiffPosition) { p.HeadSHA = p.BaseSHA },
		"wrong file":        func(p *serviceapi.DiffPosition) { p.NewPath, p.OldPath = "b.txt", "b.txt" },
		"not added":         func(p *serviceapi.DiffPosition) { p.NewLine = new(1) },
		"not removed":       func(p *serviceapi.DiffPosition) { p.NewLine, p.OldLine = nil, new(3) },
		"not the same line": func(p *serviceapi.DiffPosition) { p.OldLine, p.NewLine = new(1), new(3) },
		"no line":           func(p *serviceapi.DiffPosition) { p.NewLine = nil },
		"wrong code": func(p *serviceapi.DiffPosition) {
			end := serviceapi.DiffLineRangeEnd{LineCode: serviceapi.LineCode("b.txt", 2, 2),
				Type: serviceapi.LineTypeNew}
			p.LineRange = &serviceapi.DiffLineRange{Start: &end, End: &end}
		},
	} {
		_, err := discuss(change)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
}

func TestServiceDiscussionsOnIssues(t *testing.T) {
	r := newReviewTeam(t)
	issue := r.app.Issue("Slow")
	on := mergeApp.Issue(issue.IID())
	eve, ada := as(t, r.svc, r.eve), as(t, r.svc, r.ada)
	ctx := t.Context()
	thread, _, err := eve.Discussions.Create(ctx, on, serviceapi.CreateDiscussionOptions{Body: "How slow?"})
	require.NoError(t, err)
	assert.False(t, thread.Notes[0].Resolvable, "only those of merge requests are")
	_, _, err = ada.Discussions.Reply(ctx, on, thread.ID, serviceapi.ReplyOptions{Body: "Very"})
	require.NoError(t, err)
	threads, err := serviceapi.Collect(eve.Discussions.All(ctx, on, nil))
	require.NoError(t, err)
	require.Len(t, threads, 1)
	assert.Equal(t, []string{"How slow?", "Very"}, []string{threads[0].Notes[0].Body, threads[0].Notes[1].Body})

	past := servicetest.Epoch.Add(-time.Hour)
	_, _, err = eve.Discussions.Create(ctx, on, serviceapi.CreateDiscussionOptions{Body: "Then", CreatedAt: &past})
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "only owners backdate")
	old, _, err := asRoot(t, r.svc).Discussions.Create(ctx, on,
		serviceapi.CreateDiscussionOptions{Body: "Then", CreatedAt: &past})
	require.NoError(t, err)
	assert.Equal(t, past, old.Notes[0].CreatedAt)
	_, _, err = eve.Discussions.Create(ctx, on, serviceapi.CreateDiscussionOptions{Body: " "})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = eve.Discussions.List(ctx, mergeApp.Issue(99), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// All owners have the same life of a discussion.
func TestServiceDiscussionsOfEveryOwner(t *testing.T) {
	r := newReviewTeam(t)
	epic := r.app.Group().Epic("Speed")
	bob, eve, ctx := as(t, r.svc, r.bob), as(t, r.svc, r.eve), t.Context()
	for kind, owner := range map[serviceapi.NoteableType]serviceapi.DiscussionOwner{
		serviceapi.NoteableTypeMergeRequest: mergeApp.MergeRequest(r.app.MergeRequest("feature").IID()),
		serviceapi.NoteableTypeIssue:        mergeApp.Issue(r.app.Issue("Slow").IID()),
		serviceapi.NoteableTypeCommit:       mergeApp.Commit(r.app.Head("feature")),
		serviceapi.NoteableTypeSnippet:      mergeApp.Snippet(r.app.Snippet("Trick").ID()),
		serviceapi.NoteableTypeEpic:         serviceapi.GroupID(r.app.Group().ID()).EpicByID(epic.ID()),
	} {
		s := eve.Discussions
		thread, _, err := s.Create(ctx, owner, serviceapi.CreateDiscussionOptions{Body: "Why?"})
		require.NoError(t, err, kind)
		reply, _, err := s.Reply(ctx, owner, thread.ID, serviceapi.ReplyOptions{Body: "So"})
		require.NoError(t, err, kind)
		assert.Equal(t, kind, reply.Note.NoteableType)
		assert.Equal(t, kind == serviceapi.NoteableTypeMergeRequest, reply.Note.Resolvable, kind)
		edited, _, err := s.UpdateNote(ctx, owner, thread.ID, reply.Note.ID,
			serviceapi.UpdateDiscussionNoteOptions{Body: new("Therefore")})
		require.NoError(t, err, kind)
		assert.Equal(t, "Therefore", edited.Body)
		_, err = bob.Discussions.DeleteNote(ctx, owner, thread.ID, reply.Note.ID)
		require.ErrorIs(t, err, serviceapi.ErrForbidden, "%s: it is another one's", kind)

		found, _, err := s.Get(ctx, owner, thread.ID)
		require.NoError(t, err, kind)
		listed, err := serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err, kind)
		assert.Equal(t, []*serviceapi.Discussion{found}, listed, kind)
		require.Len(t, found.Notes, 2, kind)
		assert.Equal(t, edited, found.Notes[1], kind)

		for _, note := range found.Notes {
			_, err = s.DeleteNote(ctx, owner, thread.ID, note.ID)
			require.NoError(t, err, kind)
		}
		_, _, err = s.Get(ctx, owner, thread.ID)
		require.ErrorIs(t, err, serviceapi.ErrNotFound, "%s: nothing of it is left", kind)
	}
}

// The notes on a commit are its comments, too.
func TestServiceDiscussionsOnCommits(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Commit("main", "Begin", servicetest.Write("a.txt", "one\ntwo\nthree\n"))
	parent := r.app.Head("main")
	r.app.Commit("main", "Change", servicetest.Write("a.txt", "one\n2\nthree\n"))
	sha := r.app.Head("main")
	on, eve, ctx := mergeApp.Commit(sha), as(t, r.svc, r.eve), t.Context()
	comment, _, err := eve.Commits.CreateComment(ctx, mergeApp, sha, serviceapi.CreateCommitCommentOptions{
		Note: "Two!", Path: new("a.txt"), Line: new(2), LineType: new(serviceapi.LineTypeNew),
	})
	require.NoError(t, err)
	assert.Equal(t, "a.txt", comment.Path)
	threads, err := serviceapi.Collect(eve.Discussions.All(ctx, on, nil))
	require.NoError(t, err)
	require.Len(t, threads, 1)
	assert.False(t, threads[0].IndividualNote)
	place := threads[0].Notes[0].Position
	assert.Equal(t, &serviceapi.DiffPosition{
		BaseSHA: parent, StartSHA: parent, HeadSHA: sha, PositionType: serviceapi.PositionTypeText,
		OldPath: "a.txt", NewPath: "a.txt", NewLine: new(2),
	}, place)

	_, _, err = eve.Discussions.Reply(ctx, on, threads[0].ID, serviceapi.ReplyOptions{Body: "Please"})
	require.NoError(t, err)
	old := *place
	old.NewLine, old.OldLine = nil, new(2)
	started, _, err := eve.Discussions.Create(ctx, on,
		serviceapi.CreateDiscussionOptions{Body: "Was better", Position: &old})
	require.NoError(t, err)
	assert.Equal(t, []any{&old, sha, serviceapi.NoteTypeDiff},
		[]any{started.Notes[0].Position, started.Notes[0].CommitID, started.Notes[0].Type})
	_, _, err = eve.Discussions.Create(ctx, on, serviceapi.CreateDiscussionOptions{Body: ":thumbsup:"})
	require.NoError(t, err, "a commit has no reactions")
	comments, err := serviceapi.Collect(eve.Commits.AllComments(ctx, mergeApp, sha, nil))
	require.NoError(t, err)
	var seen []any
	for _, c := range comments {
		seen = append(seen, c.Note, c.LineType)
	}
	assert.Equal(t, []any{
		"Two!", serviceapi.LineTypeNew, "Please", serviceapi.LineTypeNew, "Was better", serviceapi.LineTypeOld,
		":thumbsup:", serviceapi.LineType(""),
	}, seen)
	assert.Equal(t, []string{"Two!", "Please", "Was better", ":thumbsup:"}, r.app.CommitComments(sha))

	wrong := *place
	wrong.BaseSHA = sha
	_, _, err = eve.Discussions.Create(ctx, on, serviceapi.CreateDiscussionOptions{Body: "Where?", Position: &wrong})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

// What the service wrote takes no replies.
func TestServiceRepliesToSystemNotes(t *testing.T) {
	r := newReviewTeam(t)
	issue := r.app.Issue("Slow")
	on := mergeApp.Issue(issue.IID())
	note := issue.Note("changed the title", servicetest.SystemNote())
	_, _, err := as(t, r.svc, r.eve).Discussions.Reply(t.Context(), on, note.DiscussionID(),
		serviceapi.ReplyOptions{Body: "Why?"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	done, _, err := as(t, r.svc, r.ada).Discussions.Reply(t.Context(), on, issue.Note("Done?").DiscussionID(),
		serviceapi.ReplyOptions{Body: "/close"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CreatedNote{
		CommandsChanges: map[string]json.RawMessage{"state_event": []byte(`"close"`)},
		Summary:         []string{"Closed this issue."},
	}, done)
	assert.Equal(t, "closed", issue.State())
}
