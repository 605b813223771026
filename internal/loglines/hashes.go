package loglines

const (
	// maxGroups is the maximum number of hashes that are kept. It is even.
	maxGroups = 1 << 16
	// multiplier combines the hashes of lines. It is odd, so that no bit is lost.
	multiplier = 0x9E3779B97F4A7C15
)

// lineHashes identifies the lines that were yielded. Each group of size lines has
// one hash, so that an endless log needs no more memory than a long one: when
// there are too many groups, each two of them become one.
type lineHashes struct {
	groups []uint64
	limit  int
	// size is the number of lines in a group, and power is multiplier to the power
	// of size.
	size  int
	power uint64
	// last is the hash of the lines after the groups, and lines is their number.
	last  uint64
	lines int
}

func newHashes(limit int) lineHashes {
	return lineHashes{limit: limit, size: 1, power: multiplier}
}

// len is the number of lines.
func (h *lineHashes) len() int { return len(h.groups)*h.size + h.lines }

// add adds a line.
func (h *lineHashes) add(hash uint64) {
	h.last = h.last*multiplier + hash
	if h.lines++; h.lines < h.size {
		return
	}
	h.groups = append(h.groups, h.last)
	h.last, h.lines = 0, 0
	if len(h.groups) == h.limit {
		h.merge()
	}
}

// merge makes one group of two.
func (h *lineHashes) merge() {
	half := len(h.groups) / 2
	for i := range half {
		h.groups[i] = h.groups[2*i]*h.power + h.groups[2*i+1]
	}
	h.groups = h.groups[:half]
	h.size *= 2
	h.power *= h.power
}

// at returns the hash of the group that ends with the line of this number, the
// first of which is 1. If it ends with another line, ok is false. A group that is
// full is followed by another one.
func (h *lineHashes) at(number int) (hash uint64, ok, full bool) {
	switch group := number / h.size; {
	case number%h.size == 0 && group <= len(h.groups):
		return h.groups[group-1], true, true
	case number == h.len():
		return h.last, true, false
	}
	return 0, false, false
}

// cutBefore forgets the group of a line and all that follow. It reports whether
// the line is the first one of its group, so that no other line is forgotten.
func (h *lineHashes) cutBefore(number int) bool {
	group := (number - 1) / h.size
	h.groups = h.groups[:min(group, len(h.groups))]
	h.last, h.lines = 0, 0
	return (number-1)%h.size == 0
}
