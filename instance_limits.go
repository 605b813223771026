package serviceapi

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"regexp"
)

// FeaturesService turns parts of the service's own code on and off. It requires an administrator.
// For the flags of a project's own code, see [FeatureFlagsService].
//
// Its options are [ListOptions] and [SetFeatureOptions]. See the example of
// [FeaturesService.Set].
type FeaturesService service

// List returns one page of the features that were ever set. The service returns all of them at once.
//
//	GET /features
func (s *FeaturesService) List(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*Feature, *Response, error) {
	return list[*Feature](ctx, using(s), Route("/features"), queryOf(options), opts)
}

// All returns every feature that was ever set.
//
//	GET /features
func (s *FeaturesService) All(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Feature, error] {
	return all[*Feature](ctx, using(s), Route("/features"), queryOf(options), opts)
}

// ListDefinitions returns one page of the features that the code of the service has. The service
// returns all of them at once, which are many.
//
//	GET /features/definitions
func (s *FeaturesService) ListDefinitions(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*FeatureDefinition, *Response, error) {
	return list[*FeatureDefinition](ctx, using(s), Route("/features/definitions"), queryOf(options), opts)
}

// AllDefinitions returns every feature that the code of the service has.
//
//	GET /features/definitions
func (s *FeaturesService) AllDefinitions(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*FeatureDefinition, error] {
	return all[*FeatureDefinition](ctx, using(s), Route("/features/definitions"), queryOf(options), opts)
}

// Set turns a feature on or off, for everybody or for some. A name that the service does not know
// makes a new feature, so check the Definition of the result for typing errors. The call returns
// [ErrBadRequest] if a user, a project or another actor does not exist.
//
//	POST /features/:name
func (s *FeaturesService) Set(
	ctx context.Context, name string, options SetFeatureOptions, opts ...RequestOption,
) (*Feature, *Response, error) {
	return do[Feature](ctx, using(s), http.MethodPost, Route("/features/:name", name), jsonOf(options), opts)
}

// Delete sets a feature back to the default of the code. It also succeeds if it was never set.
//
//	DELETE /features/:name
func (s *FeaturesService) Delete(ctx context.Context, name string, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/features/:name", name), nil, opts)
}

// SetFeatureOptions says for whom a feature is on. Value is required. Key excludes all actors:
// FeatureGroup and the fields after it, which have names, paths or, for runners, IDs, several of
// them with commas.
type SetFeatureOptions struct {
	// Value is "true", "false" or a percentage, such as "25"; for actors also "opt_out" and, in
	// later releases, "remove_opt_out".
	Value string `json:"value" required:"true"`
	// Key says what the percentage is of. The default is the time.
	Key          *FeatureGateKey `json:"key,omitzero"`
	FeatureGroup *string         `json:"feature_group,omitzero"`
	User         *string         `json:"user,omitzero"`
	Group        *string         `json:"group,omitzero"`
	Namespace    *string         `json:"namespace,omitzero"`
	Project      *string         `json:"project,omitzero"`
	Repository   *string         `json:"repository,omitzero"`
	Runner       *string         `json:"runner,omitzero"`
	// Force skips the check of the name, such as that it is not one of a licensed feature.
	Force *bool `json:"force,omitzero"`
}

// Feature is a part of the service's own code that is on or off.
type Feature struct {
	Name  string         `json:"name"`
	State FeatureState   `json:"state"`
	Gates []*FeatureGate `json:"gates"`
	// Definition is nil if the code does not have the feature.
	Definition *FeatureDefinition `json:"definition"`
}

// FeatureState says for whom a feature is on.
type FeatureState string

// States of features. FeatureStateConditional means for some.
const (
	FeatureStateOn          FeatureState = "on"
	FeatureStateOff         FeatureState = "off"
	FeatureStateConditional FeatureState = "conditional"
)

// FeatureGate is a condition of a feature. Value is a boolean, a list of actors such as "User:5", or
// a percentage, by the Key.
type FeatureGate struct {
	Key   FeatureGateKey  `json:"key"`
	Value json.RawMessage `json:"value,omitzero"`
}

// FeatureGateKey is a kind of condition.
type FeatureGateKey string

// Kinds of conditions. Options take the last two.
const (
	FeatureGateKeyBoolean            FeatureGateKey = "boolean"
	FeatureGateKeyExpression         FeatureGateKey = "expression"
	FeatureGateKeyActors             FeatureGateKey = "actors"
	FeatureGateKeyGroups             FeatureGateKey = "groups"
	FeatureGateKeyPercentageOfActors FeatureGateKey = "percentage_of_actors"
	FeatureGateKeyPercentageOfTime   FeatureGateKey = "percentage_of_time"
)

// FeatureDefinition is what the code of the service says about a feature.
type FeatureDefinition struct {
	Name            string `json:"name"`
	FeatureIssueURL string `json:"feature_issue_url"`
	IntroducedByURL string `json:"introduced_by_url"`
	RolloutIssueURL string `json:"rollout_issue_url"`
	// Milestone is the release with which the feature came, such as "15.2".
	Milestone string `json:"milestone"`
	// LogStateChanges is nil if the code does not say.
	LogStateChanges *bool `json:"log_state_changes"`
	// Type is "development", "beta", "wip", "ops", "experiment", "worker" or another one.
	Type              string `json:"type"`
	Group             string `json:"group"`
	DefaultEnabled    bool   `json:"default_enabled"`
	IntendedToRollout string `json:"intended_to_rollout_by"`
}

// PlanLimitsService reads and changes the limits of a plan, which all namespaces with the plan have.
// It requires an administrator.
//
// Its options are [ChangePlanLimitsOptions] and [GetPlanLimitsOptions]. See the example of
// [PlanLimitsService.Change].
type PlanLimitsService service

// GetPlanLimitsOptions names a plan.
type GetPlanLimitsOptions struct {
	// PlanName is "default" by default. Premium editions also have "free", "premium" and others.
	PlanName string `url:"plan_name,omitempty"`
}

// Get returns the limits of a plan. The call returns [ErrNotFound] if the instance does not have it.
//
//	GET /application/plan_limits
func (s *PlanLimitsService) Get(
	ctx context.Context, options *GetPlanLimitsOptions, opts ...RequestOption,
) (*PlanLimits, *Response, error) {
	return do[PlanLimits](ctx, using(s), http.MethodGet, Route("/application/plan_limits"), queryOf(options), opts)
}

// Change changes the limits of a plan. The call returns [ErrBadRequest] unless StorageSizeLimit is at
// most NotificationLimit and that is at most EnforcementLimit, those that are 0 left out.
//
//	PUT /application/plan_limits
func (s *PlanLimitsService) Change(
	ctx context.Context, options ChangePlanLimitsOptions, opts ...RequestOption,
) (*PlanLimits, *Response, error) {
	return do[PlanLimits](ctx, using(s), http.MethodPut, Route("/application/plan_limits"), jsonOf(options), opts)
}

// PlanLimits are the limits of a plan.
type PlanLimits struct {
	PlanLimitValues
	// LimitsHistory has former values of the limits of storage, by their names in the API.
	LimitsHistory map[string][]*PlanLimitChange `json:"limits_history"`
}

// ChangePlanLimitsOptions changes the limits of a plan. PlanName is required. Limits that are nil are
// left unchanged. To copy the limits of another plan, set PlanLimitValues to those of its [PlanLimits].
type ChangePlanLimitsOptions struct {
	PlanName string `json:"plan_name" required:"true"`
	PlanLimitValues
}

// PlanLimitValues are limits of a plan. 0 means no limit. In results, a limit that a release does not
// have is nil: older ones have only the sizes of packages.
type PlanLimitValues struct {
	// These limit what CI does, in numbers.
	CIInstanceLevelVariables   *int `json:"ci_instance_level_variables,omitzero"`
	CIPipelineSize             *int `json:"ci_pipeline_size,omitzero"`
	CIActiveJobs               *int `json:"ci_active_jobs,omitzero"`
	CIProjectSubscriptions     *int `json:"ci_project_subscriptions,omitzero"`
	CIPipelineSchedules        *int `json:"ci_pipeline_schedules,omitzero"`
	CINeedsSizeLimit           *int `json:"ci_needs_size_limit,omitzero"`
	CIRegisteredGroupRunners   *int `json:"ci_registered_group_runners,omitzero"`
	CIRegisteredProjectRunners *int `json:"ci_registered_project_runners,omitzero"`
	PipelineHierarchySize      *int `json:"pipeline_hierarchy_size,omitzero"`
	DotenvVariables            *int `json:"dotenv_variables,omitzero"`
	// DotenvSize and the sizes of packages are in bytes.
	DotenvSize                 *int64 `json:"dotenv_size,omitzero"`
	ConanMaxFileSize           *int64 `json:"conan_max_file_size,omitzero"`
	GenericPackagesMaxFileSize *int64 `json:"generic_packages_max_file_size,omitzero"`
	HelmMaxFileSize            *int64 `json:"helm_max_file_size,omitzero"`
	MavenMaxFileSize           *int64 `json:"maven_max_file_size,omitzero"`
	NPMMaxFileSize             *int64 `json:"npm_max_file_size,omitzero"`
	NuGetMaxFileSize           *int64 `json:"nuget_max_file_size,omitzero"`
	PyPIMaxFileSize            *int64 `json:"pypi_max_file_size,omitzero"`
	TerraformModuleMaxFileSize *int64 `json:"terraform_module_max_file_size,omitzero"`
	// These limit the storage of a namespace, in MiB: when people are told, and when it is full.
	EnforcementLimit  *int64 `json:"enforcement_limit,omitzero"`
	NotificationLimit *int64 `json:"notification_limit,omitzero"`
	StorageSizeLimit  *int64 `json:"storage_size_limit,omitzero"`
	// These limit the deliveries of webhooks in a minute. Since 18.5.
	WebHookCalls    *int `json:"web_hook_calls,omitzero"`
	WebHookCallsLow *int `json:"web_hook_calls_low,omitzero"`
	WebHookCallsMid *int `json:"web_hook_calls_mid,omitzero"`
}

// PlanLimitChange is a former value of a limit. Timestamp is in seconds since 1970.
type PlanLimitChange struct {
	UserID    int64  `json:"user_id"`
	Username  string `json:"username"`
	Timestamp int64  `json:"timestamp"`
	Value     int64  `json:"value"`
}

// ApplicationStatistics counts what the instance has. Above about 10,000, all but ActiveUsers are estimates.
type ApplicationStatistics struct {
	Forks         int64 `json:"forks"`
	Issues        int64 `json:"issues"`
	MergeRequests int64 `json:"merge_requests"`
	Notes         int64 `json:"notes"`
	Snippets      int64 `json:"snippets"`
	SSHKeys       int64 `json:"ssh_keys"`
	Milestones    int64 `json:"milestones"`
	Users         int64 `json:"users"`
	Groups        int64 `json:"groups"`
	Projects      int64 `json:"projects"`
	ActiveUsers   int64 `json:"active_users"`
}

// quotedCount is a number with commas for thousands, which is a string.
var quotedCount = regexp.MustCompile(`"\d{1,3}(,\d{3})*"|"\d+"`)

// UnmarshalJSON decodes numbers, and strings such as "12,345".
func (s *ApplicationStatistics) UnmarshalJSON(data []byte) error {
	type plain ApplicationStatistics
	return unmarshalMembers(quotedCount.ReplaceAllFunc(data, func(quoted []byte) []byte {
		return bytes.ReplaceAll(bytes.Trim(quoted, `"`), []byte{','}, nil)
	}), (*plain)(s))
}

// GetStatistics returns how much the instance has. It requires an administrator.
//
//	GET /application/statistics
func (s *MetadataService) GetStatistics(
	ctx context.Context, opts ...RequestOption,
) (*ApplicationStatistics, *Response, error) {
	return do[ApplicationStatistics](ctx, using(s), http.MethodGet, Route("/application/statistics"), nil, opts)
}
