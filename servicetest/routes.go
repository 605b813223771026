package servicetest

// endpoints returns the whole API of the service: every route with its handler
// and what it requires of the caller, in the order of testdata/endpoints.tsv.
//
// Without an option, a route serves every caller with a token whose scopes are
// api or, for reads, read_api. If the path names a project or a group, the
// caller must be able to see it. The options are in router.go.
func endpoints() []*route {
	return []*route{
		// registry
		on("GET /projects/:id/registry/repositories", listRegistryRepositories),
		on("GET /groups/:id/registry/repositories", listGroupRegistryRepositories),
		on("GET /registry/repositories/:id", getRegistryRepository),
		on("DELETE /projects/:id/registry/repositories/:repository_id", deleteRegistryRepository, role(Maintainer)),
		on("GET /projects/:id/registry/repositories/:repository_id/tags", listRegistryTags),
		on("GET /projects/:id/registry/repositories/:repository_id/tags/:tag_name", getRegistryTag),
		on("DELETE /projects/:id/registry/repositories/:repository_id/tags/:tag_name", deleteRegistryTag, role(Developer)),
		on("DELETE /projects/:id/registry/repositories/:repository_id/tags", deleteRegistryTags, role(Maintainer)),
		on("GET {base_url}/jwt/auth", issueRegistryToken, ownLogin),
		on("GET {registry_url}/v2/_catalog", listRegistryCatalog, ownLogin),

		// jobs
		on("GET /projects/:id/jobs", listProjectJobs),
		on("GET /projects/:id/pipelines/:pipeline_id/jobs", listPipelineJobs),
		on("GET /projects/:id/pipelines/:pipeline_id/bridges", listBridges),
		on("GET /job", getTokenJob, acceptsJobToken),
		on("GET /job/allowed_agents", getAllowedAgents, acceptsJobToken, premium),
		on("GET /projects/:id/jobs/:job_id", getJob),
		on("GET /projects/:id/jobs/:job_id/trace", getTrace),
		on("POST /projects/:id/jobs/:job_id/cancel", cancelJob, role(Developer)),
		on("POST /projects/:id/jobs/:job_id/retry", retryJob, role(Developer)),
		on("POST /projects/:id/jobs/:job_id/play", playJob, role(Developer)),
		on("POST /projects/:id/jobs/:job_id/erase", eraseJob, role(Developer)),

		// pipelines
		on("GET /projects/:id/pipelines", listPipelines),
		on("GET /projects/:id/pipelines/:pipeline_id", getPipeline),
		on("POST /projects/:id/pipeline", createPipeline, role(Developer)),
		on("POST /projects/:id/pipelines/:pipeline_id/retry", retryPipeline, role(Developer)),
		on("POST /projects/:id/pipelines/:pipeline_id/cancel", cancelPipeline, role(Developer)),
		on("GET /projects/:id/pipelines/latest", getLatestPipeline),
		on("DELETE /projects/:id/pipelines/:pipeline_id", deletePipeline, role(Owner)),
		on("GET /projects/:id/pipelines/:pipeline_id/variables", listPipelineVariables),
		on("GET /projects/:id/pipelines/:pipeline_id/test_report", getTestReport),

		// artifacts
		on("GET /projects/:id/jobs/:job_id/artifacts", downloadArchive, acceptsJobToken),
		on("GET /projects/:id/jobs/artifacts/:ref_name/download", downloadLatestArchive, acceptsJobToken),
		on("GET /projects/:id/jobs/:job_id/artifacts/*artifact_path", downloadFile, acceptsJobToken),
		on("GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path", downloadLatestFile, acceptsJobToken),
		on("POST /projects/:id/jobs/:job_id/artifacts/keep", keepArtifacts, role(Developer)),
		on("DELETE /projects/:id/jobs/:job_id/artifacts", deleteArtifacts, role(Maintainer)),
		on("DELETE /projects/:id/artifacts", deleteProjectArtifacts, role(Maintainer)),

		// runners
		on("GET /runners", listOwnedRunners),
		on("GET /runners/all", listAllRunners, administrators),
		on("GET /runners/:id", getRunner),
		on("PUT /runners/:id", updateRunner),
		on("GET /runners/:id/jobs", listRunnerJobs),
		on("GET /projects/:id/runners", listProjectRunners, role(Maintainer)),
		on("POST /projects/:id/runners", enableRunner, role(Maintainer)),
		on("DELETE /projects/:id/runners/:runner_id", disableRunner, role(Maintainer)),
		on("GET /groups/:id/runners", listGroupRunners, role(Maintainer)),
		on("POST /runners", registerRunner, public), // the token in the body is the credential
		on("POST /user/runners", createRunner, scoped("create_runner")),
		on("DELETE /runners/:id", deleteRunner),
		on("POST /runners/:id/reset_authentication_token", resetRunnerToken),

		// environments
		on("GET /projects/:id/environments", listEnvironments),
		on("GET /projects/:id/environments/:environment_id", getEnvironment),
		on("POST /projects/:id/environments", createEnvironment, role(Developer)),
		on("PUT /projects/:id/environments/:environment_id", updateEnvironment, role(Developer)),
		on("DELETE /projects/:id/environments/:environment_id", deleteEnvironment, role(Developer)),
		on("DELETE /projects/:id/environments/review_apps", cleanUpReviewApps, role(Developer)),
		on("POST /projects/:id/environments/:environment_id/stop", stopEnvironment, role(Developer)),
		on("POST /projects/:id/environments/stop_stale", stopStaleEnvironments, role(Developer)),

		// deployments
		on("GET /projects/:id/deployments", listDeployments),
		on("GET /projects/:id/deployments/:deployment_id", getDeployment),
		on("POST /projects/:id/deployments", createDeployment, role(Developer)),
		on("PUT /projects/:id/deployments/:deployment_id", updateDeployment, role(Developer)),
		on("GET /projects/:id/deployments/:deployment_id/merge_requests", listDeployedRequests),
		on("POST /projects/:id/deployments/:deployment_id/approval", decideDeployment, role(Developer), premium),
		on("DELETE /projects/:id/deployments/:deployment_id", deleteDeployment, role(Maintainer)),

		// secure files
		on("GET /projects/:project_id/secure_files", secureFiles.List, role(Developer)),
		on("GET /projects/:project_id/secure_files/:id", secureFiles.Get, role(Developer)),
		on("POST /projects/:project_id/secure_files", secureFiles.Create, role(Maintainer), keepsUpTo(maxSecureFileSize)),
		on("GET /projects/:project_id/secure_files/:id/download", downloadSecureFile, role(Developer)),
		on("DELETE /projects/:project_id/secure_files/:id", secureFiles.Delete, role(Maintainer)),

		// commits
		on("GET /projects/:id/repository/commits", listCommits),
		on("POST /projects/:id/repository/commits", createCommit, role(Developer)),
		on("GET /projects/:id/repository/commits/:sha", getCommit),
		on("GET /projects/:id/repository/commits/:sha/refs", listCommitRefs),
		on("POST /projects/:id/repository/commits/:sha/cherry_pick", cherryPick, role(Developer)),
		on("POST /projects/:id/repository/commits/:sha/revert", revertCommit, role(Developer)),
		on("GET /projects/:id/repository/commits/:sha/diff", listCommitDiffs),
		on("GET /projects/:id/repository/commits/:sha/comments", listCommitComments),
		on("POST /projects/:id/repository/commits/:sha/comments", createCommitComment),
		on("GET /projects/:id/repository/commits/:sha/discussions", listCommitDiscussions),
		on("GET /projects/:id/repository/commits/:sha/statuses", listCommitStatuses),
		on("POST /projects/:id/statuses/:sha", setCommitStatus, role(Developer)),
		on("GET /projects/:id/repository/commits/:sha/merge_requests", listCommitRequests),

		// branches
		on("GET /projects/:id/repository/branches", listBranches, public, scoped("read_repository")),
		on("POST /projects/:id/repository/branches", createBranch, role(Developer)),
		on("DELETE /projects/:id/repository/branches/:branch", deleteBranch, role(Developer)),
		on("GET /projects/:id/repository/branches/:branch", getBranch, public, scoped("read_repository")),

		// tags
		on("GET /projects/:id/repository/tags", listTags, public, scoped("read_repository")),
		on("POST /projects/:id/repository/tags", createTag, role(Developer)),
		on("GET /projects/:id/repository/tags/:tag_name", getTag, public, scoped("read_repository")),
		on("DELETE /projects/:id/repository/tags/:tag_name", deleteTag, role(Developer)),

		// repository
		on("GET /projects/:id/repository/tree", listTree, public, scoped("read_repository")),
		on("GET /projects/:id/repository/compare", compareRefs, public, scoped("read_repository")),
		on("GET /projects/:id/repository/archive.:format", getArchive, public, scoped("read_repository")),

		// files
		on("GET /projects/:id/repository/files/:file_path", getFile, public, scoped("read_repository")),
		on("HEAD /projects/:id/repository/files/:file_path", headFile, public, scoped("read_repository")),
		on("GET /projects/:id/repository/files/:file_path/blame", blameFile, public, scoped("read_repository")),
		on("HEAD /projects/:id/repository/files/:file_path/blame", headFile, public, scoped("read_repository")),
		on("GET /projects/:id/repository/files/:file_path/raw", rawFile, public, scoped("read_repository")),
		on("HEAD /projects/:id/repository/files/:file_path/raw", rawFile, public, scoped("read_repository")),
		on("POST /projects/:id/repository/files/:file_path", createFile, role(Developer)),
		on("PUT /projects/:id/repository/files/:file_path", updateFile, role(Developer)),
		on("DELETE /projects/:id/repository/files/:file_path", deleteFile, role(Developer)),

		// notes
		on("GET /projects/:id/issues/:issue_iid/notes", onNoteable(noteableIssue, listNotes)),
		on("GET /projects/:id/issues/:issue_iid/notes/:note_id", onNoteable(noteableIssue, getNote)),
		on("POST /projects/:id/issues/:issue_iid/notes", onNoteable(noteableIssue, createNote)),
		on("PUT /projects/:id/issues/:issue_iid/notes/:note_id", onNoteable(noteableIssue, updateNote)),
		on("DELETE /projects/:id/issues/:issue_iid/notes/:note_id", onNoteable(noteableIssue, deleteNote)),
		on("GET /projects/:id/snippets/:snippet_id/notes", onNoteable(noteableSnippet, listNotes)),
		on("GET /projects/:id/snippets/:snippet_id/notes/:note_id", onNoteable(noteableSnippet, getNote)),
		on("POST /projects/:id/snippets/:snippet_id/notes", onNoteable(noteableSnippet, createNote)),
		on("PUT /projects/:id/snippets/:snippet_id/notes/:note_id", onNoteable(noteableSnippet, updateNote)),
		on("DELETE /projects/:id/snippets/:snippet_id/notes/:note_id", onNoteable(noteableSnippet, deleteNote)),
		on("GET /projects/:id/merge_requests/:merge_request_iid/notes", onNoteable(noteableMergeRequest, listNotes)),
		on("GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id", onNoteable(noteableMergeRequest, getNote)),
		on("POST /projects/:id/merge_requests/:merge_request_iid/notes", onNoteable(noteableMergeRequest, createNote)),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id", onNoteable(noteableMergeRequest, updateNote)),
		on("DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id", onNoteable(noteableMergeRequest, deleteNote)),
		on("GET /groups/:id/epics/:epic_id/notes", onNoteable(noteableEpic, listNotes), premium),
		on("GET /groups/:id/epics/:epic_id/notes/:note_id", onNoteable(noteableEpic, getNote), premium),
		on("POST /groups/:id/epics/:epic_id/notes", onNoteable(noteableEpic, createNote), premium),
		on("PUT /groups/:id/epics/:epic_id/notes/:note_id", onNoteable(noteableEpic, updateNote), premium),
		on("DELETE /groups/:id/epics/:epic_id/notes/:note_id", onNoteable(noteableEpic, deleteNote), premium),

		// merge requests
		on("GET /merge_requests", listMergeRequests),
		on("GET /projects/:id/merge_requests", listProjectMergeRequests),
		on("GET /projects/:id/merge_requests/:merge_request_iid", getMergeRequest),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/merge", mergeMergeRequest),
		on("GET /projects/:id/merge_requests/:merge_request_iid/merge_ref", getMergeRef),
		on("POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds", cancelMerge),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/rebase", rebaseMergeRequest),
		on("GET /projects/:id/merge_requests/:merge_request_iid/closes_issues", listClosedIssues),
		on("POST /projects/:id/merge_requests/:merge_request_iid/subscribe", onNoteable(noteableMergeRequest, changeSubscription(true))),
		on("POST /projects/:id/merge_requests", createMergeRequest, role(Developer)),
		on("PUT /projects/:id/merge_requests/:merge_request_iid", updateMergeRequest),
		on("GET /projects/:id/merge_requests/:merge_request_iid/commits", listMergeRequestCommits),
		on("GET /projects/:id/merge_requests/:merge_request_iid/diffs", listMergeRequestDiffs),
		on("GET /projects/:id/merge_requests/:merge_request_iid/pipelines", listMergeRequestPipelines),
		on("DELETE /projects/:id/merge_requests/:merge_request_iid", deleteMergeRequest, role(Owner)),
		on("GET /groups/:id/merge_requests", listGroupMergeRequests),
		on("GET /projects/:id/merge_requests/:merge_request_iid/changes", getMergeRequestChanges),
		on("POST /projects/:id/merge_requests/:merge_request_iid/pipelines", createMergeRequestPipeline, role(Developer)),
		on("GET /projects/:id/merge_requests/:merge_request_iid/versions", listMergeRequestVersions),

		// approvals
		on("GET /projects/:id/merge_requests/:merge_request_iid/approvals", getApprovals),
		on("POST /projects/:id/merge_requests/:merge_request_iid/approve", approve),
		on("POST /projects/:id/merge_requests/:merge_request_iid/unapprove", unapprove),
		on("GET /projects/:id/merge_requests/:merge_request_iid/approval_state", getApprovalState, premium),

		// discussions
		on("GET /projects/:id/merge_requests/:merge_request_iid/discussions", onNoteable(noteableMergeRequest, listDiscussions)),
		on("POST /projects/:id/merge_requests/:merge_request_iid/discussions", onNoteable(noteableMergeRequest, createDiscussion)),
		on("POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes", onNoteable(noteableMergeRequest, replyToDiscussion)),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id", onNoteable(noteableMergeRequest, resolveDiscussion)),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id", onNoteable(noteableMergeRequest, updateDiscussionNote)),
		on("DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id", onNoteable(noteableMergeRequest, deleteDiscussionNote)),
		on("GET /projects/:id/issues/:issue_iid/discussions", onNoteable(noteableIssue, listDiscussions)),
		on("POST /projects/:id/issues/:issue_iid/discussions", onNoteable(noteableIssue, createDiscussion)),
		on("POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes", onNoteable(noteableIssue, replyToDiscussion)),

		// issues
		on("GET /issues", listIssues, public),
		on("GET /projects/:id/issues", listProjectIssues, public),
		on("GET /projects/:id/issues/:issue_iid", getIssue, public),
		on("POST /projects/:id/issues", createIssue, role(Guest)),
		on("PUT /projects/:id/issues/:issue_iid", updateIssue),
		on("GET /groups/:id/issues", listGroupIssues, public),
		on("DELETE /projects/:id/issues/:issue_iid", deleteIssue, role(Owner)),
		on("POST /projects/:id/issues/:issue_iid/move", moveIssue, role(Reporter)),

		// snippets
		on("GET /projects/:id/snippets", snippets.List),
		on("GET /projects/:id/snippets/:snippet_id", snippets.Get),
		on("POST /projects/:id/snippets", snippets.Create, role(Reporter)),

		// epics
		on("GET /groups/:id/epics", listEpics, premium),
		on("GET /groups/:id/epics/:epic_iid", getEpic, premium),

		// milestones
		on("GET /projects/:id/milestones", milestones.List),
		on("GET /groups/:id/milestones", milestones.List),

		// labels
		on("GET /projects/:id/labels", labels.List),
		on("GET /groups/:id/labels", labels.List),

		// deploy keys
		on("GET /deploy_keys", listDeployKeys, administrators),
		on("GET /projects/:id/deploy_keys", deployKeys.List, role(Maintainer)),
		on("GET /users/:id_or_username/project_deploy_keys", listUserDeployKeys),
		on("GET /projects/:id/deploy_keys/:key_id", deployKeys.Get, role(Maintainer)),
		on("POST /projects/:id/deploy_keys", createDeployKey, role(Maintainer)),
		on("PUT /projects/:id/deploy_keys/:key_id", deployKeys.Update, role(Maintainer)),
		on("DELETE /projects/:id/deploy_keys/:key_id", deployKeys.Delete, role(Maintainer)),
		on("POST /projects/:id/deploy_keys/:key_id/enable", enableDeployKey, role(Maintainer)),

		// deploy tokens
		on("GET /deploy_tokens", deployTokens.List, administrators),
		on("GET /projects/:id/deploy_tokens", deployTokens.List, role(Maintainer)),
		on("GET /projects/:id/deploy_tokens/:token_id", deployTokens.Get, role(Maintainer)),
		on("POST /projects/:id/deploy_tokens", createDeployToken, role(Maintainer)),
		on("DELETE /projects/:id/deploy_tokens/:token_id", deployTokens.Delete, role(Maintainer)),
		on("GET /groups/:id/deploy_tokens", deployTokens.List, role(Maintainer)),
		on("GET /groups/:id/deploy_tokens/:token_id", deployTokens.Get, role(Maintainer)),
		on("POST /groups/:id/deploy_tokens", createDeployToken, role(Owner)),
		on("DELETE /groups/:id/deploy_tokens/:token_id", deployTokens.Delete, role(Owner)),

		// users
		on("GET /users", listUsers, scoped("read_user")),
		on("GET /users/:id", getUser, scoped("read_user")),
		on("POST /users", createUser, administrators, keepsUpTo(0)),
		on("PUT /users/:id", updateUser, administrators, keepsUpTo(0)),
		on("DELETE /users/:id/identities/:provider", deleteIdentity, administrators),
		on("DELETE /users/:id", deleteUser, administrators),
		on("GET /user", currentUser, scoped("read_user")),
		on("POST /users/:id/block", blockUser, administrators),
		on("POST /users/:id/unblock", unblockUser, administrators),
		on("POST /users/:id/deactivate", deactivateUser, administrators),
		on("POST /users/:id/activate", activateUser, administrators),

		// members
		on("GET /groups/:id/members", inGroup(listMembers)),
		on("GET /projects/:id/members", inProject(listMembers)),
		on("GET /groups/:id/members/all", inGroup(listAllMembers)),
		on("GET /projects/:id/members/all", inProject(listAllMembers)),
		on("GET /groups/:id/members/:user_id", inGroup(getMember)),
		on("GET /projects/:id/members/:user_id", inProject(getMember)),
		on("GET /groups/:id/members/all/:user_id", inGroup(getMemberOfAll)),
		on("GET /projects/:id/members/all/:user_id", inProject(getMemberOfAll)),
		on("GET /groups/:id/billable_members", listBillableMembers, role(Owner)),
		on("GET /groups/:id/billable_members/:user_id/memberships", listBillableMemberships, role(Owner)),
		on("DELETE /groups/:id/billable_members/:user_id", removeBillableMember, role(Owner)),
		on("PUT /groups/:id/members/:user_id/state", setMemberState, role(Owner)),
		on("POST /groups/:id/members", inGroup(addMembers), role(Owner)),
		on("POST /projects/:id/members", inProject(addMembers), role(Maintainer)),
		on("PUT /groups/:id/members/:user_id", inGroup(updateMember), role(Owner)),
		on("PUT /projects/:id/members/:user_id", inProject(updateMember), role(Maintainer)),
		on("DELETE /groups/:id/members/:user_id", inGroup(removeMember)),
		on("DELETE /projects/:id/members/:user_id", inProject(removeMember)),

		// audit events
		on("GET /audit_events", auditEvents.List, administrators),
		on("GET /audit_events/:id", auditEvents.Get, administrators),
		on("GET /groups/:id/audit_events", auditEvents.List, role(Developer)),
		on("GET /groups/:id/audit_events/:audit_event_id", auditEvents.Get, role(Owner)),
		on("GET /projects/:id/audit_events", auditEvents.List, role(Developer)),
		on("GET /projects/:id/audit_events/:audit_event_id", auditEvents.Get, role(Maintainer)),

		// export
		on("POST /projects/:id/export", scheduleExport, role(Maintainer)),
		on("GET /projects/:id/export", exportStatus, role(Maintainer)),
		on("GET /projects/:id/export/download", downloadExport, role(Maintainer)),

		// import
		on("POST /projects/import", importFile, keepsUpTo(maxReadArchive)),
		on("POST /projects/remote-import", importURL),
		on("POST /projects/remote-import-objstore", importObject),
		on("GET /projects/:id/import", importStatus),

		// storage moves
		on("POST /project_repository_storage_moves", moveProjects, administrators),
		on("POST /snippet_repository_storage_moves", moveSnippets, administrators),
		on("POST /group_repository_storage_moves", moveGroups, administrators, premium),

		// projects
		on("GET /projects/:id", getProject, public),
		on("GET /projects", listProjects, public),
		on("POST /projects", createProject, keepsUpTo(0)),
		on("PUT /projects/:id", updateProject, role(Maintainer), keepsUpTo(0)),
		on("DELETE /projects/:id", deleteProject, role(Owner)),
		on("POST /projects/:id/fork", forkProject),
		on("POST /projects/:id/archive", archive, role(Owner)),
		on("POST /projects/:id/unarchive", unarchive, role(Owner)),
		on("PUT /projects/:id/transfer", transferProject, role(Owner)),
		on("GET /users/:user_id/projects", listUserProjects),
		on("POST /projects/:id/share", shareProject, role(Maintainer)),
		on("DELETE /projects/:id/share/:group_id", unshareProject, role(Maintainer)),

		// groups
		on("GET /groups", listGroups, public),
		on("GET /groups/:id", getGroup, public),
		on("POST /groups", createGroup, keepsUpTo(0)),
		on("GET /groups/:id/projects", listGroupProjects),
		on("GET /groups/:id/subgroups", listSubgroups),
		on("PUT /groups/:id", updateGroup, role(Owner), keepsUpTo(0)),
		on("DELETE /groups/:id", deleteGroup, role(Owner)),

		// access tokens
		on("DELETE /personal_access_tokens/:id", revokePersonalToken),
		on("GET /projects/:id/access_tokens", accessTokens.List, role(Maintainer)),
		on("POST /projects/:id/access_tokens", createToken, role(Maintainer)),
		on("DELETE /projects/:id/access_tokens/:token_id", revokeToken, role(Maintainer)),
		on("GET /groups/:id/access_tokens", accessTokens.List, role(Owner)),
		on("POST /groups/:id/access_tokens", createToken, role(Owner)),
		on("DELETE /groups/:id/access_tokens/:token_id", revokeToken, role(Owner)),
		on("GET /personal_access_tokens", listPersonalTokens),
		on("GET /personal_access_tokens/self", getOwnToken, scoped(tokenScopes...)),
		on("DELETE /personal_access_tokens/self", revokeOwnToken, scoped(tokenScopes...)),
		on("POST /personal_access_tokens/self/rotate", rotateOwnToken, scoped("api", "self_rotate")),
		on("POST /personal_access_tokens/:id/rotate", rotatePersonalToken),
		on("POST /users/:user_id/personal_access_tokens", createUserToken, administrators),
		on("POST /projects/:id/access_tokens/:token_id/rotate", rotateToken, role(Maintainer)),
		on("POST /groups/:id/access_tokens/:token_id/rotate", rotateToken, role(Owner)),

		// variables
		on("GET /projects/:id/variables", variables.List, role(Maintainer)),
		on("GET /projects/:id/variables/:key", variables.Get, role(Maintainer)),
		on("POST /projects/:id/variables", variables.Create, role(Maintainer)),
		on("PUT /projects/:id/variables/:key", variables.Update, role(Maintainer)),
		on("DELETE /projects/:id/variables/:key", variables.Delete, role(Maintainer)),
		on("GET /groups/:id/variables", variables.List, role(Owner)),
		on("POST /groups/:id/variables", variables.Create, role(Owner)),
		on("PUT /groups/:id/variables/:key", variables.Update, role(Owner)),
		on("DELETE /groups/:id/variables/:key", variables.Delete, role(Owner)),
		on("GET /groups/:id/variables/:key", variables.Get, role(Owner)),

		// SSH keys of users
		on("GET /user/keys", sshKeys.List),
		on("POST /user/keys", sshKeys.Create),
		on("DELETE /user/keys/:key_id", sshKeys.Delete),

		// namespaces
		on("GET /namespaces", listNamespaces),

		// oauth
		on("POST {base_url}/oauth/token", exchangeToken, ownLogin),

		// scim
		on("GET /api/scim/v2/groups/:group_path/Users", listSCIMUsers, role(Owner), premium),
		on("GET /api/scim/v2/groups/:group_path/Users/:id", getSCIMUser, role(Owner), premium),
		on("POST /api/scim/v2/groups/:group_path/Users", createSCIMUser, role(Owner), premium),
		on("PATCH /api/scim/v2/groups/:group_path/Users/:id", patchSCIMUser, role(Owner), premium),
		on("DELETE /api/scim/v2/groups/:group_path/Users/:id", deleteSCIMUser, role(Owner), premium),

		// graphql
		on("POST /api/graphql", postGraphQL, public, scoped("read_api")),

		// metadata
		on("GET /version", getMetadata),
		on("GET /metadata", getMetadata),

		// status_checks
		on("GET /projects/:id/external_status_checks", statusChecks.List, role(Maintainer)),

		// approvals of projects and rules
		on("GET /projects/:id/approvals", getApprovalConfiguration, role(Developer), premium),
		on("POST /projects/:id/approvals", updateApprovalConfiguration, role(Maintainer), premium),
		on("GET /projects/:id/merge_request_approval_setting", getApprovalSetting, role(Developer), premium),
		on("PUT /projects/:id/merge_request_approval_setting", updateApprovalSetting, role(Maintainer), premium),
		on("GET /groups/:id/merge_request_approval_setting", getApprovalSetting, role(Owner), premium),
		on("PUT /groups/:id/merge_request_approval_setting", updateApprovalSetting, role(Owner), premium),
		on("GET /projects/:id/approval_rules", projectRules.List, role(Developer), premium),
		on("GET /projects/:id/approval_rules/:approval_rule_id", projectRules.Get, role(Developer), premium),
		on("POST /projects/:id/approval_rules", projectRules.Create, role(Maintainer), premium),
		on("PUT /projects/:id/approval_rules/:approval_rule_id", projectRules.Update, role(Maintainer), premium),
		on("DELETE /projects/:id/approval_rules/:approval_rule_id", projectRules.Delete, role(Maintainer), premium),
		on("GET /projects/:id/merge_requests/:merge_request_iid/approval_rules", requestRules.List, role(Developer),
			premium),
		on("GET /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id", requestRules.Get,
			role(Developer), premium),
		on("POST /projects/:id/merge_requests/:merge_request_iid/approval_rules", requestRules.Create, role(Maintainer),
			premium),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id", requestRules.Update,
			role(Maintainer), premium),
		on("DELETE /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id", deleteRequestRule,
			role(Maintainer), premium),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals", resetApprovals, premium),

		// variables of the instance
		on("GET /admin/ci/variables", variables.List, administrators),
		on("GET /admin/ci/variables/:key", variables.Get, administrators),
		on("POST /admin/ci/variables", variables.Create, administrators),
		on("PUT /admin/ci/variables/:key", variables.Update, administrators),
		on("DELETE /admin/ci/variables/:key", variables.Delete, administrators),
		// award emoji
		on("GET /projects/:id/issues/:issue_iid/award_emoji", onAwards(noteableIssue, listAwards), public),
		on("GET /projects/:id/issues/:issue_iid/award_emoji/:award_id", onAwards(noteableIssue, getAward), public),
		on("POST /projects/:id/issues/:issue_iid/award_emoji", onAwards(noteableIssue, createAward)),
		on("DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id", onAwards(noteableIssue, deleteAward)),
		on("GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji", onAwards(noteableIssue, listAwards), public),
		on("GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id", onAwards(noteableIssue, getAward), public),
		on("POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji", onAwards(noteableIssue, createAward)),
		on("DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id", onAwards(noteableIssue, deleteAward)),
		on("GET /projects/:id/merge_requests/:merge_request_iid/award_emoji", onAwards(noteableMergeRequest, listAwards), public),
		on("GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id", onAwards(noteableMergeRequest, getAward), public),
		on("POST /projects/:id/merge_requests/:merge_request_iid/award_emoji", onAwards(noteableMergeRequest, createAward)),
		on("DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id", onAwards(noteableMergeRequest, deleteAward)),
		on("GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji", onAwards(noteableMergeRequest, listAwards), public),
		on("GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id", onAwards(noteableMergeRequest, getAward), public),
		on("POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji", onAwards(noteableMergeRequest, createAward)),
		on("DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id", onAwards(noteableMergeRequest, deleteAward)),
		on("GET /projects/:id/snippets/:snippet_id/award_emoji", onAwards(noteableSnippet, listAwards), public),
		on("GET /projects/:id/snippets/:snippet_id/award_emoji/:award_id", onAwards(noteableSnippet, getAward), public),
		on("POST /projects/:id/snippets/:snippet_id/award_emoji", onAwards(noteableSnippet, createAward)),
		on("DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id", onAwards(noteableSnippet, deleteAward)),
		on("GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji", onAwards(noteableSnippet, listAwards), public),
		on("GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id", onAwards(noteableSnippet, getAward), public),
		on("POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji", onAwards(noteableSnippet, createAward)),
		on("DELETE /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id", onAwards(noteableSnippet, deleteAward)),

		// mirrors
		on("GET /projects/:id/remote_mirrors", remoteMirrors.List),
		on("GET /projects/:id/remote_mirrors/:mirror_id", remoteMirrors.Get),
		on("POST /projects/:id/remote_mirrors", remoteMirrors.Create),
		on("PUT /projects/:id/remote_mirrors/:mirror_id", remoteMirrors.Update),
		on("DELETE /projects/:id/remote_mirrors/:mirror_id", remoteMirrors.Delete),
		on("PUT /projects/:id/mirror/pull", updatePullMirror, role(Maintainer), premium),

		// pages
		on("GET /projects/:id/pages", getPages, role(Maintainer)),
		on("PATCH /projects/:id/pages", updatePages, role(Maintainer)),
		on("DELETE /projects/:id/pages", unpublishPages, role(Maintainer)),
		on("GET /pages/domains", listPagesDomains, administrators),
		on("GET /projects/:id/pages/domains", pagesDomains.List, role(Maintainer)),
		on("GET /projects/:id/pages/domains/:domain", pagesDomains.Get, role(Maintainer)),
		on("POST /projects/:id/pages/domains", pagesDomains.Create, role(Maintainer)),
		on("PUT /projects/:id/pages/domains/:domain", pagesDomains.Update, role(Maintainer)),
		on("DELETE /projects/:id/pages/domains/:domain", pagesDomains.Delete, role(Maintainer)),

		// labels
		on("GET /projects/:id/labels/:label_id", labels.Get),
		on("PUT /projects/:id/labels/:label_id", updateLabel, role(Reporter)),
		on("DELETE /projects/:id/labels/:label_id", labels.Delete, role(Reporter)),
		on("PUT /projects/:id/labels/:label_id/promote", promoteLabel, role(Reporter)),
		on("POST /projects/:id/labels/:label_id/subscribe", subscribeToLabel),
		on("POST /projects/:id/labels/:label_id/unsubscribe", unsubscribeFromLabel),
		on("GET /groups/:id/labels/:label_id", labels.Get),
		on("PUT /groups/:id/labels/:label_id", updateLabel, role(Reporter)),
		on("DELETE /groups/:id/labels/:label_id", labels.Delete, role(Reporter)),
		on("POST /groups/:id/labels/:label_id/subscribe", subscribeToLabel),
		on("POST /groups/:id/labels/:label_id/unsubscribe", unsubscribeFromLabel),
		on("POST /projects/:id/labels", labels.Create, role(Reporter)),
		on("POST /groups/:id/labels", labels.Create, role(Reporter)),

		// resource events
		on("GET /projects/:id/issues/:issue_iid/resource_label_events",
			onNoteable(noteableIssue, listResourceEvents(labelEvents, (*resourceEvent).labelJSON)), public),
		on("GET /projects/:id/issues/:issue_iid/resource_state_events",
			onNoteable(noteableIssue, listResourceEvents(stateEvents, (*resourceEvent).stateJSON)), public),

		// draft notes
		on("GET /projects/:id/merge_requests/:merge_request_iid/draft_notes", onNoteable(noteableMergeRequest, listDraftNotes)),
		on("GET /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id", onNoteable(noteableMergeRequest, getDraftNote)),
		on("POST /projects/:id/merge_requests/:merge_request_iid/draft_notes", onNoteable(noteableMergeRequest, createDraftNote)),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id", onNoteable(noteableMergeRequest, updateDraftNote)),
		on("DELETE /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id", onNoteable(noteableMergeRequest, deleteDraftNote)),
		on("PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish", onNoteable(noteableMergeRequest, publishDraftNote)),
		on("POST /projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish", onNoteable(noteableMergeRequest, publishDraftNotes)),

		// relations of issues and merge requests
		on("POST /projects/:id/issues/:issue_iid/subscribe", onNoteable(noteableIssue, changeSubscription(true))),
		on("POST /projects/:id/issues/:issue_iid/unsubscribe", onNoteable(noteableIssue, changeSubscription(false))),
		on("GET /projects/:id/issues/:issue_iid/related_merge_requests", listRelatedRequests, public),
		on("GET /projects/:id/issues/:issue_iid/closed_by", listClosingRequests, public),
		on("GET /issues/:id", getIssueByID, administrators),
		on("POST /projects/:id/issues/:issue_iid/clone", cloneIssue, role(Reporter)),
		on("PUT /projects/:id/issues/:issue_iid/reorder", reorderIssue),
		on("GET /projects/:id/issues/:issue_iid/participants", onNoteable(noteableIssue, listParticipants), public),
		on("POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe", onNoteable(noteableMergeRequest, changeSubscription(false))),
		on("GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id", getMergeRequestVersion),
		on("GET /projects/:id/merge_requests/:merge_request_iid/raw_diffs", downloadRawDiffs),
		on("GET /projects/:id/merge_requests/:merge_request_iid/participants", onNoteable(noteableMergeRequest, listParticipants)),
		on("GET /projects/:id/merge_requests/:merge_request_iid/reviewers", listReviewers),

		// hooks
		on("GET /projects/:id/hooks", projectHooks.List, role(Maintainer)),
		on("GET /projects/:id/hooks/:hook_id", projectHooks.Get, role(Maintainer)),
		on("POST /projects/:id/hooks", projectHooks.Create, role(Maintainer)),
		on("PUT /projects/:id/hooks/:hook_id", updateHook(projectHooks), role(Maintainer)),
		on("DELETE /projects/:id/hooks/:hook_id", projectHooks.Delete, role(Maintainer)),
		on("POST /projects/:id/hooks/:hook_id/test/:trigger", testHook(projectHooks), role(Maintainer)),
		on("GET /projects/:id/hooks/:hook_id/events", listHookLogs(projectHooks), role(Maintainer)),
		on("POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend", resendHookLog(projectHooks), role(Maintainer)),
		on("PUT /projects/:id/hooks/:hook_id/url_variables/:key", setHookValue(projectHooks, urlVariables), role(Maintainer)),
		on("DELETE /projects/:id/hooks/:hook_id/url_variables/:key", deleteHookValue(projectHooks, "URL variable", urlVariables), role(Maintainer)),
		on("PUT /projects/:id/hooks/:hook_id/custom_headers/:key", setHookValue(projectHooks, customHeaders), role(Maintainer)),
		on("DELETE /projects/:id/hooks/:hook_id/custom_headers/:key", deleteHookValue(projectHooks, "Custom header", customHeaders), role(Maintainer)),
		on("GET /groups/:id/hooks", groupHooks.List, role(Owner), premium),
		on("GET /groups/:id/hooks/:hook_id", groupHooks.Get, role(Owner), premium),
		on("POST /groups/:id/hooks", groupHooks.Create, role(Owner), premium),
		on("PUT /groups/:id/hooks/:hook_id", updateHook(groupHooks), role(Owner), premium),
		on("DELETE /groups/:id/hooks/:hook_id", groupHooks.Delete, role(Owner), premium),
		on("POST /groups/:id/hooks/:hook_id/test/:trigger", testHook(groupHooks), role(Owner), premium),
		on("GET /groups/:id/hooks/:hook_id/events", listHookLogs(groupHooks), role(Owner), premium),
		on("POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend", resendHookLog(groupHooks), role(Owner), premium),
		on("PUT /groups/:id/hooks/:hook_id/url_variables/:key", setHookValue(groupHooks, urlVariables), role(Owner), premium),
		on("DELETE /groups/:id/hooks/:hook_id/url_variables/:key", deleteHookValue(groupHooks, "URL variable", urlVariables), role(Owner), premium),
		on("PUT /groups/:id/hooks/:hook_id/custom_headers/:key", setHookValue(groupHooks, customHeaders), role(Owner), premium),
		on("DELETE /groups/:id/hooks/:hook_id/custom_headers/:key", deleteHookValue(groupHooks, "Custom header", customHeaders), role(Owner), premium),
		on("GET /hooks", systemHooks.List, administrators),
		on("GET /hooks/:hook_id", systemHooks.Get, administrators),
		on("POST /hooks", systemHooks.Create, administrators),
		on("PUT /hooks/:hook_id", updateHook(systemHooks), administrators),
		on("DELETE /hooks/:hook_id", systemHooks.Delete, administrators),
		on("POST /hooks/:hook_id", testSystemHook, administrators),
		on("PUT /hooks/:hook_id/url_variables/:key", setHookValue(systemHooks, urlVariables), administrators),
		on("DELETE /hooks/:hook_id/url_variables/:key", deleteHookValue(systemHooks, "URL variable", urlVariables), administrators),

		// pipeline schedules
		on("GET /projects/:id/pipeline_schedules", pipelineSchedules.List),
		on("GET /projects/:id/pipeline_schedules/:pipeline_schedule_id", pipelineSchedules.Get),
		on("GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines", listScheduledPipelines),
		on("POST /projects/:id/pipeline_schedules", pipelineSchedules.Create, role(Developer)),
		on("PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id", ofSchedule(pipelineSchedules.Update), role(Developer)),
		on("POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership", takeSchedule, role(Maintainer)),
		on("POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play", playSchedule, role(Developer)),
		on("DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id", ofSchedule(pipelineSchedules.Delete), role(Developer)),
		on("POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables", scheduleVariables.Create, role(Developer)),
		on("GET /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key", scheduleVariables.Get, role(Developer)),
		on("PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key", scheduleVariables.Update, role(Developer)),
		on("DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key", deleteScheduleVariable, role(Developer)),

		// triggers
		on("GET /projects/:id/triggers", triggers.List, role(Maintainer)),
		on("GET /projects/:id/triggers/:trigger_id", triggers.Get, role(Maintainer)),
		on("POST /projects/:id/triggers", triggers.Create, role(Maintainer)),
		on("PUT /projects/:id/triggers/:trigger_id", triggers.Update, role(Maintainer)),
		on("DELETE /projects/:id/triggers/:trigger_id", triggers.Delete, role(Maintainer)),
		on("POST /projects/:id/trigger/pipeline", runTrigger, ownLogin), // the token in the body is the credential
		// protected branches
		on("GET /projects/:id/protected_branches", protectedBranches.List, role(Maintainer)),
		on("GET /projects/:id/protected_branches/:name", protectedBranches.Get, role(Maintainer)),
		on("POST /projects/:id/protected_branches", protectedBranches.Create, role(Maintainer)),
		on("PATCH /projects/:id/protected_branches/:name", protectedBranches.Update, role(Maintainer)),
		on("DELETE /projects/:id/protected_branches/:name", unprotectBranch, role(Maintainer)),
		on("GET /groups/:id/protected_branches", protectedBranches.List, role(Owner), premium),
		on("GET /groups/:id/protected_branches/:name", protectedBranches.Get, role(Owner), premium),
		on("POST /groups/:id/protected_branches", protectedBranches.Create, role(Owner), premium),
		on("PATCH /groups/:id/protected_branches/:name", protectedBranches.Update, role(Owner), premium),
		on("DELETE /groups/:id/protected_branches/:name", unprotectBranch, role(Owner), premium),

		// protected tags
		on("GET /projects/:id/protected_tags", protectedTags.List, role(Maintainer)),
		on("GET /projects/:id/protected_tags/:name", protectedTags.Get, role(Maintainer)),
		on("POST /projects/:id/protected_tags", protectedTags.Create, role(Maintainer)),
		on("DELETE /projects/:id/protected_tags/:name", protectedTags.Delete, role(Maintainer)),
		// releases
		on("GET /projects/:id/releases", releaseTable.List, public, acceptsJobToken),
		on("GET /projects/:id/releases/:tag_name", getRelease, public, acceptsJobToken),
		on("GET /projects/:id/releases/permalink/latest", getLatestRelease, public, acceptsJobToken),
		on("POST /projects/:id/releases", createRelease, role(Developer), acceptsJobToken),
		on("PUT /projects/:id/releases/:tag_name", updateRelease, role(Developer), acceptsJobToken),
		on("DELETE /projects/:id/releases/:tag_name", deleteRelease, role(Developer), acceptsJobToken),
		on("POST /projects/:id/releases/:tag_name/evidence", collectReleaseEvidence, role(Developer), premium),
		on("GET /projects/:id/releases/:tag_name/assets/links", releaseLinks.List, public, acceptsJobToken),
		on("GET /projects/:id/releases/:tag_name/assets/links/:link_id", releaseLinks.Get, public, acceptsJobToken),
		on("POST /projects/:id/releases/:tag_name/assets/links", releaseLinks.Create, role(Developer), acceptsJobToken),
		on("PUT /projects/:id/releases/:tag_name/assets/links/:link_id", updateReleaseLink, role(Developer), acceptsJobToken),
		on("DELETE /projects/:id/releases/:tag_name/assets/links/:link_id", deleteReleaseLink, role(Developer),
			acceptsJobToken),

		// protected environments
		on("GET /projects/:id/protected_environments", protectedEnvironments.List, role(Maintainer), premium),
		on("GET /projects/:id/protected_environments/:name", protectedEnvironments.Get, role(Maintainer), premium),
		on("POST /projects/:id/protected_environments", protectedEnvironments.Create, role(Maintainer), premium),
		on("PUT /projects/:id/protected_environments/:name", protectedEnvironments.Update, role(Maintainer), premium),
		on("DELETE /projects/:id/protected_environments/:name", protectedEnvironments.Delete, role(Maintainer), premium),
		on("GET /groups/:id/protected_environments", protectedEnvironments.List, role(Maintainer), premium),
		on("GET /groups/:id/protected_environments/:name", protectedEnvironments.Get, role(Maintainer), premium),
		on("POST /groups/:id/protected_environments", protectedEnvironments.Create, role(Maintainer), premium),
		on("PUT /groups/:id/protected_environments/:name", protectedEnvironments.Update, role(Maintainer), premium),
		on("DELETE /groups/:id/protected_environments/:name", protectedEnvironments.Delete, role(Maintainer), premium),

		// push rules
		on("GET /projects/:id/push_rule", getPushRule, role(Maintainer)),
		on("POST /projects/:id/push_rule", createPushRule, role(Maintainer)),
		on("PUT /projects/:id/push_rule", pushRules.Update, role(Maintainer)),
		on("DELETE /projects/:id/push_rule", pushRules.Delete, role(Maintainer)),
		on("GET /groups/:id/push_rule", getPushRule),
		on("POST /groups/:id/push_rule", createPushRule),
		on("PUT /groups/:id/push_rule", pushRules.Update),
		on("DELETE /groups/:id/push_rule", pushRules.Delete),

		// lint
		on("GET /projects/:id/ci/lint", lintStored),
		on("POST /projects/:id/ci/lint", lintContent, role(Developer)),
		on("POST /ci/lint", lintGlobally),
		// packages
		on("GET /projects/:id/packages", packages.List, public, acceptsJobToken),
		on("GET /groups/:id/packages", packages.List, public),
		on("GET /projects/:id/packages/:package_id", getPackage, public, acceptsJobToken),
		on("DELETE /projects/:id/packages/:package_id", packages.Delete, role(Maintainer), acceptsJobToken),
		on("GET /projects/:id/packages/:package_id/package_files", packageFiles.List, public, acceptsJobToken),
		on("DELETE /projects/:id/packages/:package_id/package_files/:package_file_id", packageFiles.Delete,
			role(Maintainer), acceptsJobToken),
		on("GET /projects/:id/packages/:package_id/pipelines", listPackagePipelines, public),
		on("PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name", publishGeneric,
			role(Developer), acceptsJobToken, wholeBody, keepsUpTo(64<<20)),
		on("GET /projects/:id/packages/generic/:package_name/:package_version/:file_name", downloadGeneric, public,
			acceptsJobToken),
	}
}
