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

// TestPlaceProblem checks which texts are no paths, and that none of them is quoted.
func TestPlaceProblem(t *testing.T) {
	for path, problem := range map[string]string{
		"acme/shop": "", "a/b_c.d-e/F9": "", "Åcme/शॉप/店": "", "_a/.b": "", "a/b.": "", "gitx/x.gitx": "",
		"a/b c": "contains ' '", "a:hunter2@b": "contains ':'", "a\x80": "contains '\uFFFD'", "a\n": `contains '\n'`,
		"-": "begins with", "a/-b": "begins with", "a.git": "ends with .git", "a.atom/b": "ends with .git",
	} {
		got := PlaceProblem(path)
		assert.Contains(t, got, problem, "%q", path)
		assert.Equal(t, problem == "", got == "", "%q: %s", path, got)
		assert.NotContains(t, got, "hunter2")
	}
}
