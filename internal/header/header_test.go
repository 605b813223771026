package header

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHeaderNames tries every byte. RFC 9110 says which ones a token may have.
func TestHeaderNames(t *testing.T) {
	const token = "!#$%&'*+-.^_`|~" +
		"0123456789" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "abcdefghijklmnopqrstuvwxyz"
	for c := range 256 {
		name := string([]byte{'X', byte(c), 'Y'})
		assert.Equal(t, strings.IndexByte(token, byte(c)) >= 0, IsName(name), "%q", name)
	}
	assert.False(t, IsName(""))
	assert.False(t, IsName("X-Größe"))
}

// TestHeaderValues tries every byte. Only control characters other than a tab
// would change what is sent.
func TestHeaderValues(t *testing.T) {
	for c := range 256 {
		value := string([]byte{'a', byte(c), 'b'})
		want := c >= 0x20 && c != 0x7f || c == '\t'
		assert.Equal(t, want, IsValue(value), "%q", value)
	}
	assert.True(t, IsValue(""))
	assert.False(t, IsValue("\r"), "also where it is the first and the last")
}

func TestHeaderNumbers(t *testing.T) {
	for value, want := range map[string]int{
		"0": 0, "1": 1, " 7 ": 7, "+5": 5, "-1": 0, "": 0, "1.5": 0, "x": 0, "99999999999999999999": 0,
		"2147483647": 2147483647,
	} {
		assert.Equal(t, want, Number(http.Header{"X-Page": {value}}, "X-Page"), "%q", value)
	}
	assert.Zero(t, Number(nil, "X-Page"))
	assert.Zero(t, Number(http.Header{"X-Page": {}}, "X-Page"))
	assert.Equal(t, 3, Number(http.Header{"X-Page": {"3", "4"}}, "X-Page"))
}
