package main

import (
	"context"
	"errors"
	"io"
	"net"
	"regexp"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/examples/internal/demo/demotest"
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
	greeting, interrupt := greet(t, "-addr", "127.0.0.1:0")
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
	assert.Equal(t, 0, interrupt())
	_, err := net.Dial("tcp", address[len("http://"):])
	assert.Error(t, err)
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
	} {
		got := demotest.Run(t, run, tc.args...)
		assert.Equal(t, tc.status, got.Status)
		assert.Contains(t, got.Notes, tc.want)
	}
	broken := writerFunc(func([]byte) (int, error) { return 0, errors.New("no room") })
	assert.ErrorContains(t, run(t.Context(), []string{"-addr", "127.0.0.1:0"}, broken, io.Discard), "no room")
}
