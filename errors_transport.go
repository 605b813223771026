package serviceapi

import (
	"fmt"
	"strings"
)

// TransportError is a call that ended without a response, or during a wait
// before another attempt. It unwraps to its cause, so that errors.Is finds
// context.Canceled, context.DeadlineExceeded and the cause of the context, and
// to the last error response if there was one.
type TransportError struct {
	// Method, Operation and URL are as in [Error].
	Method, Operation, URL string
	// Attempts is the number of times the request was sent.
	Attempts int
	// Err is the cause.
	Err error
	// Last is the last error response of the service, or nil if there was none.
	Last *Error

	held      reasonHeld
	uncertain bool
}

// Error describes the cause and the last response.
func (e *TransportError) Error() string {
	var b strings.Builder
	b.WriteString(requestLine(e.Method, e.URL, e.Operation) + ": " + printable(textOfCause(e.Err), maxErrorText))
	writeAttempts(&b, e.Attempts, e.held)
	if e.Last != nil {
		fmt.Fprintf(&b, "; the last response was %s", withStatus(e.Last.StatusCode, e.Last.Message))
	}
	return b.String()
}

// Unwrap returns the cause and the last response.
func (e *TransportError) Unwrap() []error {
	if e.Last == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.Last}
}

// RedirectError is a redirect that was not followed, because it would have sent
// a body or a credential to another origin, or turned a write into a read.
type RedirectError struct {
	// Method, Operation and URL are as in [Error].
	Method, Operation, URL string
	// StatusCode is the status of the redirect.
	StatusCode int
	// Location is where it pointed, without query and user information.
	Location string
	// Reason says why it was not followed.
	Reason string
}

// Error describes the redirect.
func (e *RedirectError) Error() string {
	return fmt.Sprintf("%s: redirect %d to %s was not followed: %s",
		requestLine(e.Method, e.URL, e.Operation), e.StatusCode, printable(e.Location, maxErrorText), e.Reason)
}
