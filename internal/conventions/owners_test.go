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
)

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
	"WikiPageRef": reflect.TypeFor[serviceapi.WikiPageRef](), "AlertRef": reflect.TypeFor[serviceapi.AlertRef](),
	"PipelineRef":     reflect.TypeFor[serviceapi.PipelineRef](),
	"StorageMoveKind": reflect.TypeFor[serviceapi.StorageMoveKind](),
	"CommitRef":       reflect.TypeFor[serviceapi.CommitRef](), "NoteRef": reflect.TypeFor[serviceapi.NoteRef](),
}

var docLink = regexp.MustCompile(`\[\*?(\w+)\]`)

// TestOwnersAreLinked checks that the first sentence of the comment of an interface of
// owners links all its kinds, and no other: nobody can find them in another way, because
// its methods are not exported.
func TestOwnersAreLinked(t *testing.T) {
	comments := parsePackage(t).TypeComments()
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
	assert.NotEmpty(t, seen)
}
