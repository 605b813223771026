package serviceapi

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"unicode"

	"example.com/serviceapi/internal/header"
	"golang.org/x/oauth2"
)

// Credential authenticates calls. Make one with [PrivateToken], [BearerToken],
// [JobToken], [OAuth2], [SessionCookie], [SessionCookieNamed] or [Anonymous].
//
// A Credential never prints its secret: fmt, slog and JSON show only its kind.
// It is sent in a header to the origin of the client's base URL, never to
// another origin and never in a query.
type Credential interface {
	fmt.Formatter
	slog.LogValuer

	// authorize returns what the next requests carry.
	authorize(ctx context.Context) (authorization, error)
}

// authorization is a credential in the header of a request. The zero authorization is none.
type authorization struct {
	// header is the canonical name of the header, and value all of its value.
	header, value string
	// secret is the part of the value to be kept out of errors.
	secret string
}

// refresher is a credential that can replace a secret that the service refused.
type refresher interface {
	// refresh reports whether there is a new secret in place of the stale one.
	// explicit is true if the service named the stale one as invalid.
	refresh(ctx context.Context, stale string, explicit bool) (bool, error)
	// settle receives the status of the last response to a secret.
	settle(secret string, status int)
}

// PrivateToken is a personal, project, group or impersonation access token,
// sent as PRIVATE-TOKEN. Only administrators can create impersonation tokens,
// and an instance can disable them. Project access tokens need the premium tier
// on the hosted offering and no particular tier elsewhere. Deploy tokens cannot
// be used with this API.
func PrivateToken(token string) Credential {
	return &headerCredential{kind: "PrivateToken", header: "Private-Token", secret: NewSecret(token)}
}

// BearerToken is any of the service's access tokens, sent as "Authorization:
// Bearer": an OAuth2 access token, which the caller renews when it expires (see
// [OAuth2] for a source that does so), a personal, project, group or
// impersonation access token, or a CI job token, which gives access to the same
// few endpoints as a [JobToken].
func BearerToken(token string) Credential {
	return &headerCredential{kind: "BearerToken", header: "Authorization", prefix: "Bearer ", secret: NewSecret(token)}
}

// JobToken is the token of a running CI job (CI_JOB_TOKEN), sent as JOB-TOKEN.
// The service accepts it only for a few endpoints: [JobsService.Current],
// [JobsService.AllowedAgents] and, with the premium tier, the downloads of
// [JobArtifactsService]. If the instance has enabled the feature flag
// ci_job_token_scope, which is disabled by default, the token gives access only
// to its own project.
func JobToken(token string) Credential {
	return &headerCredential{kind: "JobToken", header: "Job-Token", secret: NewSecret(token)}
}

// SessionCookie is the session of a user who signed in to the web application, sent
// as the cookie _service_session. It cannot be created through the API. An instance
// that runs under another name uses another cookie: see [SessionCookieNamed].
func SessionCookie(value string) Credential {
	return SessionCookieNamed("_service_session", value)
}

// SessionCookieNamed is a [SessionCookie] for an instance whose session cookie
// has another name, such as _acme_session. The browser shows the name, among
// the cookies of the instance, once a user has signed in. An instance ignores a
// cookie that it does not know: calls then return public data only, or
// [ErrUnauthorized].
func SessionCookieNamed(name, value string) Credential {
	return &headerCredential{kind: "SessionCookie", header: "Cookie", prefix: name + "=", secret: NewSecret(value)}
}

// basicCredential is only for the registry's token endpoint, which does not
// accept tokens.
func basicCredential(username, password string) Credential {
	pair := base64.StdEncoding.EncodeToString([]byte(username + ":" + password))
	h := headerCredential{kind: "Basic", header: "Authorization", prefix: "Basic ", secret: NewSecret(pair)}
	return &passwordCredential{h, NewSecret(password)}
}

// passwordCredential is a credential whose secret can be decoded: the password
// in it is kept out of errors, too.
type passwordCredential struct {
	headerCredential
	password Secret
}

func (c *passwordCredential) secrets() []string { return []string{c.password.Reveal()} }

// Anonymous makes calls without a credential. The service then returns public data
// only, or [ErrUnauthorized].
func Anonymous() Credential { return anonymous{} }

// headerCredential is a secret in a header. Only pointers to it are credentials:
// programs may compare credentials and use them as map keys, which a Secret does
// not allow.
type headerCredential struct {
	kind, header, prefix string
	secret               Secret
}

func (c *headerCredential) authorize(context.Context) (authorization, error) {
	secret := c.secret.Reveal()
	return authorization{header: c.header, value: c.prefix + secret, secret: secret}, nil
}

func (c *headerCredential) check() error {
	token := c.secret.Reveal()
	switch {
	case token == "":
		return badArgument(c.kind, "is empty")
	case hasScheme(token):
		// The token is not quoted.
		problem := "begins with the name of a scheme; pass the token alone"
		if c.kind == "PrivateToken" {
			problem += ", and use BearerToken if it is to be sent as Authorization: Bearer"
		}
		return badArgument(c.kind, problem)
	case !header.IsValue(token) || strings.TrimSpace(token) != token,
		c.header != "Cookie" && strings.ContainsFunc(token, unicode.IsSpace):
		return badArgument(c.kind, "contains white space or a control character")
	case token == redacted:
		problem := "is the placeholder that a Secret was encoded as; store what Secret.Reveal returns"
		return badArgument(c.kind, problem)
	case c.header == "Cookie" && !header.IsName(strings.TrimSuffix(c.prefix, "=")):
		// The name is not quoted: it is the secret if the two were swapped.
		problem := "is empty or contains a character that cookie names cannot have"
		return badArgument("cookie name", problem)
	case c.header == "Cookie" && strings.ContainsAny(token, ";, \""):
		return badArgument(c.kind, "contains a character that ends a cookie")
	}
	return nil
}

// hasScheme reports whether a token is the whole value of a header, such as "Bearer x".
func hasScheme(token string) bool {
	scheme, _, found := strings.Cut(token, " ")
	return found && slices.ContainsFunc([]string{"Bearer", "Basic", "Token", "Private-Token:", "Job-Token:",
		"Authorization:"}, func(name string) bool { return strings.EqualFold(scheme, name) })
}

func (c *headerCredential) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "%s(%s)", c.kind, redacted) }
func (c *headerCredential) LogValue() slog.Value       { return slog.StringValue(fmt.Sprint(c)) }

type anonymous struct{}

func (anonymous) authorize(context.Context) (authorization, error) { return authorization{}, nil }
func (anonymous) Format(f fmt.State, _ rune)                       { fmt.Fprint(f, "Anonymous") }
func (anonymous) LogValue() slog.Value                             { return slog.StringValue("Anonymous") }

// OAuth2 takes access tokens from a source of golang.org/x/oauth2 and sends
// them as "Authorization: Bearer". The source is asked for a token when the
// current one has expired, and when the service refuses it with 401: the call
// is then tried once more if the source returns another token. A source made by
// [NewTokenSource] can renew a token that was revoked before it expired.
//
// A 401 can also mean that the caller may not do something. So the library asks for
// another token at most once a minute if the last one did not help, and for calls
// such as [MergeRequestsService.Merge] only if the response says that the token is
// invalid. If it says so about a new token that has not worked yet, the library
// asks once more without waiting for the minute to pass. The current token stays in
// use until there is another. If there is none, calls return the service's 401,
// which wraps a [*RefreshError].
func OAuth2(source oauth2.TokenSource) Credential {
	return newOAuthCredential(source)
}

// OAuth2Endpoint returns the authorization and token endpoints of the service
// at baseURL, for an [oauth2.Config].
func OAuth2Endpoint(baseURL string) (oauth2.Endpoint, error) {
	base, err := parseBaseURL(baseURL)
	if err != nil {
		return oauth2.Endpoint{}, err
	}
	return oauth2.Endpoint{
		AuthURL:  base.At("/oauth/authorize"),
		TokenURL: base.At("/oauth/token"),
		// Without this, x/oauth2 would try both styles.
		AuthStyle: oauth2.AuthStyleInParams,
	}, nil
}

// credentialKind returns the kind of a credential, the name of the function that
// made it.
func credentialKind(cred Credential) string {
	kind, _, _ := strings.Cut(fmt.Sprint(cred), "(")
	return kind
}

func checkCredential(cred Credential) error {
	switch c := cred.(type) {
	case nil:
		return badArgument("credential", "is nil; use Anonymous() to call without one")
	case *headerCredential:
		return c.check()
	case *passwordCredential:
		return c.check()
	case *oauthCredential:
		if c.source == nil {
			return badArgument("OAuth2", "has no token source")
		}
	}
	return nil
}
