package serviceapi

// guard keeps a list from leading its reader on for ever, whatever its pages
// are named by: queries, cursors or indexes.
type guard struct {
	call *call
	// visited holds the names of all pages so far.
	visited map[string]bool
	// empty counts the pages without an item since the last one with some.
	empty int
	// partial is the first member that could not be decoded.
	partial error
}

// maxEmptyPages bounds a list that goes on without an item.
const maxEmptyPages = 25

// maxPageName bounds what is remembered of each page.
const maxPageName = 8 << 10

func newGuard(cl *call) *guard { return &guard{call: cl, visited: make(map[string]bool)} }

// enter notes the page that is read now.
func (g *guard) enter(page string) { g.visited[page] = true }

// problem is the error of a list that cannot be continued.
func (g *guard) problem(text string) error { return g.call.paginationError(text) }

// leave checks a page that was read: the number of its items, what became of
// it, and the name of the next page, "" if there is none.
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
		return g.problem("the service sends empty pages without end")
	}
	return nil
}

// check says what is wrong with going on to a page.
func (g *guard) check(next string) error {
	switch {
	case g.visited[next]:
		return g.problem("the next page is one that was there before")
	case len(next) > maxPageName:
		return g.problem("the link to the next page is too long")
	}
	return nil
}

// pageOf is one page of a list: its items, and the name of the next page.
type pageOf[T any] struct {
	items []T
	// size is the number of items that the service sent, if it is not that of
	// items.
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

// end yields what a walk ends with, unless its consumer stopped it.
func (g *guard) end(err error, yield func(error)) {
	if err == nil {
		err = g.partial
	}
	if err != nil && err != errStopped {
		yield(err)
	}
}
