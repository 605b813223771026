package interop

import (
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestProjects(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app, servicetest.Name("The App"), servicetest.Description("Does it"), servicetest.Public())
	e.svc.Project("acme/b", servicetest.Archived())
	e.svc.Project("acme/c", servicetest.DefaultBranch("trunk"))
	byID := func(p *clientgo.Project) int64 { return p.ID }

	assert.ElementsMatch(t, []int64{1, 2, 3}, each(walk0(e, e.admin.Projects.ListProjects, nil), byID))
	keyset := &clientgo.ListProjectsOptions{ListOptions: clientgo.ListOptions{Pagination: "keyset"}, OrderBy: new("id"),
		Sort: new("asc")}
	assert.Equal(t, []int64{1, 2, 3}, each(walk0(e, e.admin.Projects.ListProjects, keyset), byID))
	one := got(e.admin.Projects.GetProject(app, nil)).ok(e, 200)
	assert.Equal(t, []any{project.ID(), "The App", "Does it", app, clientgo.PublicVisibility, "main"},
		[]any{one.ID, one.Name, one.Description, one.PathWithNamespace, one.Visibility, one.DefaultBranch})

	anybody, err := clientgo.NewAuthSourceClient(clientgo.Unauthenticated{}, e.options()...)
	require.NoError(t, err)
	assert.Equal(t, project.ID(), got(anybody.Projects.GetProject(app, nil)).ok(e, 200).ID)
	got(anybody.Projects.GetProject("acme/b", nil)).refused(e, 404)
}

func TestGroups(t *testing.T) {
	e := start(t)
	e.svc.Group("acme", servicetest.Name("Acme Inc."), servicetest.Description("Makes it"), servicetest.Public())
	e.svc.Group("acme/platform", servicetest.Public())
	e.svc.Group("beta", servicetest.Public())
	byPath := func(g *clientgo.Group) string { return g.FullPath }

	list := walk0(e, e.admin.Groups.ListGroups, nil)
	assert.Equal(t, []string{"acme", "beta", "acme/platform"}, each(list, byPath))
	assert.Equal(t, []any{"Acme Inc.", "Makes it"}, []any{list[0].Name, list[0].Description})
	assert.Equal(t, list[0].ID, list[2].ParentID)

	// Keyset pagination of groups is only for callers without credentials.
	anybody, err := clientgo.NewAuthSourceClient(clientgo.Unauthenticated{}, e.options()...)
	require.NoError(t, err)
	keyset := &clientgo.ListGroupsOptions{ListOptions: clientgo.ListOptions{Pagination: "keyset"}, OrderBy: new("name"),
		Sort: new("asc")}
	assert.Equal(t, []string{"acme", "beta", "acme/platform"}, each(walk0(e, anybody.Groups.ListGroups, keyset),
		byPath))
}
