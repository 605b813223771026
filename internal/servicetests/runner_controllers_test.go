package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceRunnerControllers(t *testing.T) {
	svc := servicetest.New(t)
	s, ctx := asRoot(t, svc).RunnerControllers, t.Context()
	made, resp, err := s.Create(ctx, serviceapi.CreateRunnerControllerOptions{Description: new("signed")})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.RunnerController{ID: 1, Description: "signed", State: "disabled",
		CreatedAt: svc.Now(), UpdatedAt: svc.Now()}, made)
	svc.Advance(time.Hour)
	changed, _, err := s.Update(ctx, 1, serviceapi.UpdateRunnerControllerOptions{
		State: new(serviceapi.RunnerControllerStateDryRun),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"signed", serviceapi.RunnerControllerStateDryRun, made.CreatedAt, svc.Now()},
		[]any{changed.Description, changed.State, changed.CreatedAt, changed.UpdatedAt})
	got, _, err := s.Get(ctx, 1)
	require.NoError(t, err)
	assert.Equal(t, new(false), got.Connected)
	got.Connected = nil
	listed, err := serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RunnerController{got}, listed)
	_, err = s.Delete(ctx, 1)
	require.NoError(t, err)
	_, _, err = s.Get(ctx, 1)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	premium := servicetest.New(t, servicetest.WithTier(servicetest.Premium))
	_, _, err = asRoot(t, premium).RunnerControllers.Create(ctx, serviceapi.CreateRunnerControllerOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound, "without the license")
	assert.ErrorContains(t, err, "404 Not Found")
}

// TestServiceRunnerControllerScopes says that the scope of the instance excludes those of runners.
func TestServiceRunnerControllerScopes(t *testing.T) {
	svc := servicetest.New(t)
	shared := svc.Runner("shared")
	own := svc.Runner("own", servicetest.ForProjects(svc.Project("acme/app")))
	s, ctx := asRoot(t, svc).RunnerControllers, t.Context()
	_, _, err := s.Create(ctx, serviceapi.CreateRunnerControllerOptions{})
	require.NoError(t, err)
	scope, _, err := s.AddRunnerScope(ctx, 1, shared.ID())
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RunnerControllerScope{RunnerID: new(shared.ID()), CreatedAt: svc.Now(),
		UpdatedAt: svc.Now()}, scope)
	for _, err := range []error{
		errorOf(s.AddRunnerScope(ctx, 1, shared.ID())), errorOf(s.AddInstanceScope(ctx, 1)),
	} {
		assert.ErrorIs(t, err, serviceapi.ErrConflict)
	}
	assert.ErrorIs(t, errorOf(s.AddRunnerScope(ctx, 1, own.ID())), serviceapi.ErrUnprocessable)
	scopes, _, err := s.GetScopes(ctx, 1)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.RunnerControllerScopes{
		InstanceLevelScopings: []*serviceapi.RunnerControllerScope{},
		RunnerLevelScopings:   []*serviceapi.RunnerControllerScope{scope},
	}, scopes)
	for range 2 {
		_, err = s.RemoveRunnerScope(ctx, 1, shared.ID())
		require.NoError(t, err)
	}
	scope, _, err = s.AddInstanceScope(ctx, 1)
	require.NoError(t, err)
	assert.Nil(t, scope.RunnerID)
	for range 2 {
		_, err = s.RemoveInstanceScope(ctx, 1)
		require.NoError(t, err)
	}
	scopes, _, err = s.GetScopes(ctx, 1)
	require.NoError(t, err)
	assert.Empty(t, append(scopes.InstanceLevelScopings, scopes.RunnerLevelScopings...))
}

func TestServiceRunnerControllerTokens(t *testing.T) {
	svc := servicetest.New(t)
	s, ctx := asRoot(t, svc).RunnerControllers, t.Context()
	_, _, err := s.Create(ctx, serviceapi.CreateRunnerControllerOptions{})
	require.NoError(t, err)
	first, resp, err := s.CreateToken(ctx, 1, serviceapi.CreateRunnerControllerTokenOptions{Description: new("east")})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	svc.Advance(time.Hour)
	next, resp, err := s.RotateToken(ctx, 1, first.ID)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.False(t, next.Token.IsEmpty() || next.Token.Equal(first.Token))
	assert.Equal(t, &serviceapi.RunnerControllerToken{ID: 2, RunnerControllerID: 1, Description: "east",
		CreatedAt: svc.Now(), UpdatedAt: svc.Now(), Token: next.Token}, next)
	assert.ErrorIs(t, errorOf(s.GetToken(ctx, 1, first.ID)), serviceapi.ErrNotFound)
	next.Token = serviceapi.Secret{}
	got, _, err := s.GetToken(ctx, 1, next.ID)
	require.NoError(t, err)
	assert.Equal(t, next, got, "only creation shows the token")
	listed, err := serviceapi.Collect(s.AllTokens(ctx, 1, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RunnerControllerToken{next}, listed)
	_, err = s.RevokeToken(ctx, 1, next.ID)
	require.NoError(t, err)
	_, err = s.RevokeToken(ctx, 1, next.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
