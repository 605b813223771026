package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"
)

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
	largest := graph.largestCycle()
	fmt.Printf("pairs of files that need each other: %d\n", pairs)
	fmt.Printf("the largest cycle of files: %d: %s\n", len(largest), strings.Join(largest, " "))
	return nil
}

func readGraph() (needs, error) {
	list, err := output("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.GoFiles}}", ".")
	if err != nil {
		return nil, err
	}
	compiled, names := map[string]string{}, ""
	for line := range strings.Lines(list) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		compiled[fields[0]], names = fields[1], strings.Trim(fields[2], "[]") // the root comes last
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range strings.Fields(names) {
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
		if object.Pkg() != pkg {
			continue
		}
		from, to := set.Position(ident.Pos()).Filename, set.Position(object.Pos()).Filename
		hub := from == "services.go" || from == "client.go" && strings.HasSuffix(ident.Name, "Service")
		if to == from || hub {
			continue
		}
		if graph[from] == nil {
			graph[from] = map[string]bool{}
		}
		graph[from][to] = true
	}
	return graph, nil
}

// largestCycle returns the largest set of files of which each needs all others, if
// not directly.
func (g needs) largestCycle() (largest []string) {
	reached := map[string]map[string]bool{}
	for from := range g {
		reached[from] = map[string]bool{}
		g.reach(from, reached[from])
	}
	for from := range g {
		var cycle []string
		for to := range reached[from] {
			if reached[to][from] {
				cycle = append(cycle, to)
			}
		}
		if slices.Sort(cycle); len(cycle) > len(largest) {
			largest = cycle
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
