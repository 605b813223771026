package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestMilestones(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	due := clientgo.ISOTime(servicetest.Epoch)
	m := e.admin.Milestones
	made := got(m.CreateMilestone(app, &clientgo.CreateMilestoneOptions{Title: new("v1"), DueDate: &due})).ok(e, 201)
	crash := &clientgo.CreateIssueOptions{Title: new("Crash"), MilestoneID: &made.ID}
	issue := got(e.admin.Issues.CreateIssue(app, crash)).ok(e, 201)
	request := project.MergeRequest("topic")
	inMilestone := &clientgo.UpdateMergeRequestOptions{MilestoneID: &made.ID}
	got(e.admin.MergeRequests.UpdateMergeRequest(app, request.IID(), inMilestone)).ok(e, 200)
	assert.Equal(t, "v1", got(m.GetMilestone(app, made.ID)).ok(e, 200).Title)
	changed := got(m.UpdateMilestone(app, made.ID, &clientgo.UpdateMilestoneOptions{StateEvent: new("close")})).ok(e,
		200)
	assert.Equal(t, "closed", changed.State)
	assert.Equal(t, issue.ID, got(m.GetMilestoneIssues(app, made.ID, nil)).ok(e, 200)[0].ID)
	assert.Equal(t, request.ID(), got(m.GetMilestoneMergeRequests(app, made.ID, nil)).ok(e, 200)[0].ID)
	done(m.DeleteMilestone(app, made.ID)).ok(e, 204)

	g := e.admin.GroupMilestones
	ofGroup := got(g.CreateGroupMilestone(acme, &clientgo.CreateGroupMilestoneOptions{Title: new("Q1")})).ok(e, 201)
	got(e.admin.Issues.UpdateIssue(app, issue.IID, &clientgo.UpdateIssueOptions{MilestoneID: &ofGroup.ID})).ok(e, 200)
	assert.Equal(t, "Q1", got(g.GetGroupMilestone(acme, ofGroup.ID)).ok(e, 200).Title)
	assert.Len(t, got(g.GetGroupMilestoneIssues(acme, ofGroup.ID, nil)).ok(e, 200), 1)
	assert.Empty(t, got(g.GetGroupMilestoneMergeRequests(acme, ofGroup.ID, nil)).ok(e, 200))
	q2 := &clientgo.UpdateGroupMilestoneOptions{Title: new("Q2")}
	renamed := got(g.UpdateGroupMilestone(acme, ofGroup.ID, q2)).ok(e, 200)
	assert.Equal(t, "Q2", renamed.Title)
	done(g.DeleteGroupMilestone(acme, ofGroup.ID)).ok(e, 204)
}
