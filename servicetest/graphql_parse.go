package servicetest

import (
	"encoding/json"
	"fmt"
)

// A gqlOperation is a query or mutation of a document.
type gqlOperation struct {
	kind, name string
	variables  []gqlVariable
	fields     []*gqlField
}

// A gqlVariable is the declaration of a variable.
type gqlVariable struct {
	name, typ string // the type as it is written, without a final "!"
	required  bool
	fallback  any
	at        gqlPlace
}

// A gqlField is a field that is selected, with its own selection.
type gqlField struct {
	alias, name string
	args        map[string]any
	fields      []*gqlField
	at          gqlPlace
}

// Values of arguments are nil, bool, string, json.Number, []any,
// map[string]any, and these two.
type (
	gqlReference string // to a variable
	gqlEnum      string
)

// parseGraphQL reads a document of operations. Fragments, directives and
// subscriptions are not part of it.
func parseGraphQL(document string) (operations []*gqlOperation, err error) {
	tokens, err := lexGraphQL(document)
	if err != nil {
		return nil, err
	}
	p := gqlParser{tokens: tokens}
	defer func() {
		if failed, ok := recover().(*gqlSyntaxError); ok {
			operations, err = nil, failed
		}
	}()
	for p.peek().kind != gqlEnd {
		operations = append(operations, p.operation())
	}
	return operations, nil
}

// A gqlParser panics with a gqlSyntaxError, which parseGraphQL catches.
type gqlParser struct {
	tokens []gqlToken
	depth  int
}

const maxGraphQLDepth = 50

func (p *gqlParser) peek() gqlToken { return p.tokens[0] }

func (p *gqlParser) take() gqlToken {
	token := p.tokens[0]
	if token.kind != gqlEnd {
		p.tokens = p.tokens[1:]
	}
	return token
}

// is takes the next token if it is this mark.
func (p *gqlParser) is(mark string) bool {
	if t := p.peek(); t.kind != gqlMark || t.text != mark {
		return false
	}
	p.take()
	return true
}

func (p *gqlParser) fail(t gqlToken) {
	problem := fmt.Sprintf("%q", t.text)
	if t.kind == gqlEnd {
		problem = "the end of the document"
	}
	panic(&gqlSyntaxError{problem, t.at})
}

func (p *gqlParser) must(mark string) {
	if !p.is(mark) {
		p.fail(p.peek())
	}
}

func (p *gqlParser) name() string {
	t := p.take()
	if t.kind != gqlName {
		p.fail(t)
	}
	return t.text
}

func (p *gqlParser) operation() *gqlOperation {
	o := &gqlOperation{kind: "query"}
	if t := p.peek(); t.kind == gqlName {
		if o.kind = p.name(); o.kind != "query" && o.kind != "mutation" {
			p.fail(t)
		}
		if p.peek().kind == gqlName {
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

func (p *gqlParser) variable() gqlVariable {
	at := p.peek().at
	p.must("$")
	v := gqlVariable{name: p.name(), at: at}
	p.must(":")
	v.typ = p.typ()
	v.required = p.is("!")
	if p.is("=") {
		v.required = false
		v.fallback = p.value()
	}
	return v
}

func (p *gqlParser) typ() string {
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

func (p *gqlParser) enter() {
	if p.depth++; p.depth > maxGraphQLDepth {
		p.fail(p.peek())
	}
}

func (p *gqlParser) leave() { p.depth-- }

func (p *gqlParser) selection() []*gqlField {
	p.enter()
	defer p.leave()
	p.must("{")
	fields := []*gqlField{p.field()}
	for !p.is("}") {
		fields = append(fields, p.field())
	}
	return fields
}

func (p *gqlParser) field() *gqlField {
	f := &gqlField{at: p.peek().at, name: p.name()}
	f.alias = f.name
	if p.is(":") {
		f.name = p.name()
	}
	if p.is("(") {
		f.args = p.members(")")
	}
	if t := p.peek(); t.kind == gqlMark && t.text == "{" {
		f.fields = p.selection()
	}
	return f
}

// members reads names with values up to a closing mark.
func (p *gqlParser) members(closing string) map[string]any {
	members := make(map[string]any)
	for !p.is(closing) {
		name := p.name()
		p.must(":")
		members[name] = p.value()
	}
	return members
}

func (p *gqlParser) value() any {
	p.enter()
	defer p.leave()
	t := p.take()
	switch {
	case t.kind == gqlText:
		return t.text
	case t.kind == gqlNumber:
		return json.Number(t.text)
	case t.kind == gqlName:
		return gqlWord(t.text)
	case t.text == "$":
		return gqlReference(p.name())
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

// gqlWord is the value that a name stands for.
func gqlWord(name string) any {
	switch name {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	return gqlEnum(name)
}
