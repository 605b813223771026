package ciconfig

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Node is a value in YAML: a map, a list or a string. Null is an unquoted string.
type Node struct {
	keys   []string // of a map, in order
	values map[string]*Node
	items  []*Node // of a list
	isList bool
	text   string
	quoted bool // the string cannot mean null, a number or a boolean
	size   int  // number of values in it, including those of aliases
}

func (n *Node) isMap() bool  { return n != nil && n.values != nil }
func (n *Node) isText() bool { return n != nil && n.values == nil && !n.isList }
func (n *Node) isNull() bool {
	return n == nil || n.isText() && !n.quoted && slices.Contains([]string{"", "~", "null", "Null", "NULL"}, n.text)
}

// get returns the value of a key, or nil.
func (n *Node) get(key string) *Node {
	if !n.isMap() {
		return nil
	}
	return n.values[key]
}

func newMap() *Node { return &Node{values: map[string]*Node{}} }

// set adds a key, or replaces its value.
func (n *Node) set(key string, value *Node) {
	if _, exists := n.values[key]; !exists {
		n.keys = append(n.keys, key)
	}
	n.values[key] = value
	n.size += 1 + value.size
}

func (n *Node) add(item *Node) {
	n.items = append(n.items, item)
	n.size += 1 + item.size
}

const (
	maxDepth = 100
	maxSize  = 100_000 // values, so that aliases of aliases cannot grow without limit
)

// errOpen means that a flow collection or a quoted string continues on the next line.
var errOpen = errors.New("is not closed")

// notUnderstood is the error for YAML that this package does not support.
func notUnderstood(what string) error { return fmt.Errorf("servicetest does not understand %s", what) }

type parser struct {
	lines   []string
	at      int
	depth   int
	anchors map[string]*Node
}

// control matches characters that a string can have only as escapes.
var control = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f]`)

// Parse reads YAML. Errors have the number of the line.
func Parse(content string) (*Node, error) {
	content = strings.TrimPrefix(strings.ReplaceAll(content, "\r\n", "\n"), "\ufeff")
	p := &parser{lines: strings.Split(strings.TrimSuffix(content, "\n"), "\n"), anchors: map[string]*Node{}}
	if !utf8.ValidString(content) || control.MatchString(content) {
		return nil, errors.New("a control character, or not UTF-8")
	}
	root, err := p.document()
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", min(p.at+1, len(p.lines)), err)
	}
	return root, nil
}

func (p *parser) document() (*Node, error) {
	_, text, ok, err := p.peek()
	if err != nil {
		return nil, err
	}
	if ok && text == "---" {
		p.at++
	}
	indent, _, ok, err := p.peek()
	if err != nil || !ok {
		return &Node{}, err
	}
	root, err := p.block(indent)
	if err != nil {
		return nil, err
	}
	if _, _, more, err := p.peek(); more || err != nil {
		return nil, cmp.Or(err, errors.New("the indentation fits nothing before"))
	}
	return root, nil
}

// peek moves to the next line that is not empty, and returns it.
func (p *parser) peek() (indent int, text string, ok bool, err error) {
	for ; p.at < len(p.lines); p.at++ {
		line := strings.TrimRight(p.lines[p.at], " \t")
		text := strings.TrimLeft(line, " ")
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
			continue
		case strings.HasPrefix(text, "\t"):
			return 0, "", false, errors.New("a tab cannot be part of the indentation")
		case strings.HasPrefix(line, "%"):
			return 0, "", false, notUnderstood("directives")
		case p.at > 0 && p.started() && (line == "---" || strings.HasPrefix(line, "--- ") || line == "..."):
			return 0, "", false, notUnderstood("several documents")
		}
		return len(line) - len(text), text, true, nil
	}
	return 0, "", false, nil
}

// started reports whether a line before this one is not empty.
func (p *parser) started() bool {
	return slices.ContainsFunc(p.lines[:p.at], func(line string) bool {
		line = strings.TrimSpace(line)
		return line != "" && !strings.HasPrefix(line, "#")
	})
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// block reads a map, a list or a string that begins with this indentation.
func (p *parser) block(indent int) (*Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errors.New("too many levels")
	}
	defer func() { p.depth-- }()
	_, text, _, err := p.peek()
	if err != nil {
		return nil, err
	}
	if isItem(text) {
		return p.list(indent)
	}
	if _, _, isEntry, err := splitEntry(text); isEntry || err != nil {
		return p.mapping(indent)
	}
	p.at++
	return p.value(text, indent-1, false)
}

func (p *parser) list(indent int) (*Node, error) {
	n := &Node{isList: true}
	for {
		i, text, ok, err := p.peek()
		switch {
		case err != nil:
			return nil, err
		case !ok || i < indent || i == indent && !isItem(text):
			return n, nil
		case i > indent:
			return nil, errors.New("the indentation fits nothing before")
		}
		item, err := p.item(indent, text)
		if err != nil {
			return nil, err
		}
		n.add(item)
	}
}

// item reads an item of a list. A block may begin right after the dash.
func (p *parser) item(indent int, text string) (*Node, error) {
	rest := strings.TrimLeft(text[1:], " ")
	_, _, isEntry, err := splitEntry(rest)
	if err != nil {
		return nil, err
	}
	if rest != "" && (isItem(rest) || isEntry) {
		inner := indent + len(text) - len(rest)
		p.lines[p.at] = strings.Repeat(" ", inner) + rest
		return p.block(inner)
	}
	p.at++
	return p.value(rest, indent, false)
}

func (p *parser) mapping(indent int) (*Node, error) {
	n := newMap()
	for {
		i, text, ok, err := p.peek()
		switch {
		case err != nil:
			return nil, err
		case !ok || i < indent:
			return n, nil
		case i > indent:
			return nil, errors.New("the indentation fits nothing before")
		}
		key, rest, isEntry, err := splitEntry(text)
		if err != nil || !isEntry {
			return nil, cmp.Or(err, errors.New("a key with a colon is expected"))
		}
		p.at++
		value, err := p.value(rest, indent, true)
		if err != nil {
			return nil, err
		}
		if err := n.enter(key, value); err != nil {
			return nil, err
		}
		if n.size > maxSize {
			return nil, errors.New("the aliases stand for too much")
		}
	}
}

// enter adds an entry to a map. The key << adds the entries of other maps, but keeps
// those that exist.
func (n *Node) enter(key string, value *Node) error {
	if key != "<<" {
		n.set(key, value)
		return nil
	}
	maps := []*Node{value}
	if value.isList {
		maps = value.items
	}
	for _, m := range maps {
		if !m.isMap() {
			return errors.New("<< needs a map")
		}
		for _, key := range m.keys {
			if n.get(key) == nil {
				n.set(key, m.values[key])
			}
		}
	}
	return nil
}

// splitEntry splits an entry of a map into the key and the rest of the line.
func splitEntry(text string) (key, rest string, ok bool, err error) {
	switch {
	case text == "?" || strings.HasPrefix(text, "? "):
		return "", "", false, notUnderstood("complex keys")
	case strings.HasPrefix(text, `"`), strings.HasPrefix(text, "'"):
		n, after, err := quotedText(text)
		after = strings.TrimLeft(after, " ")
		if err != nil || after != ":" && !strings.HasPrefix(after, ": ") {
			return "", "", false, nil // a string, perhaps on several lines
		}
		return n.text, strings.TrimLeft(after[1:], " "), true, nil
	case strings.HasPrefix(text, "["), strings.HasPrefix(text, "{"), strings.HasPrefix(text, "#"), text == "":
		return "", "", false, nil
	}
	text = withoutComment(text)
	if before, after, found := strings.Cut(text, ": "); found {
		return strings.TrimRight(before, " "), strings.TrimLeft(after, " "), true, nil
	}
	if before, found := strings.CutSuffix(text, ":"); found {
		return strings.TrimRight(before, " "), "", true, nil
	}
	return "", "", false, nil
}

// withoutComment cuts off a comment. A # in quotes does not begin one.
func withoutComment(text string) string {
	quote := rune(0)
	before := ' '
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote && before != '\\' {
				quote = 0
			}
		case (c == '"' || c == '\'') && (before == ' ' || before == '[' || before == '{' || before == ','):
			quote = c
		case c == '#' && (before == ' ' || before == '\t'):
			return strings.TrimRight(text[:i], " \t")
		}
		before = c
	}
	return strings.TrimRight(text, " \t")
}

var properties = regexp.MustCompile(`^&([^\s\[\]{},]+)(?:\s+|$)`)

// value reads what follows a key or a dash, on this line and the next ones. These must
// be indented more than the parent, except for a list below a key.
func (p *parser) value(rest string, parent int, ofKey bool) (*Node, error) {
	if m := properties.FindStringSubmatch(rest); m != nil {
		n, err := p.value(rest[len(m[0]):], parent, ofKey)
		p.anchors[m[1]] = n
		return n, err
	}
	if isBlockText(rest) {
		return p.blockText(withoutComment(rest), parent)
	}
	if strings.HasPrefix(rest, "#") || rest == "" {
		return p.below(parent, ofKey)
	}
	switch rest[0] {
	case '!':
		p.at--
		return nil, notUnderstood("tags such as " + strings.Fields(rest)[0])
	case '*':
		n, ok := p.anchors[withoutComment(rest)[1:]]
		if !ok {
			p.at--
			return nil, fmt.Errorf("the alias %s is not defined", withoutComment(rest))
		}
		return n, nil
	case '[', '{', '"', '\'':
		return p.flowLines(rest, parent)
	case '@', '`', '%', '|', '>':
		p.at--
		return nil, fmt.Errorf("a text cannot start with %c", rest[0])
	}
	return p.plainLines(withoutComment(rest), parent)
}

// below reads the block below a key or a dash, or null if there is none.
func (p *parser) below(parent int, ofKey bool) (*Node, error) {
	indent, text, ok, err := p.peek()
	switch {
	case err != nil:
		return nil, err
	case ok && (indent > parent || ofKey && indent == parent && isItem(text)):
		return p.block(indent)
	}
	return &Node{}, nil
}

// plainLines reads a string without quotes, which may continue on the next lines.
func (p *parser) plainLines(text string, parent int) (*Node, error) {
	for {
		if strings.Contains(text, ": ") || strings.HasSuffix(text, ":") {
			p.at--
			return nil, errors.New("a key is not expected here")
		}
		indent, more, ok, err := p.peek()
		if err != nil {
			return nil, err
		}
		if !ok || indent <= parent {
			return &Node{text: text}, nil
		}
		text += " " + withoutComment(more)
		p.at++
	}
}

// flowLines reads a flow collection or a quoted string, which may continue on the next
// lines.
func (p *parser) flowLines(text string, parent int) (*Node, error) {
	for {
		f := &flow{text: text, anchors: p.anchors}
		n, err := f.value()
		if err == nil {
			if rest := strings.TrimSpace(f.text); rest != "" && !strings.HasPrefix(rest, "#") {
				p.at--
				return nil, fmt.Errorf("%q is not expected here", rest)
			}
			return n, nil
		}
		indent, more, ok, peekErr := p.peek()
		if !errors.Is(err, errOpen) || !ok || peekErr != nil || indent <= parent {
			p.at--
			return nil, err
		}
		text = withoutComment(text) + " " + more
		p.at++
	}
}

var blockHeader = regexp.MustCompile(`^[|>]([+-]?)([1-9]?)([+-]?)$`)

func isBlockText(rest string) bool {
	return rest != "" && blockHeader.MatchString(withoutComment(rest))
}

// blockText reads a string below | or >.
func (p *parser) blockText(header string, parent int) (*Node, error) {
	m := blockHeader.FindStringSubmatch(header)
	indent := 0
	if m[2] != "" {
		indent = max(parent, 0) + int(m[2][0]-'0')
	}
	var lines []string
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		text := strings.TrimLeft(line, " ")
		if strings.TrimSpace(text) == "" && (indent == 0 || len(line) <= indent) {
			lines = append(lines, "")
			continue
		}
		if indent == 0 {
			indent = max(len(line)-len(text), parent+1)
		}
		if len(line)-len(text) < indent {
			break
		}
		lines = append(lines, line[indent:])
	}
	end := len(lines)
	for end > 0 && lines[end-1] == "" {
		end--
	}
	body := strings.Join(lines[:end], "\n")
	if header[0] == '>' {
		body = folded(lines[:end])
	}
	switch {
	case m[1] == "+" || m[3] == "+":
		body += strings.Repeat("\n", len(lines)-end+1)
	case m[1] == "" && m[3] == "" && end > 0:
		body += "\n"
	}
	return &Node{text: body, quoted: true}, nil
}

// folded joins lines, but keeps the breaks around indented and empty lines.
func folded(lines []string) string {
	var out strings.Builder
	indented := func(line string) bool { return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") }
	for i, line := range lines {
		if i > 0 {
			switch {
			case line == "":
				out.WriteByte('\n')
				continue
			case lines[i-1] == "":
				if indented(line) {
					out.WriteByte('\n')
				}
			case indented(line) || indented(lines[i-1]):
				out.WriteByte('\n')
			default:
				out.WriteByte(' ')
			}
		}
		out.WriteString(line)
	}
	return out.String()
}
