package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// EmailsService manages the additional email addresses of users. The address that a user
// signed up with is not one of them: see [UpdateUserOptions]. The owner is [Own] or a
// [UserRef] with an ID, which requires an administrator:
//
//	client.Emails.All(ctx, serviceapi.Own, nil)
//
// Its options are [CreateEmailOptions] and [ListOptions]. See the example of
// [EmailsService.Create].
type EmailsService service

// EmailOwner is an owner of email addresses: [Own] or a [UserRef]. The UserRef must be an
// ID.
type EmailOwner interface{ hasEmails() }

// SingleEmailOwner is an owner whose email addresses can be read one at a time: [Own].
type SingleEmailOwner interface {
	EmailOwner
	hasEmail()
}

func (CallerOwner) hasEmails() {}
func (UserRef) hasEmails()     {}
func (CallerOwner) hasEmail()  {}

func emailsOf(owner EmailOwner, suffix string, args ...any) Endpoint {
	switch o := owner.(type) {
	case CallerOwner:
		return Route("/user/emails"+suffix, args...)
	case UserRef:
		return Route("/users/:id/emails"+suffix, append([]any{onlyID(o)}, args...)...)
	}
	return noOwner("/user/emails" + suffix)
}

// List returns one page of the email addresses of the caller or of a user.
//
//	GET /user/emails
//	GET /users/:id/emails
func (s *EmailsService) List(
	ctx context.Context, owner EmailOwner, options *ListOptions, opts ...RequestOption,
) ([]*Email, *Response, error) {
	return list[*Email](ctx, using(s), emailsOf(owner, ""), queryOf(options), opts)
}

// All returns every email address of the caller or of a user.
//
//	GET /user/emails
//	GET /users/:id/emails
func (s *EmailsService) All(
	ctx context.Context, owner EmailOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Email, error] {
	return all[*Email](ctx, using(s), emailsOf(owner, ""), queryOf(options), opts)
}

// Get returns one email address of the caller. The service has no such call for other
// users.
//
//	GET /user/emails/:email_id
func (s *EmailsService) Get(
	ctx context.Context, owner SingleEmailOwner, emailID int64, opts ...RequestOption,
) (*Email, *Response, error) {
	return do[Email](ctx, using(s), http.MethodGet, emailsOf(owner, "/:email_id", emailID), nil, opts)
}

// Create adds an email address to the caller's account or, as an administrator, to that
// of a user. The service sends an email with a link that confirms it. The call returns
// [ErrBadRequest], with the reasons in [Error.Fields], if any account already has the
// address.
//
//	POST /user/emails
//	POST /users/:id/emails
func (s *EmailsService) Create(
	ctx context.Context, owner EmailOwner, options CreateEmailOptions, opts ...RequestOption,
) (*Email, *Response, error) {
	return do[Email](ctx, using(s), http.MethodPost, emailsOf(owner, ""), jsonFor(owner, options), opts)
}

// Delete removes an email address from the caller's account or, as an administrator,
// from that of a user.
//
//	DELETE /user/emails/:email_id
//	DELETE /users/:id/emails/:email_id
func (s *EmailsService) Delete(
	ctx context.Context, owner EmailOwner, emailID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, emailsOf(owner, "/:email_id", emailID), nil, opts)
}

// Email is an additional email address of a user.
type Email struct {
	ID    int64  `json:"id"`
	Email string `json:"email"`
	// ConfirmedAt is nil until the address is confirmed, and in old releases.
	ConfirmedAt *time.Time `json:"confirmed_at"`
}

// CreateEmailOptions describes an email address. Email is required.
type CreateEmailOptions struct {
	Email string `json:"email" required:"true"`
	// SkipConfirmation treats the address as confirmed. Nil means false. Only for a
	// [UserRef].
	SkipConfirmation *bool `json:"skip_confirmation,omitzero" only:"user"`
}
