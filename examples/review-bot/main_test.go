package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/serviceapi/examples/internal/demo/demotest"
)

// TestEmbedded checks the log of the bot's whole life: an event, a call, and the events
// that the call causes.
func TestEmbedded(t *testing.T) {
	demotest.Clear(t)
	got := demotest.Run(t, run)
	assert.Equal(t, 0, got.Status, got.Notes)
	for _, want := range []string{
		"labeled and greeted acme/shop!1\n", "answered grace on acme/shop!1\n",
		"review-bot: Not approved: @ada is its author.\n", "delivered Merge Request Hook 204\n",
		"delivered Note Hook 204\n",
	} {
		assert.Contains(t, got.Out, want)
	}
	assert.NotContains(t, got.Out, "failed")
	demotest.Shown(t, "review-bot", got.Notes+got.Out)
}

// TestWithoutSecret checks that the bot does not start without the token of its hook.
func TestWithoutSecret(t *testing.T) {
	demotest.Shop(t)
	t.Setenv("HOOK_TOKEN", "")
	got := demotest.Run(t, run)
	assert.Equal(t, 1, got.Status)
	assert.Contains(t, got.Notes, "token is empty")
}
