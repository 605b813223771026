package servicetest

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

type oauthAnswer struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"` // seconds
	RefreshToken string `json:"refresh_token"`
	Scope        string `json:"scope"`
	CreatedAt    int64  `json:"created_at"` // Unix time
}

// deviceGrantType is the grant of a device, in the request for its token.
const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

// exchangeToken serves the token endpoint. It supports refresh tokens and devices.
func exchangeToken(c *call) *reply {
	app := c.application()
	switch kind := c.String("grant_type"); {
	case kind == "":
		return oauthRefusal(http.StatusBadRequest, "invalid_request", "The parameter grant_type is missing.")
	case kind != "refresh_token" && kind != deviceGrantType:
		return oauthRefusal(http.StatusBadRequest, "unsupported_grant_type", "The grant type is not supported.")
	case app == nil:
		return unknownClient()
	case kind == deviceGrantType:
		return c.exchangeDevice(app)
	}
	grant := c.svc.oauth().grants[c.String("refresh_token")]
	if grant == nil || grant.app != app || grant.revoked || grant.access.user.barred() != "" {
		return oauthRefusal(http.StatusBadRequest, "invalid_grant",
			"The refresh token is not valid, was used before or was revoked.")
	}
	grant.exchange()
	return c.tokens(grant)
}

// tokens answers with the tokens of a grant.
func (c *call) tokens(grant *OAuthGrant) *reply {
	return uncached(c.OK(oauthAnswer{
		AccessToken: grant.access.secret, TokenType: "Bearer", ExpiresIn: int64(OAuthTokenLifetime / time.Second),
		RefreshToken: grant.refresh, Scope: strings.Join(grant.access.scopes, " "), CreatedAt: c.now().Unix(),
	}))
}

func unknownClient() *reply {
	return oauthRefusal(http.StatusUnauthorized, "invalid_client", "The client is not known, or its secret is wrong.")
}

// application returns the application that calls, by parameters or basic
// authentication, or nil if it is unknown.
func (c *call) application() *OAuthApplication {
	id, secret := c.String("client_id"), c.String("client_secret")
	if name, password, ok := c.Request.BasicAuth(); ok {
		id, _ = url.QueryUnescape(name)
		secret, _ = url.QueryUnescape(password)
	}
	app := c.svc.oauth().apps[id]
	if app == nil || app.confidential && subtle.ConstantTimeCompare([]byte(app.clientSecret), []byte(secret)) == 0 {
		return nil
	}
	return app
}

func oauthRefusal(status int, code, description string) *reply {
	return uncached(frame.JSONReply(status, object{"error": code, "error_description": description}))
}

func uncached(r *reply) *reply { return r.Set("Cache-Control", "no-store").Set("Pragma", "no-cache") }

// OAuthTokenLifetime is the lifetime of an access token of an OAuthGrant, by the
// service's clock.
const OAuthTokenLifetime = 2 * time.Hour

// An OAuthApplication is a program that users authorize to act on their behalf.
// Make one with Service.OAuthApplication.
type OAuthApplication struct {
	svc            *Service
	id             int64
	name, callback string
	clientID       string
	clientSecret   string
	secrets        int // number so far
	confidential   bool
	scopes         []string
}

// An OAuthGrant is a user's authorization of an application: an access token,
// and a refresh token to get the next one. Make one with
// OAuthApplication.Authorize.
type OAuthGrant struct {
	app       *OAuthApplication
	access    *token
	refresh   string
	refreshes int
	revoked   bool
}

// oauthState keeps the applications by client ID and the grants by their
// newest refresh token.
type oauthState struct {
	apps      map[string]*OAuthApplication
	byID      table[*OAuthApplication]
	grants    map[string]*OAuthGrant
	refreshes int
	devices   map[string]*deviceSignIn // by device code
	signIns   int                      // number so far
}

func (s *Service) oauth() *oauthState {
	st := state[oauthState](s)
	if st.apps == nil {
		st.apps, st.grants = make(map[string]*OAuthApplication), make(map[string]*OAuthGrant)
		st.devices = make(map[string]*deviceSignIn)
	}
	return st
}

// OAuthApplication registers a confidential application, which has a secret. The client
// ID must be unique.
func (s *Service) OAuthApplication(clientID string) *OAuthApplication {
	defer s.lock()()
	st := s.oauth()
	if st.apps[clientID] != nil {
		s.fail("an application %q already exists", clientID)
	}
	app := &OAuthApplication{
		svc: s, name: clientID, callback: "https://" + clientID + ".example/callback", clientID: clientID,
		clientSecret: "secret-of-" + clientID, confidential: true, scopes: []string{"api"},
	}
	app.id, _ = st.byID.add(0, app)
	st.apps[clientID] = app
	return app
}

// ClientID returns the application's client ID.
func (a *OAuthApplication) ClientID() string { return a.clientID }

// ClientSecret returns the application's secret.
func (a *OAuthApplication) ClientSecret() string { return read(a.svc, &a.clientSecret) }

// ID returns the ID of the application in the API.
func (a *OAuthApplication) ID() int64 { return a.id }

// Authorize lets the application act for a user, as if the user had agreed in a
// browser. Scopes sets what it may do. ExpiresAt sets when the first access token
// expires. By default, it expires after OAuthTokenLifetime.
func (a *OAuthApplication) Authorize(user *User, opts ...TokenOption) *OAuthGrant {
	defer a.svc.lock()()
	return a.authorize(user, opts...)
}

func (a *OAuthApplication) authorize(user *User, opts ...TokenOption) *OAuthGrant {
	expiry := tokenOption(func(t *token) { t.expires = a.svc.now().Add(OAuthTokenLifetime) })
	g := &OAuthGrant{app: a, access: a.svc.issue(oauth, user, append([]TokenOption{expiry}, opts...))}
	g.access.grant = g
	g.issueRefresh()
	return g
}

// issueRefresh replaces the refresh token.
func (g *OAuthGrant) issueRefresh() {
	st := g.app.svc.oauth()
	delete(st.grants, g.refresh)
	st.refreshes++
	g.refresh = fmt.Sprintf("refresh-%d-%s", st.refreshes, g.access.user.username)
	st.grants[g.refresh] = g
}

// AccessToken returns the newest access token.
func (g *OAuthGrant) AccessToken() string {
	defer g.app.svc.lock()()
	return g.access.secret
}

// RefreshToken returns the newest refresh token. Earlier ones are no longer valid.
func (g *OAuthGrant) RefreshToken() string { return read(g.app.svc, &g.refresh) }

// Refreshes returns the number of times the refresh token was exchanged.
func (g *OAuthGrant) Refreshes() int { return read(g.app.svc, &g.refreshes) }

// RevokeAccessToken makes the newest access token invalid before it expires.
// The refresh token remains valid.
func (g *OAuthGrant) RevokeAccessToken() {
	defer g.app.svc.lock()()
	g.access.revoked = true
}

// Revoke withdraws the authorization and makes both tokens invalid.
func (g *OAuthGrant) Revoke() {
	defer g.app.svc.lock()()
	g.access.revoked, g.revoked = true, true
}

// exchange replaces both tokens.
func (g *OAuthGrant) exchange() {
	svc, old := g.app.svc, g.access
	old.revoked = true
	g.access = svc.issue(oauth, old.user,
		[]TokenOption{Scopes(old.scopes...), ExpiresAt(svc.now().Add(OAuthTokenLifetime))})
	g.access.grant = g
	g.issueRefresh()
	g.refreshes++
}
