package wiretests

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mergeRequestPath = "/projects/acme%2Fapp/merge_requests/14"

var (
	adaSummary = serviceapi.UserSummary{ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
		WebURL: "https://service.test/ada"}
	charlesSummary = serviceapi.UserSummary{
		ID: 2, Name: "Charles Babbage", Username: "charles", State: "active",
		AvatarURL: "https://service.test/charles.png", WebURL: "https://service.test/charles",
	}
)

// wholeMergeRequest is testdata/merge_requests/merge_request.json.
func wholeMergeRequest(t *testing.T) *serviceapi.MergeRequestDetails {
	return &serviceapi.MergeRequestDetails{
		MergeRequest: serviceapi.MergeRequest{
			ID: 84, IID: 14, ProjectID: 4, Title: "Compute Bernoulli numbers", Description: "Closes #6.",
			State:    serviceapi.MergeRequestStateMerged,
			MergedBy: &adaSummary, MergeUser: &adaSummary, MergedAt: at(t, "2026-03-02T11:16:17.520Z"),
			ClosedBy: &charlesSummary, ClosedAt: at(t, "2026-03-02T10:00:00Z"),
			CreatedAt: at(t, "2026-03-01T08:46:00Z"), UpdatedAt: at(t, "2026-03-02T11:16:18Z"),
			TargetBranch: "main", SourceBranch: "bernoulli", SourceProjectID: new(int64(5)), TargetProjectID: 4,
			Upvotes:   3,
			Downvotes: 1,
			Author:    &charlesSummary, Assignee: &adaSummary, Assignees: []*serviceapi.UserSummary{&adaSummary},
			Reviewers: []*serviceapi.UserSummary{&adaSummary},
			Labels: []*serviceapi.LabelSummary{
				{Name: "engine"},
				{Name: "urgent"},
			}, Draft: true, WorkInProgress: true,
			Milestone: &serviceapi.Milestone{
				ID: 12, IID: 3, ProjectID: new(int64(4)), Title: "v2.0", Description: "The second engine.",
				State:     "active",
				CreatedAt: *at(t, "2026-01-01T00:00:00Z"), UpdatedAt: *at(t, "2026-01-02T00:00:00Z"),
				DueDate: new(
					serviceapi.NewDate(2026, 4, 30),
				), StartDate: new(serviceapi.NewDate(2026, 1, 1)), Expired: new(false),
				WebURL: "https://service.test/acme/app/-/milestones/3",
			},
			MergeWhenPipelineSucceeds: true, MergeStatus: serviceapi.MergeStatusCanBeMerged, HasConflicts: true,
			DetailedMergeStatus: serviceapi.DetailedMergeStatusNotApproved, BlockingDiscussionsResolved: true,
			PreparedAt: at(t, "2026-03-01T08:46:02Z"), MergeAfter: at(t, "2026-03-02T09:00:00Z"),
			SHA:             "8888888888888888888888888888888888888888",
			MergeCommitSHA:  "9999999999999999999999999999999999999999",
			SquashCommitSHA: "7777777777777777777777777777777777777777",
			UserNotesCount:  5, DiscussionLocked: new(true), ShouldRemoveSourceBranch: new(true),
			ForceRemoveSourceBranch: new(true),
			AllowCollaboration:      new(true), AllowMaintainerToPush: new(true),
			WebURL:    "https://service.test/acme/app/-/merge_requests/14",
			Reference: "!14", References: &serviceapi.References{Short: "!14", Relative: "app!14", Full: "acme/app!14"},
			TimeStats: &serviceapi.TimeStats{
				TimeEstimate: 12600, TotalTimeSpent: 3600, HumanTimeEstimate: "3h 30m", HumanTotalTimeSpent: "1h",
			},
			Squash: true, SquashOnMerge: true, TitleHTML: "Compute Bernoulli numbers",
			DescriptionHTML: "<p>Closes #6.</p>",
			Imported:        true, ImportedFrom: "bitbucket",
			TaskCompletionStatus: &serviceapi.TaskCompletionStatus{
				Count:          4,
				CompletedCount: 2,
			}, ApprovalsBeforeMerge: new(2),
		},
		FirstContribution: true, User: &serviceapi.MergeRequestUser{CanMerge: true},
		RebaseInProgress: new(true), MergeError: "Rebase failed", Subscribed: true, ChangesCount: "1000+",
		LatestBuildStartedAt: at(t, "2026-03-02T11:00:00Z"), LatestBuildFinishedAt: at(t, "2026-03-02T11:10:00Z"),
		FirstDeployedToProductionAt: at(t, "2026-03-03T09:00:00Z"),
		Pipeline: &serviceapi.PipelineSummary{
			ID: 29626725, SHA: "8888888888888888888888888888888888888888", Ref: "bernoulli", Status: "success",
			WebURL: "https://service.test/acme/app/-/pipelines/29626725",
		},
		HeadPipeline: &serviceapi.PipelineDetails{
			Pipeline: serviceapi.Pipeline{
				ID: 46, IID: 11, ProjectID: 4, Status: serviceapi.PipelineStatusRunning,
				Source: serviceapi.PipelineSourceMergeRequestEvent,
				Ref:    "bernoulli",
				SHA:    "8888888888888888888888888888888888888888",
			},
		},
		DiffRefs: &serviceapi.DiffRefs{
			BaseSHA:  "1111111111111111111111111111111111111111",
			HeadSHA:  "8888888888888888888888888888888888888888",
			StartSHA: "2222222222222222222222222222222222222222",
		},
		DivergedCommitsCount: new(2),
	}
}

// listedMergeRequest is the same merge request in a list.
func listedMergeRequest(t *testing.T) *serviceapi.MergeRequest {
	return &wholeMergeRequest(t).MergeRequest
}

func TestMergeRequestsGet(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath,
			Query:   "include_diverged_commits_count=true&include_rebase_in_progress=true&render_html=true",
			Fixture: "merge_requests/merge_request.json"},
		exchange{Method: "GET", Path: "/projects/4/merge_requests/15",
			Fixture: "merge_requests/merge_request_nulls.json"})
	mr, _, err := client.MergeRequests.Get(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14),
		&serviceapi.GetMergeRequestOptions{
			IncludeRebaseInProgress: true, IncludeDivergedCommitsCount: true, RenderHTML: true,
		})
	require.NoError(t, err)
	assert.Equal(t, wholeMergeRequest(t), mr)

	mr, _, err = client.MergeRequests.Get(t.Context(), serviceapi.ProjectID(4).MergeRequest(15), nil)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MergeRequestDetails{
		MergeRequest: serviceapi.MergeRequest{
			ID: 85, IID: 15, ProjectID: 4, Title: "Draft", State: "frozen", CreatedAt: at(t, "2026-03-01T08:46:00Z"),
			TargetBranch: "main", SourceBranch: "draft", Assignees: []*serviceapi.UserSummary{},
			Reviewers: []*serviceapi.UserSummary{},
			Labels: []*serviceapi.LabelSummary{
				{Name: "engine", Color: "#00ff00", Description: "About the engine",
					DescriptionHTML: "<p>About the engine</p>", TextColor: "#ffffff"},
				{Name: "urgent", Color: "#ff0000", TextColor: "#000000"},
				{Name: "plain"},
			},
			MergeStatus: "cannot_be_merged_recheck", TimeStats: &serviceapi.TimeStats{},
		},
	}, mr)
}

// These are the queries of everyFilter, in pieces. Between them are the
// parameters that only one kind of owner has.
const (
	mergeRequestQueryStart = "approved=yes&approved_by_ids%5B%5D=7&approved_by_ids%5B%5D=8" +
		"&approved_by_usernames%5B%5D=eve" +
		"&approved_by_usernames%5B%5D=fay&approver_ids=Any&assignee_id=None" +
		"&assignee_username%5B%5D=hal&author_id=3&author_username=ada" +
		"&created_after=2026-01-01T00%3A00%3A00.5Z&created_before=2026-01-02T00%3A00%3A00Z" +
		"&deployed_after=2026-01-05T00%3A00%3A00Z&deployed_before=2026-01-06T00%3A00%3A00Z&environment=production"
	mergeRequestQueryMiddle = "&in=title%2Cdescription&labels=bug%2Curgent&merge_user_id=5&merge_user_username=gil" +
		"&milestone=Any&my_reaction_emoji=star"
	mergeRequestQueryEnd = "&not%5Bassignee_id%5D=22&not%5Bassignee_username%5D=eve&not%5Bauthor_id%5D=21" +
		"&not%5Bauthor_username%5D=dan" +
		"&not%5Bin%5D=title&not%5Blabels%5D=old%2Cbad&not%5Bmilestone%5D=v1&not%5Bmy_reaction_emoji%5D=tada" +
		"&not%5Breviewer_id%5D=23&not%5Breviewer_username%5D=fay&not%5Bsearch%5D=c+d" +
		"&order_by=updated_at&page=2&per_page=10&reviewer_id=9&reviewer_username=gil&scope=all" +
		"&search=a+b&sort=asc" +
		"&source_branch=feat%2Fx&source_project_id=12" +
		"&state=opened&target_branch=main&updated_after=2026-01-03T00%3A00%3A00Z" +
		"&updated_before=2026-01-04T00%3A00%3A00Z&view=simple&wip=no&with_labels_details=true" +
		"&with_merge_status_recheck=true"

	instanceMergeRequestQuery = mergeRequestQueryStart + mergeRequestQueryMiddle + mergeRequestQueryEnd
	groupMergeRequestQuery    = mergeRequestQueryStart + mergeRequestQueryMiddle + "&non_archived=false" +
		mergeRequestQueryEnd
	projectMergeRequestQuery = mergeRequestQueryStart + "&iids%5B%5D=4&iids%5B%5D=5" + mergeRequestQueryMiddle +
		mergeRequestQueryEnd
)

var everyExclusion = serviceapi.MergeRequestExclusions{
	Labels: []string{"old", "bad"}, Milestone: "v1", AuthorID: 21, AuthorUsername: "dan", AssigneeID: 22,
	AssigneeUsername: "eve",
	ReviewerID:       23, ReviewerUsername: "fay", MyReactionEmoji: "tada", Search: "c d",
	In: []serviceapi.SearchField{serviceapi.SearchFieldTitle},
}

func january(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

// everyFilter sets every option that all owners take.
func everyFilter() *serviceapi.ListMergeRequestsOptions {
	return &serviceapi.ListMergeRequestsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 10}, State: serviceapi.MergeRequestStateOpened,
		OrderBy: serviceapi.MergeRequestOrderByUpdatedAt, Sort: serviceapi.SortAscending,
		Milestone: serviceapi.AnyMilestone, View: serviceapi.MergeRequestViewSimple,
		Labels:            serviceapi.LabelsAre("bug", "urgent"),
		WithLabelsDetails: true, WithMergeStatusRecheck: true,
		CreatedAfter: january(1).Add(500 * time.Millisecond), CreatedBefore: january(2), UpdatedAfter: january(3),
		UpdatedBefore: january(4),
		Scope:         serviceapi.MergeRequestScopeAll, AuthorID: 3, AuthorUsername: "ada",
		AssigneeID:          serviceapi.NoUser,
		AssigneeUsername:    []string{"hal"},
		ApproverIDs:         serviceapi.AnyUsers,
		ApprovedByIDs:       serviceapi.UsersAre(7, 8),
		ApprovedByUsernames: []string{"eve", "fay"}, Approved: new(true), MergeUserID: 5, MergeUserUsername: "gil",
		ReviewerID: serviceapi.UserIs(
			9,
		), ReviewerUsername: "gil", MyReactionEmoji: serviceapi.EmojiIs("star"), SourceBranch: "feat/x",
		TargetBranch: "main", Search: "a b",
		In: []serviceapi.SearchField{
			serviceapi.SearchFieldTitle,
			serviceapi.SearchFieldDescription,
		}, Draft: new(false), Not: everyExclusion,
		Environment:    "production",
		DeployedBefore: january(6), DeployedAfter: january(5), SourceProjectID: 12,
	}
}

func everyGroupFilter() *serviceapi.ListMergeRequestsOptions {
	options := everyFilter()
	options.NonArchived = new(false)
	return options
}

func everyProjectFilter() *serviceapi.ListMergeRequestsOptions {
	options := everyFilter()
	options.IIDs = []int64{4, 5}
	return options
}

func mergeRequestLists(
	c *serviceapi.Client,
) ownedList[serviceapi.MergeRequestOwner, *serviceapi.ListMergeRequestsOptions, *serviceapi.MergeRequest] {
	return ownedList[serviceapi.MergeRequestOwner, *serviceapi.ListMergeRequestsOptions, *serviceapi.MergeRequest]{
		c.MergeRequests.List,
		c.MergeRequests.All,
	}
}

func TestMergeRequestsLists(t *testing.T) {
	for name, test := range map[string]struct {
		owner   serviceapi.MergeRequestOwner
		path    string
		options *serviceapi.ListMergeRequestsOptions
		query   string
	}{
		"instance": {serviceapi.Instance, "/merge_requests", everyFilter(), instanceMergeRequestQuery},
		"group":    {serviceapi.GroupID(7), "/groups/7/merge_requests", everyGroupFilter(), groupMergeRequestQuery},
		"group by path": {serviceapi.GroupPath("acme/team"), "/groups/acme%2Fteam/merge_requests", everyGroupFilter(),
			groupMergeRequestQuery},
		"project": {serviceapi.ProjectID(4), "/projects/4/merge_requests", everyProjectFilter(),
			projectMergeRequestQuery},
		"project by path": {serviceapi.ProjectPath("acme/app"), "/projects/acme%2Fapp/merge_requests",
			everyProjectFilter(),
			projectMergeRequestQuery},
	} {
		t.Run(name, func(t *testing.T) {
			client := onWire(t, ownedExchanges(test.path, test.query, "merge_requests/merge_requests.json")...)
			mergeRequestLists(client).wants(t, test.owner, test.options,
				[]*serviceapi.MergeRequest{listedMergeRequest(t), {ID: 1}})
		})
	}
}

func TestMergeRequestsListsRefuse(t *testing.T) {
	lists := mergeRequestLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, &everything, (*serviceapi.ProjectRef)(nil))
	lists.refuses(t, "id", nil, serviceapi.ProjectRef{}, serviceapi.GroupRef{}, serviceapi.GroupID(-1))
	lists.refuses(t, "project path", nil, serviceapi.ProjectPath(".."))
	lists.refuses(t, "IIDs", everyProjectFilter(), serviceapi.Instance, serviceapi.GroupID(7))
	lists.refuses(t, "NonArchived", everyGroupFilter(), serviceapi.Instance, serviceapi.ProjectID(4))
}

func TestMergeRequestsMerge(t *testing.T) {
	client := onWire(t,
		exchange{Method: "PUT", Path: mergeRequestPath + "/merge", JSON: `{}`,
			Fixture: "merge_requests/merge_request.json"},
		exchange{
			Method: "PUT", Path: mergeRequestPath + "/merge", Fixture: "merge_requests/merge_request.json",
			JSON: `{"merge_commit_message":"m","squash_commit_message":"","squash":true,
				"should_remove_source_branch":false,
				"merge_when_pipeline_succeeds":true,"auto_merge":false,"sha":"abc"}`,
		})
	mr, _, err := client.MergeRequests.Merge(
		t.Context(),
		serviceapi.ProjectPath("acme/app").MergeRequest(14),
		serviceapi.MergeOptions{},
	)
	require.NoError(t, err)
	assert.Equal(t, wholeMergeRequest(t), mr)
	_, _, err = client.MergeRequests.Merge(
		t.Context(),
		serviceapi.ProjectPath("acme/app").MergeRequest(14),
		serviceapi.MergeOptions{
			MergeCommitMessage: new("m"), SquashCommitMessage: new(""), Squash: new(true),
			ShouldRemoveSourceBranch:  new(false),
			MergeWhenPipelineSucceeds: new(true), AutoMerge: new(false), SHA: new("abc"),
		},
	)
	require.NoError(t, err)
}

func TestMergeRequestsRefusals(t *testing.T) {
	merge := func(s *serviceapi.MergeRequestsService) error {
		_, _, err := s.Merge(t.Context(), serviceapi.ProjectID(4).MergeRequest(14), serviceapi.MergeOptions{})
		return err
	}
	cancel := func(s *serviceapi.MergeRequestsService) error {
		_, _, err := s.CancelMergeWhenPipelineSucceeds(t.Context(), serviceapi.ProjectID(4).MergeRequest(14))
		return err
	}
	for name, test := range map[string]struct {
		call   func(*serviceapi.MergeRequestsService) error
		status int
		body   string
		reason serviceapi.MergeRefusal
		is     error
	}{
		"merge, no permission": {merge, 401, `{"message":"401 Unauthorized"}`, serviceapi.MergeRefusalUnauthorized,
			serviceapi.ErrUnauthorized},
		"merge, expired token": {merge, 401, `{"error":"invalid_token","error_description":"Token is expired."}`,
			"", serviceapi.ErrUnauthorized},
		"merge, draft": {merge, 405, `{"message":"405 Method Not Allowed"}`, serviceapi.MergeRefusalNotReady,
			serviceapi.ErrMethodNotAllowed},
		"merge, conflicts": {merge, 406, `{"message":"406 Branch cannot be merged"}`, serviceapi.MergeRefusalImpossible,
			serviceapi.ErrNotAcceptable},
		"merge, conflicts in newer releases": {merge, 422, `{"message":"Branch cannot be merged"}`,
			serviceapi.MergeRefusalImpossible, serviceapi.ErrUnprocessable},
		"merge, proxy": {merge, 422, "<html><body>no", "", serviceapi.ErrUnprocessable},
		"merge, moved branch": {merge, 409, `{"message":"SHA does not match HEAD of source branch"}`,
			serviceapi.MergeRefusalSHAMismatch, serviceapi.ErrConflict},
		"merge, lock": {merge, 409, `{"message":"409 Conflict: Resource lock"}`, "", serviceapi.ErrConflict},
		"merge, lock of a draft": {merge, 405, `{"message":"405: Resource lock"}`, serviceapi.MergeRefusalNotReady,
			serviceapi.ErrMethodNotAllowed},
		"merge, other status": {merge, 404, `{"message":"404 Not found"}`, "", serviceapi.ErrNotFound},
		"cancel, no permission": {cancel, 401, `{"message":"401 Unauthorized"}`, serviceapi.MergeRefusalUnauthorized,
			serviceapi.ErrUnauthorized},
		"cancel, merged or closed": {cancel, 405, `{"message":"405 Method Not Allowed"}`, serviceapi.MergeRefusalOver,
			serviceapi.ErrMethodNotAllowed},
		"cancel, not set": {cancel, 406, `{"message":"406 Not Acceptable"}`, serviceapi.MergeRefusalNotScheduled,
			serviceapi.ErrNotAcceptable},
		"cancel, 422 has no meaning": {cancel, 422, `{"message":"422"}`, "", serviceapi.ErrUnprocessable},
		"cancel, 409 has no meaning": {cancel, 409, `{"message":"409 Conflict"}`, "", serviceapi.ErrConflict},
	} {
		t.Run(name, func(t *testing.T) {
			x := exchange{Method: "PUT", Path: "/projects/4/merge_requests/14/merge", JSON: "{}", Status: test.status,
				Body: test.body}
			if name[:6] == "cancel" {
				x = exchange{
					Method: "POST", Path: "/projects/4/merge_requests/14/cancel_merge_when_pipeline_succeeds",
					Status: test.status, Body: test.body,
				}
			}
			err := test.call(onWire(t, x).MergeRequests)
			require.ErrorIs(t, err, test.is)
			var reply *serviceapi.Error
			require.ErrorAs(t, err, &reply)
			assert.Equal(t, test.status, reply.StatusCode)
			var refused *serviceapi.MergeError
			if test.reason == "" {
				assert.False(t, errors.As(err, &refused), "%v", err)
				return
			}
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, test.reason, refused.Reason)
			assert.Contains(t, err.Error(), reply.Message)
			assert.Contains(t, err.Error(), string(test.reason))
		})
	}
}

func TestMergeRequestsMergeIsNotRepeated(t *testing.T) {
	client := onWire(t, exchange{Method: "PUT", Path: "/projects/4/merge_requests/14/merge", JSON: "{}", Status: 502,
		Body: "no"})
	eager := serviceapi.RetryPolicy{MaxAttempts: 3, MinWait: time.Microsecond, RetryIdempotent: true}
	_, _, err := client.MergeRequests.Merge(t.Context(), serviceapi.ProjectID(4).MergeRequest(14),
		serviceapi.MergeOptions{}, serviceapi.WithRetry(eager))
	require.ErrorIs(t, err, serviceapi.ErrServer)
}

func TestMergeRequestsMergeRef(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath + "/merge_ref",
			Body: `{"commit_id":"854a3a7a17acbcc0bbbea170986df1eb60435f34"}`},
		exchange{Method: "GET", Path: mergeRequestPath + "/merge_ref", Status: 400,
			Body: `{"message":"Merge request is not mergeable"}`})
	ref, _, err := client.MergeRequests.MergeRef(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MergeRef{CommitID: "854a3a7a17acbcc0bbbea170986df1eb60435f34"}, ref)
	_, _, err = client.MergeRequests.MergeRef(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14))
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "not mergeable")
}

func TestMergeRequestsCancel(t *testing.T) {
	client := onWire(t, exchange{
		Method: "POST", Path: mergeRequestPath + "/cancel_merge_when_pipeline_succeeds",
		Status: 201, Fixture: "merge_requests/merge_request.json",
	})
	mr, _, err := client.MergeRequests.CancelMergeWhenPipelineSucceeds(t.Context(),
		serviceapi.ProjectPath("acme/app").MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(t, wholeMergeRequest(t), mr)
}

// TestMergeRequestsCancelInNewerReleases checks responses that have no merge request.
func TestMergeRequestsCancelInNewerReleases(t *testing.T) {
	const refused = `{"message":"Can't cancel the automatic merge","status":"error","http_status":%s}`
	for body, want := range map[string]serviceapi.MergeRefusal{
		`{"status":"success"}`:                     "",
		strings.Replace(refused, "%s", "406", 1):   serviceapi.MergeRefusalNotScheduled,
		strings.Replace(refused, "%s", "405", 1):   serviceapi.MergeRefusalOver,
		strings.Replace(refused, "%s", "418", 1):   serviceapi.MergeRefusalNotScheduled,
		`{"status":"error","message":{"base":[]}}`: serviceapi.MergeRefusalNotScheduled,
	} {
		client := onWire(t, exchange{Method: "POST", Path: mergeRequestPath + "/cancel_merge_when_pipeline_succeeds",
			Status: 201, Body: body})
		mr, resp, err := client.MergeRequests.CancelMergeWhenPipelineSucceeds(t.Context(),
			serviceapi.ProjectPath("acme/app").MergeRequest(14))
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, new(serviceapi.MergeRequestDetails), mr)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		problem, ok := errors.AsType[*serviceapi.MergeError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, want, problem.Reason, body)
		if strings.Contains(body, "cancel") {
			assert.Equal(t, "Can't cancel the automatic merge", problem.Err.Message)
		}
	}
}

func TestMergeRequestsRebase(t *testing.T) {
	client := onWire(t,
		exchange{Method: "PUT", Path: mergeRequestPath + "/rebase", JSON: `{}`, Status: 202,
			Body: `{"rebase_in_progress":true}`},
		exchange{Method: "PUT", Path: mergeRequestPath + "/rebase", JSON: `{"skip_ci":true}`, Status: 403,
			Body: `{"message":"403 Forbidden"}`})
	status, resp, err := client.MergeRequests.Rebase(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14),
		serviceapi.RebaseOptions{})
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assert.Equal(t, &serviceapi.RebaseStatus{RebaseInProgress: true}, status)
	_, err = client.MergeRequests.RebaseAndWait(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14),
		serviceapi.RebaseOptions{SkipCI: new(true)})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestMergeRequestsClosedIssues(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath + "/closes_issues",
			Fixture: "merge_requests/closes_issues.json"},
		exchange{Method: "GET", Path: mergeRequestPath + "/closes_issues", Query: "per_page=100",
			Fixture: "merge_requests/closes_issues.json"})
	issues, _, err := client.MergeRequests.ListClosedIssues(
		t.Context(),
		serviceapi.ProjectPath("acme/app").MergeRequest(14),
		nil,
	)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RelatedIssue{
		{
			ID: serviceapi.IssueID{Number: 76}, IID: new(int64(6)), ProjectID: new(int64(4)), Title: "Wrong numbers",
			Description: "The numbers are wrong.", State: serviceapi.IssueStateOpened,
			Author: &adaSummary, Assignee: &charlesSummary, Labels: []*serviceapi.LabelSummary{{Name: "bug"}},
			Milestone: &serviceapi.Milestone{
				ID: 12, IID: 3, ProjectID: new(int64(4)), Title: "v2.0", State: "active",
				CreatedAt: *at(t, "2026-01-01T00:00:00Z"), UpdatedAt: *at(t, "2026-01-02T00:00:00Z"),
				WebURL: "https://service.test/acme/app/-/milestones/3",
			},
			CreatedAt: at(t, "2026-03-01T15:31:51.081Z"), UpdatedAt: at(t, "2026-03-02T15:31:51.081Z"),
			UserNotesCount: new(1), ChangesCount: "2", Assignees: []*serviceapi.UserSummary{&charlesSummary},
			IssueType: serviceapi.IssueTypeIssue, Type: "ISSUE", WebURL: "https://service.test/acme/app/-/issues/6",
			ClosedAt: at(t, "2026-03-03T15:31:51.081Z"), ClosedBy: &adaSummary,
			StartDate: new(serviceapi.NewDate(2026, 3, 5)), DueDate: new(serviceapi.NewDate(2026, 4, 1)),
			DiscussionLocked: new(false), Weight: new(5), Confidential: new(false), Upvotes: new(4), Downvotes: new(1),
			MergeRequestsCount: new(2), BlockingIssuesCount: new(0),
			TimeStats:            &serviceapi.TimeStats{TimeEstimate: 60, HumanTimeEstimate: "1m"},
			TaskCompletionStatus: &serviceapi.TaskCompletionStatus{Count: 2, CompletedCount: 1},
		},
		{ID: serviceapi.IssueID{Key: "PROJECT-123"}, Title: "Title of this issue"},
	}, issues)
	all, err := serviceapi.Collect(
		client.MergeRequests.AllClosedIssues(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14),
			nil),
	)
	require.NoError(t, err)
	assert.Equal(t, issues, all)
}

func TestMergeRequestsSubscribe(t *testing.T) {
	path := mergeRequestPath + "/subscribe"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "merge_requests/merge_request.json"},
		exchange{Method: "POST", Path: path, Status: 304},
		exchange{Method: "POST", Path: path, Status: 404, Body: `{"message":"404 Not found"}`})
	got, _, err := client.MergeRequests.Subscribe(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MergeRequestSubscription{MergeRequest: wholeMergeRequest(t)}, got)
	got, resp, err := client.MergeRequests.Subscribe(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(t, 304, resp.StatusCode)
	assert.Equal(t, &serviceapi.MergeRequestSubscription{Unchanged: true}, got)
	got, _, err = client.MergeRequests.Subscribe(t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Nil(t, got)
}

func TestMergeRequestsArguments(t *testing.T) {
	s := onWire(t).MergeRequests
	ctx := t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	for name, err := range map[string]error{
		"get":       failed(s.Get(ctx, serviceapi.ProjectID(4).MergeRequest(0), nil)),
		"merge":     failed(s.Merge(ctx, serviceapi.ProjectPath("..").MergeRequest(1), serviceapi.MergeOptions{})),
		"merge ref": failed(s.MergeRef(ctx, serviceapi.ProjectID(4).MergeRequest(-1))),
		"cancel":    failed(s.CancelMergeWhenPipelineSucceeds(ctx, serviceapi.ProjectID(0).MergeRequest(1))),
		"rebase":    failed(s.Rebase(ctx, serviceapi.ProjectID(4).MergeRequest(0), serviceapi.RebaseOptions{})),
		"closed":    failed(s.ListClosedIssues(ctx, serviceapi.ProjectID(4).MergeRequest(0), nil)),
		"subscribe": failed(s.Subscribe(ctx, serviceapi.ProjectID(4).MergeRequest(0))),
		"bad page": failed(s.List(ctx, serviceapi.Instance,
			&serviceapi.ListMergeRequestsOptions{ListOptions: serviceapi.ListOptions{Page: -1}})),
		"bad page too": failed(s.ListClosedIssues(ctx, serviceapi.ProjectID(4).MergeRequest(1),
			&serviceapi.ListOptions{PerPage: -1})),
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}

func TestLabelOfTheWrongKindCostsItselfAlone(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/projects/4/merge_requests/14",
		Body: `{"id":84,"labels":["a",7,"b"],"iid":14}`})
	mr, _, err := client.MergeRequests.Get(t.Context(), serviceapi.ProjectID(4).MergeRequest(14), nil)
	var decode *serviceapi.DecodeError
	require.ErrorAs(t, err, &decode)
	assert.Equal(t, "/labels/1", decode.Pointer)
	assert.Equal(t, &serviceapi.MergeRequestDetails{MergeRequest: serviceapi.MergeRequest{ID: 84, IID: 14,
		Labels: []*serviceapi.LabelSummary{{Name: "a"}, {}, {Name: "b"}}}}, mr)
}

const mergeRequestsPath = "/projects/acme%2Fapp/merge_requests"

func TestMergeRequestsCreate(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: mergeRequestsPath, Status: 201, Fixture: "merge_requests/created.json",
			JSON: `{"source_branch":"new","target_branch":"main","title":"New"}`,
		},
		exchange{
			Method: "POST", Path: mergeRequestsPath, Status: 201, Fixture: "merge_requests/merge_request.json",
			JSON: `{"source_branch":"new","target_branch":"main","title":"Draft: New","target_project_id":9,
				"description":"d","assignee_id":1,"assignee_ids":[1,2],
				"reviewer_ids":[3],"milestone_id":12,"labels":"bug,urgent","remove_source_branch":true,
				"squash":false,"allow_collaboration":true,
				"approvals_before_merge":2,"merge_after":"2026-01-01T00:00:00Z"}`,
		})
	s, ctx, app := client.MergeRequests, t.Context(), serviceapi.ProjectPath("acme/app")
	mr, resp, err := s.Create(ctx, app, serviceapi.CreateMergeRequestOptions{SourceBranch: "new", TargetBranch: "main",
		Title: "New"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.MergeRequestDetails{
		MergeRequest: serviceapi.MergeRequest{
			ID: 86, IID: 16, ProjectID: 4, Title: "New", State: serviceapi.MergeRequestStateOpened, SourceBranch: "new",
			TargetBranch:        "main",
			DetailedMergeStatus: serviceapi.DetailedMergeStatusPreparing, MergeStatus: serviceapi.MergeStatusUnchecked,
		},
		DiffRefs: &serviceapi.DiffRefs{StartSHA: "2222222222222222222222222222222222222222"},
	}, mr)
	mr, _, err = s.Create(ctx, app, serviceapi.CreateMergeRequestOptions{
		SourceBranch: "new", TargetBranch: "main", Title: "Draft: New", TargetProjectID: new(int64(9)),
		Description: new("d"), AssigneeID: new(int64(1)),
		AssigneeIDs: []int64{1, 2}, ReviewerIDs: []int64{3}, MilestoneID: new(int64(12)),
		Labels: serviceapi.LabelNames{"bug", "urgent"}, RemoveSourceBranch: new(true),
		Squash: new(false), AllowCollaboration: new(true), ApprovalsBeforeMerge: new(2), MergeAfter: new(january(1)),
	})
	require.NoError(t, err)
	assert.Equal(t, wholeMergeRequest(t), mr)
}

func TestMergeRequestsUpdateAndDelete(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "PUT", Path: mergeRequestPath, Fixture: "merge_requests/merge_request.json",
			JSON: `{"target_branch":"next","title":"t","description":"","assignee_id":0,"assignee_ids":[],
				"reviewer_ids":[],"milestone_id":0,"labels":"",
				"add_labels":"a","remove_labels":"b,c","state_event":"close","discussion_locked":true,
				"remove_source_branch":false,"squash":true,
				"allow_collaboration":false,"merge_after":"2026-01-01T00:00:00Z"}`,
		},
		exchange{Method: "PUT", Path: mergeRequestPath, JSON: `{"title":"Ready"}`,
			Fixture: "merge_requests/merge_request.json"},
		exchange{Method: "DELETE", Path: mergeRequestPath, Status: 204})
	s, ctx, app := client.MergeRequests, t.Context(), serviceapi.ProjectPath("acme/app")
	mr, _, err := s.Update(ctx, app.MergeRequest(14), serviceapi.UpdateMergeRequestOptions{
		TargetBranch: new("next"), Title: new("t"), Description: new(""), AssigneeID: new(int64(0)),
		AssigneeIDs: []int64{}, ReviewerIDs: []int64{},
		MilestoneID: new(int64(0)), Labels: serviceapi.LabelNames{}, AddLabels: serviceapi.LabelNames{"a"},
		RemoveLabels: serviceapi.LabelNames{"b", "c"}, StateEvent: new(serviceapi.StateEventClose),
		DiscussionLocked: new(true), RemoveSourceBranch: new(false), Squash: new(true), AllowCollaboration: new(false),
		MergeAfter: serviceapi.Value(january(1)),
	})
	require.NoError(t, err)
	assert.Equal(t, wholeMergeRequest(t), mr)
	_, _, err = s.Update(ctx, app.MergeRequest(14), serviceapi.UpdateMergeRequestOptions{Title: new("Ready")})
	require.NoError(t, err)
	resp, err := s.Delete(ctx, app.MergeRequest(14))
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestMergeRequestExists(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		exists bool
		iid    int64
		is     error
	}{
		"with its number": {409, `{"message":["Another open merge request already exists for this source branch: !5"]}`,
			true, 5, serviceapi.ErrConflict},
		"without": {409, `{"message":["Another open merge request already exists for this source branch"]}`,
			true, 0, serviceapi.ErrConflict},
		"with nonsense": {409, `{"message":["!99999999999999999999"]}`, true, 0, serviceapi.ErrConflict},
		"locked":        {409, `{"message":"409 Conflict: Resource lock"}`, false, 0, serviceapi.ErrConflict},
		"same branches": {422, `{"message":["Source and target must differ"]}`, false, 0, serviceapi.ErrUnprocessable},
		"invalid":       {400, `{"message":{"title":["can't be blank"]}}`, false, 0, serviceapi.ErrBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			const body = `{"source_branch":"a","target_branch":"b","title":"c"}`
			client := onWire(t,
				exchange{Method: "POST", Path: mergeRequestsPath, JSON: body, Status: test.status, Body: test.body},
				exchange{Method: "PUT", Path: mergeRequestPath, JSON: `{"target_branch":"b"}`, Status: test.status,
					Body: test.body})
			s, app := client.MergeRequests, serviceapi.ProjectPath("acme/app")
			_, _, err := s.Create(
				t.Context(),
				app,
				serviceapi.CreateMergeRequestOptions{SourceBranch: "a", TargetBranch: "b",
					Title: "c"},
			)
			_, _, updateErr := s.Update(t.Context(), app.MergeRequest(14),
				serviceapi.UpdateMergeRequestOptions{TargetBranch: new("b")})
			for _, err := range []error{err, updateErr} {
				require.ErrorIs(t, err, test.is)
				var exists *serviceapi.MergeRequestExistsError
				require.Equal(t, test.exists, errors.As(err, &exists), "%v", err)
				if test.exists {
					assert.Equal(t, test.iid, exists.MergeRequest.IID())
					assert.Contains(t, err.Error(), "open")
				}
			}
		})
	}
}

func TestMergeRequestsDiffs(t *testing.T) {
	diff, version, commit := fixture(t, "merge_requests/diff.json"), fixture(t, "merge_requests/version.json"),
		`{"id":"abc","parent_ids":null}`
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath + "/commits", Body: "[" + commit + "]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/commits", Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/commits", Query: "per_page=100", Body: "[" + commit + "]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/versions", Body: "[" + version + "]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/versions", Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/versions", Query: "per_page=100", Body: "[" + version + "]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/diffs", Query: "page=2&unidiff=true",
			Body: `[{"diff":"","a_mode":null,"generated_file":null}]`},
		exchange{Method: "GET", Path: mergeRequestPath + "/diffs", Query: "per_page=100", Body: "[" + diff + "]"})
	s, ctx, app := client.MergeRequests, t.Context(), serviceapi.ProjectPath("acme/app")
	checkLists(t, []*serviceapi.Commit{{ID: "abc"}},
		func(o *serviceapi.ListOptions) ([]*serviceapi.Commit, *serviceapi.Response, error) {
			return s.ListCommits(ctx, app.MergeRequest(14), o)
		},
		s.AllCommits(ctx, app.MergeRequest(14), nil))
	checkLists(t, []*serviceapi.DiffVersion{{
		ID: 110, HeadCommitSHA: "8888888888888888888888888888888888888888",
		BaseCommitSHA:  "1111111111111111111111111111111111111111",
		StartCommitSHA: "2222222222222222222222222222222222222222", CreatedAt: *at(t, "2026-03-01T08:46:02Z"),
		MergeRequestID: 84,
		State:          serviceapi.DiffVersionStateCollected, RealSize: "17",
		PatchIDSHA: "3333333333333333333333333333333333333333",
	}},
		func(o *serviceapi.ListOptions) ([]*serviceapi.DiffVersion, *serviceapi.Response, error) {
			return s.ListVersions(ctx, app.MergeRequest(14), o)
		},
		s.AllVersions(ctx, app.MergeRequest(14), nil))
	diffs, _, err := s.ListDiffs(ctx, app.MergeRequest(14),
		&serviceapi.ListMergeRequestDiffsOptions{ListOptions: serviceapi.ListOptions{Page: 2},
			Unidiff: true})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.CommitDiff{{}}, diffs)
	diffs, err = serviceapi.Collect(s.AllDiffs(ctx, app.MergeRequest(14), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.CommitDiff{new(wholeDiff())}, diffs)
}

// wholeDiff is testdata/merge_requests/diff.json.
func wholeDiff() serviceapi.CommitDiff {
	return serviceapi.CommitDiff{
		Diff: "@@ -1 +1 @@\n-a\n+b\n", OldPath: "a.txt", NewPath: "b.txt", AMode: "100644", BMode: "100755",
		NewFile: true, RenamedFile: true, DeletedFile: true, GeneratedFile: new(true),
	}
}

func TestMergeRequestsChanges(t *testing.T) {
	whole := fixture(t, "merge_requests/merge_request.json")
	whole = whole[:len(whole)-2] + `,"overflow":true,"changes":[` + fixture(t, "merge_requests/diff.json") + `]}`
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath + "/changes", Body: whole},
		exchange{Method: "GET", Path: mergeRequestPath + "/changes", Query: "access_raw_diffs=true&unidiff=true",
			Body: whole})
	for _, options := range []*serviceapi.GetMergeRequestChangesOptions{nil, {AccessRawDiffs: true, Unidiff: true}} {
		changes, _, err := client.MergeRequests.Changes(
			t.Context(),
			serviceapi.ProjectPath("acme/app").MergeRequest(14),
			options,
		)
		require.NoError(t, err)
		want := wholeMergeRequest(t)
		want.Changes, want.Overflow = []*serviceapi.CommitDiff{new(wholeDiff())}, new(true)
		assert.Equal(t, want, changes)
	}
}

func TestMergeRequestsPipelines(t *testing.T) {
	path, whole := mergeRequestPath+"/pipelines", "["+fixture(t, "pipelines/entry.json")+"]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: whole},
		exchange{Method: "GET", Path: path, Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "POST", Path: path, JSON: `{}`, Fixture: "pipelines/pipeline_created.json"},
		exchange{Method: "POST", Path: path, JSON: `{}`, Status: 405, Body: `{"message":"405 Method Not Allowed"}`},
		exchange{Method: "POST", Path: path, JSON: `{"async":true}`, Status: 202},
		exchange{Method: "POST", Path: path, JSON: `{"async":true}`, Fixture: "pipelines/pipeline_created.json"})
	s, ctx, app := client.MergeRequests, t.Context(), serviceapi.ProjectPath("acme/app")
	checkLists(t, []*serviceapi.Pipeline{new(nightlyEntry(t))},
		func(o *serviceapi.ListOptions) ([]*serviceapi.Pipeline, *serviceapi.Response, error) {
			return s.ListPipelines(ctx, app.MergeRequest(14), o)
		},
		s.AllPipelines(ctx, app.MergeRequest(14), nil))
	pipeline, _, err := s.CreatePipeline(ctx, app.MergeRequest(14), serviceapi.CreateMergeRequestPipelineOptions{})
	require.NoError(t, err)
	assertPipeline(t, createdPipeline(t), "null", pipeline)
	_, _, err = s.CreatePipeline(ctx, app.MergeRequest(14), serviceapi.CreateMergeRequestPipelineOptions{})
	require.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed)
	for _, status := range []int{202, 200} {
		pipeline, resp, err := s.CreatePipeline(ctx, app.MergeRequest(14),
			serviceapi.CreateMergeRequestPipelineOptions{Async: new(true)})
		require.NoError(t, err)
		assert.Nil(t, pipeline)
		assert.Equal(t, status, resp.StatusCode)
	}
}

func TestMergeRequestsNewArguments(t *testing.T) {
	s, ctx, app := onWire(t).MergeRequests, t.Context(), serviceapi.ProjectID(4)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	const iid = "merge_request_iid"
	assertRefused(t, "id", failed(s.Create(ctx, serviceapi.ProjectRef{}, serviceapi.CreateMergeRequestOptions{})))
	assertRefused(t, "options", failed(s.Create(
		ctx,
		app,
		serviceapi.CreateMergeRequestOptions{
			SourceBranch: "a",
			TargetBranch: "b",
			Title:        "c",
			Labels:       serviceapi.LabelNames{"a,b"},
		},
	)))
	assertRefused(t, iid, failed(s.Update(ctx, app.MergeRequest(0), serviceapi.UpdateMergeRequestOptions{})))
	_, err := s.Delete(ctx, app.MergeRequest(0))
	assertRefused(t, iid, err)
	assertRefused(t, iid, failed(s.ListCommits(ctx, app.MergeRequest(0), nil)))
	assertRefused(t, iid, failed(s.ListDiffs(ctx, app.MergeRequest(0), nil)))
	assertRefused(t, iid, failed(s.ListVersions(ctx, app.MergeRequest(0), nil)))
	assertRefused(t, iid, failed(s.ListPipelines(ctx, app.MergeRequest(0), nil)))
	assertRefused(t, iid, failed(s.Changes(ctx, app.MergeRequest(0), nil)))
	assertRefused(
		t,
		iid,
		failed(s.CreatePipeline(ctx, app.MergeRequest(0), serviceapi.CreateMergeRequestPipelineOptions{})),
	)
	assertRefused(t, iid, failed(s.CreatePipeline(ctx, app.MergeRequest(0),
		serviceapi.CreateMergeRequestPipelineOptions{Async: new(true)})))
	_, err = s.WaitUntilPrepared(ctx, app.MergeRequest(0))
	assertRefused(t, iid, err)
	_, err = s.WaitUntilMergeable(ctx, app.MergeRequest(0))
	assertRefused(t, iid, err)
}

// mergeRequestIs is a response with a merge request that has these members.
func mergeRequestIs(members string) func(*http.Request) (*http.Response, error) {
	return status(200, `{"id":84,"iid":14,"state":"opened",`+members+`}`)
}

const (
	noDiffYet = `"changes_count":null,"diff_refs":null`
	halfADiff = `"diff_refs":{"base_sha":null,"head_sha":null,"start_sha":"2222"}`
	wholeRefs = `"diff_refs":{"base_sha":"1111","head_sha":"8888","start_sha":"2222"}`
)

func TestWaitUntilPrepared(t *testing.T) {
	for name, last := range map[string]string{
		"by the time":                  `"prepared_at":"2026-03-01T08:46:02Z",` + wholeRefs,
		"by the diff, in old releases": wholeRefs,
		"with another status":          `"detailed_merge_status":"checking","prepared_at":null,` + wholeRefs,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1},
					mergeRequestIs(noDiffYet), mergeRequestIs(halfADiff),
					mergeRequestIs(`"detailed_merge_status":"preparing",`+wholeRefs), mergeRequestIs(last))
				var polls []serviceapi.Poll
				mr, err := client.MergeRequests.WaitUntilPrepared(t.Context(), serviceapi.ProjectID(4).MergeRequest(14),
					serviceapi.WithPollObserver(func(p serviceapi.Poll) { polls = append(polls, p) }))
				require.NoError(t, err)
				assert.Equal(t, "8888", mr.DiffRefs.HeadSHA)
				assert.Len(t, s.Times, 4)
				require.Len(t, polls, 4)
				assert.Equal(t, "the diff of merge request 4!14", polls[0].Target)
				assert.Equal(t, "preparing", polls[2].State)
				assert.Equal(t, "prepared", polls[3].State)
				assert.True(t, polls[3].Done)
			})
		})
	}
}

func TestWaitUntilMergeable(t *testing.T) {
	for _, waits := range []string{
		"preparing", "unchecked", "checking", "approvals_syncing", "ci_still_running", "merge_time",
		"status_checks_must_pass",
	} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1},
				mergeRequestIs(`"detailed_merge_status":"`+waits+`"`),
				mergeRequestIs(`"detailed_merge_status":"mergeable"`))
			mr, err := client.MergeRequests.WaitUntilMergeable(t.Context(), serviceapi.ProjectID(4).MergeRequest(14))
			require.NoError(t, err, waits)
			assert.Equal(t, serviceapi.DetailedMergeStatusMergeable, mr.DetailedMergeStatus)
			assert.Len(t, s.Times, 2)
		})
	}
}

func TestWaitUntilMergeableOfOldReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, mergeRequestIs(`"merge_status":null`),
			mergeRequestIs(`"merge_status":"unchecked"`), mergeRequestIs(`"merge_status":"checking"`),
			mergeRequestIs(`"merge_status":"cannot_be_merged_recheck"`),
			status(200, `{"id":84,"iid":14,"state":"locked","merge_status":"can_be_merged"}`),
			mergeRequestIs(`"merge_status":"can_be_merged"`))
		mr, err := client.MergeRequests.WaitUntilMergeable(t.Context(), serviceapi.ProjectID(4).MergeRequest(14))
		require.NoError(t, err)
		assert.Equal(t, serviceapi.MergeStatusCanBeMerged, mr.MergeStatus)
		assert.Len(t, s.Times, 6)
	})
}

// A problem that does not go away by itself ends the wait at once.
func TestWaitUntilMergeableGivesUp(t *testing.T) {
	for want, reply := range map[string]func(*http.Request) (*http.Response, error){
		"conflict": mergeRequestIs(`"detailed_merge_status":"conflict"`),
		"not_approved": mergeRequestIs(
			`"detailed_merge_status":"not_approved","merge_status":"can_be_merged"`),
		"some_later_status": mergeRequestIs(`"detailed_merge_status":"some_later_status"`),
		"draft_status":      mergeRequestIs(`"draft":true,"merge_status":"can_be_merged"`),
		"cannot_be_merged":  mergeRequestIs(`"merge_status":"cannot_be_merged"`),
		"merged": status(200,
			`{"id":84,"iid":14,"state":"merged","detailed_merge_status":"not_open"}`),
		"closed": status(200,
			`{"id":84,"iid":14,"state":"closed","detailed_merge_status":"mergeable"}`),
		"without a state":          status(200, `{"id":84,"iid":14}`),
		`can\u202enot`:             mergeRequestIs(`"detailed_merge_status":"can\u202enot"`),
		"discussions_not_resolved": mergeRequestIs(`"detailed_merge_status":"discussions_not_resolved"`),
	} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, reply)
			mr, err := client.MergeRequests.WaitUntilMergeable(t.Context(), serviceapi.ProjectID(4).MergeRequest(14))
			var stuck *serviceapi.NotMergeableError
			require.ErrorAs(t, err, &stuck, want)
			assert.Same(t, mr, stuck.MergeRequest)
			assert.Equal(t, "serviceapi: merge request !14 cannot be merged: "+want, err.Error())
			assert.Len(t, s.Times, 1)
		})
	}
}

func TestWaitUntilMergeableEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1},
			mergeRequestIs(`"detailed_merge_status":"checking"`))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		mr, err := client.MergeRequests.WaitUntilMergeable(ctx, serviceapi.ProjectID(4).MergeRequest(14))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotNil(t, mr)
		assert.ErrorContains(t, err, `merge request 4!14 in state "checking"`)
	})
}

var (
	rebaseQueued  = status(202, `{"rebase_in_progress":true}`)
	rebaseRunning = status(200, `{"id":84,"iid":14,"rebase_in_progress":true,"merge_error":"of the time before"}`)
	rebaseDone    = status(200, `{"id":84,"iid":14,"rebase_in_progress":false,"merge_error":null}`)
	rebaseFailed  = status(200,
		`{"id":84,"iid":14,"rebase_in_progress":false,"merge_error":"Rebase failed:\nconflict"}`)
)

func TestRebaseAndWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(
			t,
			serviceapi.RetryPolicy{MaxAttempts: 1},
			rebaseQueued,
			rebaseRunning,
			rebaseRunning,
			rebaseRunning,
			rebaseDone,
		)
		mr, err := client.MergeRequests.RebaseAndWait(
			t.Context(),
			serviceapi.ProjectID(4).MergeRequest(14),
			serviceapi.RebaseOptions{},
		)
		require.NoError(t, err)
		assert.Equal(
			t,
			&serviceapi.MergeRequestDetails{
				RebaseInProgress: new(false),
				MergeRequest:     serviceapi.MergeRequest{ID: 84, IID: 14},
			},
			mr,
		)
		assert.Equal(t, []string{"PUT", "GET", "GET", "GET", "GET"}, s.Methods)
		assert.Equal(t, s.Times[0], s.Times[1], "asked at once")
		assert.Greater(t, s.Times[2].Sub(s.Times[1]), 200*time.Millisecond, "then waited")
	})
}

func TestRebaseAndWaitFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(
			t,
			serviceapi.RetryPolicy{MaxAttempts: 1},
			rebaseQueued,
			rebaseRunning,
			rebaseFailed,
		)
		mr, err := client.MergeRequests.RebaseAndWait(
			t.Context(),
			serviceapi.ProjectID(4).MergeRequest(14),
			serviceapi.RebaseOptions{},
		)
		var failed *serviceapi.RebaseError
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, "Rebase failed:\nconflict", failed.Message)
		assert.Same(t, mr, failed.MergeRequest)
		assert.Equal(t, `serviceapi: rebase of merge request !14 failed: Rebase failed:\nconflict`, err.Error())
	})
}

func TestWaitForRebaseEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, rebaseRunning)
		tired := errors.New("tired")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, tired)
		defer cancel()
		start := time.Now()
		mr, err := client.MergeRequests.WaitForRebase(ctx, serviceapi.ProjectID(4).MergeRequest(14))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, tired)
		assert.Equal(t, time.Minute, time.Since(start))
		require.NotNil(t, mr, "the last state comes beside the error")
		assert.True(t, *mr.RebaseInProgress)
		assert.Less(t, len(s.Times), 30, "asked more and more slowly")
	})
}

func TestWaitForRebaseReturnsErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, rebaseRunning,
			status(404, `{"message":"404 Not found"}`))
		mr, err := client.MergeRequests.WaitForRebase(t.Context(), serviceapi.ProjectID(4).MergeRequest(14))
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		require.NotNil(t, mr)
		assert.Equal(t, int64(84), mr.ID)
	})
}

func TestIssueID(t *testing.T) {
	for text, want := range map[string]struct {
		id     serviceapi.IssueID
		string string
	}{
		`76`:            {serviceapi.IssueID{Number: 76}, "76"},
		`"PROJECT-123"`: {serviceapi.IssueID{Key: "PROJECT-123"}, "PROJECT-123"},
		`"14"`:          {serviceapi.IssueID{Key: "14"}, "14"},
	} {
		id := serviceapi.IssueID{Number: 1, Key: "old"}
		require.NoError(t, json.Unmarshal([]byte(text), &id), text)
		assert.Equal(t, want.id, id, text)
		assert.Equal(t, want.string, id.String(), text)
		assert.Equal(t, text[0] == '"', id.External(), text)
		data, err := json.Marshal(id)
		require.NoError(t, err)
		assert.Equal(t, text, string(data))
	}
	assert.Error(t, json.Unmarshal([]byte(`{}`), new(serviceapi.IssueID)))
	assert.Error(t, json.Unmarshal([]byte(`1.5`), new(serviceapi.IssueID)))
}

func TestChangesCount(t *testing.T) {
	for text, want := range map[string]struct {
		count serviceapi.ChangesCount
		n     int
		exact bool
	}{
		`"17"`:    {"17", 17, true},
		`17`:      {"17", 17, true},
		`"1000+"`: {"1000+", 1000, false},
		`null`:    {"", 0, false},
		`""`:      {"", 0, false},
		`"many"`:  {"many", 0, false},
	} {
		count := serviceapi.ChangesCount("old")
		require.NoError(t, json.Unmarshal([]byte(text), &count), text)
		assert.Equal(t, want.count, count, text)
		n, exact := count.Number()
		assert.Equal(t, want.n, n, text)
		assert.Equal(t, want.exact, exact, text)
	}
	assert.Error(t, json.Unmarshal([]byte(`[]`), new(serviceapi.ChangesCount)))
}

func TestLabel(t *testing.T) {
	whole := serviceapi.LabelSummary{
		ID:              new(int64(3)),
		Name:            "bug",
		Color:           "#ff0000",
		TextColor:       "#000000",
		Description:     "A bug",
		DescriptionHTML: "<p>A bug</p>",
	}
	data, err := json.Marshal(whole)
	require.NoError(t, err)
	var back serviceapi.LabelSummary
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, whole, back)
	require.NoError(t, json.Unmarshal([]byte(`"bug"`), &back))
	assert.Equal(t, serviceapi.LabelSummary{Name: "bug"}, back, "nothing is left of what stood there before")
	assert.Error(t, json.Unmarshal([]byte(`7`), &back))
}
