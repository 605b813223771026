package serviceapi

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"example.com/serviceapi/internal/address"
	"example.com/serviceapi/internal/redact"
	"example.com/serviceapi/internal/text"
)

// DumpOptions says what [WithDump] writes.
type DumpOptions struct {
	// Bodies adds the bodies of requests and responses. For files, streams, and
	// responses that contain a secret, it adds only a line that says why the body
	// is left out.
	Bodies bool
	// MaxBody is the maximum number of bytes of a body that are written. The
	// default is 4096.
	MaxBody int
	// Curl writes each request as a curl command that can be pasted into a shell,
	// such as bash. The credential is left out and has to be added.
	Curl bool
}

// WithDump writes every request and response to w, for debugging: each attempt
// and each redirect, with headers. It masks credentials, every [Secret] of the
// request, the queries of URLs of other origins, which may be pre-signed, and
// signatures in those of the service. Control and formatting characters are
// escaped. Only one goroutine at a time writes to w.
func WithDump(w io.Writer, options DumpOptions) RequestOption {
	d := &dumper{w: w, options: options}
	if d.options.MaxBody == 0 {
		d.options.MaxBody = 4096
	}
	return requestOption(func(o *callOptions) error {
		if w == nil || options.MaxBody < 0 {
			return dumpProblem(w)
		}
		// A function, so that the linker leaves the dumper out of programs that do
		// not dump.
		o.dump = d.roundTrip
		return nil
	})
}

func dumpProblem(w io.Writer) error {
	if w == nil {
		return &ArgumentError{Argument: "dump", Problem: "has no writer"}
	}
	return &ArgumentError{Argument: "MaxBody", Problem: "must not be negative"}
}

// dumper writes requests and responses.
type dumper struct {
	mu      sync.Mutex
	w       io.Writer
	options DumpOptions
}

func (d *dumper) write(b *bytes.Buffer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _ = d.w.Write(b.Bytes()) // a broken dump is no reason to break the call
}

// roundTrip sends a request and dumps it and its response.
func (d *dumper) roundTrip(cl dumpedCall, req *http.Request, next http.RoundTripper) (*http.Response, error) {
	mask := newMask(cl, req)
	var b bytes.Buffer
	if d.options.Curl {
		d.curl(&b, mask, cl, req)
	} else {
		d.request(&b, mask, cl, req)
	}
	d.write(&b)
	resp, err := next.RoundTrip(req)
	b.Reset()
	if err != nil {
		fmt.Fprintf(&b, "< %s\n\n", text.Printable(mask.hide(redact.WithoutURL(err).Error()), maxErrorText))
		d.write(&b)
		return resp, err
	}
	if resp == nil || resp.Body == nil {
		return resp, err
	}
	for _, cookie := range resp.Cookies() {
		mask.redactor.Add(cookie.Value)
	}
	fmt.Fprintf(&b, "< %s %s\n", resp.Proto, text.Printable(mask.hide(resp.Status), 200))
	writeHeader(&b, "< ", mask, resp.Header)
	if reason := omission(cl, resp); !d.options.Bodies || reason != "" {
		if d.options.Bodies {
			b.WriteString("\n(" + reason + ": the body is left out)\n")
		}
		b.WriteString("\n")
		d.write(&b)
		return resp, err
	}
	resp.Body = &dumpedBody{ReadCloser: resp.Body, dumper: d, mask: mask, head: b}
	return resp, err
}

// omission says why the body of a response is not written, "" if it is.
func omission(cl dumpedCall, resp *http.Response) string {
	switch {
	case isRedirect(resp.StatusCode):
		return "a redirect"
	case cl.stream && isGood(resp):
		return "a stream"
	case cl.sensitive:
		return "a response with a secret"
	}
	return ""
}

// request writes a request as it is sent.
func (d *dumper) request(b *bytes.Buffer, mask *mask, cl dumpedCall, req *http.Request) {
	fmt.Fprintf(b, "> %s %s\n", req.Method, text.Lines(mask.url(req.URL)))
	writeHeader(b, "> ", mask, req.Header)
	if body := d.body(mask, cl, req); body != "" {
		fmt.Fprintf(b, ">\n%s\n", text.Lines(body))
	}
	b.WriteString("\n")
}

// curl writes a request as a command.
func (d *dumper) curl(b *bytes.Buffer, mask *mask, cl dumpedCall, req *http.Request) {
	fmt.Fprintf(b, "curl -X %s %s", req.Method, quoteShell(mask.url(req.URL)))
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		if !isSecretHeader(name) {
			for _, value := range req.Header[name] {
				fmt.Fprintf(b, " \\\n  -H %s", quoteShell(name+": "+mask.hide(value)))
			}
		}
	}
	if body := d.body(mask, cl, req); body != "" {
		fmt.Fprintf(b, " \\\n  --data-raw %s", quoteShell(body))
	}
	b.WriteString("\n\n")
}

// quoteShell quotes a string for a shell. If the string contains characters that a
// terminal must not receive, the result is in the $'…' form with escapes, which not
// every POSIX shell supports.
func quoteShell(s string) string {
	if text.Lines(s) == s {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return "$'" + text.Lines(strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s)) + "'"
}

// body returns the body of a request, if it is in memory.
func (d *dumper) body(mask *mask, cl dumpedCall, req *http.Request) string {
	switch {
	case !d.options.Bodies || req.Body == nil || req.Body == http.NoBody:
		return ""
	case cl.hasFile:
		return withoutFile(cl.size)
	}
	return d.cut(mask.hide(string(cl.body)), len(cl.body))
}

// withoutFile returns what is written instead of a body that contains a file.
func withoutFile(size int64) string {
	if size < 0 {
		return "(a file, of unknown size: the body is left out)"
	}
	return fmt.Sprintf("(a file, %d bytes: the body is left out)", size)
}

func (d *dumper) cut(s string, size int) string {
	if len(s) <= d.options.MaxBody && size <= d.options.MaxBody {
		return s
	}
	return text.Excerpt(s, d.options.MaxBody) + fmt.Sprintf("… (%d bytes)", size)
}

// dumpedBody dumps a response after its body has been read.
type dumpedBody struct {
	io.ReadCloser
	dumper *dumper
	mask   *mask
	head   bytes.Buffer
	kept   []byte
	size   int
	// whole is set at the end of the body.
	whole bool
	once  sync.Once
}

func (b *dumpedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.size += n
	if room := b.dumper.options.MaxBody + redact.Margin - len(b.kept); room > 0 {
		b.kept = append(b.kept, p[:min(n, room)]...)
	}
	if err != nil {
		b.whole = err == io.EOF && b.size == len(b.kept)
		b.finish()
	}
	return n, err
}

func (b *dumpedBody) Close() error {
	b.finish()
	return b.ReadCloser.Close()
}

func (b *dumpedBody) finish() {
	b.once.Do(func() {
		body := string(b.kept)
		if !b.whole {
			body = b.mask.redactor.HideStart(body)
		}
		body = b.mask.hide(body)
		fmt.Fprintf(&b.head, "\n%s\n\n", text.Lines(b.dumper.cut(body, b.size)))
		b.dumper.write(&b.head)
	})
}

// mask hides what a dump must not show of one request.
type mask struct {
	base     address.Base
	redactor redact.Redactor
}

func newMask(cl dumpedCall, req *http.Request) *mask {
	m := &mask{base: cl.base}
	// A redirect to another origin may quote the credential, although the request
	// that follows it has none.
	for req.Response != nil && req.Response.Request != nil {
		req = req.Response.Request
	}
	for name, values := range req.Header {
		if isSecretHeader(name) {
			for _, value := range values {
				m.addCredential(name, value)
			}
		}
	}
	cl.secrets(&m.redactor)
	return m
}

// addCredential hides what is secret in the value of a header: what follows the
// scheme, or the value of each cookie.
func (m *mask) addCredential(name, value string) {
	if name != "Cookie" {
		_, token, _ := strings.Cut(value, " ")
		m.redactor.Add(cmp.Or(token, value))
		return
	}
	for cookie := range strings.SplitSeq(value, ";") {
		_, secret, _ := strings.Cut(cookie, "=")
		m.redactor.Add(strings.TrimSpace(secret))
	}
}

func (m *mask) hide(s string) string { return redact.HideURLs(m.redactor.Hide(s), m.isOwn) }

// isOwn reports whether an origin is that of the base URL. A URL without a scheme
// has that of the base URL.
func (m *mask) isOwn(scheme, host string) bool {
	return m.base.Has(&url.URL{Scheme: cmp.Or(scheme, m.base.Scheme), Host: host})
}

// url writes an address, without its query where that may be pre-signed.
func (m *mask) url(u *url.URL) string {
	text := redact.WithoutQuery(u)
	switch {
	case u.RawQuery == "":
	case m.base.Has(u):
		text += "?" + u.RawQuery
	default:
		text += "?" + redacted
	}
	return m.hide(text)
}

func writeHeader(b *bytes.Buffer, prefix string, m *mask, h http.Header) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			fmt.Fprintf(b, "%s%s: %s\n", prefix, name, text.Printable(m.header(name, value), 1000))
		}
	}
}

func (m *mask) header(name, value string) string {
	if isSecretHeader(name) {
		return redacted
	}
	if name == "Location" || name == "Content-Location" {
		return m.location(value)
	}
	return m.hide(value)
}

// location is hide for a header that consists of a URL, which may be malformed.
func (m *mask) location(value string) string {
	u, err := url.Parse(value)
	switch {
	case err == nil && u.Host == "":
		return m.hide(value)
	case err == nil:
		return m.url(u)
	}
	if i := strings.IndexAny(value, "?#"); i >= 0 {
		value = value[:i+1] + redacted
	}
	return m.hide(value)
}

// isSecretHeader reports whether a header carries a credential.
func isSecretHeader(name string) bool {
	return slices.Contains([]string{"Authorization", "Private-Token", "Job-Token", "Cookie", "Set-Cookie",
		"Proxy-Authorization"}, name)
}
