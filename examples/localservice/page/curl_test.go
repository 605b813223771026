package page

import (
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCurl(t *testing.T) {
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Add(pairs[i], pairs[i+1])
		}
		return h
	}
	for _, c := range []struct {
		of   servicetest.Request
		want string
	}{
		{servicetest.Request{Method: "GET", Path: "/api/v4/user"}, "'http://s/api/v4/user'"},
		{servicetest.Request{Method: "HEAD", Path: "/"}, "--head 'http://s/'"},
		{servicetest.Request{Method: "GET", Path: "/", Body: []byte("x")},
			"--request 'GET' --data-raw 'x' 'http://s/'"},
		{servicetest.Request{Method: "GET", Path: "/", Query: url.Values{"scope[]": {"a b", "c"}, "token": {redacted}}},
			"'http://s/?scope%5B%5D=a+b&scope%5B%5D=c'"},
		{servicetest.Request{Method: "PUT", Path: "/", Body: []byte{0xff, 0}},
			"--request 'PUT' --data-binary @body 'http://s/'"},
		{servicetest.Request{Method: "POST", Path: "/", Body: []byte(strings.Repeat("a", 64<<10))},
			"--request 'POST' --data-binary @body 'http://s/'"},
		{servicetest.Request{Method: "GET", Path: "/", Header: header("Authorization", "Bearer "+redacted,
			"Cookie", redacted, "User-Agent", "me", "Sudo", "ada", "Accept", "a", "Accept", "b")},
			`--header 'Accept: a' --header 'Accept: b' --header "Authorization: Bearer $SERVICE_TOKEN" ` +
				`--header 'Sudo: ada' 'http://s/'`},
		{servicetest.Request{Method: "GET", Path: "/", Header: header("Job-Token", redacted)},
			`--header "JOB-TOKEN: $SERVICE_TOKEN" 'http://s/'`},
	} {
		got := strings.ReplaceAll(curl("http://s", &c.of), " \\\n  ", " ")
		assert.Equal(t, "curl --globoff "+c.want, got)
	}
}

// TestCurlQuotes: a shell sees what was sent, whatever is in it.
func TestCurlQuotes(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	const hostile = "it's $(touch /tmp/owned) `id` \\ \"$HOME\"\n\t!x"
	command := curl("http://s", &servicetest.Request{Method: "X'; id #", Path: "/a';b", Body: []byte(hostile)})
	script := "curl() { for a; do printf '%s\\0' \"$a\"; done; }\n" + command
	out, err := exec.CommandContext(t.Context(), shell, "-c", script).Output()
	require.NoError(t, err)
	assert.Equal(t, []string{"--globoff", "--request", "X'; id #", "--data-raw", hostile, "http://s/a';b", ""},
		strings.Split(string(out), "\x00"))
}

// TestTook: short durations have a unit in which they are not zero.
func TestTook(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", 1: "1 µs", 42 * time.Microsecond: "42 µs", 99_999: "99 µs", 100_000: "0.1 ms",
		1500 * time.Microsecond: "1.5 ms", 2 * time.Second: "2.0 s",
	} {
		assert.Equal(t, want, took(d), d)
	}
}
