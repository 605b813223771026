package serviceapi

// GroupSettings are the settings of a group. Settings that the service does not
// show to the caller, or that its release does not have, are "" if they are
// strings, and nil otherwise.
type GroupSettings struct {
	// DefaultBranch is the name of the first branch of new projects, since 16.11.
	DefaultBranch string `json:"default_branch"`
	// DefaultBranchProtection protects the default branch of new projects.
	DefaultBranchProtection *BranchProtection `json:"default_branch_protection"`
	// ProjectCreationLevel says who may create projects in the group.
	ProjectCreationLevel ProjectCreationLevel `json:"project_creation_level"`
	// SubgroupCreationLevel says who may create subgroups.
	SubgroupCreationLevel SubgroupCreationLevel `json:"subgroup_creation_level"`
	// RequestAccessEnabled allows users to ask for membership.
	RequestAccessEnabled *bool `json:"request_access_enabled"`
	// ShareWithGroupLock forbids sharing projects of the group with other groups.
	ShareWithGroupLock *bool `json:"share_with_group_lock"`
	// PreventSharingGroupsOutsideHierarchy forbids sharing the group with groups
	// other than its subgroups. Top-level groups only.
	PreventSharingGroupsOutsideHierarchy *bool `json:"prevent_sharing_groups_outside_hierarchy"`
	// RequireTwoFactorAuthentication makes all members use two-factor
	// authentication.
	RequireTwoFactorAuthentication *bool `json:"require_two_factor_authentication"`
	// TwoFactorGracePeriod is the time in hours that members have to set up
	// two-factor authentication.
	TwoFactorGracePeriod *int `json:"two_factor_grace_period"`
	// EmailsDisabled reports whether notifications by email are off. Nil can mean
	// that the parent groups decide.
	//
	// Deprecated: EmailsEnabled replaces it since 16.5.
	EmailsDisabled *bool `json:"emails_disabled"`
	// EmailsEnabled reports whether notifications by email are on, since 16.5.
	EmailsEnabled *bool `json:"emails_enabled"`
	// MentionsDisabled prevents mentions of the group from notifying all of its
	// members.
	MentionsDisabled *bool `json:"mentions_disabled"`
	// LFSEnabled allows projects to keep large files outside the repository, with
	// Git LFS.
	LFSEnabled *bool `json:"lfs_enabled"`
	// AutoDevOpsEnabled runs predefined pipelines in projects without a CI/CD
	// configuration.
	AutoDevOpsEnabled *bool `json:"auto_devops_enabled"`
	// SharedRunnersSetting says whether the runners of the instance take jobs of
	// the group's projects.
	SharedRunnersSetting SharedRunnersSetting `json:"shared_runners_setting"`
	// EnabledGitAccessProtocol is the protocol with which repositories can be
	// accessed. Since 16.9.
	EnabledGitAccessProtocol GitAccessProtocol `json:"enabled_git_access_protocol"`
	// MaxArtifactsSize limits the size of the artifacts of a job, in megabytes. It
	// exists in later releases.
	MaxArtifactsSize *int64 `json:"max_artifacts_size"`
	// WikiAccessLevel says who may use the wiki of the group, in later releases.
	// Premium.
	WikiAccessLevel FeatureAccessLevel `json:"wiki_access_level"`
	// MembershipLock forbids adding members to projects of the group. Premium.
	MembershipLock *bool `json:"membership_lock"`
	// SharedRunnersMinutesLimit is in minutes per month. 0 means no limit; nil
	// means the default of the instance. Premium.
	SharedRunnersMinutesLimit *int64 `json:"shared_runners_minutes_limit"`
	// ExtraSharedRunnersMinutesLimit is in minutes, in addition to the monthly
	// ones. Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit"`
	// PreventForkingOutsideGroup forbids forks outside the group. Premium.
	PreventForkingOutsideGroup *bool `json:"prevent_forking_outside_group"`
	// FileTemplateProjectID is the project whose files are templates for new ones.
	// Premium.
	FileTemplateProjectID *int64 `json:"file_template_project_id"`
	// IPRestrictionRanges are the networks from which the group can be accessed,
	// separated by commas. Since 15.4. Premium.
	IPRestrictionRanges string `json:"ip_restriction_ranges"`
	// AllowedEmailDomainsList are the domains of email addresses that members may
	// have, separated by commas. Since 17.4. Premium.
	AllowedEmailDomainsList string `json:"allowed_email_domains_list"`
	// DefaultBranchProtectionDefaults replaces DefaultBranchProtection since 17.0.
	DefaultBranchProtectionDefaults *BranchProtectionDefaults `json:"default_branch_protection_defaults"`
}
