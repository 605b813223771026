package move

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Tests often hand values of client-go to mocks, where no type shows which code they are for. A
// test stays with a mock that stays, and what no call that moves is joined to stays as it is.

// A mockUse is a test that uses a type with a method of client-go.
type mockUse struct{ test, method *unit }

// isTest reports whether a unit is only in tests.
func (u *unit) isTest() bool { return strings.HasSuffix(u.file.name, "_test.go") }

// findMocks finds the types of the program that tests use, and whose methods mention client-go.
func (p *program) findMocks() {
	for _, u := range p.units {
		if !u.uses || !u.isTest() {
			continue
		}
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if obj := u.info.ObjectOf(n); obj != nil {
					p.addMock(u, obj.Type())
				}
			case *ast.CallExpr: // such as what makes a generated mock
				p.addMock(u, u.info.TypeOf(n))
			}
			return true
		})
	}
}

// addMock records that a test has a value of a type, or of a pointer to it.
func (p *program) addMock(u *unit, t types.Type) {
	named := namedOf(t)
	if named == nil || !p.isLocal(named.Obj()) {
		return
	}
	for f := range named.Methods() {
		m := p.unitOf(f)
		if use := (mockUse{u, m}); m != nil && m != u && involves(f.Type()) && !slices.Contains(p.mocks, use) {
			p.mocks = append(p.mocks, use)
		}
	}
}

// spreadMocks leaves tests whose mocks are left.
func (p *program) spreadMocks() (changed bool) {
	for _, use := range p.mocks {
		if use.method.left && !use.method.twin && (!use.test.left || use.test.twin) {
			use.test.left, use.test.twin, use.test.cause = true, false, use.method
			changed = true
		}
	}
	return changed
}

// rest leaves what has no part in a call that moves: all of a program none of whose calls move, and
// tests that no such call, and nothing else that moves, is joined to.
func (p *program) rest() {
	set, kinds := p.joined(), p.newErrorKinds()
	busy := map[*unit]bool{}
	sites, moves := false, false
	for _, u := range p.units {
		sites = sites || len(u.sites) > 0
		if !u.uses || u.left && !u.twin {
			continue
		}
		moves = moves || len(u.sites) > 0
		if len(u.sites) > 0 || !u.isTest() || p.looksAtErrors(kinds, u) {
			busy[set.find(u)] = true
		}
	}
	for _, u := range p.units {
		if u.uses && !u.left && (sites && !moves || !busy[set.find(u)]) {
			u.left = true
		}
	}
	if sites && !moves {
		p.pairs.reset() // nothing needs a second client
	}
}

// looksAtErrors reports whether a unit tests errors, or their texts, that may come from a call that
// moves.
func (p *program) looksAtErrors(k *errorKinds, u *unit) bool {
	r := p.reader(nil, u)
	if k.all&newSide == 0 {
		return false
	}
	for _, e := range r.tested(u.node) {
		if k.of(r, e, newSide)&newSide != 0 {
			return true
		}
	}
	found := false
	ast.Inspect(u.node, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		found = found || ok && r.comparedError(e) != nil
		return !found
	})
	return found
}

// A unitSet joins units.
type unitSet map[*unit]*unit

func (s unitSet) find(u *unit) *unit {
	for s[u] != nil && s[u] != u {
		u = s[u]
	}
	return u
}

func (s unitSet) join(a, b *unit) {
	if a, b = s.find(a), s.find(b); a != b {
		s[a] = b
	}
}

// joined joins all units that have to do with each other.
func (p *program) joined() unitSet {
	set := unitSet{}
	for _, u := range p.units {
		if root := u.root(); root != u {
			set.join(u, root)
		}
	}
	for _, e := range p.edges {
		if e.a != nil && e.b != nil && e.a.uses && e.b.uses {
			set.join(e.a, e.b)
		}
	}
	for _, use := range p.mocks {
		set.join(use.test, use.method)
	}
	p.joinAnys(set.join, true)
	return set
}

// dropTestTwins drops the twins that only tests call: the tests stay with what they test.
func (p *program) dropTestTwins() (changed bool) {
	called := map[*unit]bool{}
	for more := true; more; {
		more = false
		for _, e := range p.edges {
			calls := e.a.uses && !e.a.left && !e.a.isTest() || called[e.a]
			if calls && e.b.twin && !called[e.b] {
				called[e.b] = true
				more = true
			}
		}
	}
	for _, u := range p.units {
		if u.twin && !called[u] && !u.isTest() && !p.pairs.isDoubled(u) && p.calledByTests(u) {
			u.twin = false
			changed = true
		}
	}
	return changed
}

// calledByTests reports whether a test that moves uses a unit.
func (p *program) calledByTests(u *unit) bool {
	for _, e := range p.edges {
		if e.b == u && e.a.uses && !e.a.left && e.a.isTest() {
			return true
		}
	}
	return false
}
