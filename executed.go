package serviceapi

import (
	"errors"
	"net/http"
)

// MayHaveExecuted reports whether the service may have executed a write that
// returned err. It is false only if the service certainly did not: an argument
// was refused before anything was sent, no connection was made, or every
// attempt was refused with 429 or because of a resource lock. It is true for
// everything else, including nil.
//
// If it is false, the call can be made again. If it is true, first read what
// the write would have changed, unless the write can safely be executed twice.
func MayHaveExecuted(err error) bool {
	if e, ok := errors.AsType[callError](err); ok {
		return e.mayHaveExecuted()
	}
	return !hasType[*ArgumentError](err)
}

// callError is an error of a whole call: an [*Error] or a [*TransportError].
// The first one in a chain is the error of the call itself. It may wrap the
// error of a request for a token.
type callError interface {
	error
	mayHaveExecuted() bool
}

// errorResponse returns the error response that a call ended with, or nil. The
// last response of a call that ended during a wait does not count, nor does that
// to a request for a token.
func errorResponse(err error) *Error {
	ended, _ := errors.AsType[callError](err)
	response, _ := ended.(*Error)
	return response
}

func (e *Error) mayHaveExecuted() bool          { return orZero(e).uncertain }
func (e *TransportError) mayHaveExecuted() bool { return e.uncertain }

// wasNotExecuted reports whether an attempt certainly had no effect.
func wasNotExecuted(a *answer, err error) bool {
	if err != nil {
		return notSent(err) || hasType[*limiterError](err) || hasType[*proxyError](err)
	}
	switch a.resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusConflict:
		return a.isResourceLock()
	}
	return false
}
