package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// TopicsService manages topics: the words that say what projects are about, in the whole
// instance. Reading needs no credential, unless the instance requires one for everything.
// Everything else is for administrators. A project that names a topic which does not exist
// creates it: see [CreateProjectOptions.Topics].
//
// Its options are [CreateTopicOptions], [ListTopicsOptions], [MergeTopicsOptions] and
// [UpdateTopicOptions]. See the example of [TopicsService.Merge].
type TopicsService service

// List returns one page of topics, those of the most projects first.
//
//	GET /topics
func (s *TopicsService) List(
	ctx context.Context, options *ListTopicsOptions, opts ...RequestOption,
) ([]*Topic, *Response, error) {
	return list[*Topic](ctx, using(s), Route("/topics"), queryOf(options), opts)
}

// All returns every topic, those of the most projects first.
//
//	GET /topics
func (s *TopicsService) All(
	ctx context.Context, options *ListTopicsOptions, opts ...RequestOption,
) iter.Seq2[*Topic, error] {
	return all[*Topic](ctx, using(s), Route("/topics"), queryOf(options), opts)
}

// Get returns a topic.
//
//	GET /topics/:id
func (s *TopicsService) Get(ctx context.Context, topicID int64, opts ...RequestOption) (*Topic, *Response, error) {
	return do[Topic](ctx, using(s), http.MethodGet, Route("/topics/:id", topicID), nil, opts)
}

// Create creates a topic. Administrators only. [ErrBadRequest] means that a topic has the name,
// in upper or lower case, or that the name is longer than 255 characters or has line breaks.
//
//	POST /topics
func (s *TopicsService) Create(
	ctx context.Context, options CreateTopicOptions, opts ...RequestOption,
) (*Topic, *Response, error) {
	return do[Topic](ctx, using(s), http.MethodPost,
		Route("/topics"), jsonOrMultipart(options, "avatar", options.Avatar), opts)
}

// Update changes a topic, and fails as [TopicsService.Create] does. A new name changes the word
// of all projects. Administrators only.
//
//	PUT /topics/:id
func (s *TopicsService) Update(
	ctx context.Context, topicID int64, options UpdateTopicOptions, opts ...RequestOption,
) (*Topic, *Response, error) {
	return do[Topic](ctx, using(s), http.MethodPut, Route("/topics/:id", topicID), options.input(), opts)
}

// Delete deletes a topic, and takes it from all projects. Administrators only.
//
//	DELETE /topics/:id
func (s *TopicsService) Delete(ctx context.Context, topicID int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/topics/:id", topicID), nil, opts)
}

// Merge moves the projects of a topic to another one, which it returns, and deletes the topic.
// Administrators only. [ErrBadRequest] means that they are the same, or belong to different
// organizations. Since 15.x.
//
//	POST /topics/merge
func (s *TopicsService) Merge(
	ctx context.Context, options MergeTopicsOptions, opts ...RequestOption,
) (*Topic, *Response, error) {
	return do[Topic](ctx, using(s), http.MethodPost, Route("/topics/merge"), jsonOf(options), opts)
}

// Topic is a word that says what projects are about.
type Topic struct {
	ID int64 `json:"id"`
	// Name is the word in URLs and filters, and Title the one that pages show, which can be
	// empty for old topics.
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	// TotalProjectsCount is the number of projects with the topic.
	TotalProjectsCount int `json:"total_projects_count"`
	// OrganizationID is nil in releases before 17.x.
	OrganizationID *int64 `json:"organization_id"`
	// AvatarURL is empty if the topic has no picture.
	AvatarURL string `json:"avatar_url"`
}

// ListTopicsOptions selects topics.
type ListTopicsOptions struct {
	ListOptions
	// Search selects the topics whose name or title contains this string.
	Search string `url:"search,omitempty"`
	// WithoutProjects selects only topics that no project has. Since 15.x.
	WithoutProjects bool `url:"without_projects,omitempty"`
	// OrganizationID selects the topics of an organization. Zero means the default one. Since
	// 17.x, as an experiment.
	OrganizationID int64 `url:"organization_id,omitempty"`
}

// CreateTopicOptions describes a topic. Name and Title are required.
type CreateTopicOptions struct {
	Name  string `json:"name" required:"true"`
	Title string `json:"title" required:"true"`
	// Description has at most 1024 characters.
	Description *string `json:"description,omitzero"`
	// OrganizationID is the ID of an organization. Nil means the default one. Since 17.x, as an
	// experiment.
	OrganizationID *int64 `json:"organization_id,omitzero"`
	// Avatar is a picture. With it, the call is sent as multipart/form-data instead of JSON.
	Avatar *Upload `json:"-" url:"avatar"`
}

// UpdateTopicOptions changes a topic. Nil fields are left unchanged.
type UpdateTopicOptions struct {
	Name        *string `json:"name,omitzero"`
	Title       *string `json:"title,omitzero"`
	Description *string `json:"description,omitzero"`
	// Avatar is a picture. With it, the call is sent as multipart/form-data instead of JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// RemoveAvatar removes the picture. It cannot be combined with Avatar.
	RemoveAvatar bool `json:"-"`
}

// topicWithoutAvatar is the body that removes the picture of a topic.
type topicWithoutAvatar struct {
	UpdateTopicOptions
	Avatar string `json:"avatar"`
}

func (o UpdateTopicOptions) input() input {
	if o.RemoveAvatar {
		return jsonOf(topicWithoutAvatar{UpdateTopicOptions: o})
	}
	return jsonOrMultipart(o, "avatar", o.Avatar)
}

func (o UpdateTopicOptions) check() error { return checkAvatar(o.RemoveAvatar, o.Avatar) }

// MergeTopicsOptions says which topics are merged. Both are required.
type MergeTopicsOptions struct {
	// SourceTopicID is the ID of the topic that goes, and TargetTopicID that of the one that
	// stays.
	SourceTopicID int64 `json:"source_topic_id" required:"true"`
	TargetTopicID int64 `json:"target_topic_id" required:"true"`
}
