// Package cron computes the times of cron expressions.
//
// An expression has five fields: minute, hour, day of the month, month, and day of the
// week. A field is *, a number, the name of a month or a day of the week, a range, or a
// list of these. Everything but a single number can have a step: "*/15", "9-17/2",
// "mon-fri", "jan,jul". Sunday is 0 or 7, and a range can wrap around, as in "fri-mon".
// If both kinds of days are limited, a match of either is enough. The names @hourly,
// @daily, @midnight, @weekly, @monthly, @yearly and @annually stand for expressions.
// Features of other dialects, such as seconds, L, W and #, are refused.
//
// A time that a change of the clock skips does not occur on that day. A time that
// occurs twice counts once, unless the field of the hour is *, or * with a step.
package cron

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Schedule has the times of an expression in a time zone.
type Schedule struct {
	minutes, hours, days, months, weekdays uint64 // a bit for each value

	anyHour, anyDay, anyWeekday bool // the field begins with *
	zone                        *time.Location
}

var macros = map[string]string{
	"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
	"@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}

var (
	monthNames = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
	dayNames   = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
)

// A field describes the values of one field of an expression. Names stand for the
// numbers from first on.
type field struct {
	name        string
	first, last int
	names       []string
}

// Parse reads an expression. Its times are in the given zone.
func Parse(expression string, zone *time.Location) (*Schedule, error) {
	if full, ok := macros[strings.TrimSpace(expression)]; ok {
		expression = full
	}
	texts := strings.Fields(expression)
	if len(texts) != 5 {
		return nil, fmt.Errorf("%d fields, want 5", len(texts))
	}
	s := &Schedule{zone: zone}
	for i, f := range []struct {
		field
		into *uint64
	}{
		{field{"minute", 0, 59, nil}, &s.minutes}, {field{"hour", 0, 23, nil}, &s.hours},
		{field{"day of the month", 1, 31, nil}, &s.days}, {field{"month", 1, 12, monthNames}, &s.months},
		{field{"day of the week", 0, 7, dayNames}, &s.weekdays},
	} {
		values, err := f.parse(texts[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		*f.into = values
	}
	s.weekdays |= s.weekdays >> 7 & 1 // 7 is Sunday, too
	s.anyHour = strings.HasPrefix(texts[1], "*")
	s.anyDay, s.anyWeekday = strings.HasPrefix(texts[2], "*"), strings.HasPrefix(texts[4], "*")
	return s, nil
}

// parse reads a field.
func (f field) parse(text string) (values uint64, err error) {
	for item := range strings.SplitSeq(text, ",") {
		more, err := f.item(item)
		if err != nil {
			return 0, err
		}
		values |= more
	}
	return values, nil
}

// item reads an item of a list: a value or a range, perhaps with a step.
func (f field) item(text string) (uint64, error) {
	span, stepText, stepped := strings.Cut(text, "/")
	step := 1
	if stepped {
		var err error
		if step, err = strconv.Atoi(stepText); err != nil || step < 1 {
			return 0, fmt.Errorf("%q is no step", stepText)
		}
	}
	from, to := f.first, f.last
	if span != "*" {
		var err error
		first, last, ranged := strings.Cut(span, "-")
		if from, err = f.value(first); err != nil {
			return 0, err
		}
		to = from
		if ranged {
			if to, err = f.value(last); err != nil {
				return 0, err
			}
		} else if stepped {
			to = f.last // 5/15 is 5-59/15
		}
	} else if f.last == 7 {
		to = 6
	}
	return f.bits(from, to, step), nil
}

// bits returns the values of a range, which may wrap around.
func (f field) bits(from, to, step int) (values uint64) {
	size := f.last - f.first + 1
	if f.last == 7 {
		size = 7
	}
	if to < from {
		to += size
	}
	for v := from; v <= to; v += step {
		at := v
		if at > f.last {
			at -= size
		}
		values |= 1 << at
	}
	return values
}

func (f field) value(text string) (int, error) {
	if at := slices.Index(f.names, strings.ToLower(text)); at >= 0 {
		return f.first + at, nil
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < f.first || v > f.last || strings.HasPrefix(text, "+") {
		return 0, fmt.Errorf("%q is not from %d to %d", text, f.first, f.last)
	}
	return v, nil
}

// horizon limits the search for the next time: leap years can be 8 years apart.
const horizon = 9

// Next returns the first time after t, or the zero time if there is none.
func (s *Schedule) Next(t time.Time) time.Time {
	t = t.In(s.zone).Truncate(time.Minute).Add(time.Minute)
	for end := t.Year() + horizon; t.Year() <= end; {
		switch {
		case s.months>>t.Month()&1 == 0:
			t = s.later(t, time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, s.zone))
		case !s.onDay(t):
			t = s.later(t, time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, s.zone))
		case s.hours>>t.Hour()&1 == 0:
			t = t.Add(time.Duration(60-t.Minute()) * time.Minute)
		case s.minutes>>t.Minute()&1 == 0, !s.anyHour && repeated(t):
			t = t.Add(time.Minute)
		default:
			return t
		}
	}
	return time.Time{}
}

// later returns a later midnight. Where midnight does not exist, time.Date may return a
// time before it.
func (s *Schedule) later(t, midnight time.Time) time.Time {
	for !midnight.After(t) || midnight.Hour() == 23 {
		midnight = midnight.Add(time.Hour)
	}
	return midnight
}

func (s *Schedule) onDay(t time.Time) bool {
	day, weekday := s.days>>t.Day()&1 == 1, s.weekdays>>t.Weekday()&1 == 1
	if s.anyDay || s.anyWeekday {
		return day && weekday
	}
	return day || weekday
}

// repeated reports whether the clock showed the same time an hour before.
func repeated(t time.Time) bool {
	before := t.Add(-time.Hour)
	return before.Hour() == t.Hour() && before.Minute() == t.Minute()
}
