package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// isClient reports whether a type is *Client of client-go, or that of the options that one is
// made with: what makes one exists twice where the client does.
func isClient(t types.Type) bool { return twinType(t) != "" }

// twinType returns the text of the type that is beside one of client-go where both clients are
// made and handed on, "" for other types.
func twinType(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		if oldName(t) == "Client" {
			return "*serviceapi.Client"
		}
	case *types.Slice:
		if oldName(t.Elem()) == "ClientOptionFunc" {
			return "[]clientOption"
		}
	case *types.Named:
		if oldName(t) == "ClientOptionFunc" {
			return "clientOption"
		}
	}
	return ""
}

// useTwin notes what the text of a twin's type needs.
func (r *rewriter) useTwin(t types.Type) string {
	text := twinType(t)
	if before, ok := strings.CutSuffix(text, "clientOption"); ok {
		return before + r.help("clientOption")
	}
	return r.use(text)
}

// handsOn reports whether an object is nothing but a client that is handed on: a variable,
// a field, or a function that takes or returns clients and no other values of client-go.
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
		return !obj.Signature().Variadic() || !involves(obj.Signature().Params())
	}
	return false
}

// pairing says which clients exist twice: as the one of client-go, for what is left, and
// as the one of this library beside it, for what is moved.
type pairing struct {
	p       *program
	touched map[any][]*unit // the units that mention a class of clients
	calls   map[any]map[*unit]bool
	paired  map[any]bool
	never   map[any]bool    // those that cannot be paired
	getters map[any][]*unit // functions that return nothing but a client of a class
	doubled map[*unit]bool  // getters with a twin
}

func (p *program) newPairing() *pairing {
	c := &pairing{p: p, touched: map[any][]*unit{}, calls: map[any]map[*unit]bool{}, paired: map[any]bool{},
		never: map[any]bool{}, getters: map[any][]*unit{}, doubled: map[*unit]bool{}}
	for _, u := range p.units {
		if u.uses {
			c.read(u)
		}
	}
	return c
}

// class returns what stands for all variables that have the same client, nil if the
// expression is none of these.
func (c *pairing) class(r *rewriter, n ast.Expr) any {
	if t := r.info.TypeOf(n); t == nil || !isClient(t) {
		return nil
	}
	switch ast.Unparen(n).(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return nil
	}
	if key := c.p.slots.key(r, n); key != nil {
		return c.p.slots.find(key)
	}
	return nil
}

// isPaired reports whether the client in an expression exists twice.
func (c *pairing) isPaired(r *rewriter, n ast.Expr) bool {
	if len(c.paired) == 0 || c.class(r, n) == nil {
		return false
	}
	pos, ok := c.p.slots.key(r, n).(token.Pos)
	return ok && c.objectPaired(pos)
}

// objectPaired reports whether the client that is declared at a position exists twice. In a
// function with a twin, each of the two has its own.
func (c *pairing) objectPaired(pos token.Pos) bool {
	if c == nil || !pos.IsValid() || !c.paired[c.p.slots.find(any(pos))] {
		return false
	}
	u := c.p.unitAt(pos)
	return u == nil || !u.twin
}

// addGetter notes a function whose only result is a client of a class. It gets a twin where
// others would get one more result: two do not fit where one value does.
func (c *pairing) addGetter(class any, u *unit) {
	switch {
	case u == nil || !u.canDouble() || len(u.reasons) > 0:
		c.never[class] = true
	case !slices.Contains(c.getters[class], u):
		c.getters[class] = append(c.getters[class], u)
	}
}

func (c *pairing) read(u *unit) {
	r := &rewriter{p: c.p, u: u, info: u.info}
	seen := map[any]bool{}
	add := func(class any) {
		if class != nil && !seen[class] {
			seen[class] = true
			c.touched[class] = append(c.touched[class], u)
		}
	}
	ast.Inspect(u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			add(c.class(r, n))
			class := c.class(r, n.X)
			if s := r.info.Selections[n]; s != nil && class == nil {
				if field := promoted(s); field != nil && field.Pos().IsValid() {
					class = c.p.slots.find(any(field.Pos()))
					add(class)
				}
			}
			if class != nil {
				if c.calls[class] == nil {
					c.calls[class] = map[*unit]bool{}
				}
				c.calls[class][u] = true
			}
		case *ast.Ident:
			add(c.class(r, n))
			if f, ok := r.info.ObjectOf(n).(*types.Func); ok && !isOld(f) {
				results := f.Signature().Results()
				for i := range results.Len() {
					if v := results.At(i); isClient(v.Type()) && v.Pos().IsValid() {
						class := c.p.slots.find(any(v.Pos()))
						add(class)
						if results.Len() == 1 {
							c.addGetter(class, c.p.unitOf(f.Origin()))
						}
					}
				}
			}
		}
		return true
	})
}

// touches reports whether a unit has a client that exists twice.
func (c *pairing) touches(u *unit) bool {
	for class := range c.paired {
		for _, other := range c.touched[class] {
			if other == u {
				return true
			}
		}
	}
	return false
}

// giveUp notes that the clients of a unit cannot be paired. It reports whether that is new.
func (c *pairing) giveUp(u *unit) bool {
	changed := false
	for class := range c.paired {
		for _, other := range c.touched[class] {
			if other == u && !c.never[class] {
				c.never[class] = true
				changed = true
			}
		}
	}
	return changed
}

// twinSuffix is what the name of a client of this library ends in where it is beside the
// one of client-go.
const twinSuffix = "Service"

// twin renders the client of this library that is beside one of client-go.
func (r *rewriter) twin(n ast.Expr) string {
	if id := idOf(ast.Unparen(n)); id != nil && (id.Name == "_" || isNil(r.info, id)) {
		return id.Name
	}
	if r.p.pairs.isPaired(r, n) {
		switch n := ast.Unparen(n).(type) {
		case *ast.Ident:
			return n.Name + twinSuffix
		case *ast.SelectorExpr:
			return r.render(n.X) + "." + n.Sel.Name + twinSuffix
		}
	}
	if call, ok := ast.Unparen(n).(*ast.CallExpr); ok && r.callsTwin(call) || r.makesOptions(n) {
		return r.movedText(n)
	}
	r.unpaired = true
	return "nil"
}

// movedText renders what an expression becomes, also in a unit that is left.
func (r *rewriter) movedText(n ast.Expr) string {
	pairOnly, keeps := r.pairOnly, r.keeps
	reasons, left := len(r.u.reasons), r.u.left
	r.pairOnly, r.keeps, r.blocks = false, false, 0
	text := r.render(n)
	r.pairOnly, r.keeps = pairOnly, keeps
	if r.blocks > 0 {
		r.u.reasons, r.u.left = r.u.reasons[:reasons], left
		r.unpaired = true
	}
	return text
}

// makesOptions reports whether an expression makes options of a client.
func (r *rewriter) makesOptions(n ast.Expr) bool {
	if !strings.HasSuffix(twinType(r.info.TypeOf(n)), "clientOption") {
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

// callsTwin reports whether a call is of a function with a twin.
func (r *rewriter) callsTwin(n *ast.CallExpr) bool {
	id := idOf(ast.Unparen(n.Fun))
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	return id != nil && r.hasTwin(r.info.Uses[id])
}

// hasTwin reports whether an object is a function with a twin.
func (r *rewriter) hasTwin(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	if !ok || isOld(f) {
		return false
	}
	u := r.p.unitOf(f.Origin())
	return u != nil && u.twin && u.node.Pos() <= f.Origin().Pos()
}

// twinName returns the name of a function's twin where one is called or declared.
func (r *rewriter) twinName(n *ast.Ident) (string, bool) {
	if f := r.info.Defs[n]; f != nil && r.isCopy && r.hasTwin(f) || r.hasTwin(r.info.Uses[n]) {
		return n.Name + twinSuffix, true
	}
	return "", false
}

// twinValue renders a client that exists twice where only the one of this library is used.
func (r *rewriter) twinValue(n ast.Expr) (string, bool) {
	if r.keeps || r.p.pairs == nil || !r.p.pairs.isPaired(r, n) {
		return "", false
	}
	if id := idOf(n); id != nil && r.info.Uses[id] == nil {
		return "", false
	}
	return r.twin(n), true
}

// clientText renders what methods of this library are called on.
func (r *rewriter) clientText(n ast.Expr) string {
	if r.p.pairs != nil && r.p.pairs.isPaired(r, n) {
		return r.twin(n)
	}
	return r.render(n)
}
