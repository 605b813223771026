package serviceapi

import (
	"bytes"
	"cmp"
	"errors"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxErrorBody is the maximum number of bytes that are read of an error
// response.
const maxErrorBody = 1 << 20

// parseError parses every format of error responses.
func parseError(e *Error, contentType string) {
	body := bytes.TrimSpace(e.Body)
	switch {
	case len(body) == 0:
	case e.parsePlain(body):
	case body[0] == '{' && e.parseObject(body):
	case body[0] == '[' && e.parseMessages(body):
	case body[0] == '"' && e.parseMessages(body):
	case isMarkup(body) || strings.Contains(contentType, "html"):
		e.Message = htmlMessage(body)
	default:
		e.Message = strings.ToValidUTF8(string(body), "\uFFFD")
	}
	if e.Message == "" {
		e.Message = http.StatusText(e.StatusCode)
	}
}

// parsePlain reports whether the body has only a message without escapes,
// as most have: that is read from its bytes.
func (e *Error) parsePlain(body []byte) bool {
	value, begins := bytes.CutPrefix(body, []byte(`{"message":`))
	value, ends := bytes.CutSuffix(value, []byte("}"))
	message, ok := plainString(value)
	if !begins || !ends || !ok || len(message) == 0 {
		return false
	}
	e.Message = string(message)
	return true
}

// errorShape has the members of every known format: the service's own, OAuth2
// (error, error_description, scope), SCIM (detail, scimType), and lists of
// errors as GraphQL and registries send them.
type errorShape struct {
	Message     jsontext.Value `json:"message"`
	Error       jsontext.Value `json:"error"`
	Errors      jsontext.Value `json:"errors"`
	Detail      jsontext.Value `json:"detail"`
	Description jsontext.Value `json:"error_description"`
	Code        jsontext.Value `json:"error_code"`
	SCIMType    jsontext.Value `json:"scimType"`
	Scope       jsontext.Value `json:"scope"`
}

// parseObject reports whether the body is an object that can be read.
func (e *Error) parseObject(body []byte) bool {
	var shape errorShape
	if json.Unmarshal(body, &shape, lenient) != nil {
		return false
	}
	e.Reason = textOf(shape.Error)
	e.Description = textOf(shape.Description)
	e.Code = cmp.Or(textOf(shape.Code), textOf(shape.SCIMType))
	e.Scope = textOf(shape.Scope)
	if slices.ContainsFunc([]jsontext.Value{shape.Message, shape.Error, shape.Errors, shape.Detail}, e.parseMessages) {
		return true
	}
	if e.Message = e.Description; e.Message == "" {
		e.Message = string(body) // an object of an unknown format still says something
	}
	return true
}

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// textOf returns the value of a JSON string, and "" for every other value.
func textOf(v jsontext.Value) string {
	if content, ok := plainString(v); ok {
		return string(content)
	}
	if v.Kind() != '"' {
		return ""
	}
	// On error, text holds what could be read, with invalid UTF-8 replaced.
	text, _ := jsontext.AppendUnquote(nil, v)
	return string(text)
}

// parseMessages finds the message in a string, a list or an object, nested to
// any depth, and reports whether there was one.
func (e *Error) parseMessages(v jsontext.Value) bool {
	switch v.Kind() {
	case 0:
		return false
	case '"':
		e.Message = textOf(v)
		return e.Message != ""
	}
	c := messageCollector{decoder: jsontext.NewDecoder(bytes.NewReader(v), lenient)}
	if c.value("") != nil {
		return false
	}
	e.Fields = c.fields
	e.Message = strings.Join(c.messages, "; ")
	return e.Message != ""
}

// messageCollector walks a JSON value and keeps every string with the path to
// it.
type messageCollector struct {
	decoder  *jsontext.Decoder
	fields   map[string][]string
	messages []string
}

const (
	maxMessages     = 1000
	maxMessageDepth = 32
)

var errTooManyMessages = errors.New("too many messages, or messages nested too deeply")

func (c *messageCollector) value(name string) error {
	if len(c.messages) > maxMessages || c.decoder.StackDepth() > maxMessageDepth {
		return errTooManyMessages
	}
	switch c.decoder.PeekKind() {
	case '{':
		return c.object(name)
	case '[':
		return c.list(name)
	}
	token, err := c.decoder.ReadToken()
	if err != nil {
		return err
	}
	if token.Kind() != 'n' {
		c.add(name, token.String())
	}
	return nil
}

func (c *messageCollector) object(name string) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for c.decoder.PeekKind() != '}' {
		key, err := c.decoder.ReadToken()
		if err != nil {
			return err
		}
		inner := key.String()
		if name != "" {
			inner = name + "." + inner
		}
		if err := c.value(inner); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

func (c *messageCollector) list(name string) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for c.decoder.PeekKind() != ']' {
		if err := c.value(name); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

func (c *messageCollector) add(name, text string) {
	if name == "" {
		c.messages = append(c.messages, text)
		return
	}
	if c.fields == nil {
		c.fields = make(map[string][]string)
	}
	c.fields[name] = append(c.fields[name], text)
	// The service uses "base" for messages that belong to no field.
	if last := name[strings.LastIndexByte(name, '.')+1:]; !slices.Contains([]string{"base", "message"}, last) {
		text = name + " " + text
	}
	c.messages = append(c.messages, text)
}

var (
	htmlTitle  = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	htmlHidden = regexp.MustCompile(`(?is)<(script|style)\b.*?</(script|style)>`)
	htmlTag    = regexp.MustCompile(`(?s)<[^>]*>`)
)

// isMarkup tells a page from plain text that begins with a comparison.
func isMarkup(body []byte) bool {
	return len(body) > 1 && body[0] == '<' && (isWordByte(body[1]) && body[1] > '9' || body[1] == '!' || body[1] == '?')
}

// htmlMessage returns the readable text of a page: its title, or else its body.
func htmlMessage(page []byte) string {
	page = page[:min(len(page), 64<<10)]
	if m := htmlTitle.FindSubmatch(page); m != nil {
		if title := words(m[1]); title != "" {
			return title
		}
	}
	return words(htmlTag.ReplaceAll(htmlHidden.ReplaceAll(page, nil), []byte(" ")))
}

func words(text []byte) string {
	return strings.Join(strings.Fields(html.UnescapeString(strings.ToValidUTF8(string(text), "\uFFFD"))), " ")
}

// classify gives a response a more specific error type if there is one.
func classify(e *Error, retryAfter time.Duration) error {
	switch {
	case e.StatusCode == http.StatusTooManyRequests:
		return &RateLimitError{Err: e, RetryAfter: retryAfter}
	case e.StatusCode == http.StatusForbidden && e.Reason == "insufficient_scope":
		return &InsufficientScopeError{Err: e, Scope: e.Scope}
	}
	return e
}
