package move

import (
	"cmp"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// helper returns a helper. The name of a helper that unwraps a result has three words:
// the function, the field and the type of the field.
func (p *program) helper(name string) helper {
	parts := strings.Fields(name)
	if len(parts) == 2 {
		h := errorHelpers[parts[0]]
		h.imports = append([]string{parts[1]}, h.imports...)
		return h
	}
	if len(parts) != 3 {
		h := helpers[name]
		if name == "errorText" && p.old.only(table.X) {
			h.text = strings.Replace(h.text, escapedPath, plainPath, 1)
		}
		if name == "clientOption" {
			h = p.optionsHelper()
		}
		if name == "withContext" && p.functions {
			h.text = strings.Replace(h.text, withoutContexts, withFunctions, 1)
		}
		return h
	}
	switch parts[0] {
	case wideScope:
		return p.wideHelper(parts[1], parts[2])
	case "copy":
		return p.copier(parts[1], parts[2])
	case "level":
		return p.leveler(parts[1], parts[2])
	}
	return helper{imports: []string{lib}, text: strings.NewReplacer("NAME", parts[0], "FIELD", parts[1],
		"TYPE", parts[2], "RESULT", strings.TrimPrefix(parts[0], "unwrap")).Replace(`
// NAME returns what was created, without what else the service says about it.
func NAME(r *serviceapi.RESULT, resp *serviceapi.Response, err error) (TYPE, *serviceapi.Response, error) {
	if r == nil {
		return nil, resp, err
	}
	return r.FIELD, resp, err
}`)}
}

// The text of an error has the path of the request as it is sent, or without its escapes in releases
// under the older module path.
const (
	escapedPath = `address = u.Scheme + "://" + u.Host + u.RawPath
			if u.RawPath == "" {
				address += u.Path
			}`
	plainPath = `path, _ := url.QueryUnescape(u.Path)
			address = u.Scheme + "://" + u.Host + path`
)

// What callOptions does with each option, also where some are functions.
const (
	withoutContexts = `		if _, ok := option.(interface{ CallContext() context.Context }); !ok {
			others = append(others, option)
		}
`
	withFunctions = `		switch option := option.(type) {
		case interface{ CallContext() context.Context }:
		case interface {
			CallOptions() []serviceapi.RequestOption
		}:
			others = append(others, option.CallOptions()...)
		default:
			others = append(others, option)
		}
`
)

// leveler returns the helper that returns the smaller level in a larger one.
func (p *program) leveler(from, to string) helper {
	return helper{imports: []string{lib}, text: strings.NewReplacer("NAME", copierName(from, to), "FROM", from,
		"TO", to, "FIELD", levelField(p.newType(from), p.newType(to))).Replace(`
// NAME returns the TO in *v, or nil if v is nil.
func NAME(v *serviceapi.FROM) *serviceapi.TO {
	if v == nil {
		return nil
	}
	return &v.FIELD
}`)}
}

// copier returns the helper that copies the fields that two types share.
func (p *program) copier(from, to string) helper {
	a, b := p.newType(from), p.newType(to)
	var imports []string
	for _, name := range []string{from, to} {
		if strings.HasPrefix(name, "webhook.") {
			imports = append(imports, webhookLib)
		} else {
			imports = append(imports, lib)
		}
	}
	var fields strings.Builder
	for _, text := range sharedFields(a, b) {
		fields.WriteString("\t\t" + text + ",\n")
	}
	var needs []string
	if strings.Contains(fields.String(), "valueOf(") {
		needs = []string{"valueOf"}
	}
	names := strings.NewReplacer("NAME", copierName(from, to), "FROM", qualified(from), "TO", qualified(to),
		"FIELDS", fields.String())
	return helper{imports: imports, needs: needs, text: names.Replace(`
// NAME copies the fields that both have.
func NAME(v FROM) TO {
	return TO{
FIELDS	}
}`)}
}

// sharedFields returns elements of a literal for the fields that two structs have with the same
// type.
func sharedFields(a, b *types.Named) []string {
	if a == nil || b == nil {
		return nil
	}
	from, ok := a.Underlying().(*types.Struct)
	to, isStruct := b.Underlying().(*types.Struct)
	if !ok || !isStruct {
		return nil
	}
	var texts []string
	for f := range to.Fields() {
		level := structOf(f.Type())
		other := cmp.Or(structField(from, f.Name()), fieldIn(from, f.Name()))
		switch {
		case other != nil && types.Identical(other.Type(), f.Type()):
			texts = append(texts, f.Name()+": v."+f.Name())
		case other != nil && pointsTo(f.Type(), other.Type()):
			texts = append(texts, f.Name()+": new(v."+f.Name()+")")
		case other != nil && pointsTo(other.Type(), f.Type()):
			texts = append(texts, f.Name()+": valueOf(v."+f.Name()+")")
		case levelIn(f) == nil:
		case level == a:
			texts = append(texts, f.Name()+": v")
		default:
			if inner := sharedFields(a, level); len(inner) > 0 {
				texts = append(texts, f.Name()+": "+qualified(f.Name())+"{"+strings.Join(inner, ", ")+"}")
			}
		}
	}
	return texts
}

// canCopy reports whether one struct can be copied to another without losing a field
// that both have. Both must be counterparts of one type of client-go.
func (m *mapping) canCopy(a, b *types.Named) bool {
	if !m.related(m.p.nameOf(a), m.p.nameOf(b)) || m.losesFields(a, b) {
		return false
	}
	from, ok := a.Underlying().(*types.Struct)
	to, isStruct := b.Underlying().(*types.Struct)
	if !ok || !isStruct {
		return false
	}
	for _, f := range allFields(from) {
		other := fieldIn(to, f.Name())
		switch {
		case other == nil, types.Identical(other.Type(), f.Type()), pointsTo(other.Type(), f.Type()):
		case pointsTo(f.Type(), other.Type()) && !m.isRead(a, b, f.Name()): // nothing sees the zero value for nil
		default:
			return false
		}
	}
	return len(sharedFields(a, b)) > 0
}

// pointsTo reports whether a type is a pointer to another one.
func pointsTo(pointer, t types.Type) bool {
	p, ok := types.Unalias(pointer).(*types.Pointer)
	return ok && types.Identical(p.Elem(), t)
}

// isRead reports whether the program reads a field of a type of client-go that has two counterparts.
func (m *mapping) isRead(a, b *types.Named, field string) bool {
	for old, names := range m.derived {
		if names[m.p.nameOf(a)] > 0 && names[m.p.nameOf(b)] > 0 && m.p.reads[fieldName{old, field}] {
			return true
		}
	}
	return false
}

// losesFields reports whether a type of client-go has fields that its counterpart a has, and its
// counterpart b has not, and that the program reads: a copy would lose them.
func (m *mapping) losesFields(a, b *types.Named) bool {
	from, to := fieldsOf(a), fieldsOf(b)
	if from == nil || to == nil {
		return true
	}
	nameA, nameB := m.p.nameOf(a), m.p.nameOf(b)
	for old, names := range m.derived {
		if names[nameA] == 0 || names[nameB] == 0 {
			continue
		}
		for path := range m.p.old.versions {
			obj := m.p.all[path].Scope().Lookup(old)
			if obj == nil || fieldsOf(obj.Type()) == nil {
				continue
			}
			fields := fieldsOf(obj.Type())
			for i := range fields.NumFields() {
				name, wire := fields.Field(i).Name(), wireName(fields.Tag(i))
				options := isOption(namedOf(obj.Type()))
				if options && m.needless(old, nameB, name) || !options && !m.p.reads[fieldName{old, name}] {
					continue
				}
				if m.field(old, nameA, name, wire, from) != nil && m.field(old, nameB, name, wire, to) == nil {
					return true
				}
			}
		}
	}
	return false
}

// copierName returns the name of the helper that copies one type to another.
func copierName(from, to string) string {
	from, to = from[strings.LastIndexByte(from, '.')+1:], to[strings.LastIndexByte(to, '.')+1:]
	return strings.ToLower(from[:1]) + from[1:] + "As" + to
}

// helperText returns the text of a file of helpers, both of an earlier run and new.
func (p *program) helperText(h *helperFile) string {
	all := map[string]bool{}
	imports := map[string]bool{}
	var names []string
	var add func(name string)
	add = func(name string) {
		if all[name] {
			return
		}
		names = append(names, declared(p.helper(name).text)...)
		if h.has(p.helper(name)) {
			return
		}
		all[name] = true
		for _, path := range p.helper(name).imports {
			imports[path] = true
		}
		for _, need := range p.helper(name).needs {
			add(need)
		}
	}
	for name := range h.names {
		add(name)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.WriteString(p.helper(name).text + "\n")
	}
	body := h.renamed(b.String(), names)
	paths := map[string]bool{}
	for path := range imports {
		if path == webhookLib && h.taken {
			body = strings.ReplaceAll(body, "webhook.", "servicehook.")
			paths[webhookImport+`"`] = true
			continue
		}
		if oldPath(path) {
			paths[`gitlab "`+path+`"`] = true
			continue
		}
		if name := path[strings.LastIndexByte(path, '/')+1:]; h.pack.declares(name) {
			body = renamedPackage(body, name)
			paths[packagePrefix+name+` "`+path+`"`] = true
			continue
		}
		paths[`"`+path+`"`] = true
	}
	if earlier := h.earlier(); earlier != nil {
		if len(all) == 0 {
			return string(earlier.text)
		}
		for _, spec := range earlier.syntax.Imports {
			paths[specText(spec)] = true
		}
		body = string(earlier.text[bodyOffset(p.fset, earlier.syntax):]) + body
	}
	text := "package " + h.pack.name() + "\n" + importText(paths) + body
	formatted, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	return string(formatted)
}

// packagePrefix begins the name of an imported package in a file of helpers, where the program has
// something else of the name of the package.
const packagePrefix = "go"

// renamedPackage changes the name of an imported package in the text of helpers.
func renamedPackage(text, name string) string {
	qualifier := regexp.MustCompile(`(^|[^.\w])` + regexp.QuoteMeta(name) + `\.`)
	return qualifier.ReplaceAllString(text, "${1}"+packagePrefix+name+".")
}

// importText renders the imports of a file of helpers, with the standard library first.
func importText(paths map[string]bool) string {
	if len(paths) == 0 {
		return ""
	}
	var standard, others string
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if strings.Contains(path, ".") {
			others += path + "\n"
		} else {
			standard += path + "\n"
		}
	}
	return "\nimport (\n" + standard + "\n" + others + ")\n"
}

func specText(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name + " " + spec.Path.Value
	}
	return spec.Path.Value
}

// bodyOffset returns the end of a file's imports.
func bodyOffset(fset *token.FileSet, syntax *ast.File) int {
	end := syntax.Name.End()
	for _, decl := range syntax.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			end = gen.End()
		}
	}
	return fset.Position(end).Offset
}
