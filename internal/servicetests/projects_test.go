package servicetests

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

func projectIDs(t *testing.T, client *serviceapi.Client, options *serviceapi.ListProjectsOptions) []int64 {
	t.Helper()
	projects, err := serviceapi.Collect(client.Projects.All(t.Context(), serviceapi.Instance, options))
	require.NoError(t, err)
	var ids []int64
	for _, p := range projects {
		ids = append(ids, p.ID)
	}
	return ids
}

func TestProjectsByOffsetAndKeyset(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	var all, public []int64
	for n := range 25 {
		svc.Project(fmt.Sprintf("acme/p%d", n))
		if n%5 == 0 {
			project := svc.Project(fmt.Sprintf("acme/open%d", n), servicetest.Public())
			public = append(public, project.ID())
		}
	}
	for id := range int64(30) {
		all = append(all, id+1)
	}
	reversed := func(ids []int64) []int64 {
		var back []int64
		for i := range ids {
			back = append(back, ids[len(ids)-1-i])
		}
		return back
	}
	page := serviceapi.ListOptions{PerPage: 7}
	keyset := &serviceapi.ListProjectsOptions{ListOptions: page, Pagination: serviceapi.PaginationKeyset,
		Sort: serviceapi.SortAscending}
	down := *keyset
	down.Sort = ""

	assert.Equal(t, reversed(all), projectIDs(t, asRoot(t, svc), &serviceapi.ListProjectsOptions{ListOptions: page}))
	assert.Equal(t, all, projectIDs(t, asRoot(t, svc), keyset))
	assert.Equal(t, reversed(all), projectIDs(t, asRoot(t, svc), &down))
	assert.Equal(t, public, projectIDs(t, asAnybody(t, svc), keyset), "without a credential, too")
	assert.Equal(t, public, projectIDs(t, as(t, svc, ada), keyset), "private projects are not shown")

	_, resp, err := asRoot(t, svc).Projects.List(t.Context(), serviceapi.Instance, keyset)
	require.NoError(t, err)
	assert.False(t, resp.HasTotal(), "keyset pagination has no totals")
	_, _, err = asRoot(t, svc).Projects.List(t.Context(), serviceapi.Instance, nil,
		serviceapi.WithQuery("pagination", "keyset"))
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "the service requires the order, which the library adds")
}

func TestProjectsGetAndVisibility(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/secret", servicetest.Archived(), servicetest.RepositoryStorage("disk-2"))
	svc.Project("acme/open", servicetest.Public())
	project, _, err := asRoot(t, svc).Projects.Get(t.Context(), serviceapi.ProjectPath("acme/secret"), nil)
	require.NoError(t, err)
	assert.True(t, project.Archived)
	assert.Equal(t, "disk-2", project.RepositoryStorage)
	assert.Equal(t, serviceapi.FeatureAccessLevelEnabled, project.ContainerRegistryAccessLevel)
	_, _, err = asAnybody(t, svc).Projects.Get(t.Context(), serviceapi.ProjectPath("acme/open"), nil)
	require.NoError(t, err)
	for _, client := range []*serviceapi.Client{asAnybody(t, svc), as(t, svc, svc.User("ada"))} {
		_, _, err = client.Projects.Get(t.Context(), serviceapi.ProjectPath("acme/secret"), nil)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
}

func TestGroupsByOffsetAndKeyset(t *testing.T) {
	svc := servicetest.New(t)
	for _, path := range []string{"zeta", "beta", "alpha", "beta/inner"} {
		svc.Group(path, servicetest.Public())
	}
	svc.Group("hidden")
	paths := func(client *serviceapi.Client, options *serviceapi.ListGroupsOptions) []string {
		groups, err := serviceapi.Collect(client.Groups.All(t.Context(), serviceapi.Instance, options))
		require.NoError(t, err)
		var found []string
		for _, g := range groups {
			found = append(found, g.FullPath)
		}
		return found
	}
	page := serviceapi.ListOptions{PerPage: 2}
	keyset := &serviceapi.ListGroupsOptions{ListOptions: page, Pagination: serviceapi.PaginationKeyset}
	assert.Equal(t, []string{"alpha", "beta", "beta/inner", "zeta"}, paths(asAnybody(t, svc), keyset))
	assert.Equal(t, []string{"alpha", "beta", "hidden", "beta/inner", "zeta"},
		paths(asRoot(t, svc), &serviceapi.ListGroupsOptions{ListOptions: page}))
	_, _, err := asRoot(t, svc).Groups.List(t.Context(), serviceapi.Instance, keyset)
	assert.ErrorIs(t, err, serviceapi.ErrMethodNotAllowed, "keyset pagination of groups is for visitors alone")
}
