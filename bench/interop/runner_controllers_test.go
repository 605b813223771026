package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestRunnerControllers(t *testing.T) {
	e := start(t)
	runner := e.svc.Runner("shared")
	c, scopes, tokens := e.admin.RunnerControllers, e.admin.RunnerControllerScopes, e.admin.RunnerControllerTokens
	var ids []int64
	for _, name := range []string{"a", "b", "c"} {
		made := got(c.CreateRunnerController(&clientgo.CreateRunnerControllerOptions{
			Description: new(name), State: new(clientgo.RunnerControllerStateDryRun),
		})).ok(e, 201)
		assert.Equal(t, []any{name, clientgo.RunnerControllerStateDryRun}, []any{made.Description, made.State})
		ids = append(ids, made.ID)
	}
	all := walk0(e, c.ListRunnerControllers, &clientgo.ListRunnerControllersOptions{})
	assert.Equal(t, ids, each(all, func(c *clientgo.RunnerController) int64 { return c.ID }))
	changed := got(c.UpdateRunnerController(1, &clientgo.UpdateRunnerControllerOptions{
		State: new(clientgo.RunnerControllerStateEnabled),
	})).ok(e, 200)
	assert.Equal(t, *changed, got(c.GetRunnerController(1)).ok(e, 200).RunnerController)

	got(scopes.AddRunnerControllerInstanceScope(1)).ok(e, 201)
	got(scopes.AddRunnerControllerRunnerScope(1, runner.ID())).refused(e, 409)
	done(scopes.RemoveRunnerControllerInstanceScope(1)).ok(e, 204)
	scope := got(scopes.AddRunnerControllerRunnerScope(1, runner.ID())).ok(e, 201)
	assert.Equal(t, runner.ID(), scope.RunnerID)
	found := got(scopes.ListRunnerControllerScopes(1)).ok(e, 200)
	assert.Equal(t, []*clientgo.RunnerControllerRunnerLevelScoping{scope}, found.RunnerLevelScopings)
	done(scopes.RemoveRunnerControllerRunnerScope(1, runner.ID())).ok(e, 204)

	for range 3 {
		got(tokens.CreateRunnerControllerToken(1, &clientgo.CreateRunnerControllerTokenOptions{
			Description: new("east"),
		})).ok(e, 201)
	}
	rotated := got(tokens.RotateRunnerControllerToken(1, 1)).ok(e, 200)
	assert.Equal(t, []any{int64(4), "east", "controller-4-secret"},
		[]any{rotated.ID, rotated.Description, rotated.Token})
	rotated.Token = ""
	assert.Equal(t, rotated, got(tokens.GetRunnerControllerToken(1, 4)).ok(e, 200))
	issued := walk1[int64](e, tokens.ListRunnerControllerTokens, 1, &clientgo.ListRunnerControllerTokensOptions{})
	assert.Equal(t, []int64{2, 3, 4}, each(issued, func(t *clientgo.RunnerControllerToken) int64 { return t.ID }))
	done(tokens.RevokeRunnerControllerToken(1, 4)).ok(e, 204)
	got(tokens.GetRunnerControllerToken(1, 4)).refused(e, 404)
	done(c.DeleteRunnerController(1)).ok(e, 204)
}
