package serviceapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

// refreshFailure makes a call that needs a token first, and returns why there is
// none.
func refreshFailure(t *testing.T, client *Client) error {
	t.Helper()
	_, err := getJob(t.Context(), client)
	var failed *RefreshError
	require.ErrorAs(t, err, &failed)
	return failed.Err
}

// TestErrorsOfTheTokenEndpoint checks that they say which request failed, and
// how.
func TestErrorsOfTheTokenEndpoint(t *testing.T) {
	const endpoint = "https://service.test/oauth/token"
	s := &authService{}
	cause := func(exchange func(*http.Request) (*http.Response, error)) error {
		s.exchange = exchange
		return refreshFailure(t, s.client(t, -time.Hour))
	}
	assert.Equal(t, &Error{CallInfo: CallInfo{Method: "POST", Operation: "/oauth/token", URL: endpoint},
		StatusCode: 400, Attempts: 1, RequestID: "r1",
		Message: "invalid_grant", Reason: "invalid_grant", Description: "[redacted] was revoked"},
		cause(status(400, `{"error":"invalid_grant","error_description":"refresh-0 was revoked"}`, "X-Request-Id",
			"r1")))
	assert.Equal(t, &Error{CallInfo: CallInfo{Method: "POST", Operation: "/oauth/token", URL: endpoint},
		StatusCode: 502, Attempts: 1, Message: "Bad Gateway"}, cause(status(502, `<html>`)))

	var decode *DecodeError
	require.ErrorAs(t, cause(status(200, `<html>`, "Content-Type", "text/html")), &decode)
	assert.Equal(t, DecodeError{CallInfo: CallInfo{Method: "POST", Operation: "/oauth/token"},
		StatusCode: 200, ContentType: "text/html", Err: errNoToken}, *decode)
	require.ErrorAs(t, cause(status(200, strings.Repeat(" ", maxTokenResponse+1))), &decode)
	assert.Equal(t, "/oauth/token", decode.Operation)
	assert.Equal(t, 200, decode.StatusCode)
	assert.EqualError(t, decode.Err, "longer than 262144 bytes")

	var transport *TransportError
	require.ErrorAs(t, cause(failure(errDisk)), &transport)
	assert.Equal(t,
		TransportError{CallInfo: CallInfo{Method: "POST", Operation: "/oauth/token", URL: endpoint}, Attempts: 1,
			Err: errDisk}, *transport)
}

// TestTokenResponsesAreClosed checks that they are closed, whatever they
// contain.
func TestTokenResponsesAreClosed(t *testing.T) {
	for _, code := range []int{200, 400} {
		body := &closeNoted{Reader: strings.NewReader(`{"access_token":"access-token-1"}`)}
		s := &authService{exchange: func(r *http.Request) (*http.Response, error) {
			resp, err := status(code, "")(r)
			resp.Body, resp.ContentLength = body, -1
			return resp, err
		}}
		_, err := getJob(t.Context(), s.client(t, -time.Hour))
		assert.Equal(t, code == 400, err != nil)
		assert.True(t, body.closed.Load())
	}
}

// TestLongestTokenResponse checks that a response of the maximum length is
// read.
func TestLongestTokenResponse(t *testing.T) {
	token := `{"access_token":"access-token-1"}`
	s := &authService{exchange: status(200, token+strings.Repeat(" ", maxTokenResponse-len(token)))}
	_, err := getJob(t.Context(), s.client(t, -time.Hour))
	require.NoError(t, err)
	assert.Equal(t, []string{"access-token-1"}, s.tokens)
}

// TestErrorsOfAnotherSource checks that they are described like those of the
// library's own source.
func TestErrorsOfAnotherSource(t *testing.T) {
	for _, tc := range []struct {
		err  *oauth2.RetrieveError
		want *Error
	}{
		{&oauth2.RetrieveError{Response: &http.Response{StatusCode: 400}, ErrorCode: "invalid_grant",
			ErrorDescription: "revoked"},
			&Error{StatusCode: 400, Message: "invalid_grant", Reason: "invalid_grant", Description: "revoked"}},
		{&oauth2.RetrieveError{Response: &http.Response{StatusCode: 502}},
			&Error{StatusCode: 502, Message: "Bad Gateway"}},
		{&oauth2.RetrieveError{ErrorCode: "invalid_client"},
			&Error{Message: "invalid_client", Reason: "invalid_client"}},
	} {
		tc.want.Method, tc.want.Operation, tc.want.Attempts = "POST", "/oauth/token", 1
		client, err := NewClient("https://service.test", OAuth2(&countedSource{err: tc.err}))
		require.NoError(t, err)
		assert.Equal(t, tc.want, refreshFailure(t, client))
	}
}

// TestRefreshErrorIsShort checks that it is short, whatever its cause says.
func TestRefreshErrorIsShort(t *testing.T) {
	err := &RefreshError{Err: fmt.Errorf("%s\n", strings.Repeat("x", 1500))}
	assert.Less(t, len(err.Error()), 1100)
	assert.NotContains(t, err.Error(), "\n")
}

// TestTokenEndpointWithoutAStyle checks that the client's secret is sent in the
// form, and that only this way is tried.
func TestTokenEndpointWithoutAStyle(t *testing.T) {
	e := newTokenEndpoint(t)
	source, err := NewTokenSource(
		&oauth2.Config{ClientID: "app", ClientSecret: clientSecret,
			Endpoint: oauth2.Endpoint{TokenURL: e.URL + "/oauth/token"}},
		&oauth2.Token{RefreshToken: firstRefreshToken}, nil)
	require.NoError(t, err)
	_, err = source.Token()
	require.NoError(t, err)
	require.Len(t, e.forms, 1)
	assert.Equal(t, clientSecret, e.forms[0].Get("client_secret"))
}

// TestSourceThatBeginsWithoutAToken checks that no empty token is sent,
// whatever expiry was stored with the refresh token.
func TestSourceThatBeginsWithoutAToken(t *testing.T) {
	s := &authService{exchange: status(503, ``)}
	endpoint, err := OAuth2Endpoint("https://service.test")
	require.NoError(t, err)
	hc := &http.Client{Transport: s}
	source, err := NewTokenSource(&oauth2.Config{ClientID: "app", Endpoint: endpoint},
		&oauth2.Token{RefreshToken: "refresh-0", Expiry: time.Now().Add(time.Hour)},
		&TokenSourceOptions{HTTPClient: hc})
	require.NoError(t, err)
	client, err := NewClient("https://service.test", OAuth2(source), WithHTTPClient(hc),
		WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	assert.ErrorIs(t, refreshFailure(t, client), ErrServer)
	assert.Empty(t, s.tokens)
}

// TestFailureAfterARefresh checks that the error is that of the second attempt.
func TestFailureAfterARefresh(t *testing.T) {
	s := &authService{api: func(_ *http.Request, token string) func(*http.Request) (*http.Response, error) {
		if token == "access-token-0" {
			return unauthorizedAnswer
		}
		return reset
	}}
	_, err := getJob(t.Context(), s.client(t, time.Hour))
	var transport *TransportError
	require.ErrorAs(t, err, &transport)
	assert.Equal(t, 2, transport.Attempts)
	assert.False(t, hasType[*RefreshError](err), "there was a new token")
}

// TestTokenThatExpiresDuringItsCall checks that the token is replaced after the
// refusal of the call, although it is less than a minute old.
func TestTokenThatExpiresDuringItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{lifetime: 20}
		s.api = func(*http.Request, string) func(*http.Request) (*http.Response, error) {
			time.Sleep(15 * time.Second)
			return unauthorizedAnswer
		}
		client := s.client(t, time.Hour)
		for range 2 {
			_, err := getJob(t.Context(), client)
			require.ErrorIs(t, err, ErrUnauthorized)
		}
		exchanges, calls := s.counts()
		assert.Equal(t, 3, exchanges,
			"one for each refusal of a token that was replaced, and one for the token that expired")
		assert.Equal(t, 4, calls)
	})
}

// TestFirstFailureAfterASuccess checks that the next call requests a token
// again at once, as after the very first failure.
func TestFirstFailureAfterASuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fail := status(503, ``)
		s := &authService{exchange: fail, lifetime: 60}
		client := s.client(t, -time.Hour)
		for range 3 {
			_, err := getJob(t.Context(), client)
			require.Error(t, err)
			time.Sleep(10 * time.Second)
		}
		s.exchange = nil
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
		time.Sleep(time.Minute)
		s.exchange = fail
		s.counts()
		for range 2 {
			_, err = getJob(t.Context(), client)
			require.Error(t, err)
		}
		exchanges, _ := s.counts()
		assert.Equal(t, 2, exchanges)
	})
}

// TestTokensThatAreAllInvalid checks that they cost two exchanges in a minute,
// also after a valid one, although the service says that they are invalid.
func TestTokensThatAreAllInvalid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &authService{}
		client := s.client(t, time.Hour)
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
		s.api = func(*http.Request, string) func(*http.Request) (*http.Response, error) {
			return status(401, `{"error":"invalid_token"}`)
		}
		for range 20 {
			_, err := getJob(t.Context(), client)
			require.ErrorIs(t, err, ErrUnauthorized)
			time.Sleep(time.Second)
		}
		exchanges, _ := s.counts()
		assert.Equal(t, 2, exchanges)
	})
}
