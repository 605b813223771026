package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// recipeCode matches a code block on a page, after a comment that names the file among the
// recipes and the declarations that it shows.
var recipeCode = regexp.MustCompile("(?s)<!-- (\\w+\\.go): ([\\w ]+) -->\n```go\n(.*?)```\n")

// showRecipes returns a page with the declarations that its comments name, as the tests
// compile and run them.
func showRecipes(recipes, page string) (string, error) {
	var problem error
	page = recipeCode.ReplaceAllStringFunc(page, func(block string) string {
		match := recipeCode.FindStringSubmatch(block)
		code, err := declarations(filepath.Join(recipes, match[1]), strings.Fields(match[2]))
		if err != nil {
			problem = err
			return block
		}
		return "<!-- " + match[1] + ": " + match[2] + " -->\n```go\n" + code + "```\n"
	})
	return page, problem
}

// declarations returns the source of declarations of a file, with their doc comments, in the
// order of the names.
func declarations(file string, names []string) (string, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.ParseComments)
	if err != nil {
		return "", err
	}
	found := map[string]string{}
	for _, decl := range parsed.Decls {
		name, doc := "", (*ast.CommentGroup)(nil)
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name, doc = d.Name.Name, d.Doc
		case *ast.GenDecl:
			switch spec := d.Specs[0].(type) {
			case *ast.TypeSpec:
				name, doc = spec.Name.Name, d.Doc
			case *ast.ValueSpec:
				name, doc = spec.Names[0].Name, d.Doc
			}
		}
		start := decl.Pos()
		if doc != nil {
			start = doc.Pos()
		}
		found[name] = string(source[set.Position(start).Offset:set.Position(decl.End()).Offset]) + "\n"
	}
	var parts []string
	for _, name := range names {
		if found[name] == "" {
			return "", fmt.Errorf("%s does not declare %s", file, name)
		}
		parts = append(parts, found[name])
	}
	return strings.Join(parts, "\n"), nil
}
