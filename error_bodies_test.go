package serviceapi

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClassify(t *testing.T) {
	for _, tc := range []struct {
		code   int
		reason ErrorReason
		want   string
	}{
		{429, "", "*serviceapi.RateLimitError"}, {403, "insufficient_scope", "*serviceapi.InsufficientScopeError"},
		{403, "other", "*serviceapi.Error"}, {401, "insufficient_scope", "*serviceapi.Error"}, {503, "", "*serviceapi.Error"},
	} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
			status(tc.code, `{"error":"`+string(tc.reason)+`","scope":"api"}`, "Retry-After", "3"))
		_, err := getJob(t.Context(), client)
		assert.Equal(t, tc.want, fmt.Sprintf("%T", err), "%d %s", tc.code, tc.reason)
		switch e := err.(type) {
		case *RateLimitError:
			assert.Equal(t, 3*time.Second, e.RetryAfter)
		case *InsufficientScopeError:
			assert.Equal(t, "api", e.Scope)
		}
	}
}

// TestPagesAreRecognizedByTheirType: the header of the response counts.
func TestPagesAreRecognizedByTheirType(t *testing.T) {
	for contentType, want := range map[string]string{"text/html": "Bad gateway", "text/plain": "Bad <b>gateway</b>"} {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(502, "Bad <b>gateway</b>", "Content-Type", contentType))
		_, err := getJob(t.Context(), client)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, want, e.Message)
	}
}
