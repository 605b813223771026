package conventions

import (
	"go/ast"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// servedOtherwise are parameters that no options struct has, and why.
var servedOtherwise = map[string]string{
	"encoding":      "chosen for the content of a file: encodeContent",
	"cursor":        "comes with the link to the next page: ListOptions.PageToken",
	"page_token":    "comes with the link to the next page: ListOptions.PageToken",
	"draft":         "goes as wip, which all releases support: ListMergeRequestsOptions.Draft",
	"job_token":     "a credential, which goes as a header: WithCredential(JobToken(…))",
	"sudo":          "goes as a header: WithSudo",
	"service":       "a constant of the registry's token flow",
	"scope":         "a constant of the registry's token flow, and of each search",
	"grant_type":    "a constant of golang.org/x/oauth2",
	"refresh_token": "sent by golang.org/x/oauth2",
}

// byName says why the calls below, which are deprecated since 12.4, have no method.
const byName = "names the label in the body: the call with the label in the path does the same"

// byPath says why the calls below, which are deprecated, have no method.
const byPath = "names the link in the path: the call with the link in the query does the same"

// withoutMethod are the endpoints that the client does not call, and why. The embedded service
// has them for other clients.
var withoutMethod = map[string]string{
	"PUT /projects/:id/labels":         byName,
	"DELETE /projects/:id/labels":      byName,
	"PUT /groups/:id/labels":           byName,
	"DELETE /groups/:id/labels":        byName,
	"PUT /projects/:id/labels/promote": byName,

	"DELETE /groups/:id/ldap_group_links/:cn":           byPath,
	"DELETE /groups/:id/ldap_group_links/:provider/:cn": byPath,
}

// endpointRow is a row of testdata/endpoints.tsv.
type endpointRow struct {
	area, line  string
	query, body []string
}

func endpointRows(t *testing.T) []endpointRow {
	t.Helper()
	data, err := os.ReadFile("testdata/endpoints.tsv")
	require.NoError(t, err)
	var rows []endpointRow
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimRight(line, "\n"), "\t")
		require.Len(t, columns, 6, line)
		rows = append(rows, endpointRow{
			area:  columns[0],
			line:  columns[1] + " " + columns[2],
			query: params(columns[3]),
			body:  params(columns[4]),
		})
	}
	require.NotEmpty(t, rows)
	return rows
}

var (
	remark  = regexp.MustCompile(`\([^)]*\)`)
	members = regexp.MustCompile(`\{([^{}]*)\}`)
)

// params reads a column of parameters such as "a b[] c{d,e} f(one or several)".
func params(column string) []string {
	column = remark.ReplaceAllString(column, "")
	for members.MatchString(column) { // the innermost first
		column = members.ReplaceAllString(column, " $1")
	}
	column = strings.TrimPrefix(column, "as merge request list")
	if strings.HasPrefix(column, "RFC 7644") || strings.HasPrefix(column, "any setting of") ||
		strings.HasPrefix(column, "settings of the kind") {
		return nil // no names: the standard or another table has them
	}
	var names []string
	for name := range strings.FieldsFuncSeq(column, func(r rune) bool { return r == ' ' || r == ',' }) {
		name = strings.ReplaceAll(name, "[]", "")
		switch name {
		case "form", "multipart", "stream":
		case "keyset":
			if slices.Contains(names, "cursor") {
				continue // the only pagination
			}
			names = append(names, "pagination")
			if !slices.Contains(names, "page_token") { // which stands for an order of its own
				names = append(names, "order_by", "sort")
			}
		default:
			if key, value, ok := strings.Cut(name, "="); ok && key != "" && value != "" {
				name = key
			}
			names = append(names, name)
		}
	}
	return names
}

// TestEndpointsEndDocComments checks that every endpoint has its own line in
// the rendered documentation, which joins the lines of a paragraph.
func TestEndpointsEndDocComments(t *testing.T) {
	inText := regexp.MustCompile(`(?m)^(GET|HEAD|POST|PUT|PATCH|DELETE) (/|\{)\S*$`)
	for _, f := range parsePackage(t).Funcs {
		assert.Empty(t, inText.FindString(f.Doc.Text()), "%s: indent the endpoint", f.Name.Name)
		if lines := inventory.EndpointLines(f); len(lines) > 0 {
			end := "\n\n\t" + strings.Join(lines, "\n\t") + "\n"
			assert.True(t, strings.HasSuffix(f.Doc.Text(), end), "%s: endpoints come last", f.Name.Name)
		}
	}
}

func TestEveryEndpointIsServed(t *testing.T) {
	served := map[string]bool{}
	for _, f := range parsePackage(t).Funcs {
		for _, line := range inventory.EndpointLines(f) {
			served[line] = true
		}
	}
	known := map[string]bool{}
	for _, row := range endpointRows(t) {
		known[row.line] = true
		assert.Equal(t, withoutMethod[row.line] == "", served[row.line],
			"%s: a method has the doc line %q, unless withoutMethod has it", row.area, row.line)
	}
	for line := range served {
		assert.True(t, known[line], "%q stands in a doc comment, but is no endpoint", line)
	}
	for line := range withoutMethod {
		assert.True(t, known[line], "withoutMethod has %q, which is no endpoint", line)
	}
}

// TestMethodsAreSeen checks that the tests which make every call make every call of the source.
func TestMethodsAreSeen(t *testing.T) {
	var written, seen []string
	for _, f := range parsePackage(t).Funcs {
		if f.Recv != nil && ast.IsExported(f.Name.Name) && strings.HasSuffix(inventory.Receiver(f), "Service") {
			written = append(written, funcName(f))
		}
	}
	for service, method := range inventory.Methods(clientType) {
		seen = append(seen, service.Type.Elem().Name()+"."+method.Name)
	}
	assert.ElementsMatch(t, written, seen)
}

func TestEveryParameterIsServed(t *testing.T) {
	s := parsePackage(t)
	permissions := map[string]bool{}
	for _, name := range documentedValues(t)["MemberPermission"] {
		permissions[name] = true
	}
	tags := map[string]map[string]bool{}
	for _, f := range s.Funcs {
		for _, line := range inventory.EndpointLines(f) {
			if tags[line] == nil {
				tags[line] = map[string]bool{}
			}
			for _, param := range f.Type.Params.List {
				collectTags(s, param.Type, tags[line], 0)
			}
			// The method builds a body or a query itself.
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok && lit.Type != nil {
					collectTags(s, lit.Type, tags[line], 0)
				}
				return true
			})
		}
	}
	for _, row := range endpointRows(t) {
		if withoutMethod[row.line] != "" {
			continue
		}
		for _, name := range slices.Concat(row.query, row.body) {
			if row.area == "member_roles" && permissions[name] {
				continue // a key of the options' map
			}
			if servedOtherwise[name] == "" || tags[row.line][name] {
				assert.True(t, tags[row.line][name], "%s: no option has the parameter %q; they have %v",
					row.line, name, slices.Sorted(maps.Keys(tags[row.line])))
			}
		}
	}
}

// collectTags collects the parameter names of a type, including nested ones:
// "not" with a member "labels" also gives "not[labels]".
func collectTags(s *inventory.Source, expr ast.Expr, into map[string]bool, depth int) {
	if depth > 4 {
		return
	}
	switch e := expr.(type) {
	case *ast.StarExpr:
		collectTags(s, e.X, into, depth)
	case *ast.ArrayType:
		collectTags(s, e.Elt, into, depth)
	case *ast.Ellipsis:
	case *ast.Ident:
		if st := s.Structs[e.Name]; st != nil {
			collectFields(s, st, into, depth)
		}
	}
}

func collectFields(s *inventory.Source, st *ast.StructType, into map[string]bool, depth int) {
	for _, field := range st.Fields.List {
		inner := map[string]bool{}
		collectTags(s, field.Type, inner, depth+1)
		maps.Copy(into, inner)
		for _, key := range []string{"url", "json"} {
			name := strings.TrimSuffix(inventory.TagName(field, key), "[]")
			if name == "" || name == "-" {
				continue
			}
			into[name] = true
			if before, after, ok := strings.Cut(name, "["); ok {
				into[before], into[strings.TrimSuffix(after, "]")] = true, true
			}
			for member := range inner {
				into[name+"["+member+"]"] = true
			}
			if _, isMap := field.Type.(*ast.MapType); isMap || s.Maps[inventory.TypeText(field.Type)] {
				into[name+"[key]"] = true
			}
		}
	}
}

// TestListsComeInPairs checks that for each method that returns a page, there
// is one that walks all pages, with the same parameters.
func TestListsComeInPairs(t *testing.T) {
	type method struct{ receiver, name string }
	params := map[method]string{}
	for _, f := range parsePackage(t).Funcs {
		if f.Recv != nil && ast.IsExported(f.Name.Name) && len(inventory.EndpointLines(f)) > 0 {
			params[method{inventory.Receiver(f), f.Name.Name}] = paramText(f)
		}
	}
	for m, text := range params {
		for prefix, other := range map[string]string{"List": "All", "All": "List"} {
			rest, ok := strings.CutPrefix(m.name, prefix)
			if !ok || (rest != "" && !ast.IsExported(rest)) || strings.HasPrefix(m.name, "Allowed") {
				continue
			}
			pair, exists := params[method{m.receiver, other + rest}]
			if assert.True(t, exists, "%s.%s has no %s", m.receiver, m.name, other+rest) {
				assert.Equal(t, text, pair, "%s.%s and %s", m.receiver, m.name, other+rest)
			}
		}
	}
}

func paramText(f *ast.FuncDecl) string {
	var b strings.Builder
	for _, p := range f.Type.Params.List {
		for _, name := range p.Names {
			b.WriteString(name.Name + " " + inventory.TypeText(p.Type) + ", ")
		}
	}
	return b.String()
}

// TestEndpointMethodShape checks the parameters of methods: the context comes
// first, and request options last. Options for a query are a pointer, and
// options for a body are a value.
func TestEndpointMethodShape(t *testing.T) {
	s := parsePackage(t)
	for _, f := range s.Funcs {
		if f.Recv == nil || !ast.IsExported(f.Name.Name) || len(inventory.EndpointLines(f)) == 0 ||
			!strings.HasSuffix(inventory.Receiver(f), "Service") {
			continue
		}
		name := inventory.Receiver(f) + "." + f.Name.Name
		list := f.Type.Params.List
		assert.Equal(t, "context.Context", inventory.TypeText(list[0].Type), "%s: the first parameter", name)
		assert.Equal(t, "...RequestOption", inventory.TypeText(list[len(list)-1].Type), "%s: the last parameter", name)
		for _, p := range list {
			text := inventory.TypeText(p.Type)
			if !strings.HasSuffix(text, "Options") {
				continue
			}
			st := s.Structs[strings.TrimPrefix(text, "*")]
			if assert.NotNil(t, st, "%s: %s", name, text) {
				assert.Equal(t, !hasTag(st, "json"), strings.HasPrefix(text, "*"),
					"%s: %s: queries are pointers, bodies are values", name, text)
			}
		}
	}
}

func hasTag(st *ast.StructType, key string) bool {
	return slices.ContainsFunc(st.Fields.List, func(f *ast.Field) bool { return inventory.Tag(f, key) != "" })
}

func TestTags(t *testing.T) {
	for name, st := range parsePackage(t).Structs {
		for _, field := range st.Fields.List {
			assert.NotContains(t, inventory.Tag(field, "json"), "omitempty",
				"%s: use omitzero, which keeps empty texts", name)
		}
	}
}

func TestExportedIdentifiersAreDocumented(t *testing.T) {
	s := parsePackage(t)
	for name, file := range s.Files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if ast.IsExported(d.Name.Name) && (d.Recv == nil || ast.IsExported(inventory.Receiver(d))) {
					assert.NotEmpty(t, d.Doc.Text(), "%s: %s has no doc comment", name, d.Name.Name)
				}
			case *ast.GenDecl:
				checkDocumented(t, name, d)
			}
		}
	}
}

func checkDocumented(t *testing.T, file string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch sp := spec.(type) {
		case *ast.TypeSpec:
			if ast.IsExported(sp.Name.Name) {
				assert.NotEmpty(t, d.Doc.Text()+sp.Doc.Text(), "%s: %s has no doc comment", file, sp.Name.Name)
			}
		case *ast.ValueSpec:
			if ast.IsExported(sp.Names[0].Name) {
				assert.NotEmpty(t, d.Doc.Text()+sp.Doc.Text()+sp.Comment.Text(), "%s: %s has no doc comment", file,
					sp.Names[0].Name)
			}
		}
	}
}
