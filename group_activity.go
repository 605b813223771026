package serviceapi

import (
	"context"
	"net/http"
)

// GroupActivityService counts what is new in a group and its subgroups: in the last 30 days, up to
// 1000, and as of the last day. Premium. A group must be given by its path: an ID is refused before
// anything is sent. Calls return [ErrNotFound] if the caller cannot see the group, and [ErrForbidden]
// without the tier.
//
// See the example of [GroupActivityService.CountIssues].
type GroupActivityService service

// byPath returns an error unless the group is given by its path.
func byPath(group GroupRef) error {
	_, err := referenceSegment("group_path", "group path", group.reference)
	return err
}

type groupActivityQuery struct {
	GroupPath string `url:"group_path"`
}

// CountIssues counts the issues that were created.
//
//	GET /analytics/group_activity/issues_count
func (s *GroupActivityService) CountIssues(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*GroupIssuesCount, *Response, error) {
	return do[GroupIssuesCount](ctx, using(s), http.MethodGet,
		Route("/analytics/group_activity/issues_count"),
		unless(byPath(group), queryOf(&groupActivityQuery{group.name})), opts)
}

// CountMergeRequests counts the merge requests that were created.
//
//	GET /analytics/group_activity/merge_requests_count
func (s *GroupActivityService) CountMergeRequests(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*GroupMergeRequestsCount, *Response, error) {
	return do[GroupMergeRequestsCount](ctx, using(s), http.MethodGet,
		Route("/analytics/group_activity/merge_requests_count"),
		unless(byPath(group), queryOf(&groupActivityQuery{group.name})), opts)
}

// CountNewMembers counts the people who became members.
//
//	GET /analytics/group_activity/new_members_count
func (s *GroupActivityService) CountNewMembers(
	ctx context.Context, group GroupRef, opts ...RequestOption,
) (*GroupNewMembersCount, *Response, error) {
	return do[GroupNewMembersCount](ctx, using(s), http.MethodGet,
		Route("/analytics/group_activity/new_members_count"),
		unless(byPath(group), queryOf(&groupActivityQuery{group.name})), opts)
}

// GroupIssuesCount is how many issues were created.
type GroupIssuesCount struct {
	IssuesCount int `json:"issues_count"`
}

// GroupMergeRequestsCount is how many merge requests were created.
type GroupMergeRequestsCount struct {
	MergeRequestsCount int `json:"merge_requests_count"`
}

// GroupNewMembersCount is how many people became members.
type GroupNewMembersCount struct {
	NewMembersCount int `json:"new_members_count"`
}
