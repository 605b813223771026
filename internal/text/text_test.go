package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPrintable checks that nothing that a service sends can move the cursor,
// change the direction of a line or begin a new line.
func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"":                     "",
		"plain text, ünïcödé":  "plain text, ünïcödé",
		"two\nlines\ttab":      `two\nlines\ttab`,
		"\x1b[31mred\x7f":      `\x1b[31mred\x7f`,
		"nul \x00, bell \a":    `nul \x00, bell \a`,
		"a\u2028b\u2029c":      `a\u2028b\u2029c`,
		"a\u2027b\u202fc":      "a\u2027b\u202fc", // their harmless neighbors
		"right-to-left \u202e": `right-to-left \u202e`,
		"zero width \u200b":    `zero width \u200b`,
		"bom \ufeff":           `bom \ufeff`,
		"c1 \u0085":            `c1 \u0085`,
		"tag \U000e0041":       `tag \U000e0041`,
		"bad \xff\xc3":         `bad \xff\xc3`,
		"good \ufffd":          "good \ufffd", // the replacement character itself is valid
		"emoji 👍":              "emoji 👍",
		`"quoted" \ and 'so'`:  `"quoted" \ and 'so'`,
	} {
		assert.Equal(t, want, Printable(s, 1000), "%q", s)
	}
}

// TestPrintableIsCut checks that the limit counts characters, and that a cut is
// visible.
func TestPrintableIsCut(t *testing.T) {
	for _, tc := range []struct {
		s     string
		limit int
		want  string
	}{
		{"ééé", 4, "ééé"},
		{"ééé", 3, "ééé"},
		{"ééé", 2, "éé…"},
		{"ééé", 1, "é…"},
		{"ééé", 0, "…"},
		{"", 0, ""},
		{"a\nb", 2, `a\n…`},
	} {
		assert.Equal(t, tc.want, Printable(tc.s, tc.limit), "%q to %d", tc.s, tc.limit)
	}
}

// TestExcerpt checks that a cut is never within a character.
func TestExcerpt(t *testing.T) {
	for limit, want := range []string{"", "a", "a", "aé", "aé", "aé", "aé", "aé👍", "aé👍b", "aé👍b"} {
		assert.Equal(t, want, Excerpt("aé👍b", limit), "%d bytes", limit)
	}
	assert.Empty(t, Excerpt("\x80\x80\x80", 2), "no character begins anywhere")
}

func TestHasControl(t *testing.T) {
	for s, want := range map[string]bool{"": false, "a b": false, "ü": false, "a\n": true, "\x00": true, "\x7f": true,
		"\u0085": true, "\u200b": false} {
		assert.Equal(t, want, HasControl(s), "%q", s)
	}
}

func TestIsWordByte(t *testing.T) {
	const word = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	for c := range 256 {
		assert.Equal(t, strings.IndexByte(word, byte(c)) >= 0, IsWordByte(byte(c)), "%q", rune(c))
	}
}
