package wiretests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// planningOwners are the owners of milestones and labels, with their paths.
var planningOwners = []struct {
	owner interface {
		serviceapi.MilestoneOwner
		serviceapi.LabelOwner
	}
	path string
}{
	{serviceapi.ProjectPath("acme/app"), "/projects/acme%2Fapp"},
	{serviceapi.GroupID(7), "/groups/7"},
}

func TestMilestonesLists(t *testing.T) {
	for _, o := range planningOwners {
		options := &serviceapi.ListMilestonesOptions{
			ListOptions: serviceapi.ListOptions{
				Page: 2,
			}, IIDs: []int64{3, 4}, State: serviceapi.MilestoneStateClosed, Title: "v1",
			Search: "v", IncludeParentMilestones: true,
			IncludeAncestors: true, UpdatedAfter: january(1), UpdatedBefore: january(2),
		}
		query := "iids%5B%5D=3&iids%5B%5D=4&include_ancestors=true&include_parent_milestones=true&page=2&search=v" +
			"&state=closed&title=v1" +
			"&updated_after=2026-01-01T00%3A00%3A00Z&updated_before=2026-01-02T00%3A00%3A00Z"
		if o.path == "/groups/7" {
			options = &serviceapi.ListMilestonesOptions{
				IncludeDescendants: true, SearchTitle: "v", ContainingDate: january(3), StartDate: january(4),
				EndDate: january(5),
			}
			query = "containing_date=2026-01-03T00%3A00%3A00Z&end_date=2026-01-05T00%3A00%3A00Z" +
				"&include_descendants=true&search_title=v&start_date=2026-01-04T00%3A00%3A00Z"
		}
		whole := "[" + fixture(t, "milestones/milestone.json") + "]"
		client := onWire(t,
			exchange{Method: "GET", Path: o.path + "/milestones", Body: whole},
			exchange{Method: "GET", Path: o.path + "/milestones", Query: query, Body: `[]`},
			exchange{Method: "GET", Path: o.path + "/milestones", Query: "per_page=100", Body: whole})
		want := []*serviceapi.Milestone{secondEngine(t)}
		got, _, err := client.Milestones.List(t.Context(), o.owner, nil)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		_, _, err = client.Milestones.List(t.Context(), o.owner, options)
		require.NoError(t, err)
		got, err = serviceapi.Collect(client.Milestones.All(t.Context(), o.owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestLabelsLists(t *testing.T) {
	for _, o := range planningOwners {
		options := &serviceapi.ListLabelsOptions{ListOptions: serviceapi.ListOptions{Page: 2}, WithCounts: true,
			IncludeAncestorGroups: new(false), Search: "bu", Archived: new(false)}
		query := "archived=false&include_ancestor_groups=false&page=2&search=bu&with_counts=true"
		if o.path == "/groups/7" {
			options = &serviceapi.ListLabelsOptions{IncludeDescendantGroups: true, OnlyGroupLabels: new(false)}
			query = "include_descendant_groups=true&only_group_labels=false"
		}
		whole := "[" + fixture(t,
			"labels/label.json") + `,{"id":22,"description":null,"description_html":null,"priority":null}]`
		client := onWire(t,
			exchange{Method: "GET", Path: o.path + "/labels", Body: whole},
			exchange{Method: "GET", Path: o.path + "/labels", Query: query, Body: `[]`},
			exchange{Method: "GET", Path: o.path + "/labels", Query: "per_page=100", Body: whole})
		want := []*serviceapi.Label{bugLabel(), {ID: 22}}
		got, _, err := client.Labels.List(t.Context(), o.owner, nil)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		_, _, err = client.Labels.List(t.Context(), o.owner, options)
		require.NoError(t, err)
		got, err = serviceapi.Collect(client.Labels.All(t.Context(), o.owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// Options that only groups take are refused for projects, and an owner is
// required.
func TestPlanningArguments(t *testing.T) {
	client, ctx := onWire(t), t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	for field, options := range map[string]*serviceapi.ListMilestonesOptions{
		"IncludeDescendants": {IncludeDescendants: true}, "SearchTitle": {SearchTitle: "v"},
		"ContainingDate": {ContainingDate: january(1)},
		"StartDate":      {StartDate: january(1)}, "EndDate": {EndDate: january(1)},
	} {
		assertRefused(t, field, failed(client.Milestones.List(ctx, serviceapi.ProjectID(4), options)))
	}
	assertRefused(
		t,
		"IncludeDescendantGroups",
		failed(
			client.Labels.List(
				ctx,
				serviceapi.ProjectID(4),
				&serviceapi.ListLabelsOptions{IncludeDescendantGroups: true},
			),
		),
	)
	assertRefused(
		t,
		"OnlyGroupLabels",
		failed(
			client.Labels.List(ctx, serviceapi.ProjectID(4), &serviceapi.ListLabelsOptions{OnlyGroupLabels: new(true)}),
		),
	)
	assertRefused(t, "owner", failed(client.Milestones.List(ctx, nil, nil)))
	assertRefused(t, "owner", failed(client.Labels.List(ctx, &serviceapi.GroupRef{}, nil)))
	_, err := serviceapi.Collect(client.Milestones.All(ctx, serviceapi.GroupRef{}, nil))
	assertRefused(t, "id", err)
	_, err = serviceapi.Collect(client.Labels.All(ctx, nil, nil))
	assertRefused(t, "owner", err)
}

// engines is testdata/epics/epic.json.
func engines(t *testing.T) *serviceapi.Epic {
	day := func(month, day int) *serviceapi.Date { return new(serviceapi.NewDate(2026, time.Month(month), day)) }
	return &serviceapi.Epic{
		ID: 31, IID: 5, GroupID: 7, ParentID: new(int64(30)), ParentIID: new(int64(4)), Title: "Engines",
		Description: "All of them", State: serviceapi.EpicStateClosed,
		Confidential: true, WebURL: "https://service.test/groups/acme/-/epics/5", Reference: "&5",
		WebEditURL: "/groups/acme/-/epics/5", WorkItemID: 131,
		References: &serviceapi.References{Short: "&5", Relative: "&5", Full: "acme&5"}, Author: &adaSummary,
		StartDate: day(1, 1), DueDate: day(4, 30), EndDate: day(4, 30),
		StartDateFixed: day(1, 1), StartDateFromInheritedSource: day(1, 2), StartDateFromMilestones: day(1, 3),
		StartDateIsFixed: new(true),
		DueDateFixed:     day(4, 30), DueDateFromInheritedSource: day(4, 29), DueDateFromMilestones: day(4, 28),
		DueDateIsFixed: new(false),
		CreatedAt:      *at(t, "2026-01-01T10:00:00Z"), UpdatedAt: *at(t, "2026-01-02T10:00:00Z"),
		ClosedAt: at(t, "2026-01-03T10:00:00Z"),
		Labels: []*serviceapi.LabelSummary{
			{Name: "goal"},
		}, Upvotes: 4, Downvotes: 1, Color: "#1068bf", TextColor: "#ffffff",
		Subscribed: new(true),
		Links: &serviceapi.EpicLinks{
			Self:       "https://service.test/api/v4/groups/7/epics/5",
			EpicIssues: "https://service.test/api/v4/groups/7/epics/5/issues",
			Group:      "https://service.test/api/v4/groups/7", Parent: "https://service.test/api/v4/groups/7/epics/4",
		},
		Imported: true, ImportedFrom: "github",
	}
}

func TestEpics(t *testing.T) {
	const query = "author_id=3&author_username=ada&confidential=true&created_after=2026-01-01T00%3A00%3A00Z" +
		"&created_before=2026-01-02T00%3A00%3A00Z" +
		"&include_ancestor_groups=true&include_descendant_groups=false&labels=a%2Cb&my_reaction_emoji=star" +
		"&not%5Bauthor_id%5D=4&not%5Bauthor_username%5D=bob" +
		"&not%5Blabels%5D=c%2Cd&order_by=title&page=2&search=eng&sort=asc&state=all" +
		"&updated_after=2026-01-03T00%3A00%3A00Z" +
		"&updated_before=2026-01-04T00%3A00%3A00Z&with_labels_details=true"
	whole := "[" + fixture(t, "epics/epic.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/groups/acme%2Fplatform/epics/5", Fixture: "epics/epic.json"},
		exchange{Method: "GET", Path: "/groups/7/epics", Body: whole},
		exchange{Method: "GET", Path: "/groups/7/epics", Query: query, Body: `[]`},
		exchange{Method: "GET", Path: "/groups/7/epics", Query: "per_page=100", Body: whole},
		exchange{Method: "GET", Path: "/groups/7/epics/6", Status: 403, Body: `{"message":"403 Forbidden"}`})
	s, ctx, group := client.Epics, t.Context(), serviceapi.GroupID(7)
	epic, _, err := s.Get(ctx, serviceapi.GroupPath("acme/platform").Epic(5))
	require.NoError(t, err)
	assert.Equal(t, engines(t), epic)
	epics, _, err := s.List(ctx, group, nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Epic{engines(t)}, epics)
	_, _, err = s.List(ctx, group, &serviceapi.ListEpicsOptions{
		ListOptions: serviceapi.ListOptions{
			Page: 2,
		}, AuthorID: 3, AuthorUsername: "ada", Labels: serviceapi.LabelsAre("a", "b"),
		WithLabelsDetails: true, OrderBy: serviceapi.EpicOrderByTitle,
		Sort: serviceapi.SortAscending, Search: "eng", State: serviceapi.EpicStateAny, CreatedAfter: january(1),
		CreatedBefore: january(2),
		UpdatedAfter:  january(3),
		UpdatedBefore: january(4), IncludeAncestorGroups: true, IncludeDescendantGroups: new(false),
		MyReactionEmoji: serviceapi.EmojiIs("star"), Confidential: new(true),
		Not: serviceapi.EpicExclusions{Labels: []string{"c", "d"}, AuthorID: 4, AuthorUsername: "bob"},
	})
	require.NoError(t, err)
	epics, err = serviceapi.Collect(s.All(ctx, group, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Epic{engines(t)}, epics)
	_, _, err = s.Get(ctx, group.Epic(6))
	require.ErrorIs(t, err, serviceapi.ErrForbidden)

	_, _, err = s.Get(ctx, group.Epic(0))
	assertRefused(t, "epic_iid", err)
	_, _, err = s.List(ctx, serviceapi.GroupRef{}, nil)
	assertRefused(t, "id", err)
}
