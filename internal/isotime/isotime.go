// Package isotime parses the forms of ISO 8601 timestamps that deployments of
// the service send.
package isotime

import (
	"errors"
	"time"
)

// ErrNoTime means that a string is no timestamp. It does not quote the string.
var ErrNoTime = errors.New("not an ISO 8601 timestamp")

// layouts are tried in this order. A fraction of a second may follow each of
// them that has seconds, after a period or a comma.
var layouts = [...]string{
	time.RFC3339,
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05Z07",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"20060102T150405Z0700",
	time.DateOnly,
	"20060102",
}

// spaced are the layouts with a space after the day, which webhooks have.
var spaced = [...]string{"2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05 Z0700"}

// Parse parses a timestamp: extended or basic, with a zone or without one, or a
// day without a time. The default zone is UTC.
func Parse(text string) (time.Time, error) {
	candidates := layouts[:]
	if len(text) > len(time.DateOnly) && text[len(time.DateOnly)] == ' ' {
		candidates = spaced[:]
	}
	for _, layout := range candidates {
		if t, err := time.Parse(layout, text); err == nil {
			return encodable(t)
		}
	}
	return time.Time{}, ErrNoTime // the error of package time would quote the value
}

// encodable returns a time that can be encoded again: the package time accepts +24:00, and
// refuses to encode it.
func encodable(t time.Time) (time.Time, error) {
	const day = 24 * 60 * 60
	if _, offset := t.Zone(); offset <= -day || offset >= day {
		t = t.UTC()
	}
	if year := t.Year(); year < 0 || year > 9999 {
		return time.Time{}, ErrNoTime
	}
	return t, nil
}
