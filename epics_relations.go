package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"time"
)

// EpicIssue has an [Issue] in it, which belongs to an epic. Its Labels have only names, and
// its Subscribed is nil.
type EpicIssue struct {
	Issue

	// EpicIssueID is the ID of the link between the issue and its epic, which MoveIssue and
	// RemoveIssue take. [Issue.ID] is another number.
	EpicIssueID int64 `json:"epic_issue_id"`
	// RelativePosition orders the issues of the epic, nil if the service does not say.
	RelativePosition *int `json:"relative_position"`
}

// Ref identifies the issue by the ID of its project and its number there.
func (i *EpicIssue) Ref() IssueRef { return ProjectID(orZero(i).ProjectID).Issue(orZero(i).IID) }

// EpicIssueLink is the link between an issue and its epic.
type EpicIssueLink struct {
	// ID is the [EpicIssue.EpicIssueID] of the link.
	ID int64 `json:"id"`
	// RelativePosition orders the issues of the epic, nil if the service does not say.
	RelativePosition *int `json:"relative_position"`
	// Epic and Issue are nil only if the service does not send them. Issue has only its
	// basic fields.
	Epic  *Epic  `json:"epic"`
	Issue *Issue `json:"issue"`
}

// CreatedChildEpic is the result of [EpicsService.CreateChild]: the part of an [Epic] that
// the service sends then.
type CreatedChildEpic struct {
	ID      int64  `json:"id"`
	IID     int64  `json:"iid"`
	Title   string `json:"title"`
	GroupID int64  `json:"group_id"`
	// ParentID is the ID of the parent epic.
	ParentID int64 `json:"parent_id"`
	// HasChildren and HasIssues report whether the new epic contains anything.
	HasChildren bool `json:"has_children"`
	HasIssues   bool `json:"has_issues"`
	// Reference is the epic in text, such as "&6".
	Reference string `json:"reference"`
	// URL is the path of the epic on the web, and RelationURL the path that removes it from
	// its parent there.
	URL         string `json:"url"`
	RelationURL string `json:"relation_url"`
}

// Ref identifies the epic by the ID of its group and both of its numbers.
func (e *CreatedChildEpic) Ref() EpicRef {
	return EpicRef{GroupID(orZero(e).GroupID), orZero(e).IID, orZero(e).ID}
}

// EpicLinkType is the relation of an epic to another one.
type EpicLinkType string

// Types of links between epics. The service may send others.
const (
	EpicLinkTypeRelatesTo   EpicLinkType = "relates_to"
	EpicLinkTypeBlocks      EpicLinkType = "blocks"
	EpicLinkTypeIsBlockedBy EpicLinkType = "is_blocked_by"
)

// EpicLink is a link between two epics. If the link was created with
// [EpicLinkTypeIsBlockedBy], the epics are swapped: the source blocks the target.
type EpicLink struct {
	// ID is the [RelatedEpic.RelatedEpicLinkID] of the link, for DeleteLink.
	ID int64 `json:"id"`
	// SourceEpic and TargetEpic are nil only if the service does not send them.
	SourceEpic *Epic `json:"source_epic"`
	TargetEpic *Epic `json:"target_epic"`
	// LinkType is the relation of the source to the target.
	LinkType  EpicLinkType `json:"link_type"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
}

// RelatedEpic has an [Epic] in it, which is linked with another one. Its Subscribed is nil.
type RelatedEpic struct {
	Epic

	// RelatedEpicLinkID is the ID of the link, for DeleteLink.
	RelatedEpicLinkID int64 `json:"related_epic_link_id"`
	// LinkType is the relation of the epic whose links are listed to this one: for example,
	// the former blocks, or is blocked by, the latter.
	LinkType      EpicLinkType `json:"link_type"`
	LinkCreatedAt time.Time    `json:"link_created_at"`
	LinkUpdatedAt time.Time    `json:"link_updated_at"`
}

// Ref identifies the epic by the ID of its group and both of its numbers.
func (e *RelatedEpic) Ref() EpicRef {
	return EpicRef{GroupID(orZero(e).GroupID), orZero(e).IID, orZero(e).ID}
}

const (
	oneEpicIssue       = "/issues/:epic_issue_id"
	oneRelatedEpicLink = "/related_epics/:related_epic_link_id"
)

// ListIssues returns one page of the issues of an epic, in the order that MoveIssue changes.
//
//	GET /groups/:id/epics/:epic_iid/issues
func (s *EpicsService) ListIssues(
	ctx context.Context, epic EpicRef, options *ListOptions, opts ...RequestOption,
) ([]*EpicIssue, *Response, error) {
	return list[*EpicIssue](ctx, using(s), epic.byIID("/issues"), queryOf(options), opts)
}

// AllIssues returns every issue of an epic, in the order that MoveIssue changes.
//
//	GET /groups/:id/epics/:epic_iid/issues
func (s *EpicsService) AllIssues(
	ctx context.Context, epic EpicRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*EpicIssue, error] {
	return all[*EpicIssue](ctx, using(s), epic.byIID("/issues"), queryOf(options), opts)
}

// AddIssue adds an issue to an epic, by the ID of the issue in the whole instance ([Issue.ID],
// not its IID). An issue of another epic leaves that one. The caller must be able to read the
// epic and have the Guest role in the issue's project or, in older releases, the Reporter role.
//
// The call returns [ErrConflict] if the issue already belongs to the epic, [ErrForbidden] if the
// role is too low, and [ErrNotFound] if there is no such issue.
//
//	POST /groups/:id/epics/:epic_iid/issues/:issue_id
func (s *EpicsService) AddIssue(
	ctx context.Context, epic EpicRef, issueID int64, opts ...RequestOption,
) (*EpicIssueLink, *Response, error) {
	return do[EpicIssueLink](ctx, using(s), http.MethodPost, epic.byIID("/issues/:issue_id", issueID), nil, opts)
}

// MoveEpicIssueOptions says between which two issues of an epic to put an issue. Both are IDs
// of links ([EpicIssue.EpicIssueID]). One of them is enough; without any, nothing moves.
type MoveEpicIssueOptions struct {
	// MoveBeforeID is the link of the issue that comes before this one.
	MoveBeforeID *int64 `json:"move_before_id,omitzero"`
	// MoveAfterID is the link of the issue that comes after this one.
	MoveAfterID *int64 `json:"move_after_id,omitzero"`
}

// MoveIssue changes the place of an issue in its epic, by [EpicIssue.EpicIssueID], and returns
// the first page of the issues in their new order, 20 of them; AllIssues returns the others, too.
// It requires the same role as AddIssue. If the options name a link of another epic, the call
// returns [ErrBadRequest].
//
//	PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id
func (s *EpicsService) MoveIssue(
	ctx context.Context, epic EpicRef, epicIssueID int64, options MoveEpicIssueOptions, opts ...RequestOption,
) ([]*EpicIssue, *Response, error) {
	return changedList[*EpicIssue](ctx, using(s), epic.byIID(oneEpicIssue, epicIssueID), jsonOf(options), opts)
}

// RemoveIssue takes an issue out of its epic, by [EpicIssue.EpicIssueID], and returns the
// removed link. The issue itself stays. It requires the same role as AddIssue.
//
//	DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id
func (s *EpicsService) RemoveIssue(
	ctx context.Context, epic EpicRef, epicIssueID int64, opts ...RequestOption,
) (*EpicIssueLink, *Response, error) {
	return do[EpicIssueLink](ctx, using(s), http.MethodDelete, epic.byIID(oneEpicIssue, epicIssueID), nil, opts)
}

// ListChildren returns the child epics of an epic, in the order that MoveChild changes. The
// service sends all of them and ignores the options. Ultimate.
//
//	GET /groups/:id/epics/:epic_iid/epics
func (s *EpicsService) ListChildren(
	ctx context.Context, epic EpicRef, options *ListOptions, opts ...RequestOption,
) ([]*Epic, *Response, error) {
	return list[*Epic](ctx, using(s), epic.byIID("/epics"), queryOf(options), opts)
}

// AllChildren returns the child epics of an epic. See [EpicsService.ListChildren].
//
//	GET /groups/:id/epics/:epic_iid/epics
func (s *EpicsService) AllChildren(
	ctx context.Context, epic EpicRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Epic, error] {
	return all[*Epic](ctx, using(s), epic.byIID("/epics"), queryOf(options), opts)
}

// CreateChildEpicOptions describes a new child epic. Title is required.
type CreateChildEpicOptions struct {
	Title string `json:"title" required:"true"`
	// Confidential restricts who can see the epic. The default is that of the parent, and
	// the child of a confidential epic must be confidential.
	Confidential *bool `json:"confidential,omitzero"`
}

// CreateChild creates an epic within another one, in the same group. Create with a ParentID
// does the same with more properties. It requires at least the Reporter role. Ultimate.
//
//	POST /groups/:id/epics/:epic_iid/epics
func (s *EpicsService) CreateChild(
	ctx context.Context, epic EpicRef, options CreateChildEpicOptions, opts ...RequestOption,
) (*CreatedChildEpic, *Response, error) {
	return do[CreatedChildEpic](ctx, using(s), http.MethodPost, epic.byIID("/epics"), jsonOf(options), opts)
}

// AddChild makes an epic the child of another one. A child of another epic leaves that one.
// The child is identified by its ID, as [GroupRef.EpicByID] or the Ref of a result has it.
// It requires at least the Guest role in the group. Ultimate.
//
// The call returns [ErrConflict] if the child already belongs to the epic, and [ErrUnprocessable]
// if it is the epic itself or one of its ancestors, or if there would be more than seven levels.
// Older releases have other errors for these three.
//
//	POST /groups/:id/epics/:epic_iid/epics/:child_epic_id
func (s *EpicsService) AddChild(
	ctx context.Context, epic, child EpicRef, opts ...RequestOption,
) (*Epic, *Response, error) {
	return do[Epic](ctx, using(s), http.MethodPost, epic.child(child), nil, opts)
}

// MoveChildEpicOptions says between which two children of an epic to put a child. Both are IDs
// of epics ([Epic.ID]), not IIDs. One of them is enough; without any, nothing moves.
type MoveChildEpicOptions struct {
	// MoveBeforeID is the ID of the child that comes before this one.
	MoveBeforeID *int64 `json:"move_before_id,omitzero"`
	// MoveAfterID is the ID of the child that comes after this one.
	MoveAfterID *int64 `json:"move_after_id,omitzero"`
}

// MoveChild changes the place of a child among the children of an epic, and returns all of
// them in their new order. The child is identified as in AddChild, which requires the same
// role. Ultimate.
//
//	PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id
func (s *EpicsService) MoveChild(
	ctx context.Context, epic, child EpicRef, options MoveChildEpicOptions, opts ...RequestOption,
) ([]*Epic, *Response, error) {
	return changedList[*Epic](ctx, using(s), epic.child(child), jsonOf(options), opts)
}

// RemoveChild takes a child from its parent and returns the child, which stays. The child is
// identified as in AddChild, which requires the same role. Ultimate.
//
//	DELETE /groups/:id/epics/:epic_iid/epics/:child_epic_id
func (s *EpicsService) RemoveChild(
	ctx context.Context, epic, child EpicRef, opts ...RequestOption,
) (*Epic, *Response, error) {
	return do[Epic](ctx, using(s), http.MethodDelete, epic.child(child), nil, opts)
}

// ListEpicLinksOptions selects the links between epics. Empty fields do not filter.
type ListEpicLinksOptions struct {
	ListOptions
	// CreatedAfter, CreatedBefore, UpdatedAfter and UpdatedBefore limit the times when a
	// link was created and last changed. All are inclusive.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
}

// ListLinks returns one page of the links between epics of a group and of its subgroups, each
// once. Any page may have fewer links than PerPage, because the service leaves out links to
// epics that the caller may not read. Since about 15.x.
//
//	GET /groups/:id/related_epic_links
func (s *EpicsService) ListLinks(
	ctx context.Context, group GroupRef, options *ListEpicLinksOptions, opts ...RequestOption,
) ([]*EpicLink, *Response, error) {
	return list[*EpicLink](ctx, using(s), Route("/groups/:id/related_epic_links", group), queryOf(options), opts)
}

// AllLinks returns every link between epics of a group and of its subgroups, once. Since about
// 15.x.
//
//	GET /groups/:id/related_epic_links
func (s *EpicsService) AllLinks(
	ctx context.Context, group GroupRef, options *ListEpicLinksOptions, opts ...RequestOption,
) iter.Seq2[*EpicLink, error] {
	return all[*EpicLink](ctx, using(s), Route("/groups/:id/related_epic_links", group), queryOf(options), opts)
}

// ListRelated returns the epics that are linked with an epic, without those that the caller may
// not read. The service sends all of them and ignores the options. A public group needs no
// credential.
//
//	GET /groups/:id/epics/:epic_iid/related_epics
func (s *EpicsService) ListRelated(
	ctx context.Context, epic EpicRef, options *ListOptions, opts ...RequestOption,
) ([]*RelatedEpic, *Response, error) {
	return list[*RelatedEpic](ctx, using(s), epic.byIID("/related_epics"), queryOf(options), opts)
}

// AllRelated returns the epics that are linked with an epic. See [EpicsService.ListRelated].
//
//	GET /groups/:id/epics/:epic_iid/related_epics
func (s *EpicsService) AllRelated(
	ctx context.Context, epic EpicRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RelatedEpic, error] {
	return all[*RelatedEpic](ctx, using(s), epic.byIID("/related_epics"), queryOf(options), opts)
}

// CreateEpicLinkOptions describes a new link. Target is required.
type CreateEpicLinkOptions struct {
	// Target is the other epic, which may be in another group. The service identifies it by
	// its number in its group, as [GroupRef.Epic] does.
	Target EpicRef `json:"-" required:"true"`
	// LinkType is the relation of this epic to the other one. The default is
	// [EpicLinkTypeRelatesTo].
	LinkType *EpicLinkType `json:"link_type,omitzero"`
}

// epicLinkBody is what CreateEpicLinkOptions are sent as.
type epicLinkBody struct {
	CreateEpicLinkOptions
	TargetGroup   GroupRef `json:"target_group_id"`
	TargetEpicIID int64    `json:"target_epic_iid"`
}

func (o CreateEpicLinkOptions) check() error {
	return cmp.Or(missing("Target", o.Target.group.IsZero()), positive("Target", o.Target.iid))
}

// CreateLink links an epic with another one. It requires at least the Guest role in both groups.
//
// The call returns [ErrConflict] if the epics are already linked, [ErrForbidden] if the role is
// too low or the tier has no link of this type, [ErrNotFound] if the other epic does not exist,
// and [ErrUnprocessable] if it is the same epic.
//
//	POST /groups/:id/epics/:epic_iid/related_epics
func (s *EpicsService) CreateLink(
	ctx context.Context, epic EpicRef, options CreateEpicLinkOptions, opts ...RequestOption,
) (*EpicLink, *Response, error) {
	body := epicLinkBody{options, options.Target.group, options.Target.iid}
	return do[EpicLink](ctx, using(s), http.MethodPost, epic.byIID("/related_epics"), jsonOf(body), opts)
}

// DeleteLink removes a link from both epics, by [RelatedEpic.RelatedEpicLinkID], and returns
// the removed link. It requires the same roles as CreateLink.
//
//	DELETE /groups/:id/epics/:epic_iid/related_epics/:related_epic_link_id
func (s *EpicsService) DeleteLink(
	ctx context.Context, epic EpicRef, relatedEpicLinkID int64, opts ...RequestOption,
) (*EpicLink, *Response, error) {
	return do[EpicLink](ctx, using(s), http.MethodDelete, epic.byIID(oneRelatedEpicLink, relatedEpicLinkID), nil, opts)
}
