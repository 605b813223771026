package header

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestHeaderNames tries every byte. RFC 9110 says which ones a token may have.
func TestHeaderNames(t *testing.T) {
	const token = "!#$%&'*+-.^_`|~" +
		"0123456789" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "abcdefghijklmnopqrstuvwxyz"
	for c := range 256 {
		name := string([]byte{'X', byte(c), 'Y'})
		assert.Equal(t, strings.IndexByte(token, byte(c)) >= 0, IsName(name), "%q", name)
	}
	assert.False(t, IsName(""))
	assert.False(t, IsName("X-Größe"))
}

// TestHeaderValues tries every byte. Only control characters other than a tab
// would change what is sent.
func TestHeaderValues(t *testing.T) {
	for c := range 256 {
		value := string([]byte{'a', byte(c), 'b'})
		want := c >= 0x20 && c != 0x7f || c == '\t'
		assert.Equal(t, want, IsValue(value), "%q", value)
	}
	assert.True(t, IsValue(""))
	assert.False(t, IsValue("\r"), "also where it is the first and the last")
}

func TestHeaderNumbers(t *testing.T) {
	for value, want := range map[string]int{
		"0": 0, "1": 1, " 7 ": 7, "+5": 5, "-1": 0, "": 0, "1.5": 0, "x": 0, "99999999999999999999": 0,
		"2147483647": 2147483647,
	} {
		assert.Equal(t, want, Number(http.Header{"X-Page": {value}}, "X-Page"), "%q", value)
	}
	assert.Zero(t, Number(nil, "X-Page"))
	assert.Zero(t, Number(http.Header{"X-Page": {}}, "X-Page"))
	assert.Equal(t, 3, Number(http.Header{"X-Page": {"3", "4"}}, "X-Page"))
}

// TestWait checks every form of a wait, and 0 for invalid ones.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(2 * 365 * 24 * time.Hour)
		in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
		unix := func(d time.Duration) string { return fmt.Sprint(time.Now().Add(d).Unix()) }
		const most = time.Duration(math.MaxInt64 / int64(time.Second) * int64(time.Second))
		for _, tc := range []struct {
			code   int
			header []string
			want   time.Duration
		}{
			{503, nil, 0}, {429, nil, 0},
			{503, []string{"Retry-After", "1"}, time.Second}, {503, []string{"Retry-After", " 5 "}, 5 * time.Second},
			{503, []string{"Retry-After", "+5"}, 5 * time.Second},
			{503, []string{"Retry-After", "0"}, 0}, {503, []string{"Retry-After", "-5"}, 0},
			{503, []string{"Retry-After", "5.5"}, 0}, {503, []string{"Retry-After", "soon"}, 0},
			{503, []string{"Retry-After", "9223372036"}, 9223372036 * time.Second},
			{503, []string{"Retry-After", "9223372037"}, most}, {503, []string{"Retry-After", "9223372036854775807"},
				most},
			{503, []string{"Retry-After", in(90 * time.Second)}, 90 * time.Second},
			{503, []string{"Retry-After", in(-time.Second)}, 0},
			{503, []string{"RateLimit-Reset", "5"}, 0}, {429, []string{"RateLimit-Reset", "5"}, 5 * time.Second},
			{429, []string{"RateLimit-Reset", " 5 "}, 5 * time.Second},
			{429, []string{"RateLimit-Reset", "-5"}, 0}, {429, []string{"RateLimit-Reset", "soon"}, 0},
			{429, []string{"RateLimit-Reset", "0"}, 0},
			{429, []string{"RateLimit-Reset", "99999999999999999999"}, 0},
			{429, []string{"RateLimit-Reset", "999999999"}, 999999999 * time.Second},
			{429, []string{"RateLimit-Reset", "1000000000"}, 0},
			{429, []string{"RateLimit-Reset", unix(45 * time.Second)}, 45 * time.Second},
			{429, []string{"RateLimit-Reset", unix(-45 * time.Second)}, 0},
			{429, []string{"X-RateLimit-Reset", "6"}, 6 * time.Second},
			{429, []string{"RateLimit-Reset", "5", "X-RateLimit-Reset", "6"}, 5 * time.Second},
			{429, []string{"Retry-After", "0", "RateLimit-Reset", "5"}, 5 * time.Second},
			{429, []string{"Retry-After", "4", "RateLimit-Reset", "5"}, 4 * time.Second},
		} {
			h := http.Header{}
			for i := 0; i < len(tc.header); i += 2 {
				h.Add(tc.header[i], tc.header[i+1])
			}
			assert.Equal(t, tc.want, Wait(tc.code, h), "%d %v", tc.code, tc.header)
		}
	})
}

// FuzzWait checks that no header causes a negative wait.
func FuzzWait(f *testing.F) {
	for _, seed := range [][2]string{{"3", ""}, {"", "5"}, {"-1", "1900000000"}, {"Tue, 02 Jan 2035 15:04:05 GMT", ""},
		{"9223372036854775807", "-9223372036854775808"}, {"1e9", "0x10"}} {
		f.Add(seed[0], seed[1], 429)
		f.Add(seed[0], seed[1], 503)
	}
	f.Fuzz(func(t *testing.T, after, reset string, code int) {
		h := http.Header{"Retry-After": {after}, "Ratelimit-Reset": {reset}, "X-Page": {after}}
		wait := Wait(code, h)
		if wait < 0 {
			t.Fatalf("%v for %q and %q", wait, after, reset)
		}
		if wait > 0 && code != http.StatusTooManyRequests && retryAfter(after) == 0 {
			t.Fatalf("nobody asked for %v", wait)
		}
		if Number(h, "X-Page") < 0 || Time(reset).Before(time.Time{}) {
			t.Fatalf("%q", reset)
		}
	})
}
