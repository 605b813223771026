package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// CreateFor creates a project of another user, in the user's namespace unless the options name
// another one. Administrators only. See [ProjectsService.Create].
//
//	POST /projects/user/:user_id
func (s *ProjectsService) CreateFor(
	ctx context.Context, user UserRef, options CreateProjectOptions, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPost,
		Route("/projects/user/:user_id", onlyID(user)), jsonOrMultipart(options, "avatar", options.Avatar), opts)
}

// GetFetchStatistics counts the clones and pulls of a project over HTTP in the last 30 days. It requires
// the Reporter role.
//
//	GET /projects/:id/statistics
func (s *ProjectsService) GetFetchStatistics(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*FetchStatistics, *Response, error) {
	return do[FetchStatistics](ctx, using(s), http.MethodGet, Route("/projects/:id/statistics", project), nil, opts)
}

// FetchStatistics count the clones and pulls of a project.
type FetchStatistics struct {
	Fetches *FetchCounts `json:"fetches"`
}

// FetchCounts are numbers of clones and pulls.
type FetchCounts struct {
	// Total is the sum of the days.
	Total int `json:"total"`
	// Days are the newest first. A day without any is missing.
	Days []*FetchCount `json:"days"`
}

// FetchCount is the number of clones and pulls of a day.
type FetchCount struct {
	Count int  `json:"count"`
	Date  Date `json:"date"`
}

// GetStorage says where the repository of a project is. Administrators only.
//
//	GET /projects/:id/storage
func (s *ProjectsService) GetStorage(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*RepositoryStorage, *Response, error) {
	return do[RepositoryStorage](ctx, using(s), http.MethodGet, Route("/projects/:id/storage", project), nil, opts)
}

// RepositoryStorage says where the repository of a project is.
type RepositoryStorage struct {
	ProjectID int64 `json:"project_id"`
	// DiskPath is the path within the storage, without ".git".
	DiskPath string `json:"disk_path"`
	// CreatedAt is when the project was created.
	CreatedAt time.Time `json:"created_at"`
	// RepositoryStorage is the name of the storage.
	RepositoryStorage string `json:"repository_storage"`
}

// ListInvitedGroups returns one page of the groups that a project or a group above it is shared with.
// Since about 18.0.
//
//	GET /projects/:id/invited_groups
func (s *ProjectsService) ListInvitedGroups(
	ctx context.Context, project ProjectRef, options *ListInvitedGroupsOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, using(s), Route("/projects/:id/invited_groups", project), queryOf(options), opts)
}

// AllInvitedGroups returns every group that a project or a group above it is shared with. See
// [ProjectsService.ListInvitedGroups].
//
//	GET /projects/:id/invited_groups
func (s *ProjectsService) AllInvitedGroups(
	ctx context.Context, project ProjectRef, options *ListInvitedGroupsOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, using(s), Route("/projects/:id/invited_groups", project), queryOf(options), opts)
}

// ListShareLocations returns one page of the groups that a project, which must be a [ProjectID], can be
// shared with. Callers without the Maintainer role get none.
//
//	GET /projects/:id/share_locations
func (s *ProjectsService) ListShareLocations(
	ctx context.Context, project ProjectRef, options *ListShareLocationsOptions, opts ...RequestOption,
) ([]*GroupSummary, *Response, error) {
	return list[*GroupSummary](ctx, using(s),
		Route("/projects/:id/share_locations", onlyID(project)), queryOf(options), opts)
}

// AllShareLocations returns every group that a project can be shared with. See
// [ProjectsService.ListShareLocations].
//
//	GET /projects/:id/share_locations
func (s *ProjectsService) AllShareLocations(
	ctx context.Context, project ProjectRef, options *ListShareLocationsOptions, opts ...RequestOption,
) iter.Seq2[*GroupSummary, error] {
	return all[*GroupSummary](ctx, using(s),
		Route("/projects/:id/share_locations", onlyID(project)), queryOf(options), opts)
}

// ListShareLocationsOptions selects groups that a project can be shared with.
type ListShareLocationsOptions struct {
	ListOptions
	// Search searches names and paths.
	Search string `url:"search,omitempty"`
}

// Restore cancels the deletion of a project that is marked for deletion, and gives it back its name and
// path. It requires the Owner role. Premium before 18.0. The call returns [ErrBadRequest] if the project
// is not marked, or is being deleted.
//
//	POST /projects/:id/restore
func (s *ProjectsService) Restore(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Project, *Response, error) {
	return do[Project](ctx, using(s), http.MethodPost, Route("/projects/:id/restore", project), nil, opts)
}

// StartHousekeeping makes the repository of a project smaller and faster, in the background. It requires
// the Maintainer role. The call returns [ErrConflict] if it was started in the last hours.
//
//	POST /projects/:id/housekeeping
func (s *ProjectsService) StartHousekeeping(
	ctx context.Context, project ProjectRef, options StartHousekeepingOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/projects/:id/housekeeping", project), jsonOf(options), opts)
}

// HousekeepingTask is what housekeeping does.
type HousekeepingTask string

// What housekeeping does: all that is useful, or the removal of objects that nothing needs.
const (
	HousekeepingTaskEager HousekeepingTask = "eager"
	HousekeepingTaskPrune HousekeepingTask = "prune"
)

// StartHousekeepingOptions says what housekeeping does.
type StartHousekeepingOptions struct {
	// Task is [HousekeepingTaskEager] by default.
	Task *HousekeepingTask `json:"task,omitzero"`
}

// RecalculateSize makes the service compute the sizes in the statistics of a project anew, in the
// background. It requires the Maintainer role.
//
//	POST /projects/:id/repository_size
func (s *ProjectsService) RecalculateSize(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/projects/:id/repository_size", project), nil, opts)
}

// ImportMembers adds the direct members of another project to a project, with their roles. It never
// lowers a role, and gives none above the caller's own. Both must be a [ProjectID]. It requires the
// Maintainer role in both. The result says whom the service refused to add; that is no error. The call
// returns [ErrUnprocessable] if it could add nobody.
//
//	POST /projects/:id/import_project_members/:project_id
func (s *ProjectsService) ImportMembers(
	ctx context.Context, project, source ProjectRef, opts ...RequestOption,
) (*MembersImport, *Response, error) {
	return do[MembersImport](ctx, using(s), http.MethodPost,
		Route("/projects/:id/import_project_members/:project_id", onlyID(project), onlyID(source)), nil, opts)
}

// MembersImportStatus says how an import of members went.
type MembersImportStatus string

// How an import of members went. MembersImportStatusError means that some were not added.
const (
	MembersImportStatusSuccess MembersImportStatus = "success"
	MembersImportStatusError   MembersImportStatus = "error"
)

// MembersImport is the result of [ProjectsService.ImportMembers].
type MembersImport struct {
	Status MembersImportStatus `json:"status"`
	// Message says by username why somebody was not added. It is nil after a success.
	Message map[string]string `json:"message"`
	// TotalMembersCount is the number of members of the other project, nil after a success.
	TotalMembersCount *int `json:"total_members_count"`
}
