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
// Its options are [CreateIssueLinkOptions] and [ListOptions]. See the example
// IssueLinksCreate in tracking_test.go of [example.com/serviceapi/examples/recipes].
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

// LinkedIssue has an [Issue] in it, which is linked with another one. Its Labels have only
// names, and its Subscribed is nil.
type LinkedIssue struct {
	Issue

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
