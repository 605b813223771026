package serviceapi

import (
	stdjson "encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// isoForms are timestamps and the same times in RFC 3339; package isotime tests
// them all.
var isoForms = map[string]string{
	"2026-03-01T10:20:30.123+02:00": "2026-03-01T10:20:30.123+02:00",
	"2026-03-01T10:20:30.5-0330":    "2026-03-01T10:20:30.5-03:30",
	"2026-03-01T10:20:30":           "2026-03-01T10:20:30Z",
	"20260301T102030Z":              "2026-03-01T10:20:30Z",
	"2026-03-01":                    "2026-03-01T00:00:00Z",
}

var noTimes = []string{"", "soon", "2026-13-01", "2026-03-01T25:00:00Z", "2026-03-01T10:20:30 UTC",
	strings.Repeat("9", 1000)}

// TestTimestampsOfEveryForm checks times everywhere in responses, also in
// objects that decode themselves.
func TestTimestampsOfEveryForm(t *testing.T) {
	for text, want := range isoForms {
		wanted, err := time.Parse(time.RFC3339, want)
		require.NoError(t, err)
		client := onWire(t,
			exchange{Method: "GET", Path: "/projects/7/jobs",
				Body: `[{"id":1,"created_at":"` + text + `","started_at":"` + text + `"},{"id":2,"created_at":null}]`},
			exchange{Method: "GET", Path: "/projects/7/merge_requests/1",
				Body: `{"iid":1,"milestone":{"due_date":"` + text + `"},"labels":["a"]}`},
			exchange{Method: "POST", Path: "/projects/7/issues/1/notes", JSON: `{"body":"x"}`,
				Body: `{"id":3,"body":"x","created_at":"` + text + `"}`},
		)
		jobs, _, err := client.Jobs.List(t.Context(), ProjectID(7), nil)
		require.NoError(t, err, text)
		assert.Equal(t, []*Job{{ID: 1, CreatedAt: &wanted, StartedAt: &wanted}, {ID: 2}}, jobs, text)
		mr, _, err := client.MergeRequests.Get(t.Context(), ProjectID(7).MergeRequest(1), nil)
		require.NoError(t, err, text)
		assert.Equal(t, &Date{wanted}, mr.Milestone.DueDate, text)
		note, _, err := client.Notes.CreateForIssue(t.Context(), ProjectID(7).Issue(1),
			CreateIssueNoteOptions{Body: "x"})
		require.NoError(t, err, text)
		assert.Equal(t, wanted, note.Note.CreatedAt, text)

		var n Nullable[time.Time]
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &n))
		assert.Equal(t, Value(wanted), n, text)
		var d Date
		require.NoError(t, stdjson.Unmarshal([]byte(`"`+text+`"`), &d))
		assert.Equal(t, Date{wanted}, d, text)
	}
}

// TestTimestampsOfNoForm checks that an invalid time affects only its own
// field, even next to unusual forms.
func TestTimestampsOfNoForm(t *testing.T) {
	for _, text := range noTimes {
		client := onWire(t,
			exchange{Method: "GET", Path: "/projects/7/jobs",
				Body: `[{"id":1,"created_at":"2026-03-01","started_at":"` + text +
					`"},{"id":2,"created_at":"20260301","name":"b"}]`})
		jobs, _, err := client.Jobs.List(t.Context(), ProjectID(7), nil)
		var wrong *DecodeError
		require.ErrorAs(t, err, &wrong, text)
		assert.Equal(t, "/0/started_at", wrong.Pointer, text)
		assert.True(t, wrong.Partial, text)
		day := NewDate(2026, 3, 1).Time
		require.Len(t, jobs, 2, text)
		assert.Equal(t, &day, jobs[0].CreatedAt, text)
		assert.Equal(t, &Job{ID: 2, CreatedAt: &day, Name: "b"}, jobs[1], text)
		assert.Error(t, json.Unmarshal([]byte(`"`+text+`"`), new(Date)), text)
	}
	// The error names the first member of the wrong kind, not the first unusual
	// time.
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/7/jobs/1", Body: `{"created_at":"2026-03-01","id":"x"}`})
	_, _, err := client.Jobs.Get(t.Context(), ProjectID(7), 1)
	var wrong *DecodeError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "/id", wrong.Pointer)
	var kind *json.SemanticError
	assert.False(t, errors.As(wrong, &kind), "the error does not quote the response")
}

// TestTimestampsCostNothing checks that times in RFC 3339 need no additional
// allocations.
func TestTimestampsCostNothing(t *testing.T) {
	page := []byte(`[` + strings.Repeat(strings.TrimSpace(fixture(t, "jobs/job.json"))+",", 19) + fixture(t,
		"jobs/job.json") + `]`)
	allocations := func(decode func([]byte, any) error) float64 {
		return testing.AllocsPerRun(20, func() {
			var jobs []*Job
			if err := decode(page, &jobs); err != nil || len(jobs) != 20 {
				t.Fatal(len(jobs), err)
			}
		})
	}
	plain := allocations(func(data []byte, v any) error { return json.Unmarshal(data, v, decodeOptions) })
	assert.Less(t, allocations(unmarshal), 1.1*plain,
		"the race detector makes some more, an option of the decoder a third")
}

// TestNullAmongOddTimes is the zero time, and no error.
func TestNullAmongOddTimes(t *testing.T) {
	got := struct{ A, B time.Time }{B: time.Now()}
	require.NoError(t, unmarshal([]byte(`{"A":"20260301","B":null}`), &got))
	assert.Equal(t, NewDate(2026, 3, 1).Time, got.A)
	assert.Zero(t, got.B)
	assert.Error(t, unmarshal([]byte(`{"A":"20260301","B":5}`), &got))
}

// TestDays that look like one, and are none.
func TestDays(t *testing.T) {
	for _, text := range []string{"2026x03-01", "2026-03x01", "2026-03-00", "2026-00-01", "2026-13-01", "2026-02-29",
		"2026-03-32", "2026-03-0:", "2026-03-0/", "x026-03-01", "-026-03-01"} {
		var d Date
		assert.Error(t, d.UnmarshalText([]byte(text)), text)
		assert.Zero(t, d, text)
	}
	for _, text := range []string{"0000-01-01", "2024-02-29", "2026-09-19", "9999-12-31"} {
		var d Date
		require.NoError(t, d.UnmarshalText([]byte(text)), text)
		assert.Equal(t, text, d.String())
		encoded, err := d.MarshalText()
		require.NoError(t, err)
		assert.Equal(t, text, string(encoded))
		require.NoError(t, d.UnmarshalJSON([]byte("null")))
		assert.Zero(t, d)
		require.NoError(t, d.UnmarshalJSON([]byte(`"\u003`+text[:1]+text[1:]+`"`)))
		assert.Equal(t, text, d.String(), "escaped")
		assert.Error(t, d.UnmarshalJSON([]byte(`"so\u006fn"`)))
	}
	_, err := stdjson.Marshal(Value(math.NaN()))
	assert.Error(t, err, "a value that cannot be encoded")
}

// TestDates checks how a program makes a day of its own.
func TestDates(t *testing.T) {
	east := time.FixedZone("east", 10*3600)
	late := time.Date(2026, 3, 31, 20, 0, 0, 0, time.UTC)
	assert.Equal(t, NewDate(2026, 3, 31), DateOf(late))
	assert.Equal(t, NewDate(2026, 4, 1), DateOf(late.In(east)), "the day of the time's location")
	day, err := ParseDate("2026-03-31")
	require.NoError(t, err)
	assert.Equal(t, NewDate(2026, 3, 31), day)
	for _, bad := range []string{"", "2026-3-31", "2026-02-30", "31.03.2026", "2026-03-31T00:00:00Z"} {
		day, err := ParseDate(bad)
		assert.EqualError(t, err, "serviceapi: date is not a day such as 2026-03-31: "+bad)
		assert.Zero(t, day)
	}
}

// TestEveryDay reads and writes all days of a leap year, and the first one of all.
func TestEveryDay(t *testing.T) {
	days := []string{"0000-01-01", "9999-12-31"}
	for day := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2028; day = day.AddDate(0, 0, 1) {
		days = append(days, day.Format(time.DateOnly))
	}
	require.Len(t, days, 368)
	for _, text := range days {
		var day Date
		var either DateOrTime
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &day), text)
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &either), text)
		assert.Equal(t, text, day.String())
		assert.Equal(t, text, either.String())
		assert.Equal(t, text, day.Format(time.DateOnly))
	}
}
