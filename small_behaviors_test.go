package serviceapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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

// TestFromEnvNamesItsVariables checks that an error says which variables to set or to
// remove, and what they must not be mistaken for.
func TestFromEnvNamesItsVariables(t *testing.T) {
	for _, tc := range []struct {
		set   map[string]string
		named []string
	}{
		{nil, []string{"SERVICE_BASE_URL", "SERVICE_TOKEN", "CI_API_V4_URL", "CI_JOB_TOKEN"}},
		{map[string]string{"CI_API_V4_URL": "https://ci.test/api/v4"}, []string{"SERVICE_TOKEN", "CI_JOB_TOKEN"}},
		{map[string]string{"SERVICE_BASE_URL": "https://a.test"}, []string{"SERVICE_BASE_URL", "SERVICE_TOKEN",
			"SERVICE_OAUTH_TOKEN"}},
		{map[string]string{"SERVICE_TOKEN": "s3cr3t"}, []string{"SERVICE_BASE_URL", "CI_API_V4_URL"}},
		{map[string]string{"SERVICE_TOKEN": "s3cr3t", "SERVICE_OAUTH_TOKEN": "s3cr3t"},
			[]string{"SERVICE_TOKEN", "SERVICE_OAUTH_TOKEN"}},
	} {
		for _, name := range []string{envBaseURL, envToken, envOAuthToken, envCIURL, envCIToken} {
			t.Setenv(name, tc.set[name])
		}
		_, err := FromEnv()
		require.Error(t, err, tc.set)
		for _, name := range tc.named {
			assert.ErrorContains(t, err, name, tc.set)
		}
		assert.NotContains(t, err.Error(), "s3cr3t")
	}
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
		assert.Len(t, s.times, want, code)
	}
}

// TestFiltersOnTheWire checks filters with words, with several values, and with numbers
// of more than one digit.
func TestFiltersOnTheWire(t *testing.T) {
	var query string
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		fmt.Fprint(w, "[]")
	})
	for want, options := range map[string]*ListMergeRequestsOptions{
		"approved_by_ids=None":                             {ApprovedByIDs: NoUsers},
		"approved_by_ids=Any":                              {ApprovedByIDs: AnyUsers},
		"approved_by_ids%5B%5D=7&approved_by_ids%5B%5D=12": {ApprovedByIDs: UsersAre(7, 12)},
		"assignee_id=12":                                   {AssigneeID: UserIs(12)},
		"labels=a%2Cb+c":                                   {Labels: LabelsAre("a", "b c")},
	} {
		_, _, err := client.MergeRequests.List(t.Context(), Instance, options)
		require.NoError(t, err)
		assert.Equal(t, want, query)
	}
	_, _, err := client.Issues.List(t.Context(), Instance, &ListIssuesOptions{Weight: NumberIs(12),
		EpicID: NumberIs(345)})
	require.NoError(t, err)
	assert.Equal(t, "epic_id=345&weight=12", query)
}

// TestLogOfOneByte checks that the last line of a log is a line without its newline, too,
// however short it is.
func TestLogOfOneByte(t *testing.T) {
	for log, want := range map[string][]string{"x": {"x"}, "x\ny": {"x", "y"}, "\n": {""}, "x\n": {"x"}} {
		client := handlerClient(t, (&followed{logs: []string{log}}).ServeHTTP)
		var lines []string
		for line, err := range client.Jobs.Follow(t.Context(), ProjectID(1), 8) {
			require.NoError(t, err)
			lines = append(lines, fmt.Sprint(line))
		}
		assert.Equal(t, want, lines, "%q", log)
	}
}

// TestPageInfo checks all members of the position of a GraphQL page.
func TestPageInfo(t *testing.T) {
	var info GraphQLPageInfo
	require.NoError(t, json.Unmarshal([]byte(
		`{"hasNextPage":false,"hasPreviousPage":true,"startCursor":"a","endCursor":"b"}`), &info))
	assert.Equal(t, GraphQLPageInfo{HasPreviousPage: true, StartCursor: "a", EndCursor: "b"}, info)
}

// TestVendorPrefix checks which headers describe a file: those of a product have X-
// before their name.
func TestVendorPrefix(t *testing.T) {
	whole := func(prefix string) http.Header {
		h := http.Header{}
		for _, name := range []string{"Blob-Id", "Size", "File-Path", "File-Name", "Ref", "Commit-Id"} {
			h.Set(prefix+name, "1")
		}
		return h
	}
	both := whole("X-Forge-")
	maps.Copy(both, http.Header{"X-Cache-Blob-Id": {"2"}, "Service-Blob-Id": {"3"}})
	for want, h := range map[string]http.Header{
		"": whole("Service-"), "X-Service-": whole("X-Service-"), "X-Forge-": both,
	} {
		assert.Equal(t, want, vendorPrefix(h))
	}
	_, err := readFileMetadata(whole("Service-"))
	assert.Error(t, err)
}

// TestSecretAtTheCutOfADump checks that a secret is hidden wherever the body is cut.
func TestSecretAtTheCutOfADump(t *testing.T) {
	const secret = "s3cr3t-t0ken-value"
	for limit := range 60 {
		var dump strings.Builder
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
			status(400, `{"message":"you sent `+secret+`, twice"}`))
		_, err := getJob(t.Context(), client, WithCredential(PrivateToken(secret)),
			WithDump(&dump, DumpOptions{Bodies: true, MaxBody: limit}))
		require.ErrorIs(t, err, ErrBadRequest)
		for part := 4; part <= len(secret); part++ {
			assert.NotContains(t, dump.String(), secret[:part], limit)
		}
		assert.Equal(t, limit >= 31 || limit == 0, strings.Contains(dump.String(), "you sent [redacted]"), "%d: %s",
			limit, dump.String())
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
