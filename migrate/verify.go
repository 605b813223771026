package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"example.com/serviceapi/migrate/internal/move"
)

// library is the module path of this library, and version is what programs require of it.
const (
	library = "example.com/serviceapi"
	version = "v0.1.0"
)

// A verifier runs the tests of a program as it is, and as it would be. It writes nothing to the
// program: the go command reads the new files and the new go.mod from a temporary folder.
type verifier struct {
	dir      string // of the program
	patterns []string
	tags     string
	temp     string
	progress func(string)
}

// A test is named by its package and its name, which is empty for the package as a whole.
type test struct{ pkg, name string }

// outcomes are the results of tests: pass, fail or skip.
type outcomes map[test]string

const (
	missing = "missing"        // of a test that did not run
	broken  = "does not build" // of a package
)

// A change is a test that ends in another way than before.
type change struct {
	Package  string   `json:"package"`
	Test     string   `json:"test,omitempty"` // none if it is the package as a whole
	Before   string   `json:"before"`         // pass, fail, skip, missing or does not build
	After    string   `json:"after"`
	Output   []string `json:"output,omitempty"`   // of the test after the move
	Unsteady bool     `json:"unsteady,omitempty"` // it changes without the move, too
}

// A verification is what the tests of a program say.
type verification struct {
	Results int      `json:"results"` // of tests and packages, before
	Changes []change `json:"changes"`
	Aside   int      `json:"aside,omitempty"` // results of tests that are set aside
}

// verify returns the tests that the new files change, without those that are set aside.
func verify(
	options move.Options, files []move.File, aside []move.AsideTest,
) (result *verification, err error) {
	if len(files) == 0 {
		return &verification{Changes: []change{}}, nil
	}
	temp, err := os.MkdirTemp("", "migrate")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	v := &verifier{dir: options.Dir, patterns: options.Patterns, tags: options.Tags, temp: temp,
		progress: options.Progress}
	flags, err := v.prepare(files)
	if err != nil {
		return nil, err
	}
	before, _, err := v.run("the program as it is", nil)
	if err != nil {
		return nil, err
	}
	after, output, err := v.run("the moved program", flags)
	if err != nil {
		return nil, err
	}
	result = &verification{Results: len(before), Changes: compare(before, after, output)}
	result.leaveOut(aside)
	if len(result.Changes) == 0 {
		return result, nil
	}
	again, _, err := v.run("the program as it is, again", []string{"-count=1"})
	if err != nil {
		return nil, err
	}
	for i, c := range result.Changes {
		result.Changes[i].Unsteady = cmp.Or(again[test{c.Package, c.Test}], missing) != c.Before
	}
	return result, nil
}

// leaveOut takes out the tests that are set aside: the report has them already.
func (v *verification) leaveOut(aside []move.AsideTest) {
	all := len(v.Changes)
	v.Changes = slices.DeleteFunc(v.Changes, func(c change) bool {
		name, _, _ := strings.Cut(c.Test, "/")
		return c.After == missing && slices.Contains(aside, move.AsideTest{Package: c.Package, Name: name})
	})
	v.Aside = all - len(v.Changes)
}

// compare returns the tests that end in different ways. A package says nothing more if one of
// its tests does, and the tests of a package that does not run any more say nothing.
func compare(before, after outcomes, output map[test][]string) []change {
	all := maps.Clone(before)
	maps.Copy(all, after)
	changes := []change{}
	lost, other := map[string]int{}, map[string]int{}
	for t := range all {
		was, is := cmp.Or(before[t], missing), cmp.Or(after[t], missing)
		if was == is {
			continue
		}
		changes = append(changes, change{Package: t.pkg, Test: t.name, Before: was, After: is, Output: output[t]})
		if t.name != "" && is == missing {
			lost[t.pkg]++
		} else if t.name != "" {
			other[t.pkg]++
		}
	}
	stopped := func(pkg string) bool {
		is := after[test{pkg: pkg}]
		return other[pkg] == 0 && (is == broken || is == "fail" && before[test{pkg: pkg}] != "fail")
	}
	changes = slices.DeleteFunc(changes, func(c change) bool {
		if c.Test == "" {
			return !stopped(c.Package) && lost[c.Package]+other[c.Package] > 0
		}
		return stopped(c.Package)
	})
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Test, b.Test))
	})
	return changes
}

// prepare writes what the go command reads instead of the files of the program, and returns
// the flags that say so.
func (v *verifier) prepare(files []move.File) ([]string, error) {
	replace := map[string]string{}
	for i, f := range files {
		name, err := filepath.Abs(f.Name)
		if err != nil {
			return nil, err
		}
		replace[name] = filepath.Join(v.temp, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(replace[name], f.New, 0o600); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(v.temp, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, err
	}
	modfile, err := v.module()
	if err != nil {
		return nil, err
	}
	return []string{"-overlay=" + overlay, "-modfile=" + modfile, "-mod=mod"}, nil
}

// module writes a go.mod that requires this library, with its go.sum.
func (v *verifier) module() (string, error) {
	name, err := v.goCommand("env", "GOMOD")
	if err != nil {
		return "", err
	}
	modfile := filepath.Join(v.temp, "go.mod")
	if err := copyFile(modfile, name, true); err != nil {
		return "", err
	}
	if err := copyFile(filepath.Join(v.temp, "go.sum"), strings.TrimSuffix(name, ".mod")+".sum", false); err != nil {
		return "", err
	}
	text, err := os.ReadFile(modfile)
	if err != nil {
		return "", err
	}
	edits := []string{"mod", "edit", "-require=" + library + "@" + version}
	if !bytes.Contains(text, []byte(library+" =>")) && !bytes.Contains(text, []byte(library+" "+version+" =>")) {
		folder := clone()
		if folder == "" {
			return "", errors.New("the clone of this library was not found: add a replace for it to go.mod")
		}
		edits = append(edits, "-replace="+library+"="+folder)
	}
	mod, err := readGoMod(modfile)
	if err != nil {
		return "", err
	}
	if settings := mod.keptSettings(); settings != "" {
		edits = append(edits, "-godebug="+settings)
	}
	if _, err := v.goCommand(append(edits, modfile)...); err != nil {
		return "", err
	}
	return modfile, v.rebase(modfile, filepath.Dir(name))
}

// rebase makes the folders in a copy of go.mod independent of where it is.
func (v *verifier) rebase(modfile, root string) error {
	text, err := v.goCommand("mod", "edit", "-json", modfile)
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal([]byte(text), &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		edit := "-replace=" + old + "=" + filepath.Join(root, r.New.Path)
		if _, err := v.goCommand("mod", "edit", edit, modfile); err != nil {
			return err
		}
	}
	return nil
}

// clone returns the folder of this library that the command was built in, "" if it is gone.
func clone() string {
	_, name, _, ok := runtime.Caller(0)
	if !ok {
		return ""
	}
	root := filepath.Dir(filepath.Dir(name))
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !bytes.Contains(text, []byte("module "+library+"\n")) {
		return ""
	}
	return root
}

func copyFile(to, from string, required bool) error {
	text, err := os.ReadFile(from)
	if os.IsNotExist(err) && !required {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

func (v *verifier) goCommand(args ...string) (string, error) {
	command := exec.Command("go", args...)
	command.Dir = v.dir
	var problems bytes.Buffer
	command.Stderr = &problems
	text, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, bytes.TrimSpace(problems.Bytes()))
	}
	return strings.TrimSpace(string(text)), nil
}

// run runs the tests once. That tests fail is no error.
func (v *verifier) run(what string, flags []string) (outcomes, map[test][]string, error) {
	if v.progress != nil {
		v.progress("running the tests of " + what)
	}
	args := append([]string{"test", "-json"}, flags...)
	if v.tags != "" {
		args = append(args, "-tags="+v.tags)
	}
	command := exec.Command("go", append(args, v.patterns...)...)
	command.Dir = v.dir
	// A workspace has no modfile of its own.
	command.Env = append(os.Environ(), "GOWORK=off")
	var problems bytes.Buffer
	command.Stderr = &problems
	text, err := command.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, nil, err
	}
	results, output := read(bytes.NewReader(text))
	if len(results) == 0 && err != nil {
		return nil, nil, fmt.Errorf("the tests of %s do not run:\n%s", what, bytes.TrimSpace(problems.Bytes()))
	}
	return results, output, nil
}

// maxOutput is how many lines of a test are kept.
const maxOutput = 12

// read reads what go test -json prints.
func read(r io.Reader) (outcomes, map[test][]string) {
	results, output := outcomes{}, map[test][]string{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var event struct{ Action, Package, ImportPath, Test, Output, FailedBuild string }
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			continue
		}
		path, _, _ := strings.Cut(event.ImportPath, " ")
		t := test{pkg: cmp.Or(event.Package, path), name: event.Test}
		switch event.Action {
		case "pass", "fail", "skip":
			if results[t] = event.Action; event.FailedBuild != "" {
				results[t] = broken
			}
		case "output", "build-output":
			line := strings.TrimRight(event.Output, "\n")
			if !strings.HasPrefix(strings.TrimSpace(line), "=== ") && len(output[t]) < maxOutput {
				output[t] = append(output[t], line)
			}
		}
	}
	return results, output
}

// changed reports whether the move changed a test.
func (v *verification) changed() bool {
	return v != nil && slices.ContainsFunc(v.Changes, func(c change) bool { return !c.Unsteady })
}

func (v *verification) print(w io.Writer) {
	if v == nil {
		return
	}
	changed := 0
	for _, c := range v.Changes {
		name := strings.TrimSpace(c.Package + " " + c.Test)
		if c.Unsteady {
			fmt.Fprintf(w, "%s: %s before, %s after; it changes without the move, too\n", name, c.Before, c.After)
			continue
		}
		changed++
		fmt.Fprintf(w, "%s: %s before, %s after\n", name, c.Before, c.After)
		for _, line := range c.Output {
			fmt.Fprintln(w, "\t"+line)
		}
	}
	if v.Aside > 0 {
		fmt.Fprintf(w, "%d results are of tests that are set aside\n", v.Aside)
	}
	fmt.Fprintf(w, "%d tests and packages ran before, %d changed\n", v.Results, changed)
}
