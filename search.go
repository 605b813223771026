package serviceapi

import (
	"context"
	"iter"
	"net/url"
)

// SearchService searches the whole instance, a group with everything below it, or a
// project, for one kind of object at a time. Every call requires a credential. The service
// limits how often a user may search: see [ErrRateLimited].
//
// Basic search finds parts of words in titles, names and descriptions, and is not
// case-sensitive. With [Instance] or a group, only advanced search, which is premium, finds
// comments, commits and files. In newer releases, the search for a kind of object in the
// [Instance] can be turned off, and calls then return [ErrForbidden]. Newer releases also
// refuse search texts that are very short or very long with [ErrBadRequest]. A search that
// takes too long ends with an error with the status 408. Nothing is found in a part of a
// project that is turned off.
//
// Its options are [SearchBlobsOptions], [SearchCommitsOptions], [SearchIssuesOptions],
// [SearchMergeRequestsOptions], [SearchOptions] and [SearchWikiBlobsOptions]. See the
// example ReportWithPicture in picture_test.go of
// [example.com/serviceapi/examples/recipes].
type SearchService service

// SearchOwner is where to search: [Instance], a [GroupRef] or a [ProjectRef].
type SearchOwner interface{ hasSearch() }

func (InstanceOwner) hasSearch() {}
func (GroupRef) hasSearch()      {}
func (ProjectRef) hasSearch()    {}

// ProjectSearchOwner is where to search for projects: [Instance] or a [GroupRef].
type ProjectSearchOwner interface{ hasProjectSearch() }

func (InstanceOwner) hasProjectSearch() {}
func (GroupRef) hasProjectSearch()      {}

func searchIn(owner any) Endpoint { return below(owner, "/search") }

// searchInput adds the scope to a query.
type searchInput struct {
	scope string
	input
}

func (in searchInput) encode(p *payload) error {
	if err := in.input.encode(p); err != nil {
		return err
	}
	values, err := url.ParseQuery(p.query)
	if err != nil {
		return badArgument("options", "cannot be sent as a query: "+err.Error())
	}
	values.Set("scope", in.scope)
	p.query = values.Encode()
	return nil
}

// ListProjects returns one page of the projects whose name, path or description contains
// the search text. They have only the fields that [ListProjectsOptions.Simple] returns.
//
//	GET /search
//	GET /groups/:id/search
func (s *SearchService) ListProjects(
	ctx context.Context, owner ProjectSearchOwner, options *SearchOptions, opts ...RequestOption,
) ([]*Project, *Response, error) {
	return list[*Project](ctx, using(s),
		searchIn(owner), searchInput{"projects", queryFor(owner, options)}, opts)
}

// AllProjects returns all the projects whose name, path or description contains the search
// text. See [SearchService.ListProjects].
//
//	GET /search
//	GET /groups/:id/search
func (s *SearchService) AllProjects(
	ctx context.Context, owner ProjectSearchOwner, options *SearchOptions, opts ...RequestOption,
) iter.Seq2[*Project, error] {
	return all[*Project](ctx, using(s),
		searchIn(owner), searchInput{"projects", queryFor(owner, options)}, opts)
}

// ListIssues returns one page of the issues whose title or description contains the search
// text. A number, also written as #12, finds the issue with this number.
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) ListIssues(
	ctx context.Context, owner SearchOwner, options *SearchIssuesOptions, opts ...RequestOption,
) ([]*Issue, *Response, error) {
	return list[*Issue](ctx, using(s),
		searchIn(owner), searchInput{"issues", queryFor(owner, options)}, opts)
}

// AllIssues returns all the issues whose title or description contains the search text. See
// [SearchService.ListIssues].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) AllIssues(
	ctx context.Context, owner SearchOwner, options *SearchIssuesOptions, opts ...RequestOption,
) iter.Seq2[*Issue, error] {
	return all[*Issue](ctx, using(s),
		searchIn(owner), searchInput{"issues", queryFor(owner, options)}, opts)
}

// ListMergeRequests returns one page of the merge requests whose title or description
// contains the search text. A number, also written as !12, finds the merge request with
// this number.
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) ListMergeRequests(
	ctx context.Context, owner SearchOwner, options *SearchMergeRequestsOptions, opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, using(s),
		searchIn(owner), searchInput{"merge_requests", queryFor(owner, options)}, opts)
}

// AllMergeRequests returns all the merge requests whose title or description contains the
// search text. See [SearchService.ListMergeRequests].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) AllMergeRequests(
	ctx context.Context, owner SearchOwner, options *SearchMergeRequestsOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, using(s),
		searchIn(owner), searchInput{"merge_requests", queryFor(owner, options)}, opts)
}

// ListMilestones returns one page of the milestones whose title or description contains the
// search text.
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) ListMilestones(
	ctx context.Context, owner SearchOwner, options *SearchOptions, opts ...RequestOption,
) ([]*Milestone, *Response, error) {
	return list[*Milestone](ctx, using(s),
		searchIn(owner), searchInput{"milestones", queryFor(owner, options)}, opts)
}

// AllMilestones returns all the milestones whose title or description contains the search
// text. See [SearchService.ListMilestones].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) AllMilestones(
	ctx context.Context, owner SearchOwner, options *SearchOptions, opts ...RequestOption,
) iter.Seq2[*Milestone, error] {
	return all[*Milestone](ctx, using(s),
		searchIn(owner), searchInput{"milestones", queryFor(owner, options)}, opts)
}

// ListSnippetTitles returns one page of the snippets of the whole instance whose title
// contains the search text.
//
//	GET /search
func (s *SearchService) ListSnippetTitles(
	ctx context.Context, options *SearchOptions, opts ...RequestOption,
) ([]*Snippet, *Response, error) {
	return list[*Snippet](ctx, using(s),
		searchIn(Instance), searchInput{"snippet_titles", queryFor(Instance, options)}, opts)
}

// AllSnippetTitles returns all the snippets of the whole instance whose title contains the
// search text. See [SearchService.ListSnippetTitles].
//
//	GET /search
func (s *SearchService) AllSnippetTitles(
	ctx context.Context, options *SearchOptions, opts ...RequestOption,
) iter.Seq2[*Snippet, error] {
	return all[*Snippet](ctx, using(s),
		searchIn(Instance), searchInput{"snippet_titles", queryFor(Instance, options)}, opts)
}

// ListUsers returns one page of the users whose name or username contains the search text;
// in a group or a project, only its members.
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) ListUsers(
	ctx context.Context, owner SearchOwner, options *SearchOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, using(s),
		searchIn(owner), searchInput{"users", queryFor(owner, options)}, opts)
}

// AllUsers returns all the users whose name or username contains the search text; in a
// group or a project, only its members. See [SearchService.ListUsers].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) AllUsers(
	ctx context.Context, owner SearchOwner, options *SearchOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, using(s),
		searchIn(owner), searchInput{"users", queryFor(owner, options)}, opts)
}

// ListNotes returns one page of the comments that contain the search text. [Instance] and
// groups require advanced search.
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) ListNotes(
	ctx context.Context, owner SearchOwner, options *SearchOptions, opts ...RequestOption,
) ([]*Note, *Response, error) {
	return list[*Note](ctx, using(s),
		searchIn(owner), searchInput{"notes", queryFor(owner, options)}, opts)
}

// AllNotes returns all the comments that contain the search text. See
// [SearchService.ListNotes].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) AllNotes(
	ctx context.Context, owner SearchOwner, options *SearchOptions, opts ...RequestOption,
) iter.Seq2[*Note, error] {
	return all[*Note](ctx, using(s),
		searchIn(owner), searchInput{"notes", queryFor(owner, options)}, opts)
}

// ListCommits returns one page of the commits whose message contains the search text.
// [Instance] and groups require advanced search.
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) ListCommits(
	ctx context.Context, owner SearchOwner, options *SearchCommitsOptions, opts ...RequestOption,
) ([]*CommitDetails, *Response, error) {
	return list[*CommitDetails](ctx, using(s),
		searchIn(owner), searchInput{"commits", queryFor(owner, options)}, opts)
}

// AllCommits returns all the commits whose message contains the search text. See
// [SearchService.ListCommits].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) AllCommits(
	ctx context.Context, owner SearchOwner, options *SearchCommitsOptions, opts ...RequestOption,
) iter.Seq2[*CommitDetails, error] {
	return all[*CommitDetails](ctx, using(s),
		searchIn(owner), searchInput{"commits", queryFor(owner, options)}, opts)
}

// ListBlobs returns one page of the places in files that contain the search text, and of
// files whose name contains it. [Instance] and groups require advanced search or, in later
// releases, exact code search. A file can be found several times. In the text, filename:,
// path: and extension: select files, with * for anything: "price extension:go".
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) ListBlobs(
	ctx context.Context, owner SearchOwner, options *SearchBlobsOptions, opts ...RequestOption,
) ([]*SearchBlob, *Response, error) {
	return list[*SearchBlob](ctx, using(s),
		searchIn(owner), searchInput{"blobs", queryFor(owner, options)}, opts)
}

// AllBlobs returns all the places in files that contain the search text, and of files whose
// name contains it. See [SearchService.ListBlobs].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) AllBlobs(
	ctx context.Context, owner SearchOwner, options *SearchBlobsOptions, opts ...RequestOption,
) iter.Seq2[*SearchBlob, error] {
	return all[*SearchBlob](ctx, using(s),
		searchIn(owner), searchInput{"blobs", queryFor(owner, options)}, opts)
}

// ListWikiBlobs returns one page of the places in pages of wikis that contain the search
// text, and of pages whose title contains it. [Instance] and groups require advanced
// search. The text has the syntax described for [SearchService.ListBlobs].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) ListWikiBlobs(
	ctx context.Context, owner SearchOwner, options *SearchWikiBlobsOptions, opts ...RequestOption,
) ([]*SearchBlob, *Response, error) {
	return list[*SearchBlob](ctx, using(s),
		searchIn(owner), searchInput{"wiki_blobs", queryFor(owner, options)}, opts)
}

// AllWikiBlobs returns all the places in pages of wikis that contain the search text, and
// of pages whose title contains it. See [SearchService.ListWikiBlobs].
//
//	GET /search
//	GET /groups/:id/search
//	GET /projects/:id/search
func (s *SearchService) AllWikiBlobs(
	ctx context.Context, owner SearchOwner, options *SearchWikiBlobsOptions, opts ...RequestOption,
) iter.Seq2[*SearchBlob, error] {
	return all[*SearchBlob](ctx, using(s),
		searchIn(owner), searchInput{"wiki_blobs", queryFor(owner, options)}, opts)
}

// SearchType is how the service searches.
type SearchType string

// Ways to search. Which of them are available depends on the instance.
const (
	SearchTypeBasic SearchType = "basic"
	// SearchTypeAdvanced is premium.
	SearchTypeAdvanced SearchType = "advanced"
	// SearchTypeZoekt is exact code search. Only in later releases.
	SearchTypeZoekt SearchType = "zoekt"
)

// SearchOrderBy is the order of the results. The service has only one order today.
type SearchOrderBy string

// SearchOrderByCreatedAt orders by the time of creation.
const SearchOrderByCreatedAt SearchOrderBy = "created_at"

// SearchOptions says what to search for. Search is required.
type SearchOptions struct {
	ListOptions
	// Search is the text to search for. It is required.
	Search string `url:"search" required:"true"`
	// SearchType defaults to the best type that the instance has.
	SearchType SearchType `url:"search_type,omitempty"`
	// OrderBy is [SearchOrderByCreatedAt] by default, and Sort [SortDescending].
	OrderBy SearchOrderBy `url:"order_by,omitempty"`
	Sort    Sort          `url:"sort,omitempty"`
	// IncludeArchived also searches archived projects. Since 18.7; before about 16.5, they
	// are always searched. Only for [Instance] or a [GroupRef].
	IncludeArchived bool `url:"include_archived,omitempty" only:"instance,group"`
}

// SearchIssuesOptions says which issues to search for. Search is required.
type SearchIssuesOptions struct {
	ListOptions
	// Search is the text to search for. It is required.
	Search string `url:"search" required:"true"`
	// State is [IssueStateAny] by default.
	State IssueState `url:"state,omitempty"`
	// Confidential selects confidential issues, or those that are not.
	Confidential *bool `url:"confidential,omitempty"`
	// Fields limits the search to these fields, of which there is only [SearchFieldTitle].
	// Empty searches everything. Premium. Since 17.5.
	Fields []SearchField `url:"fields[],omitempty"`
	// SearchType defaults to the best type that the instance has.
	SearchType SearchType `url:"search_type,omitempty"`
	// OrderBy is [SearchOrderByCreatedAt] by default, and Sort [SortDescending].
	OrderBy SearchOrderBy `url:"order_by,omitempty"`
	Sort    Sort          `url:"sort,omitempty"`
	// IncludeArchived also searches archived projects. Since 18.7; before about 16.5, they
	// are always searched. Only for [Instance] or a [GroupRef].
	IncludeArchived bool `url:"include_archived,omitempty" only:"instance,group"`
}

// SearchMergeRequestsOptions says which merge requests to search for. Search is required.
type SearchMergeRequestsOptions struct {
	ListOptions
	// Search is the text to search for. It is required.
	Search string `url:"search" required:"true"`
	// State is [MergeRequestStateAny] by default.
	State MergeRequestState `url:"state,omitempty"`
	// Fields limits the search to these fields, of which there is only [SearchFieldTitle].
	// Empty searches everything. Premium. Since 17.5.
	Fields []SearchField `url:"fields[],omitempty"`
	// SearchType defaults to the best type that the instance has.
	SearchType SearchType `url:"search_type,omitempty"`
	// OrderBy is [SearchOrderByCreatedAt] by default, and Sort [SortDescending].
	OrderBy SearchOrderBy `url:"order_by,omitempty"`
	Sort    Sort          `url:"sort,omitempty"`
	// IncludeArchived also searches archived projects. Since 18.7; before about 16.5, they
	// are always searched. Only for [Instance] or a [GroupRef].
	IncludeArchived bool `url:"include_archived,omitempty" only:"instance,group"`
}

// SearchCommitsOptions says which commits to search for. Search is required.
type SearchCommitsOptions struct {
	ListOptions
	// Search is the text to search for. It is required.
	Search string `url:"search" required:"true"`
	// Ref is a branch, a tag or a commit. Empty means the default branch. Only for a
	// [ProjectRef]: elsewhere, the default branches are searched.
	Ref string `url:"ref,omitempty" only:"project"`
	// SearchType defaults to the best type that the instance has.
	SearchType SearchType `url:"search_type,omitempty"`
	// OrderBy is [SearchOrderByCreatedAt] by default, and Sort [SortDescending].
	OrderBy SearchOrderBy `url:"order_by,omitempty"`
	Sort    Sort          `url:"sort,omitempty"`
	// IncludeArchived also searches archived projects. Since 18.7; before about 16.5, they
	// are always searched. Only for [Instance] or a [GroupRef].
	IncludeArchived bool `url:"include_archived,omitempty" only:"instance,group"`
}

// SearchBlobsOptions says which files to search. Search is required.
type SearchBlobsOptions struct {
	ListOptions
	// Search is the text to search for. It is required.
	Search string `url:"search" required:"true"`
	// Ref is a branch, a tag or a commit. Empty means the default branch. Only for a
	// [ProjectRef]: elsewhere, the default branches are searched.
	Ref string `url:"ref,omitempty" only:"project"`
	// ExcludeForks leaves out forks, and Regex says whether the text is a regular
	// expression. Both are for exact code search. Since about 18.7. ExcludeForks is only
	// for [Instance] or a [GroupRef].
	ExcludeForks bool  `url:"exclude_forks,omitempty" only:"instance,group"`
	Regex        *bool `url:"regex,omitempty"`
	// SearchType defaults to the best type that the instance has.
	SearchType SearchType `url:"search_type,omitempty"`
	// OrderBy is [SearchOrderByCreatedAt] by default, and Sort [SortDescending].
	OrderBy SearchOrderBy `url:"order_by,omitempty"`
	Sort    Sort          `url:"sort,omitempty"`
	// IncludeArchived also searches archived projects. Since 18.7; before about 16.5, they
	// are always searched. Only for [Instance] or a [GroupRef].
	IncludeArchived bool `url:"include_archived,omitempty" only:"instance,group"`
}

// SearchWikiBlobsOptions says which pages of wikis to search. Search is required.
type SearchWikiBlobsOptions struct {
	ListOptions
	// Search is the text to search for. It is required.
	Search string `url:"search" required:"true"`
	// Ref is a branch, a tag or a commit. Empty means the default branch. Only for a
	// [ProjectRef]: elsewhere, the default branches are searched.
	Ref string `url:"ref,omitempty" only:"project"`
	// SearchType defaults to the best type that the instance has.
	SearchType SearchType `url:"search_type,omitempty"`
	// OrderBy is [SearchOrderByCreatedAt] by default, and Sort [SortDescending].
	OrderBy SearchOrderBy `url:"order_by,omitempty"`
	Sort    Sort          `url:"sort,omitempty"`
	// IncludeArchived also searches archived projects. Since 18.7; before about 16.5, they
	// are always searched. Only for [Instance] or a [GroupRef].
	IncludeArchived bool `url:"include_archived,omitempty" only:"instance,group"`
}

// SearchBlob is a place in a file, or in a page of a wiki.
type SearchBlob struct {
	// Basename is the path without its suffix.
	Basename string `json:"basename"`
	// Data has the lines around the match.
	Data string `json:"data"`
	Path string `json:"path"`
	// Filename is the same as Path.
	Filename string `json:"filename"`
	// ID is usually empty.
	ID string `json:"id"`
	// Ref is the branch or the hash that was searched.
	Ref string `json:"ref"`
	// Startline is the number of the first line of Data, counted from 1.
	Startline int `json:"startline"`
	// ProjectID is nil for the wiki of a group.
	ProjectID *int64 `json:"project_id"`
	// GroupID is nil unless it is the wiki of a group. Since 16.2.
	GroupID *int64 `json:"group_id"`
}
