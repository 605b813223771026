// Package header reads values of HTTP headers: links between pages, waits, rate
// limits, and which part of which version of a content a response has. Names are
// in their canonical form.
package header

import (
	"net/http"
	"strconv"
	"strings"
)

// RequestID is the name of the header that identifies a request in the logs of
// the service.
const RequestID = "X-Request-Id"

// First is h.Get for a name in its canonical form.
func First(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// Number returns a number that is not negative, or 0 for everything else.
func Number(h http.Header, name string) int {
	value := First(h, name)
	if value == "" {
		return 0 // without the error that strconv would make
	}
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// IsName reports whether a string can be the name of a header.
func IsName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&'*+-.^_`|~", r) &&
			(r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// IsValue reports whether a string can be the value of a header.
func IsValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
