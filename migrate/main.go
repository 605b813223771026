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
	"path/filepath"
	"runtime"
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

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("migrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	write := flags.Bool("w", false, "write the files")
	diff := flags.Bool("diff", false, "print the differences")
	asJSON := flags.Bool("json", false, "print the report as JSON")
	tags := flags.String("tags", "", "build tags, separated by commas")
	dir := flags.String("C", "", "the folder of the program")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: migrate [-w] [-diff] [-json] [-tags list] [-C folder] [packages]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return failed
	}
	options := move.Options{Dir: *dir, Patterns: flags.Args(), Tags: *tags, Progress: progress(stderr)}
	if len(options.Patterns) == 0 {
		options.Patterns = []string{"./..."}
	}
	result, err := move.Run(options)
	clear(stderr)
	if err != nil {
		fmt.Fprintln(stderr, "migrate:", err)
		return failed
	}
	if *write {
		if err := writeFiles(result.Files); err != nil {
			fmt.Fprintln(stderr, "migrate:", err)
			return failed
		}
	}
	if *diff {
		for _, f := range result.Files {
			fmt.Fprint(stdout, move.Diff(f.Name, f.Old, f.New))
		}
	}
	if *asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(result.Report); err != nil {
			fmt.Fprintln(stderr, "migrate:", err)
			return failed
		}
	} else {
		printReport(stdout, result, *write, *diff)
	}
	if result.Report.Left > 0 || slices.ContainsFunc(result.Report.Items, isLeft) {
		return leftSome
	}
	return movedAll
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
	verb := "would change"
	if wrote {
		verb = "changed"
	}
	fmt.Fprintf(w, "%d files %s\n", len(result.Files), verb)
	if report.Moved > 0 {
		fmt.Fprintf(w, "then run:\n\tgo mod edit -require example.com/serviceapi@v0.1.0 \\\n"+
			"\t\t-replace example.com/serviceapi=%s\n\tgo mod tidy\n", clone())
	}
}

// clone returns the folder of the library that the command was built in.
func clone() string {
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		return filepath.Dir(filepath.Dir(file))
	}
	return "/path/to/the/clone"
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
