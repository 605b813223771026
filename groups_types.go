package serviceapi

import "time"

// Group is a group of projects, members and other groups.
type Group struct {
	GroupSettings
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Path is the last element of the group's path, such as "platform". FullPath
	// is the whole path, as [GroupPath] requires: "acme/platform".
	Path     string `json:"path"`
	FullPath string `json:"full_path"`
	// FullName is the name with the names of the parent groups: "Acme / Platform".
	FullName    string `json:"full_name"`
	Description string `json:"description"`
	// ParentID is the ID of the parent group, nil for a top-level group.
	ParentID   *int64     `json:"parent_id"`
	WebURL     string     `json:"web_url"`
	Visibility Visibility `json:"visibility"`
	// AvatarURL is nil if the group has no picture.
	AvatarURL *string    `json:"avatar_url"`
	CreatedAt *time.Time `json:"created_at"`
	// LDAPCN and LDAPAccess are the directory group that members come from, and
	// the role that they get. Premium.
	LDAPCN     *string `json:"ldap_cn"`
	LDAPAccess *string `json:"ldap_access"`
	// RepositoryStorage is the name of the storage that holds the wiki. Only
	// administrators see it.
	RepositoryStorage string `json:"repository_storage"`
	// OrganizationID is set since 17.x.
	OrganizationID *int64 `json:"organization_id"`
	// Archived groups are read-only, since 18.x.
	Archived bool `json:"archived"`
	// MarkedForDeletionOn is the day on which the group was marked, nil if it is
	// not going to be deleted.
	MarkedForDeletionOn *Date `json:"marked_for_deletion_on"`
	// Statistics are nil unless [ListGroupsOptions.Statistics] asks for them.
	Statistics *ProjectStatistics `json:"statistics"`
	// CustomAttributes is nil unless WithCustomAttributes asked for them.
	CustomAttributes *CustomAttributes `json:"custom_attributes"`
}

// GroupDetails is a group with what only calls for one group return.
type GroupDetails struct {
	Group
	// SharedWithGroups are the groups that the group was shared with.
	SharedWithGroups []SharedGroup `json:"shared_with_groups"`
	// RunnersToken registers runners of the group. Only Owners see it.
	RunnersToken Secret `json:"runners_token"`
	// Projects and SharedProjects are the projects of the group and those that
	// were shared with it, at most 100 of each.
	//
	// Deprecated: use [ProjectsService.All] with the group as owner.
	Projects       []*Project `json:"projects"`
	SharedProjects []*Project `json:"shared_projects"`
}

// BranchProtection protects the default branch of new projects.
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

// BranchProtectionDefaults say how the default branch of a new project is
// protected.
type BranchProtectionDefaults struct {
	AllowedToPush             []BranchProtectionRole `json:"allowed_to_push"`
	AllowedToMerge            []BranchProtectionRole `json:"allowed_to_merge"`
	AllowForcePush            bool                   `json:"allow_force_push"`
	CodeOwnerApprovalRequired bool                   `json:"code_owner_approval_required"`
}

// BranchProtectionRole is a role with access to a protected branch.
type BranchProtectionRole struct {
	AccessLevel AccessLevel `json:"access_level"`
}

// ProjectCreationLevel says who may create projects in a group.
type ProjectCreationLevel string

// Levels of who may create projects in a group. ProjectCreationLevelOwner and
// ProjectCreationLevelAdministrator exist in later releases.
const (
	ProjectCreationLevelNobody        ProjectCreationLevel = "noone"
	ProjectCreationLevelMaintainer    ProjectCreationLevel = "maintainer"
	ProjectCreationLevelDeveloper     ProjectCreationLevel = "developer"
	ProjectCreationLevelOwner         ProjectCreationLevel = "owner"
	ProjectCreationLevelAdministrator ProjectCreationLevel = "administrator"
)

// SubgroupCreationLevel says who may create subgroups of a group.
type SubgroupCreationLevel string

// Levels of who may create subgroups.
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

// GitAccessProtocol is a protocol with which repositories can be accessed.
type GitAccessProtocol string

// Protocols with which repositories can be accessed.
const (
	GitAccessProtocolSSH  GitAccessProtocol = "ssh"
	GitAccessProtocolHTTP GitAccessProtocol = "http"
	GitAccessProtocolAll  GitAccessProtocol = "all"
)
