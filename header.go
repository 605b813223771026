package serviceapi

import (
	"net/http"

	"example.com/serviceapi/internal/header"
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
	if !header.IsName(name) {
		return &ArgumentError{Argument: "header name", Problem: "is not one: " + printable(name, 60)}
	}
	if why, reserved := reservedHeaders[http.CanonicalHeaderKey(name)]; reserved {
		return &ArgumentError{Argument: "header " + name, Problem: "cannot be set here: " + why}
	}
	if !header.IsValue(value) {
		return &ArgumentError{Argument: "header " + name, Problem: "contains a control character"}
	}
	return nil
}
