package frame

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

const maxQuoted = 2 << 10 // bytes of each body in a transcript

// Transcribe writes a request in a form that people can read.
func (r Received) Transcribe(out *bufio.Writer) {
	fmt.Fprintf(out, "%s %s %s", r.At.Format("15:04:05"), r.Method, r.Path)
	if len(r.Query) > 0 {
		fmt.Fprintf(out, "?%s", r.Query.Encode())
	}
	status := "no response"
	if r.Status != 0 {
		status = fmt.Sprint(r.Status)
	}
	fmt.Fprintf(out, " → %s (%s)", status, cmp.Or(r.User, "anonymous"))
	if r.Route == "" {
		out.WriteString(", no such route")
	}
	out.WriteString("\n")
	for _, name := range []string{"Range", "If-None-Match", "If-Unmodified-Since"} {
		if value := r.Header.Get(name); value != "" {
			fmt.Fprintf(out, "    %s: %s\n", name, value)
		}
	}
	quote(out, "    > ", r.Header, r.Body)
	quote(out, "    < ", nil, r.ErrorBody)
}

// quote writes a body with a mark before each line.
func quote(out *bufio.Writer, mark string, header http.Header, body []byte) {
	if len(body) == 0 {
		return
	}
	text, cut := body, ""
	if len(text) > maxQuoted {
		text, cut = text[:maxQuoted], fmt.Sprintf("… (%d bytes)", len(body))
		for len(text) > 0 && !utf8.Valid(text) && len(text) > maxQuoted-utf8.UTFMax {
			text = text[:len(text)-1]
		}
	}
	isFile := strings.HasPrefix(header.Get("Content-Type"), "multipart/")
	if isFile || !utf8.Valid(text) || slices.Contains(text, 0) {
		fmt.Fprintf(out, "%s(%d bytes)\n", mark, len(body))
		return
	}
	for line := range strings.Lines(strings.TrimSuffix(string(text)+cut, "\n")) {
		out.WriteString(mark + printableLine(line) + "\n")
	}
}

// printableLine returns a line with its control characters escaped.
func printableLine(line string) string {
	line = strings.TrimRight(line, "\r\n")
	if !strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return line
	}
	escaped, _ := json.Marshal(line)
	return string(escaped)
}
