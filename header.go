package serviceapi

import (
	"net/http"
	"strings"
)

// reservedHeaders are set only by the library. Otherwise a caller could, for
// example, send two credentials at once.
var reservedHeaders = map[string]string{
	"Authorization":     "use WithCredential",
	"Private-Token":     "use WithCredential",
	"Job-Token":         "use WithCredential",
	"Cookie":            "use WithCredential",
	"Sudo":              "use WithSudo",
	"Host":              "it follows from the base URL",
	"Content-Length":    "it follows from the body",
	"Transfer-Encoding": "it follows from the body",
	"Connection":        "it belongs to the transport",
	"Content-Type":      "it follows from the body",
	"Accept-Encoding":   "the library decodes what it asks for",
}

func checkHeader(name, value string) error {
	if !validHeaderName(name) {
		return &ArgumentError{Argument: "header name", Problem: "is not one: " + printable(name, 60)}
	}
	if why, reserved := reservedHeaders[http.CanonicalHeaderKey(name)]; reserved {
		return &ArgumentError{Argument: "header " + name, Problem: "cannot be set here: " + why}
	}
	if !validHeaderValue(value) {
		return &ArgumentError{Argument: "header " + name, Problem: "contains a control character"}
	}
	return nil
}

func validHeaderName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&'*+-.^_`|~", r) &&
			(r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

func validHeaderValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
