package wiretests

import (
	"encoding/json"
	"io"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const issuePath = "/projects/acme%2Fapp/issues/6"

// issueOwners are all owners of issues, with the path of their issues.
var issueOwners = []struct {
	owner serviceapi.IssueOwner
	path  string
}{
	{serviceapi.Instance, "/issues"},
	{serviceapi.GroupID(7), "/groups/7/issues"},
	{serviceapi.ProjectPath("acme/app"), "/projects/acme%2Fapp/issues"},
}

// wholeIssue is testdata/issues/issue.json.
func wholeIssue(t *testing.T) *serviceapi.Issue {
	iteration := &serviceapi.Iteration{
		ID: 90, IID: 4, Sequence: 2, GroupID: 7, Title: "Sprint", Description: "Short",
		State:     serviceapi.IterationStateCurrent,
		CreatedAt: *at(t, "2026-02-01T00:00:00Z"), UpdatedAt: *at(t, "2026-02-02T00:00:00Z"),
		StartDate: new(serviceapi.NewDate(2026, 3, 1)), DueDate: new(serviceapi.NewDate(2026, 3, 14)),
		WebURL: "https://service.test/groups/acme/-/iterations/90",
	}
	return &serviceapi.Issue{
		ID: 76, IID: 6, ProjectID: 4, Title: "Wrong numbers", Description: "The numbers are wrong.\n\n- [x] look",
		State: serviceapi.IssueStateClosed, IssueType: serviceapi.IssueTypeIncident, Type: "INCIDENT",
		Author: &adaSummary, Assignees: []*serviceapi.UserSummary{&charlesSummary}, Assignee: &charlesSummary,
		Milestone: &serviceapi.Milestone{
			ID: 12, IID: 3, GroupID: new(int64(7)), Title: "v2.0", Description: "The second engine.",
			State:     serviceapi.MilestoneStateClosed,
			CreatedAt: *at(t, "2026-01-01T00:00:00Z"), UpdatedAt: *at(t, "2026-01-02T00:00:00Z"),
			DueDate: new(
				serviceapi.NewDate(2026, 4, 30),
			), StartDate: new(serviceapi.NewDate(2026, 1, 1)), Expired: new(true),
			WebURL: "https://service.test/groups/acme/-/milestones/3",
		},
		Labels:    []*serviceapi.LabelSummary{{Name: "bug"}, {Name: "urgent"}},
		CreatedAt: *at(t, "2026-03-01T15:31:51.081Z"), UpdatedAt: *at(t, "2026-03-02T15:31:51.081Z"),
		ClosedAt: at(
			t,
			"2026-03-03T15:31:51.081Z",
		), ClosedBy: &adaSummary, StartDate: new(serviceapi.NewDate(2026, 3, 5)),
		DueDate: new(serviceapi.NewDate(2026, 4, 1)),
		Upvotes: 4, Downvotes: 1, UserNotesCount: 3, MergeRequestsCount: 2, Confidential: true,
		DiscussionLocked: new(true),
		WebURL:           "https://service.test/acme/app/-/issues/6",
		References:       &serviceapi.References{Short: "#6", Relative: "app#6", Full: "acme/app#6"},
		TimeStats: &serviceapi.TimeStats{
			TimeEstimate: 12600, TotalTimeSpent: 3600, HumanTimeEstimate: "3h 30m", HumanTotalTimeSpent: "1h",
		},
		TaskCompletionStatus: &serviceapi.TaskCompletionStatus{Count: 1, CompletedCount: 1}, HasTasks: true,
		TaskStatus: "1 of 1 checklist item completed",
		Links: &serviceapi.IssueLinks{
			Self:                "https://service.test/api/v4/projects/4/issues/6",
			Notes:               "https://service.test/api/v4/projects/4/issues/6/notes",
			AwardEmoji:          "https://service.test/api/v4/projects/4/issues/6/award_emoji",
			Project:             "https://service.test/api/v4/projects/4",
			ClosedAsDuplicateOf: "https://service.test/api/v4/projects/4/issues/5",
		},
		MovedToID: new(int64(99)), ServiceDeskReplyTo: "reporter@example.com", Severity: "HIGH",
		BlockingIssuesCount: new(2),
		Subscribed:          new(true), Imported: true, ImportedFrom: "github", Weight: new(5),
		Epic: &serviceapi.EpicSummary{ID: 31, IID: 5, Title: "Engines", URL: "/groups/acme/-/epics/5", GroupID: 7,
			HumanReadableEndDate: "Apr 30, 2026", HumanReadableTimestamp: "<strong>3</strong> days remaining"},
		EpicIID: new(int64(5)), Iteration: iteration, HealthStatus: "on_track",
	}
}

func TestIssuesGet(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: issuePath, Fixture: "issues/issue.json"},
		exchange{Method: "GET", Path: "/projects/4/issues/7", Fixture: "issues/issue_nulls.json"})
	issue, _, err := client.Issues.Get(t.Context(), serviceapi.ProjectPath("acme/app").Issue(6))
	require.NoError(t, err)
	assert.Equal(t, wholeIssue(t), issue)
	issue, _, err = client.Issues.Get(t.Context(), serviceapi.ProjectID(4).Issue(7))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Issue{
		ID: 77, IID: 7, ProjectID: 4, Title: "Bare", State: "frozen", Assignees: []*serviceapi.UserSummary{},
		Labels:    []*serviceapi.LabelSummary{{ID: new(int64(3)), Name: "bug", Color: "#ff0000", TextColor: "#000000"}},
		CreatedAt: *at(t, "2026-03-01T15:31:51.081Z"), Links: &serviceapi.IssueLinks{},
	}, issue)
}

// everyIssueFilter sets every option that all owners take.
func everyIssueFilter() *serviceapi.ListIssuesOptions {
	return &serviceapi.ListIssuesOptions{
		ListOptions: serviceapi.ListOptions{
			Page:    2,
			PerPage: 10,
		}, IIDs: []int64{4, 5}, State: serviceapi.IssueStateOpened,
		Labels: serviceapi.LabelsAre("bug", "urgent"), WithLabelsDetails: true,
		Milestone: serviceapi.MilestoneIs(
			"v2",
		), MilestoneTiming: serviceapi.MilestoneTimingUpcoming, Scope: serviceapi.IssueScopeAll, AuthorID: 3,
		AuthorUsername: "ada",
		AssigneeID:     serviceapi.NoUser, AssigneeUsername: []string{"bob", "eve"},
		MyReactionEmoji: serviceapi.EmojiIs("star"),
		OrderBy:         serviceapi.IssueOrderByDueDate, Sort: serviceapi.SortAscending,
		Search: "a b", In: []serviceapi.SearchField{serviceapi.SearchFieldTitle, serviceapi.SearchFieldDescription},
		CreatedAfter: january(1), CreatedBefore: january(2), UpdatedAfter: january(3), UpdatedBefore: january(4),
		DueDate: serviceapi.IssueDueFilterNextMonth, Confidential: new(false), IssueType: serviceapi.IssueTypeTask,
		ClosedByID: 17,
		Weight: serviceapi.NumberIs(
			5,
		), EpicID: serviceapi.AnyNumber, IterationID: serviceapi.NumberIs(6), IterationTitle: "sprint",
		HealthStatus: serviceapi.HealthStatusIs("on_track"),
		Not: serviceapi.IssueExclusions{
			Labels: []string{
				"old",
				"bad",
			}, Milestone: "v1", MilestoneTiming: serviceapi.MilestoneTimingStarted, AuthorID: 21,
			AuthorUsername: "dan",
			AssigneeID:     22, AssigneeUsername: []string{"fay", "gil"}, IIDs: []int64{8, 9},
			MyReactionEmoji: "thumbsdown",
			Search:          "c d",
			In:              []serviceapi.SearchField{serviceapi.SearchFieldTitle, serviceapi.SearchFieldDescription},
			Weight:          serviceapi.NumberIs(1), IterationID: serviceapi.NumberIs(2), IterationTitle: "past",
		},
	}
}

const (
	issueQuery = "assignee_id=None&assignee_username%5B%5D=bob&assignee_username%5B%5D=eve&author_id=3" +
		"&author_username=ada&closed_by_id=17&confidential=false" +
		"&created_after=2026-01-01T00%3A00%3A00Z&created_before=2026-01-02T00%3A00%3A00Z" +
		"&due_date=next_month_and_previous_two_weeks&epic_id=Any" +
		"&health_status=on_track&iids%5B%5D=4&iids%5B%5D=5&in=title%2Cdescription&issue_type=task&iteration_id=6" +
		"&iteration_title=sprint" +
		"&labels=bug%2Curgent&milestone=v2&milestone_id=Upcoming&my_reaction_emoji=star"
	issueQueryEnd = "&not%5Bassignee_id%5D=22&not%5Bassignee_username%5D%5B%5D=fay" +
		"&not%5Bassignee_username%5D%5B%5D=gil&not%5Bauthor_id%5D=21" +
		"&not%5Bauthor_username%5D=dan&not%5Biids%5D%5B%5D=8&not%5Biids%5D%5B%5D=9&not%5Bin%5D=title%2Cdescription" +
		"&not%5Biteration_id%5D=2&not%5Biteration_title%5D=past" +
		"&not%5Blabels%5D=old%2Cbad&not%5Bmilestone%5D=v1&not%5Bmilestone_id%5D=Started" +
		"&not%5Bmy_reaction_emoji%5D=thumbsdown&not%5Bsearch%5D=c+d&not%5Bweight%5D=1&order_by=due_date&page=2" +
		"&per_page=10" +
		"&scope=all&search=a+b&sort=asc&state=opened&updated_after=2026-01-03T00%3A00%3A00Z" +
		"&updated_before=2026-01-04T00%3A00%3A00Z&weight=5&with_labels_details=true"
)

func TestIssuesLists(t *testing.T) {
	for _, o := range issueOwners {
		options, nonArchived := everyIssueFilter(), ""
		if _, ofProject := o.owner.(serviceapi.ProjectRef); !ofProject {
			options.NonArchived, nonArchived = new(false), "&non_archived=false"
		}
		query := issueQuery + nonArchived + issueQueryEnd
		client := onWire(t,
			exchange{Method: "GET", Path: o.path, Body: "[" + fixture(t, "issues/issue.json") + "]"},
			exchange{Method: "GET", Path: o.path, Query: query, Body: `[{"id":2},{"id":1}]`},
			exchange{Method: "GET", Path: o.path, Query: query, Body: `[{"id":2},{"id":1}]`})
		issues, _, err := client.Issues.List(t.Context(), o.owner, nil)
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Issue{wholeIssue(t)}, issues)
		issues, _, err = client.Issues.List(t.Context(), o.owner, options)
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Issue{{ID: 2}, {ID: 1}}, issues)
		issues, err = serviceapi.Collect(client.Issues.All(t.Context(), o.owner, options))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Issue{{ID: 2}, {ID: 1}}, issues)
	}
}

func TestIssuesCreateAndUpdate(t *testing.T) {
	const list = "/projects/acme%2Fapp/issues"
	client := onWire(t,
		exchange{Method: "POST", Path: list, JSON: `{"title":"Wrong numbers"}`, Status: 201,
			Fixture: "issues/issue.json"},
		exchange{
			Method: "POST", Path: list, Status: 201, Fixture: "issues/issue.json",
			JSON: `{"description":"d","assignee_ids":[1,2],"milestone_id":12,"labels":"bug,urgent",
				"due_date":"2026-04-01","confidential":true,
				"issue_type":"incident","weight":5,"epic_id":31,"created_at":"2026-01-01T00:00:00Z","iid":6,
				"merge_request_to_resolve_discussions_of":14,"discussion_to_resolve":"6a9c"}`,
		},
		exchange{
			Method: "PUT", Path: issuePath, Fixture: "issues/issue.json",
			JSON: `{"title":"t","description":"","assignee_ids":[],"milestone_id":0,"labels":"","add_labels":"a,b",
				"remove_labels":"c","due_date":"",
				"confidential":false,"issue_type":"issue","weight":0,"epic_id":31,"state_event":"close",
				"discussion_locked":true,"updated_at":"2026-01-02T00:00:00Z"}`,
		},
		exchange{Method: "PUT", Path: issuePath, JSON: `{"state_event":"reopen","due_date":"2026-04-01"}`,
			Fixture: "issues/issue.json"})
	s, ctx, app := client.Issues, t.Context(), serviceapi.ProjectPath("acme/app")
	wantWhole := func(issue *serviceapi.Issue, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeIssue(t), issue)
	}
	wantWhole(s.Create(ctx, app, serviceapi.CreateIssueOptions{Title: "Wrong numbers"}))
	wantWhole(s.Create(ctx, app, serviceapi.CreateIssueOptions{
		Description: new("d"), AssigneeIDs: []int64{1, 2}, MilestoneID: new(int64(12)),
		Labels: serviceapi.LabelNames{"bug", "urgent"}, DueDate: new(serviceapi.NewDate(2026, 4, 1)),
		Confidential: new(true), IssueType: new(serviceapi.IssueTypeIncident), Weight: new(5), EpicID: new(int64(31)),
		CreatedAt: new(january(1)),
		IID:       new(int64(6)), MergeRequestToResolveDiscussionsOf: new(int64(14)), DiscussionToResolve: new("6a9c"),
	}))
	wantWhole(s.Update(ctx, app.Issue(6), serviceapi.UpdateIssueOptions{
		Title: new(
			"t",
		), Description: new(""), AssigneeIDs: []int64{}, MilestoneID: new(int64(0)), Labels: serviceapi.LabelNames{},
		AddLabels: serviceapi.LabelNames{"a", "b"},
		RemoveLabels: serviceapi.LabelNames{
			"c",
		}, DueDate: serviceapi.Null[serviceapi.Date](), Confidential: new(false),
		IssueType: new(serviceapi.IssueTypeIssue),
		Weight:    serviceapi.Value(0), EpicID: new(int64(31)),
		StateEvent: new(serviceapi.StateEventClose), DiscussionLocked: new(true), UpdatedAt: new(january(2)),
	}))
	wantWhole(s.Update(
		ctx,
		app.Issue(6),
		serviceapi.UpdateIssueOptions{
			StateEvent: new(serviceapi.StateEventReopen),
			DueDate:    serviceapi.Value(serviceapi.NewDate(2026, 4, 1)),
		},
	))
}

func TestIssuesDeleteAndMove(t *testing.T) {
	client := onWire(t,
		exchange{Method: "DELETE", Path: issuePath, Status: 204},
		exchange{Method: "POST", Path: issuePath + "/move", JSON: `{"to_project_id":9}`, Status: 201,
			Fixture: "issues/issue.json"},
		exchange{Method: "POST", Path: issuePath + "/move", JSON: `{"to_project_id":4}`, Status: 400,
			Body: `{"message":"Cannot move issue to project it originates from!"}`})
	s, ctx, app := client.Issues, t.Context(), serviceapi.ProjectPath("acme/app")
	resp, err := s.Delete(ctx, app.Issue(6))
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	moved, _, err := s.Move(ctx, app.Issue(6), serviceapi.MoveIssueOptions{ToProjectID: 9})
	require.NoError(t, err)
	assert.Equal(t, wholeIssue(t), moved)
	_, _, err = s.Move(ctx, app.Issue(6), serviceapi.MoveIssueOptions{ToProjectID: 4})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Cannot move issue")
}

func TestIssuesArguments(t *testing.T) {
	s, ctx := onWire(t).Issues, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "owner", failed(s.List(ctx, nil, nil)))
	_, err := serviceapi.Collect(s.All(ctx, &serviceapi.ProjectRef{}, nil))
	assertRefused(t, "owner", err)
	assertRefused(t, "id", failed(s.List(ctx, serviceapi.ProjectRef{}, nil)))
	assertRefused(
		t,
		"NonArchived",
		failed(s.List(ctx, serviceapi.ProjectID(4), &serviceapi.ListIssuesOptions{NonArchived: new(true)})),
	)
	assertRefused(t, "issue_iid", failed(s.Get(ctx, serviceapi.ProjectID(4).Issue(0))))
	assertRefused(t, "id", failed(s.Create(ctx, serviceapi.ProjectRef{}, serviceapi.CreateIssueOptions{})))
	assertRefused(
		t,
		"options",
		failed(
			s.Create(
				ctx,
				serviceapi.ProjectID(4),
				serviceapi.CreateIssueOptions{Title: "a", Labels: serviceapi.LabelNames{"a,b"}},
			),
		),
	)
	assertRefused(
		t,
		"issue_iid",
		failed(s.Update(ctx, serviceapi.ProjectID(4).Issue(-1), serviceapi.UpdateIssueOptions{})),
	)
	assertRefused(t, "issue_iid", failed(s.Move(ctx, serviceapi.ProjectID(4).Issue(0), serviceapi.MoveIssueOptions{})))
	_, err = s.Delete(ctx, serviceapi.ProjectID(4).Issue(0))
	assertRefused(t, "issue_iid", err)
}

func TestLabelNames(t *testing.T) {
	for _, names := range []serviceapi.LabelNames{{}, {"bug"}, {"bug", "to do"}} {
		data, err := json.Marshal(names)
		require.NoError(t, err)
		var back serviceapi.LabelNames
		require.NoError(t, json.Unmarshal(data, &back))
		assert.Equal(t, names, back)
	}
	assert.Error(t, json.Unmarshal([]byte(`["bug"]`), new(serviceapi.LabelNames)))
}

func TestIssuesSubscriptions(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: issuePath + "/subscribe", Status: 201, Fixture: "issues/issue.json"},
		exchange{Method: "POST", Path: issuePath + "/subscribe", Status: 304},
		exchange{Method: "POST", Path: issuePath + "/unsubscribe", Status: 201, Fixture: "issues/issue.json"},
		exchange{Method: "POST", Path: issuePath + "/unsubscribe", Status: 304},
		exchange{Method: "POST", Path: issuePath + "/subscribe", Status: 404, Body: `{"message":"404 Not found"}`},
		exchange{Method: "POST", Path: issuePath + "/unsubscribe", Status: 404, Body: `{"message":"404 Not found"}`})
	s, ctx, app := client.Issues, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, want := range []*serviceapi.IssueSubscription{{Issue: wholeIssue(t)}, {Unchanged: true}} {
		got, _, err := s.Subscribe(ctx, app.Issue(6))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, want := range []*serviceapi.IssueSubscription{{Issue: wholeIssue(t)}, {Unchanged: true}} {
		got, _, err := s.Unsubscribe(ctx, app.Issue(6))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	got, _, err := s.Subscribe(ctx, app.Issue(6))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Nil(t, got)
	got, _, err = s.Unsubscribe(ctx, app.Issue(6))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Nil(t, got)
}

func TestIssuesRelations(t *testing.T) {
	request, user := `[{"id":84,"iid":14}]`, "["+fixture(t, "users/summary.json")+"]"
	var exchanges []exchange
	for _, list := range []struct{ path, body string }{
		{"/related_merge_requests", "[" + fixture(t, "merge_requests/merge_request.json") + "]"},
		{"/closed_by", request}, {"/participants", user},
	} {
		exchanges = append(exchanges,
			exchange{Method: "GET", Path: issuePath + list.path, Body: list.body},
			exchange{Method: "GET", Path: issuePath + list.path, Query: "page=2", Body: "[]"},
			exchange{Method: "GET", Path: issuePath + list.path, Query: "per_page=100", Body: list.body})
	}
	s, ctx, app := onWire(t, exchanges...).Issues, t.Context(), serviceapi.ProjectPath("acme/app")
	requests := []*serviceapi.MergeRequest{{ID: 84, IID: 14}}
	whole := []*serviceapi.MergeRequestDetails{wholeMergeRequest(t)}
	checkLists(t, whole,
		func(o *serviceapi.ListOptions) ([]*serviceapi.MergeRequestDetails, *serviceapi.Response, error) {
			return s.ListRelatedMergeRequests(ctx, app.Issue(6), o)
		}, s.AllRelatedMergeRequests(ctx, app.Issue(6), nil))
	checkLists(t, requests, func(o *serviceapi.ListOptions) ([]*serviceapi.MergeRequest, *serviceapi.Response, error) {
		return s.ListClosingMergeRequests(ctx, app.Issue(6), o)
	}, s.AllClosingMergeRequests(ctx, app.Issue(6), nil))
	checkLists(
		t,
		[]*serviceapi.UserSummary{&charlesSummary},
		func(o *serviceapi.ListOptions) ([]*serviceapi.UserSummary, *serviceapi.Response, error) {
			return s.ListParticipants(ctx, app.Issue(6), o)
		},
		s.AllParticipants(ctx, app.Issue(6), nil),
	)
}

func TestIssuesByIDCloneAndReorder(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/issues/76", Fixture: "issues/issue.json"},
		exchange{Method: "POST", Path: issuePath + "/clone", JSON: `{"to_project_id":9}`, Status: 201,
			Fixture: "issues/issue.json"},
		exchange{Method: "POST", Path: issuePath + "/clone", JSON: `{"to_project_id":9,"with_notes":true}`, Status: 400,
			Body: `{"message":"Cannot clone issue due to insufficient permissions!"}`},
		exchange{Method: "PUT", Path: issuePath + "/reorder", JSON: `{"move_after_id":77,"move_before_id":75}`,
			Fixture: "issues/issue.json"},
		exchange{Method: "PUT", Path: issuePath + "/reorder", JSON: `{"move_before_id":75}`, Status: 422,
			Body: `{"message":{"error":"Unprocessable Entity"}}`})
	s, ctx, app := client.Issues, t.Context(), serviceapi.ProjectPath("acme/app")
	issue, _, err := s.GetByID(ctx, 76)
	require.NoError(t, err)
	assert.Equal(t, wholeIssue(t), issue)
	issue, _, err = s.Clone(ctx, app.Issue(6), serviceapi.CloneIssueOptions{ToProjectID: 9})
	require.NoError(t, err)
	assert.Equal(t, wholeIssue(t), issue)
	_, _, err = s.Clone(ctx, app.Issue(6), serviceapi.CloneIssueOptions{ToProjectID: 9, WithNotes: new(true)})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	issue, _, err = s.Reorder(ctx, app.Issue(6), serviceapi.ReorderIssueOptions{MoveAfterID: new(int64(77)),
		MoveBeforeID: new(int64(75))})
	require.NoError(t, err)
	assert.Equal(t, wholeIssue(t), issue)
	_, _, err = s.Reorder(ctx, app.Issue(6), serviceapi.ReorderIssueOptions{MoveBeforeID: new(int64(75))})
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
}

func TestIssuesRelationsArguments(t *testing.T) {
	s, ctx, app := onWire(t).Issues, t.Context(), serviceapi.ProjectID(4)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	const iid = "issue_iid"
	assertRefused(t, "id", failed(s.GetByID(ctx, 0)))
	assertRefused(t, iid, failed(s.Subscribe(ctx, app.Issue(0))))
	assertRefused(t, iid, failed(s.Unsubscribe(ctx, app.Issue(0))))
	assertRefused(t, iid, failed(s.ListRelatedMergeRequests(ctx, app.Issue(0), nil)))
	assertRefused(t, iid, failed(s.ListClosingMergeRequests(ctx, app.Issue(0), nil)))
	assertRefused(t, iid, failed(s.ListParticipants(ctx, app.Issue(0), nil)))
	assertRefused(t, iid, failed(s.Clone(ctx, app.Issue(0), serviceapi.CloneIssueOptions{ToProjectID: 9})))
	assertRefused(t, "ToProjectID", failed(s.Clone(ctx, app.Issue(6), serviceapi.CloneIssueOptions{})))
	assertRefused(
		t,
		iid,
		failed(s.Reorder(ctx, app.Issue(0), serviceapi.ReorderIssueOptions{MoveAfterID: new(int64(1))})),
	)
}

func TestMergeRequestsUnsubscribe(t *testing.T) {
	path := mergeRequestPath + "/unsubscribe"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "merge_requests/merge_request.json"},
		exchange{Method: "POST", Path: path, Status: 304},
		exchange{Method: "POST", Path: path, Status: 403, Body: `{"message":"403 Forbidden"}`})
	s, ctx, app := client.MergeRequests, t.Context(), serviceapi.ProjectPath("acme/app")
	got, _, err := s.Unsubscribe(ctx, app.MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MergeRequestSubscription{MergeRequest: wholeMergeRequest(t)}, got)
	got, _, err = s.Unsubscribe(ctx, app.MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MergeRequestSubscription{Unchanged: true}, got)
	got, _, err = s.Unsubscribe(ctx, app.MergeRequest(14))
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.Nil(t, got)
}

func TestMergeRequestsGetVersion(t *testing.T) {
	path := mergeRequestPath + "/versions/110"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "merge_requests/version_details.json"},
		exchange{Method: "GET", Path: path, Query: "unidiff=true", Body: `{"id":110,"commits":[],"diffs":[]}`})
	s, ctx, app := client.MergeRequests, t.Context(), serviceapi.ProjectPath("acme/app")
	version, _, err := s.GetVersion(ctx, app.MergeRequest(14), 110, nil)
	require.NoError(t, err)
	const head, base = "8888888888888888888888888888888888888888", "1111111111111111111111111111111111111111"
	assert.Equal(t, &serviceapi.DiffVersion{
		ID: 110, HeadCommitSHA: head, BaseCommitSHA: base, StartCommitSHA: "2222222222222222222222222222222222222222",
		CreatedAt: *at(t, "2026-03-01T08:46:02Z"), MergeRequestID: 84, State: serviceapi.DiffVersionStateCollected,
		RealSize:   "1",
		PatchIDSHA: "3333333333333333333333333333333333333333",
		Commits: []*serviceapi.Commit{{
			ID: head, ShortID: "88888888", Title: "Work", Message: "Work\n",
			AuthorName: "Ada Lovelace", AuthorEmail: "ada@example.com", AuthoredDate: *at(t, "2026-03-01T08:40:00Z"),
			CommitterName: "Ada Lovelace", CommitterEmail: "ada@example.com",
			CommittedDate: *at(t, "2026-03-01T08:41:00Z"), CreatedAt: *at(t, "2026-03-01T08:42:00Z"),
			ParentIDs: []string{base}, WebURL: "https://service.test/acme/app/-/commit/" + head,
			Trailers:         map[string]string{"Signed-off-by": "Ada"},
			ExtendedTrailers: map[string][]string{"Signed-off-by": {"Ada"}},
		}},
		Diffs: []*serviceapi.CommitDiff{new(wholeDiff())},
	}, version)
	version, _, err = s.GetVersion(ctx, app.MergeRequest(14), 110, &serviceapi.GetDiffVersionOptions{Unidiff: true})
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.DiffVersion{ID: 110, Commits: []*serviceapi.Commit{}, Diffs: []*serviceapi.CommitDiff{}},
		version,
	)
}

func TestMergeRequestsDownloadRawDiffs(t *testing.T) {
	const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n"
	path := mergeRequestPath + "/raw_diffs"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: diff,
			ResponseHeader: map[string]string{"Content-Type": "text/plain"}},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Not found"}`})
	s, ctx, app := client.MergeRequests, t.Context(), serviceapi.ProjectPath("acme/app")
	download, _, err := s.DownloadRawDiffs(ctx, app.MergeRequest(14))
	require.NoError(t, err)
	data, err := io.ReadAll(download)
	require.NoError(t, err)
	require.NoError(t, download.Close())
	assert.Equal(t, diff, string(data))
	_, _, err = s.DownloadRawDiffs(ctx, app.MergeRequest(14))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestMergeRequestsPeople(t *testing.T) {
	user, reviewer := "["+fixture(t, "users/summary.json")+"]", "["+fixture(t, "merge_requests/reviewer.json")+"]"
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath + "/participants", Body: user},
		exchange{Method: "GET", Path: mergeRequestPath + "/participants", Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/participants", Query: "per_page=100", Body: user},
		exchange{Method: "GET", Path: mergeRequestPath + "/reviewers", Body: reviewer},
		exchange{Method: "GET", Path: mergeRequestPath + "/reviewers", Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/reviewers", Query: "per_page=100", Body: reviewer})
	s, ctx, app := client.MergeRequests, t.Context(), serviceapi.ProjectPath("acme/app")
	checkLists(
		t,
		[]*serviceapi.UserSummary{&charlesSummary},
		func(o *serviceapi.ListOptions) ([]*serviceapi.UserSummary, *serviceapi.Response, error) {
			return s.ListParticipants(ctx, app.MergeRequest(14), o)
		},
		s.AllParticipants(ctx, app.MergeRequest(14), nil),
	)
	want := []*serviceapi.MergeRequestReviewer{{
		User: &charlesSummary, State: serviceapi.ReviewerStateRequestedChanges,
		CreatedAt: *at(t, "2026-03-01T08:46:02Z"),
	}}
	checkLists(
		t,
		want,
		func(o *serviceapi.ListOptions) ([]*serviceapi.MergeRequestReviewer, *serviceapi.Response, error) {
			return s.ListReviewers(ctx, app.MergeRequest(14), o)
		},
		s.AllReviewers(ctx, app.MergeRequest(14), nil),
	)
}

func TestMergeRequestsPeopleArguments(t *testing.T) {
	s, ctx, app := onWire(t).MergeRequests, t.Context(), serviceapi.ProjectID(4)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	const iid = "merge_request_iid"
	assertRefused(t, iid, failed(s.Unsubscribe(ctx, app.MergeRequest(0))))
	assertRefused(t, iid, failed(s.GetVersion(ctx, app.MergeRequest(0), 1, nil)))
	assertRefused(t, "version_id", failed(s.GetVersion(ctx, app.MergeRequest(1), 0, nil)))
	assertRefused(t, iid, failed(s.DownloadRawDiffs(ctx, app.MergeRequest(0))))
	assertRefused(t, iid, failed(s.ListParticipants(ctx, app.MergeRequest(0), nil)))
	assertRefused(t, iid, failed(s.ListReviewers(ctx, app.MergeRequest(0), nil)))
}
