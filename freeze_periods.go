package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// FreezePeriodsService manages the times in which a project should not be deployed.
// Pipelines see a variable, CI_DEPLOY_FREEZE, while one is running; what it stops is up to
// them. Reading requires the Reporter role, changing the Maintainer role.
//
//	client.FreezePeriods.Create(ctx, project, serviceapi.CreateFreezePeriodOptions{
//		FreezeStart: "0 23 * * 5", FreezeEnd: "0 7 * * 1",
//		CronTimezone: new("Europe/Berlin"),
//	})
//
// Its options are [CreateFreezePeriodOptions], [ListOptions] and
// [UpdateFreezePeriodOptions]. See the example of [FreezePeriodsService.Create].
type FreezePeriodsService service

// FreezePeriod is a time that comes again and again, in which a project should not be
// deployed.
type FreezePeriod struct {
	ID int64 `json:"id"`
	// FreezeStart and FreezeEnd are cron expressions with five fields, such as "0 23 * * 5".
	FreezeStart string `json:"freeze_start"`
	FreezeEnd   string `json:"freeze_end"`
	// CronTimezone is an IANA name, such as "Europe/Berlin", or a name of the web interface.
	CronTimezone string    `json:"cron_timezone"`
	CreatedAt    time.Time `json:"created_at"`
	UpdatedAt    time.Time `json:"updated_at"`
}

// CreateFreezePeriodOptions describes a freeze period. FreezeStart and FreezeEnd are required.
type CreateFreezePeriodOptions struct {
	// FreezeStart and FreezeEnd are cron expressions with five fields. An end "before" the
	// start is not refused.
	FreezeStart string `json:"freeze_start" required:"true"`
	FreezeEnd   string `json:"freeze_end" required:"true"`
	// CronTimezone is an IANA name or a name of the web interface. Nil means "UTC".
	CronTimezone *string `json:"cron_timezone,omitzero"`
}

// UpdateFreezePeriodOptions changes a freeze period. Nil fields are left unchanged. Its fields
// are those of [CreateFreezePeriodOptions].
type UpdateFreezePeriodOptions struct {
	FreezeStart  *string `json:"freeze_start,omitzero"`
	FreezeEnd    *string `json:"freeze_end,omitzero"`
	CronTimezone *string `json:"cron_timezone,omitzero"`
}

// List returns one page of the freeze periods of a project, oldest first. It requires the
// Reporter role.
//
//	GET /projects/:id/freeze_periods
func (s *FreezePeriodsService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*FreezePeriod, *Response, error) {
	return list[*FreezePeriod](ctx, using(s), Route("/projects/:id/freeze_periods", project), queryOf(options), opts)
}

// All returns every freeze period of a project. See [FreezePeriodsService.List].
//
//	GET /projects/:id/freeze_periods
func (s *FreezePeriodsService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*FreezePeriod, error] {
	return all[*FreezePeriod](ctx, using(s), Route("/projects/:id/freeze_periods", project), queryOf(options), opts)
}

// Get returns a freeze period. It requires the Reporter role.
//
//	GET /projects/:id/freeze_periods/:freeze_period_id
func (s *FreezePeriodsService) Get(
	ctx context.Context, project ProjectRef, freezePeriodID int64, opts ...RequestOption,
) (*FreezePeriod, *Response, error) {
	return do[FreezePeriod](ctx, using(s), http.MethodGet,
		Route("/projects/:id/freeze_periods/:freeze_period_id", project, freezePeriodID), nil, opts)
}

// Create creates a freeze period. It requires the Maintainer role. It returns
// [ErrBadRequest] for a cron expression or a time zone that the service does not know, with
// the field in the Fields of the [*Error].
//
//	POST /projects/:id/freeze_periods
func (s *FreezePeriodsService) Create(
	ctx context.Context, project ProjectRef, options CreateFreezePeriodOptions, opts ...RequestOption,
) (*FreezePeriod, *Response, error) {
	return do[FreezePeriod](ctx, using(s), http.MethodPost,
		Route("/projects/:id/freeze_periods", project), jsonOf(options), opts)
}

// Update changes a freeze period. It requires the Maintainer role, and fails as
// [FreezePeriodsService.Create] does.
//
//	PUT /projects/:id/freeze_periods/:freeze_period_id
func (s *FreezePeriodsService) Update(
	ctx context.Context, project ProjectRef, freezePeriodID int64, options UpdateFreezePeriodOptions,
	opts ...RequestOption,
) (*FreezePeriod, *Response, error) {
	return do[FreezePeriod](ctx, using(s), http.MethodPut,
		Route("/projects/:id/freeze_periods/:freeze_period_id", project, freezePeriodID), jsonOf(options), opts)
}

// Delete deletes a freeze period. It requires the Maintainer role.
//
//	DELETE /projects/:id/freeze_periods/:freeze_period_id
func (s *FreezePeriodsService) Delete(
	ctx context.Context, project ProjectRef, freezePeriodID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/freeze_periods/:freeze_period_id", project, freezePeriodID), nil, opts)
}
