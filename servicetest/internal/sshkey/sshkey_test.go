package sshkey_test

import (
	"testing"

	"example.com/serviceapi/servicetest/internal/sshkey"
)

// TestKeys checks a made-up key, its fingerprints, and strings that are not keys.
func TestKeys(t *testing.T) {
	key := sshkey.MadeUp(1)
	blob, ok := sshkey.Parse(key + " ada@laptop")
	if !ok || len(blob) != 51 || key != sshkey.MadeUp(1) || key == sshkey.MadeUp(2) {
		t.Errorf("%s: %v, %d bytes", key, ok, len(blob))
	}
	// ssh-keygen -l, with -E md5 for the first.
	const known = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
	ofMD5, ofSHA256 := sshkey.Fingerprints(known)
	if ofMD5 != "65:96:2d:fc:e8:d5:a9:11:64:0c:0f:ea:00:6e:5b:bd" ||
		ofSHA256 != "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU" {
		t.Errorf("%s, %s", ofMD5, ofSHA256)
	}
	for _, text := range []string{
		"", "ssh-ed25519", "ssh-ed25519 !", "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIA==", "x AAAA", "x AP////8=",
	} {
		if _, ok := sshkey.Parse(text); ok {
			t.Errorf("%q is a key", text)
		}
	}
}
