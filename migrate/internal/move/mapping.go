package move

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// A mapping pairs the types and fields of both libraries: by the table, and by the
// parameters and results of its methods.
type mapping struct {
	p       *program
	derived map[string]map[string]int // new types of an old one, with their weights
	seen    map[[3]string]bool
}

func (p *program) newMapping() *mapping {
	m := &mapping{p: p, derived: map[string]map[string]int{}, seen: map[[3]string]bool{}}
	for path := range p.old.versions {
		pkg := p.all[path]
		for i := range p.table.Methods {
			method := &p.table.Methods[i]
			if method.ByHand == "" && method.Has(p.old.versions[path]) {
				m.derive(pkg, method)
			}
		}
	}
	for i := range p.table.Types {
		t := &p.table.Types[i]
		now := p.newType(t.New)
		for path := range p.old.versions {
			if old, ok := p.all[path].Scope().Lookup(t.Old).(*types.TypeName); ok && now != nil {
				m.pair(old.Type(), now, 1)
			}
		}
	}
	return m
}

// within returns the field of a result that holds what client-go returned by itself, or nil.
func (m *mapping) within(old, now types.Type) *types.Var {
	a, b := namedOf(old), namedOf(now)
	if a == nil || b == nil {
		return nil
	}
	for _, t := range m.p.table.Type(a.Obj().Name()) {
		if t.Within == "" || t.New != m.p.nameOf(b) {
			continue
		}
		if fields, ok := b.Underlying().(*types.Struct); ok {
			return structField(fields, t.Within)
		}
	}
	return nil
}

// oldMethod returns a method of client-go, such as "Jobs.GetJob".
func oldMethod(pkg *types.Package, service, name string) *types.Func {
	client, ok := pkg.Scope().Lookup("Client").(*types.TypeName)
	if !ok {
		return nil
	}
	return methodOf(client, service, name)
}

func methodOf(client *types.TypeName, service, name string) *types.Func {
	fields, ok := client.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for field := range fields.Fields() {
		if field.Name() != service {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(field.Type(), true, client.Pkg(), name)
		f, _ := obj.(*types.Func)
		return f
	}
	return nil
}

// newMethod returns a method of this library.
func (p *program) newMethod(service, name string) *types.Func {
	client := p.library.Scope().Lookup("Client").(*types.TypeName)
	return methodOf(client, service, name)
}

func (m *mapping) derive(pkg *types.Package, method *table.Method) {
	from := oldMethod(pkg, method.Service(), method.Name())
	to := m.p.newMethod(method.NewService(), method.NewName())
	if from == nil || to == nil {
		return
	}
	old, now := from.Signature(), to.Signature()
	if old.Results().Len() > 0 && now.Results().Len() > 0 {
		result := now.Results().At(0).Type()
		if field := m.within(old.Results().At(0).Type(), result); field != nil {
			result = field.Type()
		}
		m.pair(old.Results().At(0).Type(), result, 10)
	}
	for i, arg := range method.Args {
		if arg.Kind != table.Options || arg.Param == "" || i+1 >= now.Params().Len() {
			continue
		}
		for j, name := range method.Params {
			if name == arg.Param && j < old.Params().Len() {
				m.pair(old.Params().At(j).Type(), now.Params().At(i+1).Type(), 10)
			}
		}
	}
}

// pair records that a type of client-go becomes a type of this library, and pairs the types of
// their fields.
func (m *mapping) pair(old, now types.Type, weight int) {
	a, b := core(old), core(now)
	if a == nil || b == nil || !isOld(a.Obj()) || m.p.nameOf(b) == "" {
		return
	}
	key := [2]string{a.Obj().Name(), m.p.nameOf(b)}
	if key[1] == "CustomAttributes" {
		return // a whole list: see customAttributesOf
	}
	if m.derived[key[0]] == nil {
		m.derived[key[0]] = map[string]int{}
	}
	m.derived[key[0]][key[1]] += weight
	visit := [3]string{a.Obj().Pkg().Path(), key[0], key[1]}
	if m.seen[visit] {
		return
	}
	m.seen[visit] = true
	from, ok := a.Underlying().(*types.Struct)
	to, isStruct := b.Underlying().(*types.Struct)
	if !ok || !isStruct {
		return
	}
	for i := range from.NumFields() {
		if f := m.field(key[0], key[1], from.Field(i).Name(), wireName(from.Tag(i)), to); f != nil {
			m.pair(from.Field(i).Type(), f.Type(), 1)
		}
	}
}

// related reports whether two types of this library are counterparts of the same type of
// client-go.
func (m *mapping) related(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	for old, names := range m.derived {
		has := func(name string) bool {
			return names[name] > 0 || slices.ContainsFunc(m.p.table.Type(old),
				func(t *table.Type) bool { return t.New == name })
		}
		if has(a) && has(b) {
			return true
		}
	}
	return false
}

// core returns the named type inside pointers, slices and Nullable, or nil.
func core(t types.Type) *types.Named {
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Named:
			if u.Obj().Name() == "Nullable" && u.TypeArgs().Len() == 1 {
				t = u.TypeArgs().At(0)
				continue
			}
			return u
		default:
			return nil
		}
	}
}

// wireName returns the name of a field in a query or in JSON.
func wireName(tag string) string {
	for _, key := range []string{"json", "url"} {
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get(key), ",")
		if name != "" && name != "-" {
			return strings.TrimSuffix(name, "[]")
		}
	}
	return ""
}

// entry returns the table's entry for a field, for a pair of types or for the type of
// client-go alone. Entries of ListOptions apply to every type that embeds it.
func (m *mapping) entry(old, now, name string) (table.Field, bool) {
	if f, ok := m.p.table.Fields(old, now)[name]; ok {
		return f, true
	}
	for _, t := range m.p.table.Type(old) {
		for _, f := range t.Fields {
			if f.Old == name && (now == "" || now == t.New) {
				return f, true
			}
		}
	}
	return table.Field{}, false
}

// missing says that a field has no counterpart, with the reason in the table.
func (m *mapping) missing(old, now, name string) string {
	text := old + "." + name + " has no counterpart in " + now
	note := ""
	if entry, ok := m.entry(old, now, name); ok {
		note = entry.Note
	}
	for _, t := range m.p.table.Type(old) {
		if t.New == now && note == "" {
			note = t.Others
		}
	}
	if note != "" {
		text += ": " + note
	}
	return text
}

// needless reports whether a field can be left out without changing anything.
func (m *mapping) needless(old, now, name string) bool {
	if f, ok := m.entry(old, now, name); ok {
		return f.Needless
	}
	f, ok := m.entry("ListOptions", "", name)
	return ok && f.Needless
}

// field returns the field of a struct of this library for one of client-go, or nil.
func (m *mapping) field(old, now, name, wire string, to *types.Struct) *types.Var {
	if w := m.p.wideNamed(now); w != nil {
		if f := structField(to, name); f != nil {
			return f
		}
		return m.field(old, w.base.Obj().Name(), name, wire, fieldsOf(w.base))
	}
	wanted := name
	if name == "WIP" && structField(to, "Draft") != nil {
		return structField(to, "Draft") // "yes" and "no" become true and false: see value
	}
	if entry, ok := m.entry(old, now, name); ok {
		if entry.New == "" {
			return nil
		}
		wanted = entry.New
	}
	if strings.Contains(wanted, ".") {
		return m.deepField(wanted, to)
	}
	var byWire *types.Var
	for i := range to.NumFields() {
		f := to.Field(i)
		if f.Name() == wanted {
			return f
		}
		if wire != "" && wireName(to.Tag(i)) == wire {
			byWire = f
		}
	}
	for f := range to.Fields() {
		if level := levelIn(f); level != nil && byWire == nil {
			byWire = m.field(old, now, name, wire, level)
		}
	}
	return byWire
}

// levelIn returns the smaller level of detail that a field embeds, whose fields are those of
// the whole.
func levelIn(f *types.Var) *types.Struct {
	if !f.Embedded() || f.Name() == "ListOptions" {
		return nil
	}
	level, _ := f.Type().Underlying().(*types.Struct)
	return level
}

// allFields returns the fields of a struct, with those of the levels that it embeds.
func allFields(s *types.Struct) (fields []*types.Var) {
	for f := range s.Fields() {
		if level := levelIn(f); level != nil {
			fields = append(fields, allFields(level)...)
		} else {
			fields = append(fields, f)
		}
	}
	return fields
}

// fieldIn returns a field of a struct, or of a level that it embeds.
func fieldIn(s *types.Struct, name string) *types.Var {
	for _, f := range allFields(s) {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// deepField returns a field of a field. Its name leads through both.
func (m *mapping) deepField(path string, to *types.Struct) *types.Var {
	var f *types.Var
	for name := range strings.SplitSeq(path, ".") {
		if to == nil {
			return nil
		}
		if f = structField(to, name); f == nil {
			return nil
		}
		to, _ = deref(f.Type()).Underlying().(*types.Struct)
	}
	return types.NewField(f.Pos(), f.Pkg(), path, f.Type(), false)
}

// pageField returns a field of the embedded options of a list. In client-go, some lists
// have no other options.
func (m *mapping) pageField(to *types.Struct, name string) *types.Var {
	if structField(to, "ListOptions") == nil || name != "Page" && name != "PerPage" && name != "PageToken" {
		return nil
	}
	list, ok := m.p.newType("ListOptions").Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return structField(list, name)
}

// special maps types of client-go to their replacement, whatever the table says.
var special = map[string]string{
	"Labels":               "[]string",
	"LabelOptions":         "[]string",
	"ISOTime":              "serviceapi.Date",
	"RequestOptionFunc":    "serviceapi.RequestOption",
	"Client":               "serviceapi.Client",
	"Response":             "serviceapi.Response",
	"ErrorResponse":        "serviceapi.Error",
	"ListOptions":          "serviceapi.ListOptions",
	"AccessLevelValue":     "serviceapi.AccessLevel",
	"VisibilityValue":      "serviceapi.Visibility",
	"RateLimiter":          "serviceapi.Limiter",
	"ProjectLanguages":     "map[string]float64",
	"ClientOptionFunc":     "",
	"PaginationOptionFunc": "",
}

// typeName returns the replacement of a type of client-go: the name of a type of this
// library, or "".
func (m *mapping) typeName(old string) string {
	for _, t := range m.p.table.Type(old) {
		if t.New != "" && t.Within == "" {
			return t.New
		}
	}
	best, most := "", 0
	for name, n := range m.derived[old] {
		if n > most || n == most && name < best {
			best, most = name, n
		}
	}
	return best
}

// typeText returns the text of the type that replaces one of client-go.
func (m *mapping) typeText(old string) (string, bool) {
	if text, ok := special[old]; ok {
		return text, text != ""
	}
	if name := m.typeName(old); name != "" {
		return qualified(name), true
	}
	return "", false
}

// qualified adds the package to a name of the table, which may already have one.
func qualified(name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	return "serviceapi." + name
}

// nameOf returns the name of a type of this library in the table, or "" for other
// types.
func (p *program) nameOf(t *types.Named) string {
	switch t.Obj().Pkg() {
	case p.library:
		return t.Obj().Name()
	case p.webhook:
		return "webhook." + t.Obj().Name()
	}
	if w := p.wideNamed(t.Obj().Name()); w != nil && w.named == t {
		return wideScope + "." + t.Obj().Name()
	}
	return ""
}

// newType returns a type of this library by its name.
func (p *program) newType(name string) *types.Named {
	if w := p.wideNamed(name); w != nil {
		return w.named
	}
	pkg := p.library
	if rest, ok := strings.CutPrefix(name, "webhook."); ok {
		pkg, name = p.webhook, rest
	}
	name = strings.TrimPrefix(name, "serviceapi.")
	obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	named, _ := types.Unalias(obj.Type()).(*types.Named)
	return named
}
