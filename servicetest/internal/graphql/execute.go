package graphql

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A Response is the response to an operation. Data is absent where nothing was
// executed.
type Response struct {
	Data   *Data   `json:"data,omitempty"`
	Errors []Error `json:"errors,omitempty"`
}

// An Error is one error of a response.
type Error struct {
	Message    string         `json:"message"`
	Locations  []Location     `json:"locations,omitempty"`
	Path       []any          `json:"path,omitempty"`
	Extensions map[string]any `json:"extensions,omitempty"`
}

// Execute carries out an operation, unless it does not match the schema. Numbers in
// variables must have the type json.Number. A field that fails is null, and the
// response has its error and the rest of the data.
func (s *Schema[C]) Execute(c C, o *Operation, variables map[string]any) Response {
	x := &execution[C]{schema: s, context: c, operation: o}
	root := s.Query
	if o.IsMutation() {
		root = s.Mutation
	}
	x.coerce(variables)
	x.validate(root, o.fields)
	x.limit(root)
	if len(x.errors) > 0 {
		return Response{Errors: x.errors}
	}
	data := x.run(root, nil, o.fields, nil)
	return Response{&data, x.errors}
}

// An execution executes one operation.
type execution[C any] struct {
	schema    *Schema[C]
	context   C
	operation *Operation
	variables map[string]any
	errors    []Error
}

// coerce sets the variables, and adds their problems to errors.
func (x *execution[C]) coerce(given map[string]any) {
	x.variables = make(map[string]any)
	for _, v := range x.operation.variables {
		value, ok := given[v.name]
		if !ok {
			value = v.fallback
		}
		if value == nil && v.required {
			x.refuse(v.at, map[string]any{"value": nil}, "Variable $%s of type %s! was provided invalid value", v.name,
				v.typ)
		}
		x.variables[v.name] = value
	}
}

// plain replaces references with their values, and enumeration values with
// strings.
func (x *execution[C]) plain(value any) any {
	switch v := value.(type) {
	case reference:
		return x.variables[string(v)]
	case enum:
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

// run executes a selection on an object. A field that fails is null, and its error is
// added.
func (x *execution[C]) run(typ *Type[C], of any, fields []*selection, path []any) Data {
	made := Data{}
	for _, f := range fields {
		made = append(made, member{f.alias, x.field(typ, of, f, append(slices.Clip(path), f.alias))})
	}
	return made
}

func (x *execution[C]) field(typ *Type[C], of any, f *selection, path []any) any {
	if f.name == "__typename" {
		return typ.Name
	}
	d := typ.Fields[f.name]
	value, err := x.resolve(typ, d, of, f)
	if err != nil {
		x.errors = append(x.errors, Error{Message: err.Error(), Locations: []Location{f.at}, Path: path})
		return nil
	}
	if d.Type == nil || value == nil {
		return value
	}
	items, isList := value.([]any)
	if !isList {
		return x.run(d.Type, value, f.fields, path)
	}
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = x.run(d.Type, item, f.fields, append(slices.Clip(path), i))
	}
	return list
}

func (x *execution[C]) resolve(typ *Type[C], d *Field[C], of any, f *selection) (any, error) {
	if x.schema.Before != nil {
		if err := x.schema.Before(x.context, typ.Name+"."+f.name); err != nil {
			return nil, err
		}
	}
	args := make(Args, len(f.args))
	for name, value := range f.args {
		args[name] = x.plain(value)
	}
	return d.Resolve(x.context, of, args)
}

// Data is an object in a response. Its members keep the order of the selection.
type Data []member

type member struct {
	name  string
	value any
}

// MarshalJSON encodes the members in their order.
func (d Data) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range d {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
