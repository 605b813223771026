package servicetest

import (
	"fmt"
	"slices"
	"time"
)

type tokenKind int

const (
	personal tokenKind = iota
	oauth
	jobToken
	session
	deploy
)

// A token is a credential that the service issued.
type token struct {
	id      int64
	secret  string
	kind    tokenKind
	user    *User
	job     *Job // of a job token
	scopes  []string
	expires time.Time // zero means never
	revoked bool

	name, description string
	home              any // the *Project or *Group that owns the token; nil for a personal one
	level             AccessLevel
	createdAt         time.Time
	usedAt            time.Time // zero means never
	successor         *token    // that replaced it
}

// A TokenOption sets a property of a token. Name is a TokenOption, too.
type TokenOption interface{ applyToken(t *token) }

type tokenOption func(*token)

func (f tokenOption) applyToken(t *token) { f(t) }

// Scopes sets the scopes of a token: api, read_api, read_user, read_repository,
// write_repository, sudo. By default, a token has api, and also sudo if its
// user is an administrator.
func Scopes(scopes ...string) TokenOption {
	return tokenOption(func(t *token) { t.scopes = scopes })
}

// ExpiresAt sets when a token expires, by the service's clock. By default, it
// does not.
func ExpiresAt(at time.Time) TokenOption {
	return tokenOption(func(t *token) { t.expires = at })
}

func (o NameOption) applyToken(t *token) { t.name = string(o) }

// Token issues a personal access token, to be sent in PRIVATE-TOKEN or as a
// bearer token. Impersonation tokens work in the same way.
func (s *Service) Token(user *User, opts ...TokenOption) string {
	defer s.lock()()
	return s.issue(personal, user, opts).secret
}

// OAuthToken issues an OAuth2 access token, to be sent as a bearer token.
func (s *Service) OAuthToken(user *User, opts ...TokenOption) string {
	defer s.lock()()
	return s.issue(oauth, user, opts).secret
}

// SessionCookie signs a user in to the web interface and returns the value of
// the cookie _service_session, which Vendor renames.
func (s *Service) SessionCookie(user *User) string {
	defer s.lock()()
	return s.issue(session, user, nil).secret
}

// DeployToken issues a deploy token of a project, which this API refuses.
func (s *Service) DeployToken(project *Project) string {
	defer s.lock()()
	return s.issue(deploy, nil, nil).secret
}

// TokenWorks reports whether a credential is still valid.
func (s *Service) TokenWorks(secret string) bool {
	defer s.lock()()
	tok := s.tokens[secret]
	return tok != nil && tok.active(s.now())
}

// active reports whether a token is neither revoked nor expired.
func (t *token) active(now time.Time) bool {
	return !t.revoked && (t.expires.IsZero() || t.expires.After(now))
}

// Revoke makes a credential of any kind invalid at once.
func (s *Service) Revoke(secret string) {
	defer s.lock()()
	if tok := s.tokens[secret]; tok != nil {
		tok.revoked = true
	}
}

// AccessToken issues a project access token: a personal token of a bot user
// that has a role in the project.
func (p *Project) AccessToken(level AccessLevel, opts ...TokenOption) string {
	defer p.svc.lock()()
	return p.svc.issueFor(p, level, opts).secret
}

// AccessToken issues a group access token: a personal token of a bot user that
// has a role in the group.
func (g *Group) AccessToken(level AccessLevel, opts ...TokenOption) string {
	defer g.svc.lock()()
	return g.svc.issueFor(g, level, opts).secret
}

// issueFor makes a token of a project or a group, and the bot that it belongs
// to.
func (s *Service) issueFor(home any, level AccessLevel, opts []TokenOption) *token {
	members, name := s.homeOfToken(home)
	bot := s.newBot(name)
	s.addMember(members, bot, level)
	tok := s.issue(personal, bot, opts)
	tok.home, tok.level = home, level
	return tok
}

// homeOfToken returns the members of a project or a group, and the name of its
// bots.
func (s *Service) homeOfToken(home any) (*table[*member], string) {
	switch of := home.(type) {
	case *Project:
		return &of.members, fmt.Sprintf("project_%d_bot", of.id)
	case *Group:
		return &of.members, fmt.Sprintf("group_%d_bot", of.id)
	}
	panic("servicetest: tokens are of projects and groups")
}

func (s *Service) newBot(username string) *User {
	for n := 1; s.findUser(username) != nil; n++ {
		username = fmt.Sprintf("%s%d", username, n)
	}
	return s.newUser(username, []UserOption{Bot()})
}

// issue makes a token with a predictable secret: token-1-root, token-2-ada.
func (s *Service) issue(kind tokenKind, user *User, opts []TokenOption) *token {
	s.issued++
	tok := &token{id: int64(s.issued), kind: kind, user: user, scopes: []string{"api"}, createdAt: s.now()}
	owner := "deploy"
	if user != nil {
		owner = user.username
		if user.admin {
			tok.scopes = []string{"api", "sudo"}
		}
	}
	prefix := map[tokenKind]string{oauth: "oauth", jobToken: "job", session: "session"}[kind]
	if prefix == "" {
		prefix = "token"
	}
	tok.secret = fmt.Sprintf("%s-%d-%s", prefix, s.issued, owner)
	// A test that looks for the secret in a log must not find the name.
	tok.name = fmt.Sprintf("%s %d of %s", prefix, s.issued, owner)
	for _, opt := range opts {
		opt.applyToken(tok)
	}
	s.tokens[tok.secret] = tok
	return tok
}

// tokenOf returns the token with a secret, if it is of one of these kinds.
func (s *Service) tokenOf(secret string, kinds ...tokenKind) *token {
	tok := s.tokens[secret]
	if tok == nil || !slices.Contains(kinds, tok.kind) {
		return nil
	}
	return tok
}
