package serviceapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResultsOfDo checks the results that are returned with an error, for each
// kind of out.
func TestResultsOfDo(t *testing.T) {
	ctx, things := t.Context(), Route("/things")
	good := func(body string, header ...string) *Client {
		client, _ := scriptedClient(t, RetryPolicy{}, status(200, body, header...))
		return client
	}
	bad, _ := scriptedClient(t, RetryPolicy{}, status(404, `{"message":"gone"}`))
	for name, out := range map[string]any{"nothing": nil, "object": new(Job), "writer": new(strings.Builder)} {
		resp, err := bad.Do(ctx, "GET", things, nil, out)
		require.ErrorIs(t, err, ErrNotFound, name)
		require.NotNil(t, resp, name)
		assert.Equal(t, 404, resp.StatusCode, name)
		resp, err = good(`{"id":8}`).Do(ctx, "GET", things, nil, out)
		require.NoError(t, err, name)
		require.NotNil(t, resp, name)
		assert.Equal(t, 200, resp.StatusCode, name)
		resp, err = good(`{"id":8}`).Do(ctx, "GET", Route("/x/:id", 0), nil, out)
		assertRefused(t, "id", err)
		assert.Nil(t, resp, name)
	}
	var out []Job
	resp, err := good(`[{"id":8}]`, "Link", "broken").Do(ctx, "GET", things, nil, &out)
	var link *PaginationError
	require.ErrorAs(t, err, &link)
	assert.NotNil(t, resp)
	assert.Len(t, out, 1, "the page itself is good")
	resp, err = good(`{"id":[]}`).Do(ctx, "GET", things, nil, new(Job))
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	assert.NotNil(t, resp)

	full := errors.New("the disk is full")
	resp, err = good("content").Do(ctx, "GET", things, nil, writerFunc(func([]byte) (int, error) { return 0, full }))
	require.ErrorIs(t, err, full)
	require.NotNil(t, resp)
	assert.Equal(t, 200, resp.StatusCode)

	jobs, resp, err := List[*Job](ctx, good(`[{"id":8}]`), things, nil)
	require.NoError(t, err)
	assert.NotNil(t, resp)
	assert.Len(t, jobs, 1)
	job, resp, err := Get[Job](ctx, good(`{"id":8}`), things)
	require.NoError(t, err)
	assert.NotNil(t, resp)
	assert.EqualValues(t, 8, job.ID)
	runner, resp, err := good(`{"id":1,"token":"x"}`).Runners.Register(ctx,
		RegisterRunnerOptions{Token: NewSecret("x")})
	require.NoError(t, err)
	assert.NotNil(t, resp)
	assert.EqualValues(t, 1, runner.ID)
	_, _, err = good("").Runners.Register(ctx, RegisterRunnerOptions{Token: NewSecret("x")}, WithMaxResponseSize(0))
	assertRefused(t, "maximum response size", err)
}

// byValue is a writer that is a struct.
type byValue struct{ *strings.Builder }

func TestOutOfDo(t *testing.T) {
	for _, tc := range []struct {
		method string
		out    any
		want   string
	}{
		{"GET", nil, ""}, {"GET", new(int), ""}, {"POST", new(strings.Builder), ""},
		{"GET", byValue{new(strings.Builder)}, ""}, {"GET", writerFunc(nil), ""},
		{"HEAD", nil, ""}, {"PUT", new(int), ""}, {"PATCH", nil, ""}, {"DELETE", nil, ""},
		{"HEAD", new(int), "out must be nil: the response to HEAD has no body"},
		{"GET", 7, "out must be a pointer or an io.Writer, but is int"},
		{"GET", Job{}, "out must be a pointer or an io.Writer, but is serviceapi.Job"},
		{"GET", (*int)(nil), "out is a nil pointer"}, {"GET", (*strings.Builder)(nil), "out is a nil pointer"},
		{"get", nil, "method is none of GET, HEAD, POST, PUT, PATCH and DELETE"},
		{"OPTIONS", nil, "method is none of GET, HEAD, POST, PUT, PATCH and DELETE"},
		{"", nil, "method is none of GET, HEAD, POST, PUT, PATCH and DELETE"},
	} {
		_, isWriter := tc.out.(io.Writer)
		err := checkDo(tc.method, tc.out, isWriter)
		if tc.want == "" {
			assert.NoError(t, err, "%s %T", tc.method, tc.out)
		} else {
			assert.EqualError(t, err, "serviceapi: "+tc.want)
		}
	}
}

// TestStreamsOfDoAreClosed checks that streams are closed, however the copy
// ends.
func TestStreamsOfDoAreClosed(t *testing.T) {
	for _, w := range []io.Writer{new(bytes.Buffer),
		writerFunc(func([]byte) (int, error) { return 0, io.ErrShortWrite })} {
		body := &watchedBody{Reader: strings.NewReader("content")}
		_, _ = bodyClient(t, 200, body, 7).Do(t.Context(), "GET", Route("/x"), nil, w)
		assert.Positive(t, body.closed)
	}
}

// TestCallsThatCannotBeMade checks that the errors say why.
func TestCallsThatCannotBeMade(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, okJob)
	var nobody context.Context
	for want, call := range map[string]func() error{
		"GET /x: client was not made by NewClient": func() error {
			_, err := new(Client).Do(t.Context(), "GET", Route("/x"), nil, nil)
			return err
		},
		"GET /x: context is nil": func() error {
			_, err := client.Do(nobody, "GET", Route("/x"), nil, nil)
			return err
		},
		"endpoint was not made by Route or EscapedPath": func() error {
			_, err := client.Do(t.Context(), "GET", Endpoint{}, nil, nil)
			return err
		},
		"GET /x/:id: id must be a positive number, but is -3": func() error {
			_, err := client.Do(t.Context(), "GET", Route("/x/:id", -3), nil, nil)
			return err
		},
		"GET /x: body field a cannot be added: the call has no body": func() error {
			_, err := client.Do(t.Context(), "GET", Route("/x"), nil, nil, WithBodyField("a", 1))
			return err
		},
		"GET /x: options cannot be sent as a query: query: Values() expects struct input. Got int": func() error {
			_, _, err := List[*Job](t.Context(), client, Route("/x"), 7)
			return err
		},
	} {
		assert.EqualError(t, call(), "serviceapi: "+want)
	}
	_, err := client.Do(t.Context(), "POST", Route("/x"), make(chan int), nil)
	assertRefused(t, "options", err)
	assert.ErrorContains(t, err, "options cannot be sent as JSON: ")
	assert.False(t, MayHaveExecuted(err))
}

// TestURLsOfCalls checks URLs for base URLs with a path, a port or an escape,
// and for escaped paths below the API or not.
func TestURLsOfCalls(t *testing.T) {
	for _, tc := range []struct {
		base  string
		e     Endpoint
		query url.Values
		want  string
	}{
		{"https://service.test", Route("/x"), nil, "https://service.test/api/v4/x"},
		{"https://service.test/sub/", Route("/x/:id", "a/b"), nil, "https://service.test/sub/api/v4/x/a%2Fb"},
		{"http://127.0.0.1:8080/my%20service", Route("/x"), url.Values{"b": {"2"}, "a": {"1", "/"}},
			"http://127.0.0.1:8080/my%20service/api/v4/x?a=1&a=%2F&b=2"},
		{"https://service.test/sub", instanceRoute("/jwt/auth"), nil, "https://service.test/sub/jwt/auth"},
		{"https://service.test", EscapedPath("/a%2fb/c%20d"), nil, "https://service.test/api/v4/a%2fb/c%20d"},
	} {
		client, err := NewClient(tc.base, Anonymous())
		require.NoError(t, err)
		cl, err := newCall(t.Context(), client, "GET", tc.e, queryOf(tc.query), nil)
		require.NoError(t, err)
		assert.Equal(t, tc.want, cl.url().String())
	}
}

// TestQueriesSurviveTheWire checks that any names and values, from options and
// from the caller, reach the service unchanged.
func TestQueriesSurviveTheWire(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 23))
	var got url.Values
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		var err error
		got, err = url.ParseQuery(r.URL.RawQuery)
		require.NoError(t, err)
		require.Empty(t, r.URL.Fragment)
		return okJob(r)
	})
	for range 1000 {
		options, own, want := make(url.Values), make(url.Values), make(url.Values)
		for _, values := range []url.Values{options, own} {
			for range random.IntN(4) {
				name := "n" + randomText(random)
				values[name] = nil
				for range 1 + random.IntN(3) {
					values.Add(name, randomText(random))
				}
				want[name] = values[name] // the caller's own take precedence
			}
		}
		var opts []RequestOption
		for name, values := range own {
			opts = append(opts, WithQuery(name, values...))
		}
		cl, err := newCall(t.Context(), client, "GET", Route("/x"), queryOf(options), opts)
		require.NoError(t, err)
		_, _, err = fetch[Job](cl, nil)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// TestOptionsReplaceOneAnother checks that options of a call take precedence
// over those of the client, and later ones over earlier ones.
func TestOptionsReplaceOneAnother(t *testing.T) {
	var got *http.Request
	client, _ := scriptedClient(t, RetryPolicy{},
		func(r *http.Request) (*http.Response, error) { got = r; return okJob(r) })
	client, err := client.With(WithQuery("a", "client"), WithQuery("b", "client"), WithHeader("X-A", "client"),
		WithHeader("X-B", "client"))
	require.NoError(t, err)
	_, err = getJob(t.Context(), client, WithQuery("a", "call", "twice"), WithQuery("c"), WithHeader("x-a", "call"),
		WithHeader("x-a", "last"))
	require.NoError(t, err)
	assert.Equal(t, "a=call&a=twice&b=client", got.URL.RawQuery)
	assert.Equal(t, []string{"last"}, got.Header["X-A"])
	assert.Equal(t, []string{"client"}, got.Header["X-B"])
	values := []string{"x"}
	option := WithQuery("q", values...)
	_, err = getJob(t.Context(), client, option)
	require.NoError(t, err)
	values[0] = "changed"
	_, err = getJob(t.Context(), client)
	require.NoError(t, err)
	assert.Equal(t, "a=client&b=client", got.URL.RawQuery, "a call's options are its own")
}

func TestOptionsThatAreRefused(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, okJob)
	const credential = "cannot be set here: use WithCredential or WithSudo"
	for want, opt := range map[string]Option{
		"HTTP client is nil": WithHTTPClient(nil),
		"middleware is nil": WithMiddleware(func(rt http.RoundTripper) http.RoundTripper {
			return rt
		}, nil),
		"sudo does not identify a user":                                          WithSudo(UserID(0)),
		"query parameter  " + credential:                                         WithQuery(""),
		"query parameter sudo " + credential:                                     WithQuery("sudo", "root"),
		"body field private_token " + credential:                                 WithBodyField("private_token", "x"),
		"body field  is empty, or contains a control character or invalid UTF-8": WithBodyField("", "x"),
		"maximum response size must be positive":                                 WithMaxResponseSize(0),
		"retry budget must not be negative":                                      WithRetryBudget(-1),
		"MinWait must not be negative":                                           WithRetry(RetryPolicy{MinWait: -1}),
		"number of concurrent pages must be from 1 to 64":                        WithConcurrentPages(65),
		"longest poll interval must not be shorter than the first":               WithPollInterval(2, 1),
		"first poll interval must be positive":                                   WithPollInterval(0, 1),
		"dump has no writer":                                                     WithDump(nil, DumpOptions{}),
		"MaxBody must not be negative": WithDump(io.Discard,
			DumpOptions{MaxBody: -1}),
		"offset must not be negative":                            WithDownloadOffset(-1, `"a"`),
		"header If-None-Match contains a control character":      WithIfNoneMatch("a\nb"),
		"credential is nil; use Anonymous() to call without one": WithCredential(nil),
	} {
		got, err := client.With(opt)
		assert.EqualError(t, err, "serviceapi: "+want)
		assert.Nil(t, got)
	}
	for _, opt := range []Option{
		WithSudo(UserID(1)), WithSudo(Username("a")), WithMaxResponseSize(1), WithRetryBudget(0),
		WithConcurrentPages(1), WithConcurrentPages(64),
		WithPollInterval(1, 1), WithLimiter(nil), WithLogger(nil), WithDump(io.Discard, DumpOptions{MaxBody: 1}),
		WithQuery("a"), WithQuery("private", "x"),
	} {
		_, err := client.With(opt)
		assert.NoError(t, err)
	}
	_, err := getJob(t.Context(), client, WithConcurrentPages(0))
	assertRefused(t, "number of concurrent pages", err)
	var none *Client
	_, err = none.With()
	assertRefused(t, "client", err)
	_, err = new(Client).With()
	assertRefused(t, "client", err)
}

// TestConditionalHeaders checks that entity tags are sent unchanged, and times
// in UTC with the next second, whether they are whole or not: a response shows only a part of
// the fraction.
func TestConditionalHeaders(t *testing.T) {
	var got http.Header
	client, _ := scriptedClient(t, RetryPolicy{},
		func(r *http.Request) (*http.Response, error) { got = r.Header; return okJob(r) })
	for _, fraction := range []int{0, 1, 999, 999_999_999} {
		at := time.Date(2026, 3, 1, 12, 30, 15, fraction, time.FixedZone("", 2*60*60))
		_, err := getJob(t.Context(), client, WithIfNoneMatch(`W/"abc"`), WithIfUnmodifiedSince(at))
		require.NoError(t, err)
		assert.Equal(t, []string{`W/"abc"`}, got["If-None-Match"])
		assert.Equal(t, []string{"Sun, 01 Mar 2026 10:30:16 GMT"}, got["If-Unmodified-Since"])
	}
}

func TestDefaultSizeLimit(t *testing.T) {
	for announced, refused := range map[int64]bool{64 << 20: false, 64<<20 + 1: true} {
		_, err := getJob(t.Context(), bodyClient(t, 200, &watchedBody{Reader: strings.NewReader(`{"id":8}`)},
			announced))
		assert.Equal(t, refused, err != nil, announced)
		if refused {
			assert.ErrorContains(t, err, "longer than 67108864 bytes")
		}
	}
}

// TestExpectOfEveryBody checks that Expect is not sent with an empty body, and
// is sent with one of unknown length.
func TestExpectOfEveryBody(t *testing.T) {
	var got http.Header
	client, _ := scriptedClient(t, RetryPolicy{},
		func(r *http.Request) (*http.Response, error) { got = r.Header; return okJob(r) })
	_, err := exec(t.Context(), client, "POST", Route("/x"), formOf(&ListOptions{}), nil)
	require.NoError(t, err)
	assert.Empty(t, got.Get("Expect"), "an empty form")
	assert.Equal(t, "application/x-www-form-urlencoded", got.Get("Content-Type"))
	require.NoError(t, uploadTo(t.Context(), client,
		Upload{Filename: "a", Content: io.MultiReader(strings.NewReader("content"))}))
	assert.Equal(t, "100-continue", got.Get("Expect"), "a stream")
	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: strings.NewReader("content")}))
	assert.Empty(t, got.Get("Expect"), "a short file")
	require.NoError(t, uploadTo(t.Context(), client,
		Upload{Filename: "a", Content: strings.NewReader(strings.Repeat("x", 1<<20))}))
	assert.Equal(t, "100-continue", got.Get("Expect"), "a long file")
}
