package redact

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/internal/text"
)

// span is a part of a string.
type span struct{ start, end int }

// find returns the parts of a string that are secrets, in order and without overlaps, and
// where the string ends if it is the beginning of a longer one: before what may be the
// beginning of a secret.
func (r *Redactor) find(s string) (found []span, end int) {
	end = len(s)
	if len(r.secrets) == 0 || s == "" {
		return nil, end
	}
	var few [16]target
	targets := few[:0]
	for _, secret := range r.secrets {
		for shift := plain; shift < 3; shift++ {
			targets = append(targets, target{secret: secret, shift: shift})
		}
	}
	for _, written := range r.written {
		for shift := range 3 {
			targets = append(targets, target{secret: written, shift: shift})
		}
	}
	where := beginsOf(targets)
	at, again := layer{text: s}, true
	for range layers {
		var cut int
		steps := manySteps + stepsPerByte*len(s)
		found, cut = at.find(s, targets, &where, found, &steps)
		if steps <= 0 {
			return []span{{0, len(s)}}, len(s)
		}
		end = min(end, cut)
		if at, again = decode(at); !again {
			break
		}
	}
	return merge(found), end
}

// The comparisons after which the search in a text is given up, and all of it is hidden. Only one
// that was made for it needs as many.
const (
	manySteps    = 1 << 16
	stepsPerByte = 32
)

// merge joins parts that overlap.
func merge(parts []span) []span {
	slices.SortFunc(parts, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	merged := parts[:0]
	for _, part := range parts {
		if last := len(merged) - 1; last >= 0 && part.start < merged[last].end {
			merged[last].end = max(merged[last].end, part.end)
			continue
		}
		merged = append(merged, part)
	}
	return merged
}

// layers is how often a secret may have been escaped, such as in JSON inside of JSON.
const layers = 3

// layer is a string as it is, or with its escapes decoded once or more.
type layer struct {
	text string
	// at is where each byte of the text comes from in the string, nil if the text is the
	// string itself.
	at []int
}

// start and end return the part of the string that a part of the text comes from. The text is
// not empty.
func (l layer) start(i int) int {
	if l.at == nil {
		return i
	}
	return l.at[i]
}

func (l layer) end(i int) int {
	if l.at == nil {
		return i
	}
	for i < len(l.text) && l.at[i] == l.at[i-1] {
		i++ // another byte of the same character
	}
	return l.at[i]
}

// set is a set of targets. From the 16th on, several share a bit.
type set uint16

func setOf(target int) set { return 1 << (target % 15) }

// several means that more than one byte may make a character.
const several set = 1 << 15

// begins has the targets that may begin with a byte, and those that may go on with one after
// a character that is one byte.
type begins struct{ first, second [256]set }

func beginsOf(targets []target) (b begins) {
	for n := range targets {
		targets[n].mark(&b.first, setOf(n), 0)
		targets[n].mark(&b.second, setOf(n), 1)
	}
	for _, c := range []byte(escapes) {
		b.first[c] |= several
	}
	for c := utf8.RuneSelf; c < 256; c++ {
		b.first[c] |= several
	}
	return b
}

// at returns the targets that may begin at a place of a text.
func (b *begins) at(s string, i int) set {
	may := b.first[s[i]]
	if may != 0 && may&several == 0 && i+1 < len(s) {
		may &= b.second[s[i+1]]
	}
	return may &^ several
}

// find appends the parts of a string that are secrets in this layer of it, and the beginning of
// one at its end if it is long enough to be one. It returns where what may be the beginning of a
// secret begins.
func (l layer) find(s string, targets []target, where *begins, found []span, steps *int) ([]span, int) {
	for n := range targets {
		targets[n].from = 0
	}
	cut := len(s)
	for i := range len(l.text) {
		may := where.at(l.text, i)
		if may == 0 {
			continue
		}
		c, size, isCut := unescape(l.text[i:])
		if isCut {
			cut = min(cut, l.start(i))
		}
		for n := range targets {
			t := &targets[n]
			if may&setOf(n) == 0 || i < t.from || !t.mayBegin(l.text[i:], c, size) {
				continue
			}
			end, part := t.match(l.text, i, steps)
			if part >= 0 {
				cut = min(cut, l.start(i))
			}
			if end == 0 && part >= shortest {
				found = append(found, span{l.start(i), len(s)})
			}
			if end == 0 {
				continue
			}
			from, to := t.widen(l.text, i, end)
			whole := span{l.start(from), l.end(to)}
			if t.shift == plain && isWord(t.secret) && continues(s[:whole.start], s[whole.end:]) {
				continue
			}
			t.from = end
			found = append(found, whole)
		}
	}
	return found, cut
}

// isWord reports whether a secret is so short that it may be a part of a word or a number.
func isWord(secret string) bool {
	noNumber := strings.ContainsFunc(secret, func(r rune) bool { return r < '0' || r > '9' })
	noWord := strings.ContainsFunc(secret, func(r rune) bool { return r >= utf8.RuneSelf || !isLetter(byte(r)) })
	return len(secret) < long && !(noNumber && noWord)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// continues reports whether the boundary between two strings is inside a word. The end of an
// escaped character is none of a word.
func continues(before, after string) bool {
	return before != "" && text.IsWordByte(before[len(before)-1]) && !endsEscaped(before) ||
		after != "" && text.IsWordByte(after[0])
}

// endsEscaped reports whether a string ends with an escaped character, such as \n, \u0026, \x26,
// %26 or %2526.
func endsEscaped(s string) bool {
	tail := func(n int) string { return s[max(0, len(s)-n):] }
	if strings.HasPrefix(tail(2), `\`) || strings.HasPrefix(tail(6), `\u`) || strings.HasPrefix(tail(4), `\x`) {
		return true
	}
	percent := strings.LastIndexByte(s, '%')
	if percent < 0 || len(s)-percent > 16 {
		return false
	}
	code := s[percent+1:]
	for strings.HasPrefix(code, "25") && len(code) > 2 {
		code = code[2:]
	}
	return len(code) == 2 && isHex(code)
}

// decode returns a layer with the escapes in it decoded, and whether that may show more of them.
func decode(l layer) (decoded layer, again bool) {
	if !strings.ContainsAny(l.text, escapes) {
		return layer{}, false
	}
	var b strings.Builder
	at := make([]int, 0, len(l.text)+1)
	for i := 0; i < len(l.text); {
		c, n, _ := unescape(l.text[i:])
		if n == 0 {
			b.WriteByte(l.text[i])
			n = 1
		} else {
			c.writeTo(&b)
			again = true
		}
		for len(at) < b.Len() {
			at = append(at, l.start(i))
		}
		i += n
	}
	return layer{b.String(), append(at, l.end(len(l.text)))}, again
}
