package interop

import (
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func commitTitle(c *clientgo.Commit) string { return c.Title }

func TestCommits(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada", servicetest.Name("Ada Lovelace"))
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer))
	hour := func(n time.Duration) servicetest.CommitOption {
		return servicetest.CommittedAt(servicetest.Epoch.Add(n * time.Hour))
	}
	first := project.Commit("main", "First\n\nThe beginning.\n", servicetest.Write("a.txt", "1\n"),
		servicetest.CommitAuthor(ada), hour(1))
	project.Branch("old", "")
	project.Tag("v1", "")
	second := project.Commit("main", "Second", servicetest.Write("a.txt", "1\n2\n"), servicetest.Write("b.txt", "b\n"),
		hour(2))
	c := e.as(ada)

	list := walk1(e, c.Commits.ListCommits, app, &clientgo.ListCommitsOptions{WithStats: new(true),
		Trailers: new(true)})
	assert.Equal(t, []string{"Second", "First", "Initial commit"}, each(list, commitTitle))
	since := got(c.Commits.ListCommits(app, &clientgo.ListCommitsOptions{RefName: new("main"),
		Since: new(servicetest.Epoch.Add(2 * time.Hour)), Path: new("b.txt")})).ok(e, 200)
	assert.Equal(t, []string{"Second"}, each(since, commitTitle))
	one := got(c.Commits.GetCommit(app, first, nil)).ok(e, 200)
	assert.Equal(t, []string{first, first[:len(one.ShortID)], "First", "First\n\nThe beginning.\n", "Ada Lovelace"},
		[]string{one.ID, one.ShortID, one.Title, one.Message, one.AuthorName})
	assert.Equal(t, servicetest.Epoch.Add(time.Hour), *one.CommittedDate)
	assert.Equal(t, []int64{1, 0, 1}, []int64{one.Stats.Additions, one.Stats.Deletions, one.Stats.Total})
	got(c.Commits.GetCommit(app, "0123456789", nil)).refused(e, 404)
	sequence := request[map[string]int](c, "GET", "projects/acme%2Fapp/repository/commits/main/sequence", nil)
	assert.Equal(t, map[string]int{"count": 3}, sequence.ok(e, 200))

	refs := walk2(e, c.Commits.GetCommitRefs, app, first, &clientgo.GetCommitRefsOptions{Type: new("all")})
	assert.ElementsMatch(t, []clientgo.CommitRef{{Type: "branch", Name: "main"}, {Type: "branch", Name: "old"},
		{Type: "tag", Name: "v1"}},
		each(refs, func(r *clientgo.CommitRef) clientgo.CommitRef { return *r }))

	made := got(c.Commits.CreateCommit(app, &clientgo.CreateCommitOptions{
		Branch: new("feature"), StartBranch: new("main"), CommitMessage: new("Rework"),
		Actions: []*clientgo.CommitActionOptions{
			{Action: new(clientgo.FileCreate), FilePath: new("new.txt"), Content: new("bmV3Cg=="),
				Encoding: new("base64")},
			{Action: new(clientgo.FileUpdate), FilePath: new("a.txt"), Content: new("3\n"), LastCommitID: new(second)},
			{Action: new(clientgo.FileMove), FilePath: new("c.txt"), PreviousPath: new("b.txt")},
		},
	})).ok(e, 201)
	assert.Equal(t, made.ID, project.Head("feature"))
	content, _ := project.File("feature", "new.txt")
	assert.Equal(t, "new\n", content)
	diffs := walk2(e, c.Commits.GetCommitDiff, app, made.ID, nil)
	assert.ElementsMatch(t, []string{"a.txt", "c.txt", "new.txt"},
		each(diffs, func(d *clientgo.Diff) string { return d.NewPath }))
	for _, d := range diffs {
		if d.NewPath == "a.txt" {
			assert.Equal(t, "@@ -1,2 +1 @@\n-1\n-2\n+3\n", d.Diff)
		}
	}

	picked := got(c.Commits.CherryPickCommit(app, second, &clientgo.CherryPickCommitOptions{Branch: new("old"),
		Message: new("Picked")})).ok(e, 201)
	assert.Equal(t, []any{"Picked", []string{first}}, []any{picked.Title, picked.ParentIDs})
	trial := got(c.Commits.CherryPickCommit(app, made.ID, &clientgo.CherryPickCommitOptions{Branch: new("main"),
		DryRun: new(true)}))
	assert.NoError(t, trial.err)
	assert.JSONEq(t, `{"dry_run":"success"}`, string(bodyOf(t, trial.resp)))
	reverted := got(c.Commits.RevertCommit(app, picked.ID, &clientgo.RevertCommitOptions{Branch: new("old")})).ok(e,
		201)
	assert.Equal(t, `Revert "Picked"`, reverted.Title)
	got(c.Commits.RevertCommit(app, picked.ID, &clientgo.RevertCommitOptions{Branch: new("old")})).refused(e, 400)
}

func TestCommitComments(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	sha := project.Commit("main", "Begin", servicetest.Write("a.txt", "1\n2\n"))
	for _, note := range []string{"one", "two"} {
		made := got(e.admin.Commits.PostCommitComment(app, sha, &clientgo.PostCommitCommentOptions{Note: &note})).ok(e,
			201)
		assert.Equal(t, []string{note, "root"}, []string{made.Note, made.Author.Username})
	}
	onLine := got(e.admin.Commits.PostCommitComment(app, sha, &clientgo.PostCommitCommentOptions{
		Note: new("here"), Path: new("a.txt"), Line: new(int64(2)), LineType: new("new"),
	})).ok(e, 201)
	assert.Equal(t, []any{"a.txt", int64(2), "new"}, []any{onLine.Path, onLine.Line, onLine.LineType})

	comments := walk2(e, e.admin.Commits.GetCommitComments, app, sha, nil)
	assert.Equal(t, []string{"one", "two", "here"},
		each(comments, func(c *clientgo.CommitComment) string { return c.Note }))
	assert.Equal(t, []string{"one", "two", "here"}, project.CommitComments(sha))
	discussions := walk2(e, e.admin.Discussions.ListCommitDiscussions, app, sha, nil)
	assert.Equal(t, []string{"one", "two", "here"},
		each(discussions, func(d *clientgo.Discussion) string { return d.Notes[0].Body }))
}

func TestFiles(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	const path = "docs/äö + read%me.md"
	ref := new("main")

	created := got(e.admin.RepositoryFiles.CreateFile(app, path, &clientgo.CreateFileOptions{
		Branch: ref, Content: new("one\ntwo\nthree\n"), CommitMessage: new("Create"), AuthorName: new("Ada"),
		AuthorEmail: new("ada@example.com"),
	})).ok(e, 201)
	assert.Equal(t, []string{path, "main"}, []string{created.FilePath, created.Branch})
	updated := got(e.admin.RepositoryFiles.UpdateFile(app, path, &clientgo.UpdateFileOptions{
		Branch: ref, Content: new("b25lCjIKdGhyZWUK"), Encoding: new("base64"), CommitMessage: new("Update"),
		LastCommitID: new(project.Head("main")),
	})).ok(e, 200)
	assert.Equal(t, path, updated.FilePath)

	file := got(e.admin.RepositoryFiles.GetFile(app, path, &clientgo.GetFileOptions{Ref: ref})).ok(e, 200)
	assert.Equal(t, []any{path, "b25lCjIKdGhyZWUK", int64(12), project.Head("main"), project.Head("main")},
		[]any{file.FilePath, file.Content, file.Size, file.CommitID, file.LastCommitID})
	raw := got(e.admin.RepositoryFiles.GetRawFile(app, path, &clientgo.GetRawFileOptions{Ref: ref})).raw(e)
	assert.Equal(t, "one\n2\nthree\n", string(raw))
	ranges := walk2(e, e.admin.RepositoryFiles.GetFileBlame, app, path, &clientgo.GetFileBlameOptions{Ref: ref})
	assert.Equal(t, [][]string{{"one"}, {"2"}, {"three"}},
		each(ranges, func(r *clientgo.FileBlameRange) []string { return r.Lines }))
	assert.Equal(t, []string{"Ada", "Administrator"},
		[]string{ranges[0].Commit.AuthorName, ranges[1].Commit.AuthorName})

	e.metadata(path, file)
	done(e.admin.RepositoryFiles.DeleteFile(app, path, &clientgo.DeleteFileOptions{Branch: ref,
		CommitMessage: new("Delete")})).ok(e, 204)
	got(e.admin.RepositoryFiles.GetFile(app, path, &clientgo.GetFileOptions{Ref: ref})).refused(e, 404)
}

// metadata requests the headers of a file. The client reads the headers of one
// vendor, not those of the specification.
func (e *env) metadata(path string, file *clientgo.File) {
	e.Helper()
	options := &clientgo.GetFileMetaDataOptions{Ref: new("main")}
	prefix := "X-Service-"
	if vendor != "" {
		prefix = "X-" + vendor + "-"
	}
	read, resp, err := e.admin.RepositoryFiles.GetFileMetaData(app, path, options)
	assert.NoError(e, err)
	assert.Equal(e, []string{file.BlobID, file.SHA256, file.CommitID, "12", path},
		[]string{resp.Header.Get(prefix + "Blob-Id"), resp.Header.Get(prefix + "Content-Sha256"),
			resp.Header.Get(prefix + "Commit-Id"), resp.Header.Get(prefix + "Size"),
			resp.Header.Get(prefix + "File-Path")})
	if vendor != "" {
		whole := *file
		whole.Content = "" // which headers do not have
		assert.Equal(e, &whole, read)
	}
	_, resp, err = e.admin.RepositoryFiles.GetRawFileMetaData(app, path, &clientgo.GetRawFileOptions{Ref: new("main")})
	assert.NoError(e, err)
	assert.Equal(e, file.BlobID, resp.Header.Get(prefix+"Blob-Id"))
	blame := request[any](e.admin, "HEAD", "projects/acme%2Fapp/repository/files/"+clientgo.PathEscape(path)+"/blame",
		options)
	assert.Equal(e, file.BlobID, blame.resp.Header.Get(prefix+"Blob-Id"))
}
