package interop

import (
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestIssueRelations(t *testing.T) {
	e := start(t)
	ada, bob, eve := e.svc.User("ada"), e.svc.User("bob"), e.svc.User("eve")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Developer),
		servicetest.Member(eve, servicetest.Guest))
	issue := project.Issue("Slow", servicetest.By(ada), servicetest.AssignedTo(bob),
		servicetest.Description("Ask @eve."))
	other := project.Issue("Slower")
	for _, name := range []string{"one", "two", "three"} {
		project.MergeRequest(branched(project, name), servicetest.Description("Closes #1."))
	}
	c := e.as(ada).Issues
	assert.False(t, got(c.UnsubscribeFromIssue(app, issue.IID())).ok(e, 201).Subscribed)
	assert.True(t, got(c.SubscribeToIssue(app, issue.IID())).ok(e, 201).Subscribed)
	iid := func(m *clientgo.BasicMergeRequest) int64 { return m.IID }
	closing := walk2(e, c.ListMergeRequestsClosingIssue, app, issue.IID(),
		&clientgo.ListMergeRequestsClosingIssueOptions{})
	assert.Len(t, each(closing, iid), 3)
	related := walk2(e, c.ListMergeRequestsRelatedToIssue, app, issue.IID(),
		&clientgo.ListMergeRequestsRelatedToIssueOptions{})
	assert.Len(t, each(related, iid), 3)
	people := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.BasicUser, *clientgo.Response, error) {
		return c.GetParticipants(app, issue.IID(), opts...)
	})
	assert.Equal(t, []string{"ada", "bob", "eve"},
		each(people, func(u *clientgo.BasicUser) string { return u.Username }))
	assert.Equal(t, "Slow", got(e.admin.Issues.GetIssueByID(issue.ID())).ok(e, 200).Title)
	got(c.GetIssueByID(issue.ID())).refused(e, 403)
	moved := got(c.ReorderIssue(app, other.IID(), &clientgo.ReorderIssueOptions{MoveAfterID: new(issue.ID())})).ok(e,
		200)
	assert.Equal(t, "Slower", moved.Title)
	got(c.ReorderIssue(app, other.IID(), &clientgo.ReorderIssueOptions{MoveAfterID: new(int64(99))})).refused(e, 422)
	target := e.svc.Project("acme/tool", servicetest.Member(ada, servicetest.Reporter))
	copied := request[clientgo.Issue](e.as(ada), "POST", "projects/acme%2Fapp/issues/1/clone",
		map[string]any{"to_project_id": target.ID(), "with_notes": true}).ok(e, 201) // the client has no call
	assert.Equal(t, []any{target.ID(), "Slow", "ada"}, []any{copied.ProjectID, copied.Title, copied.Author.Username})
}

func TestMergeRequestRelations(t *testing.T) {
	e := start(t)
	ada, bob, eve, kim := e.svc.User("ada"), e.svc.User("bob"), e.svc.User("eve"), e.svc.User("kim")
	project := e.svc.Project(app, servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Developer),
		servicetest.Member(eve, servicetest.Developer), servicetest.Member(kim, servicetest.Developer))
	m := project.MergeRequest(branched(project, "feature"), servicetest.By(ada), servicetest.ReviewedBy(bob, eve, kim),
		servicetest.SubscribedBy(ada))
	c := e.as(ada).MergeRequests
	assert.False(t, got(c.UnsubscribeFromMergeRequest(app, m.IID())).ok(e, 201).Subscribed)
	versions := got(c.GetMergeRequestDiffVersions(app, m.IID(), nil)).ok(e, 200)
	version := got(c.GetSingleMergeRequestDiffVersion(app, m.IID(), versions[0].ID,
		&clientgo.GetSingleMergeRequestDiffVersionOptions{Unidiff: new(true)})).ok(e, 200)
	assert.Equal(t, []any{"Work on feature", "feature.txt"}, []any{version.Commits[0].Title, version.Diffs[0].NewPath})
	assert.True(t, strings.HasPrefix(version.Diffs[0].Diff, "--- /dev/null\n"))
	raw := got(c.ShowMergeRequestRawDiffs(app, m.IID(), nil)).raw(e)
	assert.Contains(t, string(raw), "diff --git a/feature.txt b/feature.txt\n")
	people := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.BasicUser, *clientgo.Response, error) {
		return c.GetMergeRequestParticipants(app, m.IID(), opts...)
	})
	assert.Equal(t, []string{"ada", "bob", "eve", "kim"},
		each(people, func(u *clientgo.BasicUser) string { return u.Username }))
	reviewers := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.MergeRequestReviewer, *clientgo.Response,
		error) {
		return c.GetMergeRequestReviewers(app, m.IID(), opts...)
	})
	assert.Len(t, reviewers, 3)
	assert.Equal(t, []string{"bob", "unreviewed"}, []string{reviewers[0].User.Username, reviewers[0].State})
}
