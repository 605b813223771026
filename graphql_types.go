package serviceapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// GraphQLRequest is what [GraphQLService.Query] sends.
type GraphQLRequest struct {
	// Query is the document: one or several operations and fragments.
	Query string `json:"query"`
	// Variables are the values of the operation's variables, by their names
	// without the dollar sign.
	Variables map[string]any `json:"variables,omitzero"`
	// OperationName chooses one of several operations.
	OperationName string `json:"operationName,omitzero"`
	// Repeatable lets the call be repeated in the cases in which reads are (see
	// [RetryPolicy]). By default it is repeated only where the service
	// certainly did not execute it, since it might be a mutation. A document
	// with a mutation or a subscription is refused then.
	Repeatable bool `json:"-"`
}

// GraphQLError is a response that holds errors, be its status 200 or another.
// What data came beside them is in the call's result. It unwraps to *[Error].
type GraphQLError struct {
	// Err describes the response. Its StatusCode is mostly 200, its Message holds
	// the messages of all errors and its Code the member code of the first
	// one's extensions. For a response with status 2xx its Body is nil.
	Err *Error
	// Errors are what the response holds, one at least.
	Errors []GraphQLErrorDetail
}

// Error describes the response with its messages.
func (e *GraphQLError) Error() string { return e.Err.Error() }

// Unwrap returns the *[Error].
func (e *GraphQLError) Unwrap() error { return e.Err }

// GraphQLErrorDetail is one error of a response.
type GraphQLErrorDetail struct {
	Message string `json:"message"`
	// Locations are the places in the document that it is about. Nil if it is
	// about none.
	Locations []GraphQLLocation `json:"locations"`
	// Path leads to the field of the data that is null because of it. Nil if
	// it is about no field, and nothing was executed.
	Path GraphQLPath `json:"path"`
	// Extensions is what the service adds, such as a code. Numbers are float64.
	Extensions map[string]any `json:"extensions"`
}

// GraphQLLocation is a place in a document.
type GraphQLLocation struct {
	// Line and Column count from 1.
	Line   int `json:"line"`
	Column int `json:"column"`
}

// GraphQLPath leads to a field of the data: the names of fields (their aliases
// where they have one) and, in lists, indices from 0 in decimal digits.
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
	for _, element := range elements {
		switch element.Kind() {
		case '"':
			*p = append(*p, textOf(element))
		case '0':
			*p = append(*p, element.String())
		default:
			return fmt.Errorf("a JSON %s does not fit into a path", element.Kind())
		}
	}
	return nil
}

// GraphQLConnection is a list that comes in pages, as [GraphQLAll] walks it.
// The document selects nodes and pageInfo { hasNextPage endCursor } of it.
type GraphQLConnection[T any] struct {
	// Nodes are the items of the page, nil if the caller may not see one.
	Nodes []*T `json:"nodes"`
	// PageInfo is nil if it was not selected or the connection is null.
	PageInfo *GraphQLPageInfo `json:"pageInfo"`
}

// GraphQLPageInfo tells where a page stands in its list. Fields that the
// document does not select are zero.
type GraphQLPageInfo struct {
	HasNextPage     bool `json:"hasNextPage"`
	HasPreviousPage bool `json:"hasPreviousPage"`
	// StartCursor and EndCursor are those of the first and last item, empty on
	// an empty page.
	StartCursor string `json:"startCursor"`
	EndCursor   string `json:"endCursor"`
}

// maxGraphQLMessages bounds what an error string says of a response with many
// errors.
const maxGraphQLMessages = 10

// newGraphQLError makes the error of a response that e describes otherwise.
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
		e.Code = code
	}
	return &GraphQLError{Err: e, Errors: details}
}
