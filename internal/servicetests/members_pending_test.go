package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServicePendingMembers lists and approves those whose membership is not in effect yet.
func TestServicePendingMembers(t *testing.T) {
	c := newCompany(t)
	ctx, s := t.Context(), c.asAda.Members
	c.platform.AddMember(c.eve, servicetest.Guest, servicetest.Awaiting())
	c.app.AddMember(c.eve, servicetest.Developer, servicetest.Awaiting())
	_, _, err := c.asAda.Invitations.Create(ctx, teamApp, serviceapi.CreateInvitationOptions{
		AccessLevel: serviceapi.AccessLevelGuest, Emails: []string{"grace@example.org"},
	})
	require.NoError(t, err)
	pending, err := serviceapi.Collect(s.AllPending(ctx, acme, nil))
	require.NoError(t, err)
	require.Len(t, pending, 3)
	assert.Equal(t, []any{"eve", "eve@example.com", false, false},
		[]any{pending[0].Username, pending[0].Email, pending[0].Approved, pending[0].Invited})
	assert.Equal(t, &serviceapi.PendingMember{
		ID: pending[2].ID, Email: "grace@example.org", AvatarURL: pending[2].AvatarURL, Approved: true, Invited: true,
	}, pending[2])

	_, err = s.Approve(ctx, acme, pending[0].ID)
	require.NoError(t, err)
	ofGroup, _ := c.platform.Membership(c.eve)
	ofProject, _ := c.app.Membership(c.eve)
	assert.Equal(t, []string{"active", "awaiting"}, []string{ofGroup.State, ofProject.State})
	_, err = s.Approve(ctx, acme, pending[0].ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	resp, err := s.ApproveAll(ctx, acme)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	left, _, err := s.ListPending(ctx, acme, nil)
	require.NoError(t, err)
	assert.Equal(t, pending[2:], left, "only the invitation")

	_, _, err = s.ListPending(ctx, platform, nil)
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "not a top-level group")
	_, _, err = c.asEve.Members.ListPending(ctx, acme, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	free := newCompany(t, servicetest.WithTier(servicetest.Free))
	_, _, err = free.asAda.Members.ListPending(ctx, acme, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceMembersOverride lets the level of a member of a directory differ for a while.
func TestServiceMembersOverride(t *testing.T) {
	c := newCompany(t)
	ctx, s := t.Context(), c.asAda.Members
	grace := c.svc.User("grace", servicetest.SignsInWith("ldapmain", "uid=grace"))
	c.acme.AddMember(grace, servicetest.Guest)
	c.acme.AddMember(c.eve, servicetest.Guest)
	id := serviceapi.UserID(grace.ID())
	member, _, err := s.Get(ctx, acme, id)
	require.NoError(t, err)
	assert.Equal(t, new(false), member.Override)
	member, resp, err := s.Override(ctx, acme, id)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, new(true), member.Override)
	member, _, err = s.Update(ctx, acme, id, serviceapi.AccessLevelMaintainer, serviceapi.UpdateMemberOptions{})
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.AccessLevelMaintainer, new(true)}, []any{member.AccessLevel, member.Override})
	member, _, err = s.EndOverride(ctx, acme, id)
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.AccessLevelGuest, new(false)}, []any{member.AccessLevel, member.Override})

	_, _, err = s.Override(ctx, acme, serviceapi.UserID(c.eve.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "eve is in no directory")
	_, _, err = s.Override(ctx, acme, serviceapi.UserID(c.bob.ID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceIndirectBillableMemberships(t *testing.T) {
	c := newCompany(t)
	grace := c.svc.User("grace")
	guild := c.svc.Group("guild", servicetest.Member(grace, servicetest.Owner))
	c.platform.ShareWith(guild, servicetest.Developer)
	c.app.ShareWith(guild, servicetest.Reporter)
	indirect := func(user *servicetest.User) ([]*serviceapi.BillableMembership, error) {
		return serviceapi.Collect(c.asAda.Members.AllIndirectBillableMemberships(t.Context(), acme,
			serviceapi.UserID(user.ID()), nil))
	}
	memberships, err := indirect(grace)
	require.NoError(t, err)
	require.Len(t, memberships, 1, "shared twice")
	assert.Equal(t, []any{guild.ID(), "Guild", serviceapi.AccessLevelOwner},
		[]any{memberships[0].SourceID, memberships[0].SourceFullName, memberships[0].AccessLevel.IntegerValue})
	memberships, err = indirect(c.bob)
	require.NoError(t, err)
	assert.Empty(t, memberships)
	_, err = indirect(c.eve)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
