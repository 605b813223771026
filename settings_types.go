// Code generated from testdata/application-settings.tsv by go generate; DO NOT EDIT.

package serviceapi

import (
	"encoding/json"
	"time"
)

// ApplicationSettings are the settings of an instance. Text that is null is "", and a list
// that is null is nil. A setting that a release, an edition or a license does not have is
// nil, zero or "": what [ApplicationSettings.UpdateOptions] returns does not have it. A
// number that is not set is nil; the comment of the field says what that means. A comment
// that ends with a tier names the lowest in which the setting has an effect.
//
// Encoded as JSON, the settings have the members that the service sent, with the same
// values, except that a [Secret] is a placeholder.
type ApplicationSettings struct {
	// The record.

	// CreatedAt is when the record was made. Older releases only: it is zero in 18.9. It
	// cannot be changed.
	CreatedAt time.Time `json:"created_at"`
	// ID is the number of the record, always 1. It cannot be changed.
	ID int64 `json:"id"`
	// UpdatedAt is when a setting last changed. Older releases only: it is zero in 18.9. It
	// cannot be changed.
	UpdatedAt time.Time `json:"updated_at"`

	// Signing up.

	// AfterSignUpText is shown to users who have just signed up.
	AfterSignUpText string `json:"after_sign_up_text"`
	// AllowProjectCreationForGuestAndBelow lets users whose highest role is Guest, or who have
	// none, create groups and personal projects. True by default. Since 16.8.
	AllowProjectCreationForGuestAndBelow bool `json:"allow_project_creation_for_guest_and_below"`
	// DomainAllowlist has the domains of addresses that may register. Empty means all. The
	// configuration of the instance has the default.
	DomainAllowlist []string `json:"domain_allowlist"`
	// DomainAllowlistRaw is DomainAllowlist as text, with one domain on a line.
	DomainAllowlistRaw string `json:"domain_allowlist_raw"`
	// DomainDenylist has the domains of addresses that may not register, if
	// DomainDenylistEnabled is set.
	DomainDenylist []string `json:"domain_denylist"`
	// DomainDenylistEnabled applies DomainDenylist.
	DomainDenylistEnabled bool `json:"domain_denylist_enabled"`
	// DomainDenylistRaw is DomainDenylist as text, with one domain on a line.
	DomainDenylistRaw string `json:"domain_denylist_raw"`
	// EmailConfirmationSetting says whether new users have to confirm their addresses. The
	// default is "off".
	EmailConfirmationSetting EmailConfirmationSetting `json:"email_confirmation_setting"`
	// EmailRestrictions is a regular expression. Addresses that match it may not register, if
	// EmailRestrictionsEnabled is set.
	EmailRestrictions string `json:"email_restrictions"`
	// EmailRestrictionsEnabled applies EmailRestrictions.
	EmailRestrictionsEnabled bool `json:"email_restrictions_enabled"`
	// EnforceEmailSubaddressRestrictions treats addresses that differ only after a plus sign
	// as one address.
	EnforceEmailSubaddressRestrictions bool `json:"enforce_email_subaddress_restrictions"`
	// InvisibleCaptchaEnabled checks with a hidden field that a person registers.
	InvisibleCaptchaEnabled bool `json:"invisible_captcha_enabled"`
	// ReCAPTCHAEnabled makes people solve a reCAPTCHA to register.
	ReCAPTCHAEnabled bool `json:"recaptcha_enabled"`
	// ReCAPTCHAPrivateKey is the private key for reCAPTCHA.
	ReCAPTCHAPrivateKey Secret `json:"recaptcha_private_key"`
	// ReCAPTCHASiteKey is the site key for reCAPTCHA.
	ReCAPTCHASiteKey string `json:"recaptcha_site_key"`
	// RequireAdminApprovalAfterUserSignup makes new users wait until an administrator approves
	// them. True by default.
	RequireAdminApprovalAfterUserSignup bool `json:"require_admin_approval_after_user_signup"`
	// SendUserConfirmationEmail makes new users confirm their addresses. Replaced by
	// EmailConfirmationSetting. It is nil if the instance does not have it.
	SendUserConfirmationEmail *bool `json:"send_user_confirmation_email"`
	// SignupEnabled lets people sign up. The configuration of the instance has the default.
	SignupEnabled bool `json:"signup_enabled"`

	// Signing in.

	// AdminMode makes administrators sign in again before they can act as administrators.
	AdminMode bool `json:"admin_mode"`
	// AfterSignOutPath is the page to which users are sent when they sign out.
	AfterSignOutPath string `json:"after_sign_out_path"`
	// AuthnDataRetentionCleanupEnabled removes old records of sign-ins.
	AuthnDataRetentionCleanupEnabled bool `json:"authn_data_retention_cleanup_enabled"`
	// DisablePasswordAuthenticationForUsersWithSSOIdentities refuses passwords of users who
	// have an identity for single sign-on.
	DisablePasswordAuthenticationForUsersWithSSOIdentities bool `json:"disable_password_authentication_for_users_with_sso_identities"`
	// DisabledOAuthSignInSources has the names of the providers that users cannot sign in
	// with.
	DisabledOAuthSignInSources []string `json:"disabled_oauth_sign_in_sources"`
	// FailedLoginAttemptsUnlockPeriodInMinutes is the time in minutes after which a locked
	// account is unlocked. Nil means the default of the instance.
	FailedLoginAttemptsUnlockPeriodInMinutes *int `json:"failed_login_attempts_unlock_period_in_minutes"`
	// GitTwoFactorSessionExpiry is the time in minutes for which a second factor counts for
	// Git. The default is 15. Premium: lower tiers do not have it.
	GitTwoFactorSessionExpiry int `json:"git_two_factor_session_expiry"`
	// LoginReCAPTCHAProtectionEnabled makes people solve a reCAPTCHA to sign in.
	LoginReCAPTCHAProtectionEnabled bool `json:"login_recaptcha_protection_enabled"`
	// MaxLoginAttempts is the number of failed attempts to sign in after which an account is
	// locked. Nil means the default of the instance.
	MaxLoginAttempts *int `json:"max_login_attempts"`
	// MinimumPasswordLength is the minimum length of a password in characters, from 8 to 128.
	// The default is 8. Premium.
	MinimumPasswordLength int `json:"minimum_password_length"`
	// NotifyOnUnknownSignIn sends users an email about a sign-in from an address that is new
	// for them. True by default.
	NotifyOnUnknownSignIn bool `json:"notify_on_unknown_sign_in"`
	// PasswordAuthenticationEnabled is another name of PasswordAuthenticationEnabledForWeb.
	PasswordAuthenticationEnabled bool `json:"password_authentication_enabled"`
	// PasswordAuthenticationEnabledForGit lets users use their password for Git over HTTP.
	// True by default.
	PasswordAuthenticationEnabledForGit bool `json:"password_authentication_enabled_for_git"`
	// PasswordAuthenticationEnabledForWeb lets users sign in to the web application with a
	// password. The configuration of the instance has the default.
	PasswordAuthenticationEnabledForWeb bool `json:"password_authentication_enabled_for_web"`
	// PasswordLowercaseRequired requires a lowercase letter in passwords. Premium: lower tiers
	// do not have it.
	PasswordLowercaseRequired bool `json:"password_lowercase_required"`
	// PasswordNumberRequired requires a digit in passwords. Premium: lower tiers do not have
	// it.
	PasswordNumberRequired bool `json:"password_number_required"`
	// PasswordSymbolRequired requires a symbol in passwords. Premium: lower tiers do not have
	// it.
	PasswordSymbolRequired bool `json:"password_symbol_required"`
	// PasswordUppercaseRequired requires an uppercase letter in passwords. Premium: lower
	// tiers do not have it.
	PasswordUppercaseRequired bool `json:"password_uppercase_required"`
	// RememberMeEnabled lets users stay signed in. True by default. Since 16.0.
	RememberMeEnabled bool `json:"remember_me_enabled"`
	// RequireAdminTwoFactorAuthentication makes administrators use a second factor.
	RequireAdminTwoFactorAuthentication bool `json:"require_admin_two_factor_authentication"`
	// RequireEmailVerificationOnAccountLocked makes users confirm a suspicious sign-in with a
	// code that is sent to their address.
	RequireEmailVerificationOnAccountLocked bool `json:"require_email_verification_on_account_locked"`
	// RequireTwoFactorAuthentication makes all users set up a second factor within
	// TwoFactorGracePeriod hours.
	RequireTwoFactorAuthentication bool `json:"require_two_factor_authentication"`
	// RootMovedPermanentlyRedirection redirects visitors of the root with status 301 instead
	// of 302.
	RootMovedPermanentlyRedirection bool `json:"root_moved_permanently_redirection"`
	// SessionExpireDelay is the time in minutes after which a session ends. A change needs a
	// restart of the instance. The configuration of the instance has the default.
	SessionExpireDelay int `json:"session_expire_delay"`
	// SessionExpireFromInit measures SessionExpireDelay from the beginning of a session
	// instead of the last activity.
	SessionExpireFromInit bool `json:"session_expire_from_init"`
	// SignInRestrictions has settings of other groups again, and one that has no other name. A
	// change of what was read has to be made in both places. It is nil if the instance does
	// not have it.
	SignInRestrictions *SignInRestrictions `json:"sign_in_restrictions"`
	// SigninEnabled is another name of PasswordAuthenticationEnabledForWeb.
	SigninEnabled bool `json:"signin_enabled"`
	// TwoFactorGracePeriod is the time in hours for which users can put off setting up a
	// second factor. The default is 48.
	TwoFactorGracePeriod int `json:"two_factor_grace_period"`
	// UniqueIPsLimitEnabled limits the number of IP addresses from which a user may sign in.
	UniqueIPsLimitEnabled bool `json:"unique_ips_limit_enabled"`
	// UniqueIPsLimitPerUser is the maximum number of IP addresses of a user within
	// UniqueIPsLimitTimeWindow. The default is 10.
	UniqueIPsLimitPerUser int `json:"unique_ips_limit_per_user"`
	// UniqueIPsLimitTimeWindow is the time in seconds for which an IP address counts. The
	// default is 3600.
	UniqueIPsLimitTimeWindow int64 `json:"unique_ips_limit_time_window"`

	// Users.

	// AllowAccountDeletion lets users delete their own accounts. True by default. Since 16.1.
	// Premium.
	AllowAccountDeletion bool `json:"allow_account_deletion"`
	// CanCreateGroup lets new users create top-level groups. True by default.
	CanCreateGroup bool `json:"can_create_group"`
	// CanCreateOrganization lets users create organizations. True by default.
	CanCreateOrganization bool `json:"can_create_organization"`
	// DeactivateDormantUsers deactivates users who have had no activity for
	// DeactivateDormantUsersPeriod days.
	DeactivateDormantUsers bool `json:"deactivate_dormant_users"`
	// DeactivateDormantUsersPeriod is the number of days without activity after which a user
	// is deactivated. The default is 90.
	DeactivateDormantUsersPeriod int `json:"deactivate_dormant_users_period"`
	// DefaultDarkSyntaxHighlightingTheme is the number of the color theme for code in dark
	// mode. The default is 2.
	DefaultDarkSyntaxHighlightingTheme int `json:"default_dark_syntax_highlighting_theme"`
	// DefaultPreferredLanguage is the language for visitors who are not signed in, such as
	// "en". The default is "en".
	DefaultPreferredLanguage string `json:"default_preferred_language"`
	// DefaultProjectsLimit is the maximum number of projects that a new user may create in
	// their own namespace. The configuration of the instance has the default.
	DefaultProjectsLimit int `json:"default_projects_limit"`
	// DefaultSyntaxHighlightingTheme is the number of the color theme for code. The default is
	// 1.
	DefaultSyntaxHighlightingTheme int `json:"default_syntax_highlighting_theme"`
	// DelayUserAccountSelfDeletion deletes the account of a user who asks for it only after
	// some days. Since about 18.2.
	DelayUserAccountSelfDeletion bool `json:"delay_user_account_self_deletion"`
	// DeleteUnconfirmedUsers deletes users who have not confirmed their address after
	// UnconfirmedUsersDeleteAfterDays days. Since 16.1. Premium: lower tiers do not have it.
	DeleteUnconfirmedUsers bool `json:"delete_unconfirmed_users"`
	// EnableMemberPromotionManagement makes administrators approve changes of roles that cost
	// a seat.
	EnableMemberPromotionManagement bool `json:"enable_member_promotion_management"`
	// InvitationFlowEnforcement adds members only when they accept an invitation.
	InvitationFlowEnforcement bool `json:"invitation_flow_enforcement"`
	// LockMembershipsToLDAP lets only LDAP change who is a member. Paid tiers.
	LockMembershipsToLDAP bool `json:"lock_memberships_to_ldap"`
	// LockMembershipsToSAML lets only SAML change who is a member. Paid tiers.
	LockMembershipsToSAML bool `json:"lock_memberships_to_saml"`
	// MakeProfilePrivate lets users make their profile private. True by default. Paid tiers:
	// Free does not have it.
	MakeProfilePrivate bool `json:"make_profile_private"`
	// UnconfirmedUsersDeleteAfterDays is the number of days after which users without a
	// confirmed address are deleted. The default is 7. Since 16.1. Premium: lower tiers do not
	// have it.
	UnconfirmedUsersDeleteAfterDays int `json:"unconfirmed_users_delete_after_days"`
	// UpdatingNameDisabledForUsers keeps users from changing their name. Paid tiers: Free does
	// not have it.
	UpdatingNameDisabledForUsers bool `json:"updating_name_disabled_for_users"`
	// UserDefaultExternal makes new users external, except those whose address matches
	// UserDefaultInternalRegex.
	UserDefaultExternal bool `json:"user_default_external"`
	// UserDefaultInternalRegex is a regular expression for the addresses of new users who are
	// not external.
	UserDefaultInternalRegex string `json:"user_default_internal_regex"`
	// UserDefaultsToPrivateProfile makes the profiles of new users private.
	UserDefaultsToPrivateProfile bool `json:"user_defaults_to_private_profile"`
	// UserOAuthApplications lets users register OAuth applications. True by default.
	UserOAuthApplications bool `json:"user_oauth_applications"`
	// UserShowAddSSHKeyMessage reminds users without an SSH key to add one. True by default.
	UserShowAddSSHKeyMessage bool `json:"user_show_add_ssh_key_message"`

	// Tokens, keys and Git access.

	// AllowDeployTokensAndKeysWithExternalAuthn lets deploy tokens and deploy keys work
	// although an external service decides about access.
	AllowDeployTokensAndKeysWithExternalAuthn bool `json:"allow_deploy_tokens_and_keys_with_external_authn"`
	// AllowTopLevelGroupOwnersToCreateServiceAccounts lets owners of top-level groups create
	// service accounts. Paid tiers: Free does not have it.
	AllowTopLevelGroupOwnersToCreateServiceAccounts bool `json:"allow_top_level_group_owners_to_create_service_accounts"`
	// AuthorizedKeysEnabled writes SSH keys into the file of authorized keys. True by default.
	AuthorizedKeysEnabled bool `json:"authorized_keys_enabled"`
	// DisableAdminOAuthScopes keeps administrators from giving wide scopes to OAuth
	// applications that are not trusted.
	DisableAdminOAuthScopes bool `json:"disable_admin_oauth_scopes"`
	// DisableFeedToken turns feed tokens off.
	DisableFeedToken bool `json:"disable_feed_token"`
	// DisablePersonalAccessTokens turns personal access tokens off. Premium: lower tiers do
	// not have it.
	DisablePersonalAccessTokens bool `json:"disable_personal_access_tokens"`
	// DSAKeyRestriction says which DSA keys users may have.
	DSAKeyRestriction KeyRestriction `json:"dsa_key_restriction"`
	// ECDSAKeyRestriction says which ECDSA keys users may have.
	ECDSAKeyRestriction KeyRestriction `json:"ecdsa_key_restriction"`
	// ECDSASKKeyRestriction says which ECDSA-SK keys, which need a security key, users may
	// have.
	ECDSASKKeyRestriction KeyRestriction `json:"ecdsa_sk_key_restriction"`
	// Ed25519KeyRestriction says which Ed25519 keys users may have.
	Ed25519KeyRestriction KeyRestriction `json:"ed25519_key_restriction"`
	// Ed25519SKKeyRestriction says which Ed25519-SK keys, which need a security key, users may
	// have.
	Ed25519SKKeyRestriction KeyRestriction `json:"ed25519_sk_key_restriction"`
	// EnabledGitAccessProtocol is the only protocol with which repositories can be reached. ""
	// means both, as [GitAccessProtocolAll] does since 16.9.
	EnabledGitAccessProtocol GitAccessProtocol `json:"enabled_git_access_protocol"`
	// EnforcePATExpiration refuses expired personal access tokens. Later releases do not have
	// it. Ultimate. It is nil if the instance does not have it.
	EnforcePATExpiration *bool `json:"enforce_pat_expiration"`
	// EnforceSSHKeyExpiration refuses expired SSH keys. Later releases do not have it.
	// Ultimate. It is nil if the instance does not have it.
	EnforceSSHKeyExpiration *bool `json:"enforce_ssh_key_expiration"`
	// InactiveResourceAccessTokensDeleteAfterDays is the number of days after which inactive
	// tokens of projects and groups are deleted. The default is 30.
	InactiveResourceAccessTokensDeleteAfterDays int `json:"inactive_resource_access_tokens_delete_after_days"`
	// InstanceTokenPrefix is what tokens that the instance makes begin with: letters and
	// digits, 20 at most.
	InstanceTokenPrefix string `json:"instance_token_prefix"`
	// LockResourceAccessTokenNotifyInherited keeps groups from changing
	// ResourceAccessTokenNotifyInherited.
	LockResourceAccessTokenNotifyInherited bool `json:"lock_resource_access_token_notify_inherited"`
	// MaxPersonalAccessTokenLifetime is the maximum lifetime of an access token in days, from
	// 1 to 400. Nil means 365. Ultimate.
	MaxPersonalAccessTokenLifetime *int `json:"max_personal_access_token_lifetime"`
	// MaxSSHKeyLifetime is the maximum lifetime of an SSH key in days, from 1 to 400. Nil
	// means no limit. Ultimate.
	MaxSSHKeyLifetime *int `json:"max_ssh_key_lifetime"`
	// PersonalAccessTokenPrefix is what new personal access tokens begin with: 20 characters
	// at most.
	PersonalAccessTokenPrefix string `json:"personal_access_token_prefix"`
	// RequirePersonalAccessTokenExpiry refuses new personal access tokens without an expiry
	// date. True by default. Since 17.3.
	RequirePersonalAccessTokenExpiry bool `json:"require_personal_access_token_expiry"`
	// ResourceAccessTokenNotifyInherited also tells members of the groups above when a token
	// of a project or a group is about to expire.
	ResourceAccessTokenNotifyInherited bool `json:"resource_access_token_notify_inherited"`
	// ROPCWithoutClientCredentials lets OAuth applications without a client secret exchange a
	// password for a token. True by default.
	ROPCWithoutClientCredentials bool `json:"ropc_without_client_credentials"`
	// RSAKeyRestriction says which RSA keys users may have.
	RSAKeyRestriction KeyRestriction `json:"rsa_key_restriction"`
	// ServiceAccessTokensExpirationEnforced refuses new tokens of service accounts without an
	// expiry date. True by default. Paid tiers: Free does not have it.
	ServiceAccessTokensExpirationEnforced bool `json:"service_access_tokens_expiration_enforced"`
	// ServiceShellOperationLimit is the maximum number of Git operations over SSH of a user
	// per minute. 0 means no limit. The default is 600. Since 16.2.
	ServiceShellOperationLimit int `json:"service_shell_operation_limit"`

	// Projects and groups.

	// AllowGroupOwnersToManageLDAP lets owners of groups manage links to LDAP. True by
	// default. Premium.
	AllowGroupOwnersToManageLDAP bool `json:"allow_group_owners_to_manage_ldap"`
	// AutomaticPurchasedStorageAllocation gives purchased storage to namespaces automatically.
	// Paid tiers.
	AutomaticPurchasedStorageAllocation bool `json:"automatic_purchased_storage_allocation"`
	// CheckNamespacePlan makes features depend on the plan of a namespace. Premium.
	CheckNamespacePlan bool `json:"check_namespace_plan"`
	// CustomHTTPCloneURLRoot is the address that clone addresses over HTTP begin with.
	CustomHTTPCloneURLRoot string `json:"custom_http_clone_url_root"`
	// DefaultBranchName is the default branch of new projects.
	DefaultBranchName string `json:"default_branch_name"`
	// DefaultBranchProtection protects the default branch of new projects. Deprecated since
	// 17.0, which has DefaultBranchProtectionDefaults. The configuration of the instance has
	// the default.
	DefaultBranchProtection BranchProtection `json:"default_branch_protection"`
	// DefaultBranchProtectionDefaults protects the default branch of new projects. The
	// configuration of the instance has the default. Since 17.0. It is nil if the instance
	// does not have it.
	DefaultBranchProtectionDefaults *BranchProtectionDefaults `json:"default_branch_protection_defaults"`
	// DefaultCIConfigPath is the path of the CI/CD configuration of new projects.
	DefaultCIConfigPath string `json:"default_ci_config_path"`
	// DefaultGroupVisibility is the visibility of new groups. The configuration of the
	// instance has the default.
	DefaultGroupVisibility Visibility `json:"default_group_visibility"`
	// DefaultProjectCreation says who may create projects in new groups. The configuration of
	// the instance has the default.
	DefaultProjectCreation DefaultProjectCreation `json:"default_project_creation"`
	// DefaultProjectVisibility is the visibility of new projects. The configuration of the
	// instance has the default.
	DefaultProjectVisibility Visibility `json:"default_project_visibility"`
	// DefaultSnippetVisibility is the visibility of new snippets. The configuration of the
	// instance has the default.
	DefaultSnippetVisibility Visibility `json:"default_snippet_visibility"`
	// EnforceNamespaceStorageLimit applies storage limits to namespaces. Paid tiers.
	EnforceNamespaceStorageLimit bool `json:"enforce_namespace_storage_limit"`
	// FileTemplateProjectID is the ID of the project with the file templates of the instance.
	// Nil means none. Premium: lower tiers do not have it.
	FileTemplateProjectID *int64 `json:"file_template_project_id"`
	// GroupOwnersCanManageDefaultBranchProtection lets owners of groups change the protection
	// of default branches. True by default. Premium: lower tiers do not have it.
	GroupOwnersCanManageDefaultBranchProtection bool `json:"group_owners_can_manage_default_branch_protection"`
	// GroupSecretsLimit is the maximum number of secrets of a group. 0 means no limit. The
	// default is 500. Since 18.9. Ultimate.
	GroupSecretsLimit int `json:"group_secrets_limit"`
	// ProjectSecretsLimit is the maximum number of secrets of a project. 0 means no limit. The
	// default is 100. Since 18.9. Ultimate.
	ProjectSecretsLimit int `json:"project_secrets_limit"`
	// RestrictedVisibilityLevels are the visibilities that only administrators can choose.
	// Objects that already have them keep them. The configuration of the instance has the
	// default.
	RestrictedVisibilityLevels []Visibility `json:"restricted_visibility_levels"`
	// ShowMigrateFromJenkinsBanner shows Jenkins users a hint about moving. True by default.
	ShowMigrateFromJenkinsBanner bool `json:"show_migrate_from_jenkins_banner"`
	// SuggestPipelineEnabled suggests adding a pipeline to projects without one. True by
	// default.
	SuggestPipelineEnabled bool `json:"suggest_pipeline_enabled"`
	// TimeTrackingLimitToHours shows times in hours, not in days and weeks.
	TimeTrackingLimitToHours bool `json:"time_tracking_limit_to_hours"`
	// TopLevelGroupCreationEnabled lets users create top-level groups. True by default.
	TopLevelGroupCreationEnabled bool `json:"top_level_group_creation_enabled"`

	// Deletion of projects and groups.

	// AllowImmediateNamespacesDeletion lets users delete at once what is already marked for
	// deletion. True by default. Since 18.5.
	AllowImmediateNamespacesDeletion bool `json:"allow_immediate_namespaces_deletion"`
	// DefaultProjectDeletionProtection lets only administrators delete projects. Premium:
	// lower tiers do not have it.
	DefaultProjectDeletionProtection bool `json:"default_project_deletion_protection"`
	// DelayedGroupDeletion delays the deletion of new groups. Removed by 18.0. Premium. It is
	// nil if the instance does not have it.
	DelayedGroupDeletion *bool `json:"delayed_group_deletion"`
	// DelayedProjectDeletion delays the deletion of projects in new groups. Removed by 18.0.
	// Premium. It is nil if the instance does not have it.
	DelayedProjectDeletion *bool `json:"delayed_project_deletion"`
	// DeleteInactiveProjects deletes projects without activity.
	DeleteInactiveProjects bool `json:"delete_inactive_projects"`
	// DeletionAdjournedPeriod is the number of days after which an object that is marked for
	// deletion is deleted, from 1 to 90. The default is 30.
	DeletionAdjournedPeriod int `json:"deletion_adjourned_period"`
	// InactiveProjectsDeleteAfterMonths is the number of months without activity after which a
	// project is deleted. The default is 2.
	InactiveProjectsDeleteAfterMonths int `json:"inactive_projects_delete_after_months"`
	// InactiveProjectsMinSizeMB is the size in megabytes from which a project without activity
	// is deleted. The default is 0.
	InactiveProjectsMinSizeMB int64 `json:"inactive_projects_min_size_mb"`
	// InactiveProjectsSendWarningEmailAfterMonths is the number of months without activity
	// after which maintainers are warned. It must be less than
	// InactiveProjectsDeleteAfterMonths. The default is 1.
	InactiveProjectsSendWarningEmailAfterMonths int `json:"inactive_projects_send_warning_email_after_months"`

	// Merge requests and approvals.

	// DisableOverridingApproversPerMergeRequest keeps projects and merge requests from
	// changing approval rules. Paid tiers: Free does not have it.
	DisableOverridingApproversPerMergeRequest bool `json:"disable_overriding_approvers_per_merge_request"`
	// PreventMergeRequestsAuthorApproval keeps authors from approving their merge requests.
	// Paid tiers: Free does not have it.
	PreventMergeRequestsAuthorApproval bool `json:"prevent_merge_requests_author_approval"`
	// PreventMergeRequestsCommittersApproval keeps users from approving merge requests that
	// they have added commits to. Paid tiers: Free does not have it.
	PreventMergeRequestsCommittersApproval bool `json:"prevent_merge_requests_committers_approval"`

	// Repositories.

	// CommitEmailHostname is the host of the private addresses that users can commit with. The
	// configuration of the instance has the default.
	CommitEmailHostname string `json:"commit_email_hostname"`
	// DiffMaxFiles is the maximum number of files in a diff, at most 3000. The default is
	// 1000.
	DiffMaxFiles int `json:"diff_max_files"`
	// DiffMaxLines is the maximum number of lines in a diff, at most 100000. The default is
	// 50000.
	DiffMaxLines int `json:"diff_max_lines"`
	// DiffMaxPatchBytes is the maximum size in bytes of the diff of one file. The default is
	// 204800.
	DiffMaxPatchBytes int64 `json:"diff_max_patch_bytes"`
	// GitPushPipelineLimit is the maximum number of pipelines that one push starts. 0 means no
	// limit. The default is 4.
	GitPushPipelineLimit int `json:"git_push_pipeline_limit"`
	// GitalyTimeoutDefault is the time limit in seconds for most calls to repositories. 0
	// means no limit. The default is 55.
	GitalyTimeoutDefault int64 `json:"gitaly_timeout_default"`
	// GitalyTimeoutFast is the time limit in seconds for fast calls to repositories. 0 means
	// no limit. The default is 10.
	GitalyTimeoutFast int64 `json:"gitaly_timeout_fast"`
	// GitalyTimeoutMedium is the time limit in seconds for calls to repositories between fast
	// and slow ones. 0 means no limit. The default is 30.
	GitalyTimeoutMedium int64 `json:"gitaly_timeout_medium"`
	// HashedStorageEnabled stores repositories under hashed paths. It is always true. It
	// cannot be changed.
	HashedStorageEnabled bool `json:"hashed_storage_enabled"`
	// HousekeepingBitmapsEnabled is always true. It cannot be changed.
	HousekeepingBitmapsEnabled bool `json:"housekeeping_bitmaps_enabled"`
	// HousekeepingEnabled tidies repositories after HousekeepingOptimizeRepositoryPeriod
	// pushes. True by default.
	HousekeepingEnabled bool `json:"housekeeping_enabled"`
	// HousekeepingFullRepackPeriod is a number of pushes. Deprecated since 15.8: it has the
	// value of HousekeepingOptimizeRepositoryPeriod.
	HousekeepingFullRepackPeriod int `json:"housekeeping_full_repack_period"`
	// HousekeepingGCPeriod is a number of pushes. Deprecated since 15.8: it has the value of
	// HousekeepingOptimizeRepositoryPeriod.
	HousekeepingGCPeriod int `json:"housekeeping_gc_period"`
	// HousekeepingIncrementalRepackPeriod is a number of pushes. Deprecated since 15.8: it has
	// the value of HousekeepingOptimizeRepositoryPeriod.
	HousekeepingIncrementalRepackPeriod int `json:"housekeeping_incremental_repack_period"`
	// HousekeepingOptimizeRepositoryPeriod is the number of pushes after which a repository is
	// tidied. Nil means the default.
	HousekeepingOptimizeRepositoryPeriod *int `json:"housekeeping_optimize_repository_period"`
	// MirrorAvailable lets maintainers set up mirrors. True by default. Premium.
	MirrorAvailable bool `json:"mirror_available"`
	// MirrorCapacityThreshold is the number of free places from which more mirrors are
	// scheduled. It must be less than MirrorMaxCapacity. The configuration of the instance has
	// the default. Premium: lower tiers do not have it.
	MirrorCapacityThreshold int `json:"mirror_capacity_threshold"`
	// MirrorMaxCapacity is the maximum number of mirrors that are updated at the same time.
	// The configuration of the instance has the default. Premium: lower tiers do not have it.
	MirrorMaxCapacity int `json:"mirror_max_capacity"`
	// MirrorMaxDelay is the maximum time in minutes between two updates of a mirror. The
	// configuration of the instance has the default. Premium: lower tiers do not have it.
	MirrorMaxDelay int `json:"mirror_max_delay"`
	// PushEventActivitiesLimit is the number of branches in a push up to which each has an
	// event of its own. 0 means that one event always stands for all. The default is 3.
	PushEventActivitiesLimit int `json:"push_event_activities_limit"`
	// PushEventHooksLimit is the number of branches in a push up to which hooks are called. 0
	// means that hooks are never called. The default is 3.
	PushEventHooksLimit int `json:"push_event_hooks_limit"`
	// ReceiveMaxInputSize limits a push, in megabytes. Nil means no limit.
	ReceiveMaxInputSize *int64 `json:"receive_max_input_size"`
	// RepositoryChecksEnabled checks repositories for damage. True by default.
	RepositoryChecksEnabled bool `json:"repository_checks_enabled"`
	// RepositorySizeLimit limits each repository, in megabytes. 0 means no limit. The default
	// is 0. Premium.
	RepositorySizeLimit int64 `json:"repository_size_limit"`
	// RepositoryStorages has the names of the storages for new projects. Replaced by
	// RepositoryStoragesWeighted.
	RepositoryStorages []string `json:"repository_storages"`
	// RepositoryStoragesWeighted has the share of new projects that each storage gets, from 0
	// to 100, by the name of the storage.
	RepositoryStoragesWeighted map[string]int `json:"repository_storages_weighted"`

	// CI/CD.

	// ArchiveBuildsInHumanReadable is the age from which jobs cannot be retried, such as "30
	// days". "" means never.
	ArchiveBuildsInHumanReadable string `json:"archive_builds_in_human_readable"`
	// AutoDevOpsDomain is the domain to which Auto DevOps deploys.
	AutoDevOpsDomain string `json:"auto_devops_domain"`
	// AutoDevOpsEnabled lets projects without a CI/CD configuration use that of Auto DevOps.
	// True by default.
	AutoDevOpsEnabled bool `json:"auto_devops_enabled"`
	// CICDCatalogProjectsAllowlist has the paths of the projects that may publish to the CI/CD
	// catalog. Paid tiers.
	CICDCatalogProjectsAllowlist []string `json:"ci_cd_catalog_projects_allowlist"`
	// CICDCatalogProjectsAllowlistRaw is CICDCatalogProjectsAllowlist as text, with one path
	// on a line. Paid tiers.
	CICDCatalogProjectsAllowlistRaw string `json:"ci_cd_catalog_projects_allowlist_raw"`
	// CIDeletePipelinesInSecondsLimitHumanReadable is the longest time for which a project may
	// keep pipelines, such as "1 year". The default is "1 year".
	CIDeletePipelinesInSecondsLimitHumanReadable string `json:"ci_delete_pipelines_in_seconds_limit_human_readable"`
	// CIJobLiveTraceEnabled stores logs while jobs run.
	CIJobLiveTraceEnabled bool `json:"ci_job_live_trace_enabled"`
	// CIMaxIncludes is the maximum number of files that a pipeline includes. The default is
	// 150.
	CIMaxIncludes int `json:"ci_max_includes"`
	// CIMaxTotalYAMLSizeBytes is the maximum memory in bytes for a configuration with all
	// files that it includes. The default is 314572800.
	CIMaxTotalYAMLSizeBytes int64 `json:"ci_max_total_yaml_size_bytes"`
	// CIPartitionsSizeLimit is the maximum size in bytes of a database partition of pipelines.
	// The default is 107374182400.
	CIPartitionsSizeLimit int64 `json:"ci_partitions_size_limit"`
	// DefaultArtifactsExpireIn is the lifetime of artifacts, such as "30 days". "0" means that
	// they never expire. The default is "30 days".
	DefaultArtifactsExpireIn string `json:"default_artifacts_expire_in"`
	// DownstreamPipelineTriggerLimitPerProjectUserSHA is the maximum number of pipelines per
	// minute that those of one commit trigger. 0 means no limit. The default is 0. Since
	// 16.10.
	DownstreamPipelineTriggerLimitPerProjectUserSHA int `json:"downstream_pipeline_trigger_limit_per_project_user_sha"`
	// EnableArtifactExternalRedirectWarningPage warns users before they leave the instance for
	// published artifacts. True by default.
	EnableArtifactExternalRedirectWarningPage bool `json:"enable_artifact_external_redirect_warning_page"`
	// EnforceCIInboundJobTokenScopeEnabled makes every project limit access by job tokens to
	// its allowlist. True by default.
	EnforceCIInboundJobTokenScopeEnabled bool `json:"enforce_ci_inbound_job_token_scope_enabled"`
	// KeepLatestArtifact keeps the artifacts of the newest pipeline of each ref, even if they
	// have expired. True by default.
	KeepLatestArtifact bool `json:"keep_latest_artifact"`
	// MaxArtifactsContentIncludeSize is the maximum size in bytes of artifacts that a
	// configuration includes. The default is 5242880.
	MaxArtifactsContentIncludeSize int64 `json:"max_artifacts_content_include_size"`
	// MaxArtifactsSize limits the artifacts of a job, in megabytes. The configuration of the
	// instance has the default.
	MaxArtifactsSize int64 `json:"max_artifacts_size"`
	// MaxYAMLDepth is the maximum nesting of a configuration. The default is 100.
	MaxYAMLDepth int `json:"max_yaml_depth"`
	// MaxYAMLSizeBytes is the maximum size of a configuration in bytes. The default is
	// 2097152.
	MaxYAMLSizeBytes int64 `json:"max_yaml_size_bytes"`
	// PipelineLimitPerProjectUserSHA is the maximum number of pipelines of a user for one
	// commit per minute. 0 means no limit. The default is 0.
	PipelineLimitPerProjectUserSHA int `json:"pipeline_limit_per_project_user_sha"`
	// PipelineLimitPerUser is the maximum number of pipelines of a user per minute. 0 means no
	// limit. The default is 0.
	PipelineLimitPerUser int `json:"pipeline_limit_per_user"`
	// ProtectedCIVariables makes new CI/CD variables protected. True by default.
	ProtectedCIVariables bool `json:"protected_ci_variables"`

	// Runners.

	// AllowRunnerRegistrationToken lets runners register with registration tokens. True by
	// default.
	AllowRunnerRegistrationToken bool `json:"allow_runner_registration_token"`
	// GroupRunnerTokenExpirationInterval is the lifetime in seconds of the tokens of group
	// runners. Nil means no limit.
	GroupRunnerTokenExpirationInterval *int64 `json:"group_runner_token_expiration_interval"`
	// ProjectRunnerTokenExpirationInterval is the lifetime in seconds of the tokens of project
	// runners. Nil means no limit.
	ProjectRunnerTokenExpirationInterval *int64 `json:"project_runner_token_expiration_interval"`
	// RunnerTokenExpirationInterval is the lifetime in seconds of the tokens of instance
	// runners. Nil means no limit.
	RunnerTokenExpirationInterval *int64 `json:"runner_token_expiration_interval"`
	// SharedRunnersEnabled lets new projects use the runners of the instance. The
	// configuration of the instance has the default.
	SharedRunnersEnabled bool `json:"shared_runners_enabled"`
	// SharedRunnersMinutes is the number of minutes per month for which the projects of a
	// top-level group may use the runners of the instance. 0 means no limit. The default is 0.
	// Premium.
	SharedRunnersMinutes int `json:"shared_runners_minutes"`
	// SharedRunnersText tells users about the runners of the instance.
	SharedRunnersText string `json:"shared_runners_text"`
	// UpdateRunnerVersionsEnabled fetches the list of released versions of the runner. True by
	// default.
	UpdateRunnerVersionsEnabled bool `json:"update_runner_versions_enabled"`
	// ValidRunnerRegistrars says who may register runners: "project" and "group".
	ValidRunnerRegistrars []string `json:"valid_runner_registrars"`

	// Packages and the container registry.

	// ContainerExpirationPoliciesEnableHistoricEntries allows cleanup policies for projects
	// that are older than such policies.
	ContainerExpirationPoliciesEnableHistoricEntries bool `json:"container_expiration_policies_enable_historic_entries"`
	// ContainerRegistryCleanupTagsServiceMaxListSize is the maximum number of tags that one
	// cleanup deletes. The default is 200.
	ContainerRegistryCleanupTagsServiceMaxListSize int `json:"container_registry_cleanup_tags_service_max_list_size"`
	// ContainerRegistryDeleteTagsServiceTimeout is the time limit in seconds for deleting a
	// batch of tags. The default is 250.
	ContainerRegistryDeleteTagsServiceTimeout int64 `json:"container_registry_delete_tags_service_timeout"`
	// ContainerRegistryExpirationPoliciesCaching uses a cache during cleanups. True by
	// default.
	ContainerRegistryExpirationPoliciesCaching bool `json:"container_registry_expiration_policies_caching"`
	// ContainerRegistryExpirationPoliciesWorkerCapacity is the maximum number of cleanups at
	// the same time. The default is 4.
	ContainerRegistryExpirationPoliciesWorkerCapacity int `json:"container_registry_expiration_policies_worker_capacity"`
	// ContainerRegistryImportCreatedBefore is no longer used, and always "". It cannot be
	// changed.
	ContainerRegistryImportCreatedBefore string `json:"container_registry_import_created_before"`
	// ContainerRegistryImportMaxRetries is no longer used, and always 0. It cannot be changed.
	ContainerRegistryImportMaxRetries int `json:"container_registry_import_max_retries"`
	// ContainerRegistryImportMaxStepDuration is no longer used, and always 0. It cannot be
	// changed.
	ContainerRegistryImportMaxStepDuration int `json:"container_registry_import_max_step_duration"`
	// ContainerRegistryImportMaxTagsCount is no longer used, and always 0. It cannot be
	// changed.
	ContainerRegistryImportMaxTagsCount int `json:"container_registry_import_max_tags_count"`
	// ContainerRegistryImportStartMaxRetries is no longer used, and always 0. It cannot be
	// changed.
	ContainerRegistryImportStartMaxRetries int `json:"container_registry_import_start_max_retries"`
	// ContainerRegistryImportTargetPlan is no longer used, and always "". It cannot be
	// changed.
	ContainerRegistryImportTargetPlan string `json:"container_registry_import_target_plan"`
	// ContainerRegistryImportTimeout is no longer used, and always 0. It cannot be changed.
	ContainerRegistryImportTimeout int `json:"container_registry_import_timeout"`
	// ContainerRegistryPreImportTagsRate is no longer used, and always 0. It cannot be
	// changed.
	ContainerRegistryPreImportTagsRate int `json:"container_registry_pre_import_tags_rate"`
	// ContainerRegistryPreImportTimeout is no longer used, and always 0. It cannot be changed.
	ContainerRegistryPreImportTimeout int `json:"container_registry_pre_import_timeout"`
	// ContainerRegistryTokenExpireDelay is the lifetime of a token of the registry, in
	// minutes. The default is 5.
	ContainerRegistryTokenExpireDelay int `json:"container_registry_token_expire_delay"`
	// HelmMaxPackagesCount is the maximum number of Helm packages in the index of a channel,
	// at least 1. The default is 1000.
	HelmMaxPackagesCount int `json:"helm_max_packages_count"`
	// MavenPackageRequestsForwarding fetches unknown Maven packages from the public registry.
	// True by default. Premium: lower tiers do not have it.
	MavenPackageRequestsForwarding bool `json:"maven_package_requests_forwarding"`
	// NPMPackageRequestsForwarding fetches unknown npm packages from the public registry. True
	// by default. Premium: lower tiers do not have it.
	NPMPackageRequestsForwarding bool `json:"npm_package_requests_forwarding"`
	// NuGetSkipMetadataURLValidation accepts NuGet packages with invalid addresses in their
	// metadata. Since 17.0.
	NuGetSkipMetadataURLValidation bool `json:"nuget_skip_metadata_url_validation"`
	// PackageRegistryAllowAnyoneToPullOption lets projects allow everybody to pull their
	// packages. True by default.
	PackageRegistryAllowAnyoneToPullOption bool `json:"package_registry_allow_anyone_to_pull_option"`
	// PackageRegistryCleanupPoliciesWorkerCapacity is the maximum number of cleanups of
	// packages at the same time. The default is 2.
	PackageRegistryCleanupPoliciesWorkerCapacity int `json:"package_registry_cleanup_policies_worker_capacity"`
	// PyPIPackageRequestsForwarding fetches unknown Python packages from the public registry.
	// True by default. Premium: lower tiers do not have it.
	PyPIPackageRequestsForwarding bool `json:"pypi_package_requests_forwarding"`
	// VirtualRegistriesEndpointsAPILimit is the maximum number of requests to virtual
	// registries in 15 seconds for each IP address. 0 means no limit. The default is 1000.
	// Since 17.11. Paid tiers: Free does not have it.
	VirtualRegistriesEndpointsAPILimit int `json:"virtual_registries_endpoints_api_limit"`

	// Static sites.

	// ForcePagesAccessControl allows no public sites.
	ForcePagesAccessControl bool `json:"force_pages_access_control"`
	// MaxPagesCustomDomainsPerProject is the maximum number of custom domains of a project. 0
	// means no limit. The default is 0.
	MaxPagesCustomDomainsPerProject int `json:"max_pages_custom_domains_per_project"`
	// MaxPagesSize limits a site, in megabytes. 0 means no limit. The default is 100.
	MaxPagesSize int64 `json:"max_pages_size"`
	// PagesDomainVerificationEnabled makes users prove that a custom domain is theirs. True by
	// default.
	PagesDomainVerificationEnabled bool `json:"pages_domain_verification_enabled"`
	// PagesExtraDeploymentsDefaultExpirySeconds is the lifetime in seconds of further
	// deployments of a site. The default is 86400.
	PagesExtraDeploymentsDefaultExpirySeconds int64 `json:"pages_extra_deployments_default_expiry_seconds"`
	// PagesUniqueDomainDefaultEnabled gives new sites a domain of their own. True by default.
	PagesUniqueDomainDefaultEnabled bool `json:"pages_unique_domain_default_enabled"`

	// Imports and exports.

	// AllowBypassPlaceholderConfirmation lets administrators reassign contributions of
	// placeholder users without consent. Since 18.0.
	AllowBypassPlaceholderConfirmation bool `json:"allow_bypass_placeholder_confirmation"`
	// AllowContributionMappingToAdmins lets imported contributions be assigned to
	// administrators.
	AllowContributionMappingToAdmins bool `json:"allow_contribution_mapping_to_admins"`
	// AllowS3CompatibleStorageForOfflineTransfer lets offline transfers use storage that is
	// compatible with S3. Since 18.9.
	AllowS3CompatibleStorageForOfflineTransfer bool `json:"allow_s3_compatible_storage_for_offline_transfer"`
	// BulkImportConcurrentPipelineBatchLimit is the maximum number of batches of a direct
	// transfer at the same time. The default is 25.
	BulkImportConcurrentPipelineBatchLimit int `json:"bulk_import_concurrent_pipeline_batch_limit"`
	// BulkImportEnabled lets users move groups and projects by direct transfer.
	BulkImportEnabled bool `json:"bulk_import_enabled"`
	// BulkImportMaxDownloadFileSize is the maximum size of a file in a direct transfer, in
	// megabytes. The default is 5120. Since 16.3.
	BulkImportMaxDownloadFileSize int64 `json:"bulk_import_max_download_file_size"`
	// ConcurrentBitbucketImportJobsLimit is the maximum number of jobs of an import from
	// Bitbucket at the same time. The default is 100. Since 16.11.
	ConcurrentBitbucketImportJobsLimit int `json:"concurrent_bitbucket_import_jobs_limit"`
	// ConcurrentBitbucketServerImportJobsLimit is the maximum number of jobs of an import from
	// Bitbucket Server at the same time. The default is 100. Since 16.11.
	ConcurrentBitbucketServerImportJobsLimit int `json:"concurrent_bitbucket_server_import_jobs_limit"`
	// ConcurrentGitHubImportJobsLimit is the maximum number of jobs of an import from GitHub
	// at the same time. The default is 1000. Since 16.11.
	ConcurrentGitHubImportJobsLimit int `json:"concurrent_github_import_jobs_limit"`
	// ConcurrentRelationBatchExportLimit is the maximum number of batches of an export at the
	// same time. The default is 8. Since 17.6.
	ConcurrentRelationBatchExportLimit int `json:"concurrent_relation_batch_export_limit"`
	// DecompressArchiveFileTimeout is the time limit for unpacking an archive, in seconds. 0
	// means no limit. The default is 210. Since 16.4.
	DecompressArchiveFileTimeout int64 `json:"decompress_archive_file_timeout"`
	// ImportSources are the sources that projects can be imported from, such as "git" and
	// "gitea". The configuration of the instance has the default.
	ImportSources []string `json:"import_sources"`
	// MaxDecompressedArchiveSize limits an unpacked import, in megabytes. 0 means no limit.
	// The default is 25600.
	MaxDecompressedArchiveSize int64 `json:"max_decompressed_archive_size"`
	// MaxExportSize limits an export, in megabytes. 0 means no limit. The default is 0.
	MaxExportSize int64 `json:"max_export_size"`
	// MaxGitHubResponseJSONValueCount is the maximum number of values in a response of GitHub.
	// 0 means no limit. The default is 250000.
	MaxGitHubResponseJSONValueCount int `json:"max_github_response_json_value_count"`
	// MaxGitHubResponseSizeLimit limits a response of GitHub, in megabytes. 0 means no limit.
	// The default is 8.
	MaxGitHubResponseSizeLimit int64 `json:"max_github_response_size_limit"`
	// MaxImportRemoteFileSize limits an import from object storage, in megabytes. 0 means no
	// limit. The default is 10240. Since 16.3.
	MaxImportRemoteFileSize int64 `json:"max_import_remote_file_size"`
	// MaxImportSize limits an import, in megabytes. 0 means no limit. The default is 0.
	MaxImportSize int64 `json:"max_import_size"`
	// ProjectExportEnabled lets users export projects. True by default.
	ProjectExportEnabled bool `json:"project_export_enabled"`
	// RelationExportBatchSize is the number of objects in a batch of an export. The default is
	// 50. Since 18.2.
	RelationExportBatchSize int `json:"relation_export_batch_size"`
	// SilentAdminExportsEnabled sends no email about exports that administrators start. Since
	// 17.0.
	SilentAdminExportsEnabled bool `json:"silent_admin_exports_enabled"`

	// Limits of content.

	// AsciiDocMaxIncludes is the maximum number of files that an AsciiDoc text includes, at
	// most 64. The default is 32.
	AsciiDocMaxIncludes int `json:"asciidoc_max_includes"`
	// MathRenderingLimitsEnabled limits the formulas in texts. True by default.
	MathRenderingLimitsEnabled bool `json:"math_rendering_limits_enabled"`
	// MaxAttachmentSize limits an attachment, in megabytes. The configuration of the instance
	// has the default.
	MaxAttachmentSize int64 `json:"max_attachment_size"`
	// MaxTerraformStateSizeBytes limits a Terraform state, in bytes. 0 means no limit. The
	// default is 0.
	MaxTerraformStateSizeBytes int64 `json:"max_terraform_state_size_bytes"`
	// SnippetSizeLimit limits a file of a snippet, in bytes. The default is 52428800.
	SnippetSizeLimit int64 `json:"snippet_size_limit"`
	// TerraformStateEncryptionEnabled encrypts Terraform states. True by default. Since about
	// 18.4.
	TerraformStateEncryptionEnabled bool `json:"terraform_state_encryption_enabled"`
	// WikiAsciiDocAllowURIIncludes lets AsciiDoc pages of wikis include addresses.
	WikiAsciiDocAllowURIIncludes bool `json:"wiki_asciidoc_allow_uri_includes"`
	// WikiPageMaxContentBytes limits a page of a wiki, in bytes: at least 1024. The default is
	// 5242880.
	WikiPageMaxContentBytes int64 `json:"wiki_page_max_content_bytes"`

	// Rate limits of the API and of pages.

	// AIActionAPIRateLimit is the maximum number of AI actions of a user in 8 hours. The
	// default is 160.
	AIActionAPIRateLimit int `json:"ai_action_api_rate_limit"`
	// AutocompleteUsersLimit is the maximum number of user searches in pages per minute, for
	// each user. The default is 300.
	AutocompleteUsersLimit int `json:"autocomplete_users_limit"`
	// AutocompleteUsersUnauthenticatedLimit is the maximum number of user searches in pages
	// per minute without a user, for each IP address. The default is 100.
	AutocompleteUsersUnauthenticatedLimit int `json:"autocomplete_users_unauthenticated_limit"`
	// CodeSuggestionsAPIRateLimit is the maximum number of code suggestions of a user per
	// minute. The default is 60.
	CodeSuggestionsAPIRateLimit int `json:"code_suggestions_api_rate_limit"`
	// CreateOrganizationAPILimit is the maximum number of new organizations per minute. The
	// default is 10.
	CreateOrganizationAPILimit int `json:"create_organization_api_limit"`
	// DependencyScanningSBOMScanAPIDownloadLimit is the maximum number of downloads of scan
	// results, probably per hour. The default is 6000. Paid tiers: Free does not have it.
	DependencyScanningSBOMScanAPIDownloadLimit int `json:"dependency_scanning_sbom_scan_api_download_limit"`
	// DependencyScanningSBOMScanAPIUploadLimit is the maximum number of uploads for a scan,
	// probably per hour. The default is 400. Paid tiers: Free does not have it.
	DependencyScanningSBOMScanAPIUploadLimit int `json:"dependency_scanning_sbom_scan_api_upload_limit"`
	// GroupAPILimit is the maximum number of requests for a group per minute. The default is
	// 400.
	GroupAPILimit int `json:"group_api_limit"`
	// GroupArchiveUnarchiveAPILimit is the maximum number of times that groups are archived or
	// unarchived per minute. The default is 60.
	GroupArchiveUnarchiveAPILimit int `json:"group_archive_unarchive_api_limit"`
	// GroupDownloadExportLimit is the maximum number of downloads of exports of groups per
	// minute, for each user. The default is 1.
	GroupDownloadExportLimit int `json:"group_download_export_limit"`
	// GroupExportLimit is the maximum number of exports of groups per minute, for each user.
	// The default is 6.
	GroupExportLimit int `json:"group_export_limit"`
	// GroupImportLimit is the maximum number of imports of groups per minute, for each user.
	// The default is 6.
	GroupImportLimit int `json:"group_import_limit"`
	// GroupInvitedGroupsAPILimit is the maximum number of requests for the invited groups of a
	// group per minute. The default is 60.
	GroupInvitedGroupsAPILimit int `json:"group_invited_groups_api_limit"`
	// GroupProjectsAPILimit is the maximum number of requests for the projects of a group per
	// minute. The default is 600.
	GroupProjectsAPILimit int `json:"group_projects_api_limit"`
	// GroupSharedGroupsAPILimit is the maximum number of requests for the groups that are
	// shared with a group per minute. The default is 60.
	GroupSharedGroupsAPILimit int `json:"group_shared_groups_api_limit"`
	// GroupsAPILimit is the maximum number of requests for the list of groups per minute. The
	// default is 200.
	GroupsAPILimit int `json:"groups_api_limit"`
	// IssuesCreateLimit is the maximum number of new issues per minute, for each user. 0 means
	// no limit. Older instances start with 0. The default is 300.
	IssuesCreateLimit int `json:"issues_create_limit"`
	// MembersDeleteLimit is the maximum number of members that are removed per minute. The
	// default is 60.
	MembersDeleteLimit int `json:"members_delete_limit"`
	// NotesCreateLimit is the maximum number of new notes per minute, for each user. 0 means
	// no limit. The default is 300.
	NotesCreateLimit int `json:"notes_create_limit"`
	// NotesCreateLimitAllowlistRaw has the usernames without that limit, one on a line.
	NotesCreateLimitAllowlistRaw string `json:"notes_create_limit_allowlist_raw"`
	// ProjectAPILimit is the maximum number of requests for a project per minute. The default
	// is 400.
	ProjectAPILimit int `json:"project_api_limit"`
	// ProjectDownloadExportLimit is the maximum number of downloads of exports of projects per
	// minute, for each user. The default is 1.
	ProjectDownloadExportLimit int `json:"project_download_export_limit"`
	// ProjectExportLimit is the maximum number of exports of projects per minute, for each
	// user. The default is 6.
	ProjectExportLimit int `json:"project_export_limit"`
	// ProjectImportLimit is the maximum number of imports of projects per minute, for each
	// user. The default is 6.
	ProjectImportLimit int `json:"project_import_limit"`
	// ProjectInvitedGroupsAPILimit is the maximum number of requests for the invited groups of
	// a project per minute. The default is 60.
	ProjectInvitedGroupsAPILimit int `json:"project_invited_groups_api_limit"`
	// ProjectJobsAPIRateLimit is the maximum number of requests for the jobs of a project per
	// minute. The default is 600. Since 16.5.
	ProjectJobsAPIRateLimit int `json:"project_jobs_api_rate_limit"`
	// ProjectMembersAPILimit is the maximum number of requests for the members of a project
	// per minute. The default is 200.
	ProjectMembersAPILimit int `json:"project_members_api_limit"`
	// ProjectsAPILimit is the maximum number of requests for the list of projects in 10
	// minutes. The default is 2000.
	ProjectsAPILimit int `json:"projects_api_limit"`
	// ProjectsAPIRateLimitUnauthenticated is the maximum number of requests for the list of
	// projects in 10 minutes without a user, for each IP address. 0 means no limit. The
	// default is 400.
	ProjectsAPIRateLimitUnauthenticated int `json:"projects_api_rate_limit_unauthenticated"`
	// RateLimitingResponseText is the text of responses with status 429.
	RateLimitingResponseText string `json:"rate_limiting_response_text"`
	// RawBlobRequestLimit is the maximum number of requests for raw files per minute, for each
	// path. 0 means no limit. The default is 300.
	RawBlobRequestLimit int `json:"raw_blob_request_limit"`
	// RunnerJobsEndpointsAPILimit is the maximum number of calls of runners about a job per
	// minute, for each job token. The default is 200. Since 18.5.
	RunnerJobsEndpointsAPILimit int `json:"runner_jobs_endpoints_api_limit"`
	// RunnerJobsPatchTraceAPILimit is the maximum number of times that a runner appends to
	// logs per minute, for each runner token. The default is 200. Since 18.5.
	RunnerJobsPatchTraceAPILimit int `json:"runner_jobs_patch_trace_api_limit"`
	// RunnerJobsRequestAPILimit is the maximum number of times that a runner asks for jobs per
	// minute, for each runner token. The default is 2000. Since 18.5.
	RunnerJobsRequestAPILimit int `json:"runner_jobs_request_api_limit"`
	// SearchRateLimit is the maximum number of searches per minute, for each user. 0 means no
	// limit. The default is 300.
	SearchRateLimit int `json:"search_rate_limit"`
	// SearchRateLimitAllowlistRaw has the usernames without that limit, one on a line.
	SearchRateLimitAllowlistRaw string `json:"search_rate_limit_allowlist_raw"`
	// SearchRateLimitUnauthenticated is the maximum number of searches per minute without a
	// user, for each IP address. 0 means no limit. The default is 100.
	SearchRateLimitUnauthenticated int `json:"search_rate_limit_unauthenticated"`
	// UserContributedProjectsAPILimit is the maximum number of requests per minute for the
	// projects that a user contributed to. The default is 100.
	UserContributedProjectsAPILimit int `json:"user_contributed_projects_api_limit"`
	// UserEmailLookupLimit is the maximum number of searches for addresses per minute.
	// Replaced by SearchRateLimit. It is nil if the instance does not have it.
	UserEmailLookupLimit *int `json:"user_email_lookup_limit"`
	// UserProjectsAPILimit is the maximum number of requests per minute for the projects of a
	// user. The default is 300.
	UserProjectsAPILimit int `json:"user_projects_api_limit"`
	// UserStarredProjectsAPILimit is the maximum number of requests per minute for the starred
	// projects of a user. The default is 100.
	UserStarredProjectsAPILimit int `json:"user_starred_projects_api_limit"`
	// UsersAPILimitFollowers is the maximum number of requests per minute for the followers of
	// a user, for each user or IP address. 0 means no limit. The default is 100. Since 17.10.
	UsersAPILimitFollowers int `json:"users_api_limit_followers"`
	// UsersAPILimitFollowing is the maximum number of requests per minute for the users that a
	// user follows, for each user or IP address. 0 means no limit. The default is 100. Since
	// 17.10.
	UsersAPILimitFollowing int `json:"users_api_limit_following"`
	// UsersAPILimitGPGKey is the maximum number of requests per minute for a GPG key of a
	// user, for each user or IP address. 0 means no limit. The default is 120. Since 17.10.
	UsersAPILimitGPGKey int `json:"users_api_limit_gpg_key"`
	// UsersAPILimitGPGKeys is the maximum number of requests per minute for the GPG keys of a
	// user, for each user or IP address. 0 means no limit. The default is 120. Since 17.10.
	UsersAPILimitGPGKeys int `json:"users_api_limit_gpg_keys"`
	// UsersAPILimitSSHKey is the maximum number of requests per minute for an SSH key of a
	// user, for each user or IP address. 0 means no limit. The default is 120.
	UsersAPILimitSSHKey int `json:"users_api_limit_ssh_key"`
	// UsersAPILimitSSHKeys is the maximum number of requests per minute for the SSH keys of a
	// user, for each user or IP address. 0 means no limit. The default is 120.
	UsersAPILimitSSHKeys int `json:"users_api_limit_ssh_keys"`
	// UsersAPILimitStatus is the maximum number of requests per minute for the status of a
	// user, for each user or IP address. 0 means no limit. The default is 240. Since 17.10.
	UsersAPILimitStatus int `json:"users_api_limit_status"`
	// UsersGetByIDLimit is the maximum number of requests for users by ID in 10 minutes, for
	// each user. 0 means no limit. The default is 300.
	UsersGetByIDLimit int `json:"users_get_by_id_limit"`
	// UsersGetByIDLimitAllowlistRaw has the usernames without that limit, one on a line.
	UsersGetByIDLimitAllowlistRaw string `json:"users_get_by_id_limit_allowlist_raw"`

	// Throttling.

	// ProtectedPathsForGetRequestRaw has the paths that ThrottleProtectedPathsEnabled limits
	// for GET requests, one on a line.
	ProtectedPathsForGetRequestRaw string `json:"protected_paths_for_get_request_raw"`
	// ProtectedPathsRaw has the paths that ThrottleProtectedPathsEnabled limits for POST
	// requests, one on a line. The default is twelve paths for signing in.
	ProtectedPathsRaw string `json:"protected_paths_raw"`
	// ThrottleAuthenticatedAPIEnabled limits the requests of each user to the API.
	ThrottleAuthenticatedAPIEnabled bool `json:"throttle_authenticated_api_enabled"`
	// ThrottleAuthenticatedAPIPeriodInSeconds is the period of that limit, in seconds. The
	// default is 3600.
	ThrottleAuthenticatedAPIPeriodInSeconds int64 `json:"throttle_authenticated_api_period_in_seconds"`
	// ThrottleAuthenticatedAPIRequestsPerPeriod is the maximum number of such requests in that
	// period. The default is 7200.
	ThrottleAuthenticatedAPIRequestsPerPeriod int `json:"throttle_authenticated_api_requests_per_period"`
	// ThrottleAuthenticatedDeprecatedAPIEnabled limits the requests of each user to deprecated
	// endpoints of the API.
	ThrottleAuthenticatedDeprecatedAPIEnabled bool `json:"throttle_authenticated_deprecated_api_enabled"`
	// ThrottleAuthenticatedDeprecatedAPIPeriodInSeconds is the period of that limit, in
	// seconds. The default is 3600.
	ThrottleAuthenticatedDeprecatedAPIPeriodInSeconds int64 `json:"throttle_authenticated_deprecated_api_period_in_seconds"`
	// ThrottleAuthenticatedDeprecatedAPIRequestsPerPeriod is the maximum number of such
	// requests in that period. The default is 3600.
	ThrottleAuthenticatedDeprecatedAPIRequestsPerPeriod int `json:"throttle_authenticated_deprecated_api_requests_per_period"`
	// ThrottleAuthenticatedFilesAPIEnabled limits the requests of each user to the API of
	// repository files.
	ThrottleAuthenticatedFilesAPIEnabled bool `json:"throttle_authenticated_files_api_enabled"`
	// ThrottleAuthenticatedFilesAPIPeriodInSeconds is the period of that limit, in seconds.
	// The default is 15.
	ThrottleAuthenticatedFilesAPIPeriodInSeconds int64 `json:"throttle_authenticated_files_api_period_in_seconds"`
	// ThrottleAuthenticatedFilesAPIRequestsPerPeriod is the maximum number of such requests in
	// that period. The default is 500.
	ThrottleAuthenticatedFilesAPIRequestsPerPeriod int `json:"throttle_authenticated_files_api_requests_per_period"`
	// ThrottleAuthenticatedGitHTTPEnabled limits the requests of each user for Git over HTTP.
	ThrottleAuthenticatedGitHTTPEnabled bool `json:"throttle_authenticated_git_http_enabled"`
	// ThrottleAuthenticatedGitHTTPPeriodInSeconds is the period of that limit, in seconds. The
	// default is 3600.
	ThrottleAuthenticatedGitHTTPPeriodInSeconds int64 `json:"throttle_authenticated_git_http_period_in_seconds"`
	// ThrottleAuthenticatedGitHTTPRequestsPerPeriod is the maximum number of such requests in
	// that period. The default is 3600.
	ThrottleAuthenticatedGitHTTPRequestsPerPeriod int `json:"throttle_authenticated_git_http_requests_per_period"`
	// ThrottleAuthenticatedGitLFSEnabled limits the requests of each user for Git LFS.
	ThrottleAuthenticatedGitLFSEnabled bool `json:"throttle_authenticated_git_lfs_enabled"`
	// ThrottleAuthenticatedGitLFSPeriodInSeconds is the period of that limit, in seconds. The
	// default is 60.
	ThrottleAuthenticatedGitLFSPeriodInSeconds int64 `json:"throttle_authenticated_git_lfs_period_in_seconds"`
	// ThrottleAuthenticatedGitLFSRequestsPerPeriod is the maximum number of such requests in
	// that period. The default is 1000.
	ThrottleAuthenticatedGitLFSRequestsPerPeriod int `json:"throttle_authenticated_git_lfs_requests_per_period"`
	// ThrottleAuthenticatedPackagesAPIEnabled limits the requests of each user to the API of
	// packages.
	ThrottleAuthenticatedPackagesAPIEnabled bool `json:"throttle_authenticated_packages_api_enabled"`
	// ThrottleAuthenticatedPackagesAPIPeriodInSeconds is the period of that limit, in seconds.
	// The default is 15.
	ThrottleAuthenticatedPackagesAPIPeriodInSeconds int64 `json:"throttle_authenticated_packages_api_period_in_seconds"`
	// ThrottleAuthenticatedPackagesAPIRequestsPerPeriod is the maximum number of such requests
	// in that period. The default is 1000.
	ThrottleAuthenticatedPackagesAPIRequestsPerPeriod int `json:"throttle_authenticated_packages_api_requests_per_period"`
	// ThrottleAuthenticatedWebEnabled limits the requests of each user to pages.
	ThrottleAuthenticatedWebEnabled bool `json:"throttle_authenticated_web_enabled"`
	// ThrottleAuthenticatedWebPeriodInSeconds is the period of that limit, in seconds. The
	// default is 3600.
	ThrottleAuthenticatedWebPeriodInSeconds int64 `json:"throttle_authenticated_web_period_in_seconds"`
	// ThrottleAuthenticatedWebRequestsPerPeriod is the maximum number of such requests in that
	// period. The default is 7200.
	ThrottleAuthenticatedWebRequestsPerPeriod int `json:"throttle_authenticated_web_requests_per_period"`
	// ThrottleIncidentManagementNotificationEnabled limits the alerts that projects take. Paid
	// tiers.
	ThrottleIncidentManagementNotificationEnabled bool `json:"throttle_incident_management_notification_enabled"`
	// ThrottleIncidentManagementNotificationPerPeriod is the maximum number of alerts within
	// ThrottleIncidentManagementNotificationPeriodInSeconds. The default is 3600. Paid tiers.
	ThrottleIncidentManagementNotificationPerPeriod int `json:"throttle_incident_management_notification_per_period"`
	// ThrottleIncidentManagementNotificationPeriodInSeconds is the period of that limit, in
	// seconds. The default is 3600. Paid tiers.
	ThrottleIncidentManagementNotificationPeriodInSeconds int64 `json:"throttle_incident_management_notification_period_in_seconds"`
	// ThrottleProtectedPathsEnabled limits requests to protected paths more strictly.
	ThrottleProtectedPathsEnabled bool `json:"throttle_protected_paths_enabled"`
	// ThrottleProtectedPathsPeriodInSeconds is the period of that limit, in seconds. The
	// default is 60.
	ThrottleProtectedPathsPeriodInSeconds int64 `json:"throttle_protected_paths_period_in_seconds"`
	// ThrottleProtectedPathsRequestsPerPeriod is the maximum number of requests in that
	// period. The default is 10.
	ThrottleProtectedPathsRequestsPerPeriod int `json:"throttle_protected_paths_requests_per_period"`
	// ThrottleUnauthenticatedAPIEnabled limits the requests without a user to the API, for
	// each IP address.
	ThrottleUnauthenticatedAPIEnabled bool `json:"throttle_unauthenticated_api_enabled"`
	// ThrottleUnauthenticatedAPIPeriodInSeconds is the period of that limit, in seconds. The
	// default is 3600.
	ThrottleUnauthenticatedAPIPeriodInSeconds int64 `json:"throttle_unauthenticated_api_period_in_seconds"`
	// ThrottleUnauthenticatedAPIRequestsPerPeriod is the maximum number of such requests in
	// that period. The default is 3600.
	ThrottleUnauthenticatedAPIRequestsPerPeriod int `json:"throttle_unauthenticated_api_requests_per_period"`
	// ThrottleUnauthenticatedDeprecatedAPIEnabled limits the requests without a user to
	// deprecated endpoints of the API, for each IP address.
	ThrottleUnauthenticatedDeprecatedAPIEnabled bool `json:"throttle_unauthenticated_deprecated_api_enabled"`
	// ThrottleUnauthenticatedDeprecatedAPIPeriodInSeconds is the period of that limit, in
	// seconds. The default is 3600.
	ThrottleUnauthenticatedDeprecatedAPIPeriodInSeconds int64 `json:"throttle_unauthenticated_deprecated_api_period_in_seconds"`
	// ThrottleUnauthenticatedDeprecatedAPIRequestsPerPeriod is the maximum number of such
	// requests in that period. The default is 1800.
	ThrottleUnauthenticatedDeprecatedAPIRequestsPerPeriod int `json:"throttle_unauthenticated_deprecated_api_requests_per_period"`
	// ThrottleUnauthenticatedEnabled is the old name of ThrottleUnauthenticatedWebEnabled.
	ThrottleUnauthenticatedEnabled bool `json:"throttle_unauthenticated_enabled"`
	// ThrottleUnauthenticatedFilesAPIEnabled limits the requests without a user to the API of
	// repository files, for each IP address.
	ThrottleUnauthenticatedFilesAPIEnabled bool `json:"throttle_unauthenticated_files_api_enabled"`
	// ThrottleUnauthenticatedFilesAPIPeriodInSeconds is the period of that limit, in seconds.
	// The default is 15.
	ThrottleUnauthenticatedFilesAPIPeriodInSeconds int64 `json:"throttle_unauthenticated_files_api_period_in_seconds"`
	// ThrottleUnauthenticatedFilesAPIRequestsPerPeriod is the maximum number of such requests
	// in that period. The default is 125.
	ThrottleUnauthenticatedFilesAPIRequestsPerPeriod int `json:"throttle_unauthenticated_files_api_requests_per_period"`
	// ThrottleUnauthenticatedGitHTTPEnabled limits the requests without a user for Git over
	// HTTP, for each IP address.
	ThrottleUnauthenticatedGitHTTPEnabled bool `json:"throttle_unauthenticated_git_http_enabled"`
	// ThrottleUnauthenticatedGitHTTPPeriodInSeconds is the period of that limit, in seconds.
	// The default is 3600.
	ThrottleUnauthenticatedGitHTTPPeriodInSeconds int64 `json:"throttle_unauthenticated_git_http_period_in_seconds"`
	// ThrottleUnauthenticatedGitHTTPRequestsPerPeriod is the maximum number of such requests
	// in that period. The default is 3600.
	ThrottleUnauthenticatedGitHTTPRequestsPerPeriod int `json:"throttle_unauthenticated_git_http_requests_per_period"`
	// ThrottleUnauthenticatedPackagesAPIEnabled limits the requests without a user to the API
	// of packages, for each IP address.
	ThrottleUnauthenticatedPackagesAPIEnabled bool `json:"throttle_unauthenticated_packages_api_enabled"`
	// ThrottleUnauthenticatedPackagesAPIPeriodInSeconds is the period of that limit, in
	// seconds. The default is 15.
	ThrottleUnauthenticatedPackagesAPIPeriodInSeconds int64 `json:"throttle_unauthenticated_packages_api_period_in_seconds"`
	// ThrottleUnauthenticatedPackagesAPIRequestsPerPeriod is the maximum number of such
	// requests in that period. The default is 800.
	ThrottleUnauthenticatedPackagesAPIRequestsPerPeriod int `json:"throttle_unauthenticated_packages_api_requests_per_period"`
	// ThrottleUnauthenticatedPeriodInSeconds is the old name of
	// ThrottleUnauthenticatedWebPeriodInSeconds. The default is 3600.
	ThrottleUnauthenticatedPeriodInSeconds int64 `json:"throttle_unauthenticated_period_in_seconds"`
	// ThrottleUnauthenticatedRequestsPerPeriod is the old name of
	// ThrottleUnauthenticatedWebRequestsPerPeriod. The default is 3600.
	ThrottleUnauthenticatedRequestsPerPeriod int `json:"throttle_unauthenticated_requests_per_period"`
	// ThrottleUnauthenticatedWebEnabled limits the requests without a user to pages, for each
	// IP address.
	ThrottleUnauthenticatedWebEnabled bool `json:"throttle_unauthenticated_web_enabled"`
	// ThrottleUnauthenticatedWebPeriodInSeconds is the period of that limit, in seconds. The
	// default is 3600.
	ThrottleUnauthenticatedWebPeriodInSeconds int64 `json:"throttle_unauthenticated_web_period_in_seconds"`
	// ThrottleUnauthenticatedWebRequestsPerPeriod is the maximum number of such requests in
	// that period. The default is 3600.
	ThrottleUnauthenticatedWebRequestsPerPeriod int `json:"throttle_unauthenticated_web_requests_per_period"`

	// Network.

	// AllowLocalRequestsFromHooksAndServices is the old name of
	// AllowLocalRequestsFromWebHooksAndServices.
	AllowLocalRequestsFromHooksAndServices bool `json:"allow_local_requests_from_hooks_and_services"`
	// AllowLocalRequestsFromSystemHooks lets system hooks reach the local network. True by
	// default.
	AllowLocalRequestsFromSystemHooks bool `json:"allow_local_requests_from_system_hooks"`
	// AllowLocalRequestsFromWebHooksAndServices lets webhooks and integrations reach the local
	// network.
	AllowLocalRequestsFromWebHooksAndServices bool `json:"allow_local_requests_from_web_hooks_and_services"`
	// DenyAllRequestsExceptAllowed lets the instance call only the hosts of
	// OutboundLocalRequestsAllowlistRaw.
	DenyAllRequestsExceptAllowed bool `json:"deny_all_requests_except_allowed"`
	// DNSRebindingProtectionEnabled makes sure that the address that was checked is the one
	// that is called. The configuration of the instance has the default.
	DNSRebindingProtectionEnabled bool `json:"dns_rebinding_protection_enabled"`
	// MaxHTTPDecompressedSize limits the unpacked response to a call of the instance, in
	// mebibytes. 0 means no limit. The default is 100.
	MaxHTTPDecompressedSize int64 `json:"max_http_decompressed_size"`
	// MaxHTTPResponseCSVStructuralChars is the maximum number of separators in such a response
	// in CSV. The default is 250000. Since 18.4.
	MaxHTTPResponseCSVStructuralChars int `json:"max_http_response_csv_structural_chars"`
	// MaxHTTPResponseJSONDepth is the maximum nesting of such a response in JSON. The default
	// is 32.
	MaxHTTPResponseJSONDepth int `json:"max_http_response_json_depth"`
	// MaxHTTPResponseJSONStructuralChars is the maximum number of separators and brackets in
	// such a response in JSON. The default is 1000000. Since 18.4.
	MaxHTTPResponseJSONStructuralChars int `json:"max_http_response_json_structural_chars"`
	// MaxHTTPResponseSizeLimit limits the response to a call of the instance, in mebibytes. 0
	// means no limit. The default is 100. Since 18.4.
	MaxHTTPResponseSizeLimit int64 `json:"max_http_response_size_limit"`
	// MaxHTTPResponseXMLStructuralChars is the maximum number of brackets in such a response
	// in XML. The default is 250000. Since 18.4.
	MaxHTTPResponseXMLStructuralChars int `json:"max_http_response_xml_structural_chars"`
	// OutboundLocalRequestsAllowlistRaw has the local hosts and address ranges that hooks can
	// reach anyway, one on a line.
	OutboundLocalRequestsAllowlistRaw string `json:"outbound_local_requests_allowlist_raw"`
	// OutboundLocalRequestsWhitelist has the local hosts and address ranges that hooks can
	// reach anyway. Replaced by OutboundLocalRequestsAllowlistRaw.
	OutboundLocalRequestsWhitelist []string `json:"outbound_local_requests_whitelist"`
	// SilentModeEnabled keeps the instance from sending emails and from calling other
	// services.
	SilentModeEnabled bool `json:"silent_mode_enabled"`

	// Asset proxy.

	// AssetProxyAllowlist has the hosts whose pictures are not fetched through the proxy.
	AssetProxyAllowlist []string `json:"asset_proxy_allowlist"`
	// AssetProxyEnabled fetches pictures of other hosts through a proxy. A change needs a
	// restart of the instance.
	AssetProxyEnabled bool `json:"asset_proxy_enabled"`
	// AssetProxyURL is the address of the proxy.
	AssetProxyURL string `json:"asset_proxy_url"`
	// AssetProxyWhitelist is the old name of AssetProxyAllowlist.
	AssetProxyWhitelist []string `json:"asset_proxy_whitelist"`
	// IFrameRenderingAllowlist has the hosts whose pages may be shown in frames. Since 18.6.
	IFrameRenderingAllowlist []string `json:"iframe_rendering_allowlist"`
	// IFrameRenderingAllowlistRaw is IFrameRenderingAllowlist as text, with one host on a line
	// or commas between them. Since 18.6.
	IFrameRenderingAllowlistRaw string `json:"iframe_rendering_allowlist_raw"`
	// IFrameRenderingEnabled shows frames in Markdown. Since 18.6.
	IFrameRenderingEnabled bool `json:"iframe_rendering_enabled"`

	// Email.

	// AbuseNotificationEmail is the address that gets reports of abuse.
	AbuseNotificationEmail string `json:"abuse_notification_email"`
	// DeactivationEmailAdditionalText is added to the email that tells users that they are
	// deactivated.
	DeactivationEmailAdditionalText string `json:"deactivation_email_additional_text"`
	// EmailAdditionalText is added to all emails. Premium: lower tiers do not have it.
	EmailAdditionalText string `json:"email_additional_text"`
	// EmailAuthorInBody puts the name of the author into the text of emails.
	EmailAuthorInBody bool `json:"email_author_in_body"`
	// HTMLEmailsEnabled sends emails as HTML and as plain text. True by default.
	HTMLEmailsEnabled bool `json:"html_emails_enabled"`
	// InProductMarketingEmailsEnabled sends emails with hints about features. Removed by 16.6
	// or before. It is nil if the instance does not have it.
	InProductMarketingEmailsEnabled *bool `json:"in_product_marketing_emails_enabled"`
	// MailgunEventsEnabled takes reports about delivery from Mailgun.
	MailgunEventsEnabled bool `json:"mailgun_events_enabled"`
	// MailgunSigningKey is the key that Mailgun signs with.
	MailgunSigningKey Secret `json:"mailgun_signing_key"`
	// UserDeactivationEmailsEnabled sends an email to users who are deactivated. True by
	// default.
	UserDeactivationEmailsEnabled bool `json:"user_deactivation_emails_enabled"`

	// Texts and pages.

	// EnforceTerms makes users accept Terms.
	EnforceTerms bool `json:"enforce_terms"`
	// FirstDayOfWeek is the first day of weeks in calendars: [time.Sunday], [time.Monday] or
	// [time.Saturday].
	FirstDayOfWeek time.Weekday `json:"first_day_of_week"`
	// FLoCEnabled lets browsers sort visitors into groups for advertising.
	FLoCEnabled bool `json:"floc_enabled"`
	// GrafanaEnabled links to the dashboards at GrafanaURL.
	GrafanaEnabled bool `json:"grafana_enabled"`
	// GrafanaURL is the address of Grafana. The default is "/-/grafana".
	GrafanaURL string `json:"grafana_url"`
	// GravatarEnabled shows the pictures that users have at Gravatar. The configuration of the
	// instance has the default.
	GravatarEnabled bool `json:"gravatar_enabled"`
	// HelpPageDocumentationBaseURL is the address of the documentation.
	HelpPageDocumentationBaseURL string `json:"help_page_documentation_base_url"`
	// HelpPageHideCommercialContent leaves advertising out of the help page.
	HelpPageHideCommercialContent bool `json:"help_page_hide_commercial_content"`
	// HelpPageSupportURL is the address of support on the help page.
	HelpPageSupportURL string `json:"help_page_support_url"`
	// HelpPageText is shown on the help page.
	HelpPageText string `json:"help_page_text"`
	// HelpText is shown on the help page. Later releases do not have it.
	HelpText string `json:"help_text"`
	// HideThirdPartyOffers hides offers of other vendors.
	HideThirdPartyOffers bool `json:"hide_third_party_offers"`
	// HomePageURL is where visitors who are not signed in are sent.
	HomePageURL string `json:"home_page_url"`
	// LocalMarkdownVersion is a number to raise if cached texts have to be rendered again. The
	// default is 0.
	LocalMarkdownVersion int `json:"local_markdown_version"`
	// PollingIntervalMultiplier multiplies the intervals at which pages poll for changes. 0
	// turns polling off. The default is 1.
	PollingIntervalMultiplier float64 `json:"polling_interval_multiplier"`
	// SecurityTXTContent is the text at /.well-known/security.txt. Since 16.7.
	SecurityTXTContent string `json:"security_txt_content"`
	// SignInText is shown on the sign-in page. Later releases have the texts of [Appearance]
	// instead.
	SignInText string `json:"sign_in_text"`
	// Terms are the terms of use in Markdown.
	Terms string `json:"terms"`
	// WhatsNewVariant says who sees the news in the help menu. The default is "all_tiers".
	WhatsNewVariant WhatsNewVariant `json:"whats_new_variant"`

	// Search.

	// AnonymousSearchesAllowed lets visitors search who are not signed in. True by default.
	AnonymousSearchesAllowed bool `json:"anonymous_searches_allowed"`
	// DefaultSearchScope is the scope that the search page starts with. "system default" lets
	// the instance choose. The default is "system default".
	DefaultSearchScope string `json:"default_search_scope"`
	// GlobalSearchBlockAnonymousSearchesEnabled keeps visitors who are not signed in from
	// searching the whole instance.
	GlobalSearchBlockAnonymousSearchesEnabled bool `json:"global_search_block_anonymous_searches_enabled"`
	// GlobalSearchCodeEnabled searches code of the whole instance. True by default. Paid
	// tiers.
	GlobalSearchCodeEnabled bool `json:"global_search_code_enabled"`
	// GlobalSearchCommitsEnabled searches commits of the whole instance. True by default. Paid
	// tiers.
	GlobalSearchCommitsEnabled bool `json:"global_search_commits_enabled"`
	// GlobalSearchEpicsEnabled searches epics of the whole instance. True by default. Paid
	// tiers.
	GlobalSearchEpicsEnabled bool `json:"global_search_epics_enabled"`
	// GlobalSearchIssuesEnabled searches issues of the whole instance. True by default.
	GlobalSearchIssuesEnabled bool `json:"global_search_issues_enabled"`
	// GlobalSearchLimitedIndexingEnabled searches only code of groups that are indexed. Paid
	// tiers.
	GlobalSearchLimitedIndexingEnabled bool `json:"global_search_limited_indexing_enabled"`
	// GlobalSearchMergeRequestsEnabled searches merge requests of the whole instance. True by
	// default.
	GlobalSearchMergeRequestsEnabled bool `json:"global_search_merge_requests_enabled"`
	// GlobalSearchSnippetTitlesEnabled searches titles of snippets of the whole instance. True
	// by default.
	GlobalSearchSnippetTitlesEnabled bool `json:"global_search_snippet_titles_enabled"`
	// GlobalSearchUsersEnabled searches users of the whole instance. True by default.
	GlobalSearchUsersEnabled bool `json:"global_search_users_enabled"`
	// GlobalSearchWikiEnabled searches wikis of the whole instance. True by default. Paid
	// tiers.
	GlobalSearchWikiEnabled bool `json:"global_search_wiki_enabled"`
	// SearchMaxDocsDenominator is the number of documents for each shard of an index. The
	// default is 5000000. Premium.
	SearchMaxDocsDenominator int `json:"search_max_docs_denominator"`
	// SearchMaxShardSizeGB is the maximum size of a shard, in gigabytes. The default is 50.
	// Premium.
	SearchMaxShardSizeGB int64 `json:"search_max_shard_size_gb"`
	// SearchMinDocsBeforeRollover is the minimum number of documents before a new index
	// begins. The default is 100000. Premium.
	SearchMinDocsBeforeRollover int `json:"search_min_docs_before_rollover"`

	// Advanced search.

	// ElasticMigrationWorkerEnabled migrates the index of advanced search. True by default.
	// Paid tiers.
	ElasticMigrationWorkerEnabled bool `json:"elastic_migration_worker_enabled"`
	// ElasticsearchAnalyzersKuromojiEnabled indexes with the analyzer for Japanese. Premium.
	ElasticsearchAnalyzersKuromojiEnabled bool `json:"elasticsearch_analyzers_kuromoji_enabled"`
	// ElasticsearchAnalyzersKuromojiSearch searches with the analyzer for Japanese. Premium.
	ElasticsearchAnalyzersKuromojiSearch bool `json:"elasticsearch_analyzers_kuromoji_search"`
	// ElasticsearchAnalyzersSmartCNEnabled indexes with the analyzer for Chinese. Premium.
	ElasticsearchAnalyzersSmartCNEnabled bool `json:"elasticsearch_analyzers_smartcn_enabled"`
	// ElasticsearchAnalyzersSmartCNSearch searches with the analyzer for Chinese. Premium.
	ElasticsearchAnalyzersSmartCNSearch bool `json:"elasticsearch_analyzers_smartcn_search"`
	// ElasticsearchAWS uses a search cluster of AWS. Premium.
	ElasticsearchAWS bool `json:"elasticsearch_aws"`
	// ElasticsearchAWSAccessKey is the access key for AWS. Premium.
	ElasticsearchAWSAccessKey string `json:"elasticsearch_aws_access_key"`
	// ElasticsearchAWSRegion is the region of AWS. The default is "us-east-1". Premium.
	ElasticsearchAWSRegion string `json:"elasticsearch_aws_region"`
	// ElasticsearchAWSRoleARN is the role for AWS that is used instead of keys. Premium.
	ElasticsearchAWSRoleARN string `json:"elasticsearch_aws_role_arn"`
	// ElasticsearchAWSSecretAccessKey is the secret of ElasticsearchAWSAccessKey. Written as
	// "*****", it stays as it is. Premium.
	ElasticsearchAWSSecretAccessKey Secret `json:"elasticsearch_aws_secret_access_key"`
	// ElasticsearchClientAdapter is the HTTP library that calls the search cluster. The
	// default is "typhoeus". Since 18.5. Premium.
	ElasticsearchClientAdapter ElasticsearchClientAdapter `json:"elasticsearch_client_adapter"`
	// ElasticsearchClientRequestTimeout is the time limit for a search, in seconds. 0 means
	// that of the HTTP library. The default is 0. Premium.
	ElasticsearchClientRequestTimeout int64 `json:"elasticsearch_client_request_timeout"`
	// ElasticsearchCodeScope searches code in this cluster. True by default. Premium.
	ElasticsearchCodeScope bool `json:"elasticsearch_code_scope"`
	// ElasticsearchIndexSettings has the numbers of shards and replicas of each index.
	// Premium: lower tiers do not have it. It cannot be changed.
	ElasticsearchIndexSettings []*ElasticsearchIndexSettings `json:"elasticsearch_index_settings"`
	// ElasticsearchIndexedFieldLengthLimit is the number of characters up to which text is
	// indexed. 0 means no limit. The default is 0. Premium.
	ElasticsearchIndexedFieldLengthLimit int `json:"elasticsearch_indexed_field_length_limit"`
	// ElasticsearchIndexedFileSizeLimitKB is the maximum size of a file that is indexed, in
	// kilobytes. The default is 1024. Premium.
	ElasticsearchIndexedFileSizeLimitKB int64 `json:"elasticsearch_indexed_file_size_limit_kb"`
	// ElasticsearchIndexing indexes what changes. Premium.
	ElasticsearchIndexing bool `json:"elasticsearch_indexing"`
	// ElasticsearchIndexingTimeoutMinutes is the time limit for indexing, in minutes. Premium.
	ElasticsearchIndexingTimeoutMinutes int `json:"elasticsearch_indexing_timeout_minutes"`
	// ElasticsearchLimitIndexing indexes only the namespaces and projects of
	// ElasticsearchNamespaceIDs and ElasticsearchProjectIDs. Premium.
	ElasticsearchLimitIndexing bool `json:"elasticsearch_limit_indexing"`
	// ElasticsearchMaxBulkConcurrency is the maximum number of bulk requests at the same time.
	// The default is 10. Premium.
	ElasticsearchMaxBulkConcurrency int `json:"elasticsearch_max_bulk_concurrency"`
	// ElasticsearchMaxBulkSizeMB is the maximum size of a bulk request, in megabytes. The
	// default is 10. Premium.
	ElasticsearchMaxBulkSizeMB int64 `json:"elasticsearch_max_bulk_size_mb"`
	// ElasticsearchMaxCodeIndexingConcurrency is the maximum number of jobs that index code at
	// the same time. 0 means none. The default is 30. Premium.
	ElasticsearchMaxCodeIndexingConcurrency int `json:"elasticsearch_max_code_indexing_concurrency"`
	// ElasticsearchNamespaceIDs are the IDs of the namespaces that are indexed. Premium.
	ElasticsearchNamespaceIDs []int64 `json:"elasticsearch_namespace_ids"`
	// ElasticsearchPassword is the password for the search cluster. Written as "*****", it
	// stays as it is. Premium.
	ElasticsearchPassword Secret `json:"elasticsearch_password"`
	// ElasticsearchPauseIndexing pauses indexing. Premium.
	ElasticsearchPauseIndexing bool `json:"elasticsearch_pause_indexing"`
	// ElasticsearchProjectIDs are the IDs of the projects that are indexed. Premium.
	ElasticsearchProjectIDs []int64 `json:"elasticsearch_project_ids"`
	// ElasticsearchReplicas are the numbers of replicas of the indices. Nil means the default.
	// Premium.
	ElasticsearchReplicas *ElasticsearchCount `json:"elasticsearch_replicas"`
	// ElasticsearchRequeueWorkers makes workers queue themselves again. Premium.
	ElasticsearchRequeueWorkers bool `json:"elasticsearch_requeue_workers"`
	// ElasticsearchRetryOnFailure is the number of times that a failed search is repeated. The
	// default is 0. Premium.
	ElasticsearchRetryOnFailure int `json:"elasticsearch_retry_on_failure"`
	// ElasticsearchSearch searches with this cluster. Premium.
	ElasticsearchSearch bool `json:"elasticsearch_search"`
	// ElasticsearchShards are the numbers of shards of the indices. Nil means the default.
	// Premium.
	ElasticsearchShards *ElasticsearchCount `json:"elasticsearch_shards"`
	// ElasticsearchURL has the addresses of the search cluster. Premium.
	ElasticsearchURL []string `json:"elasticsearch_url"`
	// ElasticsearchUsername is the username for the search cluster. Premium.
	ElasticsearchUsername string `json:"elasticsearch_username"`
	// ElasticsearchWorkerNumberOfShards is the number of parts that indexing is divided into.
	// The default is 2. Premium.
	ElasticsearchWorkerNumberOfShards int `json:"elasticsearch_worker_number_of_shards"`

	// Exact code search.

	// ZoektAutoIndexRootNamespace indexes top-level groups automatically. Premium.
	ZoektAutoIndexRootNamespace bool `json:"zoekt_auto_index_root_namespace"`
	// ZoektCacheResponse caches responses. True by default. Premium.
	ZoektCacheResponse bool `json:"zoekt_cache_response"`
	// ZoektCPUToTasksRatio is the number of indexing tasks for each processor. The default is
	// 1.0. Premium.
	ZoektCPUToTasksRatio float64 `json:"zoekt_cpu_to_tasks_ratio"`
	// ZoektDefaultNumberOfReplicas is the number of replicas of an index. The default is 1.
	// Premium.
	ZoektDefaultNumberOfReplicas int `json:"zoekt_default_number_of_replicas"`
	// ZoektForceReindexingPercentage is the share of tasks that index everything again. The
	// default is 0.25. Premium.
	ZoektForceReindexingPercentage float64 `json:"zoekt_force_reindexing_percentage"`
	// ZoektIndexedFileSizeLimit is the maximum size of a file that is indexed, such as "1MB".
	// The default is "1MB". Premium.
	ZoektIndexedFileSizeLimit string `json:"zoekt_indexed_file_size_limit"`
	// ZoektIndexingEnabled indexes code. Premium.
	ZoektIndexingEnabled bool `json:"zoekt_indexing_enabled"`
	// ZoektIndexingParallelism is the number of processes of a task. The default is 1.
	// Premium.
	ZoektIndexingParallelism int `json:"zoekt_indexing_parallelism"`
	// ZoektIndexingPaused pauses indexing. Premium.
	ZoektIndexingPaused bool `json:"zoekt_indexing_paused"`
	// ZoektIndexingTimeout is the time limit for a task, such as "30m". The default is "30m".
	// Premium.
	ZoektIndexingTimeout string `json:"zoekt_indexing_timeout"`
	// ZoektLostNodeThreshold is the time after which a silent node is removed, such as "12h".
	// The default is "12h". Premium.
	ZoektLostNodeThreshold string `json:"zoekt_lost_node_threshold"`
	// ZoektMaximumFiles is the maximum number of files of a project that are indexed. The
	// default is 500000. Premium.
	ZoektMaximumFiles int `json:"zoekt_maximum_files"`
	// ZoektRolloutBatchSize is the number of groups in one rollout. The default is 32.
	// Premium.
	ZoektRolloutBatchSize int `json:"zoekt_rollout_batch_size"`
	// ZoektRolloutRetryInterval is the time after which a failed rollout is repeated, such as
	// "1d". The default is "1d". Premium.
	ZoektRolloutRetryInterval string `json:"zoekt_rollout_retry_interval"`
	// ZoektSearchEnabled searches with this index. Premium.
	ZoektSearchEnabled bool `json:"zoekt_search_enabled"`
	// ZoektTrigramMax is the maximum number of trigrams of a file. The default is 20000.
	// Premium.
	ZoektTrigramMax int `json:"zoekt_trigram_max"`

	// Diagrams, editors and other integrations.

	// AllowAllIntegrations allows all integrations. Otherwise, only those of
	// AllowedIntegrations can be used. True by default. Since 17.6. Ultimate.
	AllowAllIntegrations bool `json:"allow_all_integrations"`
	// AllowedIntegrations has the names of the integrations that can be used. Since 17.6.
	// Ultimate.
	AllowedIntegrations []string `json:"allowed_integrations"`
	// DiagramsNetEnabled lets users edit diagrams with diagrams.net. True by default.
	DiagramsNetEnabled bool `json:"diagramsnet_enabled"`
	// DiagramsNetURL is the address of diagrams.net. The default is
	// "https://embed.diagrams.net".
	DiagramsNetURL string `json:"diagramsnet_url"`
	// EKSAccessKeyID is the ID of the access key for AWS.
	EKSAccessKeyID string `json:"eks_access_key_id"`
	// EKSAccountID is the ID of the account at AWS.
	EKSAccountID string `json:"eks_account_id"`
	// EKSIntegrationEnabled lets users make clusters at AWS.
	EKSIntegrationEnabled bool `json:"eks_integration_enabled"`
	// EnableLanguageServerRestrictions refuses editor extensions that are older than
	// MinimumLanguageServerVersion.
	EnableLanguageServerRestrictions bool `json:"enable_language_server_restrictions"`
	// GitpodEnabled lets users open projects in Gitpod.
	GitpodEnabled bool `json:"gitpod_enabled"`
	// GitpodURL is the address of Gitpod.
	GitpodURL string `json:"gitpod_url"`
	// JiraConnectAdditionalAudienceURL is a second audience of the tokens of the app for Jira.
	JiraConnectAdditionalAudienceURL string `json:"jira_connect_additional_audience_url"`
	// JiraConnectApplicationKey is the ID of the OAuth application of the app for Jira.
	JiraConnectApplicationKey string `json:"jira_connect_application_key"`
	// JiraConnectProxyURL is the address of an instance between Jira and this one.
	JiraConnectProxyURL string `json:"jira_connect_proxy_url"`
	// JiraConnectPublicKeyStorageEnabled stores public keys for the app for Jira.
	JiraConnectPublicKeyStorageEnabled bool `json:"jira_connect_public_key_storage_enabled"`
	// KrokiEnabled draws diagrams in Markdown with the service at KrokiURL.
	KrokiEnabled bool `json:"kroki_enabled"`
	// KrokiFormats has the further formats that Kroki draws, by name: "blockdiag", "bpmn",
	// "excalidraw" and "mermaid".
	KrokiFormats map[string]bool `json:"kroki_formats"`
	// KrokiURL is the address of Kroki.
	KrokiURL string `json:"kroki_url"`
	// MinimumLanguageServerVersion is the oldest version of editor extensions that is
	// accepted. The default is "0.1.0".
	MinimumLanguageServerVersion string `json:"minimum_language_server_version"`
	// OrganizationClusterAgentAuthorizationEnabled lets cluster agents serve a whole
	// organization.
	OrganizationClusterAgentAuthorizationEnabled bool `json:"organization_cluster_agent_authorization_enabled"`
	// PlantUMLEnabled draws diagrams in Markdown with the service at PlantUMLURL.
	PlantUMLEnabled bool `json:"plantuml_enabled"`
	// PlantUMLURL is the address of PlantUML.
	PlantUMLURL string `json:"plantuml_url"`
	// ReceptiveClusterAgentsEnabled lets the instance call cluster agents. Since 17.4. Paid
	// tiers.
	ReceptiveClusterAgentsEnabled bool `json:"receptive_cluster_agents_enabled"`
	// SlackAppEnabled turns the app for Slack on.
	SlackAppEnabled bool `json:"slack_app_enabled"`
	// SlackAppID is the client ID of the app for Slack.
	SlackAppID string `json:"slack_app_id"`
	// SlackAppSecret is the client secret of the app for Slack.
	SlackAppSecret Secret `json:"slack_app_secret"`
	// SlackAppSigningSecret is the signing secret of the app for Slack.
	SlackAppSigningSecret Secret `json:"slack_app_signing_secret"`
	// SlackAppVerificationToken is the verification token of the app for Slack.
	SlackAppVerificationToken Secret `json:"slack_app_verification_token"`
	// SourcegraphEnabled adds code navigation with Sourcegraph.
	SourcegraphEnabled bool `json:"sourcegraph_enabled"`
	// SourcegraphPublicOnly uses Sourcegraph only in public projects. True by default.
	SourcegraphPublicOnly bool `json:"sourcegraph_public_only"`
	// SourcegraphURL is the address of Sourcegraph.
	SourcegraphURL string `json:"sourcegraph_url"`
	// TerminalMaxSessionTime limits a web terminal, in seconds. 0 means no limit. The default
	// is 0.
	TerminalMaxSessionTime int64 `json:"terminal_max_session_time"`
	// VSCodeExtensionMarketplace says where the web editor finds extensions. A change of what
	// was read has to be made in VSCodeExtensionMarketplaceEnabled and
	// VSCodeExtensionMarketplaceExtensionHostDomain, too. It is nil if the instance does not
	// have it.
	VSCodeExtensionMarketplace *VSCodeExtensionMarketplace `json:"vscode_extension_marketplace"`
	// VSCodeExtensionMarketplaceEnabled lets the web editor use extensions.
	VSCodeExtensionMarketplaceEnabled bool `json:"vscode_extension_marketplace_enabled"`
	// VSCodeExtensionMarketplaceExtensionHostDomain is the host that the web editor loads
	// extensions from.
	VSCodeExtensionMarketplaceExtensionHostDomain string `json:"vscode_extension_marketplace_extension_host_domain"`
	// WebIDEClientsidePreviewEnabled previews pages in the web editor. Removed by 16.0 or
	// before. It is nil if the instance does not have it.
	WebIDEClientsidePreviewEnabled *bool `json:"web_ide_clientside_preview_enabled"`

	// Spam.

	// AkismetAPIKey is the key for Akismet.
	AkismetAPIKey Secret `json:"akismet_api_key"`
	// AkismetEnabled lets Akismet check new issues for spam.
	AkismetEnabled bool `json:"akismet_enabled"`
	// AllowPossibleSpam lets through what is suspected to be spam.
	AllowPossibleSpam bool `json:"allow_possible_spam"`
	// SpamCheckAPIKey is the key for the service at SpamCheckEndpointURL.
	SpamCheckAPIKey Secret `json:"spam_check_api_key"`
	// SpamCheckEndpointEnabled lets an external service check for spam.
	SpamCheckEndpointEnabled bool `json:"spam_check_endpoint_enabled"`
	// SpamCheckEndpointURL is the address of that service, which begins with grpc:// or
	// tls://.
	SpamCheckEndpointURL string `json:"spam_check_endpoint_url"`

	// External services.

	// ErrorTrackingAPIURL is the address of error tracking.
	ErrorTrackingAPIURL string `json:"error_tracking_api_url"`
	// ErrorTrackingEnabled turns error tracking on.
	ErrorTrackingEnabled bool `json:"error_tracking_enabled"`
	// ExternalAuthClientCert is the certificate for the external authorization service, in
	// PEM.
	ExternalAuthClientCert string `json:"external_auth_client_cert"`
	// ExternalAuthClientKey is the private key of ExternalAuthClientCert.
	ExternalAuthClientKey Secret `json:"external_auth_client_key"`
	// ExternalAuthClientKeyPass is the passphrase of ExternalAuthClientKey.
	ExternalAuthClientKeyPass Secret `json:"external_auth_client_key_pass"`
	// ExternalAuthorizationServiceDefaultLabel is the label of projects without one.
	ExternalAuthorizationServiceDefaultLabel string `json:"external_authorization_service_default_label"`
	// ExternalAuthorizationServiceEnabled lets an external service decide who can access
	// projects.
	ExternalAuthorizationServiceEnabled bool `json:"external_authorization_service_enabled"`
	// ExternalAuthorizationServiceTimeout is the time limit for that service, in seconds, from
	// 0.001 to 10. The default is 0.5.
	ExternalAuthorizationServiceTimeout float64 `json:"external_authorization_service_timeout"`
	// ExternalAuthorizationServiceURL is the address of that service.
	ExternalAuthorizationServiceURL string `json:"external_authorization_service_url"`
	// ExternalPipelineValidationServiceTimeout is the time limit for the service at
	// ExternalPipelineValidationServiceURL, in seconds. Nil means the default.
	ExternalPipelineValidationServiceTimeout *int64 `json:"external_pipeline_validation_service_timeout"`
	// ExternalPipelineValidationServiceToken is sent to that service.
	ExternalPipelineValidationServiceToken Secret `json:"external_pipeline_validation_service_token"`
	// ExternalPipelineValidationServiceURL is the address of a service that can refuse
	// pipelines.
	ExternalPipelineValidationServiceURL string `json:"external_pipeline_validation_service_url"`
	// SentryClientsideDSN is where browsers report errors.
	SentryClientsideDSN string `json:"sentry_clientside_dsn"`
	// SentryClientsideTracesSampleRate is the share of traces that browsers send, from 0 to 1.
	// The default is 0.0.
	SentryClientsideTracesSampleRate float64 `json:"sentry_clientside_traces_sample_rate"`
	// SentryDSN is where the instance reports errors.
	SentryDSN string `json:"sentry_dsn"`
	// SentryEnabled reports errors to Sentry.
	SentryEnabled bool `json:"sentry_enabled"`
	// SentryEnvironment is the name of the environment in these reports.
	SentryEnvironment string `json:"sentry_environment"`
	// StaticObjectsExternalStorageAuthToken is the token for StaticObjectsExternalStorageURL.
	StaticObjectsExternalStorageAuthToken Secret `json:"static_objects_external_storage_auth_token"`
	// StaticObjectsExternalStorageURL is the address of a storage for archives and raw files.
	StaticObjectsExternalStorageURL string `json:"static_objects_external_storage_url"`

	// Security and compliance.

	// AutoBanUserOnExcessiveProjectsDownload bans users who download more repositories than
	// MaxNumberOfRepositoryDownloads. Ultimate: lower tiers do not have it.
	AutoBanUserOnExcessiveProjectsDownload bool `json:"auto_ban_user_on_excessive_projects_download"`
	// EnforcePIPLCompliance applies a law about personal data of one country. Only for the
	// hosted service. Paid tiers.
	EnforcePIPLCompliance bool `json:"enforce_pipl_compliance"`
	// GitRateLimitUsersAlertlist are the IDs of users who get an email about too many
	// downloads, 100 at most. Ultimate: lower tiers do not have it.
	GitRateLimitUsersAlertlist []int64 `json:"git_rate_limit_users_alertlist"`
	// GitRateLimitUsersAllowlist has the usernames of users who may download without limit,
	// 100 at most. Ultimate: lower tiers do not have it.
	GitRateLimitUsersAllowlist []string `json:"git_rate_limit_users_allowlist"`
	// MaxNumberOfRepositoryDownloads is the maximum number of repositories that a user may
	// download within MaxNumberOfRepositoryDownloadsWithinTimePeriod, at most 10000. 0 means
	// no limit. The default is 0. Ultimate: lower tiers do not have it.
	MaxNumberOfRepositoryDownloads int `json:"max_number_of_repository_downloads"`
	// MaxNumberOfRepositoryDownloadsWithinTimePeriod is that time in seconds, at most 864000.
	// The default is 0. Ultimate: lower tiers do not have it.
	MaxNumberOfRepositoryDownloadsWithinTimePeriod int64 `json:"max_number_of_repository_downloads_within_time_period"`
	// PackageMetadataPURLTypes are the numbers of the kinds of packages whose metadata is
	// fetched. The default is all. Ultimate.
	PackageMetadataPURLTypes []int `json:"package_metadata_purl_types"`
	// PipelineExecutionPoliciesPerConfigurationLimit is the maximum number of pipeline
	// execution policies of a configuration. The default is 5. Ultimate.
	PipelineExecutionPoliciesPerConfigurationLimit int `json:"pipeline_execution_policies_per_configuration_limit"`
	// PreReceiveSecretDetectionEnabled is the old name of SecretPushProtectionAvailable. Paid
	// tiers: Free does not have it. It cannot be changed.
	PreReceiveSecretDetectionEnabled bool `json:"pre_receive_secret_detection_enabled"`
	// PseudonymizerEnabled exports data without names. Later releases do not have it.
	// Ultimate. It is nil if the instance does not have it.
	PseudonymizerEnabled *bool `json:"pseudonymizer_enabled"`
	// ScanExecutionPoliciesActionLimit is the maximum number of actions of a scan execution
	// policy, from 0 to 20. 0 means no limit. The default is 0. Ultimate.
	ScanExecutionPoliciesActionLimit int `json:"scan_execution_policies_action_limit"`
	// ScanExecutionPoliciesPerConfigurationLimit is the maximum number of scan execution
	// policies of a configuration. The default is 5. Ultimate.
	ScanExecutionPoliciesPerConfigurationLimit int `json:"scan_execution_policies_per_configuration_limit"`
	// ScanExecutionPoliciesScheduleLimit is the maximum number of schedules of a scan
	// execution policy, from 0 to 20. 0 means no limit. The default is 0. Ultimate.
	ScanExecutionPoliciesScheduleLimit int `json:"scan_execution_policies_schedule_limit"`
	// SecretDetectionRevocationTokenTypesURL is the address that knows the kinds of tokens
	// that can be revoked. Ultimate.
	SecretDetectionRevocationTokenTypesURL string `json:"secret_detection_revocation_token_types_url"`
	// SecretDetectionServiceAuthToken is the token for the service at
	// SecretDetectionServiceURL. Ultimate.
	SecretDetectionServiceAuthToken Secret `json:"secret_detection_service_auth_token"`
	// SecretDetectionServiceURL is the address of the service that detects secrets. Ultimate.
	SecretDetectionServiceURL string `json:"secret_detection_service_url"`
	// SecretDetectionTokenRevocationEnabled revokes tokens that were leaked. Ultimate.
	SecretDetectionTokenRevocationEnabled bool `json:"secret_detection_token_revocation_enabled"`
	// SecretDetectionTokenRevocationToken is the token for the service at
	// SecretDetectionTokenRevocationURL. Ultimate.
	SecretDetectionTokenRevocationToken Secret `json:"secret_detection_token_revocation_token"`
	// SecretDetectionTokenRevocationURL is the address of the service that revokes tokens.
	// Ultimate.
	SecretDetectionTokenRevocationURL string `json:"secret_detection_token_revocation_url"`
	// SecretPushProtectionAvailable lets projects refuse pushes that contain secrets.
	// Ultimate: lower tiers do not have it.
	SecretPushProtectionAvailable bool `json:"secret_push_protection_available"`
	// SecurityApprovalPoliciesLimit is the maximum number of approval policies of a policy
	// project, from 5 to 20. The default is 5. Ultimate.
	SecurityApprovalPoliciesLimit int `json:"security_approval_policies_limit"`
	// SecurityPolicyGlobalGroupApproversEnabled lets policies name approvers from any group.
	// True by default. Paid tiers.
	SecurityPolicyGlobalGroupApproversEnabled bool `json:"security_policy_global_group_approvers_enabled"`
	// VulnerabilityManagementPoliciesPerConfigurationLimit is the maximum number of
	// vulnerability management policies of a configuration. The default is 5. Ultimate.
	VulnerabilityManagementPoliciesPerConfigurationLimit int `json:"vulnerability_management_policies_per_configuration_limit"`

	// AI features.

	// AutoDuoCodeReviewEnabled reviews new merge requests automatically. Paid tiers: Free does
	// not have it.
	AutoDuoCodeReviewEnabled bool `json:"auto_duo_code_review_enabled"`
	// DisabledDirectCodeSuggestions makes editors get code suggestions only through the
	// instance. Paid tiers: Free does not have it.
	DisabledDirectCodeSuggestions bool `json:"disabled_direct_code_suggestions"`
	// DisplayServiceCreditsUserData shows how many credits each user has used. True by
	// default. Paid tiers.
	DisplayServiceCreditsUserData bool `json:"display_service_credits_user_data"`
	// DuoAgentPlatformEnabled turns AI agents on. Paid tiers.
	DuoAgentPlatformEnabled bool `json:"duo_agent_platform_enabled"`
	// DuoAvailability says who can change DuoFeaturesEnabled. It sets DuoFeaturesEnabled and
	// LockDuoFeaturesEnabled. The default is "default_on". Paid tiers.
	DuoAvailability DuoAvailability `json:"duo_availability"`
	// DuoChatExpirationColumn says from when DuoChatExpirationDays are counted. The default is
	// "last_updated_at". Paid tiers.
	DuoChatExpirationColumn DuoChatExpirationColumn `json:"duo_chat_expiration_column"`
	// DuoChatExpirationDays is the number of days after which a chat is deleted. The default
	// is 30. Paid tiers.
	DuoChatExpirationDays int `json:"duo_chat_expiration_days"`
	// DuoFeaturesEnabled turns AI features on. True by default. Since 16.10. Premium.
	DuoFeaturesEnabled bool `json:"duo_features_enabled"`
	// DuoFoundationalFlowsAvailability is DuoFoundationalFlowsEnabled. False also keeps groups
	// from changing it. Paid tiers.
	DuoFoundationalFlowsAvailability bool `json:"duo_foundational_flows_availability"`
	// DuoFoundationalFlowsEnabled turns built-in AI flows on. True by default. Paid tiers.
	DuoFoundationalFlowsEnabled bool `json:"duo_foundational_flows_enabled"`
	// DuoNamespaceAccessRules says which AI features the members of which groups can use. Paid
	// tiers.
	DuoNamespaceAccessRules []*DuoNamespaceAccessRule `json:"duo_namespace_access_rules"`
	// DuoRemoteFlowsAvailability is DuoRemoteFlowsEnabled. False also keeps groups from
	// changing it. Paid tiers.
	DuoRemoteFlowsAvailability bool `json:"duo_remote_flows_availability"`
	// DuoRemoteFlowsEnabled turns AI flows on runners on. True by default. Paid tiers.
	DuoRemoteFlowsEnabled bool `json:"duo_remote_flows_enabled"`
	// DuoWorkflowOAuthApplicationID is the ID of the OAuth application of AI agents. Nil means
	// none. Paid tiers.
	DuoWorkflowOAuthApplicationID *int64 `json:"duo_workflow_oauth_application_id"`
	// DuoWorkflowsDefaultImageRegistry is the registry of the images of AI flows. Paid tiers:
	// Free does not have it.
	DuoWorkflowsDefaultImageRegistry string `json:"duo_workflows_default_image_registry"`
	// EnabledExpandedLogging logs AI requests with their content. Paid tiers.
	EnabledExpandedLogging bool `json:"enabled_expanded_logging"`
	// FoundationalAgentsDefaultEnabled turns new built-in AI agents on. Paid tiers.
	FoundationalAgentsDefaultEnabled bool `json:"foundational_agents_default_enabled"`
	// FoundationalAgentsStatuses says which built-in AI agents are on. Paid tiers.
	FoundationalAgentsStatuses []*FoundationalAgentStatus `json:"foundational_agents_statuses"`
	// InstanceLevelAIBetaFeaturesEnabled turns AI features on that are still being tried. Paid
	// tiers.
	InstanceLevelAIBetaFeaturesEnabled bool `json:"instance_level_ai_beta_features_enabled"`
	// LockDuoFeaturesEnabled keeps groups from changing DuoFeaturesEnabled. Since 16.10.
	// Premium.
	LockDuoFeaturesEnabled bool `json:"lock_duo_features_enabled"`
	// LockModelPromptCacheEnabled keeps groups from changing ModelPromptCacheEnabled. Since
	// 18.3. Paid tiers.
	LockModelPromptCacheEnabled bool `json:"lock_model_prompt_cache_enabled"`
	// ModelPromptCacheEnabled lets prompts be cached. True by default. Since 18.3. Paid tiers.
	ModelPromptCacheEnabled bool `json:"model_prompt_cache_enabled"`

	// Metrics and usage.

	// CubeAPIBaseURL is the address of the service that product analytics queries. Paid tiers.
	CubeAPIBaseURL string `json:"cube_api_base_url"`
	// CubeAPIKey is the key for that service. Paid tiers.
	CubeAPIKey Secret `json:"cube_api_key"`
	// FetchObservabilityAlertsFromCloud fetches alerts from the vendor. True by default. Paid
	// tiers.
	FetchObservabilityAlertsFromCloud bool `json:"fetch_observability_alerts_from_cloud"`
	// IncludeOptionalMetricsInServicePing adds optional numbers to the weekly report. The
	// configuration of the instance has the default. Since 16.10.
	IncludeOptionalMetricsInServicePing bool `json:"include_optional_metrics_in_service_ping"`
	// MetricsMethodCallThreshold is the time in milliseconds from which a call is measured.
	// The default is 10.
	MetricsMethodCallThreshold int `json:"metrics_method_call_threshold"`
	// ObservabilityBackendSSLVerificationEnabled checks the certificate of the observability
	// service. True by default.
	ObservabilityBackendSSLVerificationEnabled bool `json:"observability_backend_ssl_verification_enabled"`
	// PerformanceBarAllowedGroupID is the ID of the group whose members can see the
	// performance bar. Nil means nobody.
	PerformanceBarAllowedGroupID *int64 `json:"performance_bar_allowed_group_id"`
	// ProductAnalyticsConfiguratorConnectionString is the address of product analytics, with
	// its credentials. Paid tiers.
	ProductAnalyticsConfiguratorConnectionString Secret `json:"product_analytics_configurator_connection_string"`
	// ProductAnalyticsDataCollectorHost is the address that collects data for product
	// analytics. Paid tiers.
	ProductAnalyticsDataCollectorHost string `json:"product_analytics_data_collector_host"`
	// ProductAnalyticsEnabled turns product analytics on. Paid tiers.
	ProductAnalyticsEnabled bool `json:"product_analytics_enabled"`
	// PrometheusMetricsEnabled collects metrics of the instance. True by default.
	PrometheusMetricsEnabled bool `json:"prometheus_metrics_enabled"`
	// ServiceProductUsageDataEnabled sends usage events to the vendor of the product. The
	// configuration of the instance has the default.
	ServiceProductUsageDataEnabled bool `json:"service_product_usage_data_enabled"`
	// ServiceProductUsageDataSource says where ServiceProductUsageDataEnabled is set. It
	// cannot be changed.
	ServiceProductUsageDataSource ProductUsageDataSource `json:"service_product_usage_data_source"`
	// SnowplowAppID is the name of the application in usage events.
	SnowplowAppID string `json:"snowplow_app_id"`
	// SnowplowCollectorHostname is the host that collects usage events.
	SnowplowCollectorHostname string `json:"snowplow_collector_hostname"`
	// SnowplowCookieDomain is the domain of the cookie for usage events.
	SnowplowCookieDomain string `json:"snowplow_cookie_domain"`
	// SnowplowDatabaseCollectorHostname is the host that collects events of the database.
	SnowplowDatabaseCollectorHostname string `json:"snowplow_database_collector_hostname"`
	// SnowplowEnabled sends usage events.
	SnowplowEnabled bool `json:"snowplow_enabled"`
	// UsagePingEnabled sends a weekly report to the vendor of the product. The configuration
	// of the instance has the default.
	UsagePingEnabled bool `json:"usage_ping_enabled"`
	// UsagePingFeaturesEnabled turns on features that are given in return for the report.
	UsagePingFeaturesEnabled bool `json:"usage_ping_features_enabled"`
	// UsagePingGenerationEnabled makes the report. True by default. Since 18.4.
	UsagePingGenerationEnabled bool `json:"usage_ping_generation_enabled"`
	// UseClickHouseForAnalytics takes analytics from ClickHouse. Premium.
	UseClickHouseForAnalytics bool `json:"use_clickhouse_for_analytics"`
	// VersionCheckEnabled looks for new releases at the vendor of the product. True by
	// default.
	VersionCheckEnabled bool `json:"version_check_enabled"`

	// Operation of the instance.

	// BackgroundOperationsMaxJobs is the maximum number of background operations at the same
	// time. The default is 10.
	BackgroundOperationsMaxJobs int `json:"background_operations_max_jobs"`
	// GeoNodeAllowedIPs are the addresses and ranges of secondary sites, separated by commas.
	// The default is "0.0.0.0/0, ::/0". Premium.
	GeoNodeAllowedIPs string `json:"geo_node_allowed_ips"`
	// GeoStatusTimeout is the time limit for the status of a secondary site, in seconds. The
	// default is 10. Premium.
	GeoStatusTimeout int64 `json:"geo_status_timeout"`
	// MaintenanceMode makes the instance read-only for all but administrators. Premium: lower
	// tiers do not have it.
	MaintenanceMode bool `json:"maintenance_mode"`
	// MaintenanceModeMessage is shown during maintenance. Premium: lower tiers do not have it.
	MaintenanceModeMessage string `json:"maintenance_mode_message"`
	// NamespaceAggregationScheduleLeaseDurationInSeconds is the time in seconds between two
	// counts of the storage of a namespace. The default is 300.
	NamespaceAggregationScheduleLeaseDurationInSeconds int64 `json:"namespace_aggregation_schedule_lease_duration_in_seconds"`
	// ReindexingMinimumIndexSize is the minimum size in bytes of a database index that is
	// rebuilt. The default is 1073741824.
	ReindexingMinimumIndexSize int64 `json:"reindexing_minimum_index_size"`
	// ReindexingMinimumRelativeBloatSize is the minimum bloat of a database index that is
	// rebuilt, such as 0.2. The default is 0.2.
	ReindexingMinimumRelativeBloatSize float64 `json:"reindexing_minimum_relative_bloat_size"`
	// ResourceUsageLimits limits the work in the background, as JSON.
	ResourceUsageLimits json.RawMessage `json:"resource_usage_limits,omitzero"`
	// ServiceDedicatedInstance says that the vendor runs the instance for one customer.
	ServiceDedicatedInstance bool `json:"service_dedicated_instance"`
	// ServiceEnvironmentToolkitInstance says that the instance was set up with the toolkit of
	// the vendor.
	ServiceEnvironmentToolkitInstance bool `json:"service_environment_toolkit_instance"`
	// SidekiqJobLimiterCompressionThresholdBytes is the size in bytes from which background
	// jobs are compressed. The configuration of the instance has the default.
	SidekiqJobLimiterCompressionThresholdBytes int64 `json:"sidekiq_job_limiter_compression_threshold_bytes"`
	// SidekiqJobLimiterLimitBytes is the size in bytes from which background jobs are refused.
	// 0 means no limit. The configuration of the instance has the default.
	SidekiqJobLimiterLimitBytes int64 `json:"sidekiq_job_limiter_limit_bytes"`
	// SidekiqJobLimiterMode says what happens to large background jobs. The default is
	// "compress".
	SidekiqJobLimiterMode SidekiqJobLimiterMode `json:"sidekiq_job_limiter_mode"`

	// Extra has the settings that have no field here, by their names in the API. It may
	// contain secrets, which printing or encoding it reveals.
	Extra map[string]json.RawMessage `json:"-"`

	blanks settingBlanks
}
