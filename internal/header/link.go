package header

import (
	"errors"
	"slices"
	"strings"
)

var (
	errMalformed = errors.New("the Link header is malformed")
	errTwoNext   = errors.New("the Link header has two next pages")
)

// Next returns the target of the link to the next page in the lines of a Link
// header (RFC 8288), and whether there is one.
func Next(lines []string) (target string, found bool, err error) {
	for _, line := range lines {
		for rest := trimStart(line); rest != ""; rest = trimStart(rest) {
			reference, after, closed := strings.Cut(rest, ">")
			parameters, next, whole := cut(after, ',')
			first, list, _ := cut(parameters, ';')
			if rest[0] != '<' || !closed || !whole || strings.Trim(first, blanks) != "" {
				return "", false, errMalformed
			}
			rest = next
			if !isNext(list) {
				continue
			}
			reference = strings.TrimSpace(reference[1:])
			if found && reference != target {
				return "", false, errTwoNext
			}
			target, found = reference, true
		}
	}
	return target, found, nil
}

const blanks = " \t"

func trimStart(s string) string { return strings.TrimLeft(s, blanks+",") }

// cut divides s at the first separator outside quotes. It reports whether all
// quotes are closed.
func cut(s string, separator byte) (before, after string, closed bool) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && c == separator:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", !quoted
}

// isNext reports whether the first rel among the parameters of a link, which
// alone counts, contains next.
func isNext(parameters string) bool {
	for parameter := ""; parameters != ""; {
		parameter, parameters, _ = cut(parameters, ';')
		name, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.Trim(name, blanks), "rel") {
			value = strings.ReplaceAll(strings.Trim(value, blanks+`"`), `\`, "")
			return slices.ContainsFunc(strings.Fields(value),
				func(rel string) bool { return strings.EqualFold(rel, "next") })
		}
	}
	return false
}
