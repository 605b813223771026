package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ApplicationsService manages the OAuth applications of the instance: programs that
// users authorize to act on their behalf. All calls require an administrator, and return
// [ErrForbidden] to everybody else. The lists do not include the applications of users
// and groups.
//
// Its options are [CreateApplicationOptions] and [ListOptions]. See the example of
// [ApplicationsService.Create].
type ApplicationsService service

// List returns the applications of the instance, without their secrets. The service
// returns all of them at once.
//
//	GET /applications
func (s *ApplicationsService) List(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*Application, *Response, error) {
	return list[*Application](ctx, using(s), Route("/applications"), queryOf(options), opts)
}

// All returns every application of the instance, without its secret.
//
//	GET /applications
func (s *ApplicationsService) All(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Application, error] {
	return all[*Application](ctx, using(s), Route("/applications"), queryOf(options), opts)
}

// Create registers an application. Only this response contains its secret. Several
// applications can have the same name. The call returns [ErrBadRequest] for an address
// or a scope that the service does not accept.
//
//	POST /applications
func (s *ApplicationsService) Create(
	ctx context.Context, options CreateApplicationOptions, opts ...RequestOption,
) (*Application, *Response, error) {
	return do[Application](ctx, using(s), http.MethodPost, Route("/applications"), jsonOf(options), opts)
}

// RenewSecret replaces the secret of an application. Only this response contains the new
// one, and the old one stops working at once. Since 16.11.
//
//	POST /applications/:id/renew-secret
func (s *ApplicationsService) RenewSecret(
	ctx context.Context, applicationID int64, opts ...RequestOption,
) (*Application, *Response, error) {
	return do[Application](ctx, using(s), http.MethodPost,
		Route("/applications/:id/renew-secret", applicationID), nil, opts)
}

// Delete deletes an application, whose tokens stop working. The argument is
// [Application.ID], not the client ID.
//
//	DELETE /applications/:id
func (s *ApplicationsService) Delete(
	ctx context.Context, applicationID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/applications/:id", applicationID), nil, opts)
}

// Application is an OAuth application.
type Application struct {
	// ID identifies the application in this API.
	ID int64 `json:"id"`
	// ApplicationID identifies the application in OAuth flows: it is the client ID.
	ApplicationID   string `json:"application_id"`
	ApplicationName string `json:"application_name"`
	// Secret is the client secret. Only [ApplicationsService.Create] and
	// [ApplicationsService.RenewSecret] set it: store it, because the service does not
	// show it again.
	Secret Secret `json:"secret,omitzero"`
	// CallbackURL contains the addresses that users are sent back to, one per line.
	CallbackURL string `json:"callback_url"`
	// Confidential reports whether the application can keep a secret. A program on a
	// user's device cannot.
	Confidential bool `json:"confidential"`
	// Scopes are the permissions that the application may ask for. Only later releases
	// send them.
	Scopes []string `json:"scopes"`
}

// CreateApplicationOptions describes a new application. Name, RedirectURI and Scopes are
// required.
type CreateApplicationOptions struct {
	Name string `json:"name" required:"true"`
	// RedirectURI contains the addresses that users are sent back to, one per line.
	RedirectURI string `json:"redirect_uri" required:"true"`
	// Scopes are the permissions that the application may ask for, separated by spaces:
	// the scopes of access tokens, openid, profile and email.
	Scopes string `json:"scopes" required:"true"`
	// Confidential says whether the application can keep a secret. Nil means true.
	Confidential *bool `json:"confidential,omitzero"`
}
