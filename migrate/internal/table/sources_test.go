package table_test

import (
	"go/types"
	"strings"
	"sync"
	"testing"

	"example.com/serviceapi/migrate/internal/sources"
	"example.com/serviceapi/migrate/internal/table"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// both are the libraries that the table pairs.
type both struct {
	table    *table.Table
	library  *sources.Library
	webhook  *sources.Library
	versions map[table.Version]*sources.Library
}

var load = sync.OnceValues(func() (*both, error) {
	b := &both{versions: map[table.Version]*sources.Library{}}
	var err error
	if b.table, err = table.Load(); err != nil {
		return nil, err
	}
	imports := sources.NewImports()
	if b.library, b.webhook, err = sources.New("../../..", imports); err != nil {
		return nil, err
	}
	for _, version := range table.Versions() {
		dir, err := sources.OldDir("../sources/testdata", string(version))
		if err != nil {
			return nil, err
		}
		if b.versions[version], err = sources.Old(dir, imports); err != nil {
			return nil, err
		}
	}
	return b, nil
})

func loaded(t *testing.T) *both {
	t.Helper()
	b, err := load()
	require.NoError(t, err)
	return b
}

// TestSources checks that what a method calls is found, however a library writes it: in
// a comment, a format, a constant, or functions that it calls.
func TestSources(t *testing.T) {
	b := loaded(t)
	assert.Equal(t, []string{"GET /projects/:/jobs/:"}, b.library.Method("Jobs.Get").Endpoints)
	assert.Contains(t, b.library.Fields("ListJobsOptions"), "PerPage", "a field of an embedded struct")
	assert.Nil(t, b.library.Fields("JobStatus"))
	assert.Nil(t, b.library.Method("Jobs.NoSuchMethod"))
	assert.Nil(t, b.library.Method("NoSuchService.Get"))
	for version, old := range b.versions {
		for name, want := range map[string]string{
			"Jobs.GetJob":                             "GET /projects/:/jobs/:",
			"Issues.ListIssues":                       "GET /issues",
			"Issues.GetTimeSpent":                     "GET /projects/:/:/:/time_stats",
			"AwardEmoji.ListIssueAwardEmoji":          "GET /projects/:/:/:/award_emoji",
			"CustomAttribute.GetCustomGroupAttribute": "GET /groups/:/custom_attributes/:",
			"Search.IssuesByProject":                  "GET /projects/:/search",
			"Projects.CreateProject":                  "POST /projects",
			"GenericPackages.PublishPackageFile":      "PUT /projects/:/packages/generic/:/:/:",
		} {
			if assert.NotNil(t, old.Method(name), "%s in %s", name, version) {
				assert.Equal(t, []string{want}, old.Method(name).Endpoints, "%s in %s", name, version)
			}
		}
	}
}

// object returns what a name of this library stands for, or nil.
func (b *both) object(name string) types.Object {
	if inner, ok := strings.CutPrefix(name, "webhook."); ok {
		return b.webhook.Object(inner)
	}
	return b.library.Object(name)
}

// old returns what a name of client-go stands for in the latest version that has it.
func (b *both) old(name string) types.Object {
	var found types.Object
	for _, version := range table.Versions() {
		if object := b.versions[version].Object(name); object != nil {
			found = object
		}
	}
	return found
}

// parameters returns the parameters of a method between its context and its options of
// the request.
func parameters(m *sources.Method) []*types.Var {
	var params []*types.Var
	for param := range m.Signature.Params().Variables() {
		params = append(params, param)
	}
	if m.Signature.Variadic() {
		params = params[:len(params)-1]
	}
	if len(params) > 0 && types.TypeString(params[0].Type(), nil) == "context.Context" {
		params = params[1:]
	}
	return params
}

// bare returns a type without a pointer.
func bare(t types.Type) types.Type {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}

// named returns the name of a type, without a pointer and its package, or "".
func named(t types.Type) string {
	if named, ok := types.Unalias(bare(t)).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}
