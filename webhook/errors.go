package webhook

import (
	"errors"
	"net/http"
)

// These errors say why a request was refused. Their texts contain neither the body nor
// a token or a signature.
var (
	ErrMethod           = errors.New("webhook: the method is not POST")
	ErrContentType      = errors.New("webhook: the content type is not JSON")
	ErrNoEventHeader    = errors.New("webhook: no header says which event it is")
	ErrAmbiguousHeaders = errors.New("webhook: several headers say which event it is")
	ErrTooLarge         = errors.New("webhook: the body is too large, or has too many objects")
	ErrBody             = errors.New("webhook: the body could not be read")
	ErrNotJSON          = errors.New("webhook: the body is not a JSON object")

	ErrTokenMissing     = errors.New("webhook: the token is missing")
	ErrTokenWrong       = errors.New("webhook: the token is wrong")
	ErrSignatureMissing = errors.New("webhook: the signature is missing")
	ErrSignatureWrong   = errors.New("webhook: the signature is wrong")
	// ErrTimestampOld means that the signature is older than the tolerance, by the clock of the
	// verifier: the request was sent again by somebody else, or a clock is wrong.
	// ErrTimestampFuture means that it is newer. See [Tolerance] and [Clock].
	ErrTimestampOld    = errors.New("webhook: the signature is too old" + otherClock)
	ErrTimestampFuture = errors.New("webhook: the signature is from the future" + otherClock)
)

// otherClock says what the cause is in tests.
const otherClock = "; if package servicetest sent it, use webhook.Clock(svc.Now), or start the service with " +
	"servicetest.WithClock(time.Now)"

// statuses are the responses to refused requests.
var statuses = []struct {
	err    error
	status int
}{
	{ErrMethod, http.StatusMethodNotAllowed},
	{ErrContentType, http.StatusUnsupportedMediaType},
	{ErrNoEventHeader, http.StatusBadRequest},
	{ErrAmbiguousHeaders, http.StatusBadRequest},
	{ErrTooLarge, http.StatusRequestEntityTooLarge},
	{ErrBody, http.StatusBadRequest},
	{ErrNotJSON, http.StatusBadRequest},
	{ErrTokenMissing, http.StatusUnauthorized},
	{ErrTokenWrong, http.StatusUnauthorized},
	{ErrSignatureMissing, http.StatusUnauthorized},
	{ErrSignatureWrong, http.StatusUnauthorized},
	{ErrTimestampOld, http.StatusUnauthorized},
	{ErrTimestampFuture, http.StatusUnauthorized},
}

// StatusCode returns the status with which [Handler] responds to an error: 400, 401,
// 405, 413 or 415 for what [Parse] refuses, 200 for nil, and 500 for any other error.
func StatusCode(err error) int {
	if err == nil {
		return http.StatusOK
	}
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			return s.status
		}
	}
	return http.StatusInternalServerError
}
