package serviceapi

import "time"

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

// States of a runner. A stale one has not contacted the service for a long
// time.
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

// RunnerAccessLevel says which jobs a runner takes.
type RunnerAccessLevel string

// Access levels of a runner. With RunnerAccessLevelNotProtected, it takes the
// jobs of every branch and tag; with RunnerAccessLevelRefProtected, only those
// of protected ones.
const (
	RunnerAccessLevelNotProtected RunnerAccessLevel = "not_protected"
	RunnerAccessLevelRefProtected RunnerAccessLevel = "ref_protected"
)

// Runner is an agent that runs jobs.
type Runner struct {
	ID          int64  `json:"id"`
	Description string `json:"description"`
	// IPAddress is always empty since 17.0, where each [RunnerManager] has its own.
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
	// JobExecutionStatus says whether the runner has jobs to run. Since about 17.x.
	JobExecutionStatus string `json:"job_execution_status"`
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

// RunnerDetails is a [Runner] with all of its details, except its token.
type RunnerDetails struct {
	ID          int64  `json:"id"`
	Description string `json:"description"`
	// IPAddress is always empty since 17.0, where each [RunnerManager] has its own.
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
	// JobExecutionStatus says whether the runner has jobs to run. Since about 17.x.
	JobExecutionStatus string `json:"job_execution_status"`
	// CreatedAt is when the runner was created, nil in older releases. Since about
	// 17.x.
	CreatedAt *time.Time `json:"created_at"`
	// CreatedBy is the user who created the runner, nil if the runner was
	// registered or the account no longer exists. Since about 17.x.
	CreatedBy *UserSummary `json:"created_by"`
	// TokenExpiresAt is when the runner's authentication token expires, nil if it
	// does not. Since about 15.x.
	TokenExpiresAt *time.Time `json:"token_expires_at"`
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
	// Projects are the projects that a project runner serves. Their Description
	// and CreatedAt are not set.
	Projects []*ProjectSummary `json:"projects"`
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
	// Groups are the groups that a group runner serves. Of each, ID, Name and
	// WebURL are set.
	Groups []*GroupSummary `json:"groups"`
}

// RegisteredRunner is the result of a registration.
type RegisteredRunner struct {
	// ID is 0 if the service does not say.
	ID int64 `json:"id"`
	// Token is the authentication token, which the runner keeps in its own
	// configuration. The service does not show it again.
	Token Secret `json:"token"`
	// TokenExpiresAt is nil if the token does not expire.
	TokenExpiresAt *time.Time `json:"token_expires_at"`
}

// ListRunnersOptions selects runners. Empty fields do not filter.
type ListRunnersOptions struct {
	ListOptions
	// Scope selects runners by owner or state. It is not for a [GroupRef].
	//
	// Deprecated: use Type, Status and Paused. The service planned the removal of
	// Scope for release 16.0.
	Scope RunnerScope `url:"scope,omitempty" only:"own,instance,project"`
	// Type selects the runners of this type. For a group, the service no longer
	// supports [RunnerTypeProject] since 15.0, without a replacement.
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
	// MaximumTimeout limits the running time of a job, in seconds.
	MaximumTimeout *int64 `json:"maximum_timeout,omitzero"`
	// MaintenanceNote is a note for the maintainers of the runner.
	MaintenanceNote *string `json:"maintenance_note,omitzero"`
}

// RegisterRunnerOptions describes a runner to register.
type RegisterRunnerOptions struct {
	// Token is the registration token of the instance, group or project that the
	// runner will belong to. It is required.
	Token       Secret  `json:"token"`
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

// RunnerInfo is what a runner reports about itself. Empty fields are not sent.
// Only the version is shown to administrators.
type RunnerInfo struct {
	Name         string `json:"name,omitzero"`
	Version      string `json:"version,omitzero"`
	Revision     string `json:"revision,omitzero"`
	Platform     string `json:"platform,omitzero"`
	Architecture string `json:"architecture,omitzero"`
}
