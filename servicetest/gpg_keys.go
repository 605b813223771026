package servicetest

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A gpgKey is a public key that a user signs commits with.
type gpgKey struct {
	id        int64
	user      *User
	text      string
	createdAt time.Time
}

// gpgKeyState keeps the GPG keys of all users.
type gpgKeyState struct{ keys table[*gpgKey] }

var gpgKeys = collection.Table[*call, *User, gpgKey]{
	Name:  "GPG Key",
	Param: "key_id",
	ID:    func(k *gpgKey) int64 { return k.id },
	Home:  (*call).keyOwner,
	Records: func(c *call, u *User) []*gpgKey {
		return state[gpgKeyState](c.svc).keys.all(func(k *gpgKey) bool { return k.user == u })
	},
	Fields: []collection.Field[gpgKey]{
		collection.Shown("id", func(k *gpgKey) int64 { return k.id }),
		collection.Text("key", func(k *gpgKey) *string { return &k.text }).Required(),
		collection.Moment("created_at", func(k *gpgKey) *time.Time { return &k.createdAt }).ReadOnly(),
	},
	New: func(c *call, u *User) *gpgKey { return &gpgKey{user: u, createdAt: c.now()} },
	Check: func(c *call, _ *User, k, _ *gpgKey) *reply {
		packets := publicKey(k.text)
		if packets == "" {
			return frame.FieldErrors("key", "is invalid. A valid public GPG key begins with '-----BEGIN PGP PUBLIC "+
				"KEY BLOCK-----' and ends with '-----END PGP PUBLIC KEY BLOCK-----'")
		}
		for _, other := range state[gpgKeyState](c.svc).keys.all(nil) {
			if !other.user.gone && publicKey(other.text) == packets {
				return frame.FieldErrors("key", "has already been taken")
			}
		}
		return nil
	},
	Add:    func(c *call, _ *User, k *gpgKey) { k.id, _ = state[gpgKeyState](c.svc).keys.add(0, k) },
	Remove: func(c *call, _ *User, k *gpgKey) { state[gpgKeyState](c.svc).keys.remove(k.id) },
}

// revokeGPGKey removes a key. The signatures that name it as gpg_key_id are no longer verified.
func revokeGPGKey(c *call, home *User, key *gpgKey) *reply {
	gpgKeys.Remove(c, home, key)
	for _, signature := range state[signatures](c.svc).of {
		if signature.kind == PGP && signature.number == key.id {
			signature.status = "unknown_key"
		}
	}
	return c.Accepted(http.StatusAccepted)
}

// publicKey returns the packets of a public key in ASCII armor (RFC 9580, section 6), or "" if
// the text is none: the first packet must be a public key.
func publicKey(text string) string {
	const begin, end = "-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----END PGP PUBLIC KEY BLOCK-----"
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\r", ""), "\n")
	if lines[0] != begin || lines[len(lines)-1] != end {
		return ""
	}
	encoded := ""
	for _, line := range lines[1 : len(lines)-1] {
		if strings.Contains(line, ": ") || strings.HasPrefix(line, "=") { // a header, or the checksum
			continue
		}
		encoded += strings.TrimSpace(line)
	}
	packets, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(packets) == 0 {
		return ""
	}
	const ofPublicKey = 6
	oldFormat, newFormat := packets[0]&0xfc == 0x80|ofPublicKey<<2, packets[0] == 0xc0|ofPublicKey
	if !oldFormat && !newFormat {
		return ""
	}
	return string(packets)
}
