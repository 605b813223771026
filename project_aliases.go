package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ProjectAliasesService manages other names of projects, which work in addresses of Git over SSH, and
// nowhere else. Premium, only on a self-managed instance. Administrators only.
//
// Its options are [CreateProjectAliasOptions] and [ListOptions]. See the example of
// [ProjectAliasesService.Create].
type ProjectAliasesService service

const oneProjectAlias = "/project_aliases/:name"

// List returns one page of the aliases.
//
//	GET /project_aliases
func (s *ProjectAliasesService) List(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*ProjectAlias, *Response, error) {
	return list[*ProjectAlias](ctx, using(s), Route("/project_aliases"), queryOf(options), opts)
}

// All returns every alias.
//
//	GET /project_aliases
func (s *ProjectAliasesService) All(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ProjectAlias, error] {
	return all[*ProjectAlias](ctx, using(s), Route("/project_aliases"), queryOf(options), opts)
}

// Get returns an alias.
//
//	GET /project_aliases/:name
func (s *ProjectAliasesService) Get(
	ctx context.Context, name string, opts ...RequestOption,
) (*ProjectAlias, *Response, error) {
	return do[ProjectAlias](ctx, using(s), http.MethodGet, Route(oneProjectAlias, name), nil, opts)
}

// Create gives a project an alias. The call returns [ErrBadRequest] for a name that is taken.
//
//	POST /project_aliases
func (s *ProjectAliasesService) Create(
	ctx context.Context, options CreateProjectAliasOptions, opts ...RequestOption,
) (*ProjectAlias, *Response, error) {
	return do[ProjectAlias](ctx, using(s), http.MethodPost, Route("/project_aliases"), jsonOf(options), opts)
}

// Delete removes an alias.
//
//	DELETE /project_aliases/:name
func (s *ProjectAliasesService) Delete(ctx context.Context, name string, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(oneProjectAlias, name), nil, opts)
}

// ProjectAlias is another name of a project.
type ProjectAlias struct {
	ID        int64 `json:"id"`
	ProjectID int64 `json:"project_id"`
	// Name is unique in the instance.
	Name string `json:"name"`
}

// CreateProjectAliasOptions describes an alias. Project and Name are required.
type CreateProjectAliasOptions struct {
	Project ProjectRef `json:"project_id" required:"true"`
	// Name has the form of the path of a project.
	Name string `json:"name" required:"true"`
}
