package serviceapi

import "time"

// Group is a group of projects, members and other groups. It has a [GroupSummary] in it.
// DefaultBranch and the fields after it are its settings. They are nil or empty if the release
// or the tier of the instance does not have them.
type Group struct {
	GroupSummary

	Description string `json:"description"`
	// ParentID is the ID of the parent group, nil for a top-level group.
	ParentID   *int64     `json:"parent_id"`
	Visibility Visibility `json:"visibility"`
	CreatedAt  time.Time  `json:"created_at"`
	// LDAPCN is the directory group that members come from, and LDAPAccess the role
	// that they get. Premium.
	LDAPCN     string `json:"ldap_cn"`
	LDAPAccess string `json:"ldap_access"`
	// RepositoryStorage is the name of the storage that holds the wiki. Only
	// administrators see it.
	RepositoryStorage string `json:"repository_storage"`
	// OrganizationID is the ID of the organization that the group belongs to, nil
	// before 17.x.
	OrganizationID *int64 `json:"organization_id"`
	// Archived reports whether the group is archived, which makes it read-only.
	// Since 18.x.
	Archived bool `json:"archived"`
	// MarkedForDeletionOn is the day on which the group was marked for deletion,
	// nil if it was not.
	MarkedForDeletionOn *Date `json:"marked_for_deletion_on"`
	// Statistics are nil unless [ListGroupsOptions.Statistics] asks for them.
	Statistics *ProjectStatistics `json:"statistics"`
	// CustomAttributes is nil unless WithCustomAttributes asked for them.
	CustomAttributes *CustomAttributes `json:"custom_attributes"`
	// SharedWithGroups are the groups that the group was shared with.
	SharedWithGroups []*SharedGroup `json:"shared_with_groups"`
	// RunnersToken registers runners of the group. Only Owners see it.
	RunnersToken Secret `json:"runners_token"`
	// Projects and SharedProjects are the projects of the group and those that
	// were shared with it, at most 100 of each.
	//
	// Deprecated: use [ProjectsService.All] with the group as owner.
	Projects       []*Project `json:"projects"`
	SharedProjects []*Project `json:"shared_projects"`

	// DefaultBranch is the name of the default branch of new projects. Since 16.11.
	DefaultBranch string `json:"default_branch"`
	// DefaultBranchProtection protects the default branch of new projects. It is
	// nil if the service sends only DefaultBranchProtectionDefaults.
	DefaultBranchProtection *BranchProtection `json:"default_branch_protection"`
	// ProjectCreationLevel says who may create projects in the group.
	ProjectCreationLevel ProjectCreationLevel `json:"project_creation_level"`
	// SubgroupCreationLevel says who may create subgroups.
	SubgroupCreationLevel SubgroupCreationLevel `json:"subgroup_creation_level"`
	// RequestAccessEnabled allows users to ask for membership.
	RequestAccessEnabled bool `json:"request_access_enabled"`
	// ShareWithGroupLock forbids sharing projects of the group with other groups.
	ShareWithGroupLock bool `json:"share_with_group_lock"`
	// PreventSharingGroupsOutsideHierarchy forbids sharing the group with groups
	// other than its subgroups. It is nil for a subgroup.
	PreventSharingGroupsOutsideHierarchy *bool `json:"prevent_sharing_groups_outside_hierarchy"`
	// RequireTwoFactorAuthentication makes all members use two-factor
	// authentication.
	RequireTwoFactorAuthentication bool `json:"require_two_factor_authentication"`
	// TwoFactorGracePeriod is the time in hours that members have to set up
	// two-factor authentication.
	TwoFactorGracePeriod int `json:"two_factor_grace_period"`
	// EmailsDisabled reports whether email notifications are off. Nil can mean that the
	// parent groups decide.
	//
	// Deprecated: EmailsEnabled replaces it since 16.5.
	EmailsDisabled *bool `json:"emails_disabled"`
	// EmailsEnabled reports whether email notifications are on. Nil can mean that the
	// parent groups decide. Since 16.5.
	EmailsEnabled *bool `json:"emails_enabled"`
	// MentionsDisabled prevents mentions of the group from notifying all of its
	// members. Nil means that it was never set.
	MentionsDisabled *bool `json:"mentions_disabled"`
	// LFSEnabled allows projects to keep large files outside the repository, with
	// Git LFS.
	LFSEnabled bool `json:"lfs_enabled"`
	// AutoDevOpsEnabled runs predefined pipelines in projects without a CI/CD
	// configuration. Nil means that the parent group or the instance decides.
	AutoDevOpsEnabled *bool `json:"auto_devops_enabled"`
	// SharedRunnersSetting says whether the runners of the instance take jobs of
	// the group's projects.
	SharedRunnersSetting SharedRunnersSetting `json:"shared_runners_setting"`
	// EnabledGitAccessProtocol is the protocol that repositories can be accessed
	// with. Since 16.9.
	EnabledGitAccessProtocol GitAccessProtocol `json:"enabled_git_access_protocol"`
	// CRMEnabled lets the group keep a list of customers. Only in later releases.
	CRMEnabled *bool `json:"crm_enabled"`
	// ExperimentFeaturesEnabled turns on experimental features. Only in later releases.
	ExperimentFeaturesEnabled *bool `json:"experiment_features_enabled"`
	// MathRenderingLimitsEnabled limits the size of the formulas that are rendered. Only in
	// later releases.
	MathRenderingLimitsEnabled *bool `json:"math_rendering_limits_enabled"`
	// LockMathRenderingLimitsEnabled keeps subgroups from changing
	// MathRenderingLimitsEnabled. Only in later releases.
	LockMathRenderingLimitsEnabled *bool `json:"lock_math_rendering_limits_enabled"`
	// DuoFeaturesEnabled turns on the features that use a language model. Only in later
	// releases.
	DuoFeaturesEnabled *bool `json:"duo_features_enabled"`
	// LockDuoFeaturesEnabled keeps subgroups from changing DuoFeaturesEnabled. Only in
	// later releases.
	LockDuoFeaturesEnabled *bool `json:"lock_duo_features_enabled"`
	// DuoAvailability says who can change DuoFeaturesEnabled. Only in later releases.
	DuoAvailability DuoAvailability `json:"duo_availability"`
	// OnlyAllowMergeIfPipelineSucceeds requires a successful pipeline for each merge in the
	// projects of the group. Only in later releases.
	OnlyAllowMergeIfPipelineSucceeds *bool `json:"only_allow_merge_if_pipeline_succeeds"`
	// AllowMergeOnSkippedPipeline treats a skipped pipeline as successful. Only in later
	// releases.
	AllowMergeOnSkippedPipeline *bool `json:"allow_merge_on_skipped_pipeline"`
	// OnlyAllowMergeIfAllDiscussionsAreResolved requires all discussions to be resolved
	// before a merge. Only in later releases.
	OnlyAllowMergeIfAllDiscussionsAreResolved *bool `json:"only_allow_merge_if_all_discussions_are_resolved"`
	// MaxArtifactsSize limits the size of the artifacts of a job, in megabytes. It
	// exists in later releases.
	MaxArtifactsSize *int64 `json:"max_artifacts_size"`
	// WikiAccessLevel says who may use the wiki of the group. Only in later releases.
	// Premium.
	WikiAccessLevel FeatureAccessLevel `json:"wiki_access_level"`
	// MembershipLock forbids adding members to projects of the group. Premium.
	MembershipLock *bool `json:"membership_lock"`
	// SharedRunnersMinutesLimit is the number of minutes per month for jobs on the
	// runners of the instance. 0 means no limit; nil means the default of the
	// instance. Premium.
	SharedRunnersMinutesLimit *int64 `json:"shared_runners_minutes_limit"`
	// ExtraSharedRunnersMinutesLimit is a number of minutes in addition to the
	// monthly limit. Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit"`
	// PreventForkingOutsideGroup forbids forks outside the group. Premium.
	PreventForkingOutsideGroup *bool `json:"prevent_forking_outside_group"`
	// FileTemplateProjectID is the project whose files are templates for new ones,
	// nil if there is none. Premium.
	FileTemplateProjectID *int64 `json:"file_template_project_id"`
	// IPRestrictionRanges are the networks from which the group can be accessed,
	// separated by commas. Since 15.4. Premium.
	IPRestrictionRanges string `json:"ip_restriction_ranges"`
	// AllowedEmailDomainsList are the domains of email addresses that members may
	// have, separated by commas. Since 17.4. Premium.
	AllowedEmailDomainsList string `json:"allowed_email_domains_list"`
	// DefaultBranchProtectionDefaults replaces DefaultBranchProtection since 17.0.
	// It is nil before, and for callers who may not see it.
	DefaultBranchProtectionDefaults *BranchProtectionDefaults `json:"default_branch_protection_defaults"`
	// ShowDiffPreviewInEmail shows the lines that a comment is about in the email about it.
	// Since 18.4.
	ShowDiffPreviewInEmail *bool `json:"show_diff_preview_in_email"`
	// LDAPGroupLinks and SAMLGroupLinks are the groups of a directory and of an identity
	// provider whose members become members of this group. They are nil if there are none.
	// Premium. Only in later releases.
	LDAPGroupLinks []*LDAPGroupLink `json:"ldap_group_links"`
	SAMLGroupLinks []*SAMLGroupLink `json:"saml_group_links"`
	// RootStorageStatistics are the sizes of everything in a top-level group, for administrators
	// who ask for [ListGroupsOptions.Statistics]. It is nil otherwise. Since 17.4.
	RootStorageStatistics *RootStorageStatistics `json:"root_storage_statistics"`

	// The following fields are nil or empty unless the caller may administer the group.

	// AutoDuoCodeReviewEnabled has each merge request reviewed automatically. Since 18.0. Paid.
	AutoDuoCodeReviewEnabled *bool `json:"auto_duo_code_review_enabled"`
	// DuoCoreFeaturesEnabled turns on the features that every subscription has. Since 18.1.
	// Paid.
	DuoCoreFeaturesEnabled *bool `json:"duo_core_features_enabled"`
	// DuoNamespaceAccessRules say which features the members of which groups may use. Paid. Only
	// in later releases, behind a feature flag.
	DuoNamespaceAccessRules []*DuoNamespaceAccessRule `json:"duo_namespace_access_rules"`
	// WebBasedCommitSigningEnabled signs the commits that users make on the web. Since 18.1.
	// Hosted service only.
	WebBasedCommitSigningEnabled *bool `json:"web_based_commit_signing_enabled"`
	// AllowPersonalSnippets lets the users whom the group manages create personal snippets.
	// Since about 18.5. Hosted service only.
	AllowPersonalSnippets *bool `json:"allow_personal_snippets"`

	// The following fields are not set in lists.

	// StepUpAuthRequiredOAuthProvider is the name of the provider at which users must prove
	// again who they are, empty if there is none. Since 18.4, behind a feature flag.
	StepUpAuthRequiredOAuthProvider string `json:"step_up_auth_required_oauth_provider"`
	// ServiceAccessTokensExpirationEnforced makes the tokens of service accounts expire. It is
	// nil for a subgroup. Premium. Only in later releases.
	ServiceAccessTokensExpirationEnforced *bool `json:"service_access_tokens_expiration_enforced"`
	// UniqueProjectDownloadLimit is the number of projects that a member may download in
	// UniqueProjectDownloadLimitIntervalInSeconds, 0 for no limit. Both are nil for a subgroup.
	// Ultimate. Since about 15.3.
	UniqueProjectDownloadLimit                  *int   `json:"unique_project_download_limit"`
	UniqueProjectDownloadLimitIntervalInSeconds *int64 `json:"unique_project_download_limit_interval_in_seconds"`
	// UniqueProjectDownloadLimitAllowlist are the names of the users who have no such limit, and
	// UniqueProjectDownloadLimitAlertlist the IDs of those who are told about members who exceed
	// it. Since about 15.3.
	UniqueProjectDownloadLimitAllowlist []string `json:"unique_project_download_limit_allowlist"`
	UniqueProjectDownloadLimitAlertlist []int64  `json:"unique_project_download_limit_alertlist"`
	// AutoBanUserOnExcessiveProjectsDownload bans members who exceed the limit from the group.
	// Since about 15.3.
	AutoBanUserOnExcessiveProjectsDownload *bool `json:"auto_ban_user_on_excessive_projects_download"`
}

// Ref identifies the group by its ID, which stays the same if it moves.
func (g *Group) Ref() GroupRef { return GroupID(orZero(g).ID) }

// GroupSummary is the short form of a group in other objects.
type GroupSummary struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Path is the last element of the group's path, such as "platform". FullPath is the whole
	// path, as [GroupPath] requires: "acme/platform". FullName is the name with the names of
	// the parent groups: "Acme / Platform".
	Path     string `json:"path"`
	FullPath string `json:"full_path"`
	FullName string `json:"full_name"`
	// AvatarURL is empty if the group has no picture.
	AvatarURL string `json:"avatar_url"`
	WebURL    string `json:"web_url"`
}

// Ref identifies the group by its ID, which stays the same if it moves.
func (g *GroupSummary) Ref() GroupRef { return GroupID(orZero(g).ID) }

// BranchProtection is a level of protection of the default branch of new projects.
type BranchProtection int

// Levels of protection. With BranchProtectionNone, Developers may push and
// force push; with BranchProtectionPartial, they may only push; with
// BranchProtectionFull, they may do neither; with
// BranchProtectionAgainstPushes, they may merge but not push.
// BranchProtectionAfterInitialPush exists in later releases.
const (
	BranchProtectionNone             BranchProtection = 0
	BranchProtectionPartial          BranchProtection = 1
	BranchProtectionFull             BranchProtection = 2
	BranchProtectionAgainstPushes    BranchProtection = 3
	BranchProtectionAfterInitialPush BranchProtection = 4
)

// BranchProtectionDefaults is the protection of the default branch of new projects.
type BranchProtectionDefaults struct {
	AllowedToPush             []*BranchProtectionRole `json:"allowed_to_push"`
	AllowedToMerge            []*BranchProtectionRole `json:"allowed_to_merge"`
	AllowForcePush            bool                    `json:"allow_force_push"`
	CodeOwnerApprovalRequired bool                    `json:"code_owner_approval_required"`
	// DeveloperCanInitialPush lets Developers push to an empty repository, nil in older
	// releases. Since about 16.x.
	DeveloperCanInitialPush *bool `json:"developer_can_initial_push,omitzero"`
}

// BranchProtectionRole is a role with access to a protected branch.
type BranchProtectionRole struct {
	AccessLevel AccessLevel `json:"access_level"`
}

// ProjectCreationLevel says who may create projects in a group.
type ProjectCreationLevel string

// Roles that may create projects in a group, or nobody. ProjectCreationLevelOwner
// and ProjectCreationLevelAdministrator exist in later releases.
const (
	ProjectCreationLevelNobody        ProjectCreationLevel = "noone"
	ProjectCreationLevelMaintainer    ProjectCreationLevel = "maintainer"
	ProjectCreationLevelDeveloper     ProjectCreationLevel = "developer"
	ProjectCreationLevelOwner         ProjectCreationLevel = "owner"
	ProjectCreationLevelAdministrator ProjectCreationLevel = "administrator"
)

// SubgroupCreationLevel says who may create subgroups of a group.
type SubgroupCreationLevel string

// Roles that may create subgroups.
const (
	SubgroupCreationLevelOwner      SubgroupCreationLevel = "owner"
	SubgroupCreationLevelMaintainer SubgroupCreationLevel = "maintainer"
)

// SharedRunnersSetting says whether the runners of the instance take jobs of a
// group's projects.
type SharedRunnersSetting string

// Settings of the runners of the instance. In later releases,
// SharedRunnersSettingDisabledAndOverridable replaces
// SharedRunnersSettingDisabledWithOverride. With either, subgroups and projects may
// enable the runners.
const (
	SharedRunnersSettingEnabled                  SharedRunnersSetting = "enabled"
	SharedRunnersSettingDisabledWithOverride     SharedRunnersSetting = "disabled_with_override"
	SharedRunnersSettingDisabledAndOverridable   SharedRunnersSetting = "disabled_and_overridable"
	SharedRunnersSettingDisabledAndUnoverridable SharedRunnersSetting = "disabled_and_unoverridable"
)

// GitAccessProtocol is a protocol that repositories can be accessed with.
type GitAccessProtocol string

// Protocols that repositories can be accessed with.
const (
	GitAccessProtocolSSH  GitAccessProtocol = "ssh"
	GitAccessProtocolHTTP GitAccessProtocol = "http"
	GitAccessProtocolAll  GitAccessProtocol = "all"
)

// DuoAvailability says who decides whether a group uses the features that use a
// language model.
type DuoAvailability string

// With DuoAvailabilityDefaultOn and DuoAvailabilityDefaultOff, subgroups and
// projects decide, and the features are on or off by default. With
// DuoAvailabilityNeverOn, they are off everywhere.
const (
	DuoAvailabilityDefaultOn  DuoAvailability = "default_on"
	DuoAvailabilityDefaultOff DuoAvailability = "default_off"
	DuoAvailabilityNeverOn    DuoAvailability = "never_on"
)

// LDAPGroupLink is a group of a directory whose members become members of a group, with a role.
type LDAPGroupLink struct {
	// CN is the name of the group in the directory, empty if Filter selects the members.
	CN string `json:"cn"`
	// Filter selects members in the directory, empty if CN does.
	Filter      string      `json:"filter"`
	GroupAccess AccessLevel `json:"group_access"`
	// Provider is the name of the directory, such as "ldapmain".
	Provider string `json:"provider"`
	// MemberRoleID is the ID of a custom role, nil if there is none. Only in later releases.
	MemberRoleID *int64 `json:"member_role_id"`
}

// SAMLGroupLink is a group of an identity provider whose members become members of a group, with
// a role.
type SAMLGroupLink struct {
	// Name is the name of the group at the provider.
	Name        string      `json:"name"`
	AccessLevel AccessLevel `json:"access_level"`
	// MemberRoleID is the ID of a custom role, nil if there is none. Only in later releases.
	MemberRoleID *int64 `json:"member_role_id"`
	// Provider is the name of the provider, empty for any. Since 18.2.
	Provider string `json:"provider"`
}

// RootStorageStatistics are the sizes of everything in a top-level group, in bytes.
type RootStorageStatistics struct {
	BuildArtifactsSize    int64 `json:"build_artifacts_size"`
	ContainerRegistrySize int64 `json:"container_registry_size"`
	// ContainerRegistrySizeIsEstimated reports whether ContainerRegistrySize is not exact.
	ContainerRegistrySizeIsEstimated bool  `json:"container_registry_size_is_estimated"`
	DependencyProxySize              int64 `json:"dependency_proxy_size"`
	LFSObjectsSize                   int64 `json:"lfs_objects_size"`
	PackagesSize                     int64 `json:"packages_size"`
	PipelineArtifactsSize            int64 `json:"pipeline_artifacts_size"`
	RepositorySize                   int64 `json:"repository_size"`
	SnippetsSize                     int64 `json:"snippets_size"`
	// StorageSize is the sum of the others.
	StorageSize int64 `json:"storage_size"`
	UploadsSize int64 `json:"uploads_size"`
	WikiSize    int64 `json:"wiki_size"`
}

// DuoNamespaceAccessRule lets the members of a group use AI features.
type DuoNamespaceAccessRule struct {
	// ThroughNamespace is the group. It is required in options.
	ThroughNamespace *DuoAccessNamespace `json:"through_namespace" required:"true"`
	// Features are the names of the features.
	Features []string `json:"features"`
}

// DuoAccessNamespace is a group in a [DuoNamespaceAccessRule].
type DuoAccessNamespace struct {
	// ID is the ID of the group. In options, it is required, and the others are not needed.
	ID       int64  `json:"id" required:"true"`
	Name     string `json:"name,omitzero"`
	FullPath string `json:"full_path,omitzero"`
}

// FoundationalAgentStatus says whether a built-in AI agent is on.
type FoundationalAgentStatus struct {
	// Reference is the name of the agent. It is required in options.
	Reference string `json:"reference" required:"true"`
	Enabled   bool   `json:"enabled"`
}

// PromptInjectionProtection says what happens to a prompt that tries to give an agent other
// orders.
type PromptInjectionProtection string

// What happens to such a prompt: nothing is looked at, it is logged, or the agent is stopped.
const (
	PromptInjectionProtectionNoChecks  PromptInjectionProtection = "no_checks"
	PromptInjectionProtectionLogOnly   PromptInjectionProtection = "log_only"
	PromptInjectionProtectionInterrupt PromptInjectionProtection = "interrupt"
)

// GroupAISettings are settings of AI agents in a group, which the service takes without
// documenting them and never returns. Nil fields are left unchanged. Paid. Only in later
// releases.
type GroupAISettings struct {
	// DuoAgentPlatformEnabled turns agents on, and DuoWorkflowMCPEnabled their tools that speak
	// the Model Context Protocol.
	DuoAgentPlatformEnabled *bool `json:"duo_agent_platform_enabled,omitzero"`
	DuoWorkflowMCPEnabled   *bool `json:"duo_workflow_mcp_enabled,omitzero"`
	// AIUsageDataCollectionEnabled lets data about the use of agents be collected.
	AIUsageDataCollectionEnabled *bool `json:"ai_usage_data_collection_enabled,omitzero"`
	// FoundationalAgentsDefaultEnabled turns new built-in agents on.
	FoundationalAgentsDefaultEnabled *bool                      `json:"foundational_agents_default_enabled,omitzero"`
	PromptInjectionProtectionLevel   *PromptInjectionProtection `json:"prompt_injection_protection_level,omitzero"`
	// The lowest roles that may let agents run, let them run in pipelines, manage them, and turn
	// them on in projects.
	MinimumAccessLevelExecute          *AccessLevel `json:"minimum_access_level_execute,omitzero"`
	MinimumAccessLevelExecuteAsync     *AccessLevel `json:"minimum_access_level_execute_async,omitzero"`
	MinimumAccessLevelManage           *AccessLevel `json:"minimum_access_level_manage,omitzero"`
	MinimumAccessLevelEnableOnProjects *AccessLevel `json:"minimum_access_level_enable_on_projects,omitzero"`
}
