package serviceapi

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi/internal/pages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pagesOf serves a numbered list of this many items.
func pagesOf(items int, delay time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(delay)
		query := r.URL.Query()
		page, _ := strconv.Atoi(query.Get("page"))
		page = max(page, 1)
		size, _ := strconv.Atoi(query.Get("per_page"))
		pages := (items + size - 1) / size
		w.Header().Set("X-Total", strconv.Itoa(items))
		w.Header().Set("X-Total-Pages", strconv.Itoa(pages))
		if page < pages {
			query.Set("page", strconv.Itoa(page+1))
			w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?%s>; rel="next", <http://x/?page=1>; rel="first"`, r.Host,
				r.URL.Path, query.Encode()))
		}
		var b strings.Builder
		for id := (page-1)*size + 1; id <= min(page*size, items); id++ {
			fmt.Fprintf(&b, `,{"id":%d}`, id)
		}
		fmt.Fprintf(w, "[%s]", strings.TrimPrefix(b.String(), ","))
	}
}

func TestWalkOfTenThousandItems(t *testing.T) {
	client, _ := serve(t, pagesOf(10_000, 0))
	for _, opts := range [][]RequestOption{nil, {WithConcurrentPages(1)}, {WithConcurrentPages(8)},
		{WithConcurrentPages(64)}} {
		next := int64(1)
		for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, opts...) {
			require.NoError(t, err)
			require.Equal(t, next, job.ID)
			next++
		}
		assert.EqualValues(t, 10_001, next)
	}
}

func TestWalkStartsWhereItIsTold(t *testing.T) {
	client, _ := serve(t, pagesOf(95, 0))
	for _, opts := range [][]RequestOption{nil, {WithConcurrentPages(4)}} {
		jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1),
			&ListJobsOptions{ListOptions: ListOptions{Page: 3, PerPage: 10}}, opts...))
		require.NoError(t, err)
		require.Len(t, jobs, 75)
		assert.EqualValues(t, 21, jobs[0].ID)
	}
}

func TestWalkCanBeRangedAgain(t *testing.T) {
	client, _ := serve(t, pagesOf(250, 0))
	seq := client.Jobs.All(t.Context(), ProjectID(1), nil)
	for range 3 {
		jobs, err := Collect(seq)
		require.NoError(t, err)
		assert.Len(t, jobs, 250)
	}
}

func TestPageTokenContinues(t *testing.T) {
	client, _ := serve(t, pagesOf(30, 0))
	options := &ListJobsOptions{ListOptions: ListOptions{PerPage: 10}}
	var ids []int64
	for {
		jobs, resp, err := client.Jobs.List(t.Context(), ProjectID(1), options)
		require.NoError(t, err)
		for _, job := range jobs {
			ids = append(ids, job.ID)
		}
		if resp.NextPageToken == "" {
			break
		}
		options = &ListJobsOptions{ListOptions: ListOptions{PageToken: resp.NextPageToken}}
	}
	assert.Len(t, ids, 30)
	_, _, err := client.Jobs.List(t.Context(), ProjectID(1),
		&ListJobsOptions{ListOptions: ListOptions{PageToken: "a=%zz"}})
	assert.Error(t, err)
	_, _, err = client.Jobs.List(t.Context(), ProjectID(1), &ListJobsOptions{ListOptions: ListOptions{Page: -1}})
	assert.Error(t, err)
}

// TestReadAhead measures on a virtual clock: one page is fetched while another
// is consumed, and no page after the first is fetched before it is needed.
func TestReadAhead(t *testing.T) {
	const latency, work = 20 * time.Millisecond, 15 * time.Millisecond
	elapsed := func(t *testing.T, pages int, work time.Duration, opts ...RequestOption) (time.Duration, int) {
		handler := pagesOf(pages*100, latency)
		var hits atomic.Int32
		client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) { hits.Add(1); handler(w, r) })
		start, n := time.Now(), 0
		for _, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, opts...) {
			require.NoError(t, err)
			if n++; n%100 == 0 {
				time.Sleep(work)
			}
		}
		return time.Since(start), int(hits.Load())
	}
	synctest.Test(t, func(t *testing.T) {
		took, hits := elapsed(t, 10, work)
		// Page 1, its work and page 2 take their time one after the other. Then the
		// longer of the two counts.
		assert.Equal(t, latency+work+9*latency+work, took)
		assert.Equal(t, 10, hits)
	})
	synctest.Test(t, func(t *testing.T) {
		took, _ := elapsed(t, 9, 0, WithConcurrentPages(8))
		assert.Equal(t, 2*latency, took)
	})
	synctest.Test(t, func(t *testing.T) {
		var hits atomic.Int32
		client := handlerClient(t, func(w http.ResponseWriter, r *http.Request) { hits.Add(1); pagesOf(1000, 0)(w, r) })
		n := 0
		for _, err := range client.Jobs.All(t.Context(), ProjectID(1), nil) {
			require.NoError(t, err)
			if n++; n == 100 {
				break
			}
		}
		synctest.Wait()
		assert.EqualValues(t, 1, hits.Load(), "the second page was fetched although nobody went past the first")
	})
}

// handlerClient returns a client whose transport is the handler itself, for
// tests on a virtual clock.
func handlerClient(t *testing.T, handler http.HandlerFunc, opts ...Option) *Client {
	t.Helper()
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		rec := httptest.NewRecorder()
		handler(rec, r)
		resp := rec.Result()
		resp.Request = r
		return resp, r.Context().Err()
	})
	client, err := NewClient("https://service.test", PrivateToken("x"),
		append(opts, WithHTTPClient(&http.Client{Transport: transport}))...)
	require.NoError(t, err)
	return client
}

func TestBreakingLeavesNothingBehind(t *testing.T) {
	client, server := serve(t, pagesOf(10_000, time.Millisecond))
	for _, opts := range [][]RequestOption{nil, {WithConcurrentPages(8)}} {
		for _, stopAt := range []int{1, 100, 101, 250, 1000} {
			n := 0
			for _, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, opts...) {
				require.NoError(t, err)
				if n++; n == stopAt {
					break
				}
			}
		}
		func() {
			defer func() { assert.Equal(t, "consumer", recover()) }()
			for _, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, opts...) {
				require.NoError(t, err)
				panic("consumer")
			}
		}()
	}
	client.CloseIdleConnections()
	server.Close()
	assertNoGoroutines(t)
}

// TestBreakingWaitsForPagesOnTheirWay checks that nothing runs after the loop
// has ended.
func TestBreakingWaitsForPagesOnTheirWay(t *testing.T) {
	var running atomic.Int32
	slowToStop := func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			running.Add(1)
			defer running.Add(-1)
			resp, err := next.RoundTrip(r)
			if err != nil {
				time.Sleep(20 * time.Millisecond)
			}
			return resp, err
		})
	}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if page := r.URL.Query().Get("page"); page != "" && page != "2" {
			<-r.Context().Done()
			return
		}
		pagesOf(1000, 0)(w, r)
	}, WithMiddleware(slowToStop))
	for _, opts := range [][]RequestOption{nil, {WithConcurrentPages(4)}} {
		n := 0
		for _, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, opts...) {
			require.NoError(t, err)
			if n++; n == 150 {
				break
			}
		}
		assert.Equal(t, 150, n)
		assert.Zero(t, running.Load())
	}
}

// assertNoGoroutines waits until no goroutine other than the test itself runs
// code of this package or of net/http.
func assertNoGoroutines(t testing.TB) {
	t.Helper()
	var stacks string
	for range 200 {
		buf := make([]byte, 1<<20)
		stacks = string(buf[:runtime.Stack(buf, true)])
		left := 0
		for stack := range strings.SplitSeq(stacks, "\n\n") {
			if strings.Contains(stack, "net/http.") || strings.Contains(stack, "serviceapi.") &&
				!strings.Contains(stack, "testing.tRunner") {
				left++
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("goroutines were left behind:\n%s", stacks)
}

func TestCancellingAWalk(t *testing.T) {
	client, _ := serve(t, pagesOf(10_000, time.Millisecond))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n, errs := 0, 0
	for _, err := range client.Jobs.All(ctx, ProjectID(1), nil, WithConcurrentPages(4)) {
		if err != nil {
			assert.ErrorIs(t, err, context.Canceled)
			errs++
			continue
		}
		if n++; n == 150 {
			cancel()
		}
	}
	assert.Equal(t, 1, errs)
	assert.Less(t, n, 1000)
}

// TestHostileLinks checks that every walk ends, and with an error unless the
// end is right.
func TestHostileLinks(t *testing.T) {
	const self = "/api/v4/projects/1/jobs"
	for name, tc := range map[string]struct {
		link  func(r *http.Request, hit int) []string
		items int // -1: an error
	}{
		"missing":   {func(*http.Request, int) []string { return nil }, 1},
		"empty":     {func(*http.Request, int) []string { return []string{""} }, 1},
		"only prev": {func(*http.Request, int) []string { return []string{`<` + self + `?page=1>; rel="prev"`} }, 1},
		"itself": {func(r *http.Request, _ int) []string { return []string{"<" + r.URL.String() + `>; rel="next"`} },
			-1},
		"circle": {func(_ *http.Request, hit int) []string {
			return []string{fmt.Sprintf(`<%s?cursor=%d>; rel="next"`, self, hit%3)}
		}, -1},
		"backwards": {func(_ *http.Request, hit int) []string {
			return []string{fmt.Sprintf(`<%s?page=%d&x=%d>; rel="next"`, self, 9-hit, hit)}
		}, -1},
		"same page": {func(_ *http.Request, hit int) []string {
			return []string{fmt.Sprintf(`<%s?page=2&x=%d>; rel="next"`, self, hit)}
		}, -1},
		"no brackets": {func(*http.Request, int) []string { return []string{self + `?page=2; rel="next"`} }, -1},
		"unclosed":    {func(*http.Request, int) []string { return []string{`<` + self + `?page=2`} }, -1},
		"unclosed quote": {func(*http.Request, int) []string { return []string{`<` + self + `?page=2>; rel="next`} },
			-1},
		"garbage":  {func(*http.Request, int) []string { return []string{"\xff\xfe;;;,,,<<>>"} }, -1},
		"no query": {func(*http.Request, int) []string { return []string{`<` + self + `>; rel="next"`} }, -1},
		"bad query": {func(*http.Request, int) []string { return []string{`<` + self + `?page=%zz>; rel="next"`} },
			-1},
		"bad url": {func(*http.Request, int) []string { return []string{`<http://[::1?page=2>; rel="next"`} },
			-1},
		"two next pages": {func(*http.Request, int) []string {
			return []string{`<?page=2>; rel=next, <?page=3>; rel=next`}
		}, -1},
		"endless, empty": {func(_ *http.Request, hit int) []string {
			return []string{fmt.Sprintf(`<?page=%d>; rel=next`, hit+2)}
		}, -1},
		"relative": {func(_ *http.Request, hit int) []string { return once(hit, `<?page=2>; rel="next"`) }, 2},
		"unquoted": {func(_ *http.Request, hit int) []string { return once(hit, `<?page=2>;rel=next`) }, 2},
		"several rels": {func(_ *http.Request, hit int) []string { return once(hit, `<?page=2>; rel="last next"`) },
			2},
		"upper case": {func(_ *http.Request, hit int) []string { return once(hit, `<?page=2>; REL="NEXT"`) }, 2},
		"commas inside": {func(_ *http.Request, hit int) []string {
			return once(hit, `<?ids=1,2;3&page=0>; rel="prev"; title="a, b; \"c\"", <?page=2>; rel="next"`)
		}, 2},
		"several lines": {func(_ *http.Request, hit int) []string {
			return once(hit, `<?page=0>; rel=prev`, `<?page=2>; rel=next`)
		}, 2},
		"first rel counts": {func(_ *http.Request, hit int) []string {
			return once(hit, `<?page=2>; rel=next; rel=prev`)
		}, 2},
	} {
		for _, opts := range [][]RequestOption{nil, {WithConcurrentPages(4)}} {
			t.Run(fmt.Sprint(name, len(opts)), func(t *testing.T) {
				var hits atomic.Int32
				client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
					hit := int(hits.Add(1)) - 1
					for _, line := range tc.link(r, hit) {
						w.Header().Add("Link", line)
					}
					if name == "endless, empty" {
						w.Write([]byte(`[]`))
						return
					}
					fmt.Fprintf(w, `[{"id":%d}]`, hit+1)
				})
				jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil, opts...))
				assert.Less(t, hits.Load(), int32(40))
				if tc.items < 0 {
					var broken *PaginationError
					require.ErrorAs(t, err, &broken)
					if name != "endless, empty" {
						assert.NotEmpty(t, jobs, "the items before the error are there")
					}
					return
				}
				require.NoError(t, err)
				assert.Len(t, jobs, tc.items)
			})
		}
	}
}

func once(hit int, lines ...string) []string {
	if hit > 0 {
		return nil
	}
	return lines
}

func TestNextPageHeaderStandsIn(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "" {
			w.Header().Set("X-Next-Page", "2")
		}
		assert.Equal(t, "failed", r.URL.Query().Get("scope[]"))
		w.Write([]byte(`[{"id":1}]`))
	})
	jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1),
		&ListJobsOptions{Scope: []JobStatus{JobStatusFailed}}))
	require.NoError(t, err)
	assert.Len(t, jobs, 2)
	bad, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Next-Page", "two")
		w.Write([]byte(`[{"id":1}]`))
	})
	_, err = Collect(bad.Jobs.All(t.Context(), ProjectID(1), nil))
	var broken *PaginationError
	assert.ErrorAs(t, err, &broken)
}

// TestKeyset checks that pages with cursors, which have no numbers, are not
// fetched concurrently.
func TestKeyset(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		after, _ := strconv.Atoi(r.URL.Query().Get("id_after"))
		if after < 500 {
			w.Header().Set("Link", fmt.Sprintf(`<http://x/y?pagination=keyset&per_page=100&id_after=%d>; rel="next"`,
				after+100))
			fmt.Fprintf(w, `[{"id":%d}]`, after)
			return
		}
		w.Write([]byte(`[]`))
	})
	for _, opts := range [][]RequestOption{nil, {WithConcurrentPages(8)}} {
		jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil, opts...))
		require.NoError(t, err)
		assert.Len(t, jobs, 5)
	}
}

// TestListsThatChangeDuringAWalk checks that with concurrent pages, a list that
// became shorter ends, and one that grew is read to its new end.
func TestListsThatChangeDuringAWalk(t *testing.T) {
	for name, items := range map[string]int{"shorter": 300, "longer": 1200} {
		t.Run(name, func(t *testing.T) {
			var hits atomic.Int32
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if hits.Add(1) == 1 {
					pagesOf(800, 0)(w, r)
					return
				}
				pagesOf(items, 0)(w, r)
			})
			jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil, WithConcurrentPages(3)))
			require.NoError(t, err)
			assert.Len(t, jobs, items)
		})
	}
}

func TestErrorInAWalkComesOnceAndLast(t *testing.T) {
	for _, opts := range [][]RequestOption{nil, {WithConcurrentPages(4)}} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("page") == "3" {
				w.WriteHeader(403)
				return
			}
			pagesOf(1000, 0)(w, r)
		})
		var seen []error
		n := 0
		for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, opts...) {
			if err != nil {
				assert.Nil(t, job)
				seen = append(seen, err)
				continue
			}
			n++
		}
		assert.Equal(t, 200, n)
		require.Len(t, seen, 1)
		assert.ErrorIs(t, seen[0], ErrForbidden)
	}
}

// TestOddValueCostsItsFieldAlone checks that the walk continues, and ends with
// an error.
func TestOddValueCostsItsFieldAlone(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("page") {
		case "":
			w.Header().Set("Link", `<?page=2>; rel=next`)
			w.Write([]byte(`[{"id":1,"created_at":"yesterday","name":"a"},{"id":2,"tag":"no","name":"b"}]`))
		case "2":
			w.Write([]byte(`[{"id":3,"name":"c"}]`))
		}
	})
	var names []string
	var last error
	for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil) {
		if last = err; err == nil {
			names = append(names, job.Name)
		}
	}
	assert.Equal(t, []string{"a", "b", "c"}, names)
	var decode *DecodeError
	require.ErrorAs(t, last, &decode)
	assert.True(t, decode.Partial)
	assert.Equal(t, "/0/created_at", decode.Pointer)
}

func TestTotals(t *testing.T) {
	for name, tc := range map[string]struct {
		header map[string]string
		has    bool
	}{
		"known":   {map[string]string{"X-Total": "3", "X-Total-Pages": "1"}, true},
		"none":    {nil, false},
		"zero":    {map[string]string{"X-Total": "0", "X-Total-Pages": "0"}, true},
		"hostile": {map[string]string{"X-Total": "-5", "X-Total-Pages": "99999999999999999999"}, true},
	} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for k, v := range tc.header {
				w.Header().Set(k, v)
			}
			w.Write([]byte(`[]`))
		})
		_, resp, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
		require.NoError(t, err)
		assert.Equal(t, tc.has, resp.HasTotal(), name)
		assert.GreaterOrEqual(t, resp.Total, 0, name)
	}
	assert.False(t, (*Response)(nil).HasTotal())
}

// TestHostileTotalPages checks that a false page count costs only a few
// requests.
func TestHostileTotalPages(t *testing.T) {
	var hits atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		w.Header().Set("X-Total-Pages", "1000000000")
		if r.URL.Query().Get("page") == "" {
			w.Header().Set("Link", `<?page=2>; rel=next`)
		}
		w.Write([]byte(`[{"id":1}]`))
	})
	jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil, WithConcurrentPages(8)))
	require.NoError(t, err)
	assert.Len(t, jobs, 2)
	assert.Less(t, hits.Load(), int32(20))
}

func TestBadOptionsInAWalkAreYielded(t *testing.T) {
	client := clientOf(t, "https://service.test")
	_, err := Collect(client.Jobs.All(t.Context(), ProjectPath(".."), nil))
	var argument *ArgumentError
	assert.ErrorAs(t, err, &argument)
}

func TestCollectKeepsWhatCameBefore(t *testing.T) {
	boom := errors.New("boom")
	items, err := Collect(func(yield func(int, error) bool) { _ = yield(1, nil) && yield(2, nil) && yield(0, boom) })
	assert.Equal(t, []int{1, 2}, items)
	assert.ErrorIs(t, err, boom)
}

// queryOfToken returns the query of the page of a token.
func queryOfToken(t testing.TB, token string) string {
	t.Helper()
	data, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	require.Greater(t, len(data), pages.MarkerSize)
	return string(data[pages.MarkerSize:])
}

// TestEveryLineOfLinkIsRead checks lists whose response has several Link
// headers.
func TestEveryLineOfLinkIsRead(t *testing.T) {
	h := http.Header{}
	h.Add("Link", "<?page=1>; rel=prev")
	h.Add("Link", "<?page=3>; rel=next")
	next, err := pages.Next(h, "page=2")
	require.NoError(t, err)
	assert.Equal(t, "page=3", next)
}

// TestPartsAreNoLists checks that a part of a list is not taken for all of it, nor
// a part of an object for the object.
func TestPartsAreNoLists(t *testing.T) {
	requests := 0
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.Header().Set("Content-Range", "bytes 0-19/100")
		w.Header().Set("Link", `<`+r.URL.Path+`?page=2>; rel=next`)
		w.WriteHeader(http.StatusPartialContent)
		if strings.HasSuffix(r.URL.Path, "/jobs") {
			io.WriteString(w, `[{"id":8},{"id":9} ]`)
			return
		}
		io.WriteString(w, `{"id":8}`)
	})
	var decode *DecodeError
	jobs, _, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
	require.ErrorAs(t, err, &decode)
	assert.Nil(t, jobs)
	assert.ErrorContains(t, err, "a part of what was requested")
	for _, opts := range [][]RequestOption{nil, {WithConcurrentPages(4)}} {
		jobs, err = Collect(client.Jobs.All(t.Context(), ProjectID(1), nil, opts...))
		require.ErrorAs(t, err, &decode)
		assert.Empty(t, jobs)
	}
	_, err = getJob(t.Context(), client)
	require.ErrorAs(t, err, &decode)
	assert.Equal(t, 206, decode.StatusCode)
	assert.Equal(t, 4, requests, "no other page was read")
}
