package graphql

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Location is a place in a document, counted from 1.
type Location struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// A token is a name, a number, a string (decoded) or a punctuation mark.
type token struct {
	kind kind
	text string
	at   Location
}

type kind int

const (
	endToken kind = iota
	nameToken
	numberToken
	stringToken
	markToken
)

// A syntaxError describes a document that cannot be read.
type syntaxError struct {
	problem string
	at      Location
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("Parse error on %s at [%d, %d]", e.problem, e.at.Line, e.at.Column)
}

// lex splits a document into tokens. The last one is an end token.
func lex(document string) ([]token, error) {
	l := lexer{rest: document, at: Location{1, 1}}
	var tokens []token
	for {
		next, err := l.next()
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, next)
		if next.kind == endToken {
			return tokens, nil
		}
	}
}

type lexer struct {
	rest string
	at   Location
}

// cut removes n bytes and advances the position.
func (l *lexer) cut(n int) string {
	text := l.rest[:n]
	l.rest = l.rest[n:]
	l.at.Line += strings.Count(text, "\n")
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		l.at.Column = 1 + utf8.RuneCountInString(text[i+1:])
	} else {
		l.at.Column += utf8.RuneCountInString(text)
	}
	return text
}

// span returns the number of leading bytes that are in a set.
func (l *lexer) span(set string) int {
	return len(l.rest) - len(strings.TrimLeft(l.rest, set))
}

const (
	letters = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

func (l *lexer) next() (token, error) {
	l.skipIgnored()
	found := token{at: l.at}
	if l.rest == "" {
		return found, nil
	}
	first := l.rest[0]
	switch {
	case strings.IndexByte(letters, first) >= 0:
		found.kind, found.text = nameToken, l.cut(l.span(letters+digits))
	case first == '-' || strings.IndexByte(digits, first) >= 0:
		found.kind, found.text = numberToken, l.cut(l.span("+-.eE"+digits))
		if !json.Valid([]byte(found.text)) {
			return found, &syntaxError{fmt.Sprintf("%q", found.text), found.at}
		}
	case first == '"':
		text, err := l.str()
		found.kind, found.text = stringToken, text
		return found, err
	case strings.HasPrefix(l.rest, "..."):
		found.kind, found.text = markToken, l.cut(3)
	case strings.IndexByte("!$():=@[]{}|&", first) >= 0:
		found.kind, found.text = markToken, l.cut(1)
	default:
		_, size := utf8.DecodeRuneInString(l.rest)
		return found, &syntaxError{fmt.Sprintf("%q", l.rest[:size]), found.at}
	}
	return found, nil
}

// skipIgnored skips white space, commas and comments.
func (l *lexer) skipIgnored() {
	for {
		l.cut(l.span(" \t\r\n,\ufeff"))
		if !strings.HasPrefix(l.rest, "#") {
			return
		}
		comment, _, _ := strings.Cut(l.rest, "\n")
		l.cut(len(comment))
	}
}

// str reads a string in quotes or, without decoding it, a block string in
// triple quotes.
func (l *lexer) str() (string, error) {
	start := l.at
	if strings.HasPrefix(l.rest, `"""`) {
		end := strings.Index(l.rest[3:], `"""`)
		if end < 0 {
			return "", &syntaxError{"a string without end", start}
		}
		return strings.Trim(l.cut(end + 6)[3:end+3], "\n"), nil
	}
	for end := 1; end < len(l.rest) && l.rest[end] != '\n'; end++ {
		switch l.rest[end] {
		case '\\':
			end++
		case '"':
			var text string
			if json.Unmarshal([]byte(l.cut(end+1)), &text) != nil {
				return "", &syntaxError{"a string with an unknown escape", start}
			}
			return text, nil
		}
	}
	return "", &syntaxError{"a string without end", start}
}
