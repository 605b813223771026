package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

// authService is a service with a token endpoint. It has no network, so that it
// can use the clock of a test. By default it accepts every token.
type authService struct {
	mu sync.Mutex
	// exchanges and calls count the requests for tokens and those of the API.
	exchanges, calls int
	// tokens are the tokens that calls were sent with.
	tokens []string
	// api and exchange respond instead of the defaults.
	api      func(r *http.Request, token string) func(*http.Request) (*http.Response, error)
	exchange func(r *http.Request) (*http.Response, error)
	lifetime int
	issued   int
}

const noToken = `{"message":"401 Unauthorized"}`

var unauthorizedResponse = status(http.StatusUnauthorized, noToken)

func (s *authService) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	if r.URL.Path == "/oauth/token" {
		s.exchanges++
		if s.exchange != nil {
			return s.exchange(r)
		}
		s.issued++
		return status(200,
			fmt.Sprintf(`{"access_token":"access-token-%d","refresh_token":"refresh-%d","expires_in":%d}`, s.issued,
				s.issued, s.lifetime))(r)
	}
	s.calls++
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.tokens = append(s.tokens, token)
	if s.api != nil {
		return s.api(r, token)(r)
	}
	return okJob(r)
}

// counts returns the number of exchanges and calls, and resets them.
func (s *authService) counts() (exchanges, calls int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	exchanges, calls = s.exchanges, s.calls
	s.exchanges, s.calls = 0, 0
	return exchanges, calls
}

// client returns a client whose token, access-token-0, expires after a while.
func (s *authService) client(t testing.TB, expires time.Duration, opts ...Option) *Client {
	t.Helper()
	if s.lifetime == 0 {
		s.lifetime = 7200
	}
	hc := &http.Client{Transport: s}
	endpoint, err := OAuth2Endpoint("https://service.test")
	require.NoError(t, err)
	source, err := NewTokenSource(&oauth2.Config{ClientID: "app", Endpoint: endpoint},
		&oauth2.Token{AccessToken: "access-token-0", RefreshToken: "refresh-0", Expiry: time.Now().Add(expires)},
		&TokenSourceOptions{HTTPClient: hc})
	require.NoError(t, err)
	opts = append([]Option{WithHTTPClient(hc), WithRetry(RetryPolicy{MaxAttempts: 1})}, opts...)
	client, err := NewClient("https://service.test", OAuth2(source), opts...)
	require.NoError(t, err)
	return client
}

func refuseAll(*http.Request, string) func(*http.Request) (*http.Response, error) {
	return unauthorizedResponse
}

// TestLasting401 checks that a lasting 401 costs one exchange, however many
// calls get it, and another one after a minute. If the service says that the new
// token is not valid, that is believed once.
func TestLasting401(t *testing.T) {
	t.Run("without a reason", func(t *testing.T) { lasting401(t, unauthorizedResponse, 1) })
	t.Run("of the token", func(t *testing.T) { lasting401(t, invalidToken, 2) })
}

var invalidToken = status(http.StatusUnauthorized, `{"error":"invalid_token","error_description":"Token was revoked."}`)

func lasting401(t *testing.T, reply func(*http.Request) (*http.Response, error), first int) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{}
		s.api = func(*http.Request, string) func(*http.Request) (*http.Response, error) { return reply }
		client := s.client(t, time.Hour)
		for minute := range 3 {
			for range 20 {
				_, err := getJob(t.Context(), client)
				var e *Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, 401, e.StatusCode)
				assert.False(t, hasType[*RefreshError](err), "there was a new token")
				time.Sleep(2 * time.Second)
			}
			exchanges, calls := s.counts()
			want := 1
			if minute == 0 {
				want = first
			}
			assert.Equal(t, want, exchanges, "minute %d", minute)
			assert.Equal(t, 20+want, calls, "minute %d", minute)
			time.Sleep(25 * time.Second)
		}
	})
}

// TestLasting401OfManyAtOnce checks the same with concurrent calls.
func TestLasting401OfManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{api: refuseAll}
		client := s.client(t, time.Hour)
		var calls sync.WaitGroup
		for range 100 {
			calls.Go(func() {
				_, err := getJob(t.Context(), client)
				assert.ErrorIs(t, err, ErrUnauthorized)
			})
		}
		calls.Wait()
		exchanges, sent := s.counts()
		assert.Equal(t, 1, exchanges)
		assert.LessOrEqual(t, sent, 200)
	})
}

// TestNewTokenMustBeAcceptedFirst checks that a new token is considered revoked
// only if it was accepted before.
func TestNewTokenMustBeAcceptedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := ""
		s := &authService{api: func(_ *http.Request, token string) func(*http.Request) (*http.Response, error) {
			switch good {
			case token:
				return okJob
			case "down":
				return status(503, `{}`)
			}
			return invalidToken
		}}
		client := s.client(t, time.Hour)
		get := func() error {
			_, err := getJob(t.Context(), client)
			return err
		}
		require.ErrorIs(t, get(), ErrUnauthorized) // access-token-1, which is not valid either
		require.ErrorIs(t, get(), ErrUnauthorized) // access-token-2, the last one for a minute
		require.ErrorIs(t, get(), ErrUnauthorized)
		good = "down"
		require.ErrorIs(t, get(), ErrServer) // says nothing about the token
		good = ""
		require.ErrorIs(t, get(), ErrUnauthorized)
		exchanges, _ := s.counts()
		require.Equal(t, 2, exchanges)

		time.Sleep(time.Minute)
		good = "access-token-2"
		require.NoError(t, get())
		good = "access-token-3"
		require.NoError(t, get(), "a token that was good and is not any more")
		good = "access-token-4"
		require.NoError(t, get(), "and once more at once")
		exchanges, _ = s.counts()
		assert.Equal(t, 2, exchanges)
	})
}

// TestRefusedMerges checks that a 401 of a merge means missing permission: the
// write is sent once, and the token is kept.
func TestRefusedMerges(t *testing.T) {
	s := &authService{api: refuseAll}
	client := s.client(t, time.Hour)
	for range 3 {
		_, _, err := client.MergeRequests.Merge(t.Context(), ProjectID(1).MergeRequest(2), MergeOptions{})
		var refused *MergeError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, MergeRefusalUnauthorized, refused.Reason)
		_, _, err = client.MergeRequests.CancelMergeWhenPipelineSucceeds(t.Context(), ProjectID(1).MergeRequest(2))
		require.ErrorAs(t, err, &refused)
		_, _, err = client.Approvals.Approve(t.Context(), ProjectID(1).MergeRequest(2), ApproveOptions{})
		require.ErrorAs(t, err, new(*ApprovalError))
	}
	exchanges, calls := s.counts()
	assert.Zero(t, exchanges)
	assert.Equal(t, 9, calls)
}

// TestMergeWithAnInvalidToken checks the ways in which the service says that
// the token is invalid.
func TestMergeWithAnInvalidToken(t *testing.T) {
	for name, refusal := range map[string]func(*http.Request) (*http.Response, error){
		"body": status(401, `{"error":"invalid_token","error_description":"Token was revoked."}`),
		"header": status(401, noToken, "WWW-Authenticate",
			`Bearer realm="Protected", error="invalid_token", error_description="The token was revoked"`),
		"unquoted": status(401, noToken, "WWW-Authenticate", `Bearer error=invalid_token`),
	} {
		t.Run(name, func(t *testing.T) {
			s := &authService{api: func(_ *http.Request, token string) func(*http.Request) (*http.Response, error) {
				if token == "access-token-0" {
					return refusal
				}
				return status(200, `{"iid":2}`)
			}}
			client := s.client(t, time.Hour)
			_, _, err := client.MergeRequests.Merge(t.Context(), ProjectID(1).MergeRequest(2), MergeOptions{})
			require.NoError(t, err)
			exchanges, calls := s.counts()
			assert.Equal(t, 1, exchanges)
			assert.Equal(t, 2, calls)

			s = &authService{exchange: reset}
			s.api = func(*http.Request, string) func(*http.Request) (*http.Response, error) { return refusal }
			_, _, err = s.client(t, time.Hour).MergeRequests.Merge(t.Context(), ProjectID(1).MergeRequest(2),
				MergeOptions{})
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, 401, e.StatusCode, "the service's response")
			var failed *RefreshError
			require.ErrorAs(t, err, &failed, "and why it could not be helped")
			assert.ErrorAs(t, failed, new(*TransportError))
			_, calls = s.counts()
			assert.Equal(t, 1, calls, "the write is sent once")
		})
	}
	s := &authService{api: func(*http.Request, string) func(*http.Request) (*http.Response, error) {
		return status(401, noToken, "WWW-Authenticate", `Bearer realm="invalid_token"`)
	}}
	_, _, err := s.client(t, time.Hour).MergeRequests.Merge(t.Context(), ProjectID(1).MergeRequest(2), MergeOptions{})
	assert.ErrorAs(t, err, new(*MergeError))
	exchanges, _ := s.counts()
	assert.Zero(t, exchanges, "a realm is not a reason")
}

// TestErrorOfTheCallComesFirst checks that the wrapped error of a request for a
// token does not decide whether the call may have been executed, or why it was
// refused.
func TestErrorOfTheCallComesFirst(t *testing.T) {
	s := &authService{api: refuseAll, exchange: refused}
	client := s.client(t, time.Hour)
	_, err := client.Do(t.Context(), http.MethodPost, EscapedPath("/things"), nil, nil)
	require.True(t, hasType[*TransportError](err), "of the request for a token")
	assert.True(t, MayHaveExecuted(err))
	reply := errorResponse(err)
	require.NotNil(t, reply)
	assert.Equal(t, "https://service.test/api/v4/things", reply.URL)
	assert.Nil(t, errorResponse(&TransportError{Err: errDisk, Last: reply}))
	assert.Nil(t, errorResponse(errDisk))
	assert.Nil(t, errorResponse(nil))
}

// forbidden401 refuses one path, like a missing permission, and accepts every
// token.
func forbidden401(path string) func(*http.Request, string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request, _ string) func(*http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, path) {
			return unauthorizedResponse
		}
		return okJob
	}
}

// TestForbiddenCallBetweenGoodOnes checks that a forbidden call costs one
// exchange in a minute, although other calls accept every new token.
func TestForbiddenCallBetweenGoodOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{api: forbidden401("/forbidden")}
		client := s.client(t, time.Hour)
		for range 30 { // half a minute
			_, err := client.Do(t.Context(), http.MethodGet, EscapedPath("/forbidden"), nil, nil)
			require.ErrorIs(t, err, ErrUnauthorized)
			_, err = getJob(t.Context(), client)
			require.NoError(t, err)
			time.Sleep(time.Second)
		}
		exchanges, calls := s.counts()
		assert.Equal(t, 1, exchanges)
		assert.Equal(t, 61, calls)
	})
}

// TestExplicitRefusalIsBelieved checks that a response that says that the token
// is invalid leads to an exchange, although the last one did not help another
// call.
func TestExplicitRefusalIsBelieved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		revoked := ""
		s := &authService{}
		s.api = func(r *http.Request, token string) func(*http.Request) (*http.Response, error) {
			if token == revoked {
				return status(401, `{"error":"invalid_token"}`)
			}
			return forbidden401("/forbidden")(r, token)
		}
		client := s.client(t, time.Hour)
		_, err := client.Do(t.Context(), http.MethodGet, EscapedPath("/forbidden"), nil, nil)
		require.ErrorIs(t, err, ErrUnauthorized)
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
		revoked = "access-token-1"
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
		exchanges, _ := s.counts()
		assert.Equal(t, 2, exchanges)
	})
}

// TestFailedRefreshKeepsTheToken checks that a token stays in use if an
// exchange fails.
func TestFailedRefreshKeepsTheToken(t *testing.T) {
	for name, exchange := range map[string]func(*http.Request) (*http.Response, error){
		"refused": status(401, `{"error":"invalid_client"}`), "down": status(503, ``), "broken": reset,
		"no token": status(200, `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			s := &authService{api: forbidden401("/forbidden"), exchange: exchange}
			client := s.client(t, time.Hour)
			for range 3 {
				_, err := client.Do(t.Context(), http.MethodGet, EscapedPath("/forbidden"), nil, nil)
				var e *Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, 401, e.StatusCode)
				assert.Equal(t, "https://service.test/api/v4/forbidden", e.URL)
				assert.True(t, hasType[*RefreshError](err))
				assert.ErrorContains(t, err, "cannot get a token: ")
				_, err = getJob(t.Context(), client)
				require.NoError(t, err)
			}
			for _, token := range s.tokens {
				assert.Equal(t, "access-token-0", token)
			}
		})
	}
}

// TestRefusedRefreshIsNotRepeated checks that a refused exchange is not
// repeated for a minute. A service that is down gets another request sooner,
// but at growing intervals.
func TestRefusedRefreshIsNotRepeated(t *testing.T) {
	for name, tc := range map[string]struct {
		exchange func(*http.Request) (*http.Response, error)
		want     int
	}{
		"refused":     {status(400, `{"error":"invalid_grant"}`), 1},
		"forbidden":   {status(403, ``), 1},
		"down":        {status(503, ``), 9}, // after 0, 0, 1, 3, 7, 15, 25, 35, 45 seconds
		"broken":      {status(500, ``), 9},
		"too many":    {status(429, ``), 9},
		"unreachable": {refused, 9},
	} {
		for _, expired := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				s := &authService{api: refuseAll, exchange: tc.exchange}
				life := 5 * time.Hour
				if expired {
					life = -time.Hour
				}
				client := s.client(t, life)
				for range 500 { // 50 seconds
					_, err := getJob(t.Context(), client)
					require.Error(t, err)
					require.True(t, hasType[*RefreshError](err))
					time.Sleep(100 * time.Millisecond)
				}
				exchanges, calls := s.counts()
				assert.Equal(t, tc.want, exchanges, name)
				assert.Equal(t, expired, calls == 0, "%s: without a token nothing is sent", name)
				s.exchange, s.api = nil, nil
				time.Sleep(11 * time.Second)
				_, err := getJob(t.Context(), client)
				require.NoError(t, err, "a minute later all is well")
			})
		}
	}
}

// TestErrorForWantOfAToken checks that a missing token is a transport error,
// because nothing was sent.
func TestErrorForWantOfAToken(t *testing.T) {
	s := &authService{exchange: status(400, `{"error":"invalid_grant","error_description":"revoked"}`)}
	_, err := getJob(t.Context(), s.client(t, -time.Hour))
	var transport *TransportError
	require.ErrorAs(t, err, &transport)
	assert.Equal(t, "/projects/:id/jobs/:job_id", transport.Operation)
	assert.Zero(t, transport.Attempts)
	var failed *RefreshError
	require.ErrorAs(t, err, &failed)
	var e *Error
	require.ErrorAs(t, failed, &e)
	assert.Equal(t, ErrorReasonInvalidGrant, e.Reason)
	assert.Equal(t, "/oauth/token", e.Operation)
}

// TestTokenIsUsedToItsEnd checks that a token is used until it expires if there
// is no new one in time. The oauth2 package considers it expired ten seconds
// early.
func TestTokenIsUsedToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{exchange: status(503, ``)}
		client := s.client(t, 5*time.Second)
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
		exchanges, _ := s.counts()
		assert.Equal(t, 1, exchanges, "a new one was asked for")
		time.Sleep(5 * time.Second)
		_, err = getJob(t.Context(), client)
		assert.Error(t, err)
	})
}

// TestExpiryIsNoRefusal checks that a token that was obtained a moment ago and
// expires is replaced.
func TestExpiryIsNoRefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{api: refuseAll, lifetime: 20}
		client := s.client(t, time.Hour)
		for range 3 {
			_, err := getJob(t.Context(), client)
			require.ErrorIs(t, err, ErrUnauthorized)
			time.Sleep(15 * time.Second)
		}
		exchanges, _ := s.counts()
		assert.Equal(t, 3, exchanges)
	})
}

// TestCanceledWhileATokenIsAskedFor checks that canceling ends the call, but
// not the request for a token, whose response may have the only valid refresh
// token.
func TestCanceledWhileATokenIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{api: func(_ *http.Request, token string) func(*http.Request) (*http.Response, error) {
			if token == "access-token-0" {
				return unauthorizedResponse
			}
			return okJob
		}}
		s.exchange = func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(10 * time.Second):
				return status(200, `{"access_token":"access-token-1","refresh_token":"refresh-1","expires_in":7200}`)(r)
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}
		client := s.client(t, time.Hour, WithRetry(RetryPolicy{MaxAttempts: 1, AttemptTimeout: 5 * time.Second}))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := getJob(ctx, client)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		var transport *TransportError
		require.ErrorAs(t, err, &transport)
		require.NotNil(t, transport.Last)
		assert.Equal(t, 401, transport.Last.StatusCode)
		time.Sleep(10 * time.Second)
		_, err = getJob(t.Context(), client)
		require.NoError(t, err, "the time limit of an attempt is not that of a token")
		exchanges, _ := s.counts()
		assert.Equal(t, 1, exchanges)
	})
}

// TestTokenRequestsAreBounded checks that requests for a token, which outlive
// their calls, have a timeout.
func TestTokenRequestsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{exchange: func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}}
		started := time.Now()
		_, err := getJob(t.Context(), s.client(t, -time.Hour))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 30*time.Second, time.Since(started))
	})
}

// TestSourceThatAlwaysGivesTheSame checks that a source that returns the same
// token, as most do, is not asked after each refusal.
func TestSourceThatAlwaysGivesTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{api: refuseAll}
		source := &countedSource{token: "same-token"}
		client, err := NewClient("https://service.test", OAuth2(source), WithHTTPClient(&http.Client{Transport: s}),
			WithRetry(RetryPolicy{MaxAttempts: 1}))
		require.NoError(t, err)
		for range 500 { // 50 seconds
			_, err := getJob(t.Context(), client)
			require.ErrorIs(t, err, ErrUnauthorized)
			require.False(t, hasType[*RefreshError](err))
			time.Sleep(100 * time.Millisecond)
		}
		assert.Equal(t, 10, source.asked)
		exchanges, calls := s.counts()
		assert.Zero(t, exchanges)
		assert.Equal(t, 500, calls)
		s.api = nil
		source.token = "other-token"
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
	})
}

type countedSource struct {
	token string
	err   error
	asked int
}

func (s *countedSource) Token() (*oauth2.Token, error) {
	s.asked++
	return &oauth2.Token{AccessToken: s.token}, s.err
}

// TestSourceOfAnotherToken checks that a source is asked once after a refusal,
// and that its token is used.
func TestSourceOfAnotherToken(t *testing.T) {
	s := &authService{api: func(_ *http.Request, token string) func(*http.Request) (*http.Response, error) {
		if token != "good-token" {
			return unauthorizedResponse
		}
		return okJob
	}}
	source := &countedSource{token: "stale-token"}
	client, err := NewClient("https://service.test", OAuth2(source), WithHTTPClient(&http.Client{Transport: s}))
	require.NoError(t, err)
	_, err = getJob(t.Context(), client)
	require.ErrorIs(t, err, ErrUnauthorized)
	source.token = "good-token"
	_, err = getJob(t.Context(), client)
	require.NoError(t, err)
	_, err = getJob(t.Context(), client)
	require.NoError(t, err)
	assert.Equal(t, []string{"stale-token", "stale-token", "good-token", "good-token"}, s.tokens)
}

// TestErrorsOfASource checks that errors of a source do not quote a token, and
// can be recognized.
func TestErrorsOfASource(t *testing.T) {
	quoting := &oauth2.RetrieveError{
		Response: &http.Response{StatusCode: 400, Header: http.Header{}},
		Body:     []byte(`{"refresh_token":"` + testSecret + `"}`), ErrorCode: "invalid_grant",
	}
	for name, tc := range map[string]struct {
		token string
		err   error
		want  string
	}{
		"quoting": {"", quoting, "invalid_grant"},
		"unknown": {"", errDisk, errDisk.Error()},
		"address": {"", &url.Error{Op: "Post", URL: "https://service.test/?token=" + testSecret, Err: errDisk},
			errDisk.Error()},
		"no token":  {"", nil, "a token that cannot be sent"},
		"bad token": {"a\r\nb", nil, "a token that cannot be sent"},
	} {
		client, err := NewClient("https://service.test", OAuth2(&countedSource{token: tc.token, err: tc.err}))
		require.NoError(t, err)
		_, err = getJob(t.Context(), client)
		require.ErrorContains(t, err, tc.want, name)
		assert.Equal(t, errors.Is(tc.err, errDisk), errors.Is(err, errDisk), name)
		assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), testSecret)
		assert.True(t, hasType[*RefreshError](err), name)
		assert.False(t, hasType[*url.Error](err), "%s: it has the address", name)
	}
}

// TestWaitsBetweenRequestsForAToken of an endpoint that is down: none after the
// first failure, then more and more.
func TestWaitsBetweenRequestsForAToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var seconds []int
		s := &authService{exchange: func(r *http.Request) (*http.Response, error) {
			seconds = append(seconds, int(time.Since(began)/time.Second))
			return status(503, ``)(r)
		}}
		client := s.client(t, -time.Hour)
		for range 500 {
			_, err := getJob(t.Context(), client)
			require.Error(t, err)
			time.Sleep(100 * time.Millisecond)
		}
		assert.Equal(t, []int{0, 0, 1, 3, 7, 15, 25, 35, 45}, seconds)
	})
}

// TestEchoedTokensAreHidden checks that tokens are hidden, including the one
// that was replaced.
func TestEchoedTokensAreHidden(t *testing.T) {
	s := &authService{api: func(_ *http.Request, token string) func(*http.Request) (*http.Response, error) {
		return status(401, `{"message":"access-token-0 and `+token+` are no good"}`)
	}}
	client := s.client(t, time.Hour)
	for range 2 {
		_, err := getJob(t.Context(), client)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.NotContains(t, fmt.Sprintf("%v %s", err, e.Body), "access-token")
		assert.Contains(t, err.Error(), "are no good")
	}
}

// TestSharedFailure checks that all calls that waited for a token get the same
// error.
func TestSharedFailure(t *testing.T) {
	s := &authService{exchange: status(307, ``, "Location", "https://other.test/oauth/token?secret=1")}
	client := s.client(t, -time.Hour)
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			_, err := getJob(t.Context(), client)
			var redirect *RedirectError
			if assert.ErrorAs(t, err, &redirect) {
				assert.Equal(t, "https://other.test/oauth/token", redirect.Location)
				assert.True(t, hasType[*RefreshError](err), "it is not a redirect of the call")
			}
		})
	}
	calls.Wait()
}

// TestLasting401OfAResume checks that a lasting 401 ends the download, and
// costs one exchange.
func TestLasting401OfAResume(t *testing.T) {
	s := &authService{}
	s.api = func(r *http.Request, _ string) func(*http.Request) (*http.Response, error) {
		if r.Header.Get("Range") != "" {
			return unauthorizedResponse
		}
		return func(r *http.Request) (*http.Response, error) {
			resp, err := status(200, "0123456789", "ETag", `"v1"`)(r)
			resp.ContentLength = 20
			return resp, err
		}
	}
	client := s.client(t, time.Hour, WithRetry(RetryPolicy{MinWait: time.Nanosecond}))
	for range 3 {
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		data, err := io.ReadAll(d)
		assert.Equal(t, "0123456789", string(data))
		assert.ErrorIs(t, err, ErrUnauthorized)
		d.Close()
	}
	exchanges, calls := s.counts()
	assert.Equal(t, 1, exchanges)
	assert.Equal(t, 7, calls)
}

// TestResumeWithANewToken checks a token that expires while the content is
// read.
func TestResumeWithANewToken(t *testing.T) {
	s := &authService{}
	s.api = func(r *http.Request, token string) func(*http.Request) (*http.Response, error) {
		switch {
		case r.Header.Get("Range") == "":
			return func(r *http.Request) (*http.Response, error) {
				resp, err := status(200, "0123456789", "ETag", `"v1"`)(r)
				resp.ContentLength = 20
				return resp, err
			}
		case token == "access-token-0":
			return unauthorizedResponse
		}
		return status(206, "abcdefghij", "ETag", `"v1"`, "Content-Range", "bytes 10-19/20")
	}
	d, _, err := s.client(t, time.Hour,
		WithRetry(RetryPolicy{MinWait: time.Nanosecond})).JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	defer d.Close()
	data, err := io.ReadAll(d)
	require.NoError(t, err)
	assert.Equal(t, "0123456789abcdefghij", string(data))
}

// TestUploadIsNotRepeatedForItsToken checks that an upload is not sent again
// with a new token if its source cannot be rewound.
func TestUploadIsNotRepeatedForItsToken(t *testing.T) {
	s := &authService{api: refuseAll}
	client := s.client(t, time.Hour)
	err := uploadTo(t.Context(), client, Upload{Filename: "a", Content: io.MultiReader(strings.NewReader("abc"))})
	require.ErrorIs(t, err, ErrUnauthorized)
	exchanges, calls := s.counts()
	assert.Zero(t, exchanges)
	assert.Equal(t, 1, calls)
	err = uploadTo(t.Context(), client, Upload{Filename: "a", Content: strings.NewReader("abc")})
	require.ErrorIs(t, err, ErrUnauthorized)
	exchanges, calls = s.counts()
	assert.Equal(t, 1, exchanges)
	assert.Equal(t, 2, calls)
}
