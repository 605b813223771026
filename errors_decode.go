package serviceapi

import (
	"cmp"
	"net/http"
	"time"

	"example.com/serviceapi/internal/errbody"
)

// maxErrorBody is the maximum number of bytes that are read of an error
// response.
const maxErrorBody = 1 << 20

// read takes over what the body of a response says.
func (e *Error) read(b errbody.Body) {
	e.Message = cmp.Or(b.Message, http.StatusText(e.StatusCode))
	e.Fields, e.Code, e.Reason, e.Description, e.Scope = b.Fields, b.Code, b.Reason, b.Description, b.Scope
}

// classify gives a response a more specific error type if there is one.
func classify(e *Error, retryAfter time.Duration) error {
	switch {
	case e.StatusCode == http.StatusTooManyRequests:
		return &RateLimitError{Err: e, RetryAfter: retryAfter}
	case e.StatusCode == http.StatusForbidden && e.Reason == "insufficient_scope":
		return &InsufficientScopeError{Err: e, Scope: e.Scope}
	}
	return e
}
