package servicetest

import (
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
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
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return frame.ListOf(c, found, func(tok *token) object { return tok.json(c.now()) })
}

// listPersonalTokens lists the caller's tokens, or for administrators the
// tokens of all users.
func listPersonalTokens(c *call) *reply {
	id := c.Int64("user_id")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if id != 0 && id != c.user.id && !c.admin() {
		return frame.Unauthorized()
	}
	return c.tokenPage(func(tok *token) bool {
		return tok.home == nil && (id == 0 || tok.user.id == id) && (c.admin() || tok.user == c.user)
	})
}

// getOwnToken returns the token that the call was made with.
func getOwnToken(c *call) *reply {
	if c.token.kind != personal {
		return frame.Unauthorized()
	}
	return c.OK(c.token.json(c.now()))
}

// personalToken returns the token of the path, which must be the caller's own
// unless the caller is an administrator.
func (c *call) personalToken() (*token, *reply) {
	tok := c.svc.accessToken(c.PathID("id"), func(tok *token) bool { return c.admin() || tok.user == c.user })
	switch {
	case tok != nil:
		return tok, nil
	case c.admin():
		return nil, frame.NotFound("Token")
	}
	return nil, frame.Unauthorized()
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
	return c.NoContent()
}

// createUserToken makes a personal token of any user.
func createUserToken(c *call) *reply {
	user, ok := c.svc.users.get(c.PathID("user_id"))
	if !ok {
		return frame.NotFound("User")
	}
	made := c.tokenDraft()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if len(made.scopes) == 0 {
		return frame.Unprocessable("Scopes can't be blank")
	}
	return c.issued(c.svc.issue(personal, user, nil), made)
}

// tokenDraft reads the parameters of a new token.
func (c *call) tokenDraft() *token {
	c.Require("name", "scopes")
	draft := &token{
		name: c.Str("name"), description: c.Str("description"), scopes: c.ManyOf("scopes", tokenScopes...), expires: c.Time("expires_at"),
	}
	if !draft.expires.IsZero() && !draft.expires.After(c.now()) {
		c.Problem("expires_at must be in the future")
	}
	return draft
}

// issued completes a new token and returns it.
func (c *call) issued(tok, draft *token) *reply {
	tok.name, tok.description, tok.scopes, tok.expires = draft.name, draft.description, draft.scopes, draft.expires
	return c.Created(tok.issuedJSON(c.now()))
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
	if c.Has("access_level") {
		level = AccessLevel(c.Int64("access_level"))
	}
	if !slices.Contains([]AccessLevel{Guest, Planner, Reporter, Developer, Maintainer, Owner}, level) {
		c.Problem("access_level does not have a valid value")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if len(draft.scopes) == 0 {
		return frame.BadRequest("Scopes can't be blank")
	}
	if level > c.levelIn(home) {
		return frame.BadRequest("User does not have permission to create a token with this role")
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
	tok := c.svc.accessToken(c.PathID("token_id"), func(tok *token) bool { return tok.home == home })
	if tok == nil {
		return nil, frame.NotFound("Could not find access token with token_id: " + c.PathText("token_id"))
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
	return c.NoContent()
}

// rotatedFor is how long a rotated token is valid by default.
const rotatedFor = 7 * 24 * time.Hour

// rotate replaces a token and returns the new one.
func (c *call) rotate(tok *token) *reply {
	expires := c.Time("expires_at")
	if !expires.IsZero() && !expires.After(c.now()) {
		c.Problem("expires_at must be in the future")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if tok.revoked {
		return frame.BadRequest("token already revoked")
	}
	if expires.IsZero() {
		expires = c.now().Add(rotatedFor).Truncate(24 * time.Hour)
	}
	return c.OK(c.svc.rotate(tok, expires).issuedJSON(c.now()))
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
