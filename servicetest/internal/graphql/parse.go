package graphql

import (
	"encoding/json"
	"errors"
	"fmt"
)

// An Operation is a query or a mutation in a document.
type Operation struct {
	kind, name string
	variables  []variable
	fields     []*selection
}

// IsMutation reports whether the operation changes something.
func (o *Operation) IsMutation() bool { return o.kind == "mutation" }

// A variable is the declaration of a variable.
type variable struct {
	name, typ string // the type as written, without a final "!"
	required  bool
	fallback  any
	at        Location
}

// A selection is a selected field, with the selection on its object.
type selection struct {
	alias, name string
	args        map[string]any
	fields      []*selection
	at          Location
}

// Values of arguments are nil, bool, string, json.Number, []any, map[string]any, or one
// of these.
type (
	reference string // to a variable
	enum      string
)

// Parse reads a document and returns the operation with a name. The name may be empty
// if the document has no other operation. Fragments, directives and subscriptions are
// refused.
func Parse(document, name string) (*Operation, *Error) {
	operations, err := parse(document)
	if syntax := (*syntaxError)(nil); errors.As(err, &syntax) {
		return nil, &Error{Message: syntax.Error(), Locations: []Location{syntax.at}}
	}
	switch {
	case len(operations) == 0:
		return nil, &Error{Message: "No query string was present"}
	case name == "" && len(operations) > 1:
		return nil, &Error{Message: "An operation name is required"}
	}
	for _, o := range operations {
		if name == "" || o.name == name {
			return o, nil
		}
	}
	return nil, &Error{Message: `No operation named "` + name + `"`}
}

// parse reads a document of operations.
func parse(document string) (operations []*Operation, err error) {
	tokens, err := lex(document)
	if err != nil {
		return nil, err
	}
	p := parser{tokens: tokens}
	defer func() {
		if failed, ok := recover().(*syntaxError); ok {
			operations, err = nil, failed
		}
	}()
	for p.peek().kind != endToken {
		operations = append(operations, p.operation())
	}
	return operations, nil
}

// A parser panics with a syntaxError, which parse catches.
type parser struct {
	tokens []token
	depth  int
}

const maxDepth = 50

func (p *parser) peek() token { return p.tokens[0] }

func (p *parser) take() token {
	token := p.tokens[0]
	if token.kind != endToken {
		p.tokens = p.tokens[1:]
	}
	return token
}

// is consumes the next token if it is the mark, and reports that.
func (p *parser) is(mark string) bool {
	if t := p.peek(); t.kind != markToken || t.text != mark {
		return false
	}
	p.take()
	return true
}

func (p *parser) fail(t token) {
	problem := fmt.Sprintf("%q", t.text)
	if t.kind == endToken {
		problem = "the end of the document"
	}
	panic(&syntaxError{problem, t.at})
}

func (p *parser) must(mark string) {
	if !p.is(mark) {
		p.fail(p.peek())
	}
}

func (p *parser) name() string {
	t := p.take()
	if t.kind != nameToken {
		p.fail(t)
	}
	return t.text
}

func (p *parser) operation() *Operation {
	o := &Operation{kind: "query"}
	if t := p.peek(); t.kind == nameToken {
		if o.kind = p.name(); o.kind != "query" && o.kind != "mutation" {
			p.fail(t)
		}
		if p.peek().kind == nameToken {
			o.name = p.name()
		}
		if p.is("(") {
			for !p.is(")") {
				o.variables = append(o.variables, p.variable())
			}
		}
	}
	o.fields = p.selection()
	return o
}

func (p *parser) variable() variable {
	at := p.peek().at
	p.must("$")
	v := variable{name: p.name(), at: at}
	p.must(":")
	v.typ = p.typ()
	v.required = p.is("!")
	if p.is("=") {
		v.required = false
		v.fallback = p.value()
	}
	return v
}

func (p *parser) typ() string {
	if !p.is("[") {
		return p.name()
	}
	p.enter()
	defer p.leave()
	inner := p.typ()
	if p.is("!") {
		inner += "!"
	}
	p.must("]")
	return "[" + inner + "]"
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.peek())
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) selection() []*selection {
	p.enter()
	defer p.leave()
	p.must("{")
	fields := []*selection{p.field()}
	for !p.is("}") {
		fields = append(fields, p.field())
	}
	return fields
}

func (p *parser) field() *selection {
	f := &selection{at: p.peek().at, name: p.name()}
	f.alias = f.name
	if p.is(":") {
		f.name = p.name()
	}
	if p.is("(") {
		f.args = p.members(")")
	}
	if t := p.peek(); t.kind == markToken && t.text == "{" {
		f.fields = p.selection()
	}
	return f
}

// members reads pairs of names and values up to a closing mark.
func (p *parser) members(closing string) map[string]any {
	members := make(map[string]any)
	for !p.is(closing) {
		name := p.name()
		p.must(":")
		members[name] = p.value()
	}
	return members
}

func (p *parser) value() any {
	p.enter()
	defer p.leave()
	t := p.take()
	switch {
	case t.kind == stringToken:
		return t.text
	case t.kind == numberToken:
		return json.Number(t.text)
	case t.kind == nameToken:
		return word(t.text)
	case t.text == "$":
		return reference(p.name())
	case t.text == "{":
		return p.members("}")
	case t.text == "[":
		items := []any{}
		for !p.is("]") {
			items = append(items, p.value())
		}
		return items
	}
	p.fail(t)
	return nil
}

// word returns the value that a name stands for.
func word(name string) any {
	switch name {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return enum(name)
}
