package servicetests

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func branchNames(t *testing.T, client *serviceapi.Client, options serviceapi.ListBranchesOptions) []string {
	t.Helper()
	options.PerPage = 2
	var names []string
	for branch, err := range client.Branches.All(t.Context(), app, &options) {
		require.NoError(t, err)
		names = append(names, branch.Name)
	}
	return names
}

func TestServiceListsBranches(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	for i, name := range []string{"rel/2", "rel/1", "fix-query", "Query"} {
		project.Commit(name, "Work on "+name, servicetest.Write("a", name),
			servicetest.CommittedAt(svc.Now().Add(time.Duration(i+1)*time.Hour)))
	}
	client := asRoot(t, svc)
	assert.Equal(t, []string{"Query", "fix-query", "main", "rel/1", "rel/2"},
		branchNames(t, client, serviceapi.ListBranchesOptions{}))
	assert.Equal(t, []string{"Query", "fix-query", "main", "rel/1", "rel/2"},
		branchNames(t, client, serviceapi.ListBranchesOptions{Pagination: serviceapi.PaginationKeyset}))
	assert.Equal(t, []string{"Query", "fix-query"},
		branchNames(t, client, serviceapi.ListBranchesOptions{Search: "query"}))
	assert.Equal(t, []string{"rel/1", "rel/2"}, branchNames(t, client, serviceapi.ListBranchesOptions{Search: "^rel/"}))
	assert.Equal(t, []string{"rel/2"}, branchNames(t, client, serviceapi.ListBranchesOptions{Search: "2$"}))
	assert.Equal(t, []string{"rel/1", "rel/2"},
		branchNames(t, client, serviceapi.ListBranchesOptions{Regex: `^rel/\d$`}))
	assert.Equal(t, []string{"Query", "fix-query", "rel/1", "rel/2", "main"},
		branchNames(t, client, serviceapi.ListBranchesOptions{Sort: serviceapi.BranchSortUpdatedDesc}))
	_, _, err := client.Branches.List(t.Context(), app, &serviceapi.ListBranchesOptions{Search: "a", Regex: "b"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = client.Branches.List(t.Context(), app, &serviceapi.ListBranchesOptions{Regex: "("})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceCreatesAndDeletesBranches(t *testing.T) {
	svc := servicetest.New(t)
	ada, eve := svc.User("ada"), svc.User("eve")
	project := svc.Project("acme/app", servicetest.Public(), servicetest.Member(ada, servicetest.Developer),
		servicetest.Member(eve, servicetest.Reporter))
	project.ProtectBranch("stable*", servicetest.DevelopersCanPush())
	project.Branch("stable", "main")
	client, ctx := as(t, svc, ada), t.Context()
	s := client.Branches
	made, resp, err := s.Create(ctx, app, serviceapi.CreateBranchOptions{Branch: "feature/x",
		Ref: project.Head("main")})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"feature/x", project.Head("main"), false, false, false, true},
		[]any{made.Name, made.Commit.ID, made.Merged, made.Protected, made.Default, made.CanPush})
	assert.Contains(t, project.Branches(), "feature/x")
	_, _, err = client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{
		Branch: "feature/x", CommitMessage: "Work",
		Actions: []serviceapi.CommitAction{serviceapi.CreateFileAction("x", []byte("y"))},
	})
	require.NoError(t, err)
	got, _, err := s.Get(ctx, app, "feature/x")
	require.NoError(t, err)
	assert.Equal(t, []any{"Work", false}, []any{got.Commit.Title, got.Merged})

	for _, options := range []serviceapi.CreateBranchOptions{
		{Branch: "feature/x", Ref: "main"}, {Branch: "a..b", Ref: "main"}, {Branch: "new", Ref: "gone"},
		{Branch: "feature", Ref: "main"},
	} {
		_, _, err := s.Create(ctx, app, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "%v", options)
	}
	asEve := as(t, svc, eve).Branches
	_, _, err = asEve.Create(ctx, app, serviceapi.CreateBranchOptions{Branch: "new", Ref: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = asEve.Delete(ctx, app, "feature/x")
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = s.Delete(ctx, app, "feature/x", serviceapi.WithHeader("If-Unmodified-Since",
		svc.Now().Add(-time.Hour).Format(http.TimeFormat)))
	assert.ErrorIs(t, err, serviceapi.ErrPreconditionFailed)

	for name, isDefault := range map[string]bool{"main": true, "stable": false} {
		_, err = s.Delete(ctx, app, name)
		protected, ok := errors.AsType[*serviceapi.ProtectedRefError](err)
		require.True(t, ok, name)
		assert.Equal(t, []any{name, isDefault}, []any{protected.Ref, protected.Default})
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	}
	resp, err = s.Delete(ctx, app, "feature/x")
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	assert.NotContains(t, project.Branches(), "feature/x")
	_, _, err = s.Get(ctx, app, "feature/x")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceProtectsBranches checks that a protection applies to everything
// that writes.
func TestServiceProtectsBranches(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	project.ProtectBranch("main")
	request := project.MergeRequest("feature")
	client, ctx := as(t, svc, ada), t.Context()
	stable, _, err := client.Branches.Get(ctx, app, "main")
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false, false}, []bool{stable.Protected, stable.CanPush, stable.DevelopersCanPush})
	_, _, err = client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{
		Branch: "main", CommitMessage: "Work",
		Actions: []serviceapi.CommitAction{serviceapi.CreateFileAction("x", []byte("y"))},
	})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = client.Commits.Revert(ctx, app, project.Head("main"), serviceapi.RevertOptions{Branch: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = client.RepositoryFiles.Delete(ctx, app, "README.md", serviceapi.DeleteRepositoryFileOptions{Branch: "main",
		CommitMessage: "Clear"})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = client.MergeRequests.Merge(ctx, app.MergeRequest(request.IID()), serviceapi.MergeOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	project.ProtectBranch("ma*", servicetest.DevelopersCanMerge())
	_, _, err = client.MergeRequests.Merge(ctx, app.MergeRequest(request.IID()), serviceapi.MergeOptions{})
	assert.NoError(t, err)
}

// TestServiceReadsPublicRepositories reads them without a credential.
func TestServiceReadsPublicRepositories(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app", servicetest.Public())
	project.Tag("v1", "")
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.Anonymous())
	require.NoError(t, err)
	ctx := t.Context()
	_, _, err = client.Branches.Get(ctx, app, "main")
	assert.NoError(t, err)
	_, _, err = client.Tags.Get(ctx, app, "v1")
	assert.NoError(t, err)
	_, _, err = client.Repository.ListTree(ctx, app, nil)
	assert.NoError(t, err)
	_, _, err = client.Branches.Create(ctx, app, serviceapi.CreateBranchOptions{Branch: "x", Ref: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

func TestServiceTags(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	begin := svc.Now()
	for i, name := range []string{"v1.9", "v1.10", "v1.2"} {
		project.Commit("main", "Release "+name, servicetest.Write("VERSION", name),
			servicetest.CommittedAt(begin.Add(time.Duration(i)*time.Hour)))
		project.Tag(name, "main")
	}
	svc.Advance(24 * time.Hour)
	project.ProtectTag("lts-*")
	project.Release("v1.9", "The ninth")
	client, ctx := as(t, svc, ada).Tags, t.Context()
	made, resp, err := client.Create(ctx, app, serviceapi.CreateTagOptions{TagName: "rc/1", Ref: "v1.2",
		Message: new("Try it")})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"rc/1", "Try it", project.Head("main"), svc.Now()},
		[]any{made.Name, made.Message, made.Commit.ID, *made.CreatedAt})
	assert.NotEqual(t, made.Commit.ID, made.Target, "an annotated tag is an object of its own")
	light, _, err := client.Get(ctx, app, "v1.9")
	require.NoError(t, err)
	assert.Equal(t, []any{light.Commit.ID, "The ninth"}, []any{light.Target, light.Release.Description})
	assert.Empty(t, light.Message)
	assert.Nil(t, light.CreatedAt)

	names := func(options serviceapi.ListTagsOptions) string {
		options.PerPage = 2
		var names []string
		for tag, err := range client.All(ctx, app, &options) {
			require.NoError(t, err)
			names = append(names, tag.Name)
		}
		return fmt.Sprint(names)
	}
	assert.Equal(t, "[rc/1 v1.2 v1.10 v1.9]", names(serviceapi.ListTagsOptions{}))
	assert.Equal(t, "[rc/1 v1.10 v1.2 v1.9]",
		names(serviceapi.ListTagsOptions{OrderBy: serviceapi.TagOrderByName, Sort: serviceapi.SortAscending}))
	assert.Equal(t, "[v1.10 v1.9 v1.2]",
		names(serviceapi.ListTagsOptions{OrderBy: serviceapi.TagOrderByVersion, Search: "^v",
			Pagination: serviceapi.PaginationKeyset}))
	_, resp, err = client.List(ctx, app, &serviceapi.ListTagsOptions{ListOptions: serviceapi.ListOptions{PerPage: 1},
		Pagination: serviceapi.PaginationKeyset})
	require.NoError(t, err)
	_, err = client.Delete(ctx, app, "rc/1")
	require.NoError(t, err)
	_, _, err = client.List(ctx, app,
		&serviceapi.ListTagsOptions{ListOptions: serviceapi.ListOptions{PageToken: resp.NextPageToken}})
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable, "the tag that the page follows is gone")

	for _, options := range []serviceapi.CreateTagOptions{
		{TagName: "v1.9", Ref: "main"}, {TagName: "a b", Ref: "main"}, {TagName: "new", Ref: "gone"},
	} {
		_, _, err := client.Create(ctx, app, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "%v", options)
	}
	_, _, err = client.Create(ctx, app, serviceapi.CreateTagOptions{TagName: "lts-1", Ref: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	project.Tag("lts-1", "main")
	_, err = client.Delete(ctx, app, "lts-1")
	protected, ok := errors.AsType[*serviceapi.ProtectedRefError](err)
	require.True(t, ok)
	assert.Equal(t, "lts-1", protected.Ref)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.NotContains(t, project.Tags(), "rc/1")
	_, err = client.Delete(ctx, app, "rc/1")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceSaysWhetherABranchExists(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Branch("fix/1", "main")
	root, ctx := asRoot(t, svc), t.Context()
	for name, want := range map[string]bool{"fix/1": true, "fix": false} {
		exists, _, err := root.Branches.Exists(ctx, app, name)
		require.NoError(t, err)
		assert.Equal(t, want, exists, name)
	}
	exists, _, err := as(t, svc, svc.User("bob")).Branches.Exists(ctx, app, "fix/1")
	require.NoError(t, err)
	assert.False(t, exists, "he cannot see the project")
}

func TestServiceDeletesMergedBranches(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	begun := project.Head("main")
	project.Commit("main", "One", servicetest.Write("a", "1"))
	project.Commit("topic", "Two", servicetest.Write("b", "2"))
	for _, name := range []string{"merged", "kept", "wanted"} {
		project.Branch(name, begun)
	}
	project.ProtectBranch("kept")
	project.MergeRequest("topic", servicetest.Into("wanted"))
	resp, err := asRoot(t, svc).Branches.DeleteMerged(t.Context(), app)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	assert.Equal(t, []string{"kept", "main", "topic", "wanted"}, project.Branches())
}

func TestServiceTagSignatures(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	project.SignTag("v1", "", servicetest.X509, "verified")
	project.SignTag("v2", "", servicetest.SSH, "unverified")
	project.Commit("main", "Sign", servicetest.Write("a", "1"), servicetest.Signed(servicetest.PGP, "verified"))
	project.Tag("v3", "")
	s, ctx := asRoot(t, svc).Tags, t.Context()
	signature, _, err := s.GetSignature(ctx, app, "v1")
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.SignatureTypeX509, serviceapi.SignatureStatusVerified, "CN=Administrator"},
		[]any{signature.SignatureType, signature.VerificationStatus, signature.X509Certificate.Subject})
	signature, _, err = s.GetSignature(ctx, app, "v2")
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.TagSignature{SignatureType: serviceapi.SignatureTypeSSH}, signature)
	_, _, err = s.GetSignature(ctx, app, "v3")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "only the commit is signed")
	tag, _, err := s.Get(ctx, app, "v1")
	require.NoError(t, err)
	assert.Equal(t, []any{"v1", svc.Now()}, []any{tag.Message, *tag.CreatedAt})
}
