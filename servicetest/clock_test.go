package servicetest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

func TestClock(t *testing.T) {
	svc := servicetest.New(t)
	if !svc.Now().Equal(servicetest.Epoch) {
		t.Errorf("begins at %v", svc.Now())
	}
	var order []string
	note := func(what string) func() {
		return func() { order = append(order, what+" at "+svc.Now().Sub(servicetest.Epoch).String()) }
	}
	svc.After(2*time.Minute, note("second"))
	svc.After(time.Minute, func() {
		note("first")()
		svc.After(30*time.Second, note("between"))
	})
	svc.After(2*time.Minute, note("third"))
	svc.After(time.Hour, note("never"))
	svc.Advance(10 * time.Minute)
	if got := strings.Join(order, ", "); got != "first at 1m0s, between at 1m30s, second at 2m0s, third at 2m0s" {
		t.Errorf("order: %s", got)
	}
	if got := svc.Now().Sub(servicetest.Epoch); got != 10*time.Minute {
		t.Errorf("ends at %v", got)
	}
}

func TestTick(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTick(time.Second))
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	svc.After(3*time.Second, job.Succeed)
	status := func() any {
		return into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)["status"]
	}
	for i, want := range []string{"running", "running", "success"} {
		if got := status(); got != want {
			t.Errorf("poll %d: %v, want %s", i+1, got, want)
		}
	}
}

func TestRunningClock(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	svc := servicetest.New(t, servicetest.WithClock(func() time.Time { return now }))
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	svc.After(time.Minute, job.Succeed)
	now = now.Add(time.Minute)
	call(t, svc, "GET", "/projects/1/jobs/1", "")
	if job.Status() != "success" {
		t.Errorf("a minute later the job is %s", job.Status())
	}
}

// TestRequestsRunTheOnlyTimer: also if nothing else is due.
func TestRequestsRunTheOnlyTimer(t *testing.T) {
	now := servicetest.Epoch
	svc := servicetest.New(t, servicetest.WithClock(func() time.Time { return now }))
	for range 2 {
		ran := false
		svc.After(time.Minute, func() { ran = true })
		now = now.Add(time.Minute)
		if get(t, svc, "/version"); !ran {
			t.Error("the function did not run")
		}
	}
}

// TestChainsOfTimersAreNotLate checks that each of several timers that start
// each other runs at its own time, even if a clock that runs by itself is read
// late.
func TestChainsOfTimersAreNotLate(t *testing.T) {
	start := time.Now()
	clock := start
	svc := servicetest.New(t, servicetest.WithClock(func() time.Time { return clock }))
	var times []time.Duration
	svc.After(time.Second, func() {
		times = append(times, svc.Now().Sub(start.UTC()))
		svc.After(time.Second, func() { times = append(times, svc.Now().Sub(start.UTC())) })
	})
	clock = start.Add(time.Minute)
	svc.Advance(0)
	if want := []time.Duration{time.Second, 2 * time.Second}; !slices.Equal(times, want) {
		t.Errorf("they ran at %v instead of %v", times, want)
	}
	if now := svc.Now().Sub(start.UTC()); now != time.Minute {
		t.Errorf("the clock is at %v", now)
	}
}
