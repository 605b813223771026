package conventions

import (
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	indentedBlock = regexp.MustCompile(`(?m)^\t.*\n(?:\n?\t.*\n)*`)
	graphQLBlock  = regexp.MustCompile(`^\tquery \(`)
	indentation   = regexp.MustCompile(`(?m)^\t`)
)

// TestCodeInCommentsCompiles type-checks the code in the doc comments of the packages
// that programs import, as TestCodeOnPagesCompiles does with that on pages. Lines of
// dots stand for code that is left out.
func TestCodeInCommentsCompiles(t *testing.T) {
	packages := compiledPackages(t)
	blocks := 0
	for _, name := range append(glob(t, "*.go"), glob(t, "webhook/*.go")...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, group := range file.Comments {
			for _, block := range indentedBlock.FindAllString(group.Text(), -1) {
				if inventory.EndpointLine.MatchString(block) || graphQLBlock.MatchString(block) {
					continue
				}
				blocks++
				code := strings.ReplaceAll(indentation.ReplaceAllString(block, ""), "\n...\n", "\n")
				assert.Empty(t, typeCheck(t, packages, code), "%s:\n%s", name, code)
			}
		}
	}
	assert.Positive(t, blocks)
}
