package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// GroupsService manages groups. For the projects of a group, see [ProjectsService];
// for its members, see [MembersService].
//
// The owner of a list is [Instance] or a [GroupRef]:
//
//	client.Groups.All(ctx, serviceapi.GroupPath("acme"), nil)
//
// Its options are [CreateGroupOptions], [DeleteGroupOptions], [GetGroupOptions],
// [ImportGroupOptions], [ListGroupUsersOptions], [ListGroupsOptions],
// [ListInvitedGroupsOptions], [ListSharedGroupsOptions], [ListSharedProjectsOptions],
// [ListTransferLocationsOptions], [ReassignPlaceholdersOptions], [ShareGroupOptions],
// [TransferGroupOptions] and [UpdateGroupOptions]. See the example ProjectsAllOfGroup in
// structure_test.go of [example.com/serviceapi/examples/recipes].
type GroupsService service

// GroupOwner is an owner of groups: [Instance] or a [GroupRef].
type GroupOwner interface{ hasGroups() }

func (InstanceOwner) hasGroups() {}

func (GroupRef) hasGroups() {}

func groupsOf(owner GroupOwner) Endpoint {
	if group, ok := owner.(GroupRef); ok {
		return Route("/groups/:id/subgroups", group)
	}
	return below(owner, "/groups")
}

// List returns one page of groups: with [Instance], all groups that the caller
// may see, which are the public ones without a credential; with a [GroupRef],
// its direct subgroups. The call returns an [*ArgumentError] for an option that
// the owner does not support.
//
//	GET /groups
//	GET /groups/:id/subgroups
func (s *GroupsService) List(
	ctx context.Context, owner GroupOwner, options *ListGroupsOptions, opts ...RequestOption,
) ([]*Group, *Response, error) {
	return list[*Group](ctx, using(s), groupsOf(owner), queryFor(owner, options), opts)
}

// All returns every group that the caller may see, of the instance or directly
// in a group. See [GroupsService.List].
//
//	GET /groups
//	GET /groups/:id/subgroups
func (s *GroupsService) All(
	ctx context.Context, owner GroupOwner, options *ListGroupsOptions, opts ...RequestOption,
) iter.Seq2[*Group, error] {
	return all[*Group](ctx, using(s), groupsOf(owner), queryFor(owner, options), opts)
}

// Get returns one group. Public groups need no credential. The service also
// returns up to 100 of the group's projects unless
// [GetGroupOptions.WithProjects] is false. The call returns [ErrNotFound] for a
// group that the caller may not see.
//
//	GET /groups/:id
func (s *GroupsService) Get(
	ctx context.Context, group GroupRef, options *GetGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodGet, Route("/groups/:id", group), queryOf(options), opts)
}

// Create creates a group, or a subgroup with [CreateGroupOptions.ParentID]. The
// caller becomes its Owner. The call returns [ErrBadRequest] if the service
// refuses a parameter, such as a path that is taken.
//
//	POST /groups
func (s *GroupsService) Create(
	ctx context.Context, options CreateGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodPost,
		Route("/groups"), jsonOrMultipart(options, "avatar", options.Avatar), opts)
}

// Update changes a group and returns it. It requires the Owner role.
//
//	PUT /groups/:id
func (s *GroupsService) Update(
	ctx context.Context, group GroupRef, options UpdateGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodPut,
		Route("/groups/:id", group), options.input(), opts)
}

// Delete deletes a group with all of its subgroups and projects. It requires the Owner
// role. The service accepts the call (202) and deletes them in the background.
//
// If deletion is delayed, which was a premium feature before 18.0 and is the default
// since, the group is only marked for deletion, and is deleted some days later. A
// subgroup that is marked can be deleted at once with
// [DeleteGroupOptions.PermanentlyRemove].
//
//	DELETE /groups/:id
func (s *GroupsService) Delete(
	ctx context.Context, group GroupRef, options *DeleteGroupOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/groups/:id", group), queryOf(options), opts)
}

// ListDescendants returns one page of the groups below a group, at all levels, without
// the group itself. Without a credential, only public groups are listed.
//
//	GET /groups/:id/descendant_groups
func (s *GroupsService) ListDescendants(
	ctx context.Context, group GroupRef, options *ListGroupsOptions, opts ...RequestOption,
) ([]*Group, *Response, error) {
	return list[*Group](ctx, using(s), Route("/groups/:id/descendant_groups", group), queryFor(group, options), opts)
}

// AllDescendants returns every group below a group. See [GroupsService.ListDescendants].
//
//	GET /groups/:id/descendant_groups
func (s *GroupsService) AllDescendants(
	ctx context.Context, group GroupRef, options *ListGroupsOptions, opts ...RequestOption,
) iter.Seq2[*Group, error] {
	return all[*Group](ctx, using(s), Route("/groups/:id/descendant_groups", group), queryFor(group, options), opts)
}

// DownloadAvatar returns the picture of a group as a stream. The call returns [ErrNotFound]
// if no picture was uploaded. Since 16.9.
//
//	GET /groups/:id/avatar
func (s *GroupsService) DownloadAvatar(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet, Route("/groups/:id/avatar", group).withoutHTML(), nil, opts)
}

// Restore cancels the deletion of a group that is marked for deletion. It requires the
// Owner role. Premium before 18.0. The call returns [ErrBadRequest] if the group is not
// marked.
//
//	POST /groups/:id/restore
func (s *GroupsService) Restore(ctx context.Context, group GroupRef, opts ...RequestOption) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodPost, Route("/groups/:id/restore", group), nil, opts)
}

// Transfer moves a group into another, or to the top level, which changes the paths of
// everything in it. It requires the Owner role and the permission to create subgroups in
// the new parent. The call returns [ErrBadRequest] if the service refuses the transfer, for
// example because the path is taken there or the group is already there.
//
//	POST /groups/:id/transfer
func (s *GroupsService) Transfer(
	ctx context.Context, group GroupRef, options TransferGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodPost, Route("/groups/:id/transfer", group), jsonOf(options), opts)
}

// TransferProject moves a project into a group, which changes the path of the project.
// Administrators only; others use [ProjectsService.Transfer]. The call returns
// [ErrBadRequest] if the service refuses the transfer.
//
//	POST /groups/:id/projects/:project_id
func (s *GroupsService) TransferProject(
	ctx context.Context, group GroupRef, project ProjectRef, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodPost,
		Route("/groups/:id/projects/:project_id", group, project), nil, opts)
}

// ListTransferLocations returns one page of the groups that the caller may move a group to
// with [GroupsService.Transfer]. It requires the Owner role. Since 15.4.
//
//	GET /groups/:id/transfer_locations
func (s *GroupsService) ListTransferLocations(
	ctx context.Context, group GroupRef, options *ListTransferLocationsOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, using(s), Route("/groups/:id/transfer_locations", group), queryOf(options), opts)
}

// AllTransferLocations returns every group that the caller may move a group to. See
// [GroupsService.ListTransferLocations].
//
//	GET /groups/:id/transfer_locations
func (s *GroupsService) AllTransferLocations(
	ctx context.Context, group GroupRef, options *ListTransferLocationsOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, using(s), Route("/groups/:id/transfer_locations", group), queryOf(options), opts)
}

// Share gives the members of another group access to a group and everything in it. It
// requires the Owner role. The call returns [ErrConflict] if the group is already shared
// with the other group, and [ErrNotFound] if the caller may not see the other group or
// sharing is not allowed: see [Group.ShareWithGroupLock] and
// [Group.PreventSharingGroupsOutsideHierarchy].
//
//	POST /groups/:id/share
func (s *GroupsService) Share(
	ctx context.Context, group GroupRef, options ShareGroupOptions, opts ...RequestOption,
) (*Group, *Response, error) {
	return do[Group](ctx, using(s), http.MethodPost, Route("/groups/:id/share", group), jsonOf(options), opts)
}

// Unshare removes the access that another group got with [GroupsService.Share]. It requires
// the Owner role. The other group must be a [GroupID]. The call returns [ErrNotFound] if
// the group is not shared with it.
//
//	DELETE /groups/:id/share/:group_id
func (s *GroupsService) Unshare(
	ctx context.Context, group, other GroupRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/groups/:id/share/:group_id", group, onlyID(other)), nil, opts)
}

// ListSharedProjects returns one page of the projects that were shared with a group.
//
//	GET /groups/:id/projects/shared
func (s *GroupsService) ListSharedProjects(
	ctx context.Context, group GroupRef, options *ListSharedProjectsOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, using(s), Route("/groups/:id/projects/shared", group), queryOf(options), opts)
}

// AllSharedProjects returns every project that was shared with a group.
//
//	GET /groups/:id/projects/shared
func (s *GroupsService) AllSharedProjects(
	ctx context.Context, group GroupRef, options *ListSharedProjectsOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, using(s), Route("/groups/:id/projects/shared", group), queryOf(options), opts)
}

// CreateGroupOptions describes a new group. Name and Path are required. Nil
// fields have their default value.
type CreateGroupOptions struct {
	Name string `json:"name" required:"true"`
	// Path is the last element of the group's path, such as "platform".
	Path string `json:"path" required:"true"`
	// ParentID is the ID of the group to create a subgroup in. Nil means a
	// top-level group.
	ParentID *int64 `json:"parent_id,omitzero"`
	// Description is shown on the page of the group.
	Description *string `json:"description,omitzero"`
	// Visibility says who can see the group. The default is a setting of the instance.
	Visibility *Visibility `json:"visibility,omitzero"`
	// Avatar is a picture. With it, the call is sent as multipart/form-data instead of
	// JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// DefaultBranch is the name of the default branch of new projects. Since 16.11.
	DefaultBranch *string `json:"default_branch,omitzero"`
	// DefaultBranchProtection protects the default branch of new projects. Since 17.0,
	// DefaultBranchProtectionDefaults replaces it and is more detailed.
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
	// EmailsDisabled turns off email notifications.
	//
	// Deprecated: use EmailsEnabled since 16.5.
	EmailsDisabled *bool `json:"emails_disabled,omitzero"`
	// EmailsEnabled turns email notifications on or off. Since 16.5.
	EmailsEnabled *bool `json:"emails_enabled,omitzero"`
	// OrganizationID is the ID of the organization that the group belongs to. Nil means the
	// caller's. An unknown one is refused with [ErrNotFound]. Since about 17.x.
	OrganizationID *int64 `json:"organization_id,omitzero"`
	// ShowDiffPreviewInEmail shows the lines that a comment is about in the email about it.
	// Since 18.4.
	ShowDiffPreviewInEmail *bool `json:"show_diff_preview_in_email,omitzero"`
	// LDAPCN is a group of a directory whose members become members of this group, and
	// LDAPAccess the role that they get. One requires the other. Premium.
	LDAPCN     *string      `json:"ldap_cn,omitzero"`
	LDAPAccess *AccessLevel `json:"ldap_access,omitzero"`
	// FoundationalAgentsStatuses turns agents of the service on and off. Paid. Only in later
	// releases.
	FoundationalAgentsStatuses []*FoundationalAgentStatus `json:"foundational_agents_statuses,omitzero"`
	// DuoRemoteFlowsAvailability and DuoFoundationalFlowsAvailability let agents work in
	// pipelines, and do what the service brings. ModelPromptCacheEnabled lets prompts be cached,
	// and AmazonQAutoReviewEnabled has Amazon Q review each merge request. The service does not
	// document them, and no response has them. Paid. Only in later releases.
	DuoRemoteFlowsAvailability       *bool `json:"duo_remote_flows_availability,omitzero"`
	DuoFoundationalFlowsAvailability *bool `json:"duo_foundational_flows_availability,omitzero"`
	ModelPromptCacheEnabled          *bool `json:"model_prompt_cache_enabled,omitzero"`
	AmazonQAutoReviewEnabled         *bool `json:"amazon_q_auto_review_enabled,omitzero"`
	// AISettings are further ones of this kind.
	AISettings *GroupAISettings `json:"ai_settings_attributes,omitzero"`
	// MentionsDisabled prevents mentions of the group from notifying all of its
	// members.
	MentionsDisabled *bool `json:"mentions_disabled,omitzero"`
	// LFSEnabled allows projects to keep large files outside the repository, with
	// Git LFS.
	LFSEnabled *bool `json:"lfs_enabled,omitzero"`
	// AutoDevOpsEnabled runs predefined pipelines in projects without a CI/CD
	// configuration.
	AutoDevOpsEnabled *bool `json:"auto_devops_enabled,omitzero"`
	// EnabledGitAccessProtocol is the protocol that repositories can be accessed with.
	// Since 16.9.
	EnabledGitAccessProtocol *GitAccessProtocol `json:"enabled_git_access_protocol,omitzero"`
	// CRMEnabled lets the group keep a list of customers. Only in later releases.
	CRMEnabled *bool `json:"crm_enabled,omitzero"`
	// ExperimentFeaturesEnabled turns on experimental features. Only in later releases.
	ExperimentFeaturesEnabled *bool `json:"experiment_features_enabled,omitzero"`
	// MathRenderingLimitsEnabled limits the size of the formulas that are rendered. Only in
	// later releases.
	MathRenderingLimitsEnabled *bool `json:"math_rendering_limits_enabled,omitzero"`
	// LockMathRenderingLimitsEnabled keeps subgroups from changing
	// MathRenderingLimitsEnabled. Only in later releases.
	LockMathRenderingLimitsEnabled *bool `json:"lock_math_rendering_limits_enabled,omitzero"`
	// DuoFeaturesEnabled turns on the features that use a language model. Only in later
	// releases.
	DuoFeaturesEnabled *bool `json:"duo_features_enabled,omitzero"`
	// LockDuoFeaturesEnabled keeps subgroups from changing DuoFeaturesEnabled. Only in
	// later releases.
	LockDuoFeaturesEnabled *bool `json:"lock_duo_features_enabled,omitzero"`
	// DuoAvailability says who can change DuoFeaturesEnabled. Only in later releases.
	DuoAvailability *DuoAvailability `json:"duo_availability,omitzero"`
	// OnlyAllowMergeIfPipelineSucceeds requires a successful pipeline for each merge in the
	// projects of the group. Only in later releases.
	OnlyAllowMergeIfPipelineSucceeds *bool `json:"only_allow_merge_if_pipeline_succeeds,omitzero"`
	// AllowMergeOnSkippedPipeline treats a skipped pipeline as successful. Only in later
	// releases.
	AllowMergeOnSkippedPipeline *bool `json:"allow_merge_on_skipped_pipeline,omitzero"`
	// OnlyAllowMergeIfAllDiscussionsAreResolved requires all discussions to be resolved
	// before a merge. Only in later releases.
	OnlyAllowMergeIfAllDiscussionsAreResolved *bool `json:"only_allow_merge_if_all_discussions_are_resolved,omitzero"`
	// WikiAccessLevel says who may use the wiki of the group. Only in later releases.
	// Premium.
	WikiAccessLevel *FeatureAccessLevel `json:"wiki_access_level,omitzero"`
	// MembershipLock forbids adding members to projects of the group. Premium.
	MembershipLock *bool `json:"membership_lock,omitzero"`
	// SharedRunnersMinutesLimit is the number of minutes per month for jobs on the
	// runners of the instance. 0 means no limit; null means the default of the
	// instance. Administrators only. Premium.
	SharedRunnersMinutesLimit Nullable[int64] `json:"shared_runners_minutes_limit,omitzero"`
	// ExtraSharedRunnersMinutesLimit is a number of minutes in addition to the monthly
	// limit. Null means none. Administrators only. Premium.
	ExtraSharedRunnersMinutesLimit Nullable[int64] `json:"extra_shared_runners_minutes_limit,omitzero"`
}

// UpdateGroupOptions changes a group. Nil fields are left unchanged. At least one
// field must be set.
type UpdateGroupOptions struct {
	Name *string `json:"name,omitzero"`
	// Path is the last element of the group's path. Changing it changes the
	// addresses of everything in the group.
	Path *string `json:"path,omitzero"`
	// Description is shown on the page of the group.
	Description *string `json:"description,omitzero"`
	// Visibility says who can see the group. It cannot be more restrictive than the
	// visibility of a subgroup or project in the group.
	Visibility *Visibility `json:"visibility,omitzero"`
	// Avatar is a picture. With it, the call is sent as multipart/form-data instead
	// of JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// RemoveAvatar removes the picture. It cannot be combined with Avatar.
	RemoveAvatar bool `json:"-"`
	// DefaultBranch is the name of the default branch of new projects. Since 16.11.
	DefaultBranch *string `json:"default_branch,omitzero"`
	// DefaultBranchProtection protects the default branch of new projects. Since
	// 17.0, DefaultBranchProtectionDefaults replaces it and is more detailed.
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
	// EmailsDisabled turns off email notifications.
	//
	// Deprecated: use EmailsEnabled since 16.5.
	EmailsDisabled *bool `json:"emails_disabled,omitzero"`
	// EmailsEnabled turns email notifications on or off. Since 16.5.
	EmailsEnabled *bool `json:"emails_enabled,omitzero"`
	// ShowDiffPreviewInEmail shows the lines that a comment is about in the email about it.
	// Since 18.4.
	ShowDiffPreviewInEmail *bool `json:"show_diff_preview_in_email,omitzero"`
	// LDAPCN is a group of a directory whose members become members of this group, and
	// LDAPAccess the role that they get. One requires the other. Premium.
	LDAPCN     *string      `json:"ldap_cn,omitzero"`
	LDAPAccess *AccessLevel `json:"ldap_access,omitzero"`
	// FoundationalAgentsStatuses turns agents of the service on and off. Paid. Only in later
	// releases.
	FoundationalAgentsStatuses []*FoundationalAgentStatus `json:"foundational_agents_statuses,omitzero"`
	// DuoRemoteFlowsAvailability and DuoFoundationalFlowsAvailability let agents work in
	// pipelines, and do what the service brings. ModelPromptCacheEnabled lets prompts be cached,
	// and AmazonQAutoReviewEnabled has Amazon Q review each merge request. The service does not
	// document them, and no response has them. Paid. Only in later releases.
	DuoRemoteFlowsAvailability       *bool `json:"duo_remote_flows_availability,omitzero"`
	DuoFoundationalFlowsAvailability *bool `json:"duo_foundational_flows_availability,omitzero"`
	ModelPromptCacheEnabled          *bool `json:"model_prompt_cache_enabled,omitzero"`
	AmazonQAutoReviewEnabled         *bool `json:"amazon_q_auto_review_enabled,omitzero"`
	// AISettings are further ones of this kind.
	AISettings *GroupAISettings `json:"ai_settings_attributes,omitzero"`
	// EnabledFoundationalFlows are the names of the built-in flows that are on. An empty list
	// turns all off. No response has them. Paid. Only in later releases.
	EnabledFoundationalFlows []string `json:"enabled_foundational_flows,omitzero"`
	// AutoDuoCodeReviewEnabled has each merge request reviewed automatically. Since 18.0. Paid.
	AutoDuoCodeReviewEnabled *bool `json:"auto_duo_code_review_enabled,omitzero"`
	// DuoCoreFeaturesEnabled turns on the features that every subscription has. Since 18.1.
	// Paid. Experimental.
	DuoCoreFeaturesEnabled *bool `json:"duo_core_features_enabled,omitzero"`
	// DuoNamespaceAccessRules say which features the members of which groups may use. Paid. Only
	// in later releases, behind a feature flag.
	DuoNamespaceAccessRules []*DuoNamespaceAccessRule `json:"duo_namespace_access_rules,omitzero"`
	// WebBasedCommitSigningEnabled signs the commits that users make on the web. Since 18.1.
	// Top-level groups of the hosted service only.
	WebBasedCommitSigningEnabled *bool `json:"web_based_commit_signing_enabled,omitzero"`
	// AllowPersonalSnippets lets the users whom the group manages create personal snippets.
	// Since about 18.5, behind a feature flag. Top-level groups of the hosted service only.
	AllowPersonalSnippets *bool `json:"allow_personal_snippets,omitzero"`
	// StepUpAuthRequiredOAuthProvider is the name of the provider at which users must prove again
	// who they are. An empty string means none. Since 18.4, behind a feature flag.
	StepUpAuthRequiredOAuthProvider *string `json:"step_up_auth_required_oauth_provider,omitzero"`
	// ServiceAccessTokensExpirationEnforced makes the tokens of service accounts expire.
	// Top-level groups only. Premium. Only in later releases.
	ServiceAccessTokensExpirationEnforced *bool `json:"service_access_tokens_expiration_enforced,omitzero"`
	// UniqueProjectDownloadLimit is the number of projects, at most 10,000, that a member may
	// download in UniqueProjectDownloadLimitIntervalInSeconds, at most 864,000 seconds. 0 means
	// no limit. Top-level groups only. Ultimate. Since about 15.3.
	UniqueProjectDownloadLimit                  *int   `json:"unique_project_download_limit,omitzero"`
	UniqueProjectDownloadLimitIntervalInSeconds *int64 `json:"unique_project_download_limit_interval_in_seconds,omitzero"`
	// UniqueProjectDownloadLimitAllowlist are the names of at most 100 users who have no such
	// limit, and UniqueProjectDownloadLimitAlertlist the IDs of at most 100 users who are told
	// about members who exceed it.
	UniqueProjectDownloadLimitAllowlist []string `json:"unique_project_download_limit_allowlist,omitzero"`
	UniqueProjectDownloadLimitAlertlist []int64  `json:"unique_project_download_limit_alertlist,omitzero"`
	// AutoBanUserOnExcessiveProjectsDownload bans members who exceed the limit from the group.
	AutoBanUserOnExcessiveProjectsDownload *bool `json:"auto_ban_user_on_excessive_projects_download,omitzero"`
	// MentionsDisabled prevents mentions of the group from notifying all of its
	// members.
	MentionsDisabled *bool `json:"mentions_disabled,omitzero"`
	// LFSEnabled allows projects to keep large files outside the repository, with
	// Git LFS.
	LFSEnabled *bool `json:"lfs_enabled,omitzero"`
	// AutoDevOpsEnabled runs predefined pipelines in projects without a CI/CD
	// configuration. Null lets the parent group or the instance decide.
	AutoDevOpsEnabled Nullable[bool] `json:"auto_devops_enabled,omitzero"`
	// SharedRunnersSetting says whether the runners of the instance take jobs of
	// the group's projects.
	SharedRunnersSetting *SharedRunnersSetting `json:"shared_runners_setting,omitzero"`
	// EnabledGitAccessProtocol is the protocol that repositories can be accessed
	// with. Since 16.9.
	EnabledGitAccessProtocol *GitAccessProtocol `json:"enabled_git_access_protocol,omitzero"`
	// CRMEnabled lets the group keep a list of customers. Only in later releases.
	CRMEnabled *bool `json:"crm_enabled,omitzero"`
	// ExperimentFeaturesEnabled turns on experimental features. Only in later releases.
	ExperimentFeaturesEnabled *bool `json:"experiment_features_enabled,omitzero"`
	// MathRenderingLimitsEnabled limits the size of the formulas that are rendered. Only in
	// later releases.
	MathRenderingLimitsEnabled *bool `json:"math_rendering_limits_enabled,omitzero"`
	// LockMathRenderingLimitsEnabled keeps subgroups from changing
	// MathRenderingLimitsEnabled. Only in later releases.
	LockMathRenderingLimitsEnabled *bool `json:"lock_math_rendering_limits_enabled,omitzero"`
	// DuoFeaturesEnabled turns on the features that use a language model. Only in later
	// releases.
	DuoFeaturesEnabled *bool `json:"duo_features_enabled,omitzero"`
	// LockDuoFeaturesEnabled keeps subgroups from changing DuoFeaturesEnabled. Only in
	// later releases.
	LockDuoFeaturesEnabled *bool `json:"lock_duo_features_enabled,omitzero"`
	// DuoAvailability says who can change DuoFeaturesEnabled. Only in later releases.
	DuoAvailability *DuoAvailability `json:"duo_availability,omitzero"`
	// OnlyAllowMergeIfPipelineSucceeds requires a successful pipeline for each merge in the
	// projects of the group. Only in later releases.
	OnlyAllowMergeIfPipelineSucceeds *bool `json:"only_allow_merge_if_pipeline_succeeds,omitzero"`
	// AllowMergeOnSkippedPipeline treats a skipped pipeline as successful. Only in later
	// releases.
	AllowMergeOnSkippedPipeline *bool `json:"allow_merge_on_skipped_pipeline,omitzero"`
	// OnlyAllowMergeIfAllDiscussionsAreResolved requires all discussions to be resolved
	// before a merge. Only in later releases.
	OnlyAllowMergeIfAllDiscussionsAreResolved *bool `json:"only_allow_merge_if_all_discussions_are_resolved,omitzero"`
	// MaxArtifactsSize limits the size of the artifacts of a job, in megabytes. Null
	// lets the parent group or the instance decide. It exists in later releases.
	MaxArtifactsSize Nullable[int64] `json:"max_artifacts_size,omitzero"`
	// WikiAccessLevel says who may use the wiki of the group. Only in later releases.
	// Premium.
	WikiAccessLevel *FeatureAccessLevel `json:"wiki_access_level,omitzero"`
	// MembershipLock forbids adding members to projects of the group. Premium.
	MembershipLock *bool `json:"membership_lock,omitzero"`
	// SharedRunnersMinutesLimit is the number of minutes per month for jobs on the
	// runners of the instance. 0 means no limit; null means the default of the
	// instance. Administrators only. Premium.
	SharedRunnersMinutesLimit Nullable[int64] `json:"shared_runners_minutes_limit,omitzero"`
	// ExtraSharedRunnersMinutesLimit is a number of minutes in addition to the
	// monthly limit. Null means none. Administrators only. Premium.
	ExtraSharedRunnersMinutesLimit Nullable[int64] `json:"extra_shared_runners_minutes_limit,omitzero"`
	// PreventForkingOutsideGroup forbids forks outside the group. Premium.
	PreventForkingOutsideGroup *bool `json:"prevent_forking_outside_group,omitzero"`
	// FileTemplateProjectID is the project whose files are templates for new ones. Null
	// means none. Premium.
	FileTemplateProjectID Nullable[int64] `json:"file_template_project_id,omitzero"`
	// IPRestrictionRanges are the networks from which the group can be accessed,
	// separated by commas. Since 15.4. Premium.
	IPRestrictionRanges *string `json:"ip_restriction_ranges,omitzero"`
	// AllowedEmailDomainsList are the domains of email addresses that members may
	// have, separated by commas. Since 17.4. Premium.
	AllowedEmailDomainsList *string `json:"allowed_email_domains_list,omitzero"`
}

// GroupOrderBy is an order of a list of groups.
type GroupOrderBy string

// Orders of groups. GroupOrderByName is the default, and the only order for keyset
// pagination. GroupOrderBySimilarity requires a search, and does not work for
// subgroups.
const (
	GroupOrderByName       GroupOrderBy = "name"
	GroupOrderByPath       GroupOrderBy = "path"
	GroupOrderByID         GroupOrderBy = "id"
	GroupOrderBySimilarity GroupOrderBy = "similarity"
)

// ListGroupsOptions selects groups. All filters must match.
type ListGroupsOptions struct {
	ListOptions
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
	// SkipGroups leaves out the groups with these IDs.
	SkipGroups []int64 `url:"skip_groups[],omitempty"`
	// AllAvailable adds the groups that the caller can see without being a member,
	// or leaves them out. Nil means the default of the service.
	AllAvailable *bool `url:"all_available,omitempty"`
	// Owned selects groups that the caller owns.
	Owned bool `url:"owned,omitempty"`
	// MinAccessLevel selects groups in which the caller has at least this role.
	MinAccessLevel AccessLevel `url:"min_access_level,omitempty"`
	// TopLevelOnly selects groups that have no parent. For a [GroupRef], there are
	// none.
	TopLevelOnly bool `url:"top_level_only,omitempty"`
	// Statistics sets [Group.Statistics]. Administrators only.
	Statistics bool `url:"statistics,omitempty"`
	// CustomAttributes selects groups with these attributes. Administrators only.
	CustomAttributes CustomAttributeFilter `url:"custom_attributes,omitempty"`
	// WithCustomAttributes sets [Group.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`

	// Pagination is [PaginationOffset] by default. [PaginationKeyset] works only
	// for calls without a credential ([Anonymous]). It implies OrderBy
	// [GroupOrderByName] and Sort [SortAscending], and allows no others. Only for
	// [Instance].
	Pagination Pagination `url:"pagination,omitempty" only:"instance"`
	// OrderBy is [GroupOrderByName] by default.
	OrderBy GroupOrderBy `url:"order_by,omitempty" keyset:"name"`
	// Sort is [SortAscending] by default.
	Sort Sort `url:"sort,omitempty" keyset:"asc"`

	// Visibility selects groups with this visibility. Only in later releases.
	Visibility Visibility `url:"visibility,omitempty"`
	// RepositoryStorage selects groups whose wiki is on this storage. Since 16.3.
	// Administrators only. Premium.
	RepositoryStorage string `url:"repository_storage,omitempty"`
	// MarkedForDeletionOn selects groups that were marked for deletion on a day. Since
	// 17.1. Premium.
	MarkedForDeletionOn Date `url:"marked_for_deletion_on,omitempty"`
	// Active selects groups that are neither archived nor marked for deletion, or those
	// that are. Nil selects both. Since 18.x.
	Active *bool `url:"active,omitempty"`
	// Archived selects archived groups, or those that are not. Nil selects both. Since
	// 18.x.
	Archived *bool `url:"archived,omitempty"`
}

// GetGroupOptions selects what is returned about a group.
type GetGroupOptions struct {
	// WithProjects sets [Group.Projects] and [Group.SharedProjects]. Nil means true;
	// false spares the service the work.
	WithProjects *bool `url:"with_projects,omitempty"`
	// WithCustomAttributes sets [Group.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
}

// DeleteGroupOptions says how a group is deleted.
type DeleteGroupOptions struct {
	// PermanentlyRemove deletes a subgroup that is already marked for deletion,
	// without waiting for the scheduled day. It requires FullPath. Since 15.4;
	// premium until 18.0.
	PermanentlyRemove bool `url:"permanently_remove,omitempty"`
	// FullPath is the path of the group, including its parent groups. It confirms
	// PermanentlyRemove.
	FullPath string `url:"full_path,omitempty"`
}

func (o *DeleteGroupOptions) check() error {
	return confirmed(orZero(o).PermanentlyRemove, orZero(o).FullPath)
}

// TransferGroupOptions says where to move a group.
type TransferGroupOptions struct {
	// GroupID is the ID of the new parent group. Nil makes the group a top-level one.
	GroupID *int64 `json:"group_id,omitzero"`
}

func (o TransferGroupOptions) check() error {
	if o.GroupID == nil {
		return nil
	}
	return positive("GroupID", *o.GroupID)
}

// ShareGroupOptions says which group to share with. GroupID and GroupAccess are
// required.
type ShareGroupOptions struct {
	// GroupID is the group whose members get access.
	GroupID int64 `json:"group_id" required:"true"`
	// GroupAccess is the highest role that they get.
	GroupAccess AccessLevel `json:"group_access" required:"true"`
	// ExpiresAt is the first day without the access, by UTC. Nil means never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// MemberRoleID is the ID of a custom role that they get. Only in later releases.
	MemberRoleID *int64 `json:"member_role_id,omitzero"`
}

// ListSharedProjectsOptions selects projects that were shared with a group. All filters
// must match.
type ListSharedProjectsOptions struct {
	ListOptions
	// Search searches names, paths and descriptions.
	Search string `url:"search,omitempty"`
	// Archived selects archived projects, or those that are not. Nil selects both.
	Archived *bool `url:"archived,omitempty"`
	// Visibility selects projects with this visibility.
	Visibility Visibility `url:"visibility,omitempty"`
	// CustomAttributes selects projects with these attributes. Administrators only. Only in
	// later releases, whose documentation does not have it.
	CustomAttributes CustomAttributeFilter `url:"custom_attributes,omitempty"`
	// Starred selects projects that the caller has starred.
	Starred bool `url:"starred,omitempty"`
	// MinAccessLevel selects projects in which the caller has at least this role.
	MinAccessLevel AccessLevel `url:"min_access_level,omitempty"`
	// WithIssuesEnabled and WithMergeRequestsEnabled select projects that have
	// issues or merge requests.
	WithIssuesEnabled        bool `url:"with_issues_enabled,omitempty"`
	WithMergeRequestsEnabled bool `url:"with_merge_requests_enabled,omitempty"`
	// Simple returns a short form of each project: see [Project].
	Simple bool `url:"simple,omitempty"`
	// WithCustomAttributes sets [Project.CustomAttributes]. Administrators only.
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
	// OrderBy is [ProjectOrderByCreatedAt] by default.
	OrderBy ProjectOrderBy `url:"order_by,omitempty"`
	// Sort is [SortDescending] by default.
	Sort Sort `url:"sort,omitempty"`
}
