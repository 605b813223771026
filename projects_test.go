package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func engineProject(t *testing.T) *Project {
	return &Project{
		ProjectSummary: ProjectSummary{
			ID: 7, Description: new("Computes tables"), Name: "Engine", NameWithNamespace: "Acme / Engine",
			Path: "engine", PathWithNamespace: "acme/engine", CreatedAt: at(t, "2026-01-05T08:30:00.120Z"),
		},
		ContainerRegistryAccessLevel: RegistryPrivate,
		Archived:                     true,
		RepositoryStorage:            "disk-2",
	}
}

func TestProjectsGet(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/projects/acme%2Fengine", Fixture: "projects/project.json"})
	project, resp, err := client.Projects.Get(t.Context(), ProjectPath("acme/engine"))
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, engineProject(t), project)
}

func TestProjectsGetRefusesBadPaths(t *testing.T) {
	client := onWire(t)
	for _, project := range []ProjectRef{ProjectRef{}, ProjectID(0), ProjectPath(""), ProjectPath("acme/.."), ProjectPath("acme/engine/")} {
		_, _, err := client.Projects.Get(t.Context(), project)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, "%v", project)
	}
}

func TestProjectsList(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects", Fixture: "projects/projects.json"},
		exchange{
			Method: "GET", Path: "/projects", Fixture: "projects/projects.json",
			Query: "order_by=id&page=2&pagination=offset&per_page=5&repository_storage=disk-2&sort=desc",
		},
	)
	site := &Project{ProjectSummary: ProjectSummary{
		ID: 9, Name: "Site", NameWithNamespace: "Ada / Site", Path: "site", PathWithNamespace: "ada/site",
		CreatedAt: at(t, "2026-01-06T08:30:00Z"),
	}}
	projects, _, err := client.Projects.List(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []*Project{site, engineProject(t)}, projects)

	_, _, err = client.Projects.List(t.Context(), &ListProjectsOptions{
		ListOptions: ListOptions{Page: 2, PerPage: 5}, Pagination: PaginationOffset,
		OrderBy: ProjectsByID, Sort: SortDescending, RepositoryStorage: "disk-2",
	})
	require.NoError(t, err)
}

func TestProjectsAllByKeyset(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: "/projects", Query: "order_by=id&pagination=keyset&per_page=100&sort=asc", Body: `[{"id":7}]`,
			AnswerHeader: map[string]string{"Link": `<https://service.test/api/v4/projects?id_after=7&order_by=id&pagination=keyset&per_page=100&sort=asc>; rel="next"`},
		},
		exchange{Method: "GET", Path: "/projects", Query: "id_after=7&order_by=id&pagination=keyset&per_page=100&sort=asc", Body: `[]`},
	)
	projects, err := Collect(client.Projects.All(t.Context(), &ListProjectsOptions{Pagination: PaginationKeyset, OrderBy: ProjectsByID, Sort: SortAscending}))
	require.NoError(t, err)
	require.Len(t, projects, 1)
	assert.Equal(t, int64(7), projects[0].ID)
}
