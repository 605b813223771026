package move

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// helperBase is the prefix of the files that the command adds to a package.
const helperBase = "serviceapi_helpers"

func isHelperFile(name string) bool { return strings.HasPrefix(filepath.Base(name), helperBase) }

// help adds a helper to the package of a unit, and returns its name there.
func (r *rewriter) help(name string) string {
	r.helpers[name] = true
	return r.free(name)
}

func (r *rewriter) free(name string) string { return r.u.file.pack.free(name) }

// help adds a helper to the package of a file, and returns its name there.
func (k *repairer) help(name string) string {
	k.helpers[name] = true
	return k.f.pack.free(name)
}

// free returns the name of a helper in a package. It is longer if the program already uses the
// name.
func (pk *pack) free(name string) string {
	for pk.declares(name) {
		name = "service" + strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}

// declares reports whether the program declares a name in a package. The helpers of an earlier
// run do not count.
func (pk *pack) declares(name string) bool {
	obj := pk.src.Types.Scope().Lookup(name)
	return obj != nil && !isHelperFile(pk.src.Fset.Position(obj.Pos()).Filename)
}

// name returns the name of a package.
func (pk *pack) name() string { return pk.src.Types.Name() }

// earlier returns the file that an earlier run wrote, or nil.
func (h *helperFile) earlier() *file {
	for _, f := range h.pack.files {
		if f.name == h.name {
			return f
		}
	}
	return nil
}

// has reports whether an earlier run has written a helper.
func (h *helperFile) has(helper helper) bool {
	for _, name := range declared(helper.text) {
		obj := h.pack.src.Types.Scope().Lookup(h.pack.free(name))
		if obj == nil {
			continue
		}
		file := h.pack.src.Fset.Position(obj.Pos()).Filename
		if isHelperFile(file) && (file == h.name || !strings.HasSuffix(file, "_test.go")) {
			return true
		}
	}
	return false
}

// renamed gives the declarations of helpers names that are free in the package.
func (h *helperFile) renamed(text string, names []string) string {
	for _, name := range names {
		if now := h.pack.free(name); now != name {
			text = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(text, now)
		}
	}
	return text
}

// declared returns the names of the functions, types and constants that the text of a helper declares.
func declared(text string) []string {
	syntax, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var names []string
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				names = append(names, decl.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						names = append(names, id.Name)
					}
				}
			}
		}
	}
	return names
}

// dropUnused drops the helpers that the new text does not call: it was shortened since they were
// added.
func (v *version) dropUnused(h *helperFile) {
	words := map[string]bool{}
	for _, f := range v.p.sortedFiles() {
		if f.pack.path != h.pack.path {
			continue
		}
		text, changed := v.texts[f]
		if !changed {
			text = string(f.text)
		}
		for _, word := range wordsOf.FindAllString(text, -1) {
			words[word] = true
		}
	}
	for name := range h.names {
		if !slices.ContainsFunc(declared(v.p.helper(name).text), func(name string) bool {
			return words[name] || words[h.pack.free(name)]
		}) {
			delete(h.names, name)
		}
	}
}

var wordsOf = regexp.MustCompile(`\w+`)
