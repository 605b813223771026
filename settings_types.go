package serviceapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"sync"
	"time"

	"example.com/serviceapi/internal/jsonx"
	jsonv2 "github.com/go-json-experiment/json"
)

// ApplicationSettings are the settings of an instance. Text that is null is "", and a list
// that is null is nil. A setting that a release, an edition or a license does not have is
// nil, zero or "".
//
// Encoded as JSON, the settings have the members that the service sent, with the same
// values, except that a [Secret] is a placeholder.
type ApplicationSettings struct {
	ID        int64     `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`

	// SignupEnabled lets people sign up. With RequireAdminApprovalAfterUserSignup, an
	// administrator has to approve them.
	SignupEnabled                       bool `json:"signup_enabled"`
	RequireAdminApprovalAfterUserSignup bool `json:"require_admin_approval_after_user_signup"`
	// SendUserConfirmationEmail makes new users confirm their addresses. It is nil in later
	// releases, which have EmailConfirmationSetting instead.
	SendUserConfirmationEmail *bool `json:"send_user_confirmation_email"`
	// EmailConfirmationSetting says whether new users have to confirm their addresses. Since
	// 16.x.
	EmailConfirmationSetting EmailConfirmationSetting `json:"email_confirmation_setting"`
	// PasswordAuthenticationEnabledForWeb and PasswordAuthenticationEnabledForGit let users
	// sign in with a password, in the web application and with Git over HTTP.
	PasswordAuthenticationEnabledForWeb bool `json:"password_authentication_enabled_for_web"`
	PasswordAuthenticationEnabledForGit bool `json:"password_authentication_enabled_for_git"`
	// RequireTwoFactorAuthentication makes users set up a second factor within
	// TwoFactorGracePeriod hours.
	RequireTwoFactorAuthentication bool `json:"require_two_factor_authentication"`
	TwoFactorGracePeriod           int  `json:"two_factor_grace_period"`
	// AdminMode makes administrators sign in again before they can act as administrators.
	AdminMode bool `json:"admin_mode"`
	// UserDefaultExternal makes new users external, except those whose address matches the
	// regular expression UserDefaultInternalRegex.
	UserDefaultExternal      bool   `json:"user_default_external"`
	UserDefaultInternalRegex string `json:"user_default_internal_regex"`
	// UserOAuthApplications lets users register OAuth applications.
	UserOAuthApplications bool `json:"user_oauth_applications"`
	// UserShowAddSSHKeyMessage reminds users without an SSH key to add one.
	UserShowAddSSHKeyMessage bool `json:"user_show_add_ssh_key_message"`
	MinimumPasswordLength    int  `json:"minimum_password_length"` // characters
	// SessionExpireDelay is the time in minutes after which a session ends.
	SessionExpireDelay int `json:"session_expire_delay"`
	// DomainAllowlist has the domains of addresses that may register; empty means all.
	DomainAllowlist []string `json:"domain_allowlist"`
	// DomainDenylist has the domains of addresses that may not register, if
	// DomainDenylistEnabled is set.
	DomainDenylistEnabled bool     `json:"domain_denylist_enabled"`
	DomainDenylist        []string `json:"domain_denylist"`
	// EmailRestrictions is a regular expression. Addresses that match it may not register, if
	// EmailRestrictionsEnabled is set.
	EmailRestrictionsEnabled bool   `json:"email_restrictions_enabled"`
	EmailRestrictions        string `json:"email_restrictions"`
	// DisabledOAuthSignInSources are the providers that users cannot sign in with.
	DisabledOAuthSignInSources []string `json:"disabled_oauth_sign_in_sources"`
	// AfterSignOutPath is where users are sent when they sign out, and HomePageURL is where
	// visitors who are not signed in are sent.
	AfterSignOutPath string `json:"after_sign_out_path"`
	HomePageURL      string `json:"home_page_url"`
	// AfterSignUpText is shown to users who have just signed up.
	AfterSignUpText string `json:"after_sign_up_text"`
	// SignInText is "" in later releases, which have the texts of [Appearance] instead.
	SignInText string `json:"sign_in_text"`
	// HelpPageText is shown on the help page, whose link to support is HelpPageSupportURL.
	HelpPageText       string `json:"help_page_text"`
	HelpPageSupportURL string `json:"help_page_support_url"`

	// DefaultProjectVisibility, DefaultGroupVisibility and DefaultSnippetVisibility are the
	// visibilities of new projects, groups and snippets.
	DefaultProjectVisibility Visibility `json:"default_project_visibility"`
	DefaultGroupVisibility   Visibility `json:"default_group_visibility"`
	DefaultSnippetVisibility Visibility `json:"default_snippet_visibility"`
	// RestrictedVisibilityLevels are the visibilities that only administrators can choose.
	// Objects that already have them keep them.
	RestrictedVisibilityLevels []Visibility `json:"restricted_visibility_levels"`
	// DefaultProjectsLimit is the maximum number of projects that a new user may create in
	// their own namespace.
	DefaultProjectsLimit int `json:"default_projects_limit"`
	// DefaultBranchProtection protects the default branch of new projects. Since 17.0,
	// Extra has default_branch_protection_defaults, which is more detailed.
	DefaultBranchProtection BranchProtection `json:"default_branch_protection"`
	// DefaultProjectCreation says who may create projects in new groups.
	DefaultProjectCreation DefaultProjectCreation `json:"default_project_creation"`
	// DefaultBranchName, DefaultCIConfigPath and DefaultArtifactsExpireIn are the defaults
	// of new projects. The last is a duration such as "30 days".
	DefaultBranchName        string `json:"default_branch_name"`
	DefaultCIConfigPath      string `json:"default_ci_config_path"`
	DefaultArtifactsExpireIn string `json:"default_artifacts_expire_in"`
	// GravatarEnabled shows the pictures that users have at Gravatar.
	GravatarEnabled bool `json:"gravatar_enabled"`
	// CanCreateGroup lets new users create top-level groups. It is nil in earlier releases.
	CanCreateGroup *bool `json:"can_create_group"`
	// ProjectExportEnabled lets users export projects, and MirrorAvailable lets them mirror other
	// repositories.
	ProjectExportEnabled bool `json:"project_export_enabled"`
	MirrorAvailable      bool `json:"mirror_available"`
	// ImportSources are the sources that projects can be imported from, such as "git" and
	// "gitea".
	ImportSources []string `json:"import_sources"`
	// FirstDayOfWeek is Sunday, Monday or Saturday.
	FirstDayOfWeek time.Weekday `json:"first_day_of_week"`

	// EnabledGitAccessProtocol is the only protocol with which repositories can be reached.
	// "" means both, as [GitAccessProtocolAll] does since 16.9.
	EnabledGitAccessProtocol GitAccessProtocol `json:"enabled_git_access_protocol"`
	// RSAKeyRestriction and the following fields say which SSH keys users may have.
	RSAKeyRestriction       KeyRestriction `json:"rsa_key_restriction"`
	DSAKeyRestriction       KeyRestriction `json:"dsa_key_restriction"`
	ECDSAKeyRestriction     KeyRestriction `json:"ecdsa_key_restriction"`
	Ed25519KeyRestriction   KeyRestriction `json:"ed25519_key_restriction"`
	ECDSASKKeyRestriction   KeyRestriction `json:"ecdsa_sk_key_restriction"`
	Ed25519SKKeyRestriction KeyRestriction `json:"ed25519_sk_key_restriction"`
	// PersonalAccessTokenPrefix is what new personal access tokens begin with.
	PersonalAccessTokenPrefix string `json:"personal_access_token_prefix"`
	// RequirePersonalAccessTokenExpiry refuses new personal access tokens without an expiry
	// date. It is nil before 17.3.
	RequirePersonalAccessTokenExpiry *bool `json:"require_personal_access_token_expiry"`
	// MaxPersonalAccessTokenLifetime and MaxSSHKeyLifetime are in days; nil means no limit.
	// Premium.
	MaxPersonalAccessTokenLifetime *int `json:"max_personal_access_token_lifetime"`
	MaxSSHKeyLifetime              *int `json:"max_ssh_key_lifetime"`
	// ReceiveMaxInputSize limits a push, in megabytes; nil means no limit.
	ReceiveMaxInputSize *int64 `json:"receive_max_input_size"`

	// AutoDevOpsEnabled lets projects without a CI/CD configuration use that of Auto
	// DevOps, which deploys to AutoDevOpsDomain.
	AutoDevOpsEnabled bool   `json:"auto_devops_enabled"`
	AutoDevOpsDomain  string `json:"auto_devops_domain"`
	// SharedRunnersEnabled lets new projects use the runners of the instance.
	SharedRunnersEnabled bool `json:"shared_runners_enabled"`
	// SharedRunnersText tells users about the runners of the instance.
	SharedRunnersText string `json:"shared_runners_text"`
	// KeepLatestArtifact keeps the artifacts of the newest pipeline of each ref, even if they
	// have expired.
	KeepLatestArtifact bool `json:"keep_latest_artifact"`
	// ProtectedCIVariables makes new CI/CD variables protected.
	ProtectedCIVariables bool `json:"protected_ci_variables"`
	// MaxArtifactsSize limits the artifacts of a job, in megabytes.
	MaxArtifactsSize int64 `json:"max_artifacts_size"`
	// AllowRunnerRegistrationToken lets runners register with registration tokens. It is
	// nil before about 16.x.
	AllowRunnerRegistrationToken *bool `json:"allow_runner_registration_token"`
	// ValidRunnerRegistrars says who may create runners: "project" and "group". Only in
	// later releases.
	ValidRunnerRegistrars []string `json:"valid_runner_registrars"`

	// MaxAttachmentSize, MaxImportSize, MaxExportSize and MaxPagesSize are in megabytes; 0
	// means no limit for the last three.
	MaxAttachmentSize int64 `json:"max_attachment_size"`
	MaxImportSize     int64 `json:"max_import_size"`
	MaxExportSize     int64 `json:"max_export_size"`
	MaxPagesSize      int64 `json:"max_pages_size"`
	// SnippetSizeLimit and WikiPageMaxContentBytes are in bytes.
	SnippetSizeLimit        int64 `json:"snippet_size_limit"`
	WikiPageMaxContentBytes int64 `json:"wiki_page_max_content_bytes"`
	// IssuesCreateLimit, NotesCreateLimit, RawBlobRequestLimit and SearchRateLimit are
	// requests per minute; 0 means no limit.
	IssuesCreateLimit   int `json:"issues_create_limit"`
	NotesCreateLimit    int `json:"notes_create_limit"`
	RawBlobRequestLimit int `json:"raw_blob_request_limit"`
	SearchRateLimit     int `json:"search_rate_limit"`
	// TerminalMaxSessionTime limits a web terminal, in seconds; 0 means no limit.
	TerminalMaxSessionTime int64 `json:"terminal_max_session_time"`
	// PollingIntervalMultiplier multiplies the intervals at which pages poll for changes. 0
	// turns polling off.
	PollingIntervalMultiplier float64 `json:"polling_interval_multiplier"`
	// ThrottleAuthenticatedAPIEnabled limits each user to
	// ThrottleAuthenticatedAPIRequestsPerPeriod requests to the API in
	// ThrottleAuthenticatedAPIPeriodInSeconds. The fields after these limit, in the same
	// way, the requests of each signed-in user to pages and, for each IP address, the
	// requests without a user to pages and to the API.
	ThrottleAuthenticatedAPIEnabled             bool  `json:"throttle_authenticated_api_enabled"`
	ThrottleAuthenticatedAPIPeriodInSeconds     int64 `json:"throttle_authenticated_api_period_in_seconds"`
	ThrottleAuthenticatedAPIRequestsPerPeriod   int   `json:"throttle_authenticated_api_requests_per_period"`
	ThrottleAuthenticatedWebEnabled             bool  `json:"throttle_authenticated_web_enabled"`
	ThrottleAuthenticatedWebPeriodInSeconds     int64 `json:"throttle_authenticated_web_period_in_seconds"`
	ThrottleAuthenticatedWebRequestsPerPeriod   int   `json:"throttle_authenticated_web_requests_per_period"`
	ThrottleUnauthenticatedEnabled              bool  `json:"throttle_unauthenticated_enabled"`
	ThrottleUnauthenticatedPeriodInSeconds      int64 `json:"throttle_unauthenticated_period_in_seconds"`
	ThrottleUnauthenticatedRequestsPerPeriod    int   `json:"throttle_unauthenticated_requests_per_period"`
	ThrottleUnauthenticatedAPIEnabled           bool  `json:"throttle_unauthenticated_api_enabled"`
	ThrottleUnauthenticatedAPIPeriodInSeconds   int64 `json:"throttle_unauthenticated_api_period_in_seconds"`
	ThrottleUnauthenticatedAPIRequestsPerPeriod int   `json:"throttle_unauthenticated_api_requests_per_period"`

	// AllowLocalRequestsFromWebHooksAndServices and AllowLocalRequestsFromSystemHooks let
	// webhooks and system hooks reach the local network. OutboundLocalRequestsWhitelist has
	// the hosts and address ranges that they can reach anyway.
	AllowLocalRequestsFromWebHooksAndServices bool     `json:"allow_local_requests_from_web_hooks_and_services"`
	AllowLocalRequestsFromSystemHooks         bool     `json:"allow_local_requests_from_system_hooks"`
	OutboundLocalRequestsWhitelist            []string `json:"outbound_local_requests_whitelist"`
	// DNSRebindingProtectionEnabled makes sure that the address that was checked is the one that
	// is called.
	DNSRebindingProtectionEnabled bool `json:"dns_rebinding_protection_enabled"`
	// PlantUMLEnabled and KrokiEnabled turn on the drawing of diagrams in Markdown, by the
	// service at PlantUMLURL or KrokiURL.
	PlantUMLEnabled bool   `json:"plantuml_enabled"`
	PlantUMLURL     string `json:"plantuml_url"`
	KrokiEnabled    bool   `json:"kroki_enabled"`
	KrokiURL        string `json:"kroki_url"`
	// GitpodEnabled lets users open projects in Gitpod.
	GitpodEnabled bool `json:"gitpod_enabled"`
	// PrometheusMetricsEnabled collects metrics of the instance. UsagePingEnabled and
	// VersionCheckEnabled send statistics and the version to the vendor of the product.
	PrometheusMetricsEnabled bool `json:"prometheus_metrics_enabled"`
	UsagePingEnabled         bool `json:"usage_ping_enabled"`
	VersionCheckEnabled      bool `json:"version_check_enabled"`
	// ContainerExpirationPoliciesEnableHistoricEntries allows cleanup policies for projects
	// that are older than such policies.
	ContainerExpirationPoliciesEnableHistoricEntries bool `json:"container_expiration_policies_enable_historic_entries"`
	// ContainerRegistryTokenExpireDelay is the lifetime of a token of the registry, in
	// minutes.
	ContainerRegistryTokenExpireDelay int `json:"container_registry_token_expire_delay"`
	// RepositoryStoragesWeighted has the share of new projects that each storage gets, from
	// 0 to 100. RepositoryStorages has only the names, and is deprecated.
	RepositoryStoragesWeighted map[string]int `json:"repository_storages_weighted"`
	RepositoryStorages         []string       `json:"repository_storages"`
	// EnforceTerms makes users accept Terms, which are Markdown.
	EnforceTerms bool   `json:"enforce_terms"`
	Terms        string `json:"terms"`

	// AkismetAPIKey, SpamCheckAPIKey, ExternalPipelineValidationServiceToken and
	// StaticObjectsExternalStorageAuthToken are credentials for other services. The addresses
	// that they belong to are in Extra.
	AkismetAPIKey                          Secret `json:"akismet_api_key"`
	SpamCheckAPIKey                        Secret `json:"spam_check_api_key"`
	ExternalPipelineValidationServiceToken Secret `json:"external_pipeline_validation_service_token"`
	StaticObjectsExternalStorageAuthToken  Secret `json:"static_objects_external_storage_auth_token"`

	// DeletionAdjournedPeriod is the number of days after which an object that is marked
	// for deletion is deleted. It is nil if the instance does not have the setting.
	// Premium.
	DeletionAdjournedPeriod *int `json:"deletion_adjourned_period"`
	// DelayedProjectDeletion and DelayedGroupDeletion say whether deletion is delayed in
	// new groups. They are nil since 16.0, which removed them. Premium.
	DelayedProjectDeletion *bool `json:"delayed_project_deletion"`
	DelayedGroupDeletion   *bool `json:"delayed_group_deletion"`
	// DefaultProjectDeletionProtection lets only administrators delete projects. It is nil
	// if the instance does not have the setting. Premium.
	DefaultProjectDeletionProtection *bool `json:"default_project_deletion_protection"`
	// MaintenanceMode makes the instance read-only for all but administrators. It is nil if
	// the instance does not have the setting. Premium, like MaintenanceModeMessage.
	MaintenanceMode        *bool  `json:"maintenance_mode"`
	MaintenanceModeMessage string `json:"maintenance_mode_message"`
	// GeoNodeAllowedIPs are addresses and ranges, separated by commas. Premium.
	GeoNodeAllowedIPs string `json:"geo_node_allowed_ips"`
	// FileTemplateProjectID is the ID of the project with the file templates of the
	// instance. Nil means none. Premium.
	FileTemplateProjectID *int64 `json:"file_template_project_id"`
	// RepositorySizeLimit is the limit for each repository, in megabytes. Nil and 0 mean
	// no limit. Premium.
	RepositorySizeLimit *int64 `json:"repository_size_limit"`
	// SharedRunnersMinutes is the number of minutes per month for which the projects of a
	// top-level group may use the runners of the instance. Nil and 0 mean no limit.
	// Premium.
	SharedRunnersMinutes *int `json:"shared_runners_minutes"`

	// Extra has all other settings, by their names in the API. It may contain secrets,
	// which printing or encoding it reveals.
	Extra map[string]json.RawMessage `json:"-"`

	blanks settingBlanks
}

// settingBlanks are the members with a field that the service left out, and those that it sent
// as null although their fields cannot be nil, by the places of their fields.
type settingBlanks struct{ leftOut, null []int16 }

// of returns how the service sent the member at a place: left out, or as null.
func (b settingBlanks) of(place int) (leftOut, null bool) {
	_, leftOut = slices.BinarySearch(b.leftOut, int16(place))
	_, null = slices.BinarySearch(b.null, int16(place))
	return leftOut, null
}

// EmailConfirmationSetting says whether new users have to confirm their addresses.
type EmailConfirmationSetting string

// Kinds of confirmation. With EmailConfirmationSettingSoft, users can sign in for a few days
// without it; with EmailConfirmationSettingHard, they cannot.
const (
	EmailConfirmationSettingOff  EmailConfirmationSetting = "off"
	EmailConfirmationSettingSoft EmailConfirmationSetting = "soft"
	EmailConfirmationSettingHard EmailConfirmationSetting = "hard"
)

// DefaultProjectCreation says who may create projects in new groups.
type DefaultProjectCreation int

// Roles that may create projects: nobody, or everybody with at least this role.
// DefaultProjectCreationAdministrator and DefaultProjectCreationOwner exist in later
// releases.
const (
	DefaultProjectCreationNone          DefaultProjectCreation = 0
	DefaultProjectCreationMaintainer    DefaultProjectCreation = 1
	DefaultProjectCreationDeveloper     DefaultProjectCreation = 2
	DefaultProjectCreationAdministrator DefaultProjectCreation = 3
	DefaultProjectCreationOwner         DefaultProjectCreation = 4
)

// KeyRestriction says which SSH keys of one kind users may have. A positive number is the
// minimum length in bits.
type KeyRestriction int

// Restrictions without a length.
const (
	KeyRestrictionNone      KeyRestriction = 0  // keys of any length
	KeyRestrictionForbidden KeyRestriction = -1 // no keys
)

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (s *ApplicationSettings) UnmarshalJSON(data []byte) error {
	type plain ApplicationSettings
	var p struct {
		plain
		// PollingIntervalMultiplier is a number, or a string that contains one.
		PollingIntervalMultiplier Coverage `json:"polling_interval_multiplier"`
	}
	others, err := decodeWithExtra(data, &p)
	*s = ApplicationSettings(p.plain)
	s.PollingIntervalMultiplier = float64(p.PollingIntervalMultiplier)
	s.Extra = others
	s.noteBlanks(data, err != nil)
	return err
}

// noteBlanks notes the members without a value: what is written back must not have them. If
// some could not be decoded, they count as left out.
func (s *ApplicationSettings) noteBlanks(data []byte, partly bool) {
	members, v := settingMembers(), reflect.ValueOf(s).Elem()
	present := make([]bool, v.NumField())
	for name, raw := range jsonx.Members(data) {
		place, known := members[string(name)]
		switch {
		case !known:
		case jsonx.IsNull(raw):
			if present[place] = true; !isNilValue(v.Field(place)) {
				s.blanks.null = append(s.blanks.null, int16(place))
			}
		default:
			value := v.Field(place)
			present[place] = !partly || !value.IsZero() ||
				unmarshal(raw, reflect.New(value.Type()).Interface()) == nil
		}
	}
	slices.Sort(s.blanks.null)
	for _, place := range members {
		if !present[place] {
			s.blanks.leftOut = append(s.blanks.leftOut, int16(place))
		}
	}
	slices.Sort(s.blanks.leftOut)
}

// settingMembers returns the places of the fields that have a member, by its name.
var settingMembers = sync.OnceValue(func() map[string]int {
	places := make(map[string]int)
	for place, field := range reflect.VisibleFields(reflect.TypeFor[ApplicationSettings]()) {
		if name := field.Tag.Get("json"); name != "" && name != "-" {
			places[name] = place
		}
	}
	return places
})

// MarshalJSON encodes the members that were received, and those that were set since.
func (s ApplicationSettings) MarshalJSON() ([]byte, error) {
	type plain ApplicationSettings
	object, err := encodeWithExtra(plain(s), s.Extra)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := jsonv2.Unmarshal(object, &all, decodeOptions); err != nil {
		return nil, err
	}
	v := reflect.ValueOf(s)
	for name, place := range settingMembers() {
		leftOut, null := s.blanks.of(place)
		switch {
		case !v.Field(place).IsZero(): // it was set since
		case null, !leftOut && isNilValue(v.Field(place)):
			all[name] = json.RawMessage("null")
		case leftOut:
			delete(all, name)
		}
	}
	return jsonv2.Marshal(all, jsonv2.Deterministic(true))
}
