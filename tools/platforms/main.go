// Platforms checks that packages and their tests compile on other platforms.
//
// Everything is type-checked from source, the standard library, too, but without the
// bodies of its functions: nothing is compiled, which takes a tenth of the time of go vet.
// From the folder tools:
//
//	go run ./platforms -C .. windows/amd64,js/wasm . ./servicetest
//
// The exit status is 1 if there are errors.
package main

import (
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

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("C", ".", "folder of the module")
	flag.Parse()
	if flag.NArg() < 2 {
		log.Fatal("usage: platforms [-C folder] system/processor,… package…")
	}
	failed := false
	for platform := range strings.SplitSeq(flag.Arg(0), ",") {
		found, err := check(*dir, platform, flag.Args()[1:])
		if err != nil {
			log.Fatal(err)
		}
		for _, text := range found {
			failed = true
			fmt.Printf("%s: %s\n", platform, text)
		}
	}
	if failed {
		os.Exit(1)
	}
}

const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes

// check returns what is wrong with the packages on a platform.
func check(dir, platform string, patterns []string) (found []string, err error) {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return nil, fmt.Errorf("%q is not a platform: windows/amd64 is one", platform)
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: mode, Dir: root, Tests: true,
		Env: append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
		ParseFile: func(set *token.FileSet, name string, code []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, name, code, parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
				dropBodies(file)
			}
			return file, err
		},
	}, patterns...)
	if err != nil {
		return nil, err
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("no packages match %q", patterns)
	}
	for _, p := range loaded {
		if strings.HasSuffix(p.ID, ".test") {
			continue // the main package of the tests, which is generated
		}
		for _, e := range p.Errors {
			if text := e.Error(); !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
	}
	return found, nil
}

func dropBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}
