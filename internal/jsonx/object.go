package jsonx

import (
	"bytes"
	"iter"
)

// Names calls see with the name of each member of an object, and reports whether
// data is one. The JSON must be valid: values are skipped without being read.
func Names(data []byte, see func(name string)) bool {
	for name := range Members(data) {
		see(string(name))
	}
	data = bytes.TrimSpace(data)
	return len(data) > 0 && data[0] == '{'
}

// Members yields the names and values of an object. Data must be valid JSON: values are found
// without being read. What is no object has no members.
func Members(data []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		data = bytes.TrimSpace(data)
		if len(data) == 0 || data[0] != '{' {
			return
		}
		var name []byte
		for depth, from, i := 0, 0, 0; i < len(data); i++ { // from is where a value begins, 0 before that
			switch data[i] {
			case '"':
				end := i + stringLength(data[i:])
				if depth == 1 && from == 0 {
					name = unquoted(data[i:end])
				}
				i = end - 1
			case ':':
				if depth == 1 && from == 0 {
					from = i + 1
				}
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			if ends := depth == 1 && data[i] == ',' || depth == 0; ends && from > 0 {
				if !yield(name, bytes.TrimSpace(data[from:i])) {
					return
				}
				from = 0
			}
		}
	}
}

// unquoted returns the value of a JSON string.
func unquoted(data []byte) []byte {
	if content, ok := Plain(data); ok {
		return content
	}
	return []byte(Text(data))
}

// stringLength returns the length of the string that data begins with, with its
// quotes.
func stringLength(data []byte) int {
	for i := 1; ; i++ {
		next := bytes.IndexByte(data[i:], '"')
		if next < 0 {
			return len(data)
		}
		i += next
		escapes := 0
		for data[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}

// Join returns an object with the members of two others.
func Join(a, b []byte) []byte {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	switch {
	case isEmpty(a):
		return b
	case isEmpty(b):
		return a
	}
	joined := make([]byte, 0, len(a)+len(b))
	joined = append(joined, a[:len(a)-1]...)
	joined = append(joined, ',')
	return append(joined, b[1:]...)
}

func isEmpty(object []byte) bool { return len(bytes.TrimSpace(object[1:len(object)-1])) == 0 }
