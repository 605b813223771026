package conventions

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the generated files: docs/endpoints.md, the code in "+
	"docs/cookbook.md, api.txt")

const endpointsPage = "docs/endpoints.md"

// endpointsHead is how the page of endpoints begins.
const endpointsHead = `# Endpoints

Every endpoint that has a method, and the methods that call it. A list has two:
` + "`List…` returns one page, `All…` returns every item." + `

This page is generated from the doc comments. After a change, run:

` + "```sh\ngo test ./internal/conventions -run TestEndpointsPage -update\n```\n"

// TestEndpointsPage checks that the page of endpoints says what the doc comments
// say.
func TestEndpointsPage(t *testing.T) {
	methods := map[string][]string{}
	for _, f := range parsePackage(t).Funcs {
		if !ast.IsExported(f.Name.Name) {
			continue
		}
		for _, line := range inventory.EndpointLines(f) {
			methods[line] = append(methods[line], callName(f))
		}
	}
	var areas []string
	tables := map[string]string{}
	for _, row := range endpointRows(t) {
		served := slices.Compact(slices.Sorted(slices.Values(methods[row.line])))
		if len(served) == 0 {
			continue
		}
		if tables[row.area] == "" {
			areas = append(areas, row.area)
		}
		tables[row.area] += fmt.Sprintf("| `%s` | `%s` |\n", row.line, strings.Join(served, "`, `"))
	}
	page := endpointsHead
	for _, area := range areas {
		page += "\n## " + heading(area) + "\n\n| endpoint | method |\n| --- | --- |\n" + tables[area]
	}
	page += notHereYet(t)
	if *update {
		require.NoError(t, os.WriteFile(endpointsPage, []byte(page), 0o644))
		return
	}
	old, err := os.ReadFile(endpointsPage)
	require.NoError(t, err)
	assert.Equal(t, string(old), page, "run: go test ./internal/conventions -run TestEndpointsPage -update")
}

// heading returns the heading of an area.
func heading(area string) string {
	switch area {
	case "oauth":
		return "OAuth"
	case "scim":
		return "SCIM"
	case "graphql":
		return "GraphQL"
	}
	words := strings.ReplaceAll(area, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// callName is how a program writes the method: Jobs.Get, NewTokenSource.
func callName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return strings.TrimSuffix(inventory.Receiver(f), "Service") + "." + f.Name.Name
}

// TestAPI checks that api.txt lists every exported identifier, the value of every
// constant, the owners that a field of options is limited to and the fields that are sent
// even if they are zero, so that a change of the API is seen in review.
func TestAPI(t *testing.T) {
	var lines []string
	s := parsePackage(t)
	inRequests := typesInRequests(s)
	for _, file := range s.Files {
		for _, decl := range file.Decls {
			lines = append(lines, exported(decl, inRequests)...)
		}
	}
	slices.Sort(lines)
	text := strings.Join(lines, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile("api.txt", []byte(text), 0o644))
		return
	}
	old, err := os.ReadFile("api.txt")
	require.NoError(t, err)
	listed := strings.Split(strings.TrimSuffix(string(old), "\n"), "\n")
	hint := "; if that is meant, run: go test ./internal/conventions -run TestAPI -update"
	assert.Empty(t, without(lines, listed), "the API has more than api.txt lists"+hint)
	assert.Empty(t, without(listed, lines), "api.txt lists more than the API has"+hint)
	assert.True(t, slices.IsSorted(listed), "api.txt is not sorted")
}

// without returns the lines that are not in the other list.
func without(lines, other []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(other, line) })
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

func exported(decl ast.Decl, inRequests map[string]bool) []string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if ast.IsExported(d.Name.Name) && (d.Recv == nil || ast.IsExported(inventory.Receiver(d))) {
			return []string{sourceText(&ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type})}
		}
	case *ast.GenDecl:
		var lines []string
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for i, name := range s.Names {
					if ast.IsExported(name.Name) {
						lines = append(lines, d.Tok.String()+" "+name.Name+constantValue(d, s, i))
					}
				}
			case *ast.TypeSpec:
				if ast.IsExported(s.Name.Name) {
					lines = append(lines, exportedType(s, inRequests)...)
				}
			}
		}
		return lines
	}
	return nil
}

// constantValue returns the value of a constant, such as ` = "failed"`: it is a part of
// the API that is written nowhere else.
func constantValue(d *ast.GenDecl, s *ast.ValueSpec, i int) string {
	if d.Tok != token.CONST || i >= len(s.Values) {
		return ""
	}
	return " = " + sourceText(s.Values[i])
}

// onlyFor returns which owners take a field of options, if not all do.
func onlyFor(field *ast.Field) string {
	if only := tag(field, "only"); only != "" {
		return ", only for " + only
	}
	return ""
}

// sentAlways says of a field of options that its zero value is sent, too. Of a struct in a
// query, the members say it.
func sentAlways(field *ast.Field, structs map[string]bool) string {
	inBody, inQuery, kind := tag(field, "json"), tag(field, "url"), typeText(field.Type)
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

func exportedType(s *ast.TypeSpec, inRequests map[string]bool) []string {
	head := "type " + s.Name.Name
	switch typ := s.Type.(type) {
	case *ast.StructType:
		lines := []string{head + " struct"}
		for _, field := range typ.Fields.List {
			if len(field.Names) == 0 {
				lines = append(lines, head+" struct, embeds "+sourceText(field.Type))
			}
			for _, name := range field.Names {
				if ast.IsExported(name.Name) {
					line := head + " struct, " + name.Name + " " + sourceText(field.Type) + onlyFor(field)
					if inRequests[s.Name.Name] {
						line += sentAlways(field, inRequests)
					}
					lines = append(lines, line)
				}
			}
		}
		return lines
	case *ast.InterfaceType:
		return []string{head + " interface"}
	}
	return []string{head + " " + sourceText(s.Type)}
}

// source prints a node on one line.
func sourceText(node any) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
