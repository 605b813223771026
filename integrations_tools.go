// Code generated from testdata/integrations.tsv by go generate; DO NOT EDIT.

package serviceapi

// AppleAppStoreIntegration is the integration "Apple App Store Connect". AppStoreIssuerID,
// AppStoreKeyID, AppStorePrivateKeyFileName and AppStorePrivateKey are required. Projects
// only. Since 15.8.
type AppleAppStoreIntegration struct {
	// AppStoreIssuerID is a UUID.
	AppStoreIssuerID           string `json:"app_store_issuer_id" required:"true"`
	AppStoreKeyID              string `json:"app_store_key_id" required:"true"`
	AppStorePrivateKeyFileName string `json:"app_store_private_key_file_name" required:"true"`
	// AppStorePrivateKey is the only secret of this kind, and the service returns it.
	AppStorePrivateKey Secret `json:"app_store_private_key" required:"true"`
	// AppStoreProtectedRefs limits the variables to protected branches and tags. True by
	// default.
	AppStoreProtectedRefs *bool `json:"app_store_protected_refs,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "apple-app-store".
func (AppleAppStoreIntegration) Slug() string { return "apple-app-store" }

// BambooIntegration is the integration "Atlassian Bamboo". BambooURL, BuildKey, Username
// and Password are required.
type BambooIntegration struct {
	BambooURL string `json:"bamboo_url" required:"true"`
	// BuildKey is never returned.
	BuildKey Secret `json:"build_key" required:"true"`
	Username string `json:"username" required:"true"`
	// Password is never returned.
	Password Secret `json:"password" required:"true"`
	// EnableSSLVerification is true by default.
	EnableSSLVerification *bool `json:"enable_ssl_verification,omitzero"`
	// These fields say which events the integration takes.
	PushEvents *bool `json:"push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "bamboo".
func (BambooIntegration) Slug() string { return "bamboo" }

// BuildkiteIntegration is the integration "Buildkite". ProjectURL and Token are required.
type BuildkiteIntegration struct {
	ProjectURL string `json:"project_url" required:"true"`
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	// EnableSSLVerification has no effect, and is always true in results.
	EnableSSLVerification *bool `json:"enable_ssl_verification,omitzero"`
	// These fields say which events the integration takes.
	PushEvents          *bool `json:"push_events,omitzero"`
	MergeRequestsEvents *bool `json:"merge_requests_events,omitzero"`
	TagPushEvents       *bool `json:"tag_push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "buildkite".
func (BuildkiteIntegration) Slug() string { return "buildkite" }

// DatadogIntegration is the integration "Datadog". APIKey is required.
type DatadogIntegration struct {
	// APIKey is never returned.
	APIKey Secret `json:"api_key" required:"true"`
	// DatadogSite is "datadoghq.com" by default. Either it or APIURL must be set.
	DatadogSite *string `json:"datadog_site,omitzero"`
	APIURL      *string `json:"api_url,omitzero"`
	// DatadogCIVisibility turns on the events of pipelines and jobs.
	DatadogCIVisibility *bool `json:"datadog_ci_visibility,omitzero"`
	// ArchiveTraceEvents needs DatadogCIVisibility.
	ArchiveTraceEvents *bool   `json:"archive_trace_events,omitzero"`
	DatadogService     *string `json:"datadog_service,omitzero"`
	DatadogEnv         *string `json:"datadog_env,omitzero"`
	// DatadogTags has one "key:value" on each line.
	DatadogTags *string `json:"datadog_tags,omitzero"`
	// These fields say which events the integration takes.
	PipelineEvents      *bool `json:"pipeline_events,omitzero"`
	PushEvents          *bool `json:"push_events,omitzero"`
	MergeRequestsEvents *bool `json:"merge_requests_events,omitzero"`
	NoteEvents          *bool `json:"note_events,omitzero"`
	TagPushEvents       *bool `json:"tag_push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "datadog".
func (DatadogIntegration) Slug() string { return "datadog" }

// DiffblueCoverIntegration is the integration "Diffblue Cover". DiffblueLicenseKey,
// DiffblueAccessTokenName and DiffblueAccessTokenSecret are required. Since about 16.9.
type DiffblueCoverIntegration struct {
	// DiffblueLicenseKey is never returned.
	DiffblueLicenseKey      Secret `json:"diffblue_license_key" required:"true"`
	DiffblueAccessTokenName string `json:"diffblue_access_token_name" required:"true"`
	// DiffblueAccessTokenSecret is never returned.
	DiffblueAccessTokenSecret Secret `json:"diffblue_access_token_secret" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "diffblue-cover".
func (DiffblueCoverIntegration) Slug() string { return "diffblue-cover" }

// DroneCIIntegration is the integration "Drone". DroneURL and Token are required.
type DroneCIIntegration struct {
	DroneURL string `json:"drone_url" required:"true"`
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	// EnableSSLVerification is true by default.
	EnableSSLVerification *bool `json:"enable_ssl_verification,omitzero"`
	// These fields say which events the integration takes.
	PushEvents          *bool `json:"push_events,omitzero"`
	MergeRequestsEvents *bool `json:"merge_requests_events,omitzero"`
	TagPushEvents       *bool `json:"tag_push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "drone-ci".
func (DroneCIIntegration) Slug() string { return "drone-ci" }

// GitGuardianIntegration is the integration "GitGuardian". Token is required. Premium.
// Since 16.9.
type GitGuardianIntegration struct {
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "git-guardian".
func (GitGuardianIntegration) Slug() string { return "git-guardian" }

// GitHubIntegration is the integration "GitHub". Token and RepositoryURL are required.
// Premium. Projects only.
type GitHubIntegration struct {
	// Token is never returned.
	Token         Secret `json:"token" required:"true"`
	RepositoryURL string `json:"repository_url" required:"true"`
	// StaticContext names the branch of the service in statuses. True by default.
	StaticContext *bool `json:"static_context,omitzero"`
	// These fields say which events the integration takes.
	PipelineEvents *bool `json:"pipeline_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "github".
func (GitHubIntegration) Slug() string { return "github" }

// GoogleArtifactRegistryIntegration is the integration "Google Artifact Management".
// ArtifactRegistryProjectID, ArtifactRegistryLocation and ArtifactRegistryRepositories are
// required. Only the hosted offering has it. Projects only. Since 16.9.
type GoogleArtifactRegistryIntegration struct {
	ArtifactRegistryProjectID    string `json:"artifact_registry_project_id" required:"true"`
	ArtifactRegistryLocation     string `json:"artifact_registry_location" required:"true"`
	ArtifactRegistryRepositories string `json:"artifact_registry_repositories" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "google-cloud-platform-artifact-registry".
func (GoogleArtifactRegistryIntegration) Slug() string {
	return "google-cloud-platform-artifact-registry"
}

// GoogleWorkloadIdentityIntegration is the integration "Google Cloud IAM".
// WorkloadIdentityFederationProjectID, WorkloadIdentityFederationProjectNumber,
// WorkloadIdentityPoolID and WorkloadIdentityPoolProviderID are required. Only the hosted
// offering has it. Since 16.10.
type GoogleWorkloadIdentityIntegration struct {
	WorkloadIdentityFederationProjectID string `json:"workload_identity_federation_project_id" required:"true"`
	// WorkloadIdentityFederationProjectNumber has digits, as text.
	WorkloadIdentityFederationProjectNumber string `json:"workload_identity_federation_project_number" required:"true"`
	WorkloadIdentityPoolID                  string `json:"workload_identity_pool_id" required:"true"`
	WorkloadIdentityPoolProviderID          string `json:"workload_identity_pool_provider_id" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "google-cloud-platform-workload-identity-federation".
func (GoogleWorkloadIdentityIntegration) Slug() string {
	return "google-cloud-platform-workload-identity-federation"
}

// GooglePlayIntegration is the integration "Google Play". PackageName,
// ServiceAccountKeyFileName and ServiceAccountKey are required. Projects only. Since
// 15.10.
type GooglePlayIntegration struct {
	PackageName               string `json:"package_name" required:"true"`
	ServiceAccountKeyFileName string `json:"service_account_key_file_name" required:"true"`
	// ServiceAccountKey is JSON, and the service returns it.
	ServiceAccountKey Secret `json:"service_account_key" required:"true"`
	// GooglePlayProtectedRefs limits the variables to protected branches and tags. True by
	// default.
	GooglePlayProtectedRefs *bool `json:"google_play_protected_refs,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "google-play".
func (GooglePlayIntegration) Slug() string { return "google-play" }

// HarborIntegration is the integration "Harbor". URL, ProjectName, Username and Password
// are required.
type HarborIntegration struct {
	URL string `json:"url" required:"true"`
	// ProjectName has up to 255 small letters.
	ProjectName string `json:"project_name" required:"true"`
	Username    string `json:"username" required:"true"`
	// Password is never returned.
	Password Secret `json:"password" required:"true"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "harbor".
func (HarborIntegration) Slug() string { return "harbor" }

// JenkinsIntegration is the integration "Jenkins". JenkinsURL and ProjectName are
// required. Projects only. At first, only pushes are on.
type JenkinsIntegration struct {
	JenkinsURL  string `json:"jenkins_url" required:"true"`
	ProjectName string `json:"project_name" required:"true"`
	// Username goes together with Password.
	Username *string `json:"username,omitzero"`
	// Password is never returned.
	Password              *Secret `json:"password,omitzero"`
	EnableSSLVerification *bool   `json:"enable_ssl_verification,omitzero"`
	// These fields say which events the integration takes.
	PushEvents          *bool `json:"push_events,omitzero"`
	MergeRequestsEvents *bool `json:"merge_requests_events,omitzero"`
	TagPushEvents       *bool `json:"tag_push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "jenkins".
func (JenkinsIntegration) Slug() string { return "jenkins" }

// PackagistIntegration is the integration "Packagist". Username and Token are required.
type PackagistIntegration struct {
	Username string `json:"username" required:"true"`
	// Token is never returned.
	Token Secret `json:"token" required:"true"`
	// Server is "https://packagist.org" by default.
	Server *string `json:"server,omitzero"`
	// These fields say which events the integration takes.
	PushEvents          *bool `json:"push_events,omitzero"`
	MergeRequestsEvents *bool `json:"merge_requests_events,omitzero"`
	TagPushEvents       *bool `json:"tag_push_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "packagist".
func (PackagistIntegration) Slug() string { return "packagist" }

// TeamCityIntegration is the integration "JetBrains TeamCity". TeamcityURL, BuildType,
// Username and Password are required.
type TeamCityIntegration struct {
	TeamcityURL string `json:"teamcity_url" required:"true"`
	BuildType   string `json:"build_type" required:"true"`
	Username    string `json:"username" required:"true"`
	// Password is never returned.
	Password Secret `json:"password" required:"true"`
	// EnableSSLVerification is true by default.
	EnableSSLVerification *bool `json:"enable_ssl_verification,omitzero"`
	// These fields say which events the integration takes.
	PushEvents          *bool `json:"push_events,omitzero"`
	MergeRequestsEvents *bool `json:"merge_requests_events,omitzero"`
	// UseInheritedSettings is as in [IntegrationsService.Set].
	UseInheritedSettings bool `json:"use_inherited_settings"`
}

// Slug returns "teamcity".
func (TeamCityIntegration) Slug() string { return "teamcity" }
