package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// UploadsService manages the files that are shown in texts of a project or a group: the pictures
// and attachments of issues, epics, comments and so on. [UploadsService.Create] returns the
// Markdown that shows the file. Files of groups are uploaded only on pages of the service.
//
// Its options are [CreateUploadOptions] and [ListOptions]. See recipe 19 of
// docs/cookbook.md, the example ReportWithPicture of
// [example.com/serviceapi/examples/recipes].
type UploadsService service

// UploadOwner is an owner of files: a [ProjectRef] or a [GroupRef].
type UploadOwner interface{ hasUploads() }

func (ProjectRef) hasUploads() {}
func (GroupRef) hasUploads()   {}

const (
	uploadByID     = "/uploads/:upload_id"
	uploadBySecret = "/uploads/:secret/:filename"
)

// Create uploads a file. The file is shown wherever a text of the project contains
// [MarkdownUpload.Markdown] or a link to it. Characters of the name other than ASCII
// letters, digits, ".", "_" and "-" become "_". The content is streamed. For a file that
// exceeds the limit of the instance, the call returns an error with the status 413.
//
//	POST /projects/:id/uploads
func (s *UploadsService) Create(
	ctx context.Context, project ProjectRef, options CreateUploadOptions, opts ...RequestOption,
) (*MarkdownUpload, *Response, error) {
	return do[MarkdownUpload](ctx, using(s), http.MethodPost,
		Route("/projects/:id/uploads", project), multipartOf(options, "file", options.File), opts)
}

// List returns one page of the files of an owner, the newest first. It requires the
// Maintainer role. Since 17.2.
//
//	GET /projects/:id/uploads
//	GET /groups/:id/uploads
func (s *UploadsService) List(
	ctx context.Context, owner UploadOwner, options *ListOptions, opts ...RequestOption,
) ([]*MarkdownUploadEntry, *Response, error) {
	return list[*MarkdownUploadEntry](ctx, using(s), below(owner, "/uploads"), queryOf(options), opts)
}

// All returns the files of an owner, the newest first. It requires the Maintainer role.
// Since 17.2.
//
//	GET /projects/:id/uploads
//	GET /groups/:id/uploads
func (s *UploadsService) All(
	ctx context.Context, owner UploadOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MarkdownUploadEntry, error] {
	return all[*MarkdownUploadEntry](ctx, using(s),
		below(owner, "/uploads"), queryOf(options), opts)
}

// Download returns the content of a file as a stream. It requires the Maintainer role.
// Since 17.2.
//
//	GET /projects/:id/uploads/:upload_id
//	GET /groups/:id/uploads/:upload_id
func (s *UploadsService) Download(
	ctx context.Context, owner UploadOwner, uploadID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet, below(owner, uploadByID, uploadID), nil, opts)
}

// DownloadFile returns the content of the file that a text refers to, as a stream. It
// requires the Guest role. Since 17.4.
//
//	GET /projects/:id/uploads/:secret/:filename
//	GET /groups/:id/uploads/:secret/:filename
func (s *UploadsService) DownloadFile(
	ctx context.Context, owner UploadOwner, file UploadedFile, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		below(owner, uploadBySecret, file.Secret, file.Filename), nil, opts)
}

// Delete deletes a file. The texts that show it stay as they are. It requires the
// Maintainer role. Since 17.2.
//
//	DELETE /projects/:id/uploads/:upload_id
//	DELETE /groups/:id/uploads/:upload_id
func (s *UploadsService) Delete(
	ctx context.Context, owner UploadOwner, uploadID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, uploadByID, uploadID), nil, opts)
}

// DeleteFile deletes the file that a text refers to. It requires the Maintainer role. Since
// 17.4.
//
//	DELETE /projects/:id/uploads/:secret/:filename
//	DELETE /groups/:id/uploads/:secret/:filename
func (s *UploadsService) DeleteFile(
	ctx context.Context, owner UploadOwner, file UploadedFile, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		below(owner, uploadBySecret, file.Secret, file.Filename), nil, opts)
}

// CreateUploadOptions describes a new file.
type CreateUploadOptions struct {
	// File is the content. It is required.
	File Upload `json:"-" url:"file" required:"true"`
}

// UploadedFile identifies a file as the texts of a project or a group do. [ParseUploadedFile] and
// [MarkdownUpload.File] return one.
type UploadedFile struct {
	// Secret is 32 hexadecimal digits. Whoever may read the project and knows them may
	// read the file.
	Secret string
	// Filename is the name of the file, as in [MarkdownUpload.URL].
	Filename string
}

// ParseUploadedFile returns the file that is identified by an address such as
// "/uploads/66dbcd21ec5d24ed6ea225176098d52b/screenshot.png", which may have anything
// before it. It returns an [*ArgumentError] for anything else.
func ParseUploadedFile(address string) (UploadedFile, error) {
	at := strings.LastIndex(address, "/uploads/")
	if at >= 0 {
		secret, name, _ := strings.Cut(address[at+len("/uploads/"):], "/")
		name, err := url.PathUnescape(name)
		if err == nil && secret != "" && name != "" && !strings.Contains(name, "/") {
			return UploadedFile{secret, name}, nil
		}
	}
	return UploadedFile{}, badArgument("address", "is not that of a file, /uploads/secret/filename")
}

// MarkdownUpload is a file that was just uploaded.
type MarkdownUpload struct {
	// ID is nil before 17.3.
	ID *int64 `json:"id"`
	// Alt is the name of the file, or for a picture the name without its suffix.
	Alt string `json:"alt"`
	// URL is "/uploads/" with a secret and the name of the file. It works only in texts of
	// the project.
	URL string `json:"url"`
	// FullPath is the path below the address of the instance.
	FullPath string `json:"full_path"`
	// Markdown shows a picture or a video, and links to other files. Insert it into a
	// description or a comment.
	Markdown string `json:"markdown"`
}

// File identifies the file by its address.
func (u *MarkdownUpload) File() (UploadedFile, error) { return ParseUploadedFile(orZero(u).URL) }

// MarkdownUploadEntry is an uploaded file, as lists return it.
type MarkdownUploadEntry struct {
	ID int64 `json:"id"`
	// Size is in bytes.
	Size      int64     `json:"size"`
	Filename  string    `json:"filename"`
	CreatedAt time.Time `json:"created_at"`
	// UploadedBy is nil if the user is unknown.
	UploadedBy *Uploader `json:"uploaded_by"`
}

// Uploader is the user who uploaded a file.
type Uploader struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Username string `json:"username"`
	// PublicEmail is empty unless the user has made an address public. Since about 17.2.
	PublicEmail string `json:"public_email"`
}
