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
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

const module = "example.com/serviceapi"

func main() {
	log.SetFlags(0)
	name := flag.String("call", "", "only make this call, for the coverage of the program")
	flag.Parse()
	report := []func() error{enterRoot, reportFiles, reportGraph, reportCalls}
	if *name != "" {
		report = []func() error{func() error { return makeCall(*name) }}
	}
	for _, step := range report {
		if err := step(); err != nil {
			log.Fatal(err)
		}
	}
}

func enterRoot() error {
	root, err := inventory.Root()
	return errors.Join(err, os.Chdir(root))
}

// beside are the files of the root that are neither the core nor an area, by the
// beginning of their names.
var beside = []string{
	"types", "filters", // what areas share
	"download", "save", "upload", "waiting", "oauth", "dump", "doc",
}

// ofArea are the lines of client.go and services.go that an area adds to the core: the
// field of the client with its comment, its assignment, and its owners.
var ofArea = regexp.MustCompile(`(?m)(?:^\t//.*\n)+\t\w+ \*\w+Service$|^\tc\.\w+ = \(\*\w+Service\)\(s\)$|^\t\w+Owner$`)

// reportFiles prints the number of files in the root and the length of the core: what
// is in the root but areas and the files beside, and what it uses of internal.
func reportFiles() error {
	source, err := inventory.Parse()
	if err != nil {
		return err
	}
	others := slices.Clone(beside)
	for name, file := range source.Files {
		for _, f := range inventory.Funcs(file) {
			if f.Recv != nil && f.Name.IsExported() && strings.HasSuffix(inventory.Receiver(f), "Service") {
				others = append(others, strings.TrimSuffix(name, ".go"))
			}
		}
	}
	var core []string
	for name := range source.Files {
		if !belongs(name, others) {
			core = append(core, name)
		}
	}
	used, err := output("go", "list", "-deps", "-f", `{{range .GoFiles}}{{$.ImportPath}}/{{.}}{{"\n"}}{{end}}`, ".")
	if err != nil {
		return err
	}
	var pure []string
	for file := range strings.Lines(used) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(file), module+"/internal/"); ok {
			pure = append(pure, filepath.Join("internal", name))
		}
	}
	all, err := filepath.Glob("*.go")
	if err != nil {
		return err
	}
	fmt.Printf("files in the root, with tests: %d\n", len(all))
	fmt.Printf("the core: %d lines in %d files of the root, and %d in %d files of internal\n",
		countLines(core), len(core), countLines(pure), len(pure))
	fmt.Printf("of these, lines that list the areas: %d\n", countAreas())
	return nil
}

// belongs reports whether a file is one of those with these names, or continues it:
// jobs_types.go continues jobs.go.
func belongs(name string, to []string) bool {
	base := strings.TrimSuffix(name, ".go")
	return slices.ContainsFunc(to, func(other string) bool { return strings.HasPrefix(base+"_", other+"_") })
}

func countLines(names []string) (lines int) {
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		lines += bytes.Count(data, []byte("\n"))
	}
	return lines
}

func countAreas() (lines int) {
	for _, name := range []string{"client.go", "services.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		for _, entry := range ofArea.FindAll(data, -1) {
			lines += bytes.Count(entry, []byte("\n")) + 1
		}
	}
	return lines
}

// output runs a command and returns its standard output.
func output(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%s: %w\n%s", name, err, exit.Stderr)
	}
	return string(out), err
}
