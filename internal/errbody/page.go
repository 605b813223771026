package errbody

import (
	"bytes"
	"html"
	"net/http"
	"strings"
)

// IsWebPage reports whether a body is a web page, which the API never sends. An empty body is
// none, whatever its type: services declare one as HTML that has nothing to say.
func IsWebPage(body []byte, contentType string) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 0 && isHTML(body, contentType) && Parse(body, contentType).Page
}

// isHTML tells a web page from the XML that stores of objects send. Proxies do not always
// declare what they send, so the beginning of the page counts, too.
func isHTML(body []byte, contentType string) bool {
	if strings.Contains(strings.ToLower(contentType), "html") {
		return true
	}
	body = bytes.TrimPrefix(body, []byte("\uFEFF"))
	if bytes.HasPrefix(body, []byte("<?xml")) {
		return bytes.Contains(bytes.ToLower(body[:min(len(body), 1024)]), []byte("<html"))
	}
	return strings.HasPrefix(http.DetectContentType(body), "text/html")
}

// isPage tells a page from plain text that begins with a comparison.
func isPage(body []byte) bool {
	if len(body) < 2 || body[0] != '<' {
		return false
	}
	c := body[1] | 0x20
	return c >= 'a' && c <= 'z' || body[1] == '!' || body[1] == '?'
}

// pageText returns the readable text of a page: its title, or else its body.
func pageText(page []byte) string {
	text := string(page[:min(len(page), 64<<10)])
	if _, inside, _, ok := cutElement(text, "title"); ok {
		if title := words(inside); title != "" {
			return title
		}
	}
	for _, hidden := range []string{"script", "style"} {
		text = without(text, hidden)
	}
	return words(withoutTags(text))
}

// cutElement divides a text at the first element with a name: into what is before
// it, inside of it, and after it.
func cutElement(text, name string) (before, inside, after string, found bool) {
	begin := indexTag(text, "<"+name)
	if begin < 0 {
		return text, "", "", false
	}
	_, rest, closed := strings.Cut(text[begin:], ">")
	end := indexTag(rest, "</"+name)
	if !closed || end < 0 {
		return text, "", "", false
	}
	_, after, _ = strings.Cut(rest[end:], ">")
	return text[:begin], rest[:end], after, true
}

// indexTag returns where a tag begins that has this name in any case, -1 if there is none.
func indexTag(text, tag string) int {
	for from := 0; ; from++ {
		next := strings.IndexByte(text[from:], '<')
		if next < 0 || len(text)-from-next < len(tag) {
			return -1
		}
		from += next
		if after := text[from+len(tag):]; strings.EqualFold(text[from:from+len(tag)], tag) && !beginsWithLetter(after) {
			return from
		}
	}
}

func beginsWithLetter(s string) bool { return s != "" && s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' }

// without removes all elements with a name.
func without(text, name string) string {
	var b strings.Builder
	for {
		before, _, after, found := cutElement(text, name)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		text = after
	}
}

func withoutTags(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<")
		b.WriteString(before + " ")
		_, after, closed := strings.Cut(rest, ">")
		switch {
		case !found:
			return b.String()
		case !closed:
			b.WriteString("<" + rest)
			return b.String()
		}
		text = after
	}
}

func words(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(strings.ToValidUTF8(text, "\uFFFD"))), " ")
}
