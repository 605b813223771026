// Package sshkey reads public keys in the format of an authorized_keys file, and makes
// up keys.
package sshkey

import (
	"crypto/ed25519"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// Parse decodes the key in a string, or reports false if there is none.
func Parse(text string) ([]byte, bool) {
	parts := strings.Fields(text)
	if len(parts) < 2 {
		return nil, false
	}
	blob, err := base64.StdEncoding.DecodeString(parts[1])
	return blob, err == nil && firstString(blob) == parts[0]
}

// firstString returns the string at the beginning of a key, after its length. It is
// empty if there is none.
func firstString(blob []byte) string {
	if len(blob) < 4 {
		return ""
	}
	n := binary.BigEndian.Uint32(blob)
	if uint64(len(blob)-4) < uint64(n) {
		return ""
	}
	return string(blob[4 : 4+n])
}

// MadeUp returns a valid key. The same number always gives the same key.
func MadeUp(n int64) string {
	seed := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("deploy key "), uint64(n)))
	public := ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey)
	const kind = "ssh-ed25519"
	var blob []byte
	for _, part := range []string{kind, string(public)} {
		blob = binary.BigEndian.AppendUint32(blob, uint32(len(part)))
		blob = append(blob, part...)
	}
	return kind + " " + base64.StdEncoding.EncodeToString(blob)
}

// Fingerprints returns the fingerprints as ssh-keygen shows them.
func Fingerprints(text string) (ofMD5, ofSHA256 string) {
	blob, _ := Parse(text)
	sum := md5.Sum(blob)
	pairs := make([]string, 0, len(sum))
	for _, b := range sum {
		pairs = append(pairs, hex.EncodeToString([]byte{b}))
	}
	long := sha256.Sum256(blob)
	return strings.Join(pairs, ":"), "SHA256:" + base64.RawStdEncoding.EncodeToString(long[:])
}
