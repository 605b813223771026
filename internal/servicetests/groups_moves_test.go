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

// fullPaths returns the full paths of groups, in their order.
func fullPaths(t *testing.T, groups []*serviceapi.Group, err error) string {
	t.Helper()
	require.NoError(t, err)
	var found []string
	for _, g := range groups {
		found = append(found, g.FullPath)
	}
	return strings.Join(found, " ")
}

func TestServiceListsDescendants(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	acme := svc.Group("acme", servicetest.Public())
	svc.Group("acme/a", servicetest.Public())
	svc.Group("acme/a/b", servicetest.Private(), servicetest.Member(ada, servicetest.Guest))
	svc.Group("other")
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.GroupID(acme.ID())
	groups, err := serviceapi.Collect(root.Groups.AllDescendants(ctx, ref, nil))
	assert.Equal(t, "acme/a acme/a/b", fullPaths(t, groups, err), "administrators need not be members")
	groups, err = serviceapi.Collect(asAnybody(t, svc).Groups.AllDescendants(ctx, ref, nil))
	assert.Equal(t, "acme/a", fullPaths(t, groups, err))
	groups, err = serviceapi.Collect(as(t, svc, ada).Groups.AllDescendants(ctx, ref, nil))
	assert.Equal(t, "acme/a/b", fullPaths(t, groups, err))
	available := &serviceapi.ListGroupsOptions{AllAvailable: new(true), OrderBy: serviceapi.GroupOrderByID,
		Sort: serviceapi.SortDescending}
	groups, err = serviceapi.Collect(as(t, svc, ada).Groups.AllDescendants(ctx, ref, available))
	assert.Equal(t, "acme/a/b acme/a", fullPaths(t, groups, err))
}

func TestServiceTransfersGroups(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	team := svc.Group("acme/team", servicetest.Public(), servicetest.Member(ada, servicetest.Owner))
	deep := svc.Group("acme/team/deep")
	app := svc.Project("acme/team/deep/app", servicetest.Public())
	parent := svc.Group("parent", servicetest.Member(ada, servicetest.Maintainer))
	full := svc.Group("full", servicetest.Public(), servicetest.Member(ada, servicetest.Maintainer))
	svc.Project("full/team")
	foreign, hidden := svc.Group("foreign", servicetest.Public()), svc.Group("hidden")
	client, ctx, ref := as(t, svc, ada), t.Context(), serviceapi.GroupID(team.ID())
	to := func(g *servicetest.Group) serviceapi.TransferGroupOptions {
		return serviceapi.TransferGroupOptions{GroupID: new(g.ID())}
	}

	for name, target := range map[string]*servicetest.Group{"full": full, "foreign": foreign, "deep": deep} {
		_, _, err := client.Groups.Transfer(ctx, ref, to(target))
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
		assert.ErrorContains(t, err, "Transfer failed: ", name)
	}
	_, _, err := client.Groups.Transfer(ctx, ref, to(hidden))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = client.Groups.Transfer(ctx, serviceapi.GroupID(parent.ID()), serviceapi.TransferGroupOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "not an owner")

	locations, err := serviceapi.Collect(client.Groups.AllTransferLocations(ctx, ref, nil))
	assert.Equal(t, "full parent", groupPaths(t, locations, err))
	moved, _, err := client.Groups.Transfer(ctx, ref, to(parent))
	require.NoError(t, err)
	assert.Equal(t, []any{"parent/team", new(parent.ID())}, []any{moved.FullPath, moved.ParentID})
	assert.Equal(t, []any{"parent/team/deep", "parent/team/deep/app"}, []any{deep.Path(), app.Path()})
	assert.Equal(t, serviceapi.VisibilityPrivate, moved.Visibility, "as narrow as the new parent")
	old, _, err := client.Projects.Get(ctx, serviceapi.ProjectPath("acme/team/deep/app"), nil)
	require.NoError(t, err, "the service redirects from the old path")
	assert.Equal(t, []any{"parent/team/deep/app", serviceapi.VisibilityPrivate},
		[]any{old.PathWithNamespace, old.Visibility})
	_, _, err = client.Groups.Transfer(ctx, ref, to(parent))
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is there already")

	moved, _, err = client.Groups.Transfer(ctx, ref, serviceapi.TransferGroupOptions{})
	require.NoError(t, err)
	assert.Equal(t, []any{"team", (*int64)(nil)}, []any{moved.FullPath, moved.ParentID})
	_, _, err = client.Groups.Transfer(ctx, ref, serviceapi.TransferGroupOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is at the top already")
}

func TestServiceTransfersProjectsIntoGroups(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app, acme := svc.Project("ada/app"), svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.GroupPath("acme")
	_, _, err := as(t, svc, ada).Groups.TransferProject(ctx, ref, serviceapi.ProjectID(app.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	group, _, err := root.Groups.TransferProject(ctx, ref, serviceapi.ProjectPath("ada/app"))
	require.NoError(t, err)
	assert.Equal(t, []any{"acme/app", acme}, []any{app.Path(), app.Group()})
	require.Len(t, group.Projects, 1)
	assert.Equal(t, "acme/app", group.Projects[0].PathWithNamespace)
	_, _, err = root.Groups.TransferProject(ctx, ref, serviceapi.ProjectID(app.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Failed to transfer project")
	_, _, err = root.Groups.TransferProject(ctx, ref, serviceapi.ProjectID(99))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceSharesGroups(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	acme := svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	app := svc.Project("acme/team/app")
	guests := svc.Group("guests", servicetest.Public(), servicetest.Member(bob, servicetest.Maintainer))
	hidden := svc.Group("hidden")
	role := svc.MemberRole("Helper", servicetest.Reporter)
	client, ctx, ref := as(t, svc, ada), t.Context(), serviceapi.GroupID(acme.ID())
	options := serviceapi.ShareGroupOptions{
		GroupID: guests.ID(), GroupAccess: serviceapi.AccessLevelReporter,
		ExpiresAt:    new(serviceapi.NewDate(2026, time.January, 20)),
		MemberRoleID: &role,
	}
	sees := func() error { return errorOf(as(t, svc, bob).Projects.Get(ctx, serviceapi.ProjectID(app.ID()), nil)) }
	assert.ErrorIs(t, sees(), serviceapi.ErrNotFound)

	group, _, err := client.Groups.Share(ctx, ref, options)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SharedGroup{{
		GroupID: guests.ID(), GroupName: "Guests", GroupFullPath: "guests",
		GroupAccessLevel: serviceapi.AccessLevelReporter,
		ExpiresAt:        options.ExpiresAt, MemberRoleID: &role,
	}}, group.SharedWithGroups)
	require.NoError(t, sees())
	member, _, err := client.Members.GetInherited(ctx, serviceapi.ProjectID(app.ID()), serviceapi.UserID(bob.ID()))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.AccessLevelReporter, member.AccessLevel, "not more than was given to the group")
	_, _, err = client.Groups.Share(ctx, ref, options)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)
	_, _, err = client.Groups.Share(ctx, ref, serviceapi.ShareGroupOptions{GroupID: hidden.ID(),
		GroupAccess: serviceapi.AccessLevelGuest})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	svc.Advance(7 * 24 * time.Hour)
	assert.ErrorIs(t, sees(), serviceapi.ErrNotFound, "it has expired")

	_, err = client.Groups.Unshare(ctx, ref, serviceapi.GroupID(guests.ID()))
	require.NoError(t, err)
	_, err = client.Groups.Unshare(ctx, ref, serviceapi.GroupID(guests.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = client.Groups.Update(ctx, ref,
		serviceapi.UpdateGroupOptions{PreventSharingGroupsOutsideHierarchy: new(true)})
	require.NoError(t, err)
	options.ExpiresAt = nil
	_, _, err = client.Groups.Share(ctx, ref, options)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it is outside of the hierarchy")
	options.GroupID = svc.Group("acme/inside").ID()
	_, _, err = client.Groups.Share(ctx, serviceapi.GroupPath("acme/team"), options)
	require.NoError(t, err)
	_, _, err = client.Groups.Update(ctx, ref, serviceapi.UpdateGroupOptions{ShareWithGroupLock: new(true)})
	require.NoError(t, err)
	_, _, err = client.Groups.Share(ctx, ref, options)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "sharing is locked")
}

func TestServiceListsSharedProjects(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	acme := svc.Group("acme", servicetest.Member(ada, servicetest.Developer))
	svc.Project("acme/own")
	for _, path := range []string{"other/a", "other/b"} {
		svc.Project(path).ShareWith(acme, servicetest.Reporter)
	}
	client, ctx, ref := as(t, svc, ada), t.Context(), serviceapi.GroupID(acme.ID())
	list := func(options *serviceapi.ListSharedProjectsOptions) (found []string) {
		projects, err := serviceapi.Collect(client.Groups.AllSharedProjects(ctx, ref, options))
		require.NoError(t, err)
		for _, p := range projects {
			found = append(found, p.PathWithNamespace)
		}
		return found
	}
	assert.Equal(t, []string{"other/b", "other/a"}, list(nil))
	assert.Equal(t, []string{"other/a"}, list(&serviceapi.ListSharedProjectsOptions{Search: "A"}))
	assert.Empty(t, list(&serviceapi.ListSharedProjectsOptions{MinAccessLevel: serviceapi.AccessLevelDeveloper}))
}

func TestServiceRestoresGroups(t *testing.T) {
	const week = 7 * 24 * time.Hour
	svc := servicetest.New(t, servicetest.WithDelayedDeletion(week))
	acme := svc.Group("acme")
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.GroupPath("acme")
	_, _, err := root.Groups.Restore(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it is not marked")
	remove := func() {
		_, err := root.Groups.Delete(ctx, ref, nil)
		require.NoError(t, err)
	}
	remove()
	svc.Advance(time.Hour)
	group, _, err := root.Groups.Restore(ctx, ref)
	require.NoError(t, err)
	assert.Nil(t, group.MarkedForDeletionOn)
	remove()
	svc.Advance(week - time.Minute)
	assert.True(t, acme.Exists(), "the first deletion was undone")
	svc.Advance(time.Minute)
	assert.False(t, acme.Exists())
}

func TestServiceKeepsPicturesOfGroups(t *testing.T) {
	svc := servicetest.New(t)
	svc.Group("acme")
	root, ctx, ref := asRoot(t, svc), t.Context(), serviceapi.GroupPath("acme")
	_, _, err := root.Groups.DownloadAvatar(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	avatar := &serviceapi.Upload{Filename: "acme.gif", Content: strings.NewReader("pixels")}
	_, _, err = root.Groups.Update(ctx, ref, serviceapi.UpdateGroupOptions{Avatar: avatar})
	require.NoError(t, err)
	picture, resp, err := root.Groups.DownloadAvatar(ctx, ref)
	require.NoError(t, err)
	data, err := io.ReadAll(picture)
	require.NoError(t, err)
	require.NoError(t, picture.Close())
	assert.Equal(t, []string{"pixels", "acme.gif", "image/gif"},
		[]string{string(data), picture.Name, resp.Header.Get("Content-Type")})
}
