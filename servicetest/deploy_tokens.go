package servicetest

import (
	"fmt"
	"regexp"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// deployTokens are the tokens of a project or a group, or, with nil, all tokens.
var deployTokens = collection.Table[*call, any, DeployToken]{
	Param: "token_id",
	ID:    func(t *DeployToken) int64 { return t.token.id },
	Home: func(c *call) (any, *reply) {
		if c.route.admins {
			return nil, nil
		}
		return c.tokenHome()
	},
	Records: func(c *call, home any) []*DeployToken { return c.svc.deployTokens(home) },
	Fields: []collection.Field[DeployToken]{
		collection.Shown("id", func(t *DeployToken) int64 { return t.token.id }),
		collection.Text("name", func(t *DeployToken) *string { return &t.token.name }).Required().Max(255),
		collection.Text("username", func(t *DeployToken) *string { return &t.username }).
			Match(deployUsername, "can contain only letters, digits, '_', '-', '+', and '.'"),
		collection.Moment("expires_at", func(t *DeployToken) *time.Time { return &t.token.expires }),
		collection.Choices("scopes", func(t *DeployToken) *[]string { return &t.token.scopes },
			deployTokenScopes...).Required(),
		collection.Shown("revoked", func(t *DeployToken) bool { return t.token.revoked }),
		collection.Shown("expired", (*DeployToken).expired),
	},
	Filters: []collection.Filter[DeployToken]{func(f frame.Fields) func(*DeployToken) bool {
		if !f.Bool("active") {
			return nil
		}
		return func(t *DeployToken) bool { return t.token.active(t.svc.now()) }
	}},
	New: func(c *call, home any) *DeployToken { return c.svc.draftDeployToken(home) },
	Read: func(_ *call, _ any, draft *DeployToken, _ bool) {
		draft.token.expires = draft.token.expires.Truncate(24 * time.Hour) // only the day counts
	},
	Check: func(_ *call, _ any, draft, _ *DeployToken) *reply {
		if len(draft.token.scopes) == 0 {
			return frame.BadRequest("Scopes can't be blank")
		}
		return nil
	},
	Refuse: refuseInSentence,
	Remove: func(_ *call, _ any, t *DeployToken) { t.remove() },
}

var deployTokenScopes = []string{
	"read_repository", "read_registry", "write_registry", "read_package_registry", "write_package_registry",
	"read_virtual_registry", "write_virtual_registry",
}

var deployUsername = regexp.MustCompile(`^[A-Za-z0-9_+.-]*$`)

// createDeployToken makes a token. Only this response contains it.
func createDeployToken(c *call, home any, made *DeployToken) *reply {
	made.file()
	form := deployTokens.Form(c, home, made)
	form.Add("token", made.token.secret)
	return c.Created(form)
}

// A DeployToken is a token of a project or a group for Git and registries. This API
// refuses it. Make one with Project.DeployToken or Group.DeployToken.
type DeployToken struct {
	svc      *Service
	home     any // a *Project or *Group
	username string
	token    *token
}

// deployTokenState keeps the deploy tokens of a service.
type deployTokenState struct{ tokens table[*DeployToken] }

// DeployToken makes a deploy token of the project. By default, it has the scope
// read_repository and does not expire. Service.Revoke revokes it, as the web application
// does.
func (p *Project) DeployToken(name string, opts ...TokenOption) *DeployToken {
	defer p.svc.lock()()
	return p.svc.newDeployToken(p, name, opts)
}

// DeployToken makes a deploy token of the group, as Project.DeployToken does.
func (g *Group) DeployToken(name string, opts ...TokenOption) *DeployToken {
	defer g.svc.lock()()
	return g.svc.newDeployToken(g, name, opts)
}

func (s *Service) newDeployToken(home any, name string, opts []TokenOption) *DeployToken {
	t := s.draftDeployToken(home)
	t.token.name, t.token.scopes = name, []string{"read_repository"}
	apply(t.token, opts, TokenOption.applyToken)
	t.file()
	return t
}

func (s *Service) draftDeployToken(home any) *DeployToken {
	return &DeployToken{svc: s, home: home, token: &token{kind: deploy, createdAt: s.now()}}
}

// file stores the token, with a predictable secret: deploy-1-secret.
func (t *DeployToken) file() {
	seed(t.svc, &state[deployTokenState](t.svc).tokens, &t.token.id, t, "a deploy token")
	t.token.secret = fmt.Sprintf("deploy-%d-secret", t.token.id)
	t.username = either(t.username, fmt.Sprintf("service+deploy-token-%d", t.token.id))
	t.svc.tokens[t.token.secret] = t.token
	t.svc.touch(t.token)
}

// remove deletes the token, so that it works nowhere.
func (t *DeployToken) remove() {
	state[deployTokenState](t.svc).tokens.remove(t.token.id)
	delete(t.svc.tokens, t.token.secret)
}

// deployTokens returns the tokens of a project or a group, or, with nil, all tokens.
func (s *Service) deployTokens(home any) []*DeployToken {
	return state[deployTokenState](s).tokens.all(func(t *DeployToken) bool {
		return home == nil || t.home == home
	})
}

func (t *DeployToken) expired() bool {
	return !t.token.expires.IsZero() && !t.token.expires.After(t.svc.now())
}

// ID returns the deploy token's ID.
func (t *DeployToken) ID() int64 { return t.token.id }

// Token returns the token itself. Service.TokenWorks reports whether it is still valid.
func (t *DeployToken) Token() string { return t.token.secret }

// Username returns the user name that belongs to the token.
func (t *DeployToken) Username() string { return t.username }

func (t *DeployToken) key() int64 { return t.token.id }
