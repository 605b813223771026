package ciconfig

import (
	"regexp"
	"strconv"
	"strings"
)

// Print writes a value as YAML, with aliases replaced by their values.
func Print(n *Node) string {
	var out strings.Builder
	out.WriteString("---\n")
	out.WriteString(strings.TrimPrefix(printed(n, 0, false), "\n"))
	return out.String()
}

// printed returns a value as it follows a key or a dash, with its line break.
func printed(n *Node, indent int, afterDash bool) string {
	switch {
	case n.isMap() && len(n.keys) > 0:
		return printedMap(n, indent, afterDash)
	case n.isMap():
		return " {}\n"
	case n != nil && n.isList && len(n.items) > 0:
		return printedList(n, indent, afterDash)
	case n != nil && n.isList:
		return " []\n"
	}
	return printedText(n, indent)
}

func printedMap(n *Node, indent int, afterDash bool) string {
	var out strings.Builder
	for i, key := range n.keys {
		switch {
		case i == 0 && afterDash:
			out.WriteString(" ")
		case i == 0:
			out.WriteString("\n" + spaces(indent))
		default:
			out.WriteString(spaces(indent))
		}
		value := n.values[key]
		inner := indent + 2
		if value != nil && value.isList {
			inner = indent
		}
		out.WriteString(inLine(key) + ":" + printed(value, inner, false))
	}
	return out.String()
}

func printedList(n *Node, indent int, afterDash bool) string {
	var out strings.Builder
	for i, item := range n.items {
		switch {
		case i == 0 && afterDash:
			out.WriteString(" ")
		case i == 0:
			out.WriteString("\n" + spaces(indent))
		default:
			out.WriteString(spaces(indent))
		}
		out.WriteString("-" + printed(item, indent+2, true))
	}
	return out.String()
}

func spaces(n int) string { return strings.Repeat(" ", n) }

var (
	// plainly matches strings that need no quotes.
	plainly = regexp.MustCompile(`^[A-Za-z_./$(][^\x00-\x1f\x7f\x{85}\x{a0}\x{2028}\x{2029}\x{feff}]*$`)
	// other matches strings that would not stay strings without quotes.
	other = regexp.MustCompile(`^(?i:null|true|false|yes|no|on|off|y|n)$|: |:$| #|^\s|\s$|^\.[0-9]|^\.(?i:inf|nan)$`)
	// marked matches strings that need quotes in some places, but not in brackets.
	marked = regexp.MustCompile("^[][{},#&*!|>'\"%@`]|^[-?:](\\s|$)|: |:$|\\s#|^(---|\\.\\.\\.)")
	// inBlock matches strings that can be written below |.
	inBlock = regexp.MustCompile(`^[^\s\x00-\x1f\x7f][^\x00-\x09\x0b-\x1f\x7f\x{85}\x{2028}\x{2029}\x{feff}]*$`)
)

func printedText(n *Node, indent int) string {
	switch {
	case n == nil || n.text == "" && !n.quoted:
		return "\n"
	case !n.quoted && (n.isNull() || !marked.MatchString(n.text)):
		return " " + n.text + "\n"
	case strings.Contains(n.text, "\n") && inBlock.MatchString(n.text):
		body, ends := strings.TrimRight(n.text, "\n"), 0
		ends = len(n.text) - len(body)
		header := map[int]string{0: " |-\n", 1: " |\n"}[ends]
		if header == "" {
			header = " |+\n"
		}
		lines := strings.Split(body, "\n")
		for i, line := range lines {
			if line != "" {
				lines[i] = spaces(max(indent, 2)) + line
			}
		}
		return header + strings.Join(lines, "\n") + strings.Repeat("\n", max(ends, 1))
	}
	return " " + inLine(n.text) + "\n"
}

// inLine writes a string on one line.
func inLine(text string) string {
	if plainly.MatchString(text) && !other.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}
