package isotime

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forms are timestamps and the same times in RFC 3339.
var forms = map[string]string{
	"2026-03-01T10:20:30Z":             "2026-03-01T10:20:30Z",
	"2026-03-01T10:20:30.123+02:00":    "2026-03-01T10:20:30.123+02:00",
	"2026-03-01T10:20:30+0200":         "2026-03-01T10:20:30+02:00",
	"2026-03-01T10:20:30.5-0330":       "2026-03-01T10:20:30.5-03:30",
	"2026-03-01T10:20:30+02":           "2026-03-01T10:20:30+02:00",
	"2026-03-01T10:20:30":              "2026-03-01T10:20:30Z",
	"2026-03-01T10:20:30.25":           "2026-03-01T10:20:30.25Z",
	"2026-03-01T10:20:30,25Z":          "2026-03-01T10:20:30.25Z",
	"2026-03-01T10:20:30.123456789+00": "2026-03-01T10:20:30.123456789+00:00",
	"2026-03-01 10:20:30 +0200":        "2026-03-01T10:20:30+02:00",
	"2026-03-01 10:20:30 UTC":          "2026-03-01T10:20:30Z",
	"2026-03-01 10:20:30.5 UTC":        "2026-03-01T10:20:30.5Z",
	"2026-03-01T10:20Z":                "2026-03-01T10:20:00Z",
	"20260301T102030Z":                 "2026-03-01T10:20:30Z",
	"20260301T102030.75+0200":          "2026-03-01T10:20:30.75+02:00",
	"20260301T102030,75Z":              "2026-03-01T10:20:30.75Z",
	"2026-03-01":                       "2026-03-01T00:00:00Z",
	"20260301":                         "2026-03-01T00:00:00Z",
}

var noTimes = []string{
	"", "soon", "2026", "2026-03", "2026-13-01", "2026-02-30", "2026-3-1", "20260301T", "2026-03-01T", "2026-03-01T1",
	"2026-03-01T10", "2026-03-01T10Z", "2026-03-01T10:", "20260301T10Z",
	"2026-03-01T10:2", "2026-03-01T25:00:00Z", "2026-03-01T24:00:01Z", "2026-03-01T10:60:00Z", "2026-03-01T10:20.5Z",
	"2026-03-01T10:20:30.Z", "2026-03-01T10:20:30+", "2026-03-01T10:20:30+2", "2026-03-01T10:20:30+25:00",
	"2026-03-01T10:20:30Z+02", "2026-03-01T10:20:30 UTC", "2026-03-01 10:20:30 CET", "+2026-03-01", "２０２６-03-01",
	"1772360430",
	"2026-03-01T10:20:30Z ", strings.Repeat("9", 1000),
}

func TestParse(t *testing.T) {
	for text, want := range forms {
		got, err := Parse(text)
		require.NoError(t, err, text)
		wanted, err := time.Parse(time.RFC3339, want)
		require.NoError(t, err)
		assert.True(t, wanted.Equal(got), "%s: %v", text, got)
		_, offset := got.Zone()
		_, wantedOffset := wanted.Zone()
		assert.Equal(t, wantedOffset, offset, text)
	}
	for _, text := range noTimes {
		_, err := Parse(text)
		assert.Equal(t, ErrNoTime, err, text)
	}
}

func FuzzParse(f *testing.F) {
	for text := range forms {
		f.Add(text)
	}
	for _, text := range noTimes {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		strict, strictErr := time.Parse(time.RFC3339, text)
		got, err := Parse(text)
		if strictErr == nil && (err != nil || !got.Equal(strict)) {
			t.Fatalf("%q: %v %v, by RFC 3339 %v", text, got, err, strict)
		}
		if err != nil && !got.IsZero() {
			t.Fatalf("%q: %v with %v", text, got, err)
		}
	})
}
