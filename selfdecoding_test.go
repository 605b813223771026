package serviceapi

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	mr, _, err := client.MergeRequests.Get(t.Context(), ProjectID(7), 1, nil)
	var wrong *DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "/labels/0/color", wrong.Pointer)
	require.NotNil(t, mr)
	assert.Equal(t, []*LabelSummary{{Name: "bug", TextColor: "#000"}, {Name: "big"}}, mr.Labels)
	assert.Equal(t, "T", mr.Title)
}
