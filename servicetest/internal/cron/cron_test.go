package cron

import (
	"strings"
	"testing"
	"time"
)

const layout = "Mon 2006-01-02 15:04 -0700"

// times returns the next times of an expression, in its zone.
func times(t *testing.T, expression, zone, after string, n int) []string {
	t.Helper()
	location, ok := Zone(zone)
	if !ok {
		t.Fatalf("no zone %q", zone)
	}
	schedule, err := Parse(expression, location)
	if err != nil {
		t.Fatalf("%q: %v", expression, err)
	}
	at, err := time.Parse(time.RFC3339, after)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for range n {
		if at = schedule.Next(at); at.IsZero() {
			return append(found, "never")
		}
		found = append(found, at.Format(layout))
	}
	return found
}

// TestNext: 2026-01-15 is a Thursday.
func TestNext(t *testing.T) {
	const start = "2026-01-15T09:00:00Z"
	for _, test := range []struct {
		expression, zone, after string
		want                    []string
	}{
		{"* * * * *", "UTC", "2026-01-15T09:00:59.9Z", []string{
			"Thu 2026-01-15 09:01 +0000", "Thu 2026-01-15 09:02 +0000",
		}},
		{"0 9 * * *", "UTC", start, []string{"Fri 2026-01-16 09:00 +0000"}},
		{"30 9 * * *", "UTC", start, []string{"Thu 2026-01-15 09:30 +0000"}},
		{"*/25 9 * * *", "UTC", start, []string{
			"Thu 2026-01-15 09:25 +0000", "Thu 2026-01-15 09:50 +0000", "Fri 2026-01-16 09:00 +0000",
		}},
		{"5/25 8-10/2 * * *", "UTC", start, []string{
			"Thu 2026-01-15 10:05 +0000", "Thu 2026-01-15 10:30 +0000", "Thu 2026-01-15 10:55 +0000",
			"Fri 2026-01-16 08:05 +0000",
		}},
		{"0 0 1,15 * *", "UTC", start, []string{"Sun 2026-02-01 00:00 +0000", "Sun 2026-02-15 00:00 +0000"}},
		{"0 0 31 * *", "UTC", start, []string{"Sat 2026-01-31 00:00 +0000", "Tue 2026-03-31 00:00 +0000"}},
		{"0 0 * jan,JUL mon", "UTC", "2026-01-20T00:00:00Z", []string{
			"Mon 2026-01-26 00:00 +0000", "Mon 2026-07-06 00:00 +0000",
		}},
		{"0 0 * 12-2 *", "UTC", "2026-02-28T00:00:00Z", []string{"Tue 2026-12-01 00:00 +0000"}},
		{"0 0 * * 7", "UTC", start, []string{"Sun 2026-01-18 00:00 +0000"}},
		{"0 0 * * 0", "UTC", start, []string{"Sun 2026-01-18 00:00 +0000"}},
		{"0 0 * * 5-7", "UTC", start, []string{
			"Fri 2026-01-16 00:00 +0000", "Sat 2026-01-17 00:00 +0000", "Sun 2026-01-18 00:00 +0000",
		}},
		{"0 0 * * fri-mon", "UTC", "2026-01-17T12:00:00Z", []string{
			"Sun 2026-01-18 00:00 +0000", "Mon 2026-01-19 00:00 +0000", "Fri 2026-01-23 00:00 +0000",
		}},
		{"0 22-1 * * *", "UTC", "2026-01-15T22:00:00Z", []string{
			"Thu 2026-01-15 23:00 +0000", "Fri 2026-01-16 00:00 +0000", "Fri 2026-01-16 01:00 +0000",
			"Fri 2026-01-16 22:00 +0000",
		}},
		// A match of either day is enough if both are limited.
		{"0 0 20 * mon", "UTC", start, []string{
			"Mon 2026-01-19 00:00 +0000", "Tue 2026-01-20 00:00 +0000", "Mon 2026-01-26 00:00 +0000",
		}},
		{"0 0 20 * *", "UTC", start, []string{"Tue 2026-01-20 00:00 +0000", "Fri 2026-02-20 00:00 +0000"}},
		// A step from * does not limit a day.
		{"0 0 */10 * mon", "UTC", start, []string{"Mon 2026-05-11 00:00 +0000"}},
		{"0 0 29 2 *", "UTC", start, []string{"Tue 2028-02-29 00:00 +0000", "Sun 2032-02-29 00:00 +0000"}},
		{"0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", []string{"Fri 2104-02-29 00:00 +0000"}},
		{"0 0 31 2 *", "UTC", start, []string{"never"}},
		{"@hourly", "UTC", start, []string{"Thu 2026-01-15 10:00 +0000"}},
		{"@weekly", "UTC", start, []string{"Sun 2026-01-18 00:00 +0000"}},
		{" @yearly ", "UTC", start, []string{"Fri 2027-01-01 00:00 +0000"}},
		{"0 9 * * *", "Asia/Kolkata", start, []string{"Fri 2026-01-16 09:00 +0530"}},
		{"0 9 * * *", "Pacific Time (US & Canada)", start, []string{"Thu 2026-01-15 09:00 -0800"}},
		{"0 1 1 * *", "Auckland", start, []string{"Sun 2026-02-01 01:00 +1300"}},
		// The hour from 2 to 3 does not exist on 29 March.
		{"30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", []string{
			"Sat 2026-03-28 02:30 +0100", "Mon 2026-03-30 02:30 +0200",
		}},
		{"30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", []string{
			"Sun 2026-03-29 01:30 +0100", "Sun 2026-03-29 03:30 +0200",
		}},
		// The hour from 2 to 3 exists twice on 25 October.
		{"30 2 * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", []string{
			"Sun 2026-10-25 02:30 +0200", "Mon 2026-10-26 02:30 +0100",
		}},
		{"30 */2 * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", []string{
			"Sun 2026-10-25 02:30 +0200", "Sun 2026-10-25 02:30 +0100", "Sun 2026-10-25 04:30 +0100",
		}},
		// Midnight does not exist on 6 September.
		{"0 0 * * *", "America/Santiago", "2026-09-05T05:00:00Z", []string{"Mon 2026-09-07 00:00 -0300"}},
		{"0 1 6 9 *", "America/Santiago", "2026-09-05T05:00:00Z", []string{"Sun 2026-09-06 01:00 -0300"}},
	} {
		got := times(t, test.expression, test.zone, test.after, len(test.want))
		if strings.Join(got, ", ") != strings.Join(test.want, ", ") {
			t.Errorf("%q in %s after %s: %v, want %v", test.expression, test.zone, test.after, got, test.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, expression := range []string{
		"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 13 *",
		"* * * 0 *", "* * * * 8",
		"a * * * *", "-1 * * * *", "+1 * * * *", "1- * * * *", "1-2-3 * * * *", "*/0 * * * *", "*/x * * * *",
		"1,,2 * * * *", "** * * * *",
		"* * L * *", "* * * * mon#1", "mon * * * *", "* * * monday *", "@never", "@hourly 1", "* * 1W * *",
	} {
		if _, err := Parse(expression, time.UTC); err == nil {
			t.Errorf("%q is an expression", expression)
		}
	}
	_, err := Parse("0 0 * * someday", time.UTC)
	if err == nil || err.Error() != `day of the week: "someday" is not from 0 to 7` {
		t.Error(err)
	}
}

// TestZones checks that every offered name is a zone, and that others are not.
func TestZones(t *testing.T) {
	if len(offered) < 140 {
		t.Errorf("%d names", len(offered))
	}
	for name := range offered {
		if _, ok := Zone(name); !ok {
			t.Errorf("%s is no zone", name)
		}
	}
	for _, name := range []string{"", "Local", "Nowhere", "Europe/Nowhere", "../etc/passwd"} {
		if _, ok := Zone(name); ok {
			t.Errorf("%q is a zone", name)
		}
	}
}

// FuzzNext checks that each time is after the one before and matches the expression.
func FuzzNext(f *testing.F) {
	f.Add("*/5 2 * * sun", "Europe/Berlin", int64(1774742400))
	f.Add("0 0 1 1 *", "America/Santiago", int64(1788566400))
	f.Add("59 23 31 12 *", "Pacific/Apia", int64(1325116800))
	f.Add("0 0 30 12 fri", "Pacific/Apia", int64(1325116800))
	f.Fuzz(func(t *testing.T, expression, name string, unix int64) {
		zone, ok := Zone(name)
		if !ok || unix < 0 || unix > 1<<33 {
			return
		}
		s, err := Parse(expression, zone)
		if err != nil {
			return
		}
		at := time.Unix(unix, 0)
		for range 3 {
			next := s.Next(at)
			if next.IsZero() {
				return
			}
			if !next.After(at) || s.minutes>>next.Minute()&1 == 0 || s.hours>>next.Hour()&1 == 0 || !s.onDay(next) {
				t.Fatalf("%q in %s: %v after %v", expression, name, next, at)
			}
			at = next
		}
	})
}
