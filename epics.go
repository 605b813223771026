package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// EpicsService manages the epics of a group. Premium: without it, calls return
// [ErrForbidden]. The service deprecated epics in 17.0, but still supports them.
//
// The methods identify an epic by its number in the group (IID), but a child that they add,
// move or remove by its ID, as notes and discussions do. See [EpicRef]. An issue of an epic has
// an ID in the whole instance ([Issue.ID]), and the ID of its link ([EpicIssue.EpicIssueID]).
//
// Its options are [CreateChildEpicOptions], [CreateEpicLinkOptions], [CreateEpicOptions],
// [ListEpicLinksOptions], [ListEpicsOptions], [ListOptions], [MoveChildEpicOptions],
// [MoveEpicIssueOptions] and [UpdateEpicOptions]. See the example EpicsGet in
// collaboration_test.go of [example.com/serviceapi/examples/recipes].
type EpicsService service

// EpicState is the state of an epic.
type EpicState string

// States of an epic. The service may send others.
const (
	EpicStateOpened EpicState = "opened"
	EpicStateClosed EpicState = "closed"
	// EpicStateAny is only for filters. It selects every state.
	EpicStateAny EpicState = "all"
)

// Epic is a goal of a group. It contains issues and other epics. [EpicSummary] is its short
// form in an issue.
type Epic struct {
	// ID identifies the epic in [GroupRef.EpicByID].
	ID int64 `json:"id"`
	// IID is the number of the epic in its group, which [GroupRef.Epic] takes.
	IID     int64 `json:"iid"`
	GroupID int64 `json:"group_id"`
	// ParentID and ParentIID identify the parent epic. They are nil if there is none.
	ParentID  *int64 `json:"parent_id"`
	ParentIID *int64 `json:"parent_iid"`
	Title     string `json:"title"`
	// Description is Markdown, empty if there is none.
	Description string    `json:"description"`
	State       EpicState `json:"state"`
	// Confidential reports whether the epic is visible to fewer users.
	Confidential bool   `json:"confidential"`
	WebURL       string `json:"web_url"`
	// WebEditURL is the path of the epic on the web, relative to the base URL.
	//
	// Deprecated: use WebURL.
	WebEditURL string `json:"web_edit_url"`
	// Reference is the same as References.Short.
	//
	// Deprecated: use References.
	Reference string `json:"reference"`
	// References are ways to refer to the epic in text, nil only if the service does not
	// send them.
	References *References `json:"references"`
	// Author is nil if the account no longer exists.
	Author *UserSummary `json:"author"`
	// StartDate and DueDate are nil if there is none.
	StartDate *Date `json:"start_date"`
	DueDate   *Date `json:"due_date"`
	// EndDate is the same as DueDate, nil if there is none.
	//
	// Deprecated: use DueDate.
	EndDate *Date `json:"end_date"`

	// The fields from StartDateFixed to DueDateIsFixed are nil unless the caller may edit the
	// epic. A date is either fixed or inherited from child epics and milestones; it
	// is nil if there is none.
	StartDateFixed               *Date `json:"start_date_fixed"`
	StartDateFromInheritedSource *Date `json:"start_date_from_inherited_source"`
	DueDateFixed                 *Date `json:"due_date_fixed"`
	DueDateFromInheritedSource   *Date `json:"due_date_from_inherited_source"`
	// StartDateFromMilestones and DueDateFromMilestones are the inherited dates,
	// nil if there are none.
	//
	// Deprecated: use StartDateFromInheritedSource and DueDateFromInheritedSource.
	StartDateFromMilestones *Date `json:"start_date_from_milestones"`
	DueDateFromMilestones   *Date `json:"due_date_from_milestones"`
	// StartDateIsFixed and DueDateIsFixed report whether the fixed dates apply instead of
	// the inherited ones. They are nil unless the caller may edit the epic.
	StartDateIsFixed *bool `json:"start_date_is_fixed"`
	DueDateIsFixed   *bool `json:"due_date_is_fixed"`

	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// ClosedAt is nil unless the epic is closed.
	ClosedAt *time.Time `json:"closed_at"`
	// Labels have only names unless details were requested.
	Labels    []*LabelSummary `json:"labels"`
	Upvotes   int             `json:"upvotes"`
	Downvotes int             `json:"downvotes"`
	// Color is the background color and TextColor the color of the text, as "#RRGGBB".
	Color     string `json:"color"`
	TextColor string `json:"text_color"`
	// Subscribed reports whether the caller is notified of changes, nil in lists.
	Subscribed *bool `json:"subscribed"`
	// Links are addresses of the API, nil only if the service does not send them.
	Links *EpicLinks `json:"_links"`
	// Imported reports whether the epic was imported from another service, which
	// ImportedFrom names. Since about 17.0.
	Imported     bool   `json:"imported"`
	ImportedFrom string `json:"imported_from"`
	// WorkItemID is the ID of the epic as a work item, by which GraphQL knows it. Since 18.4.
	WorkItemID int64 `json:"work_item_id"`
}

// Ref identifies the epic by the ID of its group and both of its numbers.
func (e *Epic) Ref() EpicRef { return EpicRef{GroupID(orZero(e).GroupID), orZero(e).IID, orZero(e).ID} }

// EpicLinks are addresses in the API that are related to an epic.
type EpicLinks struct {
	Self       string `json:"self"`
	EpicIssues string `json:"epic_issues"`
	Group      string `json:"group"`
	// Parent is empty if there is no parent epic.
	Parent string `json:"parent"`
}

// EpicOrderBy is the order of a list of epics.
type EpicOrderBy string

// Orders of epics.
const (
	EpicOrderByCreatedAt EpicOrderBy = "created_at"
	EpicOrderByUpdatedAt EpicOrderBy = "updated_at"
	EpicOrderByTitle     EpicOrderBy = "title"
)

// EpicExclusions excludes epics from a list: each field that is set excludes
// the epics that match it.
type EpicExclusions struct {
	Labels         LabelNames `url:"labels,omitempty"`
	AuthorID       int64      `url:"author_id,omitempty"`
	AuthorUsername string     `url:"author_username,omitempty"`
}

// ListEpicsOptions selects epics of a group. Empty fields do not filter.
type ListEpicsOptions struct {
	ListOptions
	// AuthorID and AuthorUsername select the epics of one author. They cannot be
	// combined.
	AuthorID       int64  `url:"author_id,omitempty"`
	AuthorUsername string `url:"author_username,omitempty"`
	// Labels is [LabelsAre], [NoLabel] or [AnyLabel].
	Labels LabelFilter `url:"labels,omitempty"`
	// WithLabelsDetails sets all fields of each [LabelSummary], not only its name.
	WithLabelsDetails bool `url:"with_labels_details,omitempty"`
	// OrderBy is EpicOrderByCreatedAt if it is empty.
	OrderBy EpicOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending or SortDescending, which is the default.
	Sort Sort `url:"sort,omitempty"`
	// Search searches the title and the description.
	Search string `url:"search,omitempty"`
	// State selects opened or closed epics. See also [EpicStateAny].
	State EpicState `url:"state,omitempty"`
	// CreatedAfter, CreatedBefore, UpdatedAfter and UpdatedBefore limit the times of
	// creation and of the last change. All are inclusive.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// IncludeAncestorGroups includes the epics of parent groups.
	IncludeAncestorGroups bool `url:"include_ancestor_groups,omitempty"`
	// IncludeDescendantGroups includes the epics of subgroups. Nil means true.
	IncludeDescendantGroups *bool `url:"include_descendant_groups,omitempty"`
	// MyReactionEmoji filters by a reaction of the caller: [EmojiIs], [NoEmoji] or
	// [AnyEmoji].
	MyReactionEmoji EmojiFilter `url:"my_reaction_emoji,omitempty"`
	// Confidential selects confidential epics, or those that are not.
	Confidential *bool          `url:"confidential,omitempty"`
	Not          EpicExclusions `url:"not"`
}

// List returns one page of the epics of a group and of its subgroups.
//
//	GET /groups/:id/epics
func (s *EpicsService) List(
	ctx context.Context, group GroupRef, options *ListEpicsOptions, opts ...RequestOption,
) ([]*Epic, *Response, error) {
	return list[*Epic](ctx, using(s), Route("/groups/:id/epics", group), queryOf(options), opts)
}

// All returns every epic of a group and of its subgroups.
//
//	GET /groups/:id/epics
func (s *EpicsService) All(
	ctx context.Context, group GroupRef, options *ListEpicsOptions, opts ...RequestOption,
) iter.Seq2[*Epic, error] {
	return all[*Epic](ctx, using(s), Route("/groups/:id/epics", group), queryOf(options), opts)
}

// Get returns one epic, identified by its number in the group (IID), not by its
// ID.
//
//	GET /groups/:id/epics/:epic_iid
func (s *EpicsService) Get(
	ctx context.Context, epic EpicRef, opts ...RequestOption,
) (*Epic, *Response, error) {
	return do[Epic](ctx, using(s), http.MethodGet, epic.byIID(""), nil, opts)
}

// CreateEpicOptions describes an epic. Title is required.
type CreateEpicOptions struct {
	Title  string     `json:"title" required:"true"`
	Labels LabelNames `json:"labels,omitzero"`
	// Description is Markdown, of at most 1,048,576 characters.
	Description *string `json:"description,omitzero"`
	// Color is the background color, as "#RRGGBB". It has an effect only if the feature
	// is enabled.
	Color *string `json:"color,omitzero"`
	// Confidential restricts who can see the epic. Nil means false.
	Confidential *bool `json:"confidential,omitzero"`
	// CreatedAt backdates the epic. It requires an administrator or an owner. Nil
	// means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
	// StartDateIsFixed and DueDateIsFixed say that StartDateFixed and DueDateFixed are
	// the dates of the epic. Nil means false: the epic inherits its dates.
	StartDateIsFixed *bool `json:"start_date_is_fixed,omitzero"`
	StartDateFixed   *Date `json:"start_date_fixed,omitzero"`
	DueDateIsFixed   *bool `json:"due_date_is_fixed,omitzero"`
	DueDateFixed     *Date `json:"due_date_fixed,omitzero"`
	// ParentID is the ID of the parent epic, not its IID. Nil means none.
	ParentID *int64 `json:"parent_id,omitzero"`
}

// Create creates an epic. It requires at least the Reporter role.
//
//	POST /groups/:id/epics
func (s *EpicsService) Create(
	ctx context.Context, group GroupRef, options CreateEpicOptions, opts ...RequestOption,
) (*Epic, *Response, error) {
	return do[Epic](ctx, using(s), http.MethodPost, Route("/groups/:id/epics", group), jsonOf(options), opts)
}

// UpdateEpicOptions changes an epic. Nil fields are left unchanged. At least one field
// must be set.
type UpdateEpicOptions struct {
	Title *string `json:"title,omitzero"`
	// Labels replaces all labels; LabelNames{} removes them. AddLabels and RemoveLabels
	// leave the other labels unchanged.
	Labels       LabelNames `json:"labels,omitzero"`
	AddLabels    LabelNames `json:"add_labels,omitzero"`
	RemoveLabels LabelNames `json:"remove_labels,omitzero"`
	// StateEvent closes or reopens the epic.
	StateEvent *StateEvent `json:"state_event,omitzero"`
	// UpdatedAt is the time of the change. It requires an administrator or an owner.
	// Nil means now.
	UpdatedAt *time.Time `json:"updated_at,omitzero"`
	// Description is Markdown, of at most 1,048,576 characters.
	Description *string `json:"description,omitzero"`
	// Color is the background color, as "#RRGGBB". It has an effect only if the feature
	// is enabled.
	Color *string `json:"color,omitzero"`
	// Confidential restricts who can see the epic if it is true, and lifts the
	// restriction if it is false.
	Confidential *bool `json:"confidential,omitzero"`
	// StartDateIsFixed and DueDateIsFixed say whether StartDateFixed and DueDateFixed
	// are the dates of the epic, or those that it inherits. Null removes a date; the zero
	// value leaves it unchanged.
	StartDateIsFixed *bool          `json:"start_date_is_fixed,omitzero"`
	StartDateFixed   Nullable[Date] `json:"start_date_fixed,omitzero"`
	DueDateIsFixed   *bool          `json:"due_date_is_fixed,omitzero"`
	DueDateFixed     Nullable[Date] `json:"due_date_fixed,omitzero"`
	// ParentID is the ID of the parent epic, not its IID. Null takes the epic from its
	// parent; the zero value leaves it there.
	ParentID Nullable[int64] `json:"parent_id,omitzero"`
}

// Update changes an epic, identified by its number in the group (IID), not by its ID. It
// requires at least the Reporter role.
//
//	PUT /groups/:id/epics/:epic_iid
func (s *EpicsService) Update(
	ctx context.Context, epic EpicRef, options UpdateEpicOptions, opts ...RequestOption,
) (*Epic, *Response, error) {
	return do[Epic](ctx, using(s), http.MethodPut, epic.byIID(""),
		jsonOf(options), opts)
}

// Delete deletes an epic, identified by its number in the group (IID), not by its ID. Its
// issues stay. Before 16.11, it also deletes the child epics. Delete requires the Owner
// role.
//
//	DELETE /groups/:id/epics/:epic_iid
func (s *EpicsService) Delete(
	ctx context.Context, epic EpicRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, epic.byIID(""), nil, opts)
}
