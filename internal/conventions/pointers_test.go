package conventions

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
)

var (
	saysNil      = regexp.MustCompile(`(?i)\bnil\b`)
	nilForAll    = regexp.MustCompile(`(?i)\b(?:fields that are not set|the others)\b[^.]*\bnil\b`)
	nilFromField = regexp.MustCompile(`(?i)\bfields from (\w+) on\b|\b(\w+) and the fields after it\b`)
)

// TestPointersSayWhatNilMeans checks that a reader of the page finds what nil means for
// every pointer in a result or an error: in the comment of the field, in the comment of
// the fields above that names it, or in that of its type.
func TestPointersSayWhatNilMeans(t *testing.T) {
	source := parsePackage(t)
	types := typeComments(source)
	checked := 0
	for _, name := range readTypes(source) {
		says := nilByType(types[name])
		above := ""
		for _, field := range source.Structs[name].Fields.List {
			own := field.Doc.Text() + field.Comment.Text()
			if own != "" {
				above = own
			}
			_, isPointer := field.Type.(*ast.StarExpr)
			for _, ident := range field.Names {
				covered := says(ident.Name)
				if !ident.IsExported() || !isPointer {
					continue
				}
				checked++
				if own == "" {
					covered = covered || sharesComment(above, ident.Name)
				}
				assert.True(t, covered || saysNil.MatchString(own), "%s.%s: say what nil means", name, ident.Name)
			}
		}
	}
	assert.Greater(t, checked, 500)
}

// readTypes returns the names of the structs that programs read: results, and errors.
func readTypes(s *inventory.Source) (names []string) {
	for _, typ := range structsOfResults() {
		if s.Structs[typ.Name()] != nil {
			names = append(names, typ.Name())
		}
	}
	for _, f := range s.Funcs {
		if f.Recv != nil && f.Name.Name == "Error" && s.Structs[inventory.Receiver(f)] != nil {
			names = append(names, inventory.Receiver(f))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// nilByType returns a function that reports, field by field from the first one on,
// whether the comment of the type says what nil means.
func nilByType(comment string) func(field string) bool {
	covered := nilForAll.MatchString(comment)
	from := nilFromField.FindStringSubmatch(comment)
	return func(field string) bool {
		if !saysNil.MatchString(comment) {
			return false
		}
		if from != nil && from[1]+from[2] == field {
			covered = true
		}
		return covered || mentions(comment, field)
	}
}

// sharesComment reports whether the comment above a field is about it, too, and says what
// nil means.
func sharesComment(comment, field string) bool {
	return saysNil.MatchString(comment) && (mentions(comment, field) || strings.Contains(comment, "fields from"))
}

// mentions reports whether a comment has the name of a field.
func mentions(comment, field string) bool {
	return regexp.MustCompile(`\b` + field + `\b`).MatchString(comment)
}
