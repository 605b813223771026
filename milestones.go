package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// MilestonesService manages the milestones of projects and groups. The owner is
// a [ProjectRef] or a [GroupRef]. Everyone who can see the owner can read its
// milestones; writing them requires at least the Reporter role or, since 17.7, the
// Planner role. The methods identify a milestone by its ID, [Milestone.ID], never by its
// number (IID).
//
// Its options are [CreateMilestoneOptions], [ListMilestonesOptions], [ListOptions] and
// [UpdateMilestoneOptions]. See the example MilestonesAll in collaboration_test.go of
// [example.com/serviceapi/examples/recipes].
type MilestonesService service

// MilestoneOwner is an owner of milestones: a [ProjectRef] or a [GroupRef].
type MilestoneOwner interface{ hasMilestones() }

func (ProjectRef) hasMilestones() {}
func (GroupRef) hasMilestones()   {}

// MilestoneState is the state of a milestone.
type MilestoneState string

// States of a milestone. The service may send others.
const (
	MilestoneStateActive MilestoneState = "active"
	MilestoneStateClosed MilestoneState = "closed"
	// MilestoneStateAny is only for filters. It selects every state.
	MilestoneStateAny MilestoneState = "all"
)

// Milestone is a goal of a project or a group, with dates. Other calls identify
// it by ID.
type Milestone struct {
	ID  int64 `json:"id"`
	IID int64 `json:"iid"`
	// ProjectID is nil for the milestone of a group, and GroupID is nil for that of
	// a project.
	ProjectID   *int64         `json:"project_id"`
	GroupID     *int64         `json:"group_id"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	State       MilestoneState `json:"state"`
	CreatedAt   time.Time      `json:"created_at"`
	UpdatedAt   time.Time      `json:"updated_at"`
	// DueDate and StartDate are nil if none is set.
	DueDate   *Date `json:"due_date"`
	StartDate *Date `json:"start_date"`
	// Expired reports whether DueDate has passed, nil if the service does not say.
	Expired *bool  `json:"expired"`
	WebURL  string `json:"web_url"`
}

// ListMilestonesOptions selects milestones. Empty fields do not filter.
type ListMilestonesOptions struct {
	ListOptions
	// IIDs selects the milestones with these numbers in the project or group. The
	// service ignores it if milestones of parent groups are included.
	IIDs []int64 `url:"iids[],omitempty"`
	// State selects active or closed milestones. Empty means all, like
	// [MilestoneStateAny].
	State MilestoneState `url:"state,omitempty"`
	// Title is the exact title.
	Title string `url:"title,omitempty"`
	// Search searches the title and the description.
	Search string `url:"search,omitempty"`
	// IncludeParentMilestones includes the milestones of parent groups.
	//
	// Deprecated: use IncludeAncestors with service release 16.7 or later.
	IncludeParentMilestones bool `url:"include_parent_milestones,omitempty"`
	// IncludeAncestors includes the milestones of parent groups. Since 16.7.
	IncludeAncestors bool `url:"include_ancestors,omitempty"`
	// UpdatedAfter and UpdatedBefore limit the time of the last change. Since
	// 15.10.
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`

	// IncludeDescendants includes the milestones of subgroups. Only for a
	// [GroupRef]. Since 16.7.
	IncludeDescendants bool `url:"include_descendants,omitempty" only:"group"`
	// SearchTitle searches only the title. Only for a [GroupRef].
	SearchTitle string `url:"search_title,omitempty" only:"group"`
	// ContainingDate selects milestones that include this day. Only for a
	// [GroupRef].
	ContainingDate time.Time `url:"containing_date,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"group"`
	// StartDate and EndDate, set together, select milestones that overlap the
	// period between them. Only for a [GroupRef].
	StartDate time.Time `url:"start_date,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"group"`
	EndDate   time.Time `url:"end_date,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"group"`
}

// List returns one page of the milestones of a project or group, ordered by due date.
// Other calls take the ID of a milestone as MilestoneID; filters of lists take its
// title.
//
//	GET /projects/:id/milestones
//	GET /groups/:id/milestones
func (s *MilestonesService) List(
	ctx context.Context, owner MilestoneOwner, options *ListMilestonesOptions, opts ...RequestOption,
) ([]*Milestone, *Response, error) {
	return list[*Milestone](ctx, using(s), below(owner, "/milestones"), queryFor(owner, options), opts)
}

// All returns every milestone of a project or group. See
// [MilestonesService.List].
//
//	GET /projects/:id/milestones
//	GET /groups/:id/milestones
func (s *MilestonesService) All(
	ctx context.Context, owner MilestoneOwner, options *ListMilestonesOptions, opts ...RequestOption,
) iter.Seq2[*Milestone, error] {
	return all[*Milestone](ctx, using(s), below(owner, "/milestones"), queryFor(owner, options), opts)
}

const oneMilestone = "/milestones/:milestone_id"

// Get returns one milestone of the owner itself: a milestone of a parent group is not
// found.
//
//	GET /projects/:id/milestones/:milestone_id
//	GET /groups/:id/milestones/:milestone_id
func (s *MilestonesService) Get(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, opts ...RequestOption,
) (*Milestone, *Response, error) {
	return do[Milestone](ctx, using(s), http.MethodGet, below(owner, oneMilestone, milestoneID), nil, opts)
}

// CreateMilestoneOptions describes a milestone. Title is required.
type CreateMilestoneOptions struct {
	// Title must be unique within the owner, the groups above it and everything below it.
	Title       string  `json:"title" required:"true"`
	Description *string `json:"description,omitzero"`
	// DueDate and StartDate are the last and the first day. Nil means none.
	DueDate   *Date `json:"due_date,omitzero"`
	StartDate *Date `json:"start_date,omitzero"`
}

// Create creates a milestone. It returns [ErrBadRequest] if the title is taken, or if the
// milestone would end before it starts.
//
//	POST /projects/:id/milestones
//	POST /groups/:id/milestones
func (s *MilestonesService) Create(
	ctx context.Context, owner MilestoneOwner, options CreateMilestoneOptions, opts ...RequestOption,
) (*Milestone, *Response, error) {
	return do[Milestone](ctx, using(s), http.MethodPost, below(owner, "/milestones"), jsonOf(options), opts)
}

// MilestoneStateEvent is a change of the state of a milestone.
type MilestoneStateEvent string

// Changes of the state of a milestone.
const (
	MilestoneStateEventClose    MilestoneStateEvent = "close"
	MilestoneStateEventActivate MilestoneStateEvent = "activate"
)

// UpdateMilestoneOptions changes a milestone. Fields that are nil or zero stay as they
// are; at least one must be set.
type UpdateMilestoneOptions struct {
	// Title must be unique within the owner, the groups above it and everything below it.
	Title       *string `json:"title,omitzero"`
	Description *string `json:"description,omitzero"`
	// DueDate and StartDate are the last and the first day. Null removes them; the
	// zero value leaves them unchanged.
	DueDate   Nullable[Date] `json:"due_date,omitzero"`
	StartDate Nullable[Date] `json:"start_date,omitzero"`
	// StateEvent closes or activates the milestone. The service ignores it if the milestone
	// is already in that state.
	StateEvent *MilestoneStateEvent `json:"state_event,omitzero"`
}

// updateMilestoneBody sends null in the form that the service requires here: an empty
// string.
type updateMilestoneBody struct {
	UpdateMilestoneOptions
	DueDate   *string `json:"due_date,omitzero"`
	StartDate *string `json:"start_date,omitzero"`
}

func (o UpdateMilestoneOptions) body() updateMilestoneBody {
	return updateMilestoneBody{o, dayOrEmpty(o.DueDate), dayOrEmpty(o.StartDate)}
}

// Update changes a milestone of the owner itself. It returns [ErrBadRequest] if the title
// is taken, or if the milestone would end before it starts.
//
//	PUT /projects/:id/milestones/:milestone_id
//	PUT /groups/:id/milestones/:milestone_id
func (s *MilestonesService) Update(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, options UpdateMilestoneOptions,
	opts ...RequestOption,
) (*Milestone, *Response, error) {
	return do[Milestone](ctx, using(s), http.MethodPut, below(owner, oneMilestone, milestoneID),
		jsonOf(options.body()), opts)
}

// Delete deletes a milestone of the owner itself. Its issues and merge requests are left
// without a milestone.
//
//	DELETE /projects/:id/milestones/:milestone_id
//	DELETE /groups/:id/milestones/:milestone_id
func (s *MilestonesService) Delete(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, oneMilestone, milestoneID), nil, opts)
}

// Promote turns the milestone of a project into a milestone of the project's group, with
// the same title, description and dates, but with a new ID and number (IID). The issues and
// merge requests of all milestones with this title in the group's own projects move to it,
// and those milestones are deleted. The service returns nothing about the new milestone;
// find it by its title. Promote also requires at least the Reporter role in the group. It
// returns [ErrBadRequest] if the project belongs to no group.
//
//	POST /projects/:id/milestones/:milestone_id/promote
func (s *MilestonesService) Promote(
	ctx context.Context, project ProjectRef, milestoneID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/projects/:id/milestones/:milestone_id/promote", project, milestoneID), nil, opts)
}

// ListIssues returns one page of the issues of a milestone, ordered by the priority of
// their labels. The milestone of a group has only the issues of the group's own projects,
// not those of subgroups. The service leaves out References, Links, Subscribed and
// Severity.
//
//	GET /projects/:id/milestones/:milestone_id/issues
//	GET /groups/:id/milestones/:milestone_id/issues
func (s *MilestonesService) ListIssues(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, options *ListOptions, opts ...RequestOption,
) ([]*Issue, *Response, error) {
	return list[*Issue](ctx, using(s), below(owner, oneMilestone+"/issues", milestoneID), queryOf(options), opts)
}

// AllIssues returns every issue of a milestone. See [MilestonesService.ListIssues].
//
//	GET /projects/:id/milestones/:milestone_id/issues
//	GET /groups/:id/milestones/:milestone_id/issues
func (s *MilestonesService) AllIssues(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Issue, error] {
	return all[*Issue](ctx, using(s), below(owner, oneMilestone+"/issues", milestoneID), queryOf(options), opts)
}

// ListMergeRequests returns one page of the merge requests of a milestone, ordered by the
// priority of their labels. The milestone of a group has only the merge requests of the
// group's own projects, not those of subgroups.
//
//	GET /projects/:id/milestones/:milestone_id/merge_requests
//	GET /groups/:id/milestones/:milestone_id/merge_requests
func (s *MilestonesService) ListMergeRequests(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, using(s), below(owner, oneMilestone+"/merge_requests", milestoneID),
		queryOf(options), opts)
}

// AllMergeRequests returns every merge request of a milestone. See
// [MilestonesService.ListMergeRequests].
//
//	GET /projects/:id/milestones/:milestone_id/merge_requests
//	GET /groups/:id/milestones/:milestone_id/merge_requests
func (s *MilestonesService) AllMergeRequests(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, using(s), below(owner, oneMilestone+"/merge_requests", milestoneID),
		queryOf(options), opts)
}

// BurndownEvent is a step of the burndown chart of a milestone: an issue that was created,
// closed or reopened.
type BurndownEvent struct {
	CreatedAt time.Time `json:"created_at"`
	// Weight is the weight of the issue, nil if it has none.
	Weight *int           `json:"weight"`
	Action BurndownAction `json:"action"`
}

// BurndownAction is what happened to an issue of a burndown chart.
type BurndownAction string

// Actions of burndown events.
const (
	BurndownActionCreated  BurndownAction = "created"
	BurndownActionClosed   BurndownAction = "closed"
	BurndownActionReopened BurndownAction = "reopened"
)

// ListBurndownEvents returns the steps of the burndown chart of a milestone, in the order of
// its issues, then of time. The service sends all of them at once, and none for a milestone
// without a start date or a due date. Without the license, the call returns an error with the
// status 405. Premium.
//
//	GET /projects/:id/milestones/:milestone_id/burndown_events
//	GET /groups/:id/milestones/:milestone_id/burndown_events
func (s *MilestonesService) ListBurndownEvents(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, options *ListOptions, opts ...RequestOption,
) ([]*BurndownEvent, *Response, error) {
	return list[*BurndownEvent](ctx, using(s), below(owner, oneMilestone+"/burndown_events", milestoneID),
		queryOf(options), opts)
}

// AllBurndownEvents returns every step of the burndown chart of a milestone. See
// [MilestonesService.ListBurndownEvents]. Premium.
//
//	GET /projects/:id/milestones/:milestone_id/burndown_events
//	GET /groups/:id/milestones/:milestone_id/burndown_events
func (s *MilestonesService) AllBurndownEvents(
	ctx context.Context, owner MilestoneOwner, milestoneID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*BurndownEvent, error] {
	return all[*BurndownEvent](ctx, using(s), below(owner, oneMilestone+"/burndown_events", milestoneID),
		queryOf(options), opts)
}
