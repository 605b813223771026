// Package graphql parses and executes GraphQL operations on a schema whose fields are
// Go functions. It supports queries and mutations with arguments, variables and
// aliases, and connections. It does not support fragments, directives, subscriptions,
// introspection other than __typename, or selecting a field twice without an alias. Of
// the types of variables, it checks only "!".
package graphql

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A Schema has the types and fields for operations. Each operation has a context of
// type C, which every field gets.
type Schema[C any] struct {
	Query, Mutation *Type[C]

	// Before, if not nil, is called before each field is resolved. field includes the
	// type, as in "Query.project". If Before returns an error, the field is null and
	// the response has the error.
	Before func(c C, field string) error

	// MaxComplexity, if not nil, returns the highest complexity of an operation.
	MaxComplexity func(c C) int
}

// A Type is an object type.
type Type[C any] struct {
	Name   string
	Fields map[string]*Field[C]
}

// A Field is a field of an object type. Every field can be null.
type Field[C any] struct {
	// Type is the type of the object, or of the objects in a list. It is nil for
	// scalars, enumerations and lists of them.
	Type *Type[C]

	// Args has the types of the arguments by name, with "!" for required ones.
	Args map[string]string

	// Resolve returns the value of the field for an object, which is nil at the root. A
	// list of objects must be a []any.
	Resolve func(c C, of any, args Args) (any, error)
}

// Scalar defines a field without arguments whose value is sent as it is.
func Scalar[C, T any](value func(T) any) *Field[C] {
	return Object[C](nil, value)
}

// Object defines a field without arguments that is an object of a type.
func Object[C, T any](typ *Type[C], value func(T) any) *Field[C] {
	return &Field[C]{Type: typ, Resolve: func(_ C, of any, _ Args) (any, error) { return value(of.(T)), nil }}
}

// Types returns the object types of the schema by name.
func (s *Schema[C]) Types() map[string]*Type[C] {
	types := make(map[string]*Type[C])
	s.Query.collect(types)
	s.Mutation.collect(types)
	return types
}

func (t *Type[C]) collect(into map[string]*Type[C]) {
	if t == nil || into[t.Name] != nil {
		return
	}
	into[t.Name] = t
	for _, f := range t.Fields {
		f.Type.collect(into)
	}
}

// HasField reports whether the schema has a field. The name includes the type, as in
// "Query.project".
func (s *Schema[C]) HasField(name string) bool {
	typ, field, _ := strings.Cut(name, ".")
	t := s.Types()[typ]
	return t != nil && t.Fields[field] != nil
}

// Args are the arguments of a field: nil, bool, string, json.Number, []any or
// map[string]any. The values of enumerations are strings.
type Args map[string]any

// A Failure is the reason in the response why a field is null.
type Failure string

func (f Failure) Error() string { return string(f) }

func invalidArgument(name string) error {
	return Failure("Argument '" + name + "' has an invalid value")
}

// String returns an argument of type ID, String or an enumeration, or "" if it
// is null or absent.
func (a Args) String(name string) (string, error) {
	switch value := a[name].(type) {
	case nil:
		return "", nil
	case string:
		return value, nil
	case json.Number:
		return value.String(), nil
	case bool:
		return strconv.FormatBool(value), nil
	}
	return "", invalidArgument(name)
}

// Int returns an argument of type Int that is not negative, or the fallback if
// it is null or absent.
func (a Args) Int(name string, fallback int) (int, error) {
	if a[name] == nil {
		return fallback, nil
	}
	number, _ := a[name].(json.Number) // empty if it is not a number
	n, err := strconv.Atoi(number.String())
	if err != nil || n < 0 {
		return 0, invalidArgument(name)
	}
	return n, nil
}
