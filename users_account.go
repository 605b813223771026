package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// SetAvatar sets the picture of the caller. The call returns [ErrBadRequest] for a file that is no
// picture or too large. Since 17.0.
//
//	PUT /user/avatar
func (s *UsersService) SetAvatar(
	ctx context.Context, options SetUserAvatarOptions, opts ...RequestOption,
) (*Avatar, *Response, error) {
	return do[Avatar](ctx, using(s), http.MethodPut,
		Route("/user/avatar"), multipartOf(options, "avatar", options.Avatar), opts)
}

// SetUserAvatarOptions has a picture. Avatar is required.
type SetUserAvatarOptions struct {
	// Avatar is a PNG, JPEG, GIF, BMP, ICO or TIFF file of at most 200 KiB.
	Avatar Upload `json:"-" url:"avatar" required:"true"`
}

// GetPreferences returns the preferences of the caller.
//
//	GET /user/preferences
func (s *UsersService) GetPreferences(
	ctx context.Context, opts ...RequestOption,
) (*UserPreferences, *Response, error) {
	return do[UserPreferences](ctx, using(s), http.MethodGet, Route("/user/preferences"), nil, opts)
}

// UpdatePreferences changes the preferences of the caller. The call returns [ErrBadRequest] without
// any field.
//
//	PUT /user/preferences
func (s *UsersService) UpdatePreferences(
	ctx context.Context, options UpdateUserPreferencesOptions, opts ...RequestOption,
) (*UserPreferences, *Response, error) {
	return do[UserPreferences](ctx, using(s), http.MethodPut, Route("/user/preferences"), jsonOf(options), opts)
}

// UserPreferences are what users choose for themselves.
type UserPreferences struct {
	ID     int64 `json:"id"`
	UserID int64 `json:"user_id"`
	// ViewDiffsFileByFile reports whether diffs are shown one file at a time.
	ViewDiffsFileByFile bool `json:"view_diffs_file_by_file"`
	// ShowWhitespaceInDiffs reports whether diffs show changes of blanks.
	ShowWhitespaceInDiffs bool `json:"show_whitespace_in_diffs"`
	// PassUserIdentitiesToCIJWT reports whether ID tokens of jobs have the user's accounts at other
	// providers.
	PassUserIdentitiesToCIJWT bool `json:"pass_user_identities_to_ci_jwt"`
	// PolicyAdvancedEditor reports whether security policies are shown as YAML. It is nil in
	// releases before about 18.x.
	PolicyAdvancedEditor *bool `json:"policy_advanced_editor"`
}

// UpdateUserPreferencesOptions changes preferences, which [UserPreferences] explains. Nil fields are
// left unchanged.
type UpdateUserPreferencesOptions struct {
	ViewDiffsFileByFile       *bool `json:"view_diffs_file_by_file,omitzero"`
	ShowWhitespaceInDiffs     *bool `json:"show_whitespace_in_diffs,omitzero"`
	PassUserIdentitiesToCIJWT *bool `json:"pass_user_identities_to_ci_jwt,omitzero"`
	PolicyAdvancedEditor      *bool `json:"policy_advanced_editor,omitzero"`
}

// GetCounts counts what waits for the caller: open issues and merge requests, and to-do items.
//
//	GET /user_counts
func (s *UsersService) GetCounts(ctx context.Context, opts ...RequestOption) (*UserCounts, *Response, error) {
	return do[UserCounts](ctx, using(s), http.MethodGet, Route("/user_counts"), nil, opts)
}

// UserCounts is the result of [UsersService.GetCounts].
type UserCounts struct {
	// MergeRequests is the same as AssignedMergeRequests. It is deprecated.
	MergeRequests                int `json:"merge_requests"`
	AssignedIssues               int `json:"assigned_issues"`
	AssignedMergeRequests        int `json:"assigned_merge_requests"`
	ReviewRequestedMergeRequests int `json:"review_requested_merge_requests"`
	// Todos counts the pending to-do items.
	Todos int `json:"todos"`
}

// Follow makes the caller follow a user. The result is Unchanged if the caller already does, for the
// caller's own account, and if one of the two has switched following off. The call returns
// [ErrBadRequest] if the caller follows 300 users.
//
//	POST /users/:id/follow
func (s *UsersService) Follow(
	ctx context.Context, user UserRef, opts ...RequestOption,
) (*FollowChange, *Response, error) {
	return change(ctx, using(s), Route("/users/:id/follow", onlyID(user)), followChangeOf, opts)
}

// Unfollow makes the caller no longer follow a user. The result is Unchanged if the caller does not.
//
//	POST /users/:id/unfollow
func (s *UsersService) Unfollow(
	ctx context.Context, user UserRef, opts ...RequestOption,
) (*FollowChange, *Response, error) {
	return change(ctx, using(s), Route("/users/:id/unfollow", onlyID(user)), followChangeOf, opts)
}

// FollowChange is the result of following a user, or of no longer doing so.
type FollowChange struct {
	// User is nil if Unchanged is true: the service returns only a change.
	User *UserSummary
	// Unchanged reports whether there was nothing to do.
	Unchanged bool
}

func followChangeOf(user *UserSummary) *FollowChange {
	return &FollowChange{User: user, Unchanged: user == nil}
}

// ListFollowers returns one page of the users who follow a user. The call returns [ErrNotFound] if
// the profile of the user is private.
//
//	GET /users/:id/followers
func (s *UsersService) ListFollowers(
	ctx context.Context, user UserRef, options *ListOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, using(s), Route("/users/:id/followers", onlyID(user)), queryOf(options), opts)
}

// AllFollowers returns every user who follows a user. See [UsersService.ListFollowers].
//
//	GET /users/:id/followers
func (s *UsersService) AllFollowers(
	ctx context.Context, user UserRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, using(s), Route("/users/:id/followers", onlyID(user)), queryOf(options), opts)
}

// ListFollowing returns one page of the users whom a user follows. See
// [UsersService.ListFollowers].
//
//	GET /users/:id/following
func (s *UsersService) ListFollowing(
	ctx context.Context, user UserRef, options *ListOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, using(s), Route("/users/:id/following", onlyID(user)), queryOf(options), opts)
}

// AllFollowing returns every user whom a user follows. See [UsersService.ListFollowers].
//
//	GET /users/:id/following
func (s *UsersService) AllFollowing(
	ctx context.Context, user UserRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, using(s), Route("/users/:id/following", onlyID(user)), queryOf(options), opts)
}

// SupportPINOwner is an owner of a support PIN: [Own] or a [UserRef].
type SupportPINOwner interface{ hasSupportPIN() }

func (CallerOwner) hasSupportPIN() {}
func (UserRef) hasSupportPIN()     {}

func supportPINOf(owner SupportPINOwner) Endpoint {
	switch o := owner.(type) {
	case CallerOwner:
		return Route("/user/support_pin")
	case UserRef:
		return Route("/users/:id/support_pin", onlyID(o))
	}
	return noOwner("/user/support_pin")
}

// GetSupportPIN returns the PIN by which the caller or a user proves to the support who they are.
// That of a user is only for administrators. The call returns [ErrNotFound] without a PIN that is
// still valid. Since 17.8.
//
//	GET /user/support_pin
//	GET /users/:id/support_pin
func (s *UsersService) GetSupportPIN(
	ctx context.Context, owner SupportPINOwner, opts ...RequestOption,
) (*SupportPIN, *Response, error) {
	return do[SupportPIN](ctx, using(s), http.MethodGet, supportPINOf(owner), nil, opts)
}

// CreateSupportPIN makes a new support PIN for the caller, which replaces the one before. Since 17.8.
//
//	POST /user/support_pin
func (s *UsersService) CreateSupportPIN(ctx context.Context, opts ...RequestOption) (*SupportPIN, *Response, error) {
	return do[SupportPIN](ctx, using(s), http.MethodPost, Route("/user/support_pin"), nil, opts)
}

// RevokeSupportPIN ends the support PIN of a user. Administrators only. The call returns
// [ErrNotFound] without a PIN that is still valid. Since 17.11.
//
//	POST /users/:id/support_pin/revoke
func (s *UsersService) RevokeSupportPIN(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/support_pin/revoke", onlyID(user)), nil, opts)
}

// SupportPIN is a number by which users prove to the support who they are.
type SupportPIN struct {
	// PIN has six digits.
	PIN Secret `json:"pin"`
	// ExpiresAt is seven days after the PIN was made.
	ExpiresAt time.Time `json:"expires_at"`
}
