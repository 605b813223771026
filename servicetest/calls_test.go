package servicetest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"mime/multipart"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest"
)

var update = flag.Bool("update", false,
	"write testdata/calls, testdata/roles.txt and the roles of errors; internal/generate does it")

var (
	guard      = flag.Bool("guard", false, "see in all worlds, not in one of ten, that changes touch records")
	worldsMade atomic.Int64
)

// TestCalls compares the responses in testdata/calls with those of the service, byte
// for byte. A line of a file that begins with a method is a call. The response is below
// it, indented:
//
//	as guest                        the caller from here on; root at first
//	as owner with read_api          with a token of these scopes
//	GET /projects/1/labels          the path is below /api/v4
//	POST /projects/1/labels {"name":"bug"}
//	PUT /projects/1/labels name=bug a form; multipart: for the other kind
//	GET /issues | iid author.name   shows only these members
//	GET /issues | @X-Total          and headers
//	GET /issues | *                 and the names of all members
//	PUT /projects/1 {"ref":"{main}"}
//	                                with the head of main; {thread} is a thread
//	header If-None-Match: *         goes with the next call
//	like labels/label.json -x +y    compares the next response with a fixture that
//	                                was written for the client: the response
//	                                lacks x, and has y in addition
//	advance 1h                      moves the clock
//	let made id                     {made} is the member id of the last response
//	again premium                   a new world, on this tier
//	again delayed                   a new world, in which deletions wait a week
//	again unimpersonated            a new world, without impersonation
//
// The objects that all files use are in world_test.go. With -update, which go generate
// sets, the test writes the responses. Read them before you commit them. One whole body
// for each kind of object is in objects.txt. Everywhere else, show only the members
// that the call is about.
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
			refuseBodies(t, file, got)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			compareCalls(t, string(data), got)
			if t.Failed() {
				t.Log("if the differences are meant, run: go generate ./...")
			}
		})
	}
}

// refuseBodies reports whole bodies, because nobody reads them twice. They belong in
// objects.txt, or in graphql.txt if a query asks for them.
func refuseBodies(t *testing.T, file, script string) {
	t.Helper()
	if strings.HasSuffix(file, "objects.txt") || strings.HasSuffix(file, "graphql.txt") {
		return
	}
	call, lines := "", 0
	for line := range strings.Lines(script) {
		if !strings.HasPrefix(line, "\t") {
			call, lines = line, 0
		} else if lines++; lines == 4 {
			t.Errorf("%s: write which members the test is about: %s | id name", file, strings.TrimSpace(call))
		}
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

	like     string // the fixture for the next call
	likeness string // the line that says how the response differs from it

	last      answer
	delivered int // by hooks, as far as they were looked at
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
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if verb == "like" {
			p.like, _, _ = strings.Cut(rest, " ")
			continue
		}
		answer := p.step(verb, rest)
		out.WriteString(p.likeness + line + answer)
		p.likeness = ""
	}
	return out.String()
}

// step does what a line says, and returns the lines of the response if it is a call.
func (p *player) step(verb, rest string) string {
	p.t.Helper()
	switch verb {
	case "", "#":
	case "as":
		p.caller = rest
	case "header":
		name, value, _ := strings.Cut(rest, ": ")
		p.header = append(p.header, name, placeholder.ReplaceAllStringFunc(value, p.world.named))
	case "advance":
		d, err := time.ParseDuration(rest)
		if err != nil {
			p.t.Fatal(err)
		}
		p.world.svc.Advance(d)
	case "let":
		name, member, _ := strings.Cut(rest, " ")
		value, _ := json.Marshal(memberOf(into[any](p.t, p.last, p.last.StatusCode), member))
		p.world.threads["{"+name+"}"] = strings.Trim(string(value), `"`)
	case "again":
		p.again(worlds[rest]...)
	case "listen":
		p.listen(rest)
	case "sent":
		return p.sent(rest)
	default:
		return p.play(verb, rest)
	}
	return ""
}

// worlds are the kinds of worlds by name.
var worlds = map[string][]servicetest.Option{
	"free":           {servicetest.WithTier(servicetest.Free)},
	"premium":        {servicetest.WithTier(servicetest.Premium)},
	"delayed":        {servicetest.WithDelayedDeletion(7 * 24 * time.Hour)},
	"unimpersonated": {servicetest.WithoutImpersonation()},
}

func (p *player) again(opts ...servicetest.Option) {
	p.world = newWorld(p.t, opts...)
	if *guard || worldsMade.Add(1)%10 == 1 { // a guard looks at everything after each call
		p.world.svc.Guard(func(problem string) { p.t.Error(problem) })
	}
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
	p.last = a
	if p.like != "" {
		p.likeness = strings.TrimSpace("like "+p.like+" "+differences(p.t, p.like, a.body)) + "\n"
		p.like = ""
	}
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
	return " " + filled(a.body)
}

// filled breaks JSON into lines of up to 118 characters, between members.
func filled(body string) string {
	var out strings.Builder
	width := 0
	for i, piece := range strings.Split(body, `,"`) {
		if i > 0 {
			out.WriteByte(',')
			if width += len(piece) + 2; width > 118 {
				out.WriteString("\n\t")
				width = len(piece) + 2
			}
			piece = `"` + piece
		}
		out.WriteString(piece)
		width = max(width, len(piece))
	}
	return out.String()
}

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

// memberOf returns a member by its path, such as author.name or notes.0.body, and for *
// the names of all members.
func memberOf(value any, name string) any {
	for part := range strings.SplitSeq(name, ".") {
		switch v := value.(type) {
		case map[string]any:
			if part == "*" {
				return strings.Join(slices.Sorted(maps.Keys(v)), " ")
			}
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

// differences compares the members of a response, or of its first item, with those of
// a fixture that was written for the client. It returns the names that the response
// lacks (-name), has in addition (+name) or has as another kind (!name).
func differences(t *testing.T, fixture, body string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../testdata", fixture))
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := errors.Join(json.Unmarshal(data, &want), json.Unmarshal([]byte(body), &got)); err != nil {
		t.Fatalf("%s: %v", fixture, err)
	}
	var found []string
	differ("", firstOf(want), firstOf(got), func(difference string) { found = append(found, difference) })
	slices.Sort(found)
	return strings.Join(found, " ")
}

// firstOf returns the first item of a list, or nil if the list is empty. Other values
// are returned as they are.
func firstOf(value any) any {
	items, isList := value.([]any)
	switch {
	case !isList:
		return value
	case len(items) == 0:
		return nil
	}
	return items[0]
}

// differ reports members that only one of two objects has, and members that have
// another kind in the second one. Null and empty lists match any kind.
func differ(path string, want, got any, report func(string)) {
	w, wantsObject := want.(map[string]any)
	g, isObject := got.(map[string]any)
	if !wantsObject || !isObject {
		if want != nil && got != nil && fmt.Sprintf("%T", want) != fmt.Sprintf("%T", got) {
			report("!" + path)
		}
		return
	}
	inside := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	for name, value := range w {
		if other, there := g[name]; there {
			differ(inside(name), firstOf(value), firstOf(other), report)
		} else {
			report("-" + inside(name))
		}
	}
	for name := range g {
		if _, there := w[name]; !there {
			report("+" + inside(name))
		}
	}
}
