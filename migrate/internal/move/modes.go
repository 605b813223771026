package move

import (
	"go/ast"
	"go/types"
)

// A reader answers questions about a unit: the meaning of its names, and the nodes
// around its nodes.
type reader struct {
	p       *program
	m       *mapping
	u       *unit
	info    *types.Info
	parents map[ast.Node]ast.Node
}

func (p *program) reader(m *mapping, u *unit) *reader {
	r := &reader{p: p, m: m, u: u, info: u.info, parents: map[ast.Node]ast.Node{}}
	var stack []ast.Node
	ast.Inspect(u.node, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			r.parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		return true
	})
	return r
}

// A rewriter renders the nodes of a unit, and passes on the clients that are in them. There is
// one in each mode, which says what else becomes of a node.
type rewriter struct {
	*reader
	*written
	mode  mode
	self  instance  // the instance that the text belongs to
	other *rewriter // for the other side, which parts of a text may belong to

	foreign map[ast.Node]bool // see foreignErrors
}

// A mode says what happens to a unit: it moves ([mover]), its copy moves ([twinMover]),
// or it stays ([keeper]).
type mode interface {
	// replace returns what a node becomes, and false if only parts of it may change.
	replace(n ast.Node) (string, bool)
}

// written collects what rewriters of a unit produce in addition to their texts.
type written struct {
	imports map[string]bool     // what the texts import
	helpers map[string]bool     // functions of helpers.go that they call
	made    map[ast.Node]string // text of new nodes
	blocks  int                 // number of parts that could not be rewritten

	within     *ast.FuncLit // a function for clients; each side has its own
	withinSide sides
	unpaired   bool // a client that exists twice cannot be passed on
}

// A mover rewrites units that move.
type mover struct {
	*rewriter
	inline  map[types.Object]*ast.CompositeLit // options that are written into their call
	dropped map[ast.Node]bool                  // statements and elements that another edit replaces
	late    map[types.Object]string            // owners that are set after the options
	unknown *unknownFields                     // of the options of the call that is rewritten
	shown   map[ast.Expr]bool                  // errors whose text is rewritten
	levels  map[ast.Expr]bool                  // access levels that are printed
}

// A twinMover rewrites the copy of a unit that stays.
type twinMover struct{ *mover }

// A keeper rewrites units that stay. It only passes on clients that exist twice.
type keeper struct{ *rewriter }

func (p *program) mover(m *mapping, u *unit) *mover {
	moved, _ := p.modes(m, u, false)
	return moved
}

func (p *program) keeper(m *mapping, u *unit) *keeper {
	_, kept := p.modes(m, u, false)
	return kept
}

func (p *program) twinMover(m *mapping, u *unit) *twinMover {
	moved, _ := p.modes(m, u, true)
	twin := &twinMover{moved}
	twin.mode = twin
	return twin
}

// modes returns the rewriters for the two sides of a unit or its twin.
func (p *program) modes(m *mapping, u *unit, inCopy bool) (*mover, *keeper) {
	reader := p.reader(m, u)
	shared := &written{imports: map[string]bool{}, helpers: map[string]bool{}, made: map[ast.Node]string{}}
	side := func(s sides) *rewriter {
		return &rewriter{reader: reader, written: shared, self: instance{u: u, side: s, inCopy: inCopy}}
	}
	moved := &mover{rewriter: side(newSide), inline: reader.findInline(), dropped: map[ast.Node]bool{},
		late:  reader.findLateOwners(),
		shown: map[ast.Expr]bool{}, levels: map[ast.Expr]bool{}}
	kept := &keeper{side(oldSide)}
	moved.foreign, kept.foreign = moved.foreignErrors(), kept.foreignErrors()
	moved.mode, moved.other = moved, kept.rewriter
	kept.mode, kept.other = kept, moved.rewriter
	return moved, kept
}

// replace passes on clients.
func (r *keeper) replace(n ast.Node) (string, bool) {
	if text, ok := r.wrapError(n); ok {
		return text, true
	}
	return r.pair(n)
}

// replace moves a node, and gives the twin its name.
func (r *twinMover) replace(n ast.Node) (string, bool) {
	if id, ok := n.(*ast.Ident); ok && r.info.Defs[id] != nil && r.hasTwin(r.info.Defs[id]) {
		return id.Name + twinSuffix, true
	}
	return r.mover.replace(n)
}
