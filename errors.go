package serviceapi

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/internal/text"
)

// Sentinels for [errors.Is], one for each status that the service documents. An
// [*Error] matches the sentinel of its status; ErrServer matches every status
// of 500 and above. A 404 that is a web page does not come from the API and does not match
// ErrNotFound.
var (
	ErrNotModified        error = &sentinel{http.StatusNotModified, "not modified"}
	ErrBadRequest         error = &sentinel{http.StatusBadRequest, "bad request"}
	ErrUnauthorized       error = &sentinel{http.StatusUnauthorized, "unauthorized"}
	ErrForbidden          error = &sentinel{http.StatusForbidden, "forbidden"}
	ErrNotFound           error = &sentinel{http.StatusNotFound, "not found"}
	ErrMethodNotAllowed   error = &sentinel{http.StatusMethodNotAllowed, "method not allowed"}
	ErrNotAcceptable      error = &sentinel{http.StatusNotAcceptable, "not acceptable"}
	ErrConflict           error = &sentinel{http.StatusConflict, "conflict"}
	ErrPreconditionFailed error = &sentinel{http.StatusPreconditionFailed, "precondition failed"}
	ErrUnprocessable      error = &sentinel{http.StatusUnprocessableEntity, "unprocessable entity"}
	ErrRateLimited        error = &sentinel{http.StatusTooManyRequests, "rate limited"}
	ErrServer             error = &sentinel{http.StatusInternalServerError, "server error"}
)

// sentinel is matched by every error response with its status.
type sentinel struct {
	status int
	text   string
}

func (e *sentinel) Error() string { return e.text }

// CallInfo identifies the call that an error is about.
type CallInfo struct {
	// Method is the HTTP method of the call.
	Method string
	// Operation is the path of the call with the names of its arguments, such
	// as "/projects/:id/jobs/:job_id".
	Operation string
	// URL is the address that responded, after redirects, without its query.
	// Without a response, it is the address of the call.
	URL string
}

// line describes the call by its URL or, without one, by its operation.
func (c *CallInfo) line() string {
	return c.Method + " " + text.Printable(cmp.Or(c.URL, c.Operation), maxErrorText)
}

// Error is an error response of the service. It has the status and the message,
// whatever format the response has.
type Error struct {
	CallInfo

	// StatusCode is the HTTP status.
	StatusCode int
	// Message is the service's message as one string. It is the name of the status
	// if the service sent no message.
	Message string
	// Fields holds the messages about single parameters, by the parameter's name.
	// Nested names are joined with dots. It is nil if there are no such messages.
	Fields map[string][]string
	// Code is the member error_code or scimType of the response.
	Code ErrorCode
	// Reason is the member error of the response.
	Reason ErrorReason
	// Description is the member error_description of the response.
	Description string
	// Scope is the token scope that was missing.
	Scope string
	// RequiredRole is the least role that the call needs in the project or the group of its
	// path, or [AccessLevelAdmin] if it needs an administrator. It is set for a 403 that gives
	// no reason, if the role depends on nothing else; otherwise it is [AccessLevelNone]. The
	// caller may have the role, and have been refused for another reason.
	RequiredRole AccessLevel
	// RequestID identifies the request in the logs of the service.
	RequestID string
	// Attempts is the number of times the request was sent.
	Attempts int
	// WebPage reports whether the response is a web page, which the API never sends: it
	// comes from a proxy, from a sign-in page, or from an address that is not that of the
	// API. Such a 404 does not match [ErrNotFound], because it says nothing about the object.
	WebPage bool
	// Body is the body of the response, up to 1 MiB, with the secrets of the call
	// redacted.
	Body []byte

	header http.Header
	// credential is the kind of the credential that was refused. hidden says what a 404 may
	// also mean. stopped says why the request was not repeated.
	credential string
	hidden     string
	stopped    stopReason
	uncertain  bool
	// refresh is the [*RefreshError] of a token that was refused, or nil.
	refresh error
}

// maxErrorText is the maximum length of text from the service in an error
// string.
const maxErrorText = 1000

// Error describes the response on one line, safe for terminals and logs.
func (e *Error) Error() string {
	if e == nil {
		return new(Error).Error()
	}
	var b strings.Builder
	b.WriteString(e.line() + ": " + withStatus(e.StatusCode, e.Message))
	if e.Description != "" && e.Description != e.Message {
		b.WriteString(": " + text.Printable(e.Description, maxErrorText))
	}
	if e.WebPage {
		b.WriteString(" (not the API: a web page)")
	}
	switch {
	case e.RequiredRole == AccessLevelAdmin:
		b.WriteString(" (this call needs an administrator)")
	case e.RequiredRole != AccessLevelNone:
		b.WriteString(" (this call needs at least the " + e.RequiredRole.String() + " role)")
	case e.hidden != "":
		b.WriteString(" (" + e.hidden + ")")
	}
	if e.credential != "" {
		b.WriteString(" (sent with " + e.credential + ")")
	}
	if e.refresh != nil {
		b.WriteString("; " + e.refresh.Error())
	}
	writeAttempts(&b, e.Attempts, e.stopped)
	if e.RequestID != "" {
		b.WriteString(" [request " + text.Printable(e.RequestID, 100) + "]")
	}
	return b.String()
}

// orZero returns the zero value for nil. Programs make errors by hand in their
// tests, and printing one must not panic.
func orZero[T any](v *T) *T {
	if v == nil {
		return new(T)
	}
	return v
}

// textOfCause is the text of the cause of an error, if there is one.
func textOfCause(err error) string {
	if err == nil {
		return "unknown cause"
	}
	return err.Error()
}

// stopReason is why a request that could be repeated was not. It is empty if
// the request was repeated as often as the policy allows, or is never repeated.
type stopReason string

const (
	budgetSpent  stopReason = "the retry budget of the client is spent"
	deadlineNear stopReason = "the wait would end after the deadline of the context"
	waitTooLong  stopReason = "the wait is longer than the retry policy allows"
)

func writeAttempts(b *strings.Builder, attempts int, stopped stopReason) {
	if attempts > 1 {
		fmt.Fprintf(b, " (after %d attempts)", attempts)
	}
	if stopped != "" {
		b.WriteString(" (not repeated: " + string(stopped) + ")")
	}
}

// withStatus puts the status before a message that does not already begin with
// it.
func withStatus(status int, message string) string {
	code, text := strconv.Itoa(status), text.Printable(message, maxErrorText)
	if rest, ok := strings.CutPrefix(text, code); ok && (rest == "" || rest[0] == ' ') {
		return text
	}
	return strings.TrimSuffix(code+" "+text, " ")
}

// Is reports whether target is the sentinel of the error's status. [ErrNotFound] is not that
// of a web page: see [Error.WebPage].
func (e *Error) Is(target error) bool {
	sentinel, ok := target.(*sentinel)
	if ok && sentinel.status == http.StatusNotFound && orZero(e).WebPage {
		return false
	}
	return ok && sentinel.status == min(orZero(e).StatusCode, http.StatusInternalServerError)
}

// Unwrap returns a [*RefreshError] if the service refused a token that could not
// be replaced, and nil for every other error.
func (e *Error) Unwrap() error { return orZero(e).refresh }

// Header returns the value of a response header, or "" if there is none.
func (e *Error) Header(name string) string { return orZero(e).header.Get(name) }

// RateLimitError is a 429 response that the library did not wait out, because
// the wait is longer than the policy or the context's deadline allows, or
// because no attempts were left. It unwraps to *[Error].
type RateLimitError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// RetryAfter is the wait that the service asked for, 0 if it did not ask for
	// one.
	RetryAfter time.Duration
}

// Error describes the response and the wait.
func (e *RateLimitError) Error() string {
	if e.RetryAfter <= 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("%v; retry after %v", e.Err, e.RetryAfter)
}

// Unwrap returns the *[Error].
func (e *RateLimitError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *RateLimitError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// InsufficientScopeError is the response to a token that lacks a scope. It
// unwraps to *[Error].
type InsufficientScopeError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// Scope is the missing scope, such as "sudo".
	Scope string
}

// Error describes the response and names the scope.
func (e *InsufficientScopeError) Error() string {
	return fmt.Sprintf("%v; the token needs the scope %s", e.Err, text.Printable(e.Scope, 100))
}

// Unwrap returns the *[Error].
func (e *InsufficientScopeError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *InsufficientScopeError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// InsufficientGranularScopeError is the response to a token with [AccessToken.GranularScopes] that
// lacks a permission. It unwraps to *[Error].
type InsufficientGranularScopeError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// Permissions are those that the token lacks. They are empty if the response does not name
	// them: then no permission covers the call yet, and it requires a token with Scopes.
	Permissions []GranularPermission
}

// Error describes the response, whose description names the permissions.
func (e *InsufficientGranularScopeError) Error() string { return fmt.Sprintf("%v", e.Err) }

// Unwrap returns the *[Error].
func (e *InsufficientGranularScopeError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *InsufficientGranularScopeError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// GranularPermission is the name of a permission, an action and a resource: "read_job",
// "create_merge_request". There are hundreds, and each release adds some:
// [AccessTokensService.GetPermissions] returns them.
type GranularPermission string

// lackingPermissions returns the names in the first brackets of a description such as "Access
// denied: Your Personal Access Token lacks the required permissions: [read_job] for …".
func lackingPermissions(description string) (names []GranularPermission) {
	_, rest, _ := strings.Cut(description, "[")
	list, _, closed := strings.Cut(rest, "]")
	if !closed {
		return nil
	}
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, GranularPermission(name))
		}
	}
	return names
}

// DecodeError is a response that could not be decoded, or could be decoded only in
// part. If it is the response to a write (any method except GET and HEAD) and no WebPage,
// the service has executed the write: repeating it would execute it again.
type DecodeError struct {
	CallInfo

	// StatusCode is the HTTP status of the response.
	StatusCode int
	// ContentType is the media type that the response declares.
	ContentType string
	// WebPage reports whether the response is a web page, such as a sign-in page of a proxy.
	// It is not known whether a write has reached the service.
	WebPage bool
	// Partial reports whether everything except the members with an unexpected
	// JSON type was decoded and returned together with this error.
	Partial bool
	// Pointer is the JSON pointer (RFC 6901) of the first member with an
	// unexpected type, such as "/3/created_at".
	Pointer string
	// Excerpt is the beginning of the response, up to 512 bytes. It is empty if
	// the response contains a secret.
	Excerpt string
	// Err says what is wrong.
	Err error
}

// Error describes what is wrong and where.
func (e *DecodeError) Error() string {
	var b strings.Builder
	mediaType := text.Printable(e.ContentType, 100)
	fmt.Fprintf(&b, "%s: cannot decode the response (%d %s)", e.line(), e.StatusCode, mediaType)
	if e.Pointer != "" {
		b.WriteString(" at " + text.Printable(e.Pointer, 200))
	}
	b.WriteString(": " + text.Printable(textOfCause(e.Err), maxErrorText))
	switch {
	case !e.executedWrite():
	case e.WebPage:
		b.WriteString("; the service may have executed the request")
	default:
		b.WriteString("; the service has executed the request")
	}
	return b.String()
}

// executedWrite reports whether the response says that a write took effect.
func (e *DecodeError) executedWrite() bool {
	return e.Method != http.MethodGet && e.Method != http.MethodHead && e.StatusCode >= 200 && e.StatusCode <= 299
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }

// ArgumentError is an argument that was refused before anything was sent.
type ArgumentError struct {
	// Argument is the name of the argument.
	Argument string
	// Problem says what is wrong with it.
	Problem string
	// Method and Operation name the call as in [Error]. They are empty if the
	// argument is not that of a call, such as an option of [NewClient].
	Method, Operation string
}

// Error names the call, the argument and its problem.
func (e *ArgumentError) Error() string {
	e = orZero(e)
	text := "serviceapi: "
	if e.Operation != "" {
		text += e.Method + " " + e.Operation + ": "
	}
	return text + e.Argument + " " + e.Problem
}

// ofCall adds the name of the call to an error about an argument.
func ofCall(method, operation string, err error) error {
	if refused, ok := err.(*ArgumentError); ok && refused.Operation == "" {
		named := *refused // which may be the error of an Endpoint or an option, used by other calls
		named.Method, named.Operation = method, operation
		return &named
	}
	return err
}

// TransportError is a call that ended without a response, or during a wait
// before another attempt. It unwraps to its cause, so that errors.Is finds
// context.Canceled, context.DeadlineExceeded and the cause of the context, and
// to the last error response if there was one.
type TransportError struct {
	CallInfo

	// Attempts is the number of times the request was sent.
	Attempts int
	// Err is the cause.
	Err error
	// Last is the last error response of the service, or nil if there was none.
	Last *Error

	stopped   stopReason
	uncertain bool
}

// Error describes the cause and the last response.
func (e *TransportError) Error() string {
	var b strings.Builder
	b.WriteString(e.line() + ": " + text.Printable(textOfCause(e.Err), maxErrorText))
	writeAttempts(&b, e.Attempts, e.stopped)
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
	CallInfo

	// StatusCode is the status of the redirect.
	StatusCode int
	// Location is the target of the redirect, without query and user information.
	Location string
	// Reason says why it was not followed.
	Reason string
}

// Error describes the redirect.
func (e *RedirectError) Error() string {
	return fmt.Sprintf("%s: redirect %d to %s was not followed: %s",
		e.line(), e.StatusCode, text.Printable(e.Location, maxErrorText), e.Reason)
}

// PaginationError means that a list cannot be continued: the link to the next
// page is malformed, or leads back to a page that was already read.
type PaginationError struct {
	CallInfo

	// Problem says what is wrong.
	Problem string
}

// Error describes the problem.
func (e *PaginationError) Error() string {
	problem := text.Printable(e.Problem, maxErrorText)
	return e.Method + " " + e.Operation + ": cannot continue to the next page: " + problem
}

// MayHaveExecuted reports whether the service may have executed a write that
// returned err. It is false only if the service certainly did not: an argument was
// refused before anything was sent, no connection was made, the context ended before
// there was one, or every attempt was refused with 429 or because of a resource lock.
// It is true for everything else, including nil and a write that was redirected before
// its connection failed. If a call of the library makes several calls, as [MergeRequestsService.RebaseAndWait]
// does, it is true once a write among them was executed, however the rest ended.
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

// errorResponse returns the error response that a call ended with, or nil. The last
// response of a call that ended during a wait does not count, nor does the response to a
// request for a token.
func errorResponse(err error) *Error {
	ended, _ := errors.AsType[callError](err)
	if after, ok := ended.(*executedError); ok {
		return errorResponse(after.err)
	}
	response, _ := ended.(*Error)
	return response
}

// executedError is the error of a call that followed a write that was executed. On its
// own, err would say that the call was certainly not executed.
type executedError struct {
	write string
	err   error
}

// executed returns the error of a call that followed a write, such as "the
// rebase".
func executed(write string, err error) error {
	if err == nil || MayHaveExecuted(err) {
		return err
	}
	return &executedError{write, err}
}

func (e *executedError) Error() string {
	return e.err.Error() + " (" + e.write + " was accepted before)"
}
func (e *executedError) Unwrap() error         { return e.err }
func (e *executedError) mayHaveExecuted() bool { return true }

func (e *Error) mayHaveExecuted() bool          { return orZero(e).uncertain }
func (e *TransportError) mayHaveExecuted() bool { return e.uncertain }

func hasType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// RefreshError means that the library could not get a token: from the source of
// [OAuth2], or from the service for a [RegistryCatalog]. If the call was sent
// with an old token and refused with 401, the error of the call is the
// service's, such as an [*Error] or a [*MergeError], and it wraps the
// RefreshError. If the call could not be sent because there was no token, a
// [*TransportError] wraps it. Use errors.As to find it.
type RefreshError struct {
	// Err is the cause, such as an [*Error] whose Reason is
	// [ErrorReasonInvalidGrant] if the user has to sign in again, or a [*TransportError].
	Err error
}

// Error describes the cause.
func (e *RefreshError) Error() string {
	return "cannot get a token: " + text.Printable(textOfCause(e.Err), maxErrorText)
}

// Unwrap returns the cause.
func (e *RefreshError) Unwrap() error { return e.Err }

// badArgument is the error of an argument that cannot be sent.
func badArgument(name, problem string) error { return &ArgumentError{Argument: name, Problem: problem} }

// negative is the error of a field that must not be negative.
func negative(field string) error {
	return badArgument(field, "must not be negative")
}

// LogValue returns the parts of the error that a log can be searched for: the call, the
// status, the number of attempts, the messages of the service, the ID of the request, and, if
// they are set, required_role and web_page. It includes neither the body nor the headers of the
// response. Text from the service is truncated and escaped as in [Error.Error].
func (e *Error) LogValue() slog.Value {
	e = orZero(e)
	attrs := []slog.Attr{slog.Int("status", e.StatusCode), slog.Int("attempts", e.Attempts)}
	var role string
	if e.RequiredRole != AccessLevelNone {
		role = e.RequiredRole.String()
	}
	for _, member := range []struct{ name, value string }{
		{"method", e.Method}, {"operation", e.Operation}, {"url", e.URL},
		{"message", e.Message}, {"description", e.Description},
		{"code", string(e.Code)}, {"reason", string(e.Reason)}, {"request_id", e.RequestID},
		{"required_role", role},
	} {
		if member.value != "" {
			attrs = append(attrs, slog.String(member.name, text.Printable(member.value, maxErrorText)))
		}
	}
	if e.WebPage {
		attrs = append(attrs, slog.Bool("web_page", true))
	}
	return slog.GroupValue(attrs...)
}

// ErrorCode is the code of an [*Error]: the response's error_code, the scimType of
// SCIM as RFC 7644 defines it, or the code of the first error of GraphQL. The
// constants are those that a program can act on; the service may send others.
type ErrorCode string

// Codes of an [*Error].
const (
	// ErrorCodeEmpty: a cherry-pick or a revert would not change the branch. The
	// commit has already been applied or reverted there, so there is nothing to do.
	// The error is a [*ChangesetError].
	ErrorCodeEmpty ErrorCode = "empty"
	// ErrorCodeConflict: a cherry-pick or a revert conflicts with the branch, and
	// will again. Somebody has to resolve the conflict in a merge request. The error
	// is a [*ChangesetError].
	ErrorCodeConflict ErrorCode = "conflict"

	// ErrorCodeUniqueness: in SCIM, the user is already in the group, or the name is
	// taken. Find the user with a filter and update it.
	ErrorCodeUniqueness ErrorCode = "uniqueness"
	// ErrorCodeInvalidFilter: in SCIM, the filter is malformed, or the service does not
	// support it. Use a simpler one, and select from the users that it finds.
	ErrorCodeInvalidFilter ErrorCode = "invalidFilter"
	// ErrorCodeInvalidPath: in SCIM, the path of a patch is malformed. Correct the patch.
	ErrorCodeInvalidPath ErrorCode = "invalidPath"
	// ErrorCodeInvalidSyntax: in SCIM, the body does not conform to the schema. Correct
	// it.
	ErrorCodeInvalidSyntax ErrorCode = "invalidSyntax"
	// ErrorCodeInvalidValue: in SCIM, a value is missing, or the attribute does not
	// accept it. The message names it.
	ErrorCodeInvalidValue ErrorCode = "invalidValue"
	// ErrorCodeNoTarget: in SCIM, the path of a patch matches nothing. Read the user, and
	// patch an attribute that it has.
	ErrorCodeNoTarget ErrorCode = "noTarget"
)

// ErrorReason is the reason of an [*Error]: the member error of the response. For a
// credential, it is one of the constants, as OAuth2 defines them in RFC 6749 and RFC 6750.
// For a bad parameter, the service sends a sentence, such as "name is missing", which is
// also the Message.
type ErrorReason string

// Reasons of an [*Error].
const (
	// ErrorReasonInsufficientScope: the token lacks the scope that [Error.Scope] names.
	// Create a token that has it. The error is an [*InsufficientScopeError].
	ErrorReasonInsufficientScope ErrorReason = "insufficient_scope"
	// ErrorReasonInsufficientGranularScope: the token has [AccessToken.GranularScopes] without
	// the permissions that the Description names, or no permission covers the call yet. The
	// error is an [*InsufficientGranularScopeError].
	ErrorReasonInsufficientGranularScope ErrorReason = "insufficient_granular_scope"
	// ErrorReasonInvalidToken: the token has expired, was revoked, or never existed.
	// Use another one. With [OAuth2], the client has already tried to renew it.
	ErrorReasonInvalidToken ErrorReason = "invalid_token"

	// ErrorReasonInvalidGrant: the refresh token, the code or the password is not
	// valid, or was used before. The user has to sign in again.
	ErrorReasonInvalidGrant ErrorReason = "invalid_grant"
	// ErrorReasonInvalidClient: the service does not know the application, or its secret
	// is wrong. Check the configuration: signing in again does not help.
	ErrorReasonInvalidClient ErrorReason = "invalid_client"
	// ErrorReasonInvalidRequest: a parameter of a request for a token is missing or
	// malformed. The Description names it.
	ErrorReasonInvalidRequest ErrorReason = "invalid_request"
	// ErrorReasonInvalidScope: the application may not ask for the scopes. Register
	// them with the application, or ask for fewer.
	ErrorReasonInvalidScope ErrorReason = "invalid_scope"
	// ErrorReasonUnauthorizedClient: the application may not ask for a token in this
	// way. Allow the grant in its settings.
	ErrorReasonUnauthorizedClient ErrorReason = "unauthorized_client"
	// ErrorReasonAuthorizationPending: the user of a device has not signed in yet.
	// [SignInOnDevice] goes on.
	ErrorReasonAuthorizationPending ErrorReason = "authorization_pending"
	// ErrorReasonSlowDown: the token of a device was asked for too soon.
	// [SignInOnDevice] goes on five seconds slower.
	ErrorReasonSlowDown ErrorReason = "slow_down"
	// ErrorReasonExpiredToken: the user of a device has not signed in in time. The error
	// is also [ErrSignInExpired].
	ErrorReasonExpiredToken ErrorReason = "expired_token"
	// ErrorReasonAccessDenied: the user of a device has declined. Ask again.
	ErrorReasonAccessDenied ErrorReason = "access_denied"
	// ErrorReasonUnsupportedGrantType: the service does not issue tokens in this way. Use
	// another grant.
	ErrorReasonUnsupportedGrantType ErrorReason = "unsupported_grant_type"
)
