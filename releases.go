package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"time"
)

// ReleasesService manages the releases of projects and their links. A release belongs to a
// tag, and a tag has at most one release.
//
// Reading needs no credential if the project is public. Writing requires the Developer
// role, and permission to create the tag if it is protected. Job tokens are accepted. A
// guest of a private project gets releases without the names of their tags, their commits,
// sources and evidence.
//
// Its options are [CreateReleaseLinkOptions], [CreateReleaseOptions], [GetReleaseOptions],
// [ListOptions], [ListReleasesOptions], [UpdateReleaseLinkOptions] and
// [UpdateReleaseOptions]. See the example of [ReleasesService.Create].
type ReleasesService service

// ReleaseOwner is an owner of releases: a [ProjectRef], or a [GroupRef] for those of the
// projects in a group.
type ReleaseOwner interface{ hasReleases() }

func (ProjectRef) hasReleases() {}
func (GroupRef) hasReleases()   {}

const (
	releasesPath = "/projects/:id/releases"
	releasePath  = releasesPath + "/:tag_name"
	linksPath    = releasePath + "/assets/links"
	linkPath     = linksPath + "/:link_id"
)

// List returns one page of the releases of a project, or of all projects in a group and below
// that the caller can see, the newest first by default. Groups have them since 15.0, without
// totals in the [Response]; only Self of [Release.URLs] says which project one belongs to.
//
//	GET /projects/:id/releases
//	GET /groups/:id/releases
func (s *ReleasesService) List(
	ctx context.Context, owner ReleaseOwner, options *ListReleasesOptions, opts ...RequestOption,
) ([]*Release, *Response, error) {
	return list[*Release](ctx, using(s), below(owner, "/releases"), queryFor(owner, options), opts)
}

// All returns every release of a project or a group. See [ReleasesService.List].
//
//	GET /projects/:id/releases
//	GET /groups/:id/releases
func (s *ReleasesService) All(
	ctx context.Context, owner ReleaseOwner, options *ListReleasesOptions, opts ...RequestOption,
) iter.Seq2[*Release, error] {
	return all[*Release](ctx, using(s), below(owner, "/releases"), queryFor(owner, options), opts)
}

// Get returns the release of a tag.
//
//	GET /projects/:id/releases/:tag_name
func (s *ReleasesService) Get(
	ctx context.Context, project ProjectRef, tagName string, options *GetReleaseOptions, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, using(s), http.MethodGet, Route(releasePath, project, tagName), queryOf(options), opts)
}

// Latest returns the release with the newest ReleasedAt, or [ErrNotFound] if there is none.
// The service redirects to the release, so the call sends two requests, both with the
// credential. Since 15.4.
//
//	GET /projects/:id/releases/permalink/latest
func (s *ReleasesService) Latest(
	ctx context.Context, project ProjectRef, options *GetReleaseOptions, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, using(s), http.MethodGet,
		Route(releasesPath+"/permalink/latest", project), queryOf(options), opts)
}

// Create creates a release, with its links and milestones, and the tag if it does not exist
// and Ref is set. Evidence is collected in the background unless ReleasedAt is in the
// future or the past.
//
// The call returns [ErrConflict] if the tag already has a release, [ErrUnprocessable] if
// the tag does not exist and Ref is not set, [ErrBadRequest] for a name, a milestone or a
// link that the service refuses, and [ErrForbidden] if the caller may not create the tag.
//
//	POST /projects/:id/releases
func (s *ReleasesService) Create(
	ctx context.Context, project ProjectRef, options CreateReleaseOptions, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, using(s), http.MethodPost, Route(releasesPath, project), jsonOf(options), opts)
}

// Update changes a release. Its links have methods of their own. The call returns
// [ErrForbidden], not [ErrNotFound], for a release that does not exist,
// [ErrNotFound] if the tag no longer exists, and [ErrBadRequest] if nothing is set.
//
//	PUT /projects/:id/releases/:tag_name
func (s *ReleasesService) Update(
	ctx context.Context, project ProjectRef, tagName string, options UpdateReleaseOptions, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, using(s), http.MethodPut, Route(releasePath, project, tagName), jsonOf(options), opts)
}

// Delete deletes a release with its links, and returns it. The tag stays. The call
// returns [ErrForbidden], not [ErrNotFound], for a release that does not exist. Some
// installations require the Maintainer role.
//
//	DELETE /projects/:id/releases/:tag_name
func (s *ReleasesService) Delete(
	ctx context.Context, project ProjectRef, tagName string, opts ...RequestOption,
) (*Release, *Response, error) {
	return do[Release](ctx, using(s), http.MethodDelete, Route(releasePath, project, tagName), nil, opts)
}

// CollectEvidence collects evidence for a release again, in the background. The evidence is
// added to [Release.Evidences]. Premium.
//
//	POST /projects/:id/releases/:tag_name/evidence
func (s *ReleasesService) CollectEvidence(
	ctx context.Context, project ProjectRef, tagName string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route(releasePath+"/evidence", project, tagName), nil, opts)
}

// ListLinks returns one page of the links of a release, newest first.
//
//	GET /projects/:id/releases/:tag_name/assets/links
func (s *ReleasesService) ListLinks(
	ctx context.Context, project ProjectRef, tagName string, options *ListOptions, opts ...RequestOption,
) ([]*ReleaseLink, *Response, error) {
	return list[*ReleaseLink](ctx, using(s), Route(linksPath, project, tagName), queryOf(options), opts)
}

// AllLinks returns every link of a release, newest first.
//
//	GET /projects/:id/releases/:tag_name/assets/links
func (s *ReleasesService) AllLinks(
	ctx context.Context, project ProjectRef, tagName string, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ReleaseLink, error] {
	return all[*ReleaseLink](ctx, using(s), Route(linksPath, project, tagName), queryOf(options), opts)
}

// GetLink returns a link of a release.
//
//	GET /projects/:id/releases/:tag_name/assets/links/:link_id
func (s *ReleasesService) GetLink(
	ctx context.Context, project ProjectRef, tagName string, linkID int64, opts ...RequestOption,
) (*ReleaseLink, *Response, error) {
	return do[ReleaseLink](ctx, using(s), http.MethodGet, Route(linkPath, project, tagName, linkID), nil, opts)
}

// CreateLink adds a link to a release. The name, the URL and the path of a link are
// unique in its release; the call returns [ErrBadRequest] for one that is taken or that
// the service refuses.
//
//	POST /projects/:id/releases/:tag_name/assets/links
func (s *ReleasesService) CreateLink(
	ctx context.Context, project ProjectRef, tagName string, options CreateReleaseLinkOptions, opts ...RequestOption,
) (*ReleaseLink, *Response, error) {
	return do[ReleaseLink](ctx, using(s), http.MethodPost, Route(linksPath, project, tagName), jsonOf(options), opts)
}

// UpdateLink changes a link. At least one of Name and URL is required.
//
//	PUT /projects/:id/releases/:tag_name/assets/links/:link_id
func (s *ReleasesService) UpdateLink(
	ctx context.Context, project ProjectRef, tagName string, linkID int64,
	options UpdateReleaseLinkOptions, opts ...RequestOption,
) (*ReleaseLink, *Response, error) {
	return do[ReleaseLink](ctx, using(s), http.MethodPut,
		Route(linkPath, project, tagName, linkID), jsonOf(options), opts)
}

// DeleteLink removes a link from a release, and returns it.
//
//	DELETE /projects/:id/releases/:tag_name/assets/links/:link_id
func (s *ReleasesService) DeleteLink(
	ctx context.Context, project ProjectRef, tagName string, linkID int64, opts ...RequestOption,
) (*ReleaseLink, *Response, error) {
	return do[ReleaseLink](ctx, using(s), http.MethodDelete, Route(linkPath, project, tagName, linkID), nil, opts)
}

// ReleaseFile names a file that a link of a release leads to. Both fields are required.
type ReleaseFile struct {
	TagName string
	// DirectAssetPath is that of the link, such as "/bin/linux". The first slash is optional.
	DirectAssetPath string
}

// DownloadFile returns what a link of a release leads to as a stream. The service redirects to
// the URL of the link, which may be anywhere: another host gets no credential. The call returns
// [ErrNotFound] if no link of the release has this path. Since 15.4.
//
//	GET /projects/:id/releases/:tag_name/downloads/*direct_asset_path
func (s *ReleasesService) DownloadFile(
	ctx context.Context, project ProjectRef, file ReleaseFile, opts ...RequestOption,
) (*Download, *Response, error) {
	path := fieldSegment{"DirectAssetPath", strings.TrimPrefix(file.DirectAssetPath, "/")}
	return stream(ctx, using(s), http.MethodGet, Route(releasePath+"/downloads/*direct_asset_path",
		project, fieldSegment{"TagName", file.TagName}, path), nil, opts)
}

// Release is a release of a project.
type Release struct {
	// TagName identifies the release in its project. It is empty for a guest of a
	// private project.
	TagName string `json:"tag_name"`
	// Name is the name of the tag unless another name was set.
	Name string `json:"name"`
	// Description is in Markdown.
	Description string `json:"description"`
	// DescriptionHTML is empty unless IncludeHTMLDescription asks for it.
	DescriptionHTML string    `json:"description_html"`
	CreatedAt       time.Time `json:"created_at"`
	ReleasedAt      time.Time `json:"released_at"`
	// UpcomingRelease reports whether ReleasedAt is in the future.
	UpcomingRelease bool `json:"upcoming_release"`
	// HistoricalRelease reports whether ReleasedAt was in the past when the release was
	// created, nil if the service does not say.
	HistoricalRelease *bool `json:"historical_release"`
	// Author is nil if the account no longer exists.
	Author *UserSummary `json:"author"`
	// Commit is nil for a guest of a private project.
	Commit     *Commit             `json:"commit"`
	Milestones []*ReleaseMilestone `json:"milestones"`
	// CommitPath and TagPath are paths in the web application, without its address.
	CommitPath string `json:"commit_path"`
	TagPath    string `json:"tag_path"`
	// Assets is nil only if the service does not send them.
	Assets *ReleaseAssets `json:"assets"`
	// Evidences are empty for an upcoming release, and until the first evidence is
	// collected.
	Evidences []*ReleaseEvidence `json:"evidences"`
	// URLs is nil only if the service does not send them.
	URLs *ReleaseURLs `json:"_links"`
	// EvidenceSHA is the checksum of the evidence. Only some releases of the service
	// send it; see Evidences.
	EvidenceSHA string `json:"evidence_sha"`
}

// ReleaseAssets are the archives of the source and the links of a release.
type ReleaseAssets struct {
	// Count is the number of Sources and Links.
	Count   int              `json:"count"`
	Sources []*ReleaseSource `json:"sources"`
	Links   []*ReleaseLink   `json:"links"`
	// EvidenceFilePath is the URL of the evidence. Only older releases of the service
	// send it; see Release.Evidences.
	EvidenceFilePath string `json:"evidence_file_path"`
}

// ReleaseSource is an archive of the source of a release. [RepositoryService.DownloadArchive]
// downloads one through the API.
type ReleaseSource struct {
	Format ArchiveFormat `json:"format"`
	URL    string        `json:"url"`
}

// ReleaseLink is a link of a release, such as one to a package.
type ReleaseLink struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	URL  string `json:"url"`
	// DirectAssetURL is a permanent address of the file below the release, or URL if the
	// link has no path.
	DirectAssetURL string          `json:"direct_asset_url"`
	LinkType       ReleaseLinkType `json:"link_type"`
	// External reports whether URL is outside the project, nil if the service does not say.
	// Releases since 16.0 do not send it.
	External *bool `json:"external"`
}

// ReleaseLinkType says what a link of a release leads to.
type ReleaseLinkType string

// Types of links. The service may send others.
const (
	ReleaseLinkTypeOther   ReleaseLinkType = "other"
	ReleaseLinkTypeRunbook ReleaseLinkType = "runbook"
	ReleaseLinkTypeImage   ReleaseLinkType = "image"
	ReleaseLinkTypePackage ReleaseLinkType = "package"
)

// ReleaseEvidence is a snapshot of a release and of the objects that belong to it.
type ReleaseEvidence struct {
	SHA string `json:"sha"`
	// FilePath is the URL of the snapshot, a JSON file.
	FilePath    string    `json:"filepath"`
	CollectedAt time.Time `json:"collected_at"`
}

// ReleaseURLs are pages of the web application about a release. Those that the caller may
// not see are empty.
type ReleaseURLs struct {
	Self                   string `json:"self"`
	EditURL                string `json:"edit_url"`
	ClosedIssuesURL        string `json:"closed_issues_url"`
	OpenedIssuesURL        string `json:"opened_issues_url"`
	ClosedMergeRequestsURL string `json:"closed_merge_requests_url"`
	MergedMergeRequestsURL string `json:"merged_merge_requests_url"`
	OpenedMergeRequestsURL string `json:"opened_merge_requests_url"`
}

// ReleaseMilestone has a [Milestone] in it, which belongs to a release.
type ReleaseMilestone struct {
	Milestone

	// IssueStats counts the issues of the milestone, nil if the service does not say.
	IssueStats *ReleaseIssueStats `json:"issue_stats"`
}

// ReleaseIssueStats counts the issues of a milestone.
type ReleaseIssueStats struct {
	Total  int `json:"total"`
	Closed int `json:"closed"`
}

// ReleaseOrderBy is the order of a list of releases.
type ReleaseOrderBy string

// Orders of releases.
const (
	// ReleaseOrderByReleasedAt is the default.
	ReleaseOrderByReleasedAt ReleaseOrderBy = "released_at"
	ReleaseOrderByCreatedAt  ReleaseOrderBy = "created_at"
)

// ListReleasesOptions selects releases. Empty fields do not filter.
type ListReleasesOptions struct {
	ListOptions
	// OrderBy is ReleaseOrderByReleasedAt if it is empty. Only for a project.
	OrderBy ReleaseOrderBy `url:"order_by,omitempty" only:"project"`
	// Sort is SortAscending or SortDescending, which is the default.
	Sort Sort `url:"sort,omitempty"`
	// IncludeHTMLDescription asks for DescriptionHTML. Only for a project.
	IncludeHTMLDescription bool `url:"include_html_description,omitempty" only:"project"`
	// UpdatedAfter and UpdatedBefore limit the time of the last change. Releases of the
	// service before about 15.x ignore them. Only for a project.
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"project"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"project"`
	// Simple asks only for TagName, Name, Description, CreatedAt, ReleasedAt and
	// UpcomingRelease. Only for a group.
	Simple bool `url:"simple,omitempty" only:"group"`
}

// GetReleaseOptions selects optional fields of a release.
type GetReleaseOptions struct {
	// IncludeHTMLDescription asks for DescriptionHTML.
	IncludeHTMLDescription bool `url:"include_html_description,omitempty"`
}

// CreateReleaseOptions describes a new release. TagName is required, and so is Ref if there
// is no such tag.
type CreateReleaseOptions struct {
	// TagName is the tag of the release.
	TagName string `json:"tag_name" required:"true"`
	// Ref is what the tag is created from if it does not exist: the hash of a commit, or
	// the name of a branch or another tag.
	Ref *string `json:"ref,omitzero"`
	// TagMessage makes the new tag an annotated tag with this message. Since about 15.0.
	TagMessage *string `json:"tag_message,omitzero"`
	// Name is TagName if it is nil.
	Name *string `json:"name,omitzero"`
	// Description is in Markdown.
	Description *string `json:"description,omitzero"`
	// Milestones are the exact titles of milestones of the project. Those of its groups
	// are Premium.
	Milestones []string `json:"milestones,omitzero"`
	// MilestoneIDs identify the milestones by ID instead. Since about 16.x.
	MilestoneIDs []int64 `json:"milestone_ids,omitzero"`
	// Assets are the links that the release begins with.
	Assets *CreateReleaseAssets `json:"assets,omitzero"`
	// ReleasedAt may be in the future or in the past, but then no evidence is collected.
	// Nil means now.
	ReleasedAt *time.Time `json:"released_at,omitzero"`
}

// CreateReleaseAssets are the links of a new release.
type CreateReleaseAssets struct {
	Links []CreateReleaseLinkOptions `json:"links"`
}

// UpdateReleaseOptions changes a release. Nil fields are left unchanged; at least one must
// be set.
type UpdateReleaseOptions struct {
	Name *string `json:"name,omitzero"`
	// Description is in Markdown.
	Description *string `json:"description,omitzero"`
	// Milestones are the exact titles of the new milestones. An empty slice that is not
	// nil removes all.
	Milestones []string `json:"milestones,omitzero"`
	// MilestoneIDs identify the milestones by ID instead. Since about 16.x.
	MilestoneIDs []int64    `json:"milestone_ids,omitzero"`
	ReleasedAt   *time.Time `json:"released_at,omitzero"`
}

// CreateReleaseLinkOptions describes a new link. Name and URL are required.
type CreateReleaseLinkOptions struct {
	Name string `json:"name" required:"true"`
	// URL begins with http, https or ftp.
	URL string `json:"url" required:"true"`
	// DirectAssetPath begins with a slash and has at most 128 characters. The file is also
	// available below the release under this path. Since about 15.x; with older releases,
	// use FilePath.
	DirectAssetPath *string `json:"direct_asset_path,omitzero"`
	// FilePath is the former name of DirectAssetPath.
	//
	// Deprecated: use DirectAssetPath with newer releases of the service.
	FilePath *string `json:"filepath,omitzero"`
	// LinkType is ReleaseLinkTypeOther if it is nil.
	LinkType *ReleaseLinkType `json:"link_type,omitzero"`
}

// UpdateReleaseLinkOptions changes a link. Nil fields are left unchanged; at least one of
// Name and URL is required.
type UpdateReleaseLinkOptions struct {
	Name *string `json:"name,omitzero"`
	// URL begins with http, https or ftp.
	URL *string `json:"url,omitzero"`
	// DirectAssetPath begins with a slash and has at most 128 characters. Since about 15.x;
	// with older releases, use FilePath.
	DirectAssetPath *string `json:"direct_asset_path,omitzero"`
	// FilePath is the former name of DirectAssetPath.
	//
	// Deprecated: use DirectAssetPath with newer releases of the service.
	FilePath *string          `json:"filepath,omitzero"`
	LinkType *ReleaseLinkType `json:"link_type,omitzero"`
}
