package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

// fillIn stands for what only a person knows. It compiles nowhere, and a test of
// internal/conventions finds it in comments and texts.
const fillIn = "FILL_IN"

// A library is what the package has already.
type library struct {
	source  *inventory.Source
	byLine  map[string][]*ast.FuncDecl // the methods that call an endpoint
	file    map[*ast.FuncDecl]string
	methods map[string]bool // such as "JobsService.Get"
	fields  map[fieldKey]map[field]int
}

// A fieldKey is the name of a parameter where it is used: "url", "json" or resultTag, and the
// verb of the options, or "" for all of them.
type fieldKey struct{ tag, verb, name string }

// resultTag marks the members of results, which have a tag "json" as the options of a body.
const resultTag = "result"

// A field is how options write a parameter.
type field struct{ name, typ, more string }

func readLibrary(root string) (*library, error) {
	source, err := inventory.ParseDir(root)
	if err != nil {
		return nil, err
	}
	l := &library{source: source, byLine: map[string][]*ast.FuncDecl{}, file: map[*ast.FuncDecl]string{},
		methods: map[string]bool{}, fields: map[fieldKey]map[field]int{}}
	for name, file := range source.Files {
		for _, f := range inventory.Funcs(file) {
			l.file[f] = name
			if f.Recv != nil {
				l.methods[inventory.Receiver(f)+"."+f.Name.Name] = true
			}
			for _, line := range inventory.EndpointLines(f) {
				l.byLine[line] = append(l.byLine[line], f)
			}
		}
	}
	for name, structType := range source.Structs {
		l.note(name, structType)
	}
	return l, nil
}

// note counts how the options of the library write their parameters, and its results their
// members.
func (l *library) note(name string, structType *ast.StructType) {
	tags := map[string]string{"url": "url", "json": "json"}
	if !strings.HasSuffix(name, "Options") {
		tags = map[string]string{"json": resultTag}
	}
	for _, f := range structType.Fields.List {
		if f.Tag == nil || len(f.Names) == 0 {
			continue
		}
		text, _ := strconv.Unquote(f.Tag.Value)
		for key, tag := range tags {
			param, _, _ := strings.Cut(reflect.StructTag(text).Get(key), ",")
			known := field{name: f.Names[len(f.Names)-1].Name, typ: typeText(f.Type)}
			if layout := reflect.StructTag(text).Get("layout"); layout != "" {
				known.more = fmt.Sprintf(" layout:%q", layout)
			}
			for _, verb := range []string{"", verbOf(name)} {
				at := fieldKey{tag, verb, strings.TrimSuffix(param, "[]")}
				if l.fields[at] == nil {
					l.fields[at] = map[field]int{}
				}
				l.fields[at][known]++
			}
		}
	}
}

// typeText prints a type.
func typeText(expr ast.Expr) string {
	var b bytes.Buffer
	_ = printer.Fprint(&b, token.NewFileSet(), expr) // a buffer takes everything
	return b.String()
}

// verbOf returns the first word of a name.
func verbOf(name string) string {
	for i := 1; i < len(name); i++ {
		if name[i] >= 'A' && name[i] <= 'Z' {
			return name[:i]
		}
	}
	return name
}

// known returns how most options write a parameter, those of the same verb first.
func (l *library) known(tag, options, name string) (field, bool) {
	for _, verb := range []string{verbOf(options), ""} {
		counts := l.fields[fieldKey{tag, verb, name}]
		if len(counts) == 0 {
			continue
		}
		var all []field
		for f := range counts {
			all = append(all, f)
		}
		return slices.MaxFunc(all, func(a, b field) int {
			return cmp.Or(counts[a]-counts[b], strings.Compare(b.typ, a.typ), strings.Compare(b.name, a.name))
		}), true
	}
	return field{}, false
}

// fieldOf returns how options or results write a parameter. One that the library has
// elsewhere gets the same name and type.
func (l *library) fieldOf(tag, options string, p param) field {
	f, known := l.known(tag, options, p.name)
	if known && !p.object && p.list == strings.HasPrefix(f.typ, "[]") {
		return f
	}
	f = field{name: camel(p.name), typ: fillIn}
	if p.list {
		f.typ = "[]" + fillIn
	}
	return f
}

// service returns the type that has the methods of an area, and the file in which most of
// them are. A new area has neither.
func (l *library) service(rows []row, area string) (receiver, file string) {
	counts := map[[2]string]int{}
	for _, r := range rows {
		if r.area != area {
			continue
		}
		for _, f := range l.byLine[r.line()] {
			if f.Recv != nil {
				counts[[2]string{inventory.Receiver(f), l.file[f]}]++
			}
		}
	}
	best := 0
	for at, n := range counts {
		if n > best || n == best && at[1] < file {
			receiver, file, best = at[0], at[1], n
		}
	}
	return receiver, file
}

// resultType returns the type for a result of the table: the one that other methods return
// for it, those of the area first, or one that the name says and may not exist yet. A result
// that the table describes by its members has a type of its own, named after the path.
func (l *library) resultType(rows []row, r row, service string) (name string, exists bool) {
	counts := map[string]int{}
	wanted := plainResult(r.result)
	switch {
	case strings.HasPrefix(r.result, "{"):
		name = singular(service) + camel(r.lastWord())
		return name, l.source.Structs[name] != nil
	case wanted == "":
		return fillIn, true
	}
	for _, other := range rows {
		if plainResult(other.result) != wanted {
			continue
		}
		for _, f := range l.byLine[other.line()] {
			if name := resultOf(f); name != "" {
				counts[name]++
				if other.area == r.area {
					counts[name] += 100
				}
			}
		}
	}
	best := 0
	for found, n := range counts {
		if n > best || n == best && found < name {
			name, best = found, n
		}
	}
	name = cmp.Or(name, wanted)
	return name, l.source.Structs[name] != nil
}

// resultFields returns the fields of a result such as "{count}", with the types that other
// results give them.
func (l *library) resultFields(r row) (fields []field) {
	for _, p := range r.members() {
		f := l.fieldOf(resultTag, "", p)
		fields = append(fields, field{f.name, f.typ, p.name})
	}
	return fields
}

// plainResult returns the name in a result such as "Job[]" or "Pipeline 200", or "".
func plainResult(result string) string {
	first, _, _ := strings.Cut(result, " ")
	first = strings.TrimSuffix(strings.TrimSuffix(first, ","), "[]")
	if !ast.IsExported(first) {
		return ""
	}
	return first
}

// resultOf returns the struct that a method returns, by itself or in a list.
func resultOf(f *ast.FuncDecl) string {
	if f.Type.Results == nil || len(f.Type.Results.List) < 2 {
		return ""
	}
	text := strings.TrimLeft(typeText(f.Type.Results.List[0].Type), "[]*")
	if !ast.IsExported(text) || text == "Response" || text == "Download" {
		return ""
	}
	return text
}

// methodName returns the usual name of the method for an endpoint, without the prefix of
// the two of a list.
func (l *library) methodName(receiver string, r row) string {
	segments := strings.Split(strings.Trim(r.path, "/"), "/")
	last := segments[len(segments)-1]
	isObject := strings.HasPrefix(last, ":") || strings.HasPrefix(last, "*")
	free := func(name string) bool { return !l.methods[receiver+"."+name] }
	verb := map[string]string{"PUT": "Update", "PATCH": "Update", "DELETE": "Delete", "GET": "Get"}[r.method]
	switch {
	case r.kind() == "list" && free("List"):
		return ""
	case r.kind() == "list":
		return camel(last)
	case r.kind() == "stream" && free("Download"):
		return "Download"
	case r.kind() == "stream":
		return "Download" + camel(strings.Trim(last, ":*"))
	case isObject:
		return verb
	case r.method == "POST" && strings.HasSuffix(last, "s") && free("Create"):
		return "Create"
	case r.method == "POST" && strings.HasSuffix(last, "s"):
		return "Create" + singular(camel(last))
	case r.method == "POST":
		return camel(last)
	}
	return verb + camel(last)
}
