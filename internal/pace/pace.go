// Package pace keeps the calls of a client from overloading a service: with a
// budget of retries, and with pauses that one refusal starts for calls like it.
package pace

import (
	"context"
	"fmt"
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
