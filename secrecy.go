package serviceapi

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// Every string of the service passes through hide before it becomes part of an
// error, a log line or a formatted value: first secrets are hidden, then the
// string is cut, then it is escaped. In any other order, half a secret could
// remain at a cut, or an escaped one would not be found.

// minSecret is the length from which a secret is hidden. A shorter one, such
// as the token "test" of a test, would be found in ordinary words.
const minSecret = 8

// longSecret is the length from which a secret is hidden even if it is part of
// a longer word.
const longSecret = 16

// hide removes the secrets of the call from a string of the service.
func (a *answer) hide(s string) string {
	if s == "" {
		return s
	}
	for _, secret := range a.secrets() {
		s = hideSecret(s, secret)
	}
	return s
}

// secrets returns the secrets that the call has sent, in every form in which
// the service may echo them.
func (a *answer) secrets() []string {
	if a.hidden == nil {
		a.hidden = secretForms(a.usual[:0], a.secret)
		for _, secret := range a.call.sentSecrets() {
			a.hidden = secretForms(a.hidden, secret)
		}
		if source, ok := a.call.options.credential.(interface{ secrets() []string }); ok {
			for _, secret := range source.secrets() {
				a.hidden = secretForms(a.hidden, secret)
			}
		}
	}
	return a.hidden
}

// sentSecrets returns the secrets in the body of the call.
func (cl *call) sentSecrets() (found []string) {
	if cl.sent != nil {
		found = secretsIn(found, reflect.ValueOf(cl.sent), 0)
	}
	for _, f := range cl.options.bodyFields {
		found = secretsIn(found, reflect.ValueOf(f.value), 0)
	}
	return found
}

// secretForms appends a secret in its plain form, and as it looks in JSON and
// in a URL.
func secretForms(forms []string, secret string) []string {
	if len(secret) < minSecret {
		return forms
	}
	forms = append(forms, secret)
	if isPlain(secret) {
		return forms
	}
	for _, form := range []string{jsonForm(secret), url.QueryEscape(secret), url.PathEscape(secret)} {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// hideSecret replaces a secret. A short one is replaced only if it is a whole
// word.
func hideSecret(s, secret string) string {
	if len(secret) >= longSecret || !strings.Contains(s, secret) {
		return strings.ReplaceAll(s, secret, redacted)
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
			b.WriteString(redacted)
		}
		rest = rest[end:]
	}
}

// continues reports whether the boundary between two strings is inside a word.
func continues(before, after string) bool {
	return before != "" && isWordByte(before[len(before)-1]) || after != "" && isWordByte(after[0])
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// quote returns a string of the service that is safe to print: hidden, cut and
// escaped.
func (a *answer) quote(s string, limit int) string { return printable(a.hide(s), limit) }

// excerpt returns the beginning of a body.
func (a *answer) excerpt(data []byte) string {
	// A secret that begins before the cut may be as long as a header.
	const margin = 16 << 10
	return excerpt(a.hide(string(data[:min(len(data), maxExcerpt+margin)])), maxExcerpt)
}

// hideIn returns an error unchanged, with its causes, unless it quotes a
// secret.
func (a *answer) hideIn(err error) error {
	if s := err.Error(); a.hide(s) != s {
		return &hiddenError{a.hide(s), err}
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

// sealError hides the secrets in all parts of an error that come from the
// service.
func (a *answer) sealError(e *Error) {
	for _, secret := range a.secrets() {
		if bytes.Contains(e.Body, []byte(secret)) {
			e.Body = []byte(hideSecret(string(e.Body), secret))
		}
	}
	for _, s := range []*string{&e.Message, &e.Reason, &e.Description, &e.Code, &e.Scope} {
		*s = a.hide(*s)
	}
	for name, messages := range e.Fields {
		for i := range messages {
			messages[i] = a.hide(messages[i])
		}
		if hidden := a.hide(name); hidden != name {
			delete(e.Fields, name)
			e.Fields[hidden] = messages
		}
	}
}

func (a *answer) sealRedirect(e *RedirectError) {
	e.URL, e.Location = a.hide(e.URL), a.hide(e.Location)
}

// secretsIn appends the secrets in the value that a body was made of.
func secretsIn(found []string, v reflect.Value, depth int) []string {
	if depth > maxSecretDepth {
		return found
	}
	if v.IsValid() && v.CanInterface() {
		switch x := v.Interface().(type) {
		case Secret:
			return append(found, x.Reveal())
		case nullable:
			return secretsIn(found, reflect.ValueOf(x.content()), depth+1)
		case io.Reader:
			return found // the content of an upload, which others may be reading
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return secretsIn(found, v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			// JSON has the fields of an embedded struct even if its type is not exported.
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				found = secretsIn(found, v.Field(i), depth+1)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			found = secretsIn(found, v.Index(i), depth+1)
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			found = secretsIn(found, iter.Value(), depth+1)
		}
	}
	return found
}

// maxSecretDepth limits the walk of a value that contains itself.
const maxSecretDepth = 16

// header returns the header of the response without Set-Cookie, and with echoed
// secrets hidden.
func (a *answer) header() http.Header {
	h := a.resp.Header
	if a.sealed == a.resp {
		return h
	}
	a.sealed = a.resp
	delete(h, "Set-Cookie")
	for _, secret := range a.secrets() {
		for _, values := range h {
			for i, value := range values {
				if strings.Contains(value, secret) {
					values[i] = hideSecret(value, secret)
				}
			}
		}
	}
	return h
}
