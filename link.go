package serviceapi

import (
	"errors"
	"strings"
)

// link is one element of a Link header (RFC 8288).
type link struct {
	target string
	rels   []string
}

var errBadLink = errors.New("the Link header is malformed")

// parseLinks reads all lines of a Link header.
func parseLinks(lines []string) ([]link, error) {
	var links []link
	for _, line := range lines {
		p := linkParser{rest: line}
		for p.skip(" \t,"); p.rest != ""; p.skip(" \t,") {
			l, ok := p.link()
			if !ok {
				return nil, errBadLink
			}
			links = append(links, l)
		}
	}
	return links, nil
}

// nextLink returns the target of the link with the relation next.
func nextLink(lines []string) (target string, found bool, err error) {
	links, err := parseLinks(lines)
	if err != nil {
		return "", false, err
	}
	for _, l := range links {
		for _, rel := range l.rels {
			if !strings.EqualFold(rel, "next") {
				continue
			}
			if found && target != l.target {
				return "", false, errors.New("the Link header has two next pages")
			}
			target, found = l.target, true
		}
	}
	return target, found, nil
}

type linkParser struct {
	rest string
}

func (p *linkParser) skip(chars string) { p.rest = strings.TrimLeft(p.rest, chars) }

func (p *linkParser) take(char byte) bool {
	if p.rest == "" || p.rest[0] != char {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// link parses "<target>; name=value; …" up to the next comma.
func (p *linkParser) link() (link, bool) {
	if !p.take('<') {
		return link{}, false
	}
	target, rest, ok := strings.Cut(p.rest, ">")
	if !ok {
		return link{}, false
	}
	p.rest = rest
	l := link{target: strings.TrimSpace(target)}
	for {
		p.skip(" \t")
		if p.rest == "" || p.rest[0] == ',' {
			return l, true
		}
		if !p.take(';') {
			return link{}, false
		}
		name, value, ok := p.param()
		if !ok {
			return link{}, false
		}
		// The first rel counts; later ones are ignored (RFC 8288, 3.3).
		if strings.EqualFold(name, "rel") && l.rels == nil {
			l.rels = strings.Fields(value)
		}
	}
}

// param reads "name", "name=token" or `name="text"`.
func (p *linkParser) param() (name, value string, ok bool) {
	p.skip(" \t")
	end := strings.IndexAny(p.rest, "=;, \t")
	if end < 0 {
		end = len(p.rest)
	}
	name, p.rest = p.rest[:end], p.rest[end:]
	p.skip(" \t")
	if !p.take('=') {
		return name, "", true
	}
	p.skip(" \t")
	if p.take('"') {
		value, ok = p.quoted()
		return name, value, ok
	}
	end = strings.IndexAny(p.rest, ";, \t")
	if end < 0 {
		end = len(p.rest)
	}
	value, p.rest = p.rest[:end], p.rest[end:]
	return name, value, true
}

// quoted reads up to the closing quote and removes backslashes.
func (p *linkParser) quoted() (string, bool) {
	var b strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '"':
			p.rest = p.rest[i+1:]
			return b.String(), true
		case '\\':
			if i++; i == len(p.rest) {
				return "", false
			}
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
