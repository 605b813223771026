package conventions

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOwnersTakeWhatTheirEndpointsHave compares the options of every call that has several
// kinds of owners with the parameters that testdata has for the endpoint of each kind. A
// field whose parameter only some of these endpoints have says so in its tag: without it,
// the service would ignore what a program asks for.
func TestOwnersTakeWhatTheirEndpointsHave(t *testing.T) {
	has := parametersOfEndpoints(t)
	client, sent := parameterRecorder(t)
	compared := 0
	for service, method := range inventory.Methods(clientType) {
		_, typ := optionsOf(method)
		if typ == nil || method.Type.In(2).Kind() != reflect.Interface {
			continue
		}
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		name := service.Name + "." + method.Name
		for kind, owner := range ownersOf(method.Type.In(2)) {
			endpoint := endpointOf(t, receiver, method, owner, sent)
			require.NotEmpty(t, endpoint, "%s of %s", name, kind)
			if endpoint == "POST /api/graphql" {
				continue // TestOperationsSendTheirInput
			}
			require.Contains(t, has, endpoint, "%s of %s", name, kind)
			var taken, documented []string
			for _, field := range reflect.VisibleFields(typ) {
				parameter := parameterOf(field)
				if parameter == "" || parameter == "page" || parameter == "per_page" {
					continue
				}
				only, limited := field.Tag.Lookup("only")
				if !limited || slices.Contains(strings.Split(only, ","), kind) {
					taken = append(taken, parameter)
				}
				if has[endpoint][parameter] {
					documented = append(documented, parameter)
				}
			}
			compared += len(taken)
			assert.ElementsMatch(t, documented, taken, "%s of %s: documented for %s, and sent", name, kind, endpoint)
		}
	}
	assert.Positive(t, compared)
}

// TestCallsGoWhereTheirCommentsSay makes every call for every kind of owner. Method and path are
// among those in its comment, as the name of the operation in errors and logs is, and every
// path is that of an owner if there are as many.
func TestCallsGoWhereTheirCommentsSay(t *testing.T) {
	documented := map[string][]string{}
	for _, f := range parsePackage(t).Funcs {
		if f.Recv != nil {
			documented[inventory.Receiver(f)+"."+f.Name.Name] = inventory.EndpointLines(f)
		}
	}
	client, sent := parameterRecorder(t)
	for service, method := range inventory.Methods(clientType) {
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		lines := documented[service.Type.Elem().Name()+"."+method.Name]
		name := service.Name + "." + method.Name
		owners := map[string]reflect.Value{"": {}}
		if method.Type.NumIn() > 2 && method.Type.In(2).Kind() == reflect.Interface {
			owners = ownersOf(method.Type.In(2))
		}
		called := map[string]bool{}
		for kind, owner := range owners {
			endpoint := endpointOf(t, receiver, method, owner, sent)
			called[endpoint] = true
			assert.Contains(t, lines, endpoint, "%s of %s", name, kind)
		}
		if len(owners) > 1 && len(owners) == len(lines) {
			assert.Len(t, called, len(lines), "%s: the endpoints that it calls", name)
		}
	}
}

// endpointOf returns the endpoint that a method calls, for an owner if there is one.
func endpointOf(
	t *testing.T, receiver reflect.Value, method reflect.Method, owner reflect.Value, sent func() *sentRequest,
) string {
	t.Helper()
	at, typ := optionsOf(method)
	for _, owners := range byPathAndID {
		for _, reduce := range []func(reflect.Value){func(reflect.Value) {}, keepRequired, reflect.Value.SetZero} {
			in, err := inventory.Arguments(t.Context(), method.Type, append(slices.Clip(owners), knownValues()...))
			require.NoError(t, err)
			if typ != nil && in[at-1].Kind() == reflect.Struct {
				options := reflect.New(typ).Elem()
				options.Set(in[at-1])
				reduce(options)
				in[at-1] = options
			}
			if owner.IsValid() {
				in[1] = owner
			}
			_ = outcomeOf(method.Func.Call(append([]reflect.Value{receiver}, in...)))
			if request := sent(); request != nil {
				return request.endpoint
			}
		}
	}
	return ""
}

// parametersOfEndpoints returns the parameters of each endpoint: those in the table of endpoints,
// and those that only the text of the documentation has.
func parametersOfEndpoints(t *testing.T) map[string]map[string]bool {
	t.Helper()
	const shared = "GET /merge_requests"
	has := map[string]map[string]bool{}
	for _, row := range endpointRows(t) {
		has[row.line] = map[string]bool{}
		for _, parameter := range slices.Concat(row.query, row.body) {
			parameter, _, _ = strings.Cut(parameter, "[")
			has[row.line][parameter] = true
		}
	}
	for line := range strings.Lines(readFile(t, "testdata/text_parameters.tsv")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		endpoint, parameters, _ := strings.Cut(strings.TrimSpace(line), "\t")
		require.Contains(t, has, endpoint, "testdata/text_parameters.tsv")
		for _, parameter := range params(parameters) {
			assert.False(t, has[endpoint][parameter], "%s: %s is in testdata/endpoints.tsv", endpoint, parameter)
			has[endpoint][parameter] = true
		}
	}
	for line := range strings.Lines(readFile(t, "testdata/endpoints.tsv")) {
		if strings.Contains(line, "\tas merge request list") {
			columns := strings.Split(line, "\t")
			maps.Copy(has[columns[1]+" "+columns[2]], has[shared])
		}
	}
	return has
}
