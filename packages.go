package serviceapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync"
)

// PackagesService lists and deletes packages of all types, and publishes and downloads
// generic packages, which are files under a name and a version.
//
// Reading needs no credential if the project is public. Publishing requires the
// Developer role, and deleting the Maintainer role (before about 15.x, Developer). Job
// tokens are accepted since 15.3. If packages are turned off in a project, calls return
// [ErrForbidden].
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
	return list[*Package](ctx, s.client, below(owner, "/packages"), queryFor(owner, options), opts)
}

// All returns every package of a project, or of the projects in a group. See
// [PackagesService.List].
//
//	GET /projects/:id/packages
//	GET /groups/:id/packages
func (s *PackagesService) All(
	ctx context.Context, owner PackageOwner, options *ListPackagesOptions, opts ...RequestOption,
) iter.Seq2[*Package, error] {
	return all[*Package](ctx, s.client, below(owner, "/packages"), queryFor(owner, options), opts)
}

// Get returns a package with the other versions of its name. The call returns
// [ErrNotFound] for packages that are neither PackageStatusDefault nor
// PackageStatusDeprecated.
//
//	GET /projects/:id/packages/:package_id
func (s *PackagesService) Get(
	ctx context.Context, project ProjectRef, packageID int64, opts ...RequestOption,
) (*Package, *Response, error) {
	return do[Package](ctx, s.client, http.MethodGet, Route(packagePath, project, packageID), nil, opts)
}

// Delete deletes a package with its files. The call returns [ErrPreconditionFailed] if
// the package has changed since the time of an If-Unmodified-Since header.
//
//	DELETE /projects/:id/packages/:package_id
func (s *PackagesService) Delete(
	ctx context.Context, project ProjectRef, packageID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, Route(packagePath, project, packageID), nil, opts)
}

// ListFiles returns one page of the files of a package. There may be several of one
// name; the newest of them is the one that is downloaded.
//
//	GET /projects/:id/packages/:package_id/package_files
func (s *PackagesService) ListFiles(
	ctx context.Context, project ProjectRef, packageID int64, options *ListPackageFilesOptions, opts ...RequestOption,
) ([]*PackageFile, *Response, error) {
	return list[*PackageFile](ctx, s.client, Route(packageFilesPath, project, packageID), queryOf(options), opts)
}

// AllFiles returns every file of a package. See [PackagesService.ListFiles].
//
//	GET /projects/:id/packages/:package_id/package_files
func (s *PackagesService) AllFiles(
	ctx context.Context, project ProjectRef, packageID int64, options *ListPackageFilesOptions, opts ...RequestOption,
) iter.Seq2[*PackageFile, error] {
	return all[*PackageFile](ctx, s.client, Route(packageFilesPath, project, packageID), queryOf(options), opts)
}

// DeleteFile deletes a file of a package. The package stays, even without files.
//
//	DELETE /projects/:id/packages/:package_id/package_files/:package_file_id
func (s *PackagesService) DeleteFile(
	ctx context.Context, project ProjectRef, packageID, packageFileID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
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
	return list[*PackagePipeline](ctx, s.client,
		Route(packagePath+"/pipelines", project, packageID), queryOf(options), opts)
}

// AllPipelines returns every pipeline that published a package, newest first. Since
// 16.1.
//
//	GET /projects/:id/packages/:package_id/pipelines
func (s *PackagesService) AllPipelines(
	ctx context.Context, project ProjectRef, packageID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*PackagePipeline, error] {
	return all[*PackagePipeline](ctx, s.client,
		Route(packagePath+"/pipelines", project, packageID), queryOf(options), opts)
}

// PublishGeneric uploads a file of a generic package, and makes the package if there is
// none. The content is streamed; its size should be known, from a Content that can seek
// or from Upload.Size. The call is not repeated after an error: a second upload of the
// name adds a second file, of which the newest is downloaded. The call returns
// [ErrBadRequest] for a name that the service refuses, for a file that is too large, and
// for a second file of a name if the group does not allow that.
//
// If the service says another SHA-256 checksum than what was sent has, the call returns
// a [*ChecksumError] and also the file, which can then be deleted.
//
//	PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name
func (s *PackagesService) PublishGeneric(
	ctx context.Context, project ProjectRef, file GenericPackageFile,
	options PublishGenericPackageOptions, opts ...RequestOption,
) (*UploadedPackageFile, *Response, error) {
	query := publishQuery{Status: options.Status, Select: "package_file"}
	sent := countSum(&options.File)
	return sent.compared(do[UploadedPackageFile](ctx, s.client, http.MethodPut, file.in(project).notRepeatable(),
		queryAndBody{queryOf(&query), uploadInput{options.File}}, opts))
}

// DownloadGeneric returns a file of a generic package as a stream, the newest if there
// are several of the name. If the service says its SHA-256 checksum and the stream is
// read from its beginning, the stream ends in a [*ChecksumError] instead of io.EOF if
// its content has another one. See also [PackageFile.Verify].
//
//	GET /projects/:id/packages/generic/:package_name/:package_version/:file_name
func (s *PackagesService) DownloadGeneric(
	ctx context.Context, project ProjectRef, file GenericPackageFile, opts ...RequestOption,
) (*Download, *Response, error) {
	d, resp, err := stream(ctx, s.client, http.MethodGet, file.in(project).withoutHTML(), nil, opts)
	if d != nil {
		if sum := resp.Header.Get("X-Checksum-SHA256"); sum != "" {
			_ = d.verify(ChecksumAlgorithmSHA256, sum) // what cannot be verified is read as it comes
		}
	}
	return d, resp, err
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

// sentSum is the checksum of the bytes that were read of an upload.
type sentSum struct {
	content io.Reader
	mu      sync.Mutex // a Read that was abandoned may still be in progress
	hash    hash.Hash
}

// seekableSum is the same for content that can be sent again.
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

// Seek begins anew: content is always sent from where it began.
func (s seekableSum) Seek(offset int64, whence int) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hash.Reset()
	return s.seeker.Seek(offset, whence)
}

// compared reports a file that did not arrive as it was sent.
func (s *sentSum) compared(
	file *UploadedPackageFile, resp *Response, err error,
) (*UploadedPackageFile, *Response, error) {
	if err != nil || file.FileSHA256 == "" {
		return file, resp, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if actual := hex.EncodeToString(s.hash.Sum(nil)); !strings.EqualFold(actual, file.FileSHA256) {
		return file, resp, &ChecksumError{ChecksumAlgorithmSHA256, actual, file.FileSHA256}
	}
	return file, resp, nil
}
