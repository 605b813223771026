package serviceapi

import (
	"encoding/json"
	"time"
)

// IssueState is the state of an issue.
type IssueState string

// States of an issue. The service may send others.
const (
	IssueStateOpened IssueState = "opened"
	IssueStateClosed IssueState = "closed"
	// IssueStateAny is only for filters. It selects every state.
	IssueStateAny IssueState = "all"
)

// IssueType is a kind of issue.
type IssueType string

// Kinds of issues. The service may send others.
const (
	IssueTypeIssue    IssueType = "issue"
	IssueTypeIncident IssueType = "incident"
	IssueTypeTestCase IssueType = "test_case"
	// IssueTypeTask is only in releases after 15.2.
	IssueTypeTask IssueType = "task"
)

// Issue is a piece of work or a problem that a project tracks. The fields from
// Weight on are set by premium instances.
type Issue struct {
	// ID is the number of the issue in the whole instance.
	ID int64 `json:"id"`
	// IID is the number of the issue in its project. All methods identify the
	// issue by it.
	IID       int64  `json:"iid"`
	ProjectID int64  `json:"project_id"`
	Title     string `json:"title"`
	// Description is Markdown, empty if there is none.
	Description string     `json:"description"`
	State       IssueState `json:"state"`
	// IssueType is the kind of the issue. Type is the same in capital letters.
	IssueType IssueType `json:"issue_type"`
	Type      string    `json:"type"`
	// Author is nil if the account no longer exists.
	Author    *UserSummary   `json:"author"`
	Assignees []*UserSummary `json:"assignees"`
	// Assignee is the first of Assignees, nil if there is none.
	//
	// Deprecated: use Assignees.
	Assignee *UserSummary `json:"assignee"`
	// Milestone is nil if there is none.
	Milestone *Milestone `json:"milestone"`
	// Labels have only names unless details were asked for.
	Labels    []*LabelSummary `json:"labels"`
	CreatedAt time.Time       `json:"created_at"`
	UpdatedAt time.Time       `json:"updated_at"`
	// ClosedAt and ClosedBy are nil unless the issue is closed.
	ClosedAt *time.Time   `json:"closed_at"`
	ClosedBy *UserSummary `json:"closed_by"`
	// DueDate is nil if there is none.
	DueDate        *Date `json:"due_date"`
	Upvotes        int   `json:"upvotes"`
	Downvotes      int   `json:"downvotes"`
	UserNotesCount int   `json:"user_notes_count"`
	// MergeRequestsCount is the number of merge requests that close the issue.
	MergeRequestsCount int `json:"merge_requests_count"`
	// Confidential issues are visible to fewer users.
	Confidential bool `json:"confidential"`
	// DiscussionLocked reports whether only members may comment, nil if that was
	// never set.
	DiscussionLocked *bool  `json:"discussion_locked"`
	WebURL           string `json:"web_url"`
	// References name the issue in texts, nil only if the service does not send
	// them.
	References *References `json:"references"`
	// TimeStats are the estimated and the spent time, nil only if the service does
	// not send them.
	TimeStats *TimeStats `json:"time_stats"`
	// TaskCompletionStatus counts the tasks in the description, nil only if the
	// service does not send it.
	TaskCompletionStatus *TaskCompletionStatus `json:"task_completion_status"`
	// HasTasks reports whether the description has check boxes. If so, TaskStatus
	// is a string such as "2 of 4 checklist items completed".
	HasTasks   bool   `json:"has_tasks"`
	TaskStatus string `json:"task_status"`
	// Links are addresses of the API, nil only if the service does not send them.
	Links *IssueLinks `json:"_links"`
	// MovedToID is the ID of the issue that this one was moved to, nil if it was
	// not moved.
	MovedToID *int64 `json:"moved_to_id"`
	// ServiceDeskReplyTo is the email address of whoever reported the issue
	// through the service desk, empty for other issues.
	ServiceDeskReplyTo string `json:"service_desk_reply_to"`
	// Severity is that of an incident, such as "UNKNOWN" or "HIGH".
	Severity string `json:"severity"`
	// BlockingIssuesCount is the number of issues that this one blocks, nil if the
	// service does not say.
	BlockingIssuesCount *int `json:"blocking_issues_count"`
	// Subscribed reports whether the caller is notified of changes, nil in lists.
	Subscribed *bool `json:"subscribed"`
	// Imported reports whether the issue was imported from another service, which
	// ImportedFrom names. Since about 17.0.
	Imported     bool   `json:"imported"`
	ImportedFrom string `json:"imported_from"`

	// Weight is nil if there is none.
	Weight *int `json:"weight"`
	// Epic is nil if the issue belongs to no epic.
	Epic *EpicSummary `json:"epic"`
	// EpicIID is the IID of Epic, nil if the issue belongs to no epic.
	//
	// Deprecated: use Epic.
	EpicIID *int64 `json:"epic_iid"`
	// Iteration is the iteration as the service sent it, which is null if there is
	// none. It is nil if the service did not send it.
	Iteration json.RawMessage `json:"iteration,omitzero"`
	// HealthStatus is a status such as "on_track", empty if there is none.
	HealthStatus string `json:"health_status"`
}

// IssueLinks are addresses in the API that are related to an issue.
type IssueLinks struct {
	Self       string `json:"self"`
	Notes      string `json:"notes"`
	AwardEmoji string `json:"award_emoji"`
	Project    string `json:"project"`
	// ClosedAsDuplicateOf is the issue that this one duplicates, empty if it was
	// not closed as a duplicate.
	ClosedAsDuplicateOf string `json:"closed_as_duplicate_of"`
}

// EpicSummary is the short form of an [Epic] in an issue.
type EpicSummary struct {
	ID      int64  `json:"id"`
	IID     int64  `json:"iid"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	GroupID int64  `json:"group_id"`
}
