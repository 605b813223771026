package conventions

import (
	"flag"
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the derived files; internal/generate does it")

// regenerate says what to do about a file that is not what it is derived from.
const regenerate = "run: go generate ./..."

const endpointsPage = "docs/endpoints.md"

// endpointsHead is how the page of endpoints begins.
const endpointsHead = `# Endpoints

Every endpoint that has a method, and the methods that call it. A list has two:
` + "`List…` returns one page, `All…` returns every item." + `

This page is generated from the doc comments. After a change, run:

` + "```sh\ngo generate ./...\n```\n"

// TestEndpointsPage checks that the page of endpoints says what the doc comments
// say.
func TestEndpointsPage(t *testing.T) {
	methods := map[string][]string{}
	for _, f := range parsePackage(t).Funcs {
		if !ast.IsExported(f.Name.Name) {
			continue
		}
		for _, line := range inventory.EndpointLines(f) {
			methods[line] = append(methods[line], callName(f))
		}
	}
	var areas []string
	tables := map[string]string{}
	for _, row := range endpointRows(t) {
		served := slices.Compact(slices.Sorted(slices.Values(methods[row.line])))
		if len(served) == 0 {
			continue
		}
		if tables[row.area] == "" {
			areas = append(areas, row.area)
		}
		tables[row.area] += fmt.Sprintf("| `%s` | `%s` |\n", row.line, strings.Join(served, "`, `"))
	}
	page := endpointsHead
	for _, area := range areas {
		page += "\n## " + heading(area) + "\n\n| endpoint | method |\n| --- | --- |\n" + tables[area]
	}
	page += notHereYet(t)
	if *update {
		require.NoError(t, os.WriteFile(endpointsPage, []byte(page), 0o644))
		return
	}
	old, err := os.ReadFile(endpointsPage)
	require.NoError(t, err)
	assert.Equal(t, string(old), page, regenerate)
}

// heading returns the heading of an area.
func heading(area string) string {
	switch area {
	case "oauth":
		return "OAuth"
	case "scim":
		return "SCIM"
	case "graphql":
		return "GraphQL"
	}
	words := strings.ReplaceAll(area, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// callName is how a program writes the method: Jobs.Get, NewTokenSource.
func callName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return strings.TrimSuffix(inventory.Receiver(f), "Service") + "." + f.Name.Name
}

// TestNothingIsLeftToFillIn checks that what internal/endpoint writes is complete: where it
// would compile, as in comments and in files of the tests, nobody else notices.
func TestNothingIsLeftToFillIn(t *testing.T) {
	for _, pattern := range []string{
		"*.go", "internal/wiretests/*.go", "internal/servicetests/*.go",
		"servicetest/*.go", "servicetest/testdata/*/*.txt", "testdata/*/*.json",
	} {
		for _, name := range glob(t, pattern) {
			assert.NotContains(t, readFile(t, name), "FILL_IN", name)
		}
	}
}
