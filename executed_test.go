package serviceapi

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
)

func TestMayHaveExecuted(t *testing.T) {
	type answers = []func(*http.Request) (*http.Response, error)
	limited := status(429, `{}`)
	for name, tc := range map[string]struct {
		answers answers
		policy  RetryPolicy
		want    bool
	}{
		"success":                    {answers{status(201, `{"id":1}`)}, RetryPolicy{}, true},
		"no connection":              {answers{refused}, RetryPolicy{}, false},
		"429":                        {answers{limited}, RetryPolicy{}, false},
		"lock":                       {answers{locked}, RetryPolicy{}, false},
		"429, then no connection":    {answers{limited, refused}, RetryPolicy{}, false},
		"other conflict":             {answers{status(409, `{"message":"exists"}`)}, RetryPolicy{}, true},
		"500":                        {answers{status(500, ``)}, RetryPolicy{}, true},
		"404":                        {answers{status(404, `{}`)}, RetryPolicy{}, true},
		"broken connection":          {answers{reset}, RetryPolicy{}, true},
		"undecodable":                {answers{status(201, `<html>`)}, RetryPolicy{}, true},
		"redirect":                   {answers{status(302, ``, "Location", "https://other.test/")}, RetryPolicy{}, true},
		"500, then no connection":    {answers{status(500, ``), refused}, RetryPolicy{RetryUnsafe: true}, true},
		"broken, then 429":           {answers{reset, limited}, RetryPolicy{RetryUnsafe: true}, true},
		"canceled while waiting":     {answers{status(429, `{}`, "Retry-After", "30")}, RetryPolicy{}, false},
		"canceled after an accident": {answers{status(503, `{}`, "Retry-After", "30")}, RetryPolicy{RetryUnsafe: true}, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			client, _ := scriptedClient(t, tc.policy, tc.answers...)
			ctx, cancel := context.WithCancel(t.Context())
			defer time.AfterFunc(10*time.Second, cancel).Stop()
			var out Job
			_, err := client.Do(ctx, "POST", EscapedPath("/things"), 1, &out)
			assert.Equal(t, tc.want, MayHaveExecuted(err), "%s: %v", name, err)
			assert.Equal(t, tc.want, MayHaveExecuted(fmt.Errorf("wrapped: %w", err)), name)
		})
	}
	client := onWire(t)
	_, err := client.Do(t.Context(), "POST", EscapedPath("no"), 1, nil)
	assert.False(t, MayHaveExecuted(err))
	no := errors.New("not today")
	limitedClient, err := client.With(WithLimiter(limiterFunc(func(context.Context) error { return no })))
	require.NoError(t, err)
	_, err = limitedClient.Do(t.Context(), "POST", EscapedPath("/things"), 1, nil)
	require.ErrorIs(t, err, no)
	assert.False(t, MayHaveExecuted(err))
	assert.True(t, MayHaveExecuted(errors.New("of somebody else")))
}
