package wiretests

import (
	"context"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUsersSetAvatar(t *testing.T) {
	client := onWire(t, exchange{Method: "PUT", Path: "/user/avatar",
		Multipart: []string{"avatar[me.png;application/octet-stream]=pixels"},
		Body:      `{"avatar_url":"https://service.test/me.png"}`})
	picture := serviceapi.Upload{Filename: "me.png", Content: strings.NewReader("pixels")}
	avatar, _, err := client.Users.SetAvatar(t.Context(), serviceapi.SetUserAvatarOptions{Avatar: picture})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Avatar{AvatarURL: "https://service.test/me.png"}, avatar)
	assert.Error(t, errorOf(client.Users.SetAvatar(t.Context(), serviceapi.SetUserAvatarOptions{})))
}

func TestUsersPreferences(t *testing.T) {
	const path, whole = "/user/preferences", "users/preferences.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "PUT", Path: path, Fixture: whole, JSON: `{"view_diffs_file_by_file":true,` +
			`"show_whitespace_in_diffs":false,"pass_user_identities_to_ci_jwt":true,"policy_advanced_editor":false}`},
		exchange{Method: "PUT", Path: path, JSON: `{"show_whitespace_in_diffs":false}`,
			Body: `{"id":3,"user_id":5,"view_diffs_file_by_file":false,"show_whitespace_in_diffs":false,` +
				`"pass_user_identities_to_ci_jwt":false}`})
	s, ctx := client.Users, t.Context()
	want := &serviceapi.UserPreferences{
		ID: 3, UserID: 5, ViewDiffsFileByFile: true, ShowWhitespaceInDiffs: true, PassUserIdentitiesToCIJWT: true,
		PolicyAdvancedEditor: new(true),
	}
	assertFilled(t, want)
	got, _, err := s.GetPreferences(ctx)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.UpdatePreferences(ctx, serviceapi.UpdateUserPreferencesOptions{
		ViewDiffsFileByFile: new(true), ShowWhitespaceInDiffs: new(false), PassUserIdentitiesToCIJWT: new(true),
		PolicyAdvancedEditor: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.UpdatePreferences(ctx, serviceapi.UpdateUserPreferencesOptions{ShowWhitespaceInDiffs: new(false)})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserPreferences{ID: 3, UserID: 5}, got)
}

func TestUsersUpdateStatus(t *testing.T) {
	const path = "/user/status"
	client := onWire(t,
		exchange{Method: "PATCH", Path: path, Fixture: "users/status.json",
			JSON: `{"emoji":"coffee","message":"Back <soon>","availability":"busy","clear_status_after":"30_minutes"}`},
		exchange{Method: "PATCH", Path: path, Body: `{}`, JSON: `{"message":""}`})
	s, ctx := client.Users, t.Context()
	status, _, err := s.UpdateStatus(ctx, serviceapi.UpdateUserStatusOptions{
		Emoji: new("coffee"), Message: new("Back <soon>"), Availability: new(serviceapi.UserAvailabilityBusy),
		ClearStatusAfter: new(serviceapi.ClearStatusAfter30Minutes),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserStatus{
		Emoji: "coffee", Message: "Back <soon>", Availability: serviceapi.UserAvailabilityBusy,
		MessageHTML: "Back &lt;soon&gt;", ClearStatusAt: at(t, "2026-01-05T08:30:00Z"),
	}, status)
	status, _, err = s.UpdateStatus(ctx, serviceapi.UpdateUserStatusOptions{Message: new("")})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserStatus{}, status)
	assertRefused(t, "Emoji, Message, Availability or ClearStatusAfter",
		errorOf(s.UpdateStatus(ctx, serviceapi.UpdateUserStatusOptions{})))
}

func TestUsersGetCounts(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/user_counts", Fixture: "users/counts.json"})
	counts, _, err := client.Users.GetCounts(t.Context())
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserCounts{
		MergeRequests: 4, AssignedIssues: 15, AssignedMergeRequests: 11, ReviewRequestedMergeRequests: 12, Todos: 1,
	}, counts)
}

func TestUsersFollow(t *testing.T) {
	for verb, act := range map[string]func(*serviceapi.UsersService, context.Context, serviceapi.UserRef,
		...serviceapi.RequestOption) (*serviceapi.FollowChange, *serviceapi.Response, error){
		"follow": (*serviceapi.UsersService).Follow, "unfollow": (*serviceapi.UsersService).Unfollow,
	} {
		path := "/users/23/" + verb
		s, ctx := onWire(t,
			exchange{Method: "POST", Path: path, Status: 201, Fixture: "projects/user.json"},
			exchange{Method: "POST", Path: path, Status: 304},
			exchange{Method: "POST", Path: path, Status: 400, Body: `{"message":"Too many."}`}).Users, t.Context()
		change, _, err := act(s, ctx, serviceapi.UserID(23))
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.FollowChange{User: adaAsUser()}, change)
		change, resp, err := act(s, ctx, serviceapi.UserID(23))
		require.NoError(t, err)
		assert.Equal(t, 304, resp.StatusCode)
		assert.Equal(t, &serviceapi.FollowChange{Unchanged: true}, change)
		change, _, err = act(s, ctx, serviceapi.UserID(23))
		require.ErrorIs(t, err, serviceapi.ErrBadRequest)
		assert.Nil(t, change)
		assertRefused(t, "user", errorOf(act(s, ctx, serviceapi.Username("ada"))))
	}
}

func TestUsersFollowers(t *testing.T) {
	body := func(path string) []exchange {
		whole := "[" + fixture(t, "projects/user.json") + "]"
		filtered := exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole}
		return []exchange{filtered, {Method: "GET", Path: path, Body: "[]"}, filtered}
	}
	s := onWire(t, append(body("/users/5/followers"), body("/users/5/following")...)...).Users
	type lists = ownedList[serviceapi.UserRef, *serviceapi.ListOptions, *serviceapi.UserSummary]
	for _, l := range []lists{{s.ListFollowers, s.AllFollowers}, {s.ListFollowing, s.AllFollowing}} {
		l.wants(t, serviceapi.UserID(5), &serviceapi.ListOptions{Page: 2, PerPage: 5},
			[]*serviceapi.UserSummary{adaAsUser()})
		assertRefused(t, "user", errorOf(l.list(t.Context(), serviceapi.Username("ada"), nil)))
		_, err := serviceapi.Collect(l.all(t.Context(), serviceapi.Username("ada"), nil))
		assertRefused(t, "user", err)
	}
}

func TestUsersSupportPIN(t *testing.T) {
	const own, whole = "/user/support_pin", "users/support_pin.json"
	client := onWire(t,
		exchange{Method: "GET", Path: own, Fixture: whole},
		exchange{Method: "GET", Path: "/users/5/support_pin", Fixture: whole},
		exchange{Method: "POST", Path: own, Status: 201, Fixture: whole},
		exchange{Method: "POST", Path: "/users/5/support_pin/revoke", Status: 202, Body: "202"},
		exchange{Method: "POST", Path: "/users/5/support_pin/revoke", Status: 404,
			Body: `{"message":"404 Support PIN not found or already expired Not Found"}`})
	s, ctx := client.Users, t.Context()
	want := &serviceapi.SupportPIN{
		PIN: serviceapi.NewSecret("123456"), ExpiresAt: *at(t, "2026-02-27T22:06:57Z"),
	}
	for _, owner := range []serviceapi.SupportPINOwner{serviceapi.Own, serviceapi.UserID(5)} {
		pin, _, err := s.GetSupportPIN(ctx, owner)
		require.NoError(t, err)
		assert.Equal(t, want, pin)
	}
	pin, _, err := s.CreateSupportPIN(ctx)
	require.NoError(t, err)
	assert.Equal(t, want, pin)
	resp, err := s.RevokeSupportPIN(ctx, serviceapi.UserID(5))
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	_, err = s.RevokeSupportPIN(ctx, serviceapi.UserID(5))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)

	assertRefused(t, "owner", errorOf(s.GetSupportPIN(ctx, nil)))
	assertRefused(t, "user", errorOf(s.GetSupportPIN(ctx, serviceapi.Username("ada"))))
	assertRefused(t, "user", second(s.RevokeSupportPIN(ctx, serviceapi.Username("ada"))))
}
