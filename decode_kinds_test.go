package serviceapi

import (
	"errors"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResponsesThatAreNoObject checks that they are an error: a zero struct
// would look like an object.
func TestResponsesThatAreNoObject(t *testing.T) {
	for body, want := range map[string]error{
		"": errEmptyBody, " \r\n": errEmptyBody, "null": errNull, " null ": errNull, "{}": errEmptyObject,
		" { \r\n\t} ": errEmptyObject,
		"<html>":      errNotJSON, " \n<!DOCTYPE": errNotJSON,
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		job, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
		assert.Nil(t, job, "%q", body)
		assert.NotNil(t, resp, "%q", body)
		assert.ErrorIs(t, err, want, "%q", body)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode)
		assert.False(t, decode.Partial)
		assert.Equal(t, body, decode.Excerpt)
	}
	for _, body := range []string{"[}", "x}", `{"id":8`, `{"id":8}x`, "7", `"text"`, "[]"} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		job, _, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
		assert.Nil(t, job, "%q", body)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode, "%q", body)
		for _, other := range []error{errEmptyBody, errEmptyObject, errNotJSON, errNull} {
			assert.NotErrorIs(t, err, other, "%q", body)
		}
	}
	for body, want := range map[string]error{"": errEmptyBody, " ": errEmptyBody, "<": errNotJSON, "null": errNull} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		_, _, err := client.Jobs.List(t.Context(), ProjectID(1), nil)
		assert.ErrorIs(t, err, want, "a list: %q", body)
	}
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, " { } "))
	empty, _, err := Get[map[string]int](t.Context(), client, Route("/x"))
	require.NoError(t, err, "a map may be empty")
	assert.Equal(t, &map[string]int{}, empty)
	client, _ = scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, "{}"))
	_, err = client.Do(t.Context(), "GET", Route("/x"), nil, new(struct{}))
	assert.NoError(t, err, "whoever asks for anything may get an empty object")
}

// TestWrongKindsAreDescribed checks that the error says where a value of the
// wrong kind is, and what was expected, without quoting the value.
func TestWrongKindsAreDescribed(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"id":"secret","name":"x"}`:                   {"/id", "a JSON string does not fit int64"},
		`{"id":8,"name":7}`:                            {"/name", "a JSON number does not fit string"},
		`{"id":8,"allow_failure":"secret","name":"x"}`: {"/allow_failure", "a JSON string does not fit bool"},
		`{"id":8,"user":{"id":true},"name":"x"}`:       {"/user/id", "a JSON boolean does not fit int64"},
		`{"id":8,"tag_list":["a",{}],"name":"x"}`:      {"/tag_list/1", "a JSON object does not fit string"},
		`{"id":[8],"name":"x"}`:                        {"/id", "a JSON array does not fit int64"},
		`{"id":8,"created_at":"secret","name":"x"}`:    {"/created_at", "a JSON string does not fit time.Time"},
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, body))
		job, _, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
		var decode *DecodeError
		require.ErrorAs(t, err, &decode, body)
		assert.True(t, decode.Partial, body)
		assert.Equal(t, want, [2]string{decode.Pointer, decode.Err.Error()}, body)
		require.NotNil(t, job)
		if want[0] == "/id" {
			assert.Equal(t, "x", job.Name)
		} else {
			assert.EqualValues(t, 8, job.ID)
		}
	}
}

func TestDescriptionsOfWrongKinds(t *testing.T) {
	assert.EqualError(t, describeWrongKind(&json.SemanticError{}), "a member of the wrong type")
	assert.EqualError(t, describeWrongKind(&json.SemanticError{JSONKind: '"'}), "a member of the wrong type")
	assert.EqualError(t, describeWrongKind(&json.SemanticError{GoType: reflect.TypeFor[int]()}),
		"a member of the wrong type")
	for kind, name := range map[jsontext.Kind]string{'n': "null", 't': "boolean", 'f': "boolean", '"': "string",
		'0': "number", '{': "object", '[': "array"} {
		assert.Equal(t, name, kindName(kind))
	}
	inner := &json.SemanticError{JSONPointer: "/b/1"}
	assert.Equal(t, "/a/b/1", pointerOf(&json.SemanticError{JSONPointer: "/a", Err: inner}))
	assert.Equal(t, "/a", pointerOf(&json.SemanticError{JSONPointer: "/a", Err: errors.New("x")}))
	assert.False(t, isPartial(nil))
	assert.False(t, isPartial(&DecodeError{}))
	assert.True(t, isPartial(&DecodeError{Partial: true}))
}

// TestMembersOfAResponse checks that the JSON pointer in an error begins at the
// response, whatever part was decoded.
func TestMembersOfAResponse(t *testing.T) {
	a := answerTo(t, "", nil)
	v := struct {
		N int `json:"n"`
	}{N: 7}
	assert.NoError(t, a.decodeMember("/data", nil, &v), "a member that does not exist changes nothing")
	assert.Equal(t, 7, v.N)
	require.NoError(t, a.decodeMember("/data", []byte(`{"n":8}`), &v))
	assert.Equal(t, 8, v.N)
	var decode *DecodeError
	require.ErrorAs(t, a.decodeMember("/data", []byte(`{"n":"x"}`), &v), &decode)
	assert.Equal(t, "/data/n", decode.Pointer)
	assert.True(t, decode.Partial)
	require.ErrorAs(t, a.decodeMember("/data", []byte(`{"n":`), &v), &decode)
	assert.Equal(t, "/data", decode.Pointer)
	assert.False(t, decode.Partial)
}
