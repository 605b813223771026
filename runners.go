package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"time"
)

// RunnersService manages the runners of the instance, groups and projects.
//
// There are two kinds of tokens: a registration token is required to register a
// runner, and registration returns the authentication token with which the
// runner fetches its jobs.
//
// The owner selects whose runners are listed:
//
//	client.Runners.All(ctx, serviceapi.Own, nil)
//	client.Runners.All(ctx, serviceapi.Instance, nil)
//	client.Runners.All(ctx, serviceapi.GroupPath("acme"), nil)
//
// Its options are [CreateRunnerOptions], [DeleteRunnerOptions], [EnableRunnerOptions],
// [ListOptions], [ListRunnerJobsOptions], [ListRunnersOptions], [RegisterRunnerOptions],
// [ResetRunnerTokenOptions], [UpdateRunnerOptions] and [VerifyRunnerOptions]. See the
// example RunnersAll in ci_test.go of [example.com/serviceapi/examples/recipes].
type RunnersService service

// RunnerOwner is an owner of runners: [Own], [Instance], a [ProjectRef]
// or a [GroupRef].
type RunnerOwner interface{ hasRunners() }

func (CallerOwner) hasRunners() {}

func (InstanceOwner) hasRunners() {}

func (ProjectRef) hasRunners() {}

func (GroupRef) hasRunners() {}

func runnersOf(owner RunnerOwner) Endpoint {
	switch owner {
	case Own:
		return Route("/runners")
	case Instance:
		return Route("/runners/all")
	}
	return below(owner, "/runners")
}

// NewRunnerOwner is an owner that a runner is created for: [Instance], a
// [GroupRef] or a [ProjectRef], which is the first project that it serves.
type NewRunnerOwner interface{ hasNewRunners() }

func (InstanceOwner) hasNewRunners() {}

func (GroupRef) hasNewRunners() {}

func (ProjectRef) hasNewRunners() {}

// List returns one page of the runners of an owner:
//
//   - for [Own], those that the caller owns,
//   - for [Instance], all runners of every type, which requires an
//     administrator,
//   - for a project or group, those available to it: its own, those of its
//     parent groups, and those of the instance if the project or group allows
//     them.
//
// The call returns an [*ArgumentError] for an option that this owner does not
// support.
//
//	GET /runners
//	GET /runners/all
//	GET /projects/:id/runners
//	GET /groups/:id/runners
func (s *RunnersService) List(
	ctx context.Context, owner RunnerOwner, options *ListRunnersOptions, opts ...RequestOption,
) ([]*Runner, *Response, error) {
	return list[*Runner](ctx, using(s),
		runnersOf(owner), queryFor(owner, options), opts)
}

// All returns every runner of an owner. See [RunnersService.List] for what is
// listed for each owner. The sequence yields an [*ArgumentError] for an option
// that this owner does not support.
//
//	GET /runners
//	GET /runners/all
//	GET /projects/:id/runners
//	GET /groups/:id/runners
func (s *RunnersService) All(
	ctx context.Context, owner RunnerOwner, options *ListRunnersOptions, opts ...RequestOption,
) iter.Seq2[*Runner, error] {
	return all[*Runner](ctx, using(s),
		runnersOf(owner), queryFor(owner, options), opts)
}

// Get returns one runner. A runner of a project or a group requires the
// Maintainer role there. Runners of the instance are visible to every signed-in
// user. Since 18.6, WithQuery("include_projects", "false") leaves out the projects,
// which are many for some runners; the service's documentation does not have it.
//
//	GET /runners/:id
func (s *RunnersService) Get(
	ctx context.Context, runnerID int64, opts ...RequestOption,
) (*RunnerDetails, *Response, error) {
	return do[RunnerDetails](ctx, using(s), http.MethodGet, Route("/runners/:id", runnerID), nil, opts)
}

// Update changes a runner and returns it.
//
//	PUT /runners/:id
func (s *RunnersService) Update(
	ctx context.Context, runnerID int64, options UpdateRunnerOptions, opts ...RequestOption,
) (*RunnerDetails, *Response, error) {
	return do[RunnerDetails](ctx, using(s), http.MethodPut, Route("/runners/:id", runnerID), jsonOf(options), opts)
}

// pausedForm is the form that pauses or resumes a runner.
type pausedForm struct {
	Paused bool `json:"paused"`
}

// Pause stops a runner from taking new jobs. Running jobs continue.
//
//	PUT /runners/:runner_id
func (s *RunnersService) Pause(
	ctx context.Context, runnerID int64, opts ...RequestOption,
) (*RunnerDetails, *Response, error) {
	return do[RunnerDetails](ctx, using(s), http.MethodPut,
		Route("/runners/:runner_id", runnerID), formOf(pausedForm{true}), opts)
}

// Resume lets a runner take jobs again.
//
//	PUT /runners/:runner_id
func (s *RunnersService) Resume(
	ctx context.Context, runnerID int64, opts ...RequestOption,
) (*RunnerDetails, *Response, error) {
	return do[RunnerDetails](ctx, using(s), http.MethodPut,
		Route("/runners/:runner_id", runnerID), formOf(pausedForm{false}), opts)
}

// ListJobs returns one page of the jobs that a runner has taken, the newest
// first, each with [Job.IPAddress] and [Job.Project]. Only jobs of projects in
// which the caller has the Reporter role are listed.
//
//	GET /runners/:id/jobs
func (s *RunnersService) ListJobs(
	ctx context.Context, runnerID int64, options *ListRunnerJobsOptions, opts ...RequestOption,
) ([]*Job, *Response, error) {
	return list[*Job](ctx, using(s), Route("/runners/:id/jobs", runnerID), queryOf(options), opts)
}

// AllJobs returns every job that a runner has taken, the newest first, each
// with [Job.IPAddress] and [Job.Project]. Only jobs of projects in which the
// caller has the Reporter role are listed.
//
//	GET /runners/:id/jobs
func (s *RunnersService) AllJobs(
	ctx context.Context, runnerID int64, options *ListRunnerJobsOptions, opts ...RequestOption,
) iter.Seq2[*Job, error] {
	return all[*Job](ctx, using(s), Route("/runners/:id/jobs", runnerID), queryOf(options), opts)
}

// Enable makes a project runner available to another project, and returns the
// runner.
//
//	POST /projects/:id/runners
func (s *RunnersService) Enable(
	ctx context.Context, project ProjectRef, options EnableRunnerOptions, opts ...RequestOption,
) (*Runner, *Response, error) {
	return do[Runner](ctx, using(s), http.MethodPost, Route("/projects/:id/runners", project),
		jsonOf(options), opts)
}

// Disable makes a project runner unavailable to a project. The service refuses
// this for the runner's only project.
//
//	DELETE /projects/:id/runners/:runner_id
func (s *RunnersService) Disable(
	ctx context.Context, project ProjectRef, runnerID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/runners/:runner_id", project, runnerID), nil, opts)
}

// Register registers a runner and returns its authentication token. The
// registration token in the options decides whether the runner belongs to the
// instance, a group or a project. Since about 16.x, an instance can disable
// registration tokens, and the call then returns an [*Error] with the status
// 410. In new installations of 17.0 and later, they are disabled by default.
//
//	POST /runners
func (s *RunnersService) Register(
	ctx context.Context, options RegisterRunnerOptions, opts ...RequestOption,
) (*RegisteredRunner, *Response, error) {
	return do[RegisteredRunner](ctx, using(s), http.MethodPost, Route("/runners"), jsonOf(options), opts)
}

// Create creates a runner for an owner and returns its authentication token.
// The runner is recorded as created by the caller. If registration tokens are
// disabled, this is the only way to add a runner. It requires an administrator
// for [Instance], and the Owner role in the group or project otherwise. The
// scope create_runner is sufficient. Since about 16.0.
//
// A group or project must be identified by its ID, with [GroupID] or [ProjectID]. For a
// path, the call returns an [*ArgumentError], because the API accepts none here.
//
//	POST /user/runners
func (s *RunnersService) Create(
	ctx context.Context, owner NewRunnerOwner, options CreateRunnerOptions, opts ...RequestOption,
) (*RegisteredRunner, *Response, error) {
	return do[RegisteredRunner](ctx, using(s), http.MethodPost, Route("/user/runners"),
		newRunnerBody{CreateRunnerOptions: options}.of(owner), opts)
}

// Delete deletes a runner. It requires an administrator for a runner of the
// instance, the Owner role for one of a group, and the Maintainer role for one
// of a project.
//
//	DELETE /runners/:id
func (s *RunnersService) Delete(ctx context.Context, runnerID int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/runners/:id", runnerID), nil, opts)
}

// ResetAuthenticationToken replaces the authentication token of a runner, and
// returns the new one. The old one no longer works. It requires the same role
// as [RunnersService.Delete].
//
//	POST /runners/:id/reset_authentication_token
func (s *RunnersService) ResetAuthenticationToken(
	ctx context.Context, runnerID int64, opts ...RequestOption,
) (*RunnerToken, *Response, error) {
	return do[RunnerToken](ctx, using(s), http.MethodPost,
		Route("/runners/:id/reset_authentication_token", runnerID), nil, opts)
}

// Verify checks the authentication token of a runner. The service also records that the
// runner contacted it. The call returns [ErrForbidden] for a token that is not valid. The
// result is nil for services of 15.2, which send none. The service ignores all credentials
// except the token.
//
//	POST /runners/verify
func (s *RunnersService) Verify(
	ctx context.Context, options VerifyRunnerOptions, opts ...RequestOption,
) (*RegisteredRunner, *Response, error) {
	runner, resp, err := do[RegisteredRunner](ctx, using(s), http.MethodPost, Route("/runners/verify"),
		jsonOf(options), opts)
	if errors.Is(err, errEmptyBody) {
		return nil, resp, nil
	}
	return runner, resp, err
}

// DeleteByToken deletes the runner that an authentication token belongs to. The call
// returns [ErrForbidden] for a token that is not valid. The service ignores all credentials
// except the token.
//
//	DELETE /runners
func (s *RunnersService) DeleteByToken(
	ctx context.Context, options DeleteRunnerOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/runners"), jsonOf(options), opts)
}

// ResetAuthenticationTokenByToken replaces the authentication token of the runner that it belongs to,
// and returns the new one. The old one no longer works. The call returns [ErrForbidden] for a token that
// is not valid. The service ignores all credentials except the token.
//
//	POST /runners/reset_authentication_token
func (s *RunnersService) ResetAuthenticationTokenByToken(
	ctx context.Context, options ResetRunnerTokenOptions, opts ...RequestOption,
) (*RunnerToken, *Response, error) {
	return do[RunnerToken](ctx, using(s), http.MethodPost,
		Route("/runners/reset_authentication_token"), jsonOf(options), opts)
}

// ResetRegistrationToken replaces the registration token of an owner, and returns the new one. The old
// one no longer works; registered runners keep theirs. It requires an administrator for [Instance], the
// Owner role in a group, and the Maintainer role in a project. The call returns [ErrForbidden] if the
// instance does not allow registration tokens.
//
// Deprecated: the service plans the removal of registration tokens. Use [RunnersService.Create].
//
//	POST /runners/reset_registration_token
//	POST /projects/:id/runners/reset_registration_token
//	POST /groups/:id/runners/reset_registration_token
func (s *RunnersService) ResetRegistrationToken(
	ctx context.Context, owner NewRunnerOwner, opts ...RequestOption,
) (*RunnerToken, *Response, error) {
	return do[RunnerToken](ctx, using(s), http.MethodPost, below(owner, "/runners/reset_registration_token"), nil, opts)
}

// ListManagers returns the processes that serve a runner, all at once. The call returns [ErrForbidden] if
// the caller does not see the runner. Since about 17.x.
//
//	GET /runners/:id/managers
func (s *RunnersService) ListManagers(
	ctx context.Context, runnerID int64, options *ListOptions, opts ...RequestOption,
) ([]*RunnerManager, *Response, error) {
	return list[*RunnerManager](ctx, using(s), Route("/runners/:id/managers", runnerID), queryOf(options), opts)
}

// AllManagers returns every process that serves a runner. Since about 17.x.
//
//	GET /runners/:id/managers
func (s *RunnersService) AllManagers(
	ctx context.Context, runnerID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RunnerManager, error] {
	return all[*RunnerManager](ctx, using(s), Route("/runners/:id/managers", runnerID), queryOf(options), opts)
}

// ListProjects returns one page of the projects that a project runner serves and the caller sees. They
// have the fields of lists with [ListProjectsOptions.Simple]. The call returns [ErrForbidden] if the caller
// does not see the runner. Since about 18.8.
//
//	GET /runners/:id/projects
func (s *RunnersService) ListProjects(
	ctx context.Context, runnerID int64, options *ListOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, using(s), Route("/runners/:id/projects", runnerID), queryOf(options), opts)
}

// AllProjects returns every project that a project runner serves and the caller sees. See
// [RunnersService.ListProjects] for their fields. Since about 18.8.
//
//	GET /runners/:id/projects
func (s *RunnersService) AllProjects(
	ctx context.Context, runnerID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, using(s), Route("/runners/:id/projects", runnerID), queryOf(options), opts)
}

// ResetRunnerTokenOptions says which token to replace.
type ResetRunnerTokenOptions struct {
	// Token is the authentication token of the runner. It is required.
	Token Secret `json:"token" required:"true"`
}

// VerifyRunnerOptions says which token to check.
type VerifyRunnerOptions struct {
	// Token is the authentication token of the runner. It is required.
	Token Secret `json:"token" required:"true"`
	// SystemID identifies the machine of the runner. Since 16.0, the service requires
	// it with tokens that were created by [RunnersService.Create].
	SystemID *string `json:"system_id,omitzero"`
}

// DeleteRunnerOptions says which runner to delete.
type DeleteRunnerOptions struct {
	// Token is the authentication token of the runner. It is required.
	Token Secret `json:"token" required:"true"`
}

// EnableRunnerOptions says which runner to make available to a project.
type EnableRunnerOptions struct {
	// RunnerID is the ID of a project runner. It is required.
	RunnerID int64 `json:"runner_id" required:"true"`
}

// CreateRunnerOptions describes a runner to create. Nil fields have their default
// value.
type CreateRunnerOptions struct {
	Description *string `json:"description,omitzero"`
	// Paused prevents the runner from taking jobs.
	Paused *bool `json:"paused,omitzero"`
	// Locked prevents the runner from being enabled in other projects.
	Locked *bool `json:"locked,omitzero"`
	// RunUntagged lets the runner take jobs without tags.
	RunUntagged *bool `json:"run_untagged,omitzero"`
	// TagList has the tags of the jobs that the runner takes.
	TagList     []string           `json:"tag_list,omitzero"`
	AccessLevel *RunnerAccessLevel `json:"access_level,omitzero"`
	// MaximumTimeout limits the running time of a job, in seconds.
	MaximumTimeout *int64 `json:"maximum_timeout,omitzero"`
	// MaintenanceNote is a note for the maintainers of the runner, at most 1024
	// characters long.
	MaintenanceNote *string `json:"maintenance_note,omitzero"`
}

// newRunnerBody is the body of a call that creates a runner. The owner determines its first
// three fields.
type newRunnerBody struct {
	RunnerType RunnerType `json:"runner_type"`
	GroupID    int64      `json:"group_id,omitzero"`
	ProjectID  int64      `json:"project_id,omitzero"`
	CreateRunnerOptions
}

// of is the input of a call that creates the runner for an owner. The API
// identifies groups and projects only by their ID here.
func (b newRunnerBody) of(owner NewRunnerOwner) input {
	var ref reference
	switch o := owner.(type) {
	case InstanceOwner:
		b.RunnerType = RunnerTypeInstance
		return jsonOf(b)
	case GroupRef:
		b.RunnerType, b.GroupID, ref = RunnerTypeGroup, o.id, o.reference
	case ProjectRef:
		b.RunnerType, b.ProjectID, ref = RunnerTypeProject, o.id, o.reference
	}
	if ref.kind == byName {
		return refusedInput{&ArgumentError{Argument: "owner", Problem: "must be an ID: the API takes no path here"}}
	}
	return unless(cmp.Or(missing("owner", ref.IsZero()), positive("owner", ref.id)), jsonOf(b))
}

// RunnerScope is a filter for runners.
//
// Deprecated: use [RunnerType], [RunnerStatus] and the field Paused. The
// service planned its removal for release 16.0.
type RunnerScope string

// Scopes of runners. RunnerScopeSpecific and RunnerScopeShared are only for
// [Instance].
//
// Deprecated: use [RunnerType], [RunnerStatus] and the field Paused.
const (
	RunnerScopeActive   RunnerScope = "active"
	RunnerScopePaused   RunnerScope = "paused"
	RunnerScopeOnline   RunnerScope = "online"
	RunnerScopeOffline  RunnerScope = "offline"
	RunnerScopeSpecific RunnerScope = "specific"
	RunnerScopeShared   RunnerScope = "shared"
)

// ListRunnersOptions selects runners. Empty fields do not filter.
type ListRunnersOptions struct {
	ListOptions
	// Scope selects runners by owner or state. It is not for a [GroupRef].
	//
	// Deprecated: use Type, Status and Paused. The service planned the removal of
	// Scope for release 16.0.
	Scope RunnerScope `url:"scope,omitempty" only:"own,instance,project"`
	// Type selects the runners of this type. For a group, the service has not supported
	// [RunnerTypeProject] since 15.0, and there is no replacement.
	Type RunnerType `url:"type,omitempty"`
	// Status selects the runners in this state.
	Status RunnerStatus `url:"status,omitempty"`
	// Paused selects the runners that are paused, or those that are not.
	Paused *bool `url:"paused,omitempty"`
	// TagList selects the runners that have all of these tags. A tag must not
	// contain a comma.
	TagList []string `url:"tag_list,comma,omitempty"`
	// VersionPrefix selects the runners whose version begins with this string, such
	// as "16.5". Since about 16.x.
	VersionPrefix string `url:"version_prefix,omitempty"`
}

func (o *ListRunnersOptions) check() error { return noCommas("TagList", orZero(o).TagList) }

// ListRunnerJobsOptions selects jobs of a runner.
type ListRunnerJobsOptions struct {
	ListOptions
	// Status selects the jobs in this state: JobStatusRunning, JobStatusSuccess,
	// JobStatusFailed or JobStatusCanceled. All are listed if it is empty.
	Status JobStatus `url:"status,omitempty"`
	// SystemID selects the jobs of one [RunnerManager]. Since about 17.x.
	SystemID string `url:"system_id,omitempty"`
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] is faster
	// for long lists; it requires OrderBy [JobOrderByID] and any Sort. Since
	// about 17.x.
	Pagination Pagination `url:"pagination,omitempty"`
	// OrderBy can only be JobOrderByID. Empty leaves the order to the service.
	OrderBy JobOrderBy `url:"order_by,omitempty" keyset:"id"`
	// Sort is SortAscending or SortDescending, which is the default. It requires
	// OrderBy.
	Sort Sort `url:"sort,omitempty" keyset:"desc,asc"`
}

// UpdateRunnerOptions changes a runner. Nil fields are left unchanged.
type UpdateRunnerOptions struct {
	Description *string `json:"description,omitzero"`
	// Active is the opposite of Paused.
	//
	// Deprecated: use Paused. The service planned the removal of Active for
	// release 16.0.
	Active *bool `json:"active,omitzero"`
	// Paused prevents the runner from taking jobs.
	Paused *bool `json:"paused,omitzero"`
	// TagList replaces the tags; an empty slice that is not nil removes all of
	// them.
	TagList []string `json:"tag_list,omitzero"`
	// RunUntagged lets the runner take jobs without tags.
	RunUntagged *bool `json:"run_untagged,omitzero"`
	// Locked prevents the runner from being enabled in other projects.
	Locked      *bool              `json:"locked,omitzero"`
	AccessLevel *RunnerAccessLevel `json:"access_level,omitzero"`
	// MaximumTimeout limits the running time of a job, in seconds. Null removes the limit;
	// the zero value leaves it unchanged.
	MaximumTimeout Nullable[int64] `json:"maximum_timeout,omitzero"`
	// MaintenanceNote is a note for the maintainers of the runner.
	MaintenanceNote *string `json:"maintenance_note,omitzero"`
}

// RegisterRunnerOptions describes a runner to register.
type RegisterRunnerOptions struct {
	// Token is the registration token of the instance, group or project that the
	// runner will belong to. It is required.
	Token       Secret  `json:"token" required:"true"`
	Description *string `json:"description,omitzero"`
	// Info describes the runner itself.
	Info *RunnerInfo `json:"info,omitzero"`
	// Active is the opposite of Paused.
	//
	// Deprecated: use Paused. The service planned the removal of Active for
	// release 16.0.
	Active *bool `json:"active,omitzero"`
	// Paused prevents the runner from taking jobs.
	Paused *bool `json:"paused,omitzero"`
	// Locked prevents the runner from being enabled in other projects.
	Locked *bool `json:"locked,omitzero"`
	// RunUntagged lets the runner take jobs without tags.
	RunUntagged *bool `json:"run_untagged,omitzero"`
	// TagList has the tags of the jobs that the runner takes.
	TagList     []string           `json:"tag_list,omitzero"`
	AccessLevel *RunnerAccessLevel `json:"access_level,omitzero"`
	// MaximumTimeout limits the running time of a job, in seconds.
	MaximumTimeout *int64 `json:"maximum_timeout,omitzero"`
	// MaintainerNote is a note for the maintainers of the runner.
	//
	// Deprecated: use MaintenanceNote. The service planned the removal of
	// MaintainerNote for release 16.0.
	MaintainerNote *string `json:"maintainer_note,omitzero"`
	// MaintenanceNote is a note for the maintainers of the runner.
	MaintenanceNote *string `json:"maintenance_note,omitzero"`
}

// RunnerToken is a token that was replaced: the authentication token of a runner, or a registration
// token.
type RunnerToken struct {
	// Token is the new token. Store it: the service does not show an authentication token again.
	Token Secret `json:"token"`
	// TokenExpiresAt is nil if the token does not expire.
	TokenExpiresAt *time.Time `json:"token_expires_at"`
}

// RunnerType says whether a runner belongs to the instance, a group or
// projects.
type RunnerType string

// Types of runners: of the whole instance, of a group, and of projects.
const (
	RunnerTypeInstance RunnerType = "instance_type"
	RunnerTypeGroup    RunnerType = "group_type"
	RunnerTypeProject  RunnerType = "project_type"
)

// RunnerStatus is the state of a runner.
type RunnerStatus string

// States of a runner. A stale runner has not contacted the service for a long time.
const (
	RunnerStatusOnline         RunnerStatus = "online"
	RunnerStatusOffline        RunnerStatus = "offline"
	RunnerStatusStale          RunnerStatus = "stale"
	RunnerStatusNeverContacted RunnerStatus = "never_contacted"
)

// States that say whether a runner takes jobs. The service accepts them as
// filters up to release 16.0. RunnerStatusPaused is also sent by old releases.
const (
	// Deprecated: use the field Paused of the options with new(false).
	RunnerStatusActive RunnerStatus = "active"
	// Deprecated: use the field Paused of the options with new(true), or
	// [Runner.Paused].
	RunnerStatusPaused RunnerStatus = "paused"
)

// RunnerAccessLevel says which jobs a runner takes.
type RunnerAccessLevel string

// Access levels of a runner. With RunnerAccessLevelNotProtected, it takes the
// jobs of every branch and tag; with RunnerAccessLevelRefProtected, only those
// of protected ones.
const (
	RunnerAccessLevelNotProtected RunnerAccessLevel = "not_protected"
	RunnerAccessLevelRefProtected RunnerAccessLevel = "ref_protected"
)

// JobExecutionStatus says whether a runner or one of its processes runs jobs.
type JobExecutionStatus string

// A runner that waits for jobs is idle.
const (
	JobExecutionStatusIdle   JobExecutionStatus = "idle"
	JobExecutionStatusActive JobExecutionStatus = "active"
)

// Runner is an agent that runs jobs.
type Runner struct {
	ID          int64  `json:"id"`
	Description string `json:"description"`
	// IPAddress is always empty in 17.0 and later, where each [RunnerManager] has its own.
	IPAddress string `json:"ip_address"`
	// Active reports whether the runner takes jobs.
	//
	// Deprecated: use Paused, which says the opposite. The service planned the
	// removal of Active for release 16.0.
	Active bool `json:"active"`
	// Paused reports whether the runner takes no jobs.
	Paused bool `json:"paused"`
	// IsShared reports whether the runner belongs to the whole instance.
	IsShared   bool       `json:"is_shared"`
	RunnerType RunnerType `json:"runner_type"`
	// Name is empty until the runner has reported it.
	Name string `json:"name"`
	// Online is nil if the service does not know.
	Online *bool        `json:"online"`
	Status RunnerStatus `json:"status"`
	// JobExecutionStatus says whether the runner runs jobs. Since about 17.x.
	JobExecutionStatus JobExecutionStatus `json:"job_execution_status"`
	// CreatedAt is when the runner was created, nil in older releases. Since about
	// 17.x.
	CreatedAt *time.Time `json:"created_at"`
	// CreatedBy is the user who created the runner, nil if the runner was
	// registered or the account no longer exists. Since about 17.x.
	CreatedBy *UserSummary `json:"created_by"`
	// TokenExpiresAt is when the runner's authentication token expires, nil if it
	// does not. Since about 15.x.
	TokenExpiresAt *time.Time `json:"token_expires_at"`
}

// RunnerDetails has a [Runner] in it, and all of its details except its token.
type RunnerDetails struct {
	Runner

	// Architecture, Platform, Revision and Version are empty until the runner has
	// reported them. Releases since 16.0 show those of the newest process that
	// serves the runner, and have deprecated these fields.
	Architecture string `json:"architecture"`
	Platform     string `json:"platform"`
	Revision     string `json:"revision"`
	Version      string `json:"version"`
	// ContactedAt is when the runner last contacted the service, nil if it never
	// did.
	ContactedAt *time.Time `json:"contacted_at"`
	// Projects are the projects that a project runner serves, as lists with
	// [ListProjectsOptions.Simple] have them. Older releases set only their IDs, names and
	// paths.
	Projects []*Project `json:"projects"`
	// TagList has the tags of the jobs that the runner takes.
	TagList     []string          `json:"tag_list"`
	AccessLevel RunnerAccessLevel `json:"access_level"`
	// MaximumTimeout limits the running time of a job, in seconds. It is nil if
	// there is no limit.
	MaximumTimeout *int64 `json:"maximum_timeout"`
	// RunUntagged reports whether the runner takes jobs without tags.
	RunUntagged bool `json:"run_untagged"`
	// Locked reports whether the runner cannot be enabled in other projects.
	Locked bool `json:"locked"`
	// MaintenanceNote is a note for the maintainers of the runner. It is empty if
	// there is none, or if the caller may not update the runner.
	MaintenanceNote string `json:"maintenance_note"`
	// Groups are the groups that a group runner serves. Only their ID, Name and WebURL are
	// set.
	Groups []*GroupSummary `json:"groups"`
}

// RegisteredRunner is a runner that was registered, created or verified.
type RegisteredRunner struct {
	// ID is 0 if the service does not say.
	ID int64 `json:"id"`
	// Token is the authentication token, which the runner keeps in its own
	// configuration. The service does not show it again.
	Token Secret `json:"token"`
	// TokenExpiresAt is nil if the token does not expire.
	TokenExpiresAt *time.Time `json:"token_expires_at"`
}

// RunnerInfo is what a runner reports about itself. Empty fields are not sent. Of these,
// only the version is shown to administrators.
type RunnerInfo struct {
	Name         string `json:"name,omitzero"`
	Version      string `json:"version,omitzero"`
	Revision     string `json:"revision,omitzero"`
	Platform     string `json:"platform,omitzero"`
	Architecture string `json:"architecture,omitzero"`
}
