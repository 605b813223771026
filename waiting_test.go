package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi/internal/pace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func jobRunning() func(*http.Request) (*http.Response, error) { return jobIs(JobStatusRunning) }

func TestWaitSlowsDown(t *testing.T) {
	for _, tc := range []struct {
		opts        []RequestOption
		first, most time.Duration
	}{
		{nil, 500 * time.Millisecond, 10 * time.Second},
		{[]RequestOption{WithPollInterval(time.Second, 3*time.Second)}, time.Second, 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			script := make([]func(*http.Request) (*http.Response, error), 14)
			for i := range script {
				script[i] = jobRunning()
			}
			script[13] = jobIs(JobStatusSuccess)
			client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, script...)
			_, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8, tc.opts...)
			require.NoError(t, err)
			require.Len(t, s.Times, 14)
			expected, exact := tc.first, 0
			for i := 1; i < len(s.Times); i++ {
				wait := s.Times[i].Sub(s.Times[i-1])
				assert.InDelta(t, expected.Seconds(), wait.Seconds(), expected.Seconds()/2+0.001, "wait %d", i)
				if wait == expected {
					exact++
				}
				expected = min(expected+expected/2, tc.most)
			}
			assert.Less(t, exact, 3, "waits vary, so that programs do not poll in step")
			assert.Equal(t, tc.most, expected)
		})
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	tired := errors.New("tired")
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, jobRunning(), jobRunning(), jobRunning())
		start := time.Now()
		ctx, cancel := context.WithTimeoutCause(t.Context(), 700*time.Millisecond, tired)
		defer cancel()
		job, err := client.Jobs.Wait(ctx, ProjectID(4), 8)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorIs(t, err, tired)
		assert.ErrorContains(t, err, `gave up waiting for job 8 in state "running"`)
		assert.Equal(t, JobStatusRunning, job.Status)
		assert.Equal(t, 700*time.Millisecond, time.Since(start))
	})
}

func TestWaitReportsWhatItSees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, jobIs(JobStatusPending), jobRunning(),
			jobIs(JobStatusFailed))
		start := time.Now()
		var seen []string
		_, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8, WithPollObserver(func(p Poll) {
			assert.Equal(t, time.Since(start), p.Elapsed)
			seen = append(seen, fmt.Sprint(p.Target, p.State, p.Done, p.Count))
		}))
		require.NoError(t, err)
		assert.Equal(t, []string{"job 8pendingfalse 1", "job 8runningfalse 2", "job 8failedtrue 3"}, seen)
	})
}

func TestWaitDoesNotAskForWhatItHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tagged := func(req *http.Request) (*http.Response, error) {
			assert.NotContains(t, req.Header, "If-None-Match", "nothing is known yet")
			resp, err := jobRunning()(req)
			resp.Header.Set("Etag", `W/"1"`)
			return resp, err
		}
		var asked []string
		same := func(req *http.Request) (*http.Response, error) {
			asked = append(asked, req.Header.Get("If-None-Match"))
			return status(304, "")(req)
		}
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, tagged, same, same, jobIs(JobStatusSuccess))
		job, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8)
		require.NoError(t, err)
		assert.Equal(t, JobStatusSuccess, job.Status)
		assert.Equal(t, []string{`W/"1"`, `W/"1"`}, asked)
	})
}

func TestPollIntervalArguments(t *testing.T) {
	client := onWire(t)
	for bad, argument := range map[[2]time.Duration]string{
		{0, time.Second}: "first poll interval", {-1, 1}: "first poll interval", {2, 1}: "longest poll interval",
	} {
		_, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8, WithPollInterval(bad[0], bad[1]))
		assertRefused(t, argument, err)
	}
}

// TestWaitReturnsWhatItSawLast checks that the object is returned together with
// any error that ends the wait.
func TestWaitReturnsWhatItSawLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, jobRunning(), status(404, ""))
		job, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8)
		require.ErrorIs(t, err, ErrNotFound)
		require.NotNil(t, job)
		assert.Equal(t, JobStatusRunning, job.Status)
		client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(404, ""))
		looks := 0
		job, err = client.Jobs.Wait(t.Context(), ProjectID(4), 8, WithPollObserver(func(Poll) { looks++ }))
		require.ErrorIs(t, err, ErrNotFound)
		assert.Nil(t, job)
		assert.Len(t, s.Times, 1)
		assert.Zero(t, looks)

		// The request was not conditional.
		client, _ = scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(304, ""))
		job, err = client.Jobs.Wait(t.Context(), ProjectID(4), 8)
		require.ErrorIs(t, err, ErrNotModified)
		assert.Nil(t, job)
	})
}

// TestWaitNamesOddStates checks that unknown states are printable in the error.
func TestWaitNamesOddStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
			status(200, `{"id":8,"status":"\u202e`+strings.Repeat("é", 200)+`"}`))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := wait(ctx, client, "job 8", Route("/x"), nil, nil,
			func(job *Job) (string, bool) { return string(job.Status), false })
		assert.EqualError(t, err, `serviceapi: gave up waiting for job 8 in state "\\u202e`+strings.Repeat("é", 99)+
			`…": context deadline exceeded`)
	})
}

// TestWaitKeepsTheCallersHeaders checks that they are sent with the entity tag,
// and that a new tag is used.
func TestWaitKeepsTheCallersHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		look := func(tag string, next func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response,
			error) {
			return func(req *http.Request) (*http.Response, error) {
				asked = append(asked, req.Header.Get("X-Trace")+" "+req.Header.Get("If-None-Match"))
				resp, err := next(req)
				resp.Header.Set("Etag", tag)
				return resp, err
			}
		}
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, look("a", jobRunning()),
			look("b", jobIs(JobStatusPending)), look("", jobRunning()), look("", jobIs(JobStatusSuccess)))
		client, err := client.With(WithHeader("X-Trace", "7"))
		require.NoError(t, err)
		_, err = client.Jobs.Wait(t.Context(), ProjectID(4), 8)
		require.NoError(t, err)
		assert.Equal(t, []string{"7 ", "7 a", "7 b", "7 "}, asked)
		_, err = getJob(t.Context(), client, WithHeader("If-None-Match", "own"))
		require.NoError(t, err)
	})
}

// TestJitter checks that a wait varies by half in both directions.
func TestJitter(t *testing.T) {
	var shortest, longest time.Duration = time.Hour, 0
	for range 5000 {
		wait := jitter(time.Second)
		shortest, longest = min(shortest, wait), max(longest, wait)
	}
	assert.InDelta(t, 0.5, shortest.Seconds(), 0.01)
	assert.InDelta(t, 1.5, longest.Seconds(), 0.01)
	assert.GreaterOrEqual(t, shortest, time.Second/2)
	assert.Less(t, longest, 3*time.Second/2)
}

func TestPauseSaysWhyItEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		require.NoError(t, pace.Pause(t.Context(), time.Minute))
		assert.Equal(t, time.Minute, time.Since(start))
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("enough"))
		assert.EqualError(t, pace.Pause(ctx, time.Minute), "context canceled: enough")
		plain, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		assert.Equal(t, context.DeadlineExceeded, pace.Pause(plain, time.Minute))
		assert.Equal(t, 61*time.Second, time.Since(start))
	})
}

// startsAndWaits are the calls that start something and wait for it.
var startsAndWaits = map[string]func(*testing.T, *Client, ...RequestOption) error{
	"StopAndWait": func(t *testing.T, c *Client, opts ...RequestOption) error {
		_, err := c.Environments.StopAndWait(t.Context(), ProjectID(7), 1, StopEnvironmentOptions{}, opts...)
		return err
	},
	"RebaseAndWait": func(t *testing.T, c *Client, opts ...RequestOption) error {
		_, err := c.MergeRequests.RebaseAndWait(t.Context(), ProjectID(7).MergeRequest(1), RebaseOptions{}, opts...)
		return err
	},
	"ScheduleAndWait": func(t *testing.T, c *Client, opts ...RequestOption) error {
		_, err := c.ProjectExport.ScheduleAndWait(t.Context(), ProjectID(7), ScheduleExportOptions{}, opts...)
		return err
	},
	"MigrateProject": func(t *testing.T, c *Client, opts ...RequestOption) error {
		state := ExportStateNone
		source, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/download"):
				io.WriteString(w, "archive")
			case r.Method == http.MethodPost:
				state = ExportStateFinished
				w.WriteHeader(202)
			default:
				fmt.Fprintf(w, `{"id":7,"path":"app","export_status":%q}`, state)
			}
		}, WithPollInterval(time.Millisecond, time.Millisecond))
		_, err := MigrateProject(t.Context(), source, ProjectID(7), c, MigrateProjectOptions{})
		return err
	},
}

// TestExecutedBeforeThePolls checks that the error of a poll does not deny the
// write that came before it, and that a refused write is denied as before.
func TestExecutedBeforeThePolls(t *testing.T) {
	for name, call := range startsAndWaits {
		for problem, fail := range map[string]func(http.ResponseWriter){
			"429": func(w http.ResponseWriter) { w.WriteHeader(429) },
			"lock": func(w http.ResponseWriter) {
				http.Error(w, `{"message":"Resource lock"}`, http.StatusConflict)
			},
			"no connection": nil, // since the write
		} {
			t.Run(name+", "+problem, func(t *testing.T) {
				var server *httptest.Server
				written := false
				var client *Client
				client, server = serve(t, func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.Method != http.MethodGet:
						io.Copy(io.Discard, r.Body)
						if written = true; fail == nil {
							server.Listener.Close()
							w.Header().Set("Connection", "close")
						}
						w.WriteHeader(202)
						io.WriteString(w, `{"id":1,"state":"stopping","rebase_in_progress":true}`)
					case written:
						fail(w)
					default:
						io.WriteString(w, `{"export_status":"none"}`)
					}
				}, WithRetry(RetryPolicy{MaxAttempts: 1}))
				err := call(t, client)
				require.Error(t, err)
				assert.True(t, written)
				assert.True(t, MayHaveExecuted(err), "%v", err)
				assert.ErrorContains(t, err, "was accepted before")
				if fail == nil {
					assert.True(t, hasType[*TransportError](err), "%v", err)
				} else {
					assert.True(t, hasType[*Error](err), "%v", err)
					assert.NotNil(t, errorResponse(err))
				}
			})
		}
		t.Run(name+", refused", func(t *testing.T) {
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if io.Copy(io.Discard, r.Body); r.Method != http.MethodGet {
					w.WriteHeader(429)
				}
				io.WriteString(w, `{"export_status":"none"}`)
			}, WithRetry(RetryPolicy{MaxAttempts: 1}))
			err := call(t, client)
			require.ErrorIs(t, err, ErrRateLimited)
			assert.False(t, MayHaveExecuted(err))
		})
	}
}

// TestOptionsGoToTheirHalf checks that what belongs to the write of a call is not
// part of the polls that follow it.
func TestOptionsGoToTheirHalf(t *testing.T) {
	conditions := []string{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"}
	for name, call := range startsAndWaits {
		if name == "MigrateProject" {
			continue // without options for calls
		}
		t.Run(name, func(t *testing.T) {
			var written string
			polls := 0
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Method != http.MethodGet {
					written = string(body)
					for _, name := range conditions {
						assert.NotEmpty(t, r.Header.Get(name), name)
					}
					w.WriteHeader(202)
					io.WriteString(w, `{"id":1,"state":"stopping"}`)
					return
				}
				polls++
				for _, name := range conditions {
					assert.Empty(t, r.Header.Get(name), name)
				}
				assert.Equal(t, "yes", r.Header.Get("X-Both"))
				state := ExportStateNone
				if written != "" {
					state = ExportStateFinished
				}
				fmt.Fprintf(w, `{"id":1,"state":"stopped","export_status":%q}`, state)
			})
			require.NoError(t, call(t, client, WithBodyField("later", true), WithHeader("X-Both", "yes"),
				WithIfUnmodifiedSince(time.Now()), WithHeader("If-Match", `"a"`), WithIfNoneMatch(`"b"`),
				WithHeader("If-Modified-Since", "Sat, 31 Oct 2026 10:00:00 GMT"),
				WithPollInterval(time.Millisecond, time.Millisecond)))
			assert.Contains(t, written, `"later":true`)
			assert.Positive(t, polls)
		})
	}
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

// TestWaitersNameWhatTheyWaitFor lets every method that waits tell an observer what it waits for:
// the number that it was given, in full.
func TestWaitersNameWhatTheyWaitFor(t *testing.T) {
	const number = 1234567
	client := handlerClient(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"id":1234567,"iid":1}`) })
	services := reflect.ValueOf(client).Elem()
	observed := 0
	eachMethod(func(service reflect.StructField, method reflect.Method) {
		if !strings.Contains(method.Name, "Wait") {
			return
		}
		name := service.Name + "." + method.Name
		in, err := arguments(t, method.Type)
		require.NoError(t, err, name)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		in[0] = reflect.ValueOf(ctx)
		takesNumber := false
		for i, arg := range in {
			if arg.Type() == reflect.TypeFor[int64]() {
				in[i], takesNumber = reflect.ValueOf(int64(number)), true
			}
		}
		var target string
		in = append(in, reflect.ValueOf(WithPollObserver(func(p Poll) {
			target = p.Target
			cancel()
		})))
		method.Func.Call(append([]reflect.Value{services.FieldByIndex(service.Index)}, in...))
		observed++
		assert.NotEmpty(t, target, name)
		if takesNumber {
			assert.Contains(t, target, "1234567", name)
		}
	})
	assert.Greater(t, observed, 5)
}

// TestRebaseIsAskedFor checks that the poll asks for the member that says whether a rebase is in
// progress: without it, every rebase would seem to have ended.
func TestRebaseIsAskedFor(t *testing.T) {
	var query string
	client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.RawQuery
		fmt.Fprint(w, `{"id":7,"iid":2}`)
	})
	_, err := client.MergeRequests.WaitForRebase(t.Context(), ProjectID(4).MergeRequest(2))
	require.NoError(t, err)
	assert.Equal(t, "include_rebase_in_progress=true", query)
}

// TestWhenAMergeRequestIsPrepared checks both ways in which the service says so.
func TestWhenAMergeRequestIsPrepared(t *testing.T) {
	now := time.Now()
	both := &DiffRefs{BaseSHA: "a", HeadSHA: "b"}
	for _, tc := range []struct {
		mr   MergeRequestDetails
		want bool
	}{
		{MergeRequestDetails{}, false},
		{MergeRequestDetails{MergeRequest: MergeRequest{PreparedAt: &now}}, true},
		{MergeRequestDetails{MergeRequest: MergeRequest{PreparedAt: &now}, DiffRefs: both}, true},
		{MergeRequestDetails{DiffRefs: both}, true},
		{MergeRequestDetails{DiffRefs: both,
			MergeRequest: MergeRequest{DetailedMergeStatus: DetailedMergeStatusPreparing}}, false},
		{MergeRequestDetails{DiffRefs: &DiffRefs{BaseSHA: "a"}}, false},
		{MergeRequestDetails{DiffRefs: &DiffRefs{HeadSHA: "b"}}, false},
	} {
		_, got := preparedState(&tc.mr)
		assert.Equal(t, tc.want, got, "%+v", tc.mr)
	}
}

// TestWhenAnArchiveIsReplaced checks that an archive that is gone was not replaced.
func TestWhenAnArchiveIsReplaced(t *testing.T) {
	none, plain := archiveStamp{}, archiveStamp{exists: true}
	a, b := archiveStamp{true, "a", ""}, archiveStamp{true, "b", ""}
	for _, tc := range []struct {
		earlier, now  archiveStamp
		changed, want bool
	}{
		{none, none, true, false}, {none, a, false, true}, {a, a, true, false}, {a, b, false, true},
		{a, none, true, false}, {plain, plain, false, false}, {plain, plain, true, true},
	} {
		got, err := tc.earlier.replaced(func() (archiveStamp, error) { return tc.now, nil })(tc.changed)
		require.NoError(t, err)
		assert.Equal(t, tc.want, got, "%+v", tc)
	}
}
