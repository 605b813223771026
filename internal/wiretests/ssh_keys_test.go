package wiretests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// laptopKey is testdata/ssh_keys/ssh_key.json.
func laptopKey(t *testing.T) *serviceapi.SSHKey {
	return &serviceapi.SSHKey{
		ID: 21, Title: "laptop",
		Key:       "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK ada@example.com",
		CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"), ExpiresAt: at(t, "2027-01-05T00:00:00Z"),
		UsageType:  serviceapi.SSHKeyUsageSigning,
		LastUsedAt: at(t, "2026-02-05T08:30:00Z"),
	}
}

func TestSSHKeys(t *testing.T) {
	const one, whole = "/users/5/keys", "ssh_keys/ssh_key.json"
	body := "[" + fixture(t, whole) + `,{"id":22,"expires_at":null}]`
	short, long := `{"title":"laptop","key":"ssh-ed25519 AAAA"}`,
		`{"title":"laptop","key":"ssh-ed25519 AAAA","expires_at":"2027-01-05","usage_type":"auth"}`
	for list, owner := range map[string]serviceapi.SSHKeyOwner{"/user/keys": serviceapi.Own,
		one: serviceapi.UserID(5)} {
		client := onWire(t,
			exchange{Method: "GET", Path: list, Query: "page=2", Body: body},
			exchange{Method: "GET", Path: list, Query: "per_page=100", Body: body},
			exchange{Method: "POST", Path: list, JSON: short, Status: 201, Fixture: whole},
			exchange{Method: "POST", Path: list, JSON: long, Status: 201, Fixture: whole},
			exchange{Method: "DELETE", Path: list + "/21", Status: 204})
		s, ctx, want := client.SSHKeys, t.Context(), []*serviceapi.SSHKey{laptopKey(t), {ID: 22}}
		keys, _, err := s.List(ctx, owner, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, want, keys)
		keys, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, keys)
		key, _, err := s.Create(ctx, owner, serviceapi.CreateSSHKeyOptions{Title: "laptop", Key: "ssh-ed25519 AAAA"})
		require.NoError(t, err)
		assert.Equal(t, laptopKey(t), key)
		require.NoError(t, errorOf(s.Create(ctx, owner, serviceapi.CreateSSHKeyOptions{
			Title: "laptop", Key: "ssh-ed25519 AAAA", ExpiresAt: new(serviceapi.NewDate(2027, time.January, 5)),
			UsageType: new(serviceapi.SSHKeyUsageAuth),
		})))
		resp, err := s.Delete(ctx, owner, 21)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
}

// wholeKey is testdata/ssh_keys/key_with_user.json: a deploy key with everything that any
// key has.
func wholeKey(t *testing.T) *serviceapi.SSHKey {
	key := laptopKey(t)
	key.User = adaForAdmins(t)
	key.Fingerprint = "9f:70:33:b3:50:4d:9a:a3:ef:ea:13:9b:87:0f:7f:7e"
	key.FingerprintSHA256 = "SHA256:nUhzNyftwADy8AH3wFY31tAKs7HufskYTte2aXo/lCg"
	key.DeployKeysProjects = []*serviceapi.SSHKeyProject{{
		ID: 1, DeployKeyID: 21, ProjectID: 7, CanPush: true,
		CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"), UpdatedAt: *at(t, "2026-01-06T08:30:00Z"),
	}}
	return key
}

func TestSSHKeysGetAndFind(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/user/keys/21", Fixture: "ssh_keys/ssh_key.json"},
		exchange{Method: "GET", Path: "/users/5/keys/21", Fixture: "ssh_keys/ssh_key.json"},
		exchange{Method: "GET", Path: "/keys/21", Fixture: "ssh_keys/key_with_user.json"},
		exchange{Method: "GET", Path: "/keys", Fixture: "ssh_keys/key_with_user.json",
			Query: "fingerprint=SHA256%3AnUhzNyftwADy8AH3wFY31tAKs7HufskYTte2aXo%2FlCg"},
		exchange{Method: "GET", Path: "/keys", Query: "fingerprint=x", Status: 400,
			Body: `{"message":"Failed to return the key"}`},
		exchange{Method: "GET", Path: "/users/ada/keys", Body: "[]"})
	s, ctx := client.SSHKeys, t.Context()
	for _, owner := range []serviceapi.SingleSSHKeyOwner{serviceapi.Own, serviceapi.UserID(5)} {
		key, _, err := s.Get(ctx, owner, 21)
		require.NoError(t, err)
		assert.Equal(t, laptopKey(t), key)
	}
	key, _, err := s.Get(ctx, serviceapi.Instance, 21)
	require.NoError(t, err)
	assert.Equal(t, wholeKey(t), key)
	key, _, err = s.Find(ctx, &serviceapi.FindSSHKeyOptions{Fingerprint: key.FingerprintSHA256})
	require.NoError(t, err)
	assert.Equal(t, wholeKey(t), key)
	require.ErrorIs(t, errorOf(s.Find(ctx, &serviceapi.FindSSHKeyOptions{Fingerprint: "x"})), serviceapi.ErrBadRequest)
	require.NoError(t, errorOf(s.List(ctx, serviceapi.Username("ada"), nil)))
}

func TestSSHKeysArguments(t *testing.T) {
	s, ctx := onWire(t).SSHKeys, t.Context()
	for name, owner := range map[string]serviceapi.SSHKeyOwner{"user": serviceapi.Username("ada"),
		"id": serviceapi.UserID(0), "owner": nil} {
		assertRefused(t, name, errorOf(s.Create(ctx, owner, serviceapi.CreateSSHKeyOptions{})))
		assertRefused(t, name, second(s.Delete(ctx, owner, 21)))
		single, _ := owner.(serviceapi.SingleSSHKeyOwner)
		assertRefused(t, name, errorOf(s.Get(ctx, single, 21)))
	}
	assertRefused(t, "key_id", second(s.Delete(ctx, serviceapi.Own, 0)))
	assertRefused(t, "id", errorOf(s.Get(ctx, serviceapi.Instance, 0)))
	assertRefused(t, "owner", errorOf(s.List(ctx, nil, nil)))
	assertRefused(t, "owner", errorOf(s.Get(ctx, &everything, 21)))
	assertRefused(t, "owner", errorOf(s.Create(ctx, new(serviceapi.Own), serviceapi.CreateSSHKeyOptions{})))
	assertRefused(t, "id_or_username", errorOf(s.List(ctx, serviceapi.UserRef{}, nil)))
	assertRefused(t, "Fingerprint", errorOf(s.Find(ctx, nil)))
	assertRefused(t, "Fingerprint", errorOf(s.Find(ctx, &serviceapi.FindSSHKeyOptions{})))
}
