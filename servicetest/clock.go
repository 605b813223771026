package servicetest

import (
	"slices"
	"time"
)

// A timer is something that happens at a time of the service's clock.
type timer struct {
	due time.Time
	run func()
}

// Now returns the time of the service's clock, in UTC. Timestamps in responses,
// expiry and filters by age follow it.
func (s *Service) Now() time.Time { return locked(s, s.now) }

func (s *Service) now() time.Time {
	if !s.due.IsZero() {
		return s.due
	}
	return s.settings.clock().UTC().Add(s.advanced)
}

// Advance moves the clock forward. Everything that becomes due in that time happens
// before Advance returns, in order, each at the time when it is due.
func (s *Service) Advance(d time.Duration) {
	s.mu.Lock()
	target := s.now().Add(d)
	s.mu.Unlock()
	s.runTimers(target)
	s.mu.Lock()
	if behind := target.Sub(s.now()); behind > 0 {
		s.advanced += behind
	}
	s.mu.Unlock()
}

// After calls f when the clock has moved forward by d: during Advance, or
// before the first request after that time. f may use the service and its
// handles.
func (s *Service) After(d time.Duration, f func()) {
	defer s.lock()()
	s.after(d, f)
}

// after schedules f, which runs without the lock.
func (s *Service) after(d time.Duration, f func()) {
	due := s.now().Add(d)
	at, _ := slices.BinarySearchFunc(s.timers, due, func(t timer, due time.Time) int {
		if t.due.After(due) {
			return 1
		}
		return -1 // after those due at the same time
	})
	s.timers = slices.Insert(s.timers, at, timer{due, f})
}

// later schedules f, which runs with the lock.
func (s *Service) later(d time.Duration, f func()) {
	s.after(d, func() {
		defer s.lock()()
		f()
	})
}

// runTimers runs every timer that is due at target or before, and moves the clock to
// the time of each.
func (s *Service) runTimers(target time.Time) {
	for {
		s.mu.Lock()
		if len(s.timers) == 0 || s.timers[0].due.After(target) {
			s.mu.Unlock()
			return
		}
		next := s.timers[0]
		s.timers = slices.Delete(s.timers, 0, 1)
		if behind := next.due.Sub(s.now()); behind > 0 {
			s.advanced += behind
		}
		// A running clock may be ahead of the timers. Each timer runs at its own time,
		// so that its effects are not late.
		s.due = next.due
		s.mu.Unlock()
		next.run()
		s.mu.Lock()
		s.due = time.Time{}
		s.mu.Unlock()
	}
}

// tick runs what has become due, before a request is served.
func (s *Service) tick() {
	if s.settings.tick > 0 {
		s.Advance(s.settings.tick)
		return
	}
	s.mu.Lock()
	idle := len(s.timers) == 0
	now := s.now()
	s.mu.Unlock()
	if !idle {
		s.runTimers(now)
	}
}
