package servicetests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceDraftNotes goes through a review: comments on lines, on the whole and in a
// discussion, which nobody sees until they are published.
func TestServiceDraftNotes(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.By(r.bob))
	on := mergeApp.MergeRequest(seeded.IID())
	question := seeded.Note("Ready?", servicetest.Thread(), servicetest.By(r.bob))
	eve, bob, ctx := as(t, r.svc, r.eve), as(t, r.svc, r.bob), t.Context()
	mr, _, err := eve.MergeRequests.Get(ctx, mergeApp.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	diffs, err := serviceapi.Collect(eve.MergeRequests.AllDiffs(ctx, mergeApp.MergeRequest(seeded.IID()), nil))
	require.NoError(t, err)
	line := &serviceapi.DiffPosition{
		BaseSHA: mr.DiffRefs.BaseSHA, StartSHA: mr.DiffRefs.StartSHA, HeadSHA: mr.DiffRefs.HeadSHA,
		PositionType: serviceapi.PositionTypeText, OldPath: diffs[0].OldPath, NewPath: diffs[0].NewPath,
		NewLine: new(1),
	}
	create := func(options serviceapi.CreateDraftNoteOptions) (*serviceapi.DraftNote, error) {
		draft, _, err := eve.DraftNotes.Create(ctx, on, options)
		return draft, err
	}
	onLine, err := create(serviceapi.CreateDraftNoteOptions{Note: "Shorter?", Position: line, CommitID: &mr.SHA})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.LineCode(line.NewPath, 0, 1), onLine.LineCode)
	assert.Equal(t, []int64{r.eve.ID(), mr.ID}, []int64{onLine.AuthorID, onLine.MergeRequestID})
	assert.Equal(t, line, onLine.Position)
	whole, err := create(serviceapi.CreateDraftNoteOptions{Note: "Nice."})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.DiffPosition{PositionType: serviceapi.PositionTypeText}, whole.Position)
	yes := serviceapi.CreateDraftNoteOptions{
		Note: "Yes.", InReplyToDiscussionID: new(question.DiscussionID()), ResolveDiscussion: new(true),
	}
	_, err = create(yes)
	assert.ErrorContains(t, err, "User is not allowed to resolve thread")
	r.app.AddMember(r.eve, servicetest.Developer)
	answer, err := create(yes)
	require.NoError(t, err)

	wrong := *line
	wrong.NewLine = new(1000)
	for name, options := range map[string]serviceapi.CreateDraftNoteOptions{
		"Thread to reply to cannot be found": {Note: "Hm.", InReplyToDiscussionID: new("none")},
		"line_code":                          {Note: "Hm.", Position: &wrong},
		"commit_id":                          {Note: "Hm.", CommitID: new("none")},
	} {
		_, err := create(options)
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		assert.ErrorContains(t, err, name)
	}
	drafts, err := serviceapi.Collect(eve.DraftNotes.All(ctx, on, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.DraftNote{onLine, whole, answer}, drafts)
	theirs, err := serviceapi.Collect(bob.DraftNotes.All(ctx, on, nil))
	require.NoError(t, err)
	assert.Empty(t, theirs, "only the author sees them")
	_, _, err = bob.DraftNotes.Get(ctx, on, whole.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Len(t, seeded.Notes(), 1)

	moved, _, err := eve.DraftNotes.Update(ctx, on, onLine.ID, serviceapi.UpdateDraftNoteOptions{Note: "Shorter!"})
	require.NoError(t, err)
	assert.Empty(t, moved.LineCode, "without a position, it is taken off the diff")
	_, _, err = eve.DraftNotes.Update(ctx, on, onLine.ID, serviceapi.UpdateDraftNoteOptions{Note: "Shorter!",
		Position: line})
	require.NoError(t, err)
	_, err = eve.DraftNotes.Delete(ctx, on, whole.ID)
	require.NoError(t, err)
	_, err = eve.DraftNotes.Publish(ctx, on, answer.ID)
	require.NoError(t, err)
	assert.True(t, question.Resolved())
	_, err = eve.DraftNotes.PublishAll(ctx, on, serviceapi.PublishDraftNotesOptions{Note: new("Done."),
		Internal: new(true)})
	require.NoError(t, err)
	var bodies []string
	for _, note := range seeded.Notes() {
		bodies = append(bodies, note.Body())
	}
	assert.Equal(t, []string{"Ready?", "Yes.", "Shorter!", "Done."}, bodies)
	discussions, err := serviceapi.Collect(bob.Discussions.All(ctx, on, nil))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.NoteTypeDiff, discussions[1].Notes[0].Type)
	assert.True(t, seeded.Notes()[3].Confidential())
	_, err = eve.DraftNotes.PublishAll(ctx, on, serviceapi.PublishDraftNotesOptions{})
	require.NoError(t, err, "there are none")

	reopening, err := create(serviceapi.CreateDraftNoteOptions{Note: "Wait.",
		InReplyToDiscussionID: new(question.DiscussionID())})
	require.NoError(t, err)
	_, err = eve.DraftNotes.Publish(ctx, on, reopening.ID)
	require.NoError(t, err)
	assert.False(t, question.Resolved(), "a reply that does not resolve reopens")
}
