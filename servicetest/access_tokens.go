package servicetest

import (
	"slices"
	"strings"
	"time"
)

// tokenHome returns the project or the group of the path.
func (c *call) tokenHome() (any, *reply) {
	if strings.Contains(c.route.template, "/groups/") {
		group, refusal := c.group()
		return group, refusal
	}
	project, refusal := c.project()
	return project, refusal
}

// tokenPage returns one page of the tokens that the call asks for.
func (c *call) tokenPage(within func(*token) bool) *reply {
	wanted := c.tokenFilters()
	found := c.svc.accessTokens(func(tok *token) bool { return within(tok) && wanted(tok) })
	c.sortTokens(found)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	return listOf(c, found, func(tok *token) object { return tok.json(c.now()) })
}

// listPersonalTokens lists the caller's tokens, or for administrators the
// tokens of all users.
func listPersonalTokens(c *call) *reply {
	id := c.int64("user_id")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if id != 0 && id != c.user.id && !c.admin() {
		return unauthorized()
	}
	return c.tokenPage(func(tok *token) bool {
		return tok.home == nil && (id == 0 || tok.user.id == id) && (c.admin() || tok.user == c.user)
	})
}

// getOwnToken returns the token that the call was made with.
func getOwnToken(c *call) *reply {
	if c.token.kind != personal {
		return unauthorized()
	}
	return c.ok(c.token.json(c.now()))
}

// personalToken returns the token of the path, which must be the caller's own
// unless the caller is an administrator.
func (c *call) personalToken() (*token, *reply) {
	tok := c.svc.accessToken(c.pathID("id"), func(tok *token) bool { return c.admin() || tok.user == c.user })
	switch {
	case tok != nil:
		return tok, nil
	case c.admin():
		return nil, notFound("Token")
	}
	return nil, unauthorized()
}

func rotatePersonalToken(c *call) *reply {
	tok, refusal := c.personalToken()
	if refusal != nil {
		return refusal
	}
	return c.rotate(tok)
}

func revokePersonalToken(c *call) *reply {
	tok, refusal := c.personalToken()
	if refusal != nil {
		return refusal
	}
	tok.revoked = true
	return c.noContent()
}

// createUserToken makes a personal token of any user.
func createUserToken(c *call) *reply {
	user, ok := c.svc.users.get(c.pathID("user_id"))
	if !ok {
		return notFound("User")
	}
	made := c.tokenDraft()
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if len(made.scopes) == 0 {
		return unprocessable("Scopes can't be blank")
	}
	return c.issued(c.svc.issue(personal, user, nil), made)
}

// tokenDraft reads the parameters of a new token.
func (c *call) tokenDraft() *token {
	c.require("name", "scopes")
	draft := &token{
		name: c.str("name"), description: c.str("description"), scopes: c.manyOf("scopes", tokenScopes...), expires: c.time("expires_at"),
	}
	if !draft.expires.IsZero() && !draft.expires.After(c.now()) {
		c.problem("expires_at must be in the future")
	}
	return draft
}

// issued completes a new token and returns it.
func (c *call) issued(tok, draft *token) *reply {
	tok.name, tok.description, tok.scopes, tok.expires = draft.name, draft.description, draft.scopes, draft.expires
	return c.created(tok.issuedJSON(c.now()))
}

// listTokens lists the tokens of a project or a group.
func listTokens(c *call) *reply {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return refusal
	}
	return c.tokenPage(func(tok *token) bool { return tok.home == home })
}

// createToken makes a token of a project or a group.
func createToken(c *call) *reply {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return refusal
	}
	draft := c.tokenDraft()
	level := Maintainer
	if c.has("access_level") {
		level = AccessLevel(c.int64("access_level"))
	}
	if !slices.Contains([]AccessLevel{Guest, Planner, Reporter, Developer, Maintainer, Owner}, level) {
		c.problem("access_level does not have a valid value")
	}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if len(draft.scopes) == 0 {
		return badRequest("Scopes can't be blank")
	}
	if level > c.levelIn(home) {
		return badRequest("User does not have permission to create a token with this role")
	}
	return c.issued(c.svc.issueFor(home, level, nil), draft)
}

// levelIn returns the caller's role in a project or a group.
func (c *call) levelIn(home any) AccessLevel {
	if project, ok := home.(*Project); ok {
		return c.svc.projectLevel(c.user, project)
	}
	return c.svc.groupLevel(c.user, home.(*Group))
}

// homeToken returns the token of the path, which must be one of a project or a
// group.
func (c *call) homeToken() (*token, *reply) {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return nil, refusal
	}
	tok := c.svc.accessToken(c.pathID("token_id"), func(tok *token) bool { return tok.home == home })
	if tok == nil {
		return nil, notFound("Could not find access token with token_id: " + c.pathText("token_id"))
	}
	return tok, nil
}

func rotateToken(c *call) *reply {
	tok, refusal := c.homeToken()
	if refusal != nil {
		return refusal
	}
	return c.rotate(tok)
}

// revokeToken revokes a token of a project or a group. Its bot is then no
// longer a member.
func revokeToken(c *call) *reply {
	tok, refusal := c.homeToken()
	if refusal != nil {
		return refusal
	}
	tok.revoked = true
	members, _ := c.svc.homeOfToken(tok.home)
	members.remove(tok.user.id)
	return c.noContent()
}

// rotatedFor is how long a rotated token is valid by default.
const rotatedFor = 7 * 24 * time.Hour

// rotate replaces a token and returns the new one.
func (c *call) rotate(tok *token) *reply {
	expires := c.time("expires_at")
	if !expires.IsZero() && !expires.After(c.now()) {
		c.problem("expires_at must be in the future")
	}
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if tok.revoked {
		return badRequest("token already revoked")
	}
	if expires.IsZero() {
		expires = c.now().Add(rotatedFor).Truncate(24 * time.Hour)
	}
	return c.ok(c.svc.rotate(tok, expires).issuedJSON(c.now()))
}

// revokeReused revokes the successors of a token that was replaced by a
// rotation and is now used for another rotation: it may have been stolen.
func (c *call) revokeReused(tok *token) {
	if tok == nil || !strings.HasSuffix(c.route.template, "/rotate") {
		return
	}
	for next := tok.successor; next != nil; next = next.successor {
		next.revoked = true
	}
}
