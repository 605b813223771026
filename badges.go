package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// BadgesService manages badges: the small pictures with a link that the pages of a project
// show. Those of a group are shown by all projects below it. The owner is a [ProjectRef] or a
// [GroupRef]. Reading needs no credential if the owner is public; everything else requires the
// Maintainer role in a project, and the Owner role in a group.
//
// Both URLs of a badge may have placeholders, such as %{project_path}: project_path,
// project_title, project_name, project_id, project_namespace, group_name, default_branch,
// commit_sha, latest_tag, and two that begin with the name of the vendor, for the host of the
// instance and the domain of its static sites.
//
// Its options are [CreateBadgeOptions], [ListBadgesOptions], [RenderBadgeOptions] and
// [UpdateBadgeOptions]. See the example of [BadgesService.Create].
type BadgesService service

// BadgeOwner is an owner of badges: a [ProjectRef] or a [GroupRef].
type BadgeOwner interface{ hasBadges() }

func (ProjectRef) hasBadges() {}
func (GroupRef) hasBadges()   {}

// List returns one page of badges, oldest first. The list of a project includes those of the
// groups above: see [Badge.Kind].
//
//	GET /projects/:id/badges
//	GET /groups/:id/badges
func (s *BadgesService) List(
	ctx context.Context, owner BadgeOwner, options *ListBadgesOptions, opts ...RequestOption,
) ([]*Badge, *Response, error) {
	return list[*Badge](ctx, using(s), below(owner, "/badges"), queryFor(owner, options), opts)
}

// All returns every badge. See [BadgesService.List].
//
//	GET /projects/:id/badges
//	GET /groups/:id/badges
func (s *BadgesService) All(
	ctx context.Context, owner BadgeOwner, options *ListBadgesOptions, opts ...RequestOption,
) iter.Seq2[*Badge, error] {
	return all[*Badge](ctx, using(s), below(owner, "/badges"), queryFor(owner, options), opts)
}

// Get returns a badge. For a project, [ErrNotFound] can also mean that the badge is that of a
// group.
//
//	GET /projects/:id/badges/:badge_id
//	GET /groups/:id/badges/:badge_id
func (s *BadgesService) Get(
	ctx context.Context, owner BadgeOwner, badgeID int64, opts ...RequestOption,
) (*Badge, *Response, error) {
	return do[Badge](ctx, using(s), http.MethodGet, below(owner, "/badges/:badge_id", badgeID), nil, opts)
}

// Create creates a badge. [ErrBadRequest] means that a URL is not one of HTTP or HTTPS with a
// host; the Fields of the [*Error] say which.
//
//	POST /projects/:id/badges
//	POST /groups/:id/badges
func (s *BadgesService) Create(
	ctx context.Context, owner BadgeOwner, options CreateBadgeOptions, opts ...RequestOption,
) (*Badge, *Response, error) {
	return do[Badge](ctx, using(s), http.MethodPost, below(owner, "/badges"), jsonFor(owner, options), opts)
}

// Update changes a badge, and fails as [BadgesService.Create] does.
//
//	PUT /projects/:id/badges/:badge_id
//	PUT /groups/:id/badges/:badge_id
func (s *BadgesService) Update(
	ctx context.Context, owner BadgeOwner, badgeID int64, options UpdateBadgeOptions, opts ...RequestOption,
) (*Badge, *Response, error) {
	return do[Badge](ctx, using(s), http.MethodPut,
		below(owner, "/badges/:badge_id", badgeID), jsonFor(owner, options), opts)
}

// Delete deletes a badge.
//
//	DELETE /projects/:id/badges/:badge_id
//	DELETE /groups/:id/badges/:badge_id
func (s *BadgesService) Delete(
	ctx context.Context, owner BadgeOwner, badgeID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, "/badges/:badge_id", badgeID), nil, opts)
}

// Render returns what URLs of a badge become, without creating one.
//
//	GET /projects/:id/badges/render
//	GET /groups/:id/badges/render
func (s *BadgesService) Render(
	ctx context.Context, owner BadgeOwner, options *RenderBadgeOptions, opts ...RequestOption,
) (*BadgePreview, *Response, error) {
	return do[BadgePreview](ctx, using(s), http.MethodGet,
		below(owner, "/badges/render"), queryFor(owner, options), opts)
}

// BadgePreview is a badge that was rendered.
type BadgePreview struct {
	// Name is empty if there is none.
	Name     string `json:"name"`
	LinkURL  string `json:"link_url"`
	ImageURL string `json:"image_url"`
	// RenderedLinkURL and RenderedImageURL have values instead of placeholders. Those of a
	// group are the values of its first project. A word that the service does not know stays.
	RenderedLinkURL  string `json:"rendered_link_url"`
	RenderedImageURL string `json:"rendered_image_url"`
}

// Badge is a badge of a project or a group.
type Badge struct {
	BadgePreview

	ID   int64     `json:"id"`
	Kind BadgeKind `json:"kind"`
}

// BadgeKind says whose badge it is.
type BadgeKind string

// Kinds of badges.
const (
	BadgeKindProject BadgeKind = "project"
	BadgeKindGroup   BadgeKind = "group"
)

// ListBadgesOptions selects badges.
type ListBadgesOptions struct {
	ListOptions
	// Name selects the badges with exactly this name.
	Name string `url:"name,omitempty"`
}

// CreateBadgeOptions describes a badge. LinkURL and ImageURL are required.
type CreateBadgeOptions struct {
	// LinkURL and ImageURL may have placeholders: see [BadgesService].
	LinkURL  string  `json:"link_url" required:"true"`
	ImageURL string  `json:"image_url" required:"true"`
	Name     *string `json:"name,omitzero"`
}

// UpdateBadgeOptions changes a badge. Nil fields are left unchanged.
type UpdateBadgeOptions struct {
	LinkURL  *string `json:"link_url,omitzero"`
	ImageURL *string `json:"image_url,omitzero"`
	Name     *string `json:"name,omitzero"`
}

// RenderBadgeOptions has the URLs of a badge. Both are required.
type RenderBadgeOptions struct {
	LinkURL  string `url:"link_url" required:"true"`
	ImageURL string `url:"image_url" required:"true"`
}
