package serviceapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
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
		"GET " + thingURL + ": 404 Not found": {CallInfo: CallInfo{Method: "GET", URL: thingURL, Operation: "/things/:id"}, StatusCode: 404, Message: "Not found"},
		"GET /things/:id: 404 Not found":      {CallInfo: CallInfo{Method: "GET", Operation: "/things/:id"}, StatusCode: 404, Message: "Not found"},
		"PUT /x: 404 page not found at 7":     {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 404, Message: "404 page not found at 7"},
		"PUT /x: 404":                         {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 404, Message: "404"},
		"PUT /x: 404 ":                        {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 404, Message: "404 "},
		"PUT /x: 404 4040":                    {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 404, Message: "4040"},
		"PUT /x: 599":                         {CallInfo: CallInfo{Method: "PUT", Operation: "/x"}, StatusCode: 599},
		"GET /x: 400 bad: it is odd":          {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 400, Message: "bad", Description: "it is odd"},
		"GET /x: 400 bad":                     {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 400, Message: "bad ", Description: "bad "},
		"GET /x: 401 no (sent with JobToken)": {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 401, Message: "no", credential: "JobToken"},
		"GET /x: 503 no (after 2 attempts)":   {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503, Message: "no", Attempts: 2},
		"GET /x: 503 once":                    {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503, Message: "once", Attempts: 1},
		"GET /x: 503 no (not repeated: the retry budget of the client is spent)":              {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503, Message: "no", stopped: budgetSpent},
		"GET /x: 503 no (not repeated: the wait would end after the deadline of the context)": {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503, Message: "no", stopped: deadlineNear},
		"GET /x: 503 no (not repeated: the wait is longer than the retry policy allows)":      {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 503, Message: "no", stopped: waitTooLong},
		"GET /x: 500 no [request r\\n1]":                                                      {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 500, Message: "no", RequestID: "r\n1"},
		"GET /x: 500 no [request " + strings.Repeat("é", 100) + "…]":                          {CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 500, Message: "no", RequestID: long},
		"GET " + cut + ": 400 " + cut + ": d" + cut[2:]:                                       {CallInfo: CallInfo{Method: "GET", URL: long}, StatusCode: 400, Message: long, Description: "d" + long},
		"GET /x: 400 bad: it is odd (sent with PrivateToken) (after 3 attempts) (not repeated: the retry budget of the client is spent) [request r-1]": {
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 400, Message: "bad", Description: "it is odd", credential: "PrivateToken", Attempts: 3, stopped: budgetSpent, RequestID: "r-1"},
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
		"GET /x: 429 no; the token needs the scope " + strings.Repeat("s", 100) + "…": &InsufficientScopeError{Err: no, Scope: strings.Repeat("s", 101)},
		"GET " + thingURL + ": it broke":                                              &TransportError{CallInfo: CallInfo{Method: "GET", URL: thingURL, Operation: "/x"}, Attempts: 1, Err: cause},
		"GET /x: it broke (after 2 attempts); the last response was 503 down": &TransportError{
			CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Attempts: 2, Err: cause,
			Last: &Error{StatusCode: 503, Message: "down"},
		},
		"GET /x: it broke (not repeated: the retry budget of the client is spent)": &TransportError{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Err: cause, stopped: budgetSpent},
		"GET /x: " + cut: &TransportError{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Err: long},
		"POST /x: redirect 307 to https://other.test/ was not followed: it leaves": &RedirectError{CallInfo: CallInfo{Method: "POST", Operation: "/x"},
			StatusCode: 307, Location: "https://other.test/", Reason: "it leaves"},
		"POST /x: redirect 307 to " + cut + " was not followed: it leaves": &RedirectError{CallInfo: CallInfo{Method: "POST", Operation: "/x"},
			StatusCode: 307, Location: long.Error(), Reason: "it leaves"},
		"GET /x: cannot decode the response (200 text/html): it broke":     &DecodeError{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 200, ContentType: "text/html", Err: cause},
		"GET /x: cannot decode the response (200 a\\n) at /3/id: it broke": &DecodeError{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, StatusCode: 200, ContentType: "a\n", Pointer: "/3/id", Err: cause},
		"GET /x: cannot decode the response (200 " + strings.Repeat("c", 100) + "…) at " + strings.Repeat("p", 200) + "…: " + cut: &DecodeError{CallInfo: CallInfo{Method: "GET", Operation: "/x"},
			StatusCode: 200, ContentType: strings.Repeat("c", 101), Pointer: strings.Repeat("p", 201), Err: long},
		"GET /x: cannot continue to the next page: it\\nends": &PaginationError{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Problem: "it\nends"},
		"GET /x: cannot continue to the next page: " + cut:    &PaginationError{CallInfo: CallInfo{Method: "GET", Operation: "/x"}, Problem: long.Error()},
		"serviceapi: id is missing":                           &ArgumentError{Argument: "id", Problem: "is missing"},
		"serviceapi: GET /projects/:id: id is missing":        &ArgumentError{Argument: "id", Problem: "is missing", Method: "GET", Operation: "/projects/:id"},
	} {
		assert.EqualError(t, err, want)
	}
}

// TestErrorsLeadToTheirCauses checks that errors.Is and errors.As find wrapped
// errors.
func TestErrorsLeadToTheirCauses(t *testing.T) {
	no := &Error{StatusCode: 429}
	cause := io.ErrUnexpectedEOF
	for _, err := range []error{&RateLimitError{Err: no}, &InsufficientScopeError{Err: no}, &TransportError{Err: cause, Last: no}} {
		assert.ErrorIs(t, err, ErrRateLimited, "%T", err)
		var found *Error
		require.ErrorAs(t, err, &found)
		assert.Same(t, no, found)
	}
	for _, err := range []error{&TransportError{Err: cause}, &TransportError{Err: cause, Last: no}, &DecodeError{Err: cause}} {
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
		{"GET", 200, false}, {"HEAD", 200, false}, {"POST", 199, false}, {"POST", 300, false}, {"POST", 400, false}, {"POST", 0, false},
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
		304: "not modified", 400: "bad request", 401: "unauthorized", 403: "forbidden", 404: "not found", 405: "method not allowed", 406: "not acceptable",
		409: "conflict", 412: "precondition failed", 422: "unprocessable entity", 429: "rate limited", 500: "server error",
	} {
		assert.EqualError(t, sentinels[code], text)
	}
}

// TestErrorOfOneCall checks every field of an Error, and the Response that is
// returned with it.
func TestErrorOfOneCall(t *testing.T) {
	body := `{"message":"404 Job Not Found","error":"gone","error_description":"long ago","error_code":"expired","scope":"api"}`
	client, _ := scriptedClient(t, RetryPolicy{}, status(404, body, "X-Request-Id", "r-9", "Set-Cookie", "a=b"))
	_, resp, err := client.Jobs.Get(t.Context(), ProjectPath("a/b"), 8, WithQuery("q", "1"))
	var e *Error
	require.ErrorAs(t, err, &e)
	e.header = nil
	assert.Equal(t, &Error{CallInfo: CallInfo{Method: "GET", Operation: "/projects/:id/jobs/:job_id", URL: "https://service.test/api/v4/projects/a%2Fb/jobs/8"},
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
