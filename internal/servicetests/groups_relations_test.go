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

func pathsOfGroups(groups []*serviceapi.Group) []string {
	paths := []string{}
	for _, g := range groups {
		paths = append(paths, g.FullPath)
	}
	return paths
}

func TestServiceArchivesGroups(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/team/app")
	client, ctx, acme := asRoot(t, svc), t.Context(), serviceapi.GroupPath("acme")
	group, _, err := client.Groups.Archive(ctx, acme)
	require.NoError(t, err)
	assert.Equal(t, []any{"acme", true}, []any{group.FullPath, group.Archived})
	_, _, err = client.Groups.Archive(ctx, acme)
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	label := serviceapi.CreateLabelOptions{Name: "bug", Color: "#ff0000"}
	_, _, err = client.Labels.Create(ctx, serviceapi.ProjectPath("acme/team/app"), label)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "it is read-only")
	archived, err := serviceapi.Collect(client.Groups.All(ctx, serviceapi.Instance,
		&serviceapi.ListGroupsOptions{Archived: new(true)}))
	require.NoError(t, err)
	assert.Equal(t, []string{"acme", "acme/team"}, pathsOfGroups(archived))
	group, _, err = client.Groups.Unarchive(ctx, acme)
	require.NoError(t, err)
	assert.False(t, group.Archived)
	_, _, err = client.Labels.Create(ctx, serviceapi.ProjectPath("acme/team/app"), label)
	require.NoError(t, err)
}

func TestServiceGroupsShared(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/team/app", servicetest.Member(ada, servicetest.Maintainer))
	guests := svc.Group("guests", servicetest.Public(), servicetest.Member(ada, servicetest.Guest))
	svc.Group("others", servicetest.Member(ada, servicetest.Guest))
	svc.Group("acme").ShareWith(guests, servicetest.Reporter)
	client, ctx := asRoot(t, svc), t.Context()
	shared, err := serviceapi.Collect(client.Groups.AllSharedGroups(ctx, serviceapi.GroupPath("guests"), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"acme"}, pathsOfGroups(shared))
	direct := &serviceapi.ListInvitedGroupsOptions{
		Relation: []serviceapi.InvitedGroupRelation{serviceapi.InvitedGroupRelationDirect},
	}
	for _, tc := range []struct {
		group   string
		options *serviceapi.ListInvitedGroupsOptions
		want    []string
	}{
		{"acme", nil, []string{"guests"}}, {"acme", direct, []string{"guests"}},
		{"acme/team", nil, []string{"guests"}}, {"acme/team", direct, []string{}},
	} {
		group := serviceapi.GroupPath(tc.group)
		invited, err := serviceapi.Collect(client.Groups.AllInvitedGroups(ctx, group, tc.options))
		require.NoError(t, err)
		assert.Equal(t, tc.want, pathsOfGroups(invited), tc.group)
	}
	project, own := serviceapi.ProjectPath("acme/team/app"), as(t, svc, ada).Projects
	groups, err := serviceapi.Collect(own.AllInvitedGroups(ctx, project, nil))
	require.NoError(t, err)
	require.Len(t, groups, 1)
	assert.Equal(t, "guests", groups[0].FullPath)
	locations, err := serviceapi.Collect(own.AllShareLocations(ctx, serviceapi.ProjectID(app.ID()),
		&serviceapi.ListShareLocationsOptions{Search: "other"}))
	require.NoError(t, err)
	require.Len(t, locations, 1)
	assert.Equal(t, "others", locations[0].FullPath)
}

func TestServiceGroupsUsers(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	ada := svc.User("ada", servicetest.ProvisionedBy(acme), servicetest.SAMLIdentity(acme, "ada@idp"))
	svc.User("bob", servicetest.ProvisionedBy(acme), servicetest.Blocked())
	svc.User("cy", servicetest.SAMLIdentity(acme, "cy@idp"), servicetest.CreatedAt(svc.Now().Add(-time.Hour)))
	s, ctx, team := asRoot(t, svc).Groups, t.Context(), serviceapi.GroupPath("acme")
	names := func(users []*serviceapi.User, err error) (names []string) {
		require.NoError(t, err)
		for _, u := range users {
			names = append(names, u.Username+" "+u.Email)
		}
		return names
	}
	assert.Equal(t, []string{"bob bob@example.com", "ada ada@example.com"},
		names(serviceapi.Collect(s.AllProvisionedUsers(ctx, team, nil))))
	assert.Equal(t, []string{"cy ", "ada ada@example.com"},
		names(serviceapi.Collect(s.AllSAMLUsers(ctx, team, nil))), "the address only of the group's own account")
	for options, want := range map[*serviceapi.ListGroupUsersOptions]string{
		{Active: true}: "ada", {Blocked: true}: "bob", {Username: "BOB"}: "bob", {Search: "da"}: "ada",
	} {
		users, _, err := s.ListProvisionedUsers(ctx, team, options)
		require.NoError(t, err)
		require.Len(t, users, 1)
		assert.Equal(t, want, users[0].Username)
	}
	users, _, err := s.ListSAMLUsers(ctx, team, &serviceapi.ListGroupUsersOptions{CreatedAfter: svc.Now()})
	require.NoError(t, err)
	require.Len(t, users, 1)
	assert.Equal(t, ada.ID(), users[0].ID)
}

func TestServiceReassignsPlaceholders(t *testing.T) {
	svc := servicetest.New(t)
	svc.Group("acme")
	s, ctx, team := asRoot(t, svc).Groups, t.Context(), serviceapi.GroupPath("acme")
	download, _, err := s.DownloadPlaceholderReassignments(ctx, team)
	require.NoError(t, err)
	content, err := io.ReadAll(download)
	require.NoError(t, err)
	require.NoError(t, download.Close())
	assert.Equal(t, "placeholder_reassignments.csv", download.Name)
	assert.Equal(t, "Source host,Import type,Source user identifier,Source user name,Source username,"+
		"Service username,Service public email\n", string(content))
	for name, want := range map[string]error{"p.csv": nil, "p.txt": serviceapi.ErrUnprocessable} {
		resp, err := s.ReassignPlaceholders(ctx, team, serviceapi.ReassignPlaceholdersOptions{
			File: serviceapi.Upload{Filename: name, Content: strings.NewReader(string(content))},
		})
		require.ErrorIs(t, err, want)
		assert.Equal(t, want == nil, resp.StatusCode == 201)
	}
}
