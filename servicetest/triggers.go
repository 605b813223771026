package servicetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

var triggers = collection.Table[*call, *Project, Trigger]{
	Param: "trigger_id",
	ID:    func(t *Trigger) int64 { return t.id },
	Home:  (*call).project,
	Records: func(c *call, p *Project) []*Trigger {
		return state[triggerState](c.svc).triggers.all(func(t *Trigger) bool { return t.project == p })
	},
	Fields: []collection.Field[Trigger]{
		collection.Shown("id", func(t *Trigger) int64 { return t.id }),
		collection.Text("description", func(t *Trigger) *string { return &t.description }).Required(),
		collection.Moment("created_at", func(t *Trigger) *time.Time { return &t.createdAt }).ReadOnly(),
		collection.Moment("updated_at", func(t *Trigger) *time.Time { return &t.updatedAt }).ReadOnly(),
		collection.Moment("last_used", func(t *Trigger) *time.Time { return &t.lastUsed }).ReadOnly(),
		collection.Moment("expires_at", func(t *Trigger) *time.Time { return &t.expiresAt }).Once(),
		collection.Shown("deleted_at", func(*Trigger) any { return nil }),
		collection.Shown("owner", func(t *Trigger) *userSummary { return t.owner.summary() }),
	},
	New: func(c *call, p *Project) *Trigger { return c.svc.draftTrigger(p, c.user) },
	Add: func(c *call, _ *Project, t *Trigger) { t.file() },
	Check: func(c *call, _ *Project, draft, before *Trigger) *reply {
		if before != nil && before.owner != c.user {
			return frame.Forbidden("")
		}
		return nil
	},
	Saved:   func(c *call, _ *Project, t *Trigger) { t.updatedAt = c.now() },
	Changed: func(t *Trigger) time.Time { return t.updatedAt },
	Remove:  func(c *call, _ *Project, t *Trigger) { state[triggerState](c.svc).triggers.remove(t.id) },
	Extra: func(c *call, _ *Project, t *Trigger, form *collection.Form) {
		token := t.token
		if c.user != t.owner {
			token = token[:4]
		}
		form.Add("token", token)
	},
}

// runTrigger starts a pipeline. The token in the parameters is the credential.
func runTrigger(c *call) *reply {
	if c.Request.Header.Get(c.svc.settings.header("Event")) == "Pipeline Hook" {
		return frame.Forbidden("")
	}
	secret, ref := c.RequiredString("token"), c.RequiredString("ref")
	given, inputs := c.Sub("variables").Values, c.Sub("inputs").Values
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	variables := []pipelineVariable{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value, isText := given[name].(string)
		if !isText {
			return frame.Message(http.StatusBadRequest, "variables needs to be a map of key-valued strings")
		}
		variables = append(variables, pipelineVariable{Key: name, Value: value, VariableType: "env_var"})
	}
	project := c.pathProject()
	if project == nil {
		return frame.NotFound("")
	}
	used, user, refusal := c.triggered(project, secret)
	if refusal != nil {
		return refusal
	}
	source := "pipeline" // started by a job of another pipeline
	if used != nil {
		source = "trigger"
	}
	payload := pipelineVariable{Key: "TRIGGER_PAYLOAD", Value: c.triggerPayload(ref), VariableType: "file"}
	made, refusal := project.tryPipeline(ref, source, user, append(variables, payload))
	if refusal != nil {
		return refusal
	}
	made.inputs = inputs
	if used != nil {
		used.lastUsed = c.now()
	}
	return c.Created(made.object())
}

// triggered returns a project's trigger with this token, and the user who starts its
// pipelines. If secret is the token of a job, the trigger is nil.
func (c *call) triggered(project *Project, secret string) (*Trigger, *User, *reply) {
	if tok := c.svc.tokenOf(secret, jobToken); tok != nil {
		if !tok.active(c.now()) || tok.job.finished() {
			return nil, nil, frame.Unauthorized()
		}
		if !project.admitsJobsOf(tok.job.pipeline.project) {
			return nil, nil, frame.NotFound("")
		}
		return nil, tok.user, nil
	}
	for _, t := range state[triggerState](c.svc).triggers.all(nil) {
		if t.token == secret && t.project == project && (t.expiresAt.IsZero() || t.expiresAt.After(c.now())) {
			return t, t.owner, nil
		}
	}
	return nil, nil, frame.NotFound("")
}

// triggerPayload returns the request without the token.
func (c *call) triggerPayload(ref string) string {
	payload := struct {
		Ref       string         `json:"ref"`
		ID        string         `json:"id"`
		Variables map[string]any `json:"variables"`
		Inputs    map[string]any `json:"inputs,omitempty"`
	}{ref, c.PathString("id"), c.Sub("variables").Values, c.Sub("inputs").Values}
	if payload.Variables == nil {
		payload.Variables = map[string]any{}
	}
	text, _ := json.Marshal(payload) // it was JSON or a form
	return string(text)
}

// tryPipeline starts a pipeline for a branch or a tag in a user's name. If that is
// impossible, it returns a 400 with the reason.
func (p *Project) tryPipeline(ref, source string, user *User, variables []pipelineVariable) (*Pipeline, *reply) {
	r := p.repository()
	switch {
	case user == nil || user.gone || user.barred() != "" || p.archived,
		!p.serves(user, "builds"), !p.mayPush(user, ref):
		return nil, frame.FieldErrors("base", "Insufficient permissions to create a new pipeline")
	case r.Branch(ref) == nil && r.Tag(ref) == nil:
		return nil, frame.FieldErrors("base", "Reference not found")
	case p.plan().problem != "":
		return nil, frame.FieldErrors("base", p.plan().problem)
	}
	return p.startPipeline(ref, source, user, variables), nil
}

// A Trigger is a token that starts pipelines of a project. Make one with
// Project.Trigger.
type Trigger struct {
	svc         *Service
	project     *Project
	owner       *User
	id          int64
	token       string
	description string
	createdAt   time.Time
	updatedAt   time.Time
	lastUsed    time.Time // zero means never
	expiresAt   time.Time // zero means never
}

// triggerState keeps the triggers of a service.
type triggerState struct{ triggers table[*Trigger] }

// A TriggerOption sets a property of a trigger. By, CreatedAt and ID are TriggerOptions,
// too.
type TriggerOption interface{ applyTrigger(t *Trigger) }

type triggerOption func(*Trigger)

func (f triggerOption) applyTrigger(t *Trigger) { f(t) }

func (o IDOption) applyTrigger(t *Trigger)        { t.id = int64(o) }
func (o ByOption) applyTrigger(t *Trigger)        { t.owner = o.user }
func (o CreatedAtOption) applyTrigger(t *Trigger) { t.createdAt = time.Time(o) }

// TriggerExpiresAt sets when the token of a trigger expires. By default, it does not.
func TriggerExpiresAt(at time.Time) TriggerOption {
	return triggerOption(func(t *Trigger) { t.expiresAt = at.UTC() })
}

// Trigger makes a trigger. By default, Root created it now.
func (p *Project) Trigger(description string, opts ...TriggerOption) *Trigger {
	defer p.svc.lock()()
	t := p.svc.draftTrigger(p, p.svc.admin)
	t.description = description
	apply(t, opts, TriggerOption.applyTrigger)
	t.updatedAt = t.createdAt
	t.file()
	return t
}

func (s *Service) draftTrigger(p *Project, owner *User) *Trigger {
	return &Trigger{svc: s, project: p, owner: owner, createdAt: s.now(), updatedAt: s.now()}
}

// file stores the trigger, with a predictable token: trigger-1-ada.
func (t *Trigger) file() {
	seed(t.svc, &state[triggerState](t.svc).triggers, &t.id, t, "a trigger")
	owner := "nobody"
	if t.owner != nil {
		owner = t.owner.username
	}
	t.token = fmt.Sprintf("trigger-%d-%s", t.id, owner)
}

// ID returns the trigger's ID.
func (t *Trigger) ID() int64 { return t.id }

// Token returns the token that starts pipelines.
func (t *Trigger) Token() string { return t.token }

func (t *Trigger) key() int64 { return t.id }
