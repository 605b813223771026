package main

import (
	"testing"
	"time"

	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
)

func TestEmbedded(t *testing.T) {
	demotest.Clear(t)
	got := demotest.Run(t, run)
	assert.Equal(t, 0, got.Status, got.Notes)
	for _, want := range []string{
		"opened branch release-1.6.0", "committed 2 files", "Release v1.6.0", "succeeded", "needs no approval",
		"merged",
		"tagged v1.6.0", "deployed v1.6.0 to production", "commented", "released v1.6.0",
	} {
		assert.Contains(t, got.Out, want)
	}
	demotest.Shown(t, "release-bot", got.Out)
}

// TestAgain checks that nothing is done twice, and that an interrupted release
// continues.
func TestAgain(t *testing.T) {
	shop := demotest.Shop(t)
	fault := shop.Service.Fault("PUT /projects/:id/merge_requests/:merge_request_iid/merge",
		servicetest.Status(503, ""), servicetest.Times(1))
	got := demotest.Run(t, run, "-version", "2.0.0", "acme/shop")
	assert.Equal(t, 1, got.Status, got.Notes)
	assert.Equal(t, 1, fault.Hits())
	assert.NotContains(t, got.Out, "merged")

	got = demotest.Run(t, run, "-version", "2.0.0", "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.NotContains(t, got.Out, "opened branch")
	assert.NotContains(t, got.Out, "committed")
	assert.Contains(t, got.Out, "merged")
	assert.Contains(t, got.Out, "tagged v2.0.0")

	got = demotest.Run(t, run, "-version", "2.0.0", "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Contains(t, got.Out, "v2.0.0 is released already")
}

// TestUnpublished checks that a run that ended before the release is completed.
func TestUnpublished(t *testing.T) {
	shop := demotest.Shop(t)
	shop.Service.Fault("POST /projects/:id/releases", servicetest.Status(503, ""), servicetest.Times(1))
	got := demotest.Run(t, run, "-version", "2.0.0", "acme/shop")
	assert.Equal(t, 1, got.Status, got.Notes)
	assert.Contains(t, got.Out, "tagged v2.0.0")
	got = demotest.Run(t, run, "-version", "2.0.0", "acme/shop")
	assert.Equal(t, 0, got.Status, got.Notes)
	assert.Equal(t, "released v2.0.0 with 4 archives\n", got.Out)
}

func TestFailedPipeline(t *testing.T) {
	shop := demotest.Shop(t)
	shop.Service.Project("acme/broken", servicetest.Member(shop.Service.User("bob"), servicetest.Owner)).
		CI(servicetest.PlanJob("unit", servicetest.Queued(0), servicetest.Took(100*time.Millisecond),
			servicetest.Failed("script_failure")))
	got := demotest.Run(t, run, "-version", "1.6.0", "acme/broken")
	assert.Equal(t, 1, got.Status)
	assert.Contains(t, got.Notes, "has ended as failed")
	assert.NotContains(t, got.Out, "merged")
}

func TestUsage(t *testing.T) {
	demotest.Shop(t)
	got := demotest.Run(t, run, "-version", "2.0.0")
	assert.Equal(t, 2, got.Status)
	assert.Contains(t, got.Notes, "name one project")
	got = demotest.Run(t, run, "acme/shop")
	assert.Equal(t, 2, got.Status)
	assert.Contains(t, got.Notes, "-version is needed")
	assert.Contains(t, demotest.Run(t, run, "-h").Notes, "usage: release-bot")
}

// TestForeignCommits checks that the bot approves and merges nothing but what it has written.
func TestForeignCommits(t *testing.T) {
	shop := demotest.Shop(t)
	shop.Service.Project("acme/shop").Commit("release-2.0.0", "Slip in", servicetest.Write("evil.sh", "echo"))
	got := demotest.Run(t, run, "-version", "2.0.0", "acme/shop")
	assert.Equal(t, 1, got.Status, got.Out)
	assert.Contains(t, got.Notes, "release-2.0.0 changes evil.sh, too")
	assert.NotContains(t, got.Out, "merged")
}

// TestWhatIsMissingIsMade checks that the next run goes on where one has failed.
func TestWhatIsMissingIsMade(t *testing.T) {
	for route, lines := range map[string][]string{
		"POST /projects/:id/repository/tags": {"tagged v2.0.0", "deployed v2.0.0", "released v2.0.0"},
		"POST /projects/:id/deployments":     {"deployed v2.0.0", "released v2.0.0"},
	} {
		shop := demotest.Shop(t)
		shop.Service.Fault(route, servicetest.Status(503, ""), servicetest.Times(1))
		got := demotest.Run(t, run, "-version", "2.0.0", "acme/shop")
		assert.Equal(t, 1, got.Status, got.Notes)
		assert.Contains(t, got.Out, "merged")
		got = demotest.Run(t, run, "-version", "2.0.0", "acme/shop")
		assert.Equal(t, 0, got.Status, got.Notes)
		assert.NotContains(t, got.Out, "merged")
		for _, line := range lines {
			assert.Contains(t, got.Out, line, route)
		}
	}
}
