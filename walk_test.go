package serviceapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// guardOf returns the guard of a call that is not made.
func guardOf(t *testing.T, opts ...RequestOption) *guard {
	t.Helper()
	client, err := NewClient("https://service.test", Anonymous())
	require.NoError(t, err)
	cl, err := newCall(t.Context(), client, http.MethodGet, Route("/things"), nil, opts)
	require.NoError(t, err)
	return newGuard(cl)
}

// TestGuardOfEmptyPages checks that twenty-five empty pages in a row are
// tolerated, and that a page with an item resets the count.
func TestGuardOfEmptyPages(t *testing.T) {
	g := guardOf(t)
	for range 3 {
		for n := range 25 {
			require.NoError(t, g.leave(0, "next", nil), n)
		}
		require.NoError(t, g.leave(1, "next", nil))
	}
	for range 25 {
		require.NoError(t, g.leave(0, "next", nil))
	}
	assert.NoError(t, g.leave(0, "", nil), "the last page may be empty")
	err := g.leave(0, "next", nil)
	assert.EqualError(t, err, "GET /things: cannot continue to the next page: the service keeps sending empty pages")
	for range 40 {
		require.NoError(t, guardOf(t).leave(1, "next", nil))
	}
}

func TestGuardOfPageNames(t *testing.T) {
	g := guardOf(t)
	assert.NoError(t, g.check("a"))
	g.enter("a")
	assert.NoError(t, g.check("b"))
	assert.EqualError(t, g.check("a"), "GET /things: cannot continue to the next page: the next page is one that "+
		"was already read")
	assert.NoError(t, g.check(strings.Repeat("x", 8<<10)))
	assert.EqualError(t, g.check(strings.Repeat("x", 8<<10+1)),
		"GET /things: cannot continue to the next page: the link to the next page is too long")
}

// TestGuardKeepsTheFirstPartialError checks that only the first partial error
// is kept.
func TestGuardKeepsTheFirstPartialError(t *testing.T) {
	g := guardOf(t)
	first, second, whole := &DecodeError{Partial: true}, &DecodeError{Partial: true}, &DecodeError{}
	assert.NoError(t, g.leave(1, "next", first))
	assert.NoError(t, g.leave(1, "next", second))
	assert.Equal(t, error(whole), g.leave(1, "next", whole))
	assert.Equal(t, io.EOF, g.leave(0, "next", io.EOF))
	ends := func(err error) (got []error) {
		end(g, err, func(_ int, err error) bool {
			got = append(got, err)
			return true
		})
		return got
	}
	require.Len(t, ends(nil), 1)
	assert.Same(t, first, ends(nil)[0])
	assert.Equal(t, []error{io.EOF}, ends(io.EOF), "what ended the walk counts more")
	assert.Empty(t, ends(errStopped))
	g.partial = nil
	assert.Empty(t, ends(nil))
}

// TestWalkPages checks that items and observed pages are in order, followed by
// at most one error.
func TestWalkPages(t *testing.T) {
	partial := &DecodeError{Partial: true, Err: io.EOF}
	pages := map[string]pageOf[int]{
		"":  {items: []int{1, 2}, next: "b", resp: &Response{Page: 1}},
		"b": {items: []int{3}, next: "c", resp: &Response{Page: 2}},
		"c": {next: "d"},
		"d": {items: []int{4}, resp: &Response{Page: 4}},
	}
	walk := func(stop int, fail map[string]error) (items, observed []int, last error) {
		g := guardOf(t, WithPageObserver(func(r *Response) { observed = append(observed, r.Page) }))
		fetch := func(name string) (pageOf[int], error) { return pages[name], fail[name] }
		walkPages(g, "", fetch, func(item int, err error) bool {
			require.NoError(t, last, "an error is the last")
			if last = err; err == nil {
				items = append(items, item)
			}
			return item != stop
		})
		return items, observed, last
	}
	items, observed, err := walk(0, nil)
	assert.Equal(t, []int{1, 2, 3, 4}, items)
	assert.Equal(t, []int{1, 2, 4}, observed)
	assert.NoError(t, err)
	items, observed, err = walk(3, nil)
	assert.Equal(t, []int{1, 2, 3}, items)
	assert.Equal(t, []int{1, 2}, observed)
	assert.NoError(t, err)
	items, observed, err = walk(0, map[string]error{"b": partial})
	assert.Equal(t, []int{1, 2, 3, 4}, items)
	assert.Equal(t, []int{1, 2, 4}, observed)
	assert.Equal(t, error(partial), err)
	items, observed, err = walk(0, map[string]error{"b": io.EOF})
	assert.Equal(t, []int{1, 2, 3}, items)
	assert.Equal(t, []int{1, 2}, observed)
	assert.Equal(t, io.EOF, err)

	items, _, err = walk(3, map[string]error{"": partial})
	assert.Equal(t, []int{1, 2, 3}, items)
	assert.NoError(t, err, "who stopped hears no more")

	pages["d"] = pageOf[int]{items: []int{4}, next: "b"}
	items, _, err = walk(0, nil)
	assert.Equal(t, []int{1, 2, 3, 4}, items)
	assert.ErrorContains(t, err, "already read")

	// Pages whose items are hidden from the caller do not count as empty.
	hidden := 0
	g := guardOf(t)
	walkPages(g, "0", func(name string) (pageOf[int], error) {
		n, _ := strconv.Atoi(name)
		if hidden++; hidden == 60 {
			return pageOf[int]{}, nil
		}
		return pageOf[int]{size: 1, next: strconv.Itoa(n + 1)}, nil
	}, func(_ int, err error) bool { assert.NoError(t, err); return true })
	assert.Equal(t, 60, hidden)
}

// paged serves a numbered list, and records when each page was requested.
type paged struct {
	mu     sync.Mutex
	asked  []string
	active int
	most   int
}

func (p *paged) handler(items int, latency time.Duration) http.HandlerFunc {
	list := pagesOf(items, 0)
	return func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked = append(p.asked, r.URL.Query().Get("page"))
		p.active++
		p.most = max(p.most, p.active)
		p.mu.Unlock()
		time.Sleep(latency)
		list(w, r)
		p.mu.Lock()
		p.active--
		p.mu.Unlock()
	}
}

// TestPagesSideBySide checks that each page is fetched once, with the given
// number at a time, and that what is observed and stored belongs to the page
// that is yielded.
func TestPagesSideBySide(t *testing.T) {
	for pages := 1; pages <= 9; pages++ {
		for _, side := range []int{1, 2, 3, 8} {
			synctest.Test(t, func(t *testing.T) {
				var p paged
				client := handlerClient(t, p.handler(pages*100, time.Second))
				var observed []int
				var raw json.RawMessage
				n := int64(0)
				start := time.Now()
				for job, err := range client.Jobs.All(t.Context(), ProjectID(1), nil, WithConcurrentPages(side),
					WithRawJSON(&raw),
					WithPageObserver(func(r *Response) { observed = append(observed, r.TotalPages) })) {
					require.NoError(t, err)
					n++
					require.Equal(t, n, job.ID)
					require.Len(t, observed, int(n+99)/100, "a page is observed before its items")
					first := (n-1)/100*100 + 1
					require.True(t, strings.HasPrefix(string(raw), fmt.Sprintf(`[{"id":%d}`, first)),
						"the JSON of the page at %d", n)
				}
				assert.EqualValues(t, pages*100, n)
				assert.Len(t, p.asked, pages)
				assert.Len(t, observed, pages)
				assert.LessOrEqual(t, p.most, side)
				if side > 1 && pages > side {
					assert.Equal(t, side, p.most)
				}
				if side == 8 && pages > 1 && pages < 9 {
					assert.Equal(t, 2*time.Second, time.Since(start), "the first, then all others")
				}
			})
		}
	}
}

// TestRepeatedPageKeepsItsLink checks that a page whose body broke off is
// requested again, and that the request for the next page is not.
func TestRepeatedPageKeepsItsLink(t *testing.T) {
	var asked []string
	var mu sync.Mutex
	client, err := NewClient("https://service.test", Anonymous(), WithRetry(RetryPolicy{MinWait: 1}),
		WithHTTPClient(&http.Client{
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				page := r.URL.Query().Get("page")
				asked = append(asked, page)
				switch {
				case page == "":
					return status(200, `[{"id":1}]`, "Link", `<?page=2>; rel=next`)(r)
				case page == "2" && len(asked) == 2:
					resp, err := status(200, "", "Link", `<?page=3>; rel=next`)(r)
					resp.ContentLength = -1
					resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`[{"id"`),
						&failingReader{io.ErrUnexpectedEOF}))
					return resp, err
				case page == "2":
					return status(200, `[{"id":2}]`, "Link", `<?page=4>; rel=next`)(r)
				}
				return status(200, `[{"id":3}]`)(r)
			})}))
	require.NoError(t, err)
	jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil))
	require.NoError(t, err)
	assert.Len(t, jobs, 3)
	assert.ElementsMatch(t, []string{"", "2", "2", "3"}, asked)
}

// TestNextPageIsAskedForEarly checks that the next page is requested while the
// body of a page is still being received, because the header says which page is
// next.
func TestNextPageIsAskedForEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, err := NewClient("https://service.test", Anonymous(),
			WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				n, _ := strconv.Atoi(r.URL.Query().Get("page"))
				var header []string
				if n = max(n, 1); n < 4 {
					header = []string{"Link", fmt.Sprintf(`<?page=%d>; rel=next`, n+1)}
				}
				resp, err := status(200, "", header...)(r)
				resp.ContentLength = -1
				resp.Body = io.NopCloser(&late{strings.NewReader(`[{"id":1}]`), 10 * time.Second})
				return resp, err
			})}))
		require.NoError(t, err)
		start := time.Now()
		jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil))
		require.NoError(t, err)
		assert.Len(t, jobs, 4)
		assert.Equal(t, 30*time.Second, time.Since(start),
			"the first alone, then the second beside the third, then the fourth")
	})
}

// late is a reader whose first byte takes some time.
type late struct {
	io.Reader
	wait time.Duration
}

func (l *late) Read(p []byte) (int, error) {
	time.Sleep(l.wait)
	l.wait = 0
	return l.Reader.Read(p)
}

// TestLinkOfTheLastPage checks that a list with page numbers may continue after
// the page that was the last, but not go back.
func TestLinkOfTheLastPage(t *testing.T) {
	for after, want := range map[string]int{"": 3, "page=4": 4, "page=2": -1, "page=3": -1} {
		client, err := NewClient("https://service.test", Anonymous(),
			WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				n, _ := strconv.Atoi(r.URL.Query().Get("page"))
				next := fmt.Sprint("page=", max(n, 1)+1)
				if n == 3 {
					next = after
				}
				header := []string{"X-Total-Pages", "3"}
				if n < 4 && next != "" {
					header = append(header, "Link", "<?"+next+">; rel=next")
				}
				return status(200, `[{"id":1}]`, header...)(r)
			})}))
		require.NoError(t, err)
		jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil, WithConcurrentPages(4)))
		if want < 0 {
			var broken *PaginationError
			require.ErrorAs(t, err, &broken, after)
			assert.Len(t, jobs, 3)
			continue
		}
		require.NoError(t, err, after)
		assert.Len(t, jobs, want, after)
	}
}

// TestPagesThatFail checks that a page without a response is not observed.
func TestPagesThatFail(t *testing.T) {
	broken := errors.New("no network")
	for _, side := range []int{1, 4} {
		client, err := NewClient("https://service.test", Anonymous(), WithRetry(RetryPolicy{MaxAttempts: 1}),
			WithHTTPClient(&http.Client{
				Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					if r.URL.Query().Get("page") == "3" {
						return nil, broken
					}
					n := 1
					if r.URL.Query().Get("page") == "2" {
						n = 2
					}
					return status(200, `[{"id":1}]`, "Link", fmt.Sprintf(`<?page=%d>; rel=next`, n+1), "X-Total-Pages",
						"3")(r)
				})}))
		require.NoError(t, err)
		observed := 0
		jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil, WithConcurrentPages(side),
			WithPageObserver(func(*Response) { observed++ })))
		assert.ErrorIs(t, err, broken)
		assert.Len(t, jobs, 2)
		assert.Equal(t, 2, observed)
	}
}

// TestListsOfOddValues checks null in place of a list or an item, and items
// that are not pointers.
func TestListsOfOddValues(t *testing.T) {
	things := Route("/things")
	list := func(body string) *Client {
		client, _ := scriptedClient(t, RetryPolicy{}, status(200, body, "Link", `<?page=2>; rel=next`))
		return client
	}
	jobs, resp, err := List[*Job](t.Context(), list(`[{"id":1},null,{"id":2}]`), things, nil)
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	assert.True(t, decode.Partial)
	assert.ErrorIs(t, err, errNullItem)
	require.Len(t, jobs, 2)
	assert.EqualValues(t, 2, jobs[1].ID)
	assert.NotEmpty(t, resp.NextPageToken)
	for _, body := range []string{`null`, `[{"id":"x"}]`, `[`} {
		_, resp, err = List[*Job](t.Context(), list(body), things, nil)
		require.Error(t, err)
		require.NotNil(t, resp, body)
		assert.NotEmpty(t, resp.NextPageToken, body)
	}

	values, _, err := List[Job](t.Context(), list(`[{"id":1},null,{"id":2}]`), things, nil)
	require.NoError(t, err, "a value that is null is one of zeros")
	assert.Len(t, values, 3)
	values, _, err = List[Job](t.Context(), list(`[{"id":1},{"id":"x"},{"id":2}]`), things, nil)
	require.ErrorAs(t, err, &decode)
	assert.True(t, decode.Partial)
	assert.Len(t, values, 3, "one of zeros is not dropped")

	jobs, _, err = List[*Job](t.Context(), list(`null`), things, nil)
	require.ErrorAs(t, err, &decode)
	assert.ErrorIs(t, err, errNull)
	assert.False(t, decode.Partial)
	assert.Nil(t, jobs)
	jobs, _, err = List[*Job](t.Context(), list(`{"id":1}`), things, nil)
	require.ErrorAs(t, err, &decode)
	assert.False(t, decode.Partial)
	assert.Nil(t, jobs)
	jobs, _, err = List[*Job](t.Context(), list(`[{"id":1},{"id":2}`), things, nil)
	require.ErrorAs(t, err, &decode)
	assert.False(t, decode.Partial)
	assert.Nil(t, jobs)
	jobs, _, err = List[*Job](t.Context(), list(`[]`), things, nil)
	require.NoError(t, err)
	assert.NotNil(t, jobs, "an empty list is not nil")
}

// TestFullPages checks that a walk requests pages of the maximum size, unless
// the caller sets another.
func TestFullPages(t *testing.T) {
	var queries []string
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		queries = append(queries, r.URL.RawQuery)
		return status(200, "[]")(r)
	})
	for _, options := range []*ListJobsOptions{nil, {}, {ListOptions: ListOptions{Page: 3}},
		{ListOptions: ListOptions{PerPage: 7}}} {
		_, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), options))
		require.NoError(t, err)
		_, _, err = client.Jobs.List(t.Context(), ProjectID(1), options)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"per_page=100", "", "per_page=100", "", "page=3&per_page=100", "page=3", "per_page=7",
		"per_page=7"}, queries)
	for field, bad := range map[string]ListOptions{"Page": {Page: -1}, "PerPage": {PerPage: -1}} {
		_, _, err := client.Jobs.List(t.Context(), ProjectID(1), &ListJobsOptions{ListOptions: bad})
		assert.EqualError(t, err, "serviceapi: GET /projects/:id/jobs: "+field+" must not be negative")
	}
}
