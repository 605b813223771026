package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// DownloadBlob returns the content of a file as a stream, by the hash of the content: see
// [TreeEntry.ID].
//
//	GET /projects/:id/repository/blobs/:sha/raw
func (s *RepositoryService) DownloadBlob(
	ctx context.Context, project ProjectRef, sha string, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, s.client, http.MethodGet,
		Route("/projects/:id/repository/blobs/:sha/raw", project, sha), nil, opts)
}

// Contributor is an author of commits.
type Contributor struct {
	Name    string `json:"name"`
	Email   string `json:"email"`
	Commits int    `json:"commits"`
	// Additions and Deletions are always 0: the service no longer counts lines.
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
}

// ContributorOrderBy is an order of a list of contributors.
type ContributorOrderBy string

// Orders of contributors.
const (
	ContributorOrderByCommits ContributorOrderBy = "commits"
	ContributorOrderByName    ContributorOrderBy = "name"
	ContributorOrderByEmail   ContributorOrderBy = "email"
)

// ListContributorsOptions selects contributors.
type ListContributorsOptions struct {
	ListOptions
	// OrderBy is the date of the commits by default, which has no name.
	OrderBy ContributorOrderBy `url:"order_by,omitempty"`
	// Sort is [SortAscending] by default.
	Sort Sort `url:"sort,omitempty"`
	// Ref is a branch, a tag or a commit hash. Empty is the default branch. Since 17.4.
	Ref string `url:"ref,omitempty"`
}

// ListContributors returns one page of the authors of commits. Merge commits are not
// counted. [ErrNotFound] can also mean that there is no such ref.
//
//	GET /projects/:id/repository/contributors
func (s *RepositoryService) ListContributors(
	ctx context.Context, project ProjectRef, options *ListContributorsOptions, opts ...RequestOption,
) ([]*Contributor, *Response, error) {
	return list[*Contributor](ctx, s.client,
		Route("/projects/:id/repository/contributors", project), queryOf(options), opts)
}

// AllContributors returns every author of commits. See
// [RepositoryService.ListContributors].
//
//	GET /projects/:id/repository/contributors
func (s *RepositoryService) AllContributors(
	ctx context.Context, project ProjectRef, options *ListContributorsOptions, opts ...RequestOption,
) iter.Seq2[*Contributor, error] {
	return all[*Contributor](ctx, s.client,
		Route("/projects/:id/repository/contributors", project), queryOf(options), opts)
}

// GenerateChangelogOptions says for which commits to write a changelog. Version is
// required.
type GenerateChangelogOptions struct {
	// Version is that of the release, such as "1.2.0". The service takes a leading v
	// since 17.0.
	Version string `url:"version,omitempty"`
	// From is the hash of the last commit that is left out. Empty is the newest tag of
	// a stable version before Version.
	From string `url:"from,omitempty"`
	// To is the hash of the last commit that is included. Empty is the head of the
	// default branch.
	To string `url:"to,omitempty"`
	// Date is that of the release. The zero time is now.
	Date time.Time `url:"date,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Trailer names the line of a commit message that says where the commit belongs.
	// Upper and lower case differ. Empty is "Changelog".
	Trailer string `url:"trailer,omitempty"`
	// ConfigFile is the path of a configuration in the repository. Empty is
	// changelog_config.yml, if there is such a file.
	ConfigFile string `url:"config_file,omitempty"`
	// ConfigFileRef is the branch, tag or commit that has the configuration. Empty is
	// the default branch. Since 18.2.
	ConfigFileRef string `url:"config_file_ref,omitempty"`
}

func (o *GenerateChangelogOptions) check() error { return missing("Version", orZero(o).Version == "") }

// Changelog says what changed in a release.
type Changelog struct {
	// Notes are in Markdown: a heading with the version and the date, and a list of
	// commits for each value of the trailer.
	Notes string `json:"notes"`
}

// GenerateChangelog writes a changelog and returns it; it commits nothing. Commits
// without the trailer, and those that a later commit reverts, are left out. The call
// returns [ErrUnprocessable] if there is neither [GenerateChangelogOptions.From] nor an
// earlier tag, if the configuration is wrong, and for more than 15,000 commits. The
// service limits the rate of these calls: see [RateLimitError].
//
//	GET /projects/:id/repository/changelog
func (s *RepositoryService) GenerateChangelog(
	ctx context.Context, project ProjectRef, options *GenerateChangelogOptions, opts ...RequestOption,
) (*Changelog, *Response, error) {
	return do[Changelog](ctx, s.client, http.MethodGet,
		Route("/projects/:id/repository/changelog", project), queryOf(options), opts)
}
