package main

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// dial returns a client that is closed at the end of the test.
func dial(t *testing.T, address string) redis.UniversalClient {
	t.Helper()
	db, err := dialRedis(address)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// limited returns a client of a service that obeys a budget.
func limited(t *testing.T, service *servicetest.Service, b *budget) *serviceapi.Client {
	t.Helper()
	client, err := serviceapi.NewClient(service.URL(), serviceapi.PrivateToken(service.AdminToken()),
		serviceapi.WithLimiter(b), serviceapi.WithMiddleware(b.observe))
	require.NoError(t, err)
	return client
}

// TestOneBudget checks that two processes together do not exceed the limit.
func TestOneBudget(t *testing.T) {
	for name, address := range everyRedis(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := servicetest.New(t, servicetest.WithClock(time.Now))
			var done sync.WaitGroup
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			for range 2 {
				client := limited(t, service, newBudget(dial(t, address), "shared", 40, 200*time.Millisecond))
				for range 4 {
					done.Go(func() {
						for ctx.Err() == nil {
							client.Metadata.Get(ctx)
						}
					})
				}
			}
			done.Wait()
			assert.LessOrEqual(t, busiest(service.Requests()), 40)
			assert.Greater(t, len(service.Requests()), 30, "and they use it")
		})
	}
}

// TestPaced checks what is permitted at most within a second and the slack.
func TestPaced(t *testing.T) {
	for _, perSecond := range []int{2, 10, 19, 100, 600} {
		limit := paced(perSecond, 100*time.Millisecond)
		assert.Equal(t, perSecond, limit.Burst+limit.Rate)
		assert.Equal(t, 1100*time.Millisecond, limit.Period)
	}
}

// TestPause checks that a 429 that one process sees stops another one.
func TestPause(t *testing.T) {
	for name, address := range everyRedis(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := servicetest.New(t)
			service.Fault("*", servicetest.RateLimit(time.Second), servicetest.Times(1))
			first := newBudget(dial(t, address), "pause", 1000, 100*time.Millisecond)
			second := newBudget(dial(t, address), "pause", 1000, 100*time.Millisecond)
			other := newBudget(dial(t, address), "other", 1000, 100*time.Millisecond)
			once := serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1})

			_, _, err := limited(t, service, first).Metadata.Get(t.Context(), once)
			require.ErrorIs(t, err, serviceapi.ErrRateLimited)
			began := time.Now()
			require.NoError(t, other.Wait(t.Context()), "another credential")
			assert.Less(t, time.Since(began), 500*time.Millisecond)
			require.NoError(t, second.Wait(t.Context()))
			assert.Greater(t, time.Since(began), 800*time.Millisecond)

			// A shorter pause does not end a longer one.
			first.pause(t.Context(), time.Hour)
			second.pause(t.Context(), time.Millisecond)
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			assert.ErrorIs(t, second.Wait(ctx), context.DeadlineExceeded)
		})
	}
}

// TestWithoutRedis checks that nothing is sent without a permit, that a call does not
// wait for ever, and that a 429 is told when the line is back.
func TestWithoutRedis(t *testing.T) {
	server, err := startRedis()
	require.NoError(t, err)
	defer server.stop()
	wire := newLine(t, server.address)
	service := servicetest.New(t)
	b := newBudget(dial(t, wire.address), "account", 1000, 100*time.Millisecond)
	b.patience = 300 * time.Millisecond
	client := limited(t, service, b)
	_, _, err = client.Metadata.Get(t.Context())
	require.NoError(t, err)

	wire.cut()
	began := time.Now()
	_, _, err = client.Metadata.Get(t.Context())
	assert.ErrorIs(t, err, errNoLimiter)
	assert.False(t, serviceapi.MayHaveExecuted(err))
	assert.False(t, isFailure(err), "the task runs again")
	assert.Less(t, time.Since(began), b.patience+2*askTimeout)
	assert.Len(t, service.Requests(), 1)

	b.pause(t.Context(), 2*time.Second+askTimeout)
	wire.mend()
	other := newBudget(dial(t, server.address), "account", 1000, 100*time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	assert.ErrorIs(t, b.Wait(ctx), context.DeadlineExceeded)
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	assert.ErrorIs(t, other.Wait(ctx), context.DeadlineExceeded)
}

// TestOnePerProcess checks that a call whose context ends leaves the queue of calls.
func TestOnePerProcess(t *testing.T) {
	server, err := startRedis()
	require.NoError(t, err)
	defer server.stop()
	b := newBudget(dial(t, server.address), "account", 1000, 100*time.Millisecond)
	b.turn <- struct{}{}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	assert.ErrorIs(t, b.Wait(ctx), context.DeadlineExceeded)
	<-b.turn
	assert.NoError(t, b.Wait(t.Context()))
}

func TestRetryAfter(t *testing.T) {
	now := time.Now().Truncate(time.Second).UTC()
	later := now.Add(30 * time.Second)
	for _, test := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", "0", 0},
		{"Retry-After", later.Format(http.TimeFormat), 30 * time.Second},
		{"Retry-After", "soon", time.Second},
		{"RateLimit-Reset", strconv.FormatInt(later.Unix(), 10), 30 * time.Second},
		{"X-Other", "7", time.Second},
	} {
		h := http.Header{}
		h.Set(test.name, test.value)
		assert.Equal(t, test.want, retryAfter(h, now), "%s: %s", test.name, test.value)
	}
}

// TestAccount checks that each credential of an instance has a budget, whose name does
// not show the credential, and that nothing is sent to find it out.
func TestAccount(t *testing.T) {
	service := servicetest.New(t)
	names := map[string]bool{}
	for range 2 {
		for _, credential := range []serviceapi.Credential{
			serviceapi.PrivateToken("token-one"), serviceapi.PrivateToken("token-two"),
			serviceapi.BearerToken("token-one"), serviceapi.JobToken("token-one"),
			serviceapi.SessionCookie("token-one"),
		} {
			for _, address := range []string{service.URL(), "https://service.example.com"} {
				client, err := serviceapi.NewClient(address, credential)
				require.NoError(t, err)
				name, err := accountOf(t.Context(), client)
				require.NoError(t, err)
				assert.Regexp(t, "^[0-9a-f]{32}$", name)
				names[name] = true
			}
		}
	}
	assert.Len(t, names, 10)
	assert.Empty(t, service.Requests())
}
