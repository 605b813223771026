package move

import (
	"bufio"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/migrate/internal/sources"
	"example.com/serviceapi/migrate/internal/table"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eventMain prints what each function returns for each event of the specification.
const eventMain = `package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func try(field func(string, []byte) string, kind string, payload []byte) (text string) {
	defer func() {
		if recover() != nil {
			text = "panic"
		}
	}()
	return field(kind, payload)
}

func main() {
	events, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines := strings.Split(strings.TrimSpace(string(events)), "\n")
	for i := 0; i < len(lines); i += 2 {
		kind, _, _ := strings.Cut(strings.TrimPrefix(lines[i], "-- "), ": ")
		for name, field := range fields {
			if text := try(field, kind, []byte(lines[i+1])); text != "" {
				fmt.Fprintf(out, "%d %s %q\n", i, name, text)
			}
		}
	}
}
`

// TestFieldsOfEvents moves a program that reads every field of every event, each in a function of
// its own. What moves reads the same from every event of the specification: a field that one event
// has and another has not is told by its event.
func TestFieldsOfEvents(t *testing.T) {
	for _, c := range []struct {
		version table.Version
		path    string
	}{{table.X, "github.com/xanzy/go-gitlab"}, {table.V1, "gitlab.com/gitlab-org/api/client-go"}} {
		t.Run(string(c.version), func(t *testing.T) {
			fields := eventFields(t, c.version)
			text := fieldsText(c.path, fields)
			dir := writeModule(t, map[string]string{"main.go": eventMain, "fields.go": text})
			before := runEvents(t, dir)
			result, changed := moveFiles(t, dir, "./...")
			for name, text := range changed {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			}
			after := runEvents(t, dir)
			noted := map[int]bool{}
			for _, note := range result.Report.Notes {
				noted[note.Line] = noted[note.Line] || note.Reason == "value"
			}
			for key, want := range before {
				name := strings.Fields(key)[1]
				if got := after[key]; got != want && want != `"panic"` && !noted[lineOf(text, name)] {
					t.Errorf("%s: %s was %s, is %s", key, fields[name], want, got)
				}
			}
			assert.Greater(t, len(before), 1200)
			assert.Greater(t, result.Report.Moved, result.Report.Sites*8/10)
		})
	}
}

// eventFields returns the fields of the events that the table knows, by names of functions.
func eventFields(t *testing.T, version table.Version) map[string]string {
	t.Helper()
	dir, err := sources.OldDir(filepath.Join("..", "sources", "testdata"), string(version))
	require.NoError(t, err)
	old, err := sources.Old(dir, sources.NewImports())
	require.NoError(t, err)
	lines, err := table.Load()
	require.NoError(t, err)
	fields := map[string]string{}
	for _, typ := range lines.Types {
		event, ok := old.Object(typ.Old).(*types.TypeName)
		if !ok || !strings.HasPrefix(typ.New, "webhook.") || !strings.HasSuffix(typ.New, "Event") {
			continue
		}
		for _, path := range valuesIn(event.Type(), "e", nil) {
			fields[fmt.Sprintf("field%d", len(fields))] = typ.Old + " " + path
		}
	}
	require.Greater(t, len(fields), 1000)
	return fields
}

// valuesIn returns expressions for the texts, numbers and times in a value.
func valuesIn(t types.Type, path string, outer []types.Type) []string {
	if slices.Contains(outer, t) || len(outer) > 8 {
		return nil
	}
	outer = append(slices.Clone(outer), t)
	if types.TypeString(t, nil) == "time.Time" {
		return []string{path + ".Unix()"}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if _, isStruct := u.Elem().Underlying().(*types.Struct); !isStruct {
			return valuesIn(u.Elem(), "(*"+path+")", outer)
		}
		return valuesIn(u.Elem(), path, outer)
	case *types.Slice:
		return valuesIn(u.Elem(), path+"[0]", outer)
	case *types.Basic:
		return []string{path}
	case *types.Struct:
		var all []string
		for f := range u.Fields() {
			if f.Exported() {
				all = append(all, valuesIn(f.Type(), path+"."+f.Name(), outer)...)
			}
		}
		return all
	}
	return nil
}

func fieldsText(importPath string, fields map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport (\n\t\"fmt\"\n\n\tgitlab %q\n)\n\n"+
		"var fields = map[string]func(string, []byte) string{\n", importPath)
	for name := range fields {
		fmt.Fprintf(&b, "\t%q: %s,\n", name, name)
	}
	b.WriteString("}\n")
	for name, field := range fields {
		event, path, _ := strings.Cut(field, " ")
		fmt.Fprintf(&b, `
func %s(kind string, payload []byte) string {
	event, err := gitlab.ParseHook(gitlab.EventType(kind), payload)
	if err != nil {
		return ""
	}
	switch e := event.(type) {
	case *gitlab.%s:
		return "=" + fmt.Sprint(%s)
	}
	return ""
}
`, name, event, path)
	}
	return b.String()
}

// lineOf returns the line on which a function reads its field.
func lineOf(text, name string) int {
	before, after, _ := strings.Cut(text, "func "+name+"(")
	inner, _, _ := strings.Cut(after, "fmt.Sprint(")
	return 1 + strings.Count(before, "\n") + strings.Count(inner, "\n")
}

// runEvents returns what the functions of the program print.
func runEvents(t *testing.T, dir string) map[string]string {
	t.Helper()
	events, err := filepath.Abs(filepath.Join("..", "..", "..", "webhook", "testdata", "events.txt"))
	require.NoError(t, err)
	command := exec.Command("go", "run", "-mod=mod", ".", events)
	command.Dir = dir
	var problems strings.Builder
	command.Stderr = &problems
	out, err := command.Output()
	require.NoError(t, err, problems.String())
	printed := map[string]string{}
	scanner := bufio.NewScanner(strings.NewReader(string(out)))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		words := strings.SplitN(scanner.Text(), " ", 3)
		printed[words[0]+" "+words[1]] = words[2]
	}
	return printed
}
