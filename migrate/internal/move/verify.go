package move

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// A version is the program after the move. Its texts are checked and repaired until
// they compile.
type version struct {
	p       *program
	m       *mapping
	texts   map[*file]string
	parsed  map[*file]*ast.File
	checked map[string]*types.Package // by path, as others import them, and by ID
	helpers map[string]*helperFile    // by path of the package

	adapters map[string]bool  // by path of the package and name
	owners   map[*file]*unit  // the units for which files have adapters
	handed   map[*unit][]edit // what changes in units that stay, where they hand on clients
	failed   map[*unit]bool   // the units that do not compile, also in the tests of their package

	// unsettled is set if a client that should exist twice cannot, if a unit turns out to be
	// one that stays, or if the options of calls are found to be functions.
	unsettled bool
}

// A helperFile has the functions that the new text of a package calls.
type helperFile struct {
	name   string
	names  map[string]bool
	tests  bool // only tests use it
	taken  bool // another import or declaration has the name of package webhook
	pack   *pack
	text   string
	syntax *ast.File
}

// generate rewrites the units that move.
func (p *program) generate(m *mapping) *version {
	v := &version{p: p, m: m, texts: map[*file]string{}, parsed: map[*file]*ast.File{},
		helpers: map[string]*helperFile{}, adapters: map[string]bool{}, owners: map[*file]*unit{},
		handed: map[*unit][]edit{}, failed: map[*unit]bool{}}
	p.kinds = p.newErrorKinds()
	for _, f := range p.sortedFiles() {
		g := &generated{v: v, f: f, imports: map[string]bool{}, helpers: map[string]bool{}}
		for _, u := range f.units {
			if u.uses && (!u.left || u.twin) {
				u.notes = nil
			}
			if u.uses && !u.left {
				g.move(u)
			} else if f.stays == "" && (p.pairs.touches(u) || u.uses && p.kinds.all&newSide != 0) {
				g.keep(u)
			}
		}
		for _, u := range f.twins() {
			g.double(u)
		}
		if len(g.edits) == 0 {
			continue
		}
		edits := append(g.edits, p.importEdits(f, g.imports)...)
		v.texts[f] = apply(string(f.text), edits)
		v.addHelpers(f, g.helpers)
	}
	return v
}

// generated is the new form of a file.
type generated struct {
	v       *version
	f       *file
	edits   []edit
	imports map[string]bool
	helpers map[string]bool
}

// move rewrites a unit that moves.
func (g *generated) move(u *unit) {
	r := g.v.p.mover(g.v.m, u)
	if g.v.p.kinds.onlyOld(r.reader) {
		u.leave(u.node.Pos(), "error", "the calls stay whose errors it tests")
		g.v.unsettled = true
		return
	}
	g.edits = append(g.edits, g.moved(r.rewriter)...)
	r.noteTags()
}

// double adds the twin of a unit that stays.
func (g *generated) double(u *unit) {
	r := g.v.p.twinMover(g.v.m, u)
	end := len(g.f.text)
	g.edits = append(g.edits, edit{end, end, r.copyText(g.moved(r.rewriter))})
}

// moved returns the edits of a unit that moves, or of its twin. Units that turn out to
// stay are left in the next version.
func (g *generated) moved(r *rewriter) []edit {
	u := r.u
	reasons := len(u.reasons)
	edits := r.wholeLines(r.keepComments(r.edits(u.node)))
	if !r.parses(edits) {
		u.leave(u.node.Pos(), "types", "the new text is not valid Go")
	}
	if !g.note(r) && r.unpaired {
		u.leave(u.node.Pos(), "client", "it needs the clients of both libraries: pass it both")
	}
	g.v.unsettled = g.v.unsettled || len(u.reasons) > reasons
	return edits
}

// keep rewrites a unit that stays, and passes on clients.
func (g *generated) keep(u *unit) {
	r := g.v.p.keeper(g.v.m, u)
	if len(r.foreign) == 0 && !g.v.p.pairs.touches(u) {
		return
	}
	edits := r.keepComments(r.edits(u.node))
	r.unpaired = r.unpaired || !r.parses(edits)
	g.edits = append(g.edits, edits...)
	g.v.handed[u] = edits
	g.note(r.rewriter)
}

// note adds the imports and helpers of a text. It reports whether a client could not be
// passed on. The next version does not try that again.
func (g *generated) note(r *rewriter) bool {
	maps.Copy(g.imports, r.imports)
	maps.Copy(g.helpers, r.helpers)
	gaveUp := r.unpaired && g.v.p.pairs.giveUp(r.u)
	g.v.unsettled = g.v.unsettled || gaveUp
	return gaveUp
}

func (p *program) sortedFiles() []*file {
	names := slices.Sorted(maps.Keys(p.files))
	var files []*file
	for _, name := range names {
		files = append(files, p.files[name])
	}
	return files
}

// needsOld reports whether code that stays in a file needs its import of client-go.
func (p *program) needsOld(f *file, spec *ast.ImportSpec) bool {
	info := f.pack.src.TypesInfo
	for _, u := range f.units {
		if p.pairs.touches(u) {
			return true
		}
		if u.uses && !u.left {
			continue
		}
		found := false
		ast.Inspect(u.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				obj := info.Uses[id]
				if name, ok := obj.(*types.PkgName); ok && name.Imported().Path() == importPath(spec) {
					found = true
				}
				if idName(spec.Name) == "." && isOld(obj) && obj.Parent() == obj.Pkg().Scope() {
					found = true
				}
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

func importPath(spec *ast.ImportSpec) string { return strings.Trim(spec.Path.Value, "`\"") }

// importEdits replaces the import of client-go and adds what the new text needs.
func (p *program) importEdits(f *file, imports map[string]bool) []edit {
	have := map[string]bool{}
	for _, spec := range f.syntax.Imports {
		if spec.Name == nil {
			have[importPath(spec)] = true
		}
	}
	var libraries, standard []string
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		switch {
		case have[path]:
		case strings.Contains(path, "."):
			libraries = append(libraries, importSpec(path))
		default:
			standard = append(standard, `"`+path+`"`)
		}
	}
	var edits []edit
	for _, decl := range f.syntax.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT {
			break
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.ImportSpec)
			isOldImport := oldPath(importPath(spec))
			start, end := p.fset.Position(spec.Pos()).Offset, p.fset.Position(spec.End()).Offset
			var lines []string
			switch {
			case importPath(spec) == pathOfC, !isOldImport && !gen.Lparen.IsValid() && len(standard) == 0:
				continue
			case !isOldImport && !gen.Lparen.IsValid():
				text := strings.Join(standard, "\n") + "\n" + string(f.text[start:end])
				edits, standard = append(edits, edit{start, end, "(\n" + text + "\n)"}), nil
				continue
			case !isOldImport && len(standard) > 0 && !strings.Contains(importPath(spec), "."):
				edits = append(edits, edit{start, start, strings.Join(standard, "\n") + "\n"})
				standard = nil
				continue
			case !isOldImport:
				continue
			case p.needsOld(f, spec):
				lines = append(lines, string(f.text[start:end]))
			}
			lines = append(lines, libraries...)
			libraries = nil
			text := strings.Join(lines, "\n")
			if !gen.Lparen.IsValid() && len(standard) > 0 {
				text = strings.Join(standard, "\n") + "\n\n" + text
				lines, standard = append(lines, standard...), nil
			}
			if !gen.Lparen.IsValid() && len(lines) != 1 {
				text = "(\n" + text + "\n)"
			}
			edits = append(edits, edit{start, end, text})
		}
	}
	if rest := append(standard, libraries...); len(rest) > 0 {
		edits = append(edits, p.firstImport(f, rest))
	}
	return edits
}

// importSpec quotes a path. A name may precede it.
func importSpec(path string) string {
	if path == webhookImport {
		return path + `"`
	}
	return `"` + path + `"`
}

// firstImport adds imports to the first import declaration of a file, or makes one.
func (p *program) firstImport(f *file, paths []string) edit {
	for _, decl := range f.syntax.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT || isImportC(gen) {
			continue
		}
		if gen.Lparen.IsValid() {
			at := p.fset.Position(gen.Lparen).Offset + 1
			return edit{at, at, "\n" + strings.Join(paths, "\n") + "\n"}
		}
		break
	}
	// Insert before the first declaration, without adding one, because units are found
	// by number.
	at := p.fset.Position(f.syntax.Name.End()).Offset
	return edit{at, at, "\n\nimport (\n" + strings.Join(paths, "\n") + "\n)\n"}
}

func (v *version) addHelpers(f *file, names map[string]bool) {
	if len(names) == 0 {
		return
	}
	path := f.pack.path
	isTest := strings.HasSuffix(f.name, "_test.go")
	h := v.helpers[path]
	if h == nil {
		h = &helperFile{names: map[string]bool{}, tests: true, pack: f.pack,
			taken: f.pack.src.Types.Scope().Lookup("webhook") != nil}
		v.helpers[path] = h
	}
	h.tests = h.tests && isTest
	maps.Copy(h.names, names)
	base := helperBase + ".go"
	if h.tests {
		base = helperBase + "_test.go"
	}
	h.name = filepath.Join(filepath.Dir(f.name), base)
}

// syntaxOf returns the parsed new text of a file.
func (v *version) syntaxOf(f *file) (*ast.File, error) {
	text, changed := v.texts[f]
	if !changed {
		return f.syntax, nil
	}
	if syntax := v.parsed[f]; syntax != nil {
		return syntax, nil
	}
	syntax, err := parser.ParseFile(v.p.fset, f.name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return syntax, err
	}
	importC(syntax)
	v.parsed[f] = syntax
	return syntax, nil
}

// A checkResult is the result of type-checking a package.
type checkResult struct {
	pack   *pack
	info   *types.Info
	errors []types.Error
}

// check checks a package in its new form.
func (v *version) check(pk *pack) (*checkResult, *types.Package) {
	result := &checkResult{pack: pk, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}}}
	var files []*ast.File
	h := v.helpers[pk.path]
	for _, f := range pk.files {
		if h != nil && f.name == h.name {
			continue // it has more by now
		}
		syntax, err := v.syntaxOf(f)
		if err != nil {
			result.errors = append(result.errors, v.syntaxError(f, err))
		}
		if syntax != nil {
			files = append(files, syntax)
		}
	}
	if h != nil && (pk.tests || !h.tests) {
		if syntax := v.helperSyntax(h); syntax != nil {
			files = append(files, syntax)
		}
	}
	config := types.Config{Importer: v.importer(pk), GoVersion: "go1.26",
		Sizes: pk.src.TypesSizes, Error: func(err error) {
			if e, ok := err.(types.Error); ok && !isAboutC(e) {
				result.errors = append(result.errors, e)
			}
		}}
	path := strings.TrimSuffix(pk.path, " [test]")
	pkg, _ := config.Check(path, v.p.fset, files, result.info)
	return result, pkg
}

func (v *version) syntaxError(f *file, err error) types.Error {
	pos := f.syntax.Package
	return types.Error{Fset: v.p.fset, Pos: pos, Msg: "syntax: " + err.Error()}
}

func (v *version) helperSyntax(h *helperFile) *ast.File {
	text := v.p.helperText(h)
	if h.syntax != nil && h.text == text {
		return h.syntax
	}
	h.text = text
	h.syntax, _ = parser.ParseFile(v.p.fset, h.name, text, parser.ParseComments|parser.SkipObjectResolution)
	return h.syntax
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// importer serves packages in their new form to a package.
func (v *version) importer(pk *pack) types.Importer {
	return importerFunc(func(path string) (*types.Package, error) {
		if c := v.p.c[pk.id]; c != nil && path == pathOfC {
			return c, nil
		}
		if imported := pk.src.Imports[path]; imported != nil && imported.PkgPath != path {
			path = imported.PkgPath // vendored
		}
		if pkg := v.testedBy(pk, path); pkg != nil {
			return pkg, nil
		}
		if pkg := v.checked[path]; pkg != nil {
			return pkg, nil
		}
		for _, other := range v.p.packages {
			if other.path == path && !other.tests {
				return other.src.Types, nil
			}
		}
		return v.p.Import(path)
	})
}

// affected reports whether a package has to be checked again.
func (v *version) affected(pk *pack, again map[string]bool) bool {
	for _, f := range pk.files {
		if _, changed := v.texts[f]; changed {
			return true
		}
	}
	for path, imported := range pk.src.Imports {
		if again[path] || again[imported.ID] {
			return true
		}
	}
	return false
}

// verify checks everything that changes and repairs what it can. It leaves units that
// still do not compile, and reports whether there are none.
func (v *version) verify() bool {
	v.checked = map[string]*types.Package{}
	again := map[string]bool{}
	good := true
	for _, pk := range v.p.packages {
		if !v.affected(pk, again) {
			continue
		}
		v.p.progress("checking %s", pk.path)
		result, pkg := v.settle(pk)
		if len(result.errors) == 0 && v.shorten(result) {
			result, pkg = v.settle(pk)
		}
		again[pk.id], v.checked[pk.id] = true, pkg
		if !pk.tests {
			again[pk.path] = true
			v.checked[pk.path] = pkg
		}
		if v.blame(result) {
			good = false
		}
	}
	return good && !v.unsettled
}

// settle checks a package and repairs what it can.
func (v *version) settle(pk *pack) (*checkResult, *types.Package) {
	result, pkg := v.check(pk)
	for round := 0; round < maxRounds && len(result.errors) > 0; round++ {
		if !v.repair(result) {
			break
		}
		result, pkg = v.check(pk)
	}
	return result, pkg
}

// maxRounds limits how often a package is repaired, because one conversion may require
// the next.
const maxRounds = 12

// blame leaves the units that have errors. It reports whether there are any.
func (v *version) blame(result *checkResult) bool {
	bad := false
	failed, earlier := v.failed, v.p.earlierErrors(result.pack)
	for _, e := range result.errors {
		if strings.HasPrefix(e.Msg, "\t") || earlier[e.Msg] {
			continue // it continues the previous error
		}
		u, isCopy := v.unitOf(result.pack, e.Pos)
		if u != nil && (v.p.isBroken(u) || failed[u]) {
			continue
		}
		if u == nil {
			bad = v.blameAll(result.pack, e) || bad
			continue
		}
		moved := u.uses && (!u.left || isCopy)
		if (!moved || isAboutClients(e)) && v.p.pairs.touches(u) && v.p.pairs.giveUp(u) {
			bad = true
			continue
		}
		if moved {
			failed[u] = true
			v.p.failed(u, e)
			bad = true
			continue
		}
		if u.isTest() {
			u.stuck = "it would not compile: " + e.Msg
		}
		bad = v.blameUsed(u, e) || v.blameAll(result.pack, e) || bad
	}
	return bad
}

// isAboutClients reports whether an error may come from a client that exists twice.
func isAboutClients(e types.Error) bool {
	return strings.Contains(e.Msg, ".Client") || strings.Contains(e.Msg, "clientOption") ||
		strings.Contains(e.Msg, "arguments in call") || strings.Contains(e.Msg, "assignment mismatch") ||
		strings.Contains(e.Msg, "return values") || strings.Contains(e.Msg, twinSuffix)
}

// failed leaves a unit whose new form does not compile.
func (p *program) failed(u *unit, e types.Error) {
	delete(p.pairs.single, u) // unmoved, it may pass on two clients
	u.leave(u.node.Pos(), "types", "it would not compile: "+e.Msg)
}

// unitOf returns the unit at a position of the new text, and whether the position is in
// its twin.
func (v *version) unitOf(pk *pack, pos token.Pos) (u *unit, isCopy bool) {
	for _, f := range pk.files {
		syntax, err := v.syntaxOf(f)
		if err != nil || syntax == nil || pos < syntax.FileStart || pos > syntax.FileEnd {
			continue
		}
		for _, u := range f.units {
			if node := newNode(syntax, f, u); node != nil && node.Pos() <= pos && pos < node.End() {
				return u, false
			}
			if u.twin {
				if node := twinNode(syntax, f, u); node != nil && node.Pos() <= pos && pos < node.End() {
					return u, true
				}
			}
		}
		for _, node := range adapterNodes(syntax, f) {
			if node.Pos() <= pos && pos < node.End() {
				return v.owners[f], false
			}
		}
	}
	return nil, false
}

// newNode returns the node of a unit in the new text.
func newNode(syntax *ast.File, f *file, u *unit) ast.Node {
	index := u.decl + importDecls(syntax) - importDecls(f.syntax)
	if index < 0 || index >= len(syntax.Decls) {
		return nil
	}
	decl := syntax.Decls[index]
	if u.spec < 0 {
		return decl
	}
	gen, ok := decl.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range gen.Specs {
		if specName(spec) == u.name {
			return spec
		}
	}
	return nil
}

// twinNode returns the node of a unit's twin. Twins are at the end of the new text.
func twinNode(syntax *ast.File, f *file, u *unit) ast.Node {
	index := len(f.syntax.Decls) + importDecls(syntax) - importDecls(f.syntax) + slices.Index(f.twins(), u)
	if index >= len(syntax.Decls) {
		return nil
	}
	return syntax.Decls[index]
}

func importDecls(syntax *ast.File) int {
	n := 0
	for _, decl := range syntax.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			n++
		}
	}
	return n
}

// specName returns the first name that a specification declares.
func specName(spec ast.Spec) string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Name.Name
	case *ast.ValueSpec:
		return spec.Names[0].Name
	}
	return ""
}
