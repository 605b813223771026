package address

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHas checks that an origin is the scheme, the host and the port.
func TestHas(t *testing.T) {
	base, problem := Parse("https://Service.test")
	require.Empty(t, problem)
	for raw, same := range map[string]bool{
		"https://service.test/x": true, "https://service.test:443/x": true, "https://SERVICE.test": true,
		"https://service.test:8443/x": false, "http://service.test/x": false, "https://sub.service.test": false,
		"https://service.test.evil.test": false, "https://evil.test/service.test": false,
		"http://service.test:443": false,
	} {
		u, err := url.Parse(raw)
		require.NoError(t, err)
		assert.Equal(t, same, base.Has(u), raw)
	}
}

// TestHasHost checks that a host is compared without its port.
func TestHasHost(t *testing.T) {
	for _, tc := range []struct {
		base, url string
		same      bool
	}{
		{"https://Service.test:8443/sub", "ssh://git@service.TEST:2222/x", true},
		{"https://service.test", "ssh://service.test/x", true},
		{"https://[2001:DB8::1]:8443", "ssh://git@[2001:db8::1]/x", true},
		{"https://[2001:db8::1]", "ssh://git@[2001:db8::2]/x", false},
		{"https://service.test", "ssh://service.test.evil.test/x", false},
		{"https://service.test", "ssh://ssh.service.test/x", false},
		{"https://service.test", "ssh:///service.test", false},
	} {
		base, problem := Parse(tc.base)
		require.Empty(t, problem)
		u, err := url.Parse(tc.url)
		require.NoError(t, err)
		assert.Equal(t, tc.same, base.HasHost(u), tc.url)
	}
}
