package move

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// BenchmarkTree moves a program of 200 packages, in each tenth of which a call is left. It
// reports the seconds that loading takes, which is the compiler's work, and those of the rest.
func BenchmarkTree(b *testing.B) {
	dir := copyTree(b, 200)
	for b.Loop() {
		begin, loaded := time.Now(), time.Now()
		report := moveTree(b, dir, func(step string) {
			if step == loadedStep {
				loaded = time.Now()
			}
		})
		b.ReportMetric(loaded.Sub(begin).Seconds(), "s-loading")
		b.ReportMetric(time.Since(loaded).Seconds(), "s-moving")
		b.ReportMetric(float64(report.Moved), "moved")
		b.ReportMetric(float64(report.Left), "left")
	}
}

// Who watches sees which package is checked.
func TestProgressNamesEachStep(t *testing.T) {
	var steps []string
	report := moveTree(t, copyTree(t, 10), func(step string) { steps = append(steps, step) })
	assert.Equal(t, 1, report.Left)
	assert.Equal(t, "loading packages", steps[0])
	assert.Contains(t, steps, loadedStep)
	for i := range 10 {
		assert.Contains(t, strings.Join(steps, "\n"), fmt.Sprintf("testdata/golden/tree/p%03d", i))
	}
}

func moveTree(tb testing.TB, dir string, progress func(string)) *Report {
	tb.Helper()
	result, err := Run(Options{Dir: dir, Patterns: []string{"./tree/..."}, Progress: progress})
	require.NoError(tb, err)
	return &result.Report
}

// copyTree makes a program of some packages, each of which uses the one before.
func copyTree(tb testing.TB, packages int) string {
	tb.Helper()
	dir := writeModule(tb, nil)
	for i := range packages {
		name := filepath.Join(dir, "tree", fmt.Sprintf("p%03d", i))
		require.NoError(tb, os.MkdirAll(name, 0o755))
		for part := range 3 {
			text := treeFile(i, part)
			require.NoError(tb, os.WriteFile(filepath.Join(name, fmt.Sprintf("f%d.go", part)), []byte(text), 0o644))
		}
	}
	return dir
}

func treeFile(number, part int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package p%03d\n\nimport (\n", number)
	before := number > 0 && part == 0
	if before {
		fmt.Fprintf(&b, "\t\"example.com/serviceapi/migrate/testdata/golden/tree/p%03d\"\n", number-1)
	}
	b.WriteString("\tgitlab \"gitlab.com/gitlab-org/api/client-go\"\n)\n")
	for i := range 10 {
		fmt.Fprintf(&b, `
// List%[1]d%[2]d returns the names of what it finds.
func List%[1]d%[2]d(client *gitlab.Client, project int64) ([]string, error) {
	opt := &gitlab.ListProjectIssuesOptions{State: gitlab.Ptr("opened"), ListOptions: gitlab.ListOptions{PerPage: 50}}
	var names []string
	for {
		issues, resp, err := client.Issues.ListProjectIssues(project, opt)
		if err != nil {
			return nil, err
		}
		for _, issue := range issues {
			names = append(names, issue.Title)
		}
		if resp.NextPage == 0 {
			break
		}
		opt.Page = resp.NextPage
	}
	job, _, err := client.Jobs.GetJob(project, 7)
	if err == nil {
		names = append(names, job.Name)
	}
	return names, err
}
`, part, i)
	}
	if before {
		fmt.Fprintf(&b, "\nfunc More(c *gitlab.Client) ([]string, error) { return p%03d.List00(c, 7) }\n", number-1)
	}
	if part == 0 && number%10 == 3 {
		b.WriteString("\nfunc Nodes(c *gitlab.Client) error {\n\t_, _, err := c.InstanceCluster.ListClusters()\n" +
			"\treturn err\n}\n")
	}
	return b.String()
}
