package serviceapi

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/text"
)

// InvitationsService invites people to projects and groups by email address. An
// invitation is a membership of an address that belongs to no account yet. The owner is a
// [ProjectRef], which requires the Maintainer role, or a [GroupRef], which requires the
// Owner role.
//
//	client.Invitations.All(ctx, serviceapi.GroupPath("acme"), nil)
//
// Its options are [CreateInvitationOptions], [ListInvitationsOptions] and
// [UpdateInvitationOptions]. See the example of [InvitationsService.Create].
type InvitationsService service

// InvitationOwner is an owner of invitations: a [ProjectRef] or a [GroupRef].
type InvitationOwner interface{ hasInvitations() }

func (ProjectRef) hasInvitations() {}
func (GroupRef) hasInvitations()   {}

func invitationsOf(owner InvitationOwner) Endpoint { return below(owner, "/invitations") }

// invitationOf also escapes the plus sign, which many addresses have, because some proxies
// take it for a space.
func invitationOf(owner InvitationOwner, email string) Endpoint {
	e := below(owner, "/invitations/:email", email)
	e.path = strings.ReplaceAll(e.path, "+", "%2B")
	return e
}

// List returns one page of the pending invitations to a project or a group itself.
// Invitations to its parent groups are not listed.
//
//	GET /projects/:id/invitations
//	GET /groups/:id/invitations
func (s *InvitationsService) List(
	ctx context.Context, owner InvitationOwner, options *ListInvitationsOptions, opts ...RequestOption,
) ([]*Invitation, *Response, error) {
	return list[*Invitation](ctx, using(s), invitationsOf(owner), queryOf(options), opts)
}

// All returns every pending invitation to a project or a group itself. Invitations to its
// parent groups are not listed.
//
//	GET /projects/:id/invitations
//	GET /groups/:id/invitations
func (s *InvitationsService) All(
	ctx context.Context, owner InvitationOwner, options *ListInvitationsOptions, opts ...RequestOption,
) iter.Seq2[*Invitation, error] {
	return all[*Invitation](ctx, using(s), invitationsOf(owner), queryOf(options), opts)
}

// Create invites addresses and users, all with the same access level. A user, and an
// address that belongs to an account, becomes a member at once.
//
// The service reports success (201) even if it refused some or all of them. Create then
// returns the result together with an [*InvitationError] that has the reasons. All others
// have been invited: see [InvitationResult.Accepted].
//
//	POST /projects/:id/invitations
//	POST /groups/:id/invitations
func (s *InvitationsService) Create(
	ctx context.Context, owner InvitationOwner, options CreateInvitationOptions, opts ...RequestOption,
) (*InvitationResult, *Response, error) {
	body := invitationBody{CreateInvitationOptions: options}
	r, resp, err := checked(ctx, using(s), http.MethodPost,
		invitationsOf(owner), body.complete(), checkInvitations, opts)
	return r.result(options, err), resp, err
}

// Update changes the access level of an invitation, or the time at which the membership
// ends. The call returns [ErrNotFound] if the address has no invitation to the project or
// group itself.
//
//	PUT /projects/:id/invitations/:email
//	PUT /groups/:id/invitations/:email
func (s *InvitationsService) Update(
	ctx context.Context, owner InvitationOwner, email string, options UpdateInvitationOptions, opts ...RequestOption,
) (*Invitation, *Response, error) {
	return do[Invitation](ctx, using(s), http.MethodPut, invitationOf(owner, email), jsonOf(options), opts)
}

// Delete withdraws an invitation. The call returns [ErrNotFound] if the address has no
// invitation to the project or group itself, and [ErrConflict] or [ErrUnprocessable] if the
// service could not remove it.
//
//	DELETE /projects/:id/invitations/:email
//	DELETE /groups/:id/invitations/:email
func (s *InvitationsService) Delete(
	ctx context.Context, owner InvitationOwner, email string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, invitationOf(owner, email), nil, opts)
}

// Invitation is a membership that waits for somebody to accept it.
type Invitation struct {
	// ID is nil if the service does not send it, as in most releases.
	ID          *int64      `json:"id"`
	AccessLevel AccessLevel `json:"access_level"`
	CreatedAt   time.Time   `json:"created_at"`
	// ExpiresAt is when the membership ends, nil if it does not end.
	ExpiresAt   *time.Time `json:"expires_at"`
	InviteEmail string     `json:"invite_email"`
	// InviteToken is part of the link in the email: whoever has it can accept the
	// invitation. Some releases do not send it.
	InviteToken Secret `json:"invite_token,omitzero"`
	// UserName is the name of the account with the address, empty if there is none.
	UserName string `json:"user_name"`
	// CreatedByName is the name of the user who sent the invitation.
	CreatedByName string `json:"created_by_name"`
}

// ListInvitationsOptions selects invitations.
type ListInvitationsOptions struct {
	ListOptions
	// Query is a whole email address, not a part of one.
	Query string `url:"query,omitempty"`
}

// CreateInvitationOptions describes new invitations. AccessLevel is required, and so is at
// least one of Emails and UserIDs.
type CreateInvitationOptions struct {
	// AccessLevel is at most the caller's own.
	AccessLevel AccessLevel `json:"access_level" required:"true"`
	Emails      []string    `json:"email,omitzero"`
	UserIDs     []int64     `json:"user_id,omitzero"`
	// ExpiresAt is the first day without the membership, by UTC. Nil means never. A day that
	// is over is refused; today is not, and the membership has ended then.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// InviteSource says where the invitation came from, for the service's statistics.
	// The default is "invitations-api".
	InviteSource *string `json:"invite_source,omitzero"`
	// MemberRoleID is the ID of a custom role. Nil means none. Since 16.6.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
}

func (o CreateInvitationOptions) check() error {
	if err := missing("Emails or UserIDs", len(o.Emails) == 0 && len(o.UserIDs) == 0); err != nil {
		return err
	}
	if err := missing("Emails", slices.Contains(o.Emails, "")); err != nil {
		return err
	}
	for _, id := range o.UserIDs {
		if err := positive("UserIDs", id); err != nil {
			return err
		}
	}
	return noCommas("Emails", o.Emails)
}

// invitationBody is the body of a call that invites, in which several addresses or IDs are
// one string, separated by commas.
type invitationBody struct {
	CreateInvitationOptions
	Email  string `json:"email,omitzero"`
	UserID string `json:"user_id,omitzero"`
}

func (b invitationBody) complete() input {
	ids := make([]string, len(b.UserIDs))
	for i, id := range b.UserIDs {
		ids[i] = strconv.FormatInt(id, 10)
	}
	b.Email, b.UserID = strings.Join(b.Emails, ","), strings.Join(ids, ",")
	return jsonOf(b)
}

// UpdateInvitationOptions changes an invitation. Nil fields are left unchanged. The call
// returns [ErrBadRequest] if both fields are nil.
type UpdateInvitationOptions struct {
	// AccessLevel is at most the caller's own.
	AccessLevel *AccessLevel `json:"access_level,omitzero"`
	// ExpiresAt is when the membership ends. Null means never; the zero value leaves it
	// unchanged. A day that is over is refused.
	ExpiresAt Nullable[time.Time] `json:"expires_at,omitzero"`
	// MemberRoleID is the ID of a custom role. Ultimate. Since about 16.6.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
}

// InvitationResult is the result of [InvitationsService.Create].
type InvitationResult struct {
	// Status is "success" or "error".
	Status string
	// Accepted are the addresses that were invited, or whose accounts became members. It
	// is nil if the service did not say which addresses it refused, and never has users
	// that were given by ID.
	Accepted []string
	// Message is the service's message as JSON: an object of strings by address or
	// username, or a string. It is nil if there is none.
	Message json.RawMessage
	// Queued are those who become members only when an administrator approves, by address
	// or username, each with the service's explanation. It is nil if there are none. Since
	// about 17.x.
	Queued map[string]string
}

// InvitationError means that the service refused some or all of the addresses and users of
// [InvitationsService.Create]. The others have been invited: see the result that is
// returned with the error. It unwraps to *[Error], whose status is 201.
type InvitationError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// Refused are the service's reasons by address, and by username for users that were
	// given by ID. It is nil if the service refused the whole call.
	Refused map[string]string
}

// Error describes the response and names what was refused.
func (e *InvitationError) Error() string {
	names := strings.Join(slices.Sorted(maps.Keys(e.Refused)), ", ")
	if names == "" {
		return e.Err.Error()
	}
	return e.Err.Error() + " (refused: " + text.Printable(names, maxErrorText) + ")"
}

// Unwrap returns the *[Error].
func (e *InvitationError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *InvitationError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// invitationResponse is the response to new invitations.
type invitationResponse struct {
	Status      string            `json:"status"`
	Message     json.RawMessage   `json:"message"`
	QueuedUsers map[string]string `json:"queued_users"`
}

// checkInvitations returns an error with the reasons if somebody was refused.
func checkInvitations(sent *outcome, r *invitationResponse) error {
	if r.Status == "success" || r.Status == "" && (len(r.Message) == 0 || jsonx.IsNull(r.Message)) {
		return nil
	}
	e := &InvitationError{Err: sent.bodyError(r.Message)}
	if len(e.Err.Fields) > 0 {
		e.Refused = make(map[string]string, len(e.Err.Fields))
	}
	for name, reasons := range e.Err.Fields {
		e.Refused[name] = strings.Join(reasons, "; ")
	}
	return e
}

// result returns the result of a call, even if err says that somebody was refused.
func (r *invitationResponse) result(options CreateInvitationOptions, err error) *InvitationResult {
	if r == nil {
		return nil
	}
	result := &InvitationResult{Status: r.Status, Message: r.Message, Queued: r.QueuedUsers}
	var refused *InvitationError
	if errors.As(err, &refused); err == nil || refused != nil && len(refused.Refused) > 0 {
		result.Accepted = options.accepted(refused, r.QueuedUsers)
	}
	return result
}

// accepted returns the addresses that were neither refused nor queued. It returns nil if
// more unknown names were refused than users were given by ID: some of the names may then
// belong to addresses.
func (o CreateInvitationOptions) accepted(refused *InvitationError, queued map[string]string) []string {
	left := slices.Clone(o.Emails)
	without := func(name string) bool {
		before := len(left)
		left = slices.DeleteFunc(left, func(email string) bool { return strings.EqualFold(email, name) })
		return len(left) < before
	}
	users := len(o.UserIDs)
	if refused != nil {
		for name := range refused.Refused {
			if !without(name) {
				users--
			}
		}
	}
	for name := range queued {
		without(name)
	}
	if users < 0 {
		return nil
	}
	return left
}
