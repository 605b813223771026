package serviceapi

import (
	"cmp"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/form"
	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/params"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-querystring/query"
)

// payload is what a call sends in addition to its path. Its inputs fill it in.
type payload struct {
	query string
	// mediaType is the media type of the body, "" without one. The body is data, or
	// is streamed from files.
	mediaType string
	data      []byte
	files     *uploadBody
	// secrets are the secrets in the body.
	secrets []string
	// queryType is the type that the query was made of, and pageToken continues a
	// list.
	queryType reflect.Type
	pageToken string

	// fields are members that are added to those of the input, and progress is
	// called while the body is sent.
	fields   []bodyField
	progress func(Progress)
	types    *typeFacts
}

// bodyLength is the number of bytes in the body, -1 if unknown.
func (p *payload) bodyLength() int64 {
	if p.files != nil {
		return p.files.length()
	}
	return int64(len(p.data))
}

// canResend reports whether the body can be sent once more.
func (p *payload) canResend() bool { return p.files == nil || p.files.rewindable() }

// input is a part of what a call sends: a query, a body or both.
type input interface {
	encode(*payload) error
}

// queryOf sends the fields of an options struct as the query. A nil pointer
// sends nothing.
func queryOf(options any) input { return queryInput{options} }

// jsonOf sends a value as a JSON body.
func jsonOf(value any) input { return jsonInput{value} }

// formOf sends a value with json tags as a form-encoded body: a member of a nested
// object as name[key], the items of a list as name[], and null as an empty string.
func formOf(value any) input { return formInput{value} }

type queryInput struct{ options any }

func (in queryInput) encode(p *payload) error {
	if err := p.types.checkOptions(in.options); err != nil {
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

// pageOptions returns the page that options ask for. It is the first page if a
// caller's struct embeds a nil pointer, on which the method cannot be called.
func pageOptions(p pager) (page ListOptions) {
	defer func() { _ = recover() }()
	return p.listOptions()
}

// queryValues encodes options. A type of the library is examined only once.
func (f *typeFacts) queryValues(options any) (values url.Values, err error) {
	if values, ok := options.(url.Values); ok || options == nil {
		return values, nil
	}
	if v := reflect.Indirect(reflect.ValueOf(options)); v.Kind() == reflect.Struct && !isCallers(v.Type()) {
		values, err = known(&f.params, v.Type(), params.Of).Values(v)
	} else {
		values, err = query.Values(options)
	}
	if err != nil {
		return nil, badArgument("options", "cannot be sent as a query: "+err.Error())
	}
	return values, nil
}

type jsonInput struct{ value any }

func (in jsonInput) encode(p *payload) error {
	if err := p.types.checkOptions(in.value); err != nil {
		return err
	}
	value, callers := in.value, isCallers(reflect.TypeOf(in.value))
	if options, ok := value.(bodied); ok && !callers && !isNilValue(reflect.ValueOf(value)) {
		value = options.body()
	}
	_, holdsValues := in.value.(valueHolder)
	data, secrets, err := encodeJSON(value, callers || holdsValues)
	if err != nil {
		return badArgument("options", "cannot be sent as JSON: "+err.Error())
	}
	if len(p.fields) > 0 {
		if data, err = withMembers(data, p.fields); err != nil {
			return err
		}
	}
	p.secrets = secrets
	p.data, p.mediaType = data, "application/json"
	return nil
}

// bodied are options that are sent in another form than their fields have. Their method
// MarshalJSON, which other encoders use, would make a second encoder read what a first one
// wrote.
type bodied interface{ body() any }

// valueHolder is a struct of options with a field for values of any type, such as the
// variables of a GraphQL request. These follow the rules of encoding/json, and so does
// the whole body.
type valueHolder interface{ holdsValues() }

type formInput struct{ value any }

func (in formInput) encode(p *payload) error {
	values, err := p.formFields("options", in.value)
	if err != nil {
		return err
	}
	p.data, p.mediaType = []byte(values.Encode()), "application/x-www-form-urlencoded"
	return nil
}

// formFields returns the fields of a form: those of options, which errors call name,
// and those of WithBodyField. The files of the form have the names in files.
func (p *payload) formFields(name string, options any, files ...string) (url.Values, error) {
	values := make(url.Values)
	if options != nil {
		if err := p.types.checkOptions(options); err != nil {
			return nil, err
		}
		data, secrets, err := encodeJSON(options, isCallers(reflect.TypeOf(options)))
		if err == nil {
			values, err = form.Of(data)
		}
		if err != nil {
			return nil, badArgument(name, "cannot be sent as a form: "+err.Error())
		}
		p.secrets = secrets
	}
	for _, f := range p.fields {
		value, err := f.encode()
		if err != nil {
			return nil, err
		}
		added := make(url.Values)
		form.Add(added, f.name, value)
		for name := range added {
			if form.Overlaps(name, maps.Keys(values)) || form.Overlaps(name, slices.Values(files)) {
				return nil, errFieldIsSet(f.name)
			}
		}
		maps.Copy(values, added)
	}
	return values, nil
}

// refusedInput is the input of a call with a bad argument.
type refusedInput struct{ err error }

func (in refusedInput) encode(*payload) error { return in.err }

// unless returns an input that is refused with err, the problem of an argument outside
// of the options. Options report their own problems with the method check.
func unless(err error, in input) input {
	if err != nil {
		return refusedInput{err}
	}
	return in
}

// checker is a struct of options that can be invalid in another way than by an empty field
// with the tag "required", which checkOptions finds. Its method is called before the
// options are encoded, for options of a query even if they are nil. Checks are combined
// with cmp.Or, which returns the first error.
type checker interface{ check() error }

// checkOptions checks options of the library: first that no required field is empty, then
// what their own method checks. It skips a caller's type that embeds options: it has their
// method, too, but the pointer that it embeds may be nil.
func (f *typeFacts) checkOptions(options any) error {
	v := reflect.ValueOf(options)
	c, hasCheck := options.(checker)
	if !v.IsValid() || !hasCheck && len(f.rulesOf(v.Type())) == 0 || isCallers(v.Type()) {
		return nil
	}
	isNil := v.Kind() == reflect.Pointer && v.IsNil()
	if isNil {
		v = reflect.Zero(v.Type().Elem())
	}
	if err := f.checkRequired(v); err != nil {
		return err
	}
	if !hasCheck {
		return nil
	}
	if zero, ofValue := v.Interface().(checker); isNil && ofValue {
		c = zero // its method cannot be called on a nil pointer
	}
	return c.check()
}

// fieldRule is what the tags of a field of an options struct say about its values.
type fieldRule struct {
	field string
	index []int
	// parameter is the name that the field is sent under.
	parameter string
	// only lists the kinds of owners that accept the field, and keyset the values that
	// work with keyset pagination; "" if all do.
	only, keyset string
	// required reports whether the field must not be empty, and nested whether its value
	// has fields that must not be.
	required, nested bool
}

// rulesOf returns the rules of the fields of an options struct, or of the one that a
// pointer points to.
func (f *typeFacts) rulesOf(t reflect.Type) []fieldRule {
	if t == nil {
		return nil
	}
	return known(&f.rules, t, findRules)
}

// findRules returns the rules of the fields that have any.
func findRules(t reflect.Type) (rules []fieldRule) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, field := range reflect.VisibleFields(t) {
		rule := fieldRule{
			field: field.Name, index: field.Index, only: field.Tag.Get("only"), keyset: field.Tag.Get("keyset"),
			required: isRequired(field),
			// The fields of an embedded struct are visible themselves.
			nested: !field.Anonymous && contains(field.Type, hasRequired, map[reflect.Type]bool{}),
		}
		rule.parameter, _, _ = strings.Cut(field.Tag.Get("url"), ",")
		if rule.only != "" || rule.keyset != "" || rule.required || rule.nested {
			rules = append(rules, rule)
		}
	}
	return rules
}

func isRequired(field reflect.StructField) bool { return field.Tag.Get("required") == "true" }

// hasRequired reports whether a struct has a required field itself.
func hasRequired(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && slices.ContainsFunc(reflect.VisibleFields(t), isRequired)
}

// checkRequired refuses a value in which a required field is empty. The error names the
// field by its way from the value: Actions[1].FilePath.
func (f *typeFacts) checkRequired(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return f.checkRequired(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := f.checkRequired(v.Index(i)); err != nil {
				return insideOf("["+strconv.Itoa(i)+"]", err)
			}
		}
	case reflect.Struct:
		for _, rule := range f.rulesOf(v.Type()) {
			if err := f.checkField(v, rule); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkField checks one field of an options struct.
func (f *typeFacts) checkField(options reflect.Value, rule fieldRule) error {
	if !rule.required && !rule.nested {
		return nil
	}
	value, err := options.FieldByIndexErr(rule.index)
	if err != nil {
		return nil // in an embedded pointer that is nil, so that it is not sent
	}
	if rule.required {
		if err := notEmpty(rule.field, value); err != nil {
			return err
		}
	}
	if rule.nested {
		return insideOf(rule.field, f.checkRequired(value))
	}
	return nil
}

// insideOf adds the field or the place in a list that an argument is in to its name.
func insideOf(outer string, err error) error {
	refused, ok := err.(*ArgumentError)
	if !ok {
		return err
	}
	if !strings.HasPrefix(refused.Argument, "[") {
		outer += "."
	}
	return badArgument(outer+refused.Argument, refused.Problem)
}

// notEmpty refuses a required field that was left empty. A number is one that starts at 1,
// such as an ID. Content in bytes may be empty if it is not nil.
func notEmpty(field string, v reflect.Value) error {
	switch t := v.Type(); {
	case t.PkgPath() == "" && v.CanInt():
		return positive(field, v.Int())
	case v.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return missing(field, v.Len() == 0)
	}
	return missing(field, v.IsZero())
}

// missing refuses an argument that was left out, without which the call would affect
// something else, or nothing.
func missing(name string, isMissing bool) error {
	if isMissing {
		return badArgument(name, "is missing")
	}
	return nil
}

// exclusive refuses two fields that exclude each other.
func exclusive(first, second string, areSet bool) error {
	if areSet {
		return badArgument(first, "cannot be combined with "+second)
	}
	return nil
}

// positive refuses an ID that is not positive.
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

// queryAndBody is the input of a call that has a query and a body.
type queryAndBody struct{ query, body input }

func (in queryAndBody) encode(p *payload) error {
	if err := in.query.encode(p); err != nil {
		return err
	}
	return in.body.encode(p)
}

// queryFor is queryOf for a list with several owners. A field that only some owners
// accept lists them in the tag "only", such as `only:"instance,group"`: for the
// others, the service would silently ignore it.
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
			return badArgument(rule.field, "has no effect for this owner: it applies only to "+ownerNames(rule.only))
		}
	}
	return in.input.encode(p)
}

// containsWord reports whether a list, separated by commas, contains a word.
func containsWord(list, word string) bool { return strings.Contains(","+list+",", ","+word+",") }

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
			words := strings.ReplaceAll(rule.keyset, ",", " or ")
			return badArgument(rule.field, "must be "+words+" with keyset pagination")
		}
	}
	return nil
}

// pager is an options struct that embeds ListOptions.
type pager interface {
	listOptions() ListOptions
}

func (o ListOptions) listOptions() ListOptions { return o }

func errFieldIsSet(name string) error { return bodyFieldProblem(name, "is already set") }

func (f bodyField) encode() (jsontext.Value, error) {
	data, _, err := encodeJSON(f.value, isCallers(reflect.TypeOf(f.value)))
	if err != nil {
		return nil, bodyFieldProblem(f.name, "cannot be sent as JSON: "+err.Error())
	}
	return data, nil
}

// withMembers adds members to a JSON object. It does not read the values of the
// object, which may be the files of a commit.
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

// errNoBody is the error for a field that is added to a call without a body.
func errNoBody(field string) error {
	return bodyFieldProblem(field, "cannot be added: the call has no body")
}
