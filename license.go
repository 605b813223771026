package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// LicenseService manages the licenses of the instance. The newest one is in effect. All
// calls require an administrator and a premium edition: an edition without licenses
// returns [ErrNotFound].
//
// Its options are [CreateLicenseOptions] and [ListOptions]. See the example of
// [LicenseService.Current].
type LicenseService service

// List returns one page of the licenses, the newest first, without
// [License.ActiveUsers]. The service returns all of them at once.
//
//	GET /licenses
func (s *LicenseService) List(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*License, *Response, error) {
	return list[*License](ctx, using(s), Route("/licenses"), queryOf(options), opts)
}

// All returns every license, the newest first, without [License.ActiveUsers].
//
//	GET /licenses
func (s *LicenseService) All(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*License, error] {
	return all[*License](ctx, using(s), Route("/licenses"), queryOf(options), opts)
}

// Current returns the license that is in effect, nil if there is none.
//
//	GET /license
func (s *LicenseService) Current(ctx context.Context, opts ...RequestOption) (*License, *Response, error) {
	return orNoMembers(orNone(do[License](ctx, using(s), http.MethodGet, Route("/license"), nil, opts)))
}

// Get returns a license.
//
//	GET /license/:id
func (s *LicenseService) Get(ctx context.Context, licenseID int64, opts ...RequestOption) (*License, *Response, error) {
	return do[License](ctx, using(s), http.MethodGet, Route("/license/:id", licenseID), nil, opts)
}

// Create adds a license, which takes effect at once. The call returns [ErrBadRequest],
// whose message says why, if the service does not accept it.
//
//	POST /license
func (s *LicenseService) Create(
	ctx context.Context, options CreateLicenseOptions, opts ...RequestOption,
) (*License, *Response, error) {
	return do[License](ctx, using(s), http.MethodPost, Route("/license"), jsonOf(options), opts)
}

// Delete removes a license. If it was the newest one, the one before it takes effect
// again.
//
//	DELETE /license/:id
func (s *LicenseService) Delete(ctx context.Context, licenseID int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/license/:id", licenseID), nil, opts)
}

// DownloadUsage returns the usage of the current license as a stream of CSV: first its key and whom it
// was issued to, then the number of billable users by date.
//
//	GET /license/usage_export.csv
func (s *LicenseService) DownloadUsage(ctx context.Context, opts ...RequestOption) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet, Route("/license/usage_export.csv").withoutHTML(), nil, opts)
}

// RefreshBillableUsers makes the service count the billable users again, in the background (202).
//
//	PUT /license/:id/refresh_billable_users
func (s *LicenseService) RefreshBillableUsers(
	ctx context.Context, licenseID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPut, Route("/license/:id/refresh_billable_users", licenseID), nil, opts)
}

// License is a license of the instance.
type License struct {
	ID int64 `json:"id"`
	// Plan is premium or ultimate. Older licenses have other names.
	Plan      string    `json:"plan"`
	CreatedAt time.Time `json:"created_at"`
	StartsAt  Date      `json:"starts_at"`
	// ExpiresAt is the day on which the license expires, nil if it does not.
	ExpiresAt *Date `json:"expires_at"`
	Expired   bool  `json:"expired"`
	// UserLimit is the number of users that the license allows, 0 if there is no limit.
	UserLimit int `json:"user_limit"`
	// ActiveUsers is the current number of active users. It is nil in lists.
	ActiveUsers *int `json:"active_users"`
	// HistoricalMax is the largest number of users since the license started, and
	// MaximumUserCount the largest number at any time.
	HistoricalMax    int `json:"historical_max"`
	MaximumUserCount int `json:"maximum_user_count"`
	// Overage is the number of users beyond UserLimit, at least 0.
	Overage int `json:"overage"`
	// Licensee is the person or company that the license was issued to, nil if the
	// service does not say.
	Licensee *LicenseLicensee `json:"licensee"`
	// AddOns are the quantities of the add-ons that the license includes, by name. The
	// names begin with the name of the product, such as Service_FileLocks.
	AddOns map[string]int `json:"add_ons"`
}

// LicenseLicensee is the person or company that a license was issued to.
type LicenseLicensee struct {
	Name    string `json:"Name"`
	Email   string `json:"Email"`
	Company string `json:"Company"`
}

// CreateLicenseOptions contains a license to add.
type CreateLicenseOptions struct {
	// License is the text of the license file. It is required.
	License Secret `json:"license" required:"true"`
}
