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

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// agentAccess are the agents of other projects that the jobs of a project may use.
type agentAccess struct{ allowed map[*Project][]*agent }

// An agent connects a cluster to the service. Its home is the project that configures it.
type agent struct {
	record[*Project]

	name      string
	createdBy *User
}

// An agentToken is a token of an agent. This API refuses it as a credential.
type agentToken struct {
	record[*agent]

	token *token
}

// An agentConnection says how the service connects to an agent.
type agentConnection struct {
	record[*agent]

	url, publicKey, cert, clientKey, caCert, tlsHost string
}

var agentFields = numbered(
	collection.Text("name", func(a *agent) *string { return &a.name }).Required().Max(63).Unique().Match(agentName,
		"can contain only lowercase letters, digits, and '-', but cannot start or end with '-'"),
	collection.Shown("config_project", func(a *agent) *projectSummary { return a.home.summary() }),
	collection.Shown("created_at", func(a *agent) jsonTime { return jsonTime(a.createdAt) }),
	collection.Shown("created_by_user_id", func(a *agent) any { return a.createdBy.idUnlessGone() }),
	collection.Shown("is_receptive", func(a *agent) any {
		if a.home.svc.settings.tier < Premium {
			return nil
		}
		return len(recordsOf[agentConnection](a.home.svc, a)) > 0
	}).Omitted(),
)

var agentName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

// idUnlessGone returns the ID of a user who was not deleted, or nil.
func (u *User) idUnlessGone() any {
	if u.gone {
		return nil
	}
	return u.id
}

var clusterAgents = shelved(collection.Table[*call, *Project, agent]{
	Param: "agent_id", Home: (*call).projectOfAgents,
	Records: func(c *call, p *Project) []*agent {
		byName := func(a, b *agent) int { return strings.Compare(a.name, b.name) }
		return slices.SortedFunc(slices.Values(p.agents()), byName)
	},
	Fields:  agentFields,
	New:     func(c *call, _ *Project) *agent { return &agent{createdBy: c.user} },
	Refuse:  refuseInList,
	Changed: (*agent).changed,
	Remove:  func(_ *call, _ *Project, a *agent) { a.remove() },
})

// projectOfAgents hides the agents from those who may not read them.
func (c *call) projectOfAgents() (*Project, *reply) {
	p, refusal := c.project()
	switch {
	case refusal != nil, c.svc.projectLevel(c.user, p) >= Developer:
		return p, refusal
	case c.PathString("agent_id") == "":
		return nil, frame.NotFound("ClusterAgents")
	}
	return nil, frame.NotFound("")
}

// refuseInList refuses a field of an agent or a token: with a list, written out.
func refuseInList(field, problem string) *reply {
	return frame.BadRequest(`["` + frame.Sentence(field, problem) + `"]`)
}

// remove deletes an agent, and whatever uses it.
func (a *agent) remove() {
	svc := a.home.svc
	state[shelf[*Project, agent]](svc).remove(a.home, a)
	tokens := state[shelf[*agent, agentToken]](svc).of
	for _, t := range tokens[a] {
		t.token.revoked = true
	}
	delete(tokens, a)
	for p, allowed := range state[agentAccess](svc).allowed {
		state[agentAccess](svc).allowed[p] = without(allowed, a)
	}
	uses := func(e *Environment) bool { return e.place.agent == a }
	for _, e := range state[environmentState](svc).environments.all(uses) {
		e.place.agent = nil
		svc.touch(e)
	}
}

var agentTokens = shelved(collection.Table[*call, *agent, agentToken]{
	Param: "token_id", Home: clusterAgents.Record,
	Records: (*call).tokensOf,
	Fields: numbered(
		collection.Text("name", func(t *agentToken) *string { return &t.token.name }).Required().Max(255),
		collection.Note("description", func(t *agentToken) *string { return &t.token.description }).Max(1024),
		collection.Shown("agent_id", func(t *agentToken) int64 { return t.home.id }),
		collection.Shown("status", func(*agentToken) string { return "active" }),
		collection.Shown("created_at", func(t *agentToken) jsonTime { return jsonTime(t.createdAt) }),
		collection.Shown("created_by_user_id", func(t *agentToken) any { return t.token.user.idUnlessGone() }),
	),
	New: func(c *call, _ *agent) *agentToken { return &agentToken{token: &token{kind: deploy, user: c.user}} },
	Check: func(c *call, a *agent, _, _ *agentToken) *reply {
		if len(c.tokensOf(a)) >= 2 {
			return frame.BadRequest("An agent can have only two active tokens at a time")
		}
		return nil
	},
	Refuse: refuseInList,
	Add: func(c *call, a *agent, t *agentToken) {
		t.token.secret = fmt.Sprintf("agent-token-%d-secret", shelve(c.svc, a, t).id)
		c.svc.tokens[t.token.secret] = t.token
	},
	Remove: func(_ *call, _ *agent, t *agentToken) { t.token.revoked = true },
	Extra: func(c *call, _ *agent, t *agentToken, form *collection.Form) {
		made := c.Request.Method == http.MethodPost
		if made {
			form.Add("token", t.token.secret)
		}
		if made || c.PathString("token_id") != "" {
			form.Add("last_used_at", jsonTime(t.token.usedAt))
		}
	},
})

// tokensOf returns the tokens that were not revoked, the newest first. To revoke one again is no error.
func (c *call) tokensOf(a *agent) []*agentToken {
	return reversed(only(recordsOf[agentToken](c.svc, a), func(t *agentToken) bool {
		return !t.token.revoked || c.Request.Method == http.MethodDelete
	}))
}

// agentConnections are the URL configurations of an agent, which are none or one.
var agentConnections = shelved(collection.Table[*call, *agent, agentConnection]{
	Param: "url_configuration_id",
	Home: unless(clusterAgents.Record, notFound, func(c *call, _ *agent) bool {
		return !c.hasTier(Ultimate) || !c.svc.instance().flag("receptive_cluster_agents_enabled")
	}),
	Fields: numbered(
		collection.Shown("agent_id", func(u *agentConnection) int64 { return u.home.id }),
		collection.Text("url", func(u *agentConnection) *string { return &u.url }).Required(),
		collection.Note("public_key", func(u *agentConnection) *string { return &u.publicKey }).ReadOnly(),
		collection.Note("client_cert", func(u *agentConnection) *string { return &u.cert }),
		collection.Text("client_key", func(u *agentConnection) *string { return &u.clientKey }).Unseen(),
		collection.Note("ca_cert", func(u *agentConnection) *string { return &u.caCert }),
		collection.Note("tls_host", func(u *agentConnection) *string { return &u.tlsHost }),
	),
	Check: func(c *call, a *agent, draft, _ *agentConnection) *reply {
		switch {
		case len(recordsOf[agentConnection](c.svc, a)) > 0:
			return frame.BadRequest("URL configuration already exists for this agent")
		case !strings.HasPrefix(draft.url, "grpc://") && !strings.HasPrefix(draft.url, "grpcs://"):
			return frame.BadRequest("Url must be a valid URL of the scheme grpc or grpcs")
		case (draft.cert == "") != (draft.clientKey == ""):
			return frame.BadRequest("Client cert and client key must be given together")
		}
		return nil
	},
	Add: func(c *call, a *agent, u *agentConnection) {
		if shelve(c.svc, a, u); u.cert == "" {
			seed := sha256.Sum256([]byte(frame.Itoa(u.id)))
			key := ed25519.NewKeyFromSeed(seed[:])
			u.publicKey = base64.StdEncoding.EncodeToString(key[ed25519.SeedSize:])
		}
	},
	Changed: (*agentConnection).changed,
})

// ClusterAgent registers a cluster agent of the project, as Root, and returns its ID. A wrong
// name, or one that is taken, fails the test.
func (p *Project) ClusterAgent(name string) int64 {
	defer p.svc.lock()()
	taken := one(p.agents(), func(a *agent) bool { return a.name == name }) != nil
	if taken || !agentName.MatchString(name) || len(name) > 63 {
		p.svc.fail("the name %q of a cluster agent is wrong or taken", name)
	}
	return shelve(p.svc, p, &agent{name: name, createdBy: p.svc.admin}).id
}

// agents returns the agents that the project configures.
func (p *Project) agents() []*agent { return recordsOf[agent](p.svc, p) }

// AllowAgent lets the project's jobs use a new cluster agent of the project that configures
// it. It returns the agent's ID.
func (p *Project) AllowAgent(config *Project) int64 {
	defer p.svc.lock()()
	a := shelve(p.svc, config, &agent{createdBy: p.svc.admin})
	a.name = "agent-" + frame.Itoa(a.id)
	put(&state[agentAccess](p.svc).allowed, p, append(state[agentAccess](p.svc).allowed[p], a))
	return a.id
}

// agent returns an agent that the project may use, its own or another's, or nil.
func (p *Project) agent(id int64) *agent {
	usable := slices.Concat(p.agents(), state[agentAccess](p.svc).allowed[p])
	return one(usable, func(a *agent) bool { return a.id == id })
}
