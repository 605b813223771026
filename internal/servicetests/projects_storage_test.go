package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceProjectsOfUsers(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	s, ctx := asRoot(t, svc).Projects, t.Context()
	project, _, err := s.CreateFor(ctx, serviceapi.UserID(ada.ID()), serviceapi.CreateProjectOptions{Name: "Notes"})
	require.NoError(t, err)
	assert.Equal(t, []any{"ada/notes", ada.ID()}, []any{project.PathWithNamespace, project.CreatorID})
	_, _, err = s.CreateFor(ctx, serviceapi.UserID(999), serviceapi.CreateProjectOptions{Name: "x"})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = as(t, svc, ada).Projects.CreateFor(ctx, serviceapi.UserID(ada.ID()),
		serviceapi.CreateProjectOptions{Name: "x"})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceProjectsStorage(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithDelayedDeletion(time.Hour))
	app := svc.Project("acme/app")
	now := svc.Now()
	app.Fetched(now, 2)
	app.Fetched(now.AddDate(0, 0, -1), 3)
	app.Fetched(time.Date(now.Year(), now.Month(), now.Day(), 23, 0, 0, 0, time.FixedZone("", -2*3600)).
		AddDate(0, 0, -1), 1) // which is tomorrow by then, in UTC
	app.Fetched(now.AddDate(0, 0, -29), 4)
	app.Fetched(now.AddDate(0, 0, -30), 100)
	s, ctx, project := asRoot(t, svc).Projects, t.Context(), serviceapi.ProjectPath("acme/app")
	statistics, _, err := s.GetFetchStatistics(ctx, project)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.FetchCounts{Total: 10, Days: []*serviceapi.FetchCount{
		{Count: 3, Date: serviceapi.DateOf(now)}, {Count: 3, Date: serviceapi.DateOf(now.AddDate(0, 0, -1))},
		{Count: 4, Date: serviceapi.DateOf(now.AddDate(0, 0, -29))},
	}}, statistics.Fetches)
	storage, _, err := s.GetStorage(ctx, project)
	require.NoError(t, err)
	assert.Equal(t, []any{app.ID(), "default"}, []any{storage.ProjectID, storage.RepositoryStorage})
	assert.Regexp(t, `^@hashed/(..)/(..)/[0-9a-f]{64}$`, storage.DiskPath)

	_, _, err = s.Restore(ctx, project)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = s.Delete(ctx, project, nil)
	require.NoError(t, err)
	restored, _, err := s.Restore(ctx, project)
	require.NoError(t, err)
	assert.Nil(t, restored.MarkedForDeletionOn)
	svc.Advance(2 * time.Hour)
	_, err = s.StartHousekeeping(ctx, project, serviceapi.StartHousekeepingOptions{
		Task: new(serviceapi.HousekeepingTaskPrune),
	})
	require.NoError(t, err, "it was not deleted")
	_, err = s.StartHousekeeping(ctx, project, serviceapi.StartHousekeepingOptions{})
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, err = s.StartHousekeeping(ctx, project, serviceapi.StartHousekeepingOptions{
		Task: new(serviceapi.HousekeepingTask("fast")),
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, err = s.RecalculateSize(ctx, project)
	require.NoError(t, err)
}

func TestServiceImportsMembers(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob, eve := svc.User("ada"), svc.User("bob"), svc.User("eve")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Maintainer))
	site := svc.Project("open/site", servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(bob, servicetest.Guest), servicetest.Member(eve, servicetest.Owner))
	client, ctx := as(t, svc, ada), t.Context()
	target, source := serviceapi.ProjectID(app.ID()), serviceapi.ProjectID(site.ID())
	result, _, err := client.Projects.ImportMembers(ctx, target, source)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MembersImport{Status: serviceapi.MembersImportStatusSuccess}, result)
	members, err := serviceapi.Collect(client.Members.All(ctx, target, nil))
	require.NoError(t, err)
	levels := map[string]serviceapi.AccessLevel{}
	for _, m := range members {
		levels[m.Username] = m.AccessLevel
	}
	assert.Equal(t, map[string]serviceapi.AccessLevel{
		"ada": serviceapi.AccessLevelMaintainer, "bob": serviceapi.AccessLevelMaintainer,
		"eve": serviceapi.AccessLevelMaintainer,
	}, levels, "at most her own role, and bob keeps his")
	svc.Group("acme").AddMember(svc.User("cy"), servicetest.Developer)
	site.AddMember(svc.User("cy"), servicetest.Guest)
	result, _, err = client.Projects.ImportMembers(ctx, target, source)
	require.NoError(t, err, "it is no error")
	assert.Equal(t, []any{serviceapi.MembersImportStatusError, new(4), 1},
		[]any{result.Status, result.TotalMembersCount, len(result.Message)})
	assert.Contains(t, result.Message["cy"], "inherited membership from group")
	_, _, err = as(t, svc, eve).Projects.ImportMembers(ctx, target, serviceapi.ProjectID(99))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceProjectAliases(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	s, ctx := asRoot(t, svc).ProjectAliases, t.Context()
	alias, _, err := s.Create(ctx, serviceapi.CreateProjectAliasOptions{
		Project: serviceapi.ProjectPath("acme/app"), Name: "app.old",
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ProjectAlias{ID: alias.ID, ProjectID: app.ID(), Name: "app.old"}, alias)
	_, _, err = s.Create(ctx, serviceapi.CreateProjectAliasOptions{
		Project: serviceapi.ProjectID(app.ID()), Name: "app.old",
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	got, _, err := s.Get(ctx, "app.old")
	require.NoError(t, err)
	assert.Equal(t, alias, got)
	all, err := serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProjectAlias{alias}, all)
	_, err = s.Delete(ctx, "app.old")
	require.NoError(t, err)
	_, err = s.Delete(ctx, "app.old")
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = asRoot(t, servicetest.New(t, servicetest.WithTier(servicetest.Free))).ProjectAliases.List(ctx, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}
