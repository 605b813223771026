package move

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Tests must not hold back a program. Some cannot move, such as those with the mocks of client-go
// itself. If the program moves further without them, they are set aside: the program is moved as
// if it did not have them, and they go to files that a build constraint excludes.

// asideTag is the build tag of the files with tests that were set aside.
const asideTag = "clientgo"

// maxAside limits how often the program is moved with fewer tests.
const maxAside = 5

// asideKind is the reason of calls in tests that were set aside.
const asideKind = "test"

// A place identifies a unit in all passes: what is cut out of a file does not move the rest.
type place struct {
	file      string
	line, col int
}

func (p *program) place(u *unit) place {
	position := p.fset.Position(u.node.Pos())
	return place{position.Filename, position.Line, position.Column}
}

// An aside says which tests of a program are set aside.
type aside struct {
	p       *program // with all tests
	places  map[place]*unit
	refs    map[*unit][]*unit // what a unit of the program uses
	reasons map[*unit]string
}

func newAside(p *program) *aside {
	a := &aside{p: p, places: map[place]*unit{}, refs: map[*unit][]*unit{}, reasons: map[*unit]string{}}
	for _, u := range p.units {
		a.places[p.place(u)] = u
		ast.Inspect(u.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				obj := u.info.Uses[id]
				if f, ok := obj.(*types.Func); ok {
					obj = f.Origin()
				}
				if other := p.unitOf(obj); other != nil && other != u && !slices.Contains(a.refs[u], other) {
					a.refs[u] = append(a.refs[u], other)
				}
			}
			return true
		})
	}
	return a
}

// setAside moves the program again without the tests that hold it back. It returns the first
// result if there are none.
func (p *program) setAside(result *Result) (*Result, error) {
	if p.leftSites() == 0 {
		return result, nil
	}
	a := newAside(p)
	cut := map[*unit]bool{}
	best, last := p, p
	for range maxAside {
		before := len(cut)
		for u := range a.stuck(last) {
			cut[u] = true
		}
		if len(cut) == before || best.leftSites() == 0 || !a.close(cut) {
			break
		}
		next, more, err := a.try(cut)
		if err != nil || next == nil {
			return result, err
		}
		last = next
		if next.movedSites() <= best.movedSites() {
			continue // other tests hold back the same code
		}
		best, result = next, more
		fewer := a.needed(next, cut)
		if len(fewer) == len(cut) {
			continue
		}
		if next, more, err = a.try(fewer); err != nil {
			return nil, err
		}
		if next != nil && next.movedSites() >= best.movedSites() {
			cut, last, best, result = fewer, next, next, more
		}
	}
	return result, nil
}

// try moves the program without some tests. It returns nil if what is left does not compile.
func (a *aside) try(cut map[*unit]bool) (*program, *Result, error) {
	options := a.p.options
	options.cut, options.earlier = map[string][]byte{}, a.p
	var files []*cutFile
	for _, f := range a.p.sortedFiles() {
		if c := a.cutFile(f, cut); c != nil {
			files = append(files, c)
			options.cut[f.name] = c.rest
		}
	}
	next, result, err := runOnce(options)
	if err != nil || next == nil || !next.compilesLike(a.p) {
		return nil, nil, err
	}
	for _, c := range files {
		c.restore(result)
	}
	slices.SortFunc(result.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	a.report(&result.Report, cut)
	return next, result, nil
}

// stuck returns the tests that have reasons of their own to stay, and those that do not compile
// with what moved.
func (a *aside) stuck(p *program) map[*unit]bool {
	set := map[*unit]bool{}
	for _, u := range p.units {
		first := a.places[p.place(u)]
		reason := p.whyStuck(u)
		if reason == "" || first == nil {
			continue
		}
		set[first] = true
		if a.reasons[first] == "" {
			a.reasons[first] = firstLine(reason)
		}
	}
	return set
}

func (p *program) whyStuck(u *unit) string {
	if !u.isTest() || u.twin || u.file.stays != "" {
		return ""
	}
	for _, reason := range u.reasons {
		if u.uses && u.left && reason.Kind != "broken" && !reason.foreign {
			return reason.Text
		}
	}
	return u.stuck
}

// leftSites counts the calls outside of tests that stay, and movedSites those that move.
func (p *program) leftSites() int  { return p.countSites(true) }
func (p *program) movedSites() int { return p.countSites(false) }

func (p *program) countSites(left bool) (n int) {
	for _, u := range p.units {
		if !u.isTest() && u.file.stays == "" && u.left == left {
			n += len(u.sites)
		}
	}
	return n
}

// compilesLike reports whether a program has no errors but those of another one.
func (p *program) compilesLike(other *program) bool {
	errors := func(p *program) map[string]bool {
		set := map[string]bool{}
		for _, pk := range p.packages {
			for _, e := range pk.src.TypeErrors {
				set[p.fset.Position(e.Pos).String()+e.Msg] = true
			}
		}
		return set
	}
	before := errors(other)
	for e := range errors(p) {
		if !before[e] {
			return false
		}
	}
	return true
}

// close adds what has to go with the tests that are cut: what uses them, the rest of their
// declarations and types, and helpers that nothing else uses. It reports whether all of that can
// be set aside.
func (a *aside) close(cut map[*unit]bool) bool {
	for changed := true; changed; {
		changed = false
		for _, u := range a.p.units {
			if u.isTest() && !cut[u] && (a.usesAny(u, cut) || a.belongs(u, cut) || a.onlyFor(u, cut)) {
				cut[u] = true
				changed = true
			}
		}
	}
	for u := range cut {
		if u.file.stays != "" || u.name == "TestMain" || u.name == "init" || u.name == "_" {
			return false
		}
	}
	return len(cut) > 0
}

func (a *aside) usesAny(u *unit, cut map[*unit]bool) bool {
	return slices.ContainsFunc(a.refs[u], func(other *unit) bool { return cut[other] })
}

// belongs reports whether a unit shares a declaration, or a type with its methods, with what is cut.
func (a *aside) belongs(u *unit, cut map[*unit]bool) bool {
	for other := range cut {
		if other.file == u.file && other.decl == u.decl {
			return true
		}
		if isMethodOf(other, u) {
			return true
		}
	}
	return false
}

// isMethodOf reports whether a unit is a method of the type of another one.
func isMethodOf(u, t *unit) bool {
	receiver, _, isMethod := strings.Cut(u.name, ".")
	return isMethod && receiver == t.name && u.file.pack.path == t.file.pack.path
}

// onlyFor reports whether a unit is a helper of the tests that are cut, and of nothing else.
func (a *aside) onlyFor(u *unit, cut map[*unit]bool) bool {
	if isEntry(u.name) || strings.Contains(u.name, ".") {
		return false
	}
	used := false
	for _, other := range a.p.units {
		if other != u && !isMethodOf(other, u) && slices.Contains(a.refs[other], u) {
			if !cut[other] {
				return false
			}
			used = true
		}
	}
	return used
}

// isEntry reports whether the go command runs a function with a name.
func isEntry(name string) bool {
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// needed returns the tests that do not compile any more: what they use has moved.
func (a *aside) needed(moved *program, cut map[*unit]bool) map[*unit]bool {
	changed := map[*unit]bool{}
	for _, u := range moved.units {
		if u.uses && (!u.left || moved.pairs.touches(u)) {
			changed[a.places[moved.place(u)]] = true
		}
	}
	needed := map[*unit]bool{}
	for u := range cut {
		if a.usesAny(u, changed) {
			needed[u] = true
		}
	}
	a.close(needed)
	return needed
}

// report adds the tests that are set aside, and their calls.
func (a *aside) report(report *Report, cut map[*unit]bool) {
	for _, u := range a.p.units {
		if !cut[u] {
			continue
		}
		line := a.p.fset.Position(u.node.Pos()).Line
		for _, site := range u.sites {
			report.Sites++
			report.Left++
			report.Reasons[asideKind]++
			if site.Covered {
				report.Covered++
			}
			item := a.p.item(site.node)
			item.Call, item.Reason, item.Page = site.Old, asideKind, page("")
			item.Text = fmt.Sprintf("it is set aside with %s, see line %d", u.name, line)
			report.Items = append(report.Items, item)
		}
		switch reason := a.reasons[u]; {
		case isEntry(u.name):
			report.Aside = append(report.Aside, AsideTest{pathOf(u.file.pack.src), u.name})
		case reason == "":
			continue
		}
		item := a.p.item(u.node)
		item.Reason, item.Page = asideKind, page("")
		item.Text = u.name + " is set aside in a file with the build tag " + asideTag + ": " + a.why(u, cut)
		report.Items = append(report.Items, item)
	}
	slices.SortStableFunc(report.Items, byPlace)
}

// why says why a test is set aside.
func (a *aside) why(u *unit, cut map[*unit]bool) string {
	if reason := a.reasons[u]; reason != "" {
		return reason
	}
	for _, other := range a.refs[u] {
		if cut[other] {
			return "it uses " + other.name
		}
	}
	return "it belongs to one that is"
}

// A cutFile is a file of which tests are set aside.
type cutFile struct {
	f     *file
	whole bool   // nothing else is in it
	rest  []byte // the file without the tests
	name  string // of the file with the tests
	tests string // its text
}

// cutFile returns a file without the declarations that are cut, or nil if it has none of them.
func (a *aside) cutFile(f *file, cut map[*unit]bool) *cutFile {
	out := map[ast.Decl]bool{}
	for _, u := range f.units {
		if cut[u] {
			out[f.syntax.Decls[u.decl]] = true
		}
	}
	if len(out) == 0 {
		return nil
	}
	kept, moved := map[*ast.ImportSpec]bool{}, map[*ast.ImportSpec]bool{}
	whole := true
	for _, decl := range f.syntax.Decls {
		gen, ok := decl.(*ast.GenDecl)
		switch {
		case ok && gen.Tok == token.IMPORT:
		case out[decl]:
			addImports(f, decl, moved)
		default:
			whole = false
			addImports(f, decl, kept)
		}
	}
	c := &cutFile{f: f, whole: whole, name: asideName(f.name)}
	var edits []edit
	var imports, texts []string
	for _, spec := range f.syntax.Imports {
		if moved[spec] {
			imports = append(imports, "\t"+a.text(f, spec.Pos(), spec.End()))
		}
		if name := spec.Name; !kept[spec] && (whole || name == nil || name.Name != "_") {
			edits = append(edits, a.cutEdit(f, spec.Pos(), spec.End(), len(f.syntax.Imports) == 1 || !grouped(f, spec)))
		}
	}
	for _, decl := range f.syntax.Decls {
		if out[decl] {
			start, end := declRange(f, decl)
			texts = append(texts, a.text(f, start, end))
			edits = append(edits, a.cutEdit(f, start, end, false))
		}
	}
	c.rest = []byte(apply(string(f.text), edits))
	c.tests = asideText(f, imports, texts)
	return c
}
