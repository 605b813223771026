package serviceapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"example.com/serviceapi/internal/header"
)

const (
	firstRefreshToken = "refresh-S3cr3t-1"
	clientSecret      = "client-S3cr3t/+"
)

// tokenEndpoint is a service whose token endpoint issues access-1, access-2 and
// so on, and accepts each refresh token once. Its API accepts only the newest
// access token.
type tokenEndpoint struct {
	*httptest.Server
	mu      sync.Mutex
	issued  int
	forms   []url.Values
	refresh string
	revoked bool
	// challenge is the WWW-Authenticate header of a refusal.
	challenge string
	// response replaces the responses of the token endpoint.
	reply http.HandlerFunc
}

func newTokenEndpoint(t *testing.T) *tokenEndpoint {
	e := &tokenEndpoint{refresh: firstRefreshToken, revoked: true}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

func (e *tokenEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path != "/oauth/token" {
		if e.revoked || r.Header.Get("Authorization") != fmt.Sprintf("Bearer access-%d", e.issued) {
			w.Header().Set("WWW-Authenticate", e.challenge)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, `{"id":8}`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	e.forms = append(e.forms, form)
	switch {
	case e.reply != nil:
		e.reply(w, r)
	case form.Get("refresh_token") != e.refresh:
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"error":"invalid_grant","error_description":"The refresh token was revoked."}`)
	default:
		e.issued++
		e.revoked = false
		e.refresh = fmt.Sprintf("refresh-S3cr3t-%d", e.issued+1)
		json.NewEncoder(w).Encode(map[string]any{
			"access_token": fmt.Sprintf("access-%d", e.issued), "refresh_token": e.refresh,
			"token_type": "Bearer", "expires_in": 7200,
		})
	}
}

func (e *tokenEndpoint) refreshes() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.forms)
}

func (e *tokenEndpoint) revoke() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.revoked = true
}

func (e *tokenEndpoint) source(t testing.TB, options *TokenSourceOptions) oauth2.TokenSource {
	t.Helper()
	endpoint, err := OAuth2Endpoint(e.URL)
	require.NoError(t, err)
	source, err := NewTokenSource(
		&oauth2.Config{ClientID: "app", ClientSecret: clientSecret, Endpoint: endpoint},
		&oauth2.Token{AccessToken: "access-0", RefreshToken: firstRefreshToken}, options)
	require.NoError(t, err)
	return source
}

func (e *tokenEndpoint) client(t testing.TB, options *TokenSourceOptions) *Client {
	t.Helper()
	return clientOf(t, e.URL, WithCredential(OAuth2(e.source(t, options))))
}

func TestTokenSourceRenewsOnce(t *testing.T) {
	e := newTokenEndpoint(t)
	var stored []string
	client := e.client(t, &TokenSourceOptions{OnRefresh: func(token *oauth2.Token) {
		stored = append(stored, token.AccessToken+" "+token.RefreshToken)
	}})
	for round := range 2 {
		var calls sync.WaitGroup
		for range 200 {
			calls.Go(func() {
				_, err := getJob(t.Context(), client)
				assert.NoError(t, err)
			})
		}
		calls.Wait()
		assert.Equal(t, round+1, e.refreshes(), "a revoked token is refreshed once")
		e.revoke()
	}
	assert.Equal(t, []string{"access-1 refresh-S3cr3t-2", "access-2 refresh-S3cr3t-3"}, stored)
	assert.Equal(t, url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {firstRefreshToken},
		"client_id": {"app"}, "client_secret": {clientSecret},
	}, e.forms[0])
}

func TestTokenSourceServesSeveralClients(t *testing.T) {
	e := newTokenEndpoint(t)
	source := e.source(t, &TokenSourceOptions{HTTPClient: e.Client()})
	var calls sync.WaitGroup
	for range 20 {
		client := clientOf(t, e.URL, WithCredential(OAuth2(source)))
		calls.Go(func() {
			_, err := getJob(t.Context(), client)
			assert.NoError(t, err)
		})
	}
	calls.Wait()
	assert.Equal(t, 1, e.refreshes())
}

func TestTokenSourceKeepsRefreshTokenThatIsNotReplaced(t *testing.T) {
	e := newTokenEndpoint(t)
	e.reply = func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"access_token":"short","expires_in":1}`)
	}
	source := e.source(t, nil)
	_, err := source.(*tokenSource).tokens.Replace(t.Context(), "access-0", false)
	require.NoError(t, err)
	token, err := source.Token() // the token expires before it can be used twice
	require.NoError(t, err)
	assert.Equal(t, "short", token.AccessToken)
	assert.Equal(t, firstRefreshToken, e.forms[1].Get("refresh_token"))
}

func TestTokenSourceRefused(t *testing.T) {
	e := newTokenEndpoint(t)
	e.refresh = "another"
	client := e.client(t, nil)
	for range 3 {
		_, err := getJob(t.Context(), client)
		var refused *Error
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, http.StatusUnauthorized, refused.StatusCode, "the response that made the refresh necessary")
		assert.Equal(t, "/projects/:id/jobs/:job_id", refused.Operation)
		var failed *RefreshError
		require.ErrorAs(t, err, &failed)
		require.ErrorAs(t, failed.Err, &refused)
		assert.Equal(t, ErrorReasonInvalidGrant, refused.Reason)
		assert.Equal(t, "The refresh token was revoked.", refused.Description)
		assert.ErrorContains(t, err, "The refresh token was revoked.")
		assert.Equal(t, 1, e.refreshes(), "neither repeated nor sent in two ways")
	}
}

// TestTokenSourceHostileEndpoint checks that the error is one of the library's
// and quotes no secret, whatever the endpoint returns.
func TestTokenSourceHostileEndpoint(t *testing.T) {
	echo := firstRefreshToken + " " + url.QueryEscape(clientSecret) + " access-0 " + clientSecret
	write := func(status int, contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	const jsonType = "application/json"
	for name, tc := range map[string]struct {
		reply http.HandlerFunc
		want  any
	}{
		"HTML":     {write(200, "text/html", "<html>"+echo+"</html>"), new(*DecodeError)},
		"empty":    {write(200, jsonType, ""), new(*DecodeError)},
		"null":     {write(200, jsonType, "null"), new(*DecodeError)},
		"no token": {write(200, jsonType, `{"refresh_token":"x"}`), new(*DecodeError)},
		"cut":      {write(200, jsonType, `{"access_token":"new-S3cr3t`), new(*DecodeError)},
		"odd expiry": {write(200, jsonType,
			`{"access_token":"new-S3cr3t","expires_in":"`+firstRefreshToken+`"}`), new(*DecodeError)},
		"bad form": {write(200, "text/plain", "access_token=%zz"+echo), new(*DecodeError)},
		"huge": {write(200, jsonType,
			`{"access_token":"new-S3cr3t","x":"`+strings.Repeat("x", maxTokenResponse)+`"}`), new(*DecodeError)},
		"huge and not good": {write(300, "text/html", strings.Repeat(echo, 1+maxTokenResponse/len(echo))), new(*Error)},
		"huge failure":      {write(500, "text/html", strings.Repeat(echo, 1+maxTokenResponse/len(echo))), new(*Error)},
		"echoing type":      {write(200, "x/"+firstRefreshToken, "<"), new(*DecodeError)},
		"unusable token":    {write(200, jsonType, `{"access_token":"new-S3cr3t\r\nX: y"}`), nil},
		"HTML failure":      {write(502, "text/html", "<html>"+echo+"</html>"), new(*Error)},
		"empty failure":     {write(503, jsonType, ""), new(*Error)},
		"echoing failure": {write(400, jsonType, fmt.Sprintf(`{"error":%q,"error_description":%q}`, echo, echo)),
			new(*Error)},
		"failure with 200": {write(200, jsonType, `{"error":"invalid_client","access_token":"new-S3cr3t"}`),
			new(*Error)},
		"connection broken": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			new(*TransportError)},
		"not HTTP": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if assert.NoError(t, err) {
				io.WriteString(conn, firstRefreshToken+"\r\n\r\n")
				conn.Close()
			}
		}, new(*TransportError)},
		"body broken": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, echo)
		}, new(*TransportError)},
		"redirect": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://other.test/"+firstRefreshToken+"?token="+firstRefreshToken)
			w.WriteHeader(307)
		}, new(*RedirectError)},
		"unreadable redirect": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://%zz"+firstRefreshToken)
			w.WriteHeader(302)
		}, new(*RedirectError)},
	} {
		t.Run(name, func(t *testing.T) {
			e := newTokenEndpoint(t)
			e.reply = tc.reply
			_, err := getJob(t.Context(), e.client(t, nil))
			require.Error(t, err)
			if tc.want != nil {
				var failed *RefreshError
				require.ErrorAs(t, err, &failed)
				assert.Equal(t, reflect.TypeOf(tc.want).Elem(), reflect.TypeOf(failed.Err))
			}
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				text := fmt.Sprintf("%v %+v %#v", cause, cause, cause)
				assert.NotContains(t, text, "S3cr3t")
				assert.NotContains(t, text, "access-0")
				assert.NotContains(t, text, url.QueryEscape(clientSecret))
			}
			assert.Equal(t, 1, e.refreshes())
		})
	}
}

func TestTokenSourceRedirects(t *testing.T) {
	var strayed atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		strayed.Add(1)
		io.WriteString(w, `{"access_token":"stolen"}`)
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		e := newTokenEndpoint(t)
		e.reply = func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/oauth/token", status)
		}
		_, err := getJob(t.Context(), e.client(t, nil))
		var redirect *RedirectError
		require.ErrorAs(t, err, &redirect, status)
		assert.Equal(t, "/oauth/token", redirect.Operation)
	}
	assert.Zero(t, strayed.Load(), "the refresh token left its origin")

	e := newTokenEndpoint(t)
	moved := false
	e.reply = func(w http.ResponseWriter, r *http.Request) {
		if !moved {
			moved = true
			http.Redirect(w, r, "/oauth/token?moved", http.StatusTemporaryRedirect)
			return
		}
		e.issued, e.revoked = 1, false
		io.WriteString(w, `{"access_token":"access-1"}`)
	}
	_, err := getJob(t.Context(), e.client(t, nil))
	require.NoError(t, err)
	assert.Equal(t, firstRefreshToken, e.forms[1].Get("refresh_token"), "within the origin the form is sent again")
}

func TestTokenSourceArguments(t *testing.T) {
	good := &oauth2.Token{RefreshToken: "r"}
	config := func(url string) *oauth2.Config {
		return &oauth2.Config{Endpoint: oauth2.Endpoint{TokenURL: url}}
	}
	for _, tc := range []struct {
		config *oauth2.Config
		token  *oauth2.Token
	}{
		{nil, good}, {config("https://a.test/oauth/token"), nil},
		{config("https://a.test/oauth/token"), &oauth2.Token{AccessToken: "a"}},
		{config(""), good}, {config("ftp://a.test/oauth/token"), good},
		{config("https://u:" + testSecret + "@a.test/oauth/token"), good},
	} {
		source, err := NewTokenSource(tc.config, tc.token, nil)
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument)
		assert.Nil(t, source)
		assert.NotContains(t, err.Error(), testSecret)
	}
}

func TestTokenSourcePrintsNoToken(t *testing.T) {
	source := newTokenEndpoint(t).source(t, nil)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v %s", source, source, source, source), "S3cr3t")
	assert.Equal(t, "TokenSource([redacted])", fmt.Sprint(source))
	assert.Equal(t, "TokenSource([redacted])", source.(slog.LogValuer).LogValue().String())
}

// TestTokenRevokedBeforeItsFirstSuccess checks that such a token is replaced at
// once if the service says that it is not valid.
func TestTokenRevokedBeforeItsFirstSuccess(t *testing.T) {
	for challenge, want := range map[string]bool{`Bearer error="invalid_token"`: true, `Bearer realm="API"`: false} {
		e := newTokenEndpoint(t)
		e.challenge = challenge
		revocations := 1
		client := e.client(t, &TokenSourceOptions{OnRefresh: func(*oauth2.Token) {
			if revocations > 0 {
				revocations--
				e.revoke()
			}
		}})
		_, err := getJob(t.Context(), client)
		require.ErrorIs(t, err, ErrUnauthorized, "access-1 was revoked before it was used")
		_, err = getJob(t.Context(), client)
		assert.Equal(t, want, err == nil, challenge)
		revocations = 1
		e.revoke()
		_, _ = getJob(t.Context(), client)
		_, _ = getJob(t.Context(), client)
		refreshes := e.refreshes()
		_, err = getJob(t.Context(), client)
		assert.Equal(t, want, err == nil, challenge)
		assert.Equal(t, refreshes, e.refreshes())
	}
}

// TestTokenEndpointThatFailedIsAskedAgain checks which statuses are a refusal, after
// which no token is requested for a minute.
func TestTokenEndpointThatFailedIsAskedAgain(t *testing.T) {
	for code, want := range map[int]int{400: 1, 401: 1, 403: 1, 408: 2, 429: 2, 500: 2, 503: 2} {
		e := newTokenEndpoint(t)
		e.reply = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
		client := e.client(t, nil)
		for range 2 {
			_, err := getJob(t.Context(), client)
			require.ErrorAs(t, err, new(*RefreshError))
		}
		assert.Equal(t, want, e.refreshes(), code)
	}
}

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

// TestFailedRefreshQuotesNoToken checks that neither the ID of a request that the token endpoint
// refused nor the error of another source shows a token.
func TestFailedRefreshQuotesNoToken(t *testing.T) {
	s := &authService{exchange: status(400, `{"error":"invalid_grant"}`, header.RequestID, "id of refresh-0")}
	var refused *Error
	require.ErrorAs(t, refreshFailure(t, s.client(t, -time.Hour)), &refused)
	assert.Equal(t, "id of [redacted]", refused.RequestID)

	asked := 0
	source := tokenFunc(func() (*oauth2.Token, error) {
		if asked++; asked == 1 {
			return &oauth2.Token{AccessToken: "access-token-0"}, nil
		}
		return nil, errors.New("access-token-0 was revoked")
	})
	s = &authService{api: refuseAll}
	client, err := NewClient("https://service.test", OAuth2(source), WithHTTPClient(&http.Client{Transport: s}),
		WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.NoError(t, err)
	assert.EqualError(t, refreshFailure(t, client), "[redacted] was revoked")
	assert.Equal(t, []string{"access-token-0"}, s.tokens)
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
			return unauthorizedResponse
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
			return unauthorizedResponse
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
