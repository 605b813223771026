package serviceapi

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNotesWithoutANumber reads notes on what has no number, or no ID.
func TestNotesWithoutANumber(t *testing.T) {
	for name, test := range map[string]struct {
		json string
		want *Note
	}{
		"commit": {`{"id":1,"noteable_type":"Commit","noteable_id":null,"noteable_iid":null,"commit_id":"1f3a"}`,
			&Note{ID: 1, NoteableType: NoteableTypeCommit, CommitID: "1f3a"}},
		"snippet": {`{"id":1,"noteable_type":"Snippet","noteable_id":9,"noteable_iid":null}`,
			&Note{ID: 1, NoteableType: NoteableTypeSnippet, NoteableID: new(int64(9))}},
		"epic": {`{"id":1,"noteable_type":"Epic","noteable_id":0,"noteable_iid":null}`,
			&Note{ID: 1, NoteableType: NoteableTypeEpic, NoteableID: new(int64(0))}},
	} {
		var note Note
		require.NoError(t, unmarshal([]byte(test.json), &note), name)
		assert.Equal(t, test.want, &note, name)
	}
}

// TestMergeRequestsWithoutAFork reads a merge request whose fork is gone, in a list and alone.
func TestMergeRequestsWithoutAFork(t *testing.T) {
	const body = `{"id":1,"iid":7,"source_project_id":null,"target_project_id":4}`
	var listed MergeRequest
	require.NoError(t, unmarshal([]byte(body), &listed))
	assert.Equal(t, MergeRequest{ID: 1, IID: 7, TargetProjectID: 4}, listed)
	var alone MergeRequestDetails
	require.NoError(t, unmarshal([]byte(body), &alone))
	assert.Equal(t, MergeRequestDetails{MergeRequest: MergeRequest{ID: 1, IID: 7, TargetProjectID: 4}}, alone)
}

// TestWhoIsQueued checks which responses are about users who wait for an administrator.
func TestWhoIsQueued(t *testing.T) {
	for body, want := range map[string][]string{
		`{"queued_users":["ada"],"status":"success"}`:      {"ada"},
		`{"queued_users":["ada","bob"]}`:                   {"ada", "bob"},
		`{"queued_users":{"ada":"x"}}`:                     {"ada"},
		`{"queued_users":[]}`:                              nil,
		`{"message":{"ada":"x"}}`:                          {"ada"},
		`{"message":{"ada":"x"},"status":"error"}`:         nil,
		`{"id":7,"username":"ada","message":{"ada":"x"}}`:  nil,
		`{"id":7,"username":"ada","message":{"ada":"x"} }`: nil,
	} {
		var response membershipResponse
		require.NoError(t, unmarshal([]byte(body), &response), body)
		assert.Equal(t, want, slices.Sorted(maps.Keys(response.queued())), body)
	}
}
