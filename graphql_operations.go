package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/errbody"
)

// GlobalID identifies an object in the GraphQL API, such as "gid://app/WorkItem/7": a word of
// the instance, the kind of the object, and its number, which is its ID in the REST API. The
// word is the same in all IDs of an instance, and different elsewhere: take IDs from results.
type GlobalID string

// Kind returns the kind of the object, such as "WorkItem", or "" if the ID is malformed.
func (id GlobalID) Kind() string {
	_, kind, _ := id.parts()
	return kind
}

// Number returns the number of the object, or 0 if the ID is malformed.
func (id GlobalID) Number() int64 {
	_, _, number := id.parts()
	return number
}

func (id GlobalID) parts() (word, kind string, number int64) {
	rest, isID := strings.CutPrefix(string(id), "gid://")
	parts := strings.Split(rest, "/")
	if !isID || len(parts) != 3 || parts[0] == "" || parts[1] == "" {
		return "", "", 0
	}
	number, ok := positiveNumber(parts[2])
	if !ok {
		return "", "", 0
	}
	return parts[0], parts[1], number
}

// sibling returns the ID of another object of the instance.
func (id GlobalID) sibling(kind string, number int64) GlobalID {
	word, _, _ := id.parts()
	return GlobalID("gid://" + word + "/" + kind + "/" + strconv.FormatInt(number, 10))
}

// check refuses an ID that has not the form of one.
func (id GlobalID) check(name string) error {
	if id.Kind() == "" {
		return badArgument(name, `is no global ID, such as "gid://app/WorkItem/7": take it from a result`)
	}
	return nil
}

// GraphQLListOptions selects a page of a list that the GraphQL API serves.
type GraphQLListOptions struct {
	// First is the number of items on a page, at most 100. 0 means 50: with more, the service
	// may refuse a large selection as too complex.
	First int `url:"-"`
	// After continues the list after a page: it is the [Response.NextPageToken] of that page.
	After string `url:"-"`
}

const (
	defaultFirst = 50
	maxFirst     = 100
)

// graphQLArgument is an argument of a field that a document of the library selects.
type graphQLArgument struct {
	name, typ string
	value     any
}

// graphQLField is a field of a namespace or a project, which its path identifies. It has at least
// one argument.
type graphQLField struct {
	root, path string
	name       string
	arguments  []graphQLArgument
	selection  string
	// err is why the field cannot be asked for.
	err error
}

// refuse notes the first problem with an argument of the call.
func (f *graphQLField) refuse(err error) { f.err = cmp.Or(f.err, err) }

// unasked returns the error of an operation that is not sent, which names the call.
func unasked(ctx context.Context, c *Client, err error, opts []RequestOption) error {
	endpoint := graphQLEndpoint()
	endpoint.err = err
	_, err = newCall(ctx, c, http.MethodPost, endpoint, nil, opts)
	return err
}

// request returns the request for the field, in which each argument is a variable.
func (f graphQLField) request() GraphQLRequest {
	variables := map[string]any{"fullPath": f.path}
	declared, passed := []string{"$fullPath: ID!"}, []string(nil)
	for _, a := range f.arguments {
		variables[a.name] = a.value
		declared = append(declared, "$"+a.name+": "+a.typ)
		passed = append(passed, a.name+": $"+a.name)
	}
	field := f.name + "(" + strings.Join(passed, ", ") + ")"
	return GraphQLRequest{
		Query: "query (" + strings.Join(declared, ", ") + ") { " + f.root + "(fullPath: $fullPath) { " + field +
			" { " + f.selection + " } } }",
		Variables: variables,
	}
}

// getBelow returns the object of a field, and a [*GraphQLError] if it is null.
func getBelow[T any](ctx context.Context, c *Client, f graphQLField, opts []RequestOption) (*T, *Response, error) {
	if f.err != nil {
		return nil, nil, unasked(ctx, c, f.err, opts)
	}
	var data map[string]map[string]*T
	resp, err := runGraphQL(ctx, c, f.request(), &data, func(o *outcome) error {
		if data[f.root][f.name] == nil {
			return notInData(o, f, data[f.root] == nil)
		}
		return nil
	}, opts)
	return data[f.root][f.name], resp, err
}

// notInData returns the error for an object, or the owner of a list, that is null.
func notInData(o *outcome, f graphQLField, isRoot bool) error {
	path := GraphQLPath{f.root}
	if !isRoot {
		path = append(path, f.name)
	}
	return refusedGraphQL(o, ErrNotFound, path, "it does not exist, or is not visible to the caller")
}

// refusedGraphQL returns the error of a response whose data says that the call failed.
func refusedGraphQL(o *outcome, means error, path GraphQLPath, messages ...string) error {
	details := make([]GraphQLErrorDetail, len(messages))
	for i, message := range messages {
		details[i] = GraphQLErrorDetail{Message: o.redaction().Hide(message), Path: path}
	}
	err := newGraphQLError(o.responseError(nil, errbody.Body{}, ""), details)
	err.means = means
	return err
}

// graphQLList is a list of a namespace or a project. N is an item as the service sends it.
type graphQLList[N, T any] struct {
	graphQLField
	options GraphQLListOptions
	convert func(*N) *T
}

// listOf is the list of a field whose items are sent as they are.
func listOf[T any](f graphQLField, options *GraphQLListOptions) graphQLList[T, T] {
	return graphQLList[T, T]{f, *orZero(options), func(item *T) *T { return item }}
}

// field returns the field of the page after a cursor.
func (l graphQLList[N, T]) field(after string) graphQLField {
	f, first := l.graphQLField, cmp.Or(l.options.First, defaultFirst)
	switch {
	case first < 0:
		f.refuse(negative("First"))
	case first > maxFirst:
		f.refuse(badArgument("First", "is more than 100, the largest page"))
	}
	f.arguments = append(f.arguments[:len(f.arguments):len(f.arguments)], graphQLArgument{"first", "Int", first})
	if after != "" {
		f.arguments = append(f.arguments, graphQLArgument{"after", "String", after})
	}
	f.selection = "nodes { " + f.selection + " } pageInfo { hasNextPage endCursor }"
	return f
}

// page returns the items after a cursor, and sets the token of the next page.
func (l graphQLList[N, T]) page(
	ctx context.Context, c *Client, after string, opts []RequestOption,
) (items []*T, resp *Response, err error) {
	f := l.field(after)
	if f.err != nil {
		return nil, nil, unasked(ctx, c, f.err, opts)
	}
	var data map[string]map[string]*GraphQLConnection[N]
	next := ""
	resp, err = runGraphQL(ctx, c, f.request(), &data, func(o *outcome) error {
		list := data[f.root][f.name]
		if list == nil {
			return notInData(o, f, data[f.root] == nil)
		}
		var problem string
		if next, problem = list.next(); problem != "" {
			return o.paginationError(problem)
		}
		return nil
	}, opts)
	if list := data[f.root][f.name]; list != nil {
		items = make([]*T, 0, len(list.Nodes))
		for _, node := range list.Nodes {
			if node != nil {
				items = append(items, l.convert(node))
			}
		}
	}
	if resp != nil {
		resp.NextPageToken = next
	}
	return items, resp, err
}

// list returns the page that the options ask for.
func (l graphQLList[N, T]) list(ctx context.Context, c *Client, opts []RequestOption) ([]*T, *Response, error) {
	return l.page(ctx, c, l.options.After, opts)
}

// all walks the pages from the one that the options ask for.
func (l graphQLList[N, T]) all(ctx context.Context, c *Client, opts []RequestOption) iter.Seq2[*T, error] {
	endpoint := graphQLEndpoint()
	endpoint.err = l.field("").err
	cl, err := newCall(ctx, c, http.MethodPost, endpoint, nil, opts)
	if err != nil {
		return failed[*T](err)
	}
	return func(yield func(*T, error) bool) {
		walkPages(newGuard(cl), l.options.After, func(after string) (pageOf[*T], error) {
			items, resp, err := l.page(ctx, c, after, opts)
			page := pageOf[*T]{items: items, resp: resp}
			if resp != nil {
				page.next = resp.NextPageToken
			}
			return page, err
		}, yield)
	}
}

// checkFields checks the fields of options that become variables.
func checkFields(c *Client, options any) error {
	if !c.made() {
		return nil // the call says so
	}
	return c.config.types.checkOptions(options)
}

// graphQLMutation is a mutation with one object as its input. Its selection is that of the
// changed object, empty if there is none.
type graphQLMutation struct {
	name, inputType string
	input           any
	result          string
	selection       string
	// err is why the mutation cannot be sent.
	err error
}

// mutate executes a mutation. It returns the changed object, and a [*GraphQLError] for the
// problems that the service has with the input.
func mutate[T any](ctx context.Context, c *Client, m graphQLMutation, opts []RequestOption) (*T, *Response, error) {
	if m.err != nil {
		return nil, nil, unasked(ctx, c, m.err, opts)
	}
	selection := "errors"
	if m.result != "" {
		selection = m.result + " { " + m.selection + " } errors"
	}
	request := GraphQLRequest{
		Query: "mutation ($input: " + m.inputType + "!) { " + m.name + "(input: $input) { " + selection + " } }",

		Variables: map[string]any{"input": m.input},
	}
	var data map[string]*mutated[T]
	resp, err := runGraphQL(ctx, c, request, &data, func(o *outcome) error {
		switch payload := data[m.name]; {
		case payload == nil:
			return o.decodeError(errNull)
		case len(payload.Errors) > 0:
			return refusedGraphQL(o, ErrUnprocessable, GraphQLPath{m.name}, payload.Errors...)
		case m.result != "" && payload.object() == nil:
			return o.decodeError(errNull)
		}
		return nil
	}, opts)
	return data[m.name].object(), resp, err
}

// mutated is the payload of a mutation. The changed object has a name of its own in each.
type mutated[T any] struct {
	Errors           []string `json:"errors"`
	WorkItem         *T       `json:"workItem"`
	TargetBranchRule *T       `json:"targetBranchRule"`
}

func (p *mutated[T]) object() *T {
	if p == nil {
		return nil
	}
	if p.WorkItem != nil {
		return p.WorkItem
	}
	return p.TargetBranchRule
}

// fieldOf is a field of a project, of a group, or of a namespace, which stands for both. The
// GraphQL API accepts no ID for its owner.
func fieldOf(root string, owner anyReference, name, selection string) graphQLField {
	_, err := referenceSegment(root+"_path", root, owner.self())
	return graphQLField{root: root, path: owner.self().name, name: name, selection: selection, err: err}
}
