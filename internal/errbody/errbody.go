// Package errbody finds the message in the body of an error response, whatever
// format it has: the service's own, OAuth2, SCIM, lists as GraphQL and registries
// send them, pages of proxies, and plain text.
package errbody

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Body is what an error response says.
type Body struct {
	// Message is all messages as one string, "" if there is none.
	Message string
	// Fields are the messages about single parameters. Nested names are joined with
	// dots.
	Fields map[string][]string
	// Code is error_code or scimType; Reason, Description and Scope are error,
	// error_description and scope of OAuth2.
	Code, Reason, Description, Scope string
	// Page is set if the body is a web page, which the API never sends.
	Page bool
}

// Parse reads a body. The content type distinguishes pages from text.
func Parse(body []byte, contentType string) (b Body) {
	body = bytes.TrimSpace(body)
	switch {
	case len(body) == 0:
		b.Page = isHTML(body, contentType)
	case b.plain(body), isBlank(body):
	case body[0] == '{' && b.object(body):
	case body[0] == '[' && b.messages(body):
	case body[0] == '"' && b.messages(body):
	case isPage(body) || strings.Contains(contentType, "html"):
		b.Message, b.Page = pageText(body), isHTML(body, contentType)
	default:
		b.Page = isHTML(body, contentType)
		b.Message = strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return b
}

// Messages reads a value with messages: a string, a list or an object, nested to
// any depth.
func Messages(value []byte) (b Body) {
	b.messages(value)
	return b
}

// Map changes every string, such as to hide secrets in it.
func (b *Body) Map(change func(string) string) {
	for _, s := range []*string{&b.Message, &b.Code, &b.Reason, &b.Description, &b.Scope} {
		*s = change(*s)
	}
	for name, messages := range b.Fields {
		for i := range messages {
			messages[i] = change(messages[i])
		}
		if changed := change(name); changed != name {
			delete(b.Fields, name)
			b.Fields[changed] = messages
		}
	}
}

// plain reports whether the body has only a message without escapes, as most
// have: that is read from its bytes.
func (b *Body) plain(body []byte) bool {
	value, begins := bytes.CutPrefix(body, []byte(`{"message":`))
	value, ends := bytes.CutSuffix(value, []byte("}"))
	message, ok := jsonx.Plain(value)
	if !begins || !ends || !ok || len(message) == 0 {
		return false
	}
	b.Message = string(message)
	return true
}

// isBlank reports whether a body is JSON in which nothing is said: no text that is not empty, no
// number and no boolean, at any depth.
func isBlank(body []byte) bool {
	if body[0] != '{' && body[0] != '[' && body[0] != '"' && body[0] != 'n' {
		return false
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(body), jsonx.Lenient)
	for {
		token, err := decoder.ReadToken()
		switch {
		case err != nil:
			return err == io.EOF
		case token.Kind() == '"':
			depth, members := decoder.StackIndex(decoder.StackDepth())
			isName := depth == '{' && members%2 == 1
			if !isName && token.String() != "" {
				return false
			}
		case token.Kind() == '0', token.Kind() == 't', token.Kind() == 'f':
			return false
		}
	}
}

// shape has the members of every known format.
type shape struct {
	Message     jsontext.Value `json:"message"`
	Error       jsontext.Value `json:"error"`
	Errors      jsontext.Value `json:"errors"`
	Detail      jsontext.Value `json:"detail"`
	Description jsontext.Value `json:"error_description"`
	Code        jsontext.Value `json:"error_code"`
	SCIMType    jsontext.Value `json:"scimType"`
	Scope       jsontext.Value `json:"scope"`
}

// object reports whether the body is an object that can be read.
func (b *Body) object(body []byte) bool {
	var s shape
	if json.Unmarshal(body, &s, jsonx.Lenient) != nil {
		return false
	}
	b.Reason = jsonx.Text(s.Error)
	b.Description = jsonx.Text(s.Description)
	b.Code = cmp.Or(jsonx.Text(s.Code), jsonx.Text(s.SCIMType))
	b.Scope = jsonx.Text(s.Scope)
	for _, value := range []jsontext.Value{s.Message, s.Error, s.Errors, s.Detail} {
		if b.messages(value) {
			return true
		}
	}
	// An object of an unknown format still says something.
	b.Message = cmp.Or(b.Description, string(body))
	return true
}

// messages reports whether a value has messages.
func (b *Body) messages(value jsontext.Value) bool {
	switch value.Kind() {
	case 0:
		return false
	case '"':
		b.Message = jsonx.Text(value)
		return b.Message != ""
	}
	c := collector{decoder: jsontext.NewDecoder(bytes.NewReader(value), jsonx.Lenient)}
	if !c.value("") {
		return false
	}
	b.Fields, b.Message = c.fields, strings.Join(c.messages, "; ")
	return b.Message != ""
}

// collector walks a JSON value and keeps every string with the path to it. Its
// methods report whether the value could be read.
type collector struct {
	decoder  *jsontext.Decoder
	fields   map[string][]string
	messages []string
}

const (
	maxMessages = 1000
	maxDepth    = 32
)

func (c *collector) value(name string) bool {
	if len(c.messages) > maxMessages || c.decoder.StackDepth() > maxDepth {
		return false
	}
	switch c.decoder.PeekKind() {
	case '{':
		return c.members('}', name)
	case '[':
		return c.members(']', name)
	}
	token, err := c.decoder.ReadToken()
	if err == nil && token.Kind() != 'n' {
		c.add(name, token.String())
	}
	return err == nil
}

// members reads an object or a list to its end.
func (c *collector) members(end jsontext.Kind, name string) bool {
	_, err := c.decoder.ReadToken()
	for err == nil && c.decoder.PeekKind() != end {
		inner := name
		if end == '}' {
			var key jsontext.Token
			if key, err = c.decoder.ReadToken(); err != nil {
				return false
			}
			inner = strings.TrimPrefix(name+"."+key.String(), ".")
		}
		if !c.value(inner) {
			return false
		}
	}
	if err == nil {
		_, err = c.decoder.ReadToken()
	}
	return err == nil
}

func (c *collector) add(name, text string) {
	if name != "" {
		if c.fields == nil {
			c.fields = make(map[string][]string)
		}
		c.fields[name] = append(c.fields[name], text)
		// The service uses "base" for messages that belong to no field.
		if last := name[strings.LastIndexByte(name, '.')+1:]; !slices.Contains([]string{"base", "message"}, last) {
			text = name + " " + text
		}
	}
	c.messages = append(c.messages, text)
}

// IsLock reports whether the body of a 409 says that another call held a lock, so that
// nothing was done.
func IsLock(body []byte) bool {
	return len(body) > 0 && body[0] == '{' && IsLockMessage(Parse(body, "").Message)
}

// IsLockMessage reports whether the message of an error begins with the reason
// "Resource lock". Anywhere else, it may be the name of something.
func IsLockMessage(message string) bool {
	message = strings.TrimPrefix(strings.ToLower(message), "409 conflict")
	return strings.HasPrefix(strings.TrimLeft(message, " :-"), "resource lock")
}
