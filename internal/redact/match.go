package redact

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// target is a secret in one of two forms.
//
// The plain one is that of each text which escapes any of its characters in any of these ways:
// as JSON, Go, Ruby and JavaScript do it (\n, \/, \u0026, \x26), as URLs and forms (%26, %C3%A9,
// + for a space), as HTML (&amp; &#38; &#x26;) and as a JSON pointer (~1). Text that the
// service has taken for Latin-1, or in which it has replaced what is no text, counts, too.
//
// The other one is Base64, of the secret itself or of text with the secret in it, such as that
// of a Basic credential. Three bytes make four characters, so there are three ways to encode a
// secret, each of which begins and ends with a character that depends on what is next to it.
type target struct {
	secret string
	// shift is the place of the secret in a group of three bytes, or plain.
	shift int
	// from is where the next match may begin.
	from int
}

const plain = -1

// escapes are the characters that escapes begin with.
const escapes = `%\&~`

// size is the number of steps in which the target is matched.
func (t *target) size() int {
	if t.shift == plain {
		return len(t.secret)
	}
	return (t.shift+len(t.secret))*8/6 - t.shift*8/6 - min(t.shift, 1)
}

// base64 returns the nth character that depends only on the secret, in both alphabets.
func (t *target) base64(n int) (standard, forURLs byte) {
	first := t.shift*8/6 + min(t.shift, 1)
	bit := (first+n)*6 - t.shift*8
	i, bits := bit/8, 0
	bits = int(t.secret[i]) << 8
	if i+1 < len(t.secret) {
		bits |= int(t.secret[i+1])
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	switch value := bits >> (10 - bit%8) & 63; value {
	case 62:
		return '+', '-'
	case 63:
		return '/', '_'
	default:
		return letters[value], letters[value]
	}
}

// mark adds the target to the sets of the bytes that it may begin with, or of those that
// it may go on with after n characters.
func (t *target) mark(sets *[256]set, this set, n int) {
	for _, c := range []byte(escapes) {
		sets[c] |= this
	}
	if t.shift != plain {
		standard, forURLs := t.base64(n)
		sets[standard] |= this
		sets[forURLs] |= this
		return
	}
	next := t.secret[n]
	sets[next] |= this
	if next == ' ' {
		sets['+'] |= this
	}
	for c := utf8.RuneSelf; c < 256 && next >= utf8.RuneSelf; c++ {
		sets[c] |= this
	}
}

// mayBegin reports whether the target may begin with the first character of a text, of which c is
// the meaning if it is escaped by n bytes.
func (t *target) mayBegin(s string, c char, n int) (may bool) {
	if t.shift == plain && s[0] == t.secret[0] {
		return true
	}
	add := func(state) { may = true }
	if n > 0 {
		t.step(c, n, state{}, add)
	}
	t.literally(s, state{}, add)
	return may
}

// state is how far a text and a target agree.
type state struct{ text, step int }

// match returns where the target ends that begins at this place of a text, 0 if it does not. If the
// text ends before the target may, cut is how many of its bytes it has, and -1 otherwise. Each
// comparison takes a step, of which none may be left.
func (t *target) match(s string, begin int, steps *int) (end, cut int) {
	var few [8]state
	pending, size := append(few[:0], state{begin, 0}), t.size()
	cut = -1
	for len(pending) > 0 && *steps > 0 {
		// Each way on leads forward in both, so that none is taken twice.
		last := 0
		for i := range pending {
			if pending[i].step < pending[last].step {
				last = i
			}
		}
		at := pending[last]
		pending = slices.Delete(pending, last, last+1)
		switch {
		case at.step == size:
			end = max(end, at.text)
			continue
		case at.text == len(s):
			cut = max(cut, at.step)
			continue
		}
		add := func(next state) {
			*steps -= 1 + len(pending)
			if !slices.Contains(pending, next) {
				pending = append(pending, next)
			}
		}
		c, n, isCut := unescape(s[at.text:])
		if isCut || !utf8.FullRuneInString(s[at.text:]) {
			cut = max(cut, at.step)
		}
		if n > 0 {
			t.step(c, n, at, add)
		}
		t.literally(s, at, add)
	}
	return end, cut
}

// maxReplaced is the number of bytes that a replacement character stands for at most.
const maxReplaced = 32

// step adds the states after a character of n bytes.
func (t *target) step(c char, n int, at state, add func(state)) {
	if t.shift != plain {
		standard, forURLs := t.base64(at.step)
		if c.value == rune(standard) || c.value == rune(forURLs) {
			add(state{at.text + n, at.step + 1})
		}
		return
	}
	rest := t.secret[at.step:]
	if c.value < utf8.RuneSelf || c.isByte {
		if rest[0] == byte(c.value) {
			add(state{at.text + n, at.step + 1})
		}
		return
	}
	var encoded [utf8.UTFMax]byte
	size := utf8.EncodeRune(encoded[:], c.value)
	if strings.HasPrefix(rest, string(encoded[:size])) {
		add(state{at.text + n, at.step + size})
	}
	if c.value <= 0xff && rest[0] == byte(c.value) { // it was taken for Latin-1
		add(state{at.text + n, at.step + 1})
	}
	if c.value == utf8.RuneError { // it replaces what is no text
		for i := 0; i < min(maxReplaced, len(rest)) && rest[i] >= utf8.RuneSelf; i++ {
			add(state{at.text + n, at.step + i + 1})
		}
	}
}

// literally adds the states after a character that is not escaped, or by another one.
func (t *target) literally(s string, at state, add func(state)) {
	c := s[at.text]
	if c >= utf8.RuneSelf {
		if value, size := utf8.DecodeRuneInString(s[at.text:]); size > 1 {
			t.step(char{value: value}, size, at, add)
		}
	}
	t.step(char{value: rune(c), isByte: true}, 1, at, add)
	if c == '+' && t.shift == plain {
		t.step(char{value: ' '}, 1, at, add)
	}
}

// widen returns a match with what depends on the secret beside it: in Base64, a character on
// both sides, and the end.
func (t *target) widen(s string, begin, end int) (from, to int) {
	if t.shift == plain {
		return begin, end
	}
	if t.shift > 0 && begin > 0 && isBase64(s[begin-1]) {
		begin--
	}
	if end < len(s) && isBase64(s[end]) {
		end++
	}
	for end < len(s) && s[end] == '=' {
		end++
	}
	return begin, end
}

func isBase64(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || strings.IndexByte("+/-_", c) >= 0
}

// char is a character, or a byte of one.
type char struct {
	value  rune
	isByte bool
}

func (c char) writeTo(b *strings.Builder) {
	if c.isByte {
		b.WriteByte(byte(c.value))
	} else {
		b.WriteRune(c.value)
	}
}

// unescape reads the escaped character of n bytes that a text begins with; n is 0 if it does not.
// It is cut if the text may end inside of one.
func unescape(s string) (c char, n int, cut bool) {
	switch s[0] {
	case '%':
		value, n, cut := code(s, 1, 2)
		return char{value, true}, n, cut
	case '\\':
		return unescapeBackslash(s)
	case '&':
		return unescapeHTML(s)
	case '~':
		switch {
		case len(s) == 1:
			return char{}, 0, true
		case s[1] == '0':
			return char{value: '~'}, 2, false
		case s[1] == '1':
			return char{value: '/'}, 2, false
		}
	}
	return char{}, 0, false
}

// code reads a number of hexadecimal digits that begin at a place of a text.
func code(s string, begin, digits int) (value rune, end int, cut bool) {
	end = begin + digits
	if len(s) < end {
		return 0, 0, isHex(s[min(begin, len(s)):])
	}
	if !isHex(s[begin:end]) {
		return 0, 0, false
	}
	number, _ := strconv.ParseUint(s[begin:end], 16, 32)
	return rune(min(number, utf8.MaxRune)), end, false
}

func isHex(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'f') && (r < 'A' || r > 'F')
	})
}

// unescapeBackslash reads the escapes of programming languages.
func unescapeBackslash(s string) (c char, n int, cut bool) {
	if len(s) == 1 {
		return char{}, 0, true
	}
	switch letter := s[1]; {
	case letter == 'u':
		return unescapeUnicode(s)
	case letter == 'U':
		c.value, n, cut = code(s, 2, 8)
		return c, n, cut
	case letter == 'x':
		value, n, cut := code(s, 2, 2)
		return char{value, true}, n, cut
	case isLetter(letter) || letter >= '0' && letter <= '9':
		const letters, values = "abefnrtv0", "\a\b\x1b\f\n\r\t\v\x00"
		if i := strings.IndexByte(letters, letter); i >= 0 {
			return char{value: rune(values[i])}, 2, false
		}
		return char{}, 0, false
	case letter < utf8.RuneSelf:
		return char{value: rune(letter)}, 2, false
	}
	return char{}, 0, false
}

// unescapeUnicode reads \u0026, \u{26}, or the two halves of a character.
func unescapeUnicode(s string) (c char, n int, cut bool) {
	if inside, ok := strings.CutPrefix(s, `\u{`); ok {
		digits, _, closed := strings.Cut(inside[:min(len(inside), 9)], "}")
		if !closed || digits == "" {
			return char{}, 0, len(inside) < 9 && isHex(digits)
		}
		value, _, _ := code(digits, 0, len(digits))
		return char{value: value}, len(`\u{}`) + len(digits), false
	}
	value, n, cut := code(s, 2, 4)
	if n == 0 || !utf16.IsSurrogate(value) {
		return char{value: value}, n, cut
	}
	low, end, cut := code(s, n+2, 4)
	switch rest := s[n:]; {
	case end > 0 && strings.HasPrefix(rest, `\u`):
		return char{value: utf16.DecodeRune(value, low)}, end, false
	case strings.HasPrefix(`\u`, rest), cut && strings.HasPrefix(rest, `\u`):
		return char{value: utf8.RuneError}, n, true
	}
	return char{value: utf8.RuneError}, n, false
}

// maxEntity is the longest name of a character in HTML, with its marks.
const maxEntity = 34

// unescapeHTML reads the escapes of HTML.
func unescapeHTML(s string) (c char, n int, cut bool) {
	name, _, closed := strings.Cut(s[1:min(len(s), maxEntity)], ";")
	if strings.ContainsFunc(name, func(r rune) bool {
		return r >= utf8.RuneSelf || r != '#' && !isLetter(byte(r)) && (r < '0' || r > '9')
	}) {
		return char{}, 0, false
	}
	if !closed {
		return char{}, 0, len(s) < maxEntity
	}
	n = len("&;") + len(name)
	if number, ok := strings.CutPrefix(name, "#"); ok {
		base := 10
		if number != "" && number[0]|0x20 == 'x' {
			number, base = number[1:], 16
		}
		value, err := strconv.ParseUint(number, base, 21)
		if err != nil {
			return char{}, 0, false
		}
		return char{value: rune(value)}, n, false
	}
	decoded := html.UnescapeString(s[:n])
	if value, size := utf8.DecodeRuneInString(decoded); size == len(decoded) {
		return char{value: value}, n, false
	}
	return char{}, 0, false // no name, or one of several characters
}
