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

func TestServiceExportsAndImportsGroups(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	acme := svc.Group("acme", servicetest.Public(), servicetest.Description("Makes"),
		servicetest.Member(ada, servicetest.Owner))
	acme.Label("bug", "#ff0000", "It is broken")
	svc.Group("acme/team", servicetest.Name("The Team")).Milestone("1.0")
	svc.Group("acme/team/deep")
	svc.Project("acme/app")
	client, ctx, ref := as(t, svc, ada), t.Context(), serviceapi.GroupID(acme.ID())
	export := func() {
		resp, err := client.GroupExport.Schedule(ctx, ref)
		require.NoError(t, err)
		assert.Equal(t, 202, resp.StatusCode)
		svc.Advance(servicetest.ExportQueuedFor + servicetest.ExportStartedFor)
	}

	_, _, err := client.GroupExport.Download(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	export()
	archive := groupArchive(t, client, ref)
	acme.Label("new", "#00ff00", "")
	export()
	assert.NotEqual(t, archive, groupArchive(t, client, ref), "the new export replaces the old one")

	upload := func(name string, parent *int64) error {
		_, err := client.Groups.Import(ctx, serviceapi.ImportGroupOptions{
			File: serviceapi.Upload{Filename: "acme.tar.gz", Content: strings.NewReader(archive)}, Name: "Copy",
			Path: name, ParentID: parent,
		})
		return err
	}
	require.NoError(t, upload("copy", nil))
	_, _, err = client.Groups.Get(ctx, serviceapi.GroupPath("copy"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "it appears later")
	svc.Advance(servicetest.ImportScheduledFor + servicetest.ImportStartedFor)
	made, _, err := client.Groups.Get(ctx, serviceapi.GroupPath("copy"), nil)
	require.NoError(t, err)
	assert.Equal(t, []any{"Copy", "Makes", serviceapi.VisibilityPrivate, 0},
		[]any{made.Name, made.Description, made.Visibility, len(made.Projects)})
	groups, err := serviceapi.Collect(client.Groups.AllDescendants(ctx, made.Ref(), nil))
	assert.Equal(t, "copy/team/deep copy/team", fullPaths(t, groups, err))
	labels, err := serviceapi.Collect(client.Labels.All(ctx, made.Ref(), nil))
	require.NoError(t, err)
	require.Len(t, labels, 1, "those of the first export")
	assert.Equal(t, []string{"bug", "#ff0000", "It is broken"}, []string{labels[0].Name, labels[0].Color,
		labels[0].Description})
	milestones, err := serviceapi.Collect(client.Milestones.All(ctx, serviceapi.GroupPath("copy/team"), nil))
	require.NoError(t, err)
	require.Len(t, milestones, 1)
	assert.Equal(t, "1.0", milestones[0].Title)

	parent := acme.ID()
	require.NoError(t, upload("inside", &parent))
	svc.Advance(time.Minute)
	made, _, err = client.Groups.Get(ctx, serviceapi.GroupPath("acme/inside"), nil)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.VisibilityPublic, made.Visibility, "that of its parent")
	assert.ErrorIs(t, upload("copy", nil), serviceapi.ErrBadRequest, "the path is taken")
	hidden := svc.Group("hidden").ID()
	assert.ErrorIs(t, upload("x", &hidden), serviceapi.ErrNotFound)
	archive = "no archive"
	require.NoError(t, upload("broken", nil))
	svc.Advance(time.Minute)
	_, _, err = client.Groups.Get(ctx, serviceapi.GroupPath("broken"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "what cannot be read makes no group")
}

func groupArchive(t *testing.T, client *serviceapi.Client, group serviceapi.GroupRef) string {
	t.Helper()
	archive, _, err := client.GroupExport.Download(t.Context(), group)
	require.NoError(t, err)
	defer archive.Close()
	assert.Contains(t, archive.Name, "acme_group_export.tar.gz")
	data, err := io.ReadAll(archive)
	require.NoError(t, err)
	return string(data)
}

func TestServiceExportsGroupsForOwners(t *testing.T) {
	svc := servicetest.New(t)
	bob := svc.User("bob")
	acme := svc.Group("acme", servicetest.Member(bob, servicetest.Maintainer))
	client, ctx, ref := as(t, svc, bob), t.Context(), serviceapi.GroupID(acme.ID())
	_, err := client.GroupExport.Schedule(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = client.GroupExport.Download(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = asRoot(t, svc).GroupExport.Schedule(ctx, ref)
	require.NoError(t, err)
	_, err = asRoot(t, svc).Groups.Delete(ctx, ref, nil)
	require.NoError(t, err)
	svc.Advance(time.Minute)
	_, _, err = asRoot(t, svc).GroupExport.Download(ctx, ref)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "the group is gone")
}
