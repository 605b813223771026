package redact

import (
	"fmt"
	"io"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParams(t *testing.T) {
	for raw, want := range map[string]string{
		"": "", "page=2": "page=2", "b=1&a=2": "b=1&a=2", "private_token=x": "", "b=1&private_token=x&a=2": "b=1&a=2",
		"sudo=root&page=2": "page=2", "access_token=x&job_token=y&page=3": "page=3", "Sudo=x": "",
		"PRIVATE_TOKEN=x&p=1": "p=1",
		"Private-Token=x":     "", "sudo[]=x": "", "[sudo]=x": "", "[][sudo=x": "", "%73UDO=x": "", "+sudo=x": "",
		"sudo%20=x": "", "sudo%00a=x": "", "sudo": "",
		"pseudo=x&sudoer=y&my_private_token=z": "pseudo=x&sudoer=y&my_private_token=z", "sudo=%zz&a=%zz": "a=%zz",
		"a=1;sudo=2": "a=1%3Bsudo=2",
		"%zz=1":      "%zz=1", "=sudo": "=sudo", "&&": "&&",
	} {
		assert.Equal(t, want, WithoutParams(raw), raw)
	}
}

// TestWithoutURL checks that the address goes, however often it was quoted.
func TestWithoutURL(t *testing.T) {
	quoted := fmt.Errorf("again: %w", &url.Error{Op: "Get", URL: "https://service.test?a=b", Err: io.EOF})
	assert.Equal(t, io.EOF, WithoutURL(quoted))
	assert.Equal(t, io.EOF, WithoutURL(&url.Error{Err: quoted}))
	assert.Equal(t, io.EOF, WithoutURL(io.EOF))
	assert.NoError(t, WithoutURL(nil))
}

func TestWithoutQuery(t *testing.T) {
	u, err := url.Parse("https://user:password@service.test:8443/a%2Fb?token=c#d")
	require.NoError(t, err)
	assert.Equal(t, "https://service.test:8443/a%2Fb", WithoutQuery(u))
	assert.Empty(t, WithoutQuery(nil))
}
