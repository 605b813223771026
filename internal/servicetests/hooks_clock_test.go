package servicetests

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
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

			app := svc.Project("acme/app")
			app.Hook(server.URL, servicetest.SigningToken(hookSigningToken))
			app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
			svc.Flush()
			sent := svc.Deliveries()
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

func clockOf(now func() time.Time) []servicetest.Option {
	return []servicetest.Option{servicetest.WithClock(now)}
}
