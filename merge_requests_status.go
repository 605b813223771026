package serviceapi

// MergeRequestState is the state of a merge request.
type MergeRequestState string

// States of a merge request. The service may send others.
const (
	MergeRequestStateOpened MergeRequestState = "opened"
	MergeRequestStateClosed MergeRequestState = "closed"
	// MergeRequestStateLocked lasts for as long as a merge takes.
	MergeRequestStateLocked MergeRequestState = "locked"
	MergeRequestStateMerged MergeRequestState = "merged"
	// MergeRequestStateAny is only for filters. It selects every state.
	MergeRequestStateAny MergeRequestState = "all"
)

// MergeStatus says whether a merge request can be merged.
type MergeStatus string

// Merge statuses. The service may send others.
const (
	// MergeStatusCanBeMerged means that there are no conflicts.
	MergeStatusCanBeMerged    MergeStatus = "can_be_merged"
	MergeStatusCannotBeMerged MergeStatus = "cannot_be_merged"
	// MergeStatusUnchecked means that the service has not checked the merge
	// request yet, or not since a branch changed. MergeStatusCannotBeMergedRecheck
	// means the same for a merge request that had conflicts before.
	MergeStatusUnchecked             MergeStatus = "unchecked"
	MergeStatusChecking              MergeStatus = "checking"
	MergeStatusCannotBeMergedRecheck MergeStatus = "cannot_be_merged_recheck"
)

// DetailedMergeStatus says whether a merge request can be merged, and what
// blocks it.
type DetailedMergeStatus string

// Detailed merge statuses. The service may send others.
const (
	DetailedMergeStatusMergeable DetailedMergeStatus = "mergeable"

	// These statuses pass by themselves.
	DetailedMergeStatusPreparing            DetailedMergeStatus = "preparing"
	DetailedMergeStatusUnchecked            DetailedMergeStatus = "unchecked"
	DetailedMergeStatusChecking             DetailedMergeStatus = "checking"
	DetailedMergeStatusApprovalsSyncing     DetailedMergeStatus = "approvals_syncing"
	DetailedMergeStatusCIStillRunning       DetailedMergeStatus = "ci_still_running"
	DetailedMergeStatusMergeTime            DetailedMergeStatus = "merge_time"
	DetailedMergeStatusStatusChecksMustPass DetailedMergeStatus = "status_checks_must_pass"

	// These statuses require someone to act.
	DetailedMergeStatusCIMustPass               DetailedMergeStatus = "ci_must_pass"
	DetailedMergeStatusCommitsStatus            DetailedMergeStatus = "commits_status"
	DetailedMergeStatusConflict                 DetailedMergeStatus = "conflict"
	DetailedMergeStatusDiscussionsNotResolved   DetailedMergeStatus = "discussions_not_resolved"
	DetailedMergeStatusDraft                    DetailedMergeStatus = "draft_status"
	DetailedMergeStatusBlocked                  DetailedMergeStatus = "merge_request_blocked"
	DetailedMergeStatusNeedRebase               DetailedMergeStatus = "need_rebase"
	DetailedMergeStatusNotApproved              DetailedMergeStatus = "not_approved"
	DetailedMergeStatusNotOpen                  DetailedMergeStatus = "not_open"
	DetailedMergeStatusRequestedChanges         DetailedMergeStatus = "requested_changes"
	DetailedMergeStatusSecurityPolicyViolations DetailedMergeStatus = "security_policy_violations"
	DetailedMergeStatusLockedPaths              DetailedMergeStatus = "locked_paths"
	DetailedMergeStatusLockedLFSFiles           DetailedMergeStatus = "locked_lfs_files"
)
