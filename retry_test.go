package serviceapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi/internal/pace"
	"example.com/serviceapi/internal/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scripted is a transport that responds from a script.
type scripted = wire.Script

var (
	status  = wire.Status
	failure = wire.Failure
	okJob   = status(200, `{"id":8}`)
	refused = failure(&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)})
	reset   = failure(&net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET})
	locked  = status(409, `{"message":"409 Conflict: Resource lock"}`)
)

func scriptedClient(t *testing.T, policy RetryPolicy, replies ...func(*http.Request) (*http.Response, error)) (*Client,
	*scripted) {
	t.Helper()
	s := &scripted{Replies: replies}
	client, err := NewClient("https://service.test", PrivateToken("x"), WithHTTPClient(&http.Client{Transport: s}),
		WithRetry(policy))
	require.NoError(t, err)
	return client, s
}

// TestWhatIsRepeated checks the policy for each method and failure.
func TestWhatIsRepeated(t *testing.T) {
	failures := map[string]func(*http.Request) (*http.Response, error){
		"429": status(429, `{}`), "500": status(500, ``), "502": status(502, ``), "503": status(503, ``),
		"504":  status(504, ``),
		"lock": locked, "409": status(409, `{"message":"exists"}`), "400": status(400, `{}`), "404": status(404, `{}`),
		"501":  status(501, ``),
		"dial": refused, "reset": reset, "eof": failure(io.ErrUnexpectedEOF),
		"certificate": failure(&tls.CertificateVerificationError{Err: errors.New("bad")}),
	}
	certain := []string{"429", "lock", "dial"}
	read := append([]string{"500", "502", "503", "504", "reset", "eof"}, certain...)
	merge := func(c *Client, ctx context.Context) error {
		_, err := exec(ctx, c, http.MethodPut, Route("/merge").notRepeatable(), nil, nil)
		return err
	}
	plain := func(method string) func(*Client, context.Context) error {
		return func(c *Client, ctx context.Context) error {
			_, err := c.Do(ctx, method, EscapedPath("/things/1"), nil, nil)
			return err
		}
	}
	for _, tc := range []struct {
		name   string
		call   func(*Client, context.Context) error
		policy RetryPolicy
		want   []string
	}{
		{"GET", plain("GET"), RetryPolicy{}, read},
		{"HEAD", plain("HEAD"), RetryPolicy{}, read},
		{"POST", plain("POST"), RetryPolicy{}, certain},
		{"PUT", plain("PUT"), RetryPolicy{}, certain},
		{"PATCH", plain("PATCH"), RetryPolicy{}, certain},
		{"DELETE", plain("DELETE"), RetryPolicy{}, certain},
		{"idempotent PUT", plain("PUT"), RetryPolicy{RetryIdempotent: true}, read},
		{"idempotent DELETE", plain("DELETE"), RetryPolicy{RetryIdempotent: true}, read},
		{"idempotent POST", plain("POST"), RetryPolicy{RetryIdempotent: true}, certain},
		{"merge", merge, RetryPolicy{RetryIdempotent: true}, certain},
		{"unsafe POST", plain("POST"), RetryPolicy{RetryUnsafe: true}, read},
		{"unsafe merge", merge, RetryPolicy{RetryUnsafe: true}, read},
		{"one attempt", plain("GET"), RetryPolicy{MaxAttempts: 1}, nil},
	} {
		for name, fail := range failures {
			synctest.Test(t, func(t *testing.T) {
				client, s := scriptedClient(t, tc.policy, fail, status(200, `{}`))
				err := tc.call(client, t.Context())
				repeated := len(s.Times) > 1
				want := false
				for _, w := range tc.want {
					want = want || w == name
				}
				assert.Equal(t, want, repeated, "%s after %s", tc.name, name)
				assert.Equal(t, want, err == nil, "%s after %s: %v", tc.name, name, err)
			})
		}
	}
}

func TestAttemptsAreBoundedAndCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{},
			status(503, `{"message":"down for repair"}`, "X-Request-Id", "r1"))
		_, err := getJob(t.Context(), client)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.ErrorIs(t, err, ErrServer)
		assert.Equal(t, 5, e.Attempts)
		assert.Len(t, s.Times, 5)
		assert.Equal(t, "down for repair", e.Message)
		assert.Equal(t, "r1", e.RequestID)
		assert.JSONEq(t, `{"message":"down for repair"}`, string(e.Body))
	})
}

// The policy of one call also has defaults, from its first use on.
func TestPolicyOfOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(503, ""))
		policy := WithRetry(RetryPolicy{MinWait: time.Second})
		for range 2 {
			var e *Error
			_, err := getJob(t.Context(), client, policy)
			require.ErrorAs(t, err, &e)
			assert.Equal(t, 5, e.Attempts)
		}
		assert.Greater(t, s.Times[4].Sub(s.Times[0]), time.Millisecond)
		_, err := getJob(t.Context(), client, WithRetry(RetryPolicy{MaxWait: -1}))
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument)
	})
}

func TestTransportErrorsKeepCauseAndLastResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 2}, status(503, `{"message":"down"}`), reset)
		_, err := getJob(t.Context(), client)
		var te *TransportError
		require.ErrorAs(t, err, &te)
		assert.ErrorIs(t, err, syscall.ECONNRESET)
		assert.Equal(t, 2, te.Attempts)
		assert.Equal(t, "/projects/:id/jobs/:job_id", te.Operation)
	})
}

// TestServersWaitIsObeyed checks every form, to the millisecond.
func TestServersWaitIsObeyed(t *testing.T) {
	for name, tc := range map[string]struct {
		code   int
		header func() []string
		want   time.Duration
	}{
		"seconds": {429, func() []string { return []string{"Retry-After", "3"} }, 3 * time.Second},
		"date": {429, func() []string {
			return []string{"Retry-After", time.Now().Add(7 * time.Second).UTC().Format(http.TimeFormat)}
		}, 7 * time.Second},
		"reset seconds": {429, func() []string { return []string{"RateLimit-Reset", "4"} }, 4 * time.Second},
		"reset time": {429, func() []string {
			return []string{"RateLimit-Reset", fmt.Sprint(time.Now().Add(9 * time.Second).Unix())}
		}, 9 * time.Second},
		"both": {429, func() []string { return []string{"Retry-After", "2", "RateLimit-Reset", "50"} },
			2 * time.Second},
		"503": {503, func() []string { return []string{"Retry-After", "5"} }, 5 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(3 * 365 * 24 * time.Hour) // until Unix times have ten digits
			client, s := scriptedClient(t, RetryPolicy{}, status(tc.code, ``, tc.header()...), okJob)
			_, err := getJob(t.Context(), client)
			require.NoError(t, err, name)
			require.Len(t, s.Times, 2, name)
			assert.Equal(t, tc.want, s.Times[1].Sub(s.Times[0]), name)
		})
	}
}

func TestBadWaitsFallBackToBackoff(t *testing.T) {
	for _, header := range []string{"0", "Tue, 02 Jan 1990 15:04:05 GMT", "-1", "soon", "", "1e9",
		"99999999999999999999"} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{}, status(429, ``, "Retry-After", header), okJob)
			_, err := getJob(t.Context(), client)
			require.NoError(t, err)
			assert.LessOrEqual(t, s.Times[1].Sub(s.Times[0]), 400*time.Millisecond, header)
		})
	}
}

// TestTooLongWaitsAreNotSlept checks waits that exceed the policy or the
// deadline.
func TestTooLongWaitsAreNotSlept(t *testing.T) {
	for _, wait := range []string{"61", "9223372036854775807"} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{}, status(429, `{"message":"slow down"}`, "Retry-After", wait))
			start := time.Now()
			_, err := getJob(t.Context(), client)
			var limited *RateLimitError
			require.ErrorAs(t, err, &limited)
			assert.ErrorIs(t, err, ErrRateLimited)
			assert.GreaterOrEqual(t, limited.RetryAfter, 61*time.Second)
			assert.Equal(t, "slow down", limited.Err.Message)
			assert.ErrorContains(t, err, "(not repeated: the wait is longer than the retry policy allows)")
			assert.Zero(t, time.Since(start))
			assert.Len(t, s.Times, 1)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, status(429, ``, "Retry-After", "30"))
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		start := time.Now()
		_, err := getJob(ctx, client)
		var limited *RateLimitError
		require.ErrorAs(t, err, &limited)
		assert.Equal(t, 30*time.Second, limited.RetryAfter)
		assert.ErrorContains(t, err, "(not repeated: the wait would end after the deadline of the context)")
		assert.Zero(t, time.Since(start))
		assert.Len(t, s.Times, 1)
	})
}

func TestCancellingAWaitReturnsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{}, status(429, `{"message":"slow down"}`, "Retry-After", "30"))
		reason := errors.New("the user went home")
		ctx, cancel := context.WithCancelCause(t.Context())
		start := time.Now()
		time.AfterFunc(2*time.Second, func() { cancel(reason) })
		_, err := getJob(ctx, client)
		assert.Equal(t, 2*time.Second, time.Since(start))
		assert.ErrorIs(t, err, context.Canceled)
		assert.ErrorIs(t, err, reason)
		assert.ErrorIs(t, err, ErrRateLimited, "the last response is kept")
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "slow down", e.Message)
		var te *TransportError
		require.ErrorAs(t, err, &te)
		assert.Equal(t, 1, te.Attempts)
	})
}

func TestBackoffGrowsWithFullJitter(t *testing.T) {
	policy := RetryPolicy{MinWait: 100 * time.Millisecond, MaxWait: time.Second}
	for n, ceiling := range map[int]time.Duration{1: 200 * time.Millisecond, 2: 400 * time.Millisecond,
		3: 800 * time.Millisecond, 4: time.Second, 63: time.Second} {
		var longest time.Duration
		for range 2000 {
			wait := policy.draw(n)
			require.GreaterOrEqual(t, wait, time.Duration(0))
			require.LessOrEqual(t, wait, ceiling)
			longest = max(longest, wait)
		}
		assert.Greater(t, longest, ceiling*9/10)
	}
}

// TestRetryBudget checks that a service that is down does not get five times as
// many requests, and that the budget recovers when the service does.
func TestRetryBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		down.Store(true)
		client, s := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
			if down.Load() {
				return status(503, ``)(r)
			}
			return okJob(r)
		})
		derived, err := client.With(WithUserAgent("other"))
		require.NoError(t, err)
		for i := range 1000 {
			c := client
			if i%2 == 0 {
				c = derived
			}
			_, err := getJob(t.Context(), c)
			require.ErrorIs(t, err, ErrServer)
		}
		// It is one more than the budget, because a call in progress may owe one.
		assert.Equal(t, 1000+pace.DefaultSize+1, len(s.Times))
		down.Store(false)
		for range (pace.DefaultSize + 1) * 5 {
			_, err := getJob(t.Context(), client)
			require.NoError(t, err)
		}
		assert.Zero(t, client.config.budget.Debt())
		assert.Zero(t, client.config.budget.InProgress())
	})
}

func TestBodiesAreSentAgainWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, status(429, ``, "Retry-After", "0"), refused, locked,
			status(200, `{"id":1}`))
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), map[string]string{"name": "a"}, nil)
		require.NoError(t, err)
		assert.Equal(t, []string{`{"name":"a"}`, `{"name":"a"}`, `{"name":"a"}`, `{"name":"a"}`}, s.Bodies)
	})
}

func TestLimiterPacesEveryAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, status(503, ``), okJob)
		limited, err := client.With(
			WithLimiter(limiterFunc(func(ctx context.Context) error { time.Sleep(time.Minute); return ctx.Err() })))
		require.NoError(t, err)
		start := time.Now()
		_, err = getJob(t.Context(), limited)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, time.Since(start), 2*time.Minute)
		assert.Len(t, s.Times, 2)
		no := errors.New("not today")
		closed, err := client.With(WithLimiter(limiterFunc(func(context.Context) error { return no })))
		require.NoError(t, err)
		_, err = getJob(t.Context(), closed)
		assert.ErrorIs(t, err, no)
		assert.Len(t, s.Times, 2)
	})
}

type limiterFunc func(context.Context) error

func (f limiterFunc) Wait(ctx context.Context) error { return f(ctx) }

// TestRateLimitHeadersDoNotThrottle checks that nothing waits while the limit
// is not reached.
func TestRateLimitHeadersDoNotThrottle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{},
			status(200, `{"id":8}`, "RateLimit-Limit", "60", "RateLimit-Remaining", "1", "RateLimit-Reset",
				"1900000000"))
		start := time.Now()
		for range 100 {
			_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
			require.NoError(t, err)
			assert.Equal(t, RateLimit{Limit: 60, Remaining: 1, Reset: time.Unix(1900000000, 0)}, resp.RateLimit)
		}
		assert.Zero(t, time.Since(start))
	})
}

// TestWritesOverRealSockets checks that a write is not sent twice if the
// service executes it and the connection breaks before the response.
func TestWritesOverRealSockets(t *testing.T) {
	var executed atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		executed.Add(1)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		}
	}))
	defer server.Close()
	client := clientOf(t, server.URL)
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		executed.Store(0)
		_, err := client.Do(t.Context(), method, EscapedPath("/things/1"), nil, nil)
		var te *TransportError
		require.ErrorAs(t, err, &te, method)
		assert.EqualValues(t, 1, executed.Load(), method)
	}
	executed.Store(0)
	_, err := getJob(t.Context(), client)
	require.Error(t, err)
	assert.EqualValues(t, 5, executed.Load(), "a read is repeated")
}

// TestIdleConnectionThatDied checks that a write succeeds and is executed once
// if the service has closed an idle connection.
func TestIdleConnectionThatDied(t *testing.T) {
	var executed atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		executed.Add(1)
		w.Write([]byte(`{"id":8}`))
	}))
	defer server.Close()
	client := clientOf(t, server.URL)
	for range 20 {
		before := executed.Load()
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), bytes.NewBufferString("x").Len(), nil)
		if err == nil {
			assert.EqualValues(t, 1, executed.Load()-before)
		} else {
			assert.LessOrEqual(t, executed.Load()-before, int32(1))
		}
		server.CloseClientConnections()
	}
	assert.Positive(t, executed.Load())
}

func TestRefreshOn401(t *testing.T) {
	var asked atomic.Int32
	source := tokenFunc(func() (*oauthToken, error) {
		n := asked.Add(1)
		return &oauthToken{AccessToken: fmt.Sprintf("token-%d", n)}, nil
	})
	var seen []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, r.Header.Get("Authorization")+" "+string(body))
		if r.Header.Get("Authorization") == "Bearer token-1" {
			w.WriteHeader(401)
			return
		}
		w.Write([]byte(`{"id":8}`))
	}, WithCredential(OAuth2(source)))
	_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), 1, nil)
	require.NoError(t, err)
	_, err = client.Do(t.Context(), "POST", EscapedPath("/things"), 2, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"Bearer token-1 1", "Bearer token-2 1", "Bearer token-2 2"}, seen)
}
