package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// MergeRequestDiff is the change of a merge request to one file.
type MergeRequestDiff struct {
	// Diff is the change in the unified format, without the lines that name
	// the file.
	Diff string `json:"diff"`
	// OldPath and NewPath differ only where RenamedFile is true.
	OldPath string `json:"old_path"`
	NewPath string `json:"new_path"`
	// AMode and BMode are the file modes before and after, such as "100644".
	// AMode is empty if the service does not say.
	AMode       string `json:"a_mode"`
	BMode       string `json:"b_mode"`
	NewFile     bool   `json:"new_file"`
	RenamedFile bool   `json:"renamed_file"`
	DeletedFile bool   `json:"deleted_file"`
	// Collapsed and TooLarge report whether Diff is empty because the change is
	// large, or too large to be shown at all. Since 18.4.
	Collapsed bool `json:"collapsed"`
	TooLarge  bool `json:"too_large"`
	// GeneratedFile reports whether a tool wrote the file, nil if the service does
	// not say. Since 16.9.
	GeneratedFile *bool `json:"generated_file"`
}

// ListMergeRequestDiffsOptions says how the changes are returned.
type ListMergeRequestDiffsOptions struct {
	ListOptions
	// Unidiff returns diffs that name the files, as "git diff" does. Since 16.5.
	Unidiff bool `url:"unidiff,omitempty"`
}

// GetMergeRequestChangesOptions says how the changes are returned.
type GetMergeRequestChangesOptions struct {
	// AccessRawDiffs also returns diffs that exceed the size limits.
	AccessRawDiffs bool `url:"access_raw_diffs,omitempty"`
	// Unidiff returns diffs that name the files, as "git diff" does. Since 16.5.
	Unidiff bool `url:"unidiff,omitempty"`
}

// DiffVersionState is the state of a [DiffVersion].
type DiffVersionState string

// States of a diff version. The service may send others.
const (
	DiffVersionStateCollected DiffVersionState = "collected"
	DiffVersionStateEmpty     DiffVersionState = "empty"
	DiffVersionStateOverflow  DiffVersionState = "overflow"
)

// DiffVersion is the diff of a merge request after one push. A [DiffPosition]
// requires its three hashes.
type DiffVersion struct {
	ID             int64            `json:"id"`
	HeadCommitSHA  string           `json:"head_commit_sha"`
	BaseCommitSHA  string           `json:"base_commit_sha"`
	StartCommitSHA string           `json:"start_commit_sha"`
	CreatedAt      time.Time        `json:"created_at"`
	MergeRequestID int64            `json:"merge_request_id"`
	State          DiffVersionState `json:"state"`
	// RealSize is the number of changed files, such as "17" or "1000+".
	RealSize ChangesCount `json:"real_size"`
	// PatchIDSHA identifies the change regardless of its base, empty in older
	// releases.
	PatchIDSHA string `json:"patch_id_sha"`
}

// ListCommits returns one page of the commits of a merge request, the newest
// first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/commits
func (s *MergeRequestsService) ListCommits(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*Commit, *Response, error) {
	return list[*Commit](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/commits", project, iid), queryOf(options), opts)
}

// AllCommits returns every commit of a merge request, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/commits
func (s *MergeRequestsService) AllCommits(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Commit, error] {
	return all[*Commit](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/commits", project, iid), queryOf(options), opts)
}

// ListDiffs returns one page of the changes of a merge request, file by file.
// Since 15.7; [MergeRequestsService.Changes] also works with older releases.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/diffs
func (s *MergeRequestsService) ListDiffs(
	ctx context.Context, project ProjectRef, iid int64, options *ListMergeRequestDiffsOptions, opts ...RequestOption,
) ([]*MergeRequestDiff, *Response, error) {
	return list[*MergeRequestDiff](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/diffs", project, iid), queryOf(options), opts)
}

// AllDiffs returns every change of a merge request, file by file. See
// [MergeRequestsService.ListDiffs].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/diffs
func (s *MergeRequestsService) AllDiffs(
	ctx context.Context, project ProjectRef, iid int64, options *ListMergeRequestDiffsOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequestDiff, error] {
	return all[*MergeRequestDiff](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/diffs", project, iid), queryOf(options), opts)
}

// Changes returns a merge request with all of its changes, in
// [MergeRequestDetails.Changes]. The service has deprecated it since 15.7, in
// favor of [MergeRequestsService.ListDiffs].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/changes
func (s *MergeRequestsService) Changes(
	ctx context.Context, project ProjectRef, iid int64, options *GetMergeRequestChangesOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	return do[MergeRequestDetails](ctx, s.client, http.MethodGet,
		Route("/projects/:id/merge_requests/:merge_request_iid/changes", project, iid), queryOf(options), opts)
}

// ListVersions returns one page of the versions of the diff of a merge request,
// one for each push, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/versions
func (s *MergeRequestsService) ListVersions(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*DiffVersion, *Response, error) {
	return list[*DiffVersion](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/versions", project, iid), queryOf(options), opts)
}

// AllVersions returns every version of the diff of a merge request, one for each
// push, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/versions
func (s *MergeRequestsService) AllVersions(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*DiffVersion, error] {
	return all[*DiffVersion](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/versions", project, iid), queryOf(options), opts)
}
