package table

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.txt
var files embed.FS

// A Position is a line of a file of the table.
type Position struct {
	File string
	Line int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Load reads the table. An error names the file and the line.
func Load() (*Table, error) {
	t := &Table{}
	for _, file := range []struct {
		name string
		read func(*Table, line) error
	}{
		{"methods.txt", (*Table).readMethod},
		{"types.txt", (*Table).readType},
		{"constants.txt", (*Table).readConstant},
		{"functions.txt", (*Table).readFunction},
	} {
		text, err := files.ReadFile(file.name)
		if err != nil {
			return nil, err
		}
		if err := t.read(file.name, string(text), file.read); err != nil {
			return nil, err
		}
	}
	t.index()
	return t, nil
}

// A line is one line of a file, without its comment.
type line struct {
	pos      Position
	text     string
	note     string
	indented bool
}

func (t *Table) read(name, text string, read func(*Table, line) error) error {
	number := 0
	for raw := range strings.Lines(text) {
		number++
		raw = strings.TrimRight(raw, "\n")
		if strings.TrimSpace(raw) == "" || strings.HasPrefix(raw, "#") {
			continue
		}
		l := line{pos: Position{name, number}, indented: strings.HasPrefix(raw, "\t")}
		l.text = strings.TrimSpace(raw)
		if !strings.HasPrefix(raw, "|") {
			text, note, _ := strings.Cut(l.text, " # ")
			l.text, l.note = strings.TrimSpace(text), strings.TrimSpace(note)
		}
		if err := read(t, l); err != nil {
			return fmt.Errorf("%s: %w", l.pos, err)
		}
	}
	return nil
}

func (t *Table) readMethod(l line) error {
	if heading, ok := strings.CutPrefix(l.text, "== "); ok {
		t.Page = append(t.Page, Row{Heading: heading})
		return nil
	}
	if strings.HasPrefix(l.text, "|") {
		t.Page = append(t.Page, Row{Text: l.text})
		return nil
	}
	left, right, err := sides(l.text)
	if err != nil {
		return err
	}
	m := Method{Pos: l.pos}
	if m.Old, m.Params, m.Only, err = parseOld(left); err != nil {
		return err
	}
	if strings.Count(m.Old, ".") != 1 {
		return fmt.Errorf("%q is not a service and a method", m.Old)
	}
	right, when, hasWhen := strings.Cut(right, " when ")
	if m.When, err = parseWhen(when, m.Params); hasWhen && err != nil {
		return err
	}
	call, all, hasAll := strings.Cut(right, " all ")
	if m.Call, err = parseCall(call, m.Params); err != nil {
		return err
	}
	if m.ByHand == "" && strings.Count(m.New, ".") != 1 {
		return fmt.Errorf("%q is not a service and a method", m.New)
	}
	if m.All = strings.TrimSpace(all); hasAll && before(m.All) != m.NewService() {
		return fmt.Errorf("%q is of another service than %q", m.All, m.New)
	}
	m.Note = l.note
	t.Methods = append(t.Methods, m)
	t.Page = append(t.Page, Row{Method: len(t.Methods) - 1})
	return nil
}

func (t *Table) readFunction(l line) error {
	left, right, err := sides(l.text)
	if err != nil {
		return err
	}
	f := Function{Pos: l.pos}
	if f.Old, f.Params, f.Only, err = parseOld(left); err != nil {
		return err
	}
	if f.Call, err = parseCall(right, f.Params); err != nil {
		return err
	}
	if f.New != "" && !strings.Contains(f.New, ".") && !isExported(f.New) && specials[f.New] == "" {
		return fmt.Errorf("nobody knows %s", f.New)
	}
	f.Note = l.note
	t.Functions = append(t.Functions, f)
	return nil
}

func (t *Table) readType(l line) error {
	left, right, err := sides(l.text)
	if err != nil {
		return err
	}
	right, meaning, hasMeaning := strings.Cut(right, " means ")
	if hasMeaning && (!l.indented || meanings[meaning] == "") {
		return fmt.Errorf("nobody knows what %q means", meaning)
	}
	byHand, isByHand := strings.CutPrefix(right, handed)
	isNone := right == none || right == needless
	isField := l.indented && (left == whole || left == others)
	if !isName(left) && !isField || !isByHand && !isNone && !isName(right) {
		return fmt.Errorf("%q is not a pair of names", l.text)
	}
	if !l.indented {
		if isNone {
			return fmt.Errorf("%s has no counterpart: say what to do by hand", left)
		}
		pair := Type{Old: left, New: right, Note: l.note, Pos: l.pos}
		if isByHand {
			pair.New, pair.ByHand = "", byHand
		}
		t.Types = append(t.Types, pair)
		return nil
	}
	if len(t.Types) == 0 || isByHand {
		return fmt.Errorf("a field belongs below its type, and has a name or %q", none)
	}
	return t.Types[len(t.Types)-1].readField(l, left, right, meaning)
}

func (t *Type) readField(l line, left, right, meaning string) error {
	switch left {
	case whole:
		if !isName(right) {
			return fmt.Errorf("%q is no field", right)
		}
		t.Within = right
		return nil
	case others:
		if right != none || l.note == "" {
			return fmt.Errorf("%q has no counterpart, and needs a reason", left)
		}
		t.Others = l.note
		return nil
	}
	field := Field{Old: left, New: right, Meaning: meaning, Note: l.note, Pos: l.pos}
	if right == none || right == needless {
		field.New, field.Needless = "", right == needless
	}
	t.Fields = append(t.Fields, field)
	return nil
}

func (t *Table) readConstant(l line) error {
	left, right, err := sides(l.text)
	if err != nil {
		return err
	}
	c := Constant{Old: left, New: right, Note: l.note, Pos: l.pos}
	if byHand, ok := strings.CutPrefix(right, handed); ok {
		c.New, c.ByHand = "", byHand
	}
	if !isName(left) || c.ByHand == "" && !isName(right) {
		return fmt.Errorf("%q is not a pair of names", l.text)
	}
	t.Constants = append(t.Constants, c)
	return nil
}

func (t *Table) index() {
	t.methods, t.types, t.functions = map[string][]int{}, map[string][]int{}, map[string][]int{}
	t.constants = map[string][]int{}
	for i := range t.Methods {
		t.methods[t.Methods[i].Old] = append(t.methods[t.Methods[i].Old], i)
	}
	for i := range t.Types {
		t.types[t.Types[i].Old] = append(t.types[t.Types[i].Old], i)
	}
	for i := range t.Functions {
		t.functions[t.Functions[i].Old] = append(t.functions[t.Functions[i].Old], i)
	}
	for i := range t.Constants {
		t.constants[t.Constants[i].Old] = append(t.constants[t.Constants[i].Old], i)
	}
}
