package serviceapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parsed is what parseError reads from a body.
func parsed(body, contentType string) *Error {
	e := &Error{StatusCode: 418, Body: []byte(body)}
	parseError(e, contentType)
	e.StatusCode, e.Body = 0, nil
	return e
}

// TestErrorBodies checks what an Error takes from each form of a body.
func TestErrorBodies(t *testing.T) {
	const js, plain = "application/json", "text/plain"
	for _, tc := range []struct {
		body, contentType string
		want              Error
	}{
		{"", js, Error{Message: "I'm a teapot"}},
		{" \r\n\t", js, Error{Message: "I'm a teapot"}},
		{`""`, js, Error{Message: `""`}},
		{`"text"`, js, Error{Message: "text"}},
		{`"te\u0078t"`, js, Error{Message: "text"}},
		{`["a",["b"],null,3,true]`, js, Error{Message: "a; b; 3; true"}},
		{`[]`, js, Error{Message: "[]"}},
		{`["a"`, js, Error{Message: `["a"`}},
		{"404 page not found", plain, Error{Message: "404 page not found"}},
		{"404", plain, Error{Message: "404"}},
		{"null and void", plain, Error{Message: "null and void"}},
		{"true story", plain, Error{Message: "true story"}},
		{"<10 and >5", plain, Error{Message: "<10 and >5"}},
		{"<10 and >5", "", Error{Message: "<10 and >5"}},
		{"<9 and >5", "", Error{Message: "<9 and >5"}},
		{"<= 5 and > 3", "", Error{Message: "<= 5 and > 3"}},
		{"<", "", Error{Message: "<"}},
		{"a < b", plain, Error{Message: "a < b"}},
		{"<h1>Bad</h1> gateway", "", Error{Message: "Bad gateway"}},
		{"<!DOCTYPE html><p>Bad gateway", "", Error{Message: "Bad gateway"}},
		{"<?xml version='1.0'?><Code>AccessDenied</Code>", "application/xml", Error{Message: "AccessDenied"}},
		{"Bad <b>gateway</b>", "text/html; charset=utf-8", Error{Message: "Bad gateway"}},
		{"Bad <b>gateway</b>", plain, Error{Message: "Bad <b>gateway</b>"}},
		{"<title> </title><p>Down\n for &lt;repair&gt; \xff</p>", "text/html", Error{Message: "Down for <repair> \uFFFD"}},
		{"<title lang=en>First</title><title>Second</title><p>x", "text/html", Error{Message: "First"}},
		{"<p>a<script type=x>evil()\n</script>b<STYLE>\nx{}</style>c", "text/html", Error{Message: "abc"}},
		{`{"message":""}`, js, Error{Message: `{"message":""}`}},
		{`{"message":"a\"b\u0041"}`, js, Error{Message: `a"bA`}},
		{`{"message":"a","error_code":"c"}`, js, Error{Message: "a", Code: "c"}},
		{` {"message" : "a"} `, js, Error{Message: "a"}},
		{"{\"message\":\"a\nb\"}", js, Error{Message: "{\"message\":\"a\nb\"}"}},
		{`{"message":"a"}}`, js, Error{Message: `{"message":"a"}}`}},
		{`{"message":"a","error":"b","errors":["c"],"detail":"d"}`, js, Error{Message: "a", Reason: "b"}},
		{`{"error":"b","errors":["c"],"detail":"d"}`, js, Error{Message: "b", Reason: "b"}},
		{`{"errors":["c"],"detail":"d"}`, js, Error{Message: "c"}},
		{`{"detail":"d"}`, js, Error{Message: "d"}},
		{`{"message":""}`, js, Error{Message: `{"message":""}`}},
		{`{"message":"","error":null,"detail":"d"}`, js, Error{Message: "d"}},
		{`{"error_description":"only this"}`, js, Error{Message: "only this", Description: "only this"}},
		{`{"error":"b","error_description":"why"}`, js, Error{Message: "b", Reason: "b", Description: "why"}},
		{`{"message":"a","error_code":"c1","scimType":"s1","scope":"api"}`, js, Error{Message: "a", Code: "c1", Scope: "api"}},
		{`{"detail":"a","scimType":"uniqueness"}`, js, Error{Message: "a", Code: "uniqueness"}},
		{`{"message":"a","error":7,"error_code":8,"scope":["x"]}`, js, Error{Message: "a"}},
		{`{"message":"first","message":"second"}`, js, Error{Message: "second"}},
		{"{\"message\":\"bad \xff\",\"error_code\":\"c\xff\"}", js, Error{Message: "bad \uFFFD", Code: "c\uFFFD"}},
		{"{\"message\":{\"n\xff\":[\"bad \xff\"],\"n\xff\":\"twice\"}}", js, Error{
			Message: "n\uFFFD bad \uFFFD; n\uFFFD twice", Fields: map[string][]string{"n\uFFFD": {"bad \uFFFD", "twice"}}}},
		{`{"message":{"a":{"base":["x"],"b":"y"},"message":"z"}}`, js, Error{
			Message: "x; a.b y; z", Fields: map[string][]string{"a.base": {"x"}, "a.b": {"y"}, "message": {"z"}}}},
		{`{"message":{"database":["x"]}}`, js, Error{Message: "database x", Fields: map[string][]string{"database": {"x"}}}},
		{`{"message":{"a":null}}`, js, Error{Message: `{"message":{"a":null}}`}},
		{`{"errors":[{"code":"DENIED","message":"no"}]}`, js, Error{
			Message: "code DENIED; no", Fields: map[string][]string{"code": {"DENIED"}, "message": {"no"}}}},
		{`{"other":"a"}`, js, Error{Message: `{"other":"a"}`}},
		{`{"message":"x"} trailing`, js, Error{Message: `{"message":"x"} trailing`}},
	} {
		assert.Equal(t, &tc.want, parsed(tc.body, tc.contentType), "%s %q", tc.contentType, tc.body)
	}
}

// TestErrorBodiesAreBounded checks that the message is found among many or deep
// members, up to the documented limits.
func TestErrorBodiesAreBounded(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat(`"x",`, n-1) + `"x"]` }
	deep := func(n int) string { return strings.Repeat("[", n) + `"x"` + strings.Repeat("]", n) }
	assert.Equal(t, strings.Repeat("x; ", 1000)+"x", parsed(list(1001), "").Message)
	assert.Equal(t, list(1002), parsed(list(1002), "").Message, "what is too much is shown as it is")
	assert.Equal(t, "x", parsed(deep(32), "").Message)
	assert.Equal(t, deep(33), parsed(deep(33), "").Message)

	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + `"x"` + strings.Repeat("}", n) }
	assert.Equal(t, strings.Repeat("a.", 31)+"a x", parsed(`{"message":`+nested(32)+`}`, "").Message)
	assert.Equal(t, `{"message":`+nested(33)+`}`, parsed(`{"message":`+nested(33)+`}`, "").Message)

	page := "<br>" + strings.Repeat("a", 64<<10)
	message := parsed(page, "text/html").Message
	assert.Equal(t, 64<<10-len("<br>"), len(message), "64 KiB of a page are read")
}

// TestMessagesTooDeep checks that an error that is nested deeper than those of
// the service is shown as it is.
func TestMessagesTooDeep(t *testing.T) {
	for depth, want := range map[int]bool{maxMessageDepth - 2: true, maxMessageDepth + 8: false} {
		for _, nest := range [][2]string{{`{"a":`, `}`}, {`[`, `]`}} {
			body := `{"message":{"x":"text","y":` + strings.Repeat(nest[0], depth) + `"end"` + strings.Repeat(nest[1], depth) + `}}`
			e := parsed(body, "application/json")
			assert.Equal(t, want, e.Message != body, "%d %s", depth, nest[0])
			assert.Equal(t, want, e.Fields != nil, "%d %s", depth, nest[0])
		}
	}
}

// TestMessagesThatAreBroken checks that malformed or truncated JSON is shown as
// it is, even if a part of it could be read.
func TestMessagesThatAreBroken(t *testing.T) {
	for _, broken := range []string{
		`[`, `["a"`, `["a",`, `["a"}`, `{"a"`, `{"a":`, `{"a":"b"`, `{"a":["b"`, `{"a":["b"}`, `{"a":{"b":"c"`, `{"a":tru}`, `[nul]`, `{1:"a"}`, `["a" "b"]`,
	} {
		e := new(Error)
		assert.False(t, e.parseMessages([]byte(broken)), broken)
		assert.Empty(t, e.Message, broken)
		assert.Nil(t, e.Fields, broken)
	}
}

func TestClassify(t *testing.T) {
	for _, tc := range []struct {
		code   int
		reason string
		want   string
	}{
		{429, "", "*serviceapi.RateLimitError"}, {403, "insufficient_scope", "*serviceapi.InsufficientScopeError"},
		{403, "other", "*serviceapi.Error"}, {401, "insufficient_scope", "*serviceapi.Error"}, {503, "", "*serviceapi.Error"},
	} {
		err := classify(&Error{StatusCode: tc.code, Reason: tc.reason, Scope: "api"}, 3*time.Second)
		assert.Equal(t, tc.want, fmt.Sprintf("%T", err), "%d %s", tc.code, tc.reason)
		switch e := err.(type) {
		case *RateLimitError:
			assert.Equal(t, 3*time.Second, e.RetryAfter)
		case *InsufficientScopeError:
			assert.Equal(t, "api", e.Scope)
		}
	}
}

// TestPagesAreRecognizedByTheirType: the header of the response counts.
func TestPagesAreRecognizedByTheirType(t *testing.T) {
	for contentType, want := range map[string]string{"text/html": "Bad gateway", "text/plain": "Bad <b>gateway</b>"} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(502, "Bad <b>gateway</b>", "Content-Type", contentType))
		_, err := getJob(t.Context(), client)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, want, e.Message)
	}
}
