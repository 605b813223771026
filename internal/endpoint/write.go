package main

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A skeleton is what is known of an endpoint before a person writes the rest.
type skeleton struct {
	row
	place
	receiver string  // JobsService
	service  string  // Jobs, the field of the client
	name     string  // of the method; of a list, what follows List and All
	options  string  // the type of the options, or ""
	result   string  // the type of the result, or ""
	known    bool    // whether the type of the result exists
	queried  []field // the fields of the options of a query, with the names of the parameters
	fields   []field // of a result that does not, with the names of its members
	required []string
}

// names returns the names of the methods.
func (s *skeleton) names() []string {
	if s.kind() == "list" {
		return []string{"List" + s.name, "All" + s.name}
	}
	return []string{s.name}
}

// verbs are the words that come before the object in names of functions and types.
var verbs = []string{"List", "Get", "Create", "Update", "Delete", "Download", "Set", "Add"}

// withObject returns the name of a method with its object: CreatePipeline, RetryPipeline.
func withObject(service, method string) string {
	if method == "List" {
		return method + service
	}
	for _, verb := range verbs {
		if rest, ok := strings.CutPrefix(method, verb); ok {
			return verb + singular(service) + rest
		}
	}
	return method + singular(service)
}

// methods returns the methods of the endpoint.
func (s *skeleton) methods() string {
	var b strings.Builder
	for _, name := range s.names() {
		fmt.Fprintf(&b, "\n// %s %s: what it does and returns, for whom, and which errors mean what.\n//\n//\t%s\n",
			name, fillIn, s.line())
		parameters := wrapped("", "\tctx context.Context, "+s.parameters(), "opts ...RequestOption,", "\t")
		fmt.Fprintf(&b, "func (s *%s) %s(\n%s\n) %s {\n\treturn %s\n}\n", s.receiver, name, parameters, s.results(name),
			s.call(name))
	}
	return b.String()
}

func (s *skeleton) parameters() string {
	var b strings.Builder
	for i, arg := range s.args {
		if i+1 < len(s.args) && s.args[i+1].typ == arg.typ {
			b.WriteString(arg.name + ", ")
			continue
		}
		b.WriteString(arg.name + " " + arg.typ + ", ")
	}
	switch {
	case s.options == "":
	case len(s.body) > 0:
		b.WriteString("options " + s.options + ", ")
	default:
		b.WriteString("options *" + s.options + ", ")
	}
	return b.String()
}

func (s *skeleton) results(name string) string {
	switch s.kind() {
	case "exec":
		return "(*Response, error)"
	case "stream":
		return "(*Download, *Response, error)"
	case "list":
		if strings.HasPrefix(name, "All") {
			return "iter.Seq2[*" + s.result + ", error]"
		}
		return "([]*" + s.result + ", *Response, error)"
	}
	return "(*" + s.result + ", *Response, error)"
}

// call returns the statement over the engine.
func (s *skeleton) call(name string) string {
	input := "nil"
	switch {
	case s.options == "":
	case s.form:
		input = "formOf(options)"
	case len(s.body) > 0:
		input = "jsonOf(options)"
	default:
		input = "queryOf(options)"
	}
	method := "http.Method" + s.method[:1] + strings.ToLower(s.method[1:])
	switch s.kind() {
	case "list":
		function := "list"
		if strings.HasPrefix(name, "All") {
			function = "all"
		}
		return wrapped("\treturn ", fmt.Sprintf("%s[*%s](ctx, using(s), ", function, s.result),
			s.below+", "+input+", opts)", "\t\t")
	case "do":
		return fmt.Sprintf("do[%s](ctx, using(s), %s,\n\t\t%s, %s, opts)", s.result, method, s.below, input)
	}
	return fmt.Sprintf("%s(ctx, using(s), %s,\n\t\t%s, %s, opts)", s.kind(), method, s.below, input)
}

// optionsType returns the declaration of the options, or "".
func (s *skeleton) optionsType(l *library) string {
	if s.options == "" || s.options == "ListOptions" {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n// %s %s.\ntype %s struct {\n", s.options, fillIn, s.options)
	if s.kind() == "list" {
		b.WriteString("\tListOptions\n")
	}
	for _, p := range s.query {
		b.WriteString(s.field(l, p, "url"))
	}
	for _, p := range s.body {
		b.WriteString(s.field(l, p, "json"))
	}
	return b.String() + "}\n"
}

// field returns the declaration of a field of options. What is required is plain.
func (s *skeleton) field(l *library, p param, tag string) string {
	f := l.fieldOf(tag, s.options, p)
	name := p.name
	if tag == "url" {
		if p.list {
			name += "[]"
		}
		return fmt.Sprintf("\t// %s %s.\n\t%s %s `url:\"%s,omitempty\"%s`\n", f.name, fillIn, f.name, f.typ, name,
			f.more)
	}
	typ := strings.TrimPrefix(f.typ, "*")
	if slices.Contains(s.required, p.name) {
		typ = strings.TrimSuffix(strings.TrimPrefix(typ, "Nullable["), "]")
		return fmt.Sprintf("\t// %s is required. %s.\n\t%s %s `json:\"%s\" required:\"true\"`\n", f.name, fillIn,
			f.name, typ, name)
	}
	if !strings.HasPrefix(typ, "[]") && !strings.HasPrefix(typ, "map[") && !strings.HasPrefix(typ, "Nullable[") {
		typ = "*" + typ
	}
	return fmt.Sprintf("\t// %s %s.\n\t%s %s `json:\"%s,omitzero\"`\n", f.name, fillIn, f.name, typ, name)
}

// resultType returns the declaration of a result that does not exist yet, or "".
func (s *skeleton) resultType() string {
	if s.result == "" || s.known {
		return ""
	}
	members := "\t" + fillIn + "\n"
	if len(s.fields) > 0 {
		members = ""
	}
	for _, f := range s.fields {
		members += fmt.Sprintf("\t// %s %s.\n\t%s %s `json:%q`\n", f.name, fillIn, f.name, f.typ, f.more)
	}
	return fmt.Sprintf("\n// %s %s.\ntype %s struct {\n%s}\n", s.result, fillIn, s.result, members)
}

// samples are values of the types that have one, which are the same in Go and in JSON.
var samples = map[string]string{"bool": "true", "int": "8", "int64": "8", "float64": "0.5", "string": `"some"`}

// literal returns the fields of a literal with samples, or FILL_IN if a type has none.
func literal(fields []field) string {
	var set []string
	for _, f := range fields {
		if samples[f.typ] == "" {
			return fillIn
		}
		set = append(set, f.name+": "+samples[f.typ])
	}
	if len(set) == 0 {
		return fillIn
	}
	return strings.Join(set, ", ")
}

// fixture returns a response with samples, if it is known which members it has.
func (s *skeleton) fixture() string {
	var members []string
	for _, f := range s.fields {
		sample := cmp.Or(samples[strings.TrimPrefix(f.typ, "*")], fillIn)
		members = append(members, fmt.Sprintf("  %q: %s", f.more, sample))
	}
	if len(members) == 0 {
		return fillIn + "\n"
	}
	return "{\n" + strings.Join(members, ",\n") + "\n}\n"
}

// querySample returns the query that the samples of the options make.
func (s *skeleton) querySample() string {
	if literal(s.queried) == fillIn {
		return fillIn
	}
	values := url.Values{}
	for _, f := range s.queried {
		values.Set(f.more, strings.Trim(samples[f.typ], `"`))
	}
	return values.Encode()
}

// wrapped joins the beginning and the end of a line, which get a line each if it would be
// wider than 120 columns. Before is what else the line has.
func wrapped(before, begin, end, indent string) string {
	if width := len(strings.ReplaceAll(before+begin, "\t", "    ") + end); width > 120 {
		return strings.TrimRight(begin, " ") + "\n" + indent + end
	}
	return begin + end
}

// arguments returns the arguments of a call in a test. Package is the name of the library
// with a point, if the test is outside of it.
func (s *skeleton) arguments(pkg string) []string {
	args := []string{"t.Context()"}
	for _, arg := range s.args {
		sample := arg.sample
		if arg.typ != "string" && arg.typ != "int64" {
			sample = pkg + sample
		}
		args = append(args, sample)
	}
	switch {
	case s.options == "":
	case len(s.body) > 0:
		args = append(args, pkg+s.options+"{"+fillIn+"}")
	case len(s.query) == 0:
		args = append(args, "nil")
	default:
		args = append(args, "&"+pkg+s.options+"{"+literal(s.queried)+"}")
	}
	return args
}

// wireTest returns the test of what is sent and decoded, with a fixture.
func (s *skeleton) wireTest(fixture string) string {
	var b strings.Builder
	expected := fmt.Sprintf("\n\t\t\tMethod: %q, Path: %q", s.method, s.escaped)
	if len(s.query) > 0 {
		expected += fmt.Sprintf(",\n\t\t\tQuery: %q", s.querySample())
	}
	switch {
	case len(s.body) == 0:
	case s.form:
		expected += fmt.Sprintf(",\n\t\t\tForm: %q", fillIn)
	default:
		expected += ",\n\t\t\tJSON: `" + fillIn + "`"
	}
	if status := s.status(); status != "200" {
		expected += ",\n\t\t\tStatus: " + status
	}
	switch s.kind() {
	case "do":
		expected += fmt.Sprintf(",\n\t\t\tFixture: %q", fixture)
	case "list":
		expected += fmt.Sprintf(",\n\t\t\tBody: \"[\" + fixture(t, %q) + \"]\"", fixture)
	case "stream":
		expected += ",\n\t\t\tBody: \"content\""
	}
	fmt.Fprintf(&b, "\nfunc Test%s%s(t *testing.T) {\n\tclient := onWire(t,\n", s.service, s.names()[0])
	for i := range s.names() {
		line := expected
		if i == 1 && len(s.query) == 0 {
			line = strings.Replace(line, "Body:", `Query: "per_page=100", Body:`, 1)
		}
		fmt.Fprintf(&b, "\t\texchange{%s,\n\t\t},\n", line)
	}
	b.WriteString("\t)\n" + s.calls("client", "serviceapi.", literal(s.fields)) + "}\n")
	return b.String()
}

// status returns the status of a response that is as expected.
func (s *skeleton) status() string {
	words := strings.Fields(s.row.result)
	for _, word := range words {
		if len(word) == 3 && word[0] == '2' {
			return word
		}
	}
	switch s.method {
	case "POST":
		return "201"
	case "DELETE":
		return "204"
	}
	return "200"
}

// calls returns the calls of a test, and what it checks: want has the fields of an object.
func (s *skeleton) calls(client, pkg, want string) string {
	var b strings.Builder
	call := func(name string) string {
		args := s.arguments(pkg)
		last := len(args) - 1
		method := client + "." + s.service + "." + name
		if all := strings.Join(args, ", "); last == 0 || len(method)+len(all) < 80 {
			return method + "(" + all + ")"
		}
		return method + "(" + strings.Join(args[:last], ", ") + ",\n\t\t" + args[last] + ")"
	}
	switch s.kind() {
	case "exec":
		fmt.Fprintf(&b, "\t_, err := %s\n\trequire.NoError(t, err)\n", call(s.name))
	case "stream":
		fmt.Fprintf(&b, "\tgot, _, err := %s\n\trequire.NoError(t, err)\n", call(s.name))
		fmt.Fprintf(&b, "\tdefer got.Close()\n\tcontent, err := io.ReadAll(got)\n\trequire.NoError(t, err)\n"+
			"\tassert.Equal(t, %s, string(content))\n", fillIn)
	case "list":
		fmt.Fprintf(&b, "\twant := []*%s%s{{%s}}\n", pkg, s.result, fillIn)
		fmt.Fprintf(&b, "\tgot, _, err := %s\n\trequire.NoError(t, err)\n\tassert.Equal(t, want, got)\n",
			call("List"+s.name))
		fmt.Fprintf(&b, "\tgot, err = %sCollect(%s)\n\trequire.NoError(t, err)\n\tassert.Equal(t, want, got)\n", pkg,
			call("All"+s.name))
	default:
		fmt.Fprintf(&b, "\tgot, _, err := %s\n\trequire.NoError(t, err)\n", call(s.name))
		fmt.Fprintf(&b, "\tassert.Equal(t, &%s%s{%s}, got)\n", pkg, s.result, want)
	}
	return b.String()
}
