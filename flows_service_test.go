package serviceapi_test

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFlowReviewBot does what bots do that comment on lines: read the merge
// request, its versions and its diffs, and write discussions with the commits of
// diff_refs. These stay those of the newest version when others push to the
// target branch meanwhile.
func TestFlowReviewBot(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("work", "Work", servicetest.Write("code.txt", "one\ntwo\n"))
	seeded := app.MergeRequest("work")
	bot := withToken(t, svc, app.AccessToken(servicetest.Developer))
	project := serviceapi.ProjectPath("acme/app")
	first := app.Head("main")
	app.Commit("main", "Meanwhile", servicetest.Write("other.txt", "x\n"))

	mr, _, err := bot.MergeRequests.Get(t.Context(), project, seeded.IID(), nil)
	require.NoError(t, err)
	require.NotNil(t, mr.DiffRefs)
	assert.Equal(t, serviceapi.DiffRefs{BaseSHA: first, StartSHA: first, HeadSHA: app.Head("work")}, *mr.DiffRefs)
	versions, _, err := bot.MergeRequests.ListVersions(t.Context(), project, seeded.IID(), nil)
	require.NoError(t, err)
	require.Len(t, versions, 1)
	assert.Equal(t, mr.DiffRefs.StartSHA, versions[0].StartCommitSHA)

	comment := func(refs *serviceapi.DiffRefs, line int) error {
		owner := serviceapi.MergeRequestIn(project, seeded.IID())
		_, _, err := bot.Discussions.CreateForMergeRequest(t.Context(), owner, serviceapi.CreateMergeRequestDiscussionOptions{
			Body: "Why?", Position: &serviceapi.DiffPosition{
				BaseSHA: refs.BaseSHA, StartSHA: refs.StartSHA, HeadSHA: refs.HeadSHA, PositionType: serviceapi.PositionTypeText,
				OldPath: "code.txt", NewPath: "code.txt", NewLine: &line,
			},
		})
		return err
	}
	require.NoError(t, comment(mr.DiffRefs, 2))

	app.Commit("work", "More", servicetest.Write("code.txt", "one\ntwo\nthree\n"))
	mr, _, err = bot.MergeRequests.Get(t.Context(), project, seeded.IID(), nil)
	require.NoError(t, err)
	assert.Equal(t, app.Head("main"), mr.DiffRefs.StartSHA, "a push to the source branch makes a new version")
	require.NoError(t, comment(mr.DiffRefs, 3))
	path, line := seeded.Notes()[1].Line()
	assert.Equal(t, "code.txt", path)
	assert.Equal(t, int64(3), line)

	seeded.Merge()
	after, _, err := bot.MergeRequests.Get(t.Context(), project, seeded.IID(), nil)
	require.NoError(t, err)
	assert.Equal(t, mr.DiffRefs, after.DiffRefs)
	require.NoError(t, comment(after.DiffRefs, 1), "comments are possible after the merge")
}

// TestFlowMergeQueue does what merge queues do in a project that is
// fast-forwarded: each merge request is rebased, tested again and merged, one
// after the other, and one with a conflict is left to its author.
func TestFlowMergeQueue(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTick(time.Second))
	app := svc.Project("acme/app", servicetest.Setting("merge_method", "ff"), servicetest.Setting("only_allow_merge_if_pipeline_succeeds", true))
	app.CI(servicetest.PlanJob("test", servicetest.Took(3*time.Second)))
	var queue []*servicetest.MergeRequest
	for _, name := range []string{"one", "two", "clash", "three"} {
		file := name
		if name == "clash" {
			file = "one"
		}
		app.Commit(name, "Add "+name, servicetest.Write(file+".txt", name+"\n"))
		queue = append(queue, app.MergeRequest(name))
	}
	project := serviceapi.ProjectPath("acme/app")
	requests := withToken(t, svc, app.AccessToken(servicetest.Maintainer)).MergeRequests

	var outcome []string
	for _, m := range queue {
		ctx, iid := t.Context(), m.IID()
		mr, err := requests.RebaseAndWait(ctx, project, iid, serviceapi.RebaseOptions{SkipCI: new(true)})
		if err != nil {
			outcome = append(outcome, "not rebased")
			continue
		}
		_, _, err = requests.Merge(ctx, project, iid, serviceapi.MergeOptions{SHA: &mr.SHA})
		require.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed, "there is no pipeline yet")
		_, _, err = requests.CreatePipeline(ctx, project, iid, serviceapi.CreateMergeRequestPipelineOptions{})
		require.NoError(t, err)
		mr, err = requests.WaitUntilMergeable(ctx, project, iid)
		require.NoError(t, err)
		mr, _, err = requests.Merge(ctx, project, iid, serviceapi.MergeOptions{SHA: &mr.SHA})
		require.NoError(t, err)
		assert.Empty(t, mr.MergeCommitSHA)
		assert.Equal(t, app.Head("main"), mr.SHA, "the target branch was fast-forwarded")
		outcome = append(outcome, string(mr.State))
	}
	assert.Equal(t, []string{"merged", "merged", "not rebased", "merged"}, outcome)
	assert.Equal(t, "opened", queue[2].State())
	for _, name := range []string{"one", "two", "three"} {
		content, _ := app.File("main", name+".txt")
		assert.Equal(t, name+"\n", content)
	}
	_, _, err := requests.Merge(t.Context(), project, queue[2].IID(), serviceapi.MergeOptions{})
	assert.Error(t, err)
}

// TestFlowRenamedProject checks that a program that knows the former path of a
// project goes on reading.
func TestFlowRenamedProject(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Issue("Crash")
	client := asRoot(t, svc)
	renamed, _, err := client.Projects.Update(t.Context(), serviceapi.ProjectPath("acme/app"), serviceapi.UpdateProjectOptions{Path: new("tool")})
	require.NoError(t, err)
	assert.Equal(t, "acme/tool", renamed.PathWithNamespace)
	project, _, err := client.Projects.Get(t.Context(), serviceapi.ProjectPath("acme/app"), nil)
	require.NoError(t, err)
	assert.Equal(t, "acme/tool", project.PathWithNamespace)
	for issue, err := range client.Issues.All(t.Context(), serviceapi.ProjectPath("acme/app"), nil) {
		require.NoError(t, err)
		assert.Equal(t, "Crash", issue.Title)
	}
	_, _, err = client.Issues.Create(t.Context(), serviceapi.ProjectPath("acme/app"), serviceapi.CreateIssueOptions{Title: "Leak"})
	assert.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed)
}
