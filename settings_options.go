// Code generated from testdata/application-settings.tsv by go generate; DO NOT EDIT.

package serviceapi

import (
	"encoding/json"
	"time"
)

// UpdateApplicationSettingsOptions changes the settings of the instance. Fields that are
// nil or absent are left unchanged; at least one must be set. See [ApplicationSettings] for
// what they mean; only what holds for changes stands here. Null clears a text, or a number
// that is a limit. A list replaces that of the instance: an empty list that is not nil
// removes all entries. A setting that the release, the edition or the license does not have
// is ignored: compare what [SettingsService.Update] returns.
type UpdateApplicationSettingsOptions struct {
	// Signing up.

	AfterSignUpText                      Nullable[string]          `json:"after_sign_up_text,omitzero"`
	AllowProjectCreationForGuestAndBelow *bool                     `json:"allow_project_creation_for_guest_and_below,omitzero"`
	DomainAllowlist                      []string                  `json:"domain_allowlist,omitzero"`
	DomainAllowlistRaw                   *string                   `json:"domain_allowlist_raw,omitzero"`
	DomainDenylist                       []string                  `json:"domain_denylist,omitzero"`
	DomainDenylistEnabled                *bool                     `json:"domain_denylist_enabled,omitzero"`
	DomainDenylistRaw                    *string                   `json:"domain_denylist_raw,omitzero"`
	EmailConfirmationSetting             *EmailConfirmationSetting `json:"email_confirmation_setting,omitzero"`
	EmailRestrictions                    Nullable[string]          `json:"email_restrictions,omitzero"`
	// EmailRestrictionsEnabled needs a value of EmailRestrictions if it is turned on, set
	// before or in the same call.
	EmailRestrictionsEnabled           *bool `json:"email_restrictions_enabled,omitzero"`
	EnforceEmailSubaddressRestrictions *bool `json:"enforce_email_subaddress_restrictions,omitzero"`
	InvisibleCaptchaEnabled            *bool `json:"invisible_captcha_enabled,omitzero"`
	// ReCAPTCHAEnabled requires ReCAPTCHASiteKey and ReCAPTCHAPrivateKey in the same call if
	// it is turned on.
	ReCAPTCHAEnabled                    *bool            `json:"recaptcha_enabled,omitzero"`
	ReCAPTCHAPrivateKey                 Nullable[Secret] `json:"recaptcha_private_key,omitzero"`
	ReCAPTCHASiteKey                    Nullable[string] `json:"recaptcha_site_key,omitzero"`
	RequireAdminApprovalAfterUserSignup *bool            `json:"require_admin_approval_after_user_signup,omitzero"`
	SendUserConfirmationEmail           *bool            `json:"send_user_confirmation_email,omitzero"`
	SignupEnabled                       *bool            `json:"signup_enabled,omitzero"`

	// Signing in.

	AdminMode                                              *bool            `json:"admin_mode,omitzero"`
	AfterSignOutPath                                       Nullable[string] `json:"after_sign_out_path,omitzero"`
	AuthnDataRetentionCleanupEnabled                       *bool            `json:"authn_data_retention_cleanup_enabled,omitzero"`
	DisablePasswordAuthenticationForUsersWithSSOIdentities *bool            `json:"disable_password_authentication_for_users_with_sso_identities,omitzero"`
	DisabledOAuthSignInSources                             []string         `json:"disabled_oauth_sign_in_sources,omitzero"`
	FailedLoginAttemptsUnlockPeriodInMinutes               Nullable[int]    `json:"failed_login_attempts_unlock_period_in_minutes,omitzero"`
	GitTwoFactorSessionExpiry                              *int             `json:"git_two_factor_session_expiry,omitzero"`
	// LoginReCAPTCHAProtectionEnabled requires ReCAPTCHASiteKey and ReCAPTCHAPrivateKey in the
	// same call if it is turned on.
	LoginReCAPTCHAProtectionEnabled         *bool         `json:"login_recaptcha_protection_enabled,omitzero"`
	MaxLoginAttempts                        Nullable[int] `json:"max_login_attempts,omitzero"`
	MinimumPasswordLength                   *int          `json:"minimum_password_length,omitzero"`
	NotifyOnUnknownSignIn                   *bool         `json:"notify_on_unknown_sign_in,omitzero"`
	PasswordAuthenticationEnabled           *bool         `json:"password_authentication_enabled,omitzero"`
	PasswordAuthenticationEnabledForGit     *bool         `json:"password_authentication_enabled_for_git,omitzero"`
	PasswordAuthenticationEnabledForWeb     *bool         `json:"password_authentication_enabled_for_web,omitzero"`
	PasswordLowercaseRequired               *bool         `json:"password_lowercase_required,omitzero"`
	PasswordNumberRequired                  *bool         `json:"password_number_required,omitzero"`
	PasswordSymbolRequired                  *bool         `json:"password_symbol_required,omitzero"`
	PasswordUppercaseRequired               *bool         `json:"password_uppercase_required,omitzero"`
	RememberMeEnabled                       *bool         `json:"remember_me_enabled,omitzero"`
	RequireAdminTwoFactorAuthentication     *bool         `json:"require_admin_two_factor_authentication,omitzero"`
	RequireEmailVerificationOnAccountLocked *bool         `json:"require_email_verification_on_account_locked,omitzero"`
	// RequireTwoFactorAuthentication requires TwoFactorGracePeriod in the same call if it is
	// turned on.
	RequireTwoFactorAuthentication  *bool               `json:"require_two_factor_authentication,omitzero"`
	RootMovedPermanentlyRedirection *bool               `json:"root_moved_permanently_redirection,omitzero"`
	SessionExpireDelay              *int                `json:"session_expire_delay,omitzero"`
	SessionExpireFromInit           *bool               `json:"session_expire_from_init,omitzero"`
	SignInRestrictions              *SignInRestrictions `json:"sign_in_restrictions,omitzero"`
	SigninEnabled                   *bool               `json:"signin_enabled,omitzero"`
	TwoFactorGracePeriod            *int                `json:"two_factor_grace_period,omitzero"`
	// UniqueIPsLimitEnabled needs a value of UniqueIPsLimitTimeWindow if it is turned on, set
	// before or in the same call.
	UniqueIPsLimitEnabled    *bool  `json:"unique_ips_limit_enabled,omitzero"`
	UniqueIPsLimitPerUser    *int   `json:"unique_ips_limit_per_user,omitzero"`
	UniqueIPsLimitTimeWindow *int64 `json:"unique_ips_limit_time_window,omitzero"`

	// Users.

	AllowAccountDeletion               *bool            `json:"allow_account_deletion,omitzero"`
	CanCreateGroup                     *bool            `json:"can_create_group,omitzero"`
	CanCreateOrganization              *bool            `json:"can_create_organization,omitzero"`
	DeactivateDormantUsers             *bool            `json:"deactivate_dormant_users,omitzero"`
	DeactivateDormantUsersPeriod       *int             `json:"deactivate_dormant_users_period,omitzero"`
	DefaultDarkSyntaxHighlightingTheme *int             `json:"default_dark_syntax_highlighting_theme,omitzero"`
	DefaultPreferredLanguage           *string          `json:"default_preferred_language,omitzero"`
	DefaultProjectsLimit               *int             `json:"default_projects_limit,omitzero"`
	DefaultSyntaxHighlightingTheme     *int             `json:"default_syntax_highlighting_theme,omitzero"`
	DelayUserAccountSelfDeletion       *bool            `json:"delay_user_account_self_deletion,omitzero"`
	DeleteUnconfirmedUsers             *bool            `json:"delete_unconfirmed_users,omitzero"`
	EnableMemberPromotionManagement    *bool            `json:"enable_member_promotion_management,omitzero"`
	InvitationFlowEnforcement          *bool            `json:"invitation_flow_enforcement,omitzero"`
	LockMembershipsToLDAP              *bool            `json:"lock_memberships_to_ldap,omitzero"`
	LockMembershipsToSAML              *bool            `json:"lock_memberships_to_saml,omitzero"`
	MakeProfilePrivate                 *bool            `json:"make_profile_private,omitzero"`
	UnconfirmedUsersDeleteAfterDays    *int             `json:"unconfirmed_users_delete_after_days,omitzero"`
	UpdatingNameDisabledForUsers       *bool            `json:"updating_name_disabled_for_users,omitzero"`
	UserDefaultExternal                *bool            `json:"user_default_external,omitzero"`
	UserDefaultInternalRegex           Nullable[string] `json:"user_default_internal_regex,omitzero"`
	UserDefaultsToPrivateProfile       *bool            `json:"user_defaults_to_private_profile,omitzero"`
	UserOAuthApplications              *bool            `json:"user_oauth_applications,omitzero"`
	UserShowAddSSHKeyMessage           *bool            `json:"user_show_add_ssh_key_message,omitzero"`

	// Tokens, keys and Git access.

	AllowDeployTokensAndKeysWithExternalAuthn       *bool                       `json:"allow_deploy_tokens_and_keys_with_external_authn,omitzero"`
	AllowTopLevelGroupOwnersToCreateServiceAccounts *bool                       `json:"allow_top_level_group_owners_to_create_service_accounts,omitzero"`
	AuthorizedKeysEnabled                           *bool                       `json:"authorized_keys_enabled,omitzero"`
	DisableAdminOAuthScopes                         *bool                       `json:"disable_admin_oauth_scopes,omitzero"`
	DisableFeedToken                                *bool                       `json:"disable_feed_token,omitzero"`
	DisablePersonalAccessTokens                     *bool                       `json:"disable_personal_access_tokens,omitzero"`
	DSAKeyRestriction                               *KeyRestriction             `json:"dsa_key_restriction,omitzero"`
	ECDSAKeyRestriction                             *KeyRestriction             `json:"ecdsa_key_restriction,omitzero"`
	ECDSASKKeyRestriction                           *KeyRestriction             `json:"ecdsa_sk_key_restriction,omitzero"`
	Ed25519KeyRestriction                           *KeyRestriction             `json:"ed25519_key_restriction,omitzero"`
	Ed25519SKKeyRestriction                         *KeyRestriction             `json:"ed25519_sk_key_restriction,omitzero"`
	EnabledGitAccessProtocol                        Nullable[GitAccessProtocol] `json:"enabled_git_access_protocol,omitzero"`
	EnforcePATExpiration                            *bool                       `json:"enforce_pat_expiration,omitzero"`
	EnforceSSHKeyExpiration                         *bool                       `json:"enforce_ssh_key_expiration,omitzero"`
	InactiveResourceAccessTokensDeleteAfterDays     *int                        `json:"inactive_resource_access_tokens_delete_after_days,omitzero"`
	InstanceTokenPrefix                             *string                     `json:"instance_token_prefix,omitzero"`
	LockResourceAccessTokenNotifyInherited          *bool                       `json:"lock_resource_access_token_notify_inherited,omitzero"`
	MaxPersonalAccessTokenLifetime                  Nullable[int]               `json:"max_personal_access_token_lifetime,omitzero"`
	MaxSSHKeyLifetime                               Nullable[int]               `json:"max_ssh_key_lifetime,omitzero"`
	PersonalAccessTokenPrefix                       Nullable[string]            `json:"personal_access_token_prefix,omitzero"`
	RequirePersonalAccessTokenExpiry                *bool                       `json:"require_personal_access_token_expiry,omitzero"`
	ResourceAccessTokenNotifyInherited              *bool                       `json:"resource_access_token_notify_inherited,omitzero"`
	ROPCWithoutClientCredentials                    *bool                       `json:"ropc_without_client_credentials,omitzero"`
	RSAKeyRestriction                               *KeyRestriction             `json:"rsa_key_restriction,omitzero"`
	ServiceAccessTokensExpirationEnforced           *bool                       `json:"service_access_tokens_expiration_enforced,omitzero"`
	ServiceShellOperationLimit                      *int                        `json:"service_shell_operation_limit,omitzero"`

	// Projects and groups.

	AllowGroupOwnersToManageLDAP        *bool                     `json:"allow_group_owners_to_manage_ldap,omitzero"`
	AutomaticPurchasedStorageAllocation *bool                     `json:"automatic_purchased_storage_allocation,omitzero"`
	CheckNamespacePlan                  *bool                     `json:"check_namespace_plan,omitzero"`
	CustomHTTPCloneURLRoot              Nullable[string]          `json:"custom_http_clone_url_root,omitzero"`
	DefaultBranchName                   Nullable[string]          `json:"default_branch_name,omitzero"`
	DefaultBranchProtection             *BranchProtection         `json:"default_branch_protection,omitzero"`
	DefaultBranchProtectionDefaults     *BranchProtectionDefaults `json:"default_branch_protection_defaults,omitzero"`
	DefaultCIConfigPath                 Nullable[string]          `json:"default_ci_config_path,omitzero"`
	DefaultGroupVisibility              *Visibility               `json:"default_group_visibility,omitzero"`
	DefaultProjectCreation              *DefaultProjectCreation   `json:"default_project_creation,omitzero"`
	DefaultProjectVisibility            *Visibility               `json:"default_project_visibility,omitzero"`
	DefaultSnippetVisibility            *Visibility               `json:"default_snippet_visibility,omitzero"`
	// DisableInviteMembers keeps members from inviting others to groups. Paid tiers: Free does
	// not have it.
	DisableInviteMembers         *bool           `json:"disable_invite_members,omitzero"`
	EnforceNamespaceStorageLimit *bool           `json:"enforce_namespace_storage_limit,omitzero"`
	FileTemplateProjectID        Nullable[int64] `json:"file_template_project_id,omitzero"`
	// GloballyAllowedIPs has addresses and ranges that the IP restrictions of groups always
	// let in, separated by commas. Paid tiers: Free does not have it.
	GloballyAllowedIPs                          *string      `json:"globally_allowed_ips,omitzero"`
	GroupOwnersCanManageDefaultBranchProtection *bool        `json:"group_owners_can_manage_default_branch_protection,omitzero"`
	GroupSecretsLimit                           *int         `json:"group_secrets_limit,omitzero"`
	ProjectSecretsLimit                         *int         `json:"project_secrets_limit,omitzero"`
	RestrictedVisibilityLevels                  []Visibility `json:"restricted_visibility_levels,omitzero"`
	ShowMigrateFromJenkinsBanner                *bool        `json:"show_migrate_from_jenkins_banner,omitzero"`
	SuggestPipelineEnabled                      *bool        `json:"suggest_pipeline_enabled,omitzero"`
	TimeTrackingLimitToHours                    *bool        `json:"time_tracking_limit_to_hours,omitzero"`
	TopLevelGroupCreationEnabled                *bool        `json:"top_level_group_creation_enabled,omitzero"`

	// Deletion of projects and groups.

	AllowImmediateNamespacesDeletion            *bool  `json:"allow_immediate_namespaces_deletion,omitzero"`
	DefaultProjectDeletionProtection            *bool  `json:"default_project_deletion_protection,omitzero"`
	DelayedGroupDeletion                        *bool  `json:"delayed_group_deletion,omitzero"`
	DelayedProjectDeletion                      *bool  `json:"delayed_project_deletion,omitzero"`
	DeleteInactiveProjects                      *bool  `json:"delete_inactive_projects,omitzero"`
	DeletionAdjournedPeriod                     *int   `json:"deletion_adjourned_period,omitzero"`
	InactiveProjectsDeleteAfterMonths           *int   `json:"inactive_projects_delete_after_months,omitzero"`
	InactiveProjectsMinSizeMB                   *int64 `json:"inactive_projects_min_size_mb,omitzero"`
	InactiveProjectsSendWarningEmailAfterMonths *int   `json:"inactive_projects_send_warning_email_after_months,omitzero"`

	// Merge requests and approvals.

	DisableOverridingApproversPerMergeRequest *bool `json:"disable_overriding_approvers_per_merge_request,omitzero"`
	PreventMergeRequestsAuthorApproval        *bool `json:"prevent_merge_requests_author_approval,omitzero"`
	PreventMergeRequestsCommittersApproval    *bool `json:"prevent_merge_requests_committers_approval,omitzero"`

	// Repositories.

	CommitEmailHostname  Nullable[string] `json:"commit_email_hostname,omitzero"`
	DiffMaxFiles         *int             `json:"diff_max_files,omitzero"`
	DiffMaxLines         *int             `json:"diff_max_lines,omitzero"`
	DiffMaxPatchBytes    *int64           `json:"diff_max_patch_bytes,omitzero"`
	GitPushPipelineLimit *int             `json:"git_push_pipeline_limit,omitzero"`
	GitalyTimeoutDefault *int64           `json:"gitaly_timeout_default,omitzero"`
	GitalyTimeoutFast    *int64           `json:"gitaly_timeout_fast,omitzero"`
	GitalyTimeoutMedium  *int64           `json:"gitaly_timeout_medium,omitzero"`
	// HousekeepingEnabled needs a value of HousekeepingOptimizeRepositoryPeriod if it is
	// turned on, set before or in the same call.
	HousekeepingEnabled                  *bool           `json:"housekeeping_enabled,omitzero"`
	HousekeepingFullRepackPeriod         *int            `json:"housekeeping_full_repack_period,omitzero"`
	HousekeepingGCPeriod                 *int            `json:"housekeeping_gc_period,omitzero"`
	HousekeepingIncrementalRepackPeriod  *int            `json:"housekeeping_incremental_repack_period,omitzero"`
	HousekeepingOptimizeRepositoryPeriod Nullable[int]   `json:"housekeeping_optimize_repository_period,omitzero"`
	MirrorAvailable                      *bool           `json:"mirror_available,omitzero"`
	MirrorCapacityThreshold              *int            `json:"mirror_capacity_threshold,omitzero"`
	MirrorMaxCapacity                    *int            `json:"mirror_max_capacity,omitzero"`
	MirrorMaxDelay                       *int            `json:"mirror_max_delay,omitzero"`
	PushEventActivitiesLimit             *int            `json:"push_event_activities_limit,omitzero"`
	PushEventHooksLimit                  *int            `json:"push_event_hooks_limit,omitzero"`
	ReceiveMaxInputSize                  Nullable[int64] `json:"receive_max_input_size,omitzero"`
	RepositoryChecksEnabled              *bool           `json:"repository_checks_enabled,omitzero"`
	RepositorySizeLimit                  *int64          `json:"repository_size_limit,omitzero"`
	RepositoryStorages                   []string        `json:"repository_storages,omitzero"`
	RepositoryStoragesWeighted           map[string]int  `json:"repository_storages_weighted,omitzero"`

	// CI/CD.

	ArchiveBuildsInHumanReadable                    Nullable[string] `json:"archive_builds_in_human_readable,omitzero"`
	AutoDevOpsDomain                                Nullable[string] `json:"auto_devops_domain,omitzero"`
	AutoDevOpsEnabled                               *bool            `json:"auto_devops_enabled,omitzero"`
	CICDCatalogProjectsAllowlist                    []string         `json:"ci_cd_catalog_projects_allowlist,omitzero"`
	CICDCatalogProjectsAllowlistRaw                 *string          `json:"ci_cd_catalog_projects_allowlist_raw,omitzero"`
	CIDeletePipelinesInSecondsLimitHumanReadable    Nullable[string] `json:"ci_delete_pipelines_in_seconds_limit_human_readable,omitzero"`
	CIJobLiveTraceEnabled                           *bool            `json:"ci_job_live_trace_enabled,omitzero"`
	CIMaxIncludes                                   *int             `json:"ci_max_includes,omitzero"`
	CIMaxTotalYAMLSizeBytes                         *int64           `json:"ci_max_total_yaml_size_bytes,omitzero"`
	CIPartitionsSizeLimit                           *int64           `json:"ci_partitions_size_limit,omitzero"`
	DefaultArtifactsExpireIn                        *string          `json:"default_artifacts_expire_in,omitzero"`
	DownstreamPipelineTriggerLimitPerProjectUserSHA *int             `json:"downstream_pipeline_trigger_limit_per_project_user_sha,omitzero"`
	EnableArtifactExternalRedirectWarningPage       *bool            `json:"enable_artifact_external_redirect_warning_page,omitzero"`
	EnforceCIInboundJobTokenScopeEnabled            *bool            `json:"enforce_ci_inbound_job_token_scope_enabled,omitzero"`
	KeepLatestArtifact                              *bool            `json:"keep_latest_artifact,omitzero"`
	MaxArtifactsContentIncludeSize                  *int64           `json:"max_artifacts_content_include_size,omitzero"`
	MaxArtifactsSize                                *int64           `json:"max_artifacts_size,omitzero"`
	MaxYAMLDepth                                    *int             `json:"max_yaml_depth,omitzero"`
	MaxYAMLSizeBytes                                *int64           `json:"max_yaml_size_bytes,omitzero"`
	PipelineLimitPerProjectUserSHA                  *int             `json:"pipeline_limit_per_project_user_sha,omitzero"`
	PipelineLimitPerUser                            *int             `json:"pipeline_limit_per_user,omitzero"`
	ProtectedCIVariables                            *bool            `json:"protected_ci_variables,omitzero"`

	// Runners.

	AllowRunnerRegistrationToken         *bool           `json:"allow_runner_registration_token,omitzero"`
	GroupRunnerTokenExpirationInterval   Nullable[int64] `json:"group_runner_token_expiration_interval,omitzero"`
	ProjectRunnerTokenExpirationInterval Nullable[int64] `json:"project_runner_token_expiration_interval,omitzero"`
	RunnerTokenExpirationInterval        Nullable[int64] `json:"runner_token_expiration_interval,omitzero"`
	// SharedRunnersEnabled requires SharedRunnersText in the same call if it is turned on.
	SharedRunnersEnabled        *bool            `json:"shared_runners_enabled,omitzero"`
	SharedRunnersMinutes        *int             `json:"shared_runners_minutes,omitzero"`
	SharedRunnersText           Nullable[string] `json:"shared_runners_text,omitzero"`
	UpdateRunnerVersionsEnabled *bool            `json:"update_runner_versions_enabled,omitzero"`
	ValidRunnerRegistrars       []string         `json:"valid_runner_registrars,omitzero"`

	// Packages and the container registry.

	ContainerExpirationPoliciesEnableHistoricEntries  *bool  `json:"container_expiration_policies_enable_historic_entries,omitzero"`
	ContainerRegistryCleanupTagsServiceMaxListSize    *int   `json:"container_registry_cleanup_tags_service_max_list_size,omitzero"`
	ContainerRegistryDeleteTagsServiceTimeout         *int64 `json:"container_registry_delete_tags_service_timeout,omitzero"`
	ContainerRegistryExpirationPoliciesCaching        *bool  `json:"container_registry_expiration_policies_caching,omitzero"`
	ContainerRegistryExpirationPoliciesWorkerCapacity *int   `json:"container_registry_expiration_policies_worker_capacity,omitzero"`
	ContainerRegistryTokenExpireDelay                 *int   `json:"container_registry_token_expire_delay,omitzero"`
	HelmMaxPackagesCount                              *int   `json:"helm_max_packages_count,omitzero"`
	MavenPackageRequestsForwarding                    *bool  `json:"maven_package_requests_forwarding,omitzero"`
	NPMPackageRequestsForwarding                      *bool  `json:"npm_package_requests_forwarding,omitzero"`
	NuGetSkipMetadataURLValidation                    *bool  `json:"nuget_skip_metadata_url_validation,omitzero"`
	PackageRegistryAllowAnyoneToPullOption            *bool  `json:"package_registry_allow_anyone_to_pull_option,omitzero"`
	PackageRegistryCleanupPoliciesWorkerCapacity      *int   `json:"package_registry_cleanup_policies_worker_capacity,omitzero"`
	PyPIPackageRequestsForwarding                     *bool  `json:"pypi_package_requests_forwarding,omitzero"`
	VirtualRegistriesEndpointsAPILimit                *int   `json:"virtual_registries_endpoints_api_limit,omitzero"`

	// Static sites.

	ForcePagesAccessControl                   *bool  `json:"force_pages_access_control,omitzero"`
	MaxPagesCustomDomainsPerProject           *int   `json:"max_pages_custom_domains_per_project,omitzero"`
	MaxPagesSize                              *int64 `json:"max_pages_size,omitzero"`
	PagesDomainVerificationEnabled            *bool  `json:"pages_domain_verification_enabled,omitzero"`
	PagesExtraDeploymentsDefaultExpirySeconds *int64 `json:"pages_extra_deployments_default_expiry_seconds,omitzero"`
	PagesUniqueDomainDefaultEnabled           *bool  `json:"pages_unique_domain_default_enabled,omitzero"`

	// Imports and exports.

	AllowBypassPlaceholderConfirmation         *bool `json:"allow_bypass_placeholder_confirmation,omitzero"`
	AllowContributionMappingToAdmins           *bool `json:"allow_contribution_mapping_to_admins,omitzero"`
	AllowS3CompatibleStorageForOfflineTransfer *bool `json:"allow_s3_compatible_storage_for_offline_transfer,omitzero"`
	BulkImportConcurrentPipelineBatchLimit     *int  `json:"bulk_import_concurrent_pipeline_batch_limit,omitzero"`
	BulkImportEnabled                          *bool `json:"bulk_import_enabled,omitzero"`
	// BulkImportMaxDownloadFile is in the list of parameters of the service by mistake: set
	// BulkImportMaxDownloadFileSize, in megabytes.
	BulkImportMaxDownloadFile                Nullable[int64] `json:"bulk_import_max_download_file,omitzero"`
	BulkImportMaxDownloadFileSize            *int64          `json:"bulk_import_max_download_file_size,omitzero"`
	ConcurrentBitbucketImportJobsLimit       *int            `json:"concurrent_bitbucket_import_jobs_limit,omitzero"`
	ConcurrentBitbucketServerImportJobsLimit *int            `json:"concurrent_bitbucket_server_import_jobs_limit,omitzero"`
	ConcurrentGitHubImportJobsLimit          *int            `json:"concurrent_github_import_jobs_limit,omitzero"`
	ConcurrentRelationBatchExportLimit       *int            `json:"concurrent_relation_batch_export_limit,omitzero"`
	DecompressArchiveFileTimeout             *int64          `json:"decompress_archive_file_timeout,omitzero"`
	ImportSources                            []string        `json:"import_sources,omitzero"`
	MaxDecompressedArchiveSize               *int64          `json:"max_decompressed_archive_size,omitzero"`
	MaxExportSize                            *int64          `json:"max_export_size,omitzero"`
	MaxGitHubResponseJSONValueCount          *int            `json:"max_github_response_json_value_count,omitzero"`
	MaxGitHubResponseSizeLimit               *int64          `json:"max_github_response_size_limit,omitzero"`
	MaxImportRemoteFileSize                  *int64          `json:"max_import_remote_file_size,omitzero"`
	MaxImportSize                            *int64          `json:"max_import_size,omitzero"`
	ProjectExportEnabled                     *bool           `json:"project_export_enabled,omitzero"`
	RelationExportBatchSize                  *int            `json:"relation_export_batch_size,omitzero"`
	SilentAdminExportsEnabled                *bool           `json:"silent_admin_exports_enabled,omitzero"`

	// Limits of content.

	AsciiDocMaxIncludes             *int   `json:"asciidoc_max_includes,omitzero"`
	MathRenderingLimitsEnabled      *bool  `json:"math_rendering_limits_enabled,omitzero"`
	MaxAttachmentSize               *int64 `json:"max_attachment_size,omitzero"`
	MaxTerraformStateSizeBytes      *int64 `json:"max_terraform_state_size_bytes,omitzero"`
	SnippetSizeLimit                *int64 `json:"snippet_size_limit,omitzero"`
	TerraformStateEncryptionEnabled *bool  `json:"terraform_state_encryption_enabled,omitzero"`
	WikiAsciiDocAllowURIIncludes    *bool  `json:"wiki_asciidoc_allow_uri_includes,omitzero"`
	WikiPageMaxContentBytes         *int64 `json:"wiki_page_max_content_bytes,omitzero"`

	// Rate limits of the API and of pages.

	AIActionAPIRateLimit                       *int             `json:"ai_action_api_rate_limit,omitzero"`
	AutocompleteUsersLimit                     *int             `json:"autocomplete_users_limit,omitzero"`
	AutocompleteUsersUnauthenticatedLimit      *int             `json:"autocomplete_users_unauthenticated_limit,omitzero"`
	CodeSuggestionsAPIRateLimit                *int             `json:"code_suggestions_api_rate_limit,omitzero"`
	CreateOrganizationAPILimit                 *int             `json:"create_organization_api_limit,omitzero"`
	DependencyScanningSBOMScanAPIDownloadLimit *int             `json:"dependency_scanning_sbom_scan_api_download_limit,omitzero"`
	DependencyScanningSBOMScanAPIUploadLimit   *int             `json:"dependency_scanning_sbom_scan_api_upload_limit,omitzero"`
	GroupAPILimit                              *int             `json:"group_api_limit,omitzero"`
	GroupArchiveUnarchiveAPILimit              *int             `json:"group_archive_unarchive_api_limit,omitzero"`
	GroupDownloadExportLimit                   *int             `json:"group_download_export_limit,omitzero"`
	GroupExportLimit                           *int             `json:"group_export_limit,omitzero"`
	GroupImportLimit                           *int             `json:"group_import_limit,omitzero"`
	GroupInvitedGroupsAPILimit                 *int             `json:"group_invited_groups_api_limit,omitzero"`
	GroupProjectsAPILimit                      *int             `json:"group_projects_api_limit,omitzero"`
	GroupSharedGroupsAPILimit                  *int             `json:"group_shared_groups_api_limit,omitzero"`
	GroupsAPILimit                             *int             `json:"groups_api_limit,omitzero"`
	IssuesCreateLimit                          *int             `json:"issues_create_limit,omitzero"`
	MembersDeleteLimit                         *int             `json:"members_delete_limit,omitzero"`
	NotesCreateLimit                           *int             `json:"notes_create_limit,omitzero"`
	NotesCreateLimitAllowlistRaw               *string          `json:"notes_create_limit_allowlist_raw,omitzero"`
	ProjectAPILimit                            *int             `json:"project_api_limit,omitzero"`
	ProjectDownloadExportLimit                 *int             `json:"project_download_export_limit,omitzero"`
	ProjectExportLimit                         *int             `json:"project_export_limit,omitzero"`
	ProjectImportLimit                         *int             `json:"project_import_limit,omitzero"`
	ProjectInvitedGroupsAPILimit               *int             `json:"project_invited_groups_api_limit,omitzero"`
	ProjectJobsAPIRateLimit                    *int             `json:"project_jobs_api_rate_limit,omitzero"`
	ProjectMembersAPILimit                     *int             `json:"project_members_api_limit,omitzero"`
	ProjectsAPILimit                           *int             `json:"projects_api_limit,omitzero"`
	ProjectsAPIRateLimitUnauthenticated        *int             `json:"projects_api_rate_limit_unauthenticated,omitzero"`
	RateLimitingResponseText                   Nullable[string] `json:"rate_limiting_response_text,omitzero"`
	RawBlobRequestLimit                        *int             `json:"raw_blob_request_limit,omitzero"`
	RunnerJobsEndpointsAPILimit                *int             `json:"runner_jobs_endpoints_api_limit,omitzero"`
	RunnerJobsPatchTraceAPILimit               *int             `json:"runner_jobs_patch_trace_api_limit,omitzero"`
	RunnerJobsRequestAPILimit                  *int             `json:"runner_jobs_request_api_limit,omitzero"`
	SearchRateLimit                            *int             `json:"search_rate_limit,omitzero"`
	SearchRateLimitAllowlistRaw                *string          `json:"search_rate_limit_allowlist_raw,omitzero"`
	SearchRateLimitUnauthenticated             *int             `json:"search_rate_limit_unauthenticated,omitzero"`
	UserContributedProjectsAPILimit            *int             `json:"user_contributed_projects_api_limit,omitzero"`
	UserEmailLookupLimit                       *int             `json:"user_email_lookup_limit,omitzero"`
	UserProjectsAPILimit                       *int             `json:"user_projects_api_limit,omitzero"`
	UserStarredProjectsAPILimit                *int             `json:"user_starred_projects_api_limit,omitzero"`
	UsersAPILimitFollowers                     *int             `json:"users_api_limit_followers,omitzero"`
	UsersAPILimitFollowing                     *int             `json:"users_api_limit_following,omitzero"`
	UsersAPILimitGPGKey                        *int             `json:"users_api_limit_gpg_key,omitzero"`
	UsersAPILimitGPGKeys                       *int             `json:"users_api_limit_gpg_keys,omitzero"`
	UsersAPILimitSSHKey                        *int             `json:"users_api_limit_ssh_key,omitzero"`
	UsersAPILimitSSHKeys                       *int             `json:"users_api_limit_ssh_keys,omitzero"`
	UsersAPILimitStatus                        *int             `json:"users_api_limit_status,omitzero"`
	UsersGetByIDLimit                          *int             `json:"users_get_by_id_limit,omitzero"`
	UsersGetByIDLimitAllowlistRaw              *string          `json:"users_get_by_id_limit_allowlist_raw,omitzero"`

	// Throttling.

	ProtectedPathsForGetRequestRaw *string `json:"protected_paths_for_get_request_raw,omitzero"`
	ProtectedPathsRaw              *string `json:"protected_paths_raw,omitzero"`
	// ThrottleAuthenticatedAPIEnabled needs a value of
	// ThrottleAuthenticatedAPIRequestsPerPeriod and ThrottleAuthenticatedAPIPeriodInSeconds if
	// it is turned on, set before or in the same call.
	ThrottleAuthenticatedAPIEnabled           *bool  `json:"throttle_authenticated_api_enabled,omitzero"`
	ThrottleAuthenticatedAPIPeriodInSeconds   *int64 `json:"throttle_authenticated_api_period_in_seconds,omitzero"`
	ThrottleAuthenticatedAPIRequestsPerPeriod *int   `json:"throttle_authenticated_api_requests_per_period,omitzero"`
	// ThrottleAuthenticatedDeprecatedAPIEnabled needs a value of
	// ThrottleAuthenticatedDeprecatedAPIPeriodInSeconds and
	// ThrottleAuthenticatedDeprecatedAPIRequestsPerPeriod if it is turned on, set before or in
	// the same call.
	ThrottleAuthenticatedDeprecatedAPIEnabled           *bool  `json:"throttle_authenticated_deprecated_api_enabled,omitzero"`
	ThrottleAuthenticatedDeprecatedAPIPeriodInSeconds   *int64 `json:"throttle_authenticated_deprecated_api_period_in_seconds,omitzero"`
	ThrottleAuthenticatedDeprecatedAPIRequestsPerPeriod *int   `json:"throttle_authenticated_deprecated_api_requests_per_period,omitzero"`
	// ThrottleAuthenticatedFilesAPIEnabled needs a value of
	// ThrottleAuthenticatedFilesAPIPeriodInSeconds and
	// ThrottleAuthenticatedFilesAPIRequestsPerPeriod if it is turned on, set before or in the
	// same call.
	ThrottleAuthenticatedFilesAPIEnabled           *bool  `json:"throttle_authenticated_files_api_enabled,omitzero"`
	ThrottleAuthenticatedFilesAPIPeriodInSeconds   *int64 `json:"throttle_authenticated_files_api_period_in_seconds,omitzero"`
	ThrottleAuthenticatedFilesAPIRequestsPerPeriod *int   `json:"throttle_authenticated_files_api_requests_per_period,omitzero"`
	// ThrottleAuthenticatedGitHTTPEnabled needs a value of
	// ThrottleAuthenticatedGitHTTPPeriodInSeconds and
	// ThrottleAuthenticatedGitHTTPRequestsPerPeriod if it is turned on, set before or in the
	// same call.
	ThrottleAuthenticatedGitHTTPEnabled           *bool  `json:"throttle_authenticated_git_http_enabled,omitzero"`
	ThrottleAuthenticatedGitHTTPPeriodInSeconds   *int64 `json:"throttle_authenticated_git_http_period_in_seconds,omitzero"`
	ThrottleAuthenticatedGitHTTPRequestsPerPeriod *int   `json:"throttle_authenticated_git_http_requests_per_period,omitzero"`
	// ThrottleAuthenticatedGitLFSEnabled needs a value of
	// ThrottleAuthenticatedGitLFSPeriodInSeconds and
	// ThrottleAuthenticatedGitLFSRequestsPerPeriod if it is turned on, set before or in the
	// same call.
	ThrottleAuthenticatedGitLFSEnabled           *bool  `json:"throttle_authenticated_git_lfs_enabled,omitzero"`
	ThrottleAuthenticatedGitLFSPeriodInSeconds   *int64 `json:"throttle_authenticated_git_lfs_period_in_seconds,omitzero"`
	ThrottleAuthenticatedGitLFSRequestsPerPeriod *int   `json:"throttle_authenticated_git_lfs_requests_per_period,omitzero"`
	// ThrottleAuthenticatedPackagesAPIEnabled needs a value of
	// ThrottleAuthenticatedPackagesAPIRequestsPerPeriod and
	// ThrottleAuthenticatedPackagesAPIPeriodInSeconds if it is turned on, set before or in the
	// same call.
	ThrottleAuthenticatedPackagesAPIEnabled           *bool  `json:"throttle_authenticated_packages_api_enabled,omitzero"`
	ThrottleAuthenticatedPackagesAPIPeriodInSeconds   *int64 `json:"throttle_authenticated_packages_api_period_in_seconds,omitzero"`
	ThrottleAuthenticatedPackagesAPIRequestsPerPeriod *int   `json:"throttle_authenticated_packages_api_requests_per_period,omitzero"`
	// ThrottleAuthenticatedWebEnabled needs a value of
	// ThrottleAuthenticatedWebRequestsPerPeriod and ThrottleAuthenticatedWebPeriodInSeconds if
	// it is turned on, set before or in the same call.
	ThrottleAuthenticatedWebEnabled           *bool  `json:"throttle_authenticated_web_enabled,omitzero"`
	ThrottleAuthenticatedWebPeriodInSeconds   *int64 `json:"throttle_authenticated_web_period_in_seconds,omitzero"`
	ThrottleAuthenticatedWebRequestsPerPeriod *int   `json:"throttle_authenticated_web_requests_per_period,omitzero"`
	// ThrottleIncidentManagementNotificationEnabled needs a value of
	// ThrottleIncidentManagementNotificationPeriodInSeconds if it is turned on, set before or
	// in the same call.
	ThrottleIncidentManagementNotificationEnabled         *bool  `json:"throttle_incident_management_notification_enabled,omitzero"`
	ThrottleIncidentManagementNotificationPerPeriod       *int   `json:"throttle_incident_management_notification_per_period,omitzero"`
	ThrottleIncidentManagementNotificationPeriodInSeconds *int64 `json:"throttle_incident_management_notification_period_in_seconds,omitzero"`
	// ThrottleProtectedPathsEnabled needs a value of ThrottleProtectedPathsPeriodInSeconds and
	// ThrottleProtectedPathsRequestsPerPeriod if it is turned on, set before or in the same
	// call.
	ThrottleProtectedPathsEnabled           *bool  `json:"throttle_protected_paths_enabled,omitzero"`
	ThrottleProtectedPathsPeriodInSeconds   *int64 `json:"throttle_protected_paths_period_in_seconds,omitzero"`
	ThrottleProtectedPathsRequestsPerPeriod *int   `json:"throttle_protected_paths_requests_per_period,omitzero"`
	// ThrottleUnauthenticatedAPIEnabled needs a value of
	// ThrottleUnauthenticatedAPIRequestsPerPeriod and
	// ThrottleUnauthenticatedAPIPeriodInSeconds if it is turned on, set before or in the same
	// call.
	ThrottleUnauthenticatedAPIEnabled           *bool  `json:"throttle_unauthenticated_api_enabled,omitzero"`
	ThrottleUnauthenticatedAPIPeriodInSeconds   *int64 `json:"throttle_unauthenticated_api_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedAPIRequestsPerPeriod *int   `json:"throttle_unauthenticated_api_requests_per_period,omitzero"`
	// ThrottleUnauthenticatedDeprecatedAPIEnabled needs a value of
	// ThrottleUnauthenticatedDeprecatedAPIPeriodInSeconds and
	// ThrottleUnauthenticatedDeprecatedAPIRequestsPerPeriod if it is turned on, set before or
	// in the same call.
	ThrottleUnauthenticatedDeprecatedAPIEnabled           *bool  `json:"throttle_unauthenticated_deprecated_api_enabled,omitzero"`
	ThrottleUnauthenticatedDeprecatedAPIPeriodInSeconds   *int64 `json:"throttle_unauthenticated_deprecated_api_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedDeprecatedAPIRequestsPerPeriod *int   `json:"throttle_unauthenticated_deprecated_api_requests_per_period,omitzero"`
	// ThrottleUnauthenticatedEnabled needs a value of ThrottleUnauthenticatedRequestsPerPeriod
	// and ThrottleUnauthenticatedPeriodInSeconds if it is turned on, set before or in the same
	// call.
	ThrottleUnauthenticatedEnabled *bool `json:"throttle_unauthenticated_enabled,omitzero"`
	// ThrottleUnauthenticatedFilesAPIEnabled needs a value of
	// ThrottleUnauthenticatedFilesAPIPeriodInSeconds and
	// ThrottleUnauthenticatedFilesAPIRequestsPerPeriod if it is turned on, set before or in
	// the same call.
	ThrottleUnauthenticatedFilesAPIEnabled           *bool  `json:"throttle_unauthenticated_files_api_enabled,omitzero"`
	ThrottleUnauthenticatedFilesAPIPeriodInSeconds   *int64 `json:"throttle_unauthenticated_files_api_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedFilesAPIRequestsPerPeriod *int   `json:"throttle_unauthenticated_files_api_requests_per_period,omitzero"`
	// ThrottleUnauthenticatedGitHTTPEnabled needs a value of
	// ThrottleUnauthenticatedGitHTTPPeriodInSeconds and
	// ThrottleUnauthenticatedGitHTTPRequestsPerPeriod if it is turned on, set before or in the
	// same call.
	ThrottleUnauthenticatedGitHTTPEnabled           *bool  `json:"throttle_unauthenticated_git_http_enabled,omitzero"`
	ThrottleUnauthenticatedGitHTTPPeriodInSeconds   *int64 `json:"throttle_unauthenticated_git_http_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedGitHTTPRequestsPerPeriod *int   `json:"throttle_unauthenticated_git_http_requests_per_period,omitzero"`
	// ThrottleUnauthenticatedPackagesAPIEnabled needs a value of
	// ThrottleUnauthenticatedPackagesAPIRequestsPerPeriod and
	// ThrottleUnauthenticatedPackagesAPIPeriodInSeconds if it is turned on, set before or in
	// the same call.
	ThrottleUnauthenticatedPackagesAPIEnabled           *bool  `json:"throttle_unauthenticated_packages_api_enabled,omitzero"`
	ThrottleUnauthenticatedPackagesAPIPeriodInSeconds   *int64 `json:"throttle_unauthenticated_packages_api_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedPackagesAPIRequestsPerPeriod *int   `json:"throttle_unauthenticated_packages_api_requests_per_period,omitzero"`
	ThrottleUnauthenticatedPeriodInSeconds              *int64 `json:"throttle_unauthenticated_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedRequestsPerPeriod            *int   `json:"throttle_unauthenticated_requests_per_period,omitzero"`
	// ThrottleUnauthenticatedWebEnabled needs a value of
	// ThrottleUnauthenticatedWebRequestsPerPeriod and
	// ThrottleUnauthenticatedWebPeriodInSeconds if it is turned on, set before or in the same
	// call.
	ThrottleUnauthenticatedWebEnabled           *bool  `json:"throttle_unauthenticated_web_enabled,omitzero"`
	ThrottleUnauthenticatedWebPeriodInSeconds   *int64 `json:"throttle_unauthenticated_web_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedWebRequestsPerPeriod *int   `json:"throttle_unauthenticated_web_requests_per_period,omitzero"`

	// Network.

	AllowLocalRequestsFromHooksAndServices    *bool    `json:"allow_local_requests_from_hooks_and_services,omitzero"`
	AllowLocalRequestsFromSystemHooks         *bool    `json:"allow_local_requests_from_system_hooks,omitzero"`
	AllowLocalRequestsFromWebHooksAndServices *bool    `json:"allow_local_requests_from_web_hooks_and_services,omitzero"`
	DenyAllRequestsExceptAllowed              *bool    `json:"deny_all_requests_except_allowed,omitzero"`
	DNSRebindingProtectionEnabled             *bool    `json:"dns_rebinding_protection_enabled,omitzero"`
	MaxHTTPDecompressedSize                   *int64   `json:"max_http_decompressed_size,omitzero"`
	MaxHTTPResponseCSVStructuralChars         *int     `json:"max_http_response_csv_structural_chars,omitzero"`
	MaxHTTPResponseJSONDepth                  *int     `json:"max_http_response_json_depth,omitzero"`
	MaxHTTPResponseJSONStructuralChars        *int     `json:"max_http_response_json_structural_chars,omitzero"`
	MaxHTTPResponseSizeLimit                  *int64   `json:"max_http_response_size_limit,omitzero"`
	MaxHTTPResponseXMLStructuralChars         *int     `json:"max_http_response_xml_structural_chars,omitzero"`
	OutboundLocalRequestsAllowlistRaw         *string  `json:"outbound_local_requests_allowlist_raw,omitzero"`
	OutboundLocalRequestsWhitelist            []string `json:"outbound_local_requests_whitelist,omitzero"`
	SilentModeEnabled                         *bool    `json:"silent_mode_enabled,omitzero"`

	// Asset proxy.

	AssetProxyAllowlist []string `json:"asset_proxy_allowlist,omitzero"`
	// AssetProxyEnabled needs a value of AssetProxyURL and AssetProxySecretKey if it is turned
	// on, set before or in the same call.
	AssetProxyEnabled *bool `json:"asset_proxy_enabled,omitzero"`
	// AssetProxySecretKey is the secret that the instance shares with the proxy. No response
	// has it.
	AssetProxySecretKey         Nullable[Secret] `json:"asset_proxy_secret_key,omitzero"`
	AssetProxyURL               Nullable[string] `json:"asset_proxy_url,omitzero"`
	AssetProxyWhitelist         []string         `json:"asset_proxy_whitelist,omitzero"`
	IFrameRenderingAllowlist    []string         `json:"iframe_rendering_allowlist,omitzero"`
	IFrameRenderingAllowlistRaw *string          `json:"iframe_rendering_allowlist_raw,omitzero"`
	IFrameRenderingEnabled      *bool            `json:"iframe_rendering_enabled,omitzero"`

	// Email.

	AbuseNotificationEmail Nullable[string] `json:"abuse_notification_email,omitzero"`
	// AdminNotificationEmail is the old name of AbuseNotificationEmail.
	AdminNotificationEmail          Nullable[string] `json:"admin_notification_email,omitzero"`
	DeactivationEmailAdditionalText Nullable[string] `json:"deactivation_email_additional_text,omitzero"`
	EmailAdditionalText             Nullable[string] `json:"email_additional_text,omitzero"`
	EmailAuthorInBody               *bool            `json:"email_author_in_body,omitzero"`
	HTMLEmailsEnabled               *bool            `json:"html_emails_enabled,omitzero"`
	InProductMarketingEmailsEnabled *bool            `json:"in_product_marketing_emails_enabled,omitzero"`
	// MailgunEventsEnabled requires MailgunSigningKey in the same call if it is turned on.
	MailgunEventsEnabled          *bool            `json:"mailgun_events_enabled,omitzero"`
	MailgunSigningKey             Nullable[Secret] `json:"mailgun_signing_key,omitzero"`
	UserDeactivationEmailsEnabled *bool            `json:"user_deactivation_emails_enabled,omitzero"`

	// Texts and pages.

	// EnforceTerms needs a value of terms if it is turned on, set before or in the same call.
	EnforceTerms                  *bool            `json:"enforce_terms,omitzero"`
	FirstDayOfWeek                *time.Weekday    `json:"first_day_of_week,omitzero"`
	FLoCEnabled                   *bool            `json:"floc_enabled,omitzero"`
	GrafanaEnabled                *bool            `json:"grafana_enabled,omitzero"`
	GrafanaURL                    *string          `json:"grafana_url,omitzero"`
	GravatarEnabled               *bool            `json:"gravatar_enabled,omitzero"`
	HelpPageDocumentationBaseURL  Nullable[string] `json:"help_page_documentation_base_url,omitzero"`
	HelpPageHideCommercialContent *bool            `json:"help_page_hide_commercial_content,omitzero"`
	HelpPageSupportURL            Nullable[string] `json:"help_page_support_url,omitzero"`
	HelpPageText                  Nullable[string] `json:"help_page_text,omitzero"`
	HelpText                      Nullable[string] `json:"help_text,omitzero"`
	HideThirdPartyOffers          *bool            `json:"hide_third_party_offers,omitzero"`
	HomePageURL                   Nullable[string] `json:"home_page_url,omitzero"`
	LocalMarkdownVersion          *int             `json:"local_markdown_version,omitzero"`
	PollingIntervalMultiplier     *float64         `json:"polling_interval_multiplier,omitzero"`
	SecurityTXTContent            Nullable[string] `json:"security_txt_content,omitzero"`
	SignInText                    Nullable[string] `json:"sign_in_text,omitzero"`
	Terms                         Nullable[string] `json:"terms,omitzero"`
	WhatsNewVariant               *WhatsNewVariant `json:"whats_new_variant,omitzero"`

	// Search.

	AnonymousSearchesAllowed                  *bool   `json:"anonymous_searches_allowed,omitzero"`
	DefaultSearchScope                        *string `json:"default_search_scope,omitzero"`
	GlobalSearchBlockAnonymousSearchesEnabled *bool   `json:"global_search_block_anonymous_searches_enabled,omitzero"`
	GlobalSearchCodeEnabled                   *bool   `json:"global_search_code_enabled,omitzero"`
	GlobalSearchCommitsEnabled                *bool   `json:"global_search_commits_enabled,omitzero"`
	GlobalSearchEpicsEnabled                  *bool   `json:"global_search_epics_enabled,omitzero"`
	GlobalSearchIssuesEnabled                 *bool   `json:"global_search_issues_enabled,omitzero"`
	GlobalSearchLimitedIndexingEnabled        *bool   `json:"global_search_limited_indexing_enabled,omitzero"`
	GlobalSearchMergeRequestsEnabled          *bool   `json:"global_search_merge_requests_enabled,omitzero"`
	GlobalSearchSnippetTitlesEnabled          *bool   `json:"global_search_snippet_titles_enabled,omitzero"`
	GlobalSearchUsersEnabled                  *bool   `json:"global_search_users_enabled,omitzero"`
	GlobalSearchWikiEnabled                   *bool   `json:"global_search_wiki_enabled,omitzero"`
	SearchMaxDocsDenominator                  *int    `json:"search_max_docs_denominator,omitzero"`
	SearchMaxShardSizeGB                      *int64  `json:"search_max_shard_size_gb,omitzero"`
	SearchMinDocsBeforeRollover               *int    `json:"search_min_docs_before_rollover,omitzero"`

	// Advanced search.

	ElasticMigrationWorkerEnabled         *bool `json:"elastic_migration_worker_enabled,omitzero"`
	ElasticsearchAnalyzersKuromojiEnabled *bool `json:"elasticsearch_analyzers_kuromoji_enabled,omitzero"`
	ElasticsearchAnalyzersKuromojiSearch  *bool `json:"elasticsearch_analyzers_kuromoji_search,omitzero"`
	ElasticsearchAnalyzersSmartCNEnabled  *bool `json:"elasticsearch_analyzers_smartcn_enabled,omitzero"`
	ElasticsearchAnalyzersSmartCNSearch   *bool `json:"elasticsearch_analyzers_smartcn_search,omitzero"`
	// ElasticsearchAWS requires ElasticsearchAWSRegion in the same call if it is turned on.
	ElasticsearchAWS                     *bool                       `json:"elasticsearch_aws,omitzero"`
	ElasticsearchAWSAccessKey            Nullable[string]            `json:"elasticsearch_aws_access_key,omitzero"`
	ElasticsearchAWSRegion               *string                     `json:"elasticsearch_aws_region,omitzero"`
	ElasticsearchAWSRoleARN              Nullable[string]            `json:"elasticsearch_aws_role_arn,omitzero"`
	ElasticsearchAWSSecretAccessKey      Nullable[Secret]            `json:"elasticsearch_aws_secret_access_key,omitzero"`
	ElasticsearchClientAdapter           *ElasticsearchClientAdapter `json:"elasticsearch_client_adapter,omitzero"`
	ElasticsearchClientRequestTimeout    *int64                      `json:"elasticsearch_client_request_timeout,omitzero"`
	ElasticsearchCodeScope               *bool                       `json:"elasticsearch_code_scope,omitzero"`
	ElasticsearchIndexedFieldLengthLimit *int                        `json:"elasticsearch_indexed_field_length_limit,omitzero"`
	ElasticsearchIndexedFileSizeLimitKB  *int64                      `json:"elasticsearch_indexed_file_size_limit_kb,omitzero"`
	// ElasticsearchIndexing requires ElasticsearchURL in the same call if it is turned on.
	ElasticsearchIndexing                   *bool                        `json:"elasticsearch_indexing,omitzero"`
	ElasticsearchIndexingTimeoutMinutes     *int                         `json:"elasticsearch_indexing_timeout_minutes,omitzero"`
	ElasticsearchLimitIndexing              *bool                        `json:"elasticsearch_limit_indexing,omitzero"`
	ElasticsearchMaxBulkConcurrency         *int                         `json:"elasticsearch_max_bulk_concurrency,omitzero"`
	ElasticsearchMaxBulkSizeMB              *int64                       `json:"elasticsearch_max_bulk_size_mb,omitzero"`
	ElasticsearchMaxCodeIndexingConcurrency *int                         `json:"elasticsearch_max_code_indexing_concurrency,omitzero"`
	ElasticsearchNamespaceIDs               []int64                      `json:"elasticsearch_namespace_ids,omitzero"`
	ElasticsearchPassword                   Nullable[Secret]             `json:"elasticsearch_password,omitzero"`
	ElasticsearchPauseIndexing              *bool                        `json:"elasticsearch_pause_indexing,omitzero"`
	ElasticsearchProjectIDs                 []int64                      `json:"elasticsearch_project_ids,omitzero"`
	ElasticsearchReplicas                   Nullable[ElasticsearchCount] `json:"elasticsearch_replicas,omitzero"`
	ElasticsearchRequeueWorkers             *bool                        `json:"elasticsearch_requeue_workers,omitzero"`
	ElasticsearchRetryOnFailure             *int                         `json:"elasticsearch_retry_on_failure,omitzero"`
	ElasticsearchSearch                     *bool                        `json:"elasticsearch_search,omitzero"`
	ElasticsearchShards                     Nullable[ElasticsearchCount] `json:"elasticsearch_shards,omitzero"`
	ElasticsearchURL                        []string                     `json:"elasticsearch_url,omitzero"`
	ElasticsearchUsername                   Nullable[string]             `json:"elasticsearch_username,omitzero"`
	ElasticsearchWorkerNumberOfShards       *int                         `json:"elasticsearch_worker_number_of_shards,omitzero"`

	// Exact code search.

	ZoektAutoIndexRootNamespace    *bool    `json:"zoekt_auto_index_root_namespace,omitzero"`
	ZoektCacheResponse             *bool    `json:"zoekt_cache_response,omitzero"`
	ZoektCPUToTasksRatio           *float64 `json:"zoekt_cpu_to_tasks_ratio,omitzero"`
	ZoektDefaultNumberOfReplicas   *int     `json:"zoekt_default_number_of_replicas,omitzero"`
	ZoektForceReindexingPercentage *float64 `json:"zoekt_force_reindexing_percentage,omitzero"`
	ZoektIndexedFileSizeLimit      *string  `json:"zoekt_indexed_file_size_limit,omitzero"`
	ZoektIndexingEnabled           *bool    `json:"zoekt_indexing_enabled,omitzero"`
	ZoektIndexingParallelism       *int     `json:"zoekt_indexing_parallelism,omitzero"`
	ZoektIndexingPaused            *bool    `json:"zoekt_indexing_paused,omitzero"`
	ZoektIndexingTimeout           *string  `json:"zoekt_indexing_timeout,omitzero"`
	ZoektLostNodeThreshold         *string  `json:"zoekt_lost_node_threshold,omitzero"`
	ZoektMaximumFiles              *int     `json:"zoekt_maximum_files,omitzero"`
	ZoektRolloutBatchSize          *int     `json:"zoekt_rollout_batch_size,omitzero"`
	ZoektRolloutRetryInterval      *string  `json:"zoekt_rollout_retry_interval,omitzero"`
	ZoektSearchEnabled             *bool    `json:"zoekt_search_enabled,omitzero"`
	ZoektTrigramMax                *int     `json:"zoekt_trigram_max,omitzero"`

	// Diagrams, editors and other integrations.

	AllowAllIntegrations *bool    `json:"allow_all_integrations,omitzero"`
	AllowedIntegrations  []string `json:"allowed_integrations,omitzero"`
	// DiagramsNetEnabled requires DiagramsNetURL in the same call if it is turned on.
	DiagramsNetEnabled *bool            `json:"diagramsnet_enabled,omitzero"`
	DiagramsNetURL     Nullable[string] `json:"diagramsnet_url,omitzero"`
	EKSAccessKeyID     Nullable[string] `json:"eks_access_key_id,omitzero"`
	EKSAccountID       Nullable[string] `json:"eks_account_id,omitzero"`
	// EKSIntegrationEnabled requires EKSAccountID, EKSAccessKeyID and EKSSecretAccessKey in
	// the same call if it is turned on.
	EKSIntegrationEnabled *bool `json:"eks_integration_enabled,omitzero"`
	// EKSSecretAccessKey is the secret of EKSAccessKeyID. No response has it.
	EKSSecretAccessKey               Nullable[Secret] `json:"eks_secret_access_key,omitzero"`
	EnableLanguageServerRestrictions *bool            `json:"enable_language_server_restrictions,omitzero"`
	// GitpodEnabled requires GitpodURL in the same call if it is turned on.
	GitpodEnabled                      *bool            `json:"gitpod_enabled,omitzero"`
	GitpodURL                          Nullable[string] `json:"gitpod_url,omitzero"`
	JiraConnectAdditionalAudienceURL   Nullable[string] `json:"jira_connect_additional_audience_url,omitzero"`
	JiraConnectApplicationKey          Nullable[string] `json:"jira_connect_application_key,omitzero"`
	JiraConnectProxyURL                Nullable[string] `json:"jira_connect_proxy_url,omitzero"`
	JiraConnectPublicKeyStorageEnabled *bool            `json:"jira_connect_public_key_storage_enabled,omitzero"`
	// KrokiEnabled requires KrokiURL in the same call if it is turned on.
	KrokiEnabled                                 *bool            `json:"kroki_enabled,omitzero"`
	KrokiFormats                                 map[string]bool  `json:"kroki_formats,omitzero"`
	KrokiURL                                     Nullable[string] `json:"kroki_url,omitzero"`
	MinimumLanguageServerVersion                 *string          `json:"minimum_language_server_version,omitzero"`
	OrganizationClusterAgentAuthorizationEnabled *bool            `json:"organization_cluster_agent_authorization_enabled,omitzero"`
	// PlantUMLEnabled requires PlantUMLURL in the same call if it is turned on.
	PlantUMLEnabled               *bool            `json:"plantuml_enabled,omitzero"`
	PlantUMLURL                   Nullable[string] `json:"plantuml_url,omitzero"`
	ReceptiveClusterAgentsEnabled *bool            `json:"receptive_cluster_agents_enabled,omitzero"`
	// SlackAppEnabled requires SlackAppID, SlackAppSecret, SlackAppSigningSecret and
	// SlackAppVerificationToken in the same call if it is turned on.
	SlackAppEnabled           *bool            `json:"slack_app_enabled,omitzero"`
	SlackAppID                Nullable[string] `json:"slack_app_id,omitzero"`
	SlackAppSecret            Nullable[Secret] `json:"slack_app_secret,omitzero"`
	SlackAppSigningSecret     Nullable[Secret] `json:"slack_app_signing_secret,omitzero"`
	SlackAppVerificationToken Nullable[Secret] `json:"slack_app_verification_token,omitzero"`
	// SourcegraphEnabled requires SourcegraphURL in the same call if it is turned on.
	SourcegraphEnabled                            *bool                       `json:"sourcegraph_enabled,omitzero"`
	SourcegraphPublicOnly                         *bool                       `json:"sourcegraph_public_only,omitzero"`
	SourcegraphURL                                Nullable[string]            `json:"sourcegraph_url,omitzero"`
	TerminalMaxSessionTime                        *int64                      `json:"terminal_max_session_time,omitzero"`
	VSCodeExtensionMarketplace                    *VSCodeExtensionMarketplace `json:"vscode_extension_marketplace,omitzero"`
	VSCodeExtensionMarketplaceEnabled             *bool                       `json:"vscode_extension_marketplace_enabled,omitzero"`
	VSCodeExtensionMarketplaceExtensionHostDomain Nullable[string]            `json:"vscode_extension_marketplace_extension_host_domain,omitzero"`
	WebIDEClientsidePreviewEnabled                *bool                       `json:"web_ide_clientside_preview_enabled,omitzero"`

	// Spam.

	AkismetAPIKey Nullable[Secret] `json:"akismet_api_key,omitzero"`
	// AkismetEnabled requires AkismetAPIKey in the same call if it is turned on.
	AkismetEnabled    *bool            `json:"akismet_enabled,omitzero"`
	AllowPossibleSpam *bool            `json:"allow_possible_spam,omitzero"`
	SpamCheckAPIKey   Nullable[Secret] `json:"spam_check_api_key,omitzero"`
	// SpamCheckEndpointEnabled requires SpamCheckEndpointURL in the same call if it is turned
	// on.
	SpamCheckEndpointEnabled *bool            `json:"spam_check_endpoint_enabled,omitzero"`
	SpamCheckEndpointURL     Nullable[string] `json:"spam_check_endpoint_url,omitzero"`

	// External services.

	ErrorTrackingAPIURL                      Nullable[string] `json:"error_tracking_api_url,omitzero"`
	ErrorTrackingEnabled                     *bool            `json:"error_tracking_enabled,omitzero"`
	ExternalAuthClientCert                   Nullable[string] `json:"external_auth_client_cert,omitzero"`
	ExternalAuthClientKey                    Nullable[Secret] `json:"external_auth_client_key,omitzero"`
	ExternalAuthClientKeyPass                Nullable[Secret] `json:"external_auth_client_key_pass,omitzero"`
	ExternalAuthorizationServiceDefaultLabel Nullable[string] `json:"external_authorization_service_default_label,omitzero"`
	// ExternalAuthorizationServiceEnabled needs a value of
	// ExternalAuthorizationServiceDefaultLabel if it is turned on, set before or in the same
	// call.
	ExternalAuthorizationServiceEnabled      *bool            `json:"external_authorization_service_enabled,omitzero"`
	ExternalAuthorizationServiceTimeout      *float64         `json:"external_authorization_service_timeout,omitzero"`
	ExternalAuthorizationServiceURL          Nullable[string] `json:"external_authorization_service_url,omitzero"`
	ExternalPipelineValidationServiceTimeout Nullable[int64]  `json:"external_pipeline_validation_service_timeout,omitzero"`
	ExternalPipelineValidationServiceToken   Nullable[Secret] `json:"external_pipeline_validation_service_token,omitzero"`
	ExternalPipelineValidationServiceURL     Nullable[string] `json:"external_pipeline_validation_service_url,omitzero"`
	SentryClientsideDSN                      Nullable[string] `json:"sentry_clientside_dsn,omitzero"`
	SentryClientsideTracesSampleRate         *float64         `json:"sentry_clientside_traces_sample_rate,omitzero"`
	SentryDSN                                Nullable[string] `json:"sentry_dsn,omitzero"`
	SentryEnabled                            *bool            `json:"sentry_enabled,omitzero"`
	SentryEnvironment                        Nullable[string] `json:"sentry_environment,omitzero"`
	StaticObjectsExternalStorageAuthToken    Nullable[Secret] `json:"static_objects_external_storage_auth_token,omitzero"`
	StaticObjectsExternalStorageURL          Nullable[string] `json:"static_objects_external_storage_url,omitzero"`

	// Security and compliance.

	AutoBanUserOnExcessiveProjectsDownload         *bool            `json:"auto_ban_user_on_excessive_projects_download,omitzero"`
	EnforcePIPLCompliance                          *bool            `json:"enforce_pipl_compliance,omitzero"`
	GitRateLimitUsersAlertlist                     []int64          `json:"git_rate_limit_users_alertlist,omitzero"`
	GitRateLimitUsersAllowlist                     []string         `json:"git_rate_limit_users_allowlist,omitzero"`
	MaxNumberOfRepositoryDownloads                 *int             `json:"max_number_of_repository_downloads,omitzero"`
	MaxNumberOfRepositoryDownloadsWithinTimePeriod *int64           `json:"max_number_of_repository_downloads_within_time_period,omitzero"`
	PackageMetadataPURLTypes                       []int            `json:"package_metadata_purl_types,omitzero"`
	PipelineExecutionPoliciesPerConfigurationLimit *int             `json:"pipeline_execution_policies_per_configuration_limit,omitzero"`
	PseudonymizerEnabled                           *bool            `json:"pseudonymizer_enabled,omitzero"`
	ScanExecutionPoliciesActionLimit               *int             `json:"scan_execution_policies_action_limit,omitzero"`
	ScanExecutionPoliciesPerConfigurationLimit     *int             `json:"scan_execution_policies_per_configuration_limit,omitzero"`
	ScanExecutionPoliciesScheduleLimit             *int             `json:"scan_execution_policies_schedule_limit,omitzero"`
	SecretDetectionRevocationTokenTypesURL         Nullable[string] `json:"secret_detection_revocation_token_types_url,omitzero"`
	SecretDetectionServiceAuthToken                Nullable[Secret] `json:"secret_detection_service_auth_token,omitzero"`
	SecretDetectionServiceURL                      *string          `json:"secret_detection_service_url,omitzero"`
	// SecretDetectionTokenRevocationEnabled requires SecretDetectionTokenRevocationURL and
	// SecretDetectionRevocationTokenTypesURL in the same call if it is turned on.
	SecretDetectionTokenRevocationEnabled                *bool            `json:"secret_detection_token_revocation_enabled,omitzero"`
	SecretDetectionTokenRevocationToken                  Nullable[Secret] `json:"secret_detection_token_revocation_token,omitzero"`
	SecretDetectionTokenRevocationURL                    Nullable[string] `json:"secret_detection_token_revocation_url,omitzero"`
	SecretPushProtectionAvailable                        *bool            `json:"secret_push_protection_available,omitzero"`
	SecurityApprovalPoliciesLimit                        *int             `json:"security_approval_policies_limit,omitzero"`
	SecurityPolicyGlobalGroupApproversEnabled            *bool            `json:"security_policy_global_group_approvers_enabled,omitzero"`
	VulnerabilityManagementPoliciesPerConfigurationLimit *int             `json:"vulnerability_management_policies_per_configuration_limit,omitzero"`

	// AI features.

	AutoDuoCodeReviewEnabled           *bool                      `json:"auto_duo_code_review_enabled,omitzero"`
	DisabledDirectCodeSuggestions      *bool                      `json:"disabled_direct_code_suggestions,omitzero"`
	DisplayServiceCreditsUserData      *bool                      `json:"display_service_credits_user_data,omitzero"`
	DuoAgentPlatformEnabled            *bool                      `json:"duo_agent_platform_enabled,omitzero"`
	DuoAvailability                    *DuoAvailability           `json:"duo_availability,omitzero"`
	DuoChatExpirationColumn            *DuoChatExpirationColumn   `json:"duo_chat_expiration_column,omitzero"`
	DuoChatExpirationDays              *int                       `json:"duo_chat_expiration_days,omitzero"`
	DuoFeaturesEnabled                 *bool                      `json:"duo_features_enabled,omitzero"`
	DuoFoundationalFlowsAvailability   *bool                      `json:"duo_foundational_flows_availability,omitzero"`
	DuoFoundationalFlowsEnabled        *bool                      `json:"duo_foundational_flows_enabled,omitzero"`
	DuoNamespaceAccessRules            []*DuoNamespaceAccessRule  `json:"duo_namespace_access_rules,omitzero"`
	DuoRemoteFlowsAvailability         *bool                      `json:"duo_remote_flows_availability,omitzero"`
	DuoRemoteFlowsEnabled              *bool                      `json:"duo_remote_flows_enabled,omitzero"`
	DuoWorkflowOAuthApplicationID      Nullable[int64]            `json:"duo_workflow_oauth_application_id,omitzero"`
	DuoWorkflowsDefaultImageRegistry   Nullable[string]           `json:"duo_workflows_default_image_registry,omitzero"`
	EnabledExpandedLogging             *bool                      `json:"enabled_expanded_logging,omitzero"`
	FoundationalAgentsDefaultEnabled   *bool                      `json:"foundational_agents_default_enabled,omitzero"`
	FoundationalAgentsStatuses         []*FoundationalAgentStatus `json:"foundational_agents_statuses,omitzero"`
	InstanceLevelAIBetaFeaturesEnabled *bool                      `json:"instance_level_ai_beta_features_enabled,omitzero"`
	LockDuoFeaturesEnabled             *bool                      `json:"lock_duo_features_enabled,omitzero"`
	// LockDuoRemoteFlowsEnabled keeps groups from changing DuoRemoteFlowsEnabled. Paid tiers:
	// Free does not have it.
	LockDuoRemoteFlowsEnabled   *bool `json:"lock_duo_remote_flows_enabled,omitzero"`
	LockModelPromptCacheEnabled *bool `json:"lock_model_prompt_cache_enabled,omitzero"`
	ModelPromptCacheEnabled     *bool `json:"model_prompt_cache_enabled,omitzero"`

	// Metrics and usage.

	CubeAPIBaseURL                             Nullable[string] `json:"cube_api_base_url,omitzero"`
	CubeAPIKey                                 Nullable[Secret] `json:"cube_api_key,omitzero"`
	FetchObservabilityAlertsFromCloud          *bool            `json:"fetch_observability_alerts_from_cloud,omitzero"`
	IncludeOptionalMetricsInServicePing        *bool            `json:"include_optional_metrics_in_service_ping,omitzero"`
	MetricsMethodCallThreshold                 *int             `json:"metrics_method_call_threshold,omitzero"`
	ObservabilityBackendSSLVerificationEnabled *bool            `json:"observability_backend_ssl_verification_enabled,omitzero"`
	// PerformanceBarAllowedGroupID is the path of the group, although results have its ID.
	// Deprecated: use PerformanceBarAllowedGroupPath.
	PerformanceBarAllowedGroupID Nullable[string] `json:"performance_bar_allowed_group_id,omitzero"`
	// PerformanceBarAllowedGroupPath is the path of the group whose members can see the
	// performance bar. Null means nobody.
	PerformanceBarAllowedGroupPath Nullable[string] `json:"performance_bar_allowed_group_path,omitzero"`
	// PerformanceBarEnabled lets nobody see the performance bar if it is false. Deprecated:
	// use PerformanceBarAllowedGroupPath.
	PerformanceBarEnabled                        *bool            `json:"performance_bar_enabled,omitzero"`
	ProductAnalyticsConfiguratorConnectionString Nullable[Secret] `json:"product_analytics_configurator_connection_string,omitzero"`
	ProductAnalyticsDataCollectorHost            Nullable[string] `json:"product_analytics_data_collector_host,omitzero"`
	ProductAnalyticsEnabled                      *bool            `json:"product_analytics_enabled,omitzero"`
	PrometheusMetricsEnabled                     *bool            `json:"prometheus_metrics_enabled,omitzero"`
	ServiceProductUsageDataEnabled               *bool            `json:"service_product_usage_data_enabled,omitzero"`
	SnowplowAppID                                Nullable[string] `json:"snowplow_app_id,omitzero"`
	SnowplowCollectorHostname                    Nullable[string] `json:"snowplow_collector_hostname,omitzero"`
	SnowplowCookieDomain                         Nullable[string] `json:"snowplow_cookie_domain,omitzero"`
	SnowplowDatabaseCollectorHostname            Nullable[string] `json:"snowplow_database_collector_hostname,omitzero"`
	// SnowplowEnabled requires SnowplowCollectorHostname in the same call if it is turned on.
	SnowplowEnabled            *bool `json:"snowplow_enabled,omitzero"`
	UsagePingEnabled           *bool `json:"usage_ping_enabled,omitzero"`
	UsagePingFeaturesEnabled   *bool `json:"usage_ping_features_enabled,omitzero"`
	UsagePingGenerationEnabled *bool `json:"usage_ping_generation_enabled,omitzero"`
	UseClickHouseForAnalytics  *bool `json:"use_clickhouse_for_analytics,omitzero"`
	VersionCheckEnabled        *bool `json:"version_check_enabled,omitzero"`

	// Operation of the instance.

	BackgroundOperationsMaxJobs                        *int                   `json:"background_operations_max_jobs,omitzero"`
	GeoNodeAllowedIPs                                  Nullable[string]       `json:"geo_node_allowed_ips,omitzero"`
	GeoStatusTimeout                                   *int64                 `json:"geo_status_timeout,omitzero"`
	MaintenanceMode                                    *bool                  `json:"maintenance_mode,omitzero"`
	MaintenanceModeMessage                             Nullable[string]       `json:"maintenance_mode_message,omitzero"`
	NamespaceAggregationScheduleLeaseDurationInSeconds *int64                 `json:"namespace_aggregation_schedule_lease_duration_in_seconds,omitzero"`
	ReindexingMinimumIndexSize                         *int64                 `json:"reindexing_minimum_index_size,omitzero"`
	ReindexingMinimumRelativeBloatSize                 *float64               `json:"reindexing_minimum_relative_bloat_size,omitzero"`
	ResourceUsageLimits                                json.RawMessage        `json:"resource_usage_limits,omitzero"`
	ServiceDedicatedInstance                           *bool                  `json:"service_dedicated_instance,omitzero"`
	ServiceEnvironmentToolkitInstance                  *bool                  `json:"service_environment_toolkit_instance,omitzero"`
	SidekiqJobLimiterCompressionThresholdBytes         *int64                 `json:"sidekiq_job_limiter_compression_threshold_bytes,omitzero"`
	SidekiqJobLimiterLimitBytes                        *int64                 `json:"sidekiq_job_limiter_limit_bytes,omitzero"`
	SidekiqJobLimiterMode                              *SidekiqJobLimiterMode `json:"sidekiq_job_limiter_mode,omitzero"`

	// Extra has settings that have no field here, by their names in the API. The strings in
	// them may be secrets: no error and no dump shows those of 8 or more characters. A
	// setting that has a field is refused.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}
