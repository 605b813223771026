package conventions

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updateFigures = flag.Bool("update", false, "write the figures on pages; internal/generate does it")

// productNames are the names that a release of the service has for an endpoint.
type productNames struct {
	endpoint   string
	parameters []string // that are documented; not the deprecated and the undocumented ones
	members    []string // of the response, with dots between objects
}

// readProductNames reads testdata/product-names.tsv, whose head explains it.
func readProductNames(t *testing.T) (list []*productNames) {
	t.Helper()
	byEndpoint := map[string]*productNames{}
	for line := range strings.Lines(readFile(t, "testdata/product-names.tsv")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, columns, 4, line)
		endpoint, kind, names := columns[0]+" "+columns[1], columns[2], strings.Fields(columns[3])
		n := byEndpoint[endpoint]
		if n == nil {
			n = &productNames{endpoint: endpoint}
			byEndpoint[endpoint] = n
			list = append(list, n)
		}
		if like, ok := strings.CutPrefix(columns[3], "="); ok {
			require.Contains(t, byEndpoint, like, line)
			names = byEndpoint[like].members
		}
		switch kind {
		case "query", "body":
			for _, name := range names {
				if !strings.Contains(endpoint, ":"+name) { // which is in the path
					n.parameters = append(n.parameters, name)
				}
			}
		case "member":
			n.members = names
		default:
			require.Contains(t, []string{"old", "hidden", "credential", "none"}, kind, line)
		}
	}
	return list
}

// exceptions are the names that are not here on purpose: testdata/product-names-exceptions.tsv.
type exceptions struct {
	reasons map[string]string // by the endpoint or the struct, a space, and the name
	used    map[string]bool
}

func readExceptions(t *testing.T) *exceptions {
	t.Helper()
	e := &exceptions{reasons: map[string]string{}, used: map[string]bool{}}
	for line := range strings.Lines(readFile(t, "testdata/product-names-exceptions.tsv")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, columns, 3, line)
		require.NotEmpty(t, columns[2], "%s: the reason", line)
		for name := range strings.FieldsSeq(columns[1]) {
			key := columns[0] + " " + name
			require.NotContains(t, e.reasons, key)
			e.reasons[key] = columns[2]
		}
	}
	return e
}

// has reports whether a name may be missing at one of several places, an endpoint or a struct.
func (e *exceptions) has(name string, places ...string) bool {
	found := false
	for _, place := range places {
		key := place + " " + name
		if e.reasons[key] != "" {
			e.used[key], found = true, true
		}
	}
	return found
}

// TestProductNames compares the parameters that calls send, and the members that results have,
// with those of the service. What is missing must stand in the list of exceptions, and what
// stands there must be missing. The figures in docs/compatibility.md and README.md are those of
// this test.
func TestProductNames(t *testing.T) {
	results := resultsOfEndpoints(t)
	sent := parametersSent(t)
	but := readExceptions(t)
	rows := map[string]bool{}
	for _, row := range endpointRows(t) {
		rows[row.line] = true
	}
	endpoints, parameters, members := 0, share{}, share{}
	for _, n := range readProductNames(t) {
		if !rows[n.endpoint] {
			continue
		}
		endpoints++
		path := argumentsOf.ReplaceAllString(n.endpoint, ":")
		for _, name := range n.parameters {
			taken := sent[path].has(name)
			parameters.add(taken)
			assert.True(t, taken || but.has(name, n.endpoint), "%s: no option sends %q", n.endpoint, name)
		}
		for _, name := range n.members {
			lacking := lackingIn(results[path], name)
			members.add(lacking == nil)
			if lacking != nil && !but.has(name, n.endpoint) && !lacking.excused(but) {
				assert.Fail(t, fmt.Sprintf("%s: no field takes %q: %s has no %q", n.endpoint, name, lacking.in,
					lacking.name))
			}
		}
	}
	for key := range but.reasons {
		assert.True(t, but.used[key], "testdata/product-names-exceptions.tsv: %s is not missing", key)
	}
	compareFigures(t, "docs/compatibility.md", fmt.Sprintf(
		"Of the %d endpoints of [the table](endpoints.md), %d stand in the description that release %s of\n"+
			"the service has of itself. Of the parameters that they document, calls send %s,\n"+
			"and of the members of their responses, results have %s.\n",
		len(rows), endpoints, checkedRelease, parameters, members))
	compareFigures(t, "README.md", fmt.Sprintf(
		"  %d of the [%d endpoints](docs/endpoints.md) are compared with what\n"+
			"  [release %s](docs/compatibility.md#the-service) of the service says of itself:\n"+
			"  they have %s of its %d parameters and %s of its %d fields.\n  ",
		endpoints, len(rows), checkedRelease, parameters.percent(), parameters.all, members.percent(), members.all))
}

// checkedRelease is the release that testdata/product-names.tsv describes.
const checkedRelease = "18.9"

// A share is how many of all there are.
type share struct{ has, all int }

func (s *share) add(has bool) {
	s.all++
	if has {
		s.has++
	}
}

func (s share) String() string {
	return fmt.Sprintf("%d of %d (%s)", s.has, s.all, s.percent())
}

// percent rounds down: only everything is 100%.
func (s share) percent() string { return fmt.Sprintf("%d.%d%%", s.has*100/s.all, s.has*1000/s.all%10) }

// compareFigures compares the part of a page that is between marks with a text, or writes it.
func compareFigures(t *testing.T, page, text string) {
	t.Helper()
	const begin, end = "<!-- Written by go generate: begin -->\n", "<!-- Written by go generate: end -->\n"
	before, rest, found := strings.Cut(readFile(t, page), begin)
	require.True(t, found, page)
	written, after, found := strings.Cut(rest, end)
	require.True(t, found, page)
	if *updateFigures && text != written {
		require.NoError(t, os.WriteFile(page, []byte(before+begin+text+end+after), 0o644))
		return
	}
	assert.Equal(t, text, written, "%s is stale; run: go generate ./...", page)
}

// argumentsOf matches the arguments of a path: two endpoints that differ only in their names are
// the same.
var argumentsOf = regexp.MustCompile(`:\w+`)

// resultsOfEndpoints returns what the methods return that call an endpoint, by its path without
// the names of arguments.
func resultsOfEndpoints(t *testing.T) map[string][]reflect.Type {
	t.Helper()
	results := map[string]reflect.Type{}
	for service, method := range inventory.Methods(clientType) {
		results[service.Type.Elem().Name()+"."+method.Name] = inventory.ResultOf(method.Type)
	}
	found := map[string][]reflect.Type{}
	for _, f := range parsePackage(t).Funcs {
		if f.Recv == nil {
			continue
		}
		typ := results[inventory.Receiver(f)+"."+f.Name.Name]
		for _, line := range inventory.EndpointLines(f) {
			if path := argumentsOf.ReplaceAllString(line, ":"); typ != nil {
				found[path] = append(found[path], typ)
			}
		}
	}
	return found
}

// A lacking is a member that a struct does not have, and what would be below it.
type lacking struct{ in, name, below string }

func (l *lacking) excused(but *exceptions) bool {
	return but.has(l.name, l.in) || l.below != "" && but.has(l.name+"."+l.below, l.in)
}

// lackingIn returns the member that all results lack, or nil if one takes the name.
func lackingIn(results []reflect.Type, name string) *lacking {
	missing := &lacking{in: "the method", name: name}
	for _, typ := range results {
		if missing = lackingBelow(typ, name); missing == nil {
			return nil
		}
	}
	return missing
}

func lackingBelow(typ reflect.Type, name string) *lacking {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice && typ != reflect.TypeFor[json.RawMessage]() {
		typ = typ.Elem()
	}
	first, rest, _ := strings.Cut(name, ".")
	switch {
	case name == "", typ == reflect.TypeFor[json.RawMessage](), typ.Kind() == reflect.Interface:
		return nil
	case typ.Kind() == reflect.Map:
		return lackingBelow(typ.Elem(), rest)
	case typ.Kind() != reflect.Struct:
		return &lacking{typ.String(), first, rest}
	case !inventory.IsDecoded(typ):
		return lackingInParts(typ, name)
	case !inventory.HasMembers(typ): // which decodes itself
		return nil
	}
	for member, field := range inventory.JSONFields(typ) {
		if member == first {
			return lackingBelow(field.Type, rest)
		}
	}
	if _, open := typ.FieldByName("Extra"); open {
		return nil
	}
	return &lacking{typ.Name(), first, rest}
}

// lackingInParts looks for a name in the parts of a struct that the library fills itself: the
// response may be any of them.
func lackingInParts(typ reflect.Type, name string) *lacking {
	missing := &lacking{in: typ.Name(), name: name}
	for field := range typ.Fields() {
		if field.Type.Kind() != reflect.Pointer {
			continue
		}
		below := lackingBelow(field.Type, name)
		if below == nil {
			return nil
		}
		if missing.in == typ.Name() {
			missing = below
		}
	}
	return missing
}
