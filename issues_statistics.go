package serviceapi

import (
	"context"
	"net/http"
	"time"
)

// IssueStatistics are numbers of issues.
type IssueStatistics struct {
	All    int `json:"all"`
	Closed int `json:"closed"`
	Opened int `json:"opened"`
}

// issueStatisticsBody is the form in which the service sends IssueStatistics.
type issueStatisticsBody struct {
	Statistics struct {
		Counts IssueStatistics `json:"counts"`
	} `json:"statistics"`
}

// GetStatistics counts the issues of a project, of a group with its subgroups, or of the
// instance. Without a Scope, those of the [Instance] are only issues that the caller created.
//
//	GET /issues_statistics
//	GET /groups/:id/issues_statistics
//	GET /projects/:id/issues_statistics
func (s *IssuesService) GetStatistics(
	ctx context.Context, owner IssueOwner, options *GetIssueStatisticsOptions, opts ...RequestOption,
) (*IssueStatistics, *Response, error) {
	body, resp, err := do[issueStatisticsBody](ctx, using(s), http.MethodGet,
		below(owner, "/issues_statistics"), queryOf(options), opts)
	if body == nil {
		return nil, resp, err
	}
	return &body.Statistics.Counts, resp, err
}

// GetIssueStatisticsOptions selects the issues to count. Empty fields do not filter unless
// their documentation says otherwise. The fields are as in [ListIssuesOptions]. Weight and the
// fields after it require Premium.
type GetIssueStatisticsOptions struct {
	IIDs            []int64         `url:"iids[],omitempty"`
	Labels          LabelFilter     `url:"labels,omitempty"`
	Milestone       MilestoneFilter `url:"milestone,omitempty"`
	MilestoneTiming MilestoneTiming `url:"milestone_id,omitempty"`
	// Scope is [IssueScopeAll] if it is empty, and [IssueScopeCreatedByMe] if the owner is
	// [Instance].
	Scope          IssueScope `url:"scope,omitempty"`
	AuthorID       int64      `url:"author_id,omitempty"`
	AuthorUsername string     `url:"author_username,omitempty"`
	AssigneeID     UserFilter `url:"assignee_id,omitempty"`
	// AssigneeUsername has one name if the instance is not premium.
	AssigneeUsername []string        `url:"assignee_username[],omitempty"`
	MyReactionEmoji  EmojiFilter     `url:"my_reaction_emoji,omitempty"`
	Search           string          `url:"search,omitempty"`
	In               []SearchField   `url:"in,comma,omitempty"`
	CreatedAfter     time.Time       `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore    time.Time       `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedAfter     time.Time       `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore    time.Time       `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	Confidential     *bool           `url:"confidential,omitempty"`
	Not              IssueExclusions `url:"not"`

	Weight         NumberFilter       `url:"weight,omitempty"`
	EpicID         NumberFilter       `url:"epic_id,omitempty"`
	IterationID    NumberFilter       `url:"iteration_id,omitempty"`
	IterationTitle string             `url:"iteration_title,omitempty"`
	HealthStatus   HealthStatusFilter `url:"health_status,omitempty"`
}

// UserAgentDetail says from where an issue or a snippet was created.
type UserAgentDetail struct {
	UserAgent string `json:"user_agent"`
	IPAddress string `json:"ip_address"`
	// AkismetSubmitted reports whether it was sent to Akismet, which looks for spam.
	AkismetSubmitted bool `json:"akismet_submitted"`
}

// GetUserAgentDetail returns from where an issue was created. The call returns [ErrNotFound]
// if that was not kept. It requires an administrator.
//
//	GET /projects/:id/issues/:issue_iid/user_agent_detail
func (s *IssuesService) GetUserAgentDetail(
	ctx context.Context, issue IssueRef, opts ...RequestOption,
) (*UserAgentDetail, *Response, error) {
	return do[UserAgentDetail](ctx, using(s), http.MethodGet, below(issue, "/user_agent_detail"), nil, opts)
}
