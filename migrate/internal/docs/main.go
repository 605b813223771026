// Command docs writes the tables of docs/migration.md from the table of counterparts.
// go generate ./... runs it in the root of the library.
package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// page is the path of the page from the folder of the module.
const page = "../docs/migration.md"

// The command writes everything between these lines.
const (
	begin = "<!-- The tables are written by `go generate ./...`. -->\n"
	end   = "<!-- The tables end here. -->\n"
)

func main() {
	if err := write(page); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	t, err := table.Load()
	if err != nil {
		return err
	}
	written, err := replace(string(text), tables(t))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, []byte(written), 0o644)
}

// replace returns a page with other tables.
func replace(text, tables string) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("a line is missing, %q or %q", begin, end)
	}
	return before + begin + "\n" + tables + "\n" + end + after, nil
}

// tables returns a heading and a table for each part of the table of methods.
func tables(t *table.Table) string {
	var b strings.Builder
	seen := map[string]bool{} // skip forms that look the same on the page
	for _, row := range t.Page {
		switch {
		case row.Heading != "":
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "### %s\n\n| client-go | here | |\n| --- | --- | --- |\n", row.Heading)
		case row.Text != "":
			b.WriteString(row.Text + "\n")
		default:
			m := &t.Methods[row.Method]
			if call := callOf(m); !seen[m.Old+call] {
				b.WriteString(rowOf(m))
				seen[m.Old+call] = call != ""
			}
		}
	}
	return b.String()
}

// rowOf returns the row of a method.
func rowOf(m *table.Method) string {
	old := "`" + m.Old + "`"
	if !m.Has(table.V2) {
		old += " (earlier versions)"
	}
	if m.ByHand != "" {
		return fmt.Sprintf("| %s | %s | |\n", old, m.ByHand)
	}
	notes := conditions(m)
	for _, arg := range m.Args {
		notes = append(notes, fields(arg)...)
	}
	if m.Note != "" {
		notes = append(notes, m.Note)
	}
	note := strings.Join(notes, "; ")
	if note != "" {
		note += " "
	}
	return fmt.Sprintf("| %s | `%s` | %s|\n", old, callOf(m), note)
}

// callOf returns the call of this library, or "" if there is none.
func callOf(m *table.Method) string {
	if m.ByHand != "" {
		return ""
	}
	args := "ctx"
	if len(m.Args) > 0 {
		args += ", " + list(m.Args)
	}
	return fmt.Sprintf("client.%s(%s)", cmp.Or(m.All, m.New), args)
}

// conditions says when a form applies.
func conditions(m *table.Method) []string {
	switch {
	case m.When.Field == "":
		return nil
	case m.When.Not:
		return []string{"if `" + m.When.Field + "` is false"}
	}
	return []string{"if `" + m.When.Field + "` is true"}
}

// fields says which fields of options come from parameters of client-go.
func fields(arg table.Arg) []string {
	var notes []string
	for _, field := range arg.Fields {
		if value := field.Value; arg.Kind == table.Options && value.Kind == table.Param && value.Field == "" {
			notes = append(notes, fmt.Sprintf("`%s` is the field `%s`", value.Param, field.Name))
		}
	}
	return notes
}

// argument returns an argument as a reader of the page would write it.
func argument(arg table.Arg) string {
	switch arg.Kind {
	case table.Param:
		if arg.Field != "" {
			return arg.Param + "." + arg.Field
		}
		return arg.Param
	case table.Ref:
		if arg.Name == "number" || arg.Name == "text" {
			return argument(arg.Args[0])
		}
		return arg.Name
	case table.Value:
		return "serviceapi." + arg.Name
	case table.Text:
		return `"` + arg.Name + `"`
	case table.Make:
		return "serviceapi." + arg.Name + "(" + list(arg.Args) + ")"
	case table.Chain:
		return argument(arg.Args[0]) + "." + arg.Name + "(" + list(arg.Args[1:]) + ")"
	case table.Struct:
		return "serviceapi." + arg.Name + "{…}"
	}
	return "options"
}

func list(args []table.Arg) string {
	var texts []string
	for _, arg := range args {
		texts = append(texts, argument(arg))
	}
	return strings.Join(texts, ", ")
}
