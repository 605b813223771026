package serviceapi

// service is the underlying type of the service of every area.
type service struct {
	client *Client
}

func (c *Client) addServices() {
	s := &service{client: c}
	c.AccessRequests = (*AccessRequestsService)(s)
	c.AccessTokens = (*AccessTokensService)(s)
	c.Applications = (*ApplicationsService)(s)
	c.Approvals = (*ApprovalsService)(s)
	c.Attestations = (*AttestationsService)(s)
	c.AuditEvents = (*AuditEventsService)(s)
	c.AwardEmoji = (*AwardEmojiService)(s)
	c.Boards = (*BoardsService)(s)
	c.Badges = (*BadgesService)(s)
	c.Branches = (*BranchesService)(s)
	c.BulkImports = (*BulkImportsService)(s)
	c.ClusterAgents = (*ClusterAgentsService)(s)
	c.Catalog = (*CatalogService)(s)
	c.Commits = (*CommitsService)(s)
	c.Credentials = (*CredentialsService)(s)
	c.CustomAttributes = (*CustomAttributesService)(s)
	c.Dependencies = (*DependenciesService)(s)
	c.DeployKeys = (*DeployKeysService)(s)
	c.DependencyProxy = (*DependencyProxyService)(s)
	c.DeployTokens = (*DeployTokensService)(s)
	c.Deployments = (*DeploymentsService)(s)
	c.DORAMetrics = (*DORAMetricsService)(s)
	c.Discussions = (*DiscussionsService)(s)
	c.DraftNotes = (*DraftNotesService)(s)
	c.Emails = (*EmailsService)(s)
	c.EnterpriseUsers = (*EnterpriseUsersService)(s)
	c.Environments = (*EnvironmentsService)(s)
	c.EpicBoards = (*EpicBoardsService)(s)
	c.Epics = (*EpicsService)(s)
	c.ErrorTracking = (*ErrorTrackingService)(s)
	c.Events = (*EventsService)(s)
	c.FeatureFlags = (*FeatureFlagsService)(s)
	c.FreezePeriods = (*FreezePeriodsService)(s)
	c.GPGKeys = (*GPGKeysService)(s)
	c.GraphQL = (*GraphQLService)(s)
	c.GroupActivity = (*GroupActivityService)(s)
	c.GroupExport = (*GroupExportService)(s)
	c.Groups = (*GroupsService)(s)
	c.Hooks = (*HooksService)(s)
	c.Identities = (*IdentitiesService)(s)
	c.Invitations = (*InvitationsService)(s)
	c.IssueLinks = (*IssueLinksService)(s)
	c.Issues = (*IssuesService)(s)
	c.Iterations = (*IterationsService)(s)
	c.JobArtifacts = (*JobArtifactsService)(s)
	c.JobTokenScope = (*JobTokenScopeService)(s)
	c.Jobs = (*JobsService)(s)
	c.LDAPLinks = (*LDAPLinksService)(s)
	c.Labels = (*LabelsService)(s)
	c.License = (*LicenseService)(s)
	c.Lint = (*LintService)(s)
	c.Markdown = (*MarkdownService)(s)
	c.MemberRoles = (*MemberRolesService)(s)
	c.Members = (*MembersService)(s)
	c.MergeRequests = (*MergeRequestsService)(s)
	c.MergeTrains = (*MergeTrainsService)(s)
	c.Metadata = (*MetadataService)(s)
	c.MetricImages = (*MetricImagesService)(s)
	c.Milestones = (*MilestonesService)(s)
	c.Mirrors = (*MirrorsService)(s)
	c.Namespaces = (*NamespacesService)(s)
	c.Notes = (*NotesService)(s)
	c.OAuth = (*OAuthService)(s)
	c.PipelineSchedules = (*PipelineSchedulesService)(s)
	c.Pages = (*PagesService)(s)
	c.NotificationSettings = (*NotificationSettingsService)(s)
	c.Packages = (*PackagesService)(s)
	c.Pipelines = (*PipelinesService)(s)
	c.ProjectAliases = (*ProjectAliasesService)(s)
	c.ProjectExport = (*ProjectExportService)(s)
	c.ProjectImport = (*ProjectImportService)(s)
	c.Projects = (*ProjectsService)(s)
	c.ProtectedBranches = (*ProtectedBranchesService)(s)
	c.ProtectedEnvironments = (*ProtectedEnvironmentsService)(s)
	c.ProtectedTags = (*ProtectedTagsService)(s)
	c.ProtectionRules = (*ProtectionRulesService)(s)
	c.PushRules = (*PushRulesService)(s)
	c.Registry = (*RegistryService)(s)
	c.RelationsExport = (*RelationsExportService)(s)
	c.Releases = (*ReleasesService)(s)
	c.Repository = (*RepositoryService)(s)
	c.RepositoryFiles = (*RepositoryFilesService)(s)
	c.ResourceGroups = (*ResourceGroupsService)(s)
	c.ResourceEvents = (*ResourceEventsService)(s)
	c.RunnerControllers = (*RunnerControllersService)(s)
	c.Runners = (*RunnersService)(s)
	c.SAMLLinks = (*SAMLLinksService)(s)
	c.SCIM = (*SCIMService)(s)
	c.ServiceAccounts = (*ServiceAccountsService)(s)
	c.Search = (*SearchService)(s)
	c.SecureFiles = (*SecureFilesService)(s)
	c.SecuritySettings = (*SecuritySettingsService)(s)
	c.Settings = (*SettingsService)(s)
	c.Snippets = (*SnippetsService)(s)
	c.SSHCertificates = (*SSHCertificatesService)(s)
	c.SSHKeys = (*SSHKeysService)(s)
	c.StatusChecks = (*StatusChecksService)(s)
	c.Suggestions = (*SuggestionsService)(s)
	c.StorageMoves = (*StorageMovesService)(s)
	c.BroadcastMessages = (*BroadcastMessagesService)(s)
	c.Features = (*FeaturesService)(s)
	c.GeoSites = (*GeoSitesService)(s)
	c.Integrations = (*IntegrationsService)(s)
	c.Migrations = (*MigrationsService)(s)
	c.PlanLimits = (*PlanLimitsService)(s)
	c.Sidekiq = (*SidekiqService)(s)
	c.TokenInformation = (*TokenInformationService)(s)
	c.UsageData = (*UsageDataService)(s)
	c.Tags = (*TagsService)(s)
	c.Templates = (*TemplatesService)(s)
	c.Todos = (*TodosService)(s)
	c.TargetBranchRules = (*TargetBranchRulesService)(s)
	c.TerraformStates = (*TerraformStatesService)(s)
	c.TimeTracking = (*TimeTrackingService)(s)
	c.Topics = (*TopicsService)(s)
	c.Triggers = (*TriggersService)(s)
	c.Uploads = (*UploadsService)(s)
	c.Users = (*UsersService)(s)
	c.Variables = (*VariablesService)(s)
	c.Vulnerabilities = (*VulnerabilitiesService)(s)
	c.VulnerabilityExports = (*VulnerabilityExportsService)(s)
	c.Wikis = (*WikisService)(s)
	c.WorkItems = (*WorkItemsService)(s)
}

// ProjectOrGroup is a [ProjectRef] or a [GroupRef], for functions that work with
// both. It is an owner in every area that has both:
//
//	func keys(ctx context.Context, client *serviceapi.Client,
//		owner serviceapi.ProjectOrGroup) (keys []string, err error) {
//		for variable, err := range client.Variables.All(ctx, owner, nil) {
//			if err != nil {
//				return nil, err
//			}
//			keys = append(keys, variable.Key)
//		}
//		return keys, nil
//	}
//
// Unlike those two, it may be nil. Calls return an [*ArgumentError] for a nil owner.
type ProjectOrGroup interface {
	AccessRequestOwner
	AccessTokenOwner
	ApprovalRuleOwner
	ApprovalSettingOwner
	AuditEventOwner
	BoardOwner
	BadgeOwner
	CurrentTokenOwner
	CustomAttributeOwner
	DORAMetricOwner
	DependencyExportOwner
	DeployTokenOwner
	HookLogOwner
	IntegrationOwner
	InvitationOwner
	IssueOwner
	IterationOwner
	LabelOwner
	MemberOwner
	MergeRequestOwner
	MilestoneOwner
	NotificationSettingsOwner
	NewAccessTokenOwner
	NewDeployTokenOwner
	NewRunnerOwner
	ProtectedBranchOwner
	ProtectedEnvironmentOwner
	PushRuleOwner
	RelationsExportOwner
	PackageOwner
	RegistryOwner
	ReleaseOwner
	RepositoryOwner
	RunnerOwner
	SearchOwner
	ServiceAccountOwner
	SingleServiceAccountOwner
	StorageMoveOwner
	UploadOwner
	VariableOwner
	VulnerabilityExportOwner
	WorkItemOwner
	WikiOwner

	// IsZero reports whether the reference is the zero value.
	IsZero() bool
	// String returns the ID or the path as it was passed.
	String() string
}
