// Package graphqldoc says whether a GraphQL document only reads.
package graphqldoc

import "strings"

// OnlyReads reports whether the operation of a document that has this name is a query. If the
// name is "", all operations of the document must be. A mutation, a subscription and whatever
// cannot be read as a document of operations and fragments is none.
func OnlyReads(document, operationName string) bool {
	found := false
	for s := (&scanner{rest: document}); ; {
		kind, name, ok := s.definition()
		switch {
		case !ok:
			return false
		case kind == "":
			return found
		case kind == "fragment", operationName != "" && name != operationName:
		case kind != "query" || found && operationName != "":
			return false
		default:
			found = true
		}
	}
}

// A scanner reads the tokens of a document.
type scanner struct{ rest string }

// definition reads a definition up to the end of its selection. It returns its keyword, "query"
// for an operation without one, and its name. The keyword is "" at the end of the document.
func (s *scanner) definition() (kind, name string, ok bool) {
	token, ok := s.token()
	switch {
	case !ok || token == "":
		return "", "", ok
	case token == "{":
		return "query", "", s.skip("{")
	case token != "query" && token != "mutation" && token != "subscription" && token != "fragment":
		return "", "", false // a definition of a type, for example
	}
	kind = token
	if token, ok = s.token(); ok && isName(token) {
		name = token
		token, ok = s.token()
	}
	for ; ok && token != "" && token != "{"; token, ok = s.token() {
		if isOpening(token) && !s.skip(token) {
			return "", "", false
		}
	}
	return kind, name, ok && token == "{" && s.skip("{")
}

// skip reads up to the bracket that closes one which was just read.
func (s *scanner) skip(opening string) bool {
	var few [16]string // enough for most documents
	open := append(few[:0], opening)
	for len(open) > 0 {
		token, ok := s.token()
		switch {
		case !ok || token == "":
			return false
		case isOpening(token):
			open = append(open, token)
		case token == ")" || token == "]" || token == "}":
			if closing(open[len(open)-1]) != token {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return true
}

// closing returns the bracket that closes one, "" if a token is none.
func closing(opening string) string {
	switch opening {
	case "(":
		return ")"
	case "[":
		return "]"
	case "{":
		return "}"
	}
	return ""
}

func isOpening(token string) bool { return closing(token) != "" }

// skipIgnored reads what is between tokens: white space, commas and byte order marks.
func (s *scanner) skipIgnored() {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\r\n,")
		rest, found := strings.CutPrefix(s.rest, "\uFEFF")
		if !found {
			return
		}
		s.rest = rest
	}
}

// token reads the next token, "" at the end. A string is returned as a quote alone.
func (s *scanner) token() (token string, ok bool) {
	for s.skipIgnored(); strings.HasPrefix(s.rest, "#"); s.skipIgnored() {
		end := strings.IndexAny(s.rest, "\r\n")
		if end < 0 {
			end = len(s.rest)
		}
		s.rest = s.rest[end:]
	}
	switch {
	case s.rest == "":
		return "", true
	case s.rest[0] == '"':
		return `"`, s.text()
	}
	size := 1
	if isNameByte(s.rest[0]) {
		for size < len(s.rest) && isNameByte(s.rest[size]) {
			size++
		}
	}
	token, s.rest = s.rest[:size], s.rest[size:]
	return token, true
}

// text reads a string, or a block string, and reports whether it ends.
func (s *scanner) text() bool {
	if block, ok := strings.CutPrefix(s.rest, `"""`); ok {
		for {
			before, after, ends := strings.Cut(block, `"""`)
			if !ends || !strings.HasSuffix(before, `\`) {
				s.rest = after
				return ends
			}
			block = after
		}
	}
	for i := 1; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			i++
		case '\n', '\r':
			return false
		case '"':
			s.rest = s.rest[i+1:]
			return true
		}
	}
	return false
}

func isName(token string) bool {
	return token != "" && isNameByte(token[0]) && (token[0] < '0' || token[0] > '9')
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
