package servicetests

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func starrerNames(t *testing.T, starrers []*serviceapi.Starrer, err error) string {
	t.Helper()
	require.NoError(t, err)
	var names []string
	for _, s := range starrers {
		names = append(names, s.User.Username)
	}
	return strings.Join(names, " ")
}

func TestServiceStarsProjects(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	app := svc.Project("acme/app", servicetest.Public())
	secret := svc.Project("acme/secret", servicetest.Member(bob, servicetest.Guest))
	asAda, asBob, ctx, ref := as(t, svc, ada), as(t, svc, bob), t.Context(), serviceapi.ProjectID(app.ID())

	change, resp, err := asBob.Projects.Star(ctx, ref)
	require.NoError(t, err)
	assert.Equal(t, []any{201, 1, false}, []any{resp.StatusCode, change.Project.StarCount, change.Unchanged})
	svc.Advance(time.Hour)
	change, _, err = asAda.Projects.Star(ctx, ref)
	require.NoError(t, err)
	assert.Equal(t, 2, change.Project.StarCount)
	change, resp, err = asAda.Projects.Star(ctx, ref)
	require.NoError(t, err)
	assert.Equal(t, []any{304, true}, []any{resp.StatusCode, change.Unchanged})
	assert.True(t, app.Starred(ada))
	_, _, err = asAda.Projects.Star(ctx, serviceapi.ProjectID(secret.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	starrers, err := serviceapi.Collect(asAda.Projects.AllStarrers(ctx, ref, nil))
	assert.Equal(t, "bob ada", starrerNames(t, starrers, err), "the first one first")
	assert.Equal(t, time.Hour, starrers[1].StarredSince.Sub(starrers[0].StarredSince))
	starrers, _, err = asAda.Projects.ListStarrers(ctx, ref, &serviceapi.ListStarrersOptions{Search: "AD"})
	assert.Equal(t, "ada", starrerNames(t, starrers, err))

	secret.Star(bob)
	starredBy := func(client *serviceapi.Client) (paths []string) {
		projects, err := serviceapi.Collect(client.Projects.AllStarred(ctx, serviceapi.Username("bob"), nil))
		require.NoError(t, err)
		for _, p := range projects {
			paths = append(paths, p.PathWithNamespace)
		}
		return paths
	}
	assert.Equal(t, []string{"acme/secret", "acme/app"}, starredBy(asBob))
	assert.Equal(t, []string{"acme/app"}, starredBy(asAnybody(t, svc)))
	_, _, err = asRoot(t, svc).Users.Update(ctx, serviceapi.UserID(bob.ID()),
		serviceapi.UpdateUserOptions{PrivateProfile: serviceapi.Value(true)})
	require.NoError(t, err)
	assert.Empty(t, starredBy(asAda), "a private profile")
	assert.Len(t, starredBy(asBob), 2)
	starrers, err = serviceapi.Collect(asAda.Projects.AllStarrers(ctx, ref, nil))
	assert.Equal(t, "ada", starrerNames(t, starrers, err))
	_, _, err = asAda.Projects.ListStarred(ctx, serviceapi.Username("none"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	change, _, err = asAda.Projects.Unstar(ctx, ref)
	require.NoError(t, err)
	assert.Equal(t, 1, change.Project.StarCount)
	change, _, err = asAda.Projects.Unstar(ctx, ref)
	require.NoError(t, err)
	assert.True(t, change.Unchanged)
	_, err = asRoot(t, svc).Users.Delete(ctx, serviceapi.UserID(bob.ID()), nil)
	require.NoError(t, err)
	assert.False(t, app.Starred(bob), "a deleted user has no favorites")
}

func TestServiceRelatesForks(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	base := svc.Project("acme/base", servicetest.Public())
	secret := svc.Project("acme/secret")
	mine := svc.Project("ada/base", servicetest.Public())
	mine.Commit("topic", "Topic", servicetest.Write("topic.txt", "topic\n"))
	client, ctx := as(t, svc, ada), t.Context()
	from, to := serviceapi.ProjectID(base.ID()), serviceapi.ProjectPath("ada/base")

	resp, err := client.Projects.DeleteForkRelation(ctx, to)
	require.NoError(t, err)
	assert.Equal(t, 304, resp.StatusCode)
	_, _, err = client.Projects.CreateForkRelation(ctx, from, to)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "not an owner")
	_, _, err = client.Projects.CreateForkRelation(ctx, to, serviceapi.ProjectID(secret.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	project, resp, err := client.Projects.CreateForkRelation(ctx, to, serviceapi.ProjectPath("acme/base"))
	require.NoError(t, err)
	assert.Equal(t, []any{201, base.ID()}, []any{resp.StatusCode, project.ForkedFromProject.ID})
	_, _, err = client.Projects.CreateForkRelation(ctx, to, from)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = asRoot(t, svc).Projects.CreateForkRelation(ctx, from, to)
	assert.ErrorIs(t, err, serviceapi.ErrConflict, "no project is a fork of its own fork")
	counted := func() int {
		p, _, err := client.Projects.Get(ctx, from, nil)
		require.NoError(t, err)
		return p.ForksCount
	}
	assert.Equal(t, 1, counted())
	forks, err := serviceapi.Collect(client.Projects.AllForks(ctx, from, &serviceapi.ListProjectsOptions{Owned: true}))
	require.NoError(t, err)
	require.Len(t, forks, 1)
	assert.Equal(t, "ada/base", forks[0].PathWithNamespace)

	request := base.MergeRequest("topic", servicetest.FromFork(mine))
	resp, err = client.Projects.DeleteForkRelation(ctx, to)
	require.NoError(t, err)
	assert.Equal(t, []any{204, 0, "closed"}, []any{resp.StatusCode, counted(), request.State()})

	_, _, err = asRoot(t, svc).Projects.Update(ctx, from,
		serviceapi.UpdateProjectOptions{ForkingAccessLevel: new(serviceapi.FeatureAccessLevelDisabled)})
	require.NoError(t, err)
	_, _, err = client.Projects.CreateForkRelation(ctx, to, from)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

func TestServiceShowsLanguages(t *testing.T) {
	svc := servicetest.New(t)
	guest := svc.User("guest")
	app := svc.Project("acme/app", servicetest.Member(guest, servicetest.Guest))
	svc.Project("acme/empty", servicetest.EmptyRepository())
	app.Commit("main", "Add code", servicetest.Write("a.go", "package a\n"), servicetest.Write("b/b.go", "package b\n"),
		servicetest.Write("run.sh", "ls -la -h\n"), servicetest.Write("notes.txt", "Nothing that counts\n"))
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	shares, _, err := root.Projects.GetLanguages(ctx, ref)
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"Go": 66.67, "Shell": 33.33}, shares)
	shares, _, err = root.Projects.GetLanguages(ctx, serviceapi.ProjectPath("acme/empty"))
	require.NoError(t, err)
	assert.Empty(t, shares)
	_, _, err = as(t, svc, guest).Projects.GetLanguages(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	svc.Project("acme/app", servicetest.Public())
	shares, _, err = asAnybody(t, svc).Projects.GetLanguages(ctx, ref)
	require.NoError(t, err)
	assert.Len(t, shares, 2)
}

func TestServiceKeepsPictures(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.ProjectPath("acme/app")
	_, _, err := root.Projects.DownloadAvatar(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	upload := func(size int) error {
		picture := &serviceapi.Upload{Filename: "app.png", Content: strings.NewReader(strings.Repeat("p", size))}
		return errorOf(root.Projects.Update(ctx, ref, serviceapi.UpdateProjectOptions{Avatar: picture}))
	}
	require.NoError(t, upload(150_000))
	assert.ErrorIs(t, upload(300_000), serviceapi.ErrBadRequest)
	picture, resp, err := root.Projects.DownloadAvatar(ctx, ref)
	require.NoError(t, err)
	data, err := io.ReadAll(picture)
	require.NoError(t, err)
	require.NoError(t, picture.Close())
	assert.Equal(t, []any{150_000, "app.png", "image/png"},
		[]any{len(data), picture.Name, resp.Header.Get("Content-Type")})
	_, _, err = root.Projects.Update(ctx, ref, serviceapi.UpdateProjectOptions{RemoveAvatar: true})
	require.NoError(t, err)
	_, _, err = root.Projects.DownloadAvatar(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceListsUsersAndGroupsOfProjects(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob, eve := svc.User("ada"), svc.User("bob"), svc.User("eve")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	guests := svc.Group("guests", servicetest.Public(), servicetest.Member(eve, servicetest.Developer))
	app := svc.Project("acme/team/app", servicetest.Member(bob, servicetest.Reporter))
	app.ShareWith(guests, servicetest.Guest)
	app.ShareWith(svc.Group("hidden"), servicetest.Developer)
	client, ctx, ref := as(t, svc, ada), t.Context(), serviceapi.ProjectID(app.ID())

	members := func(options *serviceapi.ListProjectUsersOptions) (names []string) {
		users, err := serviceapi.Collect(client.Projects.AllUsers(ctx, ref, options))
		require.NoError(t, err)
		for _, user := range users {
			names = append(names, user.Username)
		}
		return names
	}
	assert.Equal(t, []string{"ada", "bob", "eve"}, members(nil))
	assert.Equal(t, []string{"eve"},
		members(&serviceapi.ListProjectUsersOptions{Search: "E", SkipUsers: []int64{bob.ID()}}))
	groups := func(options *serviceapi.ListProjectGroupsOptions) string {
		found, err := serviceapi.Collect(client.Projects.AllGroups(ctx, ref, options))
		return groupPaths(t, found, err)
	}
	assert.Equal(t, "acme acme/team", groups(nil))
	assert.Equal(t, "acme acme/team guests hidden", groups(&serviceapi.ListProjectGroupsOptions{WithShared: true}))
	assert.Equal(t, "acme acme/team guests",
		groups(&serviceapi.ListProjectGroupsOptions{WithShared: true, SharedVisibleOnly: true}))
	assert.Equal(t, "acme acme/team hidden",
		groups(&serviceapi.ListProjectGroupsOptions{WithShared: true,
			SharedMinAccessLevel: serviceapi.AccessLevelReporter}))
	assert.Equal(t, "acme/team", groups(&serviceapi.ListProjectGroupsOptions{SkipGroups: []int64{1}, Search: "te"}))

	svc.Group("free", servicetest.Member(ada, servicetest.Developer))
	svc.Group("watched", servicetest.Member(ada, servicetest.Reporter))
	found, err := serviceapi.Collect(client.Projects.AllTransferLocations(ctx, ref, nil))
	assert.Equal(t, "acme free", groupPaths(t, found, err))
	found, _, err = client.Projects.ListTransferLocations(ctx, ref,
		&serviceapi.ListTransferLocationsOptions{Search: "free"})
	assert.Equal(t, "free", groupPaths(t, found, err))
	_, _, err = as(t, svc, bob).Projects.ListTransferLocations(ctx, ref, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = client.Projects.Transfer(ctx, ref,
		serviceapi.TransferProjectOptions{Namespace: serviceapi.NamespacePath("free")})
	require.NoError(t, err)
	assert.Equal(t, "free/app", app.Path())
}

// groupPaths returns the full paths of groups, in their order.
func groupPaths(t *testing.T, groups []*serviceapi.GroupSummary, err error) string {
	t.Helper()
	require.NoError(t, err)
	var found []string
	for _, g := range groups {
		found = append(found, g.FullPath)
	}
	return strings.Join(found, " ")
}

// TestServiceContributedProjects lists the projects in which a user opened an issue.
func TestServiceContributedProjects(t *testing.T) {
	svc := servicetest.New(t)
	bob := svc.User("bob")
	app := svc.Project("acme/app", servicetest.Public(), servicetest.Member(bob, servicetest.Guest))
	secret := svc.Project("acme/secret", servicetest.Member(bob, servicetest.Guest))
	ctx := t.Context()
	contributed := func(client *serviceapi.Client) (paths []string) {
		projects, err := serviceapi.Collect(client.Projects.AllContributed(ctx, serviceapi.Username("bob"), nil))
		require.NoError(t, err)
		for _, p := range projects {
			paths = append(paths, p.PathWithNamespace)
		}
		return paths
	}
	root := svc.Project("acme/other")
	for _, project := range []*servicetest.Project{app, secret} {
		_, _, err := as(t, svc, bob).Issues.Create(ctx, serviceapi.ProjectID(project.ID()),
			serviceapi.CreateIssueOptions{Title: "Begin"})
		require.NoError(t, err)
	}
	_, _, err := asRoot(t, svc).Issues.Create(ctx, serviceapi.ProjectID(root.ID()),
		serviceapi.CreateIssueOptions{Title: "Begin"})
	require.NoError(t, err)
	assert.Equal(t, []string{"acme/secret", "acme/app"}, contributed(asRoot(t, svc)))
	assert.Equal(t, []string{"acme/app"}, contributed(asAnybody(t, svc)), "what the caller sees")
	svc.Advance(364 * 24 * time.Hour)
	assert.Len(t, contributed(as(t, svc, bob)), 2)
	svc.Advance(2 * 24 * time.Hour)
	assert.Empty(t, contributed(as(t, svc, bob)), "longer ago than a year")
}
