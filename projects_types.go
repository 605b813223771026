package serviceapi

import (
	"time"
)

// Project is a repository with its merge requests, pipelines and members.
//
// Which fields are set depends on the call and the caller. Lists with
// [ListProjectsOptions.Simple], and calls without a credential, do not set the
// settings, the owner, the statistics, the permissions and the import fields.
//
// The fields from RepositoryObjectFormat on are the settings. They are nil or ""
// if they are not set, or if the release or the tier of the instance does not have
// them.
type Project struct {
	ID                int64     `json:"id"`
	Description       string    `json:"description"`
	Name              string    `json:"name"`
	NameWithNamespace string    `json:"name_with_namespace"`
	Path              string    `json:"path"`
	PathWithNamespace string    `json:"path_with_namespace"`
	CreatedAt         time.Time `json:"created_at"`
	// DescriptionHTML is the description as shown on the project's page.
	DescriptionHTML string     `json:"description_html"`
	Visibility      Visibility `json:"visibility"`
	// DefaultBranch is "" while the repository is empty.
	DefaultBranch string `json:"default_branch"`
	SSHURLToRepo  string `json:"ssh_url_to_repo"`
	HTTPURLToRepo string `json:"http_url_to_repo"`
	WebURL        string `json:"web_url"`
	// ReadmeURL is empty if the repository has no README file.
	ReadmeURL string   `json:"readme_url"`
	Topics    []string `json:"topics"`
	// TagList is the older name of Topics.
	//
	// Deprecated: use Topics.
	TagList []string `json:"tag_list"`
	// Owner is nil for projects of groups.
	Owner *UserSummary `json:"owner"`
	// Namespace is the group or the user that the project belongs to. It is nil
	// only if the service does not send it.
	Namespace *NamespaceSummary `json:"namespace"`
	// Archived projects are read-only, and their repositories cannot be moved to
	// another storage: see [StorageMovesService].
	Archived bool `json:"archived"`
	// EmptyRepo reports whether the repository has no commit.
	EmptyRepo bool `json:"empty_repo"`
	// AvatarURL is empty if the project has no picture.
	AvatarURL      string    `json:"avatar_url"`
	LastActivityAt time.Time `json:"last_activity_at"`
	// UpdatedAt is nil in releases before 16.x.
	UpdatedAt *time.Time `json:"updated_at"`
	// CreatorID is the ID of the user who created the project.
	CreatorID  int64 `json:"creator_id"`
	StarCount  int   `json:"star_count"`
	ForksCount int   `json:"forks_count"`
	// OpenIssuesCount is nil if issues are disabled.
	OpenIssuesCount *int `json:"open_issues_count"`
	// ForkedFromProject has the fields of a list with Simple. It is nil if the
	// project is not a fork, or if the caller cannot see the original project.
	ForkedFromProject *Project `json:"forked_from_project"`
	// CanCreateMergeRequestIn reports whether the caller may open merge requests.
	CanCreateMergeRequestIn bool `json:"can_create_merge_request_in"`
	// LicenseURL and License are empty and nil if [GetProjectOptions.License] does
	// not ask for them, or if the repository has no known license.
	LicenseURL string          `json:"license_url"`
	License    *ProjectLicense `json:"license"`
	// ServiceDeskAddress is the address where emails become issues. It is empty if that is
	// disabled.
	ServiceDeskAddress string `json:"service_desk_address"`
	// ContainerRegistryImagePrefix is the prefix of the names of the project's
	// images.
	ContainerRegistryImagePrefix string `json:"container_registry_image_prefix"`
	// SharedWithGroups are the groups that the project was shared with: see
	// [ProjectsService.Share].
	SharedWithGroups []*SharedGroup `json:"shared_with_groups"`
	// Permissions are the caller's roles in the project, nil without a credential.
	Permissions *ProjectPermissions `json:"permissions"`
	// Statistics are nil unless the options ask for them and the caller has the
	// Reporter role.
	Statistics *ProjectStatistics `json:"statistics"`
	// Links are addresses in the API, nil if a shorter form of the project has none.
	Links *ProjectLinks `json:"_links"`
	// ImportURL is empty if the project was not copied from a repository elsewhere.
	ImportURL string `json:"import_url"`
	// ImportType names the source of an import, empty if there was none.
	ImportType string `json:"import_type"`
	// ImportStatus is [ImportStateNone] if the project was not imported. A fork
	// has the states of an import while the service copies the repository:
	// [ProjectImportService.Wait] waits for it.
	ImportStatus ImportState `json:"import_status"`
	// ImportError says why the import failed. Only Maintainers see it.
	ImportError string `json:"import_error"`
	// RunnersToken registers runners of the project. Only Maintainers see it.
	RunnersToken Secret `json:"runners_token"`
	// RepositoryStorage is the name of the storage that holds the repository, ""
	// if the service does not show it. Only administrators see it.
	RepositoryStorage string `json:"repository_storage"`
	// MarkedForDeletionOn is the day on which the project was marked for deletion, nil if
	// it was not. MarkedForDeletionAt is its older name.
	MarkedForDeletionOn *Date `json:"marked_for_deletion_on"`
	MarkedForDeletionAt *Date `json:"marked_for_deletion_at"`
	// ComplianceFrameworks are the names of the project's compliance frameworks.
	// Premium.
	ComplianceFrameworks []string `json:"compliance_frameworks"`
	// CustomAttributes is nil unless WithCustomAttributes asked for them.
	CustomAttributes *CustomAttributes `json:"custom_attributes"`

	// General.

	// RepositoryObjectFormat is the hash function of the repository. Since 16.9.
	RepositoryObjectFormat ObjectFormat `json:"repository_object_format"`
	// EmailsDisabled reports whether email notifications are off. Nil can mean that the
	// parent groups decide.
	//
	// Deprecated: EmailsEnabled replaces it in later releases.
	EmailsDisabled *bool `json:"emails_disabled"`
	// EmailsEnabled reports whether email notifications are on. Only in later releases.
	EmailsEnabled *bool `json:"emails_enabled"`
	// LFSEnabled allows large files to be kept outside the repository, with Git
	// LFS.
	LFSEnabled *bool `json:"lfs_enabled"`
	// RequestAccessEnabled allows users to ask for membership.
	RequestAccessEnabled *bool `json:"request_access_enabled"`
	// ShowDefaultAwardEmojis shows the default reactions on issues and merge
	// requests.
	ShowDefaultAwardEmojis *bool `json:"show_default_award_emojis"`
	// ServiceDeskEnabled creates issues from emails to the project.
	ServiceDeskEnabled *bool `json:"service_desk_enabled"`
	// PackagesEnabled turns the package registry on or off. Later releases have
	// PackageRegistryAccessLevel instead.
	PackagesEnabled *bool `json:"packages_enabled"`
	// AutocloseReferencedIssues closes the issues that a merge request says it closes when
	// it is merged into the default branch.
	AutocloseReferencedIssues *bool `json:"autoclose_referenced_issues"`
	// ExternalAuthorizationClassificationLabel is the label by which an external
	// authorization service decides who has access. Premium.
	ExternalAuthorizationClassificationLabel string `json:"external_authorization_classification_label"`
	// EnforceAuthChecksOnUploads shows the files in descriptions and comments only to users
	// who can see the project. Only in later releases.
	EnforceAuthChecksOnUploads *bool `json:"enforce_auth_checks_on_uploads"`
	// CICDCatalogEnabled lists the project in the catalog of CI/CD components. Only in
	// later releases.
	CICDCatalogEnabled *bool `json:"cicd_catalog_enabled"`

	// Merge requests.

	// MergeMethod is how a merge request is merged.
	MergeMethod MergeMethod `json:"merge_method"`
	// SquashOption says whether the commits of a merge request are squashed.
	SquashOption SquashOption `json:"squash_option"`
	// MergeCommitTemplate and SquashCommitTemplate are templates for the messages
	// of merge and squash commits, "" for the default template.
	MergeCommitTemplate  string `json:"merge_commit_template"`
	SquashCommitTemplate string `json:"squash_commit_template"`
	// SuggestionCommitMessage is a template for the messages of commits that apply
	// suggestions, "" for the default template.
	SuggestionCommitMessage string `json:"suggestion_commit_message"`
	// IssueBranchTemplate is a template for the names of branches that are created
	// from an issue. Since 15.6.
	IssueBranchTemplate string `json:"issue_branch_template"`
	// OnlyAllowMergeIfPipelineSucceeds requires a successful pipeline before a merge.
	OnlyAllowMergeIfPipelineSucceeds *bool `json:"only_allow_merge_if_pipeline_succeeds"`
	// AllowMergeOnSkippedPipeline treats a skipped pipeline as successful.
	AllowMergeOnSkippedPipeline *bool `json:"allow_merge_on_skipped_pipeline"`
	// OnlyAllowMergeIfAllDiscussionsAreResolved requires that all discussions are resolved
	// before a merge.
	OnlyAllowMergeIfAllDiscussionsAreResolved *bool `json:"only_allow_merge_if_all_discussions_are_resolved"`
	// OnlyAllowMergeIfAllStatusChecksPassed requires that all external status checks have
	// passed. Since 15.5. Premium.
	OnlyAllowMergeIfAllStatusChecksPassed *bool `json:"only_allow_merge_if_all_status_checks_passed"`
	// RemoveSourceBranchAfterMerge deletes the source branch when a merge request
	// is merged, unless the merge request says otherwise.
	RemoveSourceBranchAfterMerge *bool `json:"remove_source_branch_after_merge"`
	// ResolveOutdatedDiffDiscussions resolves discussions on lines that a push
	// changes.
	ResolveOutdatedDiffDiscussions *bool `json:"resolve_outdated_diff_discussions"`
	// PrintingMergeRequestLinkEnabled prints a link for opening a merge request
	// after a push.
	PrintingMergeRequestLinkEnabled *bool `json:"printing_merge_request_link_enabled"`
	// ApprovalsBeforeMerge is the number of approvals that a merge request
	// requires. Premium.
	//
	// Deprecated: use approval rules, which replaced it in 16.0; see [ApprovalsService].
	ApprovalsBeforeMerge *int `json:"approvals_before_merge"`
	// MRDefaultTargetSelf makes a fork itself the default target of its merge
	// requests, instead of the project that it was forked from.
	MRDefaultTargetSelf *bool `json:"mr_default_target_self"`
	// MergePipelinesEnabled runs pipelines on the result of a merge. Premium.
	MergePipelinesEnabled *bool `json:"merge_pipelines_enabled"`
	// MergeTrainsEnabled queues merge requests in merge trains. Premium.
	MergeTrainsEnabled *bool `json:"merge_trains_enabled"`
	// IssuesTemplate and MergeRequestsTemplate are the descriptions that new
	// issues and merge requests begin with. Premium.
	IssuesTemplate        string `json:"issues_template"`
	MergeRequestsTemplate string `json:"merge_requests_template"`
	// ProtectMergeRequestPipelines gives pipelines of merge requests between protected
	// branches access to protected variables and runners. Only in later releases.
	ProtectMergeRequestPipelines *bool `json:"protect_merge_request_pipelines"`
	// MergeTrainsSkipTrainAllowed allows a merge without waiting for the merge requests
	// that are ahead in the merge train. Only in later releases.
	MergeTrainsSkipTrainAllowed *bool `json:"merge_trains_skip_train_allowed"`
	// MRDefaultTitleTemplate is a template for the titles of new merge requests. Only in
	// later releases.
	MRDefaultTitleTemplate string `json:"mr_default_title_template"`
	// MergeRequestTitleRegex is a regular expression that the title of a merge request must
	// match. Only in later releases.
	MergeRequestTitleRegex string `json:"merge_request_title_regex"`
	// MergeRequestTitleRegexDescription explains to users what MergeRequestTitleRegex
	// requires. Only in later releases.
	MergeRequestTitleRegexDescription string `json:"merge_request_title_regex_description"`
	// ReviewerAssignmentStrategy names the way in which reviewers are assigned. Only in
	// later releases.
	ReviewerAssignmentStrategy string `json:"reviewer_assignment_strategy"`
	// AutoDuoCodeReviewEnabled has each merge request reviewed automatically. Only in later
	// releases.
	AutoDuoCodeReviewEnabled *bool `json:"auto_duo_code_review_enabled"`
	// PreventMergeWithoutJiraIssue requires that a merge request refers to an issue in
	// Jira. Only in later releases.
	PreventMergeWithoutJiraIssue *bool `json:"prevent_merge_without_jira_issue"`

	// CI/CD.

	// CIConfigPath is the path of the pipeline's configuration, "" for the
	// default.
	CIConfigPath string `json:"ci_config_path"`
	// BuildGitStrategy is how a job gets the repository. Only Maintainers see it.
	BuildGitStrategy GitStrategy `json:"build_git_strategy"`
	// BuildTimeout is the maximum duration of a job in seconds.
	BuildTimeout *int64 `json:"build_timeout"`
	// CIDefaultGitDepth is the number of commits that a job fetches, 0 for all.
	CIDefaultGitDepth *int `json:"ci_default_git_depth"`
	// AutoCancelPendingPipelines cancels pipelines for older commits of a branch.
	AutoCancelPendingPipelines AutoCancelPipelines `json:"auto_cancel_pending_pipelines"`
	// CIForwardDeploymentEnabled prevents jobs from deploying commits that are
	// older than the last deployment.
	CIForwardDeploymentEnabled *bool `json:"ci_forward_deployment_enabled"`
	// CIForwardDeploymentRollbackAllowed allows retries of such jobs in order to roll back.
	// Only in later releases.
	CIForwardDeploymentRollbackAllowed *bool `json:"ci_forward_deployment_rollback_allowed"`
	// CIAllowForkPipelinesToRunInParentProject allows the pipelines of merge requests from
	// forks to run in this project. Since 15.3.
	CIAllowForkPipelinesToRunInParentProject *bool `json:"ci_allow_fork_pipelines_to_run_in_parent_project"`
	// CISeparatedCaches separates the caches of protected and other branches.
	CISeparatedCaches *bool `json:"ci_separated_caches"`
	// CIRestrictPipelineCancellationRole is the role that may cancel pipelines and jobs.
	// Since 16.8. Premium.
	CIRestrictPipelineCancellationRole string `json:"ci_restrict_pipeline_cancellation_role"`
	// CIPipelineVariablesMinimumOverrideRole is the lowest role that may set variables when
	// it starts a pipeline. Since 17.1.
	CIPipelineVariablesMinimumOverrideRole PipelineVariablesRole `json:"ci_pipeline_variables_minimum_override_role"`
	// CIPushRepositoryForJobTokenAllowed lets jobs push with their token. Since 17.2.
	CIPushRepositoryForJobTokenAllowed *bool `json:"ci_push_repository_for_job_token_allowed"`
	// CIDeletePipelinesInSeconds is the age in seconds at which pipelines are deleted. Only
	// in later releases.
	CIDeletePipelinesInSeconds *int64 `json:"ci_delete_pipelines_in_seconds"`
	// MaxArtifactsSize limits the size of the artifacts of a job, in megabytes. Only in
	// later releases.
	MaxArtifactsSize *int64 `json:"max_artifacts_size"`
	// KeepLatestArtifact keeps the artifacts of the last successful pipeline of
	// each branch past their expiry.
	KeepLatestArtifact *bool `json:"keep_latest_artifact"`
	// RestrictUserDefinedVariables allows only Maintainers to set variables when
	// they start a pipeline.
	RestrictUserDefinedVariables *bool `json:"restrict_user_defined_variables"`
	// PublicJobs reports whether everyone who can see the project can read its jobs. The
	// setting is also called PublicBuilds.
	PublicJobs *bool `json:"public_jobs"`
	// SharedRunnersEnabled lets the runners of the instance take jobs of the
	// project.
	SharedRunnersEnabled *bool `json:"shared_runners_enabled"`
	// GroupRunnersEnabled lets the runners of groups take jobs of the project. Only in
	// later releases.
	GroupRunnersEnabled *bool `json:"group_runners_enabled"`
	// AutoDevOpsEnabled runs a predefined pipeline if the project has no CI/CD
	// configuration.
	AutoDevOpsEnabled *bool `json:"auto_devops_enabled"`
	// AutoDevOpsDeployStrategy is how the predefined pipeline deploys.
	AutoDevOpsDeployStrategy AutoDevOpsStrategy `json:"auto_devops_deploy_strategy"`
	// ResourceGroupDefaultProcessMode is the order in which jobs get a resource group. Only
	// in later releases.
	ResourceGroupDefaultProcessMode ResourceGroupProcessMode `json:"resource_group_default_process_mode"`
	// AllowPipelineTriggerApproveDeployment lets the user who started a pipeline approve
	// its deployments. Only in later releases.
	AllowPipelineTriggerApproveDeployment *bool `json:"allow_pipeline_trigger_approve_deployment"`
	// CIDisplayPipelineVariables shows the variables that a pipeline was started with. Only
	// in later releases.
	CIDisplayPipelineVariables *bool `json:"ci_display_pipeline_variables"`
	// CIIDTokenSubClaimComponents are the parts of the claim "sub" in the ID tokens of
	// jobs, such as "project_path". Only in later releases.
	CIIDTokenSubClaimComponents []string `json:"ci_id_token_sub_claim_components"`

	// Access to the parts of the project.

	// The access levels say who may use a part of the project.
	AnalyticsAccessLevel FeatureAccessLevel `json:"analytics_access_level"`
	BuildsAccessLevel    FeatureAccessLevel `json:"builds_access_level"`
	// ContainerRegistryAccessLevel says who may use the container registry. See
	// [RegistryService.SetAccessLevel].
	ContainerRegistryAccessLevel FeatureAccessLevel `json:"container_registry_access_level"`
	ForkingAccessLevel           FeatureAccessLevel `json:"forking_access_level"`
	IssuesAccessLevel            FeatureAccessLevel `json:"issues_access_level"`
	MergeRequestsAccessLevel     FeatureAccessLevel `json:"merge_requests_access_level"`
	// OperationsAccessLevel was removed in 16.0. Environments, FeatureFlags,
	// Infrastructure and Monitor replace it.
	OperationsAccessLevel FeatureAccessLevel `json:"operations_access_level"`
	// PagesAccessLevel can also be [FeatureAccessLevelPublic].
	PagesAccessLevel                 FeatureAccessLevel `json:"pages_access_level"`
	RepositoryAccessLevel            FeatureAccessLevel `json:"repository_access_level"`
	RequirementsAccessLevel          FeatureAccessLevel `json:"requirements_access_level"`
	SecurityAndComplianceAccessLevel FeatureAccessLevel `json:"security_and_compliance_access_level"`
	SnippetsAccessLevel              FeatureAccessLevel `json:"snippets_access_level"`
	WikiAccessLevel                  FeatureAccessLevel `json:"wiki_access_level"`
	// Releases, Environments, FeatureFlags, Infrastructure and Monitor were added in 15.x.
	ReleasesAccessLevel       FeatureAccessLevel `json:"releases_access_level"`
	EnvironmentsAccessLevel   FeatureAccessLevel `json:"environments_access_level"`
	FeatureFlagsAccessLevel   FeatureAccessLevel `json:"feature_flags_access_level"`
	InfrastructureAccessLevel FeatureAccessLevel `json:"infrastructure_access_level"`
	MonitorAccessLevel        FeatureAccessLevel `json:"monitor_access_level"`
	// PackageRegistryAccessLevel can also be [FeatureAccessLevelPublic]. Only in later
	// releases.
	PackageRegistryAccessLevel FeatureAccessLevel `json:"package_registry_access_level"`
	// ModelExperiments and ModelRegistry were added in 16.7.
	ModelExperimentsAccessLevel FeatureAccessLevel `json:"model_experiments_access_level"`
	ModelRegistryAccessLevel    FeatureAccessLevel `json:"model_registry_access_level"`

	// Mirroring.

	// Mirror makes the project copy the repository at ImportURL periodically.
	// Premium.
	Mirror *bool `json:"mirror"`
	// MirrorTriggerBuilds runs pipelines for the changes that are copied. Premium.
	MirrorTriggerBuilds *bool `json:"mirror_trigger_builds"`
	// OnlyMirrorProtectedBranches copies only protected branches. Premium.
	OnlyMirrorProtectedBranches *bool `json:"only_mirror_protected_branches"`
	// MirrorOverwritesDivergedBranches overwrites branches that have changed in
	// this project. Premium.
	MirrorOverwritesDivergedBranches *bool `json:"mirror_overwrites_diverged_branches"`
	// MirrorUserID is the ID of the user to whom the copied changes are attributed.
	// Premium.
	MirrorUserID *int64 `json:"mirror_user_id"`
	// MirrorBranchRegex is a regular expression that the names of copied branches match.
	// Only in later releases. Premium.
	MirrorBranchRegex string `json:"mirror_branch_regex"`

	// Other settings that the service shows.

	// BuildCoverageRegex is a regular expression that finds the coverage in the log of a
	// job.
	BuildCoverageRegex string `json:"build_coverage_regex"`
	// RunnerTokenExpirationInterval is the lifetime of the tokens of new runners
	// in seconds, nil for no limit.
	RunnerTokenExpirationInterval *int64 `json:"runner_token_expiration_interval"`
	// CIJobTokenScopeEnabled reports whether job tokens of the project give access
	// only to selected projects.
	CIJobTokenScopeEnabled *bool `json:"ci_job_token_scope_enabled"`
	// ContainerExpirationPolicy is nil if the service does not show it.
	ContainerExpirationPolicy *ContainerExpirationPolicy `json:"container_expiration_policy"`
	// The following fields are the older form of the access levels.
	IssuesEnabled                *bool `json:"issues_enabled"`
	MergeRequestsEnabled         *bool `json:"merge_requests_enabled"`
	WikiEnabled                  *bool `json:"wiki_enabled"`
	JobsEnabled                  *bool `json:"jobs_enabled"`
	SnippetsEnabled              *bool `json:"snippets_enabled"`
	ContainerRegistryEnabled     *bool `json:"container_registry_enabled"`
	RequirementsEnabled          *bool `json:"requirements_enabled"`
	SecurityAndComplianceEnabled *bool `json:"security_and_compliance_enabled"`
	// SecretPushProtectionEnabled refuses pushes that contain credentials. Only in later
	// releases.
	SecretPushProtectionEnabled *bool `json:"secret_push_protection_enabled"`
	// WarnAboutPotentiallyUnwantedCharacters marks characters in the code that could
	// mislead a reader. Only in later releases.
	WarnAboutPotentiallyUnwantedCharacters *bool `json:"warn_about_potentially_unwanted_characters"`
	// PreReceiveSecretDetectionEnabled is the same as SecretPushProtectionEnabled.
	//
	// Deprecated: use SecretPushProtectionEnabled.
	PreReceiveSecretDetectionEnabled *bool `json:"pre_receive_secret_detection_enabled"`
	// ShowDiffPreviewInEmail shows the lines that a comment is about in the email about it.
	// Since 18.4.
	ShowDiffPreviewInEmail *bool `json:"show_diff_preview_in_email"`
	// SPPRepositoryPipelineAccess lets the pipelines of the projects that this project has
	// security policies for read them. Ultimate. Only in later releases.
	SPPRepositoryPipelineAccess *bool `json:"spp_repository_pipeline_access"`
	// DuoRemoteFlowsEnabled lets agents work in the project's pipelines. Since 18.4.
	// DuoFoundationalFlowsEnabled lets them do what the service brings. Only in later
	// releases. Both are nil while agents are off.
	DuoRemoteFlowsEnabled       *bool `json:"duo_remote_flows_enabled"`
	DuoFoundationalFlowsEnabled *bool `json:"duo_foundational_flows_enabled"`
	// DuoSASTFPDetectionEnabled finds false reports of static analysis, and
	// DuoSASTVRWorkflowEnabled proposes fixes. Ultimate. Only in later releases, behind feature
	// flags.
	DuoSASTFPDetectionEnabled *bool `json:"duo_sast_fp_detection_enabled"`
	DuoSASTVRWorkflowEnabled  *bool `json:"duo_sast_vr_workflow_enabled"`
	// WebBasedCommitSigningEnabled signs the commits that users make on the web. Only
	// administrators of the project see it. Since 18.2. Hosted service only.
	WebBasedCommitSigningEnabled *bool `json:"web_based_commit_signing_enabled"`
	// Public reports whether Visibility is VisibilityPublic. Only releases
	// before 15.2 send it.
	//
	// Deprecated: use Visibility.
	Public *bool `json:"public"`
}

// Ref identifies the project by its ID, which stays the same if it moves.
func (p *Project) Ref() ProjectRef { return ProjectID(orZero(p).ID) }

// ProjectLicense is the license that the service found in a repository.
type ProjectLicense struct {
	// Key is the identifier, such as "mit".
	Key     string `json:"key"`
	Name    string `json:"name"`
	HTMLURL string `json:"html_url"`
	// Nickname and SourceURL are empty if the license has none.
	Nickname  string `json:"nickname"`
	SourceURL string `json:"source_url"`
}

// SharedGroup is a group that a project or a group was shared with.
type SharedGroup struct {
	GroupID          int64       `json:"group_id"`
	GroupName        string      `json:"group_name"`
	GroupFullPath    string      `json:"group_full_path"`
	GroupAccessLevel AccessLevel `json:"group_access_level"`
	// ExpiresAt is the first day without the access, nil if it does not end.
	ExpiresAt *Date `json:"expires_at"`
	// MemberRoleID is the ID of a custom role that the members of the group get, nil if
	// there is none. Only in a [Group], and only in later releases.
	MemberRoleID *int64 `json:"member_role_id"`
}

// ProjectPermissions are the caller's roles in a project. Both are nil for a
// caller who is not a member; the higher one counts.
type ProjectPermissions struct {
	// ProjectAccess is the caller's role as a member of the project, nil for others.
	ProjectAccess *ProjectPermission `json:"project_access"`
	// GroupAccess is the caller's role as a member of the group, nil for others.
	GroupAccess *ProjectPermission `json:"group_access"`
}

// ProjectPermission is a role in a project.
type ProjectPermission struct {
	AccessLevel AccessLevel `json:"access_level"`
	// NotificationLevel is an undocumented number.
	NotificationLevel int `json:"notification_level"`
}

// ProjectStatistics are the sizes of a project or a group in bytes.
type ProjectStatistics struct {
	// CommitCount is the number of commits. It is 0 for a group.
	CommitCount int `json:"commit_count"`
	// StorageSize is the sum of the other sizes.
	StorageSize           int64 `json:"storage_size"`
	RepositorySize        int64 `json:"repository_size"`
	WikiSize              int64 `json:"wiki_size"`
	LFSObjectsSize        int64 `json:"lfs_objects_size"`
	JobArtifactsSize      int64 `json:"job_artifacts_size"`
	PipelineArtifactsSize int64 `json:"pipeline_artifacts_size"`
	PackagesSize          int64 `json:"packages_size"`
	SnippetsSize          int64 `json:"snippets_size"`
	UploadsSize           int64 `json:"uploads_size"`
	ContainerRegistrySize int64 `json:"container_registry_size"`
}

// ProjectLinks are addresses in the API.
type ProjectLinks struct {
	Self string `json:"self"`
	// Issues and MergeRequests are "" if they are disabled.
	Issues        string `json:"issues"`
	MergeRequests string `json:"merge_requests"`
	RepoBranches  string `json:"repo_branches"`
	Labels        string `json:"labels"`
	Events        string `json:"events"`
	Members       string `json:"members"`
	// ClusterAgents is set since 15.0.
	ClusterAgents string `json:"cluster_agents"`
}

// ProjectShare is the result of [ProjectsService.Share].
type ProjectShare struct {
	ID          int64       `json:"id"`
	ProjectID   int64       `json:"project_id"`
	GroupID     int64       `json:"group_id"`
	GroupAccess AccessLevel `json:"group_access"`
	// ExpiresAt is the first day without the access, nil if it does not end.
	ExpiresAt *Date `json:"expires_at"`
	// MemberRoleID is the ID of the custom role that the members get, nil if there is none.
	// Ultimate. Only in later releases.
	MemberRoleID *int64 `json:"member_role_id"`
}

// Visibility says who can see a project, a group or a snippet.
type Visibility string

// Visibilities. VisibilityPrivate is for members, which for a snippet are those
// of its project, VisibilityInternal for all signed-in users except external
// ones, and VisibilityPublic for everyone.
const (
	VisibilityPrivate  Visibility = "private"
	VisibilityInternal Visibility = "internal"
	VisibilityPublic   Visibility = "public"
)

// FeatureAccessLevel says who may use a part of a project, such as its
// container registry.
type FeatureAccessLevel string

// Access levels of a part of a project. FeatureAccessLevelEnabled is for
// everyone who may see the project, FeatureAccessLevelPrivate only for its
// members, and FeatureAccessLevelDisabled for no one. FeatureAccessLevelPublic
// is for everyone; only a few parts can have it.
const (
	FeatureAccessLevelDisabled FeatureAccessLevel = "disabled"
	FeatureAccessLevelPrivate  FeatureAccessLevel = "private"
	FeatureAccessLevelEnabled  FeatureAccessLevel = "enabled"
	FeatureAccessLevelPublic   FeatureAccessLevel = "public"
)

// MergeMethod is how the merge requests of a project are merged.
type MergeMethod string

// Merge methods. MergeMethodMerge always creates a merge commit,
// MergeMethodRebaseMerge creates one after a fast-forward check, and
// MergeMethodFastForward creates none.
const (
	MergeMethodMerge       MergeMethod = "merge"
	MergeMethodRebaseMerge MergeMethod = "rebase_merge"
	MergeMethodFastForward MergeMethod = "ff"
)

// SquashOption says whether the commits of a merge request are squashed.
type SquashOption string

// Rules for squashing. With SquashOptionDefaultOn and SquashOptionDefaultOff,
// the author of the merge request decides.
const (
	SquashOptionNever      SquashOption = "never"
	SquashOptionAlways     SquashOption = "always"
	SquashOptionDefaultOn  SquashOption = "default_on"
	SquashOptionDefaultOff SquashOption = "default_off"
)

// GitStrategy is how a job gets the repository.
type GitStrategy string

// Git strategies. GitStrategyFetch reuses the working copy of an earlier job.
const (
	GitStrategyFetch GitStrategy = "fetch"
	GitStrategyClone GitStrategy = "clone"
)

// AutoCancelPipelines says whether pipelines for older commits of a branch are
// canceled.
type AutoCancelPipelines string

// Values of [AutoCancelPipelines].
const (
	AutoCancelPipelinesEnabled  AutoCancelPipelines = "enabled"
	AutoCancelPipelinesDisabled AutoCancelPipelines = "disabled"
)

// AutoDevOpsStrategy is how a predefined pipeline deploys.
type AutoDevOpsStrategy string

// Deployment strategies.
const (
	AutoDevOpsStrategyContinuous       AutoDevOpsStrategy = "continuous"
	AutoDevOpsStrategyManual           AutoDevOpsStrategy = "manual"
	AutoDevOpsStrategyTimedIncremental AutoDevOpsStrategy = "timed_incremental"
)

// PipelineVariablesRole is the lowest role that may set variables when it
// starts a pipeline.
type PipelineVariablesRole string

// Roles that may set pipeline variables.
const (
	PipelineVariablesRoleOwner      PipelineVariablesRole = "owner"
	PipelineVariablesRoleMaintainer PipelineVariablesRole = "maintainer"
	PipelineVariablesRoleDeveloper  PipelineVariablesRole = "developer"
	PipelineVariablesRoleNobody     PipelineVariablesRole = "no_one_allowed"
)

// ResourceGroupProcessMode is the order in which jobs get a resource group, which
// only one job has at a time.
type ResourceGroupProcessMode string

// Orders in which jobs get a resource group. ResourceGroupProcessModeNewestReadyFirst
// passes over jobs whose dependencies have not finished.
const (
	ResourceGroupProcessModeUnordered        ResourceGroupProcessMode = "unordered"
	ResourceGroupProcessModeOldestFirst      ResourceGroupProcessMode = "oldest_first"
	ResourceGroupProcessModeNewestFirst      ResourceGroupProcessMode = "newest_first"
	ResourceGroupProcessModeNewestReadyFirst ResourceGroupProcessMode = "newest_ready_first"
)

// ObjectFormat is the hash function that a repository uses.
type ObjectFormat string

// Hash functions of repositories.
const (
	ObjectFormatSHA1   ObjectFormat = "sha1"
	ObjectFormatSHA256 ObjectFormat = "sha256"
)

// ProjectSummary is the short form of a project in other objects.
type ProjectSummary struct {
	ID int64 `json:"id"`
	// Description is empty if the project has none.
	Description       string `json:"description"`
	Name              string `json:"name"`
	NameWithNamespace string `json:"name_with_namespace"`
	Path              string `json:"path"`
	PathWithNamespace string `json:"path_with_namespace"`
	// CreatedAt is nil for the project of a job except in the list of a runner's jobs, and in
	// newer releases for that of a job's token.
	CreatedAt *time.Time `json:"created_at"`
}

// Ref identifies the project by its ID, which stays the same if it moves.
func (p *ProjectSummary) Ref() ProjectRef { return ProjectID(orZero(p).ID) }
