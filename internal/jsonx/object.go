package jsonx

import "bytes"

// Names calls see with the name of each member of an object, and reports whether
// data is one. The JSON must be valid: values are skipped without being read.
func Names(data []byte, see func(name string)) bool {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return false
	}
	isName := true
	for depth, i := 0, 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			end := i + stringLength(data[i:])
			if depth == 1 && isName {
				see(Text(data[i:end]))
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ':':
			isName = false
		case ',':
			isName = depth == 1
		}
	}
	return true
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
