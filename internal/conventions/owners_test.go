package conventions

import (
	"go/ast"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kindsOfOwners are the names of owners in the tag "only".
var kindsOfOwners = []string{
	"project", "group", "user", "instance", "own", "issue", "merge_request", "snippet", "epic", "commit",
}

// A method whose options have a field that only some owners take checks it.
func TestOptionsForSomeOwnersAreChecked(t *testing.T) {
	s := parsePackage(t)
	marked := map[string]bool{}
	for name, st := range s.Structs {
		doc := ""
		for _, field := range st.Fields.List {
			// A comment may also be for the following fields.
			if field.Doc != nil {
				doc = field.Doc.Text()
			}
			only := tag(field, "only")
			if only == "" {
				continue
			}
			marked[name] = true
			for kind := range strings.SplitSeq(only, ",") {
				assert.Contains(t, kindsOfOwners, kind, "%s: a kind of owner", name)
			}
			assert.Regexp(t, `Instance|Own|\w+Ref`, doc, "%s: the comment of a field says which owners take it", name)
		}
	}
	require.NotEmpty(t, marked)
	checked := 0
	for _, f := range s.Funcs {
		if f.Recv == nil || len(inventory.EndpointLines(f)) == 0 {
			continue
		}
		for _, p := range f.Type.Params.List {
			name := strings.TrimPrefix(typeText(p.Type), "*")
			if !marked[name] {
				continue
			}
			checked++
			assert.True(t, calls(f, "queryFor", "jsonFor"), "%s.%s: %s has fields for some owners only",
				inventory.Receiver(f), f.Name.Name, name)
		}
	}
	assert.Greater(t, checked, 5)
}

func calls(f *ast.FuncDecl, names ...string) bool {
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if name, ok := call.Fun.(*ast.Ident); ok {
				found = found || slices.Contains(names, name.Name)
			}
		}
		return !found
	})
	return found
}

var namesAnOwner = regexp.MustCompile(`For(Project|Group|User|Instance)$`)

// Check that the owner is an argument, not a part of the name.
func TestOwnersAreArguments(t *testing.T) {
	for _, f := range parsePackage(t).Funcs {
		if f.Recv != nil && ast.IsExported(f.Name.Name) {
			assert.NotRegexp(t, namesAnOwner, f.Name.Name, "%s", inventory.Receiver(f))
		}
	}
}

// owners are the types of owners, with what a comment links for each.
var owners = map[string]reflect.Type{
	"Instance": reflect.TypeFor[serviceapi.InstanceOwner](), "Own": reflect.TypeFor[serviceapi.CallerOwner](),
	"ProjectRef": reflect.TypeFor[serviceapi.ProjectRef](), "GroupRef": reflect.TypeFor[serviceapi.GroupRef](),
	"UserRef": reflect.TypeFor[serviceapi.UserRef](), "NamespaceRef": reflect.TypeFor[serviceapi.NamespaceRef](),
	"IssueRef":        reflect.TypeFor[serviceapi.IssueRef](),
	"MergeRequestRef": reflect.TypeFor[serviceapi.MergeRequestRef](),
	"SnippetRef":      reflect.TypeFor[serviceapi.SnippetRef](), "EpicRef": reflect.TypeFor[serviceapi.EpicRef](),
	"CommitRef": reflect.TypeFor[serviceapi.CommitRef](), "NoteRef": reflect.TypeFor[serviceapi.NoteRef](),
}

var docLink = regexp.MustCompile(`\[\*?(\w+)\]`)

// TestOwnersAreLinked checks that the first sentence of the comment of an interface of
// owners links all its kinds, and no other: nobody can find them in another way, because
// its methods are not exported.
func TestOwnersAreLinked(t *testing.T) {
	comments := typeComments(parsePackage(t))
	seen := map[reflect.Type]bool{}
	eachMethod(func(_ reflect.StructField, method reflect.Method) {
		for in := range method.Type.Ins() {
			if in.Kind() != reflect.Interface || in.PkgPath() != clientType.PkgPath() || seen[in] {
				continue
			}
			seen[in] = true
			var kinds, linked []string
			for name, typ := range owners {
				if typ.Implements(in) {
					kinds = append(kinds, name)
				}
			}
			sentence, _, _ := strings.Cut(strings.Join(strings.Fields(comments[in.Name()]), " ")+" ", ". ")
			for _, match := range docLink.FindAllStringSubmatch(sentence, -1) {
				linked = append(linked, match[1])
			}
			slices.Sort(kinds)
			slices.Sort(linked)
			assert.Equal(t, kinds, linked, "%s: %s", in.Name(), sentence)
		}
	})
	assert.Greater(t, len(seen), 10)
}
