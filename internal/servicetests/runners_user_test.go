package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceCreatesRunners(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	group := svc.Group("acme", servicetest.Member(ada, servicetest.Owner),
		servicetest.Member(bob, servicetest.Maintainer))
	project := svc.Project("acme/app")
	asAda, asBob, ctx := as(t, svc, ada).Runners, as(t, svc, bob).Runners, t.Context()

	made, resp, err := asAda.Create(ctx, serviceapi.GroupID(group.ID()), serviceapi.CreateRunnerOptions{
		Description: new("build"), Paused: new(true), TagList: []string{"go"},
		RunUntagged: new(false), Locked: new(true), AccessLevel: new(serviceapi.RunnerAccessLevelRefProtected),
		MaximumTimeout: new(int64(600)), MaintenanceNote: new("rack 4"),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	runner := svc.Runners()[0]
	assert.Equal(t, []any{runner.ID(), runner.Token()}, []any{made.ID, made.Token.Reveal()})
	assert.Equal(t, []any{"build", true, true, false, "rack 4"}, []any{runner.Description(), runner.Paused(),
		runner.Locked(), runner.RunUntagged(), runner.MaintenanceNote()})
	details, _, err := asAda.Get(ctx, made.ID)
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.RunnerTypeGroup, []string{"go"}, serviceapi.RunnerAccessLevelRefProtected},
		[]any{details.RunnerType, details.TagList, details.AccessLevel})

	_, _, err = asBob.Create(ctx, serviceapi.GroupID(group.ID()), serviceapi.CreateRunnerOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "a maintainer does not own the group")
	_, _, err = asAda.Create(ctx, serviceapi.Instance, serviceapi.CreateRunnerOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "for administrators")
	_, _, err = asAda.Create(ctx, serviceapi.ProjectID(99), serviceapi.CreateRunnerOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	for _, body := range []map[string]any{{}, {"runner_type": "project_type"}, {"runner_type": "group_type"}} {
		_, err = as(t, svc, ada).Do(ctx, "POST", serviceapi.Route("/user/runners"), body, nil)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "whose runner?")
	}

	own, _, err := asAda.Create(ctx, serviceapi.ProjectID(project.ID()), serviceapi.CreateRunnerOptions{})
	require.NoError(t, err)
	_, _, err = asBob.ResetAuthenticationToken(ctx, made.ID)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	reset, _, err := asBob.ResetAuthenticationToken(ctx, own.ID)
	require.NoError(t, err, "a maintainer may with the runner of a project")
	assert.NotEqual(t, own.Token.Reveal(), reset.Token.Reveal())
	assert.Equal(t, svc.Runners()[1].Token(), reset.Token.Reveal())
	_, err = asBob.Delete(ctx, made.ID)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	resp, err = asAda.Delete(ctx, made.ID)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	_, err = asAda.Delete(ctx, made.ID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.Len(t, svc.Runners(), 1)

	scoped, err := serviceapi.NewClient(svc.URL(),
		serviceapi.PrivateToken(svc.Token(ada, servicetest.Scopes("create_runner"))))
	require.NoError(t, err)
	_, _, err = scoped.Runners.Create(ctx, serviceapi.ProjectID(project.ID()), serviceapi.CreateRunnerOptions{})
	assert.NoError(t, err, "the scope suffices")
}
