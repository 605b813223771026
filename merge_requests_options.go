package serviceapi

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Words that stand for a value in the filters whose documentation names them.
const (
	// FilterNone keeps what has no value: no milestone, no label, nobody
	// assigned.
	FilterNone = "None"
	// FilterAny keeps what has a value, whichever it is.
	FilterAny = "Any"
)

// IDFilter filters by the id of a user: [ByID], [FilterNone] or [FilterAny].
// The empty IDFilter does not filter.
type IDFilter string

// ByID filters by one id.
func ByID(id int64) IDFilter { return IDFilter(strconv.FormatInt(id, 10)) }

// IDsFilter filters by the ids of several users: [ByIDs],
// IDsFilter{FilterNone} or IDsFilter{FilterAny}. The empty IDsFilter does not
// filter.
type IDsFilter []IDFilter

// ByIDs filters by several ids, all of which must apply.
func ByIDs(ids ...int64) IDsFilter {
	filter := make(IDsFilter, len(ids))
	for i, id := range ids {
		filter[i] = ByID(id)
	}
	return filter
}

// EncodeValues writes the filter into a query: ids as a list, a word as one
// value under the name without brackets.
func (f IDsFilter) EncodeValues(key string, v *url.Values) error {
	if len(f) == 1 && (f[0] == FilterNone || f[0] == FilterAny) {
		v.Set(strings.TrimSuffix(key, "[]"), string(f[0]))
		return nil
	}
	for _, id := range f {
		v.Add(key, string(id))
	}
	return nil
}

// MergeRequestOrder is what a list of merge requests is ordered by.
type MergeRequestOrder string

// Orders of merge requests.
const (
	MergeRequestsByCreatedAt MergeRequestOrder = "created_at"
	MergeRequestsByTitle     MergeRequestOrder = "title"
	MergeRequestsByUpdatedAt MergeRequestOrder = "updated_at"
)

// MergeRequestScope says whose merge requests are listed.
type MergeRequestScope string

// Scopes of merge requests.
const (
	MergeRequestsCreatedByMe  MergeRequestScope = "created_by_me"
	MergeRequestsAssignedToMe MergeRequestScope = "assigned_to_me"
	MergeRequestsAll          MergeRequestScope = "all"
)

// MergeRequestView says how much of each merge request is returned.
type MergeRequestView string

// MergeRequestSimpleView leaves everything out but IID, WebURL, Title,
// Description and State.
const MergeRequestSimpleView MergeRequestView = "simple"

// MergeRequestSearchField is where a search looks.
type MergeRequestSearchField string

// Fields that can be searched.
const (
	SearchInTitle       MergeRequestSearchField = "title"
	SearchInDescription MergeRequestSearchField = "description"
)

// DraftFilter filters by whether a merge request is a draft. The empty
// DraftFilter does not filter.
type DraftFilter string

// Filters by draft.
const (
	DraftsOnly DraftFilter = "yes"
	NoDrafts   DraftFilter = "no"
)

// MergeRequestExclusions leaves merge requests out of a list: every field that
// is set leaves out those that it applies to.
type MergeRequestExclusions struct {
	Labels           []string `url:"labels,comma,omitempty"`
	Milestone        string   `url:"milestone,omitempty"`
	AuthorID         int64    `url:"author_id,omitempty"`
	AuthorUsername   string   `url:"author_username,omitempty"`
	AssigneeID       int64    `url:"assignee_id,omitempty"`
	AssigneeUsername string   `url:"assignee_username,omitempty"`
	ReviewerID       int64    `url:"reviewer_id,omitempty"`
	ReviewerUsername string   `url:"reviewer_username,omitempty"`
	MyReactionEmoji  string   `url:"my_reaction_emoji,omitempty"`
}

// ListMergeRequestsOptions selects merge requests among all that the caller may
// see. A field that is empty does not filter, if its documentation does not say
// otherwise.
type ListMergeRequestsOptions struct {
	ListOptions
	// State selects those in this state. [MergeRequestLocked] lasts so shortly
	// that it finds next to nothing. See also [MergeRequestAnyState].
	State MergeRequestState `url:"state,omitempty"`
	// OrderBy is MergeRequestsByCreatedAt if it is empty.
	OrderBy MergeRequestOrder `url:"order_by,omitempty"`
	// Sort is SortAscending or SortDescending, which is the default.
	Sort SortDirection `url:"sort,omitempty"`
	// Milestone is the title of a milestone, [FilterNone] or [FilterAny].
	Milestone string `url:"milestone,omitempty"`
	// View shortens the response. Empty means in full.
	View MergeRequestView `url:"view,omitempty"`
	// Labels selects those that have all of these labels. A single [FilterNone]
	// or [FilterAny] stands for no label or any. Predefined names are compared
	// without regard to case.
	Labels []string `url:"labels,comma,omitempty"`
	// WithLabelsDetails fills all fields of each [Label], not its name alone.
	WithLabelsDetails bool `url:"with_labels_details,omitempty"`
	// WithMergeStatusRecheck asks the service to find out MergeStatus anew.
	// It does so later, if at all: the response at hand has the old one.
	WithMergeStatusRecheck bool `url:"with_merge_status_recheck,omitempty"`
	// CreatedAfter, CreatedBefore, UpdatedAfter and UpdatedBefore bound the
	// times, which they include.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Scope is MergeRequestsCreatedByMe if it is empty.
	Scope MergeRequestScope `url:"scope,omitempty"`
	// AuthorID and AuthorUsername exclude one another. They need the scope
	// MergeRequestsAll or MergeRequestsAssignedToMe.
	AuthorID       int64  `url:"author_id,omitempty"`
	AuthorUsername string `url:"author_username,omitempty"`
	// AssigneeID is [ByID], [FilterNone] or [FilterAny].
	AssigneeID IDFilter `url:"assignee_id,omitempty"`
	// ApproverIDs selects those that all of these users may approve: [ByIDs],
	// IDsFilter{FilterNone} or IDsFilter{FilterAny}. Premium.
	ApproverIDs IDsFilter `url:"approver_ids[],omitempty"`
	// ApprovedByIDs selects those that all of these users, at most 5, have
	// approved: [ByIDs], IDsFilter{FilterNone} or IDsFilter{FilterAny}.
	// Premium.
	ApprovedByIDs IDsFilter `url:"approved_by_ids[],omitempty"`
	// ReviewerID ([ByID]) and ReviewerUsername exclude one another. Both may
	// be [FilterNone] or [FilterAny].
	ReviewerID       IDFilter `url:"reviewer_id,omitempty"`
	ReviewerUsername string   `url:"reviewer_username,omitempty"`
	// MyReactionEmoji is the name of an emoji that the caller gave,
	// [FilterNone] or [FilterAny].
	MyReactionEmoji string `url:"my_reaction_emoji,omitempty"`
	SourceBranch    string `url:"source_branch,omitempty"`
	TargetBranch    string `url:"target_branch,omitempty"`
	// Search looks for a text in the fields that In names.
	Search string `url:"search,omitempty"`
	// In is both the title and the description if it is empty.
	In []MergeRequestSearchField `url:"in,comma,omitempty"`
	// WIP keeps drafts only or leaves them out.
	WIP DraftFilter            `url:"wip,omitempty"`
	Not MergeRequestExclusions `url:"not"`
	// Environment selects those that were deployed to the environment of this
	// name.
	Environment string `url:"environment,omitempty"`
	// DeployedBefore and DeployedAfter bound the time of the deployment.
	DeployedBefore time.Time `url:"deployed_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	DeployedAfter  time.Time `url:"deployed_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
}

// ListProjectMergeRequestsOptions selects merge requests of a project. A field
// that is empty does not filter, if its documentation does not say otherwise.
type ListProjectMergeRequestsOptions struct {
	ListOptions
	// IIDs selects those with these numbers, as the project counts them.
	IIDs []int64 `url:"iids[],omitempty"`
	// State selects those in this state. [MergeRequestLocked] lasts so shortly
	// that it finds next to nothing. See also [MergeRequestAnyState].
	State MergeRequestState `url:"state,omitempty"`
	// OrderBy is MergeRequestsByCreatedAt if it is empty.
	OrderBy MergeRequestOrder `url:"order_by,omitempty"`
	// Sort is SortAscending or SortDescending, which is the default.
	Sort SortDirection `url:"sort,omitempty"`
	// Milestone is the title of a milestone, [FilterNone] or [FilterAny].
	Milestone string `url:"milestone,omitempty"`
	// View shortens the response. Empty means in full.
	View MergeRequestView `url:"view,omitempty"`
	// Labels selects those that have all of these labels. A single [FilterNone]
	// or [FilterAny] stands for no label or any. Predefined names are compared
	// without regard to case.
	Labels []string `url:"labels,comma,omitempty"`
	// WithLabelsDetails fills all fields of each [Label], not its name alone.
	WithLabelsDetails bool `url:"with_labels_details,omitempty"`
	// WithMergeStatusRecheck asks the service to find out MergeStatus anew.
	// It does so later, if at all: the response at hand has the old one.
	WithMergeStatusRecheck bool `url:"with_merge_status_recheck,omitempty"`
	// CreatedAfter, CreatedBefore, UpdatedAfter and UpdatedBefore bound the
	// times, which they include.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Scope selects the caller's own or those assigned to the caller. All are
	// listed if it is empty.
	Scope MergeRequestScope `url:"scope,omitempty"`
	// AuthorID and AuthorUsername exclude one another.
	AuthorID       int64  `url:"author_id,omitempty"`
	AuthorUsername string `url:"author_username,omitempty"`
	// AssigneeID is [ByID], [FilterNone] or [FilterAny].
	AssigneeID IDFilter `url:"assignee_id,omitempty"`
	// ApproverIDs selects those that all of these users may approve: [ByIDs],
	// IDsFilter{FilterNone} or IDsFilter{FilterAny}. Premium.
	ApproverIDs IDsFilter `url:"approver_ids[],omitempty"`
	// ApprovedByIDs selects those that all of these users, at most 5, have
	// approved: [ByIDs], IDsFilter{FilterNone} or IDsFilter{FilterAny}.
	// Premium.
	ApprovedByIDs IDsFilter `url:"approved_by_ids[],omitempty"`
	// ReviewerID ([ByID]) and ReviewerUsername exclude one another. Both may
	// be [FilterNone] or [FilterAny].
	ReviewerID       IDFilter `url:"reviewer_id,omitempty"`
	ReviewerUsername string   `url:"reviewer_username,omitempty"`
	// MyReactionEmoji is the name of an emoji that the caller gave,
	// [FilterNone] or [FilterAny].
	MyReactionEmoji string `url:"my_reaction_emoji,omitempty"`
	SourceBranch    string `url:"source_branch,omitempty"`
	TargetBranch    string `url:"target_branch,omitempty"`
	// Search looks for a text in the title and the description.
	Search string `url:"search,omitempty"`
	// WIP keeps drafts only or leaves them out.
	WIP DraftFilter            `url:"wip,omitempty"`
	Not MergeRequestExclusions `url:"not"`
	// Environment selects those that were deployed to the environment of this
	// name.
	Environment string `url:"environment,omitempty"`
}

// GetMergeRequestOptions says what a merge request is returned with.
type GetMergeRequestOptions struct {
	// IncludeRebaseInProgress fills [MergeRequest.RebaseInProgress].
	IncludeRebaseInProgress bool `url:"include_rebase_in_progress,omitempty"`
}

// MergeOptions says how to merge.
type MergeOptions struct {
	// MergeCommitMessage is made by the service if it is nil.
	MergeCommitMessage *string `json:"merge_commit_message,omitzero"`
	// SquashCommitMessage is made by the service if it is nil.
	SquashCommitMessage *string `json:"squash_commit_message,omitzero"`
	// Squash makes one commit of all. Nil leaves it to the merge request.
	Squash *bool `json:"squash,omitzero"`
	// ShouldRemoveSourceBranch removes the source branch afterwards. Nil
	// leaves it to the merge request.
	ShouldRemoveSourceBranch *bool `json:"should_remove_source_branch,omitzero"`
	// MergeWhenPipelineSucceeds merges later, when the pipeline has succeeded.
	// The merge request that is returned is then still open.
	MergeWhenPipelineSucceeds *bool `json:"merge_when_pipeline_succeeds,omitzero"`
	// SHA is the commit that the source branch must be at, so that nothing is
	// merged that nobody has seen.
	SHA *string `json:"sha,omitzero"`
}

// RebaseOptions says how to rebase.
type RebaseOptions struct {
	// SkipCI starts no pipeline for the commits that come out.
	SkipCI *bool `json:"skip_ci,omitzero"`
}
