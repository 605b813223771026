package tokencache

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

// errLeft is why a caller stops waiting.
var errLeft = errors.New("the caller left")

func newTest(request func(context.Context, string) (*oauth2.Token, error)) *Cache {
	return New(Source{Request: request, IsRefusal: func(error) bool { return false }}, nil)
}

// TestCache checks which calls request a token.
func TestCache(t *testing.T) {
	// newCache returns a cache whose source takes a second and returns token-n or
	// an error.
	newCache := func(fail error) (*Cache, *int) {
		requests := 0
		return newTest(func(ctx context.Context, _ string) (*oauth2.Token, error) {
			requests++
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if fail != nil {
				return nil, fail
			}
			return &oauth2.Token{AccessToken: fmt.Sprint("token-", requests), Expiry: time.Now().Add(time.Minute)}, nil
		}), &requests
	}

	t.Run("a failure is shared", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			cache, requests := newCache(assert.AnError)
			for range 200 {
				go func() {
					_, err := cache.Get(t.Context())
					assert.ErrorIs(t, err, assert.AnError)
				}()
			}
			synctest.Wait()
			time.Sleep(2 * time.Second)
			assert.Equal(t, 1, *requests)
			_, err := cache.Get(t.Context())
			require.Error(t, err)
			assert.Equal(t, 2, *requests, "later calls ask again")
		})
	})

	t.Run("a caller who leaves does not lose the token", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			cache, requests := newCache(nil)
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				time.Sleep(500 * time.Millisecond)
				cancel(assert.AnError)
			}()
			_, err := cache.Get(ctx)
			require.ErrorIs(t, err, assert.AnError)
			_, err = cache.Get(ctx)
			require.ErrorIs(t, err, assert.AnError)
			time.Sleep(time.Second)
			token, err := cache.Get(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "token-1", token.AccessToken)
			assert.Equal(t, 1, *requests)
		})
	})

	t.Run("expired and refused tokens", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			cache, _ := newCache(nil)
			for range 2 {
				token, err := cache.Get(t.Context())
				require.NoError(t, err)
				assert.Equal(t, "token-1", token.AccessToken)
			}
			for i, stale := range []string{"token-1", "token-1", "token-2"} {
				token, err := cache.Replace(t.Context(), stale, false)
				require.NoError(t, err)
				assert.Equal(t, []string{"token-2", "token-2", "token-3"}[i], token)
				cache.Settle(token, http.StatusOK)
			}
			time.Sleep(time.Minute)
			token, err := cache.Get(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "token-4", token.AccessToken)
		})
	})
}

// TestRefusalWhileATokenIsAskedFor checks that a refused call waits for a token
// that is being requested, even if it would not have requested one.
func TestRefusalWhileATokenIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		cache := newTest(func(context.Context, string) (*oauth2.Token, error) {
			requests++
			time.Sleep(time.Second)
			return &oauth2.Token{AccessToken: "new"}, nil
		})
		cache.token, cache.replaced, cache.useless = &oauth2.Token{AccessToken: "old"}, time.Now(), true
		cache.accepted.Store(true)
		token, err := cache.Replace(t.Context(), "old", false)
		require.NoError(t, err)
		assert.Equal(t, "old", token, "the service did not say that it is invalid")
		for _, explicit := range []bool{true, false} {
			go func() {
				token, err := cache.Replace(t.Context(), "old", explicit)
				assert.NoError(t, err)
				assert.Equal(t, "new", token)
			}()
			synctest.Wait()
		}
		time.Sleep(2 * time.Second)
		assert.Equal(t, 1, requests)
	})
}

// TestResponseToAnOldToken checks that it does not affect the new token.
func TestResponseToAnOldToken(t *testing.T) {
	cache := &Cache{token: &oauth2.Token{AccessToken: "new"}}
	cache.Settle("old", http.StatusOK)
	cache.Settle("old", http.StatusUnauthorized)
	assert.False(t, cache.accepted.Load())
	assert.False(t, cache.useless)
	cache.Settle("new", http.StatusOK)
	cache.Settle("new", http.StatusUnauthorized)
	assert.True(t, cache.accepted.Load())
	assert.True(t, cache.useless)
	for status, want := range map[int]bool{
		200: true, 302: true, 400: true, 403: true, 404: true, 499: true,
		401: false, 407: false, 408: false, 429: false, 500: false, 503: false,
	} {
		assert.Equal(t, want, showsAccepted(status), status)
	}
}

// TestCanceledCallAsksForNoToken checks that a canceled call does not request a
// token, and that a request for one ends with its context.
func TestCanceledCallAsksForNoToken(t *testing.T) {
	var requests []context.Context
	cache := newTest(func(ctx context.Context, _ string) (*oauth2.Token, error) {
		requests = append(requests, ctx)
		return &oauth2.Token{AccessToken: "new"}, nil
	})
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(errLeft)
	_, err := cache.Get(canceled)
	require.ErrorIs(t, err, errLeft)
	token, err := cache.Replace(canceled, "stale", true)
	require.ErrorIs(t, err, errLeft)
	assert.Equal(t, "stale", token)
	assert.Empty(t, requests)
	token, err = cache.Replace(t.Context(), "stale", true)
	require.NoError(t, err)
	assert.Equal(t, "new", token)
	require.Len(t, requests, 1)
	select {
	case <-requests[0].Done():
	case <-time.After(10 * time.Second):
		t.Error("the context of the request goes on")
	}
}

// TestExplicitRefusalOfANewToken checks that a service that says that a token is
// not valid is believed, although it has never accepted the token; but not again
// before a minute has passed.
func TestExplicitRefusalOfANewToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := 0
		cache := newTest(func(context.Context, string) (*oauth2.Token, error) {
			issued++
			return &oauth2.Token{AccessToken: fmt.Sprint("token-", issued)}, nil
		})
		cache.token = &oauth2.Token{AccessToken: "token-0"}
		replace := func(explicit bool) int {
			token, err := cache.Get(t.Context())
			require.NoError(t, err)
			_, err = cache.Replace(t.Context(), token.AccessToken, explicit)
			require.NoError(t, err)
			return issued
		}
		assert.Equal(t, 1, replace(false))
		assert.Equal(t, 1, replace(false), "the caller may not do something")
		assert.Equal(t, 2, replace(true))
		assert.Equal(t, 2, replace(true), "it would go on like this forever")
		for minute := range 3 {
			time.Sleep(time.Minute)
			assert.Equal(t, 3+minute, replace(true))
			assert.Equal(t, 3+minute, replace(true))
		}
		cache.Settle("token-5", http.StatusOK)
		assert.Equal(t, 6, replace(true), "it was good, and is not any more")
		assert.Equal(t, 7, replace(true))
		assert.Equal(t, 7, replace(true))
	})
}

// TestRefusalOfTheSource checks that no token is requested for a minute after a
// refusal, and soon after a failure.
func TestRefusalOfTheSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests, final := 0, true
		cache := New(Source{
			Request: func(context.Context, string) (*oauth2.Token, error) {
				requests++
				return nil, errLeft
			},
			IsRefusal: func(err error) bool { return final && err == errLeft },
		}, nil)
		get := func() int {
			_, err := cache.Get(t.Context())
			require.ErrorIs(t, err, errLeft)
			return requests
		}
		assert.Equal(t, 1, get())
		time.Sleep(replaceInterval - 1)
		assert.Equal(t, 1, get())
		time.Sleep(time.Nanosecond)
		final = false
		assert.Equal(t, 2, get())
		time.Sleep(time.Second)
		assert.Equal(t, 3, get())
	})
}
