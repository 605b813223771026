package serviceapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// PipelineSchedulesService manages the schedules of projects, which start pipelines at
// certain times on behalf of their owners.
//
// Whoever can see the pipelines of a project can see its schedules. Creating and playing
// schedules requires the Developer role. Only its owner can change a schedule and its
// variables: a Maintainer has to call [PipelineSchedulesService.TakeOwnership] first. Other
// callers get [ErrForbidden].
//
// Its options are [CreatePipelineScheduleOptions],
// [CreatePipelineScheduleVariableOptions], [ListPipelineSchedulesOptions],
// [ListScheduledPipelinesOptions], [UpdatePipelineScheduleOptions] and
// [UpdatePipelineScheduleVariableOptions]. See the example PipelineSchedulesCreate in
// starting_test.go of [example.com/serviceapi/examples/recipes].
type PipelineSchedulesService service

const (
	schedulesPath        = "/projects/:id/pipeline_schedules"
	schedulePath         = schedulesPath + "/:pipeline_schedule_id"
	scheduleVariablePath = schedulePath + "/variables/:key"
)

// List returns one page of a project's schedules.
//
//	GET /projects/:id/pipeline_schedules
func (s *PipelineSchedulesService) List(
	ctx context.Context, project ProjectRef, options *ListPipelineSchedulesOptions, opts ...RequestOption,
) ([]*PipelineSchedule, *Response, error) {
	return list[*PipelineSchedule](ctx, using(s), Route(schedulesPath, project), queryOf(options), opts)
}

// All returns every schedule of a project that the options select.
//
//	GET /projects/:id/pipeline_schedules
func (s *PipelineSchedulesService) All(
	ctx context.Context, project ProjectRef, options *ListPipelineSchedulesOptions, opts ...RequestOption,
) iter.Seq2[*PipelineSchedule, error] {
	return all[*PipelineSchedule](ctx, using(s), Route(schedulesPath, project), queryOf(options), opts)
}

// Get returns a schedule with its variables and its last pipeline.
//
//	GET /projects/:id/pipeline_schedules/:pipeline_schedule_id
func (s *PipelineSchedulesService) Get(
	ctx context.Context, project ProjectRef, scheduleID int64, opts ...RequestOption,
) (*PipelineScheduleDetails, *Response, error) {
	return do[PipelineScheduleDetails](ctx, using(s), http.MethodGet,
		Route(schedulePath, project, scheduleID), nil, opts)
}

// ListPipelines returns one page of the pipelines that a schedule started, the oldest
// first by default.
//
//	GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines
func (s *PipelineSchedulesService) ListPipelines(
	ctx context.Context, project ProjectRef, scheduleID int64, options *ListScheduledPipelinesOptions,
	opts ...RequestOption,
) ([]*Pipeline, *Response, error) {
	return list[*Pipeline](ctx, using(s), Route(schedulePath+"/pipelines", project, scheduleID), queryOf(options), opts)
}

// AllPipelines returns every pipeline that a schedule started, the oldest first by default.
//
//	GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines
func (s *PipelineSchedulesService) AllPipelines(
	ctx context.Context, project ProjectRef, scheduleID int64, options *ListScheduledPipelinesOptions,
	opts ...RequestOption,
) iter.Seq2[*Pipeline, error] {
	return all[*Pipeline](ctx, using(s), Route(schedulePath+"/pipelines", project, scheduleID), queryOf(options), opts)
}

// Create creates a schedule, whose owner is the caller. The call returns [ErrBadRequest] if
// the service does not understand the times, and if the project has as many schedules as
// the instance allows, 10 by default.
//
//	POST /projects/:id/pipeline_schedules
func (s *PipelineSchedulesService) Create(
	ctx context.Context, project ProjectRef, options CreatePipelineScheduleOptions, opts ...RequestOption,
) (*PipelineScheduleDetails, *Response, error) {
	return do[PipelineScheduleDetails](ctx, using(s), http.MethodPost,
		Route(schedulesPath, project), jsonOf(options), opts)
}

// Update changes a schedule. If the times or the state change, NextRunAt is computed
// again.
//
//	PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id
func (s *PipelineSchedulesService) Update(
	ctx context.Context, project ProjectRef, scheduleID int64, options UpdatePipelineScheduleOptions,
	opts ...RequestOption,
) (*PipelineScheduleDetails, *Response, error) {
	return do[PipelineScheduleDetails](ctx, using(s), http.MethodPut,
		Route(schedulePath, project, scheduleID), jsonOf(options), opts)
}

// TakeOwnership makes the caller the owner of a schedule. It requires the Maintainer role.
//
//	POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership
func (s *PipelineSchedulesService) TakeOwnership(
	ctx context.Context, project ProjectRef, scheduleID int64, opts ...RequestOption,
) (*PipelineScheduleDetails, *Response, error) {
	return do[PipelineScheduleDetails](ctx, using(s), http.MethodPost,
		Route(schedulePath+"/take_ownership", project, scheduleID), nil, opts)
}

// Play starts a pipeline of the schedule now, on behalf of the caller. NextRunAt does not
// change. The response does not identify the pipeline, because the service creates it in
// the background: it becomes the last item of AllPipelines. [ErrForbidden] can also mean
// that the ref is protected.
//
//	POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play
func (s *PipelineSchedulesService) Play(
	ctx context.Context, project ProjectRef, scheduleID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route(schedulePath+"/play", project, scheduleID), nil, opts)
}

// Delete deletes a schedule, but not the pipelines that it started. The caller must be the
// owner or have the Maintainer role.
//
//	DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id
func (s *PipelineSchedulesService) Delete(
	ctx context.Context, project ProjectRef, scheduleID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(schedulePath, project, scheduleID), nil, opts)
}

// CreateVariable adds a variable, which is passed to the pipelines of a schedule. The call
// returns [ErrBadRequest] if the schedule already has a variable with this key.
//
//	POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables
func (s *PipelineSchedulesService) CreateVariable(
	ctx context.Context, project ProjectRef, scheduleID int64, options CreatePipelineScheduleVariableOptions,
	opts ...RequestOption,
) (*PipelineVariable, *Response, error) {
	return do[PipelineVariable](ctx, using(s), http.MethodPost,
		Route(schedulePath+"/variables", project, scheduleID), jsonOf(options), opts)
}

// GetVariable returns a variable of a schedule. Since about 17.0. For earlier releases,
// see [PipelineScheduleDetails.Variables].
//
//	GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key
func (s *PipelineSchedulesService) GetVariable(
	ctx context.Context, project ProjectRef, scheduleID int64, key string, opts ...RequestOption,
) (*PipelineVariable, *Response, error) {
	return do[PipelineVariable](ctx, using(s), http.MethodGet,
		Route(scheduleVariablePath, project, scheduleID, key), nil, opts)
}

// UpdateVariable changes a variable of a schedule.
//
//	PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key
func (s *PipelineSchedulesService) UpdateVariable(
	ctx context.Context, project ProjectRef, scheduleID int64, key string,
	options UpdatePipelineScheduleVariableOptions, opts ...RequestOption,
) (*PipelineVariable, *Response, error) {
	return do[PipelineVariable](ctx, using(s), http.MethodPut,
		Route(scheduleVariablePath, project, scheduleID, key), jsonOf(options), opts)
}

// DeleteVariable deletes a variable of a schedule, and returns it as it was.
//
//	DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key
func (s *PipelineSchedulesService) DeleteVariable(
	ctx context.Context, project ProjectRef, scheduleID int64, key string, opts ...RequestOption,
) (*PipelineVariable, *Response, error) {
	return do[PipelineVariable](ctx, using(s), http.MethodDelete,
		Route(scheduleVariablePath, project, scheduleID, key), nil, opts)
}

// PipelineSchedule is a schedule that starts pipelines at certain times, as lists return
// it. Get and other calls for one schedule return [PipelineScheduleDetails].
type PipelineSchedule struct {
	ID          int64  `json:"id"`
	Description string `json:"description"`
	// Ref is a branch or a tag. Later releases send the full name, such as
	// "refs/heads/main", whatever it was set to.
	Ref string `json:"ref"`
	// Cron says when the schedule runs, in the time zone CronTimezone.
	Cron         string `json:"cron"`
	CronTimezone string `json:"cron_timezone"`
	// NextRunAt is also set while the schedule is not active. It is nil if there is no
	// such time.
	NextRunAt *time.Time `json:"next_run_at"`
	// Active reports whether the schedule starts pipelines at its times. A schedule that is
	// not active can still be played.
	Active    bool      `json:"active"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Owner is nil if the account no longer exists.
	Owner *UserSummary `json:"owner"`
	// Inputs are the values of the configuration's inputs. Since 17.11.
	Inputs []*PipelineScheduleInput `json:"inputs"`
}

// PipelineScheduleDetails has a [PipelineSchedule] in it, and its variables and its last
// pipeline.
type PipelineScheduleDetails struct {
	PipelineSchedule

	// LastPipeline is nil if the schedule has not started any.
	LastPipeline *PipelineSummary `json:"last_pipeline"`
	// Variables are empty for callers who may not see them.
	Variables []*PipelineVariable `json:"variables"`
}

// PipelineScheduleInput is the value of an input of the configuration.
type PipelineScheduleInput struct {
	Name string `json:"name"`
	// Value is a string, a number, a boolean or an array.
	Value json.RawMessage `json:"value,omitzero"`
}

// ListPipelineSchedulesOptions selects schedules.
type ListPipelineSchedulesOptions struct {
	ListOptions
	// Scope selects the schedules that are active, or those that are not.
	Scope PipelineScheduleScope `url:"scope,omitempty"`
}

// PipelineScheduleScope is a filter for schedules.
type PipelineScheduleScope string

// Scopes of schedules.
const (
	PipelineScheduleScopeActive   PipelineScheduleScope = "active"
	PipelineScheduleScopeInactive PipelineScheduleScope = "inactive"
)

// ListScheduledPipelinesOptions selects pipelines of a schedule. Only the newest releases
// support the filters.
type ListScheduledPipelinesOptions struct {
	ListOptions
	// Sort is SortAscending, which is the default, or SortDescending, by ID.
	Sort Sort `url:"sort,omitempty"`
	// Scope selects pipelines by a group of states, or by their kind of ref.
	Scope PipelineScope `url:"scope,omitempty"`
	// Status selects the pipelines in this state.
	Status PipelineStatus `url:"status,omitempty"`
	// UpdatedAfter and UpdatedBefore limit the time of the last change.
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// CreatedAfter and CreatedBefore limit the time of creation.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
}

// CreatePipelineScheduleOptions describes a new schedule. Description, Ref and Cron are
// required.
type CreatePipelineScheduleOptions struct {
	Description string `json:"description" required:"true"`
	// Ref is a branch or a tag. Later releases refuse a name that both have.
	Ref string `json:"ref" required:"true"`
	// Cron has five fields: minute, hour, day of the month, month, and day of the week.
	Cron string `json:"cron" required:"true"`
	// CronTimezone is a name such as "Europe/Berlin" or "Pacific Time (US & Canada)". The
	// default is "UTC".
	CronTimezone *string `json:"cron_timezone,omitzero"`
	// Active is true by default.
	Active *bool `json:"active,omitzero"`
	// Inputs are the values of the configuration's inputs. Since 17.11.
	Inputs []NewPipelineScheduleInput `json:"inputs,omitzero"`
}

func (CreatePipelineScheduleOptions) holdsValues() {}

// NewPipelineScheduleInput is the value of an input of the configuration: a string, a
// number, a boolean or a slice. Both fields are required.
type NewPipelineScheduleInput struct {
	Name  string `json:"name" required:"true"`
	Value any    `json:"value" required:"true"`
}

// UpdatePipelineScheduleOptions changes a schedule.
type UpdatePipelineScheduleOptions struct {
	Description *string `json:"description,omitzero"`
	// Ref is a branch or a tag. Later releases refuse a name that both have.
	Ref *string `json:"ref,omitzero"`
	// Cron has five fields: minute, hour, day of the month, month, and day of the week.
	Cron         *string `json:"cron,omitzero"`
	CronTimezone *string `json:"cron_timezone,omitzero"`
	Active       *bool   `json:"active,omitzero"`
	// Inputs adds, changes and removes values. Other values stay as they are. Since 17.11.
	Inputs []PipelineScheduleInputChange `json:"inputs,omitzero"`
}

func (UpdatePipelineScheduleOptions) holdsValues() {}

// PipelineScheduleInputChange sets the value of an input, or removes it. Name is required.
type PipelineScheduleInputChange struct {
	Name string `json:"name" required:"true"`
	// Value is a string, a number, a boolean or a slice.
	Value any `json:"value,omitzero"`
	// Destroy removes the value.
	Destroy bool `json:"destroy,omitzero"`
}

// CreatePipelineScheduleVariableOptions describes a new variable of a schedule. Key is
// required.
type CreatePipelineScheduleVariableOptions struct {
	// Key has at most 255 letters, digits and underscores.
	Key string `json:"key" required:"true"`
	// Value is a [Secret], because variables often contain credentials.
	Value Secret `json:"value"`
	// VariableType is [VariableTypeEnv] by default.
	VariableType *VariableType `json:"variable_type,omitzero"`
}

// UpdatePipelineScheduleVariableOptions changes a variable of a schedule.
type UpdatePipelineScheduleVariableOptions struct {
	Value        *Secret       `json:"value,omitzero"`
	VariableType *VariableType `json:"variable_type,omitzero"`
}
