package serviceapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
	"time"

	"example.com/serviceapi/internal/jsonx"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// unmarshal decodes JSON from the service.
func unmarshal(data []byte, v any) error {
	err := jsonv2.Unmarshal(data, v, decodeOptions)
	if err != nil && isTimeError(err) {
		// A function for one type costs a lookup for each value of any type, so it is used
		// only for responses that have a time in a form other than RFC 3339.
		err = jsonv2.Unmarshal(data, v, decodeOptions, jsonx.Times())
	}
	return err
}

// unmarshalMembers is unmarshal for a nested object: a member of the wrong type
// is left out, and the error is about the first one.
func unmarshalMembers(data []byte, v any) error {
	err := unmarshal(data, v)
	if err != nil {
		unmarshalRest(data, v)
	}
	return err
}

// unmarshalRest decodes again, past every member of the wrong type, which is
// then zero or nil, as if it were absent. It reports false if there may be too many.
func unmarshalRest(data []byte, v any) bool {
	if !jsonx.IsLenient(data) {
		return false
	}
	_ = jsonv2.Unmarshal(data, v, legacyOptions, jsonx.LenientTypes()) // the first error says it all
	return true
}

// isTimeError reports whether a string could not be decoded as a time.Time.
func isTimeError(err error) bool {
	var wrong *jsonv2.SemanticError
	for errors.As(err, &wrong) {
		if wrong.GoType == reflect.TypeFor[time.Time]() {
			return true
		}
		err = wrong.Err
	}
	return false
}

var (
	// Base64 may have line breaks, as in MIME.
	decodeOptions = jsonv2.JoinOptions(jsontext.AllowInvalidUTF8(true), jsonv1.ParseBytesWithLooseRFC4648(true))
	// legacyOptions make the decoder continue after a member of the wrong type. It
	// could not do so while it looks for names that occur twice, which the first
	// pass has done.
	legacyOptions = jsonv2.JoinOptions(decodeOptions, jsontext.AllowDuplicateNames(true),
		jsonv1.ReportErrorsWithLegacySemantics(true))
)

// The types of the library are encoded and decoded by the rules of
// encoding/json/v2, which their tags are written for. Types of callers are
// encoded and decoded by encoding/json: names match in any case, omitempty
// leaves out zero, a nil list is null. The library's own encoder and decoder, with
// the same rules, are used only to reveal a Secret in them and to find out what is
// wrong with a response.

// origin says who wrote a type, which decides the rules for its JSON.
type origin uint8

const (
	ofNobody  origin = iota // a basic type, or one that both rules treat alike
	ofLibrary               // written for the rules of encoding/json/v2
	ofCaller                // written for those of encoding/json
)

// originOf looks through pointers, lists and maps, and into the arguments of a
// generic type.
func originOf(t reflect.Type) origin {
	for t.Name() == "" {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		default:
			return ofCaller // a struct without a name, or whatever an interface holds
		}
	}
	switch {
	case t.PkgPath() == "" || t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[json.RawMessage]():
		return ofNobody
	case t.PkgPath() != reflect.TypeFor[typeFacts]().PkgPath():
		return ofCaller
	case strings.HasSuffix(t.Name(), "]") && hasCallersField(t):
		return ofCaller // a Nullable or a GraphQLConnection of another type
	}
	return ofLibrary
}

// hasCallersField is a function of its own, because a loop over fields moves the results of
// the function around it to the heap.
func hasCallersField(t reflect.Type) bool {
	for field := range t.Fields() {
		if originOf(field.Type) == ofCaller {
			return true
		}
	}
	return false
}

// isCallers reports whether the JSON of a type follows the rules of
// encoding/json.
func isCallers(t reflect.Type) bool { return t != nil && originOf(t) != ofLibrary }

// callersRules are those of encoding/json for the library's decoder.
var callersRules = jsonv1.DefaultOptionsV1()

// marshal encodes a value of a caller's type, or one of the library's.
func marshal(value any, callers bool) ([]byte, error) {
	if callers {
		return json.Marshal(value)
	}
	return jsonv2.Marshal(value)
}

// marshalRevealing is marshal with other rules for some types.
func marshalRevealing(value any, callers bool, more *jsonv2.Marshalers) ([]byte, error) {
	if callers {
		return jsonv2.Marshal(value, callersRules, jsonv2.WithMarshalers(more))
	}
	return jsonv2.Marshal(value, jsonv2.WithMarshalers(more))
}

// contains reports whether a type that is found is part of another one. It does
// not look into types of other packages that decode themselves.
func contains(t reflect.Type, found func(reflect.Type) bool, seen map[reflect.Type]bool) bool {
	if found(t) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return contains(t.Elem(), found, seen)
	case reflect.Struct:
		for field := range t.Fields() {
			if field.Tag.Get("json") != "-" && contains(field.Type, found, seen) {
				return true
			}
		}
	}
	return false
}

// holdsLibrary reports whether a type of the library is part of a caller's.
func holdsLibrary(t reflect.Type) bool {
	own := reflect.TypeFor[typeFacts]().PkgPath()
	isLibrary := func(t reflect.Type) bool { return t.Kind() == reflect.Struct && t.PkgPath() == own }
	return contains(t, isLibrary, map[reflect.Type]bool{})
}

// decodeString decodes a JSON string.
func decodeString(data []byte, s *string) error {
	if content, ok := jsonx.Plain(data); ok {
		*s = string(content)
		return nil
	}
	return jsonv2.Unmarshal(data, s, decodeOptions)
}

// revealing encodes the real value of types whose methods would encode a
// placeholder: a [Secret], and the content of a [Nullable].
var revealing = sync.OnceValue(func() *jsonv2.Marshalers {
	return jsonv2.JoinMarshalers(
		jsonv2.MarshalFunc(func(s Secret) ([]byte, error) {
			if s.Reveal() == redacted {
				return nil, errReadBack
			}
			return jsonv2.Marshal(s.Reveal())
		}),
		jsonv2.MarshalToFunc(func(enc *jsontext.Encoder, n nullable) error {
			rules := jsonv2.DefaultOptionsV2()
			if n.isCallers() {
				rules = callersRules
			}
			return jsonv2.MarshalEncode(enc, n.content(), rules)
		}),
		jsonv2.MarshalFunc(func(n json.Number) ([]byte, error) { return json.Marshal(n) }),
	)
})

// encodeJSON is the only place where the value of a [Secret] is encoded. It returns
// the secrets of the value. Most bodies have none: they are encoded once, without a
// placeholder in the result, which is faster than looking for secrets in each value.
func encodeJSON(value any, callers bool) (data []byte, secrets []string, err error) {
	data, err = marshal(value, callers)
	hidden := placeholdersIn(data)
	if callers || err != nil || hidden > 0 {
		secrets = secretsIn(nil, reflect.ValueOf(value), 0)
	}
	if err == nil && hidden == 0 {
		return data, secrets, nil
	}
	data, err = marshalRevealing(value, callers, revealing())
	// What is left is in a plain string, unless it is in place of a secret.
	if left := placeholdersIn(data); left > 0 && hidden-left < len(secrets) {
		err = cmp.Or(err, errPlaceholder)
	}
	return data, secrets, err
}

func placeholdersIn(data []byte) int { return bytes.Count(data, []byte(redacted)) }

var (
	errReadBack = errors.New("a Secret is the placeholder that another one was encoded as; " +
		"store what Secret.Reveal returns")
	errPlaceholder = errors.New("a Secret was encoded as a placeholder by a method of another type; " +
		"encode what Secret.Reveal returns")
)

// typeFacts caches facts about types. Each fact is found when it is first needed.
type typeFacts struct{ secret, rules, params sync.Map }

// known returns a fact about a type.
func known[T any](facts *sync.Map, t reflect.Type, find func(reflect.Type) T) T {
	if fact, ok := facts.Load(t); ok {
		return fact.(T)
	}
	fact := find(t)
	facts.Store(t, fact)
	return fact
}

// mayHoldSecret reports whether a value of the type may contain a [Secret], so that no
// error and no dump may quote its JSON. A nil type has no values.
func (f *typeFacts) mayHoldSecret(t reflect.Type) bool {
	isSecret := func(t reflect.Type) bool { return t == reflect.TypeFor[Secret]() }
	find := func(t reflect.Type) bool { return contains(t, isSecret, map[reflect.Type]bool{}) }
	return t != nil && known(&f.secret, t, find)
}

func isNilValue(v reflect.Value) bool {
	return (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.IsNil()
}

// marshalString encodes a string as JSON.
func marshalString(s string) ([]byte, error) { return json.Marshal(s) }

// decodeWithExtra replaces a struct by what an object decodes to, and extra, which may be a field of
// it, by the members that the struct has no field for, nil if there are none.
func decodeWithExtra[T any](data []byte, v *T, extra *map[string]json.RawMessage) (err error) {
	*v = *new(T)
	both := struct {
		Known *T                         `json:",inline,embed"`
		Extra map[string]json.RawMessage `json:",inline,embed"`
	}{Known: v}
	if !jsonx.IsNull(data) {
		err = unmarshalMembers(data, &both)
	}
	*extra = both.Extra
	return err
}

// encodeWithExtra encodes a struct as an object with more members.
func encodeWithExtra(v any, extra map[string]json.RawMessage) ([]byte, error) {
	object, err := jsonv2.Marshal(v)
	if err != nil || len(extra) == 0 {
		return object, err
	}
	more, err := jsonv2.Marshal(extra, jsonv2.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return jsonx.Join(object, more), nil
}
