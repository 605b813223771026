package servicetest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var sdlType = regexp.MustCompile(`(?s)\ntype (\w+) \{\n(.*?)\n\}`)

// TestGraphQLSchema compares the documented schema with the executed one.
func TestGraphQLSchema(t *testing.T) {
	types := graphQLSchema().Types()
	for _, like := range []string{"ProjectConnection", "ProjectEdge", "PipelineConnection", "PipelineEdge"} {
		if types[like] == nil {
			t.Errorf("there is no type %s", like)
		}
		delete(types, like)
	}
	for _, match := range sdlType.FindAllStringSubmatch(GraphQLSchema, -1) {
		typ := types[match[1]]
		if typ == nil {
			t.Errorf("type %s is not executed", match[1])
			continue
		}
		delete(types, match[1])
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(typ.Fields)) {
			lines = append(lines, "  "+sdlLine(name, typ.Fields[name]))
		}
		if documented := plainKind.ReplaceAllString(scalarKind.ReplaceAllString(match[2], ": -"), ": $1"); documented != strings.Join(lines, "\n") {
			t.Errorf("type %s is documented as\n%s\nbut is\n%s", typ.Name, documented, strings.Join(lines, "\n"))
		}
	}
	for name := range types {
		t.Errorf("type %s is not documented", name)
	}
}

// The executed schema does not distinguish scalars from one another, or lists
// from single objects.
var (
	scalarKind = regexp.MustCompile(`(?m): \[?(String|ID|Boolean|Time|Int)\]?$`)
	plainKind  = regexp.MustCompile(`(?m): \[(\w+)\]$`)
)

func sdlLine(name string, d *gqlField) string {
	var args []string
	for _, arg := range slices.Sorted(maps.Keys(d.Args)) {
		args = append(args, arg+": "+d.Args[arg])
	}
	if args != nil {
		name += "(" + strings.Join(args, ", ") + ")"
	}
	kind := "-"
	if d.Type != nil {
		kind = d.Type.Name
	}
	return fmt.Sprintf("%s: %s", name, kind)
}
