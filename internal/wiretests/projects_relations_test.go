package wiretests

import (
	"io"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// platformSummary is testdata/groups/group_summary.json.
func platformSummary() *serviceapi.GroupSummary {
	return &serviceapi.GroupSummary{
		ID: 4, Name: "Platform", FullPath: "acme/platform", FullName: "Acme / Platform",
		AvatarURL: "https://service.test/uploads/platform.png", WebURL: "https://service.test/groups/acme/platform",
	}
}

func TestProjectsForks(t *testing.T) {
	const path, whole = "/projects/acme%2Fengine", "projects/project.json"
	body := "[" + fixture(t, whole) + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/forks", Query: "membership=true&page=2", Body: body},
		exchange{Method: "GET", Path: path + "/forks", Query: "per_page=100", Body: body},
		exchange{Method: "POST", Path: path + "/fork/9", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/fork/acme%2Fbase", Status: 409,
			Body: `{"message":"Project already forked"}`},
		exchange{Method: "DELETE", Path: path + "/fork", Status: 204},
		exchange{Method: "DELETE", Path: path + "/fork", Status: 304},
		exchange{Method: "DELETE", Path: path + "/fork", Status: 403, Body: `{"message":"403 Forbidden"}`})
	s, ctx, engine := client.Projects, t.Context(), serviceapi.ProjectPath("acme/engine")
	options := &serviceapi.ListProjectsOptions{ListOptions: serviceapi.ListOptions{Page: 2}, Membership: true}
	forks, _, err := s.ListForks(ctx, engine, options)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{engineProject(t)}, forks)
	forks, err = serviceapi.Collect(s.AllForks(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{engineProject(t)}, forks)

	project, _, err := s.CreateForkRelation(ctx, engine, serviceapi.ProjectID(9))
	require.NoError(t, err)
	assert.Equal(t, engineProject(t), project)
	_, _, err = s.CreateForkRelation(ctx, engine, serviceapi.ProjectPath("acme/base"))
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	for _, status := range []int{204, 304} {
		resp, err := s.DeleteForkRelation(ctx, engine)
		require.NoError(t, err)
		assert.Equal(t, status, resp.StatusCode)
	}
	_, err = s.DeleteForkRelation(ctx, engine)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestProjectsLanguages(t *testing.T) {
	const path = "/projects/acme%2Fengine/languages"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: `{"Go":66.69,"Shell":33}`},
		exchange{Method: "GET", Path: path, Body: `{}`},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Project Not Found"}`})
	s, ctx, engine := client.Projects, t.Context(), serviceapi.ProjectPath("acme/engine")
	shares, _, err := s.GetLanguages(ctx, engine)
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"Go": 66.69, "Shell": 33}, shares)
	shares, _, err = s.GetLanguages(ctx, engine)
	require.NoError(t, err)
	assert.Empty(t, shares)
	shares, _, err = s.GetLanguages(ctx, engine)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Nil(t, shares)
}

func TestProjectsAvatar(t *testing.T) {
	const path = "/projects/acme%2Fengine/avatar"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "pixels",
			ResponseHeader: map[string]string{"Content-Type": "image/png",
				"Content-Length": "6", "Content-Disposition": `attachment; filename="engine.png"`}},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Avatar Not Found"}`})
	picture, _, err := client.Projects.DownloadAvatar(t.Context(), serviceapi.ProjectPath("acme/engine"))
	require.NoError(t, err)
	data, err := io.ReadAll(picture)
	require.NoError(t, err)
	require.NoError(t, picture.Close())
	assert.Equal(t, []string{"pixels", "engine.png"}, []string{string(data), picture.Name})
	_, _, err = client.Projects.DownloadAvatar(t.Context(), serviceapi.ProjectPath("acme/engine"))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestProjectsUsersAndGroups(t *testing.T) {
	const path = "/projects/acme%2Fengine"
	users := "[" + fixture(t, "projects/user.json") + "]"
	groups := "[" + fixture(t, "groups/group_summary.json") + `,{"id":5,"avatar_url":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/users", Query: "search=ada&skip_users%5B%5D=1&skip_users%5B%5D=2",
			Body: users},
		exchange{Method: "GET", Path: path + "/users", Query: "per_page=100", Body: users},
		exchange{Method: "GET", Path: path + "/groups", Query: "search=plat&shared_min_access_level=30&" +
			"shared_visible_only=true&skip_groups%5B%5D=1&with_shared=true", Body: groups},
		exchange{Method: "GET", Path: path + "/groups", Query: "per_page=100", Body: groups},
		exchange{Method: "GET", Path: path + "/transfer_locations", Query: "search=plat", Body: groups},
		exchange{Method: "GET", Path: path + "/transfer_locations", Query: "per_page=100", Body: groups})
	s, ctx, engine := client.Projects, t.Context(), serviceapi.ProjectPath("acme/engine")
	members, _, err := s.ListUsers(
		ctx,
		engine,
		&serviceapi.ListProjectUsersOptions{Search: "ada", SkipUsers: []int64{1, 2}},
	)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.UserSummary{adaAsUser()}, members)
	members, err = serviceapi.Collect(s.AllUsers(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.UserSummary{adaAsUser()}, members)

	want := []*serviceapi.GroupSummary{platformSummary(), {ID: 5}}
	found, _, err := s.ListGroups(ctx, engine, &serviceapi.ListProjectGroupsOptions{
		Search: "plat", SkipGroups: []int64{1}, WithShared: true, SharedVisibleOnly: true,
		SharedMinAccessLevel: serviceapi.AccessLevelDeveloper,
	})
	require.NoError(t, err)
	assert.Equal(t, want, found)
	found, err = serviceapi.Collect(s.AllGroups(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, want, found)
	found, _, err = s.ListTransferLocations(ctx, engine, &serviceapi.ListTransferLocationsOptions{Search: "plat"})
	require.NoError(t, err)
	assert.Equal(t, want, found)
	found, err = serviceapi.Collect(s.AllTransferLocations(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, want, found)
}

func TestProjectsRelationsRefuse(t *testing.T) {
	s, ctx, none := onWire(t).Projects, t.Context(), serviceapi.ProjectRef{}
	for _, err := range []error{
		errorOf(s.ListForks(ctx, none, nil)), errorOf(s.CreateForkRelation(ctx, none, serviceapi.ProjectID(1))),
		errorOf(s.GetLanguages(ctx, none)), errorOf(s.DownloadAvatar(ctx, none)), errorOf(s.ListUsers(ctx, none, nil)),
		errorOf(s.ListGroups(ctx, none, nil)), errorOf(s.ListTransferLocations(ctx, none, nil)),
	} {
		assertRefused(t, "id", err)
	}
	_, err := s.DeleteForkRelation(ctx, none)
	assertRefused(t, "id", err)
	assertRefused(t, "forked_from_id", errorOf(s.CreateForkRelation(ctx, serviceapi.ProjectID(1), none)))
	shared := &serviceapi.ListProjectsOptions{WithShared: new(false)}
	assertRefused(t, "WithShared", errorOf(s.ListForks(ctx, serviceapi.ProjectID(1), shared)))
}

// adaAsUser is testdata/projects/user.json.
func adaAsUser() *serviceapi.UserSummary {
	return &serviceapi.UserSummary{
		ID: 23, Username: "ada", Name: "Ada Lovelace", State: serviceapi.UserStateActive, Locked: true,
		PublicEmail: "ada@example.com", AvatarURL: "https://service.test/uploads/ada.png",
		WebURL: "https://service.test/ada",
	}
}

func TestProjectsStar(t *testing.T) {
	const path, whole = "/projects/acme%2Fengine", "projects/project.json"
	client := onWire(t,
		exchange{Method: "POST", Path: path + "/star", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/star", Status: 304},
		exchange{Method: "POST", Path: path + "/unstar", Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: path + "/unstar", Status: 304},
		exchange{Method: "POST", Path: path + "/unstar", Status: 404, Body: `{"message":"404 Project Not Found"}`})
	s, ctx, engine := client.Projects, t.Context(), serviceapi.ProjectPath("acme/engine")
	for _, call := range []func() (*serviceapi.StarChange, *serviceapi.Response, error){
		func() (*serviceapi.StarChange, *serviceapi.Response, error) { return s.Star(ctx, engine) },
		func() (*serviceapi.StarChange, *serviceapi.Response, error) { return s.Unstar(ctx, engine) },
	} {
		change, _, err := call()
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.StarChange{Project: engineProject(t)}, change)
		change, resp, err := call()
		require.NoError(t, err)
		assert.Equal(t, 304, resp.StatusCode)
		assert.Equal(t, &serviceapi.StarChange{Unchanged: true}, change)
	}
	change, _, err := s.Unstar(ctx, engine)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Nil(t, change)
}

func TestProjectsStarrers(t *testing.T) {
	const path = "/projects/acme%2Fengine/starrers"
	body := "[" + fixture(t, "projects/starrer.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&search=ada", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	want := []*serviceapi.Starrer{{StarredSince: *at(t, "2026-02-22T10:00:00.100Z"), User: adaAsUser()}}
	s, ctx, engine := client.Projects, t.Context(), serviceapi.ProjectPath("acme/engine")
	starrers, _, err := s.ListStarrers(ctx, engine,
		&serviceapi.ListStarrersOptions{ListOptions: serviceapi.ListOptions{Page: 2}, Search: "ada"})
	require.NoError(t, err)
	assert.Equal(t, want, starrers)
	assertFilled(t, starrers[0])
	assertFilled(t, starrers[0].User)
	starrers, err = serviceapi.Collect(s.AllStarrers(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, want, starrers)
}

func TestProjectsStarred(t *testing.T) {
	body := "[" + fixture(t, "projects/project.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/users/ada/starred_projects", Query: "id_after=3&starred=true", Body: body},
		exchange{Method: "GET", Path: "/users/23/starred_projects", Query: "per_page=100", Body: body})
	s, ctx := client.Projects, t.Context()
	projects, _, err := s.ListStarred(
		ctx,
		serviceapi.Username("ada"),
		&serviceapi.ListProjectsOptions{IDAfter: 3, Starred: true},
	)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{engineProject(t)}, projects)
	projects, err = serviceapi.Collect(s.AllStarred(ctx, serviceapi.UserID(23), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{engineProject(t)}, projects)
}

func TestProjectsContributed(t *testing.T) {
	body := "[" + fixture(t, "projects/project.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/users/ada/contributed_projects", Query: "order_by=name&simple=true&sort=asc",
			Body: body},
		exchange{Method: "GET", Path: "/users/23/contributed_projects", Query: "per_page=100", Body: body})
	s, ctx := client.Projects, t.Context()
	projects, _, err := s.ListContributed(ctx, serviceapi.Username("ada"), &serviceapi.ListContributedProjectsOptions{
		Simple: true, OrderBy: serviceapi.ProjectOrderByName, Sort: serviceapi.SortAscending,
	})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{engineProject(t)}, projects)
	projects, err = serviceapi.Collect(s.AllContributed(ctx, serviceapi.UserID(23), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Project{engineProject(t)}, projects)
}

func TestProjectsStarsRefuse(t *testing.T) {
	s, ctx := onWire(t).Projects, t.Context()
	assertRefused(t, "id", errorOf(s.Star(ctx, serviceapi.ProjectRef{})))
	assertRefused(t, "project path", errorOf(s.Unstar(ctx, serviceapi.ProjectPath("a//b"))))
	assertRefused(t, "id", errorOf(s.ListStarrers(ctx, serviceapi.ProjectRef{}, nil)))
	assertRefused(t, "user_id", errorOf(s.ListStarred(ctx, serviceapi.UserRef{}, nil)))
	keyset := &serviceapi.ListProjectsOptions{Pagination: serviceapi.PaginationKeyset}
	assertRefused(t, "Pagination", errorOf(s.ListStarred(ctx, serviceapi.UserID(23), keyset)))
	_, err := serviceapi.Collect(
		s.AllStarred(ctx, serviceapi.UserID(23), &serviceapi.ListProjectsOptions{IncludeSubgroups: true}),
	)
	assertRefused(t, "IncludeSubgroups", err)
}
