package servicetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A gqlPlace is a place in a document, counted from 1.
type gqlPlace struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// A gqlToken is a name, a number, a text (decoded) or a punctuation mark.
type gqlToken struct {
	kind gqlKind
	text string
	at   gqlPlace
}

type gqlKind int

const (
	gqlEnd gqlKind = iota
	gqlName
	gqlNumber
	gqlText
	gqlMark
)

// gqlSyntaxError is a document that cannot be read.
type gqlSyntaxError struct {
	problem string
	at      gqlPlace
}

func (e *gqlSyntaxError) Error() string {
	return fmt.Sprintf("Parse error on %s at [%d, %d]", e.problem, e.at.Line, e.at.Column)
}

// lexGraphQL cuts a document into tokens, an end token last.
func lexGraphQL(document string) ([]gqlToken, error) {
	l := gqlLexer{rest: document, at: gqlPlace{1, 1}}
	var tokens []gqlToken
	for {
		token, err := l.next()
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, token)
		if token.kind == gqlEnd {
			return tokens, nil
		}
	}
}

type gqlLexer struct {
	rest string
	at   gqlPlace
}

// cut takes n bytes off and moves the place.
func (l *gqlLexer) cut(n int) string {
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

// span returns the number of bytes at the beginning that are in a set.
func (l *gqlLexer) span(set string) int {
	return len(l.rest) - len(strings.TrimLeft(l.rest, set))
}

const (
	gqlLetters = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	gqlDigits  = "0123456789"
)

func (l *gqlLexer) next() (gqlToken, error) {
	l.skipIgnored()
	token := gqlToken{at: l.at}
	if l.rest == "" {
		return token, nil
	}
	first := l.rest[0]
	switch {
	case strings.IndexByte(gqlLetters, first) >= 0:
		token.kind, token.text = gqlName, l.cut(l.span(gqlLetters+gqlDigits))
	case first == '-' || strings.IndexByte(gqlDigits, first) >= 0:
		token.kind, token.text = gqlNumber, l.cut(l.span("+-.eE"+gqlDigits))
		if !json.Valid([]byte(token.text)) {
			return token, &gqlSyntaxError{fmt.Sprintf("%q", token.text), token.at}
		}
	case first == '"':
		text, err := l.text()
		token.kind, token.text = gqlText, text
		return token, err
	case strings.HasPrefix(l.rest, "..."):
		token.kind, token.text = gqlMark, l.cut(3)
	case strings.IndexByte("!$():=@[]{}|&", first) >= 0:
		token.kind, token.text = gqlMark, l.cut(1)
	default:
		_, size := utf8.DecodeRuneInString(l.rest)
		return token, &gqlSyntaxError{fmt.Sprintf("%q", l.rest[:size]), token.at}
	}
	return token, nil
}

// skipIgnored passes over white space, commas and comments.
func (l *gqlLexer) skipIgnored() {
	for {
		l.cut(l.span(" \t\r\n,\ufeff"))
		if !strings.HasPrefix(l.rest, "#") {
			return
		}
		comment, _, _ := strings.Cut(l.rest, "\n")
		l.cut(len(comment))
	}
}

// text reads a text in quotes or, as it stands, a block text in three quotes.
func (l *gqlLexer) text() (string, error) {
	start := l.at
	if strings.HasPrefix(l.rest, `"""`) {
		end := strings.Index(l.rest[3:], `"""`)
		if end < 0 {
			return "", &gqlSyntaxError{"a text without end", start}
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
				return "", &gqlSyntaxError{"a text with an unknown escape", start}
			}
			return text, nil
		}
	}
	return "", &gqlSyntaxError{"a text without end", start}
}
