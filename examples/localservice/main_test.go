package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/examples/localservice/page"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// greet runs the program until it has written its greeting. It returns the
// greeting, and a function that interrupts the program and returns its status.
func greet(t *testing.T, args ...string) (string, func() int) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	greeting, status := make(chan string), make(chan int)
	out := writerFunc(func(p []byte) (int, error) {
		greeting <- string(p)
		return len(p), nil
	})
	go func() { status <- demo.Run(ctx, "localservice", run, args, out, io.Discard) }()
	return <-greeting, func() int {
		interrupt()
		return <-status
	}
}

func TestServesUntilInterrupted(t *testing.T) {
	greeting, interrupt := greet(t, "-addr", "127.0.0.1:0", "-page", "127.0.0.1:0", "-page-hosts", "box.lan")
	find := func(expression string) string {
		t.Helper()
		match := regexp.MustCompile(expression).FindStringSubmatch(greeting)
		require.NotNil(t, match, greeting)
		return match[1]
	}
	demotest.Shown(t, "localservice", greeting)
	address := find(`export SERVICE_BASE_URL=(\S+)`)
	for name, token := range map[string]string{
		"ada": find(`export SERVICE_TOKEN=(\S+)`), "grace": find(`(\S+) is a token of grace`),
		"root": find(`(\S+) one of root`),
	} {
		client, err := serviceapi.NewClient(address, serviceapi.PrivateToken(token),
			serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
		require.NoError(t, err)
		user, _, err := client.Users.Current(t.Context())
		require.NoError(t, err)
		assert.Equal(t, name, user.Username)
		_, _, err = client.Projects.Get(t.Context(), serviceapi.ProjectPath("acme/shop"), nil)
		assert.NoError(t, err)
	}
	shown := find(`Watch it at (\S+)`)
	assert.Equal(t, 200, statusOf(t, shown, ""))
	assert.Equal(t, 403, statusOf(t, shown, "evil.example"))
	assert.Equal(t, 200, statusOf(t, shown, "box.lan"))
	assert.Equal(t, 0, interrupt())
	for _, url := range []string{address, shown} {
		_, err := net.Dial("tcp", strings.Trim(url[len("http://"):], "/"))
		assert.Error(t, err, url)
	}
}

// statusOf gets a URL, under another host if one is given.
func statusOf(t *testing.T, url, host string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	require.NoError(t, err)
	r.Host = host
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	return response.StatusCode
}

// TestWithoutPage: there is a service, and time passes, although nobody calls.
func TestWithoutPage(t *testing.T) {
	greeting, interrupt := greet(t, "-addr", "127.0.0.1:0", "-page", "")
	assert.NotContains(t, greeting, "Watch")
	assert.Contains(t, greeting, "keeps everything in memory.\n")
	assert.Equal(t, 0, interrupt())
}

// TestTimePasses: what is due happens although nobody calls.
func TestTimePasses(t *testing.T) {
	service := servicetest.New(t, servicetest.WithClock(time.Now))
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	service.After(time.Millisecond, stop)
	keepTime(ctx, service)
	assert.ErrorIs(t, ctx.Err(), context.Canceled, "it was never due")
}

// TestWhoReachesThePage: a page on the loopback interface has only names of that, and
// others as well if it listens elsewhere.
func TestWhoReachesThePage(t *testing.T) {
	for ip, want := range map[string]page.Options{
		"127.0.0.1": {Hosts: []string{"a.lan", "b.lan"}}, "::1": {Hosts: []string{"a.lan", "b.lan"}},
		"0.0.0.0":   {Hosts: []string{"a.lan", "b.lan"}, AnyAddress: true},
		"192.0.2.1": {Hosts: []string{"a.lan", "b.lan"}, AnyAddress: true},
	} {
		assert.Equal(t, want, options(&net.TCPAddr{IP: net.ParseIP(ip)}, "A.lan, b.lan"), ip)
	}
}

func TestErrors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for _, tc := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, "usage: localservice", []string{"-x"}},
		{2, "Flags say everything", []string{"acme/shop"}},
		{1, "address already in use", []string{"-addr", taken.Addr().String()}},
		{1, "choose another address with -page", []string{"-addr", "127.0.0.1:0", "-page", taken.Addr().String()}},
	} {
		got := demotest.Run(t, run, tc.args...)
		assert.Equal(t, tc.status, got.Status)
		assert.Contains(t, got.Notes, tc.want)
	}
	broken := writerFunc(func([]byte) (int, error) { return 0, errors.New("no room") })
	args := []string{"-addr", "127.0.0.1:0", "-page", "127.0.0.1:0"}
	assert.ErrorContains(t, run(t.Context(), args, broken, io.Discard), "no room")
}
