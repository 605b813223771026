package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// epicTitles returns the titles of a list of epics.
func epicTitles(epics []*serviceapi.Epic) []string {
	titles := []string{}
	for _, epic := range epics {
		titles = append(titles, epic.Title)
	}
	return titles
}

// TestServiceEpicIssues adds issues to an epic, and orders them by the IDs of their links.
func TestServiceEpicIssues(t *testing.T) {
	c := newCompany(t)
	goal := c.acme.Epic("Goal")
	first := c.app.Issue("First", servicetest.InEpic(goal))
	second, third := c.app.Issue("Second"), c.app.Issue("Third", servicetest.InEpic(c.acme.Epic("Other")))
	s, ctx, epic := c.asBob.Epics, t.Context(), acme.Epic(goal.IID())
	c.acme.AddMember(c.bob, servicetest.Guest)
	added, resp, err := s.AddIssue(ctx, epic, second.ID())
	require.NoError(t, err)
	assert.Equal(t, []any{201, "Second", "Goal"}, []any{resp.StatusCode, added.Issue.Title, added.Epic.Title})
	moved, _, err := s.AddIssue(ctx, epic, third.ID())
	require.NoError(t, err)
	assert.Less(t, *added.RelativePosition, *moved.RelativePosition)
	_, _, err = s.AddIssue(ctx, epic, third.ID())
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = s.AddIssue(ctx, epic, 99)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)

	titles := func() []string {
		t.Helper()
		var titles []string
		for issue, err := range s.AllIssues(ctx, epic, &serviceapi.ListOptions{PerPage: 2}) {
			require.NoError(t, err)
			titles = append(titles, issue.Title)
		}
		return titles
	}
	assert.Equal(t, []string{"First", "Second", "Third"}, titles())
	order, resp, err := s.MoveIssue(ctx, epic, moved.ID, serviceapi.MoveEpicIssueOptions{MoveAfterID: &added.ID})
	require.NoError(t, err)
	assert.Equal(t, 3, resp.Total)
	assert.Equal(t, []int64{first.ID(), third.ID(), second.ID()}, []int64{order[0].ID, order[1].ID, order[2].ID})
	assert.Equal(t, moved.ID, order[1].EpicIssueID)
	assert.Equal(t, []string{"First", "Third", "Second"}, titles())
	_, _, err = s.MoveIssue(ctx, epic, moved.ID, serviceapi.MoveEpicIssueOptions{MoveBeforeID: new(int64(99))})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)

	removed, _, err := s.RemoveIssue(ctx, epic, order[0].EpicIssueID)
	require.NoError(t, err)
	assert.Equal(t, "First", removed.Issue.Title)
	assert.Equal(t, []string{"Third", "Second"}, titles())
	_, _, err = s.RemoveIssue(ctx, epic, removed.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	left, _, err := c.asBob.Issues.Get(ctx, teamApp.Issue(first.IID()))
	require.NoError(t, err)
	assert.Nil(t, left.Epic)
	_, _, err = c.asEve.Epics.ListIssues(ctx, epic, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceEpicChildren makes children in three ways, and orders them.
func TestServiceEpicChildren(t *testing.T) {
	c := newCompany(t)
	s, ctx, goal := c.asAda.Epics, t.Context(), acme.Epic(c.acme.Epic("Goal").IID())
	alone, _, err := s.Create(ctx, platform, serviceapi.CreateEpicOptions{Title: "Alone"})
	require.NoError(t, err)
	whole, _, err := s.Get(ctx, goal)
	require.NoError(t, err)
	made, _, err := s.CreateChild(ctx, goal, serviceapi.CreateChildEpicOptions{Title: "Made", Confidential: new(true)})
	require.NoError(t, err)
	assert.Equal(t, []any{whole.ID, c.acme.ID(), false}, []any{made.ParentID, made.GroupID, made.HasChildren})
	_, _, err = s.Create(ctx, acme, serviceapi.CreateEpicOptions{Title: "Given", ParentID: &whole.ID})
	require.NoError(t, err)
	child, resp, err := s.AddChild(ctx, goal, alone.Ref())
	require.NoError(t, err)
	assert.Equal(t, []any{201, whole.ID}, []any{resp.StatusCode, *child.ParentID})
	_, _, err = s.AddChild(ctx, goal, alone.Ref())
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = s.AddChild(ctx, alone.Ref(), whole.Ref())
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable, "an ancestor")

	children, err := serviceapi.Collect(s.AllChildren(ctx, goal, nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"Made", "Given", "Alone"}, epicTitles(children))
	children, _, err = s.MoveChild(ctx, goal, alone.Ref(), serviceapi.MoveChildEpicOptions{MoveBeforeID: &made.ID})
	require.NoError(t, err)
	assert.Equal(t, []string{"Made", "Alone", "Given"}, epicTitles(children))
	seen, _, err := s.Get(ctx, made.Ref())
	require.NoError(t, err)
	assert.True(t, seen.Confidential)

	child, _, err = s.RemoveChild(ctx, goal, alone.Ref())
	require.NoError(t, err)
	assert.Nil(t, child.ParentID)
	_, _, err = s.RemoveChild(ctx, goal, alone.Ref())
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	below := newCompany(t, servicetest.WithTier(servicetest.Premium))
	below.acme.Epic("Goal")
	_, _, err = below.asAda.Epics.ListChildren(ctx, acme.Epic(1), nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceRelatedEpics links epics of two groups, which both show the link.
func TestServiceRelatedEpics(t *testing.T) {
	c := newCompany(t)
	goal, part := acme.Epic(c.acme.Epic("Goal").IID()), platform.Epic(c.platform.Epic("Part").IID())
	s, ctx := c.asAda.Epics, t.Context()
	link, resp, err := s.CreateLink(ctx, goal, serviceapi.CreateEpicLinkOptions{
		Target: part, LinkType: new(serviceapi.EpicLinkTypeIsBlockedBy),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{201, "Part", serviceapi.EpicLinkTypeBlocks, "Goal", servicetest.Epoch},
		[]any{resp.StatusCode, link.SourceEpic.Title, link.LinkType, link.TargetEpic.Title, link.CreatedAt})
	_, _, err = s.CreateLink(ctx, part, serviceapi.CreateEpicLinkOptions{Target: goal})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = s.CreateLink(ctx, part, serviceapi.CreateEpicLinkOptions{Target: part})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	related := func(epic serviceapi.EpicRef) []any {
		t.Helper()
		var found []any
		for other, err := range s.AllRelated(ctx, epic, nil) {
			require.NoError(t, err)
			assert.Equal(t, link.ID, other.RelatedEpicLinkID)
			found = append(found, other.Title, other.LinkType)
		}
		return found
	}
	assert.Equal(t, []any{"Part", serviceapi.EpicLinkTypeIsBlockedBy}, related(goal))
	assert.Equal(t, []any{"Goal", serviceapi.EpicLinkTypeBlocks}, related(part))

	links, err := serviceapi.Collect(s.AllLinks(ctx, acme, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.EpicLink{link}, links)
	links, _, err = s.ListLinks(ctx, platform, &serviceapi.ListEpicLinksOptions{
		CreatedAfter: servicetest.Epoch.Add(time.Second),
	})
	require.NoError(t, err)
	assert.Empty(t, links)
	gone, _, err := s.DeleteLink(ctx, part, link.ID)
	require.NoError(t, err)
	assert.Equal(t, link, gone)
	assert.Empty(t, related(goal))
}
