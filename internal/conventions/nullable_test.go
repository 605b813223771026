package conventions

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nullable is why a member of a result may have no value: the rows of
// testdata/nullable.tsv.
const (
	sendsNull    = "null"   // the service sends null
	leftOut      = "absent" // some responses, or older releases, leave it out
	nullIsUnlike = "text"   // null and the empty string say different things
)

// TestPointersOfResults checks the one rule for pointers. Text is plain, and
// null is "", unless a program must tell them apart. Times, numbers and booleans
// are pointers exactly where the service may send null or leave them out, which
// testdata/nullable.tsv lists from the specification. Objects are pointers, and
// lists, maps and JSON never are.
func TestPointersOfResults(t *testing.T) {
	listed := nullableMembers(t)
	seen := map[string]bool{}
	for _, typ := range structsOfResults() {
		for i := range typ.NumField() {
			field := typ.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.IsExported() || field.Anonymous || name == "" || name == "-" {
				continue
			}
			key := typ.Name() + "." + name
			why := listed[key]
			seen[key] = true
			where := typ.Name() + "." + field.Name + " (" + key + ")"
			isPointer := field.Type.Kind() == reflect.Pointer
			switch kind := valueKind(field.Type); kind {
			case "list":
				assert.False(t, isPointer, "%s: a list, a map or JSON is no pointer", where)
			case "text":
				assert.Equal(t, why == nullIsUnlike, isPointer, "%s: text is a pointer only with a row %q", where,
					nullIsUnlike)
			case "value":
				assert.NotEqual(t, nullIsUnlike, why, "%s: is no text", where)
				assert.Equal(t, why == sendsNull || why == leftOut, isPointer,
					"%s: a time, a number or a boolean is a pointer exactly if testdata/nullable.tsv lists it", where)
			}
		}
	}
	for key := range listed {
		assert.True(t, seen[key], "testdata/nullable.tsv: %s is no member of a result", key)
	}
}

func nullableMembers(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/nullable.tsv")
	require.NoError(t, err)
	listed := map[string]string{}
	last := ""
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		key, why, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		require.True(t, ok, line)
		require.Contains(t, []string{sendsNull, leftOut, nullIsUnlike}, why, line)
		require.Less(t, last, key, "the rows are sorted")
		listed[key], last = why, key
	}
	return listed
}

// valueKind returns what a field of a result holds: "list" also stands for maps
// and JSON that is handed out, "value" for times, numbers and booleans, and ""
// for a type that knows null itself.
func valueKind(typ reflect.Type) string {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch typ {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[serviceapi.Date](), reflect.TypeFor[serviceapi.DateOrTime]():
		return "value"
	case reflect.TypeFor[serviceapi.Secret]():
		return ""
	}
	switch typ.Kind() {
	case reflect.Slice, reflect.Map:
		return "list"
	case reflect.String:
		return "text"
	case reflect.Struct:
		if _, ownJSON := reflect.PointerTo(typ).MethodByName("UnmarshalJSON"); ownJSON {
			return ""
		}
		return "object"
	case reflect.Interface:
		return ""
	}
	return "value"
}
