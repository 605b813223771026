// Package segment checks and escapes what becomes part of a path.
package segment

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"example.com/serviceapi/internal/text"
)

// NameProblem recognizes common mistakes in paths, and says what to write
// instead.
func NameProblem(name string) string {
	switch {
	case strings.Contains(name, "://"):
		return `is an address; write the path alone, such as "group/app"`
	case strings.Contains(strings.ToLower(name), "%2f"):
		plain := strings.ReplaceAll(strings.ReplaceAll(name, "%2f", "/"), "%2F", "/")
		return "is escaped; write " + strconv.Quote(plain)
	}
	if trimmed := strings.Trim(name, "/"); trimmed != name && trimmed != "" {
		return "begins or ends with a slash; write " + strconv.Quote(trimmed)
	}
	return ""
}

// PlaceProblem says why a string cannot be the path of a project, a group or a user, or "". It does
// not quote what may be a password. Only what no path has is refused: the service decides what else
// a new path must not have, and old ones may.
func PlaceProblem(path string) string {
	for _, r := range path {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./", r) {
			return "contains " + strconv.QuoteRune(r) + `, which no path has: write the path alone, such as "group/app"`
		}
	}
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case strings.HasPrefix(part, "-"):
			return `has a part that begins with "-", which no path has`
		case strings.HasSuffix(part, ".git"), strings.HasSuffix(part, ".atom"):
			return "ends with .git or .atom, which no path does; write it without"
		}
	}
	return ""
}

// Problem says why a string cannot be an argument that becomes one segment of a path, or "".
//
// Its slashes are sent as %2F, which net/http keeps, and every proxy that project paths work
// through: a name may begin or end with one. Dots cannot be kept: a proxy may decode %2E, and
// removes dot segments. They are refused between escaped slashes, too, and however often they
// are percent-encoded: behind a proxy that decodes more than it should, a DELETE of the tag
// "a/../.." would reach the repository above it. The same holds for nothing but slashes.
func Problem(s string) string {
	switch {
	case s == "":
		return "is empty"
	case text.HasControl(s):
		return "contains a control character"
	case hasDots(s):
		return "contains a segment that is only dots, which would shorten the path"
	case strings.Trim(s, `/\`) == "":
		return onlySlashes
	}
	return ""
}

// PathProblem says why a string cannot be a path whose slashes are kept, or that never has an
// empty segment, or "". Proxies and net/http merge slashes.
func PathProblem(s string) string {
	if problem := Problem(s); problem != "" && problem != onlySlashes {
		return problem
	}
	if isSlash(rune(s[0])) || isSlash(rune(s[len(s)-1])) || strings.Contains(s, "//") {
		return "contains an empty segment"
	}
	return ""
}

const onlySlashes = "has only slashes, which would shorten the path"

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// hasDots reports whether a segment is "." or "..". It also sees through
// percent-encoding, however many times it was applied.
func hasDots(s string) bool {
	for {
		for segment := range strings.FieldsFuncSeq(s, isSlash) {
			if segment == "." || segment == ".." {
				return true
			}
		}
		decoded := unescape(s)
		if decoded == s {
			return false
		}
		s = decoded
	}
}

// unescape decodes what is percent-encoded in a string and leaves the rest
// unchanged.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// EscapedProblem says why a string is not a path that is already escaped.
func EscapedProblem(path string) string {
	if _, err := url.PathUnescape(path); err != nil {
		return "is not escaped correctly"
	}
	mustBeEscaped := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`?#"<>\^{|}`, r) }
	if i := strings.IndexFunc(path, mustBeEscaped); i >= 0 {
		return "contains a character that must be escaped, at byte " + strconv.Itoa(i)
	}
	return PathProblem(path)
}

// Escape escapes an argument of a path: as one segment, or with its slashes kept.
func Escape(argument string, keepSlashes bool) string {
	escaped := url.PathEscape(argument)
	if keepSlashes {
		escaped = strings.ReplaceAll(escaped, "%2F", "/")
	}
	return escaped
}
