package servicetest

import (
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// authenticate determines who calls and whether the token suffices. The lock
// must be held.
func (c *call) authenticate() *reply {
	if c.route.openLogin {
		return nil
	}
	tok, given := c.credential()
	switch {
	case !given && c.route.public:
		return nil
	case tok == nil || !c.usable(tok):
		c.revokeReused(tok)
		return frame.Unauthorized()
	case tok.user.barred() != "":
		return frame.Forbidden(tok.user.barred())
	}
	c.token, c.user = tok, tok.user
	tok.usedAt = c.now()
	if refusal := c.checkScopes(); refusal != nil {
		return refusal
	}
	return c.sudo()
}

// credential returns the token of the request, or nil if it is unknown or of a
// kind that is not accepted in that place. given reports whether there was any
// credential.
func (c *call) credential() (tok *token, given bool) {
	if secret := either(c.Request.Header.Get("PRIVATE-TOKEN"), c.Query.Get("private_token")); secret != "" {
		return c.svc.tokenOf(secret, personal), true
	}
	if header := c.Request.Header.Get("Authorization"); header != "" {
		scheme, secret, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return nil, true
		}
		return c.svc.tokenOf(strings.TrimSpace(secret), oauth, personal, jobToken), true
	}
	if secret := c.Query.Get("access_token"); secret != "" {
		return c.svc.tokenOf(secret, oauth), true
	}
	if secret := either(c.Request.Header.Get("JOB-TOKEN"), c.Query.Get("job_token")); secret != "" {
		return c.svc.tokenOf(secret, jobToken), true
	}
	if cookie, err := c.Request.Cookie(c.svc.settings.sessionCookie()); err == nil {
		if tok := c.svc.tokenOf(cookie.Value, session); tok != nil {
			return tok, true
		}
	}
	return nil, false
}

// usable reports whether a token is still valid, and valid for this route.
func (c *call) usable(tok *token) bool {
	return tok.active(c.now()) && tok.user != nil && (tok.kind != jobToken || c.route.jobToken)
}

// checkScopes refuses tokens whose scopes do not cover the route.
func (c *call) checkScopes() *reply {
	if c.token.kind == jobToken || c.token.kind == session {
		return nil
	}
	accepted := []string{"api"}
	if c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead {
		accepted = append(accepted, "read_api")
	}
	accepted = append(accepted, c.route.scopes...)
	for _, scope := range c.token.scopes {
		if slices.Contains(accepted, scope) {
			return nil
		}
	}
	return insufficientScope(strings.Join(accepted, " "))
}

func insufficientScope(scope string) *reply {
	return frame.JSONReply(http.StatusForbidden, object{
		"error":             "insufficient_scope",
		"error_description": "The request requires higher privileges than provided by the access token.",
		"scope":             scope,
	})
}

// sudo makes the call act as another user, if an administrator asks for it.
func (c *call) sudo() *reply {
	name := either(c.Request.Header.Get("Sudo"), c.Query.Get("sudo"))
	if name == "" {
		return nil
	}
	if !c.user.admin {
		return frame.Forbidden("Must be admin to use sudo")
	}
	if c.token.kind != personal && c.token.kind != oauth {
		return frame.Forbidden("Must be authenticated using an OAuth or personal access token to use sudo")
	}
	if !slices.Contains(c.token.scopes, "sudo") {
		return insufficientScope("sudo")
	}
	target := c.svc.findUser(name)
	if target == nil {
		return frame.NotFound("User with ID or username '" + name + "'")
	}
	if target.barred() != "" {
		return frame.Forbidden(target.barred())
	}
	c.user = target
	return nil
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}
