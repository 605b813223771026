package serviceapi

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIssuesSubscriptions(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: issuePath + "/subscribe", Status: 201, Fixture: "issues/issue.json"},
		exchange{Method: "POST", Path: issuePath + "/subscribe", Status: 304},
		exchange{Method: "POST", Path: issuePath + "/unsubscribe", Status: 201, Fixture: "issues/issue.json"},
		exchange{Method: "POST", Path: issuePath + "/unsubscribe", Status: 304},
		exchange{Method: "POST", Path: issuePath + "/subscribe", Status: 404, Body: `{"message":"404 Not found"}`},
		exchange{Method: "POST", Path: issuePath + "/unsubscribe", Status: 404, Body: `{"message":"404 Not found"}`})
	s, ctx, app := client.Issues, t.Context(), ProjectPath("acme/app")
	for _, want := range []*IssueSubscription{{Issue: wholeIssue(t)}, {Unchanged: true}} {
		got, _, err := s.Subscribe(ctx, app, 6)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, want := range []*IssueSubscription{{Issue: wholeIssue(t)}, {Unchanged: true}} {
		got, _, err := s.Unsubscribe(ctx, app, 6)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	got, _, err := s.Subscribe(ctx, app, 6)
	require.ErrorIs(t, err, ErrNotFound)
	assert.Nil(t, got)
	got, _, err = s.Unsubscribe(ctx, app, 6)
	require.ErrorIs(t, err, ErrNotFound)
	assert.Nil(t, got)
}

func TestIssuesRelations(t *testing.T) {
	request, user := `[{"id":84,"iid":14}]`, "["+fixture(t, "users/summary.json")+"]"
	var exchanges []exchange
	for _, list := range []struct{ path, body string }{
		{"/related_merge_requests", request}, {"/closed_by", request}, {"/participants", user},
	} {
		exchanges = append(exchanges,
			exchange{Method: "GET", Path: issuePath + list.path, Body: list.body},
			exchange{Method: "GET", Path: issuePath + list.path, Query: "page=2", Body: "[]"},
			exchange{Method: "GET", Path: issuePath + list.path, Query: "per_page=100", Body: list.body})
	}
	s, ctx, app := onWire(t, exchanges...).Issues, t.Context(), ProjectPath("acme/app")
	requests := []*MergeRequest{{ID: 84, IID: 14}}
	checkLists(t, requests, func(o *ListOptions) ([]*MergeRequest, *Response, error) {
		return s.ListRelatedMergeRequests(ctx, app, 6, o)
	}, s.AllRelatedMergeRequests(ctx, app, 6, nil))
	checkLists(t, requests, func(o *ListOptions) ([]*MergeRequest, *Response, error) {
		return s.ListClosingMergeRequests(ctx, app, 6, o)
	}, s.AllClosingMergeRequests(ctx, app, 6, nil))
	checkLists(t, []*UserSummary{&charlesSummary}, func(o *ListOptions) ([]*UserSummary, *Response, error) {
		return s.ListParticipants(ctx, app, 6, o)
	}, s.AllParticipants(ctx, app, 6, nil))
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
	s, ctx, app := client.Issues, t.Context(), ProjectPath("acme/app")
	issue, _, err := s.GetByID(ctx, 76)
	require.NoError(t, err)
	assert.Equal(t, wholeIssue(t), issue)
	issue, _, err = s.Clone(ctx, app, 6, CloneIssueOptions{ToProjectID: 9})
	require.NoError(t, err)
	assert.Equal(t, wholeIssue(t), issue)
	_, _, err = s.Clone(ctx, app, 6, CloneIssueOptions{ToProjectID: 9, WithNotes: new(true)})
	require.ErrorIs(t, err, ErrBadRequest)
	issue, _, err = s.Reorder(ctx, app, 6, ReorderIssueOptions{MoveAfterID: new(int64(77)), MoveBeforeID: new(int64(75))})
	require.NoError(t, err)
	assert.Equal(t, wholeIssue(t), issue)
	_, _, err = s.Reorder(ctx, app, 6, ReorderIssueOptions{MoveBeforeID: new(int64(75))})
	require.ErrorIs(t, err, ErrUnprocessable)
}

func TestIssuesRelationsArguments(t *testing.T) {
	s, ctx, app := onWire(t).Issues, t.Context(), ProjectID(4)
	failed := func(_ any, _ *Response, err error) error { return err }
	const iid = "issue_iid"
	assertRefused(t, "id", failed(s.GetByID(ctx, 0)))
	assertRefused(t, iid, failed(s.Subscribe(ctx, app, 0)))
	assertRefused(t, iid, failed(s.Unsubscribe(ctx, app, 0)))
	assertRefused(t, iid, failed(s.ListRelatedMergeRequests(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.ListClosingMergeRequests(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.ListParticipants(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.Clone(ctx, app, 0, CloneIssueOptions{ToProjectID: 9})))
	assertRefused(t, "ToProjectID", failed(s.Clone(ctx, app, 6, CloneIssueOptions{})))
	assertRefused(t, iid, failed(s.Reorder(ctx, app, 0, ReorderIssueOptions{MoveAfterID: new(int64(1))})))
}

func TestMergeRequestsUnsubscribe(t *testing.T) {
	path := mergeRequestPath + "/unsubscribe"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "merge_requests/merge_request.json"},
		exchange{Method: "POST", Path: path, Status: 304},
		exchange{Method: "POST", Path: path, Status: 403, Body: `{"message":"403 Forbidden"}`})
	s, ctx, app := client.MergeRequests, t.Context(), ProjectPath("acme/app")
	got, _, err := s.Unsubscribe(ctx, app, 14)
	require.NoError(t, err)
	assert.Equal(t, &MergeRequestSubscription{MergeRequest: wholeMergeRequest(t)}, got)
	got, _, err = s.Unsubscribe(ctx, app, 14)
	require.NoError(t, err)
	assert.Equal(t, &MergeRequestSubscription{Unchanged: true}, got)
	got, _, err = s.Unsubscribe(ctx, app, 14)
	require.ErrorIs(t, err, ErrForbidden)
	assert.Nil(t, got)
}

func TestMergeRequestsGetVersion(t *testing.T) {
	path := mergeRequestPath + "/versions/110"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "merge_requests/version_details.json"},
		exchange{Method: "GET", Path: path, Query: "unidiff=true", Body: `{"id":110,"commits":[],"diffs":[]}`})
	s, ctx, app := client.MergeRequests, t.Context(), ProjectPath("acme/app")
	version, _, err := s.GetVersion(ctx, app, 14, 110, nil)
	require.NoError(t, err)
	const head, base = "8888888888888888888888888888888888888888", "1111111111111111111111111111111111111111"
	assert.Equal(t, &DiffVersion{
		ID: 110, HeadCommitSHA: head, BaseCommitSHA: base, StartCommitSHA: "2222222222222222222222222222222222222222",
		CreatedAt: *at(t, "2026-03-01T08:46:02Z"), MergeRequestID: 84, State: DiffVersionStateCollected, RealSize: "1",
		PatchIDSHA: "3333333333333333333333333333333333333333",
		Commits: []*Commit{{
			ID: head, ShortID: "88888888", Title: "Work", Message: "Work\n",
			AuthorName: "Ada Lovelace", AuthorEmail: "ada@example.com", AuthoredDate: *at(t, "2026-03-01T08:40:00Z"),
			CommitterName: "Ada Lovelace", CommitterEmail: "ada@example.com",
			CommittedDate: *at(t, "2026-03-01T08:41:00Z"), CreatedAt: *at(t, "2026-03-01T08:42:00Z"),
			ParentIDs: []string{base}, WebURL: "https://service.test/acme/app/-/commit/" + head,
			Trailers:         map[string]string{"Signed-off-by": "Ada"},
			ExtendedTrailers: map[string][]string{"Signed-off-by": {"Ada"}},
		}},
		Diffs: []*CommitDiff{new(wholeDiff())},
	}, version)
	version, _, err = s.GetVersion(ctx, app, 14, 110, &GetDiffVersionOptions{Unidiff: true})
	require.NoError(t, err)
	assert.Equal(t, &DiffVersion{ID: 110, Commits: []*Commit{}, Diffs: []*CommitDiff{}}, version)
}

func TestMergeRequestsDownloadRawDiffs(t *testing.T) {
	const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n"
	path := mergeRequestPath + "/raw_diffs"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: diff, AnswerHeader: map[string]string{"Content-Type": "text/plain"}},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Not found"}`})
	s, ctx, app := client.MergeRequests, t.Context(), ProjectPath("acme/app")
	download, _, err := s.DownloadRawDiffs(ctx, app, 14)
	require.NoError(t, err)
	data, err := io.ReadAll(download)
	require.NoError(t, err)
	require.NoError(t, download.Close())
	assert.Equal(t, diff, string(data))
	_, _, err = s.DownloadRawDiffs(ctx, app, 14)
	require.ErrorIs(t, err, ErrNotFound)
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
	s, ctx, app := client.MergeRequests, t.Context(), ProjectPath("acme/app")
	checkLists(t, []*UserSummary{&charlesSummary}, func(o *ListOptions) ([]*UserSummary, *Response, error) {
		return s.ListParticipants(ctx, app, 14, o)
	}, s.AllParticipants(ctx, app, 14, nil))
	want := []*MergeRequestReviewer{{
		User: &charlesSummary, State: ReviewerStateRequestedChanges, CreatedAt: *at(t, "2026-03-01T08:46:02Z"),
	}}
	checkLists(t, want, func(o *ListOptions) ([]*MergeRequestReviewer, *Response, error) {
		return s.ListReviewers(ctx, app, 14, o)
	}, s.AllReviewers(ctx, app, 14, nil))
}

func TestMergeRequestsPeopleArguments(t *testing.T) {
	s, ctx, app := onWire(t).MergeRequests, t.Context(), ProjectID(4)
	failed := func(_ any, _ *Response, err error) error { return err }
	const iid = "merge_request_iid"
	assertRefused(t, iid, failed(s.Unsubscribe(ctx, app, 0)))
	assertRefused(t, iid, failed(s.GetVersion(ctx, app, 0, 1, nil)))
	assertRefused(t, "version_id", failed(s.GetVersion(ctx, app, 1, 0, nil)))
	assertRefused(t, iid, failed(s.DownloadRawDiffs(ctx, app, 0)))
	assertRefused(t, iid, failed(s.ListParticipants(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.ListReviewers(ctx, app, 0, nil)))
}
