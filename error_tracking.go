package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ErrorTrackingService sets up where the errors of a project's program are collected, and issues the
// keys that programs report them with. It requires the Maintainer role. Addresses and tokens of a
// collector outside of the instance can be set only in a browser.
//
// Its options are [ListOptions], [SetErrorTrackingOptions] and [UpdateErrorTrackingOptions]. See the
// example of [ErrorTrackingService.CreateClientKey].
type ErrorTrackingService service

const (
	errorTrackingSettings = "/projects/:id/error_tracking/settings"
	errorTrackingKeys     = "/projects/:id/error_tracking/client_keys"
)

// Get returns the settings of a project. The call returns [ErrNotFound] if it has none yet.
//
//	GET /projects/:id/error_tracking/settings
func (s *ErrorTrackingService) Get(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*ErrorTrackingSettings, *Response, error) {
	return do[ErrorTrackingSettings](ctx, using(s), http.MethodGet, Route(errorTrackingSettings, project), nil, opts)
}

// Set changes the settings of a project, and makes them if it has none. The call returns [ErrNotFound]
// where the instance has no collector of its own, which is the default but for the hosted offering.
// Since 15.10.
//
//	PUT /projects/:id/error_tracking/settings
func (s *ErrorTrackingService) Set(
	ctx context.Context, project ProjectRef, options SetErrorTrackingOptions, opts ...RequestOption,
) (*ErrorTrackingSettings, *Response, error) {
	return do[ErrorTrackingSettings](ctx, using(s), http.MethodPut,
		Route(errorTrackingSettings, project), jsonOf(options), opts)
}

// Update changes the settings that a project has. The call returns [ErrNotFound] if it has none.
//
//	PATCH /projects/:id/error_tracking/settings
func (s *ErrorTrackingService) Update(
	ctx context.Context, project ProjectRef, options UpdateErrorTrackingOptions, opts ...RequestOption,
) (*ErrorTrackingSettings, *Response, error) {
	return do[ErrorTrackingSettings](ctx, using(s), http.MethodPatch,
		Route(errorTrackingSettings, project), jsonOf(options), opts)
}

// ListClientKeys returns one page of the keys with which programs report errors of a project.
//
//	GET /projects/:id/error_tracking/client_keys
func (s *ErrorTrackingService) ListClientKeys(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*ErrorTrackingClientKey, *Response, error) {
	return list[*ErrorTrackingClientKey](ctx, using(s), Route(errorTrackingKeys, project), queryOf(options), opts)
}

// AllClientKeys returns every key with which programs report errors of a project.
//
//	GET /projects/:id/error_tracking/client_keys
func (s *ErrorTrackingService) AllClientKeys(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ErrorTrackingClientKey, error] {
	return all[*ErrorTrackingClientKey](ctx, using(s), Route(errorTrackingKeys, project), queryOf(options), opts)
}

// CreateClientKey makes a key for a program.
//
//	POST /projects/:id/error_tracking/client_keys
func (s *ErrorTrackingService) CreateClientKey(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*ErrorTrackingClientKey, *Response, error) {
	return do[ErrorTrackingClientKey](ctx, using(s), http.MethodPost, Route(errorTrackingKeys, project), nil, opts)
}

// DeleteClientKey deletes a key, and returns it.
//
//	DELETE /projects/:id/error_tracking/client_keys/:key_id
func (s *ErrorTrackingService) DeleteClientKey(
	ctx context.Context, project ProjectRef, keyID int64, opts ...RequestOption,
) (*ErrorTrackingClientKey, *Response, error) {
	return do[ErrorTrackingClientKey](ctx, using(s), http.MethodDelete,
		Route(errorTrackingKeys+"/:key_id", project, keyID), nil, opts)
}

// SetErrorTrackingOptions are the settings of a project.
type SetErrorTrackingOptions struct {
	// Active switches the collection of errors on.
	Active bool `json:"active"`
	// Integrated selects the collector of the instance, not one outside of it.
	Integrated bool `json:"integrated"`
}

// UpdateErrorTrackingOptions changes the settings of a project.
type UpdateErrorTrackingOptions struct {
	// Active is always sent: the service requires it.
	Active bool `json:"active"`
	// Integrated is left unchanged if it is nil.
	Integrated *bool `json:"integrated,omitzero"`
}

// ErrorTrackingSettings say where the errors of a project's program are collected.
type ErrorTrackingSettings struct {
	Active bool `json:"active"`
	// Integrated is false where the instance has no collector of its own, whatever was set.
	Integrated bool `json:"integrated"`
	// ProjectName, SentryExternalURL and APIURL are of a collector outside of the instance, and
	// empty without one.
	ProjectName       string `json:"project_name"`
	SentryExternalURL string `json:"sentry_external_url"`
	APIURL            string `json:"api_url"`
}

// ErrorTrackingClientKey is a key with which programs report errors. It is public: whoever has the
// program has the key.
type ErrorTrackingClientKey struct {
	ID        int64  `json:"id"`
	Active    bool   `json:"active"`
	PublicKey string `json:"public_key"`
	// SentryDSN is the address that a program is configured with, which has the key in it.
	SentryDSN string `json:"sentry_dsn"`
}
