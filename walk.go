package serviceapi

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"reflect"
	"sync"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/pages"
)

// all returns every item of a list. Pages are fetched while items are consumed.
func all[P any](ctx context.Context, c *Client, e Endpoint, in input, opts []RequestOption) iter.Seq2[P, error] {
	first, err := newCall(ctx, c, http.MethodGet, e, in, opts)
	if err != nil {
		return failed[P](err)
	}
	first.query = pages.WithSize(first.query, pages.MaxSize)
	return func(yield func(P, error) bool) {
		w := &walker[P]{first: first, yield: yield, guard: newGuard(first)}
		w.ctx, w.cancel = context.WithCancel(first.ctx)
		defer w.running.Wait()
		defer w.cancel()
		end(w.guard, w.walk(), yield)
	}
}

// failed is a sequence of one error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

// walker walks one list once. Each page is fetched by its own goroutine, and
// all of them have ended when the walk has.
type walker[P any] struct {
	first   *call
	yield   func(P, error) bool
	guard   *guard
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// page is a page that is being fetched.
type page[P any] struct {
	query string
	// hasHeader is closed when next and totalPages are known, or when the page
	// has failed.
	hasHeader  chan struct{}
	next       string
	totalPages int
	// guessed is set if next is a guess, because the header does not say what follows.
	guessed bool
	// done is closed when the rest is known.
	done  chan struct{}
	items []P
	resp  *Response
	raw   json.RawMessage
	err   error
	// panicked is the value that a middleware panicked with.
	panicked any
}

var errStopped = errors.New("the consumer stopped")

// walk yields every item, and returns why it ends.
func (w *walker[P]) walk() error {
	current := w.fetch(w.first.query, nil)
	if w.first.options.pages > 1 {
		last, err := w.sideBySide(current)
		if err != nil {
			return err
		}
		if last != current {
			// The list may have grown since.
			if current, err = w.follow(last); current == nil {
				return err
			}
		}
	}
	return w.oneByOne(current)
}

// oneByOne consumes a page and all that follow it. The next page is fetched while one
// is decoded and consumed, except after the first page, which may be all that the
// consumer wants.
func (w *walker[P]) oneByOne(first *page[P]) error {
	if err := w.consume(first); err != nil {
		return err
	}
	current, err := w.follow(first)
	for current != nil {
		next, linkErr := w.follow(current)
		if err := w.consume(current); err != nil {
			return err
		}
		current, err = next, linkErr
	}
	return err
}

// sideBySide consumes a numbered list with several pages in progress at once,
// and returns the last page that it consumed, or the current one, unconsumed,
// if the list is not numbered. It stops if a page links to a page other than
// the one with the next number, because the link is right.
func (w *walker[P]) sideBySide(current *page[P]) (*page[P], error) {
	<-current.hasHeader
	number, numbered := pages.Number(current.next)
	if !numbered || current.totalPages < number {
		return current, nil
	}
	base := current.next
	window := []*page[P]{current}
	for last, consumed := current, number-1; ; consumed++ {
		for ; len(window) < w.first.options.pages && number <= current.totalPages; number++ {
			window = append(window, w.fetch(pages.WithNumber(base, number), nil))
		}
		if len(window) == 0 {
			return last, nil
		}
		last, window = window[0], window[1:]
		w.guard.enter(last.query)
		if err := w.consume(last); err != nil {
			return last, err
		}
		if next, _ := pages.Number(last.next); next != consumed+1 {
			return last, nil
		}
	}
}

// consume yields the items of a page.
func (w *walker[P]) consume(p *page[P]) error {
	<-p.done
	if p.panicked != nil {
		panic(p.panicked)
	}
	if raw := w.first.options.rawJSON; raw != nil {
		*raw = p.raw
	}
	if observe := w.first.options.onPage; observe != nil && p.resp != nil {
		observe(p.resp)
	}
	for _, item := range p.items {
		if !w.yield(item, nil) {
			return errStopped
		}
	}
	return w.guard.leave(len(p.items), p.next, p.err)
}

// follow fetches the page that the current one leads to, or returns nil at the end of the
// list.
func (w *walker[P]) follow(current *page[P]) (*page[P], error) {
	w.guard.enter(current.query)
	<-current.hasHeader
	if current.next == "" {
		return nil, nil
	}
	if err := w.guard.check(current.next); err != nil {
		return nil, err
	}
	if !pages.Advances(current.query, current.next) {
		return nil, w.guard.problem("the number of the next page does not increase")
	}
	return w.fetch(current.next, current), nil
}

// fetch starts fetching a page, after the one that leads to it.
func (w *walker[P]) fetch(query string, before *page[P]) *page[P] {
	p := &page[P]{query: query, hasHeader: make(chan struct{}), done: make(chan struct{})}
	var got sync.Once // the header of the first attempt, even if its body breaks off
	cl := w.first.at(w.ctx, query)
	if cl.options.rawJSON != nil {
		cl.ownOptions().rawJSON = &p.raw
	}
	cl.onHeader = func(h http.Header) {
		if !pages.Says(h, query) {
			return // its items tell
		}
		got.Do(func() {
			p.next, _ = pages.Next(h, query) // fetchPage reports what is wrong with it
			p.totalPages = header.Number(h, "X-Total-Pages")
			close(p.hasHeader)
		})
	}
	w.running.Go(func() {
		defer close(p.done)
		defer got.Do(func() { close(p.hasHeader) })
		defer func() { p.panicked = recover() }()
		p.items, p.resp, p.err = fetchPage[P](cl)
		got.Do(func() { p.closeHeader(before) })
	})
	return p
}

// closeHeader finds out what follows a page whose header does not say it. After a full page, that
// is the page with the next number, unless this one only repeats the one before: then the
// list has no pages.
func (p *page[P]) closeHeader(before *page[P]) {
	defer close(p.hasHeader)
	switch {
	case p.err != nil && !isPartial(p.err):
	case before != nil && before.guessed && reflect.DeepEqual(before.items, p.items):
		p.items = nil
	default:
		count := len(p.items)
		if p.err != nil { // some could not be decoded
			count = pages.Full
		}
		p.next = pages.Following(p.query, count)
		p.guessed = p.next != ""
	}
}

// guard keeps a walk of a list from going on forever, whatever identifies the
// pages: queries, cursors or indexes.
type guard struct {
	call *call
	// visited has the names of all pages so far.
	visited map[string]bool
	// empty is the number of pages without items since the last page with items.
	empty int
	// partial is the first member that could not be decoded.
	partial error
}

// maxEmptyPages is the maximum number of consecutive pages without items.
const maxEmptyPages = 25

// maxPageName is the maximum length of the name of a page.
const maxPageName = 8 << 10

func newGuard(cl *call) *guard { return &guard{call: cl, visited: make(map[string]bool)} }

// enter notes the page that is read now.
func (g *guard) enter(page string) { g.visited[page] = true }

// problem returns the error for a list that cannot be continued.
func (g *guard) problem(text string) error { return g.call.paginationError(text) }

// leave checks a page that was read, given the number of its items, the name of
// the next page ("" if there is none), and its error.
func (g *guard) leave(items int, next string, err error) error {
	switch {
	case err == nil:
	case !isPartial(err):
		return err
	case g.partial == nil:
		g.partial = err
	}
	if g.empty++; items > 0 {
		g.empty = 0
	} else if next != "" && g.empty > maxEmptyPages {
		return g.problem("the service keeps sending empty pages")
	}
	return nil
}

// check returns an error if the walk should not continue with a page.
func (g *guard) check(next string) error {
	switch {
	case g.visited[next]:
		return g.problem("the next page is one that was already read")
	case len(next) > maxPageName:
		return g.problem("the link to the next page is too long")
	}
	return nil
}

// pageOf is one page of a list: its items, and the name of the next page.
type pageOf[T any] struct {
	items []T
	// size is the number of items that the service sent, if it differs from the
	// length of items.
	size int
	next string
	resp *Response
}

// walkPages yields the items of a list page by page, and one error last: the
// one that ended the walk, or else the first member that could not be decoded.
func walkPages[T any](g *guard, first string, fetch func(name string) (pageOf[T], error), yield func(T, error) bool) {
	err := func() error {
		for name := first; ; {
			g.enter(name)
			page, err := fetch(name)
			if observe := g.call.options.onPage; observe != nil && page.resp != nil {
				observe(page.resp)
			}
			for _, item := range page.items {
				if !yield(item, nil) {
					return errStopped
				}
			}
			if err := g.leave(max(len(page.items), page.size), page.next, err); err != nil || page.next == "" {
				return err
			}
			if err := g.check(page.next); err != nil {
				return err
			}
			name = page.next
		}
	}()
	end(g, err, yield)
}

// end yields the error that a walk ends with, unless its consumer stopped it: the one that
// ended it, or else the first member that could not be decoded on the way.
func end[T any](g *guard, err error, yield func(T, error) bool) {
	if err == nil {
		err = g.partial
	}
	if err != nil && err != errStopped {
		var none T
		yield(none, err)
	}
}
