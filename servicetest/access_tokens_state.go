package servicetest

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// tokenScopes are the scopes that tokens can be created with.
var tokenScopes = []string{
	"api", "read_api", "read_user", "read_repository", "write_repository", "read_registry", "write_registry", "sudo",
	"create_runner", "manage_runner", "self_rotate",
}

// accessTokens returns the tokens for which keep reports true in ascending
// order of ID.
func (s *Service) accessTokens(keep func(*token) bool) []*token {
	var found []*token
	for _, tok := range s.tokens {
		if tok.kind == personal && keep(tok) {
			found = append(found, tok)
		}
	}
	slices.SortFunc(found, func(a, b *token) int { return cmp.Compare(a.id, b.id) })
	return found
}

// accessToken returns the token with an ID for which keep reports true, or nil
// if there is none.
func (s *Service) accessToken(id int64, keep func(*token) bool) *token {
	found := s.accessTokens(func(tok *token) bool { return tok.id == id && keep(tok) })
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// revokeTokensOf revokes the tokens of a project or a group that is being
// deleted.
func (s *Service) revokeTokensOf(home any) {
	for _, tok := range s.accessTokens(func(tok *token) bool { return tok.home == home }) {
		tok.revoked = true
	}
}

// rotate replaces a token with one of the same name and scopes.
func (s *Service) rotate(old *token, expires time.Time) *token {
	made := s.issue(personal, old.user, nil)
	made.name, made.description, made.scopes = old.name, old.description, old.scopes
	made.home, made.level, made.expires = old.home, old.level, expires
	old.revoked, old.successor = true, made
	return made
}

// json returns the JSON of a token.
func (t *token) json(now time.Time) object {
	form := object{
		"id": t.id, "name": t.name, "description": jsonText(t.description), "revoked": t.revoked, "active": t.active(now),
		"created_at": jsonTime(t.createdAt), "scopes": t.scopes, "user_id": t.user.id,
		"last_used_at": jsonTime(t.usedAt), "expires_at": jsonDate(t.expires),
	}
	if t.home != nil {
		form["access_level"] = t.level
	}
	return form
}

// issuedJSON is like json, with the token itself.
func (t *token) issuedJSON(now time.Time) object {
	form := t.json(now)
	form["token"] = t.secret
	return form
}

// tokenFilters returns the filter that a call asks for.
func (c *call) tokenFilters() func(*token) bool {
	state, search := c.OneOf("state", "active", "inactive"), strings.ToLower(c.Str("search"))
	revoked := c.Bool("revoked", false)
	createdAfter, createdBefore := c.Time("created_after"), c.Time("created_before")
	usedAfter, usedBefore := c.Time("last_used_after"), c.Time("last_used_before")
	expiresAfter, expiresBefore := c.Time("expires_after"), c.Time("expires_before")
	return func(t *token) bool {
		used := usedAfter.IsZero() && usedBefore.IsZero() || !t.usedAt.IsZero() && between(t.usedAt, usedAfter, usedBefore)
		expires := expiresAfter.IsZero() && expiresBefore.IsZero() || !t.expires.IsZero() && between(t.expires, expiresAfter, expiresBefore)
		return (state == "" || t.active(c.now()) == (state == "active")) && (!c.Has("revoked") || t.revoked == revoked) &&
			strings.Contains(strings.ToLower(t.name), search) && between(t.createdAt, createdAfter, createdBefore) && used && expires
	}
}

// sortTokens sorts tokens in the order that the call asks for, by default by
// ID.
func (c *call) sortTokens(tokens []*token) {
	by, direction, _ := cutLast(c.OneOf("sort", "created_asc", "created_desc", "expires_asc", "expires_desc",
		"last_used_asc", "last_used_desc", "name_asc", "name_desc"), "_")
	slices.SortStableFunc(tokens, func(a, b *token) int {
		switch by {
		case "created":
			return cmp.Or(a.createdAt.Compare(b.createdAt), cmp.Compare(a.id, b.id))
		case "expires":
			return a.expires.Compare(b.expires)
		case "last_used":
			return a.usedAt.Compare(b.usedAt)
		case "name":
			return cmp.Compare(a.name, b.name)
		}
		return cmp.Compare(a.id, b.id)
	})
	if direction == "desc" {
		slices.Reverse(tokens)
	}
}

// cutLast is like strings.Cut, at the last occurrence of the separator.
func cutLast(text, at string) (before, after string, found bool) {
	i := strings.LastIndex(text, at)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(at):], true
}
