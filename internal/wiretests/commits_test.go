package wiretests

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"iter"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	commitSHA  = "6104942438c14ec7bd21c6cd5bd995272b3faff6"
	commitPath = "/projects/7/repository/commits/" + commitSHA
)

func sanitizeCommit(t testing.TB) *serviceapi.Commit {
	d := sanitizeDetails(t)
	return &serviceapi.Commit{
		ID: d.ID, ShortID: d.ShortID, Title: d.Title, Message: d.Message, AuthorName: d.AuthorName,
		AuthorEmail:  d.AuthorEmail,
		AuthoredDate: d.AuthoredDate, CommitterName: d.CommitterName, CommitterEmail: d.CommitterEmail,
		CommittedDate: d.CommittedDate,
		CreatedAt:     d.CreatedAt, ParentIDs: d.ParentIDs, WebURL: d.WebURL, Stats: d.Stats,
		Trailers: d.Trailers, ExtendedTrailers: d.ExtendedTrailers,
	}
}

// runningCommit is sanitizeCommit in a response that has the status of the pipeline.
func runningCommit(t testing.TB) *serviceapi.Commit {
	c := sanitizeCommit(t)
	c.Status = serviceapi.PipelineStatusRunning
	return c
}

func sanitizeDetails(t testing.TB) *serviceapi.CommitDetails {
	return &serviceapi.CommitDetails{
		Commit: serviceapi.Commit{
			ID: commitSHA, ShortID: "61049424", Title: "Sanitize the query",
			Message:    "Sanitize the query\n\nSigned-off-by: Ada <ada@example.com>\n",
			AuthorName: "Ada Lovelace", AuthorEmail: "ada@example.com",
			AuthoredDate:  *at(t, "2026-02-20T09:06:12.420+03:00"),
			CommitterName: "Charles Babbage", CommitterEmail: "charles@example.com",
			CommittedDate: *at(t, "2026-02-21T09:06:12.000+03:00"),
			CreatedAt:     *at(t, "2026-02-21T09:06:12.000+03:00"),
			ParentIDs: []string{"ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba",
				"f7d2f8c7a1fd6e2f51d39a2b4b0f8ec8b9c19f21"},
			WebURL:           "https://service.test/acme/app/-/commit/" + commitSHA,
			Stats:            &serviceapi.CommitStats{Additions: 15, Deletions: 10, Total: 25},
			Trailers:         map[string]string{"Signed-off-by": "Ada <ada@example.com>"},
			ExtendedTrailers: map[string][]string{"Signed-off-by": {"Ada <ada@example.com>"}},
			Status:           serviceapi.PipelineStatusRunning,
		},
		ProjectID: 7,
		LastPipeline: &serviceapi.PipelineSummary{
			ID: 8, IID: 3, ProjectID: 7, Source: "push", Ref: "main", SHA: commitSHA, Status: "created",
			CreatedAt: at(t, "2026-02-21T09:07:00Z"), UpdatedAt: at(t, "2026-02-21T09:08:00Z"),
			WebURL: "https://service.test/acme/app/-/pipelines/8",
		},
	}
}

func TestCommitsGet(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: commitPath, Fixture: "commits/commit.json"},
		exchange{
			Method: "GET", Path: "/projects/acme%2Fapp/repository/commits/feature%2Fquery", Query: "stats=false",
			Body: `{"id":"` + commitSHA + `","status":null,"last_pipeline":null,"parent_ids":[]}`,
		},
	)
	commit, resp, err := client.Commits.Get(t.Context(), serviceapi.ProjectID(7), commitSHA, nil)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, sanitizeDetails(t), commit)

	commit, _, err = client.Commits.Get(t.Context(), serviceapi.ProjectPath("acme/app"), "feature/query",
		&serviceapi.GetCommitOptions{Stats: new(false)})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CommitDetails{Commit: serviceapi.Commit{ID: commitSHA, ParentIDs: []string{}}}, commit)
}

func TestCommitsList(t *testing.T) {
	every := "all=true&author=ada%40example.com&first_parent=true&order=topo&page=2&path=docs%2Findex.md" +
		"&per_page=50&ref_name=v1.0..main" +
		"&since=2026-01-02T03%3A04%3A05.000000006Z&trailers=true&until=2026-02-03T04%3A05%3A06%2B02%3A00" +
		"&with_stats=true"
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/7/repository/commits", Body: "[" + fixture(t, "commits/commit.json") +
			"]"},
		exchange{Method: "GET", Path: "/projects/7/repository/commits", Query: every, Body: "[]"},
		exchange{Method: "GET", Path: "/projects/7/repository/commits", Query: "per_page=100&ref_name=main",
			Body: `[{"id":"a"},{"id":"b"}]`},
	)
	commits, _, err := client.Commits.List(t.Context(), serviceapi.ProjectID(7), nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Commit{runningCommit(t)}, commits)

	_, _, err = client.Commits.List(t.Context(), serviceapi.ProjectID(7), &serviceapi.ListCommitsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 50}, RefName: "v1.0..main",
		Since:  time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
		Until:  time.Date(2026, 2, 3, 4, 5, 6, 0, time.FixedZone("", 7200)),
		Author: "ada@example.com", Path: "docs/index.md", All: true, WithStats: true, FirstParent: true,
		Order: serviceapi.CommitOrderTopology, Trailers: true,
	})
	require.NoError(t, err)

	commits, err = serviceapi.Collect(
		client.Commits.All(t.Context(), serviceapi.ProjectID(7), &serviceapi.ListCommitsOptions{RefName: "main"}),
	)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Commit{{ID: "a"}, {ID: "b"}}, commits)
}

func TestCommitsCreate(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: "/projects/7/repository/commits", Status: 201, Fixture: "commits/commit.json",
			JSON: `{
				"branch": "feature", "commit_message": "Rework", "start_branch": "main", "start_sha": "0ff3ae19",
				"start_project": "acme/base", "author_email": "ada@example.com", "author_name": "Ada",
				"stats": false, "force": true,
				"actions": [
					{"action": "create", "file_path": "empty", "content": ""},
					{"action": "create", "file_path": "logo.png", "content": "iVD/AA==", "encoding": "base64"},
					{"action": "update", "file_path": "a.txt", "content": "Grüße\n", "last_commit_id": "570e7b2a"},
					{"action": "move", "file_path": "new.txt", "previous_path": "old.txt"},
					{"action": "move", "file_path": "clear.txt", "previous_path": "full.txt", "content": ""},
					{"action": "delete", "file_path": "gone.txt"},
					{"action": "chmod", "file_path": "run.sh", "execute_filemode": true}
				]
			}`,
		},
		exchange{
			Method: "POST", Path: "/projects/7/repository/commits", Status: 201, Fixture: "commits/commit.json",
			JSON: `{"branch": "main", "commit_message": "Rework", "start_project": 3,
				"actions": [{"action":"delete","file_path":"old.go"}]}`,
		},
	)
	commit, resp, err := client.Commits.Create(t.Context(), serviceapi.ProjectID(7), serviceapi.CreateCommitOptions{
		Branch: "feature", CommitMessage: "Rework", StartBranch: new("main"), StartSHA: new("0ff3ae19"),
		StartProject: serviceapi.ProjectPath("acme/base"), AuthorEmail: new("ada@example.com"), AuthorName: new("Ada"),
		Stats: new(false), Force: new(true),
		Actions: []serviceapi.CommitAction{
			serviceapi.CreateFileAction("empty", nil),
			serviceapi.CreateFileAction("logo.png", []byte{0x89, 'P', 0xff, 0}),
			serviceapi.UpdateFileAction("a.txt", []byte("Grüße\n")).IfUnchangedSince("570e7b2a"),
			serviceapi.MoveFileAction(serviceapi.FileMove{From: "old.txt", To: "new.txt"}),
			serviceapi.MoveFileAction(serviceapi.FileMove{From: "full.txt", To: "clear.txt"}).WithContent(nil),
			serviceapi.DeleteFileAction("gone.txt"),
			serviceapi.ChmodFileAction("run.sh", true),
		},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, sanitizeDetails(t), commit)

	_, _, err = client.Commits.Create(t.Context(), serviceapi.ProjectID(7),
		serviceapi.CreateCommitOptions{Branch: "main", CommitMessage: "Rework", StartProject: serviceapi.ProjectID(3),
			Actions: []serviceapi.CommitAction{serviceapi.DeleteFileAction("old.go")}})
	require.NoError(t, err)
}

// contentIn returns the content and the encoding in an action.
func contentIn(t *testing.T, action []byte) []any {
	t.Helper()
	var members map[string]any
	require.NoError(t, json.Unmarshal(action, &members))
	return []any{members["content"], members["encoding"]}
}

func TestFileContentEncoding(t *testing.T) {
	for _, text := range []string{"", "plain", "tab\tand\r\nlines\n", "Grüße ✓ \u2028", "\ufeffmarked"} {
		sent, err := json.Marshal(serviceapi.UpdateFileAction("a", []byte(text)))
		require.NoError(t, err)
		assert.Equal(t, []any{text, nil}, contentIn(t, sent), "%q", text)
	}
	for _, binary := range []string{"\x00", "a\xffb", "\x1b[1m", "\u0085", "bell\a"} {
		sent, err := json.Marshal(serviceapi.UpdateFileAction("a", []byte(binary)))
		require.NoError(t, err)
		assert.Equal(t, []any{base64.StdEncoding.EncodeToString([]byte(binary)), "base64"}, contentIn(t, sent), "%q",
			binary)
	}
}

func TestCommitsListRefs(t *testing.T) {
	body := `[{"type":"branch","name":"main"},{"type":"tag","name":"v1.0"}]`
	client := onWire(t,
		exchange{Method: "GET", Path: commitPath + "/refs", Body: body},
		exchange{Method: "GET", Path: commitPath + "/refs", Query: "page=3&per_page=2&type=tag", Body: "[]"},
		exchange{Method: "GET", Path: commitPath + "/refs", Query: "per_page=100&type=all", Body: body},
	)
	refs := []*serviceapi.GitRef{
		{Type: serviceapi.GitRefTypeBranch, Name: "main"},
		{Type: serviceapi.GitRefTypeTag, Name: "v1.0"},
	}
	got, _, err := client.Commits.ListRefs(t.Context(), serviceapi.ProjectID(7), commitSHA, nil)
	require.NoError(t, err)
	assert.Equal(t, refs, got)
	_, _, err = client.Commits.ListRefs(
		t.Context(),
		serviceapi.ProjectID(7),
		commitSHA,
		&serviceapi.ListCommitRefsOptions{
			ListOptions: serviceapi.ListOptions{Page: 3, PerPage: 2},
			Type:        serviceapi.GitRefTypeTag,
		},
	)
	require.NoError(t, err)
	got, err = serviceapi.Collect(client.Commits.AllRefs(t.Context(), serviceapi.ProjectID(7), commitSHA,
		&serviceapi.ListCommitRefsOptions{Type: serviceapi.GitRefTypeAll}))
	require.NoError(t, err)
	assert.Equal(t, refs, got)
}

func TestCommitsCherryPick(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: commitPath + "/cherry_pick", JSON: `{"branch":"stable"}`, Status: 201,
			Fixture: "commits/commit.json"},
		exchange{Method: "POST", Path: commitPath + "/cherry_pick", JSON: `{"branch":"stable","message":""}`,
			Status: 201, Fixture: "commits/commit.json"},
		exchange{Method: "POST", Path: commitPath + "/cherry_pick",
			JSON: `{"branch":"stable","message":"Take it","dry_run":true}`, Body: `{"dry_run":"success"}`},
	)
	commit, _, err := client.Commits.CherryPick(t.Context(), serviceapi.ProjectID(7), commitSHA,
		serviceapi.CherryPickOptions{Branch: "stable"})
	require.NoError(t, err)
	assert.Equal(t, runningCommit(t), commit)
	_, _, err = client.Commits.CherryPick(t.Context(), serviceapi.ProjectID(7), commitSHA,
		serviceapi.CherryPickOptions{Branch: "stable", Message: new("")})
	require.NoError(t, err)
	resp, err := client.Commits.CherryPickDryRun(t.Context(), serviceapi.ProjectID(7), commitSHA,
		serviceapi.CherryPickOptions{Branch: "stable", Message: new("Take it")})
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
}

func TestCommitsRevert(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: commitPath + "/revert", JSON: `{"branch":"stable"}`, Status: 201,
			Fixture: "commits/commit.json"},
		exchange{Method: "POST", Path: commitPath + "/revert", JSON: `{"branch":"stable","dry_run":true}`,
			Body: `{"dry_run":"success"}`},
	)
	commit, _, err := client.Commits.Revert(
		t.Context(),
		serviceapi.ProjectID(7),
		commitSHA,
		serviceapi.RevertOptions{Branch: "stable"},
	)
	require.NoError(t, err)
	assert.Equal(t, runningCommit(t), commit)
	_, err = client.Commits.RevertDryRun(
		t.Context(),
		serviceapi.ProjectID(7),
		commitSHA,
		serviceapi.RevertOptions{Branch: "stable"},
	)
	require.NoError(t, err)
}

// changesetCalls are the four calls that a changeset can refuse.
func changesetCalls(t *testing.T, c *serviceapi.Client) map[string]func() error {
	return map[string]func() error{
		"cherry_pick": func() error {
			_, _, err := c.Commits.CherryPick(
				t.Context(),
				serviceapi.ProjectID(7),
				commitSHA,
				serviceapi.CherryPickOptions{Branch: "b"},
			)
			return err
		},
		"cherry_pick dry": func() error {
			_, err := c.Commits.CherryPickDryRun(
				t.Context(),
				serviceapi.ProjectID(7),
				commitSHA,
				serviceapi.CherryPickOptions{Branch: "b"},
			)
			return err
		},
		"revert": func() error {
			_, _, err := c.Commits.Revert(
				t.Context(),
				serviceapi.ProjectID(7),
				commitSHA,
				serviceapi.RevertOptions{Branch: "b"},
			)
			return err
		},
		"revert dry": func() error {
			_, err := c.Commits.RevertDryRun(
				t.Context(),
				serviceapi.ProjectID(7),
				commitSHA,
				serviceapi.RevertOptions{Branch: "b"},
			)
			return err
		},
	}
}

func TestChangesetErrors(t *testing.T) {
	calls := changesetCalls(t, nil)
	for name := range calls {
		for _, code := range []serviceapi.ErrorCode{serviceapi.ErrorCodeEmpty, serviceapi.ErrorCodeConflict} {
			t.Run(name+" "+string(code), func(t *testing.T) {
				path, body := commitPath+"/cherry_pick", `{"branch":"b"}`
				if name[0] == 'r' {
					path = commitPath + "/revert"
				}
				if name[len(name)-1] == 'y' {
					body = `{"branch":"b","dry_run":true}`
				}
				client := onWire(t, exchange{
					Method: "POST", Path: path, JSON: body, Status: 400,
					Body: `{"message":"Sorry, we cannot apply this commit.","error_code":"` + string(code) + `"}`,
				})
				err := changesetCalls(t, client)[name]()
				var refused *serviceapi.ChangesetError
				require.ErrorAs(t, err, &refused)
				assert.Equal(t, code, refused.Code)
				assert.Equal(t, "Sorry, we cannot apply this commit.", refused.Err.Message)
				assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
				assert.ErrorContains(t, err, "("+string(code)+")")
			})
		}
	}
}

func TestOtherRefusalsAreNoChangesetErrors(t *testing.T) {
	for _, body := range []string{`{"message":"404 Branch Not Found"}`, `{"message":"no","error_code":"other"}`} {
		client := onWire(t, exchange{Method: "POST", Path: commitPath + "/revert", JSON: `{"branch":"b"}`, Status: 404,
			Body: body})
		err := changesetCalls(t, client)["revert"]()
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		_, isChangeset := errors.AsType[*serviceapi.ChangesetError](err)
		assert.False(t, isChangeset)
	}
}

func TestCommitsListDiffs(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: commitPath + "/diff", Fixture: "commits/diff.json"},
		exchange{Method: "GET", Path: commitPath + "/diff", Query: "page=2&unidiff=true", Body: "[]"},
		exchange{Method: "GET", Path: commitPath + "/diff", Query: "per_page=100", Fixture: "commits/diff.json"},
	)
	want := []*serviceapi.CommitDiff{
		{
			Diff: "@@ -71,2 +71,3 @@\n sudo\n+-H\n make\n", NewPath: "doc/update.md", OldPath: "doc/upgrade.md",
			AMode: "100644", BMode: "100755", RenamedFile: true,
		},
		{Diff: "@@ -0,0 +1 @@\n+x\n", NewPath: "x", OldPath: "x", BMode: "100644", NewFile: true},
		{NewPath: "gone.png", OldPath: "gone.png", AMode: "100644", BMode: "0", DeletedFile: true, Collapsed: true,
			TooLarge: true, GeneratedFile: new(true)},
	}
	checkLists(t, want,
		func(o *serviceapi.ListOptions) ([]*serviceapi.CommitDiff, *serviceapi.Response, error) {
			if o == nil {
				return client.Commits.ListDiffs(t.Context(), serviceapi.ProjectID(7), commitSHA, nil)
			}
			return client.Commits.ListDiffs(t.Context(), serviceapi.ProjectID(7), commitSHA,
				&serviceapi.ListCommitDiffsOptions{ListOptions: *o, Unidiff: true})
		},
		client.Commits.AllDiffs(t.Context(), serviceapi.ProjectID(7), commitSHA, nil))
}

// checkLists expects a list, an empty second page, and a walk of the list.
func checkLists[T any](
	t *testing.T,
	want []*T,
	page func(*serviceapi.ListOptions) ([]*T, *serviceapi.Response, error),
	every iter.Seq2[*T, error],
) {
	t.Helper()
	got, _, err := page(nil)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = page(&serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Empty(t, got)
	got, err = serviceapi.Collect(every)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestCommitsListComments(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: commitPath + "/comments", Fixture: "commits/comments.json"},
		exchange{Method: "GET", Path: commitPath + "/comments", Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: commitPath + "/comments", Query: "per_page=100",
			Fixture: "commits/comments.json"},
	)
	want := []*serviceapi.CommitComment{
		{
			Note: "Nice picture!", Path: "doc/update.md", Line: new(72), LineType: serviceapi.LineTypeNew,
			CreatedAt: at(t, "2026-02-22T10:00:00.100Z"),
			Author: &serviceapi.NoteAuthor{
				UserSummary: serviceapi.UserSummary{ID: 11, Name: "Ada Lovelace", Username: "ada", State: "active"},
				Email:       "ada@example.com", CreatedAt: at(t, "2025-12-21T13:14:24.077Z"),
			},
		},
		{Note: "And this?"},
	}
	checkLists(t, want,
		func(o *serviceapi.ListOptions) ([]*serviceapi.CommitComment, *serviceapi.Response, error) {
			return client.Commits.ListComments(t.Context(), serviceapi.ProjectID(7), commitSHA, o)
		},
		client.Commits.AllComments(t.Context(), serviceapi.ProjectID(7), commitSHA, nil))
}

func TestCommitsCreateComment(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "POST", Path: commitPath + "/comments", Status: 201, Fixture: "commits/comment.json",
			JSON: `{"note":"Nice picture!","path":"doc/update.md","line":7200,"line_type":"old"}`,
		},
		exchange{Method: "POST", Path: commitPath + "/comments", Status: 201, Fixture: "commits/comment.json",
			JSON: `{"note":"Nice picture!"}`},
	)
	want := &serviceapi.CommitComment{
		Note: "Nice picture!", CreatedAt: at(t, "2026-02-22T10:00:00.100Z"),
		Author: &serviceapi.NoteAuthor{
			UserSummary: serviceapi.UserSummary{ID: 11, Name: "Ada Lovelace", Username: "ada", State: "active",
				WebURL: "https://service.test/ada", AvatarURL: "https://service.test/ada.png"},
		},
	}
	for _, options := range []serviceapi.CreateCommitCommentOptions{
		{Note: "Nice picture!", Path: new("doc/update.md"), Line: new(7200), LineType: new(serviceapi.LineTypeOld)},
		{Note: "Nice picture!"},
	} {
		comment, _, err := client.Commits.CreateComment(t.Context(), serviceapi.ProjectID(7), commitSHA, options)
		require.NoError(t, err)
		assert.Equal(t, want, comment)
	}
}

func TestCommitsRefuseBadArguments(t *testing.T) {
	client := onWire(t)
	for _, sha := range []string{"", "..", "a/../b", "//", "main\n"} {
		for name, call := range map[string]func() error{
			"get": func() error {
				_, _, err := client.Commits.Get(t.Context(), serviceapi.ProjectID(7), sha, nil)
				return err
			},
			"refs": func() error {
				_, _, err := client.Commits.ListRefs(t.Context(), serviceapi.ProjectID(7), sha, nil)
				return err
			},
			"diff": func() error {
				_, err := serviceapi.Collect(client.Commits.AllDiffs(t.Context(), serviceapi.ProjectID(7), sha, nil))
				return err
			},
			"comment": func() error {
				_, _, err := client.Commits.ListComments(t.Context(), serviceapi.ProjectID(7), sha, nil)
				return err
			},
			"revert": func() error {
				_, _, err := client.Commits.Revert(t.Context(), serviceapi.ProjectID(7), sha,
					serviceapi.RevertOptions{Branch: "b"})
				return err
			},
		} {
			var argument *serviceapi.ArgumentError
			assert.ErrorAs(t, call(), &argument, "%s %q", name, sha)
		}
	}
	_, _, err := client.Commits.List(t.Context(), serviceapi.ProjectID(0), nil)
	var argument *serviceapi.ArgumentError
	assert.ErrorAs(t, err, &argument)
}

// coverageStatus is commits/status.json.
func coverageStatus(t testing.TB) *serviceapi.CommitStatus {
	return &serviceapi.CommitStatus{
		ID: 93, SHA: commitSHA, Ref: "main", Status: serviceapi.CommitStatusStateFailed, Name: "coverage",
		TargetURL: "https://ci.example.com/93", Description: "too low",
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), StartedAt: at(t, "2026-03-01T10:00:05.123Z"),
		FinishedAt:   at(t, "2026-03-01T10:02:07.500Z"),
		AllowFailure: true, Coverage: new(87.25), Author: &adaWithPicture, PipelineID: 46,
	}
}

func TestCommitsStatuses(t *testing.T) {
	const path = commitPath + "/statuses"
	const plain = `{"id":94,"sha":"` + commitSHA + `","ref":null,"status":"pending","name":"default",` +
		`"target_url":null,"description":null,"coverage":null,"author":null}`
	reply := "[" + fixture(t, "commits/status.json") + "," + plain + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: reply},
		exchange{Method: "GET", Path: path, Query: "all=true&name=coverage&order_by=pipeline_id&page=2&per_page=5" +
			"&pipeline_id=46&ref=main&sort=desc&stage=test", Body: reply},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: reply},
	)
	want := []*serviceapi.CommitStatus{
		coverageStatus(t),
		{ID: 94, SHA: commitSHA, Status: serviceapi.CommitStatusStatePending,
			Name: "default"},
	}
	s, ctx := client.Commits, t.Context()
	for _, options := range []*serviceapi.ListCommitStatusesOptions{nil, {
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Ref: "main", Stage: "test", Name: "coverage",
		All:        true,
		PipelineID: 46,
		OrderBy:    serviceapi.CommitStatusOrderByPipelineID, Sort: serviceapi.SortDescending,
	}} {
		statuses, _, err := s.ListStatuses(ctx, serviceapi.ProjectID(7), commitSHA, options)
		require.NoError(t, err)
		assert.Equal(t, want, statuses)
	}
	statuses, err := serviceapi.Collect(s.AllStatuses(ctx, serviceapi.ProjectID(7), commitSHA, nil))
	require.NoError(t, err)
	assert.Equal(t, want, statuses)
}

func TestCommitsSetStatus(t *testing.T) {
	const path = "/projects/7/statuses/" + commitSHA
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{"state":"running"}`, Status: 201, Fixture: "commits/status.json"},
		exchange{
			Method: "POST", Path: path, Status: 201, Fixture: "commits/status.json",
			JSON: `{"state":"failed","ref":"main","name":"coverage","target_url":"https://ci.example.com/93",` +
				`"description":"too low","coverage":87.25,"pipeline_id":46}`,
		},
		exchange{Method: "POST", Path: path, JSON: `{"state":"failed"}`, Status: 400,
			Body: `{"message":"Cannot transition status via :drop from :failed"}`},
	)
	for _, options := range []serviceapi.SetCommitStatusOptions{{State: serviceapi.CommitStatusStateRunning}, {
		State: serviceapi.CommitStatusStateFailed, Ref: new("main"), Name: new("coverage"),
		TargetURL:   new("https://ci.example.com/93"),
		Description: new("too low"), Coverage: new(87.25), PipelineID: new(int64(46)),
	}} {
		status, resp, err := client.Commits.SetStatus(t.Context(), serviceapi.ProjectID(7), commitSHA, options)
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, coverageStatus(t), status)
	}
	_, _, err := client.Commits.SetStatus(t.Context(), serviceapi.ProjectID(7), commitSHA,
		serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStateFailed})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Cannot transition")
}

func TestCommitsMergeRequests(t *testing.T) {
	const path = commitPath + "/merge_requests"
	reply := "[" + fixture(t, "merge_requests/merge_request.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: reply},
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5&state=merged", Body: reply},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: reply},
	)
	want := []*serviceapi.MergeRequest{listedMergeRequest(t)}
	for _, options := range []*serviceapi.ListCommitMergeRequestsOptions{nil,
		{ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5},
			State: serviceapi.MergeRequestStateMerged}} {
		requests, _, err := client.Commits.ListMergeRequests(t.Context(), serviceapi.ProjectID(7), commitSHA, options)
		require.NoError(t, err)
		assert.Equal(t, want, requests)
	}
	requests, err := serviceapi.Collect(
		client.Commits.AllMergeRequests(t.Context(), serviceapi.ProjectID(7), commitSHA, nil),
	)
	require.NoError(t, err)
	assert.Equal(t, want, requests)
}

func TestCommitsStatusesArguments(t *testing.T) {
	s, ctx := onWire(t).Commits, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, statuses := serviceapi.Collect(s.AllStatuses(ctx, serviceapi.ProjectPath("a//b"), commitSHA, nil))
	_, requests := serviceapi.Collect(s.AllMergeRequests(ctx, serviceapi.ProjectID(1), "", nil))
	for name, err := range map[string]error{
		"statuses":     failed(s.ListStatuses(ctx, serviceapi.ProjectID(1), "", nil)),
		"all statuses": statuses,
		"set status": failed(s.SetStatus(ctx, serviceapi.ProjectID(1), "..",
			serviceapi.SetCommitStatusOptions{State: serviceapi.CommitStatusStatePending})),
		"merge requests":     failed(s.ListMergeRequests(ctx, serviceapi.ProjectRef{}, commitSHA, nil)),
		"all merge requests": requests,
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}

func TestCommitsGetSignature(t *testing.T) {
	const path = commitPath + "/signature"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "commits/signature_pgp.json"},
		exchange{Method: "GET", Path: path, Fixture: "commits/signature_x509.json"},
		exchange{Method: "GET", Path: path, Fixture: "commits/signature_ssh.json"},
		exchange{Method: "GET", Path: "/projects/7/repository/commits/rel%2F1/signature", Status: 404,
			Body: `{"message":"404 GPG Signature Not Found"}`})
	s, ctx := client.Commits, t.Context()
	for _, want := range []*serviceapi.CommitSignature{
		{
			SignatureType: serviceapi.SignatureTypePGP, VerificationStatus: serviceapi.SignatureStatusUnverifiedKey,
			CommitSource: "storage",
			GPGKeyID:     new(int64(1)), GPGKeyPrimaryKeyID: "8254AAB3FBD54AC9", GPGKeySubkeyID: "8254AAB3FBD54ACA",
			GPGKeyUserName: "Ada Lovelace", GPGKeyUserEmail: "ada@example.com",
		},
		{
			SignatureType: serviceapi.SignatureTypeX509, VerificationStatus: serviceapi.SignatureStatusVerified,
			CommitSource: "storage",
			X509Certificate: &serviceapi.X509Certificate{
				ID: 1, Subject: "CN=Ada", SubjectKeyIdentifier: "BC:BC", Email: "ada@example.com",
				SerialNumber:      "278969561018901340486471282831158785578",
				CertificateStatus: serviceapi.CertificateStatusRevoked,
				X509Issuer: &serviceapi.X509Issuer{
					ID: 2, Subject: "CN=CA", SubjectKeyIdentifier: "AB:AB", CRLURL: "http://ca.test/ca.crl",
				},
			},
		},
		{
			SignatureType: serviceapi.SignatureTypeSSH, VerificationStatus: serviceapi.SignatureStatusVerified,
			CommitSource: "storage",
			Key: &serviceapi.SSHKey{
				ID: 11, Title: "Laptop", Key: "ssh-ed25519 AAAA", CreatedAt: *at(t, "2025-12-21T13:14:24.077Z"),
				ExpiresAt: at(t, "2027-12-21T13:14:24.077Z"), UsageType: serviceapi.SSHKeyUsageAuthAndSigning,
			},
		},
	} {
		signature, _, err := s.GetSignature(ctx, serviceapi.ProjectID(7), commitSHA)
		require.NoError(t, err)
		assert.Equal(t, want, signature)
	}
	_, _, err := s.GetSignature(ctx, serviceapi.ProjectID(7), "rel/1")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestCommitsGetSignatureArguments(t *testing.T) {
	s, ctx := onWire(t).Commits, t.Context()
	assertRefused(t, "id", errorOf(s.GetSignature(ctx, serviceapi.ProjectRef{}, commitSHA)))
	assertRefused(t, "sha", errorOf(s.GetSignature(ctx, serviceapi.ProjectID(7), "")))
}

func TestSerialNumber(t *testing.T) {
	for data, want := range map[string]string{
		`278969561018901340486471282831158785578`: "278969561018901340486471282831158785578", `0`: "0",
		`"bc:01"`: "bc:01", `"7"`: "7", `null`: "",
	} {
		n := serviceapi.SerialNumber("before")
		require.NoError(t, n.UnmarshalJSON([]byte(data)), data)
		assert.Equal(t, serviceapi.SerialNumber(want), n, data)
	}
	for _, data := range []string{``, `{}`, `1.5`, `-7`, `1e3`, `true`, `007`} {
		assert.Error(t, new(serviceapi.SerialNumber).UnmarshalJSON([]byte(data)), data)
	}
	for n, want := range map[serviceapi.SerialNumber]string{
		"27896956101890134048": "27896956101890134048", "bc:01": `"bc:01"`, "": `""`, "007": `"007"`,
	} {
		data, err := json.Marshal(n)
		require.NoError(t, err)
		assert.Equal(t, want, string(data))
	}
}

func TestCommitsGetSequence(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: "/projects/acme%2Fapp/repository/commits/a%20b/sequence",
			Query:   "first_parent=true",
			Fixture: "commits/sequence.json",
		},
	)
	got, _, err := client.Commits.GetSequence(t.Context(), serviceapi.ProjectPath("acme/app"), "a b",
		&serviceapi.GetCommitSequenceOptions{FirstParent: true})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CommitSequence{Count: 8}, got)
}
