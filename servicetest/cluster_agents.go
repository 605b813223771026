package servicetest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// agents are the cluster agents of a service, and the projects whose jobs may use others' agents.
type agents struct {
	all         table[*agent]
	tokens      table[*agentToken]
	connections int64 // IDs given to URL configurations
	allowed     map[*Project][]*agent
}

// An agent connects a cluster to the service. Its project is the one that configures it.
type agent struct {
	svc        *Service
	id         int64
	name       string
	config     *Project
	createdAt  time.Time
	createdBy  *User
	connection *agentConnection // nil if the agent connects to the service
}

// An agentToken is a token of an agent. This API refuses it as a credential.
type agentToken struct {
	agent *agent
	token *token
}

// An agentConnection says how the service connects to an agent.
type agentConnection struct {
	id, agent                                        int64
	url, publicKey, cert, clientKey, caCert, tlsHost string
	createdAt                                        time.Time
}

var agentFields = []collection.Field[agent]{
	collection.Shown("id", func(a *agent) int64 { return a.id }),
	collection.Text("name", func(a *agent) *string { return &a.name }).Required(),
	collection.Shown("config_project", func(a *agent) *projectSummary { return a.config.summary() }),
	collection.Moment("created_at", func(a *agent) *time.Time { return &a.createdAt }).ReadOnly(),
	collection.Shown("created_by_user_id", func(a *agent) *int64 { return a.svc.idOfExisting(a.createdBy) }),
	collection.Shown("is_receptive", func(a *agent) any {
		if a.svc.settings.tier < Premium {
			return nil
		}
		return a.connection != nil
	}).Omitted(),
}

// idOfExisting returns the ID of a user who was not deleted, or nil.
func (s *Service) idOfExisting(u *User) *int64 {
	if existing, _ := s.users.get(u.id); existing != u {
		return nil
	}
	return &u.id
}

var clusterAgents = collection.Table[*call, *Project, agent]{
	Param: "agent_id", ID: func(a *agent) int64 { return a.id },
	Home: (*call).projectOfAgents,
	Records: func(c *call, p *Project) []*agent {
		found := state[agents](c.svc).all.all(func(a *agent) bool { return a.config == p })
		slices.SortFunc(found, func(a, b *agent) int { return strings.Compare(a.name, b.name) })
		return found
	},
	Fields: agentFields,
	New: func(c *call, p *Project) *agent {
		return &agent{svc: c.svc, config: p, createdAt: c.now(), createdBy: c.user}
	},
	Check: func(c *call, p *Project, draft, _ *agent) *reply {
		return refusedList(either(wrongAgentName(draft.name), takenAgentName(c.svc, p, draft.name)))
	},
	Add:     func(c *call, _ *Project, a *agent) { a.id, _ = state[agents](c.svc).all.add(0, a) },
	Changed: func(a *agent) time.Time { return a.createdAt },
	Remove:  func(_ *call, _ *Project, a *agent) { a.remove() },
}

// projectOfAgents hides the agents from those who may not read them.
func (c *call) projectOfAgents() (*Project, *reply) {
	p, refusal := c.project()
	if refusal != nil || c.svc.projectLevel(c.user, p) >= Developer {
		return p, refusal
	}
	if c.PathString("agent_id") == "" {
		return nil, frame.NotFound("ClusterAgents")
	}
	return nil, frame.NotFound("")
}

var agentName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

func wrongAgentName(name string) string {
	switch {
	case !agentName.MatchString(name):
		return "Name can contain only lowercase letters, digits, and '-', but cannot start or end with '-'"
	case len(name) > 63:
		return "Name is too long (maximum is 63 characters)"
	}
	return ""
}

func takenAgentName(s *Service, p *Project, name string) string {
	same := func(a *agent) bool { return a.config == p && a.name == name }
	if len(state[agents](s).all.all(same)) > 0 {
		return "Name has already been taken"
	}
	return ""
}

// refusedList is the refusal of agents and tokens: a list, written out. It is nil for "".
func refusedList(problem string) *reply {
	if problem == "" {
		return nil
	}
	return frame.BadRequest(`["` + problem + `"]`)
}

// remove deletes an agent, and whatever uses it.
func (a *agent) remove() {
	all := state[agents](a.svc)
	all.all.remove(a.id)
	for _, t := range all.tokens.all(func(t *agentToken) bool { return t.agent == a }) {
		t.token.revoked = true
		all.tokens.remove(t.token.id)
	}
	for p, allowed := range all.allowed {
		all.allowed[p] = without(allowed, a)
	}
	uses := func(e *Environment) bool { return e.place.agent == a }
	for _, e := range state[environmentState](a.svc).environments.all(uses) {
		e.place.agent = nil
		a.svc.touch(e)
	}
}

var agentTokens = collection.Table[*call, *agent, agentToken]{
	Param: "token_id", ID: func(t *agentToken) int64 { return t.token.id },
	Home:    clusterAgents.Record,
	Records: func(c *call, a *agent) []*agentToken { return a.activeTokens() },
	Fields: []collection.Field[agentToken]{
		collection.Shown("id", func(t *agentToken) int64 { return t.token.id }),
		collection.Text("name", func(t *agentToken) *string { return &t.token.name }).Required().Max(255),
		collection.Note("description", func(t *agentToken) *string { return &t.token.description }).Max(1024),
		collection.Shown("agent_id", func(t *agentToken) int64 { return t.agent.id }),
		collection.Shown("status", func(*agentToken) string { return "active" }),
		collection.Moment("created_at", func(t *agentToken) *time.Time { return &t.token.createdAt }).ReadOnly(),
		collection.Shown("created_by_user_id", func(t *agentToken) *int64 {
			return t.agent.svc.idOfExisting(t.token.user)
		}),
	},
	New: func(c *call, a *agent) *agentToken {
		return &agentToken{a, &token{kind: deploy, user: c.user, createdAt: c.now()}}
	},
	Check: func(_ *call, a *agent, _, _ *agentToken) *reply {
		if len(a.activeTokens()) >= 2 {
			return frame.BadRequest("An agent can have only two active tokens at a time")
		}
		return nil
	},
	Refuse: func(field, problem string) *reply { return refusedList(frame.Sentence(field, problem)) },
	Add:    func(_ *call, a *agent, t *agentToken) { a.svc.fileAgentToken(t) },
	Extra: func(c *call, _ *agent, t *agentToken, form *collection.Form) {
		made := c.Request.Method == http.MethodPost
		if made {
			form.Add("token", t.token.secret)
		}
		if made || c.PathString("token_id") != "" {
			form.Add("last_used_at", jsonTime(t.token.usedAt))
		}
	},
}

// activeTokens returns the tokens that were not revoked, the newest first.
func (a *agent) activeTokens() []*agentToken {
	active := state[agents](a.svc).tokens.all(func(t *agentToken) bool { return t.agent == a && !t.token.revoked })
	slices.Reverse(active)
	return active
}

// fileAgentToken stores a token, with a predictable secret: agent-token-1-secret.
func (s *Service) fileAgentToken(t *agentToken) {
	seed(s, &state[agents](s).tokens, &t.token.id, t, "a token of an agent")
	t.token.secret = fmt.Sprintf("agent-token-%d-secret", t.token.id)
	s.tokens[t.token.secret] = t.token
}

// revokeAgentToken also accepts a token that was revoked before.
func revokeAgentToken(c *call, a *agent) *reply {
	t, exists := state[agents](c.svc).tokens.get(c.PathInt64("token_id"))
	if !exists || t.agent != a {
		return frame.NotFound("")
	}
	t.token.revoked = true
	return c.NoContent()
}

// agentConnections are the URL configurations of an agent, which are none or one.
var agentConnections = collection.Table[*call, *agent, agentConnection]{
	Param: "url_configuration_id", ID: func(u *agentConnection) int64 { return u.id },
	Home: func(c *call) (*agent, *reply) {
		a, refusal := clusterAgents.Record(c)
		if refusal == nil && (!c.hasTier(Ultimate) || !c.svc.instance().flag("receptive_cluster_agents_enabled")) {
			return nil, frame.NotFound("")
		}
		return a, refusal
	},
	Records: func(_ *call, a *agent) []*agentConnection {
		return slices.DeleteFunc([]*agentConnection{a.connection}, func(u *agentConnection) bool { return u == nil })
	},
	Fields: []collection.Field[agentConnection]{
		collection.Shown("id", func(u *agentConnection) int64 { return u.id }),
		collection.Shown("agent_id", func(u *agentConnection) int64 { return u.agent }),
		collection.Text("url", func(u *agentConnection) *string { return &u.url }).Required(),
		collection.Note("public_key", func(u *agentConnection) *string { return &u.publicKey }).ReadOnly(),
		collection.Note("client_cert", func(u *agentConnection) *string { return &u.cert }),
		collection.Text("client_key", func(u *agentConnection) *string { return &u.clientKey }).Unseen(),
		collection.Note("ca_cert", func(u *agentConnection) *string { return &u.caCert }),
		collection.Note("tls_host", func(u *agentConnection) *string { return &u.tlsHost }),
	},
	New: func(c *call, a *agent) *agentConnection { return &agentConnection{agent: a.id, createdAt: c.now()} },
	Check: func(_ *call, a *agent, draft, _ *agentConnection) *reply {
		switch {
		case a.connection != nil:
			return frame.BadRequest("URL configuration already exists for this agent")
		case !strings.HasPrefix(draft.url, "grpc://") && !strings.HasPrefix(draft.url, "grpcs://"):
			return frame.BadRequest("Url must be a valid URL of the scheme grpc or grpcs")
		case (draft.cert == "") != (draft.clientKey == ""):
			return frame.BadRequest("Client cert and client key must be given together")
		}
		return nil
	},
	Add: func(c *call, a *agent, u *agentConnection) {
		all := state[agents](c.svc)
		all.connections++
		u.id, a.connection = all.connections, u
		if u.cert == "" {
			seed := sha256.Sum256([]byte(frame.Itoa(u.id)))
			key := ed25519.NewKeyFromSeed(seed[:])
			u.publicKey = base64.StdEncoding.EncodeToString(key[ed25519.SeedSize:])
		}
	},
	Changed: func(u *agentConnection) time.Time { return u.createdAt },
	Remove:  func(_ *call, a *agent, _ *agentConnection) { a.connection = nil },
}

// ClusterAgent registers a cluster agent of the project, as Root, and returns its ID. A wrong
// name, or one that is taken, fails the test.
func (p *Project) ClusterAgent(name string) int64 {
	defer p.svc.lock()()
	if problem := either(wrongAgentName(name), takenAgentName(p.svc, p, name)); problem != "" {
		p.svc.fail("cluster agent %q: %s", name, problem)
	}
	return p.newAgent(name).id
}

// newAgent makes an agent. Its name is agent-1 and so on by default.
func (p *Project) newAgent(name string) *agent {
	a := &agent{svc: p.svc, config: p, name: name, createdAt: p.svc.now(), createdBy: p.svc.admin}
	seed(p.svc, &state[agents](p.svc).all, &a.id, a, "a cluster agent")
	a.name = either(a.name, "agent-"+frame.Itoa(a.id))
	return a
}

// AllowAgent lets the project's jobs use a new cluster agent of the project that configures
// it. It returns the agent's ID.
func (p *Project) AllowAgent(config *Project) int64 {
	defer p.svc.lock()()
	all := state[agents](p.svc)
	a := config.newAgent("")
	put(&all.allowed, p, append(all.allowed[p], a))
	return a.id
}

// agent returns an agent that the project may use, its own or another's, or nil.
func (p *Project) agent(id int64) *agent {
	a, exists := state[agents](p.svc).all.get(id)
	if !exists || a.config != p && !slices.Contains(state[agents](p.svc).allowed[p], a) {
		return nil
	}
	return a
}
