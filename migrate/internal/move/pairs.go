package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// isClient reports whether a type is *Client of client-go, a map or a slice of them, or the type of
// the options that make one. If a client exists twice, so do its options.
func isClient(t types.Type) bool { return twinType(t) != "" }

// twinType returns the type of this library beside a type of client-go where both
// clients exist, or "" for other types. The twin of a function type depends on its
// parameters.
func twinType(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Signature:
		if isSource(t) {
			return "func"
		}
	case *types.Pointer:
		if oldName(t) == "Client" {
			return newClientType
		}
	case *types.Slice:
		if oldName(t.Elem()) == "ClientOptionFunc" {
			return "[]clientOption"
		}
		return containerOf(t)
	case *types.Map:
		return containerOf(t)
	case *types.Named:
		if oldName(t) == "ClientOptionFunc" {
			return "clientOption"
		}
	}
	return ""
}

// isSource reports whether a type is a function that returns a client. Programs keep such
// functions in fields, to make clients when they need them.
func isSource(t types.Type) bool {
	signature, ok := types.Unalias(t).(*types.Signature)
	if !ok || signature.Variadic() || involves(signature.Params()) || signature.Results().Len() == 0 {
		return false
	}
	for i := range signature.Results().Len() {
		result := signature.Results().At(i).Type()
		if isPointer := twinType(result) == newClientType; isPointer != (i == 0) || i > 0 && involves(result) {
			return false
		}
	}
	return true
}

// handsOn reports whether an object only passes on clients: a variable, a field, or a
// function that takes or returns clients and no other values of client-go.
func handsOn(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Var:
		return isClient(obj.Type())
	case *types.Func:
		for _, tuple := range []*types.Tuple{obj.Signature().Params(), obj.Signature().Results()} {
			for v := range tuple.Variables() {
				if involves(v.Type()) && !isClient(v.Type()) {
					return false
				}
			}
		}
		params := obj.Signature().Params()
		return !obj.Signature().Variadic() || !involves(params.At(params.Len()-1).Type())
	}
	return false
}

// A clientPlace identifies a declaration. A function and its twin have separate variables.
type clientPlace struct {
	pos    token.Pos
	inCopy bool
}

// pairing says which clients each variable, field, parameter and result has. The need
// follows from where a client goes: a function that stays needs the client of
// client-go, a function that moves needs the one of this library, and a function that
// calls both needs both. The possible clients follow from where they come from.
type pairing struct {
	p     *program
	flows map[*unit]*clientFlows
	need  map[clientPlace]sides
	can   map[clientPlace]sides

	single map[*unit]bool // units that cannot pass on two clients, and have the one of their side
	forced map[*unit]bool // units that stay because of clients; true means with a twin
	cause  map[*unit]*unit
	mixed  map[*unit]bool // units with something of the other side
}

func (p *program) newPairing(m *mapping) *pairing {
	c := &pairing{p: p, flows: map[*unit]*clientFlows{}, single: map[*unit]bool{}}
	for _, u := range p.units {
		broken := p.isBroken(u) || u.file.stays != ""
		if !u.uses && !p.isBroken(u) {
			continue
		}
		if f := p.readFlows(m, u); len(f.declared)+len(f.used)+len(f.moves)+len(f.set) > 0 || f.escapes || f.asserts {
			c.flows[u] = f
			c.single[u] = broken
		}
	}
	c.reset()
	return c
}

func (c *pairing) reset() {
	c.need, c.can = map[clientPlace]sides{}, map[clientPlace]sides{}
	c.forced, c.cause, c.mixed = map[*unit]bool{}, map[*unit]*unit{}, map[*unit]bool{}
}

// An instance is one form of a unit: as it stays, or as it moves.
type instance struct {
	u      *unit
	f      *clientFlows
	side   sides
	inCopy bool
}

func (c *pairing) instances() []instance {
	var list []instance
	for _, u := range c.p.units {
		f := c.flows[u]
		if f == nil {
			continue
		}
		side := newSide
		if u.left {
			side = oldSide
		}
		list = append(list, instance{u: u, f: f, side: side})
		if u.twin {
			list = append(list, instance{u: u, f: f, side: newSide, inCopy: true})
		}
	}
	return list
}

// at returns the place that a unit refers to. In a moved unit, this is the place in the
// twin of a function.
func (i instance) at(c *pairing, pos token.Pos) clientPlace {
	switch owner := c.p.unitAt(pos); {
	case owner == i.u:
		return c.p.placeOf(pos, i.inCopy)
	case owner != nil && owner.twin:
		return c.p.placeOf(pos, i.side == newSide)
	}
	return c.p.placeOf(pos, false)
}

// from returns the places that a client comes from. If a function that returns only a
// client has a twin, each of the two returns one.
func (i instance) from(c *pairing, pos token.Pos) (old, now clientPlace) {
	owner := c.p.unitAt(pos)
	if owner != nil && owner != i.u && owner.twin && isGetter(owner) {
		return clientPlace{pos, false}, clientPlace{pos, true}
	}
	at := i.at(c, pos)
	return at, at
}

// isDoubled reports whether a function that returns a client has a twin, because
// staying code calls both.
func (c *pairing) isDoubled(u *unit) bool { return c.forced[u] && isGetter(u) }

// joinEscapes joins the units that put clients into interfaces with those that take
// them out, because all must mean the same client.
func (c *pairing) joinEscapes() {
	var units []*unit
	asserts := false
	for _, u := range c.p.units {
		f := c.flows[u]
		if f == nil || !f.escapes && !f.asserts {
			continue
		}
		units = append(units, u)
		asserts = asserts || f.asserts
	}
	for i := 1; asserts && i < len(units); i++ {
		join(units[i], units[0])
	}
}

// isGetter reports whether a unit is a function that returns only a client, or a
// top-level variable with a function for clients.
func isGetter(u *unit) bool { return gotten(u).IsValid() }

// gotten returns the place of a getter's result, or an invalid one for other units.
func gotten(u *unit) token.Pos {
	switch n := u.node.(type) {
	case *ast.FuncDecl:
		f, ok := u.info.Defs[n.Name].(*types.Func)
		if ok && f.Signature().Results().Len() == 1 && isClient(f.Signature().Results().At(0).Type()) {
			return f.Signature().Results().At(0).Pos()
		}
	case *ast.ValueSpec:
		if len(n.Names) == 1 && len(n.Values) == 1 && isSource(u.info.TypeOf(n.Names[0])) {
			return n.Names[0].Pos()
		}
	}
	return token.NoPos
}

// sidesAt returns the clients that are at a place.
func (c *pairing) sidesAt(at clientPlace) sides {
	if s := c.need[at]; s != 0 {
		return s
	}
	return newSide
}

// solve finds the clients that each place needs, and leaves units that cannot get
// theirs. It reports whether it left any.
func (c *pairing) solve() bool {
	list := c.instances()
	c.supply(list)
	c.demand(list)
	changed := false
	for _, i := range list {
		changed = c.leaveUnserved(i) || changed
		changed = c.leaveUnable(i) || changed
	}
	if !changed {
		changed = c.doubleGetters(list)
	}
	if !changed {
		c.findMixed(list)
	}
	return changed
}

// supply finds the clients that each place can have.
func (c *pairing) supply(list []instance) {
	c.can = map[clientPlace]sides{}
	limit := func(at clientPlace, s sides) bool {
		before, ok := c.can[at]
		if !ok {
			before = bothSides
		}
		c.can[at] = before & s
		return before&s != before
	}
	for _, i := range list {
		c.limits(i, func(at clientPlace) { limit(at, i.side) })
	}
	for changed := true; changed; {
		changed = false
		for _, i := range list {
			for _, move := range i.f.moves {
				if move.from.IsValid() {
					old, now := i.from(c, move.from)
					have := c.canAt(old)&oldSide | c.canAt(now)&newSide
					changed = limit(i.at(c, move.to), have) || changed
				}
			}
		}
	}
}

func (c *pairing) canAt(at clientPlace) sides {
	if s, ok := c.can[at]; ok {
		return s
	}
	return bothSides
}

// limits calls limit for each place that can only have the side of the instance.
func (c *pairing) limits(i instance, limit func(clientPlace)) {
	for _, pos := range i.f.fixed {
		limit(c.p.placeOf(pos, i.inCopy))
	}
	for _, move := range i.f.moves {
		if !move.from.IsValid() || c.single[i.u] {
			limit(i.at(c, move.to))
		}
	}
	if c.single[i.u] {
		for _, pos := range i.f.declared {
			limit(c.p.placeOf(pos, i.inCopy))
		}
		for _, pos := range i.f.made {
			limit(i.at(c, pos))
		}
	} else if isGetter(i.u) && (i.inCopy || i.u.left || !c.mayDouble(i.u)) {
		limit(clientPlace{gotten(i.u), i.inCopy})
	}
}

// mayDouble reports whether a function can have a twin.
func (c *pairing) mayDouble(u *unit) bool {
	return len(u.reasons) == 0 && c.p.sizes[u.root()] == 1 && c.p.canDouble(u)
}

// demand finds the clients that each place needs.
func (c *pairing) demand(list []instance) {
	c.need = map[clientPlace]sides{}
	for _, i := range list {
		for _, pos := range i.f.used {
			c.need[i.at(c, pos)] |= i.side
		}
		for _, pos := range i.f.fixed {
			c.need[c.p.placeOf(pos, i.inCopy)] |= i.side
		}
		if i.side == oldSide {
			for _, pos := range i.f.declared {
				c.need[c.p.placeOf(pos, i.inCopy)] |= oldSide
			}
		}
	}
	for changed := true; changed; {
		changed = false
		add := func(at clientPlace, s sides) {
			if c.need[at]|s != c.need[at] {
				c.need[at] |= s
				changed = true
			}
		}
		for _, i := range list {
			for _, move := range i.f.moves {
				if move.from.IsValid() {
					needed := c.need[i.at(c, move.to)]
					old, now := i.from(c, move.from)
					add(old, needed&oldSide)
					add(now, needed&newSide)
				}
			}
		}
	}
}

// leaveUnserved leaves a moved unit that uses a client which cannot be one of this
// library. A function that others can call gets a twin.
func (c *pairing) leaveUnserved(i instance) bool {
	if i.side == oldSide {
		return false
	}
	places := append([]token.Pos(nil), i.f.used...)
	for _, pos := range append(places, i.f.fixed...) {
		if at := i.at(c, pos); c.canAt(at)&newSide == 0 {
			return c.force(i.u, !i.inCopy && c.mayDouble(i.u), func() *unit { return c.limiting(at) })
		}
	}
	for _, pos := range i.f.made {
		if at := i.at(c, pos); c.need[at] == oldSide {
			return c.force(i.u, false, func() *unit { return c.needing(at) })
		}
	}
	return false
}

// leaveUnable leaves a moved unit that must pass on a client of client-go but does not
// have one.
func (c *pairing) leaveUnable(i instance) bool {
	if i.side == oldSide {
		return false
	}
	changed := false
	c.limits(i, func(at clientPlace) {
		if c.need[at]&oldSide != 0 {
			twin := !i.inCopy && isGetter(i.u) && c.mayDouble(i.u)
			changed = c.force(i.u, twin, func() *unit { return c.needing(at) }) || changed
		}
	})
	return changed
}

// force leaves a unit. It reports false if the unit was already left.
func (c *pairing) force(u *unit, twin bool, cause func() *unit) bool {
	if had, ok := c.forced[u]; ok && (!had || twin) {
		return false
	}
	c.forced[u], c.cause[u] = twin, cause()
	return true
}

// doubleGetters gives twins to functions that return one client where two are needed,
// because two do not fit into one value.
func (c *pairing) doubleGetters(list []instance) bool {
	changed := false
	for _, i := range list {
		if !isGetter(i.u) || i.u.twin {
			continue
		}
		if at := (clientPlace{gotten(i.u), false}); c.need[at] == bothSides {
			changed = c.force(i.u, c.mayDouble(i.u), func() *unit { return c.needing(at) }) || changed
		}
	}
	return changed
}

// limiting returns a unit that keeps a place from having a client of this library.
func (c *pairing) limiting(at clientPlace) *unit {
	return c.search(at, func(i instance, at clientPlace) bool {
		found := false
		c.limits(i, func(limit clientPlace) { found = found || limit == at })
		return found && i.side == oldSide
	}, func(i instance, move clientMove) (from, to clientPlace) {
		_, now := i.from(c, move.from)
		return i.at(c, move.to), now
	})
}

// needing returns a unit that needs a client of client-go from a place.
func (c *pairing) needing(at clientPlace) *unit {
	return c.search(at, func(i instance, at clientPlace) bool {
		if i.side != oldSide {
			return false
		}
		for _, pos := range append(append([]token.Pos(nil), i.f.used...), i.f.declared...) {
			if i.at(c, pos) == at {
				return true
			}
		}
		return false
	}, func(i instance, move clientMove) (from, to clientPlace) {
		old, _ := i.from(c, move.from)
		return old, i.at(c, move.to)
	})
}

// search follows clients from a place until it finds a unit.
func (c *pairing) search(
	start clientPlace, found func(instance, clientPlace) bool,
	step func(instance, clientMove) (from, to clientPlace),
) *unit {
	list := c.instances()
	seen := map[clientPlace]bool{start: true}
	for queue := []clientPlace{start}; len(queue) > 0; queue = queue[1:] {
		for _, i := range list {
			if found(i, queue[0]) {
				return i.u
			}
			for _, move := range i.f.moves {
				if !move.from.IsValid() {
					continue
				}
				if from, to := step(i, move); from == queue[0] && !seen[to] {
					seen[to] = true
					queue = append(queue, to)
				}
			}
		}
	}
	return nil
}

// findMixed finds the units that have clients of the other side.
func (c *pairing) findMixed(list []instance) {
	c.mixed = map[*unit]bool{}
	for _, i := range list {
		for _, places := range [][]token.Pos{i.f.declared, i.f.used, i.f.made, i.f.set} {
			for _, pos := range places {
				if c.sidesAt(i.at(c, pos)) != i.side {
					c.mixed[i.u] = true
				}
			}
		}
		for _, move := range i.f.moves {
			if c.sidesAt(i.at(c, move.to)) != i.side {
				c.mixed[i.u] = true
			}
			if !move.from.IsValid() {
				continue
			}
			if old, now := i.from(c, move.from); c.sidesAt(old) != i.side || c.sidesAt(now) != i.side {
				c.mixed[i.u] = true
			}
		}
	}
}

// touches reports whether a unit has a client of the other side.
func (c *pairing) touches(u *unit) bool { return c.mixed[u] }

// giveUp records that a unit cannot pass on two clients. It reports whether that is
// new.
func (c *pairing) giveUp(u *unit) bool {
	if c.single[u] || c.flows[u] == nil {
		return false
	}
	c.single[u] = true
	return true
}

// makesOptions reports whether an expression makes options of a client, or a map or a slice of
// clients.
func (r *reader) makesOptions(n ast.Expr) bool {
	if !strings.HasSuffix(twinType(r.info.TypeOf(n)), "clientOption") && !r.isContainer(n) {
		return false
	}
	switch n := ast.Unparen(n).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return r.oldObject(n.Fun) != nil || r.info.Types[n.Fun].IsBuiltin()
	}
	return false
}

// isEmptyClient reports whether an expression is (*Client)(nil), &Client{} or new(Client).
func (r *reader) isEmptyClient(n ast.Expr) bool {
	if oldName(r.info.TypeOf(n)) != "Client" {
		return false
	}
	switch n := ast.Unparen(n).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(n.X).(*ast.CompositeLit)
		return ok && len(lit.Elts) == 0
	case *ast.CallExpr:
		isNew := idName(n.Fun) == "new" && r.info.Types[n.Fun].IsBuiltin()
		return isNew || len(n.Args) == 1 && r.info.Types[n.Fun].IsType() && isNil(r.info, n.Args[0])
	}
	return false
}
