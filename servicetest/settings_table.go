package servicetest

import (
	"slices"
	"strconv"
	"strings"
)

// quoted is a number that responses have as a string.
type quoted float64

func (n quoted) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(n), 'f', max(1, decimals(float64(n))), 64), nil
}

// decimals returns the number of digits after the decimal point.
func decimals(n float64) int {
	_, fraction, _ := strings.Cut(strconv.FormatFloat(n, 'f', -1, 64), ".")
	return len(fraction)
}

// decimal makes a number that need not be an integer. words makes a list that may also
// be separated by commas. Lists are empty at first.
func decimal(name string, initial float64) preference {
	return preference{name: name, kind: decimalPreference, initial: initial}
}

func words(name string, opts ...func(*preference)) preference {
	return newPreference(preference{name: name, kind: wordsPreference, initial: []string{}}, opts)
}

// raw makes a setting that is kept as it was sent. Like most settings that the client
// has no field for, it is shown only after it was set.
func raw(name string) preference { return preference{name: name, kind: rawPreference, later: true} }

// laterFlags, laterNumbers and laterTexts make settings that are shown only after they
// were set.
func laterFlags(names ...string) []preference   { return settingsOf(flagPreference, false, names) }
func laterNumbers(names ...string) []preference { return settingsOf(numberPreference, nil, names) }
func laterTexts(names ...string) []preference   { return settingsOf(textPreference, nil, names) }

func settingsOf(kind preferenceKind, initial any, names []string) (all []preference) {
	for _, name := range names {
		all = append(all, preference{name: name, kind: kind, initial: initial, later: true})
	}
	return all
}

func among(values ...string) func(*preference) { return func(p *preference) { p.allowed = values } }

func initially(value any) func(*preference) { return func(p *preference) { p.initial = value } }

func unseen(p *preference) { p.hidden = true }

// knownSettings are the settings of the instance. Strings, and numbers and choices
// without an initial value, can be null.
var knownSettings = slices.Concat([]preference{
	flag("signup_enabled", true),
	flag("require_admin_approval_after_user_signup", true),
	flag("send_user_confirmation_email", false, sinceLater),
	choice("email_confirmation_setting", []string{"off", "soft", "hard"}),
	flag("password_authentication_enabled_for_web", true),
	flag("password_authentication_enabled_for_git", true),
	flag("require_two_factor_authentication", false),
	number("two_factor_grace_period", 48),
	flag("admin_mode", false),
	flag("user_default_external", false),
	text("user_default_internal_regex"),
	flag("user_oauth_applications", true),
	flag("user_show_add_ssh_key_message", true),
	number("minimum_password_length", 8),
	number("session_expire_delay", 10080),
	words("domain_allowlist"),
	flag("domain_denylist_enabled", false),
	words("domain_denylist"),
	flag("email_restrictions_enabled", false),
	text("email_restrictions"),
	words("disabled_oauth_sign_in_sources"),
	text("after_sign_out_path"),
	text("home_page_url"),
	text("after_sign_up_text"),
	text("sign_in_text", sinceLater),
	text("help_page_text"),
	text("help_page_support_url"),

	choice("default_project_visibility", visibilities),
	choice("default_group_visibility", visibilities),
	choice("default_snippet_visibility", visibilities),
	words("restricted_visibility_levels", among(visibilities...)),
	number("default_projects_limit", 100_000),
	number("default_branch_protection", 2, among("0", "1", "2", "3", "4")),
	number("default_project_creation", 2, among("0", "1", "2", "3", "4")),
	text("default_branch_name"),
	text("default_ci_config_path"),
	text("default_artifacts_expire_in", initially("30 days")),
	flag("gravatar_enabled", true),
	flag("can_create_group", true, sinceLater),
	flag("project_export_enabled", true),
	flag("mirror_available", true),
	words("import_sources", initially([]string{"git", "gitea"})),
	number("first_day_of_week", 0, among("0", "1", "6")),

	choice("enabled_git_access_protocol", []string{"ssh", "http", "all"}, initially(nil)),
	number("rsa_key_restriction", 0),
	number("dsa_key_restriction", -1),
	number("ecdsa_key_restriction", 0),
	number("ed25519_key_restriction", 0),
	number("ecdsa_sk_key_restriction", 0),
	number("ed25519_sk_key_restriction", 0),
	text("personal_access_token_prefix"),
	flag("require_personal_access_token_expiry", true, sinceLater),
	number("max_personal_access_token_lifetime", nil, withPremium),
	number("max_ssh_key_lifetime", nil, withPremium),
	number("receive_max_input_size", nil),

	flag("auto_devops_enabled", false),
	text("auto_devops_domain"),
	flag("shared_runners_enabled", true),
	text("shared_runners_text"),
	flag("keep_latest_artifact", true),
	flag("protected_ci_variables", true),
	number("max_artifacts_size", 100),
	flag("allow_runner_registration_token", true, sinceLater),
	words("valid_runner_registrars", among("project", "group"), initially([]string{"project", "group"})),

	number("max_attachment_size", 100),
	number("max_import_size", 0),
	number("max_export_size", 0),
	number("max_pages_size", 100),
	number("snippet_size_limit", 50<<20),
	number("wiki_page_max_content_bytes", 50<<20),
	number("issues_create_limit", 300),
	number("notes_create_limit", 300),
	number("raw_blob_request_limit", 300),
	number("search_rate_limit", 300),
	number("terminal_max_session_time", 0),
	{name: "polling_interval_multiplier", kind: quotedPreference, initial: quoted(1)},
	flag("throttle_authenticated_api_enabled", false),
	number("throttle_authenticated_api_period_in_seconds", 3600),
	number("throttle_authenticated_api_requests_per_period", 7200),
	flag("throttle_authenticated_web_enabled", false),
	number("throttle_authenticated_web_period_in_seconds", 3600),
	number("throttle_authenticated_web_requests_per_period", 7200),
	flag("throttle_authenticated_git_lfs_enabled", false),
	number("throttle_authenticated_git_lfs_period_in_seconds", 3600),
	number("throttle_authenticated_git_lfs_requests_per_period", 7200),
	flag("throttle_unauthenticated_enabled", false),
	number("throttle_unauthenticated_period_in_seconds", 3600),
	number("throttle_unauthenticated_requests_per_period", 7200),
	flag("throttle_unauthenticated_api_enabled", false),
	number("throttle_unauthenticated_api_period_in_seconds", 3600),
	number("throttle_unauthenticated_api_requests_per_period", 7200),
	flag("allow_local_requests_from_web_hooks_and_services", false),
	flag("allow_local_requests_from_system_hooks", true),
	words("outbound_local_requests_whitelist"),
	flag("dns_rebinding_protection_enabled", true),
	flag("plantuml_enabled", false),
	text("plantuml_url"),
	flag("kroki_enabled", false),
	text("kroki_url"),
	flag("gitpod_enabled", false),
	flag("prometheus_metrics_enabled", true),
	flag("usage_ping_enabled", false),
	flag("version_check_enabled", true),
	flag("container_expiration_policies_enable_historic_entries", false),
	number("container_registry_token_expire_delay", 5),
	{name: "repository_storages_weighted", kind: weightsPreference, initial: map[string]int64{"default": 100}},
	words("repository_storages", initially([]string{"default"})),
	flag("enforce_terms", false),
	text("terms"),

	number("deletion_adjourned_period", 7, withPremium),
	flag("delayed_project_deletion", false, withPremium, sinceLater),
	flag("delayed_group_deletion", true, withPremium, sinceLater),
	flag("default_project_deletion_protection", false, withPremium),
	flag("maintenance_mode", false, withPremium),
	text("maintenance_mode_message", withPremium),
	text("geo_node_allowed_ips", initially("0.0.0.0/0, ::/0"), withPremium),
	number("file_template_project_id", nil, withPremium),
	number("repository_size_limit", nil, withPremium),
	number("shared_runners_minutes", nil, withPremium),

	// Settings that the client has no field for, and that may be secrets.
	text("akismet_api_key"),
	text("spam_check_api_key"),
	text("external_pipeline_validation_service_token"),
	text("static_objects_external_storage_auth_token"),
	text("asset_proxy_secret_key", unseen),
	text("eks_secret_access_key", unseen),
	flag("akismet_enabled", false),
	flag("sourcegraph_enabled", false),
	text("sourcegraph_url"),
	flag("spam_check_endpoint_enabled", false),
	text("spam_check_endpoint_url"),
	flag("sentry_enabled", false),
	text("rate_limiting_response_text"),
	decimal("external_authorization_service_timeout", 0.5),
	flag("container_registry_expiration_policies_caching", true),
	{name: "asset_proxy_allowlist", kind: rawPreference},
}, laterFlags(
	"allow_local_requests_from_hooks_and_services", "allow_possible_spam", "asset_proxy_enabled",
	"authorized_keys_enabled", "delete_inactive_projects", "disable_feed_token", "domain_blacklist_enabled",
	"external_authorization_service_enabled", "floc_enabled", "instance_statistics_visibility_private",
	"npm_package_requests_forwarding", "pypi_package_requests_forwarding", "slack_app_enabled",
	"sourcegraph_public_only", "allow_all_integrations", "anonymous_searches_allowed", "diagramsnet_enabled",
	"disable_personal_access_tokens", "enforce_ci_inbound_job_token_scope_enabled",
	"lock_memberships_to_saml", "secret_push_protection_available", "silent_mode_enabled",
), laterNumbers(
	"container_registry_cleanup_tags_service_max_list_size",
	"container_registry_delete_tags_service_timeout",
	"container_registry_expiration_policies_worker_capacity", "decompress_archive_file_timeout",
	"external_pipeline_validation_service_timeout", "failed_login_attempts_unlock_period_in_minutes",
	"inactive_resource_access_tokens_delete_after_days", "local_markdown_version",
	"max_decompressed_archive_size", "max_import_remote_file_size", "max_login_attempts",
	"performance_bar_allowed_group_id",
), laterTexts(
	"abuse_notification_email", "admin_notification_email", "archive_builds_in_human_readable",
	"asset_proxy_url", "container_registry_import_created_before", "default_preferred_language",
	"diagramsnet_url", "external_authorization_service_default_label", "external_authorization_service_url",
	"external_pipeline_validation_service_url", "globally_allowed_ips", "security_txt_content",
	"slack_app_id", "static_objects_external_storage_url",
), []preference{
	raw("allowed_integrations"), raw("asset_proxy_whitelist"), raw("default_branch_protection_defaults"),
	raw("domain_blacklist"), raw("domain_whitelist"), raw("elasticsearch_index_settings"), raw("sign_in_restrictions"),
})
