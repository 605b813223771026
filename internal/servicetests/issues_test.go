package servicetests

import (
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceIssuesLifeCycle(t *testing.T) {
	r := newReviewTeam(t)
	guest := r.svc.User("guest")
	r.app.AddMember(guest, servicetest.Guest)
	v1 := r.app.Milestone("v1", servicetest.Between(servicetest.Epoch, servicetest.Epoch.AddDate(0, 0, -1)))
	epic := r.svc.Group("acme").Epic("Big")
	s, ctx := as(t, r.svc, guest).Issues, t.Context()
	issue, resp, err := s.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{
		Title: "Slow", Description: new("- [x] seen\n- [ ] mended"), AssigneeIDs: []int64{r.bob.ID(), r.ada.ID()},
		MilestoneID: new(v1.ID()),
		Labels:      serviceapi.LabelNames{"bug", "new one"}, DueDate: new(serviceapi.NewDate(2026, time.February, 1)),
		Confidential: new(true),
		IssueType:    new(serviceapi.IssueTypeIncident), Weight: new(3), EpicID: new(epic.ID()),
	})
	require.NoError(t, err)
	assert.Equal(t, http.StatusCreated, resp.StatusCode)
	assert.Equal(t, []any{serviceapi.IssueStateOpened, int64(1), "guest", "bob", "v1", true,
		serviceapi.IssueTypeIncident, "INCIDENT"}, []any{
		issue.State, issue.IID, issue.Author.Username, issue.Assignee.Username, issue.Milestone.Title,
		issue.Confidential, issue.IssueType, issue.Type,
	})
	assert.Equal(t, "2026-02-01", issue.DueDate.String())
	assert.True(t, *issue.Milestone.Expired)
	assert.Equal(t, []any{int(3), epic.ID(), "1 of 2 checklist items completed"},
		[]any{*issue.Weight, issue.Epic.ID, issue.TaskStatus})
	assert.Equal(t, &serviceapi.TaskCompletionStatus{Count: 2, CompletedCount: 1}, issue.TaskCompletionStatus)
	assert.Equal(t, "acme/app#1", issue.References.Full)
	assert.Contains(t, issue.Links.Self, r.svc.URL())
	assert.Equal(t, []string{"bug", "new one"}, r.app.LabelNames())

	issue, _, err = s.Update(ctx, mergeApp.Issue(1), serviceapi.UpdateIssueOptions{
		Title: new("Slower"), AssigneeIDs: []int64{}, MilestoneID: new(int64(0)),
		AddLabels:    serviceapi.LabelNames{"urgent"},
		RemoveLabels: serviceapi.LabelNames{"bug"}, DueDate: serviceapi.Null[serviceapi.Date](),
		Confidential: new(false),
		StateEvent:   new(serviceapi.StateEventClose), DiscussionLocked: new(true),
	})
	require.NoError(t, err, "the author may")
	assert.Equal(t, []any{"Slower", serviceapi.IssueStateClosed, "guest", false, true}, []any{
		issue.Title, issue.State, issue.ClosedBy.Username, issue.Confidential, *issue.DiscussionLocked,
	})
	assert.Nil(t, issue.DueDate)
	assert.Nil(t, issue.Milestone)
	assert.Empty(t, issue.Assignees)
	assert.Equal(t, []*serviceapi.LabelSummary{{Name: "new one"}, {Name: "urgent"}}, issue.Labels)
	issue, _, err = s.Update(ctx, mergeApp.Issue(1), serviceapi.UpdateIssueOptions{
		StateEvent: new(serviceapi.StateEventReopen),
		DueDate:    serviceapi.Value(serviceapi.NewDate(2026, time.March, 1)),
	})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.IssueStateOpened, issue.State)
	assert.Nil(t, issue.ClosedAt)
	assert.Equal(t, "2026-03-01", issue.DueDate.String())

	got, _, err := s.Get(ctx, mergeApp.Issue(1))
	require.NoError(t, err)
	assert.Equal(t, issue, got)
	_, err = s.Delete(ctx, mergeApp.Issue(1))
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = asRoot(t, r.svc).Issues.Delete(ctx, mergeApp.Issue(1))
	require.NoError(t, err)
	_, _, err = s.Get(ctx, mergeApp.Issue(1))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Empty(t, r.app.Issues())
}

func TestServiceIssuesRefused(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.Issue("Mine", servicetest.By(r.ada))
	guest := r.svc.User("guest")
	r.app.AddMember(guest, servicetest.Guest)
	s, ctx := as(t, r.svc, guest).Issues, t.Context()
	past := servicetest.Epoch.Add(-time.Hour)
	for name, test := range map[string]struct {
		err, is error
	}{
		"number of another": {
			second(s.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{Title: "t", IID: new(int64(9))})),
			serviceapi.ErrForbidden},
		"backdated": {
			second(s.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{Title: "t", CreatedAt: &past})),
			serviceapi.ErrForbidden},
		"unknown milestone": {
			second(s.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{Title: "t", MilestoneID: new(int64(9))})),
			serviceapi.ErrBadRequest},
		"unknown type": {
			second(s.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{Title: "t",
				IssueType: new(serviceapi.IssueType("idea"))})), serviceapi.ErrBadRequest},
		"another's": {
			second(s.Update(ctx, mergeApp.Issue(seeded.IID()), serviceapi.UpdateIssueOptions{Title: new("Ours")})),
			serviceapi.ErrForbidden},
		"no such issue": {second(s.Get(ctx, mergeApp.Issue(99))), serviceapi.ErrNotFound},
		"nothing to change": {second(as(t, r.svc, r.ada).Issues.Update(ctx, mergeApp.Issue(seeded.IID()),
			serviceapi.UpdateIssueOptions{})), serviceapi.ErrBadRequest},
		"a number in use": {
			second(asRoot(t, r.svc).Issues.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{Title: "t",
				IID: new(seeded.IID())})), serviceapi.ErrConflict},
		"without credential": {second(asAnybody(t, r.svc).Issues.List(ctx, serviceapi.Instance, nil)),
			serviceapi.ErrUnauthorized},
	} {
		assert.ErrorIs(t, test.err, test.is, name)
	}
	assert.Len(t, r.app.Issues(), 1)
	numbered, _, err := asRoot(t, r.svc).Issues.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{Title: "Past",
		IID: new(int64(40)), CreatedAt: &past})
	require.NoError(t, err)
	assert.Equal(t, []any{int64(40), past}, []any{numbered.IID, numbered.CreatedAt})
}

func TestServiceIssuesLists(t *testing.T) {
	r := newReviewTeam(t)
	week := servicetest.Epoch.AddDate(0, 0, 3)
	v1 := r.app.Milestone("v1", servicetest.Between(servicetest.Epoch.AddDate(0, 0, -5), week))
	epic := r.svc.Group("acme").Epic("Big")
	slow := r.app.Issue("Slow", servicetest.By(r.bob), servicetest.Labels("bug", "urgent"), servicetest.InMilestone(v1),
		servicetest.AssignedTo(r.ada, r.eve),
		servicetest.DueOn(week), servicetest.Weight(5), servicetest.InEpic(epic), servicetest.Reaction(r.bob, "star"),
		servicetest.CreatedAt(servicetest.Epoch.Add(-3*time.Hour)))
	wrong := r.app.Issue("Wrong", servicetest.Description("too slow"), servicetest.Confidential(),
		servicetest.CreatedAt(servicetest.Epoch.Add(-2*time.Hour)),
		servicetest.IssueType("incident"), servicetest.DueOn(servicetest.Epoch.AddDate(0, 0, -1)))
	done := r.app.Issue("Done", servicetest.Labels("bug"), servicetest.CreatedAt(servicetest.Epoch.Add(-time.Hour)))
	done.Close()
	deep := r.svc.Project("acme/deep/tool", servicetest.Public()).Issue("Deep", servicetest.By(r.bob))
	r.svc.Project("acme/secret").Issue("Secret")
	archived := r.svc.Project("acme/old", servicetest.Public(), servicetest.Archived()).Issue("Old")
	s := as(t, r.svc, r.bob).Issues
	ids := func(owner serviceapi.IssueOwner, options *serviceapi.ListIssuesOptions) []int64 {
		t.Helper()
		issues, err := serviceapi.Collect(s.All(t.Context(), owner, options))
		require.NoError(t, err)
		found := []int64{}
		for _, issue := range issues {
			found = append(found, issue.ID)
		}
		return found
	}
	type options = serviceapi.ListIssuesOptions
	group := serviceapi.GroupPath("acme")
	assert.Equal(t, []int64{done.ID(), wrong.ID(), slow.ID()}, ids(mergeApp, nil), "the newest first")
	assert.ElementsMatch(t, []int64{slow.ID(), deep.ID()}, ids(serviceapi.Instance, nil), "one's own")
	assert.ElementsMatch(t, []int64{slow.ID(), wrong.ID(), done.ID(), deep.ID()}, ids(group, nil))
	assert.ElementsMatch(t, []int64{slow.ID(), wrong.ID(), done.ID(), deep.ID(), archived.ID()},
		ids(group, &options{NonArchived: new(false)}))

	for name, test := range map[string]struct {
		options options
		want    []int64
	}{
		"state": {options{State: serviceapi.IssueStateClosed}, []int64{done.ID()}},
		"any state": {options{State: serviceapi.IssueStateAny, IIDs: []int64{slow.IID(), done.IID()}},
			[]int64{done.ID(), slow.ID()}},
		"labels":             {options{Labels: serviceapi.LabelsAre("bug", "urgent")}, []int64{slow.ID()}},
		"no label":           {options{Labels: serviceapi.NoLabel}, []int64{wrong.ID()}},
		"milestone":          {options{Milestone: serviceapi.MilestoneIs("v1")}, []int64{slow.ID()}},
		"upcoming milestone": {options{MilestoneTiming: serviceapi.MilestoneTimingUpcoming}, []int64{slow.ID()}},
		"started milestone":  {options{MilestoneTiming: serviceapi.MilestoneTimingStarted}, []int64{slow.ID()}},
		"no milestone":       {options{Milestone: serviceapi.NoMilestone}, []int64{done.ID(), wrong.ID()}},
		"author":             {options{AuthorID: r.bob.ID()}, []int64{slow.ID()}},
		"author's name":      {options{AuthorUsername: "Bob"}, []int64{slow.ID()}},
		"assignee":           {options{AssigneeID: serviceapi.UserIs(r.ada.ID())}, []int64{slow.ID()}},
		"nobody":             {options{AssigneeID: serviceapi.NoUser}, []int64{done.ID(), wrong.ID()}},
		"both assignees":     {options{AssigneeUsername: []string{"ada", "eve"}}, []int64{slow.ID()}},
		"other assignees":    {options{AssigneeUsername: []string{"ada", "bob"}}, []int64{}},
		"reaction":           {options{MyReactionEmoji: serviceapi.EmojiIs("star")}, []int64{slow.ID()}},
		"search":             {options{Search: "SLOW"}, []int64{wrong.ID(), slow.ID()}},
		"search titles": {options{Search: "SLOW", In: []serviceapi.SearchField{serviceapi.SearchFieldTitle}},
			[]int64{slow.ID()}},
		"created": {options{CreatedAfter: servicetest.Epoch.Add(-150 * time.Minute),
			CreatedBefore: servicetest.Epoch.Add(-90 * time.Minute)}, []int64{wrong.ID()}},
		"due this week":    {options{DueDate: serviceapi.IssueDueFilterWeek}, []int64{wrong.ID(), slow.ID()}},
		"due this month":   {options{DueDate: serviceapi.IssueDueFilterMonth}, []int64{wrong.ID(), slow.ID()}},
		"due next month":   {options{DueDate: serviceapi.IssueDueFilterNextMonth}, []int64{wrong.ID(), slow.ID()}},
		"overdue":          {options{DueDate: serviceapi.IssueDueFilterOverdue}, []int64{wrong.ID()}},
		"due any time":     {options{DueDate: serviceapi.IssueDueFilterAny}, []int64{wrong.ID(), slow.ID()}},
		"due today":        {options{DueDate: serviceapi.IssueDueFilterToday}, []int64{}},
		"due tomorrow":     {options{DueDate: serviceapi.IssueDueFilterTomorrow}, []int64{}},
		"never due":        {options{DueDate: serviceapi.IssueDueFilterNever}, []int64{done.ID()}},
		"confidential":     {options{Confidential: new(true)}, []int64{wrong.ID()}},
		"not confidential": {options{Confidential: new(false)}, []int64{done.ID(), slow.ID()}},
		"type":             {options{IssueType: serviceapi.IssueTypeIncident}, []int64{wrong.ID()}},
		"weight":           {options{Weight: serviceapi.NumberIs(5)}, []int64{slow.ID()}},
		"no weight":        {options{Weight: serviceapi.NoNumber}, []int64{done.ID(), wrong.ID()}},
		"epic":             {options{EpicID: serviceapi.NumberIs(epic.ID())}, []int64{slow.ID()}},
		"iteration":        {options{IterationID: serviceapi.AnyNumber}, []int64{}},
		"not": {options{Not: serviceapi.IssueExclusions{Labels: []string{"urgent"},
			IIDs: []int64{wrong.IID()}}}, []int64{done.ID()}},
		"not by": {
			options{Not: serviceapi.IssueExclusions{AuthorUsername: "bob", AssigneeUsername: []string{"fay"}}},
			[]int64{done.ID(), wrong.ID()}},
		"not in milestone": {
			options{Not: serviceapi.IssueExclusions{MilestoneTiming: serviceapi.MilestoneTimingStarted}},
			[]int64{done.ID(), wrong.ID()}},
		"assigned to me": {options{Scope: serviceapi.IssueScopeAssignedToMe}, []int64{}},
		"oldest first":   {options{Sort: serviceapi.SortAscending}, []int64{slow.ID(), wrong.ID(), done.ID()}},
		"by title": {options{OrderBy: serviceapi.IssueOrderByTitle, Sort: serviceapi.SortAscending},
			[]int64{done.ID(), slow.ID(), wrong.ID()}},
		"by weight": {options{OrderBy: serviceapi.IssueOrderByWeight, Labels: serviceapi.LabelsAre("bug")},
			[]int64{slow.ID(), done.ID()}},
	} {
		assert.Equal(t, test.want, ids(mergeApp, &test.options), name)
	}
	detailed, _, err := s.List(t.Context(), mergeApp,
		&options{WithLabelsDetails: true, Milestone: serviceapi.MilestoneIs("v1")})
	require.NoError(t, err)
	assert.Equal(t, "#6699cc", detailed[0].Labels[0].Color)
	public, err := serviceapi.Collect(asAnybody(t, r.svc).Issues.All(t.Context(), serviceapi.Instance,
		&options{Scope: serviceapi.IssueScopeAll}))
	require.NoError(t, err)
	assert.Len(t, public, 1, "what is public needs no credential")
	_, _, err = s.List(t.Context(), mergeApp, &options{AuthorID: 1, AuthorUsername: "root"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceMovesIssues(t *testing.T) {
	r := newReviewTeam(t)
	target := r.svc.Project("acme/target", servicetest.Member(r.bob, servicetest.Reporter))
	target.Label("bug", "#ff0000", "")
	target.Issue("First")
	seeded := r.app.Issue("Wander", servicetest.By(r.eve), servicetest.Labels("bug", "here"))
	seeded.Note("On the way", servicetest.By(r.ada))
	s, ctx := as(t, r.svc, r.bob).Issues, t.Context()
	moved, resp, err := s.Move(ctx, mergeApp.Issue(seeded.IID()), serviceapi.MoveIssueOptions{ToProjectID: target.ID()})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{target.ID(), int64(2), "eve", serviceapi.IssueStateOpened},
		[]any{moved.ProjectID, moved.IID, moved.Author.Username, moved.State})
	assert.Equal(t, []string{"bug"}, target.LabelNames())
	assert.Equal(t, "On the way", target.Issues()[1].Notes()[0].Body())
	old, _, err := s.Get(ctx, mergeApp.Issue(seeded.IID()))
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.IssueStateClosed, moved.ID}, []any{old.State, *old.MovedToID})

	_, _, err = s.Move(ctx, mergeApp.Issue(seeded.IID()), serviceapi.MoveIssueOptions{ToProjectID: target.ID()})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is there already")
	other := r.app.Issue("Stay")
	_, _, err = s.Move(ctx, mergeApp.Issue(other.IID()), serviceapi.MoveIssueOptions{ToProjectID: r.app.ID()})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = s.Move(ctx, mergeApp.Issue(other.IID()), serviceapi.MoveIssueOptions{ToProjectID: 99})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// An issue can be about the open threads of a merge request.
func TestServiceIssuesOfThreads(t *testing.T) {
	r := newReviewTeam(t)
	seeded := r.app.MergeRequest("feature", servicetest.Title("Feature"))
	seeded.Note("Name it better", servicetest.Thread())
	other := seeded.Note("Test it", servicetest.Thread())
	s := as(t, r.svc, r.bob).Issues
	issue, _, err := s.Create(t.Context(), mergeApp, serviceapi.CreateIssueOptions{
		Title: "Follow up", MergeRequestToResolveDiscussionsOf: new(seeded.IID()),
		DiscussionToResolve: new(other.DiscussionID()),
	})
	require.NoError(t, err)
	assert.Equal(t, "Follow up", issue.Title)
	assert.Contains(t, issue.Description, "Test it")
	assert.NotContains(t, issue.Description, "Name it better")
}
