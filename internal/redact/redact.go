// Package redact hides secrets in what a program prints. Every string of the
// service passes through it before it becomes part of an error, a log line or a
// dump: first secrets are hidden, then the string is cut, then it is escaped. In
// any other order, half a secret could remain at a cut, or an escaped one would
// not be found.
package redact

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/serviceapi/internal/text"
)

// Placeholder replaces a secret.
const Placeholder = "[redacted]"

// shortest is the length from which a secret is hidden. A shorter one, such as
// the token "test" of a test, would be found in ordinary words.
const shortest = 8

// long is the length from which a secret is hidden even if it is part of a longer
// word.
const long = 16

// A Redactor hides secrets. The zero Redactor hides nothing.
type Redactor struct {
	// forms are the secrets as they were added, and as they look in JSON, in a JSON
	// pointer and in a URL.
	forms []string
}

// Add makes the Redactor hide more secrets.
func (r *Redactor) Add(secrets ...string) {
	for _, secret := range secrets {
		if len(secret) < shortest {
			continue
		}
		r.forms = append(r.forms, secret)
		if !isPlain(secret) {
			r.addEscaped(secret)
		}
	}
}

func (r *Redactor) addEscaped(secret string) {
	pointer := strings.ReplaceAll(strings.ReplaceAll(secret, "~", "~0"), "/", "~1")
	for _, form := range []string{jsonForm(secret), pointer, url.QueryEscape(secret), url.PathEscape(secret)} {
		if !slices.Contains(r.forms, form) {
			r.forms = append(r.forms, form)
		}
	}
}

// isPlain reports whether a secret looks the same in JSON and in a URL, as most do.
func isPlain(secret string) bool {
	for _, c := range []byte(secret) {
		if !text.IsWordByte(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// jsonForm is a string as it looks inside a JSON string.
func jsonForm(s string) string {
	quoted, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return s // it is no text
	}
	return string(quoted[1 : len(quoted)-1])
}

// Hide replaces the secrets in a string.
func (r *Redactor) Hide(s string) string {
	for _, secret := range r.forms {
		if strings.Contains(s, secret) {
			s = hide(s, secret)
		}
	}
	return s
}

// hide replaces a secret. A short one is replaced only if it is a whole word.
func hide(s, secret string) string {
	if len(secret) >= long {
		return strings.ReplaceAll(s, secret, Placeholder)
	}
	var b strings.Builder
	for rest := s; ; {
		i := strings.Index(rest, secret)
		if i < 0 {
			b.WriteString(rest)
			return b.String()
		}
		end := i + len(secret)
		b.WriteString(rest[:i])
		if continues(rest[:i], rest[end:]) {
			b.WriteString(secret)
		} else {
			b.WriteString(Placeholder)
		}
		rest = rest[end:]
	}
}

// continues reports whether the boundary between two strings is inside a word.
func continues(before, after string) bool {
	return before != "" && text.IsWordByte(before[len(before)-1]) || after != "" && text.IsWordByte(after[0])
}

// HideBytes is Hide for a body. It returns data itself if there is no secret in
// it.
func (r *Redactor) HideBytes(data []byte) []byte {
	for _, secret := range r.forms {
		if bytes.Contains(data, []byte(secret)) {
			data = []byte(hide(string(data), secret))
		}
	}
	return data
}

// HideHeader replaces the secrets in the values of a header, in place.
func (r *Redactor) HideHeader(h http.Header) {
	for _, values := range h {
		for i, value := range values {
			values[i] = r.Hide(value)
		}
	}
}

// Quote returns a string that is safe to print: hidden, cut and escaped.
func (r *Redactor) Quote(s string, limit int) string { return text.Printable(r.Hide(s), limit) }

// Margin is how much of a body is needed beyond what is shown, so that a secret at
// the cut is found whole. A secret may be as long as a header.
const Margin = 16 << 10

// Excerpt returns the beginning of a body.
func (r *Redactor) Excerpt(data []byte, limit int) string {
	if len(data) <= limit+Margin {
		return text.Excerpt(r.Hide(string(data)), limit)
	}
	return text.Excerpt(r.HideStart(string(data[:limit+Margin])), limit)
}

// HideStart is Hide for the beginning of a longer string. What may be the
// beginning of a secret at its end is left out: if the string becomes much
// shorter, a margin is not enough.
func (r *Redactor) HideStart(s string) string {
	s = r.Hide(s)
	end := len(s)
	for _, secret := range r.forms {
		for part := min(len(secret)-1, len(s)); part > 0; part-- {
			if strings.HasSuffix(s, secret[:part]) {
				end = min(end, len(s)-part)
				break
			}
		}
	}
	return s[:end]
}

// HideErr returns an error unchanged, with its causes, unless it quotes a secret.
func (r *Redactor) HideErr(err error) error {
	quoted := err.Error()
	if hidden := r.Hide(quoted); hidden != quoted {
		return &hiddenError{hidden, err}
	}
	return err
}

// hiddenError is an error whose text quotes a secret. Its cause can be
// recognized, but not reached.
type hiddenError struct {
	text  string
	cause error
}

func (e *hiddenError) Error() string        { return e.text }
func (e *hiddenError) Is(target error) bool { return errors.Is(e.cause, target) }

// IsParam reports whether a parameter of a query, a form or an object is a
// credential, or sudo. It reads names as servers do: in any case, with the
// brackets of a list or an object, and with white space around them.
func IsParam(name string) bool {
	name = strings.TrimLeft(name, "[] \t\r\n\v\f\x00")
	if end := strings.IndexAny(name, "[]\x00"); end >= 0 {
		name = name[:end]
	}
	switch strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_") {
	case "private_token", "access_token", "job_token", "sudo":
		return true
	}
	return false
}

// WithoutParams returns a query without credentials and sudo, and otherwise
// unchanged, except that a semicolon is escaped: some servers take it for the end
// of a parameter.
func WithoutParams(query string) string {
	return FilterQuery(strings.ReplaceAll(query, ";", "%3B"), func(name string) bool { return !IsParam(name) })
}

// FilterQuery returns the parameters of a query that are kept, unchanged and in
// their order.
func FilterQuery(query string, keep func(name string) bool) string {
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		return !keep(name)
	})
	return strings.Join(pairs, "&")
}

// WithoutQuery formats a URL without the parts that may be secret.
func WithoutQuery(u *url.URL) string {
	if u == nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}

// WithoutURL returns the cause of an error of net/http, which quotes the URL with its query.
func WithoutURL(err error) error {
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err
}
