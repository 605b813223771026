package serviceapi

import (
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

// TestTokensThatCannotBeSent checks that the error names the kind of the
// credential, but not the token.
func TestTokensThatCannotBeSent(t *testing.T) {
	kinds := map[string]func(string) Credential{
		"PrivateToken": PrivateToken, "BearerToken": BearerToken, "JobToken": JobToken, "SessionCookie": SessionCookie,
	}
	const empty, space = " is empty", " contains white space or a control character"
	const cookie = " contains a character that ends a cookie"
	for kind, make := range kinds {
		for token, problem := range map[string]string{
			"": empty, " ": space, " a": space, "a ": space, "\ta": space, "a\nb": space, "a\x00": space,
			"a\x7f": space,
			"a,b":   cookie, "a;b": cookie, `a"b`: cookie,
			"a": "", "a=b": "", "a-b_c.d~e+f/g": "",
		} {
			if problem == cookie && kind != "SessionCookie" {
				problem = ""
			}
			_, err := NewClient("https://service.test", make(token))
			if problem == "" {
				assert.NoError(t, err, "%s %q", kind, token)
				continue
			}
			assert.EqualError(t, err, "serviceapi: "+kind+problem, "%q", token)
			assert.Equal(t, err, checkCredential(make(token)), "the same where it is an option")
		}
	}
	_, err := NewClient("https://service.test", nil)
	assert.EqualError(t, err, "serviceapi: credential is nil; use Anonymous() to call without one")
	_, err = NewClient("https://service.test", OAuth2(nil))
	assert.EqualError(t, err, "serviceapi: OAuth2 has no token source")
}

// TestTokensWithWhiteSpace checks tokens that were copied with more than themselves: no
// error quotes them.
func TestTokensWithWhiteSpace(t *testing.T) {
	for token, problem := range map[string]string{
		"Bearer " + testSecret:                "begins with the name of a scheme; pass the token alone",
		"bearer " + testSecret:                "begins with the name of a scheme; pass the token alone",
		"Authorization: Bearer " + testSecret: "begins with the name of a scheme; pass the token alone",
		"PRIVATE-TOKEN: " + testSecret:        "begins with the name of a scheme; pass the token alone",
		testSecret + " " + testSecret:         "contains white space or a control character",
		testSecret + "\t" + testSecret:        "contains white space or a control character",
		testSecret + "\u00a0" + testSecret:    "contains white space or a control character",
	} {
		for kind, make := range map[string]func(string) Credential{
			"PrivateToken": PrivateToken, "BearerToken": BearerToken, "JobToken": JobToken,
		} {
			_, err := NewClient("https://service.test", make(token))
			assertRefused(t, kind, err)
			assert.ErrorContains(t, err, "serviceapi: "+kind+" "+problem)
			assert.NotContains(t, err.Error(), testSecret)
		}
	}
	err := checkCredential(PrivateToken("Bearer x"))
	assert.ErrorContains(t, err, "use BearerToken if it is to be sent as Authorization: Bearer")
	assert.EqualError(t, checkCredential(SessionCookie("a b")),
		"serviceapi: SessionCookie contains a character that ends a cookie")
}

// TestCookieNamesThatCannotBeSent checks that the error does not quote the
// name, which is the secret if name and value were swapped.
func TestCookieNamesThatCannotBeSent(t *testing.T) {
	for _, name := range []string{"", "a b", "a=b", "a;b", "a,b", "a\r\nX", "a\x00", "ä", `"a"`, "a=", " a", "a\t"} {
		err := checkCredential(SessionCookieNamed(name, "value"))
		assert.EqualError(t, err,
			"serviceapi: cookie name is empty or contains a character that cookie names cannot have", "%q", name)
		assertRefused(t, "cookie name", err)
	}
	for _, name := range []string{"_acme_session", "__Host-s", "a.b-c~d"} {
		assert.NoError(t, checkCredential(SessionCookieNamed(name, "value")))
	}
	assertRefused(t, "SessionCookie", checkCredential(SessionCookieNamed("_acme_session", "a; b=c")))
}

// TestCredentialsNameThemselves checks what fmt and slog write for each kind.
func TestCredentialsNameThemselves(t *testing.T) {
	for want, cred := range map[string]Credential{
		"PrivateToken([redacted])": PrivateToken(testSecret), "BearerToken([redacted])": BearerToken(testSecret),
		"JobToken([redacted])": JobToken(testSecret), "SessionCookie([redacted])": SessionCookie(testSecret),
		"Basic([redacted])": basicCredential("root", testSecret), "Anonymous": Anonymous(),
		"OAuth2([redacted])": OAuth2(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: testSecret})),
	} {
		assert.Equal(t, want, fmt.Sprint(cred))
		assert.Equal(t, want, fmt.Sprintf("%x", cred))
		assert.Equal(t, want, cred.LogValue().String())
		client, err := NewClient("https://service.test/sub", cred)
		require.NoError(t, err)
		assert.Equal(t, "serviceapi.Client(https://service.test/sub, "+want+")", fmt.Sprint(client))
		assert.Equal(t, "serviceapi.Client(https://service.test/sub, "+want+")", client.LogValue().String())
	}
	assert.Equal(t, "serviceapi.Client(none)", fmt.Sprint((*Client)(nil)))
	assert.Equal(t, "serviceapi.Client(none)", fmt.Sprint(new(Client)))
}

// TestSecretsOfCredentials checks that authorize returns what must be kept out
// of errors, which is not always the value of the header.
func TestSecretsOfCredentials(t *testing.T) {
	for _, tc := range []struct {
		cred           Credential
		secret, header string
	}{
		{BearerToken("abc"), "abc", "Authorization: Bearer abc"},
		{SessionCookie("abc"), "abc", "Cookie: _service_session=abc"},
		{PrivateToken("abc"), "abc", "Private-Token: abc"}, {JobToken("abc"), "abc", "Job-Token: abc"},
		{basicCredential("a", "b"), "YTpi", "Authorization: Basic YTpi"}, {Anonymous(), "", ""},
	} {
		auth, err := tc.cred.authorize(t.Context())
		require.NoError(t, err)
		assert.Equal(t, tc.secret, auth.secret)
		text := ""
		if auth.header != "" {
			text = auth.header + ": " + auth.value
		}
		assert.Equal(t, tc.header, text)
	}
}

func TestOAuth2Endpoint(t *testing.T) {
	endpoint, err := OAuth2Endpoint("https://service.test/sub/api/v4")
	require.NoError(t, err)
	assert.Equal(t, oauth2.Endpoint{
		AuthURL: "https://service.test/sub/oauth/authorize", TokenURL: "https://service.test/sub/oauth/token",
		DeviceAuthURL: "https://service.test/sub/oauth/authorize_device",
		AuthStyle:     oauth2.AuthStyleInParams,
	}, endpoint)
	endpoint, err = OAuth2Endpoint("service.test")
	assertRefused(t, "base URL", err)
	assert.Zero(t, endpoint)
}

// TestBaseURLProblems checks that the error names the problem, and does not
// quote a part of the URL that may be a secret.
func TestBaseURLProblems(t *testing.T) {
	for raw, want := range map[string]string{
		"https://service.test/%zz":          "cannot be parsed; it must look like https://service.example.com",
		"https://u@service.test":            "contains a user name or password; pass a Credential instead",
		"https://:p@service.test":           "contains a user name or password; pass a Credential instead",
		"https://service.test?a=b":          "contains a query or a fragment",
		"https://service.test?":             "contains a query or a fragment",
		"https://service.test#a":            "contains a query or a fragment",
		"ftp://service.test":                "must start with https:// or http://",
		"service.test/x":                    "must start with https:// or http://",
		"https://:8080":                     "has no host",
		"https:///x":                        "has no host",
		"https://service.test/api":          "must be that of the instance, without /api; the library adds /api/v4",
		"https://service.test/api/v3/":      "must be that of the instance, without /api/v3; the library adds /api/v4",
		"https://service.test/api/v10":      "must be that of the instance, without /api/v10; the library adds /api/v4",
		"https://service.test/x/api/v4/api": "must be that of the instance, without /api; the library adds /api/v4",
		"https://service.test/a/../b":       "contains a segment that is only dots, which would shorten the path",
		"https://service.test/a//b":         "contains an empty segment",
	} {
		_, err := parseBaseURL(raw)
		assert.EqualError(t, err, "serviceapi: base URL "+want, raw)
	}
	for raw, want := range map[string]string{
		"https://service.test/api/v":       "https://service.test/api/v",
		"https://service.test/api/vx":      "https://service.test/api/vx",
		"https://service.test/api/v4x":     "https://service.test/api/v4x",
		"https://service.test/apiary":      "https://service.test/apiary",
		"https://service.test/api/v3/x":    "https://service.test/api/v3/x",
		"https://service.test//":           "https://service.test",
		"https://service.test/x/api/v4//":  "https://service.test/x",
		"https://service.test/x//api/v4":   "https://service.test/x",
		"https://service.test:8443/api/v4": "https://service.test:8443",
		"\thttps://service.test\n":         "https://service.test",
	} {
		base, err := parseBaseURL(raw)
		require.NoError(t, err, raw)
		assert.Equal(t, want, base.String())
		assert.Equal(t, want+"/x", base.At("/x"))
	}
}

// TestCredentialsAreComparable checks that credentials can be keys, of a cache of
// clients for example, although a Secret cannot.
func TestCredentialsAreComparable(t *testing.T) {
	assert.False(t, reflect.TypeFor[Secret]().Comparable())
	seen := map[Credential]bool{}
	for _, cred := range []Credential{
		PrivateToken("a"), BearerToken("a"), JobToken("a"), SessionCookie("a"), basicCredential("a", "b"), Anonymous(),
		OAuth2(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "a"})),
	} {
		assert.False(t, seen[cred])
		seen[cred] = true
		assert.True(t, seen[cred])
	}
}

// TestTokenThatWasAcceptedIsReplacedAgain checks that any success shows that a token is good, and
// not only that of the call that replaced it: the next refusal is one of the token.
func TestTokenThatWasAcceptedIsReplacedAgain(t *testing.T) {
	replies := []func(*http.Request) (*http.Response, error){
		unauthorizedResponse, status(500, ""), okJob, unauthorizedResponse, okJob,
	}
	s := &authService{api: func(*http.Request, string) func(*http.Request) (*http.Response, error) {
		reply := replies[0]
		replies = replies[1:]
		return reply
	}}
	client := s.client(t, time.Hour)
	_, err := getJob(t.Context(), client)
	require.Error(t, err)
	for range 2 {
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{
		"access-token-0", "access-token-1", "access-token-1", "access-token-1", "access-token-2",
	}, s.tokens)
}
