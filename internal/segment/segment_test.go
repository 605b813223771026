package segment

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUnescape(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "plain": "plain", "%41": "A", "a%2fb": "a/b", "%2525": "%25", "%": "%", "%4": "%4", "%4g": "%4g",
		"%zz%41": "%zzA", "%e": "%e", "a%41": "aA", "%41%": "A%",
		"%C3%BC": "ü", "%ff": "\xff", "%7f": "\x7f", "100%25": "100%",
	} {
		assert.Equal(t, want, unescape(s), s)
	}
}
