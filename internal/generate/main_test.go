package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/internal/racing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSteps checks that every step names files that exist, and that one which copies a file
// comes after the step that writes it.
func TestSteps(t *testing.T) {
	root, err := inventory.Root()
	require.NoError(t, err)
	written := map[string]bool{}
	for _, s := range steps {
		ways := 0
		for _, has := range []bool{s.derive != nil, s.command != "", s.from != ""} {
			if has {
				ways++
			}
		}
		assert.Equal(t, 1, ways, s.files)
		for pattern := range strings.FieldsSeq(s.files) {
			texts, err := step{files: pattern}.texts(root)
			require.NoError(t, err)
			assert.NotEmpty(t, texts, pattern)
			written[pattern] = true
		}
		assert.True(t, s.from == "" || written[s.from], s.from)
	}
}

func TestFailingStep(t *testing.T) {
	err := step{files: "go.mod", command: "go no-such-command"}.run(".")
	assert.ErrorContains(t, err, "go no-such-command: exit status 2\n")
	assert.Error(t, step{files: "copy", from: "missing"}.run(t.TempDir()))
}

// TestDerivedFilesAreCurrent checks the files that no other test compares with what they are
// derived from.
func TestDerivedFilesAreCurrent(t *testing.T) {
	if racing.Enabled {
		t.Skip("reads source; run without -race")
	}
	root, err := inventory.Root()
	require.NoError(t, err)
	for _, s := range steps {
		derived := map[string]string{}
		switch {
		case s.derive != nil:
			derived, err = s.derive(root)
			require.NoError(t, err)
		case s.from != "":
			from, err := os.ReadFile(filepath.Join(root, s.from))
			require.NoError(t, err)
			derived[s.files] = string(from)
		}
		for name, want := range derived {
			got, err := os.ReadFile(filepath.Join(root, name))
			require.NoError(t, err)
			assert.Equal(t, want, string(got), "%s is stale; run: go generate ./...", name)
		}
	}
}

// TestCommentsOfServices checks that options are written where a comment lists some, and that the
// comment of every service with options does.
func TestCommentsOfServices(t *testing.T) {
	const comment = "// Its options are [A] and\n// [B]. See it.\ntype JobsService struct {\n"
	options := map[string][]string{"JobsService": {"A", "B"}}
	text := "package p\n\n// Its options are [A].\ntype JobsService struct{}\n"
	assert.Equal(t, strings.Replace(text, "[A]", "[A] and [B]", 1), nameOptions(text, options))
	assert.Equal(t, comment, nameOptions(comment, options), "is not wrapped again")
	source, err := inventory.Parse()
	require.NoError(t, err)
	comments := source.TypeComments()
	for service, names := range optionsOfServices(source) {
		for _, name := range names {
			assert.Contains(t, comments[service], "["+name+"]", service)
		}
	}
}

func TestMissingAreas(t *testing.T) {
	assert.True(t, slices.IsSortedFunc(areas, func(a, b area) int { return strings.Compare(a.name, b.name) }))
	const table = "jobs\tGET\t/projects/:id/jobs/:job_id\nregistry\tGET\t/groups/:id/registry/repositories\n"
	assert.Equal(t, []area{{"One", "/jobs"}, {"Prefix", "/projects/:id/job"}}, missingAreas([]area{
		{"Both", "/projects/:project/jobs /groups/:id/registry"}, {"One", "/jobs /projects/:id/jobs"},
		{"Prefix", "/projects/:id/job"},
	}, table))
	root, err := inventory.Root()
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs", "endpoints.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "| Debian distributions | `/projects/:id/debian_distributions`",
		"the example is about an area that has methods now")
}

func TestMissingEndpoints(t *testing.T) {
	const table = "jobs\tGET\t/jobs/:id\t\t\tJob\njobs\tPOST\t/jobs\t\t\tJob\n"
	const list = "# a comment\nGET\t/jobs/:job_id\tmember\tid\nPUT\t/jobs/:id\tbody\tname\n" +
		"PUT\t/jobs/:id\tmember\tid\nGET\t/flags/:name\tnone\t\nDELETE\t/jobs/:id\tnone\t\n"
	const others = "GET\t/jobs\t\nGET\t/jobs/old\tformer\nPUT\t/jobs/:number\t\n"
	paths, methods := missingEndpoints([]area{{"Flags", "/features /flags"}}, table, list, others)
	assert.Equal(t, []string{"/jobs", "/jobs/:id"}, paths)
	assert.Equal(t, map[string]string{"/jobs": "GET", "/jobs/:id": "PUT, DELETE"}, methods)
}

// TestOtherEndpoints checks that testdata/other-endpoints.tsv has only what nothing else says.
func TestOtherEndpoints(t *testing.T) {
	root, err := inventory.Root()
	require.NoError(t, err)
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(root, "testdata", name))
		require.NoError(t, err)
		return string(data)
	}
	key := func(endpoint string) string { return argument.ReplaceAllString(endpoint, ":") }
	table, known := read("endpoints.tsv"), map[string]bool{}
	for _, line := range endpointsOf(table) {
		known[key(line)] = true
	}
	for row := range strings.Lines(read("product-names.tsv")) {
		if columns := strings.Split(row, "\t"); len(columns) == 4 {
			known[key(columns[0]+" "+columns[1])] = true
		}
	}
	missing, last := missingAreas(areas, table), ""
	for row := range strings.Lines(read("other-endpoints.tsv")) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		require.Len(t, columns, 3, row)
		assert.Contains(t, []string{"", "former"}, columns[2], row)
		assert.False(t, known[key(columns[0]+" "+columns[1])] && columns[2] == "", "another list has it: %s", row)
		assert.False(t, isBelow(missing, columns[1]), "an area has it: %s", row)
		assert.Less(t, last, row, "the rows are sorted")
		last = row
	}
}
