package conventions

import (
	"go/ast"
	"go/token"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExportedTypesAreOurs checks that exported types do not contain types of
// dependencies, whose changes would affect users of the library. The exception
// are token sources of oauth2, which callers already have.
func TestExportedTypesAreOurs(t *testing.T) {
	for name, file := range parsePackage(t).Files {
		foreign := map[string]string{}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			host, _, _ := strings.Cut(path, "/")
			if !strings.Contains(host, ".") || path == "golang.org/x/oauth2" {
				continue
			}
			local := path[strings.LastIndexByte(path, '/')+1:]
			if spec.Name != nil {
				local = spec.Name.Name
			}
			foreign[local] = path
		}
		if !ast.FileExports(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if body, ok := n.(*ast.BlockStmt); ok && body != nil {
				return false
			}
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := selector.X.(*ast.Ident); ok {
					assert.Empty(t, foreign[pkg.Name], "%s: %s.%s is exported", name, pkg.Name, selector.Sel.Name)
				}
			}
			return true
		})
	}
}

// TestConstantsBeginWithTheirType checks that the name of a constant is that of
// its type and then the value, so that a reader who knows one knows both.
func TestConstantsBeginWithTheirType(t *testing.T) {
	for _, file := range parsePackage(t).Files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				value := spec.(*ast.ValueSpec)
				if value.Type == nil || !value.Names[0].IsExported() {
					continue
				}
				assert.Regexp(t, "^"+inventory.TypeText(value.Type)+"[A-Z0-9]", value.Names[0].Name)
			}
		}
	}
}

// ownStrings are functions that take two strings in a row, and why.
var ownStrings = map[string]string{
	"SessionCookieNamed": "a name and its value, in the usual order",
	"WithHeader":         "a name and its value, in the usual order",
	"WithQuery":          "a name and its values, in the usual order",
}

// ownArguments are methods that send an argument, and why.
var ownArguments = map[string]string{
	"AccessTokensService.GetPermissions":      "its document is the library's",
	"BulkImportsService.Wait":                 "asks for all entities",
	"GroupActivityService.CountIssues":        "sends only the path of the group",
	"GroupActivityService.CountMergeRequests": "sends only the path of the group",
	"GroupActivityService.CountNewMembers":    "sends only the path of the group",
	"TargetBranchRulesService.Delete":         "its document is the library's",
	"TerraformStatesService.Get":              "its document is the library's",
	"WorkItemsService.Delete":                 "its document is the library's",
	"DiscussionsService.Reopen":               "sends a constant",
	"DiscussionsService.Resolve":              "sends a constant",
	"GraphQLService.Query":                    "takes the whole request",
	"MembersService.Add":                      "a level that is forgotten would be no access",
	"MembersService.AddSeveral":               "a level that is forgotten would be no access",
	"MembersService.Update":                   "a level that is forgotten would be no access",
	"MergeRequestsService.WaitForRebase":      "asks for what it waits for",
	"MergeRequestsService.WaitUntilMergeable": "asks for nothing but the state",
	"MergeRequestsService.WaitUntilPrepared":  "asks for nothing but the state",
	"RunnersService.Pause":                    "sends a constant",
	"RunnersService.Resume":                   "sends a constant",
	"UsersService.Find":                       "takes what it finds by",
}

// violations are what breaks a rule, by the name of the type or method.
type violations map[string][]string

func (v violations) add(broken bool, name, problem string) {
	if broken {
		v[name] = append(v[name], problem)
	}
}

// check reports what breaks a rule.
func (v violations) check(t *testing.T, rule string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		assert.Fail(t, rule+" "+name+": "+strings.Join(v[name], ", "))
	}
}

// TestStringsAreNotAdjacent checks that no function or method takes two plain
// strings in a row, which compile when they are swapped. The second one belongs
// into the options, or has a type of its own.
func TestStringsAreNotAdjacent(t *testing.T) {
	found := violations{}
	defer found.check(t, "strings")
	for _, f := range parsePackage(t).Funcs {
		if !ast.IsExported(f.Name.Name) || f.Recv != nil && !ast.IsExported(inventory.Receiver(f)) ||
			ownStrings[funcName(f)] != "" {
			continue
		}
		last := ""
		for _, p := range f.Type.Params.List {
			for range max(1, len(p.Names)) {
				text := strings.TrimPrefix(inventory.TypeText(p.Type), "...")
				found.add(last == "string" && text == "string", funcName(f), "takes two strings in a row")
				last = text
			}
		}
	}
}

// TestParametersAreOptions checks that whatever a call sends in its query or
// body is in one struct of options, so that a later parameter has a place, and
// that every list has options.
func TestParametersAreOptions(t *testing.T) {
	found := violations{}
	defer found.check(t, "options")
	rows := map[string]endpointRow{}
	for _, row := range endpointRows(t) {
		rows[row.line] = row
	}
	for _, f := range parsePackage(t).Funcs {
		if f.Recv == nil || !ast.IsExported(f.Name.Name) || !strings.HasSuffix(inventory.Receiver(f), "Service") ||
			ownArguments[funcName(f)] != "" {
			continue
		}
		options, sent := 0, false
		for _, p := range f.Type.Params.List {
			if strings.HasSuffix(inventory.TypeText(p.Type), "Options") {
				options += max(1, len(p.Names))
			}
		}
		for _, line := range inventory.EndpointLines(f) {
			for _, name := range slices.Concat(rows[line].query, rows[line].body) {
				sent = sent || servedOtherwise[name] == ""
			}
		}
		found.add(options > 1, funcName(f), "takes options twice")
		found.add(options == 0 && isListMethod(f), funcName(f), "is a list without options")
		found.add(options == 0 && sent, funcName(f), "has parameters, but no options")
		for _, name := range positional(f) {
			found.add(true, funcName(f), "sends its argument "+name+", which belongs into the options")
		}
	}
}

// isListMethod reports whether a method returns a page or all pages of a list.
func isListMethod(f *ast.FuncDecl) bool {
	if len(inventory.EndpointLines(f)) == 0 || !strings.HasPrefix(f.Name.Name, "List") &&
		!strings.HasPrefix(f.Name.Name, "All") {
		return false
	}
	first := f.Type.Results.List[0].Type
	if array, ok := first.(*ast.ArrayType); ok {
		return inventory.TypeText(array.Elt) != "byte" && len(f.Type.Results.List) == 3
	}
	index, ok := first.(*ast.IndexListExpr)
	return ok && inventory.TypeText(index.X) == "iter.Seq2"
}

// positional are the arguments of a method that become part of a struct that it
// sends.
func positional(f *ast.FuncDecl) (names []string) {
	given := map[string]bool{}
	for _, p := range f.Type.Params.List {
		for _, name := range p.Names {
			given[name.Name] = !strings.HasSuffix(inventory.TypeText(p.Type), "Options")
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || !regexp.MustCompile(`(Body|Query|Options)$`).MatchString(inventory.TypeText(orIdent(literal.Type))) {
			return true
		}
		ast.Inspect(literal, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && given[id.Name] {
				names = append(names, id.Name)
			}
			return true
		})
		return false
	})
	return names
}

// orIdent returns an expression, or an empty name if there is none.
func orIdent(expr ast.Expr) ast.Expr {
	if expr == nil {
		return ast.NewIdent("")
	}
	return expr
}

// funcName returns "Type.Method", or the name of a function.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return inventory.Receiver(f) + "." + f.Name.Name
}

// TestUsersAreReferences checks that an argument that is a user is a [UserRef] or an
// owner, and that fields have what the API has: an ID.
func TestUsersAreReferences(t *testing.T) {
	found := violations{}
	defer found.check(t, "users")
	s := parsePackage(t)
	for _, f := range s.Funcs {
		if f.Recv == nil || !ast.IsExported(f.Name.Name) || !strings.HasSuffix(inventory.Receiver(f), "Service") {
			continue
		}
		for _, p := range f.Type.Params.List {
			for _, name := range p.Names {
				isNumber := strings.HasSuffix(inventory.TypeText(p.Type), "int64")
				found.add(isNumber && strings.HasPrefix(name.Name, "user"), funcName(f), name.Name+" is no UserRef")
			}
		}
	}
	for name, st := range s.Structs {
		for _, field := range st.Fields.List {
			found.add(ast.IsExported(name) && strings.HasSuffix(inventory.TypeText(field.Type), "UserRef"), name,
				"has a field that is a UserRef")
		}
	}
}

// TestObjectsAreHeldByPointer checks that the results of calls hold objects,
// and lists of objects, by pointer, and nothing else that can be nil by itself.
func TestObjectsAreHeldByPointer(t *testing.T) {
	found := violations{}
	defer found.check(t, "pointers")
	for _, typ := range objectTypes() {
		for i := range typ.NumField() {
			field := typ.Field(i)
			if !field.IsExported() || field.Anonymous {
				continue
			}
			inner := field.Type
			for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map {
				inner = inner.Elem()
			}
			found.add(isObject(inner), typ.Name(), field.Name+" is no pointer")
			if inner.Kind() == reflect.Pointer {
				kind := inner.Elem().Kind()
				found.add(kind == reflect.Slice || kind == reflect.Map, typ.Name(), field.Name+
					" is a pointer to what can be nil")
			}
		}
	}
	eachMethod(func(service reflect.StructField, method reflect.Method) {
		for i := range method.Type.NumOut() {
			out := method.Type.Out(i)
			if out.Kind() == reflect.Slice || out.Kind() == reflect.Map {
				out = out.Elem()
			}
			found.add(isObject(out), service.Type.Elem().Name()+"."+method.Name, "returns "+out.Name()+" by value")
		}
	})
}

// isObject reports whether a struct is an object in JSON, and not a scalar such
// as a [Date].
func isObject(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.PkgPath() != clientType.PkgPath() {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("json") != "" {
			return true
		}
	}
	return false
}

// objectTypes are the structs that calls return and those within them.
func objectTypes() []reflect.Type {
	found := map[reflect.Type]bool{}
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			add(t.Elem())
		case reflect.Struct:
			if found[t] || t.PkgPath() != clientType.PkgPath() {
				return
			}
			found[t] = true
			for i := range t.NumField() {
				add(t.Field(i).Type)
			}
		}
	}
	for _, t := range resultTypes() {
		add(t)
	}
	return slices.SortedFunc(maps.Keys(found),
		func(a, b reflect.Type) int { return strings.Compare(a.Name(), b.Name()) })
}
