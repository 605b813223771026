package wiretests

import (
	"context"
	"testing"
	"time"

	"example.com/serviceapi"
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
	want := &serviceapi.UserStatus{
		Emoji: "coffee", Message: "Back <soon>", Availability: serviceapi.UserAvailabilityBusy,
		MessageHTML:   "Back &lt;soon&gt;",
		ClearStatusAt: at(t, "2026-01-05T08:30:00Z"),
	}
	assertFilled(t, want)
	for _, owner := range []serviceapi.UserStatusOwner{serviceapi.Own, serviceapi.Username("ada")} {
		status, _, err := s.GetStatus(ctx, owner)
		require.NoError(t, err)
		assert.Equal(t, want, status)
	}
	status, _, err := s.GetStatus(ctx, serviceapi.UserID(5))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserStatus{}, status)
	status, _, err = s.SetStatus(ctx, serviceapi.SetUserStatusOptions{
		Emoji: new("coffee"), Message: new("Back <soon>"), Availability: new(serviceapi.UserAvailabilityBusy),
		ClearStatusAfter: new(serviceapi.ClearStatusAfter30Minutes),
	})
	require.NoError(t, err)
	assert.Equal(t, want, status)
	status, _, err = s.SetStatus(ctx, serviceapi.SetUserStatusOptions{})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserStatus{Availability: serviceapi.UserAvailabilityNotSet}, status)

	assertRefused(t, "owner", errorOf(s.GetStatus(ctx, nil)))
	assertRefused(t, "owner", errorOf(s.GetStatus(ctx, new(serviceapi.Own))))
	assertRefused(t, "id_or_username", errorOf(s.GetStatus(ctx, serviceapi.UserRef{})))
}

func TestUsersActivities(t *testing.T) {
	const path = "/user/activities"
	body := "[" + fixture(t, "users/activity.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "from=2026-01-01&page=2&per_page=5", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body})
	day := serviceapi.NewDate(2026, time.January, 5)
	want := []*serviceapi.UserActivity{{Username: "ada", LastActivityOn: day, LastActivityAt: day}}
	activities, _, err := client.Users.ListActivities(t.Context(), &serviceapi.ListUserActivitiesOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, From: serviceapi.NewDate(2026, time.January, 1),
	})
	require.NoError(t, err)
	assert.Equal(t, want, activities)
	activities, err = serviceapi.Collect(client.Users.AllActivities(t.Context(), nil))
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
	want := []*serviceapi.UserMembership{
		{
			SourceID:    3,
			SourceName:  "Shop",
			SourceType:  serviceapi.UserMembershipTypeProject,
			AccessLevel: serviceapi.AccessLevelDeveloper,
		},
		{SourceID: 7, SourceType: serviceapi.UserMembershipTypeNamespace, AccessLevel: serviceapi.AccessLevelOwner},
	}
	assertFilled(t, want[0])
	memberships, _, err := client.Users.ListMemberships(
		t.Context(),
		serviceapi.UserID(5),
		&serviceapi.ListUserMembershipsOptions{
			ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, Type: serviceapi.UserMembershipTypeProject,
		},
	)
	require.NoError(t, err)
	assert.Equal(t, want, memberships)
	memberships, err = serviceapi.Collect(client.Users.AllMemberships(t.Context(), serviceapi.UserID(5), nil))
	require.NoError(t, err)
	assert.Equal(t, want, memberships)
	assertRefused(t, "user", errorOf(client.Users.ListMemberships(t.Context(), serviceapi.Username("ada"), nil)))
	_, err = serviceapi.Collect(client.Users.AllMemberships(t.Context(), serviceapi.UserID(0), nil))
	assertRefused(t, "id", err)
}

func TestUsersCountAssociations(t *testing.T) {
	client := onWire(t, exchange{
		Method: "GET", Path: "/users/5/associations_count", Fixture: "users/associations_count.json",
	})
	count, _, err := client.Users.CountAssociations(t.Context(), serviceapi.UserID(5))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserAssociationsCount{
		GroupsCount: 1, ProjectsCount: 2, IssuesCount: 3, MergeRequestsCount: 4,
	}, count)
	assertRefused(t, "user", errorOf(client.Users.CountAssociations(t.Context(), serviceapi.Username("ada"))))
}

// TestUsersModeration checks the calls of which only the status counts. Releases differ in
// it, and in the body.
func TestUsersModeration(t *testing.T) {
	for name, act := range map[string]func(*serviceapi.UsersService, context.Context, serviceapi.UserRef,
		...serviceapi.RequestOption) (*serviceapi.Response,
		error){
		"approve": (*serviceapi.UsersService).Approve, "reject": (*serviceapi.UsersService).Reject,
		"ban":   (*serviceapi.UsersService).Ban,
		"unban": (*serviceapi.UsersService).Unban, "disable_two_factor": (*serviceapi.UsersService).DisableTwoFactor,
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
			resp, err := act(users, t.Context(), serviceapi.UserID(5))
			assert.Equal(t, x.Status, resp.StatusCode, name)
			assert.Equal(t, x.Status < 300, err == nil, "%s: %v", name, err)
		}
		assertRefused(t, "user", second(act(users, t.Context(), serviceapi.Username("ada"))))
		assertRefused(t, "id", second(act(users, t.Context(), serviceapi.UserID(0))))
	}
}
