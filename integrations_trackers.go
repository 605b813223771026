// Code generated from testdata/integrations.tsv by go generate; DO NOT EDIT.

package serviceapi

// AsanaIntegration is the integration "Asana". APIKey is required.
type AsanaIntegration struct {
	// APIKey is never returned.
	APIKey Secret `json:"api_key" required:"true"`
	// RestrictToBranch names branches, with commas. Empty means all.
	RestrictToBranch *string `json:"restrict_to_branch,omitzero"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "asana".
func (AsanaIntegration) Slug() string { return "asana" }

// AssemblaIntegration is the integration "Assembla". Token is required.
type AssemblaIntegration struct {
	// Token is never returned.
	Token     Secret  `json:"token" required:"true"`
	Subdomain *string `json:"subdomain,omitzero"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "assembla".
func (AssemblaIntegration) Slug() string { return "assembla" }

// BugzillaIntegration is the integration "Bugzilla". ProjectURL, IssuesURL and NewIssueURL
// are required.
type BugzillaIntegration struct {
	ProjectURL string `json:"project_url" required:"true"`
	// IssuesURL has :id in the place of the number.
	IssuesURL   string `json:"issues_url" required:"true"`
	NewIssueURL string `json:"new_issue_url" required:"true"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "bugzilla".
func (BugzillaIntegration) Slug() string { return "bugzilla" }

// ClickUpIntegration is the integration "ClickUp". ProjectURL and IssuesURL are required.
// Since 16.1.
type ClickUpIntegration struct {
	ProjectURL string `json:"project_url" required:"true"`
	// IssuesURL has :id in the place of the number.
	IssuesURL string `json:"issues_url" required:"true"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "clickup".
func (ClickUpIntegration) Slug() string { return "clickup" }

// ConfluenceIntegration is the integration "Confluence Workspace". ConfluenceURL is
// required. A project has one wiki of another maker at a time.
type ConfluenceIntegration struct {
	// ConfluenceURL is an address below atlassian.net with the path /wiki.
	ConfluenceURL string `json:"confluence_url" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "confluence".
func (ConfluenceIntegration) Slug() string { return "confluence" }

// CustomIssueTrackerIntegration is the integration "Custom issue tracker". ProjectURL,
// IssuesURL and NewIssueURL are required.
type CustomIssueTrackerIntegration struct {
	ProjectURL string `json:"project_url" required:"true"`
	// IssuesURL has :id in the place of the number.
	IssuesURL   string `json:"issues_url" required:"true"`
	NewIssueURL string `json:"new_issue_url" required:"true"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "custom-issue-tracker".
func (CustomIssueTrackerIntegration) Slug() string { return "custom-issue-tracker" }

// EWMIntegration is the integration "EWM". ProjectURL, IssuesURL and NewIssueURL are
// required.
type EWMIntegration struct {
	ProjectURL string `json:"project_url" required:"true"`
	// IssuesURL has :id in the place of the number.
	IssuesURL   string `json:"issues_url" required:"true"`
	NewIssueURL string `json:"new_issue_url" required:"true"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "ewm".
func (EWMIntegration) Slug() string { return "ewm" }

// ExternalWikiIntegration is the integration "External wiki". ExternalWikiURL is required.
type ExternalWikiIntegration struct {
	ExternalWikiURL string `json:"external_wiki_url" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "external-wiki".
func (ExternalWikiIntegration) Slug() string { return "external-wiki" }

// JiraIntegration is the integration "Jira issues". URL and Password are required.
type JiraIntegration struct {
	URL string `json:"url" required:"true"`
	// Password is never returned.
	Password Secret `json:"password" required:"true"`
	// APIURL is set only if it differs from URL.
	APIURL *string `json:"api_url,omitzero"`
	// JiraAuthType is 0 for a password, with Username, or 1 for a token, which is not for
	// cloud addresses. 0 by default. Since 16.0.
	JiraAuthType *int    `json:"jira_auth_type,omitzero"`
	Username     *string `json:"username,omitzero"`
	// JiraIssueRegex and JiraIssuePrefix have up to 255 characters.
	JiraIssueRegex  *string `json:"jira_issue_regex,omitzero"`
	JiraIssuePrefix *string `json:"jira_issue_prefix,omitzero"`
	// JiraIssueTransitionID has numbers with commas between them.
	JiraIssueTransitionID *string `json:"jira_issue_transition_id,omitzero"`
	// IssuesEnabled shows issues of the tracker, those of ProjectKeys. Premium. Since 17.0.
	IssuesEnabled *bool `json:"issues_enabled,omitzero"`
	// ProjectKeys are up to 100 keys. Since 17.0.
	ProjectKeys []string `json:"project_keys,omitzero"`
	// VulnerabilitiesEnabled needs VulnerabilitiesIssuetype and ProjectKey. Ultimate.
	VulnerabilitiesEnabled *bool `json:"vulnerabilities_enabled,omitzero"`
	// VulnerabilitiesIssuetype is an ID, as text.
	VulnerabilitiesIssuetype *string `json:"vulnerabilities_issuetype,omitzero"`
	ProjectKey               *string `json:"project_key,omitzero"`
	// CustomizeJiraIssueEnabled is Ultimate. Since 17.5.
	CustomizeJiraIssueEnabled *bool `json:"customize_jira_issue_enabled,omitzero"`
	// JiraCheckEnabled turns on the checks below, which are Premium. Since 18.3.
	JiraCheckEnabled         *bool `json:"jira_check_enabled,omitzero"`
	JiraExistsCheckEnabled   *bool `json:"jira_exists_check_enabled,omitzero"`
	JiraAssigneeCheckEnabled *bool `json:"jira_assignee_check_enabled,omitzero"`
	JiraStatusCheckEnabled   *bool `json:"jira_status_check_enabled,omitzero"`
	// JiraAllowedStatusesAsString has names with commas between them.
	JiraAllowedStatusesAsString *string `json:"jira_allowed_statuses_as_string,omitzero"`
	// These fields say which events the integration takes.
	CommitEvents          *bool `json:"commit_events,omitzero"`
	MergeRequestsEvents   *bool `json:"merge_requests_events,omitzero"`
	CommentOnEventEnabled *bool `json:"comment_on_event_enabled,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "jira".
func (JiraIntegration) Slug() string { return "jira" }

// JiraCloudAppIntegration is the integration "Service for Jira Cloud app". Only a person
// can install it: before, the call returns [ErrUnprocessable]. It cannot be disabled.
type JiraCloudAppIntegration struct {
	// JiraCloudAppServiceIDs are up to 100 IDs with commas between them.
	JiraCloudAppServiceIDs *string `json:"jira_cloud_app_service_ids,omitzero"`
	// JiraCloudAppEnableDeploymentGating needs JiraCloudAppDeploymentGatingEnvironments.
	JiraCloudAppEnableDeploymentGating *bool `json:"jira_cloud_app_enable_deployment_gating,omitzero"`
	// JiraCloudAppDeploymentGatingEnvironments are "production", "staging", "testing" and
	// "development", with commas.
	JiraCloudAppDeploymentGatingEnvironments *string `json:"jira_cloud_app_deployment_gating_environments,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "jira-cloud-app".
func (JiraCloudAppIntegration) Slug() string { return "jira-cloud-app" }

// LinearIntegration is the integration "Linear". WorkspaceURL is required. Since 18.3.
type LinearIntegration struct {
	// WorkspaceURL is such as https://linear.app/acme.
	WorkspaceURL string `json:"workspace_url" required:"true"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "linear".
func (LinearIntegration) Slug() string { return "linear" }

// PhorgeIntegration is the integration "Phorge". ProjectURL and IssuesURL are required.
// Since 16.11.
type PhorgeIntegration struct {
	ProjectURL string `json:"project_url" required:"true"`
	// IssuesURL has :id in the place of the number.
	IssuesURL string `json:"issues_url" required:"true"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "phorge".
func (PhorgeIntegration) Slug() string { return "phorge" }

// PivotalTrackerIntegration is the integration "Pivotal Tracker". Token is required.
type PivotalTrackerIntegration struct {
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	// RestrictToBranch names branches, with commas. Empty means all.
	RestrictToBranch *string `json:"restrict_to_branch,omitzero"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "pivotaltracker".
func (PivotalTrackerIntegration) Slug() string { return "pivotaltracker" }

// RedmineIntegration is the integration "Redmine". ProjectURL, IssuesURL and NewIssueURL
// are required.
type RedmineIntegration struct {
	ProjectURL string `json:"project_url" required:"true"`
	// IssuesURL has :id in the place of the number.
	IssuesURL   string `json:"issues_url" required:"true"`
	NewIssueURL string `json:"new_issue_url" required:"true"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "redmine".
func (RedmineIntegration) Slug() string { return "redmine" }

// SquashTMIntegration is the integration "Squash TM". URL is required. Since 15.10.
type SquashTMIntegration struct {
	URL string `json:"url" required:"true"`
	// Token has up to 255 characters. Token is never returned.
	Token *Secret `json:"token,omitzero"`
	// These fields say which events the integration takes.
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "squash-tm".
func (SquashTMIntegration) Slug() string { return "squash-tm" }

// YouTrackIntegration is the integration "JetBrains YouTrack". ProjectURL and IssuesURL
// are required.
type YouTrackIntegration struct {
	ProjectURL string `json:"project_url" required:"true"`
	// IssuesURL has :id in the place of the number.
	IssuesURL string `json:"issues_url" required:"true"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "youtrack".
func (YouTrackIntegration) Slug() string { return "youtrack" }

// ZenTaoIntegration is the integration "ZenTao". URL, APIToken and ZentaoProductXID are
// required. Premium.
type ZenTaoIntegration struct {
	URL string `json:"url" required:"true"`
	// APIToken is never returned.
	APIToken         Secret  `json:"api_token" required:"true"`
	ZentaoProductXID string  `json:"zentao_product_xid" required:"true"`
	APIURL           *string `json:"api_url,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "zentao".
func (ZenTaoIntegration) Slug() string { return "zentao" }
