package servicetests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceReactions reacts to everything that can have reactions.
func TestServiceReactions(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	acmeGroup := svc.Group("acme", servicetest.Public())
	app := svc.Project("acme/app", servicetest.Public(), servicetest.Member(ada, servicetest.Guest),
		servicetest.Member(bob, servicetest.Guest))
	project := serviceapi.ProjectID(app.ID())
	issue, mr, snippet := app.Issue("Broken"), app.MergeRequest("topic"), app.Snippet("Short", servicetest.Public())
	onIssue, onRequest := project.Issue(issue.IID()), project.MergeRequest(mr.IID())
	onSnippet := project.Snippet(snippet.ID())
	epic := acmeGroup.Epic("Grow")
	onEpic := acme.Epic(epic.IID())
	s, ctx := as(t, svc, ada).AwardEmoji, t.Context()
	for kind, owner := range map[string]serviceapi.AwardEmojiOwner{
		"Issue": onIssue, "MergeRequest": onRequest, "Snippet": onSnippet, "Epic": onEpic,
		"Note":    onIssue.Note(issue.Note("Indeed.").ID()),
		"Note ":   onRequest.Note(mr.Note("Nice.").ID()),
		"Note  ":  onSnippet.Note(snippet.Note("Yes.").ID()),
		"Note   ": onEpic.Note(epic.Note("Soon.").ID()),
	} {
		given, _, err := s.Create(ctx, owner, serviceapi.CreateAwardEmojiOptions{Name: "+1"})
		require.NoError(t, err)
		assert.Equal(t, "thumbsup", given.Name, "the main name")
		assert.Contains(t, kind, given.AwardableType)
		_, _, err = s.Create(ctx, owner, serviceapi.CreateAwardEmojiOptions{Name: "thumbsup"})
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		assert.ErrorContains(t, err, "Name has already been taken")
		_, _, err = s.Create(ctx, owner, serviceapi.CreateAwardEmojiOptions{Name: ":thumbsup:"})
		assert.ErrorContains(t, err, "Name is not a valid emoji name")
		theirs, _, err := as(t, svc, bob).AwardEmoji.Create(ctx, owner,
			serviceapi.CreateAwardEmojiOptions{Name: "thumbsup"})
		require.NoError(t, err)
		got, _, err := s.Get(ctx, owner, theirs.ID)
		require.NoError(t, err)
		assert.Equal(t, theirs, got)
		all, err := serviceapi.Collect(asAnybody(t, svc).AwardEmoji.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.AwardEmoji{given, theirs}, all, "oldest first, also without a credential")
		_, err = s.Delete(ctx, owner, theirs.ID)
		assert.ErrorIs(t, err, serviceapi.ErrUnauthorized, "that of another user")
		_, err = s.Delete(ctx, owner, given.ID)
		require.NoError(t, err)
		_, _, err = s.Get(ctx, owner, given.ID)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		_, err = asRoot(t, svc).AwardEmoji.Delete(ctx, owner, theirs.ID)
		require.NoError(t, err)
	}
}

// TestServiceCountsAwardEmoji checks what follows from reactions, and who may see those
// on notes.
func TestServiceCountsAwardEmoji(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Guest))
	project, issue := serviceapi.ProjectID(app.ID()), app.Issue("Broken")
	on := project.Issue(issue.IID())
	client, ctx := asRoot(t, svc), t.Context()
	given, _, err := client.AwardEmoji.Create(ctx, on, serviceapi.CreateAwardEmojiOptions{Name: "thumbsup"})
	require.NoError(t, err)
	got, _, err := client.Issues.Get(ctx, project.Issue(issue.IID()))
	require.NoError(t, err)
	assert.Equal(t, []int{1, 0}, []int{got.Upvotes, got.Downvotes})
	other := app.Issue("Slow")
	_, _, err = client.AwardEmoji.Get(ctx, project.Issue(other.IID()), given.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "below another object")

	secret := on.Note(issue.Note("Hush.", servicetest.ConfidentialNote(),
		servicetest.Reaction(svc.Root(), "eyes")).ID())
	_, _, err = as(t, svc, ada).AwardEmoji.List(ctx, secret, nil)
	assert.ErrorContains(t, err, "404 Award Emoji Not Found")
	_, _, err = asAnybody(t, svc).AwardEmoji.List(ctx, on, nil)
	assert.Error(t, err, "the project is private")
	seen, err := serviceapi.Collect(client.AwardEmoji.All(ctx, secret, nil))
	require.NoError(t, err)
	assert.Equal(t, "eyes", seen[0].Name)
}
