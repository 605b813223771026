package serviceapi

import (
	"context"
	"net/http"
	"strings"
)

// RefreshError means that the library could not get a token: from the source of
// [OAuth2], or from the service for a [RegistryCatalog]. If the call was sent
// with an old token and refused with 401, the error of the call is the
// service's, such as an [*Error] or a [*MergeError], and it wraps the
// RefreshError. If the call could not be sent because there was no token, a
// [*TransportError] wraps it. Use errors.As to find it.
type RefreshError struct {
	// Err is the cause, such as an [*Error] whose Reason is "invalid_grant" if
	// the user has to sign in again, or a [*TransportError].
	Err error
}

// Error describes the cause.
func (e *RefreshError) Error() string {
	return "cannot get a token: " + printable(textOfCause(e.Err), maxErrorText)
}

// Unwrap returns the cause.
func (e *RefreshError) Unwrap() error { return e.Err }

// authorized runs the call, once more if its credential was refused and could
// be replaced.
func (s *sending) authorized() (*http.Response, error) {
	resp, err := s.run()
	source, ok := s.options.credential.(refresher)
	if err != nil || !ok {
		return resp, err
	}
	if resp.StatusCode != http.StatusUnauthorized {
		source.settle(s.answer.secret, resp.StatusCode)
		return resp, nil
	}
	explicit := s.answer.deniesToken()
	if !explicit && s.endpoint.forbidsBy401 || s.body != nil && !s.body.rewindable() {
		return resp, nil
	}
	again, err := source.refresh(s.ctx, s.answer.secret, explicit)
	if s.ctx.Err() != nil {
		return nil, context.Cause(s.ctx)
	}
	s.answer.refreshFailure = err
	if !again {
		return resp, nil
	}
	if resp, err = s.run(); err == nil {
		source.settle(s.answer.secret, resp.StatusCode)
	}
	return resp, err
}

// deniesToken reports whether a 401 says that the token is not valid, rather
// than that the caller may not do something (RFC 6750, 3.1).
func (a *answer) deniesToken() bool {
	const reason = "invalid_token"
	for _, challenge := range a.resp.Header.Values("WWW-Authenticate") {
		if strings.Contains(challenge, `error="`+reason+`"`) || strings.Contains(challenge, "error="+reason) {
			return true
		}
	}
	return a.statusError().Reason == reason
}

// refreshError returns why the token that was refused is still the old one, or
// nil.
func (a *answer) refreshError() error {
	if a.refreshFailure == nil {
		return nil
	}
	return asRefreshError(a.secrets().HideErr(a.refreshFailure))
}
