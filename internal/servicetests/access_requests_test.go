package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// requesters returns the names of the users who ask an owner for access.
func requesters(t *testing.T, c *serviceapi.Client, owner serviceapi.AccessRequestOwner) []string {
	t.Helper()
	names := []string{}
	for request, err := range c.AccessRequests.All(t.Context(), owner, nil) {
		require.NoError(t, err)
		names = append(names, request.Username)
	}
	return names
}

// TestServiceAccessRequests goes through the life of requests for a project and a group.
func TestServiceAccessRequests(t *testing.T) {
	for name, owner := range map[string]serviceapi.AccessRequestOwner{"project": teamApp, "group": platform} {
		t.Run(name, func(t *testing.T) {
			c := newCompany(t)
			ctx, eve := t.Context(), serviceapi.UserID(c.eve.ID())
			_, _, err := c.asEve.AccessRequests.Create(ctx, owner)
			require.ErrorIs(t, err, serviceapi.ErrNotFound, "eve cannot see it")
			c.svc.Group("acme", servicetest.Public())
			c.svc.Group("acme/platform", servicetest.Public())
			c.svc.Project("acme/platform/app", servicetest.Public())
			made, resp, err := c.asEve.AccessRequests.Create(ctx, owner)
			require.NoError(t, err)
			assert.Equal(t, 201, resp.StatusCode)
			assert.Equal(t, []any{c.eve.ID(), c.svc.Now()}, []any{made.ID, made.RequestedAt})
			_, _, err = c.asEve.AccessRequests.Create(ctx, owner)
			require.ErrorIs(t, err, serviceapi.ErrBadRequest)
			assert.ErrorContains(t, err, "has already been taken")
			_, _, err = c.asAda.AccessRequests.Create(ctx, owner)
			assert.ErrorIs(t, err, serviceapi.ErrForbidden, "ada is a member")
			_, _, err = c.asEve.AccessRequests.List(ctx, owner, nil)
			assert.ErrorIs(t, err, serviceapi.ErrForbidden)
			assert.Equal(t, []string{"eve"}, requesters(t, c.asAda, owner))

			_, err = c.asEve.AccessRequests.Delete(ctx, owner, eve)
			require.NoError(t, err, "users may withdraw their own")
			_, err = c.asAda.AccessRequests.Delete(ctx, owner, eve)
			assert.ErrorIs(t, err, serviceapi.ErrNotFound)
			_, _, err = c.asEve.AccessRequests.Create(ctx, owner)
			require.NoError(t, err, "and ask again")
			_, _, err = c.asEve.AccessRequests.Approve(ctx, owner, eve, serviceapi.ApproveAccessRequestOptions{})
			assert.ErrorIs(t, err, serviceapi.ErrForbidden)
			member, resp, err := c.asAda.AccessRequests.Approve(ctx, owner, eve,
				serviceapi.ApproveAccessRequestOptions{})
			require.NoError(t, err)
			assert.Equal(t, 201, resp.StatusCode)
			assert.Equal(t, []any{serviceapi.AccessLevelDeveloper, "ada"},
				[]any{member.AccessLevel, member.CreatedBy.Username})
			assert.Empty(t, requesters(t, c.asAda, owner))
			_, _, err = c.asAda.AccessRequests.Approve(ctx, owner, eve, serviceapi.ApproveAccessRequestOptions{})
			assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		})
	}
}

func TestServiceAccessRequestsAreLimited(t *testing.T) {
	c := newCompany(t)
	c.svc.Group("acme", servicetest.Public())
	c.svc.Group("acme/platform", servicetest.Public())
	c.svc.Project("acme/platform/app", servicetest.Public())
	ctx, eve := t.Context(), serviceapi.UserID(c.eve.ID())
	_, _, err := c.asAda.Projects.Update(ctx, teamApp,
		serviceapi.UpdateProjectOptions{RequestAccessEnabled: new(false)})
	require.NoError(t, err)
	_, _, err = c.asEve.AccessRequests.Create(ctx, teamApp)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = c.asAda.Projects.Update(ctx, teamApp, serviceapi.UpdateProjectOptions{RequestAccessEnabled: new(true)})
	require.NoError(t, err)
	_, _, err = c.asEve.AccessRequests.Create(ctx, teamApp)
	require.NoError(t, err)
	owner := serviceapi.ApproveAccessRequestOptions{AccessLevel: new(serviceapi.AccessLevelOwner)}
	_, _, err = c.asBob.AccessRequests.Approve(ctx, teamApp, eve, owner)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "bob is a maintainer")
	_, _, err = c.asBob.Members.Add(ctx, teamApp, eve, serviceapi.AccessLevelGuest, serviceapi.AddMemberOptions{})
	require.NoError(t, err)
	assert.Empty(t, requesters(t, c.asBob, teamApp), "who was added no longer asks")
	_, err = c.asBob.Members.Remove(ctx, teamApp, eve, nil)
	require.NoError(t, err)
	assert.Empty(t, requesters(t, c.asBob, teamApp))

	_, _, err = c.asEve.AccessRequests.Create(ctx, platform)
	require.NoError(t, err)
	_, err = asRoot(t, c.svc).Users.Delete(ctx, eve, nil)
	require.NoError(t, err)
	assert.Empty(t, requesters(t, c.asAda, platform))
}

// TestHooksGetAccessRequests checks that hooks are told of requests, and of those that end
// without a membership.
func TestHooksGetAccessRequests(t *testing.T) {
	w := newWorld(t)
	w.svc.Group("acme", servicetest.Public())
	w.svc.Project("acme/app", servicetest.Public())
	eve := w.svc.User("eve")
	asEve, group, id := as(t, w.svc, eve), serviceapi.GroupPath("acme"), serviceapi.UserID(eve.ID())
	w.svc.Flush()
	w.group.said()
	w.instance.said()
	for _, owner := range []serviceapi.AccessRequestOwner{group, w.project} {
		_, _, err := asEve.AccessRequests.Create(w.ctx, owner)
		require.NoError(t, err)
		_, err = w.client.AccessRequests.Delete(w.ctx, owner, id)
		require.NoError(t, err)
		_, _, err = asEve.AccessRequests.Create(w.ctx, owner)
		require.NoError(t, err)
		_, _, err = w.client.AccessRequests.Approve(w.ctx, owner, id, serviceapi.ApproveAccessRequestOptions{})
		require.NoError(t, err)
		if owner == group {
			_, err = w.client.Members.Remove(w.ctx, group, id, nil)
			require.NoError(t, err)
		}
	}
	w.svc.Flush()
	assert.Equal(t, []string{
		"MemberEvent user_access_request_to_group", "MemberEvent user_access_request_denied_for_group",
		"MemberEvent user_access_request_to_group", "MemberEvent user_add_to_group",
		"MemberEvent user_remove_from_group",
	}, w.group.said())
	assert.Equal(t, []string{
		"MemberEvent user_access_request_to_group", "MemberEvent user_access_request_revoked_for_group",
		"MemberEvent user_access_request_to_group", "MemberEvent user_add_to_group",
		"MemberEvent user_remove_from_group",
		"ProjectMemberEvent", "ProjectMemberEvent", "ProjectMemberEvent", "ProjectMemberEvent",
	}, w.instance.said())
}
