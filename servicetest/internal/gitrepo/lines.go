package gitrepo

import "slices"

// A lineMatch says that n lines of one text, beginning at a, equal n lines of another,
// beginning at b.
type lineMatch struct{ a, b, n int }

// maxCompared is the maximum product of the numbers of lines of two texts. In longer
// texts, only the common beginning and end are found.
const maxCompared = 4 << 20

// matchLines finds the longest sequence of lines that two texts have in common. Matches
// may be empty or touch each other. The last match is empty and at the end of both
// texts.
func matchLines(a, b []string) []lineMatch {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	matches := []lineMatch{{0, 0, head}}
	for _, m := range longestCommon(a[head:len(a)-tail], b[head:len(b)-tail]) {
		matches = append(matches, lineMatch{m.a + head, m.b + head, m.n})
	}
	return append(matches, lineMatch{len(a) - tail, len(b) - tail, tail}, lineMatch{len(a), len(b), 0})
}

// longestCommon compares every line with every other.
func longestCommon(a, b []string) []lineMatch {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxCompared {
		return nil
	}
	width := len(b) + 1
	length := make([]int32, (len(a)+1)*width) // of the longest common part of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	var matches []lineMatch
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			matches = append(matches, lineMatch{i, j, 1})
			i, j = i+1, j+1
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return matches
}

// mergeLines merges the changes that two texts made to a third. It reports false if
// they changed the same lines, or adjacent lines, in different ways.
func mergeLines(base, ours, theirs []string) ([]string, bool) {
	toOurs, toTheirs := places(base, ours), places(base, theirs)
	var merged []string
	var from struct{ base, ours, theirs int }
	for i := 0; i <= len(base); i++ {
		if toOurs[i] < 0 || toTheirs[i] < 0 {
			continue
		}
		part, ok := mergePart(base[from.base:i], ours[from.ours:toOurs[i]], theirs[from.theirs:toTheirs[i]])
		if !ok {
			return nil, false
		}
		merged = append(merged, part...)
		if i < len(base) {
			merged = append(merged, base[i])
		}
		from.base, from.ours, from.theirs = i+1, toOurs[i]+1, toTheirs[i]+1
	}
	return merged, true
}

// places returns, for each line of a text and for its end, its index in another text,
// or -1 if it is missing there.
func places(a, b []string) []int {
	at := slices.Repeat([]int{-1}, len(a)+1)
	for _, m := range matchLines(a, b) {
		for i := range m.n {
			at[m.a+i] = m.b + i
		}
	}
	at[len(a)] = len(b)
	return at
}

// mergePart merges a part that changed on at most one side.
func mergePart(base, ours, theirs []string) ([]string, bool) {
	switch {
	case slices.Equal(ours, theirs), slices.Equal(base, theirs):
		return ours, true
	case slices.Equal(base, ours):
		return theirs, true
	}
	return nil, false
}
