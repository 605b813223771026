// Package move rewrites programs that use client-go so that they use this library.
//
// A program is loaded with its types, and what mentions client-go is rewritten in
// memory, declaration by declaration. The result is checked against the API of the
// library; conversions are added where types differ, and a declaration that still does
// not compile stays as it was, together with those that share its types.
package move

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"example.com/serviceapi/migrate/internal/stub"
	"example.com/serviceapi/migrate/internal/table"
	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// Options set what to move and how to report.
type Options struct {
	Dir      string   // of the program; "" means the working directory
	Patterns []string // of packages, such as "./..."
	Tags     string   // build tags to use
	Progress func(step string)

	cut     map[string][]byte // files without the tests that are set aside, by name
	earlier *program          // an earlier pass over the same packages
}

// A program has the packages of one load, which move together.
type program struct {
	options  Options
	fset     *token.FileSet
	table    *table.Table
	packages []*pack // imported packages first
	files    map[string]*file
	units    []*unit
	all      map[string]*types.Package // all known packages, by path
	exports  map[string]string         // files of export data, by path
	library  *types.Package
	webhook  *types.Package
	old      *oldAPI
	slots    *slots
	edges    []unitEdge
	mocks    []mockUse
	requests bool            // the program asks responses for their requests
	whole    map[string]bool // services whose values become the client

	carries   bool // request options of the program carry contexts
	functions bool // request options of the program are functions
	retries   bool // options of the program say how often to repeat, and when
	rules     bool // the program has rules for retries of its own
	callRules bool // for single calls
	pairs     *pairing
	singles   map[token.Pos]bool      // types, variables and methods that cannot have a twin
	factories map[token.Pos]token.Pos // see findFactories
	sizes     map[*unit]int           // units that use client-go, by representative of their group
	scope     *scope
	kinds     *errorKinds        // for the version being written
	zeroes    map[fieldName]bool // see findZeroes
	reads     map[fieldName]bool // see findReads
	kept      map[*ast.AssignStmt]*keptItem
	earlier   map[*pack]map[string]bool // see earlierErrors
	wide      map[string]*wideType      // see findWide, by name
	wideSet   map[fieldName]bool        // fields of wide options that the program uses
	takersOf  map[string][]taker        // by type of client-go
	anys      map[string]*anyUse        // by type of client-go
	c         map[string]*types.Package // declarations of C, by package ID

	mu    sync.Mutex        // guards texts, because files are parsed concurrently
	texts map[string]source // of the files, by name
}

// A pack is a package of the program. A package with tests is loaded twice: as others import
// it, and with its tests.
type pack struct {
	path  string // as it is imported
	id    string
	src   *packages.Package
	files []*file
	tests bool // includes test files
}

// A file of the program.
type file struct {
	name   string
	raw    []byte // as it is on the disk
	text   []byte // see parse
	stays  string // why it must not change; "" if it may
	syntax *ast.File
	pack   *pack // the pack with the most files; its types are used
	units  []*unit
	used   map[string]bool // see names
}

// oldPath reports whether a path belongs to client-go.
func oldPath(path string) bool {
	rest, ok := strings.CutPrefix(path, "gitlab.com/gitlab-org/api/client-go")
	return path == "github.com/xanzy/go-gitlab" || ok && (rest == "" || rest == "/v2" || rest == "/v3")
}

// oldVersion returns the major version of client-go in a module.
func oldVersion(path, version string) table.Version {
	switch {
	case strings.HasPrefix(path, "github.com/"):
		return table.X
	case strings.HasSuffix(path, "/v2"), strings.HasSuffix(path, "/v3"):
		return table.V2
	case strings.HasPrefix(version, "v0."):
		return table.V0
	}
	return table.V1
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo |
	packages.NeedModule | packages.NeedForTest

var errNothing = errors.New("no package imports client-go")

// load reads the program. The error is errNothing if there is nothing to move.
func load(options Options) (*program, error) {
	p := &program{options: options, whole: map[string]bool{}, fset: token.NewFileSet(), files: map[string]*file{},
		all: map[string]*types.Package{}, exports: map[string]string{}, texts: map[string]source{},
		c: map[string]*types.Package{}, earlier: map[*pack]map[string]bool{},
		anys: map[string]*anyUse{}}
	var err error
	if p.table, err = table.Load(); err != nil {
		return nil, err
	}
	p.progress("loading packages")
	if options.earlier != nil {
		p.scope, p.exports = options.earlier.scope.again(), options.earlier.exports
	} else if p.scope, err = p.findScope(); err != nil {
		return nil, err
	}
	loaded, err := packages.Load(p.config(loadMode, true), p.scope.patterns...)
	if err != nil {
		return nil, err
	}
	if err := p.recheckCgo(loaded); err != nil {
		return nil, err
	}
	if err := p.addPackages(loaded); err != nil {
		return nil, err
	}
	p.collect()
	if p.old, err = p.findOld(); err != nil {
		return nil, cmp.Or(said(p.scope.problems), err)
	}
	if err := p.loadStubs(); err != nil {
		return nil, err
	}
	p.addUnits()
	return p, nil
}

func (p *program) progress(format string, args ...any) {
	if p.options.Progress != nil {
		p.options.Progress(fmt.Sprintf(format, args...))
	}
}

func (p *program) config(mode packages.LoadMode, tests bool) *packages.Config {
	config := &packages.Config{Mode: mode, Dir: p.options.Dir, Fset: p.fset, Tests: tests, ParseFile: p.parse,
		Overlay: p.options.cut}
	if p.options.Tags != "" {
		config.BuildFlags = []string{"-tags=" + p.options.Tags}
	}
	return config
}

func (p *program) addPackages(loaded []*packages.Package) error {
	for _, src := range loaded {
		for _, e := range src.Errors {
			if e.Kind != packages.TypeError && p.scope.named[pathOf(src)] {
				p.scope.problems = append(p.scope.problems, e)
			}
		}
		if len(src.Errors) > 0 && src.Types == nil || src.Types == nil || src.TypesInfo == nil {
			if err := said(src.Errors); err != nil {
				return err
			}
			continue
		}
		if strings.HasSuffix(src.ID, ".test") {
			continue // the generated main package of a test
		}
		pk := &pack{path: src.PkgPath, id: src.ID, src: src, tests: strings.HasSuffix(src.ID, ".test]")}
		for i, syntax := range src.Syntax {
			name := p.fset.File(syntax.FileStart).Name()
			if i < len(src.CompiledGoFiles) && !slices.Contains(src.GoFiles, name) {
				continue // generated by cgo
			}
			f := p.files[name]
			if f == nil {
				text := p.texts[name]
				f = &file{name: name, raw: text.raw, text: text.text, syntax: syntax, pack: pk}
				p.files[name] = f
			}
			if len(pk.src.Syntax) > len(f.pack.src.Syntax) {
				f.pack, f.syntax = pk, syntax
			}
			pk.files = append(pk.files, f)
		}
		p.packages = append(p.packages, pk)
	}
	for _, f := range p.files {
		f.stays = p.stays(f)
	}
	p.sortPackages()
	return nil
}

// sortPackages puts imported packages before those that import them, and the variants
// with tests last.
func (p *program) sortPackages() {
	byID := map[string]*pack{}
	for _, pk := range p.packages {
		byID[pk.id] = pk
	}
	slices.SortFunc(p.packages, func(a, b *pack) int { return cmp.Compare(a.id, b.id) })
	var sorted []*pack
	seen := map[*pack]bool{}
	var visit func(pk *pack)
	visit = func(pk *pack) {
		if seen[pk] {
			return
		}
		seen[pk] = true
		for _, imported := range pk.src.Imports {
			if other := byID[imported.ID]; other != nil {
				visit(other)
			}
		}
		sorted = append(sorted, pk)
	}
	for _, pk := range p.packages {
		visit(pk)
	}
	slices.SortStableFunc(sorted, func(a, b *pack) int { return cmp.Compare(rank(a), rank(b)) })
	p.packages = sorted
}

func rank(pk *pack) int {
	if pk.tests {
		return 1
	}
	return 0
}

// collect finds every package that the program's types come from.
func (p *program) collect() {
	var visit func(pkg *types.Package)
	visit = func(pkg *types.Package) {
		if p.all[pkg.Path()] != nil {
			return
		}
		p.all[pkg.Path()] = pkg
		for _, imported := range pkg.Imports() {
			visit(imported)
		}
	}
	for _, pk := range p.packages {
		for _, imported := range pk.src.Types.Imports() {
			visit(imported)
		}
	}
}

// needed lists the packages that the library and the new text import.
var needed = []string{"context", "encoding/base64", "encoding/json", "errors", "fmt", "io", "iter", "log/slog",
	"net/http", "net/url", "time", "bytes", "strconv", "strings", "slices", "reflect", "sync",
	"math/rand", "golang.org/x/oauth2", retryable, querystring}

// findOld finds client-go among the imports of the program.
func (p *program) findOld() (*oldAPI, error) {
	var paths []string
	for path := range p.all {
		if oldPath(path) {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return nil, errNothing
	}
	slices.Sort(paths)
	old := &oldAPI{versions: map[string]table.Version{}}
	problems, err := p.findExports(old, paths)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		pkg, err := p.Import(path)
		if err != nil {
			return nil, cmp.Or(said(problems), err)
		}
		old.add(pkg)
	}
	return old, nil
}

// findExports finds the export data of client-go, and of what the new text needs, and the versions
// of client-go.
func (p *program) findExports(old *oldAPI, paths []string) (problems []packages.Error, err error) {
	if p.options.earlier != nil {
		for _, path := range paths {
			old.versions[path] = p.options.earlier.old.versions[path]
		}
		return nil, nil
	}
	mode := packages.NeedName | packages.NeedExportFile | packages.NeedModule
	more, err := packages.Load(p.config(mode, false), append(paths, needed...)...)
	if err != nil {
		return nil, err
	}
	for _, pkg := range more {
		problems = append(problems, pkg.Errors...)
		p.exports[pkg.PkgPath] = pkg.ExportFile
		if oldPath(pkg.PkgPath) {
			version := ""
			if pkg.Module != nil {
				version = pkg.Module.Version
			}
			old.versions[pkg.PkgPath] = oldVersion(pkg.PkgPath, version)
		}
	}
	return problems, nil
}

// Import returns a package in its state before the move. It implements
// [types.Importer].
func (p *program) Import(path string) (*types.Package, error) {
	switch pkg := p.all[path]; {
	case path == "unsafe":
		return types.Unsafe, nil
	case path == stub.Library && p.library != nil:
		return p.library, nil
	case path == stub.Webhook && p.webhook != nil:
		return p.webhook, nil
	case pkg != nil && pkg.Complete():
		return pkg, nil
	}
	name := p.exports[path]
	if name == "" {
		if path == "golang.org/x/oauth2" {
			return p.minimalOAuth2()
		}
		return nil, fmt.Errorf("no package %s", path)
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var data io.Reader
	//lint:ignore SA1019 the go command writes archives before Go 1.29
	if data, err = gcexportdata.NewReader(in); err != nil {
		return nil, err
	}
	return gcexportdata.Read(data, p.fset, p.all, path)
}

func (p *program) loadStubs() error {
	var err error
	if p.library, err = stub.Check(stub.Library, p); err != nil {
		return fmt.Errorf("the library's API: %w", err)
	}
	if p.webhook, err = stub.Check(stub.Webhook, p); err != nil {
		return fmt.Errorf("the library's API: %w", err)
	}
	return nil
}

// relative returns the name of a file for messages.
func (p *program) relative(name string) string {
	dir := p.options.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	if rel, err := filepath.Rel(dir, name); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return name
}
