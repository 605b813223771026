package wiretests

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// platformGroup is the second one of testdata/groups/groups.json.
func platformGroup(t *testing.T) serviceapi.Group {
	return withFields(platformSettings(), serviceapi.Group{
		GroupSummary: serviceapi.GroupSummary{
			ID: 4, Name: "Platform", Path: "platform", FullPath: "acme/platform", FullName: "Acme / Platform",
			WebURL:    "https://service.test/groups/acme/platform",
			AvatarURL: "https://service.test/uploads/platform.png",
		},
		Description: "What all build on", ParentID: new(int64(3)),
		Visibility: serviceapi.VisibilityInternal,
		CreatedAt:  *at(t, "2026-01-05T08:30:00.120Z"),
		LDAPCN:     "platform", LDAPAccess: "30", RepositoryStorage: "disk-2", OrganizationID: new(int64(1)),
		Archived:            true,
		MarkedForDeletionOn: new(serviceapi.NewDate(2026, time.March, 1)), Statistics: countedStatistics(),
		CustomAttributes: teamAttribute(),
	})
}

// platformDetails is testdata/groups/group.json.
func platformDetails(t *testing.T) *serviceapi.Group {
	protection := *platformSettings().DefaultBranchProtectionDefaults
	protection.DeveloperCanInitialPush = new(true)
	return new(withFields(platformGroup(t), serviceapi.Group{
		DefaultBranchProtectionDefaults: &protection,
		ShowDiffPreviewInEmail:          new(true),
		LDAPGroupLinks: []*serviceapi.LDAPGroupLink{{
			CN: "engineers", GroupAccess: serviceapi.AccessLevelDeveloper, Provider: "ldapmain",
			MemberRoleID: new(int64(12)),
		}},
		SAMLGroupLinks: []*serviceapi.SAMLGroupLink{{
			Name: "engineers", AccessLevel: serviceapi.AccessLevelDeveloper, Provider: "saml_1",
		}},
		RootStorageStatistics: &serviceapi.RootStorageStatistics{
			BuildArtifactsSize: 1, ContainerRegistrySize: 2, ContainerRegistrySizeIsEstimated: true,
			DependencyProxySize: 3, LFSObjectsSize: 4, PackagesSize: 5, PipelineArtifactsSize: 6, RepositorySize: 7,
			SnippetsSize: 8, StorageSize: 9, UploadsSize: 10, WikiSize: 11,
		},
		AutoDuoCodeReviewEnabled: new(true), DuoCoreFeaturesEnabled: new(true),
		DuoNamespaceAccessRules: []*serviceapi.DuoNamespaceAccessRule{{
			ThroughNamespace: &serviceapi.DuoAccessNamespace{ID: 3, Name: "Acme", FullPath: "acme"},
			Features:         []string{"duo_chat"},
		}},
		WebBasedCommitSigningEnabled: new(true), AllowPersonalSnippets: new(true),
		StepUpAuthRequiredOAuthProvider:       "openid_connect",
		ServiceAccessTokensExpirationEnforced: new(true), UniqueProjectDownloadLimit: new(50),
		UniqueProjectDownloadLimitIntervalInSeconds: new(int64(3600)),
		UniqueProjectDownloadLimitAllowlist:         []string{"ada"},
		UniqueProjectDownloadLimitAlertlist:         []int64{5},
		AutoBanUserOnExcessiveProjectsDownload:      new(true),
		SharedWithGroups: []*serviceapi.SharedGroup{
			guestsShare(),
		}, RunnersToken: serviceapi.NewSecret("registration-token"),
		Projects:       []*serviceapi.Project{{ID: 7, Name: "Engine"}},
		SharedProjects: []*serviceapi.Project{{ID: 9, Name: "Site"}},
	}))
}

func TestGroupsList(t *testing.T) {
	common := "all_available=false min_access_level=50 order_by=path owned=true page=3 per_page=2 search=plat " +
		"skip_groups%5B%5D=1 " +
		"skip_groups%5B%5D=2 sort=desc statistics=true with_custom_attributes=true custom_attributes%5Bteam%5D=engines"
	common += " active=true archived=false marked_for_deletion_on=2026-03-01 repository_storage=disk-2 " +
		"top_level_only=true visibility=internal"
	ofInstance := queryWith(common, "pagination=offset")
	client := onWire(t,
		exchange{Method: "GET", Path: "/groups", Fixture: "groups/groups.json"},
		exchange{Method: "GET", Path: "/groups/acme/subgroups", Query: "per_page=100", Fixture: "groups/groups.json"},
		exchange{Method: "GET", Path: "/groups/3/subgroups", Query: queryWith(common), Body: `[]`},
		exchange{Method: "GET", Path: "/groups", Query: ofInstance, Body: `[]`},
		exchange{Method: "GET", Path: "/groups", Query: ofInstance, Body: `[]`},
	)
	want := []*serviceapi.Group{
		{GroupSummary: serviceapi.GroupSummary{ID: 3, Name: "Acme", Path: "acme", FullPath: "acme", FullName: "Acme",
			WebURL: "https://service.test/groups/acme"}, Visibility: serviceapi.VisibilityPrivate},
		new(platformGroup(t)),
	}
	s, ctx := client.Groups, t.Context()
	groups, _, err := s.List(ctx, serviceapi.Instance, nil)
	require.NoError(t, err)
	assert.Equal(t, want, groups)
	groups, err = serviceapi.Collect(s.All(ctx, serviceapi.GroupPath("acme"), nil))
	require.NoError(t, err)
	assert.Equal(t, want, groups)

	options := &serviceapi.ListGroupsOptions{
		ListOptions: serviceapi.ListOptions{Page: 3, PerPage: 2}, Search: "plat", SkipGroups: []int64{1, 2},
		AllAvailable: new(false), Owned: true,
		MinAccessLevel: serviceapi.AccessLevelOwner, Statistics: true, WithCustomAttributes: true,
		OrderBy: serviceapi.GroupOrderByPath,
		Sort:    serviceapi.SortDescending,
	}
	options.CustomAttributes = serviceapi.CustomAttributeFilter{"team": "engines"}
	options.TopLevelOnly, options.Visibility, options.RepositoryStorage = true, serviceapi.VisibilityInternal, "disk-2"
	options.MarkedForDeletionOn, options.Active, options.Archived = serviceapi.NewDate(
		2026,
		time.March,
		1,
	), new(
		true,
	), new(
		false,
	)
	require.NoError(t, errorOf(s.List(ctx, serviceapi.GroupID(3), options)))
	options.Pagination = serviceapi.PaginationOffset
	require.NoError(t, errorOf(s.List(ctx, serviceapi.Instance, options)))
	_, err = serviceapi.Collect(s.All(ctx, serviceapi.Instance, options))
	require.NoError(t, err)
}

func TestGroupsAllByKeyset(t *testing.T) {
	const query = "order_by=name&pagination=keyset&per_page=100&sort=asc"
	client := onWire(t,
		exchange{
			Method: "GET", Path: "/groups", Query: query, Body: `[{"id":3}]`,
			ResponseHeader: map[string]string{"Link": `<https://service.test/api/v4/groups?cursor=QWNtZQ&` + query +
				`>; rel="next"`},
		},
		exchange{Method: "GET", Path: "/groups", Query: "cursor=QWNtZQ&" + query, Body: `[]`},
	)
	groups, err := serviceapi.Collect(
		client.Groups.All(
			t.Context(),
			serviceapi.Instance,
			&serviceapi.ListGroupsOptions{Pagination: serviceapi.PaginationKeyset},
		),
	)
	require.NoError(t, err)
	require.Len(t, groups, 1)
}

func TestGroupsListRefusesWhatTheOwnerDoesNotTake(t *testing.T) {
	s, ctx := onWire(t).Groups, t.Context()
	for _, test := range []struct {
		owner    serviceapi.GroupOwner
		options  serviceapi.ListGroupsOptions
		argument string
	}{
		{serviceapi.GroupID(3), serviceapi.ListGroupsOptions{Pagination: serviceapi.PaginationKeyset}, "Pagination"},
		{serviceapi.Instance,
			serviceapi.ListGroupsOptions{Pagination: serviceapi.PaginationKeyset, OrderBy: serviceapi.GroupOrderByID},
			"OrderBy"},
		{serviceapi.Instance,
			serviceapi.ListGroupsOptions{Pagination: serviceapi.PaginationKeyset, Sort: serviceapi.SortDescending},
			"Sort"},
		{nil, serviceapi.ListGroupsOptions{}, "owner"},
		{new(serviceapi.GroupID(3)), serviceapi.ListGroupsOptions{}, "owner"},
		{serviceapi.GroupPath("acme/"), serviceapi.ListGroupsOptions{}, "group path"},
	} {
		assertRefused(t, test.argument, errorOf(s.List(ctx, test.owner, &test.options)))
		_, err := serviceapi.Collect(s.All(ctx, test.owner, &test.options))
		assertRefused(t, test.argument, err)
	}
}

func TestGroupsGet(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/groups/acme%2Fplatform", Fixture: "groups/group.json"},
		exchange{Method: "GET", Path: "/groups/4", Query: "with_custom_attributes=true&with_projects=false",
			Fixture: "groups/group.json"})
	group, _, err := client.Groups.Get(t.Context(), serviceapi.GroupPath("acme/platform"), nil)
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	assertFilled(t, group)
	assertFilled(t, group)
	require.NoError(t,
		errorOf(client.Groups.Get(t.Context(), serviceapi.GroupID(4),
			&serviceapi.GetGroupOptions{WithProjects: new(false), WithCustomAttributes: true})))
}

func TestGroupsCreateAndUpdate(t *testing.T) {
	const whole = "groups/group.json"
	client := onWire(t,
		exchange{Method: "POST", Path: "/groups", JSON: `{"name":"Platform","path":"platform"}`, Status: 201,
			Fixture: whole},
		exchange{
			Method: "POST", Path: "/groups", Status: 201, Fixture: whole,
			JSON: `{"name":"Platform","path":"platform","parent_id":3,` + strings.TrimPrefix(everyNewGroupSettingJSON,
				"{"),
		},
		exchange{
			Method: "POST", Path: "/groups", Status: 201, Fixture: whole,
			Multipart: []string{"name=Platform", "path=platform", "avatar[p.png;application/octet-stream]=pixels"},
		},
		exchange{Method: "PUT", Path: "/groups/4", JSON: `{}`, Fixture: whole},
		exchange{Method: "PUT", Path: "/groups/4",
			JSON: `{"name":"P","path":"p",` + strings.TrimPrefix(everyGroupSettingJSON, "{"), Fixture: whole},
		exchange{Method: "PUT", Path: "/groups/4", JSON: `{"shared_runners_minutes_limit":null}`, Fixture: whole},
		exchange{Method: "PUT", Path: "/groups/4", Multipart: []string{"avatar[p.png;application/octet-stream]=pixels"},
			Fixture: whole})
	s, ctx := client.Groups, t.Context()
	wantWhole := func(group *serviceapi.Group, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, platformDetails(t), group)
	}
	picture := func() *serviceapi.Upload {
		return &serviceapi.Upload{Filename: "p.png", Content: strings.NewReader("pixels")}
	}
	wantWhole(s.Create(ctx, serviceapi.CreateGroupOptions{Name: "Platform", Path: "platform"}))
	options := everyNewGroupSetting()
	options.Name, options.Path, options.ParentID = "Platform", "platform", new(int64(3))
	wantWhole(s.Create(ctx, options))
	wantWhole(s.Create(ctx, serviceapi.CreateGroupOptions{Name: "Platform", Path: "platform", Avatar: picture()}))

	wantWhole(s.Update(ctx, serviceapi.GroupID(4), serviceapi.UpdateGroupOptions{}))
	changes := everyGroupSetting()
	changes.Name, changes.Path = new("P"), new("p")
	wantWhole(s.Update(ctx, serviceapi.GroupID(4), changes))
	wantWhole(
		s.Update(
			ctx,
			serviceapi.GroupID(4),
			serviceapi.UpdateGroupOptions{SharedRunnersMinutesLimit: serviceapi.Null[int64]()},
		),
	)
	wantWhole(s.Update(ctx, serviceapi.GroupID(4), serviceapi.UpdateGroupOptions{Avatar: picture()}))
}

func TestGroupsDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "DELETE", Path: "/groups/4", Status: 202, Body: `{"message":"202 Accepted"}`},
		exchange{Method: "DELETE", Path: "/groups/4", Query: "full_path=acme%2Fplatform&permanently_remove=true",
			Status: 202, Body: `{"message":"202 Accepted"}`})
	s, ctx := client.Groups, t.Context()
	for _, options := range []*serviceapi.DeleteGroupOptions{nil,
		{PermanentlyRemove: true, FullPath: "acme/platform"}} {
		resp, err := s.Delete(ctx, serviceapi.GroupID(4), options)
		require.NoError(t, err)
		assert.Equal(t, 202, resp.StatusCode)
	}
	_, err := s.Delete(ctx, serviceapi.GroupID(4), &serviceapi.DeleteGroupOptions{PermanentlyRemove: true})
	assertRefused(t, "FullPath", err)
	_, err = s.Delete(ctx, serviceapi.GroupRef{}, nil)
	assertRefused(t, "id", err)
	assertRefused(t, "id", errorOf(s.Get(ctx, serviceapi.GroupID(0), nil)))
	assertRefused(
		t,
		"group path",
		errorOf(s.Update(ctx, serviceapi.GroupPath("a/../b"), serviceapi.UpdateGroupOptions{})),
	)
}

// platformSettings are those of testdata/groups/group.json.
func platformSettings() serviceapi.Group {
	return serviceapi.Group{
		DefaultBranch: "default_branch 1", DefaultBranchProtection: new(serviceapi.BranchProtectionFull),
		ProjectCreationLevel:  serviceapi.ProjectCreationLevelNobody,
		SubgroupCreationLevel: serviceapi.SubgroupCreationLevelOwner,
		RequestAccessEnabled:  true, ShareWithGroupLock: true,
		PreventSharingGroupsOutsideHierarchy: new(true), RequireTwoFactorAuthentication: true,
		TwoFactorGracePeriod: 109, EmailsDisabled: new(true), EmailsEnabled: new(true),
		MentionsDisabled: new(false), LFSEnabled: true, AutoDevOpsEnabled: new(true),
		SharedRunnersSetting:                      serviceapi.SharedRunnersSettingDisabledWithOverride,
		EnabledGitAccessProtocol:                  serviceapi.GitAccessProtocolSSH,
		CRMEnabled:                                new(true),
		ExperimentFeaturesEnabled:                 new(true),
		MathRenderingLimitsEnabled:                new(true),
		LockMathRenderingLimitsEnabled:            new(true),
		DuoFeaturesEnabled:                        new(true),
		LockDuoFeaturesEnabled:                    new(true),
		DuoAvailability:                           serviceapi.DuoAvailabilityDefaultOff,
		OnlyAllowMergeIfPipelineSucceeds:          new(true),
		AllowMergeOnSkippedPipeline:               new(true),
		OnlyAllowMergeIfAllDiscussionsAreResolved: new(true),
		MaxArtifactsSize: new(
			int64(117),
		), WikiAccessLevel: serviceapi.FeatureAccessLevelDisabled,
		MembershipLock:            new(true),
		SharedRunnersMinutesLimit: new(int64(120)), ExtraSharedRunnersMinutesLimit: new(int64(121)),
		PreventForkingOutsideGroup: new(true), FileTemplateProjectID: new(int64(123)),
		IPRestrictionRanges: "ip_restriction_ranges 24", AllowedEmailDomainsList: "allowed_email_domains_list 25",
		DefaultBranchProtectionDefaults: &serviceapi.BranchProtectionDefaults{
			AllowedToPush:  []*serviceapi.BranchProtectionRole{{AccessLevel: serviceapi.AccessLevelMaintainer}},
			AllowedToMerge: []*serviceapi.BranchProtectionRole{{AccessLevel: serviceapi.AccessLevelDeveloper}},
			AllowForcePush: true, CodeOwnerApprovalRequired: true,
		},
	}
}

func everyNewGroupSetting() serviceapi.CreateGroupOptions {
	return serviceapi.CreateGroupOptions{
		Description: new("description 1"), Visibility: new(serviceapi.VisibilityInternal),
		DefaultBranch: new("default_branch 3"), DefaultBranchProtection: new(serviceapi.BranchProtectionFull),
		DefaultBranchProtectionDefaults: &serviceapi.BranchProtectionDefaults{
			AllowedToPush: []*serviceapi.BranchProtectionRole{
				{AccessLevel: serviceapi.AccessLevelMaintainer},
			}, AllowForcePush: true, DeveloperCanInitialPush: new(true)},
		ProjectCreationLevel:  new(serviceapi.ProjectCreationLevelNobody),
		SubgroupCreationLevel: new(serviceapi.SubgroupCreationLevelOwner),
		RequestAccessEnabled:  new(true), ShareWithGroupLock: new(true),
		RequireTwoFactorAuthentication: new(false), TwoFactorGracePeriod: new(110),
		EmailsDisabled: new(true), EmailsEnabled: new(false), MentionsDisabled: new(true), LFSEnabled: new(true),
		AutoDevOpsEnabled: new(false), EnabledGitAccessProtocol: new(serviceapi.GitAccessProtocolSSH),
		WikiAccessLevel: new(serviceapi.FeatureAccessLevelPrivate), MembershipLock: new(false),
		SharedRunnersMinutesLimit: serviceapi.Value(
			int64(119),
		), ExtraSharedRunnersMinutesLimit: serviceapi.Value(int64(120)),
		CRMEnabled:                                new(true),
		ExperimentFeaturesEnabled:                 new(true),
		MathRenderingLimitsEnabled:                new(true),
		LockMathRenderingLimitsEnabled:            new(true),
		DuoFeaturesEnabled:                        new(true),
		LockDuoFeaturesEnabled:                    new(true),
		DuoAvailability:                           new(serviceapi.DuoAvailabilityDefaultOff),
		OnlyAllowMergeIfPipelineSucceeds:          new(true),
		AllowMergeOnSkippedPipeline:               new(true),
		OnlyAllowMergeIfAllDiscussionsAreResolved: new(true),
		ShowDiffPreviewInEmail:                    new(true),
		LDAPCN:                                    new("engineers"),
		LDAPAccess:                                new(serviceapi.AccessLevelDeveloper),
		FoundationalAgentsStatuses:                []*serviceapi.FoundationalAgentStatus{{Reference: "planner"}},
		DuoRemoteFlowsAvailability:                new(true), DuoFoundationalFlowsAvailability: new(false),
		ModelPromptCacheEnabled: new(true), AmazonQAutoReviewEnabled: new(false), AISettings: everyGroupAISetting(),
		OrganizationID: new(int64(1)),
	}
}

func everyGroupAISetting() *serviceapi.GroupAISettings {
	return &serviceapi.GroupAISettings{
		DuoAgentPlatformEnabled: new(true), DuoWorkflowMCPEnabled: new(false), AIUsageDataCollectionEnabled: new(true),
		FoundationalAgentsDefaultEnabled:   new(false),
		PromptInjectionProtectionLevel:     new(serviceapi.PromptInjectionProtectionLogOnly),
		MinimumAccessLevelExecute:          new(serviceapi.AccessLevelDeveloper),
		MinimumAccessLevelExecuteAsync:     new(serviceapi.AccessLevelMaintainer),
		MinimumAccessLevelManage:           new(serviceapi.AccessLevelOwner),
		MinimumAccessLevelEnableOnProjects: new(serviceapi.AccessLevelMaintainer),
	}
}

const everyNewGroupSettingJSON = `{"description": "description 1", "visibility": "internal",
	"duo_remote_flows_availability": true, "duo_foundational_flows_availability": false,
	"model_prompt_cache_enabled": true, "amazon_q_auto_review_enabled": false,
	"ai_settings_attributes": {"duo_agent_platform_enabled": true, "duo_workflow_mcp_enabled": false,
	"ai_usage_data_collection_enabled": true, "foundational_agents_default_enabled": false,
	"prompt_injection_protection_level": "log_only", "minimum_access_level_execute": 30,
	"minimum_access_level_execute_async": 40, "minimum_access_level_manage": 50,
	"minimum_access_level_enable_on_projects": 40},
	"default_branch": "default_branch 3",
	"default_branch_protection": 2,
	"default_branch_protection_defaults": {"allowed_to_push": [{"access_level": 40}], "allowed_to_merge": [],
	"allow_force_push": true, "code_owner_approval_required": false, "developer_can_initial_push": true},
	"project_creation_level": "noone", "subgroup_creation_level": "owner",
	"request_access_enabled": true, "share_with_group_lock": true, "require_two_factor_authentication": false,
	"two_factor_grace_period": 110, "emails_disabled": true, "emails_enabled": false,
	"mentions_disabled": true, "lfs_enabled": true, "auto_devops_enabled": false,
	"enabled_git_access_protocol": "ssh", "wiki_access_level": "private", "membership_lock": false,
	"shared_runners_minutes_limit": 119, "extra_shared_runners_minutes_limit": 120,
"crm_enabled": true,
"experiment_features_enabled": true,
"math_rendering_limits_enabled": true,
"lock_math_rendering_limits_enabled": true,
"duo_features_enabled": true,
"lock_duo_features_enabled": true,
"duo_availability": "default_off",
"only_allow_merge_if_pipeline_succeeds": true,
"allow_merge_on_skipped_pipeline": true,
"only_allow_merge_if_all_discussions_are_resolved": true,
"show_diff_preview_in_email": true, "ldap_cn": "engineers", "ldap_access": 30,
"foundational_agents_statuses": [{"reference": "planner", "enabled": false}],
"organization_id": 1}`

func everyGroupSetting() serviceapi.UpdateGroupOptions {
	return serviceapi.UpdateGroupOptions{
		Description: new("description 1"), Visibility: new(serviceapi.VisibilityInternal),
		DefaultBranch: new("default_branch 3"), DefaultBranchProtection: new(serviceapi.BranchProtectionFull),
		DefaultBranchProtectionDefaults: &serviceapi.BranchProtectionDefaults{
			AllowedToPush: []*serviceapi.BranchProtectionRole{
				{AccessLevel: serviceapi.AccessLevelMaintainer},
			}, AllowForcePush: true, DeveloperCanInitialPush: new(true)},
		ProjectCreationLevel:  new(serviceapi.ProjectCreationLevelNobody),
		SubgroupCreationLevel: new(serviceapi.SubgroupCreationLevelOwner),
		RequestAccessEnabled:  new(true), ShareWithGroupLock: new(true),
		PreventSharingGroupsOutsideHierarchy: new(false), RequireTwoFactorAuthentication: new(true),
		TwoFactorGracePeriod: new(111), EmailsDisabled: new(false), EmailsEnabled: new(true),
		MentionsDisabled: new(true), LFSEnabled: new(false), AutoDevOpsEnabled: serviceapi.Value(true),
		SharedRunnersSetting:     new(serviceapi.SharedRunnersSettingDisabledWithOverride),
		EnabledGitAccessProtocol: new(serviceapi.GitAccessProtocolSSH),
		MaxArtifactsSize: serviceapi.Value(
			int64(119),
		), WikiAccessLevel: new(serviceapi.FeatureAccessLevelEnabled),
		MembershipLock: new(false),
		SharedRunnersMinutesLimit: serviceapi.Value(
			int64(122),
		), ExtraSharedRunnersMinutesLimit: serviceapi.Value(int64(123)),
		PreventForkingOutsideGroup: new(false), FileTemplateProjectID: serviceapi.Value(int64(125)),
		IPRestrictionRanges:                       new("ip_restriction_ranges 26"),
		AllowedEmailDomainsList:                   new("allowed_email_domains_list 27"),
		CRMEnabled:                                new(true),
		ExperimentFeaturesEnabled:                 new(true),
		MathRenderingLimitsEnabled:                new(true),
		LockMathRenderingLimitsEnabled:            new(true),
		DuoFeaturesEnabled:                        new(true),
		LockDuoFeaturesEnabled:                    new(true),
		DuoAvailability:                           new(serviceapi.DuoAvailabilityDefaultOff),
		OnlyAllowMergeIfPipelineSucceeds:          new(true),
		AllowMergeOnSkippedPipeline:               new(true),
		OnlyAllowMergeIfAllDiscussionsAreResolved: new(true),
		ShowDiffPreviewInEmail:                    new(true),
		LDAPCN:                                    new("engineers"),
		LDAPAccess:                                new(serviceapi.AccessLevelDeveloper),
		FoundationalAgentsStatuses:                []*serviceapi.FoundationalAgentStatus{{Reference: "planner"}},
		DuoRemoteFlowsAvailability:                new(true), DuoFoundationalFlowsAvailability: new(false),
		ModelPromptCacheEnabled: new(true), AmazonQAutoReviewEnabled: new(false), AISettings: everyGroupAISetting(),
		EnabledFoundationalFlows: []string{"fix_pipeline"},
		AutoDuoCodeReviewEnabled: new(true),
		DuoCoreFeaturesEnabled:   new(true),
		DuoNamespaceAccessRules: []*serviceapi.DuoNamespaceAccessRule{{
			ThroughNamespace: &serviceapi.DuoAccessNamespace{ID: 3, Name: "Acme", FullPath: "acme"},
			Features:         []string{"duo_chat"},
		}},
		WebBasedCommitSigningEnabled:                new(true),
		AllowPersonalSnippets:                       new(true),
		StepUpAuthRequiredOAuthProvider:             new(""),
		ServiceAccessTokensExpirationEnforced:       new(true),
		UniqueProjectDownloadLimit:                  new(50),
		UniqueProjectDownloadLimitIntervalInSeconds: new(int64(3600)),
		UniqueProjectDownloadLimitAllowlist:         []string{},
		UniqueProjectDownloadLimitAlertlist:         []int64{5},
		AutoBanUserOnExcessiveProjectsDownload:      new(false),
	}
}

const everyGroupSettingJSON = `{"description": "description 1", "visibility": "internal",
	"duo_remote_flows_availability": true, "duo_foundational_flows_availability": false,
	"model_prompt_cache_enabled": true, "amazon_q_auto_review_enabled": false,
	"ai_settings_attributes": {"duo_agent_platform_enabled": true, "duo_workflow_mcp_enabled": false,
	"ai_usage_data_collection_enabled": true, "foundational_agents_default_enabled": false,
	"prompt_injection_protection_level": "log_only", "minimum_access_level_execute": 30,
	"minimum_access_level_execute_async": 40, "minimum_access_level_manage": 50,
	"minimum_access_level_enable_on_projects": 40},
	"enabled_foundational_flows": ["fix_pipeline"],
	"default_branch": "default_branch 3",
	"default_branch_protection": 2,
	"default_branch_protection_defaults": {"allowed_to_push": [{"access_level": 40}], "allowed_to_merge": [],
	"allow_force_push": true, "code_owner_approval_required": false, "developer_can_initial_push": true},
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
	"allowed_email_domains_list": "allowed_email_domains_list 27",
"crm_enabled": true,
"experiment_features_enabled": true,
"math_rendering_limits_enabled": true,
"lock_math_rendering_limits_enabled": true,
"duo_features_enabled": true,
"lock_duo_features_enabled": true,
"duo_availability": "default_off",
"only_allow_merge_if_pipeline_succeeds": true,
"allow_merge_on_skipped_pipeline": true,
"only_allow_merge_if_all_discussions_are_resolved": true,
"show_diff_preview_in_email": true, "ldap_cn": "engineers", "ldap_access": 30,
"foundational_agents_statuses": [{"reference": "planner", "enabled": false}],
"auto_duo_code_review_enabled": true, "duo_core_features_enabled": true,
"duo_namespace_access_rules": [{"through_namespace": {"id": 3, "name": "Acme", "full_path": "acme"},
"features": ["duo_chat"]}],
"web_based_commit_signing_enabled": true, "allow_personal_snippets": true,
"step_up_auth_required_oauth_provider": "", "service_access_tokens_expiration_enforced": true,
"unique_project_download_limit": 50, "unique_project_download_limit_interval_in_seconds": 3600,
"unique_project_download_limit_allowlist": [], "unique_project_download_limit_alertlist": [5],
"auto_ban_user_on_excessive_projects_download": false}`

func TestGroupsDescendants(t *testing.T) {
	const path = "/groups/acme/descendant_groups"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "active=true&all_available=false&min_access_level=50&" +
			"order_by=path&owned=true&page=2&search=plat&skip_groups%5B%5D=1&sort=desc&" +
			"statistics=true&with_custom_attributes=true",
			Fixture: "groups/groups.json"},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Fixture: "groups/groups.json"})
	s, ctx, acme := client.Groups, t.Context(), serviceapi.GroupPath("acme")
	groups, _, err := s.ListDescendants(ctx, acme, &serviceapi.ListGroupsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2}, Active: new(true), AllAvailable: new(false),
		MinAccessLevel: serviceapi.AccessLevelOwner, OrderBy: serviceapi.GroupOrderByPath, Owned: true, Search: "plat",
		SkipGroups: []int64{1},
		Sort:       serviceapi.SortDescending,
		Statistics: true, WithCustomAttributes: true,
	})
	require.NoError(t, err)
	require.Len(t, groups, 2)
	assert.Equal(t, new(platformGroup(t)), groups[1])
	groups, err = serviceapi.Collect(s.AllDescendants(ctx, acme, nil))
	require.NoError(t, err)
	assert.Equal(t, new(platformGroup(t)), groups[1])
}

func TestGroupsAvatar(t *testing.T) {
	const path = "/groups/acme%2Fplatform/avatar"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "pixels",
			ResponseHeader: map[string]string{"Content-Type": "image/png",
				"Content-Length": "6", "Content-Disposition": `attachment; filename="platform.png"`}},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Avatar Not Found"}`})
	picture, _, err := client.Groups.DownloadAvatar(t.Context(), serviceapi.GroupPath("acme/platform"))
	require.NoError(t, err)
	data, err := io.ReadAll(picture)
	require.NoError(t, err)
	require.NoError(t, picture.Close())
	assert.Equal(t, []string{"pixels", "platform.png"}, []string{string(data), picture.Name})
	_, _, err = client.Groups.DownloadAvatar(t.Context(), serviceapi.GroupPath("acme/platform"))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestGroupsMoves(t *testing.T) {
	const path, whole = "/groups/acme%2Fplatform", "groups/group.json"
	const refused = `{"message":"Transfer failed: Group is already a root group."}`
	groups := "[" + fixture(t, "groups/group_summary.json") + "]"
	client := onWire(t,
		exchange{Method: "POST", Path: path + "/restore", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/transfer", JSON: `{"group_id":3}`, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/transfer", JSON: `{}`, Status: 400, Body: refused},
		exchange{Method: "POST", Path: path + "/projects/acme%2Fengine", Status: 201, Fixture: whole},
		exchange{Method: "GET", Path: path + "/transfer_locations", Query: "search=plat", Body: groups},
		exchange{Method: "GET", Path: path + "/transfer_locations", Query: "per_page=100", Body: groups})
	s, ctx, platform := client.Groups, t.Context(), serviceapi.GroupPath("acme/platform")
	group, _, err := s.Restore(ctx, platform)
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	group, _, err = s.Transfer(ctx, platform, serviceapi.TransferGroupOptions{GroupID: new(int64(3))})
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	_, _, err = s.Transfer(ctx, platform, serviceapi.TransferGroupOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	group, _, err = s.TransferProject(ctx, platform, serviceapi.ProjectPath("acme/engine"))
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	found, _, err := s.ListTransferLocations(ctx, platform, &serviceapi.ListTransferLocationsOptions{Search: "plat"})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.GroupSummary{platformSummary()}, found)
	found, err = serviceapi.Collect(s.AllTransferLocations(ctx, platform, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.GroupSummary{platformSummary()}, found)
}

func TestGroupsShare(t *testing.T) {
	const path, whole = "/groups/acme%2Fplatform/share", "groups/group.json"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"group_id":9,"group_access":30,"expires_at":"2026-03-01","member_role_id":5}`},
		exchange{Method: "POST", Path: path, JSON: `{"group_id":9,"group_access":30}`, Status: 409,
			Body: `{"message":"Group has already been given access"}`},
		exchange{Method: "DELETE", Path: path + "/9", Status: 204})
	s, ctx, platform := client.Groups, t.Context(), serviceapi.GroupPath("acme/platform")
	options := serviceapi.ShareGroupOptions{GroupID: 9, GroupAccess: serviceapi.AccessLevelDeveloper}
	group, _, err := s.Share(ctx, platform, serviceapi.ShareGroupOptions{
		GroupID: 9, GroupAccess: serviceapi.AccessLevelDeveloper,
		ExpiresAt:    new(serviceapi.NewDate(2026, time.March, 1)),
		MemberRoleID: new(int64(5)),
	})
	require.NoError(t, err)
	assert.Equal(t, platformDetails(t), group)
	_, _, err = s.Share(ctx, platform, options)
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, err = s.Unshare(ctx, platform, serviceapi.GroupID(9))
	require.NoError(t, err)
}

func TestGroupsSharedProjects(t *testing.T) {
	const path = "/groups/acme%2Fplatform/projects/shared"
	body := "[" + fixture(t, "projects/project.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "archived=false&min_access_level=30&order_by=name&search=eng&" +
			"simple=true&sort=asc&starred=true&visibility=private&with_custom_attributes=true&" +
			"with_issues_enabled=true&with_merge_requests_enabled=true", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	s, ctx, platform := client.Groups, t.Context(), serviceapi.GroupPath("acme/platform")
	projects, _, err := s.ListSharedProjects(ctx, platform, &serviceapi.ListSharedProjectsOptions{
		Search: "eng", Archived: new(false), Visibility: serviceapi.VisibilityPrivate, Starred: true,
		MinAccessLevel: serviceapi.AccessLevelDeveloper, WithIssuesEnabled: true, WithMergeRequestsEnabled: true,
		Simple: true, WithCustomAttributes: true, OrderBy: serviceapi.ProjectOrderByName,
		Sort: serviceapi.SortAscending,
	})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{engineProject(t)}, projects)
	projects, err = serviceapi.Collect(s.AllSharedProjects(ctx, platform, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{engineProject(t)}, projects)
}

func TestGroupsMovesRefuse(t *testing.T) {
	s, ctx, none := onWire(t).Groups, t.Context(), serviceapi.GroupRef{}
	share := serviceapi.ShareGroupOptions{GroupID: 9, GroupAccess: serviceapi.AccessLevelDeveloper}
	for _, err := range []error{
		errorOf(s.ListDescendants(ctx, none, nil)), errorOf(s.DownloadAvatar(ctx, none)), errorOf(s.Restore(ctx, none)),
		errorOf(s.Transfer(ctx, none, serviceapi.TransferGroupOptions{})),
		errorOf(s.TransferProject(ctx, none, serviceapi.ProjectID(1))),
		errorOf(s.ListTransferLocations(ctx, none, nil)), errorOf(s.Share(ctx, none, share)),
		errorOf(s.ListSharedProjects(ctx, none, nil)),
	} {
		assertRefused(t, "id", err)
	}
	acme := serviceapi.GroupPath("acme")
	keyset := &serviceapi.ListGroupsOptions{Pagination: serviceapi.PaginationKeyset}
	assertRefused(t, "Pagination", errorOf(s.ListDescendants(ctx, acme, keyset)))
	assertRefused(t, "GroupID", errorOf(s.Transfer(ctx, acme, serviceapi.TransferGroupOptions{GroupID: new(int64(0))})))
	assertRefused(t, "project_id", errorOf(s.TransferProject(ctx, acme, serviceapi.ProjectRef{})))
	assertRefused(
		t,
		"GroupID",
		errorOf(s.Share(ctx, acme, serviceapi.ShareGroupOptions{GroupAccess: serviceapi.AccessLevelDeveloper})),
	)
	assertRefused(t, "GroupAccess", errorOf(s.Share(ctx, acme, serviceapi.ShareGroupOptions{GroupID: 9})))
	_, err := s.Unshare(ctx, acme, serviceapi.GroupPath("acme/platform"))
	assertRefused(t, "group", err)
}
