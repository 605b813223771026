package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// RepositoryService lists the tree of a repository, compares refs and downloads
// archives. None of its methods needs a credential if the repository is public.
// For single files, see [RepositoryFilesService].
//
// Its options are [AddChangelogOptions], [CompareOptions], [DownloadArchiveOptions],
// [GenerateChangelogOptions], [GetMergeBaseOptions], [GetRepositoryHealthOptions],
// [ListContributorsOptions], [ListTreeOptions] and [UpdateSubmoduleOptions]. See the
// example RepositoryCompare in pipelines_test.go of
// [example.com/serviceapi/examples/recipes].
type RepositoryService service

// TreeEntryType is the kind of an entry of a tree.
type TreeEntryType string

// Kinds of entries: directories, files and submodules.
const (
	TreeEntryTypeTree   TreeEntryType = "tree"
	TreeEntryTypeBlob   TreeEntryType = "blob"
	TreeEntryTypeCommit TreeEntryType = "commit"
)

// TreeEntry is a file, a directory or a submodule.
type TreeEntry struct {
	// ID is the full hash of the content.
	ID string `json:"id"`
	// Name is the last part of Path.
	Name string        `json:"name"`
	Type TreeEntryType `json:"type"`
	// Path is the full path in the repository. Git has names that other systems read in another
	// way, such as "C:a" and "a\..\b". Write files through an [os.Root], and refuse what
	// [path/filepath.IsLocal] does not accept.
	Path string `json:"path"`
	// Mode is in octal digits, such as "100644" for a file or "040000" for a
	// directory.
	Mode string `json:"mode"`
}

// ListTreeOptions selects entries of a tree.
type ListTreeOptions struct {
	ListOptions
	// Path is the directory to list. Empty means the root.
	Path string `url:"path,omitempty"`
	// Ref is a branch, a tag or a commit hash. Empty means the default branch.
	Ref string `url:"ref,omitempty"`
	// Recursive includes subdirectories.
	Recursive bool `url:"recursive,omitempty"`
	// Pagination is [PaginationKeyset] by default, unless Page is set. The service
	// no longer documents page numbers for trees.
	Pagination Pagination `url:"pagination,omitempty"`
}

// byKeyset returns the options with their default pagination.
func (o *ListTreeOptions) byKeyset() *ListTreeOptions {
	var chosen ListTreeOptions
	if o != nil {
		chosen = *o
	}
	if chosen.Pagination == "" && chosen.Page == 0 {
		chosen.Pagination = PaginationKeyset
	}
	return &chosen
}

// ListTree returns one page of the entries of a directory. [ErrNotFound] means
// that there is no such ref or, since 17.7, no such directory; earlier releases
// return an empty list for a missing directory.
//
//	GET /projects/:id/repository/tree
func (s *RepositoryService) ListTree(
	ctx context.Context, project ProjectRef, options *ListTreeOptions, opts ...RequestOption,
) ([]*TreeEntry, *Response, error) {
	return list[*TreeEntry](ctx, using(s),
		Route("/projects/:id/repository/tree", project), queryOf(options.byKeyset()), opts)
}

// AllTree returns every entry of a directory. See [RepositoryService.ListTree]. [TreeEntry.Path] is
// not safe as a path on this machine: who can push chooses it.
//
//	GET /projects/:id/repository/tree
func (s *RepositoryService) AllTree(
	ctx context.Context, project ProjectRef, options *ListTreeOptions, opts ...RequestOption,
) iter.Seq2[*TreeEntry, error] {
	return all[*TreeEntry](ctx, using(s),
		Route("/projects/:id/repository/tree", project), queryOf(options.byKeyset()), opts)
}

// Comparison describes what changed between two commits.
type Comparison struct {
	// Commit is the newest commit, nil if there is none.
	Commit *Commit `json:"commit"`
	// Commits are the commits that From lacks, the oldest first.
	Commits []*Commit `json:"commits"`
	// Diffs are the changes file by file. Beyond the limits of the service, a Diff
	// is empty.
	Diffs []*CommitDiff `json:"diffs"`
	// CompareTimeout reports whether the comparison timed out.
	CompareTimeout bool `json:"compare_timeout"`
	// CompareSameRef reports whether From and To are the same.
	CompareSameRef bool `json:"compare_same_ref"`
	// WebURL is empty if the release does not send it. Since about 15.3.
	WebURL string `json:"web_url"`
}

// CompareOptions says what to compare, and how. From and To are required; each
// is a hash, a branch or a tag.
type CompareOptions struct {
	From string `url:"from" required:"true"`
	To   string `url:"to" required:"true"`
	// FromProject is the project that From belongs to, such as the project that this one
	// was forked from. The zero value means this project. The API accepts only an ID here,
	// so a path is refused.
	FromProject ProjectRef `url:"from_project_id,omitempty"`
	// Straight compares with From itself. By default, the comparison is with the
	// merge base: it shows the changes of To since it diverged from From.
	Straight bool `url:"straight,omitempty"`
	// Unidiff adds the lines that name the files to each diff. Since 16.5.
	Unidiff bool `url:"unidiff,omitempty"`
}

// check refuses options without both ends, and a project by its path.
func (o *CompareOptions) check() error {
	if orZero(o).FromProject.kind == byName {
		return &ArgumentError{Argument: "FromProject", Problem: "must be an ID: the API has no paths here"}
	}
	return nil
}

// Compare returns what changed between two commits. [ErrNotFound] can also mean
// that one of them does not exist.
//
//	GET /projects/:id/repository/compare
func (s *RepositoryService) Compare(
	ctx context.Context, project ProjectRef, options *CompareOptions, opts ...RequestOption,
) (*Comparison, *Response, error) {
	return do[Comparison](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/compare", project), queryOf(options), opts)
}

// ArchiveFormat is the format of an archive, which is also the suffix of its
// file name.
type ArchiveFormat string

// Formats of archives.
const (
	ArchiveFormatTarGz  ArchiveFormat = "tar.gz"
	ArchiveFormatTarBz2 ArchiveFormat = "tar.bz2"
	ArchiveFormatTar    ArchiveFormat = "tar"
	ArchiveFormatZip    ArchiveFormat = "zip"
	// These are other names for the format of ArchiveFormatTarBz2.
	ArchiveFormatTbz  ArchiveFormat = "tbz"
	ArchiveFormatTbz2 ArchiveFormat = "tbz2"
	ArchiveFormatTb2  ArchiveFormat = "tb2"
	ArchiveFormatBz2  ArchiveFormat = "bz2"
)

// DownloadArchiveOptions says what an archive contains.
type DownloadArchiveOptions struct {
	// SHA is a hash, a branch or a tag. Empty means the default branch.
	SHA string `url:"sha,omitempty"`
	// Path limits the archive to this directory. Since about 15.3.
	Path string `url:"path,omitempty"`
	// IncludeLFSBlobs includes the content of LFS files instead of their pointers.
	// Nil means true. Since about 17.0.
	IncludeLFSBlobs *bool `url:"include_lfs_blobs,omitempty"`
	// ExcludePaths leaves out these files and directories. None of them may
	// contain a comma. Since about 18.0.
	ExcludePaths []string `url:"exclude_paths,comma,omitempty"`
}

func (o *DownloadArchiveOptions) check() error {
	return noCommas("ExcludePaths", orZero(o).ExcludePaths)
}

// DownloadArchive returns the files of a repository at one commit as a stream. The
// service limits the rate of these calls: see [RateLimitError]. It usually
// creates the archive while it sends it, so the stream has no known length and
// cannot be resumed.
//
//	GET /projects/:id/repository/archive.:format
func (s *RepositoryService) DownloadArchive(
	ctx context.Context, project ProjectRef, format ArchiveFormat,
	options *DownloadArchiveOptions, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/archive.:format", project, string(format)).withoutHTML(),
		queryOf(options), opts)
}

// DownloadBlob returns the content of a file as a stream, by the hash of the content: see
// [TreeEntry.ID].
//
//	GET /projects/:id/repository/blobs/:sha/raw
func (s *RepositoryService) DownloadBlob(
	ctx context.Context, project ProjectRef, sha string, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/blobs/:sha/raw", project, sha), nil, opts)
}

// ListContributors returns one page of the authors of commits. Merge commits are not
// counted. [ErrNotFound] can also mean that there is no such ref.
//
//	GET /projects/:id/repository/contributors
func (s *RepositoryService) ListContributors(
	ctx context.Context, project ProjectRef, options *ListContributorsOptions, opts ...RequestOption,
) ([]*Contributor, *Response, error) {
	return list[*Contributor](ctx, using(s),
		Route("/projects/:id/repository/contributors", project), queryOf(options), opts)
}

// AllContributors returns every author of commits. See
// [RepositoryService.ListContributors].
//
//	GET /projects/:id/repository/contributors
func (s *RepositoryService) AllContributors(
	ctx context.Context, project ProjectRef, options *ListContributorsOptions, opts ...RequestOption,
) iter.Seq2[*Contributor, error] {
	return all[*Contributor](ctx, using(s),
		Route("/projects/:id/repository/contributors", project), queryOf(options), opts)
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
	return do[Changelog](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/changelog", project), queryOf(options), opts)
}

// AddChangelog writes a changelog as [RepositoryService.GenerateChangelog] does, puts it on
// top of a file, and commits that. It requires the Developer role. Beside the errors of that
// method, it returns [ErrForbidden] if the caller may not push to the branch.
//
//	POST /projects/:id/repository/changelog
func (s *RepositoryService) AddChangelog(
	ctx context.Context, project ProjectRef, options AddChangelogOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/changelog", project), jsonOf(options), opts)
}

// GetMergeBase returns the last commit that several refs have in common. [ErrNotFound] means
// that there is none, and [ErrBadRequest] that one of them does not exist.
//
//	GET /projects/:id/repository/merge_base
func (s *RepositoryService) GetMergeBase(
	ctx context.Context, project ProjectRef, options *GetMergeBaseOptions, opts ...RequestOption,
) (*Commit, *Response, error) {
	return do[Commit](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/merge_base", project), queryOf(options), opts)
}

// GetBlob returns a file by the hash of its content: see [TreeEntry.ID]. Above 10 MB, the
// service limits the rate of these calls: see [RateLimitError].
// [RepositoryService.DownloadBlob] returns the content as a stream.
//
//	GET /projects/:id/repository/blobs/:sha
func (s *RepositoryService) GetBlob(
	ctx context.Context, project ProjectRef, sha string, opts ...RequestOption,
) (*RepositoryBlob, *Response, error) {
	return do[RepositoryBlob](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/blobs/:sha", project, sha), nil, opts)
}

// GetHealth returns the last report about how a repository is stored. It requires the
// Developer role. [ErrNotFound] means that there is none yet: ask for one with
// [GetRepositoryHealthOptions.Generate]. Since 17.10, if the instance has the call enabled.
//
//	GET /projects/:id/repository/health
func (s *RepositoryService) GetHealth(
	ctx context.Context, project ProjectRef, options *GetRepositoryHealthOptions, opts ...RequestOption,
) (*RepositoryHealth, *Response, error) {
	return do[RepositoryHealth](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/health", project), queryOf(options), opts)
}

// UpdateSubmodule lets a submodule refer to another commit, and returns the commit that says
// so. It requires the Developer role. It returns [ErrBadRequest] if no submodule has this
// path, for a branch that does not exist, and for one that the caller may not push to.
//
//	PUT /projects/:id/repository/submodules/:submodule
func (s *RepositoryService) UpdateSubmodule(
	ctx context.Context, project ProjectRef, path string, options UpdateSubmoduleOptions, opts ...RequestOption,
) (*CommitDetails, *Response, error) {
	return do[CommitDetails](ctx, using(s), http.MethodPut,
		Route("/projects/:id/repository/submodules/:submodule", project, path).notRepeatable(), jsonOf(options), opts)
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
	// OrderBy is empty by default, which orders by the date of the commits.
	OrderBy ContributorOrderBy `url:"order_by,omitempty"`
	// Sort is [SortAscending] by default.
	Sort Sort `url:"sort,omitempty"`
	// Ref is a branch, a tag or a commit hash. Empty means the default branch. Since 17.4.
	Ref string `url:"ref,omitempty"`
}

// GenerateChangelogOptions says which commits a changelog covers. Version is required.
type GenerateChangelogOptions struct {
	// Version is the version of the release, such as "1.2.0". Releases since 17.0 accept a
	// leading v.
	Version string `url:"version,omitempty" required:"true"`
	// From is the hash of the last commit that is left out. Empty means the newest tag of
	// a stable version before Version.
	From string `url:"from,omitempty"`
	// To is the hash of the last commit that is included. Empty means the head of the
	// default branch.
	To string `url:"to,omitempty"`
	// Date is the date of the release. The zero time means now.
	Date time.Time `url:"date,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Trailer is the name of the trailer in a commit message whose value says where in the
	// changelog the commit belongs. It is case-sensitive. Empty means "Changelog".
	Trailer string `url:"trailer,omitempty"`
	// ConfigFile is the path of a configuration in the repository. Empty is
	// changelog_config.yml, if there is such a file.
	ConfigFile string `url:"config_file,omitempty"`
	// ConfigFileRef is the branch, tag or commit that has the configuration. Empty is
	// the default branch. Since 18.2.
	ConfigFileRef string `url:"config_file_ref,omitempty"`
}

// Changelog says what changed in a release.
type Changelog struct {
	// Notes are in Markdown: a heading with the version and the date, and a list of
	// commits for each value of the trailer.
	Notes string `json:"notes"`
}

// AddChangelogOptions says what a changelog covers, and where it is committed. Version is
// required. What is nil is as in [GenerateChangelogOptions].
type AddChangelogOptions struct {
	Version string  `json:"version" required:"true"`
	From    *string `json:"from,omitzero"`
	// To is the head of Branch if it is nil.
	To            *string    `json:"to,omitzero"`
	Date          *time.Time `json:"date,omitzero"`
	Trailer       *string    `json:"trailer,omitzero"`
	ConfigFile    *string    `json:"config_file,omitzero"`
	ConfigFileRef *string    `json:"config_file_ref,omitzero"`
	// Branch gets the commit. Nil means the default branch.
	Branch *string `json:"branch,omitzero"`
	// File is the path of the file. Nil means "CHANGELOG.md".
	File *string `json:"file,omitzero"`
	// Message is the message of the commit. Nil means "Add changelog for version" with the
	// version.
	Message *string `json:"message,omitzero"`
}

// GetMergeBaseOptions says which refs are compared. Refs is required: two or more branches,
// tags or hashes.
type GetMergeBaseOptions struct {
	Refs []string `url:"refs[],omitempty" required:"true"`
}

// RepositoryBlob is the content of a file.
type RepositoryBlob struct {
	// Size is in bytes.
	Size int64 `json:"size"`
	// Encoding is that of Content, "base64".
	Encoding string `json:"encoding"`
	Content  string `json:"content"`
	SHA      string `json:"sha"`
}

// GetRepositoryHealthOptions says whether to make a report.
type GetRepositoryHealthOptions struct {
	// Generate makes a new report: at most five in an hour for each project. See
	// [RateLimitError].
	Generate bool `url:"generate,omitempty"`
}

// RepositoryHealth says how a repository is stored. Sizes are in bytes. Most fields are
// empty before 18.1.
type RepositoryHealth struct {
	Size        int64                  `json:"size"`
	References  *RepositoryReferences  `json:"references"`
	Objects     *RepositoryObjects     `json:"objects"`
	CommitGraph *RepositoryCommitGraph `json:"commit_graph"`
	// These four are nil if the repository has none.
	Bitmap               *RepositoryBitmap         `json:"bitmap"`
	MultiPackIndex       *RepositoryMultiPackIndex `json:"multi_pack_index"`
	MultiPackIndexBitmap *RepositoryBitmap         `json:"multi_pack_index_bitmap"`
	Alternates           *RepositoryAlternates     `json:"alternates"`
	// IsObjectPool reports whether the repository holds the objects of a network of forks.
	IsObjectPool bool `json:"is_object_pool"`
	// LastFullRepack is nil if the repository was never repacked.
	LastFullRepack *RepositoryTimestamp `json:"last_full_repack"`
	UpdatedAt      time.Time            `json:"updated_at"`
}

// RepositoryReferences says how the refs of a repository are stored.
type RepositoryReferences struct {
	LooseCount int   `json:"loose_count"`
	PackedSize int64 `json:"packed_size"`
	// ReferenceBackend is "REFERENCE_BACKEND_FILES" or "REFERENCE_BACKEND_REFTABLE".
	ReferenceBackend string `json:"reference_backend"`
}

// RepositoryObjects says how the objects of a repository are stored.
type RepositoryObjects struct {
	Size       int64 `json:"size"`
	RecentSize int64 `json:"recent_size"`
	// StaleSize is the size of what a repack may remove, and KeepSize that of what none may.
	StaleSize                int64 `json:"stale_size"`
	KeepSize                 int64 `json:"keep_size"`
	PackfileCount            int   `json:"packfile_count"`
	ReverseIndexCount        int   `json:"reverse_index_count"`
	CruftCount               int   `json:"cruft_count"`
	KeepCount                int   `json:"keep_count"`
	LooseObjectsCount        int   `json:"loose_objects_count"`
	StaleLooseObjectsCount   int   `json:"stale_loose_objects_count"`
	LooseObjectsGarbageCount int   `json:"loose_objects_garbage_count"`
}

// RepositoryCommitGraph describes the commit graph of a repository.
type RepositoryCommitGraph struct {
	CommitGraphChainLength    int  `json:"commit_graph_chain_length"`
	HasBloomFilters           bool `json:"has_bloom_filters"`
	HasGenerationData         bool `json:"has_generation_data"`
	HasGenerationDataOverflow bool `json:"has_generation_data_overflow"`
}

// RepositoryBitmap describes a bitmap of a repository.
type RepositoryBitmap struct {
	HasHashCache   bool `json:"has_hash_cache"`
	HasLookupTable bool `json:"has_lookup_table"`
	Version        int  `json:"version"`
}

// RepositoryMultiPackIndex describes the index of several packfiles.
type RepositoryMultiPackIndex struct {
	PackfileCount int `json:"packfile_count"`
	Version       int `json:"version"`
}

// RepositoryAlternates says which other directories have objects of a repository.
type RepositoryAlternates struct {
	ObjectDirectories []string  `json:"object_directories"`
	LastModified      time.Time `json:"last_modified"`
}

// RepositoryTimestamp is a time as seconds and nanoseconds since 1970, in UTC.
type RepositoryTimestamp struct {
	Seconds int64 `json:"seconds"`
	Nanos   int64 `json:"nanos"`
}

// UpdateSubmoduleOptions says which commit a submodule refers to. Branch and CommitSHA are
// required.
type UpdateSubmoduleOptions struct {
	// Branch gets the commit that changes the submodule.
	Branch string `json:"branch" required:"true"`
	// CommitSHA is the full hash of a commit of the repository of the submodule.
	CommitSHA string `json:"commit_sha" required:"true"`
	// CommitMessage is "Update submodule path with oid hash" if it is nil.
	CommitMessage *string `json:"commit_message,omitzero"`
}
