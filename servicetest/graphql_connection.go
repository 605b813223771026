package servicetest

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// A gqlPage is one page of a connection.
type gqlPage struct {
	count            int
	nodes            []any
	cursors          []string
	hasPrev, hasNext bool
}

// pageArgs are the arguments of every connection.
var pageArgs = map[string]string{"first": "Int", "after": "String"}

// gqlPageOf cuts a page out of items, which are given in ascending order of
// their ids or, with newestFirst, in descending order. A cursor names the last
// item before the page by its id.
func gqlPageOf[T any](args gqlArgs, items []T, newestFirst bool, id func(T) int64) (any, error) {
	first, err := args.number("first", maxPerPage)
	if err != nil {
		return nil, err
	}
	after, err := args.text("after")
	if err != nil {
		return nil, err
	}
	last, err := readCursor(after)
	if err != nil {
		return nil, err
	}
	from := len(items)
	isBehind := func(item T) bool { return after == "" || newestFirst == (id(item) < last) && id(item) != last }
	if i := slices.IndexFunc(items, isBehind); i >= 0 {
		from = i
	}
	page := &gqlPage{count: len(items), hasPrev: from > 0}
	for _, item := range items[from:min(from+min(first, maxPerPage), len(items))] {
		page.nodes = append(page.nodes, item)
		page.cursors = append(page.cursors, cursorOf(id(item)))
	}
	page.hasNext = from+len(page.nodes) < len(items)
	return page, nil
}

// readCursor returns the id that a cursor names. The item itself may be gone.
func readCursor(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	plain, _ := base64.RawURLEncoding.DecodeString(cursor)
	text, _ := strings.CutPrefix(string(plain), "id:")
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, gqlFailure("Please provide a valid cursor")
	}
	return id, nil
}

func cursorOf(id int64) string {
	return base64.RawURLEncoding.EncodeToString([]byte("id:" + strconv.FormatInt(id, 10)))
}

// connectionOf makes the type of a connection.
func connectionOf(node *gqlType) *gqlType {
	edge := &gqlType{node.name + "Edge", map[string]*gqlDefinition{
		"cursor": gqlScalar(func(e gqlEdge) any { return e.cursor }),
		"node":   {typ: node, resolve: gqlResolve(func(e gqlEdge) any { return e.node })},
	}}
	return &gqlType{node.name + "Connection", map[string]*gqlDefinition{
		"count":    gqlScalar(func(p *gqlPage) any { return p.count }),
		"nodes":    {typ: node, resolve: gqlResolve(func(p *gqlPage) any { return slices.Clip(p.nodes) })},
		"pageInfo": {typ: gqlPageInfo, resolve: gqlResolve(func(p *gqlPage) any { return p })},
		"edges": {typ: edge, resolve: gqlResolve(func(p *gqlPage) any {
			edges := make([]any, len(p.nodes))
			for i := range edges {
				edges[i] = gqlEdge{p.cursors[i], p.nodes[i]}
			}
			return edges
		})},
	}}
}

type gqlEdge struct {
	cursor string
	node   any
}

var gqlPageInfo = &gqlType{"PageInfo", map[string]*gqlDefinition{
	"hasNextPage":     gqlScalar(func(p *gqlPage) any { return p.hasNext }),
	"hasPreviousPage": gqlScalar(func(p *gqlPage) any { return p.hasPrev }),
	"startCursor":     gqlScalar(func(p *gqlPage) any { return p.cursor(0) }),
	"endCursor":       gqlScalar(func(p *gqlPage) any { return p.cursor(len(p.cursors) - 1) }),
}}

func (p *gqlPage) cursor(i int) any {
	if len(p.cursors) == 0 {
		return nil
	}
	return p.cursors[i]
}

// gqlScalar defines a field without arguments whose value is sent as it is.
func gqlScalar[T any](value func(T) any) *gqlDefinition {
	return &gqlDefinition{resolve: gqlResolve(value)}
}

func gqlResolve[T any](value func(T) any) func(*gqlExecution, any, gqlArgs) (any, error) {
	return func(_ *gqlExecution, of any, _ gqlArgs) (any, error) { return value(of.(T)), nil }
}
