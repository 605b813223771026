package serviceapi

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// retryBudget keeps the calls of a client from multiplying the load on a
// service that is down. Retries are a debt that good responses pay back. A
// client may owe one for each call in progress, and some more.
type retryBudget struct {
	size     int64
	debt     atomic.Int64
	underWay atomic.Int64
	early    atomic.Int64 // calls that succeeded at once while there was debt
}

// defaultRetryBudget is the number of retries that a client may owe in addition
// to one for each call in progress.
const defaultRetryBudget = 100

func newRetryBudget(size int) *retryBudget { return &retryBudget{size: int64(size)} }

// take reports whether one more retry is allowed.
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

// give pays one retry back.
func (b *retryBudget) give() {
	for {
		debt := b.debt.Load()
		if debt <= 0 || b.debt.CompareAndSwap(debt, debt-1) {
			return
		}
	}
}

// payRetry reports whether the budget allows a retry.
func (s *sending) payRetry() bool {
	if s.client.config.budget.take() {
		return true
	}
	s.answer.held = budgetSpent
	return false
}

// successesPerRetry is the number of calls that succeed at once and together
// pay for a retry.
const successesPerRetry = 5

// settleBudget pays back after a good response: the cost of the retry, or a
// fraction for a call that succeeded at once.
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
// wait applies to all calls of the same endpoint and credential.
type pauses struct {
	count atomic.Int64 // of entries, so that a look costs nothing while there are none
	mu    sync.Mutex
	until map[pauseKey]time.Time
}

// pauseKey identifies the calls that a refusal applies to.
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

// pauseLeft returns how long calls like this one must wait, or 0 if this call
// cannot wait that long: then the service decides.
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

// notePause makes calls like this one wait as long as a refusal asks.
func (s *sending) notePause(resp *http.Response, err error) {
	if err == nil && resp.StatusCode == http.StatusTooManyRequests && s.answer.asked > 0 {
		s.client.config.pauses.add(s.pauseKey(), s.answer.asked)
	}
}
