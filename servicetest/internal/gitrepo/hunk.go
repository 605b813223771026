package gitrepo

import (
	"fmt"
	"strings"
)

// contextLines is the number of lines that a diff shows around a change.
const contextLines = 3

// Unified returns the hunks of the change in the unified format, without the lines that
// name the file.
func (c Change) Unified() string {
	if c.IsBinary() {
		return fmt.Sprintf("Binary files a/%s and b/%s differ\n", c.OldPath, c.NewPath)
	}
	from, to := c.Old.Lines(), c.New.Lines()
	var out strings.Builder
	for _, hunk := range hunksOf(c.Edits()) {
		writeHunk(&out, hunk, from, to)
	}
	return out.String()
}

// hunksOf groups edits whose context lines touch.
func hunksOf(edits []Edit) [][]Edit {
	var hunks [][]Edit
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].Old-edits[n-1].OldEnd <= 2*contextLines {
			n++
		}
		hunks = append(hunks, edits[:n])
		edits = edits[n:]
	}
	return hunks
}

func writeHunk(out *strings.Builder, edits []Edit, from, to []string) {
	first, last := edits[0], edits[len(edits)-1]
	before := min(first.Old, contextLines)
	after := min(len(from)-last.OldEnd, contextLines)
	fmt.Fprintf(out, "@@ -%s +%s @@\n",
		span(first.Old-before, last.OldEnd+after), span(first.New-before, last.NewEnd+after))
	at := first.Old - before
	for _, e := range edits {
		writeLines(out, ' ', from[at:e.Old])
		writeLines(out, '-', from[e.Old:e.OldEnd])
		writeLines(out, '+', to[e.New:e.NewEnd])
		at = e.OldEnd
	}
	writeLines(out, ' ', from[at:at+after])
}

// span formats a range of lines for a hunk header, counting from 1.
func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

func writeLines(out *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
