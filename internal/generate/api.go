package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

// listAPI returns the api.txt of a package: every exported identifier, so that a change of the
// API is seen in review. It has whatever a program can see: the types of constants and
// variables, the methods that an embedded type brings, the names of fields in JSON and in
// queries, the owners that a field of options is limited to, the fields that are sent even if
// they are zero or must not be, and the types that implement an interface which only its
// package can implement. The command in migrate/ knows the library from nothing else.
func listAPI(pkg *types.Package, source *inventory.Source) string {
	lister := &apiLister{pkg: pkg, source: source, inRequests: typesInRequests(source)}
	return strings.Join(lister.lines(), "\n") + "\n"
}

// typesInRequests returns the structs that options consist of.
func typesInRequests(s *inventory.Source) map[string]bool {
	found := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if s.Structs[name] == nil || found[name] {
			return
		}
		found[name] = true
		for _, field := range s.Structs[name].Fields.List {
			ast.Inspect(field.Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					add(id.Name)
				}
				return true
			})
		}
	}
	for name := range s.Structs {
		if strings.HasSuffix(name, "Options") && ast.IsExported(name) {
			add(name)
		}
	}
	return found
}

// An apiLister lists the API of a package. Most lines are the source as it is written; what
// that does not say comes from the types.
type apiLister struct {
	pkg        *types.Package
	source     *inventory.Source
	inRequests map[string]bool
}

func (l *apiLister) lines() []string {
	var lines []string
	for _, file := range l.source.Files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if ast.IsExported(d.Name.Name) && (d.Recv == nil || ast.IsExported(inventory.Receiver(d))) {
					lines = append(lines, sourceText(&ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type}))
				}
			case *ast.GenDecl:
				lines = append(lines, l.specs(d)...)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func (l *apiLister) specs(d *ast.GenDecl) (lines []string) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			for i, name := range s.Names {
				if ast.IsExported(name.Name) {
					lines = append(lines, d.Tok.String()+" "+name.Name+l.typeOf(name.Name)+constantValue(d, s, i))
				}
			}
		case *ast.TypeSpec:
			if ast.IsExported(s.Name.Name) {
				lines = append(lines, l.exportedType(s)...)
			}
		}
	}
	return lines
}

// typeOf returns the type of a variable or a constant, with a space before it, or "" if the
// constant has none.
func (l *apiLister) typeOf(name string) string {
	typ := l.pkg.Scope().Lookup(name).Type()
	if basic, ok := typ.(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
		return ""
	}
	return " " + l.text(typ)
}

// text prints a type as the source of the package would name it.
func (l *apiLister) text(typ types.Type) string {
	return types.TypeString(typ, func(other *types.Package) string {
		if other == l.pkg {
			return ""
		}
		return other.Name()
	})
}

// constantValue returns the value of a constant, such as ` = "failed"`: it is a part of
// the API that is written nowhere else.
func constantValue(d *ast.GenDecl, s *ast.ValueSpec, i int) string {
	if d.Tok != token.CONST || i >= len(s.Values) {
		return ""
	}
	return " = " + sourceText(s.Values[i])
}

// nameOnWire returns the name of a field in JSON or in a query.
func nameOnWire(field *ast.Field) string {
	if name := cmp.Or(inventory.TagName(field, "json"), inventory.TagName(field, "url")); name != "" {
		return ", as " + name
	}
	return ""
}

// onlyFor returns which owners take a field of options, if not all do.
func onlyFor(field *ast.Field) string {
	if only := inventory.Tag(field, "only"); only != "" {
		return ", only for " + only
	}
	return ""
}

// sentAlways says of a field of options that its zero value is sent, too. Of a struct in a
// query, the members say it.
func sentAlways(field *ast.Field, structs map[string]bool) string {
	inBody, inQuery, kind := inventory.Tag(field, "json"), inventory.Tag(field, "url"), inventory.TypeText(field.Type)
	switch {
	case inBody != "" && inBody != "-":
		if strings.Contains(inBody, ",omitzero") || strings.HasPrefix(inBody, ",") {
			return ""
		}
	case inQuery == "", inQuery == "-", strings.Contains(inQuery, ",omitempty"):
		return ""
	case strings.HasPrefix(kind, "*"), structs[kind] && kind != "Upload":
		return ""
	}
	return ", always sent"
}

func (l *apiLister) exportedType(s *ast.TypeSpec) []string {
	head := "type " + s.Name.Name
	if named, ok := l.pkg.Scope().Lookup(s.Name.Name).Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
		params := []string{}
		for param := range named.TypeParams().TypeParams() {
			params = append(params, param.Obj().Name()+" "+l.text(param.Constraint()))
		}
		head += "[" + strings.Join(params, ", ") + "]"
	}
	switch typ := s.Type.(type) {
	case *ast.StructType:
		lines := []string{head + " struct"}
		for _, field := range typ.Fields.List {
			if len(field.Names) == 0 {
				lines = append(lines, l.embedded(s.Name.Name, head, field)...)
			}
			for _, name := range field.Names {
				if ast.IsExported(name.Name) {
					line := head + " struct, " + name.Name + " " + sourceText(field.Type) + nameOnWire(field) +
						onlyFor(field)
					if l.inRequests[s.Name.Name] {
						line += sentAlways(field, l.inRequests)
					}
					if inventory.Tag(field, "required") != "" {
						line += ", required"
					}
					lines = append(lines, line)
				}
			}
		}
		return lines
	case *ast.InterfaceType:
		return append([]string{head + " interface"}, l.interfaceLines(s.Name.Name, head)...)
	}
	return []string{head + " " + sourceText(s.Type)}
}

// embedded returns the lines of a field that a struct embeds: the field, or the exported
// methods and fields that a type of the package alone brings.
func (l *apiLister) embedded(name, head string, field *ast.Field) (lines []string) {
	if text := strings.TrimPrefix(sourceText(field.Type), "*"); ast.IsExported(text) || strings.Contains(text, ".") {
		return []string{head + " struct, embeds " + sourceText(field.Type)}
	}
	typ := l.pkg.Scope().Lookup(name).Type()
	own := types.NewMethodSet(typ)
	for method := range types.NewMethodSet(types.NewPointer(typ)).Methods() {
		if !method.Obj().Exported() || len(method.Index()) == 1 {
			continue
		}
		star := "*"
		if own.Lookup(l.pkg, method.Obj().Name()) != nil {
			star = ""
		}
		signature := strings.TrimPrefix(l.text(method.Type()), "func")
		lines = append(lines, "func ("+star+name+") "+method.Obj().Name()+signature)
	}
	return lines
}

// interfaceLines returns the methods of an interface, what it embeds, and the types that
// implement it if others cannot.
func (l *apiLister) interfaceLines(name, head string) (lines []string) {
	typ := l.pkg.Scope().Lookup(name).Type().Underlying().(*types.Interface)
	for method := range typ.ExplicitMethods() {
		if method.Exported() {
			signature := strings.TrimPrefix(l.text(method.Type()), "func")
			lines = append(lines, head+" interface, "+method.Name()+signature)
		}
	}
	for other := range typ.EmbeddedTypes() {
		lines = append(lines, head+" interface, "+l.text(other))
	}
	sealed := false
	for method := range typ.Methods() {
		sealed = sealed || !method.Exported()
	}
	if sealed {
		lines = append(lines, head+" interface, implemented by "+cmp.Or(l.implementing(typ), "unexported types"))
	}
	return lines
}

// implementing returns the exported types that implement an interface.
func (l *apiLister) implementing(typ *types.Interface) string {
	var names []string
	for _, name := range l.pkg.Scope().Names() {
		other, isType := l.pkg.Scope().Lookup(name).(*types.TypeName)
		if !isType || !other.Exported() || types.IsInterface(other.Type()) {
			continue
		}
		switch {
		case types.Implements(other.Type(), typ):
			names = append(names, name)
		case types.Implements(types.NewPointer(other.Type()), typ):
			names = append(names, "*"+name)
		}
	}
	return strings.Join(names, ", ")
}

// sourceText prints a node on one line.
func sourceText(node any) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
