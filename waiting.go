package serviceapi

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// Waits between two questions of a poll: short ones at first, for what is done
// soon, then longer ones.
const (
	firstPoll = 500 * time.Millisecond
	maxPoll   = 10 * time.Second
)

// poll calls fetch until it is done or fails, or ctx ends. It returns what
// fetch returned last that was not an error, beside any error.
func poll[T any](ctx context.Context, fetch func(context.Context) (state T, done bool, err error)) (T, error) {
	var last T
	for wait := firstPoll; ; wait = min(wait*3/2, maxPoll) {
		state, done, err := fetch(ctx)
		if err != nil {
			return last, err
		}
		last = state
		if done {
			return last, nil
		}
		if err := pause(ctx, jitter(wait)); err != nil {
			return last, err
		}
	}
}

// jitter varies a wait by half, so that clients that began together do not ask
// together for ever.
func jitter(wait time.Duration) time.Duration { return wait/2 + rand.N(wait) }

// pause waits, unless ctx ends first: the error then says why.
func pause(ctx context.Context, wait time.Duration) error {
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
	return fmt.Errorf("serviceapi: gave up waiting: %w", err)
}
