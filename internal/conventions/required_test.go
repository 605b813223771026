package conventions

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mayBeEmpty are the fields that are sent even if they are empty, and why that is right.
var mayBeEmpty = map[string]string{
	"BranchProtectionDefaults.AllowForcePush":                   "false is a choice",
	"BranchProtectionDefaults.AllowedToMerge":                   "nobody is a choice",
	"BranchProtectionDefaults.AllowedToPush":                    "nobody is a choice",
	"BranchProtectionDefaults.CodeOwnerApprovalRequired":        "false is a choice",
	"BranchProtectionRole.AccessLevel":                          "0 stands for nobody",
	"WorkItemProgressInput.CurrentValue":                        "0 is a value",
	"CreateApprovalRuleOptions.ApprovalsRequired":               "0 makes a rule optional",
	"CreateDeploymentOptions.Tag":                               "false stands for a branch",
	"CreateMergeRequestApprovalRuleOptions.ApprovalsRequired":   "0 makes a rule optional",
	"CreatePipelineScheduleVariableOptions.Value":               "a variable may have no value",
	"CreateReleaseAssets.Links":                                 "a release needs no links",
	"CreateRepositoryFileOptions.Content":                       "a file may be empty",
	"CreateVariableOptions.Value":                               "a variable may have no value",
	"CreateWikiPageOptions.Content":                             "a page may be empty",
	"DeleteVariableOptions.Filter":                              "a filter that is zero is not sent",
	"DiffLineRangeEnd.NewLine":                                  "null for a line that was removed",
	"DiffLineRangeEnd.OldLine":                                  "null for a line that was added",
	"DiffPosition.LineRange":                                    "null for a single line",
	"DiffPosition.NewLine":                                      "null for a line that was removed",
	"DiffPosition.OldLine":                                      "null for a line that was added",
	"FoundationalAgentStatus.Enabled":                           "false is a choice",
	"DuoNamespaceAccessRule.Features":                           "no feature is a choice",
	"GetIssueStatisticsOptions.Not":                             "a filter that is zero is not sent",
	"GetVariableOptions.Filter":                                 "a filter that is zero is not sent",
	"GlobalLintOptions.Content":                                 "the result says what is wrong with an empty file",
	"HookCustomHeader.Value":                                    "a header may have no value",
	"LintOptions.Content":                                       "the result says what is wrong with an empty file",
	"ListEpicsOptions.Not":                                      "a filter that is zero is not sent",
	"ListIssuesOptions.Not":                                     "a filter that is zero is not sent",
	"ListMergeRequestsOptions.Not":                              "a filter that is zero is not sent",
	"NewFeatureFlagStrategy.Parameters":                         "a strategy may have none",
	"LockTerraformStateOptions.Created":                         "Terraform's own information",
	"LockTerraformStateOptions.Info":                            "Terraform's own information",
	"LockTerraformStateOptions.Operation":                       "Terraform's own information",
	"LockTerraformStateOptions.Path":                            "Terraform's own information",
	"LockTerraformStateOptions.Version":                         "Terraform's own information",
	"LockTerraformStateOptions.Who":                             "Terraform's own information",
	"PipelineVariable.Value":                                    "a variable may have no value",
	"PublishCatalogVersionOptions.Metadata":                     "without components, the service reads the files",
	"SetHookCustomHeaderOptions.Value":                          "a header may have no value",
	"SetRequiredApprovalsOptions.ApprovalsRequired":             "0 makes approvals optional",
	"SnippetFileOptions.Content":                                "a file may be empty",
	"UpdateBoardListOptions.Position":                           "0 is the first position",
	"UpdateJobTokenScopeOptions.Enabled":                        "false is a choice",
	"UpdateSecuritySettingsOptions.SecretPushProtectionEnabled": "false is a choice",
	"UpdateVariableOptions.Filter":                              "a filter that is zero is not sent",
	"WikiFrontMatter.Title":                                     "front matter without a title",

	"UpdateSecuritySettingsBelowOptions.SecretPushProtectionEnabled": "false is a choice",
	"NewBulkImportEntity.DestinationNamespace":                       "empty stands for the top level",

	"SetErrorTrackingOptions.Active":     "false is a choice",
	"SetErrorTrackingOptions.Integrated": "false is a choice",
	"UpdateErrorTrackingOptions.Active":  "false is a choice",
}

// A place is where a field is within options: in the struct itself, or further inside.
type place struct {
	// owner is the struct that declares the field, and name the way to it, as in errors.
	owner reflect.Type
	name  string
	field reflect.StructField
	// way has the field of each struct that leads to the one with the field.
	way []reflect.StructField
}

func (p place) key() string { return p.owner.Name() + "." + p.field.Name }

// placesIn returns every field of options, and of the structs of the library within them.
func placesIn(typ reflect.Type, name string, way ...reflect.StructField) (places []place) {
	for _, field := range reflect.VisibleFields(typ) {
		if !field.IsExported() || field.Anonymous {
			continue
		}
		places = append(places, place{inventory.Declaring(typ, field), name + field.Name, field, way})
		inner, within := field.Type, name+field.Name+"."
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			if inner.Kind() == reflect.Slice {
				within = name + field.Name + "[0]."
			}
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && inner.PkgPath() == clientType.PkgPath() && len(way) < 4 {
			places = append(places, placesIn(inner, within, append(slices.Clone(way), field)...)...)
		}
	}
	return places
}

func isRequired(p place) bool { return p.field.Tag.Get("required") == "true" }

// in returns the field within options, which get what leads to it.
func (p place) in(options reflect.Value, known []any) reflect.Value {
	for _, step := range p.way {
		options = options.FieldByIndex(step.Index)
		for options.Kind() != reflect.Struct {
			if options.IsZero() && options.Kind() == reflect.Pointer {
				options.Set(reflect.New(options.Type().Elem()))
				fillRequired(options.Elem(), known)
			}
			if options.Kind() == reflect.Pointer {
				options = options.Elem()
				continue
			}
			if options.Len() == 0 {
				options.Set(reflect.MakeSlice(options.Type(), 1, 1))
				fillRequired(options.Index(0), known)
			}
			options = options.Index(0)
		}
	}
	return options.FieldByIndex(p.field.Index)
}

// fillRequired sets the required fields of a struct, and those of the structs that they
// point to.
func fillRequired(v reflect.Value, known []any) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	for _, field := range inventory.Required(v.Type()) {
		if value := v.FieldByIndex(field.Index); value.Kind() == reflect.Pointer {
			fillRequired(value, known)
		} else {
			inventory.Fill(value, known)
		}
	}
}

// optionsWith returns the place of the parameter of a method that is a struct with fields,
// or a pointer to one, and the struct.
func optionsWith(method reflect.Method) (int, reflect.Type) {
	for i := 1; i < method.Type.NumIn(); i++ {
		typ := method.Type.In(i)
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		hasParameter := func(f reflect.StructField) bool { return parameterOf(f) != "" }
		if typ.Kind() == reflect.Struct && slices.ContainsFunc(reflect.VisibleFields(typ), hasParameter) {
			return i, typ
		}
	}
	return 0, nil
}

// TestRequiredFieldsAreRequired makes every call without one of its required fields, in its
// options or in a struct within these. It is refused with an error that names the field, and
// nothing is sent; with the field, it is sent to an endpoint that has the parameter. A query is
// also required itself. The tags are all that the source has.
func TestRequiredFieldsAreRequired(t *testing.T) {
	has := parametersOfEndpoints(t)
	client, sent := parameterRecorder(t)
	checked := map[string]bool{}
	for service, method := range inventory.Methods(clientType) {
		at, typ := optionsWith(method)
		if typ == nil {
			continue
		}
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		for _, place := range placesIn(typ, "") {
			if !isRequired(place) {
				continue
			}
			checked[place.key()] = true
			what := service.Name + "." + method.Name + " without " + place.name
			taken := 0
			for in, known := range waysToCall(t, method) {
				options := leastOptions(typ, in[at-1], known)
				field := place.in(options, known)
				if strings.HasPrefix(place.name, "GranularScopes[") { // instead of Scopes
					options.FieldByName("Scopes").SetZero()
				}
				if in[at-1] = options.Addr(); method.Type.In(at).Kind() != reflect.Pointer {
					in[at-1] = options
				}
				call := func() error { return outcomeOf(method.Func.Call(append([]reflect.Value{receiver}, in...))) }
				_ = call()
				request := sent()
				if request == nil {
					continue // another kind of owner takes the field
				}
				taken++
				assertEndpointHas(t, what, has[request.endpoint], place)
				field.SetZero()
				assertRefused(t, what, place.name, sent, call())
				if method.Type.In(at).Kind() == reflect.Pointer && len(place.way) == 0 {
					in[at-1] = reflect.Zero(in[at-1].Type())
					assertRefused(t, what+" or any option", "", sent, call())
				}
			}
			assert.Positive(t, taken, "%s: no call with the field is sent", what)
		}
	}
	var tags, calls []string
	for name, st := range parsePackage(t).Structs {
		if strings.HasSuffix(name, "Integration") {
			continue // no options: TestServiceRequiredSettings leaves them out one by one
		}
		for _, field := range st.Fields.List {
			for _, ident := range field.Names {
				if inventory.Tag(field, "required") != "" {
					tags = append(tags, name+"."+ident.Name)
				}
			}
		}
	}
	for key := range checked {
		calls = append(calls, key)
	}
	assert.ElementsMatch(t, tags, calls, "the tags, and the fields of the options of calls")
}

// waysToCall yields the arguments of a method for each kind of owner, with the values that
// they were made of.
func waysToCall(t *testing.T, method reflect.Method) func(func([]reflect.Value, []any) bool) {
	return func(yield func([]reflect.Value, []any) bool) {
		owners := map[string]reflect.Value{"": {}}
		if method.Type.NumIn() > 2 && method.Type.In(2).Kind() == reflect.Interface {
			owners = ownersOf(method.Type.In(2))
		}
		for _, owner := range owners {
			for _, byName := range byPathAndID {
				known := append(slices.Clip(byName), knownValues()...)
				in, err := inventory.Arguments(t.Context(), method.Type, known)
				require.NoError(t, err)
				if owner.IsValid() {
					in[1] = owner
				}
				if !yield(in, known) {
					return
				}
			}
		}
	}
}

// leastOptions returns options, which may be nil, reduced to what a call must have.
func leastOptions(typ reflect.Type, given reflect.Value, known []any) reflect.Value {
	options := reflect.New(typ).Elem()
	if given = reflect.Indirect(given); given.IsValid() {
		options.Set(given)
	} else {
		inventory.Fill(options, known)
	}
	keepRequired(options)
	return options
}

// assertEndpointHas checks that testdata has the parameter of a field for an endpoint. It has
// no names for some endpoints, and none for what is part of the path.
func assertEndpointHas(t *testing.T, what string, has map[string]bool, p place) {
	t.Helper()
	parameter, _, _ := strings.Cut(parameterOf(p.field), "[")
	if parameter == "" || len(has) == 0 || has["variables"] { // the document has the names
		return
	}
	outer := parameter
	if len(p.way) > 0 {
		outer = parameterOf(p.way[0])
	}
	assert.True(t, has[parameter] || has[outer], "%s: testdata/endpoints.tsv has no parameter %s", what, parameter)
	if len(p.way) == 0 {
		assert.True(t, has[parameter], "%s: testdata/endpoints.tsv has no parameter %s", what, parameter)
	}
}

// assertRefused checks that a call was refused because of an argument: the one with this name,
// or any if it is "".
func assertRefused(t *testing.T, what, name string, sent func() *sentRequest, err error) {
	t.Helper()
	var argument *serviceapi.ArgumentError
	assert.Nil(t, sent(), "%s: something is sent", what)
	if assert.ErrorAs(t, err, &argument, what) && name != "" {
		assert.Equal(t, name, argument.Argument, what)
	}
}

// TestFieldsThatAreSentEmpty checks that every field of options that is always sent is either
// required or in the list of those that may be empty, and the list has no others.
func TestFieldsThatAreSentEmpty(t *testing.T) {
	upload := reflect.TypeFor[*serviceapi.Upload]()
	empty := map[string]bool{}
	for _, method := range inventory.Methods(clientType) {
		_, typ := optionsWith(method)
		if typ == nil {
			continue
		}
		for _, place := range placesIn(typ, "") {
			if parameterOf(place.field) == "" || isOptional(place.field) || place.field.Type == upload {
				continue
			}
			if !isRequired(place) {
				empty[place.key()] = true
				assert.NotEmpty(t, mayBeEmpty[place.key()], "%s is sent, but has no tag", place.key())
			}
		}
	}
	for key := range mayBeEmpty {
		assert.True(t, empty[key], "%s is not sent if it is empty, or is required", key)
	}
}
