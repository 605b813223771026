package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// routesFile is the table of the embedded service.
const routesFile = "servicetest/routes.go"

// tableMethods are the handlers of a collection.
var tableMethods = map[string]string{"GET": "Get", "POST": "Create", "PUT": "Update", "DELETE": "Delete"}

// handler returns the handler of the endpoint: a method of the table that serves others of
// the same path, or a function that has to be written.
func (s *skeleton) handler(routes string) (name string, isTable bool) {
	collection := regexp.MustCompile(`/[:*]\w+$`).ReplaceAllString(s.path, "")
	for _, r := range routeLine.FindAllStringSubmatch(routes, -1) {
		path := regexp.MustCompile(`/[:*]\w+$`).ReplaceAllString(r[2], "")
		table, method, ok := strings.Cut(r[3], ".")
		if ok && path == collection && slices.Contains([]string{"List", "Get", "Create", "Update", "Delete"}, method) {
			return table + "." + s.tableMethod(), true
		}
	}
	return lower(withObject(s.service, s.names()[0])), false
}

func (s *skeleton) tableMethod() string {
	if s.kind() == "list" {
		return "List"
	}
	return tableMethods[s.method]
}

// routeLine matches a route, with the method, the path and the handler.
var routeLine = regexp.MustCompile(`(?m)^\t\ton\("(\w+) ([^"]+)", ([\w.]+)`)

// addRoute adds the endpoint to the table of routes, after the row before it in its area, or
// if the area is new, after the area of the row before it.
func (s *skeleton) addRoute(routes string, rows []row, at int, handler string) (string, error) {
	line := fmt.Sprintf("\t\ton(%q, %s", s.line(), handler)
	if s.method != "GET" {
		line += ", role(" + fillIn + ")"
	}
	line += "),\n"
	end := -1
	for before := at - 1; before >= 0; before-- {
		start := strings.Index(routes, fmt.Sprintf("\t\ton(%q,", rows[before].line()))
		switch {
		case start < 0:
		case rows[before].area == s.area:
			end = start + statement(routes[start:])
			return routes[:end] + line + routes[end:], nil
		case end < 0:
			end = start + statement(routes[start:])
		}
	}
	if end < 0 {
		return "", fmt.Errorf("%s: no row before %q has a route", routesFile, s.line())
	}
	if group := strings.Index(routes[end:], "\n\n"); group >= 0 && routes[end] != '\n' {
		end += group + 1
	}
	return routes[:end] + "\n\t\t// " + strings.ReplaceAll(s.area, "_", " ") + "\n" + line + routes[end:], nil
}

// statement returns the length of the call at the beginning of text, with the rest of its
// last line.
func statement(text string) int {
	open := 0
	for i, c := range text {
		switch {
		case c == '(':
			open++
		case c == ')':
			open--
		case c == '\n' && open == 0:
			return i + 1
		}
	}
	return len(text)
}

// handlerFunc returns the handler that has to be written.
func handlerFunc(name string) string {
	return fmt.Sprintf("\nfunc %s(c *call) *reply {\n\t%s\n}\n", name, fillIn)
}

// table returns the file of a plain area: a table with the parameters as fields.
func (s *skeleton) table() string {
	record := lower(singular(s.service))
	var b strings.Builder
	fmt.Fprintf(&b, "package servicetest\n\nimport \"example.com/serviceapi/servicetest/internal/collection\"\n\n")
	fmt.Fprintf(&b, "// A %s is %s.\ntype %s struct {\n\tid int64\n\t%s\n}\n\n", record, fillIn, record, fillIn)
	fmt.Fprintf(&b, "// %sState keeps the records of all %s.\ntype %sState struct{ records table[*%s] }\n\n", record,
		strings.ReplaceAll(s.area, "_", " "), record, record)
	fmt.Fprintf(&b, "var %s = collection.Table[*call, %s, %s]{\n", lower(s.service), fillIn, record)
	fmt.Fprintf(&b, "\tName: %q, Param: %q,\n", singular(s.service), fillIn)
	fmt.Fprintf(&b, "\tID: func(r *%s) int64 { return r.id },\n", record)
	for _, function := range []string{"Home", "Records", "New", "Add", "Remove"} {
		fmt.Fprintf(&b, "\t%s: %s,\n", function, fillIn)
	}
	fmt.Fprintf(&b, "\tFields: []collection.Field[%s]{\n", record)
	fmt.Fprintf(&b, "\t\tcollection.Shown(\"id\", func(r *%s) int64 { return r.id }),\n", record)
	for _, p := range s.body {
		fmt.Fprintf(&b, "\t\tcollection.Text(%q, func(r *%s) *string { return &r.%s }),\n", p.name, record, fillIn)
	}
	b.WriteString("\t},\n}\n")
	return b.String()
}

// rule returns a section for testdata/rules.
func (s *skeleton) rule() string {
	path := regexp.MustCompile(`[:*]\w+`).ReplaceAllString(s.path, "1")
	for i, p := range s.query {
		path += map[bool]string{true: "?", false: "&"}[i == 0] + p.name + "=" + fillIn
	}
	body := ""
	if len(s.body) > 0 {
		var members []string
		for _, p := range s.body {
			members = append(members, fmt.Sprintf("%q:%s", p.name, fillIn))
		}
		body = " {" + strings.Join(members, ",") + "}"
	}
	return fmt.Sprintf("\n## %s.\n%s %s%s | %s\n\t%s %s\n", fillIn, s.method, path, body, fillIn, s.status(), fillIn)
}

// serviceTest returns the test of the client and the embedded service together.
func (s *skeleton) serviceTest() string {
	return fmt.Sprintf("\nfunc TestService%s%s(t *testing.T) {\n\tsvc := servicetest.New(t)\n\t%s\n"+
		"\tclient := asRoot(t, svc)\n%s}\n", s.service, s.names()[0], fillIn, s.calls("client", "serviceapi.", fillIn))
}
