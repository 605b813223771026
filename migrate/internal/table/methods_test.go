package table_test

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/migrate/internal/sources"
	"example.com/serviceapi/migrate/internal/table"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMethodsExist checks that every line names methods that exist, in exactly the
// versions that it says, with as many parameters.
func TestMethodsExist(t *testing.T) {
	b := loaded(t)
	for i := range b.table.Methods {
		m := &b.table.Methods[i]
		for _, version := range table.Versions() {
			old := b.versions[version].Method(m.Old)
			switch {
			case !m.Has(version):
				forms := b.table.Method(m.Old)
				if old != nil && !slices.ContainsFunc(forms, func(f *table.Method) bool { return f.Has(version) }) {
					t.Errorf("%s: %s is also in %s", m.Pos, m.Old, version)
				}
			case old == nil:
				t.Errorf("%s: %s is not in %s", m.Pos, m.Old, version)
			case len(parameters(old)) != len(m.Params):
				t.Errorf("%s: %s has %d parameters in %s", m.Pos, m.Old, len(parameters(old)), version)
			}
		}
		if m.ByHand != "" {
			continue
		}
		if b.library.Method(m.New) == nil {
			t.Errorf("%s: there is no %s", m.Pos, m.New)
			continue
		}
		list := strings.HasPrefix(m.NewName(), "List")
		assert.Equal(t, list, m.All != "", "%s: %s is a list if it has another method for all items", m.Pos, m.New)
		if list {
			b.sameParameters(t, m)
		}
	}
}

// sameParameters checks that a list and the method for all its items can be called with
// the same arguments.
func (b *both) sameParameters(t *testing.T, m *table.Method) {
	t.Helper()
	all := b.library.Method(m.All)
	if all == nil {
		t.Errorf("%s: there is no %s", m.Pos, m.All)
		return
	}
	list := parameters(b.library.Method(m.New))
	assert.True(t, slices.EqualFunc(list, parameters(all), func(a, b *types.Var) bool {
		return types.Identical(a.Type(), b.Type())
	}), "%s: %s and %s have other parameters", m.Pos, m.New, m.All)
}

// TestEveryCoveredMethod checks that every method of client-go whose endpoint this
// library has is in the table, in every version.
func TestEveryCoveredMethod(t *testing.T) {
	b := loaded(t)
	here := map[string][]string{}
	for name, method := range b.library.All() {
		for _, endpoint := range method.Endpoints {
			here[endpoint] = append(here[endpoint], name)
		}
	}
	for _, version := range table.Versions() {
		covered := 0
		for name, method := range b.versions[version].All() {
			var names []string
			for _, endpoint := range method.Endpoints {
				for ours, methods := range here {
					if sources.Same(endpoint, ours) {
						names = append(names, methods...)
					}
				}
			}
			if len(names) == 0 {
				continue
			}
			covered++
			if len(b.table.Method(name)) == 0 {
				slices.Sort(names)
				t.Errorf("%s of %s has no line in methods.txt: %s is called by %s",
					name, version, method.Endpoints, strings.Join(slices.Compact(names), ", "))
			}
		}
		assert.Greater(t, covered, 550, "methods of %s whose endpoint was found", version)
	}
}

// TestShareOfMethods checks that at least 98 % of the methods that call the REST API in the newest
// version have a counterpart. Those that are left call what the service no longer documents, or does
// not document yet.
func TestShareOfMethods(t *testing.T) {
	b := loaded(t)
	versions := table.Versions()
	newest := versions[len(versions)-1]
	rest := 0
	var left []string
	for name, method := range b.versions[newest].All() {
		if len(method.Endpoints) == 0 {
			continue // it sends GraphQL
		}
		rest++
		if len(b.table.Method(name)) == 0 {
			left = append(left, name)
		}
	}
	slices.Sort(left)
	t.Logf("%d of %d methods of %s have a counterpart", rest-len(left), rest, newest)
	require.Greater(t, rest, 1100, "methods whose endpoint was found")
	assert.LessOrEqual(t, 50*len(left), rest, "without a counterpart: %v", left)
}

// others are methods whose endpoint or owner differs, and why.
var others = map[string]string{
	"Users.CreateUserRunner":                        "the owner is in the body",
	"PersonalAccessTokens.ListPersonalAccessTokens": "the user is in the query",
	"SystemHooks.TestHook":                          "client-go reads before version 2 what tests a hook here",
	"Projects.CreateProjectForUser":                 "the path begins with the project",
	"Groups.DeleteGroupLDAPLinkForProvider":         "the link is in the query",
	"Repositories.Archive":                          "the format is a part of the last segment",
}

// TestSameEndpoint checks that both methods of a line call the same endpoint, with an
// owner of the kind that the path of client-go begins with.
func TestSameEndpoint(t *testing.T) {
	b := loaded(t)
	checked := 0
	for i := range b.table.Methods {
		m := &b.table.Methods[i]
		method := b.library.Method(m.New)
		if m.ByHand != "" || method == nil || others[m.Old] != "" {
			continue
		}
		for _, version := range table.Versions() {
			if old := b.versions[version].Method(m.Old); old != nil && m.Has(version) && len(old.Endpoints) > 0 {
				checked++
				sameEndpoint(t, m, old.Endpoints, method.Endpoints)
			}
		}
	}
	assert.Greater(t, checked, 2500, "methods whose endpoints were compared")
}

func sameEndpoint(t *testing.T, m *table.Method, theirs, ours []string) {
	t.Helper()
	var common []string
	for _, endpoint := range ours {
		if slices.ContainsFunc(theirs, func(other string) bool { return sources.Same(asHere(other), endpoint) }) {
			common = append(common, endpoint)
		}
	}
	if common == nil {
		t.Errorf("%s: %s calls %q, and %s %q", m.Pos, m.Old, theirs, m.New, ours)
		return
	}
	owner := ownerOf(m.Args)
	if !slices.ContainsFunc(common, func(endpoint string) bool {
		_, path, _ := strings.Cut(endpoint, " ")
		return strings.HasPrefix(path, owner)
	}) {
		t.Errorf("%s: %s calls %q, and the owner is in %q", m.Pos, m.Old, common, owner)
	}
}

// ownerOf returns how the path of a call begins, by its first argument, or "" if that says
// nothing about it.
func ownerOf(args []table.Arg) string {
	if len(args) == 0 {
		return ""
	}
	switch first := args[0]; first.Kind {
	case table.Ref:
		return map[string]string{"project": "/projects/:", "group": "/groups/:", "user": "/users/:"}[first.Name]
	case table.Make, table.Chain:
		if first.Name == "ProjectID" || first.Name == "GroupID" || first.Name == "UserID" {
			return "/" + strings.ToLower(strings.TrimSuffix(first.Name, "ID")) + "s"
		}
		return ownerOf(first.Args)
	}
	return ""
}

// TestArguments checks that the arguments of every call fit the parameters of the
// method, by the types that client-go has in every version.
func TestArguments(t *testing.T) {
	b := loaded(t)
	for i := range b.table.Methods {
		m := &b.table.Methods[i]
		method := b.library.Method(m.New)
		if m.ByHand != "" || method == nil {
			continue
		}
		want := parameters(method)
		if len(want) != len(m.Args) {
			t.Errorf("%s: %s takes %d arguments", m.Pos, m.New, len(want))
			continue
		}
		for _, version := range table.Versions() {
			old := b.versions[version].Method(m.Old)
			if old == nil || !m.Has(version) || len(parameters(old)) != len(m.Params) {
				continue
			}
			c := call{both: b, version: version, line: m, old: parameters(old)}
			for j, arg := range m.Args {
				if err := c.fits(arg, want[j].Type()); err != nil {
					t.Errorf("%s: argument %d of %s in %s: %v", m.Pos, j+1, m.New, version, err)
				}
			}
			if m.When.Field != "" {
				_, err := c.field(m.When.Param, m.When.Field)
				assert.NoError(t, err, "%s: the condition", m.Pos)
			}
		}
	}
}

// A call is a line of the table with what its parameters are in one version.
type call struct {
	*both
	version table.Version
	line    *table.Method
	old     []*types.Var
}

// fits reports why an argument cannot be passed where a type is wanted.
func (c *call) fits(arg table.Arg, want types.Type) error {
	switch arg.Kind {
	case table.Param:
		from, err := c.field(arg.Param, arg.Field)
		if err != nil {
			return err
		}
		return c.converts(from, want)
	case table.Ref:
		return c.refers(arg, want)
	case table.Value:
		object := c.object(arg.Name)
		if object == nil {
			return fmt.Errorf("there is no %s", arg.Name)
		}
		return assignable(object.Type(), want)
	case table.Text:
		return c.converts(types.Typ[types.String], want)
	case table.Make, table.Chain:
		return c.makes(arg, want)
	case table.Struct:
		object := c.object(arg.Name)
		if object == nil {
			return fmt.Errorf("there is no %s", arg.Name)
		}
		return cmpErr(assignable(object.Type(), bare(want)), c.fields(arg, want))
	case table.Options:
		return c.options(arg, want)
	}
	return fmt.Errorf("an argument of kind %d is for functions", arg.Kind)
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// field returns the type of a parameter or of a field of it.
func (c *call) field(param, field string) (types.Type, error) {
	t := c.old[slices.Index(c.line.Params, param)].Type()
	if field == "" {
		return t, nil
	}
	found, ok := c.versions[c.version].Fields(named(t))[field]
	if !ok {
		return nil, fmt.Errorf("%s has no field %s", t, field)
	}
	return found.Type(), nil
}

// referred are the functions that make what becomes of a parameter of the type any.
var referred = map[string]string{
	"project": "ProjectID", "group": "GroupID", "user": "UserID", "namespace": "NamespaceID", "label": "LabelID",
}

func (c *call) refers(arg table.Arg, want types.Type) error {
	from, err := c.field(arg.Args[0].Param, arg.Args[0].Field)
	if err != nil {
		return err
	}
	if basic, ok := bare(from).Underlying().(*types.Basic); !types.IsInterface(from) &&
		(!ok || basic.Info()&(types.IsInteger|types.IsString) == 0) {
		return fmt.Errorf("%s cannot be %s", from, arg.Name)
	}
	switch arg.Name {
	case "number":
		return assignable(types.Typ[types.Int64], want)
	case "text":
		return assignable(types.Typ[types.String], want)
	}
	made, err := c.signature(arg)
	if err != nil {
		return err
	}
	return assignable(made.Results().At(0).Type(), want)
}

func (c *call) makes(arg table.Arg, want types.Type) error {
	signature, err := c.signature(arg)
	if err != nil {
		return err
	}
	args := arg.Args
	if arg.Kind == table.Chain {
		on, _ := c.signature(args[0])
		if err := c.fits(args[0], on.Results().At(0).Type()); err != nil {
			return err
		}
		args = args[1:]
	}
	if signature.Params().Len() != len(args) || signature.Results().Len() != 1 {
		return fmt.Errorf("%s is not a function of %d arguments", arg.Name, len(args))
	}
	for i, inner := range args {
		if err := c.fits(inner, signature.Params().At(i).Type()); err != nil {
			return fmt.Errorf("%s: %w", arg.Name, err)
		}
	}
	return assignable(signature.Results().At(0).Type(), want)
}

// signature returns the signature of what makes an argument.
func (c *call) signature(arg table.Arg) (*types.Signature, error) {
	name := arg.Name
	if arg.Kind == table.Ref {
		name = referred[name]
	}
	object := c.object(name)
	if arg.Kind == table.Chain {
		on, err := c.signature(arg.Args[0])
		if err != nil {
			return nil, err
		}
		object, _, _ = types.LookupFieldOrMethod(on.Results().At(0).Type(), true, nil, name)
	}
	signature, ok := typeOf(object).(*types.Signature)
	if !ok || signature.Results().Len() == 0 {
		return nil, fmt.Errorf("there is no function or method %s", arg.Name)
	}
	return signature, nil
}

// options checks that options can be made of options, and that nothing is left out
// without a word in types.txt.
func (c *call) options(arg table.Arg, want types.Type) error {
	if _, ok := bare(want).Underlying().(*types.Struct); !ok {
		return fmt.Errorf("%s is not a struct", want)
	}
	if err := c.fields(arg, want); err != nil || arg.Param == "" {
		return err
	}
	from, err := c.field(arg.Param, "")
	if err != nil {
		return err
	}
	olds := c.versions[c.version].Fields(named(from))
	if olds == nil {
		return fmt.Errorf("%s is not a struct", from)
	}
	used := c.line.Uses(arg.Param)
	known := c.table.Fields("ListOptions", "ListOptions")
	maps.Copy(known, c.table.Fields(named(from), named(want)))
	ours := c.library.Fields(named(want))
	for name, field := range olds {
		if now := ours[name]; now != nil && known[name].Old == "" && single(field, now) {
			return fmt.Errorf("%s.%s has several values, and %s only one", named(from), name, named(want))
		}
	}
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(olds)) {
		if _, ok := known[name]; !ok && ours[name] == nil && !slices.Contains(used, name) && !olds[name].Embedded() {
			missing = append(missing, name)
		}
	}
	others := slices.ContainsFunc(c.table.Type(named(from)), func(pair *table.Type) bool {
		return pair.New == named(want) && pair.Others != ""
	})
	if missing != nil && !others {
		return fmt.Errorf("%s = %s in types.txt says nothing of %s",
			named(from), named(want), strings.Join(missing, ", "))
	}
	return nil
}

// single reports whether a field of client-go has several values and ours only one.
func single(old, now *types.Var) bool {
	_, several := bare(old.Type()).Underlying().(*types.Slice)
	_, one := bare(now.Type()).Underlying().(*types.Basic)
	return several && one
}

// fields checks the fields that are set to arguments.
func (c *call) fields(arg table.Arg, want types.Type) error {
	ours := c.library.Fields(named(want))
	for _, set := range arg.Fields {
		field, ok := ours[set.Name]
		if !ok {
			return fmt.Errorf("%s has no field %s", named(want), set.Name)
		}
		if err := c.fits(set.Value, field.Type()); err != nil {
			return fmt.Errorf("%s: %w", set.Name, err)
		}
	}
	return nil
}

// assignable reports why a value cannot be used where a type is wanted.
func assignable(from, want types.Type) error {
	if !types.AssignableTo(from, want) {
		return fmt.Errorf("%s is not %s", from, want)
	}
	return nil
}

// converts reports why nothing of one library can become what the other one wants.
// Pointers are the command's affair.
func (c *call) converts(from, want types.Type) error {
	from, want = bare(from), bare(want)
	if types.IsInterface(want) || types.IsInterface(from) || types.ConvertibleTo(from, want) {
		return nil
	}
	if pair := c.table.Type(named(from)); len(pair) > 0 && pair[0].New == named(want) {
		return nil
	}
	return fmt.Errorf("%s does not become %s", from, want)
}

// ofProduct is a segment that has the name of the product.
var ofProduct = regexp.MustCompile(`/\w+_ci_ymls`)

// ofKind is a kind of integrations in a path, which client-go has a method for. The older name of the
// path is of releases before 14.4.
var ofKind = regexp.MustCompile(`^(\w+ /(?:projects|groups)/:/)(?:integrations|services)(/[\w-]+|/:)?$`)

// asHere writes an endpoint of client-go as this library does.
func asHere(endpoint string) string {
	endpoint = ofProduct.ReplaceAllString(endpoint, "/service_ci_ymls")
	endpoint = strings.Replace(endpoint, " /geo_nodes", " /geo_sites", 1) // the former name
	if match := ofKind.FindStringSubmatch(endpoint); match != nil {
		endpoint = match[1] + "integrations"
		if match[2] != "" {
			endpoint += "/:"
		}
	}
	return endpoint
}

// TestWhatIsNotHere checks that the page of endpoints names whatever client-go calls and this library
// does not, apart from what the service no longer documents, so that nobody finds out by a method
// that is missing.
func TestWhatIsNotHere(t *testing.T) {
	b := loaded(t)
	page, err := os.ReadFile("../../../docs/endpoints.md")
	require.NoError(t, err)
	_, end, found := strings.Cut(string(page), "## What is not here\n")
	require.True(t, found)
	argument := regexp.MustCompile(`:\w+`)
	list, err := os.ReadFile("../../../testdata/other-endpoints.tsv")
	require.NoError(t, err)
	former := map[string]bool{
		"GET /projects/:/repository/archive": true, // here, the last segment has the format
	}
	for row := range strings.Lines(string(list)) {
		if row, isFormer := strings.CutSuffix(row, "\tformer\n"); isFormer {
			former[argument.ReplaceAllString(strings.ReplaceAll(row, "\t", " "), ":")] = true
		}
	}
	areas, single, _ := strings.Cut(end, "| path | methods |")
	var paths []string
	for _, match := range regexp.MustCompile("`(/[^`]+)`").FindAllStringSubmatch(areas, -1) {
		paths = append(paths, argument.ReplaceAllString(match[1], ":")+"/")
	}
	named := map[string]bool{}
	for _, match := range regexp.MustCompile("(?m)^\\| `(/[^`]+)` \\| (.*) \\|$").FindAllStringSubmatch(single, -1) {
		for method := range strings.SplitSeq(match[2], ", ") {
			named[method+" "+argument.ReplaceAllString(match[1], ":")] = true
		}
	}
	require.NotEmpty(t, paths)
	here := map[string]bool{}
	for _, method := range b.library.All() {
		for _, endpoint := range method.Endpoints {
			here[endpoint] = true
		}
	}
	used := map[string]bool{}
	for version, old := range b.versions {
		for name, method := range old.All() {
			for _, endpoint := range method.Endpoints {
				endpoint = asHere(endpoint)
				_, path, _ := strings.Cut(endpoint, " ")
				isHere := slices.ContainsFunc(slices.Collect(maps.Keys(here)), func(ours string) bool {
					return sources.Same(endpoint, ours)
				})
				isBelow := slices.ContainsFunc(paths, func(prefix string) bool {
					return strings.HasPrefix(path+"/", prefix)
				})
				if isHere || isBelow || named[endpoint] {
					continue
				}
				used[endpoint] = true
				assert.True(t, former[endpoint], "%s of %s calls %s, which docs/endpoints.md does not name", name,
					version, endpoint)
			}
		}
	}
	for endpoint := range former {
		assert.True(t, used[endpoint], "no version of client-go calls %s", endpoint)
	}
}
