package servicetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// A gqlType is an object type of the schema.
type gqlType struct {
	name   string
	fields map[string]*gqlDefinition
}

// A gqlDefinition is a field of an object type. Every field can be null.
type gqlDefinition struct {
	typ     *gqlType          // nil for scalars and enumerations
	args    map[string]string // types by name, with "!" where required
	resolve func(x *gqlExecution, of any, args gqlArgs) (any, error)
}

// A gqlError is one error of a response.
type gqlError struct {
	Message    string     `json:"message"`
	Locations  []gqlPlace `json:"locations,omitempty"`
	Path       []any      `json:"path,omitempty"`
	Extensions object     `json:"extensions,omitempty"`
}

// A gqlExecution carries out one operation.
type gqlExecution struct {
	c         *call
	operation *gqlOperation
	variables map[string]any
	errors    []gqlError
}

func (x *gqlExecution) refuse(at gqlPlace, extensions object, format string, args ...any) {
	x.errors = append(x.errors, gqlError{Message: fmt.Sprintf(format, args...), Locations: []gqlPlace{at}, Extensions: extensions})
}

// coerce fills in the variables; what is wrong with them goes to errors.
func (x *gqlExecution) coerce(given map[string]any) {
	x.variables = make(map[string]any)
	for _, v := range x.operation.variables {
		value, ok := given[v.name]
		if !ok {
			value = v.fallback
		}
		if value == nil && v.required {
			x.refuse(v.at, object{"value": nil}, "Variable $%s of type %s! was provided invalid value", v.name, v.typ)
		}
		x.variables[v.name] = value
	}
}

// validate checks a selection against its type, before anything is executed.
func (x *gqlExecution) validate(typ *gqlType, fields []*gqlField) {
	aliases := make(map[string]bool)
	for _, f := range fields {
		if aliases[f.alias] {
			x.refuse(f.at, object{"code": "fieldConflict"}, "Field '%s' is selected twice; give one of them an alias", f.alias)
		}
		aliases[f.alias] = true
		if f.name == "__typename" {
			continue
		}
		d := typ.fields[f.name]
		if d == nil {
			x.refuse(f.at, object{"code": "undefinedField", "typeName": typ.name, "fieldName": f.name},
				"Field '%s' doesn't exist on type '%s'", f.name, typ.name)
			continue
		}
		x.validateArgs(typ, f, d)
		switch {
		case d.typ != nil && f.fields == nil:
			x.refuse(f.at, object{"code": "selectionMismatch", "nodeName": f.name},
				"Field '%s' must have selections, as it returns the object type %s", f.name, d.typ.name)
		case d.typ == nil && f.fields != nil:
			x.refuse(f.at, object{"code": "selectionMismatch", "nodeName": f.name},
				"Selections can't be made on '%s', which returns a scalar", f.name)
		case d.typ != nil:
			x.validate(d.typ, f.fields)
		}
	}
}

func (x *gqlExecution) validateArgs(typ *gqlType, f *gqlField, d *gqlDefinition) {
	for _, name := range slices.Sorted(maps.Keys(f.args)) {
		if _, known := d.args[name]; !known {
			x.refuse(f.at, object{"code": "argumentNotAccepted", "name": f.name, "argumentName": name},
				"Field '%s' doesn't accept argument '%s'", f.name, name)
		}
		x.validateReferences(f.args[name], f.at)
	}
	for _, name := range slices.Sorted(maps.Keys(d.args)) {
		if t := d.args[name]; t[len(t)-1] == '!' && f.args[name] == nil {
			x.refuse(f.at, object{"code": "missingRequiredArguments", "className": typ.name, "name": f.name, "arguments": name},
				"Field '%s' is missing required arguments: %s", f.name, name)
		}
	}
}

func (x *gqlExecution) validateReferences(value any, at gqlPlace) {
	switch v := value.(type) {
	case gqlReference:
		declared := slices.ContainsFunc(x.operation.variables, func(d gqlVariable) bool { return d.name == string(v) })
		if !declared {
			x.refuse(at, object{"code": "variableNotDefined", "variableName": string(v)}, "Variable $%s is used but not declared", v)
		}
	case []any:
		for _, item := range v {
			x.validateReferences(item, at)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			x.validateReferences(v[name], at)
		}
	}
}

// plain replaces references by their values, and enumeration values by texts.
func (x *gqlExecution) plain(value any) any {
	switch v := value.(type) {
	case gqlReference:
		return x.variables[string(v)]
	case gqlEnum:
		return string(v)
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = x.plain(item)
		}
		return items
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, member := range v {
			members[name] = x.plain(member)
		}
		return members
	}
	return value
}

// gqlArgs are the arguments of a field.
type gqlArgs map[string]any

// A gqlFailure is why a field is null, as the response says it.
type gqlFailure string

func (f gqlFailure) Error() string { return string(f) }

func invalidArgument(name string) error {
	return gqlFailure("Argument '" + name + "' has an invalid value")
}

// text returns an argument of type ID, String or an enumeration.
func (a gqlArgs) text(name string) (string, error) {
	text, ok := scalar(a[name])
	if !ok {
		return "", invalidArgument(name)
	}
	return text, nil
}

// number returns an argument of type Int.
func (a gqlArgs) number(name string, fallback int) (int, error) {
	if a[name] == nil {
		return fallback, nil
	}
	number, ok := a[name].(json.Number)
	n, err := strconv.Atoi(number.String())
	if !ok || err != nil || n < 0 {
		return 0, invalidArgument(name)
	}
	return n, nil
}

// gqlObject is an object whose members keep the order of the selection.
type gqlObject []gqlMember

type gqlMember struct {
	name  string
	value any
}

// MarshalJSON encodes the members in their order.
func (o gqlObject) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(m.name))
		b.WriteByte(':')
		b.Write(encode(m.value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// run executes a selection on an object. A field that fails is null, and its
// error is kept.
func (x *gqlExecution) run(typ *gqlType, of any, fields []*gqlField, path []any) gqlObject {
	made := gqlObject{}
	for _, f := range fields {
		made = append(made, gqlMember{f.alias, x.field(typ, of, f, append(slices.Clip(path), f.alias))})
	}
	return made
}

func (x *gqlExecution) field(typ *gqlType, of any, f *gqlField, path []any) any {
	if f.name == "__typename" {
		return typ.name
	}
	d := typ.fields[f.name]
	args := make(gqlArgs, len(f.args))
	for name, value := range f.args {
		args[name] = x.plain(value)
	}
	value, err := x.resolve(typ, d, of, f, args)
	if err != nil {
		x.errors = append(x.errors, gqlError{Message: err.Error(), Locations: []gqlPlace{f.at}, Path: path})
		return nil
	}
	if d.typ == nil || value == nil {
		return value
	}
	items, isList := value.([]any)
	if !isList {
		return x.run(d.typ, value, f.fields, path)
	}
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = x.run(d.typ, item, f.fields, append(slices.Clip(path), i))
	}
	return list
}

// resolve returns the value of a field, unless it was told to fail.
func (x *gqlExecution) resolve(typ *gqlType, d *gqlDefinition, of any, f *gqlField, args gqlArgs) (any, error) {
	if message := state[graphQLState](x.c.svc).failing[typ.name+"."+f.name]; message != "" {
		return nil, gqlFailure(message)
	}
	return d.resolve(x, of, args)
}
