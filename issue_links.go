package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"time"
)

// IssueLinksService manages the relations between issues, including those of different
// projects. A link can be seen from both issues:
//
//	issue := serviceapi.ProjectPath("acme/app").Issue(12)
//	for other, err := range client.IssueLinks.All(ctx, issue, nil) { … }
//
// Every call requires a credential, even for public projects. A link moves with its
// issues, and is removed with one of them. [Issue.BlockingIssuesCount] counts what an
// issue blocks.
//
// Its options are [CreateIssueLinkOptions] and [ListOptions]. See
// examples/recipes/tracking_test.go for an example.
type IssueLinksService service

func linksOf(issue IssueRef, suffix string, args ...any) Endpoint {
	return below(issue, "/links"+suffix, args...)
}

const oneIssueLink = "/:issue_link_id"

// List returns the issues that are linked with an issue, the oldest link first, without
// those that the caller may not read. The service sends all of them and ignores the
// options.
//
//	GET /projects/:id/issues/:issue_iid/links
func (s *IssueLinksService) List(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*LinkedIssue, *Response, error) {
	return list[*LinkedIssue](ctx, using(s), linksOf(issue, ""), queryOf(options), opts)
}

// All returns the issues that are linked with an issue. See [IssueLinksService.List].
//
//	GET /projects/:id/issues/:issue_iid/links
func (s *IssueLinksService) All(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*LinkedIssue, error] {
	return all[*LinkedIssue](ctx, using(s), linksOf(issue, ""), queryOf(options), opts)
}

// Get returns a link of an issue, by [LinkedIssue.IssueLinkID]. The call returns
// [ErrNotFound] if the caller may not read the other issue.
//
//	GET /projects/:id/issues/:issue_iid/links/:issue_link_id
func (s *IssueLinksService) Get(
	ctx context.Context, issue IssueRef, issueLinkID int64, opts ...RequestOption,
) (*IssueLink, *Response, error) {
	return do[IssueLink](ctx, using(s), http.MethodGet, linksOf(issue, oneIssueLink, issueLinkID), nil, opts)
}

// Create links an issue with another one. The caller must have the Guest role in both
// projects or, before 17.0, the Reporter role.
//
// The call returns [ErrConflict] if the issues are already linked, [ErrForbidden] if the
// role is too low or the tier has no link of this type, [ErrNotFound] if the other issue
// does not exist, and [ErrUnprocessable] if it is the same issue.
//
//	POST /projects/:id/issues/:issue_iid/links
func (s *IssueLinksService) Create(
	ctx context.Context, issue IssueRef, options CreateIssueLinkOptions, opts ...RequestOption,
) (*IssueLink, *Response, error) {
	body := issueLinkBody{options, options.Target.project, options.Target.iid}
	return do[IssueLink](ctx, using(s), http.MethodPost, linksOf(issue, ""), jsonOf(body), opts)
}

// Delete removes a link from both issues, by [LinkedIssue.IssueLinkID], and returns the
// removed link.
//
//	DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id
func (s *IssueLinksService) Delete(
	ctx context.Context, issue IssueRef, issueLinkID int64, opts ...RequestOption,
) (*IssueLink, *Response, error) {
	return do[IssueLink](ctx, using(s), http.MethodDelete, linksOf(issue, oneIssueLink, issueLinkID), nil, opts)
}

// CreateIssueLinkOptions describes a new link. Target is required.
type CreateIssueLinkOptions struct {
	// Target is the other issue, often of the same project.
	Target IssueRef `json:"-" required:"true"`
	// LinkType is the relation of this issue to the other one. The default is
	// [IssueLinkTypeRelatesTo]. Others are Premium, and [IssueLinkTypeIsBlockedBy] is
	// accepted since 15.9.
	LinkType *IssueLinkType `json:"link_type,omitzero"`
}

// issueLinkBody is what CreateIssueLinkOptions are sent as.
type issueLinkBody struct {
	CreateIssueLinkOptions
	TargetProject  ProjectRef `json:"target_project_id"`
	TargetIssueIID int64      `json:"target_issue_iid"`
}

func (o CreateIssueLinkOptions) check() error {
	return cmp.Or(missing("Target", o.Target.project.IsZero()), positive("Target", o.Target.iid))
}

// IssueLinkType is the relation of an issue to another one.
type IssueLinkType string

// Types of links between issues. The service may send others.
const (
	IssueLinkTypeRelatesTo   IssueLinkType = "relates_to"
	IssueLinkTypeBlocks      IssueLinkType = "blocks"
	IssueLinkTypeIsBlockedBy IssueLinkType = "is_blocked_by"
)

// IssueLink is a link between two issues. If the link was created with
// [IssueLinkTypeIsBlockedBy], the issues are swapped: the source blocks the target.
type IssueLink struct {
	// ID is nil before 18.9. In older releases, read the list after a Create: it has the
	// ID as [LinkedIssue.IssueLinkID].
	ID *int64 `json:"id"`
	// SourceIssue and TargetIssue have only their basic fields. They are nil only if the
	// service does not send them.
	SourceIssue *Issue `json:"source_issue"`
	TargetIssue *Issue `json:"target_issue"`
	// LinkType is the relation of the source to the target.
	LinkType IssueLinkType `json:"link_type"`
}

// LinkedIssue is an [Issue] that is linked with another one.
type LinkedIssue struct {
	// ID identifies the issue in the whole instance.
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
	// Labels have only names.
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
	// Confidential reports whether the issue is visible to fewer users.
	Confidential bool `json:"confidential"`
	// DiscussionLocked reports whether only members may comment, nil if that was
	// never set.
	DiscussionLocked *bool  `json:"discussion_locked"`
	WebURL           string `json:"web_url"`
	// References are ways to refer to the issue in text, nil only if the service does not
	// send them.
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
	// Severity is the severity of an incident, such as "UNKNOWN" or "HIGH".
	Severity string `json:"severity"`
	// BlockingIssuesCount is the number of issues that this one blocks, nil if the
	// service does not say.
	BlockingIssuesCount *int `json:"blocking_issues_count"`
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
	// Iteration is nil if the issue belongs to no iteration.
	Iteration *Iteration `json:"iteration"`
	// HealthStatus is a status such as "on_track", empty if there is none.
	HealthStatus string `json:"health_status"`

	// IssueLinkID is the ID of the link, for Get and Delete.
	IssueLinkID int64 `json:"issue_link_id"`
	// LinkType is the relation of the issue whose links are listed to this one: for
	// example, the former blocks, or is blocked by, the latter.
	LinkType      IssueLinkType `json:"link_type"`
	LinkCreatedAt time.Time     `json:"link_created_at"`
	LinkUpdatedAt time.Time     `json:"link_updated_at"`
}

// Ref identifies the issue by the ID of its project and its number there.
func (i *LinkedIssue) Ref() IssueRef { return ProjectID(orZero(i).ProjectID).Issue(orZero(i).IID) }
