package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"io"
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
		"success":                  {answers{status(201, `{"id":1}`)}, RetryPolicy{}, true},
		"no connection":            {answers{refused}, RetryPolicy{}, false},
		"no way through the proxy": {answers{failure(&proxyError{"407"})}, RetryPolicy{}, false},
		"429":                      {answers{limited}, RetryPolicy{}, false},
		"lock":                     {answers{locked}, RetryPolicy{}, false},
		"429, then no connection":  {answers{limited, refused}, RetryPolicy{}, false},
		"other conflict":           {answers{status(409, `{"message":"exists"}`)}, RetryPolicy{}, true},
		"500":                      {answers{status(500, ``)}, RetryPolicy{}, true},
		"404":                      {answers{status(404, `{}`)}, RetryPolicy{}, true},
		"broken connection":        {answers{reset}, RetryPolicy{}, true},
		"undecodable":              {answers{status(201, `<html>`)}, RetryPolicy{}, true},
		"redirect": {answers{status(302, ``, "Location", "https://other.test/")}, RetryPolicy{},
			true},
		"500, then no connection": {answers{status(500, ``), refused}, RetryPolicy{RetryUnsafe: true}, true},
		"broken, then 429":        {answers{reset, limited}, RetryPolicy{RetryUnsafe: true}, true},
		"canceled while waiting":  {answers{status(429, `{}`, "Retry-After", "30")}, RetryPolicy{}, false},
		"canceled after an accident": {answers{status(503, `{}`, "Retry-After", "30")}, RetryPolicy{RetryUnsafe: true},
			true},
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

// TestLastResponsesMakeNoTypedErrors checks that the error of a call that ended
// while it waited is not a refusal, whatever the response before the wait said.
func TestLastResponsesMakeNoTypedErrors(t *testing.T) {
	for name, test := range map[string]struct {
		last  *Error
		typed func(error) error
	}{
		"approval": {&Error{StatusCode: 401}, asApprovalError},
		"branch or tag": {&Error{StatusCode: 403, Message: "Protected branch cannot be deleted"},
			func(err error) error { return protectedRef("main", err) }},
		"merge":         {&Error{StatusCode: 406}, func(err error) error { return refusal(err, mergeRefusals) }},
		"merge request": {&Error{StatusCode: 409, Message: "!7"}, asMergeRequestExists},
		"user": {&Error{StatusCode: 404, Body: []byte(`{"message":"Email has already been taken"}`),
			Message: "Email has already been taken"}, asUserConflict},
		"commit": {&Error{StatusCode: 400, Code: "conflict"},
			func(err error) error { _, _, err = changeset[Commit](nil, nil, err); return err }},
		"range of bytes": {&Error{StatusCode: 416},
			func(err error) error { return map[bool]error{true: io.EOF, false: err}[isUnsatisfiable(err)] }},
	} {
		assert.NotEqual(t, error(test.last), test.typed(test.last), "%s: the response to the call", name)
		ended := &TransportError{Err: context.Canceled, Last: test.last}
		assert.Equal(t, error(ended), test.typed(ended), "%s: the response before a wait", name)
	}
}
