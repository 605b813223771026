package serviceapi

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUsersStatus(t *testing.T) {
	const whole = "users/status.json"
	client := onWire(t,
		exchange{Method: "GET", Path: "/user/status", Fixture: whole},
		exchange{Method: "GET", Path: "/users/ada/status", Fixture: whole},
		exchange{Method: "GET", Path: "/users/5/status", Body: `{}`},
		exchange{Method: "PUT", Path: "/user/status", Fixture: whole,
			JSON: `{"emoji":"coffee","message":"Back <soon>","availability":"busy","clear_status_after":"30_minutes"}`},
		exchange{Method: "PUT", Path: "/user/status", JSON: `{}`,
			Body: `{"emoji":null,"message":null,"availability":"not_set","message_html":"","clear_status_at":null}`})
	s, ctx := client.Users, t.Context()
	want := &UserStatus{
		Emoji: "coffee", Message: "Back <soon>", Availability: UserAvailabilityBusy, MessageHTML: "Back &lt;soon&gt;",
		ClearStatusAt: at(t, "2026-01-05T08:30:00Z"),
	}
	assertFilled(t, want)
	for _, owner := range []UserStatusOwner{Own, Username("ada")} {
		status, _, err := s.GetStatus(ctx, owner)
		require.NoError(t, err)
		assert.Equal(t, want, status)
	}
	status, _, err := s.GetStatus(ctx, UserID(5))
	require.NoError(t, err)
	assert.Equal(t, &UserStatus{}, status)
	status, _, err = s.SetStatus(ctx, SetUserStatusOptions{
		Emoji: new("coffee"), Message: new("Back <soon>"), Availability: new(UserAvailabilityBusy),
		ClearStatusAfter: new(ClearStatusAfter30Minutes),
	})
	require.NoError(t, err)
	assert.Equal(t, want, status)
	status, _, err = s.SetStatus(ctx, SetUserStatusOptions{})
	require.NoError(t, err)
	assert.Equal(t, &UserStatus{Availability: UserAvailabilityNotSet}, status)

	assertRefused(t, "owner", errorOf(s.GetStatus(ctx, nil)))
	assertRefused(t, "owner", errorOf(s.GetStatus(ctx, new(Own))))
	assertRefused(t, "id_or_username", errorOf(s.GetStatus(ctx, UserRef{})))
}

func TestUsersActivities(t *testing.T) {
	const path = "/user/activities"
	body := "[" + fixture(t, "users/activity.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "from=2026-01-01&page=2&per_page=5", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	day := NewDate(2026, time.January, 5)
	want := []*UserActivity{{Username: "ada", LastActivityOn: day, LastActivityAt: day}}
	activities, _, err := client.Users.ListActivities(t.Context(), &ListUserActivitiesOptions{
		ListOptions: ListOptions{Page: 2, PerPage: 5}, From: NewDate(2026, time.January, 1),
	})
	require.NoError(t, err)
	assert.Equal(t, want, activities)
	activities, err = Collect(client.Users.AllActivities(t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, want, activities)
}

func TestUsersMemberships(t *testing.T) {
	const path = "/users/5/memberships"
	body := "[" + fixture(t, "users/membership.json") +
		`,{"source_id":7,"source_type":"Namespace","access_level":"50"}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&per_page=5&type=Project", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	want := []*UserMembership{
		{SourceID: 3, SourceName: "Shop", SourceType: UserMembershipTypeProject, AccessLevel: AccessLevelDeveloper},
		{SourceID: 7, SourceType: UserMembershipTypeNamespace, AccessLevel: AccessLevelOwner},
	}
	assertFilled(t, want[0])
	memberships, _, err := client.Users.ListMemberships(t.Context(), UserID(5), &ListUserMembershipsOptions{
		ListOptions: ListOptions{Page: 2, PerPage: 5}, Type: UserMembershipTypeProject,
	})
	require.NoError(t, err)
	assert.Equal(t, want, memberships)
	memberships, err = Collect(client.Users.AllMemberships(t.Context(), UserID(5), nil))
	require.NoError(t, err)
	assert.Equal(t, want, memberships)
	assertRefused(t, "user", errorOf(client.Users.ListMemberships(t.Context(), Username("ada"), nil)))
	_, err = Collect(client.Users.AllMemberships(t.Context(), UserID(0), nil))
	assertRefused(t, "id", err)
}

func TestUsersCountAssociations(t *testing.T) {
	client := onWire(t, exchange{
		Method: "GET", Path: "/users/5/associations_count", Fixture: "users/associations_count.json",
	})
	count, _, err := client.Users.CountAssociations(t.Context(), UserID(5))
	require.NoError(t, err)
	assert.Equal(t, &UserAssociationsCount{
		GroupsCount: 1, ProjectsCount: 2, IssuesCount: 3, MergeRequestsCount: 4,
	}, count)
	assertRefused(t, "user", errorOf(client.Users.CountAssociations(t.Context(), Username("ada"))))
}

// TestUsersModeration checks the calls of which only the status counts. Releases differ in
// it, and in the body.
func TestUsersModeration(t *testing.T) {
	for name, act := range map[string]func(*UsersService, context.Context, UserRef, ...RequestOption) (*Response,
		error){
		"approve": (*UsersService).Approve, "reject": (*UsersService).Reject, "ban": (*UsersService).Ban,
		"unban": (*UsersService).Unban, "disable_two_factor": (*UsersService).DisableTwoFactor,
	} {
		x := exchange{Method: "POST", Path: "/users/5/" + name}
		if name == "disable_two_factor" {
			x.Method = "PATCH"
		}
		var exchanges []exchange
		for status, body := range map[int]string{
			200: `{"message":"Success"}`, 201: `{"id":5,"username":"ada"}`, 204: "",
			403: `{"message":"403 Forbidden"}`, 409: `{"message":"The user is not pending"}`,
		} {
			x.Status, x.Body = status, body
			exchanges = append(exchanges, x)
		}
		users := onWire(t, exchanges...).Users
		for _, x := range exchanges {
			resp, err := act(users, t.Context(), UserID(5))
			assert.Equal(t, x.Status, resp.StatusCode, name)
			assert.Equal(t, x.Status < 300, err == nil, "%s: %v", name, err)
		}
		assertRefused(t, "user", second(act(users, t.Context(), Username("ada"))))
		assertRefused(t, "id", second(act(users, t.Context(), UserID(0))))
	}
}
