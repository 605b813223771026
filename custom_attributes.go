package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// CustomAttributesService manages custom attributes: keys and values that
// administrators attach to users, groups and projects, for their own programs. All
// calls require an administrator, and return [ErrForbidden] to everybody else.
//
//	client.CustomAttributes.All(ctx, serviceapi.UserID(7), nil)
//
// The lists of users, groups and projects can include them, and can be filtered by
// them: see [ListUsersOptions.CustomAttributes].
//
// Its options are [ListOptions] and [SetCustomAttributeOptions]. See the example of
// [CustomAttributesService.Set].
type CustomAttributesService service

// CustomAttributeOwner is an owner of custom attributes: a [UserRef], which must be an
// ID, a [GroupRef] or a [ProjectRef].
type CustomAttributeOwner interface{ hasCustomAttributes() }

func (UserRef) hasCustomAttributes()    {}
func (GroupRef) hasCustomAttributes()   {}
func (ProjectRef) hasCustomAttributes() {}

// attributesOf returns an endpoint below an owner of custom attributes.
func attributesOf(owner CustomAttributeOwner, suffix string, args ...any) Endpoint {
	suffix = "/custom_attributes" + suffix
	if user, ok := owner.(UserRef); ok {
		return Route("/users/:id"+suffix, append([]any{onlyID(user)}, args...)...)
	}
	return below(owner, suffix, args...)
}

// List returns the custom attributes of an owner. The service returns all of them at
// once.
//
//	GET /users/:id/custom_attributes
//	GET /groups/:id/custom_attributes
//	GET /projects/:id/custom_attributes
func (s *CustomAttributesService) List(
	ctx context.Context, owner CustomAttributeOwner, options *ListOptions, opts ...RequestOption,
) ([]*CustomAttribute, *Response, error) {
	return list[*CustomAttribute](ctx, using(s), attributesOf(owner, ""), queryOf(options), opts)
}

// All returns every custom attribute of an owner.
//
//	GET /users/:id/custom_attributes
//	GET /groups/:id/custom_attributes
//	GET /projects/:id/custom_attributes
func (s *CustomAttributesService) All(
	ctx context.Context, owner CustomAttributeOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*CustomAttribute, error] {
	return all[*CustomAttribute](ctx, using(s), attributesOf(owner, ""), queryOf(options), opts)
}

// Get returns a custom attribute by its key.
//
//	GET /users/:id/custom_attributes/:key
//	GET /groups/:id/custom_attributes/:key
//	GET /projects/:id/custom_attributes/:key
func (s *CustomAttributesService) Get(
	ctx context.Context, owner CustomAttributeOwner, key string, opts ...RequestOption,
) (*CustomAttribute, *Response, error) {
	return do[CustomAttribute](ctx, using(s), http.MethodGet, attributesOf(owner, "/:key", key), nil, opts)
}

// Set adds a custom attribute to an owner, or replaces the value of the attribute that
// has this key.
//
//	PUT /users/:id/custom_attributes/:key
//	PUT /groups/:id/custom_attributes/:key
//	PUT /projects/:id/custom_attributes/:key
func (s *CustomAttributesService) Set(
	ctx context.Context, owner CustomAttributeOwner, key string, options SetCustomAttributeOptions,
	opts ...RequestOption,
) (*CustomAttribute, *Response, error) {
	return do[CustomAttribute](ctx, using(s), http.MethodPut, attributesOf(owner, "/:key", key), jsonOf(options), opts)
}

// Delete removes a custom attribute from its owner.
//
//	DELETE /users/:id/custom_attributes/:key
//	DELETE /groups/:id/custom_attributes/:key
//	DELETE /projects/:id/custom_attributes/:key
func (s *CustomAttributesService) Delete(
	ctx context.Context, owner CustomAttributeOwner, key string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, attributesOf(owner, "/:key", key), nil, opts)
}

// CustomAttribute is a key with a value.
type CustomAttribute struct {
	// Key is unique among the attributes of an owner.
	Key   string `json:"key"`
	Value string `json:"value"`
}

// SetCustomAttributeOptions is the value of a custom attribute.
type SetCustomAttributeOptions struct {
	// Value is required: the service refuses an empty value.
	Value string `json:"value" required:"true"`
}
