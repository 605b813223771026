package interop

import (
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// branched makes a branch with its own commit.
func branched(p *servicetest.Project, name string) string {
	p.Commit(name, "Work on "+name, servicetest.Write(name+".txt", name+"\n"))
	return name
}

func TestMergeRequests(t *testing.T) {
	e := start(t)
	ada, bob := e.svc.User("ada", servicetest.Name("Ada Lovelace")), e.svc.User("bob")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Developer))
	project.Label("urgent", "#ff0000", "Now")
	milestone := project.Milestone("v2", servicetest.Between(servicetest.Epoch, servicetest.Epoch.AddDate(0, 1, 0)))
	for _, title := range []string{"Slow", "Slower", "Slowest"} {
		project.Issue(title, servicetest.AssignedTo(bob))
	}
	rich := project.MergeRequest(branched(project, "rich"), servicetest.By(ada), servicetest.Title("Rich"),
		servicetest.Description("Closes #1, closes #2 and closes #3."), servicetest.Labels("urgent", "engine"),
		servicetest.InMilestone(milestone),
		servicetest.AssignedTo(bob), servicetest.ReviewedBy(ada), servicetest.TimeTracked(3*time.Hour, time.Hour),
		servicetest.ApprovableBy(2, ada))
	draft := project.MergeRequest(branched(project, "draft"), servicetest.By(ada), servicetest.Draft())
	plain := project.MergeRequest(branched(project, "plain"), servicetest.By(ada))
	c, iid := e.as(ada), func(m *clientgo.BasicMergeRequest) int64 { return m.IID }

	all := []int64{rich.IID(), draft.IID(), plain.IID()}
	assert.ElementsMatch(t, all, each(walk0(e, c.MergeRequests.ListMergeRequests, nil), iid),
		"those that the caller made")
	list := walk1(e, c.MergeRequests.ListProjectMergeRequests, app,
		&clientgo.ListProjectMergeRequestsOptions{OrderBy: new("title"), Sort: new("asc")})
	assert.Equal(t, []string{"Draft: Draft", "Plain", "Rich"},
		each(list, func(m *clientgo.BasicMergeRequest) string { return m.Title }))
	detailed := got(c.MergeRequests.ListProjectMergeRequests(app, &clientgo.ListProjectMergeRequestsOptions{
		Labels: &clientgo.LabelOptions{"urgent"}, WithLabelsDetails: new(true), Milestone: new("v2"),
		ReviewerID: clientgo.ReviewerID(ada.ID()),
		State:      new("opened"), Search: new("rich"), IIDs: &[]int64{rich.IID()},
	})).ok(e, 200)
	assert.Equal(t, []int64{rich.IID()}, each(detailed, iid))
	colors := map[string]string{}
	for _, label := range detailed[0].LabelDetails {
		colors[label.Name] = label.Color
	}
	assert.Equal(t, "#ff0000", colors["urgent"])
	drafts := got(c.MergeRequests.ListProjectMergeRequests(app,
		&clientgo.ListProjectMergeRequestsOptions{WIP: new("yes")})).ok(e, 200)
	assert.Equal(t, []int64{draft.IID()}, each(drafts, iid))

	one := got(c.MergeRequests.GetMergeRequest(app, rich.IID(),
		&clientgo.GetMergeRequestsOptions{IncludeRebaseInProgress: new(true)})).ok(e, 200)
	assert.Equal(t, []any{"Rich", "opened", "rich", "main", "ada", "bob", rich.SHA()},
		[]any{one.Title, one.State, one.SourceBranch, one.TargetBranch, one.Author.Username, one.Assignee.Username,
			one.SHA})
	assert.ElementsMatch(t, []string{"urgent", "engine"}, one.Labels)
	assert.Equal(t, []any{"v2", int64(10800), "3h", "ada"}, []any{one.Milestone.Title, one.TimeStats.TimeEstimate,
		one.TimeStats.HumanTimeEstimate, one.Reviewers[0].Username})
	issues := walk2(e, c.MergeRequests.GetIssuesClosedOnMerge, app, rich.IID(), nil)
	assert.ElementsMatch(t, []string{"Slow", "Slower", "Slowest"},
		each(issues, func(i *clientgo.Issue) string { return i.Title }))

	got(c.MergeRequests.UnsubscribeFromMergeRequest(app, plain.IID())).ok(e, 201)
	subscribed := got(c.MergeRequests.SubscribeToMergeRequest(app, plain.IID())).ok(e, 201)
	assert.True(t, subscribed.Subscribed)
	assert.True(t, plain.Subscribed(ada))
	type merged struct {
		CommitID string `json:"commit_id"`
	}
	ref := request[merged](c, "GET", "projects/acme%2Fapp/merge_requests/3/merge_ref", nil).ok(e, 200)
	assert.Len(t, ref.CommitID, 40)

	got(c.MergeRequests.AcceptMergeRequest(app, draft.IID(), nil)).refused(e, 405)
	got(c.MergeRequests.AcceptMergeRequest(app, plain.IID(),
		&clientgo.AcceptMergeRequestOptions{SHA: new(project.Head("main"))})).refused(e, 409)
	accepted := got(c.MergeRequests.AcceptMergeRequest(app, plain.IID(), &clientgo.AcceptMergeRequestOptions{
		SHA: new(plain.SHA()), MergeCommitMessage: new("Merge it"), ShouldRemoveSourceBranch: new(true),
	})).ok(e, 200)
	assert.Equal(t, []any{"merged", "ada", plain.MergeCommitSHA()}, []any{accepted.State, accepted.MergeUser.Username,
		accepted.MergeCommitSHA})
	assert.NotContains(t, project.Branches(), "plain")
}

func TestMergeWhenPipelineSucceeds(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	m := project.MergeRequest(branched(project, "feature"))
	project.Pipeline("feature", servicetest.Commit(m.SHA(), "Work"), servicetest.PipelineStatus("running"))

	waiting := got(e.admin.MergeRequests.AcceptMergeRequest(app, m.IID(),
		&clientgo.AcceptMergeRequestOptions{MergeWhenPipelineSucceeds: new(true)})).ok(e, 200)
	assert.Equal(t, []any{"opened", true}, []any{waiting.State, waiting.MergeWhenPipelineSucceeds})
	canceled := got(e.admin.MergeRequests.CancelMergeWhenPipelineSucceeds(app, m.IID())).ok(e, 201)
	assert.False(t, canceled.MergeWhenPipelineSucceeds)
	got(e.admin.MergeRequests.CancelMergeWhenPipelineSucceeds(app, m.IID())).refused(e, 406)
}

func TestRebase(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	m := project.MergeRequest(branched(project, "feature"), servicetest.RebaseTakes(time.Minute))
	head := project.Commit("main", "Go on", servicetest.Write("other.txt", "x\n"))

	done(e.admin.MergeRequests.RebaseMergeRequest(app, m.IID(),
		&clientgo.RebaseMergeRequestOptions{SkipCI: new(true)})).ok(e, 202)
	options := &clientgo.GetMergeRequestsOptions{IncludeRebaseInProgress: new(true)}
	assert.True(t, got(e.admin.MergeRequests.GetMergeRequest(app, m.IID(), options)).ok(e, 200).RebaseInProgress)
	e.svc.Advance(2 * time.Minute)
	rebased := got(e.admin.MergeRequests.GetMergeRequest(app, m.IID(), options)).ok(e, 200)
	assert.Equal(t, []any{false, "", m.SHA()}, []any{rebased.RebaseInProgress, rebased.MergeError, rebased.SHA})
	assert.Equal(t, []string{head}, got(e.admin.Commits.GetCommit(app, m.SHA(), nil)).ok(e, 200).ParentIDs)
}
