package serviceapi

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mergeRequestsPath = "/projects/acme%2Fapp/merge_requests"

func TestMergeRequestsCreate(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: mergeRequestsPath, Status: 201, Fixture: "merge_requests/created.json",
			JSON: `{"source_branch":"new","target_branch":"main","title":"New"}`,
		},
		exchange{
			Method: "POST", Path: mergeRequestsPath, Status: 201, Fixture: "merge_requests/merge_request.json",
			JSON: `{"source_branch":"new","target_branch":"main","title":"Draft: New","target_project_id":9,"description":"d","assignee_id":1,"assignee_ids":[1,2],
				"reviewer_ids":[3],"milestone_id":12,"labels":"bug,urgent","remove_source_branch":true,"squash":false,"allow_collaboration":true,
				"approvals_before_merge":2,"merge_after":"2026-01-01T00:00:00Z"}`,
		})
	s, ctx, app := client.MergeRequests, t.Context(), ProjectPath("acme/app")
	mr, resp, err := s.Create(ctx, app, CreateMergeRequestOptions{SourceBranch: "new", TargetBranch: "main", Title: "New"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &MergeRequestDetails{
		ID: 86, IID: 16, ProjectID: 4, Title: "New", State: MergeRequestStateOpened, SourceBranch: "new", TargetBranch: "main",
		DiffRefs:            &DiffRefs{StartSHA: "2222222222222222222222222222222222222222"},
		DetailedMergeStatus: DetailedMergeStatusPreparing, MergeStatus: MergeStatusUnchecked,
	}, mr)
	mr, _, err = s.Create(ctx, app, CreateMergeRequestOptions{
		SourceBranch: "new", TargetBranch: "main", Title: "Draft: New", TargetProjectID: new(int64(9)), Description: new("d"), AssigneeID: new(int64(1)),
		AssigneeIDs: []int64{1, 2}, ReviewerIDs: []int64{3}, MilestoneID: new(int64(12)), Labels: LabelNames{"bug", "urgent"}, RemoveSourceBranch: new(true),
		Squash: new(false), AllowCollaboration: new(true), ApprovalsBeforeMerge: new(2), MergeAfter: new(january(1)),
	})
	require.NoError(t, err)
	assert.Equal(t, wholeMergeRequest(t), mr)
}

func TestMergeRequestsUpdateAndDelete(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "PUT", Path: mergeRequestPath, Fixture: "merge_requests/merge_request.json",
			JSON: `{"target_branch":"next","title":"t","description":"","assignee_id":0,"assignee_ids":[],"reviewer_ids":[],"milestone_id":0,"labels":"",
				"add_labels":"a","remove_labels":"b,c","state_event":"close","discussion_locked":true,"remove_source_branch":false,"squash":true,
				"allow_collaboration":false,"merge_after":"2026-01-01T00:00:00Z"}`,
		},
		exchange{Method: "PUT", Path: mergeRequestPath, JSON: `{"title":"Ready"}`, Fixture: "merge_requests/merge_request.json"},
		exchange{Method: "DELETE", Path: mergeRequestPath, Status: 204})
	s, ctx, app := client.MergeRequests, t.Context(), ProjectPath("acme/app")
	mr, _, err := s.Update(ctx, app, 14, UpdateMergeRequestOptions{
		TargetBranch: new("next"), Title: new("t"), Description: new(""), AssigneeID: new(int64(0)), AssigneeIDs: []int64{}, ReviewerIDs: []int64{},
		MilestoneID: new(int64(0)), Labels: LabelNames{}, AddLabels: LabelNames{"a"}, RemoveLabels: LabelNames{"b", "c"}, StateEvent: new(StateEventClose),
		DiscussionLocked: new(true), RemoveSourceBranch: new(false), Squash: new(true), AllowCollaboration: new(false), MergeAfter: new(january(1)),
	})
	require.NoError(t, err)
	assert.Equal(t, wholeMergeRequest(t), mr)
	_, _, err = s.Update(ctx, app, 14, UpdateMergeRequestOptions{Title: new("Ready")})
	require.NoError(t, err)
	resp, err := s.Delete(ctx, app, 14)
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
		"with its number": {409, `{"message":["Another open merge request already exists for this source branch: !5"]}`, true, 5, ErrConflict},
		"without":         {409, `{"message":["Another open merge request already exists for this source branch"]}`, true, 0, ErrConflict},
		"with nonsense":   {409, `{"message":["!99999999999999999999"]}`, true, 0, ErrConflict},
		"locked":          {409, `{"message":"409 Conflict: Resource lock"}`, false, 0, ErrConflict},
		"same branches":   {422, `{"message":["Source and target must differ"]}`, false, 0, ErrUnprocessable},
		"invalid":         {400, `{"message":{"title":["can't be blank"]}}`, false, 0, ErrBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			const body = `{"source_branch":"a","target_branch":"b","title":"c"}`
			client := onWire(t,
				exchange{Method: "POST", Path: mergeRequestsPath, JSON: body, Status: test.status, Body: test.body},
				exchange{Method: "PUT", Path: mergeRequestPath, JSON: `{"target_branch":"b"}`, Status: test.status, Body: test.body})
			s, app := client.MergeRequests, ProjectPath("acme/app")
			_, _, err := s.Create(t.Context(), app, CreateMergeRequestOptions{SourceBranch: "a", TargetBranch: "b", Title: "c"})
			_, _, updateErr := s.Update(t.Context(), app, 14, UpdateMergeRequestOptions{TargetBranch: new("b")})
			for _, err := range []error{err, updateErr} {
				require.ErrorIs(t, err, test.is)
				var exists *MergeRequestExistsError
				require.Equal(t, test.exists, errors.As(err, &exists), "%v", err)
				if test.exists {
					assert.Equal(t, test.iid, exists.IID)
					assert.Contains(t, err.Error(), "open")
				}
			}
		})
	}
}

func TestMergeRequestsDiffs(t *testing.T) {
	diff, version, commit := fixture(t, "merge_requests/diff.json"), fixture(t, "merge_requests/version.json"), `{"id":"abc","parent_ids":null}`
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath + "/commits", Body: "[" + commit + "]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/commits", Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/commits", Query: "per_page=100", Body: "[" + commit + "]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/versions", Body: "[" + version + "]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/versions", Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/versions", Query: "per_page=100", Body: "[" + version + "]"},
		exchange{Method: "GET", Path: mergeRequestPath + "/diffs", Query: "page=2&unidiff=true", Body: `[{"diff":"","a_mode":null,"generated_file":null}]`},
		exchange{Method: "GET", Path: mergeRequestPath + "/diffs", Query: "per_page=100", Body: "[" + diff + "]"})
	s, ctx, app := client.MergeRequests, t.Context(), ProjectPath("acme/app")
	checkLists(t, []*Commit{{ID: "abc"}},
		func(o *ListOptions) ([]*Commit, *Response, error) { return s.ListCommits(ctx, app, 14, o) }, s.AllCommits(ctx, app, 14, nil))
	checkLists(t, []*DiffVersion{{
		ID: 110, HeadCommitSHA: "8888888888888888888888888888888888888888", BaseCommitSHA: "1111111111111111111111111111111111111111",
		StartCommitSHA: "2222222222222222222222222222222222222222", CreatedAt: *at(t, "2026-03-01T08:46:02Z"), MergeRequestID: 84,
		State: DiffVersionStateCollected, RealSize: "17", PatchIDSHA: "3333333333333333333333333333333333333333",
	}},
		func(o *ListOptions) ([]*DiffVersion, *Response, error) { return s.ListVersions(ctx, app, 14, o) }, s.AllVersions(ctx, app, 14, nil))
	diffs, _, err := s.ListDiffs(ctx, app, 14, &ListMergeRequestDiffsOptions{ListOptions: ListOptions{Page: 2}, Unidiff: true})
	require.NoError(t, err)
	assert.Equal(t, []*MergeRequestDiff{{}}, diffs)
	diffs, err = Collect(s.AllDiffs(ctx, app, 14, nil))
	require.NoError(t, err)
	assert.Equal(t, []*MergeRequestDiff{{
		Diff: "@@ -1 +1 @@\n-a\n+b\n", OldPath: "a.txt", NewPath: "b.txt", AMode: "100644", BMode: "100755",
		NewFile: true, RenamedFile: true, DeletedFile: true, GeneratedFile: new(true),
	}}, diffs)
}

// wholeDiff is testdata/merge_requests/diff.json.
func wholeDiff() CommitDiff {
	return CommitDiff{
		Diff: "@@ -1 +1 @@\n-a\n+b\n", OldPath: "a.txt", NewPath: "b.txt", AMode: "100644", BMode: "100755",
		NewFile: true, RenamedFile: true, DeletedFile: true,
	}
}

func TestMergeRequestsChanges(t *testing.T) {
	whole := fixture(t, "merge_requests/merge_request.json")
	whole = whole[:len(whole)-2] + `,"overflow":true,"changes":[` + fixture(t, "merge_requests/diff.json") + `]}`
	client := onWire(t,
		exchange{Method: "GET", Path: mergeRequestPath + "/changes", Body: whole},
		exchange{Method: "GET", Path: mergeRequestPath + "/changes", Query: "access_raw_diffs=true&unidiff=true", Body: whole})
	for _, options := range []*GetMergeRequestChangesOptions{nil, {AccessRawDiffs: true, Unidiff: true}} {
		changes, _, err := client.MergeRequests.Changes(t.Context(), ProjectPath("acme/app"), 14, options)
		require.NoError(t, err)
		want := wholeMergeRequest(t)
		want.Changes, want.Overflow = []*CommitDiff{new(wholeDiff())}, new(true)
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
	s, ctx, app := client.MergeRequests, t.Context(), ProjectPath("acme/app")
	checkLists(t, []*Pipeline{new(nightlyEntry(t))},
		func(o *ListOptions) ([]*Pipeline, *Response, error) { return s.ListPipelines(ctx, app, 14, o) }, s.AllPipelines(ctx, app, 14, nil))
	pipeline, _, err := s.CreatePipeline(ctx, app, 14, CreateMergeRequestPipelineOptions{})
	require.NoError(t, err)
	assertPipeline(t, createdPipeline(t), "null", pipeline)
	_, _, err = s.CreatePipeline(ctx, app, 14, CreateMergeRequestPipelineOptions{})
	require.ErrorIs(t, err, ErrMethodNotAllowed)
	for _, status := range []int{202, 200} {
		pipeline, resp, err := s.CreatePipeline(ctx, app, 14, CreateMergeRequestPipelineOptions{Async: new(true)})
		require.NoError(t, err)
		assert.Nil(t, pipeline)
		assert.Equal(t, status, resp.StatusCode)
	}
}

func TestMergeRequestsNewArguments(t *testing.T) {
	s, ctx, app := onWire(t).MergeRequests, t.Context(), ProjectID(4)
	failed := func(_ any, _ *Response, err error) error { return err }
	const iid = "merge_request_iid"
	assertRefused(t, "id", failed(s.Create(ctx, ProjectRef{}, CreateMergeRequestOptions{})))
	assertRefused(t, "options", failed(s.Create(ctx, app, CreateMergeRequestOptions{Labels: LabelNames{"a,b"}})))
	assertRefused(t, iid, failed(s.Update(ctx, app, 0, UpdateMergeRequestOptions{})))
	_, err := s.Delete(ctx, app, 0)
	assertRefused(t, iid, err)
	assertRefused(t, iid, failed(s.ListCommits(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.ListDiffs(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.ListVersions(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.ListPipelines(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.Changes(ctx, app, 0, nil)))
	assertRefused(t, iid, failed(s.CreatePipeline(ctx, app, 0, CreateMergeRequestPipelineOptions{})))
	assertRefused(t, iid, failed(s.CreatePipeline(ctx, app, 0, CreateMergeRequestPipelineOptions{Async: new(true)})))
	_, err = s.WaitUntilPrepared(ctx, app, 0)
	assertRefused(t, iid, err)
	_, err = s.WaitUntilMergeable(ctx, app, 0)
	assertRefused(t, iid, err)
}
