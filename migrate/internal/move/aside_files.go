package move

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
)

// cutMark stands where something was cut out of a file. The lines that follow it are empty, so that
// the rest stays where it was.
const cutMark = "//serviceapi:cut"

// addImports adds the imports that a declaration uses.
func addImports(f *file, decl ast.Decl, set map[*ast.ImportSpec]bool) {
	info := f.pack.src.TypesInfo
	names := map[types.Object]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
			names[info.Uses[id]] = true
		}
		return true
	})
	for _, spec := range f.syntax.Imports {
		var name types.Object
		if spec.Name != nil {
			name = info.Defs[spec.Name]
		} else {
			name = info.Implicits[spec]
		}
		if name != nil && names[name] || isDot(spec) && usesPackage(names, importPath(spec)) {
			set[spec] = true
		}
	}
}

func isDot(spec *ast.ImportSpec) bool { return spec.Name != nil && spec.Name.Name == "." }

// usesPackage reports whether one of the objects is declared in a package.
func usesPackage(objects map[types.Object]bool, path string) bool {
	for obj := range objects {
		if obj.Pkg() != nil && obj.Pkg().Path() == path && obj.Parent() == obj.Pkg().Scope() {
			return true
		}
	}
	return false
}

// grouped reports whether an import stands between parentheses.
func grouped(f *file, spec *ast.ImportSpec) bool {
	for _, decl := range f.syntax.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Pos() <= spec.Pos() && spec.End() <= gen.End() {
			return gen.Lparen.IsValid()
		}
	}
	return false
}

// declRange returns where a declaration begins and ends, with its comments.
func declRange(f *file, decl ast.Decl) (start, end token.Pos) {
	start, end = decl.Pos(), decl.End()
	var doc *ast.CommentGroup
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		doc = decl.Doc
	case *ast.GenDecl:
		doc = decl.Doc
	}
	if doc != nil {
		start = doc.Pos()
	}
	file := f.pack.src.Fset.File(start)
	for _, group := range f.syntax.Comments {
		if group.Pos() >= end && file.Line(group.Pos()) == file.Line(end) {
			end = group.List[0].End()
		}
	}
	return start, end
}

func (a *aside) text(f *file, start, end token.Pos) string {
	return string(f.text[a.p.offset(start):a.p.offset(end)])
}

// cutEdit cuts a part of a file. A single import is cut with its keyword.
func (a *aside) cutEdit(f *file, start, end token.Pos, keyword bool) edit {
	from, to := a.p.offset(start), a.p.offset(end)
	if keyword {
		from = bytes.LastIndex(f.text[:from], []byte("import"))
	}
	lines := bytes.Count(f.text[from:to], []byte("\n"))
	return edit{from, to, cutMark + strings.Repeat("\n", lines)}
}

// withoutCuts takes the marks out of a text, and the blank lines that they leave.
func withoutCuts(text string) string {
	var out []string
	skip := false
	for _, line := range splitLines(text) {
		trimmed := strings.TrimSpace(line)
		if trimmed == cutMark {
			last := ""
			if len(out) > 0 {
				last = strings.TrimSpace(out[len(out)-1])
			}
			skip = last == "" || strings.HasSuffix(last, "(")
			continue
		}
		if skip && trimmed == "" {
			continue
		}
		skip = false
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(out, ""), "\n") + "\n"
}

// restore adds the file with the tests to a result, and takes the marks out of the rest.
func (c *cutFile) restore(result *Result) {
	now := c.rest
	result.Files = slices.DeleteFunc(result.Files, func(f File) bool {
		if f.Name == c.f.name {
			now = f.New
		}
		return f.Name == c.f.name
	})
	if c.whole {
		text := constrained(string(c.f.text))
		result.Files = append(result.Files, File{Name: c.f.name, Old: c.f.raw, New: c.f.ended(text)})
		return
	}
	text := formatted(withoutCuts(string(now)))
	text = strings.Replace(text, "\nimport ()\n", "\n", 1)
	result.Files = append(result.Files, File{Name: c.f.name, Old: c.f.raw, New: c.f.ended(text)},
		File{Name: c.name, New: c.f.ended(c.tests)})
}

// ended gives a text the line ends of the file.
func (f *file) ended(text string) []byte {
	if bytes.Equal(f.raw, f.text) {
		return []byte(text)
	}
	return f.keepEnds(text)
}

// asideName returns a free name for the tests of a file that are set aside.
func asideName(name string) string {
	base := strings.TrimSuffix(name, "_test.go") + "_" + asideTag
	for i := 1; ; i++ {
		name := base + "_test.go"
		if i > 1 {
			name = fmt.Sprintf("%s%d_test.go", base, i)
		}
		if _, err := os.Stat(name); err != nil {
			return name
		}
	}
}

// asideText makes the file with the tests of another one.
func asideText(f *file, imports, texts []string) string {
	var out strings.Builder
	if expr := constraintOf(string(f.text)); expr != "" {
		out.WriteString("//go:build " + expr + "\n\n")
	}
	out.WriteString("// These tests are for client-go, and what they test has moved.\n\n")
	out.WriteString("package " + f.syntax.Name.Name + "\n\n")
	if len(imports) > 0 {
		out.WriteString("import (\n" + strings.Join(imports, "\n") + "\n)\n\n")
	}
	out.WriteString(strings.Join(texts, "\n\n") + "\n")
	return formatted(constrained(out.String()))
}

// constraintOf returns the build constraint of a file, or "".
func constraintOf(text string) string {
	for _, line := range splitLines(text) {
		if strings.HasPrefix(line, "package ") {
			break
		}
		if constraint.IsGoBuild(strings.TrimSpace(line)) {
			return strings.TrimSpace(strings.TrimPrefix(line, "//go:build"))
		}
	}
	return ""
}

// constrained adds the tag of tests that are set aside to the build constraint of a file.
func constrained(text string) string {
	if expr := constraintOf(text); expr != "" {
		all := asideTag + " && (" + expr + ")"
		if parsed, err := constraint.Parse("//go:build " + all); err == nil {
			all = parsed.String()
		}
		return strings.Replace(text, "//go:build "+expr, "//go:build "+all, 1)
	}
	return "//go:build " + asideTag + "\n\n" + text
}
