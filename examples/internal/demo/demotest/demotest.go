// Package demotest runs the example programs for their tests.
package demotest

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/servicetest"
)

// Clear removes all services from the environment.
func Clear(t *testing.T) {
	for _, name := range []string{"SERVICE_BASE_URL", "SERVICE_TOKEN", "SERVICE_OAUTH_TOKEN"} {
		t.Setenv(name, "")
	}
}

// Shop starts a service, fills it, and sets the environment variables that name
// it.
func Shop(t *testing.T, opts ...servicetest.Option) *demo.Shop {
	t.Helper()
	shop := demo.Fill(servicetest.New(t, append([]servicetest.Option{servicetest.WithClock(time.Now)}, opts...)...))
	Clear(t)
	t.Setenv("SERVICE_BASE_URL", shop.Service.URL())
	t.Setenv("SERVICE_TOKEN", shop.Token)
	return shop
}

// A Result is the outcome of a run of a program.
type Result struct {
	Status     int
	Out, Notes string
}

// Run runs a program until it ends, and checks that what it prints fits a terminal.
func Run(t *testing.T, program demo.Program, args ...string) Result {
	t.Helper()
	var out, notes strings.Builder
	status := demo.Run(t.Context(), "program", program, args, &out, &notes)
	checkText(t, out.String())
	checkText(t, notes.String())
	return Result{status, out.String(), notes.String()}
}
