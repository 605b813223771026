package servicetest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"mime/multipart"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest"
)

var update = flag.Bool("update", false, "write the responses into testdata/calls")

// TestCalls compares the responses in testdata/calls with those of the service,
// byte for byte. A file has one call on each line that begins with a method,
// and below it, indented, the response:
//
//	as guest                        who calls from here on; the first is root
//	as owner with read_api          with a token of these scopes
//	GET /projects/1/labels          the path is below /api/v4
//	POST /projects/1/labels {"name":"bug"}
//	PUT /projects/1/labels name=bug a form; multipart: for the other kind
//	GET /issues | iid author.name   shows these members alone
//	GET /issues | @X-Total          and headers
//	PUT /projects/1 {"ref":"{main}"}
//	                                with the head of main; {thread} is a thread
//	header If-None-Match: *         goes with the next call
//	advance 1h                      moves the clock
//	again premium                   a new world, on this tier
//	again delayed                   a new world, in which deletions wait a week
//
// The objects that all files use are in world_test.go. With -update, the
// responses are written. Read them before you commit them.
func TestCalls(t *testing.T) {
	files, err := filepath.Glob("testdata/calls/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := playCalls(t, string(data))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			compareCalls(t, string(data), got)
		})
	}
}

// compareCalls reports the first lines that differ.
func compareCalls(t *testing.T, want, got string) {
	t.Helper()
	expected, lines := strings.Split(want, "\n"), strings.Split(got, "\n")
	call, differences := "", 0
	for i := range min(len(expected), len(lines)) {
		if !strings.HasPrefix(lines[i], "\t") {
			call = lines[i]
		}
		if lines[i] == expected[i] {
			continue
		}
		t.Errorf("line %d, %s:\n%s\nwant\n%s", i+1, call, lines[i], expected[i])
		if differences++; differences == 5 {
			return
		}
	}
	if len(lines) != len(expected) {
		t.Errorf("%d lines, want %d", len(lines), len(expected))
	}
}

// A player plays a file of calls.
type player struct {
	t      *testing.T
	world  *world
	caller string
	header []string // of the next call
}

// playCalls returns a file with the current responses.
func playCalls(t *testing.T, script string) string {
	t.Helper()
	p := &player{t: t}
	p.again()
	var out strings.Builder
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		out.WriteString(line)
		line = strings.TrimSpace(line)
		verb, rest, _ := strings.Cut(line, " ")
		switch {
		case verb == "" || verb == "#":
		case verb == "as":
			p.caller = rest
		case verb == "header":
			name, value, _ := strings.Cut(rest, ": ")
			p.header = append(p.header, name, placeholder.ReplaceAllStringFunc(value, p.world.named))
		case verb == "advance":
			d, err := time.ParseDuration(rest)
			if err != nil {
				t.Fatal(err)
			}
			p.world.svc.Advance(d)
		case verb == "again":
			p.again(worlds[rest]...)
		default:
			out.WriteString(p.play(verb, rest))
		}
	}
	return out.String()
}

// worlds are the kinds of worlds by name.
var worlds = map[string][]servicetest.Option{
	"free": {servicetest.WithTier(servicetest.Free)}, "premium": {servicetest.WithTier(servicetest.Premium)},
	"delayed": {servicetest.WithDelayedDeletion(7 * 24 * time.Hour)},
}

func (p *player) again(opts ...servicetest.Option) {
	p.world = newWorld(p.t, opts...)
	p.caller = "root"
}

// play sends a request and returns the lines of its response.
func (p *player) play(method, rest string) string {
	p.t.Helper()
	rest, shown, _ := strings.Cut(rest, " | ")
	rest = placeholder.ReplaceAllStringFunc(rest, p.world.named)
	path, body, _ := strings.Cut(rest, " ")
	if !strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/oauth/") {
		path = "/api/v4" + path
	}
	body, contentType := p.body(body)
	headers := append(p.credentials(), p.header...)
	p.header = nil
	if contentType != "" {
		headers = append(headers, "Content-Type", contentType)
	}
	a := request(p.t, method, p.world.svc.URL()+path, body, headers...)
	answered := strings.ReplaceAll(p.show(a, shown), p.world.svc.URL(), "{url}")
	return fmt.Sprintf("\t%d%s\n", a.StatusCode, answered)
}

// placeholder matches a name in a call.
var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// credentials returns the header with the token of the caller.
func (p *player) credentials() []string {
	name, scopes, limited := strings.Cut(p.caller, " with ")
	if name == "nobody" {
		return nil
	}
	user := p.world.svc.FindUser(name)
	if user == nil {
		p.t.Fatalf("no user %q", name)
	}
	if !limited {
		scopes = "api"
	}
	key := name + " " + scopes
	if p.world.tokens[key] == "" {
		p.world.tokens[key] = p.world.svc.Token(user, servicetest.Scopes(strings.Fields(scopes)...))
	}
	return []string{"PRIVATE-TOKEN", p.world.tokens[key]}
}

// body returns the body of a call and its type: JSON, a form, or a multipart
// form whose files are written as name=@file:content.
func (p *player) body(text string) (body, contentType string) {
	fields, isMultipart := strings.CutPrefix(text, "multipart: ")
	switch {
	case text == "":
		return "", ""
	case text[0] == '{' || text[0] == '[':
		return text, "application/json"
	case !isMultipart:
		return text, "application/x-www-form-urlencoded"
	}
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	form.SetBoundary("boundary")
	for field := range strings.SplitSeq(fields, "&") {
		name, value, _ := strings.Cut(field, "=")
		if file, isFile := strings.CutPrefix(value, "@"); isFile {
			fileName, content, _ := strings.Cut(file, ":")
			part, _ := form.CreateFormFile(name, fileName)
			part.Write([]byte(content))
			continue
		}
		form.WriteField(name, value)
	}
	form.Close()
	return out.String(), form.FormDataContentType()
}

// show writes a response, or only the members and headers that the call asks
// for.
func (p *player) show(a answer, shown string) string {
	if shown != "" {
		return p.showSome(a, shown)
	}
	switch body, kind := a.body, a.Header.Get("Content-Type"); {
	case body == "":
		return ""
	case !strings.Contains(kind, "json") && (!utf8.ValidString(body) || strings.Contains(body, "\n")):
		return fmt.Sprintf(" %s %q", kind, body)
	case len(body) < 120 || !strings.Contains(kind, "json"):
		return " " + body
	}
	var out bytes.Buffer
	if json.Indent(&out, []byte(a.body), "\t", "\t") != nil {
		return " " + a.body
	}
	return " " + simpleLists.ReplaceAllStringFunc(out.String(), func(list string) string {
		return strings.Join(strings.Fields(list), " ")
	})
}

// simpleLists matches lists and objects with a few scalars, which are written
// on one line.
var simpleLists = regexp.MustCompile(`[\[{]\s+[^\[\]{}\n]{1,60}(\n\s*[^\[\]{}\n]{1,60}){0,3}\n\s*[\]}]`)

// showSome writes the headers and members that the call asks for, each item of
// a list in brackets.
func (p *player) showSome(a answer, shown string) string {
	var members []string
	var out strings.Builder
	for name := range strings.FieldsSeq(shown) {
		header, isHeader := strings.CutPrefix(name, "@")
		if !isHeader {
			members = append(members, name)
			continue
		}
		fmt.Fprintf(&out, " %s: %s;", header, strings.Join(a.Header.Values(header), ", "))
	}
	switch {
	case a.StatusCode >= 400:
		return out.String() + " " + a.body
	case len(members) == 0:
		return out.String()
	}
	var all []any
	if json.Unmarshal([]byte(a.body), &all) != nil {
		all = []any{into[any](p.t, a, a.StatusCode)}
	}
	for _, item := range all {
		var values []string
		for _, member := range members {
			text, _ := json.Marshal(memberOf(item, member))
			values = append(values, string(text))
		}
		fmt.Fprintf(&out, " [%s]", strings.Join(values, " "))
	}
	return out.String()
}

// memberOf returns a member by its path, such as author.name or notes.0.body.
func memberOf(value any, name string) any {
	for part := range strings.SplitSeq(name, ".") {
		switch v := value.(type) {
		case map[string]any:
			there := false
			if value, there = v[part]; !there {
				return "(absent)"
			}
		case []any:
			at := 0
			if _, err := fmt.Sscan(part, &at); err != nil || at >= len(v) {
				return "(absent)"
			}
			value = v[at]
		default:
			return "(absent)"
		}
	}
	return value
}
