package servicetests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceSearch finds one object of each kind, and only what the caller may see.
func TestServiceSearch(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Commit("main", "Sell tea", servicetest.Write("shop/prices.txt", "milk 1\ntea 3\nsugar 2\n"))
	issue := r.app.Issue("Tea is sold out")
	issue.Note("Order more tea.")
	r.app.Issue("Secret tea", servicetest.Confidential())
	request := r.app.MergeRequest("feature", servicetest.Title("Sell more tea"))
	r.app.Milestone("Tea time")
	r.app.Snippet("How to make tea", servicetest.Public())
	r.svc.Project("acme/tea", servicetest.Archived())
	r.svc.User("teapot")
	bob, ctx := as(t, r.svc, r.bob), t.Context()
	s, least := bob.Search, &serviceapi.SearchOptions{Search: "TEA"}
	group := serviceapi.GroupID(r.app.Group().ID())
	r.app.Group().AddMember(r.bob, servicetest.Reporter)

	projects, err := serviceapi.Collect(s.AllProjects(ctx, serviceapi.Instance, least))
	require.NoError(t, err)
	assert.Empty(t, projects, "archived projects are left out")
	projects, err = serviceapi.Collect(s.AllProjects(ctx, group,
		&serviceapi.SearchOptions{Search: "tea", IncludeArchived: true}))
	require.NoError(t, err)
	require.Len(t, projects, 1)
	assert.Equal(t, "acme/tea", projects[0].PathWithNamespace)
	for _, owner := range []serviceapi.SearchOwner{serviceapi.Instance, group, mergeApp} {
		issues, err := serviceapi.Collect(s.AllIssues(ctx, owner,
			&serviceapi.SearchIssuesOptions{Search: "tea", Confidential: new(false)}))
		require.NoError(t, err)
		require.Len(t, issues, 1)
		assert.Equal(t, "Tea is sold out", issues[0].Title)
		requests, err := serviceapi.Collect(s.AllMergeRequests(ctx, owner,
			&serviceapi.SearchMergeRequestsOptions{Search: "tea", State: serviceapi.MergeRequestStateOpened}))
		require.NoError(t, err)
		require.Len(t, requests, 1)
		assert.Equal(t, request.IID(), requests[0].IID)
		milestones, err := serviceapi.Collect(s.AllMilestones(ctx, owner, least))
		require.NoError(t, err)
		require.Len(t, milestones, 1)
		notes, err := serviceapi.Collect(s.AllNotes(ctx, owner, least))
		require.NoError(t, err)
		require.Len(t, notes, 1)
		assert.Equal(t, "Order more tea.", notes[0].Body)
		commits, err := serviceapi.Collect(s.AllCommits(ctx, owner,
			&serviceapi.SearchCommitsOptions{Search: "sell tea"}))
		require.NoError(t, err)
		require.Len(t, commits, 1)
		assert.Equal(t, r.app.ID(), commits[0].ProjectID)
		blobs, err := serviceapi.Collect(s.AllBlobs(ctx, owner,
			&serviceapi.SearchBlobsOptions{Search: "tea extension:txt"}))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.SearchBlob{{
			Basename: "shop/prices", Data: "milk 1\ntea 3\nsugar 2\n", Path: "shop/prices.txt",
			Filename: "shop/prices.txt",
			Ref:      "main", Startline: 1, ProjectID: new(r.app.ID()),
		}}, blobs)
		pages, err := serviceapi.Collect(s.AllWikiBlobs(ctx, owner, &serviceapi.SearchWikiBlobsOptions{Search: "tea"}))
		require.NoError(t, err)
		assert.Empty(t, pages)
	}
	snippets, err := serviceapi.Collect(s.AllSnippetTitles(ctx, least))
	require.NoError(t, err)
	require.Len(t, snippets, 1)
	users, err := serviceapi.Collect(s.AllUsers(ctx, serviceapi.Instance, least))
	require.NoError(t, err)
	require.Len(t, users, 1)
	users, err = serviceapi.Collect(s.AllUsers(ctx, mergeApp, least))
	require.NoError(t, err)
	assert.Empty(t, users, "only members")
}

func TestServiceSearchNeedsTheTier(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	svc.Project("acme/app")
	s := as(t, svc, svc.Root()).Search
	_, _, err := s.ListNotes(t.Context(), serviceapi.Instance, &serviceapi.SearchOptions{Search: "tea"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "advanced search")
	_, _, err = s.ListNotes(t.Context(), mergeApp, &serviceapi.SearchOptions{Search: "tea"})
	require.NoError(t, err, "a project needs no advanced search")
}

// TestServiceSearchesPersonalSnippets finds a snippet that belongs to no project, and goes on
// to keep events of what does.
func TestServiceSearchesPersonalSnippets(t *testing.T) {
	r := newReviewTeam(t)
	bob, ctx := as(t, r.svc, r.bob), t.Context()
	made, _, err := bob.Snippets.Create(ctx, serviceapi.Own, serviceapi.CreateSnippetOptions{
		Title: "My tea", Visibility: new(serviceapi.VisibilityPrivate),
		Files: []serviceapi.SnippetFileOptions{{FilePath: "tea.md", Content: "Hot."}},
	})
	require.NoError(t, err)
	least := &serviceapi.SearchOptions{Search: "tea"}
	for client, want := range map[*serviceapi.Client]int{bob: 1, as(t, r.svc, r.svc.User("stranger")): 0} {
		found, err := serviceapi.Collect(client.Search.AllSnippetTitles(ctx, least))
		require.NoError(t, err)
		require.Len(t, found, want)
		for _, snippet := range found {
			assert.Equal(t, []any{made.ID, (*int64)(nil)}, []any{snippet.ID, snippet.ProjectID})
		}
	}
	_, _, err = bob.Issues.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{Title: "Cold tea"})
	require.NoError(t, err)
	events, err := serviceapi.Collect(bob.Events.All(ctx, serviceapi.Own, nil))
	require.NoError(t, err)
	require.NotEmpty(t, events)
	assert.Equal(t, "Cold tea", events[0].TargetTitle)
}
