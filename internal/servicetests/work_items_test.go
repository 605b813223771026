package servicetests

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceWorkItemsLife goes through the life of a task below an issue, in a service whose
// global IDs have a word of their own.
func TestServiceWorkItemsLife(t *testing.T) {
	c := newCompany(t, servicetest.WithGlobalIDWord("forge"))
	s, ctx := c.asBob.WorkItems, t.Context()
	labelID := func(name string) int64 {
		c.app.Label(name, "#ff0000", "")
		l, _, err := c.asBob.Labels.Get(ctx, teamApp, serviceapi.LabelName(name), nil)
		require.NoError(t, err)
		return l.ID
	}
	bug, late := labelID("bug"), labelID("late")
	milestone := c.app.Milestone("v1", servicetest.Between(time.Time{}, servicetest.Epoch.AddDate(0, 0, 30)))
	iteration := c.acme.Iteration(servicetest.Iteration{Title: "Sprint", Start: servicetest.Epoch,
		Due: servicetest.Epoch.AddDate(0, 0, 14)})
	issue := c.app.Issue("Prices are wrong")

	parent, resp, err := s.Get(ctx, teamApp.WorkItem(issue.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, []any{
		serviceapi.GlobalID("gid://forge/WorkItem/1"), "WorkItem", int64(1), int64(1), "Prices are wrong",
		serviceapi.WorkItemTypeNameIssue, serviceapi.WorkItemStateOpen, "acme/platform/app", "root",
		c.svc.URL() + "/acme/platform/app/-/issues/1", servicetest.Epoch,
	}, []any{
		parent.ID, parent.ID.Kind(), parent.ID.Number(), parent.IID, parent.Title, parent.Type, parent.State,
		parent.NamespacePath, parent.Author.Username, parent.WebURL, parent.CreatedAt,
	})

	task, resp, err := s.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{
		Type: "task", Title: "Ask the shop", Description: new("All of them"), Confidential: new(true),
		AssigneeIDs: []int64{c.bob.ID()}, LabelIDs: []int64{bug}, MilestoneID: new(milestone.ID()),
		ParentID: parent.ID, StartDate: new(serviceapi.NewDate(2026, 1, 20)),
		DueDate: new(serviceapi.NewDate(2026, 2, 1)), Weight: new(int64(3)), IterationID: &iteration.ID,
		Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartFull},
	})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, []any{
		serviceapi.WorkItemTypeNameTask, serviceapi.GlobalID("gid://forge/WorkItems::Type/5"), int64(2), "All of them",
		true, "bob", "bug", "v1", "2026-01-20", "2026-02-01", true, int64(3), "Sprint", true, parent.WorkItemSummary,
		true,
	}, []any{
		task.Type, task.TypeID, task.IID, task.Description, task.Confidential, task.Assignees[0].Username,
		task.Labels[0].Title, task.Milestone.Title, task.StartDate.String(), task.DueDate.String(), task.DatesAreFixed,
		*task.Weight, task.Iteration.Title, task.HasParent, *task.Parent, task.Subscribed,
	})
	stored, _, err := c.asBob.Issues.Get(ctx, teamApp.Issue(2))
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.IssueTypeTask, "Ask the shop", 3},
		[]any{stored.IssueType, stored.Title, *stored.Weight}, "the same object in the REST API")

	changed, _, err := s.Update(ctx, task.Ref(), serviceapi.UpdateWorkItemOptions{
		Title: new("Ask two shops"), StateEvent: new(serviceapi.WorkItemEventClose), Confidential: new(false),
		AssigneeIDs: []int64{}, AddLabelIDs: []int64{late}, RemoveLabelIDs: []int64{bug},
		MilestoneID: serviceapi.Null[int64](), ParentID: serviceapi.Null[serviceapi.GlobalID](),
		StartDate: serviceapi.Null[serviceapi.Date](), DueDate: serviceapi.Null[serviceapi.Date](),
		DiscussionLocked: new(true), Subscribed: new(false), TimeEstimate: new("1h"),
		Timelog:  &serviceapi.WorkItemTimelog{TimeSpent: "30m", Summary: "Asked"},
		Reaction: &serviceapi.WorkItemReactionInput{Action: serviceapi.WorkItemEmojiActionAdd, Name: "thumbsup"},
		Weight:   serviceapi.Null[int64](), IterationID: serviceapi.Null[int64](),
		Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartFull},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{
		"Ask two shops", serviceapi.WorkItemStateClosed, false, 0, "late", (*serviceapi.WorkItemMilestone)(nil), false,
		(*serviceapi.Date)(nil), (*serviceapi.Date)(nil), true, false, int64(3600), int64(1800), 1, (*int64)(nil),
		(*serviceapi.WorkItemIteration)(nil),
	}, []any{
		changed.Title, changed.State, changed.Confidential, len(changed.Assignees), changed.Labels[0].Title,
		changed.Milestone, changed.HasParent, changed.StartDate, changed.DueDate, changed.DiscussionLocked,
		changed.Subscribed, changed.TimeEstimate, changed.TotalTimeSpent, changed.Upvotes, changed.Weight,
		changed.Iteration,
	})
	assert.NotNil(t, changed.ClosedAt)
	assert.Greater(t, changed.LockVersion, task.LockVersion)
	for _, tc := range []struct {
		action serviceapi.WorkItemEmojiAction
		left   int
	}{
		{serviceapi.WorkItemEmojiActionToggle, 0}, {serviceapi.WorkItemEmojiActionToggle, 1},
		{serviceapi.WorkItemEmojiActionAdd, 1}, {serviceapi.WorkItemEmojiActionRemove, 0},
		{serviceapi.WorkItemEmojiActionRemove, 0},
	} {
		changed, _, err = s.Update(ctx, task.Ref(), serviceapi.UpdateWorkItemOptions{
			Reaction: &serviceapi.WorkItemReactionInput{Action: tc.action, Name: "thumbsup"},
			Parts:    []serviceapi.WorkItemPart{serviceapi.WorkItemPartFull},
		})
		require.NoError(t, err)
		assert.Equal(t, tc.left, changed.Upvotes, "after %s", tc.action)
	}
	events, err := serviceapi.Collect(c.asBob.ResourceEvents.AllStateEvents(ctx, teamApp.Issue(2), nil))
	require.NoError(t, err)
	assert.Len(t, events, 1, "changes have the effects of those of the REST API")

	_, err = s.Delete(ctx, teamApp.WorkItem(2))
	require.NoError(t, err)
	_, err = s.Delete(ctx, task.Ref())
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = s.Get(ctx, teamApp.WorkItem(2), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceWorkItemsOfGroups moves an issue below an epic, and epics below one another.
func TestServiceWorkItemsOfGroups(t *testing.T) {
	c := newCompany(t)
	s, ctx := c.asAda.WorkItems, t.Context()
	create := func(title string) *serviceapi.WorkItem {
		w, _, err := s.Create(ctx, acme, serviceapi.CreateWorkItemOptions{
			Type: serviceapi.WorkItemTypeNameEpic, Title: title, DueDate: new(serviceapi.NewDate(2026, 3, 1)),
			Color: new("#ff0000"), HealthStatus: new(serviceapi.WorkItemHealthStatusAtRisk),
			Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartFull},
		})
		require.NoError(t, err)
		return w
	}
	goal, part := create("Goal"), create("Part")
	var namespaces map[string]struct{ ID serviceapi.GlobalID }
	_, err := c.asAda.GraphQL.Query(ctx, serviceapi.GraphQLRequest{
		Query: `{ group: namespace(fullPath: "acme") { id } project: namespace(fullPath: "acme/platform/app") { id } }`,
	}, &namespaces)
	require.NoError(t, err)
	assert.Equal(t, map[string]struct{ ID serviceapi.GlobalID }{
		"group": {"gid://service/Group/1"}, "project": {"gid://service/Namespaces::ProjectNamespace/1"},
	}, namespaces)
	assert.Equal(t, []any{
		serviceapi.WorkItemTypeNameEpic, "acme", "#ff0000", "2026-03-01", serviceapi.WorkItemHealthStatusAtRisk,
		int64(1), c.svc.URL() + "/groups/acme/-/epics/1",
	}, []any{
		goal.Type, goal.NamespacePath, goal.Color, goal.DueDate.String(), goal.HealthStatus, goal.IID, goal.WebURL,
	})
	first, second := c.app.Issue("First"), c.app.Issue("Second")
	item := func(iid int64) *serviceapi.WorkItem {
		w, _, err := s.Get(ctx, teamApp.WorkItem(iid), nil)
		require.NoError(t, err)
		return w
	}
	whole, _, err := s.Update(ctx, goal.Ref(), serviceapi.UpdateWorkItemOptions{
		ChildIDs: []serviceapi.GlobalID{item(first.IID()).ID, part.ID},
	})
	require.NoError(t, err)
	assert.True(t, whole.HasChildren)
	assert.Equal(t, []string{"First", "Part"}, childTitles(whole.Children))
	_, _, err = s.Update(ctx, teamApp.WorkItem(second.IID()),
		serviceapi.UpdateWorkItemOptions{ParentID: serviceapi.Value(goal.ID)})
	require.NoError(t, err)
	moved, _, err := s.Update(ctx, teamApp.WorkItem(second.IID()), serviceapi.UpdateWorkItemOptions{
		AdjacentID: item(first.IID()).ID, Position: serviceapi.WorkItemPositionBefore,
	})
	require.NoError(t, err)
	assert.Equal(t, "Goal", moved.Parent.Title)
	whole, _, err = s.Get(ctx, goal.Ref(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"Second", "First", "Part"}, childTitles(whole.Children))
	issues, err := serviceapi.Collect(c.asAda.Epics.AllIssues(ctx, acme.Epic(goal.IID), nil))
	require.NoError(t, err)
	require.Len(t, issues, 2, "the REST API has the same issues, in the same order")
	assert.Equal(t, []string{"Second", "First"}, []string{issues[0].Title, issues[1].Title})
	assert.NotEqual(t, issues[0].EpicIssueID, issues[1].EpicIssueID)
	assert.Positive(t, min(issues[0].EpicIssueID, issues[1].EpicIssueID))
	_, _, err = c.asAda.Epics.MoveIssue(ctx, acme.Epic(goal.IID), issues[0].EpicIssueID,
		serviceapi.MoveEpicIssueOptions{MoveBeforeID: &issues[1].EpicIssueID})
	require.NoError(t, err)
	whole, _, err = s.Get(ctx, goal.Ref(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"First", "Second", "Part"}, childTitles(whole.Children))

	third := create("Third part")
	for range 2 { // the second time, nothing changes
		_, _, err = s.Update(ctx, third.Ref(), serviceapi.UpdateWorkItemOptions{
			ParentID: serviceapi.Value(goal.ID), AdjacentID: part.ID, Position: serviceapi.WorkItemPositionBefore,
		})
		require.NoError(t, err)
		children, err := serviceapi.Collect(c.asAda.Epics.AllChildren(ctx, acme.Epic(goal.IID), nil))
		require.NoError(t, err)
		require.Len(t, children, 2)
		assert.Equal(t, []string{"Third part", "Part"}, []string{children[0].Title, children[1].Title})
	}
	for _, stranger := range []serviceapi.GlobalID{item(first.IID()).ID, third.ID, goal.ID} {
		_, _, err = s.Update(ctx, third.Ref(),
			serviceapi.UpdateWorkItemOptions{AdjacentID: stranger, Position: serviceapi.WorkItemPositionAfter})
		require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
		assert.ErrorContains(t, err, "is not a child of the same parent")
	}

	_, _, err = s.Update(ctx, goal.Ref(), serviceapi.UpdateWorkItemOptions{ParentID: serviceapi.Value(part.ID)})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable, "a circle")
	assert.ErrorContains(t, err, "not allowed to add this type of parent item")
	_, _, err = s.Update(ctx, goal.Ref(), serviceapi.UpdateWorkItemOptions{IterationID: serviceapi.Null[int64]()})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assert.ErrorContains(t, err, "Following widget keys are not supported by Epic type: [:iteration_widget]")
}

// TestServiceWorkItemsTasks orders the tasks of an issue, and keeps them from those who may not
// change them.
func TestServiceWorkItemsTasks(t *testing.T) {
	c := newCompany(t)
	s, ctx := c.asBob.WorkItems, t.Context()
	c.app.Issue("Parent", servicetest.By(c.eve))
	parent, _, err := s.Get(ctx, teamApp.WorkItem(1), nil)
	require.NoError(t, err)
	tasks := map[string]*serviceapi.WorkItem{}
	for _, title := range []string{"A", "B", "C"} {
		tasks[title], _, err = s.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{
			Type: serviceapi.WorkItemTypeNameTask, Title: title, ParentID: parent.ID,
		})
		require.NoError(t, err)
	}
	order := func() []string {
		read, _, err := s.Get(ctx, parent.Ref(), nil)
		require.NoError(t, err)
		return childTitles(read.Children)
	}
	assert.Equal(t, []string{"A", "B", "C"}, order())
	for _, title := range []string{"B", "C"} { // one behind the other one
		_, _, err = s.Update(ctx, tasks["A"].Ref(), serviceapi.UpdateWorkItemOptions{
			AdjacentID: tasks[title].ID, Position: serviceapi.WorkItemPositionAfter,
		})
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"B", "C", "A"}, order())
	_, _, err = s.Update(ctx, tasks["B"].Ref(), serviceapi.UpdateWorkItemOptions{
		ParentID: serviceapi.Null[serviceapi.GlobalID](),
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"C", "A"}, order())

	c.app.AddMember(c.eve, servicetest.Guest)
	_, _, err = c.asEve.WorkItems.Update(ctx, parent.Ref(),
		serviceapi.UpdateWorkItemOptions{ChildIDs: []serviceapi.GlobalID{tasks["B"].ID}})
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "a task of somebody else")
	assert.Equal(t, []string{"C", "A"}, order())
}

// TestServiceWorkItemsClosed orders work items by when they were closed.
func TestServiceWorkItemsClosed(t *testing.T) {
	c := newCompany(t)
	first, second := c.app.Issue("First"), c.app.Issue("Second")
	second.Close()
	c.svc.Advance(time.Hour)
	first.Close()
	for sort, want := range map[serviceapi.WorkItemSort]string{
		serviceapi.WorkItemSortClosedAtAsc: "Second First", serviceapi.WorkItemSortClosedAtDesc: "First Second",
	} {
		var got []string
		for w, err := range c.asAda.WorkItems.All(t.Context(), teamApp, &serviceapi.ListWorkItemsOptions{Sort: sort}) {
			require.NoError(t, err)
			got = append(got, w.Title)
		}
		assert.Equal(t, want, strings.Join(got, " "), "%s", sort)
	}
}

// TestServiceWorkItemsJoinAtTheEnd checks that a task comes after those that its parent has already.
func TestServiceWorkItemsJoinAtTheEnd(t *testing.T) {
	c := newCompany(t)
	s, ctx := c.asAda.WorkItems, t.Context()
	c.app.Issue("Parent")
	parent, _, err := s.Get(ctx, teamApp.WorkItem(1), nil)
	require.NoError(t, err)
	tasks := map[string]*serviceapi.WorkItem{}
	for _, title := range []string{"A", "B"} {
		tasks[title], _, err = s.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{
			Type: serviceapi.WorkItemTypeNameTask, Title: title,
		})
		require.NoError(t, err)
	}
	for _, title := range []string{"B", "A"} {
		_, _, err = s.Update(ctx, tasks[title].Ref(),
			serviceapi.UpdateWorkItemOptions{ParentID: serviceapi.Value(parent.ID)})
		require.NoError(t, err)
	}
	read, _, err := s.Get(ctx, parent.Ref(), &serviceapi.GetWorkItemOptions{
		Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartHierarchy},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"B", "A"}, childTitles(read.Children))
}

func childTitles(items []*serviceapi.WorkItemSummary) []string {
	var found []string
	for _, item := range items {
		found = append(found, item.Title)
	}
	return found
}

// TestServiceWorkItemsFilters checks which work items each filter selects.
func TestServiceWorkItemsFilters(t *testing.T) {
	c := newCompany(t)
	ctx, s := t.Context(), c.asAda.WorkItems
	milestone := c.app.Milestone("v1", servicetest.Between(servicetest.Epoch.AddDate(0, 0, -9),
		servicetest.Epoch.AddDate(0, 0, 30)))
	iteration := c.acme.Iteration(servicetest.Iteration{Title: "Sprint", Start: servicetest.Epoch,
		Due: servicetest.Epoch.AddDate(0, 0, 14)})
	epic := c.acme.Epic("Goal")
	c.app.Issue("Alpha", servicetest.By(c.bob), servicetest.AssignedTo(c.ada), servicetest.Labels("bug", "late"),
		servicetest.InMilestone(milestone), servicetest.Weight(3), servicetest.InEpic(epic),
		servicetest.Description("the first of all"))
	c.svc.Advance(time.Hour)
	beta := c.app.Issue("Beta", servicetest.Labels("bug"), servicetest.DueOn(servicetest.Epoch.AddDate(0, 0, 7)),
		servicetest.InIteration(iteration), servicetest.Confidential())
	_, _, err := c.asAda.AwardEmoji.Create(ctx, teamApp.Issue(beta.IID()),
		serviceapi.CreateAwardEmojiOptions{Name: "rocket"})
	require.NoError(t, err)
	_, _, err = c.asAda.AwardEmoji.Create(ctx, teamApp.Issue(beta.IID()),
		serviceapi.CreateAwardEmojiOptions{Name: "thumbsup"})
	require.NoError(t, err)
	c.svc.Advance(time.Hour)
	c.app.Issue("Gamma", servicetest.IssueType("incident")).Close()
	goal, _, err := s.Get(ctx, acme.WorkItem(1), nil)
	require.NoError(t, err)
	_, _, err = s.Update(ctx, teamApp.WorkItem(1), serviceapi.UpdateWorkItemOptions{
		Subscribed: new(true), HealthStatus: serviceapi.Value(serviceapi.WorkItemHealthStatusOnTrack),
	})
	require.NoError(t, err)

	begun, _, err := s.Update(ctx, teamApp.WorkItem(1), serviceapi.UpdateWorkItemOptions{
		Parts:     []serviceapi.WorkItemPart{serviceapi.WorkItemPartDates},
		StartDate: serviceapi.Value(serviceapi.NewDate(2027, 1, 1)),
	})
	require.NoError(t, err)
	assert.True(t, begun.DatesAreFixed, "one is enough")
	last, _, err := c.asAda.Issues.Get(ctx, teamApp.Issue(3))
	require.NoError(t, err)
	first, _, err := c.asAda.Issues.Get(ctx, teamApp.Issue(1))
	require.NoError(t, err)
	_, _, err = c.asAda.Issues.Reorder(ctx, last.Ref(), serviceapi.ReorderIssueOptions{MoveAfterID: &first.ID})
	require.NoError(t, err)

	type o = serviceapi.ListWorkItemsOptions
	epoch := servicetest.Epoch
	for name, tc := range map[string]struct {
		options o
		want    string
	}{
		"all":             {o{}, "Gamma Beta Alpha"},
		"ids":             {o{IDs: []serviceapi.GlobalID{"gid://service/WorkItem/2"}}, "Beta"},
		"iids":            {o{IIDs: []int64{1, 3}}, "Gamma Alpha"},
		"types":           {o{Types: []serviceapi.WorkItemTypeName{"Incident", "Test Case"}}, "Gamma"},
		"opened":          {o{State: serviceapi.WorkItemStateFilterOpened}, "Beta Alpha"},
		"closed":          {o{State: serviceapi.WorkItemStateFilterClosed}, "Gamma"},
		"any state":       {o{State: serviceapi.WorkItemStateFilterAny}, "Gamma Beta Alpha"},
		"search":          {o{Search: "first"}, "Alpha"},
		"search a title":  {o{Search: "BETA"}, "Beta"},
		"search in title": {o{Search: "first", In: []serviceapi.WorkItemSearchField{"TITLE"}}, ""},
		"search in text":  {o{Search: "beta", In: []serviceapi.WorkItemSearchField{"DESCRIPTION"}}, ""},
		"author":          {o{AuthorUsername: "bob"}, "Alpha"},
		"assignee":        {o{AssigneeUsernames: []string{"ada"}}, "Alpha"},
		"no assignee":     {o{AssigneeWildcard: serviceapi.WorkItemWildcardNone}, "Gamma Beta"},
		"labels":          {o{LabelNames: []string{"bug", "late"}}, "Alpha"},
		"milestone":       {o{MilestoneTitles: []string{"v1"}}, "Alpha"},
		"started":         {o{MilestoneWildcard: serviceapi.WorkItemWildcardStarted}, "Alpha"},
		"no milestone":    {o{MilestoneWildcard: serviceapi.WorkItemWildcardNone}, "Gamma Beta"},
		"reaction":        {o{MyReactionEmoji: "rocket"}, "Beta"},
		"confidential":    {o{Confidential: new(true)}, "Beta"},
		"subscribed":      {o{Subscribed: serviceapi.WorkItemSubscriptionSubscribed}, "Alpha"},
		"unsubscribed":    {o{Subscribed: serviceapi.WorkItemSubscriptionUnsubscribed}, ""},
		"parent":          {o{ParentIDs: []serviceapi.GlobalID{goal.ID}}, "Alpha"},
		"no parent":       {o{ParentWildcard: serviceapi.WorkItemWildcardNone}, "Gamma Beta"},
		"created after":   {o{CreatedAfter: epoch.Add(time.Hour)}, "Gamma Beta"},
		"created before":  {o{CreatedBefore: epoch.Add(time.Hour)}, "Beta Alpha"},
		"updated after":   {o{UpdatedAfter: epoch.Add(2 * time.Hour)}, "Gamma Alpha"},
		"updated before":  {o{UpdatedBefore: epoch.Add(time.Hour)}, "Beta"},
		"closed after":    {o{ClosedAfter: epoch}, "Gamma"},
		"closed before":   {o{ClosedBefore: epoch}, ""},
		"due after":       {o{DueAfter: epoch.AddDate(0, 0, 3)}, "Beta"},
		"due before":      {o{DueBefore: epoch.AddDate(0, 0, 3)}, ""},
		"timeframe": {o{Timeframe: &serviceapi.WorkItemTimeframe{
			Start: serviceapi.DateOf(epoch), End: serviceapi.DateOf(epoch.AddDate(0, 1, 0))}}, "Beta"},
		"iteration": {o{IterationIDs: []serviceapi.GlobalID{"gid://service/Iteration/1"}}, "Beta"},

		"no iteration":    {o{IterationWildcard: serviceapi.WorkItemWildcardNone}, "Gamma Alpha"},
		"weight":          {o{Weight: new(int64(3))}, "Alpha"},
		"any weight":      {o{WeightWildcard: serviceapi.WorkItemWildcardAny}, "Alpha"},
		"health":          {o{HealthStatus: serviceapi.WorkItemHealthStatusOnTrack}, "Alpha"},
		"no health":       {o{HealthStatus: serviceapi.WorkItemHealthStatusNone}, "Gamma Beta"},
		"not the label":   {o{Not: &serviceapi.WorkItemExclusion{LabelNames: []string{"late"}}}, "Gamma Beta"},
		"not the author":  {o{Not: &serviceapi.WorkItemExclusion{AuthorUsernames: []string{"bob"}}}, "Gamma Beta"},
		"one of":          {o{Or: &serviceapi.WorkItemAlternative{LabelNames: []string{"late", "x"}}}, "Alpha"},
		"by title":        {o{Sort: serviceapi.WorkItemSortTitleAsc}, "Alpha Beta Gamma"},
		"by title, desc":  {o{Sort: serviceapi.WorkItemSortTitleDesc}, "Gamma Beta Alpha"},
		"by update":       {o{Sort: serviceapi.WorkItemSortUpdatedAsc}, "Beta Alpha Gamma"},
		"by start date":   {o{Sort: serviceapi.WorkItemSortStartDateDesc}, "Alpha Gamma Beta"},
		"by due date":     {o{Sort: serviceapi.WorkItemSortDueDateDesc}, "Beta Gamma Alpha"},
		"by milestone":    {o{Sort: serviceapi.WorkItemSortMilestoneDueDesc}, "Alpha Gamma Beta"},
		"by place":        {o{Sort: serviceapi.WorkItemSortRelativePositionAsc}, "Gamma Alpha Beta"},
		"by weight":       {o{Sort: serviceapi.WorkItemSortWeightAsc}, "Beta Gamma Alpha"},
		"by popularity":   {o{Sort: serviceapi.WorkItemSortPopularityAsc}, "Alpha Gamma Beta"},
		"by creation":     {o{Sort: serviceapi.WorkItemSortCreatedAsc}, "Alpha Beta Gamma"},
		"two by one page": {o{GraphQLListOptions: serviceapi.GraphQLListOptions{First: 1}}, "Gamma Beta Alpha"},
	} {
		var got []string
		for w, err := range s.All(ctx, teamApp, &tc.options) {
			require.NoError(t, err, name)
			got = append(got, w.Title)
		}
		assert.Equal(t, tc.want, strings.Join(got, " "), name)
	}

	for name, tc := range map[string]struct {
		options o
		want    string
	}{
		"itself": {o{}, "Goal"},
		"descendants": {o{IncludeDescendants: new(true), Sort: serviceapi.WorkItemSortTitleAsc},
			"Alpha Beta Gamma Goal"},
		"groups": {o{IncludeDescendants: new(true), ExcludeProjects: new(true)}, "Goal"},
		"projects": {o{IncludeDescendants: new(true), ExcludeGroupWorkItems: new(true),
			Sort: serviceapi.WorkItemSortTitleAsc}, "Alpha Beta Gamma"},
	} {
		var got []string
		for w, err := range s.All(ctx, acme, &tc.options) {
			require.NoError(t, err, name)
			got = append(got, w.Title)
		}
		assert.Equal(t, tc.want, strings.Join(got, " "), name)
	}
	page, resp, err := s.List(ctx, teamApp, &o{GraphQLListOptions: serviceapi.GraphQLListOptions{First: 2}})
	require.NoError(t, err)
	assert.Len(t, page, 2)
	rest, resp, err := s.List(ctx, teamApp,
		&o{GraphQLListOptions: serviceapi.GraphQLListOptions{After: resp.NextPageToken}})
	require.NoError(t, err)
	assert.Equal(t, []any{1, "Alpha", ""}, []any{len(rest), rest[0].Title, resp.NextPageToken})
}

// TestServiceWorkItemsLinks creates a work item that others block, and checks both sides.
func TestServiceWorkItemsLinks(t *testing.T) {
	c := newCompany(t)
	ctx, s := t.Context(), c.asBob.WorkItems
	c.app.Issue("First")
	first, _, err := s.Get(ctx, teamApp.WorkItem(1), nil)
	require.NoError(t, err)
	second, _, err := s.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{
		TypeID: first.TypeID, Title: "Second", LinkedIDs: []serviceapi.GlobalID{first.ID},
		LinkType: new(serviceapi.WorkItemLinkTypeIsBlockedBy),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{true, 1, 0, serviceapi.WorkItemLinkTypeIsBlockedBy, "First"}, []any{
		second.Blocked, second.BlockedByCount, second.BlockingCount, second.LinkedItems[0].LinkType,
		second.LinkedItems[0].WorkItem.Title,
	})
	first, _, err = s.Get(ctx, first.Ref(), nil)
	require.NoError(t, err)
	assert.Equal(t, []any{false, 0, 1, serviceapi.WorkItemLinkTypeBlocks, second.WorkItemSummary}, []any{
		first.Blocked, first.BlockedByCount, first.BlockingCount, first.LinkedItems[0].LinkType,
		*first.LinkedItems[0].WorkItem,
	})
	third, _, err := s.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{
		TypeID: first.TypeID, Title: "Third", LinkedIDs: []serviceapi.GlobalID{second.ID},
		LinkType: new(serviceapi.WorkItemLinkTypeBlocks),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{false, 0, 1}, []any{third.Blocked, third.BlockedByCount, third.BlockingCount})
	fourth, _, err := s.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{
		TypeID: first.TypeID, Title: "Fourth", LinkedIDs: []serviceapi.GlobalID{third.ID},
		LinkType: new(serviceapi.WorkItemLinkTypeRelatesTo),
	})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.WorkItemLinkTypeRelatesTo, fourth.LinkedItems[0].LinkType)
	for range 7 {
		c.app.Issue("Another")
	}
	later, _, err := s.Get(ctx, teamApp.WorkItem(10), nil)
	require.NoError(t, err)
	assert.Equal(t, int64(10), later.IID)

	c.svc.Fault("POST /api/graphql", servicetest.Status(http.StatusForbidden, ""), servicetest.Times(1))
	_, resp, err := s.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{Type: "Issue", Title: "Fifth"})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "the types cannot be read")
	assert.Equal(t, http.StatusForbidden, resp.StatusCode)
}

// TestServiceWorkItemsRefusals checks who may do what, and the words of refusals.
func TestServiceWorkItemsRefusals(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	c.app.Issue("First", servicetest.By(c.bob))
	item, _, err := c.asBob.WorkItems.Get(ctx, teamApp.WorkItem(1), nil)
	require.NoError(t, err)
	eve := c.asEve.WorkItems
	_, _, err = eve.Get(ctx, teamApp.WorkItem(1), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorContains(t, err, "it does not exist, or is not visible to the caller (namespace)")
	_, _, err = c.asBob.WorkItems.Get(ctx, teamApp.WorkItem(9), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorContains(t, err, "(namespace.workItem)")
	_, _, err = eve.List(ctx, teamApp, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = eve.Update(ctx, item.Ref(), serviceapi.UpdateWorkItemOptions{Title: new("Mine")})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = eve.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{TypeID: item.TypeID, Title: "x"})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	guest := c.svc.User("guest")
	c.app.AddMember(guest, servicetest.Guest)
	asGuest := as(t, c.svc, guest).WorkItems
	for _, options := range []serviceapi.UpdateWorkItemOptions{
		{Title: new("Mine")}, {ParentID: serviceapi.Null[serviceapi.GlobalID]()},
	} {
		_, _, err = asGuest.Update(ctx, item.Ref(), options)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
	_, _, err = asGuest.Update(ctx, item.Ref(), serviceapi.UpdateWorkItemOptions{
		Subscribed: new(true),
		Todo:       &serviceapi.WorkItemTodoInput{Action: serviceapi.WorkItemTodoActionAdd},
	})
	require.NoError(t, err, "what is the caller's own")
	todos, err := serviceapi.Collect(as(t, c.svc, guest).Todos.All(ctx, nil))
	require.NoError(t, err)
	assert.Len(t, todos, 1)
	_, err = asGuest.Delete(ctx, item.Ref())
	require.ErrorIs(t, err, serviceapi.ErrNotFound)

	bob := c.asBob.WorkItems
	_, _, err = bob.Update(ctx, item.Ref(), serviceapi.UpdateWorkItemOptions{Title: new("")})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assert.ErrorContains(t, err, "Title can't be blank")
	_, _, err = bob.Update(ctx, item.Ref(), serviceapi.UpdateWorkItemOptions{Title: new(strings.Repeat("x", 256))})
	assert.ErrorContains(t, err, "Title is too long (maximum is 255 characters)")
	var argument *serviceapi.ArgumentError
	_, _, err = bob.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{Type: "Saga", Title: "x"})
	require.ErrorAs(t, err, &argument)
	_, _, err = bob.Create(ctx, teamApp, serviceapi.CreateWorkItemOptions{Type: "Epic", Title: "x"})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	other := strings.Replace(string(item.ID), "service", "other", 1)
	_, _, err = bob.Update(ctx, item.Ref(),
		serviceapi.UpdateWorkItemOptions{ParentID: serviceapi.Value(serviceapi.GlobalID(other))})
	assert.ErrorContains(t, err, "is not a Global ID of this service")

	c.app.Archive()
	_, _, err = bob.Update(ctx, item.Ref(), serviceapi.UpdateWorkItemOptions{Title: new("Late")})
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "the project is archived")
	_, err = bob.Delete(ctx, item.Ref())
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceWorkItemsEditions checks that the default selection is one that the Free edition
// answers, that more is a clear error there, and that no selection is too complex.
func TestServiceWorkItemsEditions(t *testing.T) {
	ctx := t.Context()
	full := []serviceapi.WorkItemPart{serviceapi.WorkItemPartFull}
	free := newCompany(t, servicetest.WithTier(servicetest.Free))
	free.app.Issue("First")
	_, _, err := free.asBob.WorkItems.Get(ctx, teamApp.WorkItem(1), nil)
	require.NoError(t, err)
	_, _, err = free.asBob.WorkItems.Get(ctx, teamApp.WorkItem(1), &serviceapi.GetWorkItemOptions{Parts: full})
	require.ErrorIs(t, err, serviceapi.ErrNotInSchema)
	_, _, err = free.asBob.WorkItems.List(ctx, teamApp, &serviceapi.ListWorkItemsOptions{Weight: new(int64(1))})
	require.ErrorIs(t, err, serviceapi.ErrNotInSchema)
	_, _, err = free.asBob.TargetBranchRules.List(ctx, teamApp, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotInSchema)

	paid := newCompany(t)
	paid.app.Issue("First")
	_, _, err = paid.asBob.WorkItems.List(ctx, teamApp, &serviceapi.ListWorkItemsOptions{
		Parts: full, Search: "first", Sort: serviceapi.WorkItemSortTitleAsc,
	})
	require.NoError(t, err)
	_, _, err = paid.asBob.WorkItems.List(ctx, teamApp, &serviceapi.ListWorkItemsOptions{
		Parts: full, GraphQLListOptions: serviceapi.GraphQLListOptions{First: 100},
	})
	assert.ErrorContains(t, err, "which exceeds max complexity of 250")
}

func TestServiceWorkItemsTypes(t *testing.T) {
	c := newCompany(t)
	c.app.Issue("Odd", servicetest.IssueType("saga"))
	odd, _, err := c.asBob.WorkItems.Get(t.Context(), teamApp.WorkItem(1), nil)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.WorkItemTypeNameIssue, odd.Type)
	ids := map[serviceapi.GlobalID]serviceapi.WorkItemTypeName{}
	enabled := func(owner serviceapi.WorkItemOwner, options serviceapi.ListWorkItemTypesOptions) map[string]bool {
		found := map[string]bool{}
		options.WithEnabled, options.First = true, 4
		for typ, err := range c.asBob.WorkItems.AllTypes(t.Context(), owner, &options) {
			require.NoError(t, err)
			found[string(typ.Name)] = *typ.Enabled
			ids[typ.ID] = typ.Name
		}
		return found
	}
	assert.Equal(t, map[string]bool{
		"Epic": false, "Incident": true, "Issue": true, "Key Result": false, "Objective": false, "Requirement": false,
		"Task": true, "Test Case": true, "Ticket": false,
	}, enabled(teamApp, serviceapi.ListWorkItemTypesOptions{}))
	assert.Len(t, ids, 9, "each has an ID of its own")
	assert.Equal(t, map[string]bool{"Epic": true},
		enabled(platform, serviceapi.ListWorkItemTypesOptions{OnlyAvailable: new(true)}))
	assert.Equal(t, map[string]bool{"Test Case": true},
		enabled(teamApp, serviceapi.ListWorkItemTypesOptions{Name: serviceapi.WorkItemTypeNameTestCase}))
}

func TestServiceTerraformStatesAreListed(t *testing.T) {
	c := newCompany(t)
	ctx, s := t.Context(), c.asBob.TerraformStates
	c.app.TerraformState("staging")
	c.app.TerraformState("production", `{"serial":1}`)
	_, err := s.Upload(ctx, teamApp, "production",
		serviceapi.UploadTerraformStateOptions{State: serviceapi.Upload{Content: strings.NewReader(`{"serial":4}`)}})
	require.NoError(t, err)
	_, _, err = s.Lock(ctx, teamApp, "staging", serviceapi.LockTerraformStateOptions{
		ID: "a", Operation: "plan", Info: "i", Who: "w", Version: "1", Created: "c", Path: "p"})
	require.NoError(t, err)
	states, err := serviceapi.Collect(s.All(ctx, teamApp, &serviceapi.GraphQLListOptions{First: 1}))
	require.NoError(t, err)
	require.Len(t, states, 2)
	production, staging := states[0], states[1]
	const path = "/api/v4/projects/1/terraform/state/production/versions/4"
	assert.Equal(t, []any{"production", int64(4), "bob", path}, []any{
		production.Name, *production.LatestVersion.Serial, production.LatestVersion.CreatedByUser.Username,
		production.LatestVersion.DownloadPath,
	})
	assert.Nil(t, production.LockedAt)
	assert.Equal(t, "bob", staging.LockedByUser.Username)
	assert.Equal(t, servicetest.Epoch, *staging.LockedAt)
	assert.Nil(t, staging.LatestVersion)
	one, _, err := s.Get(ctx, teamApp, "staging")
	require.NoError(t, err)
	assert.Equal(t, staging, one)
	page, resp, err := s.List(ctx, teamApp, &serviceapi.GraphQLListOptions{First: 1})
	require.NoError(t, err)
	assert.Equal(t, []any{1, true}, []any{len(page), resp.NextPageToken != ""})
	_, _, err = s.Get(ctx, teamApp, "other")
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	c.app.AddMember(c.eve, servicetest.Reporter)
	states, _, err = c.asEve.TerraformStates.List(ctx, teamApp, nil)
	require.NoError(t, err)
	assert.Empty(t, states, "below the Developer role")
}

func TestServiceTargetBranchRulesLife(t *testing.T) {
	c := newCompany(t, servicetest.WithGlobalIDWord("forge"))
	ctx, s := t.Context(), c.asBob.TargetBranchRules
	rule, _, err := s.Create(ctx, teamApp,
		serviceapi.CreateTargetBranchRuleOptions{Name: "dev/*", TargetBranch: "develop"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TargetBranchRule{ID: "gid://forge/Projects::TargetBranchRule/1", Name: "dev/*",
		TargetBranch: "develop", CreatedAt: servicetest.Epoch}, rule)
	for name, problem := range map[string]string{
		"dev/*": "Name has already been taken", "a b": "Name is invalid", "a/../b": "Name is invalid",
	} {
		_, _, err = s.Create(ctx, teamApp, serviceapi.CreateTargetBranchRuleOptions{Name: name, TargetBranch: "x"})
		require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
		assert.ErrorContains(t, err, problem)
	}
	_, _, err = s.Create(ctx, teamApp,
		serviceapi.CreateTargetBranchRuleOptions{Name: "y", TargetBranch: strings.Repeat("x", 256)})
	assert.ErrorContains(t, err, "Target branch is too long")
	rules, err := serviceapi.Collect(s.All(ctx, teamApp, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.TargetBranchRule{rule}, rules)
	c.app.AddMember(c.eve, servicetest.Developer)
	_, _, err = c.asEve.TargetBranchRules.Create(ctx, teamApp,
		serviceapi.CreateTargetBranchRuleOptions{Name: "z", TargetBranch: "x"})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = c.asEve.TargetBranchRules.Delete(ctx, rule.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = s.Delete(ctx, rule.ID)
	require.NoError(t, err)
	_, err = s.Delete(ctx, rule.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}
