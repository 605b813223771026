package serviceapi

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"sync"
)

// all returns every item of a list, page by page as they are consumed.
func all[P any](ctx context.Context, c *Client, e Endpoint, in input, opts []RequestOption) iter.Seq2[P, error] {
	first, err := newCall(ctx, c, http.MethodGet, e, in, opts)
	if err == nil {
		err = first.askForFullPages()
	}
	if err != nil {
		return failed[P](err)
	}
	return func(yield func(P, error) bool) {
		w := &walker[P]{first: first, yield: yield, visited: map[string]bool{}}
		w.ctx, w.cancel = context.WithCancel(first.ctx)
		defer w.stop()
		w.run()
	}
}

// failed is a sequence of one error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

// askForFullPages sets per_page where the caller did not.
func (cl *call) askForFullPages() error {
	values, err := url.ParseQuery(cl.query)
	if err != nil {
		return err
	}
	if !values.Has("per_page") {
		values.Set("per_page", strconv.Itoa(maxPerPage))
		cl.query = values.Encode()
	}
	return nil
}

// at returns a fresh call like cl, of the page with this query.
func (cl *call) at(ctx context.Context, query string) *call {
	next := *cl
	next.query = query
	next.attempt = attempt{}
	next.ctx = context.WithValue(ctx, callKey{}, &next)
	return &next
}

// walker walks one list once. Pages are fetched by goroutines of their own,
// all of which have ended when stop returns.
type walker[P any] struct {
	first   *call
	yield   func(P, error) bool
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	// visited holds the queries of all pages so far.
	visited map[string]bool
	// empty counts the pages without an item since the last one with some.
	empty int
	// partial is the first member that could not be decoded.
	partial error
}

// page is a page of a list on its way.
type page[P any] struct {
	query string
	// hasHeader is closed when next and totalPages are known, or when the page
	// has failed.
	hasHeader  chan struct{}
	next       string
	totalPages int
	// done is closed when items and err are known.
	done  chan struct{}
	items []P
	err   error
}

// maxEmptyPages bounds a list that goes on for ever without an item.
const maxEmptyPages = 25

var errStopped = errors.New("the consumer stopped")

func (w *walker[P]) stop() {
	w.cancel()
	w.running.Wait()
}

// run yields every item, and one error last: the one that ended the walk, or
// else the first member that could not be decoded on the way.
func (w *walker[P]) run() {
	err := w.walk()
	if err == nil {
		err = w.partial
	}
	if err != nil && err != errStopped {
		var none P
		w.yield(none, err)
	}
}

func (w *walker[P]) walk() error {
	current := w.fetch(w.first.query)
	if w.first.options.pages > 1 {
		last, err := w.sideBySide(current)
		if err != nil {
			return err
		}
		if last != current {
			// The list may have grown behind the page that was the last.
			if current, err = w.follow(last); err != nil {
				return err
			}
		}
	}
	return w.oneByOne(current)
}

// oneByOne consumes a page and all behind it.
func (w *walker[P]) oneByOne(current *page[P]) error {
	for n := 1; current != nil; n++ {
		var next *page[P]
		var linkErr error
		// While this page is decoded and consumed, the next one is fetched;
		// not behind the first, which may be all that is wanted.
		if readAhead := n > 1; readAhead {
			next, linkErr = w.follow(current)
		}
		if err := w.consume(current); err != nil {
			return err
		}
		if n == 1 {
			next, linkErr = w.follow(current)
		}
		if linkErr != nil {
			return linkErr
		}
		current = next
	}
	return nil
}

// sideBySide consumes a numbered list with several pages on their way at once,
// and returns the last page that it consumed: the current one, unconsumed, if
// the list is not numbered.
func (w *walker[P]) sideBySide(current *page[P]) (*page[P], error) {
	<-current.hasHeader
	number, numbered := pageNumber(current.next)
	if !numbered || current.totalPages < number {
		return current, nil
	}
	base := current.next
	window := []*page[P]{current}
	for last := current; ; {
		for ; len(window) < w.first.options.pages && number <= current.totalPages; number++ {
			query, err := withPage(base, number)
			if err != nil {
				return last, err
			}
			window = append(window, w.fetch(query))
		}
		if len(window) == 0 {
			return last, nil
		}
		last, window = window[0], window[1:]
		if err := w.consume(last); err != nil {
			return last, err
		}
		if last.next == "" {
			return last, nil // the list has become shorter
		}
	}
}

// consume yields the items of a page.
func (w *walker[P]) consume(p *page[P]) error {
	<-p.done
	for _, item := range p.items {
		if !w.yield(item, nil) {
			return errStopped
		}
	}
	if err := w.keepPartial(p.err); err != nil {
		return err
	}
	if w.empty++; len(p.items) > 0 {
		w.empty = 0
	}
	if w.empty > maxEmptyPages {
		return w.problem("the service sends empty pages without end")
	}
	return nil
}

// keepPartial remembers the first member that could not be decoded, and
// returns every other error.
func (w *walker[P]) keepPartial(err error) error {
	var decode *DecodeError
	if !errors.As(err, &decode) || !decode.Partial {
		return err
	}
	if w.partial == nil {
		w.partial = err
	}
	return nil
}

// follow fetches the page that the current one leads to, nil behind the last.
func (w *walker[P]) follow(current *page[P]) (*page[P], error) {
	<-current.hasHeader
	switch {
	case current.next == "":
		return nil, nil
	case w.visited[current.next]:
		return nil, w.problem("the next page is one that was there before")
	case !advances(current.query, current.next):
		return nil, w.problem("the number of the next page does not go up")
	}
	return w.fetch(current.next), nil
}

func (w *walker[P]) problem(text string) error {
	return &PaginationError{Method: http.MethodGet, Operation: w.first.endpoint.template, Problem: text}
}

// fetch starts to fetch a page.
func (w *walker[P]) fetch(query string) *page[P] {
	w.visited[query] = true
	p := &page[P]{query: query, hasHeader: make(chan struct{}), done: make(chan struct{})}
	gotHeader := sync.OnceFunc(func() { close(p.hasHeader) })
	cl := w.first.at(w.ctx, query)
	seen := false
	cl.onHeader = func(h http.Header) {
		if seen {
			return // a repetition, because the body of the first broke off
		}
		seen = true
		p.next, _ = nextPage(h, query) // fetchPage reports what is wrong with it
		p.totalPages = headerNumber(h, "X-Total-Pages")
		gotHeader()
	}
	w.running.Go(func() {
		defer close(p.done)
		defer gotHeader()
		p.items, _, p.err = fetchPage[P](cl)
	})
	return p
}

// advances reports whether a numbered page leads to one of a higher number.
func advances(current, next string) bool {
	a, _ := pageNumber(current)
	b, numbered := pageNumber(next)
	return !numbered || b > a
}

// pageNumber returns the number of the page that a query asks for, and whether
// it asks for one by number.
func pageNumber(query string) (int, bool) {
	values, err := url.ParseQuery(query)
	if err != nil || !values.Has("page") {
		return 1, false
	}
	n, err := strconv.Atoi(values.Get("page"))
	if err != nil {
		return 1, false
	}
	return n, true
}
