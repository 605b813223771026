package serviceapi

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/redact"
	"example.com/serviceapi/internal/text"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UpdateApplicationSettingsOptions changes the settings of the instance. Fields that are
// nil or absent are left unchanged; at least one must be set. See [ApplicationSettings] for
// what they mean. Null clears a text, or a number that is a limit. A setting that the
// release, the edition or the license does not have is ignored: compare what
// [SettingsService.Update] returns.
type UpdateApplicationSettingsOptions struct {
	// SignupEnabled and the following fields control how users sign up and sign in.
	// SessionExpireDelay is in minutes, TwoFactorGracePeriod in hours.
	SignupEnabled                       *bool                     `json:"signup_enabled,omitzero"`
	RequireAdminApprovalAfterUserSignup *bool                     `json:"require_admin_approval_after_user_signup,omitzero"`
	SendUserConfirmationEmail           *bool                     `json:"send_user_confirmation_email,omitzero"`
	EmailConfirmationSetting            *EmailConfirmationSetting `json:"email_confirmation_setting,omitzero"`
	PasswordAuthenticationEnabledForWeb *bool                     `json:"password_authentication_enabled_for_web,omitzero"`
	PasswordAuthenticationEnabledForGit *bool                     `json:"password_authentication_enabled_for_git,omitzero"`
	RequireTwoFactorAuthentication      *bool                     `json:"require_two_factor_authentication,omitzero"`
	TwoFactorGracePeriod                *int                      `json:"two_factor_grace_period,omitzero"`
	AdminMode                           *bool                     `json:"admin_mode,omitzero"`
	UserDefaultExternal                 *bool                     `json:"user_default_external,omitzero"`
	UserDefaultInternalRegex            Nullable[string]          `json:"user_default_internal_regex,omitzero"`
	UserOAuthApplications               *bool                     `json:"user_oauth_applications,omitzero"`
	UserShowAddSSHKeyMessage            *bool                     `json:"user_show_add_ssh_key_message,omitzero"`
	MinimumPasswordLength               *int                      `json:"minimum_password_length,omitzero"`
	SessionExpireDelay                  *int                      `json:"session_expire_delay,omitzero"`
	// DomainAllowlist and the other lists replace those of the instance: an empty list
	// removes all entries.
	DomainAllowlist            []string         `json:"domain_allowlist,omitzero"`
	DomainDenylistEnabled      *bool            `json:"domain_denylist_enabled,omitzero"`
	DomainDenylist             []string         `json:"domain_denylist,omitzero"`
	EmailRestrictionsEnabled   *bool            `json:"email_restrictions_enabled,omitzero"`
	EmailRestrictions          Nullable[string] `json:"email_restrictions,omitzero"`
	DisabledOAuthSignInSources []string         `json:"disabled_oauth_sign_in_sources,omitzero"`
	AfterSignOutPath           Nullable[string] `json:"after_sign_out_path,omitzero"`
	HomePageURL                Nullable[string] `json:"home_page_url,omitzero"`
	AfterSignUpText            Nullable[string] `json:"after_sign_up_text,omitzero"`
	SignInText                 Nullable[string] `json:"sign_in_text,omitzero"`
	HelpPageText               Nullable[string] `json:"help_page_text,omitzero"`
	HelpPageSupportURL         Nullable[string] `json:"help_page_support_url,omitzero"`

	// DefaultProjectVisibility and the following fields apply to what is created from now
	// on.
	DefaultProjectVisibility *Visibility `json:"default_project_visibility,omitzero"`
	DefaultGroupVisibility   *Visibility `json:"default_group_visibility,omitzero"`
	DefaultSnippetVisibility *Visibility `json:"default_snippet_visibility,omitzero"`
	// RestrictedVisibilityLevels restricts nothing if it is an empty slice that is not nil.
	RestrictedVisibilityLevels []Visibility            `json:"restricted_visibility_levels,omitzero"`
	DefaultProjectsLimit       *int                    `json:"default_projects_limit,omitzero"`
	DefaultBranchProtection    *BranchProtection       `json:"default_branch_protection,omitzero"`
	DefaultProjectCreation     *DefaultProjectCreation `json:"default_project_creation,omitzero"`
	DefaultBranchName          Nullable[string]        `json:"default_branch_name,omitzero"`
	DefaultCIConfigPath        Nullable[string]        `json:"default_ci_config_path,omitzero"`
	DefaultArtifactsExpireIn   Nullable[string]        `json:"default_artifacts_expire_in,omitzero"`
	GravatarEnabled            *bool                   `json:"gravatar_enabled,omitzero"`
	CanCreateGroup             *bool                   `json:"can_create_group,omitzero"`
	ProjectExportEnabled       *bool                   `json:"project_export_enabled,omitzero"`
	MirrorAvailable            *bool                   `json:"mirror_available,omitzero"`
	ImportSources              []string                `json:"import_sources,omitzero"`
	FirstDayOfWeek             *time.Weekday           `json:"first_day_of_week,omitzero"`

	// EnabledGitAccessProtocol allows both protocols if it is null.
	EnabledGitAccessProtocol Nullable[GitAccessProtocol] `json:"enabled_git_access_protocol,omitzero"`
	// RSAKeyRestriction and the following fields apply to keys that are added from now on.
	RSAKeyRestriction                *KeyRestriction  `json:"rsa_key_restriction,omitzero"`
	DSAKeyRestriction                *KeyRestriction  `json:"dsa_key_restriction,omitzero"`
	ECDSAKeyRestriction              *KeyRestriction  `json:"ecdsa_key_restriction,omitzero"`
	Ed25519KeyRestriction            *KeyRestriction  `json:"ed25519_key_restriction,omitzero"`
	ECDSASKKeyRestriction            *KeyRestriction  `json:"ecdsa_sk_key_restriction,omitzero"`
	Ed25519SKKeyRestriction          *KeyRestriction  `json:"ed25519_sk_key_restriction,omitzero"`
	PersonalAccessTokenPrefix        Nullable[string] `json:"personal_access_token_prefix,omitzero"`
	RequirePersonalAccessTokenExpiry *bool            `json:"require_personal_access_token_expiry,omitzero"`
	// MaxPersonalAccessTokenLifetime and MaxSSHKeyLifetime are in days, and
	// ReceiveMaxInputSize is in megabytes. Null removes the limit.
	MaxPersonalAccessTokenLifetime Nullable[int]   `json:"max_personal_access_token_lifetime,omitzero"`
	MaxSSHKeyLifetime              Nullable[int]   `json:"max_ssh_key_lifetime,omitzero"`
	ReceiveMaxInputSize            Nullable[int64] `json:"receive_max_input_size,omitzero"`

	AutoDevOpsEnabled            *bool            `json:"auto_devops_enabled,omitzero"`
	AutoDevOpsDomain             Nullable[string] `json:"auto_devops_domain,omitzero"`
	SharedRunnersEnabled         *bool            `json:"shared_runners_enabled,omitzero"`
	SharedRunnersText            Nullable[string] `json:"shared_runners_text,omitzero"`
	KeepLatestArtifact           *bool            `json:"keep_latest_artifact,omitzero"`
	ProtectedCIVariables         *bool            `json:"protected_ci_variables,omitzero"`
	MaxArtifactsSize             *int64           `json:"max_artifacts_size,omitzero"`
	AllowRunnerRegistrationToken *bool            `json:"allow_runner_registration_token,omitzero"`
	ValidRunnerRegistrars        []string         `json:"valid_runner_registrars,omitzero"`

	// MaxAttachmentSize and the sizes after it are in megabytes, except SnippetSizeLimit
	// and WikiPageMaxContentBytes, which are in bytes.
	MaxAttachmentSize                           *int64   `json:"max_attachment_size,omitzero"`
	MaxImportSize                               *int64   `json:"max_import_size,omitzero"`
	MaxExportSize                               *int64   `json:"max_export_size,omitzero"`
	MaxPagesSize                                *int64   `json:"max_pages_size,omitzero"`
	SnippetSizeLimit                            *int64   `json:"snippet_size_limit,omitzero"`
	WikiPageMaxContentBytes                     *int64   `json:"wiki_page_max_content_bytes,omitzero"`
	IssuesCreateLimit                           *int     `json:"issues_create_limit,omitzero"`
	NotesCreateLimit                            *int     `json:"notes_create_limit,omitzero"`
	RawBlobRequestLimit                         *int     `json:"raw_blob_request_limit,omitzero"`
	SearchRateLimit                             *int     `json:"search_rate_limit,omitzero"`
	TerminalMaxSessionTime                      *int64   `json:"terminal_max_session_time,omitzero"`
	PollingIntervalMultiplier                   *float64 `json:"polling_interval_multiplier,omitzero"`
	ThrottleAuthenticatedAPIEnabled             *bool    `json:"throttle_authenticated_api_enabled,omitzero"`
	ThrottleAuthenticatedAPIPeriodInSeconds     *int64   `json:"throttle_authenticated_api_period_in_seconds,omitzero"`
	ThrottleAuthenticatedAPIRequestsPerPeriod   *int     `json:"throttle_authenticated_api_requests_per_period,omitzero"`
	ThrottleAuthenticatedWebEnabled             *bool    `json:"throttle_authenticated_web_enabled,omitzero"`
	ThrottleAuthenticatedWebPeriodInSeconds     *int64   `json:"throttle_authenticated_web_period_in_seconds,omitzero"`
	ThrottleAuthenticatedWebRequestsPerPeriod   *int     `json:"throttle_authenticated_web_requests_per_period,omitzero"`
	ThrottleUnauthenticatedEnabled              *bool    `json:"throttle_unauthenticated_enabled,omitzero"`
	ThrottleUnauthenticatedPeriodInSeconds      *int64   `json:"throttle_unauthenticated_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedRequestsPerPeriod    *int     `json:"throttle_unauthenticated_requests_per_period,omitzero"`
	ThrottleUnauthenticatedAPIEnabled           *bool    `json:"throttle_unauthenticated_api_enabled,omitzero"`
	ThrottleUnauthenticatedAPIPeriodInSeconds   *int64   `json:"throttle_unauthenticated_api_period_in_seconds,omitzero"`
	ThrottleUnauthenticatedAPIRequestsPerPeriod *int     `json:"throttle_unauthenticated_api_requests_per_period,omitzero"`

	AllowLocalRequestsFromWebHooksAndServices *bool    `json:"allow_local_requests_from_web_hooks_and_services,omitzero"`
	AllowLocalRequestsFromSystemHooks         *bool    `json:"allow_local_requests_from_system_hooks,omitzero"`
	OutboundLocalRequestsWhitelist            []string `json:"outbound_local_requests_whitelist,omitzero"`
	DNSRebindingProtectionEnabled             *bool    `json:"dns_rebinding_protection_enabled,omitzero"`
	// PlantUMLEnabled requires PlantUMLURL in the same call, and KrokiEnabled requires
	// KrokiURL.
	PlantUMLEnabled                                  *bool            `json:"plantuml_enabled,omitzero"`
	PlantUMLURL                                      Nullable[string] `json:"plantuml_url,omitzero"`
	KrokiEnabled                                     *bool            `json:"kroki_enabled,omitzero"`
	KrokiURL                                         Nullable[string] `json:"kroki_url,omitzero"`
	GitpodEnabled                                    *bool            `json:"gitpod_enabled,omitzero"`
	PrometheusMetricsEnabled                         *bool            `json:"prometheus_metrics_enabled,omitzero"`
	UsagePingEnabled                                 *bool            `json:"usage_ping_enabled,omitzero"`
	VersionCheckEnabled                              *bool            `json:"version_check_enabled,omitzero"`
	ContainerExpirationPoliciesEnableHistoricEntries *bool            `json:"container_expiration_policies_enable_historic_entries,omitzero"`
	ContainerRegistryTokenExpireDelay                *int             `json:"container_registry_token_expire_delay,omitzero"`
	RepositoryStoragesWeighted                       map[string]int   `json:"repository_storages_weighted,omitzero"`
	RepositoryStorages                               []string         `json:"repository_storages,omitzero"`
	// EnforceTerms requires Terms in the same call.
	EnforceTerms *bool            `json:"enforce_terms,omitzero"`
	Terms        Nullable[string] `json:"terms,omitzero"`

	// AkismetAPIKey and the following fields are credentials for other services. No error
	// and no dump shows them.
	AkismetAPIKey                          Nullable[Secret] `json:"akismet_api_key,omitzero"`
	SpamCheckAPIKey                        Nullable[Secret] `json:"spam_check_api_key,omitzero"`
	ExternalPipelineValidationServiceToken Nullable[Secret] `json:"external_pipeline_validation_service_token,omitzero"`
	StaticObjectsExternalStorageAuthToken  Nullable[Secret] `json:"static_objects_external_storage_auth_token,omitzero"`
	// AssetProxySecretKey and EKSSecretAccessKey are never returned.
	AssetProxySecretKey Nullable[Secret] `json:"asset_proxy_secret_key,omitzero"`
	EKSSecretAccessKey  Nullable[Secret] `json:"eks_secret_access_key,omitzero"`

	// DeletionAdjournedPeriod is in days. It and the following fields are premium.
	DeletionAdjournedPeriod          *int             `json:"deletion_adjourned_period,omitzero"`
	DelayedProjectDeletion           *bool            `json:"delayed_project_deletion,omitzero"`
	DelayedGroupDeletion             *bool            `json:"delayed_group_deletion,omitzero"`
	DefaultProjectDeletionProtection *bool            `json:"default_project_deletion_protection,omitzero"`
	MaintenanceMode                  *bool            `json:"maintenance_mode,omitzero"`
	MaintenanceModeMessage           Nullable[string] `json:"maintenance_mode_message,omitzero"`
	GeoNodeAllowedIPs                Nullable[string] `json:"geo_node_allowed_ips,omitzero"`
	FileTemplateProjectID            Nullable[int64]  `json:"file_template_project_id,omitzero"`
	RepositorySizeLimit              Nullable[int64]  `json:"repository_size_limit,omitzero"`
	SharedRunnersMinutes             Nullable[int]    `json:"shared_runners_minutes,omitzero"`

	// Extra has settings that have no field here, by their names in the API. The strings in
	// them may be secrets: no error and no dump shows those of 8 or more characters. A
	// setting that has a field is refused.
	Extra map[string]json.RawMessage `json:",inline,embed"`
}

// check refuses what Extra must not contain.
func (o UpdateApplicationSettingsOptions) check() error {
	for _, name := range slices.Sorted(maps.Keys(o.Extra)) {
		problem := ""
		switch {
		case redact.IsParam(name):
			problem = "cannot be set here: use WithCredential or WithSudo"
		case name == "" || text.HasControl(name) || !utf8.ValidString(name):
			problem = "is empty, or contains a control character or invalid UTF-8"
		case settingField(name) != "":
			problem = "has a field: use " + settingField(name)
		case !jsontext.Value(o.Extra[name]).IsValid():
			problem = "is not JSON"
		default:
			continue
		}
		return badArgument("Extra["+text.Printable(name, 60)+"]", problem)
	}
	return nil
}

// settingField returns the name of the field of a setting, or "" if it has none.
func settingField(name string) string {
	for field := range reflect.TypeFor[UpdateApplicationSettingsOptions]().Fields() {
		if parameter, _, _ := strings.Cut(field.Tag.Get("json"), ","); parameter != "" && parameter == name {
			return field.Name
		}
	}
	return ""
}

// settingsInput sends settings as JSON.
type settingsInput struct {
	options UpdateApplicationSettingsOptions
}

func (in settingsInput) encode(p *payload) error {
	if err := jsonOf(in.options).encode(p); err != nil {
		return err
	}
	if string(p.data) == "{}" {
		return badArgument("options", "have no setting: at least one is required")
	}
	for _, value := range in.options.Extra {
		p.secrets = textsIn(p.secrets, value)
	}
	return nil
}

// textsIn appends the texts in a value, without the names of members.
func textsIn(found []string, value []byte) []string {
	switch jsontext.Value(value).Kind() {
	case '"':
		return append(found, jsonx.Text(value))
	case '[':
		var items []jsontext.Value
		_ = jsonv2.Unmarshal(value, &items, jsonx.Lenient) // the value was encoded
		for _, item := range items {
			found = textsIn(found, item)
		}
	case '{':
		var members map[string]jsontext.Value
		_ = jsonv2.Unmarshal(value, &members, jsonx.Lenient)
		for _, member := range members {
			found = textsIn(found, member)
		}
	}
	return found
}

// UpdateOptions returns the options that write the settings in s, including changes that
// were made to s. Use it to save and restore the settings of an instance, or to copy them
// to another instance. A setting that the service left out is left out, and one that was
// null is sent as null, or as an empty list. The options lack what only the service sets,
// the other names of settings that have a field, and the secrets that no response contains.
// They share lists and maps with s.
//
// To change one setting, send only that setting: with UpdateOptions, all others would be
// set back to what they were when they were read.
func (s *ApplicationSettings) UpdateOptions() UpdateApplicationSettingsOptions {
	o := UpdateApplicationSettingsOptions{Extra: maps.Clone(s.Extra)}
	maps.DeleteFunc(o.Extra, func(name string, _ json.RawMessage) bool { return isSettingAlias(name) })
	from, to := reflect.ValueOf(s).Elem(), reflect.ValueOf(&o).Elem()
	for name, place := range settingMembers() {
		field, value := to.FieldByName(settingField(name)), from.Field(place)
		leftOut, null := s.blanks.of(place)
		isZero := value.IsZero() // otherwise it was set since
		switch {
		case !field.IsValid(), leftOut && isZero:
		case null && isZero, isNilValue(value):
			clearSetting(field)
		default:
			setSetting(field, reflect.Indirect(value))
		}
	}
	return o
}

// isSettingAlias reports whether a member of the settings repeats another one.
func isSettingAlias(name string) bool {
	return name == "signin_enabled" || name == "password_authentication_enabled" ||
		strings.HasPrefix(name, "throttle_unauthenticated_web_")
}

func isNilValue(v reflect.Value) bool {
	return (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.IsNil()
}

// clearSetting makes a field of the options null, or an empty list. Other fields cannot be
// cleared.
func clearSetting(field reflect.Value) {
	if content, ok := field.Addr().Interface().(settable); ok {
		content.set(nil)
	} else if field.Kind() == reflect.Slice {
		field.Set(reflect.MakeSlice(field.Type(), 0, 0))
	}
}

// setSetting makes a field of the options send a value.
func setSetting(field, value reflect.Value) {
	if content, ok := field.Addr().Interface().(settable); ok {
		content.set(value.Interface())
		return
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(value.Type()))
		field = field.Elem()
	}
	field.Set(value)
}
