package serviceapi

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"net/http"
	"strconv"
	"time"

	"example.com/serviceapi/internal/jsonx"
)

// UserStatusOwner is an owner of a status: [Own] or a [UserRef].
type UserStatusOwner interface{ hasUserStatus() }

func (CallerOwner) hasUserStatus() {}
func (UserRef) hasUserStatus()     {}

func userStatusOf(owner UserStatusOwner) Endpoint {
	switch o := owner.(type) {
	case CallerOwner:
		return Route("/user/status")
	case UserRef:
		return Route("/users/:id_or_username/status", o)
	}
	return noOwner("/user/status")
}

// GetStatus returns the status of the caller or of a user, who may be a [Username]. The
// status of a user needs no credential. For a user without a status, all fields of the
// result are empty.
//
//	GET /user/status
//	GET /users/:id_or_username/status
func (s *UsersService) GetStatus(
	ctx context.Context, owner UserStatusOwner, opts ...RequestOption,
) (*UserStatus, *Response, error) {
	return orNoStatus(do[UserStatus](ctx, using(s), http.MethodGet, userStatusOf(owner), nil, opts))
}

// orNoStatus returns an empty status for an empty object, which here means that there is no
// status.
func orNoStatus(status *UserStatus, resp *Response, err error) (*UserStatus, *Response, error) {
	if errors.Is(err, errEmptyObject) {
		return &UserStatus{}, resp, nil
	}
	return status, resp, err
}

// SetStatus replaces the status of the caller. Nil fields are cleared, so empty options
// remove the status. The call returns [ErrBadRequest] for an emoji that does not exist.
//
//	PUT /user/status
func (s *UsersService) SetStatus(
	ctx context.Context, options SetUserStatusOptions, opts ...RequestOption,
) (*UserStatus, *Response, error) {
	return do[UserStatus](ctx, using(s), http.MethodPut, Route("/user/status"), jsonOf(options), opts)
}

// UpdateStatus changes the status of the caller. At least one field is required. A nil Message stays,
// but a nil Emoji becomes the default emoji, and a nil Availability [UserAvailabilityNotSet]. Without
// an Emoji, a Message and an Availability other than that, the call removes the status. Only in later
// releases.
//
//	PATCH /user/status
func (s *UsersService) UpdateStatus(
	ctx context.Context, options UpdateUserStatusOptions, opts ...RequestOption,
) (*UserStatus, *Response, error) {
	return orNoStatus(do[UserStatus](ctx, using(s), http.MethodPatch, Route("/user/status"), jsonOf(options), opts))
}

// ListActivities returns one page of the users with the day of their last activity, the
// oldest first. Users who were never active are left out. Administrators only; later
// releases show public profiles to everybody.
//
//	GET /user/activities
func (s *UsersService) ListActivities(
	ctx context.Context, options *ListUserActivitiesOptions, opts ...RequestOption,
) ([]*UserActivity, *Response, error) {
	return list[*UserActivity](ctx, using(s), Route("/user/activities"), queryOf(options), opts)
}

// AllActivities returns every user with the day of the last activity. See
// [UsersService.ListActivities].
//
//	GET /user/activities
func (s *UsersService) AllActivities(
	ctx context.Context, options *ListUserActivitiesOptions, opts ...RequestOption,
) iter.Seq2[*UserActivity, error] {
	return all[*UserActivity](ctx, using(s), Route("/user/activities"), queryOf(options), opts)
}

// ListMemberships returns one page of the projects and groups that a user is a direct
// member of. Administrators only.
//
//	GET /users/:id/memberships
func (s *UsersService) ListMemberships(
	ctx context.Context, user UserRef, options *ListUserMembershipsOptions, opts ...RequestOption,
) ([]*UserMembership, *Response, error) {
	return list[*UserMembership](ctx, using(s),
		Route("/users/:id/memberships", onlyID(user)), queryOf(options), opts)
}

// AllMemberships returns every project and group that a user is a direct member of. See
// [UsersService.ListMemberships].
//
//	GET /users/:id/memberships
func (s *UsersService) AllMemberships(
	ctx context.Context, user UserRef, options *ListUserMembershipsOptions, opts ...RequestOption,
) iter.Seq2[*UserMembership, error] {
	return all[*UserMembership](ctx, using(s),
		Route("/users/:id/memberships", onlyID(user)), queryOf(options), opts)
}

// CountAssociations counts the groups and projects that a user belongs to, and the issues
// and merge requests that the user has written. The user must be the caller, unless the
// caller is an administrator. Since 15.x.
//
//	GET /users/:id/associations_count
func (s *UsersService) CountAssociations(
	ctx context.Context, user UserRef, opts ...RequestOption,
) (*UserAssociationsCount, *Response, error) {
	return do[UserAssociationsCount](ctx, using(s), http.MethodGet,
		Route("/users/:id/associations_count", onlyID(user)), nil, opts)
}

// UserAvailability says whether a user is busy.
type UserAvailability string

// Values of [UserAvailability].
const (
	UserAvailabilityBusy   UserAvailability = "busy"
	UserAvailabilityNotSet UserAvailability = "not_set"
)

// ClearStatusAfter is the time after which the service clears a status.
type ClearStatusAfter string

// Times after which the service clears a status.
const (
	ClearStatusAfter30Minutes ClearStatusAfter = "30_minutes"
	ClearStatusAfter3Hours    ClearStatusAfter = "3_hours"
	ClearStatusAfter8Hours    ClearStatusAfter = "8_hours"
	ClearStatusAfter1Day      ClearStatusAfter = "1_day"
	ClearStatusAfter3Days     ClearStatusAfter = "3_days"
	ClearStatusAfter7Days     ClearStatusAfter = "7_days"
	ClearStatusAfter30Days    ClearStatusAfter = "30_days"
)

// UserStatus is the status that users set for others to see. Fields that are not set are
// empty.
type UserStatus struct {
	// Emoji is the name of an emoji, such as "coffee".
	Emoji        string           `json:"emoji"`
	Message      string           `json:"message"`
	Availability UserAvailability `json:"availability"`
	// MessageHTML is the message as HTML.
	MessageHTML string `json:"message_html"`
	// ClearStatusAt is when the service clears the status, nil if it stays.
	ClearStatusAt *time.Time `json:"clear_status_at"`
}

// SetUserStatusOptions describes a status. Nil fields are cleared.
type SetUserStatusOptions struct {
	// Emoji is the name of an emoji, such as "coffee".
	Emoji *string `json:"emoji,omitzero"`
	// Message has at most 100 characters.
	Message *string `json:"message,omitzero"`
	// Availability is [UserAvailabilityNotSet] by default.
	Availability *UserAvailability `json:"availability,omitzero"`
	// ClearStatusAfter is when the service clears the status. By default, it stays.
	ClearStatusAfter *ClearStatusAfter `json:"clear_status_after,omitzero"`
}

// UpdateUserStatusOptions changes a status, as [UsersService.UpdateStatus] says. Its fields are those
// of [SetUserStatusOptions]; only a nil ClearStatusAfter leaves the time as it is.
type UpdateUserStatusOptions struct {
	Emoji            *string           `json:"emoji,omitzero"`
	Message          *string           `json:"message,omitzero"`
	Availability     *UserAvailability `json:"availability,omitzero"`
	ClearStatusAfter *ClearStatusAfter `json:"clear_status_after,omitzero"`
}

func (o UpdateUserStatusOptions) check() error {
	return missing("Emoji, Message, Availability or ClearStatusAfter", o == UpdateUserStatusOptions{})
}

// UserActivity is the day on which a user was last active.
type UserActivity struct {
	Username       string `json:"username"`
	LastActivityOn Date   `json:"last_activity_on"`
	// LastActivityAt is the same day. It is deprecated.
	LastActivityAt Date `json:"last_activity_at"`
}

// ListUserActivitiesOptions selects activities.
type ListUserActivitiesOptions struct {
	ListOptions
	// From is the first day. The default is 6 months ago.
	From Date `url:"from,omitempty"`
}

// UserMembershipType says whether users are members of a project or a group.
type UserMembershipType string

// Kinds of memberships. UserMembershipTypeNamespace is a group.
const (
	UserMembershipTypeProject   UserMembershipType = "Project"
	UserMembershipTypeNamespace UserMembershipType = "Namespace"
)

// UserMembership is a project or a group that a user is a member of.
type UserMembership struct {
	// SourceID and SourceName are the ID and the name of the project or the group.
	SourceID    int64              `json:"source_id"`
	SourceName  string             `json:"source_name"`
	SourceType  UserMembershipType `json:"source_type"`
	AccessLevel AccessLevel        `json:"access_level"`
}

// UnmarshalJSON decodes the object, in which some releases send access_level as a string.
func (m *UserMembership) UnmarshalJSON(data []byte) error {
	type plain UserMembership
	object := struct {
		plain
		Level textOrLevel `json:"access_level"`
	}{}
	err := unmarshalMembers(data, &object)
	*m = UserMembership(object.plain)
	m.AccessLevel = AccessLevel(object.Level)
	return err
}

// textOrLevel is an access level that may come as a string of digits.
type textOrLevel int

func (l *textOrLevel) UnmarshalJSON(data []byte) error {
	level, err := strconv.Atoi(string(bytes.Trim(data, `"`)))
	if err != nil && !jsonx.IsNull(data) {
		return jsonx.ErrWrongKind
	}
	*l = textOrLevel(level)
	return nil
}

// ListUserMembershipsOptions selects memberships.
type ListUserMembershipsOptions struct {
	ListOptions
	// Type selects projects or groups. Empty selects both.
	Type UserMembershipType `url:"type,omitempty"`
}

// UserAssociationsCount is the result of [UsersService.CountAssociations].
type UserAssociationsCount struct {
	GroupsCount        int `json:"groups_count"`
	ProjectsCount      int `json:"projects_count"`
	IssuesCount        int `json:"issues_count"`
	MergeRequestsCount int `json:"merge_requests_count"`
}

// GetAvatar returns the address of the picture that an email address has: that of the user
// who has made the address public, or one of an outside service. It needs no credential, unless
// the instance does not show its users to everybody: the call then returns [ErrForbidden].
//
//	GET /avatar
func (s *UsersService) GetAvatar(
	ctx context.Context, options *GetAvatarOptions, opts ...RequestOption,
) (*Avatar, *Response, error) {
	return do[Avatar](ctx, using(s), http.MethodGet, Route("/avatar"), queryOf(options), opts)
}

// GetAvatarOptions says whose picture. Email is required.
type GetAvatarOptions struct {
	Email string `url:"email" required:"true"`
	// Size is in pixels, for a picture of the outside service. Zero means its default.
	Size int `url:"size,omitempty"`
}

// Avatar is the picture of a user.
type Avatar struct {
	// AvatarURL is empty if the outside service is disabled.
	AvatarURL string `json:"avatar_url"`
}
