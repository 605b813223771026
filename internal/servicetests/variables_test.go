package servicetests

import (
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceKeepsVariables(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	group := svc.Group("acme")
	s, ctx := asRoot(t, svc).Variables, t.Context()
	values := map[serviceapi.VariableOwner]func(key, scope string) (string, bool){
		serviceapi.ProjectPath("acme/app"): app.VariableValue, serviceapi.GroupPath("acme"): group.VariableValue,
	}
	for owner, value := range values {
		created, resp, err := s.Create(ctx, owner, serviceapi.CreateVariableOptions{
			Key: "KEY", Value: serviceapi.NewSecret("everywhere"), Masked: new(true), Raw: new(true),
			Description: new("d"),
		})
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, &serviceapi.Variable{
			Key: "KEY", Value: serviceapi.NewSecret("everywhere"), VariableType: serviceapi.VariableTypeEnv,
			Masked: true, Raw: true,
			EnvironmentScope: "*", Description: "d",
		}, created)
		_, _, err = s.Create(ctx, owner, serviceapi.CreateVariableOptions{
			Key: "KEY", Value: serviceapi.NewSecret("in reviews"), EnvironmentScope: new("review/*"),
			VariableType: new(serviceapi.VariableTypeFile),
		})
		require.NoError(t, err)

		_, _, err = s.Get(ctx, owner, "KEY", nil)
		assert.ErrorIs(t, err, serviceapi.ErrConflict, "there are two")
		filter := serviceapi.VariableFilter{EnvironmentScope: "review/*"}
		review, _, err := s.Get(ctx, owner, "KEY", &serviceapi.GetVariableOptions{Filter: filter})
		require.NoError(t, err)
		assert.Equal(t, "in reviews", review.Value.Reveal())
		_, err = s.Delete(ctx, owner, "KEY", nil)
		assert.ErrorIs(t, err, serviceapi.ErrConflict)
		changed, _, err := s.Update(ctx, owner, "KEY", serviceapi.UpdateVariableOptions{
			Filter: filter, Value: new(serviceapi.NewSecret("")), EnvironmentScope: new("test"),
		})
		require.NoError(t, err)
		assert.Equal(t, []any{"", "test", serviceapi.VariableTypeFile},
			[]any{changed.Value.Reveal(), changed.EnvironmentScope, changed.VariableType})
		_, found := value("KEY", "test")
		assert.True(t, found)
		_, err = s.Delete(ctx, owner, "KEY",
			&serviceapi.DeleteVariableOptions{Filter: serviceapi.VariableFilter{EnvironmentScope: "test"}})
		require.NoError(t, err)
		left, err := serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		require.Len(t, left, 1)
		_, err = s.Delete(ctx, owner, "KEY", nil)
		require.NoError(t, err)
		_, _, err = s.Get(ctx, owner, "KEY", nil)
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	}
}

func TestServiceRefusesVariables(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	dev := svc.User("dev")
	app := svc.Project("acme/app", servicetest.Member(dev, servicetest.Developer))
	app.Variable("TAKEN", "x")
	app.Variable("HIDDEN", "long enough", servicetest.HiddenVariable())
	s, ctx, project := asRoot(t, svc).Variables, t.Context(), serviceapi.ProjectID(app.ID())
	for field, options := range map[string]serviceapi.CreateVariableOptions{
		"key":   {Key: "TAKEN", Value: serviceapi.NewSecret("y")},
		"value": {Key: "SHORT", Value: serviceapi.NewSecret("abc"), Masked: new(true)},
	} {
		_, _, err := s.Create(ctx, project, options)
		var refused *serviceapi.Error
		require.ErrorAs(t, err, &refused, field)
		assert.Equal(t, 400, refused.StatusCode)
		assert.Contains(t, refused.Fields, field)
	}
	_, _, err := s.Create(ctx, project, serviceapi.CreateVariableOptions{Key: "NO-KEY",
		Value: serviceapi.NewSecret("y")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	hidden, _, err := s.Get(ctx, project, "HIDDEN", nil)
	require.NoError(t, err)
	assert.True(t, hidden.Hidden && hidden.Value.IsEmpty())
	_, _, err = as(t, svc, dev).Variables.List(ctx, project, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	// Below the Premium tier, variables of groups have no scope.
	made, _, err := s.Create(ctx, serviceapi.GroupPath("acme"), serviceapi.CreateVariableOptions{Key: "KEY",
		EnvironmentScope: new("test")})
	require.NoError(t, err)
	assert.Equal(t, "*", made.EnvironmentScope)
	_, _, err = s.Get(ctx, serviceapi.GroupPath("acme"), "KEY",
		&serviceapi.GetVariableOptions{Filter: serviceapi.VariableFilter{EnvironmentScope: "other"}})
	require.NoError(t, err)
}

// TestServiceKeepsVariablesOfInstance checks those that only administrators see.
func TestServiceKeepsVariablesOfInstance(t *testing.T) {
	svc := servicetest.New(t)
	svc.Variable("HIDDEN", "not to be seen", servicetest.HiddenVariable())
	s, ctx := asRoot(t, svc).Variables, t.Context()
	created, _, err := s.Create(ctx, serviceapi.Instance, serviceapi.CreateVariableOptions{
		Key: "KEY", Value: serviceapi.NewSecret("everywhere"), Masked: new(true), Description: new("d"),
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Variable{
		Key: "KEY", Value: serviceapi.NewSecret("everywhere"), VariableType: serviceapi.VariableTypeEnv, Masked: true,
		Description: "d",
	}, created)
	all, err := serviceapi.Collect(s.All(ctx, serviceapi.Instance, nil))
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, []any{"HIDDEN", "", true}, []any{all[0].Key, all[0].Value.Reveal(), all[0].Hidden})
	assert.Equal(t, created, all[1])
	changed, _, err := s.Update(ctx, serviceapi.Instance, "KEY", serviceapi.UpdateVariableOptions{
		Value: new(serviceapi.NewSecret("everywhere else")), Masked: new(false), Protected: new(true),
	})
	require.NoError(t, err)
	got, _, err := s.Get(ctx, serviceapi.Instance, "KEY", nil)
	require.NoError(t, err)
	assert.Equal(t, changed, got)
	value, _ := svc.VariableValue("KEY")
	assert.Equal(t, "everywhere else", value)
	_, err = s.Delete(ctx, serviceapi.Instance, "KEY", nil)
	require.NoError(t, err)
	_, _, err = s.Get(ctx, serviceapi.Instance, "KEY", nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.ErrorContains(t, err, "404 InstanceVariable Not Found")

	for name, options := range map[string]serviceapi.CreateVariableOptions{
		"taken":        {Key: "HIDDEN"},
		"not maskable": {Key: "A", Value: serviceapi.NewSecret("short"), Masked: new(true)},
		"too long":     {Key: "A", Value: serviceapi.NewSecret(strings.Repeat("x", 10_001))},
	} {
		_, _, err = s.Create(ctx, serviceapi.Instance, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	_, _, err = as(t, svc, svc.User("ada")).Variables.List(ctx, serviceapi.Instance, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
