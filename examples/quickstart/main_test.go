package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
)

func TestEmbedded(t *testing.T) {
	demotest.Clear(t)
	got := demotest.Run(t, run)
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Contains(t, got.Notes, "embedded service")
	assert.Contains(t, got.Notes, "  downloaded 300.5 kB\n")
	for _, want := range []string{
		"acme/shop: 297 jobs, 3 failed", "script_failure", "6m52s", "checkout_test.go:88", "coverage.xml", "dist/shop",
	} {
		assert.Contains(t, got.Out, want)
	}
	assert.Equal(t, 3, strings.Count(got.Out, "ERROR: Job failed"))
	demotest.Shown(t, "quickstart", got.Notes+got.Out)
	assert.Contains(t, demotest.Run(t, run, "-h").Notes, "usage: quickstart")
}

func TestRealService(t *testing.T) {
	shop := demotest.Shop(t)
	got := demotest.Run(t, run, "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.NotContains(t, got.Notes, "embedded")
	assert.Contains(t, got.Out, "297 jobs")

	shop.Service.Project("acme/new", servicetest.Public()).Pipeline("main").Job("broken",
		servicetest.Failed("script_failure"))
	got = demotest.Run(t, run, "acme/new")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Contains(t, got.Out, "acme/new: 1 job, 1 failed")
	assert.Contains(t, got.Out, "No job has artifacts.")
}

func TestErrors(t *testing.T) {
	shop := demotest.Shop(t)
	fails := func(status int, want string, args ...string) {
		t.Helper()
		got := demotest.Run(t, run, args...)
		assert.Equal(t, status, got.Status)
		assert.Contains(t, got.Notes, want)
	}
	fails(1, "Is the name right?", "acme/nothing")
	fails(2, "name one project")
	shop.Service.Fault("GET /projects/:id/jobs/:job_id/trace", servicetest.Status(403, ""), servicetest.Times(1))
	fails(1, "403", "acme/shop")
	shop.Service.Fault("GET /projects/:id/jobs/:job_id/artifacts", servicetest.Status(403, ""), servicetest.Times(1))
	fails(1, "403", "acme/shop")
	t.Setenv("SERVICE_TOKEN", "wrong")
	fails(1, "The token was refused.", "acme/shop")
	t.Setenv("SERVICE_TOKEN", "")
	fails(1, "SERVICE_TOKEN", "acme/shop")

	t.Setenv("SERVICE_TOKEN", shop.Token)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, run(ctx, []string{"acme/shop"}, io.Discard, io.Discard), context.Canceled)
}
