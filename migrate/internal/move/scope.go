package move

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// listMode is the information to read when looking for the packages to load.
const listMode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedForTest

// A scope says which packages to load.
type scope struct {
	patterns []string        // of packages
	named    map[string]bool // paths of the packages to move
	problems []packages.Error
	listed   int // how many of them come from looking for the packages
}

// again returns the scope of another pass over the same packages.
func (s *scope) again() *scope {
	return &scope{patterns: s.patterns, named: s.named, problems: slices.Clone(s.problems[:s.listed]), listed: s.listed}
}

// findScope finds the named packages, and the packages in the same modules that import
// them, which must still compile afterwards. The error has the output of the go
// command.
func (p *program) findScope() (*scope, error) {
	s := &scope{patterns: slices.Clone(p.options.Patterns), named: map[string]bool{}}
	for _, pattern := range p.options.Patterns {
		listed, err := packages.Load(p.config(listMode, true), pattern)
		if err != nil {
			return nil, err
		}
		if len(listed) == 0 {
			return nil, fmt.Errorf("%q matched no packages", pattern)
		}
		if err := s.addNamed(listed); err != nil {
			return nil, err
		}
	}
	s.listed = len(s.problems)
	modules := p.mainModules()
	if len(modules) == 0 {
		return s, nil
	}
	listed, err := packages.Load(p.config(listMode, true), modules...)
	if err != nil {
		return nil, err
	}
	s.patterns = append(s.patterns, importers(listed, s.named)...)
	return s, nil
}

// addNamed adds the named packages. It returns an error if one of them has no files:
// either the pattern is wrong, or the module does not load.
func (s *scope) addNamed(listed []*packages.Package) error {
	empty := map[string][]packages.Error{}
	for _, pkg := range listed {
		path := pathOf(pkg)
		if len(pkg.GoFiles) == 0 && !s.named[path] {
			empty[path] = append(empty[path], pkg.Errors...)
			continue
		}
		delete(empty, path)
		s.named[path] = true
		s.problems = append(s.problems, pkg.Errors...)
	}
	var failures []packages.Error
	for _, path := range slices.Sorted(maps.Keys(empty)) {
		failures = append(failures, empty[path]...)
	}
	return said(failures)
}

// pathOf returns the path of a package, without the suffix for its tests.
func pathOf(pkg *packages.Package) string {
	if pkg.ForTest != "" {
		return pkg.ForTest
	}
	return strings.TrimSuffix(pkg.PkgPath, ".test")
}

// said returns the output of the go command as an error, or nil if there is none.
func said(problems []packages.Error) error {
	var lines []string
	for _, e := range problems {
		line := e.Msg
		if e.Pos != "" && e.Pos != "-" {
			line = e.Pos + ": " + line
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}

// mainModules returns patterns for the packages of the main modules. Outside of a
// module, there are none.
func (p *program) mainModules() []string {
	command := exec.Command("go", "list", "-m")
	command.Dir = p.options.Dir
	out, err := command.Output()
	if err != nil {
		return nil
	}
	var patterns []string
	for path := range strings.FieldsSeq(string(out)) {
		patterns = append(patterns, path+"/...")
	}
	return patterns
}

// importers returns the paths of packages that import the named ones, directly or not.
func importers(listed []*packages.Package, named map[string]bool) []string {
	found := maps.Clone(named)
	for changed := true; changed; {
		changed = false
		for _, pkg := range listed {
			path := pathOf(pkg)
			if found[path] || strings.HasSuffix(pkg.ID, ".test") {
				continue
			}
			for _, imported := range pkg.Imports {
				if found[pathOf(imported)] && !found[path] {
					found[path] = true
					changed = true
				}
			}
		}
	}
	maps.DeleteFunc(found, func(path string, _ bool) bool { return named[path] })
	return slices.Sorted(maps.Keys(found))
}

// parse parses a file of the program. The text has no byte order mark and Unix line
// ends. Writing restores those of the file.
func (p *program) parse(fset *token.FileSet, name string, raw []byte) (*ast.File, error) {
	text := bytes.ReplaceAll(bytes.TrimPrefix(raw, []byte(byteOrderMark)), []byte("\r\n"), []byte("\n"))
	p.mu.Lock()
	p.texts[name] = source{raw: raw, text: text}
	p.mu.Unlock()
	syntax, err := parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments)
	if syntax != nil && !strings.HasSuffix(name, ".cgo1.go") {
		importC(syntax)
	}
	return syntax, err
}

// A source is the text of a file.
type source struct{ raw, text []byte }

// byteOrderMark is at the beginning of files from some editors.
const byteOrderMark = "\ufeff"

// Reasons to leave a whole file.
const (
	generatedFile = "generated"
	otherFile     = "not named" // in a package that is not named
	helperKind    = "helper"    // helpers that use errors of client-go
)

// stays returns why a file must not change, or "" if it may.
func (p *program) stays(f *file) string {
	switch {
	case !p.scope.named[pathOf(f.pack.src)]:
		return otherFile
	case ast.IsGenerated(f.syntax) && !isMock(f):
		return generatedFile
	case isHelperFile(f.name) && slices.ContainsFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool {
		return oldPath(importPath(spec))
	}):
		return helperKind
	}
	return ""
}

// generatedMock matches the first line of a file with mocks that a program wrote.
var generatedMock = regexp.MustCompile(
	`(?m)^// Code generated by "?(?i:(mockgen|mockery|moq|counterfeiter|minimock|pegomock)\b)`)

// isMock reports whether a generated file has mocks. They follow the interfaces of the program, so
// they change as their generator would change them.
func isMock(f *file) bool { return generatedMock.Match(f.text) }

// noteMocks names the generated mocks that change. If they did not, the program would not compile.
func (p *program) noteMocks(report *Report) {
	for _, f := range p.sortedFiles() {
		if !ast.IsGenerated(f.syntax) || len(f.moved()) == 0 {
			continue
		}
		generator := "their generator"
		if match := generatedMock.FindSubmatch(f.text); match != nil {
			generator = string(match[1])
		}
		item := p.item(f.syntax)
		item.Reason = generatedFile
		item.Text = "these mocks change with their interfaces: make them again with " + generator
		report.Notes = append(report.Notes, item)
	}
}

// leaveFile leaves a unit of a file that must not change.
func (u *unit) leaveFile() {
	text := map[string]string{
		generatedFile: "the file is generated: change what generates it, then run this command again",
		otherFile:     "its package is not named: name it too",
		helperKind:    "its functions translate errors: delete them when no call of client-go is left",
	}[u.file.stays]
	u.leave(u.file.syntax.Package, u.file.stays, text)
}
