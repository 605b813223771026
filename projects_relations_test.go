package serviceapi

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// platformSummary is testdata/groups/group_summary.json.
func platformSummary() *GroupSummary {
	return &GroupSummary{
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
	s, ctx, engine := client.Projects, t.Context(), ProjectPath("acme/engine")
	options := &ListProjectsOptions{ListOptions: ListOptions{Page: 2}, Membership: true}
	forks, _, err := s.ListForks(ctx, engine, options)
	require.NoError(t, err)
	assert.Equal(t, []*Project{engineProject(t)}, forks)
	forks, err = Collect(s.AllForks(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, []*Project{engineProject(t)}, forks)

	project, _, err := s.CreateForkRelation(ctx, engine, ProjectID(9))
	require.NoError(t, err)
	assert.Equal(t, engineProject(t), project)
	_, _, err = s.CreateForkRelation(ctx, engine, ProjectPath("acme/base"))
	require.ErrorIs(t, err, ErrConflict)
	for _, status := range []int{204, 304} {
		resp, err := s.DeleteForkRelation(ctx, engine)
		require.NoError(t, err)
		assert.Equal(t, status, resp.StatusCode)
	}
	_, err = s.DeleteForkRelation(ctx, engine)
	assert.ErrorIs(t, err, ErrForbidden)
}

func TestProjectsLanguages(t *testing.T) {
	const path = "/projects/acme%2Fengine/languages"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: `{"Go":66.69,"Shell":33}`},
		exchange{Method: "GET", Path: path, Body: `{}`},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Project Not Found"}`})
	s, ctx, engine := client.Projects, t.Context(), ProjectPath("acme/engine")
	shares, _, err := s.GetLanguages(ctx, engine)
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"Go": 66.69, "Shell": 33}, shares)
	shares, _, err = s.GetLanguages(ctx, engine)
	require.NoError(t, err)
	assert.Empty(t, shares)
	shares, _, err = s.GetLanguages(ctx, engine)
	require.ErrorIs(t, err, ErrNotFound)
	assert.Nil(t, shares)
}

func TestProjectsAvatar(t *testing.T) {
	const path = "/projects/acme%2Fengine/avatar"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Body: "pixels", AnswerHeader: map[string]string{"Content-Type": "image/png",
			"Content-Length": "6", "Content-Disposition": `attachment; filename="engine.png"`}},
		exchange{Method: "GET", Path: path, Status: 404, Body: `{"message":"404 Avatar Not Found"}`})
	picture, _, err := client.Projects.DownloadAvatar(t.Context(), ProjectPath("acme/engine"))
	require.NoError(t, err)
	data, err := io.ReadAll(picture)
	require.NoError(t, err)
	require.NoError(t, picture.Close())
	assert.Equal(t, []string{"pixels", "engine.png"}, []string{string(data), picture.Name})
	_, _, err = client.Projects.DownloadAvatar(t.Context(), ProjectPath("acme/engine"))
	assert.ErrorIs(t, err, ErrNotFound)
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
	s, ctx, engine := client.Projects, t.Context(), ProjectPath("acme/engine")
	members, _, err := s.ListUsers(ctx, engine, &ListProjectUsersOptions{Search: "ada", SkipUsers: []int64{1, 2}})
	require.NoError(t, err)
	assert.Equal(t, []*UserSummary{adaAsUser()}, members)
	members, err = Collect(s.AllUsers(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, []*UserSummary{adaAsUser()}, members)

	want := []*GroupSummary{platformSummary(), {ID: 5}}
	found, _, err := s.ListGroups(ctx, engine, &ListProjectGroupsOptions{
		Search: "plat", SkipGroups: []int64{1}, WithShared: true, SharedVisibleOnly: true,
		SharedMinAccessLevel: AccessLevelDeveloper,
	})
	require.NoError(t, err)
	assert.Equal(t, want, found)
	found, err = Collect(s.AllGroups(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, want, found)
	found, _, err = s.ListTransferLocations(ctx, engine, &ListTransferLocationsOptions{Search: "plat"})
	require.NoError(t, err)
	assert.Equal(t, want, found)
	found, err = Collect(s.AllTransferLocations(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, want, found)
}

func TestProjectsRelationsRefuse(t *testing.T) {
	s, ctx, none := onWire(t).Projects, t.Context(), ProjectRef{}
	for _, err := range []error{
		errorOf(s.ListForks(ctx, none, nil)), errorOf(s.CreateForkRelation(ctx, none, ProjectID(1))),
		errorOf(s.GetLanguages(ctx, none)), errorOf(s.DownloadAvatar(ctx, none)), errorOf(s.ListUsers(ctx, none, nil)),
		errorOf(s.ListGroups(ctx, none, nil)), errorOf(s.ListTransferLocations(ctx, none, nil)),
	} {
		assertRefused(t, "id", err)
	}
	_, err := s.DeleteForkRelation(ctx, none)
	assertRefused(t, "id", err)
	assertRefused(t, "forked_from_id", errorOf(s.CreateForkRelation(ctx, ProjectID(1), none)))
	shared := &ListProjectsOptions{WithShared: new(false)}
	assertRefused(t, "WithShared", errorOf(s.ListForks(ctx, ProjectID(1), shared)))
}
