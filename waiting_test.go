package serviceapi

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPollSlowsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks []time.Time
		state, err := poll(t.Context(), func(context.Context) (int, bool, error) {
			looks = append(looks, time.Now())
			return len(looks), len(looks) == 14, nil
		})
		require.NoError(t, err)
		assert.Equal(t, 14, state)
		expected := firstPoll
		for i := 1; i < len(looks); i++ {
			wait := looks[i].Sub(looks[i-1])
			assert.InDelta(t, expected.Seconds(), wait.Seconds(), expected.Seconds()/2+0.001, "wait %d", i)
			expected = min(expected*3/2, maxPoll)
		}
		assert.Equal(t, maxPoll, expected)
	})
}

func TestPollReturnsTheLastState(t *testing.T) {
	broken := errors.New("broken")
	synctest.Test(t, func(t *testing.T) {
		n := 0
		state, err := poll(t.Context(), func(context.Context) (int, bool, error) {
			if n++; n == 3 {
				return 0, false, broken
			}
			return n, false, nil
		})
		assert.ErrorIs(t, err, broken)
		assert.Equal(t, 2, state)
	})
}

func TestPollEndsWithItsContext(t *testing.T) {
	tired := errors.New("tired")
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := context.WithTimeoutCause(t.Context(), 700*time.Millisecond, tired)
		defer cancel()
		state, err := poll(ctx, func(context.Context) (string, bool, error) { return "started", false, nil })
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorIs(t, err, tired)
		assert.Equal(t, "started", state)
		assert.Equal(t, 700*time.Millisecond, time.Since(start))
	})
}
