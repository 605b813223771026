package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// SecureFilesService manages the secure files of projects: files such as
// keystores and signing certificates, which CI jobs need but which do not
// belong in a repository.
//
// Before 15.7, they are behind the feature flag ci_secure_files, which is
// disabled by default on self-managed instances, and are not ready for
// production use. A project has at most 100 secure files, each smaller than 5
// MB.
//
// Its options are [CreateSecureFileOptions] and [ListOptions]. See the example
// SecureFilesAll in ci_test.go of [example.com/serviceapi/examples/recipes].
type SecureFilesService service

// SecureFile describes a secure file. [SecureFile.Verify] checks a download
// against it.
type SecureFile struct {
	ID int64 `json:"id"`
	// Name is unique in the project.
	Name string `json:"name"`
	// Checksum is the checksum of the content, in hexadecimal.
	Checksum string `json:"checksum"`
	// FileExtension is the end of Name after its last dot, empty if there is none. Only in later
	// releases.
	FileExtension string `json:"file_extension"`
	// ChecksumAlgorithm is how Checksum was computed.
	ChecksumAlgorithm ChecksumAlgorithm `json:"checksum_algorithm"`
	CreatedAt         time.Time         `json:"created_at"`
	// ExpiresAt is when the certificate in the file expires, nil if the service
	// cannot read the file. Since about 15.6.
	ExpiresAt *time.Time `json:"expires_at"`
	// Metadata describes the certificate in the file, nil if the service cannot
	// read the file. Since about 15.6.
	Metadata *SecureFileMetadata `json:"metadata"`
}

// SecureFileMetadata describes the certificate in a secure file.
type SecureFileMetadata struct {
	// ID is the identifier in the certificate.
	ID string `json:"id"`
	// Issuer is who signed the certificate, nil if the service does not say.
	Issuer *CertificateName `json:"issuer"`
	// Subject is the owner of the certificate, nil if the service does not say.
	Subject   *CertificateName `json:"subject"`
	ExpiresAt time.Time        `json:"expires_at"`
}

// CertificateName is the name of a certificate's issuer or subject. Parts that
// the certificate does not have are empty.
type CertificateName struct {
	Country            string `json:"C"`
	Organization       string `json:"O"`
	CommonName         string `json:"CN"`
	OrganizationalUnit string `json:"OU"`
	// UserID is set only for subjects.
	UserID string `json:"UID"`
}

// CreateSecureFileOptions describes a new secure file.
type CreateSecureFileOptions struct {
	// Name must be unique in the project. It is required.
	Name string `json:"name" required:"true"`
	// File is the content, smaller than 5 MB. It is required.
	File Upload `json:"-" url:"file" required:"true"`
}

// List returns one page of a project's secure files.
//
//	GET /projects/:project_id/secure_files
func (s *SecureFilesService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*SecureFile, *Response, error) {
	return list[*SecureFile](ctx, using(s),
		Route("/projects/:project_id/secure_files", project), queryOf(options), opts)
}

// All returns every secure file of a project.
//
//	GET /projects/:project_id/secure_files
func (s *SecureFilesService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*SecureFile, error] {
	return all[*SecureFile](ctx, using(s), Route("/projects/:project_id/secure_files", project), queryOf(options), opts)
}

// Get returns the description of one secure file.
//
//	GET /projects/:project_id/secure_files/:id
func (s *SecureFilesService) Get(
	ctx context.Context, project ProjectRef, fileID int64, opts ...RequestOption,
) (*SecureFile, *Response, error) {
	return do[SecureFile](ctx, using(s), http.MethodGet,
		Route("/projects/:project_id/secure_files/:id", project, fileID), nil, opts)
}

// Create uploads a secure file and returns its description. The content is
// streamed. The service refuses a name that is taken in the project, a file of
// 5 MB or more, and the 101st file of a project.
//
//	POST /projects/:project_id/secure_files
func (s *SecureFilesService) Create(
	ctx context.Context, project ProjectRef, options CreateSecureFileOptions, opts ...RequestOption,
) (*SecureFile, *Response, error) {
	return do[SecureFile](ctx, using(s), http.MethodPost,
		Route("/projects/:project_id/secure_files", project),
		multipartOf(options, "file", options.File), opts)
}

// Download returns the content of a secure file as a stream. To check it while
// it is read, pass it to [SecureFile.Verify] first.
//
//	GET /projects/:project_id/secure_files/:id/download
func (s *SecureFilesService) Download(
	ctx context.Context, project ProjectRef, fileID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	d, resp, err := stream(ctx, using(s), http.MethodGet,
		Route("/projects/:project_id/secure_files/:id/download", project, fileID).withoutHTML(), nil, opts)
	if d != nil {
		d.private = true
	}
	return d, resp, err
}

// Delete removes a secure file.
//
//	DELETE /projects/:project_id/secure_files/:id
func (s *SecureFilesService) Delete(
	ctx context.Context, project ProjectRef, fileID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:project_id/secure_files/:id", project, fileID), nil, opts)
}

// Verify makes a download end in a [*ChecksumError] instead of io.EOF if its
// content does not match the file's checksum. This applies to Read, WriteTo and
// SaveFile, which then leaves no file behind. What was read before the error
// must not be used. A download of undeclared length counts as complete if its
// checksum is right.
//
// Call Verify before anything is read. It returns an [*ArgumentError] if it
// cannot check the download because the library does not know the algorithm,
// the checksum is malformed, or the download is not at its beginning.
func (f *SecureFile) Verify(d *Download) error {
	return d.verify(f.ChecksumAlgorithm, f.Checksum)
}
