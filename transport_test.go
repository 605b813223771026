package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi/internal/attempt"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDefaultTransport checks the documented limits.
func TestDefaultTransport(t *testing.T) {
	tr := DefaultTransport()
	assert.NotSame(t, tr, DefaultTransport(), "each is the caller's to change")
	assert.Equal(t, reflect.ValueOf(http.ProxyFromEnvironment).Pointer(), reflect.ValueOf(tr.Proxy).Pointer())
	assert.NotNil(t, tr.DialContext)
	assert.NotNil(t, tr.OnProxyConnectResponse)
	assert.True(t, tr.ForceAttemptHTTP2)
	assert.Equal(t, []int{64, 128, 64, 0, 0}, []int{tr.MaxConnsPerHost, tr.MaxIdleConns, tr.MaxIdleConnsPerHost,
		tr.ReadBufferSize, tr.WriteBufferSize})
	assert.Equal(t, []time.Duration{90 * time.Second, 10 * time.Second, time.Minute, time.Second},
		[]time.Duration{tr.IdleConnTimeout, tr.TLSHandshakeTimeout, tr.ResponseHeaderTimeout, tr.ExpectContinueTimeout})
	assert.Equal(t, &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second}, tr.HTTP2)
}

// TestTransportsOfAClient checks that a client has two transports of its own,
// or uses the caller's for both purposes.
func TestTransportsOfAClient(t *testing.T) {
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	assert.NotSame(t, client.config.transport, client.config.streams)
	own := &http.Client{Transport: new(http.Transport), Timeout: 7 * time.Second}
	client, err = client.With(WithHTTPClient(own))
	require.NoError(t, err)
	assert.Same(t, own.Transport, client.config.transport)
	assert.Same(t, own.Transport, client.config.streams)
	assert.Equal(t, 7*time.Second, client.config.loops[decodeBody].HTTPClient.Timeout)
	assert.Equal(t, 7*time.Second, client.config.loops[streamBody].HTTPClient.Timeout)
	client, err = client.With(WithHTTPClient(new(http.Client)))
	require.NoError(t, err)
	assert.Same(t, http.DefaultTransport, client.config.transport)
	assert.Zero(t, client.config.loops[decodeBody].HTTPClient.Timeout)
}

// TestStreamsHaveATransport checks that only streams use their transport.
func TestStreamsHaveATransport(t *testing.T) {
	var used []string
	named := func(name string) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) { used = append(used, name); return okJob(r) })
	}
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	calls, streams := client.config.newHTTPClient(named("calls")), client.config.newHTTPClient(named("streams"))
	client.config.loops = [...]*retryablehttp.Client{newLoop(calls), newLoop(calls), newLoop(streams)}
	_, err = getJob(t.Context(), client)
	require.NoError(t, err)
	_, err = client.JobArtifacts.Delete(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	d, _, err := client.Jobs.Trace(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	d.Close()
	assert.Equal(t, []string{"calls", "calls", "streams"}, used)
}

// closable counts the calls of CloseIdleConnections.
type closable struct {
	roundTrip
	closed int
}

func (c *closable) CloseIdleConnections() { c.closed++ }

func TestCloseIdleConnections(t *testing.T) {
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	calls, streams := new(closable), new(closable)
	client.config.transport, client.config.streams = calls, streams
	client.CloseIdleConnections()
	assert.Equal(t, []int{1, 1}, []int{calls.closed, streams.closed})
	client.config.transport = roundTrip(okJob)
	assert.NotPanics(t, client.CloseIdleConnections, "of a transport that has no such method")
}

// blockingTransport responds with a body that returns some bytes and then waits
// for its context.
type blockingTransport struct {
	io.Reader
	ctx    context.Context
	closed bool
}

func (b *blockingTransport) Read(p []byte) (int, error) {
	if n, _ := b.Reader.Read(p); n > 0 {
		return n, nil
	}
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}

func (b *blockingTransport) Close() error { b.closed = true; return nil }

// TestTimeOfAnAttempt checks timeouts before the header and within the body, of
// a read, which is then repeated, and of a write, which is not.
func TestTimeOfAnAttempt(t *testing.T) {
	hangs := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, fmt.Errorf("wrapped: %w", r.Context().Err())
	}
	var body *blockingTransport
	hangsLater := func(r *http.Request) (*http.Response, error) {
		resp, err := status(200, "")(r)
		body = &blockingTransport{Reader: strings.NewReader(`{"id":`), ctx: r.Context()}
		resp.Body, resp.ContentLength = body, -1
		return resp, err
	}
	for name, hang := range map[string]func(*http.Request) (*http.Response, error){"header": hangs,
		"body": hangsLater} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{AttemptTimeout: 10 * time.Second, MinWait: 1}, hang, okJob)
			_, err := getJob(t.Context(), client)
			require.NoError(t, err, name)
			require.Len(t, s.Times, 2)
			assert.InDelta(t, 10, s.Times[1].Sub(s.Times[0]).Seconds(), 0.001, name)

			client, s = scriptedClient(t, RetryPolicy{AttemptTimeout: 10 * time.Second}, hang)
			start := time.Now()
			_, err = client.Do(t.Context(), "POST", Route("/x"), 1, new(int))
			assert.Equal(t, 10*time.Second, time.Since(start), name)
			var te *TransportError
			require.ErrorAs(t, err, &te)
			assert.Equal(t, attempt.ErrTimeout, te.Err, name)
			assert.True(t, MayHaveExecuted(err))
			assert.Len(t, s.Times, 1)
			if name == "body" {
				assert.True(t, body.closed)
			}

			// The end of the caller's context is not the end of an attempt.
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			_, err = getJob(ctx, client)
			assert.ErrorIs(t, err, context.DeadlineExceeded, name)
			assert.NotErrorIs(t, err, attempt.ErrTimeout, name)
		})
	}
}

// TestTimeOfAnAttemptIsOver checks that no timer is left after the response was
// read, and that the context is released.
func TestTimeOfAnAttemptIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen context.Context
		watch := func(next func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
			return func(r *http.Request) (*http.Response, error) { seen = r.Context(); return next(r) }
		}
		broken := errors.New("no network")
		client, _ := scriptedClient(t, RetryPolicy{AttemptTimeout: 10 * time.Second, MaxAttempts: 1},
			watch(okJob), watch(failure(broken)), watch(status(404, "")), watch(okJob))
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
		assert.Equal(t, context.Canceled, context.Cause(seen), "it was not the timer")
		_, err = getJob(t.Context(), client)
		require.ErrorIs(t, err, broken)
		assert.Equal(t, context.Canceled, context.Cause(seen))
		_, err = getJob(t.Context(), client)
		require.ErrorIs(t, err, ErrNotFound)
		assert.Equal(t, context.Canceled, context.Cause(seen))
		_, err = client.JobArtifacts.Delete(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		assert.Equal(t, context.Canceled, context.Cause(seen))
		_, err = getJob(t.Context(), client, WithRetry(RetryPolicy{}))
		require.NoError(t, err)
		assert.NoError(t, seen.Err(), "without a limit the context is the caller's")
	})
}

// TestTimeOfTransfers checks that the timeout applies to a download until its
// first byte, and not to an upload.
func TestTimeOfTransfers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(r *http.Request) (*http.Response, error) {
			resp, err := status(200, "")(r)
			rest := &slowly{text: "ontent", ctx: r.Context()}
			resp.Body, resp.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader("c"), rest)), 7
			return resp, err
		}
		client, s := scriptedClient(t, RetryPolicy{AttemptTimeout: 10 * time.Second, MinWait: 1},
			func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }, slow)
		start := time.Now()
		d, _, err := client.Jobs.Trace(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		assert.InDelta(t, 10, time.Since(start).Seconds(), 0.001)
		content, err := io.ReadAll(d)
		require.NoError(t, err)
		assert.Equal(t, "content", string(content))
		require.NoError(t, d.Close())
		assert.InDelta(t, 10+6*60, time.Since(start).Seconds(), 0.001)
		assert.Len(t, s.Times, 2)

		client, _ = scriptedClient(t, RetryPolicy{AttemptTimeout: 10 * time.Second},
			taking(time.Hour, func(r *http.Request) (*http.Response, error) {
				if err := r.Context().Err(); err != nil {
					return nil, err
				}
				return status(201, `{}`)(r)
			}))
		require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: strings.NewReader("x")}))
		err = func() error { _, err := client.Do(t.Context(), "POST", Route("/x"), 1, nil); return err }()
		assert.ErrorIs(t, err, attempt.ErrTimeout, "a body in memory is no upload")
	})
}

// slowly returns a byte a minute, as long as its context lasts.
type slowly struct {
	text string
	ctx  context.Context
}

func (s *slowly) Read(p []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	time.Sleep(time.Minute)
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	p[0], s.text = s.text[0], s.text[1:]
	return 1, nil
}

// TestLimiterThatRefuses checks that the request is not sent, and that its body
// is closed.
func TestLimiterThatRefuses(t *testing.T) {
	client, s := scriptedClient(t, RetryPolicy{}, okJob)
	no := errors.New("not today")
	client, err := client.With(WithLimiter(limiterFunc(func(context.Context) error { return no })))
	require.NoError(t, err)
	body := &watchedBody{Reader: strings.NewReader("x")}
	req := httptest.NewRequest("POST", "https://service.test/", nil)
	req.Body = body
	_, err = client.config.loops[decodeBody].HTTPClient.Transport.RoundTrip(req)
	assert.EqualError(t, err, "limiter: not today")
	assert.ErrorIs(t, err, no)
	assert.Positive(t, body.closed)
	req.Body = nil
	_, err = client.config.loops[decodeBody].HTTPClient.Transport.RoundTrip(req)
	assert.ErrorIs(t, err, no)
	assert.Empty(t, s.Times)
	_, err = getJob(t.Context(), client)
	assert.ErrorContains(t, err, "limiter: not today")
	assert.ErrorIs(t, err, ErrLimiterRefused)
	assert.NotErrorIs(t, err, context.DeadlineExceeded)
	assert.False(t, MayHaveExecuted(err))
}

// TestLimiterUnderADeadline checks that a limiter which refuses at once what could not be sent
// before the deadline is distinguished from one that waits until then.
func TestLimiterUnderADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, okJob)
		tooLate := errors.New("would exceed context deadline")
		for _, tc := range []struct {
			wait    func(context.Context) error
			refused bool
		}{
			{func(context.Context) error { return tooLate }, true},
			{func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, false},
			{func(ctx context.Context) error { <-ctx.Done(); return tooLate }, false},
		} {
			client, err := client.With(WithLimiter(limiterFunc(tc.wait)))
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			_, err = getJob(ctx, client)
			assert.Equal(t, tc.refused, errors.Is(err, ErrLimiterRefused), err)
			assert.Equal(t, !tc.refused, errors.Is(err, context.DeadlineExceeded), err)
			assert.False(t, MayHaveExecuted(err))
			cancel()
		}
		assert.Empty(t, s.Times)
	})
}

// TestTransportsThatBreakTheRules checks transports that return neither a
// response nor an error, or no body.
func TestTransportsThatBreakTheRules(t *testing.T) {
	for name, reply := range map[string]func(*http.Request) (*http.Response, error){
		"nothing": func(*http.Request) (*http.Response, error) { return nil, nil },
		"no body": func(r *http.Request) (*http.Response, error) {
			resp, _ := okJob(r)
			resp.Body = nil
			return resp, nil
		},
	} {
		for _, policy := range []RetryPolicy{{MaxAttempts: 1}, {MaxAttempts: 1, AttemptTimeout: time.Hour}} {
			client, _ := scriptedClient(t, policy, reply)
			_, err := getJob(t.Context(), client)
			assert.ErrorIs(t, err, errNoResponse, name)
			_, err = getJob(t.Context(), client, WithDump(io.Discard, DumpOptions{Bodies: true}))
			assert.ErrorIs(t, err, errNoResponse, name)
		}
	}
	assert.NotPanics(t, func() {
		closeBody(nil)
		closeBody(new(http.Response))
	})
	body := new(watchedBody)
	closeBody(&http.Response{Body: body})
	assert.Equal(t, 1, body.closed)
}

// TestProxies checks that a proxy that does not connect ends the attempt.
func TestProxies(t *testing.T) {
	for code, want := range map[int]string{
		200: "", 407: "the proxy refused the connection: 407 Who are you",
		502: "the proxy refused the connection: 502 Who are you",
	} {
		err := checkProxy(t.Context(), new(url.URL), nil,
			&http.Response{StatusCode: code, Status: fmt.Sprint(code, " Who are you")})
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

// TestRequestsOfOthers checks a middleware that sends its own requests on the
// same transport.
func TestRequestsOfOthers(t *testing.T) {
	assert.Zero(t, *infoOf(t.Context()))
	assert.Empty(t, Operation(t.Context()))
	client, s := scriptedClient(t, RetryPolicy{}, okJob)
	req := httptest.NewRequest("GET", "https://other.test/", nil)
	resp, err := client.config.loops[decodeBody].HTTPClient.Transport.RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Len(t, s.Times, 1)
}

// TestRoundTripFunc checks that a function can be a middleware.
func TestRoundTripFunc(t *testing.T) {
	var operation string
	client, _ := scriptedClient(t, RetryPolicy{}, okJob)
	client, err := client.With(WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return RoundTripFunc(func(r *http.Request) (*http.Response, error) {
			operation = Operation(r.Context())
			return next.RoundTrip(r)
		})
	}))
	require.NoError(t, err)
	_, err = getJob(t.Context(), client)
	require.NoError(t, err)
	assert.Equal(t, "/projects/:id/jobs/:job_id", operation)
}

// narrowClient has two connections and a limit for an attempt.
func narrowClient(t *testing.T, handler http.HandlerFunc, limit time.Duration) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	transport := DefaultTransport()
	transport.MaxConnsPerHost = 2
	t.Cleanup(transport.CloseIdleConnections)
	client, err := NewClient(server.URL, Anonymous(), WithHTTPClient(&http.Client{Transport: transport}),
		WithRetry(RetryPolicy{AttemptTimeout: limit, MaxAttempts: 1}))
	require.NoError(t, err)
	return client
}

// TestAttemptTimeoutBeginsWithTheConnection checks that a write that waits for one
// of the client's own connections is not taken for one that may have been executed.
func TestAttemptTimeoutBeginsWithTheConnection(t *testing.T) {
	var hits atomic.Int32
	client := narrowClient(t, func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		time.Sleep(50 * time.Millisecond)
		fmt.Fprint(w, `{"id":8}`)
	}, 500*time.Millisecond)
	var failed atomic.Int32
	var wg sync.WaitGroup
	for range 60 { // 1.5 seconds for two connections
		wg.Go(func() {
			if _, err := client.Do(t.Context(), http.MethodPost, Route("/things"), map[string]int{"a": 1},
				nil); err != nil {
				failed.Add(1)
			}
		})
	}
	wg.Wait()
	assert.Zero(t, failed.Load())
	assert.EqualValues(t, 60, hits.Load())
}

// TestAttemptTimeoutOfRedirects checks that all redirects of an attempt share one
// limit, and that the next attempt has its own.
func TestAttemptTimeoutOfRedirects(t *testing.T) {
	var hops atomic.Int32
	client := narrowClient(t, func(w http.ResponseWriter, r *http.Request) {
		hops.Add(1)
		select {
		case <-time.After(100 * time.Millisecond):
		case <-r.Context().Done():
		}
		http.Redirect(w, r, fmt.Sprintf("/api/v4/hops/%d", hops.Load()), http.StatusFound)
	}, 350*time.Millisecond)
	_, err := client.Do(t.Context(), http.MethodGet, Route("/hops"), nil, nil)
	require.ErrorIs(t, err, attempt.ErrTimeout)
	assert.Less(t, hops.Load(), int32(5))
	hops.Store(0)
	_, err = client.Do(t.Context(), http.MethodGet, Route("/hops"), nil, nil,
		WithRetry(RetryPolicy{AttemptTimeout: 150 * time.Millisecond, MaxAttempts: 2, MinWait: 1}))
	require.ErrorIs(t, err, attempt.ErrTimeout)
	assert.Greater(t, hops.Load(), int32(2), "the second attempt goes on to a redirect, too")
}

// TestAttemptTimeoutOfOtherTransports checks that the limit applies to a transport
// that does not say when it has a connection.
func TestAttemptTimeoutOfOtherTransports(t *testing.T) {
	hang := roundTrip(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	client, err := NewClient("https://service.test", Anonymous(), WithHTTPClient(&http.Client{Transport: hang}),
		WithRetry(RetryPolicy{AttemptTimeout: 20 * time.Millisecond, MaxAttempts: 1}))
	require.NoError(t, err)
	_, err = client.Do(t.Context(), http.MethodGet, Route("/things"), nil, nil)
	require.ErrorIs(t, err, attempt.ErrTimeout)
}

// TestMiddlewareAppendsToHeaders checks that a middleware that appends to a value of the
// header does not overwrite another value, as it would if they shared an array.
func TestMiddlewareAppendsToHeaders(t *testing.T) {
	var sent http.Header
	appends := func(next http.RoundTripper) http.RoundTripper {
		return RoundTripFunc(func(req *http.Request) (*http.Response, error) {
			before := req.Header.Clone()
			require.Greater(t, len(before), 2)
			for name, values := range req.Header {
				_ = append(values, "appended to "+name)
				assert.Equal(t, before, req.Header, name)
			}
			sent = before
			return next.RoundTrip(req)
		})
	}
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, okJob, okJob)
	client, err := client.With(WithMiddleware(appends), WithHeader("X-Own", "a"))
	require.NoError(t, err)
	_, err = getJob(t.Context(), client, WithHeader("X-Call", "b"), WithSudo(UserID(3)))
	require.NoError(t, err)
	again := sent
	_, err = getJob(t.Context(), client, WithHeader("X-Call", "b"), WithSudo(UserID(3)))
	require.NoError(t, err)
	assert.Equal(t, again, sent, "the next call has the same header")
}

// TestEveryRequestHasItsOwnHeader checks that an attempt and a redirect send what the first
// request did, whatever a middleware has changed in its header, and that a timeout, with which
// net/http sends a copy of the request, makes no difference.
func TestEveryRequestHasItsOwnHeader(t *testing.T) {
	for _, timeout := range []time.Duration{0, time.Minute} {
		var seen []http.Header
		base, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			seen = append(seen, r.Header)
			switch len(seen) {
			case 1:
				w.WriteHeader(http.StatusBadGateway)
			case 2:
				http.Redirect(w, r, "/api/v4/elsewhere", http.StatusFound)
			default:
				w.Write([]byte(`{"id":8}`))
			}
		})
		appends := func(next http.RoundTripper) http.RoundTripper {
			return RoundTripFunc(func(req *http.Request) (*http.Response, error) {
				if req.Response == nil {
					assert.Equal(t, req.URL.Host, req.Host)
				}
				req.Header.Add("X-Trace", "added")
				req.Header.Add("X-Own", "added")
				return next.RoundTrip(req)
			})
		}
		client, err := base.With(WithHTTPClient(&http.Client{Timeout: timeout}), WithMiddleware(appends),
			WithHeader("X-Own", "a"), WithCredential(PrivateToken("s3cr3t-0123")))
		require.NoError(t, err)
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
		require.Len(t, seen, 3)
		for i, h := range seen {
			assert.Equal(t, []string{"added"}, h["X-Trace"], i)
			assert.Equal(t, []string{"a", "added"}, h["X-Own"], i)
			assert.Equal(t, []string{"s3cr3t-0123"}, h["Private-Token"], i)
			assert.Equal(t, seen[0], h, i)
		}
	}
}

// TestMiddlewareSeesTheContextOfTheCaller checks that a middleware gets what the program has put
// into the context of the call, such as a span.
func TestMiddlewareSeesTheContextOfTheCaller(t *testing.T) {
	type key struct{}
	var seen []any
	looks := func(next http.RoundTripper) http.RoundTripper {
		return RoundTripFunc(func(req *http.Request) (*http.Response, error) {
			seen = append(seen, req.Context().Value(key{}), Operation(req.Context()))
			return next.RoundTrip(req)
		})
	}
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, okJob)
	client, err := client.With(WithMiddleware(looks))
	require.NoError(t, err)
	_, err = getJob(context.WithValue(t.Context(), key{}, "a span"), client)
	require.NoError(t, err)
	assert.Equal(t, []any{"a span", "/projects/:id/jobs/:job_id"}, seen)
}
