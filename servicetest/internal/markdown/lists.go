package markdown

import (
	"strings"
)

// A listItem is an item of a list, and what is needed to find its end.
type listItem struct {
	marker string // the last character of what the item begins with: - + * . )
	number string // of a numbered list
	indent int    // how far its text is from the left
	first  string // the text of its first line
}

// itemOf returns the item that begins in a line, or nil.
func itemOf(line string) *listItem {
	m := item.FindStringSubmatch(line)
	if m == nil || topics.MatchString(line) {
		return nil
	}
	found := &listItem{marker: m[2][len(m[2])-1:], number: m[2][:len(m[2])-1], indent: len(m[1]) + len(m[2])}
	space := columns(m[3])
	if isBlank(m[3]) || space > 4 {
		space = 1
	}
	if !isBlank(m[3]) {
		found.first = outdent(m[3], space)
	}
	found.indent += space
	return found
}

// list returns a list with all of its items. It is loose, and has paragraphs, if a blank line
// is between two items, or between two blocks of one.
func list(lines []string, depth int) (block string, rest []string) {
	kind := itemOf(lines[0])
	var items [][]string
	loose := false
	for rest = lines; len(rest) > 0; {
		next := itemOf(rest[0])
		if next == nil || next.marker != kind.marker {
			break
		}
		inner, after := next.lines(rest)
		rest = after
		content := strings.TrimRight(strings.Join(inner, "\n"), " \t\n")
		loose = loose || separated(content)
		trailing := len(inner) > 1 && isBlank(inner[len(inner)-1])
		if next := firstItem(rest); trailing && next != nil && next.marker == kind.marker {
			loose = true
		}
		items = append(items, strings.Split(content, "\n"))
	}
	var out strings.Builder
	name, start := "ul", ""
	if kind.number != "" {
		name = "ol"
		if number := strings.TrimLeft(kind.number, "0"); number != "1" {
			start = ` start="` + max(number, "0") + `"`
		}
	}
	out.WriteString("<" + name + start + ` dir="auto">` + "\n")
	for _, inner := range items {
		content := strings.Join(blocks(inner, depth+1, !loose), "\n")
		if loose && content != "" {
			content = "\n" + content + "\n"
		}
		out.WriteString("<li>" + content + "</li>\n")
	}
	out.WriteString("</" + name + ">")
	return out.String(), rest
}

func firstItem(lines []string) *listItem {
	if len(lines) == 0 {
		return nil
	}
	return itemOf(lines[0])
}

// separated reports whether a blank line is between two blocks of an item that are not within
// another list or code.
func separated(content string) bool {
	blank, fenced := false, ""
	for line := range strings.SplitSeq(content, "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case fenced != "":
			if m != nil && strings.HasPrefix(m[2], fenced) && m[3] == "" {
				fenced = ""
			}
		case isBlank(line):
			blank = true
		case blank && columns(line) == 0:
			return true
		case m != nil:
			fenced = m[2]
		}
	}
	return false
}

// lines returns the lines of an item without its indent, and what comes after it.
func (i *listItem) lines(lines []string) (inner, rest []string) {
	inner = []string{i.first}
	for rest = lines[1:]; len(rest) > 0; rest = rest[1:] {
		line := rest[0]
		switch last := inner[len(inner)-1]; {
		case isBlank(line):
			if len(inner) == 1 && isBlank(i.first) {
				return inner, rest // an item does not begin with two blank lines
			}
			inner = append(inner, "")
		case columns(line) >= i.indent:
			inner = append(inner, outdent(line, i.indent))
		case !isBlank(last) && !interrupts(line) && itemOf(line) == nil:
			inner = append(inner, line) // continues the paragraph in the item
		default:
			return inner, rest
		}
	}
	return inner, rest
}
