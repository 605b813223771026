package servicetests

import (
	"strconv"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hour is a time of the clock's first day.
func hour(n int) time.Time { return servicetest.Epoch.Add(time.Duration(n) * time.Hour) }

// seedRequests makes the merge requests 1 to 5 of acme/app, an hour apart, and
// one of bob in another project.
func (r *reviewTeam) seedRequests() {
	v1 := r.app.Milestone("v1", servicetest.Between(servicetest.Epoch, time.Time{}))
	v2 := r.app.Milestone("v2")
	r.app.Label("bug", "#ffffff", "Something <wrong>")
	type seed = servicetest.MergeRequestOption
	for n, options := range [][]seed{
		{servicetest.Title("Alpha"), servicetest.Description("first"), servicetest.By(r.ada),
			servicetest.Labels("bug", "urgent"),
			servicetest.InMilestone(v1), servicetest.Reaction(r.ada, "tada"), servicetest.UpdatedAt(hour(30))},
		{servicetest.Title("Beta"), servicetest.By(r.bob), servicetest.Draft(), servicetest.AssignedTo(r.ada, r.eve),
			servicetest.ReviewedBy(r.bob), servicetest.Labels("bug")},
		{servicetest.Title("Gamma"), servicetest.Description("not Alpha"), servicetest.By(r.bob),
			servicetest.AssignedTo(r.bob),
			servicetest.ApprovableBy(2, r.ada, r.eve), servicetest.ApprovedBy(r.eve), servicetest.InMilestone(v2),
			servicetest.Into("stable")},
		{servicetest.Title("Delta"), servicetest.By(r.eve), servicetest.ReviewedBy(r.ada),
			servicetest.Reaction(r.bob, "tada")},
		{servicetest.Title("Epsilon"), servicetest.By(nil), servicetest.TimeTracked(50*time.Hour+30*time.Minute, 0)},
	} {
		branch := "branch-" + strconv.Itoa(n+1)
		m := r.app.MergeRequest(branch, append(options, servicetest.CreatedAt(hour(n+1)))...)
		switch n {
		case 3:
			m.Merge()
			m.DeployedTo("production", hour(10))
			m.DeployedTo("staging", hour(8))
		case 4:
			m.Close()
		}
	}
	other := r.svc.Project("other/lib", servicetest.Public())
	other.MergeRequest("lib", servicetest.By(r.bob), servicetest.Title("Elsewhere"), servicetest.CreatedAt(hour(6)))
}

// iids returns the numbers of merge requests.
func iids(mrs []*serviceapi.MergeRequest) []int64 {
	numbers := []int64{}
	for _, mr := range mrs {
		numbers = append(numbers, mr.IID)
	}
	return numbers
}

func TestServiceFiltersMergeRequests(t *testing.T) {
	type options = serviceapi.ListMergeRequestsOptions
	type not = serviceapi.MergeRequestExclusions
	r := newReviewTeam(t)
	r.seedRequests()
	ada, bob, eve := r.ada.ID(), r.bob.ID(), r.eve.ID()
	s := r.requests(t, r.ada)
	for name, test := range map[string]struct {
		options options
		want    []int64
	}{
		"everything, newest first": {options{}, []int64{5, 4, 3, 2, 1}},
		"iids":                     {options{IIDs: []int64{2, 4, 77}}, []int64{4, 2}},
		"opened":                   {options{State: serviceapi.MergeRequestStateOpened}, []int64{3, 2, 1}},
		"closed":                   {options{State: serviceapi.MergeRequestStateClosed}, []int64{5}},
		"merged":                   {options{State: serviceapi.MergeRequestStateMerged}, []int64{4}},
		"locked":                   {options{State: serviceapi.MergeRequestStateLocked}, []int64{}},
		"any state":                {options{State: serviceapi.MergeRequestStateAny}, []int64{5, 4, 3, 2, 1}},
		"oldest first":             {options{Sort: serviceapi.SortAscending}, []int64{1, 2, 3, 4, 5}},
		"by title": {options{OrderBy: serviceapi.MergeRequestOrderByTitle,
			Sort: serviceapi.SortAscending}, []int64{1, 4, 2, 5, 3}},
		"by update": {options{OrderBy: serviceapi.MergeRequestOrderByUpdatedAt, IIDs: []int64{1, 2, 3}},
			[]int64{1, 3, 2}},
		"milestone":           {options{Milestone: serviceapi.MilestoneIs("v1")}, []int64{1}},
		"no milestone":        {options{Milestone: serviceapi.NoMilestone}, []int64{5, 4, 2}},
		"any milestone":       {options{Milestone: serviceapi.AnyMilestone}, []int64{3, 1}},
		"label":               {options{Labels: serviceapi.LabelsAre("bug")}, []int64{2, 1}},
		"all labels":          {options{Labels: serviceapi.LabelsAre("bug", "urgent")}, []int64{1}},
		"no label":            {options{Labels: serviceapi.NoLabel}, []int64{5, 4, 3}},
		"any label":           {options{Labels: serviceapi.AnyLabel}, []int64{2, 1}},
		"created from on":     {options{CreatedAfter: hour(4)}, []int64{5, 4}},
		"created up to":       {options{CreatedBefore: hour(2)}, []int64{2, 1}},
		"just before":         {options{CreatedBefore: hour(2).Add(-time.Millisecond)}, []int64{1}},
		"updated from on":     {options{UpdatedAfter: hour(30)}, []int64{1}},
		"updated up to":       {options{UpdatedBefore: hour(3), IIDs: []int64{1, 2, 3}}, []int64{3, 2}},
		"mine":                {options{Scope: serviceapi.MergeRequestScopeCreatedByMe}, []int64{1}},
		"assigned to me":      {options{Scope: serviceapi.MergeRequestScopeAssignedToMe}, []int64{2}},
		"author":              {options{AuthorID: bob}, []int64{3, 2}},
		"author's name":       {options{AuthorUsername: "EVE"}, []int64{4}},
		"assignee":            {options{AssigneeID: serviceapi.UserIs(eve)}, []int64{2}},
		"no assignee":         {options{AssigneeID: serviceapi.NoUser}, []int64{5, 4, 1}},
		"any assignee":        {options{AssigneeID: serviceapi.AnyUser}, []int64{3, 2}},
		"approvers":           {options{ApproverIDs: serviceapi.UsersAre(ada, eve)}, []int64{3}},
		"other approvers":     {options{ApproverIDs: serviceapi.UsersAre(ada, bob)}, []int64{}},
		"no approver":         {options{ApproverIDs: serviceapi.NoUsers}, []int64{5, 4, 2, 1}},
		"approved":            {options{ApprovedByIDs: serviceapi.UsersAre(eve)}, []int64{3}},
		"approved by anybody": {options{ApprovedByIDs: serviceapi.AnyUsers}, []int64{3}},
		"reviewer":            {options{ReviewerID: serviceapi.UserIs(ada)}, []int64{4}},
		"reviewer's name":     {options{ReviewerUsername: "bob"}, []int64{2}},
		"no reviewer":         {options{ReviewerID: serviceapi.NoUser}, []int64{5, 3, 1}},
		"any reviewer":        {options{ReviewerID: serviceapi.AnyUser}, []int64{4, 2}},
		"my reaction":         {options{MyReactionEmoji: serviceapi.EmojiIs("tada")}, []int64{1}},
		"no reaction":         {options{MyReactionEmoji: serviceapi.NoEmoji}, []int64{5, 4, 3, 2}},
		"source branch":       {options{SourceBranch: "branch-2"}, []int64{2}},
		"target branch":       {options{TargetBranch: "stable"}, []int64{3}},
		"search":              {options{Search: "ALPHA"}, []int64{3, 1}},
		"drafts":              {options{Draft: new(true)}, []int64{2}},
		"no drafts":           {options{Draft: new(false)}, []int64{5, 4, 3, 1}},
		"environment":         {options{Environment: "production"}, []int64{4}},
		"not label":           {options{Not: not{Labels: []string{"urgent", "x"}}}, []int64{5, 4, 3, 2}},
		"not milestone":       {options{Not: not{Milestone: "v2"}}, []int64{5, 4, 2, 1}},
		"not author":          {options{Not: not{AuthorID: bob}}, []int64{5, 4, 1}},
		"not author's name":   {options{Not: not{AuthorUsername: "ada"}}, []int64{5, 4, 3, 2}},
		"not assignee":        {options{Not: not{AssigneeID: bob}}, []int64{5, 4, 2, 1}},
		"not assignee's name": {options{Not: not{AssigneeUsername: "eve"}}, []int64{5, 4, 3, 1}},
		"not reviewer":        {options{Not: not{ReviewerID: ada}}, []int64{5, 3, 2, 1}},
		"not reviewer's name": {options{Not: not{ReviewerUsername: "bob"}}, []int64{5, 4, 3, 1}},
		"not my reaction":     {options{Not: not{MyReactionEmoji: "tada"}}, []int64{5, 4, 3, 2}},
		"several": {options{AuthorID: bob, Draft: new(false), Not: not{Labels: []string{"bug"}}},
			[]int64{3}},
	} {
		mrs, _, err := s.List(t.Context(), mergeApp, &test.options)
		require.NoError(t, err, name)
		assert.Equal(t, test.want, iids(mrs), name)
	}
}

func TestServiceFiltersMergeRequestsOfAllProjects(t *testing.T) {
	type options = serviceapi.ListMergeRequestsOptions
	r := newReviewTeam(t)
	r.seedRequests()
	s := r.requests(t, r.bob)
	for name, test := range map[string]struct {
		options *options
		want    []string
	}{
		"my own":         {nil, []string{"Elsewhere", "Gamma", "Draft: Beta"}},
		"assigned to me": {&options{Scope: serviceapi.MergeRequestScopeAssignedToMe}, []string{"Gamma"}},
		"another author": {&options{Scope: serviceapi.MergeRequestScopeAll, AuthorUsername: "eve"},
			[]string{"Delta"}},
		"author, own scope": {&options{AuthorUsername: "eve"}, []string{}},
		"in the title": {&options{
			Scope: serviceapi.MergeRequestScopeAll, Search: "alpha",
			In: []serviceapi.SearchField{serviceapi.SearchFieldTitle},
		}, []string{"Alpha"}},
		"in both": {&options{
			Scope: serviceapi.MergeRequestScopeAll, Search: "alpha",
			In: []serviceapi.SearchField{serviceapi.SearchFieldTitle, serviceapi.SearchFieldDescription},
		}, []string{"Gamma", "Alpha"}},
		"deployed after": {&options{Scope: serviceapi.MergeRequestScopeAll, DeployedAfter: hour(10)},
			[]string{"Delta"}},
		"deployed before": {&options{Scope: serviceapi.MergeRequestScopeAll, DeployedBefore: hour(7)}, []string{}},
		"deployed in time": {&options{
			Scope: serviceapi.MergeRequestScopeAll, Environment: "production", DeployedBefore: hour(9),
		}, []string{}},
	} {
		mrs, _, err := s.List(t.Context(), serviceapi.Instance, test.options)
		require.NoError(t, err, name)
		titles := []string{}
		for _, mr := range mrs {
			titles = append(titles, mr.Title)
		}
		assert.Equal(t, test.want, titles, name)
	}
}

func TestServiceRefusesFilters(t *testing.T) {
	r := newReviewTeam(t, servicetest.WithTier(servicetest.Free))
	s := r.requests(t, r.bob)
	for name, test := range map[string]struct {
		options serviceapi.ListMergeRequestsOptions
		want    error
	}{
		"two authors": {serviceapi.ListMergeRequestsOptions{AuthorID: 1, AuthorUsername: "ada"},
			serviceapi.ErrBadRequest},
		"two reviewers": {serviceapi.ListMergeRequestsOptions{ReviewerID: serviceapi.UserIs(1),
			ReviewerUsername: "ada"}, serviceapi.ErrBadRequest},
		"order": {serviceapi.ListMergeRequestsOptions{OrderBy: "color"}, serviceapi.ErrBadRequest},
		"tier": {serviceapi.ListMergeRequestsOptions{ApproverIDs: serviceapi.UsersAre(1)},
			serviceapi.ErrForbidden},
	} {
		_, _, err := s.List(t.Context(), mergeApp, &test.options)
		require.ErrorIs(t, err, test.want, name)
	}
	premium := newReviewTeam(t)
	_, _, err := premium.requests(t, premium.bob).List(t.Context(), mergeApp,
		&serviceapi.ListMergeRequestsOptions{ApprovedByIDs: serviceapi.UsersAre(1, 2, 3, 4, 5, 6)})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceMergeRequestFields(t *testing.T) {
	r := newReviewTeam(t)
	r.seedRequests()
	s := r.requests(t, r.ada)
	list := func(options serviceapi.ListMergeRequestsOptions) *serviceapi.MergeRequest {
		t.Helper()
		mrs, _, err := s.List(t.Context(), mergeApp, &options)
		require.NoError(t, err)
		require.Len(t, mrs, 1)
		return mrs[0]
	}
	first := list(serviceapi.ListMergeRequestsOptions{IIDs: []int64{1}, WithLabelsDetails: true})
	assert.Equal(t, []*serviceapi.LabelSummary{
		{ID: new(int64(1)), Name: "bug", Color: "#ffffff", TextColor: "#333333", Description: "Something <wrong>",
			DescriptionHTML: "Something &lt;wrong&gt;"},
		{ID: new(int64(2)), Name: "urgent", Color: "#6699cc", TextColor: "#FFFFFF"},
	}, first.Labels)
	assert.Equal(t, serviceapi.NewDate(2026, 1, 15).String(), first.Milestone.StartDate.String())
	assert.Nil(t, first.Milestone.DueDate)
	assert.Equal(t, &serviceapi.References{Short: "!1", Relative: "!1", Full: "acme/app!1"}, first.References)

	assert.Equal(t, &serviceapi.MergeRequest{
		IID: 2, Title: "Draft: Beta", State: serviceapi.MergeRequestStateOpened, WebURL: r.svc.URL() +
			"/acme/app/-/merge_requests/2",
	}, list(serviceapi.ListMergeRequestsOptions{IIDs: []int64{2}, View: serviceapi.MergeRequestViewSimple}))

	gone := list(serviceapi.ListMergeRequestsOptions{State: serviceapi.MergeRequestStateClosed})
	assert.Nil(t, gone.Author)
	assert.Equal(t, "root", gone.ClosedBy.Username)
	assert.Equal(t, &serviceapi.TimeStats{TimeEstimate: 181800, HumanTimeEstimate: "1w 1d 2h 30m"}, gone.TimeStats)

	merged, _, err := s.Get(t.Context(), mergeApp.MergeRequest(4), nil)
	require.NoError(t, err)
	assert.Equal(t, hour(10), *merged.FirstDeployedToProductionAt)
	assert.Empty(t, merged.TitleHTML, "only on request")
	assert.Zero(t, merged.DivergedCommitsCount)

	asked, _, err := s.Get(t.Context(), mergeApp.MergeRequest(1),
		&serviceapi.GetMergeRequestOptions{IncludeDivergedCommitsCount: true, RenderHTML: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"Alpha", `<p dir="auto">first</p>`}, []string{asked.TitleHTML, asked.DescriptionHTML})

}

func TestServiceRechecksTheMergeStatus(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Commit("ours", "Ours", servicetest.Write("README.md", "ours\n"))
	r.app.MergeRequest("ours")
	r.app.Commit("main", "Theirs", servicetest.Write("README.md", "theirs\n"))
	s := r.requests(t, r.bob)
	status := func(recheck bool) serviceapi.MergeStatus {
		t.Helper()
		mrs, _, err := s.List(t.Context(), mergeApp,
			&serviceapi.ListMergeRequestsOptions{WithMergeStatusRecheck: recheck})
		require.NoError(t, err)
		assert.Equal(t, mrs[0].MergeStatus != serviceapi.MergeStatusCanBeMerged, mrs[0].HasConflicts)
		return mrs[0].MergeStatus
	}
	assert.Equal(t, serviceapi.MergeStatusCanBeMerged, status(false), "nobody looked since the push")
	assert.Equal(t, serviceapi.MergeStatusCanBeMerged, status(true), "asked to look, later")
	assert.Equal(t, serviceapi.MergeStatus("cannot_be_merged"), status(false))
}

func TestServiceWalksMergeRequests(t *testing.T) {
	r := newReviewTeam(t)
	r.seedRequests()
	mrs, err := serviceapi.Collect(r.requests(t, r.ada).All(t.Context(), mergeApp,
		&serviceapi.ListMergeRequestsOptions{ListOptions: serviceapi.ListOptions{PerPage: 2},
			Not: serviceapi.MergeRequestExclusions{AuthorID: r.ada.ID()}}))
	require.NoError(t, err)
	assert.Equal(t, []int64{5, 4, 3, 2}, iids(mrs), "the next pages are filtered as the first")
}
