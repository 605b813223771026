package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestIssueLinks(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	one, two := project.Issue("One").IID(), project.Issue("Two").IID()
	l := e.admin.IssueLinks
	made := got(l.CreateIssueLink(app, one, &clientgo.CreateIssueLinkOptions{
		TargetProjectID: new(app), TargetIssueIID: new("2"), LinkType: new("is_blocked_by"),
	})).ok(e, 201)
	assert.Equal(t, []any{"Two", "blocks", "One"}, []any{made.SourceIssue.Title, made.LinkType, made.TargetIssue.Title})
	links := got(l.ListIssueRelations(app, two)).ok(e, 200) // it has no pages
	assert.Equal(t, []any{made.ID, one, "blocks"}, []any{links[0].IssueLinkID, links[0].IID, links[0].LinkType})
	assert.Equal(t, made.ID, got(l.GetIssueLink(app, one, made.ID)).ok(e, 200).ID)
	assert.Equal(t, made.ID, got(l.DeleteIssueLink(app, two, made.ID)).ok(e, 200).ID)
	assert.Empty(t, got(l.ListIssueRelations(app, one)).ok(e, 200))
}
