package servicetests

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceSendsBlobs(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.Public())
	app.Commit("main", "Add", servicetest.Write("a/b.txt", "old\n"))
	ctx, ref, client := t.Context(), serviceapi.ProjectID(app.ID()), asAnybody(t, svc)
	tree, _, err := client.Repository.ListTree(ctx, ref, &serviceapi.ListTreeOptions{Path: "a"})
	require.NoError(t, err)
	app.Commit("main", "Change", servicetest.Write("a/b.txt", "new\n"))
	blob, _, err := client.Repository.DownloadBlob(ctx, ref, tree[0].ID)
	require.NoError(t, err)
	data, err := io.ReadAll(blob)
	require.NoError(t, err)
	require.NoError(t, blob.Close())
	assert.Equal(t, "old\n", string(data))
	_, _, err = client.Repository.DownloadBlob(ctx, ref, app.Head("main"))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceListsContributors(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	app := svc.Project("acme/app")
	svc.Project("acme/empty", servicetest.EmptyRepository())
	begun := app.Head("main")
	app.Commit("main", "One", servicetest.Write("a", "1"), servicetest.CommitAuthor(bob))
	app.Commit("main", "Two", servicetest.Write("a", "2"), servicetest.CommitAuthor(ada))
	app.Commit("main", "Three", servicetest.Write("a", "3"), servicetest.CommitAuthor(bob))
	app.Commit("topic", "Four", servicetest.Write("b", "4"), servicetest.CommitAuthor(ada))
	app.MergeRequest("topic").Merge()
	root, ctx := asRoot(t, svc), t.Context()
	list := func(path string, options *serviceapi.ListContributorsOptions) (found []string) {
		all, err := serviceapi.Collect(root.Repository.AllContributors(ctx, serviceapi.ProjectPath(path), options))
		require.NoError(t, err)
		for _, c := range all {
			found = append(found, c.Name+strings.Repeat("+", c.Commits))
		}
		return found
	}
	assert.Equal(t, []string{"Administrator+", "Bob++", "Ada++"}, list("acme/app", nil))
	byName := &serviceapi.ListContributorsOptions{OrderBy: serviceapi.ContributorOrderByName,
		Sort: serviceapi.SortDescending}
	assert.Equal(t, []string{"Bob++", "Administrator+", "Ada++"}, list("acme/app", byName))
	assert.Equal(t, []string{"Administrator+"}, list("acme/app", &serviceapi.ListContributorsOptions{Ref: begun}))
	assert.Empty(t, list("acme/empty", nil))
	_, _, err := root.Repository.ListContributors(ctx, serviceapi.ProjectPath("acme/app"),
		&serviceapi.ListContributorsOptions{Ref: "none"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceWritesChangelogs(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	first := app.Commit("main", "Begin\n\nChangelog: added", servicetest.Write("a", "1"))
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	notes := func(options serviceapi.GenerateChangelogOptions) string {
		changelog, _, err := root.Repository.GenerateChangelog(ctx, ref, &options)
		require.NoError(t, err)
		return changelog.Notes
	}
	_, _, err := root.Repository.GenerateChangelog(ctx, ref, &serviceapi.GenerateChangelogOptions{Version: "1.0.0"})
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable, "there is no earlier tag")
	_, _, err = root.Repository.GenerateChangelog(ctx, ref, &serviceapi.GenerateChangelogOptions{Version: "one"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	app.Tag("v0.9.0", first)
	crash := app.Commit("main", "Fix a crash\n\nChangelog: fixed", servicetest.Write("a", "2"))
	app.Tag("v1.0.0-rc1", crash)
	app.Tag("v1.0.1", crash)
	slow := app.Commit("main", "Go faster\n\nKind: speed\nChangelog: fixed", servicetest.Write("a", "3"))
	app.Commit("main", "Clean up", servicetest.Write("a", "4"))
	bad := app.Commit("main", "Add it\n\nChangelog: added", servicetest.Write("b", "5"))
	app.Commit("main", "Revert \"Add it\"\n\nThis reverts commit "+bad, servicetest.Remove("b"))
	assert.Equal(t, "## 1.0.0 (2026-01-15)\n\n### fixed (2 changes)\n\n- [Fix a crash](acme/app@"+crash+")\n"+
		"- [Go faster](acme/app@"+slow+")\n", notes(serviceapi.GenerateChangelogOptions{Version: "v1.0.0"}))
	assert.Equal(t, "## 1.0.0 (2026-03-01)\n\n### speed (1 change)\n\n- [Go faster](acme/app@"+slow+")\n",
		notes(serviceapi.GenerateChangelogOptions{Version: "1.0.0", Trailer: "Kind",
			Date: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}))
	assert.Equal(t, "## 1.0.0 (2026-01-15)\n\nNo changes.\n",
		notes(serviceapi.GenerateChangelogOptions{Version: "1.0.0", From: first, To: first}))
}

func TestServiceShowsSignatures(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app")
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	_, _, err := root.Commits.GetSignature(ctx, ref, "main")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	for kind, want := range map[servicetest.SignatureKind]serviceapi.SignatureType{
		servicetest.PGP: serviceapi.SignatureTypePGP, servicetest.X509: serviceapi.SignatureTypeX509,
		servicetest.SSH: serviceapi.SignatureTypeSSH,
	} {
		sha := app.Commit("main", "Sign by "+string(kind), servicetest.CommitAuthor(ada),
			servicetest.Signed(kind, "unverified"),
			servicetest.Write("kind", string(kind)))
		signature, _, err := root.Commits.GetSignature(ctx, ref, "main")
		require.NoError(t, err)
		assert.Equal(t, []any{want, serviceapi.SignatureStatusUnverified},
			[]any{signature.SignatureType, signature.VerificationStatus})
		assert.Equal(t, []bool{want == serviceapi.SignatureTypePGP, want == serviceapi.SignatureTypeX509,
			want == serviceapi.SignatureTypeSSH},
			[]bool{signature.GPGKeyID != nil, signature.X509Certificate != nil, signature.Key != nil})
		_, _, err = root.Commits.GetSignature(ctx, ref, sha)
		require.NoError(t, err)
	}
	_, _, err = root.Commits.GetSignature(ctx, ref, "none")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceCommitsChangelogs(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	project.Tag("v0.9.0", "main")
	added := project.Commit("main", "Add\n\nChangelog: added", servicetest.Write("a", "1"))
	s, ctx := asRoot(t, svc).Repository, t.Context()
	options := serviceapi.AddChangelogOptions{Version: "1.0.0", Date: new(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))}
	resp, err := s.AddChangelog(ctx, app, options)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	notes, _, err := s.GenerateChangelog(ctx, app, &serviceapi.GenerateChangelogOptions{
		Version: "1.0.0", To: added, Date: *options.Date})
	require.NoError(t, err)
	text, _ := project.File("main", "CHANGELOG.md")
	assert.Equal(t, "## 1.0.0 (2026-02-01)\n\n### added (1 change)\n\n- [Add](acme/app@"+added+")\n", text)
	assert.Equal(t, notes.Notes, text)
	_, err = s.AddChangelog(ctx, app, serviceapi.AddChangelogOptions{Version: "0.8.0"})
	assert.ErrorIs(t, err, serviceapi.ErrUnprocessable)
}

func TestServiceFindsMergeBases(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	begun := project.Head("main")
	project.Commit("main", "One", servicetest.Write("a", "1"))
	two := project.Commit("topic", "Two", servicetest.Write("b", "2"))
	project.Branch("old", begun)
	s, ctx := asRoot(t, svc).Repository, t.Context()
	for want, refs := range map[string][]string{
		project.Head("main"): {"topic", "main"}, begun: {"topic", "main", "old"}, two: {"topic", two},
	} {
		base, _, err := s.GetMergeBase(ctx, app, &serviceapi.GetMergeBaseOptions{Refs: refs})
		require.NoError(t, err)
		assert.Equal(t, want, base.ID, refs)
	}
	_, _, err := s.GetMergeBase(ctx, app, &serviceapi.GetMergeBaseOptions{Refs: []string{"topic", "none"}})
	assert.ErrorContains(t, err, "Could not find ref: none")
}

func TestServiceReportsTheHealthOfRepositories(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	root, ctx := asRoot(t, svc), t.Context()
	_, _, err := root.Repository.GetHealth(ctx, app, nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	made, _, err := root.Repository.GetHealth(ctx, app, &serviceapi.GetRepositoryHealthOptions{Generate: true})
	require.NoError(t, err)
	assert.Equal(t, []any{int64(6), 1, 2, svc.Now()},
		[]any{made.Size, made.References.LooseCount, made.Objects.LooseObjectsCount, made.UpdatedAt})
	assert.Nil(t, made.Alternates)
	again, _, err := root.Repository.GetHealth(ctx, app, nil)
	require.NoError(t, err)
	assert.Equal(t, made, again)

	fork, _, err := root.Projects.Fork(ctx, app, serviceapi.ForkProjectOptions{Path: new("fork")})
	require.NoError(t, err)
	made, _, err = root.Repository.GetHealth(ctx, fork.Ref(), &serviceapi.GetRepositoryHealthOptions{Generate: true})
	require.NoError(t, err)
	require.NotNil(t, made.Alternates)
	assert.Equal(t, []string{"pools/1"}, made.Alternates.ObjectDirectories)
	for range 4 {
		_, _, err = root.Repository.GetHealth(ctx, fork.Ref(), &serviceapi.GetRepositoryHealthOptions{Generate: true})
		require.NoError(t, err)
	}
	once := asRoot(t, svc, serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	_, _, err = once.Repository.GetHealth(ctx, fork.Ref(), &serviceapi.GetRepositoryHealthOptions{Generate: true})
	assert.ErrorIs(t, err, serviceapi.ErrRateLimited)
}

// TestServiceSubmodules checks where a submodule shows, and where it does not.
func TestServiceSubmodules(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	before, after := strings.Repeat("1", 40), strings.Repeat("2", 40)
	project.Commit("main", "Add", servicetest.Submodule("vendor/lib", before), servicetest.Write("vendor/a", "a\n"))
	root, ctx := asRoot(t, svc), t.Context()
	head := project.Head("main")
	made, resp, err := root.Repository.UpdateSubmodule(ctx, app, "vendor/lib",
		serviceapi.UpdateSubmoduleOptions{Branch: "main", CommitSHA: after})
	require.NoError(t, err)
	assert.Equal(t, []any{200, project.Head("main"), "Update submodule vendor/lib with oid " + after, []string{head}},
		[]any{resp.StatusCode, made.ID, made.Message, made.ParentIDs})
	tree, _, err := root.Repository.ListTree(ctx, app, &serviceapi.ListTreeOptions{Path: "vendor"})
	require.NoError(t, err)
	require.Len(t, tree, 2)
	assert.Equal(t, &serviceapi.TreeEntry{ID: after, Name: "lib", Type: serviceapi.TreeEntryTypeCommit,
		Path: "vendor/lib", Mode: "160000"}, tree[1])
	diffs, _, err := root.Commits.ListDiffs(ctx, app, made.ID, nil)
	require.NoError(t, err)
	require.Len(t, diffs, 1)
	assert.Equal(t, "@@ -1 +1 @@\n-Subproject commit "+before+"\n+Subproject commit "+after+"\n", diffs[0].Diff)

	blob, _, err := root.Repository.GetBlob(ctx, app, tree[0].ID)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RepositoryBlob{Size: 2, Encoding: "base64", Content: "YQo=", SHA: tree[0].ID}, blob)
	_, _, err = root.Repository.GetBlob(ctx, app, after)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "the commit is elsewhere")
	_, _, err = root.RepositoryFiles.Get(ctx, app, "vendor/lib", &serviceapi.GetRepositoryFileOptions{Ref: "main"})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	archive, _, err := root.Repository.DownloadArchive(ctx, app, serviceapi.ArchiveFormatTar, nil)
	require.NoError(t, err)
	data, err := io.ReadAll(archive)
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	assert.Contains(t, string(data), "vendor/a")
	assert.NotContains(t, string(data), "vendor/lib")

	_, _, err = root.Repository.UpdateSubmodule(ctx, app, "vendor/a",
		serviceapi.UpdateSubmoduleOptions{Branch: "main", CommitSHA: after, CommitMessage: new("No")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

// TestServiceExportsSubmodules checks that a project that was exported and imported still has
// its submodule.
func TestServiceExportsSubmodules(t *testing.T) {
	svc := ticking(t)
	project, sha := svc.Project("acme/app"), strings.Repeat("1", 40)
	project.Commit("main", "Add", servicetest.Submodule("lib", sha))
	root, ctx := asRoot(t, svc), t.Context()
	_, _, err := root.ProjectImport.FromFile(ctx, serviceapi.ImportFromFileOptions{
		Path: "copy", Namespace: serviceapi.NamespacePath("acme"),
		File: serviceapi.Upload{Filename: "app.tar.gz", Content: strings.NewReader(string(project.ExportedArchive()))},
	})
	require.NoError(t, err)
	_, err = root.ProjectImport.Wait(ctx, serviceapi.ProjectPath("acme/copy"))
	require.NoError(t, err)
	tree, _, err := root.Repository.ListTree(ctx, serviceapi.ProjectPath("acme/copy"), nil)
	require.NoError(t, err)
	require.Len(t, tree, 2)
	assert.Equal(t, []string{"lib", sha, "160000"}, []string{tree[1].Name, tree[1].ID, tree[1].Mode})
}
