package attempt

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sender makes a function that sends a request from what a transport does with it.
type sender = func(*http.Request) (*http.Response, error)

// after takes some time, as a service does, unless the request is given up before.
func after(d time.Duration, body io.Reader) sender {
	return func(r *http.Request) (*http.Response, error) {
		if err := sleep(r.Context(), d); err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body)}, nil
	}
}

// sleep waits as a transport does: it ends early with the error of the context.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func request(ctx context.Context) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://service.test", nil)
	if err != nil {
		panic(err)
	}
	return r
}

// slowBody takes some time for each read.
type slowBody struct {
	ctx context.Context
	of  *strings.Reader
	d   time.Duration
}

func (b *slowBody) Read(p []byte) (int, error) {
	if err := sleep(b.ctx, b.d); err != nil {
		return 0, err
	}
	return b.of.Read(p[:1])
}

// withSlowBody sends a header at once, and each byte of the body after some time.
func withSlowBody(d time.Duration, text string) sender {
	return func(r *http.Request) (*http.Response, error) {
		body := io.NopCloser(&slowBody{r.Context(), strings.NewReader(text), d})
		return &http.Response{StatusCode: http.StatusOK, Body: body}, nil
	}
}

func started(total time.Duration) *Limit {
	l := NewLimit(total)
	l.Restart()
	return l
}

// TestLimitOfAHeader checks that the time is up exactly when it should be, and not before.
func TestLimitOfAHeader(t *testing.T) {
	for took, want := range map[time.Duration]error{time.Second - 1: nil, time.Second + 1: ErrTimeout} {
		for _, stream := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				content := strings.NewReader("x")
				resp, err := started(time.Second).Send(request(t.Context()), stream, after(took, content))
				assert.Equal(t, want, err)
				assert.Equal(t, min(took, time.Second), time.Since(began))
				if want != nil {
					assert.Nil(t, resp)
					return
				}
				text, err := io.ReadAll(resp.Body)
				assert.NoError(t, err)
				assert.Equal(t, "x", string(text))
				assert.NoError(t, resp.Body.Close())
			})
		}
	}
}

// TestLimitOfABody checks that the body counts, but not that of a stream, and that the end
// of a body is its end even if the time is up.
func TestLimitOfABody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		resp, err := started(time.Second).Send(request(t.Context()), false, withSlowBody(400*time.Millisecond, "abcd"))
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		assert.Equal(t, ErrTimeout, err)
		assert.Equal(t, "ab", string(text))
		assert.Equal(t, time.Second, time.Since(began))
		require.NoError(t, resp.Body.Close())

		resp, err = started(time.Second).Send(request(t.Context()), true, withSlowBody(400*time.Millisecond, "abcd"))
		require.NoError(t, err)
		text, err = io.ReadAll(resp.Body)
		assert.NoError(t, err)
		assert.Equal(t, "abcd", string(text))
		require.NoError(t, resp.Body.Close())

		_, err = started(time.Second).Send(request(t.Context()), true, withSlowBody(1001*time.Millisecond, "abcd"))
		assert.Equal(t, ErrTimeout, err, "the first byte counts")
		resp, err = started(time.Second).Send(request(t.Context()), true, after(0, strings.NewReader("")))
		require.NoError(t, err)
		text, err = io.ReadAll(resp.Body)
		assert.NoError(t, err)
		assert.Empty(t, text)
		require.NoError(t, resp.Body.Close())

		resp, err = started(time.Second).Send(request(t.Context()), false, after(0, strings.NewReader("")))
		require.NoError(t, err)
		time.Sleep(2 * time.Second)
		_, err = resp.Body.Read(make([]byte, 1))
		assert.Equal(t, io.EOF, err)
		require.NoError(t, resp.Body.Close())
	})
}

// TestLimitWaitsForAConnection checks that the wait for a connection does not count, how
// often and in which order a transport reports it.
func TestLimitWaitsForAConnection(t *testing.T) {
	for took, want := range map[time.Duration]error{700 * time.Millisecond: nil, 701 * time.Millisecond: ErrTimeout} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			resp, err := started(time.Second).Send(request(t.Context()), false,
				func(r *http.Request) (*http.Response, error) {
					trace := httptrace.ContextClientTrace(r.Context())
					time.Sleep(300*time.Millisecond - 1)
					for range 2 {
						trace.GetConn("service.test:443")
						require.NoError(t, sleep(r.Context(), time.Minute))
					}
					trace.GotConn(httptrace.GotConnInfo{})
					if err := sleep(r.Context(), took/2); err != nil {
						return nil, err
					}
					trace.GotConn(httptrace.GotConnInfo{}) // another request of the same attempt
					return after(took-took/2, strings.NewReader(""))(r)
				})
			assert.Equal(t, want, err)
			assert.WithinDuration(t, began.Add(2*time.Minute+time.Second), time.Now(), time.Millisecond)
			if err == nil {
				require.NoError(t, resp.Body.Close())
			}
		})
	}
}

// TestLimitOfAnAttempt checks that redirects share the time of their attempt, that the
// time between them does not count, and that the next attempt has all of it again.
func TestLimitOfAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := started(time.Second)
		send := func(took time.Duration) error {
			resp, err := l.Send(request(t.Context()), false, after(took, strings.NewReader("")))
			if err == nil {
				require.NoError(t, resp.Body.Close())
			}
			return err
		}
		require.NoError(t, send(600*time.Millisecond))
		time.Sleep(time.Hour)
		require.NoError(t, send(300*time.Millisecond))
		assert.Equal(t, ErrTimeout, send(101*time.Millisecond))
		assert.Equal(t, ErrTimeout, send(time.Millisecond), "nothing is left")
		l.Restart()
		require.NoError(t, send(999*time.Millisecond))
	})
}

// TestLimitIsNotTheCallers checks that an error that has another cause stays what it is.
func TestLimitIsNotTheCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := started(time.Second).Send(request(ctx), false, after(time.Hour, nil))
		assert.Equal(t, context.DeadlineExceeded, err)

		broken := errors.New("connection reset")
		_, err = started(time.Second).Send(request(t.Context()), false, func(*http.Request) (*http.Response, error) {
			return nil, broken
		})
		assert.Equal(t, broken, err)

		ctx, cancel = context.WithCancel(t.Context())
		resp, err := started(time.Second).Send(request(ctx), false, withSlowBody(100*time.Millisecond, "ab"))
		require.NoError(t, err)
		_, err = resp.Body.Read(make([]byte, 1))
		require.NoError(t, err)
		cancel()
		_, err = resp.Body.Read(make([]byte, 1))
		assert.Equal(t, context.Canceled, err)
		require.NoError(t, resp.Body.Close())
	})
}

// TestLimitLeavesNothingBehind checks that the context of a request ends with it, so that
// nothing waits for it any longer, and that no timer runs on.
func TestLimitLeavesNothingBehind(t *testing.T) {
	closed := errors.New("closed twice")
	for name, send := range map[string]sender{
		"failure": func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF },
		"nothing": func(*http.Request) (*http.Response, error) { return nil, nil },
		"no body": func(*http.Request) (*http.Response, error) { return &http.Response{}, nil },
		"closed":  func(*http.Request) (*http.Response, error) { return &http.Response{Body: closer{closed}}, nil },
	} {
		synctest.Test(t, func(t *testing.T) {
			l := started(time.Second)
			var ctx context.Context
			resp, err := l.Send(request(t.Context()), false, func(r *http.Request) (*http.Response, error) {
				ctx = r.Context()
				return send(r)
			})
			if name == "closed" {
				require.NoError(t, err)
				require.NoError(t, ctx.Err())
				assert.Equal(t, closed, resp.Body.Close())
			} else {
				assert.Nil(t, resp)
			}
			assert.Equal(t, context.Canceled, ctx.Err(), name)
			assert.False(t, l.timer.Stop(), "%s: the timer runs", name)
		})
	}
}

// closer is an empty body that fails when it is closed.
type closer struct{ err error }

func (closer) Read([]byte) (int, error) { return 0, io.EOF }
func (c closer) Close() error           { return c.err }
