package servicetest

import "slices"

// These are values that several preferences of projects have.
var (
	accessLevels    = []string{"enabled", "private", "disabled"}
	openAccess      = []string{"enabled", "private", "disabled", "public"}
	fetchStrategies = []string{"fetch", "clone"}
)

// projectPreferences are the settings of projects that have no field of their
// own.
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
	flag("mr_default_target_self", false, onUpdate),
	flag("service_desk_enabled", false, onUpdate),
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

	flag("mirror", false, withPremium),
	flag("mirror_trigger_builds", false, withPremium),
	number("approvals_before_merge", 0, withPremium),
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
	p.svc.touch(&p.stamp)
}

// olderForms are the flags that say whether a part of a project is enabled at
// all, by the name of the preference.
var olderForms = map[string]string{
	"issues_enabled": "issues_access_level", "merge_requests_enabled": "merge_requests_access_level",
	"wiki_enabled": "wiki_access_level", "jobs_enabled": "builds_access_level", "snippets_enabled": "snippets_access_level",
	"requirements_enabled": "requirements_access_level", "security_and_compliance_enabled": "security_and_compliance_access_level",
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
	form["container_registry_access_level"] = p.registry
	form["container_registry_enabled"] = p.registry != "disabled"
	form["shared_runners_enabled"] = !state[runnerState](p.svc).forbids(p)
	form["ci_job_token_scope_enabled"] = p.svc.feature("ci_job_token_scope")
	form["build_coverage_regex"], form["runner_token_expiration_interval"] = nil, nil
	form["container_expiration_policy"] = p.expiration.json()
	return form
}

// An expirationPolicy is the rule by which tags are removed from the registry.
type expirationPolicy struct {
	enabled                  bool
	cadence                  string
	keepN                    any // a number, or nil for none
	olderThan, regex, keeper any // strings, or nil for none
}

func (e *expirationPolicy) json() object {
	return object{
		"enabled": e.enabled, "cadence": e.cadence, "keep_n": e.keepN, "older_than": e.olderThan,
		"name_regex": e.regex, "name_regex_keep": e.keeper, "next_run_at": nil,
	}
}

// change applies the parameters of a call to the rule.
func (e *expirationPolicy) change(given fields) {
	e.enabled = given.Bool("enabled", e.enabled)
	e.cadence = either(given.OneOf("cadence", "1d", "7d", "14d", "1month", "3month"), e.cadence)
	if given.Has("keep_n") {
		e.keepN = nil
		if given.Str("keep_n") != "" {
			e.keepN = given.Int64("keep_n")
		}
	}
	for name, into := range map[string]*any{"older_than": &e.olderThan, "name_regex": &e.regex, "name_regex_keep": &e.keeper} {
		if !given.Has(name) {
			continue
		}
		*into = nil
		if given.Str(name) != "" {
			*into = given.Str(name)
		}
	}
}
