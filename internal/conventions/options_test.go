package conventions

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A sentRequest is what a call sent first, and the names of its parameters.
type sentRequest struct {
	endpoint string
	names    []string
}

// sends reports whether a parameter was sent, by itself or with members in brackets.
func (r *sentRequest) sends(name string) bool {
	return slices.ContainsFunc(r.names, func(sent string) bool {
		return sent == name || strings.HasPrefix(sent, name+"[")
	})
}

// parameterRecorder returns a client that sends nothing, and what it would have sent.
func parameterRecorder(t *testing.T) (*serviceapi.Client, func() *sentRequest) {
	t.Helper()
	var last *sentRequest
	transport := transportFunc(func(r *http.Request) (*http.Response, error) {
		if last == nil {
			path := serviceapi.Operation(r.Context())
			if !strings.HasPrefix(r.URL.Path, "/api/") {
				path = "{base_url}" + path
			}
			last = &sentRequest{endpoint: r.Method + " " + path, names: namesIn(t, r)}
		}
		return nil, errors.New("nothing is sent")
	})
	client, err := serviceapi.NewClient("https://service.test", serviceapi.PrivateToken("not-a-real-token"),
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}),
		serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	return client, func() *sentRequest {
		r := last
		last = nil
		return r
	}
}

// namesIn returns the names of the parameters in the query and the body of a request.
func namesIn(t *testing.T, r *http.Request) (names []string) {
	t.Helper()
	for name := range r.URL.Query() {
		names = append(names, strings.TrimSuffix(name, "[]"))
	}
	if r.Body == nil {
		return names
	}
	data, err := io.ReadAll(r.Body)
	assert.NoError(t, err)
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/json", "application/scim+json":
		var object map[string]any
		assert.NoError(t, json.Unmarshal(data, &object))
		for name := range object {
			names = append(names, name)
		}
		names = append(names, namesInVariables(object)...)
	case "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(data))
		assert.NoError(t, err)
		for name := range form {
			names = append(names, strings.TrimSuffix(name, "[]"))
		}
	case "multipart/form-data":
		reader := multipart.NewReader(strings.NewReader(string(data)), params["boundary"])
		for part, err := reader.NextPart(); err == nil; part, err = reader.NextPart() {
			names = append(names, strings.TrimSuffix(part.FormName(), "[]"))
		}
	}
	return names
}

// namesInVariables returns the names of the variables of a GraphQL operation, and those in its
// input.
func namesInVariables(object map[string]any) (names []string) {
	variables, _ := object["variables"].(map[string]any)
	input, _ := variables["input"].(map[string]any)
	return append(slices.Collect(maps.Keys(variables)), slices.Collect(maps.Keys(input))...)
}

// optionsOf returns the place and the type of the options of a method.
func optionsOf(method reflect.Method) (int, reflect.Type) {
	for i := range method.Type.NumIn() {
		typ := method.Type.In(i)
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() == reflect.Struct && strings.HasSuffix(typ.Name(), "Options") {
			return i, typ
		}
	}
	return 0, nil
}

// alwaysSent are the parameters that are sent although nothing says so, and why. A
// walk also sends the size of its pages, and SCIM where they begin.
var alwaysSent = map[string]string{
	"CreateRepositoryFileOptions.content": "a file may be empty",
	"ListTreeOptions.pagination":          "the pages of this list are linked by keys",
}

// refusedAlone are options that are refused if they have only what is always sent, and
// why.
var refusedAlone = map[string]string{
	"UpdateApplicationSettingsOptions": "one of all settings is required",
}

// TestZeroOptionsSendNothing makes every call that has options with the zero value of
// these, or, if that is refused, with what every call must say. Nothing else is sent.
func TestZeroOptionsSendNothing(t *testing.T) {
	client, sent := parameterRecorder(t)
	zero, least := 0, 0
	for service, method := range inventory.Methods(clientType) {
		at, typ := optionsOf(method)
		if typ == nil {
			continue
		}
		isQuery := method.Type.In(at).Kind() == reflect.Pointer
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		name := service.Name + "." + method.Name
		request, options := sentWith(t, receiver, method, sent, reflect.Value.SetZero)
		isLeast := request == nil
		if isLeast {
			request, options = sentWith(t, receiver, method, sent, keepRequired)
		}
		switch {
		case request == nil:
			assert.NotEmpty(t, refusedAlone[typ.Name()], "%s: %s", name, typ.Name())
			continue
		case isLeast:
			least++
		default:
			zero++
		}
		for _, field := range reflect.VisibleFields(typ) {
			parameter := parameterOf(field)
			plain := field.Type.Kind() != reflect.Pointer && field.Type.Kind() != reflect.Slice
			isSet := isLeast && !options.FieldByIndex(field.Index).IsZero()
			required := isSet || !isQuery && plain && !isOptional(field)
			ofPage := strings.HasPrefix(method.Name, "All") &&
				slices.Contains([]string{"per_page", "count", "startIndex"}, parameter)
			if parameter != "" && !required && !ofPage && alwaysSent[typ.Name()+"."+parameter] == "" {
				assert.False(t, request.sends(parameter), "%s sends %s, which is not set", name, parameter)
			}
		}
	}
	assert.Positive(t, zero)
	assert.Positive(t, least)
}

// TestZeroPartsOfOptionsSendNothing encodes the structs within the options of all calls:
// what is not set in them is not sent, as null would change it.
func TestZeroPartsOfOptionsSendNothing(t *testing.T) {
	tried := map[reflect.Type]bool{}
	for _, method := range inventory.Methods(clientType) {
		_, typ := optionsOf(method)
		if typ == nil {
			continue
		}
		for _, part := range inventory.Within(clientType.PkgPath(), []reflect.Type{typ}) {
			if part == typ || tried[part] || !strings.HasSuffix(part.Name(), "Options") || !inventory.HasMembers(part) {
				continue
			}
			tried[part] = true
			data, err := json.Marshal(reflect.New(part).Interface())
			require.NoError(t, err, part)
			var sent map[string]any
			require.NoError(t, json.Unmarshal(data, &sent), part)
			for name, field := range inventory.JSONFields(part) {
				switch field.Type.Kind() {
				case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Struct:
					assert.NotContains(t, sent, name, "%v.%s", part, field.Name)
				}
			}
		}
	}
	assert.NotEmpty(t, tried)
}

// sentWith makes a call with arguments that are set, but options that are reduced, and
// returns what it sent, nil if it was refused, and the options.
func sentWith(
	t *testing.T, receiver reflect.Value, method reflect.Method, sent func() *sentRequest, reduce func(reflect.Value),
) (*sentRequest, reflect.Value) {
	t.Helper()
	at, typ := optionsOf(method)
	for _, owners := range byPathAndID {
		known := append(slices.Clip(owners), knownValues()...)
		in, err := inventory.Arguments(t.Context(), method.Type, known)
		require.NoError(t, err)
		options := reflect.New(typ)
		switch given := reflect.Indirect(in[at-1]); {
		case given.IsValid():
			options.Elem().Set(given)
		default:
			inventory.Fill(options.Elem(), known)
		}
		reduce(options.Elem())
		if in[at-1] = options; method.Type.In(at).Kind() != reflect.Pointer {
			in[at-1] = options.Elem()
		}
		_ = outcomeOf(method.Func.Call(append([]reflect.Value{receiver}, in...)))
		if request := sent(); request != nil {
			return request, options.Elem()
		}
	}
	return nil, reflect.Value{}
}

// keepRequired leaves in options only what is always sent, or what the known value of
// their type has.
func keepRequired(options reflect.Value) {
	for _, typ := range []reflect.Type{options.Type(), reflect.PointerTo(options.Type())} {
		if inventory.Known(typ, knownValues()).IsValid() {
			return
		}
	}
	for _, field := range reflect.VisibleFields(options.Type()) {
		canBeNil := field.Type.Kind() == reflect.Pointer || field.Type.Kind() == reflect.Slice
		if field.Tag.Get("required") != "" {
			continue
		}
		if isOptional(field) || canBeNil && alwaysSent[options.Type().Name()+"."+parameterOf(field)] == "" {
			options.FieldByIndex(field.Index).SetZero()
		}
	}
}

// isOptional reports whether a field of options is not sent if it is zero.
func isOptional(field reflect.StructField) bool {
	inBody, inQuery := field.Tag.Get("json"), field.Tag.Get("url")
	return strings.Contains(inBody, ",omitzero") || inBody == ",inline,embed" ||
		strings.Contains(inQuery, ",omitempty") ||
		inQuery == "-"
}

// parameterOf returns the name of the parameter that a field of options is sent as.
func parameterOf(field reflect.StructField) string {
	if name, _, isArgument := strings.Cut(field.Tag.Get("graphql"), ": "); isArgument {
		return name
	}
	for _, key := range []string{"url", "json"} {
		name, _, _ := strings.Cut(field.Tag.Get(key), ",")
		if name != "" && name != "-" {
			return strings.TrimSuffix(name, "[]")
		}
	}
	return ""
}

// TestTimesInQueries checks that a time in a query keeps its fraction.
func TestTimesInQueries(t *testing.T) {
	found := 0
	for _, method := range inventory.Methods(clientType) {
		_, typ := optionsOf(method)
		if typ == nil {
			continue
		}
		for _, field := range reflect.VisibleFields(typ) {
			isTime := field.Type == reflect.TypeFor[time.Time]() || field.Type == reflect.TypeFor[*time.Time]()
			if name := field.Tag.Get("url"); isTime && name != "" && name != "-" {
				found++
				assert.Equal(t, "2006-01-02T15:04:05.999999999Z07:00", field.Tag.Get("layout"),
					"%v.%s: a time in a query needs its layout", typ, field.Name)
			}
		}
	}
	assert.Positive(t, found)
}

// TestOptionsOfOwners sets each field of options that only some owners take, for each
// owner that the method takes. It is sent, or refused before anything is sent.
func TestOptionsOfOwners(t *testing.T) {
	client, sent := parameterRecorder(t)
	taken, refused := 0, 0
	for service, method := range inventory.Methods(clientType) {
		at, typ := optionsOf(method)
		if typ == nil || method.Type.In(2).Kind() != reflect.Interface {
			continue
		}
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		for _, field := range reflect.VisibleFields(typ) {
			only, limited := field.Tag.Lookup("only")
			if !limited {
				continue
			}
			for kind, owner := range ownersOf(method.Type.In(2)) {
				what := service.Name + "." + method.Name + " of " + kind + ": " + field.Name
				in, err := inventory.Arguments(t.Context(), method.Type, knownValues())
				require.NoError(t, err)
				if typ == reflect.TypeFor[serviceapi.UpdateDiscussionNoteOptions]() {
					in[at-1] = reflect.Zero(typ) // it has only one field at a time
				}
				if field.Name == "GranularScopes" { // instead of Scopes
					in[at-1] = reflect.ValueOf(serviceapi.CreateAccessTokenOptions{Name: "x"})
				}
				in[1], in[at-1] = owner, setField(in[at-1], typ, field)
				err = outcomeOf(method.Func.Call(append([]reflect.Value{receiver}, in...)))
				request := sent()
				if slices.Contains(strings.Split(only, ","), kind) {
					taken++
					if assert.NotNil(t, request, "%s: %v", what, err) {
						assert.True(t, request.sends(parameterOf(field)), "%s is not sent", what)
					}
					continue
				}
				refused++
				var argument *serviceapi.ArgumentError
				assert.Nil(t, request, what)
				if assert.ErrorAs(t, err, &argument, what) {
					assert.Equal(t, field.Name, argument.Argument, what)
				}
			}
		}
	}
	assert.Positive(t, taken)
	assert.Positive(t, refused)
}

// filters are values of the types whose fields are not exported.
var filters = []any{
	serviceapi.NoUser, serviceapi.NoUsers, serviceapi.NoLabel, serviceapi.NoMilestone, serviceapi.NoEmoji,
	serviceapi.NoNumber, serviceapi.NoHealthStatus,
}

// looksFirst are the methods whose first call sends no options, and what it is for.
var looksFirst = map[string]string{
	"ProjectExport.ScheduleAndWait": "the state", "TargetBranchRules.Create": "the ID of the project",
}

// onlyTogether are the methods whose options are refused one by one.
var onlyTogether = []string{"Groups.Delete", "Projects.Delete"}

// TestOptionsAreSent sets each field of the options of every call, in addition to what the call
// must have. It is sent, unless the call is refused, because fields do not go together or
// because the owner does not take it.
func TestOptionsAreSent(t *testing.T) {
	client, sent := parameterRecorder(t)
	for service, method := range inventory.Methods(clientType) {
		_, typ := optionsOf(method)
		if typ == nil || looksFirst[service.Name+"."+method.Name] != "" {
			continue
		}
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		taken, parameters := 0, 0
		for _, field := range reflect.VisibleFields(typ) {
			parameter := parameterOf(field)
			if parameter == "" {
				continue
			}
			parameters++
			request, _ := sentWith(t, receiver, method, sent, func(options reflect.Value) {
				keepRequired(options)
				options.Set(setField(options, typ, field))
				if value := inventory.Known(field.Type, filters); value.IsValid() {
					options.FieldByIndex(field.Index).Set(value)
				}
			})
			if request == nil {
				continue
			}
			taken++
			assert.True(t, request.sends(parameter), "%s.%s: %s is not sent", service.Name, method.Name, field.Name)
		}
		refusesAll := slices.Contains(onlyTogether, service.Name+"."+method.Name)
		assert.Equal(t, parameters > 0 && !refusesAll, taken > 0, "%s.%s sends %d options", service.Name,
			method.Name, taken)
	}
}

// ownersOf returns an owner of each kind that a parameter takes, by the name of the
// kind in the tag "only".
func ownersOf(parameter reflect.Type) map[string]reflect.Value {
	owners, project, group := map[string]reflect.Value{}, serviceapi.ProjectID(1), serviceapi.GroupID(1)
	switch parameter { // which have no ID
	case reflect.TypeFor[serviceapi.WorkItemOwner](), reflect.TypeFor[serviceapi.SCIMOwner]():
		project, group = serviceapi.ProjectPath("acme/app"), serviceapi.GroupPath("acme")
	}
	for kind, owner := range map[string]any{
		"project": project, "group": group, "user": serviceapi.UserID(1),
		"instance": serviceapi.Instance, "own": serviceapi.Own,
		"issue": project.Issue(1), "merge_request": project.MergeRequest(1),
		"snippet": project.Snippet(1), "epic": (&serviceapi.Epic{ID: 1, IID: 1, GroupID: 1}).Ref(),
		"commit": project.Commit("x"), "wiki_page": project.WikiPage(1),
		"project_moves": serviceapi.StorageMoveKindProjects,
		"group_moves":   serviceapi.StorageMoveKindGroups, "snippet_moves": serviceapi.StorageMoveKindSnippets,
	} {
		if v := reflect.ValueOf(owner); v.Type().Implements(parameter) {
			owners[kind] = reflect.New(parameter).Elem()
			owners[kind].Set(v)
		}
	}
	return owners
}

// setField returns options in which one field more is set.
func setField(options reflect.Value, typ reflect.Type, field reflect.StructField) reflect.Value {
	v := reflect.New(typ)
	if options.Kind() != reflect.Pointer {
		v.Elem().Set(options)
	} else if !options.IsNil() {
		v.Elem().Set(options.Elem())
	}
	set := v.Elem().FieldByIndex(field.Index)
	inventory.FillAll(set, knownValues())
	if strings.HasPrefix(field.Type.Name(), "Nullable[") {
		_ = json.Unmarshal([]byte("null"), set.Addr().Interface())
	}
	if options.Kind() == reflect.Pointer {
		return v
	}
	return v.Elem()
}
