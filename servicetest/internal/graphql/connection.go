package graphql

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// MaxPage is the largest number of items on a page of a connection.
const MaxPage = 100

// A page is one page of a connection.
type page struct {
	count            int
	nodes            []any
	cursors          []string
	hasPrev, hasNext bool
}

// PageArgs returns the arguments of a connection: first, after, last, before, and others as
// pairs of name and type.
func PageArgs(pairs ...string) map[string]string {
	args := map[string]string{"first": "Int", "after": "String", "last": "Int", "before": "String"}
	for i := 0; i+1 < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	return args
}

// PageOf resolves a field of a Connection type. The items must be in ascending order of
// their IDs or, with newestFirst, in descending order. A cursor holds the ID of the
// last item before the page.
func PageOf[T any](args Args, items []T, newestFirst bool, id func(T) int64) (any, error) {
	// place returns where the items at or behind a cursor begin, or other without a cursor.
	place := func(name string, at, other int) (int, error) {
		cursor, err := args.String(name)
		if err != nil || cursor == "" {
			return other, err
		}
		last, err := readCursor(cursor)
		i := slices.IndexFunc(items, func(item T) bool {
			return newestFirst == (id(item) < last) && id(item) != last || id(item) == last && at == 0
		})
		if i < 0 {
			i = len(items)
		}
		return i, err
	}
	from, err := place("after", 1, 0)
	if err != nil {
		return nil, err
	}
	to, err := place("before", 0, len(items))
	if err != nil {
		return nil, err
	}
	from, to, err = args.window(from, max(from, to))
	if err != nil {
		return nil, err
	}
	made := &page{count: len(items), hasPrev: from > 0, hasNext: to < len(items)}
	for _, item := range items[from:to] {
		made.nodes = append(made.nodes, item)
		made.cursors = append(made.cursors, cursorOf(id(item)))
	}
	return made, nil
}

// window returns the part of a page that first or last leaves.
func (a Args) window(from, to int) (int, int, error) {
	last, err := a.Int("last", -1)
	if err != nil {
		return 0, 0, err
	}
	first, err := a.Int("first", MaxPage)
	if err != nil {
		return 0, 0, err
	}
	if last >= 0 && a["first"] == nil {
		return max(from, to-min(last, MaxPage)), to, nil
	}
	return from, min(to, from+min(first, MaxPage)), nil
}

// readCursor returns the ID in a cursor. The item itself may be gone.
func readCursor(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	plain, _ := base64.RawURLEncoding.DecodeString(cursor)
	text, _ := strings.CutPrefix(string(plain), "id:")
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, Failure("Please provide a valid cursor")
	}
	return id, nil
}

func cursorOf(id int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte("id:" + strconv.FormatInt(id, 10)))
}

// Connection makes the type of a connection to objects of a type, with count, nodes,
// edges and pageInfo. Fields of that type take PageArgs, and PageOf resolves them.
func Connection[C any](node *Type[C]) *Type[C] {
	edges := &Type[C]{node.Name + "Edge", map[string]*Field[C]{
		"cursor": Scalar[C](func(e edge) any { return e.cursor }),
		"node":   Object(node, func(e edge) any { return e.node }),
	}}
	return &Type[C]{node.Name + "Connection", map[string]*Field[C]{
		"count":    Scalar[C](func(p *page) any { return p.count }),
		"nodes":    Object(node, func(p *page) any { return slices.Clip(p.nodes) }),
		"pageInfo": Object(pageInfo[C](), func(p *page) any { return p }),
		"edges":    Object(edges, func(p *page) any { return p.edges() }),
	}}
}

type edge struct {
	cursor string
	node   any
}

func (p *page) edges() []any {
	edges := make([]any, len(p.nodes))
	for i := range edges {
		edges[i] = edge{p.cursors[i], p.nodes[i]}
	}
	return edges
}

func pageInfo[C any]() *Type[C] {
	return &Type[C]{"PageInfo", map[string]*Field[C]{
		"hasNextPage":     Scalar[C](func(p *page) any { return p.hasNext }),
		"hasPreviousPage": Scalar[C](func(p *page) any { return p.hasPrev }),
		"startCursor":     Scalar[C](func(p *page) any { return p.cursor(0) }),
		"endCursor":       Scalar[C](func(p *page) any { return p.cursor(len(p.cursors) - 1) }),
	}}
}

func (p *page) cursor(i int) any {
	if len(p.cursors) == 0 {
		return nil
	}
	return p.cursors[i]
}

// PageInOrder is PageOf for items in any order. A cursor holds the place of the last item
// before the page.
func PageInOrder[T any](args Args, items []T) (any, error) {
	places := make([]int64, len(items))
	for i := range places {
		places[i] = int64(i) + 1
	}
	of, err := PageOf(args, places, false, func(place int64) int64 { return place })
	if err != nil {
		return nil, err
	}
	made := of.(*page)
	for i, place := range made.nodes {
		made.nodes[i] = items[place.(int64)-1]
	}
	return made, nil
}
