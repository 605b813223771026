package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How long a test may run without a break, and what one with a break gets in addition to three
// times what its tests took without.
const (
	longest  = 5 * time.Minute
	patience = 20 * time.Second
)

// suite is the tests that judge.
type suite struct {
	programs []*program
	failing  []string
}

// program is the tests of a package.
type program struct {
	path, binary string
	dir          string
	tests        []*test
	// files are the names of the tests in each file, by the name of the file without _test.go.
	files map[string]map[string]bool
}

// test is a function of a program.
type test struct {
	of      *program
	name    string
	took    time.Duration
	reaches map[int]bool
}

// prepare compiles the tests with all breaks, and finds out which tests reach which break.
func prepare(s *settings, dir string, units []*unit, drawn []*mutation) (*suite, error) {
	assign(units, drawn)
	overlay, err := writeOverlay(dir, units, s.memory())
	if err != nil {
		return nil, err
	}
	paths := s.tests
	if len(paths) == 0 {
		for _, u := range units {
			paths = append(paths, u.PkgPath)
		}
	}
	made := &suite{}
	for i, path := range paths {
		p := &program{path: path, binary: filepath.Join(dir, fmt.Sprintf("tests%d", i))}
		if err := p.build(s, overlay); err != nil {
			return nil, err
		}
		made.programs = append(made.programs, p)
	}
	return made, made.try(dir, drawn)
}

// memory is what a program with a break may use, in bytes. The race detector reserves more than
// any program uses.
func (s *settings) memory() uint64 {
	if s.race {
		return 0
	}
	return 8 << 30
}

// writeOverlay writes what the packages have instead of their files.
func writeOverlay(dir string, units []*unit, memory uint64) (string, error) {
	replace := map[string]string{}
	write := func(name string, text []byte) error {
		at := filepath.Join(dir, fmt.Sprintf("file%d.go", len(replace)))
		replace[name] = at
		return os.WriteFile(at, text, 0o600)
	}
	for _, u := range units {
		for _, s := range u.files {
			if err := write(s.name, s.rewritten()); err != nil {
				return "", err
			}
		}
		for name, text := range map[string]string{"breaks_switch.go": switches, "breaks_start.go": start} {
			if err := write(filepath.Join(u.dir, name), u.helper(text, memory)); err != nil {
				return "", err
			}
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o600)
}

// build compiles the tests of a package and lists them.
func (p *program) build(s *settings, overlay string) error {
	list := exec.Command("go", "list", "-f", "{{.Dir}}", p.path)
	list.Dir, list.Stderr = s.root, os.Stderr
	dir, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list %s: %w", p.path, err)
	}
	p.dir = strings.TrimSpace(string(dir))
	args := []string{"test", "-c", "-vet=off", "-gcflags=-dwarf=false", "-overlay", overlay, "-o", p.binary}
	if s.race {
		args = append(args, "-race")
	}
	compile := exec.Command("go", append(args, p.path)...)
	compile.Dir, compile.Stderr = s.root, os.Stderr
	if err := compile.Run(); err != nil {
		return fmt.Errorf("go test -c %s: %w", p.path, err)
	}
	names := exec.Command(p.binary, "-test.list", "^(Test|Example|Fuzz)")
	names.Dir = p.dir
	out, err := names.Output()
	if err != nil {
		return fmt.Errorf("%s: the tests cannot be listed: %w", p.path, err)
	}
	skip, err := regexp.Compile(s.skip)
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(string(out)) {
		if s.skip == "" || !skip.MatchString(name) {
			p.tests = append(p.tests, &test{of: p, name: name})
		}
	}
	return p.readFiles()
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

// readFiles finds out in which file each test is.
func (p *program) readFiles() error {
	names, err := filepath.Glob(filepath.Join(p.dir, "*_test.go"))
	if err != nil {
		return err
	}
	p.files = map[string]map[string]bool{}
	for _, name := range names {
		code, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		tests := map[string]bool{}
		for _, m := range testFunc.FindAllSubmatch(code, -1) {
			tests[string(m[1])] = true
		}
		p.files[strings.TrimSuffix(filepath.Base(name), "_test.go")] = tests
	}
	return nil
}

// try runs each test by itself without a break, and notes what it reaches.
func (made *suite) try(dir string, drawn []*mutation) error {
	var all []*test
	for _, p := range made.programs {
		all = append(all, p.tests...)
	}
	// What is reached without a test is reached before any.
	atStart := map[int]bool{}
	for _, p := range made.programs {
		none := &test{of: p, name: "-"}
		none.try(p.binary + "-start")
		maps.Copy(atStart, none.reaches)
	}
	var mu sync.Mutex
	each(all, func(i int, t *test) error {
		passes := t.try(filepath.Join(dir, fmt.Sprintf("reached%d", i)))
		if !passes {
			mu.Lock()
			defer mu.Unlock()
			made.failing = append(made.failing, t.name)
			t.reaches = nil
			t.took = -1
		}
		return nil
	})
	for _, p := range made.programs {
		p.tests = slices.DeleteFunc(p.tests, func(t *test) bool { return t.took < 0 })
	}
	for _, b := range drawn {
		b.anywhere = b.anywhere || atStart[b.number]
		for _, t := range all {
			if t.reaches[b.number] {
				b.reached++
			}
		}
	}
	slices.Sort(made.failing)
	return nil
}

func (t *test) try(file string) (passes bool) {
	began := time.Now()
	err := t.of.run([]string{t.name}, longest, "BREAKS_REACHED="+file)
	t.took = time.Since(began)
	t.reaches = map[int]bool{}
	lines, _ := os.ReadFile(file)
	for _, line := range strings.Fields(string(lines)) {
		if n, err := strconv.Atoi(line); err == nil {
			t.reaches[n] = true
		}
	}
	return err == nil
}

// failure is what a run of tests ended with.
type failure struct{ by string }

func (f *failure) Error() string { return f.by }

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: ([^ /]+)`)

// run runs tests of a program, until the first that fails.
func (p *program) run(names []string, limit time.Duration, env string) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit+5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.binary, "-test.run", "^("+strings.Join(names, "|")+")$",
		"-test.failfast", "-test.timeout", limit.String())
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), env)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if m := failed.FindSubmatch(out.Bytes()); m != nil {
		return &failure{string(m[1])}
	}
	if ctx.Err() != nil || bytes.Contains(out.Bytes(), []byte("panic: test timed out")) {
		return &failure{"the time limit"}
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		line, _, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
		return &failure{brief(line)}
	}
	return err
}

// judge tries the breaks, and writes each that is noticed.
func (made *suite) judge(tried []*mutation, out io.Writer) error {
	var mu sync.Mutex
	return each(tried, func(_ int, b *mutation) error {
		by, err := made.notices(b)
		mu.Lock()
		defer mu.Unlock()
		if b.noticed = by; by != "" {
			fmt.Fprintf(out, "%s; noticed by %s\n", b.describe(), by)
		}
		return err
	})
}

// notices runs the tests that may notice a break, those first that are likely to.
func (made *suite) notices(b *mutation) (by string, err error) {
	for _, tests := range made.stages(b) {
		for _, p := range made.programs {
			names, limit := p.some(tests)
			if len(names) == 0 {
				continue
			}
			err := p.run(names, limit, "BREAKS_ON="+strconv.Itoa(b.number))
			if f, ok := errors.AsType[*failure](err); ok {
				return f.by, nil
			}
			if err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// some returns the names of the tests that are a program's, and how long they may take.
func (p *program) some(tests []*test) (names []string, limit time.Duration) {
	limit = patience
	for _, t := range tests {
		if t.of == p {
			names = append(names, t.name)
			limit += 3 * t.took
		}
	}
	return names, limit
}

// slow is what a test takes that is run after the others.
const slow = 2 * time.Second

// stages returns the tests that may notice a break: those of its area, the others, and
// those that take long.
func (made *suite) stages(b *mutation) [3][]*test {
	var stages [3][]*test
	area := strings.TrimSuffix(filepath.Base(b.file.name), ".go")
	for _, p := range made.programs {
		for _, t := range p.tests {
			if !b.anywhere && !t.reaches[b.number] {
				continue
			}
			stage := 1
			switch {
			case t.took > slow:
				stage = 2
			case p.files[area][t.name]:
				stage = 0
			}
			stages[stage] = append(stages[stage], t)
		}
	}
	return stages
}

// each calls f for all items, with as many at a time as there are processors, and returns
// the first error.
func each[T any](items []T, f func(int, T) error) error {
	errs := make([]error, len(items))
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, item := range items {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			errs[i] = f(i, item)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
