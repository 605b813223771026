package serviceapi

import (
	"context"
	"iter"
	"time"
)

// MilestonesService lists the milestones of projects and groups. The owner is
// a [ProjectRef] or a [GroupRef].
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
	// State selects active or closed milestones.
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

// List returns one page of the milestones of a project or group. Other calls
// take the ID of a milestone as MilestoneID; filters of lists take its title.
//
//	GET /projects/:id/milestones
//	GET /groups/:id/milestones
func (s *MilestonesService) List(
	ctx context.Context, owner MilestoneOwner, options *ListMilestonesOptions, opts ...RequestOption,
) ([]*Milestone, *Response, error) {
	return list[*Milestone](ctx, s.client, below(owner, "/milestones"), queryFor(owner, options), opts)
}

// All returns every milestone of a project or group. See
// [MilestonesService.List].
//
//	GET /projects/:id/milestones
//	GET /groups/:id/milestones
func (s *MilestonesService) All(
	ctx context.Context, owner MilestoneOwner, options *ListMilestonesOptions, opts ...RequestOption,
) iter.Seq2[*Milestone, error] {
	return all[*Milestone](ctx, s.client, below(owner, "/milestones"), queryFor(owner, options), opts)
}
