// Command endpoint writes the skeleton of an endpoint that has a row in
// testdata/endpoints.tsv:
//
//	go run ./internal/endpoint -required name "PUT /projects/:id/pipelines/:pipeline_id/metadata"
//
// It writes the method with its types, a wire test and a fixture, and for the embedded
// service the route, the handler or the table of a new area, a rule and a test of both
// together. Whatever only a person knows is FILL_IN, which does not compile, and which a test
// finds in comments.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

func main() {
	name := flag.String("name", "", "the name of the method; without List and All for a list")
	service := flag.String("service", "", "the field of the client for a new area, such as FeatureFlags")
	required := flag.String("required", "", "the parameters of the body that are required, with commas between them")
	flag.Parse()
	root, err := inventory.Root()
	if err == nil && flag.NArg() != 1 {
		err = errors.New(`usage: go run ./internal/endpoint [flags] "METHOD /path"`)
	}
	var changed []string
	if err == nil {
		changed, err = write(root, flag.Arg(0), *name, *service, strings.Split(*required, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, file := range changed {
		fmt.Println(file)
	}
	fmt.Println("fill in every FILL_IN, then run: go generate ./...")
}

// write writes the skeleton and returns the files that it changed.
func write(root, line, name, service string, required []string) ([]string, error) {
	rows, err := readRows(root)
	if err != nil {
		return nil, err
	}
	at, err := find(rows, line)
	if err != nil {
		return nil, err
	}
	l, err := readLibrary(root)
	if err != nil {
		return nil, err
	}
	if called := l.byLine[line]; len(called) > 0 {
		return nil, fmt.Errorf("%s is called by %s already", line, called[0].Name.Name)
	}
	e := &editor{root: root, rows: rows, at: at, library: l}
	if err := e.plan(name, service, required); err != nil {
		return nil, err
	}
	err = errors.Join(e.writeLibrary(), e.writeService())
	return e.changed, err
}

// An editor changes the files of the repository.
type editor struct {
	root    string
	rows    []row
	at      int
	library *library
	s       *skeleton
	file    string // the file of the area
	changed []string
}

// plan finds out what the skeleton needs.
func (e *editor) plan(name, service string, required []string) error {
	r := e.rows[e.at]
	if !strings.HasPrefix(r.path, "/") || strings.HasPrefix(r.path, "/api/") {
		return fmt.Errorf("%s is not below /api/v4: write it by hand", r.line())
	}
	s := &skeleton{row: r, place: r.placeOf(), required: required}
	s.receiver, e.file = e.library.service(e.rows, r.area)
	if s.receiver == "" {
		if service == "" {
			service = camel(r.area)
		}
		s.receiver, e.file = service+"Service", r.area+".go"
	}
	s.service = strings.TrimSuffix(s.receiver, "Service")
	if s.name = name; name == "" {
		s.name = e.library.methodName(s.receiver, r)
	}
	for _, method := range s.names() {
		if e.library.methods[s.receiver+"."+method] {
			return fmt.Errorf("%s.%s exists: give another name with -name", s.service, method)
		}
	}
	if kind := s.kind(); kind == "list" || kind == "do" {
		s.result, s.known = e.library.resultType(e.rows, r, s.service)
		if !s.known {
			s.fields = e.library.resultFields(r)
		}
	}
	switch {
	case len(r.query)+len(r.body) > 0:
		s.options = withObject(s.service, s.names()[0]) + "Options"
	case s.kind() == "list":
		s.options = "ListOptions"
	}
	if s.options != "ListOptions" && e.library.source.Structs[s.options] != nil {
		return fmt.Errorf("the type %s exists: give another name with -name", s.options)
	}
	for _, p := range r.query {
		if s.kind() == "list" {
			break // All sends more than the options have
		}
		f := e.library.fieldOf("url", s.options, p)
		s.queried = append(s.queried, field{f.name, f.typ, p.name})
	}
	e.s = s
	return nil
}

func (e *editor) writeLibrary() error {
	s := e.s
	if e.library.source.Files[e.file] == nil {
		if err := e.newArea(); err != nil {
			return err
		}
	}
	if err := e.change(e.file, func(text string) string {
		wanted := []string{"context", "net/http"}
		if s.kind() == "list" {
			wanted[1] = "iter"
		}
		return withImports(afterLast(text, `func \(s \*`+s.receiver+`\) `, s.methods()), wanted...)
	}); err != nil {
		return err
	}
	options := func(text, added string) string { return afterLast(text, `type \w+Options struct `, added) }
	atEnd := func(text, added string) string { return text + added }
	err := errors.Join(e.addType("_options.go", s.optionsType(e.library), options),
		e.addType("_types.go", s.resultType(), atEnd))
	if err != nil {
		return err
	}
	fixture := snake(cmp.Or(plainResult(s.row.result), s.result))
	fixture = s.area + "/" + strings.TrimPrefix(fixture, singular(s.area)+"_") + ".json"
	name := filepath.Join("testdata", filepath.FromSlash(fixture))
	if _, err := os.Stat(filepath.Join(e.root, name)); err != nil && s.result != "" {
		if err := e.change(name, func(string) string { return s.fixture() }); err != nil {
			return err
		}
	}
	return e.appendTest("internal/wiretests/"+strings.TrimSuffix(e.file, ".go")+"_test.go", "package wiretests\n",
		s.wireTest(fixture), "example.com/serviceapi")
}

func (e *editor) writeService() error {
	s := e.s
	routes, err := os.ReadFile(filepath.Join(e.root, filepath.FromSlash(routesFile)))
	if err != nil {
		return err
	}
	handler, isTable := s.handler(string(routes))
	area := "servicetest/" + s.area + ".go"
	_, missing := os.Stat(filepath.Join(e.root, filepath.FromSlash(area)))
	if missing != nil && !isTable && s.tableMethod() != "" {
		handler, isTable = lower(s.service)+"."+s.tableMethod(), true
		if err := e.change(area, func(string) string { return s.table() }); err != nil {
			return err
		}
	}
	var problem error
	err = e.change(routesFile, func(text string) string {
		changed, err := s.addRoute(text, e.rows, e.at, handler)
		problem = err
		return changed
	})
	if err = errors.Join(problem, err); err != nil {
		return err
	}
	if !isTable {
		if err := e.change(area, func(text string) string {
			if text == "" {
				text = "package servicetest\n"
			}
			return text + handlerFunc(handler)
		}); err != nil {
			return err
		}
	}
	rules := "servicetest/testdata/rules/" + s.area + ".txt"
	if err := e.change(rules, func(text string) string { return strings.TrimPrefix(text+s.rule(), "\n") }); err != nil {
		return err
	}
	return e.appendTest("internal/servicetests/"+strings.TrimSuffix(e.file, ".go")+"_test.go", "package servicetests\n",
		s.serviceTest(), "example.com/serviceapi", "example.com/serviceapi/servicetest")
}

// appendTest adds a test to a file, which it makes if there is none.
func (e *editor) appendTest(name, head, test string, imports ...string) error {
	imports = append(imports, "github.com/stretchr/testify/assert", "github.com/stretchr/testify/require")
	return e.change(name, func(text string) string {
		if text == "" {
			text = head + "\nimport (\n\t\"testing\"\n\n\t\"" + strings.Join(imports, "\"\n\t\"") + "\"\n)\n"
		}
		if e.s.kind() == "stream" {
			text = withImports(text, "io")
		}
		return text + test
	})
}

// newArea makes the file of a new area and adds its service to the client.
func (e *editor) newArea() error {
	s := e.s
	text := "package serviceapi\n\nimport (\n\t\"context\"\n)\n\n" +
		fmt.Sprintf("// %s %s.\n//\n", s.receiver, fillIn) +
		fmt.Sprintf("// Its options are none. See the example of [%s.%s].\n", s.receiver, fillIn) +
		"type " + s.receiver + " service\n"
	field := fmt.Sprintf("\t// %s %s.\n\t%s *%s\n", s.service, fillIn, s.service, s.receiver)
	set := fmt.Sprintf("\tc.%s = (*%s)(s)\n", s.service, s.receiver)
	return errors.Join(
		e.change(e.file, func(string) string { return text }),
		e.change("client.go", func(text string) string { return inOrder(text, clientField, field, s.service) }),
		e.change("services.go", func(text string) string { return inOrder(text, serviceLine, set, s.service) }),
	)
}

var (
	clientField = regexp.MustCompile(`(?m)(?:^\t//.*\n)+^\t(\w+) +\*\w+Service\n`)
	serviceLine = regexp.MustCompile(`(?m)^\tc\.(\w+) = \(\*\w+Service\)\(s\)\n`)
)

// inOrder adds a line before the first match whose name is greater, or after the last one.
func inOrder(text string, match *regexp.Regexp, line, name string) string {
	at := 0
	for _, found := range match.FindAllStringSubmatchIndex(text, -1) {
		if text[found[2]:found[3]] > name {
			at = found[0]
			break
		}
		at = found[1]
	}
	return text[:at] + line + text[at:]
}

// addType adds a type to the file of the area, or to that for such types if it has one.
func (e *editor) addType(suffix, added string, add func(text, added string) string) error {
	if added == "" {
		return nil
	}
	file := e.file
	if own := strings.TrimSuffix(file, ".go") + suffix; e.library.source.Files[own] != nil {
		file = own
	}
	return e.change(file, func(text string) string {
		text = add(text, added)
		if strings.Contains(added, " time.Time") {
			text = withImports(text, "time")
		}
		return text
	})
}

// afterLast adds text after the last declaration that begins so, or at the end.
func afterLast(text, begin, added string) string {
	at := len(text)
	ends := regexp.MustCompile(`(?ms)^`+begin+`.*?^}\n`).FindAllStringIndex(text, -1)
	if len(ends) > 0 {
		at = ends[len(ends)-1][1]
	}
	return text[:at] + added + text[at:]
}

// withImports adds imports that a file does not have yet.
func withImports(text string, paths ...string) string {
	for _, path := range paths {
		if !strings.Contains(text, "\t\""+path+"\"\n") {
			text = strings.Replace(text, "import (\n", "import (\n\t\""+path+"\"\n", 1)
		}
	}
	return text
}

// snake returns the name of a file for a type.
func snake(name string) string {
	return strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(name, "${1}_$2"))
}

// change changes a file, which may not exist yet. Go source is formatted.
func (e *editor) change(name string, change func(string) string) error {
	path := filepath.Join(e.root, filepath.FromSlash(name))
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	text := []byte(change(string(old)))
	if strings.HasSuffix(name, ".go") {
		if text, err = format.Source(text); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if !slices.Contains(e.changed, filepath.ToSlash(name)) {
		e.changed = append(e.changed, filepath.ToSlash(name))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
