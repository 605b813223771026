package serviceapi

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/text"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UsersService manages user accounts. A user is a [UserID], because the service
// does not accept usernames here: for a [Username], the calls return an
// [*ArgumentError]. [UsersService.Find] returns the user with a username.
type UsersService service

// List returns one page of the users, by default the newest first.
//
//	GET /users
func (s *UsersService) List(
	ctx context.Context, options *ListUsersOptions, opts ...RequestOption,
) ([]*User, *Response, error) {
	return list[*User](ctx, s.client, Route("/users"), queryOf(options), opts)
}

// All returns every user, by default the newest first.
//
//	GET /users
func (s *UsersService) All(
	ctx context.Context, options *ListUsersOptions, opts ...RequestOption,
) iter.Seq2[*User, error] {
	return all[*User](ctx, s.client, Route("/users"), queryOf(options), opts)
}

// Get returns one user. The user must be a [UserID]: [UsersService.Find] finds a
// user by name.
//
//	GET /users/:id
func (s *UsersService) Get(
	ctx context.Context, user UserRef, options *GetUserOptions, opts ...RequestOption,
) (*User, *Response, error) {
	return do[User](ctx, s.client, http.MethodGet, Route("/users/:id", onlyID(user)), queryOf(options), opts)
}

// Find returns the user with a username, which is not case-sensitive, as a list
// shows the user: see [User]. The error matches [ErrNotFound] if there is no
// such user.
//
//	GET /users
func (s *UsersService) Find(ctx context.Context, username string, opts ...RequestOption) (*User, *Response, error) {
	query := queryOf(&ListUsersOptions{Username: username})
	users, resp, err := list[*User](ctx, s.client, Route("/users"),
		unless(missing("username", username == ""), query), opts)
	for _, user := range users {
		if strings.EqualFold(user.Username, username) {
			return user, resp, err
		}
	}
	if err == nil {
		err = fmt.Errorf("serviceapi: there is no user %q: %w", text.Printable(username, 100), ErrNotFound)
	}
	return nil, resp, err
}

// Current returns the user whose credential makes the call, or the user of
// [WithSudo].
//
//	GET /user
func (s *UsersService) Current(ctx context.Context, opts ...RequestOption) (*User, *Response, error) {
	return do[User](ctx, s.client, http.MethodGet, Route("/user"), nil, opts)
}

// Create creates a user. Administrators only. The call returns [ErrConflict] if
// the email address or the username is taken.
//
//	POST /users
func (s *UsersService) Create(
	ctx context.Context, options CreateUserOptions, opts ...RequestOption,
) (*User, *Response, error) {
	return do[User](ctx, s.client, http.MethodPost,
		Route("/users"), jsonOrMultipart(options, "avatar", options.Avatar), opts)
}

// Update changes a user. Administrators only.
//
// If a change conflicts with another account, for example because an email
// address is taken, the service responds with 404 instead of 409. If its
// message lists refused fields or says that something is taken, the error is a
// [*UserConflictError], which matches [ErrConflict] and [ErrNotFound].
// Otherwise the error matches only [ErrNotFound], and [UsersService.Get] shows
// whether the user exists.
//
//	PUT /users/:id
func (s *UsersService) Update(
	ctx context.Context, user UserRef, options UpdateUserOptions, opts ...RequestOption,
) (*User, *Response, error) {
	changed, resp, err := do[User](ctx, s.client, http.MethodPut,
		Route("/users/:id", onlyID(user)), jsonOrMultipart(options, "avatar", options.Avatar), opts)
	return changed, resp, asUserConflict(err)
}

// DeleteIdentity removes a user's identity at another provider. Administrators
// only.
//
//	DELETE /users/:id/identities/:provider
func (s *UsersService) DeleteIdentity(
	ctx context.Context, user UserRef, provider string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		Route("/users/:id/identities/:provider", onlyID(user), provider), nil, opts)
}

// Delete deletes a user. Administrators only. The call returns [ErrConflict] if
// the user can only be deleted with [DeleteUserOptions.HardDelete].
//
//	DELETE /users/:id
func (s *UsersService) Delete(
	ctx context.Context, user UserRef, options *DeleteUserOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, Route("/users/:id", onlyID(user)), queryOf(options), opts)
}

// UserConflictError means that a change of a user conflicts with another
// account. The service reports it with the status 404. errors.Is matches it
// with [ErrConflict] and, through the *[Error] that it unwraps to, with
// [ErrNotFound].
type UserConflictError struct {
	Err *Error
}

// Error describes the response.
func (e *UserConflictError) Error() string {
	return e.Err.Error() + "; the change conflicts with another account"
}

// Is reports whether target is [ErrConflict].
func (e *UserConflictError) Is(target error) bool { return target == ErrConflict }

// Unwrap returns the *[Error].
func (e *UserConflictError) Unwrap() error { return e.Err }

// asUserConflict distinguishes a 404 about a conflict from one about a user who
// does not exist. Only a message of the service itself can say so: proxies
// respond with 404, too.
func asUserConflict(err error) error {
	e := errorResponse(err)
	if e == nil || e.StatusCode != http.StatusNotFound {
		return err
	}
	var answer struct {
		Message jsontext.Value `json:"message"`
	}
	if json.Unmarshal(e.Body, &answer, jsonx.Lenient) != nil || !namesConflict(answer.Message, e.Message) {
		return err
	}
	return &UserConflictError{Err: e}
}

// namesConflict reports whether a message lists refused fields, or says that
// something is in use.
func namesConflict(message jsontext.Value, text string) bool {
	text = strings.ToLower(text)
	says := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case says("not found"):
		return false
	case message.Kind() == '{':
		return true
	}
	words := []string{"taken", "already exists", "in use", "conflict", "duplicate"}
	return message.Kind() != 0 && slices.ContainsFunc(words, says)
}
