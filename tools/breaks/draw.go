package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed switch.txt
var switches string

//go:embed start.txt
var start string

// draw chooses breaks that compile: each kind gets the same number, as far as there are so
// many. It returns how many are possible.
func draw(units []*unit, seed uint64, count int) (drawn []*mutation, possible int, err error) {
	var all []*mutation
	for _, u := range units {
		for _, s := range u.files {
			all = append(all, sites(s)...)
		}
	}
	if len(all) == 0 {
		return nil, 0, fmt.Errorf("nothing in these files can be broken")
	}
	queue := shuffled(all, rand.New(rand.NewPCG(seed, 0)))
	for len(drawn) < count && len(queue) > 0 {
		drawn, queue = take(drawn, queue, count)
		if drawn, err = compiling(units, drawn); err != nil {
			return nil, 0, err
		}
	}
	slices.SortStableFunc(drawn, func(a, b *mutation) int {
		return cmp.Or(strings.Compare(a.file.name, b.file.name), a.from-b.from)
	})
	for i, b := range drawn {
		b.number = i
	}
	return drawn, len(all), nil
}

// shuffled returns all breaks in the order in which they are drawn: one of each kind in turn.
func shuffled(all []*mutation, random *rand.Rand) []*mutation {
	kinds := map[string][]*mutation{}
	for _, b := range all {
		kinds[b.kind] = append(kinds[b.kind], b)
	}
	names := slices.Sorted(maps.Keys(kinds))
	for _, name := range names {
		of := kinds[name]
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	}
	order := make([]*mutation, 0, len(all))
	for i := 0; len(order) < len(all); i++ {
		for _, name := range names {
			if i < len(kinds[name]) {
				order = append(order, kinds[name][i])
			}
		}
	}
	return order
}

// take draws up to count breaks, no more than one in a line: an error of the compiler then
// tells which one it is about.
func take(drawn, queue []*mutation, count int) (taken, rest []*mutation) {
	type place struct {
		file *source
		line int
	}
	used := map[place]bool{}
	for _, b := range drawn {
		used[place{b.file, b.line}] = true
	}
	for i, b := range queue {
		if len(drawn) == count {
			return drawn, queue[i:]
		}
		if at := (place{b.file, b.line}); !used[at] {
			used[at] = true
			drawn = append(drawn, b)
		}
	}
	return drawn, nil
}

// compiling returns the breaks without those that the compiler refuses.
func compiling(units []*unit, drawn []*mutation) ([]*mutation, error) {
	assign(units, drawn)
	refused := map[*mutation]bool{}
	for _, u := range units {
		for again := true; again; {
			bad, err := u.check()
			if err != nil {
				return nil, err
			}
			for _, b := range bad {
				refused[b] = true
				b.file.drawn = slices.DeleteFunc(b.file.drawn, func(d *mutation) bool { return d == b })
			}
			again = len(bad) > 0
		}
	}
	return slices.DeleteFunc(drawn, func(b *mutation) bool { return refused[b] }), nil
}

// assign tells the files which breaks they have.
func assign(units []*unit, drawn []*mutation) {
	for _, u := range units {
		for _, s := range u.files {
			s.drawn = nil
		}
	}
	for _, b := range drawn {
		b.file.drawn = append(b.file.drawn, b)
	}
}

// check type-checks a package with its breaks, and returns those that are refused.
func (u *unit) check() (refused []*mutation, err error) {
	files := slices.Clone(u.Syntax)
	set := token.NewFileSet()
	broken := map[string]*source{}
	for i, name := range u.CompiledGoFiles {
		var code any
		if at := slices.IndexFunc(u.files, func(s *source) bool { return s.name == name }); at >= 0 {
			broken[name] = u.files[at]
			code = u.files[at].rewritten()
		}
		if files[i], err = parser.ParseFile(set, name, code, 0); err != nil {
			return nil, err
		}
	}
	helper, err := parser.ParseFile(set, "switch.txt", u.helper(switches, 0), 0)
	if err != nil {
		return nil, err
	}
	conf := types.Config{Importer: imported{u.Package}, Sizes: u.TypesSizes, Error: func(err error) {
		e := err.(types.Error)
		at := set.Position(e.Pos)
		if b := broken[at.Filename].breakAt(at.Line); b != nil && !slices.Contains(refused, b) {
			refused = append(refused, b)
		}
	}}
	// What is wrong is passed to Error.
	_, _ = conf.Check(u.PkgPath, set, append(files, helper), nil)
	return refused, nil
}

// breakAt returns the break in a line, or the smallest that includes the line.
func (s *source) breakAt(line int) *mutation {
	if s == nil {
		return nil
	}
	var found *mutation
	for _, b := range s.drawn {
		if b.line == line {
			return b
		}
		last := b.line + strings.Count(string(s.code[b.from:b.to]), "\n")
		if b.line < line && line <= last && (found == nil || b.to-b.from < found.to-found.from) {
			found = b
		}
	}
	return found
}

// rewritten returns the code of a file with its breaks. No line moves.
func (s *source) rewritten() []byte {
	type change struct {
		edit
		size int
		of   *mutation
	}
	var all []change
	for _, b := range s.drawn {
		for _, e := range b.edits {
			all = append(all, change{e, b.to - b.from, b})
		}
	}
	slices.SortStableFunc(all, func(a, b change) int {
		sizes := b.size - a.size
		if a.place == closes {
			sizes = -sizes
		}
		return cmp.Or(a.from-b.from, int(a.place-b.place), sizes)
	})
	var out []byte
	done := 0
	for _, c := range all {
		out = append(out, s.code[done:c.from]...)
		out = append(out, c.numbered(c.of.number)...)
		done = c.to
	}
	return append(out, s.code[done:]...)
}

// helper returns a file that a package gets in addition. A program with a break may use so many
// bytes of memory, or any number if it is 0.
func (u *unit) helper(text string, memory uint64) []byte {
	var tags strings.Builder
	last := 0
	for _, s := range u.files {
		for _, b := range s.drawn {
			last = max(last, b.number)
			if b.tag != nil {
				fmt.Fprintf(&tags, "\tcase %d:\n\t\tbreaksTag(reflect.TypeFor[%s](), %q, %q, %q)\n",
					b.number, b.tag.typ, b.tag.field, b.tag.old, b.tag.new)
			}
		}
	}
	if tags.Len() == 0 {
		tags.WriteString("\tcase -2:\n\t\tbreaksTag(reflect.TypeFor[int](), \"\", \"\", \"\")\n")
	}
	return []byte(strings.NewReplacer("PACKAGE", u.Name, "COUNT", strconv.Itoa(last+1),
		"MEMORY", strconv.FormatUint(memory, 10), "TAGS", tags.String()).Replace(text))
}

func isTest(name string) bool { return strings.HasSuffix(filepath.Base(name), "_test.go") }
