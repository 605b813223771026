package serviceapi

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/internal/errbody"
	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/text"
)

// MergeRequest is a request to merge one branch into another, as lists return
// it. With [MergeRequestViewSimple], they set only IID, WebURL, Title,
// Description and State. [MergeRequestsService.Get] returns
// [MergeRequestDetails].
type MergeRequest struct {
	ID int64 `json:"id"`
	// IID is the number of the merge request in its project. All methods identify
	// the merge request by it.
	IID int64 `json:"iid"`
	// ProjectID is always TargetProjectID.
	ProjectID   int64             `json:"project_id"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	State       MergeRequestState `json:"state"`
	// MergedBy is the user who merged the merge request, nil unless it is merged.
	//
	// Deprecated: use MergeUser. The service plans to remove MergedBy in version 5
	// of its API.
	MergedBy *UserSummary `json:"merged_by"`
	// MergeUser is the user who merged the merge request or scheduled the merge,
	// nil until then.
	MergeUser *UserSummary `json:"merge_user"`
	// MergedAt is nil until the merge.
	MergedAt *time.Time `json:"merged_at"`
	// ClosedBy and ClosedAt are nil unless the merge request was closed without
	// being merged.
	ClosedBy *UserSummary `json:"closed_by"`
	ClosedAt *time.Time   `json:"closed_at"`
	// CreatedAt and UpdatedAt are nil if the service leaves them out, as with
	// [MergeRequestViewSimple].
	CreatedAt    *time.Time `json:"created_at"`
	UpdatedAt    *time.Time `json:"updated_at"`
	TargetBranch string     `json:"target_branch"`
	SourceBranch string     `json:"source_branch"`
	// SourceProjectID is the ID of the fork if the merge request comes from one.
	// Otherwise it equals TargetProjectID. It is nil if the fork is gone.
	SourceProjectID *int64 `json:"source_project_id"`
	TargetProjectID int64  `json:"target_project_id"`
	Upvotes         int    `json:"upvotes"`
	Downvotes       int    `json:"downvotes"`
	// Author is nil if the account no longer exists.
	Author *UserSummary `json:"author"`
	// Assignee is the first of Assignees, nil if there is none.
	Assignee  *UserSummary   `json:"assignee"`
	Assignees []*UserSummary `json:"assignees"`
	Reviewers []*UserSummary `json:"reviewers"`
	// Labels have only names unless details were requested.
	Labels []*LabelSummary `json:"labels"`
	// Draft reports whether the merge request is a draft, which cannot be merged.
	Draft bool `json:"draft"`
	// WorkInProgress is the same as Draft.
	//
	// Deprecated: use Draft.
	WorkInProgress bool `json:"work_in_progress"`
	// Milestone is nil if there is none.
	Milestone *Milestone `json:"milestone"`
	// MergeWhenPipelineSucceeds reports whether the merge request will be merged
	// when its pipeline succeeds.
	MergeWhenPipelineSucceeds bool `json:"merge_when_pipeline_succeeds"`
	// MergeStatus and HasConflicts may be out of date in lists: see
	// [ListMergeRequestsOptions].
	MergeStatus  MergeStatus `json:"merge_status"`
	HasConflicts bool        `json:"has_conflicts"`
	// DetailedMergeStatus replaces MergeStatus, which the service deprecated in 15.6. It is
	// empty in older releases.
	DetailedMergeStatus DetailedMergeStatus `json:"detailed_merge_status"`
	// BlockingDiscussionsResolved reports whether all threads that must be
	// resolved are resolved.
	BlockingDiscussionsResolved bool `json:"blocking_discussions_resolved"`
	// PreparedAt is when the service finished computing the diff, nil until then.
	// Since 16.1.
	PreparedAt *time.Time `json:"prepared_at"`
	// MergeAfter is the time before which the merge request cannot be merged, nil
	// if there is none. Since 17.5.
	MergeAfter *time.Time `json:"merge_after"`
	// SHA is the head commit of the source branch, empty if there is none.
	SHA string `json:"sha"`
	// MergeCommitSHA and SquashCommitSHA are empty until the merge, and if the
	// merge created no such commit.
	MergeCommitSHA  string `json:"merge_commit_sha"`
	SquashCommitSHA string `json:"squash_commit_sha"`
	UserNotesCount  int    `json:"user_notes_count"`
	// DiscussionLocked reports whether only members may comment, nil if that was
	// never set.
	DiscussionLocked *bool `json:"discussion_locked"`
	// ShouldRemoveSourceBranch and ForceRemoveSourceBranch report whether the merge deletes
	// the source branch: the first as the user who merges requested, the second as the
	// author requested. Each is nil if that user made no choice.
	ShouldRemoveSourceBranch *bool `json:"should_remove_source_branch"`
	ForceRemoveSourceBranch  *bool `json:"force_remove_source_branch"`
	// AllowCollaboration and AllowMaintainerToPush report whether users who may
	// merge may also push to the fork. They are nil unless the merge request comes
	// from a fork.
	AllowCollaboration    *bool  `json:"allow_collaboration"`
	AllowMaintainerToPush *bool  `json:"allow_maintainer_to_push"`
	WebURL                string `json:"web_url"`
	// Reference is the same as References.Short.
	//
	// Deprecated: use References.
	Reference string `json:"reference"`
	// References are the ways to refer to the merge request in Markdown, nil only if the
	// service does not send them.
	References *References `json:"references"`
	// TimeStats has the time estimated and the time spent, nil only if the service does not
	// send it.
	TimeStats *TimeStats `json:"time_stats"`
	// Squash is the setting of the merge request. SquashOnMerge is the effective
	// setting, with the rules of the project applied. Since about 16.0.
	Squash        bool `json:"squash"`
	SquashOnMerge bool `json:"squash_on_merge"`
	// TaskCompletionStatus counts the tasks in the description, nil only if the
	// service does not send it.
	TaskCompletionStatus *TaskCompletionStatus `json:"task_completion_status"`
	// ApprovalsBeforeMerge is the number of approvals that are required, nil if
	// the project's setting applies. Premium. Deprecated by the service since
	// 16.0: see [ApprovalsService].
	ApprovalsBeforeMerge *int `json:"approvals_before_merge"`
	// TitleHTML and DescriptionHTML are empty unless RenderHTML asks for them.
	TitleHTML       string `json:"title_html"`
	DescriptionHTML string `json:"description_html"`
	// Imported reports whether the merge request was imported from another
	// service, which ImportedFrom names. Since about 17.0.
	Imported     bool   `json:"imported"`
	ImportedFrom string `json:"imported_from"`
}

// Ref identifies the merge request by the ID of its project and its number there.
func (m *MergeRequest) Ref() MergeRequestRef {
	return ProjectID(orZero(m).ProjectID).MergeRequest(orZero(m).IID)
}

// MergeRequestDetails is a merge request as [MergeRequestsService.Get], Create, Update, the
// calls that act on one, and [IssuesService.ListRelatedMergeRequests] return it. It has a
// [MergeRequest] in it, so that a function takes both: f(&details.MergeRequest).
type MergeRequestDetails struct {
	MergeRequest

	// RebaseInProgress is nil unless [GetMergeRequestOptions.IncludeRebaseInProgress] asks
	// for it.
	RebaseInProgress *bool `json:"rebase_in_progress"`
	// MergeError says why the last merge or rebase failed, empty if it did not
	// fail.
	MergeError string `json:"merge_error"`
	// Subscribed reports whether the caller is notified of changes.
	Subscribed bool `json:"subscribed"`
	// FirstContribution reports whether this is the author's first contribution to
	// the project.
	FirstContribution bool `json:"first_contribution"`
	// User says what the caller may do. It is nil only if the service does not send
	// it.
	User *MergeRequestUser `json:"user"`
	// ChangesCount is the number of changed files, empty until the service has
	// computed the diff.
	ChangesCount ChangesCount `json:"changes_count"`
	// LatestBuildStartedAt and LatestBuildFinishedAt are nil until a pipeline has
	// started or finished.
	LatestBuildStartedAt  *time.Time `json:"latest_build_started_at"`
	LatestBuildFinishedAt *time.Time `json:"latest_build_finished_at"`
	// FirstDeployedToProductionAt is nil until the changes are deployed to production.
	FirstDeployedToProductionAt *time.Time `json:"first_deployed_to_production_at"`
	// Pipeline is the latest pipeline of the source branch, nil if there is none.
	Pipeline *PipelineSummary `json:"pipeline"`
	// HeadPipeline is the pipeline of the head commit, nil if there is none.
	HeadPipeline *PipelineDetails `json:"head_pipeline"`
	// DiffRefs are nil if there is no diff. Until the service has computed the
	// diff, they may have only StartSHA.
	DiffRefs *DiffRefs `json:"diff_refs"`
	// DivergedCommitsCount is the number of commits by which the source branch is
	// behind the target branch, nil unless
	// [GetMergeRequestOptions.IncludeDivergedCommitsCount] asks for it.
	DivergedCommitsCount *int `json:"diverged_commits_count"`
	// Changes are set only by [MergeRequestsService.Changes].
	Changes []*CommitDiff `json:"changes"`
	// Overflow reports whether the merge request has more changes than Changes contains. It
	// is nil in the results of all other calls.
	Overflow *bool `json:"overflow"`
}

// Ref identifies the merge request by the ID of its project and its number there.
func (m *MergeRequestDetails) Ref() MergeRequestRef {
	return ProjectID(orZero(m).ProjectID).MergeRequest(orZero(m).IID)
}

// MergeRequestUser says what the caller may do with a merge request.
type MergeRequestUser struct {
	CanMerge bool `json:"can_merge"`
}

// References are the ways to refer to an object in Markdown, such as "!7".
type References struct {
	// Short works in the project, Relative in the group, and Full everywhere.
	Short    string `json:"short"`
	Relative string `json:"relative"`
	Full     string `json:"full"`
}

// TimeStats is the time estimated for an object and the time spent on it.
type TimeStats struct {
	// TimeEstimate and TotalTimeSpent are in seconds.
	TimeEstimate   int64 `json:"time_estimate"`
	TotalTimeSpent int64 `json:"total_time_spent"`
	// HumanTimeEstimate and HumanTotalTimeSpent are the same in a readable form,
	// such as "3h 30m", empty for 0.
	HumanTimeEstimate   string `json:"human_time_estimate"`
	HumanTotalTimeSpent string `json:"human_total_time_spent"`
}

// TaskCompletionStatus counts the check boxes in a description: all of them, and those that
// are checked.
type TaskCompletionStatus struct {
	Count          int `json:"count"`
	CompletedCount int `json:"completed_count"`
}

// DiffRefs are the commits that a diff compares. A [DiffPosition] requires
// them.
type DiffRefs struct {
	BaseSHA  string `json:"base_sha"`
	HeadSHA  string `json:"head_sha"`
	StartSHA string `json:"start_sha"`
}

// ChangesCount is a number of changed files in the service's format: "17", or
// "1000+" if the service stopped counting.
type ChangesCount string

// UnmarshalJSON decodes a string, a number or null.
func (c *ChangesCount) UnmarshalJSON(data []byte) error {
	if jsonx.IsString(data) {
		return decodeString(data, (*string)(c))
	}
	if jsonx.IsNull(data) {
		*c = ""
		return nil
	}
	n, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return errors.New("neither a string nor a number")
	}
	*c = ChangesCount(strconv.FormatInt(n, 10))
	return nil
}

// Number returns the number of changed files and whether it is exact. It
// returns 0 and false if the service did not say.
func (c ChangesCount) Number() (n int, exact bool) {
	n, err := strconv.Atoi(strings.TrimSuffix(string(c), "+"))
	if err != nil {
		return 0, false
	}
	return n, !strings.HasSuffix(string(c), "+")
}

// MergeRequestState is the state of a merge request.
type MergeRequestState string

// States of a merge request. The service may send others.
const (
	MergeRequestStateOpened MergeRequestState = "opened"
	MergeRequestStateClosed MergeRequestState = "closed"
	// MergeRequestStateLocked lasts only while a merge is in progress.
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

	// These statuses resolve themselves.
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

// MergeRefusal is the reason for a [MergeError]. The service sends only a status, from
// which the library derives the reason, or a merge request that is still open.
type MergeRefusal string

// Reasons for a refusal. Later versions of the library may add others.
const (
	// MergeRefusalUnauthorized means that the caller lacks permission (401). The service
	// sends the same response for some invalid credentials.
	MergeRefusalUnauthorized MergeRefusal = "unauthorized"
	// MergeRefusalNotReady means that the merge request is a draft or closed, or its
	// pipeline is pending or has failed (405).
	MergeRefusalNotReady MergeRefusal = "not_ready"
	// MergeRefusalImpossible means that the branch cannot be merged because of conflicts, or
	// because it has to be rebased (406; 422 in newer releases, which also send it for a
	// merge that failed).
	MergeRefusalImpossible MergeRefusal = "cannot_be_merged"
	// MergeRefusalSHAMismatch means that the source branch is not at [MergeOptions.SHA]
	// (409).
	MergeRefusalSHAMismatch MergeRefusal = "sha_mismatch"
	// MergeRefusalFailed means that the service tried, and the merge failed: a hook
	// refused it, or the target branch has changed. The status is 200, and
	// [MergeError.MergeRequest] is still open.
	MergeRefusalFailed MergeRefusal = "merge_failed"

	// MergeRefusalOver means that there is nothing to cancel, because the merge request is
	// merged or closed (405).
	MergeRefusalOver MergeRefusal = "already_merged_or_closed"
	// MergeRefusalNotScheduled means that there is nothing to cancel, because no merge was
	// scheduled (406).
	MergeRefusalNotScheduled MergeRefusal = "not_scheduled"
)

var (
	mergeRefusals = map[int]MergeRefusal{
		http.StatusUnauthorized:     MergeRefusalUnauthorized,
		http.StatusMethodNotAllowed: MergeRefusalNotReady,
		http.StatusNotAcceptable:    MergeRefusalImpossible,
		http.StatusConflict:         MergeRefusalSHAMismatch,

		http.StatusUnprocessableEntity: MergeRefusalImpossible,
	}
	cancelRefusals = map[int]MergeRefusal{
		http.StatusUnauthorized:     MergeRefusalUnauthorized,
		http.StatusMethodNotAllowed: MergeRefusalOver,
		http.StatusNotAcceptable:    MergeRefusalNotScheduled,
	}
)

// MergeError is the service's refusal to merge a merge request, or to cancel a
// scheduled merge. It unwraps to *[Error].
type MergeError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// Reason says why the service refused.
	Reason MergeRefusal
	// MergeRequest is the merge request after a merge that failed, which the call also
	// returns, with the secrets of the call redacted. It is nil unless Reason is
	// [MergeRefusalFailed].
	MergeRequest *MergeRequestDetails
}

// Error describes the response and the reason.
func (e *MergeError) Error() string { return fmt.Sprintf("%v (%s)", e.Err, e.Reason) }

// Unwrap returns the *[Error].
func (e *MergeError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *MergeError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// refusal turns a response whose status is a key of reasons into a MergeError, and returns
// every other error unchanged.
func refusal(err error, reasons map[int]MergeRefusal) error {
	e := errorResponse(err)
	if e == nil {
		return err
	}
	reason, ok := reasons[e.StatusCode]
	if !ok || e.WebPage || isCredentialError(e) || isLockError(e) {
		return err
	}
	return &MergeError{Err: e, Reason: reason}
}

// isCredentialError reports whether a 401 is about the token: only such a response names a
// reason.
func isCredentialError(e *Error) bool {
	return e.StatusCode == http.StatusUnauthorized && e.Reason != ""
}

// isLockError reports whether a 409 says that another call held a lock.
func isLockError(e *Error) bool {
	return e.StatusCode == http.StatusConflict && errbody.IsLockMessage(e.Message)
}

// RebaseError means that the service started a rebase but could not finish it.
type RebaseError struct {
	// MergeRequest is the merge request after the failed rebase, with the secrets of the
	// call redacted, never nil in an error that the library returns.
	MergeRequest *MergeRequestDetails
	// Message is the service's explanation.
	Message string
}

// Error describes the merge request and the service's explanation.
func (e *RebaseError) Error() string {
	return fmt.Sprintf("serviceapi: rebase of merge request !%d failed: %s",
		orZero(e.MergeRequest).IID, text.Printable(e.Message, maxErrorText))
}

// MergeRequestExistsError is the refusal to open a merge request because an open
// one has the same branches (409). It unwraps to *[Error].
type MergeRequestExistsError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// MergeRequest is the open merge request, zero if the service does not say which.
	MergeRequest MergeRequestRef
}

// Error describes the response.
func (e *MergeRequestExistsError) Error() string {
	if e.MergeRequest.IsZero() {
		return fmt.Sprintf("%v (an open merge request has these branches)", e.Err)
	}
	return fmt.Sprintf("%v (merge request %v is open)", e.Err, e.MergeRequest)
}

// Unwrap returns the *[Error].
func (e *MergeRequestExistsError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *MergeRequestExistsError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// mergeRequestIn returns the number of the first merge request in a message of the
// service, such as 7 for "!7", or 0.
func mergeRequestIn(message string) int64 {
	_, rest, found := strings.Cut(message, "!")
	for ; found; _, rest, found = strings.Cut(rest, "!") {
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		after := rest[len(digits):]
		if after != "" && (after[0] == '_' || text.IsWordByte(after[0])) {
			continue
		}
		if iid, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return iid
		}
	}
	return 0
}

// asMergeRequestExists turns a 409 into a MergeRequestExistsError, unless it is about a
// lock. The merge request is in the target project.
func asMergeRequestExists(err error, target ProjectRef) error {
	e := errorResponse(err)
	if e == nil || !errors.Is(e, ErrConflict) || isLockError(e) {
		return err
	}
	exists := &MergeRequestExistsError{Err: e}
	if iid := mergeRequestIn(e.Message); iid != 0 {
		exists.MergeRequest = target.MergeRequest(iid)
	}
	return exists
}

// NotMergeableError means that a merge request will not become mergeable by
// itself.
type NotMergeableError struct {
	// MergeRequest is the merge request as last seen, with the secrets of the call
	// redacted, never nil in an error that the library returns.
	MergeRequest *MergeRequestDetails
	// Status says what blocks the merge: a [DetailedMergeStatus], or a
	// [MergeStatus] or [MergeRequestState] in releases before 15.6.
	Status string
}

// Error describes the merge request and what blocks the merge.
func (e *NotMergeableError) Error() string {
	return fmt.Sprintf("serviceapi: merge request !%d cannot be merged: %s",
		orZero(e.MergeRequest).IID, text.Printable(e.Status, 100))
}

// MergeRequestReviewer is a user who was asked to review a merge request.
type MergeRequestReviewer struct {
	// User is nil if the account no longer exists.
	User  *UserSummary  `json:"user"`
	State ReviewerState `json:"state"`
	// CreatedAt is when the review was requested.
	CreatedAt time.Time `json:"created_at"`
}

// States of a [MergeRequestReviewer] that are not the outcome of a review. The service may
// send others.
const (
	ReviewerStateUnreviewed    ReviewerState = "unreviewed"
	ReviewerStateReviewStarted ReviewerState = "review_started"
	ReviewerStateUnapproved    ReviewerState = "unapproved"
)
