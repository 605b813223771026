package servicetest

import (
	"bytes"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A preference is a setting of projects or groups that the service stores and
// returns, but otherwise ignores.
type preference struct {
	name    string
	kind    preferenceKind
	initial any
	allowed []string // values of a choice

	updateOnly bool        // cannot be set on creation
	createOnly bool        // cannot be changed later
	later      bool        // in newer releases; shown once it was set
	premium    bool        // missing below the Premium tier
	hidden     bool        // never in a response
	sees       AccessLevel // the lowest role that sees it
	shownAs    string      // name in responses; "" if the same
}

type preferenceKind int

const (
	textPreference preferenceKind = iota
	flagPreference
	numberPreference
	choicePreference
	listPreference // of strings
	rawPreference  // any value that was sent
)

// takes reports whether a preference can have a value.
func (p preference) takes(value any) bool {
	switch value := value.(type) {
	case bool:
		return p.kind == flagPreference
	case int64:
		return p.kind == numberPreference
	case string:
		return p.kind == textPreference || p.kind == choicePreference && slices.Contains(p.allowed, value)
	}
	return false
}

// preferences has the values of an object's preferences by name. Those that were not
// set have their initial value.
type preferences map[string]any

func text(name string, opts ...func(*preference)) preference {
	return newPreference(preference{name: name}, opts)
}

func flag(name string, initial any, opts ...func(*preference)) preference {
	return newPreference(preference{name: name, kind: flagPreference, initial: initial}, opts)
}

func number(name string, initial any, opts ...func(*preference)) preference {
	return newPreference(preference{name: name, kind: numberPreference, initial: initial}, opts)
}

func list(name string, opts ...func(*preference)) preference {
	return newPreference(preference{name: name, kind: listPreference}, opts)
}

// choice makes a preference with these values. The first one is the initial value.
func choice(name string, allowed []string, opts ...func(*preference)) preference {
	return newPreference(preference{name: name, kind: choicePreference, initial: allowed[0], allowed: allowed}, opts)
}

func newPreference(p preference, opts []func(*preference)) preference {
	for _, opt := range opts {
		opt(&p)
	}
	return p
}

func onUpdate(p *preference)    { p.updateOnly = true }
func onCreate(p *preference)    { p.createOnly = true }
func sinceLater(p *preference)  { p.later = true }
func withPremium(p *preference) { p.premium = true }
func neverShown(p *preference)  { p.hidden = true }

func shownTo(level AccessLevel) func(*preference) { return func(p *preference) { p.sees = level } }

func shownAs(name string) func(*preference) { return func(p *preference) { p.shownAs = name } }

// readPreferences reads the preferences that a call sets. It notes problems for
// c.Refusal.
func (c *call) readPreferences(known []preference, making bool) preferences {
	set := make(preferences)
	for _, p := range known {
		if !c.Has(p.name) && p.shownAs != "" {
			if value, given := c.Values[p.shownAs]; given {
				c.Values[p.name] = value
			}
		}
		switch {
		case !c.Has(p.name) || p.updateOnly && making || p.createOnly && !making || p.premium && !c.hasTier(Premium):
		case !c.Given(p.name), p.kind != textPreference && c.Values[p.name] == "": // null in a form
			set[p.name] = nil
		default:
			set[p.name] = c.preference(p)
		}
	}
	return set
}

// readEmails reads emails_enabled, which is newer than emails_disabled and means the
// opposite.
func (c *call) readEmails(set preferences) {
	if c.Has("emails_enabled") {
		set["emails_disabled"] = !c.BoolOr("emails_enabled", true)
	}
}

func (c *call) preference(p preference) any {
	switch p.kind {
	case flagPreference:
		return c.Bool(p.name)
	case numberPreference:
		return c.Int64(p.name)
	case choicePreference:
		return c.StringIn(p.name, p.allowed...)
	case listPreference:
		return append([]string{}, c.Strings(p.name)...)
	case rawPreference:
		return c.Values[p.name]
	}
	return c.String(p.name)
}

// of returns the value of a preference.
func (v preferences) of(p preference) any {
	if value, set := v[p.name]; set {
		return value
	}
	return p.initial
}

// flag returns the value of a preference that is a flag.
func (v preferences) flag(known []preference, name string) bool {
	on, _ := v.value(known, name).(bool)
	return on
}

// choice returns the value of a preference that is a choice or a string.
func (v preferences) choice(known []preference, name string) string {
	chosen, _ := v.value(known, name).(string)
	return chosen
}

func (v preferences) value(known []preference, name string) any {
	at := slices.IndexFunc(known, func(p preference) bool { return p.name == name })
	if at < 0 {
		panic("servicetest: no preference " + name)
	}
	return v.of(known[at])
}

// shown returns the preferences that a role sees.
func (v preferences) shown(known []preference, level AccessLevel, tier Tier) object {
	form := make(object, len(known))
	for _, p := range known {
		_, set := v[p.name]
		if level >= p.sees && !p.hidden && (!p.premium || tier >= Premium) && (!p.later || set) {
			form[either(p.shownAs, p.name)] = v.of(p)
		}
	}
	return form
}

// joined joins the members of several JSON objects into one object. Null has no members.
func joined(parts ...any) []byte {
	var all [][]byte
	for _, part := range parts {
		data, made := part.([]byte)
		if !made {
			data = frame.Encode(part)
		}
		if inner := data[1 : len(data)-1]; data[0] == '{' && len(inner) > 0 {
			all = append(all, inner)
		}
	}
	return append(append([]byte{'{'}, bytes.Join(all, []byte{','})...), '}')
}

// Values of several preferences of projects.
var (
	accessLevels    = []string{"enabled", "private", "disabled"}
	openAccess      = []string{"enabled", "private", "disabled", "public"}
	fetchStrategies = []string{"fetch", "clone"}
)

// projectPreferences are the settings of projects without a field of their own.
var projectPreferences = []preference{
	choice("merge_method", []string{"merge", "rebase_merge", "ff"}),
	choice("squash_option", []string{"default_off", "never", "always", "default_on"}),
	flag("only_allow_merge_if_pipeline_succeeds", false),
	flag("allow_merge_on_skipped_pipeline", nil),
	flag("only_allow_merge_if_all_discussions_are_resolved", false),
	flag("remove_source_branch_after_merge", true),
	flag("lfs_enabled", true),
	flag("request_access_enabled", true),
	flag("autoclose_referenced_issues", true),
	flag("printing_merge_request_link_enabled", true),
	flag("warn_about_potentially_unwanted_characters", true),
	flag("auto_devops_enabled", false),
	choice("auto_devops_deploy_strategy", []string{"continuous", "manual", "timed_incremental"}),
	flag("emails_disabled", nil),
	flag("packages_enabled", true),
	flag("public_builds", true, shownAs("public_jobs")),
	flag("resolve_outdated_diff_discussions", false),
	flag("show_default_award_emojis", true),
	flag("ci_forward_deployment_enabled", true, onUpdate),
	flag("keep_latest_artifact", true, onUpdate),
	flag("restrict_user_defined_variables", false, onUpdate),
	flag("mr_default_target_self", false),
	flag("service_desk_enabled", false),
	flag("ci_separated_caches", true, onUpdate),
	text("merge_commit_template"),
	text("squash_commit_template"),
	text("suggestion_commit_message"),
	text("ci_config_path"),
	choice("build_git_strategy", fetchStrategies, shownTo(Maintainer)),
	number("build_timeout", 3600),
	number("ci_default_git_depth", 20, onUpdate),
	choice("auto_cancel_pending_pipelines", []string{"enabled", "disabled"}),

	choice("analytics_access_level", accessLevels),
	choice("builds_access_level", accessLevels),
	choice("forking_access_level", accessLevels),
	choice("issues_access_level", accessLevels),
	choice("merge_requests_access_level", accessLevels),
	choice("operations_access_level", accessLevels),
	choice("pages_access_level", openAccess),
	choice("repository_access_level", accessLevels),
	choice("requirements_access_level", accessLevels),
	choice("security_and_compliance_access_level", accessLevels),
	choice("snippets_access_level", accessLevels),
	choice("wiki_access_level", accessLevels),

	choice("releases_access_level", accessLevels),
	choice("environments_access_level", accessLevels),
	choice("feature_flags_access_level", accessLevels),
	choice("infrastructure_access_level", accessLevels),
	choice("monitor_access_level", accessLevels),
	choice("model_experiments_access_level", accessLevels),
	choice("model_registry_access_level", accessLevels),
	choice("package_registry_access_level", openAccess),

	choice("repository_object_format", []string{"sha1", "sha256"}, onCreate),
	text("issue_branch_template"),
	flag("group_runners_enabled", true),
	flag("ci_forward_deployment_rollback_allowed", true),
	flag("ci_allow_fork_pipelines_to_run_in_parent_project", true),
	flag("ci_push_repository_for_job_token_allowed", false),
	choice("ci_pipeline_variables_minimum_override_role", []string{"developer", "maintainer", "owner",
		"no_one_allowed"}),
	number("ci_delete_pipelines_in_seconds", nil),
	number("max_artifacts_size", nil),

	text("build_coverage_regex"),

	flag("allow_pipeline_trigger_approve_deployment", false, onUpdate, sinceLater),
	flag("auto_duo_code_review_enabled", false, sinceLater),
	flag("ci_display_pipeline_variables", false, onUpdate, sinceLater),
	flag("cicd_catalog_enabled", false, sinceLater),
	flag("duo_remote_flows_enabled", false, sinceLater),
	flag("duo_sast_fp_detection_enabled", false, sinceLater),
	flag("duo_sast_vr_workflow_enabled", false, sinceLater),
	flag("show_diff_preview_in_email", true, sinceLater),
	flag("spp_repository_pipeline_access", false, sinceLater),
	flag("web_based_commit_signing_enabled", false, onUpdate, sinceLater),
	flag("enforce_auth_checks_on_uploads", true, sinceLater),
	flag("merge_trains_skip_train_allowed", false, sinceLater),
	flag("prevent_merge_without_jira_issue", false, sinceLater),
	flag("protect_merge_request_pipelines", true, sinceLater),
	list("ci_id_token_sub_claim_components", onUpdate, sinceLater),
	choice("resource_group_default_process_mode", []string{"unordered", "oldest_first", "newest_first",
		"newest_ready_first"}, sinceLater),
	text("merge_request_title_regex", sinceLater),
	text("merge_request_title_regex_description", sinceLater),
	text("mirror_branch_regex", onUpdate, sinceLater),
	text("mr_default_title_template", sinceLater),
	text("reviewer_assignment_strategy", sinceLater),

	flag("only_allow_merge_if_all_status_checks_passed", false, withPremium),
	choice("ci_restrict_pipeline_cancellation_role", []string{"developer", "maintainer", "no_one"}, withPremium),
	flag("mirror", false, withPremium),
	flag("mirror_trigger_builds", false, withPremium),
	number("approvals_before_merge", 0, withPremium),
	number("fallback_approvals_required", 0, onUpdate, withPremium, neverShown),
	text("external_authorization_classification_label", withPremium),
	flag("merge_pipelines_enabled", false, onUpdate, withPremium),
	flag("merge_trains_enabled", false, onUpdate, withPremium),
	flag("only_mirror_protected_branches", false, onUpdate, withPremium),
	flag("mirror_overwrites_diverged_branches", false, onUpdate, withPremium),
	number("mirror_user_id", nil, onUpdate, withPremium),
	text("issues_template", onUpdate, withPremium),
	text("merge_requests_template", onUpdate, withPremium),
}

// Setting sets a setting of a project by its name in the API, such as
// "merge_method" or "only_allow_merge_if_pipeline_succeeds". The value is a
// string, an integer or a boolean.
func Setting(name string, value any) ProjectOption {
	return projectOption(func(p *Project) {
		if number, isInt := value.(int); isInt {
			value = int64(number)
		}
		at := slices.IndexFunc(projectPreferences, func(known preference) bool { return known.name == name })
		if at < 0 || !projectPreferences[at].takes(value) {
			p.svc.fail("projects have no setting %s with the value %v", name, value)
		}
		p.preferences[name] = value
	})
}

// Set changes a setting of the project. See Setting.
func (p *Project) Set(name string, value any) {
	if p.svc.tb != nil {
		p.svc.tb.Helper()
	}
	defer p.svc.lock()()
	Setting(name, value).applyProject(p)
	p.svc.touch(p)
}

// olderForms has the flags that say whether a part of a project is enabled at all, by
// name of the preference.
var olderForms = map[string]string{
	"issues_enabled": "issues_access_level", "merge_requests_enabled": "merge_requests_access_level",
	"wiki_enabled": "wiki_access_level", "jobs_enabled": "builds_access_level",
	"snippets_enabled":                "snippets_access_level",
	"requirements_enabled":            "requirements_access_level",
	"security_and_compliance_enabled": "security_and_compliance_access_level",
}

// has reports whether a part of the project is enabled at all: issues,
// merge_requests, forking and so on.
func (p *Project) has(part string) bool {
	return p.preferences.choice(projectPreferences, part+"_access_level") != "disabled"
}

// settings returns the settings of the project that a role sees.
func (p *Project) settings(level AccessLevel) object {
	form := p.preferences.shown(projectPreferences, level, p.svc.settings.tier)
	for name, preference := range olderForms {
		form[name] = p.preferences.choice(projectPreferences, preference) != "disabled"
	}
	form["emails_enabled"] = form["emails_disabled"] != true
	form["container_registry_access_level"] = p.registry
	form["container_registry_enabled"] = p.registry != "disabled"
	form["shared_runners_enabled"] = !state[runnerState](p.svc).forbids(p)
	form["ci_job_token_scope_enabled"] = p.svc.feature("ci_job_token_scope")
	form["runner_token_expiration_interval"] = nil
	form["secret_push_protection_enabled"] = p.protectsPushes()
	form["pre_receive_secret_detection_enabled"] = p.protectsPushes()
	form["container_expiration_policy"] = p.expiration.json()
	return form
}

// An expirationPolicy is the rule for removing tags from the registry.
type expirationPolicy struct {
	enabled                  bool
	cadence                  string
	keepN                    any // a number, or nil if none
	olderThan, regex, keeper any // strings, or nil if none
}

func (e *expirationPolicy) json() object {
	return object{
		"enabled": e.enabled, "cadence": e.cadence, "keep_n": e.keepN, "older_than": e.olderThan,
		"name_regex": e.regex, "name_regex_keep": e.keeper, "next_run_at": nil,
	}
}

// change applies the parameters of a call to the rule.
func (e *expirationPolicy) change(given fields) {
	e.enabled = given.BoolOr("enabled", e.enabled)
	e.cadence = either(given.StringIn("cadence", "1d", "7d", "14d", "1month", "3month"), e.cadence)
	if given.Has("keep_n") {
		e.keepN = nil
		if given.String("keep_n") != "" {
			e.keepN = given.Int64("keep_n")
		}
	}
	for name, into := range map[string]*any{"older_than": &e.olderThan, "name_regex": &e.regex,
		"name_regex_keep": &e.keeper} {
		if !given.Has(name) {
			continue
		}
		*into = nil
		if given.String(name) != "" {
			*into = given.String(name)
		}
	}
}

// groupPreferences are the settings of groups without a field of their own.
var groupPreferences = []preference{
	flag("share_with_group_lock", false),
	flag("require_two_factor_authentication", false),
	number("two_factor_grace_period", 48),
	choice("project_creation_level", []string{"developer", "noone", "maintainer"}),
	choice("subgroup_creation_level", []string{"maintainer", "owner"}),
	flag("auto_devops_enabled", nil),
	flag("emails_disabled", nil),
	flag("mentions_disabled", nil),
	flag("lfs_enabled", true),
	flag("request_access_enabled", true),
	number("default_branch_protection", 2),
	choice("shared_runners_setting", []string{"enabled", "disabled_with_override", "disabled_and_unoverridable"},
		onUpdate),
	flag("prevent_sharing_groups_outside_hierarchy", false, onUpdate),
	flag("allow_merge_on_skipped_pipeline", false, sinceLater),
	flag("only_allow_merge_if_pipeline_succeeds", false, sinceLater),
	flag("only_allow_merge_if_all_discussions_are_resolved", false, sinceLater),
	flag("crm_enabled", false, sinceLater),
	flag("show_diff_preview_in_email", true, sinceLater),
	flag("allow_personal_snippets", true, onUpdate, sinceLater),
	flag("auto_ban_user_on_excessive_projects_download", false, onUpdate, sinceLater),
	flag("auto_duo_code_review_enabled", false, onUpdate, sinceLater),
	flag("duo_core_features_enabled", false, onUpdate, sinceLater),
	flag("service_access_tokens_expiration_enforced", true, onUpdate, sinceLater),
	flag("web_based_commit_signing_enabled", false, onUpdate, sinceLater),
	text("step_up_auth_required_oauth_provider", onUpdate, sinceLater),
	number("unique_project_download_limit", 0, onUpdate, sinceLater),
	number("unique_project_download_limit_interval_in_seconds", 0, onUpdate, sinceLater),
	list("unique_project_download_limit_allowlist", onUpdate, sinceLater),
	newPreference(preference{name: "unique_project_download_limit_alertlist", kind: rawPreference},
		[]func(*preference){onUpdate, sinceLater}),
	newPreference(preference{name: "duo_namespace_access_rules", kind: rawPreference},
		[]func(*preference){onUpdate, sinceLater}),
	newPreference(preference{name: "foundational_agents_statuses", kind: rawPreference},
		[]func(*preference){neverShown}),
	newPreference(preference{name: "ai_settings_attributes", kind: rawPreference},
		[]func(*preference){neverShown}),
	flag("amazon_q_auto_review_enabled", false, neverShown),
	flag("duo_foundational_flows_availability", true, neverShown),
	flag("duo_remote_flows_availability", true, neverShown),
	flag("model_prompt_cache_enabled", true, neverShown),
	list("enabled_foundational_flows", onUpdate, neverShown),
	flag("duo_features_enabled", true, sinceLater),
	flag("experiment_features_enabled", false, sinceLater),
	flag("lock_duo_features_enabled", false, sinceLater),
	flag("lock_math_rendering_limits_enabled", false, sinceLater),
	flag("math_rendering_limits_enabled", true, sinceLater),
	choice("duo_availability", []string{"default_on", "default_off", "never_on"}, sinceLater),
	text("default_branch"),
	choice("enabled_git_access_protocol", []string{"all", "ssh", "http"}),
	number("max_artifacts_size", nil, onUpdate),
	choice("wiki_access_level", accessLevels, withPremium),
	text("ip_restriction_ranges", onUpdate, withPremium),
	text("allowed_email_domains_list", onUpdate, withPremium),
	flag("membership_lock", false, withPremium),
	number("shared_runners_minutes_limit", nil, withPremium),
	number("extra_shared_runners_minutes_limit", nil, withPremium),
	flag("prevent_forking_outside_group", nil, onUpdate, withPremium),
	number("file_template_project_id", nil, onUpdate, withPremium),
}

// lets reports whether a preference of the group is enabled.
func (g *Group) lets(name string) bool { return g.preferences.flag(groupPreferences, name) }

// settings returns the visible settings of the group.
func (g *Group) settings() object {
	form := g.preferences.shown(groupPreferences, Owner, g.svc.settings.tier)
	form["emails_enabled"] = form["emails_disabled"] != true
	form["default_branch_protection_defaults"] = g.protectionDefaults()
	if g.parent != nil {
		delete(form, "prevent_sharing_groups_outside_hierarchy")
	}
	return form
}

// readGroupPreferences reads the settings of a group from a call.
func (c *call) readGroupPreferences(making bool) preferences {
	set := c.readPreferences(groupPreferences, making)
	if level, given := set["default_branch_protection"].(int64); given && (level < 0 || level > 3) {
		c.Problem("default_branch_protection does not have a valid value")
	}
	c.readEmails(set)
	c.readProtectionDefaults(set)
	for _, rule := range c.Subs("duo_namespace_access_rules") {
		if rule.Sub("through_namespace").Int64("id") == 0 || len(rule.Strings("features")) == 0 {
			c.Problem("duo_namespace_access_rules are missing a namespace or features")
		}
	}
	if !c.admin() {
		delete(set, "shared_runners_minutes_limit")
		delete(set, "extra_shared_runners_minutes_limit")
	}
	return set
}
