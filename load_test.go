package serviceapi

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi/internal/attempt"
	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/pages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHealthyBurst checks that 300 concurrent calls that each get one 503 all
// succeed.
func TestHealthyBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls = 300
		var hits atomic.Int32
		client, err := NewClient("https://service.test", PrivateToken("x"),
			WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				if hits.Add(1) <= calls {
					time.Sleep(time.Second)
					return status(503, ``)(r)
				}
				return okJob(r)
			})}))
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range calls {
			wg.Go(func() {
				_, err := getJob(t.Context(), client)
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		assert.EqualValues(t, 2*calls, hits.Load())
	})
}

func TestRetryBudgetCanBeSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, status(503, ``))
		small, err := client.With(WithRetryBudget(1))
		require.NoError(t, err)
		_, err = getJob(t.Context(), small)
		require.ErrorIs(t, err, ErrServer)
		assert.Len(t, s.Times, 3, "one, one for the call under way, and one of the budget")
		assert.ErrorContains(t, err, "the retry budget of the client is spent")
		_, err = getJob(t.Context(), client)
		assert.NotContains(t, err.Error(), "budget")
		_, err = client.With(WithRetryBudget(-1))
		assertRefused(t, "retry budget", err)
	})
}

// TestRefusalsAreFree checks that neither a 429 nor a wait that the service
// asks for costs the budget.
func TestRefusalsAreFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, reply := range []func(*http.Request) (*http.Response, error){
			status(429, ``), status(429, ``, "Retry-After", "1"), status(503, ``, "Retry-After", "1"),
		} {
			client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 4}, reply)
			client, err := client.With(WithRetryBudget(0))
			require.NoError(t, err)
			_, err = getJob(t.Context(), client)
			require.Error(t, err)
			assert.Len(t, s.Times, 4)
			assert.Zero(t, client.config.budget.Debt())
		}
	})
}

// TestAskedWaitsOfNothing checks that a service that asks for a wait of 0 does
// not get the next request at once, and that the budget applies.
func TestAskedWaitsOfNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, status(503, ``, "Retry-After", "0"))
		start := time.Now()
		for range 1000 {
			_, err := getJob(t.Context(), client)
			require.ErrorIs(t, err, ErrServer)
		}
		assert.Less(t, len(s.Times), 1200)
		assert.Greater(t, time.Since(start), 10*time.Second)
	})
}

// refusingFor refuses with 429 until a time has passed since the first request.
func refusingFor(d time.Duration, hits *atomic.Int32) roundTrip {
	var once sync.Once
	var start time.Time
	return func(r *http.Request) (*http.Response, error) {
		once.Do(func() { start = time.Now() })
		hits.Add(1)
		if left := d - time.Since(start); left > 0 {
			return status(429, ``, "Retry-After", fmt.Sprint(math.Ceil(left.Seconds())))(r)
		}
		return okJob(r)
	}
}

// TestOneRefusalHoldsForAll checks how many requests forty staggered calls make while the
// service refuses calls for a second: one too many for one URL, and three for many.
func TestOneRefusalHoldsForAll(t *testing.T) {
	for _, test := range []struct {
		alone    bool
		urls     int
		requests int32
	}{{false, 1, 41}, {false, 40, 43}, {true, 1, 80}} {
		synctest.Test(t, func(t *testing.T) {
			var hits atomic.Int32
			client, err := NewClient("https://service.test", PrivateToken("x"),
				WithHTTPClient(&http.Client{Transport: refusingFor(time.Second, &hits)}),
				WithRetry(RetryPolicy{NoSharedPause: test.alone}))
			require.NoError(t, err)
			var wg sync.WaitGroup
			for i := range 40 {
				wg.Go(func() {
					time.Sleep(time.Duration(i) * 20 * time.Millisecond)
					_, _, err := client.Jobs.Get(t.Context(), ProjectID(1), int64(i%test.urls+1))
					assert.NoError(t, err)
				})
			}
			wg.Wait()
			assert.Equal(t, test.requests, hits.Load())
		})
	}
}

// TestRefusalsOfOthers checks that a refusal does not delay calls of another
// endpoint, credential or user, or calls that may not wait that long.
func TestRefusalsOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(429, ``, "Retry-After", "30"), okJob)
		_, err := getJob(t.Context(), client)
		require.ErrorIs(t, err, ErrRateLimited)
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err = getJob(short, client)
		require.NoError(t, err)
		_, err = getJob(t.Context(), client, WithRetry(RetryPolicy{MaxWait: time.Second}))
		require.NoError(t, err)
		_, err = getJob(t.Context(), client, WithCredential(PrivateToken("other")))
		require.NoError(t, err)
		_, err = getJob(t.Context(), client, WithSudo(UserID(3)))
		require.NoError(t, err)
		_, err = client.Do(t.Context(), "GET", EscapedPath("/version"), nil, nil)
		require.NoError(t, err)
		assert.Zero(t, time.Since(start))
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
		assert.Equal(t, 30*time.Second, time.Since(start))
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
		assert.Equal(t, 30*time.Second, time.Since(start))
		assert.Len(t, s.Times, 8)
		assert.Zero(t, client.config.pauses.Len(), "what is over is forgotten")
	})
}

func TestExtremeWaits(t *testing.T) {
	for _, policy := range []RetryPolicy{
		{MinWait: math.MaxInt64, MaxWait: math.MaxInt64}, {MinWait: 1, MaxWait: math.MaxInt64},
		{MinWait: math.MaxInt64, MaxWait: 1}, {MaxWait: 1},
	} {
		require.NoError(t, policy.check())
		for n := range 200 {
			assert.LessOrEqual(t, policy.draw(n), policy.MaxWait)
		}
	}
}

// TestUnsolicitedSwitch checks an unexpected 101: net/http would hand over the
// connection, without a deadline.
func TestUnsolicitedSwitch(t *testing.T) {
	hits := 0
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		hits++
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			t.Cleanup(func() { conn.Close() })
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		}
	})
	start := time.Now()
	_, err := getJob(t.Context(), client)
	assert.ErrorIs(t, err, errSwitched)
	assert.Less(t, time.Since(start), 3*time.Second)
	assert.Equal(t, 1, hits)
}

// TestPermanentFailuresAreNotRepeated causes them over sockets.
func TestPermanentFailuresAreNotRepeated(t *testing.T) {
	count := func(hits *atomic.Int32) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { hits.Add(1); w.WriteHeader(http.StatusProxyAuthRequired) }
	}
	failsOnce := func(t *testing.T, client *Client) error {
		var attempts *TransportError
		_, err := getJob(t.Context(), client)
		require.ErrorAs(t, err, &attempts)
		assert.Equal(t, 1, attempts.Attempts, "%v", err)
		return err
	}
	t.Run("proxy wants a password", func(t *testing.T) {
		var hits atomic.Int32
		proxy := httptest.NewServer(count(&hits))
		defer proxy.Close()
		transport := DefaultTransport()
		address, err := url.Parse(proxy.URL)
		require.NoError(t, err)
		transport.Proxy = http.ProxyURL(address)
		err = failsOnce(t, clientOf(t, "https://service.test", WithHTTPClient(&http.Client{Transport: transport})))
		assert.ErrorContains(t, err, "407")
		assert.EqualValues(t, 1, hits.Load())
	})
	t.Run("HTTP on a TLS port", func(t *testing.T) {
		plain := httptest.NewServer(http.NotFoundHandler())
		defer plain.Close()
		err := failsOnce(t, clientOf(t, "https"+plain.URL[len("http"):]))
		assert.ErrorContains(t, err, plain.Listener.Addr().String())
	})
	for name, config := range map[string]*tls.Config{
		"old version":        {MaxVersion: tls.VersionTLS11}, //nolint:gosec // that it is too old is the point
		"no protocol":        {NextProtos: []string{"other"}},
		"certificate":        {},
		"client certificate": {ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			server.Config.ErrorLog = discardLog
			server.TLS = config
			server.StartTLS()
			defer server.Close()
			transport := DefaultTransport()
			if name != "certificate" {
				transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
				transport.TLSClientConfig.NextProtos = []string{"http/1.1"}
			}
			err := failsOnce(t, clientOf(t, server.URL, WithHTTPClient(&http.Client{Transport: transport})))
			assert.ErrorContains(t, err, server.Listener.Addr().String(), "names the host")
		})
	}
}

// TestRefusedConnectionComesSoon checks that a refused connection is an error
// soon: more patience would only hide a wrong address.
func TestRefusedConnectionComesSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{}, refused)
		start := time.Now()
		_, err := getJob(t.Context(), client)
		require.Error(t, err)
		assert.Len(t, s.Times, 3)
		assert.Less(t, time.Since(start), time.Second)
	})
}

// TestUnreadDownloadsLeaveRoomForCalls checks that calls succeed while more
// unread downloads are open than there are connections.
func TestUnreadDownloadsLeaveRoomForCalls(t *testing.T) {
	release := make(chan struct{})
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v4/projects/1/jobs/8" {
			io.WriteString(w, `{"id":8}`)
			return
		}
		w.Header().Set("Content-Length", "100000000")
		w.Write(make([]byte, 1<<16))
		<-release
	})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 64 {
		d, _, err := client.JobArtifacts.Download(ctx, ProjectID(1), 8)
		require.NoError(t, err)
		defer d.Close()
	}
	short, cancelShort := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancelShort()
	_, err := getJob(short, client)
	require.NoError(t, err)
}

// dripping is a body that returns a byte every ten milliseconds until it is
// closed.
type dripping struct{ closed chan struct{} }

func (d *dripping) Read(p []byte) (int, error) {
	select {
	case <-d.closed:
		return 0, errors.New("read after close")
	case <-time.After(10 * time.Millisecond):
		return copy(p, "x"), nil
	}
}

func (d *dripping) Close() error {
	select {
	case <-d.closed:
	default:
		close(d.closed)
	}
	return nil
}

// TestEndlessBodiesNobodyWants checks that neither an ignored body nor the body
// of an error delays a call for long.
func TestEndlessBodiesNobodyWants(t *testing.T) {
	for code, want := range map[int]time.Duration{200: 250 * time.Millisecond, 404: 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
				resp, err := status(code, "")(r)
				resp.Body, resp.ContentLength = &dripping{make(chan struct{})}, -1
				return resp, err
			})
			start := time.Now()
			_, err := client.Do(t.Context(), "DELETE", EscapedPath("/things/1"), nil, nil)
			assert.InDelta(t, want.Seconds(), time.Since(start).Seconds(), 0.02)
			if code == 200 {
				require.NoError(t, err)
				return
			}
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.ErrorIs(t, err, ErrNotFound)
			assert.InDelta(t, 499, len(e.Message), 2, "what came until then is the message")
		})
	}
}

// TestEndlessBodyOverASocket checks that closing the body in the middle of a
// read ends the read.
func TestEndlessBodyOverASocket(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, "x"); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	start := time.Now()
	_, err := client.Do(t.Context(), "DELETE", EscapedPath("/things/1"), nil, nil)
	require.NoError(t, err)
	assert.Less(t, time.Since(start), 3*time.Second)
}

// TestBrokenResponsesAreNoResponses checks that errors do not describe
// responses that are incomplete.
func TestBrokenResponsesAreNoResponses(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, `{"id":8,`)
	}, WithRetry(RetryPolicy{MaxAttempts: 1}))
	_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
	var broken *TransportError
	require.ErrorAs(t, err, &broken)
	assert.Nil(t, resp)
	assert.Nil(t, broken.Last)
}

func TestAttemptTimeout(t *testing.T) {
	var hits atomic.Int32
	slow := true
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		first := hits.Add(1) == 1
		if r.URL.Path == "/api/v4/projects/1/jobs/8/artifacts" {
			w.Header().Set("Content-Length", "4")
			io.WriteString(w, "ab")
			w.(http.Flusher).Flush()
			time.Sleep(150 * time.Millisecond)
			io.WriteString(w, "cd")
			return
		}
		io.WriteString(w, `{"id":`)
		w.(http.Flusher).Flush()
		if first && slow {
			<-r.Context().Done()
			return
		}
		io.WriteString(w, `8}`)
	}, WithRetry(RetryPolicy{AttemptTimeout: 100 * time.Millisecond, MinWait: 1}))
	job, err := getJob(t.Context(), client)
	require.NoError(t, err)
	assert.EqualValues(t, 8, job.ID)
	assert.EqualValues(t, 2, hits.Load())

	hits.Store(0)
	var out Job
	_, err = client.Do(t.Context(), "POST", EscapedPath("/things"), 1, &out)
	require.ErrorIs(t, err, attempt.ErrTimeout)
	assert.EqualValues(t, 1, hits.Load(), "a write is not repeated")
	assert.True(t, MayHaveExecuted(err))

	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	content, err := io.ReadAll(d)
	require.NoError(t, err)
	assert.Equal(t, "abcd", string(content), "a transfer takes as long as it takes")
	require.NoError(t, d.Close())
}

// TestPanicsOfMiddleware checks that panics reach the caller, also of a walk.
func TestPanicsOfMiddleware(t *testing.T) {
	client := clientOf(t, "http://service.test", WithMiddleware(func(http.RoundTripper) http.RoundTripper {
		return roundTrip(func(*http.Request) (*http.Response, error) { panic("of the middleware") })
	}))
	assert.PanicsWithValue(t, "of the middleware", func() { _, _ = getJob(t.Context(), client) })
	assert.PanicsWithValue(t, "of the middleware",
		func() { _, _ = Collect(client.Jobs.All(t.Context(), ProjectID(1), nil)) })
	assertNoGoroutines(t)
}

// TestHeadersBelongToTheirRequest checks that a middleware may change the
// headers of a request.
func TestHeadersBelongToTheirRequest(t *testing.T) {
	var seen []string
	client := clientOf(t, "http://service.test", WithHeader("X-A", "a"),
		WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			for _, values := range r.Header {
				seen = append(seen, values...)
				values[0] = "changed"
			}
			return okJob(r)
		})}))
	for range 2 {
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		d.Close()
	}
	assert.NotContains(t, seen, "changed")
}

func TestDefaultTransportOfNetHTTP(t *testing.T) {
	old := http.DefaultTransport
	defer func() { http.DefaultTransport = old }()
	used := false
	http.DefaultTransport = roundTrip(func(r *http.Request) (*http.Response, error) { used = true; return okJob(r) })
	_, err := getJob(t.Context(), clientOf(t, "http://service.test", WithHTTPClient(http.DefaultClient)))
	require.NoError(t, err)
	assert.True(t, used)
}

func TestNoClientBesideAnError(t *testing.T) {
	client, err := NewClient("https://service.test", PrivateToken("x"), WithUserAgent(""))
	require.Error(t, err)
	assert.Nil(t, client)
	for _, bad := range []*Client{nil, new(Client)} {
		derived, err := bad.With()
		assertRefused(t, "client", err)
		assert.Nil(t, derived)
	}
	client, err = clientOf(t, "https://service.test").With(WithUserAgent(""))
	require.Error(t, err)
	assert.Nil(t, client)
}

// TestExecutedWritesSaySo checks writes that took effect although their
// responses cannot be decoded.
func TestExecutedWritesSaySo(t *testing.T) {
	for _, body := range []string{"", "{}", "null", `{"id":`, "[]"} {
		client := onWire(t, exchange{Method: "POST", Path: "/projects/4/jobs/8/retry", JSON: `{}`, Body: body})
		job, resp, err := client.Jobs.Retry(t.Context(), ProjectID(4), 8, RetryJobOptions{})
		var decode *DecodeError
		require.ErrorAs(t, err, &decode, "%q", body)
		assert.ErrorContains(t, err, "the service has executed the request", "%q", body)
		assert.Nil(t, job)
		assert.Equal(t, 200, resp.StatusCode)
	}
	client := onWire(t, exchange{Method: "GET", Path: "/projects/1/jobs/8", Body: "{}"})
	_, err := getJob(t.Context(), client)
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "executed")
}

func TestErrorsThatSayWhatToDo(t *testing.T) {
	client := onWire(t)
	for path, want := range map[string]string{
		"/acme/shop":                     `project path begins or ends with a slash; write "acme/shop"`,
		"acme/shop/":                     `project path begins or ends with a slash; write "acme/shop"`,
		"acme%2Fshop":                    `project path is escaped; write "acme/shop"`,
		"https://service.test/acme/shop": "project path is an address; write the path alone",
		"a//b":                           "project path contains an empty segment",
		"..%2fother":                     "project path",
	} {
		_, _, err := client.Jobs.Get(t.Context(), ProjectPath(path), 8)
		assert.ErrorContains(t, err, want, path)
	}
	_, _, err := client.RepositoryFiles.Get(t.Context(), ProjectID(1), "..%2fother",
		&GetRepositoryFileOptions{Ref: "main"})
	assertRefused(t, "file_path", err)
	for _, address := range []string{"https://service.test/api", "https://service.test/sub/api/v5/",
		"https://service.test/api/v10"} {
		_, err := NewClient(address, Anonymous())
		assert.ErrorContains(t, err, "must be that of the instance, without /api", address)
	}
	_, err = NewClient("https://service.test/apis", Anonymous())
	require.NoError(t, err)
	refusing := onWire(t, exchange{Method: "GET", Path: "/projects/1/jobs/8", Status: 401,
		Body: `{"message":"401 Unauthorized"}`})
	_, err = getJob(t.Context(), refusing)
	assert.ErrorContains(t, err, "(sent with PrivateToken)")
}

func TestBrokenJSONAfterAnOddMember(t *testing.T) {
	pages := map[string]string{"": `[{"id":"x"},{"id":2},{"id":3},{"id":4}`, "2": `[{"id":5}]`}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		page := r.URL.Query().Get("page")
		if page == "" {
			w.Header().Set("Link", `<?page=2>; rel=next`)
		}
		io.WriteString(w, pages[page])
	})
	jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil))
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	assert.False(t, decode.Partial)
	assert.Empty(t, jobs, "the walk ends where items were lost")
}

// TestKeysetCarriesANumberAlong checks links of keyset pagination that have a
// page number or a semicolon.
func TestKeysetCarriesANumberAlong(t *testing.T) {
	links := map[string]string{"": "a;b", "a;b": "c"}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		cursor := pages.ParseQuery(r.URL.RawQuery).Get("cursor")
		if next, ok := links[cursor]; ok {
			w.Header().Set("Link", `<`+r.URL.Path+`?page=1&cursor=`+next+`>; rel=next`)
		}
		fmt.Fprintf(w, `[{"name":%q}]`, cursor)
	})
	var names []string
	for job, err := range client.Jobs.All(t.Context(), ProjectID(1),
		&ListJobsOptions{ListOptions: ListOptions{Page: 1}}) {
		require.NoError(t, err)
		names = append(names, job.Name)
	}
	assert.Equal(t, []string{"", "a;b", "c"}, names)
}

// TestLinksBeatNumbers checks that links take precedence: if a page no longer
// exists, the link leads past it.
func TestLinksBeatNumbers(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		page, _ := pages.Number(r.URL.RawQuery)
		w.Header().Set("X-Total-Pages", "9")
		if next := map[int]int{1: 2, 2: 3, 3: 7, 7: 8}[page]; next > 0 {
			w.Header().Set("Link", fmt.Sprintf(`<?page=%d>; rel=next`, next))
		}
		fmt.Fprintf(w, `[{"id":%d}]`, page)
	})
	for _, n := range []int{1, 2, 8} {
		var ids []int64
		for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, WithConcurrentPages(n)) {
			require.NoError(t, err)
			ids = append(ids, job.ID)
		}
		assert.Equal(t, []int64{1, 2, 3, 7, 8}, ids, "%d pages at once", n)
	}
}

// TestLoopAfterPagesAtOnce checks that a list that leads back to a page is noticed if the page
// was one of several at once.
func TestLoopAfterPagesAtOnce(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		page, _ := pages.Number(r.URL.RawQuery)
		w.Header().Set("X-Total-Pages", "5")
		w.Header().Set("Link", fmt.Sprintf(`<?page=%d>; rel=next`, map[int]int{1: 2, 2: 3, 3: 4, 4: 3, 5: 6}[page]))
		fmt.Fprintf(w, `[{"id":%d}]`, page)
	})
	for _, n := range []int{1, 2, 8} {
		var ids []int64
		var last error
		for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, WithConcurrentPages(n)) {
			if last = err; err == nil {
				ids = append(ids, job.ID)
			}
		}
		assert.Equal(t, []int64{1, 2, 3, 4}, ids, "%d pages at once", n)
		assert.ErrorContains(t, last, "already read", "%d pages at once", n)
	}
}

func TestPageMetadataOfWalks(t *testing.T) {
	client, _ := serve(t, pagesOf(250, 0))
	for _, n := range []int{1, 8} {
		var log []string
		for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, WithConcurrentPages(n),
			WithPageObserver(func(r *Response) {
				log = append(log, fmt.Sprint("page of ", r.TotalPages, ", more: ", r.NextPageToken != ""))
			})) {
			require.NoError(t, err)
			if job.ID%100 == 1 {
				log = append(log, fmt.Sprint("item ", job.ID))
			}
		}
		assert.Equal(t, []string{"page of 3, more: true", "item 1", "page of 3, more: true", "item 101",
			"page of 3, more: false", "item 201"}, log)
	}
}

// TestLongBodiesArePieces checks that long bodies are decoded like short ones,
// and that the largest limit means no limit.
func TestLongBodiesArePieces(t *testing.T) {
	for _, size := range []int{buffers.PieceSize - 40, buffers.PieceSize - 2, buffers.PieceSize - 1, buffers.PieceSize,
		buffers.PieceSize + 1, 3*buffers.PieceSize + 7} {
		name := strings.Repeat("0123456789abcdef", size/16+1)[:size-len(`{"name":""}`)]
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("announce") {
				w.Header().Set("Content-Length", fmt.Sprint(size))
			}
			fmt.Fprintf(w, `{"name":%q}`, name)
		})
		for _, opt := range []RequestOption{WithQuery("announce", "1"), WithMaxResponseSize(int64(size)),
			WithMaxResponseSize(math.MaxInt64)} {
			job, err := getJob(t.Context(), client, opt)
			require.NoError(t, err, size)
			assert.True(t, job.Name == name, size)
		}
		for _, opts := range [][]RequestOption{{WithMaxResponseSize(int64(size) - 1)},
			{WithMaxResponseSize(int64(size) - 1), WithQuery("announce", "1")}} {
			_, err := getJob(t.Context(), client, opts...)
			assert.ErrorContains(t, err, "longer than", size)
		}
	}
}

func TestCutLongBodiesAreRepeated(t *testing.T) {
	hits := 0
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		hits++
		w.Header().Set("Content-Length", fmt.Sprint(2*buffers.PieceSize))
		w.Write([]byte(`{"id":8}`))
		rest := 2*buffers.PieceSize - 8
		if hits == 1 {
			rest -= 1000
		}
		io.WriteString(w, strings.Repeat(" ", rest))
	})
	job, err := getJob(t.Context(), client)
	require.NoError(t, err)
	assert.EqualValues(t, 8, job.ID)
	assert.Equal(t, 2, hits)
}

func TestGraphQLAllWithoutAConnection(t *testing.T) {
	query := GraphQLRequest{Query: "query($after: String) { x { pageInfo { hasNextPage endCursor } } }"}
	_, err := Collect(GraphQLAll[int, int](t.Context(), onWire(t), query, nil))
	assertRefused(t, "connection", err)
	_, err = Collect(GraphQLAll(t.Context(), nil, query, func(*int) *GraphQLConnection[int] { return nil }))
	assertRefused(t, "client", err)
}

var errOfConn = errors.New("of the connection")

// TestWeirdTransports checks that what they return makes the call fail, but not
// the program.
func TestWeirdTransports(t *testing.T) {
	for name, transport := range map[string]roundTrip{
		"nothing": func(*http.Request) (*http.Response, error) { return nil, nil },
		"no body": func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil },
		"dial error": func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Err: errOfConn}
		},
	} {
		client := clientOf(t, "http://service.test", WithHTTPClient(&http.Client{Transport: transport}),
			WithRetry(RetryPolicy{MaxAttempts: 1}))
		_, err := getJob(t.Context(), client)
		var broken *TransportError
		require.ErrorAs(t, err, &broken, name)
	}
}

var discardLog = log.New(io.Discard, "", 0)
