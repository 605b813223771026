package servicetests

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceUsersAccount(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	s, ctx := as(t, svc, ada).Users, t.Context()
	avatar, _, err := s.SetAvatar(ctx, serviceapi.SetUserAvatarOptions{
		Avatar: serviceapi.Upload{Filename: "me.png", Content: strings.NewReader("pixels")},
	})
	require.NoError(t, err)
	current, _, err := s.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, current.AvatarURL, avatar.AvatarURL)
	assert.True(t, strings.HasSuffix(avatar.AvatarURL, "/me.png"), avatar.AvatarURL)

	changed, _, err := s.UpdatePreferences(ctx, serviceapi.UpdateUserPreferencesOptions{
		ShowWhitespaceInDiffs: new(false), PassUserIdentitiesToCIJWT: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserPreferences{
		ID: changed.ID, UserID: ada.ID(), PassUserIdentitiesToCIJWT: true, PolicyAdvancedEditor: new(false),
	}, changed)
	got, _, err := s.GetPreferences(ctx)
	require.NoError(t, err)
	assert.Equal(t, changed, got)
	_, _, err = s.UpdatePreferences(ctx, serviceapi.UpdateUserPreferencesOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceUsersUpdateStatus(t *testing.T) {
	svc := servicetest.New(t)
	s, ctx := as(t, svc, svc.User("ada")).Users, t.Context()
	_, _, err := s.SetStatus(ctx, serviceapi.SetUserStatusOptions{
		Emoji: new("coffee"), Message: new("Back"), ClearStatusAfter: new(serviceapi.ClearStatusAfter1Day),
	})
	require.NoError(t, err)
	status, _, err := s.UpdateStatus(ctx, serviceapi.UpdateUserStatusOptions{
		Availability: new(serviceapi.UserAvailabilityBusy),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserStatus{
		Emoji: "speech_balloon", Message: "Back", MessageHTML: "Back", Availability: serviceapi.UserAvailabilityBusy,
		ClearStatusAt: new(svc.Now().Add(24 * time.Hour)),
	}, status, "the message and the time stay")
	status, _, err = s.UpdateStatus(ctx, serviceapi.UpdateUserStatusOptions{Message: new("")})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.UserStatus{Availability: serviceapi.UserAvailabilityNotSet}, status)
}

func TestServiceUsersCounts(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	shop := svc.Project("shop/web", servicetest.Member(ada, servicetest.Developer))
	shop.Issue("Hers", servicetest.AssignedTo(ada))
	shop.Issue("Done", servicetest.AssignedTo(ada)).Close()
	shop.Commit("main", "Begin", servicetest.Write("a", "a"))
	for i := range 5 {
		branch := fmt.Sprint("b", i)
		shop.Branch(branch, "main")
		options := []servicetest.MergeRequestOption{servicetest.AssignedTo(ada)}
		if i < 3 {
			options = []servicetest.MergeRequestOption{servicetest.ReviewedBy(ada)}
		}
		m := shop.MergeRequest(branch, options...)
		if i == 0 {
			m.Close()
		}
	}
	counts, _, err := as(t, svc, ada).Users.GetCounts(t.Context())
	require.NoError(t, err)
	todos, err := serviceapi.Collect(as(t, svc, ada).Todos.All(t.Context(), nil))
	require.NoError(t, err)
	assert.NotEmpty(t, todos)
	assert.Equal(t, &serviceapi.UserCounts{
		MergeRequests: 2, AssignedIssues: 1, AssignedMergeRequests: 2, ReviewRequestedMergeRequests: 2,
		Todos: len(todos),
	}, counts)
}

func TestServiceUsersFollow(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	s, ctx, id := as(t, svc, ada).Users, t.Context(), serviceapi.UserID(bob.ID())
	change, _, err := s.Follow(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, []any{"bob", false}, []any{change.User.Username, change.Unchanged})
	for _, user := range []serviceapi.UserRef{id, serviceapi.UserID(ada.ID())} {
		change, _, err = s.Follow(ctx, user)
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.FollowChange{Unchanged: true}, change)
	}
	followers, err := serviceapi.Collect(s.AllFollowers(ctx, id, nil))
	require.NoError(t, err)
	following, err := serviceapi.Collect(s.AllFollowing(ctx, serviceapi.UserID(ada.ID()), nil))
	require.NoError(t, err)
	assert.Equal(t, []any{1, "ada", 1, "bob"},
		[]any{len(followers), followers[0].Username, len(following), following[0].Username})
	for range 299 {
		ada.Follow(svc.User(fmt.Sprint("user-", svc.Now().UnixNano(), len(followers))))
		followers = append(followers, nil)
	}
	_, _, err = s.Follow(ctx, serviceapi.UserID(svc.Root().ID()))
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "she follows 300 users")
	change, _, err = s.Unfollow(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, "bob", change.User.Username)
	change, _, err = s.Unfollow(ctx, id)
	require.NoError(t, err)
	assert.True(t, change.Unchanged)
	change, _, err = s.Follow(ctx, serviceapi.UserID(svc.Root().ID()))
	require.NoError(t, err)
	assert.Equal(t, "root", change.User.Username)
	_, _, err = s.Follow(ctx, serviceapi.UserID(99999))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = asAnybody(t, svc).Users.ListFollowers(ctx, id, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceUsersSupportPIN(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	own, root, ctx, id := as(t, svc, ada).Users, asRoot(t, svc).Users, t.Context(), serviceapi.UserID(ada.ID())
	_, _, err := own.GetSupportPIN(ctx, serviceapi.Own)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	first, _, err := own.CreateSupportPIN(ctx)
	require.NoError(t, err)
	second, _, err := own.CreateSupportPIN(ctx)
	require.NoError(t, err)
	assert.Len(t, second.PIN.Reveal(), 6)
	assert.NotEqual(t, first.PIN, second.PIN)
	assert.Equal(t, svc.Now().AddDate(0, 0, 7), second.ExpiresAt)
	for _, get := range []func() (*serviceapi.SupportPIN, *serviceapi.Response, error){
		func() (*serviceapi.SupportPIN, *serviceapi.Response, error) {
			return own.GetSupportPIN(ctx, serviceapi.Own)
		},
		func() (*serviceapi.SupportPIN, *serviceapi.Response, error) { return root.GetSupportPIN(ctx, id) },
	} {
		pin, _, err := get()
		require.NoError(t, err)
		assert.Equal(t, second, pin)
	}
	_, _, err = own.GetSupportPIN(ctx, id)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "administrators only")
	resp, err := root.RevokeSupportPIN(ctx, id)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	_, err = root.RevokeSupportPIN(ctx, id)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = own.CreateSupportPIN(ctx)
	require.NoError(t, err)
	svc.Advance(7 * 24 * time.Hour)
	_, _, err = root.GetSupportPIN(ctx, id)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "it has expired")
}

// TestServiceUsersAvatar refuses what is no picture.
func TestServiceUsersAvatar(t *testing.T) {
	svc := servicetest.New(t)
	s, ctx := as(t, svc, svc.User("ada")).Users, t.Context()
	for name, tc := range map[string]struct {
		size    int
		refused string
	}{
		"a.TIFF": {200 << 10, ""}, "a.png": {200<<10 + 1, "too big"}, "a.svg": {1, "not supported"},
		"a.jpeg": {1, ""}, "a.jpg": {1, ""}, "a.gif": {1, ""}, "a.bmp": {1, ""}, "a.ico": {1, ""}, "a.tif": {1, ""},
	} {
		_, _, err := s.SetAvatar(ctx, serviceapi.SetUserAvatarOptions{
			Avatar: serviceapi.Upload{Filename: name, Content: strings.NewReader(strings.Repeat("x", tc.size))},
		})
		if tc.refused == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
		assert.ErrorContains(t, err, tc.refused)
	}
}
