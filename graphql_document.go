package serviceapi

import "strings"

// onlyQueries reports whether a GraphQL document certainly contains only
// queries (and fragments). It looks at the keywords that definitions begin
// with, and leaves the rest to the service.
func onlyQueries(document string) bool {
	l := graphQLLexer{rest: document}
	var closing []string // the closing brackets that are expected, the innermost last
	queries, inDefinition := 0, false
	for token := l.next(); token != ""; token = l.next() {
		switch token {
		case "{", "(", "[":
			if !inDefinition {
				if token != "{" {
					return false
				}
				inDefinition = true // a query without a keyword
				queries++
			}
			closing = append(closing, map[string]string{"{": "}", "(": ")", "[": "]"}[token])
		case "}", ")", "]":
			last := len(closing) - 1
			if last < 0 || closing[last] != token {
				return false
			}
			closing = closing[:last]
			inDefinition = last > 0 || token != "}"
		case "query", "fragment":
			if !inDefinition && token == "query" {
				queries++
			}
			inDefinition = true
		default:
			if !inDefinition {
				return false
			}
		}
	}
	return queries > 0 && !inDefinition && !l.broken
}

// graphQLLexer splits a document into names, brackets and single other
// characters.
type graphQLLexer struct {
	rest   string
	broken bool // a string does not end
}

// next returns the next token that is not a string, or "" at the end.
func (l *graphQLLexer) next() string {
	for {
		l.rest = strings.TrimLeft(l.rest, " \t\r\n,\ufeff")
		switch {
		case l.rest == "":
			return ""
		case l.rest[0] == '#':
			if end := strings.IndexAny(l.rest, "\r\n"); end >= 0 {
				l.rest = l.rest[end:]
			} else {
				l.rest = ""
			}
		case strings.HasPrefix(l.rest, `"""`):
			l.skipText(`"""`)
		case l.rest[0] == '"':
			l.skipText(`"`)
		default:
			return l.take()
		}
	}
}

// take removes a name, or one byte, and returns it.
func (l *graphQLLexer) take() string {
	end := 0
	for end < len(l.rest) && isNameByte(l.rest[end]) {
		end++
	}
	end = max(end, 1)
	token := l.rest[:end]
	l.rest = l.rest[end:]
	return token
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// skipText skips a string with its quotes. A backslash escapes the next
// character; in a block string, it escapes only triple quotes.
func (l *graphQLLexer) skipText(quote string) {
	rest := l.rest[len(quote):]
	for rest != "" {
		switch {
		case len(quote) == 3 && strings.HasPrefix(rest, `\"""`):
			rest = rest[4:]
		case len(quote) == 1 && rest[0] == '\\':
			rest = rest[min(2, len(rest)):]
		case strings.HasPrefix(rest, quote):
			l.rest = rest[len(quote):]
			return
		default:
			rest = rest[1:]
		}
	}
	l.rest, l.broken = "", true
}
