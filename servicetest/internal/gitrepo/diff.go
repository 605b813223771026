package gitrepo

import (
	"cmp"
	"slices"
	"strings"
)

// A Change is what happened to one file between two trees.
type Change struct {
	OldPath, NewPath string
	Old, New         Entry // one of them does not exist if the file was added or removed
}

// Added reports whether the file is new.
func (c Change) Added() bool { return !c.Old.Exists() }

// Removed reports whether the file is gone.
func (c Change) Removed() bool { return !c.New.Exists() }

// Renamed reports whether the file has another path than before.
func (c Change) Renamed() bool { return c.OldPath != c.NewPath }

// DiffTrees returns what changed between two trees, in the order of paths. A removed
// file and an added one with at least half of its lines count as one renamed file.
func DiffTrees(old, new Tree) []Change {
	var changes, removed, added []Change
	for path := range union(old, new) {
		change := Change{path, path, old[path], new[path]}
		switch {
		case change.Old.Equal(change.New):
		case change.Removed():
			removed = append(removed, change)
		case change.Added():
			added = append(added, change)
		default:
			changes = append(changes, change)
		}
	}
	changes = append(changes, pairRenames(removed, added)...)
	slices.SortFunc(changes, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.NewPath, b.NewPath), strings.Compare(a.OldPath, b.OldPath))
	})
	return changes
}

// pairRenames pairs removed files with added files of similar content.
func pairRenames(removed, added []Change) []Change {
	byPath := func(a, b Change) int { return strings.Compare(a.NewPath, b.NewPath) }
	slices.SortFunc(removed, byPath)
	slices.SortFunc(added, byPath)
	for i := range added {
		best, most := -1, 0.5
		for j, candidate := range removed {
			if same := similarity(candidate.Old.Blob, added[i].New.Blob); same >= most && (best < 0 || same > most) {
				best, most = j, same
			}
		}
		if best >= 0 {
			added[i].OldPath, added[i].Old = removed[best].OldPath, removed[best].Old
			removed = slices.Delete(removed, best, best+1)
		}
	}
	return append(added, removed...)
}

// similarity returns the share of common lines in two contents, from 0 to 1.
func similarity(a, b *Blob) float64 {
	switch {
	case len(a.Data) == 0 || len(b.Data) == 0:
		return 0
	case a.ID == b.ID:
		return 1
	case !a.IsText() || !b.IsText():
		return 0
	}
	from, to := a.Lines(), b.Lines()
	common := 0
	for _, m := range matchLines(from, to) {
		common += m.n
	}
	return 2 * float64(common) / float64(len(from)+len(to))
}

// IsBinary reports whether the change cannot be shown in lines.
func (c Change) IsBinary() bool {
	return c.Old.Exists() && !c.Old.IsText() || c.New.Exists() && !c.New.IsText()
}

// An Edit says that the lines Old to OldEnd became the lines New to NewEnd. Lines count
// from 0, and the end is exclusive.
type Edit struct{ Old, OldEnd, New, NewEnd int }

// Edits returns the runs of lines that differ, or none for a binary file.
func (c Change) Edits() []Edit {
	if c.IsBinary() {
		return nil
	}
	var edits []Edit
	before, now := 0, 0
	for _, m := range matchLines(c.Old.Lines(), c.New.Lines()) {
		if m.a > before || m.b > now {
			edits = append(edits, Edit{before, m.a, now, m.b})
		}
		before, now = m.a+m.n, m.b+m.n
	}
	return edits
}

// CountFiles returns the number of paths at which two trees differ. A renamed file
// counts twice.
func CountFiles(old, new Tree) int {
	n := 0
	for path := range union(old, new) {
		if !old[path].Equal(new[path]) {
			n++
		}
	}
	return n
}

// CountLines returns how many lines changes add and remove.
func CountLines(changes []Change) (added, removed int) {
	for _, change := range changes {
		for _, e := range change.Edits() {
			removed += e.OldEnd - e.Old
			added += e.NewEnd - e.New
		}
	}
	return added, removed
}
