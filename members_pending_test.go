package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMembersOverride(t *testing.T) {
	const path = "/groups/acme%2Fteam/members/4/override"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "members/member.json"},
		exchange{Method: "DELETE", Path: path, Fixture: "members/member.json"})
	s, ctx, team := client.Members, t.Context(), GroupPath("acme/team")
	member, resp, err := s.Override(ctx, team, UserID(4))
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, grace(t), member)
	member, _, err = s.EndOverride(ctx, team, UserID(4))
	require.NoError(t, err)
	assert.Equal(t, grace(t), member)

	assertRefused(t, "user", errorOf(s.Override(ctx, team, Username("grace"))))
	assertRefused(t, "user_id", errorOf(s.EndOverride(ctx, team, UserID(0))))
	assertRefused(t, "id", errorOf(s.Override(ctx, GroupRef{}, UserID(4))))
}

func TestMembersPending(t *testing.T) {
	const path = "/groups/7/pending_members"
	whole := fixture(t, "members/pending_members.json")
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "PUT", Path: "/groups/7/members/168/approve"},
		exchange{Method: "POST", Path: "/groups/7/members/approve_all", Status: 201})
	s, ctx, group := client.Members, t.Context(), GroupID(7)
	want := []*PendingMember{
		{
			ID: 168, Name: "Grace Hopper", Username: "grace", Email: "grace@example.com",
			AvatarURL: "https://service.test/avatars/4.png", WebURL: "https://service.test/grace",
			Approved: true, Invited: true,
		},
		{ID: 169, Email: "linus@example.com", AvatarURL: "https://service.test/avatars/none.png", Invited: true},
	}
	assertFilled(t, want[0])
	pending, _, err := s.ListPending(ctx, group, &ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, want, pending)
	pending, err = Collect(s.AllPending(ctx, group, nil))
	require.NoError(t, err)
	assert.Equal(t, want, pending)
	_, err = s.Approve(ctx, group, 168)
	require.NoError(t, err)
	resp, err := s.ApproveAll(ctx, group)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)

	_, err = s.Approve(ctx, group, 0)
	assertRefused(t, "member_id", err)
	_, err = s.ApproveAll(ctx, GroupRef{})
	assertRefused(t, "id", err)
	assertRefused(t, "Page", errorOf(s.ListPending(ctx, group, &ListOptions{Page: -1})))
}

func TestMembersIndirectBillableMemberships(t *testing.T) {
	const path = "/groups/7/billable_members/4/indirect"
	whole := fixture(t, "members/memberships.json")
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole},
		exchange{Method: "GET", Path: "/groups/7/billable_members/4/memberships", Query: "per_page=100", Body: whole})
	s, ctx, group := client.Members, t.Context(), GroupID(7)
	page, _, err := s.ListIndirectBillableMemberships(ctx, group, UserID(4), &ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	all, err := Collect(s.AllIndirectBillableMemberships(ctx, group, UserID(4), nil))
	require.NoError(t, err)
	direct, err := Collect(s.AllBillableMemberships(ctx, group, UserID(4), nil))
	require.NoError(t, err)
	require.NotEmpty(t, direct, "the objects are those of direct memberships")
	assert.Equal(t, direct, page)
	assert.Equal(t, direct, all)
	assertRefused(t, "user", errorOf(s.ListIndirectBillableMemberships(ctx, group, Username("grace"), nil)))
}
