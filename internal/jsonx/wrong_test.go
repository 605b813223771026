package jsonx

import (
	"errors"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
)

func TestDescriptionsOfWrongKinds(t *testing.T) {
	assert.EqualError(t, Describe(&json.SemanticError{}), "a member of the wrong type")
	assert.EqualError(t, Describe(&json.SemanticError{JSONKind: '"'}), "a member of the wrong type")
	assert.EqualError(t, Describe(&json.SemanticError{GoType: reflect.TypeFor[int]()}),
		"a member of the wrong type")
	for kind, name := range map[jsontext.Kind]string{'n': "null", 't': "boolean", 'f': "boolean", '"': "string",
		'0': "number", '{': "object", '[': "array"} {
		assert.Equal(t, name, kindName(kind))
	}
	inner := &json.SemanticError{JSONPointer: "/b/1"}
	assert.Equal(t, "/a/b/1", Pointer(&json.SemanticError{JSONPointer: "/a", Err: inner}))
	assert.Equal(t, "/a", Pointer(&json.SemanticError{JSONPointer: "/a", Err: errors.New("x")}))
}
