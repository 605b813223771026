// Breaks finds code whose absence no test notices.
//
// It draws breaks at random, such as a negated condition, a dropped statement or a struct tag
// without one of its options, in the files given, and runs the tests for each of them. All
// breaks are compiled into one program per package of tests, where a variable of the
// environment switches on one at a time; the files themselves are not changed. A break is
// judged by the tests that reach it, those of its own area first. From the folder tools:
//
//	go run ./breaks -seed 7 -n 50 ../jobs*.go
//	go run ./breaks -tests .,./internal/servicetests ../jobs.go
//	go run ./breaks -skip '^TestCalls$' -n 150 ../servicetest/*.go
//
// A break that is not noticed is equivalent to what was there, or a test is missing: this is for
// a person to judge. The seed draws the same breaks again as long as the files are the same, and
// -only repeats some of them. It needs Linux for the breaks of struct tags.
//
// The exit status is 1 if a break is not noticed.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// settings are what the command line says.
type settings struct {
	root  string
	seed  uint64
	count int
	only  []int
	tests []string
	skip  string
	race  bool
	list  bool
	files []string
}

func main() {
	log.SetFlags(0)
	var s settings
	var only, tests string
	flag.StringVar(&s.root, "root", "..", "folder of the module")
	flag.Uint64Var(&s.seed, "seed", 1, "what is drawn")
	flag.IntVar(&s.count, "n", 50, "how many breaks to draw")
	flag.StringVar(&only, "only", "", "numbers of the breaks to try, of those drawn")
	flag.StringVar(&tests, "tests", "", "packages whose tests judge, instead of those of the files")
	flag.StringVar(&s.skip, "skip", "", "tests to leave out, as in go test -skip")
	flag.BoolVar(&s.race, "race", false, "run the tests with the race detector")
	flag.BoolVar(&s.list, "list", false, "list what is drawn, and run nothing")
	flag.Parse()
	s.files = flag.Args()
	for _, number := range strings.FieldsFunc(only, isComma) {
		n, err := strconv.Atoi(number)
		if err != nil {
			log.Fatal(err)
		}
		s.only = append(s.only, n)
	}
	s.tests = strings.FieldsFunc(tests, isComma)
	missed, err := run(s, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	if missed > 0 {
		os.Exit(1)
	}
}

func isComma(r rune) bool { return r == ',' }

// run draws breaks, tries them, and writes what came of it. It returns how many were not
// noticed.
func run(s settings, out io.Writer) (missed int, err error) {
	packages, err := load(s.root, s.files)
	if err != nil {
		return 0, err
	}
	drawn, possible, err := draw(packages, s.seed, s.count)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "seed %d: %d of %d possible breaks\n", s.seed, len(drawn), possible)
	tried := slices.DeleteFunc(slices.Clone(drawn), func(b *mutation) bool {
		return len(s.only) > 0 && !slices.Contains(s.only, b.number)
	})
	if s.list {
		for _, b := range tried {
			fmt.Fprintln(out, b.describe())
		}
		return 0, nil
	}
	dir, err := os.MkdirTemp("", "breaks")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	suite, err := prepare(&s, dir, packages, drawn)
	if err != nil {
		return 0, err
	}
	for _, name := range suite.failing {
		fmt.Fprintln(out, "left out, because it fails without a break:", name)
	}
	if err := suite.judge(tried, out); err != nil {
		return 0, err
	}
	return report(tried, out), nil
}

// report writes which breaks were not noticed, and the rates for each kind.
func report(tried []*mutation, out io.Writer) (missed int) {
	type rate struct{ noticed, all int }
	kinds := map[string]rate{}
	fmt.Fprintln(out, "\nnot noticed:")
	for _, b := range tried {
		r := kinds[b.kind]
		r.all++
		if b.noticed != "" {
			r.noticed++
		} else {
			missed++
			fmt.Fprintf(out, "%s; %s\n", b.describe(), b.reach())
		}
		kinds[b.kind] = r
	}
	if missed == 0 {
		fmt.Fprintln(out, "none")
	}
	fmt.Fprintln(out)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(out, "%4d of %4d  %s\n", kinds[kind].noticed, kinds[kind].all, kind)
	}
	all := len(tried)
	if all > 0 {
		fmt.Fprintf(out, "%4d of %4d are noticed: %.1f %%\n", all-missed, all, 100*float64(all-missed)/float64(all))
	}
	return missed
}

// describe says where a break is and what it does.
func (b *mutation) describe() string {
	return fmt.Sprintf("%4d  %s:%d  %s: %s", b.number, filepath.Base(b.file.name), b.line, b.kind, b.text)
}

// reach says which tests could have noticed a break.
func (b *mutation) reach() string {
	switch {
	case b.anywhere:
		return "no test notices it"
	case b.reached == 0:
		return "no test reaches it"
	}
	return fmt.Sprintf("%d tests reach it", b.reached)
}
