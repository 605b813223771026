package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"strings"

	"example.com/serviceapi/internal/text"
)

// BranchesService manages the branches of a repository. Reading needs no
// credential if the repository is public; writing requires the Developer role.
//
// Its options are [CreateBranchOptions] and [ListBranchesOptions]. See the example
// BranchesDelete in pipelines_test.go of [example.com/serviceapi/examples/recipes].
type BranchesService service

// Branch is a branch of a repository.
type Branch struct {
	Name string `json:"name"`
	// Commit is the newest commit of the branch, nil only if the service does not
	// send it. Its ParentIDs can be missing.
	Commit *Commit `json:"commit"`
	// Merged reports whether the default branch contains all commits of the branch.
	Merged bool `json:"merged"`
	// Protected reports whether only some roles may push to the branch, and nobody
	// may delete it with [BranchesService.Delete]. Any protection whose name matches counts:
	// one with wildcards, and one of the project's group. [ProtectedBranchesService.Get] finds
	// only one with exactly the name of the branch.
	Protected bool `json:"protected"`
	// Default reports whether the branch is the default branch of the project.
	Default bool `json:"default"`
	// DevelopersCanPush and DevelopersCanMerge report whether the Developer role
	// is sufficient despite the protection.
	DevelopersCanPush  bool `json:"developers_can_push"`
	DevelopersCanMerge bool `json:"developers_can_merge"`
	// CanPush reports whether the caller may push to the branch.
	CanPush bool   `json:"can_push"`
	WebURL  string `json:"web_url"`
}

// BranchSort is an order of branches.
type BranchSort string

// Orders of branches.
const (
	BranchSortName BranchSort = "name_asc"
	// BranchSortUpdated lists the least recently updated branch first, and
	// BranchSortUpdatedDesc the most recently updated one.
	BranchSortUpdated     BranchSort = "updated_asc"
	BranchSortUpdatedDesc BranchSort = "updated_desc"
)

// ListBranchesOptions selects branches. Empty fields do not filter.
type ListBranchesOptions struct {
	ListOptions
	// Search selects the branches whose name contains this string. "^rel" matches
	// at the beginning of a name, "fix$" at its end.
	Search string `url:"search,omitempty"`
	// Regex selects the branches whose name matches this RE2 expression. It cannot
	// be combined with Search. Since about 16.0.
	Regex string `url:"regex,omitempty"`
	// Sort is the order and its direction, [BranchSortName] by default. The service
	// accepts this parameter, but does not document it.
	Sort BranchSort `url:"sort,omitempty"`
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] continues
	// after the name of the last branch.
	Pagination Pagination `url:"pagination,omitempty"`
}

// CreateBranchOptions describes a new branch. Both fields are required.
type CreateBranchOptions struct {
	// Branch is the name of the new branch.
	Branch string `json:"branch" required:"true"`
	// Ref is where the branch starts: the name of a branch, or the hash of a
	// commit.
	Ref string `json:"ref" required:"true"`
}

// List returns one page of a repository's branches, ordered by name.
//
//	GET /projects/:id/repository/branches
func (s *BranchesService) List(
	ctx context.Context, project ProjectRef, options *ListBranchesOptions, opts ...RequestOption,
) ([]*Branch, *Response, error) {
	return list[*Branch](ctx, using(s), Route("/projects/:id/repository/branches", project), queryOf(options), opts)
}

// All returns every branch of a repository, ordered by name.
//
//	GET /projects/:id/repository/branches
func (s *BranchesService) All(
	ctx context.Context, project ProjectRef, options *ListBranchesOptions, opts ...RequestOption,
) iter.Seq2[*Branch, error] {
	return all[*Branch](ctx, using(s), Route("/projects/:id/repository/branches", project), queryOf(options), opts)
}

// Get returns one branch.
//
//	GET /projects/:id/repository/branches/:branch
func (s *BranchesService) Get(
	ctx context.Context, project ProjectRef, branch string, opts ...RequestOption,
) (*Branch, *Response, error) {
	return do[Branch](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/branches/:branch", project, branch), nil, opts)
}

// Create creates a branch and returns it. [ErrBadRequest] means that a branch
// with this name already exists, that the name or the ref is invalid, that the name
// is protected and the caller may not push to it, or that a push rule refuses it.
//
//	POST /projects/:id/repository/branches
func (s *BranchesService) Create(
	ctx context.Context, project ProjectRef, options CreateBranchOptions, opts ...RequestOption,
) (*Branch, *Response, error) {
	return do[Branch](ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/branches", project), jsonOf(options), opts)
}

// Delete deletes a branch. The call returns a [*ProtectedRefError] if the branch is
// protected or the default branch, [ErrForbidden] if the caller may not push at
// all, and [ErrPreconditionFailed] if the branch has changed since the time in an
// If-Unmodified-Since header.
//
//	DELETE /projects/:id/repository/branches/:branch
func (s *BranchesService) Delete(
	ctx context.Context, project ProjectRef, branch string, opts ...RequestOption,
) (*Response, error) {
	resp, err := exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/repository/branches/:branch", project, branch), nil, opts)
	return resp, protectedRef(branch, err)
}

// Exists reports whether there is a branch. It is also false, without an error, for a project
// that does not exist or that the caller cannot see: the service does not tell them apart.
//
//	HEAD /projects/:id/repository/branches/:branch
func (s *BranchesService) Exists(
	ctx context.Context, project ProjectRef, branch string, opts ...RequestOption,
) (bool, *Response, error) {
	resp, err := exec(ctx, using(s), http.MethodHead,
		Route("/projects/:id/repository/branches/:branch", project, branch), nil, opts)
	if errors.Is(err, ErrNotFound) {
		return false, resp, nil
	}
	return err == nil, resp, err
}

// DeleteMerged starts to delete every branch that is merged into the default branch, and does
// not wait for the end. It leaves protected branches, and those of open merge requests.
//
//	DELETE /projects/:id/repository/merged_branches
func (s *BranchesService) DeleteMerged(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/repository/merged_branches", project), nil, opts)
}

// ProtectedRefError is the service's refusal to delete a branch or a tag that
// is protected, or the default branch. It unwraps to *[Error].
type ProtectedRefError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// Ref is the name of the branch or tag.
	Ref string
	// Default reports whether the service says that it is the default branch.
	Default bool
}

// Error describes the response and names the branch or tag.
func (e *ProtectedRefError) Error() string {
	what := "protected"
	if e.Default {
		what = "the default branch"
	}
	return fmt.Sprintf("%v (%s is %s)", e.Err, text.Printable(e.Ref, 200), what)
}

// Unwrap returns the *[Error].
func (e *ProtectedRefError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *ProtectedRefError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// protectedRef turns a response that says so into a ProtectedRefError, and returns
// every other error unchanged. Only the message distinguishes such a response from
// one about an insufficient role or an invalid name.
func protectedRef(ref string, err error) error {
	refusal := errorResponse(err)
	if refusal == nil || refusal.WebPage {
		return err
	}
	if refusal.StatusCode != http.StatusBadRequest && refusal.StatusCode != http.StatusForbidden {
		return err
	}
	message := strings.ToLower(refusal.Message)
	isDefault := strings.Contains(message, "default branch") || strings.Contains(message, "head branch")
	if !isDefault && !strings.Contains(message, "protected") {
		return err
	}
	return &ProtectedRefError{Err: refusal, Ref: ref, Default: isDefault}
}
