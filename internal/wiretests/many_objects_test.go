package wiretests

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestShortResponsesWithManyObjects checks that a response cannot make a program need many times
// its size, wherever its objects are, and that the limit can be set.
func TestShortResponsesWithManyObjects(t *testing.T) {
	objects := func(n int) string { return "[" + strings.Repeat("{},", n-1) + "{}]" }
	var body string
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	list := func(opts ...serviceapi.RequestOption) error {
		return third(client.Projects.List(t.Context(), serviceapi.Instance, nil, opts...))
	}
	var before, after runtime.MemStats
	body = `[{"id":1,"more":` + objects(1<<20) + "}]"
	runtime.ReadMemStats(&before)
	for name, call := range map[string]func() error{
		"list": func() error { return list() },
		"all": func() error {
			_, err := serviceapi.Collect(client.Jobs.All(t.Context(), somewhere, nil))
			return err
		},
		"Do": func() error {
			var out []*serviceapi.Job
			return second(client.Do(t.Context(), http.MethodGet, serviceapi.Route("/things"), nil, &out))
		},
		"member": func() error {
			return third(client.Jobs.Get(t.Context(), somewhere, 8))
		},
	} {
		if name == "member" {
			body = `{"id":1,"artifacts":` + objects(1<<20) + "}"
		}
		err := call()
		var e *serviceapi.DecodeError
		require.ErrorAs(t, err, &e, name)
		assert.ErrorContains(t, err, "more than 100000 objects", name)
	}
	body = `{"id":1,"artifacts":` + objects(99_999) + "}"
	require.NoError(t, third(client.Jobs.Get(t.Context(), somewhere, 8)), "the last that is accepted")
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(200<<20))
	body = objects(1000)
	require.NoError(t, list())
	require.NoError(t, list(serviceapi.WithMaxObjects(1000)))
	require.ErrorContains(t, list(serviceapi.WithMaxObjects(999)), "more than 999 objects")
	assertRefused(t, "maximum number of objects", list(serviceapi.WithMaxObjects(0)))
	body = `[{"id":1,"description":"` + strings.Repeat("{", 2000) + `"}]`
	require.NoError(t, list(serviceapi.WithMaxObjects(10)), "in a string")
}
