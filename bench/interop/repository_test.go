package interop

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestBranchesAndTags(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Branch("stable", "main")
	project.ProtectBranch("stable", servicetest.DevelopersCanMerge())
	made := got(e.admin.Branches.CreateBranch(app, &clientgo.CreateBranchOptions{Branch: new("fix/1"),
		Ref: new("main")})).ok(e, 201)
	assert.Equal(t, []any{"fix/1", project.Head("main"), false}, []any{made.Name, made.Commit.ID, made.Merged})
	branches := walk1(e, e.admin.Branches.ListBranches, app, nil)
	assert.Equal(t, []string{"fix/1", "main", "stable"},
		each(branches, func(b *clientgo.Branch) string { return b.Name }))
	found := got(e.admin.Branches.ListBranches(app, &clientgo.ListBranchesOptions{Search: new("^fix")})).ok(e, 200)
	assert.Len(t, found, 1)
	stable := got(e.admin.Branches.GetBranch(app, "stable")).ok(e, 200)
	assert.Equal(t, []bool{true, true, false}, []bool{stable.Protected, stable.DevelopersCanMerge,
		stable.DevelopersCanPush})
	done(e.admin.Branches.DeleteBranch(app, "stable")).refused(e, 400)
	done(e.admin.Branches.DeleteBranch(app, "fix/1")).ok(e, 204)
	assert.Equal(t, []string{"main", "stable"}, project.Branches())

	tag := got(e.admin.Tags.CreateTag(app, &clientgo.CreateTagOptions{TagName: new("v1.0"), Ref: new("main"),
		Message: new("First")})).ok(e, 201)
	assert.Equal(t, []any{"v1.0", "First", project.Head("main")}, []any{tag.Name, tag.Message, tag.Commit.ID})
	project.Tag("v1.1", "main")
	project.Release("v1.2", "Notes")
	tags := walk1(e, e.admin.Tags.ListTags, app, &clientgo.ListTagsOptions{OrderBy: new("name"), Sort: new("asc")})
	assert.Equal(t, []string{"v1.0", "v1.1", "v1.2"}, each(tags, func(t *clientgo.Tag) string { return t.Name }))
	released := got(e.admin.Tags.GetTag(app, "v1.2")).ok(e, 200)
	assert.Equal(t, "Notes", released.Release.Description)
	done(e.admin.Tags.DeleteTag(app, "v1.0")).ok(e, 204)
	got(e.admin.Tags.GetTag(app, "v1.0")).refused(e, 404)
}

func TestRepository(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Commit("main", "Begin", servicetest.Write("docs/a.md", "a\n"), servicetest.WriteExecutable("run.sh", "x\n"))
	project.Commit("next", "Change", servicetest.Write("docs/a.md", "b\n"))

	paths := func(n *clientgo.TreeNode) string { return n.Path }
	for _, pagination := range []string{"keyset", ""} {
		tree := walk1(e, e.admin.Repositories.ListTree, app, &clientgo.ListTreeOptions{
			ListOptions: clientgo.ListOptions{Pagination: pagination}, Recursive: new(true), Ref: new("main"),
		})
		assert.Equal(t, []string{"docs", "README.md", "docs/a.md", "run.sh"}, each(tree, paths), pagination)
		assert.Equal(t, []string{"tree", "040000", "100755"}, []string{tree[0].Type, tree[0].Mode, tree[3].Mode})
	}
	below := got(e.admin.Repositories.ListTree(app, &clientgo.ListTreeOptions{Path: new("docs")})).ok(e, 200)
	assert.Equal(t, []string{"docs/a.md"}, each(below, paths))

	comparison := got(e.admin.Repositories.Compare(app, &clientgo.CompareOptions{From: new("main"), To: new("next"),
		Unidiff: new(true)})).ok(e, 200)
	assert.Equal(t, []string{"Change", "--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1 +1 @@\n-a\n+b\n"},
		[]string{comparison.Commit.Title, comparison.Diffs[0].Diff})
	got(e.admin.Repositories.Compare(app, &clientgo.CompareOptions{From: new("gone"), To: new("next")})).refused(e, 404)

	data := got(e.admin.Repositories.Archive(app, &clientgo.ArchiveOptions{Format: new("zip"), SHA: new("next"),
		Path: new("docs")})).raw(e)
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	require.Len(t, archive.File, 1)
	assert.Equal(t, "app-next-"+project.Head("next")+"-docs/docs/a.md", archive.File[0].Name)
}

// TestRestOfRepository covers changelogs, merge bases, blobs, submodules, merged branches and
// signatures of tags.
func TestRestOfRepository(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Tag("v0.9.0", "main")
	project.Branch("old", "main")
	project.Commit("main", "Add\n\nChangelog: added", servicetest.Write("a", "a\n"),
		servicetest.Submodule("lib", strings.Repeat("1", 40)))
	s := e.admin.Repositories
	base := got(s.MergeBase(app, &clientgo.MergeBaseOptions{Ref: &[]string{"main", "old"}})).ok(e, 200)
	assert.Equal(t, project.Head("old"), base.ID)
	tree := got(s.ListTree(app, nil)).ok(e, 200)
	blob := got(s.Blob(app, tree[1].ID)).raw(e)
	assert.JSONEq(t, `{"content":"YQo=","encoding":"base64","sha":"`+tree[1].ID+`","size":2}`, string(blob))
	done(s.AddChangelog(app, &clientgo.AddChangelogOptions{Version: new("1.0.0"),
		Date: new(clientgo.ISOTime(e.svc.Now()))})).ok(e, 200)
	text, _ := project.File("main", "CHANGELOG.md")
	assert.Contains(t, text, "## 1.0.0 (2026-01-15)\n\n### added")
	done(s.AddChangelog(app, &clientgo.AddChangelogOptions{Version: new("x")})).refused(e, 400)
	request[map[string]any](e.admin, "GET", "projects/acme%2Fapp/repository/health", nil).refused(e, 404)
	health := request[map[string]any](e.admin, "GET", "projects/acme%2Fapp/repository/health", &struct {
		Generate bool `url:"generate"`
	}{true}).ok(e, 200)
	assert.Equal(t, false, health["is_object_pool"])

	sha := strings.Repeat("2", 40)
	moved := got(e.admin.RepositorySubmodules.UpdateSubmodule(app, "lib", &clientgo.UpdateSubmoduleOptions{
		Branch: new("main"), CommitSHA: &sha, CommitMessage: new("Move")})).ok(e, 200)
	assert.Equal(t, []string{"Move", project.Head("main")}, []string{moved.Title, moved.ID})

	bare(e.admin, "HEAD", "projects/acme%2Fapp/repository/branches/old").ok(e, 204)
	done(e.admin.Branches.DeleteMergedBranches(app)).ok(e, 202)
	bare(e.admin, "HEAD", "projects/acme%2Fapp/repository/branches/old").refused(e, 404)

	project.SignTag("v1", "", servicetest.SSH, "verified")
	signature := got(e.admin.Tags.GetTagSignature(app, "v1")).ok(e, 200)
	assert.Equal(t, "SSH", signature.SignatureType)
	got(e.admin.Tags.GetTagSignature(app, "v0.9.0")).refused(e, 404)
}
