package serviceapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable makes a string of the service safe for terminals and logs: control
// and formatting characters are escaped, and the string is cut after limit
// runes.
func printable(s string, limit int) string {
	var b strings.Builder
	for i, r := range s {
		if limit--; limit < 0 {
			b.WriteString("…")
			break
		}
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i]), 16))
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// excerpt cuts s to at most limit bytes, at the border of a rune.
func excerpt(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// hasControl reports whether s contains a control character, which must not be
// in a path, a header or a file name.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, unicode.IsControl)
}

// sortedKeys returns the names of a query in order.
func sortedKeys(values map[string][]string) []string {
	return slices.Sorted(maps.Keys(values))
}

// jsonForm is a string as it looks inside a JSON string.
func jsonForm(s string) string {
	quoted, err := marshalString(s)
	if err != nil {
		return s
	}
	return string(quoted[1 : len(quoted)-1])
}

// isPlain reports whether a string looks the same in JSON and in a URL.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isWordByte(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}
