package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const module = "example.com/serviceapi"

// packagesOf returns the packages that a package of the module is compiled with, and
// where the go command has them in its cache.
func packagesOf(dir string) (map[string]string, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", dir)
	out, err := list.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return nil, err
	}
	compiled := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		compiled[path] = file
	}
	return compiled, nil
}

// needs are the files that each file uses a declaration of.
type needs map[string]map[string]bool

// reportGraph prints which files of the root need each other. The hub is left out:
// the fields of the client and the function that fills them name every service.
func reportGraph() error {
	graph, err := readGraph()
	if err != nil {
		return err
	}
	pairs := 0
	for from, uses := range graph {
		for to := range uses {
			if from < to && graph[to][from] {
				pairs++
			}
		}
	}
	fmt.Printf("pairs of files that need each other: %d\n", pairs)
	largest := graph.largestCycle()
	fmt.Printf("the largest cycle of files: %d: %s\n", len(largest), strings.Join(largest, " "))
	return nil
}

func readGraph() (needs, error) {
	compiled, err := packagesOf(".")
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(compiled[path])
	})}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := config.Check(module, set, files, info)
	if err != nil {
		return nil, err
	}
	graph := needs{}
	for ident, object := range info.Uses {
		from, to := set.Position(ident.Pos()).Filename, declaredIn(set, pkg, object)
		if to == "" || to == from || isHub(from, ident.Name) {
			continue
		}
		if graph[from] == nil {
			graph[from] = map[string]bool{}
		}
		graph[from][to] = true
	}
	return graph, nil
}

func isHub(file, name string) bool {
	return file == "services.go" || file == "client.go" && strings.HasSuffix(name, "Service")
}

// declaredIn returns the file of the package that declares what an identifier means.
func declaredIn(set *token.FileSet, pkg *types.Package, object types.Object) string {
	if object.Pkg() != pkg {
		return ""
	}
	switch o := object.(type) {
	case *types.Func:
		object = o.Origin()
	case *types.Var:
		object = o.Origin()
	}
	return set.Position(object.Pos()).Filename
}

// largestCycle returns the largest set of files of which each needs all others, if
// not directly.
func (g needs) largestCycle() (largest []string) {
	reached := map[string]map[string]bool{}
	for from := range g {
		reached[from] = map[string]bool{}
		g.reach(from, reached[from])
	}
	for _, from := range slices.Sorted(maps.Keys(g)) {
		var cycle []string
		for to := range reached[from] {
			if reached[to][from] {
				cycle = append(cycle, to)
			}
		}
		if len(cycle) > len(largest) {
			largest = slices.Sorted(slices.Values(cycle))
		}
	}
	return largest
}

func (g needs) reach(from string, seen map[string]bool) {
	for to := range g[from] {
		if !seen[to] {
			seen[to] = true
			g.reach(to, seen)
		}
	}
}
