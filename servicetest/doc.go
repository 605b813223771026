// Package servicetest runs the service inside a test or a program: a real HTTP server
// with the whole API, which keeps its state in memory. Use it instead of mocks to test
// code that calls the service.
//
//	func TestReport(t *testing.T) {
//		svc := servicetest.New(t)
//		app := svc.Project("acme/app")
//		app.Pipeline("main").Job("test", servicetest.Failed("script_failure"))
//		report(svc.URL(), svc.AdminToken())
//	}
//
// The tier is Ultimate unless [WithTier] sets another. Three feature flags that are
// disabled in a new installation are enabled here, so that every endpoint works without
// setup: ci_secure_files, import_project_from_remote_file_objstore and
// approval_group_rules. [Service.SetFeature] disables them. Settings of projects and groups have the same
// effects as in the product, except for those listed below.
//
// # What to use
//
//   - Start the service: [New] in a test, [Start] in a program
//   - Connect a client: [Service.URL], [Service.HTTPClient]
//   - Get a credential: [Service.AdminToken], [Service.Token], [Job.Token],
//     [Project.AccessToken], [Service.OAuthApplication]
//   - Create what the test needs: [Service.User], [Service.Group],
//     [Service.Project], [Service.Runner], and the methods of these handles
//   - Accept an invitation: [Service.AcceptInvitation]
//   - Set the rules of a project: [Setting], [Project.Set],
//     [Project.ProtectBranch], [Group.ProtectBranch], [Project.CI]
//   - Let time pass: [Service.Advance], [WithTick], [WithClock], and [WithInMemory] in
//     a bubble of testing/synctest
//   - End running jobs: [Job.Succeed], [Job.Fail], [Service.SucceedJobs], [Service.FailJobs]
//   - Make the service fail: [Service.Fault]
//   - Add a missing endpoint: [Service.Handle]
//   - See what was sent: [Service.Requests], [Service.Deliveries], [Service.Transcript],
//     [TranscriptOnFailure], [FailOnUnknownRoute]
//   - Watch it while it runs: [Service.Subscribe], [Service.Objects], [Service.Faults],
//     [Service.Routes]
//   - Imitate another deployment: [Vendor], [WithTier], [WithBasePath],
//     [WithExternalURL], [WithVersion], [WithGlobalIDWord],
//     [WithoutImpersonation]
//
// # What has no effect
//
// Settings are kept and returned. The following settings have no other effect:
//
//   - of merge requests in a project: issue_branch_template,
//     merge_commit_template, merge_pipelines_enabled, merge_request_title_regex,
//     merge_request_title_regex_description, merge_requests_template,
//     merge_trains_skip_train_allowed,
//     fallback_approvals_required, mr_default_target_self, mr_default_title_template,
//     only_allow_merge_if_all_status_checks_passed,
//     prevent_merge_without_jira_issue, printing_merge_request_link_enabled,
//     protect_merge_request_pipelines, resolve_outdated_diff_discussions,
//     reviewer_assignment_strategy, squash_commit_template,
//     suggestion_commit_message
//   - of pipelines in a project: allow_pipeline_trigger_approve_deployment,
//     auto_cancel_pending_pipelines, auto_devops_enabled,
//     auto_devops_deploy_strategy, build_coverage_regex, build_git_strategy,
//     build_timeout, ci_allow_fork_pipelines_to_run_in_parent_project,
//     ci_default_git_depth, ci_delete_pipelines_in_seconds,
//     ci_display_pipeline_variables, ci_forward_deployment_enabled,
//     ci_forward_deployment_rollback_allowed, ci_id_token_sub_claim_components,
//     ci_pipeline_variables_minimum_override_role,
//     ci_push_repository_for_job_token_allowed,
//     ci_restrict_pipeline_cancellation_role, ci_separated_caches,
//     group_runners_enabled, keep_latest_artifact, max_artifacts_size,
//     public_builds, restrict_user_defined_variables
//   - of a project: auto_duo_code_review_enabled, cicd_catalog_enabled,
//     duo_remote_flows_enabled, duo_sast_fp_detection_enabled,
//     duo_sast_vr_workflow_enabled, emails_disabled, enforce_auth_checks_on_uploads,
//     external_authorization_classification_label, issues_template, lfs_enabled,
//     mirror_user_id, repository_object_format, service_desk_enabled,
//     show_default_award_emojis, show_diff_preview_in_email,
//     spp_repository_pipeline_access, warn_about_potentially_unwanted_characters,
//     web_based_commit_signing_enabled
//   - access levels of parts without endpoints here: analytics, infrastructure,
//     model_experiments, model_registry, monitor, operations,
//     package_registry, requirements, security_and_compliance
//   - of a group: ai_settings_attributes, allow_personal_snippets,
//     allowed_email_domains_list, amazon_q_auto_review_enabled,
//     auto_ban_user_on_excessive_projects_download, auto_devops_enabled,
//     auto_duo_code_review_enabled, crm_enabled, duo_availability,
//     duo_core_features_enabled, duo_features_enabled,
//     duo_foundational_flows_availability, duo_namespace_access_rules,
//     duo_remote_flows_availability, emails_disabled, enabled_foundational_flows,
//     enabled_git_access_protocol, experiment_features_enabled,
//     extra_shared_runners_minutes_limit, file_template_project_id,
//     foundational_agents_statuses, ip_restriction_ranges, lfs_enabled,
//     lock_duo_features_enabled, lock_math_rendering_limits_enabled,
//     math_rendering_limits_enabled, max_artifacts_size, membership_lock,
//     mentions_disabled, model_prompt_cache_enabled, require_two_factor_authentication,
//     service_access_tokens_expiration_enforced, shared_runners_minutes_limit,
//     shared_runners_setting, show_diff_preview_in_email,
//     step_up_auth_required_oauth_provider, two_factor_grace_period,
//     unique_project_download_limit, unique_project_download_limit_alertlist,
//     unique_project_download_limit_allowlist,
//     unique_project_download_limit_interval_in_seconds, web_based_commit_signing_enabled
//
// Of the settings of the instance, these have an effect, most only on what is created
// through the API: allow_runner_registration_token (on replacing such a token),
// bulk_import_enabled (on imports and exports of relations), can_create_group,
// default_branch_name, default_branch_protection,
// default_ci_config_path, default_group_visibility, default_project_creation,
// default_project_visibility, default_projects_limit, default_snippet_visibility,
// elasticsearch_indexing, gravatar_enabled, import_sources (on imports from other products),
// max_terraform_state_size_bytes, receptive_cluster_agents_enabled,
// restricted_visibility_levels, shared_runners_enabled and user_default_external. The
// others are stored and returned: all of release 18.9, and those of older releases once they
// were set. Settings that this package does not know are ignored.
//
// The default branch of a project is protected if the project was created through the
// API, but not if a test made it. If several protections apply to a branch, the
// permission of one of them is enough. A deploy key is never a caller, and
// code_owner_approval_required has no effect. Neither have push rules of a group, or
// push rules about tags, secrets, committers and signatures. Pushes are not scanned for
// secrets, whatever the security settings say. Configurations of changelogs are not
// read. Requests for bzip2 archives of a repository get a 406, because the standard
// library has no encoder for them.
//
// # Seeding
//
// Methods create what a test needs. They return handles that read the state. IDs are
// predictable: 1, 2, 3 and so on for each kind of object, unless the option [ID] sets
// another. The administrator, [Service.Root], is user 1.
//
//	ada := svc.User("ada")
//	token := svc.Token(ada)
//	app := svc.Project("acme/app",
//		servicetest.Member(ada, servicetest.Maintainer))
//	job := app.Pipeline("main").Job("build",
//		servicetest.Stage("build"),
//		servicetest.Trace("$ make\nok\n"),
//		servicetest.Archive(map[string]string{"report.txt": "all well"}))
//	...
//	if job.HasArchive() { ... }
//
// Every service has an administrator, [Service.Root], with the token
// [Service.AdminToken]. Credentials, scopes, roles, visibility and sudo are checked as
// in the real service.
//
// The first call with a name or path makes a user, a group, a project, an environment,
// a label or a repository of images. A later call returns the same object and applies
// its options. Contradictory seeding, such as two users with one ID or two secure files
// with one name, fails the test. In a program, it panics.
//
// # Time
//
// The clock stands still at [Epoch], so that output is the same in each run.
// [Service.Advance] moves it forward. Tokens, filters by age and exports follow this
// clock. [WithTick] moves it with each request, and WithClock(time.Now) makes it run in
// real time.
//
// Hooks with a [SigningToken] sign by this clock, and receivers refuse what is signed a few
// minutes too early or too late. Either the receiver gets the clock, or the service runs in
// real time:
//
//	verifier, err := webhook.NewVerifier(
//		webhook.SigningToken(token), webhook.Clock(svc.Now))
//
//	svc := servicetest.New(t, servicetest.WithClock(time.Now))
//
// A delivery that is refused because the clocks differ has a [Delivery].Hint, and the test logs it.
//
// Pipelines that are started through the API also follow this clock. [Project.CI] sets
// their jobs. [Project.PipelineSchedule] makes a schedule, which starts a pipeline each
// time the clock passes one of its times.
//
// # To-do items and events
//
// Both follow from changes. A user who is assigned, asked for a review or an approval,
// or mentioned gets a to-do item. So does the author of a merge request when its
// pipeline fails or it gets conflicts. Items are done when their user acts. Events
// record new projects, issues, merge requests and milestones, changes of their state,
// approvals, comments, pushes and members. Seeding counts, too, except for members and
// branches that a project has when the first call arrives.
//
// # Search
//
// A search covers everything, including the pages of wikis. In a project, it is the
// basic search. Elsewhere, comments, commits, files and wikis need the Premium tier.
// The number of searches is not limited.
//
// # Markdown and emojis
//
// Descriptions and pages of wikis are rendered as HTML where a call asks for it. This is a
// subset of Markdown: paragraphs, headings, block quotes, lists, fenced code, thematic breaks,
// emphasis, strong emphasis, code, links, images and line breaks. HTML is escaped. Links lead
// only to http, https, mailto and relative addresses. Tables, tasks, indented code, bare URLs,
// mentions and references such as #1 are left as text. So are pages in formats other than
// Markdown. Titles and descriptions of labels are never Markdown, only escaped.
//
// Awards and statuses take the names of emojis up to Unicode 15, and other names of these,
// such as +1 for thumbsup. Names that are not known are refused. Only [Reaction] adds an award
// with the name of a custom emoji.
//
// # Configurations
//
// The calls that check configurations of pipelines read their YAML: maps, lists,
// strings of all kinds, anchors, aliases and merge keys, but no tags such as !reference
// and no second document. They merge what jobs extend, and includes from the same
// repository. The configuration of a project is .service-ci.yml unless the setting
// ci_config_path names another file. These are errors: unknown keys, values of the
// wrong kind, a job with nothing to run, unknown stages, needs and dependencies, and a
// configuration without a visible job.
//
// Other includes are not fetched. They are errors, like YAML that is not understood.
// Rules and variables are not evaluated, and a dry run looks only at its ref. The
// configuration does not affect pipelines: [Project.CI] sets their jobs, and
// [Project.BreakCI] makes it invalid.
//
// # Faults
//
// [Service.Fault] makes a route fail, for all requests or for some: with an
// error status, a delay, a rate limit, a broken connection, a redirect, or a
// response that is lost after the request took effect.
//
//	svc.Fault("GET /projects/:id/jobs",
//		servicetest.Status(503, ""), servicetest.Times(2))
//
// # Other endpoints
//
// A few endpoints that only other clients call are here, too: labels that are changed, deleted
// and promoted by their name in the body. For Terraform states, a token may be the password.
//
// [Service.Handle] adds a route that the API does not have here, with a handler of
// the test. Faults and the recorder work as for other routes.
//
//	reports := func(w http.ResponseWriter, r *http.Request) {
//		fmt.Fprintf(w, `[{"name":"weekly","group":%q}]`, r.PathValue("id"))
//	}
//	svc.Handle("GET /groups/:id/reports", reports)
//
// # Requests
//
// [Service.Requests] returns the requests received, for assertions about what a client
// sent. [Service.Transcript] writes them in a readable form, and with the option
// [TranscriptOnFailure] a failing test logs them. With [FailOnUnknownRoute], a test
// fails if its code calls an endpoint that the API does not have. Like the real
// service, the embedded service ignores unknown parameters and members, so compare what
// was sent, too.
//
// # Watching a service
//
// [Service.Subscribe] returns requests and deliveries of hooks as they happen, without
// credentials. [Service.Objects] returns the groups, projects, merge requests,
// pipelines and jobs. Together with [Service.Faults], [Service.Advance] and
// [Service.SucceedJobs], they let a program show a service to people, as the page of
// examples/localservice does.
//
//	for exchange := range svc.Subscribe(ctx, 100) {
//		if r := exchange.Request; r != nil && r.Duration > 0 {
//			log.Println(r.Method, r.Path, r.Status, r.Duration)
//		}
//	}
//
// # Concurrency and dependencies
//
// Everything is safe for concurrent use. The package depends only on the
// standard library. Any client of the API can be tested with it.
package servicetest
