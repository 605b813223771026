// Package jsonx reads single JSON values. It is called for every value of a
// list, so common values are read directly from their bytes.
package jsonx

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Lenient are the options for bodies that only have to be understood, such as
// those of errors.
var Lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Plain returns the content of a JSON string that has no escapes.
func Plain(data []byte) (content []byte, ok bool) {
	if len(data) < 2 || data[0] != '"' || data[len(data)-1] != '"' {
		return nil, false
	}
	content = data[1 : len(data)-1]
	for _, c := range content {
		if c < ' ' || c == '"' || c == '\\' {
			return nil, false
		}
	}
	return content, utf8.Valid(content)
}

// Text returns the value of a JSON string, and "" for every other value. Invalid
// UTF-8 is replaced.
func Text(v []byte) string {
	if content, ok := Plain(v); ok {
		return string(content)
	}
	if jsontext.Value(v).Kind() != '"' {
		return ""
	}
	text, _ := jsontext.AppendUnquote(nil, v) // on error, what could be read
	return string(text)
}

// IsString reports whether data is a JSON string.
func IsString(data []byte) bool {
	data = bytes.TrimSpace(data)
	return len(data) > 0 && data[0] == '"'
}

// IsNull reports whether data is null.
func IsNull(data []byte) bool { return string(bytes.TrimSpace(data)) == "null" }

// IsEmptyObject reports whether data, which begins with a value, is an object without
// members.
func IsEmptyObject(data []byte) bool {
	return data[0] == '{' && bytes.HasPrefix(bytes.TrimLeft(data[1:], " \t\r\n"), []byte("}"))
}
