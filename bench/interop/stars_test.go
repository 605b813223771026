package interop

import (
	"fmt"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestStars(t *testing.T) {
	e := start(t)
	ada, bob := e.svc.User("ada"), e.svc.User("bob")
	project := e.svc.Project(app, servicetest.Public())
	project.Star(ada)
	project.Star(bob)
	for range 4 {
		e.svc.Project("acme/more").Star(ada)
	}
	p := e.admin.Projects
	assert.Equal(t, int64(3), got(p.StarProject(app)).ok(e, 201).StarCount)
	starrers := walk1(e, p.ListProjectStarrers, any(app), nil)
	assert.Equal(t, []string{"root", "ada", "bob"},
		each(starrers, func(s *clientgo.ProjectStarrer) string { return s.User.Username }))
	for _, path := range []string{"acme/b", "acme/c"} {
		e.svc.Project(path).Star(ada)
	}
	assert.Len(t, walk1(e, p.ListUserStarredProjects, any("ada"), nil), 4)
	request[clientgo.Project](e.admin, "POST", "projects/1/unstar", nil).ok(e, 201)
	for id := range 4 {
		request[clientgo.Issue](e.admin, "POST", fmt.Sprintf("projects/%d/issues", id+1),
			map[string]string{"title": "Begin"}).ok(e, 201)
	}
	assert.Len(t, walk1(e, p.ListUserContributedProjects, any("root"), nil), 4)
}

func TestForkRelations(t *testing.T) {
	e := start(t)
	source := e.svc.Project(app)
	for _, path := range []string{"acme/one", "acme/two", "acme/three"} {
		fork := e.svc.Project(path)
		request[clientgo.Project](e.admin, "POST", "projects/"+strings.ReplaceAll(fork.Path(), "/", "%2F")+"/fork/1",
			nil).ok(e, 201)
	}
	byPath := func(p *clientgo.Project) string { return p.PathWithNamespace }
	assert.Equal(t, []string{"acme/three", "acme/two", "acme/one"},
		each(walk1(e, e.admin.Projects.ListProjectForks, any(source.ID()), nil), byPath))
	done(e.admin.Projects.DeleteProjectForkRelation("acme/one")).ok(e, 204)
	e.svc.Project("acme/four")
	made, _, err := e.admin.Projects.CreateProjectForkRelation("acme/four", source.ID())
	require.NoError(t, err)
	assert.Equal(t, int64(5), made.ID, "the client takes the project for something else")
}

func TestPartsOfProjects(t *testing.T) {
	e := start(t)
	ada, bob := e.svc.User("ada"), e.svc.User("bob")
	project := e.svc.Project("acme/team/deep/app", servicetest.Member(ada, servicetest.Owner),
		servicetest.Member(bob, servicetest.Guest))
	project.AddMember(e.svc.User("eve"), servicetest.Guest)
	project.Commit("main", "Code", servicetest.Write("a.go", "12345678"), servicetest.Write("b.rb", "1234"))
	p, id := e.admin.Projects, any(project.ID())
	assert.Equal(t, []string{"ada", "bob", "eve"}, each(walk1(e, p.ListProjectsUsers, id, nil),
		func(u *clientgo.ProjectUser) string { return u.Username }))
	assert.Equal(t, []string{"acme", "acme/team", "acme/team/deep"},
		each(walk1(e, p.ListProjectsGroups, id, nil), func(g *clientgo.ProjectGroup) string { return g.FullPath }))
	assert.Equal(t, &clientgo.ProjectLanguages{"Go": 66.67, "Ruby": 33.33}, got(p.GetProjectLanguages(id)).raw(e))
	got(p.UploadAvatar(id, strings.NewReader("pixels"), "app.png")).ok(e, 200)
	picture, _, err := p.DownloadAvatar(id)
	require.NoError(t, err)
	assert.Equal(t, "pixels", text(t, picture))
	for range 2 {
		e.svc.Group("other")
	}
	e.svc.Group("third")
	list := func(options *clientgo.ListOptions) []*clientgo.TransferLocation {
		return request[[]*clientgo.TransferLocation](e.admin, "GET", "projects/1/transfer_locations", options).ok(e,
			200)
	}
	assert.Len(t, list(nil), 4)
	assert.Len(t, list(&clientgo.ListOptions{Page: 2, PerPage: 2}), 2)
}
