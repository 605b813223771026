package serviceapi

import (
	"cmp"
)

// CreateProjectOptions describes a new project. Name or Path is required; the service
// derives the missing one from the other. Nil fields have their default value.
type CreateProjectOptions struct {
	// Name is the display name, such as "The Shop".
	Name string `json:"name,omitzero"`
	// Path is the last element of the project's path, such as "shop".
	Path string `json:"path,omitzero"`
	// Namespace is the group, or the user's namespace, to create the project in.
	// The service accepts only a [NamespaceID] here: [NamespacesService.All] finds
	// the ID of a path. The zero NamespaceRef means the caller's own namespace.
	Namespace NamespaceRef `json:"namespace_id,omitzero"`

	// General.

	// Description is shown on the page of the project.
	Description *string `json:"description,omitzero"`
	// Visibility says who can see the project. The default is that of the
	// instance.
	Visibility *Visibility `json:"visibility,omitzero"`
	// DefaultBranch is the branch that is used if none is specified. It has an
	// effect only with InitializeWithReadme.
	DefaultBranch *string `json:"default_branch,omitzero"`
	// Topics are keywords by which the project can be found.
	Topics []string `json:"topics,omitzero"`
	// InitializeWithReadme creates a first commit with a README file, so that the
	// repository has a branch. Nil means false.
	InitializeWithReadme *bool `json:"initialize_with_readme,omitzero"`
	// RepositoryObjectFormat is the hash function of the repository. The default is
	// [ObjectFormatSHA1]. Since 16.9.
	RepositoryObjectFormat *ObjectFormat `json:"repository_object_format,omitzero"`
	// ImportURL is the repository to copy the content from. It is a Secret because
	// it may contain a password.
	ImportURL Secret `json:"import_url,omitzero"`
	// TemplateName is the template to start from: a built-in one or, with
	// UseCustomTemplate, one of the caller or of a group.
	TemplateName *string `json:"template_name,omitzero"`
	// UseCustomTemplate makes TemplateName or TemplateProjectID refer to a custom
	// template. Nil means false. Premium.
	UseCustomTemplate *bool `json:"use_custom_template,omitzero"`
	// TemplateProjectID is the project to use as a template, with
	// UseCustomTemplate. Premium.
	TemplateProjectID *int64 `json:"template_project_id,omitzero"`
	// GroupWithProjectTemplatesID is the ID of the group whose projects are the
	// templates, with UseCustomTemplate. Premium.
	GroupWithProjectTemplatesID *int64 `json:"group_with_project_templates_id,omitzero"`
	// EmailsDisabled turns off email notifications.
	//
	// Deprecated: use EmailsEnabled if the service supports it.
	EmailsDisabled *bool `json:"emails_disabled,omitzero"`
	// EmailsEnabled turns email notifications on or off. Only in later releases.
	EmailsEnabled *bool `json:"emails_enabled,omitzero"`
	// LFSEnabled allows large files to be kept outside the repository, with Git
	// LFS.
	LFSEnabled *bool `json:"lfs_enabled,omitzero"`
	// RequestAccessEnabled allows users to ask for membership.
	RequestAccessEnabled *bool `json:"request_access_enabled,omitzero"`
	// ShowDefaultAwardEmojis shows the default reactions on issues and merge
	// requests.
	ShowDefaultAwardEmojis *bool `json:"show_default_award_emojis,omitzero"`
	// PackagesEnabled turns the package registry on or off. Later releases have
	// PackageRegistryAccessLevel instead.
	PackagesEnabled *bool `json:"packages_enabled,omitzero"`
	// AutocloseReferencedIssues closes the issues that a merge request says it closes when
	// it is merged into the default branch.
	AutocloseReferencedIssues *bool `json:"autoclose_referenced_issues,omitzero"`
	// RepositoryStorage is the name of the storage that holds the repository.
	// Administrators only.
	RepositoryStorage *string `json:"repository_storage,omitzero"`
	// ExternalAuthorizationClassificationLabel is the label by which an external
	// authorization service decides who has access. Premium.
	ExternalAuthorizationClassificationLabel *string `json:"external_authorization_classification_label,omitzero"`
	// EnforceAuthChecksOnUploads shows the files in descriptions and comments only to users
	// who can see the project. Only in later releases.
	EnforceAuthChecksOnUploads *bool `json:"enforce_auth_checks_on_uploads,omitzero"`
	// CICDCatalogEnabled lists the project in the catalog of CI/CD components. Only in
	// later releases.
	CICDCatalogEnabled *bool `json:"cicd_catalog_enabled,omitzero"`
	// ServiceDeskEnabled lets people report issues by email. Only in later releases.
	ServiceDeskEnabled *bool `json:"service_desk_enabled,omitzero"`
	// ShowDiffPreviewInEmail shows the lines that a comment is about in the email about it.
	// Since 18.4.
	ShowDiffPreviewInEmail *bool `json:"show_diff_preview_in_email,omitzero"`
	// WarnAboutPotentiallyUnwantedCharacters marks characters in the code that could mislead a
	// reader. Only in later releases.
	WarnAboutPotentiallyUnwantedCharacters *bool `json:"warn_about_potentially_unwanted_characters,omitzero"`
	// SPPRepositoryPipelineAccess lets the pipelines of the projects that this project has
	// security policies for read them. Ultimate. Only in later releases.
	SPPRepositoryPipelineAccess *bool `json:"spp_repository_pipeline_access,omitzero"`
	// DuoRemoteFlowsEnabled lets agents work in the project's pipelines. Since 18.4. Paid. It
	// has no effect without the license.
	DuoRemoteFlowsEnabled *bool `json:"duo_remote_flows_enabled,omitzero"`
	// DuoSASTFPDetectionEnabled finds false reports of static analysis, and
	// DuoSASTVRWorkflowEnabled proposes fixes. Ultimate. Only in later releases, behind feature
	// flags that are off by default.
	DuoSASTFPDetectionEnabled *bool `json:"duo_sast_fp_detection_enabled,omitzero"`
	DuoSASTVRWorkflowEnabled  *bool `json:"duo_sast_vr_workflow_enabled,omitzero"`
	// Avatar is a picture. With it, the call is sent as multipart/form-data instead of
	// JSON.
	Avatar *Upload `json:"-" url:"avatar"`

	// Merge requests.

	// MergeMethod is how a merge request is merged. The default is
	// [MergeMethodMerge].
	MergeMethod *MergeMethod `json:"merge_method,omitzero"`
	// SquashOption says whether the commits of a merge request are squashed.
	SquashOption *SquashOption `json:"squash_option,omitzero"`
	// MergeCommitTemplate and SquashCommitTemplate are templates for the messages
	// of merge and squash commits. An empty string means the default template.
	MergeCommitTemplate  *string `json:"merge_commit_template,omitzero"`
	SquashCommitTemplate *string `json:"squash_commit_template,omitzero"`
	// SuggestionCommitMessage is a template for the messages of commits that apply
	// suggestions. An empty string means the default template.
	SuggestionCommitMessage *string `json:"suggestion_commit_message,omitzero"`
	// IssueBranchTemplate is a template for the names of branches that are created
	// from an issue. Since 15.6.
	IssueBranchTemplate *string `json:"issue_branch_template,omitzero"`
	// OnlyAllowMergeIfPipelineSucceeds requires a successful pipeline before a merge.
	OnlyAllowMergeIfPipelineSucceeds *bool `json:"only_allow_merge_if_pipeline_succeeds,omitzero"`
	// AllowMergeOnSkippedPipeline treats a skipped pipeline as successful.
	AllowMergeOnSkippedPipeline *bool `json:"allow_merge_on_skipped_pipeline,omitzero"`
	// OnlyAllowMergeIfAllDiscussionsAreResolved requires that all discussions are resolved
	// before a merge.
	OnlyAllowMergeIfAllDiscussionsAreResolved *bool `json:"only_allow_merge_if_all_discussions_are_resolved,omitzero"`
	// OnlyAllowMergeIfAllStatusChecksPassed requires that all external status checks have
	// passed. Since 15.5. Premium.
	OnlyAllowMergeIfAllStatusChecksPassed *bool `json:"only_allow_merge_if_all_status_checks_passed,omitzero"`
	// RemoveSourceBranchAfterMerge deletes the source branch when a merge request
	// is merged, unless the merge request says otherwise.
	RemoveSourceBranchAfterMerge *bool `json:"remove_source_branch_after_merge,omitzero"`
	// ResolveOutdatedDiffDiscussions resolves discussions on lines that a push
	// changes.
	ResolveOutdatedDiffDiscussions *bool `json:"resolve_outdated_diff_discussions,omitzero"`
	// PrintingMergeRequestLinkEnabled prints a link for opening a merge request
	// after a push.
	PrintingMergeRequestLinkEnabled *bool `json:"printing_merge_request_link_enabled,omitzero"`
	// ApprovalsBeforeMerge is the number of approvals that a merge request
	// requires. Premium.
	//
	// Deprecated: use approval rules, which replaced it in 16.0; see [ApprovalsService].
	ApprovalsBeforeMerge *int `json:"approvals_before_merge,omitzero"`
	// MRDefaultTargetSelf makes a fork itself the default target of its merge
	// requests, instead of the project that it was forked from. Only in later releases.
	MRDefaultTargetSelf *bool `json:"mr_default_target_self,omitzero"`
	// AutoDuoCodeReviewEnabled has each merge request reviewed automatically. Since 18.0. Paid.
	// It has no effect without the license.
	AutoDuoCodeReviewEnabled *bool `json:"auto_duo_code_review_enabled,omitzero"`
	// PreventMergeWithoutJiraIssue requires that a merge request refers to an issue in
	// Jira. Since 16.7. Paid. It has no effect without the license.
	PreventMergeWithoutJiraIssue *bool `json:"prevent_merge_without_jira_issue,omitzero"`
	// ProtectMergeRequestPipelines gives pipelines of merge requests between protected
	// branches access to protected variables and runners. Only in later releases.
	ProtectMergeRequestPipelines *bool `json:"protect_merge_request_pipelines,omitzero"`
	// MergeTrainsSkipTrainAllowed allows a merge without waiting for the merge requests
	// that are ahead in the merge train. Only in later releases.
	MergeTrainsSkipTrainAllowed *bool `json:"merge_trains_skip_train_allowed,omitzero"`
	// MRDefaultTitleTemplate is a template for the titles of new merge requests. Only in
	// later releases.
	MRDefaultTitleTemplate *string `json:"mr_default_title_template,omitzero"`
	// MergeRequestTitleRegex is a regular expression that the title of a merge request must
	// match. Only in later releases.
	MergeRequestTitleRegex *string `json:"merge_request_title_regex,omitzero"`
	// MergeRequestTitleRegexDescription explains to users what MergeRequestTitleRegex
	// requires. Only in later releases.
	MergeRequestTitleRegexDescription *string `json:"merge_request_title_regex_description,omitzero"`
	// ReviewerAssignmentStrategy names the way in which reviewers are assigned. Only in
	// later releases.
	ReviewerAssignmentStrategy *string `json:"reviewer_assignment_strategy,omitzero"`

	// CI/CD.

	// CIConfigPath is the path of the pipeline's configuration. An empty string
	// means the default.
	CIConfigPath *string `json:"ci_config_path,omitzero"`
	// BuildGitStrategy is how a job gets the repository.
	BuildGitStrategy *GitStrategy `json:"build_git_strategy,omitzero"`
	// BuildTimeout is the maximum duration of a job in seconds.
	BuildTimeout *int64 `json:"build_timeout,omitzero"`
	// AutoCancelPendingPipelines cancels pipelines for older commits of a branch.
	AutoCancelPendingPipelines *AutoCancelPipelines `json:"auto_cancel_pending_pipelines,omitzero"`
	// CIForwardDeploymentRollbackAllowed allows retries of jobs that deployed an older
	// commit, in order to roll back. Only in later releases.
	CIForwardDeploymentRollbackAllowed *bool `json:"ci_forward_deployment_rollback_allowed,omitzero"`
	// CIAllowForkPipelinesToRunInParentProject allows the pipelines of merge requests from
	// forks to run in this project. Since 15.3.
	CIAllowForkPipelinesToRunInParentProject *bool `json:"ci_allow_fork_pipelines_to_run_in_parent_project,omitzero"`
	// CIRestrictPipelineCancellationRole is the role that may cancel pipelines and jobs.
	// Since 16.8. Premium.
	CIRestrictPipelineCancellationRole *string `json:"ci_restrict_pipeline_cancellation_role,omitzero"`
	// CIPipelineVariablesMinimumOverrideRole is the lowest role that may set variables when
	// it starts a pipeline. Since 17.1.
	CIPipelineVariablesMinimumOverrideRole *PipelineVariablesRole `json:"ci_pipeline_variables_minimum_override_role,omitzero"`
	// CIPushRepositoryForJobTokenAllowed lets jobs push with their token. Since 17.2.
	CIPushRepositoryForJobTokenAllowed *bool `json:"ci_push_repository_for_job_token_allowed,omitzero"`
	// CIDeletePipelinesInSeconds is the age in seconds at which pipelines are deleted. Only
	// in later releases.
	CIDeletePipelinesInSeconds *int64 `json:"ci_delete_pipelines_in_seconds,omitzero"`
	// MaxArtifactsSize limits the size of the artifacts of a job, in megabytes. Only in
	// later releases.
	MaxArtifactsSize *int64 `json:"max_artifacts_size,omitzero"`
	// PublicBuilds lets everyone who can see the project read its jobs. Later
	// releases call it PublicJobs.
	PublicBuilds *bool `json:"public_builds,omitzero"`
	// PublicJobs is the name of PublicBuilds in later releases.
	PublicJobs *bool `json:"public_jobs,omitzero"`
	// SharedRunnersEnabled lets the runners of the instance take jobs of the
	// project.
	SharedRunnersEnabled *bool `json:"shared_runners_enabled,omitzero"`
	// GroupRunnersEnabled lets the runners of groups take jobs of the project. Only in
	// later releases.
	GroupRunnersEnabled *bool `json:"group_runners_enabled,omitzero"`
	// AutoDevOpsEnabled runs a predefined pipeline if the project has no CI/CD
	// configuration.
	AutoDevOpsEnabled *bool `json:"auto_devops_enabled,omitzero"`
	// AutoDevOpsDeployStrategy is how the predefined pipeline deploys.
	AutoDevOpsDeployStrategy *AutoDevOpsStrategy `json:"auto_devops_deploy_strategy,omitzero"`
	// BuildCoverageRegex is a regular expression that finds the coverage in the log of a
	// job.
	BuildCoverageRegex *string `json:"build_coverage_regex,omitzero"`
	// ResourceGroupDefaultProcessMode is the order in which jobs get a resource group. Only
	// in later releases.
	ResourceGroupDefaultProcessMode *ResourceGroupProcessMode `json:"resource_group_default_process_mode,omitzero"`

	// Access to the parts of the project.

	// The access levels say who may use a part of the project.
	AnalyticsAccessLevel *FeatureAccessLevel `json:"analytics_access_level,omitzero"`
	BuildsAccessLevel    *FeatureAccessLevel `json:"builds_access_level,omitzero"`
	// [RegistryService.SetAccessLevel] also sets ContainerRegistryAccessLevel.
	ContainerRegistryAccessLevel *FeatureAccessLevel `json:"container_registry_access_level,omitzero"`
	ForkingAccessLevel           *FeatureAccessLevel `json:"forking_access_level,omitzero"`
	IssuesAccessLevel            *FeatureAccessLevel `json:"issues_access_level,omitzero"`
	MergeRequestsAccessLevel     *FeatureAccessLevel `json:"merge_requests_access_level,omitzero"`
	// OperationsAccessLevel was removed in 16.0. Environments, FeatureFlags,
	// Infrastructure and Monitor replace it.
	OperationsAccessLevel *FeatureAccessLevel `json:"operations_access_level,omitzero"`
	// PagesAccessLevel can also be [FeatureAccessLevelPublic].
	PagesAccessLevel                 *FeatureAccessLevel `json:"pages_access_level,omitzero"`
	RepositoryAccessLevel            *FeatureAccessLevel `json:"repository_access_level,omitzero"`
	RequirementsAccessLevel          *FeatureAccessLevel `json:"requirements_access_level,omitzero"`
	SecurityAndComplianceAccessLevel *FeatureAccessLevel `json:"security_and_compliance_access_level,omitzero"`
	SnippetsAccessLevel              *FeatureAccessLevel `json:"snippets_access_level,omitzero"`
	WikiAccessLevel                  *FeatureAccessLevel `json:"wiki_access_level,omitzero"`
	// Releases, Environments, FeatureFlags, Infrastructure and Monitor were added in 15.x.
	ReleasesAccessLevel       *FeatureAccessLevel `json:"releases_access_level,omitzero"`
	EnvironmentsAccessLevel   *FeatureAccessLevel `json:"environments_access_level,omitzero"`
	FeatureFlagsAccessLevel   *FeatureAccessLevel `json:"feature_flags_access_level,omitzero"`
	InfrastructureAccessLevel *FeatureAccessLevel `json:"infrastructure_access_level,omitzero"`
	MonitorAccessLevel        *FeatureAccessLevel `json:"monitor_access_level,omitzero"`
	// PackageRegistryAccessLevel can also be [FeatureAccessLevelPublic]. Only in later
	// releases.
	PackageRegistryAccessLevel *FeatureAccessLevel `json:"package_registry_access_level,omitzero"`
	// ModelExperiments and ModelRegistry were added in 16.7.
	ModelExperimentsAccessLevel *FeatureAccessLevel `json:"model_experiments_access_level,omitzero"`
	ModelRegistryAccessLevel    *FeatureAccessLevel `json:"model_registry_access_level,omitzero"`
	// ContainerExpirationPolicy is the policy by which the service removes tags
	// from the container registry.
	ContainerExpirationPolicy *ContainerExpirationPolicyOptions `json:"container_expiration_policy_attributes,omitzero"`

	// Mirroring.

	// Mirror makes the project copy the repository at ImportURL periodically.
	// Premium.
	Mirror *bool `json:"mirror,omitzero"`
	// MirrorTriggerBuilds runs pipelines for the changes that are copied. Premium.
	MirrorTriggerBuilds *bool `json:"mirror_trigger_builds,omitzero"`
}

func (o CreateProjectOptions) check() error {
	return cmp.Or(o.Namespace.check(), onlyID(o.Namespace).check())
}

// ContainerExpirationPolicyOptions is the policy by which the service removes
// tags from the container registry of a project. Fields that are nil or absent
// are left unchanged.
type ContainerExpirationPolicyOptions struct {
	// Enabled turns the policy on or off.
	Enabled *bool `json:"enabled,omitzero"`
	// Cadence is the time between two runs, such as "1d", "7d" or "1month".
	Cadence *string `json:"cadence,omitzero"`
	// OlderThan removes only tags that are older, such as "90d". Null means tags
	// of any age.
	OlderThan Nullable[string] `json:"older_than,omitzero"`
	// KeepN is the number of tags of each image that are kept. Null means none.
	KeepN Nullable[int] `json:"keep_n,omitzero"`
	// NameRegex matches the names of tags to remove. Null means none.
	NameRegex Nullable[string] `json:"name_regex,omitzero"`
	// NameRegexKeep matches the names of tags to keep. Null means none.
	NameRegexKeep Nullable[string] `json:"name_regex_keep,omitzero"`
}

// UpdateProjectOptions changes a project. Nil fields are left unchanged, and at
// least one must be set. Maintainers may change most settings, and Owners all
// of them.
type UpdateProjectOptions struct {
	// Name is the display name, such as "The Shop".
	Name *string `json:"name,omitzero"`
	// Path is the last element of the project's path, such as "shop". Changing
	// it changes the addresses of the project and of its repository.
	Path *string `json:"path,omitzero"`

	// General.

	// Description is shown on the page of the project.
	Description *string `json:"description,omitzero"`
	// Visibility says who can see the project. It cannot be less restrictive than
	// that of its group.
	Visibility *Visibility `json:"visibility,omitzero"`
	// DefaultBranch is the branch that is used if none is specified. It must
	// exist.
	DefaultBranch *string `json:"default_branch,omitzero"`
	// Topics are keywords by which the project can be found. They replace the
	// existing topics; an empty slice removes all.
	Topics []string `json:"topics,omitzero"`
	// ImportURL is the repository that a mirror copies from. It is a Secret
	// because it may contain a password.
	ImportURL *Secret `json:"import_url,omitzero"`
	// EmailsDisabled turns off email notifications.
	//
	// Deprecated: use EmailsEnabled if the service supports it.
	EmailsDisabled *bool `json:"emails_disabled,omitzero"`
	// EmailsEnabled turns email notifications on or off. Only in later releases.
	EmailsEnabled *bool `json:"emails_enabled,omitzero"`
	// LFSEnabled allows large files to be kept outside the repository, with Git
	// LFS.
	LFSEnabled *bool `json:"lfs_enabled,omitzero"`
	// RequestAccessEnabled allows users to ask for membership.
	RequestAccessEnabled *bool `json:"request_access_enabled,omitzero"`
	// ShowDefaultAwardEmojis shows the default reactions on issues and merge
	// requests.
	ShowDefaultAwardEmojis *bool `json:"show_default_award_emojis,omitzero"`
	// ServiceDeskEnabled creates issues from emails to the project.
	ServiceDeskEnabled *bool `json:"service_desk_enabled,omitzero"`
	// PackagesEnabled turns the package registry on or off. Later releases have
	// PackageRegistryAccessLevel instead.
	PackagesEnabled *bool `json:"packages_enabled,omitzero"`
	// AutocloseReferencedIssues closes the issues that a merge request says it closes when
	// it is merged into the default branch.
	AutocloseReferencedIssues *bool `json:"autoclose_referenced_issues,omitzero"`
	// RepositoryStorage is the name of the storage that holds the repository.
	// Administrators only.
	RepositoryStorage *string `json:"repository_storage,omitzero"`
	// ExternalAuthorizationClassificationLabel is the label by which an external
	// authorization service decides who has access. Premium.
	ExternalAuthorizationClassificationLabel *string `json:"external_authorization_classification_label,omitzero"`
	// EnforceAuthChecksOnUploads shows the files in descriptions and comments only to users
	// who can see the project. Only in later releases.
	EnforceAuthChecksOnUploads *bool `json:"enforce_auth_checks_on_uploads,omitzero"`
	// CICDCatalogEnabled lists the project in the catalog of CI/CD components. Only in
	// later releases.
	CICDCatalogEnabled *bool `json:"cicd_catalog_enabled,omitzero"`
	// ShowDiffPreviewInEmail shows the lines that a comment is about in the email about it.
	// Since 18.4.
	ShowDiffPreviewInEmail *bool `json:"show_diff_preview_in_email,omitzero"`
	// WarnAboutPotentiallyUnwantedCharacters marks characters in the code that could mislead a
	// reader. Only in later releases.
	WarnAboutPotentiallyUnwantedCharacters *bool `json:"warn_about_potentially_unwanted_characters,omitzero"`
	// SPPRepositoryPipelineAccess lets the pipelines of the projects that this project has
	// security policies for read them. Ultimate. Only in later releases.
	SPPRepositoryPipelineAccess *bool `json:"spp_repository_pipeline_access,omitzero"`
	// DuoRemoteFlowsEnabled lets agents work in the project's pipelines. Since 18.4. Paid. It
	// has no effect without the license.
	DuoRemoteFlowsEnabled *bool `json:"duo_remote_flows_enabled,omitzero"`
	// DuoSASTFPDetectionEnabled finds false reports of static analysis, and
	// DuoSASTVRWorkflowEnabled proposes fixes. Ultimate. Only in later releases, behind feature
	// flags that are off by default.
	DuoSASTFPDetectionEnabled *bool `json:"duo_sast_fp_detection_enabled,omitzero"`
	DuoSASTVRWorkflowEnabled  *bool `json:"duo_sast_vr_workflow_enabled,omitzero"`
	// WebBasedCommitSigningEnabled signs the commits that users make on the web. Since 18.2.
	// Hosted service only.
	WebBasedCommitSigningEnabled *bool `json:"web_based_commit_signing_enabled,omitzero"`
	// Avatar is a picture. With it, the call is sent as multipart/form-data instead of
	// JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// RemoveAvatar removes the picture. It cannot be combined with Avatar. Since 15.4.
	RemoveAvatar bool `json:"-"`

	// Merge requests.

	// MergeMethod is how a merge request is merged.
	MergeMethod *MergeMethod `json:"merge_method,omitzero"`
	// SquashOption says whether the commits of a merge request are squashed.
	SquashOption *SquashOption `json:"squash_option,omitzero"`
	// MergeCommitTemplate and SquashCommitTemplate are templates for the messages
	// of merge and squash commits. An empty string means the default template.
	MergeCommitTemplate  *string `json:"merge_commit_template,omitzero"`
	SquashCommitTemplate *string `json:"squash_commit_template,omitzero"`
	// SuggestionCommitMessage is a template for the messages of commits that apply
	// suggestions. An empty string means the default template.
	SuggestionCommitMessage *string `json:"suggestion_commit_message,omitzero"`
	// IssueBranchTemplate is a template for the names of branches that are created
	// from an issue. Since 15.6.
	IssueBranchTemplate *string `json:"issue_branch_template,omitzero"`
	// OnlyAllowMergeIfPipelineSucceeds requires a successful pipeline before a merge.
	OnlyAllowMergeIfPipelineSucceeds *bool `json:"only_allow_merge_if_pipeline_succeeds,omitzero"`
	// AllowMergeOnSkippedPipeline treats a skipped pipeline as successful.
	AllowMergeOnSkippedPipeline *bool `json:"allow_merge_on_skipped_pipeline,omitzero"`
	// OnlyAllowMergeIfAllDiscussionsAreResolved requires that all discussions are resolved
	// before a merge.
	OnlyAllowMergeIfAllDiscussionsAreResolved *bool `json:"only_allow_merge_if_all_discussions_are_resolved,omitzero"`
	// OnlyAllowMergeIfAllStatusChecksPassed requires that all external status checks have
	// passed. Since 15.5. Premium.
	OnlyAllowMergeIfAllStatusChecksPassed *bool `json:"only_allow_merge_if_all_status_checks_passed,omitzero"`
	// RemoveSourceBranchAfterMerge deletes the source branch when a merge request
	// is merged, unless the merge request says otherwise.
	RemoveSourceBranchAfterMerge *bool `json:"remove_source_branch_after_merge,omitzero"`
	// ResolveOutdatedDiffDiscussions resolves discussions on lines that a push
	// changes.
	ResolveOutdatedDiffDiscussions *bool `json:"resolve_outdated_diff_discussions,omitzero"`
	// PrintingMergeRequestLinkEnabled prints a link for opening a merge request
	// after a push.
	PrintingMergeRequestLinkEnabled *bool `json:"printing_merge_request_link_enabled,omitzero"`
	// ApprovalsBeforeMerge is the number of approvals that a merge request
	// requires. Premium.
	//
	// Deprecated: use approval rules, which replaced it in 16.0; see [ApprovalsService].
	ApprovalsBeforeMerge *int `json:"approvals_before_merge,omitzero"`
	// MRDefaultTargetSelf makes a fork itself the default target of its merge
	// requests, instead of the project that it was forked from.
	MRDefaultTargetSelf *bool `json:"mr_default_target_self,omitzero"`
	// MergePipelinesEnabled runs pipelines on the result of a merge. Premium.
	MergePipelinesEnabled *bool `json:"merge_pipelines_enabled,omitzero"`
	// MergeTrainsEnabled queues merge requests in merge trains. Premium.
	MergeTrainsEnabled *bool `json:"merge_trains_enabled,omitzero"`
	// IssuesTemplate and MergeRequestsTemplate are the descriptions that new
	// issues and merge requests begin with. Premium.
	IssuesTemplate        *string `json:"issues_template,omitzero"`
	MergeRequestsTemplate *string `json:"merge_requests_template,omitzero"`
	// FallbackApprovalsRequired is the number of approvals that are required where no rule
	// matches. Premium. Only in later releases, whose documentation does not have it.
	FallbackApprovalsRequired *int `json:"fallback_approvals_required,omitzero"`
	// ProtectMergeRequestPipelines gives pipelines of merge requests between protected
	// branches access to protected variables and runners. Only in later releases.
	ProtectMergeRequestPipelines *bool `json:"protect_merge_request_pipelines,omitzero"`
	// MergeTrainsSkipTrainAllowed allows a merge without waiting for the merge requests
	// that are ahead in the merge train. Only in later releases.
	MergeTrainsSkipTrainAllowed *bool `json:"merge_trains_skip_train_allowed,omitzero"`
	// MRDefaultTitleTemplate is a template for the titles of new merge requests. Only in
	// later releases.
	MRDefaultTitleTemplate *string `json:"mr_default_title_template,omitzero"`
	// MergeRequestTitleRegex is a regular expression that the title of a merge request must
	// match. Only in later releases.
	MergeRequestTitleRegex *string `json:"merge_request_title_regex,omitzero"`
	// MergeRequestTitleRegexDescription explains to users what MergeRequestTitleRegex
	// requires. Only in later releases.
	MergeRequestTitleRegexDescription *string `json:"merge_request_title_regex_description,omitzero"`
	// ReviewerAssignmentStrategy names the way in which reviewers are assigned. Only in
	// later releases.
	ReviewerAssignmentStrategy *string `json:"reviewer_assignment_strategy,omitzero"`
	// AutoDuoCodeReviewEnabled has each merge request reviewed automatically. Only in later
	// releases.
	AutoDuoCodeReviewEnabled *bool `json:"auto_duo_code_review_enabled,omitzero"`
	// PreventMergeWithoutJiraIssue requires that a merge request refers to an issue in
	// Jira. Only in later releases.
	PreventMergeWithoutJiraIssue *bool `json:"prevent_merge_without_jira_issue,omitzero"`

	// CI/CD.

	// CIConfigPath is the path of the pipeline's configuration. An empty string
	// means the default.
	CIConfigPath *string `json:"ci_config_path,omitzero"`
	// BuildGitStrategy is how a job gets the repository.
	BuildGitStrategy *GitStrategy `json:"build_git_strategy,omitzero"`
	// BuildTimeout is the maximum duration of a job in seconds.
	BuildTimeout *int64 `json:"build_timeout,omitzero"`
	// CIDefaultGitDepth is the number of commits that a job fetches, 0 for all. Null
	// removes the setting.
	CIDefaultGitDepth Nullable[int] `json:"ci_default_git_depth,omitzero"`
	// AutoCancelPendingPipelines cancels pipelines for older commits of a branch.
	AutoCancelPendingPipelines *AutoCancelPipelines `json:"auto_cancel_pending_pipelines,omitzero"`
	// CIForwardDeploymentEnabled prevents jobs from deploying commits that are
	// older than the last deployment.
	CIForwardDeploymentEnabled *bool `json:"ci_forward_deployment_enabled,omitzero"`
	// CIForwardDeploymentRollbackAllowed allows retries of such jobs in order to roll back.
	// Only in later releases.
	CIForwardDeploymentRollbackAllowed *bool `json:"ci_forward_deployment_rollback_allowed,omitzero"`
	// CIAllowForkPipelinesToRunInParentProject allows the pipelines of merge requests from
	// forks to run in this project. Since 15.3.
	CIAllowForkPipelinesToRunInParentProject *bool `json:"ci_allow_fork_pipelines_to_run_in_parent_project,omitzero"`
	// CISeparatedCaches separates the caches of protected and other branches.
	CISeparatedCaches *bool `json:"ci_separated_caches,omitzero"`
	// CIRestrictPipelineCancellationRole is the role that may cancel pipelines and jobs.
	// Since 16.8. Premium.
	CIRestrictPipelineCancellationRole *string `json:"ci_restrict_pipeline_cancellation_role,omitzero"`
	// CIPipelineVariablesMinimumOverrideRole is the lowest role that may set variables when
	// it starts a pipeline. Since 17.1.
	CIPipelineVariablesMinimumOverrideRole *PipelineVariablesRole `json:"ci_pipeline_variables_minimum_override_role,omitzero"`
	// CIPushRepositoryForJobTokenAllowed lets jobs push with their token. Since 17.2.
	CIPushRepositoryForJobTokenAllowed *bool `json:"ci_push_repository_for_job_token_allowed,omitzero"`
	// CIDeletePipelinesInSeconds is the age in seconds at which pipelines are deleted. Null
	// means never. Only in later releases.
	CIDeletePipelinesInSeconds Nullable[int64] `json:"ci_delete_pipelines_in_seconds,omitzero"`
	// MaxArtifactsSize limits the size of the artifacts of a job, in megabytes. Null lets
	// the group or the instance decide. Only in later releases.
	MaxArtifactsSize Nullable[int64] `json:"max_artifacts_size,omitzero"`
	// KeepLatestArtifact keeps the artifacts of the last successful pipeline of
	// each branch past their expiry.
	KeepLatestArtifact *bool `json:"keep_latest_artifact,omitzero"`
	// RestrictUserDefinedVariables allows only Maintainers to set variables when
	// they start a pipeline.
	RestrictUserDefinedVariables *bool `json:"restrict_user_defined_variables,omitzero"`
	// PublicBuilds lets everyone who can see the project read its jobs. Later
	// releases call it PublicJobs.
	PublicBuilds *bool `json:"public_builds,omitzero"`
	// PublicJobs is the name of PublicBuilds in later releases.
	PublicJobs *bool `json:"public_jobs,omitzero"`
	// SharedRunnersEnabled lets the runners of the instance take jobs of the
	// project.
	SharedRunnersEnabled *bool `json:"shared_runners_enabled,omitzero"`
	// GroupRunnersEnabled lets the runners of groups take jobs of the project. Only in
	// later releases.
	GroupRunnersEnabled *bool `json:"group_runners_enabled,omitzero"`
	// AutoDevOpsEnabled runs a predefined pipeline if the project has no CI/CD
	// configuration.
	AutoDevOpsEnabled *bool `json:"auto_devops_enabled,omitzero"`
	// AutoDevOpsDeployStrategy is how the predefined pipeline deploys.
	AutoDevOpsDeployStrategy *AutoDevOpsStrategy `json:"auto_devops_deploy_strategy,omitzero"`
	// BuildCoverageRegex is a regular expression that finds the coverage in the log of a
	// job.
	BuildCoverageRegex *string `json:"build_coverage_regex,omitzero"`
	// ResourceGroupDefaultProcessMode is the order in which jobs get a resource group. Only
	// in later releases.
	ResourceGroupDefaultProcessMode *ResourceGroupProcessMode `json:"resource_group_default_process_mode,omitzero"`
	// AllowPipelineTriggerApproveDeployment lets the user who started a pipeline approve
	// its deployments. Only in later releases.
	AllowPipelineTriggerApproveDeployment *bool `json:"allow_pipeline_trigger_approve_deployment,omitzero"`
	// CIDisplayPipelineVariables shows the variables that a pipeline was started with. Only
	// in later releases.
	CIDisplayPipelineVariables *bool `json:"ci_display_pipeline_variables,omitzero"`
	// CIIDTokenSubClaimComponents are the parts of the claim "sub" in the ID tokens of
	// jobs, such as "project_path". Only in later releases.
	CIIDTokenSubClaimComponents []string `json:"ci_id_token_sub_claim_components,omitzero"`

	// Access to the parts of the project.

	// The access levels say who may use a part of the project.
	AnalyticsAccessLevel *FeatureAccessLevel `json:"analytics_access_level,omitzero"`
	BuildsAccessLevel    *FeatureAccessLevel `json:"builds_access_level,omitzero"`
	// [RegistryService.SetAccessLevel] also sets ContainerRegistryAccessLevel.
	ContainerRegistryAccessLevel *FeatureAccessLevel `json:"container_registry_access_level,omitzero"`
	ForkingAccessLevel           *FeatureAccessLevel `json:"forking_access_level,omitzero"`
	IssuesAccessLevel            *FeatureAccessLevel `json:"issues_access_level,omitzero"`
	MergeRequestsAccessLevel     *FeatureAccessLevel `json:"merge_requests_access_level,omitzero"`
	// OperationsAccessLevel was removed in 16.0. Environments, FeatureFlags,
	// Infrastructure and Monitor replace it.
	OperationsAccessLevel *FeatureAccessLevel `json:"operations_access_level,omitzero"`
	// PagesAccessLevel can also be [FeatureAccessLevelPublic].
	PagesAccessLevel                 *FeatureAccessLevel `json:"pages_access_level,omitzero"`
	RepositoryAccessLevel            *FeatureAccessLevel `json:"repository_access_level,omitzero"`
	RequirementsAccessLevel          *FeatureAccessLevel `json:"requirements_access_level,omitzero"`
	SecurityAndComplianceAccessLevel *FeatureAccessLevel `json:"security_and_compliance_access_level,omitzero"`
	SnippetsAccessLevel              *FeatureAccessLevel `json:"snippets_access_level,omitzero"`
	WikiAccessLevel                  *FeatureAccessLevel `json:"wiki_access_level,omitzero"`
	// Releases, Environments, FeatureFlags, Infrastructure and Monitor were added in 15.x.
	ReleasesAccessLevel       *FeatureAccessLevel `json:"releases_access_level,omitzero"`
	EnvironmentsAccessLevel   *FeatureAccessLevel `json:"environments_access_level,omitzero"`
	FeatureFlagsAccessLevel   *FeatureAccessLevel `json:"feature_flags_access_level,omitzero"`
	InfrastructureAccessLevel *FeatureAccessLevel `json:"infrastructure_access_level,omitzero"`
	MonitorAccessLevel        *FeatureAccessLevel `json:"monitor_access_level,omitzero"`
	// PackageRegistryAccessLevel can also be [FeatureAccessLevelPublic]. Only in later
	// releases.
	PackageRegistryAccessLevel *FeatureAccessLevel `json:"package_registry_access_level,omitzero"`
	// ModelExperiments and ModelRegistry were added in 16.7.
	ModelExperimentsAccessLevel *FeatureAccessLevel `json:"model_experiments_access_level,omitzero"`
	ModelRegistryAccessLevel    *FeatureAccessLevel `json:"model_registry_access_level,omitzero"`
	// ContainerExpirationPolicy is the policy by which the service removes tags
	// from the container registry.
	ContainerExpirationPolicy *ContainerExpirationPolicyOptions `json:"container_expiration_policy_attributes,omitzero"`

	// Mirroring.

	// Mirror makes the project copy the repository at ImportURL periodically.
	// Premium.
	Mirror *bool `json:"mirror,omitzero"`
	// MirrorTriggerBuilds runs pipelines for the changes that are copied. Premium.
	MirrorTriggerBuilds *bool `json:"mirror_trigger_builds,omitzero"`
	// OnlyMirrorProtectedBranches copies only protected branches. Premium.
	OnlyMirrorProtectedBranches *bool `json:"only_mirror_protected_branches,omitzero"`
	// MirrorOverwritesDivergedBranches overwrites branches that have changed in
	// this project. Premium.
	MirrorOverwritesDivergedBranches *bool `json:"mirror_overwrites_diverged_branches,omitzero"`
	// MirrorUserID is the ID of the user to whom the copied changes are attributed. Only
	// administrators can set it to users other than themselves. Premium.
	MirrorUserID *int64 `json:"mirror_user_id,omitzero"`
	// MirrorBranchRegex is a regular expression that the names of copied branches match.
	// Only in later releases. Premium.
	MirrorBranchRegex *string `json:"mirror_branch_regex,omitzero"`
}

// withoutAvatar is the body that removes the picture of a project.
type withoutAvatar struct {
	UpdateProjectOptions
	Avatar string `json:"avatar"`
}

// groupWithoutAvatar is the body that removes the picture of a group.
type groupWithoutAvatar struct {
	UpdateGroupOptions
	Avatar string `json:"avatar"`
}

// input is the body of the call.
func (o UpdateGroupOptions) input() input {
	if o.RemoveAvatar {
		return jsonOf(groupWithoutAvatar{UpdateGroupOptions: o})
	}
	return jsonOrMultipart(o, "avatar", o.Avatar)
}

func (o UpdateGroupOptions) check() error { return checkAvatar(o.RemoveAvatar, o.Avatar) }

// checkAvatar refuses a picture that is both removed and set.
func checkAvatar(remove bool, avatar *Upload) error {
	if remove && avatar != nil {
		return &ArgumentError{Argument: "RemoveAvatar", Problem: "cannot be combined with Avatar"}
	}
	return nil
}

// input is the body of the call.
func (o UpdateProjectOptions) input() input {
	if o.RemoveAvatar {
		return jsonOf(withoutAvatar{UpdateProjectOptions: o})
	}
	return jsonOrMultipart(o, "avatar", o.Avatar)
}

func (o UpdateProjectOptions) check() error { return checkAvatar(o.RemoveAvatar, o.Avatar) }

// ProjectOrderBy is an order of a list of projects. Administrators can also order
// by the sizes in [ProjectStatistics], such as "storage_size".
type ProjectOrderBy string

// Orders of projects. ProjectOrderByCreatedAt is the default. ProjectOrderByID
// is the only order for keyset pagination. ProjectOrderBySimilarity requires a
// search.
const (
	ProjectOrderByID             ProjectOrderBy = "id"
	ProjectOrderByName           ProjectOrderBy = "name"
	ProjectOrderByPath           ProjectOrderBy = "path"
	ProjectOrderByCreatedAt      ProjectOrderBy = "created_at"
	ProjectOrderByUpdatedAt      ProjectOrderBy = "updated_at"
	ProjectOrderByLastActivityAt ProjectOrderBy = "last_activity_at"
	ProjectOrderBySimilarity     ProjectOrderBy = "similarity"
	ProjectOrderByStarCount      ProjectOrderBy = "star_count"
)
