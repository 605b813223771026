package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Waits between two looks at something that the service finishes later: short
// at first, since much is done at once, and never so long that an end would go
// unnoticed for long.
const (
	firstPollWait = 500 * time.Millisecond
	maxPollWait   = 10 * time.Second
)

// poll calls fetch until it reports that the state is final, fails, or ctx
// ends. With an error it returns the last state that it has seen, too.
func poll[T any](ctx context.Context, fetch func(context.Context) (state T, done bool, err error)) (T, error) {
	var last T
	for wait := firstPollWait; ; wait = min(wait*3/2, maxPollWait) {
		state, done, err := fetch(ctx)
		if err != nil {
			return last, err
		}
		if last = state; done {
			return last, nil
		}
		if err := pauseBetweenPolls(ctx, wait); err != nil {
			return last, err
		}
	}
}

// pauseBetweenPolls waits about as long as told, so that many waiters do not
// ask all at once.
func pauseBetweenPolls(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait*3/4 + rand.N(wait/2+1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		err := ctx.Err()
		if cause := context.Cause(ctx); !errors.Is(err, cause) {
			err = fmt.Errorf("%w: %w", err, cause)
		}
		return fmt.Errorf("serviceapi: stopped waiting: %w", err)
	}
}
