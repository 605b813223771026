package serviceapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const thingURL = "https://service.test/api/v4/things/7"

// TestErrorStrings checks the strings of error responses.
func TestErrorStrings(t *testing.T) {
	long := strings.Repeat("é", maxErrorText+1)
	cut := strings.Repeat("é", 1000) + "…"
	for want, e := range map[string]*Error{
		"GET " + thingURL + ": 404 Not found": {CallInfo: CallInfo{Method: "GET", URL: thingURL,
			Operation: "/things/:id"}, StatusCode: 404, Message: "Not found"},
		"GET /things/:id: 404 Not found": {CallInfo: CallInfo{Method: "GET", Operation: "/things/:id"},
			StatusCode: 404, Message: "Not found"},
		"PUT /x: 404 page not found at 7": {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 404,
			Message: "404 page not found at 7"},
		"PUT /x: 404": {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 404,
			Message: "404"},
		"PUT /x: 404 ": {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 404,
			Message: "404 "},
		"PUT /x: 404 4040": {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 404,
			Message: "4040"},
		"PUT /x: 599": {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 599},
		"GET /x: 400 bad: it is odd": {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 400,
			Message: "bad", Description: "it is odd"},
		"GET /x: 400 bad": {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 400,
			Message: "bad ", Description: "bad "},
		"GET /x: 401 no (sent with JobToken)": {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 401,
			Message: "no", credential: "JobToken"},
		"GET /x: 503 no (after 2 attempts)": {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503,
			Message: "no", Attempts: 2},
		"GET /x: 503 once": {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503,
			Message: "once", Attempts: 1},
		"GET /x: 503 no (not repeated: the retry budget of the client is spent)": {
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503, Message: "no", stopped: budgetSpent},
		"GET /x: 503 no (not repeated: the wait would end after the deadline of the context)": {
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503, Message: "no", stopped: deadlineNear},
		"GET /x: 503 no (not repeated: the wait is longer than the retry policy allows)": {
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503, Message: "no", stopped: waitTooLong},
		"GET /x: 500 no [request r\\n1]": {
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 500, Message: "no", RequestID: "r\n1"},
		"GET /x: 500 no [request " + strings.Repeat("é", 100) + "…]": {
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 500, Message: "no", RequestID: long},
		"GET " + cut + ": 400 " + cut + ": d" + cut[2:]: {
			CallInfo: CallInfo{Method: "GET", URL: long}, StatusCode: 400, Message: long, Description: "d" + long},
		"GET /x: 400 bad: it is odd (sent with PrivateToken) (after 3 attempts) (not repeated: the retry budget of " +
			"the client is spent) [request r-1]": {
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 400, Message: "bad",
			Description: "it is odd", credential: "PrivateToken", Attempts: 3, stopped: budgetSpent, RequestID: "r-1"},
	} {
		assert.Equal(t, want, e.Error())
	}
}

// TestOtherErrorStrings checks the strings of types that wrap an Error, and of
// calls without a response.
func TestOtherErrorStrings(t *testing.T) {
	no := &Error{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 429, Message: "no"}
	cause := errors.New("it broke")
	long := errors.New(strings.Repeat("é", maxErrorText+1))
	cut := strings.Repeat("é", 1000) + "…"
	for want, err := range map[string]error{
		"GET /x: 429 no":                                    &RateLimitError{Err: no},
		"GET /x: 429 no; retry after 1ns":                   &RateLimitError{Err: no, RetryAfter: 1},
		"GET /x: 429 no; retry after 1m30s":                 &RateLimitError{Err: no, RetryAfter: 90 * time.Second},
		"GET /x: 429 no; the token needs the scope su\\ndo": &InsufficientScopeError{Err: no, Scope: "su\ndo"},
		"GET /x: 429 no; the token needs the scope " + strings.Repeat("s", 100) + "…": &InsufficientScopeError{
			Err: no, Scope: strings.Repeat("s", 101)},
		"GET " + thingURL + ": it broke": &TransportError{
			CallInfo: CallInfo{Method: "GET", URL: thingURL, Operation: "/x"}, Attempts: 1, Err: cause},
		"GET /x: it broke (after 2 attempts); the last response was 503 down": &TransportError{
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Attempts: 2, Err: cause,
			Last: &Error{StatusCode: 503, Message: "down"},
		},
		"GET /x: it broke (not repeated: the retry budget of the client is spent)": &TransportError{
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Err: cause, stopped: budgetSpent},
		"GET /x: " + cut: &TransportError{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Err: long},
		"POST /x: redirect 307 to https://other.test/ was not followed: it leaves": &RedirectError{
			CallInfo:   CallInfo{Method: "POST", Operation: "/x"},
			StatusCode: 307, Location: "https://other.test/", Reason: "it leaves"},
		"POST /x: redirect 307 to " + cut +
			" was not followed: it leaves": &RedirectError{CallInfo: CallInfo{Method: "POST", Operation: "/x"},
			StatusCode: 307, Location: long.Error(), Reason: "it leaves"},
		"GET /x: cannot decode the response (200 text/html): it broke": &DecodeError{
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 200, ContentType: "text/html", Err: cause},
		"GET /x: cannot decode the response (200 a\\n) at /3/id: it broke": &DecodeError{
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 200, ContentType: "a\n", Pointer: "/3/id",
			Err: cause},
		"GET /x: cannot decode the response (200 " + strings.Repeat("c", 100) + "…) at " + strings.Repeat("p", 200) +
			"…: " + cut: &DecodeError{CallInfo: CallInfo{Method: "GET", Operation: "/x"},
			StatusCode: 200, ContentType: strings.Repeat("c", 101), Pointer: strings.Repeat("p", 201), Err: long},
		"GET /x: cannot continue to the next page: it\\nends": &PaginationError{CallInfo: CallInfo{Method: "GET",
			Operation: "/x"}, Problem: "it\nends"},
		"GET /x: cannot continue to the next page: " +
			cut: &PaginationError{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Problem: long.Error()},
		"serviceapi: id is missing": &ArgumentError{Argument: "id", Problem: "is missing"},
		"serviceapi: GET /projects/:id: id is missing": &ArgumentError{Argument: "id", Problem: "is missing",
			Method: "GET", Operation: "/projects/:id"},
	} {
		assert.EqualError(t, err, want)
	}
}

// TestErrorsLeadToTheirCauses checks that errors.Is and errors.As find wrapped
// errors.
func TestErrorsLeadToTheirCauses(t *testing.T) {
	no := &Error{StatusCode: 429}
	cause := io.ErrUnexpectedEOF
	for _, err := range []error{&RateLimitError{Err: no}, &InsufficientScopeError{Err: no},
		&InsufficientGranularScopeError{Err: no}, &TransportError{Err: cause, Last: no}} {
		assert.ErrorIs(t, err, ErrRateLimited, "%T", err)
		var found *Error
		require.ErrorAs(t, err, &found)
		assert.Same(t, no, found)
	}
	for _, err := range []error{&TransportError{Err: cause}, &TransportError{Err: cause, Last: no},
		&DecodeError{Err: cause}} {
		assert.ErrorIs(t, err, cause, "%T", err)
	}
	assert.Equal(t, []error{cause}, (&TransportError{Err: cause}).Unwrap(), "no response is no error")
	assert.NotErrorIs(t, &Error{StatusCode: 418}, error(nil))
	assert.False(t, (&Error{StatusCode: 418}).Is(nil), "a status without a sentinel is like none")
	assert.Empty(t, no.Header("X-None"))
}

// TestDecodeErrorSaysThatAWriteWasExecuted checks that the error tells the
// caller not to repeat the write.
func TestDecodeErrorSaysThatAWriteWasExecuted(t *testing.T) {
	const executed = "; the service has executed the request"
	for _, tc := range []struct {
		method string
		status int
		want   bool
	}{
		{"POST", 200, true}, {"PUT", 201, true}, {"DELETE", 299, true}, {"PATCH", 200, true},
		{"GET", 200, false}, {"HEAD", 200, false}, {"POST", 199, false}, {"POST", 300, false}, {"POST", 400, false},
		{"POST", 0, false},
	} {
		e := &DecodeError{CallInfo: CallInfo{Method: tc.method, Operation: "/x"}, StatusCode: tc.status, Err: io.EOF}
		assert.Equal(t, tc.want, strings.HasSuffix(e.Error(), executed), "%s %d: %v", tc.method, tc.status, e)
	}
}

func TestSentinels(t *testing.T) {
	sentinels := map[int]error{
		304: ErrNotModified, 400: ErrBadRequest, 401: ErrUnauthorized, 403: ErrForbidden, 404: ErrNotFound,
		405: ErrMethodNotAllowed, 406: ErrNotAcceptable, 409: ErrConflict, 412: ErrPreconditionFailed,
		422: ErrUnprocessable, 429: ErrRateLimited, 500: ErrServer,
	}
	for code := range 700 {
		for status, sentinel := range sentinels {
			want := status == code || status == 500 && code > 500
			assert.Equal(t, want, (&Error{StatusCode: code}).Is(sentinel), "%d is %v", code, sentinel)
		}
	}
	for code, text := range map[int]string{
		304: "not modified", 400: "bad request", 401: "unauthorized", 403: "forbidden", 404: "not found",
		405: "method not allowed", 406: "not acceptable",
		409: "conflict", 412: "precondition failed", 422: "unprocessable entity", 429: "rate limited",
		500: "server error",
	} {
		assert.EqualError(t, sentinels[code], text)
	}
}

// TestErrorOfOneCall checks every field of an Error, and the Response that is
// returned with it.
func TestErrorOfOneCall(t *testing.T) {
	body := `{"message":"404 Job Not Found","error":"gone","error_description":"long ago","error_code":"expired",` +
		`"scope":"api"}`
	client, _ := scriptedClient(t, RetryPolicy{}, status(404, body, "X-Request-Id", "r-9", "Set-Cookie", "a=b"))
	_, resp, err := client.Jobs.Get(t.Context(), ProjectPath("a/b"), 8, WithQuery("q", "1"))
	var e *Error
	require.ErrorAs(t, err, &e)
	e.header = nil
	assert.Equal(t, &Error{CallInfo: CallInfo{Method: "GET", Operation: "/projects/:id/jobs/:job_id",
		URL: "https://service.test/api/v4/projects/a%2Fb/jobs/8"},
		StatusCode: 404,
		Message:    "404 Job Not Found", Reason: "gone", Description: "long ago", Code: "expired", Scope: "api",
		RequestID: "r-9", Attempts: 1, Body: []byte(body), uncertain: true}, e)
	assert.Equal(t, 404, resp.StatusCode)
	assert.Equal(t, "r-9", resp.RequestID)
	assert.Equal(t, 1, resp.Attempts)
	assert.Empty(t, resp.Header.Values("Set-Cookie"))
}

// TestErrorURLAfterARedirect checks that the URL is the one that responded, not
// the one that was requested.
func TestErrorURLAfterARedirect(t *testing.T) {
	client, server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/moved" {
			http.Redirect(w, r, "/moved?signature=x", http.StatusFound)
			return
		}
		http.NotFound(w, r)
	})
	_, err := getJob(t.Context(), client)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, server.URL+"/moved", e.URL)
	assert.Equal(t, "404 page not found", e.Message)
	assert.EqualError(t, err, "GET "+server.URL+"/moved: 404 page not found")
}

// TestErrorNamesTheCredential checks that the error for a 401 says which
// credential was sent, and that other errors do not.
func TestErrorNamesTheCredential(t *testing.T) {
	for _, tc := range []struct {
		cred Credential
		code int
		want string
	}{
		{Anonymous(), 401, " (sent with Anonymous)"}, {PrivateToken("x"), 401, " (sent with PrivateToken)"},
		{BearerToken("x"), 401, " (sent with BearerToken)"}, {Anonymous(), 403, ""}, {PrivateToken("x"), 404, ""},
	} {
		client, _ := scriptedClient(t, RetryPolicy{}, status(tc.code, `{"message":"401 Unauthorized"}`))
		_, err := getJob(t.Context(), client, WithCredential(tc.cred))
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "401 Unauthorized", e.Message)
		assert.Equal(t, `{"message":"401 Unauthorized"}`, string(e.Body))
		prefix, _, _ := strings.Cut(err.Error(), "Unauthorized")
		assert.Equal(t, prefix+"Unauthorized"+tc.want, err.Error())
	}
}

// TestLastResponseOfATransportError checks that the last error response before
// the connection broke is kept, and that a good response that broke off is not.
func TestLastResponseOfATransportError(t *testing.T) {
	broken := func(code int) func(*http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			resp, err := status(code, "")(r)
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"id":`), &failingReader{io.ErrUnexpectedEOF}))
			return resp, err
		}
	}
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, broken(200))
	_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
	var te *TransportError
	require.ErrorAs(t, err, &te)
	assert.Nil(t, te.Last)
	assert.Nil(t, resp)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, "https://service.test/api/v4/projects/1/jobs/8", te.URL)
	assert.Equal(t, "GET", te.Method)

	// The message of an error that breaks off is better than none.
	client, _ = scriptedClient(t, RetryPolicy{MaxAttempts: 1}, broken(404))
	_, err = getJob(t.Context(), client)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, `{"id":`, e.Message)
}

// failingReader fails at once.
type failingReader struct{ err error }

func (r *failingReader) Read([]byte) (int, error) { return 0, r.err }

// TestErrorsPrintTheSameInEveryWay checks that a wrapper prints the wrapped
// error.
func TestErrorsPrintTheSameInEveryWay(t *testing.T) {
	err := error(&Error{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 404, Message: "gone"})
	assert.Equal(t, "wrapped: GET /x: 404 gone", fmt.Errorf("wrapped: %w", err).Error())
	assert.Equal(t, err.Error(), fmt.Sprint(err))
}

// TestArgumentErrorsAreNamedOnce checks that two calls of one endpoint do not
// change each other's errors.
func TestArgumentErrorsAreNamedOnce(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, okJob)
	e := Route("/things/:id", 0)
	_, read := client.Do(t.Context(), "GET", e, nil, nil)
	_, deleted := client.Do(t.Context(), "DELETE", e, nil, nil)
	assert.EqualError(t, read, "serviceapi: GET /things/:id: id must be a positive number, but is 0")
	assert.EqualError(t, deleted, "serviceapi: DELETE /things/:id: id must be a positive number, but is 0")
	_, wrong := client.Do(t.Context(), "BREW", Route("/things"), nil, nil)
	assert.EqualError(t, wrong, "serviceapi: BREW /things: method is none of GET, HEAD, POST, PUT, PATCH and DELETE")
}

// TestErrorsInALog checks what slog writes of an error: parts that can be searched
// for, without the body, the headers, the credential or control characters.
func TestErrorsInALog(t *testing.T) {
	for want, e := range map[string]*Error{
		`{"err":{"status":0,"attempts":0}}`: nil,
		`{"err":{"status":400,"attempts":2,"method":"POST","operation":"/projects/:id","url":"https://x.test/a",` +
			`"message":"bad\\x1b[2J","description":"why\\t","code":"empty\\n","reason":"r\\u2028",` +
			`"request_id":"id\\a"}}`: {
			CallInfo:   CallInfo{Method: "POST", Operation: "/projects/:id", URL: "https://x.test/a"},
			StatusCode: 400, Attempts: 2, Message: "bad\x1b[2J", Code: "empty\n", Reason: "r\u2028", RequestID: "id\a",
			Body: []byte("from the body"), header: http.Header{"X": {"from the header"}}, credential: "PrivateToken",
			Description: "why\t", Scope: "api", Fields: map[string][]string{"name": {"said twice"}},
		},
		`{"err":{"status":400,"attempts":1,"description":"why"}}`: {StatusCode: 400, Attempts: 1, Description: "why"},
	} {
		var log bytes.Buffer
		onlyError := func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 {
				return slog.Attr{}
			}
			return a
		}
		slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{ReplaceAttr: onlyError})).Error("logged", "err", e)
		assert.Equal(t, want+"\n", log.String())
	}
}

// TestErrorsInALogAreRedacted checks that an error of a call says as little in a log as
// anywhere: a secret that the service echoes is hidden.
func TestErrorsInALogAreRedacted(t *testing.T) {
	const secret = "s3cr3t-t0ken-value"
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
		status(400, `{"message":"m `+secret+`","error_code":"c `+secret+`","error":"r `+secret+`"}`, "X-Request-Id",
			secret))
	_, _, err := client.Jobs.Get(t.Context(), ProjectID(1), 8, WithCredential(PrivateToken(secret)))
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Error("failed", "err", err)
	assert.NotContains(t, log.String(), secret)
	assert.Contains(t, log.String(), `err.message="m [redacted]" err.code="c [redacted]" err.reason="r [redacted]"`)
}

// zeroErrors has every error type, as a program's own tests may make it.
var zeroErrors = []error{
	new(ApprovalError), new(ArgumentError), new(ChangesetError), new(ChecksumError), new(DecodeError),
	new(EnvironmentStopError), new(Error), new(GraphQLError), new(InsufficientGranularScopeError),
	new(InsufficientScopeError), new(InvitationError),
	new(MembershipQueuedError), new(MergeError), new(MergeRequestExistsError), new(NotMergeableError),
	new(PaginationError), new(ProjectExportError), new(ProjectImportError), new(ProtectedRefError),
	new(RateLimitError), new(RebaseError), new(RedirectError), new(RefreshError), new(StatusTransitionError),
	new(TerraformLockError), new(BulkImportError), new(DependencyExportError), new(VulnerabilityExportError),
	new(TransportError), new(UserConflictError),
	(*Error)(nil),
}

// TestZeroErrors checks that an error without its parts can be printed and
// compared.
func TestZeroErrors(t *testing.T) {
	list, err := os.ReadFile("api.txt")
	require.NoError(t, err)
	var listed, tried []string
	for _, match := range regexp.MustCompile(`(?m)^func \(e \*(\w+)\) Error\(\) string$`).FindAllSubmatch(list, -1) {
		listed = append(listed, string(match[1]))
	}
	for _, err := range zeroErrors {
		if !reflect.ValueOf(err).IsNil() {
			tried = append(tried, reflect.TypeOf(err).Elem().Name())
		}
		t.Run(reflect.TypeOf(err).Elem().Name(), func(t *testing.T) {
			assert.NotEmpty(t, err.Error())
			assert.False(t, errors.Is(err, ErrNotFound))
			var response *Error
			if errors.As(err, &response) {
				assert.Empty(t, response.Header("Etag"))
			}
			MayHaveExecuted(err)
		})
	}
	assert.ElementsMatch(t, listed, tried)
}

// TestWrappedErrorsInALog checks that every error with an [Error] in it is logged as that is.
func TestWrappedErrorsInALog(t *testing.T) {
	wrapped := 0
	for _, err := range zeroErrors {
		v := reflect.ValueOf(err).Elem()
		if v.Kind() != reflect.Struct || !v.FieldByName("Err").IsValid() ||
			v.FieldByName("Err").Type() != reflect.TypeFor[*Error]() {
			continue
		}
		wrapped++
		assert.Equal(t, new(Error).LogValue(), slog.AnyValue(err).Resolve(), "%T", err)
		inner := &Error{StatusCode: 403, Message: "no"}
		v.FieldByName("Err").Set(reflect.ValueOf(inner))
		assert.Equal(t, inner.LogValue(), slog.AnyValue(err).Resolve(), "%T", err)
		v.FieldByName("Err").SetZero()
	}
	assert.Positive(t, wrapped)
}

// TestZeroHandles checks that what was never opened can be closed.
func TestZeroHandles(t *testing.T) {
	for _, client := range []*Client{nil, {}} {
		client.CloseIdleConnections()
	}
	for _, catalog := range []*RegistryCatalog{nil, {}} {
		catalog.CloseIdleConnections()
	}
	download := new(Download)
	_, err := download.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrClosed)
	_, err = download.SaveFile(filepath.Join(t.TempDir(), "a"))
	require.ErrorIs(t, err, os.ErrClosed)
	require.NoError(t, download.Close())
}

func TestMayHaveExecuted(t *testing.T) {
	type replies = []func(*http.Request) (*http.Response, error)
	limited := status(429, `{}`)
	for name, tc := range map[string]struct {
		replies replies
		policy  RetryPolicy
		want    bool
	}{
		"success":                  {replies{status(201, `{"id":1}`)}, RetryPolicy{}, true},
		"no connection":            {replies{refused}, RetryPolicy{}, false},
		"no way through the proxy": {replies{failure(&proxyError{"407", false})}, RetryPolicy{}, false},
		"429":                      {replies{limited}, RetryPolicy{}, false},
		"lock":                     {replies{locked}, RetryPolicy{}, false},
		"429, then no connection":  {replies{limited, refused}, RetryPolicy{}, false},
		"other conflict":           {replies{status(409, `{"message":"exists"}`)}, RetryPolicy{}, true},
		"500":                      {replies{status(500, ``)}, RetryPolicy{}, true},
		"404":                      {replies{status(404, `{}`)}, RetryPolicy{}, true},
		"broken connection":        {replies{reset}, RetryPolicy{}, true},
		"undecodable":              {replies{status(201, `<html>`)}, RetryPolicy{}, true},
		"redirect": {replies{status(302, ``, "Location", "https://other.test/")}, RetryPolicy{},
			true},
		"500, then no connection": {replies{status(500, ``), refused}, RetryPolicy{RetryUnsafe: true}, true},
		"broken, then 429":        {replies{reset, limited}, RetryPolicy{RetryUnsafe: true}, true},
		"canceled while waiting":  {replies{status(429, `{}`, "Retry-After", "30")}, RetryPolicy{}, false},
		"canceled after an accident": {replies{status(503, `{}`, "Retry-After", "30")}, RetryPolicy{RetryUnsafe: true},
			true},
	} {
		synctest.Test(t, func(t *testing.T) {
			client, _ := scriptedClient(t, tc.policy, tc.replies...)
			ctx, cancel := context.WithCancel(t.Context())
			defer time.AfterFunc(10*time.Second, cancel).Stop()
			var out Job
			_, err := client.Do(ctx, "POST", EscapedPath("/things"), 1, &out)
			assert.Equal(t, tc.want, MayHaveExecuted(err), "%s: %v", name, err)
			assert.Equal(t, tc.want, MayHaveExecuted(fmt.Errorf("wrapped: %w", err)), name)
		})
	}
	client := onWire(t)
	_, err := client.Do(t.Context(), "POST", EscapedPath("no"), 1, nil)
	assert.False(t, MayHaveExecuted(err))
	no := errors.New("not today")
	limitedClient, err := client.With(WithLimiter(limiterFunc(func(context.Context) error { return no })))
	require.NoError(t, err)
	_, err = limitedClient.Do(t.Context(), "POST", EscapedPath("/things"), 1, nil)
	require.ErrorIs(t, err, no)
	assert.False(t, MayHaveExecuted(err))
	assert.True(t, MayHaveExecuted(errors.New("of somebody else")))
}

// TestLastResponsesMakeNoTypedErrors checks that the error of a call that ended
// while it waited is not a refusal, whatever the response before the wait said.
func TestLastResponsesMakeNoTypedErrors(t *testing.T) {
	for name, test := range map[string]struct {
		last  *Error
		typed func(error) error
	}{
		"approval": {&Error{StatusCode: 401}, asApprovalError},
		"branch or tag": {&Error{StatusCode: 403, Message: "Protected branch cannot be deleted"},
			func(err error) error { return protectedRef("main", err) }},
		"merge": {&Error{StatusCode: 406}, func(err error) error { return refusal(err, mergeRefusals) }},
		"merge request": {&Error{StatusCode: 409, Message: "!7"},
			func(err error) error { return asMergeRequestExists(err, ProjectID(1)) }},
		"user": {&Error{StatusCode: 404, Body: []byte(`{"message":"Email has already been taken"}`),
			Message: "Email has already been taken"}, asUserConflict},
		"commit": {&Error{StatusCode: 400, Code: "conflict"},
			func(err error) error { _, _, err = changeset[Commit](nil, nil, err); return err }},
		"range of bytes": {&Error{StatusCode: 416},
			func(err error) error { return map[bool]error{true: io.EOF, false: err}[isUnsatisfiable(err)] }},
	} {
		assert.NotEqual(t, error(test.last), test.typed(test.last), "%s: the response to the call", name)
		ended := &TransportError{Err: context.Canceled, Last: test.last}
		assert.Equal(t, error(ended), test.typed(ended), "%s: the response before a wait", name)
	}
}

func TestClassify(t *testing.T) {
	for _, tc := range []struct {
		code   int
		reason ErrorReason
		want   string
	}{
		{429, "", "*serviceapi.RateLimitError"}, {403, "insufficient_scope", "*serviceapi.InsufficientScopeError"},
		{403, "other", "*serviceapi.Error"}, {401, "insufficient_scope", "*serviceapi.Error"},
		{503, "", "*serviceapi.Error"},
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
			status(tc.code, `{"error":"`+string(tc.reason)+`","scope":"api"}`, "Retry-After", "3"))
		_, err := getJob(t.Context(), client)
		assert.Equal(t, tc.want, fmt.Sprintf("%T", err), "%d %s", tc.code, tc.reason)
		switch e := err.(type) {
		case *RateLimitError:
			assert.Equal(t, 3*time.Second, e.RetryAfter)
		case *InsufficientScopeError:
			assert.Equal(t, "api", e.Scope)
		}
	}
}

// TestPagesAreRecognizedByTheirType: the header of the response counts.
func TestPagesAreRecognizedByTheirType(t *testing.T) {
	for contentType, want := range map[string]string{"text/html": "Bad gateway", "text/plain": "Bad <b>gateway</b>"} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(502, "Bad <b>gateway</b>", "Content-Type",
			contentType))
		_, err := getJob(t.Context(), client)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, want, e.Message)
	}
}

// TestErrorsWithAndWithoutANumber checks that 0 is no number of a merge request.
func TestErrorsWithAndWithoutANumber(t *testing.T) {
	refusal := &Error{StatusCode: 409, Message: "it exists"}
	for mergeRequest, want := range map[MergeRequestRef]string{
		{}: "(an open merge request has these branches)", ProjectID(7).MergeRequest(1): "(merge request 7!1 is open)",
		ProjectPath("acme/app").MergeRequest(23): "(merge request acme/app!23 is open)",
	} {
		err := &MergeRequestExistsError{Err: refusal, MergeRequest: mergeRequest}
		assert.Equal(t, refusal.Error()+" "+want, err.Error())
	}
}

// TestLongNamesInErrors checks that a name from the caller is cut where an error quotes it.
func TestLongNamesInErrors(t *testing.T) {
	name := strings.Repeat("n", 70)
	client, _ := scriptedClient(t, RetryPolicy{})
	for _, err := range []error{
		UpdateApplicationSettingsOptions{Extra: map[string]json.RawMessage{name: []byte("{")}}.check(),
		bodyFieldProblem(name, "is bad"),
		func() error { _, err := getJob(t.Context(), client, WithHeader(name+" ", "x")); return err }(),
	} {
		require.Error(t, err)
		assert.Contains(t, err.Error(), name[:60]+"…")
		assert.NotContains(t, err.Error(), name[:61])
	}
}

// TestErrorsArePrintable checks that no error prints a control character, wherever the
// service sent it: a path, a name, a state or a message.
func TestErrorsArePrintable(t *testing.T) {
	for _, zero := range zeroErrors {
		if reflect.ValueOf(zero).IsNil() {
			continue
		}
		err := reflect.New(reflect.TypeOf(zero).Elem())
		fill(err.Elem(), 0)
		text := err.Interface().(error).Error()
		assert.NotContains(t, text, "\x1b", "%T", zero)
		assert.NotContains(t, text, "\u202e", "%T", zero)
	}
}

// ownText are the fields of errors that the library or the caller writes.
var ownText = map[string]bool{
	"CallInfo.Method": true, "CallInfo.Operation": true, "Error.Method": true, "MergeError.Reason": true,
	"RedirectError.Reason": true, "ChangesetError.Code": true, "ChecksumError.Algorithm": true,
	"ChecksumError.Expected": true, "ChecksumError.Actual": true, "ArgumentError.Argument": true,
	"ArgumentError.Problem": true, "ArgumentError.Method": true, "ArgumentError.Operation": true,
}

// fill puts control and formatting characters into all strings of a value.
func fill(v reflect.Value, depth int) {
	const text = "a\x1b[31m\u202eb"
	if !v.CanSet() || depth > 4 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			if !ownText[v.Type().Name()+"."+v.Type().Field(i).Name] {
				fill(v.Field(i), depth+1)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth+1)
		fill(value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Interface:
		if problem := reflect.ValueOf(errors.New(text)); problem.Type().Implements(v.Type()) {
			v.Set(problem)
		}
	}
}

// The error of a call that ended while it waited wraps the last response, which
// is not a refusal.
func TestRefusalLeavesTransportErrors(t *testing.T) {
	err := &TransportError{Err: context.Canceled, Last: &Error{StatusCode: http.StatusConflict}}
	assert.Equal(t, error(err), refusal(err, mergeRefusals))
	assert.NoError(t, refusal(nil, mergeRefusals))
}

// TestMergeRequestInMessages checks which number a message of the service names.
func TestMergeRequestInMessages(t *testing.T) {
	for message, want := range map[string]int64{
		"": 0, "!": 0, "!7": 7, "exists: !42.": 42, "!x !8": 8, "!!9": 9, "!7a !8": 8, "!7_ !8": 8, "!7ü": 7,
		"Another open merge request already exists for this source branch: !5, !6": 5,
		"!999999999999999999": 999999999999999999, "!9999999999999999999 !3": 3,
	} {
		assert.Equal(t, want, mergeRequestIn(message), message)
	}
}
