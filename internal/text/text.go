// Package text makes strings of the service safe to print.
package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable makes a string safe for terminals and logs: control and formatting
// characters are escaped, and the string is cut after limit runes.
func Printable(s string, limit int) string { return escape(s, limit, "") }

// Lines is Printable for text of any length that may have tabs and several lines.
func Lines(s string) string { return escape(s, len(s), "\n\t") }

// escape escapes all characters that are not printable, except those that are
// kept.
func escape(s string, limit int, kept string) string {
	var b strings.Builder
	for i, r := range s {
		if limit--; limit < 0 {
			b.WriteString("…")
			break
		}
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i]), 16))
		case strings.ContainsRune(kept, r):
			b.WriteRune(r)
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Excerpt cuts s to at most limit bytes, at the border of a rune.
func Excerpt(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// HasControl reports whether s contains a control character, which must not be
// in a path, a header or a file name.
func HasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// IsWordByte reports whether c is a digit or a letter of ASCII.
func IsWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
