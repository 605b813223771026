package wiretests

import (
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyCountedIssue has what statistics take of everyIssueFilter.
func everyCountedIssue() *serviceapi.GetIssueStatisticsOptions {
	o := everyIssueFilter()
	return &serviceapi.GetIssueStatisticsOptions{
		IIDs: o.IIDs, Labels: o.Labels, Milestone: o.Milestone, MilestoneTiming: o.MilestoneTiming, Scope: o.Scope,
		AuthorID: o.AuthorID, AuthorUsername: o.AuthorUsername, AssigneeID: o.AssigneeID,
		AssigneeUsername: o.AssigneeUsername, MyReactionEmoji: o.MyReactionEmoji, Search: o.Search, In: o.In,
		CreatedAfter: o.CreatedAfter, CreatedBefore: o.CreatedBefore, UpdatedAfter: o.UpdatedAfter,
		UpdatedBefore: o.UpdatedBefore, Confidential: o.Confidential, Not: o.Not, Weight: o.Weight, EpicID: o.EpicID,
		IterationID: o.IterationID, IterationTitle: o.IterationTitle, HealthStatus: o.HealthStatus,
	}
}

func TestIssuesStatistics(t *testing.T) {
	query := strings.NewReplacer("&closed_by_id=17", "", "&due_date=next_month_and_previous_two_weeks", "",
		"&issue_type=task", "", "&order_by=due_date&page=2&per_page=10", "", "&sort=asc&state=opened", "",
		"&with_labels_details=true", "").Replace(issueQuery + issueQueryEnd)
	for _, o := range issueOwners {
		path := strings.TrimSuffix(o.path, "/issues") + "/issues_statistics"
		client := onWire(t,
			exchange{Method: "GET", Path: path, Fixture: "issues/statistics.json"},
			exchange{Method: "GET", Path: path, Query: query, Fixture: "issues/statistics.json"},
			exchange{Method: "GET", Path: path, Status: 401, Body: `{"message":"401 Unauthorized"}`},
			exchange{Method: "GET", Path: path, Body: `{"statistics":{"counts":{"all":"x","closed":1}}}`})
		s, ctx := client.Issues, t.Context()
		for _, options := range []*serviceapi.GetIssueStatisticsOptions{nil, everyCountedIssue()} {
			got, _, err := s.GetStatistics(ctx, o.owner, options)
			require.NoError(t, err)
			assert.Equal(t, &serviceapi.IssueStatistics{All: 20, Closed: 5, Opened: 15}, got)
		}
		got, resp, err := s.GetStatistics(ctx, o.owner, nil)
		require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
		assert.Equal(t, 401, resp.StatusCode)
		assert.Nil(t, got)
		got, _, err = s.GetStatistics(ctx, o.owner, nil)
		require.ErrorAs(t, err, new(*serviceapi.DecodeError))
		assert.Equal(t, &serviceapi.IssueStatistics{Closed: 1}, got)
	}
	assertRefused(t, "owner", errorOf(onWire(t).Issues.GetStatistics(t.Context(), nil, nil)))
}

func TestUserAgentDetails(t *testing.T) {
	const whole = "issues/user_agent_detail.json"
	client := onWire(t,
		exchange{Method: "GET", Path: issuePath + "/user_agent_detail", Fixture: whole},
		exchange{Method: "GET", Path: "/snippets/3/user_agent_detail", Fixture: whole},
		exchange{Method: "GET", Path: "/projects/acme%2Fapp/snippets/3/user_agent_detail", Fixture: whole},
		exchange{Method: "GET", Path: "/snippets/3/user_agent_detail", Status: 404,
			Body: `{"message":"404 UserAgentDetail Not Found"}`})
	ctx, app := t.Context(), serviceapi.ProjectPath("acme/app")
	want := func(got *serviceapi.UserAgentDetail, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.UserAgentDetail{
			UserAgent: "AppleWebKit/537.36", IPAddress: "127.0.0.1", AkismetSubmitted: true,
		}, got)
	}
	want(client.Issues.GetUserAgentDetail(ctx, app.Issue(6)))
	want(client.Snippets.GetUserAgentDetail(ctx, serviceapi.Own, 3))
	want(client.Snippets.GetUserAgentDetail(ctx, app, 3))
	assert.ErrorIs(t, errorOf(client.Snippets.GetUserAgentDetail(ctx, serviceapi.Own, 3)), serviceapi.ErrNotFound)
	assertRefused(t, "issue", errorOf(client.Issues.GetUserAgentDetail(ctx, serviceapi.IssueRef{})))
	assertRefused(t, "id", errorOf(client.Snippets.GetUserAgentDetail(ctx, serviceapi.Own, 0)))
}

func TestBurndownEvents(t *testing.T) {
	for _, o := range planningOwners {
		path := o.path + "/milestones/12/burndown_events"
		body := "[" + fixture(t, "milestones/burndown_event.json") + `,{"weight":null,"action":"created"}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
		s, ctx := client.Milestones, t.Context()
		want := []*serviceapi.BurndownEvent{{
			CreatedAt: *at(t, "2026-03-01T08:46:00Z"), Weight: new(3), Action: serviceapi.BurndownActionReopened,
		}, {Action: serviceapi.BurndownActionCreated}}
		got, _, err := s.ListBurndownEvents(ctx, o.owner, 12, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assertFilled(t, got[0])
		got, err = serviceapi.Collect(s.AllBurndownEvents(ctx, o.owner, 12, nil))
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assertRefused(t, "milestone_id", errorOf(s.ListBurndownEvents(ctx, o.owner, 0, nil)))
	}
}
