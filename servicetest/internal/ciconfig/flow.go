package ciconfig

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A flow reads values in brackets, braces or quotes.
type flow struct {
	text    string
	depth   int
	anchors map[string]*Node
}

func (f *flow) skip() { f.text = strings.TrimLeft(f.text, " ") }

func (f *flow) value() (*Node, error) {
	f.skip()
	if f.depth++; f.depth > maxDepth {
		return nil, errors.New("too many levels")
	}
	defer func() { f.depth-- }()
	switch {
	case f.text == "":
		return nil, errOpen
	case f.text[0] == '[':
		return f.list()
	case f.text[0] == '{':
		return f.mapping()
	case f.text[0] == '"', f.text[0] == '\'':
		n, rest, err := quotedText(f.text)
		f.text = rest
		return n, err
	case f.text[0] == '!', f.text[0] == '&':
		return nil, notUnderstood("tags and anchors in brackets")
	case f.text[0] == '*':
		name := f.plain()
		n, ok := f.anchors[name[1:]]
		if !ok {
			return nil, fmt.Errorf("the alias %s is not defined", name)
		}
		return n, nil
	}
	return &Node{text: f.plain()}, nil
}

// plain reads a string without quotes.
func (f *flow) plain() string {
	end := len(f.text)
	if i := strings.IndexAny(f.text, ",[]{}"); i >= 0 {
		end = i
	}
	if i := strings.Index(f.text[:end], ": "); i >= 0 {
		end = i
	} else if strings.HasSuffix(f.text[:end], ":") {
		end--
	}
	text := strings.TrimSpace(f.text[:end])
	f.text = f.text[end:]
	return text
}

// next reads the comma before the next value, or the end.
func (f *flow) next(end byte, first bool) (more bool, err error) {
	f.skip()
	if f.text == "" {
		return false, errOpen
	}
	if f.text[0] == end {
		f.text = f.text[1:]
		return false, nil
	}
	if !first {
		if f.text[0] != ',' {
			return false, fmt.Errorf("%q is not expected here", f.text)
		}
		f.text = f.text[1:]
		if f.skip(); f.text != "" && f.text[0] == end {
			f.text = f.text[1:]
			return false, nil
		}
	}
	return true, nil
}

func (f *flow) list() (*Node, error) {
	n := &Node{isList: true}
	f.text = f.text[1:]
	for first := true; ; first = false {
		more, err := f.next(']', first)
		if err != nil || !more {
			return n, err
		}
		item, err := f.value()
		if err != nil {
			return nil, err
		}
		if f.skip(); strings.HasPrefix(f.text, ":") {
			return nil, notUnderstood("an entry of a map in a list in brackets")
		}
		if n.add(item); n.size > maxSize {
			return nil, errors.New("the aliases stand for too much")
		}
	}
}

func (f *flow) mapping() (*Node, error) {
	n := newMap()
	f.text = f.text[1:]
	for first := true; ; first = false {
		more, err := f.next('}', first)
		if err != nil || !more {
			return n, err
		}
		key, err := f.value()
		if err != nil {
			return nil, err
		}
		f.skip()
		switch {
		case f.text == "":
			return nil, errOpen
		case !key.isText() || f.text[0] != ':':
			return nil, errors.New("a key with a colon is expected")
		}
		f.text = f.text[1:]
		value := &Node{}
		if f.skip(); f.text == "" || f.text[0] != ',' && f.text[0] != '}' {
			if value, err = f.value(); err != nil {
				return nil, err
			}
		}
		if err := n.enter(key.text, value); err != nil {
			return nil, err
		}
		if n.size > maxSize {
			return nil, errors.New("the aliases stand for too much")
		}
	}
}

// quotedText reads a string in quotes and returns what follows.
func quotedText(text string) (n *Node, rest string, err error) {
	if text[0] == '\'' {
		var out strings.Builder
		for rest := text[1:]; ; {
			before, after, found := strings.Cut(rest, "'")
			out.WriteString(before)
			if !found {
				return nil, "", errOpen
			}
			if !strings.HasPrefix(after, "'") {
				return &Node{text: out.String(), quoted: true}, after, nil
			}
			out.WriteByte('\'')
			rest = after[1:]
		}
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			plain, err := unescape(text[1:i])
			return &Node{text: plain, quoted: true}, text[i+1:], err
		}
	}
	return nil, "", errOpen
}

var (
	escape  = regexp.MustCompile(`\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|(?s:.))`)
	escapes = map[string]string{
		"0": "\x00", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b", " ": " ",
		`"`: `"`, "/": "/", `\`: `\`, "N": "\u0085", "_": "\u00a0", "L": "\u2028", "P": "\u2029",
	}
)

func unescape(text string) (string, error) {
	var problem error
	text = escape.ReplaceAllStringFunc(text, func(found string) string {
		if plain, ok := escapes[found[1:]]; ok {
			return plain
		}
		code, err := strconv.ParseUint(found[2:], 16, 32)
		if err != nil || len(found) < 4 {
			problem = fmt.Errorf("%s is no escape", found)
		}
		return string(rune(code))
	})
	return text, problem
}
