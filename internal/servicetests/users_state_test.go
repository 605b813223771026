package servicetests

import (
	"context"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceUsersState(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	root, ctx := asRoot(t, svc).Users, t.Context()
	client := as(t, svc, ada)
	for _, step := range []struct {
		name  string
		act   func(context.Context, serviceapi.UserRef, ...serviceapi.RequestOption) (*serviceapi.Response, error)
		state string
	}{
		{"block", root.Block, "blocked"}, {"again", root.Block, "blocked"}, {"unblock", root.Unblock, "active"},
		{"again", root.Unblock, "active"}, {"activate", root.Activate, "active"},
	} {
		resp, err := step.act(ctx, serviceapi.UserID(ada.ID()))
		require.NoError(t, err, step.name)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, step.state, ada.State(), step.name)
		_, _, err = client.Users.Current(ctx)
		assert.Equal(t, step.state == "active", err == nil, "%s: %v", step.name, err)
	}
	_, err := root.Deactivate(ctx, serviceapi.UserID(ada.ID()))
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "she has an account for less than 90 days")
	svc.Advance(100 * 24 * time.Hour)
	for range 2 {
		_, err = root.Deactivate(ctx, serviceapi.UserID(ada.ID()))
		require.NoError(t, err)
	}
	assert.Equal(t, "deactivated", ada.State())
	_, err = root.Unblock(ctx, serviceapi.UserID(ada.ID()))
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = root.Activate(ctx, serviceapi.UserID(ada.ID()))
	require.NoError(t, err)
	assert.Equal(t, "active", ada.State())
}

func TestServiceUsersStateRefused(t *testing.T) {
	svc := servicetest.New(t)
	synced, blocked := svc.User("synced", servicetest.LDAPBlocked()), svc.User("blocked", servicetest.Blocked())
	bot := svc.User("bot", servicetest.ServiceBot())
	root, ctx := asRoot(t, svc).Users, t.Context()
	status := func(_ *serviceapi.Response, err error) error { return err }
	for name, err := range map[string]error{
		"block synced":       status(root.Block(ctx, serviceapi.UserID(synced.ID()))),
		"unblock synced":     status(root.Unblock(ctx, serviceapi.UserID(synced.ID()))),
		"activate synced":    status(root.Activate(ctx, serviceapi.UserID(synced.ID()))),
		"block a bot":        status(root.Block(ctx, serviceapi.UserID(bot.ID()))),
		"deactivate a bot":   status(root.Deactivate(ctx, serviceapi.UserID(bot.ID()))),
		"block oneself":      status(root.Block(ctx, serviceapi.UserID(svc.Root().ID()))),
		"deactivate blocked": status(root.Deactivate(ctx, serviceapi.UserID(blocked.ID()))),
		"activate blocked":   status(root.Activate(ctx, serviceapi.UserID(blocked.ID()))),
		"not for others":     status(as(t, svc, svc.User("ada")).Users.Block(ctx, serviceapi.UserID(blocked.ID()))),
	} {
		assert.ErrorIs(t, err, serviceapi.ErrForbidden, name)
	}
	_, err := root.Block(ctx, serviceapi.UserID(99))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceMembersRemove(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	c.acme.AddMember(c.eve, servicetest.Developer)
	c.app.AddMember(c.eve, servicetest.Maintainer)
	issue := c.app.Issue("Hers", servicetest.AssignedTo(c.eve, c.bob))
	mr := c.app.MergeRequest("feature", servicetest.AssignedTo(c.eve), servicetest.ReviewedBy(c.eve))
	in := func(has func(*servicetest.User) (servicetest.Membership, bool)) bool {
		_, ok := has(c.eve)
		return ok
	}
	_, err := c.asBob.Members.Remove(ctx, acme, serviceapi.UserID(c.eve.ID()), nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "that takes an owner")
	resp, err := c.asAda.Members.Remove(ctx, acme, serviceapi.UserID(c.eve.ID()),
		&serviceapi.RemoveMemberOptions{SkipSubresources: true})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	assert.False(t, in(c.acme.Membership))
	assert.True(t, in(c.app.Membership))
	assert.Equal(t, []*servicetest.User{c.eve, c.bob}, issue.Assignees())

	c.acme.AddMember(c.eve, servicetest.Developer)
	_, err = c.asAda.Members.Remove(ctx, acme, serviceapi.UserID(c.eve.ID()),
		&serviceapi.RemoveMemberOptions{UnassignIssuables: true})
	require.NoError(t, err)
	assert.False(t, in(c.app.Membership), "what is below goes along")
	assert.Equal(t, []*servicetest.User{c.bob}, issue.Assignees())
	assert.Empty(t, mr.Assignees())
	assert.Empty(t, mr.Reviewers())

	_, err = c.asAda.Members.Remove(ctx, acme, serviceapi.UserID(c.eve.ID()), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = c.asAda.Members.Remove(ctx, acme, serviceapi.UserID(c.ada.ID()), nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "the last owner")
	c.app.AddMember(c.eve, servicetest.Guest)
	_, err = c.asEve.Members.Remove(ctx, teamApp, serviceapi.UserID(c.bob.ID()), nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = c.asEve.Members.Remove(ctx, teamApp, serviceapi.UserID(c.eve.ID()), nil)
	require.NoError(t, err, "everybody may leave")
	c.app.AddMember(c.eve, servicetest.Owner)
	_, err = c.asBob.Members.Remove(ctx, teamApp, serviceapi.UserID(c.eve.ID()), nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "a maintainer removes no owner")
}
