package wiretests

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProjectsCreateFor(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/user/23", Status: 201, Fixture: "projects/project.json",
			JSON: `{"name":"Engine","visibility":"private"}`},
		exchange{Method: "POST", Path: "/projects/user/23", Status: 201, Body: `{"id":5}`,
			Multipart: []string{"path=e", "avatar[p.png;application/octet-stream]=pixels"}})
	s, ctx := client.Projects, t.Context()
	project, _, err := s.CreateFor(ctx, serviceapi.UserID(23), serviceapi.CreateProjectOptions{
		Name: "Engine", Visibility: new(serviceapi.VisibilityPrivate),
	})
	require.NoError(t, err)
	assert.Equal(t, engineProject(t), project)
	project, _, err = s.CreateFor(ctx, serviceapi.UserID(23), serviceapi.CreateProjectOptions{
		Path: "e", Avatar: &serviceapi.Upload{Filename: "p.png", Content: strings.NewReader("pixels")},
	})
	require.NoError(t, err)
	assert.EqualValues(t, 5, project.ID)
	assertRefused(t, "user", errorOf(s.CreateFor(ctx, serviceapi.Username("ada"),
		serviceapi.CreateProjectOptions{Name: "x"})))
}

func TestProjectsStorage(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/4/statistics", Fixture: "projects/fetch_statistics.json"},
		exchange{Method: "GET", Path: "/projects/acme%2Fapp/storage", Fixture: "projects/storage.json"})
	s, ctx := client.Projects, t.Context()
	statistics, _, err := s.GetFetchStatistics(ctx, somewhere)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.FetchStatistics{Fetches: &serviceapi.FetchCounts{
		Total: 50, Days: []*serviceapi.FetchCount{
			{Count: 10, Date: serviceapi.NewDate(2026, time.January, 10)},
			{Count: 40, Date: serviceapi.NewDate(2026, time.January, 9)},
		},
	}}, statistics)
	storage, _, err := s.GetStorage(ctx, serviceapi.ProjectPath("acme/app"))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RepositoryStorage{
		ProjectID: 1, DiskPath: "@hashed/6b/86/6b86b273ff34", CreatedAt: *at(t, "2026-01-05T08:30:00Z"),
		RepositoryStorage: "default",
	}, storage)
	assertRefused(t, "id", errorOf(s.GetFetchStatistics(ctx, serviceapi.ProjectID(0))))
	assertRefused(t, "id", errorOf(s.GetStorage(ctx, serviceapi.ProjectID(0))))
}

func TestProjectsShareLocations(t *testing.T) {
	body := "[" + fixture(t, "groups/group_summary.json") + "]"
	want := []*serviceapi.GroupSummary{platformSummary()}
	s := onWire(t, append(listExchanges("/projects/acme%2Fapp/invited_groups", "min_access_level=30&page=2&per_page=5&"+
		"relation%5B%5D=direct&relation%5B%5D=inherited&search=pl&with_custom_attributes=true", body),
		listExchanges("/projects/4/share_locations", "page=2&per_page=5&search=pl", body)...)...).Projects
	invited := ownedList[serviceapi.ProjectRef, *serviceapi.ListInvitedGroupsOptions, *serviceapi.GroupSummary]{
		s.ListInvitedGroups, s.AllInvitedGroups,
	}
	invited.wants(t, serviceapi.ProjectPath("acme/app"), everyInvitedGroup(), want)
	invited.refuses(t, "id", nil, serviceapi.ProjectID(0))
	locations := ownedList[serviceapi.ProjectRef, *serviceapi.ListShareLocationsOptions, *serviceapi.GroupSummary]{
		s.ListShareLocations, s.AllShareLocations,
	}
	locations.wants(t, somewhere, &serviceapi.ListShareLocationsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Search: "pl",
	}, want)
	locations.refuses(t, "project", nil, serviceapi.ProjectPath("acme/app"))
}

func TestProjectsKeep(t *testing.T) {
	const path = "/projects/acme%2Fapp"
	client := onWire(t,
		exchange{Method: "POST", Path: path + "/restore", Status: 201, Fixture: "projects/project.json"},
		exchange{Method: "POST", Path: path + "/housekeeping", Status: 201, Body: "null", JSON: `{"task":"prune"}`},
		exchange{Method: "POST", Path: path + "/housekeeping", Status: 201, Body: "201", JSON: `{}`},
		exchange{Method: "POST", Path: path + "/housekeeping", Status: 409, JSON: `{}`,
			Body: `{"message":"Somebody did"}`},
		exchange{Method: "POST", Path: path + "/repository_size", Status: 201, Body: `"job"`})
	s, ctx, app := client.Projects, t.Context(), serviceapi.ProjectPath("acme/app")
	project, _, err := s.Restore(ctx, app)
	require.NoError(t, err)
	assert.Equal(t, engineProject(t), project)
	prune := serviceapi.StartHousekeepingOptions{Task: new(serviceapi.HousekeepingTaskPrune)}
	resp, err := s.StartHousekeeping(ctx, app, prune)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	_, err = s.StartHousekeeping(ctx, app, serviceapi.StartHousekeepingOptions{})
	require.NoError(t, err)
	_, err = s.StartHousekeeping(ctx, app, serviceapi.StartHousekeepingOptions{})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, err = s.RecalculateSize(ctx, app)
	require.NoError(t, err)
	nowhere := serviceapi.ProjectID(0)
	assertRefused(t, "id", errorOf(s.Restore(ctx, nowhere)))
	assertRefused(t, "id", second(s.StartHousekeeping(ctx, nowhere, prune)))
	assertRefused(t, "id", second(s.RecalculateSize(ctx, nowhere)))
}

func TestProjectsImportMembers(t *testing.T) {
	const path = "/projects/4/import_project_members/9"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "projects/members_import.json"},
		exchange{Method: "POST", Path: path, Status: 201, Body: `{"status":"success"}`},
		exchange{Method: "POST", Path: path, Status: 422,
			Body: `{"message":"Import failed","reason":"import_failed_error"}`})
	s, ctx, source := client.Projects, t.Context(), serviceapi.ProjectID(9)
	result, _, err := s.ImportMembers(ctx, somewhere, source)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MembersImport{
		Status: serviceapi.MembersImportStatusError, Message: map[string]string{"ada": "has a higher role"},
		TotalMembersCount: new(3),
	}, result)
	result, _, err = s.ImportMembers(ctx, somewhere, source)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MembersImport{Status: serviceapi.MembersImportStatusSuccess}, result)
	_, _, err = s.ImportMembers(ctx, somewhere, source)
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	assertRefused(t, "project", errorOf(s.ImportMembers(ctx, serviceapi.ProjectPath("acme/app"), source)))
	assertRefused(t, "project", errorOf(s.ImportMembers(ctx, somewhere, serviceapi.ProjectPath("acme/app"))))
}

func TestProjectAliases(t *testing.T) {
	const path, whole = "/project_aliases", "project_aliases/project_alias.json"
	client := onWire(t, append(listExchanges(path, "page=2&per_page=5", "["+fixture(t, whole)+"]"),
		exchange{Method: "GET", Path: path + "/shop%2Fold", Fixture: whole},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole, JSON: `{"project_id":1,"name":"shop"}`},
		exchange{Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"project_id":"acme/shop","name":"shop"}`},
		exchange{Method: "DELETE", Path: path + "/shop", Status: 204})...)
	s, ctx := client.ProjectAliases, t.Context()
	want := &serviceapi.ProjectAlias{ID: 2, ProjectID: 1, Name: "shop"}
	withoutOwner(s.List, s.All).wants(t, nil, &serviceapi.ListOptions{Page: 2, PerPage: 5},
		[]*serviceapi.ProjectAlias{want})
	alias, _, err := s.Get(ctx, "shop/old")
	require.NoError(t, err)
	assert.Equal(t, want, alias)
	for _, project := range []serviceapi.ProjectRef{serviceapi.ProjectID(1), serviceapi.ProjectPath("acme/shop")} {
		alias, _, err = s.Create(ctx, serviceapi.CreateProjectAliasOptions{Project: project, Name: "shop"})
		require.NoError(t, err)
		assert.Equal(t, want, alias)
	}
	_, err = s.Delete(ctx, "shop")
	require.NoError(t, err)
	assertRefused(t, "name", errorOf(s.Get(ctx, "")))
	assertRefused(t, "name", second(s.Delete(ctx, "")))
	assertRefused(t, "Project", errorOf(s.Create(ctx, serviceapi.CreateProjectAliasOptions{Name: "x"})))
	assertRefused(t, "Name", errorOf(s.Create(ctx, serviceapi.CreateProjectAliasOptions{Project: somewhere})))
}
