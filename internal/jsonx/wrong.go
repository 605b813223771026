package jsonx

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Pointer joins the pointer of an error with those of the errors inside it,
// which begin where a type decodes itself.
func Pointer(e *json.SemanticError) string {
	pointer := string(e.JSONPointer)
	var inner *json.SemanticError
	if errors.As(e.Err, &inner) {
		pointer += Pointer(inner)
	}
	return pointer
}

// Describe says what is wrong with a member, without quoting its
// value.
func Describe(e *json.SemanticError) error {
	if e.JSONKind == 0 || e.GoType == nil {
		return ErrWrongKind
	}
	if e.JSONKind == '"' && e.GoType == reflect.TypeFor[[]byte]() {
		return errors.New("a JSON string is not Base64")
	}
	typ := e.GoType
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	return fmt.Errorf("a JSON %s does not fit %s", kindName(e.JSONKind), typ)
}

// kindName names a kind of JSON for people.
func kindName(kind jsontext.Kind) string {
	switch kind {
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	}
	return kind.String()
}

// InPart is the error of a value that could be decoded in part. A pointer to the value is kept,
// even if the part that could be decoded is zero.
type InPart struct{ Err error }

func (e InPart) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong with the other part.
func (e InPart) Unwrap() error { return e.Err }

func isInPart(err error) bool {
	_, is := errors.AsType[InPart](err)
	return is
}
