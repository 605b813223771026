package stub

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// imports are the packages that the API names.
var imports = map[string]string{
	"context": "context", "fmt": "fmt", "http": "net/http", "io": "io", "iter": "iter", "json": "encoding/json",
	"oauth2": "golang.org/x/oauth2", "serviceapi": Library, "slog": "log/slog", "time": "time", "url": "net/url",
}

// Source returns the API of a package as Go source, from the lines of its api.txt: functions
// without bodies, and types with what is exported of them.
func Source(name, list string) (string, error) {
	b := &builder{members: map[string][]string{}}
	for line := range strings.Lines(list) {
		b.line(strings.TrimSuffix(line, "\n"))
	}
	text := b.text()
	named, hidden, err := undeclared(text)
	if err != nil {
		return "", fmt.Errorf("the API of package %s: %w", name, err)
	}
	head := "package " + name + "\n\n"
	for _, path := range named {
		head += fmt.Sprintf("import %q\n", path)
	}
	for _, typ := range hidden {
		text += "type " + typ + " struct{}\n"
	}
	return head + text, nil
}

type builder struct {
	decls   []string
	heads   []string            // of structs and interfaces, such as "Job struct"
	members map[string][]string // by head
}

var (
	memberLine = regexp.MustCompile(`^type (\w+(?:\[[^\]]*\])? (?:struct|interface))(?:, (.*))?$`)
	fieldLine  = regexp.MustCompile(`^(.*?)(?:, as (\S+))?(?:, only for \S+)?(, always sent)?(, required)?$`)
)

func (b *builder) line(line string) {
	switch match := memberLine.FindStringSubmatch(line); {
	case match != nil && match[2] == "":
		b.heads = append(b.heads, match[1])
	case match != nil:
		b.member(match[1], match[2])
	case strings.HasPrefix(line, "func "):
		b.decls = append(b.decls, line+" {}")
	default:
		b.decls = append(b.decls, line)
	}
}

// member adds what a line says of a struct or an interface. An interface that only the
// library can implement gets a method, and so do the types that are known to do it.
func (b *builder) member(head, text string) {
	name, isInterface := strings.CutSuffix(head, " interface")
	implementing, isSealed := strings.CutPrefix(text, "implemented by ")
	switch {
	case isSealed:
		b.members[head] = append(b.members[head], "is"+name+"()")
		if implementing == "unexported types" {
			return
		}
		for typ := range strings.SplitSeq(implementing, ", ") {
			b.decls = append(b.decls, "func ("+typ+") is"+name+"() {}")
		}
	case isInterface:
		b.members[head] = append(b.members[head], text)
	default:
		match := fieldLine.FindStringSubmatch(text)
		field := strings.TrimPrefix(match[1], "embeds ")
		var tags []string
		if match[2] != "" {
			tags = append(tags, fmt.Sprintf("json:%q", match[2]))
		}
		if match[3] != "" {
			tags = append(tags, `sent:"always"`)
		}
		if match[4] != "" {
			tags = append(tags, `required:"true"`)
		}
		if len(tags) > 0 {
			field += " `" + strings.Join(tags, " ") + "`"
		}
		b.members[head] = append(b.members[head], field)
	}
}

func (b *builder) text() string {
	for _, head := range b.heads {
		b.decls = append(b.decls, "type "+head+" {\n"+strings.Join(b.members[head], "\n")+"\n}")
	}
	return strings.Join(b.decls, "\n") + "\n"
}

// undeclared returns the paths of the packages that the source names, and the unexported
// types, of which a program sees nothing.
func undeclared(text string) (paths, hidden []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "api.txt", "package p\n"+text, 0)
	if err != nil {
		return nil, nil, err
	}
	names := map[string]bool{}
	for _, id := range file.Unresolved {
		if names[id.Name] || types.Universe.Lookup(id.Name) != nil {
			continue
		}
		names[id.Name] = true
		switch path := imports[id.Name]; {
		case path != "":
			paths = append(paths, path)
		case ast.IsExported(id.Name):
			return nil, nil, fmt.Errorf("nothing declares %s", id.Name)
		default:
			hidden = append(hidden, id.Name)
		}
	}
	slices.Sort(paths)
	slices.Sort(hidden)
	return paths, hidden, nil
}
