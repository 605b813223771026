package serviceapi

import (
	"context"
	"fmt"
	"go/ast"
	"io"
	"math"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMethodsOfNothing calls the methods without arguments of every result on a nil
// pointer, which a program has after a call that failed. They return what they return for
// an empty result, which is the zero value of a reference.
func TestMethodsOfNothing(t *testing.T) {
	called := 0
	for _, typ := range responseTypes(t) {
		pointer := reflect.PointerTo(typ)
		method, ok := pointer.MethodByName("Ref")
		if !ok || !ast.IsExported(typ.Name()) {
			continue
		}
		called++
		var got []reflect.Value
		require.NotPanics(t, func() { got = method.Func.Call([]reflect.Value{reflect.Zero(pointer)}) }, typ.Name())
		want := method.Func.Call([]reflect.Value{reflect.New(typ)})
		assert.Equal(t, want[0].Interface(), got[0].Interface(), typ.Name())
	}
	assert.Greater(t, called, 10)
}

// TestInvitationWithoutAnAnswer checks that a response that names nobody is a success, and
// one that has any message without a status is not.
func TestInvitationWithoutAnAnswer(t *testing.T) {
	for body, fails := range map[string]bool{
		`{"queued_users":{"ada":"x"}}`: false, `{"message":null}`: false, `{"status":"success","message":"x"}`: false,
		`{"message":{"a@b.test":"taken"}}`: true, `{"message":""}`: true, `{"status":"error"}`: true,
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(201, body))
		_, _, err := client.Invitations.Create(t.Context(), ProjectID(4), CreateInvitationOptions{
			Emails: []string{"a@b.test"}, AccessLevel: AccessLevelDeveloper,
		})
		assert.Equal(t, fails, err != nil, "%s: %v", body, err)
	}
}

// TestQueuedUsersWithoutAMessage checks that the error has something to say where the
// response has only the users.
func TestQueuedUsersWithoutAMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"queued_users":{"ada":"needs an administrator"}}`:                   "needs an administrator",
		`{"queued_users":{"ada":"x"},"message":"ask an administrator"}`:       "ask an administrator",
		`{"status":"error","queued_users":{"ada":"needs one"},"message":"m"}`: "m",
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		_, _, err := client.Members.Update(t.Context(), ProjectID(4), UserID(7), AccessLevelMaintainer,
			UpdateMemberOptions{})
		var queued *MembershipQueuedError
		require.ErrorAs(t, err, &queued, body)
		assert.Contains(t, queued.Users, "ada")
		assert.ErrorContains(t, err, want, body)
	}
}

// TestQueuedUsersHideTheCredential checks that what the service says of a user is shown without
// a credential that it repeats.
func TestQueuedUsersHideTheCredential(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
		status(200, `{"queued_users":{"ada":"not with `+testSecret+`","`+testSecret+`":"x"}}`))
	_, _, err := client.Members.Update(t.Context(), ProjectID(4), UserID(7), AccessLevelMaintainer,
		UpdateMemberOptions{}, WithCredential(PrivateToken(testSecret)))
	var queued *MembershipQueuedError
	require.ErrorAs(t, err, &queued)
	assert.Equal(t, map[string]string{"ada": "not with [redacted]", "[redacted]": "x"}, queued.Users)
}

// TestTargetsOfWaiters checks that what is waited for has its number in full, and the state
// that was last seen.
func TestTargetsOfWaiters(t *testing.T) {
	var polls []Poll
	observe := WithPollObserver(func(p Poll) { polls = append(polls, p) })
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, `{"id":7,"iid":1234}`))
	_, err := client.MergeRequests.WaitForRebase(t.Context(), ProjectID(4).MergeRequest(1234), observe)
	require.NoError(t, err)
	assert.Equal(t, "the rebase of merge request 4!1234", polls[0].Target)

	polls = nil
	state := exportState(ExportStateFinished)
	client, _ = scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, exportState(ExportStateNone)),
		status(202, `{}`), status(200, state))
	_, err = client.ProjectExport.ScheduleAndWait(t.Context(), ProjectID(4), ScheduleExportOptions{}, observe)
	require.NoError(t, err)
	require.NotEmpty(t, polls)
	assert.Equal(t, string(ExportStateFinished), polls[len(polls)-1].State)
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

// TestCatalogErrorHidesTheToken checks that a registry that sends its token back in a
// header does not get it into an error.
func TestCatalogErrorHidesTheToken(t *testing.T) {
	p := newCatalogPair(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Next-Page", strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		fmt.Fprint(w, `{"repositories":["a"]}`)
	})
	_, _, err := p.catalog().List(t.Context(), nil)
	var problem *PaginationError
	require.ErrorAs(t, err, &problem)
	assert.ErrorContains(t, err, "x-next-page")
	assert.NotContains(t, err.Error(), "registry-1")
}

// TestFileHeaders checks the limits of what describes a file: a size that is no int64, and two
// vendors that describe it equally well.
func TestFileHeaders(t *testing.T) {
	h := http.Header{"X-Service-Blob-Id": {"1"}, "X-Service-Size": {"9223372036854775807"}}
	meta, err := readFileMetadata(h)
	require.NoError(t, err)
	assert.Equal(t, int64(math.MaxInt64), meta.Size)
	h.Set("X-Service-Size", "9223372036854775808")
	meta, err = readFileMetadata(h)
	assert.ErrorContains(t, err, "Size")
	assert.Zero(t, meta.Size)
	tied := http.Header{"X-B-Blob-Id": {"1"}, "X-A-Blob-Id": {"1"}, "X-C-Blob-Id": {"1"}}
	for range 20 { // the order of a map differs
		assert.Equal(t, "X-A-", vendorPrefix(tied))
	}
}
