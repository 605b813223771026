package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eventIDs walks the audit events of an owner.
func eventIDs(
	t *testing.T, client *serviceapi.Client, owner serviceapi.AuditEventOwner,
	options *serviceapi.ListAuditEventsOptions,
) []int64 {
	t.Helper()
	events, err := serviceapi.Collect(client.AuditEvents.All(t.Context(), owner, options))
	require.NoError(t, err)
	ids := []int64{}
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids
}

func TestServiceAuditEventsOfMembers(t *testing.T) {
	c := newCompany(t)
	ctx, app := t.Context(), teamApp
	_, _, err := c.asBob.Members.Add(ctx, app, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{})
	require.NoError(t, err)
	c.svc.Advance(time.Minute)
	_, _, err = c.asBob.Members.Update(ctx, app, serviceapi.UserID(c.eve.ID()), serviceapi.AccessLevelReporter,
		serviceapi.UpdateMemberOptions{})
	require.NoError(t, err)
	_, err = c.asAda.Members.RemoveBillable(ctx, acme, serviceapi.UserID(c.eve.ID()))
	require.NoError(t, err)

	events, err := serviceapi.Collect(c.asBob.AuditEvents.All(ctx, app, nil))
	require.NoError(t, err)
	require.Len(t, events, 3)
	added, changed, removed := events[2], events[1], events[0]
	assert.Equal(t, c.bob.ID(), added.AuthorID)
	assert.Equal(t, serviceapi.AuditEntityTypeProject, added.EntityType)
	assert.Equal(t, c.app.ID(), added.EntityID)
	assert.Equal(t, servicetest.Epoch, added.CreatedAt)
	assert.Equal(t, "user_access", added.Details.Add.String())
	assert.Equal(t, `"Guest"`, string(added.Details.As.JSON()))
	assert.Equal(t, []string{"access_level", "Guest", "Reporter"},
		[]string{changed.Details.Change.String(), changed.Details.From.String(), changed.Details.To.String()})
	target, ok := changed.Details.TargetID.Int64()
	assert.True(t, ok)
	assert.Equal(t, c.eve.ID(), target)
	assert.Equal(t, []string{"Bob", "User", "Eve", "acme/platform/app"},
		[]string{changed.Details.AuthorName, changed.Details.TargetType, changed.Details.TargetDetails.String(),
			changed.Details.EntityPath})
	assert.Equal(t, `"user_access"`, string(removed.Details.Remove.JSON()))
	assert.Equal(t, "ada", c.ada.Username())
	assert.Equal(t, c.ada.ID(), removed.AuthorID)
}

func TestServiceAuditEventsOfAProject(t *testing.T) {
	c := newCompany(t)
	app := teamApp
	c.app.AddMember(c.eve, servicetest.Developer)
	c.app.AuditEvent(c.bob, servicetest.AuditDetails{"change": "visibility", "from": false, "to": nil,
		"target_id": "acme/app"})
	own := c.app.AuditEvent(c.eve, nil, servicetest.CreatedAt(servicetest.Epoch.Add(time.Hour)))
	c.platform.AuditEvent(c.bob, nil)

	assert.Equal(t, []int64{2, 1}, eventIDs(t, c.asBob, app, nil), "a maintainer sees all")
	assert.Equal(t, []int64{2}, eventIDs(t, c.asEve, app, nil), "a developer sees her own")
	assert.Equal(t, []int64{2},
		eventIDs(t, c.asBob, app, &serviceapi.ListAuditEventsOptions{CreatedAfter: servicetest.Epoch.Add(time.Hour)}))
	assert.Equal(t, []int64{1},
		eventIDs(t, c.asBob, app, &serviceapi.ListAuditEventsOptions{CreatedBefore: servicetest.Epoch}))

	event, _, err := c.asBob.AuditEvents.Get(t.Context(), app, 1)
	require.NoError(t, err)
	assert.Equal(t, []string{"false", "", "acme/app"}, []string{event.Details.From.String(), event.Details.To.String(),
		event.Details.TargetID.String()})
	_, _, err = c.asEve.AuditEvents.Get(t.Context(), app, own.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "single events need a maintainer")
	_, _, err = c.asBob.AuditEvents.Get(t.Context(), app, 3)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "an event of the group")
	c.app.AddMember(c.eve, servicetest.Reporter)
	_, _, err = c.asEve.AuditEvents.List(t.Context(), app, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceAuditEventsOfAGroup(t *testing.T) {
	c := newCompany(t)
	group := acme
	c.acme.AddMember(c.bob, servicetest.Maintainer)
	for i := range 250 {
		author := c.ada
		if i == 7 {
			author = c.bob
		}
		c.acme.AuditEvent(author, servicetest.AuditDetails{"ip_address": nil})
	}
	keyset := serviceapi.ListAuditEventsOptions{Pagination: serviceapi.PaginationKeyset}
	all := eventIDs(t, c.asAda, group, nil)
	require.Len(t, all, 250)
	assert.Equal(t, int64(250), all[0])
	assert.Equal(t, all, eventIDs(t, c.asAda, group, &keyset))
	assert.Equal(t, []int64{8}, eventIDs(t, c.asBob, group, &keyset), "a maintainer sees his own")

	page, resp, err := c.asAda.AuditEvents.List(t.Context(), group, &keyset)
	require.NoError(t, err)
	assert.Len(t, page, 20)
	assert.False(t, resp.HasTotal())
	assert.Empty(t, page[0].Details.IPAddress)
	next, _, err := c.asAda.AuditEvents.List(t.Context(), group,
		&serviceapi.ListAuditEventsOptions{ListOptions: serviceapi.ListOptions{PageToken: resp.NextPageToken}})
	require.NoError(t, err)
	assert.Equal(t, int64(230), next[0].ID)

	keyset.Sort = serviceapi.SortAscending
	_, _, err = c.asAda.AuditEvents.List(t.Context(), group, &keyset)
	assert.ErrorAs(t, err, new(*serviceapi.ArgumentError), "only the newest first")
	_, _, err = c.asAda.AuditEvents.Get(t.Context(), group, 250)
	assert.NoError(t, err)
	_, _, err = c.asBob.AuditEvents.Get(t.Context(), group, 8)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceAuditEventsOfTheInstance(t *testing.T) {
	c := newCompany(t)
	root := asRoot(t, c.svc)
	c.svc.AuditEvent(c.ada, servicetest.AuditDetails{"custom_message": "Signed in"})
	c.svc.AuditEvent(c.svc.Root(), servicetest.AuditDetails{"add": "email"}, servicetest.AboutUser(c.eve))
	c.svc.AuditEvent(c.svc.Root(), nil, servicetest.AboutGroup(c.acme))
	c.svc.AuditEvent(c.svc.Root(), nil, servicetest.AboutProject(c.app))
	c.app.AuditEvent(c.bob, nil)

	assert.Equal(t, []int64{4, 3, 2, 1}, eventIDs(t, root, serviceapi.Instance, nil), "not those of the project")
	assert.Equal(t, []int64{5}, eventIDs(t, c.asBob, teamApp, nil), "not those of the instance about the project")
	assert.Empty(t, eventIDs(t, c.asAda, acme, nil))
	for kind, want := range map[serviceapi.AuditEntityType][]int64{
		serviceapi.AuditEntityTypeUser: {2, 1}, serviceapi.AuditEntityTypeGroup: {3},
		serviceapi.AuditEntityTypeProject: {4},
	} {
		assert.Equal(t, want, eventIDs(t, root, serviceapi.Instance,
			&serviceapi.ListAuditEventsOptions{EntityType: kind}))
	}
	assert.Equal(t, []int64{2}, eventIDs(t, root, serviceapi.Instance,
		&serviceapi.ListAuditEventsOptions{EntityType: serviceapi.AuditEntityTypeUser, EntityID: c.eve.ID()}))
	_, _, err := root.AuditEvents.List(t.Context(), serviceapi.Instance,
		&serviceapi.ListAuditEventsOptions{EntityID: 1})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	event, _, err := root.AuditEvents.Get(t.Context(), serviceapi.Instance, 1)
	require.NoError(t, err)
	assert.Equal(t, "Signed in", event.Details.CustomMessage.String())
	assert.Equal(t, "ada", event.Details.EntityPath)
	_, _, err = root.AuditEvents.Get(t.Context(), serviceapi.Instance, 5)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = c.asAda.AuditEvents.List(t.Context(), serviceapi.Instance, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = c.asAda.AuditEvents.Get(t.Context(), serviceapi.Instance, 1)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
