package serviceapi

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Only the status matters: the body says in three ways whether something
// changed.
func TestUsersState(t *testing.T) {
	actions := map[string]func(*UsersService, context.Context, UserRef) (*Response, error){
		"block": func(s *UsersService, ctx context.Context, user UserRef) (*Response, error) { return s.Block(ctx, user) },
		"unblock": func(s *UsersService, ctx context.Context, user UserRef) (*Response, error) {
			return s.Unblock(ctx, user)
		},
		"deactivate": func(s *UsersService, ctx context.Context, user UserRef) (*Response, error) {
			return s.Deactivate(ctx, user)
		},
		"activate": func(s *UsersService, ctx context.Context, user UserRef) (*Response, error) {
			return s.Activate(ctx, user)
		},
	}
	for name, act := range actions {
		var exchanges []exchange
		for _, body := range []string{"true", "false", "null", ""} {
			exchanges = append(exchanges, exchange{Method: "POST", Path: "/users/3/" + name, Status: 201, Body: body})
		}
		exchanges = append(exchanges,
			exchange{Method: "POST", Path: "/users/3/" + name, Status: 403, Body: `{"message":"403 Forbidden - LDAP blocked"}`},
			exchange{Method: "POST", Path: "/users/3/" + name, Status: 404, Body: `{"message":"404 User Not Found"}`})
		users := onWire(t, exchanges...).Users
		for range 4 {
			resp, err := act(users, t.Context(), UserID(3))
			require.NoError(t, err, name)
			assert.Equal(t, 201, resp.StatusCode)
		}
		_, err := act(users, t.Context(), UserID(3))
		require.ErrorIs(t, err, ErrForbidden)
		assert.ErrorContains(t, err, "LDAP blocked")
		_, err = act(users, t.Context(), UserID(3))
		require.ErrorIs(t, err, ErrNotFound)
		_, err = act(users, t.Context(), UserID(0))
		assertRefused(t, "id", err)
		_, err = act(users, t.Context(), Username("ada"))
		assertRefused(t, "user", err)
	}
}

func TestMembersRemove(t *testing.T) {
	for _, p := range memberParents {
		client := onWire(t,
			exchange{Method: "DELETE", Path: p.path + "/4", Status: 204},
			exchange{Method: "DELETE", Path: p.path + "/4", Query: "skip_subresources=true&unassign_issuables=true", Status: 403, Body: `{"message":"403 Forbidden"}`})
		resp, err := client.Members.Remove(t.Context(), p.parent, UserID(4), nil)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
		_, err = client.Members.Remove(t.Context(), p.parent, UserID(4), &RemoveMemberOptions{SkipSubresources: true, UnassignIssuables: true})
		require.ErrorIs(t, err, ErrForbidden)
		_, err = client.Members.Remove(t.Context(), p.parent, UserID(0), nil)
		assertRefused(t, "user_id", err)
	}
	_, err := onWire(t).Members.Remove(t.Context(), nil, UserID(4), nil)
	assertRefused(t, "owner", err)
}
