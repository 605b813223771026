package demotest

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// Shown checks that examples/README.md shows what a program prints: each line of its
// block, in this order, in which "…" stands for anything. A line that is only "…" stands
// for any lines. It also checks that the output fits a terminal.
func Shown(t *testing.T, program, printed string) {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(readme), "\n$ go run ./examples/"+program)
	block, _, _ = strings.Cut(block, "\n```")
	_, block, _ = strings.Cut(block, "\n")
	if !found || block == "" {
		t.Fatalf("examples/README.md does not show what %s prints", program)
	}
	rest := strings.Split(strings.TrimRight(printed, "\n"), "\n")
	gap := false
	for line := range strings.SplitSeq(block, "\n") {
		if line == "…" {
			gap = true
			continue
		}
		at, pattern := 0, regexp.MustCompile("^"+strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")+"$")
		for gap && at < len(rest) && !pattern.MatchString(rest[at]) {
			at++
		}
		if at == len(rest) || !pattern.MatchString(rest[at]) {
			t.Fatalf("examples/README.md shows this, but %s does not print it there:\n%s\nbut:\n%s",
				program, line, strings.Join(rest, "\n"))
		}
		rest, gap = rest[at+1:], false
	}
	if !gap && len(rest) > 0 {
		t.Errorf("examples/README.md does not show that %s also prints:\n%s", program, strings.Join(rest, "\n"))
	}
}

// columns is the width of a terminal.
const columns = 80

// checkText checks that what a program prints fits a terminal, and can be written to a
// file.
func checkText(t *testing.T, text string) {
	t.Helper()
	if strings.ContainsAny(text, "\r\x1b") {
		t.Errorf("a carriage return or a color in a pipe: %q", text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ReplaceAll(line, "    \t", "        ")
		if utf8.RuneCountInString(line) > columns && !data.MatchString(line) {
			t.Errorf("wider than %d columns: %s", columns, line)
		}
	}
}

// data are lines that may be wider: JSON and CSV for other programs, and errors, which
// nobody may cut.
var data = regexp.MustCompile(`^\{.*\}$|^[^ ]*,[^ ]|^[\w-]+: |^invalid value |https?://`)
