package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// invited returns the addresses that are invited to an owner, with their levels.
func invited(
	t *testing.T, c *serviceapi.Client, owner serviceapi.InvitationOwner, options *serviceapi.ListInvitationsOptions,
) map[string]serviceapi.AccessLevel {
	t.Helper()
	found := map[string]serviceapi.AccessLevel{}
	for invitation, err := range c.Invitations.All(t.Context(), owner, options) {
		require.NoError(t, err)
		found[invitation.InviteEmail] = invitation.AccessLevel
	}
	return found
}

// TestServiceInvitations invites people to a project and a group, and lets one of them
// accept.
func TestServiceInvitations(t *testing.T) {
	for name, owner := range map[string]serviceapi.InvitationOwner{"project": teamApp, "group": platform} {
		t.Run(name, func(t *testing.T) {
			c := newCompany(t)
			ctx, s := t.Context(), c.asAda.Invitations
			result, _, err := s.Create(ctx, owner, serviceapi.CreateInvitationOptions{
				AccessLevel: serviceapi.AccessLevelDeveloper, Emails: []string{"grace@example.org", "eve@example.com"},
				ExpiresAt: new(serviceapi.NewDate(2026, time.March, 1)),
			})
			require.NoError(t, err)
			assert.Equal(t, []string{"grace@example.org", "eve@example.com"}, result.Accepted)
			developer := map[string]serviceapi.AccessLevel{"grace@example.org": serviceapi.AccessLevelDeveloper}
			assert.Equal(t, developer, invited(t, c.asAda, owner, nil), "eve has an account")
			members := owner.(serviceapi.MemberOwner)
			joined, _, err := c.asAda.Members.Get(ctx, members, serviceapi.UserID(c.eve.ID()))
			require.NoError(t, err)
			assert.Equal(t, serviceapi.AccessLevelDeveloper, joined.AccessLevel)

			changed, _, err := s.Update(ctx, owner, "Grace@example.org", serviceapi.UpdateInvitationOptions{
				AccessLevel: new(serviceapi.AccessLevelReporter),
			})
			require.NoError(t, err)
			assert.Equal(t, serviceapi.AccessLevelReporter, changed.AccessLevel)
			assert.Equal(t, "2026-03-01", changed.ExpiresAt.Format(time.DateOnly))
			assert.Equal(t, "Ada", changed.CreatedByName)
			assert.Empty(t, changed.UserName)
			assert.Equal(t, "[redacted]", changed.InviteToken.String())

			grace := c.svc.User("grace", servicetest.Email("grace@example.org"))
			list, _, err := s.List(ctx, owner, &serviceapi.ListInvitationsOptions{Query: "grace@example.org"})
			require.NoError(t, err)
			require.Len(t, list, 1)
			assert.Equal(t, "Grace", list[0].UserName)
			c.svc.AcceptInvitation(list[0].InviteToken.Reveal(), grace)
			joined, _, err = c.asAda.Members.Get(ctx, members, serviceapi.UserID(grace.ID()))
			require.NoError(t, err)
			assert.Equal(t, serviceapi.AccessLevelReporter, joined.AccessLevel)
			assert.Equal(t, "2026-03-01", joined.ExpiresAt.Format(time.DateOnly))
			assert.Empty(t, invited(t, c.asAda, owner, nil))
			_, err = s.Delete(ctx, owner, "grace@example.org")
			assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		})
	}
}

// TestServiceInvitationsRefused checks that an invitation of several is told apart by
// address, although the service answers 201.
func TestServiceInvitationsRefused(t *testing.T) {
	c := newCompany(t)
	ctx, s := t.Context(), c.asBob.Invitations
	first := serviceapi.CreateInvitationOptions{
		AccessLevel: serviceapi.AccessLevelGuest, Emails: []string{"new@example.org"},
	}
	_, _, err := s.Create(ctx, teamApp, first)
	require.NoError(t, err)
	result, _, err := s.Create(ctx, teamApp, serviceapi.CreateInvitationOptions{
		AccessLevel: serviceapi.AccessLevelGuest, UserIDs: []int64{c.bob.ID(), c.eve.ID(), 99},
		Emails: []string{"new@example.org", "newer@example.org", "nobody", "ada@example.com"},
	})
	var refused *serviceapi.InvitationError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, map[string]string{
		"new@example.org": "Invite email has already been taken", "nobody": "Invite email is invalid",
		"bob": "User already exists in source", "99": "User not found",
		"ada@example.com": "Access level should be greater than or equal to Owner inherited membership from group Acme",
	}, refused.Refused)
	assert.Equal(t, []string{"newer@example.org"}, result.Accepted)
	want := map[string]serviceapi.AccessLevel{"new@example.org": 10, "newer@example.org": 10}
	assert.Equal(t, want, invited(t, c.asBob, teamApp, nil), "those who were accepted are invited")
	_, isMember := c.app.Membership(c.eve)
	assert.True(t, isMember)

	_, _, err = s.Create(ctx, teamApp, serviceapi.CreateInvitationOptions{
		AccessLevel: serviceapi.AccessLevelOwner, Emails: []string{"boss@example.org"},
	})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "above the caller")
	_, _, err = s.Create(ctx, platform, first)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "bob is no member of the group")
	_, _, err = c.asEve.Invitations.List(ctx, teamApp, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = s.Delete(ctx, teamApp, "new@example.org")
	require.NoError(t, err)
	assert.Len(t, invited(t, c.asBob, teamApp, nil), 1)
}

func TestServiceInvitationsExpire(t *testing.T) {
	c := newCompany(t)
	_, _, err := c.asAda.Invitations.Create(t.Context(), acme, serviceapi.CreateInvitationOptions{
		AccessLevel: serviceapi.AccessLevelGuest, Emails: []string{"new@example.org"},
		ExpiresAt: new(serviceapi.DateOf(c.svc.Now().AddDate(0, 0, 1))),
	})
	require.NoError(t, err)
	assert.Len(t, invited(t, c.asAda, acme, nil), 1)
	assert.Empty(t, invited(t, c.asAda, platform, nil), "never inherited")
	c.svc.Advance(24 * time.Hour)
	assert.Empty(t, invited(t, c.asAda, acme, nil))
}
