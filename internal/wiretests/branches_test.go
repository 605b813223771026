package wiretests

import (
	"errors"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const branchesPath = "/projects/acme%2Fapp/repository/branches"

// wholeBranch is branches/branch.json.
func wholeBranch(t testing.TB) *serviceapi.Branch {
	return &serviceapi.Branch{
		Name: "feature/query", Commit: sanitizeCommit(t), Merged: true, Protected: true, Default: true,
		DevelopersCanPush: true, DevelopersCanMerge: true, CanPush: true,
		WebURL: "https://service.test/acme/app/-/tree/feature/query",
	}
}

func TestBranchesLists(t *testing.T) {
	reply := "[" + fixture(t, "branches/branch.json") + `,{"name":"x","commit":{"id":"1","parent_ids":null}}]`
	client := onWire(t,
		exchange{Method: "GET", Path: branchesPath, Body: reply},
		exchange{Method: "GET", Path: branchesPath,
			Query: "page=2&per_page=5&regex=%5Erel%2F&search=fix%24&sort=updated_desc", Body: reply},
		exchange{
			Method: "GET", Path: branchesPath, Query: "pagination=keyset&per_page=100",
			Body: "[" + fixture(t, "branches/branch.json") + "]",
			ResponseHeader: map[string]string{"Link": `<` + wireHost + `/api/v4` + branchesPath +
				`?page_token=feature%2Fquery&pagination=keyset&per_page=100>; rel="next"`},
		},
		exchange{Method: "GET", Path: branchesPath, Query: "page_token=feature%2Fquery&pagination=keyset&per_page=100",
			Body: `[{"name":"x","commit":{"id":"1","parent_ids":null}}]`},
	)
	want := []*serviceapi.Branch{wholeBranch(t), {Name: "x", Commit: &serviceapi.Commit{ID: "1"}}}
	s, ctx, app := client.Branches, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, options := range []*serviceapi.ListBranchesOptions{nil, {
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Search: "fix$", Regex: "^rel/",
		Sort: serviceapi.BranchSortUpdatedDesc,
	}} {
		branches, _, err := s.List(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, want, branches)
	}
	branches, err := serviceapi.Collect(
		s.All(ctx, app, &serviceapi.ListBranchesOptions{Pagination: serviceapi.PaginationKeyset}),
	)
	require.NoError(t, err)
	assert.Equal(t, want, branches)
}

func TestBranchesGetCreateDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: branchesPath + "/feature%2Fquery", Fixture: "branches/branch.json"},
		exchange{Method: "POST", Path: branchesPath, JSON: `{"branch":"feature/query","ref":"main"}`, Status: 201,
			Fixture: "branches/branch.json"},
		exchange{Method: "POST", Path: branchesPath, JSON: `{"branch":"main","ref":"main"}`, Status: 400,
			Body: `{"message":"Branch already exists"}`},
		exchange{Method: "DELETE", Path: branchesPath + "/feature%2Fquery", Status: 204},
	)
	s, ctx, app := client.Branches, t.Context(), serviceapi.ProjectPath("acme/app")
	branch, _, err := s.Get(ctx, app, "feature/query")
	require.NoError(t, err)
	assert.Equal(t, wholeBranch(t), branch)
	branch, resp, err := s.Create(ctx, app, serviceapi.CreateBranchOptions{Branch: "feature/query", Ref: "main"})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, wholeBranch(t), branch)
	_, _, err = s.Create(ctx, app, serviceapi.CreateBranchOptions{Branch: "main", Ref: "main"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "already exists")
	resp, err = s.Delete(ctx, app, "feature/query")
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

func TestProtectedRefError(t *testing.T) {
	for _, c := range []struct {
		status             int
		message            string
		typed, protectedBy bool
	}{
		{400, "Protected branch cannot be deleted", true, false},
		{403, "403 Forbidden - Protected branch", true, false},
		{400, "Default branch cannot be deleted", true, true},
		{400, "Cannot remove HEAD branch", true, true},
		{400, "The branch is locked by a merge", false, false},
		{403, "403 Forbidden", false, false},
		{404, "404 Branch Not Found (it was protected)", false, false},
		{412, "412 Precondition Failed", false, false},
	} {
		client := onWire(t,
			exchange{Method: "DELETE", Path: branchesPath + "/rel%2F1", Status: c.status,
				Body: `{"message":"` + c.message + `"}`},
			exchange{Method: "DELETE", Path: "/projects/acme%2Fapp/repository/tags/rel%2F1", Status: c.status,
				Body: `{"message":"` + c.message + `"}`},
		)
		_, branchErr := client.Branches.Delete(t.Context(), serviceapi.ProjectPath("acme/app"), "rel/1")
		_, tagErr := client.Tags.Delete(t.Context(), serviceapi.ProjectPath("acme/app"), "rel/1")
		for _, err := range []error{branchErr, tagErr} {
			var plain *serviceapi.Error
			require.ErrorAs(t, err, &plain, c.message)
			assert.Equal(t, c.status, plain.StatusCode, c.message)
			protected, typed := errors.AsType[*serviceapi.ProtectedRefError](err)
			assert.Equal(t, c.typed, typed, c.message)
			if typed {
				assert.Equal(
					t,
					serviceapi.ProtectedRefError{Err: plain, Ref: "rel/1", Default: c.protectedBy},
					*protected,
				)
				want := "(rel/1 is protected)"
				if c.protectedBy {
					want = "(rel/1 is the default branch)"
				}
				assert.ErrorContains(t, err, want)
			}
		}
	}
}

func TestBranchesArguments(t *testing.T) {
	s, ctx := onWire(t).Branches, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, all := serviceapi.Collect(s.All(ctx, serviceapi.ProjectPath("a//b"), nil))
	_, deleted := s.Delete(ctx, serviceapi.ProjectID(1), "..")
	for name, err := range map[string]error{
		"list":   failed(s.List(ctx, serviceapi.ProjectRef{}, nil)),
		"all":    all,
		"get":    failed(s.Get(ctx, serviceapi.ProjectID(1), "")),
		"create": failed(s.Create(ctx, serviceapi.ProjectID(0), serviceapi.CreateBranchOptions{})),
		"delete": deleted,
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}

func TestBranchesExists(t *testing.T) {
	const path = "/projects/4/repository/branches/fix%2F1"
	client := onWire(t,
		exchange{Method: "HEAD", Path: path, Status: 204},
		exchange{Method: "HEAD", Path: path, Status: 404},
		exchange{Method: "HEAD", Path: path, Status: 403},
	)
	s, ctx := client.Branches, t.Context()
	for _, want := range []struct {
		exists bool
		status int
		err    error
	}{{true, 204, nil}, {false, 404, nil}, {false, 403, serviceapi.ErrForbidden}} {
		exists, resp, err := s.Exists(ctx, somewhere, "fix/1")
		assert.ErrorIs(t, err, want.err)
		assert.Equal(t, want.exists, exists)
		assert.Equal(t, want.status, resp.StatusCode)
	}
	exists, _, err := s.Exists(ctx, somewhere, "")
	assertRefused(t, "branch", err)
	assert.False(t, exists)
}

func TestBranchesDeleteMerged(t *testing.T) {
	client := onWire(t, exchange{Method: "DELETE", Path: "/projects/4/repository/merged_branches", Status: 202,
		Body: `{"message":"202 Accepted"}`})
	resp, err := client.Branches.DeleteMerged(t.Context(), somewhere)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
}
