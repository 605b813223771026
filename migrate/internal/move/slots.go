package move

import "go/ast"

// slots says which of several types of this library the variables of a type of client-go
// have, by what is assigned to them and what they are passed to.
type slots struct{}

func (p *program) newSlots(m *mapping) *slots { return &slots{} }

func (s *slots) of(r *rewriter, n ast.Expr, old string) string { return "" }
