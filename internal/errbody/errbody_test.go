package errbody

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBodies checks what is read from each form of a body.
func TestBodies(t *testing.T) {
	const js, plain = "application/json", "text/plain"
	for _, tc := range []struct {
		body, contentType string
		want              Body
	}{
		{"", js, Body{}},
		{" \r\n\t", js, Body{}},
		{`""`, js, Body{}},
		{"null", js, Body{}},
		{"{}", js, Body{}},
		{`{"message":null}`, js, Body{}},
		{`{"error":null}`, js, Body{}},
		{`{"message":{"base":[null]}}`, js, Body{}},
		{`{"message":{"base":["",{"a":""}]}}`, js, Body{}},
		{`{"message":null,"status":400}`, js, Body{Message: `{"message":null,"status":400}`}},
		{`{"ok":false}`, js, Body{Message: `{"ok":false}`}},
		{`{"a":`, js, Body{Message: `{"a":`}},
		{"{} x", js, Body{Message: "{} x"}},
		{`"text"`, js, Body{Message: "text"}},
		{`"te\u0078t"`, js, Body{Message: "text"}},
		{`["a",["b"],null,3,true]`, js, Body{Message: "a; b; 3; true"}},
		{`[]`, js, Body{}},
		{`["a"`, js, Body{Message: `["a"`}},
		{"404 page not found", plain, Body{Message: "404 page not found"}},
		{"404", plain, Body{Message: "404"}},
		{"null and void", plain, Body{Message: "null and void"}},
		{"true story", plain, Body{Message: "true story"}},
		{"<10 and >5", plain, Body{Message: "<10 and >5"}},
		{"<10 and >5", "", Body{Message: "<10 and >5"}},
		{"<9 and >5", "", Body{Message: "<9 and >5"}},
		{"<= 5 and > 3", "", Body{Message: "<= 5 and > 3"}},
		{"<", "", Body{Message: "<"}},
		{"a < b", plain, Body{Message: "a < b"}},
		{"<h1>Bad</h1> gateway", "", Body{Message: "Bad gateway", Page: true}},
		{"<!DOCTYPE html><p>Bad gateway", "", Body{Message: "Bad gateway", Page: true}},
		{"<?xml version='1.0'?><Code>AccessDenied</Code>", "application/xml", Body{Message: "AccessDenied"}},
		{"Bad <b>gateway</b>", "text/html; charset=utf-8", Body{Message: "Bad gateway", Page: true}},
		{"Bad <b>gateway</b>", plain, Body{Message: "Bad <b>gateway</b>"}},
		{"<title> </title><p>Down\n for &lt;repair&gt; \xff</p>", "text/html",
			Body{Message: "Down for <repair> \uFFFD", Page: true}},
		{"<title lang=en>First</title><title>Second</title><p>x", "text/html", Body{Message: "First", Page: true}},
		{"<p>a<script type=x>evil()\n</script>b<STYLE>\nx{}</style>c", "text/html", Body{Message: "abc", Page: true}},
		{`{"message":""}`, js, Body{}},
		{`{"message":"a\"b\u0041"}`, js, Body{Message: `a"bA`}},
		{`{"message":"a","error_code":"c"}`, js, Body{Message: "a", Code: "c"}},
		{` {"message" : "a"} `, js, Body{Message: "a"}},
		{"{\"message\":\"a\nb\"}", js, Body{Message: "{\"message\":\"a\nb\"}"}},
		{`{"message":"a"}}`, js, Body{Message: `{"message":"a"}}`}},
		{`{"message":"a","error":"b","errors":["c"],"detail":"d"}`, js, Body{Message: "a", Reason: "b"}},
		{`{"error":"b","errors":["c"],"detail":"d"}`, js, Body{Message: "b", Reason: "b"}},
		{`{"errors":["c"],"detail":"d"}`, js, Body{Message: "c"}},
		{`{"detail":"d"}`, js, Body{Message: "d"}},
		{`{"message":""}`, js, Body{}},
		{`{"message":"","error":null,"detail":"d"}`, js, Body{Message: "d"}},
		{`{"error_description":"only this"}`, js, Body{Message: "only this", Description: "only this"}},
		{`{"error":"b","error_description":"why"}`, js, Body{Message: "b", Reason: "b", Description: "why"}},
		{`{"message":"a","error_code":"c1","scimType":"s1","scope":"api"}`, js,
			Body{Message: "a", Code: "c1", Scope: "api"}},
		{`{"detail":"a","scimType":"uniqueness"}`, js, Body{Message: "a", Code: "uniqueness"}},
		{`{"message":"a","error":7,"error_code":8,"scope":["x"]}`, js, Body{Message: "a"}},
		{`{"message":"first","message":"second"}`, js, Body{Message: "second"}},
		{"{\"message\":\"bad \xff\",\"error_code\":\"c\xff\"}", js, Body{Message: "bad \uFFFD", Code: "c\uFFFD"}},
		{"{\"message\":{\"n\xff\":[\"bad \xff\"],\"n\xff\":\"twice\"}}", js, Body{
			Message: "n\uFFFD bad \uFFFD; n\uFFFD twice",
			Fields:  map[string][]string{"n\uFFFD": {"bad \uFFFD", "twice"}}}},
		{`{"message":{"a":{"base":["x"],"b":"y"},"message":"z"}}`, js, Body{
			Message: "x; a.b y; z", Fields: map[string][]string{"a.base": {"x"}, "a.b": {"y"}, "message": {"z"}}}},
		{`{"message":{"database":["x"]}}`, js,
			Body{Message: "database x", Fields: map[string][]string{"database": {"x"}}}},
		{`{"message":{"a":null}}`, js, Body{}},
		{`{"errors":[{"code":"DENIED","message":"no"}]}`, js, Body{
			Message: "code DENIED; no", Fields: map[string][]string{"code": {"DENIED"}, "message": {"no"}}}},
		{`{"other":"a"}`, js, Body{Message: `{"other":"a"}`}},
		{`{"message":"x"} trailing`, js, Body{Message: `{"message":"x"} trailing`}},
	} {
		assert.Equal(t, tc.want, Parse([]byte(tc.body), tc.contentType), "%s %q", tc.contentType, tc.body)
	}
}

// TestBodiesAreBounded checks that the message is found among many or deep
// members, up to the documented limits.
func TestBodiesAreBounded(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat(`"x",`, n-1) + `"x"]` }
	deep := func(n int) string { return strings.Repeat("[", n) + `"x"` + strings.Repeat("]", n) }
	assert.Equal(t, strings.Repeat("x; ", 1000)+"x", Parse([]byte(list(1001)), "").Message)
	assert.Equal(t, list(1002), Parse([]byte(list(1002)), "").Message, "what is too much is shown as it is")
	assert.Equal(t, "x", Parse([]byte(deep(32)), "").Message)
	assert.Equal(t, deep(33), Parse([]byte(deep(33)), "").Message)

	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + `"x"` + strings.Repeat("}", n) }
	assert.Equal(t, strings.Repeat("a.", 31)+"a x", Parse([]byte(`{"message":`+nested(32)+`}`), "").Message)
	assert.Equal(t, `{"message":`+nested(33)+`}`, Parse([]byte(`{"message":`+nested(33)+`}`), "").Message)

	page := "<br>" + strings.Repeat("a", 64<<10)
	message := Parse([]byte(page), "text/html").Message
	assert.Equal(t, 64<<10-len("<br>"), len(message), "64 KiB of a page are read")
}

// TestMessagesTooDeep checks that an error that is nested deeper than those of
// the service is shown as it is.
func TestMessagesTooDeep(t *testing.T) {
	for depth, want := range map[int]bool{maxDepth - 2: true, maxDepth + 8: false} {
		for _, nest := range [][2]string{{`{"a":`, `}`}, {`[`, `]`}} {
			body := `{"message":{"x":"text","y":` + strings.Repeat(nest[0], depth) + `"end"` +
				strings.Repeat(nest[1], depth) + `}}`
			e := Parse([]byte(body), "application/json")
			assert.Equal(t, want, e.Message != body, "%d %s", depth, nest[0])
			assert.Equal(t, want, e.Fields != nil, "%d %s", depth, nest[0])
		}
	}
}

// TestMessagesThatAreBroken checks that malformed or truncated JSON is shown as
// it is, even if a part of it could be read.
func TestMessagesThatAreBroken(t *testing.T) {
	for _, broken := range []string{
		`[`, `["a"`, `["a",`, `["a"}`, `{"a"`, `{"a":`, `{"a":"b"`, `{"a":["b"`, `{"a":["b"}`, `{"a":{"b":"c"`,
		`{"a":tru}`, `[nul]`, `{1:"a"}`, `["a" "b"]`,
	} {
		assert.Zero(t, Messages([]byte(broken)), broken)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"message":{"a":["b"]}}`, `{"error":"x"}`, `<title>x`, `[`, `"\ud800"`,
		`{"message":{"a":{"a":{}}}}`, "<script><script></script>x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if b := Parse(body, "application/json"); b.Message == "" && b.Fields != nil {
			t.Fatalf("%+v", b)
		}
		pageText(body)
	})
}
