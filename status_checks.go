package serviceapi

import (
	"context"
	"iter"
)

// StatusChecksService reads the external status checks of projects: other services that
// say whether a merge request may be merged. Ultimate.
//
// Its options are [ListOptions]. See examples/recipes/collaboration_test.go for an
// example.
type StatusChecksService service

// StatusCheck is a service that is asked whether a merge request may be merged. No response
// contains its secret.
type StatusCheck struct {
	ID int64 `json:"id"`
	// Name and ExternalURL are unique in the project.
	Name        string `json:"name"`
	ProjectID   int64  `json:"project_id"`
	ExternalURL string `json:"external_url"`
	// HMAC reports whether requests to ExternalURL are signed with a secret. Only in later
	// releases.
	HMAC bool `json:"hmac"`
	// ProtectedBranches are the target branches of the merge requests that the check
	// applies to. If there are none, it applies to all merge requests. Older releases send
	// no levels.
	ProtectedBranches []*ProtectedBranch `json:"protected_branches"`
}

// List returns one page of the status checks of a project. It requires the Maintainer role.
// On instances below Ultimate, the call returns [ErrUnauthorized]. Ultimate.
//
//	GET /projects/:id/external_status_checks
func (s *StatusChecksService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*StatusCheck, *Response, error) {
	return list[*StatusCheck](ctx, using(s), statusChecksOf(project), queryOf(options), opts)
}

// All returns every status check of a project. It requires the Maintainer role. On
// instances below Ultimate, the sequence ends with [ErrUnauthorized]. Ultimate.
//
//	GET /projects/:id/external_status_checks
func (s *StatusChecksService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*StatusCheck, error] {
	return all[*StatusCheck](ctx, using(s), statusChecksOf(project), queryOf(options), opts)
}

func statusChecksOf(project ProjectRef) Endpoint {
	return Route("/projects/:id/external_status_checks", project).forbiddenBy401()
}
