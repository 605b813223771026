package move

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const olderGo = `package lines

import (
	"fmt"
	"sort"

	"github.com/xanzy/go-gitlab"
)

type logger struct{}

func (logger) Warnf(format string, args ...any) { fmt.Printf(format, args...) }

func Names(client *gitlab.Client, paths []string, text string) []*gitlab.Project {
	var log logger
	var all []*gitlab.Project
	later := func(f func()) { defer f() }
	later(func() {})
	for i, path := range paths {
		func() { fmt.Println(path) }()
		sort.Slice(paths, func(a, b int) bool { return paths[a] < path })
		fmt.Sscan(paths[i], &i)
		STATEMENT
	}
	project, _, err := client.Projects.GetProject("acme/shop", nil)
	if err != nil {
		log.Warnf("%v", err)
	}
	return append(all, project)
}
`

// The report says where a later version of Go in go.mod changes the program, at the first place of a
// package, and only for modules with an earlier one.
func TestNotesOnLaterVersionsOfGo(t *testing.T) {
	for _, c := range []struct {
		minor     int
		statement string
		want      []string
	}{
		{21, `later(func() { fmt.Println(path) })`, []string{loopText}},
		{21, `defer func() { fmt.Println(path) }()`, []string{loopText}},
		{21, `go func(p string) { fmt.Println(p) }(path)`, nil},
		{21, `path := path; defer func() { fmt.Println(path) }()`, nil},
		{21, `texts = append(texts, &path)`, []string{loopText}},
		{21, `log.Warnf(text)`, []string{formatText}},
		{21, `log.Warnf(text, path)`, nil},
		{21, `log.Warnf("a")`, nil},
		{23, `defer func() { fmt.Println(path) }()`, nil},
		{23, `log.Warnf(text); texts = append(texts, &path)`, []string{formatText}},
		{24, `log.Warnf(text)`, nil},
	} {
		text := strings.Replace(olderGo, "STATEMENT", c.statement, 1)
		text = strings.Replace(text, "var log logger", "var log logger\n\tvar texts []*string\n\t_ = texts", 1)
		result, err := Run(Options{Dir: writeOlderModule(t, c.minor, text), Patterns: []string{"./lines"}})
		require.NoError(t, err)
		assert.Equal(t, 1, result.Report.Moved)
		var notes []string
		for _, note := range result.Report.Notes {
			if note.Reason == "go version" {
				notes = append(notes, note.Text)
			}
		}
		assert.Equal(t, c.want, notes, "1.%d: %s", c.minor, c.statement)
	}
}

// oldClient is as much of client-go as olderGo needs, for a module without any other: the others need a
// later version of Go.
const oldClient = `package gitlab

type (
	Client            struct{ Projects *ProjectsService }
	ProjectsService   struct{}
	Project           struct{ ID int }
	GetProjectOptions struct{ License *bool }
	RequestOptionFunc func()
	Response          struct{}
)

func (s *ProjectsService) GetProject(
	pid any, opt *GetProjectOptions, options ...RequestOptionFunc,
) (*Project, *Response, error) {
	return nil, nil, nil
}
`

// writeOlderModule writes a module for an earlier version of Go with a package.
func writeOlderModule(t *testing.T, minor int, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/older\n\ngo 1." + strconv.Itoa(minor) + "\n\n" +
			"require github.com/xanzy/go-gitlab v0.0.0\n\nreplace github.com/xanzy/go-gitlab => ./client\n",
		"client/go.mod":    "module github.com/xanzy/go-gitlab\n\ngo 1.18\n",
		"client/client.go": oldClient,
		"lines/lines.go":   text,
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return dir
}
