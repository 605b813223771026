package serviceapi

// CreateGroupOptions describes a new group. Name and Path are required. Nil
// fields have their default value.
type CreateGroupOptions struct {
	Name string `json:"name"`
	// Path is the last element of the group's path, such as "platform".
	Path string `json:"path"`
	// ParentID is the ID of the group to create a subgroup in. Nil means a
	// top-level group.
	ParentID *int64 `json:"parent_id,omitzero"`
	// Description is shown on the page of the group.
	Description *string `json:"description,omitzero"`
	// Visibility says who can see the group. The default is that of the instance.
	Visibility *Visibility `json:"visibility,omitzero"`
	// Avatar is a picture. With it the call is sent as multipart/form-data instead
	// of JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// DefaultBranch is the name of the first branch of new projects, since 16.11.
	DefaultBranch *string `json:"default_branch,omitzero"`
	// DefaultBranchProtection protects the default branch of new projects. Since
	// 17.0, DefaultBranchProtectionDefaults replaces it and says more.
	DefaultBranchProtection         *BranchProtection         `json:"default_branch_protection,omitzero"`
	DefaultBranchProtectionDefaults *BranchProtectionDefaults `json:"default_branch_protection_defaults,omitzero"`
	// ProjectCreationLevel says who may create projects in the group.
	ProjectCreationLevel *ProjectCreationLevel `json:"project_creation_level,omitzero"`
	// SubgroupCreationLevel says who may create subgroups.
	SubgroupCreationLevel *SubgroupCreationLevel `json:"subgroup_creation_level,omitzero"`
	// RequestAccessEnabled allows users to ask for membership.
	RequestAccessEnabled *bool `json:"request_access_enabled,omitzero"`
	// ShareWithGroupLock forbids sharing projects of the group with other groups.
	ShareWithGroupLock *bool `json:"share_with_group_lock,omitzero"`
	// RequireTwoFactorAuthentication makes all members use two-factor
	// authentication.
	RequireTwoFactorAuthentication *bool `json:"require_two_factor_authentication,omitzero"`
	// TwoFactorGracePeriod is the time in hours that members have to set up
	// two-factor authentication.
	TwoFactorGracePeriod *int `json:"two_factor_grace_period,omitzero"`
	// EmailsDisabled turns off notifications by email.
	//
	// Deprecated: use EmailsEnabled since 16.5.
	EmailsDisabled *bool `json:"emails_disabled,omitzero"`
	// EmailsEnabled turns notifications by email on or off, since 16.5.
	EmailsEnabled *bool `json:"emails_enabled,omitzero"`
	// MentionsDisabled prevents mentions of the group from notifying all of its
	// members.
	MentionsDisabled *bool `json:"mentions_disabled,omitzero"`
	// LFSEnabled allows projects to keep large files outside the repository, with
	// Git LFS.
	LFSEnabled *bool `json:"lfs_enabled,omitzero"`
	// AutoDevOpsEnabled runs predefined pipelines in projects without a CI/CD
	// configuration.
	AutoDevOpsEnabled *bool `json:"auto_devops_enabled,omitzero"`
	// EnabledGitAccessProtocol is the protocol with which repositories can be
	// accessed. Since 16.9.
	EnabledGitAccessProtocol *GitAccessProtocol `json:"enabled_git_access_protocol,omitzero"`
	// WikiAccessLevel says who may use the wiki of the group, in later releases.
	// Premium.
	WikiAccessLevel *FeatureAccessLevel `json:"wiki_access_level,omitzero"`
	// MembershipLock forbids adding members to projects of the group. Premium.
	MembershipLock *bool `json:"membership_lock,omitzero"`
	// SharedRunnersMinutesLimit is in minutes per month. 0 means no limit; null
	// means the default of the instance. Administrators only. Premium.
	SharedRunnersMinutesLimit Nullable[int64] `json:"shared_runners_minutes_limit,omitzero"`
	// ExtraSharedRunnersMinutesLimit is in minutes, in addition to the monthly
	// ones. Administrators only. Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit,omitzero"`
}

// UpdateGroupOptions changes a group. Nil fields are left unchanged, and at
// least one must be set.
type UpdateGroupOptions struct {
	Name *string `json:"name,omitzero"`
	// Path is the last element of the group's path. Changing it changes the
	// addresses of everything in the group.
	Path *string `json:"path,omitzero"`
	// Description is shown on the page of the group.
	Description *string `json:"description,omitzero"`
	// Visibility says who can see the group. It cannot be more restrictive than
	// that of a subgroup or project in the group.
	Visibility *Visibility `json:"visibility,omitzero"`
	// Avatar is a picture. With it the call is sent as multipart/form-data instead
	// of JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// DefaultBranch is the name of the first branch of new projects, since 16.11.
	DefaultBranch *string `json:"default_branch,omitzero"`
	// DefaultBranchProtection protects the default branch of new projects. Since
	// 17.0, DefaultBranchProtectionDefaults replaces it and says more.
	DefaultBranchProtection         *BranchProtection         `json:"default_branch_protection,omitzero"`
	DefaultBranchProtectionDefaults *BranchProtectionDefaults `json:"default_branch_protection_defaults,omitzero"`
	// ProjectCreationLevel says who may create projects in the group.
	ProjectCreationLevel *ProjectCreationLevel `json:"project_creation_level,omitzero"`
	// SubgroupCreationLevel says who may create subgroups.
	SubgroupCreationLevel *SubgroupCreationLevel `json:"subgroup_creation_level,omitzero"`
	// RequestAccessEnabled allows users to ask for membership.
	RequestAccessEnabled *bool `json:"request_access_enabled,omitzero"`
	// ShareWithGroupLock forbids sharing projects of the group with other groups.
	ShareWithGroupLock *bool `json:"share_with_group_lock,omitzero"`
	// PreventSharingGroupsOutsideHierarchy forbids sharing the group with groups
	// other than its subgroups. Top-level groups only.
	PreventSharingGroupsOutsideHierarchy *bool `json:"prevent_sharing_groups_outside_hierarchy,omitzero"`
	// RequireTwoFactorAuthentication makes all members use two-factor
	// authentication.
	RequireTwoFactorAuthentication *bool `json:"require_two_factor_authentication,omitzero"`
	// TwoFactorGracePeriod is the time in hours that members have to set up
	// two-factor authentication.
	TwoFactorGracePeriod *int `json:"two_factor_grace_period,omitzero"`
	// EmailsDisabled turns off notifications by email.
	//
	// Deprecated: use EmailsEnabled since 16.5.
	EmailsDisabled *bool `json:"emails_disabled,omitzero"`
	// EmailsEnabled turns notifications by email on or off, since 16.5.
	EmailsEnabled *bool `json:"emails_enabled,omitzero"`
	// MentionsDisabled prevents mentions of the group from notifying all of its
	// members.
	MentionsDisabled *bool `json:"mentions_disabled,omitzero"`
	// LFSEnabled allows projects to keep large files outside the repository, with
	// Git LFS.
	LFSEnabled *bool `json:"lfs_enabled,omitzero"`
	// AutoDevOpsEnabled runs predefined pipelines in projects without a CI/CD
	// configuration.
	AutoDevOpsEnabled *bool `json:"auto_devops_enabled,omitzero"`
	// SharedRunnersSetting says whether the runners of the instance take jobs of
	// the group's projects.
	SharedRunnersSetting *SharedRunnersSetting `json:"shared_runners_setting,omitzero"`
	// EnabledGitAccessProtocol is the protocol with which repositories can be
	// accessed. Since 16.9.
	EnabledGitAccessProtocol *GitAccessProtocol `json:"enabled_git_access_protocol,omitzero"`
	// MaxArtifactsSize limits the size of the artifacts of a job, in megabytes. It
	// exists in later releases.
	MaxArtifactsSize *int64 `json:"max_artifacts_size,omitzero"`
	// WikiAccessLevel says who may use the wiki of the group, in later releases.
	// Premium.
	WikiAccessLevel *FeatureAccessLevel `json:"wiki_access_level,omitzero"`
	// MembershipLock forbids adding members to projects of the group. Premium.
	MembershipLock *bool `json:"membership_lock,omitzero"`
	// SharedRunnersMinutesLimit is in minutes per month. 0 means no limit; null
	// means the default of the instance. Administrators only. Premium.
	SharedRunnersMinutesLimit Nullable[int64] `json:"shared_runners_minutes_limit,omitzero"`
	// ExtraSharedRunnersMinutesLimit is in minutes, in addition to the monthly
	// ones. Administrators only. Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit,omitzero"`
	// PreventForkingOutsideGroup forbids forks outside the group. Premium.
	PreventForkingOutsideGroup *bool `json:"prevent_forking_outside_group,omitzero"`
	// FileTemplateProjectID is the project whose files are templates for new ones.
	// Premium.
	FileTemplateProjectID *int64 `json:"file_template_project_id,omitzero"`
	// IPRestrictionRanges are the networks from which the group can be accessed,
	// separated by commas. Since 15.4. Premium.
	IPRestrictionRanges *string `json:"ip_restriction_ranges,omitzero"`
	// AllowedEmailDomainsList are the domains of email addresses that members may
	// have, separated by commas. Since 17.4. Premium.
	AllowedEmailDomainsList *string `json:"allowed_email_domains_list,omitzero"`
}
