package serviceapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// laptopKey is testdata/ssh_keys/ssh_key.json.
func laptopKey(t *testing.T) *SSHKey {
	return &SSHKey{
		ID: 21, Title: "laptop",
		Key:       "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHfsTAAkxwkBB4mXBIHAoAjRdiKIS8LLZ8fXlQoIEmGK ada@example.com",
		CreatedAt: *at(t, "2026-01-05T08:30:00.120Z"), ExpiresAt: at(t, "2027-01-05T00:00:00Z"),
		UsageType:  SSHKeyUsageSigning,
		LastUsedAt: at(t, "2026-02-05T08:30:00Z"),
	}
}

func TestSSHKeys(t *testing.T) {
	const path, whole = "/user/keys", "ssh_keys/ssh_key.json"
	body := "[" + fixture(t, whole) + `,{"id":22,"expires_at":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "POST", Path: path, JSON: `{"title":"laptop","key":"ssh-ed25519 AAAA"}`, Status: 201,
			Fixture: whole},
		exchange{
			Method: "POST", Path: path, Status: 201, Fixture: whole,
			JSON: `{"title":"laptop","key":"ssh-ed25519 AAAA","expires_at":"2027-01-05","usage_type":"auth"}`,
		},
		exchange{Method: "DELETE", Path: path + "/21", Status: 204})
	s, ctx, want := client.SSHKeys, t.Context(), []*SSHKey{laptopKey(t), {ID: 22}}
	keys, _, err := s.List(ctx, Own, &ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, keys)
	assertFilled(t, keys[0])
	keys, err = Collect(s.All(ctx, Own, nil))
	require.NoError(t, err)
	assert.Equal(t, want, keys)
	key, _, err := s.Create(ctx, Own, CreateSSHKeyOptions{Title: "laptop", Key: "ssh-ed25519 AAAA"})
	require.NoError(t, err)
	assert.Equal(t, laptopKey(t), key)
	require.NoError(t, errorOf(s.Create(ctx, Own, CreateSSHKeyOptions{
		Title: "laptop", Key: "ssh-ed25519 AAAA", ExpiresAt: new(NewDate(2027, time.January, 5)),
		UsageType: new(SSHKeyUsageAuth),
	})))
	resp, err := s.Delete(ctx, Own, 21)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)

	_, err = s.Delete(ctx, Own, 0)
	assertRefused(t, "key_id", err)
	_, err = s.Delete(ctx, nil, 21)
	assertRefused(t, "owner", err)
	assertRefused(t, "owner", errorOf(s.List(ctx, nil, nil)))
	assertRefused(t, "owner", errorOf(s.Create(ctx, new(Own), CreateSSHKeyOptions{})))
}
