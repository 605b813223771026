// Package emoji knows the names of emojis, which stand for them in awards and statuses. They
// are the names that gemojione and gemoji list, up to Unicode 15.
package emoji

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// list has the main name of each emoji, with = and its other names behind it.
//
//go:embed names.txt
var list string

// mainNames returns the main name of every name.
var mainNames = sync.OnceValue(func() map[string]string {
	names := make(map[string]string)
	for emoji := range strings.FieldsSeq(list) {
		main, _, _ := strings.Cut(emoji, "=")
		for name := range strings.SplitSeq(emoji, "=") {
			names[name] = main
		}
	}
	return names
})

// toned matches the name of an emoji with the color of a skin.
var toned = regexp.MustCompile(`^(.+)(_tone[1-5])$`)

// Main returns the main name of an emoji that is named without colons, and whether there is
// such an emoji. Each may have the color of a skin.
func Main(name string) (main string, known bool) {
	if m := toned.FindStringSubmatch(name); m != nil {
		main, known = mainNames()[m[1]]
		return main + m[2], known
	}
	main, known = mainNames()[name]
	return main, known
}
