package move

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
)

// A Blocker is a line of the program that keeps calls from moving.
type Blocker struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Text  string `json:"text"`  // what to do
	Calls int    `json:"calls"` // that it keeps, also in other functions
}

// blockers ranks the lines that keep calls from moving: those that keep the most come first. Calls
// without a counterpart keep only what is with them.
func (p *program) blockers() []Blocker {
	counts := map[Blocker]int{}
	for _, u := range p.units {
		if !u.left || len(u.sites) == 0 || u.file.stays == otherFile {
			continue
		}
		cause := u.origin()
		if cause == nil {
			continue
		}
		reason := cause.reasons[0]
		if first := cause.firstReason(); len(first) > 0 {
			reason = first[0]
		}
		position := p.fset.Position(reason.Pos)
		counts[Blocker{File: p.relative(position.Filename), Line: position.Line, Text: firstLine(reason.Text)}] +=
			len(u.sites)
	}
	ranked := []Blocker{}
	for b, n := range counts {
		b.Calls = n
		ranked = append(ranked, b)
	}
	slices.SortFunc(ranked, func(a, b Blocker) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return ranked
}

// failedFor leaves a unit without which other code does not compile.
func (p *program) failedFor(u *unit, e types.Error) {
	p.failed(u, e)
	for i := range u.reasons {
		if u.reasons[i].Pos == u.node.Pos() && u.reasons[i].Kind == "types" {
			u.reasons[i].foreign = true
		}
	}
}

// blameUsed leaves the moved units that a unit uses which does not move itself.
func (v *version) blameUsed(u *unit, e types.Error) bool {
	bad := false
	ast.Inspect(u.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if other := v.p.unitOf(u.info.Uses[id]); other != nil && other.uses && !other.left {
				v.p.failedFor(other, e)
				bad = true
			}
		}
		return true
	})
	return bad
}

func (v *version) blameAll(pk *pack, e types.Error) bool {
	bad := false
	if len(pk.src.TypeErrors) > 0 {
		return false // it did not compile before
	}
	for _, f := range pk.files {
		for _, u := range f.moved() {
			v.p.failedFor(u, e)
			bad = true
		}
	}
	return bad
}
