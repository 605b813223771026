package demo

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// A Line shows progress on one line of a terminal. Elsewhere, such as in a file or a
// pipe, only its end is written: a carriage return means nothing there.
type Line struct {
	w        io.Writer
	terminal bool
	shown    time.Time
	width    int
}

// NewLine returns a line that has not been written yet.
func NewLine(w io.Writer) *Line { return &Line{w: w, terminal: isTerminal(w)} }

// isTerminal reports whether a writer is a terminal that can go back in a line.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Show replaces what the line says, at most ten times a second.
func (l *Line) Show(format string, args ...any) {
	if l.terminal && time.Since(l.shown) >= 100*time.Millisecond {
		l.shown = time.Now()
		l.write(fmt.Sprintf(format, args...))
	}
}

// End writes what the line says in the end.
func (l *Line) End(format string, args ...any) {
	l.write(fmt.Sprintf(format, args...))
	fmt.Fprintln(l.w)
}

// write writes over what is there.
func (l *Line) write(text string) {
	if l.terminal {
		text, l.width = fmt.Sprintf("\r%-*s", l.width, text), len(text)
	}
	io.WriteString(l.w, text)
}

// Bytes returns a size for people, such as "18.0 MB".
func Bytes(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	size, unit := float64(n)/1000, 0
	for size >= 999.95 && unit < len(units)-1 {
		size, unit = size/1000, unit+1
	}
	return fmt.Sprintf("%.1f %cB", size, units[unit])
}

// Count returns a number with a noun, such as "1 job" or "3 jobs".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Cell returns text of the service for a cell of CSV. A spreadsheet would take it for a formula
// if it began with one of these characters.
func Cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// escape is a sequence that moves the cursor or sets a color.
var escape = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]")

// Clip returns text of the service for one line or for one cell of a table: without
// colors and control characters, and with an ellipsis in the middle if it is longer than
// limit.
func Clip(text string, limit int) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, escape.ReplaceAllString(text, "")))
	if len(runes) <= limit {
		return string(runes)
	}
	end := (limit - 1) / 2
	return string(runes[:limit-1-end]) + "…" + string(runes[len(runes)-end:])
}
