package serviceapi

import (
	"errors"
	"net/http"
)

// MayHaveExecuted reports whether the service may have executed a write that
// returned err. It is false only where the service certainly did not: the
// arguments were refused before anything was sent, no connection was made, or
// every attempt was refused with 429 or for a resource lock. It is true for
// everything else, also for nil.
//
// If it is false, the call can be made again. If it is true, look first: read
// what the write would have changed, or repeat only a write that may safely be
// executed twice.
func MayHaveExecuted(err error) bool {
	if e, ok := errors.AsType[*TransportError](err); ok {
		return e.uncertain
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.uncertain
	}
	return !hasType[*ArgumentError](err)
}

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
