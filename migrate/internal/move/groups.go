package move

import (
	"go/types"
	"slices"
)

// A unitEdge joins two units: one uses a declaration of the other.
type unitEdge struct {
	a, b    *unit
	soft    types.Object // a client that is passed on; nil for other values
	doubles bool         // b can have a twin
}

// regroup decides which units move. Units that share variables, fields or types move
// together or not at all. A function that calls one that stays also stays. If both
// staying and moving code call a function, it stays and gets a twin that moves.
func (p *program) regroup() {
	for _, u := range p.units {
		u.group = u
	}
	p.pairs.reset()
	for _, e := range p.edges {
		if e.soft == nil && !e.doubles {
			join(e.a, e.b)
		}
	}
	p.joinMethods()
	p.pairs.joinEscapes()
	p.joinAnys(join, false)
	for {
		p.spread()
		if !p.pairs.solve() {
			p.rest()
			return
		}
	}
}

// spread leaves units that cannot move because of other units.
func (p *program) spread() {
	p.sizes = map[*unit]int{}
	for _, u := range p.units {
		u.left, u.twin, u.cause = len(u.reasons) > 0, false, nil
		if u.uses {
			p.sizes[u.root()]++
		}
	}
	for u, twin := range p.pairs.forced {
		u.left, u.twin, u.cause = true, twin, p.pairs.cause[u]
	}
	for changed := true; changed; changed = changed || p.dropTestTwins() {
		changed = p.spreadGroups()
		changed = p.spreadMocks() || changed
		for _, e := range p.edges {
			if e.doubles && e.soft == nil && e.a.uses && e.b.uses {
				changed = p.spreadCall(e) || changed
			}
		}
	}
	p.dropTwins()
}

// spreadGroups leaves every unit in a group with a unit that stays.
func (p *program) spreadGroups() (changed bool) {
	left := map[*unit]*unit{}
	for _, u := range p.units {
		if u.left && !u.twin && u.uses {
			if r := left[u.root()]; r == nil || len(r.reasons) == 0 {
				left[u.root()] = u
			}
		}
	}
	for _, u := range p.units {
		if cause := left[u.root()]; cause != nil && cause != u && u.uses && (!u.left || u.twin) {
			u.left, u.twin, u.cause = true, false, cause
			changed = true
		}
	}
	return changed
}

// spreadCall leaves a function that calls one that stays, or that one that stays calls.
func (p *program) spreadCall(e unitEdge) bool {
	a, b := e.a, e.b
	switch {
	case b.left && !b.twin && (!a.left || a.twin):
		a.left, a.twin, a.cause = true, false, b
		return true
	case a.left && !b.left:
		b.left, b.twin, b.cause = true, p.sizes[b.root()] == 1 && p.canDouble(b), a
		return true
	}
	return false
}

// dropTwins drops the twins that nothing calls.
func (p *program) dropTwins() {
	called := map[*unit]bool{}
	for changed := true; changed; {
		changed = false
		for _, e := range p.edges {
			calls := e.a.uses && !e.a.left || called[e.a] || p.pairs.isDoubled(e.a)
			if calls && e.b.twin && !called[e.b] {
				called[e.b] = true
				changed = true
			}
		}
	}
	for _, u := range p.units {
		u.twin = u.twin && (called[u] || p.pairs.isDoubled(u))
	}
}

// twins returns the units of a file that have a copy at its end.
func (f *file) twins() []*unit {
	return slices.DeleteFunc(slices.Clone(f.units), func(u *unit) bool { return !u.twin })
}
