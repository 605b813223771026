package serviceapi

import (
	"context"
	"net/http"
)

// Approve ends the sign-up of a user who waits for it, who can then sign in.
// Administrators only. The call returns [ErrForbidden] for a user who is blocked, and
// [ErrConflict] for one who does not wait.
//
//	POST /users/:id/approve
func (s *UsersService) Approve(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/users/:id/approve", onlyID(user)), nil, opts)
}

// Reject deletes a user who waits for the approval of the sign-up. Administrators only.
// The call returns [ErrConflict] for one who does not wait.
//
//	POST /users/:id/reject
func (s *UsersService) Reject(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/users/:id/reject", onlyID(user)), nil, opts)
}

// Ban bans a user, who can then neither sign in nor use a token. Administrators only. It
// returns [ErrForbidden] for a user who is not active.
//
//	POST /users/:id/ban
func (s *UsersService) Ban(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/users/:id/ban", onlyID(user)), nil, opts)
}

// Unban makes a banned user active again. Administrators only. It returns [ErrForbidden]
// for a user who is not banned.
//
//	POST /users/:id/unban
func (s *UsersService) Unban(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/users/:id/unban", onlyID(user)), nil, opts)
}

// DisableTwoFactor disables the two-factor authentication of a user, who may have lost the
// second factor. Administrators only. The call returns [ErrForbidden] for another
// administrator, and [ErrBadRequest] if it is not enabled.
//
//	PATCH /users/:id/disable_two_factor
func (s *UsersService) DisableTwoFactor(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPatch, Route("/users/:id/disable_two_factor", onlyID(user)), nil, opts)
}
