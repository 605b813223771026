// Command figures prints how the package is built, for ARCHITECTURE.md: its files and
// lines, which files need each other to compile, and what of it one call executes.
//
//	go run ./internal/figures
//
// What a call executes is the coverage of a program that makes it, less that of the
// same program without the call.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

func main() {
	log.SetFlags(0)
	name := flag.String("call", "", "only make this call, for the coverage of the program")
	flag.Parse()
	if *name != "" {
		if err := makeCall(*name); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := report(); err != nil {
		log.Fatal(err)
	}
}

func report() error {
	root, err := inventory.Root()
	if err == nil {
		err = os.Chdir(root)
	}
	if err != nil {
		return err
	}
	if err := reportFiles(); err != nil {
		return err
	}
	if err := reportGraph(); err != nil {
		return err
	}
	return reportCalls()
}

// beside are the files of the root that are neither the core nor an area, by the
// beginning of their names.
var beside = []string{
	"objects", "types", "filters", "refs_results", // what areas share
	"download", "save", "transfer", "upload", // transfers
	"waiting", "oauth", "dump", "doc",
}

// reportFiles prints the number of files in the root and the length of the core: what
// is in the root but areas and the files beside, and what it has under internal.
func reportFiles() error {
	names, err := filepath.Glob("*.go")
	if err != nil {
		return err
	}
	areas, err := areaNames(names)
	if err != nil {
		return err
	}
	files, lines := 0, 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || belongs(name, areas) || belongs(name, beside) {
			continue
		}
		n, err := countLines(name)
		if err != nil {
			return err
		}
		files, lines = files+1, lines+n
	}
	pure, err := filepath.Glob("internal/*/*.go")
	if err != nil {
		return err
	}
	used, err := packagesOf(".")
	if err != nil {
		return err
	}
	pureFiles, pureLines := 0, 0
	for _, name := range pure {
		if strings.HasSuffix(name, "_test.go") || used[module+"/"+filepath.ToSlash(filepath.Dir(name))] == "" {
			continue
		}
		n, err := countLines(name)
		if err != nil {
			return err
		}
		pureFiles, pureLines = pureFiles+1, pureLines+n
	}
	fmt.Printf("files in the root, with tests: %d\n", len(names))
	fmt.Printf("the core: %d lines in %d files of the root, and %d in %d files of internal\n", lines, files, pureLines, pureFiles)
	return nil
}

// areaNames returns the names of the files that have the methods of a service,
// without their endings.
func areaNames(names []string) (areas []string, err error) {
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && f.Recv != nil && f.Name.IsExported() && strings.HasSuffix(inventory.Receiver(f), "Service") {
				areas = append(areas, strings.TrimSuffix(name, ".go"))
				break
			}
		}
	}
	return areas, nil
}

// belongs reports whether a file is one of those with these names, or continues it:
// jobs_types.go continues jobs.go.
func belongs(name string, to []string) bool {
	base := strings.TrimSuffix(name, ".go")
	return slices.ContainsFunc(to, func(area string) bool { return base == area || strings.HasPrefix(base, area+"_") })
}

func countLines(name string) (int, error) {
	data, err := os.ReadFile(name)
	return bytes.Count(data, []byte("\n")), err
}
