package serviceapi

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMinWaitIsTheMeanOfTheFirstWait checks this for a MinWait of the caller.
func TestMinWaitIsTheMeanOfTheFirstWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls = 400
		asked := 0
		client, s := scriptedClient(t, RetryPolicy{MinWait: time.Minute, MaxWait: time.Hour},
			func(r *http.Request) (*http.Response, error) {
				if asked++; asked%2 == 1 {
					return status(503, ``)(r)
				}
				return okJob(r)
			})
		var sum, longest time.Duration
		for i := range calls {
			_, err := getJob(t.Context(), client)
			require.NoError(t, err)
			wait := s.Times[2*i+1].Sub(s.Times[2*i])
			sum, longest = sum+wait, max(longest, wait)
		}
		assert.InDelta(t, time.Minute, sum/calls, float64(12*time.Second))
		assert.LessOrEqual(t, longest, 2*time.Minute)
		assert.Greater(t, longest, 90*time.Second)
	})
}

// TestAskedWaitsDoNotCostTheBudget checks that only retries for which the
// service did not say when to come back cost the budget.
func TestAskedWaitsDoNotCostTheBudget(t *testing.T) {
	for name, tc := range map[string]struct {
		reply func(*http.Request) (*http.Response, error)
		want  int
	}{
		"asked":                 {status(503, ``, "Retry-After", "1"), 5},
		"limited":               {status(429, ``), 5},
		"limited until":         {status(429, ``, "RateLimit-Reset", "1"), 5},
		"not asked":             {status(503, ``), 2},
		"garbage":               {status(503, ``, "Retry-After", "soon"), 2},
		"negative":              {status(503, ``, "Retry-After", "-5"), 2},
		"exponent":              {status(503, ``, "Retry-After", "1e3"), 2},
		"too long for a number": {status(503, ``, "Retry-After", "99999999999999999999"), 2},
		"no date":               {status(503, ``, "Retry-After", "Mon, 99 Foo 2026 10:00:00 GMT"), 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{Replies: []func(*http.Request) (*http.Response, error){tc.reply}}
			client, err := NewClient("https://service.test", PrivateToken("x"),
				WithHTTPClient(&http.Client{Transport: s}), WithRetryBudget(0))
			require.NoError(t, err)
			_, err = getJob(t.Context(), client)
			require.Error(t, err)
			assert.Len(t, s.Times, tc.want, name)
			assert.Equal(t, tc.want == 2, strings.Contains(err.Error(), "the retry budget of the client is spent"),
				name)
			if strings.HasPrefix(name, "asked") {
				assert.GreaterOrEqual(t, s.Times[4].Sub(s.Times[0]), 4*time.Second)
			}
		})
	}
}

// TestRetryThatHelpedIsPaidBack in full: a budget of two lasts for any number of
// calls that succeed at their second attempt.
func TestRetryThatHelpedIsPaidBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		s := &scripted{Replies: []func(*http.Request) (*http.Response,
			error){func(r *http.Request) (*http.Response, error) {
			if asked++; asked%2 == 1 {
				return status(503, ``)(r)
			}
			return okJob(r)
		}}}
		client, err := NewClient("https://service.test", PrivateToken("x"),
			WithHTTPClient(&http.Client{Transport: s}), WithRetryBudget(2))
		require.NoError(t, err)
		for range 20 {
			_, err := getJob(t.Context(), client)
			require.NoError(t, err)
		}
	})
}

// TestGarbageRetryAfterIsNoWait checks that the waits of the policy apply.
func TestGarbageRetryAfterIsNoWait(t *testing.T) {
	for _, value := range []string{"soon", "-5", "1e3", "99999999999999999999", "Mon, 99 Foo 2026 10:00:00 GMT",
		"0x10", "5 seconds"} {
		synctest.Test(t, func(t *testing.T) {
			for _, name := range []string{"Retry-After", "RateLimit-Reset"} {
				client, s := scriptedClient(t, RetryPolicy{MinWait: time.Millisecond, MaxWait: 10 * time.Millisecond},
					status(429, ``, name, value), okJob)
				_, err := getJob(t.Context(), client)
				require.NoError(t, err, value)
				assert.LessOrEqual(t, s.Times[1].Sub(s.Times[0]), 10*time.Millisecond, "%s: %s", name, value)
			}
		})
	}
}

// TestMigrationWhoseDownloadFails checks that the error says on which side it
// failed, and that the target gets a broken request instead of half an archive.
func TestMigrationWhoseDownloadFails(t *testing.T) {
	source, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/export/download"):
			w.Header().Set("Content-Length", "200000")
			(&cutter{ResponseWriter: w, left: 100_000}).Write(make([]byte, 200_000))
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusAccepted)
			io.WriteString(w, `{"message":"202 Accepted"}`)
		default:
			io.WriteString(w, `{"id":1,"path":"app","export_status":"finished"}`)
		}
	})
	var uploads atomic.Int32
	got := make(chan received, 1)
	target, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if uploads.Add(1) == 1 {
			got <- receiveUpload(r)
		}
	}, WithRetry(RetryPolicy{MinWait: time.Millisecond, RetryUnsafe: true}))
	_, err := handOver(t.Context(), source, ProjectID(1), target, MigrateProjectOptions{Path: "app"})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.ErrorContains(t, err, "the export of the source: ")
	assert.ErrorContains(t, err, "the stream broke off after 100000 bytes")
	select {
	case upload := <-got:
		assert.Error(t, upload.err, "the target does not take half for the whole")
	case <-time.After(10 * time.Second):
		t.Fatal("the target has seen nothing")
	}
	target.CloseIdleConnections()
	assert.EqualValues(t, 1, uploads.Load(), "an archive is sent once")
}

// TestMigrationPassesEverythingOn: the options, and a name if the source has none
// for its archive, which is closed whatever becomes of it.
func TestMigrationPassesEverythingOn(t *testing.T) {
	archive := &closeNoted{Reader: strings.NewReader("an archive")}
	source, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		resp, err := status(200, "an archive")(r)
		resp.Body = archive
		return resp, err
	})
	values := make(map[string]string)
	target, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.NoError(t, r.ParseMultipartForm(1<<20))
		for name, all := range r.MultipartForm.Value {
			values[name] = strings.Join(all, ",")
		}
		for name, files := range r.MultipartForm.File {
			values[name] = files[0].Filename + " " + files[0].Header.Get("Content-Type")
		}
		w.WriteHeader(http.StatusConflict)
	})
	_, err := handOver(t.Context(), source, ProjectID(1), target, MigrateProjectOptions{
		Path: "app", Namespace: NamespaceID(7), Name: new("App"), Overwrite: new(true),
		OverrideParams: ProjectOverrides{"description": "Moved"},
	})
	require.ErrorIs(t, err, ErrConflict)
	assert.Equal(t, map[string]string{
		"path": "app", "namespace": "7", "name": "App", "overwrite": "true", "override_params[description]": "Moved",
		"file": "export.tar.gz application/gzip",
	}, values)
	assert.True(t, archive.closed.Load())
}
