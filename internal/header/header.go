// Package header reads values of HTTP headers: links between pages, waits, rate
// limits, and which part of which version of a content a response has. Names are
// in their canonical form.
package header

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RequestID is the name of the header that identifies a request in the logs of
// the service.
const RequestID = "X-Request-Id"

// First is h.Get for a name in its canonical form.
func First(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// Number returns a number that is not negative, or 0 for everything else.
func Number(h http.Header, name string) int {
	value := First(h, name)
	if value == "" {
		return 0 // without the error that strconv would make
	}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// IsName reports whether a string can be the name of a header.
func IsName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&'*+-.^_`|~", r) &&
			(r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// IsValue reports whether a string can be the value of a header.
func IsValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// Wait returns the wait that a response asks for: Retry-After as seconds or a
// date, or RateLimit-Reset of a 429. It is 0 if the response asks for none, or
// if the time is over.
func Wait(status int, h http.Header) time.Duration {
	wait := retryAfter(First(h, "Retry-After"))
	if wait == 0 && status == http.StatusTooManyRequests {
		wait = time.Until(Time(cmp.Or(First(h, "Ratelimit-Reset"), First(h, "X-Ratelimit-Reset"))))
	}
	return max(0, wait)
}

func retryAfter(value string) time.Duration {
	value = strings.TrimSpace(value)
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return seconds(n)
	}
	t, _ := http.ParseTime(value) // on error, the zero time
	return max(0, time.Until(t))
}

// rateLimits are the headers of a rate limit: those of the service, and those of proxies
// in front of it.
var rateLimits = [...][3]string{
	{"Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset"},
	{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
}

// RateLimit is what the headers of a rate limit say.
type RateLimit struct {
	Limit, Remaining int
	Reset            time.Time
}

// RateLimitOf returns the rate limit that a response reports: zero if it reports none.
func RateLimitOf(h http.Header) RateLimit {
	for i := range rateLimits {
		if names := &rateLimits[i]; len(h[names[0]]) > 0 {
			return RateLimit{Number(h, names[0]), Number(h, names[1]), Time(First(h, names[2]))}
		}
	}
	return RateLimit{}
}

// oldestUnixTime distinguishes a Unix time from a number of seconds to wait.
const oldestUnixTime = 1_000_000_000

// latest is a time that can be written with a year of four digits.
var latest = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)

// Time returns the time that a number of seconds stands for: a Unix time, or
// seconds from now. It is zero for everything else.
func Time(value string) time.Time {
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	switch {
	case err != nil || n <= 0 || n > latest.Unix():
		return time.Time{}
	case n >= oldestUnixTime:
		return time.Unix(n, 0)
	}
	return time.Now().Add(seconds(n))
}

// seconds returns a duration that does not overflow.
func seconds(n int64) time.Duration {
	const longest = int64(1<<63-1) / int64(time.Second)
	return time.Duration(min(max(n, 0), longest)) * time.Second
}
