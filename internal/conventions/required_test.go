package conventions

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	required = regexp.MustCompile(
		`(?:^|[.;] |, and )((?:[A-Z]\w+)(?:(?:, and |, | and )[A-Z]\w+)*) (?:is|are) required`)
	allRequired = regexp.MustCompile(`(?:All|Both) fields are required`)
)

// requiredFields returns the fields of options that their comment calls required.
func requiredFields(typ reflect.Type, comment string) (names []string) {
	comment = strings.Join(strings.Fields(comment), " ")
	for field := range typ.Fields() {
		if allRequired.MatchString(comment) {
			names = append(names, field.Name)
		}
	}
	for _, match := range required.FindAllStringSubmatch(comment, -1) {
		for name := range strings.FieldsFuncSeq(match[1], func(r rune) bool { return r == ',' || r == ' ' }) {
			if _, ok := typ.FieldByName(name); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// TestRequiredFieldsAreRequired makes every call with a query without one of the fields that the
// comment of its options calls required, and without options. It is refused with an error that
// names the field, and nothing is sent: the service cannot see what is missing in a query. In a
// body, it sees the empty field.
func TestRequiredFieldsAreRequired(t *testing.T) {
	comments := typeComments(parsePackage(t))
	client, sent := parameterRecorder(t)
	checked := map[string]bool{}
	for service, method := range inventory.Methods(clientType) {
		at, typ := optionsOf(method)
		if typ == nil || method.Type.In(at).Kind() != reflect.Pointer {
			continue
		}
		receiver := reflect.ValueOf(client).Elem().FieldByIndex(service.Index)
		for _, name := range requiredFields(typ, comments[typ.Name()]) {
			what := service.Name + "." + method.Name + " without " + name
			checked[typ.Name()+"."+name] = true
			in, err := inventory.Arguments(t.Context(), method.Type, knownValues())
			require.NoError(t, err)
			options := reflect.New(typ)
			if given := reflect.Indirect(in[at-1]); given.IsValid() {
				options.Elem().Set(given)
			}
			field, _ := typ.FieldByName(name)
			options.Elem().FieldByIndex(field.Index).SetZero()
			in[at-1] = options
			assertRefused(t, what, name, sent, method.Func.Call(append([]reflect.Value{receiver}, in...)))
			in[at-1] = reflect.Zero(in[at-1].Type())
			assertRefused(t, what, "", sent, method.Func.Call(append([]reflect.Value{receiver}, in...)))
		}
	}
	assert.Greater(t, len(checked), 10)
	for _, name := range []string{"SearchOptions.Search", "CompareOptions.From", "CompareOptions.To"} {
		assert.True(t, checked[name], name)
	}
}

// assertRefused checks that a call was refused because of an argument.
func assertRefused(t *testing.T, what, name string, sent func() *sentRequest, out []reflect.Value) {
	t.Helper()
	var argument *serviceapi.ArgumentError
	assert.Nil(t, sent(), "%s: something is sent", what)
	if assert.ErrorAs(t, outcomeOf(out), &argument, what) {
		assert.Contains(t, strings.ToLower(argument.Argument), strings.ToLower(name), what)
	}
}
