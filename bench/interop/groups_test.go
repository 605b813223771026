package interop

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestGroupMoves(t *testing.T) {
	e := start(t)
	for _, path := range []string{"acme/a", "acme/b", "acme/a/c", "other", "third"} {
		e.svc.Group(path)
	}
	g := e.admin.Groups
	byPath := func(g *clientgo.Group) string { return g.FullPath }
	assert.Equal(t, []string{"acme/a", "acme/b", "acme/a/c"}, each(walk1(e, g.ListDescendantGroups, any("acme"), nil),
		byPath))
	locations := walk1(e, g.ListTransferLocations, any("acme/a"), nil)
	assert.Equal(t, []string{"acme/b", "other", "third"},
		each(locations, func(l *clientgo.TransferLocation) string { return l.FullPath }))
	other := got(g.GetGroup("other", nil)).ok(e, 200)
	moved := got(g.TransferSubGroup("acme/a", &clientgo.TransferSubGroupOptions{GroupID: &other.ID})).ok(e, 201)
	assert.Equal(t, "other/a", moved.FullPath)
	e.svc.Project("acme/app")
	taken := got(g.TransferGroup("other/a", "acme/app")).ok(e, 201)
	assert.Equal(t, "other/a", taken.FullPath)
	assert.NotNil(t, e.svc.FindProject("other/a/app"))
	got(g.UploadAvatar("other", strings.NewReader("pixels"), "other.png")).ok(e, 200)
	picture, _, err := g.DownloadAvatar("other")
	require.NoError(t, err)
	assert.Equal(t, "pixels", text(t, picture))
}

func TestGroupShares(t *testing.T) {
	e := start(t)
	acme, guests := e.svc.Group("acme"), e.svc.Group("guests")
	shared := got(e.admin.Groups.ShareGroupWithGroup("acme", &clientgo.ShareGroupWithGroupOptions{
		GroupID: new(guests.ID()), GroupAccess: new(clientgo.ReporterPermissions),
	})).ok(e, 201)
	assert.Equal(t, "guests", shared.SharedWithGroups[0].GroupFullPath)
	done(e.admin.Groups.UnshareGroupFromGroup("acme", guests.ID())).ok(e, 204)
	for _, path := range []string{"other/a", "other/b", "other/c"} {
		e.svc.Project(path).ShareWith(acme, servicetest.Reporter)
	}
	projects := walk1(e, e.admin.Groups.ListGroupSharedProjects, any("acme"), nil)
	assert.Equal(t, []string{"other/c", "other/b", "other/a"},
		each(projects, func(p *clientgo.Project) string { return p.PathWithNamespace }))
}

func TestGroupRestore(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithDelayedDeletion(time.Hour))
	e := &env{T: t, svc: svc}
	e.admin = e.client(svc.AdminToken())
	t.Cleanup(func() { called.note(svc) })
	svc.Group("acme")
	done(e.admin.Groups.DeleteGroup("acme", nil)).ok(e, 202)
	assert.Nil(t, got(e.admin.Groups.RestoreGroup("acme")).ok(e, 201).MarkedForDeletionOn)
}
