package serviceapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/racing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// watchedBody records what is done with the body of a response.
type watchedBody struct {
	io.Reader
	read   int64
	reads  int
	closed int
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.read, b.reads = b.read+int64(n), b.reads+1
	return n, err
}

func (b *watchedBody) Close() error {
	b.closed++
	return nil
}

// bodyClient returns a client that gets this body each time; announced is its
// Content-Length, -1 if it has none.
func bodyClient(t *testing.T, code int, body *watchedBody, announced int64, header ...string) *Client {
	t.Helper()
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, func(r *http.Request) (*http.Response, error) {
		resp, err := status(code, "", header...)(r)
		resp.Body, resp.ContentLength = body, announced
		return resp, err
	})
	return client
}

// TestBodiesAreClosed checks that bodies are closed, whatever is done with
// them.
func TestBodiesAreClosed(t *testing.T) {
	for name, tc := range map[string]struct {
		code   int
		header []string
		call   func(*Client) error
	}{
		"object": {200, nil, func(c *Client) error { _, err := getJob(t.Context(), c); return err }},
		"odd encoding": {200, []string{"Content-Encoding", "br"},
			func(c *Client) error { _, err := getJob(t.Context(), c); return err }},
		"error": {404, nil, func(c *Client) error { _, err := getJob(t.Context(), c); return err }},
		"nobody wants it": {200, nil, func(c *Client) error {
			_, err := c.JobArtifacts.Delete(t.Context(), ProjectID(1), 8)
			return err
		}},
		"odd stream": {200, []string{"Content-Encoding", "br"},
			func(c *Client) error { _, _, err := c.Jobs.Trace(t.Context(), ProjectID(1), 8); return err }},
		"refused stream": {403, nil,
			func(c *Client) error { _, _, err := c.Jobs.Trace(t.Context(), ProjectID(1), 8); return err }},
		"switch": {101, nil, func(c *Client) error { _, err := getJob(t.Context(), c); return err }},
		"bad location": {302, []string{"Location", "ftp://x/"},
			func(c *Client) error { _, err := getJob(t.Context(), c); return err }},
	} {
		body := &watchedBody{Reader: strings.NewReader(`{"id":8}`)}
		_ = tc.call(bodyClient(t, tc.code, body, -1, tc.header...))
		assert.Positive(t, body.closed, name)
	}
	body := &watchedBody{Reader: strings.NewReader("log")}
	d, _, err := bodyClient(t, 200, body, 3).Jobs.Trace(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	assert.Zero(t, body.closed, "a stream is the caller's")
	require.NoError(t, d.Close())
	assert.Positive(t, body.closed)
}

// TestOddEncodingsAreNamed checks that the error of every kind of call names an
// unknown encoding.
func TestOddEncodingsAreNamed(t *testing.T) {
	for _, encoding := range []string{"br", "gzip", "x\ny"} {
		client := bodyClient(t, 200, &watchedBody{Reader: strings.NewReader(`{"id":8}`)}, -1, "Content-Encoding",
			encoding)
		want := fmt.Sprintf("content encoding %q was not requested", encoding)
		_, err := getJob(t.Context(), client)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode)
		assert.EqualError(t, decode.Err, want)
		_, _, err = client.Jobs.Trace(t.Context(), ProjectID(1), 8)
		require.ErrorAs(t, err, &decode)
		assert.EqualError(t, decode.Err, want)
	}
	for _, encoding := range []string{"identity", "IDENTITY", ""} {
		client := bodyClient(t, 200, &watchedBody{Reader: strings.NewReader(`{"id":8}`)}, -1, "Content-Encoding",
			encoding)
		_, err := getJob(t.Context(), client)
		assert.NoError(t, err, encoding)
	}
}

// longText is a string in which no two parts are the same.
var longText = sync.OnceValue(func() string {
	var b []byte
	for n := 0; len(b) < 4*buffers.PieceSize; n++ {
		b = append(strconv.AppendInt(b, int64(n), 10), ' ')
	}
	return string(b)
})

// textOfSize is a JSON string of this many bytes.
func textOfSize(size int64) string { return `"` + longText()[:size-2] + `"` }

// TestSizeLimits checks that a response as long as the limit is read
// completely, however it is sent, and that one with one more byte is refused.
func TestSizeLimits(t *testing.T) {
	ways := map[string]func(io.Reader) io.Reader{
		"at once":      func(r io.Reader) io.Reader { return r },
		"with its end": iotest.DataErrReader,
		"in halves":    iotest.HalfReader,
	}
	if racing.Enabled { // a byte takes ten times as long, and no goroutine is involved
		delete(ways, "at once")
		delete(ways, "with its end")
	}
	for _, limit := range []int64{3, 100, buffers.PieceSize - 1, buffers.PieceSize, buffers.PieceSize + 1,
		2 * buffers.PieceSize, 2*buffers.PieceSize + 1} {
		for _, size := range []int64{limit - 1, limit, limit + 1} {
			want := textOfSize(size)
			for name, way := range ways {
				for _, announced := range []int64{size, -1} {
					body := &watchedBody{Reader: way(strings.NewReader(want))}
					client := bodyClient(t, 200, body, announced)
					var out string
					var raw json.RawMessage
					_, err := client.Do(t.Context(), http.MethodGet, EscapedPath("/x"), nil, &out,
						WithMaxResponseSize(limit), WithRawJSON(&raw))
					if size > limit {
						var decode *DecodeError
						require.ErrorAs(t, err, &decode)
						require.EqualError(t, decode.Err, fmt.Sprintf("longer than %d bytes", limit),
							"%d of %d bytes %s", size, limit, name)
						require.LessOrEqual(t, body.read, limit+1, "no more is read than shows it")
						require.Empty(t, out)
						unread := announced > limit && limit >= buffers.PieceSize
						require.Equal(t, unread, body.reads == 0,
							"what says that it is too long is not read, where that is worth it")
						require.Equal(t, unread, decode.Excerpt == "")
						continue
					}
					require.NoError(t, err, "%d of %d bytes %s", size, limit, name)
					require.True(t, want == `"`+out+`"`, "%d of %d bytes %s", size, limit, name)
					require.True(t, want == string(raw), "%d of %d bytes %s", size, limit, name)
				}
			}
		}
	}
	var out string
	_, err := bodyClient(t, 200, &watchedBody{Reader: strings.NewReader(`"x"`)}, 3).Do(t.Context(), http.MethodGet,
		EscapedPath("/x"), nil, &out, WithMaxResponseSize(math.MaxInt64))
	require.NoError(t, err)
	assert.Equal(t, "x", out)
}

// TestBodiesThatBreak checks that a part of a body is never taken for the
// whole, wherever it breaks and whatever the reader returns.
func TestBodiesThatBreak(t *testing.T) {
	text := textOfSize(3 * buffers.PieceSize)
	for _, at := range []int64{0, 1, buffers.PieceSize - 1, buffers.PieceSize, buffers.PieceSize + 1,
		2 * buffers.PieceSize, 2*buffers.PieceSize + 9, 3*buffers.PieceSize - 1, 3 * buffers.PieceSize} {
		for _, broken := range []error{io.ErrUnexpectedEOF, errors.New("reset")} {
			for _, announced := range []int64{3 * buffers.PieceSize, -1} {
				body := &watchedBody{Reader: io.MultiReader(strings.NewReader(text[:at]), iotest.ErrReader(broken))}
				var out string
				resp, err := bodyClient(t, 200, body, announced).Do(t.Context(), http.MethodGet, EscapedPath("/x"), nil,
					&out)
				var te *TransportError
				require.ErrorAs(t, err, &te, "at %d", at)
				require.ErrorIs(t, err, broken)
				require.Nil(t, resp)
				require.Nil(t, te.Last)
				require.Empty(t, out)
				require.Positive(t, body.closed)
			}
		}
	}
}

// TestUnwantedBodiesAreReadInPart checks that unwanted bodies are read if that
// is cheap, so that their connection can be used again.
func TestUnwantedBodiesAreReadInPart(t *testing.T) {
	for size, want := range map[int64]int64{10: 10, 64 << 10: 64 << 10, 64<<10 + 1: 64 << 10, 1 << 20: 64 << 10} {
		body := &watchedBody{Reader: strings.NewReader(strings.Repeat("x", int(size)))}
		_, err := bodyClient(t, 200, body, size).JobArtifacts.Delete(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		assert.Equal(t, want, body.read)
	}
	broken := &watchedBody{Reader: iotest.ErrReader(io.ErrUnexpectedEOF)}
	_, err := bodyClient(t, 204, broken, -1).JobArtifacts.Delete(t.Context(), ProjectID(1), 8)
	assert.NoError(t, err, "the service has deleted it")
}

// TestErrorBodiesAreCut checks that error bodies are cut at a megabyte,
// announced or not.
func TestErrorBodiesAreCut(t *testing.T) {
	for _, size := range []int64{1<<20 - 1, 1 << 20, 1<<20 + 1, 5 << 20} {
		for _, announced := range []int64{size, -1} {
			body := &watchedBody{Reader: strings.NewReader(strings.Repeat("x", int(size)))}
			_, err := getJob(t.Context(), bodyClient(t, 404, body, announced))
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Len(t, e.Body, int(min(size, 1<<20)))
			assert.LessOrEqual(t, body.read, int64(1<<20+1))
		}
	}
}

// TestFailures checks the types of errors that a call returns, and their
// fields.
func TestFailures(t *testing.T) {
	a := responseTo(t, "", nil)
	request := a.resp.Request
	a.resp, a.attempts, a.stopped, a.uncertain = nil, 3, budgetSpent, true
	wrap := func(err error) error {
		return &url.Error{Op: "Post", URL: "https://service.test/?secret=x", Err: &url.Error{Err: err}}
	}
	for _, own := range []error{&RedirectError{Reason: "r"}, &DecodeError{Err: io.EOF}, &ArgumentError{Argument: "a"}} {
		assert.Same(t, own, a.failure(wrap(own)))
	}
	err := a.failure(wrap(io.ErrUnexpectedEOF))
	assert.Equal(t, &TransportError{CallInfo: CallInfo{Method: "POST", Operation: "/things",
		URL: "https://service.test/api/v4/things"},
		Attempts: 3, Err: io.ErrUnexpectedEOF, stopped: budgetSpent, uncertain: true}, err)
	var e *TransportError
	for code, want := range map[int]bool{200: false, 299: false, 300: true, 404: true, 503: true} {
		a.resp, _ = status(code, "")(request)
		require.ErrorAs(t, a.failure(io.EOF), &e)
		assert.Equal(t, want, e.Last != nil, code)
	}
}

// TestCausesOfTheContext checks that the error contains the cause of a context
// once.
func TestCausesOfTheContext(t *testing.T) {
	reason := errors.New("the user went home")
	cause := func(end func(context.CancelCauseFunc), err error) error {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		end(cancel)
		a := responseTo(t, "", nil)
		a.call.ctx = ctx
		return a.cause(err)
	}
	never := func(context.CancelCauseFunc) {}
	plain := func(cancel context.CancelCauseFunc) { cancel(nil) }
	because := func(cancel context.CancelCauseFunc) { cancel(reason) }
	assert.Same(t, io.EOF, cause(never, io.EOF))
	assert.Same(t, io.EOF, cause(never, &url.Error{Err: io.EOF}))
	assert.EqualError(t, cause(plain, io.EOF), "context canceled: EOF")
	assert.EqualError(t, cause(plain, context.Canceled), "context canceled")
	assert.EqualError(t, cause(because, io.EOF), "context canceled: EOF: the user went home")
	assert.EqualError(t, cause(because, context.Canceled), "context canceled: the user went home")
	err := cause(because, reason)
	assert.EqualError(t, err, "context canceled: the user went home")
	assert.ErrorIs(t, err, reason)
	assert.ErrorIs(t, err, context.Canceled)
}

// TestBudgetIsPartOfTheError checks that the error of a broken connection also
// names the budget.
func TestBudgetIsPartOfTheError(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, reset)
	client, err := client.With(WithRetryBudget(0))
	require.NoError(t, err)
	owe(client, 5)
	_, err = getJob(t.Context(), client)
	var te *TransportError
	require.ErrorAs(t, err, &te)
	assert.ErrorContains(t, err, "(not repeated: the retry budget of the client is spent)")
	client, _ = scriptedClient(t, RetryPolicy{MaxAttempts: 1}, reset)
	_, err = getJob(t.Context(), client)
	assert.NotContains(t, err.Error(), "budget")
}

// TestRefusals checks which type of error each error status becomes.
func TestRefusals(t *testing.T) {
	for code, want := range map[int]string{
		150: "*serviceapi.Error", 199: "*serviceapi.Error", 300: "*serviceapi.RedirectError",
		302: "*serviceapi.RedirectError", 304: "*serviceapi.Error", 305: "*serviceapi.RedirectError",
		399: "*serviceapi.RedirectError", 400: "*serviceapi.Error", 429: "*serviceapi.RateLimitError",
		599: "*serviceapi.Error",
	} {
		client := bodyClient(t, code, &watchedBody{Reader: strings.NewReader("")}, 0)
		_, err := getJob(t.Context(), client)
		assert.Equal(t, want, fmt.Sprintf("%T", err), code)
		if redirect, ok := err.(*RedirectError); ok {
			assert.Equal(t, &RedirectError{CallInfo: CallInfo{Method: "GET", Operation: "/projects/:id/jobs/:job_id",
				URL: "https://service.test/api/v4/projects/1/jobs/8"},
				StatusCode: code, Reason: "it has no usable Location"}, redirect)
		}
	}
}

// TestBodyErrors checks the errors of responses with a good status whose body
// reports an error.
func TestBodyErrors(t *testing.T) {
	const secret = "s3cr3t-t0ken-value"
	a := responseTo(t, secret, nil)
	a.resp, _ = status(200, "", "X-Request-Id", "r-1")(a.resp.Request)
	a.attempts = 2
	e := a.bodyError([]byte(`["` + secret + ` is bad","too"]`))
	e.header = nil
	assert.Equal(t, &Error{CallInfo: CallInfo{Method: "POST", Operation: "/things",
		URL: "https://service.test/api/v4/things"},
		StatusCode: 200, Message: "[redacted] is bad; too",
		RequestID: "r-1", Attempts: 2, Body: []byte(`["[redacted] is bad","too"]`)}, e)
	for _, body := range []string{"", "null", "{}", "[]", `""`} {
		assert.Equal(t, "the service refused without a reason", a.bodyError([]byte(body)).Message, body)
	}
	a.resp.Request = &http.Request{URL: &url.URL{Scheme: "https", Host: "other.test", Path: "/x",
		RawQuery: "signature=1"}}
	assert.Equal(t, "https://other.test/x", a.bodyError(nil).URL)
}

// countedBody counts the bodies that are open.
type countedBody struct {
	io.ReadCloser
	open *atomic.Int64
	once atomic.Bool
}

func (b *countedBody) Close() error {
	if !b.once.Swap(true) {
		b.open.Add(-1)
	}
	return b.ReadCloser.Close()
}

// countBodies returns an option for the number of bodies that were received and not closed.
func countBodies(open *atomic.Int64) Option {
	return WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return RoundTripFunc(func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err == nil {
				open.Add(1)
				resp.Body = &countedBody{ReadCloser: resp.Body, open: open}
			}
			return resp, err
		})
	})
}

// TestExportClosesWhatItCompares checks that the archives that are opened to compare them
// are closed.
func TestExportClosesWhatItCompares(t *testing.T) {
	var open atomic.Int64
	scheduled := false
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			scheduled = true
			w.WriteHeader(http.StatusAccepted)
		case r.URL.Path == "/api/v4/projects/4/export":
			fmt.Fprint(w, exportState(ExportStateFinished))
		default:
			w.Header().Set("Etag", fmt.Sprintf(`"%t"`, scheduled))
			fmt.Fprint(w, "archive")
		}
	}, countBodies(&open))
	_, err := client.ProjectExport.ScheduleAndWait(t.Context(), ProjectID(4), ScheduleExportOptions{},
		WithPollInterval(time.Millisecond, time.Millisecond))
	require.NoError(t, err)
	assert.Zero(t, open.Load())
}

// TestEveryMethodClosesBodies calls each method that does not return a stream with several
// kinds of responses, after which no body is open.
func TestEveryMethodClosesBodies(t *testing.T) {
	var open, sent atomic.Int64
	for body, code := range map[string]int{
		`{}`: 200, `[]`: 200, `[{"id":1`: 200, ``: 204, `{"message":"304"}`: 304, `{"message":"404"}`: 404, `<p>`: 500,
	} {
		client := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) {
			sent.Add(1)
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}, countBodies(&open), WithRetry(RetryPolicy{MaxAttempts: 1}))
		services := reflect.ValueOf(client).Elem()
		eachMethod(func(service reflect.StructField, method reflect.Method) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond) // for those that wait
			defer cancel()
			in, err := arguments(t, method.Type)
			require.NoError(t, err, method.Name)
			in[0] = reflect.ValueOf(ctx)
			closeResult(method.Func.Call(append([]reflect.Value{services.FieldByIndex(service.Index)}, in...)))
			assert.Zero(t, open.Swap(0), "%s.%s: %d %s", service.Name, method.Name, code, body)
		})
	}
	assert.Greater(t, sent.Load(), int64(2000), "responses")
}

// closeResult takes one item of a list, and closes a stream.
func closeResult(out []reflect.Value) {
	if out[0].Kind() == reflect.Func {
		for range out[0].Seq2() {
			return
		}
		return
	}
	if d, ok := out[0].Interface().(*Download); ok && d != nil {
		_ = d.Close()
	}
}

// TestConflictThatIsCutOff checks that a message in a body that is cut off is not the service's.
func TestConflictThatIsCutOff(t *testing.T) {
	refusal := func(body string) error {
		return &Error{StatusCode: 404, Message: "Email has already been taken", Body: []byte(body)}
	}
	assert.True(t, hasType[*UserConflictError](asUserConflict(refusal(`{"message":"Email has already been taken"}`))))
	assert.False(t, hasType[*UserConflictError](asUserConflict(refusal(`{"message":"Email has already been taken",`))))
}
