package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
)

func TestEmbeddedDryRun(t *testing.T) {
	demotest.Clear(t)
	got := demotest.Run(t, run)
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Contains(t, got.Notes, "embedded service")
	assert.Contains(t, got.Notes, "Nothing was removed.")
	demotest.Shown(t, "registry-cleanup", got.Notes+got.Out)
	assert.Contains(t, got.Out, "TAG                 CREATED")
	assert.Contains(t, got.Out, "acme/shop:build-41  ")
	assert.Contains(t, got.Out, "14 tags in all.")
	assert.NotContains(t, got.Out, "build-55")
	assert.NotContains(t, got.Out, "v1.0.0")
}

// A dry run shows the tags that the deletion then deletes, whatever the rules.
func TestDryRunShowsWhatIsRemoved(t *testing.T) {
	for _, flags := range [][]string{
		{},
		{"-match", "build", "-keep-n", "0", "-older-than", "1h"}, // no tag has that name
		{"-match", "build-4", "-keep-n", "0"},
		{"-match", ".*", "-keep-n", "3", "-older-than", "1h"},
		{"-match", "v1.*|go-1.*", "-keep", "go-1.2[56]", "-keep-n", "1"},
		{"-match", ".*", "-keep", ".*"},
		{"-match", ".*", "-keep-n", "1000"},
		{"-match", ".*", "-keep-n", "0", "-older-than", "30d"},
	} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			shop := demotest.Shop(t)
			before := shop.Images()
			got := demotest.Run(t, run, append(flags, "acme/shop")...)
			assert.Equal(t, 0, got.Status, got.Notes)
			assert.Equal(t, before, shop.Images())
			var shown []string
			for line := range strings.Lines(got.Out) {
				if name, _, found := strings.Cut(line, " "); found && strings.Contains(name, ":") {
					shown = append(shown, name)
				}
			}

			got = demotest.Run(t, run, append(flags, "-delete", "acme/shop")...)
			assert.Equal(t, 0, got.Status, got.Notes)
			shop.Service.Advance(servicetest.RegistryDeletionDelay)
			removed := slices.DeleteFunc(before, func(name string) bool { return slices.Contains(shop.Images(), name) })
			assert.ElementsMatch(t, removed, shown)
			assert.Contains(t, shop.Images(), "acme/shop:latest")
			assert.Equal(t, len(shown) > 0, strings.Contains(got.Out, "in the background"))
		})
	}
}

func TestTagsThatAreGoneMeanwhile(t *testing.T) {
	shop := demotest.Shop(t)
	shop.Service.Fault("GET /projects/:id/registry/repositories/:repository_id/tags/:tag_name",
		servicetest.Status(404, ""), servicetest.Times(4))
	got := demotest.Run(t, run, "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Regexp(t, `1[0-4] tags in all`, got.Out)
}

func TestErrors(t *testing.T) {
	shop := demotest.Shop(t)
	fails := func(status int, want string, args ...string) demotest.Result {
		t.Helper()
		got := demotest.Run(t, run, args...)
		assert.Equal(t, status, got.Status)
		assert.Contains(t, got.Notes, want)
		return got
	}
	fails(2, "usage: registry-cleanup", "-x")
	fails(2, "name one project")
	fails(2, "-match needs a regular expression", "-match", "(", "acme/shop")
	fails(2, "-match needs a regular expression", "-match", "a)|(b", "acme/shop")
	fails(2, "-keep needs a regular expression", "-keep", "[", "acme/shop")
	for _, span := range []string{"", "7", "1month", "0d", "-1d"} {
		fails(2, "-older-than needs a span", "-older-than", span, "acme/shop")
	}
	fails(2, "-keep-n a number", "-keep-n", "-1", "acme/shop")
	fails(1, "Is the name right?", "acme/nothing")

	once := func(route string, effects ...servicetest.FaultOption) {
		shop.Service.Fault(route, append(effects, servicetest.Times(1))...)
	}
	once("GET /projects/:id/registry/repositories/:repository_id/tags", servicetest.Status(403, ""))
	fails(1, "403", "acme/shop")
	once("GET /projects/:id/registry/repositories/:repository_id/tags/:tag_name", servicetest.Status(403, ""))
	fails(1, "403", "acme/shop")

	// One repository is refused, the other is cleaned.
	both := []string{"-match", "build-.*|go-.*", "-keep-n", "0", "-delete", "acme/shop"}
	once("DELETE /projects/:id/registry/repositories/:repository_id/tags", servicetest.Status(403, ""))
	got := fails(1, "403", both...)
	assert.Contains(t, got.Out, "acme/shop/cache: the service removes 5 tags")
	assert.NotContains(t, got.Out, "acme/shop: the service")

	// The service accepts such a call once an hour for each repository.
	shop.Service.ClearRequests()
	started := time.Now()
	got = fails(1, "at most once an hour for a given container repository", both...)
	assert.Contains(t, got.Notes, "acme/shop/cache: DELETE ")
	assert.Less(t, time.Since(started), 10*time.Second)
	assert.Contains(t, got.Out, "acme/shop: the service removes 14 tags")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, run(ctx, []string{"acme/shop"}, io.Discard, io.Discard), context.Canceled)
	t.Setenv("SERVICE_TOKEN", "")
	fails(1, "SERVICE_TOKEN", "acme/shop")
}
