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
