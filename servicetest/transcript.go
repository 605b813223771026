package servicetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxAnswer = 1 << 10 // bytes kept of the body of an error response
	maxQuoted = 2 << 10 // bytes of a body in a transcript
)

// TranscriptOnFailure writes the requests that the service received to the log
// of the test if the test fails; see Transcript. It works with a TB that has
// the methods Failed and Logf, such as *testing.T, and does nothing otherwise.
func TranscriptOnFailure() Option {
	return func(s *settings) { s.transcript = true }
}

// logTranscript implements TranscriptOnFailure at the end of a test.
func (s *Service) logTranscript() {
	tb, ok := s.tb.(interface {
		Failed() bool
		Logf(format string, args ...any)
	})
	if !ok || !tb.Failed() {
		return
	}
	var text strings.Builder
	s.Transcript(&text) // a Builder does not fail
	tb.Logf("servicetest received:\n%s", text.String())
}

// Transcript writes the requests that the recorder keeps, oldest first, for
// people to read: the caller, the method and path, the body, and the status of
// the response. A response with an error status is shown with its body. Long
// bodies are cut, and of those that are not text, only the size is written.
// With routes, as for Requests, it writes only the requests of these routes.
//
//	09:00:00 POST /api/v4/projects/acme%2Fapp/deploy_keys → 400 (ada)
//	    > {"title":"ci"}
//	    < {"error":"key is missing"}
//
// Credentials in headers are not written, but those in queries and bodies are.
func (s *Service) Transcript(w io.Writer, routes ...string) error {
	if s.tb != nil {
		s.tb.Helper()
	}
	out := bufio.NewWriter(w)
	for _, r := range s.Requests(routes...) {
		r.transcribe(out)
	}
	return out.Flush()
}

func (r Request) transcribe(out *bufio.Writer) {
	fmt.Fprintf(out, "%s %s %s", r.At.Format("15:04:05"), r.Method, r.Path)
	if len(r.Query) > 0 {
		fmt.Fprintf(out, "?%s", r.Query.Encode())
	}
	status := "no response"
	if r.Status != 0 {
		status = fmt.Sprint(r.Status)
	}
	fmt.Fprintf(out, " → %s (%s)", status, either(r.User, "anonymous"))
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

// printableLine returns a line whose control characters are escaped.
func printableLine(line string) string {
	line = strings.TrimRight(line, "\r\n")
	if !strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return line
	}
	escaped, _ := json.Marshal(line)
	return string(escaped)
}

// addAnswer keeps the beginning of the body of an error response. The caller
// holds the recorder's lock.
func (e *record) addAnswer(p []byte) {
	e.answer = append(e.answer, p[:min(len(p), maxAnswer-len(e.answer))]...)
}
