package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ReleasesService manages the releases of projects and the links of these. A release
// belongs to a tag, and a tag has at most one.
//
// Reading needs no credential if the project is public. Writing requires the Developer
// role, and the right to create the tag if it is protected. Job tokens are accepted.
// A guest of a private project gets releases without the names of their tags, their
// commits, sources and evidence.
type ReleasesService service

const (
	releasesPath = "/projects/:id/releases"
	releasePath  = releasesPath + "/:tag_name"
	linksPath    = releasePath + "/assets/links"
	linkPath     = linksPath + "/:link_id"
)

// List returns one page of a project's releases, the newest first unless another order
// is asked for.
//
//	GET /projects/:id/releases
func (s *ReleasesService) List(
	ctx context.Context, project ProjectRef, options *ListReleasesOptions, opts ...RequestOption,
) ([]*Release, *Response, error) {
	return list[*Release](ctx, s.client, Route(releasesPath, project), queryOf(options), opts)
}

// All returns every release of a project, the newest first unless another order is
// asked for.
//
//	GET /projects/:id/releases
func (s *ReleasesService) All(
	ctx context.Context, project ProjectRef, options *ListReleasesOptions, opts ...RequestOption,
) iter.Seq2[*Release, error] {
	return all[*Release](ctx, s.client, Route(releasesPath, project), queryOf(options), opts)
}

// Get returns the release of a tag.
//
//	GET /projects/:id/releases/:tag_name
func (s *ReleasesService) Get(
	ctx context.Context, project ProjectRef, tagName string, options *GetReleaseOptions, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, s.client, http.MethodGet, Route(releasePath, project, tagName), queryOf(options), opts)
}

// Latest returns the release with the newest ReleasedAt, and [ErrNotFound] if there is
// none. The service redirects to the release, so the call sends two requests, both with
// the credential. Since 15.4.
//
//	GET /projects/:id/releases/permalink/latest
func (s *ReleasesService) Latest(
	ctx context.Context, project ProjectRef, options *GetReleaseOptions, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, s.client, http.MethodGet,
		Route(releasesPath+"/permalink/latest", project), queryOf(options), opts)
}

// Create makes a release, with its links and milestones, and the tag if it does not
// exist and Ref is set. Evidence is collected in the background unless ReleasedAt is
// in the future or the past.
//
// The call returns [ErrConflict] if the tag has a release, [ErrUnprocessable] if there
// is neither the tag nor a Ref, [ErrBadRequest] for a name, a milestone or a link that
// the service refuses, and [ErrForbidden] if the caller may not create the tag.
//
//	POST /projects/:id/releases
func (s *ReleasesService) Create(
	ctx context.Context, project ProjectRef, options CreateReleaseOptions, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, s.client, http.MethodPost, Route(releasesPath, project), jsonOf(options), opts)
}

// Update changes a release. Its links have methods of their own. The call returns
// [ErrForbidden], not [ErrNotFound], for a release that does not exist,
// [ErrNotFound] if the tag is gone, and [ErrBadRequest] if nothing is set.
//
//	PUT /projects/:id/releases/:tag_name
func (s *ReleasesService) Update(
	ctx context.Context, project ProjectRef, tagName string, options UpdateReleaseOptions, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, s.client, http.MethodPut, Route(releasePath, project, tagName), jsonOf(options), opts)
}

// Delete deletes a release with its links, and returns it. The tag stays. The call
// returns [ErrForbidden], not [ErrNotFound], for a release that does not exist. Some
// installations require the Maintainer role.
//
//	DELETE /projects/:id/releases/:tag_name
func (s *ReleasesService) Delete(
	ctx context.Context, project ProjectRef, tagName string, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, s.client, http.MethodDelete, Route(releasePath, project, tagName), nil, opts)
}

// CollectEvidence collects evidence for a release again, in the background. It appears
// among the Evidences of the release. Premium.
//
//	POST /projects/:id/releases/:tag_name/evidence
func (s *ReleasesService) CollectEvidence(
	ctx context.Context, project ProjectRef, tagName string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost,
		Route(releasePath+"/evidence", project, tagName), nil, opts)
}

// ListLinks returns one page of the links of a release, newest first.
//
//	GET /projects/:id/releases/:tag_name/assets/links
func (s *ReleasesService) ListLinks(
	ctx context.Context, project ProjectRef, tagName string, options *ListOptions, opts ...RequestOption,
) ([]*ReleaseLink, *Response, error) {
	return list[*ReleaseLink](ctx, s.client, Route(linksPath, project, tagName), queryOf(options), opts)
}

// AllLinks returns every link of a release, newest first.
//
//	GET /projects/:id/releases/:tag_name/assets/links
func (s *ReleasesService) AllLinks(
	ctx context.Context, project ProjectRef, tagName string, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ReleaseLink, error] {
	return all[*ReleaseLink](ctx, s.client, Route(linksPath, project, tagName), queryOf(options), opts)
}

// GetLink returns a link of a release.
//
//	GET /projects/:id/releases/:tag_name/assets/links/:link_id
func (s *ReleasesService) GetLink(
	ctx context.Context, project ProjectRef, tagName string, linkID int64, opts ...RequestOption,
) (*ReleaseLink, *Response, error) {
	return do[ReleaseLink](ctx, s.client, http.MethodGet, Route(linkPath, project, tagName, linkID), nil, opts)
}

// CreateLink adds a link to a release. The name, the URL and the path of a link are
// unique in its release; the call returns [ErrBadRequest] for one that is taken or that
// the service refuses.
//
//	POST /projects/:id/releases/:tag_name/assets/links
func (s *ReleasesService) CreateLink(
	ctx context.Context, project ProjectRef, tagName string, options CreateReleaseLinkOptions, opts ...RequestOption,
) (*ReleaseLink, *Response, error) {
	return do[ReleaseLink](ctx, s.client, http.MethodPost, Route(linksPath, project, tagName), jsonOf(options), opts)
}

// UpdateLink changes a link. At least one of Name and URL is required.
//
//	PUT /projects/:id/releases/:tag_name/assets/links/:link_id
func (s *ReleasesService) UpdateLink(
	ctx context.Context, project ProjectRef, tagName string, linkID int64,
	options UpdateReleaseLinkOptions, opts ...RequestOption,
) (*ReleaseLink, *Response, error) {
	return do[ReleaseLink](ctx, s.client, http.MethodPut,
		Route(linkPath, project, tagName, linkID), jsonOf(options), opts)
}

// DeleteLink removes a link from a release, and returns it.
//
//	DELETE /projects/:id/releases/:tag_name/assets/links/:link_id
func (s *ReleasesService) DeleteLink(
	ctx context.Context, project ProjectRef, tagName string, linkID int64, opts ...RequestOption,
) (*ReleaseLink, *Response, error) {
	return do[ReleaseLink](ctx, s.client, http.MethodDelete, Route(linkPath, project, tagName, linkID), nil, opts)
}
