package webhook

import (
	"encoding/json"
	"go/ast"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eventTypes returns the types of all events, and checks that the source has no others.
func eventTypes(t *testing.T) []reflect.Type {
	found := map[string]reflect.Type{"UnknownEvent": reflect.TypeFor[UnknownEvent]()}
	add := func(made func() Event) {
		typ := reflect.TypeOf(made()).Elem()
		found[typ.Name()] = typ
	}
	for _, made := range byKind {
		add(made)
	}
	for _, made := range byObject {
		add(made)
	}
	for _, made := range byName {
		add(made)
	}
	source, err := inventory.ParseDir(".")
	require.NoError(t, err)
	var declared []string
	for name, typ := range source.Structs {
		embedsDelivery := func(f *ast.Field) bool {
			return len(f.Names) == 0 && inventory.TypeText(f.Type) == "Delivery"
		}
		if ast.IsExported(name) && slices.ContainsFunc(typ.Fields.List, embedsDelivery) {
			declared = append(declared, name)
		}
	}
	require.ElementsMatch(t, declared, slices.Collect(maps.Keys(found)))
	return slices.Collect(maps.Values(found))
}

// TestEveryEventIsStored checks that an event that is stored as JSON and read again is equal, but
// for its Delivery, with values in all fields, with empty lists and objects, and with none.
func TestEveryEventIsStored(t *testing.T) {
	known := []any{
		Delivery{}, // which is how the event arrived, and is not encoded
		time.Date(2026, 3, 1, 10, 20, 30, 5e6, time.UTC), serviceapi.NewDate(2026, 3, 31),
		map[string]json.RawMessage{"other": json.RawMessage(`{"a":1}`)}, // which no field has
	}
	null := jsonv2.JoinOptions(jsonv2.FormatNilSliceAsNull(true), jsonv2.FormatNilMapAsNull(true))
	types := inventory.Within(reflect.TypeFor[Delivery]().PkgPath(), eventTypes(t))
	require.Greater(t, len(types), 80)
	for _, typ := range types {
		filled, empty := reflect.New(typ), reflect.New(typ)
		inventory.FillAll(filled.Elem(), known)
		inventory.EmptyAll(empty.Elem(), known)
		for name, v := range map[string]reflect.Value{"filled": filled, "empty": empty, "zero": reflect.New(typ)} {
			again := reflect.New(typ)
			data, err := json.Marshal(v.Interface())
			require.NoError(t, err, "%v, %s", typ, name)
			require.NoError(t, json.Unmarshal(data, again.Interface()), "%v, %s: %s", typ, name, data)
			assert.Equal(t, v.Interface(), again.Interface(), "%v, %s, encoding/json: %s", typ, name, data)

			again = reflect.New(typ)
			data, err = jsonv2.Marshal(v.Interface(), null)
			require.NoError(t, err, "%v, %s", typ, name)
			require.NoError(t, jsonv2.Unmarshal(data, again.Interface()), "%v, %s: %s", typ, name, data)
			assert.Equal(t, v.Interface(), again.Interface(), "%v, %s, json/v2: %s", typ, name, data)
		}
	}
}

// TestEncodingJSONDecodesEvents decodes bodies as programs do that know what they get: it must be
// what Decode returns, and nothing is lost when it is encoded again.
func TestEncodingJSONDecodesEvents(t *testing.T) {
	for _, s := range samples(t) {
		want, err := Decode(s.kind, s.body)
		require.NoError(t, err)
		*want.Info() = Delivery{}
		got := reflect.New(reflect.TypeOf(want).Elem()).Interface()
		require.NoError(t, json.Unmarshal(s.body, got), s.typ)
		assert.Equal(t, want, got, s.typ)
		again, err := json.Marshal(got)
		require.NoError(t, err)
		assert.JSONEq(t, withoutBlanks(t, s.body), withoutBlanks(t, again), s.typ)
	}
	var event MergeRequestEvent
	err := json.Unmarshal([]byte(`{"object_attributes":{"iid":"one","title":"Add it"},"later":[1]}`), &event)
	var wrong *MemberError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "/object_attributes/iid", wrong.Pointer)
	assert.Equal(t, "Add it", event.ObjectAttributes.Title, "what follows")
	assert.Equal(t, map[string]json.RawMessage{"later": json.RawMessage("[1]")}, event.Extra)
	assert.ErrorIs(t, event.UnmarshalJSON([]byte(`{"object_kind":`)), ErrNotJSON)
}
