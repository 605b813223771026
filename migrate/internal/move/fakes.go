package move

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Tests answer calls with servers of their own. What the service would not send, such as a text for
// a number, or a file with another size than it says, fails here and did not in client-go.

// noteFakes adds a line for each package with such tests, if they may reach a call that moved.
func (p *program) noteFakes(report *Report) {
	moved := map[string]bool{}
	for _, u := range p.units {
		if len(u.sites) > 0 && (!u.left || u.twin) {
			moved[u.file.pack.path] = true
		}
	}
	noted := map[string]bool{}
	for _, f := range p.sortedFiles() {
		path := strings.TrimSuffix(f.pack.path, "_test")
		spec := importOf(f, "net/http/httptest")
		if spec == nil || !strings.HasSuffix(f.name, "_test.go") || noted[path] ||
			!reaches(f.pack.src, moved, map[*packages.Package]bool{}) {
			continue
		}
		noted[path] = true
		item := p.item(spec)
		item.Reason = "fake"
		item.Text = "a server of a test must answer as the service does: a member of another type, one whose name is " +
			"in another case, an empty object, or a file of another size than its answer says, fails here, " +
			"and one that counts requests gets 5 where client-go makes 6"
		report.Notes = append(report.Notes, item)
	}
}

// importOf returns the import of a package in a file, or nil.
func importOf(f *file, path string) *ast.ImportSpec {
	i := slices.IndexFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool { return importPath(spec) == path })
	if i < 0 {
		return nil
	}
	return f.syntax.Imports[i]
}

// reaches reports whether a package is, or imports, one of a set.
func reaches(pkg *packages.Package, set map[string]bool, seen map[*packages.Package]bool) bool {
	if seen[pkg] {
		return false
	}
	seen[pkg] = true
	if set[pkg.PkgPath] {
		return true
	}
	for _, imported := range pkg.Imports {
		if reaches(imported, set, seen) {
			return true
		}
	}
	return false
}
