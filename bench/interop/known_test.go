package interop

import (
	"slices"
	"sync"
)

// differences are places in which client-go and the specification differ. The
// embedded service follows the specification. A place is a type of the client
// and one of its members in JSON.
type differences struct {
	mu   sync.Mutex
	why  map[string]string
	used map[string]bool
}

// use reports whether a difference is known.
func (d *differences) use(place string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.why[place]; !ok {
		return false
	}
	d.used[place] = true
	return true
}

// unused returns the differences that no test met.
func (d *differences) unused() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var places []string
	for place := range d.why {
		if !d.used[place] {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return places
}

func knownDifferences(groups map[string][]string) *differences {
	d := &differences{why: map[string]string{}, used: map[string]bool{}}
	for why, places := range groups {
		for _, place := range places {
			d.why[place] = why
		}
	}
	return d
}

var known = knownDifferences(map[string][]string{
	"the client has left these members of the specification out": {
		"AccessRequest.avatar_url",
		"AccessRequest.web_url",
		"Author.avatar_url",
		"Author.web_url",
		"AwardEmoji.url",
		"BillableGroupMember.membership_state",
		"Blob.group_id",
		"CommitComment.created_at",
		"ContributionEvent.imported",
		"ContributionEvent.imported_from",
		"Deployment.approval_summary",
		"Deployment.approvals",
		"Deployment.pending_approval_count",
		"DeploymentDeployable.artifacts",
		"DeploymentDeployable.artifacts_expire_at",
		"DeploymentDeployable.queued_duration",
		"DeploymentDeployable.web_url",
		"DeploymentDeployablePipeline.project_id",
		"Environment.enable_advanced_logs_querying",
		"Environment.logs_api_path",
		"Epic._links",
		"Epic.color",
		"Epic.due_date_from_inherited_source",
		"Epic.end_date",
		"Epic.imported",
		"Epic.imported_from",
		"Epic.parent_iid",
		"Epic.reference",
		"Epic.references",
		"Epic.start_date_from_inherited_source",
		"Epic.subscribed",
		"Epic.text_color",
		"ForkParent._links",
		"ForkParent.archived",
		"ForkParent.avatar_url",
		"ForkParent.container_registry_image_prefix",
		"ForkParent.created_at",
		"ForkParent.creator_id",
		"ForkParent.default_branch",
		"ForkParent.description",
		"ForkParent.description_html",
		"ForkParent.forks_count",
		"ForkParent.last_activity_at",
		"ForkParent.namespace",
		"ForkParent.readme_url",
		"ForkParent.ssh_url_to_repo",
		"ForkParent.star_count",
		"ForkParent.tag_list",
		"ForkParent.topics",
		"ForkParent.visibility",
		"GenericPackagesFile.message",
		"GenericPackagesFile.status",
		"GroupHook.repository_update_events",
		"GroupLabel.description_html",
		"GroupMember.membership_state",
		"GroupMilestone.web_url",
		"GroupProtectedBranch.inherited",
		"Hook.alert_status",
		"Hook.branch_filter_strategy",
		"Hook.custom_headers",
		"Hook.disabled_until",
		"Hook.organization_id",
		"Hook.push_events_branch_filter",
		"ImpersonationToken.description",
		"ImpersonationToken.impersonation",
		"ImpersonationToken.user_id",
		"ImportStatus.failed_relations",
		"InstanceVariable.hidden",
		"Issue.blocking_issues_count",
		"Issue.changes_count",
		"Issue.epic_iid",
		"Issue.has_tasks",
		"Issue.imported",
		"Issue.imported_from",
		"Issue.severity",
		"Issue.task_status",
		"Issue.type",
		"IssueLinks.closed_as_duplicate_of",
		"IssueRelation._links",
		"IssueRelation.blocking_issues_count",
		"IssueRelation.closed_at",
		"IssueRelation.closed_by",
		"IssueRelation.discussion_locked",
		"IssueRelation.downvotes",
		"IssueRelation.epic",
		"IssueRelation.epic_iid",
		"IssueRelation.has_tasks",
		"IssueRelation.health_status",
		"IssueRelation.imported",
		"IssueRelation.imported_from",
		"IssueRelation.issue_type",
		"IssueRelation.iteration",
		"IssueRelation.merge_requests_count",
		"IssueRelation.moved_to_id",
		"IssueRelation.service_desk_reply_to",
		"IssueRelation.severity",
		"IssueRelation.task_completion_status",
		"IssueRelation.time_stats",
		"IssueRelation.type",
		"IssueRelation.upvotes",
		"Job.download_url",
		"Job.ip_address",
		"JobRunner.ip_address",
		"JobRunner.online",
		"JobRunner.paused",
		"JobRunner.runner_type",
		"JobRunner.status",
		"JobTokenAccessSettings.outbound_enabled",
		"Label.description_html",
		"LabelEventLabel.description_html",
		"LastPipeline.created_at",
		"LastPipeline.iid",
		"LastPipeline.name",
		"LastPipeline.project_id",
		"LastPipeline.source",
		"LastPipeline.updated_at",
		"MergeRequestApprovalRule.code_owner",
		"ImpersonationToken.description",
		"ImpersonationToken.impersonation",
		"ImpersonationToken.user_id",
		"Key.deploy_keys_projects",
		"Key.expires_at",
		"Key.fingerprint",
		"Key.fingerprint_sha256",
		"Key.last_used_at",
		"Key.usage_type",
		"MergeRequestApprovalRule.overridden",
		"MergeRequestDiffVersion.patch_id_sha",
		"Note.commands_changes",
		"Note.imported",
		"Note.imported_from",
		"NoteAuthor.created_at",
		"PackagePipeline.iid",
		"PackagePipeline.project_id",
		"PackagePipeline.source",
		"PendingInvite.invite_token",
		"PipelineTestSuites.suite_error",
		"PipelineTrigger.expires_at",
		"PipelineVariable.raw",
		"Project.description_html",
		"Project.only_allow_merge_if_all_status_checks_passed",
		"Project.repository_object_format",
		"Project.secret_push_protection_enabled",
		"Project.show_default_award_emojis",
		"Project.warn_about_potentially_unwanted_characters",
		"ProjectEvent.imported",
		"ProjectEvent.imported_from",
		"ProjectEventNote.commands_changes",
		"ProjectEventNote.commit_id",
		"ProjectEventNote.confidential",
		"ProjectEventNote.imported",
		"ProjectEventNote.imported_from",
		"ProjectEventNote.internal",
		"ProjectEventNote.project_id",
		"ProjectEventNote.resolvable",
		"ProjectEventNote.type",
		"ProjectEventNote.updated_at",
		"ProjectEventNoteAuthor.created_at",
		"ProjectLintResult.jobs",
		"ProjectMember.group_saml_identity",
		"ProjectMember.membership_state",
		"ProtectedBranch.inherited",
		"ReleaseMilestone.expired",
		"SSHKey.last_used_at",
		"Settings.password_authentication_enabled",
		"Settings.signin_enabled",
		"Snippet.http_url_to_repo",
		"Snippet.imported",
		"Snippet.imported_from",
		"Snippet.ssh_url_to_repo",
		"SnippetAuthor.avatar_url",
		"SnippetAuthor.web_url",
		"Todo.updated_at",
		"TodoTarget.blocking_discussions_resolved",
		"TodoTarget.blocking_issues_count",
		"TodoTarget.closed_at",
		"TodoTarget.closed_by",
		"TodoTarget.detailed_merge_status",
		"TodoTarget.discussion_locked",
		"TodoTarget.draft",
		"TodoTarget.epic",
		"TodoTarget.epic_iid",
		"TodoTarget.has_conflicts",
		"TodoTarget.health_status",
		"TodoTarget.imported",
		"TodoTarget.imported_from",
		"TodoTarget.issue_type",
		"TodoTarget.iteration",
		"TodoTarget.merge_after",
		"TodoTarget.merge_requests_count",
		"TodoTarget.merge_user",
		"TodoTarget.merged_by",
		"TodoTarget.prepared_at",
		"TodoTarget.references",
		"TodoTarget.service_desk_reply_to",
		"TodoTarget.severity",
		"TodoTarget.squash_commit_sha",
		"TodoTarget.squash_on_merge",
		"TodoTarget.type",
		"User.commit_email",
		"User.discord",
		"User.followers",
		"User.following",
		"User.is_followed",
		"User.local_time",
		"User.plan",
		"User.pronouns",
		"User.provisioned_by_group_id",
		"User.sign_in_count",
		"User.trial",
		"User.work_information",
		"UserActivity.last_activity_at",
		"Wiki.front_matter",
		"Wiki.wiki_page_meta_id",
	},
	"the client takes the new pipeline of a merge request for the entry of a list": {
		"PipelineInfo.before_sha",
		"PipelineInfo.committed_at",
		"PipelineInfo.coverage",
		"PipelineInfo.detailed_status",
		"PipelineInfo.duration",
		"PipelineInfo.finished_at",
		"PipelineInfo.queued_duration",
		"PipelineInfo.started_at",
		"PipelineInfo.tag",
		"PipelineInfo.user",
		"PipelineInfo.yaml_errors",
	},
	"the client tells null from 0 by a map": {
		"Label.priority",
	},
	"the client makes a name of the number": {
		"GroupAccess.notification_level",
		"ProjectAccess.notification_level",
	},
	"the client misspells it, as create_at": {
		"ImportStatus.created_at",
	},
	"labels with details are objects, which the client puts into LabelDetails": {
		"BasicMergeRequest.labels[]",
	},
	"the client dropped what the specification calls deprecated": {
		"BasicMergeRequest.approvals_before_merge",
		"BasicMergeRequest.merge_status",
		"BasicMergeRequest.reference",
		"BasicMergeRequest.work_in_progress",
		"MergeRequest.approvals_before_merge",
		"MergeRequest.merge_status",
		"MergeRequest.reference",
	},
})
