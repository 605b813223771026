package serviceapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func graphQLExchange(body, reply string) exchange {
	return exchange{
		Method: "POST", Root: true, Path: "/api/graphql", JSON: body,
		Body: reply, ResponseHeader: map[string]string{"Content-Type": "application/json", "X-Request-Id": "req-1"},
	}
}

type projectData struct {
	Project *struct {
		Name  string
		Stars int
	}
	Viewer *struct{ Username string }
}

func TestGraphQLQuery(t *testing.T) {
	client := onWire(t,
		graphQLExchange(
			`{"query":"query P($path: ID!) { project(fullPath: $path) { Name } }","variables":{"path":"acme/app",`+
				`"ids":[1,2],"secret":"hidden"},"operationName":"P"}`,
			`{"data":{"Project":{"Name":"App","Stars":3}},"errors":[]}`),
		graphQLExchange(`{"query":"mutation { x }"}`, `{"data":{"x":null}}`),
	)
	var out projectData
	resp, err := client.GraphQL.Query(t.Context(), GraphQLRequest{
		Query:         "query P($path: ID!) { project(fullPath: $path) { Name } }",
		Variables:     map[string]any{"path": "acme/app", "ids": []int{1, 2}, "secret": NewSecret("hidden")},
		OperationName: "P",
	}, &out)
	require.NoError(t, err)
	assert.Equal(t, "req-1", resp.RequestID)
	assert.Equal(t, "App", out.Project.Name)
	assert.Equal(t, 3, out.Project.Stars)

	_, err = client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "mutation { x }"}, nil)
	require.NoError(t, err)
}

func TestGraphQLErrors(t *testing.T) {
	client := onWire(t, graphQLExchange(`{"query":"{ project viewer }"}`, `{
		"data": {"Project": {"Name": "App"}, "Viewer": null},
		"errors": [
			{"message": "no viewer", "locations": [{"line": 1, "column": 11}], "path": ["Viewer", 0, "Username"],
			"extensions": {"code": "FORBIDDEN", "retries": 2, "wire-token": "wire-token"}},
			{"message": "wire-token is odd"}
		]}`))
	var out projectData
	resp, err := client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "{ project viewer }"}, &out)
	assert.Equal(t, "App", out.Project.Name, "the data beside the errors")
	assert.Nil(t, out.Viewer)
	assert.Equal(t, 200, resp.StatusCode)
	var refused *GraphQLError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, []GraphQLErrorDetail{
		{
			Message: "no viewer", Locations: []*GraphQLLocation{{Line: 1, Column: 11}},
			Path:       GraphQLPath{"Viewer", "0", "Username"},
			Extensions: map[string]any{"code": "FORBIDDEN", "retries": 2.0, redacted: redacted},
		},
		{Message: redacted + " is odd"},
	}, refused.Errors)
	var reply *Error
	require.ErrorAs(t, err, &reply)
	assert.Equal(t, 200, reply.StatusCode)
	assert.Equal(t, ErrorCode("FORBIDDEN"), reply.Code)
	assert.Equal(t, "req-1", reply.RequestID)
	assert.Equal(t, "POST https://service.test/api/graphql: 200 no viewer (Viewer.0.Username); [redacted] is odd "+
		"[request req-1]", err.Error())
}

// TestGraphQLResponses checks that every response that is not complete and valid
// is an error, and that its valid data is returned.
func TestGraphQLResponses(t *testing.T) {
	const good = `"data":{"Project":{"Name":"App"}}`
	for name, tc := range map[string]struct {
		status int
		body   string
		want   any    // nil: no error
		named  string // in the error
		data   bool   // came through
	}{
		"null errors":           {200, `{` + good + `,"errors":null}`, nil, "", true},
		"other members":         {200, `{` + good + `,"extensions":{"cost":1}}`, nil, "", true},
		"null data":             {200, `{"data":null}`, new(*DecodeError), "null", false},
		"nothing":               {200, `{}`, new(*DecodeError), "neither data nor errors", false},
		"no errors and no data": {200, `{"errors":[]}`, new(*DecodeError), "neither data nor errors", false},
		"null":                  {200, `null`, new(*DecodeError), "neither data nor errors", false},
		"list":                  {200, `[]`, new(*DecodeError), "", false},
		"empty":                 {200, ``, new(*DecodeError), "empty", false},
		"HTML":                  {200, `<html>`, new(*DecodeError), "HTML instead of JSON", false},
		"cut":                   {200, `{"data":{"Project":`, new(*DecodeError), "", false},
		"text behind":           {200, `{` + good + `}x`, new(*DecodeError), "", false},
		"errors without data":   {200, `{"errors":[{"message":"bad"}]}`, new(*GraphQLError), "200 bad", false},
		"errors and null data": {200, `{"errors":[{"message":"bad"}],"data":null}`, new(*GraphQLError), "200 bad",
			false},
		"errors of odd kind": {200, `{` + good + `,"errors":"bad"}`, new(*DecodeError), "/errors", true},
		"a null error":       {200, `{` + good + `,"errors":[null]}`, new(*GraphQLError), "", true},
		"an error with odd message": {200, `{` + good + `,"errors":[{"message":7}]}`, new(*GraphQLError),
			"/errors/0/message", true},
		"an error with odd path": {200, `{` + good + `,"errors":[{"message":"bad","path":[{}]}]}`,
			new(*GraphQLError), "/errors/0/path", true},
		"data of odd kind": {200, `{"data":7}`, new(*DecodeError), "/data", false},
		"member of odd kind": {200, `{"data":{"Project":{"Stars":"x","Name":"App"}}}`, new(*DecodeError),
			"/data/Project/Stars", true},
		"errors and odd member": {200,
			`{"data":{"Project":{"Stars":"x","Name":"App"}},"errors":[{"message":"bad"}]}`, new(*DecodeError), "bad",
			true},
		"errors with another status": {400, `{"errors":[{"message":"bad","path":["a"],"extensions":{"code":"X"}}]}`,
			new(*GraphQLError), "400 bad (a)", false},
		"another status": {401, `{"message":"401 Unauthorized"}`, new(*Error), "401 Unauthorized", false},
		"many errors": {200, `{"errors":[` + strings.Repeat(`{"message":"bad"},`, 99) +
			`{"message":"bad"}]}`, new(*GraphQLError), "and 90 more", false},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tc.status)
				io.WriteString(w, tc.body)
			})
			var out projectData
			_, err := client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "{ x }"}, &out)
			if tc.want == nil {
				require.NoError(t, err)
			} else {
				require.ErrorAs(t, err, tc.want)
				assert.Contains(t, err.Error(), tc.named)
			}
			if refused, ok := errors.AsType[*GraphQLError](err); ok {
				assert.Empty(t, refused.Err.Fields, "the members of an error are no fields")
			}
			if tc.data {
				require.NotNil(t, out.Project)
				assert.Equal(t, "App", out.Project.Name)
			} else {
				assert.Nil(t, out.Project)
			}
		})
	}
}

func TestGraphQLResponseIsBounded(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data":{"x":"`+strings.Repeat("x", 1<<20)+`"}}`)
	})
	_, err := client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "{ x }"}, nil, WithMaxResponseSize(1<<20))
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
}

func TestGraphQLArguments(t *testing.T) {
	client := onWire(t)
	var argument *ArgumentError
	for _, out := range []any{projectData{}, (*projectData)(nil), map[string]any{}} {
		_, err := client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "mutation { x }"}, out)
		assert.ErrorAs(t, err, &argument)
	}
	_, err := client.GraphQL.Query(t.Context(),
		GraphQLRequest{Query: "{ x }", Variables: map[string]any{"f": func() {}}}, nil)
	assert.ErrorAs(t, err, &argument)
}

// TestGraphQLQueriesAreReads sends documents to a service that fails twice: with a status, and by
// closing the connection after it has read the request.
func TestGraphQLQueriesAreReads(t *testing.T) {
	var requests, fails atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch _, _ = io.Copy(io.Discard, r.Body); {
		case requests.Add(1) > 2:
			io.WriteString(w, `{"data":{}}`)
		case fails.Load() == 0:
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(int(fails.Load()))
		}
	})
	for _, fail := range []int32{500, 502, 503, 504, 0} {
		fails.Store(fail)
		for document, want := range map[string]int32{
			"{ x }": 3, "query Q { x } mutation M { y }": 3, "mutation M { y }": 1, "subscription { x }": 1, "x": 1,
		} {
			requests.Store(0)
			request := GraphQLRequest{Query: document}
			if strings.HasPrefix(document, "query Q") {
				request.OperationName = "Q"
			}
			_, err := client.GraphQL.Query(t.Context(), request, nil)
			assert.Equal(t, want == 3, err == nil, "%s: %v", document, err)
			assert.Equal(t, want, requests.Load(), "%s after %d", document, fail)
		}
	}
	fails.Store(503)
	requests.Store(0)
	resp, err := client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "mutation { y }"}, nil,
		WithRetry(RetryPolicy{RetryUnsafe: true}))
	require.NoError(t, err)
	assert.Equal(t, 3, resp.Attempts)
}

const pagesQuery = `query($after: String) { items(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`

type node struct {
	ID string `json:"id"`
}

type pagesData struct {
	Items *GraphQLConnection[node] `json:"items"`
}

func itemsOf(data *pagesData) *GraphQLConnection[node] { return data.Items }

// graphQLPages serves the responses by the cursor of the request.
func graphQLPages(t *testing.T, replies map[string]string) (*Client, *[]map[string]any) {
	var asked []map[string]any
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var request GraphQLRequest
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&request))
		asked = append(asked, request.Variables)
		cursor, _ := request.Variables["after"].(string)
		io.WriteString(w, replies[cursor])
	})
	return client, &asked
}

func graphQLPage(next, nodes string) string {
	return fmt.Sprintf(`{"data":{"items":{"nodes":[%s],"pageInfo":{"hasNextPage":%t,"endCursor":%q}}}}`, nodes,
		next != "", next)
}

func ids(nodes []*node) (ids []string) {
	for _, n := range nodes {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestGraphQLAll(t *testing.T) {
	client, asked := graphQLPages(t, map[string]string{
		"":  graphQLPage("b", `{"id":"1"},null,{"id":"2"}`),
		"b": graphQLPage("c", ``),
		"c": graphQLPage("", `{"id":"3"}`),
	})
	variables := map[string]any{"path": "acme"}
	var first *GraphQLConnection[node]
	connection := func(data *pagesData) *GraphQLConnection[node] {
		first = cmp.Or(first, data.Items)
		return data.Items
	}
	seq := GraphQLAll(t.Context(), client, GraphQLRequest{Query: pagesQuery, Variables: variables}, connection)
	for range 2 {
		nodes, err := Collect(seq)
		require.NoError(t, err)
		assert.Equal(t, []string{"1", "2", "3"}, ids(nodes))
	}
	assert.Len(t, first.Nodes, 3, "what the caller has seen is not touched")
	assert.Nil(t, first.Nodes[1])
	assert.NotNil(t, first.Nodes[2])
	assert.Equal(t, map[string]any{"path": "acme"}, variables, "the caller's map is not touched")
	assert.Equal(t, map[string]any{"path": "acme"}, (*asked)[3], "the second walk begins at the beginning")
	assert.Equal(t, map[string]any{"path": "acme", "after": "c"}, (*asked)[5])

	nodes, err := Collect(GraphQLAll(t.Context(), client,
		GraphQLRequest{Query: pagesQuery, Variables: map[string]any{"after": "b"}}, itemsOf))
	require.NoError(t, err)
	assert.Equal(t, []string{"3"}, ids(nodes))

	var pages []int
	_, err = Collect(GraphQLAll(t.Context(), client, GraphQLRequest{Query: pagesQuery}, itemsOf,
		WithPageObserver(func(r *Response) { pages = append(pages, r.StatusCode) })))
	require.NoError(t, err)
	assert.Equal(t, []int{200, 200, 200}, pages)

	pages = nil
	_, err = Collect(GraphQLAll(t.Context(), onWire(t, exchange{Method: "POST", Root: true, Path: "/api/graphql",
		JSON: `{"query":"` + pagesQuery + `"}`, Status: 403, Body: "{}"}),
		GraphQLRequest{Query: pagesQuery}, itemsOf, WithPageObserver(func(r *Response) {
			pages = append(pages, r.StatusCode)
		})))
	require.ErrorIs(t, err, ErrForbidden)
	assert.Equal(t, []int{403}, pages, "a page that was refused is observed, too")

	*asked = nil
	for _, err := range GraphQLAll(t.Context(), client, GraphQLRequest{Query: pagesQuery}, itemsOf) {
		require.NoError(t, err)
		break
	}
	assert.Len(t, *asked, 1, "pages are fetched when they are needed")
}

func TestGraphQLAllNeverEndsSilently(t *testing.T) {
	const two = `{"id":"1"},{"id":"2"}`
	for name, tc := range map[string]struct {
		replies map[string]string
		nodes   int
		want    any
	}{
		"circle": {map[string]string{"": graphQLPage("b", two), "b": graphQLPage("c", two),
			"c": graphQLPage("b", two)}, 6, new(*PaginationError)},
		"itself": {map[string]string{"": graphQLPage("b", two), "b": graphQLPage("b", two)}, 4,
			new(*PaginationError)},
		"no cursor": {map[string]string{
			"": `{"data":{"items":{"nodes":[],"pageInfo":{"hasNextPage":true,"endCursor":null}}}}`}, 0,
			new(*PaginationError)},
		"no pageInfo": {map[string]string{"": `{"data":{"items":{"nodes":[{"id":"1"}]}}}`}, 1,
			new(*PaginationError)},
		"null connection": {map[string]string{"": `{"data":{"items":null}}`}, 0, new(*PaginationError)},
		"errors": {map[string]string{"": graphQLPage("b", two),
			"b": `{"data":{"items":{"nodes":[{"id":"3"}]}},"errors":[{"message":"x"}]}`}, 3, new(*GraphQLError)},
		"no data": {map[string]string{"": graphQLPage("b", two),
			"b": `{"data":null,"errors":[{"message":"x"}]}`}, 2, new(*GraphQLError)},
		"HTML": {map[string]string{"": graphQLPage("b", two), "b": `<html>`}, 2, new(*DecodeError)},
		"odd member": {map[string]string{"": graphQLPage("b", `{"id":7},{"id":"2"}`), "b": graphQLPage("", two)},
			4, new(*DecodeError)},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := graphQLPages(t, tc.replies)
			nodes, err := Collect(GraphQLAll(t.Context(), client, GraphQLRequest{Query: pagesQuery}, itemsOf))
			require.ErrorAs(t, err, tc.want)
			assert.Len(t, nodes, tc.nodes)
		})
	}

	t.Run("empty pages", func(t *testing.T) {
		var pages int
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			pages++
			io.WriteString(w, graphQLPage(fmt.Sprint("c", pages), ""))
		})
		_, err := Collect(GraphQLAll(t.Context(), client, GraphQLRequest{Query: pagesQuery}, itemsOf))
		var pagination *PaginationError
		require.ErrorAs(t, err, &pagination)
		assert.Contains(t, err.Error(), "POST /api/graphql: ")
		assert.Equal(t, maxEmptyPages+1, pages)
	})
}

func TestGraphQLAllArguments(t *testing.T) {
	client := onWire(t)
	var argument *ArgumentError
	for query, missing := range map[string]string{
		"": "$after", "{ items { nodes { id } } }": "$after",
		"query($after: String) { items(after: $after) { nodes { id } pageInfo { endCursor } } }":   "hasNextPage",
		"query($after: String) { items(after: $after) { nodes { id } pageInfo { hasNextPage } } }": "endCursor",
	} {
		_, err := Collect(GraphQLAll(t.Context(), client, GraphQLRequest{Query: query}, itemsOf))
		assert.EqualError(t, err, "serviceapi: GraphQL document has no "+missing+", so its pages cannot be walked",
			query)
	}
	for _, c := range []*Client{nil, {}} {
		_, err := Collect(GraphQLAll(t.Context(), c, GraphQLRequest{Query: pagesQuery}, itemsOf))
		assert.ErrorAs(t, err, &argument)
	}
}

// TestGraphQLErrorsThatCannotBeRead are named, with data beside them or without.
func TestGraphQLErrorsThatCannotBeRead(t *testing.T) {
	for _, body := range []string{`{"errors":"bad"}`, `{"data":null,"errors":"bad"}`, `{"data":{},"errors":7}`} {
		client, _ := scriptedClient(t, RetryPolicy{}, status(200, body))
		var data map[string]any
		_, err := client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "{ x }"}, &data)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode, body)
		assert.Equal(t, "/errors", decode.Pointer, body)
	}
}

// TestGraphQLWithoutData checks that nothing is decoded where the service sent null, that a
// body which is cut off is no list of errors, and that names in a path stay names.
func TestGraphQLWithoutData(t *testing.T) {
	query := func(code int, body string) (thing struct{ Name string }, err error) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(code, body))
		thing.Name = "as before"
		_, err = client.GraphQL.Query(t.Context(), GraphQLRequest{Query: "{a}"}, &thing)
		return thing, err
	}
	thing, err := query(200, `{"data":null,"errors":[{"message":"x"}]}`)
	require.ErrorAs(t, err, new(*GraphQLError))
	assert.Equal(t, "as before", thing.Name)
	_, err = query(400, `{"errors":[{"message":"x"}]}`)
	assert.True(t, hasType[*GraphQLError](err))
	_, err = query(400, `{"errors":[{"message":"x"}],`)
	require.ErrorIs(t, err, ErrBadRequest)
	assert.False(t, hasType[*GraphQLError](err))

	data, err := json.Marshal(GraphQLPath{"a", "12", "true", "null", "[]", "1a", `"b"`})
	require.NoError(t, err)
	assert.Equal(t, `["a",12,"true","null","[]","1a","\"b\""]`, string(data))
}

// TestPageInfo checks all members of the position of a GraphQL page.
func TestPageInfo(t *testing.T) {
	var info GraphQLPageInfo
	require.NoError(t, json.Unmarshal([]byte(
		`{"hasNextPage":false,"hasPreviousPage":true,"startCursor":"a","endCursor":"b"}`), &info))
	assert.Equal(t, GraphQLPageInfo{HasPreviousPage: true, StartCursor: "a", EndCursor: "b"}, info)
}
