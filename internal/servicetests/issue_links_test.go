package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linksOf returns the numbers and types of what is linked with an issue.
func linksOf(t *testing.T, client *serviceapi.Client, issue serviceapi.IssueRef) []any {
	t.Helper()
	var all []any
	for other, err := range client.IssueLinks.All(t.Context(), issue, nil) {
		require.NoError(t, err)
		all = append(all, other.Title, other.LinkType)
	}
	return all
}

// A link is one row, which both issues show.
func TestServiceIssueLinks(t *testing.T) {
	r := newReviewTeam(t)
	tool := r.svc.Project("acme/tool", servicetest.Member(r.eve, servicetest.Guest))
	engine := r.app.Issue("Engine", servicetest.Description("- [ ] oil it")).IID()
	first, second := mergeApp.Issue(engine), mergeApp.Issue(r.app.Issue("Wheels").IID())
	third := serviceapi.ProjectPath("acme/tool").Issue(tool.Issue("Wrench").IID())
	eve, ctx := as(t, r.svc, r.eve), t.Context()
	_, _, err := eve.IssueLinks.Create(ctx, first, serviceapi.CreateIssueLinkOptions{
		Target: mergeApp.Issue(2), LinkType: new(serviceapi.IssueLinkTypeBlocks),
	})
	require.NoError(t, err)
	swapped, _, err := eve.IssueLinks.Create(ctx, first, serviceapi.CreateIssueLinkOptions{
		Target:   serviceapi.ProjectID(tool.ID()).Issue(1),
		LinkType: new(serviceapi.IssueLinkTypeIsBlockedBy),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"Wrench", serviceapi.IssueLinkTypeBlocks, "Engine"},
		[]any{swapped.SourceIssue.Title, swapped.LinkType, swapped.TargetIssue.Title})

	assert.Equal(t, []any{"Wheels", serviceapi.IssueLinkTypeBlocks, "Wrench", serviceapi.IssueLinkTypeIsBlockedBy},
		linksOf(t, eve, first))
	assert.Equal(t, []any{"Engine", serviceapi.IssueLinkTypeIsBlockedBy}, linksOf(t, eve, second))
	blockers, _, err := eve.IssueLinks.List(ctx, second, nil)
	require.NoError(t, err)
	assert.Equal(t, "0 of 1 checklist items completed", blockers[0].TaskStatus)
	assert.Equal(t, []any{"Engine", serviceapi.IssueLinkTypeBlocks}, linksOf(t, eve, third))
	blocking, _, err := eve.Issues.Get(ctx, mergeApp.Issue(engine))
	require.NoError(t, err)
	assert.Equal(t, new(1), blocking.BlockingIssuesCount)
	assert.Equal(t, []any{"Wheels", serviceapi.IssueLinkTypeBlocks}, linksOf(t, as(t, r.svc, r.bob), first),
		"bob cannot see the other project")

	found, _, err := eve.IssueLinks.Get(ctx, third, *swapped.ID)
	require.NoError(t, err)
	assert.Equal(t, swapped, found)
	gone, _, err := eve.IssueLinks.Delete(ctx, third, *swapped.ID)
	require.NoError(t, err)
	assert.Equal(t, []any{swapped.ID, new(0)}, []any{gone.ID, gone.SourceIssue.BlockingIssuesCount})
	_, _, err = eve.IssueLinks.Get(ctx, first, *swapped.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	var said []string
	for _, note := range tool.Issues()[0].Notes() {
		said = append(said, note.Body())
	}
	assert.Equal(t, []string{"marked this issue as blocking acme/app#1", "removed the relation with acme/app#1"}, said)
}

// Links move with their issues, and go with them.
func TestServiceIssueLinksFollow(t *testing.T) {
	r := newReviewTeam(t)
	r.svc.Project("acme/tool", servicetest.Member(r.ada, servicetest.Maintainer))
	one, two := r.app.Issue("One").IID(), r.app.Issue("Two").IID()
	ada, ctx := as(t, r.svc, r.ada), t.Context()
	_, _, err := ada.IssueLinks.Create(ctx, mergeApp.Issue(one),
		serviceapi.CreateIssueLinkOptions{Target: mergeApp.Issue(two)})
	require.NoError(t, err)
	moved, _, err := ada.Issues.Move(ctx, mergeApp.Issue(two), serviceapi.MoveIssueOptions{ToProjectID: 2})
	require.NoError(t, err)
	assert.Equal(t, []any{"One", serviceapi.IssueLinkTypeRelatesTo}, linksOf(t, ada, moved.Ref()))
	assert.Empty(t, linksOf(t, ada, mergeApp.Issue(two)))
	_, err = asRoot(t, r.svc).Issues.Delete(ctx, serviceapi.ProjectPath("acme/tool").Issue(moved.IID))
	require.NoError(t, err)
	assert.Empty(t, linksOf(t, ada, mergeApp.Issue(one)))
}

func TestServiceIssueLinksAreRefused(t *testing.T) {
	r := newReviewTeam(t, servicetest.WithTier(servicetest.Free))
	site := r.svc.Project("acme/site", servicetest.Public())
	issue, other := mergeApp.Issue(r.app.Issue("One").IID()), r.app.Issue("Two").IID()
	eve, ctx := as(t, r.svc, r.eve), t.Context()
	create := func(project serviceapi.ProjectRef, iid int64, kind serviceapi.IssueLinkType) error {
		_, _, err := eve.IssueLinks.Create(ctx, issue,
			serviceapi.CreateIssueLinkOptions{Target: project.Issue(iid), LinkType: &kind})
		return err
	}
	require.ErrorIs(t, create(mergeApp, other, serviceapi.IssueLinkTypeBlocks),
		serviceapi.ErrForbidden, "not on this tier")
	require.ErrorIs(t, create(mergeApp, 1, serviceapi.IssueLinkTypeRelatesTo), serviceapi.ErrUnprocessable)
	require.ErrorIs(t, create(mergeApp, 99, serviceapi.IssueLinkTypeRelatesTo), serviceapi.ErrNotFound)
	onSite := site.Issue("Three").IID()
	require.ErrorIs(t, create(serviceapi.ProjectPath("acme/site"), onSite, serviceapi.IssueLinkTypeRelatesTo),
		serviceapi.ErrForbidden, "eve is no member there")
	require.NoError(t, create(mergeApp, other, serviceapi.IssueLinkTypeRelatesTo))
	require.ErrorIs(t, create(mergeApp, other, serviceapi.IssueLinkTypeRelatesTo), serviceapi.ErrConflict)
}
