package serviceapi

// platformSettings are those of testdata/groups/group.json.
func platformSettings() Group {
	return Group{
		DefaultBranch: "default_branch 1", DefaultBranchProtection: new(BranchProtectionFull),
		ProjectCreationLevel: ProjectCreationLevelNobody, SubgroupCreationLevel: SubgroupCreationLevelOwner,
		RequestAccessEnabled: true, ShareWithGroupLock: true,
		PreventSharingGroupsOutsideHierarchy: new(true), RequireTwoFactorAuthentication: true,
		TwoFactorGracePeriod: 109, EmailsDisabled: new(true), EmailsEnabled: new(true),
		MentionsDisabled: new(false), LFSEnabled: true, AutoDevOpsEnabled: new(true),
		SharedRunnersSetting: SharedRunnersSettingDisabledWithOverride, EnabledGitAccessProtocol: GitAccessProtocolSSH,
		MaxArtifactsSize: new(int64(117)), WikiAccessLevel: FeatureAccessLevelDisabled, MembershipLock: new(true),
		SharedRunnersMinutesLimit: new(int64(120)), ExtraSharedRunnersMinutesLimit: new(int64(121)),
		PreventForkingOutsideGroup: new(true), FileTemplateProjectID: new(int64(123)),
		IPRestrictionRanges: "ip_restriction_ranges 24", AllowedEmailDomainsList: "allowed_email_domains_list 25",
		DefaultBranchProtectionDefaults: &BranchProtectionDefaults{
			AllowedToPush: []*BranchProtectionRole{{AccessLevelMaintainer}}, AllowedToMerge: []*BranchProtectionRole{{AccessLevelDeveloper}},
			AllowForcePush: true, CodeOwnerApprovalRequired: true,
		},
	}
}

func everyNewGroupSetting() CreateGroupOptions {
	return CreateGroupOptions{
		Description: new("description 1"), Visibility: new(VisibilityInternal),
		DefaultBranch: new("default_branch 3"), DefaultBranchProtection: new(BranchProtectionFull),
		DefaultBranchProtectionDefaults: &BranchProtectionDefaults{AllowedToPush: []*BranchProtectionRole{{AccessLevelMaintainer}}, AllowForcePush: true},
		ProjectCreationLevel:            new(ProjectCreationLevelNobody), SubgroupCreationLevel: new(SubgroupCreationLevelOwner),
		RequestAccessEnabled: new(true), ShareWithGroupLock: new(true),
		RequireTwoFactorAuthentication: new(false), TwoFactorGracePeriod: new(110),
		EmailsDisabled: new(true), EmailsEnabled: new(false), MentionsDisabled: new(true), LFSEnabled: new(true),
		AutoDevOpsEnabled: new(false), EnabledGitAccessProtocol: new(GitAccessProtocolSSH),
		WikiAccessLevel: new(FeatureAccessLevelPrivate), MembershipLock: new(false),
		SharedRunnersMinutesLimit: Value(int64(119)), ExtraSharedRunnersMinutesLimit: new(int64(120)),
	}
}

const everyNewGroupSettingJSON = `{"description": "description 1", "visibility": "internal", "default_branch": "default_branch 3",
	"default_branch_protection": 2,
	"default_branch_protection_defaults": {"allowed_to_push": [{"access_level": 40}], "allowed_to_merge": [], "allow_force_push": true, "code_owner_approval_required": false},
	"project_creation_level": "noone", "subgroup_creation_level": "owner",
	"request_access_enabled": true, "share_with_group_lock": true, "require_two_factor_authentication": false,
	"two_factor_grace_period": 110, "emails_disabled": true, "emails_enabled": false,
	"mentions_disabled": true, "lfs_enabled": true, "auto_devops_enabled": false,
	"enabled_git_access_protocol": "ssh", "wiki_access_level": "private", "membership_lock": false,
	"shared_runners_minutes_limit": 119, "extra_shared_runners_minutes_limit": 120}`

func everyGroupSetting() UpdateGroupOptions {
	return UpdateGroupOptions{
		Description: new("description 1"), Visibility: new(VisibilityInternal),
		DefaultBranch: new("default_branch 3"), DefaultBranchProtection: new(BranchProtectionFull),
		DefaultBranchProtectionDefaults: &BranchProtectionDefaults{AllowedToPush: []*BranchProtectionRole{{AccessLevelMaintainer}}, AllowForcePush: true},
		ProjectCreationLevel:            new(ProjectCreationLevelNobody), SubgroupCreationLevel: new(SubgroupCreationLevelOwner),
		RequestAccessEnabled: new(true), ShareWithGroupLock: new(true),
		PreventSharingGroupsOutsideHierarchy: new(false), RequireTwoFactorAuthentication: new(true),
		TwoFactorGracePeriod: new(111), EmailsDisabled: new(false), EmailsEnabled: new(true),
		MentionsDisabled: new(true), LFSEnabled: new(false), AutoDevOpsEnabled: new(true),
		SharedRunnersSetting: new(SharedRunnersSettingDisabledWithOverride), EnabledGitAccessProtocol: new(GitAccessProtocolSSH),
		MaxArtifactsSize: new(int64(119)), WikiAccessLevel: new(FeatureAccessLevelEnabled), MembershipLock: new(false),
		SharedRunnersMinutesLimit: Value(int64(122)), ExtraSharedRunnersMinutesLimit: new(int64(123)),
		PreventForkingOutsideGroup: new(false), FileTemplateProjectID: new(int64(125)),
		IPRestrictionRanges:     new("ip_restriction_ranges 26"),
		AllowedEmailDomainsList: new("allowed_email_domains_list 27"),
	}
}

const everyGroupSettingJSON = `{"description": "description 1", "visibility": "internal", "default_branch": "default_branch 3",
	"default_branch_protection": 2,
	"default_branch_protection_defaults": {"allowed_to_push": [{"access_level": 40}], "allowed_to_merge": [], "allow_force_push": true, "code_owner_approval_required": false},
	"project_creation_level": "noone", "subgroup_creation_level": "owner",
	"request_access_enabled": true, "share_with_group_lock": true,
	"prevent_sharing_groups_outside_hierarchy": false, "require_two_factor_authentication": true,
	"two_factor_grace_period": 111, "emails_disabled": false, "emails_enabled": true,
	"mentions_disabled": true, "lfs_enabled": false, "auto_devops_enabled": true,
	"shared_runners_setting": "disabled_with_override", "enabled_git_access_protocol": "ssh",
	"max_artifacts_size": 119, "wiki_access_level": "enabled", "membership_lock": false,
	"shared_runners_minutes_limit": 122, "extra_shared_runners_minutes_limit": 123,
	"prevent_forking_outside_group": false, "file_template_project_id": 125,
	"ip_restriction_ranges": "ip_restriction_ranges 26",
	"allowed_email_domains_list": "allowed_email_domains_list 27"}`
