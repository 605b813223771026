package servicetest

import (
	"fmt"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A runnerController admits or rejects jobs. Nothing is decided here.
type runnerController struct {
	record[*Service]

	description, state string
	scopes             []*controllerScope
}

// controllerScope is a scope of a runner, or of the instance if runner is nil.
type controllerScope struct {
	runner *Runner
	at     jsonTime
}

// A controllerToken has a predictable secret, such as controller-1-secret.
type controllerToken struct {
	record[*runnerController]

	description string
}

var runnerControllers = shelved(collection.Table[*call, *Service, runnerController]{
	Param: "id", Missing: frame.NotFoundUnnamed, Home: (*call).service,
	Fields: dated(
		collection.Note("description", func(r *runnerController) *string { return &r.description }).Max(1024),
		collection.Choice("state", func(r *runnerController) *string { return &r.state },
			"disabled", "enabled", "dry_run"),
	),
	New:     func(*call, *Service) *runnerController { return &runnerController{state: "disabled"} },
	Refuse:  refuseInSentence,
	Changed: (*runnerController).changed,
	Extra: func(c *call, _ *Service, _ *runnerController, form *collection.Form) {
		if c.PathString("id") != "" && !c.route.writes() {
			form.Add("connected", false) // none ever is
		}
	},
})

var controllerTokens = shelved(collection.Table[*call, *runnerController, controllerToken]{
	Param: "token_id", Missing: frame.NotFoundUnnamed, Home: runnerControllers.Record,
	Fields: dated(
		collection.Shown("runner_controller_id", func(t *controllerToken) int64 { return t.home.id }),
		collection.Note("description", func(t *controllerToken) *string { return &t.description }).Max(1024),
		collection.Shown("last_used_at", func(*controllerToken) jsonTime { return jsonTime{} }),
	),
	Refuse: refuseInSentence,
	Extra: func(c *call, _ *runnerController, t *controllerToken, form *collection.Form) {
		if c.Request.Method == http.MethodPost {
			form.Add("token", fmt.Sprintf("controller-%d-secret", t.id))
		}
	},
})

func (s *controllerScope) form() object {
	form := object{"created_at": s.at, "updated_at": s.at}
	if s.runner != nil {
		form["runner_id"] = s.runner.id
	}
	return form
}

func getControllerScopes(c *call, r *runnerController) *reply {
	lists := map[bool][]object{true: {}, false: {}}
	for _, scope := range r.scopes {
		lists[scope.runner == nil] = append(lists[scope.runner == nil], scope.form())
	}
	return c.OK(object{"instance_level_scopings": lists[true], "runner_level_scopings": lists[false]})
}

// scopeTarget returns the controller of the path, and its runner, or nil for the instance.
func (c *call) scopeTarget() (*runnerController, *Runner, *reply) {
	r, refusal := runnerControllers.Record(c)
	target, exists := state[runnerState](c.svc).runners.get(c.PathInt64("runner_id"))
	if refusal == nil && !exists && c.PathString("runner_id") != "" {
		refusal = frame.NotFoundUnnamed()
	}
	return r, target, refusal
}

// addControllerScope adds a scope. That of the instance excludes all others.
func addControllerScope(c *call, r *runnerController, target *Runner) *reply {
	taken := slices.ContainsFunc(r.scopes, func(s *controllerScope) bool {
		return s.runner == target || s.runner == nil || target == nil
	})
	switch {
	case target != nil && target.kind != "instance_type":
		return frame.Unprocessable("Runner must be an instance runner")
	case taken:
		return frame.Conflict("409 Conflict - The runner controller already has this scope or one that excludes it")
	}
	made := &controllerScope{target, jsonTime(c.now())}
	r.scopes = append(r.scopes, made)
	return c.Created(made.form())
}

func removeControllerScope(c *call, r *runnerController, target *Runner) *reply {
	r.scopes = slices.DeleteFunc(r.scopes, func(s *controllerScope) bool { return s.runner == target })
	return c.NoContent()
}

// rotateControllerToken revokes a token and makes another one, with status 200.
func rotateControllerToken(c *call, r *runnerController, old *controllerToken) *reply {
	controllerTokens.Remove(c, r, old)
	made := shelve(c.svc, r, &controllerToken{description: old.description})
	return c.OK(controllerTokens.Form(c, r, made))
}
