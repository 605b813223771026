package move

import (
	"go/ast"
	"go/types"
	"slices"
)

// An edge joins two units: one uses what the other declares.
type unitEdge struct {
	a, b  *unit
	soft  types.Object // a client that is handed on, nil for other values
	calls bool         // b is a function: a copy of it will do
}

// regroup decides which units move. Units that share variables, fields or types move
// together or not at all. A function that calls one which is left is left, too; one that is
// called by what is left and by what moves stays, and gets a twin that is moved.
func (p *program) regroup() {
	for _, u := range p.units {
		u.group = u
	}
	clear(p.pairs.paired)
	for _, e := range p.edges {
		if e.soft == nil && !e.calls {
			join(e.a, e.b)
		}
	}
	p.joinMethods()
	for {
		p.spread()
		if !p.pairs.decideAll() {
			return
		}
		clear(p.pairs.paired)
	}
}

// spread leaves what cannot move because of others.
func (p *program) spread() {
	sizes := map[*unit]int{}
	for _, u := range p.units {
		u.left, u.twin, u.cause = len(u.reasons) > 0, false, nil
		if u.uses {
			sizes[u.root()]++
		}
	}
	for getter := range p.pairs.doubled {
		getter.left, getter.twin = true, len(getter.reasons) == 0
	}
	for changed := true; changed; {
		changed = p.spreadGroups()
		for _, e := range p.edges {
			if e.calls && e.soft == nil && e.a.uses && e.b.uses {
				changed = p.spreadCall(e, sizes) || changed
			}
		}
	}
	p.dropTwins()
}

// spreadGroups leaves every unit whose group has one that is left.
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

// spreadCall leaves what calls a function that is left, and keeps what is called by one.
func (p *program) spreadCall(e unitEdge, sizes map[*unit]int) bool {
	a, b := e.a, e.b
	switch {
	case b.left && !b.twin && (!a.left || a.twin):
		a.left, a.twin, a.cause = true, false, b
		return true
	case a.left && !b.left:
		b.left, b.twin, b.cause = true, sizes[b.root()] == 1 && b.canDouble(), a
		return true
	}
	return false
}

// canDouble reports whether the name of a function's twin is free.
func (u *unit) canDouble() bool {
	decl, ok := u.node.(*ast.FuncDecl)
	if !ok {
		return false
	}
	f, ok := u.info.Defs[decl.Name].(*types.Func)
	if !ok {
		return false
	}
	name := f.Name() + twinSuffix
	if recv := f.Signature().Recv(); recv != nil {
		obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, f.Pkg(), name)
		return obj == nil
	}
	return f.Pkg().Scope().Lookup(name) == nil
}

// dropTwins drops the twins that nothing calls.
func (p *program) dropTwins() {
	called := map[*unit]bool{}
	for changed := true; changed; {
		changed = false
		for _, e := range p.edges {
			calls := e.a.uses && !e.a.left || called[e.a] || p.pairs.doubled[e.a]
			if calls && e.b.twin && !called[e.b] {
				called[e.b] = true
				changed = true
			}
		}
	}
	for _, u := range p.units {
		u.twin = u.twin && (called[u] || p.pairs.doubled[u])
	}
}

// decideAll decides which clients exist twice. It reports whether that changes what moves.
func (c *pairing) decideAll() bool {
	changed := false
	for class, units := range c.touched {
		if c.decide(class, units) {
			for _, getter := range c.getters[class] {
				if !c.doubled[getter] {
					c.doubled[getter] = true
					changed = true
				}
			}
			continue
		}
		for _, u := range units[1:] {
			if u.root() != units[0].root() {
				join(u, units[0])
				changed = true
			}
		}
	}
	return changed
}

// decide pairs the clients of a class if both what is moved and what is left call it.
func (c *pairing) decide(class any, units []*unit) bool {
	if c.never[class] {
		return false
	}
	moved, left := false, false
	for u := range c.calls[class] {
		left = left || u.left
		moved = moved || !u.left || u.twin
	}
	for _, u := range units {
		left = left || u.left
	}
	if moved && left {
		c.paired[class] = true
	}
	return moved && left
}

// twins returns the units of a file that have a copy at its end.
func (f *file) twins() []*unit {
	return slices.DeleteFunc(slices.Clone(f.units), func(u *unit) bool { return !u.twin })
}
