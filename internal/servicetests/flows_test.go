package servicetests

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

	mr, _, err := bot.MergeRequests.Get(t.Context(), project.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	require.NotNil(t, mr.DiffRefs)
	assert.Equal(t, serviceapi.DiffRefs{BaseSHA: first, StartSHA: first, HeadSHA: app.Head("work")}, *mr.DiffRefs)
	versions, _, err := bot.MergeRequests.ListVersions(t.Context(), project.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	require.Len(t, versions, 1)
	assert.Equal(t, mr.DiffRefs.StartSHA, versions[0].StartCommitSHA)

	comment := func(refs *serviceapi.DiffRefs, line int) error {
		owner := project.MergeRequest(seeded.IID())
		_, _, err := bot.Discussions.Create(t.Context(), owner, serviceapi.CreateDiscussionOptions{
			Body: "Why?", Position: &serviceapi.DiffPosition{
				BaseSHA: refs.BaseSHA, StartSHA: refs.StartSHA, HeadSHA: refs.HeadSHA,
				PositionType: serviceapi.PositionTypeText,
				OldPath:      "code.txt", NewPath: "code.txt", NewLine: &line,
			},
		})
		return err
	}
	require.NoError(t, comment(mr.DiffRefs, 2))

	app.Commit("work", "More", servicetest.Write("code.txt", "one\ntwo\nthree\n"))
	mr, _, err = bot.MergeRequests.Get(t.Context(), project.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, app.Head("main"), mr.DiffRefs.StartSHA, "a push to the source branch makes a new version")
	require.NoError(t, comment(mr.DiffRefs, 3))
	path, line := seeded.Notes()[1].Line()
	assert.Equal(t, "code.txt", path)
	assert.Equal(t, int64(3), line)

	app.Branch("stable", "main")
	app.Commit("stable", "Stay", servicetest.Write("stable.txt", "x\n"))
	mr, _, err = bot.MergeRequests.Update(t.Context(), project.MergeRequest(seeded.IID()),
		serviceapi.UpdateMergeRequestOptions{TargetBranch: new("stable")})
	require.NoError(t, err)
	assert.Equal(t, app.Head("stable"), mr.DiffRefs.StartSHA, "and so does another target branch")

	seeded.Merge()
	after, _, err := bot.MergeRequests.Get(t.Context(), project.MergeRequest(seeded.IID()), nil)
	require.NoError(t, err)
	assert.Equal(t, mr.DiffRefs, after.DiffRefs)
	require.NoError(t, comment(after.DiffRefs, 1), "comments are possible after the merge")
}

// TestFlowMergeQueue does what merge queues do in a project that is
// fast-forwarded: each merge request is rebased, tested again and merged, one
// after the other, and one with a conflict is left to its author.
func TestFlowMergeQueue(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTick(time.Second))
	app := svc.Project("acme/app", servicetest.Setting("merge_method", "ff"),
		servicetest.Setting("only_allow_merge_if_pipeline_succeeds", true))
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
		mr, err := requests.RebaseAndWait(ctx, project.MergeRequest(iid), serviceapi.RebaseOptions{SkipCI: new(true)})
		if err != nil {
			outcome = append(outcome, "not rebased")
			continue
		}
		_, _, err = requests.Merge(ctx, project.MergeRequest(iid), serviceapi.MergeOptions{SHA: &mr.SHA})
		require.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed, "there is no pipeline yet")
		_, _, err = requests.CreatePipeline(ctx, project.MergeRequest(iid),
			serviceapi.CreateMergeRequestPipelineOptions{})
		require.NoError(t, err)
		mr, err = requests.WaitUntilMergeable(ctx, project.MergeRequest(iid))
		require.NoError(t, err)
		mr, _, err = requests.Merge(ctx, project.MergeRequest(iid), serviceapi.MergeOptions{SHA: &mr.SHA})
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
	_, _, err := requests.Merge(t.Context(), project.MergeRequest(queue[2].IID()), serviceapi.MergeOptions{})
	assert.Error(t, err)
}

// TestFlowRenamedProject checks that a program that knows the former path of a
// project goes on reading.
func TestFlowRenamedProject(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Issue("Crash")
	client := asRoot(t, svc)
	renamed, _, err := client.Projects.Update(t.Context(), serviceapi.ProjectPath("acme/app"),
		serviceapi.UpdateProjectOptions{Path: new("tool")})
	require.NoError(t, err)
	assert.Equal(t, "acme/tool", renamed.PathWithNamespace)
	project, _, err := client.Projects.Get(t.Context(), serviceapi.ProjectPath("acme/app"), nil)
	require.NoError(t, err)
	assert.Equal(t, "acme/tool", project.PathWithNamespace)
	for issue, err := range client.Issues.All(t.Context(), serviceapi.ProjectPath("acme/app"), nil) {
		require.NoError(t, err)
		assert.Equal(t, "Crash", issue.Title)
	}
	_, _, err = client.Issues.Create(t.Context(), serviceapi.ProjectPath("acme/app"),
		serviceapi.CreateIssueOptions{Title: "Leak"})
	assert.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed)
}

// TestFlowDependencyBot does what bots do that update dependencies: they open an
// onboarding merge request, wait until somebody merges it, keep a merge request
// for each update and an issue with the overview, let updates merge themselves,
// and close merge requests that are no longer needed.
func TestFlowDependencyBot(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTick(time.Second))
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Setting("only_allow_merge_if_pipeline_succeeds", true))
	app.Commit("main", "Depend", servicetest.Write("package.json", `{"dep":"1.0.0"}`))
	bot := withToken(t, svc, app.AccessToken(servicetest.Maintainer))
	ctx, project := t.Context(), serviceapi.ProjectPath("acme/app")

	self, _, err := bot.Users.Current(ctx)
	require.NoError(t, err)
	assert.False(t, *self.TwoFactorEnabled)
	found, _, err := bot.Projects.Get(ctx, project, nil)
	require.NoError(t, err)
	require.Equal(t, []any{"main", false, false}, []any{found.DefaultBranch, found.EmptyRepo, found.Archived})
	mine := func(state serviceapi.MergeRequestState) (titles []string) {
		options := &serviceapi.ListMergeRequestsOptions{State: state, Scope: "created_by_me",
			Sort: serviceapi.SortAscending}
		for mr, err := range bot.MergeRequests.All(ctx, project, options) {
			require.NoError(t, err)
			titles = append(titles, mr.Title)
		}
		return titles
	}
	write := func(path string, content []byte) serviceapi.CommitAction {
		if _, exists := app.File("main", path); exists {
			return serviceapi.UpdateFileAction(path, content)
		}
		return serviceapi.CreateFileAction(path, content)
	}
	propose := func(branch, title, path, content string) *serviceapi.MergeRequestDetails {
		_, _, err := bot.Commits.Create(ctx, project, serviceapi.CreateCommitOptions{
			Branch: branch, StartBranch: new("main"), CommitMessage: title, Force: new(true),
			Actions: []serviceapi.CommitAction{write(path, []byte(content))},
		})
		require.NoError(t, err)
		mr, _, err := bot.MergeRequests.Create(ctx, project, serviceapi.CreateMergeRequestOptions{
			SourceBranch: branch, TargetBranch: "main", Title: title, Labels: serviceapi.LabelNames{"dependencies"},
			AssigneeIDs: []int64{ada.ID()}, ReviewerIDs: []int64{ada.ID()},
		})
		require.NoError(t, err)
		return mr
	}

	// The onboarding.
	onboarding := propose("bot/configure", "Configure the bot", "bot.json", "{}")
	assert.Equal(t, new(true), onboarding.ForceRemoveSourceBranch, "as the project wants")
	assert.Equal(t, "ada", onboarding.Assignees[0].Username)
	assert.Equal(t, []string{"Configure the bot"}, mine(serviceapi.MergeRequestStateOpened))
	_, _, err = bot.Commits.SetStatus(ctx, project, app.Head("bot/configure"), serviceapi.SetCommitStatusOptions{
		State: "success", Ref: new("bot/configure"), Name: new("bot/stability-days"),
	})
	require.NoError(t, err)
	_, _, err = as(t, svc, ada).MergeRequests.Merge(ctx, project.MergeRequest(onboarding.IID),
		serviceapi.MergeOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"main"}, app.Branches(), "the onboarding branch is gone")
	_, configured := app.File("main", "bot.json")
	assert.True(t, configured)

	// An update that merges itself.
	app.CI(servicetest.PlanJob("test", servicetest.Took(time.Minute)))
	update := propose("bot/dep-1.x", "Update dep to 1.1.0", "package.json", `{"dep":"1.1.0"}`)
	_, _, err = bot.MergeRequests.CreatePipeline(ctx, project.MergeRequest(update.IID),
		serviceapi.CreateMergeRequestPipelineOptions{})
	require.NoError(t, err)
	waiting, _, err := bot.MergeRequests.Merge(ctx, project.MergeRequest(update.IID),
		serviceapi.MergeOptions{MergeWhenPipelineSucceeds: new(true)})
	require.NoError(t, err)
	assert.True(t, waiting.MergeWhenPipelineSucceeds)
	svc.Advance(2 * time.Minute)
	updated, _, err := bot.MergeRequests.Get(ctx, project.MergeRequest(update.IID), nil)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.MergeRequestStateMerged, updated.State)
	content, _ := app.File("main", "package.json")
	assert.Equal(t, `{"dep":"1.1.0"}`, content)

	// The overview.
	overview, _, err := bot.Issues.Create(ctx, project, serviceapi.CreateIssueOptions{Title: "Overview",
		Description: new("- [ ] dep")})
	require.NoError(t, err)
	_, _, err = bot.Issues.Update(ctx, project.Issue(overview.IID),
		serviceapi.UpdateIssueOptions{Description: new("- [x] dep")})
	require.NoError(t, err)
	issues, _, err := bot.Issues.List(ctx, project, &serviceapi.ListIssuesOptions{State: "opened", Search: "Overview"})
	require.NoError(t, err)
	require.Len(t, issues, 1)
	assert.Equal(t, 1, issues[0].TaskCompletionStatus.CompletedCount)

	// An update that is no longer needed.
	obsolete := propose("bot/dep-2.x", "Update dep to 2.0.0", "package.json", `{"dep":"2.0.0"}`)
	_, _, err = bot.MergeRequests.Update(ctx, project.MergeRequest(obsolete.IID), serviceapi.UpdateMergeRequestOptions{
		Title: new("Update dep to 2.0.0 - autoclosed"), StateEvent: new(serviceapi.StateEventClose),
		RemoveLabels: serviceapi.LabelNames{"dependencies"},
	})
	require.NoError(t, err)
	_, err = bot.Branches.Delete(ctx, project, "bot/dep-2.x")
	require.NoError(t, err)
	_, _, err = bot.Notes.CreateForMergeRequest(ctx, project.MergeRequest(obsolete.IID),
		serviceapi.CreateMergeRequestNoteOptions{Body: "Closed."})
	require.NoError(t, err)
	assert.Empty(t, mine(serviceapi.MergeRequestStateOpened))
	assert.Equal(t, []string{"Update dep to 2.0.0 - autoclosed"}, mine(serviceapi.MergeRequestStateClosed))
	var told, said []string
	for note, err := range bot.Notes.All(ctx, project.MergeRequest(obsolete.IID),
		&serviceapi.ListNotesOptions{Sort: serviceapi.SortAscending}) {
		require.NoError(t, err)
		if note.System {
			told = append(told, note.Body)
		} else {
			said = append(said, note.Body)
		}
	}
	assert.Equal(t, []string{"Closed."}, said, "what is not a system note")
	assert.Equal(t, []string{
		"assigned to @ada", "added ~1 label", "requested review from @ada",
		"changed title from **Update dep to 2.0.0** to **Update dep to 2.0.0 - autoclosed**", "removed ~1 label",
		"closed",
	}, told)
}
