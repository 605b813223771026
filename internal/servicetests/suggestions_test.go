package servicetests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceSuggestions applies what comments on a diff suggest.
func TestServiceSuggestions(t *testing.T) {
	svc := servicetest.New(t)
	ada, guest := svc.User("ada"), svc.User("guest")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer),
		servicetest.Member(guest, servicetest.Reporter))
	app.Commit("work", "Work", servicetest.WriteExecutable("a.txt", "1\n2\n3\n"))
	mr := serviceapi.ProjectID(app.ID()).MergeRequest(app.MergeRequest("work").IID())
	client, ctx := as(t, svc, ada), t.Context()
	suggest := func(line int, text string) *serviceapi.Note {
		t.Helper()
		versions, _, err := client.MergeRequests.ListVersions(ctx, mr, nil)
		require.NoError(t, err)
		made, _, err := client.Discussions.Create(ctx, mr, serviceapi.CreateDiscussionOptions{
			Body: "```suggestion\n" + text + "\n```", Position: &serviceapi.DiffPosition{
				BaseSHA: versions[0].BaseCommitSHA, StartSHA: versions[0].StartCommitSHA,
				HeadSHA: versions[0].HeadCommitSHA, PositionType: serviceapi.PositionTypeText,
				OldPath: "a.txt", NewPath: "a.txt", NewLine: new(line),
			},
		})
		require.NoError(t, err)
		require.Len(t, made.Notes[0].Suggestions, 1)
		return made.Notes[0]
	}
	first, third := suggest(1, "one"), suggest(3, "three")
	one, three := first.Suggestions[0], third.Suggestions[0]
	assert.True(t, one.Appliable)
	assert.Equal(t, "1\n", one.FromContent)
	_, _, err := as(t, svc, guest).Suggestions.Apply(ctx, one.ID, serviceapi.ApplySuggestionOptions{})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)

	both, _, err := client.Suggestions.ApplyTogether(ctx, serviceapi.ApplySuggestionsOptions{
		IDs: []int64{one.ID, three.ID}, CommitMessage: new("As suggested"),
	})
	require.NoError(t, err)
	require.Len(t, both, 2)
	assert.Equal(t, one.ID, both[0].ID)
	assert.True(t, both[1].Applied)
	content, _ := app.File("work", "a.txt")
	assert.Equal(t, "one\n2\nthree\n", content)
	commits, _, err := client.MergeRequests.ListCommits(ctx, mr, nil)
	require.NoError(t, err)
	assert.Equal(t, "As suggested", commits[0].Message)
	assert.Equal(t, "Ada", commits[0].AuthorName)
	note, _, err := client.Notes.Get(ctx, mr, third.ID)
	require.NoError(t, err)
	assert.True(t, note.Resolved)
	assert.Equal(t, "ada", note.ResolvedBy.Username)

	id := suggest(2, "two").Suggestions[0].ID
	two, _, err := client.Suggestions.Apply(ctx, id, serviceapi.ApplySuggestionOptions{})
	require.NoError(t, err)
	assert.Equal(t, "two\n", two.ToContent)
	assert.False(t, two.Appliable)
	file, _, err := client.RepositoryFiles.Get(ctx, mr.Project(), "a.txt",
		&serviceapi.GetRepositoryFileOptions{Ref: "work"})
	require.NoError(t, err)
	assert.True(t, file.ExecuteFilemode)
	_, _, err = client.Suggestions.Apply(ctx, two.ID, serviceapi.ApplySuggestionOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}
