package servicetest

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// A fileChange is what happened to one file between two trees.
type fileChange struct {
	oldPath, newPath string
	old, new         treeEntry // without a blob: the file was added or removed
}

// diffTrees returns what changed between two trees, in the order of paths.
func diffTrees(old, new tree) []fileChange {
	var changes, removed, added []fileChange
	for path := range union(old, new) {
		change := fileChange{path, path, old[path], new[path]}
		switch {
		case change.old.equal(change.new):
		case change.new.blob == nil:
			removed = append(removed, change)
		case change.old.blob == nil:
			added = append(added, change)
		default:
			changes = append(changes, change)
		}
	}
	changes = append(changes, pairRenames(removed, added)...)
	slices.SortFunc(changes, func(a, b fileChange) int {
		return cmp.Or(strings.Compare(a.newPath, b.newPath), strings.Compare(a.oldPath, b.oldPath))
	})
	return changes
}

// pairRenames joins files that were removed to files that were added with much
// the same content.
func pairRenames(removed, added []fileChange) []fileChange {
	byPath := func(a, b fileChange) int { return strings.Compare(a.newPath, b.newPath) }
	slices.SortFunc(removed, byPath)
	slices.SortFunc(added, byPath)
	for i := range added {
		best, most := -1, 0.5
		for j, candidate := range removed {
			if same := similarity(candidate.old.blob, added[i].new.blob); same >= most && (best < 0 || same > most) {
				best, most = j, same
			}
		}
		if best >= 0 {
			added[i].oldPath, added[i].old = removed[best].oldPath, removed[best].old
			removed = slices.Delete(removed, best, best+1)
		}
	}
	return append(added, removed...)
}

// similarity returns how much of their lines two contents share, from 0 to 1.
func similarity(a, b *blob) float64 {
	switch {
	case len(a.data) == 0 || len(b.data) == 0:
		return 0
	case a.id == b.id:
		return 1
	case !a.isText() || !b.isText():
		return 0
	}
	from, to := a.lines(), b.lines()
	common := 0
	for _, m := range matchLines(from, to) {
		common += m.n
	}
	return 2 * float64(common) / float64(len(from)+len(to))
}

// isBinary reports whether a change has no lines.
func (f fileChange) isBinary() bool {
	return f.old.blob != nil && !f.old.isText() || f.new.blob != nil && !f.new.isText()
}

// edits returns the runs of lines that differ.
func (f fileChange) edits() []lineEdit {
	if f.isBinary() {
		return nil
	}
	var edits []lineEdit
	a, b := 0, 0
	for _, m := range matchLines(f.old.lines(), f.new.lines()) {
		if m.a > a || m.b > b {
			edits = append(edits, lineEdit{a, m.a, b, m.b})
		}
		a, b = m.a+m.n, m.b+m.n
	}
	return edits
}

// A lineEdit says that the lines a to aEnd of one text became the lines b to
// bEnd of another.
type lineEdit struct{ a, aEnd, b, bEnd int }

type statsObject struct {
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	Total     int `json:"total"`
}

// statsOf counts the lines of changes.
func statsOf(changes []fileChange) *statsObject {
	stats := new(statsObject)
	for _, change := range changes {
		for _, e := range change.edits() {
			stats.Deletions += e.aEnd - e.a
			stats.Additions += e.bEnd - e.b
		}
	}
	stats.Total = stats.Additions + stats.Deletions
	return stats
}

type diffObject struct {
	Diff        string   `json:"diff"`
	NewPath     string   `json:"new_path"`
	OldPath     string   `json:"old_path"`
	AMode       jsonText `json:"a_mode"`
	BMode       string   `json:"b_mode"`
	NewFile     bool     `json:"new_file"`
	RenamedFile bool     `json:"renamed_file"`
	DeletedFile bool     `json:"deleted_file"`
}

func (f fileChange) json() diffObject {
	d := diffObject{
		Diff: f.unified(), NewPath: f.newPath, OldPath: f.oldPath, BMode: "0",
		NewFile: f.old.blob == nil, RenamedFile: f.oldPath != f.newPath, DeletedFile: f.new.blob == nil,
	}
	if !d.NewFile {
		d.AMode = jsonText(f.old.mode())
	}
	if !d.DeletedFile {
		d.BMode = f.new.mode()
	}
	return d
}

// contextLines is how much a diff shows around a change.
const contextLines = 3

// unified returns the hunks of a change in the unified format.
func (f fileChange) unified() string {
	if f.isBinary() {
		return fmt.Sprintf("Binary files a/%s and b/%s differ\n", f.oldPath, f.newPath)
	}
	from, to := f.old.lines(), f.new.lines()
	var text strings.Builder
	for hunk := range hunksOf(f.edits()) {
		writeHunk(&text, hunk, from, to)
	}
	return text.String()
}

// hunksOf groups edits whose surroundings touch.
func hunksOf(edits []lineEdit) iter.Seq[[]lineEdit] {
	return func(yield func([]lineEdit) bool) {
		for len(edits) > 0 {
			n := 1
			for n < len(edits) && edits[n].a-edits[n-1].aEnd <= 2*contextLines {
				n++
			}
			if !yield(edits[:n]) {
				return
			}
			edits = edits[n:]
		}
	}
}

func writeHunk(text *strings.Builder, edits []lineEdit, from, to []string) {
	first, last := edits[0], edits[len(edits)-1]
	before := min(first.a, contextLines)
	after := min(len(from)-last.aEnd, contextLines)
	fmt.Fprintf(text, "@@ -%s +%s @@\n",
		span(first.a-before, last.aEnd+after), span(first.b-before, last.bEnd+after))
	at := first.a - before
	for _, e := range edits {
		writeLines(text, ' ', from[at:e.a])
		writeLines(text, '-', from[e.a:e.aEnd])
		writeLines(text, '+', to[e.b:e.bEnd])
		at = e.aEnd
	}
	writeLines(text, ' ', from[at:at+after])
}

// span writes a run of lines as hunks name it, from 1.
func span(start, end int) string {
	switch end - start {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

func writeLines(text *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		text.WriteByte(sign)
		text.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			text.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
