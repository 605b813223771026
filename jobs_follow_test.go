package serviceapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi/internal/loglines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// followed is a job whose log is different in each poll. In the last poll, the
// job has ended.
type followed struct {
	logs   []string // "" is a log that does not exist
	cuts   []int64  // of the responses for the log, 0 is none
	tag    bool     // whether there are entity tags
	ranges bool
	look   int
	status JobStatus // at the end; JobStatusSuccess if it is empty

	requests []http.Header
	sent     int
	// part replaces the response to a request for a part.
	part func(w http.ResponseWriter, r *http.Request, log string) bool
}

func (f *followed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/trace") {
		state := JobStatusRunning
		if f.look++; f.look >= len(f.logs) {
			if state = f.status; state == "" {
				state = JobStatusSuccess
			}
		}
		fmt.Fprintf(w, `{"id":8,"status":%q}`, state)
		return
	}
	f.requests = append(f.requests, r.Header.Clone())
	log := f.logs[min(f.look, len(f.logs))-1]
	if log == "" {
		http.NotFound(w, r)
		return
	}
	if f.part != nil && r.Header.Get("Range") != "" && f.part(w, r, log) {
		return
	}
	if f.tag {
		w.Header().Set("ETag", fmt.Sprintf(`"%x"`, log))
	}
	if !f.ranges {
		r.Header.Del("Range")
	}
	w = &countingWriter{w, &f.sent}
	if len(f.cuts) > 0 {
		if cut := f.cuts[0]; cut > 0 {
			w = &cutter{ResponseWriter: w, left: cut}
		}
		f.cuts = f.cuts[1:]
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(log))
}

type countingWriter struct {
	http.ResponseWriter
	n *int
}

func (w *countingWriter) Write(p []byte) (int, error) {
	*w.n += len(p)
	return w.ResponseWriter.Write(p)
}

func (w *countingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (f *followed) follow(t *testing.T, opts ...RequestOption) iter.Seq2[string, error] {
	t.Helper()
	client, _ := serve(t, f.ServeHTTP, WithRetry(RetryPolicy{MaxAttempts: 3, MinWait: time.Millisecond}))
	opts = append([]RequestOption{WithPollInterval(time.Millisecond, time.Millisecond)}, opts...)
	return client.Jobs.Follow(t.Context(), ProjectID(1), 8, opts...)
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of the log\n", i)
	}
	return b.String()
}

func linesOf(log string) []string {
	return strings.Split(strings.TrimSuffix(log, "\n"), "\n")
}

// TestFollow checks that each line is yielded once, whatever the service
// supports.
func TestFollow(t *testing.T) {
	whole := lines(100)
	growing := []string{"", whole[:10], whole[:700], whole[:700], whole[:701], whole, whole}
	for name, f := range map[string]*followed{
		"ranges and tags": {ranges: true, tag: true}, "ranges": {ranges: true}, "tags": {tag: true}, "neither": {},
		"cuts":            {ranges: true, cuts: []int64{3, 0, 300, 1, 1}},
		"cuts that go on": {ranges: true, cuts: []int64{300, 300, 300, 300, 300, 300}},
		"parts of unknown length": {ranges: true, part: func(w http.ResponseWriter, r *http.Request, log string) bool {
			var from int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/*", from, len(log)-1))
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, log[from:])
			return true
		}},
		"cuts of the whole": {cuts: []int64{3, 0, 300, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			f.logs = growing
			got, err := Collect(f.follow(t))
			require.NoError(t, err)
			assert.Equal(t, linesOf(whole), got)
			if f.ranges && f.cuts == nil && f.part == nil {
				assert.Less(t, f.sent, len(whole)+len(growing)*loglines.Overlap, "only what is new is sent")
			}
		})
	}
}

// TestFollowAsksOnlyForWhatIsNew checks that only the new part of the log, and
// a little before it, is requested.
func TestFollowAsksOnlyForWhatIsNew(t *testing.T) {
	whole := lines(100)
	f := &followed{logs: []string{whole[:1000], whole[:1000], whole}, ranges: true, tag: true}
	_, err := Collect(f.follow(t))
	require.NoError(t, err)
	require.Len(t, f.requests, 3)
	assert.Empty(t, f.requests[0].Get("Range"))
	assert.Empty(t, f.requests[0].Get("If-None-Match"))
	assert.Equal(t, "bytes=744-", f.requests[1].Get("Range"))
	assert.Equal(t, fmt.Sprintf(`"%x"`, whole[:1000]), f.requests[1].Get("If-None-Match"))
	assert.Equal(t, "bytes=744-", f.requests[2].Get("Range"))
	assert.Empty(t, f.requests[2].Get("If-None-Match"), "the last time, nothing is taken for granted")
	assert.Equal(t, 1000+len(whole)-744, f.sent)
}

// TestFollowARewrittenLog checks that the lines are yielded again from the
// first change on, and that the sequence ends with an error.
func TestFollowARewrittenLog(t *testing.T) {
	whole := lines(60)
	masked := strings.Replace(whole, "line 40", "line **", 1)
	for name, tc := range map[string]struct {
		logs      []string
		want      string
		rewritten bool
	}{
		"changed in the middle": {[]string{whole, masked}, whole + masked[strings.Index(masked, "line **"):], true},
		"changed, and then growing": {[]string{whole, masked, masked + "more\n"},
			whole + masked[strings.Index(masked, "line **"):] + "more\n", true},
		"changed at its end": {[]string{whole, whole[:len(whole)-4] + "LOG\nmore\n"},
			whole + "line 59 of the LOG\nmore\n", true},
		"shorter": {[]string{whole, whole[:200], whole[:200] + "!\n"},
			whole + whole[strings.LastIndex(whole[:200], "\n")+1:200] + "!\n", true},
		"cut":                      {[]string{whole, whole[:strings.Index(whole, "line 20")]}, whole, true},
		"cut a little":             {[]string{whole, whole[:strings.Index(whole, "line 57")]}, whole, true},
		"gone":                     {[]string{whole, ""}, whole, false},
		"begun anew":               {[]string{whole, "a\nb\n"}, whole + "a\nb\n", true},
		"begins with no text":      {[]string{"\n\none\n", "\n\none\ntwo\n"}, "\n\none\ntwo\n", false},
		"changed where unfinished": {[]string{"one\ntwo thre", "one\ntwo three\n"}, "one\ntwo three\n", false},
		"unfinished line changed":  {[]string{"one\ntwo X", "one\ntwo\nthree\n"}, "one\ntwo\nthree\n", false},
	} {
		for _, ranges := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ranges), func(t *testing.T) {
				f := &followed{logs: append(tc.logs, tc.logs[len(tc.logs)-1]), ranges: ranges}
				f.part = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
					// If the end of the log is unchanged, the whole log is not read again, unless
					// the service requires it.
					if !strings.HasPrefix(name, "changed in the") && !strings.HasPrefix(name, "changed, and") {
						return false
					}
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
					return true
				}
				got, err := Collect(f.follow(t))
				assert.Equal(t, linesOf(tc.want), got)
				if tc.rewritten {
					assert.Equal(t, ErrLogRewritten, err)
				} else {
					assert.NoError(t, err)
				}
			})
		}
	}
}

// TestFollowHostileParts checks that parts that do not fit together are not
// joined.
func TestFollowHostileParts(t *testing.T) {
	whole := lines(60)
	for name, part := range map[string]func(w http.ResponseWriter, log string, known int) bool{
		"another start": func(w http.ResponseWriter, log string, _ int) bool {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 3-%d/%d", len(log)-1, len(log)))
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, log[3:])
			return true
		},
		"no range": func(w http.ResponseWriter, log string, _ int) bool {
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, log)
			return true
		},
		"too short": func(w http.ResponseWriter, log string, known int) bool {
			w.Header().Set("Content-Range",
				fmt.Sprintf("bytes %d-%d/*", known-loglines.Overlap, known-loglines.Overlap+9))
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, log[known-loglines.Overlap:][:10])
			return true
		},
		"unsatisfiable": func(w http.ResponseWriter, _ string, _ int) bool {
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			return true
		},
		"never whole": func(w http.ResponseWriter, log string, known int) bool {
			w.Header().Set("Content-Range",
				fmt.Sprintf("bytes %d-%d/%d", known-loglines.Overlap, known-loglines.Overlap+299, len(log)))
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, log[known-loglines.Overlap:][:300])
			return true
		},
		"another length": func(w http.ResponseWriter, log string, known int) bool {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", known-loglines.Overlap, len(log)-1, len(log)))
			w.Header().Set("Content-Length", "300")
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, log[known-loglines.Overlap:][:300])
			return true
		},
		"another log": func(w http.ResponseWriter, log string, known int) bool {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", known-loglines.Overlap, len(log)-1, len(log)))
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, strings.ToUpper(log[known-loglines.Overlap:]))
			return true
		},
	} {
		for _, known := range []int{loglines.Overlap + 1, 500} {
			for _, look := range []int{2, 3} { // in the middle, and when the job has ended
				t.Run(fmt.Sprint(name, known, look), func(t *testing.T) {
					hostile := 0
					f := &followed{logs: []string{whole[:known], whole, whole, whole}, ranges: true, tag: true}
					if look == 3 {
						f.logs = []string{whole[:known], whole[:known], whole}
					}
					f.part = func(w http.ResponseWriter, _ *http.Request, log string) bool {
						if hostile > 0 || f.look != look {
							return false
						}
						hostile = len(f.requests)
						return part(w, log, known)
					}
					got, err := Collect(f.follow(t, WithHeader("X-Own", "y")))
					require.NoError(t, err)
					assert.Equal(t, linesOf(whole), got)
					require.Positive(t, hostile)
					assert.Equal(t, "y", f.requests[hostile-1].Get("X-Own"))
					require.Greater(t, len(f.requests), hostile)
					if name != "too short" && name != "never whole" {
						assert.Empty(t, f.requests[hostile].Get("If-None-Match"), "it is read anew")
						assert.Empty(t, f.requests[hostile].Get("Range"), "from its beginning")
					}
				})
			}
		}
	}
}

// TestFollowShortParts checks a service that sends less than was requested,
// also of the log of a job that has ended.
func TestFollowShortParts(t *testing.T) {
	whole := lines(100)
	f := &followed{logs: []string{whole[:500], whole}, ranges: true}
	count := 0
	f.part = func(w http.ResponseWriter, r *http.Request, log string) bool {
		var from int
		_, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		assert.NoError(t, err)
		count++
		to := min(from+loglines.Overlap+300, len(log))
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(log)))
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, log[from:to])
		return true
	}
	got, err := Collect(f.follow(t))
	require.NoError(t, err)
	assert.Equal(t, linesOf(whole), got)
	assert.Equal(t, (len(whole)-500+299)/300, count)
}

// TestFollowOfUselessParts checks that a part is requested once, and after that
// the whole log.
func TestFollowOfUselessParts(t *testing.T) {
	whole := lines(60)
	f := &followed{logs: []string{whole[:500], whole[:600], whole[:700], whole[:800], whole}}
	count := 0
	f.part = func(w http.ResponseWriter, _ *http.Request, log string) bool {
		count++
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 3-%d/%d", len(log)-1, len(log)))
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, log[3:])
		return true
	}
	got, err := Collect(f.follow(t))
	require.NoError(t, err)
	assert.Equal(t, linesOf(whole), got)
	assert.Equal(t, 1, count)
}

// TestFollowPartsFromTheBeginning checks a service that sends the whole log,
// with its changes, as a part.
func TestFollowPartsFromTheBeginning(t *testing.T) {
	for name, isKnown := range map[string]bool{"of known length": true, "of unknown length": false} {
		t.Run(name, func(t *testing.T) { testFollowPartsFromTheBeginning(t, isKnown) })
	}
}

func testFollowPartsFromTheBeginning(t *testing.T, isLengthKnown bool) {
	logs := []string{"one\ntwo X", "one\ntwo\nthree\n"}
	looks, reads := 0, 0
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/trace") {
			state := JobStatusRunning
			if looks++; looks >= len(logs) {
				state = JobStatusSuccess
			}
			fmt.Fprintf(w, `{"id":8,"status":%q}`, state)
			return
		}
		reads++
		log := logs[min(looks, len(logs))-1]
		total := "*"
		if isLengthKnown {
			total = fmt.Sprint(len(log))
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%s", len(log)-1, total))
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, log)
	})
	got, err := Collect(client.Jobs.Follow(t.Context(), ProjectID(1), 8,
		WithPollInterval(time.Millisecond, time.Millisecond)))
	require.NoError(t, err)
	assert.Equal(t, []string{"one", "two", "three"}, got)
	assert.Equal(t, len(logs), reads, "none was read in vain")
}

// TestFollowGivesUp checks that following ends after as many reads without
// progress as the policy has attempts.
func TestFollowGivesUp(t *testing.T) {
	whole := lines(60)
	f := &followed{logs: []string{whole}, cuts: []int64{100, 20, 20, 20, 20, 20}}
	got, err := Collect(f.follow(t))
	var transport *TransportError
	require.ErrorAs(t, err, &transport)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, linesOf(whole)[:5], got)
	assert.GreaterOrEqual(t, len(f.requests), 3)

	f = &followed{logs: []string{whole}, cuts: []int64{100, 100, 100, 100, 100, 100, 0}}
	_, err = Collect(f.follow(t))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "to come as far as before is no progress")

	f = &followed{logs: []string{whole[:500], whole}, ranges: true}
	f.part = func(w http.ResponseWriter, _ *http.Request, log string) bool {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-499/%d", 500-loglines.Overlap, len(log)))
		w.WriteHeader(http.StatusPartialContent)
		io.WriteString(w, log[500-loglines.Overlap:500])
		return true
	}
	_, err = Collect(f.follow(t))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "nor is a part that has only what is known")
	assert.Len(t, f.requests, 1+3)

	f = &followed{logs: []string{"one\n", "", ""}, ranges: true}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/trace") {
			w.Header().Set("Content-Range", "bytes 5-9/10")
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, "01234")
			return
		}
		f.ServeHTTP(w, r)
	})
	_, err = Collect(client.Jobs.Follow(t.Context(), ProjectID(1), 8))
	assert.ErrorIs(t, err, errWrongPart, "a part that nobody asked for")
}

func TestFollowErrors(t *testing.T) {
	for path, want := range map[string]error{"/trace": ErrForbidden, "/8": ErrNotFound} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/trace"):
				w.WriteHeader(http.StatusForbidden)
			case path == "/trace":
				io.WriteString(w, `{"id":8,"status":"running"}`)
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		})
		n := 0
		for line, err := range client.Jobs.Follow(t.Context(), ProjectID(1), 8) {
			n++
			assert.Empty(t, line)
			assert.ErrorIs(t, err, want)
			var e *Error
			if assert.ErrorAs(t, err, &e) {
				assert.Equal(t, "/projects/:id/jobs/:job_id"+strings.TrimPrefix(path, "/8"), e.Operation)
			}
		}
		assert.Equal(t, 1, n)
	}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/trace") {
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		}
		io.WriteString(w, `{"id":8,"status":"running"}`)
	})
	_, err := Collect(client.Jobs.Follow(t.Context(), ProjectID(1), 8))
	var e *Error
	require.ErrorAs(t, err, &e, "nobody asked for a range")
	assert.Equal(t, http.StatusRequestedRangeNotSatisfiable, e.StatusCode)
	client = clientOf(t, "http://service.test")
	for _, seq := range []iter.Seq2[string, error]{
		client.Jobs.Follow(t.Context(), ProjectID(1), 0),
		new(Client).followNothing(t),
	} {
		_, err := Collect(seq)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument)
	}
}

func (c *Client) followNothing(t *testing.T) iter.Seq2[string, error] {
	return (*JobsService)(&service{client: c}).Follow(t.Context(), ProjectID(1), 8)
}

// TestFollowEndsWithItsJob checks every state that a job does not leave by
// itself.
func TestFollowEndsWithItsJob(t *testing.T) {
	for _, end := range []JobStatus{JobStatusSuccess, JobStatusFailed, JobStatusCanceled, JobStatusSkipped,
		JobStatusManual} {
		f := &followed{logs: []string{"one\n", "one\ntwo"}, status: end}
		var polls []string
		got, err := Collect(f.follow(t, WithPollObserver(func(p Poll) { polls = append(polls, p.Target+" "+p.State) })))
		require.NoError(t, err)
		assert.Equal(t, []string{"one", "two"}, got, "the last line needs no ending")
		assert.Equal(t, []string{"job 8 running", "job 8 " + string(end)}, polls)
	}
	f := &followed{logs: []string{"", ""}}
	got, err := Collect(f.follow(t))
	require.NoError(t, err)
	assert.Empty(t, got, "a job need not have a log")
}

// TestFollowEndsWithItsConsumer leaves the loop in the middle of a log and at
// its end.
func TestFollowEndsWithItsConsumer(t *testing.T) {
	for want := 1; want <= 3; want++ {
		f := &followed{logs: []string{"one\ntwo\nthree", "one\ntwo\nthree"}}
		n := 0
		for _, err := range f.follow(t) {
			require.NoError(t, err)
			if n++; n == want {
				break
			}
		}
		assert.Equal(t, want, n)
	}
	f := &followed{logs: []string{"one\ntwo\n", "one\nTWO", "one\nTWO"}}
	for line, err := range f.follow(t) {
		require.NoError(t, err)
		if line == "TWO" {
			break // before ErrLogRewritten
		}
	}
	body := &closeNoted{Reader: strings.NewReader("one\ntwo\n")}
	client, _ := scriptedClient(t, RetryPolicy{}, status(200, `{"id":8,"status":"running"}`),
		func(r *http.Request) (*http.Response, error) {
			resp, err := status(200, "")(r)
			resp.Body, resp.ContentLength = body, -1
			return resp, err
		})
	for _, err := range client.Jobs.Follow(t.Context(), ProjectID(1), 8) {
		require.NoError(t, err)
		break
	}
	assert.True(t, body.closed.Load())
}

// TestFollowWaits checks that waits become longer while there is nothing new,
// and end with the context.
func TestFollowWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var looks []time.Time
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/trace") {
				log := "one\n"
				if time.Since(began) > 30*time.Minute {
					log += "two\n"
				}
				return status(200, log)(r)
			}
			looks = append(looks, time.Now())
			return status(200, `{"id":8,"status":"running"}`)(r)
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		var got []string
		var last error
		for line, err := range client.Jobs.Follow(ctx, ProjectID(1), 8, WithPollInterval(time.Second, 4*time.Minute)) {
			if last = err; err == nil {
				got = append(got, fmt.Sprint(line, " ", time.Since(began) < 37*time.Minute))
			}
		}
		assert.Equal(t, []string{"one true", "two true"}, got)
		require.ErrorIs(t, last, context.DeadlineExceeded)
		assert.ErrorContains(t, last, `gave up following the log of job 8 in state "running"`)
		assert.Less(t, looks[1].Sub(looks[0]), 2*time.Second)
		quick, early := 0, 0
		for i := range looks[1:] {
			gap := looks[i+1].Sub(looks[i])
			assert.LessOrEqual(t, gap, 6*time.Minute)
			switch {
			case looks[i].Sub(began) < 10*time.Minute:
				early++
			case gap < 5*time.Second:
				quick++
			}
		}
		assert.GreaterOrEqual(t, quick, 3, "after a new line it begins anew")
		assert.GreaterOrEqual(t, early, 13, "an interval is half as long again as the one before")
		assert.LessOrEqual(t, early, 17)
		assert.Less(t, len(looks), 60)
	})
}

// TestFollowEndlessLog checks that the lines that were yielded are not kept.
func TestFollowEndlessLog(t *testing.T) {
	const size = 2 << 20
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/trace") {
			io.WriteString(w, `{"id":8,"status":"success"}`)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		chunk := bytes.Repeat([]byte{'\n'}, 64<<10)
		for range size / len(chunk) {
			w.Write(chunk)
		}
	})
	heap := func() int64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	before, n := heap(), 0
	for _, err := range client.Jobs.Follow(t.Context(), ProjectID(1), 8) {
		require.NoError(t, err)
		if n++; n == size {
			assert.Less(t, heap()-before, int64(4<<20), "it would be 16 MiB with a number for each line")
		}
	}
	assert.Equal(t, size, n)
}

// TestFollowWithoutRanges checks that a log which is transferred from its beginning
// with every read is read less often when it is long, but at its end at once.
func TestFollowWithoutRanges(t *testing.T) {
	log := strings.Repeat(strings.Repeat("x", 99)+"\n", 10_000) // 1 MB
	f := &followed{}
	for i := range 150 {
		f.logs = append(f.logs, log+lines(i))
	}
	began := time.Now()
	got, err := Collect(f.follow(t, WithPollInterval(2*time.Millisecond, 2*time.Millisecond)))
	require.NoError(t, err)
	assert.Len(t, got, 10_000+149)
	assert.LessOrEqual(t, len(f.requests), 5, "two at once, and one at the end")
	assert.Less(t, time.Since(began), 3*time.Second)
}

// TestFollowCosts checks the rate at which a log is transferred again and again.
func TestFollowCosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tc := range []struct{ size, reads int }{{60_000, 600}, {200_000, 78}, {1_000_000, 16}, {20_000_000, 2}} {
			reads := 0
			log := strings.Repeat("x", tc.size-1) + "\n"
			client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, func(r *http.Request) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, "/trace") {
					reads++
					return status(200, log)(r)
				}
				return status(200, `{"id":8,"status":"running"}`)(r)
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			every := WithPollInterval(100*time.Millisecond, 100*time.Millisecond)
			for _, err := range client.Jobs.Follow(ctx, ProjectID(1), 8, every) {
				if err != nil {
					require.ErrorIs(t, err, context.DeadlineExceeded)
				}
			}
			cancel()
			assert.InEpsilon(t, tc.reads, reads, 0.15, tc.size)
		}
	})
}

// TestFollowOfAPage checks that the sign-in page of a proxy is not taken for a log.
func TestFollowOfAPage(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/trace") {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<html>Sign in</html>\n")
			return
		}
		io.WriteString(w, `{"id":8,"status":"running"}`)
	})
	got, err := Collect(client.Jobs.Follow(t.Context(), ProjectID(1), 8))
	assert.ErrorAs(t, err, new(*DecodeError))
	assert.ErrorIs(t, err, errPage)
	assert.Empty(t, got)
}

// TestFollowTheShortestLog checks a log of one byte, without a line ending.
func TestFollowTheShortestLog(t *testing.T) {
	for _, ranges := range []bool{true, false} {
		f := &followed{logs: []string{"", "x", "x"}, ranges: ranges}
		got, err := Collect(f.follow(t))
		require.NoError(t, err)
		assert.Equal(t, []string{"x"}, got)
	}
}
