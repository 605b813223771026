package markdown

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A piece is a part of a text: HTML, or a run of a character that may emphasize, or a bracket
// that may begin a link. What turns out to be emphasis or a link gets elements around it.
type piece struct {
	html          string
	char          rune // of a run or a bracket, or 0
	run, length   int  // of a run in the source, and of what is left of it
	opens, closes bool
	before, after string // elements that end, and elements that begin here
	plain         string // without elements, for the text that replaces an image
}

func (p *piece) write(out *strings.Builder) {
	out.WriteString(p.before)
	if p.char == '*' || p.char == '_' {
		out.WriteString(strings.Repeat(string(p.char), p.length))
	} else {
		out.WriteString(p.html)
	}
	out.WriteString(p.after)
}

// An inliner renders the text of a block.
type inliner struct {
	text     string
	at       int
	pieces   []*piece
	brackets []int        // the pieces that may begin a link or an image
	noCode   map[int]bool // the lengths of runs of ` that nothing ends
}

// special are the characters that begin or end something.
const special = "\\`*_[]!\n"

// maxBrackets is how many links and images may be begun at once. Further brackets are text.
const maxBrackets = 32

// Inline returns the text of a block as HTML.
func Inline(text string) string {
	in := &inliner{text: text, noCode: make(map[int]bool)}
	for in.at < len(text) {
		in.next()
	}
	in.emphasize(0)
	var out strings.Builder
	for _, p := range in.pieces {
		p.write(&out)
	}
	return out.String()
}

// add adds text of the source as it is.
func (in *inliner) add(text string) {
	escaped := html.EscapeString(text)
	in.pieces = append(in.pieces, &piece{html: escaped, plain: escaped})
}

func (in *inliner) next() {
	rest := in.text[in.at:]
	switch char := rest[0]; char {
	case '\\':
		in.backslash(rest)
	case '`':
		in.code(rest)
	case '*', '_':
		in.run(rest)
	case '[':
		in.bracket("[")
	case '!':
		if strings.HasPrefix(rest, "![") {
			in.bracket("![")
			return
		}
		in.add("!")
		in.at++
	case ']':
		in.link(rest)
	case '\n':
		in.newline()
	default:
		end := strings.IndexAny(rest[1:], special) + 1
		if end == 0 {
			end = len(rest)
		}
		in.add(rest[:end])
		in.at += end
	}
}

func isPunctuation(char byte) bool {
	return char > ' ' && char < utf8.RuneSelf && !unicode.IsLetter(rune(char)) && !unicode.IsDigit(rune(char))
}

func (in *inliner) backslash(rest string) {
	switch {
	case strings.HasPrefix(rest, "\\\n"):
		in.pieces = append(in.pieces, &piece{html: "<br>\n", plain: "\n"})
		in.at += 2
	case len(rest) > 1 && isPunctuation(rest[1]):
		in.add(rest[1:2])
		in.at += 2
	default:
		in.add(rest[:1])
		in.at++
	}
}

// newline is a line break in the source, or in the HTML if two spaces are before it.
func (in *inliner) newline() {
	in.at++
	end := "\n"
	if n := len(in.pieces); n > 0 && in.pieces[n-1].char == 0 {
		last := in.pieces[n-1]
		trimmed := strings.TrimRight(last.html, " ")
		if len(last.html)-len(trimmed) >= 2 {
			end = "<br>\n"
		}
		last.html, last.plain = trimmed, strings.TrimRight(last.plain, " ")
	}
	in.pieces = append(in.pieces, &piece{html: end, plain: "\n"})
}

// runLength returns how often the first character of a text is repeated.
func runLength(text string) int { return len(text) - len(strings.TrimLeft(text, text[:1])) }

func (in *inliner) code(rest string) {
	length := runLength(rest)
	in.at += length
	if in.noCode[length] {
		in.add(rest[:length])
		return
	}
	for at := length; at < len(rest); {
		next := strings.IndexByte(rest[at:], '`')
		if next < 0 {
			break
		}
		at += next
		if found := runLength(rest[at:]); found != length {
			at += found
			continue
		}
		code := strings.ReplaceAll(rest[length:at], "\n", " ")
		if strings.HasPrefix(code, " ") && strings.HasSuffix(code, " ") && strings.Trim(code, " ") != "" {
			code = code[1 : len(code)-1]
		}
		code = html.EscapeString(code)
		in.pieces = append(in.pieces, &piece{html: "<code>" + code + "</code>", plain: code})
		in.at += at
		return
	}
	in.noCode[length] = true
	in.add(rest[:length])
}

// run is a run of * or _, which begins emphasis if a word is to the right of it, and ends it
// if one is to the left. Within a word, _ does neither.
func (in *inliner) run(rest string) {
	length := runLength(rest)
	before, _ := utf8.DecodeLastRuneInString(in.text[:in.at])
	after, _ := utf8.DecodeRuneInString(rest[length:])
	edge := func(char rune) (space, punctuation bool) {
		space = char == utf8.RuneError || unicode.IsSpace(char)
		return space, !space && (unicode.IsPunct(char) || unicode.IsSymbol(char))
	}
	spaceBefore, punctuationBefore := edge(before)
	spaceAfter, punctuationAfter := edge(after)
	left := !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore)
	right := !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter)
	p := &piece{char: rune(rest[0]), run: length, length: length, opens: left, closes: right}
	if rest[0] == '_' {
		p.opens = left && (!right || punctuationBefore)
		p.closes = right && (!left || punctuationAfter)
	}
	if !left && !right {
		p.plain = rest[:length]
	}
	in.pieces = append(in.pieces, p)
	in.at += length
}

// emphasize pairs the runs from a piece on, as CommonMark does it. What it paired or not is
// done with.
func (in *inliner) emphasize(from int) {
	type kind struct {
		char  rune
		opens bool
		mod   int
	}
	bottom := make(map[kind]int) // below which nothing opens for a kind of run
	var open []int               // runs that may begin emphasis
	for i, closer := range in.pieces[from:] {
		if closer.char != '*' && closer.char != '_' {
			continue
		}
		for closer.closes && closer.length > 0 {
			k := kind{closer.char, closer.opens, closer.run % 3}
			at := len(open) - 1
			for ; at >= bottom[k]; at-- {
				if opener := in.pieces[open[at]]; opener.char == closer.char && fits(opener, closer) {
					break
				}
			}
			if at < bottom[k] {
				bottom[k] = len(open)
				break
			}
			opener := in.pieces[open[at]]
			count, name := 1, "em"
			if opener.length >= 2 && closer.length >= 2 {
				count, name = 2, "strong"
			}
			opener.after = "<" + name + ">" + opener.after
			closer.before += "</" + name + ">"
			opener.length -= count
			closer.length -= count
			open = open[:at+1]
			if opener.length == 0 {
				open = open[:at]
			}
			for k, above := range bottom {
				bottom[k] = min(above, len(open))
			}
		}
		if closer.opens && closer.length > 0 {
			open = append(open, from+i)
		}
	}
	for _, p := range in.pieces[from:] {
		p.opens, p.closes = false, false
	}
}

// fits reports whether two runs may be a pair: not if one of them could do both and their
// lengths make three, so that *a**b* is not torn apart.
func fits(opener, closer *piece) bool {
	both := opener.closes || closer.opens
	return !both || (opener.run+closer.run)%3 != 0 || opener.run%3 == 0 && closer.run%3 == 0
}

func (in *inliner) bracket(text string) {
	if len(in.brackets) == maxBrackets {
		in.add(text)
		in.at += len(text)
		return
	}
	in.brackets = append(in.brackets, len(in.pieces))
	in.pieces = append(in.pieces, &piece{html: text, char: '[', plain: text})
	in.at += len(text)
}

// link ends a link or an image, if a bracket is open and an address follows that is safe.
func (in *inliner) link(rest string) {
	in.at++
	open := len(in.brackets) - 1
	if open < 0 {
		in.add("]")
		return
	}
	at := in.brackets[open]
	in.brackets = in.brackets[:open]
	opener := in.pieces[at]
	m := target.FindStringSubmatch(rest[1:min(len(rest), maxTarget)])
	if m == nil || !isSafe(unescaped(m[1]+m[2])) {
		in.add("]")
		return
	}
	in.at += len(m[0])
	address, title := strings.ReplaceAll(html.EscapeString(unescaped(m[1]+m[2])), " ", "%20"), ""
	if text := m[3] + m[4]; text != "" {
		title = ` title="` + html.EscapeString(unescaped(text)) + `"`
	}
	if opener.html == "![" {
		var alt strings.Builder
		for _, p := range in.pieces[at+1:] {
			alt.WriteString(p.plain)
		}
		image := `<img src="` + address + `" alt="` + alt.String() + `"` + title + `>`
		in.pieces = append(in.pieces[:at], &piece{html: image, plain: alt.String()})
		return
	}
	in.emphasize(at + 1)
	opener.html, opener.plain = `<a href="`+address+`"`+title+`>`, ""
	in.pieces = append(in.pieces, &piece{html: "</a>"})
	in.brackets = slices.DeleteFunc(in.brackets, func(outer int) bool { return in.pieces[outer].html == "[" })
}

// maxTarget is how long the address and the title of a link may be.
const maxTarget = 4096

// target matches an address in parentheses, maybe with a title.
var target = regexp.MustCompile(`^\(\s*(?:<([^<>\n]*)>|((?:[^\s()<>\\]|\\.|\((?:[^\s()<>\\]|\\.)*\))*))` +
	`(?:\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'))?\s*\)`)

var escape = regexp.MustCompile("\\\\([!-/:-@[-`{-~])")

// unescaped returns a text without the backslashes before punctuation.
func unescaped(text string) string { return escape.ReplaceAllString(text, "$1") }

// isSafe reports whether an address is relative or has a scheme that runs nothing.
func isSafe(address string) bool {
	if strings.ContainsFunc(address, unicode.IsControl) {
		return false
	}
	scheme, _, hasScheme := strings.Cut(address, ":")
	if !hasScheme || strings.ContainsAny(scheme, "/?#") {
		return true
	}
	return slices.Contains([]string{"http", "https", "mailto"}, strings.ToLower(scheme))
}
