package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// Some fields of the options of client-go are arguments here, or have no counterpart and are sent
// by an option of the request. Where the program sets such a field elsewhere than in the call, a type
// of the helpers has it beside the options of this library:
//
//	type archiveOptions = struct {
//		serviceapi.DownloadArchiveOptions
//		Format *string
//	}
//
// The call takes both out of it. The type is another name for a struct without one, so that values go
// from package to package, and the added fields keep their pointers.

// wideScope is the package that types of wide options have in this command only. In new text, the
// name of the helper replaces it.
const wideScope = "wide"

// A wideType is options of this library with more fields of client-go.
type wideType struct {
	old   *types.Named // of client-go
	base  *types.Named // of this library
	named *types.Named // the type of the helpers
	added []*types.Var
}

// helperKey returns the words that the text of the helper is made of.
func (w *wideType) helperKey() string {
	return wideScope + " " + w.old.Obj().Name() + " " + w.base.Obj().Name()
}

// wideName returns the name of the type of wide options, without its package.
func wideName(old string) string { return strings.ToLower(old[:1]) + old[1:] }

// wideNamed returns the type of wide options by its name, with or without the package, or nil.
func (p *program) wideNamed(name string) *wideType {
	return p.wide[strings.TrimPrefix(name, wideScope+".")]
}

// findWide finds the values of options that need such a type.
func (s *slots) findWide() {
	s.p.wide, s.p.wideSet = map[string]*wideType{}, map[fieldName]bool{}
	far, near := map[any]*types.Named{}, map[any]bool{}
	for _, u := range s.p.units {
		if u.uses {
			s.findFar(s.p.reader(s.m, u), far, near)
		}
	}
	for key, old := range far {
		if key = s.find(key); near[key] || s.mixed[key] != nil {
			continue
		}
		base := s.types[key]
		if base == "" {
			base = s.m.typeName(old.Obj().Name())
		}
		if w := s.p.widen(s.m, old, base); w != nil {
			s.types[key] = wideScope + "." + w.named.Obj().Name()
		}
	}
}

// findFar notes the options of which a unit uses a field without a counterpart, and those that another
// rule moves.
func (s *slots) findFar(r *reader, far map[any]*types.Named, near map[any]bool) {
	inline, late := r.findInline(), r.findLateOwners()
	note := func(x ast.Expr, field string) {
		from := namedOf(r.info.TypeOf(x))
		if from == nil || !isOld(from.Obj()) || !s.p.isSentOptions(from) || s.p.mayBeInstance(from) ||
			helperTypes[from.Obj().Name()].name != "" {
			return
		}
		if key := s.key(r, x); key != nil && s.p.isWideField(s.m, from, s.m.typeName(from.Obj().Name()), field) {
			far[key] = from
			s.p.wideSet[fieldName{from.Obj().Name(), field}] = true
		}
	}
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if r.oldCall(n) == nil {
				return true
			}
			for _, arg := range n.Args {
				if lit := literalOf(arg); lit != nil {
					near[s.find(s.key(r, lit))] = true
				}
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && idOf(kv.Key) != nil {
					note(n, idName(kv.Key))
				}
			}
		case *ast.SelectorExpr:
			if sel := r.info.Selections[n]; sel != nil && sel.Kind() == types.FieldVal && isOld(sel.Obj()) {
				note(n.X, n.Sel.Name)
			}
		}
		return true
	})
	for obj, lit := range inline {
		near[s.find(s.object(obj))], near[s.find(any(lit))] = true, true
	}
	for obj := range late {
		near[s.find(s.object(obj))] = true
	}
}

// isSentOptions reports whether a method of client-go takes options of a type.
func (p *program) isSentOptions(old *types.Named) bool {
	return len(p.takers(old)) > 0
}

// mayBeInstance reports whether a method that takes options of a type is for the whole instance here where
// no field names an owner: such a form must not be chosen because other code left the field out.
func (p *program) mayBeInstance(old *types.Named) bool {
	return slices.ContainsFunc(p.takers(old), func(t taker) bool {
		return slices.ContainsFunc(t.method.Args, func(arg table.Arg) bool {
			return arg.Kind == table.Value && arg.Name == "Instance"
		})
	})
}

// A taker is a line of the table whose method takes options of a type.
type taker struct {
	method *table.Method
	param  string
}

// takers returns the lines of the table whose methods take options of a type.
func (p *program) takers(old *types.Named) []taker {
	if list, ok := p.takersOf[old.Obj().Name()]; ok {
		return list
	}
	var list []taker
	for i := range p.table.Methods {
		m := &p.table.Methods[i]
		f := oldMethod(old.Obj().Pkg(), m.Service(), m.Name())
		if f == nil || m.New == "" || !m.Has(p.old.versions[old.Obj().Pkg().Path()]) {
			continue
		}
		for j, param := range m.Params {
			if j < f.Signature().Params().Len() && namedOf(f.Signature().Params().At(j).Type()) == old {
				list = append(list, taker{m, param})
			}
		}
	}
	if p.takersOf == nil {
		p.takersOf = map[string][]taker{}
	}
	p.takersOf[old.Obj().Name()] = list
	return list
}

// isWideField reports whether a field of options is one that wide options add.
func (p *program) isWideField(m *mapping, old *types.Named, base, name string) bool {
	to := p.newType(base)
	field := structField(fieldsOf(old), name)
	if to == nil || fieldsOf(to) == nil || field == nil || field.Embedded() ||
		structField(fieldsOf(to), "ListOptions") != nil {
		return false
	}
	wire := wireOf(fieldsOf(old), name)
	if m.field(old.Obj().Name(), base, name, wire, fieldsOf(to)) != nil ||
		m.needless(old.Obj().Name(), base, name) {
		return false
	}
	uses := func(t taker) bool { return slices.Contains(t.method.Uses(t.param), name) }
	used := slices.ContainsFunc(p.takers(old), uses)
	t, pointer := types.Unalias(field.Type()).(*types.Pointer)
	switch {
	case types.IsInterface(field.Type()):
		return used
	case !pointer:
		return false
	}
	if _, plain := types.Unalias(t.Elem()).(*types.Basic); plain {
		return used || wire != ""
	}
	return used && p.wideFieldType(m, field) != nil
}

// wideFieldType returns the type of an added field, or nil if it has none here.
func (p *program) wideFieldType(m *mapping, field *types.Var) types.Type {
	pointer, ok := types.Unalias(field.Type()).(*types.Pointer)
	if !ok || !involves(field.Type()) {
		return field.Type()
	}
	named := namedOf(pointer.Elem())
	if named == nil || !isOld(named.Obj()) {
		return nil
	}
	if _, isBasic := named.Underlying().(*types.Basic); !isBasic {
		return nil
	}
	name, ok := m.typeText(named.Obj().Name())
	if now := p.newType(name); ok && now != nil {
		return types.NewPointer(now)
	}
	return nil
}

// widen returns the type of wide options for a type of client-go, or nil if there is none.
func (p *program) widen(m *mapping, old *types.Named, base string) *wideType {
	name := wideName(old.Obj().Name())
	if w := p.wide[name]; w != nil {
		if w.base.Obj().Name() != base {
			return nil
		}
		return w
	}
	to := p.newType(base)
	if to == nil || to.Obj().Pkg() != p.library {
		return nil
	}
	w := &wideType{old: old, base: to}
	scope := types.NewPackage("example.com/serviceapi/"+wideScope, wideScope)
	fields := []*types.Var{types.NewField(token.NoPos, scope, base, to, true)}
	for f := range fieldsOf(old).Fields() {
		if p.isWideField(m, old, base, f.Name()) {
			added := types.NewField(token.NoPos, scope, f.Name(), p.wideFieldType(m, f), false)
			w.added = append(w.added, added)
			fields = append(fields, added)
		}
	}
	obj := types.NewTypeName(token.NoPos, scope, name, nil)
	w.named = types.NewNamed(obj, types.NewStruct(fields, nil), nil)
	p.wide[name] = w
	return w
}

// wideHelper returns the helper with a type of wide options.
func (p *program) wideHelper(old, base string) helper {
	w := p.wide[wideName(old)]
	if w == nil {
		return helper{}
	}
	var fields strings.Builder
	for _, f := range w.added {
		fields.WriteString("\t" + f.Name() + " " + types.TypeString(f.Type(),
			func(pkg *types.Package) string { return pkg.Name() }) + "\n")
	}
	return helper{imports: []string{lib}, text: strings.NewReplacer("NAME", wideName(old), "BASE", base,
		"FIELDS", fields.String()).Replace(`
// NAME are serviceapi.BASE with what is an argument or an option of the call.
type NAME = struct {
	serviceapi.BASE
FIELDS}`)}
}

func init() { maps.Copy(helpers, wideHelpers) }

// wideHelpers send the fields of wide options that have no counterpart, and values of other types.
var wideHelpers = map[string]helper{
	"bodyField": {imports: []string{lib}, text: `
// bodyField returns an option that sends a field of the body, or nothing for nil.
func bodyField[T any](name string, value *T) serviceapi.RequestOption {
	if value == nil {
		return serviceapi.WithPollObserver(nil)
	}
	return serviceapi.WithBodyField(name, *value)
}`},
	"queryField": {imports: []string{lib, "fmt"}, text: `
// queryField returns an option that sends a parameter of the query, or nothing for nil.
func queryField[T any](name string, value *T) serviceapi.RequestOption {
	if value == nil {
		return serviceapi.WithPollObserver(nil)
	}
	return serviceapi.WithQuery(name, fmt.Sprint(*value))
}`},
	"jsonOf": {imports: []string{"encoding/json"}, text: `
// jsonOf returns texts as JSON, or nothing if there are none.
func jsonOf(texts map[string]string) json.RawMessage {
	if len(texts) == 0 {
		return nil
	}
	data, err := json.Marshal(texts)
	if err != nil {
		return nil
	}
	return data
}`},
	"numberOf": {imports: []string{"strconv"}, text: `
// numberOf returns the number in a text, or 0 if it has none: a call with it is refused.
func numberOf(text string) int64 {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return number
}`},
}

// useWide gives types of wide options in a text the names of their helpers.
func (r *rewriter) useWide(text string) string {
	if !strings.Contains(text, wideScope+".") {
		return text
	}
	for name, w := range r.p.wide {
		if strings.Contains(text, wideScope+"."+name) {
			r.helpers[w.helperKey()] = true
			text = strings.ReplaceAll(text, wideScope+"."+name, r.free(name))
		}
	}
	return text
}

// isMapOfTexts reports whether a type is a map of texts, which some options have as JSON here.
func isMapOfTexts(t types.Type) bool {
	return t != nil && types.TypeString(t.Underlying(), nil) == "map[string]string"
}
