package main

import (
	"context"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func runIt(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := run(t.Context(), &out, args)
	return out.String(), err
}

func clearEnv(t *testing.T) {
	for _, name := range []string{"SERVICE_BASE_URL", "SERVICE_TOKEN", "SERVICE_OAUTH_TOKEN"} {
		t.Setenv(name, "")
	}
}

func TestEmbedded(t *testing.T) {
	clearEnv(t)
	out, err := runIt(t)
	require.NoError(t, err)
	for _, want := range []string{
		"embedded service", "acme/shop: 297 jobs, 3 failed", "script_failure", "6m52s", "checkout_test.go:88",
		"100% of", "coverage.xml", "dist/shop",
	} {
		assert.Contains(t, out, want)
	}
	assert.Equal(t, 3, strings.Count(out, "ERROR: Job failed"))
}

func TestRealService(t *testing.T) {
	clearEnv(t)
	service := servicetest.New(t)
	t.Setenv("SERVICE_BASE_URL", service.URL())
	t.Setenv("SERVICE_TOKEN", seed(service))
	out, err := runIt(t, "acme/shop")
	require.NoError(t, err)
	assert.NotContains(t, out, "embedded")
	assert.Contains(t, out, "297 jobs")
}

func TestErrors(t *testing.T) {
	clearEnv(t)
	_, err := runIt(t, "acme/nothing")
	assert.ErrorContains(t, err, "there is no project acme/nothing")
	service := servicetest.New(t)
	t.Setenv("SERVICE_BASE_URL", service.URL())
	_, err = runIt(t, "acme/shop")
	assert.ErrorContains(t, err, "SERVICE_TOKEN")
	t.Setenv("SERVICE_TOKEN", "wrong")
	_, err = runIt(t)
	assert.ErrorContains(t, err, "name one project")
	_, err = runIt(t, "acme/shop")
	assert.ErrorContains(t, err, "the token was refused")

	token := seed(service)
	t.Setenv("SERVICE_TOKEN", token)
	service.Fault("GET /projects/:id/jobs/:job_id/trace", servicetest.Status(403, `{"message":"403 Forbidden"}`))
	_, err = runIt(t, "acme/shop")
	assert.ErrorContains(t, err, "403")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, run(ctx, &strings.Builder{}, []string{"acme/shop"}), context.Canceled)
}
