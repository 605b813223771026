package servicetest_test

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// TestMovesOfStorages: repositories and wikis move after some seconds. Repositories do
// not change meanwhile.
func TestMovesOfStorages(t *testing.T) {
	svc := servicetest.New(t)
	app, old := svc.Project("acme/app"), svc.Project("acme/old")
	off := svc.Project("acme/off", servicetest.RepositoryStorage("b"))
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	old.Archive()
	move := "POST /project_repository_storage_moves "
	same(t, asked(t, svc, move+`{}`, move+`{"source_storage_name":"b","destination_storage_name":"b"}`,
		move+`{"source_storage_name":"c","destination_storage_name":"default"}`), "400 400 202")
	same(t, spaced(len(svc.StorageMoves())), "0")
	same(t, asked(t, svc, move+`{"source_storage_name":"default"}`, move+`{"source_storage_name":"default"}`),
		"202 202")
	states := func() string {
		var texts []any
		for _, m := range svc.StorageMoves() {
			what := "a wiki"
			if m.Project != nil {
				what = m.Project.Path()
			}
			texts = append(texts, what, m.Source, m.Destination, m.State)
		}
		return spaced(texts...)
	}
	same(t, states(), "acme/app default b scheduled acme/old default b scheduled")
	for _, text := range []string{
		"POST /projects/1/repository/commits {\"branch\":\"main\",\"commit_message\":\"x\"," +
			"\"actions\":[{\"action\":\"create\",\"file_path\":\"b\",\"content\":\"\"}]}",
		"POST /projects/1/repository/commits/main/cherry_pick {\"branch\":\"main\"}",
		"POST /projects/1/repository/commits/main/revert {\"branch\":\"main\"}",
		"POST /projects/1/repository/files/b {\"branch\":\"main\",\"content\":\"\",\"commit_message\":\"x\"}",
		"PUT /projects/1/repository/files/a {\"branch\":\"main\",\"content\":\"\",\"commit_message\":\"x\"}",
		"DELETE /projects/1/repository/files/a {\"branch\":\"main\",\"commit_message\":\"x\"}",
		"POST /projects/1/repository/branches {\"branch\":\"x\",\"ref\":\"main\"}",
		"DELETE /projects/1/repository/branches/x",
		"POST /projects/1/repository/tags {\"tag_name\":\"x\",\"ref\":\"main\"}",
		"DELETE /projects/1/repository/tags/x",
	} {
		words := strings.SplitN(text+"  ", " ", 3)
		refused(t, call(t, svc, words[0], words[1], strings.TrimSpace(words[2])), 403,
			`{"message":"403 Forbidden - the repository is read-only until its move to another storage completes"}`)
	}
	same(t, asked(t, svc, "GET /projects/1/repository/branches/main",
		"POST /projects/3/repository/branches {\"branch\":\"x\",\"ref\":\"main\"}"), "200 201")
	svc.Advance(servicetest.StorageMoveDuration - time.Nanosecond)
	same(t, states(), "acme/app default b scheduled acme/old default b scheduled")
	svc.Advance(time.Nanosecond)
	same(t, states(), "acme/app default b finished acme/old default b failed")
	same(t, spaced(app.Storage(), old.Storage(), off.Storage()), "b default b")
	same(t, asked(t, svc, "POST /projects/1/repository/branches {\"branch\":\"x\",\"ref\":\"main\"}"), "201")
	app.FailNextMove()
	for range 2 {
		same(t, asked(t, svc, move+`{"source_storage_name":"b","destination_storage_name":"c"}`), "202")
		svc.Advance(servicetest.StorageMoveDuration)
	}
	same(t, spaced(app.Storage(), off.Storage()), "c c")
	same(t, states(), "acme/app default b finished acme/old default b failed acme/app b c failed "+
		"acme/off b c finished acme/app b c finished")
}

// TestMovesOfWikisAndSnippets: the wikis of groups move like repositories, and moves of
// snippets are only recorded.
func TestMovesOfWikisAndSnippets(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	svc.Project("acme/app", servicetest.RepositoryStorage("a"))
	same(t, acme.WikiStorage(), "default")
	same(t, asked(t, svc, `POST /group_repository_storage_moves {"source_storage_name":"default"}`), "202")
	same(t, acme.WikiStorage(), "default")
	svc.Advance(servicetest.StorageMoveDuration)
	same(t, acme.WikiStorage(), "a")
	same(t, spaced(len(svc.StorageMoves()), svc.StorageMoves()[0].Group == acme, svc.StorageMoves()[0].State),
		"1 true finished")
	same(t, asked(t, svc, `POST /snippet_repository_storage_moves {"source_storage_name":"x"}`), "202")
	svc.SnippetMoves()[0].Source = "changed" // of the caller's copy
	same(t, spaced(svc.SnippetMoves()), "[{x a}]")
}

// TestMovesOnOneStorage: without another storage, there is nowhere to move to.
func TestMovesOnOneStorage(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	same(t, asked(t, svc, `POST /project_repository_storage_moves {"source_storage_name":"default"}`), "202")
	svc.Advance(servicetest.StorageMoveDuration)
	same(t, spaced(len(svc.StorageMoves()), app.Storage()), "0 default")
}

// TestMergesAndMovesOfStorages: while a repository moves, it takes no merges, and its
// branches are not rebased.
func TestMergesAndMovesOfStorages(t *testing.T) {
	const move = `POST /project_repository_storage_moves {"source_storage_name":"default",` +
		`"destination_storage_name":"b"}`
	const reason = "the repository is read-only until its move to another storage completes"
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	now := app.MergeRequest("now", servicetest.RebaseTakes(servicetest.StorageMoveDuration))
	later := app.MergeRequest("later")
	job := app.Pipeline("later").Job("test", servicetest.Running())
	app.Commit("main", "Go on", servicetest.Write("main.txt", "main\n"))
	head := app.Head("now")
	same(t, asked(t, svc, "PUT /projects/1/merge_requests/2/merge {\"auto_merge\":true}",
		"PUT /projects/1/merge_requests/1/rebase"), "200 202")
	svc.Advance(time.Second)
	same(t, asked(t, svc, move), "202")
	for _, path := range []string{"merge", "rebase"} {
		refused(t, call(t, svc, "PUT", "/projects/1/merge_requests/1/"+path, ""), 403,
			`{"message":"403 Forbidden - `+reason+`"}`)
	}
	job.Succeed()
	same(t, spaced(later.State(), later.MergeError()), "opened Merge failed: "+reason)
	svc.Advance(servicetest.StorageMoveDuration - time.Second)
	same(t, spaced(now.RebaseInProgress(), now.MergeError(), app.Head("now") == head), "false Rebase failed: "+reason+
		" true")
	svc.Advance(time.Second)
	same(t, asked(t, svc, "PUT /projects/1/merge_requests/1/merge", "PUT /projects/1/merge_requests/2/merge"),
		"200 200")
}

// TestMovesToKnownStorages: only names of the instance are taken. An empty one lets the service choose, and
// nobody else says where a move begins.
func TestMovesToKnownStorages(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithStorages("default", "b", "c"))
	app := svc.Project("acme/app")
	svc.Project("acme/c", servicetest.RepositoryStorage("c"))
	svc.Project("acme/b", servicetest.RepositoryStorage("b"))
	refused(t, call(t, svc, "POST", "/project_repository_storage_moves",
		`{"source_storage_name":"x","destination_storage_name":"y"}`), 400, `{"error":"source_storage_name does not `+
		`have a valid value, destination_storage_name does not have a valid value"}`)
	const at = "/projects/1/repository_storage_moves"
	refused(t, call(t, svc, "POST", at, `{"destination_storage_name":"x"}`), 400,
		`{"message":{"destination_storage_name":["is not included in the list"]}}`)
	refused(t, call(t, svc, "POST", at, `{"destination_storage_name":["b"]}`), 400,
		`{"error":"destination_storage_name is invalid"}`)
	same(t, asked(t, svc, "POST "+at+` {"destination_storage_name":"","source_storage_name":"c","state":"failed",`+
		`"error_message":"x","created_at":"2020-01-01"}`), "201")
	moved := svc.StorageMoves()[0]
	same(t, spaced(moved.ID, moved.Project == app, moved.Source, moved.Destination, moved.State),
		"1 true default b scheduled")
	form := into[map[string]any](t, call(t, svc, "GET", at+"/1", ""), 200)
	same(t, spaced(form["error_message"], form["created_at"]), "<nil> 2026-01-15T09:00:00.000Z")
}
