package servicetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A runnerController admits or rejects jobs. Nothing is decided here.
type runnerController struct {
	id                   int64
	description, state   string
	createdAt, updatedAt time.Time
	scopes               []*controllerScope
	tokens               []*controllerToken
}

// controllerScope is a scope of a runner, or of the instance if runner is 0.
type controllerScope struct {
	runner int64
	at     time.Time
}

type controllerToken struct {
	id, controller int64
	description    string
	createdAt      time.Time
	revoked        bool
}

type controllerState struct {
	controllers table[*runnerController]
	tokens      int64 // the last ID
}

var runnerControllers = collection.Table[*call, *controllerState, runnerController]{
	Param:   "id",
	Missing: frame.NotFoundUnnamed,
	Home:    func(c *call) (*controllerState, *reply) { return state[controllerState](c.svc), nil },
	Records: func(_ *call, all *controllerState) []*runnerController { return all.controllers.all(nil) },
	ID:      func(r *runnerController) int64 { return r.id },
	Fields: []collection.Field[runnerController]{
		collection.Shown("id", func(r *runnerController) int64 { return r.id }),
		collection.Note("description", func(r *runnerController) *string { return &r.description }).Max(1024),
		collection.Choice("state", func(r *runnerController) *string { return &r.state },
			"disabled", "enabled", "dry_run"),
		collection.Shown("created_at", func(r *runnerController) jsonTime { return jsonTime(r.createdAt) }),
		collection.Shown("updated_at", func(r *runnerController) jsonTime { return jsonTime(r.updatedAt) }),
	},
	New: func(c *call, _ *controllerState) *runnerController {
		return &runnerController{state: "disabled", createdAt: c.now()}
	},
	Read:    func(c *call, _ *controllerState, r *runnerController, _ bool) { r.updatedAt = c.now() },
	Refuse:  refuseInSentence,
	Add:     func(_ *call, all *controllerState, r *runnerController) { r.id, _ = all.controllers.add(0, r) },
	Remove:  func(_ *call, all *controllerState, r *runnerController) { all.controllers.remove(r.id) },
	Changed: func(r *runnerController) time.Time { return r.updatedAt },
}

var controllerTokens = collection.Table[*call, *runnerController, controllerToken]{
	Param:   "token_id",
	Missing: frame.NotFoundUnnamed,
	Home:    runnerControllers.Record,
	Records: func(_ *call, r *runnerController) []*controllerToken {
		return slices.DeleteFunc(slices.Clone(r.tokens), func(t *controllerToken) bool { return t.revoked })
	},
	ID: func(t *controllerToken) int64 { return t.id },
	Fields: []collection.Field[controllerToken]{
		collection.Shown("id", func(t *controllerToken) int64 { return t.id }),
		collection.Shown("runner_controller_id", func(t *controllerToken) int64 { return t.controller }),
		collection.Note("description", func(t *controllerToken) *string { return &t.description }).Max(1024),
		collection.Shown("last_used_at", func(*controllerToken) jsonTime { return jsonTime{} }),
		collection.Shown("created_at", func(t *controllerToken) jsonTime { return jsonTime(t.createdAt) }),
		collection.Shown("updated_at", func(t *controllerToken) jsonTime { return jsonTime(t.createdAt) }),
	},
	New:    func(*call, *runnerController) *controllerToken { return new(controllerToken) },
	Refuse: refuseInSentence,
	Remove: func(_ *call, _ *runnerController, t *controllerToken) { t.revoked = true },
}

// getRunnerController shows whether the controller is connected. Here, none ever is.
func getRunnerController(c *call, r *runnerController) *reply {
	form := runnerControllers.Form(c, nil, r)
	form.Add("connected", false)
	return c.OK(form)
}

func (s *controllerScope) form() object {
	form := object{"created_at": jsonTime(s.at), "updated_at": jsonTime(s.at)}
	if s.runner != 0 {
		form["runner_id"] = s.runner
	}
	return form
}

func getControllerScopes(c *call, r *runnerController) *reply {
	lists := map[bool][]object{true: {}, false: {}}
	for _, scope := range r.scopes {
		lists[scope.runner == 0] = append(lists[scope.runner == 0], scope.form())
	}
	return c.OK(object{"instance_level_scopings": lists[true], "runner_level_scopings": lists[false]})
}

// scopeTarget returns the controller of the path, and its runner, or nil for the instance.
func (c *call) scopeTarget() (r *runnerController, target *Runner, refusal *reply) {
	if r, refusal = runnerControllers.Record(c); refusal != nil || strings.HasSuffix(c.route.template, "/instance") {
		return r, nil, refusal
	}
	target, ok := state[runnerState](c.svc).runners.get(c.PathInt64("runner_id"))
	if !ok {
		return nil, nil, frame.NotFoundUnnamed()
	}
	return r, target, nil
}

// addControllerScope adds a scope. That of the instance excludes all others.
func addControllerScope(c *call, r *runnerController, target *Runner) *reply {
	made := &controllerScope{at: c.now()}
	if target != nil {
		made.runner = target.id
	}
	taken := slices.ContainsFunc(r.scopes, func(s *controllerScope) bool {
		return s.runner == made.runner || s.runner == 0 || made.runner == 0
	})
	switch {
	case target != nil && target.kind != "instance_type":
		return frame.Unprocessable("Runner must be an instance runner")
	case taken:
		return frame.Conflict("409 Conflict - The runner controller already has this scope or one that excludes it")
	}
	r.scopes = append(r.scopes, made)
	return c.Created(made.form())
}

func removeControllerScope(c *call, r *runnerController, target *Runner) *reply {
	r.scopes = slices.DeleteFunc(r.scopes, func(s *controllerScope) bool {
		return target == nil && s.runner == 0 || target != nil && s.runner == target.id
	})
	return c.NoContent()
}

func createControllerToken(c *call, r *runnerController, made *controllerToken) *reply {
	return c.Created(c.issueControllerToken(r, made))
}

// rotateControllerToken revokes a token and makes another one, with status 200.
func rotateControllerToken(c *call, r *runnerController, old *controllerToken) *reply {
	old.revoked = true
	return c.OK(c.issueControllerToken(r, &controllerToken{description: old.description}))
}

// issueControllerToken stores a token and returns its form with the secret, which is predictable:
// controller-1-secret.
func (c *call) issueControllerToken(r *runnerController, made *controllerToken) *collection.Form {
	all := state[controllerState](c.svc)
	all.tokens++
	made.id, made.controller, made.createdAt = all.tokens, r.id, c.now()
	r.tokens = append(r.tokens, made)
	form := controllerTokens.Form(c, r, made)
	form.Add("token", fmt.Sprintf("controller-%d-secret", made.id))
	return form
}
