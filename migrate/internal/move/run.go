package move

import (
	"bytes"
	"cmp"
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// A File is a file that changes.
type File struct {
	Name     string // with its folder
	Old, New []byte
}

// A Result is what the command found and would write.
type Result struct {
	Files  []File
	Report Report
}

// Run moves a program in memory.
func Run(options Options) (*Result, error) {
	p, result, err := runOnce(options)
	if p == nil {
		return result, err
	}
	return p.setAside(result)
}

// runOnce moves a program with the tests that it has. The program is nil if there is nothing to
// move.
func runOnce(options Options) (*program, *Result, error) {
	p, err := load(options)
	if errors.Is(err, errNothing) {
		return nil, &Result{Report: newReport()}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	p.progress(loadedStep)
	m := p.newMapping()
	p.findReads()
	p.slots = p.newSlots(m)
	p.slots.findWide()
	p.slots.readFields()
	p.findSites(m)
	p.findZeroes(m)
	p.findKept(m)
	p.kinds = p.newErrorKinds()
	p.findTexts()
	p.plan(m)
	v := p.settle(m)
	return p, p.result(v), nil
}

// loadedStep is the step after loading.
const loadedStep = "reading the program"

// plan finds the units that no rule can move.
func (p *program) plan(m *mapping) {
	for _, u := range p.units {
		if !u.uses {
			continue
		}
		if p.isBroken(u) {
			u.leave(u.node.Pos(), "broken", "the program does not compile here; repair it and run this command again")
			u.uses = false // nothing else depends on it
			continue
		}
		if u.file.stays != "" {
			u.leaveFile()
			continue
		}
		r := p.mover(m, u)
		r.checkPointers()
		r.edits(u.node)
	}
	p.pairs = p.newPairing(m)
}

// isBroken reports whether the type checker found an error in a unit.
func (p *program) isBroken(u *unit) bool {
	return slices.ContainsFunc(u.file.pack.src.TypeErrors, func(e types.Error) bool {
		return u.node.Pos() <= e.Pos && e.Pos <= u.node.End()
	})
}

// settle rewrites the program until all of the new text compiles. Each attempt moves
// less.
func (p *program) settle(m *mapping) *version {
	for range maxTries {
		p.regroup()
		v := p.generate(m)
		if !v.unsettled && v.verify() {
			return v
		}
	}
	for _, u := range p.units {
		u.left = u.uses
	}
	p.pairs.reset()
	return p.generate(m)
}

// maxTries limits how often the program is rewritten.
const maxTries = 50

// findSites notes the calls of client-go in every unit.
func (p *program) findSites(m *mapping) {
	for _, u := range p.units {
		if !u.uses {
			continue
		}
		r := p.reader(m, u)
		if !p.isBroken(u) {
			r.noteAnys()
		}
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if site := r.site(n); site != nil {
					u.sites = append(u.sites, site)
				}
				r.noteRetries(n)
			case *ast.SelectorExpr:
				p.requests = p.requests || r.isRequest(n)
			}
			return true
		})
	}
}

// site returns the Site of a call, or nil.
func (r *reader) site(call *ast.CallExpr) *Site {
	fun := ast.Unparen(call.Fun)
	if obj, ok := r.oldObject(fun).(*types.Func); ok {
		switch name := obj.Name(); {
		case strings.HasPrefix(name, "New"), strings.HasPrefix(name, "Parse"):
			return &Site{Old: name, Covered: true, node: call}
		}
		return nil
	}
	name, f := r.serviceMethod(call)
	if f == nil {
		return nil
	}
	site := &Site{Old: name, node: call}
	for _, m := range r.p.table.Method(name) {
		site.Covered = true
		if m.New != "" {
			site.New = m.New
			r.noteService(call, m)
		}
	}
	return site
}

// noteService records that a method is called through a service value, but belongs to
// another service here. Such values become the client.
func (r *reader) noteService(call *ast.CallExpr, m *table.Method) {
	x := ast.Unparen(call.Fun.(*ast.SelectorExpr).X)
	if sel, ok := x.(*ast.SelectorExpr); ok {
		if s := r.info.Selections[sel]; s != nil && isOld(s.Obj()) {
			return
		}
	}
	if r.newService(m.Service()) != m.NewService() {
		r.p.whole[m.Service()] = true
	}
}

// result makes the files and the report.
func (p *program) result(v *version) *Result {
	result := &Result{}
	for _, f := range p.sortedFiles() {
		text, changed := v.texts[f]
		if !changed {
			text = string(f.text)
		}
		text = p.addComments(v, f, text)
		if text == string(f.text) {
			continue
		}
		text = strings.Replace(text, "\nimport ()\n", "\n", 1)
		if now := f.finished(text); !bytes.Equal(now, f.raw) {
			result.Files = append(result.Files, File{Name: f.name, Old: f.raw, New: now})
		}
	}
	for _, h := range v.helpers {
		if v.dropUnused(h); len(h.names) == 0 {
			continue
		}
		old, _ := os.ReadFile(h.name)
		if text := p.helperText(h); text != string(old) {
			result.Files = append(result.Files, File{Name: h.name, Old: old, New: []byte(text)})
		}
	}
	slices.SortFunc(result.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	result.Report = p.report()
	return result
}

// mark begins the comments that the command writes.
const mark = "// serviceapi: "

// movesIn reports whether a call in a package moves, or in the program where the package has no
// calls, or whatever moves where there are none at all.
func (p *program) movesIn(pk *pack) bool {
	var sites, moved, here, movedHere bool
	for _, u := range p.units {
		if len(u.sites) == 0 {
			continue
		}
		moves := !u.left || u.twin
		sites, moved = true, moved || moves
		if u.file.pack.path == pk.path {
			here, movedHere = true, movedHere || moves
		}
	}
	if here {
		return movedHere
	}
	return moved || !sites
}

// firstReason returns the first reason of a unit that is about its own code.
func (u *unit) firstReason() []Reason {
	own := slices.DeleteFunc(slices.Clone(u.reasons), func(r Reason) bool { return r.foreign || r.Kind == "broken" })
	slices.SortStableFunc(own, func(a, b Reason) int { return cmp.Compare(a.Pos, b.Pos) })
	return own[:min(len(own), 1)]
}

// addComments adds a comment to each function that was left, in a package of which something
// moves. It is above the first statement that keeps the function, and says what to do.
func (p *program) addComments(v *version, f *file, text string) string {
	syntax, err := v.syntaxOf(f)
	if err != nil || f.stays != "" {
		return text
	}
	if !p.movesIn(f.pack) {
		return text
	}
	var edits []edit
	seen := map[int]bool{}
	for _, u := range f.units {
		if !u.left {
			continue
		}
		node := newNode(syntax, f, u)
		if node == nil {
			continue
		}
		for _, reason := range u.firstReason() {
			pos := p.statement(u, reason.Pos)
			at := p.offset(node.Pos()) + v.shifted(u, p.offset(pos)) - p.offset(u.node.Pos())
			line := strings.LastIndexByte(text[:at], '\n') + 1
			indent := text[line:at]
			if seen[line] || strings.TrimSpace(indent) != "" && u.spec < 0 {
				continue
			}
			seen[line] = true
			comment := mark + firstLine(reason.Text) + "\n"
			before := strings.TrimRight(text[:line], "\n")
			last := strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
			if strings.HasPrefix(last, strings.TrimSpace(mark)) {
				continue
			}
			indent = indent[:len(indent)-len(strings.TrimLeft(indent, "\t "))]
			if fn, ok := u.node.(*ast.FuncDecl); ok && pos == fn.Pos() && fn.Doc != nil {
				comment = "//\n" + comment
			}
			edits = append(edits, edit{line, line, indent + comment})
		}
	}
	if len(edits) == 0 {
		return text
	}
	return apply(text, edits)
}

// shifted returns an offset in a staying unit after the edits of that unit. Edits of
// other units do not count.
func (v *version) shifted(u *unit, offset int) int {
	shift := 0
	for _, e := range v.handed[u] {
		switch {
		case e.end <= offset:
			shift += len(e.text) - (e.end - e.start)
		case e.start < offset:
			return e.start + shift
		}
	}
	return offset + shift
}

func (p *program) offset(pos token.Pos) int { return p.fset.Position(pos).Offset }

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// statement returns the start of the statement that contains a position.
func (p *program) statement(u *unit, pos token.Pos) token.Pos {
	start := u.node.Pos()
	ast.Inspect(u.node, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos >= n.End() {
			return n == nil || n.Pos() <= pos && pos < n.End()
		}
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		case ast.Stmt, *ast.Field:
			if p.startsLine(u.file, n.Pos()) {
				start = n.Pos()
			}
		}
		return true
	})
	return start
}

// startsLine reports whether a position is the first thing on its line.
func (p *program) startsLine(f *file, pos token.Pos) bool {
	at := p.fset.Position(pos).Offset
	line := bytes.LastIndexByte(f.text[:at], '\n') + 1
	return len(bytes.TrimSpace(f.text[line:at])) == 0
}
