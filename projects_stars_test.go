package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// adaAsUser is testdata/projects/user.json.
func adaAsUser() *UserSummary {
	return &UserSummary{
		ID: 23, Username: "ada", Name: "Ada Lovelace", State: UserStateActive, Locked: true,
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
	s, ctx, engine := client.Projects, t.Context(), ProjectPath("acme/engine")
	for _, call := range []func() (*StarChange, *Response, error){
		func() (*StarChange, *Response, error) { return s.Star(ctx, engine) },
		func() (*StarChange, *Response, error) { return s.Unstar(ctx, engine) },
	} {
		change, _, err := call()
		require.NoError(t, err)
		assert.Equal(t, &StarChange{Project: engineProject(t)}, change)
		change, resp, err := call()
		require.NoError(t, err)
		assert.Equal(t, 304, resp.StatusCode)
		assert.Equal(t, &StarChange{Unchanged: true}, change)
	}
	change, _, err := s.Unstar(ctx, engine)
	require.ErrorIs(t, err, ErrNotFound)
	assert.Nil(t, change)
}

func TestProjectsStarrers(t *testing.T) {
	const path = "/projects/acme%2Fengine/starrers"
	body := "[" + fixture(t, "projects/starrer.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&search=ada", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	want := []*Starrer{{StarredSince: *at(t, "2026-02-22T10:00:00.100Z"), User: adaAsUser()}}
	s, ctx, engine := client.Projects, t.Context(), ProjectPath("acme/engine")
	starrers, _, err := s.ListStarrers(ctx, engine,
		&ListStarrersOptions{ListOptions: ListOptions{Page: 2}, Search: "ada"})
	require.NoError(t, err)
	assert.Equal(t, want, starrers)
	assertFilled(t, starrers[0])
	assertFilled(t, starrers[0].User)
	starrers, err = Collect(s.AllStarrers(ctx, engine, nil))
	require.NoError(t, err)
	assert.Equal(t, want, starrers)
}

func TestProjectsStarred(t *testing.T) {
	body := "[" + fixture(t, "projects/project.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/users/ada/starred_projects", Query: "id_after=3&starred=true", Body: body},
		exchange{Method: "GET", Path: "/users/23/starred_projects", Query: "per_page=100", Body: body})
	s, ctx := client.Projects, t.Context()
	projects, _, err := s.ListStarred(ctx, Username("ada"), &ListProjectsOptions{IDAfter: 3, Starred: true})
	require.NoError(t, err)
	assert.Equal(t, []*Project{engineProject(t)}, projects)
	projects, err = Collect(s.AllStarred(ctx, UserID(23), nil))
	require.NoError(t, err)
	assert.Equal(t, []*Project{engineProject(t)}, projects)
}

func TestProjectsStarsRefuse(t *testing.T) {
	s, ctx := onWire(t).Projects, t.Context()
	assertRefused(t, "id", errorOf(s.Star(ctx, ProjectRef{})))
	assertRefused(t, "project path", errorOf(s.Unstar(ctx, ProjectPath("a//b"))))
	assertRefused(t, "id", errorOf(s.ListStarrers(ctx, ProjectRef{}, nil)))
	assertRefused(t, "user_id", errorOf(s.ListStarred(ctx, UserRef{}, nil)))
	keyset := &ListProjectsOptions{Pagination: PaginationKeyset}
	assertRefused(t, "Pagination", errorOf(s.ListStarred(ctx, UserID(23), keyset)))
	_, err := Collect(s.AllStarred(ctx, UserID(23), &ListProjectsOptions{IncludeSubgroups: true}))
	assertRefused(t, "IncludeSubgroups", err)
}
