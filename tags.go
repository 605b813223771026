package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// TagsService manages the tags of a repository. Reading needs no credential if
// the repository is public; writing requires the Developer role.
//
// Its options are [CreateTagOptions] and [ListTagsOptions]. See the example TagsCreate in
// pipelines_test.go of [example.com/serviceapi/examples/recipes].
type TagsService service

// Tag is a tag of a repository.
type Tag struct {
	Name string `json:"name"`
	// Message is empty for a lightweight tag.
	Message string `json:"message"`
	// Target is the hash of the tag object for an annotated tag, and of the commit
	// for a lightweight one.
	Target string `json:"target"`
	// Commit is nil if the tag does not refer to a commit.
	Commit *Commit `json:"commit"`
	// Release is nil if there is no release for the tag.
	Release   *TagRelease `json:"release"`
	Protected bool        `json:"protected"`
	// CreatedAt is nil for a lightweight tag. Since 16.11.
	CreatedAt *time.Time `json:"created_at"`
}

// TagRelease is the release of a tag.
type TagRelease struct {
	TagName string `json:"tag_name"`
	// Description is in Markdown.
	Description string `json:"description"`
}

// TagOrderBy is the order of a list of tags.
type TagOrderBy string

// Orders of tags.
const (
	// TagOrderByUpdated is the default.
	TagOrderByUpdated TagOrderBy = "updated"
	TagOrderByName    TagOrderBy = "name"
	// TagOrderByVersion orders by version numbers, so that v1.10 is newer than
	// v1.9. Since 15.4.
	TagOrderByVersion TagOrderBy = "version"
)

// ListTagsOptions selects tags. Empty fields do not filter.
type ListTagsOptions struct {
	ListOptions
	// OrderBy is TagOrderByUpdated if it is empty.
	OrderBy TagOrderBy `url:"order_by,omitempty"`
	// Sort is SortAscending or SortDescending, which is the default.
	Sort Sort `url:"sort,omitempty"`
	// Search selects the tags whose name contains this string. "^v1" matches at
	// the beginning of a name, "rc$" at its end.
	Search string `url:"search,omitempty"`
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] continues
	// after the name of the last tag. If that tag is deleted in the meantime, the
	// call for the next page returns [ErrUnprocessable].
	Pagination Pagination `url:"pagination,omitempty"`
}

// CreateTagOptions describes a new tag. TagName and Ref are required.
type CreateTagOptions struct {
	TagName string `json:"tag_name" required:"true"`
	// Ref is the hash of a commit, or the name of a branch or of another tag.
	Ref string `json:"ref" required:"true"`
	// Message is the message of an annotated tag. Nil creates a lightweight tag.
	Message *string `json:"message,omitzero"`
}

// List returns one page of a repository's tags, the most recently updated first by default.
//
//	GET /projects/:id/repository/tags
func (s *TagsService) List(
	ctx context.Context, project ProjectRef, options *ListTagsOptions, opts ...RequestOption,
) ([]*Tag, *Response, error) {
	return list[*Tag](ctx, using(s), Route("/projects/:id/repository/tags", project), queryOf(options), opts)
}

// All returns every tag of a repository, the most recently updated first by default.
//
//	GET /projects/:id/repository/tags
func (s *TagsService) All(
	ctx context.Context, project ProjectRef, options *ListTagsOptions, opts ...RequestOption,
) iter.Seq2[*Tag, error] {
	return all[*Tag](ctx, using(s), Route("/projects/:id/repository/tags", project), queryOf(options), opts)
}

// Get returns one tag.
//
//	GET /projects/:id/repository/tags/:tag_name
func (s *TagsService) Get(
	ctx context.Context, project ProjectRef, tagName string, opts ...RequestOption,
) (*Tag, *Response, error) {
	return do[Tag](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/tags/:tag_name", project, tagName), nil, opts)
}

// Create creates a tag and returns it. [ErrBadRequest] means that a tag with
// this name already exists, or that the name or the ref is invalid; some
// releases send [ErrMethodNotAllowed] instead. [ErrForbidden] means that the tag
// is protected and the caller may not create it.
//
//	POST /projects/:id/repository/tags
func (s *TagsService) Create(
	ctx context.Context, project ProjectRef, options CreateTagOptions, opts ...RequestOption,
) (*Tag, *Response, error) {
	return do[Tag](ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/tags", project), jsonOf(options), opts)
}

// Delete deletes a tag. The call returns a [*ProtectedRefError] if the service
// says that the tag is protected, and [ErrPreconditionFailed] if the tag has
// changed since the time of an If-Unmodified-Since header.
//
//	DELETE /projects/:id/repository/tags/:tag_name
func (s *TagsService) Delete(
	ctx context.Context, project ProjectRef, tagName string, opts ...RequestOption,
) (*Response, error) {
	resp, err := exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/repository/tags/:tag_name", project, tagName), nil, opts)
	return resp, protectedRef(tagName, err)
}

// GetSignature returns the signature of a tag. [ErrNotFound] means that the tag is not
// signed, or that there is no such tag. Since 15.7.
//
//	GET /projects/:id/repository/tags/:tag_name/signature
func (s *TagsService) GetSignature(
	ctx context.Context, project ProjectRef, tagName string, opts ...RequestOption,
) (*TagSignature, *Response, error) {
	return do[TagSignature](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/tags/:tag_name/signature", project, tagName), nil, opts)
}

// TagSignature is the signature of a tag.
type TagSignature struct {
	SignatureType SignatureType `json:"signature_type"`
	// VerificationStatus and X509Certificate are empty unless the type is SignatureTypeX509.
	VerificationStatus SignatureStatus  `json:"verification_status"`
	X509Certificate    *X509Certificate `json:"x509_certificate"`
}
