package serviceapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResponseOfAList checks that every field is read from its own header.
func TestResponseOfAList(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, status(503, ""), status(200, "[]",
		"X-Request-Id", "r-5", "X-Page", "2", "X-Per-Page", "20", "X-Next-Page", "3", "X-Prev-Page", "1", "X-Total",
		"45", "X-Total-Pages", "4",
		"RateLimit-Limit", "600", "RateLimit-Remaining", "599", "RateLimit-Reset", "1900000000", "X-RateLimit-Limit",
		"7", "X-RateLimit-Remaining", "8"))
	_, resp, err := client.Jobs.List(t.Context(), ProjectID(1), nil, WithRetry(RetryPolicy{MinWait: 1}))
	require.NoError(t, err)
	assert.Equal(t, "2", resp.Header.Get("X-Page"))
	assert.NotEmpty(t, resp.NextPageToken)
	assert.True(t, resp.HasTotal())
	resp.Header, resp.NextPageToken = nil, ""
	assert.Equal(t, &Response{
		StatusCode: 200, RequestID: "r-5", Attempts: 2, Page: 2, PerPage: 20, NextPage: 3, PrevPage: 1, Total: 45,
		TotalPages: 4,
		RateLimit:  RateLimit{Limit: 600, Remaining: 599, Reset: time.Unix(1900000000, 0)}, hasTotal: true,
	}, resp)
}

// TestResponseWithoutHeaders checks that fields without a header are 0.
func TestResponseWithoutHeaders(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{}, status(200, "[]"))
	_, resp, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
	require.NoError(t, err)
	assert.False(t, resp.HasTotal())
	assert.Empty(t, resp.NextPageToken)
	resp.Header = nil
	assert.Equal(t, &Response{StatusCode: 200, Attempts: 1}, resp)
	assert.False(t, (*Response)(nil).HasTotal())
}

// TestPagesOfWhatIsNoList checks that neither an error nor a write has pages,
// whatever its header says.
func TestPagesOfWhatIsNoList(t *testing.T) {
	header := []string{"X-Page", "2", "X-Total", "45", "X-Total-Pages", "4"}
	for method, code := range map[string]int{"GET": 404, "POST": 201, "PUT": 200, "DELETE": 204} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(code, "", header...))
		resp, _ := client.Do(t.Context(), method, Route("/x"), nil, nil)
		require.NotNil(t, resp)
		assert.False(t, resp.HasTotal(), method)
		assert.Zero(t, resp.Page, method)
	}
	for _, method := range []string{"GET", "HEAD"} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, "", header...))
		resp, err := client.Do(t.Context(), method, Route("/x"), nil, nil)
		require.NoError(t, err)
		assert.True(t, resp.HasTotal(), method)
		assert.Equal(t, 2, resp.Page, method)
	}
}

// TestHasTotal checks that an empty list has totals, and that one total alone
// does not count.
func TestHasTotal(t *testing.T) {
	for _, tc := range []struct {
		header []string
		want   bool
	}{
		{[]string{"X-Total", "0", "X-Total-Pages", "1"}, true}, {[]string{"X-Total", "0"}, false},
		{[]string{"X-Total-Pages", "1"}, false}, {nil, false},
	} {
		client, _ := scriptedClient(t, RetryPolicy{}, status(200, "[]", tc.header...))
		_, resp, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
		require.NoError(t, err)
		assert.Equal(t, tc.want, resp.HasTotal(), "%v", tc.header)
	}
}

// TestRateLimitForms checks resets as a Unix time or a number of seconds, under
// the header names of the service and of proxies.
func TestRateLimitForms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		for _, tc := range []struct {
			header []string
			want   RateLimit
		}{
			{[]string{"Limit", "10", "Remaining", "9", "Reset", "30"},
				RateLimit{Limit: 10, Remaining: 9, Reset: now.Add(30 * time.Second)}},
			{[]string{"Limit", "10", "Reset", "1"}, RateLimit{Limit: 10, Reset: now.Add(time.Second)}},
			{[]string{"Limit", "10", "Reset", "0"}, RateLimit{Limit: 10}},
			{[]string{"Limit", "10", "Reset", "-5"}, RateLimit{Limit: 10}},
			{[]string{"Limit", "10", "Reset", "soon"}, RateLimit{Limit: 10}},
			{[]string{"Limit", "10", "Reset", "999999999"},
				RateLimit{Limit: 10, Reset: now.Add(999999999 * time.Second)}},
			{[]string{"Limit", "10", "Reset", "1000000000"}, RateLimit{Limit: 10, Reset: time.Unix(1000000000, 0)}},
			{[]string{"Limit", "10", "Reset", "253402300799"},
				RateLimit{Limit: 10, Reset: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Local()}},
			{[]string{"Limit", "10", "Reset", "253402300800"}, RateLimit{Limit: 10}},
			{[]string{"Limit", "10", "Reset", "99999999999999999999"}, RateLimit{Limit: 10}},
			{[]string{"Limit", "0", "Remaining", "3"}, RateLimit{Remaining: 3}},
			{[]string{"Remaining", "9"}, RateLimit{}},
		} {
			for _, prefix := range []string{"RateLimit-", "X-RateLimit-"} {
				var header []string
				for i, text := range tc.header {
					header = append(header, map[bool]string{true: prefix + text, false: text}[i%2 == 0])
				}
				client, _ := scriptedClient(t, RetryPolicy{}, status(200, `{"id":8}`, header...))
				_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
				require.NoError(t, err)
				assert.Equal(t, tc.want, resp.RateLimit, "%v", header)
			}
		}
	})
}

// TestResponseBesideAnError checks that the Response that is returned with an
// error is complete.
func TestResponseBesideAnError(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{},
		status(404, "{}", "X-Request-Id", "r-6", "RateLimit-Limit", "60", "Set-Cookie", "a=b"))
	calls := map[string]func() (*Response, error){
		"object": func() (*Response, error) {
			_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
			return resp, err
		},
		"list": func() (*Response, error) {
			_, resp, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
			return resp, err
		},
		"status": func() (*Response, error) { return client.JobArtifacts.Delete(t.Context(), ProjectID(1), 8) },
		"stream": func() (*Response, error) {
			_, resp, err := client.Jobs.Trace(t.Context(), ProjectID(1), 8)
			return resp, err
		},
		"custom": func() (*Response, error) { return client.Do(t.Context(), "GET", EscapedPath("/x"), nil, new(int)) },
	}
	for name, call := range calls {
		resp, err := call()
		require.ErrorIs(t, err, ErrNotFound, name)
		require.NotNil(t, resp, name)
		assert.Equal(t, 404, resp.StatusCode, name)
		assert.Equal(t, "r-6", resp.RequestID, name)
		assert.Equal(t, 60, resp.RateLimit.Limit, name)
		assert.Equal(t, 1, resp.Attempts, name)
		assert.NotContains(t, fmt.Sprint(resp.Header), "a=b", name)
	}
}

// TestTransportsThatLeaveOutTheRequest checks responses of a middleware that do
// not have their request.
func TestTransportsThatLeaveOutTheRequest(t *testing.T) {
	for _, code := range []int{200, 404, 302, 500} {
		client, err := NewClient("https://service.test", Anonymous(), WithRetry(RetryPolicy{MaxAttempts: 1}),
			WithHTTPClient(&http.Client{
				Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					resp, err := status(code, `{"id":8}`)(r)
					resp.Request = nil
					return resp, err
				})}))
		require.NoError(t, err)
		_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
		require.NotNil(t, resp)
		assert.Equal(t, code, resp.StatusCode)
		const address = "https://service.test/api/v4/projects/1/jobs/8"
		switch e := err.(type) {
		case nil:
			assert.Equal(t, 200, code)
		case *Error:
			assert.Equal(t, address, e.URL)
		case *RedirectError:
			assert.Equal(t, address, e.URL)
		default:
			t.Errorf("%d: %T", code, err)
		}
	}
}

// TestQuotedTextIsCut checks how much of a long text each error quotes.
func TestQuotedTextIsCut(t *testing.T) {
	long := strings.Repeat("~", 3000)
	client := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") })
	decode := func(v json.Unmarshaler) error { return v.UnmarshalJSON([]byte(`"` + long + `"`)) }
	for name, tc := range map[string]struct {
		want int
		err  func() error
	}{
		"ref":       {200, func() error { return &ProtectedRefError{Err: &Error{StatusCode: 400}, Ref: long} }},
		"algorithm": {40, func() error { _, err := newChecksum(ChecksumAlgorithm(long), ""); return err }},
		"level":     {40, func() error { _, err := ParseAccessLevel(long); return err }},
		"status":    {100, func() error { return &NotMergeableError{Status: long} }},
		"coverage":  {40, func() error { return decode(new(Coverage)) }},
		"encoding":  {40, (&RepositoryFile{FileMetadata: FileMetadata{Encoding: ContentEncoding(long)}}).verify},
		"day":       {40, func() error { _, err := ParseDate(long); return err }},
		"date":      {40, func() error { return decode(new(Date)) }},
		"user":      {100, func() error { _, _, err := client.Users.Find(t.Context(), Username(long)); return err }},
	} {
		err := tc.err()
		require.Error(t, err, name)
		assert.Equal(t, tc.want, strings.Count(err.Error(), "~"), name)
	}
	var dump strings.Builder
	client, _ = scriptedClient(t, RetryPolicy{MaxAttempts: 1}, func(r *http.Request) (*http.Response, error) {
		resp, err := okJob(r)
		resp.Status = long
		return resp, err
	})
	_, err := getJob(t.Context(), client, WithDump(&dump, DumpOptions{}))
	require.NoError(t, err)
	assert.Equal(t, 200, strings.Count(dump.String(), "~"))
}

// TestStatesInErrorsAreCut checks the same for states in which a wait was given up.
func TestStatesInErrorsAreCut(t *testing.T) {
	for name, wait := range map[string]func(context.Context, *Client) error{
		"Wait": func(ctx context.Context, client *Client) error {
			_, err := client.Jobs.Wait(ctx, ProjectID(1), 8)
			return err
		},
		"Follow": func(ctx context.Context, client *Client) error {
			_, err := Collect(client.Jobs.Follow(ctx, ProjectID(1), 8))
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, "/trace") {
					fmt.Fprintf(w, `{"id":8,"status":%q}`, strings.Repeat("~", 3000))
				}
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			err := wait(ctx, client)
			require.ErrorIs(t, err, context.DeadlineExceeded, name)
			assert.Contains(t, err.Error(), "in state", name)
			assert.Equal(t, 100, strings.Count(err.Error(), "~"), name)
		})
	}
}

// TestNumbersOfSeveralDigits checks numbers that are written as text.
func TestNumbersOfSeveralDigits(t *testing.T) {
	for text, want := range map[SerialNumber]bool{
		"0": true, "7": true, "10": true, "4711": true, "9": true, "": false, "01": false, "00": false, "1a": false,
		"a": false,
	} {
		assert.Equal(t, want, text.isNumber(), text)
	}
	assert.Error(t, new(SerialNumber).UnmarshalJSON([]byte(`"a`)))
	var id SCIMGroupID
	require.NoError(t, json.Unmarshal([]byte("4711"), &id))
	assert.Equal(t, SCIMGroupID("4711"), id)
	for _, odd := range []string{"true", "{}", "1.5", `"a`} {
		assert.Error(t, id.UnmarshalJSON([]byte(odd)), odd)
	}
	id = "4711"
	data, err := json.Marshal(id)
	require.NoError(t, err)
	assert.Equal(t, "4711", string(data))

	var sent map[string]any
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&sent))
		fmt.Fprint(w, `{"status":"success"}`)
	})
	_, _, err = client.Invitations.Create(t.Context(), ProjectID(4), CreateInvitationOptions{
		UserIDs: []int64{12, 345}, AccessLevel: AccessLevelDeveloper,
	})
	require.NoError(t, err)
	assert.Equal(t, "12,345", sent["user_id"])
}

// TestEveryCallReturnsItsResponse checks that every method that returns a response returns the
// one that came, whether the call succeeded or failed.
func TestEveryCallReturnsItsResponse(t *testing.T) {
	checked := 0
	for _, code := range []int{200, 404} {
		client := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			fmt.Fprint(w, `{"id":1}`)
		})
		services := reflect.ValueOf(client).Elem()
		eachMethod(func(service reflect.StructField, method reflect.Method) {
			last := method.Type.NumOut() - 2
			if last < 0 || method.Type.Out(last) != reflect.TypeFor[*Response]() {
				return
			}
			name := service.Name + "." + method.Name
			in, err := arguments(t, method.Type)
			require.NoError(t, err, name)
			out := method.Func.Call(append([]reflect.Value{services.FieldByIndex(service.Index)}, in...))
			closeResult(out)
			if hasType[*ArgumentError](lastError(out)) {
				return // of this sort of group
			}
			checked++
			if resp := out[last].Interface().(*Response); assert.NotNil(t, resp, "%s: %d", name, code) {
				assert.Equal(t, code, resp.StatusCode, name)
			}
		})
	}
	assert.Greater(t, checked, 800)
}
