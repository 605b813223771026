package conventions

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
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
	for name := range s.Structs {
		if identified.MatchString(name) {
			assert.True(t, has[name], "%s has no method Ref: add one to references.go", name)
		}
	}
}

// references are the types of what the service addresses by a number in a project or group.
var references = map[string]reflect.Type{
	":merge_request_iid": reflect.TypeFor[serviceapi.MergeRequestRef](),
	":issue_iid":         reflect.TypeFor[serviceapi.IssueRef](),
	":epic_iid":          reflect.TypeFor[serviceapi.EpicRef](),
}

// TestNumbersAreReferences checks that a method whose path has the number of a merge request, an
// issue or an epic takes its reference, or an owner that the reference can be.
func TestNumbersAreReferences(t *testing.T) {
	lines := map[string][]string{}
	for _, f := range parsePackage(t).Funcs {
		if f.Recv != nil {
			lines[strings.TrimPrefix(inventory.Receiver(f), "*")+"."+f.Name.Name] = inventory.EndpointLines(f)
		}
	}
	seen := map[string]bool{}
	eachMethod(func(service reflect.StructField, method reflect.Method) {
		for _, line := range lines[method.Type.In(0).Elem().Name()+"."+method.Name] {
			for number, ref := range references {
				if !strings.Contains(line, number) {
					continue
				}
				seen[number] = true
				owner := method.Type.In(2) // after the receiver and the context
				fits := owner == ref || owner.Kind() == reflect.Interface &&
					(ref.Implements(owner) || reflect.TypeFor[serviceapi.NoteRef]().Implements(owner))
				assert.True(t, fits, "%s.%s: %s takes a %s, not a %s", service.Name, method.Name, line, owner, ref)
			}
		}
	})
	assert.Len(t, seen, len(references))
}

// addressedByID are results with a number in their project or group that no call takes, and
// attestations, whose number only one call takes.
var addressedByID = regexp.MustCompile(
	`^((Pipeline|PackagePipeline|Milestone|ReleaseMilestone)(Summary|Details)?|Iteration|Attestation)$`)

// TestResultsWithNumbersHaveReferences checks that a result that has a number and says where
// identifies itself: programs would otherwise put the reference together, from the wrong ID.
func TestResultsWithNumbersHaveReferences(t *testing.T) {
	s := parsePackage(t)
	has := map[string]bool{}
	for _, f := range s.Funcs {
		if f.Recv != nil && f.Name.Name == "Ref" {
			has[strings.TrimPrefix(inventory.Receiver(f), "*")] = true
		}
	}
	numbered := map[string]bool{}
	for name, st := range s.Structs {
		members := map[string]bool{}
		for _, field := range st.Fields.List {
			members[inventory.TagName(field, "json")] = true
		}
		if members["iid"] && (members["project_id"] || members["group_id"]) {
			numbered[name] = true
			assert.NotEqual(t, addressedByID.MatchString(name), has[name],
				"%s has a number and an owner: give it a method Ref, or name it as addressed by ID", name)
		}
	}
	assert.Subset(t, slices.Collect(maps.Keys(numbered)), []string{"Issue", "MergeRequest", "Epic", "Approvals"})
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
	assert.NotEmpty(t, seen)
	assert.True(t, project.Implements(both) && group.Implements(both))
	for _, other := range []reflect.Type{reflect.TypeFor[serviceapi.UserRef](),
		reflect.TypeFor[serviceapi.InstanceOwner](), reflect.TypeFor[serviceapi.CallerOwner]()} {
		assert.False(t, other.Implements(both), "%s", other)
	}
	var owner serviceapi.ProjectOrGroup = serviceapi.GroupPath("acme")
	assert.Equal(t, "acme", owner.String())
}
