package serviceapi

import (
	"cmp"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/params"
	"example.com/serviceapi/internal/text"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-querystring/query"
)

// payload is what a call sends in addition to its path. Its inputs fill it in.
type payload struct {
	query string
	body  body
	// secrets are those in the body.
	secrets []string
	// queryType is the type that the query was made of, and pageToken continues a
	// list.
	queryType reflect.Type
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
	if err := checkOptions(in.options); err != nil {
		return err
	}
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
	values, err := p.types.queryValues(in.options)
	if err == nil {
		err = completeKeyset(p.types.rulesOf(reflect.TypeOf(in.options)), values)
	}
	p.query, p.queryType = values.Encode(), reflect.TypeOf(in.options)
	return err
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
	return values, asQueryError(err)
}

// queryValues is faster than the function if the type of the options is the library's.
func (f *typeFacts) queryValues(options any) (url.Values, error) {
	v := reflect.Indirect(reflect.ValueOf(options))
	if v.Kind() != reflect.Struct || isCallers(v.Type()) {
		return queryValues(options)
	}
	values, err := known(&f.params, v.Type(), params.Of).Values(v)
	return values, asQueryError(err)
}

func asQueryError(err error) error {
	if err != nil {
		return badArgument("options", "cannot be sent as a query: "+err.Error())
	}
	return nil
}

type jsonInput struct{ value any }

func (in jsonInput) encode(p *payload) error {
	if err := checkOptions(in.value); err != nil {
		return err
	}
	_, holdsValues := in.value.(valueHolder)
	data, secrets, err := encodeJSON(in.value, holdsValues || isCallers(reflect.TypeOf(in.value)))
	if err != nil {
		return badArgument("options", "cannot be sent as JSON: "+err.Error())
	}
	if len(p.fields) > 0 {
		if data, err = withMembers(data, p.fields); err != nil {
			return err
		}
	}
	p.secrets = secrets
	p.body = &textBody{data: data, mediaType: "application/json"}
	return nil
}

// valueHolder is a struct of options with a field for values of any type, such as the
// variables of a GraphQL request. These follow the rules of encoding/json, and so does
// the whole body.
type valueHolder interface{ holdsValues() }

type formInput struct{ value any }

func (in formInput) encode(p *payload) error {
	if err := checkOptions(in.value); err != nil {
		return err
	}
	values, err := queryValues(in.value)
	if err != nil {
		return err
	}
	if values, err = withFormFields(values, p.fields); err != nil {
		return err
	}
	p.secrets = secretsIn(nil, reflect.ValueOf(in.value), 0)
	p.body = &textBody{data: []byte(values.Encode()), mediaType: "application/x-www-form-urlencoded"}
	return nil
}

// nestedFormOf sends a value with json tags as a form-encoded body: a member of a
// nested object as name[key].
func nestedFormOf(value any) input { return nestedFormInput{value} }

type nestedFormInput struct{ value any }

func (in nestedFormInput) encode(p *payload) error {
	if err := checkOptions(in.value); err != nil {
		return err
	}
	values, err := nestedForm(in.value)
	if err != nil {
		return badArgument("options", "cannot be sent as a form: "+err.Error())
	}
	err = formOf(values).encode(p)
	p.secrets = secretsIn(nil, reflect.ValueOf(in.value), 0)
	return err
}

// refusedInput is the input of a call that cannot be made as the caller asked.
type refusedInput struct{ err error }

func (in refusedInput) encode(*payload) error { return in.err }

// unless is an input that is refused if an argument outside of it is wrong. What
// is wrong with options, their method check says.
func unless(err error, in input) input {
	if err != nil {
		return refusedInput{err}
	}
	return in
}

// checker is what a struct of options is if something in it can be wrong. Its
// method is called before the options are encoded, for options of a query also
// on nil. Checks are combined with cmp.Or, which returns the first error.
type checker interface{ check() error }

// checkOptions checks options of the library. A caller's type that embeds options
// has their method, too, but the pointer that it embeds may be nil.
func checkOptions(options any) error {
	if c, ok := options.(checker); ok && !isCallers(reflect.TypeOf(options)) {
		return c.check()
	}
	return nil
}

// missing refuses what the caller has forgotten, without which the call would be
// about something else, or about nothing.
func missing(name string, isMissing bool) error {
	if isMissing {
		return badArgument(name, "is missing")
	}
	return nil
}

// positive refuses an ID that cannot be one.
func positive(name string, id int64) error {
	_, err := numberSegment(name, id)
	return err
}

// noCommas refuses a value with a comma in a list that is sent as one string,
// separated by commas: it would become two.
func noCommas(name string, values []string) error {
	if hasComma(values) {
		return badArgument(name, "contains a value with a comma")
	}
	return nil
}

func hasComma(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, ",") })
}

// confirmed refuses a permanent deletion without the path that confirms it.
func confirmed(permanently bool, fullPath string) error {
	if permanently != (fullPath != "") {
		return badArgument("FullPath", "must be set together with PermanentlyRemove")
	}
	return nil
}

// queryAndBody is the input of a call that has both.
type queryAndBody struct{ query, body input }

func (in queryAndBody) encode(p *payload) error {
	if err := in.query.encode(p); err != nil {
		return err
	}
	return in.body.encode(p)
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
	options := reflect.Indirect(reflect.ValueOf(in.options))
	if !options.IsValid() {
		return in.input.encode(p)
	}
	kind := kindOfOwner(in.owner)
	for _, rule := range p.types.rulesOf(options.Type()) {
		if rule.only == "" || containsWord(rule.only, kind) {
			continue
		}
		if value, err := options.FieldByIndexErr(rule.index); err == nil && !value.IsZero() {
			return &ArgumentError{
				Argument: rule.field,
				Problem:  "has no effect for this owner: it applies only to " + ownerNames(rule.only),
			}
		}
	}
	return in.input.encode(p)
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

// jsonOrMultipart sends a struct as JSON, or with a file as
// multipart/form-data. Both have the names of the struct's json tags.
func jsonOrMultipart(fields any, fileField string, file *Upload) input {
	if file == nil {
		return jsonOf(fields)
	}
	return nestedMultipart{fields, fileField, *file}
}

// nestedMultipart is multipartOf for fields that a query could not express:
// objects, lists, null and secrets.
type nestedMultipart struct {
	fields    any
	fileField string
	file      Upload
}

func (in nestedMultipart) encode(p *payload) error {
	if err := checkOptions(in.fields); err != nil {
		return err
	}
	values, err := nestedForm(in.fields)
	if err != nil {
		return badArgument("options", "cannot be sent as a form: "+err.Error())
	}
	p.secrets = secretsIn(nil, reflect.ValueOf(in.fields), 0)
	return multipartOf(values, in.fileField, in.file).encode(p)
}

// nestedForm writes the members of a JSON object as form fields: those of a
// nested object as name[key], the items of a list as name[], and null as an
// empty string, which is what the service expects.
func nestedForm(value any) (url.Values, error) {
	data, _, err := encodeJSON(value, isCallers(reflect.TypeOf(value)))
	if err != nil {
		return nil, err
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, err
	}
	values := make(url.Values)
	for name, member := range members {
		addNested(values, name, member)
	}
	return values, nil
}

// addNested adds a value to a form. It is valid JSON, since it has been encoded
// or checked, so that no part of it can fail to be read.
func addNested(values url.Values, name string, v jsontext.Value) {
	switch v.Kind() {
	case '{':
		var members map[string]jsontext.Value
		_ = json.Unmarshal(v, &members)
		for key, member := range members {
			addNested(values, name+"["+key+"]", member)
		}
	case '[':
		var items []jsontext.Value
		_ = json.Unmarshal(v, &items)
		for _, item := range items {
			addNested(values, name+"[]", item)
		}
	case '"':
		values.Add(name, jsonx.Text(v))
	case 'n':
		values.Add(name, "")
	default:
		values.Add(name, string(v))
	}
}

// completeKeyset adds what keyset pagination requires to the query of a list. A
// field with the tag "keyset" accepts only the values that the tag lists, such
// as `keyset:"desc,asc"`, and the first of them is its default. Without these
// parameters, the service refuses the call, or ignores the request for keyset
// pagination.
func completeKeyset(rules []fieldRule, values url.Values) error {
	if values.Get("pagination") != string(PaginationKeyset) {
		return nil
	}
	if values.Has("page") {
		return badArgument("Page", "cannot be combined with keyset pagination, which has no page numbers")
	}
	for _, rule := range rules {
		if rule.keyset == "" {
			continue
		}
		switch first, _, _ := strings.Cut(rule.keyset, ","); {
		case !values.Has(rule.parameter):
			values.Set(rule.parameter, first)
		case !containsWord(rule.keyset, values.Get(rule.parameter)):
			return &ArgumentError{
				Argument: rule.field,
				Problem:  "must be " + strings.ReplaceAll(rule.keyset, ",", " or ") + " with keyset pagination",
			}
		}
	}
	return nil
}

// pager is an options struct that embeds ListOptions.
type pager interface {
	listOptions() ListOptions
}

func (o ListOptions) listOptions() ListOptions { return o }

func bodyFieldProblem(name, problem string) error {
	return badArgument("body field "+text.Printable(name, 60), problem)
}

func errFieldIsSet(name string) error { return bodyFieldProblem(name, "is already set") }

func (f bodyField) encode() (jsontext.Value, error) {
	data, _, err := encodeJSON(f.value, isCallers(reflect.TypeOf(f.value)))
	if err != nil {
		return nil, bodyFieldProblem(f.name, "cannot be sent as JSON: "+err.Error())
	}
	return data, nil
}

// withMembers adds members to a JSON object. The values of the object, which may be
// files of a commit, are not read for that.
func withMembers(object []byte, fields []bodyField) ([]byte, error) {
	set := make(map[string]bool)
	if !jsonx.Names(object, func(name string) { set[name] = true }) {
		return nil, bodyFieldProblem(fields[0].name, "cannot be added: the body is not an object")
	}
	more := []byte{'{'}
	for _, f := range fields {
		if set[f.name] {
			return nil, errFieldIsSet(f.name)
		}
		set[f.name] = true
		value, err := f.encode()
		if err != nil {
			return nil, err
		}
		if len(more) > 1 {
			more = append(more, ',')
		}
		more, _ = jsontext.AppendQuote(more, f.name) // WithBodyField has checked it
		more = append(append(more, ':'), value...)
	}
	return jsonx.Join(object, append(more, '}')), nil
}

// withFormFields adds fields to a form that also has files.
func withFormFields(values url.Values, fields []bodyField, files ...string) (url.Values, error) {
	if len(fields) == 0 {
		return values, nil
	}
	all := maps.Clone(values)
	if all == nil {
		all = make(url.Values)
	}
	for _, f := range fields {
		value, err := f.encode()
		if err != nil {
			return nil, err
		}
		added := make(url.Values)
		addNested(added, f.name, value)
		for name := range added {
			if slices.ContainsFunc(files, overlaps(name)) || containsKey(all, overlaps(name)) {
				return nil, errFieldIsSet(f.name)
			}
		}
		maps.Copy(all, added)
	}
	return all, nil
}

func containsKey(values url.Values, is func(string) bool) bool {
	for name := range values {
		if is(name) {
			return true
		}
	}
	return false
}

// overlaps returns a function that reports whether a field of a form is the one
// of this name, or one is part of the other, as a[b] is of a.
func overlaps(name string) func(string) bool {
	return func(other string) bool {
		return name == other || strings.HasPrefix(name, other+"[") || strings.HasPrefix(other, name+"[")
	}
}

// errNoBody is the error of a field of a call without a body.
func errNoBody(field string) error {
	return bodyFieldProblem(field, "cannot be added: the call has no body")
}
