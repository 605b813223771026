package move

import (
	"bytes"
	"go/format"
	"strings"
	"unicode"
)

// finished returns the final text of a file. New parts are formatted, and the rest
// stays as it was.
func (f *file) finished(text string) []byte {
	now := formatted(text)
	if old := formatted(string(f.text)); old != string(f.text) {
		now = keepLines(string(f.text), old, now)
	}
	if bytes.Equal(f.raw, f.text) {
		return []byte(now)
	}
	if now == string(f.text) {
		return f.raw
	}
	return f.keepEnds(now)
}

// formatted formats a text. If the text is not Go, it stays as it is.
func formatted(text string) string {
	result, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	return string(result)
}

// keepLines undoes the formatting of lines that do not change. The texts are the old
// one, the old one formatted, and the new one, also formatted.
func keepLines(old, formattedOld, now string) string {
	chunks, at := chunksOf(splitLines(old), splitLines(formattedOld))
	var out strings.Builder
	steps := align(splitLines(formattedOld), splitLines(now))
	for i := 0; i < len(steps); i++ {
		if steps[i].op == '-' {
			continue
		}
		if steps[i].op == '+' {
			out.WriteString(steps[i].line)
			continue
		}
		c := chunks[at[steps[i].a]]
		if end := i + c.lines; steps[i].a == c.start && end <= len(steps) && allKept(steps[i:end]) {
			out.WriteString(c.text)
			i = end - 1
			continue
		}
		out.WriteString(steps[i].line)
	}
	if formatted(out.String()) != now {
		return now
	}
	return out.String()
}

func allKept(steps []step) bool {
	for _, s := range steps {
		if s.op != ' ' {
			return false
		}
	}
	return true
}

// A chunk is a part of a text that formatting turns into other lines.
type chunk struct {
	text  string
	start int // the first of its formatted lines
	lines int
}

// chunksOf splits a text into the smallest parts that formatting keeps apart. It also
// returns the part of each formatted line.
func chunksOf(old, now []string) (chunks []chunk, at []int) {
	var c chunk
	add := func() {
		if c.lines == 0 {
			return // text that formatting removes stays with the following line
		}
		for range c.lines {
			at = append(at, len(chunks))
		}
		chunks = append(chunks, c)
		c = chunk{start: c.start + c.lines}
	}
	kept := false
	for _, s := range align(squeezed(old), squeezed(now)) {
		if s.op == ' ' || kept {
			add()
		}
		kept = s.op == ' '
		if s.op != '+' {
			c.text += old[s.a]
		}
		if s.op != '-' {
			c.lines++
		}
	}
	add()
	if len(chunks) > 0 {
		chunks[len(chunks)-1].text += c.text
	}
	return chunks, at
}

// squeezed returns lines without their blanks.
func squeezed(lines []string) []string {
	var all []string
	for _, line := range lines {
		all = append(all, strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, line))
	}
	return all
}

// keepEnds restores the byte order mark and the line ends of the file.
func (f *file) keepEnds(now string) []byte {
	rest, hasMark := bytes.CutPrefix(f.raw, []byte(byteOrderMark))
	raw := splitLines(string(rest))
	end := "\n"
	if 2*bytes.Count(rest, []byte("\r\n")) > len(raw) {
		end = "\r\n"
	}
	var out bytes.Buffer
	if hasMark {
		out.WriteString(byteOrderMark)
	}
	for _, s := range align(splitLines(string(f.text)), splitLines(now)) {
		switch s.op {
		case ' ':
			out.WriteString(raw[s.a])
		case '+':
			line, _ := strings.CutSuffix(s.line, "\n")
			out.WriteString(line + end)
		}
	}
	return out.Bytes()
}

// splitLines returns the lines of a text with their ends.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
