package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceMilestones(t *testing.T) {
	c := newCompany(t)
	day := func(n int) time.Time { return servicetest.Epoch.AddDate(0, 0, n) }
	own := c.app.Milestone("v1", servicetest.Between(day(-3), day(3)), servicetest.Description("First"))
	old := c.app.Milestone("v0", servicetest.ClosedMilestone())
	above := c.platform.Milestone("Q1", servicetest.Between(day(10), day(20)))
	top := c.acme.Milestone("Year")
	s, ctx := c.asBob.Milestones, t.Context()
	titles := func(owner serviceapi.MilestoneOwner, options *serviceapi.ListMilestonesOptions) []string {
		t.Helper()
		milestones, err := serviceapi.Collect(s.All(ctx, owner, options))
		require.NoError(t, err)
		found := []string{}
		for _, m := range milestones {
			found = append(found, m.Title)
		}
		return found
	}
	type options = serviceapi.ListMilestonesOptions
	assert.ElementsMatch(t, []string{"v1", "v0"}, titles(teamApp, nil))
	assert.ElementsMatch(t, []string{"v1", "v0", "Q1", "Year"}, titles(teamApp, &options{IncludeAncestors: true}))
	assert.ElementsMatch(t, []string{"v1", "v0", "Q1", "Year"},
		titles(teamApp, &options{IncludeParentMilestones: true, IIDs: []int64{9}}), "iids are ignored then")
	assert.Equal(t, []string{"v1"}, titles(teamApp, &options{State: serviceapi.MilestoneStateActive}))
	assert.Equal(t, []string{"v0"}, titles(teamApp, &options{IIDs: []int64{old.IID()}}))
	assert.Equal(t, []string{"v0"}, titles(teamApp, &options{Title: "v0"}))
	assert.Equal(t, []string{"v1"}, titles(teamApp, &options{Search: "first"}))
	assert.Empty(t, titles(teamApp, &options{UpdatedAfter: day(1)}))

	assert.Equal(t, []string{"Q1"}, titles(platform, nil))
	assert.ElementsMatch(t, []string{"Q1", "v1", "v0"}, titles(platform, &options{IncludeDescendants: true}))
	assert.Equal(t, []string{"Q1"}, titles(platform, &options{ContainingDate: day(15)}))
	assert.Empty(t, titles(platform, &options{ContainingDate: day(30)}))
	assert.Equal(t, []string{"Q1"}, titles(platform, &options{StartDate: day(0), EndDate: day(10)}))
	assert.Equal(t, []string{"Year"}, titles(platform, &options{IncludeAncestors: true, SearchTitle: "yea"}))

	milestones, _, err := s.List(ctx, teamApp, &options{Title: "v1"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Milestone{
		ID: own.ID(), IID: own.IID(), ProjectID: new(c.app.ID()), Title: "v1", Description: "First",
		State:     serviceapi.MilestoneStateActive,
		CreatedAt: milestones[0].CreatedAt, UpdatedAt: milestones[0].UpdatedAt,
		StartDate: new(serviceapi.NewDate(2026, 1, 12)),
		DueDate:   new(serviceapi.NewDate(2026, 1, 18)), Expired: new(false), WebURL: milestones[0].WebURL,
	}, milestones[0])
	milestones, _, err = s.List(ctx, acme, nil)
	require.NoError(t, err)
	assert.Equal(t, []int64{top.ID(), c.acme.ID()}, []int64{milestones[0].ID, *milestones[0].GroupID})
	assert.Nil(t, milestones[0].ProjectID)
	_, _, err = c.asEve.Milestones.List(ctx, teamApp, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)

	issue, _, err := c.asBob.Issues.Create(ctx, teamApp, serviceapi.CreateIssueOptions{Title: "Plan",
		MilestoneID: new(above.ID())})
	require.NoError(t, err, "those of the groups above can be used")
	assert.Equal(t, c.platform.ID(), *issue.Milestone.GroupID)
}

func TestServiceLabels(t *testing.T) {
	c := newCompany(t)
	c.app.Label("bug", "#ff0000", "Wrong", servicetest.LabelPriority(1))
	c.app.Label("old", "#000000", "", servicetest.LabelArchived())
	c.platform.Label("team", "#ffffff", "Ours")
	c.acme.Label("company", "#00ff00", "")
	c.app.Issue("Slow", servicetest.Labels("bug", "team"))
	done := c.app.Issue("Done", servicetest.Labels("bug"))
	done.Close()
	c.app.MergeRequest("feature", servicetest.Labels("bug", "made by naming"))
	s, ctx := c.asBob.Labels, t.Context()
	names := func(owner serviceapi.LabelOwner, options *serviceapi.ListLabelsOptions) []string {
		t.Helper()
		labels, err := serviceapi.Collect(s.All(ctx, owner, options))
		require.NoError(t, err)
		found := []string{}
		for _, l := range labels {
			found = append(found, l.Name)
		}
		return found
	}
	type options = serviceapi.ListLabelsOptions
	assert.Equal(t, []string{"bug", "company", "made by naming", "old", "team"}, names(teamApp, nil))
	assert.Equal(t, []string{"bug", "made by naming", "old"},
		names(teamApp, &options{IncludeAncestorGroups: new(false)}))
	assert.Equal(t, []string{"bug"}, names(teamApp, &options{Search: "wro"}))
	assert.Equal(t, []string{"old"}, names(teamApp, &options{Archived: new(true)}))
	assert.Equal(t, []string{"company", "team"}, names(platform, nil))
	assert.Equal(t, []string{"company", "team"}, names(acme, &options{IncludeDescendantGroups: true}))
	assert.Equal(t, []string{"bug", "company", "made by naming", "old", "team"},
		names(acme, &options{IncludeDescendantGroups: true, OnlyGroupLabels: new(false)}))

	labels, _, err := s.List(ctx, teamApp, &options{WithCounts: true, Search: "bug"})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Label{{
		ID: labels[0].ID, Name: "bug", Color: "#ff0000", TextColor: "#FFFFFF", Description: "Wrong",
		DescriptionHTML: "Wrong", Priority: new(1),
		IsProjectLabel: new(true), OpenIssuesCount: new(1), ClosedIssuesCount: new(1), OpenMergeRequestsCount: new(1),
	}}, labels)
	labels, _, err = s.List(ctx, platform, &options{WithCounts: true, Search: "team"})
	require.NoError(t, err)
	assert.Equal(t, []any{1, "#333333"}, []any{*labels[0].OpenIssuesCount, labels[0].TextColor})
	assert.Nil(t, labels[0].IsProjectLabel, "sent only for projects")
	_, _, err = c.asEve.Labels.List(ctx, platform, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceEpics(t *testing.T) {
	c := newCompany(t)
	guest := c.svc.User("guest")
	c.acme.AddMember(guest, servicetest.Guest)
	day := func(n int) time.Time { return servicetest.Epoch.AddDate(0, 0, n) }
	big := c.acme.Epic("Big", servicetest.By(c.ada), servicetest.Labels("goal"), servicetest.Between(day(0), day(30)),
		servicetest.Description("All of it"))
	small := c.platform.Epic("Small", servicetest.ChildOf(big), servicetest.CreatedAt(day(-1)),
		servicetest.Reaction(c.ada, "star"))
	secret := c.acme.Epic("Secret", servicetest.Confidential(), servicetest.CreatedAt(day(-2)))
	closed := c.acme.Epic("Closed", servicetest.CreatedAt(day(-3)))
	closed.Close()
	s, ctx := c.asAda.Epics, t.Context()
	titles := func(group serviceapi.GroupRef, options *serviceapi.ListEpicsOptions) []string {
		t.Helper()
		epics, err := serviceapi.Collect(s.All(ctx, group, options))
		require.NoError(t, err)
		found := []string{}
		for _, e := range epics {
			found = append(found, e.Title)
		}
		return found
	}
	type options = serviceapi.ListEpicsOptions
	assert.Equal(t, []string{"Big", "Small", "Secret", "Closed"}, titles(acme, nil), "the newest first")
	assert.Equal(t, []string{"Big", "Secret", "Closed"}, titles(acme, &options{IncludeDescendantGroups: new(false)}))
	assert.Equal(t, []string{"Small"}, titles(platform, nil))
	assert.Equal(t, []string{"Big", "Small", "Secret", "Closed"},
		titles(platform, &options{IncludeAncestorGroups: true}))
	assert.Equal(t, []string{"Closed"}, titles(acme, &options{State: serviceapi.EpicStateClosed}))
	assert.Equal(t, []string{"Secret"}, titles(acme, &options{Confidential: new(true)}))
	assert.Equal(t, []string{"Big"}, titles(acme, &options{Labels: serviceapi.LabelsAre("goal"), AuthorUsername: "ada",
		Search: "all of"}))
	assert.Equal(t, []string{"Small"},
		titles(acme, &options{MyReactionEmoji: serviceapi.EmojiIs("star"), CreatedBefore: day(-1),
			UpdatedAfter: day(-1)}))
	assert.Equal(t, []string{"Closed", "Secret", "Small"}, titles(acme, &options{
		Not:     serviceapi.EpicExclusions{AuthorID: c.ada.ID(), Labels: []string{"other"}},
		OrderBy: serviceapi.EpicOrderByTitle, Sort: serviceapi.SortAscending,
	}))

	epic, _, err := s.Get(ctx, acme.Epic(big.IID()))
	require.NoError(t, err)
	assert.Equal(t, []any{big.ID(), big.IID(), c.acme.ID(), "acme&1", "2026-02-14", true}, []any{
		epic.ID, epic.IID, epic.GroupID, epic.References.Full, epic.DueDate.String(), *epic.DueDateIsFixed,
	})
	child, _, err := s.Get(ctx, platform.Epic(small.IID()))
	require.NoError(t, err)
	assert.Equal(t, []any{big.ID(), big.IID()}, []any{*child.ParentID, *child.ParentIID})
	assert.Contains(t, child.Links.Parent, "/epics/1")
	detailed, _, err := s.List(ctx, acme, &options{WithLabelsDetails: true, Labels: serviceapi.LabelsAre("goal")})
	require.NoError(t, err)
	assert.Equal(t, "#6699cc", detailed[0].Labels[0].Color)

	_, _, err = as(t, c.svc, guest).Epics.Get(ctx, acme.Epic(secret.IID()))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = s.Get(ctx, platform.Epic(big.ID()+10))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	free := newCompany(t, servicetest.WithTier(servicetest.Free))
	_, _, err = free.asAda.Epics.List(ctx, acme, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}
