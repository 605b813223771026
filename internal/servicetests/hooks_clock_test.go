package servicetests

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
)

// loggingTB is a test that ends when end is called, and keeps its log.
type loggingTB struct {
	testing.TB

	cleanups []func()
	log      []string
}

func (l *loggingTB) Cleanup(f func()) { l.cleanups = append(l.cleanups, f) }

func (l *loggingTB) Logf(format string, args ...any) {
	l.log = append(l.log, fmt.Sprintf(format, args...))
}

func (l *loggingTB) end() {
	for i := len(l.cleanups) - 1; i >= 0; i-- {
		l.cleanups[i]()
	}
}

// TestClocksOfSignatures sends signed events over a socket: a verifier accepts them if it has
// the clock of the service, and otherwise nobody has to look for the reason.
func TestClocksOfSignatures(t *testing.T) {
	t.Parallel()
	verifierAtServiceTime := func(svc *servicetest.Service) []webhook.Option {
		return []webhook.Option{webhook.SigningToken(hookSigningToken), webhook.Clock(svc.Now)}
	}
	plainVerifier := func(*servicetest.Service) []webhook.Option {
		return []webhook.Option{webhook.SigningToken(hookSigningToken)}
	}
	otherToken := func(*servicetest.Service) []webhook.Option {
		return []webhook.Option{webhook.SigningToken("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")}
	}
	past := func() time.Time { return time.Now().Add(-time.Hour) }
	future := func() time.Time { return time.Now().Add(time.Hour) }
	for name, test := range map[string]struct {
		opts     []servicetest.Option
		verifier func(*servicetest.Service) []webhook.Option
		status   int
		refused  error
		hinted   bool
	}{
		"the clock of the service":   {nil, verifierAtServiceTime, 204, nil, false},
		"real time":                  {clockOf(time.Now), plainVerifier, 204, nil, false},
		"a service in the past":      {clockOf(past), plainVerifier, 401, webhook.ErrTimestampOld, true},
		"a service in the future":    {clockOf(future), plainVerifier, 401, webhook.ErrTimestampFuture, true},
		"a clock that stands still":  {nil, plainVerifier, 401, nil, true},
		"real time, but other token": {clockOf(time.Now), otherToken, 401, webhook.ErrSignatureWrong, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tb := &loggingTB{TB: t}
			svc := servicetest.New(tb, test.opts...)
			var mu sync.Mutex
			var refused error
			report := webhook.OnError(func(_ *http.Request, err error) {
				mu.Lock()
				defer mu.Unlock()
				refused = err
			})
			verifier, err := webhook.NewVerifier(append(test.verifier(svc), report)...)
			require.NoError(t, err)
			server := httptest.NewServer(webhook.Handler(verifier, new(webhook.Mux)))
			defer server.Close()

			sent := deliverSigned(svc, server.URL)
			tb.end()

			require.Len(t, sent, 1)
			assert.Equal(t, test.status, sent[0].Status)
			mu.Lock()
			defer mu.Unlock()
			if test.refused != nil {
				require.ErrorIs(t, refused, test.refused)
			}
			log := strings.Join(tb.log, "\n")
			for _, remedy := range []string{"webhook.Clock(svc.Now)", "servicetest.WithClock(time.Now)"} {
				assert.Equal(t, test.hinted, strings.Contains(sent[0].Hint, remedy), sent[0].Hint)
				assert.Equal(t, test.hinted, strings.Contains(log, remedy), log)
				if test.hinted {
					assert.ErrorContains(t, refused, remedy)
				}
			}
		})
	}
}

// deliverSigned sends a signed push to a receiver, and returns what is known of it.
func deliverSigned(svc *servicetest.Service, url string) []servicetest.Delivery {
	app := svc.Project("acme/app")
	app.Hook(url, servicetest.SigningToken(hookSigningToken))
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	svc.Flush()
	return svc.Deliveries()
}

// TestClocksExplainOnly401 checks that a receiver which fails for its own reasons is not told of
// clocks, although its clock is another one.
func TestClocksExplainOnly401(t *testing.T) {
	for _, status := range []int{400, 401, 403, 422, 500, 503} {
		svc := servicetest.New(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
		}))
		sent := deliverSigned(svc, server.URL)
		server.Close()
		require.Len(t, sent, 1)
		assert.Equal(t, status, sent[0].Status)
		assert.Equal(t, status == http.StatusUnauthorized, sent[0].Hint != "", sent[0].Hint)
	}
}

// TestReplaysOfDeliveries sends a delivery again, as docs/webhooks.md does: Once ignores it until
// the clock of the service has moved, whether the request is signed or not.
func TestReplaysOfDeliveries(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		hook     servicetest.HookOption
		verifier webhook.Option
		late     int // the response to a replay after the time
	}{
		"signed":       {servicetest.SigningToken(hookSigningToken), webhook.SigningToken(hookSigningToken), 401},
		"with a token": {servicetest.HookToken("secret"), webhook.Token("secret"), 204},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc := servicetest.New(t)
			verifier, err := webhook.NewVerifier(test.verifier, webhook.Clock(svc.Now))
			require.NoError(t, err)
			var received atomic.Int64
			mux := new(webhook.Mux)
			webhook.On(mux, func(context.Context, *webhook.PushEvent) error { received.Add(1); return nil })
			server := httptest.NewServer(webhook.Handler(verifier, webhook.Once(10*time.Minute, mux)))
			defer server.Close()
			app := svc.Project("acme/app")
			app.Hook(server.URL, test.hook)
			app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
			svc.Flush()
			sent := svc.Deliveries()
			require.Len(t, sent, 1)
			require.Equal(t, 204, sent[0].Status)
			replay := func() int {
				body := bytes.NewReader(sent[0].Body)
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, body)
				require.NoError(t, err)
				r.Header = sent[0].Header.Clone()
				resp, err := server.Client().Do(r)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				return resp.StatusCode
			}
			assert.Equal(t, 204, replay())
			assert.EqualValues(t, 1, received.Load(), "Once ignores it")
			svc.Advance(11 * time.Minute)
			assert.Equal(t, test.late, replay())
			if test.late == 204 {
				assert.EqualValues(t, 2, received.Load(), "after the time")
			}
		})
	}
}

func clockOf(now func() time.Time) []servicetest.Option {
	return []servicetest.Option{servicetest.WithClock(now)}
}
