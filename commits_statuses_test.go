package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// coverageStatus is commits/status.json.
func coverageStatus(t testing.TB) *CommitStatus {
	return &CommitStatus{
		ID: 93, SHA: commitSHA, Ref: "main", Status: CommitStatusStateFailed, Name: "coverage",
		TargetURL: "https://ci.example.com/93", Description: "too low",
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), StartedAt: at(t, "2026-03-01T10:00:05.123Z"), FinishedAt: at(t, "2026-03-01T10:02:07.500Z"),
		AllowFailure: true, Coverage: new(87.25), Author: &adaWithPicture, PipelineID: 46,
	}
}

func TestCommitsStatuses(t *testing.T) {
	const path = commitPath + "/statuses"
	const plain = `{"id":94,"sha":"` + commitSHA + `","ref":null,"status":"pending","name":"default","target_url":null,"description":null,"coverage":null,"author":null}`
	answer := "[" + fixture(t, "commits/status.json") + "," + plain + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: answer},
		exchange{Method: "GET", Path: path, Query: "all=true&name=coverage&order_by=pipeline_id&page=2&per_page=5&pipeline_id=46&ref=main&sort=desc&stage=test", Body: answer},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: answer},
	)
	want := []*CommitStatus{coverageStatus(t), {ID: 94, SHA: commitSHA, Status: CommitStatusStatePending, Name: "default"}}
	s, ctx := client.Commits, t.Context()
	for _, options := range []*ListCommitStatusesOptions{nil, {
		ListOptions: ListOptions{Page: 2, PerPage: 5}, Ref: "main", Stage: "test", Name: "coverage", All: true, PipelineID: 46,
		OrderBy: CommitStatusOrderByPipelineID, Sort: SortDescending,
	}} {
		statuses, _, err := s.ListStatuses(ctx, ProjectID(7), commitSHA, options)
		require.NoError(t, err)
		assert.Equal(t, want, statuses)
	}
	statuses, err := Collect(s.AllStatuses(ctx, ProjectID(7), commitSHA, nil))
	require.NoError(t, err)
	assert.Equal(t, want, statuses)
}

func TestCommitsSetStatus(t *testing.T) {
	const path = "/projects/7/statuses/" + commitSHA
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{"state":"running"}`, Status: 201, Fixture: "commits/status.json"},
		exchange{
			Method: "POST", Path: path, Status: 201, Fixture: "commits/status.json",
			JSON: `{"state":"failed","ref":"main","name":"coverage","target_url":"https://ci.example.com/93","description":"too low","coverage":87.25,"pipeline_id":46}`,
		},
		exchange{Method: "POST", Path: path, JSON: `{"state":"failed"}`, Status: 400, Body: `{"message":"Cannot transition status via :drop from :failed"}`},
	)
	for _, options := range []SetCommitStatusOptions{{State: CommitStatusStateRunning}, {
		State: CommitStatusStateFailed, Ref: new("main"), Name: new("coverage"), TargetURL: new("https://ci.example.com/93"),
		Description: new("too low"), Coverage: new(87.25), PipelineID: new(int64(46)),
	}} {
		status, resp, err := client.Commits.SetStatus(t.Context(), ProjectID(7), commitSHA, options)
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, coverageStatus(t), status)
	}
	_, _, err := client.Commits.SetStatus(t.Context(), ProjectID(7), commitSHA, SetCommitStatusOptions{State: CommitStatusStateFailed})
	require.ErrorIs(t, err, ErrBadRequest)
	assert.ErrorContains(t, err, "Cannot transition")
}

func TestCommitsMergeRequests(t *testing.T) {
	const path = commitPath + "/merge_requests"
	answer := "[" + fixture(t, "merge_requests/merge_request.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: answer},
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5&state=merged", Body: answer},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: answer},
	)
	want := []*MergeRequest{listedMergeRequest(t)}
	for _, options := range []*ListCommitMergeRequestsOptions{nil, {ListOptions: ListOptions{Page: 2, PerPage: 5}, State: MergeRequestStateMerged}} {
		requests, _, err := client.Commits.ListMergeRequests(t.Context(), ProjectID(7), commitSHA, options)
		require.NoError(t, err)
		assert.Equal(t, want, requests)
	}
	requests, err := Collect(client.Commits.AllMergeRequests(t.Context(), ProjectID(7), commitSHA, nil))
	require.NoError(t, err)
	assert.Equal(t, want, requests)
}

func TestCommitsStatusesArguments(t *testing.T) {
	s, ctx := onWire(t).Commits, t.Context()
	failed := func(_ any, _ *Response, err error) error { return err }
	_, statuses := Collect(s.AllStatuses(ctx, ProjectPath("a//b"), commitSHA, nil))
	_, requests := Collect(s.AllMergeRequests(ctx, ProjectID(1), "", nil))
	for name, err := range map[string]error{
		"statuses":           failed(s.ListStatuses(ctx, ProjectID(1), "", nil)),
		"all statuses":       statuses,
		"set status":         failed(s.SetStatus(ctx, ProjectID(1), "..", SetCommitStatusOptions{State: CommitStatusStatePending})),
		"merge requests":     failed(s.ListMergeRequests(ctx, ProjectRef{}, commitSHA, nil)),
		"all merge requests": requests,
	} {
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}
