package serviceapi

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// retryBudget keeps the calls of a client from hitting a service that is down
// many times as hard. Repetitions are a debt that good responses pay back; a
// client may owe one for each call under way, and some more.
type retryBudget struct {
	size     int64
	debt     atomic.Int64
	underWay atomic.Int64
	early    atomic.Int64 // calls that succeeded at once while there was debt
}

// defaultRetryBudget is how many repetitions a client may owe beyond one for
// each call under way.
const defaultRetryBudget = 100

func newRetryBudget(size int) *retryBudget { return &retryBudget{size: int64(size)} }

// take reports whether one more repetition may be made.
func (b *retryBudget) take() bool {
	for {
		debt := b.debt.Load()
		if debt-b.underWay.Load() >= b.size {
			return false
		}
		if b.debt.CompareAndSwap(debt, debt+1) {
			return true
		}
	}
}

// give pays one repetition back.
func (b *retryBudget) give() {
	for {
		debt := b.debt.Load()
		if debt <= 0 || b.debt.CompareAndSwap(debt, debt-1) {
			return
		}
	}
}

// payRetry reports whether the budget allows a repetition.
func (s *sending) payRetry() bool {
	if s.client.config.budget.take() {
		return true
	}
	s.answer.budgetSpent = true
	return false
}

// successesPerRetry is how many calls that succeed at once pay for a
// repetition.
const successesPerRetry = 5

// settleBudget pays back when the service answers: what the repetition cost,
// or a little.
func (s *sending) settleBudget(resp *http.Response, err error) {
	if err != nil || resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests {
		return
	}
	budget := s.client.config.budget
	if budget.debt.Load() == 0 {
		return
	}
	if s.answer.attempts > 1 || budget.early.Add(1)%successesPerRetry == 0 {
		budget.give()
	}
}

// pauses keeps calls from being refused one after the other: a 429 that asks to
// wait holds for all calls of the same endpoint and credential.
type pauses struct {
	count atomic.Int64 // of entries, so that a look costs nothing while there are none
	mu    sync.Mutex
	until map[pauseKey]time.Time
}

// pauseKey is what calls have in common that one refusal holds for.
type pauseKey struct {
	method, template, secret, sudo string
}

func (p *pauses) left(key pauseKey) time.Duration {
	if p.count.Load() == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	until, ok := p.until[key]
	if !ok {
		return 0
	}
	left := time.Until(until)
	if left <= 0 {
		delete(p.until, key)
		p.count.Store(int64(len(p.until)))
	}
	return max(left, 0)
}

func (p *pauses) add(key pauseKey, wait time.Duration) {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.until == nil {
		p.until = make(map[pauseKey]time.Time)
	}
	for key, until := range p.until {
		if until.Before(now) {
			delete(p.until, key)
		}
	}
	if until := now.Add(wait); until.After(p.until[key]) {
		p.until[key] = until
	}
	p.count.Store(int64(len(p.until)))
}

func (s *sending) pauseKey() pauseKey {
	return pauseKey{s.method, s.endpoint.template, s.answer.secret, s.options.sudo.String()}
}

// pauseLeft is for how long calls like this one are to wait, 0 if that is
// longer than this one may: then the service decides.
func (s *sending) pauseLeft() time.Duration {
	if s.options.retry.NoSharedPause {
		return 0
	}
	left := s.client.config.pauses.left(s.pauseKey())
	if left > s.options.retry.MaxWait || s.endsWithin(left) {
		return 0
	}
	return left
}

// notePause makes calls like this one wait for as long as a refusal asks.
func (s *sending) notePause(resp *http.Response, err error) {
	if err == nil && resp.StatusCode == http.StatusTooManyRequests && s.answer.asked > 0 {
		s.client.config.pauses.add(s.pauseKey(), s.answer.asked)
	}
}
