package move

import (
	"go/token"
	"go/types"
)

// Interfaces of programs have methods that return a client and an error, such as those of a factory for
// commands. Such a method returns both clients where code that moves and code that stays call it. All
// methods that may implement each other do the same, so that the results of all are one place.

// findFactories finds the methods of interfaces that return a client and more, and those that may
// implement them.
func (p *program) findFactories() {
	p.factories = map[token.Pos]token.Pos{}
	for _, methods := range p.implementing() {
		if !p.areFactories(methods) {
			continue
		}
		first := methods[0].Signature().Results().At(0).Pos()
		for _, f := range methods {
			p.factories[f.Signature().Results().At(0).Pos()] = first
			p.singles[f.Pos()] = true
		}
	}
}

// areFactories reports whether the program declares all of some methods in files that may change, and
// they return a client and more.
func (p *program) areFactories(methods []*types.Func) bool {
	for _, f := range methods {
		u := p.unitOf(f)
		if u == nil || u.file.stays != "" || isMock(u.file) || !isSource(f.Type()) ||
			f.Signature().Results().Len() < 2 {
			return false
		}
	}
	return true
}

// isFactory reports whether methods are in one place, because each returns a client and more.
func (p *program) isFactory(f *types.Func) bool {
	results := f.Signature().Results()
	return results.Len() > 1 && p.factories[results.At(0).Pos()].IsValid()
}

// placeOf returns the place of a declaration, which methods that may implement each other share.
func (p *program) placeOf(pos token.Pos, inCopy bool) clientPlace {
	if first := p.factories[pos]; first.IsValid() {
		return clientPlace{first, false}
	}
	return clientPlace{pos, inCopy}
}

// makesClients reports whether a type is an interface whose methods have nothing of client-go but the
// clients that they return: what takes a value of it need not move with it.
func (p *program) makesClients(t types.Type) bool {
	methods, ok := t.Underlying().(*types.Interface)
	if !ok || !involves(methods) {
		return false
	}
	for m := range methods.Methods() {
		if involves(m.Type()) && !p.isFactory(m) {
			return false
		}
	}
	return true
}
