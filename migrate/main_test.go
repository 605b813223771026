package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/migrate/internal/move"
)

// program writes a module that calls client-go, in a version that the tests of the table
// download anyway.
func program(t *testing.T, main string) string {
	t.Helper()
	dir := t.TempDir()
	golden := filepath.Join("testdata", "golden")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(golden, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(main), 0o644))
	return dir
}

const covered = `package main

import (
	"fmt"

	gitlab "gitlab.com/gitlab-org/api/client-go"
)

func main() {
	client, err := gitlab.NewClient("token", gitlab.WithBaseURL("https://service.example.com"))
	if err != nil {
		panic(err)
	}
	// The one that counts.
	project, _, err := client.Projects.GetProject(7, nil)
	fmt.Println(project, err)
}
`

const uncovered = `package main

import gitlab "gitlab.com/gitlab-org/api/client-go"

func nodes(client *gitlab.Client) error {
	_, _, err := client.InstanceCluster.ListClusters()
	return err
}

func main() {}
`

func TestNothingIsWrittenWithoutTheFlag(t *testing.T) {
	dir := program(t, covered)
	var out, problems bytes.Buffer
	assert.Equal(t, movedAll, run([]string{"-C", dir, "-diff"}, &out, &problems), problems.String())
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	require.NoError(t, err)
	assert.Equal(t, covered, string(text))
	assert.Contains(t, out.String(),
		"+\tproject, _, err := client.Projects.Get(context.TODO(), serviceapi.ProjectID(7), nil)")
	assert.Contains(t, out.String(), "2 calls of client-go: 2 moved, 0 left")
}

func TestFilesAreWritten(t *testing.T) {
	dir := program(t, covered)
	var out, problems bytes.Buffer
	assert.Equal(t, movedAll, run([]string{"-C", dir, "-w"}, &out, &problems), problems.String())
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "client-go")
	assert.Contains(t, string(text), "\t// The one that counts.\n")
	assert.Contains(t, out.String(), "main.go:15: Projects.GetProject becomes Projects.Get")
}

// A function that is left has one comment, above the first line that keeps it.
func TestWhatIsLeftHasOneComment(t *testing.T) {
	more := strings.Replace(uncovered, "\treturn err\n", "\tclient.InstanceCluster.ListClusters()\n\treturn err\n", 1) +
		"\nfunc version(client *gitlab.Client) { client.Version.GetVersion() }\n"
	dir := program(t, more)
	var out, problems bytes.Buffer
	assert.Equal(t, leftSome, run([]string{"-C", dir, "-w"}, &out, &problems), problems.String())
	once, err := os.ReadFile(filepath.Join(dir, "main.go"))
	require.NoError(t, err)
	assert.Contains(t, string(once), "\t// serviceapi: InstanceCluster.ListClusters: has no counterpart\n\t_, _, err")
	assert.Equal(t, 1, strings.Count(string(once), "// serviceapi: "))
	assert.Contains(t, out.String(), "\n3 calls of client-go: 1 moved, 2 left\n     2  no counterpart\n"+
		"what keeps the most calls:\n     2  main.go:6: InstanceCluster.ListClusters: has no counterpart\n"+
		"1 files changed\n")
	useLibrary(t, dir)
	assert.Equal(t, leftSome, run([]string{"-C", dir, "-w"}, &out, &problems), problems.String())
	twice, err := os.ReadFile(filepath.Join(dir, "main.go"))
	require.NoError(t, err)
	assert.Equal(t, string(once), string(twice))
}

// Where nothing moves, the report says why, and the files stay as they are.
func TestNoCommentsWhereNothingMoves(t *testing.T) {
	dir := program(t, uncovered)
	var out, problems bytes.Buffer
	assert.Equal(t, leftSome, run([]string{"-C", dir, "-w"}, &out, &problems), problems.String())
	same, err := os.ReadFile(filepath.Join(dir, "main.go"))
	require.NoError(t, err)
	assert.Equal(t, uncovered, string(same))
	assert.Contains(t, out.String(), "main.go:6: InstanceCluster.ListClusters is left (no counterpart): ")
	assert.Contains(t, out.String(), "\n1 calls of client-go: 0 moved, 1 left\n     1  no counterpart\n"+
		"what keeps the most calls:\n     1  main.go:6: InstanceCluster.ListClusters: has no counterpart\n"+
		"0 files changed\n")
}

// A second run keeps the helpers of the first one, and adds the missing ones.
func TestHelpersOfTwoRuns(t *testing.T) {
	dir := program(t, strings.Replace(covered, "fmt.Println(project, err)",
		"fmt.Println(project.OpenIssuesCount, err)", 1))
	var out, problems bytes.Buffer
	assert.Equal(t, movedAll, run([]string{"-C", dir, "-w"}, &out, &problems), out.String())
	helpers := filepath.Join(dir, "serviceapi_helpers.go")
	once, err := os.ReadFile(helpers)
	require.NoError(t, err)
	require.Contains(t, string(once), "func valueOf[")

	more := strings.NewReplacer("func main", "func more", "GetProject(7, nil)", "GetProject(any(7), nil)",
		"fmt.Println(project, err)", "fmt.Println(project.OpenIssuesCount, err)").Replace(covered)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more.go"), []byte(more), 0o644))
	useLibrary(t, dir)
	out.Reset()
	assert.Equal(t, movedAll, run([]string{"-C", dir, "-w"}, &out, &problems), out.String())
	twice, err := os.ReadFile(helpers)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(twice), "func valueOf["))
	assert.Equal(t, 1, strings.Count(string(twice), "func projectOf("))
	command := exec.Command("go", "vet", "./...")
	command.Dir = dir
	text, err := command.CombinedOutput()
	require.NoError(t, err, string(text))
}

// useLibrary adds this library to the module of a program.
func useLibrary(t *testing.T, dir string) {
	t.Helper()
	library, err := filepath.Abs("..")
	require.NoError(t, err)
	for _, args := range [][]string{{"mod", "edit", "-replace", "example.com/serviceapi=" + library}, {"mod", "tidy"}} {
		command := exec.Command("go", args...)
		command.Dir = dir
		text, err := command.CombinedOutput()
		require.NoError(t, err, string(text))
	}
}

func TestReportAsJSON(t *testing.T) {
	dir := program(t, uncovered)
	var out, problems bytes.Buffer
	assert.Equal(t, leftSome, run([]string{"-C", dir, "-json"}, &out, &problems), problems.String())
	var report move.Report
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	assert.Equal(t, 1, report.Sites)
	assert.Equal(t, map[string]int{"no counterpart": 1}, report.Reasons)
	require.Len(t, report.Items, 1)
	assert.Equal(t, "InstanceCluster.ListClusters", report.Items[0].Call)
	assert.Equal(t, "main.go", report.Items[0].File)
}

// Steps are printed for people who watch, and never to a file or a pipe.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	assert.Nil(t, progress(&out))
	step := progressLine(&out)
	step("loading packages")
	step("checking example.com/" + strings.Repeat("long/", 20))
	assert.Equal(t, "\r\x1b[Kloading packages\r\x1b[Kchecking example.com/long/long/long/long/long/long/"+
		"long/long/long/long/long/lo", out.String())
}

func TestDifferencesOfWhatIsLeft(t *testing.T) {
	dir := program(t, uncovered+"\nfunc version(client *gitlab.Client) { client.Version.GetVersion() }\n")
	var out, problems bytes.Buffer
	assert.Equal(t, leftSome, run([]string{"-C", dir, "-diff"}, &out, &problems), problems.String())
	assert.Contains(t, out.String(), "\n+\t// serviceapi: InstanceCluster.ListClusters: has no counterpart\n")
	assert.NotContains(t, out.String(), "is left (", "the report is short beside the differences")
}

func TestFailures(t *testing.T) {
	var out, problems bytes.Buffer
	assert.Equal(t, failed, run([]string{"-unknown"}, &out, &problems))
	assert.Equal(t, failed, run([]string{"-C", filepath.Join(t.TempDir(), "none")}, &out, &problems))

	// What the go command says is repeated.
	dir := program(t, covered)
	assert.Equal(t, failed, run([]string{"-C", dir, "./missing"}, &out, &problems))
	assert.Contains(t, problems.String(), "directory not found")
	assert.Empty(t, out.String())
}

func TestNothingToMove(t *testing.T) {
	dir := program(t, "package main\n\nfunc main() {}\n")
	var out, problems bytes.Buffer
	assert.Equal(t, movedAll, run([]string{"-C", dir}, &out, &problems), problems.String())
	assert.Contains(t, out.String(), "nothing to move")
}
