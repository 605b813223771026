package servicetest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// authenticate determines the caller and checks that the token suffices. The lock must
// be held.
func (c *call) authenticate() *reply {
	if c.route.openLogin {
		return nil
	}
	tok, given := c.credential()
	switch {
	case !given && c.route.public:
		return nil
	case tok == nil:
		return frame.Unauthorized()
	case !c.usable(tok):
		c.revokeReused(tok)
		return c.unusable(tok)
	case tok.user.barred() != "":
		return frame.Forbidden(tok.user.barred())
	}
	c.token, c.user = tok, tok.user
	tok.usedAt = c.now()
	if refusal := c.checkScopes(); refusal != nil {
		return refusal
	}
	if _, impersonates := tok.home.(*User); impersonates && c.svc.settings.noImpersonation {
		return invalidToken("Token is an impersonation token but impersonation was disabled.")
	}
	return c.sudo()
}

// credential returns the token of the request, or nil if the token is unknown or not
// accepted in that place. given reports whether the request has any credential.
func (c *call) credential() (tok *token, given bool) {
	if secret := either(c.Request.Header.Get("PRIVATE-TOKEN"), c.Query.Get("private_token")); secret != "" {
		return c.svc.tokenOf(secret, personal), true
	}
	if header := c.Request.Header.Get("Authorization"); header != "" {
		if _, password, isBasic := c.Request.BasicAuth(); isBasic && c.route.password {
			return c.svc.tokenOf(password, personal, oauth, jobToken), true
		}
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

// usable reports whether a token is valid, both now and for this route.
func (c *call) usable(tok *token) bool {
	return tok.active(c.now()) && tok.user != nil && (tok.kind != jobToken || c.route.jobToken)
}

// unusable says why a token is not usable. Only access tokens have reasons.
func (c *call) unusable(tok *token) *reply {
	switch {
	case tok.kind != personal && tok.kind != oauth:
		return frame.Unauthorized()
	case tok.expired(c.now()):
		return invalidToken("Token is expired. You can either do re-authorization or token refresh.")
	default:
		return invalidToken("Token was revoked. You have to re-authorize from the user.")
	}
}

func invalidToken(description string) *reply {
	return frame.JSONReply(http.StatusUnauthorized, object{
		"error": "invalid_token", "error_description": description,
	}).Set("Www-Authenticate",
		fmt.Sprintf(`Bearer realm="Protected by OAuth", error="invalid_token", error_description=%q`, description))
}

// checkScopes refuses tokens whose scopes do not cover the route.
func (c *call) checkScopes() *reply {
	if c.token.kind == jobToken || c.token.kind == session {
		return nil
	}
	if c.token.granular != nil {
		return c.checkPermissions()
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
	job     *Job // set for a job token
	scopes  []string
	expires time.Time // zero means never
	revoked bool

	name, description string
	home              any // a *Project or *Group; the *User of an impersonation token; nil for a personal token
	level             AccessLevel
	createdAt         time.Time
	usedAt            time.Time // zero means never
	successor         *token    // the token that replaced it
	granular          []granularScope
	grant             *OAuthGrant // that it is a token of, or nil
}

// A TokenOption sets a property of a token. Name is a TokenOption, too.
type TokenOption interface{ applyToken(t *token) }

type tokenOption func(*token)

func (f tokenOption) applyToken(t *token) { f(t) }

// Scopes sets the scopes of a token: api, read_api, read_user, read_repository,
// write_repository, sudo. By default, a token has api, and also sudo if its
// user is an administrator.
func Scopes(scopes ...string) TokenOption {
	return tokenOption(func(t *token) { t.scopes = slices.Clone(scopes) })
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

// SessionCookie signs a user in to the web application and returns the value of the
// cookie _service_session. Vendor can rename the cookie.
func (s *Service) SessionCookie(user *User) string {
	defer s.lock()()
	return s.issue(session, user, nil).secret
}

// TokenWorks reports whether a credential is still valid.
func (s *Service) TokenWorks(secret string) bool {
	defer s.lock()()
	tok := s.tokens[secret]
	return tok != nil && tok.active(s.now())
}

// active reports whether a token is neither revoked nor expired.
func (t *token) active(now time.Time) bool {
	return !t.revoked && !t.expired(now)
}

func (t *token) expired(now time.Time) bool { return !t.expires.IsZero() && !t.expires.After(now) }

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
	// The name must not contain the secret, because tests search logs for the secret.
	tok.name = fmt.Sprintf("%s %d of %s", prefix, s.issued, owner)
	apply(tok, opts, TokenOption.applyToken)
	s.tokens[tok.secret] = tok
	s.touch(tok)
	return tok
}

// tokenOf returns the token with a secret if it has one of these kinds.
func (s *Service) tokenOf(secret string, kinds ...tokenKind) *token {
	tok := s.tokens[secret]
	if tok == nil || !slices.Contains(kinds, tok.kind) {
		return nil
	}
	return tok
}

// An AccessLevel is a role in a project or group.
type AccessLevel int

// The access levels, with their numbers in the API. Planner exists in newer releases
// only.
const (
	NoAccess      AccessLevel = 0
	MinimalAccess AccessLevel = 5
	Guest         AccessLevel = 10
	Planner       AccessLevel = 15
	Reporter      AccessLevel = 20
	Developer     AccessLevel = 30
	Maintainer    AccessLevel = 40
	Owner         AccessLevel = 50
)

// String returns the name of the level.
func (l AccessLevel) String() string {
	switch l {
	case MinimalAccess:
		return "Minimal Access"
	case Guest:
		return "Guest"
	case Planner:
		return "Planner"
	case Reporter:
		return "Reporter"
	case Developer:
		return "Developer"
	case Maintainer:
		return "Maintainer"
	case Owner:
		return "Owner"
	}
	return "No access"
}

// valid reports whether the API has the level.
func (l AccessLevel) valid() bool { return l == NoAccess || l.String() != "No access" }

// membersLevel returns the role that a user has through members and shares.
func (s *Service) membersLevel(user *User, members *table[*member], shares []share) AccessLevel {
	level := NoAccess
	if m, ok := members.get(user.id); ok && m.counts(s.now()) {
		level = m.level
	}
	for _, sh := range shares {
		if sh.ended(s.now()) {
			continue
		}
		if m, ok := sh.group.members.get(user.id); ok && m.counts(s.now()) {
			level = max(level, min(m.level, sh.level))
		}
	}
	return level
}

// groupLevel returns the role of a user in a group, including inherited roles.
// Administrators are owners everywhere. A nil user is a caller without
// credentials.
func (s *Service) groupLevel(user *User, group *Group) AccessLevel {
	if user == nil {
		return NoAccess
	}
	if user.admin {
		return Owner
	}
	return s.groupMembership(user, group)
}

// groupMembership is like groupLevel, but an administrator who is not a member
// has no role.
func (s *Service) groupMembership(user *User, group *Group) AccessLevel {
	level := NoAccess
	for g := group; g != nil && user != nil; g = g.parent {
		level = max(level, s.membersLevel(user, &g.members, g.shares))
	}
	return level
}

// projectLevel returns the role of a user in a project, including inherited
// roles.
func (s *Service) projectLevel(user *User, project *Project) AccessLevel {
	switch {
	case user == nil:
		return NoAccess
	case user.admin:
		return Owner
	}
	return s.projectMembership(user, project)
}

// projectMembership is like projectLevel, but only members have a role.
func (s *Service) projectMembership(user *User, project *Project) AccessLevel {
	switch {
	case user == nil:
		return NoAccess
	case project.owner == user:
		return Owner
	}
	return max(s.membersLevel(user, &project.members, project.shares), s.groupMembership(user, project.group))
}

// canSeeProject reports whether a user can see that a project exists.
func (s *Service) canSeeProject(user *User, project *Project) bool {
	return shows(project.visibility, user) || s.projectLevel(user, project) >= Guest
}

// canSeeGroup reports whether a user can see that a group exists. Members of
// its subgroups and projects can see it, too.
func (s *Service) canSeeGroup(user *User, group *Group) bool {
	if shows(group.visibility, user) || s.groupLevel(user, group) > NoAccess {
		return true
	}
	if user == nil {
		return false
	}
	for i := range s.groups.len() {
		if g := s.groups.at(i); g.within(group) && s.membersLevel(user, &g.members, g.shares) >= Guest {
			return true
		}
	}
	for i := range s.projects.len() {
		if p := s.projects.at(i); p.within(group) && s.membersLevel(user, &p.members, p.shares) >= Guest {
			return true
		}
	}
	return false
}

// shows reports whether a user can see something of this visibility without being a
// member.
func shows(visibility string, user *User) bool {
	switch visibility {
	case "public":
		return true
	case "internal":
		return user != nil && !user.external
	}
	return false
}

// readOnlyWhenArchived lists the parts of an archived project that cannot be changed,
// by the segment of the path after the project. The project itself can be changed,
// moved, unarchived and deleted.
var readOnlyWhenArchived = map[string]bool{
	"access_requests":                true,
	"alert_management_alerts":        true,
	"approval_rules":                 true,
	"approvals":                      true,
	"artifacts":                      true,
	"boards":                         true,
	"badges":                         true,
	"catalog":                        true,
	"ci":                             true,
	"cluster_agents":                 true,
	"deploy_keys":                    true,
	"deploy_tokens":                  true,
	"deployments":                    true,
	"environments":                   true,
	"error_tracking":                 true,
	"feature_flags":                  true,
	"feature_flags_user_lists":       true,
	"freeze_periods":                 true,
	"external_status_checks":         true,
	"housekeeping":                   true,
	"import_project_members":         true,
	"invitations":                    true,
	"issues":                         true,
	"job_token_scope":                true,
	"jobs":                           true,
	"labels":                         true,
	"members":                        true,
	"merge_request_approval_setting": true,
	"merge_requests":                 true,
	"merge_trains":                   true,
	"milestones":                     true,
	"mirror":                         true,
	"packages":                       true,
	"pages":                          true,
	"pipeline":                       true,
	"pipeline_schedules":             true,
	"pipelines":                      true,
	"protected_branches":             true,
	"protected_environments":         true,
	"protected_tags":                 true,
	"push_rule":                      true,
	"registry":                       true,
	"releases":                       true,
	"remote_mirrors":                 true,
	"repository":                     true,
	"repository_size":                true,
	"resource_groups":                true,
	"secure_files":                   true,
	"security_settings":              true,
	"snippets":                       true,
	"statuses":                       true,
	"terraform":                      true,
	"triggers":                       true,
	"uploads":                        true,
	"variables":                      true,
	"vulnerabilities":                true,
	"wiki_pages":                     true,
	"wikis":                          true,
}

// projectNotArchived refuses to change parts of an archived project.
func (c *call) projectNotArchived() *reply {
	if !c.route.writes() || !readOnlyWhenArchived[c.area()] {
		return nil
	}
	project := c.pathProject()
	if project == nil || !project.archived && !project.group.isArchived() || !c.svc.canSeeProject(c.user, project) {
		return nil
	}
	return frame.Forbidden("")
}
