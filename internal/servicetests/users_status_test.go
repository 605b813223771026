package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceUsersStatus(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	own, ctx := as(t, svc, ada).Users, t.Context()
	nobody, err := serviceapi.NewClient(svc.URL(), serviceapi.Anonymous())
	require.NoError(t, err)
	empty := &serviceapi.UserStatus{Availability: serviceapi.UserAvailabilityNotSet}
	got, _, err := own.GetStatus(ctx, serviceapi.Own)
	require.NoError(t, err)
	assert.Equal(t, empty, got)

	set, _, err := own.SetStatus(ctx, serviceapi.SetUserStatusOptions{
		Emoji: new("coffee"), Message: new("Back & ready"), Availability: new(serviceapi.UserAvailabilityBusy),
		ClearStatusAfter: new(serviceapi.ClearStatusAfter3Hours),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserStatus{
		Emoji: "coffee", Message: "Back & ready", Availability: serviceapi.UserAvailabilityBusy,
		MessageHTML: "Back &amp; ready", ClearStatusAt: new(svc.Now().Add(3 * time.Hour)),
	}, set)
	for _, user := range []serviceapi.UserRef{serviceapi.Username("ada"), serviceapi.UserID(ada.ID())} {
		got, _, err = nobody.Users.GetStatus(ctx, user)
		require.NoError(t, err)
		assert.Equal(t, set, got)
	}
	svc.Advance(3 * time.Hour)
	got, _, err = nobody.Users.GetStatus(ctx, serviceapi.Username("ada"))
	require.NoError(t, err)
	assert.Equal(t, empty, got, "the service has cleared it")
	_, _, err = own.SetStatus(ctx, serviceapi.SetUserStatusOptions{Message: new("Here")})
	require.NoError(t, err)
	svc.Advance(1000 * time.Hour)
	got, _, err = own.SetStatus(ctx, serviceapi.SetUserStatusOptions{Emoji: new("tada")})
	require.NoError(t, err)
	assert.Equal(t, []any{"tada", "", (*time.Time)(nil)}, []any{got.Emoji, got.Message, got.ClearStatusAt})
	_, _, err = own.SetStatus(ctx, serviceapi.SetUserStatusOptions{Emoji: new("no emoji")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceUsersActivities(t *testing.T) {
	svc := servicetest.New(t)
	now := svc.Now()
	svc.User("late", servicetest.SignedIn(now, "10.0.0.1"))
	svc.User("early", servicetest.SignedIn(now.AddDate(0, -2, 0), "10.0.0.1"))
	svc.User("gone", servicetest.SignedIn(now.AddDate(0, -7, 0), "10.0.0.1"))
	users, ctx := asRoot(t, svc).Users, t.Context()
	names := func(options *serviceapi.ListUserActivitiesOptions) []string {
		list, err := serviceapi.Collect(users.AllActivities(ctx, options))
		require.NoError(t, err)
		found := []string{}
		for _, activity := range list {
			assert.Equal(t, activity.LastActivityOn, activity.LastActivityAt)
			found = append(found, activity.Username+" "+activity.LastActivityOn.String())
		}
		return found
	}
	assert.Equal(t, []string{"early 2025-11-15", "late 2026-01-15"}, names(nil))
	from := serviceapi.DateOf(now.AddDate(-1, 0, 0))
	assert.Len(t, names(&serviceapi.ListUserActivitiesOptions{From: from}), 3)
	list, _, err := users.ListActivities(ctx, &serviceapi.ListUserActivitiesOptions{From: serviceapi.DateOf(now)})
	require.NoError(t, err)
	assert.Len(t, list, 1)
	_, _, err = as(t, svc, svc.User("ada")).Users.ListActivities(ctx, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceUsersMemberships(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	svc.Project("acme/app")
	shop := svc.Project("shop/web", servicetest.Member(ada, servicetest.Developer))
	svc.Project("ada/notes")
	shop.Issue("Hers", servicetest.By(ada))
	shop.Issue("Not hers")
	users, ctx, user := asRoot(t, svc).Users, t.Context(), serviceapi.UserID(ada.ID())
	all, err := serviceapi.Collect(users.AllMemberships(ctx, user, nil))
	require.NoError(t, err)
	found := map[string]serviceapi.AccessLevel{}
	for _, m := range all {
		found[string(m.SourceType)+" "+m.SourceName] = m.AccessLevel
	}
	assert.Equal(t, map[string]serviceapi.AccessLevel{
		"Namespace Acme": serviceapi.AccessLevelOwner, "Project Web": serviceapi.AccessLevelDeveloper,
		"Project Notes": serviceapi.AccessLevelOwner,
	}, found, "only what she is a direct member of")
	groups, _, err := users.ListMemberships(ctx, user, &serviceapi.ListUserMembershipsOptions{
		Type: serviceapi.UserMembershipTypeNamespace,
	})
	require.NoError(t, err)
	assert.Len(t, groups, 1)
	own := as(t, svc, ada).Users
	_, _, err = own.ListMemberships(ctx, user, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	count, _, err := own.CountAssociations(ctx, user)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserAssociationsCount{GroupsCount: 1, ProjectsCount: 2, IssuesCount: 1}, count)
	_, _, err = own.CountAssociations(ctx, serviceapi.UserID(svc.Root().ID()))
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceModeratesUsers checks who can be approved, rejected and banned, and what
// follows from it.
func TestServiceModeratesUsers(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada", servicetest.PendingApproval()), svc.User("bob", servicetest.PendingApproval())
	root, client, ctx := asRoot(t, svc).Users, as(t, svc, ada), t.Context()
	mayCall := func() bool {
		_, _, err := client.Users.Current(ctx)
		return err == nil
	}
	user := serviceapi.UserID(ada.ID())
	assert.False(t, mayCall())
	_, err := root.Ban(ctx, user)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "she is not active")
	_, err = root.Approve(ctx, user)
	require.NoError(t, err)
	assert.Equal(t, "active", ada.State())
	assert.True(t, mayCall())
	_, err = root.Approve(ctx, user)
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, err = root.Reject(ctx, user)
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	_, err = root.Reject(ctx, serviceapi.UserID(bob.ID()))
	require.NoError(t, err)
	assert.False(t, bob.Exists())

	_, err = client.Users.Ban(ctx, serviceapi.UserID(svc.Root().ID()))
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "administrators only")
	_, err = root.Unban(ctx, user)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "she is not banned")
	_, err = root.Ban(ctx, user)
	require.NoError(t, err)
	assert.Equal(t, "banned", ada.State())
	assert.False(t, mayCall())
	_, err = root.Approve(ctx, user)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = root.Unban(ctx, user)
	require.NoError(t, err)
	assert.True(t, mayCall())

	_, err = root.DisableTwoFactor(ctx, user)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "she has none")
	svc.User("ada", servicetest.TwoFactor())
	_, err = root.DisableTwoFactor(ctx, user)
	require.NoError(t, err)
	got, _, err := root.Get(ctx, user, nil)
	require.NoError(t, err)
	assert.False(t, *got.TwoFactorEnabled)
	_, err = root.DisableTwoFactor(ctx, serviceapi.UserID(svc.Root().ID()))
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}
