package servicetest

import (
	"fmt"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A leakedToken is what the service knows of a token: the object that it belongs to, and how it ends.
type leakedToken struct {
	form any
	end  func() // nil if it cannot
}

// leaked finds the token that a call is about, of the kinds that this service has.
func (c *call) leaked() (*leakedToken, *reply) {
	secret := c.RequiredString("token")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if tok := c.svc.tokens[secret]; tok != nil {
		return c.leakedCredential(tok)
	}
	for _, t := range state[triggerState](c.svc).triggers.all(func(t *Trigger) bool { return t.token == secret }) {
		return &leakedToken{triggers.Form(c, t.project, t), func() { t.expiresAt = c.now() }}, nil
	}
	for _, r := range state[runnerState](c.svc).runners.all(func(r *Runner) bool { return r.token == secret }) {
		return &leakedToken{r.summary(), func() { c.renewRunnerToken(r) }}, nil
	}
	for _, a := range c.svc.oauth().byID.all(func(a *OAuthApplication) bool { return a.clientSecret == secret }) {
		return &leakedToken{a.form(false), a.renewSecret}, nil
	}
	for _, kind := range []string{"feed", "mail"} {
		if u := first(c.svc.users.all(func(u *User) bool { return u.secretOf(kind) == secret })); u != nil {
			return &leakedToken{c.userView(u), func() { put(&u.renewed, kind, u.renewed[kind]+1) }}, nil
		}
	}
	return nil, frame.JSONReply(404, object{"message": object{"error": "Not found"}})
}

// FeedToken returns the token with which programs read the user's feeds. Here, it is only for
// POST /admin/token, and DELETE /admin/token replaces it.
func (u *User) FeedToken() string { return locked(u.svc, func() string { return u.secretOf("feed") }) }

// MailToken is like FeedToken, for the token in the addresses that the user sends issues to.
func (u *User) MailToken() string { return locked(u.svc, func() string { return u.secretOf("mail") }) }

func (u *User) secretOf(kind string) string {
	return fmt.Sprintf("%s-%d-secret-%d", kind, u.id, u.renewed[kind]+1)
}

func (c *call) leakedCredential(tok *token) (*leakedToken, *reply) {
	revoke := func() { tok.revoked = true }
	switch tok.kind {
	case personal:
		form := collection.Show(accessTokens.Fields, tok)
		form.Add("active", tok.active(c.now()))
		return &leakedToken{form, revoke}, nil
	case session:
		return &leakedToken{c.userView(tok.user), revoke}, nil
	case jobToken:
		return &leakedToken{object{"job": tok.job.json()}, nil}, nil
	case deploy:
		if t := one(c.svc.deployTokens(nil), func(t *DeployToken) bool { return t.token == tok }); t != nil {
			return &leakedToken{deployTokens.Form(c, nil, t), revoke}, nil
		}
		all := state[shelf[*agent, agentToken]](c.svc)
		if t := all.find(func(t *agentToken) bool { return t.token == tok }); t != nil {
			return &leakedToken{collection.Show(agentTokens.Fields, t), revoke}, nil
		}
	}
	return nil, frame.Unprocessable("Token type not supported.")
}

func getTokenInformation(c *call, found *leakedToken) *reply { return c.OK(found.form) }

func revokeLeakedToken(c *call, found *leakedToken) *reply {
	if found.end == nil {
		return frame.Unprocessable("Unsupported token type")
	}
	found.end()
	return c.NoContent()
}
