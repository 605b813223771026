package wiretests

import (
	"context"
	"iter"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMergeRequestDependencies(t *testing.T) {
	type c = serviceapi.Client
	type o = serviceapi.ListOptions
	type dependency = serviceapi.MergeRequestDependency
	const path, whole = mergeRequestPath + "/blocks", "merge_requests/dependency.json"
	app := serviceapi.ProjectPath("acme/app")
	mr, want := app.MergeRequest(14), &dependency{
		ID: 31, ProjectID: 4, BlockingMergeRequest: listedMergeRequest(t),
		BlockedMergeRequest: &serviceapi.MergeRequest{ID: 85, IID: 15, ProjectID: 4, Title: "Wait"},
	}
	assertPlainList(t, path, whole, want,
		func(c *c, ctx context.Context, o *o) ([]*dependency, *serviceapi.Response, error) {
			return c.MergeRequests.ListDependencies(ctx, mr, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*dependency, error] {
			return c.MergeRequests.AllDependencies(ctx, mr, o)
		})
	assertPlainList(t, mergeRequestPath+"/blockees", whole, want,
		func(c *c, ctx context.Context, o *o) ([]*dependency, *serviceapi.Response, error) {
			return c.MergeRequests.ListDependents(ctx, mr, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*dependency, error] {
			return c.MergeRequests.AllDependents(ctx, mr, o)
		})
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/31", Fixture: whole},
		exchange{Method: "GET", Path: path + "/31", Body: `{"id":31}`},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"blocking_merge_request_id":84}`},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"blocking_project_id":"acme/lib","blocking_merge_request_iid":7}`},
		exchange{Method: "DELETE", Path: path + "/31", Status: 204})
	s, ctx := client.MergeRequests, t.Context()
	got, _, err := s.GetDependency(ctx, mr, 31)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.GetDependency(ctx, mr, 31)
	require.NoError(t, err)
	assert.Equal(t, &dependency{ID: 31}, got)
	other := serviceapi.ProjectPath("acme/lib").MergeRequest(7)
	for _, options := range []serviceapi.CreateMergeRequestDependencyOptions{
		{BlockingID: new(int64(84))}, {Blocking: other},
	} {
		got, _, err = s.CreateDependency(ctx, mr, options)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	resp, err := s.DeleteDependency(ctx, mr, 31)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)

	create := func(options serviceapi.CreateMergeRequestDependencyOptions) error {
		return errorOf(s.CreateDependency(ctx, mr, options))
	}
	assertRefused(t, "Blocking", create(serviceapi.CreateMergeRequestDependencyOptions{}))
	assertRefused(t, "Blocking", create(serviceapi.CreateMergeRequestDependencyOptions{Blocking: app.MergeRequest(0)}))
	assertRefused(t, "Blocking", create(serviceapi.CreateMergeRequestDependencyOptions{
		Blocking: serviceapi.ProjectRef{}.MergeRequest(7),
	}))
	assertRefused(t, "BlockingID", create(serviceapi.CreateMergeRequestDependencyOptions{
		Blocking: other, BlockingID: new(int64(84)),
	}))
	assertRefused(t, "block_id", errorOf(s.GetDependency(ctx, mr, 0)))
	assertRefused(t, "block_id", second(s.DeleteDependency(ctx, mr, -1)))
	assertRefused(t, "merge request", errorOf(s.ListDependents(ctx, serviceapi.MergeRequestRef{}, nil)))
}

func TestMergeRequestContextCommits(t *testing.T) {
	type c = serviceapi.Client
	type o = serviceapi.ListOptions
	const path, whole = mergeRequestPath + "/context_commits", "commits/commit.json"
	mr := serviceapi.ProjectPath("acme/app").MergeRequest(14)
	assertPlainList(t, path, whole, runningCommit(t),
		func(c *c, ctx context.Context, o *o) ([]*serviceapi.Commit, *serviceapi.Response, error) {
			return c.MergeRequests.ListContextCommits(ctx, mr, o)
		}, func(c *c, ctx context.Context, o *o) iter.Seq2[*serviceapi.Commit, error] {
			return c.MergeRequests.AllContextCommits(ctx, mr, o)
		})
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, JSON: `{"commits":["a","b"]}`,
			Body: "[" + fixture(t, whole) + `,{"id":"b","parent_ids":null}]`},
		exchange{Method: "POST", Path: path, Status: 400, JSON: `{"commits":["a"]}`,
			Body: `{"message":"One or more context commits' sha is not valid."}`},
		exchange{Method: "DELETE", Path: path, Query: "commits%5B%5D=a&commits%5B%5D=b", Status: 204})
	s, ctx := client.MergeRequests, t.Context()
	got, _, err := s.CreateContextCommits(ctx, mr, serviceapi.CreateContextCommitsOptions{Commits: []string{"a", "b"}})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Commit{runningCommit(t), {ID: "b"}}, got)
	got, _, err = s.CreateContextCommits(ctx, mr, serviceapi.CreateContextCommitsOptions{Commits: []string{"a"}})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.Nil(t, got)
	resp, err := s.DeleteContextCommits(ctx, mr, &serviceapi.DeleteContextCommitsOptions{Commits: []string{"a", "b"}})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	assertRefused(t, "Commits", errorOf(s.CreateContextCommits(ctx, mr, serviceapi.CreateContextCommitsOptions{})))
	assertRefused(t, "Commits", second(s.DeleteContextCommits(ctx, mr, nil)))
}

func TestMergeRequestRelatedIssues(t *testing.T) {
	const path, list = mergeRequestPath + "/related_issues", "merge_requests/closes_issues.json"
	mr := serviceapi.ProjectPath("acme/app").MergeRequest(14)
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Fixture: list},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Fixture: list})
	got, _, err := client.MergeRequests.ListRelatedIssues(t.Context(), mr, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	require.Len(t, got, 2)
	assert.Equal(t, "The numbers are wrong.", got[0].Description)
	assert.Equal(t, serviceapi.ProjectID(4).Issue(6), got[0].Ref())
	assert.Equal(t, &serviceapi.RelatedIssue{
		ID: serviceapi.IssueID{Key: "PROJECT-123"}, Title: "Title of this issue",
	}, got[1])
	all, err := serviceapi.Collect(client.MergeRequests.AllRelatedIssues(t.Context(), mr, nil))
	require.NoError(t, err)
	assert.Equal(t, got, all)
}
