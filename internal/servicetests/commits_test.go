package servicetests

import (
	"slices"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var app = serviceapi.ProjectPath("acme/app")

func titles(commits []*serviceapi.Commit) []string {
	var all []string
	for _, c := range commits {
		all = append(all, c.Title)
	}
	return all
}

func TestCommitManyActionsLive(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	start := project.Commit("main", "Begin",
		servicetest.Write("a.txt", "one\ntwo\n"), servicetest.Write("old/name.txt", "same\n"),
		servicetest.Write("full.txt", "full\n"), servicetest.Write("gone.txt", "gone\n"),
		servicetest.Write("run.sh", "#!/bin/sh\n"))
	client, ctx := asRoot(t, svc), t.Context()

	commit, resp, err := client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{
		Branch: "feature", StartBranch: new("main"), CommitMessage: "Rework\n\nSigned-off-by: Ada <ada@example.com>",
		AuthorName: new("Ada"), AuthorEmail: new("ada@example.com"),
		Actions: []serviceapi.CommitAction{
			serviceapi.CreateFileAction("empty", nil),
			serviceapi.CreateFileAction("logo.png", []byte{0x89, 'P', 0xff, 0}),
			serviceapi.UpdateFileAction("a.txt", []byte("one\n2\n")).IfUnchangedSince(start),
			serviceapi.MoveFileAction(serviceapi.FileMove{From: "old/name.txt", To: "new/name.txt"}),
			serviceapi.MoveFileAction(serviceapi.FileMove{From: "full.txt", To: "cleared.txt"}).WithContent(nil),
			serviceapi.DeleteFileAction("gone.txt"),
			serviceapi.ChmodFileAction("run.sh", true),
		},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []string{"Rework", "Ada", "ada@example.com", "Administrator"},
		[]string{commit.Title, commit.AuthorName, commit.AuthorEmail, commit.CommitterName})
	assert.Equal(t, []string{start}, commit.ParentIDs)
	assert.Equal(t, start, project.Head("main"))
	assert.Equal(t, commit.ID, project.Head("feature"))

	for path, want := range map[string]string{
		"empty": "", "logo.png": "\x89P\xff\x00", "a.txt": "one\n2\n", "new/name.txt": "same\n", "cleared.txt": "",
	} {
		content, found := project.File("feature", path)
		assert.True(t, found, path)
		assert.Equal(t, want, content, path)
	}
	for _, path := range []string{"gone.txt", "full.txt", "old/name.txt"} {
		_, found := project.File("feature", path)
		assert.False(t, found, path)
	}

	diffs, err := serviceapi.Collect(client.Commits.AllDiffs(ctx, app, "feature", nil))
	require.NoError(t, err)
	changes := map[string]serviceapi.CommitDiff{}
	for _, d := range diffs {
		changes[d.NewPath] = *d
	}
	assert.Equal(t, serviceapi.CommitDiff{
		Diff: "@@ -1,2 +1,2 @@\n one\n-two\n+2\n", OldPath: "a.txt", NewPath: "a.txt", AMode: "100644", BMode: "100644",
	}, changes["a.txt"])
	assert.Equal(t, serviceapi.CommitDiff{
		OldPath: "old/name.txt", NewPath: "new/name.txt", AMode: "100644", BMode: "100644", RenamedFile: true,
	}, changes["new/name.txt"])
	assert.Equal(t, serviceapi.CommitDiff{
		Diff: "@@ -1 +0,0 @@\n-gone\n", OldPath: "gone.txt", NewPath: "gone.txt", AMode: "100644", BMode: "0",
		DeletedFile: true,
	}, changes["gone.txt"])
	assert.Equal(t, "100755", changes["run.sh"].BMode)
	assert.True(t, changes["logo.png"].NewFile)
	assert.Empty(t, changes["logo.png"].AMode)
	assert.Equal(t, &serviceapi.CommitStats{Additions: 1, Deletions: 3, Total: 4}, commit.Stats)

	got, _, err := client.Commits.Get(ctx, app, commit.ShortID, nil)
	require.NoError(t, err)
	commit.Trailers = map[string]string{"Signed-off-by": "Ada <ada@example.com>"} // only Get has them
	assert.Equal(t, commit, got)
	got, _, err = client.Commits.Get(ctx, app, "feature", &serviceapi.GetCommitOptions{Stats: new(false)})
	require.NoError(t, err)
	assert.Nil(t, got.Stats)
	list, _, err := client.Commits.List(ctx, app, &serviceapi.ListCommitsOptions{RefName: "feature", Trailers: true,
		WithStats: true})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"Signed-off-by": "Ada <ada@example.com>"}, list[0].Trailers)
	assert.Equal(t, commit.Stats, list[0].Stats)
}

func TestCommitRefusalsLive(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	first := project.Commit("main", "Begin", servicetest.Write("a.txt", "one\n"), servicetest.Write("dir/b.txt", "b\n"))
	head := project.Commit("main", "Go on", servicetest.Write("a.txt", "two\n"))
	project.Branch("other", "")
	client, ctx := asRoot(t, svc), t.Context()

	for name, actions := range map[string][]serviceapi.CommitAction{
		"the file exists":       {serviceapi.CreateFileAction("a.txt", []byte("x"))},
		"there is no such file": {serviceapi.UpdateFileAction("none.txt", []byte("x"))},
		"nothing to delete":     {serviceapi.DeleteFileAction("none.txt")},
		"nothing to move":       {serviceapi.MoveFileAction(serviceapi.FileMove{From: "none.txt", To: "c.txt"})},
		"the target exists":     {serviceapi.MoveFileAction(serviceapi.FileMove{From: "a.txt", To: "dir/b.txt"})},
		"identical content":     {serviceapi.UpdateFileAction("a.txt", []byte("two\n"))},
		"same mode":             {serviceapi.ChmodFileAction("a.txt", false)},
		"changed since":         {serviceapi.UpdateFileAction("a.txt", []byte("x")).IfUnchangedSince(first)},
		"delete, changed since": {serviceapi.DeleteFileAction("a.txt").IfUnchangedSince(first)},
		"a path upwards":        {serviceapi.CreateFileAction("dir/../c.txt", []byte("x"))},
		"a path at the root":    {serviceapi.CreateFileAction("/c.txt", []byte("x"))},
		"a directory":           {serviceapi.CreateFileAction("dir", []byte("x"))},
		"below a file":          {serviceapi.CreateFileAction("a.txt/c", []byte("x"))},
		"all or nothing": {serviceapi.CreateFileAction("new.txt", []byte("x")),
			serviceapi.DeleteFileAction("none.txt")},
		"no content":             {{Action: serviceapi.FileActionCreate, FilePath: "c.txt"}},
		"no previous path":       {{Action: serviceapi.FileActionMove, FilePath: "c.txt"}},
		"no such action":         {{Action: "copy", FilePath: "c.txt"}},
		"no mode":                {{Action: serviceapi.FileActionChmod, FilePath: "a.txt"}},
		"a file under two names": {serviceapi.CreateFileAction("c", nil), serviceapi.CreateFileAction("c", nil)},
	} {
		_, _, err := client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{Branch: "main", CommitMessage: "No",
			Actions: actions})
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	change := []serviceapi.CommitAction{serviceapi.CreateFileAction("c.txt", nil)}
	for name, options := range map[string]serviceapi.CreateCommitOptions{
		"unknown branch": {Branch: "none", CommitMessage: "No", Actions: change},
		"unknown start":  {Branch: "none", StartBranch: new("nowhere"), CommitMessage: "No", Actions: change},
		"unknown sha":    {Branch: "none", StartSHA: new("abc"), CommitMessage: "No", Actions: change},
		"the branch is":  {Branch: "main", StartSHA: new(first), CommitMessage: "No", Actions: change},
		"two places start": {Branch: "none", StartSHA: new(first), StartBranch: new("main"), CommitMessage: "No",
			Actions: change},
	} {
		_, _, err := client.Commits.Create(ctx, app, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	assert.Equal(t, head, project.Head("main"), "nothing was committed")
	assert.Equal(t, []string{"main", "other"}, project.Branches())
}

func TestCommitStartsLive(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	first := project.Commit("main", "One", servicetest.Write("a.txt", "one\n"))
	project.Commit("main", "Two", servicetest.Write("a.txt", "two\n"))
	base := svc.Project("acme/base")
	base.Commit("main", "Base", servicetest.Write("base.txt", "base\n"))
	svc.Project("acme/empty", servicetest.EmptyRepository())
	svc.Project("secret/base")
	ada := svc.User("ada")
	project.AddMember(ada, servicetest.Developer)
	client, ctx := asRoot(t, svc), t.Context()
	change := []serviceapi.CommitAction{serviceapi.CreateFileAction("c.txt", []byte("c\n"))}

	commit, _, err := client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{
		Branch: "back", StartSHA: new(first), CommitMessage: "From one", Actions: change, Stats: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, []string{first}, commit.ParentIDs)
	assert.Nil(t, commit.Stats)

	commit, _, err = client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{
		Branch: "main", StartSHA: new(first), Force: new(true), CommitMessage: "Forced", Actions: change,
	})
	require.NoError(t, err)
	assert.Equal(t, []string{first}, commit.ParentIDs)
	content, _ := project.File("main", "a.txt")
	assert.Equal(t, "one\n", content)

	for _, from := range []serviceapi.ProjectRef{serviceapi.ProjectID(base.ID()), serviceapi.ProjectPath("acme/base")} {
		commit, _, err = client.Commits.Create(ctx, app, serviceapi.CreateCommitOptions{
			Branch: "foreign", StartProject: from, StartBranch: new("main"), Force: new(true),
			CommitMessage: "Elsewhere", Actions: change,
		})
		require.NoError(t, err)
		assert.Equal(t, []string{base.Head("main")}, commit.ParentIDs)
	}
	_, _, err = client.Commits.Get(ctx, app, base.Head("main"), nil)
	require.NoError(t, err, "the history came along")

	_, _, err = as(t, svc, ada).Commits.Create(ctx, app, serviceapi.CreateCommitOptions{
		Branch: "b", StartProject: serviceapi.ProjectPath("secret/base"), StartBranch: new("main"), CommitMessage: "No",
		Actions: change,
	})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	empty := serviceapi.ProjectPath("acme/empty")
	none, _, err := client.Commits.List(ctx, empty, nil)
	require.NoError(t, err)
	assert.Empty(t, none)
	commit, _, err = client.Commits.Create(ctx, empty, serviceapi.CreateCommitOptions{Branch: "main",
		CommitMessage: "First", Actions: change})
	require.NoError(t, err)
	assert.Empty(t, commit.ParentIDs)
	assert.Equal(t, int(1), commit.Stats.Additions)
}

// seedHistory makes two lines of history that meet, one commit an hour.
func seedHistory(svc *servicetest.Service) *servicetest.Project {
	hour := 0
	at := func() servicetest.CommitOption {
		hour++
		return servicetest.CommittedAt(servicetest.Epoch.Add(time.Duration(hour) * time.Hour))
	}
	project := svc.Project("acme/app")
	project.Commit("main", "M1", servicetest.Write("main.txt", "1\n"), at())
	project.Tag("v1", "")
	project.Branch("side", "")
	project.Commit("side", "S1", servicetest.Write("side/a.txt", "1\n"), at())
	project.Commit("main", "M2", servicetest.Write("main.txt", "2\n"), at())
	project.Commit("side", "S2", servicetest.Write("side/b.txt", "1\n"), at())
	project.Commit("main", "M3", servicetest.Write("main.txt", "3\n"), at())
	project.Tag("v2", "")
	return project
}

func TestCommitListsLive(t *testing.T) {
	svc := servicetest.New(t)
	seedHistory(svc)
	client, ctx := asRoot(t, svc), t.Context()
	hour := func(n time.Duration) time.Time { return servicetest.Epoch.Add(n * time.Hour) }

	for _, c := range []struct {
		name    string
		options *serviceapi.ListCommitsOptions
		want    []string
	}{
		{"default branch", nil, []string{"M3", "M2", "M1", "Initial commit"}},
		{"branch", &serviceapi.ListCommitsOptions{RefName: "side"}, []string{"S2", "S1", "M1", "Initial commit"}},
		{"tag", &serviceapi.ListCommitsOptions{RefName: "v1"}, []string{"M1", "Initial commit"}},
		{"range", &serviceapi.ListCommitsOptions{RefName: "v1..v2"}, []string{"M3", "M2"}},
		{"range of both sides", &serviceapi.ListCommitsOptions{RefName: "side...main"},
			[]string{"M3", "S2", "M2", "S1"}},
		{"all", &serviceapi.ListCommitsOptions{All: true}, []string{"M3", "S2", "M2", "S1", "M1", "Initial commit"}},
		{"all, by topology", &serviceapi.ListCommitsOptions{All: true, Order: serviceapi.CommitOrderTopology},
			[]string{"M3", "M2", "S2", "S1", "M1", "Initial commit"}},
		{"bounds are included", &serviceapi.ListCommitsOptions{Since: hour(1), Until: hour(3)}, []string{"M2", "M1"}},
		{"file", &serviceapi.ListCommitsOptions{Path: "main.txt"}, []string{"M3", "M2", "M1"}},
		{"directory", &serviceapi.ListCommitsOptions{Path: "side", RefName: "side"}, []string{"S2", "S1"}},
		{"no such file", &serviceapi.ListCommitsOptions{Path: "none"}, nil},
		{"page", &serviceapi.ListCommitsOptions{ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 3}},
			[]string{"Initial commit"}},
	} {
		commits, _, err := client.Commits.List(ctx, app, c.options)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, titles(commits), c.name)
	}
	walked, err := serviceapi.Collect(client.Commits.All(ctx, app,
		&serviceapi.ListCommitsOptions{ListOptions: serviceapi.ListOptions{PerPage: 1}}))
	require.NoError(t, err)
	assert.Len(t, walked, 4)
	for _, ref := range []string{"none", "none..main", "main..none"} {
		_, _, err = client.Commits.List(ctx, app, &serviceapi.ListCommitsOptions{RefName: ref})
		assert.ErrorIs(t, err, serviceapi.ErrNotFound, ref)
	}
	_, _, err = client.Commits.List(ctx, app, &serviceapi.ListCommitsOptions{Order: "odd"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestCommitListsWithMergesLive(t *testing.T) {
	svc := servicetest.New(t)
	project := seedHistory(svc)
	svc.Advance(10 * time.Hour)
	project.MergeRequest("side").Merge()
	client, ctx := asRoot(t, svc), t.Context()
	list := func(options serviceapi.ListCommitsOptions) []string {
		commits, err := serviceapi.Collect(client.Commits.All(ctx, app, &options))
		require.NoError(t, err)
		return titles(commits)
	}
	merge := "Merge branch 'side' into 'main'"
	assert.Equal(t, []string{merge, "M3", "S2", "M2", "S1", "M1", "Initial commit"},
		list(serviceapi.ListCommitsOptions{}))
	assert.Equal(t, []string{merge, "M3", "M2", "M1", "Initial commit"},
		list(serviceapi.ListCommitsOptions{FirstParent: true}))
	assert.Equal(t, []string{"S2", "S1"}, list(serviceapi.ListCommitsOptions{Path: "side"}),
		"a merge that only took it over changed nothing")
	assert.Equal(t, []string{merge, "M3", "M2"},
		list(serviceapi.ListCommitsOptions{RefName: "v1..main", FirstParent: true}))
	commit, _, err := client.Commits.Get(ctx, app, "main", nil)
	require.NoError(t, err)
	assert.Len(t, commit.ParentIDs, 2)
	assert.Equal(t, &serviceapi.CommitStats{Additions: 2, Total: 2}, commit.Stats,
		"what the merge brought to its first parent")
}

func TestCommitRefsLive(t *testing.T) {
	svc := servicetest.New(t)
	project := seedHistory(svc)
	client, ctx := asRoot(t, svc), t.Context()
	for _, c := range []struct {
		sha  string
		kind serviceapi.GitRefType
		want []serviceapi.GitRef
	}{
		{"v1", "", []serviceapi.GitRef{{Type: "branch", Name: "main"}, {Type: "branch", Name: "side"},
			{Type: "tag", Name: "v1"}, {Type: "tag", Name: "v2"}}},
		{"side", serviceapi.GitRefTypeAll, []serviceapi.GitRef{{Type: "branch", Name: "side"}}},
		{project.Head("main"), serviceapi.GitRefTypeTag, []serviceapi.GitRef{{Type: "tag", Name: "v2"}}},
		{"v1", serviceapi.GitRefTypeBranch, []serviceapi.GitRef{{Type: "branch", Name: "main"},
			{Type: "branch", Name: "side"}}},
	} {
		var got []serviceapi.GitRef
		for ref, err := range client.Commits.AllRefs(ctx, app, c.sha,
			&serviceapi.ListCommitRefsOptions{ListOptions: serviceapi.ListOptions{PerPage: 1}, Type: c.kind}) {
			require.NoError(t, err)
			got = append(got, *ref)
		}
		assert.Equal(t, c.want, got)
	}
	_, _, err := client.Commits.ListRefs(ctx, app, "0000000", nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestCherryPickAndRevertLive(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app")
	project.Commit("main", "Begin", servicetest.Write("a.txt", "1\n2\n3\n4\n5\n6\n7\n"))
	project.Branch("stable", "")
	project.Branch("stale", "")
	project.Commit("stable", "Head line", servicetest.Write("a.txt", "one\n2\n3\n4\n5\n6\n7\n"))
	project.Commit("stale", "Another end", servicetest.Write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n"))
	fix := project.Commit("main", "Fix the end", servicetest.Write("a.txt", "1\n2\n3\n4\n5\n6\n7!\n"),
		servicetest.CommitAuthor(ada))
	client, ctx := asRoot(t, svc), t.Context()
	before := project.Head("stable")
	onto := func(branch string) serviceapi.CherryPickOptions { return serviceapi.CherryPickOptions{Branch: branch} }

	_, err := client.Commits.CherryPickDryRun(ctx, app, fix, onto("stable"))
	require.NoError(t, err)
	assert.Equal(t, before, project.Head("stable"), "a trial changes nothing")

	picked, resp, err := client.Commits.CherryPick(ctx, app, fix, serviceapi.CherryPickOptions{Branch: "stable",
		Message: new("Fix it there")})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []string{"Fix it there", "Ada", "Administrator"}, []string{picked.Title, picked.AuthorName,
		picked.CommitterName})
	assert.Equal(t, []string{before}, picked.ParentIDs)
	content, _ := project.File("stable", "a.txt")
	assert.Equal(t, "one\n2\n3\n4\n5\n6\n7!\n", content, "both changes are there")

	refused := func(err error, code serviceapi.ErrorCode) {
		t.Helper()
		var changeset *serviceapi.ChangesetError
		require.ErrorAs(t, err, &changeset)
		assert.Equal(t, code, changeset.Code)
	}
	_, _, err = client.Commits.CherryPick(ctx, app, fix, onto("stable"))
	refused(err, serviceapi.ErrorCodeEmpty)
	_, err = client.Commits.CherryPickDryRun(ctx, app, fix, onto("stable"))
	refused(err, serviceapi.ErrorCodeEmpty)
	_, _, err = client.Commits.CherryPick(ctx, app, fix, onto("stale"))
	refused(err, serviceapi.ErrorCodeConflict)
	_, err = client.Commits.CherryPickDryRun(ctx, app, fix, onto("stale"))
	refused(err, serviceapi.ErrorCodeConflict)
	_, _, err = client.Commits.CherryPick(ctx, app, fix, onto("none"))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	undo := serviceapi.RevertOptions{Branch: "stable"}
	_, err = client.Commits.RevertDryRun(ctx, app, picked.ID, undo)
	require.NoError(t, err)
	reverted, _, err := client.Commits.Revert(ctx, app, picked.ID, undo)
	require.NoError(t, err)
	assert.Equal(t, `Revert "Fix it there"`, reverted.Title)
	assert.Contains(t, reverted.Message, picked.ID)
	content, _ = project.File("stable", "a.txt")
	assert.Equal(t, "one\n2\n3\n4\n5\n6\n7\n", content)
	_, _, err = client.Commits.Revert(ctx, app, picked.ID, undo)
	refused(err, serviceapi.ErrorCodeEmpty)
	_, err = client.Commits.RevertDryRun(ctx, app, fix, serviceapi.RevertOptions{Branch: "stale"})
	refused(err, serviceapi.ErrorCodeConflict)
}

func TestCommitCommentsLive(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	project := svc.Project("acme/app", servicetest.Public())
	project.Commit("main", "Begin", servicetest.Write("a.txt", "one\ntwo\n"))
	sha := project.Commit("main", "Go on", servicetest.Write("a.txt", "one\n2\nthree\n"))
	client, ctx := as(t, svc, ada), t.Context()
	line := func(path string, line int, side serviceapi.LineType) serviceapi.CreateCommitCommentOptions {
		return serviceapi.CreateCommitCommentOptions{Note: "Why?", Path: &path, Line: &line, LineType: &side}
	}

	comment, resp, err := client.Commits.CreateComment(ctx, app, sha, line("a.txt", 3, serviceapi.LineTypeNew))
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.CommitComment{
		Note: "Why?", Path: "a.txt", Line: new(3), LineType: serviceapi.LineTypeNew, CreatedAt: new(servicetest.Epoch),
		Author: &serviceapi.NoteAuthor{UserSummary: serviceapi.UserSummary{ID: ada.ID(), Name: "Ada", Username: "ada",
			State: "active", WebURL: svc.URL() +
				"/ada",
			AvatarURL: comment.Author.AvatarURL}},
	}, comment)
	assert.NotEmpty(t, comment.Author.AvatarURL)
	comment, _, err = client.Commits.CreateComment(ctx, app, sha, line("a.txt", 2, serviceapi.LineTypeOld))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.LineTypeOld, comment.LineType)

	for name, c := range map[string]struct {
		sha     string
		options serviceapi.CreateCommitCommentOptions
	}{
		"a branch":         {"main", line("a.txt", 3, serviceapi.LineTypeNew)},
		"a short hash":     {sha[:8], line("a.txt", 3, serviceapi.LineTypeNew)},
		"no such line":     {sha, line("a.txt", 30, serviceapi.LineTypeNew)},
		"no such old line": {sha, line("a.txt", 3, serviceapi.LineTypeOld)},
		"no such path":     {sha, line("b.txt", 1, serviceapi.LineTypeNew)},
		"no position":      {sha, serviceapi.CreateCommitCommentOptions{Note: "Why?"}},
	} {
		comment, _, err := client.Commits.CreateComment(ctx, app, c.sha, c.options)
		require.NoError(t, err, name)
		assert.Empty(t, comment.Path, name)
		assert.Nil(t, comment.Line, name)
		assert.Empty(t, comment.LineType, name)
	}

	comments, err := serviceapi.Collect(client.Commits.AllComments(ctx, app, sha, &serviceapi.ListOptions{PerPage: 3}))
	require.NoError(t, err)
	require.Len(t, comments, 8)
	assert.Equal(t, "ada@example.com", comments[0].Author.Email)
	assert.NotNil(t, comments[0].Author.CreatedAt)
	assert.Equal(t, slices.Repeat([]string{"Why?"}, 8), project.CommitComments(sha))

	discussions, _, err := client.Discussions.List(ctx, app.Commit(sha), nil)
	require.NoError(t, err)
	require.Len(t, discussions, 8)
	first := discussions[0]
	assert.False(t, first.IndividualNote)
	assert.Equal(t, "Why?", first.Notes[0].Body)
	assert.Equal(t, sha, first.Notes[0].CommitID)
	assert.Equal(t, []any{"a.txt", new(3), (*int)(nil), sha},
		[]any{first.Notes[0].Position.NewPath, first.Notes[0].Position.NewLine, first.Notes[0].Position.OldLine,
			first.Notes[0].Position.HeadSHA})
	assert.Equal(t, new(2), discussions[1].Notes[0].Position.OldLine)
	assert.True(t, discussions[7].IndividualNote)
	assert.Nil(t, discussions[7].Notes[0].Position)
}

func TestCommitPipelinesLive(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	project.Pipeline("main", servicetest.PipelineStatus("failed"))
	last := project.Pipeline("main", servicetest.PipelineStatus("success"))
	client, ctx := asRoot(t, svc), t.Context()
	commit, _, err := client.Commits.Get(ctx, app, "main", nil)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.PipelineStatusSuccess, commit.Status)
	whole, _, err := client.Pipelines.Get(ctx, app, last.ID())
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.PipelineSummary{
		ID: last.ID(), IID: 2, ProjectID: project.ID(), Source: serviceapi.PipelineSourcePush, Ref: "main",
		SHA:    commit.ID,
		Status: serviceapi.PipelineStatusSuccess, CreatedAt: new(whole.CreatedAt), UpdatedAt: new(whole.UpdatedAt),
		WebURL: whole.WebURL,
	}, commit.LastPipeline)

	project.Commit("main", "Without a pipeline", servicetest.Write("a.txt", "a"))
	commit, _, err = client.Commits.Get(ctx, app, "main", nil)
	require.NoError(t, err)
	assert.Empty(t, commit.Status)
	assert.Nil(t, commit.LastPipeline)
}

func TestCommitAccessLive(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Reporter))
	svc.Project("acme/open", servicetest.Public())
	ctx := t.Context()
	create := func(c *serviceapi.Client, project serviceapi.ProjectRef) error {
		_, _, err := c.Commits.Create(ctx, project, serviceapi.CreateCommitOptions{
			Branch: "main", CommitMessage: "Try",
			Actions: []serviceapi.CommitAction{serviceapi.CreateFileAction("a", nil)},
		})
		return err
	}
	reporter, stranger := as(t, svc, ada), as(t, svc, bob)
	_, _, err := reporter.Commits.Get(ctx, app, "main", nil)
	require.NoError(t, err)
	assert.ErrorIs(t, create(reporter, app), serviceapi.ErrForbidden)
	_, _, err = stranger.Commits.Get(ctx, app, "main", nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorIs(t, create(stranger, app), serviceapi.ErrNotFound)
	assert.ErrorIs(t, create(stranger, serviceapi.ProjectPath("acme/open")), serviceapi.ErrForbidden)

	readOnly := withToken(t, svc, svc.Token(svc.Root(), servicetest.Scopes("read_api")))
	_, _, err = readOnly.Commits.List(ctx, app, nil)
	require.NoError(t, err)
	assert.ErrorIs(t, create(readOnly, app), serviceapi.ErrForbidden)
	ofFiles := withToken(t, svc, svc.Token(svc.Root(), servicetest.Scopes("read_repository")))
	_, _, err = ofFiles.Commits.List(ctx, app, nil)
	var scope *serviceapi.InsufficientScopeError
	require.ErrorAs(t, err, &scope, "a scope for files alone")

	anonymous := asAnybody(t, svc)
	_, _, err = anonymous.Commits.Get(ctx, serviceapi.ProjectPath("acme/open"), "main", nil)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized, "without credentials there are files, but no commits")
	_, _, err = stranger.Commits.Get(ctx, serviceapi.ProjectPath("acme/open"), "main", nil)
	require.NoError(t, err)
	assert.ErrorIs(t, create(anonymous, serviceapi.ProjectPath("acme/open")), serviceapi.ErrUnauthorized)
}

func TestServiceCommitsGetSequence(t *testing.T) {
	svc := servicetest.New(t)
	project := svc.Project("acme/app")
	client := asRoot(t, svc)
	sequence := func(sha string, options *serviceapi.GetCommitSequenceOptions) int {
		got, _, err := client.Commits.GetSequence(t.Context(), app, sha, options)
		require.NoError(t, err)
		return got.Count
	}
	before := sequence("main", nil)
	first := project.Commit("main", "First", servicetest.Write("a.txt", "a"))
	assert.Equal(t, before+1, sequence("main", nil))
	project.Commit("main", "Second", servicetest.Write("b.txt", "b"))
	assert.Equal(t, []int{before + 2, before + 1}, []int{sequence("main", nil), sequence(first, nil)})
	project.Branch("side", "main")
	project.Commit("side", "Third", servicetest.Write("c.txt", "c"))
	project.Commit("side", "Fourth", servicetest.Write("d.txt", "d"))
	project.MergeRequest("side").Merge()
	assert.Equal(t, before+5, sequence("main", nil))
	assert.Equal(t, before+3, sequence("main", &serviceapi.GetCommitSequenceOptions{FirstParent: true}))
	_, _, err := client.Commits.GetSequence(t.Context(), app, "none", nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
