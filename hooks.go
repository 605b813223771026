package serviceapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// HooksService manages webhooks of projects and groups, and system hooks, which receive
// the events of the whole instance. The owner is a [ProjectRef], a [GroupRef] or
// [Instance]. Hooks of groups are Premium.
//
// The hooks of a project require the Maintainer role, those of a group the Owner role, and
// system hooks an administrator. A hook can be found only through the owner that it
// belongs to.
//
// Package example.com/serviceapi/webhook receives the requests that hooks send.
//
// Its options are [CreateHookOptions], [ListHookLogsOptions], [ListOptions],
// [SetHookCustomHeaderOptions], [SetHookURLVariableOptions] and [UpdateHookOptions]. See
// recipe 13 of docs/cookbook.md, the example ReactToEvents of
// [example.com/serviceapi/examples/recipes].
type HooksService service

// HookOwner is an owner of hooks: a [ProjectRef], a [GroupRef] or [Instance].
type HookOwner interface{ hasHooks() }

// HookLogOwner is an owner of hooks whose requests are logged, and which support custom
// headers and a test of each event: a [ProjectRef] or a [GroupRef].
type HookLogOwner interface {
	HookOwner
	hasHookLogs()
}

func (ProjectRef) hasHooks()    {}
func (GroupRef) hasHooks()      {}
func (InstanceOwner) hasHooks() {}
func (ProjectRef) hasHookLogs() {}
func (GroupRef) hasHookLogs()   {}

func hooksOf(owner HookOwner) Endpoint { return below(owner, "/hooks") }

func hookOf(owner HookOwner, hookID int64, suffix string, args ...any) Endpoint {
	return below(owner, "/hooks/:hook_id"+suffix, append([]any{hookID}, args...)...)
}

// List returns one page of the hooks of a project, a group or the instance. Disabled hooks
// are included.
//
//	GET /projects/:id/hooks
//	GET /groups/:id/hooks
//	GET /hooks
func (s *HooksService) List(
	ctx context.Context, owner HookOwner, options *ListOptions, opts ...RequestOption,
) ([]*Hook, *Response, error) {
	return list[*Hook](ctx, using(s), hooksOf(owner), queryOf(options), opts)
}

// All returns every hook of a project, a group or the instance.
//
//	GET /projects/:id/hooks
//	GET /groups/:id/hooks
//	GET /hooks
func (s *HooksService) All(
	ctx context.Context, owner HookOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Hook, error] {
	return all[*Hook](ctx, using(s), hooksOf(owner), queryOf(options), opts)
}

// Get returns a hook.
//
//	GET /projects/:id/hooks/:hook_id
//	GET /groups/:id/hooks/:hook_id
//	GET /hooks/:hook_id
func (s *HooksService) Get(
	ctx context.Context, owner HookOwner, hookID int64, opts ...RequestOption,
) (*Hook, *Response, error) {
	return do[Hook](ctx, using(s), http.MethodGet, hookOf(owner, hookID, ""), nil, opts)
}

// Create adds a hook. Several hooks can have the same URL. Addresses in local networks are
// refused unless the instance allows them. A project has at most 100 hooks, and a group 50.
// The call returns [ErrUnprocessable] for a URL, a filter or a header that the service
// refuses.
//
//	POST /projects/:id/hooks
//	POST /groups/:id/hooks
//	POST /hooks
func (s *HooksService) Create(
	ctx context.Context, owner HookOwner, options CreateHookOptions, opts ...RequestOption,
) (*Hook, *Response, error) {
	return do[Hook](ctx, using(s), http.MethodPost, hooksOf(owner), jsonFor(owner, options), opts)
}

// Update changes a hook. If the URL changes, the token is removed unless the same call sets
// one. System hooks can be changed since 16.x.
//
//	PUT /projects/:id/hooks/:hook_id
//	PUT /groups/:id/hooks/:hook_id
//	PUT /hooks/:hook_id
func (s *HooksService) Update(
	ctx context.Context, owner HookOwner, hookID int64, options UpdateHookOptions, opts ...RequestOption,
) (*Hook, *Response, error) {
	return do[Hook](ctx, using(s), http.MethodPut, hookOf(owner, hookID, ""), jsonFor(owner, options), opts)
}

// Delete removes a hook.
//
//	DELETE /projects/:id/hooks/:hook_id
//	DELETE /groups/:id/hooks/:hook_id
//	DELETE /hooks/:hook_id
func (s *HooksService) Delete(
	ctx context.Context, owner HookOwner, hookID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, hookOf(owner, hookID, ""), nil, opts)
}

// Test sends a sample of an event to the hook, even if the hook is disabled, and waits for
// the response. A 2xx response enables the hook again. The sample is built from an object
// of the project or group: the call returns [ErrUnprocessable] if there is none, if the
// event cannot be tested, or if the response of the receiver is not 2xx. At most 5 calls a
// minute are accepted. Since 16.11, and since 17.1 for groups.
//
//	POST /projects/:id/hooks/:hook_id/test/:trigger
//	POST /groups/:id/hooks/:hook_id/test/:trigger
func (s *HooksService) Test(
	ctx context.Context, owner HookLogOwner, hookID int64, trigger HookTrigger, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, hookOf(owner, hookID, "/test/:trigger", string(trigger)), nil, opts)
}

// TestSystemHook sends a sample event to a system hook, and returns the event. The result
// does not say how the receiver responded.
//
//	POST /hooks/:hook_id
func (s *HooksService) TestSystemHook(
	ctx context.Context, hookID int64, opts ...RequestOption,
) (*SystemTestEvent, *Response, error) {
	return do[SystemTestEvent](ctx, using(s), http.MethodPost, hookOf(Instance, hookID, ""), nil, opts)
}

// ListLogs returns one page of the requests that a hook sent in the last 7 days, newest
// first. Since 17.3.
//
//	GET /projects/:id/hooks/:hook_id/events
//	GET /groups/:id/hooks/:hook_id/events
func (s *HooksService) ListLogs(
	ctx context.Context, owner HookLogOwner, hookID int64, options *ListHookLogsOptions, opts ...RequestOption,
) ([]*HookLog, *Response, error) {
	return list[*HookLog](ctx, using(s), hookOf(owner, hookID, "/events"), queryOf(options), opts)
}

// AllLogs returns every request that a hook sent in the last 7 days, newest first. Since
// 17.3.
//
//	GET /projects/:id/hooks/:hook_id/events
//	GET /groups/:id/hooks/:hook_id/events
func (s *HooksService) AllLogs(
	ctx context.Context, owner HookLogOwner, hookID int64, options *ListHookLogsOptions, opts ...RequestOption,
) iter.Seq2[*HookLog, error] {
	return all[*HookLog](ctx, using(s), hookOf(owner, hookID, "/events"), queryOf(options.whole()), opts)
}

// Resend sends a request again, with the same body, and waits for the response. The call
// returns [ErrUnprocessable] if the URL of the hook has changed, or if there is no
// response. At most 5 calls a minute are accepted. Since 17.4.
//
//	POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend
//	POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend
func (s *HooksService) Resend(
	ctx context.Context, owner HookLogOwner, hookID, hookLogID int64, opts ...RequestOption,
) (*HookResend, *Response, error) {
	return do[HookResend](ctx, using(s), http.MethodPost,
		hookOf(owner, hookID, "/events/:hook_event_id/resend", hookLogID), nil, opts)
}

// SetURLVariable sets the value of a variable in the URL of a hook. Since 15.2.
//
//	PUT /projects/:id/hooks/:hook_id/url_variables/:key
//	PUT /groups/:id/hooks/:hook_id/url_variables/:key
//	PUT /hooks/:hook_id/url_variables/:key
func (s *HooksService) SetURLVariable(
	ctx context.Context, owner HookOwner, hookID int64, key string,
	options SetHookURLVariableOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPut,
		hookOf(owner, hookID, "/url_variables/:key", key), jsonOf(options), opts)
}

// DeleteURLVariable removes the value of a variable in the URL of a hook. Since 15.2.
//
//	DELETE /projects/:id/hooks/:hook_id/url_variables/:key
//	DELETE /groups/:id/hooks/:hook_id/url_variables/:key
//	DELETE /hooks/:hook_id/url_variables/:key
func (s *HooksService) DeleteURLVariable(
	ctx context.Context, owner HookOwner, hookID int64, key string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, hookOf(owner, hookID, "/url_variables/:key", key), nil, opts)
}

// SetCustomHeader sets a header that the hook sends. Since 17.1.
//
//	PUT /projects/:id/hooks/:hook_id/custom_headers/:key
//	PUT /groups/:id/hooks/:hook_id/custom_headers/:key
func (s *HooksService) SetCustomHeader(
	ctx context.Context, owner HookLogOwner, hookID int64, key string,
	options SetHookCustomHeaderOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPut,
		hookOf(owner, hookID, "/custom_headers/:key", key), jsonOf(options), opts)
}

// DeleteCustomHeader removes a header that the hook sends. Since 17.1.
//
//	DELETE /projects/:id/hooks/:hook_id/custom_headers/:key
//	DELETE /groups/:id/hooks/:hook_id/custom_headers/:key
func (s *HooksService) DeleteCustomHeader(
	ctx context.Context, owner HookLogOwner, hookID int64, key string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, hookOf(owner, hookID, "/custom_headers/:key", key), nil, opts)
}

// maxLogsPerPage is the service's limit for pages of requests.
const maxLogsPerPage = 20

// whole returns the options with the largest page that the service accepts.
func (o *ListHookLogsOptions) whole() *ListHookLogsOptions {
	options := ListHookLogsOptions{}
	if o != nil {
		options = *o
	}
	if options.PerPage == 0 && options.PageToken == "" {
		options.PerPage = maxLogsPerPage
	}
	return &options
}

// Hook is a webhook of a project or a group, or a system hook. Switches that a kind of
// hook or a release does not have are false. No response contains its secrets.
type Hook struct {
	ID int64 `json:"id"`
	// URL may contain variables such as {key}: see [HooksService.SetURLVariable].
	URL string `json:"url"`
	// Name and Description are set since 16.9 and 17.1.
	Name        string `json:"name"`
	Description string `json:"description"`
	// One of ProjectID, GroupID and OrganizationID says what the hook belongs to; the
	// others are nil. Only system hooks of later releases have an OrganizationID.
	ProjectID      *int64    `json:"project_id"`
	GroupID        *int64    `json:"group_id"`
	OrganizationID *int64    `json:"organization_id"`
	CreatedAt      time.Time `json:"created_at"`
	// PushEvents and the following switches say which events the hook receives.
	PushEvents                bool `json:"push_events"`
	TagPushEvents             bool `json:"tag_push_events"`
	MergeRequestsEvents       bool `json:"merge_requests_events"`
	RepositoryUpdateEvents    bool `json:"repository_update_events"`
	IssuesEvents              bool `json:"issues_events"`
	ConfidentialIssuesEvents  bool `json:"confidential_issues_events"`
	NoteEvents                bool `json:"note_events"`
	ConfidentialNoteEvents    bool `json:"confidential_note_events"`
	JobEvents                 bool `json:"job_events"`
	PipelineEvents            bool `json:"pipeline_events"`
	WikiPageEvents            bool `json:"wiki_page_events"`
	DeploymentEvents          bool `json:"deployment_events"`
	FeatureFlagEvents         bool `json:"feature_flag_events"`
	ReleasesEvents            bool `json:"releases_events"`
	EmojiEvents               bool `json:"emoji_events"`
	MilestoneEvents           bool `json:"milestone_events"`
	ResourceAccessTokenEvents bool `json:"resource_access_token_events"`
	VulnerabilityEvents       bool `json:"vulnerability_events"`
	ResourceDeployTokenEvents bool `json:"resource_deploy_token_events"`
	SubgroupEvents            bool `json:"subgroup_events"`
	MemberEvents              bool `json:"member_events"`
	ProjectEvents             bool `json:"project_events"`
	// PushEventsBranchFilter is "" if push events of all branches are sent.
	PushEventsBranchFilter string                   `json:"push_events_branch_filter"`
	BranchFilterStrategy   HookBranchFilterStrategy `json:"branch_filter_strategy"`
	// EnableSSLVerification reports whether the certificate of the receiver is verified.
	EnableSSLVerification bool `json:"enable_ssl_verification"`
	// AlertStatus says whether the service has disabled the hook because it failed,
	// and DisabledUntil until when. DisabledUntil is nil if the hook is disabled for
	// good, or not at all.
	AlertStatus   HookAlertStatus `json:"alert_status"`
	DisabledUntil *time.Time      `json:"disabled_until"`
	// URLVariables and CustomHeaders contain only the keys. Later releases leave both
	// out of the list of a project.
	URLVariables  []*HookKey `json:"url_variables"`
	CustomHeaders []*HookKey `json:"custom_headers"`
	// CustomWebhookTemplate is the body that is sent instead of the event, empty if there
	// is none.
	CustomWebhookTemplate string `json:"custom_webhook_template"`
	// TokenPresent and SigningTokenPresent report whether the hook has these secrets.
	// They are nil before 19.0.
	TokenPresent        *bool `json:"token_present"`
	SigningTokenPresent *bool `json:"signing_token_present"`
}

// HookKey is the name of a URL variable or a custom header of a hook.
type HookKey struct {
	Key string `json:"key"`
}

// HookURLVariable is a variable in the URL of a hook. Both fields are required.
type HookURLVariable struct {
	Key   string `json:"key" required:"true"`
	Value Secret `json:"value" required:"true"`
}

// HookCustomHeader is a header that a hook sends. Key is required, and Value may be empty.
// The name consists of letters, digits, ".", "-" and "_", starts with a letter, and ends
// with a letter or a digit.
type HookCustomHeader struct {
	Key   string `json:"key" required:"true"`
	Value Secret `json:"value"`
}

// HookAlertStatus says whether a hook is disabled because it failed.
type HookAlertStatus string

// States of a hook. One that is temporarily disabled is tried again later.
const (
	HookAlertStatusExecutable          HookAlertStatus = "executable"
	HookAlertStatusTemporarilyDisabled HookAlertStatus = "temporarily_disabled"
	HookAlertStatusDisabled            HookAlertStatus = "disabled"
)

// HookBranchFilterStrategy says how the branch filter of a hook is interpreted.
type HookBranchFilterStrategy string

// Ways to interpret a branch filter: with * for any characters, as a regular
// expression (RE2), or not at all.
const (
	HookBranchFilterStrategyWildcard    HookBranchFilterStrategy = "wildcard"
	HookBranchFilterStrategyRegex       HookBranchFilterStrategy = "regex"
	HookBranchFilterStrategyAllBranches HookBranchFilterStrategy = "all_branches"
)

// HookTrigger is a kind of event that [HooksService.Test] sends. It has the name of
// the switch for the event.
type HookTrigger string

// Events that can be tested. Some releases accept others.
const (
	HookTriggerPush                HookTrigger = "push_events"
	HookTriggerTagPush             HookTrigger = "tag_push_events"
	HookTriggerIssues              HookTrigger = "issues_events"
	HookTriggerConfidentialIssues  HookTrigger = "confidential_issues_events"
	HookTriggerNote                HookTrigger = "note_events"
	HookTriggerMergeRequests       HookTrigger = "merge_requests_events"
	HookTriggerJob                 HookTrigger = "job_events"
	HookTriggerPipeline            HookTrigger = "pipeline_events"
	HookTriggerWikiPage            HookTrigger = "wiki_page_events"
	HookTriggerReleases            HookTrigger = "releases_events"
	HookTriggerEmoji               HookTrigger = "emoji_events"
	HookTriggerResourceAccessToken HookTrigger = "resource_access_token_events"
	HookTriggerMilestone           HookTrigger = "milestone_events"
	HookTriggerProject             HookTrigger = "project_events"
)

// HookLog is a request that a hook sent in the last 7 days.
type HookLog struct {
	ID  int64  `json:"id"`
	URL string `json:"url"`
	// Trigger is the kind of event, such as "push_hooks" or "merge_request_hooks".
	Trigger string `json:"trigger"`
	// RequestHeaders has a placeholder in place of each secret.
	RequestHeaders map[string]string `json:"request_headers"`
	// RequestData is the body that was sent. Package webhook decodes it.
	RequestData     json.RawMessage   `json:"request_data,omitzero"`
	ResponseHeaders map[string]string `json:"response_headers"`
	// ResponseBody has at most 8 KiB of the response.
	ResponseBody      string  `json:"response_body"`
	ExecutionDuration float64 `json:"execution_duration"` // seconds
	// ResponseStatus is the status code, or "internal error" without a response.
	ResponseStatus string `json:"response_status"`
	// CreatedAt is nil in earlier releases.
	CreatedAt *time.Time `json:"created_at"`
}

// HookLogStatus selects requests by their response: a status code, such as "404", or
// one of the constants.
type HookLogStatus string

// Ranges of status codes: 200 to 299, 400 to 499, and 500 to 599.
const (
	HookLogStatusSuccessful    HookLogStatus = "successful"
	HookLogStatusClientFailure HookLogStatus = "client_failure"
	HookLogStatusServerFailure HookLogStatus = "server_failure"
)

// ListHookLogsOptions selects requests of a hook. PerPage is at most 20.
type ListHookLogsOptions struct {
	ListOptions
	// Status selects requests with one of these responses.
	Status []HookLogStatus `url:"status,comma,omitempty"`
}

// HookResend is the result of sending a request again.
type HookResend struct {
	ResponseStatus int `json:"response_status"`
}

// SystemTestEvent is the event that [HooksService.TestSystemHook] sends. Its values are
// fixed.
type SystemTestEvent struct {
	EventName  string `json:"event_name"` // "project_create"
	Name       string `json:"name"`
	Path       string `json:"path"`
	ProjectID  int64  `json:"project_id"`
	OwnerName  string `json:"owner_name"`
	OwnerEmail string `json:"owner_email"`
}

// SetHookURLVariableOptions sets the value of a URL variable. Value is required.
type SetHookURLVariableOptions struct {
	Value Secret `json:"value" required:"true"`
}

// SetHookCustomHeaderOptions sets the value of a custom header. Value may be empty.
type SetHookCustomHeaderOptions struct {
	Value Secret `json:"value"`
}

// CreateHookOptions describes a new hook. URL is required. A switch that is nil is off,
// unless its comment says otherwise.
type CreateHookOptions struct {
	// URL begins with http:// or https://, and may contain a user and a password. Each
	// {key} in it is replaced with the value of the URL variable key.
	URL string `json:"url" required:"true"`
	// PushEvents is on by default for projects and groups, and off for system hooks.
	PushEvents          *bool `json:"push_events,omitzero"`
	TagPushEvents       *bool `json:"tag_push_events,omitzero"`
	MergeRequestsEvents *bool `json:"merge_requests_events,omitzero"`
	// RepositoryUpdateEvents enables one event for each push, with all refs that it
	// changed. It is on by default. Only for [Instance].
	RepositoryUpdateEvents *bool `json:"repository_update_events,omitzero" only:"instance"`
	// IssuesEvents and the following switches are only for a [ProjectRef] or a
	// [GroupRef]. Confidential issues and internal notes reach only hooks with the
	// switch for confidential ones.
	IssuesEvents             *bool `json:"issues_events,omitzero" only:"project,group"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero" only:"project,group"`
	NoteEvents               *bool `json:"note_events,omitzero" only:"project,group"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero" only:"project,group"`
	JobEvents                *bool `json:"job_events,omitzero" only:"project,group"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero" only:"project,group"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero" only:"project,group"`
	DeploymentEvents         *bool `json:"deployment_events,omitzero" only:"project,group"`
	FeatureFlagEvents        *bool `json:"feature_flag_events,omitzero" only:"project,group"`
	ReleasesEvents           *bool `json:"releases_events,omitzero" only:"project,group"`
	// EmojiEvents has an effect since 16.2. Only for a [ProjectRef] or a
	// [GroupRef].
	EmojiEvents *bool `json:"emoji_events,omitzero" only:"project,group"`
	// MilestoneEvents has an effect since 18.2. Only for a [ProjectRef] or a
	// [GroupRef].
	MilestoneEvents *bool `json:"milestone_events,omitzero" only:"project,group"`
	// ResourceAccessTokenEvents has an effect since 16.10. Only for a [ProjectRef] or a
	// [GroupRef].
	ResourceAccessTokenEvents *bool `json:"resource_access_token_events,omitzero" only:"project,group"`
	// VulnerabilityEvents has an effect since 17.7. Only for a [ProjectRef] or a
	// [GroupRef].
	VulnerabilityEvents *bool `json:"vulnerability_events,omitzero" only:"project,group"`
	// ResourceDeployTokenEvents has an effect since 18.4. Only for a [ProjectRef].
	ResourceDeployTokenEvents *bool `json:"resource_deploy_token_events,omitzero" only:"project"`
	// SubgroupEvents, MemberEvents and ProjectEvents are only for a [GroupRef]. ProjectEvents
	// has an effect since 17.6.
	SubgroupEvents *bool `json:"subgroup_events,omitzero" only:"group"`
	MemberEvents   *bool `json:"member_events,omitzero" only:"group"`
	ProjectEvents  *bool `json:"project_events,omitzero" only:"group"`
	// PushEventsBranchFilter limits push events to the branches that match it, as
	// BranchFilterStrategy says. Empty means all branches. It does not apply to tags.
	PushEventsBranchFilter *string `json:"push_events_branch_filter,omitzero"`
	// BranchFilterStrategy is [HookBranchFilterStrategyWildcard] by default.
	BranchFilterStrategy *HookBranchFilterStrategy `json:"branch_filter_strategy,omitzero"`
	// EnableSSLVerification verifies the certificate of the receiver. It is on by default.
	EnableSSLVerification *bool `json:"enable_ssl_verification,omitzero"`
	// Token is sent with each request. No response contains it.
	Token Secret `json:"token,omitzero"`
	// SigningToken makes the service sign its requests, since 19.0: "whsec_" and the
	// Base64 of 32 bytes. Earlier releases ignore it: check [Hook.SigningTokenPresent].
	SigningToken Secret `json:"signing_token,omitzero"`
	// URLVariables are the values of variables in the URL, such as {key}.
	URLVariables []HookURLVariable `json:"url_variables,omitzero"`
	// CustomHeaders are sent with each request, at most 20. Since 17.0.
	CustomHeaders []HookCustomHeader `json:"custom_headers,omitzero"`
	// CustomWebhookTemplate is a body to send instead of the event, since 16.10: JSON of at
	// most 4096 characters, in which names such as {{object_kind}} stand for members of the
	// event. Only for a [ProjectRef] or a [GroupRef].
	CustomWebhookTemplate *string `json:"custom_webhook_template,omitzero" only:"project,group"`
	// Name and Description are stored since 17.1.
	Name        *string `json:"name,omitzero"`
	Description *string `json:"description,omitzero"`
}

// UpdateHookOptions changes a hook. Nil fields are left unchanged. At least one field must
// be set.
type UpdateHookOptions struct {
	// URL is the new URL. Changing it removes the token, and the custom headers and URL
	// variables that depend on it.
	URL *string `json:"url,omitzero"`
	// PushEvents and the following switches say which events the hook receives.
	PushEvents          *bool `json:"push_events,omitzero"`
	TagPushEvents       *bool `json:"tag_push_events,omitzero"`
	MergeRequestsEvents *bool `json:"merge_requests_events,omitzero"`
	// RepositoryUpdateEvents enables one event for each push, with all refs that it
	// changed. Only for [Instance].
	RepositoryUpdateEvents *bool `json:"repository_update_events,omitzero" only:"instance"`
	// IssuesEvents and the following switches are only for a [ProjectRef] or a
	// [GroupRef]. Confidential issues and internal notes reach only hooks with the
	// switch for confidential ones.
	IssuesEvents             *bool `json:"issues_events,omitzero" only:"project,group"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero" only:"project,group"`
	NoteEvents               *bool `json:"note_events,omitzero" only:"project,group"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero" only:"project,group"`
	JobEvents                *bool `json:"job_events,omitzero" only:"project,group"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero" only:"project,group"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero" only:"project,group"`
	DeploymentEvents         *bool `json:"deployment_events,omitzero" only:"project,group"`
	FeatureFlagEvents        *bool `json:"feature_flag_events,omitzero" only:"project,group"`
	ReleasesEvents           *bool `json:"releases_events,omitzero" only:"project,group"`
	// EmojiEvents has an effect since 16.2. Only for a [ProjectRef] or a
	// [GroupRef].
	EmojiEvents *bool `json:"emoji_events,omitzero" only:"project,group"`
	// MilestoneEvents has an effect since 18.2. Only for a [ProjectRef] or a
	// [GroupRef].
	MilestoneEvents *bool `json:"milestone_events,omitzero" only:"project,group"`
	// ResourceAccessTokenEvents has an effect since 16.10. Only for a [ProjectRef] or a
	// [GroupRef].
	ResourceAccessTokenEvents *bool `json:"resource_access_token_events,omitzero" only:"project,group"`
	// VulnerabilityEvents has an effect since 17.7. Only for a [ProjectRef] or a
	// [GroupRef].
	VulnerabilityEvents *bool `json:"vulnerability_events,omitzero" only:"project,group"`
	// ResourceDeployTokenEvents has an effect since 18.4. Only for a [ProjectRef].
	ResourceDeployTokenEvents *bool `json:"resource_deploy_token_events,omitzero" only:"project"`
	// SubgroupEvents, MemberEvents and ProjectEvents are only for a [GroupRef]. ProjectEvents
	// has an effect since 17.6.
	SubgroupEvents *bool `json:"subgroup_events,omitzero" only:"group"`
	MemberEvents   *bool `json:"member_events,omitzero" only:"group"`
	ProjectEvents  *bool `json:"project_events,omitzero" only:"group"`
	// PushEventsBranchFilter limits push events to the branches that match it, as
	// BranchFilterStrategy says. Empty means all branches. It does not apply to tags.
	PushEventsBranchFilter *string `json:"push_events_branch_filter,omitzero"`
	// BranchFilterStrategy says how PushEventsBranchFilter is interpreted.
	BranchFilterStrategy *HookBranchFilterStrategy `json:"branch_filter_strategy,omitzero"`
	// EnableSSLVerification says whether the certificate of the receiver is verified.
	EnableSSLVerification *bool `json:"enable_ssl_verification,omitzero"`
	// Token is sent with each request. An empty Secret removes it. If this call changes the
	// URL, nil removes it, too.
	Token *Secret `json:"token,omitzero"`
	// SigningToken makes the service sign its requests, since 19.0: "whsec_" and the
	// Base64 of 32 bytes. Earlier releases ignore it: check [Hook.SigningTokenPresent].
	SigningToken *Secret `json:"signing_token,omitzero"`
	// URLVariables are the values of variables in the URL, such as {key}. They are added to the
	// present ones, or replace those with the same key.
	URLVariables []HookURLVariable `json:"url_variables,omitzero"`
	// CustomHeaders are sent with each request, at most 20. They are added to the present
	// ones, or replace those with the same key. Since 17.0.
	CustomHeaders []HookCustomHeader `json:"custom_headers,omitzero"`
	// CustomWebhookTemplate is a body to send instead of the event, since 16.10: JSON of at
	// most 4096 characters, in which names such as {{object_kind}} stand for members of the
	// event. Only for a [ProjectRef] or a [GroupRef].
	CustomWebhookTemplate *string `json:"custom_webhook_template,omitzero" only:"project,group"`
	// Name and Description are stored since 17.1.
	Name        *string `json:"name,omitzero"`
	Description *string `json:"description,omitzero"`
}
