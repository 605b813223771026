package servicetest

import (
	"cmp"
	"slices"
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
