// Package redact hides secrets in what a program prints. Every string of the
// service passes through it before it becomes part of an error, a log line or a
// dump: first secrets are hidden, then the string is cut, then it is escaped. In
// any other order, half a secret could remain at a cut, or an escaped one would
// not be found.
package redact

import (
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/internal/text"
)

// Placeholder replaces a secret.
const Placeholder = "[redacted]"

// shortest is the length from which a secret is hidden. A shorter one, such as
// the token "test" of a test, would be found in ordinary words.
const shortest = 8

// long is the length from which a secret is hidden even if it is part of a longer word and
// looks like a word or a number itself.
const long = 16

// A Redactor hides secrets, in whatever form a service or an encoder may have written them:
// see [target]. The zero Redactor hides nothing.
type Redactor struct {
	secrets []string
	// written are the secrets as encoders escape them, if that makes a difference: what is
	// encoded in Base64 may be such a text.
	written []string
}

// Add makes the Redactor hide more secrets. Those of a URL are what is secret in it.
func (r *Redactor) Add(secrets ...string) {
	for _, secret := range secrets {
		r.add(secret)
		if strings.Contains(secret, "://") {
			r.addURL(secret)
		}
	}
}

// add adds a secret as it is, and as a service sees it that decodes it.
func (r *Redactor) add(secret string) {
	for range layers {
		secret = strings.TrimSpace(secret) // as services do
		if len(secret) < shortest || slices.Contains(r.secrets, secret) {
			return
		}
		r.secrets = append(r.secrets, secret)
		r.addWritten(secret)
		decoded, _ := decode(layer{text: secret})
		secret = decoded.text
	}
}

// addWritten adds what encoders make of a secret.
func (r *Redactor) addWritten(secret string) {
	if !strings.ContainsFunc(secret, isEscaped) {
		return
	}
	query, plain, safe := url.QueryEscape(secret), inJSON(secret, false), inJSON(secret, true)
	for _, form := range []string{
		plain, safe, strings.ReplaceAll(plain, "/", `\/`), strings.ReplaceAll(safe, "/", `\/`),
		query, lowerEscapes(query), strings.ReplaceAll(query, "+", "%20"), url.PathEscape(secret),
		html.EscapeString(secret),
	} {
		if form != secret && !slices.Contains(r.written, form) {
			r.written = append(r.written, form)
		}
	}
}

// isEscaped reports whether an encoder may escape a character: all leave letters, digits and a few
// signs as they are, and most secrets have no others.
func isEscaped(r rune) bool {
	return r >= utf8.RuneSelf || !text.IsWordByte(byte(r)) && r != '-' && r != '.' && r != '_' && r != '~'
}

// inJSON returns a string as it is between the quotes of JSON.
func inJSON(s string, escapesHTML bool) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(escapesHTML)
	if encoder.Encode(s) != nil {
		return s
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}

// lowerEscapes returns an escaped query with the digits of its escapes in lower case.
func lowerEscapes(query string) string {
	b := []byte(query)
	for i := range b {
		if i > 0 && b[i-1] == '%' || i > 1 && b[i-2] == '%' {
			b[i] = strings.ToLower(string(b[i]))[0]
		}
	}
	return string(b)
}

// addURL adds the user, the password and the values of the query, any of which may be what
// makes a URL secret.
func (r *Redactor) addURL(secret string) {
	u, err := url.Parse(strings.TrimSpace(secret))
	if err != nil {
		return
	}
	if password, ok := u.User.Password(); ok {
		r.add(password)
	}
	r.add(u.User.Username())
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		r.add(value)
		if plain, err := url.QueryUnescape(value); err == nil {
			r.add(plain)
		}
	}
}

// Hide replaces the secrets in a string.
func (r *Redactor) Hide(s string) string {
	if len(s) < shortest {
		return s
	}
	found, _ := r.find(s)
	return replace(s, found, len(s))
}

// replace replaces parts of a string, and leaves out what follows the end.
func replace(s string, parts []span, end int) string {
	if len(parts) == 0 {
		return s[:end]
	}
	var b strings.Builder
	from := 0
	for _, part := range parts {
		if part.start >= end {
			break
		}
		b.WriteString(s[from:part.start] + Placeholder)
		from = part.end
	}
	if from < end {
		b.WriteString(s[from:end])
	}
	return b.String()
}

// HideBytes is Hide for a body. It returns data itself if there is no secret in
// it.
func (r *Redactor) HideBytes(data []byte) []byte {
	s := string(data)
	if found, _ := r.find(s); len(found) > 0 {
		return []byte(replace(s, found, len(s)))
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

// Excerpt returns the beginning of a body, which may be cut already.
func (r *Redactor) Excerpt(data []byte, limit int, cut bool) string {
	if len(data) > limit+Margin {
		data, cut = data[:limit+Margin], true
	}
	if cut {
		return text.Excerpt(r.HideStart(string(data)), limit)
	}
	return text.Excerpt(r.Hide(string(data)), limit)
}

// HideStart is Hide for the beginning of a longer string. What may be the
// beginning of a secret at its end is left out: if the string becomes much
// shorter, a margin is not enough.
func (r *Redactor) HideStart(s string) string {
	found, end := r.find(s)
	return replace(s, found, end)
}

// Uncut returns the beginning of a longer body without what may be the beginning of a secret
// at its end. It hides nothing, so that the body can be decoded before.
func (r *Redactor) Uncut(data []byte) []byte {
	found, end := r.find(string(data))
	for _, part := range found {
		if part.start < end && part.end > end {
			end = part.end
		}
	}
	return data[:end]
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
