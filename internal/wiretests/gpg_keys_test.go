package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGPGKeys(t *testing.T) {
	const one = "gpg_keys/gpg_key.json"
	body := "[" + fixture(t, one) + `,{"id":4}]`
	key := &serviceapi.GPGKey{
		ID: 3, Key: "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEaww1\n-----END PGP PUBLIC KEY BLOCK-----\n",
		CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"),
	}
	for list, owner := range map[string]serviceapi.GPGKeyOwner{
		"/user/gpg_keys": serviceapi.Own, "/users/5/gpg_keys": serviceapi.UserID(5),
	} {
		client := onWire(t,
			exchange{Method: "GET", Path: list, Query: "page=2&per_page=2", Body: body},
			exchange{Method: "GET", Path: list, Query: "per_page=100", Body: body},
			exchange{Method: "GET", Path: list + "/3", Fixture: one},
			exchange{Method: "POST", Path: list, JSON: `{"key":"a\nb"}`, Status: 201, Fixture: one},
			exchange{Method: "DELETE", Path: list + "/3", Status: 204},
			exchange{Method: "POST", Path: list + "/3/revoke", Status: 202, Body: "202"},
			exchange{Method: "POST", Path: list + "/4/revoke", Status: 404,
				Body: `{"message":"404 GPG Key Not Found"}`})
		s, ctx := client.GPGKeys, t.Context()
		keys, _, err := s.List(ctx, owner, &serviceapi.ListOptions{Page: 2, PerPage: 2})
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.GPGKey{key, {ID: 4}}, keys)
		keys, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.GPGKey{key, {ID: 4}}, keys)
		got, _, err := s.Get(ctx, owner, 3)
		require.NoError(t, err)
		assert.Equal(t, key, got)
		assertFilled(t, got)
		made, resp, err := s.Create(ctx, owner, serviceapi.CreateGPGKeyOptions{Key: "a\nb"})
		require.NoError(t, err)
		assert.Equal(t, key, made)
		assert.Equal(t, 201, resp.StatusCode)
		resp, err = s.Delete(ctx, owner, 3)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
		resp, err = s.Revoke(ctx, owner, 3)
		require.NoError(t, err)
		assert.Equal(t, 202, resp.StatusCode)
		require.ErrorIs(t, second(s.Revoke(ctx, owner, 4)), serviceapi.ErrNotFound)
	}
}

func TestGPGKeysArguments(t *testing.T) {
	s, ctx := onWire(t).GPGKeys, t.Context()
	options := serviceapi.CreateGPGKeyOptions{Key: "k"}
	for name, owner := range map[string]serviceapi.GPGKeyOwner{
		"user": serviceapi.Username("ada"), "id": serviceapi.UserID(0), "owner": nil,
	} {
		assertRefused(t, name, errorOf(s.List(ctx, owner, nil)))
		_, err := serviceapi.Collect(s.All(ctx, owner, nil))
		assertRefused(t, name, err)
		assertRefused(t, name, errorOf(s.Get(ctx, owner, 3)))
		assertRefused(t, name, errorOf(s.Create(ctx, owner, options)))
		assertRefused(t, name, second(s.Delete(ctx, owner, 3)))
		assertRefused(t, name, second(s.Revoke(ctx, owner, 3)))
	}
	assertRefused(t, "key_id", errorOf(s.Get(ctx, serviceapi.Own, 0)))
	assertRefused(t, "key_id", second(s.Delete(ctx, serviceapi.Own, -1)))
	assertRefused(t, "key_id", second(s.Revoke(ctx, serviceapi.UserID(5), 0)))
	assertRefused(t, "Key", errorOf(s.Create(ctx, serviceapi.Own, serviceapi.CreateGPGKeyOptions{})))
}
