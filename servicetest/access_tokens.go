package servicetest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// tokenHome returns the project or the group of the path, or the user of an
// impersonation token.
func (c *call) tokenHome() (any, *reply) {
	switch {
	case strings.Contains(c.route.template, "/groups/"):
		return c.group()
	case strings.Contains(c.route.template, "/projects/"):
		return c.project()
	}
	return c.pathUser()
}

// accessTokens are the tokens of a project or a group, or, with nil, those of users.
var accessTokens = collection.Table[*call, any, token]{
	Home: (*call).tokenHome,
	Records: func(c *call, home any) []*token {
		return c.svc.accessTokens(func(t *token) bool { return t.home == home && !t.user.gone })
	},
	Fields: []collection.Field[token]{
		collection.Shown("id", func(t *token) int64 { return t.id }),
		collection.Text("name", func(t *token) *string { return &t.name }).Required(),
		collection.Note("description", func(t *token) *string { return &t.description }).Max(255),
		collection.Choices("scopes", func(t *token) *[]string { return &t.scopes }, tokenScopes...).Required(),
		collection.Shown("revoked", func(t *token) bool { return t.revoked }),
		collection.Shown("user_id", func(t *token) int64 { return t.user.id }),
		collection.Moment("created_at", func(t *token) *time.Time { return &t.createdAt }).ReadOnly(),
		collection.Moment("last_used_at", func(t *token) *time.Time { return &t.usedAt }).ReadOnly(),
		collection.Day("expires_at", func(t *token) *time.Time { return &t.expires }),
	},
	Filters: []collection.Filter[token]{
		tokenState("active", "inactive"),
		collection.Is("revoked", func(t *token) bool { return t.revoked }),
		collection.Search("search", func(t *token) string { return t.name }),
		collection.Span("created_after", "created_before", func(t *token) time.Time { return t.createdAt }),
		collection.Span("last_used_after", "last_used_before", func(t *token) time.Time { return t.usedAt }),
		collection.Span("expires_after", "expires_before", func(t *token) time.Time { return t.expires }),
	},
	Orders: []collection.Order[token]{
		{Name: "created", Compare: func(a, b *token) int { return a.createdAt.Compare(b.createdAt) }},
		{Name: "expires", Compare: func(a, b *token) int { return a.expires.Compare(b.expires) }},
		{Name: "last_used", Compare: func(a, b *token) int { return a.usedAt.Compare(b.usedAt) }},
		{Name: "name", Compare: func(a, b *token) int { return cmp.Compare(a.name, b.name) }},
	},
	New:  func(*call, any) *token { return &token{level: Maintainer} },
	Read: (*call).readToken,
	Extra: func(c *call, _ any, t *token, form *collection.Form) {
		form.Add("active", t.active(c.now()))
		if t.granular != nil {
			form.Add("granular", true)
			form.Add("granular_scopes", t.granular)
		}
		switch home := t.home.(type) {
		case *User:
			form.Add("impersonation", true)
		case *Project:
			form.Add("access_level", t.level)
			form.Add("resource_type", "project")
			form.Add("resource_id", home.id)
		case *Group:
			form.Add("access_level", t.level)
			form.Add("resource_type", "group")
			form.Add("resource_id", home.id)
		}
	},
}

// impersonationTokens are the tokens that let administrators act as a user.
var impersonationTokens = func() collection.Table[*call, any, token] {
	table := accessTokens
	table.Name, table.Param = "Impersonation Token", "id"
	table.ID = func(t *token) int64 { return t.id }
	table.Filters, table.Orders = []collection.Filter[token]{tokenState("all", "active", "inactive")}, nil
	table.Remove = func(_ *call, _ any, t *token) { t.revoked = true }
	return table
}()

// tokenState is the filter of the active or the inactive tokens.
func tokenState(values ...string) collection.Filter[token] {
	return func(f frame.Fields) func(*token) bool {
		wanted := f.StringIn("state", values...)
		if wanted == "" || wanted == "all" {
			return nil
		}
		return func(t *token) bool { return t.active(t.user.svc.now()) == (wanted == "active") }
	}
}

func (c *call) readToken(home any, draft *token, _ bool) {
	if !draft.expires.IsZero() && !draft.expires.After(c.now()) {
		c.Problem("expires_at must be in the future")
	}
	if _, ofUser := home.(*User); ofUser || home == nil {
		return
	}
	if c.Has("access_level") {
		draft.level = AccessLevel(c.Int64("access_level"))
	}
	if !slices.Contains([]AccessLevel{Guest, Planner, Reporter, Developer, Maintainer, Owner}, draft.level) {
		c.Problem("access_level does not have a valid value")
	}
}

// listPersonalTokens lists the caller's tokens or, for administrators, those of all
// users.
func listPersonalTokens(c *call) *reply {
	id := c.Int64("user_id")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if id != 0 && id != c.user.id && !c.admin() {
		return frame.Unauthorized()
	}
	return accessTokens.Page(c, nil, c.svc.accessTokens(func(tok *token) bool {
		return tok.home == nil && (id == 0 || tok.user.id == id) && (c.admin() || tok.user == c.user)
	}))
}

// ownToken returns the token that the call uses. It refuses other kinds of credentials.
func (c *call) ownToken() (*token, *reply) {
	if c.token.kind != personal {
		return nil, frame.BadRequest("This endpoint requires token type to be a personal access token")
	}
	return c.token, nil
}

// rotateOwnToken replaces the token that the call uses.
func rotateOwnToken(c *call) *reply {
	if c.token.kind != personal {
		return notAllowed()
	}
	return c.rotate(c.token)
}

// rotateOwnTokenIn is like rotateOwnToken, for a token of the project or the group of the path.
func rotateOwnTokenIn(c *call) *reply {
	home, refusal := c.tokenHome()
	_, ofUser := c.token.home.(*User)
	frame.Accept(c.Time, "expires_at")
	switch {
	case refusal != nil:
		return refusal
	case c.Refusal() != nil:
		return c.Refusal()
	case c.token.kind != personal || c.token.home == nil || ofUser:
		return notAllowed()
	case c.token.home != home:
		return frame.Unauthorized()
	}
	return c.rotate(c.token)
}

// listTokenAssociations lists groups and projects where the user of the token has a role. Each
// page has some of both.
func listTokenAssociations(c *call, _ *token) *reply {
	least := max(AccessLevel(c.Int64("min_access_level")), MinimalAccess)
	groups := c.svc.groups.all(func(g *Group) bool { return c.svc.groupMembership(c.user, g) >= least })
	projects := c.svc.projects.all(func(p *Project) bool { return c.svc.projectMembership(c.user, p) >= least })
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	form := object{
		"groups":   mapped(frame.Cut(c, groups), c.associatedGroup),
		"projects": mapped(frame.Cut(c, projects), c.associatedProject),
	}
	return c.Paged(form, len(projects))
}

func (c *call) associatedGroup(g *Group) object {
	return object{
		"id": g.id, "name": g.name, "web_url": g.webURL(), "parent_id": idOf(g.parent), "organization_id": 1,
		"access_levels": c.svc.groupMembership(c.user, g), "visibility": g.visibility,
	}
}

func (c *call) associatedProject(p *Project) object {
	level := func(level AccessLevel) any {
		if level == NoAccess {
			return nil
		}
		return level
	}
	s := p.summary()
	return object{
		"id": s.ID, "description": s.Description, "name": s.Name, "name_with_namespace": s.NameWithNamespace,
		"path": s.Path, "path_with_namespace": s.PathWithNamespace, "created_at": s.CreatedAt,
		"web_url": p.webURL(), "visibility": p.visibility, "namespace": p.namespaceForm(),
		"access_levels": object{
			"project_access_level": level(c.svc.membersLevel(c.user, &p.members, nil)),
			"group_access_level":   level(c.svc.groupMembership(c.user, p.group)),
		},
	}
}

// personalToken returns the token of the path. Only administrators may name another
// user's token.
func (c *call) personalToken() (*token, *reply) {
	tok := c.svc.accessToken(c.PathInt64("id"), func(tok *token) bool { return c.admin() || tok.user == c.user })
	switch {
	case tok != nil:
		return tok, nil
	case c.admin():
		return nil, frame.NotFound("Token")
	}
	return nil, frame.Unauthorized()
}

func revokePersonalToken(c *call, tok *token) *reply {
	tok.revoked = true
	return c.NoContent()
}

// createUserToken makes a personal token or an impersonation token for any user.
func createUserToken(c *call, user *User) *reply {
	if strings.HasSuffix(c.route.template, "/impersonation_tokens") {
		return c.issueTo(user, user)
	}
	return c.issueTo(user, nil)
}

// createOwnToken makes a personal token for the caller. Only a few scopes are allowed.
func createOwnToken(c *call) *reply {
	if !c.Given("granular_scopes") {
		frame.AcceptIn(c.StringsIn, "scopes", "k8s_proxy", "self_rotate")
	}
	return c.issueTo(c.user, nil)
}

// tokenLife is the default lifetime of a service account's token.
const tokenLife = 365 * 24 * time.Hour

// issueTo issues a token to a user, and returns it.
func (c *call) issueTo(user *User, home any) *reply {
	granular, refusal := c.granularScopes(user)
	if refusal != nil {
		return refusal
	}
	draft, refusal := accessTokens.DraftIn(c, home)
	if refusal != nil {
		return refusal
	}
	if draft.granular = granular; granular != nil {
		draft.scopes = []string{"granular"}
	}
	if len(draft.scopes) == 0 {
		return frame.Unprocessable("Scopes can't be blank")
	}
	if user.accountOf != nil && draft.expires.IsZero() {
		draft.expires = c.now().Add(tokenLife).Truncate(24 * time.Hour)
	}
	made := c.svc.issue(personal, user, nil)
	made.home = home
	return c.issued(made, draft)
}

// issued completes a new token and returns it.
func (c *call) issued(tok, draft *token) *reply {
	tok.name, tok.description, tok.scopes, tok.expires = draft.name, draft.description, draft.scopes, draft.expires
	tok.granular = draft.granular
	return c.Created(c.issuedForm(tok))
}

// issuedForm returns the JSON of a token, including the secret.
func (c *call) issuedForm(tok *token) *collection.Form {
	form := accessTokens.Form(c, tok.home, tok)
	form.Add("token", tok.secret)
	return form
}

// createToken makes a token for a project or a group.
func createToken(c *call, home any, draft *token) *reply {
	if len(draft.scopes) == 0 {
		return frame.BadRequest("Scopes can't be blank")
	}
	if draft.level > c.levelIn(home) {
		return frame.BadRequest("User does not have permission to create a token with this role")
	}
	return c.issued(c.svc.issueFor(home, draft.level, nil), draft)
}

// levelIn returns the caller's role in a project or a group.
func (c *call) levelIn(home any) AccessLevel {
	if project, ok := home.(*Project); ok {
		return c.svc.projectLevel(c.user, project)
	}
	return c.svc.groupLevel(c.user, home.(*Group))
}

// homeToken returns the token of the path, which must belong to a project or a group.
func (c *call) homeToken() (*token, *reply) {
	home, refusal := c.tokenHome()
	if refusal != nil {
		return nil, refusal
	}
	tok := c.svc.accessToken(c.PathInt64("token_id"), func(tok *token) bool { return tok.home == home })
	if tok == nil || tok.user.gone {
		kind := "project"
		if _, ofGroup := home.(*Group); ofGroup {
			kind = "group"
		}
		return nil, frame.NotFound(kind + " Access Token")
	}
	return tok, nil
}

func getToken(c *call, tok *token) *reply { return c.OK(accessTokens.Form(c, tok.home, tok)) }

// revokeToken revokes a token of a project or a group. It also deletes the token's bot,
// unless a rotation has given the bot a newer token.
func revokeToken(c *call, tok *token) *reply {
	tok.revoked = true
	others := c.svc.accessTokens(func(t *token) bool { return t.user == tok.user && t.active(c.now()) })
	if len(others) == 0 {
		c.svc.removeUser(tok.user, false)
	}
	return c.NoContent()
}

// rotatedFor is the default lifetime of a rotated token.
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
	return c.OK(c.issuedForm(c.svc.rotate(tok, expires)))
}

// revokeReused handles a second rotation of the same token. Somebody may have stolen
// the token, so its successors are revoked.
func (c *call) revokeReused(tok *token) {
	if tok == nil || !strings.HasSuffix(c.route.template, "/rotate") {
		return
	}
	for next := tok.successor; next != nil; next = next.successor {
		next.revoked = true
	}
}

// tokenScopes are the scopes that tokens can be created with.
var tokenScopes = []string{
	"api", "read_api", "read_user", "read_repository", "write_repository", "read_registry", "write_registry", "sudo",
	"create_runner", "manage_runner", "self_rotate", "k8s_proxy",
}

// accessTokens returns the tokens that keep accepts, in ascending order of ID.
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

// accessToken returns the token with an ID if keep accepts it, and nil otherwise.
func (s *Service) accessToken(id int64, keep func(*token) bool) *token {
	return first(s.accessTokens(func(tok *token) bool { return tok.id == id && keep(tok) }))
}

// revokeTokensOf revokes the tokens of a project or a group that is being
// deleted, and deletes its service accounts.
func (s *Service) revokeTokensOf(home any) {
	for _, tok := range s.accessTokens(func(tok *token) bool { return tok.home == home }) {
		tok.revoked = true
	}
	for _, tok := range s.deployTokens(home) {
		tok.remove()
	}
	for _, account := range s.users.all(func(u *User) bool { return u.accountOf == home }) {
		s.removeUser(account, false)
	}
}

// rotate replaces a token with one of the same name and scopes.
func (s *Service) rotate(old *token, expires time.Time) *token {
	made := s.issue(personal, old.user, nil)
	made.name, made.description, made.scopes = old.name, old.description, old.scopes
	made.home, made.level, made.expires, made.granular = old.home, old.level, expires, old.granular
	old.revoked, old.successor = true, made
	return made
}

// A granularScope are permissions of a token for one group or project, or for what access says.
type granularScope struct {
	Access      string   `json:"access"`
	Permissions []string `json:"permissions"`
	GroupID     *int64   `json:"group_id"`
	ProjectID   *int64   `json:"project_id"`
}

// permissionName matches the names of permissions, known or not: an action and a resource.
var permissionName = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)+$`)

// granularAccess are the values of access.
var granularAccess = []string{"selected_memberships", "personal_projects", "all_memberships", "user", "instance"}

// granularScopes reads the scopes of a new token of a user, which take the place of the others.
func (c *call) granularScopes(user *User) ([]granularScope, *reply) {
	switch given := c.Given("granular_scopes"); {
	case !given && !c.Given("scopes"):
		c.Problem("scopes, granular_scopes are missing, exactly one parameter must be provided")
		return nil, c.Refusal()
	case !given:
		return nil, nil
	}
	c.Exclusive("scopes", "granular_scopes")
	var scopes []granularScope
	for _, f := range c.Subs("granular_scopes") {
		access, permissions := f.StringIn("access", granularAccess...), f.Strings("permissions")
		groups, projects := f.Int64s("group_ids"), f.Int64s("project_ids")
		switch {
		case access == "" || len(permissions) == 0:
			return nil, frame.Unprocessable("Granular scopes need access and permissions")
		case slices.ContainsFunc(permissions, func(name string) bool { return !permissionName.MatchString(name) }):
			return nil, frame.Unprocessable("Granular scopes have an unknown permission")
		case access != "selected_memberships":
			scopes = append(scopes, granularScope{Access: access, Permissions: permissions})
			continue
		}
		for _, id := range groups {
			group, ok := c.svc.groups.get(id)
			if !ok || c.svc.groupMembership(user, group) == NoAccess {
				return nil, frame.NotFound("")
			}
			scopes = append(scopes, granularScope{Access: access, Permissions: permissions, GroupID: &group.id})
		}
		for _, id := range projects {
			project, ok := c.svc.projects.get(id)
			if !ok || c.svc.projectMembership(user, project) == NoAccess {
				return nil, frame.NotFound("")
			}
			scopes = append(scopes, granularScope{Access: access, Permissions: permissions, ProjectID: &project.id})
		}
	}
	if refusal := cmp.Or(c.Refusal(), refuseGranular(scopes)); refusal != nil {
		return nil, refusal
	}
	c.Values["scopes"] = []any{"api"} // which the token does not get
	return scopes, nil
}

// refuseGranular refuses an empty list, and two scopes for one thing.
func refuseGranular(scopes []granularScope) *reply {
	if len(scopes) == 0 {
		return frame.Unprocessable("At least one granular scope must be provided")
	}
	same := func(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
	for i, scope := range scopes {
		if slices.ContainsFunc(scopes[:i], func(other granularScope) bool {
			return other.Access == scope.Access && same(other.GroupID, scope.GroupID) &&
				same(other.ProjectID, scope.ProjectID)
		}) {
			return frame.Unprocessable("The token cannot have multiple granular scopes for the same namespace")
		}
	}
	return nil
}
