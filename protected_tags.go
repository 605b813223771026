package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ProtectedTagsService protects the tags of projects: it says who may create them. Nobody
// may delete a protected tag. Calls require the Maintainer role.
//
// A name may have wildcards: "v*" protects every tag whose name begins with "v". Calls
// identify a protection by its own name, not by that of a tag. There is no call that
// changes a protection: delete it, and create another.
//
// Its options are [CreateProtectedTagOptions] and [ListOptions]. See the example Protect
// in protection_test.go of [example.com/serviceapi/examples/recipes].
type ProtectedTagsService service

// ProtectedTag is the protection of a tag, or of the tags that a name with wildcards matches.
type ProtectedTag struct {
	Name string `json:"name"`
	// CreateAccessLevels say who may create the tag, and a release that needs the tag.
	CreateAccessLevels []*ProtectionLevel `json:"create_access_levels"`
}

// CreateProtectedTagOptions protects a tag. Name is required. If neither CreateAccessLevel nor
// AllowedToCreate is set, maintainers are allowed; if both are, both count.
type CreateProtectedTagOptions struct {
	// Name may have wildcards, as in "v*". A tag with this name need not exist.
	Name string `json:"name" required:"true"`
	// CreateAccessLevel is the lowest role that may create the tag: [AccessLevelNone],
	// [AccessLevelDeveloper], [AccessLevelMaintainer] or [AccessLevelAdmin].
	CreateAccessLevel *AccessLevel `json:"create_access_level,omitzero"`
	// AllowedToCreate allows roles, users, groups and deploy keys. Premium.
	AllowedToCreate []NewProtectionLevel `json:"allowed_to_create,omitzero"`
}

func (o CreateProtectedTagOptions) check() error {
	return forSomebody("AllowedToCreate", o.AllowedToCreate)
}

// List returns one page of the protected tags of a project.
//
//	GET /projects/:id/protected_tags
func (s *ProtectedTagsService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*ProtectedTag, *Response, error) {
	return list[*ProtectedTag](ctx, using(s), Route("/projects/:id/protected_tags", project), queryOf(options), opts)
}

// All returns every protected tag of a project.
//
//	GET /projects/:id/protected_tags
func (s *ProtectedTagsService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ProtectedTag, error] {
	return all[*ProtectedTag](ctx, using(s), Route("/projects/:id/protected_tags", project), queryOf(options), opts)
}

// Get returns the protection with exactly this name or wildcard.
//
//	GET /projects/:id/protected_tags/:name
func (s *ProtectedTagsService) Get(
	ctx context.Context, project ProjectRef, name string, opts ...RequestOption,
) (*ProtectedTag, *Response, error) {
	return do[ProtectedTag](ctx, using(s), http.MethodGet,
		Route("/projects/:id/protected_tags/:name", project, name), nil, opts)
}

// Create protects a tag. The call returns [ErrUnprocessable] if there is already a
// protection with this name, and for a user, a group or a key without access to the
// project.
//
//	POST /projects/:id/protected_tags
func (s *ProtectedTagsService) Create(
	ctx context.Context, project ProjectRef, options CreateProtectedTagOptions, opts ...RequestOption,
) (*ProtectedTag, *Response, error) {
	return do[ProtectedTag](ctx, using(s), http.MethodPost,
		Route("/projects/:id/protected_tags", project), jsonOf(options), opts)
}

// Delete removes a protection. The tags stay.
//
//	DELETE /projects/:id/protected_tags/:name
func (s *ProtectedTagsService) Delete(
	ctx context.Context, project ProjectRef, name string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/protected_tags/:name", project, name), nil, opts)
}
