package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// StarChange is the result of [ProjectsService.Star] and [ProjectsService.Unstar].
type StarChange struct {
	// Project has the new [Project.StarCount]. It is nil if Unchanged is true: the
	// service returns it only if it changed something.
	Project *Project
	// Unchanged reports whether there was nothing to do.
	Unchanged bool
}

// Starrer is a user who has starred a project.
type Starrer struct {
	StarredSince time.Time `json:"starred_since"`
	// User is nil if the service leaves the user out.
	User *UserSummary `json:"user"`
}

// Star adds a project to the caller's favorites. It also succeeds if the project is one
// of them already; the result says so.
//
//	POST /projects/:id/star
func (s *ProjectsService) Star(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*StarChange, *Response, error) {
	return unlessUnchanged(newStarChange)(do[Project](ctx, s.client, http.MethodPost,
		Route("/projects/:id/star", project), nil, opts))
}

// Unstar removes a project from the caller's favorites. It also succeeds if the project
// is none of them; the result says so.
//
//	POST /projects/:id/unstar
func (s *ProjectsService) Unstar(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*StarChange, *Response, error) {
	return unlessUnchanged(newStarChange)(do[Project](ctx, s.client, http.MethodPost,
		Route("/projects/:id/unstar", project), nil, opts))
}

func newStarChange(project *Project) *StarChange {
	return &StarChange{Project: project, Unchanged: project == nil}
}

// ListStarrersOptions selects users who have starred a project.
type ListStarrersOptions struct {
	ListOptions
	// Search searches names and usernames.
	Search string `url:"search,omitempty"`
}

// ListStarrers returns one page of the users who have starred a project. Others do not
// see users whose profile is private. The API says nothing of the order.
//
//	GET /projects/:id/starrers
func (s *ProjectsService) ListStarrers(
	ctx context.Context, project ProjectRef, options *ListStarrersOptions, opts ...RequestOption,
) ([]*Starrer, *Response, error) {
	return list[*Starrer](ctx, s.client, Route("/projects/:id/starrers", project), queryOf(options), opts)
}

// AllStarrers returns every user who has starred a project. See
// [ProjectsService.ListStarrers].
//
//	GET /projects/:id/starrers
func (s *ProjectsService) AllStarrers(
	ctx context.Context, project ProjectRef, options *ListStarrersOptions, opts ...RequestOption,
) iter.Seq2[*Starrer, error] {
	return all[*Starrer](ctx, s.client, Route("/projects/:id/starrers", project), queryOf(options), opts)
}

// ListStarred returns one page of the projects that a user has starred and the caller
// may see: none if the user's profile is private. Without a credential these are public
// ones, in their short form. For the caller's own favorites, [ListProjectsOptions.Starred]
// also works in other lists.
//
//	GET /users/:user_id/starred_projects
func (s *ProjectsService) ListStarred(
	ctx context.Context, user UserRef, options *ListProjectsOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, s.client,
		Route("/users/:user_id/starred_projects", user), queryFor(user, options), opts)
}

// AllStarred returns every project that a user has starred. See
// [ProjectsService.ListStarred].
//
//	GET /users/:user_id/starred_projects
func (s *ProjectsService) AllStarred(
	ctx context.Context, user UserRef, options *ListProjectsOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, s.client,
		Route("/users/:user_id/starred_projects", user), queryFor(user, options), opts)
}
