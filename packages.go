package serviceapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"
)

// PackagesService lists and deletes packages of all types, and publishes and downloads
// generic packages, which are files under a name and a version.
//
// Reading needs no credential if the project is public. Publishing requires the Developer
// role, and deleting the Maintainer role (before about 15.x, Developer). Releases since
// 15.3 accept job tokens. If packages are turned off in a project, calls return
// [ErrForbidden].
//
// Its options are [ListOptions], [ListPackageFilesOptions], [ListPackagesOptions],
// [PublishGenericPackageOptions] and [UploadModelOptions]. See the example of [PackagesService.PublishGeneric].
type PackagesService service

// PackageOwner is an owner of packages: a [ProjectRef], or a [GroupRef] for those of the
// projects in a group.
type PackageOwner interface{ hasPackages() }

func (ProjectRef) hasPackages() {}
func (GroupRef) hasPackages()   {}

const (
	packagePath      = "/projects/:id/packages/:package_id"
	packageFilesPath = packagePath + "/package_files"
	genericFilePath  = "/projects/:id/packages/generic/:package_name/:package_version/:file_name"
)

// List returns one page of the packages of a project, or of the projects in a group.
// Hidden packages, and those that are being processed or deleted, are left out unless
// options ask for them.
//
//	GET /projects/:id/packages
//	GET /groups/:id/packages
func (s *PackagesService) List(
	ctx context.Context, owner PackageOwner, options *ListPackagesOptions, opts ...RequestOption,
) ([]*Package, *Response, error) {
	return list[*Package](ctx, using(s), below(owner, "/packages"), queryFor(owner, options), opts)
}

// All returns every package of a project, or of the projects in a group. See
// [PackagesService.List].
//
//	GET /projects/:id/packages
//	GET /groups/:id/packages
func (s *PackagesService) All(
	ctx context.Context, owner PackageOwner, options *ListPackagesOptions, opts ...RequestOption,
) iter.Seq2[*Package, error] {
	return all[*Package](ctx, using(s), below(owner, "/packages"), queryFor(owner, options), opts)
}

// Get returns a package with the other versions of its name. The call returns
// [ErrNotFound] for packages that are neither PackageStatusDefault nor
// PackageStatusDeprecated.
//
//	GET /projects/:id/packages/:package_id
func (s *PackagesService) Get(
	ctx context.Context, project ProjectRef, packageID int64, opts ...RequestOption,
) (*Package, *Response, error) {
	return do[Package](ctx, using(s), http.MethodGet, Route(packagePath, project, packageID), nil, opts)
}

// Delete deletes a package with its files. The call returns [ErrPreconditionFailed] if
// the package has changed since the time of an If-Unmodified-Since header.
//
//	DELETE /projects/:id/packages/:package_id
func (s *PackagesService) Delete(
	ctx context.Context, project ProjectRef, packageID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(packagePath, project, packageID), nil, opts)
}

// ListFiles returns one page of the files of a package. Several files may have the same
// name; the newest of them is downloaded.
//
//	GET /projects/:id/packages/:package_id/package_files
func (s *PackagesService) ListFiles(
	ctx context.Context, project ProjectRef, packageID int64, options *ListPackageFilesOptions, opts ...RequestOption,
) ([]*PackageFile, *Response, error) {
	return list[*PackageFile](ctx, using(s), Route(packageFilesPath, project, packageID), queryOf(options), opts)
}

// AllFiles returns every file of a package. See [PackagesService.ListFiles].
//
//	GET /projects/:id/packages/:package_id/package_files
func (s *PackagesService) AllFiles(
	ctx context.Context, project ProjectRef, packageID int64, options *ListPackageFilesOptions, opts ...RequestOption,
) iter.Seq2[*PackageFile, error] {
	return all[*PackageFile](ctx, using(s), Route(packageFilesPath, project, packageID), queryOf(options), opts)
}

// DownloadFile returns a file of a package of any type as a stream. Give the stream to
// [PackageFile.Verify] to check it. The call returns [ErrNotFound] for a package that is
// neither PackageStatusDefault nor PackageStatusDeprecated. Since 18.4.
//
//	GET /projects/:id/packages/:package_id/package_files/:package_file_id/download
func (s *PackagesService) DownloadFile(
	ctx context.Context, project ProjectRef, packageID, packageFileID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	file := Route(packageFilesPath+"/:package_file_id/download", project, packageID, packageFileID)
	return stream(ctx, using(s), http.MethodGet, file.withoutHTML(), nil, opts)
}

// DeleteFile deletes a file of a package. The package stays, even without files.
//
//	DELETE /projects/:id/packages/:package_id/package_files/:package_file_id
func (s *PackagesService) DeleteFile(
	ctx context.Context, project ProjectRef, packageID, packageFileID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(packageFilesPath+"/:package_file_id", project, packageID, packageFileID), nil, opts)
}

// ListPipelines returns one page of the pipelines that published a package, newest
// first. There are no page numbers: [Response.NextPageToken] continues the list. Since
// 16.1.
//
//	GET /projects/:id/packages/:package_id/pipelines
func (s *PackagesService) ListPipelines(
	ctx context.Context, project ProjectRef, packageID int64, options *ListOptions, opts ...RequestOption,
) ([]*PackagePipeline, *Response, error) {
	return list[*PackagePipeline](ctx, using(s),
		Route(packagePath+"/pipelines", project, packageID), queryOf(options), opts)
}

// AllPipelines returns every pipeline that published a package, newest first. Since
// 16.1.
//
//	GET /projects/:id/packages/:package_id/pipelines
func (s *PackagesService) AllPipelines(
	ctx context.Context, project ProjectRef, packageID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*PackagePipeline, error] {
	return all[*PackagePipeline](ctx, using(s),
		Route(packagePath+"/pipelines", project, packageID), queryOf(options), opts)
}

// PublishGeneric uploads a file of a generic package, and creates the package if there is
// none. The content is streamed; its size should be known, from a Content that can seek or
// from Upload.Size. The call is not repeated after an error: a second upload under the same
// name adds a second file, and the newest is downloaded. The call returns [ErrBadRequest]
// for a name that the service refuses, for a file that is too large, and for a second file
// of the same name if the group does not allow that.
//
// If the service reports a SHA-256 checksum other than that of the content as sent, the
// call returns a [*ChecksumError] together with the file, which can then be deleted.
//
//	PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name
func (s *PackagesService) PublishGeneric(
	ctx context.Context, project ProjectRef, file GenericPackageFile,
	options PublishGenericPackageOptions, opts ...RequestOption,
) (*UploadedPackageFile, *Response, error) {
	query := publishQuery{options, "package_file"}
	sent := countSum(&options.File)
	return checked(ctx, using(s), http.MethodPut, file.in(project).notRepeatable(),
		queryAndBody{queryOf(&query), uploadInput{options.File}}, sent.compared, opts)
}

// DownloadGeneric returns a file of a generic package as a stream, the newest if several
// have the same name. If the service reports its SHA-256 checksum and the stream is read
// from its beginning, the stream ends in a [*ChecksumError] instead of io.EOF if its
// content does not match. See also [PackageFile.Verify].
//
//	GET /projects/:id/packages/generic/:package_name/:package_version/:file_name
func (s *PackagesService) DownloadGeneric(
	ctx context.Context, project ProjectRef, file GenericPackageFile, opts ...RequestOption,
) (*Download, *Response, error) {
	d, resp, err := stream(ctx, using(s), http.MethodGet, file.in(project).withoutHTML(), nil, opts)
	if d != nil {
		if sum := resp.Header.Get("X-Checksum-SHA256"); sum != "" {
			_ = d.verify(ChecksumAlgorithmSHA256, sum) // content that cannot be verified is passed on as it is
		}
	}
	return d, resp, err
}

// ModelFile names a file of a model in the model registry. Both fields are required. Its calls
// send every kind of token as "Authorization: Bearer", the only form that the service takes here.
type ModelFile struct {
	// ModelVersionID is the ID of a version, or "candidate:" and the IID of a run.
	ModelVersionID string
	// Path has letters, digits, periods, hyphens, underscores, plus signs and blanks, and may
	// begin with a directory: "weights/a.bin".
	Path string
}

func (f ModelFile) in(project ProjectRef) Endpoint {
	e := Route("/projects/:id/packages/ml_models/:model_version_id/files/*file_path", project,
		fieldSegment{"ModelVersionID", f.ModelVersionID}, fieldSegment{"Path", f.Path})
	e.bearer = true
	return e
}

// DownloadModel returns a file of a model as a stream. Since about 16.8.
//
//	GET /projects/:id/packages/ml_models/:model_version_id/files/*file_path
func (s *PackagesService) DownloadModel(
	ctx context.Context, project ProjectRef, file ModelFile, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet, file.in(project).withoutHTML(), nil, opts)
}

// UploadModel adds a file to a model. It requires the Developer role. The content is streamed,
// and the call is not repeated after an error. It returns [ErrBadRequest] for a path that the
// service refuses, and for a file that is too large. Since about 16.8.
//
//	PUT /projects/:id/packages/ml_models/:model_version_id/files/*file_path
func (s *PackagesService) UploadModel(
	ctx context.Context, project ProjectRef, file ModelFile, options UploadModelOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPut, file.in(project).notRepeatable(),
		queryAndBody{queryOf(&options), uploadInput{options.File}}, opts)
}

// Verify makes a download end in a [*ChecksumError] instead of io.EOF if its content
// does not match the SHA-256 checksum of the file, as [SecureFile.Verify] does. It
// returns an [*ArgumentError] if there is no such checksum, or if the download is not at
// its beginning.
func (f *PackageFile) Verify(d *Download) error {
	return d.verify(ChecksumAlgorithmSHA256, f.FileSHA256)
}

func (f GenericPackageFile) in(project ProjectRef) Endpoint {
	return Route(genericFilePath, project, f.PackageName, f.PackageVersion, f.FileName)
}

// sentSum computes the checksum of the bytes that are read from an upload.
type sentSum struct {
	content io.Reader
	mu      sync.Mutex // a Read that was abandoned may still be in progress
	hash    hash.Hash
}

// seekableSum is a sentSum for content that can be sent again.
type seekableSum struct {
	*sentSum
	seeker io.Seeker
}

// countSum makes an upload compute its checksum while it is read.
func countSum(file *Upload) *sentSum {
	sum := &sentSum{content: file.Content, hash: sha256.New()}
	if l, ok := file.Content.(interface{ Len() int }); ok && file.Size == 0 {
		file.Size = int64(l.Len())
	}
	if seeker, ok := file.Content.(io.Seeker); ok {
		file.Content = seekableSum{sum, seeker}
	} else if file.Content != nil {
		file.Content = sum
	}
	return sum
}

func (s *sentSum) Read(p []byte) (int, error) {
	n, err := s.content.Read(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hash.Write(p[:n])
	return n, err
}

// Seek starts the checksum anew: content is always sent from its beginning.
func (s seekableSum) Seek(offset int64, whence int) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hash.Reset()
	return s.seeker.Seek(offset, whence)
}

// compared reports a file that did not arrive as it was sent.
func (s *sentSum) compared(o *outcome, file *UploadedPackageFile) error {
	if file.FileSHA256 == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if actual := hex.EncodeToString(s.hash.Sum(nil)); !strings.EqualFold(actual, file.FileSHA256) {
		return o.checksumError(actual, file.FileSHA256)
	}
	return nil
}

// Package is a version of a package. It has a [PackageVersion] in it.
type Package struct {
	PackageVersion

	Name string `json:"name"`
	// ConanPackageName is set only for conan packages.
	ConanPackageName string        `json:"conan_package_name"`
	PackageType      PackageType   `json:"package_type"`
	Status           PackageStatus `json:"status"`
	// Paths is nil only if the service does not send them.
	Paths *PackagePaths `json:"_links"`
	// LastDownloadedAt is nil before the first download. Since about 15.5.
	LastDownloadedAt *time.Time `json:"last_downloaded_at"`
	// Versions are the other versions of the package. Only Get returns them.
	Versions []*PackageVersion `json:"versions"`
	// ProjectID and ProjectPath identify the project in the list of a group. Elsewhere,
	// they are nil and empty.
	ProjectID   *int64 `json:"project_id"`
	ProjectPath string `json:"project_path"`
}

// PackagePaths are the paths of a package, without the address of the instance.
type PackagePaths struct {
	// WebPath is the package's page in the web application. It may be empty for a hidden
	// package.
	WebPath string `json:"web_path"`
	// DeleteAPIPath is the path for deleting the package, empty if the caller may not
	// delete it.
	DeleteAPIPath string `json:"delete_api_path"`
}

// PackageTag is a name for a version of a package, as in npm.
type PackageTag struct {
	ID        int64     `json:"id"`
	PackageID int64     `json:"package_id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// PackageVersion is the short form of a [Package] in the other versions of it.
type PackageVersion struct {
	ID        int64         `json:"id"`
	Version   string        `json:"version"`
	CreatedAt time.Time     `json:"created_at"`
	Tags      []*PackageTag `json:"tags"`
	// Pipeline and Pipelines published the version. Pipeline is nil if no job did.
	//
	// Deprecated: in 16.1 and later, use [PackagesService.AllPipelines].
	Pipeline *PackagePipeline `json:"pipeline"`
	// Pipelines are empty in later releases.
	//
	// Deprecated: in 16.1 and later, use [PackagesService.AllPipelines].
	Pipelines []*PackagePipeline `json:"pipelines"`
}

// PackagePipeline is a pipeline that published a package.
type PackagePipeline struct {
	ID int64 `json:"id"`
	// IID and ProjectID are nil in responses of older releases.
	IID       *int64         `json:"iid"`
	ProjectID *int64         `json:"project_id"`
	Status    PipelineStatus `json:"status"`
	Ref       string         `json:"ref"`
	SHA       string         `json:"sha"`
	// Source is empty in responses of older releases.
	Source    PipelineSource `json:"source"`
	WebURL    string         `json:"web_url"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
	// User is the user who started the pipeline, nil if the account no longer exists. Some
	// releases send only the name and the avatar.
	User *UserSummary `json:"user"`
}

// PackageFile is a file of a package. [PackageFile.Verify] checks a download against it.
type PackageFile struct {
	ID        int64     `json:"id"`
	PackageID int64     `json:"package_id"`
	CreatedAt time.Time `json:"created_at"`
	FileName  string    `json:"file_name"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// FileMD5, FileSHA1 and FileSHA256 are checksums in hexadecimal, empty if they are
	// not known.
	FileMD5    string `json:"file_md5"`
	FileSHA1   string `json:"file_sha1"`
	FileSHA256 string `json:"file_sha256"`
	// Pipelines published the file.
	Pipelines []*PackagePipeline `json:"pipelines"`
}

// UploadedPackageFile describes an uploaded file as the service stored it.
type UploadedPackageFile struct {
	ID        int64     `json:"id"`
	PackageID int64     `json:"package_id"`
	FileName  string    `json:"file_name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// FileStore is an internal number for the place where the file is stored.
	FileStore int64 `json:"file_store"`
	// FileMD5, FileSHA1 and FileSHA256 are checksums in hexadecimal, empty if they are
	// not known.
	FileMD5    string `json:"file_md5"`
	FileSHA1   string `json:"file_sha1"`
	FileSHA256 string `json:"file_sha256"`
	// File has the address of the file, nil if the service does not send it.
	File *PackageFileURL `json:"file"`
	// Status is a string or a number, depending on the release. Older releases do not send
	// it.
	Status json.RawMessage `json:"status,omitzero"`
	// VerificationRetryAt and the following fields are the internal state of replication,
	// nil if there is none.
	VerificationRetryAt *time.Time `json:"verification_retry_at"`
	// VerifiedAt is nil if the file was not verified.
	VerifiedAt *time.Time `json:"verified_at"`
	// VerificationStartedAt is nil if the verification has not begun.
	VerificationStartedAt *time.Time `json:"verification_started_at"`
	// VerificationRetryCount is nil before the first attempt.
	VerificationRetryCount *int `json:"verification_retry_count"`
	// VerificationState is an internal number, nil if there is none.
	VerificationState *int `json:"verification_state"`
	// VerificationFailure, VerificationChecksum and NewFilePath are internal, too, and
	// mostly empty.
	VerificationFailure  string `json:"verification_failure"`
	VerificationChecksum string `json:"verification_checksum"`
	NewFilePath          string `json:"new_file_path"`
}

// PackageFileURL is the address of a file.
type PackageFileURL struct {
	// URL is where the instance keeps the file. [Client.URL] returns the address from which
	// everyone who may read the package downloads it.
	URL string `json:"url"`
}

// PackageType is the kind of a package.
type PackageType string

// Types of packages. The service may send others.
const (
	PackageTypeComposer        PackageType = "composer"
	PackageTypeConan           PackageType = "conan"
	PackageTypeGeneric         PackageType = "generic"
	PackageTypeGolang          PackageType = "golang"
	PackageTypeHelm            PackageType = "helm"
	PackageTypeMaven           PackageType = "maven"
	PackageTypeNPM             PackageType = "npm"
	PackageTypeNuGet           PackageType = "nuget"
	PackageTypePyPI            PackageType = "pypi"
	PackageTypeTerraformModule PackageType = "terraform_module"
)

// PackageStatus is the state of a package.
type PackageStatus string

// States of a package. The service may send others.
const (
	PackageStatusDefault PackageStatus = "default"
	// PackageStatusHidden packages are listed only if the options ask for them.
	PackageStatusHidden             PackageStatus = "hidden"
	PackageStatusProcessing         PackageStatus = "processing"
	PackageStatusError              PackageStatus = "error"
	PackageStatusPendingDestruction PackageStatus = "pending_destruction"
	// PackageStatusDeprecated exists in newer releases.
	PackageStatusDeprecated PackageStatus = "deprecated"
)

// PackageOrderBy is the order of a list of packages.
type PackageOrderBy string

// Orders of packages.
const (
	// PackageOrderByCreatedAt is the default.
	PackageOrderByCreatedAt PackageOrderBy = "created_at"
	PackageOrderByName      PackageOrderBy = "name"
	PackageOrderByVersion   PackageOrderBy = "version"
	PackageOrderByType      PackageOrderBy = "type"
	// PackageOrderByProjectPath works only for a group.
	PackageOrderByProjectPath PackageOrderBy = "project_path"
)

// PackageFileOrderBy is the order of a list of files.
type PackageFileOrderBy string

// Orders of files.
const (
	// PackageFileOrderByID is the default.
	PackageFileOrderByID        PackageFileOrderBy = "id"
	PackageFileOrderByCreatedAt PackageFileOrderBy = "created_at"
	PackageFileOrderByFileName  PackageFileOrderBy = "file_name"
)

// ListPackagesOptions selects packages. Empty fields do not filter.
type ListPackagesOptions struct {
	ListOptions
	// OrderBy is PackageOrderByCreatedAt if it is empty.
	OrderBy PackageOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending, which is the default, or SortDescending.
	Sort        Sort        `url:"sort,omitempty"`
	PackageType PackageType `url:"package_type,omitempty"`
	// PackageName selects names that contain this text, or are similar.
	PackageName string `url:"package_name,omitempty"`
	// PackageVersion is the exact version. Since 16.6.
	PackageVersion string `url:"package_version,omitempty"`
	// IncludeVersionless includes packages without a version.
	IncludeVersionless bool `url:"include_versionless,omitempty"`
	// Status selects one state. Empty means PackageStatusDefault, PackageStatusError and
	// PackageStatusDeprecated.
	Status PackageStatus `url:"status,omitempty"`
	// ExcludeSubgroups leaves out the packages of subgroups. Only for a [GroupRef].
	ExcludeSubgroups bool `url:"exclude_subgroups,omitempty" only:"group"`
}

// ListPackageFilesOptions orders the files of a package. Releases before about 17.x ignore
// the order.
type ListPackageFilesOptions struct {
	ListOptions
	// OrderBy is PackageFileOrderByID if it is empty.
	OrderBy PackageFileOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending, which is the default, or SortDescending.
	Sort Sort `url:"sort,omitempty"`
}

// GenericPackageFile names a file of a generic package. All fields are required.
type GenericPackageFile struct {
	// PackageName has letters, digits, periods, hyphens and underscores.
	PackageName string
	// PackageVersion is a version such as 1.10.3 or 2026-03-31.
	PackageVersion string
	// FileName has the characters of PackageName. In newer releases, it may be a path:
	// "linux/app".
	FileName string
}

// PublishGenericPackageOptions has the content of a file to publish.
type PublishGenericPackageOptions struct {
	// File is the content. It is required. Its Filename is not sent.
	File Upload `json:"-" url:"-" required:"true"`
	// Status sets the state of the whole package: PackageStatusDefault or
	// PackageStatusHidden. Empty leaves it unchanged.
	Status PackageStatus `url:"status,omitempty"`
}

// UploadModelOptions has the content of a file of a model.
type UploadModelOptions struct {
	// File is the content. It is required. Its Filename is not sent.
	File Upload `json:"-" url:"-" required:"true"`
	// Status is PackageStatusDefault or PackageStatusHidden. Empty leaves it unchanged.
	Status PackageStatus `url:"status,omitempty"`
}

// publishQuery is sent with the content. Without Select, the response has no checksum.
type publishQuery struct {
	PublishGenericPackageOptions
	Select string `url:"select"`
}
