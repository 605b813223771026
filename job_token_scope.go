package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// JobTokenScopeService manages which other projects may reach a project with the tokens of
// their CI jobs. All calls require the Maintainer role. The calls exist since about 15.9,
// and those for groups since 17.0.
//
// Its options are [AddAllowedGroupOptions], [AddAllowedProjectOptions], [ListOptions] and
// [UpdateJobTokenScopeOptions]. See the example of [JobTokenScopeService.AddProject].
type JobTokenScopeService service

const (
	jobTokenScope   = "/projects/:id/job_token_scope"
	allowedProjects = jobTokenScope + "/allowlist"
	allowedGroups   = jobTokenScope + "/groups_allowlist"
)

// Get reports whether access to a project with job tokens is limited.
//
//	GET /projects/:id/job_token_scope
func (s *JobTokenScopeService) Get(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*JobTokenScope, *Response, error) {
	return do[JobTokenScope](ctx, using(s), http.MethodGet, Route(jobTokenScope, project), nil, opts)
}

// Update limits access to the allowed projects and groups, or removes the limit. Since
// about 16.1.
//
//	PATCH /projects/:id/job_token_scope
func (s *JobTokenScopeService) Update(
	ctx context.Context, project ProjectRef, options UpdateJobTokenScopeOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPatch, Route(jobTokenScope, project), jsonOf(options), opts)
}

// ListProjects returns one page of the projects that may reach this one. Only some of their
// fields are set.
//
//	GET /projects/:id/job_token_scope/allowlist
func (s *JobTokenScopeService) ListProjects(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, using(s), Route(allowedProjects, project), queryOf(options), opts)
}

// AllProjects returns every project that may reach this one. Only some of their fields are
// set.
//
//	GET /projects/:id/job_token_scope/allowlist
func (s *JobTokenScopeService) AllProjects(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, using(s), Route(allowedProjects, project), queryOf(options), opts)
}

// AddProject lets another project reach this one. The call returns [ErrUnprocessable] if
// that project may already reach this one, and [ErrNotFound] if the caller cannot see it.
//
//	POST /projects/:id/job_token_scope/allowlist
func (s *JobTokenScopeService) AddProject(
	ctx context.Context, project ProjectRef, options AddAllowedProjectOptions, opts ...RequestOption,
) (*AllowedProject, *Response, error) {
	return do[AllowedProject](ctx, using(s), http.MethodPost, Route(allowedProjects, project), jsonOf(options), opts)
}

// RemoveProject removes another project from those that may reach this one.
//
//	DELETE /projects/:id/job_token_scope/allowlist/:target_project_id
func (s *JobTokenScopeService) RemoveProject(
	ctx context.Context, project, target ProjectRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(allowedProjects+"/:target_project_id", project, onlyID(target)), nil, opts)
}

// ListGroups returns one page of the groups whose projects may reach this one.
//
//	GET /projects/:id/job_token_scope/groups_allowlist
func (s *JobTokenScopeService) ListGroups(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, using(s), Route(allowedGroups, project), queryOf(options), opts)
}

// AllGroups returns every group whose projects may reach this one.
//
//	GET /projects/:id/job_token_scope/groups_allowlist
func (s *JobTokenScopeService) AllGroups(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, using(s), Route(allowedGroups, project), queryOf(options), opts)
}

// AddGroup lets the projects of a group reach this one. The call returns [ErrUnprocessable] if
// they may already reach it, and [ErrNotFound] if the caller cannot see the group.
//
//	POST /projects/:id/job_token_scope/groups_allowlist
func (s *JobTokenScopeService) AddGroup(
	ctx context.Context, project ProjectRef, options AddAllowedGroupOptions, opts ...RequestOption,
) (*AllowedGroup, *Response, error) {
	return do[AllowedGroup](ctx, using(s), http.MethodPost, Route(allowedGroups, project), jsonOf(options), opts)
}

// RemoveGroup removes a group from those whose projects may reach this one.
//
//	DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id
func (s *JobTokenScopeService) RemoveGroup(
	ctx context.Context, project ProjectRef, target GroupRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(allowedGroups+"/:target_group_id", project, onlyID(target)), nil, opts)
}

// JobTokenScope says how access with the tokens of CI jobs is limited.
type JobTokenScope struct {
	// InboundEnabled reports whether only the allowed projects and groups, and the project
	// itself, may reach the project with job tokens.
	InboundEnabled bool `json:"inbound_enabled"`
	// OutboundEnabled reports whether the job tokens of the project may reach only some other
	// projects. It is nil since 18.0, which has no such limit.
	OutboundEnabled *bool `json:"outbound_enabled"`
}

// UpdateJobTokenScopeOptions says whether to limit access.
type UpdateJobTokenScopeOptions struct {
	// Enabled is the new value of [JobTokenScope.InboundEnabled].
	Enabled bool `json:"enabled"`
}

// AddAllowedProjectOptions names a project that may reach another one. TargetProjectID is
// required.
type AddAllowedProjectOptions struct {
	TargetProjectID int64 `json:"target_project_id" required:"true"`
}

// AllowedProject is an entry in the list of projects that may reach another one.
type AllowedProject struct {
	// SourceProjectID is the ID of the project that may be reached, and TargetProjectID the ID
	// of the project whose jobs may reach it.
	SourceProjectID int64 `json:"source_project_id"`
	TargetProjectID int64 `json:"target_project_id"`
}

// AddAllowedGroupOptions names a group whose projects may reach a project. TargetGroupID is
// required.
type AddAllowedGroupOptions struct {
	TargetGroupID int64 `json:"target_group_id" required:"true"`
}

// AllowedGroup is an entry in the list of groups whose projects may reach another project.
type AllowedGroup struct {
	// SourceProjectID is the ID of the project that may be reached, and TargetGroupID the ID
	// of the group whose jobs may reach it.
	SourceProjectID int64 `json:"source_project_id"`
	TargetGroupID   int64 `json:"target_group_id"`
}
