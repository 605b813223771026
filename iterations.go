package serviceapi

import (
	"context"
	"iter"
	"time"
)

// IterationsService lists the spans of time for which groups plan issues. The owner is a
// [ProjectRef] or a [GroupRef]; the iterations of a project are those of the groups above
// it. Premium: without it, calls return [ErrForbidden] or [ErrNotFound]. The API cannot
// create iterations.
//
// Its options are [ListIterationsOptions]. See the example of [IterationsService.All].
type IterationsService service

// IterationOwner is an owner of iterations: a [ProjectRef] or a [GroupRef].
type IterationOwner interface{ hasIterations() }

func (ProjectRef) hasIterations() {}
func (GroupRef) hasIterations()   {}

// IterationStateFilter selects iterations by their state. Unlike an [IterationState], it
// is a word.
type IterationStateFilter string

// States that select iterations.
const (
	// IterationStateFilterOpened selects upcoming and current iterations.
	IterationStateFilterOpened   IterationStateFilter = "opened"
	IterationStateFilterUpcoming IterationStateFilter = "upcoming"
	IterationStateFilterCurrent  IterationStateFilter = "current"
	IterationStateFilterClosed   IterationStateFilter = "closed"
	IterationStateFilterAny      IterationStateFilter = "all"
)

// IterationSearchField is a field of iterations that can be searched.
type IterationSearchField string

// Fields of iterations that can be searched.
const (
	IterationSearchFieldTitle IterationSearchField = "title"
	// IterationSearchFieldCadenceTitle is the title of the series of iterations.
	IterationSearchFieldCadenceTitle IterationSearchField = "cadence_title"
)

// ListIterationsOptions selects iterations. Empty fields do not filter.
type ListIterationsOptions struct {
	ListOptions
	// State filters by the state. Empty means all, like [IterationStateFilterAny].
	State IterationStateFilter `url:"state,omitempty"`
	// Search searches the title, or the fields in In. Iterations that a series created
	// have no title.
	Search string `url:"search,omitempty"`
	// In names the fields that Search searches. Empty means the title. Since 16.3.
	In []IterationSearchField `url:"in[],omitempty"`
	// IncludeAncestors includes the iterations of parent groups. Nil means true.
	IncludeAncestors *bool `url:"include_ancestors,omitempty"`
	// IncludeDescendants includes the iterations of subgroups. Since 16.7.
	IncludeDescendants bool `url:"include_descendants,omitempty"`
	// UpdatedBefore and UpdatedAfter limit the time of the last change. Since 15.10.
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
}

// List returns one page of the iterations of a project or group.
//
//	GET /projects/:id/iterations
//	GET /groups/:id/iterations
func (s *IterationsService) List(
	ctx context.Context, owner IterationOwner, options *ListIterationsOptions, opts ...RequestOption,
) ([]*Iteration, *Response, error) {
	return list[*Iteration](ctx, using(s), below(owner, "/iterations"), queryOf(options), opts)
}

// All returns every iteration of a project or group.
//
//	GET /projects/:id/iterations
//	GET /groups/:id/iterations
func (s *IterationsService) All(
	ctx context.Context, owner IterationOwner, options *ListIterationsOptions, opts ...RequestOption,
) iter.Seq2[*Iteration, error] {
	return all[*Iteration](ctx, using(s), below(owner, "/iterations"), queryOf(options), opts)
}
