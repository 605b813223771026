package serviceapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi/internal/attempt"
	"example.com/serviceapi/internal/pace"
	"example.com/serviceapi/internal/source"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPoliciesAreCompleted(t *testing.T) {
	assert.Equal(t, RetryPolicy{MaxAttempts: 5, MinWait: 200 * time.Millisecond, MaxWait: time.Minute},
		DefaultRetryPolicy())
	for _, tc := range []struct{ given, want RetryPolicy }{
		{RetryPolicy{}, DefaultRetryPolicy()},
		{RetryPolicy{MaxAttempts: 1, MinWait: 2, MaxWait: 3, AttemptTimeout: 4},
			RetryPolicy{MaxAttempts: 1, MinWait: 2, MaxWait: 3, AttemptTimeout: 4}},
		{RetryPolicy{MaxWait: time.Millisecond},
			RetryPolicy{MaxAttempts: 5, MinWait: time.Millisecond, MaxWait: time.Millisecond}},
		{RetryPolicy{MinWait: time.Hour}, RetryPolicy{MaxAttempts: 5, MinWait: time.Hour, MaxWait: time.Minute}},
		{RetryPolicy{RetryIdempotent: true, RetryUnsafe: true, NoSharedPause: true},
			RetryPolicy{MaxAttempts: 5, MinWait: 200 * time.Millisecond, MaxWait: time.Minute, RetryIdempotent: true,
				RetryUnsafe: true, NoSharedPause: true}},
	} {
		got := tc.given
		require.NoError(t, got.check())
		assert.Equal(t, tc.want, got)
	}
	for field, bad := range map[string]RetryPolicy{
		"MaxAttempts": {MaxAttempts: -1}, "MinWait": {MinWait: -1}, "MaxWait": {MaxWait: -1},
		"AttemptTimeout": {AttemptTimeout: -1},
	} {
		assert.EqualError(t, bad.check(), "serviceapi: "+field+" must not be negative", "%+v", bad)
	}
	assert.Zero(t, (&RetryPolicy{}).draw(3), "without a wait there is none to draw")
}

// TestCallersMinWait checks that it is the mean of only the first wait.
func TestCallersMinWait(t *testing.T) {
	policy := RetryPolicy{MinWait: 10 * time.Second, MaxWait: 35 * time.Second}
	for n, ceiling := range []time.Duration{10 * time.Second, 20 * time.Second, 35 * time.Second, 35 * time.Second} {
		var longest, sum time.Duration
		for range 4000 {
			wait := policy.draw(n)
			longest, sum = max(longest, wait), sum+wait
		}
		assert.InDelta(t, float64(ceiling), float64(longest), float64(ceiling)/20, "%d", n)
		assert.InDelta(t, float64(ceiling)/2, float64(sum/4000), float64(ceiling)/20, "%d", n)
	}
}

// TestAttemptsThatAreTheLast checks that the log does not say that the last
// attempt will be repeated, and that it does not cost the budget.
func TestAttemptsThatAreTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		for name, tc := range map[string]struct {
			ctx    context.Context
			policy RetryPolicy
			reply  func(*http.Request) (*http.Response, error)
		}{
			"no attempts left":    {t.Context(), RetryPolicy{MaxAttempts: 1}, status(503, "")},
			"not worth repeating": {t.Context(), RetryPolicy{}, status(404, "")},
			"wait is too long": {t.Context(), RetryPolicy{MaxWait: time.Second},
				status(503, "", "Retry-After", "2")},
			"its context has ended": {ctx, RetryPolicy{},
				func(r *http.Request) (*http.Response, error) { cancel(); return status(503, "")(r) }},
		} {
			client, s := scriptedClient(t, tc.policy, tc.reply)
			log := &logLines{level: slog.LevelDebug}
			client, err := client.With(WithLogger(slog.New(log)))
			require.NoError(t, err)
			_, err = getJob(tc.ctx, client)
			require.Error(t, err, name)
			assert.Len(t, s.Times, 1, name)
			require.Len(t, log.lines, 1, name)
			assert.True(t, strings.HasPrefix(log.lines[0], "DEBUG request method"), "%s: %s", name, log.lines[0])
			assert.Zero(t, client.config.budget.Debt(), name)
		}
	})
}

// TestStreamsAreNotSentTwice checks this even if the service certainly did not
// execute the call.
func TestStreamsAreNotSentTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, reply := range []func(*http.Request) (*http.Response, error){status(429, ""), locked} {
			client, s := scriptedClient(t, RetryPolicy{}, reply, status(201, "{}"))
			err := uploadTo(t.Context(), client,
				Upload{Filename: "a", Content: io.MultiReader(strings.NewReader("content"))})
			var e *Error
			require.ErrorAs(t, err, &e, "the refusal is what the caller sees")
			assert.Len(t, s.Times, 1)
			assert.False(t, MayHaveExecuted(err))
		}
	})
}

// TestRefusedConnectionsWaitLittle checks that the waits are short, whatever
// the policy says.
func TestRefusedConnectionsWaitLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{MinWait: time.Minute, MaxAttempts: 9}, refused)
		_, err := getJob(t.Context(), client)
		require.Error(t, err)
		require.Len(t, s.Times, 3)
		assert.LessOrEqual(t, s.Times[1].Sub(s.Times[0]), 300*time.Millisecond)
		assert.LessOrEqual(t, s.Times[2].Sub(s.Times[1]), 300*time.Millisecond)
		assert.Equal(t, 300*time.Millisecond, maxRefusedWait)
	})
}

// TestAskedWaitHoldsForOneAttempt checks that a connection that breaks later
// does not wait as long.
func TestAskedWaitHoldsForOneAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, status(503, "", "Retry-After", "30"), reset, okJob)
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
		assert.Equal(t, 30*time.Second, s.Times[1].Sub(s.Times[0]))
		assert.Less(t, s.Times[2].Sub(s.Times[1]), 2*time.Second)
	})
}

// TestLongestWait checks that the call waits as long as the policy allows, but
// not until the deadline of the context.
func TestLongestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, status(503, "", "Retry-After", "60"), okJob)
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
		assert.Equal(t, time.Minute, s.Times[1].Sub(s.Times[0]))
		for seconds, want := range map[time.Duration]int{30: 1, 31: 2, 3600: 2} {
			client, s := scriptedClient(t, RetryPolicy{}, status(503, "", "Retry-After", "30"), okJob)
			ctx, cancel := context.WithTimeout(t.Context(), seconds*time.Second)
			_, err := getJob(ctx, client)
			cancel()
			assert.Len(t, s.Times, want, "%d seconds are left", seconds)
			assert.Equal(t, want == 2, err == nil)
		}
	})
}

// TestRepetitionsWaitForRefusalsOfOthers checks that an attempt that failed for
// another reason also waits if another call was asked to wait.
func TestRepetitionsWaitForRefusalsOfOthers(t *testing.T) {
	for _, alone := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{NoSharedPause: alone},
				taking(2*time.Second, status(503, "")), okJob)
			var wg sync.WaitGroup
			wg.Go(func() {
				_, err := getJob(t.Context(), client)
				assert.NoError(t, err)
			})
			wg.Go(func() {
				time.Sleep(time.Second)
				secret := PrivateToken("x")
				cl, err := newCall(t.Context(), client, http.MethodGet,
					Route("/projects/:id/jobs/:job_id", ProjectID(1), 8), nil, []RequestOption{WithCredential(secret)})
				assert.NoError(t, err)
				other := &sending{outcome: outcome{call: cl}}
				other.auth.secret = "x"
				client.config.pauses.Add(other.paced(), "", 30*time.Second)
			})
			wg.Wait()
			gap := s.Times[1].Sub(s.Times[0])
			if alone {
				assert.Less(t, gap, 10*time.Second)
			} else {
				assert.Equal(t, 31*time.Second, gap)
			}
		})
	}
}

// TestPermanentFailures checks which failures another attempt would encounter
// again.
func TestPermanentFailures(t *testing.T) {
	alert := func(op string) error { return &net.OpError{Op: op, Err: errors.New("alert")} }
	for _, tc := range []struct {
		err  error
		want bool
	}{
		{&RedirectError{}, true}, {&DecodeError{Err: io.EOF}, true}, {&ArgumentError{}, true},
		{&source.Error{Err: io.EOF}, true},
		{&limiterError{err: io.EOF}, true}, {&proxyError{"407", false}, true}, {errSwitched, true},
		{&net.DNSError{IsNotFound: true}, true}, {&net.DNSError{IsTimeout: true}, false}, {&net.DNSError{}, false},
		{&tls.CertificateVerificationError{Err: io.EOF}, true}, {x509.UnknownAuthorityError{}, true},
		{tls.RecordHeaderError{}, true},
		{http.ErrSchemeMismatch, true}, {alert("remote error"), true}, {alert("local error"), true},
		{alert("read"), false}, {alert("dial"), false},
		{errors.New("tls: no application protocol"), true}, {errors.New("about tls: nothing"), false},
		{io.ErrUnexpectedEOF, false}, {attempt.ErrTimeout, false}, {errNoResponse, false},
	} {
		assert.Equal(t, tc.want, isPermanent(tc.err), "%T %v", tc.err, tc.err)
		assert.Equal(t, tc.want, isPermanent(fmt.Errorf("wrapped: %w", tc.err)), "wrapped %T %v", tc.err, tc.err)
	}
}

// TestFailuresBeforeAnythingWasSent checks that these are only failures to
// connect.
func TestFailuresBeforeAnythingWasSent(t *testing.T) {
	for op, want := range map[string]bool{"dial": true, "proxyconnect": true, "read": false, "write": false,
		"remote error": false, "": false} {
		assert.Equal(t, want, notSent(fmt.Errorf("wrapped: %w", &net.OpError{Op: op, Err: io.EOF})), op)
	}
	assert.False(t, notSent(io.EOF))
	assert.False(t, notSent(nil))
}

// TestPermanentFailuresEndTheCall checks that they are not repeated, even for a
// read.
func TestPermanentFailuresEndTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, reply := range []func(*http.Request) (*http.Response, error){
			status(200, "x", "Content-Encoding", "br"), failure(&limiterError{err: io.EOF}),
			failure(&net.DNSError{IsNotFound: true}),
		} {
			client, s := scriptedClient(t, RetryPolicy{}, reply)
			_, err := getJob(t.Context(), client)
			require.Error(t, err)
			assert.Len(t, s.Times, 1, "%v", err)
		}
		client, s := scriptedClient(t, RetryPolicy{}, failure(&net.DNSError{IsTemporary: true}), okJob)
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
		assert.Len(t, s.Times, 2)
	})
}

// owe lets a client owe some retries.
func owe(client *Client, retries int) {
	for range retries {
		client.config.budget.Take()
	}
}

// TestBudgetIsPaidBack checks that calls that succeed after a retry pay back at
// once, that every fifth call without a retry does, and that refusals and
// failures do not.
func TestBudgetIsPaidBack(t *testing.T) {
	for name, tc := range map[string]struct {
		replies []func(*http.Request) (*http.Response, error)
		calls   int
		want    int64
	}{
		"saved by a repetition":   {[]func(*http.Request) (*http.Response, error){status(503, ""), okJob}, 1, 10},
		"four that succeed":       {[]func(*http.Request) (*http.Response, error){okJob}, 4, 10},
		"five that succeed":       {[]func(*http.Request) (*http.Response, error){okJob}, 5, 9},
		"eleven that succeed":     {[]func(*http.Request) (*http.Response, error){okJob}, 11, 8},
		"five that are not found": {[]func(*http.Request) (*http.Response, error){status(404, "")}, 5, 9},
		"five with status 499":    {[]func(*http.Request) (*http.Response, error){status(499, "")}, 5, 9},
		"five with status 501":    {[]func(*http.Request) (*http.Response, error){status(501, "")}, 5, 10},
		"five refusals": {[]func(*http.Request) (*http.Response,
			error){status(429, "", "Retry-After", "3600")}, 5, 10},
		"five that break": {[]func(*http.Request) (*http.Response, error){failure(&limiterError{err: io.EOF})}, 5,
			10},
	} {
		synctest.Test(t, func(t *testing.T) {
			client, _ := scriptedClient(t, RetryPolicy{NoSharedPause: true}, tc.replies...)
			owe(client, 10)
			for range tc.calls {
				_, _ = getJob(t.Context(), client)
			}
			assert.Equal(t, tc.want, client.config.budget.Debt(), name)
			assert.Zero(t, client.config.budget.InProgress(), name)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(500, ""))
		owe(client, 10)
		for range 5 {
			_, err := getJob(t.Context(), client)
			require.ErrorIs(t, err, ErrServer)
		}
		assert.EqualValues(t, 10, client.config.budget.Debt(), "500 is a failure already")
	})
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{}, okJob)
		for range 12 {
			_, err := getJob(t.Context(), client)
			require.NoError(t, err)
		}
		assert.Zero(t, client.config.budget.Debt(), "nobody counts while nothing is owed")
	})
	assert.Equal(t, 100, pace.DefaultSize)
}

// TestWhatPausesOthers checks that only a 429 that asks to wait pauses others.
func TestWhatPausesOthers(t *testing.T) {
	for name, tc := range map[string]struct {
		reply func(*http.Request) (*http.Response, error)
		want  int
	}{
		"429 that asks":            {status(429, "", "Retry-After", "30"), 1},
		"429 that does not ask":    {status(429, ""), 0},
		"503 that asks":            {status(503, "", "Retry-After", "30"), 0},
		"a connection that breaks": {reset, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, tc.reply)
			_, err := getJob(t.Context(), client)
			require.Error(t, err)
			assert.Equal(t, tc.want, client.config.pauses.Len(), name)
		})
	}
}

// TestPausesThatACallMayNotWait checks pauses that are longer than the policy
// or the deadline of a call allows.
func TestPausesThatACallMayNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{}, okJob)
		left := func(ctx context.Context, policy RetryPolicy) time.Duration {
			cl, err := newCall(ctx, client, http.MethodGet, Route("/things"), nil, []RequestOption{WithRetry(policy)})
			require.NoError(t, err)
			s := &sending{outcome: outcome{call: cl}}
			if client.config.pauses.Len() == 0 {
				client.config.pauses.Add(s.paced(), "", 30*time.Second)
			}
			return s.pauseLeft()
		}
		assert.Equal(t, 30*time.Second, left(t.Context(), RetryPolicy{}))
		assert.Equal(t, 30*time.Second, left(t.Context(), RetryPolicy{MaxWait: 30 * time.Second}))
		assert.Zero(t, left(t.Context(), RetryPolicy{MaxWait: 30*time.Second - 1}))
		assert.Zero(t, left(t.Context(), RetryPolicy{NoSharedPause: true}))
		for seconds, want := range map[time.Duration]time.Duration{30: 0, 31: 30 * time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), seconds*time.Second)
			assert.Equal(t, want, left(ctx, RetryPolicy{}), seconds)
			cancel()
		}
	})
}

// TestRefusedConnectionIsRecognized asks an address where no one listens, with
// the error of this system.
func TestRefusedConnectionIsRecognized(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	client, err := NewClient("http://"+listener.Addr().String(), Anonymous(),
		WithRetry(RetryPolicy{MaxAttempts: 8, MinWait: 1}))
	require.NoError(t, err)
	_, _, err = client.Users.Current(t.Context())
	var failed *TransportError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, maxRefusedConnections, failed.Attempts)
}

// limitedService refuses the calls that it is asked to, and counts all of them.
type limitedService struct {
	*httptest.Server
	hits atomic.Int32
}

func newLimitedService(t *testing.T, refuses func(*http.Request) bool, header ...string) (*limitedService, *Client) {
	t.Helper()
	s := new(limitedService)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(1)
		if !refuses(r) {
			fmt.Fprint(w, `{"id":8}`)
			return
		}
		w.Header().Set("Retry-After", "30")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(s.Close)
	// A call that would have to wait for a pause returns at once, with the refusal
	// of the service or without one.
	client, err := NewClient(s.URL, PrivateToken("token-0123456789"),
		WithRetry(RetryPolicy{MaxAttempts: 1, MaxWait: time.Minute}))
	require.NoError(t, err)
	return s, client
}

// isPaused reports whether a job of a project has to wait for a refusal of others.
func isPaused(t *testing.T, client *Client, project int64) bool {
	t.Helper()
	cl, err := newCall(t.Context(), client, http.MethodGet, Route("/projects/:id/jobs/:job_id", ProjectID(project), 8),
		nil, nil)
	require.NoError(t, err)
	s := &sending{outcome: outcome{call: cl, auth: authorization{secret: "token-0123456789"}}}
	return s.pauseLeft() > 0
}

// TestRefusalOfOneProject checks that a limit of one project does not stop the calls
// for others, however often it is met.
func TestRefusalOfOneProject(t *testing.T) {
	service, client := newLimitedService(t, func(r *http.Request) bool {
		return strings.Contains(r.URL.Path, "/projects/1/") || strings.Contains(r.URL.Path, "/projects/2/")
	})
	for _, project := range []int64{1, 3, 2, 4, 5, 6} {
		_, _, err := client.Jobs.Get(t.Context(), ProjectID(project), 8)
		if project <= 2 {
			require.ErrorIs(t, err, ErrRateLimited)
		} else {
			require.NoError(t, err)
		}
	}
	assert.EqualValues(t, 6, service.hits.Load())
	assert.True(t, isPaused(t, client, 1))
	assert.True(t, isPaused(t, client, 2))
	assert.False(t, isPaused(t, client, 3))
}

// TestRefusalsOfAnEndpoint checks that the third project that is refused in a row
// stops the calls for all, and the second if the service names the limit.
func TestRefusalsOfAnEndpoint(t *testing.T) {
	for name, tc := range map[string]struct {
		header []string
		needed int64
	}{
		"without a name": {nil, 3},
		"with a name":    {[]string{"RateLimit-Name", "throttle_authenticated_api"}, 2},
	} {
		_, client := newLimitedService(t, func(*http.Request) bool { return true }, tc.header...)
		for project := range tc.needed {
			assert.False(t, isPaused(t, client, 9), name)
			_, _, err := client.Jobs.Get(t.Context(), ProjectID(project+1), 8)
			require.ErrorIs(t, err, ErrRateLimited)
		}
		assert.True(t, isPaused(t, client, 9), name)
	}
}

// TestBurstIsRefusedOnce checks what docs/reliability.md says of calls that begin at
// the same time: nothing can stop the first requests, but each is refused only once.
func TestBurstIsRefusedOnce(t *testing.T) {
	const calls = 40
	var first atomic.Int32
	var over atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if first.Add(1); over.Load() {
			fmt.Fprint(w, `{"id":8}`)
			return
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer server.Close()
	time.AfterFunc(900*time.Millisecond, func() { over.Store(true) })
	client, err := NewClient(server.URL, PrivateToken("token-0123456789"))
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range calls {
		wg.Go(func() {
			_, err := getJob(t.Context(), client)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	assert.LessOrEqual(t, first.Load(), int32(2*calls))
	assert.Greater(t, first.Load(), int32(calls))
}

// TestLockMessagesOfOtherStatuses checks that only a 409 is a lock: another status may
// say the same of a write that was executed.
func TestLockMessagesOfOtherStatuses(t *testing.T) {
	for code, want := range map[int]int{409: 2, 400: 1, 412: 1, 422: 1, 423: 1, 500: 1} {
		reply := status(code, `{"message":"409 Conflict: Resource lock"}`)
		client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 2, MinWait: 1, MaxWait: 1}, reply, reply)
		_, err := client.Do(t.Context(), http.MethodPost, Route("/things"), nil, nil)
		var e *Error
		require.ErrorAs(t, err, &e, code)
		assert.Equal(t, code, e.StatusCode)
		assert.Equal(t, want, e.Attempts, code)
		assert.Len(t, s.Times, want, code)
	}
}
