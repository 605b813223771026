package servicetest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A deviceSignIn is a sign-in that an application began on a device without a browser.
type deviceSignIn struct {
	app      *OAuthApplication
	userCode string
	scopes   []string
	expires  time.Time
	polled   time.Time
	user     *User // who has signed in
}

// Times of a sign-in on a device.
const (
	deviceLifetime = 5 * time.Minute
	deviceInterval = 5 * time.Second
)

// deviceAnswer begins a sign-in on a device.
type deviceAnswer struct {
	DeviceCode              string `json:"device_code"`
	UserCode                string `json:"user_code"`
	VerificationURI         string `json:"verification_uri"`
	VerificationURIComplete string `json:"verification_uri_complete"`
	ExpiresIn               int64  `json:"expires_in"`
	Interval                int64  `json:"interval"`
}

func authorizeDevice(c *call) *reply {
	st, scopes := c.svc.oauth(), strings.Fields(c.String("scope"))
	app := st.apps[c.String("client_id")]
	switch {
	case !c.Has("client_id"):
		return oauthRefusal(http.StatusBadRequest, "invalid_request", "The parameter client_id is missing.")
	case app == nil:
		return unknownClient()
	case len(scopes) == 0, slices.ContainsFunc(scopes, func(s string) bool { return !slices.Contains(app.scopes, s) }):
		return oauthRefusal(http.StatusBadRequest, "invalid_scope",
			"The requested scope is invalid, unknown, or malformed.")
	}
	st.signIns++
	code, user := fmt.Sprintf("device-%d-%s", st.signIns, app.clientID), fmt.Sprintf("CODE%04d", st.signIns)
	st.devices[code] = &deviceSignIn{
		app: app, userCode: user, scopes: scopes, expires: c.now().Add(deviceLifetime),
	}
	page := c.svc.webURL("oauth/device")
	return uncached(c.OK(deviceAnswer{
		DeviceCode: code, UserCode: user, VerificationURI: page, VerificationURIComplete: page + "?user_code=" + user,
		ExpiresIn: int64(deviceLifetime / time.Second), Interval: int64(deviceInterval / time.Second),
	}))
}

// ApproveDevice signs a user in on the device that shows the code, as if the user had
// entered it in a browser.
func (s *Service) ApproveDevice(userCode string, user *User) {
	defer s.lock()()
	for _, d := range s.oauth().devices {
		if d.userCode == userCode && d.expires.After(s.now()) {
			d.user = user
			return
		}
	}
	s.fail("no device shows the code %q", userCode)
}

// exchangeDevice answers a poll of a device.
func (c *call) exchangeDevice(app *OAuthApplication) *reply {
	st, code := c.svc.oauth(), c.String("device_code")
	d := st.devices[code]
	switch now := c.now(); {
	case d == nil || d.app != app:
		return oauthRefusal(http.StatusBadRequest, "invalid_grant", "The device code is invalid or was used.")
	case !d.expires.After(now):
		delete(st.devices, code)
		return oauthRefusal(http.StatusBadRequest, "expired_token", "The code has expired. Please begin again.")
	case now.Sub(d.polled) < deviceInterval:
		return oauthRefusal(http.StatusBadRequest, "slow_down", "The client polls too quickly.")
	case d.user == nil:
		d.polled = now
		return oauthRefusal(http.StatusBadRequest, "authorization_pending", "The user has not signed in yet.")
	}
	delete(st.devices, code)
	grant := app.authorize(d.user, Scopes(d.scopes...))
	return c.tokens(grant)
}

// ofToken returns what a token of OAuth2 belongs to: its grant and the access token, both
// nil if it is unknown.
func (st *oauthState) ofToken(s *Service, secret string) (*OAuthGrant, *token) {
	if grant := st.grants[secret]; grant != nil {
		return grant, grant.access
	}
	if tok := s.tokenOf(secret, oauth); tok != nil {
		return tok.grant, tok
	}
	return nil, nil
}

func revokeOAuthToken(c *call) *reply {
	frame.Accept(c.String, "token_type_hint")
	secret := c.String("token")
	app := c.application()
	grant, tok := c.svc.oauth().ofToken(c.svc, secret)
	switch {
	case app == nil, grant != nil && grant.app != app:
		return oauthRefusal(http.StatusForbidden, "unauthorized_client",
			"You are not authorized to revoke this token")
	case grant != nil:
		grant.access.revoked, grant.revoked = true, true
	case tok != nil:
		tok.revoked = true
	}
	return uncached(c.OK(object{}))
}

// introspection describes a token that is active.
type introspection struct {
	Active    bool   `json:"active"`
	Scope     string `json:"scope"`
	ClientID  string `json:"client_id"`
	TokenType string `json:"token_type"`
	Expires   int64  `json:"exp"`
	Issued    int64  `json:"iat"`
}

func introspectToken(c *call) *reply {
	frame.Accept(c.String, "token_type_hint")
	grant, tok := c.svc.oauth().ofToken(c.svc, c.String("token"))
	app, refusal := c.introspector(grant, tok)
	if refusal != nil {
		return refusal
	}
	if grant == nil || grant.app != app || grant.revoked || !tok.active(c.now()) {
		return uncached(c.OK(object{"active": false}))
	}
	said := introspection{
		Active: true, Scope: strings.Join(tok.scopes, " "), ClientID: app.clientID, TokenType: "Bearer",
		Issued: tok.createdAt.Unix(),
	}
	if !tok.expires.IsZero() {
		said.Expires = tok.expires.Unix()
	}
	return uncached(c.OK(said))
}

// introspector returns the application that asks about a token, by its own credential or by
// another token of it.
func (c *call) introspector(grant *OAuthGrant, tok *token) (*OAuthApplication, *reply) {
	if secret, ok := c.bearer(); ok {
		asking := c.svc.tokenOf(secret, oauth)
		if asking == nil || asking == tok || !c.usable(asking) || asking.grant == nil ||
			grant != nil && grant.app != asking.grant.app {
			return nil, invalidOAuthToken("is invalid")
		}
		return asking.grant.app, nil
	}
	if _, _, basic := c.Request.BasicAuth(); !basic && !c.Has("client_id") {
		return nil, oauthRefusal(http.StatusBadRequest, "invalid_request", "The request has no credential.")
	}
	app := c.application()
	if app == nil {
		return nil, unknownClient()
	}
	return app, nil
}

func (c *call) bearer() (string, bool) {
	scheme, secret, _ := strings.Cut(c.Request.Header.Get("Authorization"), " ")
	return strings.TrimSpace(secret), strings.EqualFold(scheme, "Bearer")
}

// oauthCaller returns the token of the caller, who must have one of OAuth2.
func (c *call) oauthCaller() (*token, *reply) {
	secret, ok := c.bearer()
	if !ok {
		secret = c.Query.Get("access_token")
	}
	switch tok := c.svc.tokenOf(secret, oauth); {
	case tok == nil || tok.user == nil || tok.user.barred() != "":
		return nil, invalidOAuthToken("is invalid")
	case tok.revoked:
		return nil, invalidOAuthToken("was revoked")
	case tok.expired(c.now()):
		return nil, invalidOAuthToken("expired")
	default:
		return tok, nil
	}
}

func invalidOAuthToken(what string) *reply {
	description := "The access token " + what
	return frame.JSONReply(http.StatusUnauthorized, object{
		"error": "invalid_token", "error_description": description, "state": "unauthorized",
	}).Set("Www-Authenticate", fmt.Sprintf(`Bearer realm="Protected by OAuth", error="invalid_token", `+
		`error_description=%q`, description))
}

// tokenInfo is the answer of token/info, with the older names of two members.
type tokenInfo struct {
	ResourceOwnerID  int64    `json:"resource_owner_id"`
	Scope            []string `json:"scope"`
	Scopes           []string `json:"scopes"`
	ExpiresIn        *int64   `json:"expires_in"`
	ExpiresInSeconds *int64   `json:"expires_in_seconds"`
	Application      object   `json:"application"`
	CreatedAt        int64    `json:"created_at"`
}

func getTokenInfo(c *call, tok *token) *reply {
	info := tokenInfo{
		ResourceOwnerID: tok.user.id, Scope: tok.scopes, Scopes: tok.scopes,
		Application: object{"uid": nil}, CreatedAt: tok.createdAt.Unix(),
	}
	if !tok.expires.IsZero() {
		left := int64(tok.expires.Sub(c.now()) / time.Second)
		info.ExpiresIn, info.ExpiresInSeconds = &left, &left
	}
	if tok.grant != nil {
		info.Application = object{"uid": tok.grant.app.clientID}
	}
	return c.OK(info)
}

func getUserInfo(c *call, tok *token) *reply {
	if !slices.Contains(tok.scopes, "openid") {
		return insufficientScope("openid")
	}
	u, view := tok.user, tok.user.summary()
	claims := object{
		"sub": strconv.FormatInt(u.id, 10), "name": u.name, "nickname": u.username, "preferred_username": u.username,
		"profile": view.WebURL, "picture": view.AvatarURL, "groups": c.svc.groupPathsOf(u),
	}
	if slices.Contains(tok.scopes, "email") {
		claims["email"], claims["email_verified"] = u.email, true
	}
	return c.OK(claims)
}

// groupPathsOf returns the full paths of the groups that a user is a member of.
func (s *Service) groupPathsOf(user *User) []string {
	paths := mapped(s.groups.all(func(g *Group) bool { return has(&g.members, user.id) }), (*Group).fullPath)
	slices.Sort(paths)
	return paths
}
