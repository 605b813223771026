package move

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// importOld begins the files of the programs below.
const importOld = "import gitlab \"gitlab.com/gitlab-org/api/client-go\"\n"

// goldenPath is the path of the module of the golden programs.
const goldenPath = "example.com/serviceapi/migrate/testdata/golden"

// writeModule writes a module with the requirements of the golden programs.
func writeModule(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	copyGoMod(t, filepath.Join("..", "..", "testdata", "golden"), dir)
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return dir
}

// moveFiles moves the packages of a module. It returns the new texts by the names of their files.
func moveFiles(t *testing.T, dir string, patterns ...string) (*Result, map[string]string) {
	t.Helper()
	result, err := Run(Options{Dir: dir, Patterns: patterns})
	require.NoError(t, err)
	texts := map[string]string{}
	for _, f := range result.Files {
		name, err := filepath.Rel(dir, f.Name)
		require.NoError(t, err)
		texts[filepath.ToSlash(name)] = string(f.New)
	}
	return result, texts
}

// writeBack writes what was moved, and returns what the go command says about the module.
func writeBack(t *testing.T, dir string, result *Result) string {
	t.Helper()
	for _, f := range result.Files {
		require.NoError(t, os.WriteFile(f.Name, f.New, 0o644))
	}
	command := exec.Command("go", "vet", "-mod=mod", "./...")
	command.Dir = dir
	out, err := command.CombinedOutput()
	assert.NoError(t, err, "%s", out)
	return string(out)
}

// Packages that are not named do not change and still compile: what they use is left for them.
func TestPackagesThatAreNotNamed(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"a/a.go": "package a\n\n" + importOld + `
func Get(c *gitlab.Client) (*gitlab.Project, error) {
	p, _, err := c.Projects.GetProject(1, nil)
	return p, err
}

type Store struct{ Client *gitlab.Client }

func (s Store) Version() error {
	_, _, err := s.Client.Version.GetVersion()
	return err
}

func (s Store) name() string {
	p, err := Get(s.Client)
	if err != nil {
		return ""
	}
	return p.Name
}
`,
		"a/a_test.go": "package a_test\n\nimport (\n\t\"testing\"\n\n" +
			"\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n\n\t\"" + goldenPath + "/a\"\n)\n" + `
func TestGet(t *testing.T) {
	c, _ := gitlab.NewClient("x", gitlab.WithBaseURL("http://127.0.0.1:1"))
	if _, err := a.Get(c); err == nil {
		t.Fatal("want error")
	}
}
`,
		"b/b.go": "package b\n\nimport \"" + goldenPath + "/a\"\n\n" +
			"func Name(s a.Store) (string, error) {\n\tp, err := a.Get(s.Client)\n\treturn p.Name, err\n}\n",
	})
	result, texts := moveFiles(t, dir, "./a")
	assert.Equal(t, []string{"a/a.go", "a/a_test.go"}, slices.Sorted(maps.Keys(texts)))
	assert.Contains(t, texts["a/a.go"], "func GetService(c *serviceapi.Client) (*serviceapi.Project, error) {")
	assert.Contains(t, texts["a/a_test.go"], "a.GetService(c)")
	for _, item := range result.Report.Items {
		assert.NotContains(t, item.File, "b/")
	}
	writeBack(t, dir, result)
}

// A type that a package which is not named shares holds its users back, and the report says so.
func TestTypesOfPackagesThatAreNotNamed(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"a/a.go": "package a\n\n" + importOld + `
type Last struct{ Project *gitlab.Project }

func Get(c *gitlab.Client) (Last, error) {
	p, _, err := c.Projects.GetProject(1, nil)
	return Last{p}, err
}
`,
		"b/b.go": "package b\n\nimport \"" + goldenPath + "/a\"\n\n" +
			"func Name(l a.Last) string { return l.Project.Name }\n",
	})
	result, texts := moveFiles(t, dir, "./a")
	assert.Empty(t, texts)
	require.Len(t, result.Report.Items, 1)
	assert.Equal(t, "it shares values with Name (b/b.go:5), whose package is not named: name it too",
		result.Report.Items[0].Text)
}

// Packages with cgo are moved with the others, and import "C" stays as it was.
func TestPackagesWithCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("cgo needs a compiler for C")
	}
	// The checks also run without cgo, for another architecture.
	host, err := exec.CommandContext(t.Context(), "go", "env", "GOHOSTARCH").Output()
	require.NoError(t, err)
	t.Setenv("CGO_ENABLED", "1")
	t.Setenv("GOARCH", strings.TrimSpace(string(host)))
	dir := writeModule(t, map[string]string{
		"b/b.go": "package b\n\n" + importOld + `
func Get(c *gitlab.Client) (*gitlab.Project, error) {
	p, _, err := c.Projects.GetProject(1, nil)
	return p, err
}
`,
		"a/a.go": "package a\n\n/*\nstatic int twice(int x) { return 2*x; }\n*/\nimport \"C\"\n\n" +
			"import (\n\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n\n\t\"" + goldenPath + "/b\"\n)\n" + `
// Name asks for a project.
func Name(client *gitlab.Client) (string, C.int, error) {
	number := C.twice(3)
	issues, _, err := client.Issues.ListProjectIssues(int(C.twice(number)), &gitlab.ListProjectIssuesOptions{
		ListOptions: gitlab.ListOptions{PerPage: int64(number)},
	})
	if err != nil || len(issues) > int(number) {
		return "", number, err
	}
	p, err := b.Get(client)
	return p.Name, number, err
}
`,
		"d/d.go": "package d\n\nimport (\n\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n\n\t\"" +
			goldenPath + "/a\"\n)\n" + `
func Print(client *gitlab.Client) string {
	name, _, _ := a.Name(client)
	return name
}
`,
	})
	result, texts := moveFiles(t, dir, "./...")
	assert.Equal(t, 2, result.Report.Moved, "%s", result.Report.Items)
	assert.Equal(t, 0, result.Report.Left)
	assert.Contains(t, texts["a/a.go"], "*/\nimport \"C\"\n\nimport (\n")
	assert.Contains(t, texts["d/d.go"], "*serviceapi.Client")
	writeBack(t, dir, result)
}

// Generated files are left, each with one line of the report.
func TestGeneratedFilesAreLeft(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"a/zz.go": "// Code generated by hand. DO NOT EDIT.\n\npackage a\n\n" + importOld + `
func Generated(c *gitlab.Client) error {
	_, _, err := c.Version.GetVersion()
	return err
}

func other(c *gitlab.Client) *gitlab.Client { return c }
`,
		"a/a.go": "package a\n\n" + importOld + `
func Own(c *gitlab.Client) error {
	_, _, err := other(c).Version.GetVersion()
	if err != nil {
		return err
	}
	return Generated(c)
}

func Free(c *gitlab.Client) error {
	_, _, err := c.Version.GetVersion()
	return err
}
`,
	})
	result, texts := moveFiles(t, dir, "./...")
	assert.NotContains(t, texts, "a/zz.go")
	assert.Contains(t, texts["a/a.go"], "func Free(c *serviceapi.Client) error {")
	assert.Equal(t, 1, result.Report.Moved)
	var generated []string
	for _, item := range result.Report.Items {
		if item.Reason == "generated" {
			generated = append(generated, item.File)
		}
	}
	assert.Equal(t, []string{"a/zz.go", "a/zz.go"}, generated, "one for the file, one for its call")
	writeBack(t, dir, result)
}

// What the go command cannot load is an error in its words, and not a program without calls.
func TestWhatCannotBeLoaded(t *testing.T) {
	main := map[string]string{"main.go": "package main\n\n" + importOld +
		"\nfunc main() { _, _ = gitlab.NewClient(\"x\") }\n"}
	dir := writeModule(t, main)
	message := func(dir string, patterns ...string) string {
		t.Helper()
		_, err := Run(Options{Dir: dir, Patterns: patterns})
		require.Error(t, err)
		return err.Error()
	}
	assert.Contains(t, message(dir, "./nope"), "directory not found")
	assert.Contains(t, message(dir, "./nope/..."), "no such file or directory")
	assert.Contains(t, message(dir, "example.com/missing"), "no required module provides package")
	assert.Contains(t, message(dir, ".", "./nope"), "directory not found")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "docs"), 0o755))
	assert.Contains(t, message(dir, "./docs/..."), "matched no packages")

	work := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(work, "tool"), os.DirFS(dir)))
	require.NoError(t, os.WriteFile(filepath.Join(work, "go.work"), []byte("go 1.26.0\n\nuse ./tool\n"), 0o644))
	assert.Contains(t, message(work, "./..."), "does not contain modules listed in go.work")
	result, _ := moveFiles(t, work, "./tool/...")
	assert.Equal(t, 1, result.Report.Moved)

	require.NoError(t, os.Remove(filepath.Join(dir, "go.sum")))
	assert.Contains(t, message(dir, "./..."), "missing go.sum entry")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\nrequire broken\n"), 0o644))
	assert.Contains(t, message(dir, "./..."), "go.mod:2")
}
