package frame

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Mask replaces a credential.
const Mask = "[redacted]"

// A Masker replaces credentials in requests: those that it knows, and those in the
// usual places, such as a header or a member with the name password.
type Masker struct{ known *strings.Replacer }

// NewMasker returns a Masker that knows the credentials of a service. It leaves out
// short ones, because ordinary words contain them.
func NewMasker(secrets []string) *Masker {
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return len(s) < 8 })
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // so that the longest is found first
	var pairs []string
	for _, secret := range secrets {
		pairs = append(pairs, secret, Mask)
		if escaped := url.QueryEscape(secret); escaped != secret {
			pairs = append(pairs, escaped, Mask)
		}
	}
	return &Masker{strings.NewReplacer(pairs...)}
}

// Request returns the request without credentials.
func (m *Masker) Request(r Received) Received {
	kind := r.Header.Get("Content-Type")
	r.Path = m.Text(r.Path)
	r.Header = m.Header(r.Header)
	query := make(url.Values, len(r.Query))
	for name, values := range r.Query {
		for _, value := range values {
			query.Add(name, m.param(name, value))
		}
	}
	r.Query = query
	// The variables of a GraphQL query are ordinary parameters.
	r.Body = m.Body(kind, r.Body, !strings.HasSuffix(r.Path, "/graphql"))
	r.ErrorBody = m.Body("", r.ErrorBody, true)
	r.GoodBody = m.Body("", r.GoodBody, true)
	return r
}

// Header returns a header without credentials.
func (m *Masker) Header(h http.Header) http.Header {
	masked := make(http.Header, len(h))
	for name, values := range h {
		for _, value := range values {
			if isSecret(name) {
				scheme, _, _ := strings.Cut(value, " ")
				value = Mask
				if slices.Contains([]string{"Bearer", "Basic", "Digest"}, scheme) {
					value = scheme + " " + Mask
				}
			}
			masked[name] = append(masked[name], m.Text(value))
		}
	}
	return masked
}

var (
	userinfo   = regexp.MustCompile(`(://)[^/\s"'@]*@`)
	privateKey = regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)
)

// inAddress matches a parameter in the query of an address.
var inAddress = regexp.MustCompile(`[?&][\w-]+=[^&\s"'<>#]+`)

// Text returns text without known credentials, credentials in URLs, and private keys.
func (m *Masker) Text(text string) string {
	text = userinfo.ReplaceAllString(text, "${1}"+Mask+"@")
	text = inAddress.ReplaceAllStringFunc(text, func(pair string) string {
		name, _, _ := strings.Cut(pair, "=")
		if signs := strings.Contains(strings.ToLower(name), "signature"); signs || isSecret(name[1:]) {
			return name + "=" + Mask
		}
		return pair
	})
	return m.known.Replace(privateKey.ReplaceAllString(text, Mask))
}

// Body returns a body without credentials. If variables is true, it also masks the
// values in members with that name.
func (m *Masker) Body(kind string, body []byte, variables bool) []byte {
	media, params, _ := mime.ParseMediaType(kind)
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	switch {
	case len(body) == 0:
		return nil
	case trimmed[0] == '{' || trimmed[0] == '[':
		return m.json(body, variables)
	case strings.HasPrefix(media, "multipart/"):
		return m.parts(body, params["boundary"])
	case media == "application/x-www-form-urlencoded":
		return []byte(m.form(string(body)))
	}
	return []byte(m.Text(string(body)))
}

// form masks the values of a form, which may be cut short.
func (m *Masker) form(body string) string {
	pairs := strings.Split(body, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil {
			plain = name
		}
		if unescaped, err := url.QueryUnescape(value); err == nil {
			value = unescaped
		}
		switch masked := m.param(plain, value); masked {
		case value:
		case Mask:
			pairs[i] = name + "=" + Mask
		default:
			pairs[i] = name + "=" + url.QueryEscape(masked)
		}
	}
	return strings.Join(pairs, "&")
}

// param masks the value of a parameter such as user[password] or variables[][value].
func (m *Masker) param(name, value string) string {
	names := strings.FieldsFunc(name, func(r rune) bool { return r == '[' || r == ']' })
	if len(names) == 0 {
		return m.Text(value)
	}
	last := names[len(names)-1]
	if slices.ContainsFunc(names, isSecret) || isMap(names[0]) && len(names) > 1 && !isShown[last] {
		return Mask
	}
	return m.place(last, m.Text(value))
}

// parts masks a multipart body, and leaves out its files.
func (m *Masker) parts(body []byte, boundary string) []byte {
	var masked bytes.Buffer
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := reader.NextRawPart()
		if err != nil {
			return masked.Bytes()
		}
		content, err := io.ReadAll(part)
		fmt.Fprintf(&masked, "--%s\r\n", boundary)
		for _, name := range slices.Sorted(maps.Keys(part.Header)) {
			fmt.Fprintf(&masked, "%s: %s\r\n", name, m.Text(strings.Join(part.Header[name], ", ")))
		}
		shown := m.param(part.FormName(), string(content))
		if part.FileName() != "" {
			shown = fmt.Sprintf("(%d bytes)", len(content))
			if err != nil {
				shown = "(the beginning of a file)"
			}
		}
		masked.WriteString("\r\n" + shown + "\r\n")
	}
}

// A level is an object or a list around the current place in a body.
type level struct {
	object bool
	named  bool   // the name of the current member has been read
	name   string // of the current member, or of the member that holds the list
	hidden bool   // everything in it is a credential
	values bool   // its members are variables
}

// json masks the members of JSON, and keeps the rest as it is written. It drops what it
// cannot read, except for the beginning of a string that was cut short.
func (m *Masker) json(body []byte, variables bool) []byte {
	var masked bytes.Buffer
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	levels := []level{{}}
	for from := 0; ; {
		token, err := decoder.Token()
		start := from
		for start < len(body) && strings.IndexByte(" \t\r\n:,", body[start]) >= 0 {
			start++
		}
		masked.Write(body[from:start])
		if err != nil {
			masked.WriteString(m.rest(levels[len(levels)-1], body[start:], err))
			return masked.Bytes()
		}
		from = int(decoder.InputOffset())
		written := string(body[start:from])
		at := &levels[len(levels)-1]
		switch delimiter, _ := token.(json.Delim); {
		case delimiter == '{' || delimiter == '[':
			inside := level{object: delimiter == '{', hidden: at.hides(), values: at.values}
			inside.values = inside.values || variables && isMap(at.name)
			if delimiter == '[' {
				inside.name = at.name
			}
			levels = append(levels, inside)
		case delimiter != 0:
			levels = levels[:len(levels)-1]
			levels[len(levels)-1].end()
		case at.object && !at.named:
			at.name, at.named = token.(string)
			written = m.Text(written)
		default:
			written = m.value(*at, token, written)
			at.end()
		}
		masked.WriteString(written)
	}
}

// end ends a value: the name of the next member follows.
func (l *level) end() {
	if l.object {
		l.name, l.named = "", false
	}
}

// hides reports whether the next value is a credential.
func (l *level) hides() bool {
	return l.hidden || isSecret(l.name) || l.values && l.object && !isShown[l.name]
}

// value masks a string or a number, but not true, false and null.
func (m *Masker) value(at level, token any, written string) string {
	switch token := token.(type) {
	case string:
		if at.hides() {
			return `"` + Mask + `"`
		}
		if masked := m.place(at.name, m.Text(token)); masked != token {
			encoded, _ := json.Marshal(masked)
			return string(encoded)
		}
	case json.Number:
		if at.hides() && !isCount(at.name) {
			return `"` + Mask + `"`
		}
	}
	return written
}

// isCount reports whether a member holds a harmless number, such as a lifetime or a
// length.
func isCount(name string) bool {
	for _, end := range []string{"token", "password", "secret", "otp", "pin", "value"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	return isSecret(name)
}

// rest returns the visible part of a body after the place where reading failed.
func (m *Masker) rest(at level, rest []byte, err error) string {
	isCut := errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
	switch {
	case len(rest) == 0:
		return ""
	case isCut && rest[0] == '"' && (!at.hides() || at.object && !at.named):
		return m.Text(string(rest))
	}
	return fmt.Sprintf("(%d bytes that cannot be read)", len(rest))
}

// place masks the query of an address that somebody may have signed.
func (m *Masker) place(name, value string) string {
	if name != "url" && name != "import_url" {
		return value
	}
	if before, _, found := strings.Cut(value, "?"); found {
		return before + "?" + Mask
	}
	return value
}

// isMap reports whether the members of an object are variables.
func isMap(name string) bool {
	return name == "variables" || name == "variables_attributes" || name == "job_variables_attributes"
}

// isShown lists the members of a variable that reveal nothing about its value.
var isShown = map[string]bool{
	"key": true, "name": true, "variable_type": true, "environment_scope": true, "description": true, "id": true,
}

// notSecret lists the names that only look like names of credentials.
var notSecret = map[string]bool{
	"page_token": true, "next_page_token": true, "token_type": true, "token_type_hint": true, "token_id": true,
	"token_name": true, "token_expires_at": true,
}

// isSecret reports whether a header, a parameter or a member with a name is a credential.
func isSecret(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	switch name {
	case "value", "code", "device_code", "license", "assertion", "otp", "pin", "webhook":
		return true
	}
	if notSecret[name] {
		return false
	}
	return slices.ContainsFunc([]string{
		"token", "password", "passwd", "secret", "api_key", "access_key", "private_key", "signing_key",
		"client_key", "build_key", "user_key", "account_key", "license_key", "connection_string", "authorization",
		"credential", "cookie",
	}, func(part string) bool { return strings.Contains(name, part) })
}
