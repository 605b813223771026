// Package markdown renders a subset of Markdown as HTML, as the service shows descriptions
// and pages of wikis.
//
// It knows paragraphs, headings, block quotes, lists within lists, fenced code, breaks
// between topics, and within text emphasis, strong emphasis, code, links, images, hard line
// breaks and backslashes. HTML and entities are shown as text. Code that is only indented,
// tables, tasks, footnotes, definitions of links and bare URLs are text like any other.
//
// Whatever it gets, the result is well formed, and every character of the source that could be
// HTML is escaped. Links and images lead only to http, https, mailto and relative addresses.
package markdown

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// maxDepth is how many lists and quotes may be within each other. What is deeper is text.
const maxDepth = 16

// Render returns a text as HTML. Its blocks are separated by line breaks.
func Render(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(text)
	return strings.Join(blocks(strings.Split(text, "\n"), 0, false), "\n")
}

var (
	heading   = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	underline = regexp.MustCompile(`^ {0,3}(?:(=+)|-+)[ \t]*$`)
	topics    = regexp.MustCompile(`^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	fence     = regexp.MustCompile("^( {0,3})(`{3,}|~{3,})[ \t]*([^\\s`]*)[^`]*$")
	quoted    = regexp.MustCompile(`^ {0,3}> ?`)
	item      = regexp.MustCompile(`^( {0,3})([-+*]|[0-9]{1,9}[.)])([ \t].*|)$`)
)

// blocks returns the HTML of each block. The paragraphs of a tight list have no element.
func blocks(lines []string, depth int, tight bool) (out []string) {
	for len(lines) > 0 {
		line := lines[0]
		rest := lines[1:]
		var block string
		switch {
		case isBlank(line):
			lines = rest
			continue
		case fence.MatchString(line):
			block, rest = fencedCode(lines)
		case heading.MatchString(line):
			m := heading.FindStringSubmatch(line)
			block = element(fmt.Sprint("h", len(m[1])), Inline(strings.TrimSpace(m[2])))
		case topics.MatchString(line):
			block = "<hr>"
		case depth < maxDepth && quoted.MatchString(line):
			block, rest = quote(lines, depth)
		case depth < maxDepth && item.MatchString(line):
			block, rest = list(lines, depth)
		default:
			block, rest = paragraph(lines, tight)
		}
		out = append(out, block)
		lines = rest
	}
	return out
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// element returns a block whose direction the browser finds out, as the service writes it.
func element(name, content string) string {
	return "<" + name + ` dir="auto">` + content + "</" + name + ">"
}

// interrupts reports whether a line ends the paragraph above it. Of the numbered lists, only
// one that begins with 1 does, because a line may begin with a year.
func interrupts(line string) bool {
	if m := item.FindStringSubmatch(line); m != nil {
		return !isBlank(m[3]) && (len(m[2]) == 1 || m[2] == "1." || m[2] == "1)")
	}
	return isBlank(line) || heading.MatchString(line) || topics.MatchString(line) || fence.MatchString(line) ||
		quoted.MatchString(line)
}

func paragraph(lines []string, tight bool) (block string, rest []string) {
	text := []string{strings.TrimLeft(lines[0], " \t")}
	for rest = lines[1:]; len(rest) > 0; rest = rest[1:] {
		if m := underline.FindStringSubmatch(rest[0]); m != nil {
			name := "h2"
			if m[1] != "" {
				name = "h1"
			}
			return element(name, Inline(strings.TrimSpace(strings.Join(text, "\n")))), rest[1:]
		}
		if interrupts(rest[0]) {
			break
		}
		text = append(text, strings.TrimLeft(rest[0], " \t"))
	}
	content := Inline(strings.TrimRight(strings.Join(text, "\n"), " \t\n"))
	if tight {
		return content, rest
	}
	return element("p", content), rest
}

func fencedCode(lines []string) (block string, rest []string) {
	m := fence.FindStringSubmatch(lines[0])
	indent, marker, language := len(m[1]), m[2], m[3]
	var code strings.Builder
	rest = lines[1:]
	for len(rest) > 0 {
		line := rest[0]
		rest = rest[1:]
		if end := strings.TrimSpace(line); len(end) >= len(marker) && strings.Trim(end, marker[:1]) == "" &&
			columns(line) < 4 {
			break
		}
		code.WriteString(html.EscapeString(outdent(line, min(indent, columns(line)))) + "\n")
	}
	if language != "" {
		language = ` class="language-` + html.EscapeString(language) + `"`
	}
	return "<pre><code" + language + ">" + code.String() + "</code></pre>", rest
}

func quote(lines []string, depth int) (block string, rest []string) {
	var inner []string
	for rest = lines; len(rest) > 0; rest = rest[1:] {
		line := rest[0]
		switch mark := quoted.FindString(line); {
		case mark != "":
			inner = append(inner, line[len(mark):])
			continue
		case !interrupts(line) && !isBlank(inner[len(inner)-1]):
			inner = append(inner, line) // continues the paragraph in the quote
			continue
		}
		break
	}
	return "<blockquote>\n" + strings.Join(blocks(inner, depth+1, false), "\n") + "\n</blockquote>", rest
}

// columns returns the width of the white space before the text of a line.
func columns(line string) (width int) {
	for _, char := range line {
		switch char {
		case ' ':
			width++
		case '\t':
			width += 4 - width%4
		default:
			return width
		}
	}
	return width
}

// outdent removes columns of white space, of which the line has as many.
func outdent(line string, count int) string {
	width := 0
	for i := range len(line) {
		switch {
		case width >= count:
			return strings.Repeat(" ", width-count) + line[i:]
		case line[i] == '\t':
			width += 4 - width%4
		default:
			width++
		}
	}
	return ""
}
