// Command migrate moves Go programs from client-go to this library. Build it in this
// folder, and run it in the module of the program:
//
//	go build -o /tmp/migrate .
//	/tmp/migrate ./...     # prints what it would do
//	/tmp/migrate -w ./...  # writes
//
// README.md in its folder says what is moved, what is left, and how to read the report.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"example.com/serviceapi/migrate/internal/move"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// The statuses of the command.
const (
	movedAll = 0
	leftSome = 1
	failed   = 2
)

// A config is what the flags of the command say.
type config struct {
	options                     move.Options
	write, diff, asJSON, verify bool
}

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("migrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&c.write, "w", false, "write the files")
	flags.BoolVar(&c.diff, "diff", false, "print the differences")
	flags.BoolVar(&c.asJSON, "json", false, "print the report as JSON")
	flags.BoolVar(&c.verify, "verify", false, "run the tests of the program as it is and as it would be")
	flags.StringVar(&c.options.Tags, "tags", "", "build tags, separated by commas")
	flags.StringVar(&c.options.Dir, "C", "", "the folder of the program")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: migrate [-w] [-diff] [-json] [-verify] [-tags list] [-C folder] [packages]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return config{}, err
	}
	c.options.Patterns = flags.Args()
	if len(c.options.Patterns) == 0 {
		c.options.Patterns = []string{"./..."}
	}
	c.options.Progress = progress(stderr)
	return c, nil
}

func run(args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if err != nil {
		return failed
	}
	result, tests, err := c.move(stderr)
	if err == nil {
		err = c.print(stdout, result, tests)
	}
	if err != nil {
		fmt.Fprintln(stderr, "migrate:", err)
		return failed
	}
	if result.Report.Left > 0 || slices.ContainsFunc(result.Report.Items, isLeft) || tests.changed() {
		return leftSome
	}
	return movedAll
}

// move moves the program, runs its tests and writes it, as far as the flags say so.
func (c config) move(stderr io.Writer) (result *move.Result, tests *verification, err error) {
	defer clear(stderr)
	if result, err = move.Run(c.options); err != nil {
		return nil, nil, err
	}
	if c.verify {
		if tests, err = verify(c.options, result.Files, result.Report.Aside); err != nil {
			return nil, nil, err
		}
	}
	if c.write {
		err = writeFiles(result.Files)
	}
	return result, tests, err
}

// print prints what the flags ask for.
func (c config) print(w io.Writer, result *move.Result, tests *verification) error {
	if c.diff {
		for _, f := range result.Files {
			fmt.Fprint(w, move.Diff(f.Name, f.Old, f.New))
		}
	}
	if c.asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			move.Report
			Tests *verification `json:"tests,omitempty"`
		}{result.Report, tests})
	}
	printReport(w, result, c.write, c.diff)
	if result.Report.Moved > 0 {
		printNext(w, settingsOf(c.options.Dir))
	}
	tests.print(w)
	return nil
}

func isLeft(i move.Item) bool { return i.Reason != "" }

func writeFiles(files []move.File) error {
	for _, f := range files {
		mode := os.FileMode(0o644)
		if info, err := os.Stat(f.Name); err == nil {
			mode = info.Mode().Perm()
		}
		if err := os.WriteFile(f.Name, f.New, mode); err != nil {
			return err
		}
	}
	return nil
}

func printReport(w io.Writer, result *move.Result, wrote, short bool) {
	report := &result.Report
	if !short {
		for _, item := range report.Items {
			fmt.Fprintln(w, item)
		}
		for _, note := range report.Notes {
			fmt.Fprintln(w, note)
		}
	}
	if report.Sites == 0 && len(report.Items) == 0 {
		fmt.Fprintln(w, "nothing to move: no package calls client-go")
		return
	}
	fmt.Fprintf(w, "\n%d calls of client-go: %d moved, %d left\n", report.Sites, report.Moved, report.Left)
	for _, reason := range sortedKeys(report.Reasons) {
		fmt.Fprintf(w, "%6d  %s\n", report.Reasons[reason], reason)
	}
	printBlockers(w, report.Blockers)
	verb := "would change"
	if wrote {
		verb = "changed"
	}
	fmt.Fprintf(w, "%d files %s\n", len(result.Files), verb)
}

// printNext prints what to do after the files are written. The settings are those of keptSettings.
func printNext(w io.Writer, settings string) {
	fmt.Fprintf(w, "then run:\n\tgo mod edit -require %s@%s \\\n\t\t-replace %s=%s",
		library, version, library, cmp.Or(clone(), "/path/to/the/clone"))
	if settings != "" {
		fmt.Fprintf(w, " \\\n\t\t-godebug %s", settings)
	}
	fmt.Fprint(w, "\n\tgo mod tidy\n")
}

// maxBlockers is how many lines the summary has at most.
const maxBlockers = 10

// printBlockers prints which lines to change first.
func printBlockers(w io.Writer, blockers []move.Blocker) {
	if len(blockers) == 0 {
		return
	}
	fmt.Fprintln(w, "what keeps the most calls:")
	for _, b := range blockers[:min(len(blockers), maxBlockers)] {
		fmt.Fprintf(w, "%6d  %s:%d: %s\n", b.Calls, b.File, b.Line, b.Text)
	}
	if more := len(blockers) - maxBlockers; more > 0 {
		fmt.Fprintf(w, "        and %d more lines\n", more)
	}
}

func sortedKeys(m map[string]int) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
	return keys
}

// progress returns a function that prints each step, or nil if nobody watches.
func progress(w io.Writer) func(string) {
	if !isTerminal(w) {
		return nil
	}
	return progressLine(w)
}

// progressLine writes each step over the previous one.
func progressLine(w io.Writer) func(string) {
	return func(step string) { fmt.Fprintf(w, "\r\x1b[K%.78s", step) }
}

func clear(w io.Writer) {
	if isTerminal(w) {
		fmt.Fprint(w, "\r\x1b[K")
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
