package conventions

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// operations are the methods that send the operations of testdata/graphql-operations.tsv.
var operations = map[string]string{
	"Query.namespace.workItem":                "WorkItems.Get",
	"Query.namespace.workItems":               "WorkItems.List",
	"Query.namespace.workItemTypes":           "WorkItems.ListTypes",
	"Mutation.workItemCreate":                 "WorkItems.Create",
	"Mutation.workItemUpdate":                 "WorkItems.Update",
	"Mutation.workItemDelete":                 "WorkItems.Delete",
	"Query.project.terraformStates":           "TerraformStates.List",
	"Query.project.terraformState":            "TerraformStates.Get",
	"Query.project.targetBranchRules":         "TargetBranchRules.List",
	"Mutation.projectTargetBranchRuleCreate":  "TargetBranchRules.Create",
	"Mutation.projectTargetBranchRuleDestroy": "TargetBranchRules.Delete",
	"Query.accessTokenPermissions":            "AccessTokens.GetPermissions",
}

// notInOperations are arguments and members that no method sends, and why.
var notInOperations = map[string]string{
	"before":           "lists are read forward",
	"last":             "lists are read forward",
	"iid":              "IIDs has it",
	"customField":      "the members of its filter are not documented",
	"hierarchyFilters": "its members are not documented",
	"targetBranch":     "in the second request of its method",
	"createSource":     "the service ignores it",
	"workItemTypeId":   "TypeID, which has no tag",
	"namespacePath":    "the owner",
	"projectId":        "the owner",
	"id":               "the reference",
	"fullPath":         "the owner",
	"name":             "an argument of the method",
	"first":            "GraphQLListOptions",
	"after":            "GraphQLListOptions",
}

// TestOperationsSendTheirInput compares the variables of every operation with its documented
// arguments, and what the input of a mutation may have with what the options fill in.
func TestOperationsSendTheirInput(t *testing.T) {
	client, sent := parameterRecorder(t)
	for line := range strings.Lines(readFile(t, "testdata/graphql-operations.tsv")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		name := operations[columns[2]]
		if name == "" {
			continue // of another part of the API
		}
		service, method, _ := strings.Cut(name, ".")
		receiver := reflect.ValueOf(client).Elem().FieldByName(service)
		call, ok := receiver.Type().MethodByName(method)
		require.True(t, ok, name)
		names := slices.Collect(maps.Keys(namesSent(t, receiver, call, sent)))
		for wanted := range strings.FieldsSeq(columns[3] + " " + columns[4]) {
			wanted, _, _ = strings.Cut(wanted, "{")
			wanted = strings.TrimSuffix(wanted, "[]")
			if notInOperations[wanted] == "" || slices.Contains(names, wanted) {
				assert.Contains(t, names, wanted, name)
			}
		}
	}
}

// namesSent returns the names of what a method sends if each field of its options is set.
func namesSent(
	t *testing.T, receiver reflect.Value, method reflect.Method, sent func() *sentRequest,
) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	in, err := inventory.Arguments(t.Context(), method.Type, append(slices.Clip(byPathAndID[0]), knownValues()...))
	require.NoError(t, err)
	at, typ := optionsOf(method)
	fields := []reflect.StructField{{}}
	if typ != nil {
		fields = append(fields, reflect.VisibleFields(typ)...)
	}
	for _, field := range fields {
		if field.Anonymous {
			continue
		}
		if field.Name != "" {
			options := in[at-1]
			if options.Kind() == reflect.Pointer && options.IsNil() {
				options = reflect.New(typ)
			}
			in[at-1] = setField(options, typ, field)
		}
		_ = outcomeOf(method.Func.Call(append([]reflect.Value{receiver}, in...)))
		if request := sent(); request != nil {
			for _, name := range request.names {
				found[name] = true
			}
		}
	}
	return found
}

// TestGlobalIDs checks what a global ID is, and that nothing is sent for anything else.
func TestGlobalIDs(t *testing.T) {
	id := serviceapi.GlobalID("gid://app/WorkItems::Type/12")
	assert.Equal(t, []any{"WorkItems::Type", int64(12)}, []any{id.Kind(), id.Number()})
	client, sent := parameterRecorder(t)
	for _, bad := range []serviceapi.GlobalID{
		"", "12", "gid://app/WorkItem", "gid://app/WorkItem/x", "gid:///WorkItem/1", "gid://app//1", "gid://a/b/c/1",
		"gid://app/WorkItem/0", "gid://app/WorkItem/-1", "app/WorkItem/1",
	} {
		assert.Equal(t, []any{"", int64(0)}, []any{bad.Kind(), bad.Number()}, bad)
		var argument *serviceapi.ArgumentError
		_, err := client.TargetBranchRules.Delete(t.Context(), bad)
		require.ErrorAs(t, err, &argument, bad)
		assert.Equal(t, "id", argument.Argument)
		item := (&serviceapi.WorkItemSummary{ID: bad, IID: 1, NamespacePath: "acme/app"}).Ref()
		_, _, err = client.WorkItems.Update(t.Context(), item, serviceapi.UpdateWorkItemOptions{
			AdjacentID: bad, Position: "AFTER", ParentID: serviceapi.Value(bad), StatusID: bad,
		})
		require.ErrorAs(t, err, &argument, bad)
		assert.Nil(t, sent(), bad)
	}
}
