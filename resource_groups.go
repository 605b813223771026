package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// ResourceGroupsService manages the resource groups of projects. Of the jobs that name a
// group, only one runs at a time, such as one deployment. A group appears with the first job
// that names it. All methods require the Developer role.
//
//	client.ResourceGroups.Update(ctx, project, "production",
//		serviceapi.UpdateResourceGroupOptions{
//			ProcessMode: new(serviceapi.ResourceGroupProcessModeOldestFirst),
//		})
//
// Its options are [ListOptions] and [UpdateResourceGroupOptions]. See the example of
// [ResourceGroupsService.CurrentJob].
type ResourceGroupsService service

// ResourceGroup is a name that jobs share of which only one runs at a time.
type ResourceGroup struct {
	ID int64 `json:"id"`
	// Key is what jobs call it. It may contain slashes.
	Key         string                   `json:"key"`
	ProcessMode ResourceGroupProcessMode `json:"process_mode"`
	CreatedAt   time.Time                `json:"created_at"`
	UpdatedAt   time.Time                `json:"updated_at"`
}

// UpdateResourceGroupOptions changes a resource group.
type UpdateResourceGroupOptions struct {
	// ProcessMode says which job is next. Nil leaves it unchanged.
	ProcessMode *ResourceGroupProcessMode `json:"process_mode,omitzero"`
}

// List returns one page of the resource groups of a project, by ID.
//
//	GET /projects/:id/resource_groups
func (s *ResourceGroupsService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*ResourceGroup, *Response, error) {
	return list[*ResourceGroup](ctx, using(s), Route("/projects/:id/resource_groups", project), queryOf(options), opts)
}

// All returns every resource group of a project, by ID.
//
//	GET /projects/:id/resource_groups
func (s *ResourceGroupsService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ResourceGroup, error] {
	return all[*ResourceGroup](ctx, using(s), Route("/projects/:id/resource_groups", project), queryOf(options), opts)
}

// Get returns a resource group.
//
//	GET /projects/:id/resource_groups/:key
func (s *ResourceGroupsService) Get(
	ctx context.Context, project ProjectRef, key string, opts ...RequestOption,
) (*ResourceGroup, *Response, error) {
	return do[ResourceGroup](ctx, using(s), http.MethodGet,
		Route("/projects/:id/resource_groups/:key", project, key), nil, opts)
}

// Update changes the order in which jobs get a resource group. The job that has it keeps it.
//
//	PUT /projects/:id/resource_groups/:key
func (s *ResourceGroupsService) Update(
	ctx context.Context, project ProjectRef, key string, options UpdateResourceGroupOptions, opts ...RequestOption,
) (*ResourceGroup, *Response, error) {
	return do[ResourceGroup](ctx, using(s), http.MethodPut,
		Route("/projects/:id/resource_groups/:key", project, key), jsonOf(options), opts)
}

// CurrentJob returns the job that has a resource group, nil without an error if none has it.
// The job has no artifacts, runner and tags. It requires the right to see jobs. Since 18.6.
//
//	GET /projects/:id/resource_groups/:key/current_job
func (s *ResourceGroupsService) CurrentJob(
	ctx context.Context, project ProjectRef, key string, opts ...RequestOption,
) (*Job, *Response, error) {
	return orNone(do[Job](ctx, using(s), http.MethodGet,
		Route("/projects/:id/resource_groups/:key/current_job", project, key), nil, opts))
}

// ListUpcomingJobs returns one page of the jobs that will get a resource group, the next one
// first: with [ResourceGroupProcessModeOldestFirst] and [ResourceGroupProcessModeNewestFirst]
// also those that have not been started, with the others only those that wait. The jobs have
// no artifacts, runner and tags. It requires the right to see jobs. Since about 15.5.
//
//	GET /projects/:id/resource_groups/:key/upcoming_jobs
func (s *ResourceGroupsService) ListUpcomingJobs(
	ctx context.Context, project ProjectRef, key string, options *ListOptions, opts ...RequestOption,
) ([]*Job, *Response, error) {
	return list[*Job](ctx, using(s),
		Route("/projects/:id/resource_groups/:key/upcoming_jobs", project, key), queryOf(options), opts)
}

// AllUpcomingJobs returns every job that will get a resource group. See
// [ResourceGroupsService.ListUpcomingJobs].
//
//	GET /projects/:id/resource_groups/:key/upcoming_jobs
func (s *ResourceGroupsService) AllUpcomingJobs(
	ctx context.Context, project ProjectRef, key string, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Job, error] {
	return all[*Job](ctx, using(s),
		Route("/projects/:id/resource_groups/:key/upcoming_jobs", project, key), queryOf(options), opts)
}
