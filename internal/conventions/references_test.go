package conventions

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"example.com/serviceapi"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
)

// identified are the objects that a reference can identify, in each level of
// detail.
var identified = regexp.MustCompile(`^(Project|Group|User|Namespace|Issue|MergeRequest|Epic|Label)(Summary|Details)?$`)

// TestResultsHaveReferences checks that each of these has a Ref method of its own,
// which works for nil.
func TestResultsHaveReferences(t *testing.T) {
	s := parsePackage(t)
	has := map[string]bool{}
	for _, f := range s.Funcs {
		if f.Recv != nil && f.Name.Name == "Ref" {
			has[strings.TrimPrefix(inventory.Receiver(f), "*")] = true
		}
	}
	found := 0
	for name := range s.Structs {
		if identified.MatchString(name) {
			found++
			assert.True(t, has[name], "%s has no method Ref: add one to references.go", name)
		}
	}
	assert.Greater(t, found, 8)
}

// TestProjectOrGroupIsAnOwner checks that code for both kinds of owners can call
// every method that takes both.
func TestProjectOrGroupIsAnOwner(t *testing.T) {
	both := reflect.TypeFor[serviceapi.ProjectOrGroup]()
	project, group := reflect.TypeFor[serviceapi.ProjectRef](), reflect.TypeFor[serviceapi.GroupRef]()
	seen := map[reflect.Type]bool{}
	eachMethod(func(service reflect.StructField, method reflect.Method) {
		for in := range method.Type.Ins() {
			if in.Kind() == reflect.Interface && in.NumMethod() > 0 && in.PkgPath() == both.PkgPath() &&
				project.Implements(in) && group.Implements(in) {
				seen[in] = true
				assert.True(t, both.Implements(in), "%s.%s takes a project and a group: add %s to ProjectOrGroup",
					service.Name, method.Name, in.Name())
			}
		}
	})
	assert.Greater(t, len(seen), 7)
	assert.True(t, project.Implements(both) && group.Implements(both))
	for _, other := range []reflect.Type{reflect.TypeFor[serviceapi.UserRef](),
		reflect.TypeFor[serviceapi.InstanceOwner](), reflect.TypeFor[serviceapi.CallerOwner]()} {
		assert.False(t, other.Implements(both), "%s", other)
	}
	var owner serviceapi.ProjectOrGroup = serviceapi.GroupPath("acme")
	assert.Equal(t, "acme", owner.String())
}
