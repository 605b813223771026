package serviceapi

import (
	"context"
	"net/http"
)

// Block blocks a user, who can then neither sign in nor use a token. The call
// also succeeds if the user is already blocked. Administrators only. It returns
// [ErrForbidden] for a user who was blocked by the directory, for an internal
// user and for the caller, and [ErrNotFound] if there is no such user.
//
//	POST /users/:id/block
func (s *UsersService) Block(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/users/:id/block", onlyID(user)), nil, opts)
}

// Unblock makes a blocked user active again. The call also succeeds if the user
// is already active. Administrators only. It returns [ErrForbidden] for a user
// who was blocked by the directory, and for a user who is deactivated: see
// [UsersService.Activate].
//
//	POST /users/:id/unblock
func (s *UsersService) Unblock(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/users/:id/unblock", onlyID(user)), nil, opts)
}

// Deactivate deactivates a dormant user, who becomes active again by signing
// in. The call also succeeds if the user is already deactivated. Administrators
// only. It returns [ErrForbidden] for a user who was recently active, is
// blocked, or is internal.
//
//	POST /users/:id/deactivate
func (s *UsersService) Deactivate(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/users/:id/deactivate", onlyID(user)), nil, opts)
}

// Activate makes a deactivated user active again. The call also succeeds if the
// user is already active. Administrators only. It returns [ErrForbidden] for a
// user who is blocked: see [UsersService.Unblock].
//
//	POST /users/:id/activate
func (s *UsersService) Activate(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/users/:id/activate", onlyID(user)), nil, opts)
}
