package wiretests

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked is a GraphQL operation that a test expects, and the response to it.
func asked(t *testing.T, document, variables, response string) exchange {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": json.RawMessage(variables)})
	require.NoError(t, err)
	return exchange{Method: "POST", Root: true, Path: "/api/graphql", JSON: string(body), Body: response}
}

const (
	inUser    = "id username name state avatarUrl webUrl"
	inSummary = "id iid title namespace { fullPath }"
	inItem    = "id iid title description state confidential createdAt updatedAt closedAt webUrl lockVersion " +
		"workItemType { id name } author { " + inUser + " } namespace { fullPath } features { "
	basicFeatures = "assignees { assignees { nodes { " + inUser + " } } } " +
		"labels { labels { nodes { id title color textColor description descriptionHtml } } } " +
		"milestone { milestone { id iid title state dueDate } } " +
		"hierarchy { hasParent hasChildren parent { " + inSummary + " } children { nodes { " + inSummary + " } } } " +
		"linkedItems { linkedItems { nodes { linkId linkType workItem { " + inSummary + " } } } blocked " +
		"blockedByCount blockingCount } startAndDueDate { startDate dueDate isFixed } " +
		"timeTracking { timeEstimate totalTimeSpent } notes { discussionLocked } notifications { subscribed } " +
		"awardEmoji { upvotes downvotes }"
	premiumFeatures = " weight { weight } healthStatus { healthStatus } " +
		"iteration { iteration { id title startDate dueDate } } status { status { id name category color } } " +
		"color { color textColor } progress { progress currentValue startValue endValue }"
	inWeight = inItem + "weight { weight } }"
)

var appItem = serviceapi.ProjectPath("acme/app").WorkItem(7)

func getDocument(selection string) string {
	return "query ($fullPath: ID!, $iid: String!) { namespace(fullPath: $fullPath) { workItem(iid: $iid) { " +
		selection + " } } }"
}

// wholeWorkItem is testdata/work_items/work_item.json.
func wholeWorkItem(t *testing.T) *serviceapi.WorkItem {
	day := func(month time.Month, day int) *serviceapi.Date {
		return new(serviceapi.NewDate(2026, month, day))
	}
	summary := func(id serviceapi.GlobalID, iid int64, title, path string) *serviceapi.WorkItemSummary {
		id = "gid://forge/WorkItem/" + id
		return &serviceapi.WorkItemSummary{ID: id, IID: iid, Title: title, NamespacePath: path}
	}
	return &serviceapi.WorkItem{
		WorkItemSummary: *summary("71", 7, "Prices are wrong", "acme/app"),
		Type:            "Issue", TypeID: "gid://forge/WorkItems::Type/1", Description: "All of them",
		State: serviceapi.WorkItemStateClosed, Confidential: true,
		Author: &serviceapi.GraphQLUser{
			ID: "gid://forge/User/7", Username: "ada", Name: "Ada Lovelace", State: "active",
			AvatarURL: "/uploads/-/ada.png", WebURL: "https://service.example.com/ada",
		},
		CreatedAt: *at(t, "2026-01-05T08:04:59Z"), UpdatedAt: *at(t, "2026-01-06T08:04:59Z"),
		ClosedAt: at(t, "2026-01-07T08:04:59Z"), WebURL: "https://service.example.com/acme/app/-/work_items/7",
		LockVersion: 3,
		Assignees: []*serviceapi.GraphQLUser{{
			ID: "gid://forge/User/8", Username: "bob", Name: "Bob", State: "blocked",
			WebURL: "https://service.example.com/bob",
		}},
		Labels: []*serviceapi.WorkItemLabel{{
			ID: "gid://forge/ProjectLabel/4", Title: "bug", Color: "#ff0000", TextColor: "#FFFFFF",
			Description: "Broken", DescriptionHTML: "<b>Broken</b>",
		}},
		Milestone: &serviceapi.WorkItemMilestone{
			ID: "gid://forge/Milestone/12", IID: "2", Title: "v1", State: "active", DueDate: day(3, 1),
		},
		Parent: summary("60", 6, "Spring sale", "acme"), HasParent: true, HasChildren: true,
		Children: []*serviceapi.WorkItemSummary{summary("80", 8, "Ask", "acme/app")},
		LinkedItems: []*serviceapi.LinkedWorkItem{
			{LinkID: "gid://forge/WorkItems::RelatedWorkItemLink/5", LinkType: serviceapi.WorkItemLinkTypeIsBlockedBy,
				WorkItem: summary("90", 9, "Order", "acme/app")},
			{LinkID: "gid://forge/WorkItems::RelatedWorkItemLink/6", LinkType: serviceapi.WorkItemLinkTypeRelatesTo},
		},
		Blocked: true, BlockedByCount: 1, BlockingCount: 2,
		StartDate: day(1, 8), DueDate: day(2, 8), DatesAreFixed: true, TimeEstimate: 3600, TotalTimeSpent: 1800,
		DiscussionLocked: true, Subscribed: true, Upvotes: 4, Downvotes: 5,
		Weight: new(int64(3)), HealthStatus: serviceapi.WorkItemHealthStatusAtRisk,
		Iteration: &serviceapi.WorkItemIteration{
			ID: "gid://forge/Iteration/40", Title: "Sprint", StartDate: day(1, 5), DueDate: day(1, 18),
		},
		Status: &serviceapi.WorkItemStatus{
			ID:   "gid://forge/WorkItems::Statuses::SystemDefined::Status/2",
			Name: "In progress", Category: "IN_PROGRESS", Color: "#1f75cb",
		},
		Color: "#1068bf", TextColor: "#FFFFFF",
		Progress: &serviceapi.WorkItemProgress{
			Progress: new(50.0), CurrentValue: new(5.0), StartValue: new(0.0), EndValue: new(10.5),
		},
	}
}

func TestWorkItemsGet(t *testing.T) {
	whole := `{"data":{"namespace":{"workItem":` + fixture(t, "work_items/work_item.json") + `}}}`
	const variables = `{"fullPath":"acme/app","iid":"7"}`
	client := onWire(t,
		asked(t, getDocument(inItem+basicFeatures+" }"), variables, whole),
		asked(t, getDocument(inItem+basicFeatures+premiumFeatures+" }"), variables, whole),
		asked(t, getDocument(inItem+"labels { labels { nodes { id title color textColor description "+
			"descriptionHtml } } } weight { weight } }"), `{"fullPath":"acme","iid":"7"}`, whole),
	)
	got, resp, err := client.WorkItems.Get(t.Context(), appItem, nil)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, wholeWorkItem(t), got)
	assert.Equal(t, "acme/app#7", got.Ref().String())
	assert.Equal(t, "7", got.Author.Ref().String())
	got, _, err = client.WorkItems.Get(t.Context(), appItem,
		&serviceapi.GetWorkItemOptions{Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartFull}})
	require.NoError(t, err)
	assert.Equal(t, wholeWorkItem(t), got)
	_, _, err = client.WorkItems.Get(t.Context(), serviceapi.GroupPath("acme").WorkItem(7),
		&serviceapi.GetWorkItemOptions{
			Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartWeight, serviceapi.WorkItemPartLabels},
		})
	require.NoError(t, err)
}

// TestWorkItemsWithoutParts decodes a work item with nothing but what is never null.
func TestWorkItemsWithoutParts(t *testing.T) {
	client := onWire(t, asked(t, getDocument(inWeight), `{"fullPath":"acme/app","iid":"7"}`,
		`{"correlationId":"x","data":{"namespace":{"workItem":{"id":"gid://forge/WorkItem/71","iid":7,"title":"T",`+
			`"description":null,"author":null,"namespace":null,"webUrl":null,"closedAt":null,`+
			`"features":{"weight":null,"assignees":null,"milestone":{"milestone":null}}}}}}`))
	got, _, err := client.WorkItems.Get(t.Context(), appItem,
		&serviceapi.GetWorkItemOptions{Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartWeight}})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.WorkItem{WorkItemSummary: serviceapi.WorkItemSummary{
		ID: "gid://forge/WorkItem/71", IID: 7, Title: "T",
	}}, got)
}

// TestWorkItemsRefused checks what the errors match, and that nothing is sent for wrong
// arguments.
func TestWorkItemsRefused(t *testing.T) {
	document, variables := getDocument(inWeight), `{"fullPath":"acme/app","iid":"7"}`
	options := &serviceapi.GetWorkItemOptions{Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartWeight}}
	for response, want := range map[string]struct {
		is   error
		text string
	}{
		`{"data":{"namespace":null}}`: {serviceapi.ErrNotFound,
			"it does not exist, or is not visible to the caller (namespace)"},
		`{"data":{"namespace":{"workItem":null}}}`: {serviceapi.ErrNotFound, "caller (namespace.workItem)"},
		`{"errors":[{"message":"Field 'workItem' doesn't exist on type 'Namespace'"}]}`: {serviceapi.ErrNotInSchema,
			"Field 'workItem'"},
		`{"data":null,"errors":[{"message":"Query has complexity of 260"}]}`: {nil, "Query has complexity of 260"},
	} {
		client := onWire(t, asked(t, document, variables, response))
		got, resp, err := client.WorkItems.Get(t.Context(), appItem, options)
		assert.Nil(t, got)
		assert.Equal(t, 200, resp.StatusCode)
		var refused *serviceapi.GraphQLError
		require.ErrorAs(t, err, &refused, response)
		assert.ErrorContains(t, err, want.text)
		for _, sentinel := range []error{
			serviceapi.ErrNotFound, serviceapi.ErrNotInSchema, serviceapi.ErrUnprocessable,
		} {
			if want.is == sentinel {
				assert.ErrorIs(t, err, sentinel, response)
			} else {
				assert.NotErrorIs(t, err, sentinel, response)
			}
		}
	}
	client, ctx := onWire(t), t.Context()
	app := serviceapi.ProjectPath("acme/app")
	_, _, err := client.WorkItems.Get(ctx, serviceapi.WorkItemRef{}, nil)
	assertRefused(t, "work item", err)
	_, _, err = client.WorkItems.Get(ctx, app.WorkItem(0), nil)
	assertRefused(t, "iid", err)
	_, _, err = client.WorkItems.Get(ctx, serviceapi.ProjectID(4).WorkItem(7), nil)
	assertRefused(t, "namespace_path", err)
	_, _, err = client.WorkItems.Get(ctx, appItem,
		&serviceapi.GetWorkItemOptions{Parts: []serviceapi.WorkItemPart{"x"}})
	assertRefused(t, "Parts", err)
	_, _, err = client.WorkItems.List(ctx, nil, nil)
	assertRefused(t, "owner", err)
	for _, first := range []int{-1, 101} {
		list := serviceapi.GraphQLListOptions{First: first}
		_, _, err = client.WorkItems.List(ctx, app, &serviceapi.ListWorkItemsOptions{GraphQLListOptions: list})
		assertRefused(t, "First", err)
		_, err = serviceapi.Collect(client.WorkItems.AllTypes(ctx, app,
			&serviceapi.ListWorkItemTypesOptions{GraphQLListOptions: list}))
		assertRefused(t, "First", err)
	}
	_, _, err = client.WorkItems.Create(ctx, app, serviceapi.CreateWorkItemOptions{Title: "x"})
	assertRefused(t, "Type", err)
	_, _, err = client.WorkItems.Create(ctx, app, serviceapi.CreateWorkItemOptions{Type: "Task"})
	assertRefused(t, "Title", err)
	for argument, options := range map[string]serviceapi.UpdateWorkItemOptions{
		"Position":   {Position: "AFTER"},
		"ParentID":   {ParentID: serviceapi.Value[serviceapi.GlobalID]("")},
		"AdjacentID": {AdjacentID: "7", Position: "AFTER"},
		"StatusID":   {StatusID: "7"},
	} {
		_, _, err = client.WorkItems.Update(ctx, appItem, options)
		assertRefused(t, argument, err)
	}
	_, _, err = client.WorkItems.Update(ctx, appItem,
		serviceapi.UpdateWorkItemOptions{ParentID: serviceapi.Value[serviceapi.GlobalID]("7")})
	assertRefused(t, "ParentID", err)
	for argument, options := range map[string]serviceapi.CreateWorkItemOptions{
		"TypeID": {TypeID: "7"}, "ParentID": {Type: "Task", ParentID: "7"}, "StatusID": {Type: "Task", StatusID: "7"},
	} {
		options.Title = "T"
		_, _, err = client.WorkItems.Create(ctx, app, options)
		assertRefused(t, argument, err)
	}
}

const listHead = "query ($fullPath: ID!, "

// listDocument is the document of a list of work items with these arguments.
func listDocument(arguments ...string) string {
	var declared, passed []string
	for _, argument := range arguments {
		name, _, _ := strings.Cut(argument, ": ")
		declared, passed = append(declared, "$"+argument), append(passed, name+": $"+name)
	}
	return listHead + strings.Join(declared, ", ") + ") { namespace(fullPath: $fullPath) { workItems(" +
		strings.Join(passed, ", ") + ") { nodes { " + inWeight + " } pageInfo { hasNextPage endCursor } } } }"
}

func TestWorkItemsLists(t *testing.T) {
	page := func(id, next string) string {
		return `{"data":{"namespace":{"workItems":{"nodes":[{"id":"` + id + `","iid":"1"},null],"pageInfo":` +
			`{"hasNextPage":` + map[bool]string{true: "true", false: "false"}[next != ""] + `,"endCursor":"` + next +
			`"}}}}}`
	}
	filters := []string{
		"ids: [WorkItemID!]", "iids: [String!]", "types: [IssueType!]", "state: IssuableState", "search: String",
		"in: [IssuableSearchableField!]", "authorUsername: String", "assigneeUsernames: [String!]",
		"assigneeWildcardId: AssigneeWildcardId", "labelName: [String!]", "milestoneTitle: [String!]",
		"milestoneWildcardId: MilestoneWildcardId", "myReactionEmoji: String", "confidential: Boolean",
		"subscribed: SubscriptionStatus", "parentIds: [WorkItemID!]", "parentWildcardId: WorkItemParentWildcardId",
		"includeAncestors: Boolean", "includeDescendants: Boolean", "includeDescendantWorkItems: Boolean",
		"includeArchived: Boolean", "excludeProjects: Boolean", "excludeGroupWorkItems: Boolean",
		"releaseTag: [String!]", "releaseTagWildcardId: ReleaseTagWildcardId", "crmContactId: String",
		"crmOrganizationId: String", "closedAfter: Time", "closedBefore: Time", "createdAfter: Time",
		"createdBefore: Time", "dueAfter: Time", "dueBefore: Time", "updatedAfter: Time", "updatedBefore: Time",
		"timeframe: Timeframe", "iterationId: [ID]", "iterationWildcardId: IterationWildcardId",
		"iterationCadenceId: [IterationsCadenceID!]", "weight: String", "weightWildcardId: WeightWildcardId",
		"healthStatusFilter: HealthStatusFilter", "status: WorkItemWidgetStatusFilterInput",
		"not: NegatedWorkItemFilterInput", "or: UnionedWorkItemFilterInput", "sort: WorkItemSort", "first: Int",
		"after: String",
	}
	client := onWire(t,
		asked(t, listDocument(filters...), `{"fullPath":"acme","ids":["gid://f/WorkItem/1"],"iids":["4","5"],
			"types":["ISSUE","KEY_RESULT"],"state":"opened","search":"s","in":["TITLE"],"authorUsername":"ada",
			"assigneeUsernames":["bob"],"assigneeWildcardId":"ANY","labelName":["bug"],"milestoneTitle":["v1"],
			"milestoneWildcardId":"UPCOMING","myReactionEmoji":"rocket","confidential":false,
			"subscribed":"EXPLICITLY_SUBSCRIBED","parentIds":["gid://f/WorkItem/2"],"parentWildcardId":"NONE",
			"includeAncestors":true,"includeDescendants":true,"includeDescendantWorkItems":true,"includeArchived":true,
			"excludeProjects":true,"excludeGroupWorkItems":true,"releaseTag":["v1.0"],"releaseTagWildcardId":"NONE",
			"crmContactId":"8","crmOrganizationId":"9","closedAfter":"2026-01-01T00:00:00Z",
			"closedBefore":"2026-01-02T00:00:00Z","createdAfter":"2026-01-03T00:00:00Z",
			"createdBefore":"2026-01-04T00:00:00Z","dueAfter":"2026-01-05T00:00:00Z","dueBefore":"2026-01-06T00:00:00Z",
			"updatedAfter":"2026-01-07T00:00:00Z","updatedBefore":"2026-01-08T00:00:00Z",
			"timeframe":{"start":"2026-01-09","end":"2026-01-10"},"iterationId":["gid://f/Iteration/3"],
			"iterationWildcardId":"CURRENT","iterationCadenceId":["gid://f/Iterations::Cadence/4"],"weight":"10",
			"weightWildcardId":"ANY","healthStatusFilter":"NONE","status":{"name":"Done"},
			"not":{"iids":["6"],"labelName":["late"],"authorUsername":["eve"],"assigneeUsernames":["ann"],
			"milestoneTitle":["v0"],"myReactionEmoji":"eyes","parentIds":["gid://f/WorkItem/9"],"releaseTag":["v0.1"],
			"weight":"3","iterationId":["gid://f/Iteration/5"]},
			"or":{"labelNames":["a","b"],"authorUsernames":["x"],"assigneeUsernames":["y"]},"sort":"TITLE_ASC",
			"first":5,"after":"c"}`, page("gid://f/WorkItem/1", "d")),
		asked(t, listDocument("first: Int"), `{"fullPath":"acme/app","first":50}`, page("gid://f/WorkItem/1", "e")),
		asked(t, listDocument("first: Int", "after: String"), `{"fullPath":"acme/app","first":50,"after":"e"}`,
			page("gid://f/WorkItem/2", "")),
	)
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	weight := []serviceapi.WorkItemPart{serviceapi.WorkItemPartWeight}
	got, resp, err := client.WorkItems.List(t.Context(), serviceapi.GroupPath("acme"), &serviceapi.ListWorkItemsOptions{
		GraphQLListOptions: serviceapi.GraphQLListOptions{First: 5, After: "c"}, Parts: weight,
		IDs: []serviceapi.GlobalID{"gid://f/WorkItem/1"}, IIDs: []int64{4, 5},
		Types: []serviceapi.WorkItemTypeName{"issue", serviceapi.WorkItemTypeNameKeyResult}, State: "opened",
		Search: "s", In: []serviceapi.WorkItemSearchField{"TITLE"}, AuthorUsername: "ada",
		AssigneeUsernames: []string{"bob"}, AssigneeWildcard: "ANY", LabelNames: []string{"bug"},
		MilestoneTitles: []string{"v1"}, MilestoneWildcard: "UPCOMING", MyReactionEmoji: "rocket",
		Confidential: new(false), Subscribed: serviceapi.WorkItemSubscriptionSubscribed,
		ParentIDs: []serviceapi.GlobalID{"gid://f/WorkItem/2"}, ParentWildcard: "NONE", IncludeAncestors: new(true),
		IncludeDescendants: new(true), IncludeDescendantWorkItems: new(true), IncludeArchived: new(true),
		ExcludeProjects: new(true), ExcludeGroupWorkItems: new(true), ReleaseTags: []string{"v1.0"},
		ReleaseWildcard: "NONE", ContactID: 8, OrganizationID: 9, ClosedAfter: day(1), ClosedBefore: day(2),
		CreatedAfter: day(3), CreatedBefore: day(4), DueAfter: day(5), DueBefore: day(6), UpdatedAfter: day(7),
		UpdatedBefore: day(8), Timeframe: &serviceapi.WorkItemTimeframe{
			Start: serviceapi.DateOf(day(9)), End: serviceapi.DateOf(day(10))},
		IterationIDs: []serviceapi.GlobalID{"gid://f/Iteration/3"}, IterationWildcard: "CURRENT",
		CadenceIDs: []serviceapi.GlobalID{"gid://f/Iterations::Cadence/4"}, Weight: new(int64(10)),
		WeightWildcard: "ANY", HealthStatus: "NONE", Status: &serviceapi.WorkItemStatusFilter{Name: "Done"},
		Not: &serviceapi.WorkItemExclusion{
			IIDs: []string{"6"}, LabelNames: []string{"late"}, AuthorUsernames: []string{"eve"},
			AssigneeUsernames: []string{"ann"}, MilestoneTitles: []string{"v0"}, MyReactionEmoji: "eyes",
			ParentIDs: []serviceapi.GlobalID{"gid://f/WorkItem/9"}, ReleaseTags: []string{"v0.1"}, Weight: "3",
			IterationIDs: []serviceapi.GlobalID{"gid://f/Iteration/5"},
		},
		Or: &serviceapi.WorkItemAlternative{
			LabelNames: []string{"a", "b"}, AuthorUsernames: []string{"x"}, AssigneeUsernames: []string{"y"},
		},
		Sort: serviceapi.WorkItemSortTitleAsc,
	})
	require.NoError(t, err)
	assert.Equal(t, []any{1, serviceapi.GlobalID("gid://f/WorkItem/1"), "d"},
		[]any{len(got), got[0].ID, resp.NextPageToken})
	got, err = serviceapi.Collect(client.WorkItems.All(t.Context(), serviceapi.ProjectPath("acme/app"),
		&serviceapi.ListWorkItemsOptions{Parts: weight}))
	require.NoError(t, err)
	assert.Equal(t, []serviceapi.GlobalID{"gid://f/WorkItem/1", "gid://f/WorkItem/2"},
		[]serviceapi.GlobalID{got[0].ID, got[1].ID})
}

// TestListsOfOperationsNeverEndSilently checks that a list that cannot be continued ends with
// an error, after the items that were read.
func TestListsOfOperationsNeverEndSilently(t *testing.T) {
	document := listDocument("first: Int")
	for response, want := range map[string]struct {
		items int
		text  string
	}{
		`{"data":{"namespace":{"workItems":{"nodes":[{"id":"a"}]}}}}`: {1, "no connection with pageInfo"},
		`{"data":{"namespace":{"workItems":{"nodes":[{"id":"a"}],"pageInfo":{"hasNextPage":true}}}}}`: {1,
			"there is a next page, but no cursor for it"},
		`{"data":{"namespace":{"workItems":null}}}`: {0, "(namespace.workItems)"},
		`{"data":{"namespace":null}}`:               {0, "(namespace)"},
		`{"data":{"namespace":{"workItems":{"nodes":[{"id":"a"},{"id":7}],"pageInfo":{"hasNextPage":false}}}}}`: {2,
			"/data/namespace/workItems/nodes/1/id"},
		`{"data":{"namespace":{"workItems":{"nodes":[{"id":"a"}],"pageInfo":{"hasNextPage":false}}}},` +
			`"errors":[{"message":"bad"}]}`: {1, "bad"},
	} {
		client := onWire(t, asked(t, document, `{"fullPath":"acme/app","first":50}`, response))
		got, err := serviceapi.Collect(client.WorkItems.All(t.Context(), serviceapi.ProjectPath("acme/app"),
			&serviceapi.ListWorkItemsOptions{Parts: []serviceapi.WorkItemPart{serviceapi.WorkItemPartWeight}}))
		assert.ErrorContains(t, err, want.text, response)
		assert.Len(t, got, want.items, response)
	}
}

func TestWorkItemsTypes(t *testing.T) {
	client := onWire(t,
		asked(t, "query ($fullPath: ID!, $onlyAvailable: Boolean, $name: IssueType, $first: Int) { "+
			"namespace(fullPath: $fullPath) { workItemTypes(onlyAvailable: $onlyAvailable, name: $name, "+
			"first: $first) { nodes { id name enabled } pageInfo { hasNextPage endCursor } } } }",
			`{"fullPath":"acme/app","onlyAvailable":true,"name":"TEST_CASE","first":50}`,
			`{"data":{"namespace":{"workItemTypes":{"nodes":[{"id":"gid://f/WorkItems::Type/3","name":"Test Case",`+
				`"enabled":true}],"pageInfo":{"hasNextPage":false}}}}}`))
	got, _, err := client.WorkItems.ListTypes(t.Context(), serviceapi.ProjectPath("acme/app"),
		&serviceapi.ListWorkItemTypesOptions{
			WithEnabled: true, OnlyAvailable: new(true), Name: serviceapi.WorkItemTypeNameTestCase,
		})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.WorkItemType{
		{ID: "gid://f/WorkItems::Type/3", Name: serviceapi.WorkItemTypeNameTestCase, Enabled: new(true)},
	}, got)
}

func mutation(name, inputType, selection string) string {
	return "mutation ($input: " + inputType + "!) { " + name + "(input: $input) { " + selection + " } }"
}

const changedItem = `{"data":{"%":{"workItem":{"id":"gid://f/WorkItem/9","iid":"2"},"errors":[]}}}`

func TestWorkItemsCreate(t *testing.T) {
	document := mutation("workItemCreate", "WorkItemCreateInput", "workItem { "+inWeight+" } errors")
	response := strings.Replace(changedItem, "%", "workItemCreate", 1)
	types := func(t *testing.T) exchange {
		return asked(t, "query ($fullPath: ID!, $first: Int) { namespace(fullPath: $fullPath) { workItemTypes(first: "+
			"$first) { nodes { id name } pageInfo { hasNextPage endCursor } } } }", `{"fullPath":"acme","first":100}`,
			`{"data":{"namespace":{"workItemTypes":{"nodes":[{"id":"gid://f/WorkItems::Type/8","name":"Epic"}],`+
				`"pageInfo":{"hasNextPage":false}}}}}`)
	}
	client := onWire(t,
		types(t), asked(t, document, `{"input":{"namespacePath":"acme","title":"T",
			"workItemTypeId":"gid://f/WorkItems::Type/8"}}`, response),
		asked(t, document, `{"input":{"namespacePath":"acme/app","title":"T",
			"workItemTypeId":"gid://f/WorkItems::Type/1",
			"confidential":true,"createdAt":"2026-01-05T08:04:59Z","descriptionWidget":{"description":"D"},
			"assigneesWidget":{"assigneeIds":["gid://f/User/7"]},"labelsWidget":{"labelIds":["gid://f/Label/4"]},
			"milestoneWidget":{"milestoneId":"gid://f/Milestone/12"},
			"hierarchyWidget":{"parentId":"gid://f/WorkItem/6"},
			"linkedItemsWidget":{"workItemsIds":["gid://f/WorkItem/5"],"linkType":"BLOCKED_BY"},
			"startAndDueDateWidget":{"startDate":"2026-01-08","dueDate":"2026-02-08","isFixed":true},
			"crmContactsWidget":{"contactIds":["gid://f/CustomerRelations::Contact/3"]},
			"discussionsToResolve":{"noteableId":"gid://f/MergeRequest/2","discussionId":"abc"},
			"weightWidget":{"weight":0},"healthStatusWidget":{"healthStatus":"onTrack"},
			"iterationWidget":{"iterationId":"gid://f/Iteration/40"},"colorWidget":{"color":"red"},
			"statusWidget":{"status":"gid://f/Status/1"},"customFieldsWidget":[{"customFieldId":"gid://f/Field/1",
			"textValue":"x","numberValue":1.5,"dateValue":"2026-01-08","selectedOptionIds":["gid://f/Option/1"]}]}}`,
			response),
		types(t),
	)
	ctx, weight := t.Context(), []serviceapi.WorkItemPart{serviceapi.WorkItemPartWeight}
	got, _, err := client.WorkItems.Create(ctx, serviceapi.GroupPath("acme"),
		serviceapi.CreateWorkItemOptions{
			Type: "epic", Title: "T", Parts: weight, LinkType: new(serviceapi.WorkItemLinkTypeBlocks), // without links
		})
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.GlobalID("gid://f/WorkItem/9"), int64(2)}, []any{got.ID, got.IID})
	_, _, err = client.WorkItems.Create(ctx, serviceapi.ProjectPath("acme/app"), serviceapi.CreateWorkItemOptions{
		TypeID: "gid://f/WorkItems::Type/1", Title: "T", Parts: weight, Confidential: new(true),
		CreatedAt: at(t, "2026-01-05T08:04:59Z"), Description: new("D"), AssigneeIDs: []int64{7}, LabelIDs: []int64{4},
		MilestoneID: new(int64(12)), ParentID: "gid://f/WorkItem/6",
		LinkedIDs: []serviceapi.GlobalID{"gid://f/WorkItem/5"},
		LinkType:  new(serviceapi.WorkItemLinkTypeIsBlockedBy),
		StartDate: new(serviceapi.NewDate(2026, 1, 8)), DueDate: new(serviceapi.NewDate(2026, 2, 8)),
		DatesAreFixed: new(true), ContactIDs: []int64{3},
		ResolveThread: &serviceapi.WorkItemThread{NoteableID: "gid://f/MergeRequest/2", DiscussionID: "abc"},
		Weight:        new(int64(0)), HealthStatus: new(serviceapi.WorkItemHealthStatusOnTrack),
		IterationID: new(int64(40)), Color: new("red"), StatusID: "gid://f/Status/1",
		CustomFields: []serviceapi.WorkItemCustomField{{
			ID: "gid://f/Field/1", Text: new("x"), Number: new(1.5), Date: new(serviceapi.NewDate(2026, 1, 8)),
			OptionIDs: []serviceapi.GlobalID{"gid://f/Option/1"},
		}},
	})
	require.NoError(t, err)
	_, resp, err := client.WorkItems.Create(ctx, serviceapi.GroupPath("acme"),
		serviceapi.CreateWorkItemOptions{Type: "Saga", Title: "T"})
	assertRefused(t, "Type", err)
	assert.Equal(t, 200, resp.StatusCode, "the types were read")
}

func TestWorkItemsCreateLinks(t *testing.T) {
	document := mutation("workItemCreate", "WorkItemCreateInput", "workItem { "+inWeight+" } errors")
	response := strings.Replace(changedItem, "%", "workItemCreate", 1)
	for linkType, sent := range map[serviceapi.WorkItemLinkType]string{
		serviceapi.WorkItemLinkTypeRelatesTo:   "RELATED",
		serviceapi.WorkItemLinkTypeBlocks:      "BLOCKS",
		serviceapi.WorkItemLinkTypeIsBlockedBy: "BLOCKED_BY",
	} {
		client := onWire(t, asked(t, document, `{"input":{"namespacePath":"acme","title":"T",
			"workItemTypeId":"gid://f/WorkItems::Type/1",
			"linkedItemsWidget":{"workItemsIds":["gid://f/WorkItem/5"],"linkType":"`+sent+`"}}}`, response))
		options := serviceapi.CreateWorkItemOptions{
			TypeID: "gid://f/WorkItems::Type/1", Title: "T", LinkType: &linkType,
			LinkedIDs: []serviceapi.GlobalID{"gid://f/WorkItem/5"},
			Parts:     []serviceapi.WorkItemPart{serviceapi.WorkItemPartWeight},
		}
		_, _, err := client.WorkItems.Create(t.Context(), serviceapi.GroupPath("acme"), options)
		require.NoError(t, err)
	}
}

func TestWorkItemsUpdate(t *testing.T) {
	document := mutation("workItemUpdate", "WorkItemUpdateInput", "workItem { "+inWeight+" } errors")
	response := strings.Replace(changedItem, "%", "workItemUpdate", 1)
	id := asked(t, getDocument("id"), `{"fullPath":"acme/app","iid":"7"}`,
		`{"data":{"namespace":{"workItem":{"id":"gid://f/WorkItem/9"}}}}`)
	client := onWire(t,
		id, asked(t, document, `{"input":{"id":"gid://f/WorkItem/9","title":"T"}}`, response),
		asked(t, document, `{"input":{"id":"gid://f/WorkItem/9","title":"T","confidential":false,"stateEvent":"REOPEN",
			"descriptionWidget":{"description":""},"assigneesWidget":{"assigneeIds":[]},
			"labelsWidget":{"addLabelIds":["gid://f/Label/4"],"removeLabelIds":["gid://f/Label/5"]},
			"milestoneWidget":{"milestoneId":null},
			"hierarchyWidget":{"parentId":null,"childrenIds":["gid://f/WorkItem/1"],
			"adjacentWorkItemId":"gid://f/WorkItem/2","relativePosition":"BEFORE"},
			"startAndDueDateWidget":{"startDate":null,"dueDate":"2026-02-08","isFixed":false},
			"crmContactsWidget":{"contactIds":[],"operationMode":"REMOVE"},"notesWidget":{"discussionLocked":false},
			"notificationsWidget":{"subscribed":false},"awardEmojiWidget":{"action":"TOGGLE","name":"rocket"},
			"currentUserTodosWidget":{"action":"MARK_AS_DONE","todoId":"gid://f/Todo/3"},
			"timeTrackingWidget":{"timeEstimate":"1h","timelog":{"timeSpent":"30m","spentAt":"2026-01-05T08:04:59Z",
			"summary":"S"}},"weightWidget":{"weight":null},"healthStatusWidget":{"healthStatus":null},
			"iterationWidget":{"iterationId":null},"colorWidget":{"color":"red"},
			"statusWidget":{"status":"gid://f/Status/1"},"customFieldsWidget":[{"customFieldId":"gid://f/Field/1"}],
			"progressWidget":{"currentValue":0,"startValue":1,"endValue":2},
			"verificationStatusWidget":{"verificationStatus":"passed"}}}`, response),
		asked(t, document, `{"input":{"id":"gid://f/WorkItem/9","title":""}}`,
			`{"data":{"workItemUpdate":{"workItem":null,"errors":["Title can't be blank","wire-token is odd"]}}}`),
		asked(t, document, `{"input":{"id":"gid://f/WorkItem/9","title":"T"}}`, `{"data":{"workItemUpdate":null},`+
			`"errors":[{"message":"The resource that you are attempting to access does not exist or you don't have `+
			`permission to perform this action","path":["workItemUpdate"]}]}`),
		asked(t, document, `{"input":{"id":"gid://f/WorkItem/9","title":"T"}}`, `{"data":{"workItemUpdate":null}}`),
		asked(t, document, `{"input":{"id":"gid://f/WorkItem/9","title":"T"}}`,
			`{"data":{"workItemUpdate":{"workItem":null,"errors":[]}}}`),
		asked(t, getDocument("id"), `{"fullPath":"acme/app","iid":"7"}`,
			`{"data":{"namespace":{"workItem":{"id":"9"}}}}`),
	)
	ctx, weight := t.Context(), []serviceapi.WorkItemPart{serviceapi.WorkItemPartWeight}
	got, _, err := client.WorkItems.Update(ctx, appItem,
		serviceapi.UpdateWorkItemOptions{Title: new("T"), Parts: weight})
	require.NoError(t, err)
	assert.Equal(t, int64(2), got.IID)
	known := (&serviceapi.WorkItemSummary{ID: "gid://f/WorkItem/9", IID: 7, NamespacePath: "acme/app"}).Ref()
	_, _, err = client.WorkItems.Update(ctx, known, serviceapi.UpdateWorkItemOptions{
		Title: new("T"), Parts: weight, Confidential: new(false), StateEvent: new(serviceapi.WorkItemEventReopen),
		Description: new(""), AssigneeIDs: []int64{}, AddLabelIDs: []int64{4}, RemoveLabelIDs: []int64{5},
		MilestoneID: serviceapi.Null[int64](), ParentID: serviceapi.Null[serviceapi.GlobalID](),
		ChildIDs: []serviceapi.GlobalID{"gid://f/WorkItem/1"}, AdjacentID: "gid://f/WorkItem/2", Position: "BEFORE",
		StartDate: serviceapi.Null[serviceapi.Date](), DueDate: serviceapi.Value(serviceapi.NewDate(2026, 2, 8)),
		DatesAreFixed: new(false), ContactIDs: []int64{}, ContactMode: new(serviceapi.WorkItemContactModeRemove),
		DiscussionLocked: new(false), Subscribed: new(false),
		Reaction:     &serviceapi.WorkItemReactionInput{Action: "TOGGLE", Name: "rocket"},
		Todo:         &serviceapi.WorkItemTodoInput{Action: "MARK_AS_DONE", TodoID: new(int64(3))},
		TimeEstimate: new("1h"), Timelog: &serviceapi.WorkItemTimelog{TimeSpent: "30m", Summary: "S",
			SpentAt: at(t, "2026-01-05T08:04:59Z")},
		Weight: serviceapi.Null[int64](), HealthStatus: serviceapi.Null[serviceapi.WorkItemHealthStatus](),
		IterationID: serviceapi.Null[int64](), Color: new("red"), StatusID: "gid://f/Status/1",
		CustomFields:       []serviceapi.WorkItemCustomField{{ID: "gid://f/Field/1"}},
		Progress:           &serviceapi.WorkItemProgressInput{StartValue: new(int64(1)), EndValue: new(int64(2))},
		VerificationStatus: new("passed"),
	})
	require.NoError(t, err)

	update := func(title string) error {
		_, _, err := client.WorkItems.Update(ctx, known, serviceapi.UpdateWorkItemOptions{Title: &title, Parts: weight})
		return err
	}
	err = update("")
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	var refused *serviceapi.GraphQLError
	require.ErrorAs(t, err, &refused)
	path := serviceapi.GraphQLPath{"workItemUpdate"}
	assert.Equal(t, []serviceapi.GraphQLErrorDetail{
		{Message: "Title can't be blank", Path: path}, {Message: "[redacted] is odd", Path: path},
	}, refused.Errors)
	require.ErrorIs(t, update("T"), serviceapi.ErrNotFound)
	var decode *serviceapi.DecodeError
	require.ErrorAs(t, update("T"), &decode, "no payload")
	require.ErrorAs(t, update("T"), &decode, "no work item")
	_, _, err = client.WorkItems.Update(ctx, appItem, serviceapi.UpdateWorkItemOptions{Title: new("T")})
	assertRefused(t, "ID of the work item", err)
}

func TestWorkItemsDelete(t *testing.T) {
	document := mutation("workItemDelete", "WorkItemDeleteInput", "errors")
	client := onWire(t,
		asked(t, getDocument("id"), `{"fullPath":"acme/app","iid":"7"}`,
			`{"data":{"namespace":{"workItem":{"id":"gid://f/WorkItem/9"}}}}`),
		asked(t, document, `{"input":{"id":"gid://f/WorkItem/9"}}`, `{"data":{"workItemDelete":{"errors":[]}}}`),
		asked(t, document, `{"input":{"id":"gid://f/WorkItem/9"}}`, `{"data":{"workItemDelete":{"errors":["No"]}}}`),
		asked(t, document, `{"input":{"id":"gid://f/WorkItem/8"}}`, `{"data":{"workItemDelete":{"errors":[]}}}`))
	resp, err := client.WorkItems.Delete(t.Context(), appItem)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	_, err = client.WorkItems.Delete(t.Context(),
		(&serviceapi.WorkItem{WorkItemSummary: serviceapi.WorkItemSummary{ID: "gid://f/WorkItem/9", IID: 7}}).Ref())
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	_, err = client.WorkItems.Delete(t.Context(),
		(&serviceapi.WorkItemSummary{ID: "gid://f/WorkItem/8", IID: 7, NamespacePath: "acme"}).Ref())
	require.NoError(t, err)
}

func TestWorkItemReferences(t *testing.T) {
	assert.Equal(t, []any{"acme/app#7", int64(7), false}, []any{appItem.String(), appItem.IID(), appItem.IsZero()})
	assert.True(t, (*serviceapi.WorkItem)(nil).Ref().IsZero())
	assert.True(t, (*serviceapi.WorkItemSummary)(nil).Ref().IsZero())
	assert.Empty(t, serviceapi.WorkItemRef{}.String())
	group := (&serviceapi.WorkItemSummary{IID: 6, NamespacePath: "acme"}).Ref()
	assert.Equal(t, "acme#6", group.String())
}

func TestTargetBranchRules(t *testing.T) {
	const rule = `{"id":"gid://f/Projects::TargetBranchRule/3","name":"dev/*","targetBranch":"develop",` +
		`"createdAt":"2026-01-05T08:04:59Z"}`
	want := &serviceapi.TargetBranchRule{ID: "gid://f/Projects::TargetBranchRule/3", Name: "dev/*",
		TargetBranch: "develop", CreatedAt: *at(t, "2026-01-05T08:04:59Z")}
	const list = "query ($fullPath: ID!, $first: Int) { project(fullPath: $fullPath) { targetBranchRules(first: " +
		"$first) { nodes { id name targetBranch createdAt } pageInfo { hasNextPage endCursor } } } }"
	page := `{"data":{"project":{"targetBranchRules":{"nodes":[` + rule + `],"pageInfo":{"hasNextPage":false}}}}}`
	app, ctx := serviceapi.ProjectPath("acme/app"), t.Context()
	client := onWire(t,
		asked(t, list, `{"fullPath":"acme/app","first":2}`, page),
		asked(t, list, `{"fullPath":"acme/app","first":50}`, page),
		asked(t, "query ($fullPath: ID!) { project(fullPath: $fullPath) { id } }", `{"fullPath":"acme/app"}`,
			`{"data":{"project":{"id":"gid://f/Project/4"}}}`),
		asked(t, mutation("projectTargetBranchRuleCreate", "ProjectTargetBranchRuleCreateInput",
			"targetBranchRule { id name targetBranch createdAt } errors"),
			`{"input":{"projectId":"gid://f/Project/4","name":"dev/*","targetBranch":"develop"}}`,
			`{"data":{"projectTargetBranchRuleCreate":{"targetBranchRule":`+rule+`,"errors":[]}}}`),
		asked(t, mutation("projectTargetBranchRuleDestroy", "ProjectTargetBranchRuleDestroyInput", "errors"),
			`{"input":{"id":"gid://f/Projects::TargetBranchRule/3"}}`,
			`{"data":{"projectTargetBranchRuleDestroy":{"errors":[]}}}`),
		asked(t, "query ($fullPath: ID!) { project(fullPath: $fullPath) { id } }", `{"fullPath":"acme/app"}`,
			`{"data":{"project":null}}`),
	)
	got, _, err := client.TargetBranchRules.List(ctx, app, &serviceapi.GraphQLListOptions{First: 2})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.TargetBranchRule{want}, got)
	got, err = serviceapi.Collect(client.TargetBranchRules.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.TargetBranchRule{want}, got)
	options := serviceapi.CreateTargetBranchRuleOptions{Name: "dev/*", TargetBranch: "develop"}
	made, _, err := client.TargetBranchRules.Create(ctx, app, options)
	require.NoError(t, err)
	assert.Equal(t, want, made)
	_, err = client.TargetBranchRules.Delete(ctx, made.ID)
	require.NoError(t, err)
	_, _, err = client.TargetBranchRules.Create(ctx, app, options)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = client.TargetBranchRules.Create(ctx, serviceapi.ProjectID(4), options)
	assertRefused(t, "project_path", err)
	_, _, err = client.TargetBranchRules.List(ctx, serviceapi.ProjectID(4), nil)
	assertRefused(t, "project_path", err)
}

func TestTerraformStatesByGraphQL(t *testing.T) {
	const (
		user      = "username name webUrl"
		selection = "id name createdAt updatedAt lockedAt deletedAt lockedByUser { " + user + " } latestVersion { id " +
			"serial downloadPath createdAt updatedAt createdByUser { " + user + " } job { id } }"
		list = "query ($fullPath: ID!, $first: Int) { project(fullPath: $fullPath) { " +
			"terraformStates(first: $first) { nodes { " + selection + " } pageInfo { hasNextPage endCursor } } } }"
	)
	whole := fixture(t, "terraform_states/described.json")
	page := `{"data":{"project":{"terraformStates":{"nodes":[` + whole + `,{"id":"gid://f/Terraform::State/8",` +
		`"name":"new","createdAt":"2026-01-05T08:04:59Z","updatedAt":"2026-01-05T08:04:59Z","lockedAt":null,` +
		`"lockedByUser":null,"latestVersion":null}],"pageInfo":{"hasNextPage":false}}}}}`
	ada := &serviceapi.GraphQLUser{Username: "ada", Name: "Ada", WebURL: "https://service.example.com/ada"}
	want := &serviceapi.TerraformState{
		ID: "gid://f/Terraform::State/7", Name: "production", CreatedAt: *at(t, "2026-01-05T08:04:59Z"),
		UpdatedAt: *at(t, "2026-01-06T08:04:59Z"), LockedAt: at(t, "2026-01-07T08:04:59Z"), LockedByUser: ada,
		DeletedAt: at(t, "2026-01-08T08:04:59Z"),
		LatestVersion: &serviceapi.TerraformStateVersion{
			ID: "gid://f/Terraform::StateVersion/9", Serial: new(int64(4)),
			DownloadPath: "/api/v4/projects/4/terraform/state/production/versions/4",
			CreatedAt:    *at(t, "2026-01-06T08:04:59Z"), UpdatedAt: *at(t, "2026-01-06T08:05:00Z"), CreatedByUser: ada,
			Job: &serviceapi.TerraformStateJob{ID: "gid://f/Ci::Build/11"},
		},
	}
	empty := &serviceapi.TerraformState{
		ID: "gid://f/Terraform::State/8", Name: "new", CreatedAt: *at(t, "2026-01-05T08:04:59Z"),
		UpdatedAt: *at(t, "2026-01-05T08:04:59Z"),
	}
	const one = "query ($fullPath: ID!, $name: String!) { project(fullPath: $fullPath) { " +
		"terraformState(name: $name) { " +
		selection + " } } }"
	client := onWire(t,
		asked(t, list, `{"fullPath":"acme/app","first":3}`, page),
		asked(t, list, `{"fullPath":"acme/app","first":50}`, page),
		asked(t, one, `{"fullPath":"acme/app","name":"production"}`,
			`{"data":{"project":{"terraformState":`+whole+`}}}`))
	app, ctx := serviceapi.ProjectPath("acme/app"), t.Context()
	got, _, err := client.TerraformStates.List(ctx, app, &serviceapi.GraphQLListOptions{First: 3})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.TerraformState{want, empty}, got)
	got, err = serviceapi.Collect(client.TerraformStates.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Len(t, got, 2)
	state, _, err := client.TerraformStates.Get(ctx, app, "production")
	require.NoError(t, err)
	assert.Equal(t, want, state)
	_, _, err = client.TerraformStates.Get(ctx, app, "")
	assertRefused(t, "name", err)
	_, _, err = client.TerraformStates.Get(ctx, serviceapi.ProjectID(4), "production")
	assertRefused(t, "project_path", err)
}
