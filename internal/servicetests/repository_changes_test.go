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
