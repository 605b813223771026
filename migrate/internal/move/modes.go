package move

import (
	"go/ast"
	"go/types"
)

// A reader answers questions about a unit: what its names mean, and what its nodes are in.
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

// A rewriter renders the nodes of a unit, and hands on the clients that are in them. There is
// one in each mode, which says what else becomes of a node.
type rewriter struct {
	*reader
	*written
	mode  mode
	self  instance  // what the text is of
	other *rewriter // of the other side: parts of a text may be of that one

	foreign map[ast.Node]bool // see foreignErrors
}

// A mode is what becomes of a unit: it moves ([mover]), a copy of it does ([twinMover]), or it
// stays ([keeper]).
type mode interface {
	// replace returns what a node becomes, and false if only parts of it may change.
	replace(n ast.Node) (string, bool)
}

// written is what rewriters of a unit write, besides their texts.
type written struct {
	imports map[string]bool     // what the texts import
	helpers map[string]bool     // functions of helpers.go that they call
	made    map[ast.Node]string // text of nodes that are not in the program
	blocks  int                 // what could not be rewritten

	within     *ast.FuncLit // a function for clients, of which each side has its own
	withinSide sides
	unpaired   bool // a client that exists twice cannot be handed on
}

// A mover rewrites what moves.
type mover struct {
	*rewriter
	inline  map[types.Object]*ast.CompositeLit // options that are written into their call
	dropped map[ast.Node]bool                  // statements and elements that another edit replaces
	unknown *unknownFields                     // of the options of the call that is rewritten
	shown   map[ast.Expr]bool                  // errors whose text is rewritten
	levels  map[ast.Expr]bool                  // access levels that are printed
}

// A twinMover rewrites the copy of a unit that stays.
type twinMover struct{ *mover }

// A keeper rewrites what stays: only clients that exist twice are handed on.
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

// modes returns what rewrites the two sides of a unit, or of its twin.
func (p *program) modes(m *mapping, u *unit, inCopy bool) (*mover, *keeper) {
	reader := p.reader(m, u)
	shared := &written{imports: map[string]bool{}, helpers: map[string]bool{}, made: map[ast.Node]string{}}
	side := func(s sides) *rewriter {
		return &rewriter{reader: reader, written: shared, self: instance{u: u, side: s, inCopy: inCopy}}
	}
	moved := &mover{rewriter: side(newSide), inline: reader.findInline(), dropped: map[ast.Node]bool{},
		shown: map[ast.Expr]bool{}, levels: map[ast.Expr]bool{}}
	kept := &keeper{side(oldSide)}
	moved.foreign, kept.foreign = moved.foreignErrors(), kept.foreignErrors()
	moved.mode, moved.other = moved, kept.rewriter
	kept.mode, kept.other = kept, moved.rewriter
	return moved, kept
}

// replace hands on clients.
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
