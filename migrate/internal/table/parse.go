package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// handed begins the right side of what is moved by hand.
const handed = "by hand: "

// specials are names, only for functions, whose replacement depends on the program.
var specials = map[string]string{
	"baseURL":        "the address of the instance, without /api/v4",
	"collect":        "serviceapi.Collect around the method for all items of the list in the function",
	"context":        "the context of the call that has the option",
	"credential":     "a serviceapi.Credential, by the kind of token",
	"filter":         "a serviceapi.UserFilter",
	"filters":        "a serviceapi.UsersFilter",
	"needless":       "nothing",
	"requestOptions": "the options one by one",
	"retry":          "a part of the one serviceapi.RetryPolicy",
	"value":          "the argument itself, or new(v) where a pointer is wanted",
	"walk":           "the method for all items of the list in the function",
}

// The marks of a field without a counterpart: none if a person must look at a call that sets
// it, needless if the field can be dropped.
const (
	none     = "-"
	needless = "_"
)

// meanings are the words for fields that have the type of their counterparts, or one that is
// converted, and mean something else.
var meanings = map[string]string{
	"base64": "client-go leaves it in Base64, and it is decoded here",
	"text":   "client-go writes the names of members into it, and here it is what the service says",
	"token":  "it is the address of a page in client-go, and a token here",
}

// The marks that stand for several fields of client-go.
const (
	whole  = "*"
	others = "..."
)

// references are the names for what a parameter of type any becomes.
var references = []string{"project", "group", "user", "namespace", "label", "number", "text"}

func sides(text string) (left, right string, err error) {
	left, right, ok := strings.Cut(text, " = ")
	if !ok {
		return "", "", fmt.Errorf("no \" = \" in %q", text)
	}
	return strings.TrimSpace(left), strings.TrimSpace(right), nil
}

// parseOld reads "Jobs.GetJob(pid, id) only v1 v2".
func parseOld(text string) (name string, params []string, only []Version, err error) {
	text, versions, hasOnly := strings.Cut(text, " only ")
	name, inner, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	if !ok || !strings.HasSuffix(text, ")") {
		return "", nil, nil, fmt.Errorf("%q has no parameters in parentheses", text)
	}
	for param := range strings.SplitSeq(inner, ",") {
		if param = strings.TrimSpace(param); param == "" && inner == "" {
			break
		}
		if !isName(strings.TrimSuffix(param, "...")) || slices.Contains(params, param) {
			return "", nil, nil, fmt.Errorf("%q is not the name of one parameter", param)
		}
		params = append(params, param)
	}
	for version := range strings.FieldsSeq(versions) {
		if !slices.Contains(Versions(), Version(version)) {
			return "", nil, nil, fmt.Errorf("%q is no version", version)
		}
		only = append(only, Version(version))
	}
	if hasOnly && len(only) == 0 {
		return "", nil, nil, errors.New("only which versions?")
	}
	return name, params, only, nil
}

// parseCall reads "Jobs.Get(project(pid), id)", or why there is no call.
func parseCall(text string, params []string) (Call, error) {
	if reason, ok := strings.CutPrefix(text, handed); ok {
		if reason == "" {
			return Call{}, errors.New("by hand for what reason?")
		}
		return Call{ByHand: reason}, nil
	}
	p := &parser{rest: text, params: params}
	name := p.name(true)
	var args []Arg
	if p.skip("(") {
		args = p.arguments()
	} else {
		p.fail("no arguments in parentheses")
	}
	if p.space(); p.rest != "" {
		p.fail("text after the call: %q", p.rest)
	}
	return Call{New: name, Args: args}, p.err
}

// parseWhen reads "opt.Resolved" or "not opt.Resolved".
func parseWhen(text string, params []string) (Condition, error) {
	field, not := strings.CutPrefix(strings.TrimSpace(text), "not ")
	c := Condition{Param: before(field), Field: after(field), Not: not}
	if c.Field == "" || !slices.Contains(params, c.Param) {
		return Condition{}, fmt.Errorf("%q is not a field of a parameter", text)
	}
	return c, nil
}

// A parser reads the right side of a line. After an error it reads nothing more.
type parser struct {
	rest   string
	params []string
	err    error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.rest = ""
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " ") }

func (p *parser) skip(token string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = rest
	}
	return ok
}

// name reads a name, with dots in it if they are allowed.
func (p *parser) name(dots bool) string {
	p.space()
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && (r != '.' || !dots)
	})
	if end < 0 {
		end = len(p.rest)
	}
	name := strings.TrimSuffix(p.rest[:end], "...")
	if name == "" {
		p.fail("a name is missing before %q", p.rest)
		return ""
	}
	p.rest = p.rest[len(name):]
	p.skip("...")
	return name
}

// arguments reads what is between parentheses, after the first of them.
func (p *parser) arguments() []Arg {
	var args []Arg
	for p.err == nil && !p.skip(")") {
		if len(args) > 0 && !p.skip(",") {
			p.fail("a comma or a parenthesis is missing before %q", p.rest)
		}
		args = append(args, p.argument())
	}
	return args
}

func (p *parser) argument() Arg {
	if p.skip(`"`) {
		text, rest, ok := strings.Cut(p.rest, `"`)
		if !ok {
			p.fail("a quote is missing after %q", text)
		}
		p.rest = rest
		return Arg{Kind: Text, Name: text}
	}
	name := p.name(true)
	switch {
	case name == "options" && p.skip("("):
		return p.options(Arg{Kind: Options})
	case isExported(name) && p.isStruct():
		p.skip("(")
		return p.options(Arg{Kind: Struct, Name: name})
	case p.skip("("):
		return p.chain(p.call(name, p.arguments()))
	case p.known(before(name)):
		return Arg{Kind: Param, Param: before(name), Field: after(name)}
	case before(name) == "webhook":
	case strings.Contains(name, "."):
		p.fail("%s is not a field of a parameter", name)
	case !isExported(name):
		p.fail("%s is not a parameter", name)
	}
	return Arg{Kind: Value, Name: name}
}

func (p *parser) call(name string, args []Arg) Arg {
	arg := Arg{Kind: Make, Name: name, Args: args}
	switch {
	case slices.Contains(references, name):
		if arg.Kind = Ref; len(args) != 1 {
			p.fail("%s takes one argument", name)
		}
	case !isExported(name):
		if arg.Kind = Special; specials[name] == "" {
			p.fail("nobody knows %s", name)
		}
	}
	return arg
}

// chain reads the methods that are called on what an argument makes.
func (p *parser) chain(arg Arg) Arg {
	for p.skip(".") {
		name := p.name(false)
		if !isExported(name) || arg.Kind == Special {
			p.fail("%s is not a method of what %s makes", name, arg.Name)
		}
		if !p.skip("(") {
			p.fail("the method %s has no arguments in parentheses", name)
		}
		arg = Arg{Kind: Chain, Name: name, Args: append([]Arg{arg}, p.arguments()...)}
	}
	return arg
}

// options reads the arguments of options, after the parenthesis: a parameter, then
// fields with their arguments.
func (p *parser) options(arg Arg) Arg {
	for first := true; p.err == nil && !p.skip(")"); first = false {
		if !first && !p.skip(",") {
			p.fail("a comma or a parenthesis is missing before %q", p.rest)
		}
		name := p.name(false)
		switch {
		case p.skip(":"):
			arg.Fields = append(arg.Fields, FieldArg{Name: name, Value: p.argument()})
		case first && arg.Kind == Options && p.known(name):
			arg.Param = name
		default:
			p.fail("%s is neither a parameter nor a field", name)
		}
	}
	return arg
}

// isStruct reports whether the fields of a struct follow.
func (p *parser) isStruct() bool {
	inner, ok := strings.CutPrefix(p.rest, "(")
	if !ok {
		return false
	}
	name, _, ok := strings.Cut(inner, ":")
	return ok && isName(name)
}

func (p *parser) known(name string) bool {
	return slices.Contains(p.params, name) || slices.Contains(p.params, name+"...")
}

func isExported(name string) bool { return name != "" && unicode.IsUpper(rune(name[0])) }

// isName reports whether a text is an identifier, or some with dots between them.
func isName(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if part == "" || strings.ContainsFunc(part, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
		}) {
			return false
		}
	}
	return true
}
