package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/errbody"
	"example.com/serviceapi/internal/graphqldoc"
	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// GraphQLService sends queries to the GraphQL API.
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
//
// See the example GraphqlQuery in graphql_test.go of
// [example.com/serviceapi/examples/recipes].
type GraphQLService service

// Query executes an operation, either a query or a mutation, and decodes the
// data of the response into out, a pointer to a struct or map that matches the
// selection of the document. If out is nil, the data is discarded. The variables
// and out follow the rules of encoding/json.
//
// If the response has errors, Query returns a [*GraphQLError], whatever the
// HTTP status; any data that the response has is in out. Mutations report
// problems with their input in a field of the data named errors, which is not
// treated as an error.
//
// A query is repeated like any read. A mutation, a subscription and a document that cannot be
// read are repeated like any write: only if the service certainly has not executed them.
//
//	POST /api/graphql
func (s *GraphQLService) Query(
	ctx context.Context, request GraphQLRequest, out any, opts ...RequestOption,
) (*Response, error) {
	if v := reflect.ValueOf(out); out != nil && (v.Kind() != reflect.Pointer || v.IsNil()) {
		return nil, badArgument("out", "is not a pointer, or is nil")
	}
	return runGraphQL(ctx, using(s), request, out, nil, opts)
}

// runGraphQL executes an operation. The function check, unless it is nil, judges data that could
// be decoded.
func runGraphQL(
	ctx context.Context, c *Client, request GraphQLRequest, out any, check func(*outcome) error, opts []RequestOption,
) (*Response, error) {
	endpoint := graphQLEndpoint().reading(graphqldoc.OnlyReads(request.Query, request.OperationName))
	cl, err := newCall(ctx, c, http.MethodPost, endpoint, jsonOf(request), opts)
	if err != nil {
		return nil, err
	}
	cl.result = reflect.TypeOf(out)
	sent, err := cl.send()
	defer sent.text.Release()
	if err != nil {
		return sent.response(), graphQLStatusError(err)
	}
	err = decodeGraphQL(sent, out)
	if check != nil && (err == nil || isPartial(err)) {
		err = cmp.Or(check(sent), err)
	}
	return sent.response(), err
}

func graphQLEndpoint() Endpoint { return instanceRoute("/api/graphql") }

// graphQLResponse is the response to an operation that could be executed, or
// was refused as a whole.
type graphQLResponse struct {
	Data   jsontext.Value `json:"data"`
	Errors jsontext.Value `json:"errors"`
}

var errNoGraphQL = errors.New("the response has neither data nor errors")

// decodeGraphQL reads the response: its data into out, and its errors.
func decodeGraphQL(sent *outcome, out any) error {
	var r graphQLResponse
	if err := sent.decode(&r); err != nil {
		return err
	}
	var details []GraphQLErrorDetail
	detailErr := decodeMember(sent, "/errors", []byte(sent.redaction().Hide(string(r.Errors))), &details)
	switch hasErrors := len(details) > 0 || detailErr != nil; {
	case len(r.Data) == 0 && !hasErrors:
		return sent.decodeError(errNoGraphQL)
	case jsonx.IsNull(r.Data) && !hasErrors:
		return sent.decodeError(errNull)
	}
	var problems []error
	if len(details) > 0 {
		problems = append(problems, newGraphQLError(sent.responseError(nil, errbody.Body{}, ""), details))
	}
	if detailErr != nil {
		problems = append(problems, detailErr)
	}
	if out != nil && !jsonx.IsNull(r.Data) {
		if err := decodeMember(sent, "/data", r.Data, out); err != nil {
			problems = append(problems, err)
		}
	}
	if len(problems) == 1 {
		return problems[0]
	}
	return errors.Join(problems...)
}

// decodeMember decodes a member of the response, if there is one.
func decodeMember(sent *outcome, pointer string, data []byte, v any) error {
	if len(data) == 0 {
		return nil
	}
	err := sent.decodeFrom(data, v)
	if decode, ok := errors.AsType[*DecodeError](err); ok {
		decode.Pointer = pointer + decode.Pointer
	}
	return err
}

// graphQLStatusError turns an error with a status other than 2xx into a
// GraphQLError, if its body is a GraphQL response.
func graphQLStatusError(err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	var body struct {
		Errors []GraphQLErrorDetail `json:"errors"`
	}
	if json.Unmarshal(e.Body, &body, jsonx.Lenient) != nil || len(body.Errors) == 0 {
		return err
	}
	return newGraphQLError(e, body.Errors)
}

// cursorVariable is the variable that GraphQLAll sets.
const cursorVariable = "after"

// GraphQLAll returns every node of a connection. Pages are fetched as they are
// consumed. The query must declare a variable $after: String, pass it to the
// connection, and select pageInfo { hasNextPage endCursor } in addition to the
// nodes:
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
// The function connection returns the connection in the data of a page, or nil if a
// value on the path to it is null. The list starts at the beginning, or after the
// cursor that the variable after of the request holds.
//
// If a response has errors, the sequence ends with a [*GraphQLError] after the
// nodes of that response. If a response has no connection, or its cursor leads
// back to an earlier page, the sequence ends with a [*PaginationError].
//
//	POST /api/graphql
func GraphQLAll[D, T any](
	ctx context.Context, c *Client, request GraphQLRequest, connection func(data *D) *GraphQLConnection[T],
	opts ...RequestOption,
) iter.Seq2[*T, error] {
	for _, name := range []string{"$" + cursorVariable, "hasNextPage", "endCursor"} {
		if !strings.Contains(request.Query, name) {
			problem := "has no " + name + ", so its pages cannot be walked"
			return failed[*T](badArgument("GraphQL document", problem))
		}
	}
	if connection == nil {
		return failed[*T](badArgument("connection", "is nil"))
	}
	cl, err := newCall(ctx, c, http.MethodPost, graphQLEndpoint(), nil, opts)
	if err != nil {
		return failed[*T](err)
	}
	return func(yield func(*T, error) bool) {
		g := newGuard(cl)
		walkPages(g, "", func(cursor string) (pageOf[*T], error) {
			data := new(D)
			resp, err := c.GraphQL.Query(ctx, request.after(cursor), data, opts...)
			return connectionPage(g, resp, err, func() *GraphQLConnection[T] { return connection(data) })
		}, yield)
	}
}

// after returns the request for the page that begins after a cursor.
func (r GraphQLRequest) after(cursor string) GraphQLRequest {
	if cursor == "" {
		return r
	}
	variables := map[string]any{}
	maps.Copy(variables, r.Variables)
	variables[cursorVariable] = cursor
	r.Variables = variables
	return r
}

// connectionPage returns the page of a connection in a response, even if the
// response has errors, too.
func connectionPage[T any](
	g *guard, resp *Response, err error, connection func() *GraphQLConnection[T],
) (pageOf[*T], error) {
	page := pageOf[*T]{resp: resp}
	if !hasType[*GraphQLError](err) && err != nil && !isPartial(err) {
		return page, err
	}
	c := connection()
	if c != nil {
		page.items, page.size = slices.DeleteFunc(slices.Clone(c.Nodes), isNil), len(c.Nodes)
	}
	if hasType[*GraphQLError](err) {
		return page, err
	}
	next, problem := c.next()
	if problem != "" {
		err = g.problem(problem)
	}
	page.next = next
	return page, err
}

// next returns the cursor of the next page, "" if there is none, or why the list cannot be
// continued.
func (c *GraphQLConnection[T]) next() (cursor, problem string) {
	switch {
	case c == nil || c.PageInfo == nil:
		return "", "the response has no connection with pageInfo"
	case !c.PageInfo.HasNextPage:
		return "", ""
	case c.PageInfo.EndCursor == "":
		return "", "there is a next page, but no cursor for it"
	}
	return c.PageInfo.EndCursor, ""
}

// GraphQLRequest is a request for [GraphQLService.Query]. Query is required.
type GraphQLRequest struct {
	// Query is the document: one or several operations and fragments.
	Query string `json:"query" required:"true"`
	// Variables are the values of the operation's variables, by name without the
	// dollar sign.
	Variables map[string]any `json:"variables,omitzero"`
	// OperationName selects one of several operations in the document.
	OperationName string `json:"operationName,omitzero"`
}

func (GraphQLRequest) holdsValues() {}

// GraphQLError is a response that has errors, whatever its HTTP status. Any
// data of the response is in the result of the call. It unwraps to *[Error].
//
// It matches [ErrNotFound] if an object does not exist or is hidden from the caller,
// [ErrNotInSchema] if the instance does not know a part of the document, and
// [ErrUnprocessable] if a mutation with a method of its own refused a value.
type GraphQLError struct {
	// Err describes the response. Its StatusCode is usually 200, its Message has
	// the messages of all errors, and its Code is the code in the extensions of
	// the first error. Its Body is nil if the status is 2xx.
	Err *Error
	// Errors are the errors of the response, at least one.
	Errors []GraphQLErrorDetail

	// means is the sentinel that the error matches, or nil.
	means error
}

// ErrNotInSchema means that the GraphQL schema of the instance lacks a field, an argument or a
// type of the document: its release is older, or its edition does not have it.
var ErrNotInSchema = errors.New("the GraphQL schema of the instance has no such field, argument or type")

// Is reports whether target is the sentinel that the messages stand for.
func (e *GraphQLError) Is(target error) bool {
	means := orZero(e).means
	return means != nil && means == target
}

// meaning returns the sentinel that a message of the service stands for, or nil.
func meaning(message string) error {
	if strings.HasPrefix(message, "The resource that you are attempting to access does not exist or you don't have") {
		return ErrNotFound
	}
	for _, unknown := range []string{
		"doesn't exist on type", "doesn't accept argument", "isn't a defined input type", "Field is not defined on",
	} {
		if strings.Contains(message, unknown) {
			return ErrNotInSchema
		}
	}
	return nil
}

// Error describes the response with its messages.
func (e *GraphQLError) Error() string { return e.Err.Error() }

// Unwrap returns the *[Error].
func (e *GraphQLError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *GraphQLError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// GraphQLErrorDetail is one error of a response.
type GraphQLErrorDetail struct {
	Message string `json:"message"`
	// Locations are the places in the document that the error refers to, nil if
	// there are none.
	Locations []*GraphQLLocation `json:"locations"`
	// Path is the path of the field that is null because of the error, nil if the
	// error does not refer to a field.
	Path GraphQLPath `json:"path"`
	// Extensions are details that the service adds, such as a code. Numbers are
	// float64.
	Extensions map[string]any `json:"extensions"`
}

// GraphQLLocation is a place in a document.
type GraphQLLocation struct {
	// Line and Column count from 1.
	Line   int `json:"line"`
	Column int `json:"column"`
}

// GraphQLPath is the path of a field in the data: names of fields, or their
// aliases, and decimal indices of list items, counted from 0.
type GraphQLPath []string

// String joins the elements with dots: "project.pipelines.nodes.0.status".
func (p GraphQLPath) String() string { return strings.Join(p, ".") }

// UnmarshalJSON decodes a list of names and indices, or null.
func (p *GraphQLPath) UnmarshalJSON(data []byte) error {
	var elements []jsontext.Value
	if err := json.Unmarshal(data, &elements); err != nil {
		return err
	}
	*p = nil
	if elements != nil {
		*p = make(GraphQLPath, 0, len(elements))
	}
	for _, element := range elements {
		switch element.Kind() {
		case '"':
			*p = append(*p, jsonx.Text(element))
		case '0':
			*p = append(*p, element.String())
		default:
			return fmt.Errorf("a JSON %s does not fit into a path", element.Kind())
		}
	}
	return nil
}

// MarshalJSON encodes names as strings and indices as numbers.
func (p GraphQLPath) MarshalJSON() ([]byte, error) {
	if p == nil {
		return []byte("null"), nil
	}
	elements := make([]jsontext.Value, len(p))
	for i, element := range p {
		if elements[i] = jsontext.Value(element); elements[i].Kind() == '0' && elements[i].IsValid() {
			continue // no name begins with a digit
		}
		name, err := marshalString(element)
		if err != nil {
			return nil, err
		}
		elements[i] = name
	}
	return json.Marshal(elements)
}

// GraphQLConnection is one page of a list, for [GraphQLAll]. The document must
// select its nodes and pageInfo { hasNextPage endCursor }.
type GraphQLConnection[T any] struct {
	// Nodes are the items of the page. An item that the caller may not see is nil.
	Nodes []*T `json:"nodes"`
	// PageInfo is nil if it was not selected or the connection is null.
	PageInfo *GraphQLPageInfo `json:"pageInfo"`
}

// GraphQLPageInfo is the position of a page in its list. Fields that the
// document does not select are zero.
type GraphQLPageInfo struct {
	HasNextPage     bool `json:"hasNextPage"`
	HasPreviousPage bool `json:"hasPreviousPage"`
	// StartCursor and EndCursor are the cursors of the first and last item, empty
	// if the page has no items.
	StartCursor string `json:"startCursor"`
	EndCursor   string `json:"endCursor"`
}

// maxGraphQLMessages is the maximum number of messages in an error string.
const maxGraphQLMessages = 10

// newGraphQLError makes the error of a response that e describes without its
// GraphQL errors.
func newGraphQLError(e *Error, details []GraphQLErrorDetail) *GraphQLError {
	var messages []string
	for i, d := range details {
		if i == maxGraphQLMessages {
			messages = append(messages, "and "+strconv.Itoa(len(details)-i)+" more")
			break
		}
		if len(d.Path) > 0 {
			d.Message += " (" + d.Path.String() + ")"
		}
		messages = append(messages, d.Message)
	}
	e.Message = strings.Join(messages, "; ")
	e.Fields = nil
	if code, ok := details[0].Extensions["code"].(string); ok {
		e.Code = ErrorCode(code)
	}
	return &GraphQLError{Err: e, Errors: details, means: meaning(details[0].Message)}
}
