// Package pace keeps the calls of a client from overloading a service: with a
// budget of retries, and with pauses that one refusal starts for calls like it.
package pace

import (
	"context"
	"fmt"
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

// Pause waits. If ctx ends first, the error says why.
func Pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
	}
	err := ctx.Err()
	if cause := context.Cause(ctx); cause != err {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// Call identifies the calls that a refusal may apply to. Without a Path it is an
// endpoint, and without an Operation everything that a credential does.
type Call struct {
	Credential, Sudo, Method, Operation, Path string
}

// scopes returns what a refusal of the call may apply to, the narrowest first.
func (c Call) scopes() [3]Call {
	endpoint := c
	endpoint.Path = ""
	return [3]Call{c, endpoint, {Credential: c.Credential, Sudo: c.Sudo}}
}

// Pauses keep calls from being refused one after the other. A refusal that asks to
// wait applies to calls of the same URL. The service does not say what its limit
// counts, so that is learned: if several URLs of an endpoint are refused in a row,
// all of the endpoint have to wait, and if several endpoints are, all calls of the
// credential. The zero Pauses have none.
type Pauses struct {
	count atomic.Int64 // of entries, so that a look costs nothing while there are none
	mu    sync.Mutex
	until map[Call]pause
	rows  map[Call]row
}

// pause is the time of a pause.
type pause struct{ since, until time.Time }

// row is a number of scopes that were refused one after the other within a wider
// one, with no success in between.
type row struct {
	last   Call
	limit  string
	length int
	until  time.Time
}

// The number of refusals in a row from which a pause applies to the wider scope. If
// the service names the limit, a second one leaves little doubt.
const (
	wideningRow      = 3
	wideningNamedRow = 2
)

// None reports whether there are no pauses.
func (p *Pauses) None() bool { return p.count.Load() == 0 }

// Len is the number of pauses that are known, including some that are over.
func (p *Pauses) Len() int { return int(p.count.Load()) }

// Left returns how long a call has to wait.
func (p *Pauses) Left(c Call) (left time.Duration) {
	if p.None() {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.forget(now)
	for _, scope := range c.scopes() {
		left = max(left, p.until[scope].until.Sub(now))
	}
	return left
}

// Add makes calls wait after one was refused, unless they have to wait longer
// already. The limit is its name, "" if the service does not say.
func (p *Pauses) Add(c Call, limit string, wait time.Duration) {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget(now)
	if p.until == nil {
		p.until, p.rows = make(map[Call]pause), make(map[Call]row)
	}
	until := now.Add(wait)
	scopes := c.scopes()
	for i, scope := range scopes {
		if until.After(p.until[scope].until) {
			p.until[scope] = pause{now, until}
		}
		if i+1 == len(scopes) || !p.refused(scopes[i+1], row{scope, limit, 1, until}) {
			break
		}
	}
	p.count.Store(int64(len(p.until)))
}

// refused notes a refusal within a scope, and reports whether it applies to all of
// it.
func (p *Pauses) refused(wider Call, r row) bool {
	if before, ok := p.rows[wider]; ok && before.limit == r.limit {
		r.length = before.length
		if before.last != r.last {
			r.length++
		}
	}
	p.rows[wider] = r
	return r.length >= wideningRow || r.limit != "" && r.length >= wideningNamedRow
}

// Succeeded notes that a call was not refused, so that the limits of others like it
// are their own. If it was sent after a pause began that it should have waited for, the pause is
// over.
func (p *Pauses) Succeeded(c Call, sent time.Time) {
	if p.None() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, scope := range c.scopes() {
		delete(p.rows, scope)
		if since := p.until[scope].since; !since.IsZero() && sent.After(since) {
			delete(p.until, scope)
		}
	}
	p.count.Store(int64(len(p.until)))
}

// forget removes what is over.
func (p *Pauses) forget(now time.Time) {
	for scope, pause := range p.until {
		if !pause.until.After(now) {
			delete(p.until, scope)
		}
	}
	for scope, r := range p.rows {
		if !r.until.After(now) {
			delete(p.rows, scope)
		}
	}
	p.count.Store(int64(len(p.until)))
}
