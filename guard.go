package serviceapi

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

// problem is the error of a list that cannot be continued.
func (g *guard) problem(text string) error { return g.call.paginationError(text) }

// leave checks a page that was read, given the number of its items, the name of
// the next page ("" if there is none), and its error.
func (g *guard) leave(items int, next string, err error) error {
	if isPartial(err) {
		if g.partial == nil {
			g.partial = err
		}
		err = nil
	}
	if g.empty++; items > 0 {
		g.empty = 0
	}
	switch {
	case err != nil:
		return err
	case next != "" && g.empty > maxEmptyPages:
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
	g.end(err, func(err error) {
		var none T
		yield(none, err)
	})
}

// end yields the error that a walk ends with, unless its consumer stopped it.
func (g *guard) end(err error, yield func(error)) {
	if err == nil {
		err = g.partial
	}
	if err != nil && err != errStopped {
		yield(err)
	}
}
