package interop

import (
	"fmt"
	"net/http"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestMergeRequestDependencies(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	first, second := project.MergeRequest("first"), project.MergeRequest("second")
	m, path := e.admin.MergeRequests, fmt.Sprintf("projects/1/merge_requests/%d/", second.IID())
	made := got(m.CreateMergeRequestDependency(app, second.IID(), clientgo.CreateMergeRequestDependencyOptions{
		BlockingMergeRequestID: new(first.ID()),
	})).ok(e, 201)
	assert.Equal(t, first.ID(), made.BlockingMergeRequest.ID)
	listed := got(m.GetMergeRequestDependencies(app, second.IID())).raw(e)
	assert.Equal(t, made.ID, listed[0].ID)
	one := request[*clientgo.MergeRequestDependency](e.admin, http.MethodGet, path+"blocks/1", nil).raw(e)
	assert.Equal(t, first.IID(), one.BlockingMergeRequest.Iid)
	waiting := request[[]*clientgo.MergeRequestDependency](e.admin, http.MethodGet,
		fmt.Sprintf("projects/1/merge_requests/%d/blockees", first.IID()), nil).raw(e)
	assert.Len(t, waiting, 1)
	done(m.DeleteMergeRequestDependency(app, second.IID(), made.ID)).ok(e, 204)

	project.Issue("Mentioned")
	got(e.admin.Notes.CreateMergeRequestNote(app, second.IID(),
		&clientgo.CreateMergeRequestNoteOptions{Body: new("See #1")})).ok(e, 201)
	related := got(m.ListRelatedIssues(app, second.IID(), nil)).ok(e, 200)
	assert.Equal(t, "Mentioned", related[0].Title)

	commits, context := []string{project.Head("main")}, e.admin.MergeRequestContextCommits
	added := got(context.CreateMergeRequestContextCommits(app, second.IID(),
		&clientgo.CreateMergeRequestContextCommitsOptions{Commits: &commits})).ok(e, 201)
	assert.Equal(t, commits[0], added[0].ID)
	assert.Len(t, got(context.ListMergeRequestContextCommits(app, second.IID())).ok(e, 200), 1)
	done(context.DeleteMergeRequestContextCommits(app, second.IID(),
		&clientgo.DeleteMergeRequestContextCommitsOptions{Commits: &commits})).ok(e, 204)
	assert.Empty(t, got(context.ListMergeRequestContextCommits(app, second.IID())).ok(e, 200))
}

func TestApprovalsOfGroups(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	mr := project.MergeRequest("topic")
	_, resp, err := e.admin.MergeRequestApprovals.ChangeApprovalConfiguration(app, mr.IID(),
		&clientgo.ChangeMergeRequestApprovalConfigurationOptions{ApprovalsRequired: new(int64(2))})
	done(resp, err).ok(e, 201) // the client takes it for a merge request
	approvals := got(e.admin.MergeRequestApprovals.GetConfiguration(app, mr.IID())).ok(e, 200)
	assert.Equal(t, int64(2), approvals.ApprovalsRequired)

	path := fmt.Sprintf("groups/%d/approval_rules", project.Group().ID())
	type rule = clientgo.ProjectApprovalRule
	made := request[*rule](e.admin, http.MethodPost, path, map[string]any{
		"name": "Security", "approvals_required": 1, "user_ids": []int64{1},
	}).ok(e, 201)
	changed := request[*rule](e.admin, http.MethodPut, fmt.Sprint(path, "/", made.ID), map[string]any{
		"approvals_required": 2,
	}).ok(e, 200)
	assert.Equal(t, int64(2), changed.ApprovalsRequired)
	assert.Len(t, request[[]*rule](e.admin, http.MethodGet, path, nil).ok(e, 200), 1)
}

func TestSuggestions(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Commit("topic", "Lines", servicetest.Write("a.txt", "1\n2\n"))
	mr := project.MergeRequest("topic")
	for line := range int64(2) {
		version := got(e.admin.MergeRequests.GetMergeRequestDiffVersions(app, mr.IID(), nil)).ok(e, 200)[0]
		_, resp, err := e.admin.Discussions.CreateMergeRequestDiscussion(app, mr.IID(),
			&clientgo.CreateMergeRequestDiscussionOptions{
				Body: new("```suggestion\nx\n```"),
				Position: &clientgo.PositionOptions{
					BaseSHA: &version.BaseCommitSHA, StartSHA: &version.StartCommitSHA, HeadSHA: &version.HeadCommitSHA,
					PositionType: new("text"), NewPath: new("a.txt"), NewLine: new(line + 1),
				},
			})
		done(resp, err).ok(e, 201)
	}
	type suggestion struct {
		ID      int64 `json:"id"`
		Applied bool  `json:"applied"`
	}
	id := mr.Notes()[0].ID() * 100
	one := request[*suggestion](e.admin, http.MethodPut, fmt.Sprintf("suggestions/%d/apply", id), nil).raw(e)
	assert.True(t, one.Applied)
	id = mr.Notes()[1].ID() * 100
	all := request[[]*suggestion](e.admin, http.MethodPut, "suggestions/batch_apply",
		map[string]any{"ids": []int64{id}}).raw(e)
	assert.Equal(t, id, all[0].ID)
}

// TestWalksOfRelations walks the lists of what merge requests have to do with.
func TestWalksOfRelations(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	last := project.MergeRequest("last", servicetest.Description("See #1, #2 and #3"))
	var commits []string
	for i := range 3 {
		name := fmt.Sprint("topic", i)
		project.Issue(name)
		commits = append(commits, project.Commit("main", name, servicetest.Write(name, name)))
		options := clientgo.CreateMergeRequestDependencyOptions{BlockingMergeRequestID: new(last.ID())}
		waits := project.MergeRequest(name)
		got(e.admin.MergeRequests.CreateMergeRequestDependency(app, waits.IID(), options)).ok(e, 201)
		options.BlockingMergeRequestID = new(project.MergeRequest(name + "b").ID())
		got(e.admin.MergeRequests.CreateMergeRequestDependency(app, last.IID(), options)).ok(e, 201)
		request[*clientgo.ProjectApprovalRule](e.admin, http.MethodPost, "groups/1/approval_rules",
			map[string]any{"name": name, "approvals_required": 1}).ok(e, 201)
	}
	got(e.admin.MergeRequestContextCommits.CreateMergeRequestContextCommits(app, last.IID(),
		&clientgo.CreateMergeRequestContextCommitsOptions{Commits: &commits})).ok(e, 201)
	path := fmt.Sprintf("projects/1/merge_requests/%d/", last.IID())
	assert.Len(t, walkPath[*clientgo.MergeRequestDependency](e, path+"blocks"), 3)
	assert.Len(t, walkPath[*clientgo.MergeRequestDependency](e, path+"blockees"), 3)
	assert.Len(t, walkPath[*clientgo.Commit](e, path+"context_commits"), 3)
	assert.Len(t, walkPath[*clientgo.ProjectApprovalRule](e, "groups/1/approval_rules"), 3)
	assert.Len(t, walk2(e, e.admin.MergeRequests.ListRelatedIssues, any(app), last.IID(), nil), 3)
}
