package conventions

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
	"github.com/stretchr/testify/require"
)

// A parameterSet are parameters with their members, such as "not.labels".
type parameterSet map[string]bool

// has reports whether a parameter is sent, by itself or with a member.
func (s parameterSet) has(name string) bool { return s[dotted(name)] }

// dotted writes the name of a parameter, such as "not[labels][]", with dots.
func dotted(name string) string {
	return strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(name, "]", ""), "[", "."), ".")
}

// add adds a parameter, and those that it is a member of.
func (s parameterSet) add(name string) {
	for name = dotted(name); name != ""; {
		s[name] = true
		at := max(strings.LastIndexByte(name, '.'), 0)
		name = name[:at]
	}
}

// addJSON adds the members of a body.
func (s parameterSet) addJSON(prefix string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			s.add(prefix + name)
			s.addJSON(prefix+name+".", value)
		}
	case []any:
		for _, value := range v {
			s.addJSON(prefix, value)
		}
	}
}

// addRequest adds what a request has in its query and its body. What cannot be read is missing.
func (s parameterSet) addRequest(r *http.Request) {
	for name := range r.URL.Query() {
		s.add(name)
	}
	if r.Body == nil {
		return
	}
	data, _ := io.ReadAll(r.Body)
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/json", "application/scim+json":
		var v any
		_ = json.Unmarshal(data, &v)
		s.addJSON("", v)
	case "application/x-www-form-urlencoded":
		form, _ := url.ParseQuery(string(data))
		for name := range form {
			s.add(name)
		}
	case "multipart/form-data":
		reader := multipart.NewReader(bytes.NewReader(data), params["boundary"])
		for part, err := reader.NextPart(); err == nil; part, err = reader.NextPart() {
			s.add(part.FormName())
		}
	}
}

// parametersSent makes every call, for every kind of owner and with each field of its options,
// and returns what was sent, by method and path without the names of arguments.
func parametersSent(t *testing.T) map[string]parameterSet {
	t.Helper()
	all := map[string]parameterSet{}
	transport := transportFunc(func(r *http.Request) (*http.Response, error) {
		path := argumentsOf.ReplaceAllString(r.Method+" "+serviceapi.Operation(r.Context()), ":")
		if all[path] == nil {
			all[path] = parameterSet{}
		}
		all[path].addRequest(r)
		return nil, errors.New("nothing is sent")
	})
	client, err := serviceapi.NewClient("https://service.test", serviceapi.PrivateToken("not-a-real-token"),
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}),
		serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	for service, method := range inventory.Methods(clientType) {
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		for _, owner := range everyOwnerOf(method.Type) {
			callWithEachOption(t, receiver, method, owner)
		}
	}
	return all
}

// everyOwnerOf returns the owners or kinds of owners that a method takes, or one that is not valid if the owner is
// of one kind.
func everyOwnerOf(method reflect.Type) (owners []reflect.Value) {
	if method.NumIn() > 2 && method.In(2) == reflect.TypeFor[serviceapi.StorageMoveKind]() {
		for _, kind := range []serviceapi.StorageMoveKind{serviceapi.StorageMoveKindProjects,
			serviceapi.StorageMoveKindGroups, serviceapi.StorageMoveKindSnippets} {
			owners = append(owners, reflect.ValueOf(kind))
		}
		return owners
	}
	if method.NumIn() < 3 || method.In(2).Kind() != reflect.Interface {
		return []reflect.Value{{}}
	}
	for _, owner := range ownersOf(method.In(2)) {
		owners = append(owners, owner)
	}
	project := serviceapi.ProjectID(1)
	for _, owner := range []any{
		project.Issue(1).Note(1), project.MergeRequest(1).Note(1), project.Snippet(1).Note(1),
		serviceapi.GroupID(1).Epic(1).Note(1), serviceapi.GroupID(1).WikiPage(1),
	} {
		if v := reflect.ValueOf(owner); v.Type().Implements(method.In(2)) {
			owners = append(owners, v)
		}
	}
	return owners
}

// callWithEachOption calls a method with everything that may be set, and with each field of its
// options beside what is required: some fields exclude each other.
func callWithEachOption(t *testing.T, receiver reflect.Value, method reflect.Method, owner reflect.Value) {
	t.Helper()
	at, typ := optionsOf(method)
	call := func(set func(options reflect.Value)) {
		for _, known := range waysToRefer {
			in, err := inventory.Arguments(t.Context(), method.Type, append(known(), knownValues()...))
			require.NoError(t, err)
			if owner.IsValid() {
				in[1] = owner
			}
			if typ != nil {
				options := reflect.New(typ)
				if given := reflect.Indirect(in[at-1]); given.IsValid() {
					options.Elem().Set(given)
				}
				set(options.Elem())
				if in[at-1] = options; method.Type.In(at).Kind() != reflect.Pointer {
					in[at-1] = options.Elem()
				}
			}
			_ = outcomeOf(method.Func.Call(append([]reflect.Value{receiver}, in...)))
		}
	}
	call(func(reflect.Value) {})
	if typ == nil {
		return
	}
	known := slices.Concat(filters, nulls, knownValues())
	call(func(options reflect.Value) { inventory.FillAll(options, known) })
	for _, field := range reflect.VisibleFields(typ) {
		if !field.IsExported() || field.Anonymous {
			continue
		}
		for _, reduce := range []func(reflect.Value){keepRequired, keepOnlyRequired, reflect.Value.SetZero} {
			call(func(options reflect.Value) {
				reduce(options)
				value := options.FieldByIndex(field.Index)
				inventory.FillAll(value, known)
				if text, ok := reflect.TypeAssert[*string](value); ok {
					*text = "another" // than what is required
				}
			})
		}
	}
}

// nulls are values of the types that tell null from what is not set.
var nulls = []any{
	serviceapi.Null[bool](), serviceapi.Null[int](), serviceapi.Null[int64](), serviceapi.Null[string](),
	serviceapi.Null[serviceapi.Date](), serviceapi.Null[time.Time](),
	serviceapi.Null[serviceapi.GeoSelectiveSyncType](),
}

// waysToRefer are values for arguments that may be an ID or a name: what is sent depends on it.
var waysToRefer = []func() []any{
	func() []any { return []any{serviceapi.GroupPath("acme")} },
	func() []any { return []any{serviceapi.GroupID(1), serviceapi.GroupID(1).WikiPage(1)} },
	func() []any { return []any{serviceapi.Username("ada"), serviceapi.NamespacePath("acme")} },
}

// keepOnlyRequired leaves in options only the fields that must not be empty.
func keepOnlyRequired(options reflect.Value) {
	for _, field := range reflect.VisibleFields(options.Type()) {
		if field.IsExported() && field.Tag.Get("required") == "" {
			options.FieldByIndex(field.Index).SetZero()
		}
	}
}
