package serviceapi

import (
	"cmp"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-querystring/query"
)

// payload is what a call sends in addition to its path. Its inputs fill it in.
type payload struct {
	query string
	body  body
	// sent is what the body was made of, which may hold secrets.
	sent any
	// pageToken continues a list.
	pageToken string

	// fields are members that the body gets in addition to those of its input, and
	// progress is called while it is sent.
	fields   []bodyField
	progress func(Progress)
	types    *typeFacts
}

// input is a part of what a call sends: a query, a body or both.
type input interface {
	encode(*payload) error
}

// queryOf sends the fields of an options struct as the query. A nil pointer
// sends nothing.
func queryOf(options any) input { return queryInput{options} }

// jsonOf sends a value as a JSON body.
func jsonOf(value any) input { return jsonInput{value} }

// formOf sends the fields of a struct as a form-encoded body.
func formOf(value any) input { return formInput{value} }

type queryInput struct{ options any }

func (in queryInput) encode(p *payload) error {
	if v := reflect.ValueOf(in.options); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	if list, ok := in.options.(pager); ok {
		page := pageOptions(list)
		if page.Page < 0 {
			return negative("Page")
		}
		if page.PerPage < 0 {
			return negative("PerPage")
		}
		p.pageToken = cmp.Or(page.PageToken, p.pageToken)
	}
	values, err := queryValues(in.options)
	if err == nil {
		err = completeKeyset(in.options, values)
	}
	p.query = values.Encode()
	return err
}

// negative refuses a field that counts something.
func negative(field string) error {
	return &ArgumentError{Argument: field, Problem: "must not be negative"}
}

// pageOptions returns the page that options ask for: the first if a caller's
// struct embeds a pointer that is nil, where the method cannot be called.
func pageOptions(p pager) (page ListOptions) {
	defer func() { _ = recover() }()
	return p.listOptions()
}

func queryValues(options any) (url.Values, error) {
	if values, ok := options.(url.Values); ok || options == nil {
		return values, nil
	}
	values, err := query.Values(options)
	if err != nil {
		return nil, &ArgumentError{Argument: "options", Problem: "cannot be sent as a query: " + err.Error()}
	}
	return values, nil
}

type jsonInput struct{ value any }

func (in jsonInput) encode(p *payload) error {
	known := p.types.of(reflect.TypeOf(in.value))
	data, revealed, err := encodeJSON(in.value, known.callers)
	if err != nil {
		return &ArgumentError{Argument: "options", Problem: "cannot be sent as JSON: " + err.Error()}
	}
	if data, err = withMembers(data, p.fields); err != nil {
		return err
	}
	if revealed || known.reveals {
		p.sent = in.value
	}
	p.body = &textBody{data: data, mediaType: "application/json"}
	return nil
}

type formInput struct{ value any }

func (in formInput) encode(p *payload) error {
	values, err := queryValues(in.value)
	if err != nil {
		return err
	}
	if values, err = withFormFields(values, p.fields); err != nil {
		return err
	}
	p.sent = in.value
	p.body = &textBody{data: []byte(values.Encode()), mediaType: "application/x-www-form-urlencoded"}
	return nil
}

// refusedInput is the input of a call that cannot be made as the caller asked.
type refusedInput struct{ err error }

func (in refusedInput) encode(*payload) error { return in.err }

// unless is an input that is refused if a check of the options found an error.
func unless(err error, in input) input {
	if err != nil {
		return refusedInput{err}
	}
	return in
}

// required is an input that is refused if the caller has forgotten what the call
// is about.
func required(name string, missing bool, in input) input {
	if missing {
		return refusedInput{&ArgumentError{Argument: name, Problem: "is missing"}}
	}
	return in
}

// forID is an input with an ID that is refused unless it is positive, like an ID
// in a path.
func forID(name string, id int64, in input) input {
	if _, err := numberSegment(name, id); err != nil {
		return refusedInput{err}
	}
	return in
}

// withoutCommas is an input with a list that is sent as one string, separated by
// commas. A value with a comma would become two.
func withoutCommas(name string, values []string, in input) input {
	if hasComma(values) {
		return refusedInput{&ArgumentError{Argument: name, Problem: "contains a value with a comma"}}
	}
	return in
}

func hasComma(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, ",") })
}

// queryAndBody is the input of a call that has both.
type queryAndBody struct{ query, body input }

func (in queryAndBody) encode(p *payload) error {
	if err := in.query.encode(p); err != nil {
		return err
	}
	return in.body.encode(p)
}

// deletion is the query of a call that deletes a project or a group.
type deletion struct {
	PermanentlyRemove bool   `url:"permanently_remove,omitempty"`
	FullPath          string `url:"full_path,omitempty"`
}

func deletionOf(d deletion) input {
	if d.PermanentlyRemove != (d.FullPath != "") {
		return refusedInput{&ArgumentError{Argument: "FullPath", Problem: "must be set together with PermanentlyRemove"}}
	}
	return queryOf(d)
}

// withIDs is an input with references in it where the service accepts only IDs.
func withIDs[R anyReference](in input, refs ...R) input {
	for _, ref := range refs {
		if err := onlyID(ref).check(); err != nil {
			return refusedInput{err}
		}
	}
	return in
}

// queryFor is queryOf for a list with several owners. A field that only some
// owners take lists them in the tag "only", such as `only:"instance,group"`:
// for the others, the service would silently ignore it.
func queryFor(owner, options any) input { return ownedInput{owner, options, queryOf(options)} }

// jsonFor is jsonOf for a call with several owners, with the same tag.
func jsonFor(owner, options any) input { return ownedInput{owner, options, jsonOf(options)} }

type ownedInput struct {
	owner, options any
	input
}

func (in ownedInput) encode(p *payload) error {
	if err := checkOwned(kindOfOwner(in.owner), reflect.ValueOf(in.options)); err != nil {
		return err
	}
	return in.input.encode(p)
}

// checkOwned refuses a field that this kind of owner does not take.
func checkOwned(kind string, options reflect.Value) error {
	if options.Kind() == reflect.Pointer {
		options = options.Elem()
	}
	if options.Kind() != reflect.Struct {
		return nil
	}
	for _, field := range reflect.VisibleFields(options.Type()) {
		only, ok := field.Tag.Lookup("only")
		if !ok || containsWord(only, kind) {
			continue
		}
		if value, err := options.FieldByIndexErr(field.Index); err == nil && !value.IsZero() {
			return &ArgumentError{Argument: field.Name, Problem: "has no effect for this owner: it applies only to " + ownerNames(only)}
		}
	}
	return nil
}

func containsWord(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// ownerNames writes the kinds in the tag "only" in a readable form.
func ownerNames(only string) string {
	names := strings.Split(only, ",")
	for i, name := range names {
		switch name {
		case "instance":
			names[i] = "Instance"
		case "own":
			names[i] = "Own"
		case "issue", "epic":
			names[i] = "an " + name
		default:
			names[i] = "a " + strings.ReplaceAll(name, "_", " ")
		}
	}
	return strings.Join(names, " or ")
}
