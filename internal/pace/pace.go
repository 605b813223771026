// Package pace keeps the calls of a client from overloading a service: with a
// budget of retries, and with pauses that one refusal starts for calls like it.
package pace

import (
	"sync"
	"sync/atomic"
	"time"
)

// Budget keeps the calls of a client from multiplying the load on a service that
// is down. Retries are a debt that good responses pay back. A client may owe one
// for each call in progress, and some more.
type Budget struct {
	size       int64
	debt       atomic.Int64
	inProgress atomic.Int64
	early      atomic.Int64 // calls that succeeded at once while there was debt
}

// DefaultSize is the number of retries that a client may owe in addition to one
// for each call in progress.
const DefaultSize = 100

// NewBudget returns a budget of a size.
func NewBudget(size int) *Budget { return &Budget{size: int64(size)} }

// Begin notes a call in progress, and End its end.
func (b *Budget) Begin() { b.inProgress.Add(1) }

// End notes the end of a call.
func (b *Budget) End() { b.inProgress.Add(-1) }

// Debt is the number of retries that are owed.
func (b *Budget) Debt() int64 { return b.debt.Load() }

// InProgress is the number of calls that have begun and not ended.
func (b *Budget) InProgress() int64 { return b.inProgress.Load() }

// Take reports whether one more retry is allowed, and notes it as a debt.
func (b *Budget) Take() bool {
	for {
		debt := b.debt.Load()
		if debt-b.inProgress.Load() >= b.size {
			return false
		}
		if b.debt.CompareAndSwap(debt, debt+1) {
			return true
		}
	}
}

// successesPerRetry is the number of calls that succeed at once and together
// pay for a retry.
const successesPerRetry = 5

// Settle pays back after a good response to some attempt: the cost of the retry,
// or a fraction for a call that succeeded at once.
func (b *Budget) Settle(attempt int) {
	if b.debt.Load() == 0 {
		return
	}
	if attempt > 1 || b.early.Add(1)%successesPerRetry == 0 {
		b.give()
	}
}

// give pays one retry back.
func (b *Budget) give() {
	for {
		debt := b.debt.Load()
		if debt <= 0 || b.debt.CompareAndSwap(debt, debt-1) {
			return
		}
	}
}

// Pauses keep calls from being refused one after the other: a refusal that asks
// to wait applies to all calls with the same key. The zero Pauses have none.
type Pauses struct {
	count atomic.Int64 // of entries, so that a look costs nothing while there are none
	mu    sync.Mutex
	until map[Key]time.Time
}

// Key identifies the calls that a refusal applies to.
type Key struct {
	Method, Operation, Credential, Sudo string
}

// Len is the number of pauses that are known, including some that are over.
func (p *Pauses) Len() int { return int(p.count.Load()) }

// Left returns how long calls with the key have to wait.
func (p *Pauses) Left(key Key) time.Duration {
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

// Add makes calls with the key wait, unless they have to wait longer already.
func (p *Pauses) Add(key Key, wait time.Duration) {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.until == nil {
		p.until = make(map[Key]time.Time)
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
