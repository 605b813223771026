package wiretests

import (
	"context"
	"iter"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A searchCall has the two forms of a search.
type searchCall[O, P, T any] struct {
	list func(context.Context, O, P, ...serviceapi.RequestOption) ([]T, *serviceapi.Response, error)
	all  func(context.Context, O, P, ...serviceapi.RequestOption) iter.Seq2[T, error]
}

// finds searches in an owner with options and without, and checks the queries.
func (c searchCall[O, P, T]) finds(t *testing.T, owner O, options, least P, want T) {
	t.Helper()
	found, _, err := c.list(t.Context(), owner, options)
	require.NoError(t, err)
	assert.Equal(t, []T{want}, found)
	found, err = serviceapi.Collect(c.all(t.Context(), owner, least))
	require.NoError(t, err)
	assert.Equal(t, []T{want}, found)
	var none P
	_, _, err = c.list(t.Context(), owner, none)
	assertRefused(t, "Search", err)
	_, err = serviceapi.Collect(c.all(t.Context(), owner, none))
	assertRefused(t, "Search", err)
}

// searched returns the client for a search of a scope, whose first call has more options.
func searched(t *testing.T, path, scope, more, body string) *serviceapi.SearchService {
	return onWire(t,
		exchange{Method: "GET", Path: path, Query: more, Body: "[" + body + "]"},
		exchange{Method: "GET", Path: path, Query: "per_page=100&scope=" + scope + "&search=tea", Body: "[" + body +
			"]"},
	).Search
}

func TestSearchProjects(t *testing.T) {
	options := &serviceapi.SearchOptions{
		ListOptions: serviceapi.ListOptions{Page: 2}, Search: "tea shop", SearchType: serviceapi.SearchTypeAdvanced,
		OrderBy: serviceapi.SearchOrderByCreatedAt, Sort: serviceapi.SortAscending, IncludeArchived: true,
	}
	for path, owner := range map[string]serviceapi.ProjectSearchOwner{
		"/search": serviceapi.Instance, "/groups/acme%2Ftea/search": serviceapi.GroupPath("acme/tea"),
	} {
		s := searched(t, path, "projects",
			"include_archived=true&order_by=created_at&page=2&scope=projects&search=tea+shop"+
				"&search_type=advanced&sort=asc", `{"id":7}`)
		searchCall[serviceapi.ProjectSearchOwner, *serviceapi.SearchOptions, *serviceapi.Project]{
			s.ListProjects,
			s.AllProjects,
		}.finds(
			t,
			owner,
			options,
			&serviceapi.SearchOptions{Search: "tea"},
			&serviceapi.Project{ID: 7},
		)
	}
}

// searchOwners are the owners of most searches, with their paths.
var searchOwners = map[string]serviceapi.SearchOwner{
	"/search": serviceapi.Instance, "/groups/3/search": serviceapi.GroupID(3),
	"/projects/acme%2Fapp/search": serviceapi.ProjectPath("acme/app"),
}

func TestSearchTopics(t *testing.T) {
	for path, owner := range searchOwners {
		s := searched(t, path, "issues",
			"confidential=false&fields%5B%5D=title&scope=issues&search=tea&state=opened", `{"id":34}`)
		searchCall[serviceapi.SearchOwner, *serviceapi.SearchIssuesOptions, *serviceapi.Issue]{
			s.ListIssues,
			s.AllIssues,
		}.finds(
			t,
			owner,
			&serviceapi.SearchIssuesOptions{
				Search: "tea", State: serviceapi.IssueStateOpened, Confidential: new(false),
				Fields: []serviceapi.SearchField{serviceapi.SearchFieldTitle},
			},
			&serviceapi.SearchIssuesOptions{Search: "tea"},
			&serviceapi.Issue{ID: 34},
		)

		s = searched(t, path, "merge_requests",
			"fields%5B%5D=title&scope=merge_requests&search=tea&state=merged", `{"id":11}`)
		searchCall[serviceapi.SearchOwner, *serviceapi.SearchMergeRequestsOptions, *serviceapi.MergeRequest]{
			s.ListMergeRequests,
			s.AllMergeRequests,
		}.finds(
			t,
			owner,
			&serviceapi.SearchMergeRequestsOptions{
				Search: "tea", State: serviceapi.MergeRequestStateMerged,
				Fields: []serviceapi.SearchField{serviceapi.SearchFieldTitle},
			},
			&serviceapi.SearchMergeRequestsOptions{Search: "tea"},
			&serviceapi.MergeRequest{ID: 11},
		)

		options, least := &serviceapi.SearchOptions{
			Search: "tea",
			Sort:   serviceapi.SortDescending,
		}, &serviceapi.SearchOptions{
			Search: "tea",
		}
		s = searched(t, path, "milestones", "scope=milestones&search=tea&sort=desc", `{"id":12}`)
		searchCall[serviceapi.SearchOwner, *serviceapi.SearchOptions, *serviceapi.Milestone]{
			s.ListMilestones,
			s.AllMilestones,
		}.finds(
			t,
			owner,
			options,
			least,
			&serviceapi.Milestone{ID: 12},
		)
		s = searched(t, path, "users", "scope=users&search=tea&sort=desc", `{"id":1,"username":"tea"}`)
		searchCall[serviceapi.SearchOwner, *serviceapi.SearchOptions, *serviceapi.UserSummary]{
			s.ListUsers,
			s.AllUsers,
		}.finds(
			t,
			owner,
			options,
			least,
			&serviceapi.UserSummary{ID: 1, Username: "tea"},
		)
		s = searched(t, path, "notes", "scope=notes&search=tea&sort=desc", `{"id":302}`)
		searchCall[serviceapi.SearchOwner, *serviceapi.SearchOptions, *serviceapi.Note]{
			s.ListNotes,
			s.AllNotes,
		}.finds(
			t,
			owner,
			options,
			least,
			&serviceapi.Note{ID: 302},
		)
	}
}

func TestSearchSnippetTitles(t *testing.T) {
	s := searched(t, "/search", "snippet_titles", "include_archived=true&scope=snippet_titles&search=tea", `{"id":3}`)
	found, _, err := s.ListSnippetTitles(t.Context(), &serviceapi.SearchOptions{Search: "tea", IncludeArchived: true})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Snippet{{ID: 3}}, found)
	found, err = serviceapi.Collect(s.AllSnippetTitles(t.Context(), &serviceapi.SearchOptions{Search: "tea"}))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Snippet{{ID: 3}}, found)
}

// priceBlob is testdata/search/blob.json.
func priceBlob() *serviceapi.SearchBlob {
	return &serviceapi.SearchBlob{
		Basename: "shop/price", Data: "tea 3\nmilk 1\n", Path: "shop/price.txt", Filename: "shop/price.txt", ID: "1f3a",
		Ref: "main", Startline: 4, ProjectID: new(int64(7)), GroupID: new(int64(3)),
	}
}

func TestSearchRepositories(t *testing.T) {
	blob := fixture(t, "search/blob.json")
	for path, owner := range searchOwners {
		ref, query, code, codeQuery := "", "", &serviceapi.SearchBlobsOptions{Search: "tea", ExcludeForks: true,
			Regex: new(false)},
			"exclude_forks=true&regex=false&scope=blobs&search=tea"
		if owner == serviceapi.ProjectPath("acme/app") {
			ref, query = "v1", "ref=v1&"
			code, codeQuery = &serviceapi.SearchBlobsOptions{Search: "tea", Ref: "v1", Regex: new(true)},
				"ref=v1&regex=true&scope=blobs&search=tea"
		}
		s := searched(t, path, "commits", query+"scope=commits&search=tea", `{"id":"1f3a","project_id":7}`)
		searchCall[serviceapi.SearchOwner, *serviceapi.SearchCommitsOptions, *serviceapi.CommitDetails]{
			s.ListCommits,
			s.AllCommits,
		}.finds(
			t,
			owner,
			&serviceapi.SearchCommitsOptions{Search: "tea", Ref: ref},
			&serviceapi.SearchCommitsOptions{Search: "tea"},
			&serviceapi.CommitDetails{Commit: serviceapi.Commit{ID: "1f3a"}, ProjectID: 7},
		)
		s = searched(t, path, "blobs", codeQuery, blob)
		searchCall[serviceapi.SearchOwner, *serviceapi.SearchBlobsOptions, *serviceapi.SearchBlob]{
			s.ListBlobs,
			s.AllBlobs,
		}.finds(
			t,
			owner,
			code,
			&serviceapi.SearchBlobsOptions{Search: "tea"},
			priceBlob(),
		)
		s = searched(t, path, "wiki_blobs", query+"scope=wiki_blobs&search=tea", blob)
		searchCall[serviceapi.SearchOwner, *serviceapi.SearchWikiBlobsOptions, *serviceapi.SearchBlob]{
			s.ListWikiBlobs,
			s.AllWikiBlobs,
		}.finds(
			t,
			owner,
			&serviceapi.SearchWikiBlobsOptions{
				Search: "tea",
				Ref:    ref,
			},
			&serviceapi.SearchWikiBlobsOptions{Search: "tea"},
			priceBlob(),
		)
	}
	assertFilled(t, priceBlob())
}

func TestSearchArguments(t *testing.T) {
	s, ctx := onWire(t).Search, t.Context()
	for _, owner := range []serviceapi.SearchOwner{nil, serviceapi.ProjectRef{}, serviceapi.GroupRef{}, &somewhere} {
		_, _, err := s.ListUsers(ctx, owner, &serviceapi.SearchOptions{Search: "tea"})
		require.ErrorAs(t, err, new(*serviceapi.ArgumentError))
	}
	_, _, err := s.ListBlobs(ctx, serviceapi.GroupID(3), &serviceapi.SearchBlobsOptions{Search: "tea", Ref: "v1"})
	assertRefused(t, "Ref", err)
	_, _, err = s.ListCommits(
		ctx,
		serviceapi.ProjectID(7),
		&serviceapi.SearchCommitsOptions{Search: "tea", IncludeArchived: true},
	)
	assertRefused(t, "IncludeArchived", err)
	_, _, err = s.ListSnippetTitles(ctx, &serviceapi.SearchOptions{})
	assertRefused(t, "Search", err)
}
