package interop

import (
	"bytes"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestMergeRequestLife(t *testing.T) {
	e := start(t)
	ada, bob := e.svc.User("ada"), e.svc.User("bob")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Owner),
		servicetest.Member(bob, servicetest.Developer))
	c, branch := e.as(bob), branched(project, "feature")
	project.Commit(branch, "More", servicetest.Write("more.txt", "1\n2\n"))
	project.Commit(branch, "Most", servicetest.Write("most.txt", "1\n"), servicetest.Remove("README.md"))

	made := got(c.MergeRequests.CreateMergeRequest(app, &clientgo.CreateMergeRequestOptions{
		Title: new("Draft: Feature"), Description: new("Why"), SourceBranch: &branch, TargetBranch: new("main"),
		Labels:      &clientgo.LabelOptions{"new", "one"},
		AssigneeIDs: &[]int64{bob.ID()}, ReviewerIDs: &[]int64{ada.ID()}, RemoveSourceBranch: new(true),
		Squash: new(true),
	})).ok(e, 201)
	assert.Equal(t, []any{"opened", true, "preparing", ""}, []any{made.State, made.Draft, made.DetailedMergeStatus,
		made.ChangesCount})
	got(c.MergeRequests.CreateMergeRequest(app, &clientgo.CreateMergeRequestOptions{Title: new("Again"),
		SourceBranch: &branch, TargetBranch: new("main")})).refused(e, 409)
	updated := got(c.MergeRequests.UpdateMergeRequest(app, made.IID, &clientgo.UpdateMergeRequestOptions{
		Title: new("Feature"), AddLabels: &clientgo.LabelOptions{"more"}, RemoveLabels: &clientgo.LabelOptions{"one"},
		DiscussionLocked: new(true),
	})).ok(e, 200)
	assert.Equal(t, []any{"Feature", "mergeable", "4", true}, []any{updated.Title, updated.DetailedMergeStatus,
		updated.ChangesCount, updated.DiscussionLocked})
	assert.ElementsMatch(t, []string{"new", "more"}, updated.Labels)

	commits := walk2(e, c.MergeRequests.GetMergeRequestCommits, app, made.IID,
		&clientgo.GetMergeRequestCommitsOptions{})
	assert.Equal(t, []string{"Most", "More", "Work on feature"},
		each(commits, func(c *clientgo.Commit) string { return c.Title }))
	diffs := walk2(e, c.MergeRequests.ListMergeRequestDiffs, app, made.IID, &clientgo.ListMergeRequestDiffsOptions{})
	assert.ElementsMatch(t, []string{"README.md", "feature.txt", "more.txt", "most.txt"},
		each(diffs, func(d *clientgo.MergeRequestDiff) string { return d.NewPath }))
	type changed struct { // the client has no place for the changes
		Changes  []*clientgo.Diff `json:"changes"`
		Overflow bool             `json:"overflow"`
	}
	changes := request[changed](c, "GET", "projects/acme%2Fapp/merge_requests/1/changes", nil)
	assert.NoError(t, changes.err)
	assert.Len(t, changes.value.Changes, 4)
	for _, name := range []string{"a", "b"} {
		project.Commit(branch, name, servicetest.Write(name, name))
		got(c.MergeRequests.GetMergeRequest(app, made.IID, nil)).ok(e, 200)
	}
	versions := walk2(e, c.MergeRequests.GetMergeRequestDiffVersions, app, made.IID,
		&clientgo.GetMergeRequestDiffVersionsOptions{})
	assert.Equal(t, []string{"6", "5", "4"},
		each(versions, func(v *clientgo.MergeRequestDiffVersion) string { return v.RealSize }))

	for range 3 {
		pipeline := got(c.MergeRequests.CreateMergeRequestPipeline(app, made.IID)).ok(e, 200)
		assert.Equal(t, "merge_request_event", pipeline.Source)
	}
	pipelines := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.PipelineInfo, *clientgo.Response,
		error) {
		return c.MergeRequests.ListMergeRequestPipelines(app, made.IID, opts...)
	})
	assert.Len(t, pipelines, 3)
	project.MergeRequest("second")
	project.MergeRequest("third")
	grouped := walk1(e, c.MergeRequests.ListGroupMergeRequests, acme,
		&clientgo.ListGroupMergeRequestsOptions{State: new("opened")})
	assert.Len(t, grouped, 3)
	done(c.MergeRequests.DeleteMergeRequest(app, made.IID)).refused(e, 403)
	done(e.as(ada).MergeRequests.DeleteMergeRequest(app, made.IID)).ok(e, 204)
	assert.Len(t, project.MergeRequests(), 2)
}

func TestApprovals(t *testing.T) {
	e := start(t)
	ada, bob := e.svc.User("ada"), e.svc.User("bob")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Developer))
	m := project.MergeRequest("feature", servicetest.ApprovableBy(2, ada))
	c := e.as(ada)
	before := got(c.MergeRequestApprovals.GetConfiguration(app, m.IID())).ok(e, 200)
	assert.Equal(t, []any{false, int64(2), "ada"}, []any{before.Approved, before.ApprovalsLeft,
		before.SuggestedApprovers[0].Username})
	got(c.MergeRequestApprovals.ApproveMergeRequest(app, m.IID(),
		&clientgo.ApproveMergeRequestOptions{SHA: new(project.Head("main"))})).refused(e, 409)
	approved := got(c.MergeRequestApprovals.ApproveMergeRequest(app, m.IID(),
		&clientgo.ApproveMergeRequestOptions{SHA: new(m.SHA())})).ok(e, 201)
	assert.Equal(t, []any{"ada", int64(1)}, []any{approved.ApprovedBy[0].User.Username, approved.ApprovalsLeft})
	got(c.MergeRequestApprovals.ApproveMergeRequest(app, m.IID(), nil)).refused(e, 401)
	state := got(c.MergeRequestApprovals.GetApprovalState(app, m.IID())).ok(e, 200)
	assert.Equal(t, []any{"regular", false}, []any{state.Rules[0].RuleType, state.Rules[0].Approved})
	done(c.MergeRequestApprovals.UnapproveMergeRequest(app, m.IID())).ok(e, 201)
	done(c.MergeRequestApprovals.UnapproveMergeRequest(app, m.IID())).refused(e, 404)
	assert.Empty(t, m.Approvers())
}

func TestDiscussions(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer))
	m := project.MergeRequest(branched(project, "feature"))
	c := e.as(ada).Discussions
	refs := got(e.admin.MergeRequests.GetMergeRequest(app, m.IID(), nil)).ok(e, 200).DiffRefs
	onLine := got(c.CreateMergeRequestDiscussion(app, m.IID(), &clientgo.CreateMergeRequestDiscussionOptions{
		Body: new("Why?"), Position: &clientgo.PositionOptions{
			BaseSHA: &refs.BaseSha, StartSHA: &refs.StartSha, HeadSHA: &refs.HeadSha, PositionType: new("text"),
			OldPath: new("feature.txt"), NewPath: new("feature.txt"), NewLine: new(int64(1)),
		},
	})).ok(e, 201)
	assert.Equal(t, []any{false, int64(1), true}, []any{onLine.IndividualNote, onLine.Notes[0].Position.NewLine,
		onLine.Notes[0].Resolvable})
	got(c.CreateMergeRequestDiscussion(app, m.IID(), &clientgo.CreateMergeRequestDiscussionOptions{Body: new("On it"),
		CommitID: new(m.SHA())})).ok(e, 201)
	m.Note("Plain")
	reply := got(c.AddMergeRequestDiscussionNote(app, m.IID(), onLine.ID,
		&clientgo.AddMergeRequestDiscussionNoteOptions{Body: new("So")})).ok(e, 201)
	edited := got(c.UpdateMergeRequestDiscussionNote(app, m.IID(), onLine.ID, reply.ID,
		&clientgo.UpdateMergeRequestDiscussionNoteOptions{Body: new("So there")})).ok(e, 200)
	assert.Equal(t, "So there", edited.Body)
	resolved := got(c.ResolveMergeRequestDiscussion(app, m.IID(), onLine.ID,
		&clientgo.ResolveMergeRequestDiscussionOptions{Resolved: new(true)})).ok(e, 200)
	assert.Equal(t, []any{true, "ada"}, []any{resolved.Notes[1].Resolved, resolved.Notes[1].ResolvedBy.Username})
	done(c.DeleteMergeRequestDiscussionNote(app, m.IID(), onLine.ID, reply.ID)).ok(e, 204)
	threads := walk2(e, c.ListMergeRequestDiscussions, app, m.IID(), &clientgo.ListMergeRequestDiscussionsOptions{})
	assert.Equal(t, []bool{false, false, true},
		each(threads, func(d *clientgo.Discussion) bool { return d.IndividualNote }))

	issue := project.Issue("Slow")
	for _, body := range []string{"One", "Two", "Three"} {
		thread := got(c.CreateIssueDiscussion(app, issue.IID(),
			&clientgo.CreateIssueDiscussionOptions{Body: &body})).ok(e, 201)
		got(c.AddIssueDiscussionNote(app, issue.IID(), thread.ID,
			&clientgo.AddIssueDiscussionNoteOptions{Body: new("More")})).ok(e, 201)
	}
	threads = walk2(e, c.ListIssueDiscussions, app, issue.IID(), &clientgo.ListIssueDiscussionsOptions{})
	assert.Equal(t, []string{"One", "Two", "Three"},
		each(threads, func(d *clientgo.Discussion) string { return d.Notes[0].Body }))
}

func TestIssues(t *testing.T) {
	e := start(t)
	ada, bob := e.svc.User("ada"), e.svc.User("bob")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Owner),
		servicetest.Member(bob, servicetest.Developer))
	target := e.svc.Project("acme/target", servicetest.Member(bob, servicetest.Reporter))
	milestone, epic := project.Milestone("v1"), e.svc.Group(acme).Epic("Big")
	c, due := e.as(bob), clientgo.ISOTime(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	made := got(c.Issues.CreateIssue(app, &clientgo.CreateIssueOptions{
		Title: new("Slow"), Description: new("- [x] seen"), AssigneeIDs: &[]int64{bob.ID(), ada.ID()},
		MilestoneID: new(milestone.ID()),
		Labels:      &clientgo.LabelOptions{"bug", "urgent"}, DueDate: &due, EpicID: new(epic.ID()),
		Weight:    new(int64(3)),
		IssueType: new("incident"),
	})).ok(e, 201)
	assert.Equal(t, []any{"opened", "bob", "v1", "2026-02-01", "Big"}, []any{made.State, made.Assignee.Username,
		made.Milestone.Title, made.DueDate.String(), made.Epic.Title})
	updated := got(c.Issues.UpdateIssue(app, made.IID, &clientgo.UpdateIssueOptions{
		Title: new("Slower"), AddLabels: &clientgo.LabelOptions{"new"}, StateEvent: new("close"), ResetDueDate: true,
		ResetMilestoneID: true, ResetWeight: true,
	})).ok(e, 200)
	assert.Equal(t, []any{"Slower", "closed", "bob"}, []any{updated.Title, updated.State, updated.ClosedBy.Username})
	assert.Nil(t, updated.DueDate)
	assert.Nil(t, updated.Milestone)
	project.Issue("Second", servicetest.By(bob))
	project.Issue("Third", servicetest.By(bob))
	title := func(i *clientgo.Issue) string { return i.Title }
	all := []string{"Third", "Second", "Slower"}
	assert.Equal(t, all, each(walk1(e, c.Issues.ListProjectIssues, app, &clientgo.ListProjectIssuesOptions{}), title))
	assert.Equal(t, all, each(walk1(e, c.Issues.ListGroupIssues, acme, &clientgo.ListGroupIssuesOptions{}), title))
	assert.Equal(t, all, each(walk0(e, c.Issues.ListIssues, &clientgo.ListIssuesOptions{}), title), "one's own")
	some := got(c.Issues.ListProjectIssues(app, &clientgo.ListProjectIssuesOptions{
		State: new("closed"), Labels: &clientgo.LabelOptions{"bug"}, AssigneeUsername: new("ada"),
		NotLabels: &clientgo.LabelOptions{"old"}, Search: new("slow"),
	})).ok(e, 200)
	assert.Equal(t, []string{"Slower"}, each(some, title))
	assert.Equal(t, "Slower", got(c.Issues.GetIssue(app, made.IID)).ok(e, 200).Title)

	moved := got(c.Issues.MoveIssue(app, made.IID, &clientgo.MoveIssueOptions{ToProjectID: new(target.ID())})).ok(e,
		201)
	assert.Equal(t, target.ID(), moved.ProjectID)
	assert.Equal(t, moved.ID, got(c.Issues.GetIssue(app, made.IID)).ok(e, 200).MovedToID)
	done(c.Issues.DeleteIssue(app, made.IID)).refused(e, 403)
	done(e.as(ada).Issues.DeleteIssue(app, made.IID)).ok(e, 204)
	assert.Len(t, project.Issues(), 2)
}

func TestPlanning(t *testing.T) {
	e := start(t)
	project, group := e.svc.Project(app), e.svc.Group(acme)
	for _, name := range []string{"one", "two", "three"} {
		project.Milestone(name, servicetest.Between(servicetest.Epoch, servicetest.Epoch.AddDate(0, 1, 0)))
		group.Milestone(name)
		project.Label(name, "#ff0000", "About "+name, servicetest.LabelPriority(1))
		group.Label(name, "#00ff00", "")
		group.Epic(name, servicetest.Labels(name),
			servicetest.Between(servicetest.Epoch, servicetest.Epoch.AddDate(0, 1, 0)))
	}
	newest, byDueDate := []string{"three", "two", "one"}, []string{"one", "two", "three"}
	assert.Equal(t, byDueDate, each(walk1(e, e.admin.Milestones.ListMilestones, app, &clientgo.ListMilestonesOptions{}),
		func(m *clientgo.Milestone) string { return m.Title }))
	assert.Equal(t, byDueDate,
		each(walk1(e, e.admin.GroupMilestones.ListGroupMilestones, acme, &clientgo.ListGroupMilestonesOptions{}),
			func(m *clientgo.GroupMilestone) string { return m.Title }))
	sorted := []string{"one", "three", "two"}
	assert.Equal(t, sorted, each(walk1(e, e.admin.Labels.ListLabels, app,
		&clientgo.ListLabelsOptions{WithCounts: new(true), IncludeAncestorGroups: new(false)}),
		func(l *clientgo.Label) string { return l.Name }))
	assert.Equal(t, sorted, each(walk1(e, e.admin.GroupLabels.ListGroupLabels, acme,
		&clientgo.ListGroupLabelsOptions{}), func(l *clientgo.GroupLabel) string { return l.Name }))
	epics := walk1(e, e.admin.Epics.ListGroupEpics, acme, &clientgo.ListGroupEpicsOptions{})
	assert.Equal(t, newest, each(epics, func(e *clientgo.Epic) string { return e.Title }))
	assert.Equal(t, "two", got(e.admin.Epics.GetEpic(acme, 2)).ok(e, 200).Title)
}

func TestProjectSnippets(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Snippet("One")
	project.Snippet("Two")
	made := got(e.admin.ProjectSnippets.CreateSnippet(app, &clientgo.CreateProjectSnippetOptions{
		Title: new("Three"), Description: new("Third"), Visibility: new(clientgo.InternalVisibility),
		Files: &[]*clientgo.CreateSnippetFileOptions{{FilePath: new("a.sh"), Content: new("make\n")},
			{FilePath: new("b.sh"), Content: new("kill\n")}},
	})).ok(e, 201)
	assert.Equal(t, []any{"Three", "internal", 2}, []any{made.Title, made.Visibility, len(made.Files)})
	assert.Equal(t, "Third", got(e.admin.ProjectSnippets.GetSnippet(app, made.ID)).ok(e, 200).Description)
	all := walk1(e, e.admin.ProjectSnippets.ListSnippets, app, &clientgo.ListProjectSnippetsOptions{})
	assert.Equal(t, []string{"Three", "Two", "One"}, each(all, func(s *clientgo.Snippet) string { return s.Title }))
	sp, id := e.admin.ProjectSnippets, made.ID
	changed := got(sp.UpdateSnippet(app, id, &clientgo.UpdateProjectSnippetOptions{Title: new("Third"),
		Files: &[]*clientgo.UpdateSnippetFileOptions{
			{Action: new("move"), FilePath: new("c.sh"), PreviousPath: new("a.sh")},
			{Action: new("delete"), FilePath: new("b.sh")},
		}})).ok(e, 200)
	assert.Equal(t, []string{"Third", "c.sh"}, []string{changed.Title, changed.FileName})
	assert.Equal(t, "make\n", string(got(sp.SnippetContent(app, id)).raw(e)))
	const file = "projects/acme%2Fapp/snippets/3/files/main/c.sh/raw" // the client has no call
	body := request[bytes.Buffer](e.admin, "GET", file, nil).raw(e)
	assert.Equal(t, "make\n", body.String())
	done(sp.DeleteSnippet(app, id)).ok(e, 204)
}

func TestPersonalSnippets(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	s := e.as(ada).Snippets
	for _, title := range []string{"One", "Two", "Three"} {
		made := got(s.CreateSnippet(&clientgo.CreateSnippetOptions{
			Title: &title, Visibility: new(clientgo.PublicVisibility),
			Files: &[]*clientgo.CreateSnippetFileOptions{{FilePath: new("bin/a.sh"), Content: new("make\n")}},
		})).ok(e, 201)
		assert.Equal(t, []any{title, int64(0)}, []any{made.Title, made.ProjectID})
	}
	newest, titled := []string{"Three", "Two", "One"}, func(s *clientgo.Snippet) string { return s.Title }
	assert.Equal(t, newest, each(walk0(e, s.ListSnippets, &clientgo.ListSnippetsOptions{}), titled))
	assert.Equal(t, newest, each(walk0(e, s.ExploreSnippets, &clientgo.ExploreSnippetsOptions{}), titled))
	assert.Equal(t, newest, each(walk0(e, s.ListAllSnippets, &clientgo.ListAllSnippetsOptions{}), titled))
	assert.Equal(t, "Two", got(s.GetSnippet(2)).ok(e, 200).Title)
	changed := got(s.UpdateSnippet(2, &clientgo.UpdateSnippetOptions{Description: new("Second"),
		FileName: new("bin/b.sh")})).ok(e, 200)
	assert.Equal(t, []string{"Second", "bin/b.sh"}, []string{changed.Description, changed.FileName})
	assert.Equal(t, "make\n", string(got(s.SnippetContent(2)).raw(e)))
	assert.Equal(t, "make\n", string(got(s.SnippetFileContent(2, "main", "bin/b.sh")).raw(e)))
	got(s.SnippetFileContent(2, "main", "bin/a.sh")).refused(e, 404)
	done(e.admin.Snippets.DeleteSnippet(2)).refused(e, 404)
	done(s.DeleteSnippet(2)).ok(e, 204)
	assert.Len(t, ada.Snippets(), 2)
}

func TestMembersAndUsersLeave(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project, group := e.svc.Project(app, servicetest.Member(ada, servicetest.Developer)),
		e.svc.Group(acme, servicetest.Member(ada, servicetest.Developer))
	done(e.admin.ProjectMembers.DeleteProjectMember(app, ada.ID())).ok(e, 204)
	done(e.admin.GroupMembers.RemoveGroupMember(acme, ada.ID(),
		&clientgo.RemoveGroupMemberOptions{SkipSubresources: new(true)})).ok(e, 204)
	_, inProject := project.Membership(ada)
	_, inGroup := group.Membership(ada)
	assert.Equal(t, []bool{false, false}, []bool{inProject, inGroup})

	done(e.admin.Users.BlockUser(ada.ID())).ok(e, 201)
	assert.Equal(t, "blocked", ada.State())
	done(e.admin.Users.UnblockUser(ada.ID())).ok(e, 201)
	e.svc.Advance(100 * 24 * time.Hour)
	done(e.admin.Users.DeactivateUser(ada.ID())).ok(e, 201)
	assert.Equal(t, "deactivated", ada.State())
	done(e.admin.Users.ActivateUser(ada.ID())).ok(e, 201)
	assert.Equal(t, "active", ada.State())
}

func TestDiscussionsOfOtherOwners(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	acme := project.Group().Path()
	c, sha := e.admin.Discussions, project.Head("main")
	issue, snippet := project.Issue("Slow").IID(), project.Snippet("Trick").ID()
	epic := project.Group().Epic("Speed").ID()

	thread := got(c.CreateIssueDiscussion(app, issue,
		&clientgo.CreateIssueDiscussionOptions{Body: new("Why?")})).ok(e, 201)
	assert.Equal(t, thread.ID, got(c.GetIssueDiscussion(app, issue, thread.ID)).ok(e, 200).ID)
	note := got(c.UpdateIssueDiscussionNote(app, issue, thread.ID, thread.Notes[0].ID,
		&clientgo.UpdateIssueDiscussionNoteOptions{Body: new("So")})).ok(e, 200)
	done(c.DeleteIssueDiscussionNote(app, issue, thread.ID, note.ID)).ok(e, 204)
	onRequest := project.MergeRequest(branched(project, "feature"))
	started := onRequest.Note("Why?").DiscussionID()
	assert.Equal(t, started, got(c.GetMergeRequestDiscussion(app, onRequest.IID(), started)).ok(e, 200).ID)

	thread = got(c.CreateSnippetDiscussion(app, snippet,
		&clientgo.CreateSnippetDiscussionOptions{Body: new("How?")})).ok(e, 201)
	note = got(c.AddSnippetDiscussionNote(app, snippet, thread.ID,
		&clientgo.AddSnippetDiscussionNoteOptions{Body: new("So")})).ok(e, 201)
	got(c.UpdateSnippetDiscussionNote(app, snippet, thread.ID, note.ID,
		&clientgo.UpdateSnippetDiscussionNoteOptions{Body: new("Thus")})).ok(e, 200)
	assert.Equal(t, "Thus", got(c.GetSnippetDiscussion(app, snippet, thread.ID)).ok(e, 200).Notes[1].Body)
	done(c.DeleteSnippetDiscussionNote(app, snippet, thread.ID, note.ID)).ok(e, 204)
	for _, body := range []string{"And?", "But?"} {
		got(c.CreateSnippetDiscussion(app, snippet, &clientgo.CreateSnippetDiscussionOptions{Body: &body})).ok(e, 201)
	}
	assert.Len(t, walk2(e, c.ListSnippetDiscussions, app, snippet, &clientgo.ListSnippetDiscussionsOptions{}), 3)

	thread = got(c.CreateEpicDiscussion(acme, epic,
		&clientgo.CreateEpicDiscussionOptions{Body: new("When?")})).ok(e, 201)
	note = got(c.AddEpicDiscussionNote(acme, epic, thread.ID,
		&clientgo.AddEpicDiscussionNoteOptions{Body: new("Now")})).ok(e, 201)
	got(c.UpdateEpicDiscussionNote(acme, epic, thread.ID, note.ID,
		&clientgo.UpdateEpicDiscussionNoteOptions{Body: new("Soon")})).ok(e, 200)
	assert.Equal(t, "Soon", got(c.GetEpicDiscussion(acme, epic, thread.ID)).ok(e, 200).Notes[1].Body)
	done(c.DeleteEpicDiscussionNote(acme, epic, thread.ID, note.ID)).ok(e, 204)
	for _, body := range []string{"And?", "But?"} {
		got(c.CreateEpicDiscussion(acme, epic, &clientgo.CreateEpicDiscussionOptions{Body: &body})).ok(e, 201)
	}
	assert.Len(t, walk2(e, c.ListGroupEpicDiscussions, any(acme), epic, &clientgo.ListGroupEpicDiscussionsOptions{}), 3)

	thread = got(c.CreateCommitDiscussion(app, sha,
		&clientgo.CreateCommitDiscussionOptions{Body: new("What?")})).ok(e, 201)
	note = got(c.AddCommitDiscussionNote(app, sha, thread.ID,
		&clientgo.AddCommitDiscussionNoteOptions{Body: new("This")})).ok(e, 201)
	got(c.UpdateCommitDiscussionNote(app, sha, thread.ID, note.ID,
		&clientgo.UpdateCommitDiscussionNoteOptions{Body: new("That")})).ok(e, 200)
	assert.Equal(t, "That", got(c.GetCommitDiscussion(app, sha, thread.ID)).ok(e, 200).Notes[1].Body)
	done(c.DeleteCommitDiscussionNote(app, sha, thread.ID, note.ID)).ok(e, 204)
}
