package serviceapi

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Helpers for types that decode themselves. They are called for every value of
// a list, so common values are decoded directly from their bytes.

// plainString returns the content of a JSON string that has no escapes.
func plainString(data []byte) (content []byte, ok bool) {
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

// decodeString decodes a JSON string.
func decodeString(data []byte, s *string) error {
	if content, ok := plainString(data); ok {
		*s = string(content)
		return nil
	}
	return json.Unmarshal(data, s, decodeOptions)
}

// isString reports whether data is a JSON string.
func isString(data []byte) bool {
	data = bytes.TrimSpace(data)
	return len(data) > 0 && data[0] == '"'
}

func isNull(data []byte) bool { return string(bytes.TrimSpace(data)) == "null" }
