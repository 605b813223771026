package graphql

import (
	"fmt"
	"maps"
	"slices"
)

func (x *execution[C]) refuse(at Location, extensions map[string]any, format string, args ...any) {
	x.errors = append(x.errors, Error{Message: fmt.Sprintf(format, args...), Locations: []Location{at},
		Extensions: extensions})
}

// validate checks a selection against its type, before anything is executed.
func (x *execution[C]) validate(typ *Type[C], fields []*selection) {
	aliases := make(map[string]bool)
	for _, f := range fields {
		if aliases[f.alias] {
			x.refuse(f.at, map[string]any{"code": "fieldConflict"},
				"Field '%s' is selected twice; give one of them an alias", f.alias)
		}
		aliases[f.alias] = true
		if f.name == "__typename" {
			continue
		}
		d := typ.Fields[f.name]
		if d == nil {
			x.refuse(f.at, map[string]any{"code": "undefinedField", "typeName": typ.Name, "fieldName": f.name},
				"Field '%s' doesn't exist on type '%s'", f.name, typ.Name)
			continue
		}
		x.validateArgs(typ, f, d)
		x.validateObject(f, d)
	}
}

// validateObject checks that objects have a selection, and that scalars have none.
func (x *execution[C]) validateObject(f *selection, d *Field[C]) {
	mismatch := map[string]any{"code": "selectionMismatch", "nodeName": f.name}
	switch {
	case d.Type != nil && f.fields == nil:
		x.refuse(f.at, mismatch, "Field '%s' must have selections, as it returns the object type %s", f.name,
			d.Type.Name)
	case d.Type == nil && f.fields != nil:
		x.refuse(f.at, mismatch, "Selections can't be made on '%s', which returns a scalar", f.name)
	case d.Type != nil:
		x.validate(d.Type, f.fields)
	}
}

func (x *execution[C]) validateArgs(typ *Type[C], f *selection, d *Field[C]) {
	for _, name := range slices.Sorted(maps.Keys(f.args)) {
		if _, known := d.Args[name]; !known {
			x.refuse(f.at, map[string]any{"code": "argumentNotAccepted", "name": f.name, "argumentName": name},
				"Field '%s' doesn't accept argument '%s'", f.name, name)
		}
		x.validateReferences(f.args[name], f.at)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Args)) {
		if t := d.Args[name]; t[len(t)-1] == '!' && f.args[name] == nil {
			x.refuse(f.at, map[string]any{"code": "missingRequiredArguments", "className": typ.Name, "name": f.name,
				"arguments": name},
				"Field '%s' is missing required arguments: %s", f.name, name)
		}
	}
}

func (x *execution[C]) validateReferences(value any, at Location) {
	switch v := value.(type) {
	case reference:
		declared := slices.ContainsFunc(x.operation.variables, func(d variable) bool { return d.name == string(v) })
		if !declared {
			x.refuse(at, map[string]any{"code": "variableNotDefined", "variableName": string(v)},
				"Variable $%s is used but not declared", v)
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
