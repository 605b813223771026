package servicetest

import (
	"crypto/subtle"
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

// exchangeToken serves the token endpoint, which supports one kind of grant.
func exchangeToken(c *call) *reply {
	app := c.application()
	switch kind := c.Str("grant_type"); {
	case kind == "":
		return oauthRefusal(http.StatusBadRequest, "invalid_request", "The parameter grant_type is missing.")
	case kind != "refresh_token":
		return oauthRefusal(http.StatusBadRequest, "unsupported_grant_type", "The grant type is not supported.")
	case app == nil:
		return oauthRefusal(http.StatusUnauthorized, "invalid_client", "The client is not known, or its secret is wrong.")
	}
	grant := c.svc.oauth().grants[c.Str("refresh_token")]
	if grant == nil || grant.app != app || grant.revoked || grant.access.user.barred() != "" {
		return oauthRefusal(http.StatusBadRequest, "invalid_grant", "The refresh token is not valid, was used before or was revoked.")
	}
	grant.exchange()
	return uncached(c.OK(oauthAnswer{
		AccessToken: grant.access.secret, TokenType: "Bearer", ExpiresIn: int64(OAuthTokenLifetime / time.Second),
		RefreshToken: grant.refresh, Scope: strings.Join(grant.access.scopes, " "), CreatedAt: c.now().Unix(),
	}))
}

// application returns the calling application, by parameters or basic
// authentication, or nil if it is unknown.
func (c *call) application() *OAuthApplication {
	id, secret := c.Str("client_id"), c.Str("client_secret")
	if name, password, ok := c.Request.BasicAuth(); ok {
		id, _ = url.QueryUnescape(name)
		secret, _ = url.QueryUnescape(password)
	}
	app := c.svc.oauth().apps[id]
	if app == nil || subtle.ConstantTimeCompare([]byte(app.clientSecret), []byte(secret)) == 0 {
		return nil
	}
	return app
}

func oauthRefusal(status int, code, description string) *reply {
	return uncached(frame.JSONReply(status, object{"error": code, "error_description": description}))
}

func uncached(r *reply) *reply { return r.Set("Cache-Control", "no-store").Set("Pragma", "no-cache") }
