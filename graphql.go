package serviceapi

import (
	"context"
	"errors"
	"iter"
	"maps"
	"net/http"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// GraphQLService gives access to the GraphQL API.
//
// The service has announced the removal of parts of the schema. In release
// 16.0: the mutation CiCdSettingsUpdate (use ProjectCiCdSettingsUpdate), the
// mutations iterationCreate and iterationDelete and the arguments title,
// dueDate and startDate of updateIteration (only a description can be updated
// then), the fields name and projectFingerprint of
// PipelineSecurityReportFinding (use title and uuid) and the query
// project.pipeline.securityReportFindings (use
// project.pipeline.vulnerabilities). In release 17.0: the argument legacyMode
// of a runner's status, which has no effect from 16.0 on.
type GraphQLService service

// Query executes an operation, either a query or a mutation, and decodes the
// data of the response into out, a pointer to a struct or map that has the
// shape of the document's selection. If out is nil, the data is discarded.
//
// If the response has errors, Query returns a [*GraphQLError], whatever the
// HTTP status; data that came with them is in out. Mutations report problems
// with their input in a field of the data named errors, which is not treated as
// an error.
//
// The call is not repeated if the service may have executed it, unless the
// request is [GraphQLRequest.Repeatable].
//
// POST /api/graphql
func (s *GraphQLService) Query(ctx context.Context, request GraphQLRequest, out any, opts ...RequestOption) (*Response, error) {
	if err := request.check(out); err != nil {
		return nil, err
	}
	cl, err := newCall(ctx, s.client, http.MethodPost, instanceRoute("/api/graphql"), jsonOf(request), opts)
	if err != nil {
		return nil, err
	}
	if request.Repeatable {
		cl.options.retry.RetryUnsafe = true
	}
	resp, err := cl.send()
	if err != nil {
		return cl.response(), graphQLStatusError(err)
	}
	defer cl.dropData()
	return newResponse(cl, resp), cl.decodeGraphQL(out)
}

// check finds what would lose the response of a mutation after it was executed.
func (r *GraphQLRequest) check(out any) error {
	if v := reflect.ValueOf(out); out != nil && (v.Kind() != reflect.Pointer || v.IsNil()) {
		return &ArgumentError{Argument: "out", Problem: "is no pointer, or a nil one"}
	}
	if r.Repeatable && !onlyQueries(r.Query) {
		return &ArgumentError{Argument: "GraphQL document", Problem: "is to be repeatable, but does not hold queries alone"}
	}
	return nil
}

// graphQLAnswer is the response to an operation that could be executed, or was
// refused as a whole.
type graphQLAnswer struct {
	Data   jsontext.Value `json:"data"`
	Errors jsontext.Value `json:"errors"`
}

var errNoGraphQL = errors.New("it holds neither data nor errors")

// decodeGraphQL reads the response: its data into out, and its errors.
func (cl *call) decodeGraphQL(out any) error {
	var answer graphQLAnswer
	if err := cl.decode(&answer); err != nil {
		return err
	}
	var details []GraphQLErrorDetail
	detailErr := cl.decodeMember("/errors", []byte(cl.redact(string(answer.Errors))), &details)
	switch hasErrors := len(details) > 0 || detailErr != nil; {
	case len(answer.Data) == 0 && !hasErrors:
		return cl.decodeError(errNoGraphQL)
	case isNull(answer.Data) && !hasErrors:
		return cl.decodeError(errNull)
	}
	var problems []error
	if len(details) > 0 {
		problems = append(problems, newGraphQLError(cl.goodAnswer(), details))
	}
	if detailErr != nil {
		problems = append(problems, detailErr)
	}
	if out != nil && !isNull(answer.Data) {
		if err := cl.decodeMember("/data", answer.Data, out); err != nil {
			problems = append(problems, err)
		}
	}
	if len(problems) == 1 {
		return problems[0]
	}
	return errors.Join(problems...)
}

// goodAnswer describes a response that says no in spite of its status.
func (cl *call) goodAnswer() *Error {
	resp := cl.attempt.last
	return &Error{
		StatusCode: resp.StatusCode, Method: cl.method, Operation: cl.endpoint.template, URL: cl.finalURL(),
		RequestID: resp.Header.Get(requestIDHeader), Attempts: cl.attempt.count, header: publicHeader(resp.Header),
	}
}

// decodeMember decodes a member of the response, if there is one.
func (cl *call) decodeMember(pointer string, data []byte, v any) error {
	if len(data) == 0 {
		return nil
	}
	err := cl.decodeFrom(data, v)
	var decode *DecodeError
	if errors.As(err, &decode) {
		decode.Pointer = pointer + decode.Pointer
	}
	return err
}

// graphQLStatusError gives an error of another status than 2xx its GraphQL
// form, if its body has that.
func graphQLStatusError(err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	var answer struct {
		Errors []GraphQLErrorDetail `json:"errors"`
	}
	if json.Unmarshal(e.Body, &answer, lenient) != nil || len(answer.Errors) == 0 {
		return err
	}
	return newGraphQLError(e, answer.Errors)
}

// cursorVariable is the variable that GraphQLAll sets.
const cursorVariable = "after"

// GraphQLAll returns every node of a connection. Pages are fetched as they are
// consumed. The query must declare a variable $after: String, pass it to the
// connection, and select pageInfo { hasNextPage endCursor } beside the nodes:
//
//	query ($path: ID!, $after: String) {
//	  project(fullPath: $path) {
//	    pipelines(first: 100, after: $after) {
//	      nodes { id status }
//	      pageInfo { hasNextPage endCursor }
//	    }
//	  }
//	}
//
// The function connection returns the connection in the data of a page, or nil
// if a value on the path to it is null. The list starts at the beginning, or
// after the cursor that the request's variables have for after.
//
// The sequence ends with a [*GraphQLError], after the nodes that came with it,
// if a response has errors, and with a [*PaginationError] if a response has no
// connection or its cursor leads back to an earlier page.
//
// POST /api/graphql
func GraphQLAll[D, T any](ctx context.Context, c *Client, request GraphQLRequest, connection func(data *D) *GraphQLConnection[T], opts ...RequestOption) iter.Seq2[*T, error] {
	for _, name := range []string{"$" + cursorVariable, "hasNextPage", "endCursor"} {
		if !strings.Contains(request.Query, name) {
			return failed[*T](&ArgumentError{Argument: "GraphQL document", Problem: "has no " + name + ", so that its pages cannot be walked"})
		}
	}
	if c == nil || c.GraphQL == nil {
		return failed[*T](&ArgumentError{Argument: "client", Problem: "was not made by NewClient"})
	}
	return func(yield func(*T, error) bool) {
		w := graphQLWalk[D, T]{request: request, connection: connection, visited: map[string]bool{}}
		w.request.Variables = maps.Clone(request.Variables)
		w.query = func(r GraphQLRequest, out any) error {
			_, err := c.GraphQL.Query(ctx, r, out, opts...)
			return err
		}
		w.run(yield)
	}
}

// graphQLWalk walks one connection once.
type graphQLWalk[D, T any] struct {
	request    GraphQLRequest
	query      func(GraphQLRequest, any) error
	connection func(*D) *GraphQLConnection[T]
	// visited holds the cursors of all pages so far.
	visited map[string]bool
	// empty counts the pages without a node since the last one with some.
	empty int
	// partial is the first member that could not be decoded.
	partial error
}

func (w *graphQLWalk[D, T]) run(yield func(*T, error) bool) {
	for more := true; more; {
		page, err := w.fetch()
		if page != nil {
			for _, node := range page.Nodes {
				if node != nil && !yield(node, nil) {
					return
				}
			}
		}
		if err == nil {
			more, err = w.advance(page)
		}
		if err != nil {
			yield(nil, err)
			return
		}
	}
	if w.partial != nil {
		yield(nil, w.partial)
	}
}

// fetch returns the next page, or what came of it beside an error.
func (w *graphQLWalk[D, T]) fetch() (*GraphQLConnection[T], error) {
	data := new(D)
	err := w.query(w.request, data)
	var decode *DecodeError
	var refused *GraphQLError
	switch {
	case errors.As(err, &refused):
	case errors.As(err, &decode) && decode.Partial:
		if w.partial == nil {
			w.partial = err
		}
		err = nil
	case err != nil:
		return nil, err
	}
	page := w.connection(data)
	if err == nil && (page == nil || page.PageInfo == nil) {
		err = w.problem("the response holds no connection with pageInfo")
	}
	return page, err
}

// advance sets the cursor for the page behind this one, and reports whether
// there is such.
func (w *graphQLWalk[D, T]) advance(page *GraphQLConnection[T]) (bool, error) {
	cursor := page.PageInfo.EndCursor
	if w.empty++; len(page.Nodes) > 0 {
		w.empty = 0
	}
	switch {
	case !page.PageInfo.HasNextPage:
		return false, nil
	case cursor == "":
		return false, w.problem("there is to be a next page, but no cursor leads to it")
	case w.visited[cursor]:
		return false, w.problem("the cursor of the next page is one that was there before")
	case w.empty > maxEmptyPages:
		return false, w.problem("the service sends empty pages without end")
	}
	w.visited[cursor] = true
	if w.request.Variables == nil {
		w.request.Variables = map[string]any{}
	}
	w.request.Variables[cursorVariable] = cursor
	return true, nil
}

func (w *graphQLWalk[D, T]) problem(text string) error {
	return &PaginationError{Method: http.MethodPost, Operation: "/api/graphql", Problem: text}
}
