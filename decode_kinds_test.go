package serviceapi

import (
	stdjson "encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResponsesThatAreNoObject checks that they are an error: a zero struct
// would look like an object.
func TestResponsesThatAreNoObject(t *testing.T) {
	for body, want := range map[string]error{
		"": errEmptyBody, " \r\n": errEmptyBody, "null": errNull, " null ": errNull, "{}": errEmptyObject,
		" { \r\n\t} ": errEmptyObject,
		"<html>":      errNotJSON, " \n<!DOCTYPE": errNotJSON,
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		job, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
		assert.Nil(t, job, "%q", body)
		assert.NotNil(t, resp, "%q", body)
		assert.ErrorIs(t, err, want, "%q", body)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode)
		assert.False(t, decode.Partial)
		assert.Equal(t, body, decode.Excerpt)
	}
	for _, body := range []string{"[}", "x}", `{"id":8`, `{"id":8}x`, "7", `"text"`, "[]"} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		job, _, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
		assert.Nil(t, job, "%q", body)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode, "%q", body)
		for _, other := range []error{errEmptyBody, errEmptyObject, errNotJSON, errNull} {
			assert.NotErrorIs(t, err, other, "%q", body)
		}
	}
	for body, want := range map[string]error{"": errEmptyBody, " ": errEmptyBody, "<": errNotJSON, "null": errNull} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		_, _, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
		assert.ErrorIs(t, err, want, "a list: %q", body)
	}
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, " { } "))
	empty, _, err := Get[map[string]int](t.Context(), client, Route("/x"))
	require.NoError(t, err, "a map may be empty")
	assert.Equal(t, &map[string]int{}, empty)
	client, _ = scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, "{}"))
	_, err = client.Do(t.Context(), "GET", Route("/x"), nil, new(struct{}))
	assert.NoError(t, err, "whoever asks for anything may get an empty object")
}

// TestWrongKindsAreDescribed checks that the error says where a value of the
// wrong kind is, and what was expected, without quoting the value.
func TestWrongKindsAreDescribed(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"id":"secret","name":"x"}`:                   {"/id", "a JSON string does not fit int64"},
		`{"id":8,"name":7}`:                            {"/name", "a JSON number does not fit string"},
		`{"id":8,"allow_failure":"secret","name":"x"}`: {"/allow_failure", "a JSON string does not fit bool"},
		`{"id":8,"user":{"id":true},"name":"x"}`:       {"/user/id", "a JSON boolean does not fit int64"},
		`{"id":8,"tag_list":["a",{}],"name":"x"}`:      {"/tag_list/1", "a JSON object does not fit string"},
		`{"id":[8],"name":"x"}`:                        {"/id", "a JSON array does not fit int64"},
		`{"id":8,"created_at":"secret","name":"x"}`:    {"/created_at", "a JSON string does not fit time.Time"},
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		job, _, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode, body)
		assert.True(t, decode.Partial, body)
		assert.Equal(t, want, [2]string{decode.Pointer, decode.Err.Error()}, body)
		require.NotNil(t, job)
		if want[0] == "/id" {
			assert.Equal(t, "x", job.Name)
		} else {
			assert.EqualValues(t, 8, job.ID)
		}
	}
}

func TestPartialErrors(t *testing.T) {
	assert.False(t, isPartial(nil))
	assert.False(t, isPartial(&DecodeError{}))
	assert.True(t, isPartial(&DecodeError{Partial: true}))
}

// TestMembersOfAResponse checks that the JSON pointer in an error begins at the
// response, whatever part was decoded.
func TestMembersOfAResponse(t *testing.T) {
	a := responseTo(t, "", nil)
	v := struct {
		N int `json:"n"`
	}{N: 7}
	assert.NoError(t, decodeMember(a, "/data", nil, &v), "a member that does not exist changes nothing")
	assert.Equal(t, 7, v.N)
	require.NoError(t, decodeMember(a, "/data", []byte(`{"n":8}`), &v))
	assert.Equal(t, 8, v.N)
	var decode *DecodeError
	require.ErrorAs(t, decodeMember(a, "/data", []byte(`{"n":"x"}`), &v), &decode)
	assert.Equal(t, "/data/n", decode.Pointer)
	assert.True(t, decode.Partial)
	require.ErrorAs(t, decodeMember(a, "/data", []byte(`{"n":`), &v), &decode)
	assert.Equal(t, "/data", decode.Pointer)
	assert.False(t, decode.Partial)
}

// TestSelfDecodingTypesReadBytes checks that common values are decoded without
// a separate decoder, by the number of allocations.
func TestSelfDecodingTypesReadBytes(t *testing.T) {
	var (
		date    Date
		label   LabelSummary
		count   ChangesCount
		issue   IssueID
		decoded = map[string]struct {
			unmarshal   func([]byte) error
			allocations float64
		}{
			`"2026-03-31"`:           {date.UnmarshalJSON, 0},
			`"2026-03-31T10:00:00Z"`: {date.UnmarshalJSON, 0},
			`"bug"`:                  {label.UnmarshalJSON, 1},
			`"Übergröße"`:            {label.UnmarshalJSON, 1},
			`"1000+"`:                {count.UnmarshalJSON, 1},
			`1234567`:                {issue.UnmarshalJSON, 0},
			`"PROJECT-123"`:          {issue.UnmarshalJSON, 1},
		}
	)
	for text, test := range decoded {
		data := []byte(text)
		assert.LessOrEqual(t, testing.AllocsPerRun(100, func() {
			if err := test.unmarshal(data); err != nil {
				t.Fatal(text, err)
			}
		}), test.allocations, text)
	}
}

// TestSelfDecodingTypesReadAnyString checks that the fast path and the slow
// path give the same result.
func TestSelfDecodingTypesReadAnyString(t *testing.T) {
	for data, want := range map[string]string{
		`""`: "", `"a"`: "a", `"a b"`: "a b", ` "a" `: "a", "\n\"a\"": "a", `"ü"`: "ü", `"\u00fc"`: "ü",
		`"a\"b\\c\n"`: "a\"b\\c\n",
		"\"a\xffb\"":  "a\uFFFDb", `"\ud800"`: "\uFFFD", `"a\u0026b"`: "a&b",
	} {
		var label LabelSummary
		require.NoError(t, label.UnmarshalJSON([]byte(data)), data)
		assert.Equal(t, LabelSummary{Name: want}, label, data)
		var id IssueID
		require.NoError(t, id.UnmarshalJSON([]byte(data)), data)
		assert.Equal(t, IssueID{Key: want}, id, data)
		var count ChangesCount
		require.NoError(t, count.UnmarshalJSON([]byte(data)), data)
		assert.Equal(t, ChangesCount(want), count, data)
		var secret Secret
		require.NoError(t, secret.UnmarshalJSON([]byte(data)), data)
		assert.Equal(t, want, secret.Reveal(), data)
	}
	for _, data := range []string{``, `"`, `"a`, `"a"b"`, "\"a\nb\"", `"\x"`, `{`, `[]`, `true`} {
		for _, v := range []interface{ UnmarshalJSON([]byte) error }{new(LabelSummary), new(IssueID), new(ChangesCount),
			new(Date), new(Secret)} {
			assert.Error(t, v.UnmarshalJSON([]byte(data)), "%T of %s", v, data)
		}
	}
	var d Date
	require.NoError(t, json.Unmarshal([]byte(` "2026-03-31" `), &d))
	assert.Equal(t, NewDate(2026, 3, 31), d)
	require.NoError(t, json.Unmarshal([]byte(`"2026-03\u002d31"`), &d))
	assert.Equal(t, NewDate(2026, 3, 31), d)
	for _, bad := range []string{`"2026-02-29"`, `"2026-00-10"`, `"2026-04-31"`, `"2026/04/30"`, `"20a6-04-30"`, `""`,
		`7`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &d), bad)
	}
}

// TestLabelSummaryOfTheWrongKind checks that a member of the wrong kind does
// not affect other members.
func TestLabelSummaryOfTheWrongKind(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/7/merge_requests/1",
			Body: `{"iid":1,"labels":[{"name":"bug","color":5,"text_color":"#000"},"\u0062ig"],"title":"T"}`})
	mr, _, err := client.MergeRequests.Get(t.Context(), ProjectID(7).MergeRequest(1), nil)
	var wrong *DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "/labels/0/color", wrong.Pointer)
	require.NotNil(t, mr)
	assert.Equal(t, []*LabelSummary{{Name: "bug", TextColor: "#000"}, {Name: "big"}}, mr.Labels)
	assert.Equal(t, "T", mr.Title)
}

// TestUnknownMembersSurvive checks decoding and encoding, also with the
// standard library's JSON package.
func TestUnknownMembersSurvive(t *testing.T) {
	const text = `{"change":"visibility","from":20,"target_id":"a/b","ip_address":"10.0.0.1","odd":["x",1],"zoo":null}`
	for name, unmarshal := range map[string]func([]byte, any) error{
		"v1": stdjson.Unmarshal,
		"v2": func(data []byte, v any) error { return json.Unmarshal(data, v) },
	} {
		var d AuditEventDetails
		require.NoError(t, unmarshal([]byte(text), &d), name)
		assert.Equal(t,
			map[string]stdjson.RawMessage{"odd": stdjson.RawMessage(`["x",1]`), "zoo": stdjson.RawMessage("null")},
			d.Extra, name)
		assert.Equal(t, "visibility", d.Change.String(), name)
		for _, marshal := range []func(any) ([]byte, error){stdjson.Marshal,
			func(v any) ([]byte, error) { return json.Marshal(v) }} {
			data, err := marshal(d)
			require.NoError(t, err)
			assert.JSONEq(t, text, string(data), name)
		}
	}
	var d AuditEventDetails
	require.NoError(t, json.Unmarshal([]byte(`null`), &d))
	data, err := json.Marshal(d)
	require.NoError(t, err)
	assert.Equal(t, "{}", string(data))
	d.Extra = map[string]stdjson.RawMessage{"a": stdjson.RawMessage("1")}
	data, err = json.Marshal(d)
	require.NoError(t, err)
	assert.Equal(t, `{"a":1}`, string(data))
	assert.Error(t, json.Unmarshal([]byte(`{"author_name":5,"x":1}`), &d))
	assert.Contains(t, d.Extra, "x", "a member of the wrong type costs no other")
}

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
