package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// billable returns the usernames of the billable members of acme, in order.
func (c *company) billable(t *testing.T, options *serviceapi.ListBillableMembersOptions) []string {
	t.Helper()
	members, err := serviceapi.Collect(c.asAda.Members.AllBillable(t.Context(), acme, options))
	require.NoError(t, err)
	var names []string
	for _, m := range members {
		names = append(names, m.Username)
	}
	return names
}

func TestServiceBillableMembers(t *testing.T) {
	c := newCompany(t)
	guild := c.svc.Group("guild", servicetest.Member(c.svc.User("grace"), servicetest.Owner))
	c.platform.ShareWith(guild, servicetest.Developer)
	c.app.AddMember(c.svc.User("robot", servicetest.Bot()), servicetest.Maintainer)
	c.app.AddMember(c.eve, servicetest.Guest, servicetest.Awaiting())

	members, _, err := c.asAda.Members.ListBillable(t.Context(), acme, nil)
	require.NoError(t, err)
	require.Len(t, members, 3)
	ada, bob, grace := members[0], members[1], members[2]
	assert.Equal(t, "ada", ada.Username)
	assert.Equal(t, "bob@example.com", bob.Email)
	assert.True(t, bob.Removable)
	assert.Equal(t, serviceapi.MembershipTypeGroupMember, bob.MembershipType)
	assert.Equal(t, serviceapi.MembershipTypeGroupInvite, grace.MembershipType)
	assert.False(t, grace.Removable)
	assert.Nil(t, grace.LastActivityOn)

	assert.Equal(t, []string{"ada", "bob", "eve", "grace"},
		c.billable(t, &serviceapi.ListBillableMembersOptions{IncludeAwaitingMembers: true}))
	assert.Equal(t, []string{"bob"}, c.billable(t, &serviceapi.ListBillableMembersOptions{Search: "BO"}))
}

func TestServiceBillableMembersAreCountedAtNoon(t *testing.T) {
	c := newCompany(t)
	assert.Equal(t, []string{"ada", "bob"}, c.billable(t, nil))
	c.app.AddMember(c.eve, servicetest.Guest)
	assert.Equal(t, []string{"ada", "bob"}, c.billable(t, nil), "at nine o'clock")
	c.svc.Advance(3*time.Hour - time.Second)
	assert.Equal(t, []string{"ada", "bob"}, c.billable(t, nil), "just before noon")
	c.svc.Advance(time.Second)
	assert.Equal(t, []string{"ada", "bob", "eve"}, c.billable(t, nil), "at noon")
}

func TestServiceBillableMembersInOrder(t *testing.T) {
	c := newCompany(t)
	morning := servicetest.Epoch
	zoe := c.svc.User("zoe", servicetest.SignedIn(morning.Add(-time.Hour), "10.0.0.1"))
	may := c.svc.User("may", servicetest.SignedIn(morning.Add(-48*time.Hour), "10.0.0.2"))
	c.app.AddMember(zoe, servicetest.Guest, servicetest.MemberSince(morning.Add(-72*time.Hour)))
	c.app.AddMember(may, servicetest.Reporter, servicetest.MemberSince(morning.Add(-24*time.Hour)))
	for order, want := range map[serviceapi.BillableMemberSort][]string{
		"":                                       {"ada", "bob", "zoe", "may"},
		serviceapi.BillableMemberSortAccessLevel: {"zoe", "may", "bob", "ada"},
		serviceapi.BillableMemberSortAccessLevelDesc:    {"ada", "bob", "may", "zoe"},
		serviceapi.BillableMemberSortLastJoined:         {"ada", "bob", "may", "zoe"},
		serviceapi.BillableMemberSortOldestJoined:       {"zoe", "may", "ada", "bob"},
		serviceapi.BillableMemberSortName:               {"ada", "bob", "may", "zoe"},
		serviceapi.BillableMemberSortNameDesc:           {"zoe", "may", "bob", "ada"},
		serviceapi.BillableMemberSortOldestSignIn:       {"ada", "bob", "may", "zoe"},
		serviceapi.BillableMemberSortRecentSignIn:       {"zoe", "may", "ada", "bob"},
		serviceapi.BillableMemberSortLastActivityOn:     {"ada", "bob", "may", "zoe"},
		serviceapi.BillableMemberSortLastActivityOnDesc: {"zoe", "may", "ada", "bob"},
	} {
		assert.Equal(t, want, c.billable(t, &serviceapi.ListBillableMembersOptions{Sort: order}), order)
	}
	_, _, err := c.asAda.Members.ListBillable(t.Context(), acme,
		&serviceapi.ListBillableMembersOptions{Sort: "shoe_size"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceBillableMemberships(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	c.platform.AddMember(c.bob, servicetest.Developer, servicetest.MemberUntil(servicetest.Epoch.AddDate(0, 1, 0)))
	all := func(user *servicetest.User) ([]*serviceapi.BillableMembership, error) {
		return serviceapi.Collect(c.asAda.Members.AllBillableMemberships(ctx, acme, serviceapi.UserID(user.ID()), nil))
	}
	memberships, err := all(c.bob)
	require.NoError(t, err)
	require.Len(t, memberships, 2)
	group, project := memberships[0], memberships[1]
	assert.Equal(t, &serviceapi.MembershipAccessLevel{StringValue: "Developer",
		IntegerValue: serviceapi.AccessLevelDeveloper}, group.AccessLevel)
	assert.Equal(t, "2026-02-15", group.ExpiresAt.String())
	assert.Equal(t, "Acme / Platform / App", project.SourceFullName)
	assert.Equal(t, c.app.ID(), project.SourceID)
	assert.Nil(t, project.ExpiresAt)
	_, err = all(c.eve)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceRemoveBillableMember(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	c.platform.AddMember(c.bob, servicetest.Developer)
	remove := func(client *serviceapi.Client, group serviceapi.GroupRef, user *servicetest.User) error {
		_, err := client.Members.RemoveBillable(ctx, group, serviceapi.UserID(user.ID()))
		return err
	}
	assert.ErrorIs(t, remove(c.asBob, acme, c.ada), serviceapi.ErrForbidden)
	assert.ErrorIs(t, remove(c.asAda, platform, c.bob), serviceapi.ErrBadRequest, "not a top-level group")
	assert.ErrorIs(t, remove(c.asAda, acme, c.eve), serviceapi.ErrNotFound)
	require.NoError(t, remove(c.asAda, acme, c.bob))
	_, inGroup := c.platform.Membership(c.bob)
	_, inProject := c.app.Membership(c.bob)
	assert.False(t, inGroup || inProject)
	assert.Equal(t, []string{"ada"}, c.billable(t, nil))
}
