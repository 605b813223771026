package wiretests

import (
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/internal/racing"
	"example.com/serviceapi/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listOf is a JSON array with the same item again and again.
func listOf(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }

// allocated returns how many bytes a function allocates, and what it returns. No other test runs
// meanwhile.
func allocated(f func() error) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// TestPagesWithManyItems checks that a page with far more items than a page has is refused before
// it is decoded, whatever it says about pages, and that the limit can be set.
func TestPagesWithManyItems(t *testing.T) {
	var body string
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Per-Page", "20")
		w.Header().Set("X-Next-Page", "")
		_, _ = io.WriteString(w, body)
	})
	list := func(opts ...serviceapi.RequestOption) error {
		return third(client.Projects.List(t.Context(), serviceapi.Instance, nil, opts...))
	}
	body = listOf("{}", serviceapi.DefaultMaxItems+1)
	for name, call := range map[string]func() error{
		"list": func() error { return list() },
		"all": func() error {
			_, err := serviceapi.Collect(client.Projects.All(t.Context(), serviceapi.Instance, nil))
			return err
		},
		"generic": func() error {
			return third(serviceapi.List[serviceapi.Project](t.Context(), client, serviceapi.Route("/things"), nil))
		},
	} {
		taken, err := allocated(call)
		var e *serviceapi.DecodeError
		require.ErrorAs(t, err, &e, name)
		assert.False(t, e.Partial)
		assert.ErrorContains(t, err, "the list has more than 10000 items", name)
		assert.Less(t, taken, uint64(4<<20), name)
	}
	body = listOf(`{"id":1,"statistics":{},"_links":{}}`, serviceapi.DefaultMaxItems)
	require.NoError(t, list(), "a list that comes whole, whose items have objects in them")
	body = listOf("{}", 5)
	require.NoError(t, list(serviceapi.WithMaxItems(5)))
	require.ErrorContains(t, list(serviceapi.WithMaxItems(4)), "more than 4 items")
	assertRefused(t, "maximum number of items", list(serviceapi.WithMaxItems(0)))
	body = listOf("null", 5)
	require.ErrorContains(t, list(serviceapi.WithMaxItems(4)), "more than 4 items")
}

// TestWrongItemsTakeNoMemory checks that what is no object is not turned into an empty one again
// and again, wherever it stands.
func TestWrongItemsTakeNoMemory(t *testing.T) {
	n := 1 << 20
	if racing.Enabled { // an item takes ten times as long
		n = 1 << 18
	}
	var body string
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	group := func() error { return third(client.Groups.Get(t.Context(), serviceapi.GroupID(1), nil)) }
	type own struct {
		Projects []*struct {
			Project serviceapi.Project
			Large   [1000]int
		} `json:"projects"`
	}
	for _, item := range []string{"1", `""`, "[]", "true", "[1]"} {
		for name, call := range map[string]func() error{
			"member": group,
			"list":   func() error { return third(client.Groups.List(t.Context(), serviceapi.Instance, nil)) },
			"of a member that decodes itself": func() error {
				return third(client.Settings.Get(t.Context()))
			},
			"Do": func() error {
				return second(client.Do(t.Context(), http.MethodGet, serviceapi.Route("/things"), nil, new(own)))
			},
		} {
			switch name {
			case "list":
				body = `[{"id":1,"projects":` + listOf(item, n) + "}]"
			case "of a member that decodes itself":
				levels := listOf(`{"a":1}`, 10)
				body = `{"id":1,"restricted_visibility_levels":` + levels + `,"later":` + listOf(item, n) + "}"
			default:
				body = `{"id":1,"projects":` + listOf(item, n) + "}"
			}
			taken, err := allocated(call)
			var e *serviceapi.DecodeError
			require.ErrorAs(t, err, &e, "%s of %s", name, item)
			assert.False(t, e.Partial, "%s of %s", name, item)
			assert.Less(t, taken, 20*uint64(len(body)), "%s of %s", name, item)
		}
	}
	body = `{"id":1,"projects":` + listOf("1", 1000) + "}"
	var e *serviceapi.DecodeError
	require.ErrorAs(t, group(), &e)
	assert.True(t, e.Partial, "a few are left out")
}

// TestHostileEventsTakeLittleMemory does the same for what claims to be an event.
func TestHostileEventsTakeLittleMemory(t *testing.T) {
	const n = 1 << 20
	for _, item := range []string{"1", `""`, "[]", "{}"} {
		body := []byte(`{"object_kind":"push","commits":` + listOf(item, n) + "}")
		taken, err := allocated(func() error {
			event, err := webhook.Decode(webhook.KindPush, body)
			if err == nil {
				err = event.Info().Problem
			}
			return err
		})
		require.Error(t, err, item)
		if item == "{}" {
			require.ErrorIs(t, err, webhook.ErrTooLarge)
		}
		assert.Less(t, taken, 20*uint64(len(body)), "%s: %s bytes", item, strconv.Itoa(len(body)))
	}
	body := []byte(`{"object_kind":"push","commits":` + listOf("{}", 90_000) + "}")
	taken, err := allocated(func() error {
		_, err := webhook.Decode(webhook.KindPush, body)
		return err
	})
	require.NoError(t, err)
	assert.Less(t, taken, uint64(100<<20), "as many objects as there may be")
}
