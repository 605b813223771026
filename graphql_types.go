package serviceapi

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// GraphQLRequest is a request for [GraphQLService.Query].
type GraphQLRequest struct {
	// Query is the document: one or several operations and fragments.
	Query string `json:"query"`
	// Variables are the values of the operation's variables, by name without the
	// dollar sign.
	Variables map[string]any `json:"variables,omitzero"`
	// OperationName selects one of several operations in the document.
	OperationName string `json:"operationName,omitzero"`
}

func (GraphQLRequest) holdsValues() {}

// GraphQLError is a response that has errors, whatever its HTTP status. Any
// data of the response is in the result of the call. It unwraps to *[Error].
type GraphQLError struct {
	// Err describes the response. Its StatusCode is usually 200, its Message has
	// the messages of all errors, and its Code is the code in the extensions of
	// the first error. Its Body is nil if the status is 2xx.
	Err *Error
	// Errors are the errors of the response, at least one.
	Errors []GraphQLErrorDetail
}

// Error describes the response with its messages.
func (e *GraphQLError) Error() string { return e.Err.Error() }

// Unwrap returns the *[Error].
func (e *GraphQLError) Unwrap() error { return e.Err }

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
	return &GraphQLError{Err: e, Errors: details}
}
