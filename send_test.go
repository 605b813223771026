package serviceapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logLines is a handler that keeps what is logged as "LEVEL message key=value".
type logLines struct {
	level slog.Level
	lines []string
}

func (l *logLines) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level }
func (l *logLines) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l *logLines) WithGroup(string) slog.Handler                    { return l }

func (l *logLines) Handle(_ context.Context, r slog.Record) error {
	line := r.Level.String() + " " + r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	l.lines = append(l.lines, line)
	return nil
}

// taking responds after some time.
func taking(
	d time.Duration, next func(*http.Request) (*http.Response, error),
) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		time.Sleep(d)
		return next(r)
	}
}

// TestLogOfACall checks all attributes of three attempts: one with a response
// that asks to wait, one that breaks off, and one that succeeds.
func TestLogOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MinWait: 1},
			taking(time.Second, status(429, "", "Retry-After", "7", "X-Request-Id", "r\n1")),
			taking(2*time.Second, failure(errors.New("broke\n"+strings.Repeat("é", maxErrorText)))),
			taking(3*time.Second, status(200, `{"id":8}`, "X-Request-Id", strings.Repeat("é", 101))))
		log := &logLines{level: slog.LevelDebug}
		client, err := client.With(WithLogger(slog.New(log)))
		require.NoError(t, err)
		_, err = getJob(t.Context(), client, WithQuery("q", "secret"))
		require.NoError(t, err)
		require.Len(t, log.lines, 3)
		const head = "method=GET operation=/projects/:id/jobs/:job_id url=https://service.test/api/v4/projects/1/jobs/8"
		assert.Equal(t, "INFO request will be repeated "+head+
			` attempt=1 duration=1s status=429 request_id=r\n1 wait=7s`, log.lines[0])
		second, wait, _ := strings.Cut(log.lines[1], " wait=")
		assert.Equal(t, "INFO request will be repeated "+head+` attempt=2 duration=2s error=broke\n`+
			strings.Repeat("é", 1000-6)+"…", second)
		assert.NotEmpty(t, wait)
		assert.Equal(t, "DEBUG request "+head+" attempt=3 duration=3s status=200 request_id="+strings.Repeat("é", 100)+
			"…", log.lines[2])
	})
}

// TestLogLevels checks that retries have a higher level than other attempts,
// and that a logger that wants neither gets nothing.
func TestLogLevels(t *testing.T) {
	for level, want := range map[slog.Level]int{slog.LevelDebug: 2, slog.LevelInfo: 1, slog.LevelWarn: 0} {
		synctest.Test(t, func(t *testing.T) {
			client, _ := scriptedClient(t, RetryPolicy{}, status(503, ""), okJob)
			log := &logLines{level: level}
			client, err := client.With(WithLogger(slog.New(log)))
			require.NoError(t, err)
			_, err = getJob(t.Context(), client)
			require.NoError(t, err)
			assert.Len(t, log.lines, want, level)
			quiet, err := client.With(WithLogger(nil))
			require.NoError(t, err)
			_, err = getJob(t.Context(), quiet)
			require.NoError(t, err)
			assert.Len(t, log.lines, want, "without a logger again")
		})
	}
}

// TestLogOfTheSecondRun checks that the attempt after a refused credential has
// its own duration.
func TestLogOfTheSecondRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{}, taking(time.Second, status(401, "")),
			taking(2*time.Second, okJob))
		n := 0
		source := tokenFunc(func() (*oauthToken, error) {
			n++
			return &oauthToken{AccessToken: fmt.Sprint("token-", n)}, nil
		})
		log := &logLines{level: slog.LevelDebug}
		client, err := client.With(WithLogger(slog.New(log)), WithCredential(OAuth2(source)))
		require.NoError(t, err)
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
		require.Len(t, log.lines, 2)
		assert.Contains(t, log.lines[0], "DEBUG request ")
		assert.Contains(t, log.lines[0], "attempt=1 duration=1s status=401")
		assert.Contains(t, log.lines[1], "attempt=2 duration=2s status=200")
	})
}

// TestRefreshThatFails checks the error of a call if the source has no other
// token, or no token at all.
func TestRefreshThatFails(t *testing.T) {
	gone := errors.New("the grant was revoked")
	for name, second := range map[string]func() (*oauthToken, error){
		"same token": func() (*oauthToken, error) { return &oauthToken{AccessToken: "token-1"}, nil },
		"no token":   func() (*oauthToken, error) { return nil, gone },
	} {
		first := true
		source := tokenFunc(func() (*oauthToken, error) {
			if first {
				first = false
				return &oauthToken{AccessToken: "token-1"}, nil
			}
			return second()
		})
		client, s := scriptedClient(t, RetryPolicy{}, status(401, `{"message":"expired"}`), okJob)
		_, err := getJob(t.Context(), client, WithCredential(OAuth2(source)))
		assert.Len(t, s.Times, 1, name)
		if name == "no token" {
			assert.ErrorIs(t, err, gone)
			assert.NotErrorIs(t, err, ErrNotFound)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "expired", e.Message)
		} else {
			assert.ErrorIs(t, err, ErrUnauthorized)
			assert.ErrorContains(t, err, "expired")
		}
	}
}

// TestRefusedStreamIsNotSentAgain checks that a body that was read is not sent
// again with another credential.
func TestRefusedStreamIsNotSentAgain(t *testing.T) {
	for _, tc := range []struct {
		name    string
		content io.Reader
		want    int
	}{
		{"stream", io.MultiReader(strings.NewReader("content")), 1},
		{"seekable", strings.NewReader("content"), 2},
	} {
		n := 0
		source := tokenFunc(func() (*oauthToken, error) {
			n++
			return &oauthToken{AccessToken: fmt.Sprint("token-", n)}, nil
		})
		client, s := scriptedClient(t, RetryPolicy{}, status(401, `{"message":"expired"}`), status(201, `{}`))
		client, err := client.With(WithCredential(OAuth2(source)))
		require.NoError(t, err)
		err = uploadTo(t.Context(), client, Upload{Filename: "a", Content: tc.content})
		assert.Len(t, s.Times, tc.want, tc.name)
		assert.Equal(t, tc.want, n, "a token that cannot be used is not asked for")
		if tc.want == 1 {
			assert.ErrorIs(t, err, ErrUnauthorized)
		} else {
			assert.NoError(t, err, tc.name)
		}
	}
}

func TestGoodStatuses(t *testing.T) {
	for code := 100; code < 600; code++ {
		assert.Equal(t, code/100 == 2, isGood(&http.Response{StatusCode: code}), code)
	}
}

// TestContentLength checks that the length of every form of body in memory is
// announced.
func TestContentLength(t *testing.T) {
	var length int64
	var encoding []string
	var body []byte
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		length, encoding = r.ContentLength, r.TransferEncoding
		body, _ = io.ReadAll(r.Body)
		w.Write([]byte(`{"id":8}`))
	})
	for _, value := range []any{map[string]string{"name": "ünï"}, 7, "", []int{}} {
		_, err := client.Do(t.Context(), http.MethodPost, EscapedPath("/things"), value, nil)
		require.NoError(t, err)
		want, err := json.Marshal(value)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(body))
		assert.EqualValues(t, len(want), length)
		assert.Empty(t, encoding, "not chunked")
	}
	_, err := exec(t.Context(), client, http.MethodPost, Route("/things"), formOf(map[string]int{"page": 3}), nil)
	require.NoError(t, err)
	assert.Equal(t, "page=3", string(body))
	assert.EqualValues(t, 6, length)
	_, err = client.Do(t.Context(), http.MethodDelete, EscapedPath("/things/1"), nil, nil)
	require.NoError(t, err)
	assert.Zero(t, length)
	assert.Empty(t, encoding)
}

// TestRawJSONOfCalls checks that only decoded responses are stored.
func TestRawJSONOfCalls(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, okJob, okJob, okJob, status(404, `{"message":"gone"}`))
	raw := json.RawMessage("before")
	_, err := client.Do(t.Context(), http.MethodDelete, EscapedPath("/x"), nil, nil, WithRawJSON(&raw))
	require.NoError(t, err)
	assert.Equal(t, "before", string(raw), "nobody wants the body")
	var b bytes.Buffer
	_, err = client.Do(t.Context(), http.MethodGet, EscapedPath("/x"), nil, &b, WithRawJSON(&raw))
	require.NoError(t, err)
	assert.Equal(t, "before", string(raw), "a stream")
	assert.Equal(t, `{"id":8}`, b.String())
	_, err = getJob(t.Context(), client, WithRawJSON(&raw))
	require.NoError(t, err)
	assert.Equal(t, `{"id":8}`, string(raw))
	_, err = getJob(t.Context(), client, WithRawJSON(&raw))
	require.ErrorIs(t, err, ErrNotFound)
	assert.Equal(t, `{"id":8}`, string(raw), "an error")
}

// TestCancelledWhilePaused checks that a call that waits because another one
// was refused ends with its context, without being sent.
func TestCancelledWhilePaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(429, "", "Retry-After", "30"), okJob)
		_, err := getJob(t.Context(), client)
		require.ErrorIs(t, err, ErrRateLimited)
		reason := errors.New("the user went home")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(2*time.Second, func() { cancel(reason) })
		start := time.Now()
		_, err = getJob(ctx, client)
		assert.Equal(t, 2*time.Second, time.Since(start))
		assert.ErrorIs(t, err, reason)
		var te *TransportError
		require.ErrorAs(t, err, &te)
		assert.Zero(t, te.Attempts)
		assert.Nil(t, te.Last)
		assert.Len(t, s.Times, 1)
	})
}

// TestRegistryTokenThatCannotBeSent checks that neither an empty token nor one
// with a control character is sent.
func TestRegistryTokenThatCannotBeSent(t *testing.T) {
	for body, want := range map[string]string{
		`{"token":"good"}`: "good", `{"token":""}`: "", `{"token":"a\nb"}`: "", `{"token":null}`: "", `{"other":1}`: "",
	} {
		client, _ := scriptedClient(t, RetryPolicy{}, status(200, body))
		c := newRegistryCredential(client)
		auth, err := c.authorize(t.Context())
		assert.Equal(t, want, auth.secret, body)
		if want == "" {
			assert.Error(t, err, body)
			assert.Zero(t, auth)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, authorization{"Authorization", "Bearer good", "good"}, auth)
		assert.Equal(t, "RegistryToken([redacted])", fmt.Sprint(c))
		assert.Equal(t, "RegistryToken([redacted])", c.LogValue().String())
		again, err := c.refresh(t.Context(), "good", false)
		require.NoError(t, err)
		assert.False(t, again, "the service gives the same one")
		again, err = c.refresh(t.Context(), "older", false)
		require.NoError(t, err)
		assert.True(t, again, "somebody else got a new one")
	}
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(403, ""))
	c := newRegistryCredential(client)
	again, err := c.refresh(t.Context(), "old", true)
	assert.ErrorIs(t, err, ErrForbidden)
	assert.False(t, again)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	cancel(reason)
	_, err = c.authorize(ctx)
	assert.ErrorIs(t, err, reason, "nothing is asked for a call whose context ended")
}
