// Package serviceapi is a client for the Service API: the REST API of a platform
// that hosts projects and delivers software.
//
//	client, err := serviceapi.NewClient("https://service.example.com",
//		serviceapi.PrivateToken(token))
//	if err != nil {
//		return err
//	}
//	shop := serviceapi.ProjectPath("acme/shop")
//	for job, err := range client.Jobs.All(ctx, shop, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(job.ID, job.Name, job.Status)
//	}
//
// A [Client] has a field for each service, and each service has a method for
// each endpoint. The comment of a method ends with the endpoint that it calls.
// A Client is safe for concurrent use, and [Client.With] derives variants of it
// that share its connections. Comments also say what a call needs: a role in a project or a
// group, an administrator, or one of the paid tiers of the service, Premium and Ultimate.
// Ultimate includes Premium.
//
// # Services
//
// Build and test:
//
//   - Run and cancel pipelines, read test reports: [PipelinesService]
//   - Start pipelines with a token, and at certain times: [TriggersService],
//     [PipelineSchedulesService]
//   - Check configurations: [LintService]
//   - List, retry and wait for jobs: [JobsService]
//   - Read and follow the log of a job: [JobsService.Trace], [JobsService.Follow]
//   - Download, keep and delete artifacts: [JobArtifactsService]
//   - Register, pause and assign runners: [RunnersService]
//   - Let programs decide which jobs runners take: [RunnerControllersService]
//   - Set CI/CD variables: [VariablesService]
//   - Keep keystores and certificates for jobs: [SecureFilesService]
//   - List, read, write and lock Terraform states: [TerraformStatesService]
//
// Deliver:
//
//   - List and clean container registries, and purge caches of images: [RegistryService],
//     [DependencyProxyService]
//   - List the catalog of a whole registry: [NewRegistryCatalog]
//   - Create and stop environments: [EnvironmentsService]
//   - Record, wait for and approve deployments, and measure them: [DeploymentsService],
//     [DORAMetricsService]
//   - Publish releases: [ReleasesService]
//   - Roll features out: [FeatureFlagsService]
//   - Say when not to deploy, and in which order: [FreezePeriodsService],
//     [ResourceGroupsService]
//   - Connect Kubernetes clusters: [ClusterAgentsService]
//   - Publish CI components, and read how artifacts were built: [CatalogService],
//     [AttestationsService]
//   - Say who may deploy, and whose approval a deployment needs:
//     [ProtectedEnvironmentsService]
//   - Manage static sites and their domains: [PagesService]
//   - Publish, download and delete packages: [PackagesService]
//   - Say who may push and delete packages and images: [ProtectionRulesService]
//
// Change code:
//
//   - Create commits, cherry-pick, revert, set statuses: [CommitsService]
//   - Read and write single files: [RepositoryFilesService]
//   - List a tree, compare refs, download an archive: [RepositoryService]
//   - Create and delete branches and tags: [BranchesService], [TagsService]
//   - Manage deploy keys: [DeployKeysService]
//   - Protect branches and tags, and set rules for commits: [ProtectedBranchesService],
//     [ProtectedTagsService], [PushRulesService]
//   - Choose the target of merge requests: [TargetBranchRulesService]
//   - Mirror repositories: [MirrorsService]
//   - See what scanners have found, and what a project uses: [VulnerabilitiesService],
//     [VulnerabilityExportsService], [DependenciesService]
//
// Review and plan:
//
//   - Open, rebase and merge merge requests: [MergeRequestsService], [MergeTrainsService]
//   - Approve merge requests, say who must: [ApprovalsService], [StatusChecksService]
//   - Comment, discuss lines of a diff, apply what was suggested: [NotesService],
//     [DiscussionsService], [SuggestionsService]
//   - See who changed the labels, the state or the plan of an issue: [ResourceEventsService]
//   - See what a user did, or what the caller has to do: [EventsService], [TodosService]
//   - Search, and upload files for comments and other texts: [SearchService],
//     [UploadsService]
//   - React with an emoji: [AwardEmojiService]
//   - Publish the comments of a review together: [DraftNotesService]
//   - Track work: [IssuesService], [EpicsService], [MilestonesService],
//     [IterationsService], [LabelsService]
//   - Issues, tasks and epics in one form: [WorkItemsService]
//   - Say which issues belong together, and which block others: [IssueLinksService]
//   - Sort issues and epics into the lists of a board: [BoardsService], [EpicBoardsService]
//   - Put issues and epics into an epic in order, and link epics: [EpicsService]
//   - Estimate work, and say how long it took: [TimeTrackingService]
//   - Show what was measured during an incident, collect the errors of programs:
//     [MetricImagesService], [ErrorTrackingService]
//   - Count what is new in a group: [GroupActivityService]
//   - Share snippets, write a wiki: [SnippetsService], [WikisService]
//   - Render Markdown, and begin files with a template: [MarkdownService], [TemplatesService]
//   - Receive events: [HooksService], [example.com/serviceapi/webhook]
//
// Manage projects and people:
//
//   - Create, find, change and delete projects and groups: [ProjectsService],
//     [GroupsService], [NamespacesService]
//   - Say what projects are about, and show badges on their pages: [TopicsService],
//     [BadgesService]
//   - Add and remove members: [MembersService]
//   - Invite people, and let them ask for access: [InvitationsService],
//     [AccessRequestsService]
//   - Attach attributes to users, groups and projects: [CustomAttributesService]
//   - Create, change and block users, manage their keys and addresses: [UsersService],
//     [SSHKeysService], [GPGKeysService], [EmailsService]
//   - Issue, rotate and revoke access tokens: [AccessTokensService]
//   - Create accounts for programs: [ServiceAccountsService]
//   - Issue tokens for Git and registries: [DeployTokensService]
//   - Limit what CI jobs of other projects can reach, and refuse secrets in
//     pushes: [JobTokenScopeService], [SecuritySettingsService]
//   - Sign in on a terminal, revoke and examine OAuth2 tokens: [OAuthService]
//   - Provision users from an identity provider, and say who they are there: [SCIMService],
//     [IdentitiesService]
//   - Manage the accounts and the credentials of an enterprise: [EnterpriseUsersService],
//     [CredentialsService]
//   - Define custom roles, accept SSH certificates: [MemberRolesService],
//     [SSHCertificatesService]
//   - Choose what emails tell about: [NotificationSettingsService]
//   - Let groups have the members of groups elsewhere: [LDAPLinksService], [SAMLLinksService]
//   - Read audit events: [AuditEventsService]
//
// Administer the instance:
//
//   - Export and import projects: [ProjectExportService],
//     [ProjectImportService]; both at once: [MigrateProject]
//   - Export and import groups: [GroupExportService], [GroupsService]
//   - Move repositories to another storage, and give projects other names:
//     [StorageMovesService], [ProjectAliasesService]
//   - Move groups and projects here from another instance: [BulkImportsService]; export
//     one relation at a time: [RelationsExportService]
//   - Change its settings and its appearance: [SettingsService]
//   - Ask for the version: [MetadataService]
//   - Register OAuth applications, manage licenses: [ApplicationsService], [LicenseService]
//   - Connect projects and groups with chats and trackers: [IntegrationsService]
//   - Tell everybody something, turn features on, limit what plans have:
//     [BroadcastMessagesService], [FeaturesService], [PlanLimitsService]
//   - Look at jobs, migrations, use and copies of the instance: [SidekiqService],
//     [MigrationsService], [UsageDataService], [GeoSitesService]
//   - End a token that leaked: [TokenInformationService]
//
// Anything else:
//
//   - Query the GraphQL API: [GraphQLService], [GraphQLAll]
//   - Call an endpoint without a method: [Client.Do], [Get], [List], [All]
//
// # Authentication
//
// A [Credential] is a [PrivateToken], [BearerToken], [JobToken], [OAuth2] token
// source, [SessionCookie], or [Anonymous]. [FromEnv] reads it from the
// environment. [WithCredential] replaces it for one call, and [WithSudo] lets an
// administrator act as another user. A credential is sent in a header, and only
// to the origin of the base URL, whatever redirects and links say. It is never
// printed, and neither is a [Secret], such as a token in a result or the value of
// a CI/CD variable.
//
// # Owners
//
// A project is identified by a [ProjectRef], ProjectID(42) or ProjectPath("acme/shop"), a
// group by a [GroupRef], GroupID(7) or GroupPath("acme"), and a user by a [UserRef],
// UserID(3) or Username("ada"). All other IDs are int64. The method Ref of a result returns
// its reference, and [ParseProjectRef] makes one from a flag that holds an ID or a path;
// [Client.ParseProjectRef] also takes the address of a page.
//
// Merge requests, issues and epics have a number in their project or group (IID), and a
// reference that is made from it: project.MergeRequest(7), project.Issue(12) and
// group.Epic(5).
//
// The owner of an object, which is what it belongs to, is the first argument after the
// context. If the API has the same objects under several kinds of owners, the owner is an
// interface such as [MemberOwner], whose comment lists the kinds. [Instance] is the whole
// instance, and [Own] is the caller. An owner of another kind does not compile. The comment
// of an options field that only some owners accept says so. For the others, setting the
// field is an [*ArgumentError]. Notes and discussions belong to something in a project or
// group, such as project.Issue(12).
//
// # Optional values
//
// Options that become a query are passed as a pointer, which may be nil, to a
// struct of plain fields; zero fields are not sent. Options that become a body
// are passed by value. Their optional fields are pointers (write new(true)),
// slices and maps: nil is not sent, and an empty value clears. [Nullable] fields
// can also be sent as null.
//
// In a response, text is a plain string, in which null is "", unless a program
// must tell the two apart. Times, numbers and booleans are pointers exactly where
// the service may send null or leave them out, and objects are pointers.
//
// Enumerations are string types with constants for the documented values.
// Values that the library does not know pass through unchanged in both
// directions.
//
// # Reading the documentation
//
// go doc serviceapi.JobsService cuts long signatures, so the comment of each service names
// its options and an example. go doc -all serviceapi.JobStatus shows the constants of an
// enumeration.
//
// # Lists
//
// A List… method returns one page; its [Response] has the total numbers of pages
// and items. The All… method next to it returns a sequence over all pages, which
// are fetched while they are consumed, one page ahead. [WithConcurrentPages]
// fetches several at once and keeps the order. [Collect] gathers a sequence into
// a slice. Offset and keyset pagination look the same; [Response.NextPageToken]
// continues either one.
//
// # Errors
//
// An error response is an [*Error] with the status, the message and the details that the
// service sent. Test its status with errors.Is and a sentinel such as [ErrNotFound].
// [*RateLimitError], [*InsufficientScopeError], [*InsufficientGranularScopeError] and the
// error types of single areas say more, and unwrap to *Error. A call that got no response
// returns a [*TransportError], a response that cannot be decoded a [*DecodeError], a
// redirect that was not followed a [*RedirectError], and an argument that was refused before
// anything was sent an [*ArgumentError]. A [*RefreshError] that one of these wraps says why
// there was no OAuth2 token. A method that waits for something that then fails returns an
// error with the object as last seen, such as a [*ProjectImportError], which wraps nothing.
//
// Unless a method says otherwise, its result is nil on error. The [*Response] is
// nil if there was no response, as with an *ArgumentError or a failed connection.
// With an *Error it is not nil, and has the status, the header and the request
// ID.
//
// If single fields of a response have an unexpected type, the method returns the
// result without them, and a [*DecodeError] whose field Partial is true.
//
// # Retries
//
// Reads are tried up to five times. Writes are repeated only if the service certainly did
// not execute the first attempt; see [RetryPolicy] and [WithRetry]. [MayHaveExecuted]
// reports whether a write that failed may have been executed. The Retry-After and
// RateLimit-Reset headers of the service are honored. If the wait would exceed the policy's
// maximum or the context's deadline, the call returns at once.
//
// # Transfers
//
// A [Download] is a stream. If the connection breaks, the download resumes where it
// stopped, or ends with an error if that is impossible; it never ends early without one.
// [SaveFile] downloads to a file, and continues where an earlier run of the program was
// interrupted. [JobsService.Follow] yields the lines of a job's log while the job runs. An
// [Upload] is streamed too, and is sent again only if its source can seek. [WithProgress]
// reports the progress of both.
//
// # Waiting
//
// Where the service finishes something later, a method such as [JobsService.Wait] polls
// until it is done. The context bounds the wait; there is no other limit.
// [WithPollInterval] sets how often it polls, and [WithPollObserver] shows what it sees.
//
// # More than the methods offer
//
// [WithQuery], [WithBodyField] and [WithHeader] send parameters that an options struct does
// not have, and [WithRawJSON] returns the fields that a result does not have.
// [WithMiddleware] wraps the transport; [Operation] tells a middleware which endpoint is
// being called. [WithLogger] and [WithDump] show what is sent and received. Set a proxy, a
// custom CA or client certificates in a [DefaultTransport].
//
// # Testing
//
// Package [example.com/serviceapi/servicetest] is an in-memory implementation of
// the API, for tests of programs that use this library or another client of it.
package serviceapi
