package serviceapi

import (
	"context"
	"iter"
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

// MetricImage is a picture of what was measured during an incident.
type MetricImage struct {
	ID        int64     `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	Filename  string    `json:"filename"`
	// FilePath is the path of the picture on the instance.
	FilePath string `json:"file_path"`
	// URL is a page with more about it, and URLText the text of the link. Each is empty if
	// there is none.
	URL     string `json:"url"`
	URLText string `json:"url_text"`
}

const oneMetricImage = "/metric_images/:image_id"

// ListMetricImages returns the metric images of an incident, oldest first. The service sends
// all of them at once. Other issues have none: for them, the call returns [ErrForbidden].
// Premium.
//
//	GET /projects/:id/issues/:issue_iid/metric_images
func (s *IssuesService) ListMetricImages(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) ([]*MetricImage, *Response, error) {
	return list[*MetricImage](ctx, using(s), below(issue, "/metric_images"), queryOf(options), opts)
}

// AllMetricImages returns every metric image of an incident, oldest first. Premium.
//
//	GET /projects/:id/issues/:issue_iid/metric_images
func (s *IssuesService) AllMetricImages(
	ctx context.Context, issue IssueRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MetricImage, error] {
	return all[*MetricImage](ctx, using(s), below(issue, "/metric_images"), queryOf(options), opts)
}

// CreateMetricImage uploads a metric image of an incident. The call returns [ErrForbidden]
// if the caller may not, or if the issue is no incident, and [ErrBadRequest] if the file is
// larger than 1 MiB. Premium.
//
//	POST /projects/:id/issues/:issue_iid/metric_images
func (s *IssuesService) CreateMetricImage(
	ctx context.Context, issue IssueRef, options CreateMetricImageOptions, opts ...RequestOption,
) (*MetricImage, *Response, error) {
	return do[MetricImage](ctx, using(s), http.MethodPost,
		below(issue, "/metric_images"), multipartOf(options, "file", options.File), opts)
}

// UpdateMetricImage changes the link of a metric image. Premium.
//
//	PUT /projects/:id/issues/:issue_iid/metric_images/:image_id
func (s *IssuesService) UpdateMetricImage(
	ctx context.Context, issue IssueRef, imageID int64, options UpdateMetricImageOptions, opts ...RequestOption,
) (*MetricImage, *Response, error) {
	return do[MetricImage](ctx, using(s), http.MethodPut, below(issue, oneMetricImage, imageID), jsonOf(options), opts)
}

// DeleteMetricImage deletes a metric image. Premium.
//
//	DELETE /projects/:id/issues/:issue_iid/metric_images/:image_id
func (s *IssuesService) DeleteMetricImage(
	ctx context.Context, issue IssueRef, imageID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(issue, oneMetricImage, imageID), nil, opts)
}

// CreateMetricImageOptions describes a new metric image.
type CreateMetricImageOptions struct {
	// File is an image of at most 1 MiB. It is required.
	File Upload `json:"-" url:"file" required:"true"`
	// URL is a page with more about it, of at most 255 characters, and URLText the text of
	// the link, of at most 128.
	URL     *string `json:"url,omitzero"`
	URLText *string `json:"url_text,omitzero"`
}

// UpdateMetricImageOptions changes the link of a metric image. Nil fields are left
// unchanged.
type UpdateMetricImageOptions struct {
	// URL and URLText are as in [CreateMetricImageOptions].
	URL     *string `json:"url,omitzero"`
	URLText *string `json:"url_text,omitzero"`
}
