package main

import (
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"
)

// tagBreak changes the tag of a field in the running program: types are fixed when it is
// compiled.
type tagBreak struct {
	typ, field string
	// old is the part of the tag that is replaced, by a text of the same length.
	old, new string
}

// tags finds the breaks of struct tags: of types of the package, and of fields with a tag.
func (f *finder) tags() {
	for _, d := range f.syntax.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			t := spec.(*ast.TypeSpec)
			s, ok := t.Type.(*ast.StructType)
			if !ok || t.TypeParams != nil || t.Assign.IsValid() {
				continue
			}
			for _, field := range s.Fields.List {
				if len(field.Names) == 1 && field.Tag != nil && strings.HasPrefix(field.Tag.Value, "`") {
					f.tag(t.Name.Name, field)
				}
			}
		}
	}
}

func (f *finder) tag(typ string, field *ast.Field) {
	value := strings.Trim(field.Tag.Value, "`")
	for _, pair := range pairs(value) {
		if pair.key != "json" && pair.key != "url" {
			f.addTag(tagOption, typ, field, pair.text, "x"+pair.text[1:])
			continue
		}
		name, options, _ := strings.Cut(pair.value, ",")
		if len(name) > 1 {
			at := pair.key + `:"` + name
			f.addTag(tagName, typ, field, at, at[:len(at)-1]+"_")
		}
		if options == "" {
			continue
		}
		for option := range strings.SplitSeq(options, ",") {
			f.addTag(tagOption, typ, field, ","+option, ","+strings.Repeat("x", len(option)))
		}
	}
}

func (f *finder) addTag(kind, typ string, field *ast.Field, old, changed string) {
	end := field.Tag.End() - 1
	f.add(kind, field, typ+"."+field.Names[0].Name+" "+old, f.replaced(end, end, ` breaks:"#"`))
	b := f.found[len(f.found)-1]
	b.anywhere, b.tag = true, &tagBreak{typ: typ, field: field.Names[0].Name, old: old, new: changed}
}

// pair is a key of a tag with its value, and both as they are written.
type pair struct{ key, value, text string }

func pairs(tag string) (all []pair) {
	for rest := strings.TrimSpace(tag); rest != ""; rest = strings.TrimSpace(rest) {
		key, _, ok := strings.Cut(rest, ":")
		if !ok {
			return all
		}
		value, ok := reflect.StructTag(rest).Lookup(key)
		if !ok {
			return all
		}
		text := key + ":" + strconv.Quote(value)
		if !strings.HasPrefix(rest, text) {
			return all
		}
		all = append(all, pair{key, value, text})
		rest = rest[len(text):]
	}
	return all
}
