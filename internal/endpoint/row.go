package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A row is an endpoint of testdata/endpoints.tsv.
type row struct {
	area, method, path string
	query, body        []param
	result             string
	form, keyset       bool
}

// line is how comments and routes name the endpoint.
func (r row) line() string { return r.method + " " + r.path }

// kind says which function of the engine makes the call.
func (r row) kind() string {
	switch {
	case r.result == "" || strings.HasPrefix(r.result, "none"):
		return "exec"
	case strings.HasPrefix(r.result, "stream"):
		return "stream"
	case r.method == "GET" && strings.HasSuffix(strings.Fields(r.result)[0], "[]"):
		return "list"
	}
	return "do"
}

// lastWord returns the last segment of the path that is not a parameter.
func (r row) lastWord() string {
	word := ""
	for segment := range strings.SplitSeq(r.path, "/") {
		if segment != "" && !strings.ContainsAny(segment[:1], ":*{") {
			word = segment
		}
	}
	return word
}

// members returns the members of a result such as "{count,names[]}".
func (r row) members() []param {
	inner, ok := strings.CutPrefix(r.result, "{")
	if !ok {
		return nil
	}
	inner = inner[:max(strings.LastIndex(inner, "}"), 0)]
	return new(row).params(inner)
}

// A param is a parameter of a query or a body.
type param struct {
	name string
	list bool
	// object is true if the table says which members it has: it needs a type of its own.
	object bool
}

// readRows returns the endpoints of the table, in its order.
func readRows(root string) ([]row, error) {
	data, err := os.ReadFile(filepath.Join(root, "testdata", "endpoints.tsv"))
	if err != nil {
		return nil, err
	}
	var rows []row
	for line := range strings.Lines(string(data)) {
		columns := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(columns) != 6 {
			continue
		}
		r := row{area: columns[0], method: columns[1], path: columns[2], result: columns[5]}
		r.query = r.params(columns[3])
		r.body = r.params(columns[4])
		rows = append(rows, r)
	}
	return rows, nil
}

// find returns the row of an endpoint and its place in the table.
func find(rows []row, line string) (int, error) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.line() == line })
	if i < 0 {
		return 0, fmt.Errorf("testdata/endpoints.tsv has no row for %q: add it first", line)
	}
	return i, nil
}

var (
	remark  = regexp.MustCompile(`\([^)]*\)`)
	members = regexp.MustCompile(`\{[^{}]*\}`)
)

// params reads a column such as "a b[] c{d,e} f(one or several)".
func (r *row) params(column string) (params []param) {
	column = remark.ReplaceAllString(column, "")
	for members.MatchString(column) { // the innermost first
		column = members.ReplaceAllString(column, "!")
	}
	for name := range strings.FieldsFuncSeq(column, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }) {
		switch name {
		case "form":
			r.form = true
		case "keyset":
			r.keyset = true
		case "multipart", "stream", "cursor":
		default:
			name, object := strings.CutSuffix(name, "!")
			name, list := strings.CutSuffix(name, "[]")
			name, _, _ = strings.Cut(name, "=")
			params = append(params, param{name, list, object})
		}
	}
	return params
}

// initialisms are the words that Go writes in capitals.
var initialisms = strings.Fields("api ci cpu css csv html http https id iid ip json lfs saml scim sha sql ssh tls " +
	"ui uri url uuid xml yaml")

// camel returns the exported Go name of a name such as pipeline_id.
func camel(name string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		switch one, isPlural := strings.CutSuffix(word, "s"); {
		case slices.Contains(initialisms, word):
			b.WriteString(strings.ToUpper(word))
		case isPlural && slices.Contains(initialisms, one):
			b.WriteString(strings.ToUpper(one) + "s")
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// lower returns the unexported name of an exported one: pipelineID, urlOf.
func lower(name string) string {
	end := 1
	for end < len(name) && name[end] >= 'A' && name[end] <= 'Z' && (end+1 == len(name) ||
		name[end+1] >= 'A' && name[end+1] <= 'Z') {
		end++
	}
	return strings.ToLower(name[:end]) + name[end:]
}

// singular returns one of several things.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies"):
		return strings.TrimSuffix(name, "ies") + "y"
	case strings.HasSuffix(name, "sses"), strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"):
		return strings.TrimSuffix(name, "es")
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss"):
		return strings.TrimSuffix(name, "s")
	}
	return name
}

// An argument is a parameter of the method that is a part of the path.
type argument struct {
	name, typ string
	// sample is what a test passes, and escaped the same in a path.
	sample, escaped string
}

// owners are the beginnings of paths that a reference stands for, the longest first.
var owners = []struct {
	path string
	arg  argument
}{
	{"/projects/:id/merge_requests/:merge_request_iid", argument{"mergeRequest", "MergeRequestRef",
		`ProjectPath("acme/app").MergeRequest(7)`, "/projects/acme%2Fapp/merge_requests/7"}},
	{"/projects/:id/issues/:issue_iid", argument{"issue", "IssueRef",
		`ProjectPath("acme/app").Issue(3)`, "/projects/acme%2Fapp/issues/3"}},
	{"/projects/:id/snippets/:snippet_id", argument{"snippet", "SnippetRef",
		`ProjectPath("acme/app").Snippet(3)`, "/projects/acme%2Fapp/snippets/3"}},
	{"/groups/:id/epics/:epic_iid", argument{"epic", "EpicRef", `GroupPath("acme").Epic(5)`, "/groups/acme/epics/5"}},
	{"/projects/:id", argument{"project", "ProjectRef", `ProjectPath("acme/app")`, "/projects/acme%2Fapp"}},
	{"/groups/:id", argument{"group", "GroupRef", `GroupPath("acme")`, "/groups/acme"}},
	{"/users/:user_id", argument{"user", "UserRef", "UserID(7)", "/users/7"}},
	{"/users/:id", argument{"user", "UserRef", "UserID(7)", "/users/7"}},
}

// A place is where a path leads: the owner, if there is one, and the arguments after it.
type place struct {
	args    []argument
	below   string // the expression that makes the Endpoint
	escaped string // the path that is sent, with the samples
}

// placeOf reads a path.
func (r row) placeOf() place {
	var p place
	rest, template := r.path, r.path
	function := "Route("
	for _, owner := range owners {
		if after, ok := strings.CutPrefix(r.path, owner.path); ok && (after == "" || after[0] == '/') {
			p.args, p.escaped, rest = append(p.args, owner.arg), owner.arg.escaped, after
			if strings.Count(owner.path, ":") == 2 {
				function, template = "below("+owner.arg.name+", ", after
			}
			break
		}
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(rest, "/"), "/") {
		name, isArg := strings.CutPrefix(segment, ":")
		if wild, ok := strings.CutPrefix(segment, "*"); ok {
			name, isArg = wild, true
		}
		switch {
		case segment == "":
		case !isArg:
			p.escaped += "/" + segment
		case name == "id":
			p.args = append(p.args, argument{lower(singular(camel(r.area))) + "ID", "int64", "8", ""})
			p.escaped += "/8"
		case strings.HasSuffix(name, "id"):
			p.args = append(p.args, argument{lower(camel(name)), "int64", "8", ""})
			p.escaped += "/8"
		default:
			p.args = append(p.args, argument{lower(camel(name)), "string", `"a b"`, ""})
			p.escaped += "/a%20b"
		}
	}
	p.below = function + fmt.Sprintf("%q", template)
	for _, arg := range p.args {
		if !strings.HasPrefix(function, "below("+arg.name+",") {
			p.below += ", " + arg.name
		}
	}
	p.below += ")"
	return p
}
