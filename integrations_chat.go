// Code generated from testdata/integrations.tsv by go generate; DO NOT EDIT.

package serviceapi

// CampfireIntegration is the integration "Campfire". Token is required. It is no longer
// sold.
type CampfireIntegration struct {
	// Token is never returned.
	Token     Secret  `json:"token" required:"true"`
	Subdomain *string `json:"subdomain,omitzero"`
	// Room is a number above 0, as text.
	Room *string `json:"room,omitzero"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "campfire".
func (CampfireIntegration) Slug() string { return "campfire" }

// DiscordIntegration is the integration "Discord Notifications". Webhook is required.
type DiscordIntegration struct {
	// Webhook is an address at discord.com, as are the channels, which are never returned.
	Webhook Secret `json:"webhook" required:"true"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// PushChannel and the channels below are for single events: up to 10 of them, with commas.
	PushChannel              *string `json:"push_channel,omitzero"`
	IssueChannel             *string `json:"issue_channel,omitzero"`
	ConfidentialIssueChannel *string `json:"confidential_issue_channel,omitzero"`
	MergeRequestChannel      *string `json:"merge_request_channel,omitzero"`
	NoteChannel              *string `json:"note_channel,omitzero"`
	ConfidentialNoteChannel  *string `json:"confidential_note_channel,omitzero"`
	TagPushChannel           *string `json:"tag_push_channel,omitzero"`
	PipelineChannel          *string `json:"pipeline_channel,omitzero"`
	WikiPageChannel          *string `json:"wiki_page_channel,omitzero"`
	DeploymentChannel        *string `json:"deployment_channel,omitzero"`
	IncidentChannel          *string `json:"incident_channel,omitzero"`
	AlertChannel             *string `json:"alert_channel,omitzero"`
	VulnerabilityChannel     *string `json:"vulnerability_channel,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	DeploymentEvents         *bool `json:"deployment_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "discord".
func (DiscordIntegration) Slug() string { return "discord" }

// EmailsOnPushIntegration is the integration "Emails on push". Recipients is required.
type EmailsOnPushIntegration struct {
	// Recipients are up to 750 addresses with blanks between them.
	Recipients             string `json:"recipients" required:"true"`
	SendFromCommitterEmail *bool  `json:"send_from_committer_email,omitzero"`
	DisableDiffs           *bool  `json:"disable_diffs,omitzero"`
	// BranchesToBeNotified is "all" by default; "default", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PushEvents    *bool `json:"push_events,omitzero"`
	TagPushEvents *bool `json:"tag_push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "emails-on-push".
func (EmailsOnPushIntegration) Slug() string { return "emails-on-push" }

// HangoutsChatIntegration is the integration "Google Chat". Webhook is required.
type HangoutsChatIntegration struct {
	// Webhook is never returned.
	Webhook Secret `json:"webhook" required:"true"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "hangouts-chat".
func (HangoutsChatIntegration) Slug() string { return "hangouts-chat" }

// IrkerIntegration is the integration "irker (IRC gateway)". Recipients is required.
type IrkerIntegration struct {
	// Recipients are channels with blanks between them.
	Recipients string `json:"recipients" required:"true"`
	// ServerHost is "localhost" by default.
	ServerHost *string `json:"server_host,omitzero"`
	// ServerPort is 6659 by default.
	ServerPort       *int    `json:"server_port,omitzero"`
	DefaultIrcURI    *string `json:"default_irc_uri,omitzero"`
	ColorizeMessages *bool   `json:"colorize_messages,omitzero"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "irker".
func (IrkerIntegration) Slug() string { return "irker" }

// MatrixIntegration is the integration "Matrix notifications". Token and Room are
// required. Since 17.3.
type MatrixIntegration struct {
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	Room  string `json:"room" required:"true"`
	// Hostname is "https://matrix-client.matrix.org" by default.
	Hostname *string `json:"hostname,omitzero"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	IncidentEvents           *bool `json:"incident_events,omitzero"`
	// VulnerabilityEvents is Premium.
	VulnerabilityEvents *bool `json:"vulnerability_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "matrix".
func (MatrixIntegration) Slug() string { return "matrix" }

// MattermostIntegration is the integration "Mattermost notifications". Webhook is
// required.
type MattermostIntegration struct {
	// Webhook is never returned.
	Webhook  Secret  `json:"webhook" required:"true"`
	Username *string `json:"username,omitzero"`
	Channel  *string `json:"channel,omitzero"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// LabelsToBeNotified are names with commas between them. Empty means all.
	LabelsToBeNotified *string `json:"labels_to_be_notified,omitzero"`
	// LabelsToBeNotifiedBehavior is "match_any" by default, or "match_all".
	LabelsToBeNotifiedBehavior *string `json:"labels_to_be_notified_behavior,omitzero"`
	// PushChannel and the channels below are for single events: up to 10 of them, with commas.
	PushChannel              *string `json:"push_channel,omitzero"`
	IssueChannel             *string `json:"issue_channel,omitzero"`
	ConfidentialIssueChannel *string `json:"confidential_issue_channel,omitzero"`
	MergeRequestChannel      *string `json:"merge_request_channel,omitzero"`
	NoteChannel              *string `json:"note_channel,omitzero"`
	ConfidentialNoteChannel  *string `json:"confidential_note_channel,omitzero"`
	TagPushChannel           *string `json:"tag_push_channel,omitzero"`
	PipelineChannel          *string `json:"pipeline_channel,omitzero"`
	WikiPageChannel          *string `json:"wiki_page_channel,omitzero"`
	DeploymentChannel        *string `json:"deployment_channel,omitzero"`
	IncidentChannel          *string `json:"incident_channel,omitzero"`
	AlertChannel             *string `json:"alert_channel,omitzero"`
	VulnerabilityChannel     *string `json:"vulnerability_channel,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	IncidentEvents           *bool `json:"incident_events,omitzero"`
	// VulnerabilityEvents is Premium.
	VulnerabilityEvents *bool `json:"vulnerability_events,omitzero"`
	DeploymentEvents    *bool `json:"deployment_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "mattermost".
func (MattermostIntegration) Slug() string { return "mattermost" }

// MattermostSlashCommandsIntegration is the integration "Mattermost slash commands". Token
// is required.
type MattermostSlashCommandsIntegration struct {
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "mattermost-slash-commands".
func (MattermostSlashCommandsIntegration) Slug() string { return "mattermost-slash-commands" }

// MicrosoftTeamsIntegration is the integration "Microsoft Teams notifications". Webhook is
// required.
type MicrosoftTeamsIntegration struct {
	// Webhook is never returned.
	Webhook Secret `json:"webhook" required:"true"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "microsoft-teams".
func (MicrosoftTeamsIntegration) Slug() string { return "microsoft-teams" }

// PipelinesEmailIntegration is the integration "Pipeline status emails". Recipients is
// required.
type PipelinesEmailIntegration struct {
	// Recipients are up to 30 addresses with commas or blanks between them.
	Recipients string `json:"recipients" required:"true"`
	// NotifyOnlyDefaultBranch is an older form of BranchesToBeNotified.
	NotifyOnlyDefaultBranch *bool `json:"notify_only_default_branch,omitzero"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PipelineEvents *bool `json:"pipeline_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "pipelines-email".
func (PipelinesEmailIntegration) Slug() string { return "pipelines-email" }

// PumbleIntegration is the integration "Pumble". Webhook is required. Since 15.3.
type PumbleIntegration struct {
	// Webhook is never returned.
	Webhook Secret `json:"webhook" required:"true"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "pumble".
func (PumbleIntegration) Slug() string { return "pumble" }

// PushoverIntegration is the integration "Pushover". APIKey, UserKey and Priority are
// required.
type PushoverIntegration struct {
	// APIKey is never returned.
	APIKey Secret `json:"api_key" required:"true"`
	// UserKey is never returned.
	UserKey Secret `json:"user_key" required:"true"`
	// Priority is "-2", "-1", "0" or "1".
	Priority string  `json:"priority" required:"true"`
	Device   *string `json:"device,omitzero"`
	// Sound is such as "bike", empty for the default of the device.
	Sound *string `json:"sound,omitzero"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "pushover".
func (PushoverIntegration) Slug() string { return "pushover" }

// SlackApplicationIntegration is the integration "Service for Slack app". Only a person
// can install it: before, the call returns [ErrUnprocessable]. All events are off at
// first. Since 16.2, for groups 16.10.
type SlackApplicationIntegration struct {
	Channel *string `json:"channel,omitzero"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// LabelsToBeNotified are names with commas between them. Empty means all.
	LabelsToBeNotified *string `json:"labels_to_be_notified,omitzero"`
	// LabelsToBeNotifiedBehavior is "match_any" by default, or "match_all".
	LabelsToBeNotifiedBehavior *string `json:"labels_to_be_notified_behavior,omitzero"`
	// PushChannel and the channels below are for single events: up to 10 of them, with commas.
	PushChannel              *string `json:"push_channel,omitzero"`
	IssueChannel             *string `json:"issue_channel,omitzero"`
	ConfidentialIssueChannel *string `json:"confidential_issue_channel,omitzero"`
	MergeRequestChannel      *string `json:"merge_request_channel,omitzero"`
	NoteChannel              *string `json:"note_channel,omitzero"`
	ConfidentialNoteChannel  *string `json:"confidential_note_channel,omitzero"`
	TagPushChannel           *string `json:"tag_push_channel,omitzero"`
	PipelineChannel          *string `json:"pipeline_channel,omitzero"`
	WikiPageChannel          *string `json:"wiki_page_channel,omitzero"`
	DeploymentChannel        *string `json:"deployment_channel,omitzero"`
	IncidentChannel          *string `json:"incident_channel,omitzero"`
	AlertChannel             *string `json:"alert_channel,omitzero"`
	VulnerabilityChannel     *string `json:"vulnerability_channel,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	IncidentEvents           *bool `json:"incident_events,omitzero"`
	// VulnerabilityEvents is Premium.
	VulnerabilityEvents *bool `json:"vulnerability_events,omitzero"`
	DeploymentEvents    *bool `json:"deployment_events,omitzero"`
	AlertEvents         *bool `json:"alert_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "service-slack-application".
func (SlackApplicationIntegration) Slug() string { return "service-slack-application" }

// SlackIntegration is the integration "Slack notifications". Webhook is required.
type SlackIntegration struct {
	// Webhook is never returned.
	Webhook  Secret  `json:"webhook" required:"true"`
	Username *string `json:"username,omitzero"`
	Channel  *string `json:"channel,omitzero"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// LabelsToBeNotified are names with commas between them. Empty means all.
	LabelsToBeNotified *string `json:"labels_to_be_notified,omitzero"`
	// LabelsToBeNotifiedBehavior is "match_any" by default, or "match_all".
	LabelsToBeNotifiedBehavior *string `json:"labels_to_be_notified_behavior,omitzero"`
	// PushChannel and the channels below are for single events: up to 10 of them, with commas.
	PushChannel              *string `json:"push_channel,omitzero"`
	IssueChannel             *string `json:"issue_channel,omitzero"`
	ConfidentialIssueChannel *string `json:"confidential_issue_channel,omitzero"`
	MergeRequestChannel      *string `json:"merge_request_channel,omitzero"`
	NoteChannel              *string `json:"note_channel,omitzero"`
	ConfidentialNoteChannel  *string `json:"confidential_note_channel,omitzero"`
	TagPushChannel           *string `json:"tag_push_channel,omitzero"`
	PipelineChannel          *string `json:"pipeline_channel,omitzero"`
	WikiPageChannel          *string `json:"wiki_page_channel,omitzero"`
	DeploymentChannel        *string `json:"deployment_channel,omitzero"`
	IncidentChannel          *string `json:"incident_channel,omitzero"`
	AlertChannel             *string `json:"alert_channel,omitzero"`
	VulnerabilityChannel     *string `json:"vulnerability_channel,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	IncidentEvents           *bool `json:"incident_events,omitzero"`
	// VulnerabilityEvents is Premium.
	VulnerabilityEvents *bool `json:"vulnerability_events,omitzero"`
	DeploymentEvents    *bool `json:"deployment_events,omitzero"`
	AlertEvents         *bool `json:"alert_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "slack".
func (SlackIntegration) Slug() string { return "slack" }

// SlackSlashCommandsIntegration is the integration "Slack slash commands". Token is
// required. Only where the application of the instance is off.
type SlackSlashCommandsIntegration struct {
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "slack-slash-commands".
func (SlackSlashCommandsIntegration) Slug() string { return "slack-slash-commands" }

// TelegramIntegration is the integration "Telegram". Token and Room are required. Since
// 16.1.
type TelegramIntegration struct {
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	Room  string `json:"room" required:"true"`
	// Hostname is "https://api.telegram.org" by default. Since 17.1.
	Hostname *string `json:"hostname,omitzero"`
	// Thread has digits, as text. Since 16.11.
	Thread *string `json:"thread,omitzero"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	IncidentEvents           *bool `json:"incident_events,omitzero"`
	// VulnerabilityEvents is Premium.
	VulnerabilityEvents *bool `json:"vulnerability_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "telegram".
func (TelegramIntegration) Slug() string { return "telegram" }

// UnifyCircuitIntegration is the integration "Unify Circuit". Webhook is required.
type UnifyCircuitIntegration struct {
	// Webhook is never returned.
	Webhook Secret `json:"webhook" required:"true"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "unify-circuit".
func (UnifyCircuitIntegration) Slug() string { return "unify-circuit" }

// WebexTeamsIntegration is the integration "Webex Teams". Webhook is required.
type WebexTeamsIntegration struct {
	// Webhook is never returned.
	Webhook Secret `json:"webhook" required:"true"`
	// NotifyOnlyBrokenPipelines is true by default.
	NotifyOnlyBrokenPipelines *bool `json:"notify_only_broken_pipelines,omitzero"`
	// NotifyOnlyWhenPipelineStatusChanges is false by default. Since 18.9, where a feature of
	// the instance is on.
	NotifyOnlyWhenPipelineStatusChanges *bool `json:"notify_only_when_pipeline_status_changes,omitzero"`
	// BranchesToBeNotified is "default" by default; "all", "protected" or
	// "default_and_protected".
	BranchesToBeNotified *string `json:"branches_to_be_notified,omitzero"`
	// These fields say which events the integration takes.
	PushEvents               *bool `json:"push_events,omitzero"`
	IssuesEvents             *bool `json:"issues_events,omitzero"`
	ConfidentialIssuesEvents *bool `json:"confidential_issues_events,omitzero"`
	MergeRequestsEvents      *bool `json:"merge_requests_events,omitzero"`
	NoteEvents               *bool `json:"note_events,omitzero"`
	ConfidentialNoteEvents   *bool `json:"confidential_note_events,omitzero"`
	TagPushEvents            *bool `json:"tag_push_events,omitzero"`
	PipelineEvents           *bool `json:"pipeline_events,omitzero"`
	WikiPageEvents           *bool `json:"wiki_page_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "webex-teams".
func (WebexTeamsIntegration) Slug() string { return "webex-teams" }
