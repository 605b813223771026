package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ProjectsService finds projects. What belongs to a project has services of its
// own, such as [JobsService]. [ProjectImportService] creates projects.
type ProjectsService service

// ProjectOrder is an order of a list of projects.
type ProjectOrder string

// ProjectsByID is the order that keyset pagination requires.
const ProjectsByID ProjectOrder = "id"

// ListProjectsOptions selects projects.
type ListProjectsOptions struct {
	ListOptions
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] is faster
	// for long lists; it requires OrderBy [ProjectsByID] and a Sort in either
	// direction, and works with and without a credential.
	Pagination Pagination `url:"pagination,omitempty"`
	// OrderBy is the column to order by.
	OrderBy ProjectOrder `url:"order_by,omitempty"`
	// Sort is [SortAscending] or [SortDescending].
	Sort SortDirection `url:"sort,omitempty"`
	// RepositoryStorage selects the projects whose repository is on this storage.
	// After a move with [StorageMovesService.MoveProjects] none should be left.
	RepositoryStorage string `url:"repository_storage,omitempty"`
}

// List returns one page of the projects that the caller may see.
//
// GET /projects
func (s *ProjectsService) List(ctx context.Context, options *ListProjectsOptions, opts ...RequestOption) ([]*Project, *Response, error) {
	return list[*Project](ctx, s.client, Route("/projects"), queryOf(options), opts)
}

// All returns every project that the caller may see.
//
// GET /projects
func (s *ProjectsService) All(ctx context.Context, options *ListProjectsOptions, opts ...RequestOption) iter.Seq2[*Project, error] {
	return all[*Project](ctx, s.client, Route("/projects"), queryOf(options), opts)
}

// Get returns one project. Public projects need no credential. The call returns
// [ErrNotFound] for a project that the caller may not see.
//
// GET /projects/:id
func (s *ProjectsService) Get(ctx context.Context, project ProjectRef, opts ...RequestOption) (*Project, *Response, error) {
	return do[Project](ctx, s.client, http.MethodGet, Route("/projects/:id", project), nil, opts)
}
