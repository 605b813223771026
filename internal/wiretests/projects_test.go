package wiretests

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// engineProject is testdata/projects/project.json.
func engineProject(t *testing.T) *serviceapi.Project {
	return new(withFields(engineSettings(t), serviceapi.Project{
		ID: 7, Description: "Computes tables", Name: "Engine", NameWithNamespace: "Acme / Engine",
		Path: "engine", PathWithNamespace: "acme/engine", CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"),
		DescriptionHTML: "<p>Computes tables</p>", Visibility: serviceapi.VisibilityInternal, DefaultBranch: "main",
		SSHURLToRepo: "git@service.test:acme/engine.git", HTTPURLToRepo: "https://service.test/acme/engine.git",
		WebURL: "https://service.test/acme/engine", ReadmeURL: "https://service.test/acme/engine/-/blob/main/README.md",
		Topics: []string{"tables"}, TagList: []string{"tables"}, Owner: new(accountSummary()),
		Namespace: &serviceapi.NamespaceSummary{
			ID: 3, Name: "Acme", Path: "acme", Kind: serviceapi.NamespaceKindGroup, FullPath: "above/acme",
			ParentID:  new(int64(2)),
			AvatarURL: "/uploads/acme.png", WebURL: "https://service.test/groups/acme",
		},
		Archived: true, EmptyRepo: true, AvatarURL: "https://service.test/uploads/engine.png",
		LastActivityAt: *at(t, "2026-02-05T08:30:00Z"), UpdatedAt: at(t, "2026-02-06T08:30:00Z"),
		CreatorID: 5, StarCount: 11, ForksCount: 2, OpenIssuesCount: new(4),
		ForkedFromProject: &serviceapi.Project{
			ID: 6, Name: "Mill", NameWithNamespace: "Up / Mill", Path: "mill", PathWithNamespace: "up/mill",
			CreatedAt:     *at(t, "2026-01-04T08:30:00Z"),
			DefaultBranch: "main",
		},
		CanCreateMergeRequestIn: true, LicenseURL: "https://service.test/acme/engine/-/blob/main/LICENSE",
		License: &serviceapi.ProjectLicense{
			Key: "mit", Name: "MIT License", HTMLURL: "https://licenses.test/mit", Nickname: "Expat",
			SourceURL: "https://source.test/mit",
		},
		ServiceDeskAddress: "engine@service.test", ContainerRegistryImagePrefix: "registry.service.test/acme/engine",
		SharedWithGroups: []*serviceapi.SharedGroup{guestsShare()},
		Permissions: &serviceapi.ProjectPermissions{
			ProjectAccess: &serviceapi.ProjectPermission{
				AccessLevel:       serviceapi.AccessLevelDeveloper,
				NotificationLevel: 3,
			},
			GroupAccess: &serviceapi.ProjectPermission{
				AccessLevel:       serviceapi.AccessLevelOwner,
				NotificationLevel: 1,
			},
		},
		Statistics: countedStatistics(),
		Links: &serviceapi.ProjectLinks{
			Self: "https://service.test/api/v4/projects/7", Issues: "https://service.test/api/v4/projects/7/issues",
			MergeRequests: "https://service.test/api/v4/projects/7/merge_requests",
			RepoBranches:  "https://service.test/api/v4/projects/7/repository/branches",
			Labels:        "https://service.test/api/v4/projects/7/labels",
			Events:        "https://service.test/api/v4/projects/7/events",
			Members:       "https://service.test/api/v4/projects/7/members",
			ClusterAgents: "https://service.test/api/v4/projects/7/cluster_agents",
		},
		ImportURL: "https://elsewhere.test/engine.git", ImportType: "git", ImportStatus: serviceapi.ImportStateFailed,
		ImportError:  "It broke",
		RunnersToken: serviceapi.NewSecret("registration-token"), RepositoryStorage: "disk-2",
		MarkedForDeletionOn: new(
			serviceapi.NewDate(2026, time.March, 1),
		), MarkedForDeletionAt: new(serviceapi.NewDate(2026, time.March, 1)),
		ComplianceFrameworks: []string{"SOX"}, CustomAttributes: teamAttribute(),
	}))
}

func guestsShare() *serviceapi.SharedGroup {
	return &serviceapi.SharedGroup{
		GroupID: 9, GroupName: "Guests", GroupFullPath: "guests", GroupAccessLevel: serviceapi.AccessLevelReporter,
		ExpiresAt:    new(serviceapi.NewDate(2026, time.December, 31)),
		MemberRoleID: new(int64(12)),
	}
}

func countedStatistics() *serviceapi.ProjectStatistics {
	return &serviceapi.ProjectStatistics{
		CommitCount: 1, StorageSize: 2, RepositorySize: 3, WikiSize: 4, LFSObjectsSize: 5, JobArtifactsSize: 6,
		PipelineArtifactsSize: 7, PackagesSize: 8, SnippetsSize: 9, UploadsSize: 10, ContainerRegistrySize: 11,
	}
}

// teamAttribute is the custom attribute of the fixtures.
func teamAttribute() *serviceapi.CustomAttributes {
	return &serviceapi.CustomAttributes{
		Values: map[string]string{"team": "engines"}, Raw: json.RawMessage(`[{"key": "team", "value": "engines"}]`),
	}
}

// assertFilled checks that no field of a struct is zero, because the fixture
// would then not show whether the field is decoded.
func assertFilled(t *testing.T, v any) {
	t.Helper()
	for _, field := range reflect.VisibleFields(reflect.Indirect(reflect.ValueOf(v)).Type()) {
		value := reflect.Indirect(reflect.ValueOf(v)).FieldByIndex(field.Index)
		assert.False(t, field.IsExported() && value.IsZero(), "the fixture has no %s", field.Name)
	}
}

func TestProjectsGet(t *testing.T) {
	const path = "/projects/acme%2Fengine"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: "projects/project.json"},
		exchange{Method: "GET", Path: path, Query: "license=true&statistics=true&with_custom_attributes=true",
			Fixture: "projects/project.json"})
	project, resp, err := client.Projects.Get(t.Context(), serviceapi.ProjectPath("acme/engine"), nil)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, engineProject(t), project)
	assertFilled(t, project)

	_, _, err = client.Projects.Get(t.Context(), serviceapi.ProjectPath("acme/engine"),
		&serviceapi.GetProjectOptions{Statistics: true, License: true, WithCustomAttributes: true})
	require.NoError(t, err)
}

// TestProjectsKeepTheTokenOfRunners checks that errors of projects do not show
// the token in the response.
func TestProjectsKeepTheTokenOfRunners(t *testing.T) {
	const broken = `{"runners_token":"registration-token","id":"seven"}`
	client := onWire(t, exchange{Method: "GET", Path: "/projects/7", Body: broken},
		exchange{Method: "GET", Path: "/projects", Body: "[" + broken + "]"},
		exchange{Method: "GET", Path: "/groups", Body: "[" + broken + "]"},
		exchange{Method: "GET", Path: "/groups/7/variables", Body: `[{"value":"registration-token","key":7}]`})
	_, _, err := client.Projects.Get(t.Context(), serviceapi.ProjectID(7), nil)
	for _, err := range []error{err, errorOf(client.Projects.List(t.Context(), serviceapi.Instance, nil)),
		errorOf(client.Groups.List(t.Context(), serviceapi.Instance, nil)),
		errorOf(client.Variables.List(t.Context(), serviceapi.GroupID(7), nil))} {
		var decode *serviceapi.DecodeError
		require.ErrorAs(t, err, &decode)
		assert.NotContains(t, fmt.Sprintf("%v %+v", err, *decode), "registration-token")
	}
}

// errorOf is the error of a call.
func errorOf[T any](_ T, _ *serviceapi.Response, err error) error { return err }

func TestProjectsList(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects", Fixture: "projects/projects.json"},
		exchange{Method: "GET", Path: "/groups/acme%2Fplatform/projects", Fixture: "projects/projects.json"},
		exchange{Method: "GET", Path: "/users/ada/projects", Query: "per_page=100", Fixture: "projects/projects.json"},
	)
	site := &serviceapi.Project{
		ID: 9, Name: "Site", NameWithNamespace: "Ada / Site", Path: "site", PathWithNamespace: "ada/site",
		CreatedAt:    *at(t, "2026-01-06T08:30:00Z"),
		SSHURLToRepo: "git@service.test:ada/site.git", HTTPURLToRepo: "https://service.test/ada/site.git",
		WebURL: "https://service.test/ada/site",
		Topics: []string{}, TagList: []string{}, LastActivityAt: *at(t, "2026-02-05T08:30:00Z"),
		Namespace: &serviceapi.NamespaceSummary{
			ID:       17,
			Name:     "Ada",
			Path:     "ada",
			Kind:     serviceapi.NamespaceKindUser,
			FullPath: "ada",
			WebURL:   "https://service.test/ada",
		},
	}
	want := []*serviceapi.Project{site, engineProject(t)}
	projects, _, err := client.Projects.List(t.Context(), serviceapi.Instance, nil)
	require.NoError(t, err)
	assert.Equal(t, want, projects)
	projects, _, err = client.Projects.List(t.Context(), serviceapi.GroupPath("acme/platform"), nil)
	require.NoError(t, err)
	assert.Equal(t, want, projects)
	projects, err = serviceapi.Collect(client.Projects.All(t.Context(), serviceapi.Username("ada"), nil))
	require.NoError(t, err)
	assert.Equal(t, want, projects)
}

// commonProjectFilters are those that every owner takes.
func commonProjectFilters() *serviceapi.ListProjectsOptions {
	return &serviceapi.ListProjectsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Search: "eng ine", Archived: new(false),
		Visibility: serviceapi.VisibilityPublic,
		Owned:      true, Starred: true, MinAccessLevel: serviceapi.AccessLevelDeveloper, Topic: "go",
		WithIssuesEnabled:        true,
		WithMergeRequestsEnabled: true,
		Simple:                   true, WithCustomAttributes: true, OrderBy: serviceapi.ProjectOrderBySimilarity,
		Sort: serviceapi.SortAscending, CustomAttributes: serviceapi.CustomAttributeFilter{"team": "engines"},
	}
}

const commonProjectQuery = "archived=false custom_attributes%5Bteam%5D=engines min_access_level=30 " +
	"order_by=similarity owned=true page=2 per_page=5 search=eng+ine simple=true sort=asc " +
	"starred=true topic=go visibility=public with_custom_attributes=true with_issues_enabled=true " +
	"with_merge_requests_enabled=true"

// queryWith adds parameters to a query, in order.
func queryWith(query string, more ...string) string {
	words := append(strings.Fields(query), more...)
	slices.Sort(words)
	return strings.Join(words, "&")
}

func TestProjectsListSendsEveryFilter(t *testing.T) {
	day := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	options := commonProjectFilters()
	options.SearchNamespaces, options.Membership, options.Statistics = true, true, true
	options.WithProgrammingLanguage, options.IDAfter, options.IDBefore = "Go", 3, 90
	options.LastActivityAfter, options.LastActivityBefore = day, day.AddDate(0, 1, 0)
	options.UpdatedAfter, options.UpdatedBefore = day, day.AddDate(0, 1, 0)
	ofUser := queryWith(commonProjectQuery, "repository_storage=disk-2", "repository_checksum_failed=true",
		"topic_id=4", "imported=true",
		"active=false", "marked_for_deletion_on=2026-03-01", "include_pending_delete=true", "include_hidden=true",
		"search_namespaces=true", "membership=true", "statistics=true", "with_programming_language=Go", "id_after=3",
		"id_before=90",
		"last_activity_after=2026-01-02T03%3A04%3A05.000000006Z",
		"last_activity_before=2026-02-02T03%3A04%3A05.000000006Z",
		"updated_after=2026-01-02T03%3A04%3A05.000000006Z", "updated_before=2026-02-02T03%3A04%3A05.000000006Z")
	ofInstance := queryWith(strings.ReplaceAll(ofUser, "&", " "), "pagination=offset")
	ofGroup := queryWith(commonProjectQuery, "include_subgroups=true", "with_shared=false",
		"with_security_reports=true")
	client := onWire(t,
		exchange{Method: "GET", Path: "/users/5/projects", Query: ofUser, Body: "[]"},
		exchange{Method: "GET", Path: "/projects", Query: ofInstance, Body: "[]"},
		exchange{Method: "GET", Path: "/projects", Query: ofInstance, Body: "[]"},
		exchange{Method: "GET", Path: "/groups/3/projects", Query: ofGroup, Body: "[]"})
	options.RepositoryStorage, options.RepositoryChecksumFailed = "disk-2", true
	options.TopicID, options.Imported, options.Active, options.MarkedForDeletionOn = 4, true, new(false),
		serviceapi.NewDate(2026, time.March, 1)
	options.IncludePendingDelete, options.IncludeHidden = true, true
	require.NoError(t, errorOf(client.Projects.List(t.Context(), serviceapi.UserID(5), options)))

	options.Pagination = serviceapi.PaginationOffset
	require.NoError(t, errorOf(client.Projects.List(t.Context(), serviceapi.Instance, options)))
	_, err := serviceapi.Collect(client.Projects.All(t.Context(), serviceapi.Instance, options))
	require.NoError(t, err)

	options = commonProjectFilters()
	options.IncludeSubgroups, options.WithShared, options.WithSecurityReports = true, new(false), true
	require.NoError(t, errorOf(client.Projects.List(t.Context(), serviceapi.GroupID(3), options)))
}

func TestProjectsListRefusesWhatTheOwnerDoesNotTake(t *testing.T) {
	s, ctx := onWire(t).Projects, t.Context()
	for _, test := range []struct {
		owner    serviceapi.ProjectOwner
		options  serviceapi.ListProjectsOptions
		argument string
	}{
		{serviceapi.GroupID(3), serviceapi.ListProjectsOptions{Membership: true}, "Membership"},
		{serviceapi.GroupID(3), serviceapi.ListProjectsOptions{Pagination: serviceapi.PaginationKeyset}, "Pagination"},
		{serviceapi.GroupID(3), serviceapi.ListProjectsOptions{RepositoryStorage: "disk-2"}, "RepositoryStorage"},
		{serviceapi.UserID(3), serviceapi.ListProjectsOptions{WithShared: new(true)}, "WithShared"},
		{serviceapi.Instance, serviceapi.ListProjectsOptions{IncludeSubgroups: true}, "IncludeSubgroups"},
		{serviceapi.Instance,
			serviceapi.ListProjectsOptions{Pagination: serviceapi.PaginationKeyset,
				OrderBy: serviceapi.ProjectOrderByName}, "OrderBy"},
		{serviceapi.Instance, serviceapi.ListProjectsOptions{Pagination: serviceapi.PaginationKeyset, Sort: "up"},
			"Sort"},
		{serviceapi.Instance,
			serviceapi.ListProjectsOptions{Pagination: serviceapi.PaginationKeyset,
				ListOptions: serviceapi.ListOptions{Page: 2}}, "Page"},
		{nil, serviceapi.ListProjectsOptions{}, "owner"},
		{new(serviceapi.GroupID(3)), serviceapi.ListProjectsOptions{}, "owner"},
		{(*serviceapi.UserRef)(nil), serviceapi.ListProjectsOptions{}, "owner"},
		{serviceapi.GroupRef{}, serviceapi.ListProjectsOptions{}, "id"},
		{serviceapi.UserRef{}, serviceapi.ListProjectsOptions{}, "user_id"},
	} {
		assertRefused(t, test.argument, errorOf(s.List(ctx, test.owner, &test.options)))
		_, err := serviceapi.Collect(s.All(ctx, test.owner, &test.options))
		assertRefused(t, test.argument, err)
	}
}

// TestProjectsAllByKeyset checks that setting Pagination is enough.
func TestProjectsAllByKeyset(t *testing.T) {
	const query = "order_by=id&pagination=keyset&per_page=100&sort="
	var exchanges []exchange
	for _, direction := range []string{"desc", "asc"} {
		exchanges = append(exchanges, exchange{
			Method: "GET", Path: "/projects", Query: query + direction, Body: `[{"id":7}]`,
			ResponseHeader: map[string]string{"Link": `<https://service.test/api/v4/projects?id_after=7&` + query +
				direction + `>; rel="next"`},
		}, exchange{Method: "GET", Path: "/projects", Query: "id_after=7&" + query + direction, Body: `[]`})
	}
	client := onWire(t, exchanges...)
	for _, options := range []serviceapi.ListProjectsOptions{
		{Pagination: serviceapi.PaginationKeyset},
		{Pagination: serviceapi.PaginationKeyset, OrderBy: serviceapi.ProjectOrderByID, Sort: serviceapi.SortAscending},
	} {
		before := options
		projects, err := serviceapi.Collect(client.Projects.All(t.Context(), serviceapi.Instance, &options))
		require.NoError(t, err)
		require.Len(t, projects, 1)
		assert.Equal(t, int64(7), projects[0].ID)
		assert.Equal(t, before, options, "the caller's own options stay as they were")
	}
}

// engineSettings are those of testdata/projects/project.json.
func engineSettings(t *testing.T) serviceapi.Project {
	return serviceapi.Project{
		RepositoryObjectFormat: serviceapi.ObjectFormatSHA1, EmailsDisabled: new(true), EmailsEnabled: new(false),
		LFSEnabled: new(true), RequestAccessEnabled: new(true), ShowDefaultAwardEmojis: new(false),
		ServiceDeskEnabled: new(true), PackagesEnabled: new(true), AutocloseReferencedIssues: new(false),
		ExternalAuthorizationClassificationLabel: "external_authorization_classification_label 10",
		MergeMethod:                              serviceapi.MergeMethodFastForward,
		SquashOption:                             serviceapi.SquashOptionDefaultOn,
		MergeCommitTemplate:                      "merge_commit_template 13",
		SquashCommitTemplate:                     "squash_commit_template 14",
		SuggestionCommitMessage:                  "suggestion_commit_message 15",
		IssueBranchTemplate:                      "issue_branch_template 16",
		OnlyAllowMergeIfPipelineSucceeds:         new(true), AllowMergeOnSkippedPipeline: new(false),
		OnlyAllowMergeIfAllDiscussionsAreResolved: new(true), OnlyAllowMergeIfAllStatusChecksPassed: new(true),
		RemoveSourceBranchAfterMerge: new(false), ResolveOutdatedDiffDiscussions: new(true),
		PrintingMergeRequestLinkEnabled: new(true), ApprovalsBeforeMerge: new(124),
		MRDefaultTargetSelf: new(true), MergePipelinesEnabled: new(true), MergeTrainsEnabled: new(false),
		IssuesTemplate: "issues_template 28", MergeRequestsTemplate: "merge_requests_template 29",
		CIConfigPath: "ci_config_path 30", BuildGitStrategy: serviceapi.GitStrategyFetch, BuildTimeout: new(int64(132)),
		CIDefaultGitDepth: new(133), AutoCancelPendingPipelines: serviceapi.AutoCancelPipelinesEnabled,
		CIForwardDeploymentEnabled: new(true), CIForwardDeploymentRollbackAllowed: new(false),
		CIAllowForkPipelinesToRunInParentProject: new(true), CISeparatedCaches: new(true),
		CIRestrictPipelineCancellationRole:     "ci_restrict_pipeline_cancellation_role 39",
		CIPipelineVariablesMinimumOverrideRole: serviceapi.PipelineVariablesRoleNobody,
		CIPushRepositoryForJobTokenAllowed:     new(true), CIDeletePipelinesInSeconds: new(int64(142)),
		MaxArtifactsSize: new(int64(143)), KeepLatestArtifact: new(true),
		RestrictUserDefinedVariables: new(false), PublicJobs: new(true), SharedRunnersEnabled: new(true),
		GroupRunnersEnabled: new(false), AutoDevOpsEnabled: new(true),
		AutoDevOpsDeployStrategy:         serviceapi.AutoDevOpsStrategyTimedIncremental,
		AnalyticsAccessLevel:             serviceapi.FeatureAccessLevelPublic,
		BuildsAccessLevel:                serviceapi.FeatureAccessLevelEnabled,
		ContainerRegistryAccessLevel:     serviceapi.FeatureAccessLevelPrivate,
		ForkingAccessLevel:               serviceapi.FeatureAccessLevelDisabled,
		IssuesAccessLevel:                serviceapi.FeatureAccessLevelPublic,
		MergeRequestsAccessLevel:         serviceapi.FeatureAccessLevelEnabled,
		OperationsAccessLevel:            serviceapi.FeatureAccessLevelPrivate,
		PagesAccessLevel:                 serviceapi.FeatureAccessLevelDisabled,
		RepositoryAccessLevel:            serviceapi.FeatureAccessLevelPublic,
		RequirementsAccessLevel:          serviceapi.FeatureAccessLevelEnabled,
		SecurityAndComplianceAccessLevel: serviceapi.FeatureAccessLevelPrivate,
		SnippetsAccessLevel:              serviceapi.FeatureAccessLevelDisabled,
		WikiAccessLevel:                  serviceapi.FeatureAccessLevelPublic,
		ReleasesAccessLevel:              serviceapi.FeatureAccessLevelEnabled,
		EnvironmentsAccessLevel:          serviceapi.FeatureAccessLevelPrivate,
		FeatureFlagsAccessLevel:          serviceapi.FeatureAccessLevelDisabled,
		InfrastructureAccessLevel:        serviceapi.FeatureAccessLevelPublic,
		MonitorAccessLevel:               serviceapi.FeatureAccessLevelEnabled,
		PackageRegistryAccessLevel:       serviceapi.FeatureAccessLevelPrivate,
		ModelExperimentsAccessLevel:      serviceapi.FeatureAccessLevelDisabled,
		ModelRegistryAccessLevel:         serviceapi.FeatureAccessLevelPublic, Mirror: new(false),
		MirrorTriggerBuilds:         new(true),
		OnlyMirrorProtectedBranches: new(true), MirrorOverwritesDivergedBranches: new(false),
		MirrorUserID:       new(int64(176)),
		BuildCoverageRegex: `\d+%`, RunnerTokenExpirationInterval: new(int64(3600)), CIJobTokenScopeEnabled: new(true),
		ContainerExpirationPolicy: &serviceapi.ContainerExpirationPolicy{
			Enabled: true, Cadence: "1d", KeepN: new(10), OlderThan: "90d", NameRegex: ".*", NameRegexKeep: "v.*",
			NextRunAt: at(t, "2026-02-07T08:30:00Z"),
		},
		IssuesEnabled: new(true), MergeRequestsEnabled: new(true), WikiEnabled: new(false), JobsEnabled: new(true),
		SnippetsEnabled: new(false), ContainerRegistryEnabled: new(true), RequirementsEnabled: new(false),
		SecurityAndComplianceEnabled:          new(true),
		EnforceAuthChecksOnUploads:            new(true),
		CICDCatalogEnabled:                    new(true),
		ProtectMergeRequestPipelines:          new(true),
		MergeTrainsSkipTrainAllowed:           new(true),
		MRDefaultTitleTemplate:                "mr_default_title_template",
		MergeRequestTitleRegex:                "merge_request_title_regex",
		MergeRequestTitleRegexDescription:     "merge_request_title_regex_description",
		ReviewerAssignmentStrategy:            "reviewer_assignment_strategy",
		AutoDuoCodeReviewEnabled:              new(true),
		PreventMergeWithoutJiraIssue:          new(true),
		ResourceGroupDefaultProcessMode:       serviceapi.ResourceGroupProcessModeOldestFirst,
		AllowPipelineTriggerApproveDeployment: new(true),
		CIDisplayPipelineVariables:            new(true),
		CIIDTokenSubClaimComponents:           []string{"project_path"},
		MirrorBranchRegex:                     "mirror_branch_regex",
		SecretPushProtectionEnabled:           new(true), WarnAboutPotentiallyUnwantedCharacters: new(true),
		PreReceiveSecretDetectionEnabled: new(true), ShowDiffPreviewInEmail: new(true),
		SPPRepositoryPipelineAccess: new(true), DuoRemoteFlowsEnabled: new(true),
		DuoFoundationalFlowsEnabled: new(true), DuoSASTFPDetectionEnabled: new(true),
		DuoSASTVRWorkflowEnabled: new(true), WebBasedCommitSigningEnabled: new(true),
		Public: new(false),
	}
}

// everyNewProjectSetting has every field except those for the namespace and the
// picture.
func everyNewProjectSetting() serviceapi.CreateProjectOptions {
	return serviceapi.CreateProjectOptions{
		Description: new("description 1"), Visibility: new(serviceapi.VisibilityInternal),
		DefaultBranch: new("default_branch 3"), Topics: []string{"go", "web"}, InitializeWithReadme: new(true),
		RepositoryObjectFormat: new(
			serviceapi.ObjectFormatSHA1,
		), ImportURL: serviceapi.NewSecret("https://u:p@elsewhere.test/x.git"),
		TemplateName: new("template_name 8"), UseCustomTemplate: new(false), TemplateProjectID: new(int64(110)),
		GroupWithProjectTemplatesID: new(int64(111)), EmailsDisabled: new(false), EmailsEnabled: new(true),
		LFSEnabled: new(true), RequestAccessEnabled: new(false), ShowDefaultAwardEmojis: new(true),
		PackagesEnabled: new(true), AutocloseReferencedIssues: new(false),
		RepositoryStorage:                        new("repository_storage 19"),
		ExternalAuthorizationClassificationLabel: new("external_authorization_classification_label 20"),
		MergeMethod: new(
			serviceapi.MergeMethodFastForward,
		), SquashOption: new(serviceapi.SquashOptionDefaultOn),
		MergeCommitTemplate:     new("merge_commit_template 23"),
		SquashCommitTemplate:    new("squash_commit_template 24"),
		SuggestionCommitMessage: new("suggestion_commit_message 25"),
		IssueBranchTemplate:     new("issue_branch_template 26"), OnlyAllowMergeIfPipelineSucceeds: new(false),
		AllowMergeOnSkippedPipeline: new(true), OnlyAllowMergeIfAllDiscussionsAreResolved: new(true),
		OnlyAllowMergeIfAllStatusChecksPassed: new(false), RemoveSourceBranchAfterMerge: new(true),
		ResolveOutdatedDiffDiscussions: new(true), PrintingMergeRequestLinkEnabled: new(false),
		ApprovalsBeforeMerge: new(134), CIConfigPath: new("ci_config_path 35"),
		BuildGitStrategy: new(serviceapi.GitStrategyFetch), BuildTimeout: new(int64(137)),
		AutoCancelPendingPipelines: new(
			serviceapi.AutoCancelPipelinesEnabled,
		), PublicBuilds: new(false), PublicJobs: new(true),
		SharedRunnersEnabled: new(true), GroupRunnersEnabled: new(false), AutoDevOpsEnabled: new(true),
		AutoDevOpsDeployStrategy:     new(serviceapi.AutoDevOpsStrategyTimedIncremental),
		AnalyticsAccessLevel:         new(serviceapi.FeatureAccessLevelPrivate),
		BuildsAccessLevel:            new(serviceapi.FeatureAccessLevelDisabled),
		ContainerRegistryAccessLevel: new(serviceapi.FeatureAccessLevelPublic),
		ForkingAccessLevel: new(
			serviceapi.FeatureAccessLevelEnabled,
		), IssuesAccessLevel: new(serviceapi.FeatureAccessLevelPrivate),
		MergeRequestsAccessLevel: new(
			serviceapi.FeatureAccessLevelDisabled,
		), OperationsAccessLevel: new(serviceapi.FeatureAccessLevelPublic),
		PagesAccessLevel: new(
			serviceapi.FeatureAccessLevelEnabled,
		), RepositoryAccessLevel: new(serviceapi.FeatureAccessLevelPrivate),
		RequirementsAccessLevel:          new(serviceapi.FeatureAccessLevelDisabled),
		SecurityAndComplianceAccessLevel: new(serviceapi.FeatureAccessLevelPublic),
		SnippetsAccessLevel:              new(serviceapi.FeatureAccessLevelEnabled),
		WikiAccessLevel:                  new(serviceapi.FeatureAccessLevelPrivate),
		ReleasesAccessLevel:              new(serviceapi.FeatureAccessLevelDisabled),
		EnvironmentsAccessLevel:          new(serviceapi.FeatureAccessLevelPublic),
		FeatureFlagsAccessLevel:          new(serviceapi.FeatureAccessLevelEnabled),
		InfrastructureAccessLevel:        new(serviceapi.FeatureAccessLevelPrivate),
		MonitorAccessLevel:               new(serviceapi.FeatureAccessLevelDisabled),
		PackageRegistryAccessLevel:       new(serviceapi.FeatureAccessLevelPublic),
		ModelExperimentsAccessLevel:      new(serviceapi.FeatureAccessLevelEnabled),
		ModelRegistryAccessLevel:         new(serviceapi.FeatureAccessLevelPrivate),
		ContainerExpirationPolicy: &serviceapi.ContainerExpirationPolicyOptions{
			Enabled: new(true), Cadence: new("7d"), OlderThan: serviceapi.Value("90d"), KeepN: serviceapi.Null[int](),
			NameRegex: serviceapi.Value(".*"), NameRegexKeep: serviceapi.Null[string](),
		},
		Mirror: new(true), MirrorTriggerBuilds: new(true),
		EnforceAuthChecksOnUploads:               new(true),
		CICDCatalogEnabled:                       new(true),
		ProtectMergeRequestPipelines:             new(true),
		MergeTrainsSkipTrainAllowed:              new(true),
		MRDefaultTitleTemplate:                   new("mr_default_title_template"),
		MergeRequestTitleRegex:                   new("merge_request_title_regex"),
		MergeRequestTitleRegexDescription:        new("merge_request_title_regex_description"),
		ReviewerAssignmentStrategy:               new("reviewer_assignment_strategy"),
		BuildCoverageRegex:                       new("build_coverage_regex"),
		ResourceGroupDefaultProcessMode:          new(serviceapi.ResourceGroupProcessModeOldestFirst),
		CIForwardDeploymentRollbackAllowed:       new(true),
		CIAllowForkPipelinesToRunInParentProject: new(true),
		CIRestrictPipelineCancellationRole:       new("ci_restrict_pipeline_cancellation_role"),
		CIPushRepositoryForJobTokenAllowed:       new(true),
		CIPipelineVariablesMinimumOverrideRole:   new(serviceapi.PipelineVariablesRoleNobody),
		CIDeletePipelinesInSeconds:               new(int64(60)),
		MaxArtifactsSize:                         new(int64(70)),
		ShowDiffPreviewInEmail:                   new(true),
		WarnAboutPotentiallyUnwantedCharacters:   new(false),
		SPPRepositoryPipelineAccess:              new(true),
		DuoRemoteFlowsEnabled:                    new(true),
		DuoSASTFPDetectionEnabled:                new(true),
		DuoSASTVRWorkflowEnabled:                 new(true),
		ServiceDeskEnabled:                       new(true), MRDefaultTargetSelf: new(true),
		AutoDuoCodeReviewEnabled:     new(true),
		PreventMergeWithoutJiraIssue: new(true),
	}
}

const everyNewProjectSettingJSON = `{"description": "description 1", "visibility": "internal",
	"default_branch": "default_branch 3",
	"topics": ["go", "web"], "initialize_with_readme": true, "repository_object_format": "sha1",
	"import_url": "https://u:p@elsewhere.test/x.git", "template_name": "template_name 8",
	"use_custom_template": false, "template_project_id": 110, "group_with_project_templates_id": 111,
	"emails_disabled": false, "emails_enabled": true, "lfs_enabled": true, "request_access_enabled": false,
	"show_default_award_emojis": true, "packages_enabled": true, "autoclose_referenced_issues": false,
	"repository_storage": "repository_storage 19",
	"external_authorization_classification_label": "external_authorization_classification_label 20",
	"merge_method": "ff", "squash_option": "default_on", "merge_commit_template": "merge_commit_template 23",
	"squash_commit_template": "squash_commit_template 24",
	"suggestion_commit_message": "suggestion_commit_message 25",
	"issue_branch_template": "issue_branch_template 26", "only_allow_merge_if_pipeline_succeeds": false,
	"allow_merge_on_skipped_pipeline": true, "only_allow_merge_if_all_discussions_are_resolved": true,
	"only_allow_merge_if_all_status_checks_passed": false, "remove_source_branch_after_merge": true,
	"resolve_outdated_diff_discussions": true, "printing_merge_request_link_enabled": false,
	"approvals_before_merge": 134, "ci_config_path": "ci_config_path 35", "build_git_strategy": "fetch",
	"build_timeout": 137, "auto_cancel_pending_pipelines": "enabled", "public_builds": false,
	"public_jobs": true, "shared_runners_enabled": true, "group_runners_enabled": false,
	"auto_devops_enabled": true, "auto_devops_deploy_strategy": "timed_incremental",
	"analytics_access_level": "private", "builds_access_level": "disabled",
	"container_registry_access_level": "public", "forking_access_level": "enabled",
	"issues_access_level": "private", "merge_requests_access_level": "disabled",
	"operations_access_level": "public", "pages_access_level": "enabled",
	"repository_access_level": "private", "requirements_access_level": "disabled",
	"security_and_compliance_access_level": "public", "snippets_access_level": "enabled",
	"wiki_access_level": "private", "releases_access_level": "disabled",
	"environments_access_level": "public", "feature_flags_access_level": "enabled",
	"infrastructure_access_level": "private", "monitor_access_level": "disabled",
	"package_registry_access_level": "public", "model_experiments_access_level": "enabled",
	"model_registry_access_level": "private",
	"container_expiration_policy_attributes": {"enabled": true, "cadence": "7d", "older_than": "90d",
	"keep_n": null, "name_regex": ".*", "name_regex_keep": null},
	"mirror": true, "mirror_trigger_builds": true,
"enforce_auth_checks_on_uploads": true,
"cicd_catalog_enabled": true,
"protect_merge_request_pipelines": true,
"merge_trains_skip_train_allowed": true,
"mr_default_title_template": "mr_default_title_template",
"merge_request_title_regex": "merge_request_title_regex",
"merge_request_title_regex_description": "merge_request_title_regex_description",
"reviewer_assignment_strategy": "reviewer_assignment_strategy",
"build_coverage_regex": "build_coverage_regex",
"resource_group_default_process_mode": "oldest_first",
"ci_forward_deployment_rollback_allowed": true,
"ci_allow_fork_pipelines_to_run_in_parent_project": true,
"ci_restrict_pipeline_cancellation_role": "ci_restrict_pipeline_cancellation_role",
"ci_push_repository_for_job_token_allowed": true,
"ci_pipeline_variables_minimum_override_role": "no_one_allowed",
"ci_delete_pipelines_in_seconds": 60,
"max_artifacts_size": 70,
"show_diff_preview_in_email": true, "warn_about_potentially_unwanted_characters": false,
"spp_repository_pipeline_access": true, "duo_remote_flows_enabled": true, "duo_sast_fp_detection_enabled": true,
"duo_sast_vr_workflow_enabled": true,
"service_desk_enabled": true, "mr_default_target_self": true, "auto_duo_code_review_enabled": true,
"prevent_merge_without_jira_issue": true}`

func everyProjectSetting() serviceapi.UpdateProjectOptions {
	return serviceapi.UpdateProjectOptions{
		Description: new("description 1"), Visibility: new(serviceapi.VisibilityInternal),
		DefaultBranch: new("default_branch 3"), Topics: []string{"go", "web"},
		ImportURL: new(serviceapi.NewSecret("https://u:p@elsewhere.test/x.git")), EmailsDisabled: new(false),
		EmailsEnabled: new(true), LFSEnabled: new(true), RequestAccessEnabled: new(false),
		ShowDefaultAwardEmojis: new(true), ServiceDeskEnabled: new(true), PackagesEnabled: new(false),
		AutocloseReferencedIssues: new(true), RepositoryStorage: new("repository_storage 14"),
		ExternalAuthorizationClassificationLabel: new("external_authorization_classification_label 15"),
		MergeMethod: new(
			serviceapi.MergeMethodFastForward,
		), SquashOption: new(serviceapi.SquashOptionDefaultOn),
		MergeCommitTemplate:     new("merge_commit_template 18"),
		SquashCommitTemplate:    new("squash_commit_template 19"),
		SuggestionCommitMessage: new("suggestion_commit_message 20"),
		IssueBranchTemplate:     new("issue_branch_template 21"), OnlyAllowMergeIfPipelineSucceeds: new(true),
		AllowMergeOnSkippedPipeline: new(true), OnlyAllowMergeIfAllDiscussionsAreResolved: new(false),
		OnlyAllowMergeIfAllStatusChecksPassed: new(true), RemoveSourceBranchAfterMerge: new(true),
		ResolveOutdatedDiffDiscussions: new(false), PrintingMergeRequestLinkEnabled: new(true),
		ApprovalsBeforeMerge: new(129), MRDefaultTargetSelf: new(false), MergePipelinesEnabled: new(true),
		MergeTrainsEnabled: new(true), IssuesTemplate: new("issues_template 33"),
		MergeRequestsTemplate: new("merge_requests_template 34"), CIConfigPath: new("ci_config_path 35"),
		BuildGitStrategy: new(serviceapi.GitStrategyFetch), BuildTimeout: new(int64(137)),
		CIDefaultGitDepth: serviceapi.Value(
			138,
		), AutoCancelPendingPipelines: new(serviceapi.AutoCancelPipelinesEnabled),
		CIForwardDeploymentEnabled: new(true), CIForwardDeploymentRollbackAllowed: new(true),
		CIAllowForkPipelinesToRunInParentProject: new(false), CISeparatedCaches: new(true),
		CIRestrictPipelineCancellationRole:     new("ci_restrict_pipeline_cancellation_role 44"),
		CIPipelineVariablesMinimumOverrideRole: new(serviceapi.PipelineVariablesRoleNobody),
		CIPushRepositoryForJobTokenAllowed:     new(true), CIDeletePipelinesInSeconds: serviceapi.Value(int64(147)),
		MaxArtifactsSize: serviceapi.Value(
			int64(148),
		), KeepLatestArtifact: new(true), RestrictUserDefinedVariables: new(true),
		PublicBuilds: new(false), PublicJobs: new(true), SharedRunnersEnabled: new(true),
		GroupRunnersEnabled: new(false), AutoDevOpsEnabled: new(true),
		AutoDevOpsDeployStrategy:     new(serviceapi.AutoDevOpsStrategyTimedIncremental),
		AnalyticsAccessLevel:         new(serviceapi.FeatureAccessLevelPrivate),
		BuildsAccessLevel:            new(serviceapi.FeatureAccessLevelDisabled),
		ContainerRegistryAccessLevel: new(serviceapi.FeatureAccessLevelPublic),
		ForkingAccessLevel: new(
			serviceapi.FeatureAccessLevelEnabled,
		), IssuesAccessLevel: new(serviceapi.FeatureAccessLevelPrivate),
		MergeRequestsAccessLevel: new(
			serviceapi.FeatureAccessLevelDisabled,
		), OperationsAccessLevel: new(serviceapi.FeatureAccessLevelPublic),
		PagesAccessLevel: new(
			serviceapi.FeatureAccessLevelEnabled,
		), RepositoryAccessLevel: new(serviceapi.FeatureAccessLevelPrivate),
		RequirementsAccessLevel:          new(serviceapi.FeatureAccessLevelDisabled),
		SecurityAndComplianceAccessLevel: new(serviceapi.FeatureAccessLevelPublic),
		SnippetsAccessLevel:              new(serviceapi.FeatureAccessLevelEnabled),
		WikiAccessLevel:                  new(serviceapi.FeatureAccessLevelPrivate),
		ReleasesAccessLevel:              new(serviceapi.FeatureAccessLevelDisabled),
		EnvironmentsAccessLevel:          new(serviceapi.FeatureAccessLevelPublic),
		FeatureFlagsAccessLevel:          new(serviceapi.FeatureAccessLevelEnabled),
		InfrastructureAccessLevel:        new(serviceapi.FeatureAccessLevelPrivate),
		MonitorAccessLevel:               new(serviceapi.FeatureAccessLevelDisabled),
		PackageRegistryAccessLevel:       new(serviceapi.FeatureAccessLevelPublic),
		ModelExperimentsAccessLevel:      new(serviceapi.FeatureAccessLevelEnabled),
		ModelRegistryAccessLevel:         new(serviceapi.FeatureAccessLevelPrivate),
		ContainerExpirationPolicy: &serviceapi.ContainerExpirationPolicyOptions{
			Enabled: new(true), Cadence: new("7d"), OlderThan: serviceapi.Value("90d"), KeepN: serviceapi.Null[int](),
			NameRegex: serviceapi.Value(".*"), NameRegexKeep: serviceapi.Null[string](),
		},
		Mirror: new(true), MirrorTriggerBuilds: new(true), OnlyMirrorProtectedBranches: new(false),
		MirrorOverwritesDivergedBranches: new(true), MirrorUserID: new(int64(183)),
		EnforceAuthChecksOnUploads:             new(true),
		CICDCatalogEnabled:                     new(true),
		ProtectMergeRequestPipelines:           new(true),
		MergeTrainsSkipTrainAllowed:            new(true),
		MRDefaultTitleTemplate:                 new("mr_default_title_template"),
		MergeRequestTitleRegex:                 new("merge_request_title_regex"),
		MergeRequestTitleRegexDescription:      new("merge_request_title_regex_description"),
		ReviewerAssignmentStrategy:             new("reviewer_assignment_strategy"),
		AutoDuoCodeReviewEnabled:               new(true),
		PreventMergeWithoutJiraIssue:           new(true),
		BuildCoverageRegex:                     new("build_coverage_regex"),
		ResourceGroupDefaultProcessMode:        new(serviceapi.ResourceGroupProcessModeOldestFirst),
		AllowPipelineTriggerApproveDeployment:  new(true),
		CIDisplayPipelineVariables:             new(true),
		CIIDTokenSubClaimComponents:            []string{"project_path"},
		MirrorBranchRegex:                      new("mirror_branch_regex"),
		ShowDiffPreviewInEmail:                 new(true),
		WarnAboutPotentiallyUnwantedCharacters: new(false),
		SPPRepositoryPipelineAccess:            new(true),
		DuoRemoteFlowsEnabled:                  new(true),
		DuoSASTFPDetectionEnabled:              new(true),
		DuoSASTVRWorkflowEnabled:               new(true),
		WebBasedCommitSigningEnabled:           new(true), FallbackApprovalsRequired: new(2),
	}
}

const everyProjectSettingJSON = `{"description": "description 1", "visibility": "internal",
	"default_branch": "default_branch 3",
	"topics": ["go", "web"], "import_url": "https://u:p@elsewhere.test/x.git", "emails_disabled": false,
	"emails_enabled": true, "lfs_enabled": true, "request_access_enabled": false,
	"show_default_award_emojis": true, "service_desk_enabled": true, "packages_enabled": false,
	"autoclose_referenced_issues": true, "repository_storage": "repository_storage 14",
	"external_authorization_classification_label": "external_authorization_classification_label 15",
	"merge_method": "ff", "squash_option": "default_on", "merge_commit_template": "merge_commit_template 18",
	"squash_commit_template": "squash_commit_template 19",
	"suggestion_commit_message": "suggestion_commit_message 20",
	"issue_branch_template": "issue_branch_template 21", "only_allow_merge_if_pipeline_succeeds": true,
	"allow_merge_on_skipped_pipeline": true, "only_allow_merge_if_all_discussions_are_resolved": false,
	"only_allow_merge_if_all_status_checks_passed": true, "remove_source_branch_after_merge": true,
	"resolve_outdated_diff_discussions": false, "printing_merge_request_link_enabled": true,
	"approvals_before_merge": 129, "mr_default_target_self": false, "merge_pipelines_enabled": true,
	"merge_trains_enabled": true, "issues_template": "issues_template 33",
	"merge_requests_template": "merge_requests_template 34", "ci_config_path": "ci_config_path 35",
	"build_git_strategy": "fetch", "build_timeout": 137, "ci_default_git_depth": 138,
	"auto_cancel_pending_pipelines": "enabled", "ci_forward_deployment_enabled": true,
	"ci_forward_deployment_rollback_allowed": true, "ci_allow_fork_pipelines_to_run_in_parent_project": false,
	"ci_separated_caches": true,
	"ci_restrict_pipeline_cancellation_role": "ci_restrict_pipeline_cancellation_role 44",
	"ci_pipeline_variables_minimum_override_role": "no_one_allowed",
	"ci_push_repository_for_job_token_allowed": true, "ci_delete_pipelines_in_seconds": 147,
	"max_artifacts_size": 148, "keep_latest_artifact": true, "restrict_user_defined_variables": true,
	"public_builds": false, "public_jobs": true, "shared_runners_enabled": true,
	"group_runners_enabled": false, "auto_devops_enabled": true,
	"auto_devops_deploy_strategy": "timed_incremental", "analytics_access_level": "private",
	"builds_access_level": "disabled", "container_registry_access_level": "public",
	"forking_access_level": "enabled", "issues_access_level": "private",
	"merge_requests_access_level": "disabled", "operations_access_level": "public",
	"pages_access_level": "enabled", "repository_access_level": "private",
	"requirements_access_level": "disabled", "security_and_compliance_access_level": "public",
	"snippets_access_level": "enabled", "wiki_access_level": "private", "releases_access_level": "disabled",
	"environments_access_level": "public", "feature_flags_access_level": "enabled",
	"infrastructure_access_level": "private", "monitor_access_level": "disabled",
	"package_registry_access_level": "public", "model_experiments_access_level": "enabled",
	"model_registry_access_level": "private",
	"container_expiration_policy_attributes": {"enabled": true, "cadence": "7d", "older_than": "90d",
	"keep_n": null, "name_regex": ".*", "name_regex_keep": null},
	"mirror": true, "mirror_trigger_builds": true, "only_mirror_protected_branches": false,
	"mirror_overwrites_diverged_branches": true, "mirror_user_id": 183,
"enforce_auth_checks_on_uploads": true,
"cicd_catalog_enabled": true,
"protect_merge_request_pipelines": true,
"merge_trains_skip_train_allowed": true,
"mr_default_title_template": "mr_default_title_template",
"merge_request_title_regex": "merge_request_title_regex",
"merge_request_title_regex_description": "merge_request_title_regex_description",
"reviewer_assignment_strategy": "reviewer_assignment_strategy",
"auto_duo_code_review_enabled": true,
"prevent_merge_without_jira_issue": true,
"build_coverage_regex": "build_coverage_regex",
"resource_group_default_process_mode": "oldest_first",
"allow_pipeline_trigger_approve_deployment": true,
"ci_display_pipeline_variables": true,
"ci_id_token_sub_claim_components": ["project_path"],
"mirror_branch_regex": "mirror_branch_regex",
"show_diff_preview_in_email": true, "warn_about_potentially_unwanted_characters": false,
"spp_repository_pipeline_access": true, "duo_remote_flows_enabled": true, "duo_sast_fp_detection_enabled": true,
"duo_sast_vr_workflow_enabled": true,
"web_based_commit_signing_enabled": true, "fallback_approvals_required": 2}`

// withFields returns an object with the fields of another that are not zero.
func withFields[T any](object, other T) T {
	from, to := reflect.ValueOf(other), reflect.ValueOf(&object).Elem()
	for field, value := range from.Fields() {
		if !value.IsZero() {
			to.FieldByName(field.Name).Set(value)
		}
	}
	return object
}

func TestProjectsCreate(t *testing.T) {
	const whole = "projects/project.json"
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects", JSON: `{"path":"engine"}`, Status: 201, Fixture: whole},
		exchange{
			Method: "POST", Path: "/projects", Status: 201, Fixture: whole,
			JSON: `{"name":"Engine","path":"engine","namespace_id":3,` + strings.TrimPrefix(everyNewProjectSettingJSON,
				"{"),
		},
		exchange{
			Method: "POST", Path: "/projects", Status: 201, Fixture: whole,
			Multipart: []string{"name=Engine", "topics[]=go", "topics[]=web", "avatar[e.png;image/png]=pixels"},
		})
	project, resp, err := client.Projects.Create(t.Context(), serviceapi.CreateProjectOptions{Path: "engine"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, engineProject(t), project)

	options := everyNewProjectSetting()
	options.Name, options.Path, options.Namespace = "Engine", "engine", serviceapi.NamespaceID(3)
	require.NoError(t, errorOf(client.Projects.Create(t.Context(), options)))

	require.NoError(t, errorOf(client.Projects.Create(t.Context(), serviceapi.CreateProjectOptions{
		Name: "Engine", Topics: []string{"go", "web"},
		Avatar: &serviceapi.Upload{Filename: "e.png", ContentType: "image/png", Content: strings.NewReader("pixels")},
	})))
}

func TestProjectsUpdate(t *testing.T) {
	const path, whole = "/projects/acme%2Fengine", "projects/project.json"
	client := onWire(t,
		exchange{Method: "PUT", Path: path, JSON: `{}`, Fixture: whole},
		exchange{
			Method: "PUT", Path: path, Fixture: whole,
			JSON: `{"name":"E","path":"e",` + strings.TrimPrefix(everyProjectSettingJSON, "{"),
		},
		exchange{Method: "PUT", Path: path,
			JSON: `{"description":"","topics":[],"import_url":"","ci_config_path":"","avatar":""}`, Fixture: whole},
		exchange{Method: "PUT", Path: path,
			Multipart: []string{"lfs_enabled=false", "avatar[e.gif;application/octet-stream]=GIF"}, Fixture: whole})
	s, ctx, engine := client.Projects, t.Context(), serviceapi.ProjectPath("acme/engine")
	project, _, err := s.Update(ctx, engine, serviceapi.UpdateProjectOptions{})
	require.NoError(t, err)
	assert.Equal(t, engineProject(t), project)

	options := everyProjectSetting()
	options.Name, options.Path = new("E"), new("e")
	require.NoError(t, errorOf(s.Update(ctx, engine, options)))

	require.NoError(t, errorOf(s.Update(ctx, engine, serviceapi.UpdateProjectOptions{
		Description: new(""), Topics: []string{}, ImportURL: new(serviceapi.NewSecret("")), CIConfigPath: new(""),
		RemoveAvatar: true,
	})))
	picture := serviceapi.Upload{Filename: "e.gif", Content: strings.NewReader("GIF")}
	require.NoError(
		t,
		errorOf(s.Update(ctx, engine, serviceapi.UpdateProjectOptions{LFSEnabled: new(false), Avatar: &picture})),
	)
	assertRefused(t, "RemoveAvatar",
		errorOf(s.Update(ctx, engine, serviceapi.UpdateProjectOptions{Avatar: &picture, RemoveAvatar: true})))
}

func TestProjectsDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "DELETE", Path: "/projects/7", Status: 202, Body: `{"message":"202 Accepted"}`},
		exchange{Method: "DELETE", Path: "/projects/7", Status: 202, Body: `{"message":"202 Accepted"}`},
		exchange{Method: "DELETE", Path: "/projects/7", Query: "full_path=acme%2Fengine&permanently_remove=true",
			Status: 202, Body: `{"message":"202 Accepted"}`})
	s, ctx := client.Projects, t.Context()
	for _, options := range []*serviceapi.DeleteProjectOptions{nil, {},
		{PermanentlyRemove: true, FullPath: "acme/engine"}} {
		resp, err := s.Delete(ctx, serviceapi.ProjectID(7), options)
		require.NoError(t, err)
		assert.Equal(t, 202, resp.StatusCode)
	}
	for _, options := range []*serviceapi.DeleteProjectOptions{{PermanentlyRemove: true}, {FullPath: "acme/engine"}} {
		_, err := s.Delete(ctx, serviceapi.ProjectID(7), options)
		assertRefused(t, "FullPath", err)
	}
}

func TestProjectsLifeCycle(t *testing.T) {
	const path, whole = "/projects/acme%2Fengine", "projects/project.json"
	client := onWire(t,
		exchange{Method: "POST", Path: path + "/fork", JSON: `{}`, Status: 201, Fixture: whole},
		exchange{
			Method: "POST", Path: path + "/fork", Status: 201, Fixture: whole,
			JSON: `{"namespace_id":3,"name":"E","path":"e","description":"","visibility":"private",` +
				`"mr_default_target_self":true,"branches":"main,fix/crash"}`,
		},
		exchange{Method: "POST", Path: path + "/fork", JSON: `{"namespace_path":"acme/tools"}`, Status: 201,
			Fixture: whole},
		exchange{Method: "POST", Path: path + "/archive", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/unarchive", Status: 201, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/transfer", JSON: `{"namespace":3}`, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/transfer", JSON: `{"namespace":"acme/platform"}`, Fixture: whole})
	s, ctx, engine := client.Projects, t.Context(), serviceapi.ProjectPath("acme/engine")
	wantWhole := func(project *serviceapi.Project, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, engineProject(t), project)
	}
	wantWhole(s.Fork(ctx, engine, serviceapi.ForkProjectOptions{}))
	wantWhole(s.Fork(ctx, engine, serviceapi.ForkProjectOptions{
		Namespace: serviceapi.NamespaceID(3), Name: new("E"), Path: new("e"), Description: new(""),
		Visibility: new(
			serviceapi.VisibilityPrivate,
		), MRDefaultTargetSelf: new(true), Branches: []string{"main", "fix/crash"},
	}))
	wantWhole(
		s.Fork(
			ctx,
			engine,
			serviceapi.ForkProjectOptions{Namespace: serviceapi.NamespacePath("acme/tools"), Branches: []string{}},
		),
	)
	wantWhole(s.Archive(ctx, engine))
	wantWhole(s.Unarchive(ctx, engine))
	wantWhole(s.Transfer(ctx, engine, serviceapi.TransferProjectOptions{Namespace: serviceapi.NamespaceID(3)}))
	wantWhole(
		s.Transfer(
			ctx,
			engine,
			serviceapi.TransferProjectOptions{Namespace: serviceapi.NamespacePath("acme/platform")},
		),
	)
}

func TestProjectsShare(t *testing.T) {
	const path = "/projects/7/share"
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{"group_id":9,"group_access":20}`, Status: 201,
			Body: `{"id":1,"project_id":7,"group_id":9,"group_access":20,"expires_at":null}`},
		exchange{
			Method: "POST", Path: path, JSON: `{"group_id":9,"group_access":20,"expires_at":"2026-12-31"}`, Status: 201,
			Body: `{"id":1,"project_id":7,"group_id":9,"group_access":20,"expires_at":"2026-12-31",` +
				`"member_role_id":12}`,
		},
		exchange{Method: "DELETE", Path: path + "/9", Status: 204})
	s, ctx := client.Projects, t.Context()
	share, _, err := s.Share(
		ctx,
		serviceapi.ProjectID(7),
		serviceapi.ShareProjectOptions{GroupID: 9, GroupAccess: serviceapi.AccessLevelReporter},
	)
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.ProjectShare{ID: 1, ProjectID: 7, GroupID: 9, GroupAccess: serviceapi.AccessLevelReporter},
		share,
	)
	day := serviceapi.NewDate(2026, time.December, 31)
	share, _, err = s.Share(ctx, serviceapi.ProjectID(7),
		serviceapi.ShareProjectOptions{GroupID: 9, GroupAccess: serviceapi.AccessLevelReporter, ExpiresAt: &day})
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.ProjectShare{
			ID:          1,
			ProjectID:   7,
			GroupID:     9,
			GroupAccess: serviceapi.AccessLevelReporter,
			ExpiresAt:   &day, MemberRoleID: new(int64(12)),
		},
		share,
	)
	resp, err := s.Unshare(ctx, serviceapi.ProjectID(7), serviceapi.GroupID(9))
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestProjectsArguments(t *testing.T) {
	s, ctx := onWire(t).Projects, t.Context()
	for _, project := range []serviceapi.ProjectRef{{}, serviceapi.ProjectID(0), serviceapi.ProjectPath(""),
		serviceapi.ProjectPath("acme/.."),
		serviceapi.ProjectPath("acme/engine/")} {
		_, deleteErr := s.Delete(ctx, project, nil)
		_, unshareErr := s.Unshare(ctx, project, serviceapi.GroupID(9))
		for name, err := range map[string]error{
			"get":       errorOf(s.Get(ctx, project, nil)),
			"update":    errorOf(s.Update(ctx, project, serviceapi.UpdateProjectOptions{})),
			"delete":    deleteErr,
			"fork":      errorOf(s.Fork(ctx, project, serviceapi.ForkProjectOptions{})),
			"archive":   errorOf(s.Archive(ctx, project)),
			"unarchive": errorOf(s.Unarchive(ctx, project)),
			"transfer": errorOf(s.Transfer(ctx, project,
				serviceapi.TransferProjectOptions{Namespace: serviceapi.NamespaceID(3)})),
			"share":   errorOf(s.Share(ctx, project, serviceapi.ShareProjectOptions{})),
			"unshare": unshareErr,
		} {
			var argument *serviceapi.ArgumentError
			assert.ErrorAs(t, err, &argument, "%s %v", name, project)
		}
	}
	assertRefused(
		t,
		"Namespace",
		errorOf(s.Transfer(ctx, serviceapi.ProjectID(7), serviceapi.TransferProjectOptions{})),
	)
	for _, namespace := range []serviceapi.NamespaceRef{serviceapi.NamespaceID(-1), serviceapi.NamespacePath("acme/"),
		serviceapi.NamespacePath("")} {
		assertRefused(t, "Namespace",
			errorOf(s.Transfer(ctx, serviceapi.ProjectID(7), serviceapi.TransferProjectOptions{Namespace: namespace})))
		assertRefused(
			t,
			"Namespace",
			errorOf(s.Create(ctx, serviceapi.CreateProjectOptions{Path: "x", Namespace: namespace})),
		)
		assertRefused(
			t,
			"Namespace",
			errorOf(s.Fork(ctx, serviceapi.ProjectID(7), serviceapi.ForkProjectOptions{Namespace: namespace})),
		)
	}
	avatar := &serviceapi.Upload{Filename: "e.gif", Content: strings.NewReader("GIF")}
	for _, options := range []serviceapi.CreateProjectOptions{
		{Path: "x", Namespace: serviceapi.NamespacePath("acme")},
		{Path: "x", Namespace: serviceapi.NamespacePath("acme"), Avatar: avatar},
	} {
		err := errorOf(s.Create(ctx, options))
		assertRefused(t, "namespace", err)
		assert.ErrorContains(t, err, "accepts only IDs")
	}
	assertRefused(t, "Branches",
		errorOf(s.Fork(ctx, serviceapi.ProjectID(7), serviceapi.ForkProjectOptions{Branches: []string{"main", "a,b"}})))
	assertRefused(
		t,
		"GroupID",
		errorOf(
			s.Share(
				ctx,
				serviceapi.ProjectID(7),
				serviceapi.ShareProjectOptions{GroupAccess: serviceapi.AccessLevelGuest},
			),
		),
	)
	assertRefused(
		t,
		"GroupAccess",
		errorOf(s.Share(ctx, serviceapi.ProjectID(7), serviceapi.ShareProjectOptions{GroupID: 9})),
	)
	_, err := s.Unshare(ctx, serviceapi.ProjectID(7), serviceapi.GroupID(0))
	assertRefused(t, "group_id", err)
	_, err = s.Unshare(ctx, serviceapi.ProjectID(7), serviceapi.GroupPath("acme"))
	assertRefused(t, "group", err)
}
