// Code generated from testdata/plan-limits.tsv by go generate; DO NOT EDIT.

package serviceapi

// PlanLimits are the limits of a plan. 0 means no limit. A limit that a release does not have is nil:
// older ones have only the sizes of packages.
type PlanLimits struct {
	// These limit what CI does, in numbers.
	CIInstanceLevelVariables   *int `json:"ci_instance_level_variables"`
	CIPipelineSize             *int `json:"ci_pipeline_size"`
	CIActiveJobs               *int `json:"ci_active_jobs"`
	CIProjectSubscriptions     *int `json:"ci_project_subscriptions"`
	CIPipelineSchedules        *int `json:"ci_pipeline_schedules"`
	CINeedsSizeLimit           *int `json:"ci_needs_size_limit"`
	CIRegisteredGroupRunners   *int `json:"ci_registered_group_runners"`
	CIRegisteredProjectRunners *int `json:"ci_registered_project_runners"`
	PipelineHierarchySize      *int `json:"pipeline_hierarchy_size"`
	DotenvVariables            *int `json:"dotenv_variables"`
	// DotenvSize and the sizes of packages are in bytes.
	DotenvSize                 *int64 `json:"dotenv_size"`
	ConanMaxFileSize           *int64 `json:"conan_max_file_size"`
	GenericPackagesMaxFileSize *int64 `json:"generic_packages_max_file_size"`
	HelmMaxFileSize            *int64 `json:"helm_max_file_size"`
	MavenMaxFileSize           *int64 `json:"maven_max_file_size"`
	NPMMaxFileSize             *int64 `json:"npm_max_file_size"`
	NuGetMaxFileSize           *int64 `json:"nuget_max_file_size"`
	PyPIMaxFileSize            *int64 `json:"pypi_max_file_size"`
	TerraformModuleMaxFileSize *int64 `json:"terraform_module_max_file_size"`
	// These limit the storage of a namespace, in MiB: when people are told, and when it is full.
	EnforcementLimit  *int64 `json:"enforcement_limit"`
	NotificationLimit *int64 `json:"notification_limit"`
	StorageSizeLimit  *int64 `json:"storage_size_limit"`
	// These limit the deliveries of webhooks in a minute. Since 18.5.
	WebHookCalls    *int `json:"web_hook_calls"`
	WebHookCallsLow *int `json:"web_hook_calls_low"`
	WebHookCallsMid *int `json:"web_hook_calls_mid"`
	// LimitsHistory has former values of the limits of storage, by their names in the API.
	LimitsHistory map[string][]*PlanLimitChange `json:"limits_history"`
}

// ChangePlanLimitsOptions changes the limits of a plan. PlanName is required. Nil fields are left
// unchanged, and 0 lifts a limit. See [PlanLimits] for the units.
type ChangePlanLimitsOptions struct {
	PlanName                   string `json:"plan_name" required:"true"`
	CIInstanceLevelVariables   *int   `json:"ci_instance_level_variables,omitzero"`
	CIPipelineSize             *int   `json:"ci_pipeline_size,omitzero"`
	CIActiveJobs               *int   `json:"ci_active_jobs,omitzero"`
	CIProjectSubscriptions     *int   `json:"ci_project_subscriptions,omitzero"`
	CIPipelineSchedules        *int   `json:"ci_pipeline_schedules,omitzero"`
	CINeedsSizeLimit           *int   `json:"ci_needs_size_limit,omitzero"`
	CIRegisteredGroupRunners   *int   `json:"ci_registered_group_runners,omitzero"`
	CIRegisteredProjectRunners *int   `json:"ci_registered_project_runners,omitzero"`
	PipelineHierarchySize      *int   `json:"pipeline_hierarchy_size,omitzero"`
	DotenvVariables            *int   `json:"dotenv_variables,omitzero"`
	DotenvSize                 *int64 `json:"dotenv_size,omitzero"`
	ConanMaxFileSize           *int64 `json:"conan_max_file_size,omitzero"`
	GenericPackagesMaxFileSize *int64 `json:"generic_packages_max_file_size,omitzero"`
	HelmMaxFileSize            *int64 `json:"helm_max_file_size,omitzero"`
	MavenMaxFileSize           *int64 `json:"maven_max_file_size,omitzero"`
	NPMMaxFileSize             *int64 `json:"npm_max_file_size,omitzero"`
	NuGetMaxFileSize           *int64 `json:"nuget_max_file_size,omitzero"`
	PyPIMaxFileSize            *int64 `json:"pypi_max_file_size,omitzero"`
	TerraformModuleMaxFileSize *int64 `json:"terraform_module_max_file_size,omitzero"`
	EnforcementLimit           *int64 `json:"enforcement_limit,omitzero"`
	NotificationLimit          *int64 `json:"notification_limit,omitzero"`
	StorageSizeLimit           *int64 `json:"storage_size_limit,omitzero"`
	WebHookCalls               *int   `json:"web_hook_calls,omitzero"`
	WebHookCallsLow            *int   `json:"web_hook_calls_low,omitzero"`
	WebHookCallsMid            *int   `json:"web_hook_calls_mid,omitzero"`
}
