package serviceapi

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"

	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/pace"
	"github.com/hashicorp/go-retryablehttp"
)

// Client makes calls to one instance. Each exported field has the methods for one area
// of the API.
//
// A Client is immutable and safe for concurrent use. A program needs one for
// each instance and credential. [Client.With] derives others that share its
// connections. Make one with [NewClient] or [FromEnv]. With the zero Client, every
// call returns an [*ArgumentError]. A nil *Client has no fields, so client.Jobs
// panics; its own methods do not.
type Client struct {
	// AccessRequests lists, makes and approves requests to become a member.
	AccessRequests *AccessRequestsService
	// AccessTokens lists, creates, rotates and revokes access tokens.
	AccessTokens *AccessTokensService
	// Applications manages the OAuth applications of the instance.
	Applications *ApplicationsService
	// Approvals reads, gives and withdraws approvals of merge requests, and manages the
	// approval rules.
	Approvals *ApprovalsService
	// Attestations reads signed statements of how artifacts were built.
	Attestations *AttestationsService
	// AuditEvents reads the audit events of the instance, groups and projects.
	AuditEvents *AuditEventsService
	// AwardEmoji manages reactions to issues, merge requests, snippets and comments.
	AwardEmoji *AwardEmojiService
	// Boards manages the boards of issues of projects and groups.
	Boards *BoardsService
	// Badges manages the badges of projects and groups.
	Badges *BadgesService
	// Branches lists, creates and deletes branches.
	Branches *BranchesService
	// BulkImports moves groups and projects here from another instance.
	BulkImports *BulkImportsService
	// ClusterAgents manages the agents that connect Kubernetes clusters.
	ClusterAgents *ClusterAgentsService
	// Catalog publishes CI components in the catalog of the instance.
	Catalog *CatalogService
	// Commits reads and creates commits, cherry-picks and reverts them, and sets
	// their statuses.
	Commits *CommitsService
	// Credentials lists and ends the tokens and SSH keys of the people of a group.
	Credentials *CredentialsService
	// CustomAttributes manages keys and values that administrators attach to users,
	// groups and projects.
	CustomAttributes *CustomAttributesService
	// Dependencies lists the packages that projects use, and exports these lists.
	Dependencies *DependenciesService
	// DORAMetrics reads how often and how well projects are deployed.
	DORAMetrics *DORAMetricsService
	// DependencyProxy empties the caches of images that groups have.
	DependencyProxy *DependencyProxyService
	// DeployKeys manages SSH keys that give access to projects.
	DeployKeys *DeployKeysService
	// Deployments lists, records, approves and waits for deployments.
	Deployments *DeploymentsService
	// DeployTokens manages tokens for Git and registries.
	DeployTokens *DeployTokensService
	// Discussions reads, starts and resolves threads on merge requests, issues and other
	// objects.
	Discussions *DiscussionsService
	// DraftNotes writes the comments of a review and publishes them together.
	DraftNotes *DraftNotesService
	// Emails manages the additional email addresses of users.
	Emails *EmailsService
	// EnterpriseUsers manages the users whose accounts belong to a group.
	EnterpriseUsers *EnterpriseUsersService
	// Environments manages the places that projects are deployed to.
	Environments *EnvironmentsService
	// EpicBoards reads the boards of epics of groups.
	EpicBoards *EpicBoardsService
	// Epics manages the epics of groups.
	Epics *EpicsService
	// ErrorTracking says where the errors of programs are collected.
	ErrorTracking *ErrorTrackingService
	// Events reads what users have done.
	Events *EventsService
	// FeatureFlags manages feature flags and the lists of users that they are on for.
	FeatureFlags *FeatureFlagsService
	// FreezePeriods manages the times in which projects should not be deployed.
	FreezePeriods *FreezePeriodsService
	// GPGKeys manages the keys that users sign commits and tags with.
	GPGKeys *GPGKeysService
	// GraphQL sends queries to the GraphQL API.
	GraphQL *GraphQLService
	// GroupActivity counts what is new in groups.
	GroupActivity *GroupActivityService
	// GroupExport exports groups to archives.
	GroupExport *GroupExportService
	// Groups finds, creates, changes and deletes groups.
	Groups *GroupsService
	// Hooks manages webhooks of projects and groups, and system hooks.
	Hooks *HooksService
	// Identities manages who the users of groups are at their identity providers.
	Identities *IdentitiesService
	// Invitations invites people to projects and groups by email address.
	Invitations *InvitationsService
	// IssueLinks links issues to each other.
	IssueLinks *IssueLinksService
	// Issues finds, creates, changes and moves issues.
	Issues *IssuesService
	// Iterations lists the periods for which groups plan issues.
	Iterations *IterationsService
	// JobArtifacts downloads, keeps and deletes the artifacts of CI jobs.
	JobArtifacts *JobArtifactsService
	// Jobs lists, runs, cancels, retries and waits for CI jobs, and reads their
	// logs.
	Jobs *JobsService
	// JobTokenScope manages which projects may access another one with their CI job
	// tokens.
	JobTokenScope *JobTokenScopeService
	// Labels manages the labels of projects and groups.
	Labels *LabelsService
	// LDAPLinks says which groups of a directory are members of groups.
	LDAPLinks *LDAPLinksService
	// License manages the licenses of the instance.
	License *LicenseService
	// Lint checks CI/CD configurations.
	Lint *LintService
	// Markdown renders texts in Markdown.
	Markdown *MarkdownService
	// MemberRoles manages custom roles.
	MemberRoles *MemberRolesService
	// Members manages the members of projects and groups.
	Members *MembersService
	// MergeRequests finds, opens, rebases and merges merge requests.
	MergeRequests *MergeRequestsService
	// MergeTrains queues merge requests that are merged one after the other.
	MergeTrains *MergeTrainsService
	// Metadata returns the version of the instance.
	Metadata *MetadataService
	// MetricImages manages pictures of what was measured during incidents and alerts.
	MetricImages *MetricImagesService
	// Milestones manages the milestones of projects and groups.
	Milestones *MilestonesService
	// Mirrors manages the repositories that projects are mirrored to and from.
	Mirrors *MirrorsService
	// Namespaces finds the users and groups that projects can be created in.
	Namespaces *NamespacesService
	// Notes reads and writes comments on issues, merge requests, snippets and
	// epics.
	Notes *NotesService
	// OAuth signs users in on devices without a browser, and revokes and examines OAuth2
	// access tokens.
	OAuth *OAuthService
	// NotificationSettings says what the caller is told of by email.
	NotificationSettings *NotificationSettingsService
	// Packages manages packages, and publishes and downloads generic ones.
	Packages *PackagesService
	// Pages manages the static sites of projects, and their domains.
	Pages *PagesService
	// Pipelines runs, cancels and waits for CI pipelines, and reads their test
	// reports.
	Pipelines *PipelinesService
	// PipelineSchedules manages the schedules that start pipelines.
	PipelineSchedules *PipelineSchedulesService
	// ProjectAliases manages other names of projects.
	ProjectAliases *ProjectAliasesService
	// ProjectExport exports projects to archives.
	ProjectExport *ProjectExportService
	// ProjectImport creates projects from archives.
	ProjectImport *ProjectImportService
	// Projects finds, creates, changes and deletes projects.
	Projects *ProjectsService
	// ProtectedBranches protects branches of projects and groups.
	ProtectedBranches *ProtectedBranchesService
	// ProtectedEnvironments protects environments of projects and groups.
	ProtectedEnvironments *ProtectedEnvironmentsService
	// ProtectedTags protects the tags of projects.
	ProtectedTags *ProtectedTagsService
	// ProtectionRules protects packages, and the repositories and tags of registries.
	ProtectionRules *ProtectionRulesService
	// PushRules manages the rules that commits pushed to projects must follow.
	PushRules *PushRulesService
	// Registry lists and cleans the container registries of projects and groups.
	Registry *RegistryService
	// RelationsExport exports projects and groups one relation at a time.
	RelationsExport *RelationsExportService
	// Releases manages the releases of projects and their links.
	Releases *ReleasesService
	// Repository lists trees, compares refs and downloads archives.
	Repository *RepositoryService
	// RepositoryFiles reads and writes single files of repositories.
	RepositoryFiles *RepositoryFilesService
	// ResourceGroups says in which order jobs run of which only one runs at a time.
	ResourceGroups *ResourceGroupsService
	// ResourceEvents reads how issues, merge requests and epics have changed.
	ResourceEvents *ResourceEventsService
	// RunnerControllers manages programs that admit or reject the jobs of runners.
	RunnerControllers *RunnerControllersService
	// Runners registers, configures and assigns CI runners.
	Runners *RunnersService
	// SAMLLinks says which groups of an identity provider are members of groups.
	SAMLLinks *SAMLLinksService
	// SCIM provisions the users of a group or the instance from an identity provider.
	SCIM *SCIMService
	// Search finds projects, issues, files and other objects that contain a text.
	Search *SearchService
	// SecureFiles manages keystores, certificates and similar files for CI jobs.
	SecureFiles *SecureFilesService
	// SecuritySettings manages the security settings of projects.
	SecuritySettings *SecuritySettingsService
	// ServiceAccounts manages accounts for programs, and their access tokens.
	ServiceAccounts *ServiceAccountsService
	// Settings manages the settings of the instance, and its appearance.
	Settings *SettingsService
	// Snippets manages the snippets of users and projects.
	Snippets *SnippetsService
	// SSHCertificates manages the authorities whose SSH certificates a group accepts.
	SSHCertificates *SSHCertificatesService
	// SSHKeys manages the SSH keys of users.
	SSHKeys *SSHKeysService
	// StatusChecks manages the external services that check merge requests.
	StatusChecks *StatusChecksService
	// Suggestions applies changes that comments on a diff suggest.
	Suggestions *SuggestionsService
	// StorageMoves moves repositories from one storage of the instance to another.
	StorageMoves *StorageMovesService
	// BroadcastMessages manages the messages on the pages of the instance.
	BroadcastMessages *BroadcastMessagesService
	// Features turns parts of the service's own code on and off.
	Features *FeaturesService
	// GeoSites manages the copies of the instance in other places.
	GeoSites *GeoSitesService
	// Integrations connects projects and groups with other services.
	Integrations *IntegrationsService
	// Migrations follows the changes that an upgrade brings to databases.
	Migrations *MigrationsService
	// PlanLimits manages the limits of plans.
	PlanLimits *PlanLimitsService
	// Sidekiq says what the background jobs of the instance are doing.
	Sidekiq *SidekiqService
	// TokenInformation says whose a token of any kind is, and ends it.
	TokenInformation *TokenInformationService
	// UsageData reads what the instance counts about its use.
	UsageData *UsageDataService
	// Tags lists, creates and deletes tags.
	Tags *TagsService
	// TargetBranchRules chooses the target of merge requests by their source branch.
	TargetBranchRules *TargetBranchRulesService
	// Templates reads templates of files, such as licenses.
	Templates *TemplatesService
	// TerraformStates reads, writes and locks the Terraform states of projects.
	TerraformStates *TerraformStatesService
	// TimeTracking manages the estimates of issues and merge requests, and the time
	// that was spent on them.
	TimeTracking *TimeTrackingService
	// Topics manages the words that say what projects are about.
	Topics *TopicsService
	// Todos lists the caller's to-do items and marks them as done.
	Todos *TodosService
	// Triggers manages tokens that start pipelines, and starts them.
	Triggers *TriggersService
	// Uploads manages the files that are attached to issues, comments and other texts.
	Uploads *UploadsService
	// Users finds, creates, changes, approves, blocks, bans and deletes users.
	Users *UsersService
	// Variables manages the CI/CD variables of projects, groups and the instance.
	Variables *VariablesService
	// Vulnerabilities reads what scanners have found, and says what was decided about it.
	Vulnerabilities *VulnerabilitiesService
	// VulnerabilityExports exports vulnerabilities to files.
	VulnerabilityExports *VulnerabilityExportsService
	// Wikis manages the pages of wikis.
	Wikis *WikisService
	// WorkItems manages issues, tasks and epics in one form.
	WorkItems *WorkItemsService

	config config
}

// NewClient returns a client for the instance at baseURL, such as
// "https://service.example.com". The URL may have a path, and may end in
// /api/v4. NewClient does no I/O and does not read the environment. It returns
// an [*ArgumentError] if the URL has a user name, a password, a query or a
// scheme other than http and https, or if the credential is nil or cannot be
// sent as a header.
func NewClient(baseURL string, cred Credential, opts ...Option) (*Client, error) {
	base, err := parseBaseURL(baseURL)
	if err != nil {
		return nil, err
	}
	if err := checkCredential(cred); err != nil {
		return nil, err
	}
	return newClient(config{
		base:      base,
		options:   defaultOptions(cred),
		userAgent: defaultUserAgent,
		budget:    pace.NewBudget(pace.DefaultSize),
		pauses:    new(pace.Pauses),
		buffers:   buffers.NewPool(),
		types:     new(typeFacts),
	}, opts)
}

// Variables that [FromEnv] reads.
const (
	envBaseURL    = "SERVICE_BASE_URL"
	envToken      = "SERVICE_TOKEN"
	envOAuthToken = "SERVICE_OAUTH_TOKEN"
	envCIURL      = "CI_API_V4_URL"
	envCIToken    = "CI_JOB_TOKEN"
)

// FromEnv returns a client configured by environment variables. The instance is at
// SERVICE_BASE_URL or, in a CI job where this is not set, at CI_API_V4_URL. The
// credential is the access token SERVICE_TOKEN or the OAuth2 token
// SERVICE_OAUTH_TOKEN. In a CI job with none of these three, it is the token
// CI_JOB_TOKEN, which is never sent to SERVICE_BASE_URL. If variables are missing or
// contradict each other, FromEnv returns an error that names them.
func FromEnv(opts ...Option) (*Client, error) {
	base, token, oauth := os.Getenv(envBaseURL), os.Getenv(envToken), os.Getenv(envOAuthToken)
	baseURL := cmp.Or(base, os.Getenv(envCIURL))
	cred, err := credentialFromEnv(base, token, oauth, os.Getenv(envCIToken))
	switch {
	case err != nil:
		return nil, err
	case baseURL == "":
		return nil, fmt.Errorf("serviceapi: a token is set, but neither %s nor %s", envBaseURL, envCIURL)
	}
	return NewClient(baseURL, cred, opts...)
}

// credentialFromEnv returns the credential for the values of the variables.
func credentialFromEnv(base, token, oauth, ciToken string) (Credential, error) {
	switch {
	case token != "" && oauth != "":
		return nil, fmt.Errorf("serviceapi: both %s and %s are set; set one of them", envToken, envOAuthToken)
	case token != "":
		return PrivateToken(token), nil
	case oauth != "":
		return BearerToken(oauth), nil
	case base != "":
		return nil, fmt.Errorf("serviceapi: %s is set, but neither %s nor %s", envBaseURL, envToken, envOAuthToken)
	case ciToken != "":
		return JobToken(ciToken), nil
	}
	return nil, fmt.Errorf("serviceapi: set %s and %s, or run in a CI job that has %s and %s",
		envBaseURL, envToken, envCIURL, envCIToken)
}

// With returns a client with additional options. It shares connections, retry
// budget and credential with c, which does not change. An option given here
// replaces the same option of c, except for middleware, headers and query
// parameters, which are added. On error, the client is nil.
func (c *Client) With(opts ...Option) (*Client, error) {
	if !c.made() {
		return nil, badArgument("client", "was not made by NewClient")
	}
	return newClient(c.config, opts)
}

func newClient(cfg config, opts []Option) (*Client, error) {
	cfg.middleware = slices.Clip(cfg.middleware)
	for _, opt := range opts {
		if opt == nil {
			continue
		}
		if err := opt.applyClient(&cfg); err != nil {
			return nil, err
		}
	}
	if cfg.transport == nil {
		streams := DefaultTransport()
		streams.ReadBufferSize = 32 << 10 // the connections of other calls would keep it while idle
		cfg.transport, cfg.streams = DefaultTransport(), streams
	}
	calls, streams := newLoop(cfg.newHTTPClient(cfg.transport)), newLoop(cfg.newHTTPClient(cfg.streams))
	cfg.loops = [...]*retryablehttp.Client{decodeBody: calls, discardBody: calls, streamBody: streams}
	c := &Client{config: cfg}
	c.addServices()
	return c, nil
}

// BaseURL returns the base URL, without /api/v4 and without a trailing slash. It is "" for a
// client that was not made by [NewClient].
func (c *Client) BaseURL() string {
	if !c.made() {
		return ""
	}
	return c.config.base.String()
}

// URL returns the address of an endpoint of the instance, without a query and without a
// credential, for example for a link to a file of a package. It returns an [*ArgumentError] if
// [Route] was given something that it refuses.
func (c *Client) URL(e Endpoint) (string, error) {
	if err := c.knows(e); err != nil {
		return "", err
	}
	return c.config.url(e, "").String(), nil
}

// CloseIdleConnections closes the idle connections of this client, and with them
// those of all clients that share its connections.
func (c *Client) CloseIdleConnections() {
	if c == nil {
		return
	}
	for _, transport := range []http.RoundTripper{c.config.transport, c.config.streams} {
		if t, ok := transport.(interface{ CloseIdleConnections() }); ok {
			t.CloseIdleConnections()
		}
	}
}

// Format writes the base URL and the kind of the credential, for every verb.
func (c *Client) Format(f fmt.State, _ rune) {
	if c == nil || c.config.options.credential == nil {
		fmt.Fprint(f, "serviceapi.Client(none)")
		return
	}
	fmt.Fprintf(f, "serviceapi.Client(%s, %v)", c.BaseURL(), c.config.options.credential)
}

// LogValue returns the base URL and the kind of the credential.
func (c *Client) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }

// newHTTPClient returns the client that sends the attempts. It is never the
// caller's own, whose cookies and redirect rules would bypass ours.
func (c *config) newHTTPClient(transport http.RoundTripper) *http.Client {
	hc := &http.Client{
		Transport:     c.newGate(transport),
		CheckRedirect: redirects{c.base}.check,
	}
	if own := c.httpClient; own != nil {
		hc.Timeout = own.Timeout
	}
	return hc
}

func (c *config) newGate(transport http.RoundTripper) *gate {
	next := transport
	for _, m := range slices.Backward(c.middleware) {
		next = m(next)
	}
	return &gate{next: next, limiter: c.limiter, transport: transport}
}
