package wiretests

import (
	"fmt"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeVariable is testdata/variables/variable.json.
func wholeVariable() *serviceapi.Variable {
	return &serviceapi.Variable{
		Key: "DEPLOY_KEY", Value: serviceapi.NewSecret("variable-value"), VariableType: serviceapi.VariableTypeFile,
		Protected: true,
		Masked:    true, Hidden: true,
		Raw: true, EnvironmentScope: "review/*", Description: "For deployments",
	}
}

// variableOwners are one of each kind, with the paths of their variables.
func variableOwners() map[string]serviceapi.VariableOwner {
	return map[string]serviceapi.VariableOwner{
		"/projects/acme%2Fapp/variables": serviceapi.ProjectPath(
			"acme/app",
		), "/groups/7/variables": serviceapi.GroupID(7),
		"/admin/ci/variables": serviceapi.Instance,
	}
}

func TestVariablesList(t *testing.T) {
	whole := "[" + fixture(t, "variables/variable.json") + `,{"key":"EMPTY","value":null,"description":null}]`
	for path, owner := range variableOwners() {
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: whole},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: whole})
		want := []*serviceapi.Variable{wholeVariable(), {Key: "EMPTY"}}
		variables, _, err := client.Variables.List(t.Context(), owner, &serviceapi.ListOptions{Page: 2, PerPage: 5})
		require.NoError(t, err)
		assert.Equal(t, want, variables)
		assertFilled(t, variables[0])
		variables, err = serviceapi.Collect(client.Variables.All(t.Context(), owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, variables)
		assert.NotContains(t, fmt.Sprintf("%+v", *variables[0]), "variable-value")
	}
}

func TestVariablesLifeCycle(t *testing.T) {
	const whole, scope = "variables/variable.json", "filter%5Benvironment_scope%5D=review%2F%2A"
	const every = `{"key":"DEPLOY_KEY","value":"v","variable_type":"file","protected":true,"masked":false,` +
		`"raw":true,"masked_and_hidden":true,` +
		`"environment_scope":"review/*","description":"d"}`
	owners := variableOwners()
	delete(owners, "/admin/ci/variables") // without scopes: see TestVariablesOfInstance
	for path, owner := range owners {
		client := onWire(t,
			exchange{Method: "GET", Path: path + "/DEPLOY_KEY", Fixture: whole},
			exchange{Method: "GET", Path: path + "/DEPLOY_KEY", Fixture: whole},
			exchange{Method: "GET", Path: path + "/DEPLOY_KEY", Query: scope, Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"key":"DEPLOY_KEY","value":""}`, Status: 201, Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: every, Status: 201, Fixture: whole},
			exchange{Method: "PUT", Path: path + "/DEPLOY_KEY", JSON: `{}`, Fixture: whole},
			exchange{Method: "PUT", Path: path + "/DEPLOY_KEY", JSON: `{"value":""}`, Fixture: whole},
			exchange{
				Method: "PUT", Path: path + "/DEPLOY_KEY", Query: scope, Fixture: whole,
				JSON: `{"value":"v","variable_type":"env_var","protected":false,"masked":true,"raw":false,` +
					`"environment_scope":"*","description":""}`,
			},
			exchange{Method: "DELETE", Path: path + "/DEPLOY_KEY", Status: 204},
			exchange{Method: "DELETE", Path: path + "/DEPLOY_KEY", Query: scope, Status: 204})
		s, ctx, filter := client.Variables, t.Context(), serviceapi.VariableFilter{EnvironmentScope: "review/*"}
		wantWhole := func(variable *serviceapi.Variable, _ *serviceapi.Response, err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, wholeVariable(), variable)
		}
		wantWhole(s.Get(ctx, owner, "DEPLOY_KEY", nil))
		wantWhole(s.Get(ctx, owner, "DEPLOY_KEY", &serviceapi.GetVariableOptions{}))
		wantWhole(s.Get(ctx, owner, "DEPLOY_KEY", &serviceapi.GetVariableOptions{Filter: filter}))
		wantWhole(s.Create(ctx, owner, serviceapi.CreateVariableOptions{Key: "DEPLOY_KEY"}))
		wantWhole(s.Create(ctx, owner, serviceapi.CreateVariableOptions{
			Key: "DEPLOY_KEY", Value: serviceapi.NewSecret("v"), VariableType: new(serviceapi.VariableTypeFile),
			Protected: new(true),
			Masked:    new(false), Raw: new(true),
			MaskedAndHidden: new(true), EnvironmentScope: new("review/*"), Description: new("d"),
		}))
		wantWhole(s.Update(ctx, owner, "DEPLOY_KEY", serviceapi.UpdateVariableOptions{}))
		wantWhole(
			s.Update(ctx, owner, "DEPLOY_KEY", serviceapi.UpdateVariableOptions{Value: new(serviceapi.NewSecret(""))}),
		)
		wantWhole(s.Update(ctx, owner, "DEPLOY_KEY", serviceapi.UpdateVariableOptions{
			Filter: filter, Value: new(serviceapi.NewSecret("v")), VariableType: new(serviceapi.VariableTypeEnv),
			Protected: new(false),
			Masked:    new(true), Raw: new(false),
			EnvironmentScope: new("*"), Description: new(""),
		}))
		for _, options := range []*serviceapi.DeleteVariableOptions{nil, {Filter: filter}} {
			resp, err := s.Delete(ctx, owner, "DEPLOY_KEY", options)
			require.NoError(t, err)
			assert.Equal(t, 204, resp.StatusCode)
		}
	}
}

func TestVariablesOfInstance(t *testing.T) {
	const path, whole = "/admin/ci/variables", "variables/variable.json"
	const every = `"value":"v","variable_type":"file","protected":true,"masked":false,"raw":true,"description":"d"}`
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/DEPLOY_KEY", Fixture: whole},
		exchange{Method: "POST", Path: path, JSON: `{"key":"DEPLOY_KEY",` + every, Status: 201, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/DEPLOY_KEY", JSON: `{` + every, Fixture: whole},
		exchange{Method: "DELETE", Path: path + "/DEPLOY_KEY", Status: 204})
	s, ctx := client.Variables, t.Context()
	wantWhole := func(variable *serviceapi.Variable, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeVariable(), variable)
	}
	wantWhole(s.Get(ctx, serviceapi.Instance, "DEPLOY_KEY", nil))
	wantWhole(s.Create(ctx, serviceapi.Instance, serviceapi.CreateVariableOptions{
		Key: "DEPLOY_KEY", Value: serviceapi.NewSecret("v"), VariableType: new(serviceapi.VariableTypeFile),
		Protected: new(true),
		Masked:    new(false), Raw: new(true), Description: new("d"),
	}))
	wantWhole(s.Update(ctx, serviceapi.Instance, "DEPLOY_KEY", serviceapi.UpdateVariableOptions{
		Value: new(
			serviceapi.NewSecret("v"),
		), VariableType: new(serviceapi.VariableTypeFile), Protected: new(true), Masked: new(false),
		Raw: new(true), Description: new("d"),
	}))
	_, err := s.Delete(ctx, serviceapi.Instance, "DEPLOY_KEY", nil)
	require.NoError(t, err)

	filter := serviceapi.VariableFilter{EnvironmentScope: "test"}
	assertRefused(t, "key", errorOf(s.Get(ctx, serviceapi.Instance, "", nil)))
	assertRefused(
		t,
		"Filter",
		errorOf(s.Get(ctx, serviceapi.Instance, "KEY", &serviceapi.GetVariableOptions{Filter: filter})),
	)
	assertRefused(
		t,
		"Filter",
		errorOf(s.Update(ctx, serviceapi.Instance, "KEY", serviceapi.UpdateVariableOptions{Filter: filter})),
	)
	assertRefused(t, "MaskedAndHidden", errorOf(s.Create(ctx, serviceapi.Instance,
		serviceapi.CreateVariableOptions{Key: "KEY", MaskedAndHidden: new(true)})))
	assertRefused(t, "EnvironmentScope", errorOf(s.Update(ctx, serviceapi.Instance, "KEY",
		serviceapi.UpdateVariableOptions{EnvironmentScope: new("*")})))
}

func TestVariablesArguments(t *testing.T) {
	s, ctx := onWire(t).Variables, t.Context()
	for argument, test := range map[string]struct {
		owner serviceapi.VariableOwner
		key   string
	}{
		"owner": {nil, "KEY"}, "key": {serviceapi.GroupID(7), ""}, "id": {serviceapi.ProjectRef{}, "KEY"},
	} {
		assertRefused(t, argument, errorOf(s.Get(ctx, test.owner, test.key, nil)))
		assertRefused(t, argument, errorOf(s.Update(ctx, test.owner, test.key, serviceapi.UpdateVariableOptions{})))
		_, err := s.Delete(ctx, test.owner, test.key, nil)
		assertRefused(t, argument, err)
	}
	assertRefused(t, "owner", errorOf(s.List(ctx, new(serviceapi.GroupID(7)), nil)))
	assertRefused(t, "owner", errorOf(s.Create(ctx, (*serviceapi.ProjectRef)(nil), serviceapi.CreateVariableOptions{})))
	assertRefused(t, "key", errorOf(s.Get(ctx, serviceapi.GroupID(7), "..", nil)))
}
