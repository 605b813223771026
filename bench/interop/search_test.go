package interop

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestSearch(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	project.Issue("Oolong is sold out").Note("Order oolong.")
	s, group := e.admin.Search, project.Group().ID()
	assert.NotEmpty(t, got(s.Issues("oolong", &clientgo.SearchOptions{})).ok(e, 200))
	assert.NotEmpty(t, got(s.IssuesByGroup(group, "oolong", &clientgo.SearchOptions{})).ok(e, 200))
	assert.NotEmpty(t, got(s.IssuesByProject(app, "oolong", &clientgo.SearchOptions{})).ok(e, 200))
	assert.NotEmpty(t, got(s.NotesByProject(app, "oolong", &clientgo.SearchOptions{})).ok(e, 200))
	assert.NotEmpty(t, got(s.CommitsByProject(app, "initial", &clientgo.SearchOptions{})).ok(e, 200))
	assert.NotEmpty(t, got(s.BlobsByProject(app, "README", &clientgo.SearchOptions{})).ok(e, 200))
	assert.NotEmpty(t, got(s.Users("root", &clientgo.SearchOptions{})).ok(e, 200))
}

func TestUploads(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	s := e.admin.ProjectMarkdownUploads
	made := got(s.UploadProjectMarkdown(app, strings.NewReader("pixels"), "shelf.png")).ok(e, 201)
	assert.Equal(t, "![shelf]("+made.URL+")", made.Markdown)
	assert.Len(t, got(s.ListProjectMarkdownUploads(app)).ok(e, 200), 1)
	done(s.DeleteProjectMarkdownUploadByID(app, made.ID)).ok(e, 204)
}
