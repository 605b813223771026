package move

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A golden result is what a program of testdata/golden sent and returned.
type goldenResult struct {
	Output   string
	Requests []string
}

// The programs of testdata/golden send the same requests and return the same before and
// after they are moved, and nothing of them is left.
func TestGoldenProgramsDoTheSame(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "golden")
	before := runGolden(t, dir)
	moved := copyGolden(t, dir)
	result, err := Run(Options{Dir: moved, Patterns: []string{"./..."}})
	require.NoError(t, err)
	for _, item := range result.Report.Items {
		if !strings.HasPrefix(item.File, "mixed/") {
			assert.Empty(t, item.Reason, "%s", item)
		}
	}
	for _, f := range result.Files {
		require.NoError(t, os.WriteFile(f.Name, f.New, 0o644))
		if !strings.Contains(f.Name, "mixed") {
			assert.NotContains(t, string(f.New), "gitlab.")
		}
	}
	text, err := os.ReadFile(filepath.Join(moved, "lists", "lists.go"))
	require.NoError(t, err)
	for _, comment := range []string{"// Those that are not", "// the first page", "// Remember each"} {
		assert.Contains(t, string(text), comment)
	}
	after := runGolden(t, moved)
	require.NotEmpty(t, before)
	for name, want := range before {
		assert.Equal(t, want, after[name], "program %s", name)
	}
}

func runGolden(t *testing.T, dir string) map[string]goldenResult {
	t.Helper()
	command := exec.Command("go", "run", "-mod=mod", ".")
	command.Dir = dir
	var problems strings.Builder
	command.Stderr = &problems
	out, err := command.Output()
	require.NoError(t, err, problems.String())
	var results map[string]goldenResult
	require.NoError(t, json.Unmarshal(out, &results))
	return results
}

// copyGolden copies the module to where it may be written, and lets it find the library.
func copyGolden(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
	library, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	name := filepath.Join(to, "go.mod")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	text = []byte(strings.Replace(string(text), "=> ../../..", "=> "+library, 1))
	require.NoError(t, os.WriteFile(name, text, 0o644))
	return to
}
